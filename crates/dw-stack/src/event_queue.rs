//! A winner tree over fixed slots: the next event, and which slot it belongs to.
//!
//! A closed loop has a fixed set of slots, so the queue is a tournament: setting a slot's time replays one path to the
//! root, without branches, and the minimum is the root. Ties go to the lower slot, so the order is total and runs
//! repeat. Grows by doubling.
//!
//! Invariant: each inner node holds the smaller of its two children.

use alloc::vec::Vec;

/// "No event".
pub(crate) const NEVER: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    at: u64,
    slot: u32,
}

impl Node {
    #[inline]
    fn before(self, other: Node) -> bool {
        (self.at < other.at) | ((self.at == other.at) & (self.slot < other.slot))
    }
}

/// The queue.
#[derive(Clone, Debug)]
pub(crate) struct EventQueue {
    /// `nodes[1]` is the root, `nodes[leaves + slot]` a slot.
    nodes: Vec<Node>,
    leaves: usize,
}

impl EventQueue {
    pub(crate) fn new(slots: usize) -> Self {
        let leaves = slots.next_power_of_two().max(2);
        let mut queue = EventQueue { nodes: alloc::vec![Node { at: NEVER, slot: 0 }; 2 * leaves], leaves };
        for slot in 0..leaves {
            queue.nodes[leaves + slot].slot = slot as u32;
        }
        queue.rebuild();
        queue
    }

    fn rebuild(&mut self) {
        for parent in (1..self.leaves).rev() {
            let (left, right) = (self.nodes[2 * parent], self.nodes[2 * parent + 1]);
            self.nodes[parent] = if right.before(left) { right } else { left };
        }
    }

    fn grow(&mut self, slots: usize) {
        let mut larger = EventQueue::new(slots);
        for slot in 0..self.leaves {
            larger.nodes[larger.leaves + slot].at = self.nodes[self.leaves + slot].at;
        }
        larger.rebuild();
        *self = larger;
    }

    /// The earliest time, or [`NEVER`], and its slot.
    #[inline]
    pub(crate) fn first(&self) -> (u64, u32) {
        let root = self.nodes[1];
        (root.at, root.slot)
    }

    /// Sets the time of a slot; [`NEVER`] clears it.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, at: u64) {
        if slot as usize >= self.leaves {
            self.grow(slot as usize + 1);
        }
        let mut index = self.leaves + slot as usize;
        let mut winner = Node { at, slot };
        let nodes = &mut self.nodes[..];
        nodes[index] = winner;
        while index > 1 {
            let sibling = nodes[index ^ 1];
            winner = if sibling.before(winner) { sibling } else { winner };
            index >>= 1;
            nodes[index] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EventQueue, NEVER};
    use crate::random::Stream;

    #[test]
    fn agrees_with_a_search_through_all_slots() {
        let mut queue = EventQueue::new(3);
        let mut slowly = alloc::vec![NEVER; 100];
        let mut stream = Stream::new(1, 1);
        for _ in 0..20_000 {
            let draw = stream.draw();
            let slot = (draw % 100) as usize;
            let at = if draw >> 60 == 0 { NEVER } else { (draw >> 20) % 50 };
            queue.set(slot as u32, at);
            slowly[slot] = at;
            let expected = (0..100).min_by_key(|&s| (slowly[s], s)).unwrap();
            let first = queue.first();
            assert_eq!(first.0, slowly[expected]);
            if first.0 != NEVER {
                assert_eq!(first.1 as usize, expected);
            }
        }
    }
}
