//! Samples of Windows performance counters, one a row: what a log workspace keeps (`Perf`, `InsightsMetrics`) and what PowerShell's
//! `Get-Counter` prints or hands to `Export-Csv`.
//!
//! A sample has a machine, a counter, an instant and a value; those of one instant are joined. Samples that are less than a second
//! apart are of one instant: a collector asks for one counter after the other. What stands twice with two values is said, and the
//! first is used. `InsightsMetrics` has names of its own (`LogicalDisk`, `ReadsPerSecond`), milliseconds, and mount points in `Tags`.
//!
//! Source: the tables `Perf` and `InsightsMetrics` of Azure Monitor; `Get-Counter` of Windows PowerShell 5.1.
//!
//! Ignores: counters that `perfmon.rs` does not read; samples whose status is not zero.

use std::collections::BTreeMap;
use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Memory, Name, Reading, Role, Stamp, Transactions};
use dw_units::Bytes;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::decimal;
use super::out::Out;
use super::perfmon::{Figure, Meant, Path, put};
use super::rows::Rows;
use super::stamp::Stamps;

const MIB: f64 = 1024.0 * 1024.0;
/// Samples closer than this are of one instant.
const APART_NS: i64 = 1_000_000_000;

/// One instant of a machine.
#[derive(Default)]
struct Instant {
    line: u64,
    disks: BTreeMap<(Name, Role), Vec<(Figure, f64)>>,
    /// Percent of each processor; the sum of all is alone.
    cpu: Vec<f64>,
    cpu_of_all: Option<f64>,
    memory: Memory,
    transactions: Vec<Transactions>,
}

/// Samples as far as they are read.
#[derive(Default)]
pub(super) struct Samples {
    /// Machines, each with its first line.
    machines: Vec<(Name, u64)>,
    instants: BTreeMap<(Option<usize>, i64), Instant>,
    /// Times have no zone.
    local: bool,
    twice: bool,
}

/// What a sample is of.
enum Of<'a> {
    Disk { name: &'a str, role: Role, figure: Figure },
    Cpu { of_all: bool },
    Available,
    MemoryTotal,
    Transactions { counter: &'a str, instance: Option<&'a str> },
}

impl Samples {
    pub fn is_empty(&self) -> bool {
        self.instants.is_empty()
    }

    /// A counter by its path; whether it is one that is read.
    pub fn counter(
        &mut self,
        at: (u64, i64),
        path: &Path<'_>,
        value: f64,
        out: &mut Out<'_>,
    ) -> Result<bool, CounterError> {
        let Some(meant) = path.figure(out.options) else { return Ok(false) };
        let instance = path.instance.unwrap_or_default();
        let total = instance.eq_ignore_ascii_case("_Total");
        let (of, value) = match meant {
            Meant::Disk(figure, physical) => {
                let object = if physical { "PhysicalDisk" } else { "LogicalDisk" };
                let role = match (total, physical) {
                    (true, _) => Role::Total,
                    (false, true) => Role::Disk,
                    (false, false) => Role::Volume,
                };
                if total {
                    let name = format!("{object}(_Total)");
                    let of = Of::Disk { name: &name, role, figure };
                    return self.sample(at, path.host, of, value, out).map(|()| true);
                }
                (Of::Disk { name: instance, role, figure }, value)
            }
            // `0,_Total` is one group of processors.
            Meant::Cpu if instance.contains("_Total") && !total => return Ok(true),
            Meant::Cpu => (Of::Cpu { of_all: total }, value),
            Meant::Memory(unit) => (Of::Available, value * unit),
            Meant::Batches => (Of::Transactions { counter: "Batch Requests/sec", instance: None }, value),
            Meant::Transactions => (Of::Transactions { counter: "Transactions/sec", instance: Some(instance) }, value),
        };
        self.sample(at, path.host, of, value, out).map(|()| true)
    }

    /// A row of `Perf` or `InsightsMetrics`, whose columns `field` gives by name.
    pub fn log_row(
        &mut self,
        at: (u64, i64),
        field: &dyn Fn(&str) -> Option<String>,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        let filled = |name: &str| field(name).filter(|text| !text.is_empty());
        let value = filled("CounterValue").or_else(|| filled("Val"));
        let Some(value) = value.as_deref().and_then(|text| decimal(text.as_bytes())) else {
            let what = format!("`{}` is not a number", shown(value.unwrap_or_default().as_bytes()));
            return out.fault(at.0, what, "nothing of this line is used".into());
        };
        let computer = filled("Computer").or_else(|| filled("_ResourceId"));
        let host = computer.as_deref().and_then(|name| name.rsplit('/').next());
        if let (Some(object), Some(counter)) = (filled("ObjectName"), filled("CounterName")) {
            let instance = filled("InstanceName");
            let path = Path { host, object: &object, instance: instance.as_deref(), counter: &counter };
            return self.counter(at, &path, value, out).map(|_| ());
        }
        let (Some(space), Some(name)) = (filled("Namespace"), filled("Name")) else { return Ok(()) };
        let tags = filled("Tags").and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        let tag = |key: &str| tags.as_ref().and_then(|tags| tags.get(key));
        match (space.as_str(), name.as_str()) {
            ("LogicalDisk", name) => {
                let (figure, scale) = match name {
                    "ReadsPerSecond" => (Figure::Reads, 1.0),
                    "WritesPerSecond" => (Figure::Writes, 1.0),
                    "TransfersPerSecond" => (Figure::Transfers, 1.0),
                    "BytesPerSecond" => (Figure::BothBytes, 1.0),
                    "ReadBytesPerSecond" => (Figure::ReadBytes, 1.0),
                    "WriteBytesPerSecond" => (Figure::WriteBytes, 1.0),
                    "ReadLatencyMs" => (Figure::ReadTime, 1e-3),
                    "WriteLatencyMs" => (Figure::WriteTime, 1e-3),
                    "TransferLatencyMs" => (Figure::BothTime, 1e-3),
                    _ => return Ok(()),
                };
                let mount = tag("vm.azm.ms/mountId").and_then(|mount| mount.as_str()).unwrap_or("disk");
                let total = mount.eq_ignore_ascii_case("_Total");
                let role = if total { Role::Total } else { Role::Volume };
                let name = if total { "LogicalDisk(_Total)" } else { mount };
                self.sample(at, host, Of::Disk { name, role, figure }, value * scale, out)
            }
            ("Processor", "UtilizationPercentage") => self.sample(at, host, Of::Cpu { of_all: true }, value, out),
            ("Memory", "AvailableMB") => {
                let total = tag("vm.azm.ms/memorySizeMB")
                    .and_then(|size| size.as_f64().or_else(|| size.as_str()?.parse().ok()));
                if let Some(total) = total {
                    self.sample(at, host, Of::MemoryTotal, total * MIB, out)?;
                }
                self.sample(at, host, Of::Available, value * MIB, out)
            }
            _ => Ok(()),
        }
    }

    /// Times of this recording are those of a wall.
    pub fn set_local(&mut self) {
        self.local = true;
    }

    fn sample(
        &mut self,
        (line, ns): (u64, i64),
        host: Option<&str>,
        of: Of<'_>,
        value: f64,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        if value < 0.0 {
            return Ok(());
        }
        let machine = host.map(|host| {
            self.machines.iter().position(|(name, _)| name.eq_ignore_ascii_case(host)).unwrap_or_else(|| {
                self.machines.push((out.name(host.as_bytes()), line));
                self.machines.len() - 1
            })
        });
        let near = (machine, ns.saturating_sub(APART_NS - 1))..=(machine, ns.saturating_add(APART_NS - 1));
        let at = self.instants.range(near).next().map_or(ns, |((_, at), _)| *at);
        let instant = self.instants.entry((machine, at)).or_default();
        if instant.line == 0 {
            instant.line = line;
        }
        match of {
            Of::Disk { name, role, figure } => {
                let device = out.name(name.as_bytes());
                let figures = instant.disks.entry((device, role)).or_default();
                match figures.iter().find(|(known, _)| *known == figure) {
                    None => figures.push((figure, value)),
                    Some((_, first)) if *first != value && !std::mem::replace(&mut self.twice, true) => {
                        let what = format!("a counter of `{name}` has two values at one time: {first} and {value}");
                        let hint = "the first is used; is the machine of each row missing?".into();
                        out.fault(line, what, hint)?;
                    }
                    Some(_) => {}
                }
            }
            Of::Cpu { of_all: true } => instant.cpu_of_all = Some(value),
            Of::Cpu { of_all: false } => instant.cpu.push(value),
            Of::Available => instant.memory.available = Some(Bytes::new(value.round() as u64)),
            Of::MemoryTotal => instant.memory.total = Some(Bytes::new(value.round() as u64)),
            Of::Transactions { counter, instance } => instant.transactions.push(Transactions {
                counter: out.name(counter.as_bytes()),
                instance: instance.map(|instance| out.name(instance.as_bytes())),
                per_s: value,
            }),
        }
        Ok(())
    }

    /// Passes on what was joined, one machine after the other.
    pub fn flush(self, tool: &str, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = self.machines.first().map(|(name, _)| name.clone());
        out.fact(1, &common, Fact::Tool(tool.into()));
        let mut before = None;
        for ((machine, ns), instant) in self.instants {
            if machine != before
                && let Some((name, line)) = machine.map(|at| &self.machines[at])
            {
                out.machine(*line, name)?;
            }
            before = machine;
            common.machine = machine.map(|at| self.machines[at].0.clone());
            common.stamp = Stamp::Wall { ns, utc_offset_min: (!self.local).then_some(0) };
            instant.pass_on(&common, out);
        }
        Ok(())
    }
}

impl Instant {
    fn pass_on(mut self, common: &Common, out: &mut Out<'_>) {
        let line = self.line;
        let mean = (!self.cpu.is_empty()).then(|| self.cpu.iter().sum::<f64>() / self.cpu.len() as f64);
        if let Some(busy) = self.cpu_of_all.or(mean) {
            let cpus = u32::try_from(self.cpu.len()).ok().filter(|&n| n > 0);
            out.take(
                line,
                common,
                Reading::Cpu(CpuInterval { busy_percent: Some(busy), cpus, ..CpuInterval::default() }),
            );
        }
        if self.memory != Memory::default() {
            out.take(line, common, Reading::Memory(self.memory));
        }
        // `_Total` has all databases.
        let total = |t: &Transactions| t.instance.as_deref() == Some("_Total");
        if self.transactions.iter().any(total) {
            self.transactions.retain(|t| t.instance.is_none() || total(t));
        }
        for transactions in self.transactions {
            out.take(line, common, Reading::Transactions(transactions));
        }
        for ((device, role), figures) in self.disks {
            let mut disk = DiskInterval::default();
            figures.into_iter().for_each(|(figure, value)| put(&mut disk, figure, value));
            out.take(line, common, Reading::Disk { device, role, disk });
        }
    }
}

/// Whether a line heads what `Get-Counter` prints.
pub(super) fn is_printed(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_whitespace().collect();
    matches!(words.as_slice(), ["Timestamp", "CounterSamples"])
}

/// Whether a line heads the samples of `Get-Counter` as CSV.
pub(super) fn is_exported(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&line[..line.len().min(1000)]).to_ascii_lowercase();
    let has = |name: &str| text.split([',', ';', '\t']).any(|cell| cell.trim().trim_matches('"') == name);
    has("path") && has("cookedvalue") && has("timestamp")
}

/// Reads what `Get-Counter` prints to its end.
pub(super) fn read_printed(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut samples = Samples::default();
    samples.set_local();
    let mut stamps = Stamps::default();
    let mut at: Option<i64> = None;
    // A path is as long as the window is narrow: it ends where its colon stands.
    let mut path = String::new();
    while lines.advance()? {
        let number = lines.number();
        let text = String::from_utf8_lossy(lines.bytes()).into_owned();
        let trimmed = text.trim();
        if trimmed.is_empty() || is_printed(lines.bytes()) || trimmed.chars().all(|c| c == '-' || c == ' ') {
            continue;
        }
        if trimmed.starts_with("PS ") && trimmed.contains('>') {
            continue;
        }
        let (before, name) = match trimmed.find("\\\\") {
            Some(start) => (trimmed[..start].trim(), Some(&trimmed[start..])),
            None => ("", None),
        };
        if !before.is_empty() {
            let words: Vec<&str> = before.split_whitespace().collect();
            match stamps.read(&words, number, out)? {
                Some(Stamp::Wall { ns, .. }) => at = Some(ns),
                _ => {
                    at = None;
                    out.damaged(lines, format_args!("`{}` is not a date and time", shown(before.as_bytes())))?;
                }
            }
        }
        if let Some(name) = name {
            path = name.to_string();
            continue;
        }
        if !path.is_empty() && !path.ends_with(':') {
            path.push_str(trimmed);
            continue;
        }
        let (Some(value), Some(ns), false) = (decimal(trimmed.as_bytes()), at, path.is_empty()) else {
            if at.is_some() || !path.is_empty() {
                out.damaged(lines, format_args!("`{}` is not a value of a counter", shown(trimmed.as_bytes())))?;
            }
            continue;
        };
        let whole = std::mem::take(&mut path);
        if let Some(parsed) = Path::parse(whole.trim_end_matches([':', ' '])) {
            samples.counter((number, ns), &parsed, value, out)?;
        }
    }
    samples.flush("PerfMon", out)
}

/// Reads samples as CSV to their end; the last line.
pub(super) fn read_exported(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let header = head.split(|&b| b == b'\n').find(|line| is_exported(line)).unwrap_or_default();
    let delimiter = *header.iter().find(|b| matches!(b, b',' | b';' | b'\t')).unwrap_or(&b',');
    let mut rows = Rows::new(input, head, delimiter);
    let mut samples = Samples::default();
    samples.set_local();
    let mut stamps = Stamps::default();
    let mut columns: Option<[Option<usize>; 4]> = None;
    while rows.advance(out)? {
        let (line, row) = (rows.line(), rows.cells());
        let Some([path, value, time, status]) = columns else {
            let of = |name: &str| row.iter().position(|cell| cell.eq_ignore_ascii_case(name));
            let found = [of("Path"), of("CookedValue"), of("Timestamp"), of("Status")];
            columns = found[..3].iter().all(Option::is_some).then_some(found);
            continue;
        };
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).map(String::as_str).unwrap_or_default();
        if row.iter().all(String::is_empty) || !matches!(cell(status), "" | "0" | "Success") {
            continue;
        }
        let words: Vec<&str> = cell(time).split_whitespace().collect();
        let Some(Stamp::Wall { ns, .. }) = stamps.read(&words, line, out)? else {
            let what = format!("`{}` is not a date and time", shown(cell(time).as_bytes()));
            out.fault(line, what, "nothing of this line is used".into())?;
            continue;
        };
        let Some(value) = decimal(cell(value).as_bytes()) else {
            let what = format!("`{}` is not a number", shown(cell(value).as_bytes()));
            out.fault(line, what, "nothing of this line is used".into())?;
            continue;
        };
        if let Some(path) = Path::parse(cell(path)) {
            samples.counter((line, ns), &path, value, out)?;
        }
    }
    samples.flush("PerfMon", out)?;
    Ok(rows.line())
}
