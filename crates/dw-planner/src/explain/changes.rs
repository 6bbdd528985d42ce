//! The cheapest single change that helps, by solving again with everything else as it is.
//!
//! One part changes at a time: the VM size; the disks of a volume (larger ones, a performance tier, more of them, fewer and larger ones,
//! another kind, more of what is bought freely); its stripe unit, its host cache, its place on the local disk. What a change comes to is
//! what the check finds for the changed plan. Of every kind the cheapest that meets the demand is kept; where none does, the one that
//! leaves the fewest rules broken, and of those the one that carries most. Beside its cost a change has what it takes to make it and
//! what it gives up.
//!
//! A rig may break rules of its own (more disks than its size takes, less room than is asked): a change may leave them as
//! they are, or mend them, and must neither bring others nor make one worse. Another kind of disk may have mean latencies at most 10 %
//! longer than those of the one that is there.
//!
//! What it takes to make a change is what the vendor's rules of moves say ([`crate::moves`]).
//!
//! Ignores: changes of two parts at once (that is a plan: `diskwright plan` finds it); what building a VM anew takes, beyond saying why.

use std::borrow::Cow;
use std::cmp::Reverse;

use dw_catalogue::moves::Effort;
use dw_catalogue::{Catalogue, Meter, Money, Obstacle};
use dw_demand::wishes::Role;
pub use dw_documents::explain::{Loss, Needs};
use dw_units::Bytes;

use super::measured::{Measured, Shows};
use super::pressure::{limits_of, part, pressures};
use super::situation::Situation;
use super::trial::{MISSES, Shown, Trials};
use crate::check::check;
use crate::fault::Fault;
use crate::free::Provisioned;
use crate::limit::Limit;
use crate::moves;
use crate::plan::Plan;
use crate::problem::{DiskKind, DiskOffer, ONE, Problem, Rate, RouteId, VmOffer};

/// Stripe units that are tried, in KiB: those that the guests' volume managers offer and people use.
const STRIPE_UNITS_KIB: [u64; 7] = [64, 128, 256, 512, 1_024, 32, 16];
/// So many disks more than rates and capacity need are tried: requests that lie across two disks count twice.
const MORE_DISKS: u32 = 3;
/// A change to another kind of disk may make a mean latency so much longer, in percent: the models are no more exact than that.
const SLOWER_PERCENT: u64 = 10;

/// One part of a rig, changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Another VM size.
    Vm(usize),
    /// Another disk for a volume, as many as before.
    Disk(usize, usize),
    /// The same disks at the rates of a larger one.
    Tier(usize, usize),
    /// So many disks in a volume's stripe.
    Count(usize, u32),
    /// More IOPS, throughput or size for each disk of a volume, bought in place: as that offer of the catalogue allows.
    Provision(usize, usize, Provisioned),
    /// Other disks for a volume, so many, with what each is bought with where that is chosen freely.
    Rebuild(usize, usize, u32, Option<Provisioned>),
    /// Another host-cache setting of a volume.
    Cache(usize, RouteId),
    /// Another stripe unit of a volume.
    StripeUnit(usize, Bytes),
    /// A volume on the VM's local disk.
    Local(usize),
    /// So many requests of a volume in flight.
    InFlight(usize, u64),
}

/// What a change comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub edit: Edit,
    /// The rig with the change.
    pub plan: Plan,
    /// Whether the demand is then met.
    pub holds: bool,
    /// Share of the demand that is then carried in the worst stamp that counts, in parts per million.
    pub carried: u32,
    /// So much more a month, in millionths; absent where a price is not known.
    pub monthly: Option<i128>,
    /// Whose price is not known.
    pub unpriced: Vec<String>,
    /// What it takes.
    pub needs: Needs,
    /// Why the VM is not resized to its new size, if so.
    pub obstacle: Option<Obstacle>,
    /// What it gives up.
    pub gives_up: Option<Loss>,
    /// What its trial shows; absent where it was not tried: it does not keep every limit, or nobody could simulate it.
    pub shown: Option<Shown>,
}

/// Share of the demand that a plan carries in the worst stamp that counts.
pub(crate) fn carried(situation: &Situation, plan: &Plan) -> u32 {
    let problem = &situation.problem;
    let limits = limits_of(problem, plan);
    let (_, mut shares, _) = pressures(&limits, problem.seconds(), problem.violations_allowed);
    shares.sort_unstable();
    shares.get(problem.violations_allowed).copied().unwrap_or(ONE)
}

/// What changes of a rig are judged by.
pub(super) struct Judge<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) situation: &'a Situation,
    pub(super) trials: Trials<'a>,
}

/// Changes that help, best first; `binding` is what binds the rig as it is.
pub(super) fn all(judge: &Judge, binding: &[Limit], now: u32) -> Vec<Change> {
    let situation = judge.situation;
    let mut found = Vec::new();
    let own = check(&situation.problem, &situation.plan).faults;
    let mut keep = |candidates: Vec<Edit>| found.extend(judge.best(&own, candidates, now));
    let of_vm: Vec<Limit> = binding.iter().copied().filter(|limit| limit.volume().is_none()).collect();
    let candidates = vms(situation, &of_vm);
    if !candidates.is_empty() {
        let own = series(&situation.problem.vms[0].name);
        let is_own = |vm: &usize| series(&situation.problem.vms[*vm].name) == own;
        keep(candidates.iter().copied().filter(is_own).map(Edit::Vm).collect());
        keep(candidates.into_iter().map(Edit::Vm).collect());
    }
    for (place, chosen) in situation.plan.volumes.iter().enumerate() {
        let Some(disks) = &chosen.disks else { continue };
        let is_os = situation.roles[place] == Some(Role::Os);
        if binding.iter().any(|limit| limit.volume() == Some(place) || *limit == Limit::Slots) {
            // More of what suits backups alone is no remedy for anything else.
            let is_wrong =
                situation.problem.disks[disks.offer].is_on_request() && situation.roles[place] != Some(Role::Backup);
            if !is_wrong {
                keep(larger_disks(situation, place, disks.offer));
            }
            keep(tiers(situation, place, disks.offer));
            keep(provisioned(situation, place, disks.count).into_iter().collect());
            // An operating system starts from one disk.
            if !is_os {
                let most = disks.count + free_slots(situation);
                let most = most.min(situation.problem.volumes[place].disks_max);
                if !is_wrong {
                    keep((disks.count + 1..=most).map(|count| Edit::Count(place, count)).collect());
                }
                keep(rebuilt(situation, place, true));
                keep(stripe_units(situation, place, disks.count));
            }
            keep(rebuilt(situation, place, false));
            keep(turned(situation, place));
        }
        // Whatever binds, what does not pass it any more is no load.
        keep(local(situation, place).into_iter().collect());
        let problem = &situation.problem;
        let is_setting = |class: &&RouteId| **class != chosen.class && problem.is_setting_of(**class, chosen.class);
        let classes = problem.volumes[place].classes.iter();
        keep(classes.filter(is_setting).map(|class| Edit::Cache(place, *class)).collect());
    }
    sort(&mut found);
    found.dedup_by(|a, b| a.edit == b.edit);
    found
}

/// The cheapest that is enough first; what loses data that nobody said may be lost comes after what does not. What saves money counts
/// as free, and of what is free a setting goes before other disks: what else could be saved is a matter of a plan.
pub(crate) fn sort(changes: &mut [Change]) {
    changes.sort_by_key(|change| {
        let loses = change.gives_up == Some(Loss::Durability);
        let costs = change.monthly.map(|monthly| (monthly.max(0), !is_setting(change.edit), change.needs, monthly));
        (!change.holds, loses, costs.is_none(), costs, change.needs, Reverse(change.carried))
    });
}

/// Whether a change leaves the disks and the VM as they are.
fn is_setting(edit: Edit) -> bool {
    matches!(edit, Edit::Cache(..) | Edit::StripeUnit(..) | Edit::InFlight(..) | Edit::Local(_) | Edit::Tier(..))
}

/// More requests in flight, where too few are what holds a measurement back: enough where the next limit has the room that is wanted.
pub(super) fn in_flight(judge: &Judge, measured: &Measured, shows: &Shows) -> Option<Change> {
    let Shows::QueueDepth { needed, .. } = shows else { return None };
    let plan = judge.situation.plan.clone();
    let edit = Edit::InFlight(measured.volume, *needed);
    let carried = carried(judge.situation, &plan);
    let (holds, carried, shown) = judge.trials.judged(judge.situation, edit, &plan, carried == ONE, carried);
    Some(Change {
        edit,
        plan,
        holds,
        carried,
        monthly: Some(0),
        unpriced: Vec::new(),
        needs: Needs::Nothing,
        obstacle: None,
        gives_up: None,
        shown,
    })
}

/// Data disks that the VM takes beside those that are there.
fn free_slots(situation: &Situation) -> u32 {
    situation.problem.vms[0].slots.saturating_sub(situation.plan.disk_count())
}

impl Judge<'_> {
    /// The cheapest that meets the demand, else the one that mends most and carries most of it, and more than now.
    fn best(&self, own: &[Fault], candidates: Vec<Edit>, now: u32) -> Option<Change> {
        let situation = self.situation;
        let mut most: Option<(usize, Change)> = None;
        let mut misses = 0;
        for edit in candidates {
            let under = under(situation, edit);
            let plan = changed(&under, edit);
            let checked = check(&under.problem, &plan);
            let was_there = |fault: &Fault| own.iter().any(|own| own.rule == fault.rule && own.by >= fault.by);
            if !checked.faults.iter().all(was_there) {
                continue;
            }
            let broken = checked.faults.len();
            let carried = carried(&under, &plan);
            let (holds, carried, shown) = self.trials.judged(&under, edit, &plan, checked.holds, carried);
            let (monthly, unpriced) = difference(situation, edit, &plan);
            let (needs, obstacle) = needs(self.catalogue, situation, edit, &plan);
            let gives_up = gives_up(situation, edit, &plan);
            let change = Change { carried, plan, edit, holds, monthly, unpriced, needs, obstacle, gives_up, shown };
            if holds {
                return Some(change);
            }
            let helps = broken < own.len() && change.carried >= now || change.carried > now.saturating_add(now / 100);
            let rank = |broken: usize, carried: u32| (broken, Reverse(carried));
            let is_better = most.as_ref().is_none_or(|(b, m)| rank(broken, change.carried) < rank(*b, m.carried));
            if helps && is_better {
                most = Some((broken, change));
            }
            misses += usize::from(checked.holds);
            if misses == MISSES {
                break;
            }
        }
        most.map(|(_, change)| change)
    }
}

/// The situation in which a change is judged: with another stripe unit requests are split otherwise.
fn under(situation: &Situation, edit: Edit) -> Cow<'_, Situation> {
    match edit {
        Edit::StripeUnit(volume, unit) => {
            let mut other = situation.clone();
            other.problem.volumes[volume].stripe_unit = unit;
            Cow::Owned(other)
        }
        _ => Cow::Borrowed(situation),
    }
}

fn changed(situation: &Situation, edit: Edit) -> Plan {
    let problem = &situation.problem;
    let mut parts = Situation::parts(&situation.plan);
    let mut vm = situation.plan.vm;
    match edit {
        Edit::Vm(other) => {
            vm = other;
            // Disks may have a gate of their own there.
            for (class, disks) in parts.iter_mut().filter(|(class, _)| !problem.route(*class).has_cache()) {
                if let Some((offer, _)) = disks {
                    *class = problem.vms[other].class_of(&problem.disks[*offer], *class);
                }
            }
        }
        Edit::Disk(volume, offer) | Edit::Tier(volume, offer) => {
            let count = parts[volume].1.map_or(1, |(_, count)| count);
            parts[volume].1 = Some((offer, count));
        }
        Edit::Count(volume, count) => parts[volume].1 = parts[volume].1.map(|(offer, _)| (offer, count)),
        Edit::Cache(volume, class) => parts[volume].0 = class,
        Edit::Local(volume) => {
            if let Some(local) = RouteId::to_local(&problem.routes) {
                parts[volume] = (local, None);
            }
        }
        Edit::StripeUnit(..) | Edit::InFlight(..) => {}
        Edit::Provision(volume, offer, each) => {
            parts[volume].1 = parts[volume].1.map(|(_, count)| (offer, count));
            return bought(situation, vm, &parts, volume, each);
        }
        Edit::Rebuild(volume, offer, count, each) => {
            let class = problem.vms[0].class_of(&problem.disks[offer], parts[volume].0);
            parts[volume] = (class, Some((offer, count)));
            if let Some(each) = each {
                return bought(situation, vm, &parts, volume, each);
            }
        }
    }
    situation.plan_of(vm, &parts)
}

/// A plan of these parts, of which the disks of a volume are sized freely.
fn bought(
    situation: &Situation,
    vm: usize,
    parts: &[(RouteId, Option<(usize, u32)>)],
    volume: usize,
    each: Provisioned,
) -> Plan {
    let mut plan = situation.plan_of(vm, parts);
    if let Some(disks) = &mut plan.volumes[volume].disks
        && let DiskKind::Free(free) = &situation.problem.disks[disks.offer].kind
    {
        disks.each = Some(each);
        disks.cost = free.cost(each) * u64::from(disks.count);
        plan.cost += disks.cost;
    }
    plan
}

/// What it takes to make a change that leads to a plan, and why the VM is not resized where it is another one.
fn needs(catalogue: &Catalogue, situation: &Situation, edit: Edit, plan: &Plan) -> (Needs, Option<Obstacle>) {
    let is_os = |volume: usize| situation.roles[volume] == Some(Role::Os);
    let needs = match edit {
        Edit::InFlight(..) => Needs::Nothing,
        Edit::StripeUnit(..) => Needs::Migration,
        Edit::Vm(other) => {
            let vms = &situation.problem.vms;
            let is_known = moves::of_vm(catalogue, &vms[0], &vms[other]).is_some();
            return match obstacle(catalogue, situation, other) {
                Some(obstacle) => (Needs::Migration, Some(obstacle)),
                None => (if is_known { Needs::Restart } else { Needs::Unknown }, None),
            };
        }
        _ => {
            let moves = moves::between(catalogue, &situation.problem, is_os, &situation.plan, plan);
            needs_of(moves.effort())
        }
    };
    (needs, None)
}

/// The word of documents for what a change takes, where that is known.
pub fn needs_of(effort: Option<Effort>) -> Needs {
    match effort {
        Some(Effort::InPlace) => Needs::Nothing,
        Some(Effort::Detach) => Needs::Detach,
        Some(Effort::Restart) => Needs::Restart,
        Some(Effort::Redeploy | Effort::Migrate | Effort::Refused) => Needs::Migration,
        None => Needs::Unknown,
    }
}

/// What keeps the VM from being resized to another size. Of a VM that is not the catalogue's, only its local disk is known.
fn obstacle(catalogue: &Catalogue, situation: &Situation, other: usize) -> Option<Obstacle> {
    let vms = &situation.problem.vms;
    let row = |vm: &VmOffer| catalogue.vm(&vm.name, Some(&vm.edition)).ok();
    match (row(&vms[0]), row(&vms[other])) {
        (Some(from), Some(to)) => catalogue.resize_obstacle(from, to),
        _ => (vms[0].local.is_some() != vms[other].local.is_some()).then_some(Obstacle::LocalDisk),
    }
}

/// What a change gives up.
fn gives_up(situation: &Situation, edit: Edit, plan: &Plan) -> Option<Loss> {
    match edit {
        Edit::Local(volume) => (!situation.may_be_lost(volume)).then_some(Loss::Durability),
        Edit::Vm(other) if situation.problem.vms[other].is_set() => Some(Loss::Network),
        Edit::Disk(..) => Some(Loss::Smaller),
        Edit::Rebuild(volume, ..) => {
            let has_cache = |plan: &Plan| situation.problem.route(plan.volumes[volume].class).has_cache();
            (has_cache(&situation.plan) && !has_cache(plan)).then_some(Loss::HostCache)
        }
        _ => None,
    }
}

/// What a change costs more a month, and whose price that would need and nobody gives.
fn difference(situation: &Situation, edit: Edit, plan: &Plan) -> (Option<i128>, Vec<String>) {
    let problem = &situation.problem;
    let now = |volume: usize| situation.plan.volumes[volume].disks.as_ref().map_or(0, |disks| disks.offer);
    let more = i128::from(plan.cost.get()) - i128::from(situation.plan.cost.get());
    let (mut unpriced, more): (Vec<String>, i128) = match edit {
        Edit::Vm(other) => {
            let unknown = [0, other].into_iter().filter(|&vm| !situation.vm_priced[vm]);
            (unknown.map(|vm| problem.vms[vm].name.clone()).collect(), more)
        }
        Edit::Disk(volume, offer) | Edit::Tier(volume, offer) | Edit::Rebuild(volume, offer, ..) => {
            ([situation.unpriced(now(volume)), situation.unpriced(offer)].concat(), more)
        }
        Edit::Count(volume, _) | Edit::Local(volume) => (situation.unpriced(now(volume)), more),
        Edit::Provision(volume, offer, each) => {
            let count = situation.plan.volumes[volume].disks.as_ref().map_or(0, |disks| disks.count);
            let (DiskKind::Free(free), Some(own)) = (&problem.disks[offer].kind, situation.bought[volume]) else {
                return (None, situation.unpriced(offer));
            };
            // What is bought as before costs as before, whatever that is.
            let is_changed = |meter: &Meter| match meter {
                Meter::GiB => each.gib != own.gib,
                Meter::Iops => each.iops != own.iops,
                Meter::MbPerSecond => each.mb != own.mb,
                _ => true,
            };
            let unknown = situation.disk_unpriced[offer].iter().filter(|(meter, _)| is_changed(meter));
            let names = unknown.map(|(meter, name)| format!("{}{name}", meter.of())).collect();
            let sum = |price: Money| i128::from(price.get()) * i128::from(count);
            (names, sum(free.cost(each)) - sum(free.cost(own)))
        }
        Edit::Cache(..) | Edit::StripeUnit(..) | Edit::InFlight(..) => (Vec::new(), 0),
    };
    unpriced.sort();
    unpriced.dedup();
    (unpriced.is_empty().then_some(more), unpriced)
}

/// Requests and bytes per second that the disks of a volume would have to give if it were attached so, on so many.
fn asked_of_disks(situation: &Situation, place: usize, class: RouteId, count: u32) -> (u64, u64) {
    let problem = &situation.problem;
    let mut parts = Situation::parts(&situation.plan);
    parts[place] = (class, parts[place].1.map(|(offer, _)| (offer, count)));
    let plan = situation.plan_of(0, &parts);
    let limits = limits_of(problem, &plan);
    let (limits, ..) = pressures(&limits, problem.seconds(), problem.violations_allowed);
    let needed =
        |limit: Limit| limits.iter().find(|pressure| pressure.limit == limit).map_or(0, |pressure| pressure.needed);
    (needed(Limit::DiskIops(place)), needed(Limit::DiskThroughput(place)))
}

/// What is sold in place of the disks of a volume, and no slower: of their own kind, or of others.
fn in_place_of(situation: &Situation, place: usize, own_kind: bool) -> Vec<usize> {
    let problem = &situation.problem;
    let Some(now) = &situation.plan.volumes[place].disks else { return Vec::new() };
    let own = &problem.disks[now.offer];
    let is_os = situation.roles[place] == Some(Role::Os);
    let slower = |new: u64, old: u64| new > old.saturating_add(old * SLOWER_PERCENT / 100);
    let is_other = |disk: &DiskOffer| {
        let is_kind = disk.is_like(own) == own_kind;
        let is_slower = slower(disk.latency_ns.0, own.latency_ns.0) || slower(disk.latency_ns.1, own.latency_ns.1);
        let starts = !is_os || disk.starts(problem.volumes[place].capacity_gib);
        is_kind && starts && disk.purchase.is_plain() && !disk.is_on_request() && !is_slower
    };
    (problem.volumes.len()..problem.disks.len()).filter(|&disk| is_other(&problem.disks[disk])).collect()
}

/// As many disks of another kind for a volume, none smaller than the one that it replaces, cheapest first: what a vendor may do while they are
/// used.
fn turned(situation: &Situation, place: usize) -> Vec<Edit> {
    let problem = &situation.problem;
    let chosen = &situation.plan.volumes[place];
    let Some(now) = &chosen.disks else { return Vec::new() };
    let own_gib = situation.bought[place].map_or_else(|| problem.disks[now.offer].gib(), |own| own.gib);
    let each = |value: u64| value.div_ceil(u64::from(now.count.max(1)));
    let gib = each(problem.volumes[place].capacity_gib).max(own_gib);
    let edit = |offer: usize| {
        let DiskKind::Free(free) = &problem.disks[offer].kind else { return None };
        let class = problem.vms[0].class_of(&problem.disks[offer], chosen.class);
        let (iops, bytes) = asked_of_disks(situation, place, class, now.count);
        Some((offer, Edit::Rebuild(place, offer, now.count, Some(free.provision(gib, each(iops), each(bytes))?))))
    };
    let mut all: Vec<(usize, Edit)> = in_place_of(situation, place, false).into_iter().filter_map(edit).collect();
    let is_unpriced = |offer: usize| !situation.disk_unpriced[offer].is_empty();
    all.sort_by_cached_key(|(offer, edit)| (is_unpriced(*offer), changed(situation, *edit).cost));
    all.into_iter().map(|(_, edit)| edit).collect()
}

/// Other disks in place of those of a volume, cheapest first: of its own kind, fewer and larger ones; or of another kind.
fn rebuilt(situation: &Situation, place: usize, own_kind: bool) -> Vec<Edit> {
    let problem = &situation.problem;
    let chosen = &situation.plan.volumes[place];
    let Some(now) = &chosen.disks else { return Vec::new() };
    let is_os = situation.roles[place] == Some(Role::Os);
    let most = if is_os { 1 } else { (now.count + free_slots(situation)).min(problem.volumes[place].disks_max) };
    let capacity = problem.volumes[place].capacity_gib;
    let mut all: Vec<(bool, Edit)> = Vec::new();
    for offer in in_place_of(situation, place, own_kind) {
        let class = problem.vms[0].class_of(&problem.disks[offer], chosen.class);
        let is_unpriced = !situation.disk_unpriced[offer].is_empty();
        match &problem.disks[offer].kind {
            DiskKind::Fixed { gib, iops, bytes, .. } => {
                let top =
                    |rate: Rate| rate.burst.filter(|_| problem.bursting).map_or(rate.base, |burst| burst.0).max(1);
                let whole = asked_of_disks(situation, place, class, 1);
                let least = [capacity.div_ceil(*gib), whole.0.div_ceil(top(*iops)), whole.1.div_ceil(top(*bytes))];
                let least = least.into_iter().max().unwrap_or(1).clamp(1, 1 << 16) as u32;
                let most = if own_kind { now.count.saturating_sub(1).min(most) } else { most };
                for count in least..=most.min(least.saturating_add(MORE_DISKS)) {
                    all.push((is_unpriced, Edit::Rebuild(place, offer, count, None)));
                }
            }
            DiskKind::Free(free) if !own_kind => {
                for count in 1..=most.min(now.count.max(MORE_DISKS)) {
                    let (iops, bytes) = asked_of_disks(situation, place, class, count);
                    let of = |value: u64| value.div_ceil(u64::from(count));
                    let Some(each) = free.provision(of(capacity), of(iops), of(bytes)) else { continue };
                    all.push((is_unpriced, Edit::Rebuild(place, offer, count, Some(each))));
                }
            }
            DiskKind::Free(_) => {}
        }
    }
    // With what is billed by use.
    all.sort_by_cached_key(|(is_unpriced, edit)| (*is_unpriced, changed(situation, *edit).cost));
    all.into_iter().map(|(_, edit)| edit).collect()
}

/// The rates of larger disks for those of a volume, cheapest first.
fn tiers(situation: &Situation, place: usize, now: usize) -> Vec<Edit> {
    let problem = &situation.problem;
    let own = &problem.disks[now];
    let rates = |disk: &DiskOffer| match disk.kind {
        DiskKind::Fixed { iops, bytes, price, .. } => (price, iops.base, bytes.base),
        DiskKind::Free(_) => (Money::MAX, 0, 0),
    };
    let is_tier = |disk: &DiskOffer| {
        let tier = disk.purchase.tier.is_some() && disk.name == own.name && disk.gib() == own.gib();
        tier && (rates(disk).1, rates(disk).2) > (rates(own).1, rates(own).2)
    };
    let mut all: Vec<usize> =
        (problem.volumes.len()..problem.disks.len()).filter(|&d| is_tier(&problem.disks[d])).collect();
    all.sort_by_key(|&disk| (!situation.disk_unpriced[disk].is_empty(), rates(&problem.disks[disk])));
    all.into_iter().map(|disk| Edit::Tier(place, disk)).collect()
}

/// Other stripe units, the usual ones first.
fn stripe_units(situation: &Situation, place: usize, disks: u32) -> Vec<Edit> {
    let now = situation.problem.volumes[place].stripe_unit;
    let units = STRIPE_UNITS_KIB.map(Bytes::kib).into_iter().filter(|unit| disks > 1 && *unit != now);
    units.map(|unit| Edit::StripeUnit(place, unit)).collect()
}

/// The VM's local disk, for data that may be lost or that the VM starts from.
fn local(situation: &Situation, place: usize) -> Option<Edit> {
    let local = situation.problem.vms[0].local?;
    let fits = local.gib >= situation.problem.volumes[place].capacity_gib;
    let is_os = situation.roles[place] == Some(Role::Os);
    (fits && (is_os || situation.may_be_lost(place))).then_some(Edit::Local(place))
}

/// What the disks of a volume would be bought with to carry its load, where that is chosen freely.
fn provisioned(situation: &Situation, place: usize, count: u32) -> Option<Edit> {
    let problem = &situation.problem;
    let own = situation.bought[place]?;
    let name = &problem.disks[situation.plan.volumes[place].disks.as_ref()?.offer].name;
    let first_sold = problem.volumes.len();
    let offer = (first_sold..problem.disks.len()).find(|&disk| problem.disks[disk].name == *name)?;
    let DiskKind::Free(free) = &problem.disks[offer].kind else { return None };
    let each = |value: u64| value.div_ceil(u64::from(count.max(1)));
    let (iops, bytes) = asked_of_disks(situation, place, situation.plan.volumes[place].class, count);
    let gib = each(problem.volumes[place].capacity_gib).max(own.gib);
    let iops = each(iops).max(own.iops).min(free.iops.1);
    let bytes = each(bytes).max(own.bytes()).min(free.mb.1 * free.unit);
    let each = free.provision(gib, iops, bytes)?;
    (each != own).then_some(Edit::Provision(place, offer, each))
}

/// VM sizes that give more where it binds, cheapest first; those without a price last, smallest first.
fn vms(situation: &Situation, binding: &[Limit]) -> Vec<usize> {
    let problem = &situation.problem;
    let own = &problem.vms[0];
    // A larger cache serves more reads, whatever limit its misses meet.
    let hits_some = |volume: &crate::plan::VolumePlan| {
        problem.route(volume.class).has_cache() && 0 < volume.hit && volume.hit < ONE
    };
    let would_hit_more = situation.plan.volumes.iter().any(hits_some);
    let more = |vm: &VmOffer| {
        binding.iter().any(|limit| gives(problem, vm, *limit) > gives(problem, own, *limit))
            || would_hit_more && vm.cache > own.cache
    };
    // Of its own size what may be chosen of it.
    let is_other = |vm: &VmOffer| vm.name != own.name || vm.is_set();
    let fits = |vm: &VmOffer| vm.barred.is_none() && is_other(vm) && more(vm);
    let mut all: Vec<usize> = (1..problem.vms.len()).filter(|&vm| fits(&problem.vms[vm])).collect();
    let size = |vm: &VmOffer| (vm.vcpu, vm.gates[0].iops.map_or(0, |rate| rate.base));
    all.sort_by_key(|&vm| (!situation.vm_priced[vm], problem.vms[vm].price, size(&problem.vms[vm]), vm));
    all
}

/// What a VM gives of a limit, sustained.
fn gives(problem: &Problem, vm: &VmOffer, limit: Limit) -> u64 {
    match limit {
        Limit::Slots => u64::from(vm.slots),
        Limit::LocalSize => vm.local.map_or(0, |local| local.gib),
        Limit::Gate(..) => vm.gives(problem, limit).unwrap_or(u64::MAX),
        _ => 0,
    }
}

/// `Standard_DS#` of `Standard_DS14`: sizes that differ by their numbers alone.
fn series(name: &str) -> String {
    let (size, version) = name.rsplit_once("_v").unwrap_or((name, ""));
    let letters: String = size.chars().filter(|c| !c.is_ascii_digit()).collect();
    format!("{letters} {version}")
}

/// Larger disks of the same family, cheapest first; those without a price last, smallest first.
fn larger_disks(situation: &Situation, volume: usize, now: usize) -> Vec<Edit> {
    let problem = &situation.problem;
    let own = &problem.disks[now];
    let gib = |disk: usize| problem.disks[disk].gib();
    let first_sold = problem.volumes.len();
    let is_os = situation.roles[volume] == Some(Role::Os);
    let fits = |disk: usize| {
        let offer = &problem.disks[disk];
        let starts = !is_os || offer.starts(problem.volumes[volume].capacity_gib);
        starts && offer.purchase.is_plain() && offer.is_like(own) && gib(disk) > gib(now)
    };
    let mut all: Vec<usize> = (first_sold..problem.disks.len()).filter(|&disk| fits(disk)).collect();
    let price = |disk: usize| match problem.disks[disk].kind {
        DiskKind::Fixed { price, .. } => price,
        DiskKind::Free(_) => Money::MAX,
    };
    all.sort_by_key(|&disk| (!situation.disk_unpriced[disk].is_empty(), price(disk), gib(disk)));
    all.into_iter().map(|disk| Edit::Disk(volume, disk)).collect()
}

/// What a volume gets of what it asks in a stamp, in parts per million, and what stops it.
pub(crate) fn gets(limits: &[(Limit, u64, u64)], passes: impl Fn(Limit) -> bool) -> (u32, Option<Limit>) {
    let mut least = (ONE, None);
    for &(limit, given, load) in limits.iter().filter(|(limit, _, _)| passes(*limit)) {
        let share = part(given, load);
        if share < least.0 {
            least = (share, Some(limit));
        }
    }
    least
}
