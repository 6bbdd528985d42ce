//! What happened in every interval of the run, ramps included.

use crate::SeriesPoint;
use dw_stack::{CacheOutcome, Completion, Op, Stage};
use dw_units::{Duration, Instant};
use dw_workload::Direction;

#[derive(Clone, Debug, Default)]
struct Interval {
    ios: u64,
    bytes: u64,
    latency_sum: u128,
    latency_max: u64,
    hits: u64,
    queued: [u128; Stage::COUNT],
}

/// The series, and the interval that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    interval: Duration,
    end: Instant,
    /// Three directions a volume.
    current: Vec<Interval>,
    points: Vec<SeriesPoint>,
}

impl Series {
    pub(crate) fn new(interval: Duration, volumes: usize) -> Self {
        let current = vec![Interval::default(); volumes * 3];
        Series { interval, end: Instant::START + interval, current, points: Vec::new() }
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
        let interval = &mut self.current[done.volume.0 as usize * 3 + direction];
        let latency = done.latency().ns();
        interval.ios += 1;
        interval.bytes += u64::from(done.len);
        interval.latency_sum += u128::from(latency);
        interval.latency_max = interval.latency_max.max(latency);
        interval.hits +=
            u64::from(done.op == Op::Read && matches!(done.cache, CacheOutcome::HitRam | CacheOutcome::HitSsd));
        for (sum, wait) in interval.queued.iter_mut().zip(done.spent.queued) {
            *sum += u128::from(wait.ns());
        }
    }
    /// Writes down the interval that is over and goes on to that of `now`, which is later.
    fn close(&mut self, now: Instant) {
        self.write(self.end);
        let passed = (now.since(self.end).ns() - 1) / self.interval.ns();
        self.end = Instant::from_ns(self.end.ns() + (passed + 1) * self.interval.ns());
    }
    fn write(&mut self, end: Instant) {
        for (n, slot) in self.current.iter_mut().enumerate() {
            let done = std::mem::take(slot);
            if done.ios == 0 {
                continue;
            }
            let longest = Stage::ALL.into_iter().rev().max_by_key(|&l| done.queued[l as usize]);
            self.points.push(SeriesPoint {
                at: end.since(Instant::START),
                volume: (n / 3) as u16,
                direction: Direction::ALL[n % 3],
                ios: done.ios,
                bytes: done.bytes,
                latency_sum: done.latency_sum,
                latency_max: done.latency_max,
                cache_hits: done.hits,
                binding: longest.filter(|&l| done.queued[l as usize] > 0),
                binding_wait: longest.map_or(0, |l| done.queued[l as usize]),
                on_demand_transactions: 0,
            });
        }
    }
    /// The whole series of a run that ended at `now`; with the transactions of on-demand bursting by volume and second.
    pub(crate) fn finish(mut self, now: Instant, on_demand: Vec<(u16, u64, u64)>) -> Vec<SeriesPoint> {
        self.write(self.end.min(now));
        for (volume, second, transactions) in on_demand {
            let ended = Duration::from_secs(second + 1).min(now.since(Instant::START));
            let from = self.points.partition_point(|point| point.at < ended);
            // What was billed shows up where its requests were done; those of the last second end with the run.
            let later = self.points[from..].iter().position(|point| point.volume == volume).map(|place| from + place);
            let place = later.or_else(|| self.points.iter().rposition(|point| point.volume == volume));
            if let Some(place) = place {
                self.points[place].on_demand_transactions += transactions;
            }
        }
        self.points
    }
}
