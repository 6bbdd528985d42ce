//! Answers without events: one rig at a time.

use dw_estimate::{Cold, Estimate, Flow, Kind, Load, Phase, estimate, over_time, queue_depths};
use dw_stack::{CacheMode, LimitSpec, RateSpec, StackSpec, VmSpec, VolumeSpec};
use dw_units::Bytes;

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::{clock, rig};

/// A few milliseconds are an answer while somebody types.
const GOAL_MS: f64 = 5.0;

pub fn bench() -> Bench {
    let target = Some(Target::Figure { goal: GOAL_MS, floor: f64::INFINITY });
    let row = |name, target, run| Row { name, unit: Unit::Milliseconds, target, peer: None, run };
    Bench {
        name: "estimate",
        is_for: "how long the answer for one rig takes",
        not_for: "how near it is to the simulator: the tests of dw-sim say that",
        rows: vec![
            row("10 x P30 under DS14, 1,024 outstanding", target, |size| Ok(timed(size, || one_volume(1_024)))),
            row("3 volumes under one gate", target, |size| Ok(timed(size, three_volumes))),
            row("queue depths for a rate", target, |size| Ok(timed(size, depths))),
            // A hundred answers.
            row("a cache that warms up", None, |size| Ok(timed(size, || warming().len()))),
        ],
    }
}

/// The mean of several.
fn timed<T>(size: Size, answer: impl Fn() -> T) -> Sample {
    let times = size.pick(1, 20);
    let ((), time) = clock::timed(|| (0..times).for_each(|_| drop(std::hint::black_box(answer()))));
    Sample::timed(1, time / times)
}

fn one_volume(queue_depth: u32) -> Estimate {
    let spec = rig::stack(rig::ds14(), vec![rig::p30(); 10], CacheMode::None);
    estimate(&spec, &[Load::closed(0, queue_depth, Kind::random_write(8_192))])
}

/// Data, log and backup, of unequal sizes and depths.
fn contended() -> (StackSpec, Vec<Load>) {
    let mut spec = rig::stack(VmSpec::default(), vec![rig::p30(); 4], CacheMode::None);
    let gate = LimitSpec { iops: Some(RateSpec::plain(12_800)), throughput: Some(RateSpec::plain(192_000_000)) };
    spec.vm = VmSpec::with(LimitSpec::default(), gate);
    let volume = |disks: usize| VolumeSpec { disks: vec![rig::p30(); disks], ..spec.volumes[0].clone() };
    spec.volumes = vec![volume(4), volume(1), volume(2)];
    let loads = vec![
        Load::closed(0, 64, Kind::random_read(8_192)),
        Load::closed(1, 4, Kind::random_write(65_536)),
        Load::closed(2, 16, Kind::random_read(262_144)),
    ];
    (spec, loads)
}

fn three_volumes() -> Estimate {
    let (spec, loads) = contended();
    estimate(&spec, &loads)
}

fn depths() -> Vec<u32> {
    let (spec, mut loads) = contended();
    for (load, per_second) in loads.iter_mut().zip([4_000.0, 400.0, 200.0]) {
        load.flow = Flow::Open { per_second };
    }
    queue_depths(&spec, &loads)
}

fn warming() -> Vec<Phase> {
    let spec = rig::stack(rig::cached(Bytes::gib(64)), vec![rig::p30(); 4], CacheMode::ReadOnly);
    let loads = [Load::closed(0, 64, Kind::random_read(8_192))];
    over_time(&spec, &loads, &[Cold { load: 0, working_set: Bytes::gib(32) }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_those_of_the_rigs() {
        let rate = one_volume(1_024).loads[0].per_second;
        assert!((rate / 50_000.0 - 1.0).abs() < 0.02, "ten P30 give 50,000 I/Os a second: {rate:.0}");
        let full = three_volumes().limits.into_iter().filter(|limit| limit.share > 0.99).count();
        assert_eq!(full, 2, "the gate has no I/Os left for the small requests and no bytes for the large ones");
        assert!(depths().iter().all(|depth| (1..=64).contains(depth)), "{:?}", depths());
        let phases = warming();
        assert!(phases.last().is_some_and(|phase| (phase.hits[0] - 1.0).abs() < 1e-9), "the set fits into the cache");
    }
}
