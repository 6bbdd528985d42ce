//! Limits that keep every grant, and the gates that disks share.

use std::collections::VecDeque;

use dw_stack::{Credits, LimitId, LimitSpec, LimitTally, RateSpec, Stage};
use dw_units::{Duration, NS_PER_SECOND};

use crate::oracle::{NEVER, Part};

/// A rate with a depth: what was taken since it was last full, and since when.
struct Bucket {
    rate: u64,
    /// Nanoseconds by which a take may come before what was taken is paid for.
    early: u64,
    since: u64,
    taken: u64,
}

impl Bucket {
    fn new(rate: u64, depth: u64) -> Bucket {
        let early = u128::from(depth.saturating_sub(1)) * u128::from(NS_PER_SECOND) / u128::from(rate);
        Bucket { rate, early: early as u64, since: 0, taken: 0 }
    }

    /// When all that was taken is paid for, exactly: nanoseconds times the rate.
    fn paid(&self) -> u128 {
        u128::from(self.since) * u128::from(self.rate) + u128::from(self.taken) * u128::from(NS_PER_SECOND)
    }

    fn full(&self) -> u64 {
        self.paid().div_ceil(u128::from(self.rate)) as u64
    }

    fn earliest(&self) -> u64 {
        self.full().saturating_sub(self.early)
    }

    fn take(&mut self, at: u64, tokens: u64) {
        if at > self.full() {
            (self.since, self.taken) = (at, 0);
        }
        self.taken += tokens;
    }

    /// Tokens that it would give at once at `now`.
    fn level(&self, now: u64) -> u64 {
        let owed = ((self.paid() / u128::from(self.rate)) as u64).saturating_sub(now);
        (u128::from(self.early.saturating_sub(owed)) * u128::from(self.rate) / u128::from(NS_PER_SECOND)) as u64
    }
}

/// What passed a limit.
struct Grant {
    arrived: u64,
    at: u64,
    tokens: u64,
}

pub(crate) struct Limit {
    spec: RateSpec,
    base: Bucket,
    /// The burst rate, where there is one: then the base is as deep as the credits.
    peak: Option<Bucket>,
    /// What such a time gives is there at its start; 1 = evenly.
    every: u64,
    /// Since the tally began, and since when that is.
    grants: Vec<Grant>,
    counts_from: u64,
    /// From then on, until when those before will have waited.
    before: (u64, u64),
    credits_before: u64,
    /// When the credits were first used up.
    dry: Option<u64>,
}

impl Limit {
    fn new(spec: RateSpec, credits: Credits, every: u64) -> Limit {
        let burst = spec.burst.filter(|burst| burst.rate > spec.rate);
        let mut base = Bucket::new(spec.rate, burst.map_or(spec.depth, |burst| burst.credits));
        if burst.is_some() && credits == Credits::Empty {
            base.since = base.early;
        }
        let peak = burst.map(|burst| Bucket::new(burst.rate, spec.depth));
        let credits_before = base.level(0);
        let (every, grants) = (every.max(1), Vec::new());
        Limit { spec, base, peak, every, grants, counts_from: 0, before: (0, 0), credits_before, dry: None }
    }

    /// IOPS, then throughput.
    pub(crate) fn pair(spec: &LimitSpec, credits: Credits, every: u64) -> [Option<Limit>; 2] {
        [spec.iops, spec.throughput].map(|rate| rate.map(|rate| Limit::new(rate, credits, every)))
    }

    /// When both buckets have tokens.
    fn due(&self) -> u64 {
        self.base.earliest().max(self.peak.as_ref().map_or(0, Bucket::earliest))
    }

    fn start_of(&self, at: u64) -> u64 {
        at - at % self.every
    }

    /// The first instant at which a request that waits would be let go.
    fn earliest(&self) -> u64 {
        self.start_of(self.due())
    }

    /// Lets a request go that came at `arrived`; says when.
    fn pass(&mut self, arrived: u64, tokens: u64) -> u64 {
        let due = self.due().max(self.start_of(arrived));
        let at = arrived.max(self.start_of(due));
        self.base.take(due, tokens);
        if let Some(peak) = &mut self.peak {
            peak.take(due, tokens);
            if self.base.earliest() > peak.earliest().max(at) {
                self.dry = self.dry.or(Some(at));
            }
        }
        self.grants.push(Grant { arrived, at, tokens });
        at
    }

    pub(crate) fn reset_tally(&mut self, now: u64) {
        let until = self.bound_until();
        self.before = (until.min(now), until);
        self.grants.clear();
        (self.counts_from, self.dry, self.credits_before) = (now, None, self.base.level(now));
    }

    /// When each wait began and ended, in the order of the grants.
    fn waits(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let grants = self.grants.iter().filter(|grant| grant.at > grant.arrived);
        std::iter::once(self.before).chain(grants.map(|grant| (grant.arrived, grant.at)))
    }

    fn bound_until(&self) -> u64 {
        self.waits().map(|(_, until)| until).max().unwrap_or(0)
    }

    /// The time up to `now` in which somebody waited, as the engine counts it: each wait from where the longest before it ended, and
    /// what lies ahead is one wait.
    fn binding(&self, now: u64) -> u64 {
        let (mut sum, mut counted) = (0, 0);
        for (from, until) in self.waits() {
            sum += until.saturating_sub(from.max(counted));
            counted = counted.max(until);
        }
        sum.saturating_sub(counted.saturating_sub(now))
    }

    pub(crate) fn tally(&self, id: LimitId, stage: Stage, now: u64) -> LimitTally {
        let burst = self.spec.burst;
        LimitTally {
            id,
            stage,
            rate: self.spec.rate,
            burst_rate: burst.map(|burst| burst.rate),
            credits_max: burst.map(|burst| burst.credits),
            credits: self.peak.as_ref().map(|_| self.base.level(now)),
            credits_before: self.peak.as_ref().map(|_| self.credits_before),
            credits_out: self.dry.filter(|&dry| dry <= now).map(|dry| Duration::from_ns(dry - self.counts_from)),
            granted: self.grants.iter().map(|grant| grant.tokens).sum(),
            binding: Duration::from_ns(self.binding(now)),
            waited: self.grants.iter().map(|grant| u128::from(grant.at - grant.arrived)).sum(),
            waited_by: Vec::new(),
        }
    }
}

/// Passes two limits at once: when a request that came to them at `arrived` came to each, and when it left the second.
pub(crate) fn pass(limits: &mut [Option<Limit>; 2], arrived: u64, tokens: [u64; 2]) -> [u64; 3] {
    let first = limits[0].as_mut().map_or(arrived, |limit| limit.pass(arrived, tokens[0]));
    let second = limits[1].as_mut().map_or(first, |limit| limit.pass(first, tokens[1]));
    [arrived, first, second]
}

/// A request at a gate.
pub(crate) struct Passing {
    pub(crate) part: Part,
    /// I/Os and bytes that it takes.
    pub(crate) tokens: [u64; 2],
    /// When it came to the first limit, to the second, and when it left.
    pub(crate) at: [u64; 3],
}

#[derive(Default)]
struct Lane {
    queue: VecDeque<Passing>,
    /// What the lane was given, as far as that counts against it.
    had: u64,
    /// It was seen to wait while its turn was open.
    due: bool,
}

/// Two limits and, before each, a lane for each disk: the lane that was given least comes first.
pub(crate) struct Gate {
    pub(crate) limits: [Option<Limit>; 2],
    lanes: [Vec<Lane>; 2],
    /// What the last lane that was served had been given before.
    least: [u64; 2],
    /// One disk only uses it: nobody waits for a turn.
    pub(crate) alone: bool,
    /// Nanoseconds that each disk waited at each limit.
    pub(crate) waited: Vec<[u64; 2]>,
}

impl Gate {
    pub(crate) fn new(limits: [Option<Limit>; 2], disks: usize) -> Gate {
        let lanes = [0, 1].map(|_| (0..disks).map(|_| Lane::default()).collect());
        Gate { limits, lanes, least: [0; 2], alone: false, waited: vec![[0; 2]; disks] }
    }

    /// A request comes, at once or later: given back with its times if it passes now.
    pub(crate) fn enter(&mut self, now: u64, mut passing: Passing) -> Option<Passing> {
        if self.alone {
            passing.at = pass(&mut self.limits, passing.at[0], passing.tokens);
            return Some(passing);
        }
        let passing = self.come(0, now, passing)?;
        self.come(1, now, passing)
    }

    fn come(&mut self, of: usize, now: u64, mut passing: Passing) -> Option<Passing> {
        let Some(limit) = &mut self.limits[of] else {
            passing.at[of + 1] = passing.at[of];
            return Some(passing);
        };
        let open = passing.at[of].max(limit.earliest()) <= now;
        let lanes = &mut self.lanes[of];
        // Of one disk, who comes later may be there before: past a limit on the other direction.
        let queue = &lanes[passing.part.disk].queue;
        let place = queue.partition_point(|one| one.at[of] <= passing.at[of]);
        let nobody_before = lanes.iter().all(|lane| !lane.due) && place == 0;
        if open && nobody_before {
            return Some(passing.go(of, limit));
        }
        let lane = &mut lanes[passing.part.disk];
        lane.due |= place == 0 && passing.at[of] <= now;
        lane.queue.insert(place, passing);
        None
    }

    /// When the next one may go at one of the limits.
    fn opens(&self, of: usize) -> u64 {
        let Some(limit) = &self.limits[of] else { return NEVER };
        let comes = |lane: &Lane| if lane.due { 0 } else { lane.queue.front().map_or(NEVER, |head| head.at[of]) };
        self.lanes[of].iter().map(comes).min().map_or(NEVER, |comes| comes.max(limit.earliest()))
    }

    /// When [`Gate::next`] has something to do.
    pub(crate) fn at(&self) -> u64 {
        self.opens(0).min(self.opens(1))
    }

    /// Whoever leaves the gate next, if that is by `now`. Who waits for bytes has passed the first limit and goes first.
    pub(crate) fn next(&mut self, now: u64) -> Option<Passing> {
        loop {
            if let Some(passing) = self.serve(1, now) {
                return Some(passing);
            }
            let passing = self.serve(0, now)?;
            if let Some(passing) = self.come(1, now, passing) {
                return Some(passing);
            }
        }
    }

    fn serve(&mut self, of: usize, now: u64) -> Option<Passing> {
        if self.opens(of) > now {
            return None;
        }
        let (lanes, least) = (&mut self.lanes[of], &mut self.least[of]);
        // Two of a lane are enough to say that somebody is left.
        let come = |lane: &Lane| lane.queue.iter().take(2).filter(|one| one.at[of] <= now).count();
        let contended = lanes.iter().any(|lane| lane.due) || lanes.iter().map(come).sum::<usize>() > 1;
        let waits = (0..lanes.len()).filter(|&disk| come(&lanes[disk]) > 0);
        let turn = waits.min_by_key(|&disk| lanes[disk].had.max(*least))?;
        let lane = &mut lanes[turn];
        let passing = lane.queue.pop_front()?;
        if contended {
            *least = lane.had.max(*least);
            // What takes no tokens takes its turn.
            lane.had = *least + passing.tokens[of].max(1);
        }
        lanes.iter_mut().for_each(|lane| lane.due = come(lane) > 0);
        Some(passing.go(of, self.limits[of].as_mut()?))
    }
}

impl Passing {
    fn go(mut self, of: usize, limit: &mut Limit) -> Passing {
        self.at[of + 1] = limit.pass(self.at[of], self.tokens[of]);
        self
    }
}
