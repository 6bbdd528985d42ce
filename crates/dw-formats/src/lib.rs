//! Everyone's text to our values and back, with line numbers.
//!
//! Lives here: readers of scenario files and of fio's job files.
//! Never here: printing to a terminal, opening files, guessing silently.
//! Read next: `scenario/mod.rs`, then `fio/mod.rs`.

#![forbid(unsafe_code)]

pub mod fio;
pub mod fuzzing;
pub mod scenario;
