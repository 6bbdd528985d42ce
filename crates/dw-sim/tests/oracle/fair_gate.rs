//! A pair of limits that several disks share, fairly.
//!
//! Each limit of the pair has a lane per disk, first in first out. Requests stay in their lane until the limit can let
//! one go, and it then takes from the lane that has had the fewest of its tokens so far (start-time fair queueing). So a
//! disk with a thousand waiting requests cannot hold up one with a single request, and a disk that does not use its
//! share leaves it to the others.
//!
//! A disk waits where it is short, and only there does it take part in the sharing: whoever waits for I/Os gets as many
//! I/Os as anyone, whoever waits for bytes as many bytes (bottleneck max fairness). No rate enters a share, so a burst
//! that begins or ends changes how much there is and not how it is divided.
//!
//! When only one disk can use the limits there is nothing to share, and the answer is given at arrival: the same
//! instants, one event a request fewer.
//!
//! Source: Goyal, Vin, Cheng, "Start-time fair queuing" (1996); Bonald, Roberts, "Multi-resource fairness" (2015).
//!
//! Invariant: a lane is in exactly one of three states: empty, its head not yet due (`pending`), its head due (`due`).

use std::collections::VecDeque;

use crate::oracle::NEVER;
use crate::oracle::limiter::{Limiter, Pair};

/// A request in a lane.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// When it came to the pair.
    arrived: u64,
    /// When it came to this limit.
    arrives: u64,
    op: u32,
    ios: u32,
    bytes: u32,
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
            let mut first = (at, slot);
            for (other, &time) in self.at.iter().enumerate() {
                if time < first.0 {
                    first = (time, other);
                }
            }
            self.first = first;
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

/// The lanes in front of one limit.
#[derive(Clone, Debug)]
struct Lanes {
    queues: Vec<VecDeque<Waiting>>,
    /// Virtual time, in tokens, at which the next request of each lane starts.
    tags: Vec<u64>,
    /// A bit for each lane whose head is due, and how many there are.
    due: Vec<u64>,
    due_lanes: usize,
    /// When the limit lets the next one go; only its own grants move it.
    available: u64,
    /// Heads that arrive later.
    pending: Arrivals,
    virtual_time: u64,
}

impl Lanes {
    fn new(lanes: usize) -> Self {
        Lanes {
            queues: std::vec![VecDeque::new(); lanes],
            tags: std::vec![0; lanes],
            due: std::vec![0; lanes.div_ceil(64)],
            due_lanes: 0,
            available: 0,
            pending: Arrivals { at: std::vec![NEVER; lanes], first: (NEVER, 0) },
            virtual_time: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// A request comes to the limit: when it is let go, if that is at once; else it is kept.
    fn enter(&mut self, limit: &mut Limiter, now: u64, lane: usize, tokens: u32, waiting: &Waiting) -> Option<u64> {
        let nobody_due = self.due_lanes == 0 && self.queues[lane].is_empty();
        if nobody_due && waiting.arrives <= now && self.available <= now {
            return Some(self.pass(limit, waiting.arrives, tokens));
        }
        self.keep(now, lane, waiting);
        None
    }

    /// A request waits in its lane. Out of line: what passes at once does not pay for it.
    fn keep(&mut self, now: u64, lane: usize, waiting: &Waiting) {
        let arrives = waiting.arrives;
        let queue = &mut self.queues[lane];
        debug_assert!(queue.back().is_none_or(|last| last.arrives <= arrives));
        let was_empty = queue.is_empty();
        queue.push_back(*waiting);
        if was_empty {
            if arrives <= now {
                self.make_due(lane);
            } else {
                self.pending.set(lane, arrives);
            }
        }
    }

    fn pass(&mut self, limit: &mut Limiter, arrives: u64, tokens: u32) -> u64 {
        let at = limit.pass(arrives, u64::from(tokens));
        self.available = limit.earliest();
        at
    }

    fn make_due(&mut self, slot: usize) {
        self.tags[slot] = self.tags[slot].max(self.virtual_time);
        self.due[slot / 64] |= 1 << (slot % 64);
        self.due_lanes += 1;
    }

    fn charge(&mut self, slot: usize, tokens: u32) {
        let tag = &mut self.tags[slot];
        self.virtual_time = self.virtual_time.max(*tag);
        // What takes no tokens takes its turn.
        *tag = self.virtual_time + u64::from(tokens.max(1));
    }

    /// When [`Lanes::grant`] has something to do.
    fn next(&self) -> u64 {
        if self.due_lanes > 0 { self.available } else { self.pending.first.0.max(self.available) }
    }

    /// The next request that the limit lets go, with its lane, if it can at `now`; `tokens` says how many it takes.
    fn grant(&mut self, now: u64, tokens: impl Fn(&Waiting) -> u32) -> Option<(usize, Waiting)> {
        if self.next() > now {
            return None;
        }
        if self.due_lanes == 0 {
            let slot = self.pending.first.1;
            let (head, next) = self.pop(slot)?;
            self.pending.set(slot, next);
            // Alone: nobody to be charged against.
            if self.pending.first.0 > now {
                return Some((slot, head));
            }
            self.queues[slot].push_front(head);
            self.pending.set(slot, head.arrives);
        }
        while self.pending.first.0 <= now {
            let slot = self.pending.first.1;
            self.pending.set(slot, NEVER);
            self.make_due(slot);
        }
        let slot = self.least_served();
        let (head, next) = self.pop(slot)?;
        self.charge(slot, tokens(&head));
        if next > now {
            self.due[slot / 64] &= !(1 << (slot % 64));
            self.due_lanes -= 1;
            self.pending.set(slot, next);
        }
        Some((slot, head))
    }

    /// The head of a lane, and when what is behind it arrives.
    fn pop(&mut self, slot: usize) -> Option<(Waiting, u64)> {
        let queue = &mut self.queues[slot];
        let head = queue.pop_front()?;
        Some((head, queue.front().map_or(NEVER, |next| next.arrives)))
    }

    /// The lane with a head that is due whose tag is lowest, the first of them; there is one.
    fn least_served(&self) -> usize {
        let (mut lowest, mut best) = (u64::MAX, 0);
        for (word, &bits) in self.due.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if self.tags[slot] < lowest {
                    (lowest, best) = (self.tags[slot], slot);
                }
            }
        }
        best
    }
}

/// The gate.
#[derive(Clone, Debug)]
pub(crate) struct FairGate {
    pub(crate) pair: Pair,
    iops: Lanes,
    throughput: Lanes,
    solo: bool,
    /// Nanoseconds that each lane waited: for I/Os, for bytes.
    pub(crate) waited: Vec<[u64; 2]>,
}

impl FairGate {
    pub(crate) fn new(pair: Pair, lanes: usize) -> Self {
        let waited = std::vec![[0; 2]; lanes];
        FairGate { pair, iops: Lanes::new(lanes), throughput: Lanes::new(lanes), solo: false, waited }
    }

    /// A request of `lane` that arrived at `arrived` has left the two limits after a wait.
    pub(crate) fn note_wait(&mut self, lane: u16, arrived: u64, first: u64, second: u64) {
        let waited = &mut self.waited[usize::from(lane)];
        waited[0] += first - arrived;
        waited[1] += second - first;
    }

    /// Only one lane is used from now on: answer at arrival, unless somebody still waits.
    pub(crate) fn set_solo(&mut self, solo: bool) {
        self.solo = solo && self.iops.is_empty() && self.throughput.is_empty();
        self.iops.available = self.pair.iops.as_ref().map_or(0, Limiter::earliest);
        self.throughput.available = self.pair.throughput.as_ref().map_or(0, Limiter::earliest);
    }

    /// A request arrives in `lane` at `arrives`, which may lie after `now` but not before the lane's last arrival.
    /// Lets it go at once if it can, else keeps it.
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
        self.enter_lane(now, usize::from(lane), Waiting { arrived: arrives, arrives, op, ios, bytes })
    }

    fn enter_lane(&mut self, now: u64, lane: usize, waiting: Waiting) -> Option<(u64, u64)> {
        let first = match &mut self.pair.iops {
            Some(limit) => self.iops.enter(limit, now, lane, waiting.ios, &waiting)?,
            None => waiting.arrives,
        };
        let second = self.enter_second(now, lane, Waiting { arrives: first, ..waiting })?;
        Some((first, second))
    }

    /// What has passed the IOPS limit comes to the throughput limit.
    fn enter_second(&mut self, now: u64, lane: usize, waiting: Waiting) -> Option<u64> {
        match &mut self.pair.throughput {
            Some(limit) => self.throughput.enter(limit, now, lane, waiting.bytes, &waiting),
            None => Some(waiting.arrives),
        }
    }

    /// When [`FairGate::grant`] has something to do.
    pub(crate) fn next(&self) -> u64 {
        if self.solo { NEVER } else { self.iops.next().min(self.throughput.next()) }
    }

    /// Lets the next request go, if one can at `now`.
    pub(crate) fn grant(&mut self, now: u64) -> Option<Grant> {
        loop {
            // Behind comes first: what waits for bytes has passed the other limit already.
            if let Some(limit) = &mut self.pair.throughput
                && let Some((_, head)) = self.throughput.grant(now, |head| head.bytes)
            {
                let second = self.throughput.pass(limit, head.arrives, head.bytes);
                return Some(Grant { op: head.op, arrived: head.arrived, first: head.arrives, second });
            }
            let limit = self.pair.iops.as_mut()?;
            let (lane, head) = self.iops.grant(now, |head| head.ios)?;
            let first = self.iops.pass(limit, head.arrives, head.ios);
            if let Some(second) = self.enter_second(now, lane, Waiting { arrives: first, ..head }) {
                return Some(Grant { op: head.op, arrived: head.arrived, first, second });
            }
        }
    }
}
