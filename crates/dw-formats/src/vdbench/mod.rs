//! vdbench's parameter files for raw volumes and large files: text in, [`Workload`](dw_workload::Workload) out.
//!
//! Read next: `words.rs` (lines to definitions), `values.rs` (numbers, lists, ranges), `files.rs` (files in folders),
//! `runs.rs` (what a run definition runs),
//! `work.rs` (workloads), `build.rs` (jobs).
//!
//! Each run of a run definition is a phase: one for each combination of its `for...` values, in the order in which they are
//! written, and for each I/O rate. Storage definitions work side by side, each with so many requests outstanding as it has
//! threads. A rate is an open loop with exponential gaps; `iorate=max` a closed loop. Workloads without a rate on the same storage
//! share its threads: each request is one of theirs, drawn by their skew.
//!
//! Source: the user's guide of vdbench 5.04.07; nothing was run.
//!
//! Ignores: block zero of a raw volume, which vdbench never touches; the work queue of 2,000 requests a storage definition, behind
//! which a slow one holds up all others; the data that is written.
//!
//! Invariant: every fault names a line of the file.

mod build;
mod files;
mod runs;
mod values;
mod words;
mod work;

use crate::assembly::Assembly;
use crate::fio::{FioErrors, FioJobs, VolumeMap};

/// Whether a text looks like a parameter file: a line defines storage or a file system, and one a run.
pub fn is_parameters(text: &str) -> bool {
    let defines = |words: &[&str]| {
        text.lines().any(|line| {
            let line = line.trim_start().to_ascii_lowercase();
            words.iter().any(|word| line.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('=')))
        })
    };
    defines(&["sd", "fsd"]) && defines(&["rd"])
}

/// Reads a parameter file. The jobs, warnings and errors have the shapes of fio's reader; all errors come back, not only the
/// first.
pub fn read(name: &str, text: &str, volumes: &[VolumeMap], seed: u64) -> Result<FioJobs, FioErrors> {
    let mut out = Assembly::new(volumes);
    let definitions = words::read(name, text, &mut out);
    if !out.failed() {
        build::jobs(&definitions, seed, &mut out);
    }
    out.finish(volumes)
}

#[cfg(test)]
mod tests;
