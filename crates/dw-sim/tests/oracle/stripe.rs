//! RAID-0: from an offset of the volume to (disk, offset), splitting and joining.
//!
//! Chunks of `stripe_unit` bytes go round the disks. Unequal disks are laid out as Linux md does: every disk takes part
//! until the smallest is full, then the remaining ones, zone by zone; sizes are rounded down to whole chunks.
//! The chunks of one request that fall on one disk are neighbours there, and travel as one disk I/O, as the block
//! layer's plugging merges them. Chapter: `docs/model/striping.md`.
//!
//! Source: Linux drivers/md/raid0.c. Ignores: the reversed member order of md's "alternate" layout in later zones.
//!
//! Invariant: the parts of a request cover it exactly once.

use std::vec::Vec;

/// A part of a request on one disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) disk: u16,
    pub(crate) offset: u64,
    pub(crate) len: u32,
}

#[derive(Clone, Debug)]
struct Zone {
    /// First byte of the volume.
    start: u64,
    /// One past its last byte.
    end: u64,
    /// First byte of the zone on each of its disks.
    disk_start: u64,
    disks: Vec<u16>,
}

/// The lay-out of a volume.
#[derive(Clone, Debug)]
pub(crate) struct Stripe {
    unit: u64,
    /// log₂ of the unit, when it is a power of two.
    shift: Option<u32>,
    zones: Vec<Zone>,
}

impl Stripe {
    /// Disks of these sizes in order, chunks of `unit` bytes.
    pub(crate) fn new(sizes: &[u64], unit: u64) -> Self {
        let mut levels: Vec<u64> = sizes.iter().map(|size| size / unit * unit).filter(|&size| size > 0).collect();
        levels.sort_unstable();
        levels.dedup();
        let (mut start, mut disk_start) = (0, 0);
        let zones = levels
            .into_iter()
            .map(|level| {
                let disks: Vec<u16> =
                    (0..sizes.len()).filter(|&d| sizes[d] / unit * unit >= level).map(|d| d as u16).collect();
                let end = start + (level - disk_start) * disks.len() as u64;
                let zone = Zone { start, end, disk_start, disks };
                (start, disk_start) = (end, level);
                zone
            })
            .collect();
        Stripe { unit, shift: unit.is_power_of_two().then(|| unit.trailing_zeros()), zones }
    }

    pub(crate) fn size(&self) -> u64 {
        self.zones.last().map_or(0, |zone| zone.end)
    }

    /// Chunk, and bytes into it.
    fn chunk(&self, within: u64) -> (u64, u64) {
        match self.shift {
            Some(shift) => (within >> shift, within & (self.unit - 1)),
            None => (within / self.unit, within % self.unit),
        }
    }

    fn zone(&self, offset: u64) -> &Zone {
        if self.zones.len() == 1 {
            return &self.zones[0];
        }
        let index = self.zones.partition_point(|zone| zone.end <= offset);
        &self.zones[index.min(self.zones.len() - 1)]
    }

    /// Where one byte is.
    pub(crate) fn place(&self, offset: u64) -> (u16, u64) {
        let zone = self.zone(offset);
        let within = offset - zone.start;
        let (chunk, rest) = self.chunk(within);
        let width = zone.disks.len() as u64;
        (zone.disks[(chunk % width) as usize], zone.disk_start + chunk / width * self.unit + rest)
    }

    /// The only part, when the request lies within one chunk.
    pub(crate) fn single(&self, offset: u64, len: u32) -> Option<Part> {
        if self.chunk(offset).1 + u64::from(len) > self.unit {
            return None;
        }
        let (disk, offset) = self.place(offset);
        Some(Part { disk, offset, len })
    }

    /// All parts, at most one a disk and zone.
    pub(crate) fn split(&self, offset: u64, len: u32, parts: &mut Vec<Part>) {
        parts.clear();
        let (mut offset, end) = (offset, offset + u64::from(len));
        while offset < end {
            let zone = self.zone(offset);
            let stop = end.min(zone.end.max(offset + 1));
            self.split_in_zone(zone, offset - zone.start, stop - zone.start, parts);
            offset = stop;
        }
    }

    fn split_in_zone(&self, zone: &Zone, from: u64, to: u64, parts: &mut Vec<Part>) {
        let width = zone.disks.len() as u64;
        let (first, last) = (from / self.unit, (to - 1) / self.unit);
        for chunk in first..=last.min(first + width - 1) {
            // This disk's chunks are `chunk`, `chunk + width`, … up to `last`.
            let final_chunk = chunk + (last - chunk) / width * width;
            let begin = if chunk == first { from % self.unit } else { 0 };
            let cut = if final_chunk == last { (last + 1) * self.unit - to } else { 0 };
            let bytes = ((final_chunk - chunk) / width + 1) * self.unit - begin - cut;
            parts.push(Part {
                disk: zone.disks[(chunk % width) as usize],
                offset: zone.disk_start + chunk / width * self.unit + begin,
                len: bytes as u32,
            });
        }
    }
}
