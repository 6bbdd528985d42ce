//! What another vendor sells, in the rows of this one: whatever looks up a name takes these.
//!
//! Ignores: host caches, performance tiers, lifecycle, which the other does not have.

use dw_units::Iops;
use dw_vendor::goods::{DiskRow, LocalRow, MachineRow};
use dw_vendor::printed::{MbUnit, PrintedMb};

use crate::disk::{DiskOffer, SizeRange};
use crate::vm::{LocalLimits, VmLimit, VmSize};

/// What scenarios call the local disks of a size.
pub const LOCAL_DISKS: &str = "temp";

impl From<MachineRow<'_>> for VmSize {
    /// Limits are those of all disks that are not its own, rounded down to what is printed: gates have them exact.
    fn from(row: MachineRow<'_>) -> VmSize {
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
}

impl From<DiskRow> for DiskOffer {
    fn from(row: DiskRow) -> DiskOffer {
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
}

impl From<LocalLimits> for LocalRow {
    fn from(local: LocalLimits) -> LocalRow {
        LocalRow { name: LOCAL_DISKS, count: local.count, size: local.size, latency_model: local.latency_model }
    }
}

impl VmSize {
    /// Its local disks as a scenario names them.
    pub fn local_said(&self) -> &'static str {
        LOCAL_DISKS
    }
}
