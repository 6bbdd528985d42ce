//! Counts in buckets that grow with the value: sixteen to each doubling, so a value is known within 3 %.
//!
//! Ignores: zero, which has a bucket of its own.

/// Buckets to each doubling.
const FINE: u32 = 16;

/// A histogram of whole numbers (bytes, nanoseconds).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// By place; the last is not empty.
    counts: Vec<u64>,
    total: u64,
}

/// The place of the bucket that holds `value`.
fn place(value: u64) -> usize {
    if value < u64::from(FINE) {
        return value as usize;
    }
    let shift = value.ilog2() - FINE.ilog2();
    (shift * FINE) as usize + (value >> shift) as usize
}

/// The smallest value of the bucket at a place.
fn floor(place: usize) -> u64 {
    let fine = FINE as usize;
    if place < 2 * fine { place as u64 } else { ((place % fine + fine) as u64) << (place / fine - 1) }
}

impl Histogram {
    /// Counts `n` times `value`.
    pub fn add(&mut self, value: u64, n: u64) {
        if n == 0 {
            return;
        }
        let place = place(value);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] = self.counts[place].saturating_add(n);
        self.total = self.total.saturating_add(n);
    }
    /// Adds all of another.
    pub fn merge(&mut self, other: &Histogram) {
        for (value, n) in other.buckets() {
            self.add(value, n);
        }
    }
    /// How many were counted.
    pub fn total(&self) -> u64 {
        self.total
    }
    /// Smallest value of each bucket and its count, upwards.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(place, &n)| (floor(place), n))
    }
    /// The value that a share of the counts, from 0 to 1, does not exceed: the middle of its bucket.
    pub fn at(&self, share: f64) -> Option<f64> {
        let wanted = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reached = |bucket: &(u64, u64)| {
            seen = bucket.1.saturating_add(seen);
            seen >= wanted
        };
        self.buckets().find(reached).map(|(low, _)| {
            let width = if low < u64::from(FINE) { 0 } else { 1u64 << (low.ilog2() - FINE.ilog2()) };
            low as f64 + width as f64 / 2.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_lie_next_to_each_other() {
        let mut last = None;
        for value in (0..5_000)
            .chain((13..64).flat_map(|shift| [(1 << shift) - 1, 1 << shift, (1 << shift) + 1]))
            .chain([u64::MAX])
        {
            let (place, low) = (place(value), floor(place(value)));
            assert!(low <= value && super::place(low) == place, "{value}: {place} {low}");
            assert!(last.is_none_or(|last| last <= place), "{value}");
            last = Some(place);
        }
        assert!((0..=place(u64::MAX)).all(|at| place(floor(at)) == at));
    }

    #[test]
    fn counts_end_at_the_end_of_their_range() {
        let mut most = Histogram::default();
        most.add(7, u64::MAX);
        most.add(7, 2);
        most.add(9, u64::MAX);
        assert_eq!((most.total(), most.buckets().collect::<Vec<_>>()), (u64::MAX, vec![(7, u64::MAX), (9, u64::MAX)]));
        assert_eq!(most.at(1.0), Some(7.0));
    }

    #[test]
    fn a_value_is_known_within_three_percent() {
        for value in (1..20u64).map(|i| 7u64.pow(i as u32 % 13) * i) {
            let mut one = Histogram::default();
            one.add(value, 3);
            let found = one.at(0.5).unwrap();
            assert!((found - value as f64).abs() <= 0.032 * value as f64, "{value}: {found}");
            assert_eq!(one.total(), 3);
        }
        assert_eq!(Histogram::default().at(0.5), None);
    }
}
