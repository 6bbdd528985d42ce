//! The host's clock as the model's time.
//!
//! `model = host − origin`, with the origin moved on by the length of every pause. A completion is released when the host's
//! clock reaches its due instant less the *overhead*: what every request of a client costs on top of the model's time (two
//! wake-ups, a timer, the socket), measured when the server starts. Whoever is released that early is seen on time by the
//! client, but never before it was asked for: a latency of the model below the overhead cannot be shown.
//!
//! **Late does not shift the model.** An instant of the model is a function of the host's clock and of the pauses, never of
//! what the server managed to do, so that one stall does not slow everything after it.
//!
//! **What a late reply sets off is not late.** A client with a fixed number of requests in flight sends the next one when a reply
//! comes. Had the reply been on time, so had the next request: it arrives, for the model, as much earlier as its reply was late.
//! Without that a disk would lose the share of its limit that passed while the server was kept from answering, for good. What is
//! made up for was granted by the model and not used, so from the first request after a pause on the limit still holds over any
//! span.
//!
//! Ignores: who really waited for which reply; steps and slewing of the wall clock (this is the monotonic one); suspension of the machine, which stops it.
//!
//! Invariant: model time never goes back, and stands still while paused.

use std::collections::VecDeque;
use std::ops::{Add, Sub};

use dw_units::{Duration, Instant};
use rustix::time::{ClockId, clock_gettime};

/// A reading of the host's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostTime(u64);

impl HostTime {
    /// Reads the clock.
    pub fn now() -> HostTime {
        let time = clock_gettime(ClockId::Monotonic);
        // The clock begins at the start of the machine: it is positive and does not overflow for centuries.
        HostTime(time.tv_sec as u64 * dw_units::NS_PER_SECOND + time.tv_nsec as u64)
    }
    /// From its nanoseconds.
    pub const fn from_ns(ns: u64) -> HostTime {
        HostTime(ns)
    }
    /// Its nanoseconds.
    pub const fn ns(self) -> u64 {
        self.0
    }
    /// Time since `earlier`; zero when that is later.
    pub const fn since(self, earlier: HostTime) -> Duration {
        Duration::from_ns(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for HostTime {
    type Output = HostTime;
    fn add(self, time: Duration) -> HostTime {
        HostTime(self.0.saturating_add(time.ns()))
    }
}

impl Sub<Duration> for HostTime {
    type Output = HostTime;
    fn sub(self, time: Duration) -> HostTime {
        HostTime(self.0.saturating_sub(time.ns()))
    }
}

/// What every request of a client costs on top of the model's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    /// All of it: what releases are early by.
    pub total: Duration,
    /// Of that, what timers are late by; the rest is the way to the client and back.
    pub timer: Duration,
}

/// A request that comes within this after a reply is taken for its consequence: a client may take all of a thousand replies before it
/// sends anything.
const AT_ONCE: Duration = Duration::from_ms(5);
/// The longest lateness that is made up for: longer than shared machines take the processor away, and a bound for a server that
/// never catches up.
const MADE_UP_MAX: Duration = Duration::from_ms(100);

/// A reply to a request of less than this adds nothing to what is dated back: the machine itself takes as long, so that a
/// faster disk would be late with every reply, and later with each. What its own request was dated back by it passes on:
/// after a stall the first requests find an idle disk, are done in the model at once, and what the stall took is still to be
/// made up for.
const SHOWN: Duration = Duration::from_us(100);

/// What is found this soon after a late reply had come before it: whoever has to be woken does not answer that fast.
pub(crate) const FOUND: Duration = Duration::from_us(20);

/// Replies of which a client may still come back on, at most: as many as it may have requests under way.
const REPLIES_MAX: usize = 1_024;

/// Pairs the requests of one client with the replies that set them off, oldest first, and says by how much each would have come
/// earlier had its reply been on time.
///
/// A request that had been waiting during a stall is dated to the beginning of that. Requests beyond the number of replies share the
/// last reply's lateness.
#[derive(Clone, Debug, Default)]
pub struct Turnaround {
    /// When each reply was sent that no request was paired with, and how late.
    replies: VecDeque<(HostTime, Duration)>,
    /// When the last of them were sent, and the most that one of those was late by.
    last: Option<(HostTime, Duration)>,
    /// The reply paired last, and what its request was dated back by.
    used: Option<(HostTime, Duration)>,
}

impl Turnaround {
    /// A reply is sent at `now`, this late, to a request of this latency in the model that was dated back by `dated`.
    #[inline]
    pub fn reply(&mut self, now: HostTime, latency: Duration, late: Duration, dated: Duration) {
        let late = if latency >= SHOWN { late } else { late.min(dated) }.min(MADE_UP_MAX);
        if self.replies.len() == REPLIES_MAX {
            self.replies.pop_front();
        }
        self.replies.push_back((now, late));
        let most = self.last.filter(|&(sent, _)| sent == now).map_or(late, |(_, most)| most.max(late));
        self.last = Some((now, most));
    }

    /// When the last reply was sent.
    #[inline]
    pub fn last_reply(&self) -> Option<HostTime> {
        self.last.map(|(sent, _)| sent)
    }

    /// How much earlier a request would have come that is found at `now`, had the server been on time.
    #[inline]
    pub fn request(&mut self, now: HostTime) -> Duration {
        let found = self.last.filter(|&(sent, _)| sent <= now && now.since(sent) <= FOUND);
        let stall = found.map_or(Duration::ZERO, |(_, most)| most);
        let is_followed = |sent: HostTime| now.since(sent) <= AT_ONCE + stall;
        while let Some((sent, late)) = self.replies.pop_front_if(|&mut (sent, _)| sent <= now) {
            self.used = Some((sent, late.max(stall.min(now.since(sent)))));
            if is_followed(sent) {
                break;
            }
        }
        let paired = self.used.filter(|&(sent, _)| is_followed(sent)).map_or(Duration::ZERO, |(_, dated)| dated);
        // Replies were overdue when it came, and have been sent since: whoever noted when it came may have stood still, too.
        let overdue = self.replies.front().filter(|&&(sent, _)| sent > now).map_or(Duration::ZERO, |&(sent, late)| {
            let stall = sent - late;
            now.since(self.used.map_or(stall, |(before, _)| before.max(stall)))
        });
        paired.max(overdue)
    }
}

/// Which instant of the model it is.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The host's time at the model's start, as if there had been no pause.
    origin: HostTime,
    /// Since when the model stands still.
    paused: Option<HostTime>,
    overhead: Overhead,
}

impl Pace {
    /// The model starts now.
    pub fn start(now: HostTime, overhead: Overhead) -> Pace {
        Pace { origin: now, paused: None, overhead }
    }

    /// What is subtracted from the release of every completion.
    pub fn overhead(&self) -> Duration {
        self.overhead.total
    }

    /// The model's instant.
    pub fn model(&self, now: HostTime) -> Instant {
        Instant::from_ns(self.paused.unwrap_or(now).since(self.origin).ns())
    }

    /// Completions due by this instant may be released now.
    pub fn horizon(&self, now: HostTime) -> Instant {
        match self.paused {
            Some(_) => self.model(now),
            None => Instant::from_ns(self.model(now).ns() + self.overhead.total.ns()),
        }
    }

    /// When a completion due at `instant` is released; `None` = not before the pause ends, or never.
    pub fn release(&self, instant: Instant) -> Option<HostTime> {
        self.host(instant).map(|host| host - self.overhead.total).map(|host| host.max(self.origin))
    }

    /// When the model is at `instant`; `None` = not before the pause ends, or never.
    pub fn host(&self, instant: Instant) -> Option<HostTime> {
        let never = self.paused.is_some() || instant == Instant::NEVER;
        (!never).then(|| self.origin + Duration::from_ns(instant.ns()))
    }

    /// How late a client sees what was due at `due` and is sent at `now`.
    pub fn late(&self, now: HostTime, due: Instant) -> Duration {
        let way = self.overhead.total.saturating_sub(self.overhead.timer);
        let seen = Instant::from_ns(self.model(now).ns() + way.ns());
        seen.since(due.min(seen))
    }

    /// Whether the model stands still.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Stops the model's time; true if it went on before.
    pub fn pause(&mut self, now: HostTime) -> bool {
        let changed = self.paused.is_none();
        self.paused.get_or_insert(now);
        changed
    }

    /// Lets it go on; true if it stood still.
    pub fn resume(&mut self, now: HostTime) -> bool {
        let Some(since) = self.paused.take() else { return false };
        self.origin = self.origin + now.since(since);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Overhead = Overhead { total: Duration::from_us(20), timer: Duration::from_us(5) };

    const fn host(us: u64) -> HostTime {
        HostTime::from_ns(us * 1_000)
    }
    const fn model(us: u64) -> Instant {
        Instant::from_ns(us * 1_000)
    }

    #[test]
    fn the_model_follows_the_host() {
        let pace = Pace::start(host(1_000), Overhead::default());
        assert_eq!(pace.model(host(1_000)), Instant::START);
        assert_eq!(pace.model(host(1_250)), model(250));
        assert_eq!(pace.release(model(250)), Some(host(1_250)));
        assert_eq!(pace.release(Instant::NEVER), None);
    }

    #[test]
    fn a_pause_stops_the_model_and_nothing_is_due() {
        let mut pace = Pace::start(host(0), OVERHEAD);
        assert!(pace.pause(host(100)));
        assert!(!pace.pause(host(150)), "it stands still already");
        assert_eq!(pace.model(host(1_000)), model(100));
        assert_eq!(pace.horizon(host(1_000)), model(100));
        assert_eq!(pace.release(model(500)), None);
        assert!(pace.resume(host(1_100)));
        assert!(!pace.resume(host(1_100)));
        assert_eq!(pace.model(host(1_100)), model(100));
        assert_eq!(pace.release(model(500)), Some(host(1_480)));
    }

    #[test]
    fn the_overhead_is_taken_off_the_release_and_not_off_the_model() {
        let pace = Pace::start(host(0), OVERHEAD);
        assert_eq!(pace.model(host(480)), model(480));
        assert_eq!(pace.release(model(500)), Some(host(480)));
        assert_eq!(pace.horizon(host(480)), model(500));
        assert_eq!(pace.late(host(485), model(500)), Duration::ZERO, "the timer is 5 µs late as ever");
        assert_eq!(pace.late(host(495), model(500)), Duration::from_us(10));
        assert_eq!(pace.late(host(400), model(500)), Duration::ZERO, "early is not late");
        assert_eq!(pace.release(model(10)), Some(host(0)), "never below zero");
    }

    #[test]
    fn what_a_late_reply_sets_off_is_dated_back() {
        let ms = Duration::from_ms;
        let sent = 200_000;
        // Replies by when they are sent and how late, then requests by when they come and what they are dated back by, all in µs.
        type Times = &'static [(u64, u64)];
        let cases: [(&str, Times, Times); 14] = [
            ("nothing was ever sent", &[], &[(7, 0)]),
            ("on time", &[(0, 0)], &[(10, 0)]),
            ("late, and turned round at once", &[(0, 300)], &[(10, 300)]),
            ("more than was answered", &[(0, 300), (0, 200)], &[(10, 300), (11, 200), (12, 200), (5_001, 0)]),
            ("late, and five milliseconds of the client's own", &[(0, 300)], &[(5_000, 300)]),
            ("late, but something else set it off", &[(0, 300)], &[(5_001, 0)]),
            ("later than is made up for", &[(0, 190_000)], &[(10, 100_000)]),
            ("a batch, each for itself", &[(0, 300), (0, 200), (5, 0)], &[(370, 300), (370, 200), (371, 0), (372, 0)]),
            ("it had come before", &[(10, 300)], &[(9, 299), (11, 300)]),
            ("it had come before, and nothing was late", &[(10, 0)], &[(9, 0), (11, 0)]),
            ("before the reply was due", &[(1_000, 300)], &[(650, 0), (1_001, 300)]),
            (
                "it had come before, on an earlier reply",
                &[(0, 0), (30_010, 30_000)],
                &[(3_000, 2_990), (30_011, 30_000)],
            ),
            (
                "a stall of all, seen by another thread first",
                &[(0, 0), (80_000, 79_900)],
                &[(79_990, 79_890), (80_100, 79_900)],
            ),
            (
                "during a stall",
                &[(0, 0), (60_000, 59_000), (60_000, 58_500)],
                &[(60_010, 59_000), (60_300, 59_000), (60_300, 58_500)],
            ),
        ];
        for (name, replies, requests) in cases {
            let mut turnaround = Turnaround::default();
            for &(at, late) in replies {
                turnaround.reply(host(sent + at), ms(1), Duration::from_us(late), Duration::ZERO);
            }
            for &(at, expected) in requests {
                assert_eq!(turnaround.request(host(sent + at)), Duration::from_us(expected), "{name}: at {at}");
            }
        }
    }

    #[test]
    fn a_disk_faster_than_the_machine_does_not_fall_behind() {
        let (mut now, mut turnaround) = (1_000_000, Turnaround::default());
        for _ in 0..1_000 {
            let dated = turnaround.request(host(now));
            assert_eq!(dated, Duration::ZERO);
            // Due 1 µs after it came, and seen 40 µs after.
            turnaround.reply(host(now + 10), Duration::from_us(1), Duration::from_us(39), dated);
            now += 60;
        }
    }

    #[test]
    fn a_reply_of_no_time_passes_on_what_its_request_was_dated_back_by() {
        let us = Duration::from_us;
        let cases =
            [("as late as its request", 5_000, 5_000), ("caught up by 20 µs", 4_980, 4_980), ("later", 5_400, 5_000)];
        for (name, late, expected) in cases {
            let mut turnaround = Turnaround::default();
            turnaround.reply(host(10_000), us(20), us(late), us(5_000));
            assert_eq!(turnaround.request(host(10_020)), us(expected), "{name}");
        }
    }

    #[test]
    fn replies_that_nobody_comes_back_on_are_forgotten() {
        let mut turnaround = Turnaround::default();
        for at in 0..10_000 {
            turnaround.reply(host(at), Duration::from_ms(1), Duration::ZERO, Duration::ZERO);
            assert!(turnaround.replies.len() <= REPLIES_MAX, "at {at}");
        }
    }

    #[test]
    fn being_late_shifts_nothing() {
        let pace = Pace::start(host(0), Overhead::default());
        let first = pace.release(model(100));
        // A stall of a second: the next instants are where they were.
        assert_eq!(pace.late(host(1_000_100), model(100)), Duration::from_secs(1));
        assert_eq!(pace.release(model(200)).unwrap().since(first.unwrap()), Duration::from_us(100));
    }
}
