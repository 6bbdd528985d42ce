//! Commands at instants of the model: what a scenario's `[[timeline]]` does to a running emulator.
//!
//! The loop asks [`Timeline::next`] when to wake up and carries out what is [`Timeline::due`], in the order of the instants, and
//! of the file where two are the same. A timeline is told the time; it runs against the model's clock, so that a pause holds it
//! up and a run repeats.
//!
//! Ignores: what commands do, and whether they succeed: the loop says so when one fails.
//!
//! Invariant: each command is given once, never before its instant.

use std::collections::VecDeque;

use dw_units::Instant;

use crate::command::Command;

/// A command with its instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub at: Instant,
    pub command: Command,
    /// Line of the scenario, for messages.
    pub line: usize,
}

/// What is still to come.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    coming: VecDeque<Planned>,
}

impl Timeline {
    /// In order of their instants.
    pub fn new(mut planned: Vec<Planned>) -> Timeline {
        planned.sort_by_key(|next| next.at);
        Timeline { coming: planned.into() }
    }

    /// When the next command is due.
    pub fn next(&self) -> Option<Instant> {
        self.coming.front().map(|next| next.at)
    }

    /// The next command that is due by `now`.
    pub fn due(&mut self, now: Instant) -> Option<Planned> {
        self.coming.pop_front_if(|next| next.at <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(at_ms: u64, line: usize) -> Planned {
        Planned { at: Instant::from_ns(at_ms * 1_000_000), command: Command::Reboot, line }
    }

    #[test]
    fn commands_come_at_their_instants_in_the_order_of_the_file() {
        let mut timeline = Timeline::new(vec![planned(20, 1), planned(10, 2), planned(20, 3), planned(0, 4)]);
        let mut given = Vec::new();
        while let Some(now) = timeline.next() {
            if now > Instant::START {
                assert_eq!(timeline.due(Instant::from_ns(now.ns() - 1)), None, "not a nanosecond early");
            }
            given.extend(timeline.due(now).map(|next| (next.at.ns() / 1_000_000, next.line)));
        }
        assert_eq!(given, [(0, 4), (10, 2), (20, 1), (20, 3)]);
        assert_eq!(timeline.due(Instant::NEVER), None);
    }

    #[test]
    fn a_loop_that_was_late_gives_all_that_it_missed() {
        let mut timeline = Timeline::new(vec![planned(1, 1), planned(2, 2), planned(3, 3)]);
        let missed: Vec<_> =
            std::iter::from_fn(|| timeline.due(Instant::from_ns(2_500_000))).map(|next| next.line).collect();
        assert_eq!(missed, [1, 2]);
    }
}
