//! Several simulated runs side by side, as `simulate --sweep` and `--seeds` print them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::run::Summary;
use crate::tag::OfSweep;

/// What `simulate --sweep ... --output-format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright sweep")]
#[serde(deny_unknown_fields)]
pub struct SweepDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfSweep,
    /// It was stopped before all runs were finished.
    pub partial: bool,
    /// How many runs there were to be.
    pub runs_asked: usize,
    /// How many were finished.
    pub runs_finished: usize,
    /// Those that were begun, in their order.
    pub runs: Vec<SweepRun>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepRun {
    /// What is set in it: texts by option, in the order of the command line; the seed last.
    pub set: Map<String, Value>,
    /// What came of it.
    pub diskwright: Summary,
}

/// The schema.
pub fn schema() -> Value {
    schemars::schema_for!(SweepDocument).to_value()
}
