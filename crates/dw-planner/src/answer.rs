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
    /// size.
    pub fn with_first(self, first: Plan) -> Answer {
        let cheapest = self.cheapest().cloned();
        let is_other = |plan: &Plan| *plan != first && (plan.vm != first.vm || cheapest.as_ref() == Some(plan));
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
    pub fn without_options(&self, plan: &Plan) -> Option<Plan> {
        let plain = self.problem.as_it_comes(plan.vm);
        self.search(&[]).best_on(plain, Money::MAX)
    }

    /// What may not be chosen is no offer.
    pub(crate) fn on_offer(&self) -> Vec<usize> {
        let vms = self.problem.vms.iter().enumerate();
        vms.filter(|(_, vm)| vm.barred.is_none()).map(|(place, _)| place).collect()
    }
}
