//! How long the requests of a volume take under a load: what serves them, what they wait at limits, and the percentiles of both.
//!
//! ```text
//! mean          S + W                                          S: service with the transfer of the bytes, W: waits
//! percentile    S + W + √((S_q − S)² + (W ln 1/t)²)            S_q: the medium's, t = 1 − q
//! with hits     the longer of hits that t/10 of all requests exceed and of misses that the rest of t exceed
//! ```
//!
//! Deviations of what is independent add up as squares do; waits at a paced limit are taken to be exponential, which they exceed nowhere.
//! A request on several disks is as late as the latest of its parts.
//!
//! Source: `docs/model/planning.md`; the waits are those of `dw_estimate::Arrivals`.
//!
//! Ignores: that the VM shares its limits fairly, so that a volume with little traffic waits less there than the mean.

use dw_demand::wishes::LatencyOf;
use dw_estimate::Arrivals;
use dw_stack::CacheMode;

use crate::problem::{CacheLatency, DiskOffer, Local, ONE, Problem, Quantiles, Rate, Rates, Sample, Stream, Volume};
pub use crate::wait::Waits;

/// What serves one direction of a volume below every limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Service {
    /// Its mean, in nanoseconds, with the transfer of the bytes.
    pub mean_ns: u64,
    /// What the transfer is of it.
    pub transfer_ns: u64,
    /// Of one part of a request, without the transfer.
    pub quantiles: Quantiles,
    /// Disks that a request is on.
    pub parts: u64,
}

impl Service {
    /// What a share of the requests exceeds, in parts per million; without quantiles the mean.
    fn exceeded_by(&self, tail: f64) -> f64 {
        match self.quantiles.exceeded_by(tail / self.parts.max(1) as f64) {
            Some(ns) => ns + self.transfer_ns as f64,
            None => self.mean_ns as f64,
        }
    }
}

/// What serves the reads and the writes of a volume on `count` such disks.
pub fn on_disks(offer: &DiskOffer, volume: &Volume, count: u32, streams: [Stream; 2]) -> [Service; 2] {
    let (read, write) = offer.latency_ns;
    let of = |mean: u64, stream: Stream, quantiles: Quantiles| {
        let part = volume.part(count, stream);
        let transfer_ns = transfer_ns(offer.bandwidth, part);
        let parts = volume.parts(count, stream);
        let mean_ns = mean.saturating_add(transfer_ns).saturating_add(quantiles.latest_of(parts));
        Service { mean_ns, transfer_ns, quantiles, parts }
    };
    [of(read, streams[0], offer.quantiles[0]), of(write, streams[1], offer.quantiles[1])]
}

/// The same on a local disk.
pub fn on_local(local: &Local, volume: &Volume, streams: [Stream; 2]) -> [Service; 2] {
    let (read, write) = local.latency_ns;
    let of = |mean: u64, stream: Stream, quantiles: Quantiles| {
        let transfer_ns = transfer_ns(local.bandwidth, volume.part(1, stream));
        Service { mean_ns: mean.saturating_add(transfer_ns), transfer_ns, quantiles, parts: 1 }
    };
    [of(read, streams[0], local.quantiles[0]), of(write, streams[1], local.quantiles[1])]
}

fn transfer_ns(bandwidth: Option<u64>, bytes: u64) -> u64 {
    bandwidth.map_or(0, |rate| (u128::from(bytes) * 1_000_000_000 / u128::from(rate.max(1))) as u64)
}

/// Mean latency of a volume's reads and writes, in nanoseconds; `own` is that of its disks with what requests wait there.
pub fn latency_ns(cache: CacheLatency, mode: CacheMode, hit: u32, own: (u64, u64)) -> (u64, u64) {
    match mode {
        CacheMode::None => own,
        CacheMode::ReadOnly => (mixed(hit, cache.hit_ns, own.0 + cache.miss_ns), own.1),
        CacheMode::ReadWrite => (mixed(hit, cache.hit_ns, own.0 + cache.miss_ns), cache.write_ns),
    }
}

/// The mean of requests of which so many parts per million hit.
fn mixed(hit: u32, hit_ns: u64, miss_ns: u64) -> u64 {
    let (hit, one) = (u128::from(hit), u128::from(ONE));
    ((u128::from(hit_ns) * hit + u128::from(miss_ns) * (one - hit)) / one) as u64
}

/// How a volume is served: what decides its latency but for the waits at its own disks.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// What a host cache serves of it.
    pub cache: CacheMode,
    /// Parts per million of its reads that hit.
    pub hit: u32,
    /// By what.
    pub service: [Service; 2],
}

impl Served {
    /// The latency of one direction, in nanoseconds.
    pub fn latency_ns(&self, cache: CacheLatency, writes: bool, of: LatencyOf, waits: Waits) -> u64 {
        self.before_waits(cache, writes, of).with(waits)
    }

    /// The same as far as it is known before the waits are.
    fn before_waits(&self, cache: CacheLatency, writes: bool, of: LatencyOf) -> BeforeWaits {
        match of {
            LatencyOf::Mean => self.mean(cache, writes),
            LatencyOf::P95 => BeforeWaits::Tails(self.exceeded_by(cache, writes, 0.05)),
            LatencyOf::P99 => BeforeWaits::Tails(self.exceeded_by(cache, writes, 0.01)),
        }
    }

    fn mean(&self, cache: CacheLatency, writes: bool) -> BeforeWaits {
        let own_ns = self.service[usize::from(writes)].mean_ns;
        match (self.cache, writes) {
            (CacheMode::ReadOnly | CacheMode::ReadWrite, false) => {
                BeforeWaits::Mixed { hit: self.hit, hit_ns: cache.hit_ns, own_ns, miss_ns: cache.miss_ns }
            }
            (CacheMode::ReadWrite, true) => BeforeWaits::InCache { ns: cache.write_ns },
            _ => BeforeWaits::Own { ns: own_ns },
        }
    }

    /// What a share of the requests exceeds: the longest of these.
    fn exceeded_by(&self, cache: CacheLatency, writes: bool, tail: f64) -> [Option<Tail>; 2] {
        let service = self.service[usize::from(writes)];
        let own = |tail: f64| (service.mean_ns, service.exceeded_by(tail) - service.mean_ns as f64);
        let in_cache = |mean_ns: u64, quantiles: Quantiles, tail: f64| {
            let deviation = quantiles.exceeded_by(tail).map_or(0.0, |ns| ns - mean_ns as f64);
            Tail::of(&[(mean_ns, deviation)], tail, false)
        };
        match (self.cache, writes) {
            (CacheMode::ReadWrite, true) => [Some(in_cache(cache.write_ns, cache.write, tail)), None],
            (CacheMode::ReadOnly | CacheMode::ReadWrite, false) => {
                let hit = f64::from(self.hit.min(ONE)) / f64::from(ONE);
                let miss = |tail: f64| {
                    let more = cache.miss.exceeded_by(tail).map_or(0.0, |ns| ns - cache.miss_ns as f64);
                    Tail::of(&[own(tail), (cache.miss_ns, more)], tail, true)
                };
                let (of_hits, of_misses) = (tail * HITS, tail * (1.0 - HITS));
                if 1.0 - hit <= of_misses {
                    // So few miss that a share of the hits takes longer, too.
                    let tail = (tail - (1.0 - hit)) / hit.max(f64::MIN_POSITIVE);
                    return [Some(in_cache(cache.hit_ns, cache.hit, tail)), None];
                }
                let hits = (hit > of_hits).then(|| in_cache(cache.hit_ns, cache.hit, of_hits / hit));
                [Some(miss(of_misses / (1.0 - hit))), hits]
            }
            _ => [Some(Tail::of(&[own(tail)], tail, true)), None],
        }
    }

    /// Whether every latency of a volume that is asked for, and not `left` aside, is held by requests like these.
    pub fn holds(
        &self,
        problem: &Problem,
        volume: &Volume,
        sample: &Sample,
        waits: Waits,
        left: impl Fn(bool, LatencyOf) -> bool,
    ) -> bool {
        self.bounds(problem, volume, sample, left).hold(waits)
    }

    /// The latencies of a volume that are asked for, and not `left` aside.
    pub(crate) fn bounds(
        &self,
        problem: &Problem,
        volume: &Volume,
        sample: &Sample,
        left: impl Fn(bool, LatencyOf) -> bool,
    ) -> Bounds {
        let mut bounds = Bounds::default();
        for (writes, requests) in [(false, sample.reads), (true, sample.writes)] {
            let most = volume.latency_max[usize::from(writes)];
            for (place, of) in LatencyOf::ALL.into_iter().enumerate() {
                if requests == 0 || most.of(of).is_none() || left(writes, of) {
                    continue;
                }
                let held = most.held(of).map_or(u64::MAX, dw_units::Duration::ns);
                let place = 3 * usize::from(writes) + place;
                bounds.0[place] = Some((self.before_waits(problem.cache_latency, writes, of), held));
            }
        }
        bounds
    }
}

/// Latencies that are asked for, each with the most that it may be: what does not depend on the waits is worked out once, as these are
/// tried by the dozen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds([Option<(BeforeWaits, u64)>; 6]);

impl Bounds {
    /// Whether all are held by requests that wait so long.
    pub(crate) fn hold(&self, waits: Waits) -> bool {
        self.0.iter().flatten().all(|(latency, most)| latency.with(waits) <= *most)
    }
}

/// A latency as far as it is known before the waits are.
#[derive(Clone, Copy, Debug)]
enum BeforeWaits {
    /// The mean of what goes to a disk.
    Own { ns: u64 },
    /// The mean of what the host cache takes.
    InCache { ns: u64 },
    /// The mean of reads of which some hit.
    Mixed { hit: u32, hit_ns: u64, own_ns: u64, miss_ns: u64 },
    /// What a share exceeds: the longest of these.
    Tails([Option<Tail>; 2]),
}

impl BeforeWaits {
    fn with(&self, waits: Waits) -> u64 {
        let behind = |ns: u64| ns.saturating_add(waits.behind);
        match self {
            BeforeWaits::Own { ns } => behind(*ns).saturating_add(waits.front),
            BeforeWaits::InCache { ns } => ns.saturating_add(waits.front),
            BeforeWaits::Mixed { hit, hit_ns, own_ns, miss_ns } => {
                mixed(*hit, *hit_ns, behind(*own_ns) + miss_ns).saturating_add(waits.front)
            }
            BeforeWaits::Tails(tails) => tails.iter().flatten().map(|tail| tail.with(waits)).max().unwrap_or(0),
        }
    }
}

/// What a share of requests exceeds that are served one way.
#[derive(Clone, Copy, Debug)]
struct Tail {
    mean: f64,
    /// Of the deviations of what serves them.
    squares: f64,
    /// What the tail of a wait adds to its mean, as a multiple of it.
    of_wait: f64,
    /// They go on to a disk.
    behind: bool,
}

impl Tail {
    /// Of what serves them one after the other: means, and what the tail adds to each.
    fn of(parts: &[(u64, f64)], tail: f64, behind: bool) -> Tail {
        Tail {
            mean: parts.iter().map(|part| part.0 as f64).sum(),
            squares: parts.iter().map(|part| part.1.max(0.0) * part.1.max(0.0)).sum(),
            of_wait: (-libm::log(tail.clamp(f64::MIN_POSITIVE, 1.0)) - 1.0).max(0.0),
            behind,
        }
    }

    /// Means add up, independent deviations as squares.
    fn with(&self, waits: Waits) -> u64 {
        let (mut mean, mut squares) = (self.mean, self.squares);
        for wait in [waits.front, if self.behind { waits.behind } else { 0 }] {
            let deviation = (wait as f64 * self.of_wait).max(0.0);
            mean += wait as f64;
            squares += deviation * deviation;
        }
        (mean + libm::sqrt(squares)) as u64
    }
}

/// Of the requests that may take longer, the share that may be hits.
const HITS: f64 = 0.1;

/// Mean wait at the limits of `count` places alike, `gate` being that of all of them, that carry `(requests, bytes)` a second at random.
pub fn wait_ns(problem: &Problem, gate: Rates, count: u32, load: (u64, u64)) -> u64 {
    longest_wait_ns(problem, gate, |bytes| [Some(at_random(count, load, bytes)), None, None])
}

/// Mean wait at the limits of a volume's `count` disks: at random, or of a stream at one disk after the other, which keeps both
/// directions waiting.
pub fn disk_wait_ns(
    problem: &Problem,
    volume: &Volume,
    gate: Rates,
    count: u32,
    load: (u64, u64),
    streams: [Stream; 2],
) -> u64 {
    longest_wait_ns(problem, gate, |bytes| arrivals(volume, count, load, streams, bytes))
}

/// What arrives at one of the two limits of a volume's disks, which of all of them it is being left open.
pub(crate) fn arrivals(
    volume: &Volume,
    count: u32,
    load: (u64, u64),
    streams: [Stream; 2],
    bytes: bool,
) -> [Option<Arrivals>; 3] {
    let in_sequence = streams.map(|stream| {
        let tokens = if bytes { stream.bytes } else { stream.requests };
        let run = volume.run(count, stream);
        (run > 1).then_some(Arrivals { capacity: 0, alike: u64::from(count), tokens, requests: stream.requests, run })
    });
    [Some(at_random(count, load, bytes)), in_sequence[0], in_sequence[1]]
}

fn at_random(count: u32, load: (u64, u64), bytes: bool) -> Arrivals {
    let tokens = if bytes { load.1 } else { load.0 };
    Arrivals { capacity: 0, alike: u64::from(count), tokens, requests: load.0, run: 1 }
}

fn longest_wait_ns(problem: &Problem, gate: Rates, arrivals: impl Fn(bool) -> [Option<Arrivals>; 3]) -> u64 {
    let of = |rate: Option<Rate>, bytes: bool| {
        let Some(rate) = rate else { return 0 };
        let capacity = rate.burst.filter(|_| problem.bursting).map_or(rate.base, |burst| burst.0);
        arrivals(bytes).into_iter().flatten().map(|one| Arrivals { capacity, ..one }.wait_ns()).max().unwrap_or(0)
    };
    // Requests that one of the two has spaced do not wait at the other.
    at_most_ns(of(gate.iops, false).max(of(gate.bytes, true)))
}

/// One part in so many that a mean wait may be longer than it is estimated (docs/model/estimate.md).
const WAIT_ERROR: u64 = 8;

/// What is promised of a wait that is estimated so long: a mean may be longer by the estimate's error.
fn at_most_ns(estimated: u64) -> u64 {
    estimated.saturating_add(estimated / WAIT_ERROR)
}

/// The longest estimate of which no more than `promised` is promised.
pub(crate) fn estimated_for(promised: u64) -> u64 {
    let near = promised - promised / (WAIT_ERROR + 1);
    (near.saturating_sub(1)..=near.saturating_add(1)).rev().find(|&wait| at_most_ns(wait) <= promised).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOTS: [(u32, u64); 4] = [(500_000, 1_000), (950_000, 2_000), (990_000, 4_000), (1_000_000, 50_000)];

    fn of(tail: f64, cache: CacheMode, hit: u32, waits: Waits) -> u64 {
        let quantiles = Quantiles::of(&KNOTS);
        let latency = CacheLatency { hit_ns: 100, miss_ns: 0, write_ns: 50, ..CacheLatency::default() };
        let service = Service { mean_ns: 1_500, transfer_ns: 0, quantiles, parts: 1 };
        BeforeWaits::Tails(Served { cache, hit, service: [service; 2] }.exceeded_by(latency, false, tail)).with(waits)
    }

    #[test]
    fn percentiles_are_those_of_the_medium_where_nothing_waits() {
        let none = Waits::default();
        let cases = [
            ("p99", of(0.01, CacheMode::None, 0, none), 4_000),
            ("p95", of(0.05, CacheMode::None, 0, none), 2_000),
            // Half of the reads miss, and 9 in a thousand of all are late misses: p98.2 of these.
            ("half hits", of(0.01, CacheMode::ReadOnly, 500_000, none), 3_104),
            ("all hit", of(0.01, CacheMode::ReadOnly, ONE, none), 100),
            // What is more than the tail of late requests: 1 − 0.995 miss.
            ("nearly all hit", of(0.01, CacheMode::ReadOnly, 995_000, none), 100),
            (
                "a long wait in front of hits",
                of(0.01, CacheMode::ReadOnly, ONE, Waits { front: 1_000, behind: 0 }),
                4_705,
            ),
            ("a wait as long as the service", of(0.05, CacheMode::None, 0, Waits { front: 0, behind: 500 }), 3_116),
        ];
        for (name, found, expected) in cases {
            assert!(found.abs_diff(expected) * 100 <= expected, "{name}: {found}, not {expected}");
        }
    }

    #[test]
    fn a_request_on_several_disks_is_as_late_as_its_latest_part() {
        let quantiles = Quantiles::of(&KNOTS);
        let service = |parts| Service { mean_ns: 1_500, transfer_ns: 0, quantiles, parts };
        let at = |parts| service(parts).exceeded_by(0.05) as u64;
        assert!(at(1).abs_diff(2_000) < 5 && at(5).abs_diff(4_000) < 5, "{} {}", at(1), at(5));
    }
}
