//! When a load is steady, and its jobs end for that: fio's `steadystate`.
//!
//! Once a second the rate of a job, or of all jobs of a reporting group together, goes into a window of so many seconds. When
//! the window is full: the largest deviation from its mean, or the slope of its regression line, is compared with the limit.
//!
//! Source: fio 3.33 (`steadystate.c`), whose whole-number arithmetic is kept.
//!
//! Ignores: fio's looks come a tenth of a second before a full second of the job; here they come at full seconds.

use std::collections::VecDeque;

use dw_units::{Duration, Instant};
use dw_workload::Steady;

use crate::clone::CloneRun;
use crate::result::SteadyState;

/// Time between two looks.
pub(crate) const LOOK_EVERY: Duration = Duration::from_ms(1_000);

/// Jobs that end together when their rate is steady.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    policy: Steady,
    /// The entry of the report.
    pub(crate) entry: usize,
    members: Vec<Member>,
    iops: VecDeque<u64>,
    bytes_per_s: VecDeque<u64>,
    criterion: f64,
    pub(crate) attained: bool,
}

#[derive(Clone, Debug)]
struct Member {
    clone: usize,
    ios: u64,
    bytes: u64,
    since: Option<Instant>,
}

impl Watch {
    pub(crate) fn new(policy: Steady, entry: usize, clones: impl Iterator<Item = usize>) -> Watch {
        let member = |clone| Member { clone, ios: 0, bytes: 0, since: None };
        Watch {
            policy,
            entry,
            members: clones.map(member).collect(),
            iops: VecDeque::new(),
            bytes_per_s: VecDeque::new(),
            criterion: 0.0,
            attained: false,
        }
    }

    /// The clones that end when the rate is steady.
    pub(crate) fn clones(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|member| member.clone)
    }

    /// Looks at the rates of the last interval; true when they have become steady.
    pub(crate) fn look(&mut self, clones: &[CloneRun], now: Instant) -> bool {
        if self.attained {
            return false;
        }
        let (mut iops, mut bytes_per_s, mut looked) = (0u64, 0u64, false);
        for member in &mut self.members {
            let clone = &clones[member.clone];
            if !clone.is_counting_now() {
                continue;
            }
            let began = clone.epoch;
            let (ios, bytes) = (clone.done_ios.iter().sum::<u64>(), clone.done_bytes.iter().sum::<u64>());
            let since = member.since.filter(|&since| since >= began);
            let (old_ios, old_bytes) = if since.is_some() { (member.ios, member.bytes) } else { (0, 0) };
            let ms = now.since(since.unwrap_or(began)).ns() / 1_000_000;
            (member.ios, member.bytes, member.since) = (ios, bytes, Some(now));
            let ramp_is_over = self.policy.ramp == Duration::ZERO || now.since(began) > self.policy.ramp + LOOK_EVERY;
            if ms > 0 && ramp_is_over {
                iops += 1_000 * (ios - old_ios) / ms;
                bytes_per_s += 1_000 * (bytes - old_bytes) / ms;
                looked = true;
            }
        }
        if !looked {
            return false;
        }
        let seconds = self.policy.duration_s.max(1) as usize;
        for (list, value) in [(&mut self.iops, iops), (&mut self.bytes_per_s, bytes_per_s)] {
            list.push_back(value);
            if list.len() > seconds {
                list.pop_front();
            }
        }
        if self.iops.len() < seconds {
            return false;
        }
        let values = if self.policy.bytes { &self.bytes_per_s } else { &self.iops };
        self.criterion = criterion(&self.policy, values);
        self.attained = self.criterion.abs() < self.policy.limit;
        self.attained
    }

    /// What is reported of it.
    pub(crate) fn result(&self) -> SteadyState {
        SteadyState {
            policy: self.policy,
            attained: self.attained,
            criterion: self.criterion,
            iops: self.iops.iter().copied().collect(),
            bytes_per_s: self.bytes_per_s.iter().copied().collect(),
        }
    }
}

/// The deviation or slope of a full window, in the unit of its limit.
fn criterion(policy: &Steady, values: &VecDeque<u64>) -> f64 {
    let n = values.len() as f64;
    let sum: u64 = values.iter().sum();
    if policy.slope {
        let weighted = (0..).zip(values).map(|(at, value)| at * value).sum::<u64>() as f64;
        let count = values.len() as u64;
        let x = (count * (count - 1) / 2) as f64;
        let squares = ((count - 1) * count * (2 * count - 1) / 6) as f64;
        let slope = (weighted - x * sum as f64 / n) / (squares - x * x / n);
        return if policy.percent { 100.0 * slope / (sum / count) as f64 } else { slope };
    }
    let mean = sum as f64 / n;
    let deviation = values.iter().map(|&value| (value as f64 - mean).abs()).fold(0.0, f64::max);
    if policy.percent { 100.0 * deviation / mean } else { deviation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(slope: bool, percent: bool, values: &[u64], expected: f64) {
        let ramp = Duration::ZERO;
        let policy = Steady { bytes: false, slope, limit: 1.0, percent, duration_s: values.len() as u32, ramp };
        let found = criterion(&policy, &values.iter().copied().collect());
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected} for {values:?}");
    }

    #[test]
    fn deviations_are_from_the_mean_and_slopes_are_a_second() {
        check(false, false, &[1_000, 1_000, 1_000], 0.0);
        check(false, false, &[900, 1_000, 1_100], 100.0);
        check(false, true, &[900, 1_000, 1_100], 10.0);
        check(true, false, &[900, 1_000, 1_100], 100.0);
        check(true, true, &[900, 1_000, 1_100], 10.0);
        check(true, false, &[1_100, 1_000, 900], -100.0);
        check(true, false, &[5, 5, 5, 5], 0.0);
        // Of a window of one second there is no slope, so it is never steady.
        let one = Steady { bytes: false, slope: true, limit: 1.0, percent: false, duration_s: 1, ramp: Duration::ZERO };
        assert!(criterion(&one, &VecDeque::from([7])).is_nan());
    }
}
