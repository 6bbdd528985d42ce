//! The description of a stack: plain public data, no behaviour.
//!
//! Files have their own twins (`dw-formats`), so that the model can change without breaking anyone's files.
//! Every default that the vendor does not publish is named in `docs/model/` with its grade.

use alloc::string::String;
use alloc::vec::Vec;

use dw_units::{Bytes, CacheMode, Duration, Throughput};

use crate::request::{GateId, Op, Quantity, VolumeId};
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

impl StackSpec {
    /// The first volume of which data have to be fetched first: what its requests wait for becomes less all the time.
    pub fn first_touched(&self) -> Option<VolumeId> {
        let is_touched = |volume: &VolumeSpec| volume.disks.iter().any(|disk| disk.first_touch.is_some());
        self.volumes.iter().position(is_touched).map(|volume| VolumeId(volume as u16))
    }
}

/// The VM's limits, shared by all its disks.
#[derive(Clone, Debug)]
pub struct VmSpec {
    /// What its volumes share; which of them a volume passes is in its [`Path`].
    pub gates: Vec<GateSpec>,
    /// The host cache, absent on series without one.
    pub host_cache: Option<HostCacheSpec>,
    /// What a limit gives in each such interval is there at its start, and gone at its end when nobody took it; zero =
    /// evenly spaced. Of all limits, the disks' too.
    pub throttle_interval: Duration,
}

/// Limits that every volume shares whose traffic passes them: of I/Os, of bytes, or of both. Vendors differ in how many gates a VM has
/// and in what passes them, so they are data: a vendor's next gate is one entry more in [`VmSpec::gates`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateSpec {
    /// Its name, unique in the VM: with a quantity it is the identity of a limit in every document.
    pub name: String,
    /// What it lets pass, every request charged as one I/O and its bytes.
    pub limits: LimitSpec,
    /// What it lets pass with another accounting; of each quantity there is one limit at a gate, and all of them charge the same
    /// directions.
    pub more: Vec<Limit>,
}

impl GateSpec {
    /// All its limits.
    pub fn all_limits(&self) -> impl Iterator<Item = Limit> + '_ {
        self.limits.each(Accounting::PLAIN).chain(self.more.iter().copied())
    }
}

impl VmSpec {
    /// A VM with one gate for what its host cache serves, and one for what goes to remote disks: those of [`Path::default`].
    pub fn with(front: LimitSpec, behind: LimitSpec) -> VmSpec {
        let gate = |name: &str, limits| GateSpec { name: name.into(), limits, more: Vec::new() };
        VmSpec {
            gates: alloc::vec![gate("front", front), gate("behind", behind)],
            host_cache: None,
            throttle_interval: Duration::ZERO,
        }
    }

    /// The limits of the gate of this name; unlimited where there is none.
    pub fn gate(&self, name: &str) -> LimitSpec {
        self.gates.iter().find(|gate| gate.name == name).map_or(LimitSpec::default(), |gate| gate.limits)
    }
}

impl Default for VmSpec {
    fn default() -> Self {
        VmSpec::with(LimitSpec::default(), LimitSpec::default())
    }
}

/// An IOPS and a throughput limit that must both admit; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitSpec {
    /// Requests per second.
    pub iops: Option<RateSpec>,
    /// Bytes per second.
    pub throughput: Option<RateSpec>,
}

impl LimitSpec {
    /// Those of the two that there are.
    pub fn each(self, accounting: Accounting) -> impl Iterator<Item = Limit> {
        let rates = [(Quantity::Iops, self.iops), (Quantity::Throughput, self.throughput)];
        rates.into_iter().filter_map(move |(quantity, rate)| Some(Limit::new(quantity, rate?, accounting)))
    }
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

/// One limit, and how requests are charged at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it counts.
    pub quantity: Quantity,
    /// Tokens (I/Os or bytes) a second, sustained. At least 1.
    pub rate: u64,
    /// Tokens that may pass at once after an idle time; 0 = strictly paced, one request at a time.
    pub depth: u64,
    /// Credit bursting, if any.
    pub credits: Option<CreditSpec>,
    /// What a request costs.
    pub accounting: Accounting,
}

impl Limit {
    /// The most limits of one place.
    pub const COUNT_MAX: usize = 8;

    /// A plain rate: strictly paced, no bursting, every I/O counted once.
    pub const fn plain(quantity: Quantity, rate: u64) -> Limit {
        Limit::new(quantity, RateSpec::plain(rate), Accounting::PLAIN)
    }

    /// A rate as it is written without an accounting.
    pub const fn new(quantity: Quantity, spec: RateSpec, accounting: Accounting) -> Limit {
        let credits = match spec.burst {
            Some(burst) => Some(CreditSpec { size: burst.credits, peak: burst.rate, top_up: None, level: None }),
            None => None,
        };
        Limit { quantity, rate: spec.rate, depth: spec.depth, credits, accounting }
    }
}

/// Credit bursting: run at `peak` while credits last; idle time earns `rate − used` a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditSpec {
    /// Bucket size in tokens.
    pub size: u64,
    /// Tokens a second while credits last; not below the rate.
    pub peak: u64,
    /// So long after it was last full it is full again, whatever was used meanwhile; absent = it only earns.
    pub top_up: Option<Duration>,
    /// Credits at the start; absent = as [`StackSpec::credits`] says.
    pub level: Option<u64>,
}

/// How a limit charges a request (`accounting.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accounting {
    /// A larger request is charged as several of this size; absent = as one.
    pub unit: Option<Bytes>,
    /// What a request of fewer bytes is charged as, and so the rest of one that is split; of bytes only.
    pub floor: Option<Bytes>,
    /// Requests that follow each other on a disk are charged as one, up to so many bytes; absent = each by itself.
    pub merge: Option<Bytes>,
    /// What a read is charged.
    pub read: Weight,
    /// What a write or a trim is charged.
    pub write: Weight,
}

impl Accounting {
    /// One I/O and its bytes.
    pub const PLAIN: Accounting =
        Accounting { unit: None, floor: None, merge: None, read: Weight::ONE, write: Weight::ONE };

    /// The same of one direction alone: the other does not come to the limit.
    pub const fn of_only(op: Op) -> Accounting {
        match op {
            Op::Read => Accounting { write: Weight::NONE, ..Accounting::PLAIN },
            _ => Accounting { read: Weight::NONE, ..Accounting::PLAIN },
        }
    }
}

/// How many times its tokens a request is charged: `times / per`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// 0 = such requests do not come to the limit.
    pub times: u16,
    /// Not 0.
    pub per: u16,
}

impl Weight {
    /// Once.
    pub const ONE: Weight = Weight { times: 1, per: 1 };
    /// Not at all.
    pub const NONE: Weight = Weight { times: 0, per: 1 };
    /// Neither number is larger, nor are the parts of a token that both weights need: at 10 GB/s three weeks of them fit 64 bits.
    pub const NUMBER_MAX: u16 = 1_000;
}

/// Credit bursting: run at `rate` while credits last; idle time earns `base − used` a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstSpec {
    /// Tokens per second while bursting; not below the base rate.
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
    /// What its traffic passes.
    pub path: Path,
}

impl VolumeSpec {
    /// No volume has more bytes; keeps sums of offsets within 64 bits.
    pub const SIZE_MAX: u64 = 1 << 60;

    /// Whether mdadm makes stripes of that unit, and a plan may look at every place in it where a request can begin: a power of two
    /// from 4 KiB to 1 GiB.
    pub const fn is_stripe_unit(unit: Bytes) -> bool {
        unit.get().is_power_of_two() && unit.get() >= 4 << 10 && unit.get() <= 1 << 30
    }
}

/// The gates that a volume's traffic passes, and where its disks are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The gate in front of the host cache, of what this serves; of a local disk, of all its traffic.
    pub front: Option<GateId>,
    /// The gates of what goes to the disks, behind the disks' own limits and in this order; at most [`Path::GATES_MAX`].
    pub remote: Vec<GateId>,
    /// The disks are in the VM's own host: never cached, and empty after a deallocation.
    pub local: bool,
}

impl Path {
    /// The most gates one after the other.
    pub const GATES_MAX: usize = 8;

    /// A disk of the VM's own host behind no gate.
    pub const fn local() -> Path {
        Path { front: None, remote: Vec::new(), local: true }
    }
}

impl Default for Path {
    /// A remote disk behind the gates of [`VmSpec::with`].
    fn default() -> Path {
        Path { front: Some(GateId(0)), remote: alloc::vec![GateId(1)], local: false }
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
    /// The [`Accounting::unit`] of the I/Os of both: a larger one counts as several; absent = every I/O counts once.
    pub io_unit: Option<Bytes>,
    /// Limits with another accounting; of each quantity there is one on all requests, one on reads and one on writes.
    pub more: Vec<Limit>,
    /// Service time of reads.
    pub read: ServiceTime,
    /// Service time of writes, trims and flushes.
    pub write: ServiceTime,
    /// What may be used before the excess is billed; absent = nothing is billed by use.
    pub usage_base: Option<UsageBase>,
    /// Which of its data have to be fetched before they can be used; absent = none.
    pub first_touch: Option<FirstTouch>,
}

impl DiskSpec {
    /// All its limits: on all requests, on reads, on writes.
    pub fn all_limits(&self) -> impl Iterator<Item = Limit> + '_ {
        let DirectionLimits { reads, writes } = self.by_direction;
        let short = [
            (Some(self.limits), Accounting::PLAIN),
            (reads, Accounting::of_only(Op::Read)),
            (writes, Accounting::of_only(Op::Write)),
        ];
        let short = short.into_iter().flat_map(|(limits, accounting)| limits.unwrap_or_default().each(accounting));
        let counted = |limit: Limit| match limit.quantity {
            Quantity::Iops => Limit { accounting: Accounting { unit: self.io_unit, ..limit.accounting }, ..limit },
            Quantity::Throughput => limit,
        };
        short.map(counted).chain(self.more.iter().copied())
    }
}

/// Limits on one direction of a disk's requests, within the limits on all of them; absent = those alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionLimits {
    /// On reads.
    pub reads: Option<LimitSpec>,
    /// On writes and trims.
    pub writes: Option<LimitSpec>,
}

/// What a disk may be used for its price, where what goes beyond is billed by transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageBase {
    /// I/Os per second.
    pub iops: u64,
    pub bytes_per_second: u64,
}

/// A disk made of a copy that lies elsewhere: each block is fetched when it is first asked for (`first_touch.rs`). Not of a disk with host
/// caching, nor of a local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstTouch {
    /// Bytes that are fetched together: a power of two from 4 KiB to 1 GiB.
    pub block: Bytes,
    /// How long it takes to fetch a block that is asked for.
    pub fetch: Duration,
    /// Bytes from the first on that are there at the start; what they have of a block does not count.
    pub there: Bytes,
    /// At which the others come by themselves from the start on, in the order of offsets; absent = only when they are asked for.
    pub background: Option<Throughput>,
}

/// The host cache: RAM and local SSD of the host, shared by the disks that have it.
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
