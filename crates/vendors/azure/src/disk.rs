//! A disk of one edition: what it is limited to and how it may exceed that.

use dw_units::{Bytes, Iops, Throughput};

pub use crate::kinds::{CACHEABLE_MAX, DiskFamily};
use crate::vm::Derived;
use dw_vendor::kind::Kind;
use dw_vendor::printed::{MbUnit, PrintedMb};

/// A disk as one edition describes it.
#[derive(Clone, Debug)]
pub struct DiskOffer {
    /// The vendor's name, for example `P30`.
    pub sku: String,
    pub family: DiskFamily,
    pub edition: String,
    /// The id of the source of every figure of this row that [`DiskOffer::derived`] does not name.
    pub source: String,
    /// Its size, or the sizes it may have.
    pub size: SizeRange,
    /// Provisioned limits; absent for disks sized freely.
    pub base: Option<DiskLimit>,
    /// Limits while burst credits last.
    pub credit_burst: Option<DiskLimit>,
    /// How long full credits last at the highest rate, in minutes.
    pub burst_minutes: Option<u64>,
    /// Limits with on-demand bursting, which must be enabled.
    pub on_demand: Option<DiskLimit>,
    /// Limits with performance plus, which must be enabled.
    pub performance_plus: Option<DiskLimit>,
    /// What IOPS and throughput may be chosen; disks sized freely only.
    pub free_form: Option<FreeForm>,
    /// The performance tiers it may be set to, lowest first; its own is the first.
    pub tiers: Vec<Tier>,
    /// How many VMs may share it.
    pub max_shares: Option<u32>,
    /// What to know about this row, hand-written.
    pub notes: Vec<String>,
    /// What this row does not print and where it was taken from instead.
    pub derived: Vec<Derived>,
}

/// An IOPS and a throughput limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskLimit {
    /// Requests per second.
    pub iops: Iops,
    /// Throughput as printed.
    pub printed: PrintedMb,
}

impl DiskLimit {
    /// Bytes per second.
    pub const fn throughput(&self) -> Throughput {
        self.printed.throughput()
    }
}

/// The sizes a disk may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRange {
    /// The smallest: for a fixed size, one GiB more than the next smaller disk of the family.
    pub min: Bytes,
    /// The largest: for a fixed size, the offered one.
    pub max: Bytes,
}

/// A performance tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The disk whose limits it gives, and whose price.
    pub sku: String,
    /// Its limits.
    pub base: DiskLimit,
    /// Its limits while burst credits last.
    pub credit_burst: Option<DiskLimit>,
}

/// The rules of a disk whose IOPS and throughput are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeForm {
    /// IOPS per GiB of size.
    pub iops_per_gib: u64,
    /// Bytes per second per provisioned IOPS.
    pub bytes_per_iops: u64,
    /// Fewest IOPS; what a small disk may have at least.
    pub iops_min: Iops,
    /// Fewest IOPS per GiB, where the edition has such a floor.
    pub iops_min_per_gib: u64,
    /// Most IOPS of the largest disk.
    pub iops_max: Iops,
    /// Least throughput, in MB/s of `unit`.
    pub mb_min: u64,
    /// Least throughput per provisioned IOPS, in bytes, where the edition has such a floor.
    pub bytes_min_per_iops: u64,
    /// Most throughput, in MB/s of `unit`.
    pub mb_max: u64,
    /// What is free with every disk: IOPS, and MB/s of `unit`.
    pub free: Option<(Iops, u64)>,
    /// What its MB is.
    pub unit: MbUnit,
}

impl FreeForm {
    /// The fewest and the most IOPS of a disk of `size`.
    pub fn iops_bounds(&self, size: Bytes) -> (Iops, Iops) {
        let gib = size.get() >> 30;
        let min = self.iops_min.get().max(self.iops_min_per_gib * gib);
        let max = (self.iops_per_gib * gib).max(min).min(self.iops_max.get());
        (Iops::new(min.min(max)), Iops::new(max))
    }
    /// The least and the most throughput of a disk with `iops`.
    pub fn throughput_bounds(&self, iops: Iops) -> (Throughput, Throughput) {
        let mb = |n: u64| n * self.unit.bytes();
        let min = mb(self.mb_min).max(self.bytes_min_per_iops * iops.get());
        let max = (self.bytes_per_iops * iops.get()).max(min).min(mb(self.mb_max));
        (Throughput::bytes_per_second(min.min(max)), Throughput::bytes_per_second(max))
    }
}

impl DiskOffer {
    /// What kind of disk it is.
    pub fn kind(&self) -> &'static Kind {
        self.family.kind()
    }
    /// Whether the host cache takes this disk at `size`.
    pub fn cacheable(&self, size: Bytes) -> bool {
        !self.kind().second && size <= CACHEABLE_MAX
    }
    /// A larger I/O counts as several of this size.
    pub fn io_unit(&self) -> Option<Bytes> {
        self.kind().io_unit
    }
    /// The size that is billed, for a fixed size.
    pub fn fixed_size(&self) -> Option<Bytes> {
        self.base.map(|_| self.size.max)
    }
}
