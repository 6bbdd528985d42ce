//! A plan: offers chosen for every volume, with what it costs.

use std::cmp::Reverse;

use dw_catalogue::Money;

use crate::free::Provisioned;
use crate::market::generation;
use crate::problem::{Problem, RouteId};
use dw_catalogue::gate::Route;

/// Offers chosen for a problem; numbers are places in the problem's lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The VM size.
    pub vm: usize,
    /// What each volume gets.
    pub volumes: Vec<VolumePlan>,
    /// A month of it all.
    pub cost: Money,
    /// Stamps at which some limit is exceeded, sorted.
    pub failing: Vec<u32>,
}

/// What a volume gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumePlan {
    /// How it is attached.
    pub class: RouteId,
    /// Parts per million of its reads that the host cache serves.
    pub hit: u32,
    /// Its disks; absent = the temp disk.
    pub disks: Option<Disks>,
}

/// Equal disks, striped where there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disks {
    pub offer: usize,
    pub count: u32,
    /// What each is bought with, for disks that are sized freely.
    pub each: Option<Provisioned>,
    /// A month of all of them, with what is billed by use.
    pub cost: Money,
    /// What of it is billed by use.
    pub usage: Money,
}

impl Plan {
    /// Names of the VM's gates that the requests of a volume pass, in order.
    pub fn gates(&self, problem: &Problem, volume: usize) -> Vec<&'static str> {
        let vm = &problem.vms[self.vm];
        let counting = problem.counting(vm, self.volumes.iter().map(|volume| volume.class));
        let passed = vm.route(self.volumes[volume].class).into_iter().flat_map(Route::gates);
        let mut names: Vec<&'static str> =
            passed.filter(|gate| counting.has(*gate)).map(|gate| problem.gates[gate].name).collect();
        names.dedup();
        names
    }

    /// A month of it without the licences that are paid by core: of what is bought where the VM is.
    pub fn bought(&self, problem: &Problem) -> Money {
        self.cost.saturating_sub(problem.vms[self.vm].licences)
    }

    /// Data disks in all.
    pub fn disk_count(&self) -> u32 {
        self.volumes.iter().filter_map(|volume| volume.disks.as_ref()).map(|disks| disks.count).sum()
    }
    /// What decides between plans: cost, then fewer processors, as what runs there may be paid by them, then the newer VM size, then what
    /// decides on one.
    pub(crate) fn rank(&self, problem: &Problem) -> impl Ord + use<> {
        let vm = &problem.vms[self.vm];
        (self.cost, vm.vcpu, Reverse(generation(&vm.name)), self.rank_on_vm(), self.vm)
    }
    /// What decides between plans on one VM size: cost, then fewer disks, then fewer stamps that fail.
    pub(crate) fn rank_on_vm(&self) -> (Money, u32, usize) {
        (self.cost, self.disk_count(), self.failing.len())
    }
    /// `Standard_DS4 + 2 x P30 (ReadOnly) data`.
    pub fn describe(&self, problem: &Problem) -> String {
        let mut text = problem.vms[self.vm].label().into_owned();
        for (volume, asked) in self.volumes.iter().zip(&problem.volumes) {
            text += " + ";
            let route = problem.route(volume.class).name;
            match &volume.disks {
                None => text += route,
                Some(disks) => {
                    if disks.count > 1 {
                        text += &format!("{} x ", disks.count);
                    }
                    text += &format!("{} ({route})", disks.describe_one(problem));
                }
            }
            text += &format!(" {}", asked.name);
            if let Some(shared) = volume.disks.as_ref().and_then(|disks| problem.disks[disks.offer].shared) {
                text += &format!(" (once for {} nodes)", shared.vms);
            }
        }
        text
    }
}

impl Disks {
    /// One of them: `P30`, or with what was bought where that is chosen freely.
    pub fn describe_one(&self, problem: &Problem) -> String {
        let each =
            self.each.map(|each| format!(" of {} GiB, {} IOPS, {} {}", each.gib, each.iops, each.mb, each.unit_name()));
        problem.disks[self.offer].label() + &each.unwrap_or_default()
    }
}
