//! A rate with a depth, by virtual scheduling.
//!
//! Instead of a level, the bucket keeps the *theoretical arrival time* (TAT): the instant at which all that was granted
//! will have been paid for. A take of `c` tokens may start at `max(now, TAT − depth / rate)`, and then
//! `TAT = max(TAT, start) + c / rate`. The answer is known when the request arrives, so a request costs one event
//! however long it waits. In any window T at most `depth + rate × T` tokens are granted, plus the one take that is under
//! way (this is the generic cell rate algorithm of ITU-T I.371, in its virtual-scheduling form).
//!
//! Credit bursting is the same with a depth of hours: a disk of 500 IOPS earns as many up to 5,400,000.
//! Chapter: `docs/model/token-bucket.md`.
//!
//! Nothing is rounded away: the TAT is kept as the first whole nanosecond that is not before it, which every question asks for,
//! and as what it is earlier than that, in 1/rate nanoseconds. So 7,500 IOPS grant exactly 648,000,000 I/Os a day.
//!
//! Invariant: what it is earlier is below `rate`; the TAT never goes back.

use dw_units::NS_PER_SECOND;

/// Prices that are kept, a power of two; the top bits of a product say where.
const MEMO: usize = 4;
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// No TAT lies beyond it: 292 years.
const FAR: u64 = u64::MAX / 2;

/// A token bucket told the time.
#[derive(Clone, Debug)]
pub(crate) struct TokenBucket {
    rate: u64,
    /// Nanoseconds by which takes may run ahead of the TAT.
    slack: u64,
    /// The TAT, rounded up.
    due: u64,
    /// What it is earlier than that, in 1/rate nanoseconds.
    early: u64,
    /// Numbers of tokens and their prices: most loads use one size, or a few in turn.
    memo: [(u64, u64, u64); MEMO],
}

impl TokenBucket {
    /// `rate` tokens per second; `depth` tokens may pass at once when idle before (0 and 1 = strictly paced).
    pub(crate) fn new(rate: u64, depth: u64) -> Self {
        let rate = rate.max(1);
        let slack = u128::from(depth.saturating_sub(1)) * u128::from(NS_PER_SECOND) / u128::from(rate);
        TokenBucket {
            rate,
            slack: slack.min(u128::from(u64::MAX / 4)) as u64,
            due: 0,
            early: 0,
            memo: [(0, 0, 0); MEMO],
        }
    }

    /// As if the whole depth had just been taken.
    pub(crate) fn drain(&mut self, now: u64) {
        (self.due, self.early) = (now + self.slack, 0);
    }

    /// Begins at `at`, before which nothing is let go, with `level` tokens (all, if `None`).
    pub(crate) fn resume(&mut self, at: u64, level: Option<u64>) {
        let full = u128::from(self.slack);
        let own = level.map_or(full, |level| u128::from(level) * u128::from(NS_PER_SECOND) / u128::from(self.rate));
        (self.due, self.early) = (at + (full - own.min(full)) as u64, 0);
    }

    /// Moves the level by a number of tokens, within its bounds.
    pub(crate) fn move_level(&mut self, now: u64, tokens: f64) {
        let level = self.level(now) as f64 + tokens;
        self.resume(now, Some(level.max(0.0) as u64));
    }

    /// The TAT, rounded up.
    #[inline(always)]
    pub(crate) fn due(&self) -> u64 {
        self.due
    }

    /// Whether no take may run ahead.
    pub(crate) fn is_strict(&self) -> bool {
        self.slack == 0
    }

    /// The first instant (ns) at which a take may start.
    #[inline(always)]
    pub(crate) fn earliest(&self) -> u64 {
        self.due.saturating_sub(self.slack)
    }

    /// Takes `tokens` as soon as it can from `arrived` on; says when.
    #[inline(always)]
    pub(crate) fn admit(&mut self, arrived: u64, tokens: u64) -> u64 {
        let at = arrived.max(self.earliest());
        // Nothing is left of what was not paid for in whole nanoseconds when the bucket was idle. Which takes find it so follows no
        // pattern, so that is selected and not branched on.
        let early = if at > self.due { 0 } else { self.early };
        self.pay(at.max(self.due), early, tokens);
        at
    }

    /// The same for a take that finds all paid for, as most do at the second limit of a pair; false, and nothing done, when
    /// that is not so.
    #[inline(always)]
    pub(crate) fn admit_idle(&mut self, arrived: u64, tokens: u64) -> bool {
        let idle = arrived > self.due;
        if idle {
            self.pay(arrived, 0, tokens);
        }
        idle
    }

    /// The TAT is so many tokens behind what it would be.
    #[inline(always)]
    fn pay(&mut self, due: u64, early: u64, tokens: u64) {
        let place = (tokens.wrapping_mul(GOLDEN) >> (u64::BITS - MEMO.ilog2())) as usize;
        if self.memo[place].0 != tokens {
            self.recall(tokens, place);
        }
        let (_, ns, rest) = self.memo[place];
        let short = rest > early;
        self.early = early.wrapping_sub(rest).wrapping_add(if short { self.rate } else { 0 });
        self.due = (due + ns + u64::from(short)).min(FAR);
    }

    #[inline(never)]
    fn recall(&mut self, tokens: u64, place: usize) {
        self.memo[place] = self.price(tokens);
    }

    fn price(&self, tokens: u64) -> (u64, u64, u64) {
        // Large I/Os alternate between sizes: a division of words costs a tenth of the wide one.
        if let Some(ns) = tokens.checked_mul(NS_PER_SECOND) {
            return (tokens, ns / self.rate, ns % self.rate);
        }
        let ns = u128::from(tokens) * u128::from(NS_PER_SECOND);
        let rate = u128::from(self.rate);
        (tokens, u64::try_from(ns / rate).unwrap_or(u64::MAX / 4), (ns % rate) as u64)
    }

    /// Tokens that could be taken at once at `now`, beyond the sustained rate.
    pub(crate) fn level(&self, now: u64) -> u64 {
        let tat = self.due - u64::from(self.early > 0);
        let ahead = tat.saturating_sub(now).min(self.slack);
        (u128::from(self.slack - ahead) * u128::from(self.rate) / u128::from(NS_PER_SECOND)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::TokenBucket;
    use dw_units::NS_PER_SECOND;

    #[test]
    fn a_day_at_7500_iops_grants_every_io() {
        // 7,500 a second is 133,333.3 ns apart: rounding up to whole nanoseconds would lose 3,240 I/Os a day.
        let mut bucket = TokenBucket::new(7_500, 0);
        let (mut granted, mut at) = (0u64, 0);
        while at < 86_400 * NS_PER_SECOND {
            bucket.admit(at, 1);
            granted += 1;
            at = bucket.earliest();
        }
        assert_eq!(granted, 648_000_000);
    }

    #[test]
    fn earliest_is_the_first_instant_that_works() {
        let mut bucket = TokenBucket::new(3, 0);
        bucket.admit(0, 1);
        assert_eq!(bucket.earliest(), 333_333_334);
        bucket.admit(333_333_334, 1);
        // Two thirds of a second, not twice the rounded third.
        assert_eq!(bucket.earliest(), 666_666_667);
    }

    #[test]
    fn depth_passes_at_once_and_comes_back() {
        let mut bucket = TokenBucket::new(1_000, 5);
        for _ in 0..5 {
            assert_eq!(bucket.earliest(), 0);
            bucket.admit(0, 1);
        }
        assert_eq!(bucket.earliest(), 1_000_000);
        assert_eq!(bucket.level(0), 0);
        assert_eq!(bucket.level(2_000_000), 1);
    }

    #[test]
    fn a_window_never_sees_more_than_depth_plus_rate_times_time() {
        // Every take of a greedy, irregular user, against every window that starts at a take.
        for (rate, depth) in [(7u64, 1u64), (1_000, 1), (1_000, 20), (123_457, 333)] {
            let mut bucket = TokenBucket::new(rate, depth);
            let mut takes: alloc::vec::Vec<(u64, u64)> = alloc::vec::Vec::new();
            let mut now = 0;
            for i in 0..400u64 {
                let tokens = 1 + (i * 7919) % 3;
                now = bucket.earliest().max(now) + if i % 17 == 0 { 9 * NS_PER_SECOND / rate } else { 0 };
                bucket.admit(now, tokens);
                takes.push((now, tokens));
            }
            for first in 0..takes.len() {
                let mut sum = 0;
                for &(at, tokens) in &takes[first..] {
                    // The take under way is not yet paid for; it is what comes before it that is bounded.
                    let window = u128::from(at - takes[first].0);
                    let allowed = u128::from(depth.max(1)) + 2 + window * u128::from(rate) / u128::from(NS_PER_SECOND);
                    assert!(u128::from(sum) <= allowed, "{rate} {depth}: {sum} > {allowed}");
                    sum += tokens;
                }
            }
        }
    }
}
