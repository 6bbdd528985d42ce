//! Answers of a client that it has yet to be given, for the record when it is, and when it sends something next.

use dw_units::{Duration, Instant};

use super::desk::Desk;
use crate::engine::Done;
use crate::pace::{HostTime, Turnaround};

/// When something came, and what that was dated back by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    pub(super) at: HostTime,
    pub(super) dated: Duration,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
struct Answered {
    due: Instant,
    latency: Duration,
    /// What its request was dated back by.
    dated: Duration,
}

/// Answers of one client.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// How late the last were given, for what comes back on them.
    turnaround: Turnaround,
    waiting: Vec<Answered>,
}

impl Answers {
    /// Something comes now.
    pub(super) fn arrival(&mut self) -> Arrived {
        let at = self.turnaround.arrival(HostTime::now());
        Arrived { at, dated: self.turnaround.dated() }
    }

    /// A request that was dated back by so much is done.
    #[inline]
    pub(super) fn push(&mut self, done: &Done, dated: Duration) {
        self.waiting.push(Answered { due: done.due, latency: done.due.since(done.submitted), dated });
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
        for Answered { due, latency, dated } in self.waiting.drain(..) {
            let late = desk.pace.late(now, due);
            self.turnaround.reply(latency, late);
            // Its client has waited since it sent it, which was later than the model takes it to be.
            desk.lateness.record(latency, late.saturating_sub(dated));
        }
        self.turnaround.sent(now);
    }
}
