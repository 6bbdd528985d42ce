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
//! comes. Had the reply been on time, so had the next request: it arrives, for the model, as much earlier as the reply was late.
//! Without that a disk would lose the share of its limit that passed while the server was kept from answering, for good. What is
//! made up for was granted by the model and not used, so from the first request after a pause on the limit still holds over any
//! span.
//!
//! Ignores: who really waited for which reply; steps and slewing of the wall clock (this is the monotonic one); suspension of the machine, which stops it.
//!
//! Invariant: model time never goes back, and stands still while paused.

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

/// A request that comes within this after a reply is taken for its consequence.
const AT_ONCE: Duration = Duration::from_ms(1);
/// The longest lateness that is made up for: longer than shared machines take the processor away, and a bound for a server that
/// never catches up.
const MADE_UP_MAX: Duration = Duration::from_ms(100);

/// A reply to a request of less than this adds nothing to what is dated back: the machine itself takes as long, so that a
/// faster disk would be late with every reply, and later with each. What its own request was dated back by it passes on:
/// after a stall the first requests find an idle disk, are done in the model at once, and what the stall took is still to be
/// made up for.
const SHOWN: Duration = Duration::from_us(100);

/// How late one client was answered last, and so when what it sends next would have come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turnaround {
    last: Option<(HostTime, Duration)>,
    /// Of the replies that are being sent, the least late.
    least: Option<Duration>,
    /// What the last arrival was dated back by.
    dated: Duration,
}

impl Turnaround {
    /// A reply to a request of this latency in the model is sent this late.
    #[inline]
    pub fn reply(&mut self, latency: Duration, late: Duration) {
        if latency >= SHOWN || self.dated > Duration::ZERO {
            let late = if latency >= SHOWN { late } else { late.min(self.dated) };
            self.least = Some(self.least.map_or(late, |least| least.min(late)));
        }
    }

    /// The replies were sent at `now`.
    pub fn sent(&mut self, now: HostTime) {
        self.last = self.least.take().map(|late| (now, late.min(MADE_UP_MAX)));
    }

    /// When something would have arrived that arrives at `now`, had the last reply been on time.
    pub fn arrival(&mut self, now: HostTime) -> HostTime {
        self.dated = match self.last {
            Some((sent, late)) if now.since(sent) <= AT_ONCE => late,
            _ => Duration::ZERO,
        };
        now - self.dated
    }

    /// What the last arrival was dated back by.
    pub fn dated(&self) -> Duration {
        self.dated
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
        let cases = [
            ("on time", 0, 10, 1_010),
            ("late, and turned round at once", 300, 10, 710),
            ("late, and a millisecond of the client's own", 300, 1_000, 1_700),
            ("late, but something else set it off", 300, 1_001, 2_001),
            ("later than is made up for", 190_000, 10, 1_010 - 100_000),
        ];
        for (name, late_us, after_us, expected) in cases {
            let mut turnaround = Turnaround::default();
            turnaround.reply(Duration::from_ms(1), Duration::from_us(late_us + 5));
            turnaround.reply(Duration::from_ms(1), Duration::from_us(late_us));
            turnaround.reply(Duration::from_us(1), Duration::ZERO);
            turnaround.sent(host(200_000 + 1_000));
            let arrival = turnaround.arrival(host(200_000 + 1_000 + after_us));
            assert_eq!(arrival, host((200_000i64 + expected) as u64), "{name}");
        }
        assert_eq!(Turnaround::default().arrival(host(7)), host(7), "nothing was ever sent");
    }

    #[test]
    fn a_disk_faster_than_the_machine_does_not_fall_behind() {
        let (mut now, mut turnaround) = (1_000_000, Turnaround::default());
        for _ in 0..1_000 {
            let arrival = turnaround.arrival(host(now));
            assert_eq!(arrival, host(now));
            // Due 1 µs after it came, and seen 40 µs after.
            turnaround.reply(Duration::from_us(1), host(now + 40).since(arrival + Duration::from_us(1)));
            turnaround.sent(host(now + 10));
            now += 60;
        }
    }

    #[test]
    fn a_reply_of_no_time_passes_on_what_its_request_was_dated_back_by() {
        let us = Duration::from_us;
        // 5 ms late; then the requests that find an idle disk, each answered at once.
        let cases =
            [("as late as its request", 5_000, 5_000), ("caught up by 20 µs", 4_980, 4_980), ("later", 5_400, 5_000)];
        for (name, late, expected) in cases {
            let mut turnaround = Turnaround::default();
            turnaround.reply(us(640), us(5_000));
            turnaround.sent(host(10_000));
            assert_eq!((turnaround.arrival(host(10_010)), turnaround.dated()), (host(5_010), us(5_000)));
            turnaround.reply(us(20), us(late));
            turnaround.sent(host(10_012));
            assert_eq!(turnaround.arrival(host(10_020)), host(10_020 - expected), "{name}");
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
