//! Which event is next: a calendar of completions, and the earliest of a few instants.
//!
//! The calendar has buckets of time; an event goes into the list of its bucket, and a bucket is sorted once, when its turn
//! comes. Setting and taking an event cost the same however many there are, as long as a bucket holds a handful: when it
//! holds more or fewer, all buckets become narrower or wider. What lies beyond the last bucket waits in a heap.
//!
//! Events come by (instant, number): at equal instants the request that was begun first. The order is exact, whatever the
//! buckets' width.
//!
//! Source: Brown, "Calendar queues" (1988).
//!
//! Invariant: no bucket before `current` holds anything; the list of `current` is empty, `ready` has what it held; `next` is the
//! first bucket behind it that holds something.

use alloc::boxed::Box;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// "No event".
pub(crate) const NEVER: u64 = u64::MAX;

const BUCKETS: usize = 4_096;
const NOBODY: u32 = u32::MAX;
/// Width of a bucket at first, in powers of two of nanoseconds; then within these bounds.
const WIDTH: u32 = 16;
const WIDTH_MIN: u32 = 12;
const WIDTH_MAX: u32 = 24;
/// Buckets between two looks at how full they are.
const LOOK_EVERY: u32 = 512;
/// Events in a bucket, on average, below which it becomes wider, and above which it becomes narrower.
const FEW: u32 = 4;
const MANY: u32 = 9;

/// When, and the event's number above its slot.
type Entry = (u64, u64);

/// Bits of a slot in an entry.
const SLOT_BITS: u32 = 28;
/// More events than this cannot be pending.
pub(crate) const SLOTS_MAX: usize = 1 << SLOT_BITS;

#[inline(always)]
fn slot_of(entry: Entry) -> u32 {
    entry.1 as u32 & (SLOTS_MAX as u32 - 1)
}

/// The event of a slot in its bucket's list.
#[derive(Clone, Copy, Debug)]
struct Link {
    entry: Entry,
    next: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    width: u32,
    heads: Box<[u32; BUCKETS]>,
    /// A bit for each bucket that holds something.
    used: [u64; BUCKETS / 64],
    links: Vec<Link>,
    current: u64,
    /// The first bucket after it that holds something, or beyond the last one would; [`NEVER`] when nothing does. Kept, since it is
    /// asked for more often than it changes.
    next: u64,
    /// What is left of the current bucket, latest first.
    ready: Vec<Entry>,
    far: BinaryHeap<Reverse<Entry>>,
    /// Buckets whose turn has come since the last look, and what they held.
    loads: u32,
    loaded: u32,
}

impl Calendar {
    pub(crate) fn new() -> Self {
        Calendar {
            width: WIDTH,
            heads: Box::new([NOBODY; BUCKETS]),
            used: [0; BUCKETS / 64],
            links: Vec::new(),
            current: 0,
            next: NEVER,
            ready: Vec::new(),
            far: BinaryHeap::new(),
            loads: 0,
            loaded: 0,
        }
    }

    /// The event of `slot`, which has none pending, is at `at`.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: u32, number: u32, at: u64) {
        let entry = (at, u64::from(number) << SLOT_BITS | u64::from(slot));
        let ahead = (at >> self.width).wrapping_sub(self.current);
        if ahead.wrapping_sub(1) < BUCKETS as u64 - 1 {
            self.link(entry);
        } else {
            self.set_apart(entry, ahead);
        }
    }

    #[inline(always)]
    fn link(&mut self, entry: Entry) {
        let at = entry.0 >> self.width;
        self.next = self.next.min(at);
        let bucket = at as usize % BUCKETS;
        let slot = slot_of(entry) as usize;
        if slot >= self.links.len() {
            self.extend(slot);
        }
        self.links[slot] = Link { entry, next: self.heads[bucket] };
        self.heads[bucket] = slot as u32;
        self.used[bucket / 64] |= 1 << (bucket % 64);
    }

    #[cold]
    fn extend(&mut self, slot: usize) {
        assert!(slot < SLOTS_MAX, "more than {SLOTS_MAX} requests are under way");
        self.links.resize((slot + 1).next_power_of_two(), Link { entry: (NEVER, 0), next: NOBODY });
    }

    /// An event of the bucket whose turn it is, or beyond the last bucket.
    #[inline(never)]
    fn set_apart(&mut self, entry: Entry, ahead: u64) {
        if (1..1 << 63).contains(&ahead) {
            self.next = self.next.min(entry.0 >> self.width);
            return self.far.push(Reverse(entry));
        }
        let place = self.ready.iter().rposition(|&other| other > entry).map_or(0, |later| later + 1);
        self.ready.insert(place, entry);
    }

    /// The earliest event of the bucket whose turn it is: when.
    #[inline(always)]
    pub(crate) fn ready(&self) -> Option<u64> {
        self.ready.last().map(|entry| entry.0)
    }

    /// Takes that event: its slot.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<u32> {
        self.ready.pop().map(slot_of)
    }

    /// Looks for the first bucket after the current one that holds something.
    #[inline]
    fn find_next(&self) -> u64 {
        let start = self.current as usize % BUCKETS;
        let mut word = start / 64;
        let mut bits = self.used[word] & (!0 << (start % 64));
        for _ in 0..=BUCKETS / 64 {
            if bits != 0 {
                let found = word * 64 + bits.trailing_zeros() as usize;
                return self.current + (found.wrapping_sub(start) % BUCKETS) as u64;
            }
            word = (word + 1) % (BUCKETS / 64);
            bits = self.used[word];
        }
        self.far.peek().map_or(NEVER, |Reverse(first)| first.0 >> self.width)
    }

    /// When the next bucket begins whose turn can come, or [`NEVER`]: nothing is ready, and nothing happens before.
    #[inline]
    pub(crate) fn begins(&self) -> u64 {
        if self.next == NEVER { NEVER } else { self.next << self.width }
    }

    /// Lets that bucket's turn come. No event is set before it from now on.
    #[inline(never)]
    pub(crate) fn load(&mut self) {
        debug_assert!(self.ready.is_empty());
        if self.next == NEVER {
            return;
        }
        self.current = self.next;
        if !self.far.is_empty() {
            self.draw_near();
        }
        let place = self.current as usize % BUCKETS;
        self.used[place / 64] &= !(1 << (place % 64));
        let slot = core::mem::replace(&mut self.heads[place], NOBODY);
        self.next = self.find_next();
        self.sort(slot);
        self.loads += 1;
        self.loaded += self.ready.len() as u32;
        if self.loads == LOOK_EVERY {
            self.look();
        }
    }

    /// Puts the list of the current bucket, which begins at `slot`, in order.
    #[inline(always)]
    fn sort(&mut self, mut slot: u32) {
        let start = self.current << self.width;
        let (mut few, mut words, mut count) = ([(0, 0); NETWORK], [u64::MAX; NETWORK], 0);
        while let Some(link) = self.links.get(slot as usize) {
            if count == NETWORK {
                return self.sort_some(&few, slot);
            }
            few[count] = link.entry;
            words[count] = word(link.entry, start, count);
            count += 1;
            slot = link.next;
        }
        sort_few(&mut words);
        self.ready.extend(words[..count].iter().rev().map(|&word| few[word as usize % NETWORK]));
    }

    /// The same of more than a few: those, and the rest of the list. Where the two halves of the bucket have a few each, each
    /// is put in order by itself.
    #[inline(never)]
    fn sort_some(&mut self, few: &[Entry; NETWORK], mut slot: u32) {
        let start = self.current << self.width;
        let mut some = [(0, 0); 2 * NETWORK];
        let (mut halves, mut counts) = ([[u64::MAX; NETWORK]; 2], [0; 2]);
        let mut count = 0;
        let mut put = |entry: Entry, place: usize| {
            let half = (entry.0 - start) >> (self.width - 1);
            let half = half as usize % 2;
            halves[half][counts[half] % NETWORK] = word(entry, start, place);
            counts[half] += 1;
        };
        for &entry in few {
            put(entry, count);
            some[count] = entry;
            count += 1;
        }
        let rest = slot;
        while let Some(link) = self.links.get(slot as usize) {
            if count == 2 * NETWORK {
                return self.sort_many(few, rest);
            }
            put(link.entry, count);
            some[count] = link.entry;
            count += 1;
            slot = link.next;
        }
        if counts[0].max(counts[1]) > NETWORK {
            return self.sort_many(few, rest);
        }
        for (words, count) in halves.iter_mut().zip(counts).rev() {
            sort_few(words);
            self.ready.extend(words[..count].iter().rev().map(|&word| some[word as usize % (2 * NETWORK)]));
        }
    }

    /// The same of any number.
    #[inline(never)]
    fn sort_many(&mut self, few: &[Entry], mut slot: u32) {
        self.ready.extend_from_slice(few);
        while let Some(link) = self.links.get(slot as usize) {
            self.ready.push(link.entry);
            slot = link.next;
        }
        self.ready.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// What was beyond the last bucket and no longer is.
    #[cold]
    fn draw_near(&mut self) {
        while let Some(&Reverse(first)) = self.far.peek() {
            if (first.0 >> self.width) - self.current >= BUCKETS as u64 {
                break;
            }
            self.far.pop();
            self.link(first);
        }
    }

    /// Makes buckets wider or narrower when they hold too little or too much.
    #[cold]
    fn look(&mut self) {
        let mean = self.loaded / self.loads;
        (self.loads, self.loaded) = (0, 0);
        let width = match mean {
            0..FEW => self.width + 1,
            MANY.. => self.width - 1,
            _ => return,
        };
        if !(WIDTH_MIN..=WIDTH_MAX).contains(&width) {
            return;
        }
        let mut all: Vec<Entry> = self.ready.drain(..).collect();
        all.extend(self.far.drain().map(|Reverse(entry)| entry));
        for head in self.heads.iter_mut() {
            let mut slot = core::mem::replace(head, NOBODY);
            while let Some(link) = self.links.get(slot as usize) {
                all.push(link.entry);
                slot = link.next;
            }
        }
        self.used.fill(0);
        // One before the first, so that its list may hold something.
        let first = self.current << self.width >> width;
        self.width = width;
        self.current = first.wrapping_sub(1);
        self.next = NEVER;
        for entry in all {
            self.set(slot_of(entry), (entry.1 >> SLOT_BITS) as u32, entry.0);
        }
        self.load();
    }

    /// The earliest event of all: when.
    pub(crate) fn first(&self) -> u64 {
        if let Some(ready) = self.ready() {
            return ready;
        }
        let far = self.far.peek().map_or(NEVER, |Reverse(first)| first.0);
        if self.next == NEVER {
            return far;
        }
        // Where only far ones are left, that bucket is empty.
        let (mut first, mut slot) = (far, self.heads[self.next as usize % BUCKETS]);
        while let Some(link) = self.links.get(slot as usize) {
            first = first.min(link.entry.0);
            slot = link.next;
        }
        first
    }
}

/// So many are sorted by a network: which of two comes first follows no pattern, so every branch on it would mispredict half of the
/// time.
const NETWORK: usize = 8;

/// An event of a bucket that begins at `start` as one word: its instant there, its number, its place in a list.
#[inline(always)]
fn word(entry: Entry, start: u64, place: usize) -> u64 {
    (entry.0 - start) << (u32::BITS + u8::BITS) | entry.1 >> SLOT_BITS << u8::BITS | place as u64
}

const _: () = assert!(WIDTH_MAX + u32::BITS + u8::BITS <= u64::BITS);

/// Source: Knuth, "Sorting and searching" (1998), section 5.3.4: 19 comparators are the fewest.
#[inline(always)]
fn sort_few(words: &mut [u64; NETWORK]) {
    // Written out: a loop over the pairs stays one.
    macro_rules! compare {
        ($($a:literal $b:literal),*) => {
            $((words[$a], words[$b]) = (words[$a].min(words[$b]), words[$a].max(words[$b]));)*
        };
    }
    compare!(0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
}

/// An instant for each of a few things, and the earliest of them; at a tie, the first of the things.
#[derive(Clone, Debug)]
pub(crate) struct Earliest {
    at: Vec<u64>,
    pub(crate) first: (u64, usize),
}

impl Earliest {
    pub(crate) fn new(things: usize) -> Self {
        Earliest { at: alloc::vec![NEVER; things], first: (NEVER, 0) }
    }

    /// Sets the instant of a thing; [`NEVER`] = none.
    pub(crate) fn set(&mut self, thing: usize, at: u64) {
        self.at[thing] = at;
        if (at, thing) < self.first {
            self.first = (at, thing);
        } else if self.first.1 == thing {
            let all = self.at.iter().enumerate().map(|(thing, &at)| (at, thing));
            self.first = all.min().unwrap_or((NEVER, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Takes the next event, as the stack does.
    fn next(calendar: &mut Calendar) -> Option<(u64, u32)> {
        if calendar.ready().is_none() {
            calendar.load();
        }
        let at = calendar.ready()?;
        calendar.take().map(|slot| (at, slot))
    }

    #[test]
    fn far_events_come_in_order_too() {
        let mut calendar = Calendar::new();
        // A thousand events half a year apart: each beyond the last bucket.
        let half_a_year = 183 * 86_400 * 1_000_000_000u64;
        for slot in 0..1_000u32 {
            calendar.set(slot, slot, u64::from(1_000 - slot) * half_a_year);
        }
        for n in 1..=1_000 {
            assert_eq!(calendar.first(), n * half_a_year);
            assert_eq!(next(&mut calendar), Some((n * half_a_year, 1_000 - n as u32)));
        }
        assert_eq!((next(&mut calendar), calendar.first()), (None, NEVER));
    }

    #[test]
    fn agrees_with_a_sorted_list_at_every_density() {
        // Events `spread` nanoseconds ahead, many at equal instants; what is set may come in the bucket whose turn it is.
        for spread in [1, 40, 3_000, 1 << 17, 1 << 23, 1 << 31] {
            for pending in [1, 7, 100, 3_000] {
                let mut calendar = Calendar::new();
                let mut slowly = alloc::collections::BTreeSet::new();
                let mut stream = Stream::new(spread, pending);
                let mut set =
                    |calendar: &mut Calendar, slowly: &mut alloc::collections::BTreeSet<_>, now, slot, number| {
                        let draw = stream.draw();
                        let at = now + (draw >> 8) % spread * if draw & 15 == 0 { 50 } else { 1 };
                        calendar.set(slot, number, at);
                        slowly.insert((at, number, slot));
                    };
                for slot in 0..pending {
                    set(&mut calendar, &mut slowly, 0, slot as u32, slot as u32);
                }
                for number in pending as u32..pending as u32 + 20_000 {
                    let (at, _, slot) = slowly.pop_first().unwrap();
                    assert_eq!(calendar.first(), at);
                    assert_eq!(next(&mut calendar), Some((at, slot)), "{spread} {pending} {number}");
                    set(&mut calendar, &mut slowly, at, slot, number);
                }
            }
        }
    }

    #[test]
    fn the_network_sorts() {
        // What sorts all sequences of zeros and ones sorts everything.
        for bits in 0..1u32 << NETWORK {
            let mut words = core::array::from_fn(|place| u64::from(bits >> place & 1));
            sort_few(&mut words);
            assert!(words.is_sorted(), "{bits:b}: {words:?}");
        }
    }

    #[test]
    fn the_earliest_is_found_and_the_first_at_a_tie() {
        let mut earliest = Earliest::new(9);
        let mut slowly = [NEVER; 9];
        let mut stream = Stream::new(1, 1);
        for _ in 0..2_000 {
            let draw = stream.draw();
            let thing = (draw % 9) as usize;
            let at = if draw >> 60 == 0 { NEVER } else { (draw >> 20) % 20 };
            earliest.set(thing, at);
            slowly[thing] = at;
            let expected = (0..9).map(|thing| (slowly[thing], thing)).min().unwrap();
            assert!(earliest.first == expected || expected.0 == NEVER);
        }
    }
}
