//! What a machine was seen to ask of its disks: readings in, the requirements checklist out.
//!
//! Lives here: the readings themselves, series on a common time, percentiles, windows, randomness, the audit.
//! Never here: files of any format, what the disks of a plan can do.
//! Read next: `sample.rs` (the words).

pub mod sample;

pub use sample::*;
