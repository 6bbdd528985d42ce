//! A plan as a scenario: what `simulate` and `emulate` take, so that a plan can be rehearsed.

use std::fmt::Write as _;

use crate::plan::document::{PlanRow, VolumeRow};

/// The text of a `rig.toml`. Disks that are sized freely are written with what was bought for each.
pub(super) fn scenario(plan: &PlanRow) -> String {
    let mut out = format!("# {} with its disks, as planned.\n\n[vm]\nsize = {}\n", plan.vm, quoted(&plan.vm));
    let _ = writeln!(out, "edition = {}", quoted(&plan.vm_edition));
    for volume in &plan.volumes {
        let name = quoted(&volume.name);
        let _ = write!(out, "\n[[volume]]\nname = {name}\nmount = {}\n", quoted(&format!("/{}", volume.name)));
        let _ = writeln!(out, "disks = {}", disks(volume));
        if let Some(edition) = volume.disk.as_ref().and(volume.disk_edition.as_ref()) {
            let _ = writeln!(out, "edition = {}", quoted(edition));
        }
        if let Some(unit) = volume.stripe_unit {
            let _ = writeln!(out, "stripe_unit = \"{} KiB\"", unit / 1_024);
        }
        if volume.disk.is_some() {
            let _ = writeln!(out, "host_cache = {}", quoted(&volume.host_cache));
        }
    }
    out.push_str("\n[start]\ncache = \"warm\"\n");
    out
}

fn disks(volume: &VolumeRow) -> String {
    let Some(disk) = &volume.disk else { return "\"temp\"".into() };
    match (volume.disk_gib, volume.disk_iops, volume.disk_mb_per_s) {
        (Some(gib), Some(iops), Some(mb)) => format!(
            "[{{ sku = {}, count = {}, size = \"{gib} GiB\", iops = {iops}, throughput = \"{mb} MB/s\" }}]",
            quoted(disk),
            volume.disks
        ),
        _ if volume.disks > 1 => format!("\"{} x {disk}\"", volume.disks),
        _ => quoted(disk),
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
