//! What Azure CLI, Bicep and Terraform say alike: SKUs, names and figures of disks.

use dw_catalogue::disk::DiskFamily;
use dw_units::CacheMode;

use super::setup::{Disks, Setup};

/// A data disk.
pub(crate) struct CloudDisk {
    pub(crate) lun: u32,
    /// After the prefix: `data-0`.
    pub(crate) name: String,
    pub(crate) sku: &'static str,
    pub(crate) gib: u64,
    pub(crate) caching: &'static str,
    /// The performance tier, of premium SSDs without performance plus, which has figures of its own.
    pub(crate) tier: Option<String>,
    pub(crate) performance_plus: bool,
    pub(crate) on_demand_bursting: bool,
    /// IOPS and MB/s, where they are bought.
    pub(crate) bought: Option<(u64, u64)>,
    /// So many VMs attach it.
    pub(crate) shared_by: Option<u32>,
    /// IOPS and MB/s for those that only read, where these are bought.
    pub(crate) read_only: Option<(u64, u64)>,
}

/// The vendor's name of disks.
fn sku(disks: &Disks) -> &'static str {
    match (disks.family, disks.zone_redundant) {
        (Some(DiskFamily::StandardSsd), true) => "StandardSSD_ZRS",
        (Some(DiskFamily::PremiumSsd), true) => "Premium_ZRS",
        (family, _) => family.map_or("", local),
    }
}

/// The vendor's name of a family, for disks that stay in one zone.
const fn local(family: DiskFamily) -> &'static str {
    match family {
        DiskFamily::StandardHdd => "Standard_LRS",
        DiskFamily::StandardSsd => "StandardSSD_LRS",
        DiskFamily::PremiumSsd => "Premium_LRS",
        DiskFamily::PremiumSsdV2 => "PremiumV2_LRS",
        DiskFamily::Ultra => "UltraSSD_LRS",
    }
}

/// All data disks by LUN.
pub(crate) fn disks(setup: &Setup) -> Vec<CloudDisk> {
    let mut out = Vec::new();
    for (number, _, disks, first) in setup.data() {
        let name = setup.names.get(number).map_or("", String::as_str);
        out.extend((0..disks.count).map(|n| {
            CloudDisk {
                lun: first + n,
                name: format!("{name}-{n}"),
                sku: sku(disks),
                gib: disks.gib,
                caching: disks.host_cache.name(),
                tier: (disks.family == Some(DiskFamily::PremiumSsd) && !disks.performance_plus)
                    .then(|| disks.tier.as_ref().unwrap_or(&disks.sku).clone()),
                performance_plus: disks.performance_plus,
                on_demand_bursting: disks.on_demand_bursting,
                bought: disks.bought,
                shared_by: disks.shared_by,
                read_only: disks.read_only,
            }
        }));
    }
    out
}

/// SKU, caching and size of the disk of the operating system; without one in the plan as the vendor has it.
pub(crate) fn os_disk(setup: &Setup) -> (&'static str, &'static str, Option<u64>) {
    match setup.os() {
        // The vendor turns None into ReadOnly without a word.
        Some(disks) if disks.host_cache == CacheMode::None => (sku(disks), CacheMode::ReadOnly.name(), Some(disks.gib)),
        Some(disks) => (sku(disks), disks.host_cache.name(), Some(disks.gib)),
        None if setup.premium => (local(DiskFamily::PremiumSsd), CacheMode::ReadWrite.name(), None),
        None => (local(DiskFamily::StandardSsd), CacheMode::ReadWrite.name(), None),
    }
}

/// The zone that VM and disks are in.
pub(crate) enum Zone<'a> {
    /// That of the plan.
    Planned(&'a str),
    /// One that the plan does not name and that must be named: ultra disks are in one where the region has zones, premium SSD v2 but in the
    /// regions that have it without. Which one a subscription may use, and where its other machines are, only its owner knows.
    Asked,
    /// None.
    Any,
}

/// What a script says of its parameter, behind the word for none.
pub(crate) const ZONE: &str = "no zone. Ultra disks need one, and in many regions Premium SSD v2";

pub(crate) fn zone(setup: &Setup) -> Zone<'_> {
    let must = (setup.has(DiskFamily::PremiumSsdV2) && setup.v2_needs_zone) || setup.has(DiskFamily::Ultra);
    match &setup.zone {
        Some(zone) => Zone::Planned(zone),
        None if must && setup.has_zones => Zone::Asked,
        None => Zone::Any,
    }
}

/// The image that the VM starts from: publisher, offer, SKU, version. That of Windows brings the licence that the plan has priced.
pub(crate) const fn image(setup: &Setup) -> [&'static str; 4] {
    match setup.windows {
        true => ["MicrosoftWindowsServer", "WindowsServer", "2022-datacenter-azure-edition", "latest"],
        false => ["Canonical", "ubuntu-24_04-lts", "server", "latest"],
    }
}
