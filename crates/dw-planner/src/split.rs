//! How many I/Os the disks of a volume get of its requests.
//!
//! A stripe splits a request where it crosses from one unit into the next, and what it has on one disk travels as one I/O. Requests of
//! `s` bytes begin at every multiple of `g = gcd(s, unit)` alike, be they sequential or at random and aligned to their size. With
//! `s = q × unit + r`, `0 < r ≤ unit`, such a request touches `q + 1` units, and one more with probability `(r − g) / unit`:
//!
//! ```text
//! I/Os of a request = E[min(disks, units)]        at least s / io_unit, where a disk counts large I/Os as several
//! ```
//!
//! 60 KiB on units of 64 KiB are 1.875 I/Os, 8 KiB are one. A mean between two sizes is requests of both, in whole 4 KiB, as the jobs
//! that verify a plan send them.
//!
//! Source: `docs/model/striping.md`; the tests of this crate deal requests out one offset at a time.
//!
//! Ignores: the mix of sizes behind a mean; what straddling adds to the I/Os that the VM's limits count.

use dw_workload::sizes::{SECTOR, about_mean};

/// What splits requests, and how disks count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Split {
    /// Disks of the stripe.
    pub(crate) disks: u64,
    /// Bytes on one of them before the next.
    pub(crate) unit: u64,
    /// A disk counts a larger I/O as several of this size; absent = once.
    pub(crate) io_unit: Option<u64>,
}

impl Split {
    /// A stripe of so many disks that each request finds another.
    pub(crate) const fn wide(unit: u64) -> Split {
        Split { disks: u64::MAX, unit, io_unit: None }
    }

    /// The same for requests of at most `size` bytes on average: those on more disks than they can touch are split alike.
    pub(crate) fn for_sizes(self, size: u64) -> Split {
        match self.disks {
            0 | 1 => Split { disks: 1, unit: 0, ..self },
            disks => Split { disks: disks.min((size + 2 * SECTOR) / self.unit.max(1) + 3), ..self },
        }
    }

    /// Whether every request is one I/O.
    pub(crate) fn is_none(self) -> bool {
        self.disks < 2 && self.io_unit.is_none()
    }

    /// I/Os of so many requests that come to so many bytes, rounded up.
    pub(crate) fn ios(self, requests: u64, bytes: u64) -> u64 {
        self.counter().ios(requests, bytes)
    }

    /// For many stamps, whose sizes are few.
    pub(crate) fn counter(self) -> Counter {
        Counter { split: self, scale: if self.disks > 1 { self.unit.max(1) } else { 1 }, small: 0, of: [0; 2] }
    }

    /// What the I/Os of no requests exceed that are no more and come to no more bytes.
    ///
    /// In whole sectors a request of `s` bytes is at most `1 + (s − g) / m` I/Os, `m` the smaller of both units and `g` what these have in
    /// common with a sector; and at most one on each disk, to which large ones add what the disk counts.
    pub(crate) fn bound(self) -> impl Fn(u64, u64) -> u64 {
        let unit = if self.disks > 1 { self.unit.max(1) } else { u64::MAX };
        let own = self.io_unit.map_or(u64::MAX, |own| own.max(1));
        let common = [unit, own].into_iter().filter(|unit| *unit < u64::MAX).map(|unit| gcd(SECTOR, unit)).min();
        let (least, common) = (unit.min(own), common.unwrap_or(SECTOR));
        // What follows the first I/O of each request; multiplied by the inverse, rounded up, where a division takes long.
        let more = move |beyond: u64, unit: u64, inverse: u64| match unit {
            u64::MAX => 0,
            1 => beyond,
            _ => ((u128::from(beyond) * u128::from(inverse)) >> 64) as u64 + 1,
        };
        let inverse = |unit: u64| (u64::MAX / unit).saturating_add(1);
        let inverses = (inverse(least), inverse(own));
        move |requests, bytes| {
            let all = bytes.checked_next_multiple_of(SECTOR).zip(requests.checked_mul(SECTOR));
            let Some(beyond) = all.map(|(bytes, fewest)| bytes.max(fewest) - requests * common) else {
                return u64::MAX;
            };
            let split = requests.saturating_add(more(beyond, least, inverses.0));
            let on_each = requests.saturating_mul(self.disks.max(1)).saturating_add(more(beyond, own, inverses.1));
            split.min(on_each)
        }
    }

    /// I/Os of a request of `size` bytes, times the unit where there are several disks.
    fn of(self, size: u64) -> u128 {
        let counted = self.io_unit.map_or(1, |own| size.div_ceil(own.max(1)).max(1));
        if self.disks < 2 {
            return u128::from(counted);
        }
        let unit = self.unit.max(1);
        let whole = (size - 1) / unit;
        let crossing = size - whole * unit - gcd(size, unit);
        let [fewer, more] = [whole + 1, whole + 2].map(|units| u128::from(units.min(self.disks)));
        let split = fewer * u128::from(unit - crossing) + more * u128::from(crossing);
        split.max(u128::from(counted) * u128::from(unit))
    }
}

/// Counts I/Os of one split.
pub(crate) struct Counter {
    split: Split,
    scale: u64,
    /// The smaller of two sizes, and what requests of both come to.
    small: u64,
    of: [u128; 2],
}

impl Counter {
    /// As [`Split::ios`].
    pub(crate) fn ios(&mut self, requests: u64, bytes: u64) -> u64 {
        if requests == 0 {
            return 0;
        }
        let [(small, fewer), (large, more)] = about_mean(requests, bytes);
        if small != self.small {
            (self.small, self.of) = (small, [self.split.of(small), self.split.of(large)]);
        }
        let ios = u128::from(fewer) * self.of[0] + u128::from(more) * self.of[1];
        // A division of 64 bits is several times as fast.
        match u64::try_from(ios) {
            Ok(ios) => ios.div_ceil(self.scale),
            Err(_) => u64::try_from(ios.div_ceil(u128::from(self.scale))).unwrap_or(u64::MAX),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: u64 = 1_024;

    #[test]
    fn a_request_is_as_many_ios_as_the_simulator_makes_of_it() {
        // Disks, unit, size; I/Os of 1,000 requests: simulated with fio's `rw=write` and `rw=randwrite` on four P30.
        let cases = [
            (4, 64, 60, 1_875),
            (4, 64, 12, 1_125),
            (4, 64, 20, 1_250),
            (4, 256, 60, 1_219),
            (4, 256, 20, 1_063),
            (4, 64, 8, 1_000),
            (4, 64, 64, 1_000),
            (4, 64, 1_024, 4_000),
            (1, 64, 60, 1_000),
            (2, 64, 128, 2_000),
        ];
        for (disks, unit, size, expected) in cases {
            let split = Split { disks, unit: unit * K, io_unit: None };
            assert_eq!(split.ios(1_000, 1_000 * size * K), expected, "{disks} disks, {unit} KiB, {size} KiB");
        }
    }

    /// The twin begins a request at every offset where one may begin.
    fn slowly(split: Split, size: u64) -> f64 {
        let step = gcd(size, split.unit);
        let units = |at: u64| ((at + size - 1) / split.unit - at / split.unit + 1).min(split.disks);
        let offsets = (0..split.unit).step_by(step as usize);
        offsets.clone().map(units).sum::<u64>() as f64 / offsets.count() as f64
    }

    #[test]
    fn the_formula_is_the_mean_over_all_offsets() {
        for disks in [2, 3, 8] {
            for unit in [4, 16, 64] {
                let split = Split { disks, unit: unit * K, io_unit: None };
                for size in (SECTOR..400 * K).step_by(SECTOR as usize) {
                    let exact = slowly(split, size) * 1_000.0;
                    let found = split.ios(1_000, 1_000 * size) as f64;
                    assert!((found - exact.ceil()).abs() < 1.0, "{split:?} {size}: {found}, {exact}");
                    assert_eq!(split.for_sizes(size).ios(1_000, 1_000 * size) as f64, found, "{split:?} {size}");
                }
            }
        }
    }

    #[test]
    fn a_mean_between_two_sizes_is_requests_of_both() {
        let split = Split { disks: 4, unit: 64 * K, io_unit: Some(256 * K) };
        // Half of 8 KiB, half of 12 KiB, of which one in eight straddles.
        assert_eq!(split.ios(1_000, 1_000 * 10 * K), 1_063);
        // 1 MiB on one disk is four of its units.
        assert_eq!(Split { disks: 1, ..split }.ios(1_000, 1_000 * K * K), 4_000);
        assert_eq!(split.ios(0, 0), 0);
    }

    #[test]
    fn no_stamp_exceeds_the_bound_of_larger_ones() {
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..20_000 {
            let io_unit = [None, Some(1 + draw(300 * K)), Some(256 * K)][draw(3) as usize];
            let unit = [1 + draw(300 * K), 64 * K, 4 * K][draw(3) as usize];
            let split = Split { disks: 1 + draw(6), unit, io_unit };
            let (requests, size) = (1 + draw(5_000), 1 + draw(1_000 * K));
            let bytes = requests * size;
            let bound = split.bound()(requests, bytes);
            let mut counter = split.counter();
            for (fewer, less) in [(0, 0), (draw(requests), 0), (0, draw(bytes)), (draw(requests), draw(bytes))] {
                let ios = counter.ios(requests - fewer, bytes - less);
                assert!(ios <= bound, "{split:?} {requests} {bytes}: {ios}, {bound}");
                assert_eq!(ios, split.ios(requests - fewer, bytes - less), "{split:?}");
            }
        }
        // More than can be counted is more than any bound.
        assert_eq!(Split { disks: 2, unit: 64 * K, io_unit: None }.bound()(u64::MAX / 8, 1), u64::MAX);
    }
}
