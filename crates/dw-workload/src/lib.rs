//! What a guest asks of its disks: described, and generated from a seed.
//!
//! Lives here: the one workload model, offset and size generators, coverage maps, distributions.
//! Never here: limits, how requests are served, files of any format, clocks.
//! Read next: `job.rs`, then `dw-sim/src/lib.rs`.

#![forbid(unsafe_code)]

pub mod job;

pub use job::*;
