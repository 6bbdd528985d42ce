//! The Terraform configuration (azurerm): VM, disks, attachments with LUN and caching.
//!
//! `main.tf` is the program, the same for every plan; this writes the locals before it.

use std::fmt::Write as _;

use dw_catalogue::disk::DiskFamily;

use super::cloud::{self, Zone};
use super::quote::{comment, hcl};
use super::setup::Setup;

/// The configuration.
pub fn text(setup: &Setup) -> String {
    let mut lines = setup.heading("The VM and disks of a plan, for Terraform.");
    lines.extend([
        String::new(),
        "terraform init, then terraform plan shows what would be done, terraform apply does it. To undo: terraform state rm the".into(),
        "disks that must stay, and terraform destroy.".into(),
    ]);
    let mut out = comment("#", &lines);
    let (os_sku, os_caching, os_gib) = cloud::os_disk(setup);
    let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".into());
    let zone = match cloud::zone(setup) {
        Zone::Planned(zone) => format!("  default     = {}\n", hcl(zone)),
        // Who applies it has to name one.
        Zone::Asked => String::new(),
        Zone::Any => "  default     = null\n".into(),
    };
    let _ = write!(
        out,
        "\nvariable \"location\" {{\n  type    = string\n  default = {}\n}}\n\n\
         variable \"windows\" {{\n  description = \"A Windows VM, with admin_password; else Linux, with ssh_public_key\"\n  \
         type        = bool\n  default     = {}\n}}\n\n\
         variable \"image\" {{\n  description = \"publisher, offer, sku, version\"\n  type        = list(string)\n  \
         default     = [{}]\n}}\n\n\
         variable \"zone\" {{\n  description = \"null: {}\"\n  \
         type        = string\n{zone}}}\n\nlocals {{\n  vm_size      = {}\n  ultra        = {}\n  \
         os_disk      = {{ sku = {}, caching = {}, size_gib = {} }}\n  data_disks = {{\n",
        hcl(&setup.region),
        setup.windows,
        cloud::image(setup).map(hcl).join(", "),
        cloud::ZONE,
        hcl(&setup.vm),
        setup.has(DiskFamily::Ultra),
        hcl(os_sku),
        hcl(os_caching),
        or_null(os_gib.map(|gib| gib.to_string())),
    );
    for disk in cloud::disks(setup) {
        let (iops, mb) = (disk.bought.map(|(iops, _)| iops.to_string()), disk.bought.map(|(_, mb)| mb.to_string()));
        let _ = writeln!(
            out,
            "    {} = {{ lun = {}, sku = {}, size_gib = {}, caching = {}, tier = {}, iops = {}, mbps = {}, \
             plus = {}, burst = {}, shares = {}, read_iops = {}, read_mbps = {} }}",
            hcl(&disk.name),
            disk.lun,
            hcl(disk.sku),
            disk.gib,
            hcl(disk.caching),
            or_null(disk.tier.map(|tier| hcl(&tier))),
            or_null(iops),
            or_null(mb),
            or_null(disk.performance_plus.then(|| "true".into())),
            or_null(disk.on_demand_bursting.then(|| "true".into())),
            or_null(disk.shared_by.map(|vms| vms.to_string())),
            or_null(disk.read_only.map(|(iops, _)| iops.to_string())),
            or_null(disk.read_only.map(|(_, mb)| mb.to_string())),
        );
    }
    out + "  }\n}\n" + include_str!("main.tf")
}
