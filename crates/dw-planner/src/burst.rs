//! Burst credits over a demand series: which stamps they do not carry.
//!
//! A bucket holds credits; a stamp below the base earns the difference, one above spends it, none may exceed the burst rate.
//! The series runs twice, the second time with what the first left: a plan that lives on the credits it was deployed with
//! fails the second time, so credits are never trusted for sustained load.
//!
//! Source: `docs/model/token-bucket.md`; sizes of the buckets are the catalogue's.
//!
//! Ignores: what happens within a stamp; a VM that bursts and its disks that burst have buckets of their own.
//!
//! Invariant: a bucket is never above its size; a stamp that fails leaves it empty.

use crate::problem::{Rate, share};

/// Stamps that fail, sorted; nothing when there are more than `allowed`.
pub(crate) fn failing(rate: Rate, utilisation: u32, series: &[u64], ns: u64, allowed: usize) -> Option<Vec<u32>> {
    let base = share(rate.base, utilisation);
    let (top, credits) = rate.burst.map_or((base, 0), |(top, credits)| (share(top, utilisation).max(base), credits));
    // Credits are counted in token-nanoseconds: nothing is rounded.
    let size = u128::from(credits) * 1_000_000_000;
    let mut level = size;
    let mut failing = Vec::new();
    for _ in 0..2 {
        let mut failed = 0;
        for (stamp, &load) in (0u32..).zip(series) {
            if load <= base {
                level = (level + u128::from(base - load) * u128::from(ns)).min(size);
                continue;
            }
            let spent = u128::from(load - base) * u128::from(ns);
            if load <= top && spent <= level {
                level -= spent;
                continue;
            }
            level = level.saturating_sub(u128::from(load.min(top) - base) * u128::from(ns));
            failing.push(stamp);
            failed += 1;
            if failed > allowed {
                return None;
            }
        }
    }
    failing.sort_unstable();
    failing.dedup();
    Some(failing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A P20-like disk: base 2,300, burst 3,500 for 30 minutes; minutes as stamps.
    fn check(minutes: &[(usize, u64)], expected: usize) {
        let series: Vec<u64> = minutes.iter().flat_map(|&(count, load)| vec![load; count]).collect();
        let rate = Rate { base: 2_300, burst: Some((3_500, 1_200 * 1_800)) };
        let failing = failing(rate, 1_000_000, &series, 60_000_000_000, usize::MAX).unwrap();
        assert_eq!(failing.len(), expected, "{minutes:?}");
    }

    #[test]
    fn credits_carry_what_they_can_earn_back() {
        check(&[(30, 3_500), (30, 1_100)], 0);
        check(&[(30, 3_500), (30, 1_101)], 1);
        check(&[(31, 3_500), (60, 0)], 1);
        check(&[(1, 3_501), (60, 0)], 1);
    }

    #[test]
    fn sustained_load_is_not_carried_by_the_first_bucket() {
        // The first half hour lives on the credits of the deployment; the second time they are gone.
        check(&[(30, 3_500), (30, 2_300)], 30);
        check(&[(10, 2_301)], 0);
        check(&[(1_000, 2_300)], 0);
    }
}
