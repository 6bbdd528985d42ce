//! Instance types as `describe-instance-types` prints them.

use dw_units::{Bytes, Iops, Throughput};
use serde_json::Value;

use crate::instances::{Arch, EbsLimit, EbsLimits, Hypervisor, InstanceType};

/// An instance type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeRecord {
    pub name: String,
    pub is_current: bool,
    pub vcpu: u32,
    pub memory: Bytes,
    pub arch: Arch,
    pub hypervisor: Hypervisor,
    /// Absent where the record has none.
    pub ebs: Option<EbsLimits>,
    /// Local disks: how many, and 10⁹ bytes of each.
    pub store: Option<(u32, u64)>,
}

impl TypeRecord {
    /// What it says otherwise than a shipped type: the figure, shipped and imported.
    pub fn differences(&self, shipped: &InstanceType) -> Vec<(&'static str, String, String)> {
        let shown = |limits: Option<EbsLimits>| match limits {
            None => "none".to_string(),
            Some(EbsLimits { base, maximum }) => format!(
                "{} IOPS and {}, at most {} IOPS and {}",
                base.iops.get(),
                base.throughput,
                maximum.iops.get(),
                maximum.throughput
            ),
        };
        let store = shipped.store.map(|store| (store.count, store.gb));
        let disks = |of: Option<(u32, u64)>| of.map_or("none".into(), |(count, gb)| format!("{count} x {gb} GB"));
        let rows = [
            ("vCPUs", shipped.vcpu.to_string(), self.vcpu.to_string()),
            ("memory", shipped.memory.to_string(), self.memory.to_string()),
            ("EBS", shown(shipped.ebs), shown(self.ebs)),
            ("instance store", disks(store), disks(self.store)),
        ];
        rows.into_iter().filter(|(_, shipped, imported)| shipped != imported).collect()
    }
}

/// A record, or what it lacks.
pub(super) fn read(record: &Value) -> Result<TypeRecord, String> {
    let name = record.get("InstanceType").and_then(Value::as_str).ok_or("has no `InstanceType`")?;
    let figure = |path: &str| {
        let found = record.pointer(path).and_then(Value::as_u64);
        found.ok_or_else(|| format!("`{name}` has no `{}`", path.trim_start_matches('/').replace('/', ".")))
    };
    let flag = |key: &str| record.get(key).and_then(Value::as_bool).unwrap_or(false);
    let vcpu = figure("/VCpuInfo/DefaultVCpus")?;
    let arches = record.pointer("/ProcessorInfo/SupportedArchitectures").and_then(Value::as_array);
    let has = |arch: &str| arches.is_some_and(|all| all.iter().any(|own| own == arch));
    let arch = match (has("arm64_mac") || has("x86_64_mac"), has("arm64")) {
        (true, _) => Arch::Mac,
        (_, true) => Arch::Arm,
        _ => Arch::X86,
    };
    let hypervisor = match record.get("Hypervisor").and_then(Value::as_str) {
        _ if flag("BareMetal") => Hypervisor::Metal,
        Some("xen") => Hypervisor::Xen,
        _ => Hypervisor::Nitro,
    };
    let limit = |which: &str| {
        let of = |what: &str| figure(&format!("/EbsInfo/EbsOptimizedInfo/{which}{what}"));
        // Mb/s, which are exact; the bytes beside them are rounded.
        Ok::<_, String>(EbsLimit {
            iops: Iops::new(of("Iops")?),
            throughput: Throughput::bytes_per_second(of("BandwidthInMbps")? * 125_000),
        })
    };
    let ebs = match record.pointer("/EbsInfo/EbsOptimizedInfo").is_some_and(Value::is_object) {
        true => Some(EbsLimits { base: limit("Baseline")?, maximum: limit("Maximum")? }),
        false => None,
    };
    let disk = record.pointer("/InstanceStorageInfo/Disks/0");
    let store = match disk.filter(|_| flag("InstanceStorageSupported")) {
        None => None,
        Some(_) => {
            let count = figure("/InstanceStorageInfo/Disks/0/Count")?;
            Some((u32::try_from(count).unwrap_or(u32::MAX), figure("/InstanceStorageInfo/Disks/0/SizeInGB")?))
        }
    };
    Ok(TypeRecord {
        name: name.into(),
        is_current: flag("CurrentGeneration"),
        vcpu: u32::try_from(vcpu).unwrap_or(u32::MAX),
        memory: Bytes::mib(figure("/MemoryInfo/SizeInMiB")?),
        arch,
        hypervisor,
        ebs,
        store,
    })
}
