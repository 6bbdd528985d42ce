//! Latencies as they come: a log-linear histogram, and what is exact next to it.
//!
//! The layout is that of `hdrhistogram` with three significant digits (2,048 values one by one, then 1,024 a power of
//! two), so that it is handed over bucket by bucket at the end; recording is one addition to one counter. Count,
//! smallest, largest, sum and sum of squares are exact integers.

use crate::LatencyStats;
use hdrhistogram::Histogram;
use std::sync::Arc;

const SUB_BITS: u32 = 11;
const HALF: usize = 1 << (SUB_BITS - 1);
/// Counts that are looked at together, where most are zero.
const AT_ONCE: usize = 32;

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
            histogram: (self.count > 0).then(|| Arc::new(self.histogram())),
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

/// What was recorded in a stretch of a run: the buckets that are not empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    buckets: Vec<(u32, u64)>,
    pub(crate) count: u64,
    pub(crate) sum: u128,
    squares: u128,
    min: u64,
    max: u64,
}

impl Recorder {
    /// Moves everything into a part.
    pub(crate) fn take(&mut self) -> Part {
        if self.count == 0 {
            return Part::default();
        }
        // Nothing lies outside of the smallest and the largest.
        let (first, last) = (bucket(self.min), bucket(self.max));
        let is_spilled = !self.spilled.is_empty();
        let mut buckets: Vec<(u32, u64)> = Vec::new();
        if is_spilled {
            let filled = |(bucket, count): (usize, u64)| (count > 0).then_some((bucket as u32, count));
            buckets.extend(self.wide().into_iter().enumerate().filter_map(filled));
        }
        let to = (last + 1).min(self.counts.len());
        if let Some(narrow) = self.counts.get_mut(first..to) {
            // Of some hundred latencies most buckets are empty: they are passed over many at a time.
            for (counts, from) in narrow.chunks_mut(AT_ONCE).zip((first as u32..).step_by(AT_ONCE)) {
                if counts.iter().fold(0, |any, count| any | count) == 0 {
                    continue;
                }
                if !is_spilled {
                    let filled = counts.iter().zip(from..).filter(|(count, _)| **count > 0);
                    buckets.extend(filled.map(|(&count, bucket)| (bucket, u64::from(count))));
                }
                counts.fill(0);
            }
        }
        let part =
            Part { buckets, count: self.count, sum: self.sum, squares: self.squares, min: self.min, max: self.max };
        *self = Recorder { counts: std::mem::take(&mut self.counts), ..Recorder::default() };
        part
    }
    /// Adds a part, `times` times; fractions of an I/O are carried from bucket to bucket. How many I/Os that were.
    pub(crate) fn add(&mut self, part: &Part, times: f64) -> u64 {
        let Some(&(last, _)) = part.buckets.last() else { return 0 };
        if self.spilled.len() <= last as usize {
            self.spilled.resize(last as usize + 1, 0);
        }
        let Added { count, sum, squares, min, max } =
            part.times(times, |bucket, count| self.spilled[bucket as usize] += count);
        (self.sum, self.squares, self.count) = (self.sum + sum, self.squares + squares, self.count + count);
        (self.min, self.max) = (self.min.min(min), self.max.max(max));
        count
    }
}

/// Parts that are added up, of whose buckets most stay empty: as many as there are latencies, and not as many as a recorder has.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    part: Part,
    /// What the buckets of the part do not have yet, in any order.
    fresh: Vec<(u32, u64)>,
}

impl Default for Sum {
    fn default() -> Self {
        Sum { part: Part { min: u64::MAX, ..Part::default() }, fresh: Vec::new() }
    }
}

impl Sum {
    /// So many are added before buckets are put in order, at least, and the part of the buckets that makes it worth its while.
    const FRESH: usize = 256;
    const PART: usize = 2;

    /// As [`Recorder::add`].
    pub(crate) fn add(&mut self, part: &Part, times: f64) {
        if part.count == 0 {
            return;
        }
        let added = part.times(times, |bucket, count| self.fresh.push((bucket, count)));
        self.part.note(&added);
        if self.fresh.len() > (self.part.buckets.len() / Sum::PART).max(Sum::FRESH) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.fresh.sort_unstable_by_key(|bucket| bucket.0);
        self.fresh.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            first.1 += if is_same { later.1 } else { 0 };
            is_same
        });
        self.part.buckets = both(&self.part.buckets, &self.fresh);
        // Many sums are kept to the end of a run.
        self.part.buckets.shrink_to_fit();
        self.fresh.clear();
    }

    /// All of it.
    pub(crate) fn part(&mut self) -> &Part {
        self.settle();
        &self.part
    }
}

/// The sums of two lists of buckets.
fn both(mut mine: &[(u32, u64)], mut theirs: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let mut both = Vec::with_capacity(mine.len() + theirs.len());
    while let (Some((a, other_a)), Some((b, other_b))) = (mine.split_first(), theirs.split_first()) {
        if a.0 == b.0 {
            both.push((a.0, a.1 + b.1));
            (mine, theirs) = (other_a, other_b);
        } else if a.0 < b.0 {
            both.push(*a);
            mine = other_a;
        } else {
            both.push(*b);
            theirs = other_b;
        }
    }
    both.extend_from_slice(mine);
    both.extend_from_slice(theirs);
    both
}

/// How often a part was added, without its buckets.
#[derive(Clone, Copy, Debug, Default)]
struct Added {
    count: u64,
    sum: u128,
    squares: u128,
    min: u64,
    max: u64,
}

impl Part {
    /// Hands over each bucket `times` times; fractions of an I/O are carried from bucket to bucket.
    fn times(&self, times: f64, mut take: impl FnMut(u32, u64)) -> Added {
        let (mut carry, mut count) = (0.5, 0);
        for &(bucket, each) in &self.buckets {
            carry += each as f64 * times;
            let whole = carry.floor();
            carry -= whole;
            if whole > 0.0 {
                take(bucket, whole as u64);
            }
            count += whole as u64;
        }
        let Part { sum, squares, min, max, .. } = *self;
        if times == 1.0 {
            return Added { count, sum, squares, min, max };
        }
        let share = count as f64 / self.count.max(1) as f64;
        let of = |all: u128| (all as f64 * share) as u128;
        Added { count, sum: of(sum), squares: of(squares), min, max }
    }

    fn note(&mut self, added: &Added) {
        self.count += added.count;
        self.sum += added.sum;
        self.squares += added.squares;
        (self.min, self.max) = (self.min.min(added.min), self.max.max(added.max));
    }

    /// Adds another part.
    pub(crate) fn join(&mut self, more: &Part) {
        if self.count == 0 || more.count == 0 {
            if self.count == 0 {
                *self = more.clone();
            }
            return;
        }
        self.buckets = both(&self.buckets, &more.buckets);
        self.count += more.count;
        self.sum += more.sum;
        self.squares += more.squares;
        (self.min, self.max) = (self.min.min(more.min), self.max.max(more.max));
    }
    /// The smallest value of the bucket in which a quantile lies.
    pub(crate) fn quantile(&self, quantile: f64) -> u64 {
        let (rank, mut below) = ((quantile * self.count as f64).ceil().max(1.0) as u64, 0);
        let found = self.buckets.iter().find(|&&(_, count)| {
            below += count;
            below >= rank
        });
        found.or(self.buckets.last()).map_or(0, |&(bucket, _)| lowest(bucket as usize))
    }
    /// By how much a quantile is off at most when the share below it is off by `half_width`, as a share of it.
    pub(crate) fn quantile_error(&self, quantile: f64, half_width: f64) -> f64 {
        let value = self.quantile(quantile).max(1) as f64;
        let high = self.quantile((quantile + half_width).min(1.0)) as f64;
        let low = self.quantile((quantile - half_width).max(0.0)) as f64;
        // A bucket is a thousandth of its values wide.
        (high / value - 1.0).max(1.0 - low / value).max(0.001)
    }
    /// The deviation of a value from the mean, as a share of it.
    pub(crate) fn deviation(&self) -> f64 {
        let (count, mean) = (self.count.max(1) as f64, self.sum as f64 / self.count.max(1) as f64);
        (self.squares as f64 / count - mean * mean).max(0.0).sqrt() / mean.max(1.0)
    }
    /// How many are in buckets up to that of `ns`.
    pub(crate) fn count_to(&self, ns: u64) -> u64 {
        let last = bucket(ns) as u32;
        self.buckets.iter().take_while(|&&(bucket, _)| bucket <= last).map(|&(_, count)| count).sum()
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

    #[test]
    fn a_part_is_what_was_recorded_and_adds_up_any_number_of_times() {
        let (mut first, mut second, mut both) = (Recorder::default(), Recorder::default(), Recorder::default());
        for value in 1..3_000u64 {
            let target = if value % 7 < 3 { &mut first } else { &mut second };
            target.record(value * value);
            both.record(value * value);
        }
        let expected = format!("{:?}", both.finish());
        let (a, b, whole) = (first.take(), second.take(), both.take());
        assert_eq!((first.count, whole.count), (0, 2_999));
        let mut joined = a.clone();
        joined.join(&b);
        assert_eq!(format!("{joined:?}"), format!("{whole:?}"));
        let mut again = Recorder::default();
        assert_eq!(again.add(&a, 1.0) + again.add(&b, 1.0), 2_999);
        assert_eq!(format!("{:?}", again.finish()), expected);
        let (mut sum, mut slow) = (Sum::default(), Recorder::default());
        for (part, times) in [(&a, 1.0), (&b, 2.5), (&whole, 0.01), (&b, 1.0), (&whole, 7.3)] {
            sum.add(part, times);
            slow.add(part, times);
        }
        assert_eq!(format!("{:?}", sum.part()), format!("{:?}", slow.take()));
        // A share and the rest of it are the whole, but for the rounding of each.
        let mut shares = Recorder::default();
        let added = shares.add(&whole, 0.37) + shares.add(&whole, 9.63);
        assert!((added as i64 - 29_990).abs() <= 1, "{added}");
        let (mean, of_shares) = (whole.sum as f64 / 2_999.0, shares.sum as f64 / added as f64);
        assert!((of_shares / mean - 1.0).abs() < 1e-9);
        for quantile in [0.01, 0.5, 0.99, 0.999] {
            let (one, ten) = (whole.quantile(quantile), shares.clone().take().quantile(quantile));
            assert!((one as f64 / ten as f64 - 1.0).abs() < 1e-2, "{quantile}: {one} and {ten}");
            assert!(whole.count_to(one) as f64 >= quantile * 2_999.0);
        }
    }
}
