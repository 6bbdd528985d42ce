//! A rig with what was changed by hand: keys of `rig.toml`, so that its reader judges them, and what it costs.

use std::collections::BTreeMap;

use diskwright::diff;
use diskwright::dw_catalogue::free::{Follow, FreeForm};
use diskwright::dw_catalogue::{Catalogue, DiskOffer, MbUnit, Vendor, vendors};
use diskwright::dw_demand::wishes::Wishes;
use diskwright::dw_formats::scenario::Scenario;
use diskwright::dw_units::{Bytes, Iops, Throughput};
use diskwright::{Error, Result, Session};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

/// What was changed.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Changes {
    /// The VM size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vm: Option<String>,
    /// Volumes by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    volumes: BTreeMap<String, VolumeChange>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct VolumeChange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disk: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host_cache: Option<String>,
    /// GiB of each disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gib: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iops: Option<u64>,
    /// MB/s of each disk, in the unit of its vendor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mb_per_s: Option<u64>,
}

/// The rig with the changes.
pub(super) fn changed(session: &Session, rig: &str, changes: &Changes) -> Result<String> {
    if changes.vm.is_none() && changes.volumes.is_empty() {
        return Ok(rig.into());
    }
    let mut table: Table =
        toml::from_str(rig).map_err(|e| Error::input(e.message().to_string()).of_file("rig.toml"))?;
    if let Some(size) = &changes.vm
        && let Some(vm) = table.get_mut("vm").and_then(toml::Value::as_table_mut)
        && vm.get("size").and_then(toml::Value::as_str) != Some(size)
    {
        vm.insert("size".into(), size.clone().into());
        // Another size has editions of its own.
        vm.remove("edition");
    }
    for (name, change) in &changes.volumes {
        let all = table.get_mut("volume").and_then(toml::Value::as_array_mut).into_iter().flatten();
        let volume = all
            .filter_map(toml::Value::as_table_mut)
            .find(|v| v.get("name").and_then(toml::Value::as_str) == Some(name))
            .ok_or_else(|| Error::usage(format!("the rig has no volume `{name}`")))?;
        change.lay_over(session, volume)?;
    }
    toml::to_string(&table).map_err(|e| Error::unexpected(e.to_string()))
}

impl VolumeChange {
    fn lay_over(&self, session: &Session, volume: &mut Table) -> Result<()> {
        let edition = volume.get("edition").cloned();
        let mut disks = disks_of(volume)?;
        if let Some(sku) = &self.disk
            && disks.get("sku").and_then(toml::Value::as_str) != Some(sku)
        {
            disks = others(&disks, sku, offer(session, sku).as_ref());
        } else if let Some(edition) = edition {
            disks.entry("edition").or_insert(edition);
        }
        let whole = |number: u64| toml::Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        if let Some(count) = self.count {
            disks.insert("count".into(), i64::from(count).into());
        }
        if let Some(gib) = self.gib {
            disks.insert("size".into(), format!("{gib} GiB").into());
        }
        if let Some(iops) = self.iops {
            disks.insert("iops".into(), whole(iops));
        }
        if let Some(mb) = self.mb_per_s {
            let sku = disks.get("sku").and_then(toml::Value::as_str).unwrap_or_default();
            let form = offer(session, sku).and_then(|offer| offer.free_form);
            disks.insert("throughput".into(), format!("{mb} {}", form.map_or(MB_PER_S, unit)).into());
        }
        let is_striped = disks.get("count").and_then(toml::Value::as_integer).unwrap_or(1) > 1;
        if !is_striped {
            volume.remove("stripe_unit");
        }
        volume.remove("edition");
        volume.insert("disks".into(), toml::Value::Array(vec![disks.into()]));
        if let Some(cache) = &self.host_cache {
            volume.insert("host_cache".into(), cache.clone().into());
        }
        Ok(())
    }
}

const MB_PER_S: &str = "MB/s";
const MIB_PER_S: &str = "MiB/s";

fn unit(form: FreeForm) -> &'static str {
    if form.unit == MbUnit::Mebi { MIB_PER_S } else { MB_PER_S }
}

/// The disk of that name, whoever sells it.
fn offer(session: &Session, sku: &str) -> Option<DiskOffer> {
    let found = |vendor: &dyn Vendor| session.of_vendor(vendor.id()).catalogue().disk(sku, None).ok().cloned();
    vendors().into_iter().find_map(found)
}

/// As many other disks in their place. One that is sized freely is as large, and as fast as it may be of what the old one had.
fn others(old: &Table, sku: &str, offer: Option<&DiskOffer>) -> Table {
    let mut disks = Table::new();
    disks.insert("sku".into(), sku.into());
    for key in ["count", "options"] {
        disks.extend(old.get(key).cloned().map(|value| (key.to_string(), value)));
    }
    let Some((offer, form)) = offer.and_then(|offer| Some((offer, offer.free_form?))) else { return disks };
    let size = old.get("size").and_then(toml::Value::as_str).and_then(|size| size.parse::<Bytes>().ok());
    let size = size.unwrap_or(offer.size.min).clamp(offer.size.min, offer.size.max);
    disks.insert("size".into(), format!("{} GiB", size.get() >> 30).into());
    let (least, most) = form.iops_bounds(size);
    let had = old.get("iops").and_then(toml::Value::as_integer).and_then(|iops| u64::try_from(iops).ok());
    let iops = Iops::new(had.unwrap_or(0)).clamp(least, most);
    if form.follow != Follow::Both {
        disks.insert("iops".into(), i64::try_from(iops.get()).unwrap_or(i64::MAX).into());
    }
    if form.follow == Follow::Nothing {
        let (least, most) = form.throughput_bounds(iops);
        let had = old.get("throughput").and_then(toml::Value::as_str).and_then(|had| had.parse::<Throughput>().ok());
        let mb = had.unwrap_or(least).clamp(least, most).get() / form.unit.bytes();
        disks.insert("throughput".into(), format!("{mb} {}", unit(form)).into());
    }
    disks
}

/// The disks of a volume as one table, however they are written.
fn disks_of(volume: &Table) -> Result<Table> {
    let other = || Error::usage("the disks of this volume cannot be changed here").hint("edit rig.toml");
    match volume.get("disks") {
        Some(toml::Value::String(text)) if text != "temp" => {
            let (count, sku) = text.split_once(" x ").unwrap_or(("1", text));
            let mut table = Table::new();
            table.insert("sku".into(), sku.into());
            table.insert("count".into(), count.trim().parse::<i64>().map_err(|_| other())?.into());
            Ok(table)
        }
        Some(toml::Value::Array(list)) if list.len() == 1 => list[0].as_table().cloned().ok_or_else(other),
        _ => Err(other()),
    }
}

/// What a rig is, as its controls show it.
pub(super) fn shown(rig: &str, scenario: &Scenario) -> Value {
    let table: Table = toml::from_str(rig).unwrap_or_default();
    let volumes = table.get("volume").and_then(toml::Value::as_array).into_iter().flatten();
    let volumes = volumes.filter_map(toml::Value::as_table).zip(&scenario.volumes).map(|(volume, read)| {
        let disks = disks_of(volume).ok();
        let of = |key: &str| disks.as_ref().and_then(|disks| disks.get(key)).cloned();
        let throughput = of("throughput").and_then(|t| {
            let said = t.as_str()?;
            [MB_PER_S, MIB_PER_S].iter().find_map(|unit| said.strip_suffix(unit)?.trim().parse::<u64>().ok())
        });
        // Of what is sized freely.
        let gib = of("size").and_then(|size| Some(size.as_str()?.parse::<Bytes>().ok()?.get() >> 30));
        json!({
            "name": read.name, "said": read.disks, "size_bytes": read.size.get(),
            "disk": of("sku"), "count": of("count").and_then(|n| n.as_integer()).unwrap_or(1),
            "gib": gib, "iops": of("iops").and_then(|n| n.as_integer()), "mb_per_s": throughput,
            "host_cache": volume.get("host_cache").and_then(toml::Value::as_str).unwrap_or("None"),
        })
    });
    json!({ "vm": scenario.vm.size, "volumes": volumes.collect::<Vec<_>>() })
}

/// A month of it in a region, on the terms that are wished for; nothing where a price is not known. What is billed by use is not in it.
pub(super) fn monthly(catalogue: &Catalogue, scenario: &Scenario, wishes: &Wishes, region: &str) -> Option<f64> {
    let terms = Wishes { region: region.into(), ..wishes.clone() };
    // What nodes share is paid once for all of them, and a rig does not say what they share.
    let shares = terms.volumes.iter().any(|volume| terms.shared_by(volume).is_some());
    if shares { None } else { diff::monthly(catalogue, scenario, &terms) }
}
