//! Prices: of types by the hour, of volumes by the month, each with its age.
//!
//! Formula of a volume's month: GiB · price + what of IOPS and MiB/s is not included · its price; io2's IOPS in three bands (to 32,000, to
//! 64,000, above).
//!
//! Source: `sources::{VM_PRICES_K, VM_PRICES_E, VOLUME_PRICES}`. Prices of types outside us-east-1 and GovCloud are of 2025-04, those of
//! volumes of 2024-07: whoever tells one tells its age.
//!
//! Ignores: Windows, spot, savings plans, discounts; requests of `standard` volumes; the shortest minute that is billed.
//!
//! Invariant: a price that is not in the data is absent, never zero.

use std::collections::HashMap;
use std::sync::LazyLock;

use dw_units::Money;

use crate::kinds::Rule;
use crate::numbers::billionths;
use crate::packed::Table;
use crate::sources::{VM_PRICES_E, VM_PRICES_K, VOLUME_PRICES};
use crate::volume::Volume;

static TYPES: Table = Table::named("vm-prices.csv");
static COMMITMENTS: Table = Table::named("vm-commitments.csv");
static VOLUMES: Table = Table::named("volume-prices.csv");
/// What is paid for, by region and kind: `gib` and the price of one, `iops_1` and so on.
type ByKind = HashMap<&'static str, HashMap<&'static str, Vec<(&'static str, &'static str)>>>;
static OF_VOLUMES: LazyLock<ByKind> = LazyLock::new(|| {
    let heading = VOLUMES.heading();
    let mut all = ByKind::new();
    for row in VOLUMES.rows() {
        let kinds = all.entry(row[0]).or_default();
        for (name, price) in heading.iter().zip(&row).filter(|(_, price)| !price.is_empty()) {
            if let Some((kind, meter)) = name.split_once('.') {
                kinds.entry(kind).or_default().push((meter, price));
            }
        }
    }
    all
});

/// The price of a snapshot that is restored fast, an hour and zone, in us-east-1.
pub const FAST_RESTORE_HOUR: Money = Money::micros(750_000);
/// The date of prices of volumes.
pub const VOLUME_DATE: &str = "2024-07-18";
/// IOPS of io2 up to which the first and the second band hold.
pub(crate) const BANDS: [u64; 2] = [32_000, 64_000];

/// A price with where it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated {
    pub amount: Money,
    pub source: &'static str,
    pub date: &'static str,
}

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
    sorted(HOURS.keys())
}

/// Regions with prices of volumes, sorted.
pub fn volume_regions() -> Vec<&'static str> {
    sorted(OF_VOLUMES.keys())
}

fn sorted(regions: impl Iterator<Item = &'static &'static str>) -> Vec<&'static str> {
    let mut regions: Vec<&str> = regions.copied().collect();
    regions.sort_unstable();
    regions
}

/// Prices of a kind in a region: what is paid for, and US dollars as the list has them.
pub fn of_kind(region: &str, id: &str) -> &'static [(&'static str, &'static str)] {
    OF_VOLUMES.get(region).and_then(|kinds| kinds.get(id)).map_or(&[], Vec::as_slice)
}

/// An hour of a type with Linux, on demand.
pub fn hour(region: &str, name: &str) -> Option<Dated> {
    let (figure, source) = HOURS.get(region)?.get(name)?;
    let amount = money(figure)?;
    Some(match *source {
        "k" => Dated { amount, source: VM_PRICES_K, date: "2026-07-20" },
        _ => Dated { amount, source: VM_PRICES_E, date: "2025-04-04" },
    })
}

/// An hour of a type that is reserved for one year or three, without upfront payment.
pub fn hour_reserved(region: &str, name: &str, years: u32) -> Option<Dated> {
    let (one, three) = RESERVED.get(region)?.get(name)?.0.split_once('/')?;
    let amount = match years {
        1 => money(one)?,
        3 => money(three)?,
        _ => return None,
    };
    Some(Dated { amount, source: VM_PRICES_E, date: "2025-04-04" })
}

/// A month of a volume; its price is the size's alone where IOPS and throughput follow from that.
pub fn month(region: &str, volume: &Volume) -> Option<Dated> {
    let id = volume.kind.id;
    let meters = of_kind(region, id);
    let meter = |meter: &str| billionths(meters.iter().find(|(own, _)| *own == meter)?.1);
    let mut sum = u128::from(meter("gib")?) * u128::from(volume.gib);
    if let Rule::Bought(bought) = &volume.kind.rule {
        let mut add = |price: u64, amount: u64| sum += u128::from(price) * u128::from(amount);
        let iops = volume.iops?;
        let included = bought.included;
        match id {
            "io2" => {
                let [first, second] = BANDS;
                add(meter("iops_1")?, iops.min(first));
                add(meter("iops_2")?, iops.min(second).saturating_sub(first));
                add(meter("iops_3")?, iops.saturating_sub(second));
            }
            _ => add(meter("iops")?, iops.saturating_sub(included.map_or(0, |included| included.iops))),
        }
        if let (Some(mib), Some(included)) = (volume.mib, included) {
            add(meter("mib_s")?, mib.saturating_sub(included.mib));
        }
    }
    let amount = Money::micros(u64::try_from(micros(sum)).ok()?);
    Some(Dated { amount, source: VOLUME_PRICES, date: VOLUME_DATE })
}

pub(crate) fn money(text: &str) -> Option<Money> {
    Some(Money::micros(u64::try_from(micros(u128::from(billionths(text)?))).ok()?))
}

/// Millionths of so many thousand-millionths, to the nearest.
fn micros(billionths: u128) -> u128 {
    billionths.div_ceil(500) / 2
}
