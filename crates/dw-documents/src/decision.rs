//! The answer of a plan as whoever decides needs it: worked out once, by the library; ten lines, the page, the report and a notebook only
//! lay it out, and have no words of their own for it.
//!
//! A surface shows parts in the order of the fields. Sentences begin with a small letter and end without a stop.

use dw_messages::{Figure, Language, Sentence, say};
use dw_units::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verdict::{CheckOf, State};
use crate::{LimitId, LimitOf};

/// What to buy, whether it does what was asked, what it costs, when it breaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// As good as the worst of the checks.
    pub state: State,
    /// What to buy and whether that does all that was asked.
    pub sentence: Sentence,
    /// What it does not meet, or on which conditions it meets the rest, the most important first; empty where everything is met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Sentence>,
    /// What takes how long today and then, where the recording has latencies, the greatest change first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub today: Vec<Sentence>,
    /// The VM; absent, as the next, where nothing meets the demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Disks of each volume.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<VolumeChoice>,
    /// What was asked, what was recorded, what the plan does: a row for each thing that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// What gives out first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaks: Option<BreakPoint>,
    /// How full the limits are over the recorded time; absent where the requirements have no series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadOverTime>,
    /// What could go wrong, beside the conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<Sentence>,
    /// What to doubt of the recording, each with its effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Sentence>,
    /// What stands in the way, where nothing meets the demand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_the_way: Vec<Sentence>,
    /// The plan that comes nearest then, and what it misses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Sentence>,
    /// What to do now, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
    /// What would be cheaper, the largest saving first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheaper: Vec<CheaperIf>,
}

/// The VM to buy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub size: String,
    /// Equal ones that are bought.
    pub nodes: u32,
    /// Region, with the zone where one is asked for.
    pub place: String,
    pub vcpu: u32,
    pub memory_mib: Option<u64>,
    /// Size, place, processors, memory and operating system in a line.
    pub says: Sentence,
}

/// The disks of a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeChoice {
    pub volume: String,
    pub role: String,
    /// `5 x P15`; absent on the local disk.
    pub disks: Option<String>,
    /// How many that are.
    pub count: u32,
    /// The host-cache setting; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_cache: Option<String>,
    /// A month of them.
    pub monthly: f64,
    /// What they cost all nodes, where they are bought once for several: `monthly` is then the part of one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<f64>,
}

impl VolumeChoice {
    /// Volume, disks, host cache and price in a line, with the volume called so.
    pub fn says(&self, volume: &str) -> Sentence {
        let monthly = || money(self.once.unwrap_or(self.monthly));
        match (&self.disks, &self.host_cache) {
            (None, _) => say!(SummaryVolumeLocal { volume }),
            (Some(disks), None) => say!(SummaryVolume { volume, disks, monthly: monthly() }),
            (Some(disks), Some(cache)) => say!(SummaryVolumeWith { volume, disks, cache, monthly: monthly() }),
        }
    }
}

/// A thing that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRow {
    /// The check of the verdict that it belongs to.
    pub of: CheckOf,
    /// The volume, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// `read`, `write` or `sync`, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// Met, met if, not met.
    pub state: State,
    /// What is checked: `data: mean read latency`.
    pub what: Sentence,
    /// At most, at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Sentence>,
    /// The same in the recording, today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Sentence>,
    /// The same of the plan, in its busiest interval and last year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Sentence>,
    /// How that is known.
    pub evidence: Evidence,
    /// The same in words.
    pub shown_by: Sentence,
    /// What is not met, or on which condition it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<Sentence>,
}

/// How a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The plan was simulated.
    Simulation,
    /// Every limit was compared with the demand.
    Limits,
    /// Latencies were estimated from published ones.
    Estimate,
    /// What the catalogue says of the offer.
    Catalogue,
    /// The recording was audited.
    Recording,
    /// Nobody looked.
    Nothing,
}

/// What a month costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub currency: String,
    /// All machines.
    pub monthly: f64,
    /// Twelve months of it.
    pub yearly: f64,
    /// What one machine is made of: VM, disks of each volume, licences. They add up to a month of it.
    pub parts: Vec<PricePart>,
    /// What is billed beside it: with a price where it was asked for and is known, without one where it is not in this price.
    pub beside: Vec<PricePart>,
    /// The month with its parts, in a line.
    pub says: Sentence,
    /// How it is bought, and what is not in it.
    pub terms: Vec<Sentence>,
}

/// A part of a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PricePart {
    pub of: PartOf,
    /// The VM size, the volume, the licence, what is billed beside.
    pub name: String,
    /// A month of it; absent = not in this price.
    pub monthly: Option<f64>,
}

/// What a part of a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartOf {
    Machine,
    Volume,
    Licence,
    /// OS disk, snapshots, backup, traffic and the like.
    Beside,
}

/// When the plan breaks, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BreakPoint {
    /// The limit of which least is left.
    #[serde(flatten)]
    pub of: LimitOf,
    /// The largest load of it that is planned for.
    pub load: f64,
    pub capacity: f64,
    /// Percent that is left of it.
    pub left_percent: f64,
    /// At so many times today's load a limit throttles: the load of the recording, before it grows. From a simulation; absent where nobody
    /// ran one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// The limit that throttles first then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<LimitId>,
    /// The first year in which the plan is too small, within ten years of the growth that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u32>,
    /// The limit with its load, and when something throttles.
    pub says: Vec<Sentence>,
}

/// How full limits are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadOverTime {
    /// Seconds from one point to the next.
    pub step_s: f64,
    /// Recorded intervals that a point is the fullest of.
    pub every: usize,
    /// The load is what was recorded, grown for so many years.
    pub years: u32,
    /// The fullest first.
    pub limits: Vec<LimitOverTime>,
}

/// How full a limit is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitOverTime {
    #[serde(flatten)]
    pub of: LimitOf,
    pub capacity: f64,
    /// Percent of what it gives for good that is asked, point by point.
    pub percent: Vec<f64>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// By which a surface chooses a button.
    pub to: Action,
    pub says: Sentence,
    /// What to type for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Record a day.
    Record,
    /// Say what processors and memory the VM needs.
    Size,
    /// Give up some of what was asked.
    Relax,
    /// Write the scripts that build it.
    Build,
    /// Measure it.
    Verify,
}

/// What would be cheaper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheaperIf {
    /// What is given up, or how else it is bought.
    pub condition: Sentence,
    /// So much less a month.
    pub saves: f64,
    /// VM and disks then; absent where they stay the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

impl Decision {
    /// The whole as paragraphs in a language: what a terminal or a notebook shows of it.
    pub fn paragraphs(&self, language: &Language) -> Vec<String> {
        let said = |line: &Sentence| line.in_language(language);
        let first = std::iter::once(&self.sentence).chain(&self.conditions).chain(&self.today);
        let price = self.price.iter().flat_map(|price| std::iter::once(&price.says).chain(&price.terms));
        let breaks = self.breaks.iter().flat_map(|breaks| &breaks.says);
        let next = self.next.iter().map(|step| &step.says);
        let all = first.chain(price).chain(breaks).chain(&self.risks).chain(&self.in_the_way).chain(&self.nearest);
        all.chain(next).map(said).collect()
    }
}

pub(crate) fn money(amount: f64) -> Figure {
    Figure::new(amount, "", Money::of_amount(amount).to_string())
}
