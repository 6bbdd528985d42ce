//! More reserve where a simulation took longer than was asked for: latencies that the search then holds below their bounds.
//!
//! The search holds a latency by formulas, and the simulation is the judge. Where it finds a mean or a percentile above its bound, the
//! next plan holds that direction of that volume as much lower as the simulation was too high, and a little more.
//!
//! Ignores: rates; that another plan may be off by less.

use dw_documents::plan::{Simulated, SimulatedRow};
use dw_messages::{Figure, Sentence, say};
use dw_observe::requirements::Requirements;
use dw_workload::wishes::{LatencyMax, VolumeWishes, Wishes};

/// So often is a demand planned again.
pub(super) const TIMES: usize = 3;
/// Less than what would just do, so that chance does not decide.
const MORE: f64 = 0.98;
const ONE: f64 = 1e6;

/// How many rows of a simulation are not met: none is the aim.
pub(super) fn missed(simulated: &Simulated) -> usize {
    simulated.rows.iter().filter(|row| !row.met()).count()
}

/// The wishes with as much reserve as a simulation shows to be missing; nothing where every latency is met, or no reserve would help.
pub(super) fn with_more(requirements: &Requirements, wishes: &Wishes, simulated: &Simulated) -> Option<Wishes> {
    let mut more = wishes.clone();
    for (required, wished) in requirements.volumes.iter().zip(&mut more.volumes) {
        for (direction, most) in directions(wished) {
            let is_of = |row: &&SimulatedRow| row.volume == required.name && row.direction == direction;
            let asked = simulated.rows.iter().filter(is_of).flat_map(SimulatedRow::latencies_asked);
            let longest = asked.map(|(_, simulated, most)| simulated / most.max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
            if longest > 1.0 {
                let held = (1.0 - f64::from(most.reserve) / ONE) * MORE / longest;
                most.reserve = ((1.0 - held) * ONE).ceil() as u32;
            }
        }
    }
    (more != *wishes).then_some(more)
}

fn directions(volume: &mut VolumeWishes) -> [(&'static str, &mut LatencyMax); 2] {
    [("read", &mut volume.read_latency_max), ("write", &mut volume.write_latency_max)]
}

/// Every direction of a volume with a reserve: their names, and how much.
pub(super) fn all(requirements: &Requirements, wishes: &Wishes) -> Vec<(String, &'static str, Figure)> {
    let mut all = Vec::new();
    for (required, wished) in requirements.volumes.iter().zip(&wishes.volumes) {
        for (direction, most) in [("read", wished.read_latency_max), ("write", wished.write_latency_max)] {
            if most.reserve > 0 {
                all.push((required.name.clone(), direction, Figure::decimal(f64::from(most.reserve) / 1e4, 1, "%")));
            }
        }
    }
    all
}

/// What is said of a plan that was come to after so many others.
pub(super) fn said(requirements: &Requirements, wishes: &Wishes, times: usize) -> Sentence {
    let latencies: Vec<Sentence> = all(requirements, wishes)
        .into_iter()
        .map(|(volume, direction, reserve)| say!(PlanAgainOf { volume, direction, reserve }))
        .collect();
    if latencies.is_empty() { say!(PlanAgainInVain { times }) } else { say!(PlanAgain { times, latencies }) }
}
