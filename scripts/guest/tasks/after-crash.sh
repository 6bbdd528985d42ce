# What the disks of before-crash.sh hold once the host is up again.
show /dev/disk/raw 4096

mkdir -p /mnt/files /mnt/ledger
mount -t ext4 /dev/disk/files /mnt/files # replays the journal
kept=0 loose=0
for n in $(seq 1 8); do
    if blocks "kept-$n" 0 64 | cmp -s - "/mnt/files/kept-$n"; then kept=$((kept + 1)); fi
    if blocks "loose-$n" 0 64 | cmp -s - "/mnt/files/loose-$n"; then loose=$((loose + 1)); fi
done
umount /mnt/files
e2fsck -fn /dev/disk/files
report '"files_kept": %d, "files_loose": %d, "e2fsck": "clean"' "$kept" "$loose"

mount -t ext4 /dev/disk/ledger /mnt/ledger
sqlite3 /mnt/ledger/ledger.db "SELECT '{\"rows\": ' || count(*) || ', \"last\": ' || max(id) || '}' FROM ledger" >/dev/ttyS1
report '"integrity": "%s"' "$(sqlite3 /mnt/ledger/ledger.db 'PRAGMA integrity_check')"
umount /mnt/ledger
e2fsck -fn /dev/disk/ledger
