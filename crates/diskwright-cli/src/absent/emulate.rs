//! `emulate` of a program without the emulator.

use dw_error::Result;

use crate::absent::{self, Anything};
use crate::exit::Exit;

/// Any.
pub type EmulateArgs = Anything;

/// Refuses.
pub fn run(_: &EmulateArgs) -> Result<Exit> {
    Err(absent::refusal("`emulate`", "emulator"))
}
