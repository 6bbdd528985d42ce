//! The stack without the simulator around it: submit and poll, 1,024 outstanding, uniform 8 KiB requests.

use std::time::Duration as CpuTime;

use dw_stack::{CacheMode, Op, VmSpec};
use dw_units::Bytes;

use crate::bench::{Bench, Row, Sample, Size, Unit};
use crate::closed_loop::ClosedLoop;
use crate::{clock, rig};

const OUTSTANDING: u32 = 1_024;
const IO_SIZE: u32 = 8_192;
/// Bytes that requests go over.
const FOOTPRINT: Bytes = Bytes::gib(64);

pub fn bench() -> Bench {
    let row = |name, run| Row { name, unit: Unit::MillionsPerSecond, target: None, peer: None, run };
    Bench {
        name: "stack-alone",
        is_for: "what the model itself costs, without generator, virtual fio and statistics",
        not_for: "a rate that a user sees",
        rows: vec![
            row("no limits", |size| Ok(sample(size, Rig::NoLimits))),
            row("P30", |size| Ok(sample(size, Rig::P30))),
            row("10 x P30 under DS14", |size| Ok(sample(size, Rig::Ds14))),
            row("warm cache", |size| Ok(sample(size, Rig::WarmCache))),
        ],
    }
}

/// What is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rig {
    /// One disk, no limits.
    NoLimits,
    /// One P30.
    P30,
    /// Ten P30 in a stripe under the limits of a DS14; writes.
    Ds14,
    /// All requests hit the host cache; no limits.
    WarmCache,
}

/// The loop of a rig, ready to run.
pub fn closed_loop(rig: Rig) -> ClosedLoop {
    let none = VmSpec::default();
    let unlimited = || vec![rig::unlimited(Bytes::tib(1))];
    let (spec, op) = match rig {
        Rig::NoLimits => (rig::stack(none, unlimited(), CacheMode::None), Op::Read),
        Rig::P30 => (rig::stack(none, vec![rig::p30()], CacheMode::None), Op::Read),
        Rig::Ds14 => (rig::stack(rig::ds14(), vec![rig::p30(); 10], CacheMode::None), Op::Write),
        Rig::WarmCache => (rig::stack(rig::cached(Bytes::gib(128)), unlimited(), CacheMode::ReadOnly), Op::Read),
    };
    ClosedLoop::new(spec, op, IO_SIZE, FOOTPRINT.get() / u64::from(IO_SIZE), OUTSTANDING)
}

fn sample(size: Size, rig: Rig) -> Sample {
    let ios = size.pick(20_000, 20_000_000);
    let mut the_loop = closed_loop(rig);
    let ((), time): ((), CpuTime) = clock::timed(|| the_loop.run(ios));
    Sample::timed(ios, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rig_runs_at_its_limit() {
        // (rig, I/Os, I/Os per second expected, tolerance)
        let mean = rig::unlimited(Bytes::gib(1)).read.table.mean() as f64 + 16_384.0;
        let ram = rig::host_cache(Bytes::gib(1)).ssd_read.table.mean() as f64;
        let cases = [
            (Rig::NoLimits, 200_000, 1_024e9 / mean, 0.02),
            (Rig::P30, 20_000, 5_000.0, 0.02),
            (Rig::Ds14, 200_000, 50_000.0, 0.02),
            // Most of it is on the SSD tier, 2 GiB of 64 in RAM; 8 KiB stream at 2 GB/s.
            (Rig::WarmCache, 400_000, 1_024e9 / (ram + 4_096.0), 0.05),
        ];
        for (rig, ios, expected, tolerance) in cases {
            let mut the_loop = closed_loop(rig);
            the_loop.run(ios);
            let tally = the_loop.stack().tally(the_loop.now);
            assert_eq!((tally.completed, tally.submitted), (ios, ios + u64::from(OUTSTANDING)));
            let got = ios as f64 / the_loop.now.ns() as f64 * 1e9;
            assert!((got / expected - 1.0).abs() < tolerance, "{rig:?}: {got:.0} instead of {expected:.0}");
            assert_eq!(tally.volumes[0].misses, 0);
        }
    }
}
