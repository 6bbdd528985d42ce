//! A source with its axis and its interval, whose devices can be joined to volumes.

use std::collections::{BTreeMap, BTreeSet};

use dw_units::Duration;

use super::checklist::Rateless;
use super::clock::{Axis, scaled};
use super::coarse;
use super::damaged::Lines;
use super::past::Coarsened;
use super::randomness::Pattern;
use super::row::Row;
use super::sample::Name;
use super::series::{self, IntervalFrom, Noticed, Report, Series};
use super::source::{Device, Plain, Source};
use super::trace::{Frame, Interval, Trace};

/// A source made ready.
pub(crate) struct Ready {
    pub source: Source,
    pub axis: Axis,
    pub interval: (Duration, IntervalFrom),
    pub patterns: BTreeMap<Name, Vec<(i64, Duration, Pattern)>>,
    /// The time that its traces cover, where rates are counted from them.
    pub frame: Option<Frame>,
    /// Its devices were recorded in intervals of several lengths.
    pub coarsened: Option<Coarsened>,
    /// Its reports, in order of time, where it leaves out devices that were idle in them (`iostat -z`); else none.
    reports: Vec<Report>,
}

impl Ready {
    /// Whose devices have one interval, that of the coarsest.
    pub(crate) fn evened(mut source: Source, every: Option<Duration>) -> Ready {
        let coarsened = coarse::even_out(&mut source);
        Ready { coarsened, ..Ready::new(source, every) }
    }

    pub(crate) fn new(mut source: Source, every: Option<Duration>) -> Ready {
        for device in source.devices.values_mut() {
            if device.rows.is_empty() && device.trace.is_none() && !device.folded {
                // Only peaks: better than nothing, and said in the audit.
                device.rows = std::mem::take(&mut device.peaks);
            }
        }
        let counted = |d: &Device| d.folded || !d.rows.is_empty();
        let has_counters = source.devices.values().any(counted);
        let mut patterns = BTreeMap::new();
        let mut known = source.past.as_ref().map(|past| past.interval);
        let mut frame = None;
        if let Some(width) = source.trace_width {
            let mut traces: Vec<&mut Trace> =
                source.devices.values_mut().filter_map(|d| d.trace.as_deref_mut()).collect();
            frame = Frame::spanning(&mut traces, width);
        }
        if let Some(frame) = &frame {
            if !has_counters {
                let from = if every.is_some() { IntervalFrom::Asked } else { IntervalFrom::File };
                known = Some((Duration::from_ns(frame.width.unsigned_abs()), from));
            }
            for (name, device) in &mut source.devices {
                let Some(trace) = &device.trace else { continue };
                let intervals = trace.intervals(frame);
                if device.rows.is_empty() && !device.folded {
                    let row = |i: &Interval| Row::new(i.at, i.span.ns(), i.origin, &i.disk);
                    device.rows = intervals.iter().map(row).collect();
                } else if let Some(share) = trace.dataless_share().filter(|_| !device.folded) {
                    // The trace is of a part of the recording; what asks for flushes does so all the time.
                    device.rows.iter_mut().for_each(|row| row.without_dataless(share));
                }
                let asked = intervals.into_iter().filter(|i| i.pattern.ios > 0);
                patterns.insert(name.clone(), asked.map(|i| (i.at, i.span, i.pattern)).collect());
            }
        }
        let frame = frame.filter(|_| !has_counters);
        Ready { patterns, frame, ..Ready::part(source, known, every) }
    }

    /// A part of a recording, whose interval may be known from the parts before.
    pub(crate) fn part(mut source: Source, known: Option<(Duration, IntervalFrom)>, every: Option<Duration>) -> Ready {
        let axis = source.axis.unwrap_or_default();
        for device in source.devices.values_mut().chain([&mut source.host]) {
            device.rows.sort_by_key(|r| r.at);
        }
        let most: Option<&Device> = source.devices.values().chain([&source.host]).max_by_key(|d| d.rows.len());
        let rows = most.map_or(&[][..], |d| &d.rows);
        let interval = known.unwrap_or_else(|| series::interval(rows, axis, every, source.asked_interval));
        let reports = reports(&source);
        Ready { source, axis, interval, patterns: BTreeMap::new(), frame: None, coarsened: None, reports }
    }

    /// Why its requests are known, and how many a second is not.
    pub(crate) fn rateless(&self) -> Option<Rateless> {
        if self.source.devices.values().any(|d| d.trace.as_ref().is_some_and(|trace| trace.untimed)) {
            return Some(Rateless::Untimed);
        }
        let short = self.frame.as_ref().filter(|f| !f.has_rates())?;
        Some(Rateless::Short { length: short.length(), interval: self.interval.0 })
    }

    pub(crate) fn has_disks(&self) -> bool {
        let rows = |d: &Device| d.folded || !d.rows.is_empty();
        self.source.devices.values().any(rows) || rows(&self.source.host)
    }

    pub(crate) fn tool(&self) -> String {
        self.source.tool.as_deref().unwrap_or("unnamed tool").to_string()
    }

    /// Readings on the axis, each with its length.
    pub(crate) fn plain(&self, list: &[Plain]) -> (Vec<(i64, Duration, f64)>, Duration) {
        let mut list = list.to_vec();
        list.sort_by_key(|p| p.at);
        let scale = if self.axis == Axis::Reports { self.interval.0.ns() as i64 } else { 1 };
        let mut steps: Vec<u64> = if self.axis == Axis::Reports {
            Vec::new()
        } else {
            list.windows(2).map(|w| (w[1].at - w[0].at).unsigned_abs()).filter(|s| *s > 0).collect()
        };
        steps.sort_unstable();
        let usual = steps.get(steps.len() / 2);
        let usual = usual.map_or(self.interval.0, |s| series::usual(*s, self.source.asked_interval));
        let span = |p: &Plain| if p.span > 0 { Duration::from_ns(p.span) } else { usual };
        (list.iter().map(|p| (scaled(p.at, scale), span(p), p.value)).collect(), usual)
    }
}

/// The devices of a volume as one series.
pub(crate) fn joined<'a>(
    ready: &'a Ready,
    devices: impl Iterator<Item = &'a Name>,
    before: Option<i64>,
    noticed: &mut Noticed,
) -> Series {
    let mut names: Vec<&Name> = devices.collect();
    names.sort();
    let rows = |name: &'a Name| Some((&**name, ready.source.devices.get(name)?.rows.as_slice()));
    let mut list: Vec<(&str, &[Row])> = names.into_iter().filter_map(rows).collect();
    if list.is_empty() {
        list.push(("all disks", &ready.source.host.rows));
    }
    series::join(&list, &ready.reports, ready.axis, ready.interval, before, ready.source.missing(), noticed)
}

/// The reports of a tool that leaves out idle devices. Whoever prints lines of idle devices leaves none out (with `-z` a few are zero by
/// rounding alone), and a device that came or went once was attached or taken away: both leave a device that is missing unknown.
fn reports(source: &Source) -> Vec<Report> {
    if !source.hides_idle() {
        return Vec::new();
    }
    let mut all: Vec<Report> = Vec::new();
    let lists = || source.devices.values().map(|device| &device.rows).filter(|rows| !rows.is_empty());
    for row in lists().flatten() {
        all.push(Report { at: row.at, span: row.span, origin: row.origin, lines: Lines::new(row.origin) });
    }
    // Where all disks were idle, only the processors have a line.
    if source.damaged.is_empty() && !all.is_empty() {
        let cpu = |p: &Plain| Report { at: p.at, span: p.span, origin: p.origin, lines: Lines::new(p.origin) };
        let files: BTreeSet<u32> = all.iter().map(|report| report.origin.file).collect();
        all.extend(source.cpu.iter().filter(|p| files.contains(&p.origin.file)).map(cpu));
    }
    all.sort_by_key(|report| report.at);
    all.dedup_by(|later, kept| {
        let same = later.at == kept.at;
        if same {
            kept.lines.add(later.origin);
            kept.span = kept.span.max(later.span);
        }
        same
    });
    if source.idle_hidden {
        return all;
    }
    let place = |row: &Row| all.partition_point(|report| report.at < row.at);
    let (mut left_out, mut returns) = (0, false);
    for rows in lists() {
        let (Some(first), Some(last)) = (rows.first().map(place), rows.last().map(place)) else { continue };
        let lines = 1 + rows.windows(2).filter(|pair| pair[0].at != pair[1].at).count();
        left_out += all.len() - lines;
        returns |= last - first + 1 > lines || first > 0 && last + 1 < all.len();
    }
    let prints_idle = source.idle_lines.saturating_mul(10) > left_out as u64;
    if returns && !prints_idle { all } else { Vec::new() }
}

/// A tool that parts reads from writes only for the whole machine says so for the sum of all disks.
pub(crate) fn with_host_split(sum: &mut Series, host: &Device) {
    let scale = if sum.axis == Axis::Reports { sum.interval.ns() as i64 } else { 1 };
    let by_time: BTreeMap<i64, &Row> = host.rows.iter().map(|r| (scaled(r.at, scale), r)).collect();
    for point in &mut sum.points {
        let Some(row) = by_time.get(&point.at).filter(|r| r.is_split()) else { continue };
        if point.reads.is_missing() && point.writes.is_missing() {
            (point.reads, point.writes) = (row.reads(), row.writes());
            // Transfers of a device count discards too; the host parts them.
            point.ios = row.iops();
        }
        if point.read_bytes.is_missing() && point.write_bytes.is_missing() {
            (point.read_bytes, point.write_bytes) = (row.read_bytes(), row.write_bytes());
        }
    }
}

/// Readings of processors, memory or transactions.
pub(crate) fn list_of(source: &Source, slot: usize) -> Vec<Plain> {
    match slot {
        0 => source.cpu.clone(),
        1 if !source.memory_used.is_empty() => source.memory_used.clone(),
        1 => {
            // Readings that came before their total was known, or whose total only the user knows.
            let Some(total) = source.memory_total else { return Vec::new() };
            let used = |p: &Plain| Plain { value: (total.get() as f64 - p.value).max(0.0), ..*p };
            source.memory_available.iter().map(used).collect()
        }
        _ => transactions_of(source),
    }
}

/// The counter that says transactions best: the busiest, user transactions before batches; of a recording that was
/// folded, the best of its first part.
pub(crate) fn transactions_counter(source: &Source) -> Option<Name> {
    if source.counter.is_some() {
        return source.counter.clone();
    }
    let mut sums: BTreeMap<Name, f64> = BTreeMap::new();
    for ((counter, _), list) in source.transactions.iter().filter(|(_, list)| !list.is_empty()) {
        *sums.entry(counter.clone()).or_default() += list.iter().map(|p| p.value).sum::<f64>();
    }
    sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(counter, _)| counter)
}

/// Transactions of all instances together; `_Total` where there is one.
fn transactions_of(source: &Source) -> Vec<Plain> {
    let Some(counter) = transactions_counter(source) else { return Vec::new() };
    let of = source.transactions.iter().filter(|((c, _), _)| *c == counter);
    let total = |i: &Option<Name>| i.as_deref() == Some("_Total");
    let has_total = of.clone().any(|((_, i), _)| total(i));
    let lists: Vec<&Vec<Plain>> =
        of.filter(|((_, i), list)| (!has_total || total(i)) && !list.is_empty()).map(|(_, list)| list).collect();
    let mut sums: BTreeMap<i64, (Plain, usize)> = BTreeMap::new();
    for p in lists.iter().flat_map(|list| list.iter()) {
        let add = |sum: &mut (Plain, usize)| *sum = (Plain { value: sum.0.value + p.value, ..sum.0 }, sum.1 + 1);
        sums.entry(p.at).and_modify(add).or_insert((*p, 1));
    }
    // An instance without a figure between two of its own did what nobody knows: the sum would be too small.
    let ends: Vec<(i64, i64)> = lists
        .iter()
        .filter_map(|list| Some((list.iter().map(|p| p.at).min()?, list.iter().map(|p| p.at).max()?)))
        .collect();
    let whole =
        |(at, (_, n)): &(&i64, &(Plain, usize))| *n >= ends.iter().filter(|(a, b)| (*a..=*b).contains(*at)).count();
    sums.iter().filter(whole).map(|(_, (sum, _))| *sum).collect()
}
