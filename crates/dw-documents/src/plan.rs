//! A plan: what every format of `plan` prints, and what later steps read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dw_messages::{Figure, say};
use dw_units::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::decision::Decision;
use crate::explain::Needs;
use crate::tag::OfPlan;
use crate::verdict::{State, Verdict};
use crate::{DiskSet, LimitId, LimitOf, Percentiles, Sentence};

/// What `plan --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfPlan,
    /// The answer in one line.
    pub answer: Sentence,
    /// What whoever decides needs to know; absent in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Whether it does all that was asked, or on which condition; absent in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The currency of all amounts.
    pub currency: String,
    /// The region whose prices count, and where it is built.
    pub region: String,
    /// Where disks are kept: zone, where they are zone-redundant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redundancy: Option<String>,
    /// The zone that VM and disks are in; absent = any.
    #[serde(default)]
    pub zone: Option<String>,
    /// For how many years the VM is reserved, where that has a price; absent = pay as you go. So are its disks, where theirs have one.
    #[serde(default)]
    pub reserved_years: Option<u32>,
    /// For how many years the VM is in a savings plan, where that has a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub savings_plan_years: Option<u32>,
    /// Hours of a month in which the VM runs and is paid for where nothing is committed to; absent = all 730. Disks are billed for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours_per_month: Option<f64>,
    /// The operating system of the VMs: windows, with its licence in the price; absent = linux.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// Equal nodes that are bought, where there are several: amounts are of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Burst credits count.
    pub bursting: bool,
    /// The setting of default latencies; absent = typical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<String>,
    /// `separate` where the two uncached limits are taken to add up; absent = they are one budget, or there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncached_sharing: Option<String>,
    /// The plan: the cheapest, or a simpler one that costs hardly more; absent when nothing meets the demand.
    pub plan: Option<PlanRow>,
    /// The proof of what the cheapest plan costs.
    pub certificate: Option<CertificateRow>,
    /// What the VM of the plan costs pay as you go and under each commitment, known or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commitments: Vec<CommitmentRow>,
    /// What else is billed for such a machine: priced where it is asked for and a price is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bill: Vec<BillRow>,
    /// What the vendor promises of how long such machines can be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promises: Vec<Sentence>,
    /// Every limit of the plan in order of a request's path.
    pub limits: Vec<LimitRow>,
    /// The plan under the jobs that verify it, in virtual time; absent where nobody simulated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<PlanSimulation>,
    /// The cheapest plans of another kind, then those on other VM sizes, before them the cheapest of all where another was taken.
    pub alternatives: Vec<PlanRow>,
    /// Designs to choose from, the cheapest first; two that are the same plan are one row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub designs: Vec<DesignRow>,
    /// What fewer disks and more headroom cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveRow>,
    /// What requirements cost, the dearest first; empty where relaxing any by as much would save nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub savings: Vec<SavingRow>,
    /// What each year needs, for whoever buys as the load grows; empty where the plan is for a year at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageRow>,
    /// Pooled and file services whose printed limits carry the volumes, too: not searched, not simulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<ServiceRow>,
    /// What stands against VM sizes: those that were asked about, and the nearest cheaper ones.
    pub why_not: Vec<WhyNotRow>,
    /// Why nothing meets the demand.
    pub conflict: Option<ConflictRow>,
    /// What the answer rests on.
    pub assumptions: Vec<Sentence>,
}

/// A VM size with its disks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRow {
    /// The VM size.
    pub vm: String,
    /// The edition of its limits.
    pub vm_edition: String,
    /// What is chosen of it and costs nothing, by the keys of scenarios: a network that gives bandwidth to its disks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub vm_options: BTreeMap<String, String>,
    /// A month of it.
    pub vm_monthly: f64,
    /// Licences that are paid by its cores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub licences: Vec<LicenceRow>,
    /// A month of everything but them; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_without_licences: Option<f64>,
    /// A month of everything.
    pub monthly: f64,
    /// The same in millionths, exact.
    pub monthly_micros: u64,
    /// Share of time in which every limit keeps its headroom, in percent.
    pub time_met_percent: f64,
    /// The first year in which it does not hold any more, within ten years of growth.
    pub breaks_in_year: Option<u32>,
    /// Its VM is pay as you go, because no price of it is known under the commitment that was asked for.
    #[serde(default, skip_serializing_if = "is_not")]
    pub uncommitted: bool,
    /// How it differs in kind from the plan: for alternatives that do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Sentence>,
    /// Its volumes.
    pub volumes: Vec<VolumeRow>,
}

/// A licence that is paid by core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LicenceRow {
    /// What it is of.
    pub name: String,
    /// What one core costs.
    pub price: f64,
    /// The time that this is for: month, year.
    pub every: String,
    /// Cores that are paid of each VM at least.
    pub minimum: u32,
    /// Cores that are paid.
    pub cores: u32,
    /// Nodes that they are paid for; absent = each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// A month of them, of each node its part.
    pub monthly: f64,
}

/// A volume of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeRow {
    /// Its name.
    pub name: String,
    /// What it is for: data, log, tempdb, backup, os.
    pub role: String,
    /// It is read and written from front to back, though its role does not say so: `random_percent = 0`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sequential: bool,
    /// What it must hold, in GiB.
    pub capacity_gib: u64,
    /// Bytes that its reads touch again and again, where that is known.
    pub working_set: Option<u64>,
    /// How a benchmark has as many hits as the plan counts on within minutes of a start; absent where nothing hits, or everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<BenchmarkRow>,
    /// Its demand in the busiest interval that the plan holds.
    pub demand: DemandRow,
    /// Its demand in the interval in which all volumes together are busiest.
    pub demand_together: DemandRow,
    /// Its disks; absent on the local disk.
    pub disk: Option<String>,
    /// The edition of their limits.
    pub disk_edition: Option<String>,
    /// How many.
    pub disks: u32,
    /// Size of each, for disks that are sized freely, in GiB.
    pub disk_gib: Option<u64>,
    /// IOPS bought for each.
    pub disk_iops: Option<u64>,
    /// MB/s bought for each.
    pub disk_mb_per_s: Option<u64>,
    /// MiB/s of each in its place, where its vendor counts so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_mib_per_s: Option<u64>,
    /// The performance tier that each is set to, where it is not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_tier: Option<String>,
    /// Each is made with performance plus.
    #[serde(default, skip_serializing_if = "is_not")]
    pub performance_plus: bool,
    /// Each bursts on demand.
    #[serde(default, skip_serializing_if = "is_not")]
    pub on_demand_bursting: bool,
    /// A month of them, with what is billed by use.
    pub monthly: f64,
    /// The nodes attach them all, and they are bought once: `monthly` is then the part of one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedRow>,
    /// What of it is billed by use: operations of standard disks, bursts on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage_monthly: Option<f64>,
    /// The host-cache setting.
    pub host_cache: String,
    /// The VM's gates that its requests pass, in order; what the host cache serves passes the first of two alone.
    #[serde(default)]
    pub gates: Vec<String>,
    /// Percent of reads that the host cache serves once it is warm.
    pub hit_percent: f64,
    /// Bytes on one disk before the next, where there are several.
    pub stripe_unit: Option<u64>,
    /// Why that stripe unit.
    pub stripe_reason: Option<Sentence>,
    /// The queue depth to set: the smallest with which the estimate reaches the demand of the busiest interval.
    pub queue_depth: u64,
    /// What of it reads need; absent in documents that are older than this key.
    #[serde(default)]
    pub read_queue_depth: u64,
    /// The same of writes.
    #[serde(default)]
    pub write_queue_depth: u64,
    /// Mean latency of reads at the load of the busiest interval, in microseconds: what serves them, and waiting at limits.
    pub read_latency_us: u64,
    /// The same of writes.
    pub write_latency_us: u64,
    /// What these latencies rest on; absent in documents that are older than this key.
    #[serde(default)]
    pub latency: Option<LatencyRow>,
}

/// Disks that are bought once for several nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedRow {
    /// So many.
    pub nodes: u32,
    /// A month of the disks for all of them.
    pub monthly: f64,
    /// What of it is billed for each node that attaches them.
    pub mounts_monthly: f64,
}

/// What a benchmark of a cached volume reads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkRow {
    /// What reads at random go over, in bytes.
    pub file: u64,
    /// How much of it is read before, in bytes: what the volume holds of the cache.
    pub warmed: u64,
    /// What reads at random go over, in bytes, to have as many hits for good, once no block is valid as a whole.
    pub steady: u64,
}

/// What latencies rest on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatencyRow {
    /// The model of the disks.
    pub model: String,
    /// Where within the published latencies it is taken: optimistic, typical, cautious.
    pub setting: String,
    /// From A (percentiles measured and published) to D (an assumption); never measured on these disks.
    pub grade: String,
}

/// What is asked of a volume, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemandRow {
    /// Reads.
    pub read_iops: u64,
    /// Writes.
    pub write_iops: u64,
    /// Bytes read.
    pub read_bytes_per_s: u64,
    /// Bytes written.
    pub write_bytes_per_s: u64,
}

/// The proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CertificateRow {
    /// What the cheapest plan costs a month.
    pub monthly: f64,
    /// Nothing that meets the demand costs less.
    pub bound: f64,
    /// The next best after the cheapest, on another VM size.
    pub runner_up: Option<f64>,
    /// VM sizes that were looked at; the others are too dear before their disks are counted.
    pub examined: usize,
    /// VM sizes that were offered.
    pub offered: usize,
}

/// A way to pay for VM and disks of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitmentRow {
    /// For how many years it is reserved; absent, as the next, where it is pay as you go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved_years: Option<u32>,
    /// For how many years it is in a savings plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub savings_plan_years: Option<u32>,
    /// A month of the VM; absent where no price is known.
    pub vm_monthly: Option<f64>,
    /// A month of the disks: those that can be reserved are, with the VM, and others are paid as they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disks_monthly: Option<f64>,
    /// Disks that are paid as they go because no such reservation of them is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks_unreserved: Vec<String>,
    /// A month of VM and disks.
    pub monthly: Option<f64>,
    /// The month in which pay as you go has cost as much as the whole term: who keeps what is committed to for longer saves. Absent where the
    /// commitment saves nothing, or has no known price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_even_month: Option<u32>,
}

impl CommitmentRow {
    /// `pay as you go`, `reservation`, `savings plan`, with its years where it has some.
    pub fn kind(&self) -> (&'static str, Option<u32>) {
        match (self.reserved_years, self.savings_plan_years) {
            (Some(years), _) => ("reservation", Some(years)),
            (None, Some(years)) => ("savings plan", Some(years)),
            (None, None) => ("pay as you go", None),
        }
    }
}

/// What is billed beside VM and disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Billed {
    OsDisk,
    Snapshots,
    Backup,
    /// Another region, or a copy of the machine elsewhere.
    Replication,
    /// What leaves the region.
    Traffic,
    Monitoring,
}

impl Billed {
    /// `OS disk`, `outbound traffic`.
    pub const fn word(self) -> &'static str {
        match self {
            Billed::OsDisk => "OS disk",
            Billed::Snapshots => "snapshots",
            Billed::Backup => "backup",
            Billed::Replication => "replication, second region",
            Billed::Traffic => "outbound traffic",
            Billed::Monitoring => "monitoring agents",
        }
    }
}

/// A line of the bill beside VM and disks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BillRow {
    pub of: Billed,
    /// A month of it; absent = not included in this price.
    pub monthly: Option<f64>,
    /// What is assumed, or why it has no price.
    pub how: Sentence,
}

/// What a limit carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRow {
    /// Which limit.
    #[serde(flatten)]
    pub of: LimitOf,
    /// What it gives; where the plan counts on bursts, what it gives while there are credits.
    pub capacity: f64,
    /// What bursts rest on, where the plan counts on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst: Option<BurstRow>,
    /// The demand: over time, or at the percentiles of the requirements where they have no series.
    #[serde(flatten)]
    pub asked: Percentiles,
    /// The largest load that the plan holds; absent in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<f64>,
    /// The multiple of the demand at which it is exceeded for more of the time than allowed, what bursts carry aside; absent for what is no
    /// rate, and in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_at: Option<f64>,
    /// Share of the whole limit that is left at that load, in percent.
    pub headroom_percent: f64,
    /// Intervals in which the limit itself is exceeded.
    pub exceeded: usize,
    /// Intervals in which more is used of it than its headroom leaves, those among them; absent in documents that are older than this key.
    #[serde(default)]
    pub beyond_headroom: usize,
    /// It has the least headroom of all rates.
    pub binding: bool,
}

/// A limit that a plan holds by its burst credits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BurstRow {
    /// What the limit gives once they are gone.
    pub sustained: f64,
    /// The least that is left of the credits while the series runs twice, in percent.
    pub credits_left_percent: f64,
}

/// A plan under the jobs that verify it, on its own scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Simulated")]
pub struct PlanSimulation {
    /// What came of it, in one line: what the plan keeps, and what it does not.
    pub answer: Sentence,
    /// Every rate is served and every latency that was asked for is kept, with a warm host cache.
    pub met: bool,
    /// Seconds of each group of jobs that were counted.
    pub seconds: f64,
    /// I/Os that were simulated in all runs.
    pub ios: u64,
    /// Working sets and host cache were simulated at one part in so many of their size; 1 = as they are.
    pub shrunk: u64,
    /// Promised and simulated, for each volume and direction, alone and with all volumes.
    pub rows: Vec<SimulatedRow>,
    /// The time after a reboot, with an empty host cache, of volumes that count on hits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cold: Vec<ColdRow>,
    /// What throttles first when more is asked than was planned for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
}

/// What a plan promises a volume in one direction, and what a simulation served.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulatedRow {
    /// The volume.
    pub volume: String,
    /// `read` or `write`.
    pub direction: String,
    /// While all volumes were busy; otherwise this one alone.
    pub together: bool,
    /// Requests per second that were promised.
    pub promised_iops: f64,
    /// Requests per second that were served.
    pub iops: f64,
    /// Bytes per second that were promised.
    pub promised_bytes_per_s: f64,
    /// Bytes per second that were served.
    pub bytes_per_s: f64,
    /// Mean latency that was asked for at most, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_max_us: Option<f64>,
    /// Mean latency, in microseconds.
    pub latency_us: f64,
    /// 95th percentile that was asked for at most, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p95_max_us: Option<f64>,
    /// 95th percentile of the latency, in microseconds; zero in documents that are older than this key.
    #[serde(default)]
    pub latency_p95_us: f64,
    /// 99th percentile that was asked for at most, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_max_us: Option<f64>,
    /// 99th percentile of the latency, in microseconds.
    pub latency_p99_us: f64,
    /// At least 99 % of the rate was served.
    pub rate_met: bool,
    /// The limit that kept the rate from being served; absent where it was served, or where its queue depth did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled_by: Option<LimitId>,
    /// The latency is at most what was asked for, mean and percentiles; absent where nothing was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_met: Option<bool>,
}

impl SimulatedRow {
    /// `data reads`, `data reads, alone`.
    pub fn name(&self) -> String {
        let alone = if self.together { "" } else { ", alone" };
        format!("{} {}s{alone}", self.volume, self.direction)
    }
    /// The rate is served and the latency that was asked for is kept.
    pub fn met(&self) -> bool {
        self.rate_met && self.latency_met != Some(false)
    }
    /// The latencies that were asked for: mean, p95 or p99, what is simulated, and the most that was asked for, in microseconds.
    pub fn latencies_asked(&self) -> impl Iterator<Item = (&'static str, f64, f64)> {
        let all = [
            ("mean", self.latency_us, self.latency_max_us),
            ("p95", self.latency_p95_us, self.latency_p95_max_us),
            ("p99", self.latency_p99_us, self.latency_p99_max_us),
        ];
        all.into_iter().filter_map(|(of, simulated, most)| Some((of, simulated, most?)))
    }
    /// The same in a cell of a table beside the mean and the 99th percentile, with the word for a mean: `mean 2.00 ms, p95 3.10 of 4.00 ms`; a
    /// dash for none.
    pub fn asked(&self, mean: &str, us: impl Fn(f64) -> String) -> String {
        let parts = self.latencies_asked().map(|(of, simulated, most)| match of {
            "mean" => format!("{mean} {}", us(most)),
            "p95" => format!("p95 {} of {}", us(simulated), us(most)),
            percentile => format!("{percentile} {}", us(most)),
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "-".into() } else { parts.join(", ") }
    }
    /// Share of the promise that was served, in percent: of requests or of bytes, whichever is less.
    pub fn served_percent(&self) -> f64 {
        let share = |served: f64, promised: f64| if promised > 0.0 { served * 100.0 / promised } else { 100.0 };
        share(self.iops, self.promised_iops).min(share(self.bytes_per_s, self.promised_bytes_per_s))
    }
}

/// The reads of a volume after a reboot, while the host cache fills.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColdRow {
    /// The volume.
    pub volume: String,
    /// Requests per second that were promised.
    pub promised_iops: f64,
    /// Seconds after the reboot that count as the beginning.
    pub first_s: f64,
    /// Requests per second that are served in the beginning.
    pub first_iops: f64,
    /// Mean latency in the beginning, in microseconds.
    pub first_latency_us: f64,
    /// Seconds until the promised rate is served and goes on being served; absent = not within `within_s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_after_s: Option<f64>,
    /// Seconds that were simulated.
    pub within_s: f64,
}

/// What throttles first when all demands grow alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// The demand that is planned for was multiplied by this, which is enough that a limit throttles.
    pub factor: f64,
    /// The load at which `first` is full, as a multiple of today's: the load of the recording, before it grows; absent in documents that
    /// are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_today: Option<f64>,
    /// The bottleneck that the plan names.
    pub named: LimitId,
    /// The limit that is exhausted first.
    pub first: LimitId,
}

/// What stands against a VM size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyNotRow {
    /// The VM size.
    pub vm: String,
    /// In one sentence.
    pub why: Sentence,
    /// The limits that stand against it; empty when it only costs more.
    pub limits: Vec<String>,
    /// What the best plan there costs, the limit ignored where one binds.
    pub monthly: Option<f64>,
}

/// Why nothing meets the demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConflictRow {
    /// A smallest set of limits that no offer meets together, each as a sentence.
    pub limits: Vec<Sentence>,
    /// Share of the load that the nearest plan carries, in percent: the one that meets everything else and of these limits most.
    pub nearest_percent: Option<f64>,
    /// That plan.
    pub nearest: Option<String>,
    /// A month of it; absent in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest_monthly: Option<f64>,
    /// What may be assumed otherwise of how the VM is bought, each of which alone would meet the budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub would_meet: Vec<Sentence>,
    /// What it does not meet, each as a sentence with what is asked and what it gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest_misses: Vec<Sentence>,
}

/// What a design is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Design {
    /// By the limits nothing that meets the demand costs less; whether its simulation bears that out, `met` says.
    Cheapest,
    /// The plan: the simplest that costs hardly more than the cheapest.
    Balanced,
    /// The fewest disks for at most a quarter more than the cheapest.
    Simplest,
}

impl Design {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Design::Cheapest => "cheapest",
            Design::Balanced => "balanced",
            Design::Simplest => "simplest",
        }
    }
}

/// A design to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignRow {
    /// What it is chosen for; several where one plan is all of these.
    pub design: Vec<Design>,
    /// Data disks.
    pub disks: u32,
    /// Share that is left of the narrowest rate at the largest load, in percent.
    pub headroom_percent: f64,
    /// The generation of the VM: 5 of a v5.
    pub generation: u32,
    /// VM and disks, with their cost and latencies.
    pub plan: PlanRow,
    /// The search ended before it was proved to be the cheapest of its kind; absent where it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_proved: bool,
    /// What came of simulating it; absent where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Sentence>,
    /// Whether its simulation keeps every rate and every latency that was asked for; absent where nobody simulated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// Whether it does all that was asked, or on which condition; absent in documents that are older than this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl PlanDocument {
    /// How far the plan does what was asked; of an older document what its simulation said. Nothing met the demand where there is no plan.
    pub fn state(&self) -> State {
        let of_simulation = || match (&self.plan, &self.simulated) {
            (None, _) | (_, Some(PlanSimulation { met: false, .. })) => State::NotMet,
            _ => State::Met,
        };
        self.verdict.as_ref().map_or_else(of_simulation, |verdict| verdict.state)
    }
}

/// A VM size with what is chosen of it: `NAME (KEY VALUE)`.
pub fn vm_with<'a>(size: &'a str, options: impl Iterator<Item = (&'a str, &'a str)>) -> Cow<'a, str> {
    let options: Vec<String> = options.map(|(key, value)| format!("{key} {value}")).collect();
    if options.is_empty() { Cow::Borrowed(size) } else { Cow::Owned(format!("{size} ({})", options.join(", "))) }
}

impl PlanRow {
    /// Its VM size with what is chosen of it.
    pub fn vm_said(&self) -> Cow<'_, str> {
        vm_with(&self.vm, self.vm_options.iter().map(|(key, value)| (&**key, &**value)))
    }
    /// Its data disks together; more than a `u32` holds where a hand wrote absurd numbers.
    pub fn disks(&self) -> u64 {
        self.volumes.iter().map(|volume| u64::from(volume.disks)).sum()
    }
    /// For how long it meets the demand, where that is known.
    pub fn lasts(&self) -> Option<Sentence> {
        let next = self.breaks_in_year?;
        Some(say!(PlanLasts { years: next.saturating_sub(1), next }))
    }
    /// A month of its licences, where there are any.
    pub fn licences_monthly(&self) -> Option<f64> {
        (!self.licences.is_empty()).then(|| self.licences.iter().map(|licence| licence.monthly).sum())
    }
    /// What its licences cost, and the plan with and without them.
    pub fn licences_said(&self) -> Option<Sentence> {
        let money = |amount: f64| Figure::new(amount, "", Money::of_amount(amount).to_string());
        let without = money(self.monthly_without_licences?);
        let said = |row: &LicenceRow| {
            let (name, monthly, cores) = (&row.name, money(row.monthly), row.cores);
            match row.nodes {
                Some(nodes) => say!(PlanLicenceOf { name, monthly, cores, nodes }),
                None => say!(PlanLicence { name, monthly, cores }),
            }
        };
        let licences: Vec<Sentence> = self.licences.iter().map(said).collect();
        Some(say!(PlanLicences { licences, monthly: money(self.monthly), without }))
    }
}

impl DesignRow {
    /// `cheapest, balanced`; a plan that its simulation does not bear out is the cheapest on paper only, and one that is not proved to be it
    /// the cheapest known.
    pub fn name(&self) -> String {
        let word = |design: &Design| match (design, self.met) {
            (Design::Cheapest, Some(false)) => "cheapest on paper",
            (Design::Cheapest, _) if self.not_proved => "cheapest known",
            (Design::Simplest, _) if self.not_proved => "simplest known",
            (design, _) => design.word(),
        };
        self.design.iter().map(word).collect::<Vec<_>>().join(", ")
    }
    /// How far it does what was asked; of an older document what its simulation said, and nothing where nobody simulated it.
    pub fn state(&self) -> Option<State> {
        let of_simulation = |met: bool| if met { State::Met } else { State::NotMet };
        self.verdict.as_ref().map(|verdict| verdict.state).or(self.met.map(of_simulation))
    }
    /// `met`, `met with a condition`, `NOT MET`; a dash where nobody judged it.
    pub fn said(&self) -> &'static str {
        self.state().map_or("-", State::word)
    }
}

/// What fewer disks and more headroom cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurveRow {
    /// The cheapest plan with at most so many disks, for every number at which it changes, up to twice the cheapest cost.
    pub by_disks: Vec<CurvePoint>,
    /// The cheapest plan that leaves so much of every rate free; what nothing on offer leaves is left out.
    pub by_headroom: Vec<CurvePoint>,
}

/// A plan of a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Data disks.
    pub disks: u32,
    /// Share of the limits that is left, in percent: as it was asked for along the headroom, else of the narrowest rate.
    pub headroom_percent: f64,
    /// A month of it.
    pub monthly: f64,
    /// VM and disks.
    pub plan: String,
    /// The search ended before it was proved that nothing with as few disks costs less; absent where it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_proved: bool,
}

/// A service that no plan chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServiceRow {
    /// Its name, with its level.
    pub name: String,
    /// What a month of it costs; absent where no source has a price in the region.
    pub monthly: Option<f64>,
    /// What is bought of it, what its page prints, and what is not known.
    pub service: Sentence,
}

/// What a requirement costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavingRow {
    /// What would be asked instead.
    pub requirement: Sentence,
    /// So much less than the plan costs a month what would be planned then, in the same way.
    pub monthly: f64,
    /// VM and disks then.
    pub plan: String,
}

/// What a year needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageRow {
    /// The year, counted from now.
    pub year: u32,
    /// A month of what would be planned to last to its end, in the same way as the plan: of the last year it is the plan.
    pub monthly: f64,
    /// VM and disks.
    pub plan: String,
    /// The month in which it begins, counted from now; 1 = now.
    #[serde(default)]
    pub from_month: u32,
    /// What is done then to what was bought the year before; empty where nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Sentence>,
    /// The most that any of it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
}

impl StageRow {
    /// The year in which it begins: an earlier one where it is bought before. In documents that are older than its month it is its own.
    pub fn first_year(&self) -> u32 {
        if self.from_month == 0 { self.year } else { self.year.min(self.from_month.div_ceil(12)) }
    }
}

impl LimitRow {
    /// The load that the limit was planned for.
    pub fn load(&self) -> f64 {
        self.planned.unwrap_or(self.asked.max)
    }
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(PlanDocument).to_value()
}

/// Whether to leave a flag out.
fn is_not(flag: &bool) -> bool {
    !flag
}

impl VolumeRow {
    /// The estimated latency of its reads, in microseconds; nothing where it has none.
    pub fn read_latency(&self) -> Option<u64> {
        (self.demand.read_iops > 0).then_some(self.read_latency_us)
    }
    /// The same of its writes.
    pub fn write_latency(&self) -> Option<u64> {
        (self.demand.write_iops > 0).then_some(self.write_latency_us)
    }
    /// `2 x P30`, `P30 with performance plus`, `Ultra of 100 GiB, 4,000 IOPS, 50 MB/s`; none on the local disk.
    pub fn disks_said(&self) -> Option<String> {
        let sized = match (self.disk_gib, self.disk_iops, self.disk_mb_per_s.or(self.disk_mib_per_s)) {
            (Some(gib), Some(iops), Some(mb)) => Some([gib, iops, mb]),
            _ => None,
        };
        let in_mib = self.disk_mib_per_s.is_some();
        let bought = DiskSet {
            count: self.disks,
            sku: self.disk.as_ref()?,
            sized,
            in_mib,
            tier: self.disk_tier.as_deref(),
            performance_plus: self.performance_plus,
            on_demand_bursting: self.on_demand_bursting,
        };
        Some(match self.shared {
            Some(SharedRow { nodes, .. }) => format!("{bought} once for {nodes} nodes"),
            None => bought.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::StageRow;

    #[test]
    fn a_stage_begins_in_the_year_of_its_first_month() {
        for (year, from_month, first) in [(1, 1, 1), (3, 25, 3), (3, 13, 2), (5, 1, 1), (2, 0, 2)] {
            let changes = Vec::new();
            let row = StageRow { year, from_month, monthly: 1.0, plan: String::new(), changes, needs: None };
            assert_eq!(row.first_year(), first, "{year}, {from_month}");
        }
    }
}
