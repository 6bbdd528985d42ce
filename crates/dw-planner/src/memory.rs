//! How much memory a VM must have: what is in use, and what stays free beside it.
//!
//! | demand | memory |
//! |---|---|
//! | `memory_headroom` is said | what is in use, and that |
//! | a database: a volume is a log or temporary data of one | what is in use: a database uses what it was given, and more would not be used |
//! | anything else | what is in use, and a fifth of the whole free; no more than the machine has today, which is enough today |
//!
//! `memory_min` is a minimum, taken as it is.
//!
//! Ignores: growth, as nobody can say by how much memory grows with a load.

use dw_demand::wishes::{Role, Wishes};
use dw_demand::{MemoryRoom, Requirements};

/// What stays free beside the memory in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beside {
    /// What was asked for.
    Asked(MemoryRoom),
    /// Nothing: a database uses what it was given.
    Database,
    /// A share in percent, or less where the machine of today does with less.
    Usual(f64),
}

/// What stays free where nothing is said, in percent of all: programs that are no database take more for a moment, and file systems cache.
const USUAL_PERCENT: f64 = 20.0;

/// What stays free beside the memory in use.
pub fn beside(wishes: &Wishes) -> Beside {
    let is_of_database = |role: Role| matches!(role, Role::Log | Role::Tempdb);
    match wishes.memory_headroom {
        Some(asked) => Beside::Asked(asked),
        None if wishes.volumes.iter().any(|volume| is_of_database(volume.role)) => Beside::Database,
        None => Beside::Usual(USUAL_PERCENT),
    }
}

/// What a VM must have, in MiB.
pub(crate) fn needed_mib(requirements: &Requirements, wishes: &Wishes) -> u64 {
    let used = requirements.memory_used.map_or(0, |levels| levels.max.get()) as f64 * wishes.comfort_factor;
    let with_share = |percent: f64| used / (1.0 - percent / 100.0);
    let with_room = match beside(wishes) {
        // Where nobody knows what is in use any size may be chosen.
        _ if used == 0.0 => 0.0,
        Beside::Database => used,
        Beside::Asked(MemoryRoom::Percent(percent)) => with_share(percent),
        Beside::Asked(MemoryRoom::Amount(free)) => used + free.get() as f64,
        Beside::Usual(percent) => match requirements.memory_total {
            Some(total) => with_share(percent).min(used.max(total.get() as f64 * wishes.comfort_factor)),
            None => with_share(percent),
        },
    };
    // What is in use leaves room; a minimum is what was asked for.
    (with_room.ceil() as u64).max(wishes.memory_min.get()).div_ceil(1 << 20)
}

/// Whether what a VM must have is what is in use, or a minimum, and nothing beside it.
pub fn is_exact(requirements: &Requirements, wishes: &Wishes) -> bool {
    let bare = Wishes { memory_headroom: Some(MemoryRoom::Percent(0.0)), ..wishes.clone() };
    needed_mib(requirements, &bare) == needed_mib(requirements, wishes)
}
