//! What the emulated disks promise about time, through a real client.
//!
//! Two kinds of claims. *Never more than*: a disk never gives more than its rate and its burst allow; a slow machine can only
//! give less, so these hold anywhere. *As much as*: latency and rate as modelled; they are judged only when the emulator's own
//! lateness verdict says that this machine kept up, and are said to be `UNFIT:` otherwise.

use serde_json::Value;

use crate::support::{Emulator, call, have};

/// One run of fio on the export `data`: I/Os, its whole run time in ms, median in µs, and whether the machine kept up.
struct Run {
    ios: f64,
    ms: f64,
    p50_us: f64,
    kept_up: bool,
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
    let status = emulator.status().to_string();
    Some(Run {
        ios: read["total_ios"].as_f64()?,
        ms: document["jobs"][0]["job_runtime"].as_f64()?,
        p50_us: read["clat_ns"]["percentile"]["50.000000"].as_f64()? / 1e3,
        kept_up: status.contains("\"doubts\":[]"),
    })
}

/// Judges a run of a machine that kept up.
#[track_caller]
fn judge(run: &Run, what: &str, figure: f64, expected: f64, tolerance: f64) {
    if !run.kept_up {
        eprintln!("UNFIT: this machine did not keep up; {what} was not judged");
        return;
    }
    let by = figure / expected - 1.0;
    assert!(by.abs() <= tolerance, "{what}: {figure:.1} instead of {expected:.1}, {:+.1} %", by * 100.0);
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
    let disk = "iops = 2000, latency = { read = \"100 us\", write = \"100 us\" }";
    let Some(run) = run(disk, &["--rw=randread", "--bs=4k", "--iodepth=32", "--runtime=3"]) else { return };
    judge(&run, "I/Os in 3 s", run.ios, 2_000.0 * run.ms / 1e3, 0.01);
}

#[test]
fn a_latency_is_itself_at_any_depth() {
    for depth in [1.0, 64.0] {
        let disk = "latency = { read = \"2 ms\", write = \"2 ms\" }";
        let depth_arg = format!("--iodepth={depth}");
        let Some(run) = run(disk, &["--rw=randread", "--bs=4k", &depth_arg, "--runtime=2"]) else { return };
        judge(&run, "the median of 2 ms", run.p50_us, 2_000.0, 0.05);
        // Little's law: depth / latency.
        judge(&run, "I/Os", run.ios, depth * run.ms / 2.0, 0.08);
    }
}

#[test]
fn a_single_request_below_the_limit_sees_the_service_time() {
    let disk = "iops = 5000, latency = { read = \"1 ms\", write = \"1 ms\" }";
    let Some(run) = run(disk, &["--rw=randread", "--bs=4k", "--iodepth=1", "--runtime=2"]) else { return };
    judge(&run, "the median at depth 1", run.p50_us, 1_000.0, 0.05);
}
