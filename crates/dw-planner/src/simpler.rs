//! A plan with fewer disks that costs hardly more: what a person would take, who pays for every disk in steps to make, to watch and
//! to explain.
//!
//! Formula: the problem is solved again with every disk dearer by the part of the band that the cheapest plan's spare disks leave
//! for each. Of the plans found that stay within the band, the one with the fewest disks, then the cheapest.
//!
//! Ignores: other ways in which a plan may be simpler; plans within the band that this price of a disk does not find.

use dw_catalogue::Money;

use crate::answer::{Answer, solve};
use crate::plan::Plan;
use crate::problem::{DiskKind, Problem};
use crate::usage::priced;

/// The answer with a plan of fewer disks in front of the cheapest, where one costs at most `band_percent` more. The certificate
/// stays that of the cheapest.
pub fn simpler(problem: &Problem, answer: Answer, band_percent: f64) -> Answer {
    let Some(found) = answer.plans.first().and_then(|cheapest| with_fewer_disks(problem, cheapest, band_percent))
    else {
        return answer;
    };
    // The cheapest stays among the alternatives, on whatever VM size.
    let others = answer.plans.into_iter().enumerate().filter(|(place, plan)| *place == 0 || plan.vm != found.vm);
    let plans = std::iter::once(found.clone()).chain(others.map(|(_, plan)| plan)).collect();
    Answer { plans, ..answer }
}

fn with_fewer_disks(problem: &Problem, cheapest: &Plan, band_percent: f64) -> Option<Plan> {
    let least = cheapest.volumes.iter().filter(|volume| volume.disks.is_some()).count() as u32;
    let spare = cheapest.disk_count().checked_sub(least).filter(|&spare| spare > 0)?;
    let band = Money::micros((cheapest.cost.get() as f64 * band_percent / 100.0) as u64);
    let of_disk = Money::micros(band.get() / u64::from(spare));
    if of_disk == Money::ZERO {
        return None;
    }
    let mut dearer = Problem { cost_max: None, ..problem.clone() };
    for disk in &mut dearer.disks {
        match &mut disk.kind {
            DiskKind::Fixed { price, .. } => *price += of_disk,
            DiskKind::Free(free) => free.each += of_disk,
        }
    }
    let plans = solve(&dearer).plans.into_iter().map(|plan| priced(problem, plan));
    plans
        .filter(|plan| plan.cost <= cheapest.cost + band && problem.cost_max.is_none_or(|most| plan.cost <= most))
        .filter(|plan| plan.disk_count() < cheapest.disk_count())
        .min_by_key(|plan| (plan.disk_count(), plan.cost))
}
