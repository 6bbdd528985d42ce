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

use super::sample::*;

/// What no row says.
const UNKNOWN: i64 = i64::MIN;
/// What the counter of transactions is called.
const TRANSACTIONS: &str = "transactions";

/// What one device did in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskRow {
    ts_us: i64,
    is_peak: bool,
    span_ns: i64,
    figures: [i64; 14],
}

/// What the machine did besides its disks in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostRow {
    ts_us: i64,
    span_ns: i64,
    figures: [i64; 5],
}

/// What is known of a machine besides its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    pub name: Option<Name>,
    /// What recorded it.
    pub tool: Option<Name>,
    /// Its processors.
    pub cpus: Option<u32>,
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

    /// Adds rows of a device, in any order; more of them may come later.
    pub fn add_disk(&mut self, device: &str, rows: impl IntoIterator<Item = DiskRow>) {
        let known = match self.disks.get_mut(device) {
            Some(known) => known,
            None => self.disks.entry(device.into()).or_default(),
        };
        if known.is_empty() {
            // What comes whole stays where it is.
            *known = rows.into_iter().collect();
        } else {
            known.extend(rows);
        }
    }

    /// Adds rows of the machine itself.
    pub fn add_host(&mut self, rows: impl IntoIterator<Item = HostRow>) {
        self.host.extend(rows);
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

    /// Reads all rows in the order of time, then of names, as a reader of files would. Places are those of two tables with a head, the
    /// disks' and the machine's; `files` are their indices.
    pub fn read(&mut self, machine: &Machine, files: [u32; 2], sink: &mut dyn Sink) {
        // Rows mostly come in order: then this only looks at them.
        self.disks.values_mut().for_each(|rows| rows.sort());
        self.host.sort();
        for (origin, fact) in self.facts(machine, files) {
            sink.take(origin, common(machine, 0, UNKNOWN, Statistic::Mean), Reading::Fact(fact));
        }
        let names: Vec<&Name> = self.disks.keys().collect();
        let mut host = self.host.iter().zip(2u64..).peekable();
        let mut of_disk = common(machine, 0, UNKNOWN, Statistic::Mean);
        self.each_disk(|device, row, line| {
            while let Some((row, line)) = host.next_if(|(host, _)| host.ts_us <= row.ts_us) {
                row.read(
                    Origin { file: files[1], line },
                    common(machine, row.ts_us, row.span_ns, Statistic::Mean),
                    sink,
                );
            }
            of_disk.stamp = stamp(row.ts_us);
            of_disk.interval = interval(row.span_ns);
            of_disk.statistic = row.statistic();
            sink.grown(Origin { file: files[0], line }, &of_disk, (names[device], Role::Disk), &row.growth());
        });
        for (row, line) in host {
            row.read(Origin { file: files[1], line }, common(machine, row.ts_us, row.span_ns, Statistic::Mean), sink);
        }
    }

    /// What is said once.
    fn facts(&self, machine: &Machine, files: [u32; 2]) -> impl Iterator<Item = (Origin, Fact)> + use<> {
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

    /// Each row of a disk, in the order of time and then of names, with the place of its device and its line.
    fn each_disk(&self, mut each: impl FnMut(usize, &DiskRow, u64)) {
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
fn common(machine: &Machine, ts_us: i64, span_ns: i64, statistic: Statistic) -> Common {
    Common {
        machine: machine.name.clone(),
        stamp: stamp(ts_us),
        interval: interval(span_ns),
        span: Span::Interval,
        statistic,
    }
}

fn stamp(ts_us: i64) -> Stamp {
    Stamp::Wall { ns: ts_us.saturating_mul(1_000), utc_offset_min: Some(0) }
}

fn interval(span_ns: i64) -> Option<Duration> {
    u64::try_from(span_ns).ok().map(Duration::from_ns)
}

/// A figure that is known. A negative one is no count: the row is refused by what looks at all rows.
fn known(figure: i64) -> Option<f64> {
    (figure != UNKNOWN).then_some(figure as f64)
}

fn whole<const N: usize>(figures: [Option<i64>; N]) -> [i64; N] {
    figures.map(|figure| figure.unwrap_or(UNKNOWN))
}

impl DiskRow {
    /// What a device did in the `span_ns` nanoseconds until `ts_us`, in microseconds since 1970 in UTC: means over it, or the largest of
    /// several shorter ones. What is not known is none, and never zero.
    ///
    /// In this order: reads, writes; bytes of each; nanoseconds of each, summed over its requests; nanoseconds outstanding, weighted by
    /// their number; nanoseconds with at least one request; merges, discards, flushes. Then, where the source does not part reads from
    /// writes: requests, bytes of them, nanoseconds of them.
    pub fn new(ts_us: i64, span_ns: i64, figures: [Option<i64>; 14], statistic: Statistic) -> DiskRow {
        DiskRow { ts_us, is_peak: statistic == Statistic::Max, span_ns, figures: whole(figures) }
    }
    fn statistic(&self) -> Statistic {
        if self.is_peak { Statistic::Max } else { Statistic::Mean }
    }
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
            ios,
            bytes,
            io_time,
        ] = self.figures;
        DiskGrowth {
            reads: known(reads),
            writes: known(writes),
            read_bytes: known(read_bytes),
            write_bytes: known(write_bytes),
            read_time_ns: known(read_time),
            write_time_ns: known(write_time),
            queue_time_ns: known(queue_time),
            busy_time_ns: known(busy),
            merges: known(merges),
            discards: known(discards),
            flushes: known(flushes),
            ios: known(ios),
            bytes: known(bytes),
            io_time_ns: known(io_time),
            ..DiskGrowth::default()
        }
    }
}

impl HostRow {
    /// What the machine did in the `span_ns` nanoseconds until `ts_us`: nanoseconds of its processors in use and in all, bytes of
    /// memory in use, transactions, bytes of memory that programs can still have.
    pub fn new(ts_us: i64, span_ns: i64, figures: [Option<i64>; 5]) -> HostRow {
        HostRow { ts_us, span_ns, figures: whole(figures) }
    }
    /// Its readings, as a reader of a file would say them.
    fn readings(&self) -> impl Iterator<Item = Reading> + use<> {
        let [busy, total, used, transactions, available] = self.figures.map(known);
        let cpu = busy.zip(total).filter(|(_, total)| *total > 0.0);
        let cpu =
            cpu.map(|(busy, total)| CpuInterval { busy_percent: Some(100.0 * busy / total), ..CpuInterval::default() });
        let bytes = |figure: Option<f64>| figure.filter(|n| *n >= 0.0).map(|n| Bytes::new(n as u64));
        let memory = Memory { used: bytes(used), available: bytes(available), ..Memory::default() };
        let memory = Some(memory).filter(|memory| *memory != Memory::default());
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything that is read, in its order.
    #[derive(Default)]
    struct Read(Vec<String>);

    impl Sink for Read {
        fn take(&mut self, origin: Origin, common: Common, reading: Reading) {
            self.0.push(format!("{origin:?} {common:?} {reading:?}"));
        }
        fn fault(&mut self, _: Origin, fault: Fault) {
            self.0.push(fault.what);
        }
    }

    /// A device, or the machine; the end and the length of an interval; a figure; whether it is a peak.
    type Row = (usize, i64, i64, i64, bool);

    fn read(mut part: Part) -> Vec<String> {
        let mut read = Read::default();
        let machine = Machine { cpus: Some(4), ..Machine::default() };
        part.read(&machine, [0, 1], &mut read);
        read.0
    }

    fn add(part: &mut Part, &(device, at, span, figure, is_peak): &Row) {
        let (at, span, statistic) = (at * 1_000_000, span, if is_peak { Statistic::Max } else { Statistic::Mean });
        match ["sda", "sdb", "sdc"].get(device) {
            Some(device) => {
                let figures = std::array::from_fn(|n| (n % 3 != 2).then_some(figure + n as i64));
                part.add_disk(device, [DiskRow::new(at, span, figures, statistic)]);
            }
            None => part.add_host([HostRow::new(at, span, [Some(figure), Some(100), None, Some(7), None])]),
        }
    }

    proptest! {
        #[test]
        fn however_rows_are_cut_and_parts_are_merged_they_are_read_alike(
            rows in prop::collection::vec((0usize..4, 0i64..9, 1i64..3, 0i64..50, any::<bool>()), 0..60),
            of in prop::collection::vec(0usize..7, 60),
            first in 0usize..7,
        ) {
            let mut whole = Part::new();
            rows.iter().for_each(|row| add(&mut whole, row));
            let mut parts = vec![Part::new(); 7];
            rows.iter().zip(&of).rev().for_each(|(row, part)| add(&mut parts[*part], row));
            parts.rotate_left(first);
            let mut merged = Part::new();
            parts.into_iter().for_each(|part| merged.merge(part));
            prop_assert_eq!(merged.rows(), rows.len());
            prop_assert_eq!(read(merged), read(whole));
        }
    }
}
