//! Skewed offsets: fio's zipf, pareto and normal, as block numbers of a file.
//!
//! With `u` uniform in 0..1 and `n` blocks:
//! - zipf: rank 1 when `u ζ(n) < 1`, rank 2 when `u ζ(n) < 1 + 2^-θ`, else `1 + n (η u − η + 1)^(1/(1−θ))` with
//!   `η = (1 − (2/n)^(1−θ)) / (1 − ζ(2)/ζ(n))`; `ζ` is summed over at most ten million blocks;
//! - pareto: rank `(n − 1) u^(ln h / ln(1−h))`;
//! - normal: the mean of twelve uniform draws over the file, plus a uniform deviation as wide as the given percentage.
//!
//! The rank is then scattered: multiplied by a 64-bit golden ratio, shifted, and taken modulo the file, so that on
//! files that are no power of two some blocks are never hit.
//!
//! The power is not computed for every draw but interpolated in a table of 4,096 quantiles; the first and last 64
//! cells, where the curve may be steep, are computed. Against the formula the rank differs by less than 10⁻⁴ of itself.
//!
//! Source: fio 3.33's observed shares and its documentation; the formula for zipf is of Gray et al., "Quickly
//! generating billion-record synthetic databases" (1994).
//!
//! Ignores: fio's 32-bit draws, which leave blocks beyond 2³² unreachable.

use crate::rng::Stream;
use crate::{Distribution, join};
use std::sync::Arc;

const CELLS: usize = 4_096;
const EXACT_CELLS: usize = 64;
const SCATTER: u64 = 0x61C8_8646_80B5_83EB;
/// The zeta sum stops here, as fio's does.
const ZETA_TERMS_MAX: u64 = 10_000_000;

/// Ranks of a skewed distribution over `n` blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Skew {
    n: u64,
    /// ⌊(2⁶⁴ − 1) / n⌋, to take a remainder without a division.
    inverse: u64,
    shift: u64,
    curve: Curve,
}

#[derive(Clone, Debug, PartialEq)]
enum Curve {
    Zipf { power: Arc<Power>, first: f64, second: f64 },
    Pareto { power: Arc<Power> },
    Normal { width: u64 },
}

/// `scale × (slope u + start)^exponent`, tabulated.
#[derive(Clone, Debug, PartialEq)]
struct Power {
    scale: f64,
    slope: f64,
    start: f64,
    exponent: f64,
    table: Vec<f64>,
}

impl Power {
    fn new(scale: f64, slope: f64, start: f64, exponent: f64) -> Self {
        let mut power = Power { scale, slope, start, exponent, table: Vec::new() };
        power.table = (0..=CELLS).map(|i| power.exactly(i as f64 / CELLS as f64)).collect();
        power
    }
    fn exactly(&self, u: f64) -> f64 {
        self.scale * libm::pow((self.slope * u + self.start).max(0.0), self.exponent)
    }
    #[inline]
    fn at(&self, u: f64) -> f64 {
        let x = u * CELLS as f64;
        let cell = x as usize;
        if !(EXACT_CELLS..CELLS - EXACT_CELLS).contains(&cell) {
            return self.exactly(u);
        }
        let (low, high) = (self.table[cell], self.table[cell + 1]);
        low + (high - low) * (x - cell as f64)
    }
}

/// `1 + 2^-θ + … + n^-θ`: the first thousand terms summed, the rest by Euler and Maclaurin (error below 10⁻¹²).
fn zeta(n: u64, theta: f64) -> f64 {
    let head = n.min(1_000);
    let sum: f64 = (1..=head).map(|i| libm::pow(i as f64, -theta)).sum();
    if n == head {
        return sum;
    }
    let (a, b) = (head as f64, n as f64);
    let f = |x: f64| libm::pow(x, -theta);
    let integral = (libm::pow(b, 1.0 - theta) - libm::pow(a, 1.0 - theta)) / (1.0 - theta);
    sum + integral + (f(b) - f(a)) / 2.0 + theta / 12.0 * (f(a) / a - f(b) / b)
}

impl Skew {
    /// The ranks of `distribution` over `n` blocks, scattered by `seed`; `None` for a distribution that is not skewed
    /// by rank.
    pub fn new(distribution: &Distribution, n: u64, seed: u64) -> Option<Skew> {
        let blocks = n as f64;
        let (curve, center) = match *distribution {
            Distribution::Zipf { theta, center } => {
                let zeta_n = zeta(n.min(ZETA_TERMS_MAX), theta);
                let half = libm::pow(0.5, theta);
                let eta = (1.0 - libm::pow(2.0 / blocks, 1.0 - theta)) / (1.0 - (1.0 + half) / zeta_n);
                let power = Arc::new(Power::new(blocks, eta, 1.0 - eta, 1.0 / (1.0 - theta)));
                (Curve::Zipf { power, first: 1.0 / zeta_n, second: (1.0 + half) / zeta_n }, center)
            }
            Distribution::Pareto { h, center } => {
                let exponent = libm::log(h) / libm::log(1.0 - h);
                (Curve::Pareto { power: Arc::new(Power::new(blocks - 1.0, 1.0, 0.0, exponent)) }, center)
            }
            Distribution::Normal { percent, center } => {
                let width = (libm::ceil(blocks * percent / 100.0) as u64).min(n / 2);
                // Twelve draws centre on the middle of the file, so a centre is an offset from there.
                (Curve::Normal { width }, Some(center.map_or(0.0, |c| c - 0.5)))
            }
            _ => return None,
        };
        let shift = match center {
            Some(center) => (blocks * center) as i64 as u64,
            None => join(seed, n) >> 32,
        };
        Some(Skew { n, inverse: u64::MAX / n, shift, curve })
    }
    /// A rank: 0 is the hottest of zipf and pareto, the middle the hottest of normal.
    #[inline]
    pub fn rank(&self, rng: &mut Stream) -> u64 {
        match &self.curve {
            Curve::Zipf { power, first, second } => {
                let u = rng.unit();
                if u < *first {
                    0
                } else if u < *second {
                    1
                } else {
                    power.at(u) as u64
                }
            }
            Curve::Pareto { power } => power.at(rng.unit()) as u64,
            Curve::Normal { width } => normal(self.n, *width, rng),
        }
    }
    /// A block of the file: the rank, scattered.
    #[inline]
    pub fn block(&self, rng: &mut Stream) -> u64 {
        let rank = self.rank(rng);
        self.remainder(rank.wrapping_mul(SCATTER).wrapping_add(self.shift))
    }
    /// `x % n`: the quotient by the inverse is right or one too small.
    #[inline]
    fn remainder(&self, x: u64) -> u64 {
        let quotient = ((u128::from(x) * u128::from(self.inverse)) >> 64) as u64;
        let rest = x - quotient * self.n;
        if rest >= self.n { rest - self.n } else { rest }
    }
}

fn normal(n: u64, width: u64, rng: &mut Stream) -> u64 {
    let mean = (0..12).map(|_| rng.below(n + 1)).sum::<u64>().div_ceil(12);
    if width == 0 {
        return mean;
    }
    let mut deviation = rng.below(width) as i64 - (width / 2) as i64;
    while mean.checked_add_signed(deviation).is_none_or(|at| at >= n) && deviation != 0 {
        deviation /= 2;
    }
    mean.wrapping_add_signed(deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_agrees_with_the_plain_sum() {
        for theta in [0.2, 0.9, 0.99, 1.1, 2.5] {
            for n in [1, 2, 999, 1_000, 1_001, 50_000] {
                let slowly: f64 = (1..=n).map(|i| f64::from(i as u32).powf(-theta)).sum();
                let fast = zeta(n, theta);
                assert!((fast / slowly - 1.0).abs() < 1e-10, "zeta({n}, {theta}): {fast} instead of {slowly}");
            }
        }
    }

    #[test]
    fn the_remainder_is_the_remainder() {
        let mut rng = Stream::new(4, 4);
        for n in [2, 3, 1_000, 16_384, 3_932_160, (1 << 40) - 1, 1 << 63, u64::MAX] {
            let mut skew = Skew::new(&Distribution::Pareto { h: 0.2, center: None }, 2, 1).unwrap();
            (skew.n, skew.inverse) = (n, u64::MAX / n);
            let edges = [0, 1, n - 1, n, n.wrapping_mul(7), u64::MAX - 1, u64::MAX];
            for x in edges.into_iter().chain((0..2_000).map(|_| rng.bits())) {
                assert_eq!(skew.remainder(x), x % n, "{x} % {n}");
            }
        }
    }

    #[test]
    fn the_table_agrees_with_the_formula() {
        let distributions = [
            Distribution::Zipf { theta: 0.5, center: None },
            Distribution::Zipf { theta: 0.99, center: None },
            Distribution::Zipf { theta: 1.1, center: None },
            Distribution::Zipf { theta: 2.0, center: None },
            Distribution::Pareto { h: 0.2, center: None },
            Distribution::Pareto { h: 0.7, center: None },
        ];
        for distribution in distributions {
            let skew = Skew::new(&distribution, 1 << 26, 1).unwrap();
            let (Curve::Zipf { power, .. } | Curve::Pareto { power }) = &skew.curve else { panic!() };
            let mut rng = Stream::new(3, 3);
            for _ in 0..20_000 {
                let u = rng.unit();
                let (table, exact) = (power.at(u), power.exactly(u));
                // Below rank 1 only the whole part counts.
                assert!((table - exact).abs() <= 1e-4 * exact.max(1.0), "{distribution:?} at {u}: {table} for {exact}");
            }
        }
    }
}
