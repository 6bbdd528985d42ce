//! When a rate lets the next request go: fio's time line.
//!
//! Time is in whole microseconds since the job began to count. Linear: a direction may issue again
//! `bytes issued × 10⁶ / rate` after the start, so a job that was held up catches up without limit. A rate in I/Os is
//! paced by bytes, `iops × smallest size`, as fio 3.33 does. Poisson: the time line advances by
//! `⌊10⁶ / iops⌋ × −ln u` microseconds a request, rounded down. Exponential: by `10⁶ / iops × −ln u`, nothing rounded. Even: by `10⁶ / iops`,
//! whatever the sizes.
//!
//! A mixed job whose direction is ahead of its rate turns to the other direction when that one is due, and else sleeps
//! until the nearer of both; so rates overrule the mix. A direction without a rate is always due.
//!
//! Credit: all directions share one line; the next request of `size` bytes is due at the first whole millisecond `t` with
//! `t × rate ≥ issued + size`. The line begins with the job, not with the counting: what the ramp was late is made up after
//! it.
//!
//! Counted: of `m` requests that are to come until the end, at times drawn alike from what is left of it, the next one comes after the
//! smallest of `m` draws: the times of all are those of a Poisson process of which it is known how many came.
//!
//! Source: fio 3.33 (`rate`, `rate_iops`, `rate_process`); DiskSpd 2.2 (`-g`); vdbench 5.04.07 (`iorate`).
//!
//! Ignores: the resolution of Windows' tick count, up to 16 ms.

use dw_workload::rng::Stream;
use dw_workload::{Direction, Job, Mix, Pacing, Rate};

/// The rates of one clone.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    bytes_per_second: [Option<u64>; 3],
    size_min: [u64; 3],
    /// Gaps are drawn: as fio does, or exactly.
    drawn: Option<Drawn>,
    /// The mean of such a gap in microseconds, by direction.
    gap_us: [f64; 3],
    /// Requests of a counted job, and when it ends, in microseconds.
    requests: u64,
    end_us: f64,
    /// Those of them that are to come.
    to_come: u64,
    /// One line for all directions, in whole milliseconds.
    credit: bool,
    /// Where the time line of a credit began, in microseconds before the counting.
    before_us: u64,
    /// Both directions of a mix have a share.
    mixed: bool,
    issued: [u64; 3],
    next_us: [u64; 3],
    line_us: [f64; 3],
    draws: [Stream; 3],
}

/// How a gap is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    /// In whole microseconds.
    Whole,
    Exact,
    /// Not at all: each is the mean.
    Mean,
    /// So that so many come until the end.
    Counted,
}

/// What a rate says about the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Issue in this direction.
    Go(Direction),
    /// Sleep this many microseconds, then issue in this direction.
    Sleep(u64, Direction),
}

impl Pace {
    /// The rates of a job; `None` when it has none.
    pub(crate) fn new(job: &Job, seed: u64) -> Option<Pace> {
        let rate = |d: Direction| {
            job.rate.get(d).map(|rate| match rate {
                Rate::BytesPerSecond(bytes) => bytes,
                Rate::Iops(iops) => iops.saturating_mul(job.sizes.get(d).min()),
            })
        };
        let bytes_per_second = Direction::ALL.map(|d| rate(d).filter(|&r| r > 0));
        let credit = job.pacing == Pacing::Credit;
        let mut pace = bytes_per_second.iter().any(Option::is_some).then(|| Pace {
            requests: if let Pacing::Counted(requests) = job.pacing { requests } else { 0 },
            end_us: job.stop.runtime.map_or(0.0, |runtime| (runtime.ns() / 1_000) as f64),
            to_come: 0,
            credit,
            before_us: 0,
            bytes_per_second,
            size_min: Direction::ALL.map(|d| job.sizes.get(d).min().max(1)),
            drawn: match job.pacing {
                Pacing::Poisson | Pacing::PoissonOffload => Some(Drawn::Whole),
                Pacing::Exponential => Some(Drawn::Exact),
                Pacing::Even => Some(Drawn::Mean),
                Pacing::Counted(_) => Some(Drawn::Counted),
                Pacing::Linear | Pacing::LinearOffload | Pacing::Credit => None,
            },
            gap_us: [0.0; 3],
            mixed: matches!(job.mix, Mix::ReadWrite { read_percent: 1..=99 }),
            issued: [0; 3],
            next_us: [0; 3],
            line_us: [0.0; 3],
            draws: [6, 7, 8].map(|n| Stream::new(seed, n)),
        });
        if let Some(pace) = &mut pace {
            pace.gap_us = std::array::from_fn(|d| pace.gap(d));
        }
        if let Some(pace) = pace.as_mut().filter(|pace| pace.credit) {
            pace.earn();
        }
        pace
    }
    /// The mean gap of a direction in microseconds.
    fn gap(&self, d: usize) -> f64 {
        let (Some(rate), size) = (self.bytes_per_second[d], self.size_min[d]) else { return 0.0 };
        match self.drawn {
            Some(Drawn::Whole) => (1_000_000 / (rate / size).max(1)) as f64,
            _ => 1e6 * size as f64 / rate as f64,
        }
    }
    /// When the next request of a credit is due.
    fn earn(&mut self) {
        // All directions have the same rate and size.
        let Some(rate) = self.bytes_per_second[0] else { return };
        let wanted = u128::from(self.issued.iter().sum::<u64>()) + u128::from(self.size_min[0]);
        let ms = (wanted * 1_000).div_ceil(u128::from(rate));
        let us = u64::try_from(ms * 1_000).unwrap_or(u64::MAX);
        self.next_us = [us.saturating_sub(self.before_us); 3];
    }
    /// The time line starts again, `elapsed_us` after it has begun; that of a credit goes on.
    pub(crate) fn reset(&mut self, elapsed_us: u64) {
        if self.credit {
            self.before_us += elapsed_us;
            return self.earn();
        }
        (self.issued, self.next_us, self.line_us) = ([0; 3], [0; 3], [0.0; 3]);
        if self.drawn == Some(Drawn::Counted) {
            self.to_come = self.requests;
            for d in 0..3 {
                self.count(d);
            }
        }
    }
    /// Requests of a counted job that are to come.
    pub(crate) fn to_come(&self) -> u64 {
        self.to_come
    }
    /// When the next of those comes that are to come; behind the last one, after the end.
    #[inline]
    fn count(&mut self, d: usize) {
        let left = self.end_us - self.line_us[d];
        self.line_us[d] += if self.to_come > 0 { left * self.draws[d].smallest_of(self.to_come) } else { left + 1.0 };
        self.next_us[d] = self.line_us[d] as i64 as u64;
    }
    /// Whether a direction may issue at `now_us`.
    #[inline]
    pub(crate) fn is_due(&self, direction: Direction, now_us: u64) -> bool {
        self.next_us[direction as usize] <= now_us
    }
    /// Which direction goes at `now_us`, if the mix drew `direction`.
    pub(crate) fn turn(&self, direction: Direction, now_us: u64) -> Turn {
        let d = direction as usize;
        if self.next_us[d] <= now_us {
            return Turn::Go(direction);
        }
        if self.mixed {
            let other = if direction == Direction::Read { Direction::Write } else { Direction::Read };
            let o = other as usize;
            if self.next_us[o] <= now_us {
                return Turn::Go(other);
            }
            if self.next_us[o] < self.next_us[d] {
                return Turn::Sleep(self.next_us[o] - now_us, other);
            }
        }
        Turn::Sleep(self.next_us[d] - now_us, direction)
    }
    /// By how much the direction that is least behind its rate is late at `now_us`; negative when it is ahead.
    pub(crate) fn late_us(&self, now_us: u64) -> i64 {
        // A direction in which nothing was issued may be none of the job's.
        let paced = (0..3).filter(|&d| self.bytes_per_second[d].is_some() && self.issued[d] > 0);
        paced.map(|d| now_us as i64 - self.next_us[d] as i64).min().unwrap_or(0)
    }
    /// Notes a request of `len` bytes.
    #[inline]
    pub(crate) fn issued(&mut self, direction: Direction, len: u64) {
        let d = direction as usize;
        self.issued[d] += len;
        if self.credit {
            return self.earn();
        }
        let Some(rate) = self.bytes_per_second[d] else { return };
        self.next_us[d] = if let Some(drawn) = self.drawn {
            let gap = self.gap_us[d];
            if drawn == Drawn::Counted {
                self.to_come = self.to_come.saturating_sub(1);
                return self.count(d);
            }
            self.line_us[d] += match drawn {
                // Below 2⁵³, so that a cast rounds down exactly.
                Drawn::Whole => (gap * self.draws[d].exponential()) as i64 as f64,
                Drawn::Exact => gap * self.draws[d].exponential(),
                Drawn::Mean | Drawn::Counted => gap,
            };
            self.line_us[d] as i64 as u64
        } else {
            match self.issued[d].checked_mul(1_000_000) {
                Some(product) => product / rate,
                None => (u128::from(self.issued[d]) * 1_000_000 / u128::from(rate)) as u64,
            }
        };
    }
    /// A pause of `slept_us` that the time line is to ignore (`rate_ignore_thinktime`).
    pub(crate) fn forgive(&mut self, direction: Direction, slept_us: u64) {
        let d = direction as usize;
        let Some(rate) = self.bytes_per_second[d] else { return };
        let missed = (u128::from(rate) * u128::from(slept_us) / 1_000_000) as u64;
        // One request less than was missed, so that the next one is due at once.
        self.issued[d] += missed.saturating_sub(self.size_min[d]);
        self.line_us[d] += slept_us as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_units::Duration;
    use dw_workload::{FileExtent, PerDirection, SizeDistribution};

    fn job(read: Option<u64>, write: Option<u64>) -> Job {
        let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len: 1 << 30 };
        let mut job = Job::random_read("t", file, 8_192, 1, Duration::from_secs(1));
        job.mix = Mix::ReadWrite { read_percent: 70 };
        job.rate = PerDirection { read: read.map(Rate::Iops), write: write.map(Rate::Iops), trim: None };
        job
    }

    #[test]
    fn linear_gaps_are_exact_and_catch_up() {
        let mut pace = Pace::new(&job(Some(400), None), 1).unwrap();
        for n in 1..=1_000 {
            pace.issued(Direction::Read, 8_192);
            assert_eq!(pace.next_us[0], n * 2_500);
        }
        assert_eq!(pace.turn(Direction::Read, 9_000_000), Turn::Go(Direction::Read));
    }

    #[test]
    fn a_direction_that_is_due_goes_first() {
        let mut pace = Pace::new(&job(Some(100), Some(1_000)), 1).unwrap();
        pace.issued(Direction::Read, 8_192);
        assert_eq!(pace.turn(Direction::Read, 0), Turn::Go(Direction::Write));
        pace.issued(Direction::Write, 8_192);
        assert_eq!(pace.turn(Direction::Read, 400), Turn::Sleep(600, Direction::Write));
        let mut pace = Pace::new(&job(Some(100), None), 1).unwrap();
        pace.issued(Direction::Read, 8_192);
        pace.issued(Direction::Write, 8_192);
        assert_eq!(pace.turn(Direction::Read, 1), Turn::Go(Direction::Write));
    }

    #[test]
    fn exact_gaps_keep_a_rate_that_whole_microseconds_miss() {
        let mut j = job(Some(77_000), None);
        let mut after = |pacing| {
            j.pacing = pacing;
            let mut pace = Pace::new(&j, 1).unwrap();
            for _ in 0..770_000 {
                pace.issued(Direction::Read, 8_192);
            }
            pace.next_us[0] as f64 / 1e6
        };
        let (exact, fios) = (after(Pacing::Exponential), after(Pacing::PoissonOffload));
        // Ten seconds; five standard deviations of a sum of 770,000 gaps are 0.57 %.
        assert!((exact - 10.0).abs() < 0.057, "{exact}");
        assert!((after(Pacing::Even) - 10.0).abs() < 1e-4);
        // fio's gaps of 12 us instead of 12.99, each rounded down.
        assert!(fios < 9.0, "{fios}");
    }

    #[test]
    fn as_many_come_as_are_counted_and_each_at_any_time() {
        let mut j = job(Some(100), None);
        for requests in [1, 7, 1_000, 200_000] {
            j.pacing = Pacing::Counted(requests);
            let mut pace = Pace::new(&j, 5).unwrap();
            pace.reset(0);
            let (mut times, mut before) = (Vec::new(), 0);
            while pace.next_us[0] <= 1_000_000 {
                assert!(pace.next_us[0] >= before);
                before = pace.next_us[0];
                times.push(before as f64 / 1e6);
                pace.issued(Direction::Read, 8_192);
            }
            assert_eq!(times.len() as u64, requests);
            // Four deviations of the mean of as many uniform draws.
            let mean = times.iter().sum::<f64>() / requests as f64;
            assert!((mean - 0.5).abs() <= 4.0 / (12.0 * requests as f64).sqrt(), "{requests}: {mean}");
            let first = times.iter().filter(|time| **time < 0.1).count() as f64;
            assert!((first - requests as f64 * 0.1).abs() <= 1.0 + 4.0 * (requests as f64 * 0.09).sqrt(), "{first}");
        }
    }

    #[test]
    fn a_credit_is_earned_before_it_is_spent_and_outlives_the_ramp() {
        let mut j = job(Some(125), Some(125));
        // 1,024 bytes a millisecond: 8 KiB every 8 ms, whatever the direction.
        j.rate = PerDirection::all(Some(Rate::BytesPerSecond(1_024_000)));
        j.pacing = Pacing::Credit;
        let mut pace = Pace::new(&j, 1).unwrap();
        assert_eq!(pace.turn(Direction::Read, 0), Turn::Sleep(8_000, Direction::Read));
        pace.issued(Direction::Read, 8_192);
        assert_eq!(pace.turn(Direction::Write, 8_000), Turn::Sleep(8_000, Direction::Write));
        pace.reset(10_000);
        assert_eq!(pace.turn(Direction::Write, 0), Turn::Sleep(6_000, Direction::Write));
        // Late by far: requests go until the time has been made up.
        for _ in 0..10 {
            assert_eq!(pace.turn(Direction::Read, 80_000), Turn::Go(Direction::Read));
            pace.issued(Direction::Read, 8_192);
        }
        assert_ne!(pace.turn(Direction::Read, 80_000), Turn::Go(Direction::Read));
    }

    #[test]
    fn sizes_and_poisson_pace_as_fio_does() {
        // 8 KiB with 90 %, 32 KiB with 10 %: 500 × 8 KiB a second are 384.6 requests; fio measured 377.
        let mut j = job(Some(500), None);
        j.sizes = PerDirection::all(SizeDistribution::Split(vec![(8_192, 90), (32_768, 10)]));
        let mut pace = Pace::new(&j, 1).unwrap();
        for n in 0..1_000 {
            pace.issued(Direction::Read, if n % 10 == 0 { 32_768 } else { 8_192 });
        }
        assert_eq!(pace.next_us[0], 2_600_000);
        // 300,000 a second are 3 µs instead of 3.33: fio measured 395,000 (it also cuts each gap to whole µs).
        for (iops, expected) in [(1_000u64, 1_000.0), (70_000, 73_800.0), (300_000, 395_000.0)] {
            let mut j = job(Some(iops), None);
            j.pacing = Pacing::Poisson;
            let mut pace = Pace::new(&j, 1).unwrap();
            for _ in 0..200_000 {
                pace.issued(Direction::Read, 8_192);
            }
            let got = 2e5 / (pace.next_us[0] as f64 / 1e6);
            assert!((got / expected - 1.0).abs() < 0.02, "{iops}: {got:.0} instead of {expected}");
        }
    }
}
