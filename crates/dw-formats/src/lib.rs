//! Everyone's text to our values and back, with line numbers.
//!
//! Lives here: readers of scenario files, of fio's, DiskSpd's and Iometer's loads and of recordings of disks; writers of what builds
//! and verifies a plan.
//! Lives here: readers of scenario files, of fio's, DiskSpd's and Iometer's loads and results, and of recordings of disks.
//! Never here: printing to a terminal, opening files, guessing silently.
//! Read next: `scenario/mod.rs`, then `fio/mod.rs`, then `counters/mod.rs`, then `results/mod.rs`.

#![forbid(unsafe_code)]

mod assembly;
pub mod cloud;
pub mod convert;
pub mod counters;
pub mod diskspd;
pub mod fio;
pub mod fuzzing;
pub mod iometer;
pub mod provision;
pub mod requirements;
pub mod results;
pub mod scenario;
