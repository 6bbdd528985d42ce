//! The search: the cheapest plan on each VM size that could still be among the best, exactly.
//!
//! What a volume puts on the VM depends on how it is attached and on its hit ratio, not on which disks serve it. So for every
//! VM and every way to attach the volumes the VM's limits are checked once, and volumes then share nothing but data-disk slots
//! and the stamps that may fail: each has a short list of choices ([`crate::choice`]), and a depth-first search over
//! the lists, cheapest first, cut by the cost of the best known and the least that the remaining volumes cost, finds the best.
//!
//! VM sizes come in order of price. Once a price and the least that the disks cost on any VM exceed the cost of the last plan
//! that is kept, no later VM can matter: that sum is the proof.
//!
//! Ignores: volumes that share a pool of disks; two kinds of disks in one stripe.

use std::collections::HashMap;
use std::rc::Rc;

use dw_catalogue::Money;

use crate::choice::{self, Attached, Choice, GateWait, wait_ns};
use crate::hit;
use crate::limit::{Limit, Relaxed};
use crate::load::{GateLoads, Load, Loads, union};
use crate::plan::{Disks, Plan, VolumePlan};
use crate::problem::{Class, Gate, ONE, Problem, Temp, VmOffer, WAIT_STEP_NS};

/// The best plans, one for each VM size, cheapest first; and what proves it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) plans: Vec<Plan>,
    /// No plan on a VM that was not looked at costs less.
    pub(crate) bound: Option<Money>,
    /// VM sizes that were looked at.
    pub(crate) examined: usize,
}

/// A search with some limits left aside.
pub(crate) struct Search<'a> {
    problem: &'a Problem,
    loads: &'a Loads,
    relaxed: Relaxed,
    choices: HashMap<Attached, Rc<Vec<Choice>>>,
    hits: HashMap<(u64, Vec<Class>), Vec<u32>>,
    vectors: Vec<Vec<Class>>,
    touched: Vec<f64>,
    disks_at_most: u32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(problem: &'a Problem, loads: &'a Loads, relaxed: &[Limit]) -> Self {
        Search {
            problem,
            loads,
            relaxed: Relaxed::of(relaxed),
            choices: HashMap::new(),
            hits: HashMap::new(),
            vectors: vectors(problem),
            touched: problem.volumes.iter().map(hit::touched).collect(),
            disks_at_most: u32::MAX,
        }
    }

    /// Of plans with no more disks than that.
    pub(crate) fn with_disks_at_most(self, disks_at_most: u32) -> Self {
        Search { disks_at_most, ..self }
    }

    /// The `keep` best plans on different VM sizes of `vms`, which are in order of price; none costs more than `most`.
    pub(crate) fn run(&mut self, vms: &[usize], keep: usize, most: Money) -> Found {
        let least = self.least_disk_cost();
        let mut plans: Vec<Plan> = Vec::new();
        for (examined, &vm) in vms.iter().enumerate() {
            let worst = if plans.len() < keep { most } else { plans[keep - 1].cost };
            let bound = self.problem.vms[vm].price + least.unwrap_or(Money::MAX);
            if bound > worst || bound == Money::MAX {
                return Found { plans, bound: Some(bound), examined };
            }
            if let Some(plan) = self.best_on(vm, worst) {
                let at = plans.partition_point(|other| other.rank() <= plan.rank());
                plans.insert(at, plan);
                plans.truncate(keep);
            }
        }
        Found { plans, bound: None, examined: vms.len() }
    }

    /// The least that the disks of all volumes cost on any VM; nothing when a volume has no choice at all.
    fn least_disk_cost(&mut self) -> Option<Money> {
        let mut sum = Money::ZERO;
        for volume in 0..self.problem.volumes.len() {
            if self.problem.volumes[volume].classes.contains(&Class::Temp) {
                continue;
            }
            // With every read a hit and any disk allowed nothing costs more than it does on some VM; cached disks may be
            // larger and slower than what a latency limit lets through, so each class counts.
            let classes = self.problem.volumes[volume].classes.clone();
            let mut least: Option<Money> = None;
            for class in classes {
                let hit = if class.cached() { self.best_hit(volume) } else { 0 };
                for second in [false, true] {
                    let wait = GateWait::default();
                    let attached = Attached { volume, class, hit, premium: true, ultra: true, second, wait };
                    if let Some(choice) = self.choices_of(attached).first() {
                        least = Some(least.map_or(choice.cost, |least| least.min(choice.cost)));
                    }
                }
            }
            sum += least?;
        }
        Some(sum)
    }

    fn best_hit(&self, volume: usize) -> u32 {
        let curve = self.problem.volumes[volume].hits.as_ref();
        curve.and_then(|curve| curve.points.last()).map_or(0, |point| point.1)
    }

    /// The best plan on a VM that costs at most `worst`.
    pub(crate) fn best_on(&mut self, vm: usize, worst: Money) -> Option<Plan> {
        let offer = &self.problem.vms[vm];
        if !self.vm_will_do(offer) {
            return None;
        }
        let mut best: Option<Plan> = None;
        for vector in 0..self.vectors.len() {
            let classes = self.vectors[vector].clone();
            if !possible(offer, &classes) || !self.temp_fits(offer, &classes) {
                continue;
            }
            let hits = self.hits_of(offer, &classes);
            let attached: Vec<(Class, u32)> = classes.iter().copied().zip(hits.iter().copied()).collect();
            let worst = best.as_ref().map_or(worst, |plan| plan.cost);
            // What the disks cost at least is known sooner than what the VM's limits carry.
            let lists = self.lists(offer, &attached, &vec![GateWait::default(); attached.len()]);
            if least_cost(offer, &lists).is_none_or(|least| least > worst) {
                continue;
            }
            let shares = offer.temp.is_some_and(|temp| temp.shares_cached);
            let loads = self.loads.gates(self.problem, &attached, shares);
            let Some(failing) = self.gates_failing(offer, &loads) else { continue };
            let lists = self.lists(offer, &attached, &self.waits(offer, &attached, &loads));
            if least_cost(offer, &lists).is_none_or(|least| least > worst) {
                continue;
            }
            let mut descent = Descent::new(self, offer, &lists, worst);
            descent.go(0, offer.price, 0, &failing);
            if let Some((cost, failing, chosen)) = descent.best {
                let plan = plan_of(vm, &attached, &lists, &chosen, cost, failing);
                if best.as_ref().is_none_or(|best| plan.rank() < best.rank()) {
                    best = Some(plan);
                }
            }
        }
        best
    }

    fn vm_will_do(&self, vm: &VmOffer) -> bool {
        (vm.barred.is_none() || self.relaxed.has(Limit::Barred))
            && (u64::from(vm.vcpu) * 1_000 >= self.problem.cpu_milli || self.relaxed.has(Limit::Vcpu))
            && (vm.memory_mib.unwrap_or(0) >= self.problem.memory_mib || self.relaxed.has(Limit::Memory))
    }

    fn temp_fits(&self, vm: &VmOffer, classes: &[Class]) -> bool {
        let on_temp = self.problem.volumes.iter().zip(classes).filter(|(_, class)| **class == Class::Temp);
        let asked: u64 = on_temp.map(|(volume, _)| volume.capacity_gib).sum();
        asked <= vm.temp.map_or(0, |temp| temp.gib) || self.relaxed.has(Limit::TempSize)
    }

    fn hits_of(&mut self, vm: &VmOffer, classes: &[Class]) -> Vec<u32> {
        let key = (vm.cache.get(), classes.to_vec());
        if let Some(hits) = self.hits.get(&key) {
            return hits.clone();
        }
        let volumes = self.problem.volumes.iter().zip(classes).enumerate();
        let curves =
            volumes.filter(|(_, (_, class))| class.cached()).filter_map(|(j, (v, _))| Some((j, v.hits.as_ref()?)));
        let (places, shared): (Vec<usize>, Vec<_>) = curves.map(|(j, curve)| (j, (curve, self.touched[j]))).unzip();
        let mut hits = vec![0; classes.len()];
        for (place, hit) in places.into_iter().zip(hit::ratios(vm.cache.get(), &shared)) {
            hits[place] = hit;
        }
        self.hits.insert(key, hits.clone());
        hits
    }

    /// The VM's limits with what passes them: uncached, second, both together, cached, and three of the temp disk.
    fn gates<'l>(&self, vm: &VmOffer, loads: &'l GateLoads) -> [(&'l Load, Gate); 7] {
        let keep = |gate: Gate, iops: Limit, bytes: Limit| Gate {
            iops: gate.iops.filter(|_| !self.relaxed.has(iops)),
            bytes: gate.bytes.filter(|_| !self.relaxed.has(bytes)),
        };
        let remote = vm.remote(loads.both.is_some());
        let temp =
            |of: fn(Temp) -> Gate| keep(vm.temp.map_or(Gate::default(), of), Limit::TempIops, Limit::TempThroughput);
        [
            (&loads.uncached, keep(remote.first, Limit::UncachedIops, Limit::UncachedThroughput)),
            (&loads.second, keep(remote.second, Limit::SecondIops, Limit::SecondThroughput)),
            (loads.both.as_ref().unwrap_or(&loads.uncached), keep(remote.all, Limit::AllIops, Limit::AllThroughput)),
            (&loads.cached, keep(vm.cached, Limit::CachedIops, Limit::CachedThroughput)),
            (&loads.temp, temp(|temp| temp.all)),
            (&loads.temp_read, temp(|temp| temp.read)),
            (&loads.temp_write, temp(|temp| temp.write)),
        ]
    }

    fn gates_failing(&self, vm: &VmOffer, loads: &GateLoads) -> Option<Vec<u32>> {
        let mut failing = Vec::new();
        for (load, gate) in self.gates(vm, loads) {
            let more = load.failing_rates(self.problem, gate)?;
            failing = union(&failing, &more, self.problem.violations_allowed)?;
        }
        Some(failing)
    }

    /// What each volume's requests wait at the VM's limits when these carry the most that they have to; nothing where no latency is
    /// asked for.
    fn waits(&self, vm: &VmOffer, attached: &[(Class, u32)], loads: &GateLoads) -> Vec<GateWait> {
        let allowed = self.problem.violations_allowed;
        let [first, second, all, cached, ..] =
            self.gates(vm, loads).map(|(load, gate)| wait_ns(self.problem, gate, 1, load.level(allowed, allowed)));
        let steps = |ns: u64| ns.div_ceil(WAIT_STEP_NS) * WAIT_STEP_NS;
        let of = |(volume, &(class, _)): (&crate::problem::Volume, &(Class, u32))| {
            if volume.read_latency_ns.is_none() && volume.write_latency_ns.is_none() {
                return GateWait::default();
            }
            match class {
                Class::Uncached => GateWait { front: 0, behind: steps(first + all) },
                Class::Second => GateWait { front: 0, behind: steps(second + all) },
                Class::ReadOnly | Class::ReadWrite => GateWait { front: steps(cached), behind: steps(first + all) },
                Class::Temp => GateWait::default(),
            }
        };
        self.problem.volumes.iter().zip(attached).map(of).collect()
    }

    fn lists(&mut self, vm: &VmOffer, attached: &[(Class, u32)], waits: &[GateWait]) -> Vec<Rc<Vec<Choice>>> {
        let (premium, ultra, second) = (vm.premium, vm.ultra, vm.second.is_some());
        let parts = attached.iter().zip(waits).enumerate();
        let each =
            parts.map(|(volume, (&(class, hit), &wait))| Attached { volume, class, hit, premium, ultra, second, wait });
        each.map(|attached| self.choices_of(attached)).collect()
    }

    fn choices_of(&mut self, attached: Attached) -> Rc<Vec<Choice>> {
        if let Some(list) = self.choices.get(&attached) {
            return list.clone();
        }
        let list = match attached.class {
            Class::Temp => {
                let (cost, usage) = (Money::ZERO, Money::ZERO);
                vec![Choice { disk: None, count: 0, each: None, cost, usage, failing: Vec::new() }]
            }
            _ => choice::choices(self.problem, self.loads, &self.relaxed, attached),
        };
        let list = Rc::new(list);
        self.choices.insert(attached, list.clone());
        list
    }
}

/// All ways to attach the volumes, plain ones first.
fn vectors(problem: &Problem) -> Vec<Vec<Class>> {
    let mut all: Vec<Vec<Class>> = vec![Vec::new()];
    for volume in &problem.volumes {
        let mut classes = volume.classes.clone();
        if classes.contains(&Class::Uncached) && volume.disks.iter().any(|&disk| problem.disks[disk].second) {
            classes.push(Class::Second);
        }
        classes.sort_unstable();
        classes.dedup();
        let longer = |vector: &Vec<Class>| {
            let vector = vector.clone();
            let extend = move |class: &Class| [vector.as_slice(), &[*class]].concat();
            classes.iter().map(extend).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn possible(vm: &VmOffer, classes: &[Class]) -> bool {
    classes.iter().all(|class| match class {
        Class::Uncached => true,
        Class::Second => vm.second.is_some(),
        Class::ReadOnly | Class::ReadWrite => vm.cache.get() > 0,
        Class::Temp => vm.temp.is_some(),
    })
}

/// What a VM costs with the cheapest choice of each volume; nothing where one has none.
fn least_cost(vm: &VmOffer, lists: &[Rc<Vec<Choice>>]) -> Option<Money> {
    lists.iter().try_fold(vm.price, |sum, list| Some(sum + list.first()?.cost))
}

fn plan_of(
    vm: usize,
    attached: &[(Class, u32)],
    lists: &[Rc<Vec<Choice>>],
    chosen: &[usize],
    cost: Money,
    failing: Vec<u32>,
) -> Plan {
    let volumes = attached.iter().zip(lists).zip(chosen).map(|((&(class, hit), list), &place)| {
        let choice = &list[place];
        let disks = choice.disk.map(|offer| Disks {
            offer,
            count: choice.count,
            each: choice.each,
            cost: choice.cost,
            usage: choice.usage,
        });
        VolumePlan { class, hit: hit.min(ONE), disks }
    });
    Plan { vm, volumes: volumes.collect(), cost, failing }
}

/// A depth-first search over the lists of choices.
struct Descent<'a> {
    lists: &'a [Rc<Vec<Choice>>],
    /// Least cost and fewest disks of the volumes from here on.
    rest: Vec<(Money, u32)>,
    slots: u32,
    allowed: usize,
    worst: Money,
    path: Vec<usize>,
    best: Option<(Money, Vec<u32>, Vec<usize>)>,
    best_disks: u32,
}

impl<'a> Descent<'a> {
    fn new(search: &Search, vm: &VmOffer, lists: &'a [Rc<Vec<Choice>>], worst: Money) -> Self {
        let Search { problem, relaxed, disks_at_most, .. } = search;
        let mut rest = vec![(Money::ZERO, 0); lists.len() + 1];
        for (place, list) in lists.iter().enumerate().rev() {
            let cost = list.first().map_or(Money::MAX, |choice| choice.cost);
            let disks = list.iter().map(|choice| choice.count).min().unwrap_or(0);
            rest[place] = (rest[place + 1].0 + cost, rest[place + 1].1 + disks);
        }
        let cost_max = problem.cost_max.filter(|_| !relaxed.has(Limit::Cost)).unwrap_or(Money::MAX);
        Descent {
            lists,
            rest,
            slots: if relaxed.has(Limit::Slots) { u32::MAX } else { vm.slots }.min(*disks_at_most),
            allowed: problem.violations_allowed,
            worst: worst.min(cost_max),
            path: Vec::new(),
            best: None,
            best_disks: u32::MAX,
        }
    }

    fn go(&mut self, place: usize, cost: Money, disks: u32, failing: &[u32]) {
        let Some(list) = self.lists.get(place) else {
            let better = match &self.best {
                None => cost <= self.worst,
                Some((best, stamps, _)) => (cost, disks, failing.len()) < (*best, self.best_disks, stamps.len()),
            };
            if better {
                self.best = Some((cost, failing.to_vec(), self.path.clone()));
                self.best_disks = disks;
                self.worst = cost;
            }
            return;
        };
        let (rest_cost, rest_disks) = self.rest[place + 1];
        for (index, choice) in list.iter().enumerate() {
            if cost + choice.cost + rest_cost > self.worst {
                break;
            }
            if disks + choice.count + rest_disks > self.slots {
                continue;
            }
            let Some(failing) = union(failing, &choice.failing, self.allowed) else { continue };
            self.path.push(index);
            self.go(place + 1, cost + choice.cost, disks + choice.count, &failing);
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use dw_stack::sharing::Sharing;
    use dw_units::Bytes;

    use super::*;
    use crate::check::check;
    use crate::problem::{DiskKind, DiskOffer, Rate, Sample, Volume};

    /// An E8bds_v5 with a premium SSD and a premium SSD v2 large enough for anything.
    fn problem(sharing: Sharing, mb: [u64; 2]) -> Problem {
        let gate =
            |iops: u64, mb: u64| Gate { iops: Some(Rate::plain(iops)), bytes: Some(Rate::plain(mb * 1_000_000)) };
        let vm = VmOffer {
            name: "E8bds_v5".into(),
            edition: String::new(),
            price: Money::micros(1),
            barred: None,
            vcpu: 8,
            memory_mib: Some(65_536),
            slots: 16,
            premium: true,
            ultra: true,
            uncached: gate(24_200, 680),
            second: Some(gate(32_400, 680)),
            sharing,
            cached: Gate::default(),
            cache: Bytes::ZERO,
            temp: None,
        };
        let disk = |name: &str, second: bool| DiskOffer {
            name: name.into(),
            edition: String::new(),
            purchase: Default::default(),
            needs_premium: true,
            needs_ultra: false,
            usage: None,
            second,
            io_unit: None,
            latency_ns: (1, 1),
            bandwidth: None,
            kind: DiskKind::Fixed {
                gib: 1_024,
                iops: Rate::plain(100_000),
                bytes: Rate::plain(10_000_000_000),
                price: Money::micros(1),
            },
        };
        let volume = |place: usize, mb: u64| {
            let sample = Sample { reads: mb * 15, read_bytes: mb * 1_000_000, ..Sample::default() };
            Volume::asking(&format!("volume {place}"), vec![sample], vec![place])
        };
        Problem {
            volumes: vec![volume(0, mb[0]), volume(1, mb[1])],
            stamps: 1,
            utilisation: ONE,
            vms: vec![vm],
            disks: vec![disk("premium SSD", false), disk("premium SSD v2", true)],
            ..Problem::empty()
        }
    }

    #[test]
    fn two_uncached_limits_carry_what_one_does_unless_they_add_up() {
        use Sharing::{Separate, Shared};
        let cases = [
            (Shared, [340, 340], None),
            (Shared, [680, 680], Some(Limit::AllThroughput)),
            (Shared, [341, 340], Some(Limit::AllThroughput)),
            (Separate, [680, 680], None),
            (Separate, [340, 681], Some(Limit::SecondThroughput)),
        ];
        for (sharing, mb, exceeded) in cases {
            let problem = problem(sharing, mb);
            let loads = Loads::default();
            let found = Search::new(&problem, &loads, &[]).best_on(0, Money::MAX);
            assert_eq!(found.is_none(), exceeded.is_some(), "{sharing:?} {mb:?}");
            let Some(limit) = exceeded else { continue };
            // Without that limit there is a plan, and the check says that it alone is exceeded.
            let plan = Search::new(&problem, &loads, &[limit]).best_on(0, Money::MAX).unwrap();
            let checked = check(&problem, &plan);
            let failing: Vec<Limit> =
                checked.uses.iter().filter(|used| used.failing > 0).map(|used| used.limit).collect();
            assert_eq!((failing, checked.holds), (vec![limit], false), "{sharing:?} {mb:?}");
        }
    }

    #[test]
    fn a_latency_that_is_asked_for_holds_at_the_load() {
        // Disks of 5,000 IOPS that take 3 ms, and a volume of so many reads: at 4,000 they wait 0.45 ms on one, 0.075 ms on two, and up to
        // 0.02 ms at the VM.
        let cases = [
            (4_000, None, 1),
            (4_000, Some(3_470_000), 1),
            (4_000, Some(3_469_999), 2),
            (4_000, Some(3_095_000), 2),
            (4_000, Some(3_094_999), 3),
            (4_900, Some(4_000_000), 2),
        ];
        for (reads, most, disks) in cases {
            let mut problem = problem(Sharing::Shared, [1, 1]);
            let sample = Sample { reads, read_bytes: reads * 8_192, ..Sample::default() };
            problem.volumes = vec![Volume::asking("data", vec![sample], vec![0])];
            (problem.volumes[0].read_latency_ns, problem.volumes[0].disks_max) = (most, 8);
            problem.disks[0].latency_ns = (3_000_000, 3_000_000);
            let (iops, bytes) = (Rate::plain(5_000), Rate::plain(1_000_000_000));
            problem.disks[0].kind = DiskKind::Fixed { gib: 1_024, iops, bytes, price: Money::micros(1) };
            let plan = Search::new(&problem, &Loads::default(), &[]).best_on(0, Money::MAX).unwrap();
            assert_eq!(plan.disk_count(), disks, "{reads} {most:?}");
            assert!(check(&problem, &plan).holds, "{reads} {most:?}");
        }
    }
}
