//! The description of a stack: plain public data, no behaviour.
//!
//! Files have their own twins (`dw-formats`), so that the model can change without breaking anyone's files.
//! Every default that the vendor does not publish is named in `docs/model/` with its grade.

use alloc::string::String;
use alloc::vec::Vec;

use dw_units::{Bytes, Duration};

use crate::service_time::ServiceTime;

/// One VM with its disks.
#[derive(Clone, Debug)]
pub struct StackSpec {
    /// The VM's own limits and cache.
    pub vm: VmSpec,
    /// What the guest sees as block devices, each one disk or a stripe of several.
    pub volumes: Vec<VolumeSpec>,
    /// Burst credits at the start.
    pub credits: Credits,
    /// Seed of every draw of the stack.
    pub seed: u64,
}

/// The VM's limits, shared by all its disks.
#[derive(Clone, Debug, Default)]
pub struct VmSpec {
    /// The limit on what goes to remote disks.
    pub uncached: LimitSpec,
    /// A second uncached limit for volumes with [`Path::Premium2`], where the size has one.
    pub uncached_premium2: Option<LimitSpec>,
    /// Whether these two are one budget or two.
    pub uncached_sharing: UncachedSharing,
    /// The limit on what the host cache and the temp disk serve.
    pub cached: LimitSpec,
    /// The host cache, absent on series without one.
    pub host_cache: Option<HostCacheSpec>,
    /// What a limit gives in each such interval is there at its start, and gone at its end when nobody took it; zero =
    /// evenly spaced. Of all limits, the disks' too.
    pub throttle_interval: Duration,
}

/// Whether the two uncached limits of a VM are one budget or two. No vendor says; one is the cautious reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UncachedSharing {
    /// All remote disks together get at most the wider of the two figures, of I/Os and of bytes each, and the disks under
    /// the narrower one at most that.
    #[default]
    Shared,
    /// Each kind of disk has its own, and they add up.
    Separate,
}

/// Which of the two uncached limits is the wider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wider {
    /// [`VmSpec::uncached`], also where both are equal.
    #[default]
    First,
    /// [`VmSpec::uncached_premium2`].
    Second,
}

/// What two uncached limits come to, of I/Os or of bytes; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split<T> {
    /// On disks with [`Path::Remote`] alone.
    pub first: Option<T>,
    /// On disks with [`Path::Premium2`] alone.
    pub second: Option<T>,
    /// On both together.
    pub all: Option<T>,
    /// Whose figure [`Split::all`] is.
    pub wider: Wider,
}

impl UncachedSharing {
    /// Divides two limits; `rates` gives the sustained rate of one and its rate while it bursts.
    pub fn split<T>(self, first: Option<T>, second: Option<T>, rates: impl Fn(T) -> (u64, u64)) -> Split<T>
    where
        T: Copy,
    {
        let top = |limit: Option<T>| limit.map_or((u64::MAX, u64::MAX), &rates);
        match self {
            UncachedSharing::Separate => Split { first, second, all: None, wider: Wider::First },
            // Equal figures are one limit.
            UncachedSharing::Shared if top(first) == top(second) => {
                Split { first: None, second: None, all: first, wider: Wider::First }
            }
            UncachedSharing::Shared if top(first) > top(second) => {
                Split { first: None, second, all: first, wider: Wider::First }
            }
            UncachedSharing::Shared => Split { first, second: None, all: second, wider: Wider::Second },
        }
    }
}

/// An IOPS and a throughput limit that must both admit; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitSpec {
    /// Requests a second.
    pub iops: Option<RateSpec>,
    /// Bytes a second.
    pub throughput: Option<RateSpec>,
}

/// A rate, and how it may burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSpec {
    /// Tokens (I/Os or bytes) a second, sustained. At least 1.
    pub rate: u64,
    /// Tokens that may pass at once after an idle time; 0 = strictly paced, one request at a time.
    pub depth: u64,
    /// Credit bursting, if any.
    pub burst: Option<BurstSpec>,
}

impl RateSpec {
    /// A plain rate: strictly paced, no bursting.
    pub const fn plain(rate: u64) -> Self {
        RateSpec { rate, depth: 0, burst: None }
    }
}

/// Credit bursting: run at `rate` while credits last; idle time earns `base − used` a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstSpec {
    /// Tokens a second while bursting; not below the base rate.
    pub rate: u64,
    /// Bucket size in tokens (I/Os or bytes).
    pub credits: u64,
}

/// Burst credits when the run begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Credits {
    /// As after a deployment.
    #[default]
    Full,
    /// Already spent.
    Empty,
}

/// A block device of the guest.
#[derive(Clone, Debug)]
pub struct VolumeSpec {
    /// Its name in reports.
    pub name: String,
    /// One disk, or the members of a RAID-0 in order.
    pub disks: Vec<DiskSpec>,
    /// Bytes on one disk before the next; ignored for a single disk. A multiple of 512.
    pub stripe_unit: Bytes,
    /// The host-cache setting of all its disks.
    pub host_cache: CacheMode,
    /// Which VM limit its traffic passes.
    pub path: Path,
}

/// Which of the VM's limits a volume's traffic passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Path {
    /// Remote disks under the uncached limit.
    #[default]
    Remote,
    /// Remote disks under the second uncached limit (premium SSD v2, ultra), where the VM has one.
    Premium2,
    /// The local temp disk: under the cached limit, never cached.
    Temp,
    /// Local NVMe disks: under no limit of the VM, never cached.
    Local,
}

impl Path {
    /// Whether the disks are in the VM's own host.
    pub const fn is_local(self) -> bool {
        matches!(self, Path::Temp | Path::Local)
    }
}

/// One provisioned disk.
#[derive(Clone, Debug)]
pub struct DiskSpec {
    /// Its name in reports.
    pub name: String,
    /// Its capacity.
    pub size: Bytes,
    /// Its provisioned limits.
    pub limits: LimitSpec,
    /// What reads alone, and writes alone, may use of them.
    pub by_direction: DirectionLimits,
    /// An I/O larger than this counts as several, `ceil(size / io_unit)`; absent = every I/O counts once.
    pub io_unit: Option<Bytes>,
    /// Service time of reads.
    pub read: ServiceTime,
    /// Service time of writes, trims and flushes.
    pub write: ServiceTime,
    /// Target limits for the billing of on-demand bursting; absent = not enabled.
    pub on_demand_base: Option<OnDemandBase>,
}

/// Limits on one direction of a disk's requests, within the limits on all of them; absent = those alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionLimits {
    /// On reads.
    pub reads: Option<LimitSpec>,
    /// On writes and trims.
    pub writes: Option<LimitSpec>,
}

/// What an on-demand bursting disk may use before the excess is billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnDemandBase {
    /// I/Os a second.
    pub iops: u64,
    /// Bytes a second.
    pub bytes_per_second: u64,
}

/// How the host cache treats a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// Every request goes to the disk.
    #[default]
    None,
    /// Reads are cached, writes go through to the disk and update the cache.
    ReadOnly,
    /// Reads are cached, writes are done when in the cache and reach the disk later.
    ReadWrite,
}

/// The host cache: RAM and local SSD of the host, shared by the cached disks.
#[derive(Clone, Debug)]
pub struct HostCacheSpec {
    /// RAM tier; may be zero.
    pub ram: Bytes,
    /// All tiers together (inclusive LRU: what is in RAM is also on the SSD).
    pub capacity: Bytes,
    /// Unit of residence and eviction, a power of two, 4 KiB to 1 MiB.
    pub block_size: Bytes,
    /// What a read miss brings in.
    pub fill: Fill,
    /// Whether writes enter the cache under [`CacheMode::ReadOnly`].
    pub write_allocate: bool,
    /// Which block leaves first.
    pub eviction: Eviction,
    /// Service time of a hit in RAM.
    pub ram_hit: ServiceTime,
    /// Service time of a read hit on the SSD tier.
    pub ssd_read: ServiceTime,
    /// Service time of a write into the cache.
    pub ssd_write: ServiceTime,
    /// Added to the disk's service time of a read miss; absent = nothing.
    pub miss_penalty: Option<ServiceTime>,
    /// Write-back parameters.
    pub write_back: WriteBackSpec,
}

/// What a read miss makes resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// The sectors that were read: 4 KiB, or a sixteenth of a block above 64 KiB.
    #[default]
    Sectors,
    /// The whole block, at no charge.
    Block,
}

/// Which block leaves a full cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eviction {
    /// The least recently used.
    #[default]
    Lru,
    /// The first that came.
    Fifo,
}

/// How a ReadWrite cache writes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteBackSpec {
    /// Dirty bytes at which further writes wait for the disk, shared equally by the disks that are written back; at most
    /// the capacity.
    pub dirty_max: Bytes,
    /// Destage requests in flight per disk.
    pub destage_depth: u32,
    /// How long a block stays dirty before it is destaged, unless room or a flush asks for it.
    pub destage_after: Duration,
}
