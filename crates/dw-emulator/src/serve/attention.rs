//! Since when nobody had looked whether something had come: how long a request may have waited before it was seen.
//!
//! ```text
//!  looked ──────── busy ──────── asleep ──────── should have woken ──────── looked
//!                                                       └──── a stall ────────┘
//! ```
//!
//! A process that is stopped, or kept from its processor, does not know it; it finds that it wakes later than it wanted to. So whoever has
//! clients sleeps for [`BEAT`] at most. While the loop is busy nobody looks either. What is found after either has waited since it began,
//! or since the last reply to its client, if that was later: a client with a fixed number of requests in flight sends the next one on a reply.
//!
//! Ignores: when during a stall a request came, which nobody has seen; stalls of less than [`STALL`].
//!
//! Another thread of ours may have been the one that found a request: a stall of the whole process is taken to be one of that, too.
//!
//! Invariant: nothing is taken to have waited for longer than since the stall began, and nothing of a client that has been answered since.

use dw_units::Duration;

use crate::pace::{FOUND, HostTime};

/// The longest sleep while there are clients: to this much it is known when a stall began.
pub(super) const BEAT: Duration = Duration::from_ms(20);
/// Less than this is the loop's ordinary work, and a wake-up.
const STALL: Duration = Duration::from_ms(1);
/// Another thread of ours that stood still, too, finds what came this much before or after the loop looks.
const TOGETHER: Duration = Duration::from_ms(1);
/// Longer than a shared machine keeps one thread from its processor: the whole process was stopped. Its threads wake one after the other,
/// within a tenth of it.
const STOPPED: Duration = Duration::from_ms(100);

/// What is known of the last stall.
#[derive(Debug)]
pub(super) struct Attention {
    looked: HostTime,
    stall: Option<Stall>,
    /// Nobody has looked since.
    is_new: bool,
}

#[derive(Clone, Copy, Debug)]
struct Stall {
    begin: HostTime,
    end: HostTime,
    /// It overslept, and other threads of ours with it: else they went on and saw what came.
    overslept: bool,
}

impl Attention {
    pub(super) fn new(now: HostTime) -> Attention {
        Attention { looked: now, stall: None, is_new: false }
    }

    /// The loop looks at `now`, after a sleep that began at `asleep` and was to end at `until`, if at all.
    #[inline]
    pub(super) fn looks(&mut self, asleep: HostTime, until: Option<HostTime>, now: HostTime) {
        let awake = until.map_or(now, |until| until.min(now));
        // Whoever slept had looked, and found nothing.
        let begin = if awake.since(asleep) > STALL { awake } else { self.looked };
        self.is_new = now.since(begin) > STALL;
        if self.is_new {
            self.stall = Some(Stall { begin, end: now, overslept: now.since(awake) > STALL });
        }
        self.looked = now;
    }

    /// How long what is found at `now` may have waited; `answered` = the last reply to its client.
    #[inline]
    pub(super) fn waited(&self, now: HostTime, answered: Option<HostTime>) -> Duration {
        // In the round that answers what was overdue, what is found at once was there before.
        let answered =
            answered.filter(|&answered| !self.is_new || answered < self.looked || now.since(answered) > FOUND);
        let is_of = |stall: &Stall| {
            let length = stall.end.since(stall.begin);
            let together = if length > STOPPED { Duration::from_ns(length.ns() / 10) } else { TOGETHER };
            // Whoever has been answered since sends something new.
            answered.is_none_or(|answered| answered <= stall.end)
                && (now >= stall.end || stall.overslept && now + together >= stall.end)
                && (self.is_new || now <= stall.end + together)
        };
        let Some(stall) = self.stall.filter(is_of) else { return Duration::ZERO };
        let waited = now.since(answered.map_or(stall.begin, |answered| answered.max(stall.begin)));
        if waited > STALL { waited } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> HostTime {
        HostTime::from_ns(ms * 1_000_000)
    }

    #[test]
    fn what_comes_in_a_stall_has_waited_since_it_began_or_since_the_last_reply() {
        // The look before is at 100 ms. When it fell asleep, for when, when it woke; the last reply; how long what is found has waited.
        type Case = (&'static str, u64, Option<u64>, u64, Option<u64>, u64);
        let cases: [Case; 10] = [
            ("woken by what came", 100, Some(120), 115, None, 0),
            ("woken by what came, without a limit", 100, None, 5_000, None, 0),
            ("woken on time", 100, Some(120), 120, None, 0),
            ("stopped in its sleep", 100, Some(120), 5_120, None, 5_000),
            ("the same, after a reply", 100, Some(120), 5_120, Some(100), 5_000),
            ("the same, and a reply in the round: it was there before", 100, Some(120), 5_120, Some(5_121), 5_001),
            ("busy before it fell asleep, and something was there", 130, Some(150), 130, None, 30),
            ("the same, with a reply in between", 130, Some(150), 130, Some(120), 10),
            ("busy, then asleep: nothing was there", 130, Some(150), 145, None, 0),
            ("busy and stopped", 130, Some(130), 400, None, 300),
        ];
        for (name, asleep, until, woke, answered, waited) in cases {
            let mut attention = Attention::new(ms(100));
            attention.looks(ms(asleep), until.map(ms), ms(woke));
            let found = ms(woke.max(answered.unwrap_or(0)));
            assert_eq!(attention.waited(found, answered.map(ms)), Duration::from_ms(waited), "{name}");
        }
    }

    #[test]
    fn what_another_thread_saw_while_the_loop_was_busy_has_not_waited() {
        // When it fell asleep, for when, when it looked again; when something was seen, how long that has waited.
        type Case = (&'static str, [u64; 3], &'static [(u64, u64)]);
        let cases: [Case; 3] = [
            ("busy", [30, 50, 30], &[(10, 0), (29, 0), (30, 30)]),
            ("kept from its processor", [1, 20, 30], &[(10, 0), (28, 0), (29, 9), (30, 10)]),
            ("stopped", [1, 20, 1_020], &[(10, 0), (919, 0), (920, 900), (1_020, 1_000)]),
        ];
        for (name, [asleep, until, woke], seen) in cases {
            let mut attention = Attention::new(ms(0));
            attention.looks(ms(asleep), Some(ms(until)), ms(woke));
            for &(at, waited) in seen {
                assert_eq!(attention.waited(ms(at), None), Duration::from_ms(waited), "{name}, at {at}");
            }
        }
    }

    #[test]
    fn a_stall_is_over_with_its_round() {
        // How long it was; what is found so much later, in the round and in the next one.
        let cases = [(50, 4, 54, 0), (50, 1, 51, 51), (1_000, 100, 1_100, 1_100), (1_000, 101, 1_101, 0)];
        for (length, later, in_it, afterwards) in cases {
            let mut attention = Attention::new(ms(0));
            let (end, found) = (ms(20 + length), ms(20 + length + later));
            attention.looks(ms(0), Some(ms(20)), end);
            assert_eq!(attention.waited(found, None), Duration::from_ms(in_it), "{length}, {later} later");
            attention.looks(end, Some(end), end);
            assert_eq!(
                attention.waited(found, None),
                Duration::from_ms(afterwards),
                "{length}, {later} later, afterwards"
            );
            for answered in [end + FOUND, found] {
                assert_eq!(attention.waited(found, Some(answered)), Duration::ZERO, "it was answered since");
            }
        }
    }
}
