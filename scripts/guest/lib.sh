# What a task has at hand inside the guest. A task is a shell script that runs with `set -eu`; its disks are
# /dev/disk/EXPORT, and what it wants to say to the world outside it says with `report`.

# Where files are that boot.sh handed over: $FILES/NAME/raw.
FILES=/sys/firmware/qemu_fw_cfg/by_name/opt/diskwright

# report FORMAT ARGUMENTS...: one JSON object, on a line of its own, to the one who booted the guest.
report() {
    format=$1
    shift
    # shellcheck disable=SC2059 # the format is the point
    printf "{$format}\n" "$@" >/dev/ttyS1
}

# stripe CHUNK DISK...: /dev/md0, a RAID-0 of these disks with a stripe unit of CHUNK KiB.
stripe() {
    chunk=$1
    shift
    mdadm --create /dev/md0 --run --level=0 --raid-devices=$# --chunk="$chunk" "$@"
    report '"stripe": "/dev/md0", "disks": %d, "stripe_unit_kib": %d, "bytes": %s' $# "$chunk" "$(blockdev --getsize64 /dev/md0)"
}

# measure NAME DEVICE FIO-OPTIONS...: runs fio on a device and reports its figures. Requests are passed to the kernel in
# batches, because each passing costs a guest in software some 100 us; options that come later in a list win in fio.
measure() {
    name=$1 device=$2
    shift 2
    fio --name="$name" --filename="$device" --ioengine=libaio --direct=1 --time_based --thread --group_reporting --eta=never \
        --iodepth_batch_submit=8 --iodepth_batch_complete_max=16 \
        --output-format=terse --terse-version=3 --output=/run/fio.terse "$@"
    # Terse version 3: read at field 6, write at 47: KiB, KiB/s, IOPS, ms; clat mean 11 and percentiles 13 to 32 fields in.
    awk -F';' -v name="$name" '
        function percentile(first, wanted,   i, p) {
            for (i = first; i < first + 20; i++) { split($i, p, /%=/); if (p[1] + 0 == wanted) return p[2] }
            return 0
        }
        function side(word, at) {
            if ($at == 0) return ""
            return sprintf(", \"%s\": {\"iops\": %d, \"kib\": %d, \"ms\": %d, \"mean_us\": %.1f, \"p50_us\": %d, \"p99_us\": %d}",
                word, $(at + 2), $at, $(at + 3), $(at + 10), percentile(at + 12, 50), percentile(at + 12, 99))
        }
        $1 == 3 { printf "{\"fio\": \"%s\", \"error\": %d%s%s}\n", name, $5, side("read", 6), side("write", 47) }
    ' /run/fio.terse >/dev/ttyS1
}

# blocks LABEL FIRST COUNT: COUNT blocks of 4 KiB for the disk's blocks from FIRST on, in lines of 64 bytes that say LABEL
# and the block's number, so that whoever reads them knows who wrote them and for which place.
blocks() {
    awk -v label="$1" -v first="$2" -v count="$3" 'BEGIN {
        for (b = first; b < first + count; b++) {
            line = sprintf("%-46s %16d", label, b)
            for (i = 0; i < 64; i++) print line
        }
    }'
}

# put DEVICE LABEL FIRST COUNT: writes such blocks past the guest's page cache, 64 KiB a request, and does not flush.
put() {
    blocks "$2" "$3" "$4" >/run/blocks
    dd if=/run/blocks of="$1" bs=65536 seek=$(($3 / 16)) oflag=direct conv=notrunc 2>/dev/null
    rm /run/blocks
}

# flush DEVICE: what an fsync of the device does.
flush() { dd if=/dev/null of="$1" bs=1 count=0 conv=notrunc,fsync 2>/dev/null; }

# show DEVICE COUNT: reports what stands in the first COUNT blocks, as runs of sectors with the same label. A line that is
# not where it was written to makes the label "misplaced".
show() {
    dd if="$1" bs=65536 count=$(($2 / 16)) iflag=direct 2>/dev/null | tr '\000' . | fold -b -w 64 | awk -v device="$1" '
        function close_run() {
            if (label != "") printf "{\"found\": \"%s\", \"offset\": %d, \"bytes\": %d}\n", label, from * 64, (NR - 1 - from) * 64
        }
        { now = /^[.]+$/ ? "nothing" : $2 == int((NR - 1) / 64) ? $1 : "misplaced"
          if (now != label) { close_run(); label = now; from = NR - 1 } }
        END { NR++; close_run() }' >/dev/ttyS1
}
