//! A device's interval in 112 bytes, because a long recording has millions: a figure that is missing is NaN.
//!
//! Ignores: what only the audit looks at (`svctm`, printed sizes), which is looked at as it passes.

use super::sample::{DiskInterval, Origin};

/// More requests a second than any device serves; a driver once reported 9.68e12.
const IMPOSSIBLE_PER_S: f64 = 1e9;
/// More bytes a second than any device moves.
const IMPOSSIBLE_BYTES_PER_S: f64 = 1e13;

/// One interval of one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// End of the interval on the source's axis; for reports without a time, their number.
    pub at: i64,
    /// Length in nanoseconds; 0 where the file does not say.
    pub span: u64,
    pub origin: Origin,
    /// `reads` holds requests of both directions.
    pub ios_unsplit: bool,
    /// `read_bytes` holds bytes of both directions.
    pub bytes_unsplit: bool,
    /// `read_latency` is the mean of both directions.
    pub latency_unsplit: bool,
    pub reads: f64,
    pub writes: f64,
    pub read_bytes: f64,
    pub write_bytes: f64,
    /// Seconds.
    pub read_latency: f64,
    pub write_latency: f64,
    pub queue: f32,
    pub read_merges: f32,
    pub write_merges: f32,
    pub discards: f32,
    pub flushes: f32,
    pub utilisation: f32,
}

impl Row {
    pub(crate) fn new(at: i64, span: u64, origin: Origin, disk: &DiskInterval) -> Row {
        let number = |n: Option<f64>| n.unwrap_or(f64::NAN);
        let small = |n: Option<f64>| n.map_or(f32::NAN, |n| n as f32);
        let ios_unsplit = disk.reads_per_s.is_none() && disk.writes_per_s.is_none() && disk.transfers_per_s.is_some();
        let unsplit_bytes = disk.throughput.map(|t| t.get() as f64).or_else(|| {
            // Sizes say it where throughput is not printed.
            let ios = disk.transfers_per_s.or_else(|| Some(disk.reads_per_s? + disk.writes_per_s?))?;
            Some(ios * disk.io_size?.get() as f64)
        });
        let read_bytes = disk.read_throughput.map(|t| t.get() as f64);
        let write_bytes = disk.write_throughput.map(|t| t.get() as f64);
        let sized = |bytes: Option<f64>, ios: Option<f64>, size: Option<dw_units::Bytes>| {
            bytes.or_else(|| Some(ios? * size?.get() as f64))
        };
        let read_bytes = sized(read_bytes, disk.reads_per_s, disk.read_size);
        let write_bytes = sized(write_bytes, disk.writes_per_s, disk.write_size);
        let bytes_unsplit = read_bytes.is_none() && write_bytes.is_none() && unsplit_bytes.is_some();
        let seconds = |d: Option<dw_units::Duration>| d.map(|d| d.ns() as f64 / 1e9);
        let latency_unsplit = disk.read_latency.is_none() && disk.write_latency.is_none() && disk.latency.is_some();
        Row {
            at,
            span,
            origin,
            ios_unsplit,
            bytes_unsplit,
            latency_unsplit,
            reads: number(if ios_unsplit { disk.transfers_per_s } else { disk.reads_per_s }),
            writes: number(disk.writes_per_s),
            read_bytes: number(if bytes_unsplit { unsplit_bytes } else { read_bytes }),
            write_bytes: number(write_bytes),
            read_latency: number(seconds(if latency_unsplit { disk.latency } else { disk.read_latency })),
            write_latency: number(seconds(disk.write_latency)),
            queue: small(disk.queue_depth),
            read_merges: small(disk.read_merges_per_s),
            write_merges: small(disk.write_merges_per_s),
            discards: small(disk.discards_per_s),
            flushes: small(disk.flushes_per_s),
            utilisation: small(disk.utilisation_percent),
        }
    }

    /// The figure that no device can have, by name.
    pub(crate) fn impossible(&self) -> Option<(&'static str, f64)> {
        let rates = [("requests/s", self.reads), ("writes/s", self.writes)];
        let bytes = [("bytes/s", self.read_bytes), ("bytes written/s", self.write_bytes)];
        let of = |list: [(&'static str, f64); 2], most: f64| list.into_iter().find(|(_, v)| *v < 0.0 || *v > most);
        of(rates, IMPOSSIBLE_PER_S).or_else(|| of(bytes, IMPOSSIBLE_BYTES_PER_S))
    }

    /// Takes what is missing here from another row of the same device and instant; `false` when both have a figure
    /// that differs, as when an instant comes twice.
    pub(crate) fn fill(&mut self, other: &Row) -> bool {
        let mut agree = true;
        let mut big = |mine: &mut f64, theirs: f64| {
            if mine.is_nan() {
                *mine = theirs;
            } else if !theirs.is_nan() && *mine != theirs {
                agree = false;
            }
        };
        let takes = |mine: f64, theirs: f64, flag: bool| flag && mine.is_nan() && !theirs.is_nan();
        self.ios_unsplit |= takes(self.reads, other.reads, other.ios_unsplit);
        self.bytes_unsplit |= takes(self.read_bytes, other.read_bytes, other.bytes_unsplit);
        self.latency_unsplit |= takes(self.read_latency, other.read_latency, other.latency_unsplit);
        big(&mut self.reads, other.reads);
        big(&mut self.writes, other.writes);
        big(&mut self.read_bytes, other.read_bytes);
        big(&mut self.write_bytes, other.write_bytes);
        big(&mut self.read_latency, other.read_latency);
        big(&mut self.write_latency, other.write_latency);
        let small = |mine: &mut f32, theirs: f32| {
            if mine.is_nan() {
                *mine = theirs;
            }
        };
        small(&mut self.queue, other.queue);
        small(&mut self.read_merges, other.read_merges);
        small(&mut self.write_merges, other.write_merges);
        small(&mut self.discards, other.discards);
        small(&mut self.flushes, other.flushes);
        small(&mut self.utilisation, other.utilisation);
        self.span = self.span.max(other.span);
        agree
    }

    /// Requests a second of both directions.
    pub(crate) fn iops(&self) -> f64 {
        if self.ios_unsplit { self.reads } else { sum(self.reads, self.writes) }
    }

    /// Outstanding requests by Little's law, reads and writes apart where the file parts them: (reads, writes, all).
    pub(crate) fn depth(&self) -> (f64, f64, f64) {
        // Nothing done is nothing outstanding, whatever latency is printed or not.
        let little = |rate: f64, latency: f64| if rate == 0.0 { 0.0 } else { rate * latency };
        if self.latency_unsplit || self.ios_unsplit {
            return (f64::NAN, f64::NAN, little(self.iops(), self.read_latency));
        }
        let (reads, writes) = (little(self.reads, self.read_latency), little(self.writes, self.write_latency));
        // Of a direction that was busy for an unknown time, nothing can be said of both.
        let unknown = |rate: f64, depth: f64| rate > 0.0 && depth.is_nan();
        let both =
            if unknown(self.reads, reads) || unknown(self.writes, writes) { f64::NAN } else { sum(reads, writes) };
        (reads, writes, both)
    }
}

/// A sum in which what is missing counts nothing; missing when both are.
pub(crate) fn sum(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => a + b,
    }
}
