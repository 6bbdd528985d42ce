//! What a class of a cluster says of the disks that are made by it.
//!
//! What a disk says itself counts before. A disk of another kind was changed since it was made: of that the class says nothing.

use crate::machine::Disk;
use crate::told::{SourceId, Told};

/// A class of disks.
#[derive(Clone, Debug)]
pub struct Class {
    /// What each of them is.
    pub disk: Disk,
    /// What is bought of each by its size.
    pub iops: Option<IopsBySize>,
}

/// I/Os a second that are bought for a disk of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IopsBySize {
    pub by: SourceId,
    /// So many for each disk, and so many more for each GiB of it.
    pub each: u64,
    pub per_gib: u64,
    /// The fewest and the most that a disk may have; asked for more, it has the most.
    pub bounds: (u64, u64),
    /// At most so many for each GiB, as far as that is not below the fewest.
    pub per_gib_most: u64,
    /// Asked for fewer, it has the fewest; otherwise no disk is made.
    pub is_raised: bool,
}

impl IopsBySize {
    /// Nothing where no disk of so many GiB is made.
    pub fn of(self, gib: u64) -> Option<u64> {
        let (least, most) = self.bounds;
        let asked = self.each.saturating_add(self.per_gib.saturating_mul(gib));
        if asked < least {
            return self.is_raised.then_some(least);
        }
        let of_size = self.per_gib_most.saturating_mul(gib);
        let within = asked.min(most);
        Some(if of_size < least { within } else { within.min(of_size) })
    }
}

impl From<Disk> for Class {
    fn from(disk: Disk) -> Class {
        Class { disk, iops: None }
    }
}

impl Class {
    /// Adds to a disk what it does not say itself.
    pub(crate) fn complete(&self, disk: &mut Disk) {
        let (own, of_class) = (disk.kind.text(), self.disk.kind.text());
        if own.is_some() && of_class.is_some() && own != of_class {
            return;
        }
        disk.join_fields(&mut self.disk.clone());
        let bought = self.iops.zip(disk.gib.value()).and_then(|(iops, gib)| Some((iops.by, iops.of(gib)?)));
        if let Some((by, iops)) = bought.filter(|_| !disk.iops.is_known()) {
            disk.iops = Told::By(by, iops);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_per_second_by_size_are_within_bounds() {
        // (each, per GiB, raised, GiB, bought)
        for (each, per_gib, is_raised, gib, bought) in [
            (0, 50, false, 100, Some(5_000)),
            (0, 50, false, 1_000, Some(16_000)),
            (0, 50, false, 20, None),
            (0, 50, true, 20, Some(3_000)),
            (0, 700, false, 20, Some(10_000)),
            (6_000, 0, false, 500, Some(6_000)),
            (6_000, 0, false, 10, Some(5_000)),
            // What the size allows is below the fewest: those it has.
            (6_000, 0, false, 4, Some(6_000)),
            (90_000, 0, false, 500, Some(16_000)),
        ] {
            let by = SourceId(0);
            let iops = IopsBySize { by, each, per_gib, bounds: (3_000, 16_000), per_gib_most: 500, is_raised };
            assert_eq!(iops.of(gib), bought, "{each} + {per_gib} per GiB, {gib} GiB");
        }
    }
}
