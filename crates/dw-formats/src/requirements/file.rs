//! The twin of [`dw_workload::observed::Requirements`] that is written to a file.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_spanned::Spanned;

/// What a plan must meet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementsFile {
    /// 1.
    #[schemars(with = "u32")]
    pub schema_version: Spanned<u32>,
    /// The machine that was measured.
    pub machine: Option<String>,
    /// The window of time that the figures are of.
    pub window: Option<String>,
    /// Demand is multiplied by this; 1 when absent.
    #[schemars(with = "Option<f64>")]
    pub growth: Option<Spanned<f64>>,
    /// Processors.
    pub cpu: Option<CpuFile>,
    /// Memory.
    pub memory: Option<MemoryFile>,
    /// Transactions a second, largest of each bucket.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub transactions_per_s: Option<Spanned<LevelsFile<f64>>>,
    /// Volumes.
    #[serde(rename = "volume", default)]
    #[schemars(with = "Vec<VolumeFile>")]
    pub volumes: Vec<Spanned<VolumeFile>>,
}

/// A figure at its percentiles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelsFile<T> {
    /// Median.
    #[schemars(with = "T")]
    pub p50: Spanned<T>,
    /// 90th percentile.
    #[schemars(with = "T")]
    pub p90: Spanned<T>,
    /// 99th percentile.
    #[schemars(with = "T")]
    pub p99: Spanned<T>,
    /// Largest.
    #[schemars(with = "T")]
    pub max: Spanned<T>,
    /// How it is known: measured, derived, estimated, asked, unknown; asked when absent.
    #[schemars(with = "Option<String>")]
    pub from: Option<Spanned<String>>,
}

/// Processors.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CpuFile {
    /// How many the machine has.
    pub processors: Option<u32>,
    /// Percent of all of them that was busy.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub busy_percent: Option<Spanned<LevelsFile<f64>>>,
}

/// Memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryFile {
    /// All of it, with its unit.
    #[schemars(with = "Option<String>")]
    pub total: Option<Spanned<String>>,
    /// In use, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub used: Option<Spanned<LevelsFile<String>>>,
}

/// One volume.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VolumeFile {
    /// Its name.
    pub name: String,
    /// Devices that it was measured on.
    #[serde(default)]
    pub devices: Vec<String>,
    /// Percent of requests that are random.
    #[schemars(with = "Option<f64>")]
    pub random_percent: Option<Spanned<f64>>,
    /// Mean size of a read, with its unit.
    #[schemars(with = "Option<String>")]
    pub read_size: Option<Spanned<String>>,
    /// Mean size of a write, with its unit.
    #[schemars(with = "Option<String>")]
    pub write_size: Option<Spanned<String>>,
    /// Reads a second.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub read_iops: Option<Spanned<LevelsFile<f64>>>,
    /// Writes a second.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub write_iops: Option<Spanned<LevelsFile<f64>>>,
    /// Requests a second, where reads and writes are not known apart.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub iops: Option<Spanned<LevelsFile<f64>>>,
    /// Bytes read a second, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub read_throughput: Option<Spanned<LevelsFile<String>>>,
    /// Bytes written a second, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub write_throughput: Option<Spanned<LevelsFile<String>>>,
    /// Bytes a second, where reads and writes are not known apart.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub throughput: Option<Spanned<LevelsFile<String>>>,
    /// Latency of reads, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub read_latency: Option<Spanned<LevelsFile<String>>>,
    /// Latency of writes, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub write_latency: Option<Spanned<LevelsFile<String>>>,
    /// Requests outstanding.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub queue_depth: Option<Spanned<LevelsFile<f64>>>,
    /// The demand over time.
    #[schemars(with = "Option<SeriesFile>")]
    pub series: Option<Spanned<SeriesFile>>,
}

/// Demand interval by interval.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesFile {
    /// Length of an interval, with its unit.
    #[schemars(with = "String")]
    pub interval: Spanned<String>,
    /// Reads a second.
    pub read_iops: Vec<f64>,
    /// Writes a second.
    pub write_iops: Vec<f64>,
    /// Bytes read a second.
    pub read_bytes_per_s: Vec<u64>,
    /// Bytes written a second.
    pub write_bytes_per_s: Vec<u64>,
}
