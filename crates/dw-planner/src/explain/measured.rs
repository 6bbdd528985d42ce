//! What a measurement shows about a volume: a limit that is reached, too few requests in flight, a cache that does not serve,
//! or something that the model does not know.
//!
//! | it shows | when |
//! |---|---|
//! | a limit | some limit of its path carries at least 95 % of what it gives: the first on the path |
//! | credits in use | it carries more than the sustained rate of a limit that bursts |
//! | a limit behind the cache | the writes of a cached volume alone come to 95 % of it: no hit would change that |
//! | a cache that does not serve | a cached volume stops where its disks would if every read missed |
//! | one sync after the other | no limit is reached, at least half of the writes are synced, and `writes = workers ÷ (write + sync)` |
//! | too few requests in flight | no limit is reached, and it is at least as fast as three quarters of what so many requests can be at the modelled latency: `IOPS = queue depth ÷ latency` (Little's law) |
//! | something else | no limit is reached, and each request takes longer than the model says |
//!
//! 95 % because a provider's own measurements lie up to 3 % next to the limits it prints. How many requests are in flight, and what each
//! takes, is what was measured where it was: the modelled latency says only whether a request takes longer than it should.
//!
//! Ignores: percentiles of the latency but for the p99 of a sync, which is said; a client that is short of processors (the report says how to see that).

use dw_units::Bytes;

use super::pressure::part;
use crate::check::OverTime;
use crate::latency::latency_ns;
use crate::limit::Limit;
use crate::problem::{ONE, Problem, Rate, RouteId, Sample, VmOffer};

/// A limit that carries so much of what it gives is reached, in parts per million.
pub(super) const REACHED: u32 = 950_000;
/// Syncs come after writes where there is one for so many of them at most.
pub const WRITES_A_SYNC: u64 = 2;
/// More than so much of a limit cannot be measured, unless something else serves it.
pub(super) const BEYOND: u32 = 1_030_000;

/// A volume as it was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Which of the rig's.
    pub volume: usize,
    /// Rates while it ran.
    pub rates: Sample,
    /// Mean latency of a read, in nanoseconds.
    pub read_ns: Option<u64>,
    /// Mean latency of a write.
    pub write_ns: Option<u64>,
    /// Requests that the load keeps outstanding.
    pub queue_depth: Option<u64>,
    /// How long it ran, in seconds.
    pub seconds: Option<f64>,
    /// Bytes that it may touch.
    pub span: Option<Bytes>,
    /// The load was told to ask no more than so much.
    pub is_paced: bool,
    pub syncs: Option<Syncs>,
}

impl Measured {
    /// Mean latency of its mix, in nanoseconds.
    pub(super) fn latency_ns(&self) -> Option<f64> {
        let (reads, writes) = (self.rates.reads, self.rates.writes);
        let mix = |read: u64, write: u64| mean_of(reads, writes, read, write);
        match (self.read_ns, self.write_ns) {
            (Some(read), Some(write)) => Some(mix(read, write)),
            (Some(read), None) if writes == 0 => Some(read as f64),
            (None, Some(write)) if reads == 0 => Some(write as f64),
            _ => None,
        }
    }

    /// Requests in flight on average, by Little's law.
    pub(super) fn outstanding(&self) -> Option<f64> {
        Some(self.latency_ns()? * (self.rates.reads + self.rates.writes) as f64 / 1e9)
    }
}

/// The mean over so many reads and writes.
fn mean_of(reads: u64, writes: u64, read: u64, write: u64) -> f64 {
    (reads as f64 * read as f64 + writes as f64 * write as f64) / (reads + writes).max(1) as f64
}

/// What a load waits for after writes: fsync or fdatasync.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Syncs {
    /// For each write, so many.
    pub per_write: f64,
    /// Mean latency, in nanoseconds.
    pub mean_ns: f64,
    /// The 99th percentile.
    pub p99_ns: Option<f64>,
    /// Workers that each write and sync one after the other.
    pub workers: u64,
}

/// What a measurement shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// A limit is reached.
    Limit {
        /// The first on the path.
        limit: Limit,
        /// What it carries, in parts per million of what it gives.
        used: u32,
        /// For how long full credits last at this rate, where it lives on them, in seconds.
        credits_last_s: Option<f64>,
    },
    /// The rate is above what a limit sustains: it lives on credits.
    Credits {
        limit: Limit,
        /// For how long full credits last at this rate, in seconds.
        last_s: f64,
    },
    /// The cache serves no reads, or few.
    Cache {
        /// Share of reads that it serves at most, in parts per million.
        hit: u32,
        /// The limit of the disks or the VM that its misses meet.
        behind: Option<Limit>,
        /// The cache is smaller than what is read.
        too_small: bool,
    },
    /// Each worker writes and waits for a sync, one after the other.
    Sync {
        /// What a write takes, and the syncs after it, in nanoseconds.
        cycle_ns: f64,
        /// Writes per second that this makes, of all workers.
        per_s: f64,
        syncs: Syncs,
    },
    /// Too few requests are in flight.
    QueueDepth {
        /// So many are, on average.
        outstanding: f64,
        /// What each takes, in nanoseconds.
        latency_ns: u64,
        /// The first limit that more of them would reach.
        next: Option<(Limit, u64)>,
        /// So many would reach it.
        needed: u64,
        /// Disks that have nothing to do, on average.
        idle_disks: u32,
    },
    /// Requests take longer than the model says, and no limit is reached.
    Slow {
        /// Mean latency, in nanoseconds.
        latency_ns: u64,
        /// What the model says.
        model_ns: u64,
    },
    /// No limit is reached, and more was not asked.
    NotAsked,
    /// No limit is reached; without a queue depth or a latency no more can be said.
    Unknown,
}

/// Limits that a volume's requests pass, attached so.
pub(crate) fn passes(limit: Limit, volume: usize, class: RouteId, vm: &VmOffer) -> bool {
    match limit {
        Limit::DiskIops(j) | Limit::DiskThroughput(j) => j == volume,
        Limit::Gate(gate, _) => vm.route(class).is_some_and(|route| route.gates().any(|passed| passed == gate)),
        _ => false,
    }
}

/// Whether a limit is of a gate that what the host cache serves meets.
pub(super) fn is_of_host(limit: Limit, vm: &VmOffer) -> bool {
    matches!(limit, Limit::Gate(gate, _) if vm.is_in_front(gate))
}

/// The share of reads that must have hit, as the disks could not have served them: in parts per million.
pub(crate) fn least_hits(rates: &Sample, iops: Rate, bytes: Rate) -> u32 {
    let of = |limit: u64, reads: u64, writes: u64| {
        let left = limit.saturating_sub(writes);
        let beyond = part(left, reads);
        // Within what measurements lie next to a limit nothing needs to have hit.
        if u128::from(reads) * u128::from(ONE) <= u128::from(left) * u128::from(BEYOND) { 0 } else { ONE - beyond }
    };
    let top = |rate: Rate| rate.burst.map_or(rate.base, |burst| burst.0);
    of(top(iops), rates.reads, rates.writes).max(of(top(bytes), rates.read_bytes, rates.write_bytes))
}

/// What is known of a volume's place.
pub(crate) struct Place<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) class: RouteId,
    pub(crate) disks: u32,
    pub(crate) disk_latency_ns: (u64, u64),
    pub(crate) vm: &'a VmOffer,
    /// Loads of the limits, every read of this volume a miss.
    pub(crate) cold: &'a [OverTime],
    /// The same, reads that the disks cannot have served being hits.
    pub(crate) warm: &'a [OverTime],
    /// The same, every read being a hit.
    pub(crate) writes: &'a [OverTime],
    /// The share of reads that the disks cannot have served.
    pub(crate) hit: u32,
}

/// What a measurement shows.
pub(crate) fn shows(measured: &Measured, place: &Place) -> Shows {
    let of = |limits: &[OverTime], wanted: &dyn Fn(Limit) -> bool| {
        let mine = limits
            .iter()
            .filter(|(limit, _, _)| passes(*limit, measured.volume, place.class, place.vm) && wanted(*limit));
        let used: Vec<(Limit, Rate, u64)> = mine.map(|(limit, rate, load)| (*limit, *rate, load[0])).collect();
        used
    };
    let is_host = |limit: Limit| is_of_host(limit, place.vm);
    let route = place.problem.route(place.class);
    let hits_reads = route.has_cache() && measured.rates.reads > 0;
    if hits_reads {
        // Hits that were inferred say nothing about the disks: what missed is not known.
        if let Some(found) = reached(&of(place.warm, &is_host)) {
            return found;
        }
        // What is written goes on to the disks whatever hits.
        if let Some(found) = reached(&of(place.writes, &|limit| !is_host(limit))) {
            return found;
        }
        let disks = of(place.cold, &|limit| !is_host(limit));
        let nearest = disks.iter().max_by_key(|(_, rate, load)| used(*rate, *load));
        let near = nearest.map_or(0, |(_, rate, load)| used(*rate, *load));
        if place.hit > 0 || (REACHED..=BEYOND).contains(&near) {
            let too_small = measured.span.is_some_and(|span| span > place.vm.cache);
            return Shows::Cache { hit: place.hit, behind: nearest.map(|nearest| nearest.0), too_small };
        }
    } else if let Some(found) = reached(&of(place.cold, &|_| true)) {
        return found;
    }
    if let Some(found) = synced(measured) {
        return found;
    }
    depth(measured, place, &of(place.cold, &|limit| !(hits_reads && is_host(limit))))
}

/// Parts per million of what a limit gives: of the burst rate when it carries more than the base.
fn used(rate: Rate, load: u64) -> u32 {
    let gives = rate.burst.map_or(rate.base, |burst| {
        let near_base = u128::from(load) * u128::from(ONE) <= u128::from(rate.base) * u128::from(BEYOND);
        if near_base { rate.base } else { burst.0 }
    });
    u32::try_from(u128::from(load) * u128::from(ONE) / u128::from(gives.max(1))).unwrap_or(u32::MAX)
}

fn reached(limits: &[(Limit, Rate, u64)]) -> Option<Shows> {
    let lasts = |rate: Rate, load: u64| {
        let (top, size) = rate.burst?;
        let above = load.min(top).saturating_sub(rate.base);
        let beyond = u128::from(load) * u128::from(ONE) > u128::from(rate.base) * u128::from(BEYOND);
        (beyond && above > 0).then(|| size as f64 / above as f64)
    };
    for &(limit, rate, load) in limits {
        let used = used(rate, load);
        if used >= REACHED {
            return Some(Shows::Limit { limit, used, credits_last_s: lasts(rate, load) });
        }
    }
    let living = limits.iter().find_map(|&(limit, rate, load)| Some((limit, lasts(rate, load)?)));
    living.map(|(limit, last_s)| Shows::Credits { limit, last_s })
}

/// One write and its sync after the other, where that is what the rate comes from.
fn synced(measured: &Measured) -> Option<Shows> {
    let syncs = measured.syncs.filter(|syncs| syncs.per_write * WRITES_A_SYNC as f64 >= 1.0)?;
    let cycle_ns = measured.write_ns.unwrap_or(0) as f64 + syncs.mean_ns * syncs.per_write;
    let per_s = syncs.workers as f64 * 1e9 / cycle_ns.max(1.0);
    // A load that does more than its cycles does something else besides, and one that does less waits for something else.
    let explains = (0.75..=1.25).contains(&(measured.rates.writes as f64 / per_s));
    explains.then_some(Shows::Sync { cycle_ns, per_s, syncs })
}

fn depth(measured: &Measured, place: &Place, limits: &[(Limit, Rate, u64)]) -> Shows {
    let (reads, writes) = (measured.rates.reads, measured.rates.writes);
    let all = (reads + writes).max(1) as f64;
    let mode = place.problem.route(place.class).cache;
    let model = latency_ns(place.problem.cache_latency, mode, place.hit, place.disk_latency_ns);
    let model_ns = mean_of(reads, writes, model.0, model.1);
    let outstanding = match (measured.outstanding(), measured.queue_depth) {
        (Some(outstanding), _) => outstanding,
        (None, Some(depth)) => depth as f64,
        (None, None) if measured.is_paced => return Shows::NotAsked,
        (None, None) => return Shows::Unknown,
    };
    if measured.is_paced {
        return Shows::NotAsked;
    }
    if all * model_ns / 1e9 < outstanding * 0.75 {
        return Shows::Slow { latency_ns: (outstanding / all * 1e9) as u64, model_ns: model_ns as u64 };
    }
    // The limit with the least room is the first that more requests reach.
    let next = limits.iter().filter(|(_, _, load)| *load > 0);
    let next = next.max_by_key(|(_, rate, load)| used(*rate, *load));
    let times = next.map_or(1.0, |(_, rate, load)| rate.base as f64 / *load as f64);
    let idle = f64::from(place.disks) - outstanding;
    // What each takes is known from the rate: a model that says otherwise would deny what was measured.
    let latency_ns = outstanding / all * 1e9;
    Shows::QueueDepth {
        outstanding,
        latency_ns: latency_ns as u64,
        next: next.map(|(limit, rate, _)| (*limit, rate.base)),
        needed: (all * times * latency_ns / 1e9).ceil() as u64,
        idle_disks: idle.floor().max(0.0) as u32,
    }
}
