//! What a plan must meet: figures at their percentiles and over time, as a person would write them down, and may change by hand.
//!
//! Independent percentiles of several volumes never happened together, series did: step n of each is the same time.
//!
//! Ignores: where each figure stood in a file; `from` keeps only how it is known.

use std::sync::Arc;

use dw_units::{Bytes, Duration, Throughput};

/// How a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provenance {
    /// Read from a source.
    Measured,
    /// Computed from what was read.
    Derived,
    /// Computed with a guess.
    Estimated,
    /// Said by the user.
    Asked,
    /// Not known.
    Unknown,
}

impl Provenance {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Provenance::Measured => "measured",
            Provenance::Derived => "derived",
            Provenance::Estimated => "estimated",
            Provenance::Asked => "asked",
            Provenance::Unknown => "unknown",
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Figures that a plan uses are wrong or missing.
    Critical,
    /// Figures that a plan uses may be off.
    Warning,
    /// Worth knowing; nothing that a plan uses is affected.
    Note,
}

impl Severity {
    /// All of them, the gravest first.
    pub const ALL: [Severity; 3] = [Severity::Critical, Severity::Warning, Severity::Note];
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Critical => "critical",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Keys that may be unknown.
pub const UNKNOWN_KEYS: [&str; 2] = ["read_iops", "write_iops"];

/// A figure at its percentiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels<T> {
    /// Median.
    pub p50: T,
    /// 90th percentile.
    pub p90: T,
    /// 95th percentile, where somebody said it.
    pub p95: Option<T>,
    /// 99th percentile.
    pub p99: T,
    /// Largest.
    pub max: T,
    /// How it is known.
    pub from: Provenance,
}

impl<T> Levels<T> {
    /// Each through `f`.
    pub fn map<U>(self, f: impl Fn(T) -> U) -> Levels<U> {
        let p95 = self.p95.map(&f);
        Levels { p50: f(self.p50), p90: f(self.p90), p95, p99: f(self.p99), max: f(self.max), from: self.from }
    }
    /// Whether a percentile is one of the levels.
    pub fn has(&self, percentile: f64) -> bool {
        [50.0, 90.0, 99.0, 100.0].contains(&percentile) || percentile == 95.0 && self.p95.is_some()
    }
}

impl Levels<f64> {
    /// That of a percentile. Between two levels it grows with the logarithm of the share of time above it, as in an exponential
    /// tail; above the 99th it is the largest.
    pub fn between(&self, percentile: f64) -> f64 {
        let middle = self.p95.map(|p95| (95.0, p95));
        let levels: Vec<(f64, f64)> = [Some((50.0, self.p50)), Some((90.0, self.p90)), middle, Some((99.0, self.p99))]
            .into_iter()
            .flatten()
            .collect();
        if percentile <= 50.0 {
            return self.p50;
        }
        let pair = levels.windows(2).find(|pair| percentile <= pair[1].0);
        pair.map_or(self.max, |pair| {
            let ((low, from), (high, to)) = (pair[0], pair[1]);
            let share = |p: f64| libm::log((100.0 - low) / (100.0 - p));
            if percentile == high { to } else { from + (to - from) * share(percentile) / share(high) }
        })
    }
}

impl<T: Copy> Levels<T> {
    /// That of a percentile, of the next higher one where it is between two; above the 99th the largest.
    pub fn at(&self, percentile: f64) -> T {
        match percentile {
            p if p <= 50.0 => self.p50,
            p if p <= 90.0 => self.p90,
            p if p <= 99.0 => self.p99,
            _ => self.max,
        }
    }
}

/// No disk takes a smaller request.
pub const REQUEST_MIN: Bytes = Bytes::new(512);

/// What one volume is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeRequirements {
    pub name: String,
    /// Devices that it was measured on.
    pub devices: Vec<String>,
    /// Keys whose figures the recording lacks though it has those of the other direction: [`UNKNOWN_KEYS`]. Nothing is
    /// planned until they are known.
    pub unknown: Vec<String>,
    /// Reads per second.
    pub read_iops: Option<Levels<f64>>,
    /// Writes per second.
    pub write_iops: Option<Levels<f64>>,
    /// Requests per second.
    pub iops: Option<Levels<f64>>,
    /// Bytes read a second.
    pub read_throughput: Option<Levels<Throughput>>,
    /// Bytes written a second.
    pub write_throughput: Option<Levels<Throughput>>,
    /// Bytes per second.
    pub throughput: Option<Levels<Throughput>>,
    /// Latency of reads that was seen.
    pub read_latency: Option<Levels<Duration>>,
    /// Latency of writes that was seen.
    pub write_latency: Option<Levels<Duration>>,
    /// Requests outstanding.
    pub queue_depth: Option<Levels<f64>>,
    /// Mean size of a read.
    pub read_size: Option<Bytes>,
    /// Mean size of a write.
    pub write_size: Option<Bytes>,
    /// Percent of requests that are random.
    pub random_percent: Option<f64>,
    /// The demand over time; copies of the requirements share it.
    pub series: Option<Arc<DemandSeries>>,
}

/// Demand interval by interval; lists are equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemandSeries {
    /// Length of an interval.
    pub interval: Duration,
    /// Reads per second.
    pub read_iops: Vec<f64>,
    /// Writes per second.
    pub write_iops: Vec<f64>,
    /// Bytes read a second.
    pub read_bytes_per_s: Vec<u64>,
    /// Bytes written a second.
    pub write_bytes_per_s: Vec<u64>,
}

/// A doubt about the recording that goes where its figures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingDoubt {
    /// How grave.
    pub severity: Severity,
    /// What was seen.
    pub what: String,
    /// What it does to a plan.
    pub effect: String,
    /// The source was at a limit of its own: the demand is higher than what was seen.
    pub is_throttled: bool,
}

/// What a plan must meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirements {
    /// The machine it was measured on.
    pub machine: Option<String>,
    /// The window of the checklist.
    pub window: String,
    /// Demand is multiplied by this.
    pub growth: f64,
    /// Processors of that machine.
    pub processors: Option<u32>,
    /// Percent of them that was busy.
    pub cpu_percent: Option<Levels<f64>>,
    /// Memory of that machine.
    pub memory_total: Option<Bytes>,
    /// Memory in use.
    pub memory_used: Option<Levels<Bytes>>,
    /// Transactions per second.
    pub transactions: Option<Levels<f64>>,
    /// What to doubt of the recording.
    pub findings: Vec<RecordingDoubt>,
    pub volumes: Vec<VolumeRequirements>,
}

impl VolumeRequirements {
    /// Whether it is called so, or was recorded as the one device of that name: a recording may call it by another name than a
    /// volume may have.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.devices == [name]
    }

    /// Its demand over time, where any was recorded.
    pub fn over_time(&self) -> Option<&DemandSeries> {
        self.series.as_deref().filter(|series| !series.read_iops.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_between_two_levels_follows_an_exponential_tail() {
        let levels = Levels { p50: 100.0, p90: 200.0, p95: None, p99: 300.0, max: 900.0, from: Provenance::Asked };
        let with_p95 = Levels { p95: Some(290.0), ..levels };
        let cases = [
            ("a level is itself", levels, 90.0, 200.0),
            ("below the least", levels, 10.0, 100.0),
            ("ln 2 of ln 10 of the way", levels, 95.0, 230.103),
            ("ln 2 of ln 5 of the way", levels, 75.0, 143.068),
            ("a p95 that was said", with_p95, 95.0, 290.0),
            ("between p95 and p99", with_p95, 97.5, 294.307),
            ("above the 99th the largest", levels, 99.9, 900.0),
        ];
        for (name, levels, percentile, expected) in cases {
            let found = levels.between(percentile);
            assert!((found - expected).abs() < 1e-3, "{name}: {found}");
        }
    }
}
