//! An explanation, as `explain --format json` prints it.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Explain {
    pub(crate) rig: String,
    pub(crate) finding: String,
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) of_demand: bool,
    pub(crate) limits: Vec<Limit>,
    #[serde(default)]
    pub(crate) volumes: Vec<Volume>,
    #[serde(default)]
    pub(crate) measured: Vec<Measured>,
    pub(crate) changes: Vec<Change>,
    #[serde(default)]
    pub(crate) throttled_sources: Vec<String>,
    #[serde(default)]
    pub(crate) missing: Vec<String>,
    #[serde(default)]
    pub(crate) assumptions: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Limit {
    pub(crate) limit: String,
    pub(crate) volume: Option<String>,
    pub(crate) unit: String,
    pub(crate) gives: f64,
    pub(crate) burst: Option<f64>,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    pub(crate) used_percent: f64,
    #[serde(default)]
    pub(crate) exceeded: u64,
    #[serde(default)]
    pub(crate) binding: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Volume {
    pub(crate) name: String,
    pub(crate) asked_iops: f64,
    pub(crate) gets_iops: f64,
    pub(crate) gets_percent: f64,
    pub(crate) limited_by: Option<String>,
    pub(crate) queue_depth_needed: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Measured {
    pub(crate) volume: String,
    pub(crate) sentence: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) change: String,
    pub(crate) enough: bool,
    pub(crate) carried_percent: f64,
    pub(crate) monthly: Option<f64>,
}
