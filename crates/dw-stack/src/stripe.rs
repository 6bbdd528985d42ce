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

use alloc::vec::Vec;

/// A part of a request on one disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) disk: u16,
    pub(crate) offset: u64,
    pub(crate) len: u32,
}

/// Where the bytes of one disk are in its volume.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) size: u64,
    pub(crate) stripe: Option<Stripe>,
    pub(crate) disk: u16,
}

impl Layout {
    /// (offset in the volume, bytes that lie there in one run) of a byte of the disk; `None` where the volume does not use it.
    pub fn find(&self, offset: u64) -> Option<(u64, u64)> {
        match &self.stripe {
            None => (offset < self.size).then(|| (offset, self.size - offset)),
            Some(stripe) => stripe.find(self.disk, offset).map(|at| (at, stripe.left_in_chunk(at))),
        }
    }

    /// Bytes that lie together at least.
    pub fn chunk(&self) -> u64 {
        self.stripe.as_ref().map_or(self.size, |stripe| stripe.unit)
    }
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
    #[inline(always)]
    fn chunk(&self, within: u64) -> (u64, u64) {
        match self.shift {
            Some(shift) => (within >> shift, within & (self.unit - 1)),
            None => (within / self.unit, within % self.unit),
        }
    }

    #[inline(always)]
    fn zone(&self, offset: u64) -> &Zone {
        if self.zones.len() == 1 {
            return &self.zones[0];
        }
        let index = self.zones.partition_point(|zone| zone.end <= offset);
        &self.zones[index.min(self.zones.len() - 1)]
    }

    /// Where one byte is.
    #[inline(always)]
    pub(crate) fn place(&self, offset: u64) -> (u16, u64) {
        let zone = self.zone(offset);
        let within = offset - zone.start;
        let (chunk, rest) = self.chunk(within);
        let width = zone.disks.len() as u64;
        (zone.disks[(chunk % width) as usize], zone.disk_start + chunk / width * self.unit + rest)
    }

    /// Which byte of the volume a byte of a disk is; `None` behind the last whole chunk.
    pub(crate) fn find(&self, disk: u16, offset: u64) -> Option<u64> {
        self.zones.iter().find_map(|zone| {
            let column = zone.disks.iter().position(|&other| other == disk)? as u64;
            let (row, rest) = self.chunk(offset.checked_sub(zone.disk_start)?);
            let at = zone.start + (row * zone.disks.len() as u64 + column) * self.unit + rest;
            (at < zone.end).then_some(at)
        })
    }

    /// Bytes from an offset to the end of its chunk.
    pub(crate) fn left_in_chunk(&self, offset: u64) -> u64 {
        self.unit - self.chunk(offset - self.zone(offset).start).1
    }

    /// The only part, when the request lies within one chunk.
    #[inline(always)]
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
        let ((first, begin), (last, _)) = (self.chunk(from), self.chunk(to - 1));
        let (mut row, mut column) = (first / width, first % width);
        // Whole rounds of the disks after the first chunk, and the disk, counted from the first, on which the last chunk is.
        let (rounds, final_disk) = ((last - first) / width, (last - first) % width);
        for disk in 0..width.min(last - first + 1) {
            // This disk's chunks are `disk`, `disk + width`, … after the first, up to the last.
            let chunks = rounds + u64::from(disk <= final_disk);
            let begin = if disk == 0 { begin } else { 0 };
            let cut = if disk == final_disk { (last + 1) * self.unit - to } else { 0 };
            parts.push(Part {
                disk: zone.disks[column as usize],
                offset: zone.disk_start + row * self.unit + begin,
                len: (chunks * self.unit - begin - cut) as u32,
            });
            column += 1;
            if column == width {
                (row, column) = (row + 1, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deals bytes out one at a time.
    fn place_slowly(sizes: &[u64], unit: u64, offset: u64) -> (u16, u64) {
        let mut used = alloc::vec![0u64; sizes.len()];
        let mut disk = 0;
        let mut byte = 0;
        let usable = |d: usize| sizes[d] / unit * unit;
        let mut level = 0;
        loop {
            // A zone ends when its disks are equally full up to the smallest of them.
            while disk < sizes.len() && used[disk] >= usable(disk) {
                disk += 1;
            }
            if disk == sizes.len() {
                disk = 0;
                level += 1;
                assert!(level < 10_000, "offset {offset} is beyond the volume");
                continue;
            }
            for _ in 0..unit {
                if byte == offset {
                    return (disk as u16, used[disk]);
                }
                byte += 1;
                used[disk] += 1;
            }
            disk += 1;
            if disk == sizes.len() {
                disk = 0;
            }
        }
    }

    #[test]
    fn placing_agrees_with_dealing_bytes_out() {
        let cases: &[&[u64]] = &[&[64], &[64, 64], &[64, 64, 64], &[16, 64, 32], &[64, 8, 64, 24], &[17, 33]];
        for sizes in cases {
            for unit in [1, 2, 8] {
                let stripe = Stripe::new(sizes, unit);
                assert_eq!(stripe.size(), sizes.iter().map(|s| s / unit * unit).sum::<u64>());
                for offset in 0..stripe.size() {
                    let (disk, at) = stripe.place(offset);
                    assert_eq!((disk, at), place_slowly(sizes, unit, offset), "{sizes:?} {unit} {offset}");
                    assert_eq!(stripe.find(disk, at), Some(offset), "{sizes:?} {unit} {offset}");
                }
                for (disk, size) in (0..).zip(*sizes) {
                    let used = (0..*size).filter(|&at| stripe.find(disk, at).is_some()).count() as u64;
                    assert_eq!(used, size / unit * unit, "{sizes:?} {unit} disk {disk}");
                }
            }
        }
    }

    #[test]
    fn parts_cover_a_request_exactly_once() {
        let cases: &[&[u64]] = &[&[64, 64], &[64, 64, 64], &[16, 64, 32], &[64, 8, 64, 24]];
        let mut parts = Vec::new();
        for sizes in cases {
            for unit in [1, 4, 8] {
                let stripe = Stripe::new(sizes, unit);
                for offset in 0..stripe.size() {
                    for len in 1..=(stripe.size() - offset).min(40) {
                        stripe.split(offset, len as u32, &mut parts);
                        let mut bytes: Vec<(u16, u64)> = parts
                            .iter()
                            .flat_map(|p| (p.offset..p.offset + u64::from(p.len)).map(|b| (p.disk, b)))
                            .collect();
                        let mut expected: Vec<(u16, u64)> = (offset..offset + len).map(|b| stripe.place(b)).collect();
                        bytes.sort_unstable();
                        expected.sort_unstable();
                        assert_eq!(bytes, expected, "{sizes:?} unit {unit} offset {offset} len {len}");
                        if let Some(single) = stripe.single(offset, len as u32) {
                            assert_eq!(parts, [single]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_wide_request_is_one_io_a_disk() {
        let kib = 1024;
        let stripe = Stripe::new(&[1 << 30; 4], 64 * kib);
        let mut parts = Vec::new();
        stripe.split(0, (1024 * kib) as u32, &mut parts);
        assert_eq!(parts.len(), 4);
        assert!(parts.iter().all(|part| u64::from(part.len) == 256 * kib && part.offset == 0));
    }
}
