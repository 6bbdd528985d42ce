//! A disk made of a copy of another: each block is fetched from where the copy lies when it is first asked for.
//!
//! ```text
//! there        block < first, or background has come by, or fetched, or written whole
//! fetch        ready = min(asked + fetch, when it comes by itself)
//! background   block n comes by itself at (n + 1 − first) · block / rate
//! ```
//!
//! A block is asked for when the first request leaves the disk's own limits; whoever asks for it meanwhile waits for the same fetch. A
//! write of a whole block needs nothing of it, and a trim neither; a write of a part does, since the rest of the block must be there. All
//! blocks of one request are fetched at the same time.
//!
//! Chapter: `docs/model/first-touch.md`.
//!
//! Ignores: a limit on fetches at the same time; that background passes over what is there already; blocks of the copy without data.
//!
//! Invariant: a block is fetched at most once; a block that is there stays. Memory: a bit for each block from the first that was asked
//! for in each 32,768 of them, and an entry for each that is on its way.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;

use dw_units::{Bytes, NS_PER_SECOND};

use crate::accounting::Moved;
use crate::spec::FirstTouch;

/// Words of a leaf of the map of blocks.
const WORDS: usize = 512;
const BLOCKS_OF_LEAF: u64 = WORDS as u64 * 64;
/// Fetches that are kept before those are forgotten that are over.
const COMING: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Untouched {
    /// Binary logarithm of the bytes of a block.
    shift: u32,
    /// The first block that is not there at the start, and how many there are; what a disk grows by has nothing to fetch.
    first: u64,
    blocks: u64,
    /// Bytes of all of them: the last block may be a part of one.
    size: u64,
    /// Nanoseconds.
    fetch: u64,
    /// Bytes a second.
    background: Option<u64>,
    /// A bit for each block that was fetched, or is on its way, or was written whole.
    touched: BTreeMap<u64, Box<[u64; WORDS]>>,
    /// Blocks on their way, and when they are there.
    coming: BTreeMap<u64, u64>,
    /// With so many of them those are forgotten that are there.
    crowded: usize,
    /// Blocks that were fetched because somebody asked.
    fetched: u64,
    /// When the last of them was there.
    until: u64,
}

impl Untouched {
    pub(crate) fn new(spec: &FirstTouch, size: Bytes) -> Untouched {
        let (shift, blocks) = (spec.block.get().trailing_zeros(), size.get().div_ceil(spec.block.get()));
        Untouched {
            shift,
            first: if spec.there < size { spec.there.get() >> shift } else { blocks },
            blocks,
            size: size.get(),
            fetch: spec.fetch.ns(),
            background: spec.background.map(|rate| rate.get()),
            touched: BTreeMap::new(),
            coming: BTreeMap::new(),
            crowded: COMING,
            fetched: 0,
            until: 0,
        }
    }

    /// When all blocks are there that a request needs which leaves the disk's limits at `at`.
    pub(crate) fn pass(&mut self, now: u64, at: u64, moved: Moved) -> u64 {
        let (from, to) = (moved.offset, moved.offset + u64::from(moved.len));
        let (mut there, size) = (at, 1 << self.shift);
        let blocks = from >> self.shift..(to.div_ceil(size)).min(self.blocks);
        for block in blocks.start.max(self.first)..blocks.end {
            let begins = block << self.shift;
            let is_whole = from <= begins && to >= (begins + size).min(self.size);
            if moved.write && is_whole {
                self.mark(block);
                self.coming.remove(&block);
            } else if !moved.trim {
                there = there.max(self.ask(now, block, at));
            }
        }
        there
    }

    /// When a block is there that is asked for at `at`.
    fn ask(&mut self, now: u64, block: u64, at: u64) -> u64 {
        let by_itself = self.by_itself(block);
        if by_itself <= at {
            return at;
        }
        if self.mark(block) {
            let Some(ready) = self.coming.get_mut(&block) else { return at };
            // Limits on one direction let go what came later before what came earlier.
            *ready = (*ready).min(at.saturating_add(self.fetch));
            return (*ready).max(at);
        }
        let ready = at.saturating_add(self.fetch).min(by_itself);
        if self.coming.len() >= self.crowded {
            self.coming.retain(|_, ready| *ready > now);
            self.crowded = (2 * self.coming.len()).max(COMING);
        }
        self.coming.insert(block, ready);
        self.fetched += 1;
        self.until = self.until.max(ready);
        ready
    }

    /// Notes that a block needs no fetch any more; whether that was so before.
    fn mark(&mut self, block: u64) -> bool {
        let leaf = self.touched.entry(block / BLOCKS_OF_LEAF).or_insert_with(|| Box::new([0; WORDS]));
        let word = &mut leaf[(block % BLOCKS_OF_LEAF / 64) as usize];
        let bit = 1 << (block % 64);
        let was = *word & bit != 0;
        *word |= bit;
        was
    }

    /// When a block comes though nobody asks for it.
    fn by_itself(&self, block: u64) -> u64 {
        let Some(rate) = self.background else { return u64::MAX };
        let bytes = u128::from(block + 1 - self.first) << self.shift;
        u64::try_from((bytes * u128::from(NS_PER_SECOND)).div_ceil(u128::from(rate))).unwrap_or(u64::MAX)
    }

    /// When all are there though nobody asks; absent where they do not come by themselves.
    pub(crate) fn whole_at(&self) -> Option<u64> {
        self.background?;
        Some(if self.first >= self.blocks { 0 } else { self.by_itself(self.blocks - 1) })
    }

    /// Bytes that are neither there nor on their way at `now`.
    pub(crate) fn left(&self, now: u64) -> u64 {
        let came = self
            .background
            .map_or(0, |rate| (u128::from(now) * u128::from(rate) / u128::from(NS_PER_SECOND)) >> self.shift);
        let from = u64::try_from(came).unwrap_or(u64::MAX).saturating_add(self.first).min(self.blocks);
        let beyond = |(leaf, words): (u64, &[u64; WORDS])| -> u64 {
            let begins = leaf * BLOCKS_OF_LEAF;
            let ones = |(word, bits): (u64, &u64)| match from.saturating_sub(begins + word * 64) {
                0 => bits.count_ones(),
                passed @ 1..64 => (bits >> passed).count_ones(),
                _ => 0,
            };
            (0..).zip(words.iter()).map(ones).map(u64::from).sum()
        };
        let touched: u64 =
            self.touched.range(from / BLOCKS_OF_LEAF..).map(|(leaf, words)| beyond((*leaf, words))).sum();
        let left = self.blocks - from - touched;
        // The last block may be a part of one.
        let short = (self.blocks << self.shift) - self.size;
        if left > 0 && !self.is_marked(self.blocks - 1) { (left << self.shift) - short } else { left << self.shift }
    }

    fn is_marked(&self, block: u64) -> bool {
        let leaf = self.touched.get(&(block / BLOCKS_OF_LEAF));
        leaf.is_some_and(|leaf| leaf[(block % BLOCKS_OF_LEAF / 64) as usize] >> (block % 64) & 1 == 1)
    }

    /// Bytes that were fetched because somebody asked, and when the last of them was there.
    pub(crate) fn fetched(&self) -> (u64, u64) {
        (self.fetched << self.shift, self.until)
    }

    /// Bytes of memory that it takes.
    #[cfg(test)]
    fn memory(&self) -> usize {
        self.touched.len() * WORDS * 8 + self.coming.len() * 16
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use dw_units::{Duration, Throughput};

    use super::*;
    use crate::random::Stream;

    const KIB: u64 = 1_024;

    fn spec(there: u64, background: Option<u64>) -> FirstTouch {
        FirstTouch {
            block: Bytes::kib(512),
            fetch: Duration::from_ms(100),
            there: Bytes::new(there),
            background: background.map(Throughput::bytes_per_second),
        }
    }

    fn moved(write: bool, trim: bool, offset: u64, len: u64) -> Moved {
        Moved { write, trim, offset, len: len as u32, pieces: 1 }
    }

    #[test]
    fn each_block_is_fetched_once_and_only_when_its_data_are_needed() {
        // One request after the other on 10 blocks: what, offset and length in KiB, asked at ms; there at ms, KiB left after it.
        let cases: &[(&str, u64, u64, u64, u64, u64)] = &[
            ("read", 0, 4, 0, 100, 9 * 512),
            // The same fetch, then none.
            ("read", 8, 4, 40, 100, 9 * 512),
            ("read", 100, 4, 150, 150, 9 * 512),
            // Two at once.
            ("read", 1_020, 8, 200, 300, 7 * 512),
            // A part of a block needs the rest of it, a whole one does not.
            ("write", 1_600, 4, 400, 500, 6 * 512),
            ("write", 2_048, 512, 500, 500, 5 * 512),
            ("read", 2_048, 4, 501, 501, 5 * 512),
            // The first and the last of three are parts.
            ("write", 2_816, 1_024, 600, 700, 2 * 512),
            ("trim", 4_000, 40, 800, 800, 2 * 512),
            ("trim", 4_096, 512, 800, 800, 512),
            ("read", 4_096, 512, 900, 900, 512),
            ("read", 4_608, 512, 1_000, 1_100, 0),
        ];
        let mut disk = Untouched::new(&spec(0, None), Bytes::kib(5_120));
        for &(what, offset, len, at, there, left) in cases {
            let moved = moved(what != "read", what == "trim", offset * KIB, len * KIB);
            let found = disk.pass(at * 1_000_000, at * 1_000_000, moved);
            assert_eq!((found / 1_000_000, disk.left(found) / KIB), (there, left), "{what} {offset} at {at}");
        }
        assert_eq!(disk.fetched(), (7 * 512 * KIB, 1_100_000_000));
        // A write of a whole block ends the wait for it, a limit on one direction may have it come earlier.
        let mut disk = Untouched::new(&spec(0, None), Bytes::kib(5_120));
        assert_eq!(disk.pass(0, 500, moved(false, false, 0, 4)), 100_000_500);
        assert_eq!(disk.pass(0, 200, moved(true, false, 4, 4)), 100_000_200);
        assert_eq!(disk.pass(0, 700, moved(true, false, 0, 512 * KIB)), 700);
        assert_eq!(disk.pass(0, 800, moved(false, false, 0, 4)), 800);
    }

    #[test]
    fn blocks_come_by_themselves_in_the_order_of_offsets() {
        // 4 blocks and a half, of which one is there; one block a second.
        let disk = Untouched::new(&spec(600 * KIB, Some(512 * KIB)), Bytes::kib(2_304));
        for (ms, left) in [(0, 1_792), (999, 1_792), (1_000, 1_280), (2_500, 768), (3_999, 256), (4_000, 0), (9_000, 0)]
        {
            assert_eq!(disk.left(ms * 1_000_000) / KIB, left, "{ms}");
        }
        assert_eq!(disk.whole_at(), Some(4_000_000_000));
        let read = |block: u64, ms: u64| {
            disk.clone().pass(ms * 1_000_000, ms * 1_000_000, moved(false, false, block * 512 * KIB, 4)) / 1_000_000
        };
        let cases = [
            (0, 0, 0),
            (1, 0, 100),
            // It comes before it would be fetched.
            (1, 950, 1_000),
            (1, 1_000, 1_000),
            (4, 1_000, 1_100),
            (4, 3_990, 4_000),
        ];
        for (block, at, there) in cases {
            assert_eq!(read(block, at), there, "block {block} at {at} ms");
        }
        let all = Untouched::new(&spec(u64::MAX, Some(1)), Bytes::kib(2_304));
        assert_eq!((all.whole_at(), all.left(0)), (Some(0), 0));
    }

    #[test]
    fn what_is_left_is_what_no_one_has_touched() {
        // Against a list of flags, over several leaves and with a part of a block at the end.
        let (blocks, rate) = (100_000u64, 512 * KIB * 10);
        let size = Bytes::new((blocks << 19) - 1_000);
        let mut disk = Untouched::new(&spec(3 << 19, Some(rate)), size);
        let mut there = std::vec![false; blocks as usize];
        let mut draws = Stream::new(7, 0);
        for second in (0..400u64).step_by(7) {
            let now = second * NS_PER_SECOND;
            for _ in 0..50 {
                let block = draws.draw() % blocks;
                disk.pass(now, now, moved(false, false, block << 19, 4));
                there[block as usize] = true;
            }
            for block in 0..3 + second * 10 {
                there[block as usize] = true;
            }
            let left = there.iter().filter(|there| !**there).count() as u64;
            let short = if there[blocks as usize - 1] { 0 } else { 1_000 };
            assert_eq!(disk.left(now), (left << 19) - short, "{second}");
        }
    }

    #[test]
    fn memory_is_that_of_what_was_asked_for() {
        let mut disk = Untouched::new(&spec(0, None), Bytes::tib(64));
        assert_eq!(disk.memory(), 0);
        for n in 0..100_000u64 {
            disk.pass(n * 1_000_000, n * 1_000_000, moved(false, false, (n % 3) << 44 | n << 19, 4_096));
        }
        // Three places of 100,000 blocks; a hundred fetches are on their way at a time.
        assert!(disk.memory() < 20 * WORDS * 8 + 400 * 16, "{}", disk.memory());
    }
}
