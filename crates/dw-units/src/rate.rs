//! Rates: requests per second and bytes per second.

use core::fmt;
use core::ops::{Add, Mul};
use core::str::FromStr;

use crate::parse::{ParseQuantityError, quantity};
use crate::{Bytes, Duration, NS_PER_SECOND};

/// Requests per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iops(u64);

impl Iops {
    /// `n` requests per second.
    pub const fn new(n: u64) -> Self {
        Iops(n)
    }
    /// The plain number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Bytes per second.
///
/// ```
/// use dw_units::{Bytes, Iops, Throughput};
/// // A P30 is bound by throughput at 64 KiB: 5,000 IOPS would need 327 MB/s.
/// assert!(Iops::new(5_000) * Bytes::kib(64) > Throughput::mb_per_second(200));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Throughput(u64);

impl Throughput {
    /// `n` bytes per second.
    pub const fn bytes_per_second(n: u64) -> Self {
        Throughput(n)
    }
    /// `n` × 10⁶ bytes per second.
    pub const fn mb_per_second(n: u64) -> Self {
        Throughput(n * 1_000_000)
    }
    /// `n` × 2²⁰ bytes per second.
    pub const fn mib_per_second(n: u64) -> Self {
        Throughput(n << 20)
    }
    /// The plain number, in bytes per second.
    pub const fn get(self) -> u64 {
        self.0
    }
    /// How long `size` takes at this rate, rounded up to a nanosecond.
    ///
    /// # Panics
    /// When the rate is zero.
    pub fn time_for(self, size: Bytes) -> Duration {
        let ns = (u128::from(size.get()) * u128::from(NS_PER_SECOND)).div_ceil(u128::from(self.0));
        Duration::from_ns(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

impl Mul<Bytes> for Iops {
    type Output = Throughput;
    fn mul(self, io_size: Bytes) -> Throughput {
        Throughput(self.0.saturating_mul(io_size.get()))
    }
}
impl Add for Iops {
    type Output = Iops;
    fn add(self, other: Iops) -> Iops {
        Iops(self.0 + other.0)
    }
}
impl Add for Throughput {
    type Output = Throughput;
    fn add(self, other: Throughput) -> Throughput {
        Throughput(self.0 + other.0)
    }
}
impl core::iter::Sum for Iops {
    fn sum<I: Iterator<Item = Iops>>(iter: I) -> Iops {
        iter.fold(Iops(0), |a, b| a + b)
    }
}
impl core::iter::Sum for Throughput {
    fn sum<I: Iterator<Item = Throughput>>(iter: I) -> Throughput {
        iter.fold(Throughput(0), |a, b| a + b)
    }
}

impl FromStr for Throughput {
    type Err = ParseQuantityError;
    /// Reads `200 MB/s`, `512MiB/s`, `524288000 B/s`; the unit is required.
    fn from_str(text: &str) -> Result<Self, ParseQuantityError> {
        let units: [(&str, u64); 8] = [
            ("B/s", 1),
            ("kB/s", 1_000),
            ("KB/s", 1_000),
            ("MB/s", 1_000_000),
            ("GB/s", 1_000_000_000),
            ("KiB/s", 1 << 10),
            ("MiB/s", 1 << 20),
            ("GiB/s", 1 << 30),
        ];
        quantity(text, &units, "a throughput", "200 MB/s").map(Throughput)
    }
}

impl fmt::Display for Iops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} IOPS", self.0)
    }
}

impl fmt::Display for Throughput {
    /// Decimal MB/s with up to three decimals: what providers print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.0 / 1_000_000, self.0 % 1_000_000 / 1_000);
        if thousandths == 0 {
            write!(f, "{whole} MB/s")
        } else {
            let mut digits = thousandths;
            let mut width = 3;
            while digits % 10 == 0 {
                digits /= 10;
                width -= 1;
            }
            write!(f, "{whole}.{digits:0width$} MB/s")
        }
    }
}
