//! `--memory`: a store that has an end, where a disk would have one.

use std::process::{Command, Stdio};

use crate::e2e::support::folder;
use crate::emulate::raw::{Client, WRITE};
use crate::emulate::support::{Emulator, call, memory_kib, run, wait_until};

/// One disk of 1 GiB without limits.
const RIG: &str = r#"
[vm]

[[volume]]
name = "data"
disks = [{ size = "1 GiB", latency = { read = "50 us", write = "50 us" } }]
"#;

const MIB: u64 = 1 << 20;
const ENOSPC: u32 = 28;

fn write(client: &mut Client, offset: u64, len: u64) -> u32 {
    client.ask(WRITE, false, offset, &vec![7; len as usize]).expect("the server lives")
}

/// MiB that can be written until there is no room.
fn fill(client: &mut Client) -> u64 {
    for at in 0..1024 {
        match write(client, at * MIB, MIB) {
            0 => {}
            ENOSPC => return at,
            other => panic!("error {other} at {at} MiB"),
        }
    }
    panic!("it has no end");
}

/// What holds of disks whose memory is used up after so many MiB.
fn check_full(emulator: &Emulator, client: &mut Client, filled: u64) {
    assert_eq!(client.pread((filled - 1) * MIB, 4096).unwrap(), [7; 4096], "what was written is there");
    assert_eq!(write(client, 0, 4096), 0, "and can be changed");
    for _ in 0..3 {
        assert_eq!(write(client, 1000 * MIB, MIB), ENOSPC);
    }
    let mut other = Client::open(&emulator.socket(), "data").expect("others are let in");
    assert_eq!(other.pread(0, 4096).unwrap(), [7; 4096]);
    let host = &emulator.status()["host"];
    assert!(host["no_space"].as_u64() >= Some(4) && host["errors"] == 0, "{host:#}");
    let log = emulator.log();
    let notes = log.lines().filter(|line| line.contains("clients get ENOSPC")).count();
    assert!(notes == 1 && log.contains("`--memory-max`"), "{log}");
}

#[test]
fn memory_that_is_used_up_is_a_full_disk() {
    let emulator = Emulator::start_with(RIG, &["--memory", "--memory-max", "24 MiB"]);
    let mut client = Client::open(&emulator.socket(), "data").unwrap();
    let filled = fill(&mut client);
    assert!((22..24).contains(&filled), "{filled} MiB");
    check_full(&emulator, &mut client, filled);
    let ran = emulator.stop();
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("data       in memory, 24 MiB at most"), "{}", ran.stdout);
}

/// The system refuses before `--memory-max` does, or just after.
#[test]
fn an_address_space_that_is_used_up_is_a_full_disk_too() {
    // Of 150 MiB more of address space; heaps of its threads have some set aside.
    for (most, expected) in [("1 GiB", 50..350), ("145 MiB", 50..146)] {
        let emulator = Emulator::start_with(RIG, &["--memory", "--memory-max", most]);
        let mut client = Client::open(&emulator.socket(), "data").unwrap();
        let limit = (memory_kib(emulator.pid(), "VmSize") + 150 * 1024) * 1024;
        let (process, limit) = (emulator.pid().to_string(), format!("--as={limit}"));
        run(Command::new("prlimit").args(["--pid", &process, &limit])).ok();
        let filled = fill(&mut client);
        assert!(expected.contains(&filled), "{filled} MiB");
        check_full(&emulator, &mut client, filled);
        assert_eq!(emulator.stop().code, 0);
    }
}

/// One that was there from the start: what it leaves is the end where nobody says another, and the server has enough to go on.
#[test]
fn a_limit_of_address_space_leaves_the_server_its_share() {
    let folder = folder(&[("rig.toml", RIG)]);
    let diskwright = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(&folder).stdin(Stdio::null());
        command
    };
    let program = env!("CARGO_BIN_EXE_diskwright");
    let emulate = ["--as=600000000", program, "emulate", "rig.toml", "--quiet", "--memory", "--socket", "nbd.sock"];
    let mut emulator = diskwright("prlimit", &emulate).spawn().unwrap();
    let socket = folder.path().join("nbd.sock");
    wait_until("it listens", || Client::open(&socket, "data").is_ok());
    let filled = fill(&mut Client::open(&socket, "data").unwrap());
    assert!((50..550).contains(&filled), "{filled} MiB");
    let status = run(&mut diskwright(program, &["ctl", "--socket", "nbd.sock.control", "status"]));
    assert!(status.ok().contains("for lack of space"));
    call("kill", ["-TERM", &emulator.id().to_string()]).ok();
    assert_eq!(emulator.wait().unwrap().code(), Some(0));
}

/// What the first disk gained is taken back where the second has no room, and there is as much room for data as before.
#[test]
fn a_growth_that_is_refused_halfway_leaves_everything_as_it_was() {
    let rig = RIG.replace("size = \"1 GiB\"", "size = \"1 GiB\", count = 2");
    let emulator = Emulator::start_with(&rig, &["--memory", "--memory-max", "20 MiB"]);
    // The index of one such disk is 16 MiB.
    let ran = emulator.typed_ctl(&["resize", "data", "64TiB"]);
    assert!(ran.code == 10 && ran.stderr.contains("disk 1: the disks' data needs 16 MiB more"), "{ran:?}");
    let mut client = Client::open(&emulator.socket(), "data").unwrap();
    for at in 0..16 {
        assert_eq!(write(&mut client, at * MIB, MIB), 0, "at {at} MiB");
    }
}

#[test]
fn a_size_that_cannot_be_is_refused_before_anything_is_allocated() {
    // Where the bytes are, the new size, how it is refused and what for.
    let cases = [
        ("--memory --memory-max 2GiB", "1000000TiB", 10, "the disks' data needs 244.1 GiB more memory"),
        ("--memory", "8388607TiB", 3, "a volume has at most 1 EiB"),
        ("--null", "8388607TiB", 3, "a volume has at most 1 EiB"),
        ("--null", "1000000TiB", 0, ""),
        ("--memory", "64TiB", 0, ""),
    ];
    for (place, size, code, why) in cases {
        let emulator = Emulator::start_with(RIG, &place.split(' ').collect::<Vec<_>>());
        let ran = emulator.typed_ctl(&["resize", "data", size]);
        assert!(ran.code == code && ran.stderr.contains(why), "{place} {size}: {ran:?}");
        Client::open(&emulator.socket(), "data").unwrap().pread(0, 4096).expect("it lives");
    }
}

#[test]
fn a_scenario_that_does_not_fit_is_refused_at_the_start() {
    let folder = folder(&[("rig.toml", &RIG.replace("1 GiB", "100000 TiB"))]);
    let emulate = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.current_dir(&folder).args(["emulate", "rig.toml", "--memory", "--socket", "nbd.sock"]).args(more);
        run(&mut command)
    };
    let ran = emulate(&["--memory-max", "2GiB"]);
    let expected = "error: rig.toml: disk `data.0` of 100000 TiB cannot be kept in memory: the disks' data needs 24.4 GiB more \
                    memory, but only 2 GiB of 2 GiB is left\n\
                    hint: raise `--memory-max`, keep the data in a directory with `--dir`, or use a smaller disk\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (3, expected));
    assert_eq!(emulate(&["--memory-max", "lots"]).code, 2);
}
