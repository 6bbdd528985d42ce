//! How things are: the figures of a running emulator, as plain data.
//!
//! Percentages and rates are those of the last full second, counts are since the start or the last reset.

use dw_documents::{LimitId, Sentence};
use dw_messages::say;
use dw_units::CacheMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inject::ListedFault;

pub mod meter;

/// A running emulator, seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// The model's instant, ns from the start.
    pub at_ns: u64,
    /// Since when counts are counted, ns from the start.
    pub since_ns: u64,
    /// Whether the model's time is paused.
    pub paused: bool,
    /// The limits of the VM in path order, then those of each disk.
    pub limits: Vec<LimitStatus>,
    /// The host cache.
    pub cache: CacheStatus,
    /// The volumes, in order.
    pub volumes: Vec<VolumeStatus>,
    /// What was made to go wrong.
    pub faults: Vec<ListedFault>,
    /// Whether the host keeps up.
    pub lateness: LatenessStatus,
    /// Clients connected now.
    pub connections: u32,
    /// What this machine refused of the bytes.
    #[serde(default)]
    pub host: HostStatus,
}

/// What this machine refused where the disks' bytes are: its own errors, not those that were injected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostStatus {
    /// Times that there was no room left: clients were told so (ENOSPC).
    pub no_space: u64,
    /// Times that it refused for another reason.
    pub errors: u64,
    /// Where there was no room for the first time, and how it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_space_first: Option<String>,
    /// Where it refused for another reason for the first time, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors_first: Option<String>,
}

/// The first time that this machine refused for a reason of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No room was left there.
    NoSpace(String),
    /// It refused there for this reason.
    Error(String),
}

/// Whether a run is to be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Too few completions to judge by.
    #[default]
    Open,
    /// The host keeps up.
    Kept,
    /// It does not: the doubts say why.
    Doubted,
}

impl Verdict {
    pub const ALL: [Verdict; 3] = [Verdict::Open, Verdict::Kept, Verdict::Doubted];

    /// As JSON and metrics have it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Open => "open",
            Verdict::Kept => "kept",
            Verdict::Doubted => "doubted",
        }
    }
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitStatus {
    /// Its name, such as `vm uncached IOPS` or `disk throughput`.
    pub limit: String,
    /// Which; the disks of a volume are told apart by `disk`.
    pub id: LimitId,
    /// The export of the disk whose limit it is; absent for a limit of the VM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<String>,
    /// I/Os or bytes per second, sustained.
    pub rate: u64,
    /// I/Os or bytes per second while bursting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_rate: Option<u64>,
    /// Credits left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credits: Option<u64>,
    /// Credits when full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credits_max: Option<u64>,
    /// I/Os or bytes that it has let through.
    pub granted: u64,
    /// Granted a second over the last full second, in percent of the rate (above 100 while bursting).
    pub consumed_percent: f64,
    /// Share of the last full second in which something waited here, in percent.
    pub binding_percent: f64,
    /// Time in which something waited here.
    pub binding_ns: u64,
}

/// The host cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheStatus {
    /// What it can hold; 0 = there is none.
    pub capacity_bytes: u64,
    /// What it holds.
    pub resident_bytes: u64,
    /// Acknowledged bytes not yet on any disk.
    pub dirty_bytes: u64,
}

/// A volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeStatus {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Names of its disks' exports.
    pub disks: Vec<String>,
    /// Its host-cache mode.
    pub host_cache: CacheMode,
    /// Whether clients can use it.
    pub attached: bool,
    /// Requests under way now.
    pub queue_depth: u64,
    /// Acknowledged bytes that its disks do not have yet.
    pub dirty_bytes: u64,
    /// Parts of reads served by the cache's memory.
    pub hits_ram: u64,
    /// Parts of reads served by the cache's SSD.
    pub hits_ssd: u64,
    /// Parts of reads that went to the disk.
    pub misses: u64,
    /// Bytes written back.
    pub destaged_bytes: u64,
    /// Share of the last full second in which writes waited for space in the write-back cache, in percent.
    pub room_percent: f64,
    /// Share of the last full second in which requests waited for data that had to be fetched first, in percent.
    #[serde(default)]
    pub first_touch_percent: f64,
    /// Bytes that are still to be fetched from a snapshot; absent on a volume that is not from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untouched_bytes: Option<u64>,
    /// Reads, prefetches among them.
    pub reads: OpStatus,
    /// Writes.
    pub writes: OpStatus,
    /// Flushes.
    pub flushes: OpStatus,
    /// Trims and zeroes.
    pub trims: OpStatus,
}

/// Requests of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpStatus {
    /// Completed.
    pub count: u64,
    /// Of these, with an error.
    pub errors: u64,
    /// Bytes of those without.
    pub bytes: u64,
    /// Completed a second.
    pub per_second: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// Latencies of the last full second.
    pub recent: LatencyStatus,
    /// Latencies since counting began.
    pub latency: LatencyStatus,
    /// Sum of all latencies.
    pub latency_sum_ns: u64,
    /// How many took at most each of [`crate::status::LATENCY_BOUNDS_NS`].
    pub at_most: Vec<u64>,
}

/// Upper bounds of the latency histogram, ns: those where provisioned disks differ, 100 µs to 10 s.
pub const LATENCY_BOUNDS_NS: [u64; 16] = [
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    3_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    10_000_000_000,
];

/// Percentiles; all zero when nothing completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyStatus {
    /// Mean.
    pub mean_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

/// Whether the host keeps up with the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatenessStatus {
    /// What all of it comes to: whoever shows it takes it from here.
    #[serde(default)]
    pub verdict: Verdict,
    /// The same in words, with the figures that it follows from.
    #[serde(default = "unjudged")]
    pub sentence: Sentence,
    /// Completions given.
    pub completions: u64,
    /// Of these, later than max(50 µs, a tenth of their latency).
    pub late: u64,
    /// Median of completion given minus completion due.
    pub p50_ns: u64,
    /// 99th percentile of the same.
    pub p99_ns: u64,
    /// The latest.
    pub max_ns: u64,
    /// 99th percentile of the latency that the model gave, all requests of all volumes.
    #[serde(default)]
    pub modelled_p99_ns: u64,
    /// The same as clients saw it, late as they were answered.
    #[serde(default)]
    pub seen_p99_ns: u64,
    /// Requests for which this machine's own disk took longer than the modelled one.
    pub host_slower: u64,
    /// Why the run is not to be trusted, with figures; empty unless it is doubted.
    pub doubts: Vec<Sentence>,
}

/// Nothing completed yet.
impl Default for LatenessStatus {
    fn default() -> Self {
        LatenessStatus {
            verdict: Verdict::Open,
            sentence: unjudged(),
            completions: 0,
            late: 0,
            p50_ns: 0,
            p99_ns: 0,
            max_ns: 0,
            modelled_p99_ns: 0,
            seen_p99_ns: 0,
            host_slower: 0,
            doubts: Vec::new(),
        }
    }
}

/// Of a status without a sentence: an emulator of an earlier version makes one.
fn unjudged() -> Sentence {
    say!(TrustOpen { completions: 0_u64 })
}
