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
//! Nothing is rounded away: the TAT is whole nanoseconds plus a remainder in 1/rate nanoseconds, so 7,500 IOPS grant
//! exactly 648,000,000 I/Os a day.
//!
//! Invariant: the remainder is below `rate`; the TAT never goes back.

use dw_units::NS_PER_SECOND;

/// A token bucket told the time.
#[derive(Clone, Debug)]
pub(crate) struct TokenBucket {
    rate: u64,
    /// Nanoseconds by which takes may run ahead of the TAT.
    slack: u64,
    tat: u64,
    /// In 1/rate nanoseconds.
    tat_part: u64,
    /// The last number of tokens and its price: most loads use one size.
    memo: (u64, u64, u64),
}

impl TokenBucket {
    /// `rate` tokens per second; `depth` tokens may pass at once when idle before (0 and 1 = strictly paced).
    pub(crate) fn new(rate: u64, depth: u64) -> Self {
        let rate = rate.max(1);
        let slack = u128::from(depth.saturating_sub(1)) * u128::from(NS_PER_SECOND) / u128::from(rate);
        TokenBucket { rate, slack: slack.min(u128::from(u64::MAX / 4)) as u64, tat: 0, tat_part: 0, memo: (0, 0, 0) }
    }

    /// As if the whole depth had just been taken.
    pub(crate) fn drain(&mut self, now: u64) {
        self.tat = now + self.slack;
        self.tat_part = 0;
    }

    /// The TAT as a whole nanosecond.
    fn due(&self) -> u64 {
        self.tat.saturating_add(u64::from(self.tat_part > 0))
    }

    /// The first instant (ns) at which a take may start.
    pub(crate) fn earliest(&self) -> u64 {
        self.due().saturating_sub(self.slack)
    }

    /// Takes `tokens` as soon as it can from `arrived` on; says when.
    pub(crate) fn admit(&mut self, arrived: u64, tokens: u64) -> u64 {
        let due = self.due();
        let at = arrived.max(due.saturating_sub(self.slack));
        // A waiting request goes at the first whole nanosecond after its exact instant: that keeps the remainder.
        if at > due {
            self.tat = at;
            self.tat_part = 0;
        }
        if self.memo.0 != tokens {
            self.memo = self.price(tokens);
        }
        self.tat = self.tat.saturating_add(self.memo.1);
        self.tat_part += self.memo.2;
        if self.tat_part >= self.rate {
            self.tat_part -= self.rate;
            self.tat = self.tat.saturating_add(1);
        }
        at
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
        let ahead = self.tat.saturating_sub(now).min(self.slack);
        (u128::from(self.slack - ahead) * u128::from(self.rate) / u128::from(NS_PER_SECOND)) as u64
    }
}
