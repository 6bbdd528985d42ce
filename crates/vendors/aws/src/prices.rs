//! Prices: of types by the hour, of volumes by the month, each with its age.
//!
//! Formula of a volume's month: GiB · price + what of IOPS and MiB/s is not included · its price; io2's IOPS in three bands (to 32,000, to
//! 64,000, above).
//!
//! Source: `sources::{VM_PRICES_K, VM_PRICES_E, VOLUME_PRICES}`. Prices of types outside us-east-1 and GovCloud are of 2025-04, those of
//! volumes of 2024-07: whoever tells one tells its age.
//!
//! Ignores: Windows but for what is imported, spot, savings plans, discounts; requests of `standard` volumes; the shortest minute that is billed.
//!
//! Invariant: a price that is not in the data is absent, never zero.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use dw_units::Money;
use dw_vendor::edition;

use crate::kinds::Rule;
use crate::numbers::billionths;
use crate::packed::Table;
use crate::sources::{VM_PRICES_E, VM_PRICES_K, VOLUME_PRICES};
use crate::volume::Volume;

static TYPES: Table = Table::named("vm-prices.csv");
static COMMITMENTS: Table = Table::named("vm-commitments.csv");
static VOLUMES: Table = Table::named("volume-prices.csv");
/// By region: an estate asks for the same few rows of every volume.
static OF_VOLUMES: LazyLock<HashMap<&str, Vec<&str>>> =
    LazyLock::new(|| VOLUMES.rows().map(|row| (row[0], row)).collect());
static HEADING: LazyLock<Vec<&str>> = LazyLock::new(|| VOLUMES.heading());

/// The price of a snapshot that is restored fast, an hour and zone, in us-east-1.
pub const FAST_RESTORE_HOUR: Money = Money::micros(750_000);
/// The date of prices of volumes.
pub const VOLUME_DATE: &str = "2024-07-18";
/// That of prices of types outside us-east-1 and GovCloud.
const TYPES_DATE_E: &str = "2025-04-04";
/// IOPS of io2 up to which the first and the second band hold.
pub(crate) const BANDS: [u64; 2] = [32_000, 64_000];

/// A price with where it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated<'a> {
    pub amount: Money,
    pub source: &'a str,
    pub date: &'a str,
}

/// The same before it is rounded: thousand-millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure<'a> {
    pub billionths: u64,
    pub source: &'a str,
    pub date: &'a str,
}

impl<'a> Figure<'a> {
    pub(crate) fn dated(self) -> Option<Dated<'a>> {
        let amount = Money::micros(u64::try_from(micros(u128::from(self.billionths))).ok()?);
        Some(Dated { amount, source: self.source, date: self.date })
    }
}

/// What of a type or a kind a price is for.
pub(crate) const HOUR: &str = "hour";
/// With Windows; no price of it is shipped.
pub(crate) const HOUR_OF_WINDOWS: &str = "hour_windows";
pub(crate) const HOUR_OF_YEAR: &str = "hour_1";
pub(crate) const HOUR_OF_THREE_YEARS: &str = "hour_3";
pub(crate) const GIB: &str = "gib";
pub(crate) const IOPS: &str = "iops";
pub(crate) const IOPS_BANDS: [&str; 3] = ["iops_1", "iops_2", "iops_3"];
pub(crate) const MIB_S: &str = "mib_s";

/// Prices of types of a table by region and name, each with the other cells of its row.
type ByName = HashMap<&'static str, HashMap<&'static str, (&'static str, &'static str)>>;
static HOURS: LazyLock<ByName> = LazyLock::new(|| by_name(&TYPES, 2));
static RESERVED: LazyLock<ByName> = LazyLock::new(|| by_name(&COMMITMENTS, 1));

/// Of rows `region,…,name=figure name=figure`; of one name in two rows of a region the first counts.
fn by_name(table: &'static Table, list: usize) -> ByName {
    let mut all = ByName::new();
    for row in table.rows() {
        let own = all.entry(row[0]).or_default();
        for (name, figure) in row[list].split(' ').filter_map(|pair| pair.split_once('=')) {
            own.entry(name).or_insert((figure, row[1]));
        }
    }
    all
}

/// Regions with prices of types, sorted.
pub fn regions() -> Vec<&'static str> {
    let mut regions: Vec<&str> = TYPES.rows().map(|row| row[0]).collect();
    regions.dedup();
    regions
}

/// Regions with prices of volumes, sorted.
pub fn volume_regions() -> Vec<&'static str> {
    VOLUMES.rows().map(|row| row[0]).collect()
}

/// As it is shipped.
fn shipped(region: &str, name: &str, of: &str) -> Option<Figure<'static>> {
    let reserved = |place: usize| {
        let figure = RESERVED.get(region)?.get(name)?.0.split('/').nth(place)?;
        Some((figure, VM_PRICES_E, TYPES_DATE_E))
    };
    let (figure, source, date) = match of {
        HOUR => match HOURS.get(region)?.get(name)? {
            (figure, "k") => (*figure, VM_PRICES_K, "2026-07-20"),
            (figure, _) => (*figure, VM_PRICES_E, TYPES_DATE_E),
        },
        HOUR_OF_YEAR => reserved(0)?,
        HOUR_OF_THREE_YEARS => reserved(1)?,
        _ => {
            let is = |head: &&str| head.split_once('.') == Some((name, of));
            let column = HEADING.iter().position(is)?;
            (*OF_VOLUMES.get(region)?.get(column)?, VOLUME_PRICES, VOLUME_DATE)
        }
    };
    Some(Figure { billionths: billionths(figure)?, source, date })
}

/// A price of a person's own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Own {
    of: &'static str,
    billionths: u64,
    edition: String,
    source: String,
}

/// Prices as they are shipped, with a person's own over them: of both the newest counts, and of one month the person's.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// By region and name; the newest last.
    own: BTreeMap<String, BTreeMap<String, Vec<Own>>>,
}

impl Prices {
    /// With another price of one's own, in thousand-millionths.
    pub(crate) fn add(&mut self, (region, name, of): (&str, &str, &'static str), figure: Figure) {
        let own = Own { of, billionths: figure.billionths, edition: figure.date.into(), source: figure.source.into() };
        let all = self.own.entry(region.into()).or_default().entry(name.into()).or_default();
        let at = all.partition_point(|other| edition::sort_key(&other.edition) <= edition::sort_key(&own.edition));
        all.insert(at, own);
    }

    /// All that are known, oldest first.
    pub fn all(&self, region: &str, name: &str, of: &str) -> Vec<Figure<'_>> {
        let own = self.own.get(region).and_then(|names| names.get(name)).into_iter().flatten();
        let own = own.filter(|own| own.of == of).map(|own| Figure {
            billionths: own.billionths,
            source: &own.source,
            date: &own.edition,
        });
        let mut all: Vec<Figure> = shipped(region, name, of).into_iter().chain(own).collect();
        // Stable: of one month the person's stays the last.
        all.sort_by_key(|figure| month_of(figure.date));
        all
    }

    /// The newest up to an edition.
    pub fn figure(&self, region: &str, name: &str, of: &str, up_to: Option<&str>) -> Option<Figure<'_>> {
        if self.own.is_empty() {
            return shipped(region, name, of).filter(|figure| edition::not_later(month_of(figure.date), up_to));
        }
        self.all(region, name, of).into_iter().rfind(|figure| edition::not_later(month_of(figure.date), up_to))
    }

    /// The same, rounded to the nearest millionth.
    pub fn price(&self, region: &str, name: &str, of: &str, up_to: Option<&str>) -> Option<Dated<'_>> {
        self.figure(region, name, of, up_to)?.dated()
    }

    /// An hour of a type with Linux, on demand.
    pub fn hour(&self, region: &str, name: &str) -> Option<Dated<'_>> {
        self.price(region, name, HOUR, None)
    }

    /// An hour of a type that is reserved for one year or three, without upfront payment.
    pub fn hour_reserved(&self, region: &str, name: &str, years: u32) -> Option<Dated<'_>> {
        self.price(region, name, reserved_for(years)?, None)
    }

    /// A month of a volume; its price is the size's alone where IOPS and throughput follow from that. Its date is that of its oldest part.
    pub fn month(&self, region: &str, volume: &Volume) -> Option<Dated<'_>> {
        let mut parts = vec![(GIB, volume.gib)];
        if let Rule::Bought(bought) = &volume.kind.rule {
            let iops = volume.iops?;
            let included = bought.included;
            match volume.kind.id {
                "io2" => {
                    let [first, second] = BANDS;
                    let of_bands =
                        [iops.min(first), iops.min(second).saturating_sub(first), iops.saturating_sub(second)];
                    parts.extend(IOPS_BANDS.into_iter().zip(of_bands));
                }
                _ => parts.push((IOPS, iops.saturating_sub(included.map_or(0, |included| included.iops)))),
            }
            if let (Some(mib), Some(included)) = (volume.mib, included) {
                parts.push((MIB_S, mib.saturating_sub(included.mib)));
            }
        }
        let mut sum = 0;
        let mut oldest: Option<Figure> = None;
        for (of, count) in parts {
            let figure = self.figure(region, volume.kind.id, of, None)?;
            sum += u128::from(figure.billionths) * u128::from(count);
            oldest = oldest.filter(|other| month_of(other.date) <= month_of(figure.date)).or(Some(figure));
        }
        let Figure { source, date, .. } = oldest?;
        Some(Dated { amount: Money::micros(u64::try_from(micros(sum)).ok()?), source, date })
    }

    /// Regions with prices of types, sorted.
    pub fn regions(&self) -> Vec<&str> {
        self.with_own(regions(), |of| of == HOUR)
    }

    /// Regions with prices of volumes, sorted.
    pub fn volume_regions(&self) -> Vec<&str> {
        self.with_own(volume_regions(), |of| of == GIB)
    }

    fn with_own<'a>(&'a self, shipped: Vec<&'a str>, is: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let has = |names: &BTreeMap<String, Vec<Own>>| names.values().flatten().any(|own| is(own.of));
        let own = self.own.iter().filter(|(_, names)| has(names)).map(|(region, _)| region.as_str());
        let mut all: Vec<&str> = shipped.into_iter().chain(own).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What an hour under a reservation is called.
pub(crate) fn reserved_for(years: u32) -> Option<&'static str> {
    match years {
        1 => Some(HOUR_OF_YEAR),
        3 => Some(HOUR_OF_THREE_YEARS),
        _ => None,
    }
}

/// The month of a date.
fn month_of(date: &str) -> &str {
    date.get(..7).unwrap_or(date)
}

/// Prices as they are shipped alone.
static SHIPPED: Prices = Prices { own: BTreeMap::new() };

/// [`Prices::hour`] of what is shipped.
pub fn hour(region: &str, name: &str) -> Option<Dated<'static>> {
    SHIPPED.hour(region, name)
}

/// [`Prices::hour_reserved`] of what is shipped.
pub fn hour_reserved(region: &str, name: &str, years: u32) -> Option<Dated<'static>> {
    SHIPPED.hour_reserved(region, name, years)
}

/// [`Prices::month`] of what is shipped.
pub fn month(region: &str, volume: &Volume) -> Option<Dated<'static>> {
    SHIPPED.month(region, volume)
}

/// Millionths of so many thousand-millionths, to the nearest.
fn micros(billionths: u128) -> u128 {
    billionths.div_ceil(500) / 2
}
