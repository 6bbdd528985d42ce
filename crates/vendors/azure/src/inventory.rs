//! What inventories say of Azure's machines and disks.
//!
//! Four shapes: what `az vm list -d`, `az disk list`, `az vmss list` and Resource Graph print (`resource.rs`; what stands under `properties`
//! may also lie beside it, or be a column `properties_storageProfile`), blocks of Terraform's and OpenTofu's provider azurerm
//! (`block.rs`), resources of a compiled ARM or Bicep template (`resource.rs` again), and nodes, volumes and classes of a cluster
//! (`object.rs`).
//!
//! Source: the shapes of the commands and of the interface's records in `MicrosoftDocs/azure-docs-cli` and `Azure/azure-rest-api-specs`
//! (compute, 2024-07), of the blocks in the documentation of `hashicorp/terraform-provider-azurerm`, of a cluster's objects in that of
//! `kubernetes-sigs/azuredisk-csi-driver`.
//!
//! Ignores: unmanaged disks, images, snapshots; who may read what.

use std::sync::LazyLock;

use dw_estate::{Gathered, Keyed, Records, Shape, SourceId, Told};
use dw_units::CacheMode;
use serde_json::{Map, Value};

use crate::kinds::DiskFamily;

mod block;
mod image;
mod object;
mod resource;

/// Wherever these stand, they say nothing of a machine's size, state and disks.
static OF_NO_USE: Known = Known(LazyLock::new(|| {
    "adminusername allowextensionoperations bootdiagnostics computername createoption customdata dataaccessauthmode diagnosticsprofile diskaccessid \
     diskencryptionset disksizebytes encryptionsettingscollection fqdns galleryimagereference hypervgeneration lastownershipupdatetime \
     logicalsectorsize macaddresses networkaccesspolicy networkprofile patchsettings privateips propertyupdatesinprogress provisioningstate \
     publicips publicnetworkaccess resourcegroup secrets securitydatauri sourceresourceid sourceuniqueid sourceuri ssh storageaccountid \
     subscriptionid tenantid timecreated tobedetached uefisettings uniqueid uploadsizebytes vmid vmsizeproperties".split_whitespace().collect()
}));

/// Azure's records.
pub struct Inventory;

impl Records for Inventory {
    fn vendor(&self) -> &'static str {
        "azure"
    }
    fn printed_by(&self) -> &'static str {
        "az vm list -d -o json > vms.json; az disk list -o json > disks.json"
    }
    fn lists(&self) -> &'static [&'static str] {
        &["value", "data"]
    }
    fn take(&self, shape: Shape, record: &Value, into: &mut Gathered) -> bool {
        match shape {
            Shape::Resource | Shape::Template => resource::take(shape, record, into),
            Shape::Block => block::take(record, into),
            Shape::Configuration => block::refer(record, into),
            Shape::Object => object::take(record, into),
        }
    }
    fn needs(&self, name: &str, is_null: bool) -> bool {
        // A record with `zones` of null is of something in no zone.
        if is_null { name == "zones" } else { !OF_NO_USE.has(name) }
    }
    fn machine_of(&self, record: &Value) -> Option<Box<str>> {
        resource::machine_of(record)
    }
}

/// The family that the interface calls so, and whether its data are in several zones.
pub(crate) fn family(sku: &str) -> Option<(DiskFamily, bool)> {
    let (kind, redundancy) = sku.rsplit_once('_')?;
    let family = match kind.to_ascii_lowercase().as_str() {
        "standard" => DiskFamily::StandardHdd,
        "standardssd" => DiskFamily::StandardSsd,
        "premium" => DiskFamily::PremiumSsd,
        "premiumv2" => DiskFamily::PremiumSsdV2,
        "ultrassd" => DiskFamily::Ultra,
        _ => return None,
    };
    match redundancy.to_ascii_uppercase().as_str() {
        "LRS" => Some((family, false)),
        "ZRS" => Some((family, true)),
        _ => None,
    }
}

/// A record, its keys in whatever case.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(Option<&'a Map<String, Value>>);

impl<'a> Keyed<'a> for Fields<'a> {
    fn get(self, key: &str) -> Option<&'a Value> {
        let map = self.0?;
        let found =
            map.get(key).or_else(|| map.iter().find(|(own, _)| own.eq_ignore_ascii_case(key)).map(|(_, value)| value));
        found.filter(|value| !value.is_null())
    }
    fn is_expression(text: &str) -> bool {
        text.starts_with('[') && text.ends_with(']') && !text.starts_with("[[")
    }
}

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value) -> Fields<'a> {
        Fields(value.as_object())
    }
    pub fn keys(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
    /// The record under a key; of a list the first.
    pub fn inner(self, key: &str) -> Fields<'a> {
        let found = self.get(key);
        let first = found.and_then(|value| value.as_array()).and_then(|list| list.first());
        Fields(first.or(found).and_then(Value::as_object))
    }
    pub fn is_there(self) -> bool {
        self.0.is_some()
    }
}

/// Names of fields that are read, or say nothing of disks; in small letters, whatever case a source writes.
pub(crate) struct Known(LazyLock<ByLength, fn() -> ByLength>);

/// A list of ten thousand machines has five million fields, and few names are as long as one of them.
pub(crate) struct ByLength(Vec<Vec<&'static str>>);

impl FromIterator<&'static str> for ByLength {
    fn from_iter<T: IntoIterator<Item = &'static str>>(names: T) -> ByLength {
        let mut all: Vec<Vec<&'static str>> = Vec::new();
        for name in names {
            all.resize(all.len().max(name.len() + 1), Vec::new());
            all[name.len()].push(name);
        }
        ByLength(all)
    }
}

impl Known {
    pub fn has(&self, field: &str) -> bool {
        self.0.0.get(field.len()).is_some_and(|names| names.iter().any(|name| name.eq_ignore_ascii_case(field)))
    }
}

/// Values as one source tells them.
#[derive(Clone, Copy)]
pub(crate) struct Teller(pub SourceId);

impl Teller {
    pub fn text(self, value: Option<&str>) -> Told<Box<str>> {
        Told::of(self.0, value.map(Into::into))
    }
    pub fn of<T>(self, value: Option<T>) -> Told<T> {
        Told::of(self.0, value)
    }
    /// The kind and whether it is in several zones; one that is not known by the word that it came by.
    pub fn kind(self, sku: Option<&str>) -> (Told<Box<str>>, Told<bool>) {
        let found = sku.and_then(family);
        (self.text(found.map(|(family, _)| family.kind().id).or(sku)), self.of(found.map(|(_, zones)| zones)))
    }
    pub fn cache(self, word: Option<&str>) -> Told<CacheMode> {
        let mode = |word: &str| CacheMode::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(word));
        self.of(word.and_then(mode))
    }
    /// Regions as their vendor's interface has them: `East US` is `eastus`.
    pub fn region(self, word: Option<&str>) -> Told<Box<str>> {
        let plain = word.map(|word| word.replace(' ', "").to_ascii_lowercase());
        self.text(plain.as_deref().filter(|word| !word.is_empty()))
    }
}

/// The part of an id behind a word: `vm-1` of `…/virtualMachines/vm-1`.
pub(crate) fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// Whether a kind of resource is this one: `Microsoft.Compute/disks`.
pub(crate) fn is_kind(kind: &str, wanted: &str) -> bool {
    kind.eq_ignore_ascii_case(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_disks_as_the_interface_calls_them() {
        for (sku, expected) in [
            ("Premium_LRS", Some(("premium_ssd", false))),
            ("premium_zrs", Some(("premium_ssd", true))),
            ("StandardSSD_LRS", Some(("standard_ssd", false))),
            ("Standard_LRS", Some(("standard_hdd", false))),
            ("PremiumV2_LRS", Some(("premium_ssd_v2", false))),
            ("UltraSSD_LRS", Some(("ultra", false))),
            ("Premium", None),
            ("Premium_GRS", None),
        ] {
            assert_eq!(family(sku).map(|(family, zones)| (family.kind().id, zones)), expected, "{sku}");
        }
    }
}
