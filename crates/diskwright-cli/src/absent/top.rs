//! `top` of a program without the dashboard.

use std::io::Write;

use dw_error::Result;

use crate::absent::{self, Anything};
use crate::exit::Exit;

/// Any.
pub type TopArgs = Anything;

/// Refuses.
pub fn run(_: &TopArgs, _: &mut dyn Write) -> Result<Exit> {
    Err(absent::refusal("`top`", "tui"))
}
