//! Changes of machines and disks as commands of the Azure CLI and as attributes of Terraform's provider azurerm.
//!
//! Source: `az disk update`, `az vm update`, `az vm resize` of the Azure CLI 2.91, whose parser reads what is written here in the tests; of
//! attributes the documentation of `hashicorp/terraform-provider-azurerm` (managed_disk, virtual_machine_data_disk_attachment,
//! linux_virtual_machine): those of which it does not say that a change builds something anew.
//!
//! Ignores: scale sets and pools of clusters, whose machines are made from a model; conversions to kinds whose rates are chosen.

use dw_error::obeyed::is_obeyed;
use dw_estate::{Attribute, BlockOf, Change, Holds, Literal, Orders, Setting};

use crate::kinds::DiskFamily;

/// Azure's words for changes.
pub struct Commands;

/// Where a resource is: `--subscription`, `--resource-group`, `--name`.
struct Place<'a> {
    subscription: &'a str,
    group: &'a str,
    name: &'a str,
}

impl<'a> Place<'a> {
    /// Of `/subscriptions/S/resourcegroups/G/providers/Microsoft.Compute/TYPE/NAME`, which no machine of a group has. A word that the
    /// command line would take for an option or for the name of a file is none of a resource.
    fn of(id: &'a str, called: &'a str) -> Option<Place<'a>> {
        let parts: Vec<&str> = id.split('/').collect();
        let ["", subscriptions, subscription, groups, group, _, _, _, name] = parts[..] else { return None };
        let is_whole =
            subscriptions.eq_ignore_ascii_case("subscriptions") && groups.eq_ignore_ascii_case("resourceGroups");
        let is_plain = |word: &&str| !word.is_empty() && !word.starts_with(['-', '@']) && !word.contains(is_obeyed);
        // Ids are kept in small letters.
        let name = if called.eq_ignore_ascii_case(name) { called } else { name };
        let place = Place { subscription, group, name };
        (is_whole && [subscription, group, name].iter().all(is_plain)).then_some(place)
    }
    fn command(&self, words: &[&str], more: &[&str]) -> Vec<String> {
        let place = ["--subscription", self.subscription, "--resource-group", self.group, "--name", self.name];
        ["az"].iter().chain(words).chain(&place).chain(more).map(|word| word.to_string()).collect()
    }
}

/// What the interface calls a kind, its data in one zone or in several.
fn sku(kind: &str, zone_redundant: bool) -> Option<String> {
    let family = [DiskFamily::StandardHdd, DiskFamily::StandardSsd, DiskFamily::PremiumSsd]
        .into_iter()
        .find(|family| family.kind().id == kind)?;
    let name = match family {
        DiskFamily::StandardHdd => "Standard",
        DiskFamily::StandardSsd => "StandardSSD",
        _ => "Premium",
    };
    (!zone_redundant || family.kind().zone_redundant)
        .then(|| format!("{name}_{}", if zone_redundant { "ZRS" } else { "LRS" }))
}

impl Orders for Commands {
    fn commands(&self, change: &Change) -> Option<Vec<Vec<String>>> {
        // Of a group of machines, or of a cluster's, none is changed alone.
        let machine = || {
            let machine = change.machine.filter(|own| !own.count.is_known() && own.is_node.value() != Some(true))?;
            Place::of(&machine.id, &machine.name)
        };
        let disk = || change.disk.and_then(|disk| Place::of(&disk.id, &disk.name));
        let update = |more: &[&str]| Some(vec![disk()?.command(&["disk", "update"], more)]);
        // What is set on a machine that is off.
        let stopped = |between: Vec<String>| {
            let machine = machine()?;
            Some(vec![machine.command(&["vm", "deallocate"], &[]), between, machine.command(&["vm", "start"], &[])])
        };
        match &change.setting {
            Setting::Iops(iops) => update(&["--disk-iops-read-write", &iops.to_string()]),
            Setting::Mb(mb) => update(&["--disk-mbps-read-write", &mb.to_string()]),
            Setting::Mib(_) => None,
            Setting::Tier(tier) => update(&["--set", &format!("tier={tier}")]),
            Setting::BurstsByUse(is) => update(&["--enable-bursting", &is.to_string()]),
            Setting::Cache(mode) => {
                let disk = change.disk?;
                let which = match (disk.holds, disk.lun.value()) {
                    (Holds::System, _) => "os".to_string(),
                    (Holds::Data, lun) => lun?.to_string(),
                };
                let set = format!("{which}={}", mode.name());
                Some(vec![machine()?.command(&["vm", "update"], &["--disk-caching", &set])])
            }
            Setting::Kind { kind, .. } => {
                let sku = sku(kind, change.disk?.zone_redundant.value() == Some(true))?;
                stopped(disk()?.command(&["disk", "update"], &["--sku", &sku]))
            }
            Setting::SpecialDisks(is) => {
                stopped(machine()?.command(&["vm", "update"], &["--ultra-ssd-enabled", &is.to_string()]))
            }
            Setting::Size(size) => Some(vec![machine()?.command(&["vm", "resize"], &["--size", size])]),
            Setting::Released => Some(vec![machine()?.command(&["vm", "deallocate"], &[])]),
            Setting::Deleted => Some(vec![disk()?.command(&["disk", "delete"], &["--yes"])]),
        }
    }

    fn attributes(&self, change: &Change) -> Option<Vec<Attribute>> {
        let is_system = change.disk.is_some_and(|disk| disk.holds == Holds::System);
        let of_disk = |name, value| (!is_system).then_some(Attribute { of: BlockOf::Disk, within: None, name, value });
        let of_machine = |within, name, value| Some(Attribute { of: BlockOf::Machine, within, name, value });
        let one = match &change.setting {
            Setting::Iops(iops) => of_disk("disk_iops_read_write", Literal::Number(*iops)),
            Setting::Mb(mb) => of_disk("disk_mbps_read_write", Literal::Number(*mb)),
            Setting::Tier(tier) => of_disk("tier", Literal::Text(tier.clone())),
            Setting::BurstsByUse(is) => of_disk("on_demand_bursting_enabled", Literal::Flag(*is)),
            Setting::Kind { kind, .. } => {
                let sku = sku(kind, change.disk?.zone_redundant.value() == Some(true))?;
                of_disk("storage_account_type", Literal::Text(sku))
            }
            Setting::Cache(mode) if is_system => {
                of_machine(Some("os_disk"), "caching", Literal::Text(mode.name().into()))
            }
            Setting::Cache(mode) => Some(Attribute {
                of: BlockOf::Attachment,
                within: None,
                name: "caching",
                value: Literal::Text(mode.name().into()),
            }),
            Setting::SpecialDisks(is) => {
                of_machine(Some("additional_capabilities"), "ultra_ssd_enabled", Literal::Flag(*is))
            }
            Setting::Size(size) => of_machine(None, "size", Literal::Text(size.clone())),
            Setting::Mib(_) | Setting::Released | Setting::Deleted => None,
        };
        one.map(|one| vec![one])
    }

    fn refers_to_disk(&self) -> &'static str {
        "managed_disk_id"
    }

    fn blocks(&self, of: BlockOf) -> &'static [&'static str] {
        match of {
            BlockOf::Machine => &["azurerm_linux_virtual_machine", "azurerm_windows_virtual_machine"],
            BlockOf::Disk => &["azurerm_managed_disk"],
            BlockOf::Attachment => &["azurerm_virtual_machine_data_disk_attachment"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::kinds;

    #[test]
    fn kinds_whose_rates_are_chosen_have_no_command() {
        for kind in kinds() {
            assert_eq!(sku(kind.id, false).is_none(), kind.second, "{}", kind.id);
        }
        assert_eq!(sku("premium_ssd", true).as_deref(), Some("Premium_ZRS"));
        assert_eq!(sku("standard_hdd", true), None);
    }

    #[test]
    fn a_place_is_that_of_one_resource() {
        let id = |name: &str| format!("/subscriptions/s/resourcegroups/g/providers/microsoft.compute/disks/{name}");
        let of =
            |id: &str| Place::of(id, "D").map(|place| format!("{} {} {}", place.subscription, place.group, place.name));
        assert_eq!(of(&id("d")).as_deref(), Some("s g D"));
        assert_eq!(of(&id("it's $(x)")).as_deref(), Some("s g it's $(x)"));
        for odd in ["", "-rf", "@/etc/passwd", "a\u{1b}[2J", "a/b"] {
            assert_eq!(of(&id(odd)), None, "{odd}");
        }
        assert_eq!(of("azurerm_managed_disk.data"), None);
    }
}
