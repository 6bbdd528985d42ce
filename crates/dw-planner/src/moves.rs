//! What it takes to get from one plan to another, by the rules of whoever sells the parts ([`dw_catalogue::moves`]).

use dw_catalogue::Catalogue;
use dw_catalogue::moves::{DisksAt, Effort, MoveRow};

use crate::plan::{Plan, VolumePlan};
use crate::problem::{Problem, VmOffer};

/// What each part takes, whatever takes most first.
#[derive(Clone, Debug, Default)]
pub struct Moves<'a> {
    pub vm: Vec<&'a MoveRow>,
    /// One for each volume.
    pub volumes: Vec<Vec<&'a MoveRow>>,
}

impl<'a> Moves<'a> {
    /// All of them, those of the VM first.
    pub fn rows(&self) -> impl Iterator<Item = &'a MoveRow> {
        self.vm.iter().chain(self.volumes.iter().flatten()).copied()
    }
    /// The most that any of them takes.
    pub fn effort(&self) -> Effort {
        self.rows().map(|row| row.effort).max().unwrap_or(Effort::InPlace)
    }
}

/// What it takes to get from a plan to another of the same problem; `os` says which volumes hold the operating system.
pub fn between<'a>(
    catalogue: &'a Catalogue,
    problem: &Problem,
    os: impl Fn(usize) -> bool,
    from: &Plan,
    to: &Plan,
) -> Moves<'a> {
    let volumes = from.volumes.iter().zip(&to.volumes).enumerate();
    let of_volume = |(place, (before, after)): (usize, (&VolumePlan, &VolumePlan))| {
        let at = |chosen| disks_at(problem, chosen, os(place));
        catalogue.disk_moves(&at(before), &at(after))
    };
    Moves {
        vm: of_vm(catalogue, &problem.vms[from.vm], &problem.vms[to.vm]),
        volumes: volumes.map(of_volume).collect(),
    }
}

/// The same of a VM. Of one that is not the catalogue's nothing is known.
pub fn of_vm<'a>(catalogue: &'a Catalogue, from: &VmOffer, to: &VmOffer) -> Vec<&'a MoveRow> {
    if from.name == to.name {
        return Vec::new();
    }
    let row = |vm: &VmOffer| catalogue.vm(&vm.name, Some(&vm.edition)).ok();
    row(from).zip(row(to)).map_or_else(Vec::new, |(from, to)| catalogue.vm_moves(from, to))
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
    }
}
