//! Readings counted by value in bounded memory, for recordings longer than memory.
//!
//! Equal values are one entry with the sum of their weights, so percentiles are exact up to [`EXACT`] distinct values. Of more,
//! those whose first thirteen binary digits agree become one entry, at the largest of them: each is known within 1/4,096 of itself.
//! The grid is fixed, so what is counted does not depend on the order of readings, nor on the parts in which they come. The smallest
//! and largest stay exact, and so does the mean.
//!
//! Ignores: the order of readings.
//!
//! Invariant: the same readings give the same entries, whose weights sum to the time that was counted.

use dw_units::Duration;

use super::exact::ExactSum;
use super::percentile::{SortedReadings, WeightedReading, key, value_of};

/// Distinct values that are kept apart.
pub(crate) const EXACT: usize = 1 << 16;
/// Binary digits of a double's 52 that are given up of more.
const GRID: u32 = 40;

/// Readings by value.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// In order of value.
    counts: Vec<WeightedReading>,
    /// Keys of readings that are not counted yet and each stand for as much time, as nearly all do; and what they stand for.
    even: Vec<u64>,
    weight: u64,
    /// The others.
    pending: Vec<WeightedReading>,
    exact: usize,
    on_grid: bool,
    /// Of readings that are known by their step alone: their sum.
    sum: ExactSum,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::new(EXACT)
    }
}

impl Tally {
    /// Of no reading; `exact` distinct values are kept apart.
    pub fn new(exact: usize) -> Tally {
        let (counts, pending, even) = (Vec::new(), Vec::new(), Vec::new());
        Tally { counts, even, weight: 0, pending, exact, on_grid: false, sum: ExactSum::default() }
    }

    /// Counts a reading for the time it stands for; one without a number or without time is left out.
    #[inline]
    pub fn add(&mut self, value: f64, span: Duration) {
        if value.is_nan() || span == Duration::ZERO {
            return;
        }
        if self.even.is_empty() {
            self.weight = span.ns();
        }
        match span.ns() == self.weight {
            true => self.even.push(key(value)),
            false => self.pending.push(WeightedReading { value, weight: span.ns(), n: 1 }),
        }
        if self.even.len() + self.pending.len() > self.most_pending() {
            self.settle();
        }
    }

    /// How many readings may wait. Before any are counted, as many as are kept apart: if all are different there is nothing to count.
    /// Afterwards few, as a recording of many disks has hundreds of tallies.
    fn most_pending(&self) -> usize {
        if self.counts.is_empty() { self.exact } else { (self.counts.len() / 2).max(self.exact / 8) }
    }

    fn settle(&mut self) {
        let mut even = std::mem::take(&mut self.even);
        even.sort_unstable();
        let weight = self.weight;
        let added = self.counts.len();
        self.counts.extend(even.chunk_by(|a, b| a == b).map(|same| {
            let n = same.len() as u64;
            WeightedReading { value: value_of(same[0]), weight: weight * n, n }
        }));
        self.counts.append(&mut self.pending);
        if self.on_grid {
            let (counts, sum) = (&self.counts, &mut self.sum);
            counts[added..].iter().for_each(|entry| sum.add_times(entry.value, entry.weight));
        }
        // Two runs in order: they are merged.
        self.counts.sort_by(|a, b| a.value.total_cmp(&b.value));
        self.merge();
        if self.counts.len() > self.exact && !self.on_grid {
            let (counts, sum) = (&self.counts, &mut self.sum);
            counts.iter().for_each(|entry| sum.add_times(entry.value, entry.weight));
            self.on_grid = true;
            self.merge();
        }
    }

    /// Entries of one value become one, and on the grid those of one step; the smallest stays what it is.
    fn merge(&mut self) {
        let shift = if self.on_grid { GRID } else { 0 };
        let (mut at, mut kept) = (0, 0);
        while at < self.counts.len() {
            let mut entry = self.counts[at];
            let same = |other: &WeightedReading| {
                entry.value == other.value
                    || kept > 0 && entry.value.to_bits() >> shift == other.value.to_bits() >> shift
            };
            let end = at + self.counts[at..].iter().take_while(|other| same(other)).count().max(1);
            entry.value = self.counts[end - 1].value;
            entry.weight = self.counts[at..end].iter().map(|w| w.weight).sum();
            entry.n = self.counts[at..end].iter().map(|w| w.n).sum();
            self.counts[kept] = entry;
            (at, kept) = (end, kept + 1);
        }
        self.counts.truncate(kept);
    }

    /// How far an entry may be from its readings, as a share of them.
    pub fn step(&self) -> f64 {
        if self.on_grid { 1.0 / (1u64 << (52 - GRID)) as f64 } else { 0.0 }
    }

    /// In order, for percentiles.
    pub fn sorted(mut self) -> SortedReadings {
        // Few enough to be all different: there is nothing to count.
        if self.counts.is_empty() && self.pending.is_empty() && self.even.len() <= self.exact {
            return SortedReadings::even(self.even, self.weight);
        }
        self.settle();
        let step = self.step();
        SortedReadings::counted(self.counts, self.on_grid.then_some(self.sum), step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::percentile::Percentile;

    const SECOND: Duration = Duration::from_secs(1);

    /// Numbers that look drawn, the same on every machine.
    fn readings(n: u64) -> impl Iterator<Item = f64> {
        (1..=n).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / 100.0)
    }

    #[test]
    fn few_values_are_counted_exactly_however_many_readings() {
        let mut tally = Tally::new(64);
        let values = || readings(50_000).map(|v| (v % 50.0).floor());
        values().for_each(|v| tally.add(v, SECOND));
        let (mut counted, mut all) = (tally.sorted(), SortedReadings::new(values().map(|v| (v, SECOND))));
        for p in [0, 1_000, 50_000, 90_000, 99_000, 99_900, 100_000].map(Percentile::new) {
            assert_eq!(counted.at(p), all.at(p));
            assert_eq!(counted.confidence(p), all.confidence(p));
        }
        assert_eq!((counted.len(), counted.step()), (50_000, 0.0));
    }

    #[test]
    fn many_values_are_known_within_the_step_and_the_ends_exactly() {
        for limit in [128, 1_024, 16_384] {
            let mut tally = Tally::new(limit);
            readings(100_000).for_each(|v| tally.add(v, SECOND));
            assert!(tally.counts.len() <= limit.max(20 << 12));
            let (mut counted, mut all) = (tally.sorted(), SortedReadings::new(readings(100_000).map(|v| (v, SECOND))));
            assert_eq!((counted.min(), counted.max(), counted.len()), (all.min(), all.max(), all.len()));
            assert!((counted.mean().unwrap() / all.mean().unwrap() - 1.0).abs() < 1e-12);
            for p in [10_000, 50_000, 90_000, 99_000, 99_900].map(Percentile::new) {
                let (found, exact) = (counted.at(p).unwrap(), all.at(p).unwrap());
                assert!((found / exact - 1.0).abs() <= counted.step(), "{limit}: {found} for {exact}");
            }
        }
    }
}
