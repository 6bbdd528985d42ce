//! Offers of the price list: a product with its attributes, and its terms with a price each.
//!
//! Shared hardware: Linux on demand and reserved without upfront payment, Windows with its licence on demand; what EBS volumes are billed by.

use dw_units::Money;
use serde_json::Value;

use crate::numbers::{billionths, is_plain};

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meter {
    /// An hour of an instance, on demand.
    Hour,
    /// The same with Windows, its licence included.
    HourOfWindows,
    /// The hour of Linux, reserved for a year without upfront payment.
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
    /// The day on which the list was published, where it says it.
    pub published: Option<String>,
}

impl OfferPrice {
    /// To the nearest millionth of a US dollar.
    pub fn amount(&self) -> Money {
        Money::micros(self.billionths.div_ceil(500) / 2)
    }
}

/// A GiB/s of throughput is sold; a MiB/s is what plans have.
const MIB_OF_GIB: u64 = 1_024;

/// What a price is wanted of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Product {
    region: String,
    /// The instance type, or the kind of volumes.
    name: String,
    /// Of a volume, which is billed by several, and of what has no price but that on demand.
    meter: Option<Meter>,
}

/// How a product is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paid {
    OnDemand,
    Reserved,
}

impl Paid {
    const ALL: [Paid; 2] = [Paid::OnDemand, Paid::Reserved];

    const fn id(self) -> &'static str {
        match self {
            Paid::OnDemand => "OnDemand",
            Paid::Reserved => "Reserved",
        }
    }
    pub(super) fn from_id(id: &str) -> Option<Paid> {
        Paid::ALL.into_iter().find(|paid| paid.id() == id)
    }
}

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
    let of = offer.get("product").unwrap_or(&Value::Null);
    let product = match product(of)? {
        Ok(product) => product,
        Err(why) => return Ok(Err(why)),
    };
    let mut all = Vec::new();
    for paid in Paid::ALL {
        if let Some(terms) = offer.pointer(&format!("/terms/{}", paid.id())) {
            all.extend(prices(&product, paid, terms)?);
        }
    }
    if all.is_empty() && product.meter.is_some() {
        return Ok(Err("offers without a price on demand"));
    }
    let day = offer.get("publicationDate").and_then(Value::as_str).and_then(|date| date.get(..10));
    all.iter_mut().for_each(|price| price.published = day.map(String::from));
    Ok(Ok(all))
}

/// What a product is, or why nobody wants its price.
pub(super) fn product(product: &Value) -> Result<Result<Product, &'static str>, String> {
    let attribute = |key: &str| product.pointer(&format!("/attributes/{key}")).and_then(Value::as_str);
    let Some(family) = product.get("productFamily").and_then(Value::as_str) else {
        return Ok(Err("offers without a product family"));
    };
    if attribute("locationType").is_some_and(|own| own != "AWS Region") {
        return Ok(Err("products of local zones and outposts"));
    }
    let (name, meter) = match family {
        "Compute Instance" | "Compute Instance (bare metal)" => {
            let is_windows = attribute("operatingSystem") == Some("Windows");
            // Of a licence that its owner brings along the hour is that of Linux, on hardware that is not shared.
            let wanted = [
                ("operatingSystem", if is_windows { "Windows" } else { "Linux" }),
                ("licenseModel", "No License required"),
                ("tenancy", "Shared"),
                ("preInstalledSw", "NA"),
                ("capacitystatus", "Used"),
                ("marketoption", "OnDemand"),
            ];
            if wanted.iter().any(|(key, value)| attribute(key).is_some_and(|own| own != *value)) {
                return Ok(Err("instances with another operating system, software, licence or tenancy"));
            }
            let name = attribute("instanceType").ok_or("has no `instanceType`")?;
            (name, is_windows.then_some(Meter::HourOfWindows))
        }
        "Storage" | "System Operation" | "Provisioned Throughput" => {
            let Some(name) = attribute("volumeApiName") else { return Ok(Err("storage that is no volume")) };
            let Some(meter) = volume_meter(family, attribute("group"), attribute("usagetype")) else {
                return Ok(Err("what volumes are not billed by here, such as requests"));
            };
            (name, Some(meter))
        }
        _ => return Ok(Err("products of other families")),
    };
    let region = attribute("regionCode").ok_or("has no `regionCode`")?;
    // It goes into scripts.
    if !is_plain(region) {
        return Err(format!(
            "has `regionCode` {region:?}, which is no region: small letters, digits and `-` are expected"
        ));
    }
    Ok(Ok(Product { region: region.into(), name: name.into(), meter }))
}

/// The prices of a product that is paid for so; an error where a term lacks what it must have.
pub(super) fn prices(product: &Product, paid: Paid, terms: &Value) -> Result<Vec<OfferPrice>, String> {
    let price = |meter, (billionths, date): (u64, String)| OfferPrice {
        region: product.region.clone(),
        name: product.name.clone(),
        meter,
        billionths,
        date,
        published: None,
    };
    let terms = terms.as_object().into_iter().flat_map(|terms| terms.values());
    Ok(match (paid, product.meter) {
        (Paid::Reserved, Some(_)) => Vec::new(),
        (Paid::Reserved, None) => reserved(terms, &product.name)?.into_iter().map(|(m, own)| price(m, own)).collect(),
        (Paid::OnDemand, meter) => {
            let mut terms = terms;
            let Some((amount, unit, date)) = terms.next().map_or(Ok(None), |term| priced(term, &product.name))? else {
                return Ok(Vec::new());
            };
            let amount = match meter.is_some() && unit.to_ascii_lowercase().starts_with("gibps") {
                true => amount / MIB_OF_GIB,
                false => amount,
            };
            vec![price(meter.unwrap_or(Meter::Hour), (amount, date))]
        }
    })
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

/// What is paid for, in thousand-millionths since a day.
type Rate = (Meter, (u64, String));

/// Without upfront payment, of the class that stays.
fn reserved<'a>(terms: impl Iterator<Item = &'a Value>, name: &str) -> Result<Vec<Rate>, String> {
    let mut prices = Vec::new();
    for term in terms {
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
            prices.push((meter, (amount, date)));
        }
    }
    prices.sort_by_key(|(meter, _)| *meter);
    Ok(prices)
}

/// Thousand-millionths of a dollar, unit and day of a term; nothing where it is free, as some that nobody can buy are.
fn priced(term: &Value, name: &str) -> Result<Option<(u64, String, String)>, String> {
    let dimensions = term.get("priceDimensions").and_then(Value::as_object);
    let dimension =
        dimensions.and_then(|all| all.values().next()).ok_or_else(|| format!("`{name}` has no `priceDimensions`"))?;
    let text = dimension.pointer("/pricePerUnit/USD").and_then(Value::as_str);
    let text = text.ok_or_else(|| {
        let others = dimension.get("pricePerUnit").and_then(Value::as_object);
        let other = others.and_then(|all| all.keys().next());
        let other = other.map_or(String::new(), |own| {
            format!(", but in {own}: prices in USD alone are read, so none of the regions of China")
        });
        format!("`{name}` has no price in USD{other}")
    })?;
    let amount = billionths(text).ok_or_else(|| format!("the price of `{name}` is `{text}`, not a number"))?;
    let unit = dimension.get("unit").and_then(Value::as_str).unwrap_or_default();
    let date = term.get("effectiveDate").and_then(Value::as_str).unwrap_or_default();
    Ok((amount > 0).then(|| (amount, unit.into(), date.chars().take(10).collect())))
}
