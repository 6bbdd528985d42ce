//! Changes that keep every limit are tried before they are proposed: by whoever can simulate, which is nobody below this crate.
//!
//! What is tried is the busiest interval that has to hold: of all intervals the one in which some limit is used most, after as many as
//! may exceed a limit. A limit that bursts gives there what its credits leave it on average, and no more.
//!
//! Of one kind of change [`MISSES`] are tried at most: where so many fall short although they keep every limit, the next hardly differs.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::changes::Edit;
use super::pressure::{all_given, limits_of, most_used};
use super::situation::Situation;
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::Problem;

/// Changes of one kind that may fall short before the kind is given up.
pub(super) const MISSES: usize = 3;

/// A change that keeps every limit.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// What is asked, and what there is to choose from.
    pub problem: &'a Problem,
    /// What is changed.
    pub edit: Edit,
    /// The rig with the change.
    pub plan: &'a Plan,
    /// The interval.
    pub stamp: usize,
    /// What limits that burst give in it.
    pub bursts: &'a [(Limit, u64)],
}

/// What a trial shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// All that is asked was served, as fast as is asked.
    pub served: bool,
    /// The share that was served, in parts per million.
    pub share: u32,
}

/// Simulates a change; nothing where it cannot.
pub type Simulate<'a> = dyn Fn(&Trial) -> Option<Shown> + 'a;

/// Trials, each made once.
pub(super) struct Trials<'a> {
    simulate: &'a Simulate<'a>,
    made: RefCell<Vec<(Edit, Option<Shown>)>>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(simulate: &'a Simulate<'a>) -> Trials<'a> {
        Trials { simulate, made: RefCell::default() }
    }

    /// Whether a change holds, the share that it carries and what its trial shows: it is tried where it `keeps` every limit, and carries no
    /// more than the limits let through.
    pub(super) fn judged(
        &self,
        situation: &Situation,
        edit: Edit,
        plan: &Plan,
        keeps: bool,
        carried: u32,
    ) -> (bool, u32, Option<Shown>) {
        let shown = if keeps { self.of(situation, edit, plan) } else { None };
        let holds = keeps && shown.is_none_or(|shown| shown.served);
        (holds, shown.map_or(carried, |shown| shown.share.min(carried)), shown)
    }

    fn of(&self, situation: &Situation, edit: Edit, plan: &Plan) -> Option<Shown> {
        if let Some((_, shown)) = self.made.borrow().iter().find(|(made, _)| *made == edit) {
            return *shown;
        }
        let (stamp, bursts) = busiest(situation, plan);
        let trial = Trial { problem: &situation.problem, edit, plan, stamp, bursts: &bursts };
        let shown = (self.simulate)(&trial);
        self.made.borrow_mut().push((edit, shown));
        shown
    }
}

/// The busiest stamp that has to hold, and what limits that burst give in it.
fn busiest(situation: &Situation, plan: &Plan) -> (usize, Vec<(Limit, u64)>) {
    let problem = &situation.problem;
    let limits = limits_of(problem, plan);
    let given = all_given(&limits, problem.seconds());
    let mut stamps: Vec<usize> = (0..problem.stamps).collect();
    stamps.sort_by_cached_key(|&stamp| Reverse(most_used(&limits, &given, stamp)));
    let stamp = stamps.get(problem.violations_allowed).copied().unwrap_or(0);
    let bursts = limits.iter().zip(&given).filter(|((_, rate, _), _)| rate.burst.is_some());
    (stamp, bursts.map(|((limit, ..), (given, _))| (*limit, given[stamp])).collect())
}
