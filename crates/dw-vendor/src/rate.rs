//! Rates that limits give, and how they compare.

use dw_stack::{LimitSpec, RateSpec};

/// A rate that may burst on credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Sustained, a second.
    pub base: u64,
    /// While credits last, a second; with the size of the bucket.
    pub burst: Option<(u64, u64)>,
}

impl Rate {
    /// Without bursts.
    pub const fn plain(base: u64) -> Rate {
        Rate { base, burst: None }
    }
    /// By how much it sustains, then by its bursts: an order of rates from narrow to wide.
    fn width(self) -> (u64, u64) {
        (self.base, self.burst.map_or(self.base, |burst| burst.0))
    }
    /// Whether it gives whatever another gives.
    pub fn covers(self, other: Rate) -> bool {
        let (top, credits) = other.burst.unwrap_or((other.base, 0));
        let bursts = self.burst.is_some_and(|burst| burst.0 >= top && burst.1 >= credits);
        self.base >= other.base && (self.base >= top || bursts)
    }
    /// Several disks together.
    pub fn times(self, n: u64) -> Rate {
        let times = |value: u64| value.saturating_mul(n);
        Rate { base: times(self.base), burst: self.burst.map(|(rate, credits)| (times(rate), times(credits))) }
    }
}

/// What a limit on requests and one on bytes give; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Requests.
    pub iops: Option<Rate>,
    pub bytes: Option<Rate>,
}

impl From<LimitSpec> for Rates {
    fn from(limit: LimitSpec) -> Rates {
        let rate =
            |spec: RateSpec| Rate { base: spec.rate, burst: spec.burst.map(|burst| (burst.rate, burst.credits)) };
        Rates { iops: limit.iops.map(rate), bytes: limit.throughput.map(rate) }
    }
}

impl Rates {
    /// Several disks together.
    pub fn times(self, n: u64) -> Rates {
        Rates { iops: self.iops.map(|rate| rate.times(n)), bytes: self.bytes.map(|rate| rate.times(n)) }
    }
    /// Of each quantity the wider of two, the first of equals.
    pub fn widest(self, other: Rates) -> Rates {
        let wider = |a: Option<Rate>, b: Option<Rate>| if width(b) > width(a) { b } else { a };
        Rates { iops: wider(self.iops, other.iops), bytes: wider(self.bytes, other.bytes) }
    }
    /// What of it is narrower than another.
    pub fn narrower_than(self, other: Rates) -> Rates {
        let narrower = |a: Option<Rate>, b: Option<Rate>| a.filter(|_| width(a) < width(b));
        Rates { iops: narrower(self.iops, other.iops), bytes: narrower(self.bytes, other.bytes) }
    }
}

fn width(rate: Option<Rate>) -> (u64, u64) {
    rate.map_or((u64::MAX, u64::MAX), Rate::width)
}
