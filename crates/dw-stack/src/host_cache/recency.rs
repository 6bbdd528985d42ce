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
    leaves: Vec<Option<Box<Leaf>>>,
}

type Leaf = [u32; 1 << LEAF_BITS];

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
        let leaf = self.leaves[(block >> LEAF_BITS) as usize].get_or_insert_with(empty_leaf);
        leaf[(block & ((1 << LEAF_BITS) - 1)) as usize] = place;
    }

    #[inline]
    fn prefetch(&self, block: u32) {
        if let Some(Some(leaf)) = self.leaves.get((block >> LEAF_BITS) as usize) {
            prefetch(&leaf[(block & ((1 << LEAF_BITS) - 1)) as usize]);
        }
    }

    fn bytes(&self) -> usize {
        self.leaves.len() * size_of::<Option<Box<Leaf>>>() + self.leaves.iter().flatten().count() * size_of::<Leaf>()
    }
}

#[cold]
fn empty_leaf() -> Box<Leaf> {
    // By way of a vector: an array would be built on the program's stack first.
    match alloc::vec![NOWHERE; 1 << LEAF_BITS].into_boxed_slice().try_into() {
        Ok(leaf) => leaf,
        Err(_) => unreachable!("the vector has the leaf's length"),
    }
}

/// 2^bits neighbouring places.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// Of the tail: and places that have not been used yet.
    marked: u32,
    next: u32,
    /// Grows along the log.
    order: u64,
}

/// The log and its map. A place is its segment's number above its index there.
#[derive(Clone, Debug)]
pub(crate) struct Recency {
    map: Map,
    /// The block that was put at each place.
    entries: Vec<u32>,
    /// A bit for each place whose block was not used later.
    marks: Vec<u64>,
    segments: Vec<Segment>,
    free: Vec<u32>,
    bits: u32,
    segments_max: usize,
    orders: u64,
    /// The oldest segment, and its first place that may be marked (one past its last when there is none).
    head: u32,
    oldest: u32,
    /// The newest segment, and where in it the next use goes.
    tail: u32,
    end: u32,
    capacity: u64,
    resident: u64,
    ram: u64,
    in_ram: u64,
    /// The segment in which the RAM tier begins, and its first place there (or one past the segment's last).
    boundary: u32,
    ram_begin: u32,
    /// The order of that segment.
    boundary_order: u64,
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
            entries: Vec::new(),
            marks: Vec::new(),
            segments: Vec::new(),
            free: Vec::new(),
            bits,
            segments_max: 0,
            orders: 0,
            head: 0,
            oldest: 0,
            tail: NO_SEGMENT,
            end: 0,
            capacity,
            resident: 0,
            ram: ram.min(capacity),
            in_ram: 0,
            boundary: 0,
            ram_begin: 0,
            boundary_order: 0,
            move_on_use,
            hinted: [NOWHERE; HINTS],
            next_hint: 0,
        };
        recency.extend(blocks);
        // The first segment is number 0, where head and boundary begin.
        recency.open_segment();
        recency
    }

    /// Makes `blocks` addressable; what is resident stays.
    pub(crate) fn extend(&mut self, blocks: u64) {
        self.map.leaves.resize_with((blocks >> LEAF_BITS) as usize + 1, || None);
        let most = self.capacity.min(blocks);
        // With 16 bytes of map for each block of a cache a quarter of its disk, this stays below 24 bytes a block; with half
        // a place to spare instead, packing costs twice as much.
        self.segments_max = ((most + most / 8 * 7) >> self.bits) as usize + 4;
    }

    pub(crate) fn resident(&self) -> u64 {
        self.resident
    }

    pub(crate) fn bytes(&self) -> usize {
        self.map.bytes()
            + self.entries.len() * size_of::<u32>()
            + self.marks.len() * size_of::<u64>()
            + self.segments.len() * size_of::<Segment>()
    }

    #[inline]
    pub(crate) fn contains(&self, block: u32) -> bool {
        self.map.get(block) != NOWHERE
    }

    /// Says that `block` will soon be used: its line of the map is fetched now, and a few hints later the mark that the
    /// map then names. No effect on results.
    #[inline(always)]
    pub(crate) fn hint(&mut self, block: u32) {
        self.map.prefetch(block);
        let earlier = core::mem::replace(&mut self.hinted[self.next_hint % HINTS], block);
        self.next_hint += 1;
        let place = if earlier == NOWHERE { NOWHERE } else { self.map.get(earlier) };
        if let Some(word) = self.marks.get((place / 64) as usize) {
            prefetch(word);
        }
    }

    /// A use of `block`: the tier it was in, or `None` when it is not resident.
    #[inline(always)]
    pub(crate) fn touch(&mut self, block: u32) -> Option<Tier> {
        if self.tail_full() {
            // Before the place is looked up: packing moves places.
            self.open_segment();
        }
        let end = self.end;
        let entry = self.map.entry(block)?;
        let place = *entry;
        if place == NOWHERE {
            return None;
        }
        if self.move_on_use {
            *entry = end;
            let in_ram = self.unmark(place);
            self.put(block);
            if !in_ram {
                self.in_ram += 1;
                self.shrink_ram();
            }
            return Some(if in_ram { Tier::Ram } else { Tier::Ssd });
        }
        Some(if self.is_in_ram(place) { Tier::Ram } else { Tier::Ssd })
    }

    /// Makes `block`, which is not resident, resident; returns the block that had to leave.
    pub(crate) fn insert(&mut self, block: u32) -> Option<u32> {
        debug_assert!(!self.contains(block));
        let evicted = if self.resident == self.capacity { self.evict() } else { None };
        if self.tail_full() {
            self.open_segment();
        }
        self.map.set(block, self.end);
        self.put(block);
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
        self.in_ram -= u64::from(self.unmark(place));
        self.map.set(block, NOWHERE);
        self.resident -= 1;
    }

    /// Whether a place lies at or after the boundary.
    #[inline(always)]
    fn is_in_ram(&self, place: u32) -> bool {
        self.is_behind_boundary(self.segments[(place >> self.bits) as usize].order, place)
    }

    #[inline(always)]
    fn is_behind_boundary(&self, order: u64, place: u32) -> bool {
        // Where a use lies follows no pattern: one question instead of three branches.
        (order > self.boundary_order) | ((order == self.boundary_order) & (place >= self.ram_begin))
    }

    fn set_boundary(&mut self, segment: u32, begin: u32) {
        (self.boundary, self.ram_begin) = (segment, begin);
        self.boundary_order = self.segments[segment as usize].order;
    }

    /// Clears the mark of a place; whether that was in RAM.
    #[inline(always)]
    fn unmark(&mut self, place: u32) -> bool {
        self.marks[(place / 64) as usize] &= !(1 << (place % 64));
        let segment = &mut self.segments[(place >> self.bits) as usize];
        segment.marked -= 1;
        let order = segment.order;
        self.is_behind_boundary(order, place)
    }

    /// Puts a block at the end, marked.
    #[inline(always)]
    fn put(&mut self, block: u32) {
        let end = self.end;
        self.entries[end as usize] = block;
        self.marks[(end / 64) as usize] |= 1 << (end % 64);
        self.end = end + 1;
    }

    #[inline(always)]
    fn tail_full(&self) -> bool {
        self.end >> self.bits != self.tail
    }

    /// A new tail.
    #[inline(never)]
    fn open_segment(&mut self) {
        if self.free.is_empty() && self.segments.len() >= self.segments_max {
            self.pack();
        }
        let id = match self.free.pop() {
            Some(id) => id,
            None => self.add_segment(),
        };
        let segment = &mut self.segments[id as usize];
        debug_assert_eq!(segment.marked, 0);
        // As if all of its places had been used and marked: when it is the tail no more, they have been.
        segment.marked = 1 << self.bits;
        (segment.order, segment.next) = (self.orders, NO_SEGMENT);
        self.orders += 1;
        if let Some(tail) = self.segments.get_mut(self.tail as usize) {
            tail.next = id;
        }
        (self.tail, self.end) = (id, id << self.bits);
    }

    fn add_segment(&mut self) -> u32 {
        let places = 1usize << self.bits;
        // As much as will be needed is reserved at once: growing would copy, and the system backs only what is used. Where it grants
        // no twice as much (a limit on addresses), the rest of the program needs what there is, and what is used grows.
        let all = self.segments_max.max(self.segments.len() + 1);
        let room = 2 * all * places - self.entries.len();
        if self.entries.capacity() < all * places && self.entries.try_reserve_exact(room).is_ok() {
            self.entries.shrink_to(all * places);
            self.marks.reserve_exact(all * places / 64 - self.marks.len());
            self.segments.reserve_exact(all - self.segments.len());
        }
        self.entries.resize(self.entries.len() + places, 0);
        self.marks.resize(self.marks.len() + places / 64, 0);
        self.segments.push(Segment { marked: 0, next: NO_SEGMENT, order: 0 });
        (self.segments.len() - 1) as u32
    }

    /// The first marked place from `place` of `segment` on; `place` may be one past the segment's last.
    #[inline(always)]
    fn next_marked(&self, segment: u32, place: u32) -> Option<u32> {
        if place >> self.bits == segment {
            let bits = self.marks[(place / 64) as usize] >> (place % 64);
            if bits != 0 {
                return Some(place + bits.trailing_zeros());
            }
        }
        self.search_marked(segment, (place / 64) as usize + usize::from(place >> self.bits == segment))
    }

    /// The first marked place from word `word` of `segment` on.
    #[inline(never)]
    fn search_marked(&self, mut segment: u32, mut word: usize) -> Option<u32> {
        let words = (1usize << self.bits) / 64;
        loop {
            let current = self.segments[segment as usize];
            let end = (segment as usize + 1) * words;
            if current.marked > 0
                && let Some(further) = self.marks[word..end].iter().position(|&marks| marks != 0)
            {
                word += further;
                return Some(word as u32 * 64 + self.marks[word].trailing_zeros());
            }
            segment = current.next;
            if segment == NO_SEGMENT {
                return None;
            }
            word = segment as usize * words;
        }
    }

    /// Moves the boundary until RAM holds no more than it may.
    #[inline(always)]
    fn shrink_ram(&mut self) {
        if self.in_ram > self.ram
            && let Some(place) = self.next_marked(self.boundary, self.ram_begin)
        {
            self.ram_begin = place + 1;
            if place >> self.bits != self.boundary {
                self.set_boundary(place >> self.bits, place + 1);
            }
            self.in_ram -= 1;
        }
    }

    fn evict(&mut self) -> Option<u32> {
        let place = self.next_marked(self.head, self.oldest)?;
        let block = self.entries[place as usize];
        // Who leaves next is known: have its line of the map at hand.
        if let Some(&later) = self.entries.get(place as usize + LOOK_AHEAD) {
            self.map.prefetch(later);
        }
        self.in_ram -= u64::from(self.unmark(place));
        self.map.set(block, NOWHERE);
        self.resident -= 1;
        let segment = place >> self.bits;
        while self.head != segment {
            let next = self.segments[self.head as usize].next;
            if self.boundary == self.head {
                self.set_boundary(next, next << self.bits);
            }
            self.free.push(self.head);
            self.head = next;
        }
        self.oldest = place + 1;
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
        let words = (full / 64) as usize;
        // How many blocks have found their place, and where the next goes.
        let (mut moved, mut to, mut last) = (0u32, run[0] << self.bits, run[0] << self.bits | (full - 1));
        let mut targets = run[1..].iter();
        let mut boundary = None;
        for &from in run {
            let first = from << self.bits;
            for word in first as usize / 64..first as usize / 64 + words {
                let mut bits = core::mem::take(&mut self.marks[word]);
                while bits != 0 {
                    let place = word as u32 * 64 + bits.trailing_zeros();
                    bits &= bits - 1;
                    if from == self.boundary && boundary.is_none() && place >= self.ram_begin {
                        boundary = Some((last >> self.bits, to));
                    }
                    let block = self.entries[place as usize];
                    if let Some(&later) = self.entries.get(place as usize + LOOK_AHEAD) {
                        self.map.prefetch(later);
                    }
                    self.entries[to as usize] = block;
                    if let Some(entry) = self.map.entry(block) {
                        *entry = to;
                    }
                    moved += 1;
                    to += 1;
                    if to > last
                        && let Some(&next) = targets.next()
                    {
                        (to, last) = (next << self.bits, next << self.bits | (full - 1));
                    }
                }
            }
            if from == self.boundary && boundary.is_none() {
                boundary = Some((last >> self.bits, to));
            }
        }
        if let Some((segment, begin)) = boundary {
            self.set_boundary(segment, begin);
        }
        // An empty run keeps no segment but still needs the boundary to lie somewhere: the next in line.
        let kept = moved.div_ceil(full) as usize;
        let after = self.segments[run[run.len() - 1] as usize].next;
        for (position, &id) in run.iter().enumerate() {
            let marked = moved.saturating_sub(position as u32 * full).min(full);
            self.segments[id as usize].marked = marked;
            let first = (id << self.bits) as usize / 64;
            for (word, marks) in self.marks[first..first + words].iter_mut().enumerate() {
                let left = marked.saturating_sub(word as u32 * 64);
                *marks = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            }
            if position >= kept {
                self.free.push(id);
                if self.boundary == id {
                    self.set_boundary(after, after << self.bits);
                }
            }
        }
        let first_left = if kept == 0 { after } else { run[0] };
        if kept > 0 {
            self.segments[run[kept - 1] as usize].next = after;
        }
        if self.head == run[0] {
            (self.head, self.oldest) = (first_left, first_left << self.bits);
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
            for place in segment << self.bits..(segment + 1) << self.bits {
                if self.marks[(place / 64) as usize] >> (place % 64) & 1 == 1 {
                    marked += 1;
                    let block = self.entries[place as usize];
                    assert_eq!(self.map.get(block), place);
                    seen.push(block);
                    in_ram += u64::from(self.is_in_ram(place));
                }
            }
            let unused = if segment == self.tail { ((segment + 1) << self.bits) - self.end } else { 0 };
            assert_eq!(marked + unused, current.marked);
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
