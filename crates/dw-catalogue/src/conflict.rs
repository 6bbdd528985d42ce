//! Where a document and the newest API record of the same thing contradict each other.
//!
//! Both figures stay in the catalogue, each in its edition; this names them. IOPS must be equal. A throughput agrees when
//! the printed number gives the record's figure as N × 10⁶ or N × 2²⁰ bytes, the two ways such records were ever kept: which
//! "MB" a limit really has is a rule of its own (`rules.toml`). The list that a person reads is `conflicts.toml` of the vendor, written by the generator and compared
//! with this by a test.

use core::fmt;

use crate::{Catalogue, Thing};
use dw_azure::disk::{DiskLimit, DiskOffer};
use dw_azure::vm::VmSize;

/// Two editions that print different figures for the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// A VM size or a disk.
    pub thing: Thing,
    pub name: String,
    /// `uncached_iops`, `uncached_throughput`, `iops` or `throughput`.
    pub field: &'static str,
    /// The edition of the document.
    pub edition: String,
    /// What it prints.
    pub printed: u64,
    /// The edition of the record.
    pub api_edition: String,
    /// What that says.
    pub api_printed: u64,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conflict { field, edition, printed, api_edition, api_printed, .. } = self;
        write!(f, "{field}: edition {edition} prints {printed}, {api_edition} has {api_printed}")
    }
}

impl Catalogue {
    /// All conflicts, by name and edition.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let vms = self.vm_sizes().flat_map(|vm| self.conflicts_of_vm(vm));
        vms.chain(self.disks().flat_map(|disk| self.conflicts_of_disk(disk))).collect()
    }

    /// What an API record says otherwise about this row.
    pub fn conflicts_of_vm(&self, vm: &VmSize) -> Vec<Conflict> {
        let editions = self.editions_of_vm(&vm.name);
        let Some(api) = api_edition(&editions).filter(|_| !is_api(&vm.edition)) else { return Vec::new() };
        // A limit that was derived is not a statement of the document.
        if vm.derived.iter().any(|derived| derived.field == "uncached") {
            return Vec::new();
        }
        let Ok(record) = self.vm(&vm.name, Some(api)) else { return Vec::new() };
        let make = |field, printed, api_printed| Conflict {
            thing: Thing::VmSize,
            name: vm.name.clone(),
            field,
            edition: vm.edition.clone(),
            printed,
            api_edition: api.to_string(),
            api_printed,
        };
        let mut found = Vec::new();
        if let (Some(a), Some(b)) = (vm.uncached.iops, record.uncached.iops)
            && a != b
        {
            found.push(make("uncached_iops", a.get(), b.get()));
        }
        if let (Some(a), Some(b)) = (vm.uncached.printed, record.uncached.printed)
            && !a.agrees_with(b)
        {
            found.push(make("uncached_throughput", a.number, b.number));
        }
        found
    }

    /// What an API record says otherwise about this row.
    pub fn conflicts_of_disk(&self, disk: &DiskOffer) -> Vec<Conflict> {
        let editions = self.editions_of_disk(&disk.sku);
        let Some(api) = api_edition(&editions).filter(|_| !is_api(&disk.edition)) else { return Vec::new() };
        let Ok(record) = self.disk(&disk.sku, Some(api)) else { return Vec::new() };
        let (Some(own), Some(theirs)) = (disk.base, record.base) else { return Vec::new() };
        let figures = |limit: DiskLimit| [("iops", limit.iops.get()), ("throughput", limit.printed.number)];
        let differing = figures(own).into_iter().zip(figures(theirs)).filter(|(a, b)| a.1 != b.1);
        let conflicts = differing.map(|((field, printed), (_, api_printed))| Conflict {
            thing: Thing::Disk,
            name: disk.sku.clone(),
            field,
            edition: disk.edition.clone(),
            printed,
            api_edition: api.to_string(),
            api_printed,
        });
        conflicts.collect()
    }
}

fn is_api(edition: &str) -> bool {
    edition.starts_with("api-")
}

fn api_edition<'a>(editions: &[&'a str]) -> Option<&'a str> {
    editions.iter().rev().copied().find(|edition| is_api(edition))
}
