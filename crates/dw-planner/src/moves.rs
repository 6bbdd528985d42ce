//! What it takes to get from one plan to another, by the rules of whoever sells the parts ([`dw_catalogue::moves`]).

use dw_catalogue::Catalogue;
use dw_catalogue::moves::{DisksAt, Effort, MoveRow};

use crate::plan::{Plan, VolumePlan};
use crate::problem::{Problem, VmOffer};

/// What each part takes, whatever takes most first; nothing where no row is about a part of what changes.
#[derive(Clone, Debug, Default)]
pub struct Moves<'a> {
    pub vm: Option<Vec<&'a MoveRow>>,
    /// One for each volume.
    pub volumes: Vec<Option<Vec<&'a MoveRow>>>,
}

impl<'a> Moves<'a> {
    /// All of them, those of the VM first.
    pub fn rows(&self) -> impl Iterator<Item = &'a MoveRow> {
        self.vm.iter().chain(self.volumes.iter().flatten()).flatten().copied()
    }
    /// The most that any of them takes, where all are known; in place where nothing changes.
    pub fn effort(&self) -> Option<Effort> {
        Some(most(self.vm.as_ref())?.max(self.disks_effort()?))
    }
    /// The same of the disks alone.
    pub fn disks_effort(&self) -> Option<Effort> {
        self.volumes.iter().try_fold(Effort::InPlace, |sum, rows| Some(sum.max(most(rows.as_ref())?)))
    }
    /// Whether it is known to take no new VM and no copy of data.
    pub fn stays(&self) -> bool {
        self.effort().is_some_and(|effort| effort < Effort::Redeploy)
    }
}

fn most(rows: Option<&Vec<&MoveRow>>) -> Option<Effort> {
    rows.map(|rows| rows.iter().map(|row| row.effort).max().unwrap_or(Effort::InPlace))
}

/// What it takes to get from a plan to another of the same problem; `os` says which volumes hold the operating system.
pub fn between<'a>(
    catalogue: &'a Catalogue,
    problem: &Problem,
    os: impl Fn(usize) -> bool,
    from: &Plan,
    to: &Plan,
) -> Moves<'a> {
    let of_volume = |(place, (before, after)): (usize, (&VolumePlan, &VolumePlan))| {
        let at = |chosen| disks_at(problem, chosen, os(place));
        let (before, after) = (at(before), at(after));
        let rows = catalogue.disk_moves(&before, &after);
        (rows.len() >= before.changes(&after).len()).then_some(rows)
    };
    Moves {
        vm: of_vm(catalogue, &problem.vms[from.vm], &problem.vms[to.vm]),
        volumes: from.volumes.iter().zip(&to.volumes).enumerate().map(of_volume).collect(),
    }
}

/// The same of a VM; nothing where no row is about a part of what changes, or one of both is not the catalogue's.
pub fn of_vm<'a>(catalogue: &'a Catalogue, from: &VmOffer, to: &VmOffer) -> Option<Vec<&'a MoveRow>> {
    if from.name == to.name {
        let rows = if from.options == to.options { Vec::new() } else { catalogue.setting_moves() };
        return (from.options == to.options || !rows.is_empty()).then_some(rows);
    }
    let row = |vm: &VmOffer| catalogue.vm(&vm.name, Some(&vm.edition)).ok();
    let (from, to) = row(from).zip(row(to))?;
    let rows = catalogue.vm_moves(from, to);
    (rows.len() >= catalogue.resize_obstacles(from, to).len().max(1)).then_some(rows)
}

fn disks_at(problem: &Problem, chosen: &VolumePlan, os: bool) -> DisksAt {
    let route = problem.route(chosen.class);
    let offer = chosen.disks.as_ref().map(|disks| &problem.disks[disks.offer]);
    let each = chosen.disks.as_ref().and_then(|disks| disks.each);
    DisksAt {
        kind: offer.and_then(|offer| offer.of_kind).map(|kind| kind.id),
        gib: each.map_or_else(|| offer.map_or(0, |offer| offer.gib()), |each| each.gib),
        count: chosen.disks.as_ref().map_or(0, |disks| disks.count),
        rates: each.map(|each| (each.iops, each.mb)),
        tier: offer.and_then(|offer| offer.purchase.tier.clone()),
        cache: route.cache,
        local: route.is_local,
        os,
        shared: offer.is_some_and(|offer| offer.shared.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::{Money, PLAN_KEYS};

    use super::*;
    use crate::explain::{Needs, needs_of};
    use crate::market;
    use crate::plan::Disks;
    use crate::problem::{RouteId, Volume};

    /// Of a size or a kind of disks that the catalogue does not have no page says anything.
    #[test]
    fn a_move_that_no_row_is_about_is_not_known_and_never_passes_for_one_in_place() {
        let catalogue = Catalogue::embedded();
        let market = market::of(catalogue, &PLAN_KEYS.wishes());
        let vm = |name: &str| market.vms.iter().find(|vm| vm.name.ends_with(name)).unwrap().clone();
        let disk = |name: &str| market.disks.iter().find(|disk| disk.name == name).unwrap().clone();
        let own_vm = VmOffer { name: "mine".into(), ..vm("_D8s_v5") };
        let mut own_disk = disk("P30");
        own_disk.of_kind = None;
        let problem = Problem {
            volumes: vec![Volume::asking("data", Vec::new(), Vec::new())],
            vms: vec![vm("_D8s_v5"), vm("_D16s_v5"), own_vm],
            disks: vec![disk("P30"), disk("P40"), own_disk],
            ..Problem::empty()
        };
        let plan = |vm: usize, offer: usize| {
            let disks = Disks { offer, count: 1, each: None, cost: Money::ZERO, usage: Money::ZERO };
            let volume = VolumePlan { class: RouteId::new(0), hit: 0, disks: Some(disks) };
            Plan { vm, volumes: vec![volume], cost: Money::ZERO, failing: Vec::new() }
        };
        let cases = [
            ("nothing changes", (0, 0), Some(Effort::InPlace), true),
            ("a larger disk", (0, 1), Some(Effort::InPlace), true),
            ("a larger size", (1, 0), Some(Effort::Restart), true),
            ("a size that is nobody's", (2, 0), None, false),
            ("a larger disk and a size that is nobody's", (2, 1), None, false),
            ("a kind of disks that is nobody's", (1, 2), None, false),
        ];
        for (name, (vm, offer), effort, stays) in cases {
            let found = between(catalogue, &problem, |_| false, &plan(0, 0), &plan(vm, offer));
            assert_eq!((found.effort(), found.stays()), (effort, stays), "{name}");
            assert_eq!(needs_of(found.effort()) == Needs::Unknown, effort.is_none(), "{name}");
        }
        let all = [Needs::Nothing, Needs::Detach, Needs::Restart, Needs::Migration];
        assert!(all.iter().all(|known| *known < Needs::Unknown), "what is not known wins no comparison");
    }

    /// What is chosen of a size takes a stop by the rows of whoever has such a thing; of others nobody knows.
    #[test]
    fn what_is_chosen_of_a_vm_is_a_change_of_it() {
        let (own, other) = (Catalogue::embedded(), Catalogue::of_vendor("aws").expect("it is there"));
        let mut plain = market::of(own, &PLAN_KEYS.wishes()).vms.remove(0);
        let size = other.vm("m8g.large", None).expect("it is one");
        (plain.name, plain.edition) = (size.name.clone(), size.edition.clone());
        let set = VmOffer {
            options: other.setting((&plain.name, &plain.edition)).expect("it has one").options,
            ..plain.clone()
        };
        let effort = |catalogue: &Catalogue, from, to| most(of_vm(catalogue, from, to).as_ref());
        for (from, to, with, without) in [
            (&plain, &set, Some(Effort::Restart), None),
            (&set, &plain, Some(Effort::Restart), None),
            (&set, &set, Some(Effort::InPlace), Some(Effort::InPlace)),
        ] {
            assert_eq!((effort(other, from, to), effort(own, from, to)), (with, without));
        }
    }
}
