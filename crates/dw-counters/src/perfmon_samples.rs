//! Samples of Windows performance counters, one a row: what a log workspace keeps (`Perf`, `InsightsMetrics`) and what PowerShell's
//! `Get-Counter` prints or hands to `Export-Csv`.
//!
//! A sample has a machine, a counter, an instant and a value; those of one instant are joined. A collector asks for one counter after
//! the other, and its clock trembles: an instant lasts until a counter of it comes again, and no longer than half of the time after
//! which its counters come again. What stands twice with two values is said, and the first is used. `InsightsMetrics` has names of its own (`LogicalDisk`, `ReadsPerSecond`), milliseconds, and mount points in `Tags`.
//!
//! Source: the tables `Perf` and `InsightsMetrics` of Azure Monitor; `Get-Counter` of Windows PowerShell 5.1.
//!
//! Ignores: counters that `perfmon.rs` does not read; samples whose status is not zero.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Memory, Name, Reading, Role, Stamp, Transactions};
use dw_units::Bytes;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::{decimal, whole};
use super::out::{MOST_JOINED, Out};
use super::perfmon::{Figure, Meant, NO_VALUE, Path, disk, put};
use super::rows::Rows;
use super::stamp::Stamps;

const MIB: f64 = 1024.0 * 1024.0;
/// Within it samples are of one instant where nothing comes again.
const INSTANT_NS: i64 = 1_000_000_000;
/// A counter that comes again within it stands twice: nobody asks as often.
const TWICE_NS: i64 = 500_000_000;

/// What a sample is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Disk {
        device: Name,
        role: Role,
        figure: Figure,
    },
    /// A processor; none for the sum of all.
    Cpu(Option<Name>),
    Available,
    MemoryTotal,
    Transactions {
        counter: Name,
        instance: Option<Name>,
    },
}

/// What is passed on as one reading.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Disk(Name, Role),
    Cpu,
    Memory,
    Transactions,
}

impl Of {
    fn thing(&self) -> Thing {
        match self {
            Of::Disk { device, role, .. } => Thing::Disk(device.clone(), *role),
            Of::Cpu(_) => Thing::Cpu,
            Of::Available | Of::MemoryTotal => Thing::Memory,
            Of::Transactions { .. } => Thing::Transactions,
        }
    }
}

struct Sample {
    line: u64,
    of: Of,
    value: f64,
}

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
    samples: BTreeMap<Option<usize>, Vec<(i64, Sample)>>,
    kept: u64,
    /// Times have no zone.
    local: bool,
    twice: bool,
}

/// Things that have come, each at its time: what is joined.
struct Join<K> {
    /// Half of the time after which each comes again.
    near: BTreeMap<K, i64>,
    /// Of what comes once.
    usual: i64,
}

impl<K: Ord + Clone> Join<K> {
    fn new<'a>(all: impl Iterator<Item = (i64, &'a K)>) -> Join<K>
    where
        K: 'a,
    {
        let mut times: BTreeMap<K, Vec<i64>> = BTreeMap::new();
        all.for_each(|(ns, key)| times.entry(key.clone()).or_default().push(ns));
        let near = |mut times: Vec<i64>| {
            times.sort_unstable();
            let apart = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).filter(|&apart| apart > 0);
            let mut apart: Vec<i64> = apart.collect();
            apart.sort_unstable();
            // What stands twice makes it shorter, so more than half has to agree; what is missing makes it longer.
            apart.get(apart.len() * 3 / 4).map(|apart| apart / 2)
        };
        let near: BTreeMap<K, i64> = times.into_iter().filter_map(|(key, times)| Some((key, near(times)?))).collect();
        let usual = near.values().copied().min().unwrap_or(INSTANT_NS);
        Join { near, usual }
    }

    fn near(&self, key: &K) -> i64 {
        self.near.get(key).copied().unwrap_or(self.usual)
    }

    /// What is in order of time, in instants.
    fn instants<T>(&self, all: Vec<(i64, K, T)>) -> Vec<(i64, Vec<T>)> {
        let mut instants: Vec<(i64, Vec<T>)> = Vec::new();
        let mut here = BTreeSet::new();
        for (ns, key, what) in all {
            match instants.last_mut() {
                Some((begins, joined)) if ns.saturating_sub(*begins) <= self.near(&key) && here.insert(key.clone()) => {
                    joined.push(what);
                }
                _ => {
                    here = BTreeSet::from([key]);
                    instants.push((ns, vec![what]));
                }
            }
        }
        instants
    }
}

impl Samples {
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
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
                let (name, role) = disk(instance, physical);
                let device = out.device(at.0, name.as_bytes())?;
                (Of::Disk { device, role, figure }, value)
            }
            // `0,_Total` is one group of processors.
            Meant::Cpu if instance.contains("_Total") && !total => return Ok(true),
            Meant::Cpu => (Of::Cpu((!total).then(|| out.name(instance.as_bytes()))), value),
            Meant::Memory(unit) => (Of::Available, value * unit),
            Meant::Batches => (Of::Transactions { counter: out.name(b"Batch Requests/sec"), instance: None }, value),
            Meant::Transactions => {
                let instance = Some(out.name(instance.as_bytes()));
                (Of::Transactions { counter: out.name(b"Transactions/sec"), instance }, value)
            }
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
            return out.unused(at.0, what);
        };
        let computer = filled("Computer").or_else(|| filled("_ResourceId"));
        let host = computer.as_deref().and_then(|name| name.rsplit('/').next());
        if let (Some(object), Some(counter)) = (filled("ObjectName"), filled("CounterName")) {
            let instance = filled("InstanceName");
            let path = Path { host, object: &object, instance: instance.as_deref(), counter: &counter };
            return self.counter(at, &path, value, out).map(|_| ());
        }
        let (Some(space), Some(name)) = (filled("Namespace"), filled("Name")) else {
            let what = "a row that names neither a counter nor a metric".to_string();
            return out.unused(at.0, what);
        };
        let text = filled("Tags");
        let tags = text.as_deref().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        if let (Some(text), None) = (text, &tags) {
            let what = format!("`{}` in column Tags is not JSON", shown(text.as_bytes()));
            return out.unused(at.0, what);
        }
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
                let (name, role) = disk(mount, false);
                let device = out.device(at.0, name.as_bytes())?;
                self.sample(at, host, Of::Disk { device, role, figure }, value * scale, out)?;
            }
            ("Processor", "UtilizationPercentage") => self.sample(at, host, Of::Cpu(None), value, out)?,
            ("Memory", "AvailableMB") => {
                let total = tag("vm.azm.ms/memorySizeMB")
                    .and_then(|size| size.as_f64().or_else(|| size.as_str()?.parse().ok()));
                if let Some(total) = total {
                    self.sample(at, host, Of::MemoryTotal, total * MIB, out)?;
                }
                self.sample(at, host, Of::Available, value * MIB, out)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Times of this recording are those of a wall.
    pub fn set_local(&mut self) {
        self.local = true;
    }

    fn sample(
        &mut self,
        (line, ns): (u64, i64),
        host: Option<&str>,
        of: Of,
        value: f64,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        if value == NO_VALUE {
            return Ok(());
        }
        if value.is_sign_negative() {
            return out.unused(line, format!("`{value}` is below zero"));
        }
        self.kept += 1;
        if self.kept > MOST_JOINED {
            return Err(out.too_much(line));
        }
        let machine = host.map(|host| {
            self.machines.iter().position(|(name, _)| name.eq_ignore_ascii_case(host)).unwrap_or_else(|| {
                self.machines.push((out.name(host.as_bytes()), line));
                self.machines.len() - 1
            })
        });
        self.samples.entry(machine).or_default().push((ns, Sample { line, of, value }));
        Ok(())
    }

    /// Passes on what was joined, one machine after the other.
    pub fn flush(mut self, tool: &str, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = self.machines.first().map(|(name, _)| name.clone());
        out.fact(1, &common, Fact::Tool(tool.into()));
        for (machine, mut samples) in self.samples {
            if let Some((name, line)) = machine.map(|at| &self.machines[at]) {
                out.machine(*line, name)?;
            }
            common.machine = machine.map(|at| self.machines[at].0.clone());
            samples.sort_by_key(|(ns, _)| *ns);
            let samples = without_doubles(samples, &mut self.twice, out)?;
            for (ns, samples) in instants(samples) {
                common.stamp = Stamp::Wall { ns, utc_offset_min: (!self.local).then_some(0) };
                Instant::new(samples).pass_on(&common, out);
            }
        }
        Ok(())
    }
}

/// The first of what stands twice at one time, in order of time.
fn without_doubles(
    samples: Vec<(i64, Sample)>,
    twice: &mut bool,
    out: &mut Out<'_>,
) -> Result<Vec<(i64, Sample)>, CounterError> {
    let join = Join::new(samples.iter().map(|(ns, sample)| (*ns, &sample.of)));
    let mut last: BTreeMap<Of, (i64, f64)> = BTreeMap::new();
    let mut kept = Vec::with_capacity(samples.len());
    for (ns, sample) in samples {
        let near = join.near(&sample.of).min(TWICE_NS);
        match last.get(&sample.of) {
            Some((before, first)) if ns == *before || ns.saturating_sub(*before) < near => {
                if let Of::Disk { device, .. } = &sample.of
                    && *first != sample.value
                    && !std::mem::replace(twice, true)
                {
                    let value = sample.value;
                    let what = format!("a counter of `{device}` has two values at one time: {first} and {value}");
                    let hint = "the first is used; is the machine of each row missing?".into();
                    out.fault(sample.line, what, hint)?;
                }
            }
            _ => {
                last.insert(sample.of.clone(), (ns, sample.value));
                kept.push((ns, sample));
            }
        }
    }
    Ok(kept)
}

/// Samples of a machine in instants: first those of each thing, as each may have a clock of its own, then things.
fn instants(samples: Vec<(i64, Sample)>) -> Vec<(i64, Vec<Sample>)> {
    let mut things: BTreeMap<Thing, Vec<(i64, Of, Sample)>> = BTreeMap::new();
    for (ns, sample) in samples {
        things.entry(sample.of.thing()).or_default().push((ns, sample.of.clone(), sample));
    }
    let mut all: Vec<(i64, Thing, Vec<Sample>)> = Vec::new();
    for (thing, samples) in things {
        let join = Join::new(samples.iter().map(|(ns, of, _)| (*ns, of)));
        all.extend(join.instants(samples).into_iter().map(|(ns, joined)| (ns, thing.clone(), joined)));
    }
    all.sort_by_key(|(ns, ..)| *ns);
    let join = Join::new(all.iter().map(|(ns, thing, _)| (*ns, thing)));
    let joined = join.instants(all).into_iter();
    joined.map(|(ns, things)| (ns, things.into_iter().flatten().collect())).collect()
}

impl Instant {
    fn new(samples: Vec<Sample>) -> Instant {
        let line = samples.iter().map(|sample| sample.line).min().unwrap_or_default();
        let mut instant = Instant { line, ..Instant::default() };
        for Sample { of, value, .. } in samples {
            let bytes = Some(Bytes::new(value.round() as u64));
            match of {
                Of::Disk { device, role, figure } => {
                    instant.disks.entry((device, role)).or_default().push((figure, value));
                }
                Of::Cpu(None) => instant.cpu_of_all = Some(value),
                Of::Cpu(Some(_)) => instant.cpu.push(value),
                Of::Available => instant.memory.available = bytes,
                Of::MemoryTotal => instant.memory.total = bytes,
                Of::Transactions { counter, instance } => {
                    instant.transactions.push(Transactions { counter, instance, per_s: value });
                }
            }
        }
        instant
    }

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
        match Path::parse(whole.trim_end_matches([':', ' '])) {
            Some(parsed) => samples.counter((number, ns), &parsed, value, out).map(|_| ())?,
            None => out.damaged(lines, format_args!("`{}` is not a counter's path", shown(whole.as_bytes())))?,
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
        if row.iter().all(String::is_empty) {
            continue;
        }
        match cell(status) {
            "" | "0" | "Success" => {}
            // Windows had no value.
            number if whole(number.as_bytes()).is_some() => continue,
            other => {
                let what = format!("`{}` is not the status of a sample", shown(other.as_bytes()));
                out.unused(line, what)?;
                continue;
            }
        }
        let words: Vec<&str> = cell(time).split_whitespace().collect();
        let Some(Stamp::Wall { ns, .. }) = stamps.read(&words, line, out)? else {
            let what = format!("`{}` is not a date and time", shown(cell(time).as_bytes()));
            out.unused(line, what)?;
            continue;
        };
        let Some(value) = decimal(cell(value).as_bytes()) else {
            let what = format!("`{}` is not a number", shown(cell(value).as_bytes()));
            out.unused(line, what)?;
            continue;
        };
        match Path::parse(cell(path)) {
            Some(path) => samples.counter((line, ns), &path, value, out).map(|_| ())?,
            None => {
                let what = format!("`{}` is not a counter's path", shown(cell(path).as_bytes()));
                out.unused(line, what)?;
            }
        }
    }
    samples.flush("PerfMon", out)?;
    Ok(rows.line())
}
