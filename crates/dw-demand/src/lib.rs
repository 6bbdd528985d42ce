//! What a plan must meet, and what is wanted of it.
//!
//! Lives here: demand at its percentiles and over time, what is wanted of a plan, the file that says both, read and written
//! (`requirements.toml`); what a volume may be called.
//! Never here: how the figures were found, what meets them, what is on offer.
//! Read next: `requirements.rs` (the demand), `plan.rs` (the keys of `[plan]`, each declared once),
//! `vendor.rs` (those that only a vendor has), `kpi.rs` (sets of figures by name), `wishes.rs` (what is wanted of volumes), `read/file.rs` (what else may be written).

#![forbid(unsafe_code)]

mod commitment;
mod kind;
pub mod kpi;
mod latency_setting;
mod offers;
mod plan;
mod read;
mod requirements;
mod schedule;
mod vendor;
pub mod volume_name;
pub mod wishes;
mod write;

pub use commitment::{CommitTo, Commitment};
pub use latency_setting::LatencySetting;
pub use offers::Offers;
pub use plan::*;
pub use read::{read, read_for_explain, read_for_plan, schema, vendor_and_region, written_for_plan};
pub use requirements::*;
pub use schedule::{HOURS_A_MONTH, Running, Schedule};
pub use vendor::{KeyTexts, TRUE, VendorChoices, VendorKey, VendorKeys};
pub use write::{write, write_form, write_with};
