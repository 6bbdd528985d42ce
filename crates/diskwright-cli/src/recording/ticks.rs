//! One reading of the kernel's counters, one event of its trace, and how both become readings of a recording.

use std::sync::Arc;

use dw_observe::{
    Action, Common, CpuCounters, DiskCounters, Fact, IoEvent, Memory, Name, Origin, Reading, Role, Sink, Span, Stamp,
    Statistic,
};
use dw_units::{Bytes, Duration};
use dw_workload::Direction;

/// Counters of a device, in the order of `/proc/diskstats` after the name.
pub const FIELDS: usize = 17;
/// Their names in files.
pub const NAMES: [&str; FIELDS] = [
    "reads",
    "reads_merged",
    "sectors_read",
    "read_ms",
    "writes",
    "writes_merged",
    "sectors_written",
    "write_ms",
    "in_flight",
    "busy_ms",
    "queue_ms",
    "discards",
    "discards_merged",
    "sectors_discarded",
    "discard_ms",
    "flushes",
    "flush_ms",
];
/// The kernel's sectors, whatever those of the device are.
const SECTOR: f64 = 512.0;

/// What is said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The machine's name.
    pub machine: Option<String>,
    pub kernel: Option<String>,
    /// Volumes and the devices below.
    pub members: Vec<(String, String)>,
    /// Between two ticks.
    pub every: std::time::Duration,
}

/// One device at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLine {
    pub device: Name,
    /// Its counters; those that this kernel does not have are absent.
    pub counters: [Option<u64>; FIELDS],
}

/// The machine at a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineLine {
    /// Processor time of all kinds, in ticks of 10 ms.
    pub cpu_total: u64,
    pub cpu_idle: u64,
    /// Waiting for I/O.
    pub cpu_iowait: u64,
    /// Taken by the hypervisor.
    pub cpu_steal: u64,
    /// Processors.
    pub cpus: u64,
    /// Memory, in bytes.
    pub memory_total: u64,
    /// Memory that can still be had, in bytes.
    pub memory_available: u64,
}

/// One reading of everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Nanoseconds since 1970, UTC.
    pub at: i64,
    pub devices: Vec<DeviceLine>,
    pub machine: MachineLine,
}

impl Tick {
    /// Requests and bytes per second since another tick, of all disks that are no parts of others.
    pub fn since(&self, last: &Tick) -> (f64, f64) {
        let seconds = (self.at - last.at) as f64 / 1e9;
        let mut sums = (0.0, 0.0);
        for line in &self.devices {
            let whole = !self.devices.iter().any(|d| d.device != line.device && line.device.starts_with(&*d.device));
            let Some(old) = last.devices.iter().find(|d| d.device == line.device).filter(|_| whole) else { continue };
            let grown = |i: usize| line.counters[i].unwrap_or(0).saturating_sub(old.counters[i].unwrap_or(0)) as f64;
            sums.0 += grown(0) + grown(4);
            sums.1 += (grown(2) + grown(6)) * SECTOR;
        }
        if seconds > 0.0 { (sums.0 / seconds, sums.1 / seconds) } else { (0.0, 0.0) }
    }
}

/// An event of the kernel's trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Nanoseconds since 1970, UTC.
    pub at: i64,
    pub device: Name,
    /// What happened.
    pub action: Action,
    /// Read, write, discard.
    pub direction: Direction,
    pub flush: bool,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

/// Passes ticks and events on as readings.
#[derive(Debug)]
pub struct Feeder {
    machine: Option<Name>,
    origin: Origin,
}

impl Feeder {
    /// Begins with the facts.
    pub fn new(file: u32, facts: &Facts, sink: &mut dyn Sink) -> Feeder {
        let machine = facts.machine.as_deref().map(Arc::from);
        let origin = Origin { file, line: 0 };
        let mut feeder = Feeder { machine, origin };
        feeder.fact(Fact::Tool("diskwright observe".into()), sink);
        if let Some(kernel) = &facts.kernel {
            feeder.fact(Fact::Kernel(kernel.as_str().into()), sink);
        }
        feeder.fact(Fact::Interval(Duration::from_ns(facts.every.as_nanos() as u64)), sink);
        for (volume, member) in &facts.members {
            feeder.fact(Fact::Member { volume: volume.as_str().into(), member: member.as_str().into() }, sink);
        }
        feeder
    }

    fn fact(&mut self, fact: Fact, sink: &mut dyn Sink) {
        let common = self.common(0);
        sink.take(self.origin, common, Reading::Fact(fact));
    }

    fn common(&self, at: i64) -> Common {
        Common {
            machine: self.machine.clone(),
            stamp: Stamp::Wall { ns: at, utc_offset_min: Some(0) },
            interval: None,
            span: Span::Interval,
            statistic: Statistic::Mean,
        }
    }

    fn next(&mut self) -> Origin {
        self.origin.line += 1;
        self.origin
    }

    pub fn tick(&mut self, tick: &Tick, sink: &mut dyn Sink) {
        for line in &tick.devices {
            self.device(tick.at, line, sink);
        }
        self.machine(tick.at, &tick.machine, sink);
    }

    /// One device.
    pub fn device(&mut self, at: i64, line: &DeviceLine, sink: &mut dyn Sink) {
        let origin = self.next();
        let count = |i: usize| line.counters[i].map(|n| n as f64);
        let scaled = |i: usize, by: f64| count(i).map(|n| n * by);
        let ms = 1e6;
        let counters = DiskCounters {
            reads: count(0),
            read_merges: count(1),
            read_bytes: scaled(2, SECTOR),
            read_time_ns: scaled(3, ms),
            writes: count(4),
            write_merges: count(5),
            write_bytes: scaled(6, SECTOR),
            write_time_ns: scaled(7, ms),
            queue_depth_now: count(8),
            busy_time_ns: scaled(9, ms),
            queue_time_ns: scaled(10, ms),
            discards: count(11),
            discard_bytes: scaled(13, SECTOR),
            discard_time_ns: scaled(14, ms),
            flushes: count(15),
            flush_time_ns: scaled(16, ms),
            times_wrap_at_u32_ms: true,
        };
        let reading = Reading::DiskCounters { device: line.device.clone(), role: Role::Unknown, counters };
        sink.take(origin, self.common(at), reading);
    }

    pub fn machine(&mut self, at: i64, line: &MachineLine, sink: &mut dyn Sink) {
        let origin = self.next();
        let tick = 1e7;
        let cpu = CpuCounters {
            total_ns: line.cpu_total as f64 * tick,
            idle_ns: line.cpu_idle as f64 * tick,
            iowait_ns: Some(line.cpu_iowait as f64 * tick),
            steal_ns: Some(line.cpu_steal as f64 * tick),
            cpus: u32::try_from(line.cpus).ok(),
        };
        sink.take(origin, self.common(at), Reading::CpuCounters(cpu));
        let memory = Memory {
            total: Some(Bytes::new(line.memory_total)),
            available: Some(Bytes::new(line.memory_available)),
            ..Memory::default()
        };
        sink.take(origin, self.common(at), Reading::Memory(memory));
    }

    pub fn event(&mut self, event: &Event, sink: &mut dyn Sink) {
        let origin = self.next();
        let io = IoEvent {
            action: event.action,
            direction: event.direction,
            flush: event.flush,
            offset: Some(event.offset),
            len: Bytes::new(event.len),
            latency: None,
        };
        sink.take(origin, self.common(event.at), Reading::Io { device: event.device.clone(), event: io });
    }
}
