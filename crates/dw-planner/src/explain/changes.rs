//! The cheapest single change that helps, by solving again with everything else as it is.
//!
//! One part changes at a time: the VM size, the disk of a volume for a larger one of its family, what its disks are bought
//! with where that is chosen freely, one more disk in its stripe (and one more, until it is enough), its host cache. What a
//! change comes to is what the check finds for the changed plan. Of every kind the cheapest that meets the demand is kept;
//! where none does, the one that leaves the fewest rules broken, and of those the one that carries most.
//!
//! A rig may break rules of its own (more disks than its size takes, less room than is asked): a change may leave them as
//! they are, or mend them, and must neither bring others nor make one worse.
//!
//! Ignores: changes of two parts at once (that is a plan: `diskwright plan` finds it).

use std::cmp::Reverse;

use dw_catalogue::{Meter, Money};

use super::pressure::{limits_of, part, pressures};
use super::situation::Situation;
use crate::check::check;
use crate::fault::Fault;
use crate::free::Provisioned;
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::{Class, DiskKind, ONE, VmOffer};

/// One part of a rig, changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Another VM size.
    Vm(usize),
    /// Another disk for a volume, as many as before.
    Disk(usize, usize),
    /// So many disks in a volume's stripe.
    Count(usize, u32),
    /// More IOPS, throughput or size for each disk of a volume, bought in place: as that offer of the catalogue allows.
    Provision(usize, usize, Provisioned),
    /// Another host-cache setting of a volume.
    Cache(usize, Class),
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
}

/// Share of the demand that a plan carries in the worst stamp that counts.
pub(crate) fn carried(situation: &Situation, plan: &Plan) -> u32 {
    let problem = &situation.problem;
    let seconds = problem.interval.ns() as f64 / 1e9;
    let (_, mut shares, _) = pressures(&limits_of(problem, plan), seconds, problem.violations_allowed);
    shares.sort_unstable();
    shares.get(problem.violations_allowed).copied().unwrap_or(ONE)
}

/// Changes that help, best first; `binding` is what binds the rig as it is.
pub(crate) fn all(situation: &Situation, binding: &[Limit], now: u32) -> Vec<Change> {
    let mut found = Vec::new();
    let mut keep = |candidates: Vec<Edit>| found.extend(best(situation, candidates, now));
    let of_vm: Vec<Limit> = binding.iter().copied().filter(|limit| limit.volume().is_none()).collect();
    if !of_vm.is_empty() {
        let candidates = vms(situation, &of_vm);
        let own = series(&situation.problem.vms[0].name);
        keep(
            candidates
                .iter()
                .copied()
                .filter(|&vm| series(&situation.problem.vms[vm].name) == own)
                .map(Edit::Vm)
                .collect(),
        );
        keep(candidates.into_iter().map(Edit::Vm).collect());
    }
    for (place, chosen) in situation.plan.volumes.iter().enumerate() {
        let Some(disks) = &chosen.disks else { continue };
        if binding.iter().any(|limit| limit.volume() == Some(place)) {
            keep(larger_disks(situation, place, disks.offer));
            keep(provisioned(situation, place, disks.count).into_iter().collect());
            let free = situation.problem.vms[0].slots.saturating_sub(situation.plan.disk_count());
            let most = (disks.count + free).min(situation.problem.volumes[place].disks_max);
            keep((disks.count + 1..=most).map(|count| Edit::Count(place, count)).collect());
        }
        let classes = situation.problem.volumes[place].classes.iter();
        keep(classes.filter(|class| cacheable_change(**class, chosen.class)).map(|c| Edit::Cache(place, *c)).collect());
    }
    found.sort_by_key(|change| {
        (!change.holds, change.monthly.is_none(), change.monthly, std::cmp::Reverse(change.carried))
    });
    found.dedup_by(|a, b| a.edit == b.edit);
    found
}

fn cacheable_change(to: Class, from: Class) -> bool {
    let host = |class| matches!(class, Class::Uncached | Class::ReadOnly | Class::ReadWrite);
    to != from && host(to) && host(from)
}

/// The cheapest that meets the demand, else the one that mends most and carries most of it, and more than now.
fn best(situation: &Situation, candidates: Vec<Edit>, now: u32) -> Option<Change> {
    let own = check(&situation.problem, &situation.plan).faults;
    let mut most: Option<(usize, Change)> = None;
    for edit in candidates {
        let plan = changed(situation, edit);
        let checked = check(&situation.problem, &plan);
        let was_there = |fault: &Fault| own.iter().any(|own| own.rule == fault.rule && own.by >= fault.by);
        if !checked.faults.iter().all(was_there) {
            continue;
        }
        let (holds, broken) = (checked.holds, checked.faults.len());
        let (monthly, unpriced) = difference(situation, edit);
        let change = Change { carried: carried(situation, &plan), plan, edit, holds, monthly, unpriced };
        if holds {
            return Some(change);
        }
        let helps = broken < own.len() && change.carried >= now || change.carried > now.saturating_add(now / 100);
        let rank = |broken: usize, carried: u32| (broken, Reverse(carried));
        let is_better = most.as_ref().is_none_or(|(b, m)| rank(broken, change.carried) < rank(*b, m.carried));
        if helps && is_better {
            most = Some((broken, change));
        }
    }
    most.map(|(_, change)| change)
}

fn changed(situation: &Situation, edit: Edit) -> Plan {
    let mut parts = Situation::parts(&situation.plan);
    let mut vm = situation.plan.vm;
    match edit {
        Edit::Vm(other) => {
            vm = other;
            // The second uncached limit counts where the other size has one.
            let second = situation.problem.vms[other].second.is_some();
            for (class, disks) in &mut parts {
                let is_second = disks.is_some_and(|(offer, _)| situation.problem.disks[offer].second);
                *class = match *class {
                    Class::Uncached if is_second && second => Class::Second,
                    Class::Second if !second => Class::Uncached,
                    class => class,
                };
            }
        }
        Edit::Disk(volume, offer) => {
            let count = parts[volume].1.map_or(1, |(_, count)| count);
            parts[volume].1 = Some((offer, count));
        }
        Edit::Count(volume, count) => parts[volume].1 = parts[volume].1.map(|(offer, _)| (offer, count)),
        Edit::Cache(volume, class) => parts[volume].0 = class,
        Edit::Provision(volume, offer, each) => {
            parts[volume].1 = parts[volume].1.map(|(_, count)| (offer, count));
            let mut plan = situation.plan_of(vm, &parts);
            if let (DiskKind::Free(free), Some(disks)) =
                (&situation.problem.disks[offer].kind, &mut plan.volumes[volume].disks)
            {
                disks.each = Some(each);
                disks.cost = free.cost(each) * u64::from(disks.count);
                plan.cost += disks.cost;
            }
            return plan;
        }
    }
    situation.plan_of(vm, &parts)
}

/// What a change costs more a month, and whose price that would need and nobody gives.
fn difference(situation: &Situation, edit: Edit) -> (Option<i128>, Vec<String>) {
    let problem = &situation.problem;
    let disk_price = |offer: usize| match problem.disks[offer].kind {
        DiskKind::Fixed { price, .. } => price,
        DiskKind::Free(_) => Money::ZERO,
    };
    let current = |volume: usize| situation.plan.volumes[volume].disks.as_ref().map_or((0, 0), |d| (d.offer, d.count));
    let sum = |price: Money, count: u32| i128::from(price.get()) * i128::from(count);
    let (mut unpriced, more): (Vec<String>, i128) = match edit {
        Edit::Vm(other) => {
            let unknown = [0, other].into_iter().filter(|&vm| !situation.vm_priced[vm]);
            let names = unknown.map(|vm| problem.vms[vm].name.clone()).collect();
            (names, sum(problem.vms[other].price, 1) - sum(problem.vms[0].price, 1))
        }
        Edit::Disk(volume, offer) => {
            let (old, count) = current(volume);
            let names = [situation.unpriced(old), situation.unpriced(offer)].concat();
            (names, sum(disk_price(offer), count) - sum(disk_price(old), count))
        }
        Edit::Count(volume, count) => {
            let (offer, before) = current(volume);
            (situation.unpriced(offer), sum(disk_price(offer), count - before))
        }
        Edit::Provision(volume, offer, each) => {
            let (_, count) = current(volume);
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
            (names, sum(free.cost(each), count) - sum(free.cost(own), count))
        }
        Edit::Cache(..) => (Vec::new(), 0),
    };
    unpriced.sort();
    unpriced.dedup();
    (unpriced.is_empty().then_some(more), unpriced)
}

/// What the disks of a volume would be bought with to carry its load, where that is chosen freely.
fn provisioned(situation: &Situation, place: usize, count: u32) -> Option<Edit> {
    let problem = &situation.problem;
    let own = situation.bought[place]?;
    let name = &problem.disks[situation.plan.volumes[place].disks.as_ref()?.offer].name;
    let first_sold = problem.volumes.len();
    let offer = (first_sold..problem.disks.len()).find(|&disk| problem.disks[disk].name == *name)?;
    let DiskKind::Free(free) = &problem.disks[offer].kind else { return None };
    let seconds = problem.interval.ns() as f64 / 1e9;
    let (limits, ..) = pressures(&limits_of(problem, &situation.plan), seconds, problem.violations_allowed);
    let needed = |limit: Limit| {
        let found = limits.iter().find(|pressure| pressure.limit == limit);
        found.map_or(0, |pressure| pressure.needed).div_ceil(u64::from(count.max(1)))
    };
    let gib = problem.volumes[place].capacity_gib.div_ceil(u64::from(count.max(1))).max(own.gib);
    let iops = needed(Limit::DiskIops(place)).max(own.iops).min(free.iops.1);
    let bytes = needed(Limit::DiskThroughput(place)).max(own.mb * 1_000_000).min(free.mb.1 * 1_000_000);
    let each = free.provision(gib, iops, bytes)?;
    (each != own).then_some(Edit::Provision(place, offer, each))
}

/// VM sizes that give more where it binds, cheapest first; those without a price last, smallest first.
fn vms(situation: &Situation, binding: &[Limit]) -> Vec<usize> {
    let problem = &situation.problem;
    let own = &problem.vms[0];
    let more = |vm: &VmOffer| binding.iter().any(|limit| gives(vm, *limit) > gives(own, *limit));
    let fits = |vm: &VmOffer| vm.barred.is_none() && vm.name != own.name && more(vm);
    let mut all: Vec<usize> = (1..problem.vms.len()).filter(|&vm| fits(&problem.vms[vm])).collect();
    let size = |vm: &VmOffer| (vm.vcpu, vm.uncached.iops.map_or(0, |rate| rate.base));
    all.sort_by_key(|&vm| (!situation.vm_priced[vm], problem.vms[vm].price, size(&problem.vms[vm]), vm));
    all
}

/// What a VM gives of a limit, sustained.
fn gives(vm: &VmOffer, limit: Limit) -> u64 {
    match limit {
        Limit::Slots => u64::from(vm.slots),
        Limit::TempSize => vm.temp.map_or(0, |temp| temp.gib),
        _ if limit.id(|_| "").is_some_and(|id| id.is_vm()) => vm.gives(limit).unwrap_or(u64::MAX),
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
    let family = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
    let own = &problem.disks[now];
    let gib = |disk: usize| match problem.disks[disk].kind {
        DiskKind::Fixed { gib, .. } => gib,
        DiskKind::Free(_) => 0,
    };
    let first_sold = problem.volumes.len();
    let fits = |disk: usize| family(&problem.disks[disk].name) == family(&own.name) && gib(disk) > gib(now);
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
