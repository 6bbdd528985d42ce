//! One limit, and the pair of an IOPS and a throughput limit that must both admit.
//!
//! A limit is a token bucket at the base rate whose depth is the burst credits, and a strictly paced one at the burst
//! rate: credits are earned at `base − used` and spent at `used − base`, whatever the load, because the first bucket
//! is paid by every token.
//!
//! A pair is two shapers in series. A request that waits for bytes has already passed the IOPS limit while it waited,
//! so mixed sizes reach `min(R_iops, R_bytes / mean size)` as depth grows, where joint admission by two strict buckets
//! would lose a third. The IOPS limit is evaluated with the request's own arrival, the throughput limit with what came
//! out of the first; the grant is the later one. Chapter: `docs/model/token-bucket.md`.
//!
//! A *throttle interval* makes a limit coarse: what it gives in each interval is there at its start, so requests pass at
//! once until it is used up and the others wait for the next. Means and rates stay, latencies spread.
//!
//! Invariant: each limit's own grants obey its bucket in every window; with a throttle interval, in every one of them.

use dw_units::Duration;

use crate::oracle::token_bucket::TokenBucket;
use dw_stack::{Credits, LimitSpec, Quantity, RateSpec};

/// One limit with its tally.
#[derive(Clone, Debug)]
pub(crate) struct Limiter {
    base: TokenBucket,
    /// What a plain rate does not have.
    special: Option<Box<Special>>,
    spec: RateSpec,
    pub(crate) granted: u64,
    /// Nanoseconds of all requests together.
    pub(crate) waited: u128,
    binding: u64,
    binding_until: u64,
    /// Credits when the tally began.
    pub(crate) credits_before: u64,
    /// When the tally began.
    counts_from: u64,
    /// When a request first found no credits left, since then.
    dry: Option<u64>,
}

#[derive(Clone, Debug)]
enum Special {
    /// Credit bursting: the burst rate, while the base bucket is as deep as the credits.
    Burst(TokenBucket),
    /// What an interval of so many nanoseconds gives is there at its start; the burst rate, where there is one.
    Released(u64, Option<TokenBucket>),
}

impl Limiter {
    fn new(spec: RateSpec, credits: Credits) -> Self {
        let burst = spec.burst.filter(|burst| burst.rate > spec.rate);
        let mut base = TokenBucket::new(spec.rate, burst.map_or(spec.depth, |burst| burst.credits));
        if credits == Credits::Empty && burst.is_some() {
            base.drain(0);
        }
        let special = burst.map(|burst| Box::new(Special::Burst(TokenBucket::new(burst.rate, spec.depth))));
        let credits_before = base.level(0);
        Limiter {
            base,
            special,
            spec,
            granted: 0,
            waited: 0,
            binding: 0,
            binding_until: 0,
            credits_before,
            counts_from: 0,
            dry: None,
        }
    }

    /// The first instant at which a waiting request would be let go.
    pub(crate) fn earliest(&self) -> u64 {
        match self.special.as_deref() {
            Some(Special::Burst(peak)) => self.base.earliest().max(peak.earliest()),
            Some(Special::Released(every, peak)) => {
                let due = self.base.earliest().max(peak.as_ref().map_or(0, TokenBucket::earliest));
                due - due % every
            }
            None => self.base.earliest(),
        }
    }

    /// When a request that arrived at `arrived` is let go; takes its tokens.
    fn take(&mut self, arrived: u64, tokens: u64) -> u64 {
        self.granted += tokens;
        if self.special.is_some() {
            return self.take_specially(arrived, tokens);
        }
        self.base.admit(arrived, tokens)
    }

    /// Out of line: with it, a plain rate would pay for registers that only a burst needs.
    fn take_specially(&mut self, arrived: u64, tokens: u64) -> u64 {
        let Some(special) = &mut self.special else { return arrived };
        let at = special.admit(&mut self.base, arrived, tokens);
        if self.dry.is_none()
            && let Special::Burst(peak) | Special::Released(_, Some(peak)) = &**special
            && self.base.earliest() > peak.earliest().max(at)
        {
            self.dry = Some(at);
        }
        at
    }

    /// Lets a request pass that arrived at `arrived`, and counts its wait; says when it goes.
    pub(crate) fn pass(&mut self, arrived: u64, tokens: u64) -> u64 {
        let at = self.take(arrived, tokens);
        self.count(arrived, at);
        at
    }

    /// Counts a wait from `arrived` to `at`.
    fn count(&mut self, arrived: u64, at: u64) {
        if at > arrived {
            self.waited += u128::from(at - arrived);
            // Grants come in order of `at`, so the union of the waiting times grows at its end only.
            if at > self.binding_until {
                self.binding += at - arrived.max(self.binding_until);
                self.binding_until = at;
            }
        }
    }

    pub(crate) fn reset_tally(&mut self, now: u64) {
        self.granted = 0;
        self.waited = 0;
        self.credits_before = self.base.level(now);
        (self.counts_from, self.dry) = (now, None);
        // What is granted ahead of time still lies in the future.
        self.binding = self.binding_until.saturating_sub(now);
    }

    /// Time up to `now` in which a request waited here.
    pub(crate) fn binding(&self, now: u64) -> Duration {
        Duration::from_ns(self.binding.saturating_sub(self.binding_until.saturating_sub(now)))
    }

    pub(crate) fn spec(&self) -> RateSpec {
        self.spec
    }

    /// How long after the tally began the credits were first used up, if that was by `now`.
    pub(crate) fn credits_out(&self, now: u64) -> Option<Duration> {
        self.dry.filter(|&dry| dry <= now).map(|dry| Duration::from_ns(dry.saturating_sub(self.counts_from)))
    }

    /// Credits left, where the limit bursts.
    pub(crate) fn credits(&self, now: u64) -> Option<u64> {
        let bursts = matches!(self.special.as_deref(), Some(Special::Burst(_) | Special::Released(_, Some(_))));
        bursts.then(|| self.base.level(now))
    }

    /// Gives what is due in `every` nanoseconds at their start; a rate that is served or paced evenly stays as it is for 0.
    fn release(&mut self, every: u64) {
        if every == 0 {
            return;
        }
        self.special = match self.special.take().map(|special| *special) {
            None => Some(Box::new(Special::Released(every, None))),
            Some(Special::Burst(peak)) => Some(Box::new(Special::Released(every, Some(peak)))),
            other => other.map(Box::new),
        };
    }
}

impl Special {
    fn admit(&mut self, base: &mut TokenBucket, arrived: u64, tokens: u64) -> u64 {
        match self {
            Special::Burst(peak) => {
                let at = arrived.max(base.earliest()).max(peak.earliest());
                base.admit(at, tokens);
                peak.admit(at, tokens)
            }
            Special::Released(every, peak) => {
                // The tokens of the interval that runs count from its start; those of earlier ones are gone.
                let opened = arrived - arrived % *every;
                let due = opened.max(base.earliest()).max(peak.as_ref().map_or(0, TokenBucket::earliest));
                base.admit(due, tokens);
                if let Some(peak) = peak {
                    peak.admit(due, tokens);
                }
                arrived.max(due - due % *every)
            }
        }
    }
}

/// An IOPS limit and a throughput limit in series; either may be absent.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) iops: Option<Limiter>,
    pub(crate) throughput: Option<Limiter>,
}

impl Pair {
    pub(crate) fn new(spec: &LimitSpec, credits: Credits) -> Self {
        Pair {
            iops: spec.iops.map(|rate| Limiter::new(rate, credits)),
            throughput: spec.throughput.map(|rate| Limiter::new(rate, credits)),
        }
    }

    /// Both limits give what is due in `every` nanoseconds at their start; 0 = evenly spaced.
    pub(crate) fn release(&mut self, every: u64) {
        for limit in [&mut self.iops, &mut self.throughput].into_iter().flatten() {
            limit.release(every);
        }
    }

    /// Lets a request pass that arrived at `arrived`: when it left the IOPS limit, and when the throughput limit.
    pub(crate) fn pass(&mut self, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        if self.iops.is_none() && self.throughput.is_none() {
            return (arrived, arrived);
        }
        self.pass_limited(arrived, ios, bytes)
    }

    fn pass_limited(&mut self, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        let (first, second) = self.take(arrived, ios, bytes);
        self.count(arrived, first, second);
        (first, second)
    }

    fn take(&mut self, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        let first = self.iops.as_mut().map_or(arrived, |limit| limit.take(arrived, ios));
        // A trim has no bytes but keeps its place in the line.
        let second = self.throughput.as_mut().map_or(first, |limit| limit.take(first, bytes));
        (first, second)
    }

    fn count(&mut self, arrived: u64, first: u64, second: u64) {
        if let Some(limit) = &mut self.iops {
            limit.count(arrived, first);
        }
        if let Some(limit) = &mut self.throughput {
            limit.count(first, second);
        }
    }

    pub(crate) fn reset_tally(&mut self, now: u64) {
        for limit in [&mut self.iops, &mut self.throughput].into_iter().flatten() {
            limit.reset_tally(now);
        }
    }

    /// Those of the two that there are.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Quantity, &Limiter)> {
        [(Quantity::Iops, &self.iops), (Quantity::Throughput, &self.throughput)]
            .into_iter()
            .filter_map(|(quantity, limit)| Some((quantity, limit.as_ref()?)))
    }
}
