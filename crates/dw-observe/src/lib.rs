//! What a machine was seen to ask of its disks: readings in, the requirements checklist out.
//!
//! Lives here: the readings themselves, series on a common time, percentiles, windows, randomness, the audit.
//! Never here: files of any format, what the disks of a plan can do.
//! Read next: `sample.rs` (the words), `recorder.rs` (who keeps them), `checklist.rs` (what they come to), `audit/mod.rs`
//! (what to doubt).

#![forbid(unsafe_code)]

mod amount;
pub mod audit;
pub mod checklist;
pub mod clock;
pub mod counters;
mod damaged;
mod device_names;
mod evidence;
mod gathered;
pub mod histogram;
mod observation;
mod past;
pub mod percentile;
pub mod randomness;
mod recorder;
pub mod requirements;
mod row;
pub mod sample;
pub mod series;
mod tally;
pub mod thin;
mod trace;
pub mod volumes;
pub mod windows;

pub use amount::Amount;
pub use evidence::Evidence;
pub use observation::{Distribution, Observation, ObserveError, Settings, SourceInfo, VolumeObserved, observe};
pub use recorder::{Recorder, RecorderOptions};
pub use requirements::Requirements;
pub use sample::*;
