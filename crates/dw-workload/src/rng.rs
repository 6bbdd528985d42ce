//! Chance with a seed: a stream of 64-bit numbers that is a function of (seed, stream, position) and of nothing else.
//!
//! `x(n) = mix(key + n × γ)` with SplitMix64's finaliser and its golden-ratio step; the key is mixed from seed and
//! stream number. A draw costs about half a nanosecond, has no hidden state, and does not depend on the order in which
//! other streams are drawn from.
//!
//! Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
//!
//! Ignores: cryptographic strength.

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's finaliser: every bit of the input reaches every bit of the output.
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Scatters a number, so that neighbours get unrelated seeds.
pub const fn scatter(n: u64) -> u64 {
    mix(n.wrapping_add(GAMMA))
}

/// One seed made of two, order sensitive.
pub const fn join(a: u64, b: u64) -> u64 {
    mix(mix(a ^ GAMMA).wrapping_add(b).wrapping_mul(GAMMA))
}

/// One stream of random numbers.
///
/// ```
/// use dw_workload::rng::Stream;
/// let (mut a, mut b) = (Stream::new(7, 0), Stream::new(7, 0));
/// assert_eq!(a.bits(), b.bits());
/// assert!(a.below(10) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    at: u64,
    start: u64,
}

impl Stream {
    /// Stream number `stream` of `seed`.
    pub const fn new(seed: u64, stream: u64) -> Self {
        let start = join(seed, stream);
        Stream { at: start, start }
    }
    /// Back to the first number.
    pub fn rewind(&mut self) {
        self.at = self.start;
    }
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.at = self.at.wrapping_add(GAMMA);
        mix(self.at)
    }
    /// A number below `n`, each alike (to 2⁻⁶⁴ × n).
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }
    /// A number from 0 up to, not including, 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
    /// True with `percent` %.
    #[inline]
    pub fn percent(&mut self, percent: u8) -> bool {
        percent >= 100 || (percent > 0 && self.below(100) < u64::from(percent))
    }
    /// An exponentially distributed number with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }
    /// The smallest of so many numbers, at least one, each drawn alike from 0 to 1.
    ///
    /// It is more than `x` with the probability `(1 − x)ᵐ`, so `1 − e^(−E/m)` with an exponential `E` of mean 1.
    #[inline]
    pub fn smallest_of(&mut self, many: u64) -> f64 {
        let x = self.exponential() / many as f64;
        // Of a short series nothing is lost: the first term left out is below 2⁻⁵³ of the first.
        if x < 1e-3 {
            x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))))
        } else {
            -libm::expm1(-x)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_some_is_as_often_below_a_bound_as_it_should_be() {
        let mut draws = Stream::new(1, 9);
        for (many, bound) in [(1, 0.3), (3, 0.2), (50, 0.01), (5_000, 2e-4)] {
            let below = (0..100_000).filter(|_| draws.smallest_of(many) < bound).count() as f64 / 1e5;
            let expected = 1.0 - (1.0f64 - bound).powi(many as i32);
            assert!((below - expected).abs() < 0.007, "{many}: {below}, not {expected}");
        }
    }

    #[test]
    fn streams_repeat_differ_and_are_flat() {
        let mut a = Stream::new(1, 2);
        let first: Vec<u64> = (0..100).map(|_| a.bits()).collect();
        a.rewind();
        assert_eq!(first, (0..100).map(|_| a.bits()).collect::<Vec<_>>());
        for (seed, stream) in [(1, 3), (2, 2), (2, 1)] {
            let mut b = Stream::new(seed, stream);
            assert!(first.iter().all(|&x| x != b.bits()), "stream {stream} of seed {seed}");
        }
        let mut counts = [0u32; 16];
        for _ in 0..160_000 {
            counts[a.below(16) as usize] += 1;
        }
        // Chi-square with 15 degrees of freedom: 44.3 is the 1e-4 point.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 44.3, "chi-square {chi}");
    }

    #[test]
    fn an_exponential_has_mean_and_variance_one() {
        let mut s = Stream::new(5, 0);
        let draws: Vec<f64> = (0..200_000).map(|_| s.exponential()).collect();
        let mean = draws.iter().sum::<f64>() / 2e5;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2e5;
        assert!((mean - 1.0).abs() < 0.01 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
