//! How well figures are known that were put together from samples of many steps: eight figures of halves of the samples.
//!
//! Each sample has two halves, one after the other. A replica takes one half of each, which one by a row of a Hadamard matrix, and counts
//! it for both. With the figure `θ` of all and `θᵣ` of the replicas
//!
//! ```text
//! half-width = t(7) · √(Σ (θᵣ − θ)² / 8) · √(1 + n / N)                   99 %, Student's t
//! ```
//!
//! of means as of percentiles. The last factor is for what `N` requests themselves are off the law that they follow, of which `n` were
//! simulated: so the half-width is that of the difference to a run of all of them.
//!
//! and at least what so few independent requests are off, whose share below a percentile `q` has the deviation `√(q (1 − q) (1/n + 1/N))`.
//!
//! Source: McCarthy, "Pseudo-replication: half samples" (1969); Shao and Wu, "Asymptotic properties of the balanced repeated
//! replication method for sample quantiles" (1992).
//!
//! Ignores: that halves of one sample are alike where its queues are slow; each lasts many relaxation times.

use crate::recorder::{Part, Recorder, Sum};

const REPLICAS: usize = 8;
/// Student's t for a two-sided 99 % interval of seven degrees.
const STUDENT: f64 = 3.499;
/// The same of a normal law.
pub(super) const NORMAL: f64 = 2.576;
/// Of a percentile that too few requests tell: it may be this many times as much besides.
const UNKNOWN: f64 = 4.0;
/// A bucket is a thousandth of its values wide.
const BUCKET: f64 = 1e-3;

/// Latencies of one volume in one direction, from which each replica is put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replicas {
    /// What all of them have.
    common: Sum,
    /// By column, what a replica has that takes the first and the second half.
    halves: [[Sum; 2]; REPLICAS - 1],
    is_begun: bool,
    /// Requests that were simulated.
    simulated: u64,
}

/// Requests that may have waited longer, or less long, than they did: those at a limit whose credits are known on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Doubt {
    requests: f64,
    /// By how much all of them together, and one of them at most.
    sum_ns: f64,
    longest_ns: f64,
}

impl Doubt {
    pub(crate) fn add(&mut self, requests: u64, later_ns: f64) {
        self.requests += requests as f64;
        self.sum_ns += requests as f64 * later_ns;
        self.longest_ns = self.longest_ns.max(later_ns);
    }
}

/// Half-widths as shares of the figures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Errors {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) p99_9: f64,
}

impl Replicas {
    /// What was simulated in order stands for itself.
    pub(crate) fn add(&mut self, part: &Part) {
        if part.count > 0 {
            self.simulated += part.count;
            self.common.add(part, 1.0);
            self.is_begun = true;
        }
    }
    /// The halves of the sample of a step, which stands for `requests`, itself included; `simulated` of them were.
    pub(crate) fn add_halves(&mut self, sample: usize, halves: [&Part; 2], requests: f64, simulated: u64) {
        self.simulated += simulated;
        self.is_begun = true;
        for (taken, sum) in self.halves[sample % (REPLICAS - 1)].iter_mut().enumerate() {
            // Of a few requests one half may have none.
            let half = if halves[taken].count > 0 { halves[taken] } else { halves[1 - taken] };
            if half.count > 0 {
                sum.add(half, requests / half.count as f64);
            }
        }
    }
    /// The replica of a row.
    fn in_row(&mut self, row: usize) -> Part {
        let mut part = self.common.part().clone();
        for (place, halves) in self.halves.iter_mut().enumerate() {
            // Column 0 is the same in all rows.
            let taken = (row & (place + 1)).count_ones() as usize % 2;
            part.join(halves[taken].part());
        }
        part
    }
    /// How well the figures of all are known, some of which are in doubt besides.
    pub(crate) fn errors(&mut self, all: &Recorder, doubt: Doubt) -> Errors {
        if !self.is_begun || all.count == 0 {
            return Errors::default();
        }
        let (simulated, count) = (self.simulated.max(1) as f64, all.count as f64);
        let wider = (1.0 + (simulated / count).min(1.0)).sqrt();
        // What independent requests are off that are so few, which all replicas share.
        let few = NORMAL * (1.0 / simulated + 1.0 / count).sqrt();
        let parts: Vec<Part> = (0..REPLICAS).map(|row| self.in_row(row)).collect();
        let whole = all.clone().take();
        let off = |figure: &dyn Fn(&Part) -> f64| {
            let value = figure(&whole).max(1.0);
            let squares: f64 = parts.iter().map(|part| (figure(part) / value - 1.0).powi(2)).sum();
            STUDENT * (squares / REPLICAS as f64).sqrt() * wider + BUCKET
        };
        let quantile = |share: f64| {
            let half_width = few * (share * (1.0 - share)).sqrt();
            // All that is in doubt moves by so much at most, and no figure by more than if all of it lay elsewhere.
            let moved = doubt.longest_ns / whole.quantile(share).max(1) as f64;
            let moved = if moved > 0.0 { moved.min(whole.quantile_error(share, doubt.requests / count)) } else { 0.0 };
            // Beyond the largest that was seen nothing is known.
            let unknown = if share + half_width >= 1.0 { UNKNOWN } else { 0.0 };
            off(&|part: &Part| part.quantile(share) as f64).max(whole.quantile_error(share, half_width)).max(unknown)
                + moved
        };
        let mean = off(&|part: &Part| part.sum as f64 / part.count.max(1) as f64).max(few * whole.deviation())
            + doubt.sum_ns / all.sum.max(1) as f64;
        Errors { mean, p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), p99_9: quantile(0.999) }
    }
}
