//! Sizes in bytes.

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Rem, Sub};
use core::str::FromStr;

use crate::parse::{ParseQuantityError, quantity};

/// A number of bytes.
///
/// Binary multiples are `KiB`, `MiB`, `GiB`, `TiB`, `PiB`, `EiB`; decimal ones `kB` to `EB`. There is no bare `K`.
///
/// ```
/// use dw_units::Bytes;
/// assert_eq!("64 KiB".parse::<Bytes>().unwrap(), Bytes::kib(64));
/// assert_eq!(Bytes::gib(1).to_string(), "1 GiB");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes(0);

    /// `n` bytes.
    pub const fn new(n: u64) -> Self {
        Bytes(n)
    }
    /// `n` × 2¹⁰ bytes.
    pub const fn kib(n: u64) -> Self {
        Bytes(n << 10)
    }
    /// `n` × 2²⁰ bytes.
    pub const fn mib(n: u64) -> Self {
        Bytes(n << 20)
    }
    /// `n` × 2³⁰ bytes.
    pub const fn gib(n: u64) -> Self {
        Bytes(n << 30)
    }
    /// `n` × 2⁴⁰ bytes.
    pub const fn tib(n: u64) -> Self {
        Bytes(n << 40)
    }
    /// The plain number.
    pub const fn get(self) -> u64 {
        self.0
    }
    /// `self - other`, or zero.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Bytes(self.0.saturating_sub(other.0))
    }
    /// How many units of `unit` bytes cover this, rounded up; zero bytes need none.
    pub const fn units_of(self, unit: Bytes) -> u64 {
        self.0.div_ceil(unit.0)
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}
impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        self.0 += other.0;
    }
}
impl Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes(self.0 - other.0)
    }
}
impl Mul<u64> for Bytes {
    type Output = Bytes;
    fn mul(self, n: u64) -> Bytes {
        Bytes(self.0 * n)
    }
}
impl Div<u64> for Bytes {
    type Output = Bytes;
    fn div(self, n: u64) -> Bytes {
        Bytes(self.0 / n)
    }
}
impl Div for Bytes {
    type Output = u64;
    fn div(self, other: Bytes) -> u64 {
        self.0 / other.0
    }
}
impl Rem for Bytes {
    type Output = Bytes;
    fn rem(self, other: Bytes) -> Bytes {
        Bytes(self.0 % other.0)
    }
}
impl core::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(iter: I) -> Bytes {
        iter.fold(Bytes::ZERO, |a, b| a + b)
    }
}

pub(crate) const SIZE_UNITS: &[(&str, u64)] = &[
    ("B", 1),
    ("kB", 1_000),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("PB", 1_000_000_000_000_000),
    ("EB", 1_000_000_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("PiB", 1 << 50),
    ("EiB", 1 << 60),
];

impl FromStr for Bytes {
    type Err = ParseQuantityError;
    /// Reads `4096 B`, `64KiB`, `1.5 TiB`; the unit is required.
    fn from_str(text: &str) -> Result<Self, ParseQuantityError> {
        quantity(text, SIZE_UNITS, "a size", "512 GiB").map(Bytes)
    }
}

impl fmt::Display for Bytes {
    /// The largest binary unit that divides the value, else plain bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (power, unit) in (1..=6).rev().zip(["EiB", "PiB", "TiB", "GiB", "MiB", "KiB"]) {
            let size = 1u64 << (10 * power);
            if self.0 >= size && self.0.is_multiple_of(size) {
                return write!(f, "{} {unit}", self.0 / size);
            }
        }
        write!(f, "{} B", self.0)
    }
}
