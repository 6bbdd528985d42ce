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

    /// I/Os of so many requests that come to so many bytes, rounded up.
    pub(crate) fn ios(self, requests: u64, bytes: u64) -> u64 {
        if requests == 0 {
            return 0;
        }
        let scale = if self.disks > 1 { self.unit.max(1) } else { 1 };
        let sizes = about_mean(requests, bytes);
        let ios: u128 = sizes.iter().map(|&(size, count)| u128::from(count) * self.of(size)).sum();
        u64::try_from(ios.div_ceil(u128::from(scale))).unwrap_or(u64::MAX)
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
}
