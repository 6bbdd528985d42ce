//! A plan: offers chosen for every volume, with what it costs.

use dw_catalogue::Money;

use crate::free::Provisioned;
use crate::problem::{Class, Problem};

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
    pub class: Class,
    /// Parts per million of its reads that the host cache serves.
    pub hit: u32,
    /// Its disks; absent = the temp disk.
    pub disks: Option<Disks>,
}

/// Equal disks, striped where there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disks {
    /// Which.
    pub offer: usize,
    /// How many.
    pub count: u32,
    /// What each is bought with, for disks that are sized freely.
    pub each: Option<Provisioned>,
    /// A month of all of them.
    pub cost: Money,
}

impl Plan {
    /// Data disks in all.
    pub fn disk_count(&self) -> u32 {
        self.volumes.iter().filter_map(|volume| volume.disks.as_ref()).map(|disks| disks.count).sum()
    }
    /// What decides between plans: cost, then fewer disks, then fewer stamps that fail, then the problem's order.
    pub(crate) fn rank(&self) -> (Money, u32, usize, usize) {
        (self.cost, self.disk_count(), self.failing.len(), self.vm)
    }
    /// `Standard_DS4 + 2 x P30 (ReadOnly) data`.
    pub fn describe(&self, problem: &Problem) -> String {
        let mut text = problem.vms[self.vm].name.clone();
        for (volume, asked) in self.volumes.iter().zip(&problem.volumes) {
            text += " + ";
            match &volume.disks {
                None => text += "temp disk",
                Some(disks) => {
                    if disks.count > 1 {
                        text += &format!("{} x ", disks.count);
                    }
                    text += &problem.disks[disks.offer].name;
                    if let Some(each) = disks.each {
                        text += &format!(" of {} GiB, {} IOPS, {} MB/s", each.gib, each.iops, each.mb);
                    }
                    text += &format!(" ({})", volume.class.host_cache());
                }
            }
            text += &format!(" {}", asked.name);
        }
        text
    }
}
