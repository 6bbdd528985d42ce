//! `studio` of a program without the page.

use std::io::Write;

use dw_error::Result;

use crate::absent::{self, Anything};
use crate::exit::Exit;

/// Any.
pub type StudioArgs = Anything;

/// Refuses.
pub fn run(_: &StudioArgs, _: &mut dyn Write) -> Result<Exit> {
    Err(absent::refusal("`studio`", "studio"))
}
