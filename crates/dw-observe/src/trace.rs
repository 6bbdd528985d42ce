//! Events of a trace, as they pass: counted into seconds, and judged random or sequential.
//!
//! Nothing of an event is kept but what is outstanding, and only seconds with an event are kept until the end. Then the
//! traces of one source are laid on one [`Frame`]: a tracer that records one device at an instant would have recorded the
//! others too, so a device without an event is idle. Where no device has an event for more than [`SILENCE`], nothing
//! tells an idle machine from a tracer that was off or a damaged stamp: that time counts as not recorded. Counts are of
//! completions; where a trace has none, of issues, or of what was queued.
//!
//! Ignores: events out of order by more than what is outstanding; requests whose completion was never seen.
//!
//! Invariant: memory is bounded by [`BUCKETS`] and [`INTERVALS`], whatever the stamps say: of a trace with more seconds the
//! intervals are doubled until they fit.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};

use dw_units::{Bytes, Duration};

use super::histogram::Histogram;
use super::randomness::{Pattern, Streams};
use super::sample::{Action, DiskInterval, IoEvent, Origin};
use dw_workload::Direction;

/// More than any device has outstanding: beyond it completions are missing from the trace.
const MOST_OUTSTANDING: usize = 1 << 16;
/// Writes that may complete before the flush behind one of them does: some milliseconds of a fast disk.
const MOST_WRITTEN: usize = 1 << 10;
/// Intervals with an event that all traces of a source keep: 150 MB, three days of one disk by the second.
pub(crate) const BUCKETS: usize = 1 << 18;
/// Intervals of all devices together, idle ones among them: 150 MB.
const INTERVALS: u64 = 1 << 19;
/// Ten minutes: file systems and daemons ask something more often than that on any machine that does anything.
pub(crate) const SILENCE: Duration = Duration::from_secs(600);

/// What happened in one bucket of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    /// The first event of it.
    pub origin: Origin,
    /// By action: queue, issue, complete; then read, write, discard.
    pub ios: [[u64; 3]; 3],
    pub bytes: [[u64; 3]; 3],
    pub flushes: u64,
    /// Writes without data: what asked for the flushes, which the kernel counts among the writes.
    pub dataless: u64,
    /// Nanoseconds and number of the completions whose latency is known, by direction.
    pub latency_ns: [u128; 3],
    pub timed: [u64; 3],
    /// Random and sequential of what was issued, queued, completed.
    pub pattern: [Pattern; 3],
}

/// What a trace says of one device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub buckets: BTreeMap<i64, Bucket>,
    pub first: Option<i64>,
    pub last: i64,
    pub seen: [u64; 3],
    /// By action, then read and write.
    pub patterns: [[Pattern; 2]; 3],
    pub sizes: [Histogram; 2],
    pub latencies: [Histogram; 2],
    /// Outstanding requests as each new one found them.
    pub depths: Histogram,
    streams: [Streams; 3],
    outstanding: HashMap<(u64, Direction), i64>,
    /// Where the last writes with data that completed began.
    written: VecDeque<u64>,
    pub forgotten: u64,
    /// Its events are in order, and nothing says when they were.
    pub untimed: bool,
}

fn index(action: Action) -> usize {
    match action {
        Action::Queue => 0,
        Action::Issue => 1,
        Action::Complete => 2,
    }
}

impl Trace {
    /// Takes an event at `at` into a bucket `width` long.
    pub(crate) fn take(&mut self, at: i64, width: i64, origin: Origin, event: &IoEvent) {
        self.last = if self.first.is_none() { at } else { self.last.max(at) };
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        let action = index(event.action);
        self.seen[action] += 1;
        let new = || Bucket { origin, ..Bucket::default() };
        let bucket = self.buckets.entry(at.div_euclid(width)).or_insert_with(new);
        if event.len == Bytes::ZERO {
            let done = event.action == Action::Complete;
            bucket.flushes += u64::from(done && event.flush);
            if done && !event.flush && event.direction == Direction::Write {
                // A FUA write on a disk without FUA completes twice at its own offset: with its data, and without, after the flush behind it.
                match self.written.iter().rposition(|offset| Some(*offset) == event.offset) {
                    Some(again) => _ = self.written.remove(again),
                    None => bucket.dataless += 1,
                }
            }
            return;
        }
        if let (Action::Complete, Direction::Write, Some(offset)) = (event.action, event.direction, event.offset) {
            if self.written.len() >= MOST_WRITTEN {
                self.written.pop_front();
            }
            self.written.push_back(offset);
        }
        let direction = event.direction as usize;
        bucket.ios[action][direction] += 1;
        bucket.bytes[action][direction] += event.len.get();
        if let (Some(offset), true) = (event.offset, event.direction != Direction::Trim) {
            let sequential = self.streams[action].follow(event.direction, offset, event.len);
            bucket.pattern[action].add(event.len, sequential);
            self.patterns[action][direction].add(event.len, sequential);
        }
        let latency = event.latency.map(|l| l.ns()).or_else(|| self.time(at, event));
        if let (Some(ns), Action::Complete) = (latency, event.action) {
            let bucket = self.buckets.entry(at.div_euclid(width)).or_default();
            bucket.latency_ns[direction] += u128::from(ns);
            bucket.timed[direction] += 1;
            if direction < 2 {
                self.latencies[direction].add(ns, 1);
            }
        }
    }

    /// Sizes are counted at the level that is reported, which is known at the end; until then by the deepest seen.
    pub(crate) fn count_size(&mut self, event: &IoEvent) {
        if event.len > Bytes::ZERO && event.direction != Direction::Trim && index(event.action) == self.level() {
            self.sizes[event.direction as usize].add(event.len.get(), 1);
        }
    }

    /// The level that requests are counted at.
    pub(crate) fn level(&self) -> usize {
        (0..3).rev().find(|&level| self.seen[level] > 0).unwrap_or(0)
    }

    /// The share of the writes that the kernel counts, which carry no data; none where no completion was seen.
    pub(crate) fn dataless_share(&self) -> Option<f64> {
        let done = |of: fn(&Bucket) -> u64| self.buckets.values().map(of).sum::<u64>() as f64;
        let (data, without) =
            (done(|b| b.ios[index(Action::Complete)][Direction::Write as usize]), done(|b| b.dataless));
        (data + without > 0.0).then(|| without / (data + without))
    }

    /// The level that random and sequential are judged at: what the device was asked, else what the application asked.
    pub(crate) fn pattern_level(&self) -> Option<usize> {
        let has = |level: usize| self.patterns[level].iter().any(|p| p.ios > 0);
        [1, 0, 2].into_iter().find(|&level| has(level))
    }

    /// The latency of a completion whose issue was seen.
    fn time(&mut self, at: i64, event: &IoEvent) -> Option<u64> {
        let key = (event.offset?, event.direction);
        match event.action {
            Action::Queue => None,
            Action::Issue => {
                if self.outstanding.len() >= MOST_OUTSTANDING {
                    self.forgotten += self.outstanding.len() as u64;
                    self.outstanding.clear();
                }
                self.depths.add(self.outstanding.len() as u64 + 1, 1);
                self.outstanding.insert(key, at);
                None
            }
            Action::Complete => {
                let issued = self.outstanding.remove(&key)?;
                u64::try_from(at - issued).ok()
            }
        }
    }

    /// Neighbouring buckets become one, twice as long.
    fn widen(&mut self) {
        for (at, bucket) in std::mem::take(&mut self.buckets) {
            match self.buckets.entry(at.div_euclid(2)) {
                Entry::Vacant(free) => drop(free.insert(bucket)),
                Entry::Occupied(mut taken) => taken.get_mut().add(&bucket),
            }
        }
    }

    /// An interval of it.
    fn figures(&self, bucket: &Bucket, seconds: f64) -> DiskInterval {
        let level = self.level();
        let rate = |direction: usize| Some(bucket.ios[level][direction] as f64 / seconds);
        let throughput = |direction: usize| {
            let bytes = bucket.bytes[level][direction] as f64 / seconds;
            Some(dw_units::Throughput::bytes_per_second(bytes.round() as u64))
        };
        let latency = |direction: usize| {
            let n = u128::from(bucket.timed[direction]);
            let ns = bucket.latency_ns[direction].checked_div(n)?;
            Some(Duration::from_ns(u64::try_from(ns).unwrap_or(u64::MAX)))
        };
        DiskInterval {
            reads_per_s: rate(0),
            writes_per_s: rate(1),
            discards_per_s: rate(2),
            read_throughput: throughput(0),
            write_throughput: throughput(1),
            discard_throughput: throughput(2),
            read_latency: latency(0),
            write_latency: latency(1),
            flushes_per_s: Some(bucket.flushes as f64 / seconds),
            ..DiskInterval::default()
        }
    }

    /// Its intervals on the frame of its source, idle ones included.
    pub(crate) fn intervals(&self, frame: &Frame) -> Vec<Interval> {
        let pattern_level = self.pattern_level().unwrap_or_else(|| self.level());
        let idle = Bucket::default();
        let interval = |(index, at, span): (i64, i64, Duration)| {
            let bucket = self.buckets.get(&index).unwrap_or(&idle);
            let disk = self.figures(bucket, span.ns() as f64 / 1e9);
            Interval { at, span, origin: bucket.origin, disk, pattern: bucket.pattern[pattern_level] }
        };
        frame.intervals().map(interval).collect()
    }
}

impl Bucket {
    fn add(&mut self, other: &Bucket) {
        let both = |mine: &mut [[u64; 3]; 3], theirs: &[[u64; 3]; 3]| {
            mine.iter_mut().flatten().zip(theirs.iter().flatten()).for_each(|(mine, theirs)| *mine += theirs);
        };
        both(&mut self.ios, &other.ios);
        both(&mut self.bytes, &other.bytes);
        self.flushes += other.flushes;
        self.dataless += other.dataless;
        for direction in 0..3 {
            self.latency_ns[direction] += other.latency_ns[direction];
            self.timed[direction] += other.timed[direction];
            self.pattern[direction] = self.pattern[direction].plus(other.pattern[direction]);
        }
    }
}

/// An interval of a trace.
pub(crate) struct Interval {
    /// Its end.
    pub at: i64,
    pub span: Duration,
    /// Its first event; line 0 where it is idle.
    pub origin: Origin,
    pub disk: DiskInterval,
    pub pattern: Pattern,
}

/// Neighbouring buckets of these traces become one until at most `most` are left; the width they have then.
pub(crate) fn shrink(traces: &mut [&mut Trace], mut width: i64, most: usize) -> i64 {
    while width < i64::MAX / 4 && traces.iter().map(|t| t.buckets.len()).sum::<usize>() > most {
        traces.iter_mut().for_each(|trace| trace.widen());
        width *= 2;
    }
    width
}

/// The time that the traces of one source cover, in intervals of one width.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub width: i64,
    first: i64,
    last: i64,
    /// Runs of intervals that were recorded, from the first to the last of each.
    runs: Vec<(i64, i64)>,
}

impl Frame {
    /// That of all traces of a source, whose buckets are `width` long; none without an event.
    pub(crate) fn spanning(traces: &mut [&mut Trace], mut width: i64) -> Option<Frame> {
        let first = traces.iter().filter_map(|t| t.first).min()?;
        let last = traces.iter().filter(|t| t.first.is_some()).map(|t| t.last).max()?;
        loop {
            let runs = runs(traces, width);
            let intervals = runs.iter().map(|(from, to)| to.abs_diff(*from) + 1).fold(0u64, u64::saturating_add);
            if intervals.saturating_mul(traces.len() as u64) <= INTERVALS.max(traces.len() as u64)
                || width > i64::MAX / 4
            {
                return Some(Frame { width, first, last, runs });
            }
            traces.iter_mut().for_each(|trace| trace.widen());
            width *= 2;
        }
    }

    /// From the first event to the last.
    pub(crate) fn length(&self) -> Duration {
        Duration::from_ns(self.last.abs_diff(self.first))
    }

    /// Whether it is long enough for a rate: a tenth of an interval.
    pub(crate) fn has_rates(&self) -> bool {
        self.whole().next().is_some()
    }

    /// Each interval: its place, its end, its length. Of a trace too short for one, all of it.
    fn intervals(&self) -> impl Iterator<Item = (i64, i64, Duration)> {
        let short = (self.first.div_euclid(self.width), self.last, Duration::from_ns(self.length().ns().max(1)));
        self.whole().chain((!self.has_rates()).then_some(short))
    }

    fn whole(&self) -> impl Iterator<Item = (i64, i64, Duration)> {
        let width = self.width;
        let interval = move |index: i64| {
            let begin = index.saturating_mul(width);
            let end = begin.saturating_add(width);
            // The first and last begin and end with the trace.
            let (from, to) = (begin.max(self.first), end.min(self.last));
            // One that is filled to its last tenth is whole: a trace goes on behind its last event.
            let whole = to - from > width - width / 10;
            let (to, span) = if whole { (end, width) } else { (to, to - from) };
            // A sliver of a few events at either end is not an interval of its own.
            (span > 0 && span >= width / 10).then_some((index, to, Duration::from_ns(span as u64)))
        };
        self.runs.iter().flat_map(|(from, to)| *from..=*to).filter_map(interval)
    }
}

/// Buckets with an event of any trace, and those between that are silent for no longer than [`SILENCE`].
fn runs(traces: &[&mut Trace], width: i64) -> Vec<(i64, i64)> {
    let mut seen: Vec<i64> = traces.iter().flat_map(|t| t.buckets.keys().copied()).collect();
    seen.sort_unstable();
    seen.dedup();
    let silence = (SILENCE.ns() / width.unsigned_abs().max(1)).max(10);
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for at in seen {
        match runs.last_mut() {
            Some((_, to)) if at.abs_diff(*to) <= silence + 1 => *to = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}
