//! What a recording says, one reading at a time: the words between importers and the checklist.
//!
//! An importer calls [`Sink::take`] once for every reading, in the order of its file, with the place it stands at. Every
//! figure is optional: what a tool does not print stays `None`, and is never filled with zero. Figures are converted to
//! base units once, here: bytes, bytes per second, nanoseconds. Rates of requests stay decimal, because tools print
//! `0.25` requests per second and [`dw_units::Iops`] counts whole ones.
//!
//! Source: the fields of `/proc/diskstats`, sysstat, PerfMon, Azure Monitor, CloudWatch, node_exporter and block traces.
//!
//! Ignores: what the figures mean together; that is the work of the other modules here.

use std::sync::Arc;

use dw_units::{Bytes, Duration, Throughput};

use dw_workload::Direction;

/// A name that many readings share.
pub type Name = Arc<str>;

/// Where a reading stands: a file of the list that was given, and its line (or record) from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Index in the list of files.
    pub file: u32,
    /// Line, or record of a binary file, from 1.
    pub line: u64,
}

/// When a reading was taken, as exactly as the file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stamp {
    /// Date and time as the clock on the wall showed them.
    Wall {
        /// Nanoseconds since 1970-01-01 00:00 on that wall.
        ns: i64,
        /// Minutes that the wall is ahead of UTC, when the file says.
        utc_offset_min: Option<i16>,
    },
    /// A time of day without its date (`12:00:01`); passing midnight is seen by the order.
    TimeOfDay {
        /// Nanoseconds since midnight.
        ns: u64,
    },
    /// Time since an instant that nobody wrote down, as traces have it.
    Since {
        /// Nanoseconds.
        ns: u64,
    },
    /// No time at all: the n-th report of its file, from 0.
    Report { index: u64 },
}

/// What kind of mean a reading is. Means and peaks are never put into one series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean over its interval.
    #[default]
    Mean,
    /// The largest of several shorter readings.
    Max,
}

/// Whether a reading counts one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Span {
    #[default]
    Interval,
    /// The first report after a tool's banner: it counts since boot, unless the tool was asked to leave that out.
    First,
}

/// What a device's name stands for, as far as its file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Not said: judged by the name.
    #[default]
    Unknown,
    /// A whole disk (`PhysicalDisk`, a LUN).
    Disk,
    /// A part of a disk.
    Partition,
    /// A volume that others carry (`LogicalDisk`, `md0`).
    Volume,
    /// A sum of others (`_Total`, a group of `iostat -g`).
    Total,
}

/// What is common to all readings.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    /// The machine, when the file says.
    pub machine: Option<Name>,
    /// When the interval ended.
    pub stamp: Stamp,
    /// How long it was, when the file says.
    pub interval: Option<Duration>,
    /// Since boot or not.
    pub span: Span,
    /// Mean or peak.
    pub statistic: Statistic,
}

impl Common {
    /// A mean over one interval, on a machine without a name.
    pub fn at(stamp: Stamp) -> Common {
        Common { machine: None, stamp, interval: None, span: Span::Interval, statistic: Statistic::Mean }
    }
}

/// Rates of one device over one interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiskInterval {
    /// Completed reads per second.
    pub reads_per_s: Option<f64>,
    /// Completed writes per second.
    pub writes_per_s: Option<f64>,
    /// Requests per second of both directions, where the tool does not part them (`tps`); may count discards.
    pub transfers_per_s: Option<f64>,
    /// Bytes read a second.
    pub read_throughput: Option<Throughput>,
    /// Bytes written a second.
    pub write_throughput: Option<Throughput>,
    /// Bytes of both directions a second, where the tool does not part them.
    pub throughput: Option<Throughput>,
    /// Reads merged into others a second, before they reached the device.
    pub read_merges_per_s: Option<f64>,
    /// Writes merged into others a second.
    pub write_merges_per_s: Option<f64>,
    /// Mean latency of reads, queueing included.
    pub read_latency: Option<Duration>,
    /// Mean latency of writes.
    pub write_latency: Option<Duration>,
    /// Mean latency of both, where the tool does not part them.
    pub latency: Option<Duration>,
    /// Mean size of a read, as printed.
    pub read_size: Option<Bytes>,
    /// Mean size of a write, as printed.
    pub write_size: Option<Bytes>,
    /// Mean size of both, as printed.
    pub io_size: Option<Bytes>,
    /// Mean number outstanding, as printed (`aqu-sz`, `Avg. Disk Queue Length`): compared, not believed.
    pub queue_depth: Option<f64>,
    /// Number outstanding at the stamp.
    pub queue_depth_now: Option<f64>,
    /// Share of the time with at least one request, in percent: no measure of load, kept for the audit.
    pub utilisation_percent: Option<f64>,
    /// `svctm`, as printed: no measure of anything, kept for the audit.
    pub service_time: Option<Duration>,
    /// Discards a second.
    pub discards_per_s: Option<f64>,
    /// Bytes discarded a second.
    pub discard_throughput: Option<Throughput>,
    /// Mean latency of discards.
    pub discard_latency: Option<Duration>,
    /// Flushes a second.
    pub flushes_per_s: Option<f64>,
    /// Mean latency of flushes.
    pub flush_latency: Option<Duration>,
    /// Requests per second that were split.
    pub splits_per_s: Option<f64>,
}

/// Counters of one device that only grow (`/proc/diskstats`, node_exporter): two of them make a [`DiskInterval`]. Whoever
/// reads a file passes them on as they are; wraps and resets are judged here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiskCounters {
    /// Reads completed.
    pub reads: Option<f64>,
    /// Writes completed.
    pub writes: Option<f64>,
    pub read_bytes: Option<f64>,
    /// Bytes written.
    pub write_bytes: Option<f64>,
    /// Reads merged.
    pub read_merges: Option<f64>,
    /// Writes merged.
    pub write_merges: Option<f64>,
    /// Nanoseconds that reads took, all together.
    pub read_time_ns: Option<f64>,
    /// Nanoseconds that writes took.
    pub write_time_ns: Option<f64>,
    /// Nanoseconds with at least one request.
    pub busy_time_ns: Option<f64>,
    /// Nanoseconds outstanding, weighted by their number.
    pub queue_time_ns: Option<f64>,
    /// Requests outstanding now; the only one that also shrinks.
    pub queue_depth_now: Option<f64>,
    /// Discards completed.
    pub discards: Option<f64>,
    /// Bytes discarded.
    pub discard_bytes: Option<f64>,
    /// Nanoseconds that discards took.
    pub discard_time_ns: Option<f64>,
    /// Flushes completed.
    pub flushes: Option<f64>,
    /// Nanoseconds that flushes took.
    pub flush_time_ns: Option<f64>,
    /// Times are milliseconds in 32 bits underneath, and wrap after 49.7 days of I/O time.
    pub times_wrap_at_u32_ms: bool,
}

/// What a device did in an interval, as differences of its counters: whole numbers, except for sources that count seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiskGrowth {
    /// Reads completed.
    pub reads: Option<f64>,
    /// Writes completed.
    pub writes: Option<f64>,
    /// Requests of both directions completed, where the source does not part them.
    pub ios: Option<f64>,
    pub read_bytes: Option<f64>,
    /// Bytes written.
    pub write_bytes: Option<f64>,
    /// Bytes of both directions, where the source does not part them.
    pub bytes: Option<f64>,
    /// Nanoseconds that reads took, all together.
    pub read_time_ns: Option<f64>,
    /// Nanoseconds that writes took.
    pub write_time_ns: Option<f64>,
    /// Nanoseconds that requests of both directions took, where the source does not part them.
    pub io_time_ns: Option<f64>,
    /// Nanoseconds with at least one request.
    pub busy_time_ns: Option<f64>,
    /// Nanoseconds outstanding, weighted by their number.
    pub queue_time_ns: Option<f64>,
    /// Requests outstanding at its end.
    pub queue_depth_now: Option<f64>,
    /// Requests merged into others, of both directions.
    pub merges: Option<f64>,
    /// Discards completed.
    pub discards: Option<f64>,
    /// Bytes discarded.
    pub discard_bytes: Option<f64>,
    /// Nanoseconds that discards took.
    pub discard_time_ns: Option<f64>,
    /// Flushes completed.
    pub flushes: Option<f64>,
    /// Nanoseconds that flushes took.
    pub flush_time_ns: Option<f64>,
}

/// Processors of the whole machine over one interval, in percent of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuInterval {
    /// 100 - idle - waiting for I/O.
    pub busy_percent: Option<f64>,
    /// Waiting for I/O.
    pub iowait_percent: Option<f64>,
    /// Taken by the hypervisor.
    pub steal_percent: Option<f64>,
    /// How many processors there are.
    pub cpus: Option<u32>,
}

impl CpuInterval {
    /// As tools print it: busy is what is neither idle nor waiting. Tools round each figure, so that a little less than nothing is
    /// nothing; what is farther from it stays, for whoever takes it to say so.
    pub fn from_idle(
        idle: Option<f64>,
        iowait_percent: Option<f64>,
        steal_percent: Option<f64>,
        cpus: Option<u32>,
    ) -> CpuInterval {
        let busy = idle.map(|idle| 100.0 - idle - iowait_percent.unwrap_or(0.0));
        let busy_percent = busy.map(|busy| if (-ROUNDED..0.0).contains(&busy) { 0.0 } else { busy });
        CpuInterval { busy_percent, iowait_percent, steal_percent, cpus }
    }
}

/// Whole percents of two columns come to so much more than all of them.
const ROUNDED: f64 = 1.5;

/// Counters of processor time that only grow, in nanoseconds summed over processors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuCounters {
    /// All time, idle and waiting included.
    pub total_ns: f64,
    pub idle_ns: f64,
    /// Waiting for I/O, when known.
    pub iowait_ns: Option<f64>,
    /// Taken by the hypervisor, when known.
    pub steal_ns: Option<f64>,
    /// How many processors there are.
    pub cpus: Option<u32>,
}

/// Memory at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// All of it.
    pub total: Option<Bytes>,
    /// What programs can still have without swapping.
    pub available: Option<Bytes>,
    /// What is in use, where the tool prints it.
    pub used: Option<Bytes>,
    /// Percent in use, where the tool prints it.
    pub used_percent: Option<f64>,
    /// `available` is free + buffers + cache: an upper bound.
    pub estimated: bool,
}

/// Transactions of an application over one interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Transactions {
    /// The counter, as the file calls it (`Batch Requests/sec`).
    pub counter: Name,
    /// Of which database or instance.
    pub instance: Option<Name>,
    /// Transactions per second.
    pub per_s: f64,
}

/// A moment in the life of an I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The application asked (blktrace Q).
    Queue,
    /// The device was asked (blktrace D): what sequential and random are judged by.
    Issue,
    /// The device has answered (blktrace C).
    Complete,
}

/// One event of a trace; events come in the order of their file, which may be slightly out of time.
#[derive(Clone, Debug, PartialEq)]
pub struct IoEvent {
    /// What happened.
    pub action: Action,
    /// Read, write or discard.
    pub direction: Direction,
    /// A flush without data, or a write that carries one.
    pub flush: bool,
    /// First byte on the device, when the trace says.
    pub offset: Option<u64>,
    /// Bytes.
    pub len: Bytes,
    /// From issue to completion, where one line says both (biosnoop, fio's logs).
    pub latency: Option<Duration>,
}

/// A limit that a provider says how much of was used: direct evidence of throttling. They are told in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderLimit {
    /// Whether it is what bursts live on, rather than a limit of the moment.
    pub is_credits: bool,
    /// Which gate of the VM it is of, as the reader numbers them; none for the limit of a disk.
    pub gate: Option<u8>,
    /// Whether it counts bytes rather than I/Os.
    pub in_bytes: bool,
}

/// What the metrics of a provider are of where they are not parted by LUN.
pub const ALL_LUNS: &str = "data disks";

/// One reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Rates of a device.
    Disk {
        /// Its name, as the file has it.
        device: Name,
        /// What that stands for.
        role: Role,
        disk: DiskInterval,
    },
    /// Counters of a device.
    DiskCounters {
        /// Its name, as the file has it.
        device: Name,
        /// What that stands for.
        role: Role,
        counters: DiskCounters,
    },
    /// What the counters of a device grew by; its interval is known.
    DiskGrowth {
        /// Its name, as the file has it.
        device: Name,
        /// What that stands for.
        role: Role,
        growth: DiskGrowth,
    },
    /// Rates of all disks of the machine together (`sar -b`, `vmstat`); used for what no device says.
    Host(DiskInterval),
    /// Processors.
    Cpu(CpuInterval),
    /// Counters of processors.
    CpuCounters(CpuCounters),
    Memory(Memory),
    Transactions(Transactions),
    /// An event of a trace.
    Io {
        device: Name,
        event: IoEvent,
    },
    /// Percent of a provider's limit in use.
    Consumed {
        /// The disk, when the limit is a disk's.
        device: Option<Name>,
        limit: ProviderLimit,
        /// The metric, as the provider calls it for this disk or VM.
        metric: Name,
        percent: f64,
    },
    /// Requests in a bucket of a histogram of latencies.
    LatencyBucket {
        /// The device, when the file says.
        device: Option<Name>,
        /// Shortest.
        from: Duration,
        /// Longest.
        to: Duration,
        count: u64,
    },
    /// The machine was started, or recording began again: no interval spans this.
    Restart,
    /// Something about the recording.
    Fact(Fact),
}

/// Something about a recording, said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The tool that wrote it (`iostat -x, text`).
    Tool(Name),
    /// The kernel's release, as printed (`5.4.0-135-generic`).
    Kernel(Name),
    /// How many processors there are.
    Cpus(u32),
    /// Memory of the machine.
    MemoryTotal(Bytes),
    /// The interval that the tool was asked for.
    Interval(Duration),
    /// A volume and a device that carries it (`md0`, `sdb`).
    Member {
        volume: Name,
        /// The device below.
        member: Name,
    },
    /// What a device of the machine is called wherever it is plugged in (`nvme1n1`, the id of its volume): recordings read later have it under
    /// that name.
    Called { device: Name, name: Name },
    /// Numbers of this file have a comma before their decimals.
    DecimalComma,
    /// Lines of a layout that is known to count idle devices out (`-z`): what is missing was idle.
    IdleHidden,
}

/// A line that was not understood; the rest of its file was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What would have been accepted, or what to do; may be empty.
    pub hint: String,
}

/// Takes readings.
pub trait Sink {
    /// One reading, in the order of its file.
    fn take(&mut self, origin: Origin, common: Common, reading: Reading);
    /// The same of what the counters of a device grew by: a table has millions of these, so they come without a copy.
    fn grown(&mut self, origin: Origin, common: &Common, (device, role): (&Name, Role), growth: &DiskGrowth) {
        let reading = Reading::DiskGrowth { device: device.clone(), role, growth: *growth };
        self.take(origin, common.clone(), reading);
    }
    /// A damaged line: counted, shown, and gone on.
    fn fault(&mut self, origin: Origin, fault: Fault);
}

/// Everything as it came; for tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectedReadings {
    pub readings: Vec<(Origin, Common, Reading)>,
    /// Damaged lines.
    pub faults: Vec<(Origin, Fault)>,
}

impl Sink for CollectedReadings {
    fn take(&mut self, origin: Origin, common: Common, reading: Reading) {
        self.readings.push((origin, common, reading));
    }
    fn fault(&mut self, origin: Origin, fault: Fault) {
        self.faults.push((origin, fault));
    }
}
