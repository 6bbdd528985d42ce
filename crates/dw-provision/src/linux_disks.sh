
# ---- where the disks are: the same for every plan of this cloud ----

numbered=LUN label=dw-lun local_model='NVMe Direct Disk'
# Where images name data disks by LUN: azure-vm-utils, then the older rules of the agent.
: "${BY_LUN:=/dev/disk/azure/data/by-lun/ /dev/disk/azure/scsi1/lun}"

# disk_at LUN: its device.
disk_at() {
    for prefix in $BY_LUN; do
        if [ -b "$prefix$1" ]; then
            readlink -f "$prefix$1"
            return
        fi
    done
    fail "there is no disk at LUN $1: looked for $(for prefix in $BY_LUN; do printf '%s%s ' "$prefix" "$1"; done)"
}
