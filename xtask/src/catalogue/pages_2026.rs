//! `2026/azure-v6-v7-sizes.csv`: the storage tables of the size pages of 2026, in columns of their own.
//!
//! Taken are the series that `rules.toml` lists under `[[page_series]]`, with what their pages say next to the tables. The
//! rows of the same series in `vm_sizes_current.csv` are left out; the other series stand there, or nobody has compared them yet.

use std::collections::BTreeMap;

use dw_catalogue::file::RulesFile;

use super::Row;

pub(super) const FILE: &str = "2026/azure-v6-v7-sizes.csv";
const EDITION: &str = "2024-2026";

/// Columns of this file, and the names of the other tables for the same.
const NAMES: [(&str, &str); 9] = [
    ("size", "name"),
    ("page", "source"),
    ("burst_iops", "burst_uncached_iops"),
    ("burst_mbps", "burst_uncached_mbps"),
    ("v2ultra_iops", "uncached_v2ultra_iops"),
    ("v2ultra_mbps", "uncached_v2ultra_mbps"),
    ("v2ultra_burst_iops", "burst_v2ultra_iops"),
    ("v2ultra_burst_mbps", "burst_v2ultra_mbps"),
    ("temp_gib_each", "temp_disk_gib"),
];

/// Whether a row of another file is of a series that is taken from here: both are of one edition.
pub(super) fn replaces(rules: &RulesFile, file: &str, row: &Row) -> bool {
    let listed = |series: &str| rules.page_series.iter().any(|page| page.series.iter().any(|name| name == series));
    file == "vm_sizes_current.csv" && row.text("series").is_some_and(listed)
}

/// The row as the other tables have it; nothing for a series that is not listed.
pub(super) fn row(rules: &RulesFile, row: Row) -> Result<Option<Row>, String> {
    let series = row.required("series")?.to_string();
    let Some(page) = rules.page_series.iter().find(|page| page.series.contains(&series)) else { return Ok(None) };
    row.required("page_date")?;
    let note = note(&row)?;
    let rename = |name: String| NAMES.iter().find(|(here, _)| *here == name).map_or(name, |(_, there)| (*there).into());
    let mut cells: BTreeMap<String, String> =
        row.cells.into_iter().map(|(name, value)| (rename(name), value)).collect();
    let flag = |flag: bool| if flag { "1" } else { "0" };
    cells.insert("edition".into(), EDITION.into());
    cells.insert("premium".into(), flag(page.premium).into());
    cells.insert("caching".into(), page.host_caching.map_or(super::UNKNOWN, flag).into());
    cells.insert("note".into(), note);
    Ok(Some(Row { at: row.at, cells }))
}

/// What a reader of the figures must know: where they are from, when not from the page of the series, and its faults.
fn note(row: &Row) -> Result<String, String> {
    let mut parts = Vec::new();
    match row.required("kind")?.split_once(' ') {
        None => {}
        Some(("sibling", other)) => {
            parts.push(format!("figures of the page of {other}; the page of this series was not read"))
        }
        Some(_) => return Err(format!("column kind: `{}` is not `page` or `sibling SERIES`", row.required("kind")?)),
    }
    parts.extend(row.text("note").map(str::to_string));
    parts.extend(row.text("check").filter(|check| check.starts_with("not sold")).map(str::to_string));
    Ok(parts.join("; "))
}
