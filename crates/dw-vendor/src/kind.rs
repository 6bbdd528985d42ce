//! What a planner asks of a kind of disks, whoever sells it.

use dw_units::Bytes;

use crate::gate::Tags;

/// A kind of disks.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name in data files and documents.
    pub id: &'static str,
    /// The name in reports.
    pub name: &'static str,
    /// Only for machines that have this.
    pub needs: Tags,
    /// Which of the two kinds it is that gates tell apart: see [`crate::gate::Kinds`].
    pub second: bool,
    /// The largest on which an operating system may be, in GiB; absent = none.
    pub os_gib_max: Option<u64>,
    /// The last day on which an operating system may be on it, where that ends.
    pub os_until: Option<&'static str>,
    /// What it is for, and what lifts that, where nobody is given it unasked for anything but backups.
    pub on_request: Option<&'static str>,
    /// Whether it can be kept in three zones of a region.
    pub zone_redundant: bool,
    /// A larger I/O counts as several of this size.
    pub io_unit: Option<Bytes>,
    pub latency_model: &'static str,
    /// It is a hard disk.
    pub spins: bool,
    /// Only for volumes that are read and written from front to back: it takes as long for a small request as for a large one.
    pub sequential: bool,
    /// What the vendor promises one machine whose worst disks are of this kind; absent where no page that was read says it.
    pub promise: Option<Promise>,
}

/// A share of a month in which a vendor promises that a machine can be reached, or pays some of its price back.
#[derive(Debug, PartialEq, Eq)]
pub struct Promise {
    /// In hundredths of a percent.
    pub hundredths: u32,
    /// For several machines, where they are; empty for one.
    pub place: &'static str,
    /// The page, and the date of its text.
    pub source: &'static str,
}

impl Promise {
    /// Whether these are in more than one zone.
    pub fn spans_zones(&self) -> bool {
        self.place.contains("zones")
    }
}
