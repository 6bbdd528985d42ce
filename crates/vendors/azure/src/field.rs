//! A row as a list of named values: what is shown, compared and exported.

use core::fmt;

use dw_units::{Bytes, Iops, Throughput};

use crate::disk::{DiskLimit, DiskOffer};
use crate::vm::{Derived, TempKind, VmLimit, VmSize};
use dw_vendor::printed::PrintedMb;

/// A named value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, for example `uncached_throughput`.
    pub name: String,
    /// The value in exact units.
    pub value: FieldValue,
    /// The figure as printed, where its unit is not that of the value.
    pub printed: Option<String>,
    /// The source id.
    pub source: String,
    /// The rule by which it was derived, where the source does not print it.
    pub rule: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A plain count.
    Count(u64),
    Bytes(u64),
    /// Requests per second.
    Iops(u64),
    /// Bytes per second.
    BytesPerSecond(u64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Text(String),
}

impl FieldValue {
    /// The number and its unit, or the word.
    pub fn unit(&self) -> Option<&'static str> {
        match self {
            FieldValue::Bytes(_) => Some("B"),
            FieldValue::Iops(_) => Some("IOPS"),
            FieldValue::BytesPerSecond(_) => Some("B/s"),
            FieldValue::Count(_) | FieldValue::Flag(_) | FieldValue::Text(_) => None,
        }
    }
}

impl fmt::Display for FieldValue {
    /// As people write it: `51,200 IOPS`, `524.288 MB/s`, `576 GiB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldValue::Count(n) => f.write_str(&grouped(*n)),
            FieldValue::Bytes(n) => write!(f, "{}", Bytes::new(*n)),
            FieldValue::Iops(n) => write!(f, "{} IOPS", grouped(*n)),
            FieldValue::BytesPerSecond(n) => write!(f, "{}", Throughput::bytes_per_second(*n)),
            FieldValue::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            FieldValue::Text(text) => f.write_str(text),
        }
    }
}

/// Digits in groups of three.
pub fn grouped(n: u64) -> String {
    dw_units::grouped(&n.to_string(), ',')
}

struct Fields<'a> {
    fields: Vec<Field>,
    source: &'a str,
    derived: &'a [Derived],
}

impl Fields<'_> {
    /// `group` is what a [`Derived`] names: several fields may have been derived together.
    fn push(&mut self, group: &str, name: &str, value: FieldValue, printed: Option<String>) {
        let derived = self.derived.iter().find(|derived| derived.field == group);
        self.fields.push(Field {
            name: name.to_string(),
            value,
            printed,
            source: derived.and_then(|derived| derived.source.clone()).unwrap_or_else(|| self.source.to_string()),
            rule: derived.map(|derived| derived.rule.clone()),
        });
    }
    fn iops(&mut self, group: &str, name: &str, iops: Option<Iops>) {
        if let Some(iops) = iops {
            self.push(group, name, FieldValue::Iops(iops.get()), None);
        }
    }
    fn throughput(&mut self, group: &str, name: &str, printed: Option<PrintedMb>) {
        if let Some(printed) = printed {
            let value = FieldValue::BytesPerSecond(printed.throughput().get());
            self.push(group, name, value, Some(printed.to_string()));
        }
    }
    fn vm_limit(&mut self, group: &str, name: &str, limit: Option<VmLimit>) {
        let Some(limit) = limit else { return };
        self.iops(group, &format!("{name}_iops"), limit.iops);
        self.throughput(group, &format!("{name}_throughput"), limit.printed);
        self.iops(group, &format!("{name}_burst_iops"), limit.burst_iops);
        self.throughput(group, &format!("{name}_burst_throughput"), limit.burst_printed);
    }
    fn disk_limit(&mut self, group: &str, name: &str, limit: Option<DiskLimit>) {
        let Some(limit) = limit else { return };
        self.iops(group, &format!("{name}iops"), Some(limit.iops));
        self.throughput(group, &format!("{name}throughput"), Some(limit.printed));
    }
    fn bytes(&mut self, group: &str, name: &str, bytes: Option<Bytes>) {
        if let Some(bytes) = bytes {
            self.push(group, name, FieldValue::Bytes(bytes.get()), None);
        }
    }
}

impl VmSize {
    /// The row as named values; what is not known is left out.
    pub fn fields(&self) -> Vec<Field> {
        // A field was derived alone, or with all others that the record lacks, or it is the row's own.
        let has = |field: &str| self.derived.iter().any(|derived| derived.field == field);
        let own = "own";
        let other = if has("other fields") { "other fields" } else { own };
        let group = |field: &'static str| if has(field) { field } else { other };
        let mut fields = Fields { fields: Vec::new(), source: &self.source, derived: &self.derived };
        if let Some(series) = &self.series {
            fields.push(other, "series", FieldValue::Text(series.clone()), None);
        }
        fields.push(own, "vcpu", FieldValue::Count(self.vcpu.into()), None);
        fields.bytes(group("memory"), "memory", self.memory_mib.map(Bytes::mib));
        fields.push(own, "max_data_disks", FieldValue::Count(self.max_data_disks.into()), None);
        if let Some(premium) = self.premium {
            fields.push(other, "premium", FieldValue::Flag(premium), None);
        }
        let host_caching = self.host_caching.map_or(FieldValue::Text("unknown".into()), FieldValue::Flag);
        fields.push(if self.premium.is_some() { other } else { own }, "host_caching", host_caching, None);
        fields.bytes(group("cache"), "cache", self.cache);
        fields.vm_limit("uncached", "uncached", Some(self.uncached));
        fields.vm_limit(if has("premium2") { "premium2" } else { own }, "premium2", self.premium2);
        fields.vm_limit(group("cached"), "cached", self.cached);
        if self.host_cache_unknown() {
            fields.push(own, "cached_limit", FieldValue::Text("not known".into()), None);
        }
        if let Some(temp) = self.temp {
            let kind = match temp.kind {
                TempKind::Scsi if self.cached.is_some() => "shares the cached limit",
                TempKind::Scsi => "SCSI",
                TempKind::LocalNvme => "local NVMe",
            };
            fields.push(other, "temp_disks", FieldValue::Count(temp.count.into()), None);
            fields.bytes(other, "temp_disk", Some(temp.size));
            fields.push(other, "temp_kind", FieldValue::Text(kind.into()), None);
            fields.vm_limit(group("temp_read"), "temp_read", temp.read);
            fields.vm_limit(group("temp_write"), "temp_write", temp.write);
        }
        fields.fields
    }
}

impl DiskOffer {
    /// The row as named values; what is not known is left out.
    pub fn fields(&self) -> Vec<Field> {
        let own = "own";
        let extra = "on-demand bursting and performance plus";
        let mut fields = Fields { fields: Vec::new(), source: &self.source, derived: &self.derived };
        fields.push(own, "family", FieldValue::Text(self.kind.name.into()), None);
        match self.fixed_size() {
            Some(size) => fields.bytes(own, "size", Some(size)),
            None => {
                fields.bytes(own, "size_min", Some(self.size.min));
                fields.bytes(own, "size_max", Some(self.size.max));
            }
        }
        fields.disk_limit(own, "", self.base);
        fields.disk_limit(own, "burst_", self.credit_burst);
        if let Some(minutes) = self.burst_minutes.filter(|_| self.credit_burst.is_some()) {
            fields.push(own, "burst_minutes", FieldValue::Count(minutes), None);
        }
        fields.disk_limit(extra, "on_demand_", self.on_demand);
        fields.disk_limit(extra, "performance_plus_", self.performance_plus);
        if let Some(rules) = self.free_form {
            let mb = |number| Some(PrintedMb { number, unit: rules.unit });
            fields.push(own, "iops_per_gib", FieldValue::Count(rules.iops_per_gib), None);
            fields.push(own, "bytes_per_iops", FieldValue::Bytes(rules.bytes_per_iops), None);
            fields.iops(own, "iops_min", Some(rules.iops_min));
            if rules.iops_min_per_gib > 0 {
                fields.push("floor", "iops_min_per_gib", FieldValue::Count(rules.iops_min_per_gib), None);
                fields.push("floor", "bytes_min_per_iops", FieldValue::Bytes(rules.bytes_min_per_iops), None);
            }
            fields.iops(own, "iops_max", Some(rules.iops_max));
            fields.throughput(own, "throughput_min", mb(rules.mb_min));
            fields.throughput(own, "throughput_max", mb(rules.mb_max));
            if let Some((iops, number)) = rules.free {
                fields.iops(own, "free_iops", Some(iops));
                fields.throughput(own, "free_throughput", mb(number));
            }
        }
        if let (Some(first), Some(last)) = (self.tiers.first(), self.tiers.last()) {
            let tiers = format!("{} to {}", first.sku, last.sku);
            fields.push(own, "tiers", FieldValue::Text(tiers), None);
        }
        if let Some(shares) = self.max_shares {
            fields.push(own, "max_shares", FieldValue::Count(shares.into()), None);
        }
        fields.push(own, "latency_model", FieldValue::Text(self.kind.latency_model.into()), None);
        fields.fields
    }
}
