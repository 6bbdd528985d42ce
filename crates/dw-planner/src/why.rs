//! Why not this VM size, and why nothing at all.
//!
//! A limit binds a VM size when leaving it aside makes a plan possible there. When no single limit does, as many as possible
//! are left aside one after the other, and those that could not be are a smallest conflict: no smaller part of them cannot be
//! met together. How much was needed and how much there is comes from the check of the plan that ignores the limit.
//!
//! The nearest miss of an infeasible problem is the largest share of its load that some plan carries.

use dw_catalogue::Money;

use crate::check::{Use, check};
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::{ONE, Problem, Sample};
use crate::search::Planner;

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
        let on = |relaxed: &[Limit]| self.search(relaxed).best_on(vm, Money::MAX);
        if let Some(plan) = on(&[]) {
            let best = best.unwrap_or(plan.cost);
            if plan.cost < best {
                let less = best.saturating_sub(plan.cost);
                return WhyNot::Cheaper { plan, less };
            }
            let more = plan.cost.saturating_sub(best);
            return WhyNot::Costs { plan, more };
        }
        for limit in self.problem.limits() {
            if let Some(plan) = on(&[limit]) {
                return WhyNot::Binds { limit, plan };
            }
        }
        WhyNot::Conflict(smallest_conflict(self.problem, |relaxed| on(relaxed).is_some()))
    }

    /// As [`cheaper_but_for`].
    pub fn cheaper_but_for(&self, vms: &[usize], best: Money) -> Vec<(usize, Limit, Plan)> {
        let below = best.saturating_sub(Money::micros(1));
        // Where a size meets the demand no limit is to blame.
        let mut plain = self.search(&[]);
        let vms: Vec<usize> = vms.iter().copied().filter(|&vm| plain.best_on(vm, Money::MAX).is_none()).collect();
        let mut found: Vec<(usize, Limit, Plan)> = Vec::new();
        for limit in self.problem.limits() {
            let mut search = self.search(&[limit]);
            for &vm in &vms {
                if found.iter().any(|(known, _, _)| *known == vm) {
                    continue;
                }
                if let Some(plan) = search.best_on(vm, below) {
                    found.push((vm, limit, plan));
                }
            }
        }
        found
    }
}

/// What a limit carries under a plan that may ignore it.
pub fn use_of(problem: &Problem, plan: &Plan, limit: Limit) -> Option<Use> {
    check(problem, plan).uses.into_iter().find(|one| one.limit == limit)
}

/// Limits that cannot be met together, though any part of them can.
fn smallest_conflict(problem: &Problem, possible_without: impl Fn(&[Limit]) -> bool) -> Vec<Limit> {
    let mut aside: Vec<Limit> = Vec::new();
    let mut conflict = Vec::new();
    // What a person can change most easily is left aside last, so that the conflict speaks of it.
    for limit in problem.limits().into_iter().rev() {
        aside.push(limit);
        if possible_without(&aside) {
            aside.pop();
            conflict.push(limit);
        }
    }
    conflict.reverse();
    conflict
}

/// Why nothing meets the demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// A smallest set of limits that no offer meets together.
    pub limits: Vec<Limit>,
    /// For each of them the best plan that ignores it and what it then carries, where there is such a plan.
    pub without: Vec<Option<(Plan, Option<Use>)>>,
    /// The nearest plan.
    pub miss: Option<Miss>,
}

/// The nearest plan to an infeasible demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Share of the load that it carries, in parts per million.
    pub share: u32,
    /// The plan.
    pub plan: Plan,
}

/// Why nothing meets the demand.
pub fn why_infeasible(problem: &Problem) -> Conflict {
    let planner = Planner::new(problem);
    let all: Vec<usize> = (0..problem.vms.len()).collect();
    let best = |relaxed: &[Limit]| planner.search(relaxed).run(&all, 1, Money::MAX).plans.into_iter().next();
    let limits = smallest_conflict(problem, |relaxed| best(relaxed).is_some());
    let without = limits.iter().map(|&limit| {
        let plan = best(&[limit])?;
        let used = use_of(problem, &plan, limit);
        Some((plan, used))
    });
    Conflict { without: without.collect(), limits, miss: nearest_miss(problem) }
}

fn nearest_miss(problem: &Problem) -> Option<Miss> {
    let all: Vec<usize> = (0..problem.vms.len()).collect();
    let at = |share: u32| {
        let scaled = scaled(problem, share);
        Planner::new(&scaled).search(&[]).run(&all, 1, Money::MAX).plans.into_iter().next()
    };
    // A thousandth is fine enough to tell how far away a plan is.
    let (mut low, mut high, step) = (0, ONE, ONE / 1_000);
    let mut plan = at(0)?;
    while high - low > step {
        let middle = (low + high) / 2 / step * step;
        if middle <= low {
            break;
        }
        match at(middle) {
            Some(found) => (plan, low) = (found, middle),
            None => high = middle,
        }
    }
    Some(Miss { share: low, plan })
}

/// The problem with a share of its load; capacity, memory and processors stay.
fn scaled(problem: &Problem, share: u32) -> Problem {
    let part = |value: u64| (u128::from(value) * u128::from(share)).div_ceil(u128::from(ONE)) as u64;
    let mut scaled = problem.clone();
    for volume in &mut scaled.volumes {
        for s in volume.samples.iter_mut().chain([&mut volume.usual]) {
            let (reads, writes) = (part(s.reads), part(s.writes));
            *s = Sample { reads, writes, read_bytes: part(s.read_bytes), write_bytes: part(s.write_bytes) };
        }
    }
    scaled
}
