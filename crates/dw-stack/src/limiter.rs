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
//! How requests are charged is none of a limit's business: it is given tokens (`accounting.rs`), in parts of one where directions
//! weigh differently.
//!
//! A *top-up* makes the bucket full again so long after it was last full, whatever was used meanwhile: some vendors promise a burst a day,
//! and give one to a disk that never rests.
//!
//! A *throttle interval* makes a limit coarse: what it gives in each interval is there at its start, so requests pass at
//! once until it is used up and the others wait for the next. Means and rates stay, latencies spread.
//!
//! Invariant: each limit's own grants obey its bucket in every window, which a top-up fills once more; with a throttle interval, in every
//! one of them.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use dw_units::{Duration, NS_PER_SECOND};

use crate::accounting::{Accounts, Moved};
use crate::random::Stream;
use crate::request::Quantity;
use crate::service_time::QuantileTable;
use crate::spec::{Accounting, CreditSpec, Credits, Limit};
use crate::token_bucket::TokenBucket;

/// How a limit lets requests go; anything but [`Discipline::Paced`] exists to check the model against queueing theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// A request goes when its token is due (a shaper).
    Paced,
    /// A request goes when its token has been served (a server with constant service).
    Server,
    /// A server with exponential service.
    ExponentialServer,
}

/// One limit with its tally.
#[derive(Clone, Debug)]
pub(crate) struct Limiter {
    base: TokenBucket,
    /// What a plain rate does not have.
    special: Option<Box<Special>>,
    spec: Limit,
    /// Parts of a token in which it counts.
    scale: u64,
    granted: u64,
    /// Nanoseconds of all requests together.
    pub(crate) waited: u128,
    binding: u64,
    binding_until: u64,
    /// Credits when the tally began, in whole tokens.
    pub(crate) credits_before: u64,
    /// When the tally began.
    counts_from: u64,
    /// When a request first found no credits left, since then.
    dry: Option<u64>,
    /// Nanoseconds that were leapt over between the two.
    leapt: u64,
}

/// What a limit counted in a stretch of time, or up to an instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// In parts of a token.
    granted: u64,
    waited: u128,
    binding: u64,
    /// Credits, or by how many they have changed.
    credits: i64,
}

impl Counts {
    pub(crate) fn has_waited(&self) -> bool {
        self.waited > 0
    }

    pub(crate) fn since(&self, before: &Counts) -> Counts {
        Counts {
            granted: self.granted - before.granted,
            waited: self.waited - before.waited,
            binding: self.binding.saturating_sub(before.binding),
            credits: self.credits - before.credits,
        }
    }

    pub(crate) fn join(&mut self, more: &Counts) {
        self.granted += more.granted;
        self.waited += more.waited;
        self.binding += more.binding;
        self.credits += more.credits;
    }
}

/// A limit that lives from hand to mouth neither gains nor loses more than this share of its base rate.
const HAND_TO_MOUTH: f64 = 2e-3;

#[derive(Clone, Debug)]
enum Special {
    /// Credit bursting: the burst rate, while the base bucket is as deep as the credits.
    Burst(Peak),
    /// What an interval of so many nanoseconds gives is there at its start; the burst rate, where there is one.
    Released(u64, Option<Peak>),
    /// A serialising server; its service is counted in 2⁻¹⁶ tokens and drawn from the table, if there is one.
    Server(Option<(QuantileTable, Stream)>),
}

/// The rate of a burst, above a base bucket that is as deep as the credits.
#[derive(Clone, Debug)]
struct Peak {
    bucket: TokenBucket,
    top_up: Option<TopUp>,
}

/// When a bucket becomes full whatever was used of it.
#[derive(Clone, Debug)]
struct TopUp {
    /// Nanoseconds after it was last full.
    every: u64,
    due: u64,
    /// The last one that was used: who comes behind that goes no earlier, however deep the bucket.
    last: u64,
    /// Whether credits were used up since then.
    is_dry: bool,
    /// How often they were used up, or the bucket topped up.
    turns: u64,
}

impl Peak {
    fn new(bucket: TokenBucket, credits: &CreditSpec, now: u64) -> Peak {
        let top_up = |every: Duration| TopUp {
            every: every.ns(),
            due: now.saturating_add(every.ns()),
            last: now,
            is_dry: false,
            turns: 0,
        };
        Peak { bucket, top_up: credits.top_up.map(top_up) }
    }

    /// When `base` is topped up, if it does not fill up before.
    fn full_again(&self, base: &TokenBucket) -> Option<u64> {
        self.top_up.as_ref().map(|top_up| top_up.due).filter(|&due| due < base.due())
    }

    /// The first instant at which a take may start.
    fn earliest(&self, base: &TokenBucket) -> u64 {
        let of_base = self.full_again(base).unwrap_or(u64::MAX).min(base.earliest());
        of_base.max(self.bucket.earliest()).max(self.top_up.as_ref().map_or(0, |top_up| top_up.last))
    }

    /// Takes from both at `at`, which is not before that.
    fn admit(&mut self, base: &mut TokenBucket, at: u64, tokens: u64) -> u64 {
        let full_again = self.full_again(base).filter(|&due| due <= at);
        if let Some(due) = full_again {
            base.resume(due, None);
        }
        if let Some(top_up) = &mut self.top_up {
            top_up.last = full_again.unwrap_or(top_up.last);
            if full_again.is_some() {
                (top_up.is_dry, top_up.turns) = (false, top_up.turns + 1);
            }
            if at >= base.due() {
                top_up.due = at.saturating_add(top_up.every);
            }
        }
        let went = base.admit(at, tokens);
        debug_assert_eq!(went, at, "more was granted than the bucket held");
        let at = self.bucket.admit(at, tokens);
        if let Some(top_up) = self.top_up.as_mut().filter(|top_up| !top_up.is_dry)
            && base.earliest() > self.bucket.earliest().max(at)
        {
            (top_up.is_dry, top_up.turns) = (true, top_up.turns + 1);
        }
        at
    }

    /// Parts of tokens that are left of the base.
    fn level(&self, base: &TokenBucket, now: u64) -> u64 {
        base.level(if self.full_again(base).is_some_and(|due| due <= now) { u64::MAX } else { now })
    }
}

const SERVER_BITS: u32 = 16;

impl Limiter {
    pub(crate) fn new(spec: Limit, credits: Credits) -> Self {
        let scale = spec.accounting.scale();
        // The first token of a depth is the one that goes at any time.
        let bucket = |rate: u64, depth: u64| {
            TokenBucket::new(
                rate.saturating_mul(scale),
                depth.saturating_sub(1).saturating_mul(scale).saturating_add(1),
            )
        };
        let burst = spec.credits.filter(|burst| burst.peak > spec.rate);
        let mut base = bucket(spec.rate, burst.map_or(spec.depth, |burst| burst.size));
        match burst.map(|burst| burst.level) {
            Some(Some(level)) => base.resume(0, Some(level.saturating_mul(scale))),
            Some(None) if credits == Credits::Empty => base.drain(0),
            _ => {}
        }
        let peak = burst.map(|burst| Peak::new(bucket(burst.peak, spec.depth), &burst, 0));
        let special = peak.map(|peak| Box::new(Special::Burst(peak)));
        let credits_before = base.level(0) / scale;
        Limiter {
            base,
            special,
            spec,
            scale,
            granted: 0,
            waited: 0,
            binding: 0,
            binding_until: 0,
            credits_before,
            counts_from: 0,
            dry: None,
            leapt: 0,
        }
    }

    pub(crate) fn set_discipline(&mut self, discipline: Discipline, seed: u64) {
        let exponential = || (QuantileTable::from_quantiles(exponential_in_65536ths), Stream::new(seed, 0));
        self.special = match discipline {
            Discipline::Paced => None,
            Discipline::Server => Some(Box::new(Special::Server(None))),
            Discipline::ExponentialServer => Some(Box::new(Special::Server(Some(exponential())))),
        };
        let scale = if self.special.is_some() { SERVER_BITS } else { 0 };
        self.base = TokenBucket::new(self.spec.rate << scale, self.spec.depth << scale);
    }

    /// The first instant at which a waiting request would be let go.
    #[inline]
    pub(crate) fn earliest(&self) -> u64 {
        match self.special.as_deref() {
            Some(Special::Burst(peak)) => peak.earliest(&self.base),
            Some(Special::Released(every, peak)) => {
                let due = peak.as_ref().map_or_else(|| self.base.earliest(), |peak| peak.earliest(&self.base));
                due - due % every
            }
            _ => self.base.earliest(),
        }
    }

    fn peak(&self) -> Option<&Peak> {
        match self.special.as_deref() {
            Some(Special::Burst(peak) | Special::Released(_, Some(peak))) => Some(peak),
            _ => None,
        }
    }

    /// Tokens left, rounded down.
    fn level(&self, now: u64) -> u64 {
        self.peak().map_or_else(|| self.base.level(now), |peak| peak.level(&self.base, now)) / self.scale
    }

    /// Lets a request pass that arrived at `arrived`, takes its tokens, and counts its wait; says when it goes.
    #[inline(always)]
    pub(crate) fn pass(&mut self, arrived: u64, tokens: u64) -> u64 {
        if self.special.is_some() {
            return self.pass_specially(arrived, tokens);
        }
        self.granted += tokens;
        let at = self.base.admit(arrived, tokens);
        self.count(arrived, at);
        at
    }

    /// The same where few requests wait: behind another limit.
    #[inline(always)]
    pub(crate) fn pass_behind(&mut self, arrived: u64, tokens: u64) -> u64 {
        if self.special.is_none() && self.base.admit_idle(arrived, tokens) {
            self.granted += tokens;
            return arrived;
        }
        self.pass_specially(arrived, tokens)
    }

    /// Out of line: with it, a plain rate would pay for registers that only a burst needs.
    #[inline(never)]
    fn pass_specially(&mut self, arrived: u64, tokens: u64) -> u64 {
        self.granted += tokens;
        let at = match &mut self.special {
            None => self.base.admit(arrived, tokens),
            Some(special) => special.admit(&mut self.base, arrived, tokens),
        };
        if self.dry.is_none()
            && let Some(peak) = self.peak()
            && peak.earliest(&self.base) > peak.bucket.earliest().max(at)
        {
            self.dry = Some(at);
        }
        self.count(arrived, at);
        at
    }

    /// Counts a wait from `arrived` to `at`.
    #[inline(always)]
    fn count(&mut self, arrived: u64, at: u64) {
        if at > arrived {
            self.waited += u128::from(at - arrived);
            // Grants come in order of `at`, so the union of the waiting times grows at its end only.
            self.binding += at.saturating_sub(arrived.max(self.binding_until));
            self.binding_until = self.binding_until.max(at);
        }
    }

    pub(crate) fn reset_tally(&mut self, now: u64) {
        self.granted = 0;
        self.waited = 0;
        self.credits_before = self.level(now);
        (self.counts_from, self.dry, self.leapt) = (now, None, 0);
        // What is granted ahead of time still lies in the future.
        self.binding = self.binding_until.saturating_sub(now);
    }

    /// Time up to `now` in which a request waited here.
    pub(crate) fn binding(&self, now: u64) -> Duration {
        Duration::from_ns(self.binding.saturating_sub(self.binding_until.saturating_sub(now)))
    }

    pub(crate) fn spec(&self) -> &Limit {
        &self.spec
    }

    /// Tokens granted, but for these parts of tokens; rounded down.
    pub(crate) fn granted(&self, ahead: u64) -> u64 {
        (self.granted - ahead) / self.scale
    }

    /// How long after the tally began the credits were first used up, if that was by `now`.
    pub(crate) fn credits_out(&self, now: u64) -> Option<Duration> {
        let dry = self.dry.filter(|&dry| dry <= now)?;
        Some(Duration::from_ns(dry.saturating_sub(self.counts_from) + self.leapt))
    }

    /// How often its credits were used up or topped up by `now`; of a limit that is never topped up the first time alone.
    pub(crate) fn turns(&self, now: u64) -> u64 {
        let topped = self.peak().and_then(|peak| peak.top_up.as_ref()).map_or(0, |top_up| top_up.turns);
        topped + u64::from(self.credits_out(now).is_some())
    }

    /// Credits left, where the limit bursts.
    pub(crate) fn credits(&self, now: u64) -> Option<u64> {
        self.peak().map(|_| self.level(now))
    }

    pub(crate) fn counts(&self, now: u64) -> Counts {
        let credits = self.credits(now).unwrap_or(0) as i64;
        Counts { granted: self.granted, waited: self.waited, binding: self.binding(now).ns(), credits }
    }

    /// Whether its credits are used up, and what it earns in a stretch is used at once.
    fn lives_from_hand_to_mouth(&self, counts: &Counts, lasted: u64) -> bool {
        self.dry.is_some() && counts.credits.unsigned_abs() as f64 <= HAND_TO_MOUTH * self.base_tokens(lasted)
    }

    fn base_tokens(&self, ns: u64) -> f64 {
        self.spec.rate as f64 * ns as f64 / 1e9
    }

    /// Nanoseconds until its credits are used up, at the pace of a stretch, or topped up.
    pub(crate) fn credits_last(&self, now: u64, counts: &Counts, lasted: u64) -> Option<f64> {
        let left = self.credits(now).filter(|_| counts.credits < 0 && !self.lives_from_hand_to_mouth(counts, lasted));
        let lasts = left.map(|left| left as f64 / counts.credits.unsigned_abs() as f64 * lasted as f64);
        // Full again is another regime, too.
        let full_again = self.peak().and_then(|peak| peak.full_again(&self.base)).filter(|&due| due > now);
        let full_again = full_again.map(|due| (due - now) as f64);
        lasts.into_iter().chain(full_again).min_by(f64::total_cmp)
    }

    /// Tokens a second that it gives at `now`, the end of a stretch, and the share of that which it gave in it.
    pub(crate) fn rate_and_share(&self, now: u64, counts: &Counts, lasted: u64) -> (u64, f64) {
        let has_credits =
            self.credits(now).is_some_and(|credits| credits > 0) && !self.lives_from_hand_to_mouth(counts, lasted);
        let bursts = self.spec.credits.filter(|_| has_credits);
        let rate = bursts.map_or(self.spec.rate, |burst| burst.peak.max(self.spec.rate));
        let granted = counts.granted as f64 / self.scale as f64;
        (rate, granted * NS_PER_SECOND as f64 / (rate as f64 * lasted as f64).max(1.0))
    }

    /// `by` nanoseconds pass in which so many tokens are granted, waits as in a stretch that lasted `lasted`.
    pub(crate) fn leap_to(&mut self, now: u64, counts: &Counts, tokens: f64, (lasted, by): (u64, u64)) {
        let parts = tokens * self.scale as f64;
        if self.credits(now).is_some() {
            self.base.move_level(now, self.base_tokens(by) * self.scale as f64 - parts);
        }
        self.leap(now, &Counts { credits: 0, ..*counts }, lasted, by);
        let granted = Counts { granted: 0, ..*counts };
        self.count_again(&granted, by as f64 / lasted as f64);
        self.granted += (parts + 0.5) as u64;
    }

    /// `by` nanoseconds pass at the pace of a stretch.
    pub(crate) fn leap(&mut self, now: u64, counts: &Counts, lasted: u64, by: u64) {
        if self.dry.is_none() {
            self.leapt += by;
        }
        let some = self.credits(now).is_some_and(|credits| credits > 0);
        if some && counts.credits != 0 && !self.lives_from_hand_to_mouth(counts, lasted) {
            self.base.move_level(now, counts.credits as f64 * self.scale as f64 * by as f64 / lasted as f64);
        }
        if let Some(Special::Burst(peak) | Special::Released(_, Some(peak))) = self.special.as_deref_mut()
            && let Some(top_up) = &mut peak.top_up
        {
            // The clock stands while time is leapt over.
            top_up.due = top_up.due.saturating_sub(by);
        }
    }

    /// Counts a stretch again, `times` times.
    pub(crate) fn count_again(&mut self, counts: &Counts, times: f64) {
        self.granted += (counts.granted as f64 * times + 0.5) as u64;
        self.waited += (counts.waited as f64 * times) as u128;
        self.binding += (counts.binding as f64 * times + 0.5) as u64;
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
                let at = arrived.max(peak.earliest(base));
                peak.admit(base, at, tokens)
            }
            Special::Released(every, peak) => {
                // The tokens of the interval that runs count from its start; those of earlier ones are gone.
                let opened = arrived - arrived % *every;
                let due = opened.max(peak.as_ref().map_or_else(|| base.earliest(), |peak| peak.earliest(base)));
                match peak {
                    Some(peak) => peak.admit(base, due, tokens),
                    None => base.admit(due, tokens),
                };
                arrived.max(due - due % *every)
            }
            Special::Server(service) => {
                let work = match service {
                    None => tokens << SERVER_BITS,
                    Some((table, stream)) => tokens * u64::from(table.at(stream.draw())),
                };
                base.admit(arrived, work);
                base.earliest()
            }
        }
    }
}

/// Quantile of the exponential distribution of mean 65,536: −ln(tail) = (40 − log₂ tail) · ln 2 for a tail in 2⁻⁴⁰.
fn exponential_in_65536ths(tail: u64) -> u64 {
    const LN_2_IN_65536THS: i128 = 45_426;
    let log = (40i64 << crate::log2::LOG_BITS) - crate::log2::log2(tail.max(1 << 8));
    ((i128::from(log) * LN_2_IN_65536THS) >> crate::log2::LOG_BITS) as u64
}

/// An IOPS limit and a throughput limit in series; either may be absent.
///
/// A strictly paced IOPS limit lets requests go so far apart that small ones always find the second limit idle: what costs less
/// time there than the next I/O takes to come needs no clock. Only the last such request is noted, and paid for when somebody
/// looks.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) iops: Option<Limiter>,
    pub(crate) throughput: Option<Limiter>,
    /// What comes next with fewer bytes than this finds the second limit idle.
    pub(crate) free: u64,
    /// The most that `free` may become: 0 where the first limit is not strictly paced, or one of them not plain.
    free_max: u64,
    /// Nanoseconds between two I/Os that leave the first limit, at least.
    apart: u64,
    /// When the last request passed for which the second limit has not been asked, and its bytes; [`NOBODY`] = none.
    unpaid: (u64, u64),
    /// What is granted ahead of time; absent where nobody looks while requests wait.
    ahead: Option<Box<Ahead>>,
    /// How requests are charged, where that is more than an I/O and its bytes.
    accounts: Option<Box<Accounts>>,
}

/// Grants that lie in the future, in order as long as the limits stay. A request is granted when it comes, however long it has to
/// wait.
#[derive(Clone, Debug, Default)]
struct Ahead(VecDeque<AheadGrant>);

#[derive(Clone, Debug)]
struct AheadGrant {
    left: (u64, u64),
    ios: u64,
    bytes: u64,
}

impl Ahead {
    /// Out of line: a simulation has none.
    #[inline(never)]
    fn note(&mut self, now: u64, grant: AheadGrant) {
        while self.0.pop_front_if(|first| first.left.1 <= now).is_some() {}
        if grant.left.1 > now {
            self.0.push_back(grant);
        }
    }

    /// A limit that comes later has granted nothing of it.
    fn forget(&mut self, quantity: Quantity) {
        self.0.iter_mut().for_each(|grant| match quantity {
            Quantity::Iops => grant.ios = 0,
            Quantity::Throughput => grant.bytes = 0,
        });
    }

    /// Tokens of a limit that are granted for an instant after `now`.
    fn tokens(&self, quantity: Quantity, now: u64) -> u64 {
        let of = |grant: &AheadGrant| match quantity {
            Quantity::Iops => (grant.left.0, grant.ios),
            Quantity::Throughput => (grant.left.1, grant.bytes),
        };
        self.0.iter().map(of).filter(|&(at, _)| at > now).map(|(_, tokens)| tokens).sum()
    }
}

/// No request.
const NOBODY: u64 = u64::MAX;

impl Pair {
    /// Of at most one limit of each quantity. Requests come from so many disks; `plain` says how they are charged where nobody asks the
    /// limit.
    pub(crate) fn new(
        limits: &[Limit],
        credits: Credits,
        disks: usize,
        plain: impl Fn(Quantity) -> Accounting,
    ) -> Self {
        let find = |quantity| limits.iter().find(|limit| limit.quantity == quantity);
        let mut pair = Pair {
            iops: find(Quantity::Iops).map(|limit| Limiter::new(*limit, credits)),
            throughput: find(Quantity::Throughput).map(|limit| Limiter::new(*limit, credits)),
            accounts: Accounts::new(limits, plain, disks).map(Box::new),
            free: 0,
            free_max: 0,
            apart: 0,
            unpaid: (NOBODY, 0),
            ahead: None,
        };
        pair.look();
        pair
    }

    /// Finds out which requests need no clock at the second limit, after the limits may have changed.
    pub(crate) fn look(&mut self) {
        self.settle();
        (self.free, self.free_max) = (0, 0);
        let (Some(iops), Some(throughput)) = (&self.iops, &self.throughput) else { return };
        // What was merged costs no I/O, and leaves the first limit together with the one before it.
        let plain = self.accounts.is_none() && iops.special.is_none() && throughput.special.is_none();
        if plain && iops.base.is_strict() {
            self.apart = NS_PER_SECOND / iops.spec.rate.max(1);
            // Both limits round to whole nanoseconds.
            let spare = u128::from(self.apart.saturating_sub(3)) * u128::from(throughput.spec.rate);
            self.free_max = (spare / u128::from(NS_PER_SECOND)) as u64;
        }
    }

    /// Pays for the last request that found the second limit idle; whether there was one.
    #[inline(always)]
    pub(crate) fn settle(&mut self) -> bool {
        let unpaid = self.unpaid.0 != NOBODY;
        if unpaid {
            self.pay();
        }
        unpaid
    }

    #[inline(never)]
    fn pay(&mut self) {
        let (at, bytes) = core::mem::replace(&mut self.unpaid, (NOBODY, 0));
        if let Some(limit) = &mut self.throughput {
            let idle = limit.base.admit_idle(at, bytes);
            debug_assert!(idle, "the second limit was not idle");
        }
    }

    /// A request with fewer than `free` bytes left the first limit at `first`, and so the second.
    #[inline(always)]
    pub(crate) fn pass_free(&mut self, first: u64, bytes: u64) {
        debug_assert!(bytes < self.free);
        self.unpaid = (first, bytes);
        if let Some(limit) = &mut self.throughput {
            limit.granted += bytes;
        }
    }

    /// Says what the next request finds, after nobody waits at the second limit any more, which was settled and let one of so many
    /// bytes go that had left the first at `first`.
    #[inline(always)]
    pub(crate) fn foresee(&mut self, first: u64, bytes: u64) {
        self.free = 0;
        // Behind a larger one it may take several until the limit is idle again.
        if bytes < self.free_max {
            let due = self.throughput.as_ref().map_or(NOBODY, |limit| limit.base.due());
            self.free = if due < (first + self.apart).saturating_sub(1) { self.free_max } else { 0 };
        }
    }

    /// Both limits give what is due in `every` nanoseconds at their start; 0 = evenly spaced.
    pub(crate) fn release(&mut self, every: u64) {
        for limit in [&mut self.iops, &mut self.throughput].into_iter().flatten() {
            limit.release(every);
        }
        self.look();
    }

    /// Other limits from `now` on, behind what has been promised already. Credits stay, as far as they fit.
    pub(crate) fn retune(&mut self, fresh: Pair, now: u64, throttle_interval: u64) {
        self.settle();
        if let Some(ahead) = &mut self.ahead {
            // What was counted in other parts of a token is no longer told apart.
            let scale = |limit: &Option<Limiter>| limit.as_ref().map(|limit| limit.scale);
            let stays = |old: &Option<Limiter>, new: &Option<Limiter>| {
                old.is_some() && (new.is_none() || scale(old) == scale(new))
            };
            if !stays(&self.iops, &fresh.iops) {
                ahead.forget(Quantity::Iops);
            }
            if !stays(&self.throughput, &fresh.throughput) {
                ahead.forget(Quantity::Throughput);
            }
        }
        let promised = self.available().max(now);
        let settle = |old: Option<Limiter>, new: Option<Limiter>| {
            let mut new = new?;
            // Behind what is promised there is no depth left to take at once.
            let depth = (promised > now).then_some(0);
            match new.special.as_deref_mut() {
                Some(Special::Burst(peak)) => {
                    let left = old.as_ref().and_then(|old| old.credits(now));
                    new.base.resume(promised, left.map(|left| left.saturating_mul(new.scale)));
                    peak.bucket.resume(promised, depth);
                    let full_again = old.as_ref().and_then(|old| old.peak()?.top_up.as_ref()).map(|top_up| top_up.due);
                    if let Some(top_up) = &mut peak.top_up {
                        top_up.due = full_again.unwrap_or(promised.saturating_add(top_up.every));
                    }
                }
                _ => new.base.resume(promised, depth),
            }
            if let Some(old) = old {
                (new.granted, new.waited) = (old.granted / old.scale * new.scale, old.waited);
                (new.binding, new.binding_until) = (old.binding, old.binding_until);
                new.credits_before = old.credits_before;
                (new.counts_from, new.dry) = (old.counts_from, old.dry);
            }
            Some(new)
        };
        self.iops = settle(self.iops.take(), fresh.iops);
        self.throughput = settle(self.throughput.take(), fresh.throughput);
        self.accounts = fresh.accounts;
        self.release(throttle_interval);
    }

    /// The first instant at which a waiting request would be let go, once settled.
    fn available(&self) -> u64 {
        let iops = self.iops.as_ref().map_or(0, Limiter::earliest);
        let throughput = self.throughput.as_ref().map_or(0, Limiter::earliest);
        iops.max(throughput)
    }

    /// Lets a request pass that arrived at `arrived`: when it left the IOPS limit, and when the throughput limit.
    #[inline(always)]
    pub(crate) fn pass(&mut self, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        if self.iops.is_none() && self.throughput.is_none() {
            return (arrived, arrived);
        }
        self.pass_limited(arrived, ios, bytes)
    }

    /// The same at `now`, which notes the grant if the limits are watched. The shortest ways of a simulation do without it: a watched
    /// stack does not take them.
    #[inline(always)]
    pub(crate) fn pass_watched(&mut self, now: u64, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        let left = self.pass(arrived, ios, bytes);
        if let Some(ahead) = &mut self.ahead {
            ahead.note(now, AheadGrant { left, ios, bytes });
        }
        left
    }

    /// Whether requests are charged in another way than as an I/O and its bytes.
    pub(crate) fn is_accounted(&self) -> bool {
        self.accounts.is_some()
    }

    /// Whether requests in this direction do not come to these limits.
    pub(crate) fn skips(&self, write: bool) -> bool {
        self.accounts.as_ref().is_some_and(|accounts| accounts.skips(write))
    }

    /// What a request of this disk costs, of which `plain` are its I/Os and bytes.
    pub(crate) fn charge(&mut self, disk: usize, moved: Moved, plain: (u64, u64)) -> (u64, u64) {
        self.accounts.as_mut().map_or(plain, |accounts| accounts.charge(disk, moved))
    }

    /// Tells from now on what is granted from what is granted ahead of time.
    pub(crate) fn watch(&mut self) {
        self.ahead.get_or_insert_default();
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.ahead.is_some()
    }

    /// Parts of tokens of a limit that are granted, but for later than `now`.
    pub(crate) fn granted_ahead(&self, quantity: Quantity, now: u64) -> u64 {
        self.ahead.as_ref().map_or(0, |ahead| ahead.tokens(quantity, now))
    }

    #[inline(always)]
    fn pass_limited(&mut self, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        let Some(iops) = &mut self.iops else {
            return (arrived, self.throughput.as_mut().map_or(arrived, |limit| limit.pass(arrived, bytes)));
        };
        let first = iops.pass(arrived, ios);
        if bytes < self.free {
            self.pass_free(first, bytes);
            return (first, first);
        }
        self.settle();
        let Some(throughput) = &mut self.throughput else { return (first, first) };
        // A trim has no bytes but keeps its place in the line.
        let second = throughput.pass_behind(first, bytes);
        self.foresee(first, bytes);
        (first, second)
    }

    pub(crate) fn reset_tally(&mut self, now: u64) {
        let ahead = [Quantity::Iops, Quantity::Throughput].map(|quantity| self.granted_ahead(quantity, now));
        for (limit, ahead) in [&mut self.iops, &mut self.throughput].into_iter().zip(ahead) {
            if let Some(limit) = limit {
                limit.reset_tally(now);
                limit.granted = ahead;
            }
        }
    }

    /// Those of the two that there are.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Quantity, &Limiter)> {
        [(Quantity::Iops, &self.iops), (Quantity::Throughput, &self.throughput)]
            .into_iter()
            .filter_map(|(quantity, limit)| Some((quantity, limit.as_ref()?)))
    }
}

#[cfg(test)]
impl Pair {
    pub(crate) fn plain(spec: &crate::spec::LimitSpec, credits: Credits) -> Pair {
        let limits: alloc::vec::Vec<Limit> = spec.each(Accounting::PLAIN).collect();
        Pair::new(&limits, credits, 1, |_| Accounting::PLAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{BurstSpec, LimitSpec, RateSpec};
    use alloc::vec::Vec;
    use dw_units::NS_PER_SECOND;

    #[test]
    fn bursts_last_as_published() {
        struct Case {
            name: &'static str,
            demand: u64,
            bursts_for_s: u64,
        }
        let small_disk = LimitSpec {
            iops: Some(RateSpec { rate: 500, depth: 0, burst: Some(BurstSpec { rate: 3_500, credits: 5_400_000 }) }),
            throughput: None,
        };
        let cases = [
            Case { name: "flat out", demand: 9_000, bursts_for_s: 1_800 },
            Case { name: "half the excess", demand: 2_000, bursts_for_s: 3_600 },
        ];
        for case in cases {
            let mut limit = Pair::plain(&small_disk, Credits::Full);
            let mut previous = 0;
            let mut n = 0u64;
            // The burst ends when the distance between grants becomes that of the base rate.
            let ended = loop {
                let (_, at) = limit.pass(n * NS_PER_SECOND / case.demand, 1, 0);
                if at - previous > 1_900_000 {
                    break at;
                }
                previous = at;
                n += 1;
            };
            let expected = case.bursts_for_s * NS_PER_SECOND;
            assert!(ended.abs_diff(expected) < 3_000_000, "{}: {ended}", case.name);
        }
    }

    #[test]
    fn an_interval_lets_go_at_its_start_what_it_gives_and_keeps_nothing_for_the_next() {
        const MS: u64 = 1_000_000;
        let spec = LimitSpec { iops: Some(RateSpec::plain(1_000)), throughput: None };
        let mut pair = Pair::plain(&spec, Credits::Full);
        pair.release(10 * MS);
        // (arrival in ms, when it is let go): ten an interval, unused ones are gone, nobody goes before he came.
        let mut at = |arrived: u64| pair.pass(arrived * MS, 1, 0).1 / MS;
        let first: Vec<u64> = (0..25).map(|_| at(0)).collect();
        assert_eq!(first, [[0; 10].as_slice(), &[10; 10], &[20; 5]].concat());
        assert_eq!([at(27), at(27), at(27), at(27), at(27)], [27; 5]);
        assert_eq!(at(28), 30);
        assert_eq!((0..10).map(|_| at(95)).collect::<Vec<_>>(), [95; 10]);
        assert_eq!(at(99), 100);
        // Over ten seconds of demand without end it is the rate, to the token.
        let mut greedy = Pair::plain(&spec, Credits::Full);
        greedy.release(10 * MS);
        assert_eq!((0..10_001).map(|_| greedy.pass(0, 1, 0).1).filter(|&at| at < 10_000 * MS).count(), 10_000);
    }

    #[test]
    fn empty_credits_refill_at_what_is_not_used() {
        let rate = RateSpec { rate: 500, depth: 0, burst: Some(BurstSpec { rate: 3_500, credits: 5_400_000 }) };
        let limit = Limiter::new(Limit::new(Quantity::Iops, rate, Accounting::PLAIN), Credits::Empty);
        assert_eq!(limit.credits(0), Some(0));
        assert_eq!(limit.credits(3_600 * NS_PER_SECOND), Some(1_800_000));
        assert_eq!(limit.credits(10_800 * NS_PER_SECOND), Some(5_399_999));
    }

    #[test]
    fn mixed_sizes_reach_the_narrower_limit() {
        // 90 % of one unit, 10 % of eleven: mean 2, so both limits bind at 1,000 a second.
        let spec = LimitSpec { iops: Some(RateSpec::plain(1_000)), throughput: Some(RateSpec::plain(2_000)) };
        let mut pair = Pair::plain(&spec, Credits::Full);
        let mut stream = Stream::new(1, 0);
        let (mut last, mut bytes) = (0, 0);
        for _ in 0..1_000_000 {
            let size = if stream.draw().is_multiple_of(10) { 11 } else { 1 };
            bytes += size;
            last = pair.pass(0, 1, size).1;
        }
        // The sum of sizes wanders by 3 / 2 × √n around its mean, and the later of the two limits follows its maximum.
        let busy = (1_000_000u64.max(bytes / 2)) * (NS_PER_SECOND / 1_000);
        assert!(last.abs_diff(busy) < busy / 200, "{last} {busy}");
    }

    /// The two limits one after the other, each asked every time.
    fn pass_slowly(pair: &mut Pair, arrived: u64, ios: u64, bytes: u64) -> (u64, u64) {
        let first = pair.iops.as_mut().map_or(arrived, |limit| limit.pass(arrived, ios));
        (first, pair.throughput.as_mut().map_or(first, |limit| limit.pass(first, bytes)))
    }

    #[test]
    fn small_requests_that_need_no_clock_go_when_they_would_with_one() {
        // (I/Os a second and depth, bytes a second, sizes, whether some go without): the first limit paced or not, sizes around the
        // one at which both limits meet, and far above.
        type Case = ((u64, u64), u64, &'static [u64], bool);
        let cases: &[Case] = &[
            ((5_000, 0), 200_000_000, &[4_096], true),
            ((5_000, 0), 200_000_000, &[8_192, 39_999, 40_000, 40_001, 0], true),
            ((51_200, 1), 524_288_000, &[512, 512, 512, 512, 4_096, 10_239, 10_240, 32_768], true),
            ((7, 0), 3, &[1, 0], false),
            ((999_999_999, 0), 1 << 40, &[1, 512], false),
            ((5_000, 8), 200_000_000, &[4_096, 65_536], false),
        ];
        for &((rate, depth), bytes_per_s, sizes, goes_without) in cases {
            let limits = LimitSpec {
                iops: Some(RateSpec { rate, depth, burst: None }),
                throughput: Some(RateSpec::plain(bytes_per_s)),
            };
            let (mut pair, mut slowly) = (Pair::plain(&limits, Credits::Full), Pair::plain(&limits, Credits::Full));
            let (mut stream, mut at, mut free) = (Stream::new(rate, 1), 0, 0);
            for _ in 0..20_000 {
                // Gaps about as long as the distance between I/Os: some requests wait, some do not.
                at += stream.draw() % (2 * NS_PER_SECOND / rate + 2);
                let bytes = sizes[(stream.draw() % sizes.len() as u64) as usize];
                let ios = 1 + u64::from(stream.draw().is_multiple_of(8));
                free += u32::from(bytes < pair.free);
                assert_eq!(pair.pass(at, ios, bytes), pass_slowly(&mut slowly, at, ios, bytes), "{rate} {sizes:?}");
            }
            assert_eq!(free > 0, goes_without, "{rate} {sizes:?}: {free}");
            pair.settle();
            for ((_, quick), (_, slow)) in pair.each().zip(slowly.each()) {
                assert_eq!(quick.earliest(), slow.earliest());
                assert_eq!((quick.granted, quick.waited), (slow.granted, slow.waited));
                assert_eq!(quick.binding(at), slow.binding(at));
            }
        }
    }
}
