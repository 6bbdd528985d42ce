//! A recorded load, replayed: an open loop interval by interval, with the time series of the result.
//!
//! Reads and writes of a stripe and of a cached disk under DS14, whose rates change with each interval: the jobs that a
//! recording is made into. Nothing is saturated, so most requests wait for no limit.

use std::time::Duration as CpuTime;

use dw_sim::{Progress, RunOptions, RunResult};
use dw_stack::{CacheMode, Credits, Path, StackSpec, VmSpec, VolumeSpec};
use dw_units::{Bytes, Duration};
use dw_workload::{
    Direction, FileExtent, Job, Mix, Pacing, PerDirection, Rate, Replay, ReplayStep, ReplayStream, Workload,
};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::{clock, rig};

const INTERVALS: u64 = 4;
/// Clones of each direction of each volume.
const CLONES: u32 = 2;
/// What each of them asks for in the first interval, and how much more in each that follows, I/Os per second.
const RATE: (u64, u64) = (1_000, 300);

pub fn bench() -> Bench {
    Bench {
        name: "replay",
        is_for: "simulated I/Os per second of a recorded load, which a person waits for when a report is made",
        not_for: "closed loops; limits that hold requests up",
        rows: vec![
            Row {
                name: "open loop on a stripe and a cached disk",
                unit: Unit::MillionsPerSecond,
                target: None,
                peer: None,
                run: |size| {
                    let (result, time) = simulate(Duration::from_ms(size.pick(50, 100_000)));
                    Ok(Sample::timed(result.simulated_ios, time))
                },
            },
            by_kind("a day of 3 volumes by kind", 500.0, |size| Ok(a_day(size, 3))),
            by_kind("a day of 30 volumes by kind", 2_000.0, |size| Ok(a_day(size, 30))),
        ],
    }
}

fn by_kind(name: &'static str, goal: f64, run: fn(Size) -> Result<Sample, String>) -> Row {
    let target = Some(Target::Figure { goal, floor: f64::INFINITY });
    Row { name, unit: Unit::Milliseconds, target, peer: None, run }
}

/// A day of which samples are simulated: volumes on a P30 each, which is busy at noon.
fn a_day(size: Size, volumes: u16) -> Sample {
    let (volumes, steps) = (size.pick(1, volumes), size.pick(20, 1_000));
    let sampled = Some(size.pick(30_000.0, dw_sim::SAMPLED));
    let disk = rig::p30();
    let volume = |number: u16| VolumeSpec {
        name: format!("v{number}"),
        disks: vec![disk.clone()],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    };
    let stack = StackSpec {
        vm: VmSpec::default(),
        volumes: (0..volumes).map(volume).collect(),
        credits: Credits::Full,
        seed: 1,
    };
    let step = 86_400 / steps;
    let rate = |at: u64| 50 + 1_000 * at.min(steps - at) / steps;
    let stream = |volume: u16, direction: Direction| ReplayStream {
        file: FileExtent { name: "all".into(), volume, start: 0, offset: 0, len: Bytes::gib(256).get() },
        direction,
        random_percent: 100,
        steps: (0..steps).map(|at| ReplayStep { requests: step * rate(at), size: 8_192, queue_depth: 1_024 }).collect(),
    };
    let replay = Replay {
        ends: (1..=steps).map(|at| Duration::from_secs(at * step)).collect(),
        streams: (0..volumes).flat_map(|of| [Direction::Read, Direction::Write].map(|d| stream(of, d))).collect(),
    };
    let options = RunOptions { seed: 1, series: Some(Duration::from_secs(360)), ..RunOptions::default() };
    let (result, time) = clock::timed(|| dw_sim::replay(stack, &replay, &options, &Progress::default(), sampled));
    Sample::timed(result.expect("the recording fits the stack").simulated_ios, time)
}

fn jobs(interval: Duration) -> Vec<Job> {
    let job = |at: u64, volume: u16, direction: Direction, clone: u32| {
        let file = FileExtent { name: "all".into(), volume, start: 0, offset: 0, len: Bytes::gib(256).get() };
        let size = if direction == Direction::Read { 8_192 } else { 12_288 };
        let mut job = Job::random_read("recorded", file, size, 1_024, interval);
        job.section = at as u32 * 4 + u32::from(volume) * 2 + direction as u32;
        job.clone = clone;
        job.mix = Mix::Only(direction);
        job.access.cover = false;
        job.rate = PerDirection::all(Some(Rate::Iops(RATE.0 + RATE.1 * at)));
        job.pacing = Pacing::PoissonOffload;
        let delay = Duration::from_ns(interval.ns() * at);
        job.start_delay = (delay, delay);
        job
    };
    let mut jobs = Vec::new();
    for at in 0..INTERVALS {
        for volume in 0..2 {
            for direction in [Direction::Read, Direction::Write] {
                jobs.extend((0..CLONES).map(|clone| job(at, volume, direction, clone)));
            }
        }
    }
    jobs
}

/// Runs it with intervals of this length.
pub fn simulate(interval: Duration) -> (RunResult, CpuTime) {
    let volume = |name: &str, disks, host_cache| VolumeSpec {
        name: name.into(),
        disks: vec![rig::p30(); disks],
        stripe_unit: Bytes::kib(64),
        host_cache,
        path: Path::default(),
    };
    let vm = VmSpec { host_cache: Some(rig::host_cache(Bytes::gib(576))), ..rig::ds14() };
    let volumes = vec![volume("stripe", 10, CacheMode::None), volume("cached", 1, CacheMode::ReadOnly)];
    let stack = StackSpec { vm, volumes, credits: Credits::Full, seed: 1 };
    let workload = Workload { jobs: jobs(interval) };
    let options = RunOptions { seed: 1, series: Some(Duration::from_ms(1_000)), ..RunOptions::default() };
    let (result, time) = clock::timed(|| dw_sim::run(stack, &workload, &options, &Progress::default()));
    (result.expect("the workload fits the stack"), time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_sampled() {
        for row in &bench().rows[1..] {
            assert!((row.run)(Size::Tiny).unwrap().work > 10_000, "{}", row.name);
        }
    }

    #[test]
    fn it_asks_at_its_rates() {
        let (result, _) = simulate(Duration::from_ms(1_000));
        let asked: u64 = (0..INTERVALS).map(|at| RATE.0 + RATE.1 * at).sum::<u64>() * u64::from(CLONES) * 4;
        // Gaps of whole microseconds, each rounded down: a little more than was asked.
        let share = result.simulated_ios as f64 / asked as f64;
        assert!((0.98..1.05).contains(&share), "{} I/Os, asked were {asked}", result.simulated_ios);
        assert_eq!(result.little.0, result.little.1, "Little's law holds to the nanosecond");
        assert!(!result.series.is_empty());
    }
}
