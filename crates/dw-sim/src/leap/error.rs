//! How well a figure is known from batches that follow each other: the half-width of its 99 % interval.
//!
//! A rate, a mean, a share are ratios `Σy / Σx` over `m` batches. With `d = y − R x` the variance of the ratio is
//! `s²(d) m / (Σx)²`, as long as batches are independent. Neighbours that are alike make it larger, so it is worked out for
//! ever longer batches, down to four. Where the longest say more than one half above what the shortest say, the largest
//! half-width counts, with Student's `t` of so few; else the shortest batches have the word.
//!
//! Source: Law, "Simulation modeling and analysis", batch means and ratio estimators.
//!
//! Ignores: correlation beyond a quarter of the sample, but for what four batches show of it.

/// Batches of the longest kind.
const FEWEST: usize = 4;
/// Correlation shows when the variance of a mean grows by this factor with the length of the batches.
const GROWS: f64 = 1.5;
/// Groups of batches through which a trend is looked for.
const TREND: usize = 12;
/// A slope so many times its own error is a trend.
const SURELY: f64 = 5.0;

/// Student's t for a two-sided 99 % interval.
fn student(degrees: usize) -> f64 {
    const KNOWN: [(f64, f64); 12] = [
        (1.0, 63.657),
        (2.0, 9.925),
        (3.0, 5.841),
        (4.0, 4.604),
        (5.0, 4.032),
        (7.0, 3.499),
        (10.0, 3.169),
        (15.0, 2.947),
        (20.0, 2.845),
        (30.0, 2.750),
        (60.0, 2.660),
        (1e9, 2.576),
    ];
    let at = 1.0 / degrees.max(1) as f64;
    let pair = KNOWN.windows(2).find(|pair| at >= 1.0 / pair[1].0).unwrap_or(&KNOWN[10..]);
    let part = (1.0 / pair[0].0 - at) / (1.0 / pair[0].0 - 1.0 / pair[1].0);
    pair[0].1 + (pair[1].1 - pair[0].1) * part
}

/// A ratio with the half-width of its 99 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) value: f64,
    pub(crate) half_width: f64,
}

/// What batches of `(y, x)` say of the ratio of their sums; `None` without any `x`, or with too few batches.
pub(crate) fn ratio(batches: &[(f64, f64)]) -> Option<Known> {
    let (y, x) = batches.iter().fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    if x <= 0.0 || batches.len() < FEWEST {
        return None;
    }
    let value = y / x;
    let of_groups_of = |size: usize| {
        let groups: Vec<f64> =
            batches.rchunks_exact(size).map(|group| group.iter().map(|of| of.0 - value * of.1).sum()).collect();
        let m = groups.len() as f64;
        let mean = groups.iter().sum::<f64>() / m;
        let variance = groups.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (m - 1.0);
        // Of a sum over `m` groups; those left over at the front count like the others.
        let of_sum = variance * batches.len() as f64 / size as f64;
        (of_sum, student(groups.len() - 1) * of_sum.sqrt() / x)
    };
    let (shortest, mut half_width) = of_groups_of(1);
    let mut size = 2;
    let mut longer = Vec::new();
    while batches.len() / size >= FEWEST {
        longer.push(of_groups_of(size));
        size = if batches.len() / (size * 2) >= FEWEST || batches.len() / FEWEST == size {
            size * 2
        } else {
            batches.len() / FEWEST
        };
    }
    if longer.iter().any(|(variance, _)| *variance > GROWS * shortest) {
        half_width = longer.iter().fold(half_width, |most, longer| most.max(longer.1));
    }
    Some(Known { value, half_width })
}

/// By how much the ratio moves from the first batch to the last, where that is surely a trend; else zero.
pub(crate) fn trend(batches: &[(f64, f64)]) -> f64 {
    let (moves, error) = moves(batches);
    if moves.abs() > SURELY * error { moves } else { 0.0 }
}

/// By how much the ratio moves at most from the first batch to the last, up or down, as far as that is known.
pub(crate) fn moves_at_most(batches: &[(f64, f64)]) -> f64 {
    let (moves, error) = moves(batches);
    moves.abs() + SURELY * error
}

/// By how much the ratio moves from the first batch to the last, and the error of that.
fn moves(batches: &[(f64, f64)]) -> (f64, f64) {
    let size = batches.len() / TREND;
    if size == 0 {
        return (0.0, 0.0);
    }
    let groups: Vec<f64> = batches
        .rchunks_exact(size)
        .rev()
        .map(|group| group.iter().map(|of| of.0).sum::<f64>() / group.iter().map(|of| of.1).sum::<f64>())
        .collect();
    let n = groups.len() as f64;
    let (middle, mean) = ((n - 1.0) / 2.0, groups.iter().sum::<f64>() / n);
    let at = |i: usize| i as f64 - middle;
    let squares: f64 = (0..groups.len()).map(|i| at(i).powi(2)).sum();
    let slope = groups.iter().enumerate().map(|(i, y)| at(i) * (y - mean)).sum::<f64>() / squares;
    let rest: f64 = groups.iter().enumerate().map(|(i, y)| (y - mean - slope * at(i)).powi(2)).sum();
    let error = (rest / (n - 2.0) / squares).sqrt();
    if slope.is_finite() { (slope * n, error * n) } else { (0.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_workload::rng::Stream;

    /// Batches of a first-order autoregression of mean 100 whose correlation fades by `1/e` in `fades` batches.
    fn batches(seed: u64, n: usize, fades: f64) -> Vec<(f64, f64)> {
        let (mut stream, keep) = (Stream::new(seed, 3), if fades > 0.0 { (-1.0 / fades).exp() } else { 0.0 });
        let mut normal = || (0..12).map(|_| stream.below(1 << 32) as f64 / f64::from(u32::MAX)).sum::<f64>() - 6.0;
        let mut state = normal();
        let fresh = (1.0 - keep * keep).sqrt();
        (0..n)
            .map(|_| {
                state = keep * state + fresh * normal();
                (100.0 + state, 1.0)
            })
            .collect()
    }

    #[test]
    fn the_interval_covers_the_mean_whether_batches_are_alike_or_not() {
        // (correlation in batches, batches, misses allowed of 1,000, and the width at most, in standard errors of a mean)
        for (fades, n, misses, width) in
            [(0.0, 48, 20, 4.6), (0.5, 48, 25, 6.0), (4.0, 48, 30, 13.0), (12.0, 48, 80, 14.0)]
        {
            let (mut missed, mut widths) = (0, 0.0);
            for seed in 0..1_000 {
                let known = ratio(&batches(seed, n, fades)).unwrap();
                missed += usize::from((known.value - 100.0).abs() > known.half_width);
                widths += known.half_width / 1_000.0 * (n as f64).sqrt();
            }
            assert!(missed <= misses, "{fades}: {missed} of 1,000 missed");
            assert!(widths < width, "{fades}: {widths:.1}");
        }
    }

    #[test]
    fn a_trend_is_seen_and_noise_is_none() {
        let noise = (0..500).filter(|&seed| trend(&batches(seed, 48, 0.0)) != 0.0).count();
        assert!(noise <= 5, "{noise} of 500");
        for seed in 0..50 {
            let mut rising = batches(seed, 48, 0.0);
            rising.iter_mut().enumerate().for_each(|(i, of)| of.0 += i as f64 * 0.1);
            let found = trend(&rising);
            assert!((found - 4.8).abs() < 2.5, "{found}");
        }
    }

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (degrees, t) in [(3, 5.841), (6, 3.707), (11, 3.106), (23, 2.807), (31, 2.744), (47, 2.685)] {
            assert!((student(degrees) - t).abs() < 0.03, "{degrees}: {}", student(degrees));
        }
    }
}
