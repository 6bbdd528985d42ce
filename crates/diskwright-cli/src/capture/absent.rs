//! Recordings of a program that makes none: they are read all the same.

#[cfg_attr(not(feature = "arrow"), path = "no_file.rs")]
#[cfg_attr(feature = "arrow", expect(dead_code, reason = "what writes a recording has no caller"))]
mod file;
#[cfg(feature = "arrow")]
mod fleet_counters;
#[cfg(feature = "arrow")]
#[expect(dead_code, reason = "what shows a recording under way has no caller")]
mod ticks;

use dw_error::Result;
use dw_observe::{Recorder, Settings};

use crate::absent;
use crate::exit::Exit;
use crate::observe::ObserveArgs;

pub use file::{is_ours, read};

/// What a live recording came to.
pub struct Live {
    /// What was read.
    pub recorder: Recorder,
    /// How it ended.
    pub exit: Exit,
}

/// Refuses.
pub fn record(_: &ObserveArgs, _: &Settings) -> Result<Live> {
    Err(absent::refusal("live recording", "capture"))
}
