//! How often a volume may be changed.
//!
//! Rule: up to four changes in any 24 hours, and the next as soon as the last is completed. Until 2026-01 it was one, and six hours
//! between two.
//!
//! Source: `sources::MODIFY_2026` (second-hand).
//!
//! Ignores: how long a change takes (about six hours for a TiB), and how fast the volume is meanwhile.

use core::fmt;
use std::sync::LazyLock;

use dw_units::{Duration, Instant};

use dw_messages::label;
use dw_vendor::moves::{Effort, MoveRow, What};

use crate::sources::{CHANGE_TYPE, MODIFY_2026, MODIFY_VOLUME, WEIGHTING};

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

/// What changes of instances and volumes take, as pages say it.
pub fn moves() -> &'static [MoveRow] {
    &MOVES
}

static MOVES: LazyLock<Vec<MoveRow>> = LazyLock::new(|| {
    let often = label!("4 changes in any 24 hours, one after the other").english();
    debug_assert!(often.starts_with(&CHANGES_MOST.to_string()), "{often}");
    let modified = |change, takes: &str| MoveRow {
        limit: Some(often.into()),
        ..move_row(change, &[], false, Effort::InPlace, takes, MODIFY_2026)
    };
    let stopped =
        label!("the instance is stopped, its type set, and started; what is on its instance store is lost").english();
    let with_drivers = label!("the instance is stopped, its type set, and started; what is on its instance store is lost; its image needs the drivers for NVMe and ENA first").english();
    vec![
        move_row(What::Size, &[], false, Effort::Restart, stopped, CHANGE_TYPE),
        move_row(
            What::Images,
            &[],
            false,
            Effort::Restart,
            with_drivers,
            CHANGE_TYPE,
        ),
        move_row(
            What::Setting,
            &[],
            false,
            Effort::Restart,
            label!("the instance is stopped, its bandwidth weighting set, and started; what is on its instance store is lost").english(),
            WEIGHTING,
        ),
        move_row(
            What::Kind,
            &["st1", "sc1"],
            true,
            Effort::Refused,
            label!("a root volume does not become a hard disk").english(),
            MODIFY_VOLUME,
        ),
        modified(
            What::Kind,
            label!("ModifyVolume while it is in use; until it is optimized its rates lie between the old and the new").english(),
        ),
        modified(What::Rates, label!("ModifyVolume while it is in use").english()),
        modified(What::Grow, label!("ModifyVolume while it is in use; then its file system is grown").english()),
        move_row(
            What::Shrink,
            &[],
            false,
            Effort::Migrate,
            label!("a volume only grows: data are copied to a new one").english(),
            MODIFY_VOLUME,
        ),
        move_row(
            What::Processors,
            &[],
            false,
            Effort::Redeploy,
            label!("a new instance with an image for its processors").english(),
            CHANGE_TYPE,
        ),
        move_row(What::Stripe, &[], false, Effort::Migrate, label!("the stripe is built anew: data are copied").english(), MODIFY_VOLUME),
        move_row(
            What::Place,
            &[],
            false,
            Effort::Migrate,
            label!("data are copied; an instance store is empty after a stop").english(),
            MODIFY_VOLUME,
        ),
    ]
});

fn move_row(change: What, to: &[&str], os: bool, effort: Effort, takes: &str, source: &str) -> MoveRow {
    MoveRow {
        change,
        from: Vec::new(),
        to: to.iter().map(|kind| kind.to_string()).collect(),
        os,
        shared: false,
        beyond_gib: None,
        effort,
        direct: true,
        takes: takes.into(),
        limit: None,
        source: source.into(),
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
