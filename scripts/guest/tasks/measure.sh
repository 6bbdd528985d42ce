# What real fio gets from every disk alone and, with STRIPE=64 (a stripe unit in KiB), from a stripe of them all.
#   --set FIO='--rw=randread --bs=8k --iodepth=32'    what is asked for
#   --set RUNTIME=5                                   seconds, each
for disk in /dev/disk/*; do
    # shellcheck disable=SC2086 # options, by word
    measure "${disk##*/}" "$disk" --runtime="${RUNTIME:-5}" ${FIO:---rw=randread --bs=8k --iodepth=32}
done
if [ -n "${STRIPE:-}" ]; then
    stripe "$STRIPE" /dev/disk/*
    # shellcheck disable=SC2086
    measure stripe /dev/md0 --runtime="${RUNTIME:-5}" ${FIO:---rw=randread --bs=8k --iodepth=32}
    mdadm --stop /dev/md0
fi
