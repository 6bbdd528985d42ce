//! One verdict of trust: whoever asks, in whatever way, is told the same of the same run.

use std::process::Command;
use std::time::Duration;

use crate::emulate::metrics::scrape;
use crate::emulate::raw::{Client, READ, request};
use crate::emulate::support::{Emulator, call, run, tries, undecided};

/// A tenth of this is 50 ms: what a busy machine does not take, and a stall of 300 ms goes beyond.
const RIG: &str = r#"
[vm]

[[volume]]
name = "data"
disks = [{ size = "64 MiB", latency = { read = "500 ms", write = "500 ms" } }]
"#;

/// Runs before the verdict is left open: a stall that is not ours can spoil one.
const TRIES: usize = 5;

/// Reads at once; if `stalled` the whole emulator stands still for so long that the answers are 300 ms late.
fn reads(emulator: &Emulator, count: u64, stalled: bool) {
    let mut client = Client::open(&emulator.socket(), "data").unwrap();
    let requests: Vec<u8> = (0..count).flat_map(|n| request(READ, n, n * 4096, 4096)).collect();
    client.write(&requests).unwrap();
    if stalled {
        // They have arrived long before, and are not due yet.
        std::thread::sleep(Duration::from_millis(250));
        let signal = |name: &str| call("kill", [name, &emulator.pid().to_string()]).ok();
        signal("-STOP");
        std::thread::sleep(Duration::from_millis(550));
        signal("-CONT");
    }
    for _ in 0..count {
        assert_eq!(client.reply().unwrap().0, 0);
        client.read(4096).unwrap();
    }
}

/// A run of 100 reads of which `late` are late: status, metrics, `top` and the summary all say this verdict.
fn check(late: u64, verdict: &str, begins: &str) {
    for _ in 0..tries(TRIES) {
        let emulator = Emulator::start_with(RIG, &["--metrics", "127.0.0.1:0"]);
        reads(&emulator, 100 - late, false);
        reads(&emulator, late, true);
        let lateness = emulator.status()["lateness"].clone();
        let shown = |command: &str, args: &[&str]| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_diskwright"));
            let ran = run(program.arg(command).arg("--socket").arg(emulator.file("ctl.sock")).args(args));
            ran.ok().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let (status, top) = (shown("ctl", &["status"]), shown("top", &["--once", "--columns", "80"]));
        let metrics = scrape(&emulator);
        let summary = emulator.stop().stdout;
        if lateness["late"] != late {
            eprintln!("the machine was late by itself: {lateness}");
            continue;
        }
        assert_eq!(lateness["verdict"], verdict, "{lateness}");
        let sentence = summary.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{summary}"));
        assert!(sentence.contains(&format!("{late}.0 % of 100 completions late")), "{sentence}");
        for other in [&status, &top] {
            assert!(other.contains(sentence), "{sentence}\nis not in\n{other}");
        }
        for name in ["open", "kept", "doubted"] {
            let is = if name == verdict { "1.0" } else { "0.0" };
            let line = format!("diskwright_verdict{{verdict=\"{name}\"}} {is}");
            assert!(metrics.lines().any(|found| found == line), "no {line} in {metrics}");
        }
        let count = metrics.lines().find(|line| line.starts_with("diskwright_late_completions_total"));
        assert!(count.is_some_and(|line| line.ends_with(&format!(" {late}.0"))), "{metrics}");
        return;
    }
    undecided("the machine was late by itself in every run");
}

/// A client that asks while the server is stopped has waited since then, though the server finds its request afterwards only.
#[test]
fn what_came_while_the_server_stood_still_is_late() {
    let rig = RIG.replace("500 ms", "200 us");
    let emulator = Emulator::start(&rig);
    let mut client = Client::open(&emulator.socket(), "data").unwrap();
    client.pread(0, 4096).unwrap();
    let signal = |name: &str| call("kill", [name, &emulator.pid().to_string()]).ok();
    signal("-STOP");
    let begin = std::time::Instant::now();
    client.write(&request(READ, 1, 0, 4096)).unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    signal("-CONT");
    assert_eq!(client.reply().unwrap().0, 0);
    let waited = begin.elapsed().as_nanos() as u64;
    client.read(4096).unwrap();
    // What it asks afterwards has not waited.
    for n in 0..300 {
        client.pread(n * 4096, 4096).unwrap();
    }
    let late = emulator.status()["lateness"]["max_ns"].as_u64().unwrap();
    // It knows to 20 ms when it was stopped.
    assert!((1_400_000_000..=waited + 50_000_000).contains(&late), "{late} ns of {waited} ns");
}

#[test]
fn one_in_twenty_late_is_kept_everywhere() {
    check(5, "kept", "this machine keeps up");
}

#[test]
fn one_more_is_doubted_everywhere() {
    check(6, "doubted", "UNRELIABLE RUN");
}
