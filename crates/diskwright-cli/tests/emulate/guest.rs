//! The real guest: Debian's kernel under QEMU with the emulated disks as its virtio disks, and real mdadm, fio, ext4 and
//! SQLite inside (`scripts/guest`).
//!
//! A small VM with a large disk is booted always, over NBD and over vhost-user; everything else when `DISKWRIGHT_GUEST=1`, and nothing
//! when it is 0. The first run downloads a kernel, and a machine without KVM boots it in software.
//!
//! Ignores: how fast the guest itself is, beyond saying so: a limit is never exceeded, and reached if the guest can ask for
//! as much.

use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::emulate::support::{Emulator, have, root, tries, undecided, wait_until};

mod provision;

static ALONE: Mutex<()> = Mutex::new(());

/// Whether all guests are asked for.
fn wanted() -> bool {
    let wanted = std::env::var_os("DISKWRIGHT_GUEST").is_some_and(|value| value == "1");
    if !wanted {
        eprintln!("the guest is not asked for: DISKWRIGHT_GUEST=1 boots it");
    }
    wanted && have(&PROGRAMS)
}

/// Whether those guests may boot that belong to every run of the tests.
fn wanted_always() -> bool {
    let wanted = std::env::var_os("DISKWRIGHT_GUEST").is_none_or(|value| value != "0");
    wanted && have(&PROGRAMS)
}

/// What a guest is made of and booted by.
const PROGRAMS: [&str; 7] = ["qemu-system-x86_64", "cpio", "fio", "mkfs.ext4", "sqlite3", "mkfs.xfs", "lvm"];

/// A guest that runs one task. There is one at a time: two would measure each other.
struct Guest {
    _alone: MutexGuard<'static, ()>,
    task: &'static str,
    boot: Child,
    lines: BufReader<ChildStdout>,
    said: Vec<Value>,
    log: PathBuf,
}

impl Guest {
    /// Boots with these exports as disks and these variables for the task.
    fn boot(emulator: &Emulator, exports: &[&str], set: &[(&str, &str)], task: &'static str) -> Guest {
        Guest::boot_with(emulator, exports, set, &[], task)
    }

    /// The same, with files.
    fn boot_with(
        emulator: &Emulator,
        exports: &[&str],
        set: &[(&str, &str)],
        files: &[(&str, PathBuf)],
        task: &'static str,
    ) -> Guest {
        // A test that failed has ended its guest all the same.
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let log = emulator.folder().join(format!("{task}.log"));
        let mut command = Command::new(root().join("scripts/guest/boot.sh"));
        // No measure of speed, only the end of patience: a machine at work runs it in minutes instead of seconds.
        command.args(["--time-limit", "600", "--log"]).arg(&log);
        for export in exports {
            let disk = match emulator.file(export) {
                socket if socket.exists() => format!("vhost-user:{}", socket.display()),
                _ => emulator.uri(export),
            };
            command.arg("--disk").arg(disk);
        }
        for (name, value) in set {
            command.arg("--set").arg(format!("{name}={value}"));
        }
        for (name, file) in files {
            command.arg("--file").arg(format!("{name}={}", file.display()));
        }
        command.arg(root().join(format!("scripts/guest/tasks/{task}.sh")));
        let mut boot = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(boot.stdout.take().unwrap());
        Guest { _alone: alone, task, boot, lines, said: Vec::new(), log }
    }

    /// The next thing that it says; nothing when it has ended.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        // A guest that is killed in the middle of a word has not said it.
        self.lines.read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).ok()?;
        self.said.push(value.clone());
        Some(value)
    }

    /// Everything that it says, when its task has come to its end.
    fn finish(mut self) -> Vec<Value> {
        while self.next().is_some() {}
        let status = self.boot.wait().unwrap();
        let console = std::fs::read_to_string(&self.log).unwrap_or_default();
        assert!(status.success(), "{}: {status}\n{:#?}\n{console}", self.task, self.said);
        std::mem::take(&mut self.said)
    }

    /// Its host is gone: everything that it could still say.
    fn kill(mut self) -> Vec<Value> {
        self.boot.kill().unwrap();
        self.boot.wait().unwrap();
        while self.next().is_some() {}
        std::mem::take(&mut self.said)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.boot.kill();
        let _ = self.boot.wait();
    }
}

/// The numbers that a guest reported under a key, in order.
fn all(said: &[Value], key: &str) -> Vec<u64> {
    said.iter().filter_map(|value| value[key].as_u64()).collect()
}

/// The one number that it reported under a key.
fn one(said: &[Value], key: &str) -> u64 {
    let [number] = all(said, key)[..] else { panic!("`{key}` is not said once: {said:#?}") };
    number
}

/// How often a guest may measure when this machine was too busy to emulate the disks, by the emulator's own verdict.
const ATTEMPTS: usize = 3;

/// Reads per second by fio in the guest, by the name of the measurement: no attempt may exceed its range, and one must reach it.
fn check_iops(
    start: impl Fn() -> Emulator,
    exports: &[&str],
    set: &[(&str, &str)],
    expected: &[(&str, RangeInclusive<u64>)],
) {
    let attempts = tries(ATTEMPTS);
    for attempt in 1..=attempts {
        let emulator = start();
        let said = Guest::boot(&emulator, exports, set, "measure").finish();
        let measured = |name: &str| {
            let fio = said.iter().find(|value| value["fio"] == name);
            fio.and_then(|fio| fio["read"]["iops"].as_u64()).unwrap_or_else(|| panic!("{name}: {said:#?}"))
        };
        let status = emulator.status();
        let doubts = &status["lateness"]["doubts"];
        for (name, range) in expected {
            let iops = measured(name);
            eprintln!("{name}: {iops} IOPS in the guest, expected {range:?}; doubts {doubts}");
            assert!(iops <= *range.end(), "{name}: {iops} IOPS, expected {range:?}");
        }
        if expected.iter().all(|(name, range)| range.contains(&measured(name))) {
            return;
        }
        let busy = doubts.as_array().is_some_and(|doubts| !doubts.is_empty());
        assert!(busy, "attempt {attempt}: too slow; doubts {doubts}");
    }
    undecided("the machine was too busy for the emulator in every attempt");
}

/// A small VM with a large disk.
fn ds1_and_p30() -> String {
    std::fs::read_to_string(root().join("examples/01-ds1-and-p30/rig.toml")).unwrap()
}

#[test]
fn a_small_vm_passes_3200_to_a_disk_that_could_do_5000() {
    if !wanted_always() {
        return;
    }
    let fio = [("FIO", "--rw=randread --bs=8k --iodepth=32 --size=10g"), ("RUNTIME", "5")];
    check_iops(|| Emulator::start(&ds1_and_p30()), &["data"], &fio, &[("data", 3_104..=3_232)]);
}

/// The same over vhost-user; and beside it a disk of 100 ms, which 32 requests in flight take to 320 I/Os per second and NBD's 16
/// to 160. It is this slow because a guest without KVM adds up to 3 ms of its own to each request.
#[test]
fn a_guest_has_more_than_16_in_flight_over_vhost_user() {
    if !wanted_always() {
        return;
    }
    let slow = r#"
[[volume]]
name = "slow"
disks = [{ size = "1 GiB", latency = { read = "100 ms", write = "100 ms" } }]
"#;
    let rig = ds1_and_p30() + slow;
    // The sockets have the names of their volumes.
    let start = || Emulator::start_with(&rig, &["--vhost-user", "data=data", "--vhost-user", "slow=slow"]);
    let fio = [("FIO", "--rw=randread --bs=8k --iodepth=32 --size=1g"), ("RUNTIME", "4")];
    check_iops(start, &["data", "slow"], &fio, &[("data", 3_104..=3_232), ("slow", 290..=322)]);
}

/// The emulator is killed under the guest's file system and started again on the same bytes: the guest waits, and misses nothing.
#[test]
fn a_guest_survives_a_new_emulator_over_vhost_user() {
    if !wanted() {
        return;
    }
    let rig = TWO_DISKS.replace("iops = 500", "iops = 2000");
    let mut emulator = Emulator::start_with(&rig, &["--vhost-user", "data=data"]);
    let mut guest = Guest::boot(&emulator, &["data"], &[], "filesystem");
    for _ in 0..2 {
        let writes = emulator.status()["volumes"][0]["writes"]["count"].as_u64().unwrap();
        wait_until("the guest writes", || {
            emulator.status()["volumes"][0]["writes"]["count"].as_u64().unwrap() > writes + 8
        });
        emulator.kill_and_restart();
    }
    assert!(guest.next().is_some());
    let said = guest.finish();
    assert_eq!((all(&said, "files"), all(&said, "different")), (vec![24], vec![0]), "{said:#?}");
}

/// Two disks of their own kind; in no VM size, so that nothing else limits them.
const TWO_DISKS: &str = r#"[vm]
[[volume]]
name = "data"
disks = [{ count = 2, size = "1 GiB", latency = { read = "1 ms", write = "1 ms" }, iops = 500 }]
"#;

#[test]
fn a_stripe_of_two_disks_adds_up_to_twice_one() {
    let fio = [("FIO", "--rw=randread --bs=4k --iodepth=64"), ("STRIPE", "64"), ("RUNTIME", "5")];
    let expected = [("data.0", 485..=505), ("data.1", 485..=505), ("stripe", 960..=1_010)];
    if wanted() {
        check_iops(|| Emulator::start(TWO_DISKS), &["data.0", "data.1"], &fio, &expected);
    }
}

#[test]
fn ext4_is_made_filled_unmounted_and_checked() {
    if !wanted() {
        return;
    }
    let emulator = Emulator::start(TWO_DISKS.replace("iops = 500", "iops = 20000").as_str());
    let said = Guest::boot(&emulator, &["data"], &[], "filesystem");
    let said = said.finish();
    assert_eq!((all(&said, "files"), all(&said, "different")), (vec![24], vec![0]), "{said:#?}");
}

/// Three disks under a write-back cache that keeps what it has for longer than the test lasts.
const WRITE_BACK: &str = r#"
[vm.cache]
capacity = "1 GiB"
write_back = { dirty_max = "512 MiB", destage_after = "1000 s" }

[[volume]]
name = "raw"
disks = [{ size = "64 MiB", latency = { read = "500 us", write = "500 us" } }]
host_cache = "ReadWrite"

[[volume]]
name = "files"
disks = [{ size = "64 MiB", latency = { read = "500 us", write = "500 us" } }]
host_cache = "ReadWrite"

[[volume]]
name = "ledger"
disks = [{ size = "64 MiB", latency = { read = "500 us", write = "500 us" } }]
host_cache = "ReadWrite"
"#;

/// What `before-crash.sh` wrote to `raw` without a flush, as bytes from and to: once over flushed data, once over other.
const UNFLUSHED: [(u64, u64); 2] = [(2 << 20, (2 << 20) + (512 << 10)), (8 << 20, 9 << 20)];
/// The size of what can be lost alone.
const SECTOR: u64 = 512;

/// What must stand in each sector of `raw`, given the ranges that the crash reports as lost.
fn expected_sectors(lost: &[(u64, u64)]) -> Vec<&'static str> {
    let within = |ranges: &[(u64, u64)], at: u64| ranges.iter().any(|&(from, to)| (from..to).contains(&at));
    let sector = |at: u64| match at {
        at if within(&UNFLUSHED, at) && !within(lost, at) => "loose",
        at if at < 4 << 20 => "kept",
        _ => "old",
    };
    (0..16 << 20).step_by(SECTOR as usize).map(sector).collect()
}

/// What the guest found in each sector of `raw`.
fn found_sectors(said: &[Value]) -> Vec<&str> {
    let mut sectors = Vec::new();
    for value in said {
        if let Some(label) = value["found"].as_str() {
            let bytes = value["bytes"].as_u64().unwrap();
            assert!(bytes.is_multiple_of(SECTOR), "not whole sectors: {value}");
            sectors.extend(std::iter::repeat_n(label, (bytes / SECTOR) as usize));
        }
    }
    sectors
}

/// Crashes the host under three disks at work, boots again, and compares with what the crash reports.
fn check_crash(survivors: &str, lost_bytes: RangeInclusive<u64>) {
    if !wanted() {
        return;
    }
    let exports = ["raw", "files", "ledger"];
    let emulator = Emulator::start(WRITE_BACK);
    let mut guest = Guest::boot(&emulator, &exports, &[], "before-crash");
    while all(&guest.said, "committed").len() < 20 {
        assert!(guest.next().is_some(), "{:#?}", guest.said);
    }
    let crashed = emulator.crash(&["--level", "host", "--survivors", survivors, "--seed", "7"]);
    let said = guest.kill();
    let committed = all(&said, "committed").into_iter().max().unwrap();

    let losses = crashed["report"]["losses"].as_array().unwrap();
    let raw = losses.iter().find(|loss| loss["export"] == "raw").unwrap_or_else(|| panic!("{crashed:#}"));
    let lost: Vec<(u64, u64)> = (raw["ranges"].as_array().unwrap().iter())
        .map(|range| (range["offset"].as_u64().unwrap(), range["len"].as_u64().unwrap()))
        .map(|(offset, len)| (offset, offset + len))
        .collect();
    eprintln!("{survivors}: {} bytes lost on raw in {} ranges, {committed} commits", raw["lost_bytes"], lost.len());
    assert_eq!(
        raw["volatile_bytes"].as_u64(),
        Some(one(&said, "bytes")),
        "all that was not flushed was dirty: {raw:#}"
    );
    assert!(lost_bytes.contains(&raw["lost_bytes"].as_u64().unwrap()), "{raw:#}");
    assert_eq!(raw["ranges_left_out"], 0, "{raw:#}");

    let said = Guest::boot(&emulator, &exports, &[], "after-crash").finish();
    let (found, expected) = (found_sectors(&said), expected_sectors(&lost));
    let first = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(first.map(|n| (n, found[n], expected[n])), None, "sector, found, expected: {said:#?}\n{raw:#}");
    assert_eq!(found.len(), expected.len());
    assert_eq!(one(&said, "files_kept"), 8, "every fsynced file is whole");
    let (rows, last) = (one(&said, "rows"), one(&said, "last"));
    assert!(last >= committed, "commit {committed} was reported, the last one there is {last}");
    assert_eq!(rows, last, "no commit is missing in between");
    assert!(said.iter().any(|value| value["integrity"] == "ok"), "{said:#?}");
}

#[test]
fn a_crash_of_the_host_takes_what_was_not_flushed_and_nothing_else() {
    check_crash("none", 1_536 << 10..=1_536 << 10);
}

#[test]
fn survivors_of_a_crash_are_where_the_report_says() {
    check_crash("random-torn", 1..=(1_536 << 10) - 1);
}
