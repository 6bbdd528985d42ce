//! Iometer's results CSV, of all layouts: columns are known by their header.
//!
//! `MBps (Decimal)` counts in 10^6, `MBps (Binary)`, `MiBps (Binary)` and the plain `MBps` of old versions in 2^20. Response
//! times are milliseconds. The 21 classes of response time of version 1.1 give a coarse histogram, and percentiles only as
//! the upper edge of a class. A DISK row repeats the classes of its worker, so they are not taken from it.
//!
//! Names of targets hold blanks and quotes, and never a comma: Iometer replaces those.

use super::{
    Bin, Cpu, CpuBase, Entry, Figures, Latency, LatencyKind, Load, MeasuredRun, Percentile, PercentileRule,
    ResultFormat, Scope, Tool, Wrong, shown, wrong,
};
use dw_messages::say;

use super::number::{count, decimal};
use super::text::Lines;

const CHANGED: &str = "give Iometer's results.csv, unchanged; a spreadsheet that saves it may change numbers";

/// Upper edges of the classes of response time, in ns, in the order of their columns; the last class is open.
const EDGES: [f64; 20] = [
    50e3, 100e3, 200e3, 500e3, 1e6, 2e6, 5e6, 10e6, 15e6, 20e6, 30e6, 50e6, 100e6, 200e6, 500e6, 1e9, 2e9, 4.7e9, 5e9,
    10e9,
];
/// The percentiles that are given of a histogram.
const PERCENTILES: [f64; 5] = [50.0, 90.0, 95.0, 99.0, 99.9];

/// Reads every test of a file.
pub(super) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut run = MeasuredRun::new(ResultFormat::IometerCsv, Tool::Iometer);
    let mut specs: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
    let mut header: Option<Vec<String>> = None;
    let mut key = "";
    let mut tests = 0;
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut end = 1;
    for line in Lines::new(text) {
        end = line.number;
        let words = line.text.trim();
        if words.is_empty() {
            continue;
        }
        if let Some(name) = words.strip_prefix('\'') {
            key = match name {
                _ if name.starts_with("Target Type,") => {
                    header = Some(name.split(',').map(|column| column.trim().to_string()).collect());
                    open.clear();
                    tests += 1;
                    "rows"
                }
                _ if name.starts_with("Access specification name") => "specification",
                _ if name.starts_with("size,") => "line",
                _ if name.eq_ignore_ascii_case("version") => "version",
                _ if name.eq_ignore_ascii_case("time stamp") => "time",
                _ => "",
            };
            continue;
        }
        match key {
            "version" => run.version = Some(words.to_string()),
            "time" if run.time.is_none() => run.time = Some(words.to_string()),
            "specification" => {
                let name = words.split(',').next().unwrap_or(words).trim().to_string();
                specs.retain(|(known, _)| *known != name);
                specs.push((name, Vec::new()));
            }
            "line" => {
                let numbers: Vec<f64> = words.split(',').map_while(decimal).collect();
                if let Some((_, lines)) = specs.last_mut() {
                    lines.push(numbers);
                }
            }
            "rows" => {
                let Some(header) = &header else { continue };
                let cells: Vec<&str> = words.split(',').map(str::trim).collect();
                let row = Row { header, cells: &cells, line: line.number };
                row.read(&specs, tests - 1, &mut open, &mut run)?;
            }
            _ => {}
        }
    }
    if run.entries.is_empty() {
        return wrong(end, "has no row of results", "let the test finish: Iometer writes the results at the end");
    }
    Ok(run)
}

struct Row<'a> {
    header: &'a [String],
    cells: &'a [&'a str],
    line: u64,
}

impl Row<'_> {
    fn cell(&self, name: &str) -> Option<&str> {
        let at = self.header.iter().position(|column| column.eq_ignore_ascii_case(name))?;
        self.cells.get(at).copied().filter(|cell| !cell.is_empty())
    }

    fn number(&self, name: &str) -> Result<Option<f64>, Wrong> {
        let Some(text) = self.cell(name) else { return Ok(None) };
        match decimal(text).filter(|value| *value >= 0.0) {
            Some(value) => Ok(Some(value)),
            None => wrong(self.line, format!("column `{name}` is `{}`, not a number", shown(text)), CHANGED),
        }
    }

    fn count(&self, name: &str) -> Result<Option<u64>, Wrong> {
        let Some(text) = self.cell(name) else { return Ok(None) };
        match count(text) {
            Some(value) => Ok(Some(value)),
            None => self.number(name).map(|value| value.map(|value| value as u64)),
        }
    }

    /// A row; `open` holds the rows that this one may be part of, with their levels.
    fn read(
        &self,
        specs: &[(String, Vec<Vec<f64>>)],
        test: u32,
        open: &mut Vec<(u8, usize)>,
        run: &mut MeasuredRun,
    ) -> Result<(), Wrong> {
        let kind = self.cells[0].to_ascii_uppercase();
        let (level, scope) = match kind.as_str() {
            "ALL" => (0, Scope::Total),
            "MANAGER" => (1, Scope::Host),
            "PROCESSOR" => {
                self.processor(open, run)?;
                return Ok(());
            }
            "WORKER" => (2, Scope::Thread),
            "DISK" => (3, Scope::Target),
            // A network's rows have other units of work.
            _ if kind.starts_with("NETWORK") || kind.starts_with("TCP") || kind.starts_with("VI") => return Ok(()),
            _ => return wrong(self.line, format!("`{}` is not a type of row", shown(self.cells[0])), CHANGED),
        };
        if self.cells.len() < self.header.len().min(24) {
            let what = format!("has {} cells, but its header has {}", self.cells.len(), self.header.len());
            return wrong(self.line, what, "the copy is truncated: copy the whole file");
        }
        let spec = self.cell("Access Specification Name").unwrap_or_default();
        let name = match scope {
            Scope::Total => spec.to_string(),
            _ => self.cell("Target Name").unwrap_or("(no name)").to_string(),
        };
        let mut entry = Entry::new(name, scope, self.line);
        entry.test = test;
        open.retain(|(above, _)| *above < level);
        entry.included_in = open.last().map(|(_, at)| *at);
        entry.load = self.load(spec, specs)?;
        if scope == Scope::Host {
            entry.host = Some(entry.name.clone());
        }
        if scope == Scope::Target {
            entry.load.targets = vec![entry.name.clone()];
        }
        let read = self.direction("Read ", "Bytes Read", "Read I/Os")?;
        let write = self.direction("Write ", "Bytes Written", "Write I/Os")?;
        let mut all = self.direction("", "", "")?;
        all.ios = read.ios.zip(write.ios).map(|(a, b)| a.saturating_add(b));
        all.bytes = read.bytes.zip(write.bytes).map(|(a, b)| a.saturating_add(b));
        let used = |figures: &Figures| figures.ios.map_or(figures.iops.unwrap_or(0.0) > 0.0, |ios| ios > 0);
        let bins = if scope == Scope::Target { Vec::new() } else { self.bins()? };
        entry.elapsed_s = all.ios.zip(all.iops).filter(|p| p.1 > 0.0).map(|(ios, iops)| ios as f64 / iops);
        entry.read = used(&read).then_some(read);
        entry.write = used(&write).then_some(write);
        let both = entry.read.is_some() && entry.write.is_some();
        entry.mixed = both.then_some(all);
        // The classes are of reads and writes together.
        let of_all = [&mut entry.mixed, &mut entry.read, &mut entry.write].into_iter().find_map(Option::as_mut);
        if let Some(latency) = of_all.and_then(|figures| figures.latency.first_mut()) {
            attach(latency, bins);
        }
        for figures in [&mut entry.read, &mut entry.write, &mut entry.mixed].into_iter().flatten() {
            figures.elapsed_s = entry.elapsed_s;
        }
        entry.errors = self.count("Errors")?;
        if entry.errors.unwrap_or(0) > 0 {
            let ios = entry.errors.unwrap_or(0);
            run.note(self.line, say!(ResultFailed { ios, name: shown(&entry.name) }));
        }
        let busy = self.number("% CPU Utilization")?;
        if busy.is_some() {
            entry.cpu = Some(Cpu {
                of: CpuBase::AllProcessors,
                busy_percent: busy,
                user_percent: self.number("% User Time")?,
                system_percent: self.number("% Privileged Time")?,
                busiest_percent: None,
                whole_s: None,
            });
        }
        open.push((level, run.entries.len()));
        run.entries.push(entry);
        Ok(())
    }

    /// One processor: the busiest is kept with whom it belongs to.
    fn processor(&self, open: &[(u8, usize)], run: &mut MeasuredRun) -> Result<(), Wrong> {
        let Some(busy) = self.number("% CPU Utilization")? else { return Ok(()) };
        for (_, at) in open.iter().filter(|(level, _)| *level < 2) {
            if let Some(cpu) = run.entries.get_mut(*at).and_then(|entry| entry.cpu.as_mut()) {
                cpu.busiest_percent = Some(cpu.busiest_percent.unwrap_or(0.0).max(busy));
            }
        }
        Ok(())
    }

    fn load(&self, spec: &str, specs: &[(String, Vec<Vec<f64>>)]) -> Result<Load, Wrong> {
        let mut load = Load {
            queue_depth: self.count("Queue Depth")?.filter(|&depth| depth > 0),
            workers: self.count("# Workers")?,
            ..Load::default()
        };
        let lines = specs.iter().find(|(name, _)| name == spec).map(|(_, lines)| lines.as_slice());
        // size, % of size, % reads, % random, delay, ...: one line says all, several differ.
        load.is_paced = lines.into_iter().flatten().any(|line| line.get(4).is_some_and(|delay| *delay > 0.0));
        if let Some([line]) = lines
            && let [size, _, reads, random, ..] = line[..]
        {
            (load.io_bytes, load.read_percent, load.random_percent) = (Some(size as u64), Some(reads), Some(random));
            let word = if reads == 100.0 {
                "read"
            } else if reads == 0.0 {
                "write"
            } else {
                "rw"
            };
            load.pattern = Some(if random > 0.0 { format!("rand{word}") } else { word.to_string() });
        }
        Ok(load)
    }

    fn direction(&self, of: &str, bytes: &str, ios: &str) -> Result<Figures, Wrong> {
        let decimal = self.number(&format!("{of}MBps (Decimal)"))?.map(|mb| mb * 1e6);
        let mut rate = decimal;
        for name in ["MiBps (Binary)", "MBps (Binary)", "MBps"] {
            if rate.is_none() {
                rate = self.number(&format!("{of}{name}"))?.map(|mib| mib * 1_048_576.0);
            }
        }
        let mut latency = Latency::new(LatencyKind::Lat);
        latency.mean_ns = self.number(&format!("Average {of}Response Time"))?.map(|ms| ms * 1e6);
        latency.max_ns = self.number(&format!("Maximum {of}Response Time"))?.map(|ms| ms * 1e6);
        Ok(Figures {
            ios: self.count(ios)?,
            bytes: self.count(bytes)?,
            iops: self.number(&format!("{of}IOps"))?,
            bytes_per_s: rate,
            latency: latency.mean_ns.is_some().then_some(latency).into_iter().collect(),
            ..Figures::default()
        })
    }

    fn bins(&self) -> Result<Vec<u64>, Wrong> {
        let Some(first) = self.header.iter().position(|column| column.eq_ignore_ascii_case("0 to 50 uS")) else {
            return Ok(Vec::new());
        };
        let cells = self.cells.iter().skip(first).take(EDGES.len() + 1).filter(|cell| !cell.is_empty());
        cells
            .map(|cell| match count(cell).or_else(|| decimal(cell).filter(|n| *n >= 0.0).map(|n| n as u64)) {
                Some(count) => Ok(count),
                None => wrong(self.line, format!("a class of response time holds `{}`", shown(cell)), CHANGED),
            })
            .collect()
    }
}

/// Puts classes of response time into a latency; the open class has no edge and counts for the shares only.
fn attach(latency: &mut Latency, counts: Vec<u64>) {
    let total: u64 = counts.iter().fold(0, |sum, count| sum.saturating_add(*count));
    if total == 0 {
        return;
    }
    latency.samples = Some(total);
    let closed = EDGES.iter().zip(&counts).filter(|(_, count)| **count > 0);
    latency.histogram = closed.map(|(edge, count)| Bin { ns: *edge, count: *count }).collect();
    let mut below = 0u64;
    let mut wanted = PERCENTILES.into_iter().peekable();
    for (edge, count) in EDGES.iter().zip(&counts) {
        below = below.saturating_add(*count);
        while wanted.peek().is_some_and(|percent| below as f64 >= percent / 100.0 * total as f64) {
            latency.percentiles.extend(wanted.next().map(|percent| Percentile { percent, ns: *edge }));
        }
    }
    latency.percentile_rule = Some(PercentileRule::UpperEdge);
}
