//! How often a volume may be changed.
//!
//! Rule: up to four changes in any 24 hours, and the next as soon as the last is completed. Until 2026-01 it was one, and six hours
//! between two.
//!
//! Source: `sources::MODIFY_2026` (second-hand).
//!
//! Ignores: how long a change takes (about six hours for a TiB), and how fast the volume is meanwhile.

use core::fmt;

use dw_units::{Duration, Instant};

use crate::sources::MODIFY_2026;

/// So many changes fit into [`WINDOW`].
pub const CHANGES_MOST: usize = 4;
/// Any time as long as this.
pub const WINDOW: Duration = Duration::from_secs(24 * 3_600);

/// A change of a volume: when it was asked for, and when it was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub begun: Instant,
    /// Absent while it is under way.
    pub completed: Option<Instant>,
}

/// Why a volume cannot be changed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeRefusal {
    /// The last change is under way.
    UnderWay,
    /// All of the window's are used; the next is possible then.
    NotBefore(Instant),
}

impl fmt::Display for ChangeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeRefusal::UnderWay => write!(f, "the last change of the volume is not completed ({MODIFY_2026})"),
            ChangeRefusal::NotBefore(_) => {
                write!(f, "a volume takes {CHANGES_MOST} changes in 24 hours ({MODIFY_2026})")
            }
        }
    }
}

/// Whether a volume with these changes behind it, in order, may be changed now.
pub fn may_change(behind: &[Change], now: Instant) -> Result<(), ChangeRefusal> {
    if behind.last().is_some_and(|last| last.completed.is_none_or(|at| at > now)) {
        return Err(ChangeRefusal::UnderWay);
    }
    let recent = |change: &&Change| now.since(change.begun) < WINDOW;
    let mut of_window = behind.iter().rev().take_while(recent);
    match of_window.nth(CHANGES_MOST - 1) {
        Some(first) => Err(ChangeRefusal::NotBefore(Instant::from_ns(first.begun.ns() + WINDOW.ns()))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_changes_fit_a_day_and_one_is_under_way_at_a_time() {
        let hour = |hours: u64| Instant::from_ns(Duration::from_secs(hours * 3_600).ns());
        let done = |begun: u64, completed: u64| Change { begun: hour(begun), completed: Some(hour(completed)) };
        let four = [done(0, 1), done(2, 3), done(4, 5), done(6, 7)];
        for (behind, now, expected) in [
            (&four[..0], 0, Ok(())),
            (&four[..1], 2, Ok(())),
            (&[Change { begun: hour(0), completed: None }][..], 30, Err(ChangeRefusal::UnderWay)),
            (&four[..1], 0, Err(ChangeRefusal::UnderWay)),
            (&four[..], 8, Err(ChangeRefusal::NotBefore(hour(24)))),
            (&four[..], 23, Err(ChangeRefusal::NotBefore(hour(24)))),
            (&four[..], 24, Ok(())),
        ] {
            assert_eq!(may_change(behind, hour(now)), expected, "{behind:?} at {now} h");
        }
    }
}
