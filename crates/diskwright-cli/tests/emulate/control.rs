//! `diskwright ctl` and the channel behind it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process::Command;

use diskwright_cli::exit::Exit;
use serde_json::{Value, json};

use crate::emulate::support::{Emulator, RIG, call, have, root, run};

/// Says something and compares how it ended and what was printed.
#[track_caller]
fn check(emulator: &Emulator, command: &str, exit: Exit, printed: &str) {
    let ran = emulator.typed_ctl(&command.split(' ').collect::<Vec<_>>());
    let text = if exit == Exit::Ok { &ran.stdout } else { &ran.stderr };
    assert_eq!((ran.code, text.trim_end()), (i32::from(exit.code()), printed), "{command}: {ran:?}");
}

#[test]
fn each_command_is_answered_in_words() {
    let emulator = Emulator::start(RIG);
    let done = |command, printed| check(&emulator, command, Exit::Ok, printed);
    done("inject latency plain.1 2ms..20ms --op read --share 50%", "fault 1 is active");
    done("inject stuck cached --offset 1MiB --len 64KiB", "fault 2 is active");
    done("inject clear 1", "1 fault cleared");
    done("inject clear", "1 fault cleared");
    done("inject list", "no faults");
    done("tier plain --to P50", "the disks of `plain` have their new limits");
    done("tier plain --disk 1 --iops 100 --throughput 5MB/s", "the disks of `plain` have their new limits");
    done("resize plain 128MiB", "the disks of `plain` grow to 128 MiB");
    done("cache cached readonly", "`cached` changes to host cache ReadOnly");
    done("detach plain", "`plain` will be detached once its outstanding requests complete");
    done("attach plain", "`plain` is attached");
    done("pause", "the model's time is paused");
    done("resume", "the model's time has resumed");
    done("reset", "counters reset");
    done("reboot", "the VM restarts: the host cache will be empty, data is kept");
    done("shutdown", "everything is durable; the emulation has stopped");
    check(
        &emulator,
        "status",
        Exit::NoEmulation,
        &format!(
            "error: no emulator listens on {}: no such file or directory\n\
             hint: is it running? `diskwright emulate` prints its control socket at its start",
            emulator.file("ctl.sock").display()
        ),
    );
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let emulator = Emulator::start(RIG);
    let refused = |command, exit, printed| check(&emulator, command, exit, printed);
    let plan = "error: unknown volume `plan`\nhint: did you mean `plain`?";
    refused("detach plan", Exit::Input, plan);
    refused("inject stuck plan", Exit::Input, plan);
    refused("inject clear 7", Exit::Input, "error: unknown fault 7\nhint: list the faults for their numbers");
    refused("resume", Exit::Refused, "error: the model's time is not paused");
    let ran = emulator.typed_ctl(&["tier", "plain", "--to", "P99"]);
    assert!(ran.code == 3 && ran.stderr.starts_with("error: unknown disk `P99`"), "{ran:?}");
    for usage in [&["tier", "plain"][..], &["cache", "plain", "some"], &["inject", "latency", "plain", "9ms..2ms"]] {
        assert_eq!(emulator.typed_ctl(usage).code, 2, "{usage:?}");
    }
}

#[test]
fn an_answer_for_programs_is_asked_for_as_everywhere_or_as_before() {
    let emulator = Emulator::start(RIG);
    let cases: [&[&str]; 4] = [
        &["--format", "json", "status"],
        &["status", "--format", "json"],
        &["--json", "status"],
        &["status", "--json"],
    ];
    for option in cases {
        let ran = emulator.typed_ctl(option);
        let status: Result<serde_json::Value, _> = serde_json::from_str(&ran.stdout);
        assert!(status.is_ok_and(|status| status["volumes"].is_array()), "{option:?}: {ran:?}");
    }
    let table = emulator.typed_ctl(&["--format", "table", "inject", "list"]);
    assert_eq!((table.code, table.stdout.as_str()), (0, "no faults\n"));
    assert_eq!(emulator.typed_ctl(&["--format", "json", "--json", "status"]).code, 2);
}

#[test]
fn the_socket_is_named_before_or_behind_the_command_or_in_the_environment() {
    let emulator = Emulator::start(RIG);
    let socket = emulator.file("ctl.sock").display().to_string();
    let said = |args: &[&str], variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        run(command
            .arg("ctl")
            .args(args)
            .env_remove("DISKWRIGHT_CONTROL")
            .envs(variable.map(|v| ("DISKWRIGHT_CONTROL", v))))
    };
    let cases: [(&[&str], Option<&str>); 4] = [
        (&["--socket", &socket, "inject", "list"], None),
        (&["inject", "list", "--socket", &socket], None),
        (&["inject", "list"], Some(&socket)),
        (&["inject", "--socket", &socket, "list"], Some("/nowhere")),
    ];
    for (args, variable) in cases {
        let ran = said(args, variable);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "no faults\n"), "{args:?} {variable:?}: {ran:?}");
    }
    let ran = said(&["status"], None);
    assert_eq!(ran.code, i32::from(Exit::Usage.code()), "{ran:?}");
    assert!(ran.stderr.contains("`--socket`") && ran.stderr.contains("`DISKWRIGHT_CONTROL`"), "{ran:?}");
}

#[test]
fn limits_that_change_are_those_of_the_status() {
    let emulator = Emulator::start(RIG);
    emulator.typed_ctl(&["tier", "plain", "--disk", "1", "--iops", "123"]).ok();
    let limits = emulator.status()["limits"].clone();
    let of = |disk: &str| {
        limits.as_array().unwrap().iter().find(|l| l["disk"] == disk && l["limit"] == "disk IOPS").cloned()
    };
    assert_eq!(of("plain.1").expect("it has a limit now")["rate"], 123);
    assert_eq!(of("plain.0"), None, "the other disk has none still");
}

#[test]
fn an_injected_error_reaches_the_client_and_goes_when_it_is_cleared() {
    if !have(&["qemu-io"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let io = |command: &str| call("qemu-io", ["-f", "raw", "-c", command, &emulator.uri("plain")]);
    io("write -P 1 0 128k").ok();
    emulator.typed_ctl(&["inject", "error", "plain.1", "--op", "read"]).ok();
    // The stripe unit is 64 KiB: the first half lies on the other disk.
    io("read -P 1 0 64k").ok();
    let failed = io("read 64k 4k");
    assert!(failed.stdout.contains("Input/output error") || failed.stderr.contains("Input/output error"), "{failed:?}");
    emulator.typed_ctl(&["inject", "clear"]).ok();
    io("read -P 1 0 128k").ok();
    assert_eq!(emulator.status()["volumes"][0]["reads"]["errors"], 1);
}

/// Lines to the socket, and the lines that come back.
fn converse(emulator: &Emulator, lines: &[Value]) -> Vec<Value> {
    let stream = UnixStream::connect(emulator.file("ctl.sock")).unwrap();
    let mut answers = BufReader::new(&stream).lines();
    let mut converse = |line: &Value| {
        (&stream).write_all(format!("{line}\n").as_bytes()).unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    lines.iter().map(&mut converse).collect()
}

#[test]
fn every_line_of_the_channel_is_as_its_schema_says() {
    let emulator = Emulator::start(RIG);
    let fault = json!({"export": "plain", "effect": {"kind": "latency", "min_ns": 1, "max_ns": 2}});
    let lines = [
        json!({"cmd": "inject", "fault": fault}),
        json!({"cmd": "status"}),
        json!({"cmd": "faults"}),
        json!({"cmd": "crash", "level": "host", "survivors": "random", "seed": 7}),
        json!({"cmd": "clear"}),
        json!({"cmd": "detach", "volume": "none"}),
    ];
    let schema: Value =
        serde_json::from_str(&diskwright_cli::schema(diskwright_cli::cli::SchemaName::Control)).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (request, response) in lines.iter().zip(converse(&emulator, &lines)) {
        let exchange = json!({"request": request, "response": response});
        let faults: Vec<_> =
            validator.iter_errors(&exchange).map(|e| format!("{} at {}", e, e.instance_path())).collect();
        assert!(faults.is_empty(), "{exchange}: {faults:?}");
        assert_eq!(response["ok"], json!(request["volume"] != "none"), "{exchange}");
    }
    let nonsense = json!({"request": {"cmd": "crash", "levle": "host"}, "response": {"ok": true}});
    assert!(!validator.is_valid(&nonsense), "the schema refuses a key that is not there");
}

#[test]
fn the_committed_schema_is_that_of_the_code() {
    let committed = std::fs::read_to_string(root().join("schemas/control.schema.json")).unwrap();
    assert_eq!(committed, diskwright_cli::schema(diskwright_cli::cli::SchemaName::Control), "run `cargo xtask gen`");
}
