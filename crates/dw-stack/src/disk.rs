//! A provisioned disk: its limits, how it counts I/O, its service time, and the meter of paid bursting.
//!
//! An I/O up to the unit (256 KiB) counts once, a larger one as `ceil(size / unit)`. Limits that charge in another way, or one direction
//! alone, are asked out of line (`accounting.rs`). On-demand bursting is billed by
//! what a second used beyond the target: `max(I/Os − target, (bytes − target) / 250,000)`.
//! Chapters: `docs/model/token-bucket.md`, `docs/model/latency.md`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use dw_units::{Bytes, CacheMode, NS_PER_SECOND};

use crate::first_touch::Untouched;
use crate::limiter::Pair;
use crate::random::Stream;
use crate::request::{Op, Quantity};
use crate::route::Route;
use crate::service_time::ServiceTime;
use crate::spec::{Accounting, Credits, DiskSpec, Limit, StackSpec, UsageBase, VolumeSpec};

/// A flush takes this share of a write's service time (`docs/model/durability.md`).
pub const FLUSH_SHARE: (u64, u64) = (6, 10);

#[derive(Clone, Debug)]
pub(crate) struct Disk {
    pub(crate) volume: u16,
    pub(crate) size: u64,
    pub(crate) pair: Pair,
    /// Limits on reads alone and on writes alone.
    pub(crate) directions: Option<Box<[Pair; 2]>>,
    /// Data that have to be fetched before they can be used.
    pub(crate) untouched: Option<Box<Untouched>>,
    /// Its limits are more than a pair that charges an I/O and its bytes, or something is between them and the gates.
    pub(crate) accounted: bool,
    pub(crate) mode: CacheMode,
    /// The gate before the host cache, or before a local disk.
    pub(crate) front: Option<usize>,
    /// The gates behind its own limits.
    pub(crate) route: Route,
    /// In the VM's own host.
    pub(crate) local: bool,
    /// Nothing but its limits and the gates behind them is on the way of its reads and writes.
    pub(crate) direct: bool,
    /// The gate before the host cache, where a read that comes to it is answered at once.
    pub(crate) read_gate: Option<usize>,
    io_unit: Option<u64>,
    read: ServiceTime,
    write: ServiceTime,
    reads: Stream,
    writes: Stream,
    pub(crate) in_cache: Stream,
    pub(crate) penalties: Stream,
    pub(crate) meter: Option<UsageMeter>,
}

impl Disk {
    pub(crate) fn new(spec: &DiskSpec, index: usize, number: u16, volume: &VolumeSpec, stack: &StackSpec) -> Self {
        let stream = |kind: u64| Stream::new(stack.seed, index as u64 * 4 + kind);
        let (path, credits) = (&volume.path, stack.credits);
        Disk {
            volume: number,
            size: spec.size.get(),
            pair: pair(spec, None, credits),
            directions: directions(spec, credits),
            untouched: spec.first_touch.as_ref().map(|touch| Box::new(Untouched::new(touch, spec.size))),
            accounted: false,
            mode: volume.host_cache,
            front: path.front.map(|gate| usize::from(gate.0)),
            route: Route::through(path, &stack.vm.gates),
            local: path.local,
            direct: false,
            read_gate: None,
            io_unit: spec.io_unit.map(|unit| unit.get().max(1)),
            read: spec.read.clone(),
            write: spec.write.clone(),
            reads: stream(0),
            writes: stream(1),
            in_cache: stream(2),
            penalties: stream(3),
            meter: spec.usage_base.map(UsageMeter::new),
        }
    }

    /// Says which way its requests go, after that may have changed.
    pub(crate) fn choose_way(&mut self) {
        self.accounted = self.directions.is_some() || self.pair.is_accounted() || self.untouched.is_some();
        let plain = !self.accounted && self.meter.is_none() && !self.pair.is_watched();
        self.direct = plain && self.mode == CacheMode::None && !self.local;
    }

    pub(crate) fn set_io_unit(&mut self, unit: Option<Bytes>) {
        self.io_unit = unit.map(|unit| unit.get().max(1));
    }

    /// Its limits: on all requests, and on those of each direction.
    pub(crate) fn pairs(&mut self) -> impl Iterator<Item = &mut Pair> {
        core::iter::once(&mut self.pair).chain(self.directions.iter_mut().flat_map(|pairs| pairs.iter_mut()))
    }

    /// Other limits from `now` on.
    pub(crate) fn retune(&mut self, spec: &DiskSpec, now: u64, throttle_interval: u64) {
        self.pair.retune(pair(spec, None, Credits::Full), now, throttle_interval);
        match &mut self.directions {
            Some(pairs) => {
                for (own, only) in pairs.iter_mut().zip(DIRECTIONS) {
                    own.retune(pair(spec, Some(only), Credits::Full), now, throttle_interval);
                }
            }
            None => {
                self.directions = directions(spec, Credits::Full);
                for pair in self.directions.iter_mut().flat_map(|pairs| pairs.iter_mut()) {
                    pair.release(throttle_interval);
                    if self.pair.is_watched() {
                        pair.watch();
                    }
                }
            }
        }
    }

    /// As how many I/Os `len` bytes count.
    #[inline]
    pub(crate) fn ios(&self, len: u32) -> u32 {
        match self.io_unit {
            Some(unit) if u64::from(len) > unit => u64::from(len).div_ceil(unit) as u32,
            _ => 1,
        }
    }

    #[inline]
    pub(crate) fn read_ns(&mut self, len: u32) -> u64 {
        self.read.sample(self.reads.draw(), len)
    }

    #[inline]
    pub(crate) fn write_ns(&mut self, len: u32) -> u64 {
        self.write.sample(self.writes.draw(), len)
    }

    /// The shortest time that a read or a write takes.
    pub(crate) fn least_ns(&self) -> u64 {
        u64::from(self.read.table.least().min(self.write.table.least()))
    }

    pub(crate) fn flush_ns(&mut self) -> u64 {
        self.write.sample(self.writes.draw(), 0) * FLUSH_SHARE.0 / FLUSH_SHARE.1
    }
}

const DIRECTIONS: [Op; 2] = [Op::Read, Op::Write];

/// The limits on one direction; absent = on all requests.
fn pair(spec: &DiskSpec, only: Option<Op>, credits: Credits) -> Pair {
    let limits: Vec<Limit> = spec.all_limits().filter(|limit| limit.accounting.only() == only).collect();
    let own = only.map_or(Accounting::PLAIN, Accounting::of_only);
    let plain = |quantity| Accounting { unit: spec.io_unit.filter(|_| quantity == Quantity::Iops), ..own };
    Pair::new(&limits, credits, 1, plain)
}

fn directions(spec: &DiskSpec, credits: Credits) -> Option<Box<[Pair; 2]>> {
    let any = spec.all_limits().any(|limit| limit.accounting.only().is_some());
    any.then(|| Box::new(DIRECTIONS.map(|only| pair(spec, Some(only), credits))))
}

/// Counts what is billed of a disk that is used beyond its base.
#[derive(Clone, Debug)]
pub(crate) struct UsageMeter {
    base: UsageBase,
    second: u64,
    ios: u64,
    bytes: u64,
    billed: u64,
    /// Seconds with transactions, and how many; only when somebody asked.
    seconds: Option<Vec<(u64, u64)>>,
}

/// Bytes beyond the target that count as one transaction: the published formula is MB × 1024 / 256.
const BYTES_PER_TRANSACTION: u64 = 250_000;

impl UsageMeter {
    fn new(base: UsageBase) -> Self {
        UsageMeter { base, second: 0, ios: 0, bytes: 0, billed: 0, seconds: None }
    }

    /// Out of line: few disks are billed like this, and the path of the others stays short.
    #[inline(never)]
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

    /// Bills so many more, of seconds that were leapt over.
    pub(crate) fn bill_again(&mut self, transactions: u64) {
        self.billed += transactions;
    }

    /// Keeps account of each second from now on.
    pub(crate) fn watch(&mut self) {
        self.seconds.get_or_insert_with(Vec::new);
    }

    /// Seconds with transactions since [`UsageMeter::watch`], in order: which, and how many.
    pub(crate) fn seconds(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let last = (self.second, self.under_way());
        self.seconds.iter().flatten().copied().chain(core::iter::once(last)).filter(|second| second.1 > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_beyond_the_base_is_billed_as_published() {
        // (seconds, IOPS, MB/s) on a disk of 5,000 IOPS and 200 MB/s, and the printed number of transactions.
        type Load = (u64, u64, u64);
        let cases: &[(&[Load], u64)] =
            &[(&[(10, 6_000, 0), (60, 7_000, 0)], 130_000), (&[(5, 10_000, 300)], 25_000), (&[(5, 6_000, 600)], 8_000)];
        for (loads, expected) in cases {
            let mut meter = UsageMeter::new(UsageBase { iops: 5_000, bytes_per_second: 200_000_000 });
            let mut second = 0;
            for &(seconds, iops, mb) in *loads {
                for _ in 0..seconds {
                    for i in 0..iops {
                        let bytes = mb * 1_000_000 / iops;
                        meter.count(second * NS_PER_SECOND + i * NS_PER_SECOND / iops, 1, bytes as u32);
                    }
                    second += 1;
                }
            }
            assert_eq!(meter.transactions(), *expected);
        }
    }
}
