//! fio's latency bins: 64 a power of two, each standing for its middle.
//!
//! Our histograms keep three significant digits: 1,024 bins a power of two, each inside exactly one of fio's, so that
//! what we print is what fio would have counted.
//!
//! Ignores: what lies above 17.2 s (2³⁴ ns) falls into the last bin, as in fio.

use dw_sim::LatencyStats;

const BITS: u32 = 6;
const PER_OCTAVE: u64 = 1 << BITS;
const COUNT: u64 = 29 * PER_OCTAVE;

/// fio's bin of a value.
fn index_of(value: u64) -> u64 {
    let top_bit = value.max(1).ilog2();
    if top_bit <= BITS {
        return value;
    }
    let dropped = top_bit - BITS;
    let base = u64::from(dropped + 1) << BITS;
    (base + ((value >> dropped) & (PER_OCTAVE - 1))).min(COUNT - 1)
}

/// The value that fio prints for a bin.
fn middle_of(index: u64) -> u64 {
    if index < PER_OCTAVE << 1 {
        return index;
    }
    let dropped = (index >> BITS) - 1;
    let base = 1u64 << (dropped + u64::from(BITS));
    // fio adds k + 0.5 widths and truncates; no bin here is narrower than two.
    base + (index % PER_OCTAVE) * (1 << dropped) + (1 << dropped) / 2
}

/// `(middle, count)` of each bin that holds something, ascending.
pub fn from_stats(stats: &LatencyStats) -> Vec<(u64, u64)> {
    let Some(histogram) = &stats.histogram else { return Vec::new() };
    let mut bins: Vec<(u64, u64)> = Vec::new();
    for step in histogram.iter_recorded() {
        let middle = middle_of(index_of(histogram.lowest_equivalent(step.value_iterated_to())));
        match bins.last_mut() {
            Some(last) if last.0 == middle => last.1 += step.count_at_value(),
            _ => bins.push((middle, step.count_at_value())),
        }
    }
    bins
}

/// The middles of the bins in which these percentiles lie, as fio finds them: the first bin at which the running count
/// reaches the share.
pub fn percentiles(bins: &[(u64, u64)], percentiles: &[f64]) -> Vec<u64> {
    let total: u64 = bins.iter().map(|b| b.1).sum();
    let mut found = Vec::with_capacity(percentiles.len());
    let (mut sum, mut at) = (0u64, 0);
    for percentile in percentiles {
        let wanted = percentile / 100.0 * total as f64;
        while at < bins.len() && (sum + bins[at].1) as f64 + 1e-9 < wanted {
            sum += bins[at].1;
            at += 1;
        }
        found.push(bins.get(at).or(bins.last()).map_or(0, |b| b.0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_are_those_that_fio_prints() {
        // Pairs seen in the output of fio 3.33: a value inside the bin, and the printed middle.
        let cases = [
            (0, 0),
            (71, 71),
            (127, 127),
            (131, 131),
            (201, 201),
            (262, 262),
            (924, 924),
            (1_720, 1_720),
            (11_998, 11_968),
        ];
        for (value, middle) in cases {
            assert_eq!(middle_of(index_of(value)), middle, "{value}");
        }
    }

    #[test]
    fn a_bin_is_within_one_in_64_of_its_values() {
        for value in (0..40).flat_map(|bit| [(1u64 << bit), (1u64 << bit) + 1, (1u64 << bit) * 3 / 2]) {
            if value < 1 << 34 {
                let middle = middle_of(index_of(value));
                assert!(middle.abs_diff(value) <= value / 64, "{value} -> {middle}");
            }
        }
    }

    #[test]
    fn indices_rise_with_values() {
        let mut last = 0;
        for value in (0..200_000u64).chain((0..60).map(|b| 1u64 << b).filter(|v| *v > 200_000)) {
            let index = index_of(value);
            assert!(index >= last && index < COUNT);
            last = index;
        }
    }

    #[test]
    fn a_percentile_is_the_first_bin_that_reaches_it() {
        let bins = [(10, 50), (20, 49), (30, 1)];
        assert_eq!(percentiles(&bins, &[1.0, 50.0, 50.1, 99.0, 99.5, 100.0]), [10, 10, 20, 20, 30, 30]);
        assert_eq!(percentiles(&[], &[50.0]), [0]);
    }
}
