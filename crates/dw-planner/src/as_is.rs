//! A rig under a demand: the problem whose only offers are the rig's own, and the rig as its plan.
//!
//! So what stands there, or was changed by hand, is judged by the limits, the load and the rounding by which a plan is: at the percentile,
//! with the growth and the headroom that are asked for.
//!
//! A plan leaves out the few stamps that may fail, whichever they are. A rig on which more of them fail leaves out as many of those that
//! exceed a limit most, so that its headroom is that of the percentile, too, and below zero where a limit is exceeded.
//!
//! Burst credits count where the demand says so. Where it does not, limits that are exceeded and carried by them are named: what is
//! there bursts whether anybody counts on it or not, and its headroom is that of what it gives for good. They are carried where the headroom
//! that is asked for is left of the burst, too; a year from now is judged by the same rule.
//!
//! Ignores: prices; volumes of the rig of which nothing is asked.

use std::sync::Arc;

use dw_catalogue::Money;
use dw_demand::Requirements;
use dw_demand::wishes::Wishes;

use crate::build::{Built, in_years, too_small_in};
use crate::check::{Burst, Checked, check, over_time};
use crate::demand::{Before, DemandError};
use crate::explain::{Rig, RigVolume};
use crate::fault::{Fault, Rule};
use crate::hit;
use crate::limit::Limit;
use crate::market::Market;
use crate::plan::{Disks, Plan, VolumePlan};
use crate::problem::Problem;
use crate::usage::priced;

/// The rig as a plan that is built.
#[derive(Clone, Debug)]
pub struct AsIs {
    /// The demand, and the rig's own VM and disks.
    pub built: Built,
    /// The rig.
    pub plan: Plan,
    /// Limits that are exceeded in more stamps than may be, and burst credits carry it, though nobody counts on them.
    pub carried: Vec<(Limit, Burst)>,
    /// Rules that it breaks whatever the load: those that no limit shows.
    pub faults: Vec<Fault>,
}

impl AsIs {
    /// The first year from now, up to the last one that is asked for, in which the load or what volumes hold is too much for it; nothing where
    /// there is none, or nothing grows.
    pub fn too_small_in(&self, requirements: &Requirements, wishes: &Wishes) -> Option<u32> {
        let holds = |problem: &Problem, plan: &Plan| self.holds(problem, plan);
        too_small_in(&self.built, requirements, wishes, &self.plan, 1..=wishes.years, holds)
    }

    /// Whether it holds under a load, credits included; what it breaks under every load is no matter of a year.
    fn holds(&self, problem: &Problem, plan: &Plan) -> bool {
        let found = check(problem, plan);
        let is_new = |fault: &Fault| self.faults.iter().all(|known| known.rule != fault.rule);
        if found.faults.iter().any(is_new) {
            return false;
        }
        if found.failing.len() <= problem.violations_allowed {
            return true;
        }
        let with_credits = with_credits(problem, plan);
        let carried = carried(problem, &found, &with_credits);
        // What is exceeded in the last year alone lacks its headroom in years before, and is carried then, too.
        let is_carried = |limit: Limit| carried.iter().chain(&self.carried).any(|(carried, _)| *carried == limit);
        with_credits.failing.len() <= problem.violations_allowed
            && found.uses.iter().all(|used| used.is_met(problem) || is_carried(used.limit))
    }
}

/// The rig as a plan that is built.
///
/// # Errors
/// Where the demand is not complete, or a volume of it is not on the rig.
pub fn as_is(rig: &Rig, requirements: &Requirements, wishes: &Wishes) -> Result<AsIs, DemandError> {
    let (mut problem, origins) = in_years(requirements, wishes, wishes.years, Before::NOTHING)?;
    let own: Vec<&RigVolume> =
        (0..problem.volumes.len()).map(|place| of_rig(rig, &problem, place)).collect::<Result<_, _>>()?;
    problem.vms = vec![rig.vm.clone()];
    problem.vms[0].slots += problem.os_disks;
    problem.cache_latency = rig.cache_latency;
    problem.disks = own.iter().map(|own| own.disk.clone()).collect();
    for (place, (volume, own)) in problem.volumes.iter_mut().zip(&own).enumerate() {
        volume.disks = vec![place];
        volume.disks_max = own.count;
        volume.stripe_unit = own.stripe_unit;
    }
    let hits = hits(&problem, &own);
    let volumes = own.iter().zip(hits).enumerate().map(|(place, (own, hit))| VolumePlan {
        class: own.class,
        hit,
        disks: (!problem.route(own.class).is_local).then_some(Disks {
            offer: place,
            count: own.count,
            each: None,
            cost: Money::ZERO,
            usage: Money::ZERO,
        }),
    });
    let plan = Plan { vm: 0, volumes: volumes.collect(), cost: Money::ZERO, failing: Vec::new() };
    let plan = priced(&problem, plan);
    let found = check(&problem, &plan);
    let carried = carried(&problem, &found, &with_credits(&problem, &plan));
    let is_shown = |rule: Rule| match rule {
        Rule::Limit(limit) => found.uses.iter().any(|used| used.limit == limit),
        // It has no prices.
        Rule::Sum => true,
        _ => false,
    };
    let faults = found.faults.iter().filter(|fault| !is_shown(fault.rule)).cloned().collect();
    let mut failing = found.failing;
    if failing.len() > problem.violations_allowed {
        failing = worst(&problem, &plan, failing);
    }
    let built = Built { problem, market: Arc::new(Market::default()), origins };
    Ok(AsIs { built, plan: Plan { failing, ..plan }, carried, faults })
}

/// The same as if credits counted; without a series nobody knows how long they must last.
fn with_credits(problem: &Problem, plan: &Plan) -> Checked {
    check(&Problem { bursting: problem.stamps > 1, ..problem.clone() }, plan)
}

/// The limits that are exceeded in more stamps than may be, and that keep their headroom by credits on which nobody counts.
fn carried(problem: &Problem, found: &Checked, with_credits: &Checked) -> Vec<(Limit, Burst)> {
    if problem.bursting {
        return Vec::new();
    }
    let is_over =
        |limit: Limit| found.uses.iter().any(|used| used.limit == limit && used.over > problem.violations_allowed);
    let bursts = with_credits.uses.iter().filter_map(|used| Some((used.limit, used.burst?)));
    bursts.filter(|(limit, _)| is_over(*limit)).collect()
}

/// The volume of the rig that stands for one of the demand: by its name, and one for one without.
fn of_rig<'a>(rig: &'a Rig, problem: &Problem, place: usize) -> Result<&'a RigVolume, DemandError> {
    let name = &problem.volumes[place].name;
    let own = rig.place_of(name, problem.volumes.len());
    own.map(|own| &rig.volumes[own]).ok_or_else(|| {
        let names: Vec<String> = rig.volumes.iter().map(|volume| format!("`{}`", volume.name)).collect();
        DemandError {
            volume: Some(place),
            what: format!("the rig has no volume `{name}`"),
            hint: format!("its volumes are {}; give both the same names", names.join(", ")),
        }
    })
}

/// Parts per million of the reads of each volume that the host cache serves.
fn hits(problem: &Problem, own: &[&RigVolume]) -> Vec<u32> {
    let mut hits = vec![0; own.len()];
    let volumes = problem.volumes.iter().zip(own).enumerate();
    let shared = volumes.filter(|(_, (_, own))| problem.route(own.class).has_cache());
    let (places, curves): (Vec<_>, Vec<_>) =
        shared.filter_map(|(place, (v, _))| Some((place, (v.hits.as_ref()?, hit::touched(v))))).unzip();
    let cache = problem.vms[0].cache.get();
    if cache > 0 {
        for (place, hit) in places.into_iter().zip(hit::ratios(cache, &curves)) {
            hits[place] = hit.min(problem.volumes[place].hit_max);
        }
    }
    hits
}

/// At how many times the load each limit is reached in more stamps than may be: what it gives for as long as one likes, or in bursts where
/// credits count, by the largest load but for those stamps.
pub fn full_at(problem: &Problem, plan: &Plan) -> Vec<(Limit, f64)> {
    let all = over_time(problem, plan).into_iter().filter_map(|(limit, rate, mut load)| {
        load.sort_unstable_by(|a, b| b.cmp(a));
        let most = *load.get(problem.violations_allowed).or(load.last())?;
        let burst = rate.burst.filter(|_| problem.bursting).map(|(top, _)| top);
        (most > 0).then(|| (limit, burst.unwrap_or(rate.base) as f64 / most as f64))
    });
    all.collect()
}

/// As many of the failing stamps as may fail, those that exceed a limit most, sorted.
fn worst(problem: &Problem, plan: &Plan, mut failing: Vec<u32>) -> Vec<u32> {
    let series = over_time(problem, plan);
    let most = |stamp: u32| {
        let used = |(_, rate, load): &(_, crate::problem::Rate, Vec<u64>)| {
            load.get(stamp as usize).map_or(0.0, |load| *load as f64 / rate.base.max(1) as f64)
        };
        series.iter().map(used).fold(0.0, f64::max)
    };
    failing.sort_by(|a, b| most(*b).total_cmp(&most(*a)).then(a.cmp(b)));
    failing.truncate(problem.violations_allowed);
    failing.sort_unstable();
    failing
}
