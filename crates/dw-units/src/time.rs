//! Virtual time: whole nanoseconds since the start of a run.
//!
//! Sums saturate at the top (584 years): an instant never wraps.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};
use core::str::FromStr;

use crate::NS_PER_SECOND;
use crate::parse::{ParseQuantityError, quantity};

/// A length of time in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Duration {
    /// No time.
    pub const ZERO: Duration = Duration(0);
    /// Longer than any run.
    pub const MAX: Duration = Duration(u64::MAX);

    /// `n` nanoseconds.
    pub const fn from_ns(n: u64) -> Self {
        Duration(n)
    }
    /// `n` microseconds.
    pub const fn from_us(n: u64) -> Self {
        Duration(n * 1_000)
    }
    /// `n` milliseconds.
    pub const fn from_ms(n: u64) -> Self {
        Duration(n * 1_000_000)
    }
    /// `n` seconds.
    pub const fn from_secs(n: u64) -> Self {
        Duration(n * NS_PER_SECOND)
    }
    /// The plain number of nanoseconds.
    pub const fn ns(self) -> u64 {
        self.0
    }
    /// `self - other`, or zero.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Duration(self.0.saturating_sub(other.0))
    }
}

/// A moment, counted in nanoseconds from the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The start of the run.
    pub const START: Instant = Instant(0);
    /// Later than any run: "never".
    pub const NEVER: Instant = Instant(u64::MAX);

    /// `n` nanoseconds after the start.
    pub const fn from_ns(n: u64) -> Self {
        Instant(n)
    }
    /// Nanoseconds since the start.
    pub const fn ns(self) -> u64 {
        self.0
    }
    /// The time since `earlier`; zero when `earlier` is later.
    pub const fn since(self, earlier: Instant) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;
    fn add(self, span: Duration) -> Instant {
        Instant(self.0.saturating_add(span.0))
    }
}
impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        self.0 = self.0.saturating_add(other.0);
    }
}
impl Sub for Instant {
    type Output = Duration;
    fn sub(self, earlier: Instant) -> Duration {
        Duration(self.0 - earlier.0)
    }
}

impl FromStr for Duration {
    type Err = ParseQuantityError;
    /// Reads `500 us`, `1.5ms`, `30 s`, `20 min`, `2 h`; the unit is required.
    fn from_str(text: &str) -> Result<Self, ParseQuantityError> {
        let units: [(&str, u64); 7] = [
            ("ns", 1),
            ("us", 1_000),
            ("ms", 1_000_000),
            ("s", NS_PER_SECOND),
            ("min", 60 * NS_PER_SECOND),
            ("h", 3_600 * NS_PER_SECOND),
            ("d", 86_400 * NS_PER_SECOND),
        ];
        quantity(text, &units, "a length of time", "30 s").map(Duration)
    }
}

impl fmt::Display for Duration {
    /// The largest unit that divides the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, size) in [("s", NS_PER_SECOND), ("ms", 1_000_000), ("us", 1_000)] {
            if self.0 >= size && self.0.is_multiple_of(size) {
                return write!(f, "{} {unit}", self.0 / size);
            }
        }
        write!(f, "{} ns", self.0)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}
