//! Of plans that cost hardly more than the cheapest, one with the best verdict: what is met comes before what is met with a condition,
//! however much simpler that is.
//!
//! What is the same whatever is bought is seen first, then what needs no simulation; only what may be better after that is simulated.
//! Conditions that no other offer is known to be free of count for nothing (`verdict::rank`).
//!
//! Ignores: other disks on a VM size than the cheapest and those with fewer of them; that one host cache may be faster after a reboot than
//! another.

use dw_demand::Requirements;
use dw_documents::plan::PlanDocument;
use dw_documents::verdict::{CheckOf, State, Verdict};
use dw_error::Result;
use dw_planner::{Plan, Planner};

use super::simulated::{Cold, Proof, Warm};
use super::verdict::{Shown, VerdictInput, rank, rank_of};
use super::{PlanInput, Solution, document, words};
use crate::session::Session;

/// So many plans are simulated beside the one that was found.
const TRIES: usize = 4;

/// A plan that is judged, and what was simulated for it.
struct Judged {
    document: PlanDocument,
    warm: Option<Warm>,
    cold: Option<Cold>,
    state: State,
}

impl Session {
    /// The solution with a plan of a better verdict in front, where one costs hardly more than the cheapest.
    pub(super) fn surer(&self, requirements: &Requirements, best: Solution, simulate: bool) -> Result<Solution> {
        let is_simulated = simulate && best.warm.is_some();
        let Solution { wishes, built, known, answer, document: Some(document), warm, .. } = &best else {
            return Ok(best);
        };
        let (Some(plan), Some(cheapest)) = (answer.plans.first(), answer.cheapest()) else { return Ok(best) };
        let planner = Planner::knowing(&built.problem, known.clone());
        let (why_not, choices, catalogue) = (Vec::new(), false, self.catalogue());
        let input = PlanInput { requirements, wishes, built, planner: &planner, why_not, catalogue, choices };

        let warm_rows = warm.as_ref().map(|warm| Shown { rows: &warm.rows, cold: &[] });
        let own = verdict(&input, document, warm_rows);
        let of_all = own.check(CheckOf::Recording).map_or(State::Met, |check| check.state);
        let (while_warm, waits_for_cache) = (state_while_warm(&own), hits(plan));
        if while_warm == of_all && !waits_for_cache {
            return Ok(best);
        }
        let mut others = planner.within_band(cheapest, wishes.indifference_percent);
        others.retain(|other| other != plan && (while_warm > of_all || !hits(other)));
        let documents = others.into_iter().map(|other| {
            let line = words::answer(&input, answer, &other, words::Confirmation::default());
            let document = document::of_plan(&input, Some(&other), line);
            (other, document)
        });
        let may_be_better = |(other, document): &(Plan, PlanDocument)| {
            let state = state_while_warm(&verdict(&input, document, None));
            state < while_warm || waits_for_cache && !hits(other) && state <= while_warm
        };
        let others: Vec<(Plan, PlanDocument)> = documents.filter(may_be_better).take(TRIES).collect();
        if others.is_empty() {
            return Ok(best);
        }
        let own = self.judged(&input, document.clone(), warm.clone(), is_simulated && waits_for_cache)?;
        let mut state = own.state;
        let (mut surest, cold) = (None, own.cold);
        for (other, document) in others {
            if state == of_all {
                break;
            }
            let warm = match is_simulated {
                true => self.unless_it_fails(Proof::new(self, &document, wishes).and_then(|proof| proof.warm()))?,
                false => None,
            };
            let is_cold = is_simulated && hits(&other);
            let found = self.judged(&input, document, warm, is_cold)?;
            if found.state < state {
                (state, surest) = (found.state, Some((other, found)));
            }
        }
        let Some((plan, found)) = surest else { return Ok(Solution { cold, ..best }) };
        let Judged { document, warm, cold, .. } = found;
        let answer = answer.clone().with_first(&built.problem, plan);
        Ok(Solution { answer, document: Some(document), warm, cold, is_surer: true, ..best })
    }

    /// A plan with all that was simulated of it.
    fn judged(&self, input: &PlanInput, document: PlanDocument, warm: Option<Warm>, is_cold: bool) -> Result<Judged> {
        let cold = match is_cold {
            true => self.unless_it_fails(Proof::new(self, &document, input.wishes).and_then(|proof| proof.cold()))?,
            false => None,
        };
        let cold_rows = cold.as_ref().map_or(&[][..], |(rows, _)| rows);
        let shown = warm.as_ref().map(|warm| Shown { rows: &warm.rows, cold: cold_rows });
        let state = rank_of(&verdict(input, &document, shown));
        Ok(Judged { document, warm, cold, state })
    }
}

fn verdict(input: &PlanInput, document: &PlanDocument, shown: Option<Shown>) -> Verdict {
    match &document.plan {
        Some(plan) => VerdictInput::plan(input, &document.limits, plan, shown).verdict(),
        None => super::verdict::of_nothing(),
    }
}

/// What is left of a verdict without the time after a reboot.
fn state_while_warm(verdict: &Verdict) -> State {
    let checks = verdict.checks.iter().filter(|check| check.of != CheckOf::Reboot);
    checks.map(rank).max().unwrap_or_default()
}

/// Whether a host cache serves some of it, which is empty after a reboot.
fn hits(plan: &Plan) -> bool {
    plan.volumes.iter().any(|volume| volume.hit > 0)
}
