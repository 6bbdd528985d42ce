# The Linux script of a plan (file `script`), run for real on disks at their LUNs: what it refuses, what it builds, that it does
# so once, and how it is undone. Reports the exit code of every run, and how many things it did or would do.
#   --set DISKS='data.0 data.1 log'   exports in order of LUNs
#   --set PLACE=/srv/data             where the first volume is mounted
#   --set VOLUMES='vol-0a vol-0b'     in the same order: disks are found by these ids, not by their LUNs
cat "$FILES/script/raw" >/run/linux.sh
export VOLUMES="${VOLUMES:-}"
mkdir -p /dev/disk/azure/scsi1 /dev/disk/by-id
lun=0
for disk in $DISKS; do
    last=/dev/disk/azure/scsi1/lun$lun
    # shellcheck disable=SC2086 # a word a disk
    if [ -n "$VOLUMES" ]; then
        last=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_$(echo $VOLUMES | cut -d' ' -f$((lun + 1)) | tr -d '-')
    fi
    ln -s "$(readlink -f "/dev/disk/$disk")" "$last"
    lun=$((lun + 1))
done
touch /etc/fstab

# try NAME ARGUMENTS...: runs the script. What it did or would do is on lines that begin with blanks.
try() {
    name=$1
    shift
    code=0
    sh /run/linux.sh "$@" >/run/said 2>/run/wrong </dev/null || code=$?
    cat /run/said /run/wrong >/dev/console
    report '"run": "%s", "code": %d, "steps": %d, "error": "%s"' "$name" "$code" "$(grep -c '^  ' /run/said)" \
        "$(grep '^error: ' /run/wrong | tr -d '"' | tr '\n' ' ')"
}
# state NAME: what is there.
state() {
    report '"state": "%s", "mounted": %d, "in_fstab": %d, "rules": %d, "arrays": %d, "kept": %d' "$1" \
        "$(grep -c ' /srv/' /proc/mounts)" "$(grep -c '^UUID=' /etc/fstab)" \
        "$(find /etc/udev/rules.d -name '99-diskwright-*' 2>/dev/null | wc -l)" \
        "$(cat /sys/block/md*/size /sys/block/dm-*/size 2>/dev/null | grep -vc '^0$')" \
        "$(if [ -e "$PLACE/kept" ]; then md5sum <"$PLACE/kept" | grep -c "$(md5sum </run/kept | cut -d' ' -f1)"; else echo 0; fi)"
}
erase() { dd if=/dev/zero of="$1" bs=1048576 count=16 conv=fsync 2>/dev/null; }

blocks kept 0 256 >/run/kept
try dry
state dry

# A file system on the last disk, other bytes at its head, other bytes at its end.
mkfs.ext4 -q -F "$last"
try file-system --apply
erase "$last"
put "$last" bytes 0 16
try bytes --apply
erase "$last"
end=$(($(blockdev --getsize64 "$last") / 4096 - 16))
put "$last" end "$end" 16
try end --apply
dd if=/dev/zero of="$last" bs=65536 count=1 seek=$((end / 16)) conv=notrunc,fsync 2>/dev/null
state refused

try apply --apply
cp /run/kept "$PLACE/kept"
sync
state applied
device=$(awk -v place="$PLACE" '$2 == place { print $1 }' /proc/mounts)
# shellcheck disable=SC2046,SC2183 # two numbers
device=/sys/dev/block/$(printf '%d:%d' $(stat -L -c '0x%t 0x%T' "$device"))
report '"options": "%s", "read_ahead_kib": %d' "$(awk -v place="$PLACE" '$2 == place { print $3 " " $4 }' /proc/mounts)" \
    "$(cat "$device/queue/read_ahead_kb")"
try again --apply
state again

# What fstab says is enough to mount it, as after a start.
umount "$PLACE"
mount "$PLACE"
state mounted

try undo --undo --apply
state undone
try back --apply
state back
try deleted --undo --delete-data --apply
state deleted
try anew --apply
state anew
