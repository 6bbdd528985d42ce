//! Resource SKUs: a record for each VM size or disk and location, its figures as named texts.
//!
//! Letters of names and locations may be of either case, as clients differ. The same size of several locations is one
//! row; where locations disagree the first counts, and it is said. Bytes per second are kept exactly: in MB of 10⁶, 1,024,000
//! or 2²⁰ bytes, whichever divides them; where none does they are rounded down, and that is said.
//!
//! Ignores: disks sized freely (their rules are not in a record), zone-redundant disks, local NVMe, quotas.

use std::collections::BTreeMap;

use dw_catalogue::file::{DiskRow, DiskTable, VmRow, VmTable};
use serde_json::Value;

use super::{CloudError, Day, ImportedRecords, zones};

/// No host cache is that fast: records with more are wrong, and their figure is left out.
const CACHED_MAX: u64 = 50_000_000_000;

/// Capabilities by their name in small letters.
struct Record<'a> {
    place: String,
    name: &'a str,
    figures: BTreeMap<String, &'a str>,
}

impl<'a> Record<'a> {
    fn from_json(file: &str, number: usize, value: &'a Value) -> Result<Record<'a>, CloudError> {
        let name = value["name"].as_str().ok_or_else(|| CloudError {
            place: format!("{file}: record {}", number + 1),
            what: "has no `name`".into(),
            hint: "give the complete output of `az vm list-skus -o json`, without `--query`".into(),
        })?;
        let mut figures = BTreeMap::new();
        for (key, one) in value["capabilities"].as_object().into_iter().flatten() {
            if let Some(text) = one.as_str() {
                figures.insert(key.to_ascii_lowercase(), text);
            }
        }
        for one in value["capabilities"].as_array().map_or(&[][..], Vec::as_slice) {
            let key = one["name"].as_str().or_else(|| one["key"].as_str());
            if let (Some(key), Some(text)) = (key, one["value"].as_str()) {
                figures.insert(key.to_ascii_lowercase(), text);
            }
        }
        Ok(Record { place: format!("{file}: record {} (`{name}`)", number + 1), name, figures })
    }

    fn number(&self, key: &str) -> Result<Option<u64>, CloudError> {
        let Some(text) = self.figures.get(&key.to_ascii_lowercase()) else { return Ok(None) };
        let number = text.trim().parse::<f64>().ok().filter(|n| *n >= 0.0 && *n < 1e18);
        number.map(|n| Some(n as u64)).ok_or_else(|| CloudError {
            place: self.place.clone(),
            what: format!("`{key}` is `{text}`, not a number"),
            hint: "fetch the file again; nothing of it was imported".into(),
        })
    }
    fn needed(&self, key: &str) -> Result<u64, CloudError> {
        self.number(key)?.ok_or_else(|| CloudError {
            place: self.place.clone(),
            what: format!("has no `{key}`"),
            hint: "give the complete output of `az vm list-skus -o json`, without `--query`".into(),
        })
    }
}

/// Records of a digest, VM sizes by name: `{"Standard_D2_v2": {"region": "...", "capabilities": {"vCPUs": "2"}}}`.
pub(super) fn digest(sizes: &serde_json::Map<String, Value>) -> Vec<Value> {
    let record = |(name, size): (&String, &Value)| {
        serde_json::json!({
            "resourceType": "virtualMachines", "name": name, "capabilities": size["capabilities"],
            "locations": size["region"].as_str().map_or_else(Vec::new, |region| vec![region]),
        })
    };
    sizes.iter().map(record).collect()
}

pub(super) fn read(out: &mut ImportedRecords, file: &str, records: &[Value], day: &Day) -> Result<(), CloudError> {
    let source = out.source("skus", file, day);
    let edition = super::edition_of(day);
    let mut seen: BTreeMap<String, VmRow> = BTreeMap::new();
    for (number, value) in records.iter().enumerate() {
        let kind = value["resourceType"].as_str().unwrap_or("").to_ascii_lowercase();
        match kind.as_str() {
            "virtualmachines" => {
                let record = Record::from_json(file, number, value)?;
                zones::add(out, &record.place, record.name, value, &source)?;
                let Some((table, row)) = vm(&record, &source, &edition)? else {
                    out.leave_out("VM sizes without an uncached limit");
                    continue;
                };
                match seen.get(record.name) {
                    Some(before) if before.uncached == row.uncached && before.cached == row.cached => {}
                    Some(_) => out
                        .notes
                        .push(format!("{}: another location has different limits; the first is used", record.place)),
                    None => {
                        out.notes.extend(rounded(&record)?);
                        seen.insert(record.name.to_string(), row.clone());
                        push_vm(&mut out.vms, table, row);
                    }
                }
            }
            "disks" => disk(out, &Record::from_json(file, number, value)?, value, &source, &edition)?,
            "" => {
                return Err(CloudError {
                    place: format!("{file}: record {}", number + 1),
                    what: "has no `resourceType`".into(),
                    hint: "expected the output of `az vm list-skus -o json`".into(),
                });
            }
            _ => out.leave_out("records of other kinds than VM sizes and disks"),
        }
    }
    Ok(())
}

/// Bytes per second as a whole number of a unit: `(number, bytes of the unit)`.
fn exact(bytes: u64) -> Option<(u64, u64)> {
    let unit = [1_000_000, 1_048_576, 1_024_000].into_iter().find(|unit| bytes.is_multiple_of(*unit))?;
    Some((bytes / unit, unit))
}

/// What of a record is not a whole number of any MB, and is kept rounded down.
fn rounded(record: &Record) -> Result<Vec<String>, CloudError> {
    let mut notes = Vec::new();
    for key in ["UncachedDiskBytesPerSecond", "CombinedTempDiskAndCachedReadBytesPerSecond"] {
        if let Some(bytes) = record.number(key)?.filter(|bytes| exact(*bytes).is_none() && *bytes < CACHED_MAX) {
            let kept = bytes / 1_000_000;
            notes.push(format!("{}: `{key}` of {bytes} is kept as {kept} MB/s, rounded down", record.place));
        }
    }
    Ok(notes)
}

/// A row and the table that it belongs in, without rows.
fn vm(record: &Record, source: &str, edition: &str) -> Result<Option<(VmTable, VmRow)>, CloudError> {
    let rate = |bytes: u64| exact(bytes).unwrap_or((bytes / 1_000_000, 1_000_000));
    let (Some(iops), Some(bytes)) = (record.number("UncachedDiskIOPS")?, record.number("UncachedDiskBytesPerSecond")?)
    else {
        return Ok(None);
    };
    let (uncached, mb_uncached) = rate(bytes);
    let cached_iops = record.number("CombinedTempDiskAndCachedIOPS")?.filter(|n| *n > 0);
    let cached_bytes =
        record.number("CombinedTempDiskAndCachedReadBytesPerSecond")?.filter(|n| *n > 0 && *n < CACHED_MAX);
    let cached = cached_iops.zip(cached_bytes).map(|(iops, bytes)| (iops, rate(bytes)));
    let premium = record.figures.get("premiumio").map(|text| text.eq_ignore_ascii_case("true"));
    let vcpu = record.number("vCPUsAvailable")?.map_or_else(|| record.needed("vCPUs"), Ok)?;
    let memory = record.figures.get("memorygb").and_then(|text| text.parse::<f64>().ok());
    let row = VmRow {
        name: record.name.to_string(),
        vcpu: vcpu as u32,
        memory_mib: memory.map(|gib| (gib * 1_024.0).round() as u64),
        disks: record.needed("MaxDataDiskCount")? as u32,
        temp_gib: record.number("MaxResourceVolumeMB")?.map(|mib| mib / 1_024),
        cache_gib: record.number("CachedDiskBytes")?.map(|bytes| bytes >> 30),
        cached: cached.map(|(iops, (mb, _))| vec![iops, mb]),
        uncached: Some(vec![iops, uncached]),
        ..VmRow::default()
    };
    let table = VmTable {
        edition: edition.to_string(),
        series: None,
        source: source.to_string(),
        premium: Some(premium.unwrap_or(false)),
        // Records of sizes with a host cache leave it out, too.
        host_caching: row.cache_gib.map(|gib| gib > 0),
        ultra: record.figures.get("ultrassdavailable").map(|text| text.eq_ignore_ascii_case("true")),
        controllers: record.figures.get("diskcontrollertypes").map(|text| text.replace(',', " ")),
        mb_uncached,
        mb_cached: cached.map(|(_, (_, unit))| unit),
        mb_temp: None,
        rows: Vec::new(),
    };
    Ok(Some((table, row)))
}

/// Into the table of its kind.
fn push_vm(tables: &mut Vec<VmTable>, table: VmTable, row: VmRow) {
    let key = |t: &VmTable| {
        let features = (t.premium, t.host_caching, t.ultra, t.controllers.clone());
        (t.edition.clone(), t.source.clone(), features, t.mb_uncached, t.mb_cached)
    };
    match tables.iter_mut().find(|other| key(other) == key(&table)) {
        Some(other) => other.rows.push(row),
        None => tables.push(VmTable { rows: vec![row], ..table }),
    }
}

fn disk(
    out: &mut ImportedRecords,
    record: &Record,
    value: &Value,
    source: &str,
    edition: &str,
) -> Result<(), CloudError> {
    let family = match record.name.to_ascii_lowercase().as_str() {
        "premium_lrs" => "premium_ssd",
        "standardssd_lrs" => "standard_ssd",
        "standard_lrs" => "standard_hdd",
        "premiumv2_lrs" | "ultrassd_lrs" => {
            out.leave_out("disks sized freely: their rules are not in a record");
            return Ok(());
        }
        _ => {
            out.leave_out("disks of other kinds, zone-redundant ones among them");
            return Ok(());
        }
    };
    let sku = value["size"].as_str().ok_or_else(|| CloudError {
        place: record.place.clone(),
        what: "has no `size`".into(),
        hint: "give the complete output of `az vm list-skus -o json`, without `--query`".into(),
    })?;
    let is_there = |table: &&mut DiskTable| table.family == family && table.edition == edition;
    let burst = record.number("MaxBurstIops")?.zip(record.number("MaxBurstBandwidthMBps")?);
    let row = DiskRow {
        sku: sku.to_string(),
        size_gib: vec![record.needed("MaxSizeGiB")?],
        base: Some(vec![record.needed("MaxIOps")?, record.needed("MaxBandwidthMBps")?]),
        credit_burst: burst.map(|(iops, mb)| vec![iops, mb]),
        burst_minutes: burst.map(|_| 30),
        max_shares: record.number("MaxValueOfMaxShares")?.map(|n| n as u32),
        ..DiskRow::default()
    };
    match out.disks.iter_mut().find(is_there) {
        Some(table) => match table.rows.iter().find(|other| other.sku == row.sku) {
            Some(before) if before.base == row.base => {}
            Some(_) => {
                out.notes.push(format!("{}: another location has different limits; the first is used", record.place))
            }
            None => table.rows.push(row),
        },
        None => out.disks.push(DiskTable {
            edition: edition.to_string(),
            family: family.to_string(),
            source: source.to_string(),
            mb: 1_000_000,
            mb_printed: "MBps as API".into(),
            rows: vec![row],
        }),
    }
    Ok(())
}
