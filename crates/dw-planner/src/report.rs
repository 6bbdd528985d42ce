//! What the limits of a plan carry, asked once: at the levels of the demand, at the most that the plan holds, and what is left.
//!
//! Headroom is planned on top of what is asked of capacity, processors and memory, and is no load: it is a share of every limit that stays
//! free. So what is held whatever the time is taken from the demand without it.

use dw_demand::wishes::Wishes;
use dw_demand::{MemoryRoom, Requirements};
use dw_units::Bytes;

use crate::build::{Built, again};
use crate::check::{self, Use, check};
use crate::limit::Limit;
use crate::memory::{Beside, beside};
use crate::plan::Plan;
use crate::problem::Problem;

/// A limit of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// What it gives and holds.
    pub used: Use,
    /// What it carries at the median, at the 90th and 99th percentile, and at most.
    pub load: [u64; 4],
    /// Share that is left at the largest load that the plan holds, in percent.
    pub left_percent: f64,
    /// Whether no rate has less left.
    pub is_narrowest: bool,
}

/// The levels that requirements without a series give, in percent.
const LEVELS: [f64; 4] = [50.0, 90.0, 99.0, 100.0];

/// The limits of a plan, in order of a request's path, without those that nobody asks anything of.
pub fn report(built: &Built, requirements: &Requirements, wishes: &Wishes, plan: &Plan) -> Vec<Carried> {
    let (mut uses, bare) = (check::uses(&built.problem, plan), wishes.bare());
    let uses_at = |percentile: f64| {
        let wishes = Wishes { percentile, ..bare.clone() };
        again(built, requirements, &wishes).ok().map(|built| check(&built.problem, plan).uses)
    };
    if let Some(bare) = uses_at(wishes.percentile) {
        for used in uses.iter_mut().filter(|used| is_held_once(used.limit)) {
            if let Some(bare) = find(&bare, used.limit) {
                (used.load, used.held) = (bare.load, bare.held);
            }
        }
    }
    let levels = LEVELS.map(|level| if built.problem.stamps > 1 { None } else { uses_at(level) });
    let least = narrowest(&uses);
    // Memory and processors that nobody asked for are not known: nothing is all of them.
    let is_asked =
        |used: &Use| used.load[3] > 0 || used.capacity > 0 && !matches!(used.limit, Limit::Vcpu | Limit::Memory);
    let carried = |used: Use| {
        let of_levels =
            levels.each_ref().map(|uses| Some(find(uses.as_ref()?, used.limit).map_or(0, |used| used.load[3])));
        let load = match of_levels {
            [Some(p50), Some(p90), Some(p99), Some(max)] => [p50, p90, p99, max],
            _ => used.load,
        };
        Carried {
            load: memory_in_use(requirements, wishes, &used).unwrap_or(load),
            left_percent: left_of_promise(&built.problem, wishes, &used),
            is_narrowest: used.limit.is_rate() && Some(left(&used)) == least,
            used,
        }
    };
    uses.into_iter().filter(is_asked).map(carried).collect()
}

/// Share that is left of the narrowest rate, in percent, rounded down to a tenth; everything where no rate is limited.
pub fn least_headroom(problem: &Problem, plan: &Plan) -> f64 {
    let least = narrowest(&check(problem, plan).uses).unwrap_or(100.0);
    (least * 10.0).floor() / 10.0
}

fn find(uses: &[Use], limit: Limit) -> Option<&Use> {
    uses.iter().find(|used| used.limit == limit)
}

/// Share that is left of a limit at the largest load that the plan holds, in percent.
fn left(used: &Use) -> f64 {
    100.0 - used.held as f64 * 100.0 / used.capacity.max(1) as f64
}

fn narrowest(uses: &[Use]) -> Option<f64> {
    uses.iter().filter(|used| used.limit.is_rate()).map(left).min_by(f64::total_cmp)
}

/// The same of what is asked once and whatever the time, which is rounded up to whole units: a plan that has the room that was asked for
/// shows no less of it.
fn left_of_promise(problem: &Problem, wishes: &Wishes, used: &Use) -> f64 {
    let (promised, rounded) = match used.limit {
        Limit::Capacity(_) => (wishes.capacity_headroom_percent, 1),
        // Every volume there is rounded by itself.
        Limit::LocalSize => (wishes.capacity_headroom_percent, problem.volumes.len() as u64),
        Limit::Memory => match beside(wishes) {
            Beside::Asked(MemoryRoom::Percent(percent)) | Beside::Usual(percent) => (percent, 1),
            Beside::Asked(MemoryRoom::Amount(_)) | Beside::Database => return left(used),
        },
        Limit::Vcpu => (100.0 - wishes.cpu_percent, 1),
        _ => return left(used),
    };
    let before = Use { held: used.held.saturating_sub(rounded), ..used.clone() };
    if used.over == 0 && left(used) < promised && left(&before) >= promised { promised } else { left(used) }
}

/// Whether a limit is of what a volume or the VM holds, whatever the time.
fn is_held_once(limit: Limit) -> bool {
    matches!(limit, Limit::Capacity(_) | Limit::LocalSize | Limit::Vcpu | Limit::Memory)
}

/// Memory in use at its levels: it is planned at its largest, as what is in use cannot wait. Nothing where a minimum was asked for.
fn memory_in_use(requirements: &Requirements, wishes: &Wishes, used: &Use) -> Option<[u64; 4]> {
    let levels = requirements.memory_used.filter(|_| used.limit == Limit::Memory)?;
    let mib = |bytes: Bytes| (bytes.get() as f64 * wishes.comfort_factor / f64::from(1 << 20)).ceil() as u64;
    let load = [levels.p50, levels.p90, levels.p99, levels.max].map(mib);
    (load[3] == used.held).then_some(load)
}
