//! Finished requests whose client has yet to be told: when it is, their lateness is recorded and what it sends next dated by it.

use dw_units::{Duration, Instant};

use super::desk::Desk;
use crate::engine::Done;
use crate::pace::{HostTime, Turnaround};

/// When a request arrives for the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) at: Instant,
    pub(super) shift: Shift,
}

/// What an instant of arrival differs by from when its client sent the request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shift {
    /// What it is dated back by, ns: 100 ms at most.
    dated_ns: u32,
    /// How long the request had waited before it was seen, µs.
    waited_us: u32,
}

impl Shift {
    fn new(dated: Duration, waited: Duration) -> Shift {
        let most = |figure: u64| u32::try_from(figure).unwrap_or(u32::MAX);
        Shift { dated_ns: most(dated.ns()), waited_us: most(waited.ns() / 1_000) }
    }

    fn dated(self) -> Duration {
        Duration::from_ns(u64::from(self.dated_ns))
    }

    /// How late its client sees an answer that the model sees `late`: the client has waited since it sent the request, which was later
    /// than the model takes it to be, and earlier than it was seen.
    fn seen(self, late: Duration) -> Duration {
        late.saturating_sub(self.dated()) + Duration::from_us(u64::from(self.waited_us))
    }
}

/// An answer.
#[derive(Clone, Copy, Debug)]
struct Answered {
    due: Instant,
    latency: Duration,
    shift: Shift,
    /// How late it was when it began to wait for its client, if it did.
    held: Option<Duration>,
}

/// Answers of one client.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// How late the last were given, for what comes back on them.
    turnaround: Turnaround,
    waiting: Vec<Answered>,
}

impl Answers {
    /// A request has come.
    #[inline]
    pub(super) fn arrival(&mut self, came: HostTime, desk: &mut Desk) -> Arrival {
        let waited = desk.attention.waited(came, self.turnaround.last_reply());
        let at = desk.instant(came - self.turnaround.request(came));
        Arrival { at, shift: Shift::new(desk.pace.model(came).since(at), waited) }
    }

    /// A request is done that came with this shift; `held` is how late it was when it began to wait for its client, if it did.
    #[inline]
    pub(super) fn push(&mut self, done: &Done, shift: Shift, held: Option<Duration>) {
        self.waiting.push(Answered { due: done.due, latency: done.due.since(done.submitted), shift, held });
    }

    /// How many wait.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// All of them are given now.
    pub(super) fn given(&mut self, desk: &mut Desk) {
        if self.waiting.is_empty() {
            return;
        }
        let now = HostTime::now();
        for Answered { due, latency, shift, held } in self.waiting.drain(..) {
            let late = held.unwrap_or_else(|| {
                let late = desk.pace.late(now, due);
                desk.lateness.record(latency, shift.seen(late));
                late
            });
            self.turnaround.reply(now, latency, late, shift.dated());
        }
    }
}

/// A request is done whose client takes no answers: from now on it waits for its client, not for us. Returns how late it is.
pub(super) fn hold(done: &Done, shift: Shift, desk: &mut Desk) -> Duration {
    let late = desk.pace.late(HostTime::now(), done.due);
    desk.lateness.record(done.due.since(done.submitted), shift.seen(late));
    late
}
