//! A verification, as `verify --format json` prints it.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Verify {
    pub(crate) requirements: String,
    #[serde(default)]
    pub(crate) results: Vec<String>,
    pub(crate) tolerance_percent: f64,
    /// met, not_met or not_proven.
    pub(crate) verdict: String,
    pub(crate) answer: String,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) volume: String,
    pub(crate) direction: String,
    pub(crate) metric: String,
    pub(crate) unit: String,
    pub(crate) level: String,
    pub(crate) required: f64,
    pub(crate) predicted: Option<f64>,
    pub(crate) measured: Option<f64>,
    pub(crate) difference_percent: Option<f64>,
    pub(crate) verdict: String,
    pub(crate) scenario: Option<String>,
    pub(crate) cause: Option<Cause>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Cause {
    pub(crate) kind: String,
    pub(crate) text: String,
}
