//! A verification, as `verify` prints it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::bench::Metric;
use crate::tag::OfVerify;

/// What `verify` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright verification")]
#[serde(deny_unknown_fields)]
pub struct VerifyDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfVerify,
    /// The requirements' file.
    pub requirements: String,
    /// The results, by suite and rig.
    pub results: Vec<String>,
    /// How far a figure may be off.
    pub tolerance_percent: f64,
    /// Of all rows together: the worst.
    pub verdict: Verdict,
    /// In one line.
    pub answer: Sentence,
    /// One a requirement and percentile.
    pub rows: Vec<VerifyRow>,
}

/// Whether what is required is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Measured, and within the tolerance.
    Met,
    /// Measured, and not.
    NotMet,
    /// No scenario shows it.
    NotProven,
}

/// A requirement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRow {
    /// The volume.
    pub volume: String,
    /// `read`, `write` or `sync`.
    pub direction: String,
    /// What is required.
    pub metric: Metric,
    /// `IOPS`, `B/s` or `ns`.
    pub unit: String,
    /// The percentile of the demand: `p50`, `p90`, `p99`, `max`.
    pub level: String,
    /// How much.
    pub required: f64,
    /// What the simulator says of the scenario.
    pub predicted: Option<f64>,
    /// What fio measured.
    pub measured: Option<f64>,
    /// Measured over predicted, less 100 %.
    pub difference_percent: Option<f64>,
    /// Whether it is met.
    pub verdict: Verdict,
    /// The scenario that shows it.
    pub scenario: Option<String>,
    /// Why prediction and measurement differ, or that they do not.
    pub cause: Option<Cause>,
}

/// Why a measurement is not what was predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// Which.
    pub kind: CauseKind,
    /// In a sentence, with the figures that it rests on.
    pub text: Sentence,
}

/// The causes, in the order in which they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Nothing was measured: what the tool says of it.
    Failed,
    /// They do not differ by more than the tolerance.
    Agrees,
    /// The client had no processor time left.
    ClientCeiling,
    /// The difference is within what the rate varied.
    Noise,
    /// A limit is higher or lower than the model has it.
    Limit,
    /// The medium is faster or slower than its latency model.
    LatencyModel,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(VerifyDocument).to_value()
}

impl Verdict {
    /// For people.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::NotMet => "not met",
            Verdict::NotProven => "not proven",
        }
    }
}

impl CauseKind {
    /// For people.
    pub const fn words(self) -> &'static str {
        match self {
            CauseKind::Failed => "failed",
            CauseKind::Agrees => "agrees",
            CauseKind::ClientCeiling => "client ceiling",
            CauseKind::Noise => "noise",
            CauseKind::Limit => "limit",
            CauseKind::LatencyModel => "latency model",
        }
    }
}
