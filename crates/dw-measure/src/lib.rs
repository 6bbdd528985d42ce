//! The real fio on real targets: found, run, watched; what a target holds; what machine it was.
//!
//! Lives here: finding fio, running it and reading what it says while it runs, what must not be overwritten, the record of
//! the machine.
//! Never here: how fast disks should be, which jobs a procedure has, what a result means, printing.
//! Read next: `fio.rs`, then `run.rs`, then `holds.rs`.
//!
//! Nothing of ours is in the path of an I/O: fio's own engines do them all.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

pub mod eta;
pub mod fio;
pub mod holds;
pub mod machine;
pub mod run;
pub mod seen;
pub mod target;

pub use fio::{Fio, FioError};
pub use run::{FioRun, Run, RunError};
