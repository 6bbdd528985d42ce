//! What fewer disks cost, exactly; and the plan that a person would take for hardly more money than the cheapest: fewer disks to make, to
//! watch and to explain, then a newer VM of the same series.
//!
//! Of the plans within a band the one with the fewest disks is taken, of these the newest generation of the cheapest's series. Whoever judges
//! plans may find that one not good enough, and gets the others of the band in their order.
//!
//! A VM with something chosen of it is not simpler: where the cheapest has nothing chosen, the simpler plan has not.
//!
//! Ignores: other ways in which a plan may be simpler.

use std::cmp::Reverse;

use dw_catalogue::{Money, series_and_generation};

use crate::answer::Answer;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::search::Planner;

/// VM sizes of a band that are looked at.
const BAND: usize = 16;

/// The answer with the simplest plan in front of the cheapest, where one costs at most `band_percent` more. The certificate stays that of
/// the cheapest.
pub fn simpler(problem: &Problem, answer: Answer, band_percent: f64) -> Answer {
    Planner::new(problem).simpler(answer, band_percent)
}

/// The cheapest plan with at most so many disks, for every number of disks at which that changes, up to what may be paid: `cheapest`
/// first, none cheaper than the one before. Two cost the same where the one with more disks is on a smaller VM.
pub fn by_disks(problem: &Problem, cheapest: &Plan, most: Money) -> Vec<Plan> {
    Planner::new(problem).by_disks(cheapest, most)
}

/// What fewer disks cost.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// As [`by_disks`].
    pub plans: Vec<Plan>,
    /// Of each whether nothing with as few disks costs less, and of the last whether fewer disks do not do.
    pub proved: Vec<bool>,
}

impl Planner<'_> {
    /// As [`simpler`].
    pub fn simpler(&self, answer: Answer, band_percent: f64) -> Answer {
        let Some(found) = answer.plans.first().and_then(|cheapest| self.simpler_than(cheapest, band_percent)) else {
            return answer;
        };
        answer.with_first(self.problem, found)
    }

    /// All plans worth a look that cost at most `band_percent` more than the cheapest, the simplest first: those with fewer disks, then the
    /// best of each VM size by cost, the cheapest among them.
    pub fn within_band(&self, cheapest: &Plan, band_percent: f64) -> Vec<Plan> {
        let most = self.most(cheapest, band_percent);
        let curve = self.by_disks(cheapest, most);
        let of_sizes = self.search(&[]).run(&self.on_offer(), BAND, most).plans;
        let newest = self.within(&curve, &self.all(), most);
        let mut plans: Vec<Plan> = newest.into_iter().chain(curve.into_iter().rev()).collect();
        plans.extend(of_sizes);
        let mut seen: Vec<Plan> = Vec::new();
        for plan in plans {
            if !seen.contains(&plan) {
                seen.push(plan);
            }
        }
        seen
    }

    /// The plan that would be printed, if the cheapest costs at most so much: that or the simpler one in whose place it may be.
    pub fn printed(&self, band_percent: f64, cheapest_at_most: Money) -> Option<Plan> {
        let cheapest = self.cheapest(cheapest_at_most)?;
        Some(self.simpler_than(&cheapest, band_percent).unwrap_or(cheapest))
    }

    /// The simplest plan that costs at most `band_percent` more than the cheapest; nothing where that is the cheapest itself.
    fn simpler_than(&self, cheapest: &Plan, band_percent: f64) -> Option<Plan> {
        let most = self.most(cheapest, band_percent);
        let mut vms = self.all();
        vms.retain(|&vm| self.problem.vms[cheapest.vm].is_set() || !self.problem.vms[vm].is_set());
        self.within(&self.curve_on(&vms, cheapest, true, most).plans, &vms, most)
    }

    /// What may be paid for a simpler plan: nobody pays a share of the licences for fewer disks.
    fn most(&self, cheapest: &Plan, band_percent: f64) -> Money {
        let bought = cheapest.bought(self.problem).get();
        cheapest.cost + Money::micros((bought as f64 * band_percent / 100.0) as u64)
    }

    fn all(&self) -> Vec<usize> {
        (0..self.problem.vms.len()).collect()
    }

    /// The simplest plan on one of `vms` that costs at most `most`; nothing where that is the first of `curve`, the cheapest.
    fn within(&self, curve: &[Plan], vms: &[usize], most: Money) -> Option<Plan> {
        let (problem, fewest) = (self.problem, curve.last()?);
        let mut search = self.search(&[]).with_disks_at_most(fewest.disk_count());
        let vm = &problem.vms[fewest.vm];
        let own = series_and_generation(&vm.name);
        // Generations compare within a series only: the newest of one may be the second. More processors are not simpler.
        let newer = |other: &usize| {
            let (other, vcpu) = (series_and_generation(&problem.vms[*other].name), problem.vms[*other].vcpu);
            other.0 == own.0 && other.1 > own.1 && vcpu <= vm.vcpu
        };
        let newer: Vec<usize> = vms.iter().copied().filter(newer).collect();
        let plans = search.run(&newer, newer.len(), most).plans.into_iter();
        let newest =
            plans.min_by_key(|plan| (Reverse(series_and_generation(&problem.vms[plan.vm].name).1), plan.rank(problem)));
        newest.or_else(|| (curve.len() > 1).then(|| fewest.clone()))
    }

    /// As [`by_disks`].
    pub fn by_disks(&self, cheapest: &Plan, most: Money) -> Vec<Plan> {
        self.curve(cheapest, true, most).plans
    }

    /// The same with what is proved of it; `proved` says it of `cheapest`.
    pub fn curve(&self, cheapest: &Plan, proved: bool, most: Money) -> Curve {
        self.curve_on(&self.all(), cheapest, proved, most)
    }

    fn curve_on(&self, vms: &[usize], cheapest: &Plan, proved: bool, most: Money) -> Curve {
        let mut search = self.search(&[]);
        let mut curve = Curve { plans: vec![cheapest.clone()], proved: vec![proved] };
        while let Some(fewer) = curve.plans.last().and_then(|plan| plan.disk_count().checked_sub(1)) {
            search = search.with_disks_at_most(fewer);
            let mut found = search.run(vms, 1, most);
            let plan = found.plans.pop();
            let is_proved = |cost: Money| found.bound.is_none_or(|bound| bound >= cost);
            match plan {
                Some(plan) => {
                    curve.proved.push(is_proved(plan.cost));
                    curve.plans.push(plan);
                }
                None => {
                    curve.proved.iter_mut().rev().take(1).for_each(|last| *last &= !search.has_given_up());
                    break;
                }
            }
        }
        curve
    }
}
