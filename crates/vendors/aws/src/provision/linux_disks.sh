
# ---- where the disks are: the same for every plan of this cloud ----

# Ids of the volumes in the order of their numbers, as aws.sh, CloudFormation and Terraform print them: VOLUMES='vol-0a1b... vol-2c3d...'
: "${VOLUMES:=}"
# What udev calls the NVMe device of a volume begins with it; then comes the id without its dash.
: "${BY_ID:=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_}"
numbered=disk label=dw-disk local_model='Amazon EC2 NVMe Instance Storage'

# nth NUMBER WORD...: that word, counted from 0; nothing where there are fewer.
nth() {
    [ "$1" -lt $(($# - 1)) ] || return 0
    shift $(($1 + 1))
    echo "$1"
}

# serial_of DEVICE-OF-SYSFS: what an NVMe device has as its serial number.
serial_of() { tr -d ' ' <"$1/device/serial" 2>/dev/null || true; }

# disk_at NUMBER: its device. On Nitro a volume is an NVMe device whose serial number is its id; its name says nothing. On Xen it has the
# name that it was attached with, or the same with xvd; rules of Amazon Linux make links of such names on Nitro, too.
disk_at() {
    # shellcheck disable=SC2086 # a word a disk
    id=$(nth "$1" $VOLUMES) wanted=$(nth "$1" $DEVICES) is_nvme=no
    serial=$(echo "$id" | tr -d '-')
    if [ -n "$id" ] && [ -b "$BY_ID$serial" ]; then
        readlink -f "$BY_ID$serial"
        return
    fi
    for node in /sys/block/nvme*; do
        case $(serial_of "$node") in
        vol*)
            is_nvme=yes
            if [ -n "$id" ] && [ "$(serial_of "$node")" = "$serial" ]; then
                echo "/dev/${node##*/}"
                return
            fi
            ;;
        esac
    done
    if [ -n "$id" ] && [ "$is_nvme" = yes ]; then fail "disk $1: volume $id is not attached to this instance"; fi
    for device in "$wanted" "/dev/xvd${wanted#/dev/sd}"; do
        if [ -b "$device" ]; then
            readlink -f "$device"
            return
        fi
    done
    if [ -n "$id" ]; then fail "disk $1: volume $id is not attached to this instance as $wanted"; fi
    fail "disk $1: no device $wanted here: name the volumes, VOLUMES='vol-...', as the last line of aws.sh and the output \`volumes\` have them"
}
