//! Which blocks are resident, in which order they were used, and in which tier they are: lists by stamp, searched.

use std::collections::{BTreeMap, HashMap};

/// A tier of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    Ram,
    Ssd,
}

/// Every use of a block is a stamp; what is in RAM has a stamp not before the boundary.
#[derive(Clone, Debug)]
pub(crate) struct Recency {
    stamp_of: HashMap<u32, u64>,
    block_of: BTreeMap<u64, u32>,
    stamps: u64,
    boundary: u64,
    capacity: u64,
    ram: u64,
    in_ram: u64,
    move_on_use: bool,
}

impl Recency {
    pub(crate) fn new(capacity: u64, ram: u64, move_on_use: bool) -> Self {
        let capacity = capacity.max(1);
        let (stamp_of, block_of) = (HashMap::new(), BTreeMap::new());
        Recency { stamp_of, block_of, stamps: 0, boundary: 0, capacity, ram: ram.min(capacity), in_ram: 0, move_on_use }
    }

    pub(crate) fn resident(&self) -> u64 {
        self.block_of.len() as u64
    }

    pub(crate) fn contains(&self, block: u32) -> bool {
        self.stamp_of.contains_key(&block)
    }

    /// A use of `block`: the tier it was in, or `None` when it is not resident.
    pub(crate) fn touch(&mut self, block: u32) -> Option<Tier> {
        let stamp = *self.stamp_of.get(&block)?;
        let tier = if stamp >= self.boundary { Tier::Ram } else { Tier::Ssd };
        if self.move_on_use {
            self.take(stamp);
            self.put(block);
        }
        Some(tier)
    }

    /// Makes `block`, which is not resident, resident; the oldest leaves when there is no room.
    pub(crate) fn insert(&mut self, block: u32) {
        if self.resident() == self.capacity
            && let Some((&stamp, &oldest)) = self.block_of.first_key_value()
        {
            self.take(stamp);
            self.stamp_of.remove(&oldest);
        }
        self.put(block);
    }

    /// Makes `block` not resident; nothing when it is not.
    pub(crate) fn remove(&mut self, block: u32) {
        if let Some(stamp) = self.stamp_of.remove(&block) {
            self.take(stamp);
        }
    }

    fn take(&mut self, stamp: u64) {
        self.block_of.remove(&stamp);
        self.in_ram -= u64::from(stamp >= self.boundary);
    }

    fn put(&mut self, block: u32) {
        self.stamp_of.insert(block, self.stamps);
        self.block_of.insert(self.stamps, block);
        self.stamps += 1;
        self.in_ram += 1;
        if self.in_ram > self.ram
            && let Some((&stamp, _)) = self.block_of.range(self.boundary..).next()
        {
            self.boundary = stamp + 1;
            self.in_ram -= 1;
        }
    }
}
