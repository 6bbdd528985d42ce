//! Percentiles of readings that stand for different lengths of time.
//!
//! Time-weighted nearest rank: the smallest reading such that readings up to it cover at least p of the recorded time.
//! It is always a value that was seen, and with equal intervals it is the common nearest rank. Weights are whole
//! nanoseconds and the comparison is exact, so the order of the readings changes nothing.
//!
//! The interval of confidence is that of order statistics: the number of readings below the true percentile is binomial,
//! so the ranks between which it lies with 95 % follow from n alone, without a guess at the distribution. When the upper
//! rank does not exist the recording is too short to bound the percentile from above.
//!
//! Source: nearest rank, ISO 16269-7 for order statistics.
//!
//! Only what is asked for is put in order: the few ranks of a checklist are found by parting the readings at each, which takes a
//! fraction of the time that sorting takes.
//!
//! Ignores: that neighbouring readings resemble each other, which makes the true interval wider.
//!
//! Invariant: percentiles grow with p; each is one of the readings.

use dw_units::Duration;

use super::exact::ExactSum;

/// A reading with the time it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedReading {
    /// The value; never NaN.
    pub value: f64,
    pub weight: u64,
    /// How many readings it is.
    pub n: u64,
}

/// Readings in order of value, as far as somebody asked.
#[derive(Clone, Debug, Default)]
pub struct SortedReadings {
    readings: Readings,
    total: u128,
    n: u64,
    /// Sum of value times weight, where the readings do not have it.
    sum: Option<ExactSum>,
    step: f64,
}

/// Readings of a figure.
#[derive(Clone, Debug)]
enum Readings {
    /// Each stands for as much time.
    Even(Keys, u64),
    /// The smallest first.
    Counted(Vec<WeightedReading>),
}

/// Keys of readings, of which some are where they are in order: no larger one is before them, and no smaller one behind.
#[derive(Clone, Debug)]
struct Keys {
    keys: Vec<u64>,
    /// The places of those, in order.
    placed: Vec<usize>,
}

impl Keys {
    /// The value that is at a place in order.
    fn at(&mut self, place: usize) -> Option<f64> {
        if place < self.keys.len()
            && let Err(gap) = self.placed.binary_search(&place)
        {
            let from = gap.checked_sub(1).map_or(0, |before| self.placed[before] + 1);
            let to = self.placed.get(gap).copied().unwrap_or(self.keys.len());
            self.keys[from..to].select_nth_unstable(place - from);
            self.placed.insert(gap, place);
        }
        self.keys.get(place).map(|key| value_of(*key))
    }
    fn values(&self) -> impl Iterator<Item = f64> {
        self.keys.iter().map(|key| value_of(*key))
    }
}

impl Default for Readings {
    fn default() -> Readings {
        Readings::Counted(Vec::new())
    }
}

/// A number whose order is that of the value; whole numbers are sorted faster than doubles.
pub(crate) fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The value of a key.
pub(crate) fn value_of(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// A percentile in thousandths of a percent, so that 99.9 is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percentile(u32);

impl Percentile {
    /// The median.
    pub const P50: Percentile = Percentile(50_000);
    /// The ninetieth.
    pub const P90: Percentile = Percentile(90_000);
    /// The ninety-ninth.
    pub const P99: Percentile = Percentile(99_000);
    /// The largest.
    pub const MAX: Percentile = Percentile(100_000);

    /// `thousandths` of a percent, at most 100 000.
    pub fn new(thousandths: u32) -> Percentile {
        Percentile(thousandths.min(100_000))
    }
    /// As a share of one.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100_000.0
    }
}

impl SortedReadings {
    /// Readings in any order; those without a number or without time are left out.
    pub fn new(readings: impl IntoIterator<Item = (f64, Duration)>) -> SortedReadings {
        let mut even: Vec<u64> = Vec::new();
        let (mut weight, mut others) = (0, Vec::new());
        for (value, span) in readings.into_iter().filter(|(value, span)| !value.is_nan() && *span > Duration::ZERO) {
            if even.is_empty() {
                weight = span.ns();
            }
            match span.ns() == weight {
                true => even.push(key(value)),
                false => others.push(WeightedReading { value, weight: span.ns(), n: 1 }),
            }
        }
        if others.is_empty() {
            return SortedReadings::even(even, weight);
        }
        others.extend(even.into_iter().map(|key| WeightedReading { value: value_of(key), weight, n: 1 }));
        others.sort_unstable_by(|a, b| a.value.total_cmp(&b.value).then(a.weight.cmp(&b.weight)));
        SortedReadings::counted(others, None, 0.0)
    }
    /// Readings by their keys, in any order, that each stand for as much time.
    pub(crate) fn even(keys: Vec<u64>, weight: u64) -> SortedReadings {
        let n = keys.len() as u64;
        // A figure that never changes is one reading.
        if let (Some(first), Some(weight)) = (keys.first(), weight.checked_mul(n))
            && keys.iter().all(|key| key == first)
        {
            return SortedReadings::counted(vec![WeightedReading { value: value_of(*first), weight, n }], None, 0.0);
        }
        let total = u128::from(n) * u128::from(weight);
        let readings = Readings::Even(Keys { keys, placed: Vec::new() }, weight);
        SortedReadings { readings, total, n, sum: None, step: 0.0 }
    }
    /// Readings in order of value, each known within the share `step` of itself.
    pub(crate) fn counted(readings: Vec<WeightedReading>, sum: Option<ExactSum>, step: f64) -> SortedReadings {
        let total = readings.iter().map(|r| u128::from(r.weight)).sum();
        let n = readings.iter().map(|r| r.n).sum();
        SortedReadings { readings: Readings::Counted(readings), total, n, sum, step }
    }
    /// How many readings there are.
    pub fn len(&self) -> usize {
        usize::try_from(self.n).unwrap_or(usize::MAX)
    }
    /// How far a percentile may be from a reading, as a share of it; 0 where all readings were kept.
    pub fn step(&self) -> f64 {
        self.step
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
    /// The smallest.
    pub fn min(&mut self) -> Option<f64> {
        self.ranked(1)
    }
    /// The largest.
    pub fn max(&mut self) -> Option<f64> {
        self.ranked(self.len())
    }
    /// The time-weighted mean.
    pub fn mean(&self) -> Option<f64> {
        let summed = || match &self.readings {
            Readings::Even(keys, weight) => keys.values().collect::<ExactSum>().times(*weight),
            Readings::Counted(readings) => {
                let mut sum = ExactSum::default();
                readings.iter().for_each(|r| sum.add_times(r.value, r.weight));
                sum
            }
        };
        (self.total > 0).then(|| self.sum.unwrap_or_else(summed).value() / self.total as f64)
    }
    /// The percentile by time-weighted nearest rank.
    pub fn at(&mut self, p: Percentile) -> Option<f64> {
        let readings = match &mut self.readings {
            Readings::Even(keys, _) => {
                let rank = (u128::from(self.n) * u128::from(p.0)).div_ceil(100_000).max(1) as usize;
                return keys.at(rank - 1);
            }
            Readings::Counted(readings) => readings,
        };
        let wanted = self.total * u128::from(p.0);
        let mut covered = 0u128;
        let reached = |r: &&WeightedReading| {
            covered += u128::from(r.weight);
            covered * 100_000 >= wanted
        };
        readings.iter().find(reached).map(|r| r.value)
    }
    /// Where the true percentile lies with 95 %: lower and upper end; an end that the number of readings cannot give is
    /// absent.
    pub fn confidence(&mut self, p: Percentile) -> (Option<f64>, Option<f64>) {
        let (low, high) = confidence_ranks(self.len(), p.share());
        (low.and_then(|rank| self.ranked(rank)), high.and_then(|rank| self.ranked(rank)))
    }
    /// The reading of a rank from 1.
    fn ranked(&mut self, rank: usize) -> Option<f64> {
        let readings = match &mut self.readings {
            Readings::Even(keys, _) => return keys.at(rank.checked_sub(1)?),
            Readings::Counted(readings) => readings,
        };
        let mut before = 0;
        let reached = |r: &&WeightedReading| {
            before += r.n;
            before >= rank as u64
        };
        readings.iter().find(reached).map(|r| r.value)
    }
    /// The share of time, from 0 to 1, with readings in `low..=high`.
    pub fn share_between(&self, low: f64, high: f64) -> f64 {
        let is_inside = |value: f64| value >= low && value <= high;
        let inside: u128 = match &self.readings {
            Readings::Even(keys, weight) => {
                let n = keys.values().filter(|value| is_inside(*value)).count();
                n as u128 * u128::from(*weight)
            }
            Readings::Counted(readings) => {
                readings.iter().filter(|r| is_inside(r.value)).map(|r| u128::from(r.weight)).sum()
            }
        };
        if self.total == 0 { 0.0 } else { inside as f64 / self.total as f64 }
    }
}

/// Ranks from 1 between which the quantile `p` of a distribution lies with at least 95 %, 2.5 % on each side.
pub fn confidence_ranks(n: usize, p: f64) -> (Option<usize>, Option<usize>) {
    if n == 0 || !(0.0..1.0).contains(&p) {
        return (None, None);
    }
    // The largest rank whose reading is below the quantile with 97.5 %, and the smallest that is above it.
    let mut below = 0.0;
    let (mut low, mut high) = (None, None);
    let (mean, deviation) = (n as f64 * p, libm::sqrt(n as f64 * p * (1.0 - p)));
    // Terms further away than ten deviations add nothing.
    let first = (mean - 10.0 * deviation).floor().max(0.0) as usize;
    let mut chance = binomial(n, first, p);
    for k in first..=n {
        if below <= 0.025 {
            low = (k > 0).then_some(k);
        }
        below += chance;
        if below >= 0.975 {
            high = (k < n).then_some(k + 1);
            break;
        }
        // That of the next rank follows from this one's: logarithms would take a hundred times as long.
        chance *= (n - k) as f64 / (k + 1) as f64 * (p / (1.0 - p));
    }
    (low, high)
}

/// The chance of exactly `k` of `n`, through logarithms so that large `n` do not overflow.
fn binomial(n: usize, k: usize, p: f64) -> f64 {
    let ln_factorial = |m: usize| libm::lgamma(m as f64 + 1.0);
    let ln_choose = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let ln_hit = if k == 0 { 0.0 } else { k as f64 * libm::log(p) };
    libm::exp(ln_choose + ln_hit + (n - k) as f64 * libm::log1p(-p))
}

/// Whether `n` readings bound the 99th percentile from above: its largest exceeds it with 99 %.
pub fn bounds_p99(n: usize) -> bool {
    // 1 - 0.99^n >= 0.99 from n = 459 on.
    n >= 459
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn nearest_rank_with_and_without_weights() {
        let ten: Vec<(f64, Duration)> = (1..=10).map(|v| (f64::from(v), SECOND)).collect();
        let long_one = vec![(1.0, Duration::from_secs(9)), (5.0, SECOND)];
        let cases = [
            (ten.clone(), Percentile::P50, Some(5.0)),
            (ten.clone(), Percentile::P90, Some(9.0)),
            (ten.clone(), Percentile::P99, Some(10.0)),
            (ten.clone(), Percentile::MAX, Some(10.0)),
            (ten, Percentile::new(0), Some(1.0)),
            (long_one.clone(), Percentile::P90, Some(1.0)),
            (long_one, Percentile::P99, Some(5.0)),
            (vec![], Percentile::P50, None),
            (vec![(f64::NAN, SECOND), (2.0, Duration::ZERO)], Percentile::P50, None),
        ];
        for (readings, p, expected) in cases {
            assert_eq!(SortedReadings::new(readings.clone()).at(p), expected, "{readings:?} {p:?}");
        }
    }

    #[test]
    fn ranks_of_confidence_agree_with_published_tables() {
        // The median: published tables of order statistics. Below rank 983 of 1,000 lies 1.4 %, below 984 already 2.7 %.
        let cases = [
            (6, 0.5, (Some(1), Some(6))),
            (5, 0.5, (None, None)),
            (10, 0.5, (Some(2), Some(9))),
            (20, 0.5, (Some(6), Some(15))),
            (100, 0.5, (Some(40), Some(61))),
            (100, 0.99, (Some(97), None)),
            (1_000, 0.99, (Some(983), Some(997))),
        ];
        for (n, p, expected) in cases {
            assert_eq!(confidence_ranks(n, p), expected, "{n} {p}");
        }
    }

    #[test]
    fn a_p99_is_bounded_from_459_readings_on() {
        assert!(!bounds_p99(458) && bounds_p99(459));
        assert!(1.0 - 0.99f64.powi(459) >= 0.99 && 1.0 - 0.99f64.powi(458) < 0.99);
    }
}
