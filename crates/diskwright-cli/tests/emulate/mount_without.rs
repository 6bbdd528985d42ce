//! Mounting where something is missing: it is named with its remedy and an exit code of the guide, nothing stays half-mounted, and no
//! byte is lost.
//!
//! A machine that lacks something is a child with mounts of its own (unshare(1)), in which that is hidden; a user without rights is
//! `nobody`, a container without one of them root without a capability (setpriv(1)).

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::emulate::mount::{Place, alone};
use crate::emulate::support::{Ran, call, have, run, wait_until};

/// A machine of its own: a small `/dev`, what `hide` and `remove` take away of it, and the program where everybody may run it.
/// Whatever the script leaves mounted or attached is printed as `LEFT`.
const MACHINE: &str = r#"
set -e
export PATH="$PATH:/usr/sbin:/sbin" LC_ALL=C
unset XDG_RUNTIME_DIR XDG_DATA_HOME
mount -t tmpfs -o mode=755 dev /dev
node() { mknod -m 666 "/dev/$1" "$2" "$3" "$4"; }
node null c 1 3; node urandom c 1 9; node fuse c 10 229; node loop-control c 10 237
for n in $(seq 0 63); do node loop$n b 7 $n; done
mount -t tmpfs -o mode=777 none /mnt; export HOME=/mnt
touch /mnt/diskwright /mnt/processes; chmod 666 /mnt/processes; mount --bind "$0" /mnt/diskwright
printf '#!/bin/sh\necho "/diskwright/$$/" >> /mnt/processes\nexec /mnt/diskwright "$@"\n' > /mnt/program; chmod 755 /mnt/program
diskwright="/mnt/program emulate rig.toml"
hide() { mount --bind /dev/null "$(readlink -f "$(command -v "$1")")"; }
remove() {
    mkdir /mnt/upper /mnt/work
    mount -t overlay -o lowerdir=/usr/bin,upperdir=/mnt/upper,workdir=/mnt/work overlay /usr/bin
    rm "/usr/bin/$1"
}
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
without() { echo "setpriv --bounding-set=$1 --inh-caps=$1"; }
seen() { grep -e fuse.diskwright -e "$PWD" /proc/self/mountinfo | cut -d ' ' -f 1-5; }
"#;

/// Takes something away from such a machine, and runs a script on it, in the folder.
fn on_a_machine(place: &Place, hidden: &str, script: &str) -> Ran {
    let left = "{ seen; losetup -l -n -O NAME,BACK-FILE | grep -Ff /mnt/processes; } | grep -vxFf /mnt/before | sed 's/^/LEFT /'";
    let script =
        format!("{MACHINE}\n{hidden}\nseen > /mnt/before || true\nset +e\n{script}\ncode=$?\n{left}\nexit $code\n");
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_diskwright")]).current_dir(place.path("."));
    run(&mut command)
}

/// Where a user without rights may come in.
fn open_to_everybody(place: &Place) {
    for name in [".", "data", "log"] {
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o777)).unwrap();
    }
}

fn place() -> Option<Place> {
    let place = Place::new().filter(|_| have(&["unshare", "setpriv", "fusermount3"]))?;
    open_to_everybody(&place);
    Some(place)
}

/// What is missing, how it is hidden, who runs it with what, the exit code, the sentence and the remedy.
type Row = (&'static str, &'static str, &'static str, &'static str, i32, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("FUSE", "rm /dev/fuse", "", "--dir disks --mount data=data -- true",
        11, "this system has no /dev/fuse", "modprobe fuse"),
    ("FUSE, behind another device", "mount --bind /dev/null /dev/fuse", "", "--dir disks --mount data=data -- true",
        11, "this system has no /dev/fuse", "--device /dev/fuse"),
    ("FUSE, for plain files", "rm /dev/fuse", "", "--dir disks --fuse data -- true",
        11, "this system has no /dev/fuse", "NBD clients need neither"),
    ("loop devices", "rm /dev/loop-control", "", "--dir disks --mount data=data -- true",
        11, "this system has no loop devices", "modprobe loop"),
    ("loop devices, behind another device", "mount --bind /dev/null /dev/loop-control", "", "--dir disks --mount data=data -- true",
        11, "this system has no loop devices", "--device /dev/loop-control"),
    ("names of loop devices", "rm /dev/loop[0-9]*", "", "--dir disks --mount data=data -- true",
        11, "no loop device is available", "--device /dev/loop0"),
    ("the right to use loop devices", "chmod 0 /dev/loop*", "$(without -dac_override,-dac_read_search)",
        "--dir disks --mount data=data -- true",
        11, "no loop device is available", "this needs root and loop devices"),
    ("the right to mount", ":", "$(without -sys_admin)", "--dir disks --mount data=data -- true",
        11, "the volumes cannot be mounted there", "--cap-add SYS_ADMIN"),
    ("mkfs.ext4", "hide mkfs.ext4", "", "--memory --mount data=data -- true",
        11, "`mkfs.ext4` is not installed", "install the package e2fsprogs"),
    ("mkfs.xfs", "hide mkfs.xfs", "", "--memory --mkfs xfs --mount log=log -- true",
        11, "`mkfs.xfs` is not installed", "install the package xfsprogs"),
    ("losetup", "hide losetup", "", "--dir disks --mount data=data -- true",
        11, "`losetup` is not installed", "install the package mount"),
    ("blkid", "hide blkid", "", "--dir disks --mount data=data -- true",
        11, "`blkid` is not installed", "install the package util-linux"),
    ("the command", ":", "", "--dir disks --mount data=data -- ./nowhere",
        11, "`./nowhere` cannot be started", "is it installed"),
    ("root", ":", "$nobody", "--memory --mount data=data -- true",
        11, "only root may mount a disk", "--fuse DIR"),
    ("the right to open FUSE", "chmod 600 /dev/fuse", "$nobody", "--memory --fuse data -- true",
        11, "/dev/fuse may not be opened: permission denied", "chmod 666 /dev/fuse"),
    ("fusermount3", "remove fusermount3", "$nobody", "--memory --fuse data -- true",
        11, "fusermount3 is not available", "install the package fuse3"),
    ("the right to run fusermount3", "hide fusermount3", "$nobody", "--memory --fuse data -- true",
        11, "fusermount3 is not available", "install the package fuse3"),
    ("new privileges", ":", "$nobody --no-new-privs", "--memory --fuse data -- true",
        11, "the volumes cannot be mounted there", "--cap-add SYS_ADMIN"),
    ("a directory of one's own", "chmod 755 data", "$nobody", "--memory --fuse data -- true",
        2, "this user may not write there", "name a directory of yours"),
    ("the folder", "rmdir data", "", "--dir disks --mount data=data -- true",
        2, "no such directory", "mkdir -p data"),
    ("an empty folder", "touch data/file", "", "--dir disks --mount data=data -- true",
        2, "the directory is not empty", "name an empty directory"),
    ("a directory that is free", "mount -t tmpfs other data", "", "--dir disks --mount data=data -- true",
        2, "other (tmpfs) is mounted there", "name another directory"),
    ("a directory that is one", ":", "", "--dir disks --mount data=rig.toml -- true",
        2, "this is not a directory", "name a folder"),
    ("a place for the run", "mount -t tmpfs -o ro none /run", "", "--dir disks --mount data=data -- true",
        1, "cannot be made: the file system is read-only", "--tmpfs /run"),
    ("a place for the control socket, with mounts", ":", "", "--dir disks --control gone/ctl --mount data=data -- true",
        2, "cannot listen there", "--control"),
    ("a place for the control socket, with plain files", ":", "", "--dir disks --control gone/ctl --fuse data",
        2, "cannot listen there", "--control"),
    ("an address for metrics", ":", "", "--dir disks --metrics 192.0.2.1:1 --fuse data",
        2, "`--metrics`", "choose a local address"),
    ("a place for the process id", ":", "", "--dir disks --pid-file gone/pid --mount data=data -- true",
        1, "cannot be written", "does its directory exist?"),
];

#[test]
fn what_is_missing_is_named_with_its_remedy_and_leaves_nothing_mounted_and_all_data() {
    let _alone = alone();
    let Some(place) = place() else { return };
    let write = ["--dir", "disks", "--mount", "data=data", "--", "sh", "-c", "seq 1000 > data/kept"];
    assert_eq!(place.emulate(&write).code, 0);
    let mut wrong = Vec::new();
    for &(missing, hidden, who, words, code, sentence, remedy) in ROWS {
        let ran = on_a_machine(&place, hidden, &format!("{who} $diskwright {words}"));
        let left = place.left();
        let error = ran.stderr.find("error: ").map_or("", |at| &ran.stderr[at..]);
        let is = error.contains(sentence) && error.contains(remedy);
        if ran.code != code || !is || !ran.stdout.is_empty() || !left.is_empty() {
            wrong.push(format!("{missing}: {} not {code}, {left:?}\n{}{}", ran.code, ran.stdout, ran.stderr));
        }
        // What hid something by changing the folder itself.
        let _ = std::fs::remove_file(place.path("data/file"));
        let _ = std::fs::create_dir(place.path("data"));
        open_to_everybody(&place);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let read = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "tail", "-n", "1", "data/kept"]);
    assert_eq!(read.ok(), "1000\n");
}

#[test]
fn what_is_not_needed_may_be_missing() {
    let _alone = alone();
    let Some(place) = place() else { return };
    assert_eq!(place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "true"]).code, 0);
    for (missing, hidden, script) in [
        ("mkfs, where there is a file system", "hide mkfs.ext4", "$diskwright --dir disks --mount data=data -- true"),
        ("a search path", ":", "env PATH=/nowhere $diskwright --memory --mount data=data -- /bin/true"),
        ("loop devices, for plain files", "rm /dev/loop*", "$diskwright --memory --fuse data -- true"),
        ("FUSE, for a command on NBD", "rm /dev/fuse", "$diskwright --memory --socket s -- true"),
    ] {
        let ran = on_a_machine(&place, hidden, script);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{missing}: {}", ran.stderr);
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

/// What plain files are good for: written, synced and read back, and the command's exit code is ours.
const PLAIN: &str = r#"--memory --fuse data -- sh -c '
    set -e
    cd "$DISKWRIGHT_FUSE"; echo *
    seq 100000 | head -c 409600 > ../sample
    dd if=../sample of=data bs=4k conv=notrunc,fsync status=none
    head -c 409600 data | cmp - ../sample
    mkfs.ext4 -q -F log; /usr/sbin/e2fsck -fn log >/dev/null 2>&1
    cd ..; /mnt/program ctl status | grep -c "^data  "
    exit 7'"#;

#[test]
fn plain_files_need_no_root() {
    let _alone = alone();
    let Some(place) = place() else { return };
    for (who, hidden, script) in [
        ("a user, by fusermount3", ":", "$nobody $diskwright"),
        // As in a container without privileges: root there is nobody here, and has a /run of his own.
        (
            "root of a namespace, without fusermount3",
            "remove fusermount3",
            "$nobody unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /run; exec \"$@\"' sh $diskwright",
        ),
    ] {
        let ran = on_a_machine(&place, hidden, &format!("{script} {PLAIN}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (7, "data data.0 log log.0\n1\n"), "{who}: {}", ran.stderr);
        std::fs::remove_file(place.path("sample")).unwrap();
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_folder_that_is_taken_away_is_named_and_mounted_again_when_it_is_back() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--dir", "disks", "--mount", "data=data"]);
    let (folder, kept) = (place.path("data"), place.path("data/kept"));
    std::fs::write(&kept, "synced").unwrap();
    std::fs::File::open(&kept).unwrap().sync_all().unwrap();
    let words: [&[&str]; 3] = [&["reboot"], &["cache", "data", "None"], &["crash", "--level", "host"]];
    for words in words {
        call("umount", [&folder]).ok();
        std::fs::remove_dir(&folder).unwrap();
        let ran = emulator.ctl(words);
        let said = ran.stderr.contains("the command was executed, but ") && ran.stderr.contains("is gone");
        assert!(ran.code == 10 && said && ran.stderr.contains("recreate the directory"), "{words:?}: {}", ran.stderr);
        std::fs::create_dir(&folder).unwrap();
        for back in ["detach", "attach"] {
            emulator.ctl(&[back, "data"]).ok();
        }
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "synced", "{words:?}");
    }
    // At the end, too, it may be gone.
    call("umount", [&folder]).ok();
    std::fs::remove_dir(&folder).unwrap();
    emulator.signal("-TERM");
    let (code, log) = emulator.end();
    assert_eq!(code, 0, "{log}");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn plain_files_that_somebody_unmounts_take_nothing_else_along() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--memory", "--mount", "data=data", "--fuse", "log"]);
    // The volume that is mounted has the files open: it keeps them.
    let busy = call("umount", [place.path("log")]);
    assert!(busy.code != 0 && busy.stderr.contains("busy"), "{}", busy.stderr);
    call("umount", ["--lazy".into(), place.path("log")]).ok();
    std::fs::write(place.path("data/kept"), "written").unwrap();
    std::fs::File::open(place.path("data/kept")).unwrap().sync_all().unwrap();
    emulator.signal("-TERM");
    let (code, log) = emulator.end();
    assert_eq!(code, 0, "{log}");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_second_server_is_refused_and_disturbs_nothing() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--dir", "disks", "--socket", "nbd.sock", "--mount", "data=data"]);
    let before = place.left();
    std::fs::write(place.path("data/kept"), "written").unwrap();
    let rows: [(&str, &[&str], i32, &str, &str); 4] = [
        (
            "the disks",
            &["--dir", "disks", "--mount", "log=log"],
            3,
            "data.0.img is in use by process",
            "stop the other server",
        ),
        ("the folder", &["--memory", "--mount", "data=data"], 2, "is mounted there", "name another directory"),
        (
            "the socket",
            &["--memory", "--socket", "nbd.sock", "--fuse", "log"],
            2,
            "another server listens",
            "choose another path",
        ),
        (
            "the control socket",
            &["--memory", "--control", "ctl.sock", "--fuse", "log"],
            2,
            "another server listens",
            "`--control PATH`",
        ),
    ];
    for (shared, words, code, sentence, remedy) in rows {
        let ran = place.emulate(&[words, &["--", "true"]].concat());
        assert_eq!(ran.code, code, "{shared}: {}", ran.stderr);
        assert!(ran.stderr.contains(sentence) && ran.stderr.contains(remedy), "{shared}: {}", ran.stderr);
        assert_eq!(place.left(), before, "{shared}");
    }
    emulator.ctl(&["reboot"]).ok();
    assert_eq!(std::fs::read_to_string(place.path("data/kept")).unwrap(), "written");
    emulator.signal("-TERM");
    assert_eq!(emulator.end().0, 0);
    assert_eq!(place.left(), Vec::<String>::new());
}

/// The folder of the disks is a tmpfs, which is full long before the disk is.
#[test]
fn where_this_machine_has_no_room_what_was_synced_stays_and_the_rest_is_an_error() {
    let _alone = alone();
    let Some(place) = place() else { return };
    let room = "mkdir disks; mount -t tmpfs -o size=24m room disks";
    let script = r#"
        $diskwright --dir disks --mount data=data -- sh -c '
            seq 1000 > data/kept; sync data/kept; sync -f data
            dd if=/dev/urandom of=data/large bs=1M count=64 conv=fsync status=none
            echo dd $?
            tail -n 1 data/kept
            exit 7'
        echo first $?
        mount -o remount,size=400m disks
        $diskwright --dir disks --mount data=data -- sh -c 'tail -n 1 data/kept; echo more > data/more; sync data/more'
        echo second $?
    "#;
    let ran = on_a_machine(&place, room, script);
    assert_eq!(ran.stdout, "dd 1\n1000\nfirst 7\n1000\nsecond 0\n", "{}", ran.stderr);
    for part in ["no space left", "this machine could not store data", "for lack of space"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_file_system_for_which_there_is_no_room_is_not_begun() {
    let _alone = alone();
    let Some(place) = place() else { return };
    let room = "mkdir disks; mount -t tmpfs -o size=64k room disks";
    let script = r#"
        $diskwright --dir disks --mount data=data -- true
        echo first $?
        mount -o remount,size=100m disks
        $diskwright --dir disks --mount data=data -- true
        echo second $?
    "#;
    let ran = on_a_machine(&place, room, script);
    assert_eq!(ran.stdout, "first 1\nsecond 0\n", "{}", ran.stderr);
    for part in ["this machine has no space for a file system on volume `data`: ", "free some space", "ext4, made"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

/// A process of the command that outlives it keeps the mount: what it has written is on the disk before the disk goes.
#[test]
fn a_mount_that_stays_in_use_loses_nothing_that_was_written() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let script = "seq 1000 > data/kept; exec 3< data/kept; sleep 600 > /dev/null 2>&1 & echo $! > holder; \
                  until grep -q sleep /proc/$!/comm; do :; done";
    let ran =
        place.emulate(&["--dir", "disks", "--mount", "data=data", "--unmount-wait", "0", "--", "sh", "-c", script]);
    let refused = ran.stderr.contains("is in use by sleep") && ran.stderr.contains("`--lazy`");
    assert!(ran.code == 10 && refused, "{}: {}", ran.code, ran.stderr);
    let holder = std::fs::read_to_string(place.path("holder")).unwrap();
    call("kill", [holder.trim()]).ok();
    wait_until("it has ended", || !std::path::Path::new("/proc").join(holder.trim()).exists());
    let clean = run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(["emulate", "--clean"]));
    assert_eq!(clean.code, 0, "{}", clean.stderr);
    assert_eq!(place.left(), Vec::<String>::new());
    let read = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "tail", "-n", "1", "data/kept"]);
    assert_eq!(read.ok(), "1000\n");
}
