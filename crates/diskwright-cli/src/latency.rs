//! `--latency`: where within the published latencies the disks are taken to lie.

use clap::builder::TypedValueParser;
pub use diskwright::latency::{of_model, sentences};
use dw_catalogue::latency::LatencySetting;

use crate::choice;

/// Reads a setting by its word.
pub fn settings() -> impl TypedValueParser<Value = LatencySetting> {
    choice::parser(LatencySetting::ALL, LatencySetting::word, LatencySetting::about)
}
