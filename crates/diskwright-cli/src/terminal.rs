//! The terminal that results go to, where they go to one.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether there is one.
static IS_ONE: AtomicBool = AtomicBool::new(false);

/// Its columns; none where it is not a terminal, or was not looked at.
static COLUMNS: AtomicUsize = AtomicUsize::new(0);

/// Looks at standard output, for [`columns`] and [`is_one`]. The program does it once; whoever calls [`run`](crate::run) with an output of
/// their own does not.
pub fn look() {
    IS_ONE.store(std::io::stdout().is_terminal(), Ordering::Relaxed);
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stdout()) {
        COLUMNS.store(size.ws_col.into(), Ordering::Relaxed);
    }
}

/// The columns that a line may have; none = any number.
pub fn columns() -> Option<usize> {
    Some(COLUMNS.load(Ordering::Relaxed)).filter(|columns| *columns > 0)
}

/// Whether results go to one.
pub fn is_one() -> bool {
    IS_ONE.load(Ordering::Relaxed)
}
