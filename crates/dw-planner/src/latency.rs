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

use dw_estimate::Arrivals;
use dw_workload::wishes::LatencyOf;

use crate::problem::{
    CacheLatency, Class, DiskOffer, Gate, ONE, Problem, Quantiles, Rate, Sample, Stream, Temp, Volume,
};

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

/// What requests wait at limits on average, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Waits {
    /// Every request, in front of the host cache.
    pub front: u64,
    /// Those that go on to a disk.
    pub behind: u64,
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
pub fn on_temp(temp: &Temp, volume: &Volume, streams: [Stream; 2]) -> [Service; 2] {
    let (read, write) = temp.latency_ns;
    let of = |mean: u64, stream: Stream, quantiles: Quantiles| {
        let transfer_ns = transfer_ns(temp.bandwidth, volume.part(1, stream));
        Service { mean_ns: mean.saturating_add(transfer_ns), transfer_ns, quantiles, parts: 1 }
    };
    [of(read, streams[0], temp.quantiles[0]), of(write, streams[1], temp.quantiles[1])]
}

fn transfer_ns(bandwidth: Option<u64>, bytes: u64) -> u64 {
    bandwidth.map_or(0, |rate| (u128::from(bytes) * 1_000_000_000 / u128::from(rate.max(1))) as u64)
}

/// Mean latency of a volume's reads and writes, in nanoseconds; `own` is that of its disks with what requests wait there.
pub fn latency_ns(cache: CacheLatency, class: Class, hit: u32, own: (u64, u64)) -> (u64, u64) {
    let mixed = |hit_ns: u64, miss_ns: u64| {
        let (hit, one) = (u128::from(hit), u128::from(ONE));
        ((u128::from(hit_ns) * hit + u128::from(miss_ns) * (one - hit)) / one) as u64
    };
    match class {
        Class::Uncached | Class::Second | Class::Temp => own,
        Class::ReadOnly => (mixed(cache.hit_ns, own.0 + cache.miss_ns), own.1),
        Class::ReadWrite => (mixed(cache.hit_ns, own.0 + cache.miss_ns), cache.write_ns),
    }
}

/// How a volume is served: what decides its latency but for the waits at its own disks.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// How it is attached.
    pub class: Class,
    /// Parts per million of its reads that hit.
    pub hit: u32,
    /// By what.
    pub service: [Service; 2],
}

impl Served {
    /// The latency of one direction, in nanoseconds.
    pub fn latency_ns(&self, cache: CacheLatency, writes: bool, of: LatencyOf, waits: Waits) -> u64 {
        match of {
            LatencyOf::Mean => {
                let own = self.service.map(|service| service.mean_ns.saturating_add(waits.behind));
                let (read, write) = latency_ns(cache, self.class, self.hit, (own[0], own[1]));
                (if writes { write } else { read }).saturating_add(waits.front)
            }
            LatencyOf::P95 => self.exceeded_by(cache, writes, 0.05, waits),
            LatencyOf::P99 => self.exceeded_by(cache, writes, 0.01, waits),
        }
    }

    /// What a share of the requests exceeds.
    fn exceeded_by(&self, cache: CacheLatency, writes: bool, tail: f64, waits: Waits) -> u64 {
        let service = self.service[usize::from(writes)];
        let disk = |tail: f64| {
            let deviation = service.exceeded_by(tail) - service.mean_ns as f64;
            summed(&[(service.mean_ns, deviation), waiting(waits.front, tail), waiting(waits.behind, tail)])
        };
        let cached = |mean_ns: u64, quantiles: Quantiles, tail: f64| {
            let deviation = quantiles.exceeded_by(tail).map_or(0.0, |ns| ns - mean_ns as f64);
            summed(&[(mean_ns, deviation), waiting(waits.front, tail)])
        };
        match (self.class, writes) {
            (Class::ReadWrite, true) => cached(cache.write_ns, cache.write, tail),
            (Class::ReadOnly | Class::ReadWrite, false) => {
                let hit = f64::from(self.hit.min(ONE)) / f64::from(ONE);
                let miss = |tail: f64| {
                    let own = service.exceeded_by(tail) - service.mean_ns as f64;
                    let more = cache.miss.exceeded_by(tail).map_or(0.0, |ns| ns - cache.miss_ns as f64);
                    let waits = [waiting(waits.front, tail), waiting(waits.behind, tail)];
                    summed(&[(service.mean_ns, own), (cache.miss_ns, more), waits[0], waits[1]])
                };
                let (of_hits, of_misses) = (tail * HITS, tail * (1.0 - HITS));
                if 1.0 - hit <= of_misses {
                    // So few miss that a share of the hits takes longer, too.
                    return cached(cache.hit_ns, cache.hit, (tail - (1.0 - hit)) / hit.max(f64::MIN_POSITIVE));
                }
                let misses = miss(of_misses / (1.0 - hit));
                if hit <= of_hits { misses } else { misses.max(cached(cache.hit_ns, cache.hit, of_hits / hit)) }
            }
            _ => disk(tail),
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
        let asks = [(false, sample.reads), (true, sample.writes)];
        asks.into_iter().filter(|(_, requests)| *requests > 0).all(|(writes, _)| {
            let most = volume.latency_max[usize::from(writes)];
            LatencyOf::ALL.into_iter().filter(|of| most.of(*of).is_some()).all(|of| {
                let held = most.held(of).map_or(u64::MAX, dw_units::Duration::ns);
                left(writes, of) || self.latency_ns(problem.cache_latency, writes, of, waits) <= held
            })
        })
    }
}

/// Of the requests that may take longer, the share that may be hits.
const HITS: f64 = 0.1;

/// A wait with what its tail adds to the mean.
fn waiting(mean_ns: u64, tail: f64) -> (u64, f64) {
    (mean_ns, mean_ns as f64 * (-libm::log(tail.clamp(f64::MIN_POSITIVE, 1.0)) - 1.0).max(0.0))
}

/// Means add up, independent deviations as squares.
fn summed(parts: &[(u64, f64)]) -> u64 {
    let mean: f64 = parts.iter().map(|part| part.0 as f64).sum();
    let squares: f64 = parts.iter().map(|part| part.1.max(0.0) * part.1.max(0.0)).sum();
    (mean + libm::sqrt(squares)) as u64
}

/// Mean wait at the limits of `count` places alike, `gate` being that of all of them, that carry `(requests, bytes)` a second at random.
pub fn wait_ns(problem: &Problem, gate: Gate, count: u32, load: (u64, u64)) -> u64 {
    longest_wait_ns(problem, gate, &|bytes| vec![at_random(count, load, bytes)])
}

/// Mean wait at the limits of a volume's `count` disks: at random, or of a stream at one disk after the other, which keeps both
/// directions waiting.
pub fn disk_wait_ns(
    problem: &Problem,
    volume: &Volume,
    gate: Gate,
    count: u32,
    load: (u64, u64),
    streams: [Stream; 2],
) -> u64 {
    longest_wait_ns(problem, gate, &|bytes| arrivals(volume, count, load, streams, bytes))
}

/// What arrives at one of the two limits of a volume's disks, which of all of them it is being left open.
pub(crate) fn arrivals(
    volume: &Volume,
    count: u32,
    load: (u64, u64),
    streams: [Stream; 2],
    bytes: bool,
) -> Vec<Arrivals> {
    let in_sequence = streams.into_iter().map(|stream| {
        let tokens = if bytes { stream.bytes } else { stream.requests };
        let run = volume.run(count, stream);
        Arrivals { capacity: 0, alike: u64::from(count), tokens, requests: stream.requests, run }
    });
    std::iter::once(at_random(count, load, bytes)).chain(in_sequence.filter(|stream| stream.run > 1)).collect()
}

fn at_random(count: u32, load: (u64, u64), bytes: bool) -> Arrivals {
    let tokens = if bytes { load.1 } else { load.0 };
    Arrivals { capacity: 0, alike: u64::from(count), tokens, requests: load.0, run: 1 }
}

fn longest_wait_ns(problem: &Problem, gate: Gate, arrivals: &dyn Fn(bool) -> Vec<Arrivals>) -> u64 {
    let of = |rate: Option<Rate>, bytes: bool| {
        let Some(rate) = rate else { return 0 };
        let capacity = rate.burst.filter(|_| problem.bursting).map_or(rate.base, |burst| burst.0);
        arrivals(bytes).into_iter().map(|one| Arrivals { capacity, ..one }.wait_ns()).max().unwrap_or(0)
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

    fn of(tail: f64, class: Class, hit: u32, waits: Waits) -> u64 {
        let quantiles = Quantiles::of(&KNOTS);
        let cache = CacheLatency { hit_ns: 100, miss_ns: 0, write_ns: 50, ..CacheLatency::default() };
        let service = Service { mean_ns: 1_500, transfer_ns: 0, quantiles, parts: 1 };
        Served { class, hit, service: [service; 2] }.exceeded_by(cache, false, tail, waits)
    }

    #[test]
    fn percentiles_are_those_of_the_medium_where_nothing_waits() {
        let none = Waits::default();
        let cases = [
            ("p99", of(0.01, Class::Uncached, 0, none), 4_000),
            ("p95", of(0.05, Class::Uncached, 0, none), 2_000),
            // Half of the reads miss, and 9 in a thousand of all are late misses: p98.2 of these.
            ("half hits", of(0.01, Class::ReadOnly, 500_000, none), 3_104),
            ("all hit", of(0.01, Class::ReadOnly, ONE, none), 100),
            // What is more than the tail of late requests: 1 − 0.995 miss.
            ("nearly all hit", of(0.01, Class::ReadOnly, 995_000, none), 100),
            ("a long wait in front of hits", of(0.01, Class::ReadOnly, ONE, Waits { front: 1_000, behind: 0 }), 4_705),
            ("a wait as long as the service", of(0.05, Class::Uncached, 0, Waits { front: 0, behind: 500 }), 3_116),
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
