//! What is to be decided, in plain integers: volumes with their demand, offers with their limits and prices.
//!
//! A problem knows no catalogue and no file; tests build small ones by hand. Everything that a person asked for has been
//! applied: growth, the window, lists of offers. An offer that may not be chosen keeps its reason, so that "why not" can
//! answer.
//!
//! Invariant: every volume has `stamps` samples; prices are for a month.

use dw_catalogue::Money;
use dw_catalogue::disk::CACHEABLE_MAX;
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, Duration};

use crate::limit::Limit;

/// Parts per million that make a whole.
pub const ONE: u32 = 1_000_000;

/// Waits at the VM's limits count in steps of so many nanoseconds, rounded up: many VM sizes then ask the same of disks.
pub const WAIT_STEP_NS: u64 = 20_000;

/// `value × ppm`, rounded down.
pub(crate) fn share(value: u64, ppm: u32) -> u64 {
    (u128::from(value) * u128::from(ppm) / u128::from(ONE)) as u64
}

/// What is to be decided.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What the plan must hold.
    pub volumes: Vec<Volume>,
    /// Number of samples of every volume.
    pub stamps: usize,
    /// Time that a sample stands for.
    pub interval: Duration,
    /// How many stamps may exceed some limit: `floor((1 − percentile) × stamps)`.
    pub violations_allowed: usize,
    /// Share of a disk's or VM's limit that may be used, in parts per million.
    pub utilisation: u32,
    /// Burst credits count, as far as they last over the series.
    pub bursting: bool,
    /// Processors needed, in thousandths, the target utilisation applied.
    pub cpu_milli: u64,
    /// Memory needed, in MiB.
    pub memory_mib: u64,
    /// The plan may not cost more.
    pub cost_max: Option<Money>,
    /// Latencies of the host cache.
    pub cache_latency: CacheLatency,
    /// VM sizes, cheapest first.
    pub vms: Vec<VmOffer>,
    /// Disks.
    pub disks: Vec<DiskOffer>,
}

/// A volume and what is asked of it.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Its name.
    pub name: String,
    /// What it must hold, in GiB.
    pub capacity_gib: u64,
    /// Its demand, one sample a stamp.
    pub samples: Vec<Sample>,
    /// How it may be attached.
    pub classes: Vec<Class>,
    /// What a host cache would do for its reads; absent = nothing is known, no hits are counted.
    pub hits: Option<HitCurve>,
    /// Mean latency of reads may not exceed this, in nanoseconds.
    pub read_latency_ns: Option<u64>,
    /// The same of writes.
    pub write_latency_ns: Option<u64>,
    /// Disks in its stripe at most.
    pub disks_max: u32,
    /// Bytes on one disk before the next.
    pub stripe_unit: Bytes,
    /// It is read and written from front to back.
    pub sequential: bool,
    /// Which of the problem's disks it may have; the others are left out.
    pub disks: Vec<usize>,
    /// What it asks in a thousand seconds on average: what is billed by use follows from it.
    pub usual: Sample,
}

/// One direction of a volume at the highest load that so many stamps may exceed, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// Requests.
    pub requests: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Volume {
    /// Its reads and its writes at the highest load that `allowed` stamps may exceed.
    pub fn streams(&self, allowed: usize) -> [Stream; 2] {
        let highest = |of: fn(&Sample) -> u64| {
            let mut values: Vec<u64> = self.samples.iter().map(of).collect();
            let place = allowed.min(values.len().saturating_sub(1));
            if values.is_empty() { 0 } else { *values.select_nth_unstable_by(place, |a, b| b.cmp(a)).1 }
        };
        [
            Stream { requests: highest(|s| s.reads), bytes: highest(|s| s.read_bytes) },
            Stream { requests: highest(|s| s.writes), bytes: highest(|s| s.write_bytes) },
        ]
    }

    /// How many requests of a stream follow each other on one of `count` disks; 1 = none do.
    pub(crate) fn run(&self, count: u32, stream: Stream) -> u64 {
        if !self.sequential || count < 2 || stream.bytes == 0 {
            return 1;
        }
        self.stripe_unit.get().saturating_mul(stream.requests).div_ceil(stream.bytes).max(1)
    }

    /// What the mean request of a stream has on one of `count` disks at most, in bytes.
    fn part(&self, count: u32, stream: Stream) -> u64 {
        let size = stream.bytes.div_ceil(stream.requests.max(1));
        let stripe = self.stripe_unit.get().saturating_mul(u64::from(count)).max(1);
        if count < 2 { size } else { size.min(self.stripe_unit.get() * size.div_ceil(stripe)) }
    }
}

impl DiskOffer {
    /// Mean latency of a volume's reads and writes on `count` such disks below every limit, the transfer of their bytes included, in
    /// nanoseconds.
    pub fn service_ns(&self, volume: &Volume, count: u32, streams: [Stream; 2]) -> (u64, u64) {
        let transfer = |stream: Stream| {
            let ns = |rate: u64| u128::from(volume.part(count, stream)) * 1_000_000_000 / u128::from(rate.max(1));
            self.bandwidth.map_or(0, |rate| ns(rate) as u64)
        };
        (self.latency_ns.0 + transfer(streams[0]), self.latency_ns.1 + transfer(streams[1]))
    }
}

#[cfg(test)]
impl Volume {
    /// One that may have a disk without a cache, for tests that are about its demand.
    pub(crate) fn asking(name: &str, samples: Vec<Sample>, disks: Vec<usize>) -> Volume {
        Volume {
            name: name.into(),
            capacity_gib: 1,
            samples,
            classes: vec![Class::Uncached],
            hits: None,
            read_latency_ns: None,
            write_latency_ns: None,
            disks_max: 1,
            stripe_unit: Bytes::kib(64),
            sequential: false,
            disks,
            usual: Sample::default(),
        }
    }
}

/// Demand of one interval, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub write_bytes: u64,
}

/// How a volume is attached: it decides which of the VM's limits its traffic passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Remote disks without host cache.
    Uncached,
    /// Premium SSD v2 or ultra disks under the VM's second uncached limit.
    Second,
    /// Remote disks, reads cached.
    ReadOnly,
    /// Remote disks, reads and writes cached.
    ReadWrite,
    /// The VM's local temp disk, which is lost when the VM moves.
    Temp,
}

impl Class {
    /// Whether the host cache serves it.
    pub const fn cached(self) -> bool {
        matches!(self, Class::ReadOnly | Class::ReadWrite)
    }
    /// The host-cache setting that makes it.
    pub const fn host_cache(self) -> &'static str {
        match self {
            Class::Uncached | Class::Second | Class::Temp => "None",
            Class::ReadOnly => "ReadOnly",
            Class::ReadWrite => "ReadWrite",
        }
    }
}

/// Share of reads that hit, by bytes of cache: straight lines between points, from (0, 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitCurve {
    /// `(bytes, parts per million)`, both growing.
    pub points: Vec<(u64, u32)>,
    /// Where the points say which share of the blocks is resident, what of a resident block is valid; absent = they were
    /// measured, and a hit is a hit.
    pub parts: Option<Parts>,
}

/// How the requests of a volume fill the blocks of the cache: each brings in its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Parts per million of the uses that are reads.
    pub reads: u32,
    /// Parts per million of a block that a read is, and with it the chance that one finds what another brought in.
    pub read: u32,
    /// The same of a write; 0 when its bytes are not whole sectors.
    pub write: u32,
    /// Writes that a read needs to be covered by writes alone.
    pub writes_a_read: u32,
}

impl HitCurve {
    /// Measured: `(bytes, parts per million)`, both growing.
    pub fn measured(points: Vec<(u64, u32)>) -> HitCurve {
        HitCurve { points, parts: None }
    }
    /// Every byte of a working set is as likely as any other, and each request fills `parts` of the block that it uses.
    pub fn working_set(size: Bytes, parts: Parts) -> HitCurve {
        HitCurve { points: vec![(size.get().max(1), ONE)], parts: Some(parts) }
    }
}

/// A rate that may burst on credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Sustained, a second.
    pub base: u64,
    /// While credits last, a second; with the size of the bucket.
    pub burst: Option<(u64, u64)>,
}

impl Rate {
    /// Without bursts.
    pub const fn plain(base: u64) -> Rate {
        Rate { base, burst: None }
    }
    /// Whether it gives whatever another gives.
    fn covers(self, other: Rate) -> bool {
        let (top, credits) = other.burst.unwrap_or((other.base, 0));
        let bursts = self.burst.is_some_and(|burst| burst.0 >= top && burst.1 >= credits);
        self.base >= other.base && (self.base >= top || bursts)
    }
    /// Several disks together.
    pub fn times(self, n: u64) -> Rate {
        let times = |value: u64| value.saturating_mul(n);
        Rate { base: times(self.base), burst: self.burst.map(|(rate, credits)| (times(rate), times(credits))) }
    }
}

/// An IOPS and a throughput limit; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Requests.
    pub iops: Option<Rate>,
    /// Bytes.
    pub bytes: Option<Rate>,
}

/// A VM size on offer.
#[derive(Clone, Debug)]
pub struct VmOffer {
    /// The vendor's name.
    pub name: String,
    /// The edition of its limits.
    pub edition: String,
    /// A month of it.
    pub price: Money,
    /// Why it may not be chosen, if so.
    pub barred: Option<String>,
    /// Processors.
    pub vcpu: u32,
    /// Memory; absent = not known, taken as too little when memory is asked for.
    pub memory_mib: Option<u64>,
    /// Data disks.
    pub slots: u32,
    /// Whether it takes premium disks.
    pub premium: bool,
    /// Whether it takes ultra disks.
    pub ultra: bool,
    /// What goes to remote disks.
    pub uncached: Gate,
    /// What goes to premium SSD v2 and ultra disks, where that is a limit of its own.
    pub second: Option<Gate>,
    /// Whether these two are one budget or two.
    pub sharing: Sharing,
    /// What the host cache and the temp disk serve.
    pub cached: Gate,
    /// The host cache; zero = none.
    pub cache: Bytes,
    /// The temp disk.
    pub temp: Option<Temp>,
}

/// The limits of a VM on what goes to its remote disks, each on what passes it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remote {
    /// On all but premium SSD v2 and ultra disks.
    pub(crate) first: Gate,
    /// On premium SSD v2 and ultra disks.
    pub(crate) second: Gate,
    /// On all together.
    pub(crate) all: Gate,
}

impl VmOffer {
    /// `both`: some volume passes the first limit and some the second. Where one kind of disk is alone there is nothing to share.
    pub(crate) fn remote(&self, both: bool) -> Remote {
        let Some(second) = self.second.filter(|_| both) else {
            return Remote { first: self.uncached, second: self.second.unwrap_or_default(), all: Gate::default() };
        };
        let rates = |rate: Rate| (rate.base, rate.burst.map_or(rate.base, |burst| burst.0));
        let iops = self.sharing.split(self.uncached.iops, second.iops, rates);
        let bytes = self.sharing.split(self.uncached.bytes, second.bytes, rates);
        Remote {
            first: Gate { iops: iops.first, bytes: bytes.first },
            second: Gate { iops: iops.second, bytes: bytes.second },
            all: Gate { iops: iops.all, bytes: bytes.all },
        }
    }

    /// What the VM gives of one of its limits, sustained; absent = unlimited, or none of the VM's.
    pub fn gives(&self, limit: Limit) -> Option<u64> {
        let gate = match limit {
            Limit::UncachedIops | Limit::UncachedThroughput => self.uncached,
            Limit::SecondIops | Limit::SecondThroughput => self.second.unwrap_or(self.uncached),
            // A size with one figure gives that to all remote disks.
            Limit::AllIops | Limit::AllThroughput if self.second.is_none() => self.uncached,
            Limit::AllIops | Limit::AllThroughput => self.remote(true).all,
            Limit::CachedIops | Limit::CachedThroughput => self.cached,
            _ => return None,
        };
        let rate = match limit {
            Limit::UncachedIops | Limit::SecondIops | Limit::AllIops | Limit::CachedIops => gate.iops,
            _ => gate.bytes,
        };
        rate.map(|rate| rate.base)
    }
}

/// A local temp disk.
#[derive(Clone, Copy, Debug)]
pub struct Temp {
    /// All of it, in GiB.
    pub gib: u64,
    /// What it serves counts against the VM's cached limit.
    pub shares_cached: bool,
    /// Its own limit on reads and writes together.
    pub all: Gate,
    /// Its own limit on reads.
    pub read: Gate,
    /// Its own limit on writes.
    pub write: Gate,
    /// Mean latency of a read, a write, in nanoseconds.
    pub latency_ns: (u64, u64),
}

/// A disk on offer.
#[derive(Clone, Debug)]
pub struct DiskOffer {
    /// The vendor's name.
    pub name: String,
    /// The edition of its limits.
    pub edition: String,
    /// What is chosen for it beyond its size.
    pub purchase: Purchase,
    /// Only for VM sizes that take premium disks.
    pub needs_premium: bool,
    /// Only for VM sizes that take ultra disks.
    pub needs_ultra: bool,
    /// Counts against the second uncached limit where there is one, and has no host cache.
    pub second: bool,
    /// A larger I/O counts as several of this size.
    pub io_unit: Option<Bytes>,
    /// Mean latency of a read, a write, in nanoseconds; without the time that its bytes take.
    pub latency_ns: (u64, u64),
    /// Bytes per second at which one request is transferred, where its size counts.
    pub bandwidth: Option<u64>,
    /// What is billed by use, beyond the price.
    pub usage: Option<Usage>,
    /// What it gives and costs.
    pub kind: DiskKind,
}

impl DiskOffer {
    /// Its name with how it is bought: `P30 with performance plus`.
    pub fn label(&self) -> String {
        let tier = self.purchase.tier.as_ref().map_or(String::new(), |tier| format!(" at tier {tier}"));
        let extra = match (self.purchase.performance_plus, self.purchase.on_demand_bursting) {
            (true, _) => " with performance plus",
            (_, true) => " with on-demand bursting",
            _ => "",
        };
        format!("{}{tier}{extra}", self.name)
    }
    /// Whether it is as good as another for every volume, and costs no more.
    pub(crate) fn replaces(&self, other: &DiskOffer) -> bool {
        let (DiskKind::Fixed { gib, iops, bytes, price }, DiskKind::Fixed { gib: g, iops: i, bytes: b, price: p }) =
            (&self.kind, &other.kind)
        else {
            return false;
        };
        let same = |offer: &DiskOffer| {
            (offer.needs_premium, offer.needs_ultra, offer.second, offer.io_unit, offer.latency_ns, offer.bandwidth)
        };
        let cacheable = |gib: u64| gib <= CACHEABLE_MAX.get() >> 30;
        let used = match (&self.usage, &other.usage) {
            (None, _) => true,
            (Some(a), Some(b)) => a.is_never_dearer(b),
            (Some(_), None) => false,
        };
        same(self) == same(other)
            && used
            && price <= p
            && gib >= g
            && (cacheable(*gib) || !cacheable(*g))
            && iops.covers(*i)
            && bytes.covers(*b)
    }
}

/// What is chosen for a disk beyond its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Purchase {
    /// The larger disk whose rates and price it has.
    pub tier: Option<String>,
    /// Performance plus.
    pub performance_plus: bool,
    /// On-demand bursting.
    pub on_demand_bursting: bool,
}

impl Purchase {
    /// As it comes.
    pub fn is_plain(&self) -> bool {
        *self == Purchase::default()
    }
}

/// What of a disk is billed by use; prices are for ten thousand operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Every operation.
    Operations {
        /// Their price.
        price: Money,
        /// A larger one is billed as several of this size.
        unit: Bytes,
        /// No more than so many an hour are billed, of each disk.
        hourly_max: Option<u64>,
    },
    /// What exceeds the rates that come with the disk.
    Burst {
        /// Its price.
        price: Money,
        /// Requests per second that cost nothing, of each disk.
        iops: u64,
        /// Bytes per second that cost nothing.
        bytes: u64,
    },
}

impl Usage {
    fn is_never_dearer(&self, other: &Usage) -> bool {
        match (self, other) {
            (Usage::Burst { price, iops, bytes }, Usage::Burst { price: p, iops: i, bytes: b }) => {
                price <= p && iops >= i && bytes >= b
            }
            _ => self == other,
        }
    }
}

/// What a disk gives and costs.
#[derive(Clone, Debug)]
pub enum DiskKind {
    /// Size and limits come together.
    Fixed {
        /// Its size.
        gib: u64,
        /// Requests.
        iops: Rate,
        /// Bytes.
        bytes: Rate,
        /// A month of it.
        price: Money,
    },
    /// Size, IOPS and throughput are bought apart.
    Free(FreeDisk),
}

/// A disk whose size, IOPS and throughput are bought apart. An MB is 10⁶ bytes.
#[derive(Clone, Copy, Debug)]
pub struct FreeDisk {
    /// Smallest and largest size.
    pub gib: (u64, u64),
    /// Billed in steps: powers of two from 4 GiB to 1 TiB, then whole TiB.
    pub stepped: bool,
    /// Most IOPS for each GiB.
    pub iops_per_gib: u64,
    /// Fewest IOPS for each GiB.
    pub iops_min_per_gib: u64,
    /// Fewest and most IOPS of any disk.
    pub iops: (u64, u64),
    /// Most bytes per second for each IOPS.
    pub bytes_per_iops: u64,
    /// Least bytes per second for each IOPS.
    pub bytes_min_per_iops: u64,
    /// Least and most MB/s of any disk.
    pub mb: (u64, u64),
    /// IOPS and MB/s that come with every disk.
    pub free: (u64, u64),
    /// A month of a GiB, an IOPS, a MB/s.
    pub price: (Money, Money, Money),
}

/// Latency of what the host cache serves: hit of a read, write into it, added to a miss; means in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheLatency {
    /// A read that hits.
    pub hit_ns: u64,
    /// A write into a ReadWrite cache.
    pub write_ns: u64,
    /// Added to a read that misses.
    pub miss_ns: u64,
}
