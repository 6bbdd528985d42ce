//! The tables of sar and of `sadf -d`: what a row of each is.
//!
//! A table is known by its columns: `DEV` makes it disks, `CPU` processors, `rtps` the host, `kbmemfree` memory; any other
//! is passed over. sar prints no reads and writes of a disk, only their bytes; of the host it prints both.

use dw_observe::{Common, CpuInterval, DiskInterval, Memory, Reading, Role};
use dw_units::Bytes;

use super::disk_columns::Column;
use super::error::shown;
use super::number::printed;
use super::out::Out;

/// What a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Disks,
    Cpu,
    Host,
    Memory,
    Other,
}

/// Which table these columns are.
pub(super) fn kind(columns: &[&[u8]]) -> Kind {
    let has = |name: &str| columns.contains(&name.as_bytes());
    if has("DEV") {
        Kind::Disks
    } else if has("CPU") && has("%idle") {
        Kind::Cpu
    } else if has("rtps") {
        Kind::Host
    } else if has("kbmemfree") {
        Kind::Memory
    } else {
        Kind::Other
    }
}

/// Passes on one row; the error is what is wrong with it.
pub(super) fn row(
    kind: Kind,
    columns: &[&[u8]],
    values: &[&[u8]],
    line: u64,
    common: &Common,
    out: &mut Out<'_>,
) -> Result<(), String> {
    if kind == Kind::Other {
        return Ok(());
    }
    let kept: Vec<&[u8]>;
    let columns = match values {
        // `mpstat -T` leaves these empty for all processors together.
        [b"all", ..] if kind == Kind::Cpu && values.len() < columns.len() => {
            let is_place = |column: &&[u8]| [b"CORE", b"SOCK", b"NODE"].iter().any(|place| place == column);
            kept = columns.iter().copied().filter(|column| !is_place(column)).collect();
            &kept
        }
        _ => columns,
    };
    if values.len() != columns.len() {
        return Err(format!("{} of {} columns", values.len(), columns.len()));
    }
    let text = |name: &str| columns.iter().position(|c| *c == name.as_bytes()).map(|at| values[at]);
    let read = |name: &str| match text(name) {
        None => Ok(None),
        Some(word) => printed(word).map_err(|()| format!("`{}` in column {name} is not a number", shown(word))),
    };
    let number = |name: &str| read(name).map(|found| found.map(|p| p.value));
    // `-h` prints `12.4G` where `12998340` would stand.
    let kib = |name: &str| read(name).map(|found| found.map(|p| p.value * p.unit.map_or(1.0, |unit| unit / 1024.0)));
    match kind {
        Kind::Disks | Kind::Host => {
            let mut disk = DiskInterval::default();
            for (name, word) in columns.iter().zip(values) {
                if *name == b"DEV" {
                    continue;
                }
                let Some(column) = Column::of(name, false) else { continue };
                let Some(value) = printed(word).ok().flatten().filter(|v| v.value >= 0.0) else {
                    return Err(format!("`{}` in column {} is not a number from zero", shown(word), shown(name)));
                };
                column.put(&mut disk, column.base(value.value, value.unit));
            }
            match text("DEV") {
                Some(name) => {
                    let device = out.name(name);
                    out.take(line, common, Reading::Disk { device, role: Role::Unknown, disk });
                }
                None => out.take(line, common, Reading::Host(disk)),
            }
        }
        Kind::Cpu => {
            if !matches!(text("CPU"), Some(b"all" | b"-1")) {
                return Ok(());
            }
            let (idle, iowait_percent, steal_percent) = (number("%idle")?, number("%iowait")?, number("%steal")?);
            let busy_percent = idle.map(|idle| (100.0 - idle - iowait_percent.unwrap_or(0.0)).max(0.0));
            out.take(
                line,
                common,
                Reading::Cpu(CpuInterval { busy_percent, iowait_percent, steal_percent, cpus: None }),
            );
        }
        Kind::Memory => {
            let [free, available, used, buffers, cached] =
                ["kbmemfree", "kbavail", "kbmemused", "kbbuffers", "kbcached"].map(kib);
            let memory = memory(free?, available?, used?, number("%memused")?, buffers?, cached?);
            out.take(line, common, Reading::Memory(memory));
        }
        Kind::Other => {}
    }
    Ok(())
}

/// Memory from sysstat's KiB.
pub(super) fn memory(
    free: Option<f64>,
    available: Option<f64>,
    used: Option<f64>,
    used_percent: Option<f64>,
    buffers: Option<f64>,
    cached: Option<f64>,
) -> Memory {
    let kib = |v: f64| Bytes::new((v.max(0.0) * 1024.0) as u64);
    let sum = free.map(|free| free + buffers.unwrap_or(0.0) + cached.unwrap_or(0.0));
    Memory {
        total: None,
        available: available.or(sum).map(kib),
        used: used.map(kib),
        used_percent,
        estimated: available.is_none(),
    }
}
