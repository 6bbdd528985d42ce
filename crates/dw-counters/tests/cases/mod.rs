//! What users of other tools hold in their hands: files in the shape of public sources, as rows of tables.

mod cloudwatch;
mod damage;
mod device_ids;
mod machines;
mod names;
mod read;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dw_counters::{Options, read};
use dw_observe::{CollectedReadings, DiskInterval, Reading, Statistic};

/// Each disk on a line, and what is said of the file: `machine device: readings, IOPS (or its counter of I/Os) from to`.
fn seen(bytes: &[u8], options: &Options<'_>) -> String {
    let mut kept = CollectedReadings::default();
    let result = read(bytes, options, &mut kept);
    let mut disks: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let iops = |disk: &DiskInterval| {
        disk.transfers_per_s.unwrap_or(disk.reads_per_s.unwrap_or(0.0) + disk.writes_per_s.unwrap_or(0.0))
    };
    for (_, common, reading) in kept.readings.iter().filter(|(_, common, _)| common.statistic == Statistic::Mean) {
        let machine = common.machine.as_deref().unwrap_or("-");
        match reading {
            Reading::Disk { device, disk, .. } => {
                disks.entry(format!("{machine} {device}")).or_default().push(iops(disk));
            }
            Reading::DiskCounters { device, counters, .. } => {
                let ios = counters.reads.unwrap_or(0.0) + counters.writes.unwrap_or(0.0);
                disks.entry(format!("{machine} {device}")).or_default().push(ios);
            }
            Reading::DiskGrowth { device, growth, .. } => {
                let seconds = common.interval.map_or(0.0, |interval| interval.ns() as f64 / 1e9);
                let ios = growth.reads.unwrap_or(0.0) + growth.writes.unwrap_or(0.0);
                disks.entry(format!("{machine} {device}")).or_default().push(ios / seconds);
            }
            Reading::Host(disk) => disks.entry(format!("{machine} host")).or_default().push(iops(disk)),
            _ => {}
        }
    }
    let mut text = String::new();
    for (name, iops) in disks {
        let least = iops.iter().copied().fold(f64::INFINITY, f64::min);
        let most = iops.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(text, "{name}: {}, {least} to {most}", iops.len());
    }
    for (origin, fault) in &kept.faults {
        let _ = writeln!(text, "{}: {} ({})", origin.line, fault.what, fault.hint);
    }
    if let Err(error) = result {
        let _ = writeln!(text, "error: {error}");
    }
    text
}
