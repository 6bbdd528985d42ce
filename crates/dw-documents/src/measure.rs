//! What a measurement is of and from: loads, targets, the machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A load in one direction, or in both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// I/Os.
    pub ios: u64,
    /// Bytes.
    pub bytes: u64,
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_s: f64,
    /// Latency from submission to completion; absent when nothing was recorded.
    pub latency_ns: Option<Latency>,
}

/// A latency in nanoseconds; what a tool did not print is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// Mean.
    pub mean: f64,
    /// Median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<u64>,
    /// 90th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p90: Option<u64>,
    /// 95th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95: Option<u64>,
    /// 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<u64>,
    /// 99.9th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_9: Option<u64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// System and kernel, for example `Linux 6.1.0`.
    pub kernel: String,
    /// Model of the processor.
    pub processor: Option<String>,
    /// Processors.
    pub processors: u32,
    /// Governors of their frequency; empty where the machine does not say, as most VMs.
    pub governors: Vec<String>,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Load average of the last minute at the start.
    pub load_1min: f64,
}

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file, there already or to be made.
    File,
    /// A block device.
    Device,
    /// An export of our emulator.
    Emulated,
}

/// What is known of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Where it is; for an export, its address.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Its size; 0 for a file that is not there yet.
    pub bytes: u64,
    /// The filesystem that a file is on.
    pub file_system: Option<String>,
    /// How that is mounted.
    pub mount_options: Option<String>,
    /// Bytes free on it.
    pub free_bytes: Option<u64>,
    /// The device behind it.
    pub device: Option<String>,
    /// That device's scheduler.
    pub scheduler: Option<String>,
    /// Its cache mode: `write back` or `write through`.
    pub write_cache: Option<String>,
    /// Whether it can be read and written past this machine's page cache.
    pub direct_io: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Metric;

    #[test]
    fn a_percentile_that_was_not_printed_is_absent_and_no_figure() {
        let json = r#"{"mean":1000.0,"p50":900,"max":4000}"#;
        let latency: Latency = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&latency).unwrap(), json);
        let load = Load { latency_ns: Some(latency), ..Load::default() };
        assert_eq!((Metric::LatencyP50.value_in(&load), Metric::LatencyP99.value_in(&load)), (Some(900.0), None));
    }
}
