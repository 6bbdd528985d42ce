//! A new plan in place of a configuration that falls short: said where it costs less than the cheapest change that is enough, or
//! where no change of one part is.
//!
//! It is what `plan` finds for the same demand and wishes, with the processors, the memory and, where the demand does not say it, the
//! capacity that are there.
//!
//! Ignores: what moving costs; configurations with volumes that the demand does not name, or with parts that have no price.

use dw_catalogue::{Catalogue, Money, MoneyChange};
use dw_demand::wishes::{VolumeWishes, Wishes};
use dw_messages::{Figure, Sentence, say};
use dw_planner::explain::{Explanation, Missing, Rig, is_broken};
use dw_planner::{build, simpler, solve};

use crate::plan::Demand;

/// The sentence about it.
pub(super) fn sentence(
    demand: &Demand,
    rig: &Rig,
    explanation: &Explanation,
    catalogue: &Catalogue,
) -> Option<Sentence> {
    let falls_short = explanation.carried < dw_planner::problem::ONE || explanation.fixed.iter().any(is_broken);
    if !falls_short || explanation.missing.contains(&Missing::Prices) {
        return None;
    }
    let mut wishes = demand.wishes.clone();
    wishes.vcpu_min = wishes.vcpu_min.max(rig.vm.vcpu);
    wishes.memory_min = wishes.memory_min.max(dw_units::Bytes::mib(rig.vm.memory_mib.unwrap_or(0)));
    for own in &rig.volumes {
        let place = demand.requirements.volumes.iter().position(|volume| volume.name == own.name)?;
        let wished = wishes.volumes.get_mut(place)?;
        if wished.capacity.get() == 0 {
            wished.capacity = own.size;
            wishes.capacity_headroom_percent = 0.0;
        }
    }
    let planned = |wishes: &Wishes| {
        let built = build(&demand.requirements, wishes, catalogue).ok()?;
        let answer = simpler(&built.problem, solve(&built.problem), wishes.indifference_percent);
        Some((answer.plans.into_iter().next()?, built))
    };
    let wider = || wishes.with_disks(VolumeWishes::DISKS_MAX).and_then(|wider| planned(&wider));
    let (plan, built) = planned(&wishes).or_else(wider)?;
    let (described, monthly) = (plan.describe(&built.problem), money(plan.cost));
    let now = i128::from(explanation.plan.cost.get());
    match explanation.changes.first().filter(|change| change.holds) {
        None => Some(say!(ExplainNewPlan { plan: described, monthly })),
        Some(change) => {
            let less = now + change.monthly? - i128::from(plan.cost.get());
            let saved = MoneyChange::micros(less);
            let saved = Figure::new(saved.amount(), "USD", format!("{} USD", Money::micros(u64::try_from(less).ok()?)));
            (less > 0).then(|| say!(ExplainNewPlanCheaper { plan: described, monthly, saved }))
        }
    }
}

fn money(cost: Money) -> Figure {
    Figure::new(cost.amount(), "USD", format!("{cost} USD"))
}

#[cfg(test)]
mod tests {
    use crate::explain::Evidence;
    use crate::plan::PlanOptions;
    use crate::{Catalogue, Session};

    #[test]
    fn a_new_plan_is_said_where_no_change_is_enough_or_it_costs_less() {
        let session = Session::new(Catalogue::embedded().clone());
        // Disks, reads a second, and how the sentence begins; an E8ds_v5 has 8 processors and 64 GiB.
        let cases = [
            ("P30", 1_000, None),
            // A larger VM for a rig whose disks cost more than a plan's.
            ("8 x P30", 18_000, Some("A new plan costs ")),
            // Disks and VM are too small.
            ("P30", 30_000, Some("No single change is enough.")),
        ];
        for (disks, reads, begins) in cases {
            let rig = format!("[vm]\nsize = 'Standard_E8ds_v5'\n[[volume]]\nname = 'data'\ndisks = '{disks}'\n");
            let rig = session.scenario("rig.toml", &rig).unwrap();
            let text = format!(
                "schema_version = 1\n[plan]\nregion = 'eastus'\nvcpu_min = 8\nmemory_min = '64 GiB'\n[[volume]]\nname = 'data'\n\
                 capacity = '800 GiB'\nread_size = '8 KiB'\n\
                 read_iops = {{ p50 = {reads}, p90 = {reads}, p99 = {reads}, max = {reads} }}\n"
            );
            let demand = session.requirements_of_existing("requirements.toml", &text).unwrap();
            let evidence = Evidence { demand: Some(demand.clone()), ..Evidence::default() };
            let said = session.explain(&rig, evidence).unwrap().new_plan;
            assert_eq!(said.is_some(), begins.is_some(), "{disks} {reads}: {said:?}");
            let (Some(said), Some(begins)) = (said, begins) else { continue };
            // The same that `plan` finds.
            let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
            let planned = session.plan_with(&demand, &options).unwrap().document.plan.unwrap();
            let has = |part: &str| said.text.contains(part);
            assert!(
                said.text.starts_with(begins) && has(&planned.vm) && has(&format!("{:.2}", planned.monthly)),
                "{said}"
            );
        }
    }
}
