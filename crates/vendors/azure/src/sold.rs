//! Where a VM size is sold, in which zones, and until when.
//!
//! Source: the records of the vendor's SKU interface over all public regions (`skus-2026-08`); what a person imported counts
//! before it, region by region.
//!
//! Ignores: quotas, capacity, the sovereign clouds; zones of disks.

use crate::file::{Retirement, RulesFile, SoldRule, ZoneTable};
use crate::packed::Text;
use crate::regions::RegionTable;
use dw_vendor::lookup;

/// Whether a VM size is sold in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sold {
    /// It is, in these zones; there may be none.
    Here {
        /// The zones, sorted.
        zones: Vec<String>,
        /// The record was closed to the subscription that asked for it: others may have to ask the vendor for access.
        closed: bool,
    },
    NotHere,
    /// No record of the region is known.
    Unknown,
}

/// Leading cells of a line: name, retirement, processors, quota, generations.
const LEADING: usize = 5;

/// The shipped records.
#[derive(Clone, Debug)]
pub struct SoldTable {
    table: RegionTable,
    rule: SoldRule,
}

impl SoldTable {
    /// The table of a file: name, date of retirement, `arm` or nothing, the family of its quota, generations of image (`12`), zones by region
    /// (`-` for none, `!` behind what was closed).
    pub fn read(text: &Text, rules: &RulesFile) -> Result<SoldTable, String> {
        let rule = rules.sold.clone().ok_or("rules.toml has no `[sold]` that says where this is from")?;
        Ok(SoldTable { table: RegionTable::read(text, LEADING)?, rule })
    }
    /// The ids of the sources.
    pub fn sources(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.rule.source).chain(self.rule.retires.iter().map(|rule| &rule.source))
    }
    /// The month of the records.
    pub fn edition(&self) -> &str {
        &self.rule.edition
    }
    /// The day on which a series retires, where a page says it that is newer than the records, and the id of that page.
    pub fn series_retires(&self, series: &str) -> Option<(&str, &str)> {
        let has = |rule: &&Retirement| rule.series.iter().any(|own| own == series);
        self.rule.retires.iter().find(has).map(|rule| (rule.date.as_str(), rule.source.as_str()))
    }
    /// The day on which a size retires, `2028-05-01`.
    pub fn retires(&self, name: &str) -> Option<&str> {
        self.table.of::<LEADING>(name).next().map(|line| line.leading[1]).filter(|date| !date.is_empty())
    }
    /// The family whose quota a size counts against.
    pub fn quota(&self, name: &str) -> Option<&str> {
        self.table.of::<LEADING>(name).next().map(|line| line.leading[3]).filter(|quota| !quota.is_empty())
    }
    /// The generations of image that start on a size: `12`.
    pub fn generations(&self, name: &str) -> Option<&str> {
        self.table.of::<LEADING>(name).next().map(|line| line.leading[4]).filter(|found| !found.is_empty())
    }
    /// The id of the source of the records.
    pub fn source(&self) -> &str {
        &self.rule.source
    }
    pub fn knows(&self, name: &str) -> bool {
        self.table.of::<LEADING>(name).next().is_some()
    }
    pub fn is_arm(&self, name: &str) -> bool {
        self.table.of::<LEADING>(name).next().is_some_and(|line| line.leading[2] == "arm")
    }
    pub fn regions(&self) -> &[String] {
        self.table.regions()
    }
    pub fn find(&self, name: &str, region: &str) -> Sold {
        let Some(column) = self.table.column(region) else { return Sold::Unknown };
        match self.table.of::<LEADING>(name).next().and_then(|line| line.cell(column)) {
            Some(cell) => here(cell),
            None => Sold::NotHere,
        }
    }
    /// The zones of a region in which some size is sold.
    pub fn zones(&self, region: &str) -> Option<Vec<String>> {
        let column = self.table.column(region)?;
        let cells =
            self.table.all::<LEADING>().filter_map(|line| line.cell(column)).flat_map(|cell| match here(cell) {
                Sold::Here { zones, .. } => zones,
                Sold::NotHere | Sold::Unknown => Vec::new(),
            });
        Some(sorted(cells.collect()))
    }
}

fn here(cell: &str) -> Sold {
    let (open, closed) = cell.strip_suffix('!').map_or((cell, false), |open| (open, true));
    let zones = if open == "-" { Vec::new() } else { open.chars().map(String::from).collect() };
    Sold::Here { zones, closed }
}

/// The same of imported records: a region that has some is known by them alone.
pub fn imported(tables: &[ZoneTable], name: &str, region: &str) -> Sold {
    let mut here = tables.iter().filter(|table| lookup::is_same_region(&table.region, region)).peekable();
    if here.peek().is_none() {
        return Sold::Unknown;
    }
    let mut rows = here.flat_map(|table| &table.rows);
    match rows.find(|row| lookup::key(&row.name) == lookup::key(name)) {
        Some(row) => Sold::Here { zones: row.zones.clone(), closed: false },
        None => Sold::NotHere,
    }
}

/// The zones of a region in imported records.
pub fn imported_zones(tables: &[ZoneTable], region: &str) -> Option<Vec<String>> {
    let mut here = tables.iter().filter(|table| lookup::is_same_region(&table.region, region)).peekable();
    here.peek()?;
    Some(sorted(here.flat_map(|table| table.rows.iter().flat_map(|row| row.zones.clone())).collect()))
}

fn sorted(mut zones: Vec<String>) -> Vec<String> {
    zones.sort_unstable();
    zones.dedup();
    zones
}
