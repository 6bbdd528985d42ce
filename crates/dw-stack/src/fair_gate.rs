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

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::event_queue::NEVER;
use crate::limiter::{Limiter, Pair};

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
    /// The same of each lane whose head is due, [`NEVER`] of the others; how many are due.
    due: Vec<u64>,
    due_lanes: usize,
    /// When the limit lets the next one go; only its own grants move it.
    available: u64,
    /// When the head of each lane arrives that is not due, and the earliest of them: lanes are few, so a search beats a tree.
    pending: Vec<u64>,
    first: (u64, usize),
    virtual_time: u64,
}

impl Lanes {
    fn new(lanes: usize) -> Self {
        Lanes {
            queues: alloc::vec![VecDeque::new(); lanes],
            tags: alloc::vec![0; lanes],
            due: alloc::vec![NEVER; lanes],
            due_lanes: 0,
            available: 0,
            pending: alloc::vec![NEVER; lanes],
            first: (NEVER, 0),
            virtual_time: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// A request comes to the limit: when it is let go, if that is at once; else it is kept.
    #[inline(always)]
    fn enter(&mut self, limit: &mut Limiter, now: u64, lane: usize, tokens: u32, waiting: &Waiting) -> Option<u64> {
        let nobody_due = self.due_lanes == 0 && self.queues[lane].is_empty();
        if nobody_due && waiting.arrives <= now && self.available <= now {
            return Some(self.pass(limit, waiting.arrives, tokens));
        }
        self.keep(now, lane, waiting);
        None
    }

    /// A request waits in its lane. Out of line: what passes at once does not pay for it.
    #[inline(never)]
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
                self.pending[lane] = arrives;
                self.first = self.first.min((arrives, lane));
            }
        }
    }

    #[inline(always)]
    fn pass(&mut self, limit: &mut Limiter, arrives: u64, tokens: u32) -> u64 {
        let at = limit.pass(arrives, u64::from(tokens));
        self.available = limit.earliest();
        at
    }

    fn make_due(&mut self, slot: usize) {
        self.tags[slot] = self.tags[slot].max(self.virtual_time);
        self.due[slot] = self.tags[slot];
        self.due_lanes += 1;
    }

    #[inline]
    fn charge(&mut self, slot: usize, tokens: u32) {
        let tag = &mut self.tags[slot];
        self.virtual_time = self.virtual_time.max(*tag);
        // What takes no tokens takes its turn.
        *tag = self.virtual_time + u64::from(tokens.max(1));
    }

    /// When [`Lanes::grant`] has something to do.
    #[inline]
    fn next(&self) -> u64 {
        if self.due_lanes > 0 { self.available } else { self.first.0.max(self.available) }
    }

    /// The next request that the limit lets go, with its lane, if it can at `now`; `tokens` says how many it takes.
    #[inline(always)]
    fn grant(&mut self, now: u64, tokens: impl Fn(&Waiting) -> u32) -> Option<(usize, Waiting)> {
        if self.next() > now {
            return None;
        }
        if self.first.0 <= now {
            if self.due_lanes == 0
                && let Some(alone) = self.alone(now)
            {
                return Some(alone);
            }
            self.all_due(now);
        }
        // The least served of them, the first at a tie.
        let (_, slot) = lowest(&self.due);
        let (head, next) = self.pop(slot)?;
        self.charge(slot, tokens(&head));
        if next > now {
            self.due[slot] = NEVER;
            self.due_lanes -= 1;
            self.pending[slot] = next;
            self.first = self.first.min((next, slot));
        } else {
            self.due[slot] = self.tags[slot];
        }
        Some((slot, head))
    }

    /// The only request that is due, which is charged against nobody; nothing when there are more.
    #[inline(always)]
    fn alone(&mut self, now: u64) -> Option<(usize, Waiting)> {
        let (at, slot) = self.first;
        self.pending[slot] = NEVER;
        let next = self.queues[slot].get(1).map_or(NEVER, |next| next.arrives);
        let later = lowest(&self.pending).min((next, slot));
        if later.0 <= now {
            self.pending[slot] = at;
            return None;
        }
        self.pending[slot] = next;
        self.first = later;
        Some((slot, self.queues[slot].pop_front()?))
    }

    /// Lanes whose heads have arrived are due from now on.
    fn all_due(&mut self, now: u64) {
        for slot in 0..self.pending.len() {
            if self.pending[slot] <= now {
                self.pending[slot] = NEVER;
                self.make_due(slot);
            }
        }
        self.first = lowest(&self.pending);
    }

    /// The head of a lane, and when what is behind it arrives.
    #[inline(always)]
    fn pop(&mut self, slot: usize) -> Option<(Waiting, u64)> {
        let queue = &mut self.queues[slot];
        let head = queue.pop_front()?;
        Some((head, queue.front().map_or(NEVER, |next| next.arrives)))
    }
}

/// The lowest of some numbers, and the first place that has it.
#[inline(always)]
fn lowest(numbers: &[u64]) -> (u64, usize) {
    let mut lowest = (NEVER, 0);
    for (place, &number) in numbers.iter().enumerate() {
        if number < lowest.0 {
            lowest = (number, place);
        }
    }
    lowest
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
        let waited = alloc::vec![[0; 2]; lanes];
        FairGate { pair, iops: Lanes::new(lanes), throughput: Lanes::new(lanes), solo: false, waited }
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
        self.iops.available = self.pair.iops.as_ref().map_or(0, Limiter::earliest);
        self.throughput.available = self.pair.throughput.as_ref().map_or(0, Limiter::earliest);
    }

    /// Only one lane is used from now on: answer at arrival, unless somebody still waits.
    pub(crate) fn set_solo(&mut self, solo: bool) {
        self.solo = solo && self.iops.is_empty() && self.throughput.is_empty();
        self.refresh();
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
    #[inline(always)]
    fn enter_second(&mut self, now: u64, lane: usize, waiting: Waiting) -> Option<u64> {
        match &mut self.pair.throughput {
            Some(limit) => self.throughput.enter(limit, now, lane, waiting.bytes, &waiting),
            None => Some(waiting.arrives),
        }
    }

    /// When [`FairGate::grant`] has something to do.
    #[inline]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{BurstSpec, Credits, LimitSpec, RateSpec};
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
}
