//! A checklist, as `observe` prints it. Figures are in base units (bytes, seconds, bytes per second); what is not known is null.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;

use crate::tag::OfChecklist;

/// What a machine was seen to ask of its disks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChecklistDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfChecklist,
    /// The machine, where a file names it.
    pub machine: Option<String>,
    /// Its processors.
    pub processors: Option<u32>,
    /// Its memory.
    pub memory_total_bytes: Option<u64>,
    /// Its kernel.
    pub kernel: Option<String>,
    /// Demand of tomorrow over that of today.
    pub growth: f64,
    /// Tools and files.
    pub sources: Vec<SourceDocument>,
    /// All volumes together first where there are several, then each.
    pub volumes: Vec<VolumeDocument>,
    /// Credits for bursts, where the provider counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub burst_credits: Vec<CreditsDocument>,
    /// Devices that are not counted, and why.
    pub left_out: Vec<LeftOutDocument>,
    /// What to doubt, the gravest first.
    pub findings: Vec<FindingDocument>,
    /// Lines that were not understood.
    pub damaged_lines: u64,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceDocument {
    /// The tool.
    pub tool: String,
    /// Its files.
    pub files: Vec<String>,
    /// What it was used for.
    pub used_for: Sentence,
}

/// Credits that bursts of a disk or of the machine live on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreditsDocument {
    /// What was read, as the provider calls it: what is used of them.
    pub metric: String,
    /// The disk; null where they are the machine's.
    pub device: Option<String>,
    /// ios or bytes.
    pub unit: String,
    /// Percent of them that were left at the first reading: the level to start a simulation with.
    pub left_at_start_percent: f64,
    /// At the lowest.
    pub left_least_percent: f64,
}

/// A device that is not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOutDocument {
    /// Its name.
    pub device: String,
    /// Why.
    pub why: Sentence,
}

/// A volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeDocument {
    /// Its name.
    pub name: String,
    /// Its devices.
    pub devices: Vec<String>,
    /// Share of the time from first to last reading that is covered, from 0 to 1.
    pub coverage: f64,
    /// The usual interval.
    pub interval_s: f64,
    /// Whole recording first, then the windows.
    pub windows: Vec<WindowDocument>,
    /// Distributions of sizes, latencies, outstanding requests.
    pub distributions: Vec<DistributionDocument>,
    /// What it did over time.
    pub series: SeriesDocument,
}

/// A checklist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindowDocument {
    /// Its window.
    pub window: String,
    /// Recorded time within it.
    pub covered_s: f64,
    /// Its rows.
    pub rows: Vec<RowDocument>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowDocument {
    /// Its name in files.
    pub row: String,
    /// Its number on the published checklist, from 1 to 15; details have none.
    pub number: Option<u8>,
    /// Unit of its figures.
    pub unit: String,
    /// Smallest.
    pub min: Option<f64>,
    /// Mean: over I/Os for latencies, sizes and shares, else over time.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<CellDocument>,
    /// 90th percentile.
    pub p90: Option<CellDocument>,
    /// 99th percentile.
    pub p99: Option<CellDocument>,
    /// Largest.
    pub max: Option<f64>,
    /// Demand grown: the 99th percentile times the growth.
    pub p99_grown: Option<f64>,
    /// Readings.
    pub n: usize,
    /// Length that one of them stands for.
    pub interval_s: f64,
    /// measured, derived, estimated, asked or unknown.
    pub provenance: String,
    /// Who says so.
    pub source: String,
    /// What the figures are.
    pub note: Option<Sentence>,
    /// What would fill an unknown row.
    pub fill: Option<Sentence>,
}

/// A percentile with the interval that holds the true one with 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellDocument {
    /// The figure.
    pub value: f64,
    /// Lower end; null where there are too few readings.
    pub low: Option<f64>,
    /// Upper end; null where there are too few readings.
    pub high: Option<f64>,
    /// measured, derived, estimated, asked or unknown.
    pub provenance: String,
}

/// A distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistributionDocument {
    /// io_size (bytes), latency (seconds) or queue_depth.
    pub what: String,
    /// Of I/Os, or of means of intervals.
    pub of: String,
    /// From, to, share.
    pub buckets: Vec<[f64; 3]>,
}

/// A series, thinned where it is long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesDocument {
    /// Intervals that stand for themselves: 1, or how many each point was chosen of.
    pub every: usize,
    /// End of each interval, in seconds from the first reading's beginning.
    pub end_s: Vec<f64>,
    /// Reads per second.
    pub read_iops: Vec<Option<f64>>,
    /// Writes per second.
    pub write_iops: Vec<Option<f64>>,
    /// Requests per second.
    pub iops: Vec<Option<f64>>,
    /// Bytes read a second.
    pub read_bytes_per_s: Vec<Option<f64>>,
    /// Bytes written a second.
    pub write_bytes_per_s: Vec<Option<f64>>,
    /// Mean latency.
    pub latency_s: Vec<Option<f64>>,
    /// Requests outstanding.
    pub queue_depth: Vec<Option<f64>>,
}

/// A doubt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingDocument {
    /// Its number in the documents.
    pub pitfall: String,
    /// In a few words.
    pub title: Sentence,
    /// critical, warning or note.
    pub severity: String,
    /// What was seen.
    pub what: Sentence,
    /// What it does to a plan.
    pub effect: Sentence,
    /// What to do; null where nothing is.
    pub hint: Option<Sentence>,
    /// How often.
    pub count: u64,
    /// Where first.
    pub evidence: Vec<PlaceDocument>,
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceDocument {
    /// The file.
    pub file: String,
    /// Its line, or record, from 1.
    pub line: u64,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ChecklistDocument).to_value()
}

impl VolumeDocument {
    /// A row of the whole recording.
    pub fn row(&self, name: &str) -> Option<&RowDocument> {
        self.windows.first()?.rows.iter().find(|row| row.row == name)
    }
}

impl ChecklistDocument {
    /// The volumes that were measured, without their sum.
    pub fn each(&self) -> &[VolumeDocument] {
        if self.volumes.len() > 1 { &self.volumes[1..] } else { &self.volumes }
    }
}
