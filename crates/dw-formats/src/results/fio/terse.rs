//! fio's terse lines, versions 2 to 5: one a job or group, fields parted by `;`.
//!
//! Units: KiB, KiB/s, whole microseconds. Version 3 has reads and writes, 2, 4 and 5 trims, too; 5 adds counts of samples
//! and the spread of IOPS. A line holds no number of I/Os. It does not say of which latency its percentiles are (of the whole
//! with `lat_percentiles=1`): those beyond the longest completion are of the whole, else they are taken for completion.
//!
//! Source: fio 3.33's own lines. A job's name that holds a `;` moves the fields, and is found by their number.

use crate::results::{
    Cpu, CpuBase, DiskUse, Entry, Figures, Latency, LatencyKind, MeasuredRun, Percentile, PercentileRule, ResultFormat,
    Scope, Spread, Tool, Wrong, shown, wrong,
};
use dw_messages::say;

use crate::results::number::{count, decimal};
use crate::results::text::Lines;

/// Fields after the directions: processor, depths, classes of latency.
const AFTER: usize = 5 + 7 + 10 + 12;
/// Fields of a disk.
const DISK: usize = 9;
/// Percentiles of a line.
const PERCENTILES: usize = 20;

/// Whether a line is terse output.
pub(in crate::results) fn is(line: &str) -> bool {
    let mut fields = line.split(';');
    match fields.next() {
        Some("3" | "4" | "5") => fields.next().is_some_and(|version| version.starts_with("fio-")),
        // Version 2 has no name of the tool: the shape must do.
        Some("2") => line.matches(';').count() >= layout(2).0 + 3 * layout(2).1 + AFTER - 1,
        _ => false,
    }
}

/// Fields before the directions, and of one direction.
fn layout(version: u32) -> (usize, usize) {
    let direction = 4 + 4 + 4 + PERCENTILES + 4 + 5;
    match version {
        2 => (4, direction),
        5 => (5, direction + 6),
        _ => (5, direction),
    }
}

fn version(fields: &[&str]) -> u32 {
    fields.first().and_then(|v| v.parse().ok()).unwrap_or(3)
}

fn directions(version: u32) -> usize {
    if version == 3 { 2 } else { 3 }
}

/// Fields that a line has besides disks and a description.
fn least(fields: &[&str]) -> usize {
    let version = version(fields);
    let (before, each) = layout(version);
    before + directions(version) * each + AFTER
}

/// Reads every terse line of a text; others are notes.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut run = MeasuredRun::new(ResultFormat::FioTerse, Tool::Fio);
    // The first test of the run, and group and disks of its last line.
    let mut first = 0;
    let mut last: Option<(u32, Option<String>)> = None;
    for line in Lines::new(text) {
        if is(line.text) {
            let fields: Vec<&str> = line.text.split(';').collect();
            let before = run.entries.len();
            entry(&fields, line.number, &mut run)?;
            // A line says no run: groups count up in one, and its disks are the same on all of its lines.
            let disks =
                fields.get(least(&fields)..).filter(|rest| rest.len() >= DISK).map(|rest| rest[..DISK].join(";"));
            let group = run.entries[before].test;
            if last
                .as_ref()
                .is_some_and(|(known, of)| group < *known || disks.is_some() && of.is_some() && disks != *of)
            {
                first = run.entries[..before].iter().map(|entry| entry.test + 1).max().unwrap_or(0);
            }
            last = Some((group, disks));
            run.entries[before].test = group.saturating_add(first).min(u32::MAX - 1);
        } else if !line.text.trim().is_empty() && run.notes.len() < 20 {
            run.note(line.number, say!(Plain { text: shown(line.text) }));
        }
    }
    Ok(run)
}

fn entry(fields: &[&str], line: u64, run: &mut MeasuredRun) -> Result<(), Wrong> {
    let version = version(fields);
    let (before, _) = layout(version);
    let directions = directions(version);
    let least = least(fields);
    if fields.len() < least {
        let what = format!("has {} fields, but a line of version {version} has at least {least}", fields.len());
        return wrong(line, what, "copy the whole line; fio writes it at once, so its end is missing");
    }
    let mut reader = Reader { fields, at: 0, line };
    if version != 2 {
        run.version = Some(fields[1].to_string());
    }
    let mut entry = Entry::new(fields[before - 3], Scope::Job, line);
    reader.at = before - 2;
    entry.test = reader.whole("the group")?.min(u64::from(u32::MAX - 1)) as u32;
    let error = reader.whole("the error")?;
    if error != 0 {
        entry.failure = Some(format!("fio's error {error}"));
        run.note(line, say!(ResultJobError { job: shown(&entry.name), error: error.to_string() }));
    }
    entry.read = reader.direction(version)?;
    entry.write = reader.direction(version)?;
    if directions == 3 {
        entry.trim = reader.direction(version)?;
    }
    entry.elapsed_s = entry.longest();
    let (user, system) = (reader.number("user time")?, reader.number("system time")?);
    entry.cpu = Some(Cpu {
        of: CpuBase::OneCore,
        busy_percent: Some(user + system),
        user_percent: Some(user),
        system_percent: Some(system),
        busiest_percent: None,
        whole_s: None,
    });
    // A job's own disks follow its classes of latency; a description is the rest.
    let mut rest = fields.get(least..).unwrap_or_default();
    while rest.len() >= DISK && rest[1..8].iter().all(|text| count(text).is_some()) && rest[8].ends_with('%') {
        let disk = DiskUse {
            name: rest[0].to_string(),
            read_ios: count(rest[1]),
            write_ios: count(rest[2]),
            read_merges: count(rest[3]),
            write_merges: count(rest[4]),
            busy_percent: decimal(rest[8]),
            ..DiskUse::default()
        };
        if run.disks.iter().all(|known| known.name != disk.name) {
            run.disks.push(disk);
        }
        rest = &rest[DISK..];
    }
    run.entries.push(entry);
    Ok(())
}

struct Reader<'a> {
    fields: &'a [&'a str],
    at: usize,
    line: u64,
}

impl Reader<'_> {
    fn next(&mut self) -> &str {
        let field = self.fields.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        field
    }

    fn number(&mut self, what: &str) -> Result<f64, Wrong> {
        let (at, line) = (self.at, self.line);
        let text = self.next();
        match decimal(text).filter(|value| *value >= 0.0) {
            Some(value) => Ok(value),
            // A group's sums of nothing.
            None if matches!(text.trim_start_matches('-').trim_end_matches('%'), "nan" | "inf") => Ok(0.0),
            None => wrong(
                line,
                format!("field {} should be {what}, but is `{}`", at + 1, shown(text)),
                "a job's name with a `;` in it shifts the fields: use --output-format=json",
            ),
        }
    }

    fn whole(&mut self, what: &str) -> Result<u64, Wrong> {
        self.number(what).map(|value| value as u64)
    }

    fn direction(&mut self, version: u32) -> Result<Option<Figures>, Wrong> {
        let kib = self.whole("KiB moved")?;
        let (rate, iops, ms) = (self.number("KiB/s")?, self.number("IOPS")?, self.number("milliseconds")?);
        let slat = self.latency(LatencyKind::Slat)?;
        let mut clat = self.latency(LatencyKind::Clat)?;
        let mut percentiles = Vec::new();
        for _ in 0..PERCENTILES {
            let (at, line) = (self.at, self.line);
            let text = self.next();
            let pair = text.split_once("%=").and_then(|(percent, us)| Some((decimal(percent)?, decimal(us)?)));
            match pair {
                // Places of the list that are not in use.
                Some((0.0, _)) => {}
                Some((percent, us)) => percentiles.push(Percentile { percent, ns: us * 1e3 }),
                None => {
                    let what = format!("field {} should be a percentile, but is `{}`", at + 1, shown(text));
                    return wrong(line, what, "a percentile reads 99.000000%=4145");
                }
            }
        }
        let mut lat = self.latency(LatencyKind::Lat)?;
        let longest = percentiles.last().map_or(0.0, |last: &Percentile| last.ns);
        let beyond = |latency: &Latency| longest > latency.max_ns.unwrap_or(0.0) * (1.0 + 1.0 / 64.0) + 1e3;
        let of = if clat.as_ref().is_none_or(beyond) { &mut lat } else { &mut clat };
        if let Some(latency) = of {
            latency.percentiles = percentiles;
            latency.percentile_rule = Some(PercentileRule::FioBins);
        }
        let (min, max, _) = (self.number("KiB/s")?, self.number("KiB/s")?, self.number("a share")?);
        let (mean, stddev) = (self.number("KiB/s")?, self.number("KiB/s")?);
        let mut bw = Spread {
            min: Some(min * 1024.0),
            max: Some(max * 1024.0),
            mean: Some(mean * 1024.0),
            stddev: Some(stddev * 1024.0),
            samples: None,
        };
        let mut iops_samples = None;
        if version == 5 {
            bw.samples = Some(self.whole("samples")?);
            let (min, max) = (self.number("IOPS")?, self.number("IOPS")?);
            let (mean, stddev) = (self.number("IOPS")?, self.number("IOPS")?);
            let samples = self.whole("samples")?;
            iops_samples = (samples > 0).then_some(Spread {
                min: Some(min),
                max: Some(max),
                mean: Some(mean),
                stddev: Some(stddev),
                samples: Some(samples),
            });
        }
        if kib == 0 && iops == 0.0 {
            return Ok(None);
        }
        Ok(Some(Figures {
            bytes: Some(kib.saturating_mul(1024)),
            iops: (ms > 0.0).then_some(iops),
            bytes_per_s: (ms > 0.0).then_some(rate * 1024.0),
            elapsed_s: Some(ms / 1e3),
            latency: [slat, clat, lat].into_iter().flatten().collect(),
            bytes_per_s_samples: (bw.max.unwrap_or(0.0) > 0.0).then_some(bw),
            iops_samples,
            ..Figures::default()
        }))
    }

    fn latency(&mut self, kind: LatencyKind) -> Result<Option<Latency>, Wrong> {
        let mut us = || self.number("microseconds").map(|us| us * 1e3);
        let (min, max, mean, stddev) = (us()?, us()?, us()?, us()?);
        if max == 0.0 && mean == 0.0 {
            return Ok(None);
        }
        let mut latency = Latency::new(kind);
        (latency.min_ns, latency.max_ns) = (Some(min), Some(max));
        (latency.mean_ns, latency.stddev_ns) = (Some(mean), Some(stddev));
        Ok(Some(latency))
    }
}
