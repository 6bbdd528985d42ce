//! A VM size of one edition: what it is limited to, as printed and in exact units.

use core::cmp::Ordering;

use dw_stack::{BurstSpec, DirectionLimits, DiskSpec, LimitSpec, RateSpec};
use dw_units::{Bytes, Iops, Throughput};

use crate::gates::{self, Attachment, LocalRates, VmLimits};
use crate::host_cache;
use dw_vendor::latency::{LatencyModel, LatencySetting};
use dw_vendor::printed::PrintedMb;

/// What is not known of a size where no source gives the limit of its remote disks: one of [`VmSize::unknown_limits`].
pub const REMOTE_LIMIT: &str = "uncached";
/// The same, as people read it.
pub const NO_REMOTE_LIMIT: &str = "no source gives its uncached limit";
/// Burst credits last this long at the highest rate; the bucket is not printed anywhere (derived).
pub const BURST_SECONDS: u64 = 1_800;
/// From this generation on a size that no page lists by its controllers has NVMe.
const NVME_FROM: u32 = 6;

/// A VM size as one edition describes it.
#[derive(Clone, Debug)]
pub struct VmSize {
    /// The vendor's name, for example `Standard_DS14`.
    pub name: String,
    /// The series, for example `DS`; absent where the edition does not say.
    pub series: Option<String>,
    pub edition: String,
    /// The id of the source of every figure of this row that [`VmSize::derived`] does not name.
    pub source: String,
    /// Virtual processors.
    pub vcpu: u32,
    pub memory_mib: Option<u64>,
    /// How many data disks it takes.
    pub max_data_disks: u32,
    /// Whether it takes premium disks; absent where the edition does not say.
    pub premium: Option<bool>,
    /// Whether its remote disks may use the host cache; absent where no source says.
    pub host_caching: Option<bool>,
    /// Whether it takes ultra disks; absent where no source says.
    pub ultra: Option<bool>,
    /// Its disk controllers, `SCSI`, `NVMe` or both; absent where no source says.
    pub controllers: Option<String>,
    /// Size of the host cache.
    pub cache: Option<Bytes>,
    /// The local temp disk; absent where it has none, or where the edition says nothing ([`VmSize::is_described`]).
    pub temp: Option<TempDisk>,
    /// Limit of what goes to remote disks.
    pub uncached: VmLimit,
    /// Limit of what the host cache and the temp disk serve; absent where nothing is known.
    pub cached: Option<VmLimit>,
    /// Where another source has less for what the cached limit is of: the lower of each figure.
    pub cached_lower: Option<VmLimit>,
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
    /// Requests per second.
    pub iops: Option<Iops>,
    /// Throughput as printed.
    pub printed: Option<PrintedMb>,
    /// Requests per second while credits last.
    pub burst_iops: Option<Iops>,
    /// Throughput while credits last, as printed.
    pub burst_printed: Option<PrintedMb>,
    /// The burst figures are known to be wrong: they are shown and not used.
    pub burst_doubted: bool,
}

impl VmLimit {
    /// Bytes per second.
    pub fn throughput(&self) -> Option<Throughput> {
        self.printed.map(PrintedMb::throughput)
    }
    /// Bytes per second while credits last.
    pub fn burst_throughput(&self) -> Option<Throughput> {
        self.burst_printed.map(PrintedMb::throughput)
    }
    /// Whether both the IOPS and the throughput are known.
    pub fn is_complete(&self) -> bool {
        self.iops.is_some() && self.printed.is_some()
    }
    /// Whether a burst figure is lower than what it bursts from.
    pub fn burst_below_base(&self) -> bool {
        self.burst_iops.is_some_and(|burst| Some(burst) < self.iops)
            || self.burst_throughput().is_some_and(|burst| Some(burst) < self.throughput())
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
pub fn rate_spec(base: u64, burst: Option<u64>) -> RateSpec {
    let burst = burst.filter(|&rate| rate > base);
    RateSpec {
        burst: burst.map(|rate| BurstSpec { rate, credits: (rate - base) * BURST_SECONDS }),
        ..RateSpec::plain(base)
    }
}

/// The local temp disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TempDisk {
    pub count: u32,
    pub size: Bytes,
    /// Limit of reads, all disks together; absent where it is the cached limit.
    pub read: Option<VmLimit>,
    /// Limit of writes, where it is another one.
    pub write: Option<VmLimit>,
    pub kind: TempKind,
}

/// The local disks of a size as the model takes them, all together.
#[derive(Clone, Copy, Debug)]
pub struct LocalLimits {
    pub count: u32,
    /// What they hold.
    pub size: Bytes,
    /// Whether what they serve counts against the cached limit.
    pub shares_cached: bool,
    /// Limits on reads and writes together: the higher of the two figures.
    pub all: LimitSpec,
    /// Limits on the direction whose figure is the lower one.
    pub by_direction: DirectionLimits,
    /// Whether a figure of writes is known; where only reads are, it holds for both.
    pub knows_writes: bool,
    /// The name of their latency model.
    pub latency_model: &'static str,
}

impl LocalLimits {
    /// Each of the disks, under `name` in reports, with the service times of a model: what all have together in equal parts.
    pub fn disks(&self, name: &str, model: &LatencyModel, setting: LatencySetting) -> Vec<DiskSpec> {
        let count = u64::from(self.count);
        let part = |all: u64| (all / count).max(1);
        let burst = |all: BurstSpec| BurstSpec { rate: part(all.rate), credits: part(all.credits) };
        let rate = |spec: RateSpec| RateSpec {
            rate: part(spec.rate),
            depth: spec.depth / count,
            burst: spec.burst.map(burst),
        };
        let each = |all: LimitSpec| LimitSpec { iops: all.iops.map(rate), throughput: all.throughput.map(rate) };
        let disk = |n: u64| DiskSpec {
            name: format!("{name}[{n}]"),
            size: Bytes::new(self.size.get() / count),
            limits: each(self.all),
            by_direction: DirectionLimits {
                reads: self.by_direction.reads.map(each),
                writes: self.by_direction.writes.map(each),
            },
            io_unit: None,
            more: Vec::new(),
            read: model.read(setting).clone(),
            write: model.write(setting).clone(),
            usage_base: None,
            first_touch: None,
        };
        (0..count).map(disk).collect()
    }
    /// The gates that they pass.
    pub fn attachment(&self) -> Attachment {
        if self.shares_cached { Attachment::Temp } else { Attachment::Local }
    }
}

/// What a VM's remote disks are attached by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    Scsi,
    Nvme,
}

impl Controller {
    /// The vendor's word.
    pub const fn word(self) -> &'static str {
        match self {
            Controller::Scsi => "SCSI",
            Controller::Nvme => "NVMe",
        }
    }
}

/// What a temp disk shares its limit with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TempKind {
    /// A SCSI disk: it shares the cached limit with the host cache, where there is one.
    Scsi,
    /// Local NVMe disks with limits of their own.
    LocalNvme,
}

/// A figure of reads and one of writes: what limits both, and what the slower of the two.
struct Directions {
    all: Option<RateSpec>,
    reads: Option<RateSpec>,
    writes: Option<RateSpec>,
}

impl Directions {
    fn of(read: Option<RateSpec>, write: Option<RateSpec>) -> Directions {
        let rate = |spec: Option<RateSpec>| spec.map_or(u64::MAX, |spec| spec.rate);
        match rate(read).cmp(&rate(write)) {
            Ordering::Equal => Directions { all: read, reads: None, writes: None },
            Ordering::Less => Directions { all: write, reads: read, writes: None },
            Ordering::Greater => Directions { all: read, reads: None, writes: write },
        }
    }
}

impl VmSize {
    /// The name without `Standard_`.
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix("Standard_").unwrap_or(&self.name)
    }
    /// Whether the limits that a prediction needs are all known. A host cache or a local disk whose limits are not known is one
    /// that nothing uses ([`VmSize::limits`], [`VmSize::local_limits`]).
    pub fn is_complete(&self) -> bool {
        self.premium.is_some() && self.uncached.is_complete() && self.cached.is_none_or(|cached| cached.is_complete())
    }
    /// The limits that no source gives: a simulation goes without them, and says so.
    pub fn unknown_limits(&self) -> Vec<&'static str> {
        let cached = !self.has_no_cached() && self.cached.is_none_or(|limit| !limit.is_complete());
        let limits = [(REMOTE_LIMIT, !self.uncached.is_complete()), ("cached", cached)];
        limits.into_iter().filter_map(|(name, unknown)| unknown.then_some(name)).collect()
    }
    /// Whether a source says that nothing is served under a cached limit.
    pub fn has_no_cached(&self) -> bool {
        self.host_caching == Some(false) && self.cached.is_none()
    }
    /// Whether it has a host cache of which no source gives the limit: nothing can be promised of it.
    pub fn host_cache_unknown(&self) -> bool {
        self.host_caching == Some(true) && self.cached.is_none()
    }
    /// The cached limit that a plan counts on: where sources differ the lower of each figure.
    pub fn cached_to_plan(&self) -> Option<VmLimit> {
        self.cached_lower.or(self.cached)
    }
    /// As the model takes it, with the default host cache where the size has one, whose service times are those of the
    /// setting.
    ///
    /// A limit that no source gives is absent, which means unlimited: see [`VmSize::is_complete`].
    pub fn limits(&self, latency: LatencySetting) -> VmLimits {
        VmLimits {
            uncached: self.uncached.limit_spec(),
            uncached_premium2: self.premium2.map(|limit| limit.limit_spec()),
            cached: self.cached.map(|limit| limit.limit_spec()).unwrap_or_default(),
            local: self.local_rates(),
            host_cache: self
                .cache
                .filter(|_| self.host_caching == Some(true) && self.cached.is_some())
                .map(|capacity| host_cache::spec(capacity, latency)),
            ..VmLimits::default()
        }
    }
    /// Whether the edition says more than the uncached limits: an API record says nothing of cache and temp disk.
    pub fn is_described(&self) -> bool {
        self.premium.is_some()
    }
    /// The local disks as the catalogue has them; absent where there are none, and where their figures are not known.
    pub fn local_limits(&self) -> Option<LocalLimits> {
        self.local_limits_of(self.local_rates()?)
    }
    /// The local disks with such limits; absent where there are none.
    pub fn local_limits_of(&self, rates: LocalRates) -> Option<LocalLimits> {
        let temp = self.temp?;
        let LocalRates { all, by_direction } = rates;
        Some(LocalLimits {
            count: temp.count.max(1),
            size: temp.size * u64::from(temp.count.max(1)),
            shares_cached: self.temp_shares_cached(temp),
            all,
            by_direction,
            knows_writes: temp.write.is_some(),
            latency_model: match temp.kind {
                TempKind::Scsi => "temp-disk",
                TempKind::LocalNvme => "local-nvme",
            },
        })
    }
    /// A cached limit that no source gives is none to share.
    fn temp_shares_cached(&self, temp: TempDisk) -> bool {
        temp.kind == TempKind::Scsi && self.cached.is_some()
    }
    /// The limits of the local disks; absent where there are none, and where their figures are not known.
    ///
    /// Reads and writes have figures of their own, each measured alone. How a mix counts is not published: taken here, both
    /// together get at most the higher figure, and each its own.
    fn local_rates(&self) -> Option<LocalRates> {
        let temp = self.temp?;
        let shares_cached = self.temp_shares_cached(temp);
        let spec = |limit: Option<VmLimit>| limit.map(|limit| limit.limit_spec());
        let read = match spec(temp.read) {
            Some(read) => read,
            None if shares_cached => LimitSpec::default(),
            None => return None,
        };
        let write = spec(temp.write).unwrap_or_default();
        let write = LimitSpec { iops: write.iops.or(read.iops), throughput: write.throughput.or(read.throughput) };
        let (iops, bytes) = (Directions::of(read.iops, write.iops), Directions::of(read.throughput, write.throughput));
        // The cached limit is there anyway.
        let cached = spec(self.cached.filter(|_| shares_cached)).unwrap_or_default();
        let beyond = |own: Option<RateSpec>, cached: Option<RateSpec>| {
            own.filter(|own| cached.is_none_or(|cached| own.rate < cached.rate))
        };
        let limits = |iops: Option<RateSpec>, throughput: Option<RateSpec>| LimitSpec { iops, throughput };
        let some = |limits: LimitSpec| (limits != LimitSpec::default()).then_some(limits);
        Some(LocalRates {
            all: limits(beyond(iops.all, cached.iops), beyond(bytes.all, cached.throughput)),
            by_direction: DirectionLimits {
                reads: some(limits(iops.reads, bytes.reads)),
                writes: some(limits(iops.writes, bytes.writes)),
            },
        })
    }

    /// What a limit rests on where its own source does not print it as it is; `gate` by its name.
    pub fn derived_limit(&self, gate: &str) -> Option<&Derived> {
        let fields: &[&str] = match gate {
            gates::UNCACHED => &[REMOTE_LIMIT],
            gates::UNCACHED_V2 => &["premium2"],
            gates::UNCACHED_ALL => &[REMOTE_LIMIT, "premium2"],
            gates::CACHED => &["cached"],
            _ => &["temp_read", "temp_write"],
        };
        self.derived.iter().find(|derived| fields.contains(&derived.field))
    }

    /// Whether its limits are those with one of the controllers of the size, of which another row has the others.
    pub fn is_of_one_controller(&self) -> bool {
        self.edition.ends_with("-nvme")
    }
    /// The controller of a VM of this row: of a size that takes both, NVMe where the row is of its NVMe edition.
    pub fn controller(&self) -> Controller {
        match self.takes(Controller::Scsi) && !self.is_of_one_controller() {
            true => Controller::Scsi,
            false => Controller::Nvme,
        }
    }

    /// Whether the size takes a controller.
    pub fn takes(&self, controller: Controller) -> bool {
        match &self.controllers {
            Some(listed) => listed.split_whitespace().any(|name| name.eq_ignore_ascii_case(controller.word())),
            None => (controller == Controller::Nvme) == (series_and_generation(&self.name).1 >= NVME_FROM),
        }
    }
}

/// The letters of a size's series and its generation: `Dds` and 5 of `Standard_D8ds_v5`.
pub fn series_and_generation(name: &str) -> (String, u32) {
    let numbered = name.rsplit_once("_v").and_then(|(size, number)| Some((size, number.parse().ok()?)));
    let (size, generation) = numbered.unwrap_or((name, 1));
    let size = size.rsplit_once('_').map_or(size, |(_, size)| size);
    (size.chars().filter(|letter| letter.is_ascii_alphabetic()).collect(), generation)
}
