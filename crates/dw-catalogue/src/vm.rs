//! A VM size of one edition: what it is limited to, as printed and in exact units.

use dw_stack::{BurstSpec, LimitSpec, RateSpec, VmSpec};
use dw_units::{Bytes, Iops, Throughput};

use crate::host_cache;
use crate::printed::PrintedMb;

/// Burst credits last this long at the highest rate; the bucket is not printed anywhere (derived).
pub const BURST_SECONDS: u64 = 1_800;

/// A VM size as one edition describes it.
#[derive(Clone, Debug)]
pub struct VmSize {
    /// The vendor's name, for example `Standard_DS14`.
    pub name: String,
    /// The series, for example `DS`; absent where the edition does not say.
    pub series: Option<String>,
    /// The edition.
    pub edition: String,
    /// The id of the source of every figure of this row that [`VmSize::derived`] does not name.
    pub source: String,
    /// Virtual processors.
    pub vcpu: u32,
    /// Memory in MiB.
    pub memory_mib: Option<u64>,
    /// How many data disks it takes.
    pub max_data_disks: u32,
    /// Whether it takes premium disks; absent where the edition does not say.
    pub premium: Option<bool>,
    /// Whether its remote disks may use the host cache.
    pub host_caching: bool,
    /// Size of the host cache.
    pub cache: Option<Bytes>,
    /// The local temp disk.
    pub temp: Option<TempDisk>,
    /// Limit of what goes to remote disks.
    pub uncached: VmLimit,
    /// Limit of what the host cache and the temp disk serve; absent where nothing is known.
    pub cached: Option<VmLimit>,
    /// The second uncached limit, for premium SSD v2 and ultra disks.
    pub premium2: Option<VmLimit>,
    /// What to know about this row: faults of the page, hand-written.
    pub notes: Vec<String>,
    /// What this row does not print and where it was taken from instead.
    pub derived: Vec<Derived>,
}

/// A figure that the row's own source does not print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The field, as in [`VmSize::fields`].
    pub field: &'static str,
    /// The rule, as a sentence.
    pub rule: String,
    /// The source it rests on, where it is another one.
    pub source: Option<String>,
}

/// An IOPS and a throughput limit, each perhaps with a burst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VmLimit {
    /// Requests a second.
    pub iops: Option<Iops>,
    /// Throughput as printed.
    pub printed: Option<PrintedMb>,
    /// Requests a second while credits last.
    pub burst_iops: Option<Iops>,
    /// Throughput while credits last, as printed.
    pub burst_printed: Option<PrintedMb>,
    /// The burst figures are known to be wrong: they are shown and not used.
    pub burst_doubted: bool,
}

impl VmLimit {
    /// Bytes a second.
    pub fn throughput(&self) -> Option<Throughput> {
        self.printed.map(PrintedMb::throughput)
    }
    /// Bytes a second while credits last.
    pub fn burst_throughput(&self) -> Option<Throughput> {
        self.burst_printed.map(PrintedMb::throughput)
    }
    /// Whether both the IOPS and the throughput are known.
    pub fn is_complete(&self) -> bool {
        self.iops.is_some() && self.printed.is_some()
    }
    /// As the model takes it.
    pub fn limit_spec(&self) -> LimitSpec {
        let burst = |rate: Option<u64>| rate.filter(|_| !self.burst_doubted);
        LimitSpec {
            iops: self.iops.map(|base| rate_spec(base.get(), burst(self.burst_iops.map(Iops::get)))),
            throughput: self
                .throughput()
                .map(|base| rate_spec(base.get(), burst(self.burst_throughput().map(Throughput::get)))),
        }
    }
}

/// A rate that may burst: the bucket holds [`BURST_SECONDS`] of what exceeds the base.
pub(crate) fn rate_spec(base: u64, burst: Option<u64>) -> RateSpec {
    let burst = burst.filter(|&rate| rate > base);
    RateSpec {
        burst: burst.map(|rate| BurstSpec { rate, credits: (rate - base) * BURST_SECONDS }),
        ..RateSpec::plain(base)
    }
}

/// The local temp disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TempDisk {
    /// How many there are.
    pub count: u32,
    /// Size of each.
    pub size: Bytes,
    /// Limit of reads, all disks together; absent where it is the cached limit.
    pub read: Option<VmLimit>,
    /// Limit of writes, where it is another one.
    pub write: Option<VmLimit>,
    /// What it is.
    pub kind: TempKind,
}

/// What a temp disk shares its limit with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TempKind {
    /// It shares the cached limit with the host cache.
    SharesCachedLimit,
    /// Local NVMe disks with limits of their own.
    LocalNvme,
}

impl VmSize {
    /// The name without `Standard_`.
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix("Standard_").unwrap_or(&self.name)
    }
    /// Whether the limits that a prediction needs are all known.
    pub fn is_complete(&self) -> bool {
        self.premium.is_some()
            && self.uncached.is_complete()
            && match &self.cached {
                Some(cached) => cached.is_complete(),
                None => !self.needs_cached_limit(),
            }
    }
    /// Whether anything is served under the cached limit.
    pub(crate) fn needs_cached_limit(&self) -> bool {
        self.host_caching || self.temp.is_some_and(|temp| temp.kind == TempKind::SharesCachedLimit)
    }
    /// As the model takes it, with the default host cache where the size has one.
    ///
    /// A limit that no source gives is absent, which means unlimited: see [`VmSize::is_complete`].
    pub fn vm_spec(&self) -> VmSpec {
        VmSpec {
            uncached: self.uncached.limit_spec(),
            uncached_premium2: self.premium2.map(|limit| limit.limit_spec()),
            cached: self.cached.map(|limit| limit.limit_spec()).unwrap_or_default(),
            host_cache: self.cache.filter(|_| self.host_caching && self.cached.is_some()).map(host_cache::spec),
        }
    }
}
