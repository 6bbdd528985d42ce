//! A disk of one edition: what it is limited to and how it may exceed that.

use dw_units::{Bytes, Iops, Throughput};

pub use crate::kinds::{CACHEABLE_MAX, DiskFamily};
use crate::vm::Derived;
pub use dw_vendor::free::FreeForm;
use dw_vendor::kind::Kind;
use dw_vendor::printed::PrintedMb;

/// A disk as one edition describes it.
#[derive(Clone, Debug)]
pub struct DiskOffer {
    /// The vendor's name, for example `P30`.
    pub sku: String,
    pub kind: &'static Kind,
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

impl DiskOffer {
    /// What kind of disk it is.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }
    /// Its place among this vendor's kinds; absent of another vendor's.
    pub fn family(&self) -> Option<DiskFamily> {
        DiskFamily::from_id(self.kind.id)
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
