//! What a guest asks of its disks: described, and generated from a seed.
//!
//! Lives here: the one workload model, offset and size generators, coverage maps, distributions.
//! Never here: limits, how requests are served, files of any format, clocks.
//! Read next: `job.rs`, then `generator.rs`, then `dw-sim/src/lib.rs`.

// One prefetch, in `coverage.rs`.
#![deny(unsafe_code)]

pub mod coverage;
pub mod distribution;
pub mod generator;
pub mod job;
pub mod replay;
pub mod rng;
pub mod sizes;

pub use generator::{Generator, GeneratorError, Io};
pub use job::*;
pub use replay::{Replay, ReplayStep, ReplayStream};
pub use rng::join;
