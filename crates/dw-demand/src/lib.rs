//! What a plan must meet, and what is wanted of it.
//!
//! Lives here: demand at its percentiles and over time, what is wanted of a plan, the file that says both, read and written
//! (`requirements.toml`); what a volume may be called.
//! Never here: how the figures were found, what meets them, what is on offer.
//! Read next: `requirements.rs` (the demand), `wishes.rs` (what is wanted), `read/file.rs` (what may be
//! written).

#![forbid(unsafe_code)]

mod latency_setting;
mod offers;
mod read;
mod requirements;
pub mod volume_name;
pub mod wishes;
mod write;

pub use latency_setting::LatencySetting;
pub use offers::Offers;
pub use read::{read, read_for_explain, read_for_plan, schema};
pub use requirements::*;
pub use write::{write, write_form, write_with};
