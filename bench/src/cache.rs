//! Simulated I/Os per second with the two-tier host cache, and the memory of its index.
//!
//! 1 TiB of cache (RAM and SSD) in blocks of 64 KiB in front of one disk of 4,095 GiB, the largest that the host cache
//! takes, without limits. 1,024 outstanding 64 KiB I/Os over the whole disk, Zipf 0.99. The run begins cold and does
//! 1.2 × 10⁸ I/Os, so it holds the warm-up (misses, nothing leaves) and then evictions and the packing of the recency
//! log, which goes round several times.

use std::time::Duration as CpuTime;

use dw_sim::{Progress, RunOptions, RunResult};
use dw_stack::{CacheMode, Op, Request, Stack, VolumeId};
use dw_units::{Bytes, Instant};
use dw_workload::{Distribution, Job, Mix, PerDirection, Workload};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::{clock, rig};

const BLOCK: Bytes = Bytes::kib(64);
const OUTSTANDING: u32 = 1_024;
/// I/Os of the real size.
const IOS: u64 = 120_000_000;

/// How large the cache and the disk behind it are.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Bytes of cache, both tiers.
    pub cache: Bytes,
    /// Bytes of disk; the load goes over all of it.
    pub disk: Bytes,
}

/// What the published figures of others speak of.
pub const FULL: Scale = Scale { cache: Bytes::tib(1), disk: Bytes::gib(4_095) };
/// A thousandth of it, in which a short run reaches the steady state.
pub const SMALL: Scale = Scale { cache: Bytes::gib(1), disk: Bytes::gib(4) };

/// Several leaves of the index, which come into being whole.
const MIDDLE: Scale = Scale { cache: Bytes::gib(64), disk: Bytes::gib(256) };

pub fn bench() -> Bench {
    let rate = |name, run| Row {
        name,
        unit: Unit::MillionsPerSecond,
        target: Some(Target::TimesPeer(2.0)),
        peer: Some("peer-caches/schnellru"),
        run,
    };
    let memory = |name, target, run| Row { name, unit: Unit::BytesEach, target, peer: None, run };
    Bench {
        name: "cache",
        is_for: "simulated I/Os per second with a cache of realistic size, warm-up and compactions included; its memory",
        not_for: "limits; sizes that are no whole blocks",
        rows: vec![
            rate("64 KiB reads, Zipf 0.99", |size| Ok(sample(size, 100))),
            rate("64 KiB 70 % reads, Zipf 0.99", |size| Ok(sample(size, 70))),
            memory("index, whole blocks", Some(Target::Figure { goal: 24.0, floor: 24.0 }), |size| {
                Ok(index(size, false))
            }),
            memory("index, every leaf with partly valid blocks", None, |size| Ok(index(size, true))),
        ],
    }
}

fn sample(size: Size, read_percent: u8) -> Sample {
    let (scale, ios) = size.pick((SMALL, 60_000), (FULL, IOS));
    let (result, time) = simulate(scale, ios, read_percent);
    Sample::timed(result.simulated_ios, time)
}

fn job(scale: Scale, ios: u64, read_percent: u8) -> Job {
    let long = dw_units::Duration::from_secs(1_000_000);
    let file = rig::file(Bytes::ZERO, scale.disk);
    let mut job = Job::random_read("zipf", file, BLOCK.get(), OUTSTANDING, long);
    if read_percent < 100 {
        job.mix = Mix::ReadWrite { read_percent };
    }
    job.access.cover = false;
    job.access.distribution = PerDirection::all(Distribution::Zipf { theta: 0.99, center: None });
    job.stop.time_based = false;
    job.stop.bytes = BLOCK.get() * ios;
    job.stop.loops = 1;
    // A pass ends at the size of the files, however much `bytes` asks for: as many passes as it takes.
    let pass = scale.disk / BLOCK;
    if ios > pass {
        job.stop.bytes = scale.disk.get();
        job.stop.loops = ios.div_ceil(pass) as u32;
    }
    job.repeat_on_loop = false;
    job
}

/// Runs about so many I/Os from a cold start (whole passes over the disk when there are several).
pub fn simulate(scale: Scale, ios: u64, read_percent: u8) -> (RunResult, CpuTime) {
    let stack = rig::stack(rig::cached(scale.cache), vec![rig::unlimited(scale.disk)], CacheMode::ReadOnly);
    let workload = Workload { jobs: vec![job(scale, ios, read_percent)] };
    let options = RunOptions { seed: 1, ..RunOptions::default() };
    let (result, time) = clock::timed(|| dw_sim::run(stack, &workload, &options, &Progress::default()));
    (result.expect("the workload fits the stack"), time)
}

/// Bytes of index for each resident block when the cache is full and every address has been used.
fn index(size: Size, partly: bool) -> Sample {
    let scale = size.pick(MIDDLE, FULL);
    let spec = rig::stack(rig::cached(scale.cache), vec![rig::unlimited(scale.disk)], CacheMode::ReadOnly);
    let mut stack = Stack::new(spec).expect("the stack is sound");
    stack.warm(VolumeId(0), 0, scale.disk.get());
    if partly {
        // One short read in each leaf of 2¹⁶ blocks.
        let mut now = Instant::START;
        for offset in (0..scale.disk.get()).step_by((BLOCK.get() as usize) << 16) {
            let read = Request { volume: VolumeId(0), op: Op::Read, fua: false, offset, len: 8_192, user: 0 };
            stack.submit(now, read);
            while let Some(done) = stack.poll_completion(Instant::NEVER) {
                now = done.finished;
            }
        }
    }
    let blocks = stack.tally(Instant::NEVER).resident / BLOCK;
    Sample { work: blocks, time: CpuTime::ZERO, amount: stack.cache_index_bytes() as f64 }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use dw_workload::{Direction, Generator};
    use lru::LruCache;

    use super::*;

    #[test]
    fn its_hits_are_those_of_another_lru_cache() {
        let ios = 4 * 65_536;
        for read_percent in [100, 70] {
            let (result, _) = simulate(SMALL, ios, read_percent);
            let volume = &result.volumes[0];
            let reads = volume.reads_ram + volume.reads_ssd + volume.reads_miss;
            assert_eq!(reads, volume.load.directions.read.ios);
            assert_eq!(result.simulated_ios, ios);
            let hits = (volume.reads_ram + volume.reads_ssd) as f64 / reads as f64;

            let capacity = (SMALL.cache / BLOCK) as usize;
            let mut other = LruCache::new(NonZeroUsize::new(capacity).unwrap());
            let mut generator = Generator::new(&job(SMALL, ios, read_percent), 77).unwrap();
            let (mut others_hits, mut others_reads) = (0u64, 0u64);
            for _ in 0..ios {
                let direction = generator.direction();
                let Some(io) = generator.next(direction) else { break };
                let hit = other.put(io.offset / BLOCK.get(), ()).is_some();
                others_reads += u64::from(direction == Direction::Read);
                others_hits += u64::from(direction == Direction::Read && hit);
            }
            let expected = others_hits as f64 / others_reads as f64;
            assert!((hits - expected).abs() < 0.005, "{read_percent} % reads: {hits:.4} instead of {expected:.4}");
        }
    }

    #[test]
    fn the_index_is_small() {
        for partly in [false, true] {
            let sample = index(Size::Tiny, partly);
            assert_eq!(sample.work, MIDDLE.cache / BLOCK, "the cache is full");
            let each = sample.figure(Unit::BytesEach);
            let most = if partly { 32.5 } else { 24.5 };
            assert!((16.0..most).contains(&each), "{each} bytes a block, partly valid {partly}");
        }
    }
}
