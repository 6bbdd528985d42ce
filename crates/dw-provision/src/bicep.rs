//! The Bicep file: VM, disks, attachments with LUN and caching.
//!
//! `main.bicep` is the program, the same for every plan; this writes the parameters and variables before it.

use std::fmt::Write as _;

use dw_catalogue::disk::DiskFamily;

use super::cloud::{self, Zone};
use super::quote::{bicep, comment};
use super::setup::Setup;

/// The file.
pub fn text(setup: &Setup) -> String {
    let mut lines = setup.heading("The VM and disks of a plan, for Bicep.");
    lines.extend([
        String::new(),
        "az deployment group create --resource-group NAME --template-file main.bicep --parameters subnetId=... --what-if".into(),
        "shows what would be done; without --what-if it does it. To undo: az.sh --undo with the same prefix.".into(),
    ]);
    let mut out = comment("//", &lines);
    let (os_sku, os_caching, os_gib) = cloud::os_disk(setup);
    let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".into());
    let zone = match cloud::zone(setup) {
        Zone::Planned(zone) => format!(" = {}", bicep(zone)),
        // Who deploys it has to name one.
        Zone::Asked => String::new(),
        Zone::Any => " = ''".into(),
    };
    let [publisher, offer, sku, version] = cloud::image(setup).map(bicep);
    let _ = write!(
        out,
        "\nparam location string = {}\n\n@description('Empty: {}.')\n\
         param zone string{zone}\n\n\
         @description('A Windows VM, with adminPassword; else Linux, with sshPublicKey.')\nparam windows bool = {}\n\n\
         param image object = {{\n  publisher: {publisher}\n  offer: {offer}\n  sku: {sku}\n  version: {version}\n}}\n\nvar vmSize = {}\nvar ultra = {}\nvar osDisk = {{\n  sku: {}\n  caching: {}\n  sizeGiB: {}\n}}\n\
         var dataDisks = [\n",
        bicep(&setup.region),
        cloud::ZONE,
        setup.windows,
        bicep(&setup.vm),
        setup.has(DiskFamily::Ultra),
        bicep(os_sku),
        bicep(os_caching),
        or_null(os_gib.map(|gib| gib.to_string())),
    );
    for disk in cloud::disks(setup) {
        let (iops, mb) = (disk.bought.map(|(iops, _)| iops.to_string()), disk.bought.map(|(_, mb)| mb.to_string()));
        let _ = write!(
            out,
            "  {{\n    name: {}\n    lun: {}\n    sku: {}\n    sizeGiB: {}\n    caching: {}\n    tier: {}\n    iops: {}\n    \
             mbps: {}\n    performancePlus: {}\n    bursting: {}\n    shares: {}\n    readIops: {}\n    readMbps: {}\n  }}\n",
            bicep(&disk.name),
            disk.lun,
            bicep(disk.sku),
            disk.gib,
            bicep(disk.caching),
            or_null(disk.tier.map(|tier| bicep(&tier))),
            or_null(iops),
            or_null(mb),
            or_null(disk.performance_plus.then(|| "true".into())),
            or_null(disk.on_demand_bursting.then(|| "true".into())),
            or_null(disk.shared_by.map(|vms| vms.to_string())),
            or_null(disk.read_only.map(|(iops, _)| iops.to_string())),
            or_null(disk.read_only.map(|(_, mb)| mb.to_string())),
        );
    }
    out + "]\n" + include_str!("main.bicep")
}
