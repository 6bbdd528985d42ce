//! Whether to look once more instead of sleeping.
//!
//! Falling asleep and being woken takes a processor 15 to 60 µs on a virtual machine: more than a fast disk takes for a
//! request. So the loop looks again, for at most [`LOOK`], where the next thing is sure to come soon:
//!
//! - a release is nearer than [`NEAR`];
//! - a client was answered, and clients that were answered have come back within [`LOOK`], with one request at a time, each of
//!   the last [`STREAK`] times; or the rest of a request that has begun to come is awaited in the same way.
//!
//! A client that sends several at a time does not wait for us, and the more of them there are the cheaper each one is: for it
//! the loop sleeps. Whether it does so cannot be seen by somebody who always looks, so one wait in [`PROBE`] is slept through.
//!
//! An idle server sleeps: one look too many ends a streak. So does a busy machine: whoever is kept from looking for
//! [`PREEMPTED`] shares its processor with somebody who needs it, and does not look for [`REST`].
//!
//! Source: at depth 1 a request takes 49 µs with two sleeps in it, the client's and ours; a server whose threads keep each other
//! awake 38 µs, and this one 25 µs (docs/benchmarks.md). Virtual machines look before they halt for the same reason (`halt_poll_ns`).
//!
//! Invariant: at most [`LOOK`] passes between the last event and the sleep, unless a release is near.

use dw_units::Duration;

use crate::pace::HostTime;

/// A release nearer than this is waited for awake: a sleep would last no longer than it costs.
pub const NEAR: Duration = Duration::from_us(50);
/// The longest that a client is waited for awake: it has to be woken itself first, which takes an idle machine 40 to 60 µs.
const LOOK: Duration = Duration::from_us(120);
/// Quick returns in a row that make the next one likely.
const STREAK: u32 = 16;
/// One wait in this many is slept through.
const PROBE: u32 = 64;
/// Nothing of ours takes this long between two looks.
const PREEMPTED: Duration = Duration::from_us(150);
/// How long a busy machine is spared.
const REST: Duration = Duration::from_ms(100);

/// What the last waits were like.
#[derive(Debug, Default)]
pub struct Patience {
    /// Since when there has been nothing to do.
    idle: Option<HostTime>,
    /// The last look that found nothing.
    looked: Option<HostTime>,
    rest_until: Option<HostTime>,
    /// Somebody has reason to come back.
    expected: bool,
    streak: u32,
    waits: u32,
}

impl Patience {
    /// There is nothing to do at `now` but to wait, for a release at `release` if there is one. True = look again at once.
    pub fn looks(&mut self, now: HostTime, release: Option<HostTime>) -> bool {
        let idle = *self.idle.get_or_insert(now);
        if let Some(looked) = self.looked.replace(now)
            && now.since(looked) > PREEMPTED
        {
            self.rest_until = Some(now + REST);
        }
        let rests = self.rest_until.is_some_and(|until| now < until);
        let near = release.is_some_and(|release| release <= now + NEAR);
        let likely = self.streak >= STREAK && !self.waits.is_multiple_of(PROBE);
        let expected = self.expected && likely && now.since(idle) < LOOK;
        let looks = !rests && (near || expected);
        if !looks {
            self.looked = None;
        }
        looks
    }

    /// Something was released: the wait is over, and whoever was answered may come back.
    pub fn released(&mut self) {
        (self.idle, self.looked, self.expected) = (None, None, true);
    }

    /// Clients came at `now`, with at most `requests` of one of them; 0 = with a part of one.
    pub fn came(&mut self, now: HostTime, requests: usize) {
        let answered = std::mem::replace(&mut self.expected, requests == 0);
        let Some(idle) = self.idle.take() else { return };
        self.looked = None;
        self.waits = self.waits.wrapping_add(1);
        if !answered {
            return;
        }
        let quick = requests <= 1 && now.since(idle) < LOOK;
        self.streak = if quick { self.streak.saturating_add(1) } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn us(us: u64) -> HostTime {
        HostTime::from_ns(us * 1_000)
    }

    /// Waits of this many µs that end with this many requests, answered at once or not, over and over; in how many of the last 64 was the end awaited
    /// awake, and how many µs of them all were spent awake.
    fn check(answered: bool, waits: &[(u64, usize)]) -> (u32, u64) {
        let mut patience = Patience::default();
        let (mut now, mut awake, mut looked_us) = (1, 0, 0);
        for (number, &(wait, requests)) in waits.iter().cycle().take(512).enumerate() {
            let (begin, end) = (now, now + wait);
            while now < end && patience.looks(us(now), None) {
                now += 1;
            }
            if number >= 512 - 64 {
                awake += u32::from(now == end);
                looked_us += now - begin;
            }
            now = end;
            patience.came(us(now), requests);
            if answered && requests > 0 {
                patience.released();
            }
            now += 2;
        }
        (awake, looked_us)
    }

    #[test]
    fn only_a_client_that_waits_for_us_is_waited_for() {
        assert_eq!(check(true, &[(10, 1)]), (63, 630), "one at a time, at once");
        assert_eq!(check(false, &[(10, 1)]), (0, 0), "they do not wait for us, it is the model that waits");
        assert_eq!(check(true, &[(10, 0)]), (63, 630), "parts of large requests");
        assert_eq!(check(true, &[(130, 1)]), (0, 0), "one at a time, after a while");
        assert_eq!(check(true, &[(10, 3)]), (0, 0), "several at a time");
        assert_eq!(check(true, &[(10, 1), (10, 1), (10, 1), (10, 2)]), (0, 0), "now and then several");
        assert_eq!(check(true, &[(10, 1), (10, 1), (10, 1), (2_000, 1)]), (0, 0), "now and then a pause");
    }

    #[test]
    fn who_stops_coming_is_waited_for_once() {
        let mut patience = Patience { expected: true, streak: STREAK, waits: 1, ..Patience::default() };
        let looks = (0..1_000).filter(|&at| patience.looks(us(at), None)).count();
        assert_eq!(looks as u64, LOOK.ns() / 1_000);
    }

    #[test]
    fn a_release_is_awaited_awake_when_it_is_near() {
        let cases = [(0, true), (50, true), (51, false), (1_000, false)];
        for (in_us, expected) in cases {
            assert_eq!(Patience::default().looks(us(100), Some(us(100 + in_us))), expected, "in {in_us} µs");
        }
    }

    #[test]
    fn whoever_is_kept_from_looking_sleeps_for_a_while() {
        let mut patience = Patience::default();
        let near = |at: u64| Some(us(at + 5));
        assert!(patience.looks(us(0), near(0)));
        assert!(patience.looks(us(100), near(100)), "a round of work");
        assert!(!patience.looks(us(1_000), near(1_000)), "somebody else had the processor");
        assert!(!patience.looks(us(50_000), near(50_000)));
        assert!(patience.looks(us(102_000), near(102_000)));
    }
}
