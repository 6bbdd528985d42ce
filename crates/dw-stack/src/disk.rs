//! A provisioned disk: its limits, how it counts I/O, its service time, and the meter of paid bursting.
//!
//! An I/O up to the unit (256 KiB) counts once, a larger one as `ceil(size / unit)`. On-demand bursting is billed by
//! what a second used beyond the target: `max(I/Os − target, (bytes − target) / 250,000)`.
//! Chapters: `docs/model/token-bucket.md`, `docs/model/latency.md`.

use dw_units::{Bytes, NS_PER_SECOND};

use crate::limiter::Pair;
use crate::random::Stream;
use crate::service_time::ServiceTime;
use crate::spec::{CacheMode, Credits, DiskSpec, OnDemandBase, Path};

/// A flush takes this share of a write's service time.
const FLUSH_SHARE: (u64, u64) = (6, 10);

#[derive(Clone, Debug)]
pub(crate) struct Disk {
    pub(crate) volume: u16,
    pub(crate) size: u64,
    pub(crate) pair: Pair,
    pub(crate) mode: CacheMode,
    pub(crate) path: Path,
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
    pub(crate) fn new(
        spec: &DiskSpec,
        index: usize,
        volume: u16,
        mode: CacheMode,
        path: Path,
        seed: u64,
        credits: Credits,
    ) -> Self {
        let stream = |kind: u64| Stream::new(seed, index as u64 * 4 + kind);
        Disk {
            volume,
            size: spec.size.get(),
            pair: Pair::new(&spec.limits, credits),
            mode,
            path,
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

    pub(crate) fn set_io_unit(&mut self, unit: Option<Bytes>) {
        self.io_unit = unit.map(|unit| unit.get().max(1));
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

    pub(crate) fn flush_ns(&mut self) -> u64 {
        self.write.sample(self.writes.draw(), 0) * FLUSH_SHARE.0 / FLUSH_SHARE.1
    }
}

/// Counts what on-demand bursting bills.
#[derive(Clone, Debug)]
pub(crate) struct OnDemandMeter {
    base: OnDemandBase,
    second: u64,
    ios: u64,
    bytes: u64,
    billed: u64,
}

/// Bytes beyond the target that count as one transaction: the published formula is MB × 1024 / 256.
const BYTES_PER_TRANSACTION: u64 = 250_000;

impl OnDemandMeter {
    fn new(base: OnDemandBase) -> Self {
        OnDemandMeter { base, second: 0, ios: 0, bytes: 0, billed: 0 }
    }

    pub(crate) fn count(&mut self, at: u64, ios: u32, bytes: u32) {
        if at / NS_PER_SECOND != self.second {
            self.billed = self.transactions();
            (self.second, self.ios, self.bytes) = (at / NS_PER_SECOND, 0, 0);
        }
        self.ios += u64::from(ios);
        self.bytes += u64::from(bytes);
    }

    /// Transactions beyond the target so far.
    pub(crate) fn transactions(&self) -> u64 {
        let ios = self.ios.saturating_sub(self.base.iops);
        let bytes = self.bytes.saturating_sub(self.base.bytes_per_second) / BYTES_PER_TRANSACTION;
        self.billed + ios.max(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_demand_bursting_is_billed_as_published() {
        // (seconds, IOPS, MB/s) on a P30 (5,000 IOPS, 200 MB/s), and the printed number of transactions.
        type Load = (u64, u64, u64);
        let cases: &[(&[Load], u64)] =
            &[(&[(10, 6_000, 0), (60, 7_000, 0)], 130_000), (&[(5, 10_000, 300)], 25_000), (&[(5, 6_000, 600)], 8_000)];
        for (loads, expected) in cases {
            let mut meter = OnDemandMeter::new(OnDemandBase { iops: 5_000, bytes_per_second: 200_000_000 });
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
