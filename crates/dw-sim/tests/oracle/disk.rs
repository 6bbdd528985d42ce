//! A provisioned disk: its limits, how it counts I/O, its service time, and the meter of paid bursting.
//!
//! An I/O up to the unit (256 KiB) counts once, a larger one as `ceil(size / unit)`. On-demand bursting is billed by
//! what a second used beyond the target: `max(I/Os − target, (bytes − target) / 250,000)`.
//! Chapters: `docs/model/token-bucket.md`, `docs/model/latency.md`.

use dw_units::NS_PER_SECOND;

use crate::oracle::limiter::Pair;
use crate::oracle::random::Stream;
use crate::oracle::route::Route;
use dw_stack::{CacheMode, Credits, DirectionLimits, DiskSpec, OnDemandBase, ServiceTime, StackSpec, VolumeSpec};

/// A flush takes this share of a write's service time.
const FLUSH_SHARE: (u64, u64) = (6, 10);

#[derive(Clone, Debug)]
pub(crate) struct Disk {
    pub(crate) volume: u16,
    pub(crate) size: u64,
    pub(crate) pair: Pair,
    /// Limits on reads alone and on writes alone.
    pub(crate) directions: Option<Box<[Pair; 2]>>,
    pub(crate) mode: CacheMode,
    /// The gate before the host cache, or before a local disk.
    pub(crate) front: Option<usize>,
    /// The gates behind its own limits.
    pub(crate) route: Route,
    /// In the VM's own host.
    pub(crate) local: bool,
    io_unit: Option<u64>,
    read: ServiceTime,
    write: ServiceTime,
    reads: Stream,
    writes: Stream,
    pub(crate) in_cache: Stream,
    pub(crate) penalties: Stream,
    pub(crate) meter: Option<OnDemandMeter>,
}

impl Disk {
    pub(crate) fn new(spec: &DiskSpec, index: usize, number: u16, volume: &VolumeSpec, stack: &StackSpec) -> Self {
        let stream = |kind: u64| Stream::new(stack.seed, index as u64 * 4 + kind);
        let (path, credits) = (&volume.path, stack.credits);
        Disk {
            volume: number,
            size: spec.size.get(),
            pair: Pair::new(&spec.limits, credits),
            directions: directions(&spec.by_direction, credits),
            mode: volume.host_cache,
            front: path.cached.map(|gate| usize::from(gate.0)),
            route: Route::of(path, &stack.vm.gates),
            local: path.local,
            io_unit: spec.io_unit.map(|unit| unit.get().max(1)),
            read: spec.read.clone(),
            write: spec.write.clone(),
            reads: stream(0),
            writes: stream(1),
            in_cache: stream(2),
            penalties: stream(3),
            meter: spec.on_demand_base.map(OnDemandMeter::new),
        }
    }

    /// Its limits: on all requests, and on those of each direction.
    pub(crate) fn pairs(&mut self) -> impl Iterator<Item = &mut Pair> {
        std::iter::once(&mut self.pair).chain(self.directions.iter_mut().flat_map(|pairs| pairs.iter_mut()))
    }

    /// As how many I/Os `len` bytes count.
    pub(crate) fn ios(&self, len: u32) -> u32 {
        match self.io_unit {
            Some(unit) if u64::from(len) > unit => u64::from(len).div_ceil(unit) as u32,
            _ => 1,
        }
    }

    pub(crate) fn read_ns(&mut self, len: u32) -> u64 {
        sample(&self.read, self.reads.draw(), len)
    }

    pub(crate) fn write_ns(&mut self, len: u32) -> u64 {
        sample(&self.write, self.writes.draw(), len)
    }

    pub(crate) fn flush_ns(&mut self) -> u64 {
        sample(&self.write, self.writes.draw(), 0) * FLUSH_SHARE.0 / FLUSH_SHARE.1
    }
}

/// The service time for a uniform draw.
pub(crate) fn sample(service: &ServiceTime, draw: u64, len: u32) -> u64 {
    let streamed = service.bandwidth.map_or(0, |rate| u64::from(len) * NS_PER_SECOND / rate.get());
    u64::from(service.table.at(draw)) + streamed
}

fn directions(limits: &DirectionLimits, credits: Credits) -> Option<Box<[Pair; 2]>> {
    let DirectionLimits { reads, writes } = limits;
    (reads.is_some() || writes.is_some())
        .then(|| Box::new([reads, writes].map(|limits| Pair::new(&limits.unwrap_or_default(), credits))))
}

/// Counts what on-demand bursting bills.
#[derive(Clone, Debug)]
pub(crate) struct OnDemandMeter {
    base: OnDemandBase,
    second: u64,
    ios: u64,
    bytes: u64,
    billed: u64,
    /// Seconds with transactions, and how many; only when somebody asked.
    seconds: Option<Vec<(u64, u64)>>,
}

/// Bytes beyond the target that count as one transaction: the published formula is MB × 1024 / 256.
const BYTES_PER_TRANSACTION: u64 = 250_000;

impl OnDemandMeter {
    fn new(base: OnDemandBase) -> Self {
        OnDemandMeter { base, second: 0, ios: 0, bytes: 0, billed: 0, seconds: None }
    }

    /// Out of line: few disks are billed like this, and the path of the others stays short.
    pub(crate) fn count(&mut self, at: u64, ios: u32, bytes: u32) {
        if at / NS_PER_SECOND != self.second {
            let more = self.under_way();
            self.billed += more;
            if let Some(seconds) = self.seconds.as_mut().filter(|_| more > 0) {
                seconds.push((self.second, more));
            }
            (self.second, self.ios, self.bytes) = (at / NS_PER_SECOND, 0, 0);
        }
        self.ios += u64::from(ios);
        self.bytes += u64::from(bytes);
    }

    /// Those of the second that is under way.
    fn under_way(&self) -> u64 {
        let ios = self.ios.saturating_sub(self.base.iops);
        let bytes = self.bytes.saturating_sub(self.base.bytes_per_second) / BYTES_PER_TRANSACTION;
        ios.max(bytes)
    }

    /// Transactions beyond the target so far.
    pub(crate) fn transactions(&self) -> u64 {
        self.billed + self.under_way()
    }

    /// Keeps account of each second from now on.
    pub(crate) fn watch(&mut self) {
        self.seconds.get_or_insert_with(Vec::new);
    }

    /// Seconds with transactions since [`OnDemandMeter::watch`], in order: which, and how many.
    pub(crate) fn seconds(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let last = (self.second, self.under_way());
        self.seconds.iter().flatten().copied().chain(std::iter::once(last)).filter(|second| second.1 > 0)
    }
}
