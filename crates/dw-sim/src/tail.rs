//! The 99th percentile of one interval: counts of latencies in buckets an octave's 64th wide, emptied when the interval is over.
//!
//! Formula: the least upper end of a bucket below which 99 in 100 latencies lie, so at most 1/64 above the percentile.
//!
//! Ignores: other percentiles; what is counted takes as much memory as the slowest latency so far needs.

const SUB_BITS: u32 = 6;
/// Buckets of an octave.
const EACH: usize = 1 << SUB_BITS;

/// Latencies of an interval in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    counts: Vec<u32>,
}

/// The bucket of a value.
#[inline(always)]
fn bucket(ns: u64) -> usize {
    let shift = (63 - SUB_BITS) - (ns | EACH as u64).leading_zeros();
    ((shift as usize) << SUB_BITS) + (ns >> shift) as usize
}

/// The largest value of a bucket.
fn highest(bucket: usize) -> u64 {
    let shift = (bucket >> SUB_BITS).saturating_sub(1);
    let next = (bucket - (shift << SUB_BITS)) as u64 + 1;
    // The last bucket ends where the numbers do.
    (u128::from(next) << shift).min(1 << 64).wrapping_sub(1) as u64
}

impl Tail {
    #[inline(always)]
    pub(crate) fn record(&mut self, ns: u64) {
        let bucket = bucket(ns);
        match self.counts.get_mut(bucket) {
            Some(count) => *count += 1,
            None => self.grow(bucket),
        }
    }

    #[cold]
    fn grow(&mut self, bucket: usize) {
        self.counts.resize((bucket / EACH + 1) * EACH, 0);
        self.counts[bucket] = 1;
    }

    /// The 99th percentile of all `count` latencies, none of which is above `max`; none is left.
    pub(crate) fn take(&mut self, count: u64, max: u64) -> u64 {
        let counts = &mut self.counts[..=bucket(max)];
        let (mut above, most) = (0, count / 100);
        let found = counts.iter().rposition(|&count| {
            above += u64::from(count);
            above > most
        });
        // From the top: what is counted lies together.
        let mut left = count;
        for count in counts.iter_mut().rev() {
            left -= u64::from(std::mem::take(count));
            if left == 0 {
                break;
            }
        }
        found.map_or(0, highest).min(max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_what_they_say() {
        let edges = (0..64).flat_map(|bits| [0u64, 1, 77].map(|more| (1u64 << bits).wrapping_add(more << (bits / 2))));
        for ns in edges.chain(0..5_000).chain([u64::MAX]) {
            let bucket = bucket(ns);
            let below = bucket.checked_sub(1).map(highest);
            assert!(ns <= highest(bucket) && below.is_none_or(|below| below < ns), "{ns}");
            assert!((highest(bucket) - ns) as f64 <= ns as f64 / EACH as f64, "{ns}");
        }
    }

    /// The twin sorts.
    #[test]
    fn a_percentile_is_that_of_the_latencies_and_of_one_interval_alone() {
        let mut tail = Tail::default();
        for (count, spread) in [(1u64, 1u64), (2, 9), (99, 100), (100, 100), (101, 7), (1_000, 1_000_003), (5_000, 37)]
        {
            let mut all: Vec<u64> = (0..count).map(|k| 80_000 + k * 7_919 % spread * 1_013).collect();
            all.iter().for_each(|&ns| tail.record(ns));
            all.sort_unstable();
            let exact = all[(all.len() * 99).div_ceil(100) - 1];
            let found = tail.take(count, *all.last().unwrap());
            assert!((exact..=exact + exact / EACH as u64).contains(&found), "{count}: {found}, and {exact} is exact");
            assert!(tail.counts.iter().all(|&count| count == 0), "{count}");
        }
    }
}
