//! A simulated run: the `diskwright` object of its JSON, and what the table is made of.
//!
//! The doc comments here are the descriptions of `schemas/result.schema.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tag::OfRun;
use crate::{LimitId, Sentence};

/// The result of one simulated run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright result")]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Version of this object's shape.
    pub schema_version: u32,
    /// What it is.
    pub document: OfRun,
    /// Version of the program.
    pub diskwright_version: String,
    /// Always true: nothing here was measured on a device.
    pub simulated: bool,
    /// The run was stopped before its jobs had ended: figures are those up to then.
    pub partial: bool,
    /// Seed of every random draw.
    pub seed: u64,
    /// I/Os simulated, ramps included.
    pub simulated_ios: u64,
    /// Steady state that was leapt over, and how well the figures are known for that, or why none was; absent where the run is short or
    /// was to be exact: then every I/O was simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaps: Option<Leaps>,
    /// Real seconds that the simulation took (a timing field: it differs from run to run, and a report leaves it out).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// Simulated seconds from start to end.
    pub virtual_s: f64,
    /// Simulated seconds that the rates refer to.
    pub counted_s: f64,
    /// The VM.
    pub vm: Vm,
    /// How the run began.
    pub start: Start,
    /// What holds each volume, in their order.
    pub binding_limits: Vec<Binding>,
    /// Every limit on the way, with what was used of it and what was left.
    pub limits: Vec<LimitLine>,
    /// One entry per volume.
    pub volumes: Vec<VolumeLine>,
    /// All volumes together.
    pub total: Load,
    /// The fsyncs of jobs that ask for any, a line per section of the job file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub syncs: Vec<Sync>,
    /// Reasons to doubt the figures, each with its next step.
    pub doubts: Vec<Doubt>,
    /// What the reader of the job files warns of.
    pub warnings: Vec<Sentence>,
    /// Options of the job files that change nothing here.
    pub ignored_options: Vec<String>,
    /// What the reader of the scenario wants known.
    pub notes: Vec<Sentence>,
    /// Service-time models in use, with how well each is known.
    pub latency_models: Vec<LatencyModel>,
    /// The same in sentences.
    pub latency: Vec<Sentence>,
    /// A line per job, where they do not all run at the same time or ask for a rate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobLine>,
    /// What happened over time, with `--series`: one track per volume and direction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Track>,
}

/// Steady state that was leapt over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leaps {
    /// Share of the simulated time that was leapt over, in percent; 0 where nothing was.
    pub share_percent: f64,
    /// The same in seconds.
    pub leapt_s: f64,
    /// I/Os that stand for it, next to `simulated_ios`.
    pub leapt_ios: u64,
    /// How often.
    pub leaps: u64,
    /// How well each figure is known, by volume and direction.
    pub errors: Vec<LeapError>,
    /// What was leapt over, or why nothing was, in a sentence.
    pub sentence: Sentence,
}

/// Half-widths of the 99 % intervals of what is printed of a volume in one direction, in percent of each figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeapError {
    /// The volume.
    pub volume: String,
    /// read, write or trim.
    pub direction: String,
    /// Of I/Os and bytes per second.
    pub iops_percent: f64,
    /// Of the mean latency.
    pub mean_percent: f64,
    /// Of the median.
    pub p50_percent: f64,
    /// Of the 99th percentile.
    pub p99_percent: f64,
    /// Of the 99.9th percentile.
    pub p99_9_percent: f64,
    /// Of the shares of reads from RAM, SSD and disk, in percentage points; absent without a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits_points: Option<f64>,
}

/// One job, or a group that reports together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobLine {
    /// Its name.
    pub name: String,
    /// Jobs of one phase run at the same time, after those of the phases before.
    pub phase: u32,
    /// I/Os per second while it ran.
    pub iops: f64,
    /// Bytes per second while it ran.
    pub bytes_per_s: f64,
    /// Latency; absent when it was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ns: Option<Latency>,
    /// I/Os per second that it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_iops: Option<f64>,
    /// Bytes per second that it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_bytes_per_s: Option<f64>,
    /// Whether it came to what it asks for; absent where it asks for no rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<bool>,
}

/// One volume and direction over time; lists are equally long, an interval without I/Os is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// The volume.
    pub volume: String,
    /// read, write or trim.
    pub direction: String,
    /// End of each interval, in seconds from the start of the run.
    pub end_s: Vec<f64>,
    /// I/Os per second.
    pub iops: Vec<f64>,
    /// Bytes per second.
    pub bytes_per_s: Vec<f64>,
    /// Mean latency in nanoseconds.
    pub latency_mean_ns: Vec<f64>,
    /// Largest latency in nanoseconds.
    pub latency_max_ns: Vec<u64>,
    /// 99th percentile of latencies in nanoseconds, within 1.6 % of it; null where too few of an interval were simulated; absent in documents of version
    /// 0.2.0 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_ns: Option<Vec<Option<u64>>>,
    /// Share of reads that the host cache served, in percent; absent without a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_percent: Option<Vec<f64>>,
    /// Share of I/Os that waited for data which had to be fetched first, in percent; absent on a volume that is not from a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_touch_percent: Option<Vec<f64>>,
    /// The limit at which these I/Os waited longest, null where they did not wait.
    pub waits_at: Vec<Option<String>>,
    /// Share of their latency that was spent waiting there, in percent.
    pub waited_percent: Vec<f64>,
}

/// The VM of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vm {
    /// Size, absent when the scenario describes a VM of its own.
    pub size: Option<String>,
    /// Edition of the catalogue.
    pub edition: Option<String>,
    /// Ids of the catalogue's sources.
    pub sources: Vec<String>,
}

/// How a run began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// `cold` or `warm`.
    pub cache: String,
    /// `full` or `empty`.
    pub credits: String,
}

/// What holds a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The volume.
    pub volume: String,
    /// The limit's name, absent when none holds it.
    pub limit: Option<String>,
    /// Which of `limits` it is, or the write-back of the volume.
    pub id: Option<LimitId>,
    /// Whose limit: the VM, or the volume's disks.
    pub place: Option<String>,
    /// Share of its requests' time spent waiting there, in percent.
    pub waited_percent: f64,
    /// The same in a sentence, with what to look at.
    pub sentence: Sentence,
}

/// One limit; [`crate::LimitOf`] says why plans have another line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitLine {
    /// Which: no two lines have the same.
    pub id: LimitId,
    /// Its name.
    pub limit: String,
    /// Whose: `vm`, or a volume's name. A volume may be called `vm`, too: `id` tells them apart.
    pub place: String,
    /// The disks behind it, such as `10 x P30`.
    pub disks: Option<String>,
    /// `IOPS` or `B/s`.
    pub unit: String,
    /// What is sustained, a second.
    pub sustained: u64,
    /// What bursts, a second.
    pub burst: Option<u64>,
    /// What was available over this run, burst credits included, a second on average.
    pub available: f64,
    /// What was used, a second on average.
    pub used: f64,
    /// What was left, in percent of what was available; of the busiest disk when there are several.
    pub headroom_percent: f64,
    /// Where jobs ran one after the other, those of the phase that left least of it: `used`, `available`, `headroom_percent` and
    /// `waiting_percent` are of that phase. Absent where all ran at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub while_ran: Option<String>,
    /// Share of the time during which something waited here, in percent; of the busiest disk.
    pub waiting_percent: f64,
    /// Burst credits left at the end, in I/Os or bytes.
    pub credits_left: Option<u64>,
    /// Burst credits when full.
    pub credits_max: Option<u64>,
    /// Seconds from the start of the count until the credits ran out, or run out if the demand of this run goes on; absent when
    /// they never do, or there were none.
    pub credits_out_s: Option<f64>,
    /// Whether they ran out during the run; false = `credits_out_s` is what the run leads to.
    pub credits_out_seen: Option<bool>,
    /// The volumes that this limit holds.
    pub holds: Vec<String>,
}

/// One volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeLine {
    /// Its name.
    pub name: String,
    /// Its disks, such as `10 x P30`.
    pub disks: String,
    /// `None`, `ReadOnly` or `ReadWrite`.
    pub host_cache: String,
    /// The VM's gates that its requests pass, in order; what the host cache serves passes the first of two alone.
    pub gates: Vec<String>,
    /// The load on it.
    #[serde(flatten)]
    pub load: Load,
    /// Host cache; absent on a volume without.
    pub cache: Option<Cache>,
    /// First touches of a volume from a snapshot; absent on others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_touch: Option<FirstTouch>,
    /// Transactions beyond the target of disks with on-demand bursting, which are billed, from the start of the run; absent
    /// where none of its disks has it.
    #[serde(rename = "on_demand_transactions")]
    pub billed_transactions: Option<u64>,
}

/// A load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Reads, when there were any.
    pub read: Option<Direction>,
    /// Writes, when there were any.
    pub write: Option<Direction>,
    /// Trims, when there were any.
    pub trim: Option<Direction>,
    /// All directions together.
    pub all: Direction,
    /// Requests outstanding on average.
    pub queue_depth: f64,
    /// Half the width of the 99 % confidence interval of the I/Os per second, in percent; absent when the run was too short.
    pub iops_half_width_percent: Option<f64>,
}

/// One direction of a load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Direction {
    /// I/Os.
    pub ios: u64,
    /// Bytes.
    pub bytes: u64,
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_s: f64,
    /// Latency; absent when it was not recorded.
    pub latency_ns: Option<Latency>,
}

/// A latency in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// Exact mean.
    pub mean: f64,
    /// Smallest, exact.
    pub min: u64,
    /// Median, to three digits.
    pub p50: u64,
    /// To three digits.
    pub p99: u64,
    /// To three digits.
    pub p99_9: u64,
    /// Largest, exact.
    pub max: u64,
}

/// What the host cache did for a volume's reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Reads served from RAM.
    pub hits_ram: u64,
    /// Reads served from the SSD.
    pub hits_ssd: u64,
    /// Reads served by the disk.
    pub misses: u64,
    /// Share of reads served by the cache, in percent; absent without reads.
    pub hit_percent: Option<f64>,
}

/// What first touches did to a volume whose data come from a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstTouch {
    /// I/Os that waited for data which had to be fetched first.
    pub ios: u64,
    /// Their share of all, in percent; absent without I/Os.
    pub percent: Option<f64>,
    /// Bytes that were fetched for requests, in whole blocks, from the start of the run.
    pub fetched_bytes: u64,
    /// Seconds from the start until the last of them were there; absent where none were fetched.
    pub until_s: Option<f64>,
    /// Bytes at the end that are still to be fetched.
    pub untouched_bytes: u64,
    /// Seconds from the start until all are there at the rate of its initialization; absent without one.
    pub initialized_s: Option<f64>,
}

/// A reason to doubt a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// Which.
    pub kind: DoubtKind,
    /// Cause and next step.
    pub text: Sentence,
}

/// The reasons to doubt a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DoubtKind {
    /// The run was stopped.
    Partial,
    /// The cache was still filling.
    ColdCache,
    /// Too few I/Os for a confidence interval, or too wide a one.
    TooShort,
    /// Burst credits ran out.
    CreditsRanOut,
    /// The run lived on burst credits throughout.
    OnCredits,
    /// Some disks of a stripe were idle.
    IdleDisks,
    /// The guest may join requests that the run counts one by one.
    GuestMerges,
    /// Dirty bytes were still to be written at the end.
    DirtyAtEnd,
    /// Data of a volume were still to be fetched at the end, and I/Os waited for such.
    FirstTouch,
    /// What was leapt over is known less well than was asked for.
    LeapError,
    /// A job ended early.
    JobEnded,
    /// Nothing was counted.
    Nothing,
}

/// The fsyncs of a section of the job file: what is between the call and its return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// The section.
    pub name: String,
    /// How many.
    pub count: u64,
    /// A second.
    pub per_s: f64,
    /// Whether they write out what was buffered before they flush; otherwise they flush alone.
    pub writes_out: bool,
    /// How long one takes.
    pub latency_ns: Latency,
    /// The 99.99th percentile.
    pub p99_99: u64,
}

/// A service-time model in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatencyModel {
    /// Where.
    pub place: String,
    /// Name.
    pub model: String,
    /// What a person calls the medium.
    pub title: String,
    /// Where within the published latencies it is taken: optimistic, typical, cautious; absent for what is your own.
    pub setting: Option<String>,
    /// From A (measured, raw data) to D (an assumption).
    pub grade: String,
    /// Why this grade.
    pub reason: String,
}

/// The JSON Schema of a [`Summary`].
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Summary).to_value()
}

impl Summary {
    /// Whether any volume is behind a host cache: without one nothing is served from it, whatever it held at the start.
    pub fn has_host_cache(&self) -> bool {
        self.volumes.iter().any(|volume| volume.cache.is_some())
    }
}

impl LimitLine {
    /// With its volume: `data disk IOPS (2 x P30)`.
    pub fn name(&self) -> String {
        match &self.disks {
            Some(disks) => format!("{} {} ({disks})", self.place, self.limit),
            None => self.limit.clone(),
        }
    }
}
