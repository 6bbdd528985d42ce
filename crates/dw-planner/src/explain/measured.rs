//! What a measurement shows about a volume: a limit that is reached, too few requests in flight, a cache that does not serve,
//! or something that the model does not know.
//!
//! | it shows | when |
//! |---|---|
//! | a limit | some limit of its path carries at least 95 % of what it gives: the first on the path |
//! | credits in use | it carries more than the sustained rate of a limit that bursts |
//! | a cache that does not serve | a cached volume stops where its disks would if every read missed |
//! | too few requests in flight | no limit is reached, and it is at least as fast as three quarters of what so many requests can be at the modelled latency: `IOPS = queue depth ÷ latency` (Little's law) |
//! | something else | no limit is reached, and each request takes longer than the model says |
//!
//! 95 % because a provider's own measurements lie up to 3 % next to the limits it prints.
//!
//! Ignores: percentiles of the latency; a client that is short of processors (the report says how to see that).

use dw_units::Bytes;

use super::pressure::part;
use crate::check::OverTime;
use crate::latency::latency_ns;
use crate::limit::Limit;
use crate::problem::{Class, ONE, Problem, Rate, Sample, VmOffer};

/// A limit that carries so much of what it gives is reached, in parts per million.
const REACHED: u32 = 950_000;
/// More than so much of a limit cannot be measured, unless something else serves it.
const BEYOND: u32 = 1_030_000;

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
        /// Which limit.
        limit: Limit,
        /// For how long full credits last at this rate, in seconds.
        last_s: f64,
    },
    /// The cache serves no reads, or few.
    Cache {
        /// Share of reads that it serves at most, in parts per million.
        hit: u32,
        /// The cache is smaller than what is read.
        too_small: bool,
    },
    /// Too few requests are in flight.
    QueueDepth {
        /// So many are, on average.
        outstanding: f64,
        /// Latency that the model gives this mix, in nanoseconds.
        model_ns: u64,
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
pub(crate) fn passes(limit: Limit, volume: usize, class: Class, vm: &VmOffer) -> bool {
    use Limit::*;
    let is_first = class == Class::Uncached || class.cached();
    match limit {
        DiskIops(j) | DiskThroughput(j) => j == volume,
        UncachedIops | UncachedThroughput => is_first,
        SecondIops | SecondThroughput => class == Class::Second,
        AllIops | AllThroughput => is_first || class == Class::Second,
        CachedIops | CachedThroughput => {
            class.cached() || class == Class::Temp && vm.temp.is_none_or(|temp| temp.shares_cached)
        }
        TempIops(_) | TempThroughput(_) => class == Class::Temp,
        _ => false,
    }
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
    pub(crate) class: Class,
    pub(crate) disks: u32,
    pub(crate) disk_latency_ns: (u64, u64),
    pub(crate) vm: &'a VmOffer,
    /// Loads of the limits, every read of this volume a miss.
    pub(crate) cold: &'a [OverTime],
    /// The same, reads that the disks cannot have served being hits.
    pub(crate) warm: &'a [OverTime],
    /// The share of them.
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
    let is_host = |limit: Limit| matches!(limit, Limit::CachedIops | Limit::CachedThroughput);
    let reads_cached = place.class.cached() && measured.rates.reads > 0;
    if reads_cached {
        // Hits that were inferred say nothing about the disks: what missed is not known.
        if let Some(found) = reached(&of(place.warm, &is_host)) {
            return found;
        }
        let disks = of(place.cold, &|limit| !is_host(limit));
        let near = disks.iter().map(|(_, rate, load)| used(*rate, *load)).max().unwrap_or(0);
        if place.hit > 0 || (REACHED..=BEYOND).contains(&near) {
            let too_small = measured.span.is_some_and(|span| span > place.vm.cache);
            return Shows::Cache { hit: place.hit, too_small };
        }
    } else if let Some(found) = reached(&of(place.cold, &|_| true)) {
        return found;
    }
    depth(measured, place, &of(place.cold, &|limit| !(reads_cached && is_host(limit))))
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

fn depth(measured: &Measured, place: &Place, limits: &[(Limit, Rate, u64)]) -> Shows {
    let (reads, writes) = (measured.rates.reads, measured.rates.writes);
    let all = (reads + writes).max(1) as f64;
    let mix = |read: u64, write: u64| (reads as f64 * read as f64 + writes as f64 * write as f64) / all;
    let model = latency_ns(place.problem.cache_latency, place.class, place.hit, place.disk_latency_ns);
    let model_ns = mix(model.0, model.1);
    let latency = match (measured.read_ns, measured.write_ns) {
        (Some(read), Some(write)) => Some(mix(read, write)),
        (Some(read), None) if writes == 0 => Some(read as f64),
        (None, Some(write)) if reads == 0 => Some(write as f64),
        _ => None,
    };
    let outstanding = match (latency, measured.queue_depth) {
        (Some(latency), _) => latency * all / 1e9,
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
    Shows::QueueDepth {
        outstanding,
        model_ns: model_ns as u64,
        next: next.map(|(limit, rate, _)| (*limit, rate.base)),
        needed: (all * times * model_ns / 1e9).ceil() as u64,
        idle_disks: idle.floor().max(0.0) as u32,
    }
}
