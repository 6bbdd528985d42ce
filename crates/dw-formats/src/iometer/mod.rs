//! Iometer's configuration files (.icf): text in, [`Workload`](dw_workload::Workload) out.
//!
//! Read next: `sections.rs` (keys and values to a setup), `build.rs` (jobs).
//!
//! A worker on a target is a closed loop with a position of its own: two workers on one disk read the same blocks. Each burst
//! draws a line of the access specification by its share **of requests**; reads and random offsets are drawn for each request.
//! The runs of a file, one for each access specification and each step of a cycling, become phases one after the other.
//!
//! Source: Iometer 1.1.0 and its source; nothing was run on Windows.
//!
//! Ignores: data patterns, results displays, seeds, managers' addresses. A delay begins when the burst before it has been
//! issued; Iometer's begins when there is room for the next request.
//!
//! Invariant: every fault names a line of the file.

mod build;
mod sections;

pub(crate) use build::spelled_file;

use crate::assembly::Assembly;
use crate::fio::{FioErrors, FioJobs, VolumeMap};

/// Whether a text looks like an Iometer configuration: it begins with a version and has one of Iometer's sections.
pub fn is_icf(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let begins = text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("version"));
    begins
        && text.lines().any(|line| {
            let line = line.trim().to_ascii_lowercase();
            sections::SECTIONS.iter().any(|section| line.starts_with(section))
        })
}

/// Reads a configuration. The jobs, warnings and errors have the shapes of fio's reader; all errors come back, not only the
/// first.
pub fn read(name: &str, text: &str, volumes: &[VolumeMap], seed: u64) -> Result<FioJobs, FioErrors> {
    let mut out = Assembly::new(volumes);
    let setup = sections::read(name, text, &mut out);
    if !out.failed() {
        build::jobs(&setup, seed, &mut out);
    }
    out.finish(volumes)
}

#[cfg(test)]
mod tests;
