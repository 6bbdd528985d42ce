//! How hard each limit is pressed over time: what it gives in every stamp, where it is the narrowest, what piles up behind it.
//!
//! A limit that bursts gives its burst rate while credits last, and its base afterwards; credits are full at the start, as
//! after a deployment. Load that is not served in its stamp waits (Lindley, 1952): `q(t+1) = max(0, q(t) + (load − given) Δt)`,
//! and waits `q ÷ given` longer. So five seconds above a limit and two hours above it are told apart.
//!
//! Of all limits that a stamp exceeds, the one that gives the least of what is asked is the narrowest; of equal ones the
//! first on a request's path.
//!
//! Ignores: that a guest which waits asks less; what happens within a stamp.

use crate::check::{OverTime, over_time};
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::{ONE, Problem, Rate};

/// A limit over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    pub limit: Limit,
    /// What it gives, sustained.
    pub base: u64,
    /// What it gives while credits last.
    pub burst: Option<u64>,
    /// Its load at the 50th, 90th and 99th percentile, and at most.
    pub load: [u64; 4],
    /// The largest load that counts: over time, or the one figure where there is no series.
    pub most: u64,
    /// The largest share of what it gives in a stamp, credits included, that is asked then: in parts per million.
    pub used: u64,
    /// Stamps in which more is asked than it gives.
    pub exceeded: usize,
    /// Stamps in which it is the narrowest.
    pub narrowest: usize,
    /// What it would have to give so that no more stamps exceed it than may.
    pub needed: u64,
    /// The longest that requests wait for what piled up, in seconds; absent when nothing does.
    pub backlog_s: Option<f64>,
    pub credits: Option<Credits>,
}

/// Burst credits over the series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Credits {
    /// The stamp in which they first are used up.
    pub empty_at: Option<usize>,
    /// What is left at the end, in parts per million.
    pub left: u32,
    /// Seconds until they are used up if the load of the last stamp goes on; absent when it does not use any.
    pub lasts_s: Option<f64>,
    /// Seconds that full credits last at the highest load there is.
    pub full_lasts_s: Option<f64>,
}

/// The limits of a plan over time, with their bursts where those count.
pub(crate) fn limits_of(problem: &Problem, plan: &Plan) -> Vec<OverTime> {
    let mut limits = over_time(problem, plan);
    if !problem.bursting {
        limits.iter_mut().for_each(|limit| limit.1 = Rate::plain(limit.1.base));
    }
    limits
}

/// What a limit gives in every stamp, and its credits.
pub(super) fn given(rate: Rate, load: &[u64], seconds: f64) -> (Vec<u64>, Option<Credits>) {
    let Some((top, size)) = rate.burst.filter(|(top, _)| *top > rate.base) else {
        return (vec![rate.base; load.len()], None);
    };
    let (base, size) = (rate.base as f64, size as f64);
    let mut level = size;
    let mut empty_at = None;
    let mut all = Vec::with_capacity(load.len());
    for (stamp, &asked) in load.iter().enumerate() {
        let most = (base + level / seconds).min(top as f64);
        all.push(most as u64);
        let served = (asked as f64).min(most);
        level = (level + (base - served) * seconds).clamp(0.0, size);
        if asked as f64 > most && most < top as f64 && empty_at.is_none() {
            empty_at = Some(stamp);
        }
    }
    let lasts = |level: f64, load: Option<u64>| {
        let above = load.map_or(0.0, |load| load.min(top) as f64 - base);
        (above > 0.0).then(|| level / above)
    };
    let credits = Credits {
        empty_at,
        left: if size > 0.0 { (level / size * f64::from(ONE)) as u32 } else { 0 },
        lasts_s: lasts(level, load.last().copied()),
        full_lasts_s: lasts(size, load.iter().max().copied()),
    };
    (all, Some(credits))
}

/// What each of these limits gives in every stamp, and its credits.
pub(super) fn all_given(limits: &[OverTime], seconds: f64) -> Vec<(Vec<u64>, Option<Credits>)> {
    limits.iter().map(|(_, rate, load)| given(*rate, load, seconds)).collect()
}

/// The largest share of what one of these limits gives that is asked in a stamp.
pub(super) fn most_used(limits: &[OverTime], given: &[(Vec<u64>, Option<Credits>)], stamp: usize) -> u64 {
    limits.iter().zip(given).map(|((_, _, load), (given, _))| used(load[stamp], given[stamp])).max().unwrap_or(0)
}

/// All limits, in order of a request's path; the share of what is asked that the narrowest gives, stamp by stamp, in parts per million;
/// and the stamp in which least is left.
pub(crate) fn pressures(limits: &[OverTime], seconds: f64, allowed: usize) -> (Vec<Pressure>, Vec<u32>, usize) {
    let stamps = limits.iter().map(|(_, _, load)| load.len()).max().unwrap_or(0);
    let given = all_given(limits, seconds);
    let mut narrowest = vec![0; limits.len()];
    let mut shares = vec![ONE; stamps];
    for (stamp, share) in shares.iter_mut().enumerate() {
        let mut least: Option<usize> = None;
        for (place, ((_, _, load), (given, _))) in limits.iter().zip(&given).enumerate() {
            let part = part(given[stamp], load[stamp]);
            if part < *share {
                (*share, least) = (part, Some(place));
            }
        }
        if let Some(place) = least {
            narrowest[place] += 1;
        }
    }
    let fullest = (0..stamps).rev().max_by_key(|&stamp| most_used(limits, &given, stamp)).unwrap_or(0);
    let all = limits.iter().zip(given).zip(narrowest).map(|(((limit, rate, load), (given, credits)), narrowest)| {
        let mut sorted = load.clone();
        sorted.sort_unstable();
        let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1];
        Pressure {
            limit: *limit,
            base: rate.base,
            burst: rate.burst.map(|burst| burst.0),
            load: [at(50), at(90), at(99), at(100)],
            most: at(100),
            used: load.iter().zip(&given).map(|(load, given)| used(*load, *given)).max().unwrap_or(0),
            exceeded: load.iter().zip(&given).filter(|(load, given)| load > given).count(),
            narrowest,
            needed: sorted[sorted.len() - 1 - allowed.min(sorted.len() - 1)],
            backlog_s: backlog(load, &given, seconds),
            credits,
        }
    });
    (all.collect(), shares, fullest)
}

/// Share of what a limit gives that is asked, in parts per million.
fn used(load: u64, given: u64) -> u64 {
    (u128::from(load) * u128::from(ONE) / u128::from(given.max(1))) as u64
}

/// Share of the load that is given, in parts per million.
pub(crate) fn part(given: u64, load: u64) -> u32 {
    if load <= given { ONE } else { (u128::from(given) * u128::from(ONE) / u128::from(load)) as u32 }
}

/// The longest wait for what has piled up.
fn backlog(load: &[u64], given: &[u64], seconds: f64) -> Option<f64> {
    let (mut queue, mut longest) = (0.0f64, 0.0f64);
    for (&load, &given) in load.iter().zip(given) {
        queue = (queue + (load as f64 - given as f64) * seconds).max(0.0);
        longest = longest.max(queue / (given as f64).max(1.0));
    }
    (longest > 0.0).then_some(longest)
}

#[cfg(test)]
mod tests {
    use dw_documents::Quantity;

    use super::*;

    const VM: Limit = Limit::Gate(0, Quantity::Iops);

    fn pressed(rate: Rate, load: &[u64], seconds: f64) -> Pressure {
        pressures(&[(VM, rate, load.to_vec())], seconds, 0).0.remove(0)
    }

    #[test]
    fn a_short_overrun_and_a_long_one_are_told_apart_by_what_waits() {
        let short = pressed(Rate::plain(100), &[50, 200, 50, 50], 1.0);
        assert_eq!((short.exceeded, short.narrowest, short.needed), (1, 1, 200));
        assert_eq!(short.backlog_s, Some(1.0));
        let long = pressed(Rate::plain(100), &[50, 200, 200, 200], 3_600.0);
        assert_eq!(long.backlog_s, Some(3.0 * 3_600.0));
        assert_eq!(pressed(Rate::plain(100), &[100, 100], 1.0).backlog_s, None);
    }

    #[test]
    fn a_p20_bursts_for_half_an_hour_and_then_gives_its_base() {
        // 2,300 a second, 3,500 for 30 minutes; minutes as stamps.
        let rate = Rate { base: 2_300, burst: Some((3_500, 1_200 * 1_800)) };
        let flat_out = pressed(rate, &[3_500; 40], 60.0);
        let credits = flat_out.credits.unwrap();
        assert_eq!((credits.empty_at, flat_out.exceeded, credits.left), (Some(30), 10, 0));
        assert_eq!(credits.full_lasts_s, Some(1_800.0));
        let half_way = pressed(rate, &[3_500; 15], 60.0).credits.unwrap();
        assert_eq!((half_way.empty_at, half_way.lasts_s), (None, Some(900.0)));
        let idle = pressed(rate, &[1_000; 15], 60.0).credits.unwrap();
        assert_eq!((idle.lasts_s, idle.left), (None, ONE));
        // Above the burst rate it is the burst that binds, not the credits.
        assert_eq!(pressed(rate, &[4_000; 5], 60.0).credits.unwrap().empty_at, None);
    }

    #[test]
    fn the_narrowest_gives_the_least_and_of_equals_the_first_on_the_path_counts() {
        let limits =
            [(Limit::DiskIops(0), Rate::plain(50), vec![100, 100, 10]), (VM, Rate::plain(50), vec![100, 200, 10])];
        let (all, shares, _) = pressures(&limits, 1.0, 1);
        assert_eq!(all.iter().map(|p| p.narrowest).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(shares, [500_000, 250_000, ONE]);
        assert_eq!(all[1].needed, 100, "one stamp may exceed it");
    }
}
