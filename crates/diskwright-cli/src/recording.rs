//! Recordings that are files of Arrow, ours and counters of an estate.

pub mod file;
mod fleet_counters;
pub mod ticks;

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use dw_error::Result;
use dw_observe::Sink;

use crate::system;

/// Whether a file is one; one that cannot be opened is not.
pub fn is_one(path: &str) -> bool {
    let mut head = File::open(path).map(BufReader::new);
    head.as_mut().is_ok_and(|file| file.fill_buf().is_ok_and(file::is_ours))
}

/// Reads it into a sink, as the file of this index.
pub fn read(path: &str, index: u32, sink: &mut dyn Sink) -> Result<()> {
    let file = File::open(path).map_err(|e| system::unreadable(Path::new(path), &e))?;
    file::read(path, BufReader::new(file), index, false, sink)
}
