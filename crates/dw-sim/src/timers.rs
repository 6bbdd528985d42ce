//! When each clone is to be woken: a winner tree over fixed slots.
//!
//! Every clone has a slot, so this is a tournament: setting a slot's time replays one path to the root, without branches, and
//! the minimum is the root.
//!
//! A key is one word, the time since `base` above the slot, so one comparison orders both and ties go to the lower slot.
//! With 1,024 slots a word reaches 208 days; what lies beyond is marked far, and the base moves when only far times are left.
//!
//! Invariant: each inner node holds the smaller of its two children; `times` holds the exact time of each slot.

use dw_units::Instant;

/// "Not at all".
const NEVER: u64 = u64::MAX;

/// The times.
#[derive(Clone, Debug)]
pub(crate) struct Timers {
    /// `nodes[1]` is the root, `nodes[leaves + slot]` a slot.
    nodes: Vec<u64>,
    times: Vec<u64>,
    base: u64,
    slot_bits: u32,
}

impl Timers {
    pub(crate) fn new(slots: usize) -> Self {
        // One of the sizes that `replay` knows, or larger.
        let leaves = slots.next_power_of_two().max(64);
        let leaves = if leaves.trailing_zeros() % 2 == 1 { 2 * leaves } else { leaves };
        Timers {
            nodes: vec![NEVER; 2 * leaves],
            times: vec![NEVER; leaves],
            base: 0,
            slot_bits: leaves.trailing_zeros(),
        }
    }

    /// The key of what lies beyond the reach of a word; its slot bits are zero.
    #[inline]
    fn far(&self) -> u64 {
        (NEVER << self.slot_bits) - (1 << self.slot_bits)
    }

    /// Rebuilds the tree for at least `slots` slots, counting from `base`, which no event precedes.
    #[cold]
    fn rebuild(&mut self, slots: usize, base: u64) {
        let mut fresh = Timers::new(slots.max(self.times.len()));
        fresh.base = base;
        for (slot, &at) in self.times.iter().enumerate() {
            fresh.times[slot] = at;
            fresh.replay(slot as u32, fresh.key(slot as u32, at));
        }
        *self = fresh;
    }

    /// The earliest time, or [`Instant::NEVER`], and its slot.
    #[inline]
    pub(crate) fn first(&self) -> (Instant, u32) {
        let root = self.nodes[1];
        let slot = root & ((1 << self.slot_bits) - 1);
        let at = if root == NEVER { NEVER } else { self.base + (root >> self.slot_bits) };
        (Instant::from_ns(at), slot as u32)
    }

    /// Sets the time of a slot; [`Instant::NEVER`] clears it.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, at: Instant) {
        let at = at.ns();
        let since = at.wrapping_sub(self.base);
        match self.times.get_mut(slot as usize) {
            // What lies before the base wraps round and is beyond reach, too.
            Some(time) if since < NEVER >> self.slot_bits => {
                *time = at;
                self.replay(slot, since << self.slot_bits | u64::from(slot));
            }
            _ => self.set_beyond(slot, at),
        }
    }

    /// The same for a slot or a time that is out of the tree's reach.
    #[inline(never)]
    fn set_beyond(&mut self, slot: u32, at: u64) {
        if slot as usize >= self.times.len() {
            self.rebuild(slot as usize + 1, self.base);
        }
        self.times[slot as usize] = at;
        if at < self.base {
            return self.rebuild(0, at);
        }
        self.replay(slot, self.key(slot, at));
        let root = self.nodes[1];
        if root >= self.far() && root != NEVER {
            self.reach_far();
        }
    }

    fn key(&self, slot: u32, at: u64) -> u64 {
        let since = at - self.base;
        match at {
            NEVER => NEVER,
            _ if since >= NEVER >> self.slot_bits => self.far(),
            _ => since << self.slot_bits | u64::from(slot),
        }
    }

    /// Plays the slot's matches up to the root.
    #[inline]
    fn replay(&mut self, slot: u32, key: u64) {
        // A known size unrolls the loop and needs no bounds checks.
        let nodes = &mut self.nodes[..];
        match nodes.len() {
            128 => climb(nodes.as_mut_array::<128>(), slot, key),
            512 => climb(nodes.as_mut_array::<512>(), slot, key),
            2_048 => climb(nodes.as_mut_array::<2_048>(), slot, key),
            8_192 => climb(nodes.as_mut_array::<8_192>(), slot, key),
            len => {
                let (mut index, mut winner) = (len / 2 + slot as usize, key);
                nodes[index] = winner;
                while index > 1 {
                    winner = winner.min(nodes[index ^ 1]);
                    index /= 2;
                    nodes[index] = winner;
                }
            }
        }
    }

    /// Only far events are left: count from the nearest of them.
    #[cold]
    fn reach_far(&mut self) {
        let nearest = self.times.iter().copied().min().unwrap_or(0);
        if nearest > self.base {
            self.rebuild(0, nearest);
        }
    }
}

/// Plays from a slot to the root of a tree of `N` nodes.
#[inline]
fn climb<const N: usize>(nodes: Option<&mut [u64; N]>, slot: u32, key: u64) {
    let Some(nodes) = nodes else { return };
    let mut index = N / 2 + slot as usize % (N / 2);
    let mut winner = key;
    nodes[index] = winner;
    for _ in 0..N.trailing_zeros() - 1 {
        winner = winner.min(nodes[index ^ 1]);
        index /= 2;
        nodes[index] = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, NEVER, Timers};
    use dw_workload::rng::Stream;

    #[test]
    fn far_times_come_in_order_too() {
        let mut timers = Timers::new(4);
        // A thousand times half a year apart: each beyond the reach of the one before.
        let half_a_year = 183 * 86_400 * 1_000_000_000u64;
        for slot in 0..1_000u32 {
            timers.set(slot, Instant::from_ns(u64::from(1_000 - slot) * half_a_year));
        }
        for n in 1..=1_000 {
            let (at, slot) = timers.first();
            assert_eq!((at.ns(), u64::from(slot)), (n * half_a_year, 1_000 - n));
            timers.set(slot, Instant::NEVER);
        }
        assert_eq!(timers.first().0, Instant::NEVER);
    }

    #[test]
    fn agrees_with_a_search_through_all_slots() {
        let mut timers = Timers::new(3);
        let mut slowly = vec![NEVER; 100];
        let mut stream = Stream::new(1, 1);
        for _ in 0..20_000 {
            let draw = stream.bits();
            let slot = (draw % 100) as usize;
            let at = if draw >> 60 == 0 { NEVER } else { (draw >> 20) % 50 };
            timers.set(slot as u32, Instant::from_ns(at));
            slowly[slot] = at;
            let expected = (0..100).min_by_key(|&s| (slowly[s], s)).unwrap();
            let first = timers.first();
            assert_eq!(first.0.ns(), slowly[expected]);
            if first.0 != Instant::NEVER {
                assert_eq!(first.1 as usize, expected);
            }
        }
    }
}
