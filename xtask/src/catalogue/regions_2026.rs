//! The tables of many regions, from the CSV files of 2026: one line a thing, one cell a region.
//!
//! | written | from | a cell |
//! |---|---|---|
//! | `regions/vm-prices.csv` | `azure-vm-prices-2026-08.csv`, `azure-vm-prices-windows-spot-2026-08.csv` | price, mark |
//! | `regions/disk-prices.csv` | `azure-disk-meters.csv` | price, mark |
//! | `regions/sold.csv` | `azure-vm-skus-2026-08.csv` | zones |
//!
//! What was read by hand counts before the collections: single prices of disks in `pages/disk-prices.csv`, and in
//! `pages/vm-price-changes.csv` by how much the vendor has raised VM sizes since the collections were made.
//!
//! What a mark says (how sure a price is, which date and source) is in `rules.toml` under `[[region_prices]]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use dw_catalogue::{Meter, Money, fits};

use super::{Row, read};

/// Name, meter, term.
type Key = (String, &'static str, &'static str);

/// A table by name and region.
#[derive(Default)]
struct Table {
    regions: BTreeSet<String>,
    rows: BTreeMap<Key, BTreeMap<String, String>>,
}

impl Table {
    fn put(&mut self, key: Key, region: &str, cell: String) -> Result<(), String> {
        self.regions.insert(region.to_string());
        let name = key.0.clone();
        match self.rows.entry(key).or_default().insert(region.to_string(), cell) {
            None => Ok(()),
            Some(_) => Err(format!("{name} has two prices of one meter in {region}")),
        }
    }
    /// A price that replaces what is there.
    fn replace(&mut self, key: Key, region: &str, cell: String) {
        self.regions.insert(region.to_string());
        self.rows.entry(key).or_default().insert(region.to_string(), cell);
    }
    fn text(&self) -> String {
        let mut text = super::HEADER.to_string();
        let regions: Vec<&str> = self.regions.iter().map(String::as_str).collect();
        writeln!(text, "name,meter,per,{}", regions.join(",")).expect("a string takes all");
        for ((name, meter, per), cells) in &self.rows {
            let cells: Vec<&str> = regions.iter().map(|region| cells.get(*region).map_or("", String::as_str)).collect();
            writeln!(text, "{name},{meter},{per},{}", cells.join(",")).expect("a string takes all");
        }
        text
    }
}

/// The files by name.
pub(super) fn generate(from: &Path, to: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut vm_prices = vm_prices(from)?;
    for row in read(&to.join("pages/vm-price-changes.csv"))? {
        raise(&mut vm_prices, &row)?;
    }
    let mut disk_prices = disk_prices(from)?;
    for row in read(&to.join("pages/disk-prices.csv"))? {
        let (meter, per) = (meter(&row)?, row.required("per")?);
        let per = term(per).ok_or_else(|| at(&row, format!("column per: `{per}` is not known")))?;
        let price = price(&row, "price")?.ok_or_else(|| at(&row, "column price is empty".into()))?;
        let key = (row.required("name")?.to_string(), meter, per);
        disk_prices.replace(key, row.required("region")?, price + row.required("mark")?);
    }
    let (vm_prices, disk_prices) = (vm_prices.text(), disk_prices.text());
    let sold = sold(from)?;
    Ok(BTreeMap::from([
        ("regions/vm-prices.csv".to_string(), vm_prices),
        ("regions/disk-prices.csv".to_string(), disk_prices),
        ("regions/sold.csv".to_string(), sold),
    ]))
}

fn vm_prices(from: &Path) -> Result<Table, String> {
    let mut table = Table::default();
    for row in read(&from.join("2026/azure-vm-prices-2026-08.csv"))? {
        let (region, name) = (row.required("region")?, row.required("size")?);
        let mark = linux_mark(row.text("check").unwrap_or("")).map_err(|what| at(&row, what))?;
        let price = price(&row, "usd_per_hour")?.ok_or_else(|| at(&row, "column usd_per_hour is empty".into()))?;
        table.put((name.into(), "whole", "hour"), region, price + mark).map_err(|what| at(&row, what))?;
    }
    for row in read(&from.join("2026/azure-vm-prices-windows-spot-2026-08.csv"))? {
        let (region, name) = (row.required("region")?, row.required("size")?);
        for (column, meter) in [("windows_usd_per_hour", "windows"), ("spot_linux_usd_per_hour", "spot")] {
            if let Some(price) = price(&row, column)? {
                table.put((name.into(), meter, "hour"), region, price).map_err(|what| at(&row, what))?;
            }
        }
    }
    Ok(table)
}

/// A meter by its name in the data files.
fn meter(row: &Row) -> Result<&'static str, String> {
    let name = row.required("meter")?;
    Meter::from_id(name).map(Meter::id).ok_or_else(|| at(row, format!("column meter: `{name}` is not known")))
}

/// Raises what Linux and spot cost by so many percent, and Windows by as much as Linux: its licence stays. A price of the list has three
/// decimals.
fn raise(table: &mut Table, row: &Row) -> Result<(), String> {
    let (names, mark) = (row.required("names")?, row.required("mark")?);
    let percent = row.required("percent")?;
    let percent: u64 = percent.parse().map_err(|_| at(row, format!("column percent: `{percent}` is not a number")))?;
    let more = |cell: &str| -> Result<u64, String> {
        let price = Money::parse(cell).map_err(|e| at(row, format!("{cell} is marked or no price: {e}")))?;
        Ok(price.get() * percent / 100)
    };
    let sizes: BTreeSet<String> = table.rows.keys().map(|key| key.0.clone()).filter(|name| fits(names, name)).collect();
    if sizes.is_empty() {
        return Err(at(row, format!("no VM size is called `{names}`")));
    }
    for name in sizes {
        let key = |meter| (name.clone(), meter, "hour");
        let linux = table.rows.get(&key("whole")).cloned().unwrap_or_default();
        for meter in ["whole", "windows", "spot"] {
            let Some(cells) = table.rows.get_mut(&key(meter)) else { continue };
            for (region, cell) in cells {
                let more = match (meter, linux.get(region)) {
                    ("spot", _) => more(cell)?,
                    (_, Some(linux)) => more(linux)?,
                    (_, None) => continue,
                };
                let price = Money::parse(cell).map_err(|e| at(row, format!("{name}: {e}")))?.get() + more;
                let price = if meter == "spot" { price } else { (price + 500) / 1_000 * 1_000 };
                let text = format!("{}.{:06}", price / 1_000_000, price % 1_000_000);
                *cell = text.trim_end_matches('0').to_string() + mark;
            }
        }
    }
    Ok(())
}

/// How sure a Linux price is: the first word of the column `check`.
fn linux_mark(check: &str) -> Result<&'static str, String> {
    let first = check.split([' ', '+', '*']).next().unwrap_or("");
    match first {
        "agree" | "single" | "rd" | "vcpu" => Ok(""),
        "lower" => Ok("l"),
        "licence" => Ok("w"),
        "ladder" => Ok("s"),
        "unverified" => Ok("u"),
        _ => Err(format!("column check: `{first}` is not known")),
    }
}

fn at(row: &Row, what: String) -> String {
    format!("{}: {what}", row.at)
}

/// The amount as it is written, checked.
fn price(row: &Row, column: &str) -> Result<Option<String>, String> {
    let Some(text) = row.text(column) else { return Ok(None) };
    Money::parse(text).map_err(|e| at(row, format!("the price {e}")))?;
    Ok(Some(text.to_string()))
}

fn disk_prices(from: &Path) -> Result<Table, String> {
    let mut table = Table::default();
    let rows = read(&from.join("2026/azure-disk-meters.csv"))?;
    let everywhere = |row: &&Row| row.text("region") == Some("*");
    let regions: BTreeSet<String> =
        rows.iter().filter(|row| !everywhere(row)).filter_map(|row| row.text("region")).map(str::to_string).collect();
    for row in rows.iter().filter(|row| !everywhere(row)) {
        let (product, meter) = (row.required("product")?, row.required("meter")?);
        let Some(key) = disk_key(product, meter) else { continue };
        let unit = row.required("unit")?;
        let per = term(unit).ok_or_else(|| at(row, format!("column unit: `{unit}` is not known")))?;
        let price = price(row, "price")?.ok_or_else(|| at(row, "column price is empty".into()))?;
        let mark = disk_mark(row)?;
        table.put((key.0, key.1, per), row.required("region")?, price + mark).map_err(|what| at(row, what))?;
    }
    // Operations cost the same wherever they were seen; a region's own figure counts.
    for row in rows.iter().filter(everywhere) {
        let price = price(row, "price")?.ok_or_else(|| at(row, "column price is empty".into()))?;
        for name in operations_of(row.required("meter")?).ok_or_else(|| at(row, "column meter is not known".into()))? {
            let cells = table.rows.entry((name, "operations", "10000-operations")).or_default();
            for region in &regions {
                cells.entry(region.clone()).or_insert_with(|| format!("{price}r"));
            }
        }
    }
    Ok(table)
}

fn term(unit: &str) -> Option<&'static str> {
    match unit {
        "month" | "gb-month" => Some("month"),
        "hour" | "gib-hour" => Some("hour"),
        "10000-operations" => Some("10000-operations"),
        _ => None,
    }
}

/// What a meter of the price list is the price of; nothing for instant snapshots, encryption and what has no tier. A snapshot is kept on
/// standard HDD unless somebody asks otherwise; the list has it by the GB, which is taken for a GiB.
fn disk_key(product: &str, meter: &str) -> Option<(String, &'static str)> {
    if (product, meter) == ("standard-hdd", "LRS snapshot") {
        return Some(("Snapshot".into(), "gib"));
    }
    let sku = match product {
        "premium-ssd-v2" => Some("PremiumV2"),
        "ultra" => Some("Ultra"),
        _ => None,
    };
    if let Some(sku) = sku {
        let meter = match meter {
            "LRS capacity" => "gib",
            "LRS iops" => "iops",
            "LRS throughput MB/s" => "mb_per_s",
            "LRS reservation per vCPU" => "vcpu",
            _ => return None,
        };
        return Some((sku.into(), meter));
    }
    let (first, rest) = meter.split_once(' ')?;
    let name = |sku: &str, zrs: bool| if zrs { format!("{sku}_ZRS") } else { sku.to_string() };
    match (first, rest) {
        ("LRS" | "ZRS", "burst enablement") => Some((name("PremiumSSD", first == "ZRS"), "burst")),
        ("LRS" | "ZRS", "burst operations") => Some((name("PremiumSSD", first == "ZRS"), "burst_operations")),
        ("LRS" | "ZRS", _) => None,
        (_, "LRS") => Some((name(first, false), "whole")),
        (_, "ZRS") => Some((name(first, true), "whole")),
        (_, "LRS mount") => Some((name(first, false), "mount")),
        (_, "ZRS mount") => Some((name(first, true), "mount")),
        (_, "LRS operations") => Some((name(first, false), "operations")),
        (_, "ZRS operations") => Some((name(first, true), "operations")),
        _ => None,
    }
}

fn operations_of(meter: &str) -> Option<Vec<String>> {
    const TIERS: [u32; 10] = [4, 6, 10, 15, 20, 30, 40, 50, 60, 70];
    let all = |letter: char| TIERS.into_iter().chain([80]).map(move |n| format!("{letter}{n}"));
    match meter {
        "S4 to S80 operations" => Some(all('S').collect()),
        "E4 to E80 LRS and ZRS operations" => Some(all('E').flat_map(|sku| [format!("{sku}_ZRS"), sku]).collect()),
        _ => None,
    }
}

/// Date and kind, as `rules.toml` has them.
fn disk_mark(row: &Row) -> Result<&'static str, String> {
    match (row.required("kind")?, row.required("date")?) {
        ("listed", "2026-08-22") => Ok(""),
        ("listed", "2026-09-11") => Ok("e"),
        ("listed", "2026-08") => Ok("g"),
        ("listed", "2026-04-15") => Ok("a"),
        ("listed", "2026") => Ok("y"),
        ("derived", _) => Ok("r"),
        ("converted", _) => Ok("c"),
        (kind, date) => Err(at(row, format!("kind `{kind}` of {date} has no mark: add one here and to rules.toml"))),
    }
}

/// Where a size is sold: its zones in a cell, `-` for a region without zones, `!` behind them where the record was closed to
/// the subscription that asked. Before them the family that its quota is of, and the generations of image that start on it.
fn sold(from: &Path) -> Result<String, String> {
    let rows = read(&from.join("2026/azure-vm-skus-2026-08.csv"))?;
    let mut regions: BTreeSet<&str> = BTreeSet::new();
    let mut sizes: BTreeMap<&str, (Vec<String>, BTreeMap<&str, String>)> = BTreeMap::new();
    for row in &rows {
        let text = |column: &str| row.text(column).unwrap_or("").to_string();
        let arm = if row.text("arch").is_some_and(|arch| arch.eq_ignore_ascii_case("arm64")) { "arm" } else { "" };
        let mut cells = BTreeMap::new();
        for place in row.text("region_zones").unwrap_or("").split(' ').filter(|place| !place.is_empty()) {
            let (open, closed) = place.strip_suffix('!').map_or((place, ""), |open| (open, "!"));
            let (region, zones) = open.split_once(':').unwrap_or((open, "-"));
            regions.insert(region);
            cells.insert(region, format!("{zones}{closed}"));
        }
        let generations = text("hyperv_generations").replace(['V', ' '], "");
        let leading = vec![text("retires"), arm.to_string(), text("family"), generations];
        sizes.insert(row.required("size")?, (leading, cells));
    }
    let mut text = super::HEADER.to_string();
    let list: Vec<&str> = regions.iter().copied().collect();
    writeln!(text, "name,retires,processors,quota,generations,{}", list.join(",")).expect("a string takes all");
    for (name, (leading, cells)) in sizes {
        let cells: Vec<&str> = list.iter().map(|region| cells.get(region).map_or("", String::as_str)).collect();
        writeln!(text, "{name},{},{}", leading.join(","), cells.join(",")).expect("a string takes all");
    }
    Ok(text)
}
