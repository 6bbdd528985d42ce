//! Caches of 1,048,576 blocks under uniform accesses to 5/4 as many: four in five hit.
//!
//! The others are looked up and, on a miss, filled, with a block number as key and nothing of note as value. Ours is a
//! whole stack with a cache of that size: its row also pays for the event queue, service times and completions.

use std::num::NonZeroUsize;

use dw_stack::{CacheMode, Op};
use dw_units::Bytes;
use dw_workload::rng::Stream;

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::closed_loop::ClosedLoop;
use crate::{clock, rig};

const BLOCK: Bytes = Bytes::kib(64);

pub fn bench() -> Bench {
    let row = |name, run| Row { name, unit: Unit::MillionsPerSecond, target: None, peer: None, run };
    Bench {
        name: "peer-caches",
        is_for: "accesses a second of caches that others publish, next to a stack with a cache of the same size",
        not_for: "hit ratios; caches shared between threads, which some of them are made for",
        rows: vec![
            Row {
                peer: Some("peer-caches/schnellru"),
                target: Some(Target::TimesPeer(2.0)),
                ..row("our stack, whole requests", |size| Ok(stack(size).0))
            },
            row("schnellru", |size| Ok(peer::<Schnell>(size).0)),
            row("quick_cache, unsync", |size| Ok(peer::<Quick>(size).0)),
            row("lru", |size| Ok(peer::<Lru>(size).0)),
            row("moka, sync", |size| Ok(peer::<Moka>(size).0)),
        ],
    }
}

/// Blocks of cache.
fn capacity(size: Size) -> u64 {
    size.pick(1 << 12, 1 << 20)
}

/// Accesses that are measured.
fn accesses(size: Size) -> u64 {
    size.pick(1 << 15, 1 << 22)
}

trait Cache {
    fn new(capacity: usize) -> Self;
    /// Looks up and fills; whether it was there.
    fn access(&mut self, block: u32) -> bool;
}

struct Schnell(schnellru::LruMap<u32, u32>);
impl Cache for Schnell {
    fn new(capacity: usize) -> Self {
        Schnell(schnellru::LruMap::new(schnellru::ByLength::new(capacity as u32)))
    }
    fn access(&mut self, block: u32) -> bool {
        let hit = self.0.get(&block).is_some();
        if !hit {
            self.0.insert(block, block);
        }
        hit
    }
}

struct Quick(quick_cache::unsync::Cache<u32, u32>);
impl Cache for Quick {
    fn new(capacity: usize) -> Self {
        Quick(quick_cache::unsync::Cache::new(capacity))
    }
    fn access(&mut self, block: u32) -> bool {
        let hit = self.0.get(&block).is_some();
        if !hit {
            self.0.insert(block, block);
        }
        hit
    }
}

struct Lru(lru::LruCache<u32, u32>);
impl Cache for Lru {
    fn new(capacity: usize) -> Self {
        Lru(lru::LruCache::new(NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN)))
    }
    fn access(&mut self, block: u32) -> bool {
        let hit = self.0.get(&block).is_some();
        if !hit {
            self.0.put(block, block);
        }
        hit
    }
}

struct Moka(moka::sync::Cache<u32, u32>);
impl Cache for Moka {
    fn new(capacity: usize) -> Self {
        Moka(moka::sync::Cache::builder().max_capacity(capacity as u64).build())
    }
    fn access(&mut self, block: u32) -> bool {
        let hit = self.0.get(&block).is_some();
        if !hit {
            self.0.insert(block, block);
        }
        hit
    }
}

/// The sample, and the share of hits.
fn peer<C: Cache>(size: Size) -> (Sample, f64) {
    let capacity = capacity(size);
    let mut cache = C::new(capacity as usize);
    let mut rng = Stream::new(1, 0);
    let blocks = capacity + capacity / 4;
    // Filled, and used long enough that residence is random.
    for block in (0..blocks as u32).chain((0..capacity).map(|_| rng.below(blocks) as u32)) {
        cache.access(block);
    }
    let accesses = accesses(size);
    let (hits, time) = clock::timed(|| (0..accesses).filter(|_| cache.access(rng.below(blocks) as u32)).count());
    (Sample::timed(accesses, time), hits as f64 / accesses as f64)
}

/// The sample, and the share of hits.
fn stack(size: Size) -> (Sample, f64) {
    let capacity = capacity(size);
    let blocks = capacity + capacity / 4;
    let disk = rig::unlimited(BLOCK * (blocks + 1));
    let spec = rig::stack(rig::cached(BLOCK * capacity), vec![disk], CacheMode::ReadOnly);
    let mut the_loop = ClosedLoop::new(spec, Op::Read, BLOCK.get() as u32, blocks, 32);
    the_loop.run(2 * capacity);
    let before = the_loop.stack().tally(the_loop.now).volumes[0].misses;
    // More than the others do, so that the log is packed several times.
    let accesses = 4 * accesses(size);
    let ((), time) = clock::timed(|| the_loop.run(accesses));
    let misses = the_loop.stack().tally(the_loop.now).volumes[0].misses - before;
    (Sample::timed(accesses, time), 1.0 - misses as f64 / accesses as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_five_hit() {
        let cases = [
            ("ours", stack(Size::Tiny).1),
            ("schnellru", peer::<Schnell>(Size::Tiny).1),
            ("quick_cache", peer::<Quick>(Size::Tiny).1),
            ("lru", peer::<Lru>(Size::Tiny).1),
            ("moka", peer::<Moka>(Size::Tiny).1),
        ];
        for (name, hits) in cases {
            // What evicts late (moka) or early holds a little more or less.
            assert!((hits - 0.8).abs() < 0.03, "{name}: {hits}");
        }
    }
}
