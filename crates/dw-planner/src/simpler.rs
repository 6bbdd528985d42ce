//! What fewer disks cost, exactly; and the plan that a person would take for hardly more money than the cheapest: fewer disks to make, to
//! watch and to explain, then a newer VM.
//!
//! Of the plans within a band the one with the fewest disks is taken, of these the newest generation of VM, of these the cheapest.
//!
//! Ignores: other ways in which a plan may be simpler.

use std::cmp::Reverse;

use dw_catalogue::Money;

use crate::answer::Answer;
use crate::load::Loads;
use crate::market::generation;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::search::Search;

/// The answer with the simplest plan in front of the cheapest, where one costs at most `band_percent` more. The certificate stays that of
/// the cheapest.
pub fn simpler(problem: &Problem, answer: Answer, band_percent: f64) -> Answer {
    let Some(cheapest) = answer.plans.first() else { return answer };
    let curve = by_disks(problem, cheapest, with_band(cheapest, band_percent));
    let Some(found) = within(problem, &curve, band_percent) else { return answer };
    // The cheapest stays among the alternatives, on whatever VM size.
    let others = answer.plans.into_iter().enumerate().filter(|(place, plan)| *place == 0 || plan.vm != found.vm);
    let plans = std::iter::once(found.clone()).chain(others.map(|(_, plan)| plan)).collect();
    Answer { plans, ..answer }
}

fn with_band(cheapest: &Plan, percent: f64) -> Money {
    cheapest.cost + Money::micros((cheapest.cost.get() as f64 * percent / 100.0) as u64)
}

/// The simplest plan that costs at most so much more than the first of `curve`, which [`by_disks`] gave for that much at least; nothing
/// where that is the first itself.
pub fn within(problem: &Problem, curve: &[Plan], band_percent: f64) -> Option<Plan> {
    let cheapest = curve.first()?;
    let most = with_band(cheapest, band_percent);
    let fewest = curve.iter().rfind(|plan| plan.cost <= most)?.disk_count();
    let loads = Loads::default();
    let mut search = Search::new(problem, &loads, &[]).with_disks_at_most(fewest);
    let all: Vec<usize> = (0..problem.vms.len()).collect();
    let plans = search.run(&all, all.len(), most).plans.into_iter();
    let rank = |plan: &Plan| (plan.disk_count(), Reverse(generation(&problem.vms[plan.vm].name)), plan.rank());
    plans.min_by_key(rank).filter(|plan| rank(plan) < rank(cheapest))
}

/// The cheapest plan with at most so many disks, for every number of disks at which that changes, up to what may be paid: dearer and
/// dearer, `cheapest` first.
pub fn by_disks(problem: &Problem, cheapest: &Plan, most: Money) -> Vec<Plan> {
    let loads = Loads::default();
    let mut search = Search::new(problem, &loads, &[]);
    let all: Vec<usize> = (0..problem.vms.len()).collect();
    let mut plans = vec![cheapest.clone()];
    while let Some(fewer) = plans.last().and_then(|plan| plan.disk_count().checked_sub(1)) {
        search = search.with_disks_at_most(fewer);
        match search.run(&all, 1, most).plans.pop() {
            Some(plan) => plans.push(plan),
            None => break,
        }
    }
    plans
}
