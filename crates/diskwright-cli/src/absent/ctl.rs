//! `ctl` of a program without the emulator.

use std::io::Write;

use dw_error::Result;

use crate::absent::{self, Anything};
use crate::exit::Exit;

/// Any.
pub type CtlArgs = Anything;

/// Refuses.
pub fn run(_: &CtlArgs, _: &mut dyn Write) -> Result<Exit> {
    Err(absent::refusal("`ctl`", "emulator"))
}

/// The schema of what the emulator and its clients say: of a program without them, true of nothing.
pub fn schema() -> serde_json::Value {
    serde_json::Value::Bool(false)
}
