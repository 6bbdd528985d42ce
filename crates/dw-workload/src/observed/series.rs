//! The joint series of a volume: what its devices did together, interval by interval.
//!
//! Devices are summed at each stamp before anything is made of the sums: the percentile of a sum is not the sum of
//! percentiles, because disks are rarely busy at the same moment. Latencies become outstanding requests
//! (rate x latency, Little's law) so that they too can be summed; divided by the rate again they are the mean over I/Os.
//!
//! Ignores: a device that is missing from a report did nothing in it; that it was missing is in the audit.
//!
//! Invariant: points are in order of time, one to a stamp; sums are taken in the order of names.

use std::collections::BTreeMap;

use dw_units::Duration;

use super::clock::Axis;
use super::evidence::Evidence;
use super::row::{Row, sum};
use super::sample::Origin;
use super::thin::Thinned;

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

/// One interval of a volume. What no device says is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// End of the interval.
    pub at: i64,
    /// Its length.
    pub span: Duration,
    /// The first row it comes from.
    pub origin: Origin,
    /// Reads a second.
    pub reads: f64,
    /// Writes a second.
    pub writes: f64,
    /// Requests a second.
    pub ios: f64,
    /// Bytes read a second.
    pub read_bytes: f64,
    /// Bytes written a second.
    pub write_bytes: f64,
    /// Bytes a second.
    pub bytes: f64,
    /// Reads outstanding, by Little's law.
    pub read_depth: f64,
    /// Writes outstanding.
    pub write_depth: f64,
    /// Requests outstanding.
    pub depth: f64,
    /// Requests outstanding as printed.
    pub depth_printed: f64,
    /// Requests merged into others a second.
    pub merges: f64,
    /// Discards a second.
    pub discards: f64,
    /// Flushes a second.
    pub flushes: f64,
    /// The busiest device's percent of time with a request.
    pub utilisation: f64,
    /// Time is missing before this interval.
    pub gap_before: bool,
}

impl Point {
    /// Mean latency in seconds; none without I/O.
    pub fn latency(&self) -> f64 {
        ratio(self.depth, self.ios)
    }
    /// Mean latency of reads in seconds.
    pub fn read_latency(&self) -> f64 {
        ratio(self.read_depth, self.reads)
    }
    /// Mean latency of writes in seconds.
    pub fn write_latency(&self) -> f64 {
        ratio(self.write_depth, self.writes)
    }
    /// Mean size of a request in bytes.
    pub fn io_size(&self) -> f64 {
        ratio(self.bytes, self.ios)
    }
    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        self.span.ns() as f64 / 1e9
    }
}

/// a / b, missing when b is zero or either is missing.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { f64::NAN }
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
    pub thinned: Option<Thinned>,
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
        self.thinned.as_ref().map_or(1, Thinned::every)
    }
    /// The intervals, or means of groups of them: what keeps totals.
    pub fn means(&self) -> &[Point] {
        self.thinned.as_ref().map_or(&self.points, Thinned::mean)
    }
    /// The intervals, or the busiest of each group: what keeps peaks.
    pub fn busiest(&self) -> &[Point] {
        self.thinned.as_ref().map_or(&self.points, Thinned::busiest)
    }
    /// The share of the time from first to last that is covered.
    pub fn coverage(&self) -> f64 {
        let (Some(first), Some(last)) = (self.means().first(), self.means().last()) else { return 0.0 };
        let whole = (last.at - first.at) as f64 + first.span.ns() as f64;
        if whole <= 0.0 { 1.0 } else { (self.covered().ns() as f64 / whole).min(1.0) }
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
    pub appeared: Vec<String>,
    pub disappeared: Vec<String>,
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
            return (Duration::from_ns(span), IntervalFrom::File);
        }
        let steps = rows.windows(2).map(|w| (w[1].at - w[0].at).unsigned_abs()).filter(|s| *s > 0);
        if let Some(step) = median(steps) {
            return (Duration::from_ns(step), IntervalFrom::File);
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

fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// Seconds such that rates are whole counts over them: a tool that prints `23.50` counted over two seconds or more.
fn inferred(rows: &[Row]) -> Option<u64> {
    let rates: Vec<f64> = rows.iter().flat_map(|r| [r.reads, r.writes]).filter(|v| *v > 0.0).take(2_000).collect();
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

/// Joins the rows of a volume's devices, given in the order of their names, behind what ended at `before`.
pub(crate) fn join(
    devices: &[(&str, &[Row])],
    axis: Axis,
    (interval, from): (Duration, IntervalFrom),
    before: Option<i64>,
    noticed: &mut Noticed,
) -> Series {
    let scale = if axis == Axis::Reports { i64::try_from(interval.ns()).unwrap_or(i64::MAX) } else { 1 };
    let mut all: Vec<(i64, u32, u32)> = Vec::with_capacity(devices.iter().map(|d| d.1.len()).sum());
    for ((_, rows), index) in devices.iter().zip(0u32..) {
        all.extend(rows.iter().zip(0u32..).map(|(row, place)| (row.at, index, place)));
    }
    all.sort_unstable();
    let row_of = |(_, device, place): &(i64, u32, u32)| devices[*device as usize].1[*place as usize];
    let mut points: Vec<Point> = Vec::new();
    let mut present: Vec<u32> = Vec::new();
    let mut reports_of: Vec<(u64, usize, usize)> = vec![(0, usize::MAX, 0); devices.len()];
    let mut rest = all.as_slice();
    while let Some((at, _, _)) = rest.first() {
        let end = rest.iter().position(|(other, _, _)| other != at).unwrap_or(rest.len());
        let (now, later) = rest.split_at(end);
        rest = later;
        present.clear();
        let mut point: Option<Point> = None;
        let mut i = 0;
        while i < now.len() {
            let (device, mut row) = (now[i].1, row_of(&now[i]));
            i += 1;
            while i < now.len() && now[i].1 == device {
                let again = row_of(&now[i]);
                if !row.fill(&again) {
                    noticed.repeated.add(again.origin, String::new);
                }
                i += 1;
            }
            present.push(device);
            match &mut point {
                Some(point) => add(point, &row),
                None => point = Some(first(&row)),
            }
        }
        let Some(mut point) = point else { continue };
        point.at = at.saturating_mul(scale);
        for device in &present {
            let reports = &mut reports_of[*device as usize];
            *reports = (reports.0 + 1, reports.1.min(points.len()), points.len());
        }
        points.push(point);
    }
    for ((name, _), (count, first, last)) in devices.iter().zip(&reports_of).filter(|(_, of)| of.0 > 0) {
        let (first, last) = (noticed.reports + first, noticed.reports + last);
        let known = noticed.devices.entry((*name).to_string()).or_insert((0, first, last));
        *known = (known.0 + count, known.1.min(first), known.2.max(last));
    }
    noticed.reports += points.len();
    without_latency(&mut points);
    spans(&mut points, axis, interval, before, noticed);
    Series { axis, interval, interval_from: from, points, thinned: None }
}

/// Idle intervals have nothing outstanding; of a tool that prints no latency they are no reading of the queue.
fn without_latency(points: &mut [Point]) {
    let busy = |p: &&Point| p.ios > 0.0;
    if points.iter().any(|p| busy(&p)) && points.iter().filter(busy).all(|p| p.depth.is_nan()) {
        points.iter_mut().for_each(|p| p.depth = f64::NAN);
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
        }
    }
}

/// The interval of one device.
pub(crate) fn first(row: &Row) -> Point {
    let (read_depth, write_depth, depth) = row.depth();
    let split = |flag: bool, value: f64| if flag { f64::NAN } else { value };
    Point {
        at: row.at,
        span: Duration::from_ns(row.span),
        origin: row.origin,
        reads: split(row.ios_unsplit, row.reads),
        writes: row.writes,
        ios: row.iops(),
        read_bytes: split(row.bytes_unsplit, row.read_bytes),
        write_bytes: row.write_bytes,
        bytes: sum(row.read_bytes, row.write_bytes),
        read_depth,
        write_depth,
        depth,
        depth_printed: f64::from(row.queue),
        merges: sum(f64::from(row.read_merges), f64::from(row.write_merges)),
        discards: f64::from(row.discards),
        flushes: f64::from(row.flushes),
        utilisation: f64::from(row.utilisation),
        gap_before: false,
    }
}

fn add(point: &mut Point, row: &Row) {
    let other = first(row);
    let fields: [(&mut f64, f64); 13] = [
        (&mut point.reads, other.reads),
        (&mut point.writes, other.writes),
        (&mut point.ios, other.ios),
        (&mut point.read_bytes, other.read_bytes),
        (&mut point.write_bytes, other.write_bytes),
        (&mut point.bytes, other.bytes),
        (&mut point.read_depth, other.read_depth),
        (&mut point.write_depth, other.write_depth),
        (&mut point.depth, other.depth),
        (&mut point.depth_printed, other.depth_printed),
        (&mut point.merges, other.merges),
        (&mut point.discards, other.discards),
        (&mut point.flushes, other.flushes),
    ];
    for (mine, theirs) in fields {
        *mine = sum(*mine, theirs);
    }
    point.utilisation = point.utilisation.max(other.utilisation);
    point.span = point.span.max(other.span);
    point.origin = point.origin.min(other.origin);
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
        let gap = before.is_some() && axis != Axis::Reports && step > limit.max(written + usual.ns() / 2);
        if gap {
            points[i].gap_before = true;
            let missing = step - written.max(usual.ns()).min(step);
            noticed.gap_ns += missing;
            noticed.gaps.add(points[i].origin, || format!("{:.0} s without a reading", missing as f64 / 1e9));
        }
        if written > 0 {
            // A suspended machine writes an interval as long as its sleep: nothing in it is spread over that time.
            if written > limit && before.is_some() && (written as f64) > usual.ns() as f64 * 10.0 {
                points[i].gap_before = true;
                points[i].span = usual;
                noticed.gap_ns += written - usual.ns();
                noticed.gaps.add(points[i].origin, || format!("one interval of {:.0} s", written as f64 / 1e9));
            } else if written > limit || written * 2 < usual.ns() {
                noticed.mixed_spans.add(points[i].origin, || format!("{:.1} s", written as f64 / 1e9));
            }
            continue;
        }
        let span = if gap || axis == Axis::Reports || step == 0 { usual.ns() } else { step };
        if span > limit || span * 2 < usual.ns() {
            noticed.mixed_spans.add(points[i].origin, || format!("{:.1} s", span as f64 / 1e9));
        }
        points[i].span = Duration::from_ns(span);
    }
}
