#!/bin/sh
# Boots the guest, with emulated disks as its virtio disks, runs one task in it and prints what the task reported: one JSON
# object a line. Succeeds when the task did.
#
#   boot.sh --disk nbd+unix:///data?socket=/tmp/rig.sock [--disk ...] [--set NAME=VALUE ...] [--file NAME=FILE ...] TASK.sh
#
#   --disk URI        an NBD export; inside it is /dev/disk/EXPORT, and /dev/vda, /dev/vdb ... in the order given
#   --disk vhost-user:SOCKET   what `diskwright emulate --vhost-user VOLUME=SOCKET` serves; inside it is /dev/disk/VOLUME
#   --cpus N          processors of the guest, and queues of each vhost-user disk (default 1)
#   --set NAME=VALUE  a variable of the task
#   --file NAME=FILE  a file; inside it is $FILES/NAME/raw
#   --time-limit S    the guest is stopped after so many seconds (default 120)
#   --accel kvm|tcg   default: kvm if a guest runs under it here, else tcg, which is software and slower
#   --log FILE        the kernel's console; without it, it is printed if the task fails
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { echo "guest: $*" >&2; }
fail() { say "$*"; exit 2; }
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; }

work=$(mktemp -d "${TMPDIR:-/tmp}/diskwright-guest.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
time_limit=120 accel='' log='' task='' count=0 cpus=1 memory=''
: >"$work/task"
: >"$work/drives"
echo : >"$work/nothing"
while [ $# -gt 0 ]; do
    case $1 in
    --cpus) cpus=$2; shift 2 ;;
    --disk)
        case $2 in
        vhost-user:?*)
            # The rings are in the guest's memory, so the server has to have that. It is dialled again until it is there.
            memory=",memory-backend=ram"
            printf '%s\n' "-chardev" "socket,id=disk$count,path=$(echo "${2#*:}" | sed 's/,/,,/g'),reconnect=1" \
                "-device" "vhost-user-blk-pci,chardev=disk$count,num-queues=@CPUS@" >>"$work/drives"
            count=$((count + 1))
            shift 2
            continue ;;
        esac
        name=$(echo "$2" | sed -n 's|^nbd[a-z+]*://[^/]*/\([^?]*\).*|\1|p')
        [ -n "$name" ] || fail "\`$2\` is no disk: write nbd+unix:///data?socket=/tmp/rig.sock or vhost-user:/tmp/data.sock"
        printf '%s\n' "-drive" "file=$(echo "$2" | sed 's/,/,,/g'),format=raw,if=none,cache=none,id=disk$count" \
            "-device" "virtio-blk-pci,drive=disk$count,serial=$name" >>"$work/drives"
        count=$((count + 1))
        shift 2 ;;
    --set)
        printf "%s='%s'\n" "${2%%=*}" "$(echo "${2#*=}" | sed "s/'/'\\\\''/g")" >>"$work/task"
        shift 2 ;;
    --file)
        printf '%s\n' "-fw_cfg" "name=opt/diskwright/${2%%=*},file=$(echo "${2#*=}" | sed 's/,/,,/g')" >>"$work/drives"
        shift 2 ;;
    --time-limit) time_limit=$2; shift 2 ;;
    --accel) accel=$2; shift 2 ;;
    --log) log=$2; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "no option $1; see --help" ;;
    *) [ -z "$task" ] || fail "one task at a time: $task and $1"; task=$1; shift ;;
    esac
done
[ -n "$task" ] || { usage >&2; exit 2; }
[ -r "$task" ] || fail "no task $task"
cat "$task" >>"$work/task"

for pair in qemu-system-x86_64:qemu-system-x86 setpriv:util-linux timeout:coreutils; do
    command -v "${pair%%:*}" >/dev/null || fail "no ${pair%%:*}; on Debian: apt-get install ${pair#*:}"
done
image=$("$here/build.sh")

# qemu ACCEL SECONDS CONSOLE TASK OPTIONS...: becomes QEMU with the task's lines on standard output. It dies with this script,
# without a word: a SIGTERM would let it flush its disks, and a test of a crash wants no such favour.
qemu() {
    accel_now=$1 seconds=$2 console=$3 given=$4
    shift 4
    exec setpriv --pdeathsig KILL timeout --foreground -s KILL "$seconds" setpriv --pdeathsig KILL \
        qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -M "q35$memory" -accel "$accel_now" -cpu max \
        -smp "$cpus" -m 768 -object memory-backend-memfd,id=ram,size=768M,share=on -kernel "$image/vmlinuz" -initrd "$image/initramfs.cpio" \
        -append "console=ttyS0 quiet panic=-1 nokaslr mitigations=off" \
        -serial "file:$console" -serial stdio \
        -fw_cfg "name=opt/diskwright/task,file=$given" "$@" </dev/null
}

# KVM may be there and yet not run this kernel in useful time (nested, emulated), so a guest that only says that it is up
# is the proof; the answer holds until this machine boots again.
best_accel() {
    known=$image/accel.$(cat /proc/sys/kernel/random/boot_id)
    if [ -e "$known" ]; then
        cat "$known"
        return
    fi
    answer=tcg
    if [ ! -e /dev/kvm ]; then
        say "no /dev/kvm: the guest runs in software, slower"
    elif [ ! -w /dev/kvm ]; then
        say "no right to use /dev/kvm: the guest runs in software, slower"
    elif { (qemu kvm 15 /dev/null "$work/nothing") | grep -q '"up"'; } 2>/dev/null; then
        answer=kvm
    else
        say "a guest under KVM does not start within 15 s: it runs in software, slower"
    fi
    echo "$answer" | tee "$known"
}
[ -n "$accel" ] || accel=$(best_accel)

set --
while read -r argument; do set -- "$@" "$argument"; done <<END
$(sed "s/@CPUS@/$cpus/" "$work/drives")
END
(qemu "$accel" "$time_limit" "${log:-$work/console}" "$work/task" "$@") | tee "$work/reported"
case $(tail -n 1 "$work/reported") in
*'"guest": "done"'*) exit 0 ;;
*'"guest": "failed"'*) say "the task failed" ;;
*) say "the guest ended without a word, or was stopped after $time_limit s" ;;
esac
[ -n "$log" ] || cat "$work/console" >&2 2>/dev/null || true
exit 1
