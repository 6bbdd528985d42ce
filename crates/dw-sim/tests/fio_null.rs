//! Real fio 3.33 as the oracle: job files with its null engine, run by both.
//!
//! With that engine nothing depends on a device: counts, bytes, rates, pauses and ends are fio's own doing.

use crate::support::fio::{Entry, can_run, entry, in_parallel, real, virtual_run};
use crate::support::tries;

/// How close a figure must be: exactly, or within a share.
#[derive(Clone, Copy)]
enum Close {
    Exactly,
    Within(f64),
    /// A sum of draws: within [`DEVIATIONS`] of the difference of two such, each of this variance a unit of its mean.
    Drawn(f64),
    /// Not compared.
    Any,
}

use Close::{Any, Drawn, Exactly, Within};

/// Sums of thousands of bounded draws are normal to well beyond this, where two of equal law are with a probability of 4 * 10⁻¹³
/// a comparison and 10⁻¹¹ a run of all rows below. Both sides have fixed seeds, so a run that fails fails again.
///
/// The variance a unit: of a direction that is drawn with probability p, 1 - p an I/O; of how many I/Os a number of bytes takes,
/// the squared coefficient of variation of a request's size (renewal theorem): 0.78 for 4 and 64 KiB by halves, 0.26 for a range of
/// 4 to 64 KiB, 0.48 for nine of 8 KiB and one of 32; of Poisson arrivals, 1. In bytes, times those of a request.
const DEVIATIONS: f64 = 7.25;

struct Case {
    name: &'static str,
    /// Options of every job, and the jobs, separated by ` / `; options by blanks.
    job: &'static str,
    ios: Close,
    bytes: Close,
    /// Of the runtime; the counts of a job that takes no time say nothing of it.
    runtime: Close,
}

const fn case(name: &'static str, job: &'static str, ios: Close, bytes: Close, runtime: Close) -> Case {
    Case { name, job, ios, bytes, runtime }
}

const CASES: &[Case] = &[
    // Ends.
    case("size", "rw=read bs=4k size=4m", Exactly, Exactly, Any),
    case("a tail is not touched", "rw=read bs=12k size=4m", Exactly, Exactly, Any),
    case("a random tail is not touched", "rw=randwrite bs=12k size=4m", Exactly, Exactly, Any),
    case("number_ios", "rw=randread bs=4k size=16m number_ios=1000", Exactly, Exactly, Any),
    case("number_ios at depth", "rw=randread bs=4k size=16m number_ios=1000 iodepth=8", Exactly, Exactly, Any),
    case("loops", "rw=randwrite bs=4k size=1m loops=3", Exactly, Exactly, Any),
    case("loops of a tail", "rw=read bs=12k size=1m loops=3", Exactly, Exactly, Any),
    case("io_size beyond size", "rw=read bs=4k size=1m io_size=3m", Exactly, Exactly, Any),
    case("io_size beyond size at random", "rw=randwrite bs=4k size=1m io_size=3m", Exactly, Exactly, Any),
    case("io_size below size", "rw=randread bs=4k size=4m io_size=1m", Exactly, Exactly, Any),
    case("io_size of a mix", "rw=rw bs=4k size=1m io_size=3m rwmixread=100", Exactly, Exactly, Any),
    case("norandommap and io_size", "rw=randwrite bs=4k size=1m io_size=2m norandommap", Exactly, Exactly, Any),
    case("files", "rw=randread bs=4k size=4m nrfiles=4", Exactly, Exactly, Any),
    case("files in sequence", "rw=write bs=4k size=4m nrfiles=4 file_service_type=sequential", Exactly, Exactly, Any),
    case("a percentage of random", "rw=randread bs=4k size=4m percentage_random=30 norandommap", Exactly, Exactly, Any),
    case("runs of eight", "rw=randread:8 bs=4k size=4m norandommap", Exactly, Exactly, Any),
    case("gaps", "rw=read:8k bs=4k size=4m", Exactly, Exactly, Any),
    case("backwards", "rw=read:-8k bs=4k size=4m", Exactly, Exactly, Any),
    case("trimwrite", "rw=trimwrite bs=4k size=1m", Exactly, Exactly, Any),
    case("randtrimwrite", "rw=randtrimwrite bs=4k size=1m", Exactly, Exactly, Any),
    case(
        "strided zones",
        "rw=read bs=4k size=4m zonemode=strided zonesize=64k zonerange=64k zoneskip=64k",
        Exactly,
        Exactly,
        Any,
    ),
    case("offset", "rw=read bs=4k offset=1m size=2m", Exactly, Exactly, Any),
    case("clones in a group", "rw=randread bs=4k size=1m numjobs=4 group_reporting", Exactly, Exactly, Any),
    case("a wall", "size=1m bs=4k / rw=read / rw=write stonewall", Exactly, Exactly, Any),
    case("a mix moves its size", "rw=randrw bs=4k size=512m rwmixread=70", Drawn(0.7), Drawn(0.7 * 4_096.0), Any),
    // Flows: who is ahead of its share waits.
    case(
        "a flow whose first job ends",
        "bs=4k rate_iops=1000 / rw=read flow=8 size=1m / rw=write flow=2 size=4m",
        Exactly,
        Exactly,
        Any,
    ),
    case(
        "flows apart",
        "bs=4k size=1g runtime=1 time_based rate_iops=1000 / rw=read flow=3 flow_id=1 / rw=write flow=1 flow_id=2",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    // Steady states: fio looks a tenth of a second before the full second.
    case(
        "a steady rate",
        "rw=read bs=4k size=1g runtime=8 time_based rate_iops=1000 ss=iops:40% ss_dur=3",
        Within(0.05),
        Within(0.05),
        Within(0.05),
    ),
    case(
        "a steady throughput after a while",
        "rw=read bs=4k size=1g runtime=9 time_based rate_iops=1000 ss=bw:40% ss_dur=3 ss_ramp=2",
        Within(0.05),
        Within(0.05),
        Within(0.05),
    ),
    case(
        "a steady slope",
        "rw=read bs=4k size=1g runtime=8 time_based rate_iops=1000 ss=iops_slope:40% ss_dur=3",
        Within(0.05),
        Within(0.05),
        Within(0.05),
    ),
    case(
        "a steady group",
        "bs=4k size=1g runtime=8 time_based ss=iops:40% ss_dur=3 group_reporting / rw=read rate_iops=1000 numjobs=2 / rw=write rate_iops=500",
        Within(0.05),
        Within(0.05),
        Within(0.05),
    ),
    // Sizes.
    case("a range covers", "rw=randread bsrange=4k-64k size=512m", Drawn(0.26), Exactly, Any),
    case("a split covers", "rw=randread bssplit=4k/50:64k/50 size=1g", Drawn(0.78), Exactly, Any),
    case(
        "a split without map",
        "rw=randread bssplit=4k/50:64k/50 size=1g norandommap",
        Drawn(0.78),
        Within(0.002),
        Any,
    ),
    case("a split in sequence", "rw=write bssplit=4k/50:64k/50 size=1g", Drawn(0.78), Within(0.002), Any),
    // Flushes.
    case("fsync", "rw=write bs=4k size=1m fsync=8", Exactly, Exactly, Any),
    case("end_fsync is not counted", "rw=write bs=4k size=1m end_fsync=1", Exactly, Exactly, Any),
    // Rates. Real time is never early, so a second has up to one request less.
    case(
        "rate_iops",
        "rw=randread bs=4k size=1g rate_iops=1000 runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "rate_iops overrules the mix",
        "rw=randrw rwmixread=70 bs=4k size=1g rate_iops=1000 runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "a rate each",
        "rw=randrw bs=4k size=1g rate_iops=700,300 runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "rate in bytes",
        "rw=write bs=64k size=1g rate=8m runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case("a rate and a size", "rw=write bs=64k size=8m rate=8m", Exactly, Exactly, Within(0.01)),
    case(
        "a rate wraps by time",
        "rw=read bs=4k size=1m rate_iops=2000 runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "a rate of a split is one of bytes",
        "rw=randread bssplit=8k/90:32k/10 size=1g rate_iops=5000 runtime=4 time_based norandommap",
        Drawn(0.48),
        Within(0.02),
        Within(0.01),
    ),
    case(
        "poisson",
        "rw=randread bs=4k size=1g rate_iops=8000 rate_process=poisson runtime=4 time_based",
        Drawn(1.0),
        Drawn(4_096.0),
        Within(0.01),
    ),
    case(
        "a rate at depth",
        "rw=randread bs=4k size=1g iodepth=16 rate_iops=1000 runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "the ramp counts against the size",
        "rw=write bs=4k size=12m rate_iops=1000 ramp_time=1s",
        Within(0.02),
        Within(0.02),
        Within(0.02),
    ),
    case(
        "a ramp before a runtime",
        "rw=randread bs=4k size=1g rate_iops=1000 ramp_time=1s runtime=1 time_based",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    // Pauses: a real sleep takes 60 µs longer, on a busy machine 10 ms; each adds up, so there are few of them.
    case(
        "thinktime",
        "rw=randread bs=4k size=1g thinktime=500000 thinktime_blocks=5 runtime=2250ms time_based",
        Exactly,
        Exactly,
        Within(0.03),
    ),
    case(
        "thinktime and a rate",
        "rw=randread bs=4k size=1g thinktime=500000 thinktime_blocks=5 rate_iops=20 runtime=2250ms time_based",
        Exactly,
        Exactly,
        Within(0.03),
    ),
    case(
        "thinktime is not rated",
        "rw=randread bs=4k size=1g thinktime=20000 thinktime_blocks=5 rate_iops=200 rate_ignore_thinktime=1 runtime=2 time_based",
        Within(0.05),
        Within(0.05),
        Within(0.03),
    ),
    // Several jobs.
    case(
        "exitall",
        "bs=4k size=1g rate_iops=100 exitall / rw=read number_ios=50 / rw=write runtime=5 time_based",
        Within(0.05),
        Within(0.05),
        Within(0.05),
    ),
    case(
        "a delayed start",
        "bs=4k size=1g rate_iops=500 runtime=1 time_based / rw=read / rw=write startdelay=1",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
    case(
        "a group is as long as its longest",
        "bs=4k size=1g rate_iops=100 time_based group_reporting / rw=read runtime=1 / rw=read runtime=3",
        Within(0.01),
        Within(0.01),
        Within(0.01),
    ),
];

/// The job file of a case.
fn text(case: &Case) -> String {
    let mut parts = case.job.split(" / ");
    let mut text = String::from("[global]\nioengine=null\n");
    let section = |text: &mut String, options: &str| {
        for option in options.split_whitespace() {
            text.push_str(option);
            text.push('\n');
        }
    };
    section(&mut text, parts.next().unwrap());
    let jobs: Vec<&str> = parts.collect();
    for (n, job) in if jobs.is_empty() { vec![(0, &"")] } else { jobs.iter().enumerate().collect() } {
        text.push_str(&format!("[job{n}]\n"));
        section(&mut text, job);
    }
    text
}

/// What is not close enough, a line each.
fn compare(case: &Case, ours: &[Entry], fios: &[Entry]) -> Vec<String> {
    let mut wrong = Vec::new();
    if ours.len() != fios.len() {
        return vec![format!("{}: {} entries instead of {}", case.name, ours.len(), fios.len())];
    }
    for (ours, fios) in ours.iter().zip(fios) {
        let mut check = |what: &str, close: Close, ours: f64, fios: f64| {
            let good = match close {
                Exactly => ours == fios,
                Within(share) => (ours - fios).abs() <= share * fios.max(1.0),
                Drawn(variance) => (ours - fios).abs() <= DEVIATIONS * (variance * (ours + fios)).sqrt(),
                Any => true,
            };
            if !good {
                wrong.push(format!("{}: {what} {ours} instead of fio's {fios}", case.name));
            }
        };
        for (d, direction) in ["read", "write", "trim"].into_iter().enumerate() {
            check(&format!("{direction} ios"), case.ios, ours.ios[d], fios.ios[d]);
            check(&format!("{direction} bytes"), case.bytes, ours.bytes[d], fios.bytes[d]);
            check(&format!("{direction} runtime"), case.runtime, ours.runtime[d], fios.runtime[d]);
        }
        check("syncs", Exactly, ours.syncs, fios.syncs);
        check("name", Exactly, f64::from(u8::from(ours.name != fios.name)), 0.0);
    }
    wrong
}

/// What remains wrong after so many tries: a busy machine may hold real fio up, a wrong model stays wrong.
fn differences(tries: u32, case: &Case) -> Vec<String> {
    let text = text(case);
    let ours: Vec<Entry> = virtual_run(crate::support::constant(100), &text).entries.iter().map(entry).collect();
    let mut wrong = Vec::new();
    for _ in 0..tries {
        wrong = compare(case, &ours, &real(&text));
        if wrong.is_empty() {
            break;
        }
    }
    wrong
}

#[test]
fn the_null_engine_agrees_with_fio() {
    if !can_run("fio") {
        return;
    }
    // Most of them sleep most of the time. Those that came out wrong next to others are tried again alone.
    let doubtful =
        in_parallel(4, CASES, |case| differences(2, case).first().map(|_| case.name.to_string()).into_iter().collect());
    let doubtful: Vec<&Case> = CASES.iter().filter(|case| doubtful.iter().any(|name| name == case.name)).collect();
    let wrong = in_parallel(1, &doubtful, |case| differences(tries(10), case));
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

/// How fast they are is the machine's; how they share is not.
#[test]
fn jobs_of_a_flow_keep_the_ratio_of_their_weights_as_fios_do() {
    if !can_run("fio") {
        return;
    }
    let head = "[global]\nioengine=null\nbs=4k\nsize=1g\nruntime=1\ntime_based\n";
    let cases = [
        ("two to one, spinning", "[a]\nrw=read\nflow=2\nrate_iops=500\n[b]\nrw=write\nflow=1\n", 2.0),
        (
            "four to one, sleeping",
            "[global]\nflow_sleep=1000\n[a]\nrw=read\nflow=8\nrate_iops=400\n[b]\nrw=write\nflow=2\n",
            4.0,
        ),
        (
            "clones have the weight each",
            "[global]\nflow_sleep=1000\ngroup_reporting\n[a]\nrw=read\nflow=8\nrate_iops=400\nnumjobs=2\n[b]\nrw=write\nflow=2\n",
            8.0,
        ),
    ];
    for (name, jobs, expected) in cases {
        let text = format!("{head}{jobs}");
        let ratio = |entries: Vec<Entry>| {
            let sum = |d: usize| entries.iter().map(|entry| entry.ios[d]).sum::<f64>();
            sum(0) / sum(1)
        };
        let ours = virtual_run(crate::support::constant(100), &text);
        let ours = ratio(ours.entries.iter().map(entry).collect());
        // A job of fio's that starts before the other has joined the flow runs free: what it does then is the machine's.
        let mut tries = (0..tries(10)).map(|_| ratio(real(&text)));
        let close = |found: &f64| (found / expected - 1.0).abs() < 0.1;
        assert!(tries.any(|found| close(&found)), "{name}: fio's is not {expected} in any try");
        assert!((ours / expected - 1.0).abs() < 0.02, "{name}: {ours} instead of {expected}");
    }
}
