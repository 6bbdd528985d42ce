//! The disks that a volume may have, given how it is attached: what each choice costs, how many slots it takes, and which
//! stamps it fails.
//!
//! A choice that costs no less, takes no fewer slots and fails no fewer stamps than another is left out: whatever the other
//! volumes do, the other is as good.
//!
//! Disks sized freely have a choice for each number of disks and each pair of levels: how many stamps may fail their IOPS, how
//! many their throughput. Up to four every number is a level, above that every second power and the one between; with the
//! percentile at 100 there is one level, and the choice is the cheapest there is.
//!
//! A mean latency that is asked for is held at the highest load that the limits have to carry: the disks' own, what requests wait at the
//! disks' limits then, and what they wait at the VM's, which is known before disks are chosen. More disks, or more IOPS bought, make the
//! wait at the disks shorter.
//!
//! Ignores: that the VM shares its limits fairly, so that a volume with little traffic waits less there than the mean.
//!
//! Invariant: sorted by cost, then by number of disks.

use dw_catalogue::Money;
use dw_catalogue::disk::CACHEABLE_MAX;
use dw_estimate::Arrivals;

use crate::free::Provisioned;
use crate::limit::{Limit, Relaxed};
use crate::load::{Load, Loads};
use crate::problem::{
    CacheLatency, Class, DiskKind, DiskOffer, FreeDisk, Gate, ONE, Problem, Rate, Stream, Usage, Volume,
};
use crate::usage;

/// Disks for a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Which of the problem's disks; absent = the temp disk.
    pub(crate) disk: Option<usize>,
    /// How many.
    pub(crate) count: u32,
    /// What each is bought with, where that is chosen.
    pub(crate) each: Option<Provisioned>,
    /// A month of all of them, with what is billed by use.
    pub(crate) cost: Money,
    /// What of it is billed by use.
    pub(crate) usage: Money,
    /// Stamps that fail, sorted.
    pub(crate) failing: Vec<u32>,
}

/// How a volume is attached, and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attached {
    pub(crate) volume: usize,
    pub(crate) class: Class,
    /// Parts per million of reads that hit.
    pub(crate) hit: u32,
    /// The VM takes premium disks.
    pub(crate) premium: bool,
    /// The VM takes ultra disks.
    pub(crate) ultra: bool,
    /// The VM has a second uncached limit.
    pub(crate) second: bool,
    /// Where a latency is asked for: what requests wait at the VM's limits.
    pub(crate) wait: GateWait,
}

/// Mean waits at the VM's limits, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct GateWait {
    /// Of every request, at the limit of the host cache.
    pub(crate) front: u64,
    /// Of those that go on to a disk, at the limits behind it.
    pub(crate) behind: u64,
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
fn arrivals(volume: &Volume, count: u32, load: (u64, u64), streams: [Stream; 2], bytes: bool) -> Vec<Arrivals> {
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

/// What is promised of a wait that is estimated so long: a mean may be longer by the estimate's error.
fn at_most_ns(estimated: u64) -> u64 {
    estimated.saturating_add(estimated / WAIT_ERROR)
}

/// The longest estimate of which no more than `promised` is promised.
fn estimated_for(promised: u64) -> u64 {
    let near = promised - promised / (WAIT_ERROR + 1);
    (near.saturating_sub(1)..=near.saturating_add(1)).rev().find(|&wait| at_most_ns(wait) <= promised).unwrap_or(0)
}

/// Mean latency of a volume's reads and writes on such disks, in nanoseconds; `disk` with what they wait there.
pub fn latency_ns(cache: CacheLatency, class: Class, hit: u32, disk: (u64, u64)) -> (u64, u64) {
    let mixed = |hit_ns: u64, miss_ns: u64| {
        let (hit, one) = (u128::from(hit), u128::from(ONE));
        ((u128::from(hit_ns) * hit + u128::from(miss_ns) * (one - hit)) / one) as u64
    };
    match class {
        Class::Uncached | Class::Second | Class::Temp => disk,
        Class::ReadOnly => (mixed(cache.hit_ns, disk.0 + cache.miss_ns), disk.1),
        Class::ReadWrite => (mixed(cache.hit_ns, disk.0 + cache.miss_ns), cache.write_ns),
    }
}

/// All choices that may be best.
pub(crate) fn choices(problem: &Problem, loads: &Loads, relaxed: &Relaxed, attached: Attached) -> Vec<Choice> {
    let volume = &problem.volumes[attached.volume];
    let has_bound = volume.read_latency_ns.is_some() || volume.write_latency_ns.is_some();
    let streams = if has_bound { volume.streams(problem.violations_allowed) } else { Default::default() };
    let mut all = Vec::new();
    for &index in &volume.disks {
        let disk = &problem.disks[index];
        if allowed(problem, relaxed, attached, disk) {
            let maker = Maker { problem, loads, relaxed, attached, volume, index, disk, streams };
            match &disk.kind {
                DiskKind::Fixed { gib, iops, bytes, price } => maker.fixed(*gib, *iops, *bytes, *price, &mut all),
                DiskKind::Free(free) => maker.free(free, &mut all),
            }
        }
    }
    without_dominated(all)
}

/// Whether such a disk can serve the volume at all.
fn allowed(problem: &Problem, relaxed: &Relaxed, attached: Attached, disk: &DiskOffer) -> bool {
    let fits_class = match attached.class {
        Class::Uncached => !(disk.second && attached.second),
        Class::Second => disk.second,
        Class::ReadOnly | Class::ReadWrite => !disk.second,
        Class::Temp => false,
    };
    fits_class
        && ((attached.premium || !disk.needs_premium) && (attached.ultra || !disk.needs_ultra)
            || relaxed.has(Limit::PremiumDisks))
        && is_fast_enough(problem, relaxed, attached, disk.latency_ns, 0)
}

/// Whether requests that take so long on disks below every limit, and wait so long there, take no longer than they may.
fn is_fast_enough(
    problem: &Problem,
    relaxed: &Relaxed,
    attached: Attached,
    service_ns: (u64, u64),
    wait_ns: u64,
) -> bool {
    let volume = &problem.volumes[attached.volume];
    let waits = wait_ns.saturating_add(attached.wait.behind);
    let own = (service_ns.0.saturating_add(waits), service_ns.1.saturating_add(waits));
    let (read, write) = latency_ns(problem.cache_latency, attached.class, attached.hit, own);
    let slow = |limit: Option<u64>, ns: u64| limit.is_some_and(|limit| ns.saturating_add(attached.wait.front) > limit);
    let has = |take: fn(&crate::problem::Sample) -> u64| volume.samples.iter().any(|sample| take(sample) > 0);
    (!slow(volume.read_latency_ns, read) || relaxed.has(Limit::ReadLatency(attached.volume)) || !has(|s| s.reads))
        && (!slow(volume.write_latency_ns, write)
            || relaxed.has(Limit::WriteLatency(attached.volume))
            || !has(|s| s.writes))
}

/// Everything that making choices of one disk needs.
struct Maker<'a> {
    problem: &'a Problem,
    loads: &'a Loads,
    relaxed: &'a Relaxed,
    attached: Attached,
    volume: &'a Volume,
    index: usize,
    disk: &'a DiskOffer,
    /// Where a latency is asked for.
    streams: [Stream; 2],
}

impl Maker<'_> {
    /// The load on `count` disks.
    fn load(&self, count: u32) -> std::rc::Rc<Load> {
        self.loads.on_disks(self.problem, self.attached.volume, self.attached.hit, self.disk, count)
    }
    fn capacity(&self) -> u64 {
        if self.relaxed.has(Limit::Capacity(self.attached.volume)) { 1 } else { self.volume.capacity_gib.max(1) }
    }
    fn gate(&self, iops: Rate, bytes: Rate) -> Gate {
        let j = self.attached.volume;
        Gate {
            iops: Some(iops).filter(|_| !self.relaxed.has(Limit::DiskIops(j))),
            bytes: Some(bytes).filter(|_| !self.relaxed.has(Limit::DiskThroughput(j))),
        }
    }
    /// The highest load that `count` disks have to carry.
    fn highest(&self, count: u32) -> (u64, u64) {
        let allowed = self.problem.violations_allowed;
        self.load(count).level(allowed, allowed)
    }
    fn is_fast_enough(&self, count: u32, wait_ns: u64) -> bool {
        let service_ns = self.disk.service_ns(self.volume, count, self.streams);
        is_fast_enough(self.problem, self.relaxed, self.attached, service_ns, wait_ns)
    }
    /// The longest wait with which requests are fast enough on `count` disks.
    fn wait_most(&self, count: u32) -> u64 {
        let (mut low, mut high) = (0, WAIT_MAX_NS);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.is_fast_enough(count, middle) { low = middle } else { high = middle }
        }
        low
    }
    /// The least IOPS and bytes per second of `count` disks together with which requests wait no longer than they may.
    fn fast_enough(&self, count: u32) -> Option<(u64, u64)> {
        if self.is_fast_enough(count, WAIT_MAX_NS) {
            return Some((0, 0));
        }
        if !self.is_fast_enough(count, 0) {
            return None;
        }
        let most = estimated_for(self.wait_most(count));
        let j = self.attached.volume;
        let least = |limit: Limit, bytes: bool| {
            if self.relaxed.has(limit) {
                return Some(0);
            }
            let all = arrivals(self.volume, count, self.highest(count), self.streams, bytes);
            all.into_iter().try_fold(0, |least, one| Some(one.capacity_for(most)?.max(least)))
        };
        Some((least(Limit::DiskIops(j), false)?, least(Limit::DiskThroughput(j), true)?))
    }
    fn cacheable(&self, gib: u64) -> bool {
        !self.attached.class.cached() || gib <= CACHEABLE_MAX.get() >> 30
    }

    /// What a month of `count` disks costs by use.
    fn usage(&self, count: u32) -> Money {
        usage::monthly(self.problem, self.attached.volume, self.attached.hit, self.disk, count, &self.load(count))
    }

    fn fixed(&self, gib: u64, iops: Rate, bytes: Rate, price: Money, out: &mut Vec<Choice>) {
        let fewest = self.capacity().div_ceil(gib);
        if !self.cacheable(gib) || fewest > u64::from(self.volume.disks_max) {
            return;
        }
        for count in fewest as u32..=self.volume.disks_max {
            let n = u64::from(count);
            let gate = self.gate(iops.times(n), bytes.times(n));
            let Some(failing) = self.load(count).failing_rates(self.problem, gate) else {
                continue;
            };
            let wait = disk_wait_ns(self.problem, self.volume, gate, count, self.highest(count), self.streams);
            if !self.is_fast_enough(count, wait) {
                continue;
            }
            let used = self.usage(count);
            // More of the same disk costs more and gives nothing, but for bursts that a wider stripe spares.
            let done =
                failing.is_empty() && (used == Money::ZERO || !matches!(self.disk.usage, Some(Usage::Burst { .. })));
            out.push(Choice {
                disk: Some(self.index),
                count,
                each: None,
                cost: price * n + used,
                usage: used,
                failing,
            });
            if done {
                break;
            }
        }
    }

    fn free(&self, free: &FreeDisk, out: &mut Vec<Choice>) {
        let levels = levels(self.problem.violations_allowed);
        for count in 1..=self.volume.disks_max {
            let (n, load) = (u64::from(count), self.load(count));
            let Some(fast) = self.fast_enough(count) else { continue };
            for &ops_failing in &levels {
                for &bytes_failing in &levels {
                    let j = self.attached.volume;
                    let (ops, bytes) = load.level(ops_failing, bytes_failing);
                    let ops = if self.relaxed.has(Limit::DiskIops(j)) { 0 } else { ops };
                    let bytes = if self.relaxed.has(Limit::DiskThroughput(j)) { 0 } else { bytes };
                    let Some(each) = free.provision(
                        self.capacity().div_ceil(n),
                        self.each(ops, n).max(fast.0.div_ceil(n)),
                        self.each(bytes, n).max(fast.1.div_ceil(n)),
                    ) else {
                        continue;
                    };
                    let gate = self.gate(Rate::plain(each.iops * n), Rate::plain(each.mb * 1_000_000 * n));
                    if let Some(failing) = load.failing_rates(self.problem, gate).filter(|_| self.cacheable(each.gib)) {
                        let cost = free.cost(each) * n;
                        out.push(Choice {
                            disk: Some(self.index),
                            count,
                            each: Some(each),
                            cost,
                            usage: Money::ZERO,
                            failing,
                        });
                    }
                }
            }
        }
    }

    /// What each of `n` disks needs so that `load` uses no more of them than it may.
    fn each(&self, load: u64, n: u64) -> u64 {
        let usable = u128::from(n) * u128::from(self.problem.utilisation);
        (u128::from(load) * u128::from(ONE)).div_ceil(usable.max(1)) as u64
    }
}

/// One part in so many that a mean wait may be longer than it is estimated (docs/model/estimate.md).
const WAIT_ERROR: u64 = 8;
/// Nobody waits longer at a disk.
const WAIT_MAX_NS: u64 = 1_000_000_000_000;

/// How many stamps may fail one dimension: 0, 1, 2, 3, 4, 6, 8, 12, 16 ... and the most.
fn levels(most: usize) -> Vec<usize> {
    let mut levels: Vec<usize> = (0..=most.min(4)).collect();
    let mut power = 4;
    while power <= most {
        levels.extend([power + power / 2, power * 2].into_iter().filter(|&n| n < most));
        power *= 2;
    }
    if most > 4 {
        levels.push(most);
    }
    levels
}

fn without_dominated(mut all: Vec<Choice>) -> Vec<Choice> {
    all.sort_by_key(|choice| (choice.cost, choice.count, choice.failing.len(), choice.disk));
    let mut kept: Vec<Choice> = Vec::new();
    for choice in all {
        let beaten = |other: &Choice| other.count <= choice.count && is_subset(&other.failing, &choice.failing);
        if !kept.iter().any(beaten) {
            kept.push(choice);
        }
    }
    kept
}

/// Whether every stamp of `a` is in `b`; both sorted.
fn is_subset(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.len() <= b.len() && a.iter().all(|stamp| rest.any(|other| other == stamp))
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn levels_are_dense_where_they_matter() {
        assert_eq!(levels(0), [0]);
        assert_eq!(levels(3), [0, 1, 2, 3]);
        assert_eq!(levels(5), [0, 1, 2, 3, 4, 5]);
        assert_eq!(levels(20), [0, 1, 2, 3, 4, 6, 8, 12, 16, 20]);
    }
}
