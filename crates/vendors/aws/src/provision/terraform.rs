//! The Terraform configuration (hashicorp/aws): instance, volumes, attachments by device.
//!
//! `main.tf` is the program, the same for every plan; this writes the variables and locals before it.

use std::fmt::Write as _;

use dw_vendor::quote::hcl;

use super::image;
use super::plan::{Plan, letter};

/// The configuration.
pub(super) fn text(plan: &Plan) -> String {
    let mut lines = plan.build.heading("The instance and volumes of a plan, for Terraform.");
    lines.extend([
        String::new(),
        "terraform init, then terraform plan shows what would be done, terraform apply does it. To undo: terraform state rm the".into(),
        "volumes that must stay, and terraform destroy. On the instance: sudo VOLUMES=\"$(terraform output -raw volumes)\" ./linux.sh".into(),
    ]);
    let mut out = dw_vendor::quote::comment("#", &lines);
    let zone = letter(plan.build).map_or(String::new(), |zone| format!("  default     = {}\n", hcl(zone)));
    let _ = write!(
        out,
        "\nvariable \"region\" {{\n  type    = string\n  default = {}\n}}\n\n\
         variable \"zone\" {{\n  description = \"The letter of the zone that instance and volumes are in\"\n  type        = string\n{zone}}}\n\n\
         variable \"image_parameter\" {{\n  description = \"The public parameter of the image\"\n  type        = string\n  default     = {}\n}}\n\n\
         locals {{\n  instance_type = {}\n  ebs_optimized = {}\n  bandwidth     = {}\n  root_disk     = {}\n  data_disks = {{\n",
        hcl(&plan.build.region),
        hcl(image::parameter(plan)),
        hcl(&plan.row.name),
        if plan.row.ebs_is_option { "true" } else { "null" },
        hcl(plan.bandwidth),
        plan.os.as_ref().map_or("null".into(), |disk| {
            format!(
                "{{ kind = {}, size_gib = {}, iops = {}, mib = {} }}",
                hcl(disk.volume.kind.id),
                disk.volume.gib,
                or_null(disk.iops()),
                or_null(disk.mib())
            )
        }),
    );
    for (number, disk) in plan.disks.iter().enumerate() {
        let _ = writeln!(
            out,
            "    {} = {{ number = {number}, kind = {}, size_gib = {}, iops = {}, mib = {}, device = {}, card = {}, nodes = {} }}",
            hcl(&disk.name),
            hcl(disk.volume.kind.id),
            disk.volume.gib,
            or_null(disk.iops()),
            or_null(disk.mib()),
            hcl(&disk.device),
            disk.card,
            or_null(disk.shared_by.map(u64::from)),
        );
    }
    out + "  }\n}\n" + include_str!("main.tf")
}

fn or_null(figure: Option<u64>) -> String {
    figure.map_or_else(|| "null".into(), |figure| figure.to_string())
}
