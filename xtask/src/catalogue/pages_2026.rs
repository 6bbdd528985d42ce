//! The storage tables of the size pages of 2026, in columns of their own: `2026/azure-v6-v7-sizes.csv` in the folder of the CSV
//! files, and `pages/more-sizes.csv` beside the data, which a person read from further pages.
//!
//! What the pages say next to their tables (premium disks, host caching, ultra disks, controllers, kind of local disk) is in
//! `pages/series-features.csv`, a line a series. A series that stands here replaces its rows of the same edition in
//! `vm_sizes_current.csv`.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Row, page_edition, read};

const FILE: &str = "2026/azure-v6-v7-sizes.csv";
const MORE: &str = "pages/more-sizes.csv";
const FEATURES: &str = "pages/series-features.csv";
const EDITION: &str = "2024-2026";

/// Columns of these files, and the names of the other tables for the same.
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

/// What the pages of each series say next to their tables.
pub(super) struct Features(BTreeMap<String, Row>);

impl Features {
    pub(super) fn read(to: &Path) -> Result<Features, String> {
        let mut series = BTreeMap::new();
        for row in read(&to.join(FEATURES))? {
            let name = row.required("series").map_err(|what| format!("{}: {what}", row.at))?.to_string();
            let at = row.at.clone();
            if series.insert(name.clone(), row).is_some() {
                return Err(format!("{at}: {name} occurs twice"));
            }
        }
        Ok(Features(series))
    }
    /// `1`, `0` or nothing where no page says it.
    pub(super) fn flag(&self, series: &str, column: &str) -> Option<bool> {
        self.0.get(series)?.text(column).map(|text| text == "1")
    }
    /// The controllers of a series, `SCSI NVMe`.
    pub(super) fn controllers(&self, series: &str) -> Option<String> {
        self.0.get(series)?.text("controllers").map(str::to_string)
    }
}

/// The rows as the other tables have them.
pub(super) fn rows(from: &Path, to: &Path) -> Result<Vec<Row>, String> {
    let features = Features::read(to)?;
    let all = [read(&from.join(FILE))?, read(&to.join(MORE))?].concat();
    all.into_iter().map(|row| renamed(&features, row)).collect()
}

/// Whether a row of another file is of a series that is taken from here: both are of one edition.
pub(super) fn replaces(rows: &[Row], file: &str, row: &Row) -> bool {
    let Some(series) = row.text("series").filter(|_| file == "vm_sizes_current.csv") else { return false };
    let edition = row.text("source").and_then(|page| page_edition(page, row.text("controller")).ok());
    edition.as_deref() == Some(EDITION) && rows.iter().any(|taken| taken.text("series") == Some(series))
}

fn renamed(features: &Features, row: Row) -> Result<Row, String> {
    let at = row.at.clone();
    let failed = |what: String| format!("{at}: {what}");
    let series = row.required("series").map_err(failed)?.to_string();
    row.required("page_date").map_err(failed)?;
    let premium = features.flag(&series, "premium_storage");
    let premium = premium.ok_or_else(|| failed(format!("{FEATURES} has no `premium_storage` of {series}")))?;
    let caching = features.flag(&series, "premium_caching");
    let note = note(&row).map_err(failed)?;
    let rename = |name: String| NAMES.iter().find(|(here, _)| *here == name).map_or(name, |(_, there)| (*there).into());
    let mut cells: BTreeMap<String, String> =
        row.cells.into_iter().map(|(name, value)| (rename(name), value)).collect();
    let empty = |cells: &BTreeMap<String, String>, name: &str| cells.get(name).is_none_or(String::is_empty);
    // MB/s of writes without IOPS stand in a column of cache sizes on the page.
    if empty(&cells, "temp_write_iops") {
        cells.remove("temp_write_mbps");
    }
    let flag = |flag: bool| if flag { "1" } else { "0" };
    cells.insert("edition".into(), EDITION.into());
    cells.insert("premium".into(), flag(premium).into());
    cells.insert("caching".into(), caching.map_or(super::UNKNOWN, flag).into());
    cells.insert("note".into(), note);
    Ok(Row { at, cells })
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
