//! Service time: how long the medium takes once a request is admitted.
//!
//! A distribution is a table of quantiles: 512 cells below the median, then 32 cells for every halving of the tail
//! probability down to 2⁻²⁸, linear within a cell. A table costs the same for any shape, and measured disks are not
//! lognormal: a tight body with a rarer slow mode.
//!
//! Chapter: `docs/model/latency.md`. Draws come from counter-based streams, so a run repeats.
//!
//! Ignores: correlation between successive draws; load below the limit (published measurements are flat to 95 % of it).
//!
//! Invariant: edges never decrease.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hint::select_unpredictable;

use dw_units::{NS_PER_SECOND, Throughput};

use crate::log2::{exp2, log2};

/// A distribution of service times, and a stream bandwidth that adds to it by size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceTime {
    /// The distribution.
    pub table: Arc<QuantileTable>,
    /// Adds `len / bandwidth`; absent = size does not matter.
    pub bandwidth: Option<Throughput>,
}

impl ServiceTime {
    /// Always `ns`, whatever the size.
    pub fn constant(ns: u32) -> Self {
        ServiceTime { table: Arc::new(QuantileTable::constant(ns)), bandwidth: None }
    }

    /// The service time in nanoseconds for a uniform 64-bit `draw`.
    #[inline(always)]
    pub(crate) fn sample(&self, draw: u64, len: u32) -> u64 {
        let base = u64::from(self.table.at(draw));
        match self.bandwidth {
            None => base,
            Some(bandwidth) => base + u64::from(len) * NS_PER_SECOND / bandwidth.get(),
        }
    }
}

/// Cells below the median.
const BODY: usize = 512;
/// Cells per halving of the tail probability.
const PER_OCTAVE: usize = 32;
/// The last octave covers tail probabilities from 2⁻²⁷ to 2⁻²⁸; one cell more reaches the maximum.
const OCTAVES: usize = 27;
const EDGES: usize = BODY + OCTAVES * PER_OCTAVE + 2;
/// A power of two: a cell's number is then within bounds by its bits.
const PLACES: usize = 2_048;
const _: () = assert!(EDGES <= PLACES);

/// Denominator of the tail probabilities that [`QuantileTable::from_quantiles`] asks for.
pub const TAIL_ONE: u64 = 1 << 40;

/// A distribution of times as a table of quantiles, in nanoseconds up to 4.29 s.
#[derive(Clone, PartialEq, Eq)]
pub struct QuantileTable {
    /// `EDGES` of them, then the maximum again.
    edges: Box<[u32; PLACES]>,
}

impl fmt::Debug for QuantileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "QuantileTable(min {} ns, median {} ns, max {} ns)",
            self.edges[0],
            self.edges[BODY],
            self.edges[EDGES - 1]
        )
    }
}

impl QuantileTable {
    /// From a quantile function: `quantile(tail)` is the time in nanoseconds that is exceeded with probability
    /// `tail / TAIL_ONE`; it is asked from `TAIL_ONE` (the minimum) down to 0 (the maximum).
    pub fn from_quantiles(mut quantile: impl FnMut(u64) -> u64) -> Self {
        let mut edges = Box::new([0; PLACES]);
        let (mut floor, mut place) = (0, 0);
        let mut push = |tail: u64| {
            floor = u32::try_from(quantile(tail)).unwrap_or(u32::MAX).max(floor);
            edges[place] = floor;
            place += 1;
        };
        for cell in 0..BODY as u64 {
            push(TAIL_ONE - cell * (TAIL_ONE / 2 / BODY as u64));
        }
        for octave in 1..=OCTAVES as u64 {
            let top = TAIL_ONE >> octave;
            for cell in 0..PER_OCTAVE as u64 {
                push(top - cell * (top / 2 / PER_OCTAVE as u64));
            }
        }
        push(TAIL_ONE >> (OCTAVES + 1));
        push(0);
        edges[EDGES..].fill(floor);
        QuantileTable { edges }
    }

    /// From knots `(probability, ns)`: probability in parts per million (500_000 = the median), strictly increasing;
    /// times at least 1 ns and not decreasing; the last knot at 1_000_000 is the maximum.
    ///
    /// Between knots the logarithm of the time is linear in the logarithm of the smaller of the two probabilities
    /// (below, above), which makes each decade of the tail equally wide. Below the first knot the time is constant.
    pub fn from_knots(knots: &[(u32, u64)]) -> Result<Self, KnotError> {
        let fault = |index, reason| Err(KnotError { index, reason });
        let Some(&(last, _)) = knots.last() else {
            return fault(0, "there is no knot");
        };
        if last != 1_000_000 {
            return fault(knots.len() - 1, "the last knot must be the maximum, at probability 1,000,000 ppm");
        }
        for (index, &(p, ns)) in knots.iter().enumerate() {
            if p == 0 || p > 1_000_000 {
                return fault(index, "a probability must be above 0 and at most 1,000,000 ppm");
            }
            if ns == 0 || ns > u64::from(u32::MAX) {
                return fault(index, "a time must be above 0 and at most 4.29 s");
            }
            if index > 0 && knots[index - 1].0 >= p {
                return fault(index, "probabilities must increase");
            }
            if index > 0 && knots[index - 1].1 > ns {
                return fault(index, "times must not decrease");
            }
        }
        // A coordinate that grows with probability: log2(2p) below the median, -log2(2 tail) above; 0 at the median.
        let coordinate = |tail: u64| {
            let tail = tail.max(TAIL_ONE >> (OCTAVES + 1));
            let half = log2(TAIL_ONE / 2);
            if tail >= TAIL_ONE / 2 { log2((TAIL_ONE - tail).max(1)) - half } else { half - log2(tail) }
        };
        let points: Vec<(i64, i64)> = knots
            .iter()
            .map(|&(p, ns)| {
                (coordinate((u128::from(1_000_000 - p) * u128::from(TAIL_ONE) / 1_000_000) as u64), log2(ns))
            })
            .collect();
        Ok(QuantileTable::from_quantiles(|tail| {
            if tail == 0 {
                return knots[knots.len() - 1].1;
            }
            let x = coordinate(tail);
            let next = points.partition_point(|point| point.0 <= x);
            if next == 0 {
                return knots[0].1;
            }
            let Some(&(x1, y1)) = points.get(next) else {
                return knots[knots.len() - 1].1;
            };
            let (x0, y0) = points[next - 1];
            exp2(y0 + (i128::from(y1 - y0) * i128::from(x - x0) / i128::from(x1 - x0)) as i64)
        }))
    }

    /// Always `ns`.
    pub fn constant(ns: u32) -> Self {
        QuantileTable { edges: Box::new([ns; PLACES]) }
    }

    /// The time for a uniform 64-bit draw.
    #[inline(always)]
    pub fn at(&self, draw: u64) -> u32 {
        // The top bit says which half; below the median nine bits choose the cell, above it the leading zeros of the
        // rest choose the octave and five bits the cell. Both are computed and one selected, so no branch mispredicts.
        let rest = draw << 1;
        let octave = (rest.leading_zeros() as usize).min(OCTAVES);
        let after = rest.wrapping_shl(octave as u32 + 1);
        let beyond = octave == OCTAVES;
        let tail_cell = if beyond { OCTAVES * PER_OCTAVE } else { octave * PER_OCTAVE + (after >> 59) as usize };
        let upper = draw >> 63 == 1;
        let cell = select_unpredictable(upper, BODY + tail_cell, (draw >> 54) as usize);
        let within = select_unpredictable(upper, if beyond { after } else { after << 5 }, draw << 10);
        let low = u64::from(self.edges[cell % PLACES]);
        let width = u64::from(self.edges[(cell + 1) % PLACES]) - low;
        (low + ((width * (within >> 32)) >> 32)) as u32
    }

    /// The shortest time of all.
    pub(crate) fn least(&self) -> u32 {
        self.edges[0]
    }

    /// The mean, in nanoseconds.
    pub fn mean(&self) -> u64 {
        let cell = |index: usize| (u128::from(self.edges[index]) + u128::from(self.edges[index + 1])) / 2;
        let body: u128 = (0..BODY).map(|i| cell(i) * u128::from(TAIL_ONE / 2 / BODY as u64)).sum();
        let tail: u128 = (0..OCTAVES * PER_OCTAVE)
            .map(|i| cell(BODY + i) * u128::from((TAIL_ONE >> (i / PER_OCTAVE + 2)) / PER_OCTAVE as u64))
            .sum();
        let last = cell(EDGES - 2) * u128::from(TAIL_ONE >> (OCTAVES + 1));
        ((body + tail + last) / u128::from(TAIL_ONE)) as u64
    }

    /// The same shape with every time multiplied by `numerator / denominator`.
    pub fn scaled(&self, numerator: u32, denominator: u32) -> Self {
        let scale = |edge: &u32| {
            u32::try_from(u64::from(*edge) * u64::from(numerator) / u64::from(denominator)).unwrap_or(u32::MAX)
        };
        QuantileTable { edges: Box::new(self.edges.each_ref().map(scale)) }
    }
}

/// Why knots are not a distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnotError {
    /// The index of the offending knot.
    pub index: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for KnotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "knot {}: {}", self.index + 1, self.reason)
    }
}

impl core::error::Error for KnotError {}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::{QuantileTable, TAIL_ONE};
    use crate::random::Stream;

    const REMOTE_READ: &[(u32, u64)] = &[
        (10_000, 900_000),
        (100_000, 1_100_000),
        (500_000, 1_500_000),
        (900_000, 2_200_000),
        (950_000, 2_700_000),
        (990_000, 4_500_000),
        (999_000, 8_000_000),
        (999_900, 14_000_000),
        (1_000_000, 45_000_000),
    ];

    #[test]
    fn draws_follow_the_knots() {
        let table = QuantileTable::from_knots(REMOTE_READ).unwrap();
        let mut stream = Stream::new(3, 0);
        let mut draws: Vec<u32> = (0..2_000_000).map(|_| table.at(stream.draw())).collect();
        draws.sort_unstable();
        for &(ppm, ns) in &REMOTE_READ[..8] {
            let found = u64::from(draws[(draws.len() as u64 * u64::from(ppm) / 1_000_000) as usize - 1]);
            let tolerance = if ppm > 999_000 { 50 } else { 100 };
            assert!(found.abs_diff(ns) < ns / tolerance * 2, "{ppm} ppm: {found} instead of {ns}");
        }
        let mean = draws.iter().map(|&d| u64::from(d)).sum::<u64>() / draws.len() as u64;
        assert!(mean.abs_diff(table.mean()) < table.mean() / 500, "{mean} {}", table.mean());
    }

    #[test]
    fn the_tail_probability_is_exact_at_every_decade() {
        // P(X > q) for a table of the exponential distribution: the survival function is e^-x.
        let table = QuantileTable::from_quantiles(|tail| {
            let tail = (tail as f64 / TAIL_ONE as f64).max(1e-12);
            (-tail.ln() * 1e6) as u64
        });
        let mut stream = Stream::new(5, 0);
        let n = 8_000_000u64;
        let mut above = [0u64; 5];
        for _ in 0..n {
            let x = f64::from(table.at(stream.draw())) / 1e6;
            for (decade, count) in above.iter_mut().enumerate() {
                *count += u64::from(x > (decade as f64 + 1.0) * std::f64::consts::LN_10);
            }
        }
        for (decade, count) in above.iter().enumerate() {
            let expected = n as f64 / 10f64.powi(decade as i32 + 1);
            let sigma = expected.sqrt();
            assert!((*count as f64 - expected).abs() < 4.0 * sigma + 1e-4 * expected, "1e-{}: {count}", decade + 1);
        }
    }

    #[test]
    fn wrong_knots_are_named() {
        type Knots = &'static [(u32, u64)];
        let cases: &[(Knots, usize, &str)] = &[
            (&[], 0, "there is no knot"),
            (&[(500_000, 1)], 0, "the last knot must be the maximum, at probability 1,000,000 ppm"),
            (&[(0, 1), (1_000_000, 2)], 0, "a probability must be above 0 and at most 1,000,000 ppm"),
            (&[(500_000, 0), (1_000_000, 2)], 0, "a time must be above 0 and at most 4.29 s"),
            (&[(500_000, 1), (400_000, 1), (1_000_000, 2)], 1, "probabilities must increase"),
            (&[(500_000, 5), (1_000_000, 2)], 1, "times must not decrease"),
        ];
        for (knots, index, reason) in cases {
            let error = QuantileTable::from_knots(knots).unwrap_err();
            assert_eq!((error.index, error.reason), (*index, *reason));
        }
    }

    #[test]
    fn a_constant_is_constant() {
        let table = QuantileTable::constant(77);
        for draw in [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1] {
            assert_eq!(table.at(draw), 77);
        }
        assert_eq!(table.mean(), 77);
    }
}
