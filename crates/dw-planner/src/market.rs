//! From the catalogue to offers: what has complete limits and a price in the region, and may be chosen.
//!
//! What is left out keeps its reason. An offer that a list bars stays among the offers, marked, so that "why not" can say
//! what it would have cost; one without a price or without complete limits cannot be reasoned about and is only listed.
//!
//! In a zone that is asked for only those VM sizes may be chosen that the region's records offer there. A commitment is to VMs: disks
//! are paid as they go. A VM size without a price under the commitment that is asked for counts as pay as you go, marked so.
//!
//! A disk of a fixed size is on offer in every way it can be bought: as it comes, with performance plus, at a higher performance
//! tier, with on-demand bursting; its limits are those that the simulator would give it, its price that of everything it is billed by.
//! What another offer replaces at no higher price is left out: a tier gives what the disk of its name gives at the same price, and less
//! room.
//!
//! For a volume that several VMs share every disk that can be is on offer once more, at what it costs one of them: its part of the disk, of
//! the mounts that are billed, and of what is bought for VMs that only read.
//!
//! Ignores: quotas; sizes that are closed to some subscriptions; zones of disks; what the source of a price leaves out (the report lists
//! its date).

use std::cell::OnceCell;
use std::cmp::Reverse;

use dw_catalogue::bill::{BURSTING, Billed, Operations, ZONE_REDUNDANT};
use dw_catalogue::free::{Follow, FreeForm};
use dw_catalogue::goods::LocalRow;
use dw_catalogue::plan_keys::TIER;
use dw_catalogue::price::CURRENCY;
use dw_catalogue::sharing::SharingRow;
use dw_catalogue::{
    Catalogue, DiskOffer as Row, LatencySetting, Meter, Money, Price, PriceError, Sold, VmSize, fits, fits_disk,
    series_and_generation,
};
use dw_demand::wishes::{OwnPrice, Wishes};
use dw_demand::{CommitTo, Commitment};
use dw_units::{Bytes, Throughput};

use crate::demand::model_ns;
pub use crate::policy::NotSold;
use crate::policy::Policies;
use crate::problem::{
    CacheLatency, DiskKind, DiskOffer, FreeDisk, Local, ONE, Purchase, Quantiles, Rate, Rates, Shared, Usage, VmOffer,
    share,
};

/// Offers, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Market {
    /// VM sizes, cheapest first.
    pub vms: Vec<VmOffer>,
    pub disks: Vec<DiskOffer>,
    /// Where the price of each VM size is from; as long as `vms`.
    pub vm_prices: Vec<PriceOrigin>,
    /// The same for each disk: all that it is billed by, each origin once.
    pub disk_prices: Vec<Vec<PriceOrigin>>,
    /// What of each disk has no price; as long as `disks`.
    pub disk_unpriced: Vec<Vec<Meter>>,
    /// What could not be offered.
    pub left_out: Vec<LeftOut>,
}

/// Where a price is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriceOrigin {
    /// The source id; `asked` for a price of the requirements.
    pub source: String,
    /// Its date.
    pub edition: String,
    /// Its region or area.
    pub region: String,
    pub currency: String,
    /// What to know about it: by which rule it follows from another, that two sources differ.
    pub note: Option<String>,
    /// It is pay as you go because the commitment that is asked for has no price.
    pub uncommitted: bool,
}

/// The source and the edition of a price that the requirements give.
const ASKED: &str = "asked";

impl PriceOrigin {
    /// Of something whose price nobody gave.
    fn unknown(region: String, currency: &str) -> PriceOrigin {
        let (source, edition, currency) = (String::new(), String::new(), currency.into());
        PriceOrigin { source, edition, region, currency, note: None, uncommitted: false }
    }
    /// Whether the requirements give it.
    pub fn is_asked(&self) -> bool {
        self.source == ASKED
    }
    /// Whether there is a price at all.
    pub fn is_known(&self) -> bool {
        !self.source.is_empty()
    }
}

/// Something that could not be offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub name: String,
    pub why: Reason,
}

/// Why something could not be offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No price is known.
    Price(PriceError),
    /// Some limit is not known.
    Limits,
    /// The same, or something else that a plan needs: what its vendor says of it.
    Unknown(String),
    /// A list bars it.
    Barred,
    /// It is not sold as redundant as it is asked for.
    Redundancy,
}

impl Reason {
    /// The price that is not known.
    pub fn price(&self) -> Option<PriceError> {
        match self {
            Reason::Price(error) => Some(error.clone()),
            Reason::Limits | Reason::Unknown(_) | Reason::Barred | Reason::Redundancy => None,
        }
    }
}

impl From<PriceError> for Reason {
    fn from(error: PriceError) -> Reason {
        Reason::Price(error)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Price(error) => error.fmt(f),
            Reason::Limits => f.write_str("some of its limits are unknown"),
            Reason::Unknown(why) => f.write_str(why),
            Reason::Barred => f.write_str("it is on the list of exclusions"),
            Reason::Redundancy => f.write_str("it is not sold zone-redundant"),
        }
    }
}

/// The latencies that the host cache is planned with.
pub(crate) fn cache_latency(setting: LatencySetting) -> CacheLatency {
    let (hit_ns, write_ns) = model_ns("ssd-hit", setting);
    let [hit, write] = model_quantiles("ssd-hit", setting);
    let ([miss, _], (miss_ns, _)) =
        (model_quantiles("cache-miss-penalty", setting), model_ns("cache-miss-penalty", setting));
    CacheLatency { hit_ns, write_ns, miss_ns, hit, write, miss }
}

/// The distributions of a latency model's reads and writes.
fn model_quantiles(name: &str, setting: LatencySetting) -> [Quantiles; 2] {
    dw_catalogue::latency::model(name).map_or_else(Default::default, |model| {
        [Quantiles::of(&model.read_knots(setting)), Quantiles::of(&model.write_knots(setting))]
    })
}

/// What a month of all these disks costs together, and what of it has no price: that of a rig as it is, for whoever says it.
pub fn monthly(catalogue: &Catalogue, wishes: &Wishes, billed: &[Billed]) -> (Money, Vec<PriceError>) {
    let shop = Shop::new(catalogue, wishes, None);
    let (mut sum, mut unpriced) = (Money::ZERO, Vec::new());
    for part in billed.iter().filter(|part| part.count > 0) {
        match shop.price_of_part(part) {
            Ok((price, _)) => sum += price * part.count,
            Err(e) => unpriced.push(e),
        }
    }
    (sum, unpriced)
}

/// What a month of so much of something else costs that is billed like disks.
pub fn monthly_of(catalogue: &Catalogue, wishes: &Wishes, billed: &Billed) -> Result<Money, PriceError> {
    let shop = Shop::new(catalogue, wishes, None);
    shop.price(&billed.of, billed.meter).map(|(price, _)| price * billed.count)
}

/// What a month of a VM costs as it is asked for, with its hours, a licence or a commitment; an error where that has no price.
pub fn monthly_of_vm(catalogue: &Catalogue, wishes: &Wishes, name: &str) -> Result<Money, PriceError> {
    Shop::new(catalogue, wishes, None).price_of_vm(name).map(|(price, _)| price)
}

/// A month of all that is paid by core on a VM with so many.
pub fn monthly_of_licences(wishes: &Wishes, vcpu: u32) -> Money {
    wishes.licences.iter().map(|licence| Money::micros(licence.monthly_micros(vcpu, wishes.nodes))).sum()
}

/// What a month of a VM costs under one commitment and at no other price; nothing where that is not known.
pub fn monthly_under(catalogue: &Catalogue, wishes: &Wishes, name: &str, to: Option<Commitment>) -> Option<Money> {
    // A price that the person gives is that of what is asked for, and of nothing else.
    let is_own = wishes.own_prices.iter().any(|own| fits(&own.name, name));
    if is_own && to != wishes.commitment() {
        return None;
    }
    let wishes = wishes.committed(to);
    let priced = Shop::new(catalogue, &wishes, None).price_of_vm(name).ok();
    priced.filter(|(_, origin)| !origin.uncommitted).map(|(price, _)| price)
}

/// What a month of a disk of a fixed size costs as it comes, under one reservation or pay as you go; nothing where that is not known.
pub fn monthly_of_disk_under(
    catalogue: &Catalogue,
    wishes: &Wishes,
    name: &str,
    to: Option<Commitment>,
) -> Option<Money> {
    let shop = Shop::new(catalogue, wishes, None);
    let price = match to {
        Some(to) => shop.reserved_disk(name, to),
        None => shop.price_of_disk(name, Meter::Whole).ok(),
    };
    price.map(|(price, _)| price)
}

/// Everything on offer that has a price.
pub(crate) fn of(catalogue: &Catalogue, wishes: &Wishes) -> Market {
    gathered(Shop::new(catalogue, wishes, None))
}

/// Everything on offer, what has no price among it: `price` stands for its price, and its origin is [`PriceOrigin::unknown`].
pub(crate) fn with_unpriced(catalogue: &Catalogue, wishes: &Wishes, price: Money) -> Market {
    gathered(Shop::new(catalogue, wishes, Some(price)))
}

impl Market {
    /// Adds a disk at the rates of every larger one that it may have, where it is sold; what has no price counts as [`with_unpriced`].
    /// [`gathered`] leaves such offers out, as a larger disk costs the same: for a disk that is there they are another way.
    pub(crate) fn add_tiers(&mut self, catalogue: &Catalogue, wishes: &Wishes, sku: &str, price: Money) {
        let shop = Shop::new(catalogue, wishes, Some(price));
        let rows = catalogue.disks_as_of(wishes.edition.as_deref());
        let Some(row) = rows.into_iter().find(|row| row.sku == sku) else { return };
        for tier in row.tiers.iter().skip(1) {
            let purchase = Purchase { tier: Some(tier.sku.clone()), ..Purchase::default() };
            let Ok(Priced { offer, origins, unpriced }) = shop.offer(row, purchase) else { continue };
            self.disks.push(offer);
            self.disk_prices.push(origins);
            self.disk_unpriced.push(unpriced);
        }
    }
}

fn gathered(shop: Shop) -> Market {
    let Shop { catalogue, wishes, .. } = shop;
    let mut market = Market::default();
    let mut vms: Vec<(VmOffer, PriceOrigin)> = Vec::new();
    for row in catalogue.vm_sizes_as_of(wishes.edition.as_deref()) {
        match shop.vm(row) {
            Ok((offer, origin)) => {
                if let Some(own) = catalogue.setting((&offer.name, &offer.edition)) {
                    let set = VmOffer { options: own.options, gates: own.gates, ..offer.clone() };
                    vms.push((set, origin.clone()));
                }
                vms.push((offer, origin));
            }
            Err(why) => market.left_out.push(LeftOut { name: row.name.clone(), why }),
        }
    }
    // Of two that cost the same the one with fewer processors comes first, then the newer; of one size what it is as it comes.
    vms.sort_by_cached_key(|(vm, _)| (vm.price, vm.vcpu, Reverse(generation(&vm.name)), vm.name.clone(), vm.is_set()));
    (market.vms, market.vm_prices) = vms.into_iter().unzip();
    let mut disks: Vec<&Row> = catalogue.disks_as_of(wishes.edition.as_deref());
    disks.sort_by_key(|disk| (catalogue.place_of_kind(disk.kind()), disk.size.max));
    let mut offers: Vec<Priced> = Vec::new();
    for row in disks {
        match shop.disk(row) {
            Ok(ways) => offers.extend(ways),
            Err(why) => {
                market.left_out.push(LeftOut { name: row.sku.clone(), why });
                continue;
            }
        }
        match shop.shared(row) {
            Ok(ways) => offers.extend(ways),
            Err(why) => market.left_out.push(LeftOut { name: row.sku.clone(), why }),
        }
    }
    let worth: Vec<bool> = (0..offers.len()).map(|place| is_worth_a_look(&offers, place)).collect();
    for (Priced { offer, origins, unpriced }, _) in offers.into_iter().zip(worth).filter(|(_, worth)| *worth) {
        market.disks.push(offer);
        market.disk_prices.push(origins);
        market.disk_unpriced.push(unpriced);
    }
    market
}

/// The generation in the name of a VM size: 5 of `D8ds_v5`, 1 without any.
pub fn generation(name: &str) -> u32 {
    series_and_generation(name).1
}

pub(crate) struct Shop<'a> {
    catalogue: &'a Catalogue,
    wishes: &'a Wishes,
    /// What counts as the price of what has none; absent = it is not offered.
    unpriced: Option<Money>,
    /// Looked for once, and only where something may be barred.
    policies: OnceCell<Policies<'a>>,
}

impl<'a> Shop<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, wishes: &'a Wishes, unpriced: Option<Money>) -> Shop<'a> {
        Shop { catalogue, wishes, unpriced, policies: OnceCell::new() }
    }

    fn price(&self, name: &str, meter: Meter) -> Result<(Money, PriceOrigin), PriceError> {
        self.known(name, meter).or_else(|e| match self.unpriced {
            Some(price) => Ok((price, PriceOrigin::unknown(e.region.into(), &e.currency))),
            None => Err(e),
        })
    }

    fn known(&self, name: &str, meter: Meter) -> Result<(Money, PriceOrigin), PriceError> {
        if let Some(own) = self.own(name, meter) {
            return Ok(own);
        }
        let (wishes, edition) = (self.wishes, self.wishes.prices.as_deref());
        let found = self.catalogue.price_in(self.currency(), name, meter, &wishes.region, edition, None)?;
        Ok((found.monthly(), origin(&found)))
    }

    /// A price that the requirements give.
    fn own(&self, name: &str, meter: Meter) -> Option<(Money, PriceOrigin)> {
        let own = self.wishes.own_prices.iter().find(|own| fits(&own.name, name) && own.meter == meter.id())?;
        let (source, edition) = (ASKED.into(), ASKED.into());
        let (region, currency) = (self.wishes.region.clone(), self.currency().into());
        let origin = PriceOrigin { source, edition, region, currency, note: None, uncommitted: false };
        Some((Money::micros(own.monthly_micros), origin))
    }

    fn currency(&self) -> &'a str {
        self.wishes.currency.as_deref().unwrap_or(CURRENCY)
    }

    /// A month of a VM under a commitment that can still be bought.
    fn committed(&self, name: &str, to: Commitment) -> Option<(Money, PriceOrigin)> {
        let edition = self.wishes.prices.as_deref();
        let found = || {
            let found = self.catalogue.find_price(
                self.currency(),
                name,
                Meter::Whole,
                &self.wishes.region,
                edition,
                Some(to),
            )?;
            Some((found.monthly(), origin(&found)))
        };
        self.own(name, Meter::Whole).or_else(found).filter(|(_, of)| self.is_sold(name, to, of))
    }

    /// Under the commitment that is asked for; without a price of that, pay as you go.
    pub(crate) fn price_of_vm(&self, name: &str) -> Result<(Money, PriceOrigin), PriceError> {
        let (windows, to) = (self.wishes.windows, self.wishes.commitment());
        let as_you_go =
            |meter| self.price(name, meter).map(|(month, origin)| (self.wishes.running().paid(month), origin));
        let committed = to.and_then(|to| self.committed(name, to));
        if let Some(committed) = committed.clone().filter(|_| !windows) {
            return Ok(committed);
        }
        let (price, origin) = as_you_go(if windows { Meter::Windows } else { Meter::Whole })?;
        if !origin.is_known() {
            return Ok((price, origin));
        }
        let Some((committed, of)) = committed else {
            return Ok((price, PriceOrigin { uncommitted: to.is_some(), ..origin }));
        };
        // It is to the VM alone, whether it runs or not: the licence of Windows is paid as it goes, what Windows costs more than Linux.
        let licence = price.saturating_sub(as_you_go(Meter::Whole)?.0);
        Ok((committed + licence, of))
    }

    /// Whether a commitment can still be bought at a price: one that is of an earlier day than its end cannot, unless offers or prices of
    /// that time are asked for.
    fn is_sold(&self, name: &str, to: Commitment, price: &PriceOrigin) -> bool {
        let is_of_today = self.wishes.edition.is_none() && self.wishes.prices.is_none();
        let ended = self.catalogue.commitment_ended(name, to).filter(|_| is_of_today);
        price.is_asked() || ended.is_none_or(|(since, _)| price.edition.as_str() >= since)
    }

    /// What of the price of a disk that is bought so is not known.
    pub(crate) fn lacks_of_disk(&self, row: &Row, purchase: Purchase, is_shared: bool) -> Option<PriceError> {
        let by = if is_shared { self.sharing(row) } else { None };
        self.offer_to(row, purchase, by, 0).err()?.price()
    }

    /// Why a VM size may not be chosen, if so.
    pub(crate) fn barred(&self, vm: &str) -> Option<String> {
        barred(vm, fits, &self.wishes.vms, &self.wishes.not_vms)
            .or_else(|| self.too_large(vm))
            .or_else(|| self.not_sold(vm).map(|why| why.to_string()))
    }

    /// Whether nothing but a list of the demand bars it.
    pub(crate) fn by_list(&self, vm: &str) -> bool {
        barred(vm, fits, &self.wishes.vms, &self.wishes.not_vms).is_some()
            && self.too_large(vm).is_none()
            && self.not_sold(vm).is_none()
    }

    /// Whether it has more processors than were asked for at most, and how many.
    fn too_large(&self, vm: &str) -> Option<String> {
        let most = Some(self.wishes.vcpu_max).filter(|&most| most < u32::MAX)?;
        // A size has as many in every edition.
        let vcpu = self.catalogue.vm(vm, None).ok()?.vcpu;
        (vcpu > most).then(|| format!("it has {vcpu} vCPU, and `vcpu_max` allows {most}"))
    }

    /// Why it cannot be had where it is asked for, or not for long enough. Offers of years ago are as they were, but for the zone.
    pub(crate) fn not_sold(&self, vm: &str) -> Option<NotSold> {
        if self.wishes.edition.is_some() {
            return self.wishes.zone.as_ref().and_then(|_| self.not_here(vm));
        }
        // First, as no key of the demand allows it: that another does would be no help.
        if let Some(not_here) = self.not_here(vm) {
            return Some(not_here);
        }
        self.policies.get_or_init(|| Policies::of(self.catalogue, self.wishes)).against(vm)
    }

    fn not_here(&self, vm: &str) -> Option<NotSold> {
        let region = self.wishes.region.clone();
        let not_in = |zone: &String| NotSold::Zone { zone: zone.clone(), region: region.clone() };
        let zone = self.wishes.zone.as_ref().filter(|zone| self.catalogue.records_zone(zone));
        match self.catalogue.sold(vm, &region) {
            Sold::NotHere => Some(NotSold::Region(region)),
            Sold::Here { zones, .. } => zone.filter(|zone| !zones.contains(zone)).map(not_in),
            Sold::Unknown => zone.map(not_in),
        }
    }

    /// What its vCPUs count as of those of the size that the load was recorded on: as alike where no page has both.
    fn speed(&self, vm: &str) -> u32 {
        let recorded = self.wishes.cpu_recorded_on.as_ref();
        recorded.and_then(|recorded| self.catalogue.speed_beside(vm, recorded)).unwrap_or(ONE)
    }

    pub(crate) fn vm(&self, row: &VmSize) -> Result<(VmOffer, PriceOrigin), Reason> {
        let unknown = || self.catalogue.why_unplanned(row).map_or(Reason::Limits, Reason::Unknown);
        if !row.is_complete() {
            return Err(unknown());
        }
        // Where something else keeps it out a price would be no help.
        let passes = self.catalogue.passes(row, self.wishes).ok_or_else(unknown)?;
        let (price, origin) = self.price_of_vm(&row.name).map_err(|no_price| match self.too_large(&row.name) {
            Some(_) => Reason::Barred,
            None => no_price.into(),
        })?;
        let licences = monthly_of_licences(self.wishes, row.vcpu);
        let offer = VmOffer {
            name: row.name.clone(),
            edition: row.edition.clone(),
            options: &[],
            price: price + licences,
            licences,
            barred: self.barred(&row.name),
            by_list: self.by_list(&row.name),
            vcpu: row.vcpu,
            speed: self.speed(&row.name),
            memory_mib: row.memory_mib,
            slots: row.max_data_disks,
            has: row.has(),
            gates: passes.gates,
            routes: passes.routes,
            cache: row.cache_to_plan(),
            local: self.catalogue.local_of(row, self.wishes.latency).map(|own| local(&own, self.wishes.latency)),
        };
        Ok((offer, origin))
    }

    /// A disk in every way it may be bought, each with where its prices are from and what of it has none.
    fn disk(&self, row: &Row) -> Result<Vec<Priced>, Reason> {
        if barred(&row.sku, fits_disk, &self.wishes.disks, &self.wishes.not_disks).is_some() {
            return Err(Reason::Barred);
        }
        if self.wishes.zone_redundant && !row.kind().zone_redundant {
            return Err(Reason::Redundancy);
        }
        let plain = self.offer(row, Purchase::default())?;
        // What has no price is left out where the disk itself is on offer.
        let more = self.purchases(row).into_iter().filter_map(|purchase| self.offer(row, purchase).ok());
        let bands = 1..=row.free_form.map_or(0, |rules| rules.bands.len());
        let more = more.chain(bands.filter_map(|band| self.offer_to(row, Purchase::default(), None, band).ok()));
        Ok(std::iter::once(plain).chain(more).collect())
    }

    /// The same for volumes that several VMs share; nothing without any, or of a disk that so many do not.
    fn shared(&self, row: &Row) -> Result<Vec<Priced>, Reason> {
        let Some((vms, by)) = self.sharing(row) else { return Ok(Vec::new()) };
        let plain = self.offer_to(row, Purchase::default(), Some((vms, by)), 0)?;
        let tiers = self.purchases(row).into_iter().filter(|purchase| purchase.way.is_none());
        let more = tiers.filter_map(|purchase| self.offer_to(row, purchase, Some((vms, by)), 0).ok());
        Ok(std::iter::once(plain).chain(more).collect())
    }

    /// How many VMs share such a disk, and by which rule, where some volume is shared and so many may.
    fn sharing(&self, row: &Row) -> Option<(u32, &'a SharingRow)> {
        let vms = self.wishes.volumes.iter().find_map(|volume| self.wishes.shared_by(volume))?;
        self.catalogue.sharing(row).filter(|by| vms <= by.machines_max).map(|by| (vms, by))
    }

    /// The ways to buy a disk beyond its size.
    fn purchases(&self, row: &Row) -> Vec<Purchase> {
        let wished = &self.wishes.ways;
        let mut all = Vec::new();
        let ways = || row.ways().filter(|way| way.is_wished(wished));
        all.extend(ways().filter(|way| !way.with_tier).map(|way| Purchase { tier: None, way: Some(way) }));
        let tiers = row.tiers.iter().skip(1).filter(|_| wished.has(TIER)).map(|tier| Some(tier.sku.clone()));
        for tier in std::iter::once(None).chain(tiers) {
            let ways = std::iter::once(None).chain(ways().filter(|way| way.with_tier).map(Some));
            all.extend(ways.map(|way| Purchase { tier: tier.clone(), way }));
        }
        all.retain(|purchase| !purchase.is_plain());
        all
    }

    /// A disk that is bought so, where its prices are from, and what of it has none.
    pub(crate) fn offer(&self, row: &Row, purchase: Purchase) -> Result<Priced, Reason> {
        self.offer_to(row, purchase, None, 0)
    }

    /// The same for so many VMs that share it by a rule, absent = for one; with as many IOPS as have the price of one of its bands.
    fn offer_to(
        &self,
        row: &Row,
        purchase: Purchase,
        sharing: Option<(u32, &SharingRow)>,
        band: usize,
    ) -> Result<Priced, Reason> {
        let mut origins: Vec<(Meter, PriceOrigin)> = Vec::new();
        let is_plain = purchase.is_plain();
        let mut priced = |of: &str, meter: Meter| {
            let (price, origin) = match is_plain {
                true => self.price_of_part(&Billed { of: of.into(), meter, count: 1 })?,
                // Whether a reservation covers what a tier or an option makes of a disk, no page says.
                false => self.price_of_disk(of, meter)?,
            };
            origins.push((meter, origin));
            Ok::<_, PriceError>(price)
        };
        let mut shared = None;
        if let Some((vms, by)) = sharing {
            let of = purchase.tier.as_ref().unwrap_or(&row.sku);
            let mount = if by.per_machine { priced(of, Meter::Mount)? } else { Money::ZERO };
            shared = Some(Shared { vms, mount });
        }
        let mut usage = None;
        let kind = match row.free_form {
            None if row.base.is_none() => return Err(Reason::Limits),
            Some(rules) if row.base.is_none() => {
                let mut bought = |meter, is_bought: bool| match is_bought {
                    true => priced(&row.sku, meter),
                    false => Ok(Money::ZERO),
                };
                let price = (
                    bought(Meter::GiB, true)?,
                    bought(Meter::Iops, rules.follow != Follow::Both)?,
                    bought(Meter::MbPerSecond, rules.follow == Follow::Nothing)?,
                );
                let besides = sharing.map_or((0, 0), |(_, by)| by.read_only);
                let mut free = FreeDisk { besides, ..free_disk(row, &rules, price) };
                for (from, of) in &rules.bands[..band] {
                    free = free.from_band(*from, priced(of, Meter::Iops)?);
                }
                if let Some((end, _)) = rules.bands.get(band) {
                    free.iops.1 = free.iops.1.min(*end);
                }
                DiskKind::Free(free)
            }
            _ => {
                let options = purchase.options();
                let spec = row.disk_spec(&row.sku, &options).map_err(|_| Reason::Limits)?;
                let mut price = Money::ZERO;
                for part in row.billed(&options) {
                    price += priced(&part.of, part.meter)? * part.count;
                }
                if let Some(operations) = self.catalogue.operations(row) {
                    let price = priced(&operations.of, Meter::Operations)?;
                    let Operations { unit, units_max, hourly_max, .. } = operations;
                    usage = Some(Usage::Operations { price, unit, units_max, hourly_max });
                }
                if let Some(base) = spec.usage_base {
                    let price = priced(BURSTING, Meter::BurstOperations)?;
                    usage = Some(Usage::Burst { price, iops: base.iops, bytes: base.bytes_per_second });
                }
                let gate = Rates::from(spec.limits);
                let (Some(iops), Some(bytes)) = (gate.iops, gate.bytes) else { return Err(Reason::Limits) };
                let lasting =
                    |rate: Rate| if sharing.is_none_or(|(_, by)| by.bursts) { rate } else { Rate::plain(rate.base) };
                DiskKind::Fixed { gib: gib(row.size.max), iops: lasting(iops), bytes: lasting(bytes), price }
            }
        };
        let kind_of_disk = row.kind();
        let offer = DiskOffer {
            name: row.sku.clone(),
            edition: row.edition.clone(),
            purchase,
            of_kind: Some(kind_of_disk),
            needs: kind_of_disk.needs,
            second: kind_of_disk.second,
            io_unit: row.io_unit(),
            latency_ns: model_ns(kind_of_disk.latency_model, self.wishes.latency),
            quantiles: model_quantiles(kind_of_disk.latency_model, self.wishes.latency),
            bandwidth: bandwidth(kind_of_disk.latency_model, self.wishes.latency),
            usage,
            shared,
            kind,
        };
        let unpriced = origins.iter().filter(|(_, origin)| !origin.is_known()).map(|(meter, _)| *meter).collect();
        let mut distinct: Vec<PriceOrigin> = Vec::new();
        for (_, origin) in origins {
            if !distinct.contains(&origin) {
                distinct.push(origin);
            }
        }
        Ok(Priced { offer, origins: distinct, unpriced })
    }

    /// What a part of a disk costs under the commitment that is asked for; without a price of that, pay as you go.
    fn price_of_part(&self, part: &Billed) -> Result<(Money, PriceOrigin), PriceError> {
        let to = self.wishes.commitment().filter(|_| part.meter == Meter::Whole);
        match to.and_then(|to| self.reserved_disk(&part.of, to)) {
            Some(reserved) => Ok(reserved),
            None => self.price_of_disk(&part.of, part.meter),
        }
    }

    /// A month of a reserved disk. Nobody sells that of zone-redundant ones, and a price of the requirements is that of what is asked for.
    fn reserved_disk(&self, name: &str, to: Commitment) -> Option<(Money, PriceOrigin)> {
        if to.to != CommitTo::Machine || self.wishes.zone_redundant || self.own(name, Meter::Whole).is_some() {
            return None;
        }
        let (region, edition) = (&self.wishes.region, self.wishes.prices.as_deref());
        let found = self.catalogue.find_price(self.currency(), name, Meter::Whole, region, edition, Some(to))?;
        Some((found.monthly(), origin(&found)))
    }

    /// The price of a disk where it is kept as asked; a price of the requirements counts for both.
    fn price_of_disk(&self, of: &str, meter: Meter) -> Result<(Money, PriceOrigin), PriceError> {
        let is_own = |own: &OwnPrice| fits(&own.name, of) && own.meter == meter.id();
        if self.wishes.zone_redundant && !self.wishes.own_prices.iter().any(is_own) {
            return self.price(&format!("{of}{ZONE_REDUNDANT}"), meter);
        }
        self.price(of, meter)
    }
}

/// A disk on offer, where its prices are from, and what of it has none.
pub(crate) struct Priced {
    offer: DiskOffer,
    pub(crate) origins: Vec<PriceOrigin>,
    unpriced: Vec<Meter>,
}

/// Whether nothing on offer is as good for no more money. Of two that are alike the first stays; what is only for a load over time
/// replaces nothing else, and disks as they come stay, as volumes may be bound to them.
fn is_worth_a_look(all: &[Priced], place: usize) -> bool {
    let this = &all[place].offer;
    let beats = |(other, of): (usize, &Priced)| {
        let is_like = !of.offer.purchase.is_by_use() || this.purchase.is_by_use();
        let first = other < place || !this.replaces(&of.offer);
        other != place && is_like && of.offer.replaces(this) && first
    };
    this.purchase.is_plain() || !all.iter().enumerate().any(beats)
}

fn free_disk(row: &Row, rules: &FreeForm, price: (Money, Money, Money)) -> FreeDisk {
    FreeDisk {
        gib: (gib(row.size.min), gib(row.size.max)),
        stepped: row.billed_in_steps(),
        iops_per_gib: rules.iops_per_gib,
        iops_min_per_gib: rules.iops_min_per_gib,
        iops: (rules.iops_min.get(), rules.iops_max.get()),
        bytes_per_iops: rules.bytes_per_iops,
        bytes_min_per_iops: rules.bytes_min_per_iops,
        mb: (rules.mb_min, rules.mb_max),
        free: rules.free.map_or((0, 0), |(iops, mb)| (iops.get(), mb)),
        besides: (0, 0),
        price,
        base: Money::ZERO,
        unit: rules.unit.bytes(),
        follow: rules.follow,
        bytes_per_gib: rules.bytes_per_gib,
        burst: rules.burst,
    }
}

fn origin(price: &Price) -> PriceOrigin {
    PriceOrigin {
        source: price.source.clone(),
        edition: price.edition.clone(),
        region: price.region.clone(),
        currency: price.currency.clone(),
        note: price.note.clone(),
        uncommitted: false,
    }
}

fn barred(name: &str, fits: fn(&str, &str) -> bool, allowed: &[String], denied: &[String]) -> Option<String> {
    if let Some(pattern) = denied.iter().find(|pattern| fits(pattern, name)) {
        return Some(format!("`{pattern}` is on the list of exclusions"));
    }
    let missing = !allowed.is_empty() && !allowed.iter().any(|pattern| fits(pattern, name));
    missing.then(|| "it is not on the list of allowed sizes".into())
}

fn gib(bytes: Bytes) -> u64 {
    bytes.get() >> 30
}

fn bandwidth(model: &str, setting: LatencySetting) -> Option<u64> {
    dw_catalogue::latency::model(model)?.read(setting).bandwidth.map(Throughput::get)
}

fn local(limits: &LocalRow, setting: LatencySetting) -> Local {
    Local {
        gib: gib(limits.size),
        latency_ns: model_ns(limits.latency_model, setting),
        quantiles: model_quantiles(limits.latency_model, setting),
        bandwidth: bandwidth(limits.latency_model, setting),
    }
}

/// Share of rates that may be used, in parts per million.
pub(crate) fn utilisation(wishes: &Wishes) -> u32 {
    let left = ONE - (wishes.headroom_percent * 1e4).round() as u32;
    share(left.into(), ONE - wishes.rates_reserve) as u32
}
