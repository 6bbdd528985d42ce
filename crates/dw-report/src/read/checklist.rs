//! A checklist, as `observe --format json` prints it. Figures are in base units: bytes, seconds, bytes per second.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Checklist {
    pub(crate) machine: Option<String>,
    #[serde(default)]
    pub(crate) growth: f64,
    pub(crate) sources: Vec<Source>,
    pub(crate) volumes: Vec<Volume>,
    #[serde(default)]
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) findings: Vec<Finding>,
    #[serde(default)]
    pub(crate) damaged_lines: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    pub(crate) tool: String,
    pub(crate) files: Vec<String>,
    pub(crate) used_for: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LeftOut {
    pub(crate) device: String,
    pub(crate) why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Volume {
    pub(crate) name: String,
    pub(crate) devices: Vec<String>,
    pub(crate) coverage: f64,
    pub(crate) interval_s: f64,
    pub(crate) windows: Vec<Window>,
    #[serde(default)]
    pub(crate) distributions: Vec<Distribution>,
    #[serde(default)]
    pub(crate) series: Series,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Window {
    pub(crate) window: String,
    pub(crate) covered_s: f64,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) row: String,
    pub(crate) number: Option<u8>,
    pub(crate) unit: String,
    pub(crate) mean: Option<f64>,
    pub(crate) p50: Option<Cell>,
    pub(crate) p90: Option<Cell>,
    pub(crate) p99: Option<Cell>,
    pub(crate) max: Option<f64>,
    pub(crate) n: usize,
    pub(crate) provenance: String,
    pub(crate) note: Option<String>,
    pub(crate) fill: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Cell {
    pub(crate) value: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Distribution {
    pub(crate) what: String,
    pub(crate) of: String,
    pub(crate) buckets: Vec<[f64; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Series {
    pub(crate) every: usize,
    pub(crate) end_s: Vec<f64>,
    pub(crate) read_iops: Vec<Option<f64>>,
    pub(crate) write_iops: Vec<Option<f64>>,
    pub(crate) iops: Vec<Option<f64>>,
    pub(crate) read_bytes_per_s: Vec<Option<f64>>,
    pub(crate) write_bytes_per_s: Vec<Option<f64>>,
    pub(crate) latency_s: Vec<Option<f64>>,
    pub(crate) queue_depth: Vec<Option<f64>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Finding {
    pub(crate) pitfall: String,
    pub(crate) title: String,
    pub(crate) severity: String,
    pub(crate) what: String,
    pub(crate) effect: String,
    #[serde(default)]
    pub(crate) hint: String,
    #[serde(default)]
    pub(crate) count: u64,
    #[serde(default)]
    pub(crate) evidence: Vec<Place>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u64,
}

impl Volume {
    /// A row of the whole recording.
    pub(crate) fn row(&self, name: &str) -> Option<&Row> {
        self.windows.first()?.rows.iter().find(|row| row.row == name)
    }
}

impl Checklist {
    /// The volumes that were measured, without their sum.
    pub(crate) fn each(&self) -> &[Volume] {
        if self.volumes.len() > 1 { &self.volumes[1..] } else { &self.volumes }
    }
}
