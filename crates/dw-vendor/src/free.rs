//! Disks whose size, IOPS and throughput are chosen, or follow from each other.

use dw_units::{Bytes, Iops, Throughput};

use crate::printed::MbUnit;

/// The rules of a disk whose IOPS and throughput are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeForm {
    /// IOPS per GiB of size.
    pub iops_per_gib: u64,
    /// Bytes per second per provisioned IOPS.
    pub bytes_per_iops: u64,
    /// Fewest IOPS; what a small disk may have at least.
    pub iops_min: Iops,
    /// Fewest IOPS per GiB, where the edition has such a floor.
    pub iops_min_per_gib: u64,
    /// Most IOPS of the largest disk.
    pub iops_max: Iops,
    /// Least throughput, in MB/s of `unit`.
    pub mb_min: u64,
    /// Least throughput per provisioned IOPS, in bytes, where the edition has such a floor.
    pub bytes_min_per_iops: u64,
    /// Most throughput, in MB/s of `unit`.
    pub mb_max: u64,
    /// What is free with every disk: IOPS, and MB/s of `unit`.
    pub free: Option<(Iops, u64)>,
    /// What its MB is.
    pub unit: MbUnit,
    /// What of its rates follows from what is bought.
    pub follow: Follow,
    /// Most bytes per second per GiB of size, where that decides.
    pub bytes_per_gib: Option<u64>,
    /// From so many IOPS on each has the price of another thing, by its name; ascending.
    pub bands: &'static [(u64, &'static str)],
    /// What its size gives on credits, beyond what it sustains.
    pub burst: Option<FreeBurst>,
}

/// What a disk gives while credits last whose rates follow from its size; those are what it sustains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeBurst {
    /// Requests per second, and how many requests the bucket holds, whatever the size; below that rate alone.
    pub iops: Option<(u64, u64)>,
    pub bytes: BurstBytes,
}

/// What bytes per second a disk that bursts gives at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurstBytes {
    /// No credits of bytes: those of its requests are all there are. So many MB/s, up to so many GiB fewer.
    Plain { mb: u64, small_gib: u64, small_mb: u64 },
    /// Bytes per second for each GiB, at most so many MB/s, while credits last, of which each GiB brings so many bytes.
    Credits { bytes_per_gib: u64, mb: u64, credits_per_gib: u64 },
}

/// Which rates nobody chooses, as they follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Both are bought.
    #[default]
    Nothing,
    /// The throughput follows from the IOPS.
    Throughput,
    /// Both follow from the size.
    Both,
}

impl FreeForm {
    /// The fewest and the most IOPS of a disk of `size`.
    pub fn iops_bounds(&self, size: Bytes) -> (Iops, Iops) {
        let gib = size.get() >> 30;
        let min = self.iops_min.get().max(self.iops_min_per_gib * gib);
        let max = (self.iops_per_gib * gib).max(min).min(self.iops_max.get());
        (Iops::new(min.min(max)), Iops::new(max))
    }
    /// What a disk of `size` with `iops` has where its throughput follows, in MB of `unit`.
    pub fn following(&self, gib: u64, iops: u64) -> u64 {
        let by_size = self.bytes_per_gib.map_or(u64::MAX, |bytes| bytes.saturating_mul(gib));
        (self.bytes_per_iops.saturating_mul(iops).min(by_size) / self.unit.bytes()).min(self.mb_max)
    }
    /// What IOPS cost apart: the name of the thing whose price each has, and how many, without those that are free.
    pub fn banded(&self, name: &'static str, iops: u64) -> Vec<(&'static str, u64)> {
        let free = self.free.map_or(0, |(iops, _)| iops.get());
        let mut from = free;
        let ends = self.bands.iter().map(|(end, _)| *end).chain([u64::MAX]);
        let names = [name].into_iter().chain(self.bands.iter().map(|(_, name)| *name));
        let mut parts = Vec::new();
        for (name, end) in names.zip(ends) {
            parts.push((name, iops.min(end).saturating_sub(from)));
            from = from.max(end.min(iops));
        }
        parts
    }
    /// The least and the most throughput of a disk with `iops`.
    pub fn throughput_bounds(&self, iops: Iops) -> (Throughput, Throughput) {
        let mb = |n: u64| n * self.unit.bytes();
        let min = mb(self.mb_min).max(self.bytes_min_per_iops * iops.get());
        let max = (self.bytes_per_iops * iops.get()).max(min).min(mb(self.mb_max));
        (Throughput::bytes_per_second(min.min(max)), Throughput::bytes_per_second(max))
    }
}
