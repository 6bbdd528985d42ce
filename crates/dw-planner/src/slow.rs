//! Stamps in which a plan takes longer than was asked, though others ask more of it.
//!
//! The search looks at latencies in the stamps with the most requests and the most bytes ([`Volume::hardest`]). A latency also follows from
//! the size of requests and from which direction they are of, so a stamp with fewer and larger requests can be the slowest. Which one
//! depends on the disks. So each plan of an answer is looked at in every stamp; where more of them fail than may, the slow ones are looked at
//! from then on, and the answer is searched for again. What is the cheapest at last is the cheapest of all: fewer stamps only allow more.
//!
//! Where nothing meets the latency in those stamps, they are left aside again: the plan for the hardest is then shown with what it misses.
//!
//! [`Volume::hardest`]: crate::problem::Volume::hardest

use crate::check::check_every_stamp;
use crate::plan::Plan;
use crate::problem::{Problem, Volume};
use crate::search::{Known, Planner};

/// So often stamps are added; what is slow after that is told by the check of all stamps.
const ROUNDS: usize = 8;

/// Adds the stamps in which latencies have to be looked at, too, to find the simplest plan within so many percent of the cheapest. What
/// was found out about the problem on the way is the caller's.
pub fn with_slow_stamps(problem: &mut Problem, band_percent: f64) -> Known {
    for _ in 0..ROUNDS {
        let planner = Planner::new(problem);
        if !may_be_slow(problem) {
            return planner.known();
        }
        let answer = planner.simpler(planner.solve(), band_percent);
        let found = answer.plans.iter().map(|plan| check_every_stamp(problem, plan));
        let slow = found.filter(|found| found.failing.len() > problem.violations_allowed).flat_map(|found| found.slow);
        let slow: Vec<(usize, usize)> = slow.collect();
        if answer.plans.is_empty() {
            if problem.volumes.iter().all(|volume| volume.slow.is_empty()) {
                return planner.known();
            }
            problem.volumes.iter_mut().for_each(|volume| volume.slow.clear());
            break;
        }
        if slow.is_empty() {
            return planner.known();
        }
        for (volume, stamp) in slow {
            let slow = &mut problem.volumes[volume].slow;
            if let Err(place) = slow.binary_search(&stamp) {
                slow.insert(place, stamp);
            }
        }
    }
    Planner::new(problem).known()
}

/// Whether a latency is asked for in stamps that are not looked at.
fn may_be_slow(problem: &Problem) -> bool {
    let looked_at = |volume: &Volume| volume.hardest(problem.violations_allowed).len();
    problem.volumes.iter().any(|volume| volume.has_latency_max() && looked_at(volume) < problem.stamps)
}

/// In how many stamps a plan exceeds some limit; latencies are looked at in all.
pub fn failing(problem: &Problem, plan: &Plan) -> usize {
    match problem.volumes.iter().any(Volume::has_latency_max) {
        true => check_every_stamp(problem, plan).failing.len(),
        false => plan.failing.len(),
    }
}
