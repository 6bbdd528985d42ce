//! `bench` on disks and on the emulator, of a program without them.

use std::io::Write;

use dw_documents::bench::BenchDocument;
use dw_error::Result;
use dw_sim::Progress;

use super::Order;
use crate::absent;
use crate::exit::Exit;

/// Refuses.
pub fn measure(_: &Order, _: &Progress, _: &mut BenchDocument, _: &mut dyn Write) -> Result<Exit> {
    Err(absent::refusal("`bench` on disks or the emulator", "device"))
}
