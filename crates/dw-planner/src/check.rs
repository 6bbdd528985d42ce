//! An independent check: every limit of a plan, recomputed from the demand.
//!
//! Written from the table of gates and routes alone; it shares no arithmetic with the search but the formulas of latency and waiting. It
//! follows the requests of every volume along its route (`path.rs`), judges in every stamp what each limit then carries (`bucket.rs`),
//! and counts the stamps in which any is exceeded. Hit ratios and costs are claims of the plan: the cache is filled here a little at a
//! time (`cache.rs`), and the claim must agree within half a percent; costs (`disks.rs`) must agree exactly.
//!
//! It is also what reports show: load at percentiles, capacity and headroom of every limit.
//!
//! Source: `docs/model/planning.md`, its table of limits and loads.
//!
//! Ignores: whether something cheaper exists.
//!
//! Invariant: no limit fails in a stamp in which the plan does not.

mod bucket;
mod cache;
mod disks;
mod path;
mod stripe;

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::Money;
use dw_catalogue::gate::{GateList, Route};
use dw_demand::wishes::LatencyOf;
use dw_units::Direction;

use self::bucket::spend;
use self::disks::Bought;
use self::path::{Carried, Place, follow, meets, missed};
use crate::fault::{Fault, Rule};
use crate::latency::{Served, disk_wait_ns, on_disks, on_local, wait_ns};
use crate::limit::Limit;
use crate::plan::{Plan, VolumePlan};
use crate::problem::{ONE, Problem, Rate, VmOffer, Volume};
use crate::wait::{WAIT_STEP_NS, Waits};

/// What a limit carries under a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
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
    /// Volumes, each with stamps in which a latency of it is too long.
    pub slow: Vec<(usize, usize)>,
    /// Rules that are broken whatever the time, and sums that do not add up.
    pub faults: Vec<Fault>,
    /// Few enough stamps fail, and no rule is broken.
    pub holds: bool,
}

/// Recomputes every limit.
pub fn check(problem: &Problem, plan: &Plan) -> Checked {
    let hardest = |volume: &Volume| volume.hardest(problem.violations_allowed);
    let mut checked = judge(problem, plan, hardest);
    for used in checked.uses.iter_mut().filter(|used| used.limit.is_latency()) {
        used.load = [used.load[3]; 4];
    }
    checked
}

/// What the limits carry, latencies in every stamp: [`check`] has their longest alone in all four places, as it looks at the stamps in which
/// they may be too long.
pub fn uses(problem: &Problem, plan: &Plan) -> Vec<Use> {
    check_every_stamp(problem, plan).uses
}

/// A check that looks at latencies in every stamp.
pub fn check_every_stamp(problem: &Problem, plan: &Plan) -> Checked {
    judge(problem, plan, |volume| (0..volume.samples.len()).collect())
}

/// A limit over time: what it gives, and its load in every stamp.
pub type OverTime = (Limit, Rate, Vec<u64>);

/// The limits over time that a plan's demand passes, in order of a request's path.
pub fn over_time(problem: &Problem, plan: &Plan) -> Vec<OverTime> {
    follow(problem, plan).iter().flat_map(|(place, carried)| carried.limits(*place)).collect()
}

/// Latencies are looked at in these stamps.
fn judge(problem: &Problem, plan: &Plan, stamps: impl Fn(&Volume) -> Vec<usize>) -> Checked {
    let carried = follow(problem, plan);
    let mut judge = Judge {
        problem,
        plan,
        vm: &problem.vms[plan.vm],
        carried: &carried,
        waits: BTreeMap::new(),
        uses: Vec::new(),
        failing: BTreeSet::new(),
        slow: BTreeSet::new(),
        faults: Vec::new(),
    };
    for (number, volume, chosen) in judge.volumes() {
        judge.disks(number, volume, chosen);
    }
    judge.hits();
    judge.rates();
    for (number, volume, chosen) in judge.volumes().filter(|(_, volume, _)| volume.has_latency_max()) {
        judge.latencies(number, volume, chosen, stamps(volume));
    }
    judge.counts();
    judge.cost();
    let over_time = |used: &&Use| used.limit.is_rate() || used.limit.is_latency();
    debug_assert!(judge.uses.iter().filter(over_time).all(|used| used.failing <= judge.failing.len()));
    let holds = judge.faults.is_empty() && judge.failing.len() <= problem.violations_allowed;
    let failing = judge.failing.into_iter().map(|stamp| stamp as u32).collect();
    let slow = judge.slow.into_iter().collect();
    Checked { uses: judge.uses, failing, slow, faults: judge.faults, holds }
}

struct Judge<'a> {
    problem: &'a Problem,
    plan: &'a Plan,
    vm: &'a VmOffer,
    carried: &'a BTreeMap<Place, Carried>,
    /// How long requests wait at each gate that they meet.
    waits: BTreeMap<usize, u64>,
    uses: Vec<Use>,
    failing: BTreeSet<usize>,
    slow: BTreeSet<(usize, usize)>,
    faults: Vec<Fault>,
}

impl<'a> Judge<'a> {
    /// Where a rule does not hold, by how much, and as a sentence.
    fn must(&mut self, holds: bool, rule: Rule, by: u64, text: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(Fault { rule, by, text: text() });
        }
    }

    fn volumes(&self) -> impl Iterator<Item = (usize, &'a Volume, &'a VolumePlan)> + use<'a> {
        let volumes = self.problem.volumes.iter().zip(&self.plan.volumes).enumerate();
        volumes.map(|(number, (volume, chosen))| (number, volume, chosen))
    }

    /// The way of a volume, which passes and takes nothing where the VM has none of that kind.
    fn route(&self, chosen: &VolumePlan) -> Route {
        self.vm.route(chosen.class).unwrap_or_default()
    }

    /// Whether it is on disks of the VM's own; without a route and without disks it would have to be.
    fn is_local(&self, chosen: &VolumePlan) -> bool {
        self.vm.route(chosen.class).map_or(chosen.disks.is_none(), |route| route.is_local)
    }

    /// Whether a volume may have its disks there, as they were bought.
    fn disks(&mut self, number: usize, volume: &Volume, chosen: &VolumePlan) {
        let (problem, vm, route, name) = (self.problem, self.vm, self.route(chosen), &volume.name);
        let Some(disks) = &chosen.disks else {
            return self.must(self.is_local(chosen), Rule::Disks(number), 1, || format!("{name} has no disks"));
        };
        let offer = &problem.disks[disks.offer].name;
        let Some(bought) = Bought::of(problem, chosen) else {
            return self.must(false, Rule::Purchase(number), 1, || format!("{offer}: nothing was chosen for it"));
        };
        self.must(bought.is_for_sale, Rule::Purchase(number), 1, || format!("{offer} cannot be bought like that"));
        let may_have =
            (volume.disks_min..=volume.disks_max).contains(&disks.count) && volume.disks.contains(&disks.offer);
        let by = disks.count.saturating_sub(volume.disks_max).max(1).into();
        let text = || format!("{name} may not have {} x {offer}", disks.count);
        self.must(may_have, Rule::Disks(number), by, text);
        // Who looks for a cache is told of the cache.
        let (is_taken, gib) = (route.takes.have(bought.offer.second), bought.gib);
        let is_cacheable = !route.has_cache() || is_taken && gib <= route.gib_max;
        let text = || format!("the host cache does not take {offer} of {gib} GiB");
        self.must(is_cacheable, Rule::Cacheable(number), 1, text);
        let sees_all = bought.offer.shared.is_none() || !route.has_cache();
        let text = || format!("{name}: several VMs attach {offer}, and a host cache is of one");
        self.must(sees_all, Rule::Cacheable(number), 1, text);
        let text = || format!("{} takes no {offer}", vm.name);
        self.must(vm.has.cover(bought.offer.needs), Rule::Limit(Limit::Tags), 1, text);
        let text = || format!("{name}: {offer} takes another way on {}", vm.name);
        self.must(is_taken || route.has_cache(), Rule::Path(number), 1, text);
        let usual = missed(&volume.usual, route, chosen.hit);
        let usage = Money::micros(bought.by_use(problem, volume, usual, &self.carried[&Place::Disks(number)].loads));
        let text = || format!("{name}: {usage} by use, not {}", disks.usage);
        self.must(usage == disks.usage, Rule::Sum, 1, text);
        let (asked, holds) = (volume.capacity_gib, bought.hold_gib());
        let text = || format!("{name}: {asked} GiB do not fit in {holds} GiB");
        self.must(asked <= holds, Rule::Limit(Limit::Capacity(number)), asked.saturating_sub(holds), text);
    }

    /// Whether reads hit as often as the plan claims.
    fn hits(&mut self) {
        let ratios: BTreeMap<usize, f64> = cache::ratios(self.problem, self.plan).into_iter().collect();
        for (number, volume, chosen) in self.volumes() {
            let (name, rule) = (&volume.name, Rule::Hits(number));
            match ratios.get(&number).map(|ratio| (ratio * f64::from(ONE)).min(volume.hit_max.into())) {
                Some(found) => {
                    let text = || format!("{name} claims {} ppm of hits, {found:.0} were found", chosen.hit);
                    self.must((f64::from(chosen.hit) - found).abs() <= 5_000.0, rule, 1, text);
                }
                None => self.must(chosen.hit == 0, rule, 1, || format!("{name} claims hits from nowhere")),
            }
            let has_cache = self.vm.cache.get() > 0 || !self.route(chosen).has_cache();
            let text = || format!("{name} is behind a host cache on a VM without one");
            self.must(has_cache, Rule::Cacheable(number), 1, text);
        }
    }

    /// What every place carries, how long requests wait at gates, and what disks hold.
    fn rates(&mut self) {
        for (&place, carried) in self.carried {
            let mut failing = BTreeSet::new();
            for (limit, rate, loads) in carried.limits(place) {
                let spent = spend(self.problem, rate, &loads, self.problem.utilisation);
                let whole = spend(self.problem, rate, &loads, ONE);
                failing.extend(spent.failing.iter().copied());
                let used = self.used(limit, rate.base, loads.into_iter().enumerate(), &spent.failing);
                let needs_bursts = used.held > spent.usable && used.failing <= self.problem.violations_allowed;
                let burst = rate.burst.zip(whole.left).filter(|_| needs_bursts);
                self.uses.push(Use {
                    capacity: burst.map_or(rate.base, |((top, _), _)| top),
                    burst: burst.map(|(_, left)| Burst { sustained: rate.base, left }),
                    over: whole.failing.len(),
                    ..used
                });
            }
            match place {
                Place::Gate(gate) => {
                    self.waits.insert(gate, self.longest_wait(carried, &failing));
                }
                Place::Disks(number) => {
                    let holds = Bought::of(self.problem, &self.plan.volumes[number]).map_or(0, |all| all.hold_gib());
                    let used = count(Limit::Capacity(number), holds, self.problem.volumes[number].capacity_gib);
                    self.uses.push(Use { failing: 0, ..used });
                }
            }
            self.failing.extend(failing);
        }
    }

    /// A limit with its loads, which come with their stamps.
    fn used(
        &self,
        limit: Limit,
        capacity: u64,
        loads: impl Iterator<Item = (usize, u64)> + Clone,
        failing: &[usize],
    ) -> Use {
        let is_held = |stamp: usize| self.plan.failing.binary_search(&(stamp as u32)).is_err();
        let held = loads.clone().filter(|(stamp, _)| is_held(*stamp)).map(|(_, load)| load).max().unwrap_or(0);
        let over = loads.clone().filter(|(_, load)| *load > capacity).count();
        let load = percentiles(loads.map(|(_, load)| load).collect());
        Use { limit, capacity, burst: None, load, held, failing: failing.len(), over }
    }

    /// How long requests wait at a gate that carries the most of the stamps that it does not fail itself; of all of them where it fails every
    /// one: what is asked too much waits no less.
    fn longest_wait(&self, carried: &Carried, failing: &BTreeSet<usize>) -> u64 {
        let fails_always = failing.len() == carried.loads.len();
        let loads = carried.loads.iter().enumerate().filter(|(stamp, _)| fails_always || !failing.contains(stamp));
        let most = loads.fold((0, 0), |most, (_, load)| (load.requests.max(most.0), load.bytes.max(most.1)));
        wait_ns(self.problem, carried.gives, 1, most)
    }

    /// How long requests wait at these gates, one after the other: the longer of reads and of writes, in whole steps.
    fn wait(&self, gates: GateList) -> u64 {
        let of = |direction| {
            let met = gates.iter().filter(|gate| meets(self.problem, *gate, direction));
            met.map(|gate| self.waits[&gate]).sum::<u64>()
        };
        Direction::ALL.map(of).into_iter().max().unwrap_or(0).div_ceil(WAIT_STEP_NS) * WAIT_STEP_NS
    }

    /// The latencies of a volume that are asked for, in some stamps.
    fn latencies(&mut self, number: usize, volume: &'a Volume, chosen: &'a VolumePlan, stamps: Vec<usize>) {
        let Some(served) = self.served(number, volume, chosen) else { return };
        let served: Vec<(Served, Waits)> = stamps.iter().map(|stamp| served(*stamp)).collect();
        for (place, most) in volume.latency_max.into_iter().enumerate() {
            for of in LatencyOf::ALL {
                let (Some(asked), Some(most)) = (most.of(of), most.held(of)) else { continue };
                // A direction that nobody uses takes no time.
                let is_used = |stamp: usize| volume.samples[stamp].streams()[place].requests > 0;
                let known = stamps.iter().zip(&served).filter(|(stamp, _)| is_used(**stamp));
                let latency = |(served, waits): &(Served, Waits)| {
                    served.latency_ns(self.problem.cache_latency, place == 1, of, *waits)
                };
                let known: Vec<(usize, u64)> = known.map(|(stamp, served)| (*stamp, latency(served))).collect();
                let Some(longest) = known.iter().map(|known| known.1).max() else { continue };
                let slow = known.iter().filter(|known| known.1 > most.ns()).map(|known| known.0);
                let slow: Vec<usize> = slow.collect();
                let limit = Limit::latency(number, place == 1, of);
                self.uses.push(self.used(limit, asked.ns(), known.into_iter(), &slow));
                let (name, limit_name) = (&volume.name, limit.name(self.problem));
                let text = || format!("{name}: {limit_name} of {longest} ns, at most {} ns asked", most.ns());
                let is_met = slow.len() <= self.problem.violations_allowed;
                self.must(is_met, Rule::Limit(limit), longest.saturating_sub(most.ns()), text);
                self.slow.extend(slow.iter().map(|stamp| (number, *stamp)));
                self.failing.extend(slow);
            }
        }
    }

    /// By what the requests of a volume are served in each stamp, and how long they wait; nothing without disks.
    fn served(
        &self,
        number: usize,
        volume: &'a Volume,
        chosen: &'a VolumePlan,
    ) -> Option<impl Fn(usize) -> (Served, Waits) + use<'a>> {
        let (problem, route) = (self.problem, self.route(chosen));
        let (on, local) = (self.carried.get(&Place::Disks(number)), self.vm.local.as_ref());
        let on = chosen.disks.as_ref().zip(on);
        if on.is_none() && (chosen.disks.is_some() || local.is_none()) {
            return None;
        }
        // At the VM's limits they wait as long in every stamp.
        let (front, behind) = (self.wait(route.front), self.wait(route.behind));
        Some(move |stamp: usize| {
            let streams = volume.samples[stamp].streams();
            let (service, own) = match on {
                Some((disks, carried)) => {
                    let load = (carried.loads[stamp].requests, carried.loads[stamp].bytes);
                    let service = on_disks(&problem.disks[disks.offer], volume, disks.count, streams);
                    (service, disk_wait_ns(problem, volume, carried.gives, disks.count, load, streams))
                }
                None => (local.map_or_else(Default::default, |local| on_local(local, volume, streams)), 0),
            };
            (Served { cache: route.cache, hit: chosen.hit, service }, Waits { front, behind: behind + own })
        })
    }

    /// Processors of the VM that are needed, in thousandths: those of the load, fewer or more as these are faster or slower than those that
    /// it was recorded on, and no fewer than were asked for.
    fn processors(&self) -> u64 {
        let (load, speed) = (u128::from(self.problem.cpu_milli) * 1_000_000, u128::from(self.vm.speed));
        let own = load / speed + u128::from(load % speed > 0);
        own.max(u128::from(self.problem.vcpu_min) * 1_000) as u64
    }

    /// What does not change over time.
    fn counts(&mut self) {
        let (problem, vm) = (self.problem, self.vm);
        let reason = vm.barred.as_deref();
        let text = || format!("{}: {}", vm.name, reason.unwrap_or_default());
        self.must(reason.is_none(), Rule::Limit(Limit::Barred), 1, text);
        let local = self.volumes().filter(|(.., chosen)| self.is_local(chosen));
        let local: Vec<u64> = local.map(|(_, volume, _)| volume.capacity_gib).collect();
        let on_local = count(Limit::LocalSize, vm.local.map_or(0, |disk| disk.gib), local.iter().sum());
        let disks = self.plan.disk_count().saturating_sub(problem.os_disks);
        let counts = [
            count(Limit::Slots, (vm.slots - problem.os_disks).into(), disks.into()),
            count(Limit::Vcpu, u64::from(vm.vcpu) * 1_000, self.processors()),
            count(Limit::Memory, vm.memory_mib.unwrap_or(0), problem.memory_mib),
        ];
        for used in counts.into_iter().chain((!local.is_empty()).then_some(on_local)) {
            let Use { limit, capacity, held, .. } = used;
            let text = || format!("{}: {} {held} of {capacity}", vm.name, limit.name(problem));
            self.must(held <= capacity, Rule::Limit(limit), held.saturating_sub(capacity), text);
            self.uses.push(used);
        }
    }

    /// Whether costs add up, and are no more than is asked.
    fn cost(&mut self) {
        let of_disks = self.plan.volumes.iter().filter_map(|chosen| {
            let all = Bought::of(self.problem, chosen).map_or(0, |all| all.cost());
            Some(all.saturating_add(chosen.disks.as_ref()?.usage.get()))
        });
        let cost = Money::micros(of_disks.fold(self.vm.price.get(), u64::saturating_add));
        let (claimed, most) = (self.plan.cost, self.problem.cost_max.unwrap_or(Money::MAX));
        self.must(cost == claimed, Rule::Sum, 1, || format!("it costs {cost}, not {claimed}"));
        let text = || format!("it costs {cost}, at most {most} is asked");
        self.must(cost <= most, Rule::Limit(Limit::Cost), cost.get().saturating_sub(most.get()), text);
    }
}

/// What is always the same.
fn count(limit: Limit, capacity: u64, load: u64) -> Use {
    let over = usize::from(load > capacity);
    Use { limit, capacity, burst: None, load: [load; 4], held: load, failing: over, over }
}

/// The largest of so many percent of some loads.
fn percentiles(mut loads: Vec<u64>) -> [u64; 4] {
    let stamps = loads.len();
    [50, 90, 99, 100].map(|percent| *loads.select_nth_unstable((stamps * percent).div_ceil(100) - 1).1)
}
