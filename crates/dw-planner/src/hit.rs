//! How a shared host cache divides itself, and what each volume's reads hit.
//!
//! The cache is one LRU: nobody sets shares, they follow from the load. A block stays for a time that is the same for all
//! volumes (Che, Tung and Wang, 2002, "Hierarchical Web caching systems"). A volume that touches `λ` bytes per second and hits
//! with `H(c)` when it holds `c` bytes gains `λ(1 − H(c))` a second, so it needs `∫ dc / (λ(1 − H(c)))` to fill `c`: the
//! common time is the one at which all of them together fill the cache.
//!
//! With a working set of which every byte is as likely as any other, `p = cache / working set` of a volume's blocks are resident.
//! Not all of a resident block is valid: a miss brings in the sectors that were read, not the block. A use finds its block
//! resident with probability `p`, whatever was before, so since a block came it has had `n` uses with probability
//! `(1 − p) pⁿ`. A read is a hit when one of them was a read of the same part (`s` of the block), or enough of them were writes
//! that cover it. With reads alone that is
//!
//! ```text
//! h = Σ (1 − p) pⁿ (1 − (1 − s)ⁿ) = p s / (1 − p (1 − s))
//! ```
//!
//! and 8 KiB of a block of 64 KiB at p = 0.91 hit 0.56 of the time. Requests as large as a block hit `p`; a working set that
//! fits hits always. Where `k` writes are needed to cover a read, the parts that none of them covered are counted by inclusion
//! and exclusion: `h = Σ (−1)ᵃ C(k, a) (1 − p) / (1 − p q(a))`, `q(a)` being the chance that a use covers none of `a` parts.
//!
//! Ignores: bursts of locality, what the temp disk takes of the same SSD, warm-up; requests that lie across two blocks.
//!
//! Invariant: shares add up to at most the cache; logarithms are `libm`'s, so that every machine computes the same.

use dw_units::Bytes;

use crate::problem::{HitCurve, ONE, Parts, Sample, Volume};

/// Unit of residence of the catalogue's default cache.
const BLOCK: Bytes = dw_catalogue::host_cache::BLOCK;
/// Unit of validity in it.
const SECTOR: u64 = 4_096;

/// Mean size of reads and of writes over all stamps.
pub(crate) fn mean_sizes(samples: &[Sample]) -> (u64, u64) {
    let sum = |take: fn(&Sample) -> u64| samples.iter().map(|s| u128::from(take(s))).sum::<u128>();
    let mean = |bytes: u128, requests: u128| bytes.checked_div(requests).unwrap_or(0) as u64;
    (mean(sum(|s| s.read_bytes), sum(|s| s.reads)), mean(sum(|s| s.write_bytes), sum(|s| s.writes)))
}

/// Parts per million that hit for each `(curve, bytes touched a second)`, in a cache of `capacity` bytes.
pub fn ratios(capacity: u64, volumes: &[(&HitCurve, f64)]) -> Vec<u32> {
    let held = holdings(capacity, volumes).into_iter().zip(volumes);
    held.map(|(held, (curve, _))| valid(curve, hit_at(curve, held))).collect()
}

/// What is known of a volume whose reads a shared cache serves.
#[derive(Clone, Debug)]
pub struct Sharer {
    curve: HitCurve,
    /// What it moves through the cache a second, as [`ratios`] counts it, and the blocks that it uses.
    touched: f64,
    blocks: f64,
}

/// What a shared cache serves of the reads of one volume, as parts of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// In the long run.
    pub settled: f64,
    /// As long as every block that is resident was brought in as a whole.
    pub whole: f64,
    /// Share of the blocks that are resident which others replace, a second.
    pub replaced: f64,
}

impl Sharer {
    /// Every byte of `size` is as likely as any other; `samples` are a second each.
    pub fn working_set(size: Bytes, samples: &[Sample]) -> Sharer {
        Sharer::of(HitCurve::working_set(size, parts(samples)), samples)
    }

    /// By a curve that is known.
    pub fn of(curve: HitCurve, samples: &[Sample]) -> Sharer {
        let touched = moved(samples, curve.parts.is_some());
        Sharer { curve, touched, blocks: moved(samples, true) / BLOCK.get() as f64 }
    }
}

/// What a cache of `capacity` bytes serves of each of them.
///
/// A cache that begins with whole blocks, as after a scan, loses them one by one: of a working set with `N` blocks, `p N` of them resident
/// and used `u` times a second in all, `u (1 − p)` are missed a second and take the places of others, so that of the whole ones
/// `exp(−u (1 − p) t / p N)` are left after `t`.
pub fn served(capacity: u64, sharers: &[Sharer]) -> Vec<Served> {
    let curves: Vec<(&HitCurve, f64)> = sharers.iter().map(|of| (&of.curve, of.touched)).collect();
    let of = |(sharer, held): (&Sharer, f64)| {
        let resident = hit_at(&sharer.curve, held);
        let share = |ppm: u32| f64::from(ppm) / f64::from(ONE);
        let replaced = sharer.blocks * (1.0 - share(resident)) * BLOCK.get() as f64 / held.max(1.0);
        let replaced = if sharer.curve.parts.is_some() { replaced } else { 0.0 };
        Served { settled: share(valid(&sharer.curve, resident)), whole: share(resident), replaced }
    };
    sharers.iter().zip(holdings(capacity, &curves)).map(of).collect()
}

impl Served {
    /// So many seconds after a start with whole blocks.
    pub fn after(&self, seconds: f64) -> f64 {
        self.settled + (self.whole - self.settled) * libm::exp(-self.replaced * seconds)
    }
}

/// Bytes of the cache that each of them holds.
pub(crate) fn holdings(capacity: u64, volumes: &[(&HitCurve, f64)]) -> Vec<f64> {
    let whole: u64 = volumes.iter().map(|(curve, _)| end(curve)).fold(0, u64::saturating_add);
    if whole <= capacity {
        return volumes.iter().map(|(curve, _)| end(curve) as f64).collect();
    }
    let filled = |time: f64| volumes.iter().map(|(curve, touched)| held(curve, time * touched)).sum::<f64>();
    let (mut low, mut high) = (0.0, 1.0);
    while filled(high) < capacity as f64 && high < 1e18 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if filled(middle) <= capacity as f64 { low = middle } else { high = middle }
    }
    volumes.iter().map(|(curve, touched)| held(curve, low * touched)).collect()
}

/// What a volume moves through the cache a second, on average: bytes, or where blocks count the blocks that it uses.
pub(crate) fn touched(volume: &Volume) -> f64 {
    touched_in_blocks(volume, volume.hits.as_ref().is_some_and(|curve| curve.parts.is_some()))
}

/// The same, in blocks or in bytes.
pub(crate) fn touched_in_blocks(volume: &Volume, in_blocks: bool) -> f64 {
    moved(&volume.samples, in_blocks)
}

fn moved(samples: &[Sample], in_blocks: bool) -> f64 {
    let block = BLOCK.get();
    let moved = |requests: u64, bytes: u64| {
        if in_blocks { u128::from(bytes).max(u128::from(requests) * u128::from(block)) } else { u128::from(bytes) }
    };
    let of = |s: &Sample| moved(s.reads, s.read_bytes) + moved(s.writes, s.write_bytes);
    samples.iter().map(of).sum::<u128>() as f64 / samples.len().max(1) as f64
}

/// How the requests of these samples fill blocks.
pub(crate) fn parts(samples: &[Sample]) -> Parts {
    let sum = |take: fn(&Sample) -> u64| samples.iter().map(|s| u128::from(take(s))).sum::<u128>();
    let (reads, writes) = (sum(|s| s.reads), sum(|s| s.writes));
    let (read, write) = mean_sizes(samples);
    let share =
        |bytes: u64| (u128::from(bytes) * u128::from(ONE) / u128::from(BLOCK.get())).min(u128::from(ONE)) as u32;
    // A write makes valid what it covers wholly, and where it begins is known of whole sectors alone.
    let is_whole = write > 0 && write.is_multiple_of(SECTOR) && read.is_multiple_of(SECTOR);
    let needed = if is_whole { read.div_ceil(write).clamp(1, 16) as u32 } else { 1 };
    Parts {
        reads: (reads * u128::from(ONE)).checked_div(reads + writes).unwrap_or(0) as u32,
        read: share(read),
        write: if is_whole { share(write).min(ONE / needed) } else { 0 },
        writes_a_read: needed,
    }
}

/// Parts per million of reads that hit when so many blocks are resident, rounded down.
pub(crate) fn valid(curve: &HitCurve, resident: u32) -> u32 {
    let is_whole = |parts: &Parts| parts.reads == ONE && parts.read == ONE;
    let Some(parts) = curve.parts.filter(|parts| resident < ONE && !is_whole(parts)) else { return resident };
    let share = |ppm: u32| f64::from(ppm) / f64::from(ONE);
    let (p, reads) = (share(resident), share(parts.reads));
    let covered = |a: u32| reads * share(parts.read) + (1.0 - reads) * (f64::from(a) * share(parts.write)).min(1.0);
    let (mut hits, mut ways) = (0.0, 1.0);
    for a in 0..=parts.writes_a_read {
        let none = if a == 0 { 1.0 } else { 1.0 - covered(a).min(1.0) };
        let term = ways * (1.0 - p) / (1.0 - p * none);
        hits += if a % 2 == 0 { term } else { -term };
        ways = ways * f64::from(parts.writes_a_read - a) / f64::from(a + 1);
    }
    ((hits.clamp(0.0, p)) * f64::from(ONE)) as u32
}

/// Where a curve ends: more cache changes nothing.
fn end(curve: &HitCurve) -> u64 {
    curve.points.last().map_or(0, |point| point.0)
}

/// The pieces of a curve: length in bytes, hits at both ends.
fn pieces(curve: &HitCurve) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
    let mut from = (0u64, 0u32);
    curve.points.iter().map(move |&to| {
        let share = |ppm: u32| f64::from(ppm) / f64::from(ONE);
        let piece = ((to.0 - from.0) as f64, share(from.1), share(to.1));
        from = to;
        piece
    })
}

/// Bytes that a volume holds once `touched` bytes have passed since the cache was empty.
fn held(curve: &HitCurve, mut touched: f64) -> f64 {
    let mut sum = 0.0;
    for (length, a, b) in pieces(curve) {
        if length <= 0.0 {
            continue;
        }
        let slope = (b - a) / length;
        let needed = match () {
            () if a >= 1.0 => return sum,
            () if b >= 1.0 => f64::INFINITY,
            () if slope <= 0.0 => length / (1.0 - a),
            () => libm::log((1.0 - a) / (1.0 - b)) / slope,
        };
        if touched < needed {
            let part = match slope <= 0.0 {
                true => touched * (1.0 - a),
                false => (1.0 - a) / slope * (1.0 - libm::exp(-slope * touched)),
            };
            return sum + part.min(length);
        }
        touched -= needed;
        sum += length;
    }
    sum
}

/// Parts per million that hit with so many bytes, rounded down.
fn hit_at(curve: &HitCurve, bytes: f64) -> u32 {
    let mut from = 0.0;
    for (length, a, b) in pieces(curve) {
        if bytes < from + length {
            return ((a + (b - a) * (bytes - from) / length) * f64::from(ONE)) as u32;
        }
        from += length;
    }
    curve.points.last().map_or(0, |point| point.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests as large as a block.
    fn set(gib: u64) -> HitCurve {
        let whole = Parts { reads: ONE, read: ONE, write: 0, writes_a_read: 1 };
        HitCurve::working_set(Bytes::gib(gib), whole)
    }

    #[test]
    fn what_is_resident_is_not_all_valid() {
        let hits = |parts: Parts, cache: u64, set: u64| {
            let curve = HitCurve::working_set(Bytes::gib(set), parts);
            ratios(Bytes::gib(cache).get(), &[(&curve, 1e6)])[0]
        };
        let reads = |read| Parts { reads: ONE, read, write: 0, writes_a_read: 1 };
        let mixed = |read, write, writes_a_read| Parts { reads: ONE / 2, read, write, writes_a_read };
        // p s / (1 − p (1 − s)); a write of the same size is as good as a read; two of half the size are not.
        let cases = [
            ("8 KiB of 64", reads(125_000), 91, 100, 558_282),
            ("a block", reads(ONE), 91, 100, 910_000),
            ("all fits", reads(125_000), 100, 100, ONE),
            ("writes that say nothing", mixed(125_000, 0, 1), 91, 100, 387_234),
            ("writes as large", mixed(125_000, 125_000, 1), 91, 100, 558_282),
            ("writes half as large", mixed(125_000, 62_500, 2), 91, 100, 414_979),
        ];
        for (name, parts, cache, set, expected) in cases {
            let got = hits(parts, cache, set);
            assert!(got.abs_diff(expected) <= 3, "{name}: {got}");
        }
    }

    #[test]
    fn a_cache_of_whole_blocks_serves_more_until_they_are_replaced() {
        let sample = |reads, writes| Sample { reads, writes, read_bytes: reads * 8_192, write_bytes: writes * 8_192 };
        let of = |gib, reads, writes| Sharer::working_set(Bytes::gib(gib), &[sample(reads, writes)]);
        let alone = served(Bytes::gib(91).get(), &[of(100, 1_000, 0)])[0];
        assert!((alone.settled - 0.558_282).abs() < 1e-5 && (alone.whole - 0.91).abs() < 1e-5, "{alone:?}");
        // 90 blocks a second of 91 GiB.
        assert!((alone.replaced - 90.0 * 65_536.0 / (91u64 << 30) as f64).abs() < 1e-9, "{alone:?}");
        assert!((alone.after(0.0), alone.after(1e9)) == (alone.whole, alone.settled));
        // The busier holds more, and what fits is served for good.
        let both = served(Bytes::gib(100).get(), &[of(100, 9_000, 0), of(100, 500, 500)]);
        assert!(both[0].whole > 0.7 && both[1].whole < 0.3, "{both:?}");
        assert_eq!(served(Bytes::gib(100).get(), &[of(60, 1, 0), of(40, 1, 0)])[1].after(1e6), 1.0);
    }

    #[test]
    fn a_volume_alone_hits_what_fits() {
        let cases = [(100, 50, 500_000), (100, 99, 990_000), (100, 100, 1_000_000), (100, 400, 1_000_000), (100, 0, 0)];
        for (working_set, cache, expected) in cases {
            let ratio = ratios(Bytes::gib(cache).get(), &[(&set(working_set), 1e6)])[0];
            assert!(ratio.abs_diff(expected) <= 1, "{working_set} GiB in {cache} GiB: {ratio}");
        }
    }

    #[test]
    fn equals_share_alike_and_the_busier_holds_more() {
        let a = set(100);
        let even = ratios(Bytes::gib(100).get(), &[(&a, 5e6), (&a, 5e6)]);
        assert!(even[0] == even[1] && even[0].abs_diff(500_000) <= 1, "{even:?}");
        let uneven = ratios(Bytes::gib(100).get(), &[(&a, 9e6), (&a, 1e6)]);
        assert!(uneven[0] > 700_000 && uneven[1] < 300_000, "{uneven:?}");
        assert!((uneven[0] + uneven[1]).abs_diff(1_000_000) <= 2, "{uneven:?}");
    }

    #[test]
    fn who_touches_nothing_holds_nothing() {
        assert_eq!(ratios(Bytes::gib(10).get(), &[(&set(100), 0.0), (&set(100), 1e6)]), [0, 99_999]);
    }

    /// The twin fills the cache a little at a time.
    #[test]
    fn filling_slowly_comes_to_the_same() {
        let curve = HitCurve::measured(vec![(20 << 30, 600_000), (60 << 30, 600_000), (200 << 30, 950_000)]);
        let (other, third) = (set(80), set(30));
        let volumes = [(&curve, 3e8), (&other, 1e8), (&third, 5e7)];
        for gib in [5, 40, 100, 250] {
            let fast = ratios(Bytes::gib(gib).get(), &volumes);
            let slow = ratios_slowly(Bytes::gib(gib).get() as f64, &volumes);
            for (a, b) in fast.iter().zip(slow) {
                assert!(a.abs_diff(b) < 2_000, "{gib} GiB: {fast:?}");
            }
        }
    }

    fn ratios_slowly(capacity: f64, volumes: &[(&HitCurve, f64)]) -> Vec<u32> {
        let mut held = vec![0.0; volumes.len()];
        let step = capacity / volumes.iter().map(|v| v.1).sum::<f64>() / 20_000.0;
        while held.iter().sum::<f64>() < capacity {
            for (bytes, (curve, touched)) in held.iter_mut().zip(volumes) {
                *bytes += touched * step * (1.0 - f64::from(hit_at(curve, *bytes)) / 1e6);
            }
        }
        held.iter().zip(volumes).map(|(bytes, (curve, _))| hit_at(curve, *bytes)).collect()
    }
}
