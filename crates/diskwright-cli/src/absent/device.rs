//! `bench` on disks and on the emulator, of a program without them.

use std::io::Write;

use diskwright::bench::Bench;
use dw_error::Result;
use dw_sim::Progress;

use super::BenchArgs;
use crate::absent;
use crate::exit::Exit;

/// Refuses.
pub fn measure(_: &BenchArgs, _: Bench, _: &Progress, _: &mut dyn Write) -> Result<Exit> {
    Err(absent::refusal("`bench` on disks or the emulator", "device"))
}
