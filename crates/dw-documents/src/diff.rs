//! The difference of two plans, as `plan diff` prints it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::tag::OfPlanDiff;

/// What `plan diff --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfPlanDiff,
    /// The first file.
    pub a: String,
    /// The second file.
    pub b: String,
    /// The difference in one line.
    pub summary: Sentence,
    /// So much more a month in B, each side with all of its nodes; absent where the price of either is not known, or they are of two regions or currencies.
    pub monthly_change: Option<f64>,
    /// Everything that was compared.
    pub rows: Vec<DiffRow>,
    /// What could not be compared, and why.
    pub notes: Vec<Sentence>,
}

/// One thing that was compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffRow {
    /// What: `VM size`, `data disks`, `monthly cost`, `headroom of vm uncached IOPS`; `nodes`, `operating system`, `hours a month`,
    /// `commitment` where they differ.
    pub what: String,
    /// In A; absent where it has none.
    pub a: Option<String>,
    /// In B.
    pub b: Option<String>,
    /// The difference, where it is a figure and the two can be compared.
    pub change: Option<f64>,
    /// Whether they differ.
    pub differs: bool,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(DiffDocument).to_value()
}
