//! What a plan must meet, and what is wanted of it.
//!
//! Lives here: demand at its percentiles and over time, preferences, what a volume may be called.
//! Never here: how the figures were found, what meets them, what is on offer.
//! Read next: `requirements.rs` (the demand), `wishes.rs` (what is wanted).

#![forbid(unsafe_code)]

mod latency_setting;
mod requirements;
pub mod volume_name;
pub mod wishes;

pub use latency_setting::LatencySetting;
pub use requirements::*;
