//! `--vhost-user`: the program with guests of our own.

use std::process::Command;

use dw_emulator::fuzzing::guest::{Asked, Guest, Wish};
use serde_json::Value;

use crate::emulate::support::{Emulator, RIG, Ran, run, wait_until};

fn write(guest: &mut Guest, sector: u64, fill: u8) -> u8 {
    guest.request(0, Asked { kind: 1, sector, out: &[fill; 4096], room: 0 }).unwrap().0
}

fn read(guest: &mut Guest, sector: u64) -> (u8, Vec<u8>) {
    guest.request(0, Asked { kind: 0, sector, out: &[], room: 4096 }).unwrap()
}

/// Nothing is written back by itself.
fn emulator() -> Emulator {
    let kept = RIG.replace("256 MiB\"", "256 MiB\", destage_after = \"1000 s\"");
    Emulator::start_with(&kept, &["--vhost-user", "plain=plain", "--vhost-user", "cached.0=cached"])
}

#[test]
fn guests_and_nbd_clients_see_one_disk_and_one_account_of_it() {
    let emulator = emulator();
    let mut guest = Guest::start(&emulator.file("plain"), Wish { recorded: true, ..Wish::default() }).unwrap();
    let mut other = Guest::start(&emulator.file("cached"), Wish::default()).unwrap();
    assert_eq!((write(&mut guest, 8, 1), write(&mut other, 8, 2)), (0, 0));
    assert_eq!((read(&mut guest, 8), read(&mut other, 8)), ((0, vec![1; 4096]), (0, vec![2; 4096])));
    let status = emulator.status();
    assert_eq!(status["connections"], 2, "{status:#}");
    let counts = |name: &str| {
        let volume = status["volumes"].as_array().unwrap().iter().find(|volume| volume["name"] == name).unwrap();
        (volume["reads"]["count"].as_u64(), volume["writes"]["count"].as_u64())
    };
    assert_eq!((counts("plain"), counts("cached")), ((Some(1), Some(1)), (Some(1), Some(1))), "{status:#}");
    let id = other.request(0, Asked { kind: 8, sector: 0, out: &[], room: 20 }).unwrap().1;
    assert!(id.starts_with(b"cached.0\0"), "{id:?}");
    let ran = emulator.stop();
    assert!(ran.stdout.contains("vhost-user plain  plain\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("4 completions for "), "{}", ran.stdout);
}

/// Flushed data are there, and what was only in the host cache is not; the guest goes on by itself.
#[test]
fn a_crash_by_command_takes_from_guests_what_it_takes_from_anybody() {
    let emulator = emulator();
    let mut guest = Guest::start(&emulator.file("cached"), Wish { recorded: true, ..Wish::default() }).unwrap();
    assert_eq!(write(&mut guest, 0, 1), 0);
    assert_eq!(guest.request(0, Asked { kind: 4, ..Asked::default() }).unwrap().0, 0);
    assert_eq!((write(&mut guest, 0, 2), write(&mut guest, 8, 2)), (0, 0));
    let crashed = emulator.crash(&["--level", "host", "--survivors", "none"]);
    let lost = |loss: &Value| loss["lost_bytes"].as_u64().unwrap();
    assert_eq!(crashed["report"]["losses"].as_array().unwrap().iter().map(lost).sum::<u64>(), 8192, "{crashed:#}");
    assert!(guest.is_cut());
    guest.restart(&emulator.file("cached")).unwrap();
    assert_eq!(read(&mut guest, 0), (0, vec![1; 4096]), "flushed");
    assert_eq!(read(&mut guest, 8), (0, vec![0; 4096]), "never flushed");
}

/// A hundred requests are under way when the program is killed: the next one does them, and no other.
#[test]
fn a_guest_outlives_a_program_that_is_killed() {
    let slow = RIG.replace("50 us", "200 ms");
    let mut emulator = Emulator::start_with(&slow, &["--vhost-user", "plain=plain"]);
    let mut guest =
        Guest::start(&emulator.file("plain"), Wish { recorded: true, size: 512, ..Wish::default() }).unwrap();
    let heads: Vec<u16> = (0..100).map(|n| n * 3).collect();
    for &head in &heads {
        let asked = Asked { kind: 1, sector: u64::from(head), out: &[(head as u8).wrapping_add(1); 512], room: 0 };
        guest.prepare(0, head, &asked).unwrap();
    }
    guest.offer(0, &heads).unwrap();
    guest.kick(0).unwrap();
    wait_until("all are under way", || emulator.status()["volumes"][0]["queue_depth"] == 100);
    emulator.kill_and_restart();
    assert!(guest.is_cut());
    guest.restart(&emulator.file("plain")).unwrap();
    let mut answered: Vec<u16> = heads.iter().map(|_| guest.answer(0).unwrap().0).collect();
    answered.sort_unstable();
    assert_eq!(answered, heads);
    for head in [0u16, 150, 297] {
        let asked = Asked { kind: 0, sector: u64::from(head), out: &[], room: 512 };
        assert_eq!(guest.request(0, asked).unwrap(), (0, vec![(head as u8).wrapping_add(1); 512]), "{head}");
    }
}

#[test]
fn what_cannot_be_served_is_said_before_anything_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rig.toml"), RIG).unwrap();
    let emulate = |args: &[&str]| -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        run(command.args(["emulate", "rig.toml", "--memory"]).args(args).current_dir(folder.path()))
    };
    let cases: [(&[&str], &str); 5] = [
        (&["--vhost-user", "plain"], "write `--vhost-user VOLUME=PATH`"),
        (&["--vhost-user", "plain="], "`--vhost-user plain=` is not a volume and a path"),
        (&["--vhost-user", "plane=s"], "did you mean `plain`?"),
        (&["--vhost-user", "plain=nowhere/s"], "nowhere/s: cannot listen there"),
        (&["--vhost-user", "plain=s", "--vhost-user", "cached=s"], "/s twice"),
    ];
    for (args, expected) in cases {
        let ran = emulate(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}
