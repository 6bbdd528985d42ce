//! Events of a trace, as they pass: counted into seconds, and judged random or sequential.
//!
//! Nothing of an event is kept but what is outstanding, so a trace of any length needs the same memory for each second
//! of it. Counts are of completions; where a trace has none, of issues, or of what was queued.
//!
//! Ignores: events out of order by more than what is outstanding; requests whose completion was never seen.

use std::collections::{BTreeMap, HashMap};

use dw_units::{Bytes, Duration};

use super::histogram::Histogram;
use super::randomness::{Pattern, Streams};
use super::sample::{Action, DiskInterval, IoEvent};
use crate::Direction;

/// More than any device has outstanding: beyond it completions are missing from the trace.
const MOST_OUTSTANDING: usize = 1 << 20;

/// What happened in one bucket of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    /// By action: queue, issue, complete; then read, write, discard.
    pub ios: [[u64; 3]; 3],
    pub bytes: [[u64; 3]; 3],
    pub flushes: u64,
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
    pub(crate) fn take(&mut self, at: i64, width: i64, event: &IoEvent) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = self.last.max(at);
        let action = index(event.action);
        self.seen[action] += 1;
        let bucket = self.buckets.entry(at.div_euclid(width)).or_default();
        if event.len == Bytes::ZERO {
            bucket.flushes += u64::from(event.flush && event.action == Action::Complete);
            return;
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

    /// Its seconds as intervals, idle ones included: end, length, figures, random and sequential.
    pub(crate) fn intervals(&self, width: i64) -> Vec<(i64, Duration, DiskInterval, Pattern)> {
        let (Some(first), level) = (self.first, self.level()) else { return Vec::new() };
        let pattern_level = self.pattern_level().unwrap_or(level);
        let idle = Bucket::default();
        let (head, end) = (first.div_euclid(width), self.last.div_euclid(width));
        let interval = |i: i64| {
            let bucket = self.buckets.get(&i).unwrap_or(&idle);
            // The first and last begin and end with the trace.
            let (from, to) = ((i * width).max(first), ((i + 1) * width).min(self.last.max(first + 1)));
            // A bucket that is filled to its last tenth is whole: a trace goes on behind its last event.
            let whole = to - from > width - width / 10;
            let (to, span) = if whole { ((i + 1) * width, width) } else { (to, (to - from).max(1)) };
            // A sliver of a few events at either end is no interval of its own.
            if span < width / 10 && end > head {
                return None;
            }
            let seconds = span as f64 / 1e9;
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
            let disk = DiskInterval {
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
            };
            Some((to, Duration::from_ns(span as u64), disk, bucket.pattern[pattern_level]))
        };
        (head..=end).filter_map(interval).collect()
    }
}
