//! Simulated I/Os per second without a cache: the event loop, the draws, the generator, the statistics.
//!
//! One volume, one disk without limits, 1,024 outstanding 8 KiB random reads, service times of premium SSD (a quantile
//! table), latency percentiles on. With fio's random map (each block once a pass) and without.

use std::time::Duration as CpuTime;

use dw_sim::{Progress, RunOptions, RunResult};
use dw_stack::{CacheMode, VmSpec};
use dw_units::{Bytes, Duration};
use dw_workload::{Job, Workload};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::{clock, rig};

/// Requests outstanding, all jobs together.
const OUTSTANDING: u32 = 1_024;
/// Bytes that the jobs read, together.
const FOOTPRINT: Bytes = Bytes::gib(120);
const IO_SIZE: Bytes = Bytes::kib(8);

pub fn bench() -> Bench {
    let row = |name, target, run| Row {
        name,
        unit: Unit::MillionsPerSecond,
        target,
        peer: Some("peer-kernels/desque, 1,024 slots"),
        run,
    };
    let target = Some(Target::TimesPeer(2.0));
    Bench {
        name: "no-cache",
        is_for: "simulated I/Os per second of the whole simulator where neither limits nor a cache are in the way",
        not_for: "limits, stripes, caches: see the other benches",
        rows: vec![
            row("4 jobs x 256, norandommap", target, |size| Ok(sample(size, 4, false))),
            row("4 jobs x 256, random map", target, |size| Ok(sample(size, 4, true))),
            row("1 job x 1,024, norandommap", target, |size| Ok(sample(size, 1, false))),
            row("1 job x 1,024, random map", target, |size| Ok(sample(size, 1, true))),
        ],
    }
}

fn sample(size: Size, jobs: u32, cover: bool) -> Sample {
    let (result, time) = simulate(Duration::from_ms(size.pick(100, 45_000)), jobs, cover);
    Sample::timed(result.simulated_ios, time)
}

/// Runs so much virtual time; about 640,000 I/Os per second of it.
pub fn simulate(runtime: Duration, jobs: u32, cover: bool) -> (RunResult, CpuTime) {
    let stack = rig::stack(VmSpec::default(), vec![rig::unlimited(Bytes::tib(1))], CacheMode::None);
    let share = FOOTPRINT / u64::from(jobs);
    let job = |n: u32| {
        let file = rig::file(share * u64::from(n), share);
        let mut job = Job::random_read("reader", file, IO_SIZE.get(), OUTSTANDING / jobs, runtime);
        job.access.cover = cover;
        job.clone = n;
        job
    };
    let workload = Workload { jobs: (0..jobs).map(job).collect() };
    let options = RunOptions { seed: 1, ..RunOptions::default() };
    let (result, time) = clock::timed(|| dw_sim::run(stack, &workload, &options, &Progress::default()));
    (result.expect("the workload fits the stack"), time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_simulates_what_it_says() {
        let mean_ns = rig::unlimited(Bytes::gib(1)).read.table.mean() as f64;
        for (jobs, cover) in [(4, false), (4, true), (1, false), (1, true)] {
            let (result, _) = simulate(Duration::from_ms(100), jobs, cover);
            // Reads take their service time, plus 8 KiB at the stream bandwidth of 500 MB/s.
            let expected = f64::from(OUTSTANDING) / (mean_ns + 16_384.0) * 1e8;
            let got = result.total.directions.read.ios as f64;
            assert!((got / expected - 1.0).abs() < 0.02, "{jobs} jobs: {got} reads instead of {expected:.0}");
            assert_eq!(result.little.0, result.little.1, "Little's law holds to the nanosecond");
            let histogram = result.total.directions.read.latency.histogram.expect("percentiles are on");
            assert!((2_750_000..2_950_000).contains(&histogram.value_at_quantile(0.5)));
        }
    }
}
