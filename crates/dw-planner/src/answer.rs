//! The answer to a problem: the best plans and the proof, or nothing.

use dw_catalogue::Money;

use crate::plan::Plan;
use crate::problem::Problem;
use crate::search::Planner;

/// Plans on different VM sizes that are kept: the answer and its alternatives.
pub const KEPT: usize = 6;

/// The best plans.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The cheapest plan, then the cheapest on another VM size, and so on; [`crate::simpler`] may put a simpler one in front. Empty =
    /// nothing meets the demand.
    pub plans: Vec<Plan>,
    /// What proves it.
    pub certificate: Certificate,
}

impl Answer {
    /// The plan that the certificate is about.
    pub fn cheapest(&self) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.cost == self.certificate.cost)
    }

    /// With a plan in front of the others. The certificate stays that of the cheapest, which stays among the alternatives, on whatever VM
    /// size, with whatever is chosen of it.
    pub fn with_first(self, problem: &Problem, first: Plan) -> Answer {
        let cheapest = self.cheapest().cloned();
        let is_elsewhere = |plan: &Plan| problem.as_it_comes(plan.vm) != problem.as_it_comes(first.vm);
        let is_other = |plan: &Plan| *plan != first && (is_elsewhere(plan) || cheapest.as_ref() == Some(plan));
        let others: Vec<Plan> = self.plans.into_iter().filter(is_other).collect();
        Answer { plans: std::iter::once(first).chain(others).collect(), ..self }
    }
}

/// What proves that nothing is cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What the cheapest plan costs.
    pub cost: Money,
    /// Nothing that meets the demand costs less: the best plan of every VM size that was looked at, and the price of the
    /// first that was not with the least that its disks would cost.
    pub bound: Money,
    /// The next best plan on another VM size.
    pub runner_up: Option<Money>,
    /// VM sizes that were looked at.
    pub examined: usize,
    /// VM sizes there are.
    pub offered: usize,
}

/// The cheapest plan, the alternatives, and the proof.
pub fn solve(problem: &Problem) -> Answer {
    Planner::new(problem).solve()
}

/// What a size does without what is chosen of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Without {
    Plan(Plan),
    /// No plan on it meets the demand.
    Nothing,
    /// Not all ways were looked at.
    Unknown,
}

impl Planner<'_> {
    /// The cheapest plan, the alternatives, and the proof.
    pub fn solve(&self) -> Answer {
        let all = self.on_offer();
        let found = self.search(&[]).run(&all, KEPT, Money::MAX);
        let cost = found.plans.first().map_or(Money::MAX, |plan| plan.cost);
        let certificate = Certificate {
            cost,
            bound: found.bound.map_or(cost, |bound| bound.min(cost)),
            runner_up: found.plans.get(1).map(|plan| plan.cost),
            examined: found.examined,
            offered: all.iter().filter(|vm| !self.problem.vms[**vm].is_set()).count(),
        };
        Answer { plans: found.plans, certificate }
    }

    /// The cheapest plan alone, where one costs at most so much: the first of [`Planner::solve`], found sooner.
    pub fn cheapest(&self, most: Money) -> Option<Plan> {
        self.search(&[]).run(&self.on_offer(), 1, most).plans.pop()
    }

    /// The best plan on the size of this one as it comes, where that has something chosen: what it would be without.
    pub fn without_options(&self, plan: &Plan) -> Without {
        let plain = self.problem.as_it_comes(plan.vm);
        let mut search = self.search(&[]);
        let best = search.best_on(plain, Money::MAX);
        if search.has_given_up() { Without::Unknown } else { best.map_or(Without::Nothing, Without::Plan) }
    }

    /// What may not be chosen is no offer.
    pub(crate) fn on_offer(&self) -> Vec<usize> {
        let vms = self.problem.vms.iter().enumerate();
        vms.filter(|(_, vm)| vm.barred.is_none()).map(|(place, _)| place).collect()
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::{Catalogue, PLAN_KEYS};

    use super::*;
    use crate::market;
    use crate::problem::VmOffer;

    #[test]
    fn a_plan_in_front_stands_for_its_size_whatever_is_chosen_of_it() {
        let mut vms = market::of(Catalogue::embedded(), &PLAN_KEYS.wishes()).vms;
        vms.truncate(2);
        vms.insert(1, VmOffer { options: &[("bandwidth", "more")], ..vms[0].clone() });
        let problem = Problem { vms, ..Problem::empty() };
        let plan =
            |vm: usize, cost: u64| Plan { vm, volumes: Vec::new(), cost: Money::micros(cost), failing: Vec::new() };
        for (plans, expected) in [
            ([plan(2, 1), plan(0, 2)], &[1, 2][..]),
            // The cheapest stays, whose certificate it is.
            ([plan(0, 1), plan(2, 2)], &[1, 0, 2]),
        ] {
            let cost = plans[0].cost;
            let certificate = Certificate { cost, bound: cost, runner_up: None, examined: 2, offered: 2 };
            let answer = Answer { plans: plans.to_vec(), certificate }.with_first(&problem, plan(1, 3));
            assert_eq!(answer.plans.iter().map(|plan| plan.vm).collect::<Vec<_>>(), expected);
        }
    }
}
