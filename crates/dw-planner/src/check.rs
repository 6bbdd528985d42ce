//! An independent check: every limit of a plan, recomputed from the demand.
//!
//! Written from the table of limits alone; it shares no arithmetic with the search but the formulas of latency and waiting. It walks the series stamp by stamp, keeps
//! what every limit carries, and counts the stamps at which any is exceeded. Hit ratios are a claim of the plan: the cache is
//! filled here a little at a time, and the claim must agree within half a percent.
//!
//! It is also what reports show: load at percentiles, capacity and headroom of every limit.
//!
//! Ignores: whether something cheaper exists.

mod cache;
mod used;

use std::collections::BTreeMap;

use dw_catalogue::disk::CACHEABLE_MAX;
use dw_catalogue::{Money, azure};
use dw_demand::wishes::LatencyOf;
use dw_documents::Quantity;
use dw_units::Bytes;

use crate::fault::{Fault, Rule};
use crate::latency::{Served, Waits, disk_wait_ns, on_disks, on_local, wait_ns};
use crate::limit::Limit;
use crate::plan::{Disks, Plan, VolumePlan};
use crate::problem::{
    DiskKind, HitCurve, ONE, Problem, Rate, Rates, RouteId, Sample, VmOffer, Volume, WAIT_STEP_NS, share,
};

/// What a limit carries under a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Which.
    pub limit: Limit,
    /// What it gives, the target utilisation not applied: of rates the sustained figure, or where the plan counts on bursts the highest.
    pub capacity: u64,
    /// What bursts rest on, where the plan counts on them.
    pub burst: Option<Burst>,
    /// What it carries at the 50th, 90th and 99th percentile of the stamps, and at most; each the largest of so many stamps. Of a latency:
    /// of the stamps with such requests, the longest four times in a [`check`].
    pub load: [u64; 4],
    /// The most that it carries in a stamp that the plan holds.
    pub held: u64,
    /// Stamps at which it is exceeded, the target utilisation and bursts applied; of a latency, with its reserve.
    pub failing: usize,
    /// Stamps at which the limit itself is exceeded, bursts applied.
    pub over: usize,
}

/// A limit that the plan holds by its burst credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// What it gives once they are gone.
    pub sustained: u64,
    /// The least that is left of them over the series and its repetition, in parts per million.
    pub left: u32,
}

impl Use {
    /// Whether the plan meets the limit: rates and latencies in as many stamps as must be, what is held at its most.
    pub fn is_met(&self, problem: &Problem) -> bool {
        match self.limit.is_rate() || self.limit.is_latency() {
            true => self.failing <= problem.violations_allowed,
            false => self.load[3] <= self.capacity,
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// All limits in order of a request's path.
    pub uses: Vec<Use>,
    /// Stamps at which some limit is exceeded.
    pub failing: Vec<u32>,
    /// Rules that are broken whatever the time, and sums that do not add up.
    pub faults: Vec<Fault>,
    /// Few enough stamps fail, and no rule is broken.
    pub holds: bool,
}

/// Recomputes every limit.
pub fn check(problem: &Problem, plan: &Plan) -> Checked {
    let checker = walked(problem, plan, Detail::Failing);
    let failing: Vec<u32> = (0u32..).zip(&checker.failing).filter(|(_, failed)| **failed).map(|(t, _)| t).collect();
    let holds = checker.faults.is_empty() && failing.len() <= problem.violations_allowed;
    Checked { uses: checker.uses, failing, faults: checker.faults, holds }
}

/// What the limits carry, latencies in every stamp: [`check`] has their longest alone in all four places, as it looks at the stamps in which
/// they may be too long.
pub fn uses(problem: &Problem, plan: &Plan) -> Vec<Use> {
    walked(problem, plan, Detail::EveryLatency).uses
}

/// What else is looked at than what a plan fails by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Failing,
    /// Series are kept, for whoever looks at them over time.
    Series,
    EveryLatency,
}

/// A limit over time: what it gives, and its load in every stamp.
pub(crate) type OverTime = (Limit, Rate, Vec<u64>);

/// The limits over time that a plan's demand passes, in order of a request's path.
pub(crate) fn over_time(problem: &Problem, plan: &Plan) -> Vec<OverTime> {
    walked(problem, plan, Detail::Series).kept
}

fn walked<'a>(problem: &'a Problem, plan: &'a Plan, detail: Detail) -> Checker<'a> {
    let mut checker = Checker {
        problem,
        plan,
        uses: Vec::new(),
        failing: vec![false; problem.stamps],
        held: vec![true; problem.stamps],
        faults: Vec::new(),
        detail,
        kept: Vec::new(),
        disks: Vec::new(),
        gate_waits: [0; 7],
    };
    for &stamp in &plan.failing {
        if let Some(held) = checker.held.get_mut(stamp as usize) {
            *held = false;
        }
    }
    for (place, (volume, chosen)) in problem.volumes.iter().zip(&plan.volumes).enumerate() {
        checker.disks.push(None);
        match &chosen.disks {
            Some(disks) => checker.disks(place, volume, chosen, disks),
            None if chosen.class == azure::TEMP => {}
            None => checker.fault(Rule::Disks(place), 1, format!("{} has no disks", volume.name)),
        }
    }
    checker.hits();
    checker.gates();
    for (place, (volume, chosen)) in problem.volumes.iter().zip(&plan.volumes).enumerate() {
        checker.latency(place, volume, chosen);
    }
    checker.counts();
    checker.money();
    checker
}

/// What disks give together, and the requests and bytes that reach them stamp by stamp.
type OnDisks = (Rates, Vec<u64>, Vec<u64>);

struct Checker<'a> {
    problem: &'a Problem,
    plan: &'a Plan,
    uses: Vec<Use>,
    failing: Vec<bool>,
    /// Stamps that the plan says it holds.
    held: Vec<bool>,
    faults: Vec<Fault>,
    detail: Detail,
    kept: Vec<OverTime>,
    /// Of each volume with a latency that is asked for.
    disks: Vec<Option<OnDisks>>,
    /// How long requests wait at each of the VM's limits, in the order of `gates`.
    gate_waits: [u64; 7],
}

/// Whether some disks have a limit of their own there.
fn has_second(vm: &VmOffer) -> bool {
    vm.route(azure::UNCACHED_V2).is_some()
}

/// Whether what the local disks serve counts against the cached limit.
fn shares_cached(vm: &VmOffer) -> bool {
    vm.route(azure::TEMP).is_some_and(|route| route.front.has(azure::CACHED))
}

/// What a sample sends past the host cache: reads, bytes read.
fn remote_reads(sample: &Sample, chosen: &VolumePlan) -> (u64, u64) {
    let part = |whole: u64| {
        let served = u128::from(whole) * u128::from(chosen.hit) / 1_000_000;
        whole - served as u64
    };
    match chosen.class {
        azure::READ_ONLY | azure::READ_WRITE => (part(sample.reads), part(sample.read_bytes)),
        azure::TEMP => (0, 0),
        _ => (sample.reads, sample.read_bytes),
    }
}

/// How the requests of a volume become I/Os of its disks: every offset at which one may begin is tried.
struct Dealt {
    disks: u64,
    unit: u64,
    own: Option<u64>,
    /// By the size of a request: I/Os of those at all offsets, and how many offsets there are.
    known: BTreeMap<u64, (u128, u128)>,
}

impl Dealt {
    /// On so many disks of a stripe with this unit; a larger I/O counts as several of `own`.
    fn new(disks: u64, unit: Bytes, own: Option<Bytes>) -> Dealt {
        Dealt { disks, unit: unit.get().max(1), own: own.map(Bytes::get), known: BTreeMap::new() }
    }

    /// A mean is requests of the two sizes in whole 4 KiB about it.
    fn ios(&mut self, requests: u64, moved: u64) -> u64 {
        if requests == 0 {
            return 0;
        }
        let pages = moved.div_ceil(4_096).max(requests);
        let (fewer, more) = (pages / requests, pages % requests);
        let (a, b) = (self.of(fewer * 4_096), self.of((fewer + 1) * 4_096));
        let all = u128::from(requests - more) * a.0 * b.1 + u128::from(more) * b.0 * a.1;
        all.div_ceil(a.1 * b.1) as u64
    }

    fn of(&mut self, size: u64) -> (u128, u128) {
        if let Some(known) = self.known.get(&size) {
            return *known;
        }
        let counted = u128::from(self.own.map_or(1, |own| size.div_ceil(own)).max(1));
        let (mut begin, mut sum, mut offsets) = (0, 0u128, 0u128);
        loop {
            let touched = if self.disks == 1 { 1 } else { (begin + size - 1) / self.unit + 1 };
            sum += u128::from(touched.min(self.disks));
            offsets += 1;
            begin = if self.disks == 1 { 0 } else { (begin + size) % self.unit };
            if begin == 0 {
                break;
            }
        }
        let found = (sum.max(counted * offsets), offsets);
        self.known.insert(size, found);
        found
    }
}

impl Checker<'_> {
    fn fault(&mut self, rule: Rule, by: u64, text: String) {
        self.faults.push(Fault { rule, by, text });
    }

    fn disks(&mut self, place: usize, volume: &Volume, chosen: &VolumePlan, disks: &Disks) {
        let offer = &self.problem.disks[disks.offer];
        let n = u64::from(disks.count);
        let (gib, iops, bytes) = match (&offer.kind, disks.each) {
            (DiskKind::Fixed { gib, iops, bytes, .. }, _) => (*gib, *iops, *bytes),
            (DiskKind::Free(free), Some(each)) => {
                let most = (free.iops_per_gib * each.gib).max(free.iops.0).min(free.iops.1);
                let bytes = each.mb * 1_000_000;
                if each.iops > most || bytes > free.bytes_per_iops * each.iops || each.gib > free.gib.1 {
                    self.fault(Rule::Purchase(place), 1, format!("{} cannot be bought like that", offer.name));
                }
                (each.gib, Rate::plain(each.iops), Rate::plain(bytes))
            }
            (DiskKind::Free(_), None) => {
                return self.fault(Rule::Purchase(place), 1, format!("{}: nothing was chosen for it", offer.name));
            }
        };
        if disks.count == 0 || disks.count > volume.disks_max || !volume.disks.contains(&disks.offer) {
            let text = format!("{} may not have {} x {}", volume.name, disks.count, offer.name);
            self.fault(
                Rule::Disks(place),
                u64::from(disks.count).saturating_sub(u64::from(volume.disks_max)).max(1),
                text,
            );
        }
        let is_cached = matches!(chosen.class, azure::READ_ONLY | azure::READ_WRITE);
        if is_cached && (offer.second || gib > CACHEABLE_MAX.get() / (1 << 30)) {
            self.fault(Rule::Cacheable(place), 1, format!("the host cache does not take {} of {gib} GiB", offer.name));
        }
        let vm = &self.problem.vms[self.plan.vm];
        let lacks = |tag| offer.needs.cover(tag) && !vm.has.cover(tag);
        if lacks(azure::PREMIUM) || lacks(azure::ULTRA) {
            self.fault(Rule::Limit(Limit::Tags), 1, format!("{} takes no {}", vm.name, offer.name));
        }
        let own_limit = offer.second && has_second(vm);
        if (chosen.class == azure::UNCACHED_V2) != own_limit {
            let text = format!("{}: {} counts against the other uncached limit", volume.name, offer.name);
            self.fault(Rule::Path(place), 1, text);
        }
        let mut dealt = Dealt::new(n, volume.stripe_unit, offer.io_unit);
        let loads = volume.samples.iter().map(|sample| {
            let (reads, read_bytes) = remote_reads(sample, chosen);
            let requests = dealt.ios(reads, read_bytes) + dealt.ios(sample.writes, sample.write_bytes);
            (requests, read_bytes + sample.write_bytes)
        });
        let (requests, moved): (Vec<u64>, Vec<u64>) = loads.unzip();
        self.by_use(volume, chosen, disks, (&requests, &moved));
        let times = |value: u64| value.saturating_mul(n);
        let all = |rate: Rate| Rate { base: times(rate.base), burst: rate.burst.map(|(r, c)| (times(r), times(c))) };
        if volume.has_latency_max() {
            let gate = Rates { iops: Some(all(iops)), bytes: Some(all(bytes)) };
            self.disks[place] = Some((gate, requests.clone(), moved.clone()));
        }
        self.rate(Limit::DiskIops(place), Some(all(iops)), requests);
        self.rate(Limit::DiskThroughput(place), Some(all(bytes)), moved);
        self.once(Limit::Capacity(place), gib * n, volume.capacity_gib, |_| false);
        if gib * n < volume.capacity_gib {
            let text = format!("{}: {} GiB do not fit in {} GiB", volume.name, volume.capacity_gib, gib * n);
            self.fault(Rule::Limit(Limit::Capacity(place)), volume.capacity_gib - gib * n, text);
        }
    }

    /// What the disks cost by use, under these requests and bytes stamp by stamp.
    fn by_use(&mut self, volume: &Volume, chosen: &VolumePlan, disks: &Disks, load: (&[u64], &[u64])) {
        let offer = &self.problem.disks[disks.offer];
        let used = used::monthly(self.problem, volume, chosen, offer, u64::from(disks.count), load);
        if used != disks.usage.get() {
            let text = format!("{}: {} by use, not {}", volume.name, Money::micros(used), disks.usage);
            self.fault(Rule::Sum, 1, text);
        }
    }

    /// The latencies that are asked for, in the stamps in which they may be too long, or in all.
    fn latency(&mut self, place: usize, volume: &Volume, chosen: &VolumePlan) {
        if !volume.has_latency_max() {
            return;
        }
        let stamps = match self.detail {
            Detail::EveryLatency => (0..volume.samples.len()).collect(),
            Detail::Failing | Detail::Series => volume.hardest(self.problem.violations_allowed),
        };
        let found = stamps.iter().map(|&stamp| self.at(place, volume, chosen, stamp));
        let Some((read, write)) = found.collect::<Option<(Vec<_>, Vec<_>)>>() else { return };
        for (writes, found) in [(false, read), (true, write)] {
            let most = volume.latency_max[usize::from(writes)];
            for of in LatencyOf::ALL {
                let (Some(asked), Some(held)) = (most.of(of), most.held(of)) else { continue };
                // A direction that nobody uses takes no time.
                let asks = |stamp: usize| match writes {
                    false => volume.samples[stamp].reads > 0,
                    true => volume.samples[stamp].writes > 0,
                };
                let known = stamps.iter().zip(&found).filter(|(stamp, _)| asks(**stamp));
                let known: Vec<(usize, u64)> = known.map(|(&stamp, found)| (stamp, found[of as usize])).collect();
                self.long(Limit::latency(place, writes, of), (asked.ns(), held.ns()), &known);
            }
        }
    }

    /// A latency in some stamps: the most that is asked for, and what is held of it.
    fn long(&mut self, limit: Limit, (asked, held): (u64, u64), known: &[(usize, u64)]) {
        let Some(longest) = known.iter().map(|found| found.1).max() else { return };
        let slow: Vec<usize> = known.iter().filter(|found| found.1 > held).map(|found| found.0).collect();
        slow.iter().for_each(|&stamp| self.failing[stamp] = true);
        let in_held = known.iter().filter(|found| self.held[found.0]).map(|found| found.1).max();
        let (failing, over) = (slow.len(), known.iter().filter(|found| found.1 > asked).count());
        let load = match self.detail {
            Detail::EveryLatency => percentiles(known.iter().map(|found| found.1).collect()),
            Detail::Failing | Detail::Series => [longest; 4],
        };
        self.uses.push(Use { limit, capacity: asked, burst: None, load, held: in_held.unwrap_or(0), failing, over });
        if slow.len() > self.problem.violations_allowed {
            let name = limit.volume().map_or("", |place| &self.problem.volumes[place].name);
            let text = format!("{name}: {} of {longest} ns, at most {held} ns asked", limit.name(self.problem));
            self.fault(Rule::Limit(limit), longest - held, text);
        }
    }

    /// The latencies of reads and of writes in a stamp, by [`LatencyOf`]; nothing without disks.
    fn at(&self, place: usize, volume: &Volume, chosen: &VolumePlan, stamp: usize) -> Option<([u64; 3], [u64; 3])> {
        let (front, behind) = self.gate_wait(chosen.class);
        let streams = volume.samples[stamp].streams();
        let (service, own) = match (&chosen.disks, &self.disks[place], &self.problem.vms[self.plan.vm].local) {
            (Some(disks), Some((gate, requests, moved)), _) => {
                let load = (requests[stamp], moved[stamp]);
                let service = on_disks(&self.problem.disks[disks.offer], volume, disks.count, streams);
                (service, disk_wait_ns(self.problem, volume, *gate, disks.count, load, streams))
            }
            (None, _, Some(temp)) => (on_local(temp, volume, streams), 0),
            _ => return None,
        };
        let served = Served { cache: self.problem.route(chosen.class).cache, hit: chosen.hit, service };
        let waits = Waits { front, behind: behind + own };
        let of = |writes| LatencyOf::ALL.map(|of| served.latency_ns(self.problem.cache_latency, writes, of, waits));
        Some((of(false), of(true)))
    }

    /// How long requests of a class wait at the VM's limits: all of them, and those that go on to a disk.
    fn gate_wait(&self, class: RouteId) -> (u64, u64) {
        let [first, second, cached, temp_read, temp_write, temp, all] = self.gate_waits;
        let in_steps = |ns: u64| ns.div_ceil(WAIT_STEP_NS) * WAIT_STEP_NS;
        match class {
            azure::UNCACHED => (0, in_steps(first + all)),
            azure::UNCACHED_V2 => (0, in_steps(second + all)),
            azure::READ_ONLY | azure::READ_WRITE => (in_steps(cached), in_steps(first + all)),
            _ => {
                let shares = shares_cached(&self.problem.vms[self.plan.vm]);
                (if shares { in_steps(cached) } else { 0 }, in_steps(temp + temp_read.max(temp_write)))
            }
        }
    }

    /// How long requests wait at a limit of the VM that carries the most of the stamps that it does not fail itself; of all of them where it
    /// fails every one: what is asked too much waits no less.
    fn longest_wait(&self, gate: Rates, requests: &[u64], moved: &[u64]) -> u64 {
        let failed = |rate: Option<Rate>, load: &[u64]| {
            rate.map_or_else(
                || vec![false; load.len()],
                |rate| exceeded(self.problem, rate, load, self.problem.utilisation).0,
            )
        };
        let mut failed: Vec<bool> =
            failed(gate.iops, requests).iter().zip(failed(gate.bytes, moved)).map(|(a, b)| *a || b).collect();
        if failed.iter().all(|failed| *failed) {
            failed.fill(false);
        }
        let highest =
            |load: &[u64]| load.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(load, _)| *load).max();
        wait_ns(self.problem, gate, 1, (highest(requests).unwrap_or(0), highest(moved).unwrap_or(0)))
    }

    fn hits(&mut self) {
        let cache = self.problem.vms[self.plan.vm].cache.get() as f64;
        let mut shared: Vec<(usize, &HitCurve, f64, f64)> = Vec::new();
        for (place, (volume, chosen)) in self.problem.volumes.iter().zip(&self.plan.volumes).enumerate() {
            let is_cached = matches!(chosen.class, azure::READ_ONLY | azure::READ_WRITE);
            match &volume.hits {
                Some(curve) if is_cached => {
                    let uses = |requests: u64, bytes: u64| match curve.parts {
                        Some(_) => (bytes as f64).max(requests as f64 * 65_536.0),
                        None => bytes as f64,
                    };
                    let samples = volume.samples.iter();
                    let touched: f64 =
                        samples.map(|s| uses(s.reads, s.read_bytes) + uses(s.writes, s.write_bytes)).sum();
                    shared.push((place, curve, touched / self.problem.stamps.max(1) as f64, 0.0));
                }
                _ if chosen.hit > 0 => {
                    self.fault(Rule::Hits(place), 1, format!("{} claims hits from nowhere", volume.name));
                }
                _ => {}
            }
            if is_cached && cache == 0.0 {
                let text = format!("{} is cached on a VM without a host cache", volume.name);
                self.fault(Rule::Cacheable(place), 1, text);
            }
        }
        let whole: f64 = shared.iter().map(|s| s.1.points.last().map_or(0, |p| p.0) as f64).sum();
        if whole <= cache {
            shared.iter_mut().for_each(|s| s.3 = s.1.points.last().map_or(0, |p| p.0) as f64);
        } else {
            cache::fill(&mut shared, cache);
        }
        for (place, curve, _, held) in shared {
            let resident = cache::read_off(curve, held);
            let is = curve.parts.map_or(resident, |parts| cache::valid(parts, resident));
            let claimed = self.plan.volumes[place].hit;
            if (f64::from(claimed) / 1e6 - is).abs() > 0.005 {
                let name = &self.problem.volumes[place].name;
                let text = format!("{name} claims {claimed} ppm of hits, {:.0} were found", is * 1e6);
                self.fault(Rule::Hits(place), 1, text);
            }
        }
    }

    fn gates(&mut self) {
        let vm = &self.problem.vms[self.plan.vm];
        let stamps = self.problem.stamps;
        let mut sums = vec![vec![0u64; stamps]; 14];
        for (volume, chosen) in self.problem.volumes.iter().zip(&self.plan.volumes) {
            for (t, s) in volume.samples.iter().enumerate() {
                let (reads, read_bytes) = remote_reads(s, chosen);
                let mut add = |gate: usize, requests: u64, bytes: u64| {
                    sums[2 * gate][t] += requests;
                    sums[2 * gate + 1][t] += bytes;
                };
                match chosen.class {
                    azure::UNCACHED => add(0, reads + s.writes, read_bytes + s.write_bytes),
                    azure::UNCACHED_V2 => add(1, reads + s.writes, read_bytes + s.write_bytes),
                    azure::READ_ONLY | azure::READ_WRITE => {
                        add(0, reads + s.writes, read_bytes + s.write_bytes);
                        add(2, s.reads + s.writes, s.read_bytes + s.write_bytes);
                    }
                    _ => {
                        if shares_cached(vm) {
                            add(2, s.reads + s.writes, s.read_bytes + s.write_bytes);
                        }
                        add(3, s.reads, s.read_bytes);
                        add(4, s.writes, s.write_bytes);
                        add(5, s.reads + s.writes, s.read_bytes + s.write_bytes);
                    }
                }
            }
        }
        let is_second = |v: &VolumePlan| v.class == azure::UNCACHED_V2;
        let is_first = |v: &VolumePlan| !matches!(v.class, azure::UNCACHED_V2 | azure::TEMP);
        let has_second = self.plan.volumes.iter().any(is_second);
        let has_first = self.plan.volumes.iter().any(is_first) || !has_second;
        let mut first = if has_first { vm.gates[azure::FIRST] } else { Rates::default() };
        let mut second = if has_second { vm.gates[azure::SECOND] } else { Rates::default() };
        let mut all = Rates::default();
        if vm.gates[azure::ALL] != Rates::default() && has_first && has_second {
            // One budget: the wider figure is of all that goes to remote disks, the other of its own kind.
            let top = |rate: Option<Rate>| {
                rate.map_or((u64::MAX, u64::MAX), |rate| (rate.base, rate.burst.map_or(rate.base, |b| b.0)))
            };
            for (first, second, all) in [
                (&mut first.iops, &mut second.iops, &mut all.iops),
                (&mut first.bytes, &mut second.bytes, &mut all.bytes),
            ] {
                let (of_first, of_second) = (top(*first), top(*second));
                *all = if of_first < of_second { *second } else { *first };
                if of_first >= of_second {
                    *first = None;
                }
                if of_first <= of_second {
                    *second = None;
                }
            }
            for dimension in [0, 1] {
                let both = sums[dimension].iter().zip(&sums[2 + dimension]).map(|(a, b)| a + b).collect();
                sums[12 + dimension] = both;
            }
        }
        let gates = [
            (azure::FIRST, first, 0),
            (azure::SECOND, second, 1),
            (azure::ALL, all, 6),
            (azure::CACHED, vm.gates[azure::CACHED], 2),
            (azure::LOCAL_READS, vm.gates[azure::LOCAL_READS], 3),
            (azure::LOCAL_WRITES, vm.gates[azure::LOCAL_WRITES], 4),
            (azure::LOCAL, vm.gates[azure::LOCAL], 5),
        ];
        for (gate, rates, place) in gates {
            if self.problem.volumes.iter().any(Volume::has_latency_max) {
                self.gate_waits[place] = self.longest_wait(rates, &sums[2 * place], &sums[2 * place + 1]);
            }
            let of = |quantity| Limit::Gate(gate, quantity);
            self.rate(of(Quantity::Iops), rates.iops, std::mem::take(&mut sums[2 * place]));
            self.rate(of(Quantity::Throughput), rates.bytes, std::mem::take(&mut sums[2 * place + 1]));
        }
    }

    fn counts(&mut self) {
        let vm = &self.problem.vms[self.plan.vm];
        let disks: u64 = self.plan.volumes.iter().filter_map(|v| v.disks.as_ref()).map(|d| u64::from(d.count)).sum();
        let on_local = self.problem.volumes.iter().zip(&self.plan.volumes).filter(|(_, v)| v.class == azure::TEMP);
        let on_local: Vec<u64> = on_local.map(|(volume, _)| volume.capacity_gib).collect();
        if let Some(reason) = &vm.barred {
            self.fault(Rule::Limit(Limit::Barred), 1, format!("{}: {reason}", vm.name));
        }
        let os = self.problem.os_disks;
        let mut counted = vec![
            (Limit::Slots, u64::from(vm.slots - os), disks.saturating_sub(u64::from(os))),
            (Limit::Vcpu, u64::from(vm.vcpu) * 1_000, self.problem.cpu_milli),
            (Limit::Memory, vm.memory_mib.unwrap_or(0), self.problem.memory_mib),
        ];
        if !on_local.is_empty() {
            counted.push((Limit::LocalSize, vm.local.map_or(0, |local| local.gib), on_local.iter().sum()));
        }
        for (limit, capacity, load) in counted {
            self.once(limit, capacity, load, |load| load > capacity);
            if load > capacity {
                self.fault(
                    Rule::Limit(limit),
                    load - capacity,
                    format!("{}: {} {load} of {capacity}", vm.name, limit.name(self.problem)),
                );
            }
        }
    }

    fn money(&mut self) {
        let mut sum = self.problem.vms[self.plan.vm].price.get();
        for disks in self.plan.volumes.iter().filter_map(|v| v.disks.as_ref()) {
            let one = match (&self.problem.disks[disks.offer].kind, disks.each) {
                (DiskKind::Fixed { price, .. }, _) => price.get(),
                (DiskKind::Free(free), Some(each)) => {
                    let beyond = |bought: u64, free: u64| bought - free.min(bought);
                    let part = |price: Money, count: u64| price.get().saturating_mul(count);
                    part(free.price.0, each.gib)
                        .saturating_add(part(free.price.1, beyond(each.iops, free.free.0)))
                        .saturating_add(part(free.price.2, beyond(each.mb, free.free.1)))
                }
                (DiskKind::Free(_), None) => 0,
            };
            sum = sum.saturating_add(one.saturating_mul(u64::from(disks.count))).saturating_add(disks.usage.get());
        }
        if Money::micros(sum) != self.plan.cost {
            self.fault(Rule::Sum, 1, format!("it costs {}, not {}", Money::micros(sum), self.plan.cost));
        }
        if let Some(most) = self.problem.cost_max.filter(|most| sum > most.get()) {
            let text = format!("it costs {}, at most {most} is asked", Money::micros(sum));
            self.fault(Rule::Limit(Limit::Cost), sum - most.get(), text);
        }
    }

    /// A limit over time.
    fn rate(&mut self, limit: Limit, rate: Option<Rate>, load: Vec<u64>) {
        let Some(rate) = rate else { return };
        if load.iter().all(|load| *load == 0) {
            return;
        }
        let (failed, _) = exceeded(self.problem, rate, &load, self.problem.utilisation);
        let (over, left) = exceeded(self.problem, rate, &load, ONE);
        let over = over.iter().filter(|over| **over).count();
        for (all, this) in self.failing.iter_mut().zip(&failed) {
            *all |= this;
        }
        let failing = failed.iter().filter(|failed| **failed).count();
        if self.detail == Detail::Series {
            self.kept.push((limit, rate, load.clone()));
        }
        let held = load.iter().zip(&self.held).filter(|(_, held)| **held).map(|(load, _)| *load).max().unwrap_or(0);
        let usable = share(rate.base, self.problem.utilisation);
        let burst = rate.burst.filter(|_| held > usable && failing <= self.problem.violations_allowed);
        let (capacity, burst) = match burst.zip(left) {
            Some(((top, _), left)) => (top, Some(Burst { sustained: rate.base, left })),
            None => (rate.base, None),
        };
        self.uses.push(Use { limit, capacity, burst, load: percentiles(load), held, failing, over });
    }

    fn once(&mut self, limit: Limit, capacity: u64, load: u64, fails: impl Fn(u64) -> bool) {
        let (failing, over) = (usize::from(fails(load)), usize::from(load > capacity));
        self.uses.push(Use { limit, capacity, burst: None, load: [load; 4], held: load, failing, over });
    }
}

/// Stamps above so many parts per million of what a limit gives; with the least share of its credits that is left, where bursts count.
fn exceeded(problem: &Problem, rate: Rate, load: &[u64], utilisation: u32) -> (Vec<bool>, Option<u32>) {
    let usable = |rate: u64| (u128::from(rate) * u128::from(utilisation) / 1_000_000) as i128;
    let base = usable(rate.base);
    let burst = rate.burst.filter(|_| problem.bursting);
    let Some((top, credits)) = burst else {
        return (load.iter().map(|load| i128::from(*load) > base).collect(), None);
    };
    let (top, full) = (usable(top).max(base), i128::from(credits) * 1_000_000_000);
    let (mut left, mut failed) = (full, vec![false; load.len()]);
    let mut least = full;
    // Twice, so that what the first bucket carried is not trusted.
    for t in (0..load.len()).chain(0..load.len()) {
        let change = (base - i128::from(load[t]).min(top)) * i128::from(problem.interval.ns());
        failed[t] |= i128::from(load[t]) > top || left + change < 0;
        left = (left + change).clamp(0, full);
        least = least.min(left);
    }
    (failed, Some((least * i128::from(ONE) / full.max(1)) as u32))
}

fn percentiles(mut load: Vec<u64>) -> [u64; 4] {
    let (stamps, mut rest) = (load.len(), load.as_mut_slice());
    let mut found = [0; 4];
    // From the highest down, each among those that are no higher.
    for (found, percent) in found.iter_mut().zip([50, 90, 99, 100]).rev() {
        let rank = (stamps * percent).div_ceil(100).max(1);
        if rank <= rest.len() {
            *found = *rest.select_nth_unstable(rank - 1).1;
            rest = &mut rest[..rank];
        }
    }
    found
}
