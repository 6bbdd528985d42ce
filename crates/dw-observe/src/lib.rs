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
mod coarse;
pub mod counters;
mod damaged;
mod device_names;
mod evidence;
mod exact;
mod finding;
mod folding;
mod gathered;
pub mod histogram;
mod intervals;
mod observation;
mod observe;
mod part;
mod past;
pub mod percentile;
mod point;
pub mod randomness;
mod ready;
mod recorder;
mod requirements;
mod row;
mod row_id;
pub mod sample;
pub mod series;
mod settings;
mod source;
mod tally;
pub mod thin;
mod trace;
pub mod volumes;
pub mod windows;

pub use amount::Amount;
pub use evidence::Evidence;
pub use intervals::{DeviceInterval, HostInterval, SourceIntervals, intervals};
pub use observation::{Credits, Distribution, Observation, SourceInfo, VolumeObservation};
pub use observe::{ObserveError, observe};
pub use part::{DiskRow, HostRow, Machine, Part};
pub use recorder::Recorder;
pub use row::{IMPOSSIBLE_BYTES_PER_S, IMPOSSIBLE_PER_S};
pub use sample::*;
pub use settings::Settings;
pub use source::{MOST_DEVICES, RecorderOptions};
