# Three disks at work when the VM's host dies: `raw` with blocks that are flushed and blocks that are not, `files` with an
# ext4 whose files are fsynced and not, `ledger` with a SQLite database that commits until the end and reports each commit.
# Whoever sees the first commit knows that everything else is written, and may crash the host. See after-crash.sh.

put /dev/disk/raw old 0 4096
flush /dev/disk/raw
put /dev/disk/raw kept 0 1024
flush /dev/disk/raw
put /dev/disk/raw loose 512 128 # over what was kept
put /dev/disk/raw loose 2048 256
report '"unflushed": "raw", "bytes": %d' $(((128 + 256) * 4096))

mkfs.ext4 -q -F /dev/disk/files
mkdir -p /mnt/files /mnt/ledger
mount -t ext4 /dev/disk/files /mnt/files
for n in $(seq 1 8); do
    blocks "kept-$n" 0 64 | dd of="/mnt/files/kept-$n" bs=65536 conv=fsync 2>/dev/null
    blocks "loose-$n" 0 64 >"/mnt/files/loose-$n"
done
report '"fsynced": "files", "files": 8'

mkfs.ext4 -q -F /dev/disk/ledger
mount -t ext4 /dev/disk/ledger /mnt/ledger
awk 'BEGIN {
    print ".output /dev/null" # the pragma answers
    print "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE ledger (id INTEGER PRIMARY KEY, note TEXT);"
    print ".output"
    for (i = 1; ; i++) {
        print "INSERT INTO ledger VALUES (" i ", hex(randomblob(200)));"
        print "SELECT \047{\"committed\": \047 || max(id) || \047}\047 FROM ledger;"
    }
}' | sqlite3 /mnt/ledger/ledger.db >/dev/ttyS1
