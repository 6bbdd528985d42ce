//! Pages of the retail prices API: prices of VM sizes and of managed disks.
//!
//! | taken | told by |
//! |---|---|
//! | a VM size, an hour | service `Virtual Machines`, type `Consumption`, no Low Priority or Cloud Services |
//! | the same with Windows, or as a spot VM, an hour | the same, product `… Windows`, meter `… Spot` |
//! | a VM size reserved for 1 or 3 years, a month | the same of type `Reservation`: its price is of the whole term, whatever its unit says |
//! | a VM size in a savings plan of 1 or 3 years, an hour | `savingsPlan` of the VM size, in answers of the version 2023-01-01-preview |
//! | a disk reserved for 1 or 3 years, a month | type `Reservation`, a Managed Disks product, meter `P30 LRS Disk` |
//! | a disk of a fixed size, a month | service `Storage`, a Managed Disks product, meter `P30 LRS Disk`, `P30 ZRS Disk` |
//! | 10,000 operations of a standard disk | the same, meter `S30 LRS Disk Operations` |
//! | on-demand bursting of a premium SSD, a month | a Managed Disks product, meter `LRS Burst Enablement` |
//! | a GiB, an IOPS, a MB/s of disks sized freely, an hour | products `Azure Premium SSD v2` and `Ultra Disks`, meters of what is provisioned |
//!
//! Prices are decimals of at most six digits in the catalogue; what is smaller is an error, not zero. Of a disk sized freely the
//! list has what is free with every disk as a first tier that costs nothing: the tier above it counts, as of nothing else.
//!
//! Prices of another currency are kept with its code, next to those in US dollars.
//!
//! Ignores: other terms of reservations and savings plans, savings plans with Windows, other tiers above the first.

use dw_catalogue::file::{PriceRow, PriceTable};
use dw_catalogue::{Meter, bill};
use serde_json::Value;

use super::{CloudError, Day, ImportedRecords};

pub(super) fn read(out: &mut ImportedRecords, file: &str, items: &[Value], day: &Day) -> Result<(), CloudError> {
    let source = out.source("prices", file, day);
    for (number, item) in items.iter().enumerate() {
        let text = |key: &str| item[key].as_str().unwrap_or("");
        let place = || format!("{file}: item {} (`{}`)", number + 1, text("meterName"));
        let (name, meter, per, reserved_years) = match wanted(&text) {
            Ok(wanted) => wanted,
            Err(why) => {
                out.leave_out(why);
                continue;
            }
        };
        let is_free = item["retailPrice"].as_f64() == Some(0.0);
        let is_sized_freely = name == "PremiumV2" || name == "Ultra";
        if is_free && meter.is_some() {
            out.leave_out(if is_sized_freely { "the part that is free with every disk" } else { "prices of zero" });
            continue;
        }
        if item["tierMinimumUnits"].as_f64().is_some_and(|units| units > 0.0) && !is_sized_freely {
            out.leave_out("tiers above the first");
            continue;
        }
        let currency = text("currencyCode");
        if currency.len() != 3 || !currency.bytes().all(|letter| letter.is_ascii_uppercase()) {
            return Err(CloudError {
                place: place(),
                what: format!("`currencyCode` is `{currency}`, not a currency of three capital letters"),
                hint: "fetch the prices again, for example with `currencyCode='EUR'`; nothing was imported".into(),
            });
        }
        // What disks cost an hour has more digits than a price is kept with: a month of 730 hours has them.
        let (times, per) = match reserved_years {
            Some(years) => (1.0 / (12.0 * f64::from(years)), "month"),
            None if is_sized_freely && per == "hour" => (730.0, "month"),
            None => (1.0, per),
        };
        let price = amount(&item["retailPrice"], times).ok_or_else(|| CloudError {
            place: place(),
            what: format!("`retailPrice` is {}, not a price above a millionth", item["retailPrice"]),
            hint: "remove the item, or fetch the page again; nothing of it was imported".into(),
        })?;
        let region = text("armRegionName").to_string();
        if region.is_empty() {
            out.leave_out("prices without a region");
            continue;
        }
        let row = PriceRow { name, meter: meter.map(str::to_string), price, note: None };
        let is_vm = text("serviceName") == "Virtual Machines";
        let plans = item["savingsPlan"].as_array().filter(|_| is_vm && reserved_years.is_none());
        let plans = plans.map_or(&[][..], Vec::as_slice);
        let table = PriceTable {
            vendor: None,
            edition: day.month().to_string(),
            region,
            currency: currency.to_string(),
            source: source.clone(),
            per: per.to_string(),
            reserved_years,
            savings_plan_years: None,
            rows: Vec::new(),
        };
        for plan in plans {
            match (row.meter.as_deref(), years_of(plan["term"].as_str().unwrap_or(""))) {
                (Some(_), _) => out.leave_out("savings plans for anything but Linux VM sizes"),
                (None, None) => out.leave_out("savings plans for other terms than 1 year and 3 years"),
                (None, years) => {
                    let price = amount(&plan["retailPrice"], 1.0).ok_or_else(|| CloudError {
                        place: place(),
                        what: format!("`retailPrice` of its `savingsPlan` is {}, not a price", plan["retailPrice"]),
                        hint: "remove the item, or fetch the page again; nothing of it was imported".into(),
                    })?;
                    let table = PriceTable { savings_plan_years: years, ..table.clone() };
                    push(out, table, PriceRow { price, ..row.clone() }, &place());
                }
            }
        }
        push(out, table, row, &place());
    }
    Ok(())
}

/// The years of a term, where it is one of those that are kept.
fn years_of(term: &str) -> Option<u32> {
    match term {
        "1 Year" => Some(1),
        "3 Years" => Some(3),
        _ => None,
    }
}

/// What an item is the price of: the thing, its meter, `hour` or `month`, the years it is reserved for.
type Wanted = (String, Option<&'static str>, &'static str, Option<u32>);

/// What an item is the price of, else why it is left out.
fn wanted<'a>(text: &dyn Fn(&str) -> &'a str) -> Result<Wanted, &'static str> {
    let (product, meter) = (text("productName"), text("meterName"));
    let years = match text("type") {
        "Consumption" => None,
        "Reservation" => match years_of(text("reservationTerm")) {
            None => return Err("reservations for other terms than 1 year and 3 years"),
            years => years,
        },
        _ => return Err("prices of other types than Consumption and Reservation"),
    };
    match text("serviceName") {
        "Virtual Machines" => {
            if meter.contains("Low Priority") {
                return Err("low-priority VMs");
            }
            if ["CloudServices", "Cloud Services"].iter().any(|word| product.ends_with(word)) {
                return Err("Cloud Services");
            }
            if text("unitOfMeasure") != "1 Hour" || text("armSkuName").is_empty() {
                return Err("VM meters other than a VM size by the hour");
            }
            let of = match (product.ends_with("Windows"), meter.contains("Spot")) {
                (false, false) => None,
                (true, false) => Some(Meter::Windows.id()),
                (false, true) => Some(Meter::Spot.id()),
                (true, true) => return Err("spot VMs with Windows"),
            };
            if of.is_some() && years.is_some() {
                return Err("reservations for anything but Linux VM sizes");
            }
            Ok((text("armSkuName").to_string(), of, "hour", years))
        }
        "Storage" if years.is_some() => match reserved_disk(product, meter) {
            Some(name) => Ok((name, None, "month", years)),
            None => Err("reservations of other storage than disks of a fixed size"),
        },
        _ if years.is_some() => Err("reservations of other services"),
        "Storage" => disk(product, meter, text("unitOfMeasure")).map(|(name, of, per)| (name, of, per, None)),
        _ => Err("other services"),
    }
}

fn disk(product: &str, meter: &str, unit: &str) -> Result<(String, Option<&'static str>, &'static str), &'static str> {
    let free = match product {
        "Azure Premium SSD v2" => Some("PremiumV2"),
        "Ultra Disks" => Some("Ultra"),
        _ => None,
    };
    if let Some(name) = free {
        let lower = meter.to_ascii_lowercase();
        if lower.contains("zrs") || lower.contains("vcpu") {
            return Err("zone-redundant disks and reservation fees");
        }
        let per = if unit.ends_with("Hour") { "hour" } else { "month" };
        let of = ["capacity", "iops", "throughput"].into_iter().find(|word| lower.contains(word));
        let of = match of {
            Some("capacity") => "gib",
            Some("iops") => "iops",
            Some(_) => "mb_per_s",
            None => return Err("other meters of disks"),
        };
        return Ok((name.to_string(), Some(of), per));
    }
    if !product.ends_with("Managed Disks") {
        return Err("storage that is not a managed disk");
    }
    if product.starts_with("Premium SSD")
        && meter.to_ascii_lowercase().contains("burst enablement")
        && meter.contains("LRS")
    {
        let per = if unit.ends_with("Hour") { "hour" } else { "month" };
        return Ok((bill::BURSTING.to_string(), Some(Meter::Burst.id()), per));
    }
    let whole = meter.strip_suffix(" Disk").filter(|_| unit == "1/Month").and_then(sku);
    let operations = meter.strip_suffix(" Disk Operations").filter(|_| unit == "10K").and_then(sku);
    match (whole, operations) {
        (Some(name), _) => Ok((name, None, "month")),
        (None, Some(name)) => Ok((name, Some(Meter::Operations.id()), "10000-operations")),
        (None, None) => Err("other meters of disks"),
    }
}

/// The disk that a meter is of: `P30 LRS` is `P30`.
fn sku(meter: &str) -> Option<String> {
    let (sku, redundancy) = meter.split_once(' ')?;
    match redundancy {
        "LRS" => Some(sku.to_string()),
        "ZRS" => Some(format!("{sku}_ZRS")),
        _ => None,
    }
}

/// The disk of a fixed size that a reservation is of.
fn reserved_disk(product: &str, meter: &str) -> Option<String> {
    meter.strip_suffix(" Disk").filter(|_| product.ends_with("Managed Disks")).and_then(sku)
}

/// So many of them, as a decimal of at most six digits; nothing when it is none, or too small for them.
fn amount(price: &Value, times: f64) -> Option<String> {
    let price = price.as_f64().filter(|price| *price > 0.0 && *price < 1e9)?;
    let text = format!("{:.6}", price * times);
    (text != "0.000000").then_some(text)
}

/// Into the table of its region and term; a price that came before is replaced.
fn push(out: &mut ImportedRecords, table: PriceTable, row: PriceRow, place: &str) {
    let key = |t: &PriceTable| (t.edition.clone(), t.region.clone(), t.currency.clone(), t.per.clone(), t.commitment());
    let Some(known) = out.prices.iter_mut().find(|other| key(other) == key(&table)) else {
        out.prices.push(PriceTable { rows: vec![row], ..table });
        return;
    };
    match known.rows.iter_mut().find(|other| other.name == row.name && other.meter == row.meter) {
        Some(before) if before.price != row.price => {
            out.notes
                .push(format!("{place}: {} was {} earlier in the same file; the last is used", row.name, before.price));
            *before = row;
        }
        Some(_) => {}
        None => known.rows.push(row),
    }
}
