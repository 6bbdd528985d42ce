//! Everyone's text to our values and back, with line numbers.
//!
//! Lives here: readers of scenario files, of inventories, of fio's, DiskSpd's, Iometer's and vdbench's loads, of results; writers of loads.
//! Never here: printing to a terminal, opening files, guessing silently.
//! Read next: `scenario/mod.rs`, then `fio/mod.rs`, then `results/mod.rs`.

#![forbid(unsafe_code)]

mod assembly;
pub mod cloud;
pub mod convert;
pub mod diskspd;
pub mod estate;
pub mod fio;
pub mod fuzzing;
pub mod iometer;
mod replay;
pub mod results;
pub mod scenario;
pub mod vdbench;

pub use replay::{CLONE, over_time, place_of};
