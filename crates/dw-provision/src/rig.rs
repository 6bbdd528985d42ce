//! The scenario of a plan: its VM and disks as `diskwright simulate` and `diskwright emulate` take them.

use std::fmt::Write as _;

use dw_catalogue::free::Follow;

use super::quote::{comment, toml};
use super::setup::{Disks, Place, Setup, Volume};

/// Whose paths the jobs name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// `/srv/data`.
    Linux,
    /// `F:`.
    Windows,
}

/// How the run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the worst that the plan still counts on: a cold cache, and no credits unless it counts on bursts.
    Worst,
    /// As the plan counts on it: what belongs in the cache is there, and no credits unless it counts on bursts.
    Planned,
    /// As after a long time of the same load: what belongs in the cache is there, and credits are full.
    Warm,
}

/// The scenario.
pub fn text(setup: &Setup, paths: Paths, start: Start) -> String {
    let mut out = comment("#", &setup.heading("The VM and disks of a plan, to simulate and to emulate."));
    if let Some(setting) = &setup.latency {
        let _ = write!(out, "\nlatency = {}\n", toml(setting));
    }
    let _ = write!(out, "\n[vm]\nsize = {}\nedition = {}\n", toml(&setup.vm), toml(&setup.vm_edition));
    if !setup.vm_options.is_empty() {
        let options = setup.vm_options.iter().map(|(key, value)| format!("{key} = {}", toml(value)));
        let _ = writeln!(out, "options = {{ {} }}", options.collect::<Vec<_>>().join(", "));
    }
    if let Some((iops, throughput)) = setup.cached_lower.filter(|_| setup.volumes.iter().any(Volume::is_cached)) {
        let _ = writeln!(out, "# Sources differ: the lower of each.");
        let _ = writeln!(out, "cached = {{ iops = {iops}, throughput = \"{throughput}\" }}");
    }
    if let Some(sharing) = &setup.uncached_sharing {
        let _ = writeln!(out, "uncached_sharing = {}", toml(sharing));
    }
    for (number, volume) in setup.volumes.iter().enumerate() {
        let mount = match paths {
            Paths::Linux => setup.mount(number),
            Paths::Windows => setup.drive(number),
        };
        let _ = write!(out, "\n[[volume]]\nname = {}\nmount = {}\n", toml(&volume.name), toml(&mount));
        match &volume.place {
            Place::Data { disks, .. } | Place::Os(disks) => disks_of(setup, disks, &mut out),
            Place::Local => {
                let _ = writeln!(out, "disks = {}", toml(&setup.local_disks));
            }
        }
    }
    let warm = "cache = \"warm\"\n";
    let empty = "credits = \"empty\"\n";
    out += &match (start, setup.bursting) {
        (Start::Worst, true) => String::new(),
        (Start::Worst, false) => format!("\n# The plan counts on no burst credits.\n[start]\n{empty}"),
        (Start::Planned, false) => format!("\n[start]\n{warm}{empty}"),
        (Start::Planned, true) | (Start::Warm, _) => format!("\n[start]\n{warm}"),
    };
    out
}

fn disks_of(setup: &Setup, disks: &Disks, out: &mut String) {
    let edition = toml(&disks.edition);
    let mut chosen = String::new();
    if let Some((iops, mb)) = disks.bought {
        let _ = write!(chosen, ", size = \"{} GiB\"", disks.gib);
        if disks.follow != Follow::Both {
            let _ = write!(chosen, ", iops = {iops}");
        }
        if disks.follow == Follow::Nothing {
            let unit = if disks.in_mib { "MiB/s" } else { "MB/s" };
            let _ = write!(chosen, ", throughput = \"{mb} {unit}\"");
        }
    }
    if !disks.options.is_empty() {
        let options = disks.options.iter().map(|(key, value)| format!("{key} = {}", toml(value)));
        let _ = write!(chosen, ", options = {{ {} }}", options.collect::<Vec<_>>().join(", "));
    }
    if let Some(tier) = &disks.tier {
        let _ = write!(chosen, ", tier = {}", toml(tier));
    }
    chosen += if disks.performance_plus { ", performance_plus = true" } else { "" };
    chosen += if disks.on_demand_bursting { ", on_demand_bursting = true" } else { "" };
    if chosen.is_empty() {
        let count = if disks.count > 1 { format!("{} x ", disks.count) } else { String::new() };
        let _ = write!(out, "disks = {}\nedition = {edition}\n", toml(&format!("{count}{}", disks.sku)));
    } else {
        let (sku, count) = (toml(&disks.sku), disks.count);
        let _ = writeln!(out, "disks = [{{ sku = {sku}, count = {count}, edition = {edition}{chosen} }}]");
    }
    if setup.host_caches {
        let _ = writeln!(out, "host_cache = \"{}\"", disks.host_cache);
    }
    if disks.count > 1 {
        let _ = writeln!(out, "stripe_unit = \"{}\"", disks.stripe_unit);
    }
}
