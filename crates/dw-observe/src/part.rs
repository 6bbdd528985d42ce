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
/// What the counter of transactions is called.
const TRANSACTIONS: &str = "transactions";

/// One device and one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DiskRow {
    pub ts_us: i64,
    is_peak: bool,
    pub span_ns: i64,
    /// In the order of [`DiskColumns::figures`].
    figures: [i64; 11],
}

/// The machine in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HostRow {
    pub ts_us: i64,
    pub span_ns: i64,
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

    /// How many readings a reader takes of it.
    pub(crate) fn readings(&self, machine: &Machine) -> usize {
        let said = usize::from(machine.cpus.is_some()) + usize::from(machine.memory_total.is_some());
        let host: usize = self.host.iter().map(|row| row.readings().count()).sum();
        self.disks.values().map(Vec::len).sum::<usize>() + host + said
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

    /// Reads all rows in the order of time, then of names, as a reader of a file would. Places are those of two tables with a head: file 0
    /// has the disks, file 1 the machine.
    pub fn read(&mut self, machine: &Machine, sink: &mut dyn Sink) {
        self.read_as(machine, [0, 1], sink);
    }

    /// The same, where these are the indices of the two.
    pub(crate) fn read_as(&mut self, machine: &Machine, files: [u32; 2], sink: &mut dyn Sink) {
        self.sort();
        for (origin, fact) in self.facts(machine, files) {
            sink.take(origin, common(machine, 0, UNKNOWN, Statistic::Mean), Reading::Fact(fact));
        }
        let names: Vec<&Name> = self.disks.keys().collect();
        let mut host = self.host.iter().zip(2u64..).peekable();
        self.each_disk(|device, row, line| {
            while let Some((row, line)) = host.next_if(|(host, _)| host.ts_us <= row.ts_us) {
                row.read(
                    Origin { file: files[1], line },
                    common(machine, row.ts_us, row.span_ns, Statistic::Mean),
                    sink,
                );
            }
            let (device, role, growth) = (names[device].clone(), Role::Disk, row.growth());
            let common = common(machine, row.ts_us, row.span_ns, row.statistic());
            sink.take(Origin { file: files[0], line }, common, Reading::DiskGrowth { device, role, growth });
        });
        for (row, line) in host {
            row.read(Origin { file: files[1], line }, common(machine, row.ts_us, row.span_ns, Statistic::Mean), sink);
        }
    }

    /// What is said once.
    pub(crate) fn facts(&self, machine: &Machine, files: [u32; 2]) -> impl Iterator<Item = (Origin, Fact)> + use<> {
        let fact = |table: usize, fact| (Origin { file: files[table], line: 1 }, fact);
        let tool = machine.tool.clone().unwrap_or_else(|| "counters".into());
        let facts = [
            Some(fact(0, Fact::Tool(tool.clone()))),
            Some(fact(1, Fact::Tool(tool))).filter(|_| !self.host.is_empty()),
            machine.cpus.map(|cpus| fact(0, Fact::Cpus(cpus))),
            machine.memory_total.map(|total| fact(0, Fact::MemoryTotal(total))),
        ];
        facts.into_iter().flatten()
    }

    /// The rows of the machine, each with its line.
    pub(crate) fn host(&self) -> impl Iterator<Item = (&HostRow, u64)> {
        self.host.iter().zip(2..)
    }

    /// Each row of a disk, in the order of time and then of names, with the place of its device and its line.
    pub(crate) fn each_disk(&self, mut each: impl FnMut(usize, &DiskRow, u64)) {
        let mut rest: Vec<&[DiskRow]> = self.disks.values().map(Vec::as_slice).collect();
        let mut line = 2;
        while let Some(now) = rest.iter().filter_map(|rows| Some(rows.first()?.ts_us)).min() {
            for (device, rows) in rest.iter_mut().enumerate() {
                while let Some((row, others)) = rows.split_first().filter(|(row, _)| row.ts_us == now) {
                    each(device, row, line);
                    line += 1;
                    *rows = others;
                }
            }
        }
    }
}

/// What is common to the readings of a row.
pub(crate) fn common(machine: &Machine, ts_us: i64, span_ns: i64, statistic: Statistic) -> Common {
    Common {
        machine: machine.name.clone(),
        stamp: Stamp::Wall { ns: ts_us.saturating_mul(1_000), utc_offset_min: Some(0) },
        interval: u64::try_from(span_ns).ok().map(Duration::from_ns),
        span: Span::Interval,
        statistic,
    }
}

/// A figure that is known. A negative one is no count: the row is refused by what looks at all rows.
fn known(figure: i64) -> Option<f64> {
    (figure != UNKNOWN).then_some(figure as f64)
}

impl DiskRow {
    pub fn statistic(&self) -> Statistic {
        if self.is_peak { Statistic::Max } else { Statistic::Mean }
    }
    pub fn growth(&self) -> DiskGrowth {
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
    /// Its readings, as a reader of a file would say them.
    pub fn readings(&self) -> impl Iterator<Item = Reading> + use<> {
        let [busy, total, memory, transactions] = self.figures.map(known);
        let cpu = busy.zip(total).filter(|(_, total)| *total > 0.0);
        let cpu =
            cpu.map(|(busy, total)| CpuInterval { busy_percent: Some(100.0 * busy / total), ..CpuInterval::default() });
        let memory = memory.filter(|used| *used >= 0.0);
        let memory = memory.map(|used| Memory { used: Some(Bytes::new(used as u64)), ..Memory::default() });
        let seconds = Some(self.span_ns).filter(|span| *span > 0).map(|span| span as f64 / 1e9);
        let transactions = transactions.zip(seconds).map(|(transactions, seconds)| Transactions {
            counter: TRANSACTIONS.into(),
            instance: None,
            per_s: transactions / seconds,
        });
        let all = [cpu.map(Reading::Cpu), memory.map(Reading::Memory), transactions.map(Reading::Transactions)];
        all.into_iter().flatten()
    }
    fn read(&self, origin: Origin, common: Common, sink: &mut dyn Sink) {
        self.readings().for_each(|reading| sink.take(origin, common.clone(), reading));
    }
}
