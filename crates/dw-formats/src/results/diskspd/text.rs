//! DiskSpd's text: what it was asked for, then a result a time span.
//!
//! Columns are known by their header. `MiB/s` is binary, and so is the `MB/s` of versions before 2.0.18, which count bytes
//! alike. The table's own rate a second has two decimals and is finer than I/Os over the printed test time; bytes per second
//! follow from it and from the exact counts. Percentiles are the nearest rank over every I/O.

use dw_messages::say;

use super::{keep_used, latency};
use crate::results::number::{count, decimal, option_seconds, option_size};
use crate::results::text::{Line, Lines};
use crate::results::{
    Cpu, CpuBase, Entry, Figures, LatencyKind, Load, MeasuredRun, Percentile, PercentileRule, ResultFormat, Scope,
    Spread, Tool, Wrong, shown, wrong,
};

const CHANGED: &str = "give DiskSpd's unmodified output";

/// Whether a line (without its indent) begins DiskSpd's text.
pub(in crate::results) fn begins(line: &str) -> bool {
    line.starts_with("Command Line: ")
        || line.starts_with("Results for timespan ")
        || line.starts_with("Input parameters:")
}

/// Where runs begin, in bytes: at what a run was asked for, or at its first time span, once another has had results.
pub(in crate::results) fn starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut last_span: Option<u64> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let said = line.trim();
        let span =
            said.strip_prefix("Results for timespan ").map(|rest| count(rest.trim_end_matches(':')).unwrap_or(1));
        let asks = said.starts_with("Command Line: ") || said.starts_with("Input parameters:");
        let again = span.is_some_and(|span| last_span.is_some_and(|last| span <= last));
        if asks && last_span.is_some() || again {
            starts.push(here);
            last_span = None;
        }
        last_span = span.or(last_span);
    }
    starts
}

/// Reads every time span of a text.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut reader = Reader {
        run: MeasuredRun::new(ResultFormat::DiskspdText, Tool::Diskspd),
        loads: Vec::new(),
        host: None,
        table: Table::None,
        parts: Vec::new(),
    };
    let mut end = 1;
    for line in Lines::new(text) {
        end = line.number;
        reader.line(line)?;
    }
    reader.finish()?;
    if reader.run.entries.is_empty() {
        return wrong(
            end,
            "contains settings but no results",
            "DiskSpd was stopped, or the copy is truncated: run it again",
        );
    }
    let cut =
        reader.run.entries.iter().find(|e| e.scope == Scope::Total && e.failure.is_none() && e.elapsed_s.is_none());
    if let Some(entry) = cut {
        return wrong(
            entry.line,
            "this time span has no `actual test time`",
            "the copy is truncated: copy the whole text",
        );
    }
    Ok(reader.run)
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Total,
    Read,
    Write,
}

/// The table that the lines belong to.
enum Table {
    None,
    /// `Total IO` and the like: its header is yet to come.
    Named(Part),
    /// The columns of a table of I/Os.
    Rows(Part, Vec<String>),
    /// The columns of the processors.
    Processors(Vec<String>),
    /// The percentiles of all targets.
    Percentiles,
}

struct Reader {
    run: MeasuredRun,
    /// One a time span of the input parameters.
    loads: Vec<Load>,
    host: Option<String>,
    table: Table,
    /// Threads and targets of the time span, from its first table.
    parts: Vec<Entry>,
}

impl Reader {
    fn line(&mut self, line: Line) -> Result<(), Wrong> {
        let text = line.text.trim();
        if let Some(command) = text.strip_prefix("Command Line:") {
            self.run.command_line = Some(command.trim().to_string());
        } else if text.starts_with("Results for timespan ") {
            self.begin(line.number)?;
        } else if self.run.entries.is_empty() {
            self.asked(text);
        } else if text.starts_with("The test was interrupted") {
            if let Some(entry) = self.run.entries.last_mut() {
                entry.failure = Some(text.to_string());
            }
            self.run.note(line.number, say!(Plain { text }));
        } else if text == "Totals:" {
            // Sums over time spans of figures that are here already.
            self.finish()?;
            self.table = Table::None;
        } else if let Some(time) = text.strip_prefix("actual test time:") {
            let Some(seconds) = decimal(time.trim().trim_end_matches('s')).filter(|s| *s > 0.0) else {
                return wrong(line.number, format!("the test time is `{}`", shown(time)), CHANGED);
            };
            if let Some(entry) = self.run.entries.last_mut() {
                entry.elapsed_s = Some(seconds);
            }
        } else {
            self.result(text, line.number)?;
        }
        Ok(())
    }

    /// The lines of `Input parameters` and of the system.
    fn asked(&mut self, text: &str) {
        if text.starts_with("timespan:") || (self.loads.is_empty() && text.starts_with("duration:")) {
            self.loads.push(Load::default());
        }
        if let Some(name) = text.strip_prefix("computer name:") {
            self.host = Some(name.trim().to_string());
        } else if let Some(time) = text.strip_prefix("start time:") {
            self.run.time = Some(time.trim().to_string());
        }
        let Some(load) = self.loads.last_mut() else { return };
        let after = |key: &str| text.strip_prefix(key).map(str::trim);
        let within = |from: &str| text.split(from).nth(1).map(|rest| rest.split(')').next().unwrap_or(rest).trim());
        if let Some(value) = after("duration:") {
            load.runtime_s = option_seconds(value);
        } else if let Some(value) = after("warm up time:") {
            load.ramp_s = option_seconds(value);
        } else if let Some(value) = after("path:") {
            load.targets.push(value.trim_matches('\'').to_string());
        } else if text.starts_with("performing read test") {
            load.read_percent = Some(100.0);
        } else if text.starts_with("performing write test") {
            load.read_percent = Some(0.0);
        } else if let Some(ratio) = within("read/write ratio: ") {
            load.read_percent = ratio.split('/').next().and_then(decimal);
        } else if let Some(value) = after("block size:") {
            load.io_bytes = binary_size(value);
        } else if text.starts_with("using random I/O") {
            load.random_percent = Some(100.0);
        } else if text.starts_with("using mixed random/sequential I/O (") {
            load.random_percent = within("I/O (").and_then(|rest| rest.split('%').next().and_then(decimal));
        } else if text.starts_with("using sequential I/O") || text.starts_with("using interlocked sequential I/O") {
            load.random_percent = Some(0.0);
        } else if let Some(value) = after("number of outstanding I/O operations per thread:")
            .or_else(|| after("number of outstanding I/O operations:"))
        {
            load.queue_depth = count(value);
        } else if text.starts_with("throughput rate-limited to")
            || after("think time:").is_some_and(|value| !value.starts_with("0ms"))
        {
            load.is_paced = true;
        } else if let Some(value) = after("threads per file:") {
            load.workers = count(value).map(|each| each.saturating_mul(load.targets.len().max(1) as u64));
        } else if let Some(value) = after("thread pool with") {
            load.workers = value.split(' ').next().and_then(count);
        } else if text.contains("software cache disabled")
            || text.contains("hardware and software write caches disabled")
        {
            load.direct = Some(true);
        } else if text.starts_with("using software cache") {
            load.direct = Some(false);
        }
    }

    fn begin(&mut self, line: u64) -> Result<(), Wrong> {
        self.finish()?;
        let n = self.run.entries.iter().filter(|entry| entry.scope == Scope::Total).count();
        let mut entry = Entry::new(format!("time span {}", n + 1), Scope::Total, line);
        entry.test = n as u32;
        entry.load = self.loads.get(n).cloned().unwrap_or_default();
        entry.host = self.host.clone();
        self.run.entries.push(entry);
        self.table = Table::None;
        Ok(())
    }

    /// The end of a time span: its parts follow it.
    fn finish(&mut self) -> Result<(), Wrong> {
        let Some(whole) = self.run.entries.last_mut().filter(|entry| entry.scope == Scope::Total) else {
            return Ok(());
        };
        adds_up(whole, &self.parts)?;
        let used = |part: &Option<Figures>| part.as_ref().is_some_and(|figures| figures.ios != Some(0));
        if !(used(&whole.read) && used(&whole.write)) {
            whole.mixed = None;
        }
        keep_used(whole);
        let elapsed = whole.elapsed_s;
        for mut part in self.parts.drain(..) {
            part.elapsed_s = elapsed;
            if !(used(&part.read) && used(&part.write)) {
                part.mixed = None;
            }
            keep_used(&mut part);
            self.run.entries.push(part);
        }
        Ok(())
    }

    fn result(&mut self, text: &str, line: u64) -> Result<(), Wrong> {
        match text {
            "Total IO" => self.table = Table::Named(Part::Total),
            "Read IO" => self.table = Table::Named(Part::Read),
            "Write IO" => self.table = Table::Named(Part::Write),
            // Before 2.1 the chart of all targets is headed like a row of sums.
            "total:" | "Total latency distribution:" => self.table = Table::Percentiles,
            _ if text.ends_with("latency distribution:") => self.table = Table::None,
            _ if !text.contains('|') => {}
            _ => {
                let cells: Vec<&str> = text.split('|').map(str::trim).collect();
                return self.row(&cells, text, line);
            }
        }
        Ok(())
    }

    fn row(&mut self, cells: &[&str], text: &str, line: u64) -> Result<(), Wrong> {
        let columns = || cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        if cells.contains(&"CPU") && cells.contains(&"Usage") {
            self.table = Table::Processors(columns());
            return Ok(());
        }
        match &self.table {
            Table::Named(part) if cells[0] == "thread" => self.table = Table::Rows(*part, columns()),
            Table::Rows(part, names) if !cells[0].starts_with('%') => {
                let (part, names) = (*part, names.clone());
                if cells[0].starts_with("total:") {
                    self.table = Table::None;
                }
                return self.rates(part, &names, cells, text, line);
            }
            Table::Processors(names) => {
                let names = names.clone();
                self.processor(&names, cells);
            }
            Table::Percentiles if !cells[0].starts_with('%') => return self.percentile(cells, line),
            Table::Percentiles => {}
            // A chart of one of several targets, waits, events: none of them is of the whole.
            _ => self.table = Table::None,
        }
        Ok(())
    }

    fn rates(&mut self, part: Part, names: &[String], cells: &[&str], text: &str, line: u64) -> Result<(), Wrong> {
        let sums = cells[0].strip_prefix("total:");
        // `total:` has the bytes in its first cell, where the others have the thread.
        let shift = usize::from(sums.is_some());
        let cell = |name: &str| {
            let at = names.iter().position(|n| n == name)?.checked_sub(shift)?;
            let found = *cells.get(at)?;
            Some(if at == 0 { found.trim_start_matches("total:").trim() } else { found })
        };
        let bad = |what: &str| wrong(line, format!("{what} cannot be read in `{}`", shown(text)), CHANGED);
        let Some(bytes) = cell("bytes").and_then(count) else { return bad("bytes") };
        let Some(ios) = cell("I/Os").and_then(count) else { return bad("I/Os") };
        let Some(iops) = cell("I/O per s").and_then(decimal) else { return bad("I/O per s") };
        let mib = cell("MiB/s").or_else(|| cell("MB/s")).and_then(decimal);
        let mut figures = Figures {
            ios: Some(ios),
            bytes: Some(bytes),
            iops: Some(iops),
            bytes_per_s: if ios > 0 && iops > 0.0 {
                Some(bytes as f64 / ios as f64 * iops)
            } else {
                mib.map(|m| m * 1_048_576.0)
            },
            elapsed_s: self.run.entries.last().and_then(|entry| entry.elapsed_s),
            ..Figures::default()
        };
        if ios > 0 {
            let number = |name| cell(name).and_then(decimal);
            figures.latency.extend(latency(number("AvgLat"), number("LatStdDev"), ios));
            figures.iops_samples =
                number("IopsStdDev").map(|stddev| Spread { stddev: Some(stddev), ..Spread::default() });
        }
        let at = self.run.entries.len() - 1;
        let test = self.run.entries[at].test;
        let entry = if sums.is_some() {
            &mut self.run.entries[at]
        } else {
            let file = cell("file").unwrap_or_default();
            let (path, size) = file.rsplit_once(" (").map_or((file, None), |(path, size)| (path, Some(size)));
            let name = format!("thread {}, {path}", cells[0]);
            let found = self.parts.iter().position(|part| part.name == name);
            let n = found.unwrap_or_else(|| {
                let mut entry = Entry::new(name, Scope::Target, line);
                (entry.test, entry.included_in) = (test, Some(at));
                entry.load.targets = vec![path.to_string()];
                entry.load.target_bytes = size.and_then(|size| binary_size(size.trim_end_matches(')')));
                self.parts.push(entry);
                self.parts.len() - 1
            });
            &mut self.parts[n]
        };
        match part {
            Part::Total => entry.mixed = Some(figures),
            Part::Read => entry.read = Some(figures),
            Part::Write => entry.write = Some(figures),
        }
        Ok(())
    }

    fn processor(&mut self, names: &[String], cells: &[&str]) {
        let Some(entry) = self.run.entries.last_mut() else { return };
        let average = cells[0].starts_with("avg");
        // The average has no column for socket, node, group, core and class.
        let missing = if average { names.iter().position(|n| n == "CPU").unwrap_or(0) } else { 0 };
        let cell = |name: &str| {
            let at = names.iter().position(|n| n == name)?.checked_sub(missing)?;
            decimal(cells.get(at)?)
        };
        let usage = cell("Usage");
        let cpu = entry.cpu.get_or_insert(Cpu {
            of: CpuBase::AllProcessors,
            busy_percent: None,
            user_percent: None,
            system_percent: None,
            busiest_percent: None,
            whole_s: None,
        });
        if average {
            (cpu.busy_percent, cpu.user_percent, cpu.system_percent) = (usage, cell("User"), cell("Kernel"));
        } else {
            cpu.busiest_percent =
                usage.map(|usage| cpu.busiest_percent.unwrap_or(0.0).max(usage)).or(cpu.busiest_percent);
        }
    }

    fn percentile(&mut self, cells: &[&str], line: u64) -> Result<(), Wrong> {
        let Some(entry) = self.run.entries.last_mut() else { return Ok(()) };
        let name = cells[0];
        let percent = match name {
            "min" => 0.0,
            "max" => 100.0,
            _ => match (name.strip_suffix("th"), name.strip_suffix("-nines").and_then(count)) {
                (Some(text), _) if decimal(text).is_some() => decimal(text).unwrap_or_default(),
                (_, Some(nines @ 1..=12)) => {
                    // As printed: 3-nines is 99.9.
                    let digits = "9".repeat(nines as usize - 2.min(nines as usize));
                    decimal(&format!("{}.{digits}0", &"99"[..2.min(nines as usize)])).unwrap_or_default()
                }
                // Another table begins.
                _ => {
                    self.table = Table::None;
                    return Ok(());
                }
            },
        };
        let parts = [&mut entry.read, &mut entry.write, &mut entry.mixed];
        for (n, figures) in parts.into_iter().enumerate() {
            let text = cells.get(n + 1).copied().unwrap_or("N/A");
            if text == "N/A" {
                continue;
            }
            let Some(ns) = decimal(text).map(|ms| ms * 1e6) else {
                return wrong(line, format!("`{}` is not a latency in ms", shown(text)), CHANGED);
            };
            let latency = figures.as_mut().and_then(|f| f.latency.iter_mut().find(|l| l.kind == LatencyKind::Lat));
            let Some(latency) = latency else { continue };
            match percent {
                0.0 => latency.min_ns = Some(ns),
                100.0 => latency.max_ns = Some(ns),
                percent => latency.percentiles.push(Percentile { percent, ns }),
            }
            latency.percentile_rule = Some(PercentileRule::NearestRank);
        }
        Ok(())
    }
}

/// `8KiB`, and before version 2.1 `8K` or plain bytes.
fn binary_size(text: &str) -> Option<u64> {
    option_size(&text.replace("iB", "").replace(' ', ""))
}

/// DiskSpd counts exactly, so the rows of the threads come to their total; where they do not, rows are missing or figures changed.
fn adds_up(whole: &Entry, parts: &[Entry]) -> Result<(), Wrong> {
    type Of = fn(&Entry) -> &Option<Figures>;
    let tables: [(&str, Of); 3] = [("Total IO", |e| &e.mixed), ("Read IO", |e| &e.read), ("Write IO", |e| &e.write)];
    for (table, of) in tables {
        let Some(total) = of(whole).as_ref().filter(|_| parts.iter().any(|part| of(part).is_some())) else { continue };
        let sum = |count: fn(&Figures) -> Option<u64>| {
            let rows = parts.iter().filter_map(|part| of(part).as_ref().and_then(count));
            rows.fold(0u64, u64::saturating_add)
        };
        let (ios, bytes) = (sum(|f| f.ios), sum(|f| f.bytes));
        if total.ios.is_some_and(|n| n != ios) || total.bytes.is_some_and(|n| n != bytes) {
            let what = format!(
                "the rows of `{table}` come to {ios} I/Os and {bytes} bytes, but its total is {} and {}",
                total.ios.unwrap_or(0),
                total.bytes.unwrap_or(0)
            );
            return wrong(parts[0].line, what, "rows are missing or changed: give DiskSpd's unmodified output");
        }
    }
    Ok(())
}
