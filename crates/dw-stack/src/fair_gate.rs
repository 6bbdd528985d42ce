//! A limit that several disks share, fairly.
//!
//! Each disk has a lane, first in first out. Requests stay in their lane until the limit can let one go, and the limit
//! then takes from the lane that has had the least so far (start-time fair queueing; the price of a request is the time
//! it takes of the narrower of the two limits). So a disk with a thousand waiting requests cannot hold up one with a
//! single request, and a disk that does not use its share leaves it to the others.
//!
//! When only one disk can use the limit there is nothing to share, and the answer is given at arrival: the same
//! instants, one event a request fewer.
//!
//! Invariant: a lane is in exactly one of three states: empty, its head not yet due (`pending`), its head due (`due`).

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::event_queue::NEVER;
use crate::limiter::Pair;

/// A request in a lane.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    arrives: u64,
    op: u32,
    ios: u32,
    bytes: u32,
}

#[derive(Clone, Debug, Default)]
struct Lane {
    queue: VecDeque<Waiting>,
    /// Virtual time at which its next request starts.
    tag: u64,
}

/// The arrival of each lane's head, and the earliest of them: a VM has few disks, so a search beats a tree.
#[derive(Clone, Debug)]
struct Arrivals {
    at: Vec<u64>,
    first: (u64, usize),
}

impl Arrivals {
    fn set(&mut self, slot: usize, at: u64) {
        self.at[slot] = at;
        if at < self.first.0 {
            self.first = (at, slot);
        } else if self.first.1 == slot {
            self.first = (at, slot);
            for (other, &time) in self.at.iter().enumerate() {
                if time < self.first.0 {
                    self.first = (time, other);
                }
            }
        }
    }
}

/// A request that was let go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grant {
    pub(crate) op: u32,
    pub(crate) arrived: u64,
    /// When it left the IOPS limit.
    pub(crate) first: u64,
    /// When it left the throughput limit.
    pub(crate) second: u64,
}

/// The gate.
#[derive(Clone, Debug)]
pub(crate) struct FairGate {
    pub(crate) pair: Pair,
    lanes: Vec<Lane>,
    /// A bit for each lane whose head is due, and how many there are.
    due: Vec<u64>,
    due_lanes: usize,
    /// When the pair lets the next one go; only its own grants move it.
    available: u64,
    /// Heads that arrive later.
    pending: Arrivals,
    virtual_time: u64,
    solo: bool,
}

impl FairGate {
    pub(crate) fn new(pair: Pair, lanes: usize) -> Self {
        FairGate {
            pair,
            lanes: alloc::vec![Lane::default(); lanes],
            due: alloc::vec![0; lanes.div_ceil(64)],
            due_lanes: 0,
            available: 0,
            pending: Arrivals { at: alloc::vec![NEVER; lanes], first: (NEVER, 0) },
            virtual_time: 0,
            solo: false,
        }
    }

    /// Only one lane is used from now on: answer at arrival, unless somebody still waits.
    pub(crate) fn set_solo(&mut self, solo: bool) {
        self.solo = solo && self.lanes.iter().all(|lane| lane.queue.is_empty());
        self.available = self.pair.available();
    }

    /// A request arrives in `lane` at `arrives`, which may lie after `now` but not before the lane's last arrival.
    /// Lets it go at once if it can, else keeps it.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        now: u64,
        lane: u16,
        arrives: u64,
        op: u32,
        ios: u32,
        bytes: u32,
    ) -> Option<(u64, u64)> {
        if self.solo {
            return Some(self.pair.pass(arrives, u64::from(ios), u64::from(bytes)));
        }
        self.enter_lane(now, lane, Waiting { arrives, op, ios, bytes })
    }

    fn enter_lane(&mut self, now: u64, lane: u16, waiting: Waiting) -> Option<(u64, u64)> {
        let Waiting { arrives, ios, bytes, .. } = waiting;
        let slot = usize::from(lane);
        if self.lanes[slot].queue.is_empty() {
            if arrives <= now && self.due_lanes == 0 && self.available <= now {
                return Some(self.pass(arrives, ios, bytes));
            }
            if arrives <= now {
                self.make_due(slot);
            } else {
                self.pending.set(slot, arrives);
            }
        }
        debug_assert!(self.lanes[slot].queue.back().is_none_or(|last| last.arrives <= arrives));
        self.lanes[slot].queue.push_back(waiting);
        None
    }

    fn make_due(&mut self, slot: usize) {
        let lane = &mut self.lanes[slot];
        lane.tag = lane.tag.max(self.virtual_time);
        self.due[slot / 64] |= 1 << (slot % 64);
        self.due_lanes += 1;
    }

    fn charge(&mut self, slot: usize, ios: u32, bytes: u32) {
        let price = self.pair.price(u64::from(ios), u64::from(bytes));
        let lane = &mut self.lanes[slot];
        lane.tag = lane.tag.max(self.virtual_time);
        self.virtual_time = lane.tag;
        lane.tag += price;
    }

    /// When [`FairGate::grant`] has something to do.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        if self.solo {
            NEVER
        } else if self.due_lanes > 0 {
            self.available
        } else {
            self.pending.first.0.max(self.available)
        }
    }

    /// Lets the next request go, if one can at `now`.
    pub(crate) fn grant(&mut self, now: u64) -> Option<Grant> {
        if self.available > now {
            return None;
        }
        if self.due_lanes == 0 {
            let (arrives, slot) = self.pending.first;
            if arrives > now {
                return None;
            }
            let head = self.lanes[slot].queue.pop_front()?;
            self.pending.set(slot, self.head_arrives(slot));
            // Alone: nobody to be charged against.
            if self.pending.first.0 > now {
                return Some(self.let_go(head));
            }
            self.lanes[slot].queue.push_front(head);
            self.pending.set(slot, head.arrives);
        }
        while self.pending.first.0 <= now {
            let slot = self.pending.first.1;
            self.pending.set(slot, NEVER);
            self.make_due(slot);
        }
        let slot = self.least_served()?;
        let head = self.lanes[slot].queue.pop_front()?;
        self.charge(slot, head.ios, head.bytes);
        let next = self.head_arrives(slot);
        if next > now {
            self.due[slot / 64] &= !(1 << (slot % 64));
            self.due_lanes -= 1;
            self.pending.set(slot, next);
        }
        Some(self.let_go(head))
    }

    fn head_arrives(&self, slot: usize) -> u64 {
        self.lanes[slot].queue.front().map_or(NEVER, |head| head.arrives)
    }

    /// The lane with a head that is due whose tag is lowest.
    fn least_served(&self) -> Option<usize> {
        let mut best: Option<(u64, usize)> = None;
        for (word, &bits) in self.due.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let candidate = (self.lanes[slot].tag, slot);
                best = Some(best.map_or(candidate, |best| best.min(candidate)));
            }
        }
        best.map(|(_, slot)| slot)
    }

    fn let_go(&mut self, head: Waiting) -> Grant {
        let (first, second) = self.pair.pass_in_turn(head.arrives, u64::from(head.ios), u64::from(head.bytes));
        self.available = self.pair.available();
        Grant { op: head.op, arrived: head.arrives, first, second }
    }

    #[inline]
    fn pass(&mut self, arrives: u64, ios: u32, bytes: u32) -> (u64, u64) {
        let passed = self.pair.pass(arrives, u64::from(ios), u64::from(bytes));
        self.available = self.pair.available();
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Credits, LimitSpec, RateSpec};
    use dw_units::NS_PER_SECOND;

    /// Grants per lane after `seconds`, when lane i always has `depth[i]` requests of `bytes[i]` waiting.
    fn shares(limit: LimitSpec, depth: &[u32], bytes: &[u32], seconds: u64) -> Vec<u64> {
        let mut gate = FairGate::new(Pair::new(&limit, Credits::Full), depth.len());
        let mut counts = alloc::vec![0; depth.len()];
        let enter = |gate: &mut FairGate, now, lane: usize, counts: &mut Vec<u64>| {
            while gate.enter(now, lane as u16, now, lane as u32, 1, bytes[lane]).is_some() {
                counts[lane] += 1;
            }
        };
        for (lane, &n) in depth.iter().enumerate() {
            for _ in 0..n {
                enter(&mut gate, 0, lane, &mut counts);
            }
        }
        while gate.next() < seconds * NS_PER_SECOND {
            let now = gate.next();
            while let Some(grant) = gate.grant(now) {
                counts[grant.op as usize] += 1;
                enter(&mut gate, now, grant.op as usize, &mut counts);
            }
        }
        counts
    }

    #[test]
    fn three_equal_disks_get_a_third_each_whatever_their_depth() {
        let limit = LimitSpec { iops: Some(RateSpec::plain(12_800)), throughput: None };
        for depth in [[1, 1, 1], [256, 4, 1]] {
            for count in shares(limit, &depth, &[4096; 3], 10) {
                assert!(count.abs_diff(42_667) <= 2, "{count}");
            }
        }
    }

    #[test]
    fn bytes_are_shared_where_bytes_are_short() {
        let limit = LimitSpec { iops: None, throughput: Some(RateSpec::plain(100 << 20)) };
        let counts = shares(limit, &[8, 8], &[4 << 10, 64 << 10], 10);
        assert!(counts[0].abs_diff(16 * counts[1]) <= 64, "{counts:?}");
    }
}
