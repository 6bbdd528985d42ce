//! The joint series of a volume: what its devices did together, interval by interval.
//!
//! Devices are summed at each stamp before anything is made of the sums: the percentile of a sum is not the sum of
//! percentiles, because disks are rarely busy at the same moment. Latencies become outstanding requests
//! (rate x latency, Little's law) so that they too can be summed; divided by the rate again they are the mean over I/Os.
//!
//! A sum of devices is known when that of each is: one device whose latency nobody says makes the latency of all missing,
//! not smaller. A device that is missing from a report before it came or after it went did nothing in it; between two
//! reports that have it, it did what nobody knows, unless its tool leaves out idle devices (`iostat -z`): then it was idle, but
//! for reports near a line that was not understood.
//!
//! Ignores: a device that was taken away for a while, whose absence looks like lost lines.
//!
//! Invariant: points are in order of time, one to a stamp; sums are taken in the order of names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dw_units::Duration;

use super::amount::Amount;
use super::clock::{Axis, scaled};
use super::damaged::{Lines, Missing};
use super::evidence::Evidence;
pub use super::point::Point;
use super::row::{Row, Sums, rates_over};
use super::sample::Origin;
use super::thin::IntervalGroups;

/// Two neighbouring stamps further apart than this many intervals have a gap between them.
const GAP: f64 = 1.5;

/// Where an interval's length comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalFrom {
    /// The file says it, or its stamps do.
    File,
    /// The user said it.
    Asked,
    /// The figures are multiples of one over it.
    Inferred,
    /// Nothing says it: one second.
    Assumed,
}

/// The intervals of a volume.
#[derive(Clone, Debug)]
pub struct Series {
    /// What its times mean.
    pub axis: Axis,
    /// The usual interval.
    pub interval: Duration,
    /// Who says so.
    pub interval_from: IntervalFrom,
    /// Intervals in order of time; of a recording longer than memory a fair sample.
    pub points: Vec<Point>,
    /// Of a recording longer than memory: groups of intervals.
    pub thinned: Option<IntervalGroups>,
}

impl Series {
    /// How long the intervals are together.
    pub fn covered(&self) -> Duration {
        if let Some(thinned) = &self.thinned {
            return thinned.covered();
        }
        self.points.iter().fold(Duration::ZERO, |sum, p| sum + p.span)
    }
    /// Intervals to each of [`Series::points`]: 1 where all are there.
    pub fn every(&self) -> usize {
        self.thinned.as_ref().map_or(1, IntervalGroups::every)
    }
    /// The intervals, or means of groups of them: what keeps totals.
    pub fn means(&self) -> &[Point] {
        self.thinned.as_ref().map_or(&self.points, IntervalGroups::mean)
    }
    /// The intervals, or the busiest of each group: what keeps peaks.
    pub fn busiest(&self) -> &[Point] {
        self.thinned.as_ref().map_or(&self.points, IntervalGroups::busiest)
    }
    /// The time from the beginning of the first interval to the end of the last.
    pub fn span(&self) -> Duration {
        let (Some(first), Some(last)) = (self.means().first(), self.means().last()) else { return Duration::ZERO };
        Duration::from_ns(u64::try_from(last.at - first.at).unwrap_or(0) + first.span.ns())
    }
    /// The share of that time that is covered.
    pub fn coverage(&self) -> f64 {
        let (covered, span) = (self.covered().ns() as f64, self.span().ns() as f64);
        if span <= 0.0 { f64::from(!self.means().is_empty()) } else { (covered / span).min(1.0) }
    }
}

/// What was noticed while the rows of a volume were joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noticed {
    pub gaps: Evidence,
    pub gap_ns: u64,
    pub mixed_spans: Evidence,
    /// Readings of a time of which later ones were folded already.
    pub late: Evidence,
    pub repeated: Evidence,
    /// Reports that were joined so far, and of each device how many, its first and its last.
    reports: usize,
    devices: BTreeMap<String, (u64, usize, usize)>,
    /// Reports in which a device is missing: between its first and last, and outside.
    pub missing: u64,
    /// Those of them in which it was not idle, as far as is known.
    pub unknown: u64,
    /// Of each device, which figures it lacks.
    pub lacks: BTreeMap<String, Lacks>,
    pub appeared: Vec<String>,
    pub disappeared: Vec<String>,
    /// Idle devices are left out of reports, as far as these show it.
    pub hides_idle: bool,
    /// Reports in which a device is missing before its first or after its last.
    pub outside: u64,
}

/// The usual interval of rows, before they are joined.
pub(crate) fn interval(
    rows: &[Row],
    axis: Axis,
    every: Option<Duration>,
    asked_for: Option<Duration>,
) -> (Duration, IntervalFrom) {
    if axis != Axis::Reports {
        if let Some(span) = median(rows.iter().map(|r| r.span).filter(|s| *s > 0)) {
            return (usual(span, asked_for), IntervalFrom::File);
        }
        let steps = rows.windows(2).map(|w| (w[1].at - w[0].at).unsigned_abs()).filter(|s| *s > 0);
        if let Some(step) = median(steps) {
            return (usual(step, asked_for), IntervalFrom::File);
        }
    }
    if let Some(every) = every {
        return (every, IntervalFrom::Asked);
    }
    let written = median(rows.iter().map(|r| r.span).filter(|s| *s > 0)).map(Duration::from_ns);
    if let Some(interval) = written.or(asked_for) {
        return (interval, IntervalFrom::File);
    }
    match inferred(rows) {
        Some(seconds) => (Duration::from_secs(seconds), IntervalFrom::Inferred),
        None => (Duration::from_secs(1), IntervalFrom::Assumed),
    }
}

/// Two intervals are the same when they differ by less than this part.
const SAME: f64 = 0.05;

/// What a recording was asked for where it came near that, else without the digits by which a clock is read late.
pub(crate) fn usual(ns: u64, asked_for: Option<Duration>) -> Duration {
    let near = |asked: &Duration| (ns as f64 / asked.ns() as f64 - 1.0).abs() < SAME;
    let digit = match ns {
        0..1_000_000 => 1,
        1_000_000..100_000_000 => 1_000,
        _ => 1_000_000,
    };
    asked_for.filter(near).unwrap_or(Duration::from_ns((ns + digit / 2) / digit * digit))
}

/// Whether an interval that was said is not the one that a recording's own times have.
pub(crate) fn contradicts(said: Duration, found: Duration) -> bool {
    const SECOND: u64 = 1_000_000_000;
    // Times in whole seconds show an interval of 1.5 s as one or two.
    let rounded = found.ns().is_multiple_of(SECOND) && !said.ns().is_multiple_of(SECOND);
    let allowed = if rounded { SECOND as f64 } else { SAME * found.ns() as f64 };
    (said.ns() as f64 - found.ns() as f64).abs() > allowed
}

fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// Seconds such that rates are whole counts over them: a tool that prints `23.50` counted over two seconds or more.
fn inferred(rows: &[Row]) -> Option<u64> {
    let rates: Vec<f64> = rows
        .iter()
        .flat_map(|r| if r.is_split() { [r.reads(), r.writes()] } else { [r.iops(), Amount::MISSING] })
        .filter_map(|v| v.known().filter(|v| *v > 0.0))
        .take(2_000)
        .collect();
    if rates.len() < 20 {
        return None;
    }
    // Rates have two decimals, so over n seconds a count is known to n/200; beyond ten seconds anything looks whole.
    let whole = |n: u64, rate: f64| {
        let count = rate * n as f64;
        (count - count.round()).abs() <= 0.006 * n as f64
    };
    let fits = |n: &u64| rates.iter().filter(|r| whole(*n, **r)).count() * 10 >= rates.len() * 9;
    (1..=10).find(fits)
}

/// A report of a tool that leaves out devices which were idle in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub at: i64,
    pub span: u64,
    pub origin: Origin,
    pub lines: Lines,
}

impl Report {
    /// A volume that has no line in it.
    fn idle(&self) -> Point {
        let sums = [Amount::ZERO; 13];
        let (at, span, origin) = (self.at, self.span, self.origin);
        Stamp { at, span, origin, counted: false, sums, utilisation: Amount::ZERO }.point(&[])
    }
}

/// Joins the rows of a volume's devices, given in the order of their names, behind what ended at `before`. In `reports` that have no row
/// of any of them it was idle, unless a damaged line may have been theirs.
pub(crate) fn join(
    devices: &[(&str, &[Row])],
    reports: &[Report],
    axis: Axis,
    (interval, from): (Duration, IntervalFrom),
    before: Option<i64>,
    missing: Missing<'_>,
    noticed: &mut Noticed,
) -> Series {
    let scale = if axis == Axis::Reports { i64::try_from(interval.ns()).unwrap_or(i64::MAX) } else { 1 };
    // What of each device is still to come.
    let mut rest: Vec<&[Row]> = devices.iter().map(|d| d.1).collect();
    let mut points: Vec<Point> = Vec::with_capacity(rest.iter().map(|rows| rows.len()).max().unwrap_or(0));
    let mut lines: Vec<Lines> = Vec::new();
    let mut present: Vec<usize> = Vec::new();
    let mut at_once: Vec<Cow<'_, Row>> = Vec::new();
    let mut reports_of: Vec<(u64, usize, usize)> = vec![(0, usize::MAX, 0); devices.len()];
    let mut lacks: Vec<Lacks> = vec![Lacks::default(); devices.len()];
    let mut next = 0;
    loop {
        let of_rows = rest.iter().filter_map(|rows| Some(rows.first()?.at)).min();
        if let Some(report) = reports.get(next).filter(|report| of_rows.is_none_or(|at| report.at <= at)) {
            next += 1;
            if of_rows != Some(report.at) {
                let neighbour = |at: Option<usize>| at.and_then(|at| reports.get(at)).unwrap_or(report).lines;
                let (before, after) = (neighbour((next - 1).checked_sub(1)), neighbour(Some(next)));
                let is_idle = match missing {
                    Missing::Unknown => false,
                    Missing::IdleBut(damaged) => !damaged.is_near(report.lines, before, after),
                };
                if is_idle {
                    let mut point = report.idle();
                    point.at = scaled(report.at, scale);
                    lines.push(report.lines);
                    points.push(point);
                }
                continue;
            }
        }
        let Some(at) = of_rows else { break };
        present.clear();
        let mut stamp: Option<Stamp> = None;
        let mut of_report: Option<Lines> = None;
        at_once.clear();
        for (device, rows) in rest.iter_mut().enumerate() {
            let Some((first, mut later)) = rows.split_first().filter(|(row, _)| row.at == at) else { continue };
            let mut row = Cow::Borrowed(first);
            while let Some((again, others)) = later.split_first().filter(|(row, _)| row.at == at) {
                if !row.to_mut().fill(again) {
                    noticed.repeated.add(again.origin, String::new);
                }
                later = others;
            }
            *rows = later;
            present.push(device);
            of_report.get_or_insert(Lines::new(row.origin)).add(row.origin);
            let sums = row.sums();
            lacks[device].look_at(row.origin, &sums);
            match &mut stamp {
                Some(stamp) => stamp.add(&row, &sums),
                None => stamp = Some(Stamp::new(&row, sums)),
            }
            at_once.push(row);
        }
        let (Some(stamp), Some(of_report)) = (stamp, of_report) else { continue };
        let mut point = stamp.point(&at_once);
        point.at = scaled(at, scale);
        lines.push(of_report);
        for device in &present {
            let reports = &mut reports_of[*device];
            // Between two reports that have it, nobody knows what it did.
            let last = (reports.0 > 0).then_some(reports.2);
            for hole in last.map_or(points.len(), |last| last + 1)..points.len() {
                let is_idle = match missing {
                    Missing::Unknown => false,
                    Missing::IdleBut(damaged) => !damaged.is_near(lines[hole], lines[hole - 1], lines[hole + 1]),
                };
                if !is_idle {
                    noticed.unknown += 1;
                    points[hole].sums().into_iter().for_each(|sum| *sum = Amount::MISSING);
                }
            }
            *reports = (reports.0 + 1, reports.1.min(points.len()), points.len());
        }
        points.push(point);
    }
    for ((name, _), lacks) in devices.iter().zip(lacks) {
        noticed.lacks.entry((*name).to_string()).or_default().add(lacks);
    }
    for ((name, _), (count, first, last)) in devices.iter().zip(&reports_of).filter(|(_, of)| of.0 > 0) {
        let (first, last) = (noticed.reports + first, noticed.reports + last);
        let known = noticed.devices.entry((*name).to_string()).or_insert((0, first, last));
        *known = (known.0 + count, known.1.min(first), known.2.max(last));
    }
    noticed.reports += points.len();
    noticed.hides_idle |= !reports.is_empty();
    without_zeros_alone(&mut points);
    spans(&mut points, axis, interval, before, noticed);
    Series { axis, interval, interval_from: from, points, thinned: None }
}

/// Idle intervals have nothing outstanding and move no bytes; of a tool that prints no latency or no bytes they are no
/// reading of those.
fn without_zeros_alone(points: &mut [Point]) {
    type Column = (fn(&Point) -> Amount, fn(&mut Point) -> &mut Amount);
    let columns: [Column; 6] = [
        (|p| p.ios, |p| &mut p.depth),
        (|p| p.reads, |p| &mut p.read_depth),
        (|p| p.writes, |p| &mut p.write_depth),
        (|p| p.ios, |p| &mut p.bytes),
        (|p| p.reads, |p| &mut p.read_bytes),
        (|p| p.writes, |p| &mut p.write_bytes),
    ];
    for (rate, figure) in columns {
        let mut busy = points.iter_mut().filter(|p| rate(p).exceeds(0.0)).peekable();
        if busy.peek().is_some() && busy.all(|p| figure(p).is_missing()) {
            points.iter_mut().for_each(|p| *figure(p) = Amount::MISSING);
        }
    }
}

/// Figures of a device that every tool could print, and some do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lack {
    Reads,
    Writes,
    ReadBytes,
    WriteBytes,
    ReadLatency,
    WriteLatency,
    Requests,
    Bytes,
    Latency,
}

impl Lack {
    pub(crate) const ALL: [Lack; 9] = [
        Lack::Reads,
        Lack::Writes,
        Lack::ReadBytes,
        Lack::WriteBytes,
        Lack::ReadLatency,
        Lack::WriteLatency,
        Lack::Requests,
        Lack::Bytes,
        Lack::Latency,
    ];
    /// Its name in sentences.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Lack::Reads => "reads/s",
            Lack::Writes => "writes/s",
            Lack::ReadBytes => "bytes read/s",
            Lack::WriteBytes => "bytes written/s",
            Lack::ReadLatency => "latency of reads",
            Lack::WriteLatency => "latency of writes",
            Lack::Requests => "requests/s",
            Lack::Bytes => "bytes/s",
            Lack::Latency => "latency",
        }
    }
    /// The same of the other direction.
    pub(crate) fn twin(self) -> Option<Lack> {
        Some(match self {
            Lack::Reads => Lack::Writes,
            Lack::Writes => Lack::Reads,
            Lack::ReadBytes => Lack::WriteBytes,
            Lack::WriteBytes => Lack::ReadBytes,
            Lack::ReadLatency => Lack::WriteLatency,
            Lack::WriteLatency => Lack::ReadLatency,
            Lack::Requests | Lack::Bytes | Lack::Latency => return None,
        })
    }
    /// Of a row's figures: this one, and the requests without which it is nothing, printed or not.
    fn amounts(self, sums: &Sums) -> (Amount, Amount) {
        let [reads, writes, all, read_bytes, write_bytes, bytes, read_time, write_time, time, ..] = *sums;
        match self {
            Lack::Reads => (reads, Amount::MISSING),
            Lack::Writes => (writes, Amount::MISSING),
            Lack::Requests => (all, Amount::MISSING),
            Lack::ReadBytes => (read_bytes, reads),
            Lack::WriteBytes => (write_bytes, writes),
            Lack::ReadLatency => (read_time, reads),
            Lack::WriteLatency => (write_time, writes),
            Lack::Bytes => (bytes, all),
            Lack::Latency => (time, all),
        }
    }
}

/// In how many intervals of a device each figure is there and missing; in the order of [`Lack::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lacks {
    pub there: [u64; Lack::ALL.len()],
    pub missing: [u64; Lack::ALL.len()],
    pub first: [Origin; Lack::ALL.len()],
}

impl Lacks {
    fn look_at(&mut self, origin: Origin, sums: &Sums) {
        for (index, lack) in Lack::ALL.into_iter().enumerate() {
            let (figure, requests) = lack.amounts(sums);
            // Nothing done takes no bytes and no time.
            if requests.is_zero() {
                continue;
            }
            if !figure.is_missing() {
                self.there[index] += 1;
                continue;
            }
            if self.missing[index] == 0 {
                self.first[index] = origin;
            }
            self.missing[index] += 1;
        }
    }
    fn add(&mut self, other: Lacks) {
        for index in 0..Lack::ALL.len() {
            if self.missing[index] == 0 {
                self.first[index] = other.first[index];
            }
            self.there[index] += other.there[index];
            self.missing[index] += other.missing[index];
        }
    }
}

impl Noticed {
    /// Which devices came, went, and were missing in between; asked when all is joined.
    pub(crate) fn settle_devices(&mut self) {
        for (name, (count, first, last)) in &self.devices {
            if *first > 0 {
                self.appeared.push(name.clone());
            }
            if *last + 1 < self.reports {
                self.disappeared.push(name.clone());
            }
            self.missing += (last - first + 1) as u64 - count;
            self.outside += (first + self.reports - 1 - last) as u64;
        }
    }
}

/// The interval of one device.
#[cfg(test)]
pub(crate) fn first(row: &Row) -> Point {
    Stamp::new(row, row.sums()).point(&[Cow::Borrowed(row)])
}

/// The devices of an instant, as they are added up.
///
/// Of counters over one interval the whole numbers are added, and divided by its length once: their sum is exact. Rates, and counters
/// over intervals of different lengths, are added as rates.
struct Stamp {
    at: i64,
    span: u64,
    origin: Origin,
    counted: bool,
    sums: Sums,
    utilisation: Amount,
}

impl Stamp {
    fn new(row: &Row, sums: Sums) -> Stamp {
        let counted = row.counted_span().is_some();
        let (at, span, origin) = (row.at, row.span, row.origin);
        Stamp { at, span, origin, counted, sums, utilisation: row.utilisation() }
    }
    fn add(&mut self, row: &Row, sums: &Sums) {
        self.counted &= row.counted_span() == Some(self.span);
        for (mine, theirs) in self.sums.iter_mut().zip(sums) {
            *mine = *mine + *theirs;
        }
        self.utilisation = self.utilisation.larger(row.utilisation());
        self.span = self.span.max(row.span);
        self.origin = self.origin.min(row.origin);
    }
    /// What these rows come to together.
    fn point(self, rows: &[Cow<'_, Row>]) -> Point {
        let all_rates = || rows.iter().all(|row| row.counted_span().is_none());
        let sums = if self.counted || all_rates() {
            self.sums
        } else {
            let nothing = [Amount::ZERO; 13];
            rows.iter().fold(nothing, |sum, row| std::array::from_fn(|i| sum[i] + row.rates()[i]))
        };
        let sums = if self.counted { rates_over(sums, self.span) } else { sums };
        let [reads, writes, ios, read_bytes, write_bytes, bytes, read_depth, write_depth, depth, printed, rest @ ..] =
            sums;
        let [merges, discards, flushes] = rest;
        Point {
            at: self.at,
            span: Duration::from_ns(self.span),
            origin: self.origin,
            counted: self.counted,
            reads,
            writes,
            ios,
            read_bytes,
            write_bytes,
            bytes,
            read_depth,
            write_depth,
            depth,
            depth_printed: printed,
            merges,
            discards,
            flushes,
            utilisation: self.utilisation,
            gap_before: false,
        }
    }
}

/// Gives every interval its length; time that nothing was recorded in stays out.
fn spans(points: &mut [Point], axis: Axis, usual: Duration, before: Option<i64>, noticed: &mut Noticed) {
    let limit = (usual.ns() as f64 * GAP) as u64;
    for point in points.iter().filter(|p| before.is_some_and(|before| p.at <= before)) {
        noticed.late.add(point.origin, String::new);
    }
    for i in 0..points.len() {
        // Between late ones and the others lies what was folded.
        let last = [i.checked_sub(1).map(|last| points[last].at), before];
        let before = last.into_iter().flatten().filter(|last| *last < points[i].at).max();
        let step = before.map_or(usual.ns(), |before| (points[i].at - before).unsigned_abs());
        let written = points[i].span.ns();
        let gap = before.is_some() && axis != Axis::Reports && step > limit.max(written.saturating_add(usual.ns() / 2));
        if gap {
            points[i].gap_before = true;
            let missing = step - written.max(usual.ns()).min(step);
            noticed.gap_ns = noticed.gap_ns.saturating_add(missing);
            noticed.gaps.add(points[i].origin, || format!("{:.0} s without a reading", missing as f64 / 1e9));
        }
        if written > 0 {
            // A suspended machine writes an interval as long as its sleep: nothing in it is spread over that time.
            if written > limit && before.is_some() && (written as f64) > usual.ns() as f64 * 10.0 {
                points[i].gap_before = true;
                points[i].span = usual;
                noticed.gap_ns = noticed.gap_ns.saturating_add(written - usual.ns());
                noticed.gaps.add(points[i].origin, || format!("one interval of {:.0} s", written as f64 / 1e9));
            } else if written > limit || written.saturating_mul(2) < usual.ns() {
                noticed.mixed_spans.add(points[i].origin, || format!("{:.1} s", written as f64 / 1e9));
            }
            continue;
        }
        let span = if gap || axis == Axis::Reports || step == 0 { usual.ns() } else { step };
        if span > limit || span.saturating_mul(2) < usual.ns() {
            noticed.mixed_spans.add(points[i].origin, || format!("{:.1} s", span as f64 / 1e9));
        }
        points[i].span = Duration::from_ns(span);
    }
}
