//! Readings counted by value in bounded memory, for recordings longer than memory.
//!
//! Equal values are one entry with the sum of their weights, so percentiles are exact as long as the distinct values fit. When
//! they do not, neighbours whose leading binary digits agree become one entry, at the larger value; digits are given up one at
//! a time, so the step is as fine as the limit allows: 65,536 entries keep values that span a factor of a hundred thousand
//! within 0.03 %. The smallest and largest stay exact, and so does the mean.
//!
//! Ignores: the order of readings.
//!
//! Invariant: between two readings at most `limit` entries are kept, and their weights sum to the time that was counted.

use dw_units::Duration;

use super::percentile::{Sorted, Weighted};

/// Binary digits that are given up first: sixteen of a double's 52 remain.
const FIRST_SHIFT: u32 = 36;

/// Readings by value.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// In order of value.
    counts: Vec<Weighted>,
    pending: Vec<Weighted>,
    limit: usize,
    shift: u32,
    sum: f64,
}

impl Tally {
    /// At most `limit` entries; `usize::MAX` keeps every reading.
    pub fn new(limit: usize) -> Tally {
        Tally { counts: Vec::new(), pending: Vec::new(), limit, shift: 0, sum: 0.0 }
    }

    /// Counts a reading for the time it stands for; one without a number or without time is left out.
    pub fn add(&mut self, value: f64, span: Duration) {
        if value.is_nan() || span == Duration::ZERO {
            return;
        }
        self.sum += value * span.ns() as f64;
        self.pending.push(Weighted { value, weight: span.ns(), n: 1 });
        if self.limit < usize::MAX && self.pending.len() >= (self.limit / 4).max(64) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.counts.append(&mut self.pending);
        self.counts.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
        self.merge();
        while self.counts.len() > self.limit && self.shift < 51 {
            self.shift = if self.shift == 0 { FIRST_SHIFT } else { self.shift + 1 };
            self.merge();
        }
    }

    /// Entries that are one at this precision become one; the smallest stays what it is.
    fn merge(&mut self) {
        let shift = self.shift;
        let (mut at, mut kept) = (0, 0);
        while at < self.counts.len() {
            let mut entry = self.counts[at];
            let same = |other: &Weighted| {
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
        if self.shift == 0 { 0.0 } else { 1.0 / (1u64 << (52 - self.shift)) as f64 }
    }

    /// In order, for percentiles.
    pub fn sorted(mut self) -> Sorted {
        if self.limit < usize::MAX {
            self.settle();
        } else {
            self.counts = std::mem::take(&mut self.pending);
            self.counts.sort_unstable_by(|a, b| a.value.total_cmp(&b.value).then(a.weight.cmp(&b.weight)));
        }
        let step = self.step();
        Sorted::counted(self.counts, (step > 0.0).then_some(self.sum), step)
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
        let (counted, all) = (tally.sorted(), Sorted::new(values().map(|v| (v, SECOND))));
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
            assert!(tally.counts.len() <= limit);
            let (counted, all) = (tally.sorted(), Sorted::new(readings(100_000).map(|v| (v, SECOND))));
            assert_eq!((counted.min(), counted.max(), counted.len()), (all.min(), all.max(), all.len()));
            assert!((counted.mean().unwrap() / all.mean().unwrap() - 1.0).abs() < 1e-12);
            for p in [10_000, 50_000, 90_000, 99_000, 99_900].map(Percentile::new) {
                let (found, exact) = (counted.at(p).unwrap(), all.at(p).unwrap());
                assert!((found / exact - 1.0).abs() <= counted.step(), "{limit}: {found} for {exact}");
            }
        }
    }
}
