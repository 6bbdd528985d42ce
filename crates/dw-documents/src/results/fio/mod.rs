//! fio's JSON and JSON+, of versions 2 and 3, alone or between other text; and diskwright's, which has the same shape.
//!
//! Units: version 3 has `io_bytes`, `bw_bytes` in bytes and `*_ns`; version 2 has `io_bytes` and `bw` in KiB and latency in
//! microseconds. Where both are there, bytes are taken.

use std::collections::BTreeMap;

use dw_error::line_of;
use dw_messages::say;
use serde_json::{Map, Value};

use super::{
    Bin, Cpu, CpuBase, DiskUse, Entry, Figures, Latency, LatencyKind, MeasuredRun, Percentile, PercentileRule,
    ResultFormat, Sample, Scope, Setting, Spread, Tool, Wrong, shown, wrong,
};

mod documents;

pub use documents::{Cut, Document, Documents, next_brace, split};

/// Reads a document of a file, with the lines of its jobs.
pub fn of_document(document: &Document) -> Result<MeasuredRun, Wrong> {
    let places = places(document.text, document.line);
    Reader { run: MeasuredRun::new(ResultFormat::FioJson, Tool::Fio), base: document.line }
        .document(&document.value, &places)
}

/// Reads a document that is kept in another one, or was read already: everything is on its first line.
pub fn of_value(value: &Value) -> Result<MeasuredRun, Wrong> {
    Reader { run: MeasuredRun::new(ResultFormat::FioJson, Tool::Fio), base: 1 }.document(value, &[])
}

/// Reads a list of jobs.
pub fn jobs(list: &[Value]) -> Result<Vec<Entry>, Wrong> {
    let mut reader = Reader { run: MeasuredRun::new(ResultFormat::FioJson, Tool::Fio), base: 1 };
    reader.entries(list, &[])?;
    Ok(reader.run.entries)
}

/// The jobs of a result, of one host or of several, without the sum that fio adds for those: it has no percentiles.
pub fn parts(document: &Value) -> Vec<Entry> {
    let entries = of_value(document).map(|run| run.entries).unwrap_or_default();
    entries.into_iter().filter(|entry| entry.scope != Scope::Total).collect()
}

struct Reader {
    run: MeasuredRun,
    /// The line of the document's first brace.
    base: u64,
}

impl Reader {
    fn document(mut self, value: &Value, places: &[u64]) -> Result<MeasuredRun, Wrong> {
        let Some(top) = value.as_object() else {
            return wrong(self.base, "the JSON is not an object", "give the output of fio --output-format=json");
        };
        if top.contains_key("runs") {
            return wrong(
                self.base,
                "holds several simulated runs",
                "give the result of one: simulate without --sweep",
            );
        }
        self.run.version = top.get("fio version").and_then(Value::as_str).map(String::from);
        self.run.time = top.get("time").and_then(Value::as_str).map(|time| time.trim().to_string());
        if let Some(ours) = top.get("diskwright").and_then(Value::as_object) {
            self.run.tool = Tool::Diskwright;
            self.run.simulated = true;
            let version = ours.get("diskwright_version").and_then(Value::as_str).map(String::from);
            self.run.version = version.or(self.run.version);
            if ours.get("partial") == Some(&Value::Bool(true)) {
                self.run.note(self.base, say!(ResultStopped));
            }
        }
        // Client mode has an object a host, or a list of them.
        match top.get("global options") {
            Some(Value::Array(hosts)) => {
                self.run.options = hosts.iter().flat_map(|host| settings(Some(host))).collect()
            }
            other => self.run.options = settings(other),
        }
        let jobs = top.get("jobs").or_else(|| top.get("client_stats"));
        let Some(jobs) = jobs.and_then(Value::as_array) else {
            return wrong(self.base, "its jobs are not a list", "give the output of fio --output-format=json");
        };
        self.entries(jobs, places)?;
        together(&mut self.run.entries, &self.run.options);
        if self.run.entries.is_empty() {
            self.run.note(self.base, say!(ResultNoJob));
        }
        let all = self.run.entries.iter().position(|entry| entry.scope == Scope::Total);
        for (n, entry) in self.run.entries.iter_mut().enumerate() {
            entry.included_in = all.filter(|&at| at != n);
        }
        for disk in top.get("disk_util").and_then(Value::as_array).into_iter().flatten() {
            if let Some(disk) = disk.as_object() {
                let disk = self.disk(&Fields { of: disk, line: self.base, path: "disk_util.".into() })?;
                self.run.disks.push(disk);
            }
        }
        Ok(self.run)
    }

    fn entries(&mut self, jobs: &[Value], places: &[u64]) -> Result<(), Wrong> {
        for (n, job) in jobs.iter().enumerate() {
            let line = places.get(n).copied().unwrap_or(self.base);
            let Some(job) = job.as_object() else {
                return wrong(line, format!("job {} is not an object", n + 1), "give fio's unmodified output");
            };
            let entry = self.entry(Fields { of: job, line, path: String::new() })?;
            self.run.entries.push(entry);
        }
        Ok(())
    }

    fn entry(&mut self, job: Fields) -> Result<Entry, Wrong> {
        let name = job.of.get("jobname").and_then(Value::as_str).unwrap_or("(no name)");
        let options = settings(job.of.get("job options"));
        let grouped = |s: &Setting| s.name == "group_reporting" && s.value != "0";
        let host = job.of.get("hostname").and_then(Value::as_str).map(String::from);
        let scope = match () {
            () if host.is_some() && name == "All clients" => Scope::Total,
            () if options.iter().chain(&self.run.options).any(grouped) => Scope::Group,
            () => Scope::Job,
        };
        let mut entry = Entry::new(name, scope, job.line);
        entry.test = job.count("groupid")?.and_then(|group| u32::try_from(group).ok()).unwrap_or(0).min(u32::MAX - 1);
        if scope != Scope::Total {
            entry.host = host;
        }
        entry.read = self.direction(&job, "read")?;
        entry.write = self.direction(&job, "write")?;
        entry.trim = self.direction(&job, "trim")?;
        entry.mixed = self.direction(&job, "mixed")?;
        entry.sync = sync(&job)?;
        entry.elapsed_s = entry.longest();
        let (user, system) = (job.number("usr_cpu")?, job.number("sys_cpu")?);
        if !self.run.simulated && (user.is_some() || system.is_some()) {
            entry.cpu = Some(Cpu {
                of: CpuBase::OneCore,
                busy_percent: Some(user.unwrap_or(0.0) + system.unwrap_or(0.0)),
                user_percent: user,
                system_percent: system,
                busiest_percent: None,
                whole_s: job.number("job_runtime")?.map(|ms| ms / 1e3),
            });
        }
        let first = job.count("error")?.filter(|&error| error != 0);
        entry.errors = job.count("total_err")?;
        if let Some(error) = first {
            entry.failure = Some(format!("fio's error {error}"));
            entry.errno = Some(error);
            self.run.note(job.line, say!(ResultJobError { job: shown(name), error: error.to_string() }));
        }
        entry.options = options;
        entry.series = self.steady(&job)?;
        Ok(entry)
    }

    fn direction(&mut self, job: &Fields, name: &str) -> Result<Option<Figures>, Wrong> {
        let Some(part) = job.object(name) else { return Ok(None) };
        let ios = part.count("total_ios")?;
        let kib_a_second = part.number("bw")?;
        let elapsed = part.number("runtime")?.map(|ms| ms / 1e3);
        let bytes = match (part.count("io_bytes")?, part.count("io_kbytes")?) {
            (Some(bytes), Some(_)) => Some(bytes),
            // Version 2 has KiB under the same name: its own rate tells.
            (Some(n), None) => {
                let kib = kib_a_second.unwrap_or(0.0) * elapsed.unwrap_or(0.0);
                let in_bytes = (n as f64 - kib * 1024.0).abs() < (n as f64 - kib).abs();
                Some(if in_bytes { n } else { n.saturating_mul(1024) })
            }
            (None, kib) => kib.map(|kib| kib.saturating_mul(1024)),
        };
        if ios.or(bytes).unwrap_or(0) == 0 && bytes.unwrap_or(0) == 0 {
            return Ok(None);
        }
        let mut figures = Figures {
            ios,
            bytes,
            iops: part.number("iops")?,
            bytes_per_s: part.number("bw_bytes")?.or(kib_a_second.map(|kib| kib * 1024.0)),
            elapsed_s: elapsed,
            short_ios: part.count("short_ios")?,
            ..Figures::default()
        };
        if elapsed == Some(0.0) {
            // All of it happened within a millisecond; a rate of zero would be false.
            (figures.iops, figures.bytes_per_s) = (None, None);
            self.run.note(job.line, say!(ResultNoTime { direction: name, ios: ios.unwrap_or(0) }));
        }
        for (key, kind) in [("slat", LatencyKind::Slat), ("clat", LatencyKind::Clat), ("lat", LatencyKind::Lat)] {
            figures.latency.extend(latency(&part, key, kind)?);
        }
        let samples = part.count("bw_samples")?.filter(|&n| n > 0);
        if samples.is_some() {
            figures.bytes_per_s_samples =
                Some(part.spread(["bw_min", "bw_max", "bw_mean", "bw_dev"], 1024.0, samples)?);
        }
        let samples = part.count("iops_samples")?.filter(|&n| n > 0);
        if samples.is_some() {
            let names = ["iops_min", "iops_max", "iops_mean", "iops_stddev"];
            figures.iops_samples = Some(part.spread(names, 1.0, samples)?);
        }
        Ok(Some(figures))
    }

    /// The last seconds that decided whether the load was steady; fio keeps no other series in its result.
    fn steady(&mut self, job: &Fields) -> Result<Vec<Sample>, Wrong> {
        let Some(steady) = job.object("steadystate") else { return Ok(Vec::new()) };
        let Some(data) = steady.object("data") else { return Ok(Vec::new()) };
        let list = |name| data.of.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let (iops, bw) = (list("iops"), list("bw"));
        if steady.count("attained")? == Some(0) {
            self.run.note(job.line, say!(ResultNotSteady));
        }
        let seconds = 0..iops.len().max(bw.len());
        Ok(seconds
            .map(|n| Sample {
                end_s: n as f64 + 1.0,
                iops: iops.get(n).and_then(Value::as_f64),
                bytes_per_s: bw.get(n).and_then(Value::as_f64),
                ..Sample::default()
            })
            .collect())
    }

    fn disk(&self, disk: &Fields) -> Result<DiskUse, Wrong> {
        // Sectors of the kernel's counters, whatever the device's own are.
        let bytes = |name| Ok(disk.count(name)?.map(|sectors| sectors.saturating_mul(512)));
        Ok(DiskUse {
            name: disk.of.get("name").and_then(Value::as_str).unwrap_or_default().to_string(),
            read_ios: disk.count("read_ios")?,
            write_ios: disk.count("write_ios")?,
            read_bytes: bytes("read_sectors")?,
            write_bytes: bytes("write_sectors")?,
            read_merges: disk.count("read_merges")?,
            write_merges: disk.count("write_merges")?,
            busy_percent: disk.number("util")?,
        })
    }
}

/// Groups that ran together are one test: `new_group` begins a group of the report, and only `stonewall` waits for the jobs before.
/// fio lists the options of each job; a group that begins without either is that of another job file, which waits, too.
fn together(entries: &mut [Entry], global: &[Setting]) {
    let is_set = |options: &[Setting], name: &str| {
        options.iter().rev().find(|setting| setting.name == name).map(|setting| setting.value != "0")
    };
    let said = |entry: &Entry, name: &str| is_set(&entry.options, name).or(is_set(global, name)).unwrap_or(false);
    let mut test_of_group: BTreeMap<u32, u32> = BTreeMap::new();
    for entry in entries.iter_mut().filter(|entry| entry.scope != Scope::Total) {
        let joins = said(entry, "new_group") && !said(entry, "stonewall");
        let last = test_of_group.last_key_value().map(|(&group, &test)| (group, test));
        let test = match last {
            _ if test_of_group.contains_key(&entry.test) => test_of_group[&entry.test],
            Some((group, test)) if joins && group < entry.test => test,
            Some((_, test)) => test + 1,
            None => 0,
        };
        test_of_group.insert(entry.test, test);
        entry.test = test;
    }
}

fn sync(job: &Fields) -> Result<Option<Figures>, Wrong> {
    let Some(part) = job.object("sync") else { return Ok(None) };
    let ios = part.count("total_ios")?;
    if ios.unwrap_or(0) == 0 {
        return Ok(None);
    }
    let latency = latency(&part, "lat", LatencyKind::Lat)?;
    Ok(Some(Figures { ios, latency: latency.into_iter().collect(), ..Figures::default() }))
}

/// `lat_ns`, or before version 3 `lat` in microseconds.
fn latency(part: &Fields, key: &str, kind: LatencyKind) -> Result<Option<Latency>, Wrong> {
    let (part, scale) = match (part.object(&format!("{key}_ns")), part.object(key)) {
        (Some(part), _) => (part, 1.0),
        (None, Some(part)) => (part, 1e3),
        (None, None) => return Ok(None),
    };
    let samples = part.count("N")?;
    let number = |name| Ok(part.number(name)?.map(|value| value * scale));
    let mut latency = Latency::new(kind);
    (latency.min_ns, latency.max_ns) = (number("min")?, number("max")?);
    (latency.mean_ns, latency.stddev_ns) = (number("mean")?, number("stddev")?);
    if samples == Some(0) || (samples.is_none() && latency.max_ns.unwrap_or(0.0) == 0.0) {
        return Ok(None);
    }
    latency.samples = samples;
    if let Some(list) = part.object("percentile") {
        for (percent, value) in list.pairs()? {
            // Unused places of version 2's list are zero.
            if percent > 0.0 {
                latency.percentiles.push(Percentile { percent, ns: value * scale });
            }
        }
        latency.percentiles.sort_by(|a, b| a.percent.total_cmp(&b.percent));
        latency.percentile_rule = Some(PercentileRule::FioBins);
    }
    if let Some(list) = part.object("bins") {
        let bins = list.pairs()?.into_iter().map(|(middle, count)| Bin { ns: middle * scale, count: count as u64 });
        latency.histogram = bins.filter(|bin| bin.count > 0).collect();
        latency.histogram.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    }
    Ok(Some(latency))
}

/// Options as fio lists them; a bare one has an empty text.
fn settings(options: Option<&Value>) -> Vec<Setting> {
    let pairs = options.and_then(Value::as_object).into_iter().flatten();
    pairs
        .map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), String::from);
            Setting { name: name.clone(), value }
        })
        .collect()
}

/// The lines on which the jobs of a document have their names.
fn places(document: &str, base: u64) -> Vec<u64> {
    document.match_indices("\"jobname\"").map(|(at, _)| base + line_of(document, at) - 1).collect()
}

/// The fields of an object, with what errors say of it.
struct Fields<'a> {
    of: &'a Map<String, Value>,
    line: u64,
    path: String,
}

impl<'a> Fields<'a> {
    fn object(&self, name: &str) -> Option<Fields<'a>> {
        let of = self.of.get(name)?.as_object()?;
        Some(Fields { of, line: self.line, path: format!("{}{name}.", self.path) })
    }

    fn number(&self, name: &str) -> Result<Option<f64>, Wrong> {
        match self.of.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => self.value(name, value).map(Some),
        }
    }

    fn value(&self, name: &str, value: &Value) -> Result<f64, Wrong> {
        let number = match value {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_f64(),
        };
        match number.filter(|n: &f64| n.is_finite()) {
            Some(number) => Ok(number),
            None => {
                let what = format!("`{}{name}` is `{}`, not a number", self.path, shown(&value.to_string()));
                wrong(self.line, what, "give fio's unmodified output")
            }
        }
    }

    /// A count; what is negative or broken is not a count.
    fn count(&self, name: &str) -> Result<Option<u64>, Wrong> {
        if let Some(exact) = self.of.get(name).and_then(Value::as_u64) {
            return Ok(Some(exact));
        }
        let Some(number) = self.number(name)? else { return Ok(None) };
        if number < 0.0 {
            let what = format!("`{}{name}` is {number}, a count below zero", self.path);
            return wrong(self.line, what, "give fio's unmodified output");
        }
        Ok(Some(number as u64))
    }

    fn spread(&self, [min, max, mean, dev]: [&str; 4], scale: f64, samples: Option<u64>) -> Result<Spread, Wrong> {
        let number = |name| Ok(self.number(name)?.map(|value| value * scale));
        Ok(Spread { min: number(min)?, max: number(max)?, mean: number(mean)?, stddev: number(dev)?, samples })
    }

    /// An object whose names are numbers.
    fn pairs(&self) -> Result<Vec<(f64, f64)>, Wrong> {
        let pairs = self.of.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
            match name.trim().parse::<f64>().ok().filter(|n| n.is_finite()) {
                Some(key) => Ok((key, self.value(name, value)?)),
                None => {
                    let what = format!("`{}{}` is not a number", self.path, shown(name));
                    wrong(self.line, what, "give fio's unmodified output")
                }
            }
        });
        pairs.collect()
    }
}
