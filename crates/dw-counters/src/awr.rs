//! Oracle's AWR and Statspack reports as text: what the files of a database were asked between two snapshots.
//!
//! `File IO Stats` has two lines a file: its tablespace and name, then reads, their mean latency, blocks to a read, and writes. Files of a
//! disk group (`+DATA`), a drive or a folder are added up. Where a report has no such section `Tablespace IO Stats` is read, whose names are
//! tablespaces. Columns are found by the rule below their heads, which stand in two lines; a figure may be missing where nothing was read.
//! Rates are counts over `Elapsed`; a block is as large as `Std Block Size`. A report is one interval, which ends at `End Snap`;
//! several reports one after the other are several.
//!
//! Source: `awrrpt.sql` and `spreport.sql` of Oracle 10g to 19c.
//!
//! Ignores: redo logs, control files and archived logs, of which these sections have nothing; blocks to a write, which they do not have
//! either; reports in HTML, which are refused.

use std::collections::BTreeMap;
use std::mem;

use dw_observe::{Common, DiskInterval, Fact, Name, Reading, Role, Stamp};
use dw_units::{Duration, Throughput};

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::{decimal, from_zero};
use super::out::Out;
use super::sql_files::drive;
use super::stamp::{date_and_time, month_of};

/// Whether a line heads such a report.
pub(super) fn is_title(line: &[u8]) -> bool {
    [&b"WORKLOAD REPOSITORY report for"[..], b"STATSPACK report for"].iter().any(|title| line.starts_with(title))
}

/// A column of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Reads,
    ReadLatency,
    BlocksPerRead,
    Writes,
    Other,
}

/// What the files of a device were asked.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    line: u64,
    reads: f64,
    writes: f64,
    /// Milliseconds of all reads, and the blocks of all of them; none where one file does not say it.
    read_ms: Option<f64>,
    blocks: Option<f64>,
}

#[derive(Default)]
struct Report {
    line: u64,
    stamp: Option<Stamp>,
    minutes: Option<f64>,
    block_bytes: Option<f64>,
    /// Of tablespaces, of files.
    devices: [BTreeMap<Name, Sums>; 2],
}

#[derive(Default)]
struct State {
    report: Option<Report>,
    reports: u64,
    machine: Option<Name>,
    /// The next row but one says the host.
    host: Option<u32>,
    /// Whether the section is of files, and its line.
    section: Option<(bool, u64)>,
    heads: Vec<String>,
    columns: Vec<(usize, usize, Column)>,
    name: Option<(u64, String)>,
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("Oracle AWR".into()));
    let mut state = State::default();
    while lines.advance()? {
        let text = String::from_utf8_lossy(lines.bytes()).replace('\u{c}', "");
        state.line(text.trim_end(), lines.number(), out)?;
    }
    state.end(lines.number(), out)
}

impl State {
    fn line(&mut self, line: &str, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if is_title(line.as_bytes()) {
            self.end(number, out)?;
            self.report = Some(Report { line: number, ..Report::default() });
            return Ok(());
        }
        if line.is_empty() {
            return Ok(());
        }
        let of_files = line.starts_with("File IO Stats");
        if of_files || line.starts_with("Tablespace IO Stats") {
            self.leave(out)?;
            self.section = Some((of_files, number));
            return Ok(());
        }
        match self.section {
            Some(_) if line.contains("DB/Inst:") => self.leave(out),
            Some((of_files, _)) => self.row(line, of_files, number, out),
            None => self.about(line, number, out),
        }
    }

    /// What the report says of itself.
    fn about(&mut self, line: &str, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(report) = &mut self.report else { return Ok(()) };
        match words.as_slice() {
            ["Host", "Name", ..] => self.host = Some(2),
            _ if line.contains("DB/Inst:") && ["File IO", "IO Stats"].iter().any(|part| line.contains(part)) => {
                let what = format!("`{}` is not the title of a known section", shown(line.as_bytes()));
                out.fault(number, what, "this section is ignored".into())?;
            }
            ["End", "Snap:", _, day, time, ..] => {
                report.stamp = instant(day, time);
                if report.stamp.is_none() {
                    let what = format!("`{day} {time}` is not a date and time");
                    out.fault(number, what, "the report is used without its time".into())?;
                }
            }
            ["Elapsed:", minutes, "(mins)", ..] => {
                report.minutes = figure(minutes).filter(|minutes| *minutes > 0.0);
                if report.minutes.is_none() {
                    let what = format!("`{minutes}` is not a number of minutes");
                    out.fault(number, what, "this report is ignored".into())?;
                }
            }
            _ => {
                if let Some(at) = words.windows(3).position(|three| three == ["Std", "Block", "Size:"]) {
                    let size = words.get(at + 3).copied().unwrap_or_default();
                    report.block_bytes = size.strip_suffix(['K', 'k']).and_then(figure).map(|kib| kib * 1024.0);
                    if report.block_bytes.is_none() {
                        let what = format!("`{size}` is not the size of a block, such as `8K`");
                        out.fault(number, what, "bytes are unknown without it".into())?;
                    }
                }
                if let Some(left) = self.host.take() {
                    match left.checked_sub(1) {
                        Some(0) => self.machine = words.first().map(|host| out.name(host.as_bytes())),
                        more => self.host = more,
                    }
                }
            }
        }
        Ok(())
    }

    fn row(&mut self, line: &str, of_files: bool, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if line.starts_with("->") {
            return Ok(());
        }
        if line.chars().all(|c| matches!(c, '-' | ' ')) {
            return self.rule(line, number, out);
        }
        if self.columns.is_empty() {
            self.heads.push(line.into());
            return Ok(());
        }
        let is_figures = line.split_whitespace().all(|word| figure(word).is_some());
        match (self.name.take(), is_figures) {
            (None, false) => self.name = Some((number, line.into())),
            (Some(name), true) => self.figures(&name.1, line, of_files, number, out)?,
            (None, true) => no_row(line, number, out)?,
            (Some((above, name)), false) => {
                no_row(&name, above, out)?;
                self.name = Some((number, line.into()));
            }
        }
        Ok(())
    }

    /// A rule below heads, or at the end of the section.
    fn rule(&mut self, line: &str, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for (at, c) in line.char_indices().filter(|(_, c)| *c == '-') {
            match groups.last_mut() {
                Some((_, end)) if *end == at => *end = at + c.len_utf8(),
                _ => groups.push((at, at + 1)),
            }
        }
        if !self.columns.is_empty() {
            return self.leave(out);
        }
        let heads = mem::take(&mut self.heads);
        // The names have a rule of their own, of one or two columns.
        if groups.len() < 4 {
            return Ok(());
        }
        let head = |(from, to): (usize, usize)| -> String {
            let of_line = |line: &String| part(line, from, to).unwrap_or_default().to_string();
            heads.iter().map(of_line).collect::<String>().to_ascii_lowercase().split_whitespace().collect()
        };
        let columns = groups.into_iter().map(|group| {
            let column = match head(group).as_str() {
                "reads" => Column::Reads,
                "avrd(ms)" => Column::ReadLatency,
                "avblks/rd" => Column::BlocksPerRead,
                "writes" => Column::Writes,
                _ => Column::Other,
            };
            (group.0, group.1, column)
        });
        self.columns = columns.collect();
        let has = |wanted: Column| self.columns.iter().any(|(.., column)| *column == wanted);
        if has(Column::Reads) && has(Column::Writes) {
            return Ok(());
        }
        let what = format!("the columns `{}` have no reads or no writes", shown(heads.join(" ").as_bytes()));
        (self.section, self.columns) = (None, Vec::new());
        out.fault(number, what, "this section is ignored".into())
    }

    fn figures(
        &mut self,
        name: &str,
        line: &str,
        of_files: bool,
        number: u64,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        let (tablespace, file) = name.trim().split_once(char::is_whitespace).unwrap_or((name.trim(), ""));
        let device = if of_files { drive(file.trim()) } else { tablespace.to_string() };
        if of_files && file.is_empty() {
            return no_row(name, number, out);
        }
        // Figures stand at the right of their columns: what begins before one is wider than it.
        let cell = |wanted: Column| {
            let (from, to, _) = self.columns.iter().find(|(.., column)| *column == wanted)?;
            part(line, *from, *to).map(str::trim).filter(|cell| !cell.is_empty()).and_then(figure)
        };
        let words = line.split_whitespace().count();
        let is_word = |cell: &str| cell.split_whitespace().count() == 1;
        let in_columns = self.columns.iter().filter(|(from, to, _)| part(line, *from, *to).is_some_and(is_word));
        let (Some(reads), Some(writes), true) =
            (cell(Column::Reads), cell(Column::Writes), in_columns.count() == words)
        else {
            return no_row(line, number, out);
        };
        let device = out.device(number, device.as_bytes())?;
        let Some(report) = &mut self.report else { return Ok(()) };
        let sums = report.devices[usize::from(of_files)].entry(device);
        let sums = sums.or_insert(Sums { line: number, read_ms: Some(0.0), blocks: Some(0.0), ..Sums::default() });
        let of_reads = |each: Option<f64>| if reads == 0.0 { Some(0.0) } else { each.map(|each| each * reads) };
        sums.reads += reads;
        sums.writes += writes;
        sums.read_ms = sums.read_ms.zip(of_reads(cell(Column::ReadLatency))).map(|(sum, more)| sum + more);
        sums.blocks = sums.blocks.zip(of_reads(cell(Column::BlocksPerRead))).map(|(sum, more)| sum + more);
        Ok(())
    }

    /// Leaves a section.
    fn leave(&mut self, out: &mut Out<'_>) -> Result<(), CounterError> {
        if let Some((_, line)) = self.section.take().filter(|_| self.columns.is_empty() && !self.heads.is_empty()) {
            let what = "a section without a line below its column headers".to_string();
            out.fault(line, what, "this section is ignored".into())?;
        }
        self.heads.clear();
        self.columns.clear();
        match self.name.take() {
            Some((line, name)) => no_row(&name, line, out),
            None => Ok(()),
        }
    }

    /// Passes on a report.
    fn end(&mut self, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.leave(out)?;
        let Some(report) = self.report.take() else { return Ok(()) };
        let Report { line, stamp, minutes, block_bytes, devices: [tablespaces, files] } = report;
        let devices = if files.is_empty() { tablespaces } else { files };
        let Some(minutes) = minutes.filter(|_| !devices.is_empty()) else {
            let what = match minutes {
                None => "a report without its length (`Elapsed`)",
                Some(_) => "a report without `File IO Stats` and `Tablespace IO Stats`",
            };
            return out.fault(
                line,
                what.into(),
                "write the full report as text: `awrrpt.sql`, report type `text`".into(),
            );
        };
        if let Some(name) = &self.machine {
            out.machine(line, name)?;
        }
        for (is_known, what) in [(stamp.is_some(), "End Snap"), (block_bytes.is_some(), "Std Block Size")] {
            if !is_known {
                let what = format!("a report without `{what}`");
                out.fault(line, what, "it is used without it".into())?;
            }
        }
        let seconds = minutes * 60.0;
        let mut common = Common::at(stamp.unwrap_or(Stamp::Report { index: self.reports }));
        common.machine = self.machine.clone();
        common.interval = Some(Duration::from_ns((seconds * 1e9) as u64));
        self.reports += 1;
        out.stamp(number, common.stamp)?;
        for (device, sums) in devices {
            let bytes = sums.blocks.zip(block_bytes).map(|(blocks, block)| blocks * block / seconds);
            let latency = sums.read_ms.filter(|_| sums.reads > 0.0).map(|ms| ms / sums.reads);
            let disk = DiskInterval {
                reads_per_s: Some(sums.reads / seconds),
                writes_per_s: Some(sums.writes / seconds),
                read_throughput: bytes.map(|bytes| Throughput::bytes_per_second(bytes.round() as u64)),
                read_latency: latency.map(|ms| Duration::from_ns((ms * 1e6).round() as u64)),
                ..DiskInterval::default()
            };
            out.take(sums.line, &common, Reading::Disk { device, role: Role::Volume, disk });
        }
        Ok(())
    }
}

fn no_row(line: &str, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
    let what = format!("`{}` is not a file followed by its values", shown(line.as_bytes()));
    out.fault(number, what, "it is ignored".into())
}

/// What of a line stands in a column; none where the line ends before it.
fn part(line: &str, from: usize, to: usize) -> Option<&str> {
    line.get(from..to.min(line.len()))
}

/// `118,849`, `5.4E+06`, `0.6`: thousands are parted by commas.
fn figure(word: &str) -> Option<f64> {
    let bare: Vec<u8> = word.bytes().filter(|&b| b != b',').collect();
    from_zero(decimal(&bare))
}

/// `12-Nov-26 11:00:12`
fn instant(day: &str, time: &str) -> Option<Stamp> {
    let [day, month, year]: [&str; 3] = day.split('-').collect::<Vec<_>>().try_into().ok()?;
    let year = if year.len() == 2 { format!("20{year}") } else { year.to_string() };
    date_and_time(&format!("{year}-{:02}-{day:0>2}", month_of(month)?), time, false)
}
