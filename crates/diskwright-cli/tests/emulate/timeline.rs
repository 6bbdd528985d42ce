//! A scenario's timeline, carried out by a running emulator.

use std::process::Command;

use crate::emulate::support::{Emulator, RIG, call, have, run, wait_until};

/// A rig with entries: `at / do and other keys`.
fn scripted(entries: &[&str]) -> String {
    let entry = |entry: &&str| {
        let (at, rest) = entry.split_once(" / ").unwrap();
        format!("\n[[timeline]]\nat = \"{at}\"\n{}\n", rest.replace(", ", "\n"))
    };
    format!("{RIG}{}", entries.iter().map(entry).collect::<String>())
}

#[test]
fn a_script_runs_to_its_end_and_says_what_it_did() {
    // Nobody talks to it: when it is ready for that is the machine's, and it may have ended by then.
    let ran = Emulator::run(&scripted(&[
        "300 ms / do = \"inject\", export = \"plain\", fault = \"error\"",
        "400 ms / do = \"detach\", volume = \"cached\"",
        "500 ms / do = \"attach\", volume = \"plain\"",
        "600 ms / do = \"crash\", level = \"host\", survivors = \"random\", seed = 7",
        "1 s / do = \"shutdown\"",
    ]));
    let log = ran.ok();
    let first = scripted(&[]).lines().count() + 2;
    let said = |n: usize| {
        let start = format!("note: timeline, line {n}: ");
        let found = log.lines().find_map(|line| line.strip_prefix(&start));
        found.unwrap_or_else(|| panic!("nothing of line {n} in {log}")).to_string()
    };
    assert_eq!(said(first), "done");
    assert!(said(first + 11).contains("already attached"), "{log}");
    assert_eq!(said(first + 16), "crashed, 0 bytes lost");
}

#[test]
fn what_is_scripted_is_what_clients_see() {
    if !have(&["qemu-io"]) {
        return;
    }
    let emulator =
        Emulator::start(&scripted(&["0 s / do = \"inject\", export = \"plain.0\", fault = \"error\", op = \"read\""]));
    wait_until("the fault is in force", || {
        emulator.status()["faults"].as_array().is_some_and(|faults| faults.len() == 1)
    });
    let ran = call("qemu-io", ["-f", "raw", "-c", "read 0 4k", &emulator.uri("plain")]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("Input/output error"), "{said}");
    call("qemu-io", ["-f", "raw", "-c", "read 64k 4k", &emulator.uri("plain")]).ok();
}

#[test]
fn a_simulation_leaves_it_out_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rig.toml"), scripted(&["1 s / do = \"reboot\""])).unwrap();
    let job = "[x]\nfilename=/dev/plain\nrw=randread\nbs=4k\nsize=1m\nnumber_ios=10\n";
    std::fs::write(folder.path().join("job.fio"), job).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.env("LC_ALL", "C");
    let ran = run(command.args(["simulate", "rig.toml", "job.fio"]).current_dir(folder.path()));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("the scenario's timeline is ignored"), "{ran:?}");
}
