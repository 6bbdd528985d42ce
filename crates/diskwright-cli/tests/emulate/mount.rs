//! `emulate --mount`, `--fuse` and a command: what a new user types, what is left afterwards, and what is said when it cannot be.
//!
//! Needs root, FUSE and loop devices. Nothing of this is left out aloud but where one of them is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::emulate::support::{Ran, call, have, memory_kib, run, run_with, wait_until};

/// One disk of 256 MiB behind a cache that writes back, one of 320 MiB (xfs wants 300).
const RIG: &str = r#"
[vm.cache]
capacity = "1 GiB"
write_back = { dirty_max = "256 MiB" }

[[volume]]
name = "data"
disks = [{ size = "256 MiB", latency = { read = "50 us", write = "50 us" } }]
host_cache = "ReadWrite"

[[volume]]
name = "log"
disks = [{ size = "320 MiB", latency = { read = "50 us", write = "50 us" } }]
"#;

/// A folder with a rig and two folders to mount at.
pub struct Place {
    folder: tempfile::TempDir,
    /// The emulators that were started here.
    processes: Mutex<Vec<u32>>,
}

impl Place {
    /// `None`, aloud, where nothing can be mounted.
    pub fn new() -> Option<Place> {
        if !have(&["mkfs.ext4", "mkfs.xfs", "losetup", "mount", "blkid"]) {
            return None;
        }
        let root = call("id", ["-u"]).ok().trim() == "0";
        if !root || !Path::new("/dev/fuse").exists() || !Path::new("/dev/loop-control").exists() {
            eprintln!("SKIPPED: mounting needs root, /dev/fuse and /dev/loop-control");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rig.toml"), RIG).unwrap();
        for name in ["data", "log"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Some(Place { folder, processes: Mutex::default() })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `diskwright emulate rig.toml` with these words.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.args(["emulate", "rig.toml"]).args(words).current_dir(&self.folder).env("LC_ALL", "C");
        command
    }

    pub fn emulate(&self, words: &[&str]) -> Ran {
        run_with(&mut self.command(words), |process| self.processes.lock().unwrap().push(process))
    }

    /// What this system has mounted below the folder, and the loop devices of emulators that were started here: others, of tests
    /// that run at the same time, have theirs.
    pub fn left(&self) -> Vec<String> {
        let folder = self.folder.path().to_str().unwrap();
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
        let mounts = mounts.lines().filter(|line| line.contains(folder)).map(str::to_string);
        let devices = call("losetup", ["-l", "-n", "-O", "NAME,BACK-FILE"]).ok();
        let processes = self.processes.lock().unwrap();
        let is_ours = |line: &&str| processes.iter().any(|process| line.contains(&format!("/diskwright/{process}/")));
        mounts.chain(devices.lines().filter(is_ours).map(str::to_string)).collect()
    }

    /// One that runs until it is told to end.
    pub fn start(&self, words: &[&str]) -> Running<'_> {
        self.start_at("ctl.sock", words)
    }

    /// The same with a control socket of its own.
    fn start_at(&self, control: &str, words: &[&str]) -> Running<'_> {
        let log = std::fs::File::create(self.path("stderr")).unwrap();
        let _ = std::fs::remove_file(self.path("pid"));
        // Before the words: what follows `--` is the command's.
        let mut command = self.command(&[&["--control", control, "--pid-file", "pid"], words].concat());
        command.stdin(Stdio::null()).stderr(log);
        let mut running = Running { place: self, child: command.spawn().unwrap() };
        self.processes.lock().unwrap().push(running.child.id());
        wait_until("the emulator is ready", || {
            let ended = running.child.try_wait().unwrap();
            assert!(ended.is_none(), "{ended:?}: {}", running.log());
            self.path("pid").exists()
        });
        running
    }
}

pub struct Running<'a> {
    place: &'a Place,
    child: std::process::Child,
}

impl Running<'_> {
    fn log(&self) -> String {
        std::fs::read_to_string(self.place.path("stderr")).unwrap_or_default()
    }

    pub fn ctl(&self, words: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        run(command.args(["ctl", "--socket", "ctl.sock"]).args(words).current_dir(&self.place.folder))
    }

    fn status(&self) -> serde_json::Value {
        serde_json::from_str(&self.ctl(&["--json", "status"]).ok()).unwrap()
    }

    pub fn signal(&self, name: &str) {
        call("kill", [name, &self.child.id().to_string()]).ok();
    }

    /// Its exit code, once it has ended.
    pub fn end(mut self) -> (i32, String) {
        let mut code = None;
        wait_until("the emulator ends", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        (code.and_then(|status| status.code()).unwrap_or(-1), self.log())
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the emulator said:\n{}", self.log());
            run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(["emulate", "--clean", "--lazy"]));
        }
    }
}

/// The tests look at what is left in the whole system: one of them at a time.
static ONE: Mutex<()> = Mutex::new(());

pub fn alone() -> std::sync::MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn a_command_runs_on_mounted_disks_and_its_exit_code_is_ours() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let script = r#"
        set -e
        findmnt -n -o FSTYPE "$DISKWRIGHT_MOUNT_DATA"; findmnt -n -o FSTYPE log
        echo hello > data/file; sync data/file
        diskwright_status=$("$0" ctl status); echo "$diskwright_status" | grep -c '^data'
        exit 7
    "#;
    let program = env!("CARGO_BIN_EXE_diskwright");
    let words = ["--mount", "data=data", "--mount", "log=log", "--", "sh", "-c", script, program];
    let ran = place.emulate(&words);
    assert_eq!((ran.code, ran.stdout.as_str()), (7, "ext4\next4\n1\n"), "{}", ran.stderr);
    for part in
        ["mounted    data at ", "ext4, made, /dev/loop", "removed at the end", "data: reads ", "completions for "]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(place.left(), Vec::<String>::new());
    assert!(std::fs::read_dir(place.path("data")).unwrap().next().is_none(), "the directory is as it was");
}

#[test]
fn data_in_a_folder_are_there_the_next_time_and_durable() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let words =
        |command: &'static str| ["--dir", "disks", "--mkfs", "xfs", "--mount", "log=log", "--", "sh", "-c", command];
    // Not synced: unmounting does it.
    let first = place.emulate(&words("seq 100000 > log/file; md5sum < log/file"));
    assert!(first.stderr.contains("xfs, made"), "{}", first.stderr);
    let second = place.emulate(&words("md5sum < log/file"));
    assert!(second.stderr.contains("xfs, found"), "{}", second.stderr);
    assert_eq!(first.ok(), second.ok());
    let third = place.emulate(&["--dir", "disks", "--mkfs", "ext4", "--mount", "log=log", "--", "true"]);
    assert_eq!(third.code, 13, "{}", third.stderr);
    assert!(third.stderr.contains("volume `log` holds xfs: it is not empty, so no file system is created on it"));
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn after_a_crash_of_the_host_the_same_folder_is_there_with_what_was_synced() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--dir", "disks", "--mount", "data=data", "--mount", "log=log"]);
    let (kept, lost) = (place.path("data/kept"), place.path("data/lost"));
    std::fs::write(&kept, "acknowledged").unwrap();
    std::fs::File::open(&kept).unwrap().sync_all().unwrap();
    std::fs::File::open(place.path("data")).unwrap().sync_all().unwrap();
    std::fs::write(&lost, "in the page cache of the guest").unwrap();
    // Whoever has it open keeps the dead one, which gives nothing but errors.
    let mut before = std::fs::File::options().write(true).open(&kept).unwrap();
    for level in ["host", "guest"] {
        emulator.ctl(&["crash", "--level", level]).ok();
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "acknowledged", "{level}");
        assert!(!lost.exists(), "{level}");
    }
    use std::io::Write as _;
    let dead = before.write_all(b"late").and_then(|()| before.sync_all());
    assert!(dead.is_err(), "it belongs to a VM that is no more");
    drop(before);
    std::fs::write(&lost, "again").unwrap();
    let (code, log) = {
        emulator.signal("-TERM");
        emulator.end()
    };
    assert_eq!(code, 0, "{log}");
    assert!(log.contains("still have"), "who had it is named: {log}");
    assert_eq!(place.left(), Vec::<String>::new());
    let again = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "cat", "data/kept", "data/lost"]);
    assert_eq!(again.ok(), "acknowledgedagain");
}

#[test]
fn a_restart_waits_for_whoever_uses_the_mount() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--memory", "--mount", "data=data", "--unmount-wait", "0"]);
    std::fs::write(place.path("data/file"), "x").unwrap();
    let open = std::fs::File::open(place.path("data/file")).unwrap();
    let refused = emulator.ctl(&["reboot"]);
    assert_eq!(refused.code, 10, "{}", refused.stderr);
    let me = format!("(process {})", std::process::id());
    assert!(refused.stderr.contains("is in use by ") && refused.stderr.contains(&me), "{}", refused.stderr);
    drop(open);
    for words in [&["reboot"] as &[_], &["cache", "data", "None"], &["detach", "data"]] {
        emulator.ctl(words).ok();
        assert_eq!(place.path("data/file").exists(), words[0] != "detach", "{words:?}");
    }
    emulator.ctl(&["attach", "data"]).ok();
    emulator.ctl(&["resize", "data", "512MiB"]).ok();
    let device = call("findmnt", ["-n", "-o", "SOURCE", place.path("data").to_str().unwrap()]).ok();
    assert_eq!(call("blockdev", ["--getsize64", device.trim()]).ok().trim(), "536870912");
    emulator.ctl(&["shutdown"]).ok();
    assert_eq!(emulator.end().0, 0);
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn what_a_killed_run_left_is_undone_and_nothing_else() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let foreign = place.path("foreign");
    std::fs::create_dir(&foreign).unwrap();
    call("mount", ["-t", "tmpfs", "none", foreign.to_str().unwrap()]).ok();
    let other = place.start(&["--memory", "--mount", "log=log"]);
    let other_folder = place.path("log");
    let emulator = place.start_at("second.sock", &["--dir", "disks", "--mount", "data=data"]);
    std::fs::write(place.path("data/file"), "synced").unwrap();
    std::fs::File::open(place.path("data/file")).unwrap().sync_all().unwrap();
    emulator.signal("-KILL");
    emulator.end();
    let clean = || run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(["emulate", "--clean"]));
    let done = clean();
    assert_eq!(done.code, 0, "{}", done.stderr);
    let folder = format!(" in {}:\n", place.folder.path().display());
    for part in ["of process ", " --mount data=data`, begun by ", &folder] {
        assert!(done.stderr.contains(part), "{part}: {}", done.stderr);
    }
    assert!(done.stderr.contains(&format!("unmounted {}", place.path("data").display())), "{}", done.stderr);
    assert!(clean().stderr.contains("nothing to clean up"));
    std::fs::write(other_folder.join("file"), "the living are left alone").unwrap();
    assert!(call("findmnt", ["-n", foreign.to_str().unwrap()]).ok().contains("tmpfs"));
    call("umount", [foreign]).ok();
    other.signal("-TERM");
    assert_eq!(other.end().0, 0);
    assert_eq!(place.left(), Vec::<String>::new());
    let again = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "cat", "data/file"]);
    assert_eq!(again.ok(), "synced");
}

/// Nobody waits for a stripe to be looked at chunk by chunk: of these there are 67 million.
#[test]
fn a_large_blank_stripe_is_mounted_at_once() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let large = "[vm]\n\n[[volume]]\nname = \"data\"\ndisks = \"4 x P30\"\n";
    std::fs::write(place.path("rig.toml"), large).unwrap();
    let ran = place.emulate(&["--memory", "--mount", "data=data", "--", "df", "--output=fstype", "data"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("ext4") && ran.stderr.contains("ext4, made"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(place.left(), Vec::<String>::new());
}

/// `data.0` is a disk of `data`, `data.2024` and `data.x` are volumes beside it.
#[test]
fn a_volume_with_a_point_in_its_name_is_mounted_and_a_disk_is_not() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let disks = "disks = [{ size = \"64 MiB\", latency = { read = \"50 us\", write = \"50 us\" } }]";
    let volume = |name: &str| format!("\n[[volume]]\nname = \"{name}\"\n{disks}\n");
    std::fs::write(
        place.path("rig.toml"),
        format!("[vm]\n{}{}{}", volume("data"), volume("data.2024"), volume("data.x")),
    )
    .unwrap();
    for name in ["data.2024", "data.x"] {
        let ran =
            place.emulate(&["--memory", "--mount", &format!("{name}=data"), "--", "df", "--output=fstype", "data"]);
        assert!(ran.code == 0 && ran.stdout.contains("ext4"), "{name}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = place.emulate(&["--memory", "--mount", "data.0=data", "--", "true"]);
    assert!(ran.code == 2 && ran.stderr.contains("unknown volume `data.0`"), "{}", ran.stderr);
    assert_eq!(place.left(), Vec::<String>::new());
}

/// A disk that takes a second for a write: a file system takes many.
#[test]
fn what_takes_long_is_told_and_a_signal_ends_it() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let slow = RIG.replace("write = \"50 us\"", "write = \"1 s\"").replace("host_cache = \"ReadWrite\"", "");
    for (signal, more) in [("-TERM", &[] as &[&str]), ("-INT", &[]), ("-TERM", &["--detach"])] {
        std::fs::write(place.path("rig.toml"), &slow).unwrap();
        let log = std::fs::File::create(place.path("stderr")).unwrap();
        let words = [&["--control", "ctl.sock", "--dir", "disks", "--mount", "data=data"][..], more].concat();
        let mut command = place.command(&words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let running = Running { place: &place, child: command.spawn().unwrap() };
        wait_until("it says what takes so long", || running.log().contains("creating ext4 on volume `data` ..."));
        running.signal(signal);
        let (code, log) = running.end();
        assert_eq!(code, 130, "{signal} {more:?}: {log}");
        assert!(log.contains("stopped while `mkfs.ext4` ran"), "{signal} {more:?}: {log}");
        let is_ours = |line: &str| line.contains(place.folder.path().to_str().unwrap());
        assert!(!std::fs::read_to_string("/proc/self/mountinfo").unwrap().lines().any(is_ours), "{signal} {more:?}");
        assert!(!place.path("ctl.sock").exists(), "{signal} {more:?}");
        // The volume is blank again: the next run makes a file system on it.
        std::fs::write(place.path("rig.toml"), RIG).unwrap();
        let again = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "true"]);
        assert!(again.code == 0 && again.stderr.contains("ext4, made"), "{signal} {more:?}: {}", again.stderr);
        std::fs::remove_dir_all(place.path("disks")).unwrap();
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_command_is_looked_for_before_anything_is_made() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    std::fs::write(place.path("text"), "no program").unwrap();
    for (command, why) in [
        ("nosuchcommand", "`nosuchcommand` cannot be started: no such file or directory"),
        ("./nowhere", "`./nowhere` cannot be started: no such file or directory"),
        ("./text", "`./text` cannot be started: permission denied"),
        ("./log", "`./log` cannot be started: permission denied"),
    ] {
        let ran = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", command]);
        assert!(ran.code == 11 && ran.stderr.contains(why), "{command}: {}", ran.stderr);
        assert!(!place.path("disks").exists(), "{command}");
    }
    // One that is on the volume is there when it is mounted.
    let script = "printf '#!/bin/sh\\necho from the disk\\n' > data/run; chmod 755 data/run";
    place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "sh", "-c", script]).ok();
    let ran = place.emulate(&["--dir", "disks", "--mount", "data=data", "--", "data/run"]);
    assert_eq!(ran.ok(), "from the disk\n");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_detached_run_returns_with_everything_mounted() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let said = place.emulate(&["--memory", "--mount", "data=data", "--detach"]).ok();
    let word = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{said}"));
    place.processes.lock().unwrap().push(word("process    ").parse().unwrap());
    std::fs::write(place.path("data/file"), "at once").unwrap();
    let control = word("control    ");
    call(env!("CARGO_BIN_EXE_diskwright"), ["ctl", "--socket", control, "shutdown"]).ok();
    wait_until("it has ended", || !Path::new(control).exists());
    assert_eq!(place.left(), Vec::<String>::new());
}

/// What the kernel holds while the server stands still has waited.
#[test]
fn a_read_of_a_file_that_waited_for_a_stopped_server_is_late() {
    use std::os::unix::fs::FileExt as _;
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let emulator = place.start(&["--memory", "--fuse", "log"]);
    let file = std::fs::File::open(place.path("log/data")).unwrap();
    let read = || file.read_exact_at(&mut [0; 4096], 0).unwrap();
    // Where two threads of the server wake at very different times it is not seen which of them stood still.
    // A process that was begun meanwhile would wait, too: it closes the file before it becomes `kill`.
    let process = rustix::process::Pid::from_child(&emulator.child);
    let signal = |signal| rustix::process::kill_process(process, signal).unwrap();
    let late = |_| {
        read();
        signal(rustix::process::Signal::STOP);
        std::thread::scope(|scope| {
            scope.spawn(read);
            std::thread::sleep(std::time::Duration::from_millis(1_500));
            signal(rustix::process::Signal::CONT);
        });
        emulator.status()["lateness"]["max_ns"].as_u64().unwrap()
    };
    let late: Vec<u64> = (0..3).map(late).collect();
    assert!(late.iter().any(|&late| late > 1_000_000_000), "{late:?} ns of 1.5 s");
    drop(file);
    emulator.signal("-TERM");
    assert_eq!(emulator.end().0, 0);
}

#[test]
fn a_signal_ends_the_command_first() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let script = "echo started > data/file; exec sleep 600";
    let emulator = place.start(&["--memory", "--mount", "data=data", "--", "sh", "-c", script]);
    wait_until("the command runs", || place.path("data/file").exists());
    emulator.signal("-TERM");
    let (code, log) = emulator.end();
    assert_eq!(code, 128 + 15, "{log}");
    assert_eq!(place.left(), Vec::<String>::new());
}

/// A disk that takes a second shows how many requests the way to it lets through at once.
#[test]
fn requests_do_not_wait_for_each_other() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    if !have(&["fio"]) {
        return;
    }
    let slow = r#"
[vm]

[[volume]]
name = "data"
disks = [{ size = "256 MiB", latency = { read = "2 s", write = "50 us" } }]
"#;
    std::fs::write(place.path("rig.toml"), slow).unwrap();
    let emulator = place.start(&["--memory", "--fuse", "log"]);
    let fio = |file: &Path, depth: u32| {
        let file = format!("--filename={}", file.display());
        let depth = format!("--iodepth={depth}");
        let mut fio = Command::new("fio");
        fio.args(["--name=x", "--ioengine=libaio", "--direct=1", "--rw=randread", "--bs=4k", "--number_ios=600"]);
        fio.args([file, depth]).stdout(Stdio::null()).spawn().unwrap()
    };
    let deepest = |expected: u64| emulator.status()["volumes"][0]["queue_depth"].as_u64().unwrap() >= expected;
    let mut load = fio(&place.path("log/data"), 600);
    wait_until("600 are under way through the file", || deepest(600));
    load.wait().unwrap();
    let device = call("losetup", ["-f", "--show", "--direct-io=on", place.path("log/data").to_str().unwrap()]).ok();
    let mut load = fio(Path::new(device.trim()), 256);
    wait_until("128 are under way through a loop device", || deepest(128));
    load.kill().unwrap();
    load.wait().unwrap();
    call("losetup", ["-d", device.trim()]).ok();
    emulator.signal("-TERM");
    assert_eq!(emulator.end().0, 0);
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn what_a_burst_of_writes_took_of_memory_goes_back() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    if !have(&["fio"]) {
        return;
    }
    // They are in the host cache long before they are on the disk.
    std::fs::write(place.path("rig.toml"), RIG.replace("write = \"50 us\"", "write = \"5 ms\"")).unwrap();
    let emulator = place.start(&["--dir", "bytes", "--fuse", "log"]);
    let kib = |figure: &str| memory_kib(emulator.child.id(), figure);
    let before = kib("VmRSS");
    let file = format!("--filename={}", place.path("log/data").display());
    let fio = ["--name=x", "--ioengine=libaio", "--direct=1", "--rw=write", "--bs=1m", "--iodepth=64", "--end_fsync=1"];
    call("fio", fio.into_iter().chain([file.as_str()])).ok();
    let most = kib("VmHWM");
    assert!(most > before + 40_000, "{before} KiB before, {most} at most: the writes did not queue");
    wait_until("what they took is given back", || kib("VmRSS") < before + 10_000);
    emulator.signal("-TERM");
    assert_eq!(emulator.end().0, 0);
}

/// What a disk would have done while the server was stopped it does afterwards. Without that the stops below take a third of it.
#[test]
fn a_stopped_server_costs_a_busy_file_nothing() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    if !have(&["fio"]) {
        return;
    }
    let limited = r#"
[vm]

[[volume]]
name = "data"
disks = [{ size = "256 MiB", limits = { iops = 2000 }, latency = { read = "1 ms", write = "1 ms" } }]
"#;
    std::fs::write(place.path("rig.toml"), limited).unwrap();
    let emulator = place.start(&["--memory", "--fuse", "log"]);
    let file = format!("--filename={}", place.path("log/data").display());
    // In threads: else the killed one leaves a child that goes on.
    let load =
        ["--name=x", "--thread", "--ioengine=libaio", "--direct=1", "--rw=randread", "--bs=4k", "--iodepth=64", &file];
    let mut fio = Command::new("fio");
    let mut fio = fio.args(load).args(["--time_based", "--runtime=60"]).stdout(Stdio::null()).spawn().unwrap();
    let used = || {
        let status = emulator.status();
        [&status["at_ns"], &status["limits"][0]["granted"]].map(|figure| figure.as_f64().unwrap())
    };
    wait_until("it is busy", || used()[1] > 100.0);
    // A try in which this machine kept the client from its processor, too, says nothing of the server.
    let tries: Vec<f64> = (0..3)
        .map(|_| {
            let [begin, before] = used();
            for _ in 0..15 {
                emulator.signal("-STOP");
                std::thread::sleep(std::time::Duration::from_millis(80));
                emulator.signal("-CONT");
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            let [end, after] = used();
            (after - before) / (2_000.0 * (end - begin) / 1e9)
        })
        .collect();
    fio.kill().unwrap();
    fio.wait().unwrap();
    assert!(tries.iter().any(|share| (0.97..1.001).contains(share)), "shares of the limit: {tries:?}");
    assert!(tries.iter().all(|share| *share < 1.01), "shares of the limit: {tries:?}");
    wait_until("the file is used no more", || emulator.ctl(&["shutdown"]).code == 0);
    assert_eq!(emulator.end().0, 0);
}

/// What is mounted over the current folder is what the command sees, and not the disk of this machine below it.
#[test]
fn a_command_in_the_folder_of_a_mount_works_on_the_volume() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    let script = "findmnt -n -o FSTYPE -T . && echo x > here && cat \"$DISKWRIGHT_MOUNT_DATA/here\"";
    command.args(["emulate", "../rig.toml", "--mount", "data=.", "--", "sh", "-c", script]);
    let ran = run(command.current_dir(place.path("data")).env("LC_ALL", "C"));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "ext4\nx\n"), "{}", ran.stderr);
    assert!(std::fs::read_dir(place.path("data")).unwrap().next().is_none(), "nothing is on this machine's disk");
}

/// A write that nothing would ever complete holds up no end.
#[test]
fn what_holds_a_write_up_is_let_go_at_the_end() {
    let _alone = alone();
    let Some(place) = Place::new() else { return };
    let holds: [(&[&str], &str); 2] = [
        (&["pause"], "note: the model's time was paused; it resumes, so that the emulation can stop"),
        (&["inject", "stuck", "data", "--op", "write"], "note: fault 1 held requests of `data`; it is cleared"),
    ];
    for (words, said) in holds {
        let emulator = place.start(&["--memory", "--mount", "data=data"]);
        emulator.ctl(words).ok();
        let file = format!("of={}", place.path("data").join("file").display());
        let mut write = Command::new("dd");
        write.args(["if=/dev/zero", &file, "bs=64k", "count=4", "oflag=direct"]).stderr(Stdio::null());
        let mut write = write.spawn().unwrap();
        wait_until("a write is held", || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", write.id())).unwrap_or_default();
            state.contains(") D ")
        });
        emulator.signal("-TERM");
        let (code, log) = emulator.end();
        write.wait().unwrap();
        assert!(code == 0 && log.contains(said), "{code}: {log}");
        assert_eq!(place.left(), Vec::<String>::new());
    }
}
