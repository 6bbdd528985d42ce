//! What the recordings of an estate come to: for each machine what it costs today and as it is planned, and what the move takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a move needs, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Wave {
    /// The plan is what is there.
    Nothing,
    /// Nothing stops, or a disk is detached and attached again.
    InPlace,
    /// The VM is stopped and started.
    Restart,
    /// A new VM, or data that are copied.
    Migrate,
}

impl Wave {
    pub const ALL: [Wave; 4] = [Wave::Nothing, Wave::InPlace, Wave::Restart, Wave::Migrate];
}

/// A machine with a recording.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedMachine {
    pub machine: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine_id: String,
    /// Its recordings, by name.
    pub recordings: Vec<String>,
    /// Minutes that they cover.
    pub minutes: u64,
    /// The size that it has.
    pub size: String,
    /// What it costs a month today, with all its disks, at list prices, pay as you go; absent where a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
    /// The size that is planned; absent where there is no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_size: Option<String>,
    /// What it costs then, with the disks that are not planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_monthly: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<Wave>,
    /// What changes: each thing, what it is and what it becomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What the move takes, in the words of the vendor's pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// Disks that the recordings do not tell of: they stay as they are, and their requests are in no plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrecorded: Vec<String>,
    /// Why there is no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// A recording, or what it has of one machine, that is planned for nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnmatchedRecording {
    pub recording: String,
    pub why: String,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedEstate {
    pub machines: Vec<PlannedMachine>,
    pub unmatched: Vec<UnmatchedRecording>,
    /// Machines of the inventory without a recording.
    pub unrecorded: Vec<String>,
}

impl PlannedEstate {
    /// What the machines cost a month today and as they are planned, of those of which both are known, and how many these are.
    pub fn monthly(&self) -> (f64, f64, usize) {
        let both = self.machines.iter().filter_map(|one| one.monthly.zip(one.planned_monthly));
        both.fold((0.0, 0.0, 0), |(today, planned, count), (a, b)| (today + a, planned + b, count + 1))
    }
}
