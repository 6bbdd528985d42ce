//! What a plan costs in other ways to pay for it, which of them keep a budget that is not kept, and what is billed beside it.
//!
//! Who commits pays the whole term, whether or not the machine is kept: a month `r` of a term of `n` months pays off against a month
//! `p` of pay as you go once the machine is kept for `n r / p` months.
//!
//! Of `n` snapshots the first has all that volumes hold, each of the others what changed: with a share `c` of it, `1 + (n - 1) c` times
//! all. Nothing of this is part of the search or of a budget.
//!
//! Ignores: what is paid back of a term that is broken off, reservations that cover other machines later, interest.

use dw_catalogue::bill::{Billed as Part, SNAPSHOT};
use dw_catalogue::kind::Promise;
use dw_catalogue::{Meter, Money, Placing};
use dw_demand::wishes::{Role, Wishes};
use dw_demand::{CommitTo, Commitment, HOURS_A_MONTH};
use dw_documents::plan::{BillRow, Billed, CommitmentRow};
use dw_messages::{Figure, Sentence, say};
use dw_planner::problem::{DiskKind, DiskOffer};
use dw_planner::{Built, Conflict, Limit, Plan, build, market, solve};

use super::PlanInput;
use super::words::figure_of;
use crate::figures::{exact_percent, money};

/// Hours of a month of a machine that runs 40 of the 168 hours of a week.
const WORKING_HOURS: f64 = HOURS_A_MONTH as f64 * 40.0 / 168.0;

/// What VM and disks of a plan cost pay as you go and under each commitment.
pub(super) fn commitments(input: &PlanInput, plan: &Plan) -> Vec<CommitmentRow> {
    let problem = &input.built.problem;
    let vm = &problem.vms[plan.vm];
    let vm_price = |to| market::monthly_under(input.catalogue, input.wishes, &vm.name, to);
    let disk_price = |name: &str, to| market::monthly_of_disk_under(input.catalogue, input.wishes, name, to);
    // Disks as they come are what can be reserved: name, number, price in the plan.
    let chosen = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let chosen = chosen.map(|disks| (&problem.disks[disks.offer], u64::from(disks.count)));
    let (mut fixed, mut names) = (Vec::new(), Vec::new());
    for (offer, count) in chosen {
        if !names.contains(&&offer.name) {
            names.push(&offer.name);
        }
        if let (DiskKind::Fixed { price, .. }, true) = (&offer.kind, offer.purchase.is_plain()) {
            fixed.push((&offer.name, count, *price));
        }
    }
    let in_plan: Money = fixed.iter().map(|(_, count, price)| *price * *count).sum();
    let others = plan.cost.saturating_sub(vm.price).saturating_sub(in_plan);
    // Of those that are reserved, and of all.
    let fixed_under = |to: Option<Commitment>, priced_as: Option<Commitment>| -> (Money, Money) {
        let price = |(name, count, own): &(&String, u64, Money)| {
            let reserved = to.and_then(|to| disk_price(name, Some(to)));
            let as_you_go = || disk_price(name, None).unwrap_or(*own);
            let price = if priced_as.is_some() { reserved.unwrap_or_else(as_you_go) } else { as_you_go() };
            (if reserved.is_some() { price * *count } else { Money::ZERO }, price * *count)
        };
        fixed.iter().map(price).fold((Money::ZERO, Money::ZERO), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let as_you_go = vm_price(None);
    let row = |to: Option<Commitment>| {
        let ((reserved, of_fixed), price) = (fixed_under(to, to), vm_price(to));
        let (before, _) = fixed_under(to, None);
        let disks = others + of_fixed;
        let years = |of: CommitTo| to.filter(|to| to.to == of).map(|to| to.years);
        let is_reserved = |name: &&&String| {
            let can_be = fixed.iter().any(|(own, ..)| own == *name);
            can_be && to.is_some_and(|to| disk_price(name, Some(to)).is_some())
        };
        let unreserved = names.iter().filter(|name| years(CommitTo::Machine).is_some() && !is_reserved(name));
        CommitmentRow {
            reserved_years: years(CommitTo::Machine),
            savings_plan_years: years(CommitTo::Spending),
            vm_monthly: price.map(Money::amount),
            disks_monthly: Some(disks.amount()),
            disks_unreserved: unreserved.map(|name| name.to_string()).collect(),
            monthly: price.map(|price| (price + disks).amount()),
            break_even_month: to
                .zip(price.zip(as_you_go))
                .and_then(|(to, (price, as_you_go))| breaks_even(to, price + reserved, as_you_go + before)),
        }
    };
    std::iter::once(None).chain(Commitment::ALL.map(Some)).map(row).collect()
}

/// What may be assumed otherwise of how the VM is bought, each of which alone would keep a budget that is not kept: hours, a commitment,
/// a licence that is owned.
pub(super) fn within_budget(input: &PlanInput, conflict: &Conflict) -> Vec<Sentence> {
    if !conflict.limits.contains(&Limit::Cost) {
        return Vec::new();
    }
    let (wishes, nodes) = (input.wishes, u64::from(input.wishes.nodes.max(1)));
    let solved = |wishes: &Wishes| {
        let built = build(input.requirements, wishes, input.catalogue).ok()?;
        let plan = solve(&built.problem).plans.into_iter().next()?;
        Some((built, plan))
    };
    let said = |wishes: &Wishes, assumption: String| {
        let (built, plan) = solved(wishes)?;
        Some(say!(BudgetMetWith { assumption, plan: plan.describe(&built.problem), monthly: money(plan.cost * nodes) }))
    };
    let hours = hours_within(input, solved).map(|hours| {
        let wishes = Wishes { hours_per_month: hours, schedule: None, ..wishes.clone() };
        said(&wishes, format!("hours_per_month = {hours}"))
    });
    let commitments = Commitment::ALL.iter().filter(|to| wishes.commitment() != Some(**to));
    let committed = commitments.filter_map(|to| said(&wishes.committed(Some(*to)), to.key()));
    let licence = || {
        let (built, plan) = solved(&Wishes { windows: false, ..wishes.clone() })?;
        Some(say!(BudgetMetWithLicence { plan: plan.describe(&built.problem), monthly: money(plan.cost * nodes) }))
    };
    let licence = if wishes.windows { licence() } else { None };
    hours.flatten().into_iter().chain(committed).chain(licence).collect()
}

/// The most whole hours a month that keep the budget, by the plan that is the cheapest without it; fewer than those of a working week are
/// no advice.
fn hours_within(input: &PlanInput, solved: impl Fn(&Wishes) -> Option<(Built, Plan)>) -> Option<f64> {
    let most = input.built.problem.cost_max?;
    let (built, plan) = solved(&Wishes { cost_max_micros: None, ..input.wishes.committed(None) })?;
    let vm = built.problem.vms[plan.vm].price;
    let left = most.get().checked_sub(plan.cost.saturating_sub(vm).get())?;
    let hours = (input.wishes.running().hours() * left as f64 / vm.get().max(1) as f64).floor();
    (WORKING_HOURS..HOURS_A_MONTH as f64).contains(&hours).then_some(hours)
}

/// What is billed beside VM and disks: what is asked for, priced where its price is known, and what nobody has priced.
pub(super) fn beside(input: &PlanInput) -> Vec<BillRow> {
    let not_in = |of| BillRow { of, monthly: None, how: say!(BillNotIn) };
    let others = [Billed::Backup, Billed::Replication, Billed::Traffic, Billed::Monitoring];
    let all = [os_disk(input), Some(snapshots(input))];
    all.into_iter().flatten().chain(others.map(not_in)).collect()
}

/// A line for each row of a price list, or the reason why it has no price.
fn priced(input: &PlanInput, of: Billed, parts: &[Part], how: Sentence) -> BillRow {
    let prices = parts.iter().map(|part| market::monthly_of(input.catalogue, input.wishes, part));
    match prices.collect::<Result<Vec<Money>, _>>() {
        Ok(prices) => BillRow { of, monthly: Some(prices.into_iter().sum::<Money>().amount()), how },
        Err(error) => BillRow { of, monthly: None, how: say!(Plain { text: error.to_string() }) },
    }
}

/// Nothing where a volume is the disk of the operating system.
fn os_disk(input: &PlanInput) -> Option<BillRow> {
    if input.wishes.volumes.iter().any(|volume| volume.role == Role::Os) {
        return None;
    }
    let of = Billed::OsDisk;
    let Some(name) = &input.wishes.os_disk else { return Some(BillRow { of, monthly: None, how: say!(BillNotIn) }) };
    let edition = input.wishes.edition.as_deref();
    let row = input.catalogue.disk(name, edition).or_else(|_| input.catalogue.disk(name, None)).ok()?;
    let disk = &row.sku;
    if row.kind().os_gib_max.is_none() {
        return Some(BillRow {
            of,
            monthly: None,
            how: say!(Plain { text: format!("{disk}: {}", input.catalogue.vendor().no_os()) }),
        });
    }
    if row.base.is_none() && row.free_form.is_some() {
        let text =
            format!("{disk} is billed by its size: write a volume with `role = \"os\"` and the size as its `capacity`");
        return Some(BillRow { of, monthly: None, how: say!(Plain { text }) });
    }
    let parts = [Part { of: disk.clone(), meter: Meter::Whole, count: 1 }];
    Some(priced(input, of, &parts, say!(BillOsDisk { disk })))
}

fn snapshots(input: &PlanInput) -> BillRow {
    let (kept, change) = (input.wishes.snapshots_kept, input.wishes.snapshot_change_percent);
    let Some(count) = snapshots_gib(input.wishes) else {
        return BillRow { of: Billed::Snapshots, monthly: None, how: say!(BillNotIn) };
    };
    let parts = [Part { of: SNAPSHOT.into(), meter: Meter::GiB, count }];
    let size = figure_of("GiB", count as f64);
    let change = exact_percent(change);
    priced(input, Billed::Snapshots, &parts, say!(BillSnapshots { kept, change, size }))
}

/// GiB of the snapshots of one machine; nothing where none was asked for.
pub(super) fn snapshots_gib(wishes: &Wishes) -> Option<u64> {
    let (others, change) = (wishes.snapshots_kept.checked_sub(1)?, wishes.snapshot_change_percent);
    // What may be lost is not kept.
    let held = wishes.volumes.iter().filter(|volume| !volume.local_disk);
    // Of what all nodes share one of them has its part.
    let nodes = |volume| u64::from(wishes.shared_by(volume).unwrap_or(1));
    let held: u64 = held.map(|volume| volume.capacity.get().div_ceil(1 << 30).div_ceil(nodes(volume))).sum();
    Some((held as f64 * (1.0 + f64::from(others) * change / 100.0)).ceil() as u64)
}

/// What the vendor promises of one machine with such disks, or of several.
pub(super) fn promises(input: &PlanInput, plan: &Plan) -> Vec<Sentence> {
    let share = |promise: &Promise| Figure::decimal(f64::from(promise.hundredths) / 100.0, 2, "%");
    if input.wishes.nodes > 1 {
        let line = |promise: &Promise| {
            say!(PromiseTogether { share: share(promise), place: promise.place, source: promise.source })
        };
        let (in_one, in_any) = (is_in_one_zone(input, plan), is_in_a_zone(input, plan));
        // A VM that is in a zone joins no availability set.
        let is_held = |promise: &&Promise| if promise.spans_zones() { !in_one } else { !in_any };
        let together: Vec<_> = input.catalogue.vendor().promised_together().iter().filter(is_held).map(line).collect();
        if !together.is_empty() {
            return together;
        }
    }
    let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let mut kinds: Vec<_> = disks.filter_map(|disks| input.built.problem.disks[disks.offer].of_kind).collect();
    let os = input.wishes.os_disk.as_ref().and_then(|name| input.catalogue.disk(name, None).ok());
    kinds.extend(os.map(|disk| disk.kind()));
    let mut names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    let unknown: Vec<&str> = kinds.iter().filter(|kind| kind.promise.is_none()).map(|kind| kind.name).collect();
    if let Some(kind) = unknown.first() {
        return vec![say!(PromiseUnknown { kind: *kind })];
    }
    let least = kinds.iter().filter_map(|kind| kind.promise.as_ref()).min_by_key(|promise| promise.hundredths);
    let has_os = os.is_some() || input.wishes.volumes.iter().any(|volume| volume.role == Role::Os);
    let line = |promise: &Promise| match has_os {
        true => say!(PromiseOne { share: share(promise), kinds: names, source: promise.source }),
        false => say!(PromiseOneIf { share: share(promise), kinds: names, source: promise.source }),
    };
    least.map(line).into_iter().collect()
}

/// Whether each node is in a zone, of which others may be in another: it was asked for, or a disk is sold in zones alone. A shared one of
/// such a kind is in a zone wherever the region has it in one.
fn is_in_a_zone(input: &PlanInput, plan: &Plan) -> bool {
    let (problem, region) = (&input.built.problem, &input.wishes.region);
    let needs_zone = |offer: &DiskOffer| {
        let Some(kind) = offer.of_kind else { return false };
        let has_zones = || input.catalogue.disk_zones(kind.id, region).is_some_and(|(zones, _)| zones > 0);
        input.catalogue.placing(kind, region, false) == Placing::OnlyInZone || offer.shared.is_some() && has_zones()
    };
    let mut disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    input.wishes.zone.is_some() || disks.any(|disks| needs_zone(&problem.disks[disks.offer]))
}

/// Whether all nodes are in one zone: it was asked for, or they share a disk that is in one alone.
fn is_in_one_zone(input: &PlanInput, plan: &Plan) -> bool {
    let problem = &input.built.problem;
    let mut disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let is_shared = disks.any(|disks| problem.disks[disks.offer].shared.is_some());
    input.wishes.zone.is_some() || is_shared && !input.wishes.zone_redundant
}

/// The first month by whose end pay as you go has cost the whole term.
fn breaks_even(to: Commitment, price: Money, as_you_go: Money) -> Option<u32> {
    let months = (price * u64::from(to.months())).get().checked_div(as_you_go.get())? as u32;
    let months = months + u32::from(as_you_go * u64::from(months) < price * u64::from(to.months()));
    (months < to.months()).then_some(months)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_pays_off_once_pay_as_you_go_has_cost_it() {
        let cases = [
            ("1y at 0.6 of the price", Commitment::reservation(1), 60, 100, Some(8)),
            ("1y, three quarters exactly", Commitment::reservation(1), 75, 100, Some(9)),
            ("3y at 0.4", Commitment::savings_plan(3), 40, 100, Some(15)),
            ("no cheaper", Commitment::reservation(1), 100, 100, None),
            ("dearer, as the machine runs little", Commitment::reservation(3), 60, 30, None),
            ("nothing to compare with", Commitment::reservation(3), 60, 0, None),
        ];
        for (name, to, price, as_you_go, expected) in cases {
            let of = |amount: u64| Money::micros(amount * 1_000_000);
            assert_eq!(breaks_even(to, of(price), of(as_you_go)), expected, "{name}");
        }
    }
}
