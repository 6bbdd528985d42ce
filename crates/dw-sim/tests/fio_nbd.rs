//! Real fio 3.33 as the oracle: its nbd engine on a device with a fixed latency.
//!
//! The device is nbdkit's memory behind its delay filter. A real device is late by what the machine costs it, so ours is
//! given the mean latency that fio measured; the rates, the depths and the ends that follow from it are compared.

use crate::support::fio::{Entry, can_run, entry, in_parallel, real, virtual_run};
use crate::support::tries;
use std::path::Path;
use std::process::{Child, Command, Stdio};

struct Case {
    name: &'static str,
    job: &'static str,
    /// Share by which the rate may differ.
    iops: f64,
    /// Percentage points by which each class of depth may differ.
    depths: f64,
    /// The counts are equal.
    exact: bool,
}

const fn case(name: &'static str, job: &'static str, iops: f64, depths: f64, exact: bool) -> Case {
    Case { name, job, iops, depths, exact }
}

const CASES: &[Case] = &[
    case("depth 1", "rw=randread iodepth=1 runtime=2 time_based", 0.02, 1.0, false),
    case("depth 8", "rw=randread iodepth=8 runtime=2 time_based", 0.03, 1.0, false),
    case("a mix at depth 4", "rw=randrw rwmixread=70 iodepth=4 runtime=2 time_based", 0.08, 1.0, false),
    // Waiting for all in flight before each sleep makes bursts of about four, not a request every 2.5 ms.
    case("a rate makes bursts", "rw=randread iodepth=8 rate_iops=400 runtime=2 time_based", 0.02, 12.0, false),
    case("a rate at depth 1", "rw=randread iodepth=1 rate_iops=50 runtime=2 time_based", 0.02, 1.0, false),
    case("a rate each", "rw=randrw rwmixread=70 iodepth=4 rate_iops=100,50 runtime=2 time_based", 0.02, 12.0, false),
    case(
        "pauses by completions",
        "rw=randread iodepth=8 thinktime=40000 thinktime_blocks=4 runtime=2 time_based",
        0.05,
        6.0,
        false,
    ),
    case(
        "pauses by issues",
        "rw=randread iodepth=8 thinktime=20000 thinktime_blocks=4 thinktime_blocks_type=issue runtime=2 time_based",
        0.05,
        1.0,
        false,
    ),
    case(
        "reaping by fours",
        "rw=randread iodepth=8 iodepth_batch_complete_min=4 runtime=2 time_based",
        0.03,
        12.0,
        false,
    ),
    // fio waits for a completion after each request: the depth is never reached.
    case("polling", "rw=randread iodepth=8 iodepth_batch_complete_min=0 runtime=2 time_based", 0.02, 1.0, false),
    case("a low mark", "rw=randread iodepth=8 iodepth_low=2 runtime=2 time_based", 0.06, 20.0, false),
    case("a ramp", "rw=randread iodepth=4 ramp_time=1 runtime=1 time_based", 0.03, 1.0, false),
    case("the drain is in the runtime", "rw=randread iodepth=8 number_ios=100", 0.06, 2.0, true),
    case("loops drain in between", "rw=randread iodepth=4 loops=3 size=40k", 0.1, 4.0, true),
    case("clones in a group", "rw=randread iodepth=2 numjobs=3 group_reporting runtime=1 time_based", 0.04, 1.0, false),
];

/// nbdkit, ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

// The device is real, and so is the time it takes to come up.
#[allow(clippy::disallowed_methods)]
fn serve(socket: &Path) -> Server {
    let child = Command::new("nbdkit")
        .args(["-f", "-t", "64", "-U"])
        .arg(socket)
        .args(["--filter=delay", "memory", "1G", "rdelay=10ms", "wdelay=10ms"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let server = Server(child);
    for _ in 0..500 {
        if socket.exists() {
            return server;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nbdkit does not listen");
}

fn text(case: &Case, engine: &str) -> String {
    let options: String = case.job.split_whitespace().map(|option| format!("{option}\n")).collect();
    format!("[global]\n{engine}\nbs=4k\nsize=1g\n[job]\n{options}")
}

fn compare(case: &Case, ours: &Entry, fios: &Entry) -> Vec<String> {
    let mut wrong = Vec::new();
    for (d, direction) in ["read", "write"].into_iter().enumerate() {
        let (got, expected) = (ours.iops(d), fios.iops(d));
        if (got - expected).abs() > case.iops * expected {
            wrong.push(format!("{}: {direction} {got:.1} IOPS instead of fio's {expected:.1}", case.name));
        }
        if case.exact && ours.ios[d] != fios.ios[d] {
            wrong.push(format!("{}: {direction} {} I/Os instead of fio's {}", case.name, ours.ios[d], fios.ios[d]));
        }
    }
    if ours.depths.iter().zip(fios.depths).any(|(a, b)| (a - b).abs() > case.depths) {
        wrong.push(format!("{}: depths {:?} instead of fio's {:?}", case.name, ours.depths, fios.depths));
    }
    wrong
}

/// What remains wrong after 15 tries, or as few as the gate says beside a compiler: a busy machine may hold the device or fio up, a
/// wrong model stays wrong.
fn differences(case: &Case, socket: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..tries(15) {
        let fios = real(&text(case, &format!("ioengine=nbd\nuri=nbd+unix:///?socket={}", socket.display())));
        let clat: f64 = (0..2).map(|d| fios[0].clat[d] * fios[0].ios[d]).sum::<f64>() / fios[0].ios.iter().sum::<f64>();
        let device = crate::support::constant((clat * 1e6).round() as u32);
        let ours = virtual_run(device, &text(case, "ioengine=libaio\ndirect=1\nfilename=/data/file"));
        wrong = compare(case, &entry(&ours.entries[0]), &fios[0]);
        if wrong.is_empty() {
            break;
        }
    }
    wrong
}

#[test]
fn a_fixed_latency_agrees_with_fio() {
    if !can_run("fio") || !can_run("nbdkit") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("nbd.sock");
    let _server = serve(&socket);
    // One at a time: what they measure is time.
    let wrong = in_parallel(1, CASES, |case| differences(case, &socket));
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}
