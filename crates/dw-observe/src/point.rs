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
    /// Its figures are of counters: in all of it they come to whole numbers.
    pub counted: bool,
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
        self.latency_of(self.depth, self.ios)
    }
    /// Mean latency of reads in seconds.
    pub fn read_latency(&self) -> Amount {
        self.latency_of(self.read_depth, self.reads)
    }
    /// Mean latency of writes in seconds.
    pub fn write_latency(&self) -> Amount {
        self.latency_of(self.write_depth, self.writes)
    }
    /// Mean size of a request in bytes.
    pub fn io_size(&self) -> Amount {
        self.ratio(self.bytes, self.ios)
    }
    /// One rate over another: of counters what they counted, without the digits that a division by the interval leaves.
    pub(crate) fn ratio(&self, above: Amount, below: Amount) -> Amount {
        if self.counted { self.total(above).over(self.total(below)) } else { above.over(below) }
    }
    fn latency_of(&self, depth: Amount, rate: Amount) -> Amount {
        if self.counted { self.time(depth).over(self.total(rate)) } else { depth.over(rate) }
    }
    /// What a rate of requests or bytes comes to in the interval.
    pub(crate) fn total(&self, rate: Amount) -> Amount {
        let total = rate * self.seconds();
        if self.counted { total.whole() } else { total }
    }
    /// The seconds that requests took in the interval, of how many were outstanding.
    pub(crate) fn time(&self, depth: Amount) -> Amount {
        if self.counted { (depth * self.span.ns() as f64).whole() * 1e-9 } else { depth * self.seconds() }
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
