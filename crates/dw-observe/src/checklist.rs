//! The requirements checklist: fifteen rows at the 50th, 90th and 99th percentile, and the details behind them.
//!
//! Each row is computed from the joint series of a volume by the formula in `docs/model/checklist.md`. Means over I/Os
//! (latency, size, shares) are sums divided by sums, never means of means. "Maximum" rows take the largest interval of
//! each bucket of [`bucket`] and then percentiles of those; "average" rows take percentiles of the intervals.
//!
//! Ignores: what the I/Os within one interval did one by one, unless there is a trace.
//!
//! Invariant: in every row p50 <= p90 <= p99 <= max; what no source says is unknown, with what would fill it.

use dw_demand::Provenance;
use dw_messages::{Figure as Shown, Sentence, say};
use dw_units::Duration;

use super::amount::Amount;
use super::gathered::{Figure, Gathered, OtherGathered, Sums};
use super::percentile::{Percentile, SortedReadings};
use super::point::Point;
use super::randomness::Pattern;
pub(crate) use super::row_id::Readings;
pub use super::row_id::{RowId, Unit, bucket};

/// A figure with the interval that holds the true one with 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The figure.
    pub value: f64,
    /// Lower end, when the recording bounds it.
    pub low: Option<f64>,
    /// Upper end, when the recording bounds it.
    pub high: Option<f64>,
}

/// A row with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub id: RowId,
    /// Smallest.
    pub min: Option<f64>,
    /// The mean: over I/Os where I/Os have the figure, else over time.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<Cell>,
    /// 90th percentile.
    pub p90: Option<Cell>,
    /// 99th percentile.
    pub p99: Option<Cell>,
    /// Largest.
    pub max: Option<f64>,
    /// Readings.
    pub n: usize,
    /// The length that one of them stands for.
    pub interval: Duration,
    /// How it is known.
    pub provenance: Provenance,
    /// Who says so: tool and files.
    pub source: String,
    /// What the figures are, when the label is not enough.
    pub note: Option<Sentence>,
    /// What would fill an unknown row.
    pub fill: Option<Sentence>,
}

impl Row {
    /// A row that no source fills.
    pub fn unknown(id: RowId, note: Option<Sentence>, fill: impl Into<Option<Sentence>>) -> Row {
        Row {
            id,
            min: None,
            mean: None,
            p50: None,
            p90: None,
            p99: None,
            max: None,
            n: 0,
            interval: Duration::ZERO,
            provenance: Provenance::Unknown,
            source: String::new(),
            note,
            fill: fill.into(),
        }
    }
    /// A row that the user has said.
    pub fn asked(id: RowId, value: f64) -> Row {
        let cell = Some(Cell { value, low: None, high: None });
        Row {
            min: Some(value),
            mean: Some(value),
            p50: cell,
            p90: cell,
            p99: cell,
            max: Some(value),
            provenance: Provenance::Asked,
            source: "command line".into(),
            ..Row::unknown(id, None, None)
        }
    }
    /// A row from readings, whose mean is that over time.
    pub fn from_readings(
        id: RowId,
        readings: &mut SortedReadings,
        interval: Duration,
        provenance: Provenance,
        source: &str,
    ) -> Option<Row> {
        let row = Row::without_mean(id, readings, interval, provenance, source)?;
        Some(Row { mean: readings.mean(), ..row })
    }
    fn without_mean(
        id: RowId,
        readings: &mut SortedReadings,
        interval: Duration,
        provenance: Provenance,
        source: &str,
    ) -> Option<Row> {
        let cell = |readings: &mut SortedReadings, p: Percentile| {
            let (low, high) = readings.confidence(p);
            readings.at(p).map(|value| Cell { value, low, high })
        };
        let row = Row {
            min: readings.min(),
            p50: cell(readings, Percentile::P50),
            p90: cell(readings, Percentile::P90),
            p99: cell(readings, Percentile::P99),
            max: readings.max(),
            n: readings.len(),
            interval,
            provenance,
            source: source.to_string(),
            ..Row::unknown(id, None, None)
        };
        (!readings.is_empty()).then_some(row)
    }
    /// With a mean that is not that over time.
    pub fn with_mean(self, mean: Amount) -> Row {
        Row { mean: mean.known().or(self.mean), ..self }
    }
    /// With a note.
    pub fn noted(self, note: Sentence) -> Row {
        Row { note: Some(note), ..self }
    }
}

/// The rows of one volume in one window.
#[derive(Clone, Debug, PartialEq)]
pub struct Checklist {
    /// The window's name.
    pub window: String,
    /// How long the window's intervals are together.
    pub covered: Duration,
    /// All rows, in the order of [`RowId::ALL`].
    pub rows: Vec<Row>,
}

impl Checklist {
    /// A row; every checklist has all.
    pub fn row(&self, id: RowId) -> Option<&Row> {
        self.rows.iter().find(|r| r.id == id)
    }
}

/// A thing besides the disks, as far as a source has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Other {
    /// What was folded away before `readings`.
    pub past: Option<OtherGathered>,
    pub readings: Readings,
    pub interval: Duration,
    pub source: String,
    pub note: Option<Sentence>,
    pub estimated: bool,
}

impl Other {
    /// Its readings, or the largest of each bucket of them.
    fn figure(&self, largest: bool) -> Figure {
        let past = self.past.as_ref().map(|past| if largest { &past.largest } else { &past.plain });
        let mut figure = past.cloned().unwrap_or_default();
        let width = bucket(self.interval);
        for reading in &self.readings {
            if largest {
                figure.best_of(width, f64::max, (reading.0, reading.1, reading.2.into()));
            } else {
                figure.add(reading.2, reading.1);
            }
        }
        figure
    }
}

/// Random and sequential over time, where a trace says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    pub intervals: Vec<(i64, Duration, Pattern)>,
    pub source: String,
    /// What was judged: issue events, or others.
    pub level: &'static str,
    pub queue_level: Option<Pattern>,
}

/// Why the requests of a trace are known, and how many a second is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rateless {
    /// They are listed without times.
    Untimed,
    /// A rate needs a duration.
    Short {
        /// From the first event to the last.
        length: Duration,
        /// The interval that rates are counted over.
        interval: Duration,
    },
}

impl Rateless {
    /// Whether a row is unknown then.
    fn hides(self, id: RowId) -> bool {
        use RowId::*;
        match id {
            ReadShare | WriteShare | Random | Sequential | IoSize | ReadSize | WriteSize | CpuMax | CpuAverage
            | MemoryMax | MemoryAverage => false,
            // Each request has its own, however few they are.
            LatencyMin | LatencyAverage | ReadLatency | WriteLatency => self == Rateless::Untimed,
            _ => true,
        }
    }
    /// What would fill such rows.
    pub(crate) fn fill(self) -> Sentence {
        match self {
            Rateless::Untimed => say!(RateUntimedHint),
            Rateless::Short { length, .. } if length == Duration::ZERO => say!(RateInstantHint),
            Rateless::Short { .. } => say!(RateShortHint),
        }
    }
    /// Why there is no rate.
    pub fn why(self) -> Sentence {
        match self {
            Rateless::Untimed => say!(RateUntimed),
            Rateless::Short { length, .. } if length == Duration::ZERO => say!(RateInstant),
            Rateless::Short { length, interval } => {
                say!(RateShort { length: length.to_string(), interval: interval.to_string() })
            }
        }
    }
}

/// What a checklist is made of; all of it already within one window.
pub(crate) struct Parts<'a> {
    pub window: &'a str,
    /// What was folded away before `points`.
    pub past: Option<&'a Gathered>,
    pub points: &'a [Point],
    pub interval: Duration,
    pub source: &'a str,
    pub estimated: bool,
    /// Why requests are known, and rates are not.
    pub rateless: Option<Rateless>,
    pub transactions: Option<&'a Other>,
    pub cpu: Option<&'a Other>,
    pub memory: Option<&'a Other>,
    pub patterns: Option<&'a Patterns>,
    pub random_asked: Option<f64>,
    pub trace_command: &'a str,
}

/// Fills every row.
pub(crate) fn fill(parts: &Parts) -> Checklist {
    let mut gathered = parts.past.cloned().unwrap_or_else(Gathered::new);
    gathered.add(parts.points, parts.interval);
    let rows = RowId::ALL.iter().map(|id| row(parts, &mut gathered, *id)).collect();
    Checklist { window: parts.window.to_string(), covered: gathered.sums.covered, rows }
}

/// A row, from what was gathered, past and present.
fn row(parts: &Parts, gathered: &mut Gathered, id: RowId) -> Row {
    use RowId::*;
    if let Some(rateless) = parts.rateless.filter(|rateless| rateless.hides(id)) {
        return Row::unknown(id, Some(rateless.why()), rateless.fill());
    }
    match id {
        Transactions => transactions(parts, gathered.take(id)),
        Random | Sequential => pattern(parts, &gathered.sums, id),
        CpuMax | CpuAverage => other(parts.cpu, id, || say!(NoteNoCpu), say!(FillCpu)),
        MemoryMax | MemoryAverage => other(parts.memory, id, || say!(NoteNoMemory), say!(FillMemory)),
        ThroughputMax | LatencyMin => extreme(parts, gathered.take(id), id),
        _ => plain(parts, gathered.take(id), id),
    }
}

fn derived(id: RowId, parts: &Parts) -> Provenance {
    use RowId::*;
    match id {
        _ if parts.estimated => Provenance::Estimated,
        Iops | ReadIops | WriteIops | ThroughputAverage | ThroughputMax | ReadThroughput | WriteThroughput
        | ReadLatency | WriteLatency | Merges | Discards | Flushes => Provenance::Measured,
        _ => Provenance::Derived,
    }
}

fn plain(parts: &Parts, figure: Figure, id: RowId) -> Row {
    let mean = figure.mean();
    let mut sorted = figure.sorted();
    let row = Row::without_mean(id, &mut sorted, parts.interval, derived(id, parts), parts.source);
    let Some(row) = row else { return missing(id, parts) };
    let row = Row { mean: mean.known().or_else(|| sorted.mean()), ..row };
    match id {
        RowId::LatencyAverage | RowId::ReadLatency | RowId::WriteLatency => {
            row.noted(say!(NoteMeans { interval: parts.interval.to_string() }))
        }
        RowId::QueueDepth => row.noted(say!(NoteLittle)),
        RowId::IoSize | RowId::ReadSize | RowId::WriteSize => {
            row.noted(say!(NoteSizes { interval: parts.interval.to_string() }))
        }
        _ => row,
    }
}

fn missing(id: RowId, parts: &Parts) -> Row {
    use RowId::*;
    let of_requests = matches!(
        id,
        ReadShare
            | WriteShare
            | IoSize
            | ReadSize
            | WriteSize
            | LatencyAverage
            | LatencyMin
            | ReadLatency
            | WriteLatency
    );
    let idle = parts.past.is_none() && !parts.points.is_empty() && parts.points.iter().all(|p| p.ios.is_zero());
    if of_requests && idle {
        return Row::unknown(id, Some(say!(NoteNoRequest)), say!(FillBusy));
    }
    let fill = match id {
        ReadShare | WriteShare | ReadIops | WriteIops | ReadLatency | WriteLatency | ReadThroughput
        | WriteThroughput | ReadSize | WriteSize => say!(FillDirections),
        LatencyAverage | LatencyMin | QueueDepth => say!(FillLatencies),
        Discards | Flushes | Merges => say!(FillKernel),
        _ => say!(FillLive),
    };
    Row::unknown(id, None, fill)
}

fn extreme(parts: &Parts, figure: Figure, id: RowId) -> Row {
    let width = bucket(parts.interval);
    let row = Row::from_readings(id, &mut figure.sorted(), width, derived(id, parts), parts.source);
    let Some(row) = row else { return missing(id, parts) };
    let seconds = width.ns() / 1_000_000_000;
    let interval = parts.interval.to_string();
    match id {
        RowId::LatencyMin => row.noted(say!(NoteLeast { interval, seconds })),
        _ => row.noted(say!(NoteMost { interval, seconds })),
    }
}

fn transactions(parts: &Parts, figure: Figure) -> Row {
    let id = RowId::Transactions;
    if let Some(other) = parts.transactions {
        let width = bucket(other.interval);
        let mut sorted = other.figure(true).sorted();
        if let Some(row) = Row::from_readings(id, &mut sorted, width, Provenance::Measured, &other.source) {
            let (counter, seconds) = (other.note.clone(), width.ns() / 1_000_000_000);
            return row.noted(say!(NoteCounter { counter, seconds }));
        }
    }
    let row = extreme(parts, figure, id);
    if row.provenance == Provenance::Unknown {
        return Row::unknown(id, None, say!(FillTransactions));
    }
    let note = say!(NoteIops { most: row.note.clone() });
    Row { provenance: Provenance::Estimated, ..row.noted(note) }
}

fn other(other: Option<&Other>, id: RowId, lacking: fn() -> Sentence, fill: Sentence) -> Row {
    let largest = matches!(id, RowId::CpuMax | RowId::MemoryMax);
    let found = other.map(|o| (o, o.figure(largest).sorted())).filter(|(_, readings)| !readings.is_empty());
    let Some((other, mut readings)) = found else {
        return Row::unknown(id, Some(lacking()), fill);
    };
    let width = bucket(other.interval);
    let provenance = if other.estimated { Provenance::Estimated } else { Provenance::Measured };
    let interval = if largest { width } else { other.interval };
    match Row::from_readings(id, &mut readings, interval, provenance, &other.source) {
        Some(row) => Row { note: other.note.clone(), ..row },
        None => Row::unknown(id, None, fill),
    }
}

fn pattern(parts: &Parts, sums: &Sums, id: RowId) -> Row {
    let side = |random: f64| if id == RowId::Random { random } else { 100.0 - random };
    let unmeasured = || match parts.random_asked {
        Some(random) => Row::asked(id, side(random)),
        None => Row::unknown(id, bounds(sums), say!(Plain { text: parts.trace_command })),
    };
    let Some(patterns) = parts.patterns.filter(|p| p.intervals.iter().any(|i| i.2.ios > 0)) else {
        return unmeasured();
    };
    let readings = patterns.intervals.iter().filter_map(|(_, span, p)| Some((side(p.random_percent()?), *span)));
    let all = patterns.intervals.iter().fold(Pattern::default(), |sum, i| sum.plus(i.2));
    let interval = patterns.intervals.iter().map(|i| i.1).max().unwrap_or(Duration::ZERO);
    let mut sorted = SortedReadings::new(readings);
    let Some(row) = Row::from_readings(id, &mut sorted, interval, Provenance::Measured, &patterns.source) else {
        return unmeasured();
    };
    let mean = Amount::from(all.random_percent().map(side));
    let bytes = all.random_bytes_percent().map_or("?".into(), |v| format!("{:.1}", side(v)));
    let asked = patterns.queue_level.and_then(|p| p.random_percent()).map(side);
    let asked = asked.map(|v| say!(NotePatternAsked { share: Shown::decimal(v, 1, "%") }));
    row.with_mean(mean).noted(say!(NotePattern { level: patterns.level, requests: all.ios, bytes, asked }))
}

/// What counters hint at though they cannot tell.
fn bounds(sums: &Sums) -> Option<Sentence> {
    if let Some(merged) = sums.merged.value().known().filter(|merged| *merged > 0.5) {
        return Some(say!(NoteMerged { share: Shown::decimal(merged * 100.0, 0, "%") }));
    }
    let large = sums.size.value().known().filter(|size| *size >= 262_144.0)?;
    Some(say!(NoteLarge { size: Shown::decimal(large / 1024.0, 0, "KiB") }))
}
