//! What a recording holds as intervals of counters, for tables that keep them: the way back from [`super::Part`].
//!
//! Of counters the differences are as they were; of tools that print rates they are rates times the interval, rounded to whole numbers.
//! What a tool does not part into reads and writes is in neither, and has figures of its own.
//!
//! Ignores: what the readings mean together, and everything that is not in columns of counters.

use std::collections::BTreeMap;

use dw_units::{Bytes, Duration};

use super::clock::{Axis, scaled};
use super::ready::{Ready, list_of};
use super::recorder::Recorder;
use super::row::{Row, Sums};
use super::sample::Name;

/// What one device did in an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceInterval {
    pub device: Name,
    /// When the interval ended, in nanoseconds on the axis.
    pub at: i64,
    /// How long it was.
    pub span: Duration,
    /// The largest of several shorter ones, not a mean.
    pub is_peak: bool,
    /// Reads, writes, bytes of each, nanoseconds of each, nanoseconds outstanding, busy nanoseconds, merges, discards, flushes; then
    /// requests, bytes and nanoseconds of both directions, each where it is not parted.
    pub figures: [Option<i64>; 14],
}

/// What the machine did in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostInterval {
    /// When it ended, in nanoseconds on the axis.
    pub at: i64,
    /// How long it was.
    pub span: Duration,
    /// Processors' time, used and all.
    pub cpu_ns: Option<(i64, i64)>,
    /// Bytes in use.
    pub memory_used: Option<i64>,
    /// Bytes that programs can still have.
    pub memory_available: Option<i64>,
    pub transactions: Option<i64>,
}

/// One source of a machine.
#[derive(Clone, Debug)]
pub struct SourceIntervals {
    /// Which machine, where it is said.
    pub machine: Option<Name>,
    /// What wrote it.
    pub tool: String,
    /// Whether `at` is since 1970; else since the first reading.
    pub is_dated: bool,
    /// Its processors and memory, where they are said.
    pub cpus: Option<u32>,
    pub memory_total: Option<Bytes>,
    /// Its devices, each in the order of time.
    pub devices: Vec<DeviceInterval>,
    /// The machine, in the order of time.
    pub host: Vec<HostInterval>,
}

/// All that was recorded, source by source.
pub fn intervals(mut recorder: Recorder) -> Vec<SourceIntervals> {
    recorder.release();
    let every = recorder.options.every;
    std::mem::take(&mut recorder.sources).into_iter().map(|source| of_source(&Ready::new(source, every))).collect()
}

fn of_source(ready: &Ready) -> SourceIntervals {
    let source = &ready.source;
    let scale = if ready.axis == Axis::Reports { ready.interval.0.ns() as i64 } else { 1 };
    let mut devices = Vec::new();
    for (name, device) in &source.devices {
        for (rows, is_peak) in [(&device.rows, false), (&device.peaks, true)] {
            for row in rows {
                let span = if row.span > 0 { row.span } else { ready.interval.0.ns() };
                let (at, figures) = (scaled(row.at, scale), figures(row, span));
                let span = Duration::from_ns(span);
                devices.push(DeviceInterval { device: name.clone(), at, span, is_peak, figures });
            }
        }
    }
    SourceIntervals {
        machine: source.machine.clone(),
        tool: ready.tool(),
        is_dated: matches!(ready.axis, Axis::Utc { .. } | Axis::Local),
        cpus: source.cpus,
        memory_total: source.memory_total,
        devices,
        host: host(ready),
    }
}

fn figures(row: &Row, span: u64) -> [Option<i64>; 14] {
    let seconds = span as f64 / 1e9;
    let is_counted = row.counted_span().is_some();
    let sums: Sums = row.sums();
    let [reads, writes, ios, read_bytes, write_bytes, bytes, read_time, write_time, time, queue, rest @ ..] = sums;
    let [merges, discards, flushes] = rest;
    let whole = |value: f64| (value.is_finite() && value.abs() < 9e18).then(|| value.round() as i64);
    let scaled = |amount: super::Amount, by: f64| {
        amount.known().and_then(|value| whole(if is_counted { value } else { value * by }))
    };
    let busy = row.utilisation().known().and_then(|percent| whole(percent / 100.0 * span as f64));
    let unparted = |whole: super::Amount, parts: [super::Amount; 2]| {
        if parts.iter().any(|part| part.is_missing()) { whole } else { super::Amount::MISSING }
    };
    // A rate with two decimals hides the one request that moved the bytes.
    let at_least_one = |requests: Option<i64>, bytes: Option<i64>| match (requests, bytes) {
        (Some(0), Some(bytes)) if bytes > 0 && !is_counted => Some(1),
        (requests, _) => requests,
    };
    let [moved_in, moved_out] = [read_bytes, write_bytes].map(|bytes| scaled(bytes, seconds));
    [
        at_least_one(scaled(reads, seconds), moved_in),
        at_least_one(scaled(writes, seconds), moved_out),
        moved_in,
        moved_out,
        // Seconds a second.
        scaled(read_time, span as f64),
        scaled(write_time, span as f64),
        scaled(queue, span as f64),
        busy,
        scaled(merges, seconds),
        scaled(discards, seconds),
        scaled(flushes, seconds),
        scaled(unparted(ios, [reads, writes]), seconds),
        scaled(unparted(bytes, [read_bytes, write_bytes]), seconds),
        scaled(unparted(time, [read_time, write_time]), span as f64),
    ]
}

/// Processors, memory and transactions of one instant are one row.
fn host(ready: &Ready) -> Vec<HostInterval> {
    let mut host: BTreeMap<i64, HostInterval> = BTreeMap::new();
    let lists = (0..3).map(|slot| list_of(&ready.source, slot)).chain([ready.source.memory_available.clone()]);
    for (slot, list) in lists.enumerate() {
        let (list, _) = ready.plain(&list);
        for (at, span, value) in list {
            let row = host.entry(at).or_insert(HostInterval { at, span, ..HostInterval::default() });
            let ns = row.span.ns() as f64;
            match slot {
                0 => row.cpu_ns = Some(((value / 100.0 * ns).round() as i64, ns as i64)),
                1 => row.memory_used = Some(value.round() as i64),
                2 => row.transactions = Some((value * ns / 1e9).round() as i64),
                // Its total may be known only to whoever reads the table.
                _ => row.memory_available = Some(value.round() as i64),
            }
        }
    }
    host.into_values().collect()
}
