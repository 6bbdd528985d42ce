//! What the catalogue says of sizes, disks and prices, looked up once for all machines that are alike.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use dw_catalogue::bill::{Billed, ZONE_REDUNDANT};
use dw_catalogue::gate::Tags;
use dw_catalogue::kind::Kind;
use dw_catalogue::price::CURRENCY;
use dw_catalogue::{
    Catalogue, DiskOffer, DiskOptions, LatencySetting, Meter, Placing, Printed, VmLimits, VmSize, flags,
};
use dw_demand::Commitment;
use dw_estate::StripeFile;
use dw_units::{Bytes, Iops, Money, Throughput};

use crate::recorded::Recordings;

/// A size in a region.
pub struct Size<'a> {
    pub row: &'a VmSize,
    pub limits: VmLimits,
    pub printed: Printed,
    /// A month of it, pay as you go.
    pub monthly: Option<Money>,
    /// The cheapest other size with the same processors that is taken in place and passes no less, with its price.
    pub cheaper: Option<(&'a VmSize, Money)>,
    /// The same where none of it is cheaper, and it stays.
    pub lasting: Option<&'a VmSize>,
}

/// The name of a thing, its meter, a region.
type PriceKey = (String, Meter, String);
/// A disk of another kind that gives as much.
#[derive(Clone, Copy)]
pub struct OtherKind {
    pub kind: &'static Kind,
    /// I/Os and bytes a second.
    pub rates: (u64, u64),
    pub monthly: Money,
}
/// Size, rates, the region, whether in a zone, what the machine has.
type OtherKey = (Bytes, (u64, u64), String, bool, Tags);

/// By its name and a region.
type Sizes<'a> = HashMap<(String, String), Option<Rc<Size<'a>>>>;

/// The catalogue, with what was looked up.
pub struct Market<'a> {
    pub catalogue: &'a Catalogue,
    /// The day of the audit, as `2026-11-29`; without it nothing is late.
    pub today: Option<String>,
    /// What a person says of stripes.
    pub stripes: StripeFile,
    /// What recordings show of machines, where there are any.
    pub recordings: Option<&'a Recordings>,
    disks: HashMap<&'static str, Vec<&'a DiskOffer>>,
    /// Sizes by their processors: there are a thousand, and few are alike.
    by_processors: HashMap<u32, Vec<&'a VmSize>>,
    sizes: RefCell<Sizes<'a>>,
    prices: RefCell<HashMap<PriceKey, Option<Money>>>,
    /// By what is asked of [`Market::other_kind`].
    others: RefCell<HashMap<OtherKey, Option<OtherKind>>>,
}

impl<'a> Market<'a> {
    pub fn new(catalogue: &'a Catalogue, today: Option<String>, stripes: StripeFile) -> Market<'a> {
        let mut disks: HashMap<&'static str, Vec<&DiskOffer>> = HashMap::new();
        for offer in catalogue.disks_as_of(None) {
            disks.entry(offer.kind().id).or_default().push(offer);
        }
        disks.values_mut().for_each(|offers| offers.sort_by_key(|offer| offer.size.max));
        let mut by_processors: HashMap<u32, Vec<&VmSize>> = HashMap::new();
        for size in catalogue.vm_sizes_as_of(None) {
            by_processors.entry(size.vcpu).or_default().push(size);
        }
        Market {
            catalogue,
            today,
            stripes,
            recordings: None,
            disks,
            by_processors,
            sizes: RefCell::default(),
            prices: RefCell::default(),
            others: RefCell::default(),
        }
    }

    pub fn kind(&self, id: &str) -> Option<&'static Kind> {
        dw_catalogue::vendor().kinds().iter().find(|kind| kind.id == id)
    }
    /// The disk that one of a kind and a size is billed as.
    pub fn offer(&self, kind: &str, size: Bytes) -> Option<&'a DiskOffer> {
        self.disks.get(kind)?.iter().find(|offer| offer.size.max >= size).copied()
    }
    /// The one below it.
    pub fn offer_below(&self, offer: &DiskOffer) -> Option<&'a DiskOffer> {
        self.disks.get(offer.kind().id)?.iter().rfind(|other| other.size.max < offer.size.max).copied()
    }

    /// A size of the catalogue in a region, or nothing.
    pub fn size(&self, name: &str, region: Option<&str>) -> Option<Rc<Size<'a>>> {
        let key = (name.to_string(), region.unwrap_or_default().to_string());
        if let Some(found) = self.sizes.borrow().get(&key) {
            return found.clone();
        }
        let found = self.catalogue.vm(name, None).ok().map(|row| Rc::new(self.looked_up(row, region)));
        self.sizes.borrow_mut().insert(key, found.clone());
        found
    }

    fn looked_up(&self, row: &'a VmSize, region: Option<&str>) -> Size<'a> {
        let wishes = dw_catalogue::PLAN_KEYS.wishes();
        let limits = row.limits(LatencySetting::default());
        let printed = row.printed(&wishes);
        let monthly = region.and_then(|region| self.price(&row.name, Meter::Whole, region));
        let fitting: Vec<&VmSize> = self.fitting(row, region).collect();
        let priced = fitting.iter().filter_map(|other| Some((*other, self.price(&other.name, Meter::Whole, region?)?)));
        let cheapest = priced.min_by_key(|(other, price)| (*price, other.name.clone()));
        let cheaper = cheapest.filter(|(_, price)| monthly.is_some_and(|own| price < &own));
        let open = |other: &&&VmSize| self.catalogue.stages(&other.name).next().is_none();
        let lasting =
            cheapest.map(|(other, _)| other).filter(|other| open(&other)).or(fitting.iter().find(open).copied());
        Size { row, limits, printed, monthly, cheaper, lasting }
    }

    /// Other sizes with as many processors that are taken in place, pass and hold no less, and stay.
    fn fitting<'b>(&'b self, row: &'b VmSize, region: Option<&'b str>) -> impl Iterator<Item = &'a VmSize> + 'b {
        let is_usual = |name: &str| {
            flags().iter().all(|flag| !flag.is_of(self.catalogue, name) || flag.is_of(self.catalogue, &row.name))
        };
        let fits = move |other: &&'a VmSize| {
            other.name != row.name
                && other.memory_mib >= row.memory_mib
                && other.max_data_disks >= row.max_data_disks
                && other.covers(row)
                && is_usual(&other.name)
                && self.catalogue.retires(&other.name).is_none()
                && region.is_none_or(|region| {
                    matches!(self.catalogue.sold(&other.name, region), dw_catalogue::Sold::Here { .. })
                })
                && self.catalogue.resize_obstacle(row, other).is_none()
        };
        self.by_processors.get(&row.vcpu).into_iter().flatten().copied().filter(fits)
    }
    /// The cheapest of them that takes a kind of disk.
    pub fn taking(&self, own: &VmSize, kind: &Kind, region: Option<&str>) -> Option<&'a VmSize> {
        let takes = |other: &&VmSize| other.has_where_told().is_some_and(|has| has.cover(kind.needs));
        let monthly = |other: &VmSize| {
            region
                .and_then(|region| self.price(&other.name, Meter::Whole, region))
                .map_or(u64::MAX, |price| price.get())
        };
        self.fitting(own, region).filter(takes).min_by_key(|other| (monthly(other), &other.name))
    }

    /// All sizes of a series, a row each.
    pub fn of_series(&self, series: &str) -> impl Iterator<Item = &'a VmSize> {
        self.by_processors.values().flatten().filter(move |size| size.series.as_deref() == Some(series)).copied()
    }
    /// The cheapest way on for who builds anew: as many processors, no less memory and gates, in no stage of its end.
    pub fn newest(&self, own: &VmSize) -> Option<&'a VmSize> {
        let fits = |other: &&&VmSize| {
            other.name != own.name
                && other.memory_mib >= own.memory_mib
                && other.is_as_wide(own)
                && self.catalogue.retires(&other.name).is_none()
                && self.catalogue.stages(&other.name).next().is_none()
                && flags().iter().all(|flag| !flag.is_of(self.catalogue, &other.name))
        };
        let fitting = self.by_processors.get(&own.vcpu)?.iter().filter(fits);
        fitting.min_by_key(|other| (other.memory_mib, &other.name)).copied()
    }

    /// A month of a meter of something in a region.
    pub fn price(&self, name: &str, meter: Meter, region: &str) -> Option<Money> {
        let key = (name.to_string(), meter, region.to_string());
        if let Some(found) = self.prices.borrow().get(&key) {
            return *found;
        }
        let found = self.catalogue.find_price(CURRENCY, name, meter, region, None, None).map(|price| price.monthly());
        self.prices.borrow_mut().insert(key, found);
        found
    }
    /// The same under a commitment, which few rules ask for.
    pub fn committed(&self, name: &str, commitment: Commitment, region: &str) -> Option<Money> {
        let price = self.catalogue.find_price(CURRENCY, name, Meter::Whole, region, None, Some(commitment));
        price.map(|price| price.monthly())
    }
    /// The cheapest disk of a kind whose rates are chosen that is as large and gives as much, sold there, for a machine that has this.
    pub fn other_kind(
        &self,
        gib: Bytes,
        rates: (u64, u64),
        region: &str,
        in_zone: bool,
        has: Tags,
    ) -> Option<OtherKind> {
        let key = (gib, rates, region.to_string(), in_zone, has);
        if let Some(found) = self.others.borrow().get(&key) {
            return *found;
        }
        let kinds = dw_catalogue::vendor().kinds().iter().filter(|other| other.second && has.cover(other.needs));
        let offers = kinds.filter_map(|kind| {
            let offer = self.offer(kind.id, gib)?;
            let rules = offer.free_form?;
            let is_listed = self.catalogue.disk_zones(kind.id, region).is_some();
            if !is_listed || self.catalogue.placing(kind, region, in_zone) != Placing::Fits {
                return None;
            }
            let iops = Iops::new(rates.0.max(rules.iops_bounds(gib).0.get()));
            let bytes = Throughput::bytes_per_second(rates.1.max(rules.throughput_bounds(iops).0.get()));
            let options =
                DiskOptions { size: Some(gib), iops: Some(iops), throughput: Some(bytes), ..Default::default() };
            offer.disk_spec("x", &options).ok()?;
            let monthly = self.bill(&offer.billed(&options), false, region)?;
            Some(OtherKind { kind, rates: (iops.get(), bytes.get()), monthly })
        });
        let found = offers.min_by_key(|other| other.monthly);
        self.others.borrow_mut().insert(key, found);
        found
    }
    /// A month of all that a disk is billed by.
    pub fn bill(&self, parts: &[Billed], zone_redundant: bool, region: &str) -> Option<Money> {
        let part = |part: &Billed| {
            let name = if zone_redundant { format!("{}{ZONE_REDUNDANT}", part.of) } else { part.of.clone() };
            match part.count {
                0 => Some(Money::micros(0)),
                count => Some(self.price(&name, part.meter, region)? * count),
            }
        };
        parts.iter().map(part).sum()
    }
}
