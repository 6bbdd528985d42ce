//! Windows performance counters as CSV or TSV, written by `typeperf`, `logman` and `relog`.
//!
//! The first line names one counter a column (`\\HOST\PhysicalDisk(0 C:)\Disk Reads/sec`), in the language of its Windows;
//! each further line is one instant of the local clock. Empty cells, blanks and `-1` are no value: rates have none in the
//! first row. A comma may stand before decimals. Times are seconds, sizes bytes; busy is `100 - % Idle Time`.
//!
//! `_Total` of disks is a sum and marked so. Processors are `Processor(_Total)`, or `Processor Information(_Total)`, or the
//! mean of the instances. Transactions are `SQL Statistics\Batch Requests/sec` and `Databases\Transactions/sec`, of the
//! latter only `_Total` where there is one.
//!
//! Source: `relog`, `typeperf` and the documentation of PDH.
//!
//! Ignores: all other objects; `% Disk Time`, which is a hundred times the queue; `% Committed Bytes In Use`, which is no
//! physical memory.

use std::borrow::Cow;
use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Memory, Name, Reading, Role, Stamp, Transactions};
use dw_units::{Bytes, Duration, Throughput};
use encoding_rs::{BIG5, EUC_KR, GBK, IBM866, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254};

use super::error::shown;
use super::number::{Decimals, decimal};
use super::out::Out;
use super::pages::{CP437, CP850, CP852, CP857, CP860, CP863, Page};
use super::perfmon_names::{counter, object};
use super::rows::Rows;
use super::stamp::Stamps;
use super::{CounterError, Options};

/// What stands where Windows had no value.
pub(super) const NO_VALUE: f64 = -1.0;

/// Which figure of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Figure {
    Reads,
    Writes,
    Transfers,
    ReadBytes,
    WriteBytes,
    BothBytes,
    ReadTime,
    WriteTime,
    BothTime,
    ReadSize,
    WriteSize,
    BothSize,
    Queue,
    QueueNow,
    Idle,
    Splits,
}

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    Disk { disk: usize, figure: Figure },
    Cpu { total: bool },
    Memory { unit: f64 },
    Transactions { counter: Name, instance: Option<Name> },
}

#[derive(Clone, Debug)]
struct Disk {
    name: Name,
    role: Role,
    /// Has columns besides the queue, which the first row has too.
    rates: bool,
}

/// One machine of a header.
#[derive(Debug)]
struct Machine {
    name: Option<Name>,
    disks: Vec<Disk>,
    /// Index in the record, its path, and what it is.
    columns: Vec<(usize, Column)>,
    cpus: Option<u32>,
}

/// The first line that is not empty: `typeperf` puts an empty one before its header.
fn header_line(head: &[u8]) -> &[u8] {
    head.split(|&b| b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default()
}

/// The code page of a header that is not UTF-8: the one in which most of its names are known. A log has the page of its Windows,
/// what `typeperf` prints into a file that of its console.
pub(super) fn encoding(head: &[u8], options: &Options<'_>) -> Option<Page> {
    let line = header_line(head);
    // The head may end inside a character.
    if std::str::from_utf8(line).is_ok_and(|_| true)
        || line.len() == head.len() && std::str::from_utf8(&line[..line.len().saturating_sub(4)]).is_ok()
    {
        return None;
    }
    let windows = [WINDOWS_1252, WINDOWS_1251, WINDOWS_1250, WINDOWS_1254, SHIFT_JIS, GBK, BIG5, EUC_KR, IBM866];
    let consoles = [CP850, CP852, CP857, CP437, CP860, CP863];
    let pages = windows.into_iter().map(Page::from).chain(consoles);
    let known = |page: Page| {
        let text = page.text(line);
        text.split('"').filter_map(Path::parse).filter(|path| path.figure(options).is_some()).count()
    };
    // Of equals the first: `max_by_key` takes the last.
    let pages: Vec<Page> = pages.collect();
    pages.into_iter().rev().max_by_key(|page| known(*page))
}

/// `\\HOST\Object(Instance)\Counter`
pub(super) struct Path<'a> {
    pub host: Option<&'a str>,
    pub object: &'a str,
    pub instance: Option<&'a str>,
    pub counter: &'a str,
}

/// What a path is, before its disk has an index.
pub(super) enum Meant {
    Disk(Figure, bool),
    Cpu,
    Memory(f64),
    Batches,
    Transactions,
}

impl<'a> Path<'a> {
    pub fn parse(text: &'a str) -> Option<Path<'a>> {
        let rest = text.trim().strip_prefix('\\')?;
        let (host, rest) = match rest.strip_prefix('\\') {
            Some(rest) => {
                let (host, rest) = rest.split_once('\\')?;
                (Some(host), rest)
            }
            None => (None, rest),
        };
        let (object, counter) = rest.rsplit_once('\\')?;
        let (object, instance) = match object.split_once('(') {
            Some((object, instance)) => (object, Some(instance.strip_suffix(')').unwrap_or(instance))),
            None => (object, None),
        };
        Some(Path { host, object, instance, counter })
    }

    pub fn figure(&self, options: &Options<'_>) -> Option<Meant> {
        let map = options.counter_map;
        // SQL Server puts the instance of the server before the object.
        let base = self.object.rsplit_once(':').map_or(self.object, |(_, base)| base);
        let (object, counter) = (object(base, map), counter(self.counter, map));
        Some(match (object.as_str(), counter.as_str()) {
            ("processor" | "processorinformation", "%processortime") => Meant::Cpu,
            // The agent for Linux has names of its own.
            ("memory", "availablembytes" | "availablembytesmemory") => Meant::Memory(1024.0 * 1024.0),
            ("memory", "availablekbytes") => Meant::Memory(1024.0),
            ("memory", "availablebytes") => Meant::Memory(1.0),
            ("sqlstatistics", "batchrequests/sec") => Meant::Batches,
            ("databases", "transactions/sec") => Meant::Transactions,
            (disk @ ("physicaldisk" | "logicaldisk"), figure) => {
                let figure = match figure {
                    "diskreads/sec" => Figure::Reads,
                    "diskwrites/sec" => Figure::Writes,
                    "disktransfers/sec" => Figure::Transfers,
                    "diskreadbytes/sec" => Figure::ReadBytes,
                    "diskwritebytes/sec" => Figure::WriteBytes,
                    "diskbytes/sec" | "logicaldiskbytes/sec" | "physicaldiskbytes/sec" => Figure::BothBytes,
                    "avgdisksec/read" => Figure::ReadTime,
                    "avgdisksec/write" => Figure::WriteTime,
                    "avgdisksec/transfer" => Figure::BothTime,
                    "avgdiskbytes/read" => Figure::ReadSize,
                    "avgdiskbytes/write" => Figure::WriteSize,
                    "avgdiskbytes/transfer" => Figure::BothSize,
                    "avgdiskqueuelength" => Figure::Queue,
                    "currentdiskqueuelength" => Figure::QueueNow,
                    "%idletime" => Figure::Idle,
                    "splitio/sec" => Figure::Splits,
                    _ => return None,
                };
                Meant::Disk(figure, disk == "physicaldisk")
            }
            _ => return None,
        })
    }
}

/// Reads to the end.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut rows = Rows::new(input, head, delimiter(head));
    let mut machines: Option<(Vec<Machine>, usize, Option<i16>)> = None;
    let mut stamps = Stamps::default();
    let mut short: Option<(u64, usize, usize)> = None;
    loop {
        let more = rows.advance(out)?;
        // Only what comes after a short line tells whether the file was cut off in it.
        if let Some((line, found, width)) = short.take() {
            let cut = if more { "" } else { "the file ends inside a line: " };
            let hint = if more { "this line is ignored" } else { "this line is ignored; copy the file again" };
            out.fault(line, format!("{cut}{found} of {width} columns"), hint.into())?;
        }
        if !more {
            return Ok(rows.line());
        }
        let (line, record) = (rows.line(), rows.record());
        let first = record.get(0).unwrap_or_default();
        if first.starts_with(b"(PDH-") {
            machines = Some(header(record, line, out)?);
            continue;
        }
        let Some((machines, width, offset)) = &machines else {
            out.fault(line, format!("`{}` stands before the header", shown(first)), "remove it".into())?;
            continue;
        };
        if record.len() < *width {
            short = Some((line, record.len(), *width));
            continue;
        }
        // More columns than names: every figure behind the surplus would stand under a wrong name.
        if let Some(surplus) = record.iter().skip(*width).find(|cell| !cell.trim_ascii().is_empty()) {
            let what = format!("{} of {width} columns: `{}` has no name", record.len(), shown(surplus));
            out.fault(line, what, "this line is ignored; is a decimal comma without quotes in it?".into())?;
            continue;
        }
        let Some(stamp) = stamp(first, *offset, &mut stamps, line, out)? else {
            out.unused(line, format!("`{}` is not a date and time", shown(first)))?;
            continue;
        };
        out.stamp(line, stamp)?;
        for machine in machines {
            row(machine, record, stamp, line, out)?;
        }
    }
}

/// What parts the cells of the first line.
fn delimiter(head: &[u8]) -> u8 {
    let line = header_line(head);
    let (mut quoted, mut after) = (false, line.len());
    for (index, &byte) in line.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' | b';' | b'\t' if !quoted => {
                after = index;
                break;
            }
            _ => {}
        }
    }
    line.get(after).copied().unwrap_or(b',')
}

fn stamp(
    cell: &[u8],
    offset: Option<i16>,
    stamps: &mut Stamps,
    line: u64,
    out: &Out<'_>,
) -> Result<Option<Stamp>, CounterError> {
    let text = String::from_utf8_lossy(cell);
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match stamps.read_pdh(&words, line, out)? {
        Some(Stamp::Wall { ns, utc_offset_min }) => Some(Stamp::Wall { ns, utc_offset_min: utc_offset_min.or(offset) }),
        other => other,
    })
}

/// `(PDH-CSV 4.0) (China Standard Time)(-480)`: minutes that UTC is ahead of the local clock.
fn bias(cell: &str) -> Option<i16> {
    let (_, number) = cell.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let minutes: i16 = number.parse().ok()?;
    (-900..=900).contains(&minutes).then_some(-minutes)
}

fn header(
    record: &csv::ByteRecord,
    line: u64,
    out: &mut Out<'_>,
) -> Result<(Vec<Machine>, usize, Option<i16>), CounterError> {
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
    let head = record.get(0).map(text).unwrap_or_default();
    let offset = bias(&head);
    if offset.is_none() && head.contains(")(") {
        let what = format!("`{}` does not end with the minutes from local time to UTC", shown(head.as_bytes()));
        out.fault(line, what, "times are read without their zone".into())?;
    }
    let mut machines: Vec<Machine> = Vec::new();
    let (mut unknown, mut twice) = (None, None);
    for (index, cell) in record.iter().enumerate().skip(1) {
        let cell = text(cell);
        let Some(path) = Path::parse(&cell) else {
            // The last may be the description of a collector.
            if index + 1 < record.len() {
                let what = format!("`{}` in column {} is not a counter's path", shown(cell.as_bytes()), index + 1);
                out.fault(line, what, "this column is ignored".into())?;
            }
            continue;
        };
        let Some(meant) = path.figure(out.options) else {
            unknown.get_or_insert(cell);
            continue;
        };
        let host = path.host.map(|host| out.name(host.as_bytes()));
        if out.options.machine.zip(path.host).is_some_and(|(wanted, host)| !wanted.eq_ignore_ascii_case(host)) {
            continue;
        }
        let at = machines.iter().position(|machine| machine.name == host).unwrap_or_else(|| {
            machines.push(Machine { name: host, disks: Vec::new(), columns: Vec::new(), cpus: None });
            machines.len() - 1
        });
        if !machines[at].add((line, index), &path, meant, out)? {
            twice.get_or_insert(cell);
        }
    }
    let Some(first) = machines.first() else {
        let (what, hint) = match unknown {
            Some(path) => (
                format!(
                    "none of the {} counters is known; the first is `{}`",
                    record.len() - 1,
                    shown(path.as_bytes())
                ),
                "give their English names: `--counter-map FILE`, one `local name = English name` a line; or record with `typeperf -cf` and a list of English names",
            ),
            None => (
                "the header names no counter".into(),
                "was the file cut off? record with `relog FILE.blg -f CSV -o FILE.csv`",
            ),
        };
        return Err(out.error(line, what, hint));
    };
    if let Some(name) = first.name.clone() {
        out.machine(line, &name)?;
    }
    let mut common = Common::at(Stamp::Report { index: 0 });
    common.machine = first.name.clone();
    out.fact(line, &common, Fact::Tool("PerfMon".into()));
    let others: Vec<String> = machines[1..].iter().flat_map(|m| m.name.as_deref()).map(|n| format!("`{n}`")).collect();
    if let (Some(first), false) = (&first.name, others.is_empty()) {
        let what =
            format!("columns of {} stand next to those of `{first}`: several machines in one file", others.join(", "));
        out.fault(line, what, format!("read one at a time: `--machine {first}`"))?;
    }
    if let Some(path) = twice {
        let what = format!("`{}` stands in two columns", shown(path.as_bytes()));
        out.fault(line, what, "the first is used; were files of several machines combined?".into())?;
    }
    for machine in &mut machines {
        machine.settle();
        if machine.disks.iter().any(|disk| !disk.rates) && !machine.disks.iter().any(|disk| disk.rates) {
            let what =
                "disks without a rate: no counter for reads, writes or transfers per second was recognised".to_string();
            out.fault(line, what, "give their counters' names: `--counter-map FILE`".into())?;
        }
    }
    // A description of the collector is one column more in the header than in the rows.
    let last = record.len() - 1;
    let described = record.get(last).is_some_and(|cell| !cell.trim_ascii().starts_with(b"\\"));
    Ok((machines, record.len() - usize::from(described && last > 0), offset))
}

/// The name and the role of the disk that an instance of its object is; `_Total` is a sum.
pub(super) fn disk(instance: &str, physical: bool) -> (Cow<'_, str>, Role) {
    match (instance.eq_ignore_ascii_case("_Total"), physical) {
        (true, true) => ("PhysicalDisk(_Total)".into(), Role::Total),
        (true, false) => ("LogicalDisk(_Total)".into(), Role::Total),
        (false, true) => (instance.into(), Role::Disk),
        (false, false) => (instance.into(), Role::Volume),
    }
}

impl Machine {
    /// Takes in a column; `false` where a disk has the figure already.
    fn add(
        &mut self,
        (line, index): (u64, usize),
        path: &Path<'_>,
        meant: Meant,
        out: &mut Out<'_>,
    ) -> Result<bool, CounterError> {
        let instance = path.instance.unwrap_or_default();
        let total = instance.eq_ignore_ascii_case("_Total");
        let column = match meant {
            Meant::Disk(figure, physical) => {
                let (name, role) = disk(instance, physical);
                let name = out.device(line, name.as_bytes())?;
                let disk = self.disks.iter().position(|disk| disk.name == name && disk.role == role);
                let disk = disk.unwrap_or_else(|| {
                    self.disks.push(Disk { name, role, rates: false });
                    self.disks.len() - 1
                });
                self.disks[disk].rates |= matches!(figure, Figure::Reads | Figure::Writes | Figure::Transfers);
                Column::Disk { disk, figure }
            }
            Meant::Cpu => {
                // `0,_Total` is one group of processors, `_Total` all of them.
                if !total && !instance.contains('_') {
                    self.cpus = Some(self.cpus.unwrap_or(0) + 1);
                }
                if instance.contains("_Total") && !total {
                    return Ok(true);
                }
                Column::Cpu { total }
            }
            Meant::Memory(unit) => Column::Memory { unit },
            Meant::Batches => Column::Transactions { counter: out.name(b"Batch Requests/sec"), instance: None },
            Meant::Transactions => {
                let instance = out.name(instance.as_bytes());
                Column::Transactions { counter: out.name(b"Transactions/sec"), instance: Some(instance) }
            }
        };
        if matches!(column, Column::Disk { .. }) && self.columns.iter().any(|(_, known)| *known == column) {
            return Ok(false);
        }
        self.columns.push((index, column));
        Ok(true)
    }

    /// Leaves out what another column says better.
    fn settle(&mut self) {
        let total_cpu = self.columns.iter().position(|(_, c)| matches!(c, Column::Cpu { total: true }));
        let total = |c: &Column| matches!(c, Column::Transactions { instance: Some(i), .. } if &**i == "_Total");
        let total_sql = self.columns.iter().any(|(_, c)| total(c));
        let first_memory = self.columns.iter().position(|(_, c)| matches!(c, Column::Memory { .. }));
        let mut index = 0;
        self.columns.retain(|(_, column)| {
            index += 1;
            match column {
                Column::Cpu { .. } => total_cpu.is_none_or(|at| at == index - 1),
                Column::Memory { .. } => first_memory == Some(index - 1),
                Column::Transactions { instance: Some(_), .. } => !total_sql || total(column),
                _ => true,
            }
        });
    }
}

fn row(
    machine: &Machine,
    record: &csv::ByteRecord,
    stamp: Stamp,
    line: u64,
    out: &mut Out<'_>,
) -> Result<(), CounterError> {
    let mut common = Common::at(stamp);
    common.machine = machine.name.clone();
    let mut disks = vec![(DiskInterval::default(), false); machine.disks.len()];
    let (mut cpu_sum, mut cpu_count) = (0.0, 0_u32);
    let (mut decimals, mut others) = (Decimals::default(), Vec::new());
    for (index, column) in &machine.columns {
        let cell = record.get(*index).unwrap_or_default().trim_ascii();
        if cell.is_empty() {
            continue;
        }
        let Some(value) = decimal(cell) else {
            let what = format!("`{}` in column {} is not a number", shown(cell), index + 1);
            return out.unused(line, what);
        };
        if value == NO_VALUE {
            continue;
        }
        if value.is_sign_negative() {
            let what = format!("`{}` in column {} is below zero", shown(cell), index + 1);
            return out.unused(line, what);
        }
        decimals.see(cell);
        match column {
            Column::Disk { disk, figure } => {
                let (interval, seen) = &mut disks[*disk];
                put(interval, *figure, value);
                *seen |= *figure != Figure::QueueNow || !machine.disks[*disk].rates;
            }
            Column::Cpu { .. } => {
                cpu_sum += value;
                cpu_count += 1;
            }
            Column::Memory { unit } => {
                let available = Some(Bytes::new((value * unit).round() as u64));
                others.push(Reading::Memory(Memory { available, ..Memory::default() }));
            }
            Column::Transactions { counter, instance } => {
                let transactions = Transactions { counter: counter.clone(), instance: instance.clone(), per_s: value };
                others.push(Reading::Transactions(transactions));
            }
        }
    }
    if let Err(what) = out.decimals(line, &common, decimals) {
        return out.unused(line, what);
    }
    if cpu_count > 0 {
        let busy_percent = Some(cpu_sum / f64::from(cpu_count));
        others.push(Reading::Cpu(CpuInterval { busy_percent, cpus: machine.cpus, ..CpuInterval::default() }));
    }
    others.into_iter().for_each(|reading| out.take(line, &common, reading));
    for (disk, (interval, seen)) in machine.disks.iter().zip(disks) {
        if seen {
            out.take(line, &common, Reading::Disk { device: disk.name.clone(), role: disk.role, disk: interval });
        }
    }
    Ok(())
}

pub(super) fn put(disk: &mut DiskInterval, figure: Figure, value: f64) {
    let throughput = || Some(Throughput::bytes_per_second(value.round() as u64));
    let time = || Some(Duration::from_ns((value * 1e9).round() as u64));
    let bytes = || Some(Bytes::new(value.round() as u64));
    match figure {
        Figure::Reads => disk.reads_per_s = Some(value),
        Figure::Writes => disk.writes_per_s = Some(value),
        Figure::Transfers => disk.transfers_per_s = Some(value),
        Figure::ReadBytes => disk.read_throughput = throughput(),
        Figure::WriteBytes => disk.write_throughput = throughput(),
        Figure::BothBytes => disk.throughput = throughput(),
        Figure::ReadTime => disk.read_latency = time(),
        Figure::WriteTime => disk.write_latency = time(),
        Figure::BothTime => disk.latency = time(),
        Figure::ReadSize => disk.read_size = bytes(),
        Figure::WriteSize => disk.write_size = bytes(),
        Figure::BothSize => disk.io_size = bytes(),
        Figure::Queue => disk.queue_depth = Some(value),
        Figure::QueueNow => disk.queue_depth_now = Some(value),
        Figure::Idle => disk.utilisation_percent = Some((100.0 - value).max(0.0)),
        Figure::Splits => disk.splits_per_s = Some(value),
    }
}
