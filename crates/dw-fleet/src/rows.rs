//! Rows of counters of one VM as readings: what each device did between two instants, in whole numbers.
//!
//! A row that cannot be is left out and counted by what is wrong with it; the VM is planned by the others.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use diskwright::dw_observe::{
    Common, CpuInterval, DiskInterval, Fact, Fault, Memory, Name, Origin, Reading, Role, Sink, Span, Stamp, Statistic,
    Transactions,
};
use diskwright::dw_units::{Bytes, Duration, Throughput};
use diskwright::{Error, Result};

use crate::columns::{instants, number, numbers, optional, text, texts};

/// What checklists say the figures are from.
pub const TOOL: &str = "fleet counters";
/// In the metadata of a file of the counters of one VM; another layout gets another number.
pub const FILE: [&str; 2] = ["diskwright_counters", "1"];
/// The counters of a device that a row has.
pub const COUNTERS: [&str; 11] = [
    "reads",
    "writes",
    "read_bytes",
    "write_bytes",
    "read_time_ns",
    "write_time_ns",
    "queue_time_ns",
    "busy_ns",
    "merges",
    "discards",
    "flushes",
];
/// What a row without a device has besides: processors, memory, transactions of the whole VM.
pub const HOST: [&str; 4] = ["cpu_busy_ns", "cpu_total_ns", "memory_used", "transactions"];

/// Why a row was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bad {
    /// A delta is negative: a counter began again between two readings.
    CounterReset,
    /// The interval overlaps the one before it: a clock was set back, or the row is there twice.
    ClockJump,
    /// No time, or a length that is not above zero.
    NoInterval,
}

impl Bad {
    /// All.
    pub const ALL: [Bad; 3] = [Bad::CounterReset, Bad::ClockJump, Bad::NoInterval];

    /// The code of it in results.
    pub fn code(self) -> &'static str {
        match self {
            Bad::CounterReset => "counter_reset",
            Bad::ClockJump => "clock_jump",
            Bad::NoInterval => "no_interval",
        }
    }

    /// What it is, of so many rows.
    pub fn said(self) -> &'static str {
        match self {
            Bad::CounterReset => "a counter went back (negative delta)",
            Bad::ClockJump => {
                "the interval overlaps the one before it: a clock was set back, or the row is there twice"
            }
            Bad::NoInterval => "no time, or an interval that is not above zero",
        }
    }
}

/// Columns of a batch.
pub struct Columns<'a> {
    /// Whose.
    pub vm: &'a StringArray,
    device: &'a StringArray,
    ts: &'a TimestampMicrosecondArray,
    span: &'a Int64Array,
    counters: [&'a Int64Array; COUNTERS.len()],
    statistic: &'a StringArray,
    host: [Option<&'a Int64Array>; HOST.len()],
}

impl<'a> Columns<'a> {
    /// Those of a batch.
    ///
    /// # Errors
    /// Of kind `Input` where one is missing or of another type.
    pub fn of(batch: &'a RecordBatch) -> Result<Columns<'a>> {
        let vm = texts(batch, "vm")?;
        let mut counters = [numbers(batch, COUNTERS[0])?; COUNTERS.len()];
        for (column, name) in counters.iter_mut().zip(COUNTERS) {
            *column = numbers(batch, name)?;
        }
        let mut host = [None; HOST.len()];
        for (column, name) in host.iter_mut().zip(HOST) {
            *column = optional(batch, name, "int64")?;
        }
        Ok(Columns {
            vm,
            device: texts(batch, "device")?,
            ts: instants(batch, "ts")?,
            span: numbers(batch, "span_ns")?,
            counters,
            statistic: texts(batch, "statistic")?,
            host,
        })
    }
}

impl Columns<'_> {
    /// A row of nothing and no time: its VM is in the inventory.
    fn says_nothing(&self, row: usize) -> bool {
        self.ts.is_null(row) && self.device.is_null(row) && self.span.is_null(row)
    }

    /// The time of a row, in microseconds; of one without a time, the earliest.
    pub fn at(&self, row: usize) -> i64 {
        if self.ts.is_valid(row) { self.ts.value(row) } else { i64::MIN }
    }
}

/// What became of the rows of one VM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows.
    pub rows: u64,
    /// Of them, those that were left out, by reason.
    pub bad: [u64; Bad::ALL.len()],
}

impl Tally {
    /// Rows that were left out.
    pub fn dropped(&self) -> u64 {
        self.bad.iter().sum()
    }

    /// The reason of most rows that were left out.
    pub fn worst(&self) -> Option<Bad> {
        let most = self.bad.iter().copied().max().filter(|most| *most > 0)?;
        Bad::ALL.into_iter().zip(self.bad).find(|(_, count)| *count == most).map(|(bad, _)| bad)
    }
}

/// Passes rows of one VM on as readings.
#[derive(Default)]
pub struct Reader {
    file: u32,
    tally: Tally,
    /// Devices with the end of their last interval, in microseconds.
    devices: HashMap<String, (Name, i64)>,
    host_until: Option<i64>,
}

impl Reader {
    /// Says what is known of the VM before its first row; `file` is the index among the recordings.
    pub fn begin(
        file: u32,
        vm: &str,
        vcpu: Option<i64>,
        memory: Option<i64>,
        sink: &mut (impl Sink + ?Sized),
    ) -> Reader {
        let common = Common { machine: Some(vm.into()), ..Common::at(Stamp::Report { index: 0 }) };
        let facts = [
            Some(Fact::Tool(TOOL.into())),
            vcpu.and_then(|vcpu| u32::try_from(vcpu).ok()).map(Fact::Cpus),
            memory.and_then(|memory| u64::try_from(memory).ok()).map(|memory| Fact::MemoryTotal(Bytes::new(memory))),
        ];
        for fact in facts.into_iter().flatten() {
            sink.take(Origin { file, line: 0 }, common.clone(), Reading::Fact(fact));
        }
        Reader { file, ..Reader::default() }
    }

    /// What became of the rows so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Takes all rows of a batch of one VM.
    ///
    /// # Errors
    /// Of kind `Input` where a row is of another VM, or a column is not as it must be.
    pub fn take_all(&mut self, machine: &Name, batch: &RecordBatch, sink: &mut (impl Sink + ?Sized)) -> Result<()> {
        let columns = Columns::of(batch)?;
        for row in 0..batch.num_rows() {
            match text(columns.vm, row) {
                Some(vm) if vm == &**machine => self.take(machine, &columns, row, sink),
                other => {
                    let other = other.unwrap_or("none");
                    return Err(Error::input(format!("these are counters of several VMs: `{machine}`, `{other}`"))
                        .hint("`diskwright-fleet export COUNTERS --vm NAME` writes those of one"));
                }
            }
        }
        Ok(())
    }

    /// Counts a row of a VM that will not be planned.
    pub fn skip(&mut self) {
        self.tally.rows += 1;
    }

    /// Takes one row.
    pub fn take(&mut self, machine: &Name, columns: &Columns<'_>, row: usize, sink: &mut (impl Sink + ?Sized)) {
        if columns.says_nothing(row) {
            return;
        }
        self.tally.rows += 1;
        let origin = Origin { file: self.file, line: self.tally.rows };
        if let Err(bad) = self.read(machine, columns, row, origin, sink) {
            self.tally.bad[bad as usize] += 1;
            sink.fault(origin, Fault { what: bad.said().into(), hint: String::new() });
        }
    }

    fn read(
        &mut self,
        machine: &Name,
        columns: &Columns<'_>,
        row: usize,
        origin: Origin,
        sink: &mut (impl Sink + ?Sized),
    ) -> Result<(), Bad> {
        let at = columns.ts.is_valid(row).then(|| columns.ts.value(row)).ok_or(Bad::NoInterval)?;
        let span = number(columns.span, row).filter(|span| *span > 0).ok_or(Bad::NoInterval)?;
        let ns = at.checked_mul(1_000).ok_or(Bad::NoInterval)?;
        let values = columns.counters.map(|column| number(column, row));
        let host = columns.host.map(|column| column.and_then(|column| number(column, row)));
        if values.iter().chain(&host).flatten().any(|value| *value < 0) {
            return Err(Bad::CounterReset);
        }
        let is_peak = text(columns.statistic, row).is_some_and(|statistic| statistic == "max");
        let stamp = Stamp::Wall { ns, utc_offset_min: Some(0) };
        let interval = Some(Duration::from_ns(span.unsigned_abs()));
        let statistic = if is_peak { Statistic::Max } else { Statistic::Mean };
        let common = Common { machine: Some(machine.clone()), stamp, interval, span: Span::Interval, statistic };
        let Some(device) = text(columns.device, row) else {
            goes_on(&mut self.host_until, at, span)?;
            host_readings(host, span, |reading| sink.take(origin, common.clone(), reading));
            return Ok(());
        };
        let name = match self.devices.get_mut(device) {
            // Peaks are a series beside that of the means.
            Some((name, _)) if is_peak => name.clone(),
            Some((name, until)) => {
                let mut last = Some(*until);
                goes_on(&mut last, at, span)?;
                *until = at;
                name.clone()
            }
            None => {
                let name: Name = Arc::from(device);
                self.devices.insert(device.to_string(), (name.clone(), if is_peak { i64::MIN } else { at }));
                name
            }
        };
        let disk = interval_of(values, span);
        sink.take(origin, common, Reading::Disk { device: name, role: Role::Unknown, disk });
        Ok(())
    }
}

/// An interval begins where the one before it ended, but for the clock's resolution and jitter: half its length.
fn goes_on(until: &mut Option<i64>, at: i64, span_ns: i64) -> Result<(), Bad> {
    if until.is_some_and(|until| at.saturating_sub(until).saturating_mul(2_000) < span_ns) {
        return Err(Bad::ClockJump);
    }
    *until = Some(at);
    Ok(())
}

/// The rates of an interval.
fn interval_of(values: [Option<i64>; COUNTERS.len()], span: i64) -> DiskInterval {
    let [reads, writes, read_bytes, write_bytes, read_time, write_time, queue_time, busy, merges, discards, flushes] =
        values.map(|value| value.map(|value| value as f64));
    let seconds = span as f64 / 1e9;
    let per_s = |delta: Option<f64>| delta.map(|delta| delta / seconds);
    let throughput = |delta| per_s(delta).map(|rate| Throughput::bytes_per_second(rate.round() as u64));
    // Of nothing there is no latency.
    let mean = |sum: Option<f64>, n: Option<f64>| sum.zip(n).filter(|(_, n)| *n > 0.0).map(|(sum, n)| sum / n);
    let latency = |sum, n| mean(sum, n).map(|ns| Duration::from_ns(ns.round() as u64));
    let size = |sum, n| mean(sum, n).map(|bytes| Bytes::new(bytes.round() as u64));
    DiskInterval {
        reads_per_s: per_s(reads),
        writes_per_s: per_s(writes),
        read_throughput: throughput(read_bytes),
        write_throughput: throughput(write_bytes),
        write_merges_per_s: per_s(merges),
        read_latency: latency(read_time, reads),
        write_latency: latency(write_time, writes),
        read_size: size(read_bytes, reads),
        write_size: size(write_bytes, writes),
        queue_depth: queue_time.map(|time| time / span as f64),
        utilisation_percent: busy.map(|busy| 100.0 * busy / span as f64),
        discards_per_s: per_s(discards),
        flushes_per_s: per_s(flushes),
        ..DiskInterval::default()
    }
}

/// What a row without a device says of the whole VM.
fn host_readings(values: [Option<i64>; HOST.len()], span: i64, mut take: impl FnMut(Reading)) {
    let [busy, total, memory, transactions] = values;
    if let Some((busy, total)) = busy.zip(total).filter(|(_, total)| *total > 0) {
        let busy_percent = Some(100.0 * busy as f64 / total as f64);
        take(Reading::Cpu(CpuInterval { busy_percent, ..CpuInterval::default() }));
    }
    if let Some(used) = memory {
        take(Reading::Memory(Memory { used: Some(Bytes::new(used.unsigned_abs())), ..Memory::default() }));
    }
    if let Some(transactions) = transactions {
        let per_s = transactions as f64 / (span as f64 / 1e9);
        take(Reading::Transactions(Transactions { counter: "transactions".into(), instance: None, per_s }));
    }
}
