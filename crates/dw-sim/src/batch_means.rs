//! How sure a rate is: 99 % half-widths by batch means.
//!
//! The I/Os of a run are counted in bins of time; when there are too many bins, neighbours merge. At the end the bins
//! inside the counted window form 32 equal batches with mean `m` and deviation `s`; the half-width is
//! `t × s / √32 / m` with Student's `t` of 31 degrees of freedom, 2.744.
//!
//! Source: Law, "Simulation modeling and analysis", batch means with a fixed number of batches.
//!
//! Ignores: warm-up inside the counted window; correlation between batches, which are long when the run is long.

use dw_units::Instant;

const BATCHES: usize = 32;
const BINS_MAX: usize = 2_048;
const STUDENT_T_31: f64 = 2.744;
/// Fewer I/Os a batch than this say nothing.
const IOS_MIN: u64 = 100;

/// Counts by bins of time, for several counters on one clock.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    width_ns: u64,
    end: Instant,
    /// Bins that are over, all counters of a bin side by side.
    done: Vec<u64>,
    current: Vec<u64>,
}

impl Bins {
    pub(crate) fn new(counters: usize) -> Self {
        let width_ns = 1 << 16;
        Bins { width_ns, end: Instant::from_ns(width_ns), done: Vec::new(), current: vec![0; counters] }
    }
    #[inline(always)]
    pub(crate) fn count(&mut self, counter: usize, now: Instant) {
        if now >= self.end {
            self.roll(now);
        }
        self.current[counter] += 1;
    }
    #[cold]
    fn roll(&mut self, now: Instant) {
        while now >= self.end {
            self.done.append(&mut self.current.clone());
            self.current.fill(0);
            self.end = Instant::from_ns(self.end.ns().saturating_add(self.width_ns));
            if self.done.len() >= BINS_MAX * self.current.len() {
                self.halve();
            }
        }
    }
    /// Merges neighbouring bins.
    fn halve(&mut self) {
        let counters = self.current.len();
        self.done = (self.done.chunks(2 * counters))
            .flat_map(|pair| (0..counters).map(|c| pair[c] + pair.get(counters + c).unwrap_or(&0)).collect::<Vec<_>>())
            .collect();
        self.width_ns *= 2;
        self.end = Instant::from_ns((self.done.len() / counters) as u64 * self.width_ns + self.width_ns);
    }
    /// The half-width of the rate of some counters together between two instants, as a share of the rate.
    pub(crate) fn half_width(&self, counters: std::ops::Range<usize>, from: Instant, to: Instant) -> Option<f64> {
        let bins: Vec<u64> =
            self.done.chunks(self.current.len()).map(|bin| bin[counters.clone()].iter().sum()).collect();
        let first = from.ns().div_ceil(self.width_ns) as usize;
        let last = ((to.ns() / self.width_ns) as usize).min(bins.len());
        let per_batch = last.checked_sub(first)? / BATCHES;
        if per_batch == 0 {
            return None;
        }
        let batches: Vec<u64> =
            bins[first..last].chunks_exact(per_batch).take(BATCHES).map(|b| b.iter().sum()).collect();
        half_width(&batches)
    }
}

fn half_width(batches: &[u64]) -> Option<f64> {
    let n = batches.len() as f64;
    let sum: u64 = batches.iter().sum();
    if sum < IOS_MIN * batches.len() as u64 {
        return None;
    }
    let mean = sum as f64 / n;
    let variance = batches.iter().map(|&b| (b as f64 - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some(STUDENT_T_31 * (variance / n).sqrt() / mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_workload::rng::Stream;

    #[test]
    fn the_interval_covers_the_true_rate_99_times_in_100() {
        // Poisson arrivals at a known rate, 400 runs. At 80 %, where Student's t is 1.309, one in five must miss.
        let rate = 1e6;
        let (mut at_99, mut at_80) = (0, 0);
        for seed in 0..400 {
            let (mut bins, mut rng, mut at, mut n) = (Bins::new(2), Stream::new(seed, 1), 0.0, 0u64);
            while at < 5e7 {
                at += rng.exponential() * 1e9 / rate;
                bins.count(1, Instant::from_ns(at as u64));
                n += 1;
            }
            let width = bins.half_width(0..2, Instant::START, Instant::from_ns(at as u64)).unwrap();
            let got = n as f64 / at * 1e9;
            let off = (got - rate).abs() / got;
            at_99 += u32::from(off <= width);
            at_80 += u32::from(off <= width * 1.309 / STUDENT_T_31);
        }
        assert!((388..=400).contains(&at_99) && (292..=348).contains(&at_80), "{at_99} and {at_80} of 400");
    }

    #[test]
    fn merging_keeps_every_count() {
        let mut bins = Bins::new(1);
        for i in 0..100_000u64 {
            bins.count(0, Instant::from_ns(i * 10_000));
        }
        assert_eq!(bins.done.iter().sum::<u64>() + bins.current[0], 100_000);
        assert!(bins.done.len() < BINS_MAX);
        // Perfectly regular arrivals: the batches are alike but for the edges of bins.
        assert!(bins.half_width(0..1, Instant::START, Instant::from_ns(1_000_000_000)).unwrap() < 1e-3);
    }

    #[test]
    fn a_short_run_has_no_half_width() {
        let mut bins = Bins::new(1);
        bins.count(0, Instant::from_ns(5));
        assert_eq!(bins.half_width(0..1, Instant::START, Instant::from_ns(6)), None);
    }
}
