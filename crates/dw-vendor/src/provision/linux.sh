
# ---- the program: the same for every plan ----

mode=apply dry=yes wipe=no
for argument in "$@"; do
    case $argument in
    --apply) dry=no ;;
    --undo) mode=undo ;;
    --delete-data) wipe=yes ;;
    -h | --help)
        sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "no option $argument; see --help" >&2
        exit 2
        ;;
    esac
done

FSTAB=/etc/fstab
RULES=/etc/udev/rules.d

say() { echo "$*"; }
fail() {
    echo "error: $*" >&2
    exit 1
}
run() {
    if [ "$dry" = yes ]; then say "  would run: $*"; else
        say "  $*"
        "$@"
    fi
}
settle() { if command -v udevadm >/dev/null; then udevadm settle || true; fi; }
# name_of DEVICE: what the kernel calls it, by its number, because links and nodes have names of their own.
name_of() {
    # shellcheck disable=SC2046,SC2183 # two numbers
    basename "$(readlink -f "/sys/dev/block/$(printf '%d:%d' $(stat -L -c '0x%t 0x%T' "$1" 2>/dev/null || echo 0 0))")"
}
# there DEVICE: it has bytes. A node may outlive its array, and opening it would make an empty one.
there() { [ -b "$1" ] && [ "$(cat "/sys/class/block/$(name_of "$1")/size" 2>/dev/null || echo 0)" -gt 0 ]; }

# disks_at FIRST COUNT GIB: their devices, each of the planned size.
disks_at() {
    number=$1
    while [ "$number" -lt $(($1 + $2)) ]; do
        disk=$(disk_at "$number")
        bytes=$(blockdev --getsize64 "$disk")
        [ "$bytes" -eq $(($3 * 1073741824)) ] ||
            fail "$numbered $number ($disk) has $bytes bytes, the plan says $3 GiB: attach the disks as planned"
        echo "$disk"
        number=$((number + 1))
    done
}

# signature DEVICE TAG: TYPE, LABEL or UUID of what is on it; nothing when there is none.
signature() { blkid -p -s "$2" -o value "$1" 2>/dev/null || true; }

# zeros DEVICE: its first and last MiB hold nothing.
zeros() {
    last=$(($(blockdev --getsize64 "$1") / 1048576 - 1))
    for at in 0 "$last"; do
        [ "$(dd if="$1" bs=1048576 skip="$at" count=1 2>/dev/null | tr -d '\000' | head -c 1 | wc -c)" -eq 0 ] || return 1
    done
}

# refuse_data DEVICE: ends here unless nothing at all is on it.
refuse_data() {
    base=$(name_of "$1")
    for part in "/sys/class/block/$base/$base"*; do
        if [ -e "$part" ]; then fail "$1 has partitions: it is not touched"; fi
    done
    for user in "/sys/class/block/$base/holders/"*; do
        if [ -e "$user" ]; then fail "$1 is in use by ${user##*/}: it is not touched"; fi
    done
    if grep -q "^$(readlink -f "$1") " /proc/mounts; then fail "$1 is mounted: it is not touched"; fi
    found=$(wipefs --no-act --noheadings --output TYPE "$1" | tr '\n' ' ')
    [ -z "$found" ] || fail "$1 has data on it (${found% }): it is not touched"
    zeros "$1" || fail "$1 has data on it (of no known kind): it is not touched"
}

# blank DEVICE: what refuse_data looks for is gone.
blank() {
    last=$(($(blockdev --getsize64 "$1") / 1048576 - 1))
    run wipefs --all --quiet "$1"
    run dd if=/dev/zero of="$1" bs=1048576 count=1 conv=notrunc,fsync status=none
    run dd if=/dev/zero of="$1" bs=1048576 count=1 seek="$last" conv=notrunc,fsync status=none
}

# block FILE NAME [TEXT]: these lines between two marks in a file; without TEXT none. The file is replaced as a whole.
block() {
    open="# >>> diskwright $2" close="# <<< diskwright $2"
    [ -e "$1" ] || [ $# -eq 3 ] || return 0
    if [ -e "$1" ]; then
        old=$(awk -v open="$open" -v close_="$close" '$0 == close_ { inside = 0 } inside { print } $0 == open { inside = 1 }' "$1")
        if [ "$old" = "${3:-}" ]; then return 0; fi
    fi
    new=$(
        if [ -e "$1" ]; then awk -v open="$open" -v close_="$close" '$0 == open { skip = 1 } !skip { print } $0 == close_ { skip = 0 }' "$1"; fi
        if [ $# -eq 3 ]; then printf '%s\n%s\n%s\n' "$open" "$3" "$close"; fi
    )
    if [ "$dry" = yes ]; then
        say "  would write to $1: ${3:-nothing of $2 any more}"
        return 0
    fi
    say "  $1: ${3:-nothing of $2 any more}"
    mkdir -p "$(dirname "$1")"
    if [ -e "$1" ]; then cp -p "$1" "$1.diskwright"; fi
    printf '%s\n' "$new" >"$1.diskwright"
    mv "$1.diskwright" "$1"
}

# file FILE [TEXT]: a file with this text; without TEXT none.
file() {
    if [ $# -eq 1 ]; then
        if [ -e "$1" ]; then run rm "$1"; fi
    elif ! [ -e "$1" ] || [ "$(cat "$1")" != "$2" ]; then
        if [ "$dry" = yes ]; then say "  would write $1" && return 0; fi
        say "  $1"
        mkdir -p "$(dirname "$1")"
        printf '%s\n' "$2" >"$1.diskwright"
        mv "$1.diskwright" "$1"
    fi
}

mdadm_conf() { if [ -d /etc/mdadm ]; then echo /etc/mdadm/mdadm.conf; else echo /etc/mdadm.conf; fi; }

# exported KEY: its value in lines of KEY=VALUE.
exported() { sed -n "s/^$1=//p" | head -n 1; }

# raid NAME COUNT STRIPE_KIB DISK...: leaves the array in $device, made, assembled or found.
raid() {
    array=$1 count=$2 stripe=$3
    shift 3
    device=/dev/md/$array
    holder=$(find "/sys/class/block/$(name_of "$1")/holders/" -name 'md*' -exec basename {} \;)
    if [ -n "$holder" ]; then
        device=/dev/$holder
        for disk in "$@"; do
            [ -e "/sys/class/block/$(name_of "$disk")/holders/$holder" ] || fail "$1 is in $holder, and $disk is not: nothing is touched"
        done
    elif [ "$(signature "$1" TYPE)" = linux_raid_member ]; then
        uuid=$(mdadm --examine --export "$1" | exported MD_UUID)
        for disk in "$@"; do
            [ "$(mdadm --examine --export "$disk" 2>/dev/null | exported MD_UUID)" = "$uuid" ] ||
                fail "$1 is part of an array, and $disk is not part of it: nothing is touched"
        done
        case $(mdadm --examine --export "$1" | exported MD_NAME) in
        "$array" | *:"$array") ;;
        *) fail "$1 is part of another array than $array: it is not touched" ;;
        esac
        run mdadm --assemble --run "$device" "$@"
        settle
    else
        for disk in "$@"; do refuse_data "$disk"; done
        run mdadm --create "$device" --run --homehost=any --name="$array" --metadata=1.2 --level=0 --raid-devices="$count" \
            --chunk="$stripe" "$@"
        settle
    fi
    there "$device" || [ "$dry" = no ] || return 0 # a dry run made nothing
    state=/sys/class/block/$(name_of "$device")/md
    [ "$(cat "$state/level") $(cat "$state/raid_disks") $(cat "$state/chunk_size")" = "raid0 $count $((stripe * 1024))" ] ||
        fail "$device is $(cat "$state/level") of $(cat "$state/raid_disks") disks with $(cat "$state/chunk_size") bytes each: not as planned"
    uuid=$(mdadm --detail --export "$device" | exported MD_UUID)
    before=$(cat "$(mdadm_conf)" 2>/dev/null || true)
    block "$(mdadm_conf)" "$array" "ARRAY /dev/md/$array metadata=1.2 UUID=$uuid"
    if [ "$before" != "$(cat "$(mdadm_conf)" 2>/dev/null || true)" ] && command -v update-initramfs >/dev/null; then
        run update-initramfs -u
    fi
}

# lvm NAME COUNT STRIPE_KIB DISK...: leaves the logical volume in $device.
lvm() {
    group=dw_$1 logical=$1 count=$2 stripe=$3
    shift 3
    device=/dev/$group/$logical
    if [ -n "$(vgs --noheadings -o vg_name "$group" 2>/dev/null)" ]; then
        for disk in "$@"; do
            [ "$(pvs --noheadings -o vg_name "$disk" 2>/dev/null | tr -d ' ')" = "$group" ] ||
                fail "there is a volume group $group, and $disk is not part of it: nothing is touched"
        done
        there "$device" || run vgchange --activate y "$group"
        found=$(lvs --noheadings --nosuffix --units k -o stripes,stripe_size "$group/$logical" | awk '{ print $1 + 0, $2 + 0 }')
        [ "$found" = "$count $stripe" ] || fail "$group/$logical has stripes and KiB $found, the plan $count $stripe"
    else
        for disk in "$@"; do refuse_data "$disk"; done
        run pvcreate --quiet "$@"
        run vgcreate --quiet "$group" "$@"
        run lvcreate --yes --quiet --name "$logical" --stripes "$count" --stripesize "${stripe}k" --extents 100%FREE "$group"
    fi
    settle
}

# format DEVICE LABEL KIND STRIPE_KIB COUNT: a file system unless ours is there.
format() {
    there "$1" || [ "$dry" = no ] || {
        say "  would then make $3 on it, unless ours is there"
        return 0
    }
    if [ "$(signature "$1" TYPE) $(signature "$1" LABEL)" = "$3 $2" ]; then return 0; fi
    refuse_data "$1"
    case $3,$5 in
    xfs,1) run mkfs.xfs -q -L "$2" "$1" ;;
    xfs,*) run mkfs.xfs -q -L "$2" -d "su=${4}k,sw=$5" "$1" ;;
    ext4,1) run mkfs.ext4 -q -F -b 4096 -L "$2" "$1" ;;
    ext4,*) run mkfs.ext4 -q -F -b 4096 -L "$2" -E "stride=$(($4 / 4)),stripe_width=$(($4 * $5 / 4))" "$1" ;;
    esac
    settle
}

# tune NAME DEVICE READ_AHEAD_KIB DISK...: read-ahead of the volume and no scheduler for its disks, now and at every start.
tune() {
    tuned=$1 volume=$2 ahead=$3
    shift 3
    rules="# Written by diskwright for $tuned."
    rules="$rules
SUBSYSTEM==\"block\", ACTION==\"add|change\", ENV{ID_FS_UUID}==\"$(signature "$volume" UUID)\", ATTR{queue/read_ahead_kb}=\"$ahead\""
    for disk in "$@"; do
        rules="$rules
SUBSYSTEM==\"block\", ACTION==\"add|change\", ENV{ID_FS_UUID}==\"$(signature "$disk" UUID)\", ATTR{queue/scheduler}=\"none\""
        setting "/sys/class/block/$(name_of "$disk")/queue/scheduler" none
    done
    file "$RULES/99-diskwright-$tuned.rules" "$rules"
    setting "/sys/class/block/$(name_of "$volume")/queue/read_ahead_kb" "$ahead"
}

# setting FILE VALUE: a kernel setting that is there and is another one.
setting() {
    [ -w "$1" ] || return 0
    case $(cat "$1") in
    "$2" | *"[$2]"*) ;;
    *) if [ "$dry" = yes ]; then say "  would write $2 to $1"; else
        say "  $1: $2"
        echo "$2" >"$1"
    fi ;;
    esac
}

build() {
    name=$1 kind=$2 first=$3 count=$4 gib=$5 stripe=$6 filesystem=$7 place=$8 ahead=$9
    say "$name: $count x $gib GiB from $numbered $first, $filesystem at $place"
    disks=$(disks_at "$first" "$count" "$gib")
    # shellcheck disable=SC2086 # one word a disk
    case $kind in
    raid) raid "$name" "$count" "$stripe" $disks ;;
    lvm) lvm "$name" "$count" "$stripe" $disks ;;
    disk) device=$disks ;;
    esac
    format "$device" "$label$first" "$filesystem" "$stripe" "$count"
    uuid=$(if there "$device"; then signature "$device" UUID; fi)
    if [ -z "$uuid" ]; then # a dry run made no file system
        [ "$dry" = yes ] || fail "there is no file system on $device after it was made: look at the messages above"
        say "  would then mount it at $place, by its UUID in $FSTAB with defaults,nofail,noatime, read-ahead $ahead KiB"
        return 0
    fi
    mine="UUID=$uuid $place $filesystem defaults,nofail,noatime 0 2"
    other=$(awk -v place="$place" -v mine="$mine" '$1 !~ /^#/ && $2 == place && $0 != mine' "$FSTAB" 2>/dev/null || true)
    [ -z "$other" ] || fail "$FSTAB mounts something else at $place: $other"
    block "$FSTAB" "$name" "$mine"
    if ! grep -q " $place $filesystem " /proc/mounts; then
        [ -d "$place" ] || run mkdir -p "$place"
        run mount -t "$filesystem" -o noatime "$device" "$place"
    fi
    # shellcheck disable=SC2086
    tune "$name" "$device" "$ahead" $disks
}

undo() {
    name=$1 kind=$2 first=$3 count=$4 gib=$5 filesystem=$7 place=$8
    say "$name: undone; its data $(if [ "$wipe" = yes ]; then echo is DELETED; else echo stays on its disks; fi)"
    disks=$(disks_at "$first" "$count" "$gib")
    one=$(echo "$disks" | head -n 1)
    case $kind in
    raid) device=$(find "/sys/class/block/$(name_of "$one")/holders/" -name 'md*' -exec basename {} \;) && device=${device:+/dev/$device} ;;
    lvm) device=/dev/dw_$name/$name ;;
    disk) device=$one ;;
    esac
    # Only what has our label is ours.
    if there "${device:-/nowhere}" && [ -n "$(signature "$device" TYPE)" ] && [ "$(signature "$device" LABEL)" != "$label$first" ]; then
        fail "$device has data that this script did not make: it is not touched"
    fi
    if grep -q " $place $filesystem " /proc/mounts; then run umount "$place"; fi
    block "$FSTAB" "$name"
    file "$RULES/99-diskwright-$name.rules"
    # After an undo without it the stripe is at rest, and would not be found.
    if [ "$kind,$wipe" = lvm,yes ] && vgs "dw_$name" >/dev/null 2>&1; then run vgchange --activate y "dw_$name"; fi
    if there "${device:-/nowhere}"; then
        if [ "$wipe" = yes ] && [ -n "$(signature "$device" TYPE)" ]; then blank "$device"; fi
        case $kind,$wipe in
        raid,*) run mdadm --stop "$device" ;;
        lvm,no) run vgchange --activate n "dw_$name" ;;
        lvm,yes) run vgremove --yes --force "dw_$name" ;;
        esac
    fi
    if [ "$kind" = raid ]; then block "$(mdadm_conf)" "$name"; fi
    if [ "$wipe" = yes ] && [ "$kind" != disk ]; then
        for disk in $disks; do
            case $kind,$(signature "$disk" TYPE) in
            raid,linux_raid_member)
                case $(mdadm --examine --export "$disk" | exported MD_NAME) in
                "$name" | *:"$name") blank "$disk" ;;
                *) fail "$disk is part of another array than $name: it is not touched" ;;
                esac
                ;;
            lvm,LVM2_member)
                run pvremove --yes "$disk"
                blank "$disk"
                ;;
            esac
        done
    fi
}

# volume ...: one of the plan.
volume() { if [ "$mode" = undo ]; then undo "$@"; else build "$@"; fi; }

# local_device COUNT DISK...: leaves what the file system is made on in $device. What is on the disks is kept where it is ours.
local_device() {
    count=$1 device=$2
    shift
    [ "$count" -gt 1 ] || return 0
    device=/dev/md/diskwright-local
    holder=$(find "/sys/class/block/$(name_of "$1")/holders/" -name 'md*' -exec basename {} \;)
    if [ -n "$holder" ]; then
        device=/dev/$holder
    elif [ "$(signature "$1" TYPE)" = linux_raid_member ]; then
        run mdadm --assemble --run "$device" "$@"
        settle
    else
        for disk in "$@"; do refuse_data "$disk"; done
        run mdadm --create "$device" --run --homehost=any --name=diskwright-local --metadata=1.2 --level=0 --raid-devices="$count" "$@"
        settle
    fi
}

# local_nvme FOLDER FILE-SYSTEM: the VM's own NVMe disks, which have no file system after a stop of the VM, as one at this folder.
local_nvme() {
    if [ "$mode" = undo ]; then return 0; fi
    if grep -q " $1 " /proc/mounts; then say "local NVMe disks: mounted at $1"; return 0; fi
    found='' count=0
    for model in /sys/block/nvme*/device/model; do
        if grep -qs "$local_model" "$model"; then
            disk=${model%/device/model}
            found="$found /dev/${disk##*/}"
            count=$((count + 1))
        fi
    done
    [ "$count" -gt 0 ] || fail "the plan counts on local NVMe disks, and this machine has none"
    say "local NVMe disks:$found at $1; they are blank after every stop of the VM: run this at each start, before the services"
    # shellcheck disable=SC2086 # one word a disk
    local_device $count $found
    if there "$device" && [ -z "$(signature "$device" TYPE)" ]; then refuse_data "$device"; fi
    if ! there "$device" || [ -z "$(signature "$device" TYPE)" ]; then run "mkfs.$2" "$device"; fi
    [ -d "$1" ] || run mkdir -p "$1"
    run mount "$device" "$1"
}

# local_disk NAME FOLDER: a folder on the VM's own disk, which the image mounts.
local_disk() {
    say "$1: a folder on the local disk, at $2; it is empty after every stop of the VM: let the service make it when it starts"
    if [ "$mode" = undo ]; then return 0; fi
    if grep -q " ${2%/*} " /proc/mounts; then [ -d "$2" ] || run mkdir -p "$2"; else say "  ${2%/*} is not mounted here"; fi
}

[ "$(id -u)" -eq 0 ] || fail "only root may see what is on a disk: run it with sudo"
for program in blkid wipefs blockdev awk $programs; do
    command -v "$program" >/dev/null || fail "there is no $program here: install $program"
done
if [ "$dry" = yes ]; then
    say "A dry run: nothing is changed; --apply does it."
    plan
else
    # Nothing is touched unless all of it can be done.
    dry=yes
    plan >/dev/null
    dry=no
    plan
fi
say "Done."
