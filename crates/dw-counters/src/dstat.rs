//! dstat, dool and `pcp dstat`: tables for people, and the CSV of `--output`.
//!
//! Two lines head a table: what a group of columns is of (`dsk/sda`, `io/total`, `total cpu usage`), and what each column is
//! (`read`, `writ`, `usr`). In text groups are parted by bars and columns by blanks; numbers of a table have units,
//! of 1024 for bytes and of 1000 for counts. CSV has bytes, requests and percents as they are.
//!
//! `dsk/total` is the machine's, `dsk/NAME` a disk's. The first row of a run counts since boot. Times have no year: in CSV it
//! is that of the run's head, in text they are times of day. The interval is the command's, where no column has a time.
//!
//! `pcp dstat` writes into its CSV what PCP counts: KiB instead of bytes, and processors in a unit of their own, which are left
//! out; its groups do not stand over their columns, so that only columns that name their group (`dsk/sda:read`) are read.
//!
//! Older versions print seven figures of memory under four names where the kernel has more than they know: there memory is not read, and
//! the columns beside it are where they belong, counted from the ends of the row.
//!
//! Source: `dstat` 0.8, `dool` 1.3, `pcp-dstat.py` and its plugins.
//!
//! Ignores: all other columns; `--bits`, which is refused.

use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Memory, Reading, Role, Span, Stamp};
use dw_units::{Bytes, Duration, Throughput};

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::{decimal, from_zero, pointed};
use super::out::Out;
use super::rows::Rows;
use super::stamp::{Stamps, date_of_row, leading_time, time_of_day, unix};

/// What one column is.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    Bytes {
        disk: String,
        write: bool,
    },
    Requests {
        disk: String,
        write: bool,
    },
    /// Milliseconds of a request (`--disk-wait`).
    Wait {
        disk: String,
        write: bool,
    },
    /// Requests outstanding (`--disk-avgqu`).
    Queue {
        disk: String,
    },
    Idle,
    Waiting,
    Stolen,
    Used,
    Free,
    Available,
    Time,
    Epoch,
    Other,
}

/// Whether this is what `--output` writes.
pub(super) fn is_csv(start: &[u8]) -> bool {
    let line = start.split(|&b| b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let text = String::from_utf8_lossy(&line[..line.len().min(200)]).to_ascii_lowercase();
    let text = text.trim_start_matches('"');
    let tool = ["dstat ", "dool ", "pcp-dstat "].iter().any(|tool| text.starts_with(tool));
    tool && text.contains("csv output") || text.starts_with("host:") && text.contains("user:")
}

/// Whether this line heads a table of text.
pub(super) fn is_header(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let text = ruled(text);
    let names = ["dsk/", "io/total", "total-cpu-usage", "total-usage", "memory-usage"];
    text.contains("--") && !text.contains(['|', '\u{2502}']) && names.iter().any(|name| text.contains(name))
        || text.contains("usr sys idl")
}

/// A title with the rules of `dool` as dashes.
fn ruled(title: &str) -> String {
    title.replace(['\u{2500}', '\u{2504}'], "-")
}

#[derive(Default)]
struct State {
    stamps: Stamps,
    columns: Vec<Column>,
    rows: u64,
    year: Option<u64>,
    /// Written by `pcp dstat`.
    pcp: bool,
}

/// A row of cells, each with the base of its unit, passed on.
impl State {
    fn row(
        &mut self,
        cells: &[(Column, Option<f64>)],
        stamp: Option<Stamp>,
        number: u64,
        common: &mut Common,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        common.span = if self.rows == 0 { Span::First } else { Span::Interval };
        common.stamp = stamp.unwrap_or(Stamp::Report { index: self.rows });
        self.rows += 1;
        out.stamp(number, common.stamp)?;
        let mut disks: Vec<(&str, DiskInterval)> = Vec::new();
        let (mut cpu, mut memory) = (CpuInterval::default(), Memory::default());
        let (mut idle, mut free) = (None, None);
        for (column, value) in cells {
            let Some(value) = value else { continue };
            let disk = |disks: &mut Vec<(&str, DiskInterval)>, name: &'_ str| {
                disks.iter().position(|(known, _)| *known == name)
            };
            match column {
                Column::Bytes { disk: name, .. }
                | Column::Requests { disk: name, .. }
                | Column::Wait { disk: name, .. }
                | Column::Queue { disk: name } => {
                    let at = disk(&mut disks, name).unwrap_or_else(|| {
                        disks.push((name, DiskInterval::default()));
                        disks.len() - 1
                    });
                    let found = &mut disks[at].1;
                    let bytes = Some(Throughput::bytes_per_second(value.round() as u64));
                    let wait = Some(Duration::from_ns((value * 1e6).round() as u64));
                    match column {
                        Column::Bytes { write: false, .. } => found.read_throughput = bytes,
                        Column::Bytes { write: true, .. } => found.write_throughput = bytes,
                        Column::Wait { write: false, .. } => found.read_latency = wait,
                        Column::Wait { write: true, .. } => found.write_latency = wait,
                        Column::Requests { write: false, .. } => found.reads_per_s = Some(*value),
                        Column::Requests { write: true, .. } => found.writes_per_s = Some(*value),
                        _ => found.queue_depth = Some(*value),
                    }
                }
                Column::Idle => idle = Some(*value),
                Column::Waiting => cpu.iowait_percent = Some(*value),
                Column::Stolen => cpu.steal_percent = Some(*value),
                Column::Used => memory.used = Some(Bytes::new(*value as u64)),
                Column::Free => free = Some(free.unwrap_or(0.0) + value),
                Column::Available => memory.available = Some(Bytes::new(*value as u64)),
                Column::Time | Column::Epoch | Column::Other => {}
            }
        }
        if let Some(idle) = idle {
            let CpuInterval { iowait_percent, steal_percent, .. } = cpu;
            out.take(
                number,
                common,
                Reading::Cpu(CpuInterval::from_idle(Some(idle), iowait_percent, steal_percent, None)),
            );
        }
        if memory.available.is_none() && free.is_some() {
            memory.available = free.map(|free| Bytes::new(free as u64));
            memory.estimated = true;
        }
        if memory != Memory::default() {
            out.take(number, common, Reading::Memory(memory));
        }
        for (name, disk) in disks {
            if name == "total" {
                out.take(number, common, Reading::Host(disk));
            } else {
                let device = out.device(number, name.as_bytes())?;
                out.take(number, common, Reading::Disk { device, role: Role::Unknown, disk });
            }
        }
        Ok(())
    }

    /// What a column of this group is.
    fn column(group: &str, name: &str) -> Column {
        let group = group.trim().to_ascii_lowercase();
        let write = name.starts_with("writ");
        match name {
            "read" | "reads" | "writ" | "writs" | "write" => {
                let of = |kind: &str| group.strip_prefix(kind).map(str::to_string);
                if let Some(disk) = of("dsk/") {
                    return Column::Bytes { disk, write };
                }
                return of("io/").map_or(Column::Other, |disk| Column::Requests { disk, write });
            }
            // The groups of these are called like the disk alone.
            "rawa" | "rawait" | "wawa" | "wawait" if is_disk(&group) => {
                return Column::Wait { disk: group, write: name.starts_with('w') };
            }
            "avgqu" | "avgqu-sz" if is_disk(&group) => return Column::Queue { disk: group },
            "time" | "date/time" => return Column::Time,
            "epoch" => return Column::Epoch,
            _ => {}
        }
        if group.ends_with("usage") && group.contains("total") && !group.contains("memory") {
            return match name {
                "idl" => Column::Idle,
                "wai" => Column::Waiting,
                "stl" => Column::Stolen,
                _ => Column::Other,
            };
        }
        if group.contains("memory") {
            return match name {
                "used" => Column::Used,
                "free" | "buff" | "buf" | "cach" => Column::Free,
                "avai" => Column::Available,
                _ => Column::Other,
            };
        }
        Column::Other
    }

    /// The stamp of a cell such as `22-11 13:17:17`.
    fn time(&mut self, text: &str, number: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(stamp) = date_of_row(&words, self.year) {
            return Ok(Some(stamp));
        }
        if let Some(stamp) = self.stamps.read(&words, number, out)? {
            return Ok(Some(stamp));
        }
        Ok(match words.as_slice() {
            [time] => leading_time(&[time]).map(|(time, _)| time_of_day(time)),
            // A date of no known year; any year tells whether it is one.
            [_, time] if date_of_row(&words, Some(2000)).is_some() => {
                leading_time(&[time]).map(|(time, _)| time_of_day(time))
            }
            _ => None,
        })
    }
}

/// A group that is called like a disk, and not what a plugin calls itself.
fn is_disk(group: &str) -> bool {
    !group.is_empty() && !group.contains(char::is_whitespace) && group != "total" && !group.contains('/')
}

/// The columns of a row that has some figures more than names, all of them of memory: what stands before memory counts from the left,
/// what stands behind it from the right, and memory itself is not read. `None` where that is not it.
fn around_memory(columns: &[Column], groups: &[String], cells: usize) -> Option<Vec<Column>> {
    // One more is a damaged line; the kernel has no more than a handful of figures that were added.
    let surplus = cells.checked_sub(columns.len()).filter(|more| (2..=6).contains(more))?;
    let of_memory = |at: usize| groups.get(at).is_some_and(|group| group.to_ascii_lowercase().contains("memory"));
    let first = (0..columns.len()).find(|&at| of_memory(at))?;
    let behind = (first..columns.len()).find(|&at| !of_memory(at)).unwrap_or(columns.len());
    if behind - first != 4 {
        return None;
    }
    let unread = std::iter::repeat_n(Column::Other, 4 + surplus);
    Some(columns[..first].iter().cloned().chain(unread).chain(columns[behind..].iter().cloned()).collect())
}

/// What counts: memory besides free, without the page cache twice.
fn settle(columns: &mut [Column]) {
    // dool says what is available; then free and cached say nothing more.
    if columns.contains(&Column::Available) {
        columns.iter_mut().filter(|column| **column == Column::Free).for_each(|column| *column = Column::Other);
    }
}

/// The delay that a command was given: `dstat -cd --output x.csv 5 100`.
fn delay(command: &str) -> Option<Duration> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let number =
        |word: Option<&&str>| word.and_then(|word| decimal(word.as_bytes())).filter(|n| (0.1..=86_400.0).contains(n));
    let last = number(words.last());
    let before = words.len().checked_sub(2).and_then(|at| number(words.get(at)));
    let at = if last.is_none() { None } else { Some(words.len() - 1 - usize::from(before.is_some())) };
    // `-C 0` and its like take a number.
    let option = at.and_then(|at| at.checked_sub(1)).and_then(|at| words.get(at));
    let taken = option.is_some_and(|word| matches!(*word, "-C" | "-D" | "-I" | "-N" | "-S" | "-L"));
    let seconds = if taken { None } else { before.or(last) };
    Some(Duration::from_ns((seconds.unwrap_or(1.0) * 1e9) as u64))
}

/// Reads CSV to its end; the last line.
pub(super) fn read_csv(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut rows = Rows::new(input, head, b',');
    let common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("dstat".into()));
    let mut csv = Csv { common, state: State::default(), groups: None, of_columns: Vec::new(), memory_said: false };
    while rows.advance(out)? {
        csv.line(rows.line(), &rows.cells(), out)?;
    }
    Ok(rows.line())
}

/// A CSV file as far as it is read.
struct Csv {
    common: Common,
    state: State,
    /// The first line of a head, whose second is to come: the group of each column.
    groups: Option<Vec<String>>,
    /// The same of the head that holds.
    of_columns: Vec<String>,
    /// That memory is not read was said.
    memory_said: bool,
}

impl Csv {
    fn line(&mut self, line: u64, cells: &[String], out: &mut Out<'_>) -> Result<(), CounterError> {
        if self.about(line, cells, out)? {
            return Ok(());
        }
        // Names of columns can be numbers (`interrupts`), those of groups cannot.
        let text = |cell: &String| {
            cell.is_empty() || decimal(cell.as_bytes()).is_none() && !cell.starts_with(|c: char| c.is_ascii_digit())
        };
        let is_head = self.groups.is_some() || cells.iter().all(text) && !cells.iter().any(|cell| cell.contains(':'));
        let first = cells.first().map(String::as_str).unwrap_or_default();
        let banner = is_csv(first.as_bytes());
        self.state.pcp |= banner && first.to_ascii_lowercase().starts_with("pcp-");
        if banner || cells.iter().all(String::is_empty) {
            return Ok(());
        }
        if is_head { self.head(line, cells, out) } else { self.values(line, cells, out) }
    }

    /// What the file says of itself; whether the line does.
    fn about(&mut self, line: u64, cells: &[String], out: &mut Out<'_>) -> Result<bool, CounterError> {
        let cell = |at: usize| cells.get(at).map(String::as_str).unwrap_or_default();
        match cell(0) {
            "Author:" => {}
            "Host:" => {
                let name = out.name(cell(1).as_bytes());
                out.machine(line, &name)?;
                self.common.machine = Some(name);
                (self.state.columns, self.state.rows, self.groups) = (Vec::new(), 0, None);
            }
            "Cmdline:" => {
                let command = cell(1);
                if command.split_whitespace().any(|word| word == "--bits") {
                    return Err(out.error(line, "these are bits, not bytes (`--bits`)", "record without `--bits`"));
                }
                if let Some(delay) = delay(command) {
                    out.fact(line, &self.common, Fact::Interval(delay));
                }
                let date = cells.iter().position(|cell| cell == "Date:").map(|at| cell(at + 1)).unwrap_or_default();
                self.state.year = date.split_whitespace().nth(2).and_then(|year| year.parse().ok());
                if self.state.year.is_none() && !date.is_empty() {
                    let what = format!("`{}` is not a date", shown(date.as_bytes()));
                    out.fault(line, what, "the days of its rows are of no known year".into())?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A line of a head: groups, then the columns below them.
    fn head(&mut self, line: u64, cells: &[String], out: &mut Out<'_>) -> Result<(), CounterError> {
        let state = &mut self.state;
        let Some(groups) = self.groups.take() else {
            // A group stands over its first column.
            let mut group = String::new();
            let carried = cells.iter().map(|cell| {
                if !cell.is_empty() {
                    group = cell.clone();
                }
                group.clone()
            });
            self.groups = Some(carried.collect());
            state.columns.clear();
            return Ok(());
        };
        let columns = cells.iter().enumerate().map(|(at, cell)| {
            let group = groups.get(at).or(groups.last()).map(String::as_str).unwrap_or_default();
            match cell.rsplit_once(':') {
                Some((group, name)) => State::column(group, name),
                None if state.pcp => State::column("", cell),
                None => State::column(group, if cell.is_empty() { group } else { cell }),
            }
        });
        state.columns = columns.collect();
        self.of_columns = (0..state.columns.len()).filter_map(|at| groups.get(at).or(groups.last()).cloned()).collect();
        settle(&mut state.columns);
        let says_nothing = |column: &Column| matches!(column, Column::Other | Column::Time | Column::Epoch);
        if state.pcp && state.columns.iter().all(says_nothing) {
            let hint = "of `pcp dstat` columns are read that say it (`dsk/sda:read`); or record with dstat or dool";
            return Err(out.error(line, "no column of this `pcp dstat` names its device", hint));
        }
        Ok(())
    }

    fn values(&mut self, line: u64, cells: &[String], out: &mut Out<'_>) -> Result<(), CounterError> {
        let Csv { common, state, of_columns, memory_said, .. } = self;
        if state.columns.is_empty() {
            return out.unused(line, "numbers before a header".into());
        }
        let mut columns = state.columns.clone();
        if cells.len() != columns.len() {
            let what = format!("{} columns where the header has {}", cells.len(), columns.len());
            let Some(around) = around_memory(&columns, of_columns, cells.len()) else {
                return out.unused(line, what);
            };
            if !std::mem::replace(memory_said, true) {
                let what = format!("{what}: more figures of memory than names, as old versions print them");
                out.fault(line, what, "memory is not read, the other columns are; give vmstat for memory".into())?;
            }
            columns = around;
        }
        let (mut row, mut stamp, mut wrong) = (Vec::new(), None, None);
        for (column, cell) in columns.into_iter().zip(cells) {
            match column {
                Column::Other => {}
                Column::Time | Column::Epoch if cell.is_empty() => {}
                Column::Time | Column::Epoch => {
                    let found = match column {
                        Column::Time => state.time(cell, line, out)?,
                        _ => decimal(cell.as_bytes()).filter(|s| *s > 1e8).and_then(unix),
                    };
                    if found.is_none() {
                        wrong = Some(format!("`{}` is not a date and time", shown(cell.as_bytes())));
                    }
                    stamp = found.or(stamp);
                }
                _ if cell.is_empty() || cell == "-" => row.push((column, None)),
                _ => match from_zero(decimal(cell.as_bytes())).filter(|_| !cell.contains(',')) {
                    Some(value) => {
                        let requests = matches!(column, Column::Requests { .. });
                        row.push((column, Some(if state.pcp && !requests { value * 1024.0 } else { value })));
                    }
                    None => wrong = Some(format!("`{}` is not a number from zero", shown(cell.as_bytes()))),
                },
            }
        }
        match wrong {
            Some(what) => out.unused(line, what),
            None => state.row(&row, stamp, line, common, out),
        }
    }
}

/// Reads text to its end.
pub(super) fn read_text(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Report { index: 0 });
    let mut state = State::default();
    let mut groups: Vec<Vec<Column>> = Vec::new();
    let mut title: Option<String> = None;
    out.fact(1, &common, Fact::Tool("dstat".into()));
    while lines.advance()? {
        let number = lines.number();
        let text = String::from_utf8_lossy(lines.bytes()).replace('\u{2502}', "|");
        if text.trim().is_empty() {
            continue;
        }
        if !text.contains("usr sys idl") && is_header(text.as_bytes()) {
            title = Some(text);
            continue;
        }
        if title.is_some() || text.contains("usr sys idl") {
            match subtitle(&title.take().unwrap_or_default(), &text) {
                Ok(found) => groups = found,
                Err(what) => {
                    groups = Vec::new();
                    out.damaged(lines, what)?;
                }
            }
            continue;
        }
        // What dstat says before its first table is not damage.
        if groups.is_empty() {
            continue;
        }
        let clock = lines.clock(&mut state.stamps, out)?;
        match cells(&groups, &text) {
            Err(what) => out.damaged(lines, what)?,
            Ok((row, time)) => {
                let stamp = match &time {
                    Some(time) => match decimal(time.as_bytes()).filter(|s| *s > 1e8) {
                        Some(seconds) => unix(seconds),
                        None => state.time(time, number, out)?,
                    },
                    None => clock,
                };
                if let (Some(time), None) = (&time, stamp) {
                    out.damaged(lines, format_args!("`{}` is not a date and time", shown(time.as_bytes())))?;
                    continue;
                }
                state.row(&row, stamp, number, &mut common, out)?;
            }
        }
    }
    Ok(())
}

/// The columns of each group between bars.
fn subtitle(title: &str, line: &str) -> Result<Vec<Vec<Column>>, String> {
    let names = names(title);
    let mut of_disks = names.iter();
    let is_wait = |pair: &[&str]| matches!(pair, ["rawa" | "rawait", "wawa" | "wawait"]);
    let is_pair = |pair: &[&str]| matches!(pair, ["read", "writ" | "write"]);
    let parts: Vec<Vec<String>> = line
        .trim_end_matches('>')
        .split('|')
        .map(|part| part.replace(':', " ").split_whitespace().map(str::to_string).collect())
        .collect();
    let waiting = parts.iter().position(|part| part.iter().any(|word| word.starts_with("rawa")));
    let waits = waiting.map(|at| wait_names(title, at, parts.len())).unwrap_or_default();
    let mut of_waits = waits.iter();
    let pairs: usize = parts
        .iter()
        .flat_map(|part| part.chunks(2))
        .filter(|pair| is_pair(&pair.iter().map(String::as_str).collect::<Vec<_>>()))
        .count();
    if pairs != names.len() {
        return Err(format!("{pairs} pairs of `read` and `writ` stand below {} disks", names.len()));
    }
    let usual = if title.contains("total") { "total usage" } else { "" };
    Ok(parts
        .iter()
        .map(|part| {
            let words: Vec<&str> = part.iter().map(String::as_str).collect();
            let group = if words.contains(&"cach") {
                "memory usage"
            } else if words.first() == Some(&"usr") && words.iter().filter(|word| **word == "usr").count() == 1 {
                usual
            } else {
                ""
            };
            let mut columns = Vec::new();
            for pair in words.chunks(2) {
                let disk = match pair {
                    pair if is_pair(pair) => of_disks.next(),
                    pair if is_wait(pair) => of_waits.next(),
                    _ => None,
                };
                columns.extend(pair.iter().map(|name| State::column(disk.map_or(group, String::as_str), name)));
            }
            settle(&mut columns);
            columns
        })
        .collect())
}

/// `sda`, `sdb`: the disks of one group of the title, over pairs of `rawa` and `wawa`; in it names are centred between dashes.
fn wait_names(title: &str, at: usize, parts: usize) -> Vec<String> {
    let title = ruled(title);
    let groups: Vec<&str> = title.split(['|', '\u{252c}', '\u{253c}']).flat_map(str::split_whitespace).collect();
    let group = if groups.len() == parts { groups.get(at) } else { groups.last() };
    let group = group.copied().unwrap_or_default();
    let names = group.split("--").map(|name| name.trim_matches('-')).filter(|name| !name.is_empty());
    names.filter(|name| is_disk(name)).map(str::to_string).collect()
}

/// `dsk/sda`, `io/total`: what stands over the pairs of `read` and `writ`, in order.
fn names(title: &str) -> Vec<String> {
    let title = ruled(title);
    let ends = |c: char| c.is_whitespace() || matches!(c, '|' | '\u{252c}' | '\u{253c}' | '>' | ':');
    let mut found = Vec::new();
    let mut rest = title.as_str();
    while let Some(at) = ["dsk/", "io/"].iter().filter_map(|kind| rest.find(kind)).min() {
        let name = &rest[at..];
        let body = name.find('/').map_or(0, |slash| slash + 1);
        let stop = [
            name.find(ends),
            name[body..].find("--").map(|at| at + body),
            name[body..].find("-dsk/").map(|at| at + body),
        ]
        .into_iter()
        .flatten()
        .chain(name[body..].find("-io/").map(|at| at + body))
        .min()
        .unwrap_or(name.len());
        found.push(name[..stop].trim_end_matches('-').to_string());
        rest = &rest[at + stop..];
    }
    found
}

type Cells = (Vec<(Column, Option<f64>)>, Option<String>);

/// The cells of a row, and the text of its time.
fn cells(groups: &[Vec<Column>], line: &str) -> Result<Cells, String> {
    // What dstat says when it was late.
    let missed = line
        .rsplit_once(" missed ")
        .filter(|(_, ticks)| matches!(ticks.split_whitespace().collect::<Vec<_>>().as_slice(), [_, "ticks"]));
    let line = missed.map_or(line, |(row, _)| row).trim_end_matches(['>', '\r']);
    let parts: Vec<&str> = line.split('|').collect();
    if parts.len() != groups.len() {
        return Err(format!("{} groups of columns where the header has {}", parts.len(), groups.len()));
    }
    let (mut row, mut time) = (Vec::new(), None);
    for (columns, part) in groups.iter().zip(parts) {
        if matches!(columns.as_slice(), [Column::Time | Column::Epoch]) {
            time = Some(part.trim().to_string()).filter(|text| !text.is_empty());
            continue;
        }
        if columns.iter().all(|column| *column == Column::Other) {
            continue;
        }
        let part = part.replace(':', " ");
        let words: Vec<&str> = part.split_whitespace().collect();
        // A group without a number is one that could not be read at that instant.
        if words.is_empty() {
            continue;
        }
        if words.len() != columns.len() {
            return Err(format!("{} columns in `{}` where the header has {}", words.len(), part.trim(), columns.len()));
        }
        for (column, word) in columns.iter().zip(words) {
            row.push((column.clone(), value(column, word)?));
        }
    }
    Ok((row, time))
}

/// A number with its unit; `None` for a dash.
fn value(column: &Column, word: &str) -> Result<Option<f64>, String> {
    if word == "-" {
        return Ok(None);
    }
    let base: f64 = if matches!(column, Column::Requests { .. }) { 1000.0 } else { 1024.0 };
    let (digits, power) = match word.as_bytes().last() {
        _ if matches!(column, Column::Wait { .. } | Column::Queue { .. }) => (word, 0),
        Some(b'B') => (&word[..word.len() - 1], 0),
        Some(b'k') => (&word[..word.len() - 1], 1),
        Some(b'M') => (&word[..word.len() - 1], 2),
        Some(b'G') => (&word[..word.len() - 1], 3),
        Some(b'T') => (&word[..word.len() - 1], 4),
        _ => (word, 0),
    };
    match from_zero(pointed(digits.as_bytes())) {
        Some(value) => Ok(Some(value * base.powi(power))),
        None => Err(format!("`{}` is not a number from zero", shown(word.as_bytes()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_over_the_columns_are_found_in_any_frame() {
        let cases = [
            ("----total-usage---- -dsk/total- -net/total- ---system--", vec!["dsk/total"]),
            ("--dsk/sda-----dsk/sdb-- --io/sda--- --io/sdb---", vec!["dsk/sda", "dsk/sdb", "io/sda", "io/sdb"]),
            ("dsk/nvme0n1 dsk/nvme1n1", vec!["dsk/nvme0n1", "dsk/nvme1n1"]),
            ("dsk/nvme0n1-dsk/nvme1n1", vec!["dsk/nvme0n1", "dsk/nvme1n1"]),
            ("--dsk/dm-0-", vec!["dsk/dm-0"]),
            (
                "\u{2500}usage\u{2500}\u{252c}\u{2500}dsk/total\u{2500}\u{252c}\u{2500}\u{2500}io/total\u{2500}",
                vec!["dsk/total", "io/total"],
            ),
        ];
        for (title, expected) in cases {
            assert_eq!(names(title), expected, "{title}");
        }
    }

    #[test]
    fn the_delay_is_the_commands() {
        let cases = [
            ("dstat -cd --output x.csv 5", 5.0),
            ("dstat -cd --output x.csv 5 100", 5.0),
            ("dstat -cd -C 0", 1.0),
            ("dstat", 1.0),
            ("/usr/bin/dool --time 0.5", 0.5),
        ];
        for (command, seconds) in cases {
            assert_eq!(delay(command), Some(Duration::from_ns((seconds * 1e9) as u64)), "{command}");
        }
    }
}
