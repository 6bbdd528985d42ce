//! The bash script of Azure CLI commands: resource group, VM, disks, attached by LUN with their caching.
//!
//! `az.sh` is the program, the same for every plan; this writes the parameters and the block of data before it.
//!
//! Source: the reference of `az vm create`, `az disk create`, `az vm disk attach`.

use std::fmt::Write as _;

use dw_catalogue::disk::DiskFamily;

use super::cloud::{self, Zone};
use super::quote::{comment, shell};
use super::setup::Setup;

/// The script.
pub fn text(setup: &Setup) -> String {
    let mut out = String::from("#!/usr/bin/env bash\n");
    out += &comment("#", &setup.heading("Creates the VM and disks of a plan with the Azure CLI."));
    out += "#\n#   az.sh                        shows what would be run\n\
            #   az.sh --apply                runs it; existing resources that match the plan stay, others are an error\n\
            #   az.sh --update --apply       sets tier, IOPS and MB/s of its disks to those of the plan, too\n\
            #   az.sh --undo --apply         deletes the VM; data disks stay, --apply attaches them again\n\
            #   az.sh --undo --delete-data --apply   deletes the VM and its data disks\n#\n\
            # Parameters are variables: LOCATION=westeurope ZONE=2 SUBNET=/subscriptions/... ./az.sh\n";
    let (os_sku, os_caching, os_gib) = cloud::os_disk(setup);
    let (zone, needs_zone) = match cloud::zone(setup) {
        Zone::Planned(zone) => (zone, false),
        Zone::Asked => ("", true),
        Zone::Any => ("", false),
    };
    let (image, login) = match setup.windows {
        true => (
            ": \"${IMAGE:=Win2022Datacenter}\"          # with the licence that the plan has priced\n",
            ": \"${SSH_KEY=}\"                          # empty: az asks for a password\n",
        ),
        false => (
            ": \"${IMAGE:=Ubuntu2404}\"                 # or Win2022Datacenter, with SSH_KEY=\n",
            ": \"${SSH_KEY=$HOME/.ssh/id_rsa.pub}\"     # the public key\n",
        ),
    };
    let group = match setup.is_shared() {
        true => {
            ": \"${SHARED_PREFIX:=$PREFIX}\"          # the PREFIX of the first node: those that follow attach its shared disks\n\
             : \"${RESOURCE_GROUP:=$SHARED_PREFIX}\"\n"
        }
        false => ": \"${RESOURCE_GROUP:=$PREFIX}\"\n",
    };
    let _ = write!(
        out,
        "\nset -euo pipefail\n\n# ---- parameters ----\n\n\
         : \"${{PREFIX:=diskwright}}\"                # names of VM and disks begin with it\n\
         {group}\
         : \"${{LOCATION:={}}}\"\n\
         : \"${{ZONE={zone}}}\"                        # empty: no zone\n\
         {image}: \"${{ADMIN_USER:=azureuser}}\"\n\
         {login}\
         : \"${{SUBNET:=}}\"                          # its id; empty: a network of its own\n",
        plain(&setup.region)
    );
    let _ = write!(
        out,
        "\n# ---- the plan ----\n\nVM_SIZE={}\nULTRA={}\nNEEDS_ZONE={needs_zone}\nOS_DISK_SKU={os_sku} OS_DISK_CACHING={os_caching}\nos_disk_size=({})\n\n",
        shell(&setup.vm),
        setup.has(DiskFamily::Ultra),
        os_gib.map_or(String::new(), |gib| format!("--os-disk-size-gb {gib}")),
    );
    let shares = if setup.is_shared() { " SHARES READ_IOPS READ_MBPS" } else { "" };
    let _ = writeln!(out, "# disk LUN NAME SKU GIB CACHING TIER IOPS MBPS PLUS BURST{shares}\nplan() {{\n    :");
    for disk in cloud::disks(setup) {
        let (iops, mb) = disk.bought.map_or(("-".into(), "-".into()), |(iops, mb)| (iops.to_string(), mb.to_string()));
        let read = |of: fn((u64, u64)) -> u64| disk.read_only.map_or_else(|| "-".into(), |both| of(both).to_string());
        let shared = disk.shared_by.map(|vms| format!(" {vms} {} {}", read(|both| both.0), read(|both| both.1)));
        let shared = shared.unwrap_or_default();
        let _ = writeln!(
            out,
            "    disk {} {} {} {} {} {} {iops} {mb} {} {}{shared}",
            disk.lun,
            shell(&disk.name),
            disk.sku,
            disk.gib,
            disk.caching,
            disk.tier.as_deref().unwrap_or("-"),
            yes(disk.performance_plus),
            yes(disk.on_demand_bursting),
        );
    }
    out + "}\n" + include_str!("az.sh")
}

/// A flag as the script takes it.
const fn yes(flag: bool) -> &'static str {
    if flag { "yes" } else { "-" }
}

/// A region's name: letters and digits, for a place where nothing can be quoted.
pub(crate) fn plain(region: &str) -> String {
    region.chars().filter(char::is_ascii_alphanumeric).collect()
}
