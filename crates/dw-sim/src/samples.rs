//! A clone's bytes and I/Os by half seconds, as fio samples them for its `bw_*` and `iops_*` figures.
//!
//! Intervals without I/O of a direction give no sample, and the last, unfinished one gives none either.

use crate::SampleStats;
use dw_units::{Duration, Instant};

const INTERVAL: Duration = Duration::from_ms(500);

/// The samples of one clone, by direction.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    end: Instant,
    /// The clone's counts when the interval began.
    bytes: [u64; 3],
    ios: [u64; 3],
    pub(crate) bandwidth: [SampleStats; 3],
    pub(crate) iops: [SampleStats; 3],
}

impl Samples {
    /// Intervals count from `epoch`.
    pub(crate) fn new(epoch: Instant) -> Self {
        Samples {
            end: epoch + INTERVAL,
            bytes: [0; 3],
            ios: [0; 3],
            bandwidth: Default::default(),
            iops: Default::default(),
        }
    }
    /// Whether an interval is over; what ends with it still belongs to it.
    #[inline]
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        now > self.end
    }
    /// Closes the intervals that are over at `now`, when the clone has done this much.
    #[cold]
    pub(crate) fn roll(&mut self, now: Instant, bytes: [u64; 3], ios: [u64; 3]) {
        if now < self.end {
            return;
        }
        let per_second = 1e9 / INTERVAL.ns() as f64;
        for d in 0..3 {
            if ios[d] > self.ios[d] {
                sample(&mut self.bandwidth[d], (bytes[d] - self.bytes[d]) as f64 * per_second);
                sample(&mut self.iops[d], (ios[d] - self.ios[d]) as f64 * per_second);
            }
        }
        (self.bytes, self.ios) = (bytes, ios);
        let passed = now.since(self.end).ns() / INTERVAL.ns();
        self.end = Instant::from_ns(self.end.ns() + (passed + 1) * INTERVAL.ns());
    }
}

fn sample(stats: &mut SampleStats, value: f64) {
    stats.min = if stats.count == 0 { value } else { stats.min.min(value) };
    stats.max = stats.max.max(value);
    stats.count += 1;
    stats.sum += value;
    stats.sum_squares += value * value;
}

/// What was sampled since `before`.
pub(crate) fn since(now: &SampleStats, before: &SampleStats) -> SampleStats {
    SampleStats {
        count: now.count - before.count,
        sum: now.sum - before.sum,
        sum_squares: now.sum_squares - before.sum_squares,
        ..*now
    }
}

/// Adds samples, `times` times.
pub(crate) fn add(to: &mut SampleStats, more: &SampleStats, times: f64) {
    if more.count == 0 {
        return;
    }
    let count = (more.count as f64 * times).round();
    let share = count / more.count as f64;
    to.count += count as u64;
    to.sum += more.sum * share;
    to.sum_squares += more.sum_squares * share;
}

/// The samples of a group as fio reports them: means and squared deviations added up over its members.
pub(crate) fn merge<'a>(members: impl Iterator<Item = &'a SampleStats>) -> SampleStats {
    let (mut merged, mut mean, mut deviations) = (SampleStats::default(), 0.0, 0.0);
    for member in members.filter(|m| m.count > 0) {
        merged.min = if merged.count == 0 { member.min } else { merged.min.min(member.min) };
        merged.max = merged.max.max(member.max);
        merged.count += member.count;
        mean += member.sum / member.count as f64;
        deviations += (member.sum_squares - member.sum * member.sum / member.count as f64).max(0.0);
    }
    merged.sum = mean * merged.count as f64;
    merged.sum_squares = deviations + mean * merged.sum;
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_without_io_give_no_sample() {
        let mut samples = Samples::new(Instant::START);
        let at = |ms: u64| Instant::from_ns(ms * 1_000_000);
        let mut ios = [0; 3];
        for ms in [10, 20, 510, 2_100] {
            if samples.is_over(at(ms)) {
                samples.roll(at(ms), ios.map(|n| n * 4_096), ios);
            }
            ios[0] += 1;
        }
        samples.roll(at(2_500), ios.map(|n| n * 4_096), ios);
        let iops = &samples.iops[0];
        assert_eq!((iops.count, iops.min, iops.max, iops.sum), (3, 2.0, 4.0, 8.0));
        assert_eq!(samples.iops[1].count, 0);
    }

    #[test]
    fn a_group_adds_means_and_deviations() {
        let one = SampleStats { count: 2, min: 1.0, max: 3.0, sum: 4.0, sum_squares: 10.0 };
        let two = SampleStats { count: 3, min: 5.0, max: 5.0, sum: 15.0, sum_squares: 75.0 };
        let both = merge([&one, &two].into_iter());
        assert_eq!((both.count, both.min, both.max), (5, 1.0, 5.0));
        assert_eq!(both.sum / both.count as f64, 7.0);
        assert!((both.sum_squares - both.sum * both.sum / 5.0 - 2.0).abs() < 1e-9);
    }
}
