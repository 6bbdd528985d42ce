//! Which blocks are resident, in which order they were used, and in which tier they are.
//!
//! A lazy ring: every use appends the block to a log and clears the mark of its former place; a map says where each
//! block's latest place is. The oldest marked place is the least recently used block, so eviction reads the log from
//! its old end, and a use costs one random access (the map) instead of the three of a linked list. The log is cut into
//! segments; when they run out, neighbours with few marks are packed together, in order.
//!
//! One log serves both tiers: RAM holds the blocks after a boundary, the SSD everything (inclusive LRU has the stack
//! property, Mattson 1970), so what is in RAM is a suffix of what is on the SSD.
//!
//! Memory a cached block: at most 1.9 places × 4.1 bytes, and 4 bytes of map for each addressable block that shares a
//! leaf with a used one.
//!
//! Invariant: a block has at most one marked place, and the map names it; marked places = resident blocks ≤ capacity;
//! marked places after the boundary = blocks in RAM ≤ RAM capacity.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::prefetch::prefetch;

/// A tier of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    Ram,
    Ssd,
}

/// Blocks of one leaf of the map: 2 MiB of places.
const LEAF_BITS: u32 = 19;
const NOWHERE: u32 = u32::MAX;
const NO_SEGMENT: u32 = u32::MAX;
/// Largest segment: 2¹⁴ places, so that packing a few never takes longer than a millisecond.
const SEGMENT_BITS_MAX: u32 = 14;
const SEGMENT_BITS_MIN: u32 = 6;
/// Places of the log between fetching a block's line of the map and writing it.
const LOOK_AHEAD: usize = 24;
/// Hints between fetching a block's line of the map and reading it.
const HINTS: usize = 16;

/// Where each block's latest place is; leaves come into being on first use.
#[derive(Clone, Debug)]
struct Map {
    leaves: Vec<Option<Box<[u32]>>>,
}

impl Map {
    fn new(blocks: u64) -> Self {
        Map { leaves: alloc::vec![None; (blocks >> LEAF_BITS) as usize + 1] }
    }

    #[inline]
    fn get(&self, block: u32) -> u32 {
        match &self.leaves[(block >> LEAF_BITS) as usize] {
            None => NOWHERE,
            Some(leaf) => leaf[(block & ((1 << LEAF_BITS) - 1)) as usize],
        }
    }

    /// The place of a block whose leaf exists.
    #[inline]
    fn entry(&mut self, block: u32) -> Option<&mut u32> {
        let leaf = self.leaves[(block >> LEAF_BITS) as usize].as_mut()?;
        Some(&mut leaf[(block & ((1 << LEAF_BITS) - 1)) as usize])
    }

    #[inline]
    fn set(&mut self, block: u32, place: u32) {
        let leaf = self.leaves[(block >> LEAF_BITS) as usize]
            .get_or_insert_with(|| alloc::vec![NOWHERE; 1 << LEAF_BITS].into_boxed_slice());
        leaf[(block & ((1 << LEAF_BITS) - 1)) as usize] = place;
    }

    #[inline]
    fn prefetch(&self, block: u32) {
        if let Some(Some(leaf)) = self.leaves.get((block >> LEAF_BITS) as usize) {
            prefetch(&leaf[(block & ((1 << LEAF_BITS) - 1)) as usize]);
        }
    }

    fn bytes(&self) -> usize {
        self.leaves.len() * size_of::<Option<Box<[u32]>>>() + self.leaves.iter().flatten().count() * (4 << LEAF_BITS)
    }
}

#[derive(Clone, Debug)]
struct Segment {
    entries: Box<[u32]>,
    /// A mark for each place whose block was not used later.
    marks: Box<[u64]>,
    marked: u32,
    len: u32,
    /// Grows along the log.
    order: u64,
    next: u32,
}

impl Segment {
    #[inline]
    fn unmark(&mut self, index: u32) {
        self.marks[(index / 64) as usize] &= !(1 << (index % 64));
        self.marked -= 1;
    }

    /// Puts a block at the end, marked; says where.
    #[inline]
    fn append(&mut self, block: u32) -> u32 {
        let index = self.len;
        self.entries[index as usize] = block;
        self.marks[(index / 64) as usize] |= 1 << (index % 64);
        self.marked += 1;
        self.len += 1;
        index
    }
}

/// The log and its map.
#[derive(Clone, Debug)]
pub(crate) struct Recency {
    map: Map,
    segments: Vec<Segment>,
    free: Vec<u32>,
    bits: u32,
    segments_max: usize,
    orders: u64,
    /// Oldest segment, and the first place in it that may be marked.
    head: u32,
    head_index: u32,
    tail: u32,
    capacity: u64,
    resident: u64,
    ram: u64,
    in_ram: u64,
    /// First place of the RAM tier.
    boundary: u32,
    boundary_index: u32,
    move_on_use: bool,
    /// The latest hints.
    hinted: [u32; HINTS],
    next_hint: usize,
}

impl Recency {
    /// `blocks` addressable, `capacity` of them resident at most (at least 1), the `ram` latest of those in RAM.
    /// `move_on_use` = LRU, else FIFO.
    pub(crate) fn new(blocks: u64, capacity: u64, ram: u64, move_on_use: bool) -> Self {
        let capacity = capacity.max(1);
        let bits = (capacity.min(blocks) / 64).max(1).ilog2().clamp(SEGMENT_BITS_MIN, SEGMENT_BITS_MAX);
        let mut recency = Recency {
            map: Map::new(blocks),
            segments: Vec::new(),
            free: Vec::new(),
            bits,
            segments_max: 0,
            orders: 0,
            head: NO_SEGMENT,
            head_index: 0,
            tail: NO_SEGMENT,
            capacity,
            resident: 0,
            ram: ram.min(capacity),
            in_ram: 0,
            boundary: 0,
            boundary_index: 0,
            move_on_use,
            hinted: [NOWHERE; HINTS],
            next_hint: 0,
        };
        recency.extend(blocks);
        recency.open_segment();
        (recency.head, recency.boundary) = (recency.tail, recency.tail);
        recency
    }

    /// Makes `blocks` addressable; what is resident stays.
    pub(crate) fn extend(&mut self, blocks: u64) {
        self.map.leaves.resize((blocks >> LEAF_BITS) as usize + 1, None);
        let most = self.capacity.min(blocks);
        // With 16 bytes of map for each block of a cache a quarter of its disk, this stays below 24 bytes a block; with half
        // a place to spare instead, packing costs twice as much.
        self.segments_max = ((most + most / 8 * 7) >> self.bits) as usize + 4;
    }

    pub(crate) fn resident(&self) -> u64 {
        self.resident
    }

    pub(crate) fn bytes(&self) -> usize {
        let places = 1usize << self.bits;
        self.map.bytes() + self.segments.len() * (places * 4 + places / 8 + size_of::<Segment>())
    }

    #[inline]
    pub(crate) fn contains(&self, block: u32) -> bool {
        self.map.get(block) != NOWHERE
    }

    /// Says that `block` will soon be used: its line of the map is fetched now, and a few hints later the mark that the
    /// map then names. No effect on results.
    #[inline]
    pub(crate) fn hint(&mut self, block: u32) {
        self.map.prefetch(block);
        let earlier = core::mem::replace(&mut self.hinted[self.next_hint % HINTS], block);
        self.next_hint += 1;
        let place = if earlier == NOWHERE { NOWHERE } else { self.map.get(earlier) };
        if place != NOWHERE {
            let index = place & ((1 << self.bits) - 1);
            prefetch(&self.segments[(place >> self.bits) as usize].marks[(index / 64) as usize]);
        }
    }

    /// A use of `block`: the tier it was in, or `None` when it is not resident.
    #[inline]
    pub(crate) fn touch(&mut self, block: u32) -> Option<Tier> {
        if self.tail_full() {
            // Before the place is looked up: packing moves places.
            self.open_segment();
        }
        let entry = self.map.entry(block)?;
        let place = *entry;
        if place == NOWHERE {
            return None;
        }
        let (segment, index) = (place >> self.bits, place & ((1 << self.bits) - 1));
        let boundary = self.segments[self.boundary as usize].order;
        let former = &mut self.segments[segment as usize];
        let in_ram = (former.order, index) >= (boundary, self.boundary_index);
        if self.move_on_use {
            former.unmark(index);
            *entry = self.tail << self.bits | self.segments[self.tail as usize].append(block);
            if !in_ram {
                self.in_ram += 1;
                self.shrink_ram();
            }
        }
        Some(if in_ram { Tier::Ram } else { Tier::Ssd })
    }

    /// Makes `block`, which is not resident, resident; returns the block that had to leave.
    pub(crate) fn insert(&mut self, block: u32) -> Option<u32> {
        debug_assert!(!self.contains(block));
        let evicted = if self.resident == self.capacity { self.evict() } else { None };
        self.append(block);
        self.resident += 1;
        self.in_ram += 1;
        self.shrink_ram();
        evicted
    }

    /// Makes `block` not resident; nothing when it is not.
    pub(crate) fn remove(&mut self, block: u32) {
        let place = self.map.get(block);
        if place == NOWHERE {
            return;
        }
        let (segment, index) = (place >> self.bits, place & ((1 << self.bits) - 1));
        if self.tier_of(segment, index) == Tier::Ram {
            self.in_ram -= 1;
        }
        self.segments[segment as usize].unmark(index);
        self.map.set(block, NOWHERE);
        self.resident -= 1;
    }

    #[inline]
    fn tier_of(&self, segment: u32, index: u32) -> Tier {
        let (order, boundary) = (self.segments[segment as usize].order, self.segments[self.boundary as usize].order);
        if (order, index) >= (boundary, self.boundary_index) { Tier::Ram } else { Tier::Ssd }
    }

    #[inline]
    fn tail_full(&self) -> bool {
        self.segments[self.tail as usize].len >> self.bits == 1
    }

    fn append(&mut self, block: u32) {
        if self.tail_full() {
            self.open_segment();
        }
        let index = self.segments[self.tail as usize].append(block);
        self.map.set(block, self.tail << self.bits | index);
    }

    /// A new tail.
    fn open_segment(&mut self) {
        if self.free.is_empty() && self.segments.len() >= self.segments_max {
            self.pack();
        }
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                let places = 1usize << self.bits;
                self.segments.push(Segment {
                    entries: alloc::vec![0; places].into_boxed_slice(),
                    marks: alloc::vec![0; places.div_ceil(64)].into_boxed_slice(),
                    marked: 0,
                    len: 0,
                    order: 0,
                    next: NO_SEGMENT,
                });
                (self.segments.len() - 1) as u32
            }
        };
        let segment = &mut self.segments[id as usize];
        debug_assert_eq!(segment.marked, 0);
        (segment.len, segment.order, segment.next) = (0, self.orders, NO_SEGMENT);
        self.orders += 1;
        if self.tail != NO_SEGMENT {
            self.segments[self.tail as usize].next = id;
        }
        self.tail = id;
    }

    /// The first marked place at or after (segment, index).
    fn next_marked(&self, mut segment: u32, mut index: u32) -> Option<(u32, u32)> {
        loop {
            let current = &self.segments[segment as usize];
            if current.marked > 0 {
                let mut word = (index / 64) as usize;
                let mut bits = current.marks.get(word).map_or(0, |w| w & (u64::MAX << (index % 64)));
                loop {
                    if bits != 0 {
                        return Some((segment, word as u32 * 64 + bits.trailing_zeros()));
                    }
                    word += 1;
                    match current.marks.get(word) {
                        Some(&next) => bits = next,
                        None => break,
                    }
                }
            }
            (segment, index) = (current.next, 0);
            if segment == NO_SEGMENT {
                return None;
            }
        }
    }

    /// Moves the boundary until RAM holds no more than it may.
    #[inline]
    fn shrink_ram(&mut self) {
        if self.in_ram > self.ram
            && let Some((segment, index)) = self.next_marked(self.boundary, self.boundary_index)
        {
            (self.boundary, self.boundary_index) = (segment, index + 1);
            self.in_ram -= 1;
        }
    }

    fn evict(&mut self) -> Option<u32> {
        let (segment, index) = self.next_marked(self.head, self.head_index)?;
        if self.tier_of(segment, index) == Tier::Ram {
            self.in_ram -= 1;
        }
        let entries = &self.segments[segment as usize].entries;
        let block = entries[index as usize];
        // Who leaves next is known: have its line of the map at hand.
        if let Some(&later) = entries.get(index as usize + LOOK_AHEAD) {
            self.map.prefetch(later);
        }
        self.segments[segment as usize].unmark(index);
        self.map.set(block, NOWHERE);
        self.resident -= 1;
        while self.head != segment {
            let next = self.segments[self.head as usize].next;
            if self.boundary == self.head {
                (self.boundary, self.boundary_index) = (next, 0);
            }
            self.free.push(self.head);
            self.head = next;
        }
        self.head_index = index + 1;
        Some(block)
    }

    /// Frees segments by packing a run of neighbours, the run that frees most for the fewest moves.
    fn pack(&mut self) {
        let mut line = Vec::with_capacity(self.segments.len());
        let mut segment = self.head;
        while segment != self.tail {
            line.push(segment);
            segment = self.segments[segment as usize].next;
        }
        let full = 1u64 << self.bits;
        let marked = |id: &u32| u64::from(self.segments[*id as usize].marked);
        let mut best: Option<(u64, usize, usize)> = None;
        for run in [1usize, 2, 3, 4, 6, 8] {
            if run > line.len() {
                break;
            }
            let mut sum: u64 = line[..run].iter().map(marked).sum();
            for first in 0..=line.len() - run {
                if first > 0 {
                    sum = sum + marked(&line[first + run - 1]) - marked(&line[first - 1]);
                }
                let freed = run as u64 - sum.div_ceil(full);
                if let Some(price) = sum.checked_div(freed)
                    && best.is_none_or(|(lowest, ..)| price < lowest)
                {
                    best = Some((price, first, run));
                }
            }
        }
        if let Some((_, first, run)) = best {
            self.pack_run(&line[first..first + run]);
        }
    }

    /// Packs these neighbours in place: the write position never overtakes the read position.
    fn pack_run(&mut self, run: &[u32]) {
        let full = 1u32 << self.bits;
        let (mut to, mut to_index) = (0usize, 0u32);
        let mut boundary = None;
        for &from in run {
            let words = self.segments[from as usize].marks.len();
            for word in 0..words {
                let mut bits = core::mem::take(&mut self.segments[from as usize].marks[word]);
                while bits != 0 {
                    let index = word as u32 * 64 + bits.trailing_zeros();
                    bits &= bits - 1;
                    if to_index == full {
                        (to, to_index) = (to + 1, 0);
                    }
                    if from == self.boundary && boundary.is_none() && index >= self.boundary_index {
                        boundary = Some((run[to], to_index));
                    }
                    let entries = &self.segments[from as usize].entries;
                    let block = entries[index as usize];
                    if let Some(&later) = entries.get(index as usize + LOOK_AHEAD) {
                        self.map.prefetch(later);
                    }
                    self.segments[run[to] as usize].entries[to_index as usize] = block;
                    self.map.set(block, run[to] << self.bits | to_index);
                    to_index += 1;
                }
            }
            if from == self.boundary && boundary.is_none() {
                boundary = Some((run[to], to_index));
            }
        }
        if let Some((segment, index)) = boundary {
            (self.boundary, self.boundary_index) = (segment, index);
        }
        // An empty run keeps no segment but still needs the boundary to lie somewhere: the next in line.
        let kept = if to_index == 0 { to } else { to + 1 };
        let after = self.segments[run[run.len() - 1] as usize].next;
        for (position, &id) in run.iter().enumerate() {
            let len = if position + 1 < kept { full } else { to_index };
            let segment = &mut self.segments[id as usize];
            if position < kept {
                (segment.len, segment.marked) = (len, len);
                for (word, marks) in segment.marks.iter_mut().enumerate() {
                    let left = len.saturating_sub(word as u32 * 64);
                    *marks = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
                }
            } else {
                segment.marked = 0;
                self.free.push(id);
                if self.boundary == id {
                    (self.boundary, self.boundary_index) = (after, 0);
                }
            }
        }
        let first_left = if kept == 0 { after } else { run[0] };
        if kept > 0 {
            self.segments[run[kept - 1] as usize].next = after;
        }
        if self.head == run[0] {
            (self.head, self.head_index) = (first_left, 0);
        } else {
            let mut before = self.head;
            while self.segments[before as usize].next != run[0] {
                before = self.segments[before as usize].next;
            }
            self.segments[before as usize].next = first_left;
        }
    }

    /// Counts everything again, the slow way.
    #[cfg(test)]
    fn check_invariants(&self) {
        let (mut resident, mut in_ram, mut segment) = (0, 0, self.head);
        let mut seen = alloc::vec::Vec::new();
        let mut order = None;
        while segment != NO_SEGMENT {
            let current = &self.segments[segment as usize];
            assert!(order.is_none_or(|o| o < current.order));
            order = Some(current.order);
            let mut marked = 0;
            for index in 0..current.len {
                if current.marks[(index / 64) as usize] >> (index % 64) & 1 == 1 {
                    marked += 1;
                    let block = current.entries[index as usize];
                    assert_eq!(self.map.get(block), segment << self.bits | index);
                    seen.push(block);
                    in_ram += u64::from(self.tier_of(segment, index) == Tier::Ram);
                }
            }
            assert_eq!(marked, current.marked);
            resident += u64::from(marked);
            segment = current.next;
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len() as u64, resident);
        assert_eq!((resident, in_ram), (self.resident, self.in_ram));
        assert!(resident <= self.capacity && in_ram <= self.ram);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use alloc::collections::VecDeque;

    /// The textbook: a list, the latest at the back.
    struct Slowly {
        list: VecDeque<u32>,
        capacity: usize,
        ram: usize,
        move_on_use: bool,
    }

    impl Slowly {
        fn touch(&mut self, block: u32) -> Option<Tier> {
            let at = self.list.iter().position(|&b| b == block)?;
            let tier = if self.list.len() - at <= self.ram { Tier::Ram } else { Tier::Ssd };
            if self.move_on_use {
                self.list.remove(at);
                self.list.push_back(block);
            }
            Some(tier)
        }
        fn insert(&mut self, block: u32) -> Option<u32> {
            let evicted = if self.list.len() == self.capacity { self.list.pop_front() } else { None };
            self.list.push_back(block);
            evicted
        }
    }

    #[test]
    fn agrees_with_a_list_in_every_tier_and_eviction() {
        for (capacity, ram, blocks, move_on_use) in [
            (1, 0, 3, true),
            (1, 1, 3, true),
            (50, 7, 80, true),
            (300, 100, 330, true),
            (300, 100, 2_000, true),
            (300, 40, 330, false),
            (5_000, 300, 6_000, true),
        ] {
            let mut fast = Recency::new(blocks, capacity, ram, move_on_use);
            let mut slow =
                Slowly { list: VecDeque::new(), capacity: capacity as usize, ram: ram as usize, move_on_use };
            let mut stream = Stream::new(capacity, ram);
            for step in 0..60_000u32 {
                let draw = stream.draw();
                // Half of the uses go to a tenth of the blocks, a few blocks are removed.
                let range = if draw >> 63 == 1 { blocks } else { blocks.div_ceil(10) };
                let block = ((draw & 0xFFFF_FFFF) % range) as u32;
                if draw >> 52 & 0xFF == 0 {
                    fast.remove(block);
                    slow.list.retain(|&b| b != block);
                    continue;
                }
                let tier = fast.touch(block);
                // A removal lets the FIFO's RAM tier refill only with new blocks; the list refills it with old ones.
                if move_on_use && !slow.list.is_empty() {
                    let expected = slow.touch(block);
                    assert_eq!(tier.is_some(), expected.is_some(), "step {step}");
                } else {
                    assert_eq!(tier.is_some(), slow.touch(block).is_some(), "step {step}");
                }
                if tier.is_none() {
                    assert_eq!(fast.insert(block), slow.insert(block), "step {step}");
                }
                if step % 997 == 0 {
                    fast.check_invariants();
                }
            }
            fast.check_invariants();
        }
    }

    #[test]
    fn without_removals_the_ram_tier_is_an_lru_of_its_own() {
        // The stack property: hits in RAM = hits of an LRU of RAM's size on the same trace.
        let (mut both, mut alone) = (Recency::new(1_000, 400, 100, true), Recency::new(1_000, 100, 100, true));
        let mut stream = Stream::new(9, 9);
        for _ in 0..100_000 {
            let draw = stream.draw();
            let block = ((draw as u32) % 1_000).min((draw >> 32) as u32 % 1_000);
            let tier = both.touch(block);
            if tier.is_none() {
                both.insert(block);
            }
            let hit = alone.touch(block);
            if hit.is_none() {
                alone.insert(block);
            }
            assert_eq!(tier == Some(Tier::Ram), hit.is_some());
        }
        both.check_invariants();
    }

    #[test]
    fn the_log_stays_within_its_memory() {
        let mut recency = Recency::new(40_000, 10_000, 1_000, true);
        let mut stream = Stream::new(2, 2);
        for _ in 0..400_000 {
            let block = (stream.draw() % 12_500) as u32;
            if recency.touch(block).is_none() {
                recency.insert(block);
            }
        }
        assert!(recency.segments.len() <= recency.segments_max);
        recency.check_invariants();
    }
}
