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

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::accounting::Moved;
use crate::event_queue::NEVER;
use crate::limiter::{Limiter, Pair};

const NOBODY: u32 = u32::MAX;

/// A request in a lane, or on its way through both.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// When it came to the pair.
    arrived: u64,
    /// When it came to this limit.
    arrives: u64,
    /// What it takes of the second limit, and of the first.
    bytes: u64,
    ios: u32,
    /// Who is behind it.
    next: u32,
}

const _: () = assert!(size_of::<Waiting>() == 32);

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

/// Lanes by a number each, lowest first, and the first of the lanes at a tie. A lane that was served comes back behind most
/// others, so the search for a place begins at the end.
#[derive(Clone, Debug)]
struct Order {
    /// The lowest number above its lane; [`NOTHING`] when there is none.
    first: u128,
    /// The others, from `head` to `end`.
    list: Box<[u128]>,
    head: usize,
    end: usize,
}

const NOTHING: u128 = u128::MAX;
/// Places that are taken before the list is moved to its front.
const TAKEN_MAX: usize = 64;

impl Order {
    fn new(lanes: usize) -> Self {
        Order { first: NOTHING, list: alloc::vec![0; lanes + TAKEN_MAX].into_boxed_slice(), head: 0, end: 0 }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.first() == NEVER
    }

    /// The lowest number; [`NEVER`] when there is none.
    #[inline(always)]
    fn first(&self) -> u64 {
        (self.first >> 64) as u64
    }

    /// Whether there is one more that is not above `number`.
    #[inline(always)]
    fn has_second_to(&self, number: u64) -> bool {
        self.head < self.end && (self.list[self.head] >> 64) as u64 <= number
    }

    /// Takes the lane with the lowest, which there is.
    #[inline(always)]
    fn take(&mut self) -> usize {
        debug_assert!(!self.is_empty());
        let lane = self.first as u32 as usize;
        let more = self.head < self.end;
        self.first = if more { self.list[self.head] } else { NOTHING };
        self.head += usize::from(more);
        lane
    }

    /// Takes a lane out, wherever it is; nothing if it is not there.
    fn remove(&mut self, lane: usize) {
        let is_lane = |entry: u128| entry as u32 as usize == lane;
        if self.first != NOTHING && is_lane(self.first) {
            self.take();
        } else if let Some(place) = (self.head..self.end).find(|&place| is_lane(self.list[place])) {
            self.list.copy_within(place + 1..self.end, place);
            self.end -= 1;
        }
    }

    #[inline(always)]
    fn insert(&mut self, number: u64, lane: usize) {
        let entry = u128::from(number) << 64 | lane as u128;
        if self.is_empty() {
            self.first = entry;
        } else {
            self.insert_more(entry);
        }
    }

    #[inline(always)]
    fn insert_more(&mut self, mut entry: u128) {
        if entry < self.first {
            core::mem::swap(&mut entry, &mut self.first);
        }
        if self.end == self.list.len() {
            self.list.copy_within(self.head.., 0);
            (self.head, self.end) = (0, self.end - self.head);
        }
        let list = &mut self.list[self.head..=self.end];
        self.end += 1;
        let mut place = list.len() - 1;
        while place > 0 && list[place - 1] > entry {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = entry;
    }
}

/// The requests of one disk that wait in front of a limit: a chain through the requests.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// Virtual time, in tokens, at which its next request starts.
    tag: u64,
    first: u32,
    last: u32,
}

/// The lanes in front of one limit.
#[derive(Clone, Debug)]
struct Lanes {
    lanes: Vec<Lane>,
    /// Lanes whose head is due, by their tags.
    due: Order,
    /// Lanes whose head is not, by its arrival.
    pending: Order,
    /// When the limit lets the next one go; only its own grants move it.
    available: u64,
    /// When [`Lanes::grant`] has something to do; kept, since it is asked for more often than it changes.
    next: u64,
    virtual_time: u64,
}

impl Lanes {
    fn new(lanes: usize) -> Self {
        Lanes {
            lanes: alloc::vec![Lane { tag: 0, first: NOBODY, last: NOBODY }; lanes],
            due: Order::new(lanes),
            pending: Order::new(lanes),
            available: 0,
            next: NEVER,
            virtual_time: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.due.is_empty() && self.pending.is_empty()
    }

    /// Whether a request that comes to the limit is let go at once.
    #[inline(always)]
    fn lets_go(&self, now: u64, lane: usize, arrives: u64) -> bool {
        arrives.max(self.available) <= now && self.due.is_empty() && self.lanes[lane].first == NOBODY
    }

    /// A request, which is among `waiting`, waits in its lane.
    #[inline(always)]
    fn keep(&mut self, now: u64, lane: usize, op: u32, waiting: &mut [Waiting]) {
        let arrives = waiting[op as usize].arrives;
        let of = &mut self.lanes[lane];
        if of.first != NOBODY {
            return of.append(op, waiting);
        }
        (of.first, of.last) = (op, op);
        if arrives <= now {
            self.make_due(lane);
        } else {
            self.pending.insert(arrives, lane);
        }
        self.look();
    }

    /// The same for one that comes before another that waits in its lane.
    fn keep_before(&mut self, now: u64, lane: usize, op: u32, waiting: &mut [Waiting]) {
        let arrives = waiting[op as usize].arrives;
        let of = &mut self.lanes[lane];
        if waiting[of.first as usize].arrives > arrives {
            waiting[op as usize].next = of.first;
            of.first = op;
            // Its head was not due, since this one is not before now.
            self.pending.remove(lane);
            if arrives <= now {
                self.make_due(lane);
            } else {
                self.pending.insert(arrives, lane);
            }
            return self.look();
        }
        let mut before = of.first;
        while waiting[waiting[before as usize].next as usize].arrives <= arrives {
            before = waiting[before as usize].next;
        }
        waiting[op as usize].next = core::mem::replace(&mut waiting[before as usize].next, op);
    }

    #[inline(always)]
    fn make_due(&mut self, lane: usize) {
        let of = &mut self.lanes[lane];
        of.tag = of.tag.max(self.virtual_time);
        self.due.insert(of.tag, lane);
    }

    #[inline(always)]
    fn look(&mut self) {
        let arrives = if self.due.is_empty() { self.pending.first() } else { 0 };
        self.next = arrives.max(self.available);
    }

    /// The limit lets the next one go at `available`.
    #[inline(always)]
    fn opens(&mut self, available: u64) {
        self.available = available;
        self.look();
    }

    /// The request that the limit lets go at `now`, with its lane; `tokens` says how many it takes. There is one.
    #[inline(always)]
    fn grant(&mut self, now: u64, waiting: &[Waiting], tokens: impl Fn(&Waiting) -> u64) -> (usize, u32, Waiting) {
        if self.pending.first() <= now && self.due.is_empty() && !self.pending.has_second_to(now) {
            // The only one that is due, unless another is behind it: it is charged against nobody.
            let lane = self.pending.take();
            let of = &mut self.lanes[lane];
            let (op, one, next) = of.head(waiting);
            if next > now {
                of.take(&one);
                if next != NEVER {
                    self.pending.insert(next, lane);
                }
                return (lane, op, one);
            }
            self.make_due(lane);
        }
        while self.pending.first() <= now {
            let lane = self.pending.take();
            self.make_due(lane);
        }
        // The least served of them.
        let lane = self.due.take();
        let of = &mut self.lanes[lane];
        let (op, one, next) = of.head(waiting);
        of.take(&one);
        self.virtual_time = self.virtual_time.max(of.tag);
        // What takes no tokens takes its turn.
        of.tag = self.virtual_time + tokens(&one).max(1);
        let tag = of.tag;
        if next <= now {
            self.due.insert(tag, lane);
        } else if next != NEVER {
            self.pending.insert(next, lane);
        }
        (lane, op, one)
    }
}

impl Lane {
    /// A request, which is among `waiting`, comes behind those that are there.
    #[inline(always)]
    fn append(&mut self, op: u32, waiting: &mut [Waiting]) {
        let arrives = waiting[op as usize].arrives;
        let last = &mut waiting[core::mem::replace(&mut self.last, op) as usize];
        debug_assert!(last.arrives <= arrives);
        last.next = op;
    }

    /// Whether a request that arrives then is behind all that wait.
    fn is_last(&self, arrives: u64, waiting: &[Waiting]) -> bool {
        self.first == NOBODY || waiting[self.last as usize].arrives <= arrives
    }

    /// Its first request, and when what is behind it arrives.
    #[inline(always)]
    fn head(&self, waiting: &[Waiting]) -> (u32, Waiting, u64) {
        let one = waiting[self.first as usize];
        let next = if self.first == self.last { NEVER } else { waiting[one.next as usize].arrives };
        (self.first, one, next)
    }

    /// Takes its first request.
    #[inline(always)]
    fn take(&mut self, first: &Waiting) {
        self.first = if self.first == self.last { NOBODY } else { first.next };
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FairGate {
    pub(crate) pair: Pair,
    /// By request, those that wait and some that did.
    waiting: Vec<Waiting>,
    iops: Lanes,
    throughput: Lanes,
    solo: bool,
    /// Its requests are charged in a way of their own, or some come out of turn: [`FairGate::enter_specially`].
    pub(crate) special: bool,
    /// A disk's requests may come before those that it sent before, see [`FairGate::set_out_of_turn`].
    out_of_turn: bool,
    /// When [`FairGate::grant`] has something to do; kept, since it is asked for more often than it changes.
    next: u64,
    /// Nanoseconds that each lane waited: for I/Os, for bytes.
    pub(crate) waited: Vec<[u64; 2]>,
}

impl FairGate {
    pub(crate) fn new(pair: Pair, lanes: usize) -> Self {
        let waited = alloc::vec![[0; 2]; lanes];
        let (iops, throughput) = (Lanes::new(lanes), Lanes::new(lanes));
        let special = pair.is_accounted();
        let (waiting, solo, out_of_turn) = (Vec::new(), false, false);
        FairGate { pair, waiting, iops, throughput, solo, special, out_of_turn, next: NEVER, waited }
    }

    /// Requests of one direction come past limits that others of their disk wait at: who comes later may be due before.
    pub(crate) fn set_out_of_turn(&mut self, out_of_turn: bool) {
        self.out_of_turn = out_of_turn;
        self.special = out_of_turn || self.pair.is_accounted();
    }

    /// A request of `lane` that arrived at `arrived` has left the two limits after a wait.
    #[inline]
    pub(crate) fn note_wait(&mut self, lane: u16, arrived: u64, first: u64, second: u64) {
        let waited = &mut self.waited[usize::from(lane)];
        waited[0] += first - arrived;
        waited[1] += second - first;
    }

    /// Looks again when its limits let the next one go, after their credits were changed.
    pub(crate) fn refresh(&mut self) {
        self.pair.look();
        self.iops.opens(self.pair.iops.as_ref().map_or(0, Limiter::earliest));
        self.throughput.opens(self.pair.throughput.as_ref().map_or(0, Limiter::earliest));
        self.look();
    }

    /// Only one lane is used from now on: answer at arrival, unless somebody still waits.
    pub(crate) fn set_solo(&mut self, solo: bool) {
        self.solo = solo && self.iops.is_empty() && self.throughput.is_empty();
        self.refresh();
    }

    /// Whether requests may wait here until their turn comes.
    pub(crate) fn is_shared(&self) -> bool {
        !self.solo && (self.pair.iops.is_some() || self.pair.throughput.is_some())
    }

    pub(crate) fn is_out_of_turn(&self) -> bool {
        self.out_of_turn
    }

    /// Whether requests are answered at arrival.
    pub(crate) fn is_solo(&self) -> bool {
        self.solo
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
        bytes: u64,
    ) -> Option<(u64, u64)> {
        if self.solo {
            return Some(self.pair.pass_watched(now, arrives, u64::from(ios), bytes));
        }
        let one = Waiting { arrived: arrives, arrives, bytes, ios, next: NOBODY };
        // Behind others of its disk, as long as that is held up by its own limits: nothing else changes.
        if self.iops.lanes[usize::from(lane)].first != NOBODY {
            self.note(op, one);
            self.iops.lanes[usize::from(lane)].append(op, &mut self.waiting);
            return None;
        }
        self.enter_lane(now, usize::from(lane), op, one)
    }

    /// The same at a gate that charges in a way of its own, where the request is an I/O or several in the plain way, or of whose disks
    /// some send requests out of turn.
    #[inline(never)]
    pub(crate) fn enter_specially(
        &mut self,
        now: u64,
        lane: u16,
        arrives: u64,
        op: u32,
        moved: Moved,
    ) -> Option<(u64, u64)> {
        if self.pair.skips(moved.write) {
            return Some((arrives, arrives));
        }
        let bytes = if moved.trim { 0 } else { u64::from(moved.len) };
        let (ios, bytes) = self.pair.charge(usize::from(lane), moved, (u64::from(moved.pieces), bytes));
        debug_assert!(ios <= u64::from(u32::MAX), "a request counts as {ios} I/Os");
        let waits_first = if self.pair.iops.is_some() { &self.iops } else { &self.throughput };
        let comes_last = waits_first.lanes[usize::from(lane)].is_last(arrives, &self.waiting);
        if !self.out_of_turn || comes_last {
            return self.enter(now, lane, arrives, op, ios as u32, bytes);
        }
        self.enter_before(
            now,
            usize::from(lane),
            op,
            Waiting { arrived: arrives, arrives, bytes, ios: ios as u32, next: NOBODY },
        )
    }

    /// Comes before others of its disk that wait at the first limit.
    fn enter_before(&mut self, now: u64, lane: usize, op: u32, mut one: Waiting) -> Option<(u64, u64)> {
        let lanes = if self.pair.iops.is_some() { &mut self.iops } else { &mut self.throughput };
        let is_first = one.arrives < lanes.lanes[lane].head(&self.waiting).1.arrives;
        if !is_first || !lanes.due.is_empty() || one.arrives.max(lanes.available) > now {
            self.note(op, one);
            let lanes = if self.pair.iops.is_some() { &mut self.iops } else { &mut self.throughput };
            lanes.keep_before(now, lane, op, &mut self.waiting);
            self.look();
            return None;
        }
        let second = match (&mut self.pair.iops, &mut self.pair.throughput) {
            (Some(limit), _) => {
                one.arrives = limit.pass(one.arrives, u64::from(one.ios));
                self.iops.opens(limit.earliest());
                self.enter_second(now, lane, op, one)
            }
            (None, Some(limit)) => {
                let at = limit.pass(one.arrives, one.bytes);
                self.throughput.opens(limit.earliest());
                Some(at)
            }
            (None, None) => Some(one.arrives),
        };
        self.look();
        Some((one.arrives, second?))
    }

    #[inline(never)]
    fn enter_lane(&mut self, now: u64, lane: usize, op: u32, mut one: Waiting) -> Option<(u64, u64)> {
        if let Some(limit) = &mut self.pair.iops {
            if !self.iops.lets_go(now, lane, one.arrives) {
                self.note(op, one);
                self.iops.keep(now, lane, op, &mut self.waiting);
                self.look();
                return None;
            }
            one.arrives = limit.pass(one.arrives, u64::from(one.ios));
            self.iops.opens(limit.earliest());
        }
        let second = self.enter_second(now, lane, op, one);
        self.look();
        Some((one.arrives, second?))
    }

    /// What has passed the IOPS limit comes to the throughput limit.
    #[inline(always)]
    fn enter_second(&mut self, now: u64, lane: usize, op: u32, one: Waiting) -> Option<u64> {
        if one.bytes < self.pair.free {
            debug_assert!(one.arrives <= now && self.throughput.is_empty(), "the second limit was not idle");
            self.pair.pass_free(one.arrives, one.bytes);
            return Some(one.arrives);
        }
        let settled = self.pair.settle();
        let Some(limit) = &mut self.pair.throughput else { return Some(one.arrives) };
        let lanes = &mut self.throughput;
        if settled {
            lanes.opens(limit.earliest());
        }
        // Most often nobody waits here: then nobody has to be looked for again afterwards.
        if lanes.next == NEVER && one.arrives.max(lanes.available) <= now {
            let at = limit.pass_behind(one.arrives, one.bytes);
            lanes.available = limit.earliest();
            self.pair.foresee(one.arrives, one.bytes);
            return Some(at);
        }
        self.wait_or_pass(now, lane, op, one)
    }

    #[inline(never)]
    fn wait_or_pass(&mut self, now: u64, lane: usize, op: u32, one: Waiting) -> Option<u64> {
        self.pair.free = 0;
        if let Some(limit) = &mut self.pair.throughput
            && self.throughput.lets_go(now, lane, one.arrives)
        {
            let at = limit.pass_behind(one.arrives, one.bytes);
            self.throughput.opens(limit.earliest());
            return Some(at);
        }
        self.note(op, one);
        self.throughput.keep(now, lane, op, &mut self.waiting);
        None
    }

    #[inline(always)]
    fn note(&mut self, op: u32, one: Waiting) {
        match self.waiting.get_mut(op as usize) {
            Some(waiting) => *waiting = one,
            None => self.extend(op, one),
        }
    }

    #[cold]
    fn extend(&mut self, op: u32, one: Waiting) {
        self.waiting.resize((op as usize + 1).next_power_of_two(), one);
    }

    #[inline(always)]
    fn look(&mut self) {
        self.next = self.iops.next.min(self.throughput.next);
    }

    /// When [`FairGate::grant`] has something to do.
    #[inline(always)]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Lets the next request go, if one can at `now`.
    #[inline(always)]
    pub(crate) fn grant(&mut self, now: u64) -> Option<Grant> {
        let grant = self.grant_one(now);
        self.look();
        grant
    }

    #[inline(always)]
    fn grant_one(&mut self, now: u64) -> Option<Grant> {
        loop {
            // Behind comes first: what waits for bytes has passed the other limit already.
            if self.throughput.next <= now
                && let Some(limit) = &mut self.pair.throughput
            {
                let (_, op, one) = self.throughput.grant(now, &self.waiting, |one| one.bytes);
                let Waiting { arrived, arrives: first, bytes, .. } = one;
                let second = limit.pass(first, bytes);
                self.throughput.opens(limit.earliest());
                return Some(Grant { op, arrived, first, second });
            }
            let limit = self.pair.iops.as_mut().filter(|_| self.iops.next <= now)?;
            let (lane, op, one) = self.iops.grant(now, &self.waiting, |one| u64::from(one.ios));
            let first = limit.pass(one.arrives, u64::from(one.ios));
            self.iops.opens(limit.earliest());
            if let Some(second) = self.enter_second(now, lane, op, Waiting { arrives: first, ..one }) {
                return Some(Grant { op, arrived: one.arrived, first, second });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{BurstSpec, Credits, LimitSpec, RateSpec};
    use dw_units::NS_PER_SECOND;

    /// Grants per lane after `seconds`, when lane i always has `depth[i]` requests of `bytes[i]` waiting.
    fn shares(limit: LimitSpec, depth: &[u32], bytes: &[u32], seconds: u64) -> Vec<u64> {
        let mut gate = FairGate::new(Pair::plain(&limit, Credits::Full), depth.len());
        let mut counts = alloc::vec![0; depth.len()];
        // Each request keeps its number: it is let go and comes back.
        let mut lanes = Vec::new();
        let enter = |gate: &mut FairGate, now, op: usize, lane: usize, counts: &mut Vec<u64>| {
            while gate.enter(now, lane as u16, now, op as u32, 1, u64::from(bytes[lane])).is_some() {
                counts[lane] += 1;
            }
        };
        for (lane, &n) in depth.iter().enumerate() {
            for _ in 0..n {
                enter(&mut gate, 0, lanes.len(), lane, &mut counts);
                lanes.push(lane);
            }
        }
        while gate.next() < seconds * NS_PER_SECOND {
            let now = gate.next();
            while let Some(grant) = gate.grant(now) {
                let op = grant.op as usize;
                counts[lanes[op]] += 1;
                enter(&mut gate, now, op, lanes[op], &mut counts);
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

    /// Water levels: each limit is filled to the level at which those that want more than it stop, given what the other
    /// limit lets them have, again and again until nothing moves. I/Os per second of each lane.
    fn water_levels_slowly(iops: f64, bytes_per_s: f64, bytes: &[u32], caps: &[f64]) -> Vec<f64> {
        let n = bytes.len();
        let mut levels = [f64::INFINITY; 2];
        let cost = |limit: usize, lane: usize| if limit == 0 { 1.0 } else { f64::from(bytes[lane]) };
        let allowed = |level: f64, limit: usize, lane: usize| level / cost(limit, lane);
        for _ in 0..20_000 {
            for (limit, capacity) in [iops, bytes_per_s].into_iter().enumerate() {
                let want: Vec<f64> = (0..n)
                    .map(|lane| caps[lane].min(allowed(levels[1 - limit], 1 - limit, lane)) * cost(limit, lane))
                    .collect();
                if want.iter().sum::<f64>() <= capacity {
                    levels[limit] = f64::INFINITY;
                    continue;
                }
                let (mut low, mut high) = (0.0, capacity);
                for _ in 0..60 {
                    let level = (low + high) / 2.0;
                    let filled: f64 = want.iter().map(|w| w.min(level)).sum();
                    if filled < capacity { low = level } else { high = level }
                }
                // Half way: with whole steps the two limits can chase each other.
                levels[limit] = if levels[limit].is_finite() { (levels[limit] + low) / 2.0 } else { low };
            }
        }
        (0..n).map(|lane| caps[lane].min(allowed(levels[0], 0, lane)).min(allowed(levels[1], 1, lane))).collect()
    }

    fn bursting(rate: u64, burst: u64, seconds: u64) -> Option<RateSpec> {
        let burst = BurstSpec { rate: burst, credits: (burst - rate) * seconds };
        Some(RateSpec { rate, depth: 0, burst: Some(burst) })
    }

    /// Burst credits that outlast the test, and none.
    const FULL: u64 = 1_800;

    #[test]
    fn shares_are_of_what_is_scarce_at_the_rates_in_force() {
        // A limit of 12,800 IOPS and 290 MB/s, 20,000 and 1,200 while it bursts. Credits of 0 s are spent.
        let limit = |iops_s: u64, bytes_s: u64| {
            let burst = |rate, top, seconds| {
                if seconds == 0 { Some(RateSpec::plain(rate)) } else { bursting(rate, top, seconds) }
            };
            LimitSpec { iops: burst(12_800, 20_000, iops_s), throughput: burst(290_000_000, 1_200_000_000, bytes_s) }
        };
        struct Case {
            name: &'static str,
            credits: (u64, u64),
            in_force: (f64, f64),
            kib: &'static [u32],
            expected: &'static [f64],
        }
        let k = 1_024.0;
        // Both limits full: x + y = I, 4 KiB x + 64 KiB y = B.
        let second = |iops: f64, bytes: f64| (bytes - 4.0 * k * iops) / (60.0 * k);
        let (dry, no_bytes) = (second(12_800.0, 290e6), second(20_000.0, 290e6));
        assert!((dry - 3_867.0).abs() < 1.0 && (no_bytes - 3_387.0).abs() < 1.0);
        let cases = [
            Case {
                name: "both burst",
                credits: (FULL, FULL),
                in_force: (20e3, 1_200e6),
                kib: &[4, 64],
                expected: &[10_000.0, 10_000.0],
            },
            Case {
                name: "IOPS credits gone",
                credits: (0, FULL),
                in_force: (12_800.0, 1_200e6),
                kib: &[4, 64],
                expected: &[6_400.0, 6_400.0],
            },
            Case {
                name: "MB/s credits gone",
                credits: (FULL, 0),
                in_force: (20e3, 290e6),
                kib: &[4, 64],
                expected: &[16_613.0, 3_387.0],
            },
            Case {
                name: "all credits gone",
                credits: (0, 0),
                in_force: (12_800.0, 290e6),
                kib: &[4, 64],
                expected: &[8_933.0, 3_867.0],
            },
            Case {
                name: "bytes alone are short",
                credits: (FULL, 0),
                in_force: (20e3, 290e6),
                kib: &[64, 256],
                expected: &[2_212.5, 553.1],
            },
            Case {
                name: "three, I/Os are short",
                credits: (0, FULL),
                in_force: (12_800.0, 1_200e6),
                kib: &[4, 4, 64],
                expected: &[4_266.7, 4_266.7, 4_266.7],
            },
            Case {
                name: "three, both are short",
                credits: (0, 0),
                in_force: (12_800.0, 290e6),
                kib: &[4, 8, 128],
                expected: &[5_554.1, 5_554.1, 1_691.8],
            },
        ];
        for case in cases {
            let depth = alloc::vec![128; case.kib.len()];
            let bytes: Vec<u32> = case.kib.iter().map(|kib| kib << 10).collect();
            let found = shares(limit(case.credits.0, case.credits.1), &depth, &bytes, 10);
            let twin = water_levels_slowly(case.in_force.0, case.in_force.1, &bytes, &alloc::vec![1e9; depth.len()]);
            for ((count, twin), expected) in found.iter().zip(&twin).zip(case.expected) {
                assert!((twin - expected).abs() < 1.0, "{}: {twin} by the twin, {expected} by hand", case.name);
                let rate = *count as f64 / 10.0;
                // The last requests of each lane wait at the end of the ten seconds.
                assert!((rate - expected).abs() < expected / 100.0, "{}: {found:?}, expected {expected}", case.name);
            }
        }
    }

    #[test]
    fn when_a_burst_ends_the_shares_are_those_of_what_is_left_at_once() {
        // Five seconds of IOPS credits, then none: 20,000 I/Os become 12,800, shared alike before and after.
        let limit = LimitSpec { iops: bursting(12_800, 20_000, 5), throughput: Some(RateSpec::plain(1_200_000_000)) };
        let at = |seconds| shares(limit, &[128, 128], &[4 << 10, 64 << 10], seconds);
        let (before, after) = (at(5), at(15));
        for lane in 0..2 {
            assert!(before[lane].abs_diff(50_000) < 500, "{before:?}");
            assert!((after[lane] - before[lane]).abs_diff(64_000) < 640, "{before:?} {after:?}");
        }
    }

    #[test]
    fn many_sizes_share_as_water_finds_its_level() {
        let mut stream = crate::random::Stream::new(11, 0);
        for _ in 0..40 {
            let mut below = |n: u64| stream.draw() % n;
            let lanes = 2 + below(3) as usize;
            let bytes: Vec<u32> = (0..lanes).map(|_| 4_096 << below(7)).collect();
            let (iops, rate) = (5_000 + below(20_000), 50_000_000 + below(900_000_000));
            let limit = LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: Some(RateSpec::plain(rate)) };
            let found = shares(limit, &alloc::vec![64; lanes], &bytes, 10);
            let twin = water_levels_slowly(iops as f64, rate as f64, &bytes, &alloc::vec![1e9; lanes]);
            for (count, twin) in found.iter().zip(&twin) {
                let rate = *count as f64 / 10.0;
                assert!((rate - twin).abs() < twin / 50.0 + 10.0, "{iops} {rate} {bytes:?}: {found:?}, {twin:?}");
            }
        }
    }

    #[test]
    fn an_order_agrees_with_a_sorted_list() {
        for lanes in [1, 2, 11, 200] {
            let (mut order, mut slowly) = (Order::new(lanes), alloc::collections::BTreeSet::new());
            let mut stream = crate::random::Stream::new(lanes as u64, 0);
            let (mut idle, mut now): (Vec<usize>, u64) = ((0..lanes).collect(), 0);
            for _ in 0..20_000 {
                if !idle.is_empty() && (slowly.is_empty() || stream.draw().is_multiple_of(2)) {
                    let lane = idle.swap_remove((stream.draw() % idle.len() as u64) as usize);
                    // Most come behind the others, many at the same number, some before.
                    let number = now + stream.draw() % 4 * 10;
                    order.insert(number, lane);
                    slowly.insert((number, lane));
                } else {
                    let (number, lane) = slowly.pop_first().unwrap();
                    assert_eq!(order.first(), number);
                    let second = slowly.first().map_or(NEVER, |next| next.0);
                    assert_eq!(
                        (order.has_second_to(second - 1), order.has_second_to(second)),
                        (false, !slowly.is_empty())
                    );
                    assert_eq!(order.take(), lane);
                    idle.push(lane);
                    now = number;
                }
                assert_eq!(order.is_empty(), slowly.is_empty());
            }
        }
    }
}
