//! Instance types as `describe-instance-types` prints them.
//!
//! Rule: what a record says is used, also of a type that is shipped; what it does not say stays as it is shipped. Of a type that is not shipped that
//! is unknown, and what a plan needs of it keeps the type out of plans.
//!
//! Source: the EC2 API of 2016-11-15, `InstanceTypeInfo`; of all types that are shipped the same fields make the shipped table.
//!
//! Ignores: the IOPS of instance stores and the regions of a type, which no record has.

use dw_units::{Bytes, Iops, Throughput};
use dw_vendor::fetched::{Figure, Figures};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::instances::said::{
    ARCHITECTURE, CPU, EBS_BASELINE, EBS_CARDS, EBS_MAXIMUM, EBS_VOLUMES, GENERATION, GPUS, HYPERVISOR, INSTANCE_STORE,
};
use crate::instances::{Arch, Check, EbsLimit, EbsLimits, Hypervisor, InstanceType, MBPS, StoreShape, VOLUMES_UNKNOWN};
use crate::numbers::is_plain;

/// An instance type, each figure absent where its record has none; also a row of the file of imports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct TypeRecord {
    #[serde(skip)]
    pub name: String,
    pub current: Option<bool>,
    pub vcpu: u32,
    pub memory_mib: u64,
    pub arch: Option<Arch>,
    pub hypervisor: Option<Hypervisor>,
    pub burstable: Option<bool>,
    pub gpus: Option<u32>,
    /// Own bandwidth to EBS: an option that is paid for.
    pub ebs_is_option: Option<bool>,
    /// Of all cards together, as the next three.
    pub base_mbps: Option<u64>,
    pub base_iops: Option<u64>,
    pub max_mbps: Option<u64>,
    pub max_iops: Option<u64>,
    pub cards: Option<u32>,
    /// The cards have unequal parts.
    pub cards_differ: Option<bool>,
    /// Most volumes with one network interface.
    pub volumes: Option<u32>,
    pub shares_attachments: Option<bool>,
    /// Local disks; 0 = none.
    pub store_disks: Option<u32>,
    /// 10⁹ bytes of each.
    pub store_gb: Option<u64>,
    pub store_ssd: Option<bool>,
    pub store_nvme: Option<bool>,
    /// Mb/s of all network cards for good.
    pub net_base_mbps: Option<u64>,
    pub net_max_mbps: Option<u64>,
    /// Its bandwidth can be weighted.
    pub weighting: Option<bool>,
    /// It is sold by the hour, on demand.
    pub on_demand: Option<bool>,
}

/// Beyond these no figure is one. Credits of half an hour of the most Mb/s are still a number of bytes.
const MOST: u64 = 1 << 40;
const MOST_MBPS: u64 = 1 << 32;
const CARDS_MOST: u32 = 16;
/// Plans number the gates of so many.
const CARDS_PLANNED: u32 = 2;
const VOLUMES_MOST: u32 = 4_096;

impl TypeRecord {
    /// With what the file of imports has of it.
    pub fn from_figures(name: &str, figures: &Figures) -> Result<TypeRecord, String> {
        let read = serde_json::to_value(figures).and_then(serde_json::from_value::<TypeRecord>);
        let read = read.map_err(|e| format!("instance type `{name}`: {e}"))?;
        TypeRecord { name: name.into(), ..read }.checked()
    }

    /// As the file of imports has it.
    pub fn figures(&self) -> Figures {
        let fields = serde_json::to_value(self).ok().and_then(|own| own.as_object().cloned()).unwrap_or_default();
        // What is absent is null, and no figure.
        let figure = |(key, value): (String, Value)| Some((key, serde_json::from_value::<Figure>(value).ok()?));
        fields.into_iter().filter_map(figure).collect()
    }

    /// Itself, where its figures can be.
    fn checked(self) -> Result<TypeRecord, String> {
        let name = &self.name;
        let is_name = name.len() <= 64
            && name
                .split_once('.')
                .is_some_and(|(family, size)| [family, size].iter().all(|part| !part.is_empty() && is_plain(part)));
        if !is_name {
            return Err(format!("`{name}` is not the name of an instance type"));
        }
        let bounded = [
            ("VCpuInfo.DefaultVCpus", Some(u64::from(self.vcpu)), 1, 1 << 20),
            ("MemoryInfo.SizeInMiB", Some(self.memory_mib), 1, MOST),
            ("EbsInfo.EbsOptimizedInfo.BaselineBandwidthInMbps", self.base_mbps, 1, MOST_MBPS),
            ("EbsInfo.EbsOptimizedInfo.BaselineIops", self.base_iops, 1, MOST),
            ("EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps", self.max_mbps, self.base_mbps.unwrap_or(1), MOST_MBPS),
            ("EbsInfo.EbsOptimizedInfo.MaximumIops", self.max_iops, self.base_iops.unwrap_or(1), MOST),
            ("EbsInfo.MaximumEbsCards", self.cards.map(u64::from), 1, u64::from(CARDS_MOST)),
            ("EbsInfo.MaximumEbsAttachments", self.volumes.map(u64::from), 1, u64::from(VOLUMES_MOST)),
            ("NetworkInfo.NetworkCards.BaselineBandwidthInGbps, in Mb/s,", self.net_base_mbps, 0, MOST_MBPS),
            ("NetworkInfo.NetworkCards.PeakBandwidthInGbps, in Mb/s,", self.net_max_mbps, 0, MOST_MBPS),
            ("InstanceStorageInfo.Disks.SizeInGB", self.store_gb, 1, MOST),
        ];
        for (field, figure, least, most) in bounded {
            if let Some(figure) = figure.filter(|figure| !(least..=most).contains(figure)) {
                return Err(format!("`{field}` of `{name}` is {figure}, and can be {least} to {most}"));
            }
        }
        Ok(self)
    }

    fn ebs(&self) -> Option<EbsLimits> {
        let limit = |iops: u64, mbps: u64| EbsLimit {
            iops: Iops::new(iops),
            throughput: Throughput::bytes_per_second(mbps * MBPS),
        };
        Some(EbsLimits {
            base: limit(self.base_iops?, self.base_mbps?),
            maximum: limit(self.max_iops?, self.max_mbps?),
        })
    }

    /// Its store, of which it does not say the IOPS: those of the shipped type are taken where the disks are the same.
    fn store(&self, shipped: Option<StoreShape>) -> Option<StoreShape> {
        let (Some(count), Some(gb)) = (self.store_disks.filter(|count| *count > 0), self.store_gb) else {
            return shipped.filter(|_| self.store_disks.is_none());
        };
        let is_ssd = self.store_ssd.or(shipped.map(|own| own.is_ssd)).unwrap_or(false);
        let is_nvme = self.store_nvme.or(shipped.map(|own| own.is_nvme)).unwrap_or(false);
        let new = StoreShape { count, gb, is_ssd, is_nvme, read_iops: None, write_iops: None, grade: None };
        let same = |own: &StoreShape| (own.count, own.gb, own.is_ssd) == (count, gb, is_ssd);
        Some(shipped.filter(same).map_or(new, |own| StoreShape { is_nvme, ..own }))
    }

    /// As a type: over the shipped one of its name, where there is one.
    pub fn over(&self, shipped: Option<&InstanceType>, edition: &str, source: &str) -> InstanceType {
        let ebs = self.ebs();
        InstanceType {
            name: self.name.clone().into(),
            edition: edition.to_string().into(),
            source: source.to_string().into(),
            // What is not known of a type that is not shipped keeps it out of plans, and is no fault of it elsewhere.
            is_current: self.current.or(shipped.map(|own| own.is_current)).unwrap_or(true),
            vcpu: self.vcpu,
            memory: Bytes::mib(self.memory_mib),
            arch: self.arch.or(shipped.map(|own| own.arch)).unwrap_or(Arch::X86),
            hypervisor: self.hypervisor.or(shipped.map(|own| own.hypervisor)).unwrap_or(Hypervisor::Nitro),
            is_burstable: self.burstable.or(shipped.map(|own| own.is_burstable)).unwrap_or(false),
            gpus: self.gpus.or(shipped.map(|own| own.gpus)).unwrap_or(0),
            ebs: ebs.or(shipped.and_then(|own| own.ebs)),
            ebs_is_option: self.ebs_is_option.or(shipped.map(|own| own.ebs_is_option)).unwrap_or(false),
            cards: self.cards.or(shipped.map(|own| own.cards)).unwrap_or(1),
            volumes_most: self.volumes.or(shipped.map(|own| own.volumes_most)).unwrap_or(VOLUMES_UNKNOWN),
            shares_attachments: self.shares_attachments.or(shipped.map(|own| own.shares_attachments)).unwrap_or(true),
            store: self.store(shipped.and_then(|own| own.store)),
            network: match self.net_base_mbps.or(self.net_max_mbps) {
                Some(_) => (self.net_base_mbps, self.net_max_mbps),
                None => shipped.map_or((None, None), |own| own.network),
            },
            weighting: self.weighting.or(shipped.and_then(|own| own.weighting)),
            lacks: self.lacks(shipped.is_some()),
            unsaid: self.unsaid(),
            checked: shipped.filter(|own| ebs.is_none() || own.ebs == ebs).map_or(Check::Nothing, |own| own.checked),
        }
    }

    /// Of what `over` takes from elsewhere, the words that a description has for it.
    fn unsaid(&self) -> Vec<&'static str> {
        let no_ebs = self.ebs().is_none();
        let unsaid = [
            (self.arch.is_none(), ARCHITECTURE),
            (self.hypervisor.is_none(), HYPERVISOR),
            (self.current.is_none(), GENERATION),
            (self.burstable.is_none(), CPU),
            (self.gpus.is_none(), GPUS),
            (no_ebs, EBS_BASELINE),
            (no_ebs, EBS_MAXIMUM),
            (self.cards.is_none(), EBS_CARDS),
            (self.volumes.is_none() || self.shares_attachments.is_none(), EBS_VOLUMES),
            (self.store_disks.is_none(), INSTANCE_STORE),
        ];
        unsaid.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect()
    }

    /// What keeps it out of plans, as sentences.
    fn lacks(&self, is_shipped: bool) -> Vec<String> {
        let name = &self.name;
        let needed = [
            (self.ebs().is_none(), "EbsInfo.EbsOptimizedInfo"),
            (self.volumes.is_none(), "EbsInfo.MaximumEbsAttachments"),
            (self.shares_attachments.is_none(), "EbsInfo.AttachmentLimitType"),
            (self.hypervisor.is_none(), "Hypervisor"),
            (self.arch.is_none(), "ProcessorInfo.SupportedArchitectures"),
            (self.current.is_none(), "CurrentGeneration"),
            (self.burstable.is_none(), "BurstablePerformanceSupported"),
            (self.on_demand.is_none(), "SupportedUsageClasses"),
        ];
        let missing: Vec<String> = needed
            .into_iter()
            .filter(|(lacks, _)| *lacks && !is_shipped)
            .map(|(_, field)| format!("`{field}`"))
            .collect();
        let mut all = Vec::new();
        if !missing.is_empty() {
            all.push(format!("the imported record of {name} has no {}", missing.join(", ")));
        }
        if self.on_demand == Some(false) {
            all.push(format!("{name} is not sold on demand, as its imported record says (`SupportedUsageClasses`)"));
        }
        if self.cards_differ == Some(true) {
            all.push(format!("the EBS cards of {name} are unequal in its imported record, and plans know equal ones"));
        }
        if let Some(cards) = self.cards.filter(|cards| *cards > CARDS_PLANNED) {
            all.push(format!("{name} has {cards} EBS cards, and plans know {CARDS_PLANNED}"));
        }
        all
    }
}

/// What it says otherwise than a shipped type: the figure, shipped and imported.
pub fn differences(shipped: &InstanceType, imported: &InstanceType) -> Vec<(&'static str, String, String)> {
    let both = shown(shipped).into_iter().zip(shown(imported));
    both.filter(|((_, own), (_, new))| own != new).map(|((field, own), (_, new))| (field, own, new)).collect()
}

/// The figures of a type that records have.
fn shown(row: &InstanceType) -> [(&'static str, String); 13] {
    let yes = |is: bool| (if is { "yes" } else { "no" }).to_string();
    let ebs = row.ebs.map_or_else(
        || "none".to_string(),
        |EbsLimits { base, maximum }| {
            format!(
                "{} IOPS and {}, at most {} IOPS and {}",
                base.iops.get(),
                base.throughput,
                maximum.iops.get(),
                maximum.throughput
            )
        },
    );
    let store = row.store.map_or_else(
        || "none".into(),
        |own| {
            let (medium, nvme) = (if own.is_ssd { "SSD" } else { "HDD" }, if own.is_nvme { ", NVMe" } else { "" });
            format!("{} x {} GB {medium}{nvme}", own.count, own.gb)
        },
    );
    let gbps = |milli: Option<u64>| milli.map_or("unknown".into(), |milli| (milli as f64 / 1e3).to_string());
    let shares = if row.shares_attachments { ", shared with network interfaces and NVMe disks" } else { "" };
    [
        ("vCPUs", row.vcpu.to_string()),
        ("memory", row.memory.to_string()),
        ("architecture", format!("{:?}", row.arch)),
        ("hypervisor", format!("{:?}", row.hypervisor)),
        ("current generation", yes(row.is_current)),
        ("CPU on credits", yes(row.is_burstable)),
        ("GPUs", row.gpus.to_string()),
        ("EBS", ebs),
        ("EBS cards", row.cards.to_string()),
        ("EBS volumes", format!("{}{shares}", row.volumes_most)),
        ("instance store", store),
        ("bandwidth weighting", yes(row.takes_weighting())),
        ("network", format!("{} Gb/s, at most {} Gb/s", gbps(row.network.0), gbps(row.network.1))),
    ]
}

/// A record as it is read, or what it lacks or has that cannot be.
pub(super) fn read(record: &Value) -> Result<TypeRecord, String> {
    let name = record.get("InstanceType").and_then(Value::as_str).ok_or("has no `InstanceType`")?;
    let of = Fields { name, record };
    let needed = |path: &str| of.count(path)?.ok_or_else(|| format!("`{name}` has no `{path}`"));
    let (cards, cards_differ) = of.cards()?;
    let (store_disks, store_gb) = of.disks()?;
    let nvme = of.word("InstanceStorageInfo.NvmeSupport")?;
    let limits = of.word("EbsInfo.AttachmentLimitType")?;
    let mbps = |path| of.sum("NetworkInfo.NetworkCards", path);
    let small = |figure: Option<u64>| figure.map(|figure| u32::try_from(figure).unwrap_or(u32::MAX));
    let read = TypeRecord {
        name: name.into(),
        current: of.flag("CurrentGeneration")?,
        vcpu: small(Some(needed("VCpuInfo.DefaultVCpus")?)).unwrap_or_default(),
        memory_mib: needed("MemoryInfo.SizeInMiB")?,
        arch: of.arch(),
        hypervisor: match (of.flag("BareMetal")?, of.word("Hypervisor")?) {
            (Some(true), _) => Some(Hypervisor::Metal),
            (_, Some("nitro")) => Some(Hypervisor::Nitro),
            (_, Some("xen")) => Some(Hypervisor::Xen),
            _ => None,
        },
        burstable: of.flag("BurstablePerformanceSupported")?,
        gpus: Some(of.list("GpuInfo.Gpus").filter_map(|own| own.get("Count")?.as_u64()).sum::<u64>())
            .map(|gpus| u32::try_from(gpus).unwrap_or(u32::MAX)),
        ebs_is_option: of.word("EbsInfo.EbsOptimizedSupport")?.map(|word| word == "supported"),
        // Mb/s, which are exact; the bytes beside them are rounded.
        base_mbps: of.count("EbsInfo.EbsOptimizedInfo.BaselineBandwidthInMbps")?,
        base_iops: of.count("EbsInfo.EbsOptimizedInfo.BaselineIops")?,
        max_mbps: of.count("EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps")?,
        max_iops: of.count("EbsInfo.EbsOptimizedInfo.MaximumIops")?,
        cards,
        cards_differ,
        volumes: small(of.count("EbsInfo.MaximumEbsAttachments")?),
        shares_attachments: limits.map(|word| word != "dedicated"),
        store_disks,
        store_gb,
        store_ssd: of.list("InstanceStorageInfo.Disks").find_map(|disk| Some(disk.get("Type")?.as_str()? == "ssd")),
        store_nvme: nvme.map(|word| word == "required" || word == "supported"),
        net_base_mbps: mbps("BaselineBandwidthInGbps"),
        net_max_mbps: mbps("PeakBandwidthInGbps"),
        // Where it is not listed, what is known of its family counts.
        weighting: of.list("NetworkInfo.BandwidthWeightings").any(|word| word == "ebs-1").then_some(true),
        on_demand: record
            .get("SupportedUsageClasses")
            .and_then(Value::as_array)
            .map(|all| all.iter().any(|word| word == "on-demand")),
    };
    read.checked()
}

/// The fields of a record by their paths.
struct Fields<'a> {
    name: &'a str,
    record: &'a Value,
}

impl<'a> Fields<'a> {
    fn at(&self, path: &str) -> Option<&'a Value> {
        self.record.pointer(&format!("/{}", path.replace('.', "/"))).filter(|value| !value.is_null())
    }

    fn as_is<T>(&self, path: &str, what: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, String> {
        let Some(value) = self.at(path) else { return Ok(None) };
        let wrong = || format!("`{path}` of `{}` is `{value}`, not {what}", self.name);
        read(value).map(Some).ok_or_else(wrong)
    }

    fn count(&self, path: &str) -> Result<Option<u64>, String> {
        self.as_is(path, "a count", Value::as_u64)
    }

    fn flag(&self, path: &str) -> Result<Option<bool>, String> {
        self.as_is(path, "`true` or `false`", Value::as_bool)
    }

    fn word(&self, path: &str) -> Result<Option<&'a str>, String> {
        self.as_is(path, "a word", Value::as_str)
    }

    fn list(&self, path: &str) -> impl Iterator<Item = &'a Value> {
        self.at(path).and_then(Value::as_array).into_iter().flatten()
    }

    fn arch(&self) -> Option<Arch> {
        let has = |arch: &str| self.list("ProcessorInfo.SupportedArchitectures").any(|own| own == arch);
        match (has("arm64_mac") || has("x86_64_mac"), has("arm64"), has("x86_64") || has("i386")) {
            (true, ..) => Some(Arch::Mac),
            (_, true, _) => Some(Arch::Arm),
            (.., true) => Some(Arch::X86),
            _ => None,
        }
    }

    /// Gb/s of all cards as Mb/s; absent where a card does not say it.
    fn sum(&self, cards: &str, field: &str) -> Option<u64> {
        let each: Vec<f64> = self.list(cards).map(|card| card.get(field)?.as_f64()).collect::<Option<_>>()?;
        (!each.is_empty()).then(|| (each.iter().sum::<f64>() * 1e3).round() as u64)
    }

    /// How many EBS cards it has, and whether their parts are unequal or not those of the whole.
    fn cards(&self) -> Result<(Option<u32>, Option<bool>), String> {
        const FIELDS: [&str; 4] = ["BaselineBandwidthInMbps", "BaselineIops", "MaximumBandwidthInMbps", "MaximumIops"];
        let each: Vec<&Value> = self.list("EbsInfo.EbsCards").collect();
        let (listed, said) = (each.len() as u64, self.count("EbsInfo.MaximumEbsCards")?);
        let most = said.unwrap_or(1).max(listed);
        let differs = |field: &str| {
            let whole = self.at(&format!("EbsInfo.EbsOptimizedInfo.{field}")).and_then(Value::as_u64);
            let parts = each.iter().filter_map(|card| card.get(field)?.as_u64());
            whole.is_some_and(|whole| parts.into_iter().any(|part| part.checked_mul(most) != Some(whole)))
        };
        // Records of types with one card have neither field, and those of a command that does not know them have none of any type.
        let is_known = said.is_some() || listed > 0;
        Ok((is_known.then(|| u32::try_from(most).unwrap_or(u32::MAX)), FIELDS.into_iter().any(differs).then_some(true)))
    }

    /// Local disks and GB of each. Those of several sizes do not occur; should they, they are as many of the smallest.
    fn disks(&self) -> Result<(Option<u32>, Option<u64>), String> {
        if self.flag("InstanceStorageSupported")? == Some(false) {
            return Ok((Some(0), None));
        }
        let (mut count, mut gb) = (0, None::<u64>);
        for disk in self.list("InstanceStorageInfo.Disks") {
            let figure = |key: &str| {
                let lacks = || format!("`{}` has no `InstanceStorageInfo.Disks.{key}`", self.name);
                disk.get(key).and_then(Value::as_u64).ok_or_else(lacks)
            };
            count += figure("Count")?.min(u64::from(VOLUMES_MOST));
            let size = figure("SizeInGB")?;
            gb = Some(gb.map_or(size, |gb| gb.min(size)));
        }
        Ok((gb.map(|_| u32::try_from(count).unwrap_or(u32::MAX)), gb))
    }
}
