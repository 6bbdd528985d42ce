//! Latencies as they come: a log-linear histogram, and what is exact next to it.
//!
//! The layout is that of `hdrhistogram` with three significant digits (2,048 values one by one, then 1,024 a power of
//! two), so that it is handed over bucket by bucket at the end; recording is one addition to one counter. Count,
//! smallest, largest, sum and sum of squares are exact integers.

use crate::LatencyStats;
use hdrhistogram::Histogram;

const SUB_BITS: u32 = 11;
const HALF: usize = 1 << (SUB_BITS - 1);

/// Latencies in nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    /// Half as wide as a sum may become, so that they take half of the processor's cache.
    counts: Vec<u32>,
    /// What `counts` held before it was last emptied.
    spilled: Vec<u64>,
    pub(crate) count: u64,
    min: u64,
    max: u64,
    pub(crate) sum: u128,
    squares: u128,
}

impl Default for Recorder {
    fn default() -> Self {
        Recorder { counts: Vec::new(), spilled: Vec::new(), count: 0, min: u64::MAX, max: 0, sum: 0, squares: 0 }
    }
}

/// The bucket of a value.
#[inline(always)]
fn bucket(ns: u64) -> usize {
    let shift = (64 - SUB_BITS) - (ns | ((1 << SUB_BITS) - 1)).leading_zeros();
    ((shift as usize) << (SUB_BITS - 1)) + (ns >> shift) as usize
}

/// The smallest value of a bucket.
fn lowest(bucket: usize) -> u64 {
    let shift = (bucket >> (SUB_BITS - 1)).saturating_sub(1);
    ((bucket - (shift << (SUB_BITS - 1))) as u64) << shift
}

impl Recorder {
    #[inline(always)]
    pub(crate) fn record(&mut self, ns: u64) {
        let bucket = bucket(ns);
        match self.counts.get_mut(bucket) {
            Some(count) => *count += 1,
            None => self.grow(bucket),
        }
        self.count += 1;
        if self.count & 0x7fff_ffff == 0 {
            self.spill();
        }
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
        self.sum += u128::from(ns);
        self.squares += u128::from(ns) * u128::from(ns);
    }
    #[cold]
    fn grow(&mut self, bucket: usize) {
        // By whole powers of two, so that a run grows a handful of times.
        self.counts.resize((bucket / HALF + 1) * HALF, 0);
        self.counts[bucket] += 1;
    }
    /// Empties the narrow counts; due before one of them can be full.
    #[cold]
    fn spill(&mut self) {
        self.spilled = self.wide();
        self.counts.fill(0);
    }
    /// The counts by bucket.
    fn wide(&self) -> Vec<u64> {
        let buckets = self.counts.len().max(self.spilled.len());
        let of = |n: usize| u64::from(self.counts.get(n).copied().unwrap_or(0)) + self.spilled.get(n).unwrap_or(&0);
        (0..buckets).map(of).collect()
    }
    pub(crate) fn merge(&mut self, other: &Recorder) {
        self.spill();
        let theirs = other.wide();
        if self.spilled.len() < theirs.len() {
            self.spilled.resize(theirs.len(), 0);
        }
        for (mine, theirs) in self.spilled.iter_mut().zip(theirs) {
            *mine += theirs;
        }
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.squares += other.squares;
    }
    /// As a result.
    pub(crate) fn finish(&self) -> LatencyStats {
        LatencyStats {
            histogram: (self.count > 0).then(|| self.histogram()),
            count: self.count,
            min: if self.count == 0 { 0 } else { self.min },
            max: self.max,
            sum: self.sum,
            sum_squares: self.squares as f64,
        }
    }
    fn histogram(&self) -> Histogram<u64> {
        let top = self.max.max(2);
        let mut histogram = Histogram::new_with_bounds(1, top, 3).expect("bounds are 1 and at least 2, digits 3");
        for (bucket, &count) in self.wide().iter().enumerate().filter(|&(_, &count)| count > 0) {
            histogram.saturating_record_n(lowest(bucket), count);
        }
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_those_of_the_histogram() {
        let mut slow = Histogram::<u64>::new_with_bounds(1, u64::MAX / 4, 3).unwrap();
        let mut fast = Recorder::default();
        let mut values: Vec<u64> = (0..5_000).collect();
        values.extend((11..50).flat_map(|bits| [-1i64, 0, 1, 77].map(|d| (1u64 << bits).wrapping_add_signed(d * 13))));
        for &value in &values {
            slow.record(value).unwrap();
            fast.record(value);
            assert!(slow.equivalent(value, lowest(bucket(value))), "{value}");
            assert_eq!(slow.lowest_equivalent(value), lowest(bucket(value)), "{value}");
        }
        let stats = fast.finish();
        let histogram = stats.histogram.as_ref().unwrap();
        assert_eq!(histogram.len(), values.len() as u64);
        for quantile in [0.0, 0.01, 0.5, 0.9, 0.999, 1.0] {
            assert!(slow.equivalent(histogram.value_at_quantile(quantile), slow.value_at_quantile(quantile)));
        }
        assert_eq!(stats.sum, values.iter().map(|&v| u128::from(v)).sum::<u128>());
        assert_eq!((stats.min, stats.max), (0, *values.iter().max().unwrap()));
    }

    #[test]
    fn merging_is_recording_both() {
        let (mut a, mut b, mut both) = (Recorder::default(), Recorder::default(), Recorder::default());
        for value in 1..2_000u64 {
            if value == 700 {
                b.spill();
            }
            let target = if value % 3 == 0 { &mut a } else { &mut b };
            target.record(value * value);
            both.record(value * value);
        }
        a.merge(&b);
        assert_eq!(format!("{:?}", a.finish()), format!("{:?}", both.finish()));
    }
}
