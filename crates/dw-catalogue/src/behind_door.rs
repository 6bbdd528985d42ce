//! A vendor's goods as rows of a catalogue: what it says of machines and disks through its door (`dw_vendor::goods`), in the shape that
//! everything which looks up a name takes.
//!
//! Ignores: host caches, performance tiers, lifecycle: a vendor that has them brings its own rows.

use dw_azure::disk::{DiskOffer, SizeRange};
use dw_azure::vm::{VmLimit, VmSize};
use dw_units::Iops;
use dw_vendor::Vendor;
use dw_vendor::goods::{DiskRow, Goods, MachineRow};
use dw_vendor::printed::{MbUnit, PrintedMb};
use dw_vendor::sharing::SharingRow;

use crate::catalogue::Catalogue;

/// The catalogue of a vendor's goods.
pub(crate) fn of_goods(vendor: &'static dyn Vendor, goods: &'static dyn Goods) -> Catalogue {
    let (vms, disks) = (goods.machines(), goods.disks());
    let sharing = disks.iter().filter(|disk| disk.shares_most > 1).map(sharing).collect();
    let rows = (vms.into_iter().map(size).collect(), disks.into_iter().map(offer).collect());
    Catalogue::of_rows(vendor, goods, rows, sharing)
}

/// Limits are those of all disks that are not its own, rounded down to what is printed: gates have them exact.
fn size(row: MachineRow) -> VmSize {
    let limit = |(iops, bytes): (u64, u64)| VmLimit {
        iops: Some(Iops::new(iops)),
        printed: Some(PrintedMb { number: bytes / MbUnit::Million.bytes(), unit: MbUnit::Million }),
        ..VmLimit::default()
    };
    VmSize {
        name: row.name.into(),
        series: Some(row.series.into()),
        edition: row.edition.into(),
        source: row.source.into(),
        vcpu: row.vcpu,
        memory_mib: Some(row.memory.get() >> 20),
        max_data_disks: row.slots,
        premium: Some(true),
        host_caching: Some(false),
        ultra: None,
        controllers: None,
        cache: None,
        temp: None,
        uncached: row.limits.map(limit).unwrap_or_default(),
        cached: None,
        cached_lower: None,
        premium2: None,
        notes: Vec::new(),
        derived: Vec::new(),
    }
}

fn offer(row: DiskRow) -> DiskOffer {
    DiskOffer {
        sku: row.name.into(),
        kind: row.kind,
        edition: row.edition.into(),
        source: row.source.into(),
        size: SizeRange { min: row.size.0, max: row.size.1 },
        base: None,
        credit_burst: None,
        burst_minutes: None,
        on_demand: None,
        performance_plus: None,
        free_form: Some(row.rates),
        tiers: Vec::new(),
        max_shares: Some(row.shares_most).filter(|most| *most > 1),
        notes: Vec::new(),
        derived: Vec::new(),
    }
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
