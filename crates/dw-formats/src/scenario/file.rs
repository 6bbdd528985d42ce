//! The scenario file as it is written: twins of the model's types, so that the model can change without breaking
//! anyone's files. The doc comments here become the descriptions of `schemas/scenario.schema.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use dw_catalogue::gates;
use dw_catalogue::rig::{RigOption, Rigs};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_spanned::Spanned;

use super::scalar::{Field, Scalar, TextOr};
use super::timeline::TimelineFile;
use super::words::{
    CacheModeName, CacheStartName, CreditsName, EvictionName, FillName, LatencyName, UncachedSharingName, VendorName,
};

/// A VM and its disks, on which `diskwright simulate` runs jobs.
///
/// Sizes, throughputs and times are strings with a unit (`"64 KiB"`, `"200 MB/s"`, `"30 s"`). KiB, MiB, GiB and TiB are
/// powers of 1,024; kB, MB, GB and TB are powers of 1,000.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "diskwright scenario", rename = "Scenario")]
pub(super) struct ScenarioFile {
    /// Whose machines and disks it names, where names alone do not say. One scenario has one vendor.
    #[schemars(with = "Option<VendorName>")]
    pub vendor: Field,
    /// The VM: a size of the catalogue, with or without overrides.
    #[schemars(with = "VmFile")]
    pub vm: Spanned<VmFile>,
    /// Block devices of the guest, each one disk or a RAID-0 of several.
    #[serde(rename = "volume", default)]
    #[schemars(with = "Vec<VolumeFile>", length(min = 1))]
    pub volumes: Vec<Spanned<VolumeFile>>,
    /// The state at the start.
    #[serde(default)]
    pub start: StartFile,
    /// Scripted events while the emulator runs; a simulation ignores them.
    #[serde(default)]
    #[schemars(with = "Vec<TimelineFile>")]
    pub timeline: Vec<Spanned<TimelineFile>>,
    /// Position of the default models within the published latencies: "optimistic", "typical" (default) or "cautious";
    /// `--latency` overrides it. It does not affect latencies written for a disk, or your own models.
    #[schemars(with = "Option<LatencyName>")]
    pub latency: Field,
    /// Files with your own latency models, written by `diskwright calibrate`; paths relative to this file's directory.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub latency_models: Vec<Spanned<String>>,
    /// Random seed; `--seed` overrides it. Default 1.
    #[schemars(with = "Option<u64>")]
    pub seed: Field,
}

/// The VM.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Vm")]
pub(super) struct VmFile {
    /// A size of the catalogue, with or without `Standard_`. Without it, the VM has only the limits written here.
    #[schemars(with = "Option<String>")]
    pub size: Field,
    /// Edition of the catalogue for the size; `diskwright catalogue show SIZE` lists them. Default: the newest with complete limits.
    #[schemars(with = "Option<String>")]
    pub edition: Field,
    /// What else may be chosen about a machine, where its vendor has choices.
    #[serde(default)]
    #[schemars(with = "MachineOptions")]
    pub options: OptionsFile,
    /// Overrides limits, by gate.
    #[serde(default)]
    #[schemars(with = "Gates")]
    pub gates: BTreeMap<Spanned<String>, LimitFile>,
    /// Short for `gates.uncached`.
    #[schemars(with = "Option<LimitFile>")]
    pub uncached: Option<Spanned<LimitFile>>,
    /// Short for `gates.uncached-v2`.
    #[schemars(with = "Option<LimitFile>")]
    pub uncached_premium2: Option<Spanned<LimitFile>>,
    /// Whether these two share one budget, the larger of them, or add up. This is not published; default "shared", the cautious reading.
    #[schemars(with = "Option<UncachedSharingName>")]
    pub uncached_sharing: Field,
    /// Short for `gates.cached`.
    #[schemars(with = "Option<LimitFile>")]
    pub cached: Option<Spanned<LimitFile>>,
    /// Interval of all limits, such as "50 ms": each interval's budget is available at its start and
    /// expires at its end. Default: evenly spaced.
    #[schemars(with = "Option<String>")]
    pub throttle_interval: Field,
    /// Overrides parameters of the host cache.
    #[schemars(with = "Option<HostCacheFile>")]
    pub cache: Option<Spanned<HostCacheFile>>,
}

/// Choices about a machine or a disk: option and value.
pub(super) type OptionsFile = BTreeMap<Spanned<String>, Spanned<Scalar>>;

/// The limits of a gate as they are written.
pub(super) struct GateFile<'a> {
    pub gate: &'a str,
    /// What messages call it: the key, from `[vm]` on.
    pub key: String,
    /// The key of a gate, the value of a short key.
    pub span: Range<usize>,
    pub limit: &'a LimitFile,
}

impl VmFile {
    /// The limits under short keys.
    pub fn short_limits(&self) -> impl Iterator<Item = GateFile<'_>> {
        let keys = [
            (gates::CACHED, "cached", &self.cached),
            (gates::UNCACHED, "uncached", &self.uncached),
            (gates::UNCACHED_V2, "uncached_premium2", &self.uncached_premium2),
        ];
        keys.into_iter().filter_map(|(gate, key, limit)| {
            let limit = limit.as_ref()?;
            Some(GateFile { gate, key: key.into(), span: limit.span(), limit: limit.get_ref() })
        })
    }

    /// Whether several limits are one budget, where it is written.
    pub fn sharing(&self) -> &Field {
        &self.uncached_sharing
    }

    /// Those by gate, of any name.
    pub fn gate_limits(&self) -> impl Iterator<Item = GateFile<'_>> {
        self.gates.iter().map(|(name, limit)| {
            let gate = name.get_ref().as_str();
            GateFile { gate, key: format!("gates.{gate}"), span: name.span(), limit }
        })
    }
}

/// The tables of options in the schema: a key for each.
enum MachineOptions {}
enum DiskOptions {}

fn options_schema(vendor_options: impl Fn(&'static dyn Rigs) -> &'static [RigOption]) -> Schema {
    let options = dw_catalogue::rigs().into_iter().flat_map(|vendor| {
        vendor_options(vendor).iter().map(move |option| {
            let what = format!("{}: {}", vendor.name(), option.what);
            (option.key, json_schema!({ "description": what, "type": "string", "enum": option.values }))
        })
    });
    let options: BTreeMap<&str, Schema> = options.collect();
    json_schema!({ "type": "object", "properties": options, "additionalProperties": false })
}

impl JsonSchema for MachineOptions {
    fn schema_name() -> Cow<'static, str> {
        "MachineOptions".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        options_schema(|vendor| vendor.machine_options())
    }
}

impl JsonSchema for DiskOptions {
    fn schema_name() -> Cow<'static, str> {
        "DiskOptions".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        options_schema(|vendor| vendor.disk_options())
    }
}

/// The table of gates in the schema: a key for each.
enum Gates {}

impl JsonSchema for Gates {
    fn schema_name() -> Cow<'static, str> {
        "Gates".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut limit = |what: &str| {
            let mut schema = generator.subschema_for::<LimitFile>();
            schema.insert("description".into(), format!("On {what}.").into());
            schema
        };
        let gates: BTreeMap<&str, Schema> = gates::WRITABLE.iter().map(|(name, what)| (*name, limit(what))).collect();
        json_schema!({ "type": "object", "properties": gates, "additionalProperties": false })
    }
}

/// An IOPS and a throughput limit that must both admit. Omitted values are the catalogue's.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Limit")]
pub(super) struct LimitFile {
    /// I/Os per second, or "unlimited".
    #[schemars(with = "Option<CountOrUnlimited>")]
    pub iops: Field,
    /// Bytes per second, such as "512 MB/s", or "unlimited".
    #[schemars(with = "Option<String>")]
    pub throughput: Field,
    /// I/Os per second while burst credits last, or "none".
    #[schemars(with = "Option<CountOrNone>")]
    pub burst_iops: Field,
    /// Bytes per second while burst credits last, or "none".
    #[schemars(with = "Option<String>")]
    pub burst_throughput: Field,
    /// How long full credits last at the full burst rate. Default "30 min".
    #[schemars(with = "Option<String>")]
    pub burst_for: Field,
    /// I/Os allowed at once after idle time. Default 0: strictly paced.
    #[schemars(with = "Option<u64>")]
    pub iops_depth: Field,
    /// Bytes allowed at once after idle time, such as "1 MiB". Default none: strictly paced.
    #[schemars(with = "Option<String>")]
    pub throughput_depth: Field,
}

/// The host cache: RAM and local SSD of the host, shared by the cached disks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HostCache")]
pub(super) struct HostCacheFile {
    /// All tiers together, such as "576 GiB".
    #[schemars(with = "Option<String>")]
    pub capacity: Field,
    /// The RAM tier; "0 B" for none.
    #[schemars(with = "Option<String>")]
    pub ram: Field,
    /// Unit of residence and eviction: a power of two, "4 KiB" to "1 MiB".
    #[schemars(with = "Option<String>")]
    pub block_size: Field,
    /// Data loaded by a read miss: the sectors read, or the whole block.
    #[schemars(with = "Option<FillName>")]
    pub fill: Field,
    /// Whether writes enter the cache under ReadOnly. Default true.
    #[schemars(with = "Option<bool>")]
    pub write_allocate: Field,
    /// Which block leaves a full cache.
    #[schemars(with = "Option<EvictionName>")]
    pub eviction: Field,
    /// Whether a read miss costs more than a read of the uncached disk. Default true.
    #[schemars(with = "Option<bool>")]
    pub miss_penalty: Field,
    /// How a ReadWrite cache writes back.
    pub write_back: Option<WriteBackFile>,
}

/// How a ReadWrite cache writes back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WriteBack")]
pub(super) struct WriteBackFile {
    /// Dirty bytes at which further writes wait for the disk.
    #[schemars(with = "Option<String>")]
    pub dirty_max: Field,
    /// Requests in flight per disk while writing back.
    #[schemars(with = "Option<u32>")]
    pub destage_depth: Field,
    /// How long a block may stay dirty, such as "1 s".
    #[schemars(with = "Option<String>")]
    pub destage_after: Field,
}

/// A block device of the guest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Volume")]
pub(super) struct VolumeFile {
    /// Its name in reports.
    #[schemars(with = "String")]
    pub name: Spanned<Scalar>,
    /// Its mount point, matched with `directory=` and `filename=` of a job.
    #[schemars(with = "Option<String>")]
    pub mount: Field,
    /// Its device node, for jobs that name it: "/dev/md0".
    #[schemars(with = "Option<String>")]
    pub device: Field,
    /// "P30", "10 x P30", "temp", or a list of tables.
    #[schemars(with = "DisksSchema")]
    pub disks: Spanned<TextOr<DiskFile>>,
    /// Edition of the catalogue for disks given as a string. Default: the newest.
    #[schemars(with = "Option<String>")]
    pub edition: Field,
    /// Host caching of its disks. Default None.
    #[schemars(with = "Option<CacheModeName>")]
    pub host_cache: Field,
    /// Bytes on one disk before the next; only for several disks. Default "64 KiB".
    #[schemars(with = "Option<String>")]
    pub stripe_unit: Field,
    /// Whether its disks were made from snapshots: each block is fetched when it is first read. Default false.
    #[schemars(with = "Option<bool>")]
    pub from_snapshot: Field,
    /// Rate at which each of these disks is initialized, where one was bought, such as "200 MiB/s". Default: none is bought.
    #[schemars(with = "Option<String>")]
    pub initialization_rate: Field,
    /// Share of each of these disks, from its beginning, that is initialized at the start, such as "40 %". Default "0 %".
    #[schemars(with = "Option<String>")]
    pub initialized: Field,
}

/// A disk, or several alike.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Disk")]
pub(super) struct DiskFile {
    /// A disk of the catalogue: "P30", "E10", "PremiumV2". Without it, `size` and `latency` describe a custom disk.
    #[schemars(with = "Option<String>")]
    pub sku: Field,
    /// Number of disks. Default 1.
    #[schemars(with = "Option<u32>")]
    pub count: Field,
    /// Edition of the catalogue.
    #[schemars(with = "Option<String>")]
    pub edition: Field,
    /// A higher performance tier, such as "P50".
    #[schemars(with = "Option<String>")]
    pub tier: Field,
    /// Enables on-demand bursting.
    #[schemars(with = "Option<bool>")]
    pub on_demand_bursting: Field,
    /// Enables performance plus.
    #[schemars(with = "Option<bool>")]
    pub performance_plus: Field,
    /// Size of a premium SSD v2 or ultra disk, or of a custom disk.
    #[schemars(with = "Option<String>")]
    pub size: Field,
    /// What else may be chosen about it, where its vendor has choices.
    #[serde(default)]
    #[schemars(with = "DiskOptions")]
    pub options: OptionsFile,
    /// Provisioned I/Os per second of a premium SSD v2 or ultra disk; the limit of a custom disk, or "unlimited".
    #[schemars(with = "Option<CountOrUnlimited>")]
    pub iops: Field,
    /// Provisioned throughput of a premium SSD v2 or ultra disk; the limit of a custom disk, or "unlimited".
    #[schemars(with = "Option<String>")]
    pub throughput: Field,
    /// Overrides the disk's limits.
    pub limits: Option<LimitFile>,
    /// An I/O larger than this counts as several; "none" = every I/O counts once.
    #[schemars(with = "Option<String>")]
    pub io_unit: Field,
    /// Overrides the disk's service times.
    pub latency: Option<LatencyFile>,
}

impl DiskFile {
    /// Ways to buy a disk that one vendor has, and their keys.
    pub fn ways(&self) -> [(&Field, &'static str); 3] {
        let [tier, bursts, plus] = [&self.tier, &self.on_demand_bursting, &self.performance_plus];
        [(tier, "tier"), (bursts, "on_demand_bursting"), (plus, "performance_plus")]
    }
}

/// Service times of a disk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Latency")]
pub(super) struct LatencyFile {
    /// Of reads: a constant ("1 ms"), a model of the catalogue, or percentiles ({ p50 = "1.5 ms", p99 = "5 ms", max = "45 ms" }).
    #[schemars(with = "Option<ServiceSchema>")]
    pub read: Option<Spanned<ServiceFile>>,
    /// Of writes, trims and flushes.
    #[schemars(with = "Option<ServiceSchema>")]
    pub write: Option<Spanned<ServiceFile>>,
    /// Adds size / bandwidth to both, such as "500 MB/s"; "unlimited" = size does not matter.
    #[schemars(with = "Option<String>")]
    pub bandwidth: Field,
}

/// A service time: a string, or percentiles.
#[derive(Debug)]
pub(super) enum ServiceFile {
    /// A constant or the name of a model.
    Text(String),
    /// Percentile (`p50`, `max`) and time, in the order of the file.
    Knots(Vec<(Spanned<String>, Spanned<Scalar>)>),
}

impl<'de> Deserialize<'de> for ServiceFile {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ServiceVisitor;
        impl<'de> serde::de::Visitor<'de> for ServiceVisitor {
            type Value = ServiceFile;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a time such as \"1.5 ms\" or percentiles such as { p50 = \"1.5 ms\", max = \"45 ms\" }")
            }
            fn visit_str<E>(self, value: &str) -> Result<ServiceFile, E> {
                Ok(ServiceFile::Text(value.to_string()))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<ServiceFile, A::Error> {
                let mut knots = Vec::new();
                while let Some(knot) = map.next_entry()? {
                    knots.push(knot);
                }
                Ok(ServiceFile::Knots(knots))
            }
        }
        deserializer.deserialize_any(ServiceVisitor)
    }
}

/// The state at the start.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Start")]
pub(super) struct StartFile {
    /// "cold": the host cache is empty, as after a reboot. "warm": it contains the jobs' files, as far as they fit.
    #[schemars(with = "Option<CacheStartName>")]
    pub cache: Field,
    /// Ranges in the host cache, oldest first, instead of all the jobs' files.
    #[serde(default)]
    #[schemars(with = "Vec<WarmFile>")]
    pub warm: Vec<Spanned<WarmFile>>,
    /// Burst credits: "full" as after a deployment (default), or "empty".
    #[schemars(with = "Option<CreditsName>")]
    pub credits: Field,
    /// Burst credits of a volume's disks or of a gate, by its name, in percent of full: `{ data = "35 %" }`. Default: as `credits` says.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub levels: OptionsFile,
}

/// A range of a volume that is in the host cache.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Warm")]
pub(super) struct WarmFile {
    /// Name of the volume.
    #[schemars(with = "String")]
    pub volume: Spanned<Scalar>,
    /// First byte, such as "10 GiB". Default "0 B".
    #[schemars(with = "Option<String>")]
    pub offset: Field,
    /// Length, such as "100 GiB". Default: to the end of the volume.
    #[schemars(with = "Option<String>")]
    pub len: Field,
}

/// Shapes that only the schema needs: the reader takes any scalar and says itself what is wrong with it.
mod shapes {
    #![allow(dead_code)]
    use schemars::JsonSchema;

    #[derive(JsonSchema)]
    #[schemars(untagged)]
    pub enum CountOrUnlimited {
        Count(u64),
        Unlimited(Unlimited),
    }
    #[derive(JsonSchema)]
    #[schemars(rename_all = "lowercase")]
    pub enum Unlimited {
        Unlimited,
    }
    #[derive(JsonSchema)]
    #[schemars(untagged)]
    pub enum CountOrNone {
        Count(u64),
        None(NoneWord),
    }
    #[derive(JsonSchema)]
    #[schemars(rename_all = "lowercase")]
    pub enum NoneWord {
        None,
    }
    #[derive(JsonSchema)]
    #[schemars(untagged)]
    pub enum DisksSchema {
        Text(String),
        Many(Vec<super::DiskFile>),
    }
    #[derive(JsonSchema)]
    #[schemars(untagged)]
    pub enum ServiceSchema {
        Text(String),
        Percentiles(super::BTreeMap<String, String>),
    }
}
use shapes::*;
