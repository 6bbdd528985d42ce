//! Dirty data of one disk under a ReadWrite cache: what the disk does not have yet, and in which order it will get it.
//!
//! A block that becomes dirty joins the end of a queue; it is destaged in that order, all its dirty sectors together,
//! with the blocks that follow it on the disk and in the queue joined into one disk write of at most 256 KiB (or one block). A write
//! to a block that is being destaged makes it dirty again. A flush is done when everything that was dirty when it came
//! has reached the disk.
//!
//! Invariant: dirty bytes = sectors marked here, being written or not; a sector leaves only when its disk write is done.

use std::collections::{HashMap, VecDeque};

/// Blocks and sectors of a cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    pub(crate) block: u64,
    pub(crate) sector: u64,
}

impl Geometry {
    /// Sectors from the lowest to the highest bit of a mask.
    pub(crate) fn full_mask(self) -> u32 {
        ((1u64 << (self.block / self.sector)) - 1) as u32
    }
}

/// A disk write that brings dirty data home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destage {
    /// First block, in blocks of the disk.
    pub(crate) block: u32,
    /// Dirty sectors of each block in turn.
    pub(crate) masks: Vec<u32>,
    /// Separate runs of sectors: the I/Os it costs.
    pub(crate) runs: u32,
    pub(crate) bytes: u64,
    /// Place in the order of the queue; no two are alike.
    pub(crate) sequence: u64,
}

/// The largest disk write made by joining neighbours; a single block may be larger.
const JOIN_MAX: u64 = 256 << 10;

/// The dirty data of one disk.
#[derive(Clone, Debug)]
pub(crate) struct WriteBack {
    geometry: Geometry,
    sectors: HashMap<u32, u32>,
    /// (block, when it became dirty).
    queue: VecDeque<(u32, u64)>,
    /// Sequence of the queue's front.
    front: u64,
    in_flight: Vec<Destage>,
    bytes: u64,
    /// Flushes: everything before this sequence must be home; which request waits.
    flushes: VecDeque<(u64, u32)>,
}

impl WriteBack {
    pub(crate) fn new(geometry: Geometry) -> Self {
        WriteBack {
            geometry,
            sectors: HashMap::default(),
            queue: VecDeque::new(),
            front: 0,
            in_flight: Vec::new(),
            bytes: 0,
            flushes: VecDeque::new(),
        }
    }

    /// Bytes that the disk does not have yet.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Disk writes under way.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Makes the sectors of `mask` dirty; returns the bytes that were not dirty before.
    pub(crate) fn mark(&mut self, now: u64, block: u32, mask: u32) -> u64 {
        let sectors = self.sectors.entry(block).or_insert(0);
        if *sectors == 0 {
            self.queue.push_back((block, now));
        }
        let added = u64::from((mask & !*sectors).count_ones()) * self.geometry.sector;
        *sectors |= mask;
        self.bytes += added;
        added
    }

    /// Whether every sector of `mask` is dirty here or on its way.
    pub(crate) fn covers(&self, block: u32, mask: u32) -> bool {
        let mut left = mask & !self.sectors.get(&block).copied().unwrap_or(0);
        for destage in &self.in_flight {
            if let Some(sectors) = block.checked_sub(destage.block).and_then(|i| destage.masks.get(i as usize)) {
                left &= !sectors;
            }
        }
        left == 0
    }

    /// When the oldest dirty block became dirty.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.queue.front().map(|entry| entry.1)
    }

    /// Whether a flush waits.
    pub(crate) fn flushing(&self) -> bool {
        !self.flushes.is_empty()
    }

    /// Forgets sectors that were discarded; returns the bytes.
    pub(crate) fn discard(&mut self, block: u32, mask: u32) -> u64 {
        let Some(sectors) = self.sectors.get_mut(&block) else { return 0 };
        let gone = u64::from((mask & *sectors).count_ones()) * self.geometry.sector;
        // The queue keeps its entry; an entry without sectors is skipped when its turn comes.
        *sectors &= !mask;
        self.bytes -= gone;
        gone
    }

    /// Takes the oldest dirty block, with the neighbours that follow it in the queue.
    pub(crate) fn start(&mut self) -> Option<Destage> {
        let (block, sectors) = loop {
            let (block, _) = self.queue.pop_front()?;
            self.front += 1;
            match self.sectors.remove(&block) {
                Some(sectors) if sectors != 0 => break (block, sectors),
                _ => {}
            }
        };
        let mut destage = Destage { block, masks: std::vec![sectors], runs: 0, bytes: 0, sequence: self.front - 1 };
        let full = self.geometry.full_mask();
        while (destage.masks.len() as u64 + 1) * self.geometry.block <= JOIN_MAX {
            let follows = block + destage.masks.len() as u32;
            let last = destage.masks[destage.masks.len() - 1];
            let touches = last > full >> 1 && self.sectors.get(&follows).is_some_and(|next| next & 1 == 1);
            if !touches || self.queue.front().is_none_or(|next| next.0 != follows) {
                break;
            }
            self.queue.pop_front();
            self.front += 1;
            destage.masks.extend(self.sectors.remove(&follows));
        }
        let mut previous = false;
        for &mask in &destage.masks {
            destage.bytes += u64::from(mask.count_ones()) * self.geometry.sector;
            let starts = mask & !(mask << 1 | u32::from(previous));
            destage.runs += starts.count_ones();
            previous = mask > full >> 1;
        }
        self.in_flight.push(destage.clone());
        Some(destage)
    }

    /// The disk write with this sequence is done; returns its bytes.
    pub(crate) fn finish(&mut self, sequence: u64) -> u64 {
        let Some(at) = self.in_flight.iter().position(|destage| destage.sequence == sequence) else { return 0 };
        let bytes = self.in_flight.swap_remove(at).bytes;
        self.bytes -= bytes;
        bytes
    }

    /// Waits until what is dirty now is home; false when nothing is.
    pub(crate) fn flush(&mut self, op: u32) -> bool {
        if self.bytes == 0 {
            return false;
        }
        self.flushes.push_back((self.front + self.queue.len() as u64, op));
        true
    }

    /// The next flush whose data are home.
    pub(crate) fn flushed(&mut self) -> Option<u32> {
        let &(until, op) = self.flushes.front()?;
        let home = self.in_flight.iter().map(|destage| destage.sequence).min().unwrap_or(u64::MAX).min(self.front);
        if home < until {
            return None;
        }
        self.flushes.pop_front();
        Some(op)
    }
}
