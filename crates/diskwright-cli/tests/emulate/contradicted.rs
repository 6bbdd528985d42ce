//! What `emulate`, `ctl` and `bench` are asked for and cannot mean: refused with the reason, before anything is made.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::e2e::support::folder;
use crate::emulate::support::{Emulator, RIG, Ran, run, wait_until};

const TWO: &str = "[vm]\n[[volume]]\nname = \"data\"\ndisks = [{ count = 2, size = \"64 MiB\", latency = { read = \"50 us\", write = \"50 us\" } }]\n";

fn at(folder: &Path, line: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(line.split_whitespace()).current_dir(folder).env("LC_ALL", "C").env_remove("DISKWRIGHT_CONTROL");
    run(&mut command)
}

/// Each line, its exit code and what is said; nothing is left behind.
#[test]
fn what_is_contradicted_is_refused_and_leaves_nothing() {
    let wide = TWO.replace("disks", "stripe_unit = \"128 KiB\"\ndisks");
    let alike = RIG.replace("\"plain\"", "\"a-b\"").replace("\"cached\"", "\"a_b\"");
    let folder = folder(&[("rig.toml", RIG), ("two.toml", TWO), ("wide.toml", &wide), ("alike.toml", &alike)]);
    let one = folder.path().join("one.toml");
    std::fs::write(&one, TWO.replace("count = 2, ", "")).unwrap();
    for name in ["d", "e", "f"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    let made = at(folder.path(), "emulate two.toml --dir disks --socket s -- true");
    assert!(made.code == 0 && made.stderr.contains("data       disks: new and empty"), "{made:?}");
    let found = at(folder.path(), "emulate two.toml --dir disks --read-only --socket s -- true");
    assert!(found.code == 0 && found.stderr.contains("disks: found, with their data"), "{found:?}");
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let rows = [
        (
            "emulate wide.toml --dir disks --socket s -- true",
            3,
            "disks contains `data` as a stripe of 2 x 64 KiB, but the scenario has a stripe of 2 x 128 KiB",
        ),
        ("emulate one.toml --dir disks --socket s -- true", 3, "the scenario has a single disk"),
        ("emulate two.toml --dir new --read-only --socket s -- true", 2, "there is no disk `data.0` in new"),
        ("emulate two.toml --memory --socket s --", 2, "no command after `--`"),
        ("emulate nosuch.toml --clean -- false", 2, "`nosuch.toml` has no effect: `--clean` begins nothing"),
        ("emulate --clean --dir x", 2, "`--dir` has no effect: `--clean` begins nothing"),
        ("emulate two.toml --memory --socket s --lazy", 2, "`--lazy` has no effect"),
        ("emulate two.toml --memory --socket s --unmount-wait 3", 2, "`--unmount-wait` has no effect"),
        ("emulate two.toml --null --durable --socket s", 2, "cannot be used with"),
        ("emulate two.toml --null --direct --socket s", 2, "cannot be used with"),
        ("emulate two.toml --null --log-sector 4096 --socket s", 2, "cannot be used with"),
        ("emulate two.toml --dir new --mount data=d --fuse d -- true", 2, "`--mount` and `--fuse` both name"),
        ("emulate alike.toml --dir new --mount a-b=d --mount a_b=e -- true", 2, "both as DISKWRIGHT_MOUNT_A_B"),
        ("emulate two.toml --dir new --mount nosuch=d -- true", 2, "unknown volume `nosuch`"),
        ("emulate two.toml --dir new --vhost-user nosuch=v", 2, "there is no volume or disk `nosuch`"),
        ("emulate two.toml --null --socket s --control ./s", 2, "`--socket` and `--control` both name"),
        (
            "emulate two.toml --null --socket s --vhost-user data=s.control",
            2,
            "`--vhost-user` and `--control` both name",
        ),
        ("emulate two.toml --null --socket s --vhost-user data=s", 2, "`--socket` and `--vhost-user` both name"),
        ("emulate two.toml --null --tcp 127.0.0.1:9 --tcp 127.0.0.1:9", 2, "`--tcp` names 127.0.0.1:9 twice"),
        ("emulate two.toml --null --socket nosuch/s", 2, "hint: create the directory nosuch first"),
        ("emulate two.toml --null --socket two.toml", 2, "this is not a socket"),
        (
            "emulate two.toml --null --socket s --control nosuch/c",
            2,
            "create the directory nosuch first, or choose a path",
        ),
        ("emulate two.toml --null --tcp 192.0.2.1:1 --insecure-listen", 2, "hint: choose an address of this machine"),
        ("emulate two.toml --null --socket s --metrics foo", 2, "hint: choose a local address"),
        ("emulate two.toml --memory --socket s --overhead 1h", 2, "`--overhead` is 3600 s and may be"),
        ("emulate two.toml --memory --socket s --spin 1h", 2, "`--spin` is 3600 s and may be"),
        ("emulate two.toml --memory --socket s --drain 365d", 2, "write `--drain 3600s` or less"),
        ("ctl --socket s tier data --to P50 --iops 100 --throughput 1MB/s", 2, "`--to P50` has no effect"),
        ("bench two.toml --emulate --destroy /dev/sdz", 2, "cannot be used with"),
        ("bench two.toml --simulate --client host", 2, "cannot be used with"),
        (
            "bench two.toml --simulate --require max-read-iops=1 --require max-read-iops=2",
            2,
            "`--require max-read-iops=...` is given twice",
        ),
    ];
    let mut wrong = Vec::new();
    for (line, code, what) in rows {
        let ran = at(folder.path(), line);
        if ran.code != code || !ran.stderr.contains(what) {
            wrong.push(format!("{line}: {ran:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(names(), before, "nothing is left behind");
}

/// The shell may have put nothing where a program was meant; what it put there is started.
#[test]
fn an_emulation_whose_words_reach_nobody_ends() {
    let folder = folder(&[("two.toml", TWO)]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(["emulate", "two.toml", "--memory", "--socket", "s", "--pid-file", "pid", "--detach"]);
    let ended = command.current_dir(folder.path()).stdin(Stdio::null()).stdout(full).stderr(Stdio::null()).status();
    assert_eq!(ended.unwrap().code(), Some(1));
    assert!(!folder.path().join("pid").exists() && !folder.path().join("s").exists(), "it does not go on");
}

/// A fault beyond the end of a disk strikes nothing.
#[test]
fn a_fault_lies_within_its_disk() {
    let emulator = Emulator::start(TWO);
    let inject = |export: &str, offset: &str| emulator.typed_ctl(&["inject", "error", export, "--offset", offset]);
    for (export, offset, code) in
        [("data", "127MiB", 0), ("data", "128MiB", 3), ("data.1", "64MiB", 3), ("data.1", "1MiB", 0)]
    {
        let ran = inject(export, offset);
        assert_eq!(ran.code, code, "{export} {offset}: {ran:?}");
        assert_eq!(ran.stderr.contains(&format!("`{export}` ends at")), code == 3, "{ran:?}");
    }
    assert_eq!(emulator.stop().code, 0);
}

/// However a benchmark ends, its emulator ends with it.
#[test]
fn an_emulation_ends_with_the_process_that_it_was_started_for() {
    let folder = folder(&[("two.toml", TWO)]);
    let program = env!("CARGO_BIN_EXE_diskwright");
    let script = format!("{program} emulate two.toml --null --socket s --pid-file pid --with-parent $$ & wait");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null()).stderr(Stdio::null());
    let mut shell = shell.spawn().unwrap();
    let pid = folder.path().join("pid");
    wait_until("it runs", || std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
    shell.kill().unwrap();
    shell.wait().unwrap();
    wait_until("it has ended", || !pid.exists());
}
