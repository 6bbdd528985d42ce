//! A calibration, as `calibrate` prints it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::bench::Metric;
use crate::tag::OfCalibration;

/// What `calibrate --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright calibration")]
#[serde(deny_unknown_fields)]
pub struct CalibrateDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfCalibration,
    /// The model's name.
    pub name: String,
    /// The volume that was measured.
    pub volume: String,
    /// The model file.
    pub model: String,
    /// How well it is known, by its error on data held back: A to 10 %, B to 25 %, C to 50 %, D beyond.
    #[serde(default)]
    pub grade: String,
    /// Microseconds of reads at the median; absent when reads were not measured.
    pub read_p50_us: Option<u64>,
    /// Of writes.
    pub write_p50_us: Option<u64>,
    /// MB/s that a request's size costs; absent when size does not matter.
    pub bandwidth_mb_per_s: Option<u64>,
    /// Scenarios that it was fitted to.
    pub fitted_to: Vec<String>,
    /// Scenarios that say nothing of the medium, and why.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// Scenarios that were held back, figure by figure.
    pub held_back: Vec<ErrorRow>,
    /// How many they are: what the grade rests on.
    #[serde(default)]
    pub held_back_scenarios: usize,
    /// Mean error of latency there with the model of before, in percent.
    pub error_before_percent: f64,
    /// With the fitted one.
    pub error_after_percent: f64,
    /// Share of the error that went away, in percent; negative when it grew.
    pub went_away_percent: f64,
}

/// A scenario that says nothing of the medium.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The scenario.
    pub scenario: String,
    /// Why.
    pub why: Sentence,
}

/// A figure of a scenario that was held back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorRow {
    /// The scenario.
    pub scenario: String,
    /// `read` or `write`.
    pub direction: String,
    /// Of what.
    pub metric: Metric,
    /// What fio measured.
    pub measured: f64,
    /// What was predicted before.
    pub before: f64,
    /// What is predicted with the fitted model.
    pub after: f64,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(CalibrateDocument).to_value()
}

impl CalibrateDocument {
    /// What the grade rests on.
    pub fn rests_on(&self) -> String {
        let held_back = self.held_back_scenarios;
        let all = self.fitted_to.len() + held_back;
        format!("data held back ({held_back} of the {all} scenarios that show the medium)")
    }

    /// Whether the fitted model is less accurate than the one of before; one of which nothing is known is not better.
    pub fn is_worse(&self) -> bool {
        !self.error_after_percent.le(&self.error_before_percent)
    }
}
