//! The simulator and the emulator are one model under two clocks: the same fio job, simulated and run for real, comes out the
//! same.
//!
//! Each scenario is simulated once. Real fio then runs the same job against `diskwright emulate`; I/Os a second must agree
//! within 2 %, the median and the 99th percentile within 10 %, all in one run. A difference of the model is there every time, one
//! of the host (a stall of the client, a processor taken away) is not: so a run that differs is repeated, up to [`TRIES`] times,
//! and one that agrees settles it. When every run differs the test fails, unless the machine was unfit each time; then nothing was
//! proved either way, and the test says `UNFIT:` aloud. Unfit is said by the emulator's own lateness verdict (the server), or by a
//! thread that sleeps and wakes beside fio (the client): woken late by more than a twentieth of the shortest 99th percentile, one
//! time in a hundred, fio sees differences of that size.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Emulator, call, have};

/// Real runs before the verdict.
const TRIES: usize = 4;
/// What the kernel may delay any sleep by, unless told otherwise (prctl(2), PR_SET_TIMERSLACK), in µs.
const SLACK_US: f64 = 50.0;
/// Of I/Os a second.
const IOPS: f64 = 0.02;
/// Of percentiles of the latency.
const LATENCY: f64 = 0.10;

/// One section of a job file.
struct Job {
    volume: &'static str,
    options: &'static str,
}

/// What a job came to: I/Os a second, median and 99th percentile in µs.
#[derive(Debug)]
struct Outcome {
    iops: f64,
    p50: f64,
    p99: f64,
}

/// Simulates and runs; they must agree.
fn check(rig: &str, jobs: &[Job]) {
    if !have(&["fio"]) {
        return;
    }
    let simulated = simulate(rig, jobs);
    let mut on_a_fit_machine = String::new();
    for _ in 0..TRIES {
        let sleeper = Sleeper::start();
        let (real, mut doubts) = emulate(rig, jobs);
        let (woken_late_us, shortest) =
            (sleeper.late_us(), simulated.iter().map(|job| job.p99).fold(f64::MAX, f64::min));
        if woken_late_us > shortest / 20.0 + SLACK_US {
            doubts.push(format!("one thread in a hundred was woken {woken_late_us:.0} µs late or more"));
        }
        let differences = differences(&simulated, &real);
        if differences.is_empty() {
            return;
        }
        eprint!("{differences}");
        match doubts.is_empty() {
            true => on_a_fit_machine = differences,
            false => eprintln!("the machine did not keep up: {}", doubts.join("; ")),
        }
    }
    assert!(on_a_fit_machine.is_empty(), "different in {TRIES} runs, and the machine kept up:\n{on_a_fit_machine}");
    eprintln!("UNFIT: this machine did not keep up in {TRIES} runs; nothing was proved");
}

/// A thread that sleeps half a millisecond at a time, and by how much more each time.
struct Sleeper {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<f64>>,
}

impl Sleeper {
    fn start() -> Sleeper {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let nap = Duration::from_micros(500);
        let thread = std::thread::spawn(move || {
            let mut late = Vec::new();
            while !stopped.load(Ordering::Relaxed) {
                let begin = Instant::now();
                std::thread::sleep(nap);
                late.push((begin.elapsed() - nap).as_secs_f64() * 1e6);
            }
            late
        });
        Sleeper { stop, thread }
    }

    /// The 99th percentile.
    fn late_us(self) -> f64 {
        self.stop.store(true, Ordering::Relaxed);
        let mut late = self.thread.join().unwrap();
        late.sort_by(f64::total_cmp);
        late[late.len() * 99 / 100]
    }
}

fn simulate(rig: &str, jobs: &[Job]) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let (rig_file, job_file) = (folder.path().join("rig.toml"), folder.path().join("job.fio"));
    std::fs::write(&rig_file, rig).unwrap();
    std::fs::write(&job_file, job_text(jobs, |volume| format!("ioengine=libaio\nfilename=/dev/{volume}"))).unwrap();
    let program = env!("CARGO_BIN_EXE_diskwright");
    let args = ["simulate", "--quiet", "--output-format", "json"].map(std::ffi::OsString::from);
    outcomes(&call(program, args.into_iter().chain([rig_file.into(), job_file.into()])).ok())
}

fn emulate(rig: &str, jobs: &[Job]) -> (Vec<Outcome>, Vec<String>) {
    let emulator = Emulator::start(rig);
    let job_file = emulator.file("job.fio");
    std::fs::write(&job_file, job_text(jobs, |volume| format!("ioengine=nbd\nuri={}", emulator.uri(volume)))).unwrap();
    let args = ["--output-format=json".into(), job_file.into_os_string()];
    let outcomes = outcomes(&call("fio", args).ok());
    let status = emulator.status();
    // Wherever the answer is wrapped, the verdict has this name.
    let doubts = find(&status, "doubts").and_then(Value::as_array).expect("the status has a verdict");
    (outcomes, doubts.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn job_text(jobs: &[Job], device: impl Fn(&str) -> String) -> String {
    let mut text = String::from("[global]\nthread\ntime_based\nrandrepeat=1\n");
    for job in jobs {
        let _ = writeln!(text, "[{}]\n{}\n{}", job.volume, device(job.volume), job.options);
    }
    text
}

fn outcomes(json: &str) -> Vec<Outcome> {
    // fio's nbd engine prints a line before the document.
    let json = &json[json.find('{').expect("a document")..];
    let document: Value = serde_json::from_str(json).expect("fio's JSON");
    let jobs = document["jobs"].as_array().expect("jobs");
    jobs.iter()
        .map(|job| {
            let side = if job["read"]["total_ios"].as_u64() > Some(0) { &job["read"] } else { &job["write"] };
            let at = |percentile| side["clat_ns"]["percentile"][percentile].as_f64().expect("percentiles") / 1e3;
            Outcome { iops: side["iops"].as_f64().expect("iops"), p50: at("50.000000"), p99: at("99.000000") }
        })
        .collect()
}

fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(name).or_else(|| map.values().find_map(|inner| find(inner, name))),
        Value::Array(list) => list.iter().find_map(|inner| find(inner, name)),
        _ => None,
    }
}

/// A line for each figure beyond its tolerance.
fn differences(simulated: &[Outcome], real: &[Outcome]) -> String {
    assert_eq!(simulated.len(), real.len());
    let mut lines = String::new();
    for (number, (one, other)) in simulated.iter().zip(real).enumerate() {
        let figures = [
            ("IOPS", one.iops, other.iops, IOPS),
            ("median, µs", one.p50, other.p50, LATENCY),
            ("99th percentile, µs", one.p99, other.p99, LATENCY),
        ];
        for (name, one, other, tolerance) in figures {
            let by = other / one - 1.0;
            if by.abs() > tolerance {
                let _ =
                    writeln!(lines, "job {number}, {name}: simulated {one:.1}, real {other:.1}: {:+.1} %", by * 100.0);
            }
        }
    }
    lines
}

#[test]
fn a_plain_disk_comes_out_the_same() {
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        disks = [{ size = "1 GiB", iops = 2000, throughput = "100 MB/s", latency = { read = "1 ms", write = "2 ms" } }]
    "#;
    check(rig, &[Job { volume: "data", options: "rw=randread\nbs=4k\niodepth=8\nruntime=3" }]);
    // Below every limit I/Os a second are depth / latency, and the client's own time for each shows: 50 µs for 64 KiB on a busy
    // machine, which is 2.5 % of 2 ms and no error of the model. A small write keeps it out of the comparison.
    check(rig, &[Job { volume: "data", options: "rw=write\nbs=4k\niodepth=2\nruntime=3" }]);
}

#[test]
fn a_burst_runs_dry_at_the_same_time() {
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        [[volume.disks]]
        size = "1 GiB"
        latency = { read = "1 ms", write = "1 ms" }
        limits = { iops = 500, burst_iops = 2000, burst_for = "1 s" }
    "#;
    check(rig, &[Job { volume: "data", options: "rw=randread\nbs=4k\niodepth=8\nruntime=4" }]);
}

#[test]
fn a_cold_cache_warms_up_alike() {
    let rig = r#"
        [vm.cache]
        capacity = "1 GiB"
        ram = "512 MiB"
        [[volume]]
        name = "data"
        host_cache = "ReadOnly"
        disks = [{ size = "1 GiB", iops = 1000, latency = { read = "4 ms", write = "4 ms" } }]
    "#;
    let options = "rw=randread\nbs=64k\nsize=32m\nnorandommap\niodepth=4\nruntime=4\nrate_iops=1500";
    check(rig, &[Job { volume: "data", options }]);
}

#[test]
fn volumes_share_the_vms_limit_alike() {
    let rig = r#"
        [vm]
        uncached = { iops = 3000 }
        [[volume]]
        name = "data"
        disks = [{ size = "1 GiB", iops = 2500, latency = { read = "1 ms", write = "1 ms" } }]
        [[volume]]
        name = "log"
        disks = [{ size = "1 GiB", iops = 1000, latency = { read = "2 ms", write = "2 ms" } }]
    "#;
    check(
        rig,
        &[
            Job { volume: "data", options: "rw=randread\nbs=8k\niodepth=16\nruntime=3" },
            Job { volume: "log", options: "rw=write\nbs=16k\niodepth=4\nruntime=3" },
        ],
    );
}

#[test]
fn a_stripe_adds_up_alike() {
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        stripe_unit = "64 KiB"
        disks = [{ count = 4, size = "256 MiB", iops = 500, latency = { read = "1 ms", write = "2 ms" } }]
    "#;
    check(rig, &[Job { volume: "data", options: "rw=randread\nbs=16k\niodepth=32\nruntime=3" }]);
}
