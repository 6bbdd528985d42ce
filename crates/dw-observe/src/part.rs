//! A part of a machine's table of counters: rows that are kept until all parts are together.
//!
//! A table may be cut in any way, by day, by device or row by row, and its parts may come in any order: merged, they are the same rows,
//! and what is read from them is in the order of time, then of names. So whatever is made of a table does not depend on how it was cut, in
//! how many parts, or on which machine.
//!
//! Ignores: what the rows say together; that is the work of [`super::observe`].
//!
//! Invariant: the same rows, in whatever parts and order, are read in the same order, from the same places.

use std::collections::BTreeMap;

use dw_units::{Bytes, Duration};

use super::columns::{DiskColumns, HostColumns, UnevenColumns};
use super::sample::*;

/// What no row says.
const UNKNOWN: i64 = i64::MIN;

/// One device and one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DiskRow {
    ts_us: i64,
    is_peak: bool,
    span_ns: i64,
    /// In the order of [`DiskColumns::figures`].
    figures: [i64; 11],
}

/// The machine in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HostRow {
    ts_us: i64,
    span_ns: i64,
    /// Busy and all processor time, memory in use, transactions.
    figures: [i64; 4],
}

/// What is known of a machine besides its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: Option<Name>,
    /// What recorded it.
    pub tool: Option<Name>,
    /// Its processors.
    pub cpus: Option<u32>,
    /// Its memory.
    pub memory_total: Option<Bytes>,
}

/// Rows of one machine.
#[derive(Clone, Debug, Default)]
pub struct Part {
    disks: BTreeMap<Name, Vec<DiskRow>>,
    host: Vec<HostRow>,
}

impl Part {
    /// Without rows.
    pub fn new() -> Part {
        Part::default()
    }

    /// Adds rows of a device; more of them may come later.
    ///
    /// # Errors
    /// Where a column does not have a figure for every row.
    pub fn add_disk(&mut self, columns: &DiskColumns<'_>) -> Result<(), UnevenColumns> {
        columns.check()?;
        let rows = match self.disks.get_mut(columns.device) {
            Some(rows) => rows,
            None => self.disks.entry(columns.device.into()).or_default(),
        };
        let is_peak = columns.statistic == Statistic::Max;
        let figures = columns.figures();
        rows.reserve(columns.ts_us.len());
        rows.extend(columns.ts_us.iter().enumerate().map(|(row, &ts_us)| DiskRow {
            ts_us,
            is_peak,
            span_ns: columns.span_ns.get(row).unwrap_or(UNKNOWN),
            figures: figures.map(|column| column.get(row).unwrap_or(UNKNOWN)),
        }));
        Ok(())
    }

    /// Adds rows of the machine itself.
    ///
    /// # Errors
    /// Where a column does not have a figure for every row.
    pub fn add_host(&mut self, columns: &HostColumns<'_>) -> Result<(), UnevenColumns> {
        columns.check()?;
        let figures = columns.figures();
        self.host.extend(columns.ts_us.iter().enumerate().map(|(row, &ts_us)| HostRow {
            ts_us,
            span_ns: columns.span_ns.get(row).unwrap_or(UNKNOWN),
            figures: figures.map(|column| column.get(row).unwrap_or(UNKNOWN)),
        }));
        Ok(())
    }

    /// Takes the rows of another part.
    pub fn merge(&mut self, other: Part) {
        for (name, mut rows) in other.disks {
            self.disks.entry(name).or_default().append(&mut rows);
        }
        self.host.extend(other.host);
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.disks.values().map(Vec::len).sum::<usize>() + self.host.len()
    }

    /// Its devices, in order.
    pub fn devices(&self) -> impl Iterator<Item = &Name> {
        self.disks.keys()
    }

    /// Puts the rows in order, so that they can be read.
    pub fn sort(&mut self) {
        // Rows mostly come in order: then this only looks at them.
        self.disks.values_mut().for_each(|rows| rows.sort());
        self.host.sort();
    }

    /// Reads all rows in the order of time, then of names, as a reader of a file would. Places are those of two tables with a head, in
    /// that order: file 0 has the disks, file 1 the machine.
    pub fn read(&mut self, machine: &Machine, sink: &mut dyn Sink) {
        self.sort();
        let fact = |file, fact| (Origin { file, line: 1 }, Reading::Fact(fact));
        let tool = machine.tool.clone().unwrap_or_else(|| "counters".into());
        let facts = [
            Some(fact(0, Fact::Tool(tool.clone()))),
            Some(fact(1, Fact::Tool(tool))).filter(|_| !self.host.is_empty()),
            machine.cpus.map(|cpus| fact(0, Fact::Cpus(cpus))),
            machine.memory_total.map(|total| fact(0, Fact::MemoryTotal(total))),
        ];
        let at = |ts_us: i64, span_ns: i64, statistic| Common {
            machine: machine.name.clone(),
            stamp: Stamp::Wall { ns: ts_us.saturating_mul(1_000), utc_offset_min: Some(0) },
            interval: u64::try_from(span_ns).ok().map(Duration::from_ns),
            span: Span::Interval,
            statistic,
        };
        for (origin, reading) in facts.into_iter().flatten() {
            sink.take(origin, Common { interval: None, ..at(0, 0, Statistic::Mean) }, reading);
        }
        let mut rest: Vec<(&Name, &[DiskRow])> =
            self.disks.iter().map(|(name, rows)| (name, rows.as_slice())).collect();
        let mut host = self.host.iter().zip(2u64..).peekable();
        let mut line = 2;
        while let Some(now) = rest.iter().filter_map(|(_, rows)| Some(rows.first()?.ts_us)).min() {
            while let Some((row, line)) = host.next_if(|(row, _)| row.ts_us <= now) {
                row.read(line, at(row.ts_us, row.span_ns, Statistic::Mean), sink);
            }
            for (name, rows) in &mut rest {
                while let Some((row, others)) = rows.split_first().filter(|(row, _)| row.ts_us == now) {
                    let statistic = if row.is_peak { Statistic::Max } else { Statistic::Mean };
                    let (device, role, growth) = ((*name).clone(), Role::Disk, row.growth());
                    let common = at(row.ts_us, row.span_ns, statistic);
                    sink.take(Origin { file: 0, line }, common, Reading::DiskGrowth { device, role, growth });
                    line += 1;
                    *rows = others;
                }
            }
        }
        for (row, line) in host {
            row.read(line, at(row.ts_us, row.span_ns, Statistic::Mean), sink);
        }
    }
}

/// A figure that is known. A negative one is no count: the row is refused by what looks at all rows.
fn known(figure: i64) -> Option<f64> {
    (figure != UNKNOWN).then_some(figure as f64)
}

impl DiskRow {
    fn growth(&self) -> DiskGrowth {
        let [
            reads,
            writes,
            read_bytes,
            write_bytes,
            read_time,
            write_time,
            queue_time,
            busy,
            merges,
            discards,
            flushes,
        ] = self.figures.map(known);
        DiskGrowth {
            reads,
            writes,
            read_bytes,
            write_bytes,
            read_time_ns: read_time,
            write_time_ns: write_time,
            queue_time_ns: queue_time,
            busy_time_ns: busy,
            merges,
            discards,
            flushes,
            ..DiskGrowth::default()
        }
    }
}

impl HostRow {
    fn read(&self, line: u64, common: Common, sink: &mut dyn Sink) {
        let origin = Origin { file: 1, line };
        let [busy, total, memory, transactions] = self.figures.map(known);
        if let Some((busy, total)) = busy.zip(total).filter(|(_, total)| *total > 0.0) {
            let cpu = CpuInterval { busy_percent: Some(100.0 * busy / total), ..CpuInterval::default() };
            sink.take(origin, common.clone(), Reading::Cpu(cpu));
        }
        if let Some(used) = memory.filter(|used| *used >= 0.0) {
            let memory = Memory { used: Some(Bytes::new(used as u64)), ..Memory::default() };
            sink.take(origin, common.clone(), Reading::Memory(memory));
        }
        let seconds = common.interval.map(|interval| interval.ns() as f64 / 1e9).filter(|seconds| *seconds > 0.0);
        if let Some((transactions, seconds)) = transactions.zip(seconds) {
            let transactions =
                Transactions { counter: "transactions".into(), instance: None, per_s: transactions / seconds };
            sink.take(origin, common, Reading::Transactions(transactions));
        }
    }
}
