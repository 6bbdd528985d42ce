//! A plan as the scripts that build it and the jobs that verify it: pure text, one file a target.
//!
//! Every target is written from the same [`Setup`], so that LUNs, names, mount points and figures agree. A script is a fixed
//! program next to its writer (`az.sh`, `linux.sh`, `main.tf` ...) and a block of data at its head, which is all that a plan
//! decides; every text in that block goes through [`quote`].
//!
//! What of an estate is to be otherwise is written here, too: as a script of commands (`changes.rs`), as a diff of a configuration (`patch.rs`).
//!
//! Lives here: what is to be built, names and places of volumes, writers.
//! Never here: reading a plan, the catalogue, files, running anything.
//! Read next: `setup.rs`, then `linux.rs` with `linux.sh`.

#![forbid(unsafe_code)]

pub mod az;
pub mod bicep;
pub mod changes;
mod cloud;
pub mod database;
pub mod diskspd;
pub mod fio;
pub mod linux;
pub mod patch;
pub mod quote;
pub mod rig;
mod setup;
mod streams;
pub mod terraform;
pub mod windows;

pub use setup::{Demand, Disks, Place, Setup, SetupError, Volume};
pub use streams::Stream;
