//! Rows of counters of one VM: what each device did between two instants, in whole numbers.
//!
//! A row that cannot be is left out and counted by what is wrong with it; the VM is planned by the others.

use std::collections::HashMap;

use arrow_array::{Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use diskwright::dw_observe::clock::is_plausible;
use diskwright::dw_observe::{
    DiskRow, Fault, HostRow, IMPOSSIBLE_BYTES_PER_S, IMPOSSIBLE_PER_S, Machine, Origin, Part, Sink, Statistic,
};
use diskwright::dw_units::Bytes;
use diskwright::{Error, Result};

use crate::code::Code;
use crate::columns::{instants, number, numbers, optional, text, texts};

/// What checklists say the figures are from.
pub const TOOL: &str = "counters";
/// In the metadata of a file of the counters of one VM; another layout gets another number.
pub const FILE: [&str; 2] = ["diskwright_counters", "1"];
/// The counters of a device that a row has; those after the first four may be absent.
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
/// Counters that must be there.
const NEEDED: usize = 4;
/// What a row has in their place where its source does not part reads from writes.
pub const UNPARTED: [&str; 3] = ["ios", "bytes", "io_time_ns"];
/// What a row without a device has besides: processors, memory, transactions of the whole VM.
pub const HOST: [&str; 5] = ["cpu_busy_ns", "cpu_total_ns", "memory_used", "transactions", "memory_available"];

/// All figures of a device.
const FIGURES: usize = COUNTERS.len() + UNPARTED.len();
/// Shorter intervals are no measurement, and longer ones no series; in nanoseconds.
const SPANS: std::ops::RangeInclusive<i64> = 1_000_000..=31 * 86_400_000_000_000;
/// Of fewer requests rounded rates say too little.
const FEW: i64 = 10;
/// Smaller than half a sector no request is on average.
const SMALLEST: i64 = 256;
/// A request that a rounded rate hides moves no more.
const ONE_REQUEST: i64 = 1 << 20;
/// No request takes less on average, in nanoseconds.
const FASTEST: i64 = 100;
/// Nor more: the longest timeout that systems give a disk.
const SLOWEST: i64 = 300_000_000_000;
/// Requests slower than this, in nanoseconds, are seen by a kernel that counts its queue in ticks (Linux 5.0 to 5.6).
const SEEN_BY_TICKS: i64 = 100_000_000;
/// Two figures of one thing that are further apart than this have different units.
const UNITS_APART: i64 = 100;
/// Time that counters add to an interval that ends a little later than its stamp, as a part of it: 1 in so many.
const LATE: i64 = 10;

/// Why a row was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bad {
    /// A delta is negative: a counter began again between two readings.
    CounterReset,
    /// The interval overlaps the one before it: a clock was set back, or the row is there twice.
    ClockJump,
    /// No time, or a length that is not above zero.
    NoInterval,
    /// Before the row above it.
    Unsorted,
    /// Neither a mean nor a peak.
    Statistic,
    /// A time or a length that no measurement has.
    Time,
    /// More than any device does.
    Rate,
    /// Requests without bytes, or bytes without requests.
    Size,
    /// Requests that take no time, or minutes.
    Latency,
    /// Busy for longer than the interval.
    Busy,
}

impl Bad {
    /// All.
    pub const ALL: [Bad; 10] = [
        Bad::CounterReset,
        Bad::ClockJump,
        Bad::NoInterval,
        Bad::Unsorted,
        Bad::Statistic,
        Bad::Time,
        Bad::Rate,
        Bad::Size,
        Bad::Latency,
        Bad::Busy,
    ];

    /// The code of it in results.
    pub fn code(self) -> Code {
        match self {
            Bad::CounterReset => Code::CounterReset,
            Bad::ClockJump => Code::ClockJump,
            Bad::NoInterval => Code::NoInterval,
            Bad::Unsorted => Code::Unsorted,
            Bad::Statistic => Code::Statistic,
            Bad::Time | Bad::Rate | Bad::Size | Bad::Latency | Bad::Busy => Code::Implausible,
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
            Bad::Unsorted => "`ts` is earlier than in the row before (rows must be sorted by vm, ts, device)",
            Bad::Statistic => "`statistic` is neither `mean` nor `max`",
            Bad::Time => "`ts` is before 1970 or after 2115, or `span_ns` is below 1 ms or above 31 days",
            Bad::Rate => "more requests or bytes than any device serves in `span_ns`",
            Bad::Size => "requests of less than 256 bytes on average, or bytes without requests (are they in bytes?)",
            Bad::Latency => {
                "mean latency below 100 ns or above 300 s, or far from `queue_time_ns` (are times in nanoseconds?)"
            }
            Bad::Busy => "busy for longer than the interval (are times in nanoseconds?)",
        }
    }
}

/// Columns of a batch.
pub struct Columns<'a> {
    pub vm: &'a StringArray,
    device: &'a StringArray,
    ts: &'a TimestampMicrosecondArray,
    span: &'a Int64Array,
    figures: [Option<&'a Int64Array>; FIGURES],
    statistic: Option<&'a StringArray>,
    host: [Option<&'a Int64Array>; HOST.len()],
}

impl<'a> Columns<'a> {
    /// Those of a batch.
    ///
    /// # Errors
    /// Of kind `Input` where one is missing or of another type.
    pub fn from_batch(batch: &'a RecordBatch) -> Result<Columns<'a>> {
        let mut figures = [None; FIGURES];
        for (place, (column, name)) in figures.iter_mut().zip(COUNTERS.into_iter().chain(UNPARTED)).enumerate() {
            *column = if place < NEEDED { Some(numbers(batch, name)?) } else { optional(batch, name, "int64")? };
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
            figures,
            statistic: optional(batch, "statistic", "string")?,
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
    /// Bytes, and requests, in all its intervals.
    did: [i64; 2],
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
    pub fn new(vm: &str, vcpu: Option<i64>, memory: Option<i64>) -> Rows {
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

    /// What each device did in all: its name, bytes, requests.
    pub fn did(&self) -> impl Iterator<Item = (&str, [i64; 2])> {
        self.lines.iter().map(|line| (line.name.as_str(), line.did))
    }

    /// Takes rows of a batch, from one to before another.
    pub fn take(&mut self, columns: &Columns<'_>, rows: std::ops::Range<usize>) {
        for row in rows.filter(|row| !columns.says_nothing(*row)) {
            self.tally.rows += 1;
            if let Err(bad) = self.in_order(columns, row).and_then(|()| self.keep(columns, row)) {
                self.tally.bad[bad as usize] += 1;
                self.left_out.push((self.tally.rows, bad));
            }
        }
    }

    /// A row without a time may stand anywhere, and is left out for that.
    fn in_order(&mut self, columns: &Columns<'_>, row: usize) -> Result<(), Bad> {
        let Some(at) = columns.at(row) else { return Ok(()) };
        if at < self.last_at {
            return Err(Bad::Unsorted);
        }
        self.last_at = at;
        Ok(())
    }

    /// Counts rows of a VM that will not be planned.
    pub fn skip(&mut self, columns: &Columns<'_>, rows: std::ops::Range<usize>) {
        self.tally.rows += rows.filter(|row| !columns.says_nothing(*row)).count() as u64;
    }

    /// Takes all rows of a batch, which are of this VM.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type, or a row is of another VM.
    pub fn take_all(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = Columns::from_batch(batch)?;
        let vm = self.machine.name.as_deref().unwrap_or_default();
        if let Some(other) = columns.vm.iter().find(|name| *name != Some(vm)) {
            let other = other.unwrap_or("nobody");
            return Err(Error::input(format!("this file has counters of `{vm}` and of `{other}`"))
                .hint("`diskwright-fleet export COUNTERS --vm NAME` writes one VM"));
        }
        self.take(&columns, 0..batch.num_rows());
        Ok(())
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
        let at = columns.at(row).ok_or(Bad::NoInterval)?;
        let span = number(columns.span, row).filter(|span| *span > 0).ok_or(Bad::NoInterval)?;
        if !at.checked_mul(1_000).is_some_and(is_plausible) || !SPANS.contains(&span) {
            return Err(Bad::Time);
        }
        let statistic = match columns.statistic.and_then(|column| text(column, row)).unwrap_or("mean") {
            "mean" => Statistic::Mean,
            "max" => Statistic::Max,
            _ => return Err(Bad::Statistic),
        };
        let is_device = columns.device.is_valid(row);
        let of = |column: Option<&Int64Array>| column.and_then(|column| number(column, row));
        let values = columns.figures.map(|column| of(column).filter(|_| is_device));
        let host = columns.host.map(|column| of(column).filter(|_| !is_device));
        if values.iter().chain(&host).flatten().any(|value| *value < 0) {
            return Err(Bad::CounterReset);
        }
        let is_peak = statistic == Statistic::Max;
        if !is_device {
            if host[0].zip(host[1]).is_some_and(|(busy, all)| busy > all.saturating_add(all / LATE)) {
                return Err(Bad::Busy);
            }
            // Nobody says what a peak of the whole VM is of.
            if !is_peak {
                follows(&mut self.host_until, at, span)?;
                self.part.add_host([HostRow::new(at, span, host)]);
            }
            return Ok(());
        }
        can_be(&values, span, is_peak)?;
        let line = self.line(columns.device.value(row));
        // Peaks are a series beside that of the means.
        if !is_peak {
            follows(&mut line.until, at, span)?;
            let [reads, writes, read_bytes, write_bytes, .., ios, bytes, _] = values;
            let add =
                |sum: i64, figures: [Option<i64>; 3]| figures.into_iter().flatten().fold(sum, i64::saturating_add);
            line.did = [add(line.did[0], [read_bytes, write_bytes, bytes]), add(line.did[1], [reads, writes, ios])];
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

/// Whether an interval begins where the one before it ended, within the clock's resolution and jitter: half its length.
fn follows(until: &mut Option<i64>, at: i64, span: i64) -> Result<(), Bad> {
    if until.is_some_and(|until| at.saturating_sub(until).saturating_mul(2_000) < span) {
        return Err(Bad::ClockJump);
    }
    *until = Some(at);
    Ok(())
}

/// Whether a device can have done this in an interval. Peaks are of different moments, so only each by itself can be judged.
fn can_be(values: &[Option<i64>; FIGURES], span: i64, is_peak: bool) -> Result<(), Bad> {
    let [reads, writes, read_bytes, write_bytes, read_time, write_time, queue_time, busy, .., ios, bytes, io_time] =
        *values;
    let seconds = span as f64 / 1e9;
    let exceeds = |most: f64| move |figure: i64| figure as f64 / seconds > most;
    if [reads, writes, ios].into_iter().flatten().any(exceeds(IMPOSSIBLE_PER_S))
        || [read_bytes, write_bytes, bytes].into_iter().flatten().any(exceeds(IMPOSSIBLE_BYTES_PER_S))
    {
        return Err(Bad::Rate);
    }
    if busy.is_some_and(|busy| busy > span.saturating_add(span / LATE)) {
        return Err(Bad::Busy);
    }
    if is_peak {
        return Ok(());
    }
    for (requests, bytes) in [(reads, read_bytes), (writes, write_bytes), (ios, bytes)] {
        match (requests, bytes) {
            (Some(0), Some(bytes)) if bytes > ONE_REQUEST => return Err(Bad::Size),
            (Some(requests @ FEW..), Some(bytes)) if bytes / requests < SMALLEST => return Err(Bad::Size),
            _ => {}
        }
    }
    for (requests, time) in [(reads, read_time), (writes, write_time), (ios, io_time)] {
        let (Some(requests @ 1..), Some(time @ 1..)) = (requests, time) else { continue };
        let mean = time / requests;
        if mean > SLOWEST || (requests >= FEW && mean < FASTEST) {
            return Err(Bad::Latency);
        }
    }
    // Requests outstanding, added up over time, are the time that they took.
    let time = read_time.zip(write_time).map(|(reads, writes)| reads.saturating_add(writes)).or(io_time);
    let requests = reads.zip(writes).map(|(reads, writes)| reads.saturating_add(writes)).or(ios);
    if let (Some(time), Some(queue), Some(requests @ 1..)) = (time, queue_time, requests) {
        let has_queue = queue > span / 50;
        if has_queue && queue / UNITS_APART > time
            || time / UNITS_APART > queue && time > span / 50 && time / requests > SEEN_BY_TICKS
        {
            return Err(Bad::Latency);
        }
    }
    Ok(())
}
