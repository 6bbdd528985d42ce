//! One interval of a volume: what every source's rows come to.

use dw_units::Duration;

use super::amount::Amount;
use super::sample::Origin;

/// One interval of a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// End of the interval.
    pub at: i64,
    /// Its length.
    pub span: Duration,
    /// The first row it comes from.
    pub origin: Origin,
    /// Reads per second.
    pub reads: Amount,
    /// Writes per second.
    pub writes: Amount,
    /// Requests per second.
    pub ios: Amount,
    /// Bytes read a second.
    pub read_bytes: Amount,
    /// Bytes written a second.
    pub write_bytes: Amount,
    /// Bytes per second.
    pub bytes: Amount,
    /// Reads outstanding, by Little's law.
    pub read_depth: Amount,
    /// Writes outstanding.
    pub write_depth: Amount,
    /// Requests outstanding.
    pub depth: Amount,
    /// Requests outstanding as printed.
    pub depth_printed: Amount,
    /// Requests merged into others a second.
    pub merges: Amount,
    /// Discards a second.
    pub discards: Amount,
    /// Flushes a second.
    pub flushes: Amount,
    /// The busiest device's percent of time with a request.
    pub utilisation: Amount,
    /// Time is missing before this interval.
    pub gap_before: bool,
}

impl Point {
    /// Mean latency in seconds; none without I/O.
    pub fn latency(&self) -> Amount {
        self.depth.over(self.ios)
    }
    /// Mean latency of reads in seconds.
    pub fn read_latency(&self) -> Amount {
        self.read_depth.over(self.reads)
    }
    /// Mean latency of writes in seconds.
    pub fn write_latency(&self) -> Amount {
        self.write_depth.over(self.writes)
    }
    /// Mean size of a request in bytes.
    pub fn io_size(&self) -> Amount {
        self.bytes.over(self.ios)
    }
    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        self.span.ns() as f64 / 1e9
    }
}

impl Point {
    /// Its figures that are sums over devices.
    pub(crate) fn sums(&mut self) -> [&mut Amount; 13] {
        [
            &mut self.reads,
            &mut self.writes,
            &mut self.ios,
            &mut self.read_bytes,
            &mut self.write_bytes,
            &mut self.bytes,
            &mut self.read_depth,
            &mut self.write_depth,
            &mut self.depth,
            &mut self.depth_printed,
            &mut self.merges,
            &mut self.discards,
            &mut self.flushes,
        ]
    }
}
