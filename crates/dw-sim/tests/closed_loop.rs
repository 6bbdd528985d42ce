//! What a closed loop must do whatever the storage: exact cases, and what always holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::support::*;
use dw_sim::{Progress, RunOptions, Watcher, run};
use dw_stack::{LimitSpec, ServiceTime};
use dw_units::Duration;
use dw_workload::{Direction, Mix, Workload};

#[test]
fn constant_latency_gives_depth_over_latency() {
    // 32 / 0.5 ms = 64,000 a second.
    let result = simulate(constant(500), vec![reads(32, 1)]);
    let read = &result.entries[0].load.read;
    // The last 32 are issued at 0.9995 s, the next would be at 1 s.
    assert_eq!(read.ios, 64_000);
    assert_eq!(read.runtime, Duration::from_secs(1));
    assert_eq!((read.clat.min, read.clat.max), (500_000, 500_000));
    assert_eq!(result.total.queue_depth, 32.0);
    assert_eq!(result.little.0, result.little.1);
}

#[test]
fn a_limit_binds_and_the_rest_waits() {
    let spec = stack(vec![disk(ServiceTime::constant(500_000), iops(20_000))]);
    let result = simulate(spec, vec![reads(32, 2)]);
    let read = &result.entries[0].load.read;
    assert!((read.ios as i64 - 40_000).abs() <= 32, "{}", read.ios);
    assert_eq!(read.clat.histogram.as_ref().unwrap().value_at_quantile(0.5) / 10_000, 160);
    assert_eq!(result.little.0, result.little.1);
}

#[test]
fn the_drain_is_counted_and_belongs_to_the_runtime() {
    // 10 ms, depth 8: what is in flight at 2 s ends 10 ms later at the latest.
    let mut job = reads(8, 2);
    job.start_delay = (Duration::from_ms(3), Duration::from_ms(3));
    let mut late = reads(8, 2);
    late.stop.runtime = Some(Duration::from_ms(1_995));
    let result = simulate(constant(10_000), vec![job, late]);
    assert_eq!(result.entries[0].load.read.runtime, Duration::from_ms(2_000));
    assert_eq!(result.entries[1].load.read.runtime, Duration::from_ms(2_000));
    assert_eq!(result.entries[1].load.read.ios, 1_600);
}

#[test]
fn half_widths_come_with_long_runs_only() {
    let spec = || stack(vec![disk(ServiceTime::constant(100_000), LimitSpec::default())]);
    let long = simulate(spec(), vec![reads(4, 2)]);
    assert!(long.total.iops_half_width.is_some_and(|w| w < 0.001));
    let mut short = reads(1, 2);
    short.stop.runtime = Some(Duration::from_ms(1));
    assert_eq!(simulate(spec(), vec![short]).total.iops_half_width, None);
}

#[test]
fn a_stop_leaves_a_partial_result() {
    let stops = |progress: &Progress| progress.stop.store(true, Relaxed);
    let workload = Workload { jobs: vec![reads(32, 100)] };
    let progress = Progress { watch: Some(Watcher(Arc::new(stops))), ..Progress::default() };
    let result = run(constant(500), &workload, &RunOptions::default(), &progress).unwrap();
    assert!(result.partial && result.virtual_time < Duration::from_secs(1));
    assert!(result.entries[0].load.read.ios > 0);

    // Stopped while caches are filled it does nothing more, and does not say that it did.
    let looks = Arc::new(AtomicU32::new(0));
    let counts = looks.clone();
    let second = move |progress: &Progress| {
        if counts.fetch_add(1, Relaxed) == 1 {
            stops(progress);
        }
    };
    let progress = Progress { watch: Some(Watcher(Arc::new(second))), ..Progress::default() };
    let options = RunOptions { warm: vec![(0, 0, 1_024 * GIB)], ..RunOptions::default() };
    let result = run(constant(500), &workload, &options, &progress).unwrap();
    assert_eq!((result.partial, result.entries[0].load.read.ios), (true, 0));
    assert!(looks.load(Relaxed) < 4, "it went on filling");

    let options = RunOptions { until: Some(Duration::from_ms(50)), ..RunOptions::default() };
    let result = run(constant(500), &workload, &options, &Progress::default()).unwrap();
    assert_eq!((result.partial, result.virtual_time), (true, Duration::from_ms(50)));
    let finished = simulate(constant(500), vec![reads(32, 1)]);
    assert!(!finished.partial);
}

#[test]
fn the_series_adds_up_to_the_run() {
    let mut job = reads(8, 2);
    job.mix = Mix::ReadWrite { read_percent: 70 };
    let options = RunOptions { series: Some(Duration::from_ms(250)), ..RunOptions::default() };
    let result = run(constant(700), &Workload { jobs: vec![job] }, &options, &Progress::default()).unwrap();
    for direction in [Direction::Read, Direction::Write] {
        let points = result.series.iter().filter(|p| p.direction == direction);
        assert_eq!(points.clone().map(|p| p.ios).sum::<u64>(), result.total.directions.get(direction).ios);
        assert!(points.clone().all(|p| p.latency_max == 700_000 && p.latency_sum == u128::from(p.ios) * 700_000));
        assert!((8..=9).contains(&points.count()));
    }
}

#[test]
fn a_job_that_does_not_fit_is_refused_with_a_reason() {
    let mut outside = reads(1, 1);
    outside.files[0].volume = 3;
    let mut beyond = reads(1, 1);
    beyond.files[0].start = 1 << 40;
    let mut endless = reads(1, 1);
    endless.stop.runtime = None;
    let rows = [
        (outside, "job `job`: file `f` is on volume 3, the stack has 1"),
        (beyond, "job `job`: file `f` ends at byte 1100585369600 of a volume of 1099511627776 bytes"),
        (endless, "job `job`: it runs by time, but has no runtime"),
    ];
    for (job, expected) in rows {
        let error = run(constant(1), &Workload { jobs: vec![job] }, &RunOptions::default(), &Progress::default());
        assert_eq!(error.unwrap_err().to_string(), expected);
    }
}
