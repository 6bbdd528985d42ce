//! A figure in "MB per second" as the page prints it, and what that MB is.
//!
//! Formula: bytes per second = printed figure × bytes of the unit.
//!
//! Source: `rules.toml` of the vendor, which names the unit of every series, edition and limit with its reason; the guide's
//! chapter `docs/guide/catalogue.md` tells the story.
//!
//! Ignores: that some pages round (95 for 96); such figures differ from the API edition and are listed as conflicts.

use core::fmt;

use dw_units::Throughput;

/// What one printed "MB" is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MbUnit {
    /// 10⁶ bytes.
    Million,
    /// 1,000 KiB = 1,024,000 bytes.
    ThousandKib,
    /// 2²⁰ bytes.
    Mebi,
}

impl MbUnit {
    /// The unit of that many bytes.
    pub const fn from_bytes(bytes: u64) -> Option<Self> {
        match bytes {
            1_000_000 => Some(MbUnit::Million),
            1_024_000 => Some(MbUnit::ThousandKib),
            1_048_576 => Some(MbUnit::Mebi),
            _ => None,
        }
    }
    /// Bytes in one.
    pub const fn bytes(self) -> u64 {
        match self {
            MbUnit::Million => 1_000_000,
            MbUnit::ThousandKib => 1_024_000,
            MbUnit::Mebi => 1_048_576,
        }
    }
}

/// A printed throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrintedMb {
    /// The number on the page.
    pub number: u64,
    /// What its MB is.
    pub unit: MbUnit,
}

impl PrintedMb {
    /// In exact bytes per second.
    pub const fn throughput(self) -> Throughput {
        Throughput::bytes_per_second(self.number * self.unit.bytes())
    }
    /// Whether the number, as 10⁶ or 2²⁰ bytes, is a record's whole MiB a second.
    pub fn agrees_with(self, record: PrintedMb) -> bool {
        [MbUnit::Million, MbUnit::Mebi].into_iter().any(|unit| {
            let bytes = PrintedMb { number: self.number, unit }.throughput().get();
            bytes / record.unit.bytes() == record.number
        })
    }
}

impl fmt::Display for PrintedMb {
    /// The number as printed, times what its MB is: `512 x 1,024,000 B/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            MbUnit::Million => write!(f, "{} x 10^6 B/s", self.number),
            MbUnit::ThousandKib => write!(f, "{} x 1,024,000 B/s", self.number),
            MbUnit::Mebi => write!(f, "{} x 2^20 B/s", self.number),
        }
    }
}
