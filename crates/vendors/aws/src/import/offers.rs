//! Offers of the price list: a product with its attributes, and its terms with a price each.
//!
//! Linux on shared hardware, on demand and reserved without upfront payment; what EBS volumes are billed by.

use dw_units::Money;
use serde_json::Value;

use crate::numbers::billionths;

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meter {
    /// An hour of an instance, on demand.
    Hour,
    /// The same, reserved for a year without upfront payment.
    HourOfYear,
    /// The same for three years.
    HourOfThreeYears,
    /// A GiB of a volume for a month.
    Gib,
    /// An IOPS for a month, of the first, second or third band.
    Iops(u8),
    /// A MiB/s for a month.
    MibPerS,
}

/// A price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferPrice {
    pub region: String,
    /// The instance type, or the kind of volumes.
    pub name: String,
    pub meter: Meter,
    /// Thousand-millionths of a US dollar.
    pub billionths: u64,
    /// The day on which it took effect.
    pub date: String,
}

impl OfferPrice {
    /// To the nearest millionth of a US dollar.
    pub fn amount(&self) -> Money {
        Money::micros(self.billionths.div_ceil(500) / 2)
    }
}

/// A GiB/s of throughput is sold; a MiB/s is what plans have.
const MIB_OF_GIB: u64 = 1_024;

/// The prices of an offer, or why it is left out; an error where it lacks what it must have. The list has its offers as texts.
pub(super) fn read(offer: &Value) -> Result<Result<Vec<OfferPrice>, &'static str>, String> {
    let parsed;
    let offer = match offer {
        Value::String(text) => {
            parsed = serde_json::from_str::<Value>(text).map_err(|e| format!("is not valid JSON: {e}"))?;
            &parsed
        }
        other => other,
    };
    let attribute = |key: &str| offer.pointer(&format!("/product/attributes/{key}")).and_then(Value::as_str);
    let Some(family) = offer.pointer("/product/productFamily").and_then(Value::as_str) else {
        return Ok(Err("offers without a product family"));
    };
    let region = attribute("regionCode").ok_or("has no `regionCode`")?;
    match family {
        "Compute Instance" | "Compute Instance (bare metal)" => {
            let wanted = [
                ("operatingSystem", "Linux"),
                ("tenancy", "Shared"),
                ("preInstalledSw", "NA"),
                ("capacitystatus", "Used"),
            ];
            if wanted.iter().any(|(key, value)| attribute(key).is_some_and(|own| own != *value)) {
                return Ok(Err("instances with another operating system, software or tenancy"));
            }
            let name = attribute("instanceType").ok_or("has no `instanceType`")?;
            instances(offer, region, name).map(Ok)
        }
        "Storage" | "System Operation" | "Provisioned Throughput" => {
            let Some(name) = attribute("volumeApiName") else { return Ok(Err("storage that is no volume")) };
            let Some(meter) = volume_meter(family, attribute("group"), attribute("usagetype")) else {
                return Ok(Err("what volumes are not billed by here, such as requests"));
            };
            let Some((price, unit, date)) = on_demand(offer, name)? else {
                return Ok(Err("offers without a price on demand"));
            };
            let billionths = match unit.to_ascii_lowercase().starts_with("gibps") {
                true => price / MIB_OF_GIB,
                false => price,
            };
            Ok(Ok(vec![OfferPrice { region: region.into(), name: name.into(), meter, billionths, date }]))
        }
        _ => Ok(Err("products of other families")),
    }
}

/// What a volume's product is: its GiB, a band of its IOPS, its throughput.
fn volume_meter(family: &str, group: Option<&str>, usage: Option<&str>) -> Option<Meter> {
    let usage = usage.unwrap_or_default();
    match family {
        "Storage" => usage.contains("VolumeUsage").then_some(Meter::Gib),
        "Provisioned Throughput" => Some(Meter::MibPerS),
        _ if !usage.contains("VolumeP-IOPS") => None,
        _ => Some(Meter::Iops(match group.unwrap_or_default() {
            group if group.ends_with("Tier 2") => 2,
            group if group.ends_with("Tier 3") => 3,
            _ => 1,
        })),
    }
}

fn instances(offer: &Value, region: &str, name: &str) -> Result<Vec<OfferPrice>, String> {
    let price = |meter, billionths, date: &str| OfferPrice {
        region: region.into(),
        name: name.into(),
        meter,
        billionths,
        date: date.into(),
    };
    let mut prices = Vec::new();
    if let Some((amount, _, date)) = on_demand(offer, name)? {
        prices.push(price(Meter::Hour, amount, &date));
    }
    let terms = offer.pointer("/terms/Reserved").and_then(Value::as_object);
    for term in terms.into_iter().flat_map(|terms| terms.values()) {
        let is =
            |key: &str, value: &str| term.pointer(&format!("/termAttributes/{key}")).is_some_and(|own| own == value);
        if !is("PurchaseOption", "No Upfront") || !is("OfferingClass", "standard") {
            continue;
        }
        let meter = match (is("LeaseContractLength", "1yr"), is("LeaseContractLength", "3yr")) {
            (true, _) => Meter::HourOfYear,
            (_, true) => Meter::HourOfThreeYears,
            _ => continue,
        };
        if let Some((amount, _, date)) = priced(term, name)? {
            prices.push(price(meter, amount, &date));
        }
    }
    prices.sort_by_key(|price| price.meter);
    Ok(prices)
}

fn on_demand(offer: &Value, name: &str) -> Result<Option<(u64, String, String)>, String> {
    let terms = offer.pointer("/terms/OnDemand").and_then(Value::as_object);
    terms.and_then(|terms| terms.values().next()).map_or(Ok(None), |term| priced(term, name))
}

/// Thousand-millionths of a dollar, unit and day of a term; nothing where it is free, as some that nobody can buy are.
fn priced(term: &Value, name: &str) -> Result<Option<(u64, String, String)>, String> {
    let dimensions = term.get("priceDimensions").and_then(Value::as_object);
    let dimension =
        dimensions.and_then(|all| all.values().next()).ok_or_else(|| format!("`{name}` has no `priceDimensions`"))?;
    let text = dimension.pointer("/pricePerUnit/USD").and_then(Value::as_str);
    let text = text.ok_or_else(|| format!("`{name}` has no price in USD"))?;
    let amount = billionths(text).ok_or_else(|| format!("the price of `{name}` is `{text}`, not a number"))?;
    let unit = dimension.get("unit").and_then(Value::as_str).unwrap_or_default();
    let date = term.get("effectiveDate").and_then(Value::as_str).unwrap_or_default();
    Ok((amount > 0).then(|| (amount, unit.into(), date.chars().take(10).collect())))
}
