//! `--latency`: where within the published latencies the disks are taken to lie.

use clap::ValueEnum;
pub use diskwright::latency::{of_model, sentences};
use dw_catalogue::latency::LatencySetting;

/// Where within the published latencies the default models are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LatencyName {
    /// Near the fastest published means
    Optimistic,
    /// The middle of the published means
    Typical,
    /// Near the slowest
    Cautious,
}

impl From<LatencyName> for LatencySetting {
    fn from(name: LatencyName) -> Self {
        match name {
            LatencyName::Optimistic => LatencySetting::Optimistic,
            LatencyName::Typical => LatencySetting::Typical,
            LatencyName::Cautious => LatencySetting::Cautious,
        }
    }
}
