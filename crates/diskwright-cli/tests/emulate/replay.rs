//! `--log-writes`: what became durable, as public crash checkers read it.
//!
//! `replay_log.py` reads the logs, and shares nothing with what writes them; QEMU's `blklogwrites` writes a log of the same
//! requests, which ours must equal entry by entry.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::emulate::filesystem::Fuse;
use crate::emulate::support::{Emulator, Ran, call, have, noise, run, wait_until};

const RIG: &str = r#"
[vm.cache]
capacity = "1 GiB"
write_back = { dirty_max = "256 MiB", destage_after = "1000 s" }

[[volume]]
name = "through"
disks = [{ size = "64 MiB", latency = { read = "50 us", write = "50 us" } }]

[[volume]]
name = "back"
disks = [{ size = "64 MiB", latency = { read = "50 us", write = "50 us" } }]
host_cache = "ReadWrite"

[[volume]]
name = "striped"
disks = [{ count = 2, size = "32 MiB", latency = { read = "50 us", write = "50 us" } }]
host_cache = "ReadWrite"
"#;

/// `replay_log.py`.
pub fn reader<'a>(args: impl IntoIterator<Item = &'a str>) -> Ran {
    const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emulate/replay_log.py");
    call("python3", [SCRIPT].into_iter().chain(args))
}

/// Its entries, a line each. Marks are ours alone, and QEMU sends every flush twice: for its log, and for what is below.
fn listed(log: &Path) -> Vec<String> {
    let text = reader(["list", log.to_str().unwrap()]).ok();
    let mut lines: Vec<String> = text.lines().filter(|line| !line.contains(" MARK ")).map(String::from).collect();
    lines.dedup_by(|line, before| line == before && line.contains(" FLUSH "));
    lines
}

/// An image of zeroes.
pub fn blank(path: &Path, bytes: u64) -> String {
    std::fs::File::create(path).unwrap().set_len(bytes).unwrap();
    path.to_str().unwrap().to_string()
}

/// `qemu-io` on an export, its requests logged by QEMU.
fn qemu_io(emulator: &Emulator, export: &str, log: &Path, sector: u32) -> Command {
    let mut command = Command::new("qemu-io");
    let (socket, log) = (emulator.socket(), log.display().to_string());
    command.args(["-t", "writeback", "--image-opts", &format!(
        "driver=blklogwrites,log-sector-size={sector},log-super-update-interval=1,file.driver=nbd,file.path={},file.export={export},\
         log.driver=file,log.filename={log}",
        socket.display()
    )]);
    command
}

#[test]
fn our_log_and_qemus_of_the_same_requests_are_equal() {
    if !have(&["qemu-io", "python3"]) {
        return;
    }
    let through = [
        "write -P 1 0 4k",
        "write -P 2 1M 64k",
        "write -f -P 3 8k 8k",
        "flush",
        "write -z 2M 1M",
        "discard 0 4k",
        "write -P 4 0 4k",
        "write -P 5 0 4k",
        "flush",
        "write -P 6 60M 4M",
        "discard 1M 1M",
        "flush",
    ];
    // Behind a cache that writes back, those between two flushes are logged when the flush is done, block by block of the cache.
    let back = [
        "write -P 1 0 4k",
        "write -P 2 1M 64k",
        "write -P 3 4M 8k",
        "flush",
        "write -P 4 1M 4k",
        "write -P 5 0 4k",
        "flush",
        "write -P 6 60M 64k",
        "write -P 7 3M 8k",
        "flush",
        "discard 1M 1M",
        "write -z -u 9M 1M",
        "flush",
    ];
    for (export, requests, sector) in
        [("through", &through[..], 512), ("through", &through[..], 4096), ("back", &back[..], 512)]
    {
        let args = ["--log-writes", "logs", "--log-sector", &sector.to_string()];
        let emulator = Emulator::start_with(RIG, &args);
        let theirs = emulator.file("theirs");
        std::fs::File::create(&theirs).unwrap();
        let mut command = qemu_io(&emulator, export, &theirs, sector);
        command.args(requests.iter().flat_map(|request| ["-c", request]));
        run(&mut command).ok();
        let ours = listed(&emulator.file(&format!("logs/{export}.log")));
        let theirs = listed(&theirs);
        // QEMU flushes once more when it closes.
        assert!(ours.len() >= requests.len(), "{ours:#?}");
        assert_eq!(ours, theirs, "{export}, sectors of {sector}");
    }
}

/// QEMU's log has every request; ours what was durable at the crash, and then what survived. The disk is the one, and the other allows it.
#[test]
fn what_a_crash_leaves_is_what_both_logs_say() {
    if !have(&["qemu-io", "python3"]) {
        return;
    }
    for (seed, survivors) in ["none", "all", "prefix", "random", "random-torn"].into_iter().enumerate() {
        let emulator = Emulator::start_with(RIG, &["--log-writes", "logs"]);
        let theirs = emulator.file("theirs");
        std::fs::File::create(&theirs).unwrap();
        let mut command = qemu_io(&emulator, "back", &theirs, 512);
        let mut writes = Vec::new();
        for n in 0..60u64 {
            let (offset, len) = ((n * 7 % 20) * 8192, 4096 * (1 + n % 3));
            let flushed = n == 25;
            command.args(["-c", &format!("write -P {} {offset} {len}", n + 1)]);
            if flushed {
                command.args(["-c", "flush"]);
            }
            writes.push((offset as usize, len as usize, (n + 1) as u8, n <= 25));
        }
        // It stays until the crash: a client that leaves flushes first.
        command.args(["-c", "sleep 600000"]);
        let mut qemu = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        wait_until("every write is answered", || {
            let status = emulator.status();
            let mut volumes = status["volumes"].as_array().unwrap().iter();
            volumes.any(|volume| volume["name"] == "back" && volume["writes"]["count"] == writes.len())
        });
        let drawn = seed.to_string();
        let args = ["--level", "host", "--survivors", survivors];
        let args =
            if survivors.starts_with("random") { [&args[..], &["--seed", &drawn]].concat() } else { args.to_vec() };
        emulator.crash(&args);
        qemu.kill().unwrap();
        qemu.wait().unwrap();
        let mut disk = crate::emulate::raw::Client::open(&emulator.socket(), "back").unwrap();
        let size = 64 << 20;
        let seen: Vec<u8> = (0..size).step_by(16 << 20).flat_map(|at| disk.pread(at, 16 << 20).unwrap()).collect();
        let image = blank(&emulator.file("image"), size);
        let log = emulator.file("logs/back.log");
        reader(["replay", log.to_str().unwrap(), &image, "crash-1"]).ok();
        assert!(std::fs::read(&image).unwrap() == seen, "{survivors}: the log replayed is not the disk");
        let mut lost = 0;
        for (sector, bytes) in seen.chunks(512).enumerate() {
            // Of QEMU's requests: what the flush made durable, or any that came after it.
            let here = |write: &&(usize, usize, u8, bool)| (write.0..write.0 + write.1).contains(&(sector * 512));
            let durable = writes.iter().rev().filter(|write| write.3).find(here).map_or(0, |write| write.2);
            let mut allowed: Vec<u8> =
                writes.iter().filter(|write| !write.3).filter(here).map(|write| write.2).collect();
            let newest = allowed.last().copied().unwrap_or(durable);
            allowed.push(durable);
            assert!(
                bytes.iter().all(|&byte| byte == bytes[0]) && allowed.contains(&bytes[0]),
                "{survivors}: sector {sector}"
            );
            lost += usize::from(bytes[0] != newest);
        }
        assert!((survivors == "all") == (lost == 0), "{survivors}: {lost} sectors lost");
        let theirs = listed(&theirs);
        assert_eq!(theirs.iter().filter(|line| line.contains(" NONE ")).count(), writes.len(), "{theirs:#?}");
    }
}

/// ext4 with its journal, mounted by the kernel, on a disk that writes back: whole at every flush and mark of the log, with every file
/// that was synced before the mark.
#[test]
fn ext4_is_whole_at_every_point_of_the_log() {
    if !have(&["mkfs.ext4", "e2fsck", "debugfs", "nbdfuse", "fusermount3", "losetup", "python3"]) {
        return;
    }
    for (export, log) in [("back", "back"), ("striped", "striped")] {
        let emulator = Emulator::start_with(RIG, &["--log-writes", "logs"]);
        let fuse_at = emulator.file("fuse");
        std::fs::create_dir(&fuse_at).unwrap();
        let Some(fuse) = Fuse::mount(&fuse_at, &emulator.uri(export)) else {
            eprintln!("LEFT OUT: this system does not let us mount with FUSE");
            return;
        };
        let Some(mount) = Mount::new(&emulator.file("mnt"), &fuse.disk()) else {
            eprintln!("LEFT OUT: this system does not let us mount a loop device");
            return;
        };
        let mut files = Vec::new();
        for n in 0..6usize {
            let data = noise(n as u64, 3_000 << n);
            let path = mount.at.join(format!("file-{n}"));
            let mut file = std::fs::File::create(&path).unwrap();
            file.write_all(&data).unwrap();
            file.sync_all().unwrap();
            if n == 3 {
                std::fs::remove_file(mount.at.join("file-1")).unwrap();
            }
            emulator.ctl(&["mark", &format!("synced-{n}")]);
            files.push(data);
        }
        drop(mount);
        drop(fuse);
        let log = emulator.file(&format!("logs/{log}.log"));
        let log = log.to_str().unwrap();
        let image = blank(&emulator.file("image"), 64 << 20);
        // A first run brings the journal home, as a mount would; nothing may be wrong then.
        let fsck = "head -c 1082 \"$1\" | tail -c 2 | tr -d '\\0' | grep -q . || exit 0; e2fsck -p \"$1\"; [ $? -le 1 ] || exit 1; e2fsck -fn \"$1\"";
        let points: u32 = reader(["check", log, &image, "sh", "-c", fsck, "sh"]).ok().trim().parse().unwrap();
        assert!(points > 12, "{points} points");
        for (n, data) in files.iter().enumerate() {
            let image = blank(&emulator.file("image"), 64 << 20);
            reader(["replay", log, &image, &format!("synced-{n}")]).ok();
            call("sh", ["-c", "e2fsck -p \"$1\"; [ $? -le 1 ]", "sh", &image]).ok();
            let out = emulator.file("out");
            call("debugfs", ["-R", &format!("dump file-{n} {}", out.display()), &image]).ok();
            assert!(std::fs::read(out).unwrap() == *data, "{export}: file-{n} is not what was synced");
        }
        println!("{export}: {points} points of the log are whole");
    }
}

/// A file as a mounted ext4, by a loop device.
struct Mount {
    at: std::path::PathBuf,
    device: String,
}

impl Mount {
    fn new(at: &Path, disk: &str) -> Option<Mount> {
        std::fs::create_dir(at).unwrap();
        let attached = call("losetup", ["--find", "--show", disk]);
        if attached.code != 0 {
            return None;
        }
        let mut mount = Mount { at: at.to_path_buf(), device: attached.stdout.trim().to_string() };
        // No lazy initialisation: it would write for as long as the test lasts.
        call("mkfs.ext4", ["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", &mount.device]).ok();
        let mounted = call("mount", [mount.device.as_str(), at.to_str().unwrap()]);
        if mounted.code != 0 {
            mount.at.clear();
            return None;
        }
        Some(mount)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if !self.at.as_os_str().is_empty() {
            call("umount", [self.at.to_str().unwrap()]);
        }
        call("losetup", ["-d", &self.device]);
    }
}

#[test]
fn a_mark_needs_a_log_and_a_log_needs_a_place_of_its_own() {
    let emulator = Emulator::start(RIG);
    let refused = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        run(command.arg("ctl").arg("--socket").arg(emulator.file("ctl.sock")).args(args))
    };
    let ran = refused(&["mark", "here"]);
    assert!(ran.code == 10 && ran.stderr.contains("start the emulation with `--log-writes PATH`"), "{ran:?}");
    std::fs::create_dir(emulator.file("logs")).unwrap();
    std::fs::write(emulator.file("logs/back.log"), "mine").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    let args = ["emulate", "rig.toml", "--memory", "--socket", "other.sock", "--log-writes", "logs"];
    let ran = run(command.args(args).current_dir(emulator.folder()));
    assert!(ran.code == 3 && ran.stderr.contains("logs/back.log exists"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(emulator.file("logs/back.log")).unwrap(), "mine");
}

#[test]
fn a_single_disk_is_logged_to_a_file() {
    let rig = "[vm]\n[[volume]]\nname = \"data\"\ndisks = [{ size = \"64 MiB\", latency = { read = \"50 us\", write = \"50 us\" } }]\n";
    let emulator = Emulator::start_with(rig, &["--log-writes", "data.log", "--memory"]);
    crate::emulate::raw::Client::open(&emulator.socket(), "data").unwrap().pwrite(4096, &noise(1, 4096)).unwrap();
    emulator.ctl(&["mark", "after the write"]);
    let log = emulator.file("data.log");
    let text = reader(["list", log.to_str().unwrap()]).ok();
    assert!(text.starts_with("4096 4096 NONE ") && text.ends_with(" MARK after the write\n"), "{text}");
}
