//! Real fio 3.33 as the oracle: job files with its null engine, run by both.
//!
//! With that engine nothing depends on a device: counts, bytes, rates, pauses and ends are fio's own doing.

mod support;

use support::fio::{Entry, can_run, entry, in_parallel, real, virtual_run};

/// How close a figure must be: exactly, or within a share.
#[derive(Clone, Copy)]
enum Close {
    Exactly,
    Within(f64),
    /// Not compared.
    Any,
}

use Close::{Any, Exactly, Within};

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
    case("a mix moves its size", "rw=randrw bs=4k size=8m rwmixread=70", Within(0.03), Within(0.03), Any),
    // Sizes.
    case("a range covers", "rw=randread bsrange=4k-64k size=16m", Within(0.06), Exactly, Any),
    case("a split covers", "rw=randread bssplit=4k/50:64k/50 size=64m", Within(0.06), Exactly, Any),
    case(
        "a split without map",
        "rw=randread bssplit=4k/50:64k/50 size=64m norandommap",
        Within(0.06),
        Within(0.002),
        Any,
    ),
    case("a split in sequence", "rw=write bssplit=4k/50:64k/50 size=64m", Within(0.06), Within(0.002), Any),
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
        "rw=randread bssplit=8k/90:32k/10 size=1g rate_iops=500 runtime=4 time_based norandommap",
        Within(0.06),
        Within(0.02),
        Within(0.01),
    ),
    case(
        "poisson",
        "rw=randread bs=4k size=1g rate_iops=2000 rate_process=poisson runtime=4 time_based",
        Within(0.05),
        Within(0.05),
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
    // Pauses: a real sleep takes some 60 µs longer.
    case(
        "thinktime",
        "rw=randread bs=4k size=1g thinktime=10000 thinktime_blocks=5 runtime=1 time_based",
        Within(0.03),
        Within(0.03),
        Within(0.03),
    ),
    case(
        "thinktime and a rate",
        "rw=randread bs=4k size=1g thinktime=10000 thinktime_blocks=5 rate_iops=1000 runtime=1 time_based",
        Within(0.1),
        Within(0.1),
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

/// What remains wrong after five tries: a busy machine may hold real fio up, a wrong model stays wrong.
fn differences(case: &Case) -> Vec<String> {
    let text = text(case);
    let ours: Vec<Entry> = virtual_run(support::constant(100), &text).entries.iter().map(entry).collect();
    let mut wrong = Vec::new();
    for _ in 0..5 {
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
    // Most of them sleep most of the time.
    let wrong = in_parallel(4, CASES, differences);
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}
