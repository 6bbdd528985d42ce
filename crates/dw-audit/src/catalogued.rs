//! What the catalogue says of sizes and disks, as rules ask for it, looked up once for all machines that are alike.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use dw_catalogue::bill::{Billed, ZONE_REDUNDANT};
use dw_catalogue::facts::{
    Below, Bought, DiskFacts, Facts, GateFacts, Named, NotAccelerated, NotTaken, Offered, OtherAsked, OtherDisk, Pair,
    Placed, SizeFacts, Successor,
};
use dw_catalogue::gate::{GATES_MOST, Gate, Tags, limits, that_count};
use dw_catalogue::kind::Kind;
use dw_catalogue::moves::{DisksAt, MoveRow};
use dw_catalogue::price::CURRENCY;
use dw_catalogue::{
    Catalogue, DiskOffer, DiskOptions, LatencySetting, Meter, Placing, Printed, Sold, VmLimits, VmSize, flags, route_to,
};
use dw_demand::Commitment;
use dw_messages::Sentence;
use dw_stack::RateSpec;
use dw_units::{Bytes, CacheMode, Iops, Money, Throughput};

/// The name of a thing, its meter, a region.
type PriceKey = (String, Meter, String);
/// Size, rates, the region, whether in a zone, what the machine has.
type OtherKey = (Bytes, Pair, String, bool, Tags);

/// By a size and a region what takes its place.
type Wider<'a> = HashMap<(String, String), Rc<[&'a VmSize]>>;

/// A size with what follows from its row.
struct Row<'a> {
    size: &'a VmSize,
    limits: VmLimits,
    printed: Printed,
}

/// The catalogue, with what was looked up.
pub struct Catalogued<'a> {
    catalogue: &'a Catalogue,
    disks: HashMap<&'static str, Vec<&'a DiskOffer>>,
    /// Sizes by their processors: there are a thousand, and few are alike.
    by_processors: HashMap<u32, Vec<&'a VmSize>>,
    by_series: HashMap<&'a str, Vec<&'a VmSize>>,
    /// By name and controller.
    rows: RefCell<HashMap<[String; 2], Option<Rc<Row<'a>>>>>,
    prices: RefCell<HashMap<PriceKey, Option<Money>>>,
    others: RefCell<HashMap<OtherKey, Option<OtherDisk>>>,
    wider: RefCell<Wider<'a>>,
}

fn named(size: &VmSize) -> Named {
    Named { name: size.name.clone(), short: size.short_name().to_string() }
}

/// Rates of a disk in steps of a megabyte, as its vendor takes them.
const STEP: u64 = 1_000_000;

impl<'a> Catalogued<'a> {
    pub fn new(catalogue: &'a Catalogue) -> Catalogued<'a> {
        let mut disks: HashMap<&'static str, Vec<&DiskOffer>> = HashMap::new();
        for offer in catalogue.disks_as_of(None) {
            disks.entry(offer.kind().id).or_default().push(offer);
        }
        disks.values_mut().for_each(|offers| offers.sort_by_key(|offer| offer.size.max));
        let mut by_processors: HashMap<u32, Vec<&VmSize>> = HashMap::new();
        let mut by_series: HashMap<&str, Vec<&VmSize>> = HashMap::new();
        for size in catalogue.vm_sizes_as_of(None) {
            by_processors.entry(size.vcpu).or_default().push(size);
            if let Some(series) = size.series.as_deref() {
                by_series.entry(series).or_default().push(size);
            }
        }
        let (rows, prices, others, wider) = Default::default();
        Catalogued { catalogue, disks, by_processors, by_series, rows, prices, others, wider }
    }

    fn row(&self, name: &str) -> Option<Rc<Row<'a>>> {
        self.row_with(name, "")
    }
    /// The same with a controller, where the size has limits of its own by it.
    fn row_with(&self, name: &str, controller: &str) -> Option<Rc<Row<'a>>> {
        let key = [name, controller].map(String::from);
        if let Some(found) = self.rows.borrow().get(&key) {
            return found.clone();
        }
        let row = |size: &'a VmSize| {
            let printed = size.printed(&dw_catalogue::PLAN_KEYS.wishes());
            Rc::new(Row { size, limits: size.limits(LatencySetting::default()), printed })
        };
        let by_controller = if controller.is_empty() { None } else { self.catalogue.vm_with(name, controller) };
        let found = by_controller.or_else(|| self.catalogue.vm(name, None).ok()).map(row);
        self.rows.borrow_mut().insert(key, found.clone());
        found
    }
    /// The row of a size that was looked up.
    fn known(&self, size: &SizeFacts) -> Option<Rc<Row<'a>>> {
        self.row_with(&size.name, &size.chosen)
    }

    /// The disk that one of a kind and a size is billed as.
    fn offer(&self, kind: &str, size: Bytes) -> Option<&'a DiskOffer> {
        self.disks.get(kind)?.iter().find(|offer| offer.size.max >= size).copied()
    }
    fn offer_of(&self, bought: &Bought) -> Option<&'a DiskOffer> {
        self.offer(bought.kind, Bytes::gib(bought.gib?))
    }

    /// Other sizes of its class with as many processors that are taken in place, pass and hold no less, and stay.
    fn fitting<'b>(&'b self, row: &'b VmSize, region: Option<&'b str>) -> impl Iterator<Item = &'a VmSize> + 'b {
        self.in_place(row, row.vcpu, region).filter(|other| other.covers(row))
    }
    /// The same with so many processors, whatever their host caches and local disks hold.
    fn in_place<'b>(
        &'b self,
        row: &'b VmSize,
        vcpu: u32,
        region: Option<&'b str>,
    ) -> impl Iterator<Item = &'a VmSize> + 'b {
        let is_usual = |name: &str| {
            flags().iter().all(|flag| !flag.is_of(self.catalogue, name) || flag.is_of(self.catalogue, &row.name))
        };
        let fits = move |other: &&'a VmSize| {
            other.name != row.name
                && other.memory_mib >= row.memory_mib
                && other.max_data_disks >= row.max_data_disks
                && other.passes(row)
                && other.class() == row.class()
                && is_usual(&other.name)
                && self.catalogue.retires(&other.name).is_none()
                && self.is_there(&other.name, region)
                && self.catalogue.resize_obstacle(row, other).is_none()
        };
        self.by_processors.get(&vcpu).into_iter().flatten().copied().filter(fits)
    }
    /// What takes the place of a size that ends: the cheapest that is current. One whose processors are cut costs as much as the whole.
    fn successor(&self, row: &VmSize, region: Option<&str>) -> Option<Successor> {
        let is_current = |other: &&VmSize| {
            self.catalogue.stages(&other.name).next().is_none()
                && (!other.name.contains('-') || row.name.contains('-'))
                && other.host_caching >= row.host_caching
        };
        let monthly = |other: &VmSize| self.price(&other.name, Meter::Whole, region?);
        let is_closed = |other: &VmSize| {
            region.is_some_and(|region| {
                matches!(self.catalogue.sold(&other.name, region), Sold::Here { closed: true, .. })
            })
        };
        let rank = |other: &&VmSize| {
            let price = monthly(other).map_or(u64::MAX, |price| price.get());
            (is_closed(other), price, !other.covers(row), other.name.clone())
        };
        let best = |vcpu: u32| self.in_place(row, vcpu, region).filter(is_current).min_by_key(rank);
        // Twice of one is another sort of machine.
        let found = best(row.vcpu).or_else(|| Some(row.vcpu * 2).filter(|twice| *twice > 2).and_then(best))?;
        Some(Successor { named: named(found), local: found.local_capacity(), cache: found.host_cache_capacity() })
    }
    /// Larger sizes of its series and current ones that take its place with as many processors, the cheapest first.
    fn others_of(&self, own: &'a VmSize, region: Option<&str>) -> Rc<[&'a VmSize]> {
        let key = (own.name.clone(), region.unwrap_or_default().to_string());
        if let Some(found) = self.wider.borrow().get(&key) {
            return found.clone();
        }
        let is_larger = |other: &&VmSize| {
            other.vcpu > own.vcpu
                && !other.name.contains('-')
                && other.is_complete()
                && self.is_there(&other.name, region)
        };
        let is_current =
            |other: &&VmSize| !other.name.contains('-') && self.catalogue.stages(&other.name).next().is_none();
        let of_series = own.series.as_deref().and_then(|series| self.by_series.get(series));
        let larger = of_series.into_iter().flatten().copied().filter(is_larger);
        let mut all: Vec<&VmSize> = larger.chain(self.in_place(own, own.vcpu, region).filter(is_current)).collect();
        all.sort_by_cached_key(|other| {
            let price = region.and_then(|region| self.price(&other.name, Meter::Whole, region));
            (price.map_or(u64::MAX, |price| price.get()), other.vcpu, other.name.clone())
        });
        let found: Rc<[&VmSize]> = all.into();
        self.wider.borrow_mut().insert(key, found.clone());
        found
    }
    fn is_there(&self, name: &str, region: Option<&str>) -> bool {
        region.is_none_or(|region| matches!(self.catalogue.sold(name, region), Sold::Here { .. }))
    }

    /// A month of a meter of something in a region.
    fn price(&self, name: &str, meter: Meter, region: &str) -> Option<Money> {
        let key = (name.to_string(), meter, region.to_string());
        if let Some(found) = self.prices.borrow().get(&key) {
            return *found;
        }
        let found = self.catalogue.find_price(CURRENCY, name, meter, region, None, None).map(|price| price.monthly());
        self.prices.borrow_mut().insert(key, found);
        found
    }
    /// A month of all that a disk is billed by.
    fn bill(&self, parts: &[Billed], zone_redundant: bool, region: &str) -> Option<Money> {
        let part = |part: &Billed| {
            let name = if zone_redundant { format!("{}{ZONE_REDUNDANT}", part.of) } else { part.of.clone() };
            match part.count {
                0 => Some(Money::micros(0)),
                count => Some(self.price(&name, part.meter, region)? * count),
            }
        };
        parts.iter().map(part).sum()
    }

    fn looked_for(&self, gib: Bytes, rates: Pair, region: &str, in_zone: bool, has: Tags) -> Option<OtherDisk> {
        let kinds = dw_catalogue::vendor().kinds().iter().filter(|other| other.second && has.cover(other.needs));
        let offers = kinds.filter_map(|kind| {
            let offer = self.offer(kind.id, gib)?;
            let rules = offer.free_form?;
            let is_listed = self.catalogue.disk_zones(kind.id, region).is_some();
            if !is_listed || self.catalogue.placing(kind, region, in_zone) != Placing::Fits {
                return None;
            }
            let iops = Iops::new(rates[0].max(rules.iops_bounds(gib).0.get()));
            let bytes = Throughput::bytes_per_second(rates[1].max(rules.throughput_bounds(iops).0.get()));
            let options =
                DiskOptions { size: Some(gib), iops: Some(iops), throughput: Some(bytes), ..Default::default() };
            offer.disk_spec("x", &options).ok()?;
            let monthly = self.bill(&offer.billed(&options), false, region)?;
            let rates = [iops.get(), bytes.get()];
            Some(OtherDisk { kind, rates, paid: rates.map(Some), monthly, latency: None })
        });
        offers.min_by_key(|other| other.monthly)
    }
}

/// What counts of what is bought, as an offer takes it.
fn options(offer: &DiskOffer, bought: &Bought) -> DiskOptions {
    let fixed = offer.base.is_some();
    let options = DiskOptions {
        tier: bought.tier.clone().filter(|tier| fixed && !offer.sku.eq_ignore_ascii_case(tier)),
        size: bought.gib.map(Bytes::gib),
        iops: bought.iops.filter(|_| !fixed).map(Iops::new),
        throughput: bought.bytes.filter(|_| !fixed).map(Throughput::bytes_per_second),
        ..DiskOptions::default()
    };
    options.with_bursts_by_use(bought.bursts_by_use).with_more_rates(bought.more_rates)
}

/// The least that each rate may be set to while the other stays.
fn least(offer: &DiskOffer, gib: Option<u64>, [iops, bytes]: Pair) -> Pair {
    let (Some(rules), Some(gib)) = (offer.free_form, gib) else { return [0, 0] };
    // Throughput that stays takes so many.
    let needed = bytes.div_ceil(rules.bytes_per_iops.max(1));
    [rules.iops_bounds(Bytes::gib(gib)).0.get().max(needed), rules.throughput_bounds(Iops::new(iops)).0.get()]
}

impl Facts for Catalogued<'_> {
    fn kinds(&self) -> &'static [Kind] {
        dw_catalogue::vendor().kinds()
    }

    fn size(&self, name: &str, controller: &str, region: Option<&str>) -> Option<SizeFacts> {
        let row = self.row_with(name, controller)?.size;
        // Of a size that has the limits of one controller alone nothing is assumed.
        let has_others = !row.is_of_one_controller() && !self.catalogue.rows_by_controller(name).is_empty();
        let assumes = controller.is_empty() && has_others;
        let monthly = region.and_then(|region| self.price(&row.name, Meter::Whole, region));
        let fitting: Vec<&VmSize> = self.fitting(row, region).collect();
        let priced = fitting.iter().filter_map(|other| Some((*other, self.price(&other.name, Meter::Whole, region?)?)));
        let cheapest = priced.min_by_key(|(other, price)| (*price, other.name.clone()));
        let cheaper = cheapest.filter(|(_, price)| monthly.is_some_and(|own| price < &own));
        Some(SizeFacts {
            name: row.name.clone(),
            short: row.short_name().to_string(),
            chosen: if row.is_of_one_controller() { controller.to_string() } else { String::new() },
            assumed: assumes.then(|| row.controller().word().to_string()),
            source: row.source.clone(),
            vcpu: row.vcpu,
            memory_mib: row.memory_mib,
            places: row.max_data_disks,
            system_takes_place: false,
            local: row.local_capacity(),
            volatile: row.local_capacity(),
            cache: row.host_cache_capacity(),
            host_cache: row.host_caching,
            cache_unknown: row.host_cache_unknown(),
            is_previous: false,
            monthly,
            priced_on: None,
            windows: region.and_then(|region| self.price(&row.name, Meter::Windows, region)),
            cheaper: cheaper.map(|(other, price)| (named(other), price)),
            lasting: self.successor(row, region),
        })
    }

    fn disk(&self, bought: &Bought, region: Option<&str>) -> Option<DiskFacts> {
        let offer = self.offer_of(bought)?;
        let options = options(offer, bought);
        let is_free = offer.base.is_none();
        let has_rates = !is_free || (options.iops.is_some() && options.throughput.is_some());
        let counted = Bought {
            tier: options.tier.clone(),
            iops: options.iops.map(Iops::get),
            bytes: options.throughput.map(Throughput::get),
            ..bought.clone()
        };
        // Rates that are chosen and not told are not those that come for nothing.
        let spec = has_rates.then(|| offer.disk_spec("x", &options));
        let rate = |rate: Option<RateSpec>| rate.map_or(u64::MAX, |rate| rate.rate);
        let top =
            |rate: Option<RateSpec>| rate.map_or(u64::MAX, |rate| rate.burst.map_or(rate.rate, |burst| burst.rate));
        let limits = spec.as_ref().and_then(|spec| spec.as_ref().ok()).map(|spec| spec.limits);
        let sustains = limits.map(|limits| [rate(limits.iops), rate(limits.throughput)]);
        let monthly = region.filter(|_| limits.is_some());
        Some(DiskFacts {
            sku: offer.sku.clone(),
            source: offer.source.clone(),
            bought: counted,
            sustains,
            bursts_to: limits.map(|limits| [top(limits.iops), top(limits.throughput)]),
            limits: limits.map_or([None; 2], |limits| [limits.iops, limits.throughput]),
            burst_minutes: offer.burst_minutes,
            refused: spec.and_then(Result::err).map(|error| error.to_string()),
            is_chosen: [is_free; 2],
            is_paid: [is_free; 2],
            follows: [false; 2],
            least: least(offer, bought.gib, sustains.unwrap_or_default()),
            step: STEP,
            has_rates,
            takes_cache: bought.gib.is_some_and(|gib| offer.cacheable(Bytes::gib(gib))),
            monthly: monthly.and_then(|region| self.bill(&offer.billed(&options), bought.zone_redundant, region)),
            priced_on: None,
            fuller: None,
        })
    }

    fn gates(&self, size: &SizeFacts, disks: &[Option<&Bought>]) -> Vec<GateFacts> {
        let Some(row) = self.known(size) else { return Vec::new() };
        let gates: std::sync::Arc<[Gate]> = dw_catalogue::vendor().gates();
        let passed = |bought: &Option<&Bought>| -> Vec<usize> {
            let Some(bought) = bought else { return Vec::new() };
            let Some(kind) = self.kinds().iter().find(|kind| kind.id == bought.kind) else { return Vec::new() };
            let route = route_to(kind, bought.cache, &row.limits);
            // What no cache serves is what a disk is bought for.
            row.printed.routes()[route.place()].map_or_else(Vec::new, |route| route.behind.iter().collect())
        };
        let passed: Vec<Vec<usize>> = disks.iter().map(passed).collect();
        let given = row.printed.gates();
        let counting = that_count(&gates, passed.iter().flatten().copied());
        let facts = |gate: usize| {
            let rates = limits(&gates, &given, counting, gate);
            GateFacts {
                name: gates[gate].name,
                base: [rates.iops.map(|rate| rate.base), rates.bytes.map(|rate| rate.base)],
                top: [rates.iops, rates.bytes]
                    .map(|rate| rate.map(|rate| rate.burst.map_or(rate.base, |burst| burst.0.max(rate.base)))),
                disks: (0..disks.len()).filter(|place| passed[*place].contains(&gate)).collect(),
                parts: 1,
                daily_minutes: None,
                derived: row.size.derived_limit(gates[gate].name).map(|own| own.source.iter().cloned().collect()),
            }
        };
        (0..GATES_MOST.min(gates.len())).filter(|gate| counting.has(*gate)).map(facts).collect()
    }

    fn not_taken(&self, size: &SizeFacts, disk: &Bought) -> Option<NotTaken> {
        let kind = self.kinds().iter().find(|kind| kind.id == disk.kind)?;
        // A size of which no source says whether it takes premium disks is not accused.
        let has = self.known(size)?.size.has_where_told()?;
        (!has.cover(kind.needs)).then_some(NotTaken::Kind)
    }

    fn taking(&self, size: &SizeFacts, disk: &Bought, region: Option<&str>) -> Option<Named> {
        let kind = self.kinds().iter().find(|kind| kind.id == disk.kind)?;
        let row = self.known(size)?;
        let takes = |other: &&VmSize| other.has_where_told().is_some_and(|has| has.cover(kind.needs));
        let monthly = |other: &VmSize| {
            region
                .and_then(|region| self.price(&other.name, Meter::Whole, region))
                .map_or(u64::MAX, |price| price.get())
        };
        self.fitting(row.size, region).filter(takes).min_by_key(|other| (monthly(other), &other.name)).map(named)
    }

    fn wider(&self, size: &SizeFacts, quantity: usize, needed: u64, region: Option<&str>) -> Option<Named> {
        let own = self.known(size)?.size;
        self.others_of(own, region).iter().find(|other| other.sustains(quantity, needed)).map(|other| named(other))
    }

    fn newest(&self, size: &SizeFacts) -> Option<Named> {
        let own = self.known(size)?.size;
        let fits = |other: &&&VmSize| {
            other.name != own.name
                && other.memory_mib >= own.memory_mib
                && other.is_as_wide(own)
                && other.class() == own.class()
                && self.catalogue.retires(&other.name).is_none()
                && self.catalogue.stages(&other.name).next().is_none()
                && flags().iter().all(|flag| !flag.is_of(self.catalogue, &other.name))
        };
        let fitting = self.by_processors.get(&own.vcpu)?.iter().filter(fits);
        fitting.min_by_key(|other| (other.memory_mib, &other.name)).map(|other| named(other))
    }

    fn size_moves(&self, from: &SizeFacts, to: &str) -> Vec<MoveRow> {
        let (Some(from), Some(to)) = (self.known(from), self.row(to)) else { return Vec::new() };
        self.catalogue.vm_moves(from.size, to.size).into_iter().cloned().collect()
    }

    fn disk_moves(&self, from: &DisksAt, to: &DisksAt) -> Vec<MoveRow> {
        self.catalogue.disk_moves(from, to).into_iter().cloned().collect()
    }

    fn other_disk(&self, asked: &OtherAsked) -> Option<OtherDisk> {
        let OtherAsked { own, facts, size, region, in_zone, .. } = *asked;
        let kind = self.kinds().iter().find(|kind| kind.id == own.kind)?;
        let is_usual = !own.is_system && own.cache == CacheMode::None && !facts.is_chosen[0];
        if !is_usual || own.zone_redundant || kind.io_unit.is_none() {
            return None;
        }
        let key = (Bytes::gib(own.gib?), facts.sustains?, region.to_string(), in_zone, self.known(size)?.size.has());
        if let Some(found) = self.others.borrow().get(&key) {
            return found.clone();
        }
        let found = self.looked_for(key.0, key.1, region, in_zone, key.4);
        self.others.borrow_mut().insert(key, found.clone());
        found
    }

    fn committed(&self, size: &str, to: Commitment, region: &str) -> Option<Money> {
        let price = self.catalogue.find_price(CURRENCY, size, Meter::Whole, region, None, Some(to));
        price.map(|price| price.monthly())
    }

    fn offered(&self, size: &str, region: &str) -> Offered {
        match self.catalogue.sold(size, region) {
            Sold::Here { zones, .. } => Offered::Here(zones),
            Sold::NotHere => Offered::NotHere,
            Sold::Unknown => Offered::Unknown,
        }
    }

    fn offered_as_of(&self) -> &str {
        self.catalogue.sold_as_of().unwrap_or_default()
    }

    fn written(&self, disk: &DiskFacts) -> Vec<(&'static str, String)> {
        let bought = &disk.bought;
        let text = |text: &str| toml::Value::String(text.into()).to_string();
        let mut keys = vec![("sku", text(&disk.sku))];
        if disk.is_chosen[0] {
            keys.extend(bought.gib.map(|gib| ("size", format!("\"{gib} GiB\""))));
            keys.extend(bought.iops.map(|iops| ("iops", iops.to_string())));
            keys.extend(bought.bytes.map(|bytes| ("throughput", format!("\"{} MB/s\"", bytes / STEP))));
        }
        keys.extend(bought.tier.as_ref().map(|tier| ("tier", text(tier))));
        if let Some(offer) = self.offer_of(bought) {
            let options = options(offer, bought);
            keys.extend(offer.ways().filter(|way| way.is_on(&options)).map(|way| (way.key, "true".to_string())));
        }
        keys
    }

    fn written_beside(&self, size: &SizeFacts) -> Vec<(&'static str, String)> {
        let row = self.known(size).filter(|row| row.size.is_of_one_controller());
        row.map(|row| ("edition", toml::Value::String(row.size.edition.clone()).to_string())).into_iter().collect()
    }

    fn retires(&self, size: &str) -> Option<String> {
        self.catalogue.retires(size).map(String::from)
    }

    fn flagged(&self, size: &str, key: &str) -> Option<Sentence> {
        flags().iter().find(|flag| flag.key == key)?.said_of(self.catalogue, size)
    }

    fn is_ending(&self, size: &str) -> bool {
        self.catalogue.retires(size).is_some() || self.catalogue.stages(size).next().is_some()
    }

    fn commitment_ended(&self, size: &str, to: Commitment) -> Option<(String, String)> {
        self.catalogue.commitment_ended(size, to).map(|(since, page)| (since.into(), page.into()))
    }

    fn placed(&self, kind: &Kind, region: &str, in_zone: bool) -> Placed {
        match self.catalogue.placing(kind, region, in_zone) {
            Placing::Fits => Placed::Fits,
            Placing::OnlyWithoutZone => Placed::OnlyWithoutZone,
            Placing::OnlyInZone => Placed::OnlyInZone,
        }
    }

    fn tiers(&self, disk: &Bought) -> Vec<String> {
        let (Some(own), Some(tier)) = (self.offer_of(disk), &disk.tier) else { return Vec::new() };
        let all = self.disks.get(disk.kind).into_iter().flatten();
        let larger = all.skip_while(|other| other.size.max < own.size.max);
        larger.take_while(|other| !other.sku.eq_ignore_ascii_case(tier)).map(|other| other.sku.clone()).collect()
    }

    fn not_accelerated(&self, size: &SizeFacts, disk: &Bought, before: u64) -> Option<NotAccelerated> {
        let kind = self.kinds().iter().find(|kind| kind.id == disk.kind)?;
        self.known(size)?.size.not_accelerated(kind, disk.cache, before)
    }

    fn below(&self, disk: &Bought, region: &str) -> Option<Below> {
        let offer = self.offer_of(disk).filter(|offer| offer.base.is_some())?;
        let smaller = |other: &&&DiskOffer| other.size.max < offer.size.max;
        let below = self.disks.get(disk.kind)?.iter().rev().find(smaller)?;
        let part = Billed { of: below.sku.clone(), meter: Meter::Whole, count: 1 };
        let monthly = self.bill(&[part], disk.zone_redundant, region);
        Some(Below { sku: below.sku.clone(), most: below.size.max, monthly })
    }

    fn opening(&self, kind: &Kind, size: &SizeFacts, region: &str) -> Option<Money> {
        let offer = self.offer(kind.id, Bytes::gib(1))?;
        Some(self.price(&offer.sku, Meter::Vcpu, region)? * u64::from(size.vcpu))
    }
}
