//! Finished requests whose client has yet to be told: when it is, their lateness is recorded and what it sends next dated by it.

use dw_units::{Duration, Instant};

use super::desk::Desk;
use crate::engine::Done;
use crate::pace::{HostTime, Turnaround};

/// When a request arrives for the model, and what that is dated back by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) at: Instant,
    pub(super) dated: Duration,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
struct Answered {
    due: Instant,
    latency: Duration,
    /// What its request was dated back by.
    dated: Duration,
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
        let at = desk.instant(came - self.turnaround.request(came));
        Arrival { at, dated: desk.pace.model(came).since(at) }
    }

    /// A request is done that was dated back by so much; `held` is how late it was when it began to wait for its client, if it did.
    #[inline]
    pub(super) fn push(&mut self, done: &Done, dated: Duration, held: Option<Duration>) {
        self.waiting.push(Answered { due: done.due, latency: done.due.since(done.submitted), dated, held });
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
        for Answered { due, latency, dated, held } in self.waiting.drain(..) {
            let late = held.unwrap_or_else(|| {
                let late = desk.pace.late(now, due);
                record(latency, late, dated, desk);
                late
            });
            self.turnaround.reply(now, latency, late, dated);
        }
    }
}

/// A request is done whose client takes no answers: from now on it waits for its client, not for us. Returns how late it is.
pub(super) fn hold(done: &Done, dated: Duration, desk: &mut Desk) -> Duration {
    let late = desk.pace.late(HostTime::now(), done.due);
    record(done.due.since(done.submitted), late, dated, desk);
    late
}

/// Its client has waited since it sent it, which was later than the model takes it to be.
fn record(latency: Duration, late: Duration, dated: Duration, desk: &mut Desk) {
    desk.lateness.record(latency, late.saturating_sub(dated));
}
