//! The rows of the checklist: what each is called, what it is counted in, and how intervals come to it.

use dw_units::Duration;

use super::amount::Amount;
use super::exact::{ExactSum, Terms};
use super::point::Point;

/// What a figure is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    PerSecond,
    Percent,
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    Seconds,
    /// A number of things.
    Count,
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident $key:literal $label:literal $unit:ident $number:expr;)*) => {
        /// A row of the checklist.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RowId { $($(#[$doc])* $name,)* }
        impl RowId {
            /// All, in the order they are shown.
            pub const ALL: &[RowId] = &[$(RowId::$name,)*];
            /// The name in files.
            pub fn key(self) -> &'static str { match self { $(RowId::$name => $key,)* } }
            /// The name on the screen.
            pub fn label(self) -> &'static str { match self { $(RowId::$name => $label,)* } }
            /// What it is counted in.
            pub fn unit(self) -> Unit { match self { $(RowId::$name => Unit::$unit,)* } }
            /// Its number on the published checklist, from 1; details have none.
            pub fn number(self) -> Option<u8> { match self { $(RowId::$name => $number,)* } }
        }
    };
}

rows! {
    /// Transactions per second.
    Transactions "transactions_max" "max transactions/s" PerSecond Some(1);
    /// Share of reads.
    ReadShare "reads" "% reads" Percent Some(2);
    /// Share of writes.
    WriteShare "writes" "% writes" Percent Some(3);
    /// Share of random requests.
    Random "random" "% random" Percent Some(4);
    /// Share of sequential requests.
    Sequential "sequential" "% sequential" Percent Some(5);
    /// Size of a request.
    IoSize "io_size" "I/O size" Bytes Some(6);
    /// Throughput, mean of each interval.
    ThroughputAverage "throughput_average" "average throughput" BytesPerSecond Some(7);
    /// Throughput, largest of each bucket.
    ThroughputMax "throughput_max" "max throughput" BytesPerSecond Some(8);
    /// Latency, smallest of each bucket.
    LatencyMin "latency_min" "min latency" Seconds Some(9);
    /// Latency, mean of each interval.
    LatencyAverage "latency_average" "average latency" Seconds Some(10);
    /// Processors, largest of each bucket.
    CpuMax "cpu_max" "max CPU" Percent Some(11);
    /// Processors, mean of each interval.
    CpuAverage "cpu_average" "average CPU" Percent Some(12);
    /// Memory, largest of each bucket.
    MemoryMax "memory_max" "max memory" Bytes Some(13);
    /// Memory at each reading.
    MemoryAverage "memory_average" "average memory" Bytes Some(14);
    /// Requests outstanding.
    QueueDepth "queue_depth" "queue depth" Count Some(15);
    /// Requests per second.
    Iops "iops" "IOPS" PerSecond None;
    /// Reads per second.
    ReadIops "read_iops" "read IOPS" PerSecond None;
    /// Writes per second.
    WriteIops "write_iops" "write IOPS" PerSecond None;
    /// Bytes read a second.
    ReadThroughput "read_throughput" "read throughput" BytesPerSecond None;
    /// Bytes written a second.
    WriteThroughput "write_throughput" "write throughput" BytesPerSecond None;
    /// Size of a read.
    ReadSize "read_size" "read size" Bytes None;
    /// Size of a write.
    WriteSize "write_size" "write size" Bytes None;
    /// Latency of reads.
    ReadLatency "read_latency" "read latency" Seconds None;
    /// Latency of writes.
    WriteLatency "write_latency" "write latency" Seconds None;
    /// Requests merged into others a second.
    Merges "merges" "merged requests/s" PerSecond None;
    /// Discards a second.
    Discards "discards" "discards/s" PerSecond None;
    /// Flushes a second.
    Flushes "flushes" "flushes/s" PerSecond None;
}

impl RowId {
    /// Whether the figure grows with the demand.
    pub fn grows(self) -> bool {
        use RowId::*;
        matches!(
            self,
            Transactions
                | ThroughputAverage
                | ThroughputMax
                | Iops
                | ReadIops
                | WriteIops
                | ReadThroughput
                | WriteThroughput
        )
    }
}

/// The bucket whose largest (or smallest) interval stands for it: ten intervals, and a minute at least.
pub fn bucket(interval: Duration) -> Duration {
    Duration::from_ns(interval.ns().saturating_mul(10).max(60_000_000_000))
}

/// Readings of one thing besides the disks: end, length, value.
pub(crate) type Readings = Vec<(i64, Duration, f64)>;

/// The figure of a row at a point, and the numerator and denominator of its mean; none of what the disks do not tell.
pub(crate) fn figure(id: RowId) -> Option<(Value, Option<Mean>)> {
    use RowId::*;
    Some(match id {
        ReadShare => (|p| p.ratio(p.reads, p.ios) * 100.0, Some((|p| p.total(p.reads) * 100.0, |p| p.total(p.ios)))),
        WriteShare => (|p| p.ratio(p.writes, p.ios) * 100.0, Some((|p| p.total(p.writes) * 100.0, |p| p.total(p.ios)))),
        IoSize => (Point::io_size, Some((|p| p.total(p.bytes), |p| p.total(p.ios)))),
        ThroughputAverage | ThroughputMax => (|p| p.bytes, None),
        LatencyAverage => (Point::latency, Some((|p| p.time(p.depth), |p| p.total(p.ios)))),
        LatencyMin => (Point::latency, None),
        QueueDepth => (|p| p.depth, None),
        ReadIops => (|p| p.reads, None),
        WriteIops => (|p| p.writes, None),
        ReadThroughput => (|p| p.read_bytes, None),
        WriteThroughput => (|p| p.write_bytes, None),
        ReadSize => (|p| p.ratio(p.read_bytes, p.reads), Some((|p| p.total(p.read_bytes), |p| p.total(p.reads)))),
        WriteSize => (|p| p.ratio(p.write_bytes, p.writes), Some((|p| p.total(p.write_bytes), |p| p.total(p.writes)))),
        ReadLatency => (Point::read_latency, Some((|p| p.time(p.read_depth), |p| p.total(p.reads)))),
        WriteLatency => (Point::write_latency, Some((|p| p.time(p.write_depth), |p| p.total(p.writes)))),
        Merges => (|p| p.merges, None),
        Discards => (|p| p.discards, None),
        Flushes => (|p| p.flushes, None),
        Iops | Transactions => (|p| p.ios, None),
        Random | Sequential | CpuMax | CpuAverage | MemoryMax | MemoryAverage => return None,
    })
}

/// A figure of an interval.
pub(crate) type Value = fn(&Point) -> Amount;

/// What is summed above and below the line of a mean over I/Os: what it comes to in an interval.
pub(crate) type Mean = (Value, Value);

/// The mean over I/Os: sums over sums, of the intervals that have both.
pub(crate) fn weighted_mean(points: &[Point], mean: Mean) -> Option<f64> {
    let mut sums = Ratio::default();
    sums.add(points, mean);
    sums.value().known()
}

/// The two sums of a mean over I/Os.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ratio {
    above: ExactSum,
    below: ExactSum,
}

impl Ratio {
    /// Adds the intervals that have both.
    pub fn add(&mut self, points: &[Point], (above, below): Mean) {
        let (mut all_above, mut all_below) = (Terms::default(), Terms::default());
        for point in points {
            let below = below(point).known().filter(|below| *below > 0.0);
            if let Some((above, below)) = above(point).known().zip(below) {
                all_above.add(above);
                all_below.add(below);
            }
        }
        self.above.add_all(&all_above);
        self.below.add_all(&all_below);
    }
    /// One over the other; missing where nothing is below.
    pub fn value(&self) -> Amount {
        Amount::from(self.above.value()).over(self.below.value().into())
    }
}
