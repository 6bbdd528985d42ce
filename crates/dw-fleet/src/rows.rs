//! Rows of counters of one VM: what each device did between two instants, in whole numbers.
//!
//! A row that cannot be is left out and counted by what is wrong with it; the VM is planned by the others.

use std::collections::HashMap;

use arrow_array::{Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use diskwright::dw_observe::{DiskRow, Fault, HostRow, Machine, Origin, Part, Sink, Statistic};
use diskwright::dw_units::Bytes;
use diskwright::{Error, Result};

use crate::code::Code;
use crate::columns::{instants, number, numbers, optional, text, texts};

/// What checklists say the figures are from.
pub const TOOL: &str = "counters";
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
    pub fn code(self) -> Code {
        match self {
            Bad::CounterReset => Code::CounterReset,
            Bad::ClockJump => Code::ClockJump,
            Bad::NoInterval => Code::NoInterval,
        }
    }

    /// What it is, as a sentence without its end.
    pub fn said(self) -> &'static str {
        match self {
            Bad::CounterReset => "a counter went backwards (negative delta)",
            Bad::ClockJump => {
                "the interval overlaps the previous one (the clock was set back, or the row is a duplicate)"
            }
            Bad::NoInterval => "`ts` is missing, or `span_ns` is not above zero",
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
        let mut counters = [numbers(batch, COUNTERS[0])?; COUNTERS.len()];
        for (column, name) in counters.iter_mut().zip(COUNTERS) {
            *column = numbers(batch, name)?;
        }
        let mut host = [None; HOST.len()];
        for (column, name) in host.iter_mut().zip(HOST) {
            *column = optional(batch, name, "int64")?;
        }
        Ok(Columns {
            vm: texts(batch, "vm")?,
            device: texts(batch, "device")?,
            ts: instants(batch, "ts")?,
            span: numbers(batch, "span_ns")?,
            counters,
            statistic: texts(batch, "statistic")?,
            host,
        })
    }

    /// The time of a row, in microseconds.
    fn at(&self, row: usize) -> Option<i64> {
        self.ts.is_valid(row).then(|| self.ts.value(row))
    }

    /// A row of nothing and no time: its VM is in the inventory.
    fn says_nothing(&self, row: usize) -> bool {
        self.ts.is_null(row) && self.device.is_null(row) && self.span.is_null(row)
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

/// A device.
#[derive(Debug, Default)]
struct Line {
    name: String,
    /// The end of its last interval.
    until: Option<i64>,
    /// Rows that were not read yet.
    rows: Vec<DiskRow>,
}

/// The rows of one VM.
pub struct Rows {
    machine: Machine,
    tally: Tally,
    /// Rows that were left out, by their place from 1.
    left_out: Vec<(u64, Bad)>,
    last_at: i64,
    part: Part,
    lines: Vec<Line>,
    places: HashMap<String, usize>,
    /// The end of the last interval of the whole VM.
    host_until: Option<i64>,
    /// The place after that of the last row: devices come in turn.
    next: usize,
}

impl Rows {
    /// None yet, of a VM of which this is known.
    pub fn of(vm: &str, vcpu: Option<i64>, memory: Option<i64>) -> Rows {
        let machine = Machine {
            name: Some(vm.into()),
            tool: Some(TOOL.into()),
            cpus: vcpu.and_then(|vcpu| u32::try_from(vcpu).ok()),
            memory_total: memory.and_then(|memory| u64::try_from(memory).ok()).map(Bytes::new),
        };
        Rows {
            machine,
            tally: Tally::default(),
            left_out: Vec::new(),
            last_at: i64::MIN,
            part: Part::new(),
            lines: Vec::new(),
            places: HashMap::new(),
            host_until: None,
            next: 0,
        }
    }

    /// What became of the rows so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Takes rows of a batch, from one to before another.
    ///
    /// # Errors
    /// Of kind `Input` where they are not in the order of time.
    pub fn take(&mut self, columns: &Columns<'_>, rows: std::ops::Range<usize>) -> Result<()> {
        for row in rows.filter(|row| !columns.says_nothing(*row)) {
            // A row without a time may stand anywhere, and is left out.
            if let Some(at) = columns.at(row) {
                if at < self.last_at {
                    let vm = self.machine.name.as_deref().unwrap_or_default();
                    return Err(Error::input(format!("rows of VM `{vm}` are not sorted by `ts`"))
                        .hint("sort by vm, ts, device"));
                }
                self.last_at = at;
            }
            self.tally.rows += 1;
            if let Err(bad) = self.keep(columns, row) {
                self.tally.bad[bad as usize] += 1;
                self.left_out.push((self.tally.rows, bad));
            }
        }
        Ok(())
    }

    /// Counts rows of a VM that will not be planned.
    pub fn skip(&mut self, columns: &Columns<'_>, rows: std::ops::Range<usize>) {
        self.tally.rows += rows.filter(|row| !columns.says_nothing(*row)).count() as u64;
    }

    /// Takes all rows of a batch, which are of this VM.
    ///
    /// # Errors
    /// As `take`, and where a row is of another VM.
    pub fn take_all(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = Columns::of(batch)?;
        let vm = self.machine.name.as_deref().unwrap_or_default();
        if let Some(other) = columns.vm.iter().find(|name| *name != Some(vm)) {
            let other = other.unwrap_or("nobody");
            return Err(Error::input(format!("this file has counters of `{vm}` and of `{other}`"))
                .hint("`diskwright-fleet export COUNTERS --vm NAME` writes one VM"));
        }
        self.take(&columns, 0..batch.num_rows())
    }

    /// Reads them all, in the order of time, as the recording of this index.
    pub fn read(&mut self, file: u32, sink: &mut dyn Sink) {
        for Line { name, rows, .. } in self.lines.iter_mut().filter(|line| !line.rows.is_empty()) {
            self.part.add_disk(name, std::mem::take(rows));
        }
        // Disks and the whole VM are one table here.
        self.part.read(&self.machine, [file; 2], sink);
        for (line, bad) in &self.left_out {
            sink.fault(Origin { file, line: *line }, Fault { what: bad.said().into(), hint: String::new() });
        }
    }

    fn keep(&mut self, columns: &Columns<'_>, row: usize) -> Result<(), Bad> {
        let at = columns.at(row).filter(|at| at.checked_mul(1_000).is_some()).ok_or(Bad::NoInterval)?;
        let span = number(columns.span, row).filter(|span| *span > 0).ok_or(Bad::NoInterval)?;
        let is_device = columns.device.is_valid(row);
        let values = columns.counters.map(|column| number(column, row).filter(|_| is_device));
        let host = columns.host.map(|column| column.and_then(|column| number(column, row)).filter(|_| !is_device));
        if values.iter().chain(&host).flatten().any(|value| *value < 0) {
            return Err(Bad::CounterReset);
        }
        let is_peak = text(columns.statistic, row) == Some("max");
        let statistic = if is_peak { Statistic::Max } else { Statistic::Mean };
        if !is_device {
            // Nobody says what a peak of the whole VM is of.
            if !is_peak {
                follows(&mut self.host_until, at, span)?;
                self.part.add_host([HostRow::new(at, span, host)]);
            }
            return Ok(());
        }
        let line = self.line(columns.device.value(row));
        // Peaks are a series beside that of the means.
        if !is_peak {
            follows(&mut line.until, at, span)?;
        }
        line.rows.push(DiskRow::new(at, span, values, statistic));
        Ok(())
    }

    fn line(&mut self, device: &str) -> &mut Line {
        let guess = if self.next < self.lines.len() { self.next } else { 0 };
        let place = match self.lines.get(guess) {
            Some(line) if line.name == device => guess,
            _ => *self.places.entry(device.to_string()).or_insert_with(|| {
                self.lines.push(Line { name: device.to_string(), ..Line::default() });
                self.lines.len() - 1
            }),
        };
        self.next = place + 1;
        &mut self.lines[place]
    }
}

/// Whether an interval begins where the one before it ended, but for the clock's resolution and jitter: half its length.
fn follows(until: &mut Option<i64>, at: i64, span: i64) -> Result<(), Bad> {
    if until.is_some_and(|until| at.saturating_sub(until).saturating_mul(2_000) < span) {
        return Err(Bad::ClockJump);
    }
    *until = Some(at);
    Ok(())
}
