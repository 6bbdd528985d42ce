//! `2026/azure-vm-skus-2026-08.csv`: what the SKU interface says of every size that is sold.
//!
//! A record has vCPU, memory, data disks and whether premium disks are taken. Its uncached limits are those of 2025-03, which
//! `vm_sizes_api.csv` has already; where the sizes are sold and when they retire is in `regions/sold.csv`.

use std::path::Path;

use dw_catalogue::file::VmRow;

use super::{Row, VmTableKey, VmTables, plain_size, read};

const FILE: &str = "2026/azure-vm-skus-2026-08.csv";
const EDITION: &str = "api-2026-08";
/// The source id; `overrides.toml` describes it.
const SOURCE: &str = "skus-2026-08";

pub(super) fn add(from: &Path, tables: &mut VmTables) -> Result<(), String> {
    for row in read(&from.join(FILE))? {
        let at = row.at.clone();
        add_row(&row, tables).map_err(|error| format!("{at}: {error}"))?;
    }
    Ok(())
}

fn add_row(row: &Row, tables: &mut VmTables) -> Result<(), String> {
    let name = row.required("size")?;
    let mut size = VmRow { memory_mib: row.scaled("memory_gib", 1_024)?, ..plain_size(name, row)? };
    // The record counts the vCPU of the size that a constrained one is cut from.
    size.vcpu = constrained(name).unwrap_or(size.vcpu);
    let premium = match row.required("premium_io")? {
        "1" => true,
        "0" => false,
        other => return Err(format!("column premium_io: `{other}` is not 1 or 0")),
    };
    let key = VmTableKey {
        series: None,
        edition: EDITION.into(),
        source: SOURCE.into(),
        premium: Some(premium),
        host_caching: None,
        mb: [Some(1_048_576), None, None],
    };
    match tables.entry(key).or_default().insert((size.vcpu, name.to_string()), size) {
        None => Ok(()),
        Some(_) => Err(format!("{name} occurs twice")),
    }
}

/// The vCPU that a constrained size leaves: 2 of `E4-2ds_v6`.
fn constrained(name: &str) -> Option<u32> {
    let (_, after) = name.split_once('-')?;
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..digits].parse().ok()
}
