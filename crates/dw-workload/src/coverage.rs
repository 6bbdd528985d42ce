//! Which blocks of a pass have been used: fio's random map.
//!
//! A bit a block, and above it a bit a full word, 64-ary, so that the next free block is found in as many steps as
//! there are levels. A drawn block that is used gives way to the next free one upward, from the top back to the start;
//! so every block is used exactly once a pass, and the end of a pass turns partly sequential. A request of several
//! blocks takes the free run that begins at its block, and no more.
//!
//! Source: the behaviour of fio 3.33's map, checked by counting what it issues.
//!
//! Invariant: a bit above is set exactly when the whole word below is; bits past the end are set.

/// The blocks of one file in one pass.
#[derive(Clone, Debug)]
pub struct Coverage {
    blocks: u64,
    used: u64,
    /// `levels[0]` has a bit a block, `levels[n + 1]` a bit a word of `levels[n]`; the last has one word.
    leaf: Vec<u64>,
    upper: Vec<Vec<u64>>,
}

impl Coverage {
    /// `blocks` blocks, all free.
    pub fn new(blocks: u64) -> Self {
        let words = |bits: u64| vec![0u64; bits.div_ceil(64).max(1) as usize];
        let leaf = words(blocks);
        let mut upper = Vec::new();
        let mut below = leaf.len();
        while below > 1 {
            upper.push(words(below as u64));
            below = upper[upper.len() - 1].len();
        }
        let mut map = Coverage { blocks, used: 0, leaf, upper };
        map.clear();
        map
    }
    /// The memory that a map of `blocks` blocks takes, in bytes: a bit a block, and a sixty-third of that above.
    pub fn bytes(blocks: u64) -> u64 {
        let (mut bits, mut bytes) = (blocks, 0);
        loop {
            bits = bits.div_ceil(64).max(1);
            bytes += bits * 8;
            if bits == 1 {
                return bytes;
            }
        }
    }
    /// All blocks are free again.
    pub fn clear(&mut self) {
        let mut bits = self.blocks;
        for level in std::iter::once(&mut self.leaf).chain(&mut self.upper) {
            level.fill(0);
            if bits < level.len() as u64 * 64 {
                let last = level.len() - 1;
                level[last] = !0 << (bits - last as u64 * 64);
            }
            bits = level.len() as u64;
        }
        self.used = 0;
    }
    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }
    /// Whether every block has been used.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.used == self.blocks
    }
    /// Brings the word of `block` into the processor's cache: no effect but on speed.
    #[inline(always)]
    pub fn prefetch(&self, block: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            let word: *const u64 = &self.leaf[(block >> 6) as usize];
            // SAFETY: a prefetch of a valid address reads nothing and cannot fault; SSE is part of x86-64.
            #[allow(unsafe_code)]
            unsafe {
                core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(word.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = block;
    }
    /// Takes `block`, or the next free one; `None` when all are used.
    #[inline(always)]
    pub fn take_next(&mut self, block: u64) -> Option<u64> {
        let word = (block >> 6) as usize;
        // One test covers "free" and "used, but the next is in the same word": the branch is nearly always taken.
        let free = !self.leaf[word] & (!0 << (block & 63));
        let found = if free != 0 { ((word as u64) << 6) | u64::from(free.trailing_zeros()) } else { self.find(block)? };
        self.set(found);
        Some(found)
    }
    /// The next free block at or after `block`, else the first free one.
    pub fn next_free(&self, block: u64) -> Option<u64> {
        let word = (block >> 6) as usize;
        let free = !self.leaf[word] & (!0 << (block & 63));
        if free != 0 { Some(((word as u64) << 6) | u64::from(free.trailing_zeros())) } else { self.find(block) }
    }
    /// Takes the free run that begins at `block`, at most `count` blocks; how many were taken.
    pub fn take_run(&mut self, block: u64, count: u64) -> u64 {
        let mut taken = 0;
        while taken < count && block + taken < self.blocks {
            let at = block + taken;
            let (word, bit) = ((at >> 6) as usize, at & 63);
            let room = (64 - bit).min(count - taken);
            let free = u64::from((self.leaf[word] >> bit).trailing_zeros()).min(room);
            if free == 0 {
                break;
            }
            let mask = if free == 64 { !0 } else { ((1 << free) - 1) << bit };
            self.leaf[word] |= mask;
            self.used += free;
            self.note_full(word);
            taken += free;
            if free < room {
                break;
            }
        }
        taken
    }

    #[inline(always)]
    fn set(&mut self, block: u64) {
        let word = (block >> 6) as usize;
        self.leaf[word] |= 1 << (block & 63);
        self.used += 1;
        if self.leaf[word] == !0 {
            self.note_full(word);
        }
    }
    /// Tells the levels above that a word may have become full.
    #[inline(never)]
    fn note_full(&mut self, mut word: usize) {
        if self.leaf[word] != !0 {
            return;
        }
        for level in &mut self.upper {
            level[word >> 6] |= 1 << (word & 63);
            if level[word >> 6] != !0 {
                return;
            }
            word >>= 6;
        }
    }
    /// The next free block after the word of `block`, wrapping around.
    #[cold]
    fn find(&self, block: u64) -> Option<u64> {
        if self.is_full() {
            return None;
        }
        // Up while everything further on is full, then down along the first gap.
        let mut index = (block >> 6) as usize + 1;
        for (height, level) in self.upper.iter().enumerate() {
            if index >> 6 < level.len() {
                let free = !level[index >> 6] & (!0 << (index & 63));
                if free != 0 {
                    return Some(self.descend(height, index >> 6, free));
                }
            }
            index = (index >> 6) + 1;
        }
        Some(match self.upper.last() {
            Some(top) => self.descend(self.upper.len() - 1, 0, !top[0]),
            None => u64::from((!self.leaf[0]).trailing_zeros()),
        })
    }
    fn descend(&self, height: usize, word: usize, free: u64) -> u64 {
        let mut index = (word << 6) | free.trailing_zeros() as usize;
        for level in self.upper[..height].iter().rev() {
            index = (index << 6) | (!level[index]).trailing_zeros() as usize;
        }
        ((index as u64) << 6) | u64::from((!self.leaf[index]).trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use proptest::prelude::*;

    /// The slow and obvious twin: a flag a block.
    struct Slow(Vec<bool>);
    impl Slow {
        fn next_free(&self, block: u64) -> Option<u64> {
            let n = self.0.len();
            (0..n).map(|i| (block as usize + i) % n).find(|&i| !self.0[i]).map(|i| i as u64)
        }
        fn take_run(&mut self, block: u64, count: u64) -> u64 {
            let mut taken = 0;
            while taken < count && ((block + taken) as usize) < self.0.len() && !self.0[(block + taken) as usize] {
                self.0[(block + taken) as usize] = true;
                taken += 1;
            }
            taken
        }
    }

    #[test]
    fn a_map_takes_as_much_memory_as_it_says() {
        for blocks in [0, 1, 63, 64, 65, 4_096, 4_097, 262_144, 262_145, 1_000_000] {
            let map = Coverage::new(blocks);
            let words = map.leaf.len() + map.upper.iter().map(Vec::len).sum::<usize>();
            assert_eq!(Coverage::bytes(blocks), words as u64 * 8, "{blocks}");
        }
    }

    proptest! {
        #[test]
        fn the_map_agrees_with_a_flag_a_block(
            blocks in prop_oneof![1u64..300, 4_090u64..4_200, 262_100u64..262_300],
            seed in any::<u64>(),
        ) {
            let (mut map, mut slow) = (Coverage::new(blocks), Slow(vec![false; blocks as usize]));
            let mut rng = Stream::new(seed, 0);
            for step in 0..600 {
                // Long runs first, so that whole words and whole levels fill up.
                let count = if step < 200 { 1 + rng.below(blocks / 40 + 2) } else { 1 };
                let block = rng.below(blocks);
                let free = map.next_free(block);
                prop_assert_eq!(free, slow.next_free(block));
                let Some(free) = free else { prop_assert!(map.is_full()); break };
                if count == 1 {
                    prop_assert_eq!(map.take_next(block), Some(free));
                    prop_assert_eq!(slow.take_run(free, 1), 1);
                } else {
                    prop_assert_eq!(map.take_run(free, count), slow.take_run(free, count));
                }
            }
        }
    }

    #[test]
    fn every_block_is_taken_once_a_pass() {
        for blocks in [1, 63, 64, 65, 4_096, 4_097, 300_000] {
            let mut map = Coverage::new(blocks);
            let mut rng = Stream::new(9, 9);
            for pass in 0..2 {
                let mut seen = vec![false; blocks as usize];
                while let Some(block) = map.take_next(rng.below(blocks)) {
                    assert!(!std::mem::replace(&mut seen[block as usize], true), "block {block} twice in pass {pass}");
                }
                assert!(seen.iter().all(|&s| s) && map.is_full());
                map.clear();
            }
        }
    }
}
