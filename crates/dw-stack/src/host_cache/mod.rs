//! The host cache: look-up, fill, and what a request finds in it.
//!
//! RAM and local SSD of the host hold blocks of the cached disks, least recently used first out (the vendor publishes
//! neither block size nor admission nor eviction: each is a parameter of [`crate::HostCacheSpec`]). A block may be
//! partly valid: a miss brings in the sectors that were asked for, of 4 KiB or a sixteenth of a block above 64 KiB, so
//! what was not read is a miss, down to that grain. A request is a hit when all of it is resident, and as slow as its
//! slowest part. Chapter: `docs/model/host-cache.md`.
//!
//! Ignores: the time between a miss and the arrival of its data (a second reader of the block counts as a hit).
//!
//! Invariant: dirty sectors are always readable here, resident or not; a block is in one tier.

mod chance;
mod recency;
mod write_back;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::spec::{Eviction, Fill, HostCacheSpec};
pub(crate) use chance::Chances;
use recency::Recency;
pub(crate) use recency::Tier;
pub(crate) use write_back::Destage;
use write_back::{Geometry, WriteBack};

/// Largest disk that the host cache takes: 4,095 GiB.
pub(crate) const CACHEABLE_MAX: u64 = 4_095 << 30;
/// Below this a block is not divided.
const SECTOR_MIN: u64 = 4 << 10;
const SECTORS_MAX: u64 = 16;
const LEAF_BITS: u32 = 16;

/// The part of a disk in the cache's address space.
#[derive(Clone, Debug)]
struct DiskRange {
    first_block: u32,
    blocks: u32,
    write_back: WriteBack,
}

/// The cache of one VM.
#[derive(Clone, Debug)]
pub(crate) struct HostCache {
    pub(crate) spec: HostCacheSpec,
    geometry: Geometry,
    block_shift: u32,
    sector_shift: u32,
    blocks: u64,
    recency: Recency,
    /// Valid sectors of blocks, for leaves that hold a partly valid block.
    valid: Vec<Option<Box<[u16]>>>,
    /// How many such leaves there are.
    partly: usize,
    disks: Vec<Option<DiskRange>>,
    /// The first block of each disk.
    first_blocks: Vec<u32>,
    dirty: u64,
    /// Room for dirty bytes of each disk that is written back.
    dirty_share: u64,
    /// Reads are hits by chance, and the index stands still.
    pub(crate) chances: Option<Box<Chances>>,
}

impl HostCache {
    /// `sizes`: each disk's bytes, `None` for disks that can never be cached. Fails when the blocks do not fit an index.
    pub(crate) fn new(spec: &HostCacheSpec, sizes: &[Option<u64>]) -> Result<Self, &'static str> {
        let block = spec.block_size.get();
        if !block.is_power_of_two() || !(4 << 10..=1 << 20).contains(&block) {
            return Err("the block size must be a power of two from 4 KiB to 1 MiB");
        }
        let sector = SECTOR_MIN.max(block / SECTORS_MAX);
        let geometry = Geometry { block, sector };
        let mut blocks = 0u64;
        let disks: Vec<Option<DiskRange>> = sizes
            .iter()
            .map(|size| {
                size.map(|bytes| {
                    let first_block = u32::try_from(blocks).unwrap_or(u32::MAX);
                    let own = bytes.div_ceil(block);
                    blocks += own;
                    DiskRange { first_block, blocks: own as u32, write_back: WriteBack::new(geometry) }
                })
            })
            .collect();
        if blocks >= u64::from(u32::MAX) {
            return Err("the disks that it serves have more than 4,294,967,294 blocks: use a larger block size");
        }
        let capacity = spec.capacity.get() / block;
        let recency = Recency::new(blocks, capacity, spec.ram.get() / block, spec.eviction == Eviction::Lru);
        Ok(HostCache {
            spec: spec.clone(),
            geometry,
            block_shift: block.trailing_zeros(),
            sector_shift: sector.trailing_zeros(),
            blocks,
            recency,
            valid: alloc::vec![None; (blocks >> LEAF_BITS) as usize + 1],
            partly: 0,
            first_blocks: disks.iter().map(|range| range.as_ref().map_or(0, |range| range.first_block)).collect(),
            disks,
            dirty: 0,
            dirty_share: spec.write_back.dirty_max.get(),
            chances: None,
        })
    }

    /// As after a reboot: nothing resident. Dirty data stay until they are home.
    pub(crate) fn clear(&mut self) {
        let (block, spec) = (self.geometry.block, &self.spec);
        self.recency = Recency::new(
            self.blocks,
            spec.capacity.get() / block,
            spec.ram.get() / block,
            spec.eviction == Eviction::Lru,
        );
        self.valid.fill(None);
        self.partly = 0;
    }

    /// Bytes resident (whole blocks).
    pub(crate) fn resident(&self) -> u64 {
        self.recency.resident() * self.geometry.block
    }

    /// Bytes that some disk does not have yet.
    pub(crate) fn dirty(&self) -> u64 {
        self.dirty
    }

    /// Bytes of memory that the index takes.
    pub(crate) fn index_bytes(&self) -> usize {
        let leaf = 2 << LEAF_BITS;
        self.recency.bytes() + self.valid.len() * size_of::<Option<Box<[u16]>>>() + self.partly * leaf
    }

    fn range(&self, disk: u16) -> Option<&DiskRange> {
        self.disks[usize::from(disk)].as_ref()
    }

    /// The blocks of a range, as (first, last) in the cache's address space.
    #[inline(always)]
    fn blocks_of(&self, disk: u16, offset: u64, len: u64) -> (u32, u32) {
        let first = self.first_blocks[usize::from(disk)];
        (first + (offset >> self.block_shift) as u32, first + ((offset + len - 1) >> self.block_shift) as u32)
    }

    #[inline(always)]
    pub(crate) fn hint(&mut self, disk: u16, offsets: impl Iterator<Item = u64>) {
        let Some(range) = self.disks[usize::from(disk)].as_ref().filter(|_| self.chances.is_none()) else { return };
        for offset in offsets {
            self.recency.hint(range.first_block + (offset >> self.block_shift) as u32);
        }
    }

    /// Sectors of block number `index` (of the disk) that the range touches; only wholly covered ones for `inside`.
    #[inline]
    fn mask(&self, block_start: u64, offset: u64, end: u64, inside: bool) -> u32 {
        let block = self.geometry.block;
        let (from, to) = (offset.max(block_start) - block_start, end.min(block_start + block) - block_start);
        let round = if inside { self.geometry.sector - 1 } else { 0 };
        let (first, last) =
            ((from + round) >> self.sector_shift, (to + self.geometry.sector - 1 - round) >> self.sector_shift);
        if first >= last {
            return 0;
        }
        (((1u64 << last) - 1) & !((1u64 << first) - 1)) as u32
    }

    #[inline]
    fn valid(&self, block: u32) -> u32 {
        match &self.valid[(block >> LEAF_BITS) as usize] {
            None => self.geometry.full_mask(),
            Some(leaf) => u32::from(leaf[(block & ((1 << LEAF_BITS) - 1)) as usize]),
        }
    }

    fn set_valid(&mut self, block: u32, mask: u32) {
        let full = self.geometry.full_mask();
        let leaf = &mut self.valid[(block >> LEAF_BITS) as usize];
        if leaf.is_none() && mask == full {
            return;
        }
        self.partly += usize::from(leaf.is_none());
        leaf.get_or_insert_with(|| alloc::vec![full as u16; 1 << LEAF_BITS].into_boxed_slice())
            [(block & ((1 << LEAF_BITS) - 1)) as usize] = mask as u16;
    }

    /// A read: the slowest tier that serves it, or `None` for a miss. What is missing becomes resident.
    #[inline(always)]
    pub(crate) fn read(&mut self, disk: u16, offset: u64, len: u64) -> Option<Tier> {
        if let Some(chances) = &mut self.chances {
            return chances.draw(disk, offset);
        }
        let (first, last) = self.blocks_of(disk, offset, len);
        if first == last {
            return match self.recency.touch(first) {
                // Most leaves hold whole blocks only.
                Some(tier) if self.partly == 0 => Some(tier),
                Some(tier) if self.valid[(first >> LEAF_BITS) as usize].is_none() => Some(tier),
                touched => {
                    let start = offset >> self.block_shift << self.block_shift;
                    self.read_sectors(touched, disk, first, start, offset, offset + len)
                }
            };
        }
        self.read_blocks(disk, first, last, offset, len)
    }

    /// A read of several blocks.
    #[inline(never)]
    fn read_blocks(&mut self, disk: u16, first: u32, last: u32, offset: u64, len: u64) -> Option<Tier> {
        let mut start = offset >> self.block_shift << self.block_shift;
        let mut slowest = self.read_block(disk, first, start, offset, offset + len);
        for block in first + 1..=last {
            start += self.geometry.block;
            slowest = match (slowest, self.read_block(disk, block, start, offset, offset + len)) {
                (Some(Tier::Ram), tier) => tier,
                (Some(Tier::Ssd), Some(_)) => Some(Tier::Ssd),
                _ => None,
            };
        }
        slowest
    }

    fn read_block(&mut self, disk: u16, block: u32, block_start: u64, offset: u64, end: u64) -> Option<Tier> {
        match self.recency.touch(block) {
            Some(tier) if self.valid[(block >> LEAF_BITS) as usize].is_none() => Some(tier),
            touched => self.read_sectors(touched, disk, block, block_start, offset, end),
        }
    }

    /// The same for a block that was in this tier and may be partly valid, or was not resident.
    #[inline(never)]
    fn read_sectors(
        &mut self,
        touched: Option<Tier>,
        disk: u16,
        block: u32,
        block_start: u64,
        offset: u64,
        end: u64,
    ) -> Option<Tier> {
        match touched {
            Some(tier) => {
                let (needed, valid) = (self.mask(block_start, offset, end, false), self.valid(block));
                if needed & !valid == 0 {
                    return Some(tier);
                }
                self.set_valid(block, self.filled(valid | needed));
                self.dirty_covers(disk, block, needed & !valid).then_some(tier)
            }
            None => {
                let needed = self.mask(block_start, offset, end, false);
                let was_dirty = self.dirty_covers(disk, block, needed);
                self.recency.insert(block);
                self.set_valid(block, self.filled(needed));
                was_dirty.then_some(Tier::Ssd)
            }
        }
    }

    fn filled(&self, mask: u32) -> u32 {
        if self.spec.fill == Fill::Block { self.geometry.full_mask() } else { mask }
    }

    fn dirty_covers(&self, disk: u16, block: u32, mask: u32) -> bool {
        self.dirty > 0 && self.range(disk).is_some_and(|range| range.write_back.covers(block - range.first_block, mask))
    }

    /// A write that also goes to the disk: what is resident is updated, what is not comes in if `allocate`.
    pub(crate) fn write_through(&mut self, disk: u16, offset: u64, len: u64, allocate: bool) {
        if self.chances.is_some() {
            return;
        }
        let (first, last) = self.blocks_of(disk, offset, len);
        let mut start = offset >> self.block_shift << self.block_shift;
        for block in first..=last {
            // A sector written only in part does not become valid by it.
            let written = self.mask(start, offset, offset + len, true);
            if self.recency.touch(block).is_some() {
                self.set_valid(block, self.valid(block) | written);
            } else if allocate && written != 0 {
                self.recency.insert(block);
                self.set_valid(block, written);
            }
            start += self.geometry.block;
        }
    }

    /// Makes a range resident as if it had been read; never dirty.
    pub(crate) fn warm(&mut self, disk: u16, offset: u64, len: u64) {
        if len > 0 && self.range(disk).is_some() {
            self.read(disk, offset, len);
        }
    }

    /// Divides the room for dirty data among the disks that are written back, so that a slow one holds up no other.
    pub(crate) fn share_dirty(&mut self, disks: usize) {
        self.dirty_share = self.spec.write_back.dirty_max.get() / disks.max(1) as u64;
    }

    /// Whether a write of `len` bytes to the disk may become dirty now; one larger than the room needs all of it.
    pub(crate) fn has_room(&self, disk: u16, len: u64) -> bool {
        let dirty = self.dirty_of(disk);
        dirty == 0 || dirty + len <= self.dirty_share
    }

    /// A write that is done when it is here.
    pub(crate) fn write_back(&mut self, now: u64, disk: u16, offset: u64, len: u64) {
        self.write_through(disk, offset, len, true);
        let (first, last) = self.blocks_of(disk, offset, len);
        let mut start = offset >> self.block_shift << self.block_shift;
        for block in first..=last {
            let mask = self.mask(start, offset, offset + len, false);
            if let Some(range) = &mut self.disks[usize::from(disk)] {
                self.dirty += range.write_back.mark(now, block - range.first_block, mask);
            }
            start += self.geometry.block;
        }
    }

    /// A trim: the range is neither resident nor dirty afterwards.
    pub(crate) fn discard(&mut self, disk: u16, offset: u64, len: u64) {
        let (first, last) = self.blocks_of(disk, offset, len);
        let mut start = offset >> self.block_shift << self.block_shift;
        for block in first..=last {
            let mask = self.mask(start, offset, offset + len, true);
            if mask == self.geometry.full_mask() {
                self.recency.remove(block);
            } else if self.recency.contains(block) {
                self.set_valid(block, self.valid(block) & !mask);
            }
            if let Some(range) = &mut self.disks[usize::from(disk)] {
                self.dirty -= range.write_back.discard(block - range.first_block, mask);
            }
            start += self.geometry.block;
        }
    }

    /// Forgets everything resident of a disk (it is detached).
    pub(crate) fn drop_disk(&mut self, disk: u16) {
        if let Some(range) = self.range(disk) {
            for block in range.first_block..range.first_block + range.blocks {
                self.recency.remove(block);
            }
        }
    }

    /// Gives a disk its part of the address space, if it has none yet; false when the blocks do not fit.
    pub(crate) fn attach(&mut self, disk: u16, size: u64) -> bool {
        if self.range(disk).is_some() {
            return true;
        }
        let blocks = size.div_ceil(self.geometry.block);
        if self.blocks + blocks >= u64::from(u32::MAX) {
            return false;
        }
        let write_back = WriteBack::new(self.geometry);
        self.first_blocks[usize::from(disk)] = self.blocks as u32;
        self.disks[usize::from(disk)] =
            Some(DiskRange { first_block: self.blocks as u32, blocks: blocks as u32, write_back });
        self.blocks += blocks;
        self.recency.extend(self.blocks);
        self.valid.resize((self.blocks >> LEAF_BITS) as usize + 1, None);
        true
    }

    /// Gives a disk a larger part of the address space, where it begins cold; false when the blocks do not fit.
    pub(crate) fn grow(&mut self, disk: u16, size: u64) -> bool {
        self.drop_disk(disk);
        let old = self.disks[usize::from(disk)].take();
        let attached = self.attach(disk, size);
        if !attached {
            self.disks[usize::from(disk)] = old;
        }
        attached
    }

    /// Loses what is dirty of a disk; returns the flushes that waited for it.
    pub(crate) fn lose_dirty(&mut self, disk: u16) -> impl Iterator<Item = u32> {
        let lost = self.disks[usize::from(disk)].as_mut().map(|range| range.write_back.lose());
        self.dirty -= lost.as_ref().map_or(0, |lost| lost.0);
        lost.into_iter().flat_map(|lost| lost.1)
    }

    /// The ranges of the disk that a disk write under way brings home, as (offset, bytes).
    pub(crate) fn each_run(&self, disk: u16, sequence: u64, mut run: impl FnMut(u64, u64)) {
        let Some(range) = self.range(disk) else { return };
        let Some(destage) = range.write_back.under_way(sequence) else { return };
        let sector = self.geometry.sector;
        for (index, &mask) in destage.masks.iter().enumerate() {
            let start = (u64::from(destage.block) + index as u64) * self.geometry.block;
            let mut left = mask;
            while left != 0 {
                let first = left.trailing_zeros();
                let count = (left >> first).trailing_ones();
                run(start + u64::from(first) * sector, u64::from(count) * sector);
                left &= !((((1u64 << count) - 1) << first) as u32);
            }
        }
    }

    /// When the disk's oldest dirty block may be destaged, or `None` when nothing is to be done.
    pub(crate) fn destage_at(&self, disk: u16, now: u64, wanted: bool) -> Option<u64> {
        let write_back = &self.range(disk)?.write_back;
        if write_back.in_flight() >= self.spec.write_back.destage_depth.max(1) as usize {
            return None;
        }
        let since = write_back.oldest()?;
        if wanted || write_back.flushing() {
            return Some(now);
        }
        Some(since.saturating_add(self.spec.write_back.destage_after.ns()).max(now))
    }

    /// Takes the next disk write of a disk.
    pub(crate) fn start_destage(&mut self, disk: u16) -> Option<Destage> {
        self.disks[usize::from(disk)].as_mut()?.write_back.start()
    }

    /// A disk write is done; returns its bytes.
    pub(crate) fn finish_destage(&mut self, disk: u16, sequence: u64) -> u64 {
        let bytes = self.disks[usize::from(disk)].as_mut().map_or(0, |range| range.write_back.finish(sequence));
        self.dirty -= bytes;
        bytes
    }

    /// A flush of the disk; false when nothing is dirty.
    pub(crate) fn flush(&mut self, disk: u16, op: u32) -> bool {
        self.disks[usize::from(disk)].as_mut().is_some_and(|range| range.write_back.flush(op))
    }

    /// The next flush of the disk whose data are home.
    pub(crate) fn flushed(&mut self, disk: u16) -> Option<u32> {
        self.disks[usize::from(disk)].as_mut()?.write_back.flushed()
    }

    /// Bytes of the disk that it does not have yet.
    pub(crate) fn dirty_of(&self, disk: u16) -> u64 {
        self.range(disk).map_or(0, |range| range.write_back.bytes())
    }

    /// Bytes of the disk that it does not have yet, the room for them, and for how long the oldest of them has been due.
    pub(crate) fn backlog(&self, disk: u16, now: u64) -> (u64, u64, u64) {
        let due = self.range(disk).and_then(|range| range.write_back.oldest());
        let due = due.map_or(now, |since| since.saturating_add(self.spec.write_back.destage_after.ns()));
        (self.dirty_of(disk), self.dirty_share, now.saturating_sub(due))
    }

    pub(crate) fn block_size(&self) -> u64 {
        self.geometry.block
    }
}
