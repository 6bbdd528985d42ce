//! Whether a design does all that was asked of it: worked out once, by the library, and shown by every table and page.
//!
//! A verdict is as good as the worst of its checks. Between met and not met there is a third state: met as long as something holds that the
//! requirements do not say, such as credits that last, a warm cache, a tail that nobody measured. That is always said with it.

use dw_messages::Sentence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far something is met; a later one is worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// All of it.
    #[default]
    Met,
    /// As long as the conditions hold that are named.
    MetWithCondition,
    /// Some of it is not.
    NotMet,
}

impl State {
    /// `met`, `met with a condition`, `NOT MET`.
    pub const fn word(self) -> &'static str {
        match self {
            State::Met => "met",
            State::MetWithCondition => "met with a condition",
            State::NotMet => "NOT MET",
        }
    }
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckOf {
    /// Requests and bytes per second, at the percentile that was asked for.
    Rates,
    /// Latencies that were asked for, mean and percentiles.
    Latencies,
    /// What is left of every rate at that load.
    Headroom,
    /// Capacity, memory, processors, data disks.
    Size,
    /// How long it lasts.
    Years,
    /// What reads get after a reboot, while the host cache fills.
    Reboot,
    /// Whether what it is bought under can be had, for as long as it is bought for.
    Purchase,
    /// What the requirements rest on.
    Recording,
}

impl CheckOf {
    /// `rates`, `after a reboot`.
    pub const fn word(self) -> &'static str {
        match self {
            CheckOf::Rates => "rates",
            CheckOf::Latencies => "latencies",
            CheckOf::Headroom => "headroom",
            CheckOf::Size => "size",
            CheckOf::Years => "years",
            CheckOf::Reboot => "after a reboot",
            CheckOf::Purchase => "purchase",
            CheckOf::Recording => "recording",
        }
    }
}

/// A check, with the figure that decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What is checked.
    pub of: CheckOf,
    /// How far it is met.
    pub state: State,
    /// What was found: percent that is left, percent of the time in which every limit is kept, years.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<f64>,
    /// What was asked for, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<f64>,
    /// What is not met, or on which condition it is; empty where it is met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<Sentence>,
}

/// Whether a design does all that was asked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The worst state of its checks.
    pub state: State,
    /// In one line, with every condition or everything that is not met.
    pub answer: Sentence,
    /// What was checked; what nobody asked for is left out.
    pub checks: Vec<Check>,
}

impl Verdict {
    /// The check of this.
    pub fn check(&self, of: CheckOf) -> Option<&Check> {
        self.checks.iter().find(|check| check.of == of)
    }
}
