//! The disks that a volume may have, given how it is attached: what each choice costs, how many slots it takes, and which
//! stamps it fails.
//!
//! A choice that costs no less, takes no fewer slots and fails no fewer stamps than another is left out: whatever the other
//! volumes do, the other is as good.
//!
//! Disks sized freely have a choice for each number of disks and each pair of levels: how many stamps may fail their IOPS, how
//! many their throughput. Up to four every number is a level, above that every second power and the one between; with the
//! percentile at 100 there is one level, and the choice is the cheapest there is. Of disks whose size decides their bursts each level has the
//! smallest that fails no more stamps; with stamps that may fail a larger one that fails fewer others may be passed over, as such a stamp takes more
//! of its credits.
//!
//! A latency that is asked for is a limit like the others: a stamp in which it is longer fails. Of the hardest stamps ([`Volume::hardest`])
//! it is known from what serves a request then, what it waits at the disks' limits under the load of that stamp, and what it waits at the
//! VM's, which is known before disks are chosen. More disks, or more IOPS bought, make the wait at the disks shorter.
//!
//! Invariant: sorted by cost, then by number of disks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use dw_catalogue::Money;

use crate::free::Provisioned;
use crate::latency::{self, Bounds, Served, Waits, arrivals, disk_wait_ns, estimated_for};
use crate::limit::{Limit, Relaxed};
use crate::load::{Load, Loads, union};
use crate::problem::{
    DiskKind, DiskOffer, FreeDisk, ONE, Problem, Rate, Rates, RouteId, Sample, Stream, Usage, VmOffer, Volume,
};
use crate::usage;
use dw_catalogue::gate::{Kinds, Tags};

/// Disks for a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// How they are attached.
    pub(crate) class: RouteId,
    /// Which of the problem's disks; absent = the temp disk.
    pub(crate) disk: Option<usize>,
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
    pub(crate) class: RouteId,
    /// Parts per million of reads that hit.
    pub(crate) hit: u32,
    /// What the VM has that disks may need.
    pub(crate) has: Tags,
    /// Which kinds of disks the VM takes so.
    pub(crate) takes: Kinds,
    /// Where a latency is asked for: what requests wait at the VM's limits.
    pub(crate) waits: Waits,
}

/// All choices that may be best.
pub(crate) fn choices(problem: &Problem, loads: &Loads, relaxed: &Relaxed, attached: Attached) -> Vec<Choice> {
    let volume = &problem.volumes[attached.volume];
    let (mut all, media) = (Found::default(), Media::default());
    let (mut medium, mut last) = (0, None);
    for &index in &volume.disks {
        let disk = &problem.disks[index];
        if last.replace(disk).is_some_and(|last| !disk.is_served_as(last)) {
            medium += 1;
        }
        // A host cache is of one VM: what another writes would not be seen.
        let is_seen = disk.shared.is_none() || !problem.route(attached.class).has_cache();
        if is_seen && allowed(relaxed, attached, disk) {
            let maker = Maker { problem, loads, relaxed, attached, volume, index, disk, media: &media, medium };
            match &disk.kind {
                DiskKind::Fixed { gib, iops, bytes, price } => maker.fixed(*gib, *iops, *bytes, *price, &mut all),
                DiskKind::Free(free) => maker.free(free, &mut all),
            }
        }
    }
    without_dominated(all.choices)
}

/// Whether a volume that is attached alike has the same choices in both problems, of which the loads are the same.
pub(crate) fn are_same(a: &Problem, b: &Problem, volume: usize) -> bool {
    let of = |p: &Problem| {
        let v = &p.volumes[volume];
        let disks = (v.disks_min, v.disks_max);
        (p.utilisation, p.cache_latency, v.capacity_gib, v.latency_max, disks, v.sequential, v.usual)
    };
    of(a) == of(b) && a.volumes[volume].disks == b.volumes[volume].disks && a.disks == b.disks
}

/// The local disk of a VM; nothing where it takes longer than it may in too many stamps.
pub(crate) fn on_local(
    problem: &Problem,
    loads: &Loads,
    relaxed: &Relaxed,
    attached: Attached,
    vm: &VmOffer,
) -> Option<Choice> {
    let volume = &problem.volumes[attached.volume];
    let is_slow = |sample: &Sample| {
        let Some(local) = &vm.local else { return true };
        let service = latency::on_local(local, volume, sample.streams());
        let served = Served { cache: problem.route(attached.class).cache, hit: 0, service };
        let left = |writes, of| relaxed.has(Limit::latency(attached.volume, writes, of));
        !served.holds(problem, volume, sample, attached.waits, left)
    };
    let hardest = loads.hardest(attached.volume);
    let failing = hardest.iter().filter(|&&stamp| is_slow(&volume.samples[stamp])).map(|&stamp| stamp as u32);
    let failing: Vec<u32> = failing.collect();
    let (cost, usage) = (Money::ZERO, Money::ZERO);
    let choice = Choice { class: attached.class, disk: None, count: 0, each: None, cost, usage, failing };
    (choice.failing.len() <= problem.violations_allowed).then_some(choice)
}

/// Whether such a disk can be attached at all.
fn allowed(relaxed: &Relaxed, attached: Attached, disk: &DiskOffer) -> bool {
    attached.takes.have(disk.second) && (attached.has.cover(disk.needs) || relaxed.has(Limit::Tags))
}

/// Choices so far.
#[derive(Default)]
struct Found {
    choices: Vec<Choice>,
    /// By number of disks: the least that one of them costs which fails nothing.
    least: Vec<Money>,
}

impl Found {
    fn push(&mut self, choice: Choice) {
        let count = choice.count as usize;
        if choice.failing.is_empty() {
            if self.least.len() <= count {
                self.least.resize(count + 1, Money::MAX);
            }
            self.least[count] = self.least[count].min(choice.cost);
        }
        self.choices.push(choice);
    }
    /// Whether a choice of so many disks that costs at least that is left out whatever it fails: most are, and need not be looked at.
    fn is_beaten(&self, count: u32, cost: Money) -> bool {
        self.least.iter().take(count as usize + 1).any(|least| *least < cost)
    }
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
    media: &'a Media,
    /// Disks that serve requests alike stand next to each other: of which of these media it is.
    medium: usize,
}

/// What the disks of a medium and so many of them make of the stamps that are looked at for a latency: most disks differ in size alone.
type Media = RefCell<Vec<Option<Rc<[Bounds]>>>>;

/// The stamps that are looked at for a latency, on so many disks.
struct Hardest<'a> {
    volume: &'a Volume,
    stamps: &'a [usize],
    /// Requests and bytes that reach the disks.
    loads: &'a [(u64, u64)],
    bounds: Rc<[Bounds]>,
}

impl Hardest<'_> {
    fn iter(&self) -> impl Iterator<Item = Hard<'_>> {
        self.stamps.iter().zip(self.loads).zip(&*self.bounds).map(|((&stamp, &load), bounds)| {
            let sample = &self.volume.samples[stamp];
            Hard { stamp: stamp as u32, sample, load, bounds }
        })
    }
}

struct Hard<'a> {
    stamp: u32,
    sample: &'a Sample,
    /// Requests and bytes that reach the disks.
    load: (u64, u64),
    bounds: &'a Bounds,
}

impl Hard<'_> {
    fn streams(&self) -> [Stream; 2] {
        self.sample.streams()
    }
}

impl Maker<'_> {
    /// The load on `count` disks.
    fn load(&self, count: u32) -> Arc<Load> {
        self.loads.on_disks(self.problem, self.attached.volume, self.attached.hit, self.disk, count)
    }
    fn capacity(&self) -> u64 {
        if self.relaxed.has(Limit::Capacity(self.attached.volume)) { 1 } else { self.volume.capacity_gib.max(1) }
    }
    fn gate(&self, iops: Rate, bytes: Rate) -> Rates {
        let j = self.attached.volume;
        Rates {
            iops: Some(iops).filter(|_| !self.relaxed.has(Limit::DiskIops(j))),
            bytes: Some(bytes).filter(|_| !self.relaxed.has(Limit::DiskThroughput(j))),
        }
    }
    /// The stamps that are looked at for a latency.
    fn hard<'l>(&'l self, load: &'l Load, count: u32) -> Hardest<'l> {
        let (volume, stamps) = (self.volume, self.loads.hardest(self.attached.volume));
        let place = self.medium * (volume.disks_max as usize + 1) + count as usize;
        let mut media = self.media.borrow_mut();
        if media.len() <= place {
            media.resize(place + 1, None);
        }
        let made = || stamps.iter().map(|&stamp| self.bounds(&volume.samples[stamp], count)).collect();
        let bounds = media[place].get_or_insert_with(made).clone();
        Hardest { volume, stamps, loads: &load.hardest, bounds }
    }
    fn bounds(&self, sample: &Sample, count: u32) -> Bounds {
        let Attached { volume, class, hit, .. } = self.attached;
        let left = |writes, of| self.relaxed.has(Limit::latency(volume, writes, of));
        let service = latency::on_disks(self.disk, self.volume, count, sample.streams());
        Served { cache: self.problem.route(class).cache, hit, service }.bounds(self.problem, self.volume, sample, left)
    }
    /// Whether requests that wait so long at the disks take no longer than they may.
    fn is_fast_enough(&self, hard: &Hard, wait_ns: u64) -> bool {
        let waits = self.attached.waits;
        hard.bounds.hold(Waits { behind: waits.behind.saturating_add(wait_ns), ..waits })
    }
    /// Whether they are with `count` disks of these rates together.
    fn holds_at(&self, hard: &Hard, gate: Rates, count: u32) -> bool {
        self.is_fast_enough(hard, disk_wait_ns(self.problem, self.volume, gate, count, hard.load, hard.streams()))
    }
    /// The stamps in which requests take longer than they may.
    fn slow(&self, hard: &Hardest, gate: Rates, count: u32) -> Vec<u32> {
        hard.iter().filter(|hard| !self.holds_at(hard, gate, count)).map(|hard| hard.stamp).collect()
    }
    /// The longest wait with which requests are fast enough; nothing where they are not without any.
    fn wait_most(&self, hard: &Hard) -> Option<u64> {
        let (mut low, mut high) = (0, WAIT_MAX_NS);
        if !self.is_fast_enough(hard, low) {
            return None;
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.is_fast_enough(hard, middle) { low = middle } else { high = middle }
        }
        Some(low)
    }
    /// The least IOPS and bytes per second of `count` disks together with which requests wait no longer than they may; nothing where
    /// they take too long on any.
    fn fast_enough(&self, hard: &Hard, count: u32) -> [Option<u64>; 2] {
        if self.is_fast_enough(hard, WAIT_MAX_NS) {
            return [Some(0); 2];
        }
        let Some(most) = self.wait_most(hard).map(estimated_for) else { return [None; 2] };
        let j = self.attached.volume;
        let least = |limit: Limit, bytes: bool| {
            if self.relaxed.has(limit) {
                return Some(0);
            }
            let all = arrivals(self.volume, count, hard.load, hard.streams(), bytes);
            all.into_iter().flatten().try_fold(0, |least, one| Some(one.capacity_for(most)?.max(least)))
        };
        [least(Limit::DiskIops(j), false), least(Limit::DiskThroughput(j), true)]
    }
    fn is_taken(&self, gib: u64) -> bool {
        gib <= self.problem.route(self.attached.class).gib_max
    }

    /// What a month of `count` disks costs by use.
    fn usage(&self, load: &Load, count: u32) -> Money {
        usage::monthly(self.problem, self.attached.volume, self.attached.hit, self.disk, count, load)
    }

    /// From `fewest` on, the first number of disks that is not too few for what they carry at least: wider stripes carry no less.
    fn first_enough(&self, fewest: u32, iops: Rate, bytes: Rate) -> u32 {
        if self.problem.bursting {
            return fewest;
        }
        let Rates { iops, bytes } = self.gate(iops, bytes);
        let load = self.load(fewest);
        let enough = |rate: Option<Rate>, tops: &[(u64, u32)]| {
            let (Some(rate), Some(top)) = (rate, tops.get(self.problem.violations_allowed)) else { return 0 };
            let usable = u128::from(rate.base) * u128::from(self.problem.utilisation);
            (u128::from(top.0) * u128::from(ONE)).div_ceil(usable.max(1))
        };
        let [ops_tops, bytes_tops] = load.tops();
        let most = enough(iops, ops_tops).max(enough(bytes, bytes_tops)).max(u128::from(fewest));
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    fn fixed(&self, gib: u64, iops: Rate, bytes: Rate, price: Money, out: &mut Found) {
        let fewest = self.capacity().div_ceil(gib).max(self.volume.disks_min.into());
        let paid = |count: u32| self.disk.paid(count, price * u64::from(count));
        let is_beaten = |out: &Found, count: u32| out.is_beaten(count, paid(count));
        if !self.is_taken(gib) || fewest > u64::from(self.volume.disks_max) || is_beaten(out, fewest as u32) {
            return;
        }
        for count in self.first_enough(fewest as u32, iops, bytes)..=self.volume.disks_max {
            // More of them cost more.
            if is_beaten(out, count) {
                break;
            }
            let (n, load) = (u64::from(count), self.load(count));
            let gate = self.gate(iops.times(n), bytes.times(n));
            let Some(exceeded) = load.failing_rates(self.problem, gate) else { continue };
            let Some(failing) = self.failing_too(exceeded, &self.hard(&load, count), gate, count) else { continue };
            let used = self.usage(&load, count);
            // More of the same disk costs more and gives nothing, but for bursts that a wider stripe spares.
            let done =
                failing.is_empty() && (used == Money::ZERO || !matches!(self.disk.usage, Some(Usage::Burst { .. })));
            out.push(Choice {
                class: self.attached.class,
                disk: Some(self.index),
                count,
                each: None,
                cost: paid(count) + used,
                usage: used,
                failing,
            });
            if done {
                break;
            }
        }
    }

    /// Stamps in which so many disks are exceeded or too slow; nothing when more than may.
    fn failing(&self, load: &Load, hard: &Hardest, gate: Rates, count: u32) -> Option<Vec<u32>> {
        self.failing_too(load.failing_rates(self.problem, gate)?, hard, gate, count)
    }

    /// The same where it is known in which they are exceeded.
    fn failing_too(&self, exceeded: Vec<u32>, hard: &Hardest, gate: Rates, count: u32) -> Option<Vec<u32>> {
        union(&exceeded, &self.slow(hard, gate, count), self.problem.violations_allowed)
    }

    /// Disks whose size decides what they give and on which credits.
    fn bursting(&self, free: &FreeDisk, out: &mut Found) {
        let most = self.problem.route(self.attached.class).gib_max;
        for count in self.volume.disks_min..=self.volume.disks_max {
            let n = u64::from(count);
            let cost = |each: Provisioned| self.disk.paid(count, free.cost(each) * n);
            let mut from = self.capacity().div_ceil(n);
            if free.provision(from, 0, 0).is_none_or(|least| out.is_beaten(count, cost(least))) {
                continue;
            }
            let load = self.load(count);
            let hard = self.hard(&load, count);
            for &level in levels(self.problem.violations_allowed).iter().rev() {
                let found = free.smallest(from, most, |each| {
                    let [iops, bytes] = free.rates(each, true).map(|rate| rate.times(n));
                    self.failing(&load, &hard, self.gate(iops, bytes), count).filter(|failing| failing.len() <= level)
                });
                let Some((each, failing)) = found.filter(|(each, _)| !out.is_beaten(count, cost(*each))) else { break };
                from = each.gib;
                let (class, disk, cost) = (self.attached.class, Some(self.index), cost(each));
                out.push(Choice { class, disk, count, each: Some(each), cost, usage: Money::ZERO, failing });
            }
        }
    }

    fn free(&self, free: &FreeDisk, out: &mut Found) {
        if self.problem.bursting && free.burst.is_some() {
            return self.bursting(free, out);
        }
        let levels = levels(self.problem.violations_allowed);
        for count in self.volume.disks_min..=self.volume.disks_max {
            let n = u64::from(count);
            // Whoever buys more pays more.
            let bought = |out: &Found, iops: Option<u64>, bytes: Option<u64>| {
                let each = free.provision(self.capacity().div_ceil(n), iops?, bytes?)?;
                let cost = self.disk.paid(count, free.cost(each) * n);
                (!out.is_beaten(count, cost)).then_some((each, cost))
            };
            if bought(out, Some(0), Some(0)).is_none() {
                continue;
            }
            let load = self.load(count);
            let hard = self.hard(&load, count);
            let Some([iops, bytes]) = self.needed(free, &load, &hard, count) else { continue };
            let least = level(&bytes, self.problem.violations_allowed);
            let mut tried: Vec<Provisioned> = Vec::new();
            for &ops_failing in &levels {
                let iops = level(&iops, ops_failing);
                if bought(out, iops, least).is_none() {
                    continue;
                }
                for &bytes_failing in &levels {
                    let Some((each, cost)) = bought(out, iops, level(&bytes, bytes_failing)) else { continue };
                    // Several levels need the same.
                    if tried.contains(&each) || !self.is_taken(each.gib) {
                        continue;
                    }
                    tried.push(each);
                    let gate = self.gate(Rate::plain(each.iops * n), Rate::plain(each.bytes() * n));
                    let Some(failing) = self.failing(&load, &hard, gate, count) else { continue };
                    let (class, disk, each) = (self.attached.class, Some(self.index), Some(each));
                    out.push(Choice { class, disk, count, each, cost, usage: Money::ZERO, failing });
                }
            }
        }
    }

    /// What each of `count` disks needs of IOPS and of bytes per second in the stamps that need most, largest first; nothing = however
    /// much is bought is too little. Nothing at all where not even the least can be bought.
    fn needed(&self, free: &FreeDisk, load: &Load, hard: &Hardest, count: u32) -> Option<[Vec<Option<u64>>; 2]> {
        let (n, j) = (u64::from(count), self.attached.volume);
        let limits = [Limit::DiskIops(j), Limit::DiskThroughput(j)];
        let rates = [0, 1].map(|dimension| -> Vec<(u32, u64)> {
            let tops = load.tops()[dimension].iter().filter(|_| !self.relaxed.has(limits[dimension]));
            tops.map(|&(load, stamp)| (stamp, self.each(load, n))).collect()
        });
        if hard.stamps.is_empty() {
            return Some(rates.map(|tops| tops.into_iter().map(|top| Some(top.1)).collect()));
        }
        // A stamp that is fast enough with the least that is bought in any case asks for no more.
        let least = rates.each_ref().map(|tops| tops.get(self.problem.violations_allowed).map_or(0, |top| top.1));
        let least = free.provision(self.capacity().div_ceil(n), least[0], least[1])?;
        let gate = self.gate(Rate::plain(least.iops * n), Rate::plain(least.bytes() * n));
        let mut needs = rates.map(|tops| tops.into_iter().collect::<HashMap<u32, u64>>());
        let mut never = 0;
        for hard in hard.iter().filter(|hard| !self.holds_at(hard, gate, count)) {
            match self.fast_enough(&hard, count) {
                [Some(iops), Some(bytes)] => {
                    for (needs, fast) in needs.iter_mut().zip([iops, bytes]) {
                        let need = needs.entry(hard.stamp).or_default();
                        *need = (*need).max(fast.div_ceil(n));
                    }
                }
                _ => {
                    never += 1;
                    for needs in &mut needs {
                        needs.remove(&hard.stamp);
                    }
                }
            }
        }
        Some(needs.map(|needs| {
            let mut sorted: Vec<u64> = needs.into_values().collect();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            std::iter::repeat_n(None, never).chain(sorted.into_iter().map(Some)).collect()
        }))
    }

    /// What each of `n` disks needs so that `load` uses no more of them than it may.
    fn each(&self, load: u64, n: u64) -> u64 {
        let usable = u128::from(n) * u128::from(self.problem.utilisation);
        (u128::from(load) * u128::from(ONE)).div_ceil(usable.max(1)) as u64
    }
}

/// What is needed when so many stamps may fail.
fn level(needed: &[Option<u64>], failing: usize) -> Option<u64> {
    needed.get(failing).copied().unwrap_or(Some(0))
}

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

/// Those that no other is as good as, whatever the other volumes do.
pub(crate) fn without_dominated(mut all: Vec<Choice>) -> Vec<Choice> {
    all.sort_by_key(|choice| (choice.cost, choice.count, choice.failing.len(), choice.class, choice.disk));
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
