//! What the emulated disks promise about time, through a real client.
//!
//! Two kinds of claims. *Never more than*: a disk never gives more than its rate and its burst allow; a slow machine can only
//! give less, so these hold anywhere. *As much as*: latency and rate as modelled, of disks so slow that the tolerance is more
//! than a busy machine takes; one run of [`TRIES`] has to show it, unless the emulator itself doubts every one because the machine
//! kept it waiting: then the test says `UNDECIDED: ...`. `bench/emulator.py` measures fast disks on a quiet machine.

use serde_json::Value;

use crate::emulate::support::{Emulator, call, have, tries, undecided};

/// One run of fio on the export `data`: I/Os, its whole run time in ms, median in µs, and the emulator's own verdict.
struct Run {
    ios: f64,
    ms: f64,
    p50_us: f64,
    doubts: Vec<String>,
}

fn run(disk: &str, args: &[&str]) -> Option<Run> {
    if !have(&["fio"]) {
        return None;
    }
    let rig = format!("[vm]\n[[volume]]\nname = \"data\"\ndisks = [{{ size = \"1 GiB\", {disk} }}]\n");
    let emulator = Emulator::start(&rig);
    let fixed = ["--name=x", "--ioengine=nbd", "--thread", "--time_based", "--output-format=json"];
    let uri = format!("--uri={}", emulator.uri("data"));
    let text = call("fio", fixed.iter().chain(args).copied().chain([uri.as_str()])).ok();
    let document: Value = serde_json::from_str(&text[text.find('{')?..]).expect("fio's JSON");
    let read = &document["jobs"][0]["read"];
    let status = emulator.status();
    let doubts = status["lateness"]["doubts"].as_array().expect("the status has a verdict");
    Some(Run {
        ios: read["total_ios"].as_f64()?,
        ms: document["jobs"][0]["job_runtime"].as_f64()?,
        p50_us: read["clat_ns"]["percentile"]["50.000000"].as_f64()? / 1e3,
        doubts: doubts.iter().map(|doubt| doubt["text"].to_string()).collect(),
    })
}

/// Runs before the verdict: a stall can spoil one.
const TRIES: usize = 10;

/// Reads of 4 KiB at this depth from a disk: its median in µs and its I/Os per second must be as expected, within these parts.
fn check(disk: &str, depth: u32, p50_us: (f64, f64), iops: (f64, f64)) {
    let (mut seen, mut undoubted) = (Vec::new(), 0);
    for _ in 0..tries(TRIES) {
        let args = ["--rw=randread", "--bs=4k", &format!("--iodepth={depth}"), "--runtime=3"];
        let Some(run) = run(disk, &args) else { return };
        let is = |figure: f64, (expected, tolerance): (f64, f64)| (figure / expected - 1.0).abs() <= tolerance;
        let rate = run.ios * 1e3 / run.ms;
        if is(run.p50_us, p50_us) && is(rate, iops) {
            return;
        }
        undoubted += usize::from(run.doubts.is_empty());
        seen.push(format!("median {:.0} µs, {rate:.1} a second, verdict {:?}", run.p50_us, run.doubts));
    }
    let seen = format!("{disk}, depth {depth}: expected {p50_us:?} and {iops:?}\n{}", seen.join("\n"));
    assert!(undoubted == 0, "{seen}");
    undecided(&format!("the machine was too busy for the emulator: {seen}"));
}

#[test]
fn no_disk_gives_more_than_its_rate_from_the_first_moment_on() {
    let cases = [
        ("iops = 500, latency = { read = \"1 us\", write = \"1 us\" }", 500.0),
        ("iops = 5000, latency = { read = \"1 us\", write = \"1 us\" }", 5_000.0),
    ];
    for (disk, rate) in cases {
        for ms in ["100ms", "1"] {
            let args = ["--rw=randread", "--bs=4k", "--iodepth=32", &format!("--runtime={ms}")];
            let Some(run) = run(disk, &args) else { return };
            // fio counts whole milliseconds; the one I/O is that of the first moment.
            let most = rate * (run.ms + 1.0) / 1e3 + 1.0;
            assert!(run.ios <= most, "{disk}, {ms}: {} I/Os in {} ms, {most} at most", run.ios, run.ms);
        }
    }
}

#[test]
fn a_rate_is_kept_on_average() {
    // 32 requests wait 160 ms for their turn.
    let disk = "iops = 200, latency = { read = \"1 ms\", write = \"1 ms\" }";
    check(disk, 32, (160_000.0, 0.05), (200.0, 0.01));
}

#[test]
fn a_latency_is_itself_at_any_depth() {
    for depth in [1, 64] {
        // Little's law: depth / latency.
        let disk = "latency = { read = \"200 ms\", write = \"200 ms\" }";
        check(disk, depth, (200_000.0, 0.04), (f64::from(depth) * 5.0, 0.05));
    }
}

#[test]
fn a_single_request_below_the_limit_sees_the_service_time() {
    let disk = "iops = 500, latency = { read = \"200 ms\", write = \"200 ms\" }";
    check(disk, 1, (200_000.0, 0.04), (5.0, 0.05));
}
