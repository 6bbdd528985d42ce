//! The twin of [`dw_demand::Requirements`] that is written to a file.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_spanned::Spanned;

use crate::kind::NumberOrText;
use crate::plan::PlanFile;

/// What a plan must meet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementsFile {
    /// 1.
    #[schemars(with = "u32")]
    pub schema_version: Spanned<u32>,
    /// The machine that was measured.
    pub machine: Option<String>,
    /// The window of time that the figures are of.
    pub window: Option<String>,
    /// Demand is multiplied by this; 1 when absent.
    #[schemars(with = "Option<NumberOrText>")]
    pub growth: Option<Spanned<NumberOrText>>,
    /// Processors.
    pub cpu: Option<CpuFile>,
    /// Memory.
    pub memory: Option<MemoryFile>,
    /// Transactions per second, largest of each bucket.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub transactions_per_s: Option<Spanned<LevelsFile<f64>>>,
    /// What is wanted of a plan.
    #[schemars(with = "Option<PlanFile>")]
    pub plan: Option<Spanned<PlanFile>>,
    /// What to doubt of the recording that the figures are from: `plan` repeats it.
    #[serde(rename = "finding", default)]
    pub findings: Vec<FindingFile>,
    /// Volumes.
    #[serde(rename = "volume", default)]
    #[schemars(with = "Vec<VolumeFile>")]
    pub volumes: Vec<Spanned<VolumeFile>>,
}

/// A doubt about a recording.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindingFile {
    /// How grave it is: critical, warning, note.
    #[schemars(with = "String")]
    pub severity: Spanned<String>,
    /// What was seen.
    pub what: String,
    /// What it does to a plan.
    pub effect: String,
    /// The source was at a limit of its own, so that the demand is higher than what was seen; false when absent.
    #[serde(default)]
    pub throttled: bool,
}

/// A figure at its percentiles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelsFile<T> {
    /// Median.
    #[schemars(with = "T")]
    pub p50: Spanned<T>,
    /// 90th percentile.
    #[schemars(with = "T")]
    pub p90: Spanned<T>,
    /// 95th percentile, where it is known; between the 90th and the 99th when absent.
    #[schemars(with = "Option<T>")]
    pub p95: Option<Spanned<T>>,
    /// 99th percentile.
    #[schemars(with = "T")]
    pub p99: Spanned<T>,
    /// Largest.
    #[schemars(with = "T")]
    pub max: Spanned<T>,
    /// How it is known: measured, derived, estimated, asked, unknown; asked when absent.
    #[schemars(with = "Option<String>")]
    pub from: Option<Spanned<String>>,
}

/// Processors.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CpuFile {
    /// How many the machine has.
    #[schemars(with = "Option<u32>")]
    pub processors: Option<Spanned<u32>>,
    /// Percent of all of them that was busy.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub busy_percent: Option<Spanned<LevelsFile<f64>>>,
}

/// Memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryFile {
    /// All of it, with its unit.
    #[schemars(with = "Option<String>")]
    pub total: Option<Spanned<String>>,
    /// In use, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub used: Option<Spanned<LevelsFile<String>>>,
}

/// One volume.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VolumeFile {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Devices that it was measured on.
    #[serde(default)]
    pub devices: Vec<String>,
    /// Keys that the recording lacks (read_iops, write_iops): nothing is planned before they are written or taken out.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub unknown: Vec<Spanned<String>>,
    /// Percent of requests that are random.
    #[schemars(with = "Option<NumberOrText>")]
    pub random_percent: Option<Spanned<NumberOrText>>,
    /// Mean size of a read, with its unit.
    #[schemars(with = "Option<String>")]
    pub read_size: Option<Spanned<String>>,
    /// Mean size of a write, with its unit.
    #[schemars(with = "Option<String>")]
    pub write_size: Option<Spanned<String>>,
    /// Reads per second.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub read_iops: Option<Spanned<LevelsFile<f64>>>,
    /// Writes per second.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub write_iops: Option<Spanned<LevelsFile<f64>>>,
    /// Requests per second, where reads and writes are not known apart.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub iops: Option<Spanned<LevelsFile<f64>>>,
    /// Bytes read a second, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub read_throughput: Option<Spanned<LevelsFile<String>>>,
    /// Bytes written a second, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub write_throughput: Option<Spanned<LevelsFile<String>>>,
    /// Bytes per second, where reads and writes are not known apart.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub throughput: Option<Spanned<LevelsFile<String>>>,
    /// Latency of reads, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub read_latency: Option<Spanned<LevelsFile<String>>>,
    /// Latency of writes, with units.
    #[schemars(with = "Option<LevelsFile<String>>")]
    pub write_latency: Option<Spanned<LevelsFile<String>>>,
    /// Requests outstanding.
    #[schemars(with = "Option<LevelsFile<f64>>")]
    pub queue_depth: Option<Spanned<LevelsFile<f64>>>,
    /// What it must hold, with its unit; a plan needs it.
    #[schemars(with = "Option<String>")]
    pub capacity: Option<Spanned<String>>,
    /// What it is for: data, log, tempdb, backup, os; data when absent.
    #[schemars(with = "Option<String>")]
    pub role: Option<Spanned<String>>,
    /// Host-cache settings that it may have: None, ReadOnly, ReadWrite; by its role when absent.
    #[schemars(with = "Option<Vec<String>>")]
    pub host_cache: Option<Spanned<Vec<Spanned<String>>>>,
    /// Bytes touched again within the time that matters, with their unit: what a cache must hold to serve all reads.
    #[schemars(with = "Option<String>")]
    pub working_set: Option<Spanned<String>>,
    /// Percent of reads that hit, by size of cache, where it was measured: `[{ cache = "64 GiB", percent = 60 }]`.
    #[schemars(with = "Option<Vec<HitFile>>")]
    pub hit_curve: Option<Spanned<Vec<HitFile>>>,
    /// Mean latency of reads at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub read_latency_max: Option<Spanned<String>>,
    /// Mean latency of writes at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub write_latency_max: Option<Spanned<String>>,
    /// 95th percentile of the latency of reads at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub read_latency_p95_max: Option<Spanned<String>>,
    /// 95th percentile of the latency of writes at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub write_latency_p95_max: Option<Spanned<String>>,
    /// 99th percentile of the latency of reads at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub read_latency_p99_max: Option<Spanned<String>>,
    /// 99th percentile of the latency of writes at most, with its unit.
    #[schemars(with = "Option<String>")]
    pub write_latency_p99_max: Option<Spanned<String>>,
    /// 99th percentile of a sync at most, with its unit: of fsync and fdatasync after writes, as a log and etcd wait for it.
    #[schemars(with = "Option<String>")]
    pub sync_latency_p99_max: Option<Spanned<String>>,
    /// Mean latency of reads at most in the first minutes after a reboot, while a host cache fills, with its unit: no cache hit is planned then.
    #[schemars(with = "Option<String>")]
    pub after_reboot_latency_max: Option<Spanned<String>>,
    /// Percent of reads that are served in time after a reboot, at least: so many may not count on the host cache.
    #[schemars(with = "Option<NumberOrText>")]
    pub after_reboot_share_min: Option<Spanned<NumberOrText>>,
    /// Growth of its load a year, in percent; that of the plan when absent, none of an operating system.
    #[schemars(with = "Option<NumberOrText>")]
    pub growth_percent_per_year: Option<Spanned<NumberOrText>>,
    /// Growth of what it holds a year, in percent; that of the plan when absent, none of an operating system.
    #[schemars(with = "Option<NumberOrText>")]
    pub capacity_growth_percent_per_year: Option<Spanned<NumberOrText>>,
    /// It may live on the VM's local disk, and be lost with it.
    #[serde(default = "unset")]
    #[schemars(with = "bool")]
    pub local_disk: Spanned<bool>,
    /// All `nodes` attach its disks, which are bought once: its demand is that of all of them together, and has no host cache.
    #[serde(default = "unset")]
    #[schemars(with = "bool")]
    pub shared: Spanned<bool>,
    /// Disks in its stripe at most; when absent 8, or up to 64 where no plan is found with 8.
    #[schemars(with = "Option<u32>")]
    pub disks_max: Option<Spanned<u32>>,
    /// Bytes on one disk before the next, with their unit; from the size of requests when absent.
    #[schemars(with = "Option<String>")]
    pub stripe_unit: Option<Spanned<String>>,
    /// Figures that a vendor of software asks of it, by name: hana-log, hana-data, sql-log, sql-data, etcd. What is written beside it wins.
    #[schemars(with = "Option<String>")]
    pub kpi: Option<Spanned<String>>,
    /// The demand over time.
    #[schemars(with = "Option<SeriesFile>")]
    pub series: Option<Spanned<SeriesFile>>,
}

impl VolumeFile {
    /// Whether it says what it asks.
    pub fn has_load(&self) -> bool {
        let rates = [&self.read_iops, &self.write_iops, &self.iops].into_iter().any(Option::is_some);
        let bytes = [&self.read_throughput, &self.write_throughput, &self.throughput].into_iter().any(Option::is_some);
        rates || bytes || self.series.is_some() || !self.unknown.is_empty()
    }
}

/// What nobody says.
fn unset() -> Spanned<bool> {
    Spanned::new(0..0, false)
}

/// Demand interval by interval.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesFile {
    /// Length of an interval, with its unit.
    #[schemars(with = "String")]
    pub interval: Spanned<String>,
    /// Reads per second.
    #[schemars(with = "Vec<f64>")]
    pub read_iops: Vec<Spanned<f64>>,
    /// Writes per second.
    #[schemars(with = "Vec<f64>")]
    pub write_iops: Vec<Spanned<f64>>,
    /// Bytes read a second.
    pub read_bytes_per_s: Vec<u64>,
    /// Bytes written a second.
    pub write_bytes_per_s: Vec<u64>,
}

/// Hits of a cache of some size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HitFile {
    /// The cache, with its unit.
    #[schemars(with = "String")]
    pub cache: Spanned<String>,
    /// Percent of reads that hit.
    #[schemars(with = "NumberOrText")]
    pub percent: Spanned<NumberOrText>,
}

/// A price that you know.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriceFile {
    /// A VM size or a disk.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// What about it: whole, gib, iops, mb_per_s; whole when absent.
    #[schemars(with = "Option<String>")]
    pub meter: Option<Spanned<String>>,
    /// A month of it.
    #[schemars(with = "f64")]
    pub monthly: Spanned<f64>,
}

/// A licence that is paid by core.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LicenceFile {
    /// What it is of, for example `SQL Server`; `licence` when absent.
    #[schemars(with = "Option<String>")]
    pub name: Option<Spanned<String>>,
    /// By what it is paid: core, a vCPU of the VM size; core when absent.
    #[schemars(with = "Option<String>")]
    pub per: Option<Spanned<String>>,
    /// What one costs: `500 a month`, `6000 a year`.
    #[schemars(with = "String")]
    pub price: Spanned<String>,
    /// Cores that are paid of each VM at least; 1 when absent.
    #[schemars(with = "Option<u32>")]
    pub minimum: Option<Spanned<u32>>,
    /// Nodes that it is paid for; all of them when absent.
    #[schemars(with = "Option<u32>")]
    pub nodes: Option<Spanned<u32>>,
}

/// One of them, or several.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum OneOrMore<T> {
    /// One.
    One(T),
    /// Several.
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    pub(crate) fn all(&self) -> &[T] {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one),
            OneOrMore::More(all) => all,
        }
    }
}

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        OneOrMore::More(Vec::new())
    }
}

/// By hand, as a derived one forgets where each value stands.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Written<T> {
            type Value = OneOrMore<T>;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a table")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(OneOrMore::One)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrMore::More)
            }
        }
        deserializer.deserialize_any(Written(PhantomData))
    }
}
