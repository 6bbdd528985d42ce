# ext4 made, filled, unmounted, checked and compared, on every disk.
for disk in /dev/disk/*; do
    name=${disk##*/}
    mkfs.ext4 -q -F "$disk"
    mount -t ext4 "$disk" /mnt
    for n in $(seq 1 "${FILES:-24}"); do blocks "$name-$n" 0 128 >"/mnt/file-$n"; done
    umount /mnt
    e2fsck -fn "$disk"
    mount -t ext4 -o ro "$disk" /mnt
    different=0
    for n in $(seq 1 "${FILES:-24}"); do
        blocks "$name-$n" 0 128 | cmp -s - "/mnt/file-$n" || different=$((different + 1))
    done
    umount /mnt
    report '"filesystem": "%s", "files": %d, "different": %d, "e2fsck": "clean"' "$name" "${FILES:-24}" "$different"
    [ "$different" -eq 0 ]
done
