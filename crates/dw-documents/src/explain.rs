//! An explanation, as `explain` prints it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tag::OfExplain;
use crate::{LimitOf, Percentiles, Sentence};

/// What `explain --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfExplain,
    /// The configuration in one line.
    pub rig: String,
    /// The finding in one line.
    pub finding: Sentence,
    /// What it comes to.
    pub verdict: Verdict,
    /// Limits that bind, the one that binds most often first.
    pub binding: Vec<String>,
    /// Whether the limits are of a demand; else of what was measured.
    pub of_demand: bool,
    /// Every limit in order of a request's path.
    pub limits: Vec<LimitRow>,
    /// Each volume in the worst interval.
    pub volumes: Vec<VolumeRow>,
    /// What each measurement shows.
    pub measured: Vec<MeasuredRow>,
    /// Changes of one part that help, the cheapest that is enough first.
    pub changes: Vec<ChangeRow>,
    /// A new plan for the same demand, where it costs less than the cheapest change that is enough, or no change is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_plan: Option<Sentence>,
    /// Recordings whose source was throttled: their true demand is higher.
    pub throttled_sources: Vec<Sentence>,
    /// Evidence that would say more.
    pub missing: Vec<Sentence>,
    /// Settings that are wrong whatever the load.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anti_patterns: Vec<Sentence>,
    /// What the answer rests on.
    pub assumptions: Vec<Sentence>,
}

/// What an explanation comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The demand is met.
    Met,
    /// What was recorded is carried, and the recording was cut off: the demand is higher.
    CutOff,
    /// A limit binds.
    Limit,
    /// Too few requests are in flight.
    QueueDepth,
    /// Each worker waits for a sync after its write.
    Sync,
    /// The host cache serves few reads.
    Cache,
    /// It lives on burst credits.
    Credits,
    /// Requests take longer than the model says, and no limit is reached.
    Slow,
    /// No limit is reached, and more was not asked.
    NotAsked,
    /// The evidence does not say.
    Unknown,
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRow {
    /// Which limit.
    #[serde(flatten)]
    pub of: LimitOf,
    /// What it gives, sustained.
    pub gives: f64,
    /// What it gives while burst credits last.
    pub burst: Option<f64>,
    /// Its load: over time, or at the percentiles of the requirements where they have no series.
    #[serde(flatten)]
    pub asked: Percentiles,
    /// The largest load over time, or the one figure that counts without a series, as a share of what it gives, in percent.
    pub used_percent: f64,
    /// Intervals in which more is asked than it gives, credits counted.
    pub exceeded: usize,
    /// Intervals in which it is the narrowest of all.
    pub narrowest: usize,
    /// It binds.
    pub binding: bool,
    /// What it would have to give.
    pub needed: f64,
    /// The longest that requests wait for what piled up before it, in seconds.
    pub backlog_s: Option<f64>,
    /// Its burst credits.
    pub credits: Option<CreditsRow>,
}

/// Burst credits, full at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreditsRow {
    /// When they are used up first, in seconds from the start.
    pub empty_at_s: Option<f64>,
    /// What is left at the end, in percent.
    pub left_percent: f64,
    /// For how long they last from the end on, if its load goes on, in seconds.
    pub last_s: Option<f64>,
    /// For how long full ones last at the largest load, in seconds.
    pub full_last_s: Option<f64>,
}

/// A volume in the worst interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeRow {
    /// Its name.
    pub name: String,
    /// Requests per second that are asked for.
    pub asked_iops: u64,
    /// Bytes per second that are asked for.
    pub asked_bytes_per_s: u64,
    /// Requests per second that it gets.
    pub gets_iops: u64,
    /// Bytes per second that it gets.
    pub gets_bytes_per_s: u64,
    /// The share that it gets, in percent.
    pub gets_percent: f64,
    /// What stops it.
    pub limited_by: Option<String>,
    /// Requests in flight that its whole demand needs.
    pub queue_depth_needed: u64,
    /// Modelled mean latency of reads below every limit, in microseconds.
    pub read_latency_us: u64,
    /// The same of writes.
    pub write_latency_us: u64,
}

/// A measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredRow {
    /// The volume.
    pub volume: String,
    /// What was measured there, in the result's own words.
    pub entries: Vec<String>,
    /// Reads per second.
    pub read_iops: u64,
    /// Writes per second.
    pub write_iops: u64,
    /// Bytes read a second.
    pub read_bytes_per_s: u64,
    /// Bytes written a second.
    pub write_bytes_per_s: u64,
    /// Requests that the load keeps outstanding.
    pub queue_depth: Option<u64>,
    /// What it shows.
    pub verdict: Verdict,
    /// The limit that is reached or would be next.
    pub limit: Option<String>,
    /// Requests in flight that would reach the next limit.
    pub queue_depth_needed: Option<u64>,
    /// In one sentence.
    pub sentence: Sentence,
}

/// A change of one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRow {
    /// What to change.
    pub change: Sentence,
    /// Whether it is enough.
    pub enough: bool,
    /// Share of what is asked that is then carried, in percent.
    pub carried_percent: f64,
    /// So much more a month; absent where a price is not known.
    pub monthly: Option<f64>,
    /// Whose price is not known.
    pub unpriced: Vec<String>,
    /// What it takes to make it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// What it gives up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gives_up: Option<Loss>,
    /// What its simulation shows; absent where it does not keep every limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Proof>,
}

/// What the simulation of a change shows that keeps every limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// All that is asked is served.
    Served,
    /// Less is served than is asked, or not as fast.
    FallsShort,
    /// It was not simulated.
    NotSimulated,
}

/// What it takes to make a change.
// The least first: changes of equal cost are ranked by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    /// Nothing stops.
    Nothing,
    /// A disk is detached and attached again.
    Detach,
    /// The VM is stopped and started.
    Restart,
    /// Data are copied to other disks, or the VM is built anew.
    Migration,
    /// No page that was read says what it takes.
    Unknown,
}

/// What a change gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// What the volume holds, when the VM is deallocated or moved.
    Durability,
    /// The host cache.
    HostCache,
    /// The way back: a disk cannot be made smaller.
    Smaller,
    /// Bandwidth of the VM's network, which its disks get.
    Network,
}

impl ExplainDocument {
    /// Whether its limits carry loads over time; else each has one figure.
    pub fn is_over_time(&self) -> bool {
        let differ = |row: &LimitRow| row.asked.p50 != row.asked.max || row.asked.p99 != row.asked.max;
        self.limits.iter().any(differ)
    }
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ExplainDocument).to_value()
}
