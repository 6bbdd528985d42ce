//! Why not this VM size, and why nothing at all.
//!
//! A limit binds a VM size when leaving it aside makes a plan possible there. When no single limit does, a smallest set is looked for that
//! cannot be met together: one limit with all others left aside, then two. Beyond that limits are left aside one after the other as long as
//! nothing becomes possible, and no part of what remains fails to be met together.
//!
//! How much is needed and how much there is comes from a check. Of a VM size: of the plan that ignores the limit. Of a problem that nothing
//! meets: of the plan that gives most of it, which is found by easing what is asked: a part of the load, of the capacity, of the memory; a
//! longer latency; a higher cost.
//!
//! A conflict about the cost needs no easing: what meets everything else costs what it costs. Conflicts that have nothing to do with each
//! other are found one after the other, those before left aside.
//!
//! The nearest plan to such a problem meets everything but one limit of the conflict, that of which it gives the largest share; where more
//! than one must be eased, all of them alike, as little as can be.
//!
//! A size of which something may be chosen is asked about with that, too: it stands in the way only where it does so both ways.
//!
//! Limits of the VM on requests are one here, whichever of them the disks of a volume pass, and those on bytes.

use std::ops::Range;

use dw_catalogue::Money;

use dw_units::Duration;

use crate::check::{Use, check};
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::{ONE, Problem, Sample, VmOffer};
use crate::search::{Planner, Search};

/// What stands against a VM size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// It meets the demand and costs more, or as much.
    Costs {
        /// The best plan there.
        plan: Plan,
        /// So much more than the answer.
        more: Money,
    },
    /// It meets the demand and costs less: the answer is simpler.
    Cheaper {
        /// The best plan there.
        plan: Plan,
        /// So much less than the answer.
        less: Money,
    },
    /// One limit binds.
    Binds {
        /// The first limit on a request's path without which there would be a plan.
        limit: Limit,
        /// The plan that ignores it.
        plan: Plan,
    },
    /// Several limits, each enough to rule it out together with the others.
    Conflict(Vec<Limit>),
    /// Nobody knows: not every way to attach the volumes there was gone through, and no plan was found.
    Unknown,
}

/// Why each of `vms` is not the answer, which costs `best`.
pub fn why_not(problem: &Problem, vms: &[usize], best: Option<Money>) -> Vec<WhyNot> {
    Planner::new(problem).why_not(vms, best)
}

/// VM sizes of `vms` that do not meet the demand, and would for less than `best` but for one limit: that limit, the first on a
/// request's path, and the plan that ignores it.
pub fn cheaper_but_for(problem: &Problem, vms: &[usize], best: Money) -> Vec<(usize, Limit, Plan)> {
    Planner::new(problem).cheaper_but_for(vms, best)
}

impl Planner<'_> {
    /// As [`why_not`].
    pub fn why_not(&self, vms: &[usize], best: Option<Money>) -> Vec<WhyNot> {
        vms.iter().map(|&vm| self.why_not_one(vm, best)).collect()
    }

    fn why_not_one(&self, vm: usize, best: Option<Money>) -> WhyNot {
        let ways = self.problem.ways_of(vm);
        let mut whole = self.search(&[]);
        if let Some(plan) = cheapest_of(&mut whole, ways.clone(), Money::MAX) {
            let best = best.unwrap_or(plan.cost);
            if plan.cost < best {
                let less = best.saturating_sub(plan.cost);
                return WhyNot::Cheaper { plan, less };
            }
            let more = plan.cost.saturating_sub(best);
            return WhyNot::Costs { plan, more };
        }
        // No limit is to blame where there may be a plan.
        if whole.has_given_up() {
            return WhyNot::Unknown;
        }
        if let Some((_, limit, plan)) = self.but_for_one(&self.limits(), &[vm], Money::MAX).pop() {
            return WhyNot::Binds { limit, plan };
        }
        // What is not known to fail is no part of what rules it out.
        WhyNot::Conflict(smallest_conflict(self.problem, |relaxed| {
            !self.fails(&mut self.search(relaxed), vm, Money::MAX)
        }))
    }

    /// As [`cheaper_but_for`].
    pub fn cheaper_but_for(&self, vms: &[usize], best: Money) -> Vec<(usize, Limit, Plan)> {
        let below = best.saturating_sub(Money::micros(1));
        // Where a size meets the demand no limit is to blame.
        let mut plain = self.search(&[]);
        let mut vms = vms.to_vec();
        vms.retain(|&vm| self.fails(&mut plain, vm, Money::MAX));
        self.but_for_one(&self.limits(), &vms, below)
    }

    fn fails(&self, search: &mut Search, vm: usize, worst: Money) -> bool {
        self.problem.ways_of(vm).all(|vm| search.fails_on(vm, worst))
    }

    /// Limits that may be in the way, the first on a request's path first. What it costs says more than what would be left aside to make it
    /// cheaper.
    fn limits(&self) -> Vec<Limit> {
        self.problem.cost_max.map(|_| Limit::Cost).into_iter().chain(self.problem.limits()).collect()
    }

    /// Of each of `vms` the first of `limits` without which there is a plan for at most `worst`, and that plan.
    ///
    /// What fails without all of several limits fails without each of them: few of hundreds are looked at one by one.
    fn but_for_one(&self, limits: &[Limit], vms: &[usize], worst: Money) -> Vec<(usize, Limit, Plan)> {
        if limits.is_empty() || vms.is_empty() {
            return Vec::new();
        }
        let mut search = self.search(limits);
        if let [limit] = *limits {
            let found = |&vm: &usize| Some((vm, limit, without(&mut search, self.problem.ways_of(vm), limit, worst)?));
            return vms.iter().filter_map(found).collect();
        }
        let vms: Vec<usize> = vms.iter().copied().filter(|&vm| !self.fails(&mut search, vm, worst)).collect();
        drop(search);
        let (first, rest) = limits.split_at(limits.len() / 2);
        let mut found = self.but_for_one(first, &vms, worst);
        let left: Vec<usize> = vms.into_iter().filter(|vm| found.iter().all(|(known, ..)| known != vm)).collect();
        found.extend(self.but_for_one(rest, &left, worst));
        found
    }
}

/// The cheapest plan of one size; of equals that as it comes.
fn cheapest_of(search: &mut Search, ways: Range<usize>, most: Money) -> Option<Plan> {
    ways.filter_map(|vm| search.best_on(vm, most)).min_by_key(|plan| plan.cost)
}

/// The plan that ignores a limit: of one of the VM's gates with what may be chosen of it, as it misses least so.
fn without(search: &mut Search, ways: Range<usize>, limit: Limit, most: Money) -> Option<Plan> {
    match limit {
        Limit::Gate(..) => ways.rev().find_map(|vm| search.best_on(vm, most)),
        _ => cheapest_of(search, ways, most),
    }
}

/// What a limit carries under a plan that may ignore it.
pub fn use_of(problem: &Problem, plan: &Plan, limit: Limit) -> Option<Use> {
    check(problem, plan).uses.into_iter().find(|one| one.limit == limit)
}

/// With limits of which a volume passes one or another, by its disks: they stand in the way together, and the first speaks for them.
fn with_alike(problem: &Problem, limits: &[Limit]) -> Vec<Limit> {
    let of = |limit: &Limit| match *limit {
        Limit::Gate(gate, quantity) if speaks_for_alike(problem, *limit) => {
            problem.alike(gate).map(|gate| Limit::Gate(gate, quantity)).collect()
        }
        limit => vec![limit],
    };
    limits.iter().flat_map(of).collect()
}

fn speaks_for_alike(problem: &Problem, limit: Limit) -> bool {
    !matches!(limit, Limit::Gate(gate, _) if problem.alike(gate).next() != Some(gate))
}

/// Of so many limits every pair is tried: of a few volumes.
const PAIRS_OF: usize = 24;

/// A smallest set of limits that cannot be met together: of one limit, of two; of more than that one of which every part can be met.
fn smallest_conflict(problem: &Problem, possible_without: impl Fn(&[Limit]) -> bool) -> Vec<Limit> {
    let all: Vec<Limit> = problem.limits().into_iter().filter(|limit| speaks_for_alike(problem, *limit)).collect();
    let mut aside: Vec<Limit> = Vec::new();
    let mut conflict = Vec::new();
    // What a person can change most easily is left aside last, so that the conflict speaks of it.
    for &limit in all.iter().rev() {
        aside.push(limit);
        if possible_without(&with_alike(problem, &aside)) {
            aside.pop();
            conflict.push(limit);
        }
    }
    conflict.reverse();
    let fails = |kept: &[Limit]| {
        let others: Vec<Limit> = all.iter().copied().filter(|limit| !kept.contains(limit)).collect();
        !possible_without(&with_alike(problem, &others))
    };
    if conflict.len() > 1
        && let Some(one) = all.iter().find(|&&limit| fails(&[limit]))
    {
        return vec![*one];
    }
    if conflict.len() > 2 && all.len() <= PAIRS_OF {
        let mut pairs = all.iter().enumerate().flat_map(|(place, &a)| all[place + 1..].iter().map(move |&b| [a, b]));
        if let Some(two) = pairs.find(|pair| fails(pair)) {
            return two.to_vec();
        }
    }
    conflict
}

/// Why nothing meets the demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// A smallest set of limits that no offer meets together; where there are several with nothing to do with each other, all of them.
    pub limits: Vec<Limit>,
    /// For each of them the plan that gives most of it, the others met as they are asked where that can be, and what it then carries.
    pub without: Vec<Option<(Plan, Option<Use>)>>,
    /// The nearest plan.
    pub miss: Option<Miss>,
}

/// The nearest plan to an infeasible demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Share of the load that it carries within every other limit, in parts per million.
    pub share: u32,
    pub plan: Plan,
    /// The limits of which less was asked, one where that is enough; where that was load, and the plan carries all of it, the latencies that
    /// are then too long.
    pub eased: Vec<Limit>,
    /// What it does not meet of the whole demand.
    pub broken: Vec<Use>,
}

/// Why nothing meets the demand.
pub fn why_infeasible(problem: &Problem) -> Conflict {
    let planner = Planner::new(problem);
    let all = in_question(problem);
    let best = |relaxed: &[Limit]| planner.search(relaxed).run(&all, 1, Money::MAX).plans.into_iter().next();
    let conflicts = conflicts(problem, |relaxed| best(relaxed).is_some());
    let (mut near, mut without): (Vec<(u32, Plan, Vec<Limit>)>, _) = (Vec::new(), Vec::new());
    for conflict in &conflicts {
        // What other conflicts are about says nothing of this one.
        let aside: Vec<Limit> =
            conflicts.iter().filter(|other| *other != conflict).flat_map(|o| with_alike(problem, o)).collect();
        let leaving = |limit: Limit| best(&[with_alike(problem, &[limit]), aside.clone()].concat());
        for &limit in conflict {
            let own = with_alike(problem, &[limit]);
            let plan = match limit {
                // What all the rest costs says enough; lists are left aside as a whole.
                Limit::Cost => leaving(limit).inspect(|plan| near.push((ONE, plan.clone(), vec![limit]))),
                _ if !can_be_eased(limit) => leaving(limit),
                _ => match nearest(problem, &own, &aside) {
                    Some((share, plan)) => {
                        near.push((share, plan.clone(), vec![limit]));
                        Some(plan)
                    }
                    None => nearest(problem, &own, &others(problem, &own)).map(|found| found.1),
                },
            };
            without.push(plan.map(|plan| {
                let used = use_of_alike(problem, &plan, limit);
                (plan, used)
            }));
        }
    }
    let limits = conflicts.concat();
    let together = || {
        let (eased, kept): (Vec<Limit>, Vec<Limit>) = limits.iter().partition(|limit| can_be_eased(**limit));
        let found = nearest(problem, &with_alike(problem, &eased), &[]).filter(|_| kept.is_empty());
        found.map(|(share, plan)| (share, plan, eased))
    };
    // Where there is more than one conflict, easing one limit is not enough.
    let alone = near.into_iter().max_by_key(|near| near.0).filter(|_| conflicts.len() == 1);
    let miss = alone.or_else(together).map(|(share, plan, eased)| {
        let broken: Vec<Use> = check(problem, &plan).uses.into_iter().filter(|used| !used.is_met(problem)).collect();
        // Less was asked of a rate so that a latency would be shorter: what it misses of the whole load is that latency.
        let has_rate = broken.iter().any(|used| used.limit.is_rate());
        let is_broken = |limit: &Limit| broken.iter().any(|used| used.limit == *limit);
        let only_late = !has_rate && !broken.is_empty() && !eased.iter().any(is_broken);
        let eased = if only_late { broken.iter().map(|used| used.limit).collect() } else { eased };
        Miss { share: if has_rate { share } else { ONE }, plan, eased, broken }
    });
    // What is not exceeded in the plan that needs it most stands in the way of another limit only by how busy it is.
    let is_eased = |limit: Limit| miss.as_ref().is_some_and(|miss: &Miss| miss.eased.contains(&limit));
    let is_exceeded = |(limit, without): &(Limit, Option<(Plan, Option<Use>)>)| match without {
        Some((_, Some(used))) => !used.is_met(problem) || is_eased(*limit),
        _ => true,
    };
    let mut both: Vec<_> = limits.iter().copied().zip(without).collect();
    if both.iter().any(is_exceeded) {
        both.retain(is_exceeded);
    }
    let (limits, without) = both.into_iter().unzip();
    Conflict { limits, without, miss }
}

/// The sizes that may be chosen, and what another demand could choose: where lists alone bar some, those, as to lift a list is less than to
/// take what retires or cannot be deployed.
fn in_question(problem: &Problem) -> Vec<usize> {
    let has_listed = problem.vms.iter().any(|vm| vm.by_list);
    let is_open = |vm: &VmOffer| vm.barred.is_none() || vm.by_list || !has_listed;
    (0..problem.vms.len()).filter(|&vm| is_open(&problem.vms[vm])).collect()
}

/// Conflicts that have nothing to do with each other: each a smallest one once those before it are left aside. All that costs conflicts with
/// a cost, which stands for it alone.
fn conflicts(problem: &Problem, possible_without: impl Fn(&[Limit]) -> bool) -> Vec<Vec<Limit>> {
    let (mut found, mut aside) = (Vec::new(), Vec::new());
    while !possible_without(&aside) {
        let possible = |relaxed: &[Limit]| possible_without(&[relaxed, &aside[..]].concat());
        let mut next = if possible(&[Limit::Cost]) { vec![Limit::Cost] } else { smallest_conflict(problem, possible) };
        if next.contains(&Limit::Cost) {
            next = vec![Limit::Cost];
        }
        if next.is_empty() {
            break;
        }
        aside.extend(with_alike(problem, &next));
        found.push(next);
    }
    found
}

/// What a limit carries under a plan, or the one of its kind that exceeds it most.
fn use_of_alike(problem: &Problem, plan: &Plan, limit: Limit) -> Option<Use> {
    let own = with_alike(problem, &[limit]);
    let uses = check(problem, plan).uses.into_iter().filter(|used| own.contains(&used.limit));
    uses.max_by(|a, b| {
        let share = |used: &Use| used.load[3] as f64 / used.capacity.max(1) as f64;
        share(a).total_cmp(&share(b))
    })
}

fn others(problem: &Problem, limits: &[Limit]) -> Vec<Limit> {
    problem.limits().into_iter().filter(|limit| !limits.contains(limit)).collect()
}

/// Whether less of a limit can be asked.
fn can_be_eased(limit: Limit) -> bool {
    !matches!(limit, Limit::Barred | Limit::Tags | Limit::Slots)
}

/// The plan that needs these limits eased least, some left aside, and the share of what they ask that it gives: to a third of a percent.
/// Nothing where a millionth is not given.
fn nearest(problem: &Problem, limits: &[Limit], aside: &[Limit]) -> Option<(u32, Plan)> {
    /// Halvings of the logarithm of a million.
    const STEPS: u32 = 12;
    let all = in_question(problem);
    let at = |share: u32| {
        let eased = eased(problem, limits, share);
        Planner::new(&eased).search(aside).run(&all, 1, Money::MAX).plans.into_iter().next()
    };
    // In logarithms: a latency may be a thousand times too short.
    let share = |step: u32| libm::pow(f64::from(ONE), f64::from(step) / f64::from(1u32 << STEPS)) as u32;
    let (mut low, mut high) = (0, 1u32 << STEPS);
    // What is met as it is once others are left aside is not eased.
    if let Some(plan) = at(ONE).filter(|_| !aside.is_empty()) {
        return Some((ONE, plan));
    }
    let mut found = (share(low), at(share(low))?);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match at(share(middle)) {
            Some(plan) => (found, low) = ((share(middle), plan), middle),
            None => high = middle,
        }
    }
    Some(found)
}

/// The problem with a share of what some limits are asked: of a load, of what is held; latencies and costs as much higher.
fn eased(problem: &Problem, limits: &[Limit], share: u32) -> Problem {
    let part = |value: u64| (u128::from(value) * u128::from(share)).div_ceil(u128::from(ONE)) as u64;
    let times =
        |value: u64| u64::try_from(u128::from(value) * u128::from(ONE) / u128::from(share.max(1))).unwrap_or(u64::MAX);
    let mut eased = problem.clone();
    let (mut of_all, mut of_volume) = (false, vec![false; problem.volumes.len()]);
    for &limit in limits {
        match limit {
            Limit::DiskIops(j) | Limit::DiskThroughput(j) => of_volume[j] = true,
            Limit::Capacity(j) => eased.volumes[j].capacity_gib = part(problem.volumes[j].capacity_gib),
            Limit::LocalSize => {
                for (volume, asked) in eased.volumes.iter_mut().zip(&problem.volumes) {
                    volume.capacity_gib = part(asked.capacity_gib);
                }
            }
            Limit::ReadLatency(j, of) | Limit::WriteLatency(j, of) => {
                let writes = usize::from(matches!(limit, Limit::WriteLatency(..)));
                if let Some(most) = eased.volumes[j].latency_max[writes].of_mut(of) {
                    *most = Duration::from_ns(times(most.ns()));
                }
            }
            Limit::Vcpu => {
                eased.cpu_milli = part(problem.cpu_milli);
                eased.vcpu_min = part(problem.vcpu_min.into()) as u32;
            }
            Limit::Memory => eased.memory_mib = part(problem.memory_mib),
            Limit::Cost => eased.cost_max = problem.cost_max.map(|most| Money::micros(times(most.get()))),
            Limit::Barred | Limit::Tags | Limit::Slots => {}
            _ => of_all = true,
        }
    }
    for (volume, is_eased) in eased.volumes.iter_mut().zip(of_volume) {
        if !is_eased && !of_all {
            continue;
        }
        let eased = |s: &Sample| {
            let (reads, writes) = (part(s.reads), part(s.writes));
            Sample { reads, writes, read_bytes: part(s.read_bytes), write_bytes: part(s.write_bytes) }
        };
        volume.samples = volume.samples.iter().map(eased).collect();
        volume.usual = eased(&volume.usual);
    }
    eased
}

#[cfg(test)]
mod tests {
    use dw_demand::wishes::{LatencyMax, LatencyOf};
    use dw_documents::Quantity;
    use dw_units::Bytes;

    use super::*;
    use crate::problem::{DiskKind, DiskOffer, Rate, Rates, VmOffer, Volume};
    use dw_catalogue::azure::{self, Printed};

    fn vm(name: &str, iops: u64, memory_mib: u64) -> VmOffer {
        let printed = Printed { uncached: Rates { iops: Some(Rate::plain(iops)), bytes: None }, ..Printed::default() };
        VmOffer {
            name: name.into(),
            options: &[],
            edition: String::new(),
            price: Money::micros(iops),
            licences: Money::ZERO,
            barred: None,
            by_list: false,
            vcpu: 4,
            speed: ONE,
            memory_mib: Some(memory_mib),
            slots: 4,
            has: azure::PREMIUM,
            gates: printed.gates(),
            routes: printed.routes(),
            cache: Bytes::ZERO,
            local: None,
        }
    }

    fn disk(name: &str, iops: u64, us: u64) -> DiskOffer {
        let (rate, bytes) = (Rate::plain(iops), Rate::plain(1_000_000_000));
        let kind = DiskKind::Fixed { gib: 1_024, iops: rate, bytes, price: Money::micros(iops) };
        DiskOffer { latency_ns: (us * 1_000, us * 1_000), ..DiskOffer::giving(name, kind) }
    }

    /// Reads a second, memory in MiB and a mean latency in microseconds, asked of two sizes and of two kinds of disks, two of them at most.
    fn asking(reads: u64, memory_mib: u64, latency_us: Option<u64>) -> Problem {
        let sample = Sample { reads, read_bytes: reads * 4_096, ..Sample::default() };
        let mut volume = Volume::asking("data", vec![sample], vec![0, 1]);
        volume.disks_max = 2;
        volume.latency_max[0] =
            latency_us.map_or_else(LatencyMax::default, |us| LatencyMax::mean(Duration::from_us(us)));
        Problem {
            volumes: vec![volume],
            memory_mib,
            vms: vec![vm("small", 3_000, 8_192), vm("large", 10_000, 32_768)],
            disks: vec![disk("slow", 2_000, 4_000), disk("fast", 4_000, 500)],
            ..Problem::empty()
        }
    }

    #[test]
    fn every_conflict_is_a_smallest_one_with_what_is_asked_and_the_most_there_is() {
        let latency = Limit::ReadLatency(0, LatencyOf::Mean);
        type Case<'a> = ((u64, u64, Option<u64>), &'a [(Limit, u64, u64)]);
        let cases: [Case; 4] = [
            // Two fast disks give 8,000, and no VM more than 10,000: each rules it out by itself.
            (
                (20_000, 0, None),
                &[(Limit::DiskIops(0), 20_000, 8_000), (Limit::Gate(azure::FIRST, Quantity::Iops), 20_000, 10_000)],
            ),
            ((1_000, 65_536, None), &[(Limit::Memory, 65_536, 32_768)]),
            ((1, 65_536, Some(100)), &[(latency, 500_000, 100_000), (Limit::Memory, 65_536, 32_768)]),
            ((1, 0, Some(200)), &[(latency, 500_000, 200_000)]),
        ];
        for ((reads, memory, us), expected) in cases {
            let conflict = why_infeasible(&asking(reads, memory, us));
            let limits: Vec<Limit> = expected.iter().map(|one| one.0).collect();
            assert_eq!(conflict.limits, limits, "{reads} {memory} {us:?}");
            for (without, &(limit, needed, available)) in conflict.without.iter().zip(expected) {
                let Some((_, Some(used))) = without else { panic!("{conflict:?}") };
                // The wait at limits counts in steps of 20 µs.
                assert!((needed..needed + 25_000).contains(&used.load[3]), "{limit:?}: {used:?}");
                assert_eq!(used.capacity, available, "{limit:?}");
            }
        }
    }

    #[test]
    fn the_nearest_plan_misses_by_least() {
        // The cheapest plan of all has the slow disk, which is ten times too slow: the nearest has the fast one.
        let miss = why_infeasible(&asking(1, 0, Some(400))).miss.unwrap();
        assert_eq!((miss.share, miss.plan.volumes[0].disks.as_ref().unwrap().offer), (ONE, 1));
        let broken: Vec<Limit> = miss.broken.iter().map(|used| used.limit).collect();
        assert_eq!(broken, [Limit::ReadLatency(0, LatencyOf::Mean)]);
        // Of a load it carries as much as can be.
        let miss = why_infeasible(&asking(20_000, 0, None)).miss.unwrap();
        assert!((398_000..=400_000).contains(&miss.share), "{}", miss.share);
        assert_eq!(miss.plan.disk_count(), 2);
    }
}
