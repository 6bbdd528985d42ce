//! What happened in every interval of the run, ramps included.

use crate::SeriesPoint;
use crate::recorder::Part;
use crate::tail::Tail;
use dw_stack::{CacheOutcome, Completion, Op, Stage};
use dw_units::{Duration, Instant};
use dw_workload::Direction;

/// Parts of intervals that are kept before those of one are joined, at least: some 240 bytes each.
const PARTS: usize = 4_096;
/// Latencies that a 99th percentile of what they stand for takes, so that ten are above it: of fewer it is nearly the largest.
const TAIL: u64 = 1_000;

#[derive(Clone, Debug, Default)]
struct Interval {
    ios: u64,
    bytes: u64,
    latency_sum: u128,
    latency_max: u64,
    latency_p99: Option<u64>,
    hits: u64,
    touches: u64,
    queued: [u128; Stage::COUNT],
    /// The latest of that, in sums half as wide.
    fresh: [u64; Stage::COUNT],
}

/// The series, and the interval that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    interval: Duration,
    /// By the stack's clock; virtual time is later by what was leapt over.
    end: Instant,
    leapt: Duration,
    /// Three directions a volume.
    current: Vec<Interval>,
    /// Latencies of each of these.
    tails: Vec<Tail>,
    /// Those that are over, by their end in virtual time and their place above; what samples stand for comes in many parts.
    done: Vec<(Duration, usize, Interval)>,
    /// With so many parts those of one interval are joined.
    most: usize,
    /// Up to here they were told.
    told: Duration,
}

/// What a volume did in one direction in a stretch of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stretch {
    pub(crate) bytes: u64,
    pub(crate) hits: u64,
    /// Requests that waited for data that had to be fetched first.
    pub(crate) touches: u64,
    /// Reads of a cached volume: from RAM, from the SSD, from the disk.
    pub(crate) tiers: [u64; 3],
    pub(crate) latency: Part,
    pub(crate) queued: [u128; Stage::COUNT],
}

impl Series {
    pub(crate) fn new(interval: Duration, volumes: usize) -> Self {
        let current = vec![Interval::default(); volumes * 3];
        Series {
            interval,
            end: Instant::START + interval,
            leapt: Duration::ZERO,
            current,
            tails: vec![Tail::default(); volumes * 3],
            done: Vec::new(),
            most: PARTS,
            told: Duration::ZERO,
        }
    }
    pub(crate) fn record(&mut self, done: &Completion) {
        // What finishes at the very end of an interval belongs to it, as what finishes at the end of the run does.
        if done.finished > self.end {
            self.close(done.finished);
        }
        let direction = match done.op {
            Op::Read => 0,
            Op::Write => 1,
            Op::Trim => 2,
            Op::Flush => return,
        };
        let place = done.volume.0 as usize * 3 + direction;
        let interval = &mut self.current[place];
        let latency = done.latency().ns();
        self.tails[place].record(latency);
        interval.ios += 1;
        interval.bytes += u64::from(done.len);
        interval.latency_sum += u128::from(latency);
        interval.latency_max = interval.latency_max.max(latency);
        interval.hits +=
            u64::from(done.op == Op::Read && matches!(done.cache, CacheOutcome::HitRam | CacheOutcome::HitSsd));
        interval.touches += u64::from(done.cache == CacheOutcome::FirstTouch);
        // The parts of a latency add up to it: what was served all the time has not waited.
        if done.spent.served.ns() != latency {
            for (sum, wait) in interval.fresh.iter_mut().zip(done.spent.queued) {
                *sum = sum.wrapping_add(wait.ns());
            }
        }
        // 2¹⁶ latencies of up to three days fit 64 bits.
        if interval.ios & 0xffff == 0 {
            interval.spill();
        }
    }
    /// Writes down the interval that is over and goes on to that of `now`, which is later.
    fn close(&mut self, now: Instant) {
        self.write(self.end);
        let passed = (now.since(self.end).ns() - 1) / self.interval.ns();
        self.end = Instant::from_ns(self.end.ns() + (passed + 1) * self.interval.ns());
    }
    fn write(&mut self, end: Instant) {
        let at = (end + self.leapt).since(Instant::START);
        let over = self.current.iter_mut().zip(&mut self.tails).enumerate().filter(|(_, (done, _))| done.ios > 0);
        self.done.extend(over.map(|(place, (done, tail))| {
            done.spill();
            done.latency_p99 = Some(tail.take(done.ios, done.latency_max));
            (at, place, std::mem::take(done))
        }));
    }
    /// Virtual time leaps by `by` at `now`.
    pub(crate) fn leap(&mut self, now: Instant, by: Duration) {
        if now > self.end {
            self.close(now);
        }
        let (left, every) = (self.end.since(now).ns(), self.interval.ns());
        if by.ns() > left {
            self.write(self.end);
            let left = left + (by.ns() - left).div_ceil(every) * every;
            self.end = now + Duration::from_ns(left);
        }
        self.leapt += by;
        self.end = Instant::from_ns(self.end.ns() - by.ns());
    }
    /// What was done between two instants of virtual time that were leapt over: a stretch of `lasted`, as often as that takes,
    /// times `share`.
    pub(crate) fn fill(&mut self, from: Instant, to: Instant, stretches: &[Stretch], lasted: Duration, share: f64) {
        for (place, stretch) in stretches.iter().enumerate().filter(|(_, stretch)| stretch.latency.count > 0) {
            let count = stretch.latency.count as f64;
            self.fill_place(place, (from, to), stretch, |ns| count * (ns / lasted.ns() as f64 * share));
        }
    }
    /// The same of one volume and direction, with so many requests in all.
    pub(crate) fn fill_with(&mut self, place: usize, (from, to): (Instant, Instant), stretch: &Stretch, requests: f64) {
        if stretch.latency.count > 0 {
            let all = to.since(from).ns().max(1) as f64;
            self.fill_place(place, (from, to), stretch, |ns| requests * (ns / all));
        }
    }
    /// As many requests as `of` says of a number of nanoseconds, in each interval.
    fn fill_place(
        &mut self,
        place: usize,
        (from, to): (Instant, Instant),
        stretch: &Stretch,
        requests: impl Fn(f64) -> f64,
    ) {
        let every = self.interval.ns();
        let (mut begin, mut carry) = (from.ns(), 0.5);
        while begin < to.ns() {
            let end = (begin / every + 1) * every;
            carry += requests((end.min(to.ns()) - begin) as f64);
            let ios = carry.floor();
            carry -= ios;
            begin = end;
            if ios < 1.0 {
                continue;
            }
            let times = ios / stretch.latency.count as f64;
            let of = |n: u128| (n as f64 * times) as u128;
            let done = Interval {
                ios: ios as u64,
                bytes: (u128::from(stretch.bytes) * ios as u128 / u128::from(stretch.latency.count)) as u64,
                latency_sum: of(stretch.latency.sum),
                // The largest of so many is about this quantile of them.
                latency_max: stretch.latency.quantile(ios / (ios + 1.0)),
                latency_p99: (stretch.latency.count >= TAIL).then(|| stretch.latency.quantile(0.99)),
                hits: (stretch.hits as f64 * times + 0.5) as u64,
                touches: (stretch.touches as f64 * times + 0.5) as u64,
                queued: stretch.queued.map(of),
                fresh: [0; Stage::COUNT],
            };
            self.done.push((Duration::from_ns(end), place, done));
        }
        if self.done.len() >= self.most {
            joined(&mut self.done);
            self.most = (2 * self.done.len()).max(PARTS);
        }
    }
    /// The intervals that are over and were not told yet, in order.
    pub(crate) fn news(&mut self) -> Vec<SeriesPoint> {
        // A leap writes to the interval that it ends in before that is over.
        let open = (self.end + self.leapt).since(Instant::START);
        let is_new = |of: &&(Duration, usize, Interval)| of.0 > self.told && of.0 < open;
        let mut new: Vec<_> = self.done.iter().filter(is_new).cloned().collect();
        joined(&mut new);
        self.told = new.last().map_or(self.told, |of| of.0);
        new.into_iter().map(|(at, place, done)| done.point(at, place)).collect()
    }
    /// The whole series of a run that ended at `now`; with the transactions billed by volume and second.
    pub(crate) fn finish(mut self, now: Instant, billed: Vec<(u16, u64, u64)>) -> Vec<SeriesPoint> {
        self.write(self.end.min(now));
        let mut points = self.points((now + self.leapt).since(Instant::START));
        for (volume, second, transactions) in billed {
            let ended = Duration::from_secs(second + 1).min(now.since(Instant::START));
            let from = points.partition_point(|point| point.at < ended);
            // What was billed shows up where its requests were done; those of the last second end with the run.
            let later = points[from..].iter().position(|point| point.volume == volume).map(|place| from + place);
            let place = later.or_else(|| points.iter().rposition(|point| point.volume == volume));
            if let Some(place) = place {
                points[place].billed_transactions += transactions;
            }
        }
        points
    }
    /// What is over as points, in order, none later than the end of the run.
    fn points(&mut self, end: Duration) -> Vec<SeriesPoint> {
        let mut done = std::mem::take(&mut self.done);
        if self.leapt > Duration::ZERO {
            done.iter_mut().for_each(|of| of.0 = of.0.min(end));
            joined(&mut done);
        }
        done.into_iter().map(|(at, place, done)| done.point(at, place)).collect()
    }
}

/// In order, and what is of one interval as one: what was leapt over came last.
fn joined(done: &mut Vec<(Duration, usize, Interval)>) {
    done.sort_by_key(|of| (of.0, of.1));
    done.dedup_by(|more, first| {
        let same = (more.0, more.1) == (first.0, first.1);
        if same {
            first.2.join(&more.2);
        }
        same
    });
}

impl Interval {
    #[cold]
    fn spill(&mut self) {
        for (total, sum) in self.queued.iter_mut().zip(&mut self.fresh) {
            *total += u128::from(std::mem::take(sum));
        }
    }
    fn join(&mut self, more: &Interval) {
        // Parts of one interval are samples of one distribution, or what is not is the smaller: the larger is the better known.
        if more.ios > self.ios {
            self.latency_p99 = more.latency_p99;
        }
        self.ios += more.ios;
        self.bytes += more.bytes;
        self.latency_sum += more.latency_sum;
        self.latency_max = self.latency_max.max(more.latency_max);
        self.hits += more.hits;
        self.touches += more.touches;
        self.queued.iter_mut().zip(more.queued).for_each(|(sum, wait)| *sum += wait);
    }
    fn point(self, at: Duration, place: usize) -> SeriesPoint {
        let longest = Stage::ALL.into_iter().rev().max_by_key(|&l| self.queued[l as usize]);
        SeriesPoint {
            at,
            volume: (place / 3) as u16,
            direction: Direction::ALL[place % 3],
            ios: self.ios,
            bytes: self.bytes,
            latency_sum: self.latency_sum,
            latency_max: self.latency_max,
            latency_p99: self.latency_p99,
            cache_hits: self.hits,
            first_touches: self.touches,
            binding: longest.filter(|&l| self.queued[l as usize] > 0),
            binding_wait: longest.map_or(0, |l| self.queued[l as usize]),
            billed_transactions: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Recorder;

    /// Of few latencies that stand for many nobody knows a 99th percentile.
    #[test]
    fn a_percentile_of_what_was_leapt_over_takes_a_thousand_latencies() {
        for (simulated, p99) in [(TAIL - 1, None), (TAIL, Some(990_000))] {
            let mut recorder = Recorder::default();
            (1..=simulated).for_each(|k| recorder.record(k * 1_000));
            let stretch = Stretch { latency: recorder.take(), ..Stretch::default() };
            let (from, to) = (Instant::START, Instant::from_ns(10_000_000_000));
            let mut series = Series::new(Duration::from_secs(10), 1);
            series.fill_with(0, (from, to), &stretch, 5_000.0);
            let points = series.finish(to, Vec::new());
            let [point] = &points[..] else { panic!("{points:?}") };
            let near = |ns: u64| point.latency_p99.is_some_and(|found| found.abs_diff(ns) <= ns / 64);
            assert!(p99.map_or(point.latency_p99.is_none(), near), "{simulated}: {:?}", point.latency_p99);
            assert_eq!(point.ios, 5_000);
        }
    }
}
