//! A vendor's goods as rows of a catalogue: what it says of machines and disks through its door (`dw_vendor::goods`), in the shape that
//! everything which looks up a name takes.
//!
//! Ignores: host caches, performance tiers, lifecycle: a vendor that has them brings its own rows.

use dw_vendor::goods::{DiskRow, Goods};
use dw_vendor::sharing::SharingRow;

use crate::{DiskOffer, VmSize};

/// Its machines, its disks, and how several machines share one.
pub(crate) fn rows(goods: &dyn Goods) -> (Vec<VmSize>, Vec<DiskOffer>, Vec<SharingRow>) {
    let disks = goods.disks();
    let sharing = disks.iter().filter(|disk| disk.shares_most > 1).map(sharing).collect();
    let machines = goods.machines().into_iter().map(VmSize::from).collect();
    (machines, disks.into_iter().map(DiskOffer::from).collect(), sharing)
}

fn sharing(row: &DiskRow) -> SharingRow {
    SharingRow {
        kind: row.kind.id.into(),
        disks: Vec::new(),
        machines_max: row.shares_most,
        per_machine: false,
        read_only: (0, 0),
        bursts: false,
        takes: "instances of one zone, each with its own limit, and a file system for clusters".into(),
        source: row.source.into(),
        limits: row.source.into(),
        billing: row.source.into(),
    }
}
