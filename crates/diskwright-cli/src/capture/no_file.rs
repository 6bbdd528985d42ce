//! The files of recordings, in a program without Arrow: known when they are met, neither read nor written.

use dw_error::Result;
use std::io::Read;
#[cfg(feature = "capture")]
use std::path::Path;

use dw_observe::Sink;

#[cfg(feature = "capture")]
use super::ticks::{Event, Facts, Tick};
use crate::absent;

/// Whether a file that begins so is a stream of Arrow.
pub fn is_ours(head: &[u8]) -> bool {
    head.starts_with(&[0xff; 4])
}

/// Refuses.
pub fn read(name: &str, _: impl Read, _: u32, _: bool, _: &mut dyn Sink) -> Result<()> {
    Err(absent::refusal(&format!("Arrow, which {name} is written in"), "arrow"))
}

/// Writes a recording: there is none of these.
#[cfg(feature = "capture")]
pub enum Writer {}

#[cfg(feature = "capture")]
impl Writer {
    /// Refuses.
    pub fn open(_: &Path, _: &Facts) -> Result<Writer> {
        Err(absent::refusal("Arrow, which `--record` writes", "arrow"))
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match *self {}
    }

    /// Adds a tick.
    pub fn tick(&mut self, _: &Tick) {
        match *self {}
    }

    /// Adds an event.
    pub fn event(&mut self, _: &Event) {
        match *self {}
    }

    /// Writes what was collected.
    pub fn flush(&mut self) -> Result<()> {
        match *self {}
    }

    /// Writes the rest.
    pub fn close(&mut self) -> Result<()> {
        match *self {}
    }
}
