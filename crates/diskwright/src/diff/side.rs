//! One side of a difference: a plan, or a scenario with the prices of the catalogue.
//!
//! A scenario has no demand; where the other side is a plan that serves its volumes in the same way, that plan's load counts
//! for both, so that their headroom can be compared.

use std::collections::BTreeMap;

use dw_catalogue::bill::Billed;
use dw_catalogue::moves::DisksAt;
use dw_catalogue::price::CURRENCY;
use dw_catalogue::{Catalogue, DiskOffer, MbUnit, Money, PriceError, years_of};
use dw_demand::wishes::{Licence, Role, Term as Every, Wishes};
use dw_demand::{CommitTo, Commitment, HOURS_A_MONTH, VendorKeys};
use dw_documents::plan::{LicenceRow, LimitRow, PlanDocument, PlanRow, VolumeRow, vm_with};
use dw_documents::{DiskSet, LimitId, Quantity};
use dw_formats::scenario::{self, DiskGroup, Scenario};
use dw_messages::{Sentence, say};
use dw_planner::market;
use dw_stack::{DiskSpec, VolumeSpec};
use dw_units::Bytes;

use crate::explain::{billed, role_of};
use crate::figures::{hours, money};

/// A configuration. Amounts are of one node.
pub(super) struct Configuration {
    pub(super) label: String,
    pub(super) vm: String,
    /// What is chosen of it that costs nothing, as plans choose it.
    pub(super) vm_options: BTreeMap<String, String>,
    /// How it is bought, a row for each of [`Terms::ALL`] that differs.
    pub(super) terms: Terms,
    pub(super) vm_monthly: Option<f64>,
    /// Of what is paid by core.
    pub(super) licences: Option<f64>,
    pub(super) monthly: Option<f64>,
    pub(super) volumes: Vec<Volume>,
    /// Percent that is left of each limit.
    pub(super) headroom: BTreeMap<String, f64>,
    /// Whose prices count.
    pub(super) region: Option<String>,
    /// What its amounts are in.
    pub(super) currency: String,
    pub(super) notes: Vec<Sentence>,
    limits: BTreeMap<String, Limit>,
}

/// How a configuration is bought.
pub(super) struct Terms {
    /// Equal nodes.
    pub(super) nodes: u32,
    windows: bool,
    /// Hours of a month that are paid.
    hours: String,
    /// Absent where its VM is pay as you go, whatever was asked for.
    commitment: Option<Commitment>,
}

/// A term: how it is called, and what it is.
type Term = (&'static str, fn(&Terms) -> String);

impl Terms {
    pub(super) const ALL: [Term; 4] = [
        ("nodes", |terms| terms.nodes.to_string()),
        ("operating system", |terms| if terms.windows { "Windows" } else { "Linux" }.into()),
        ("hours a month", |terms| terms.hours.clone()),
        ("commitment", |terms| terms.commitment.map_or_else(|| "pay as you go".into(), Commitment::key)),
    ];

    fn new(wishes: &Wishes, is_uncommitted: bool) -> Terms {
        Terms {
            nodes: wishes.nodes.max(1),
            windows: wishes.windows,
            hours: hours(wishes.running()).text,
            commitment: wishes.commitment().filter(|_| !is_uncommitted),
        }
    }
}

/// What a limit gives, and what is asked of it.
#[derive(Clone, Copy)]
struct Limit {
    sustained: f64,
    /// With burst credits; of a plan only where it counts on them.
    burst: Option<f64>,
    load: Option<Load>,
}

/// The largest load of a limit, and whether it is held by burst credits.
#[derive(Clone, Copy)]
struct Load {
    most: f64,
    bursts: bool,
}

/// A volume.
pub(super) struct Volume {
    pub(super) name: String,
    disks: String,
    /// On the local disk: its requests meet other limits.
    local: bool,
    host_cache: String,
    stripe_unit: Option<u64>,
    queue_depth: Option<u64>,
    /// What a move of its disks asks; absent where they are not all alike.
    pub(super) at: Option<DisksAt>,
}

/// What the local disk is called among disks.
const LOCAL: &str = "temp disk";

/// A field of a volume: how it is called, and what it is.
type Field = (&'static str, fn(&Volume) -> Option<String>);

impl Volume {
    pub(super) const FIELDS: [Field; 3] = [
        ("disks", |volume| Some(volume.disks.clone())),
        ("host cache", |volume| Some(volume.host_cache.clone())),
        ("stripe unit", |volume| volume.stripe_unit.map(|unit| Bytes::new(unit).to_string())),
    ];

    pub(super) fn queue_depth(&self) -> Option<String> {
        self.queue_depth.map(|depth| depth.to_string())
    }
}

impl Configuration {
    /// Its VM with what is chosen of it.
    pub(super) fn vm_said(&self) -> String {
        vm_with(&self.vm, self.vm_options.iter().map(|(key, value)| (&**key, &**value))).into_owned()
    }
}

/// A plan, with its prices and loads.
pub(super) fn of_plan(catalogue: &Catalogue, name: &str, document: &PlanDocument) -> Configuration {
    let plan = document.plan.as_ref();
    let volumes = plan.iter().flat_map(|plan| &plan.volumes).map(|volume| Volume {
        name: volume.name.clone(),
        disks: volume.disks_said().unwrap_or_else(|| LOCAL.into()),
        local: volume.disk.is_none(),
        host_cache: if volume.host_cache == "local disk" { "None".into() } else { volume.host_cache.clone() },
        stripe_unit: volume.stripe_unit,
        queue_depth: Some(volume.queue_depth),
        at: volume_at(catalogue, volume),
    });
    let of = |row: &LimitRow| row.of.id.as_ref().map_or_else(|| row.of.name(), ToString::to_string);
    let is_rate = |row: &&LimitRow| matches!(row.of.unit.as_str(), "IOPS" | "B/s");
    let limit = |row: &LimitRow| Limit {
        sustained: row.burst.as_ref().map_or(row.capacity, |burst| burst.sustained),
        burst: row.burst.as_ref().map(|_| row.capacity),
        load: Some(Load { most: row.load(), bursts: row.burst.is_some() }),
    };
    let limits = document.limits.iter().filter(is_rate).map(|row| (of(row), limit(row)));
    Configuration {
        label: name.into(),
        vm: plan.map_or(String::new(), |plan| plan.vm.clone()),
        vm_options: plan.map_or_else(BTreeMap::new, |plan| plan.vm_options.clone()),
        terms: Terms::new(
            &terms(document, dw_demand::Offers::vendor(catalogue)),
            plan.is_some_and(|plan| plan.uncommitted),
        ),
        vm_monthly: plan.map(|plan| plan.vm_monthly),
        licences: plan.and_then(PlanRow::licences_monthly),
        monthly: plan.map(|plan| plan.monthly),
        volumes: volumes.collect(),
        headroom: BTreeMap::new(),
        region: Some(document.region.clone()),
        currency: document.currency.clone(),
        notes: Vec::new(),
        limits: limits.collect(),
    }
}

/// How a plan is bought: what it is priced by, as wishes.
pub(super) fn terms(document: &PlanDocument, keys: &'static VendorKeys) -> Wishes {
    let licence = |row: &LicenceRow| Licence {
        name: row.name.clone(),
        price_micros: Money::of_amount(row.price).get(),
        every: if row.every == Every::Year.word() { Every::Year } else { Every::Month },
        minimum: row.minimum,
        nodes: row.nodes,
    };
    Wishes {
        licences: document.plan.iter().flat_map(|plan| &plan.licences).map(licence).collect(),
        nodes: document.nodes.unwrap_or(1),
        windows: document.os.as_deref() == Some("windows"),
        reserved_years: document.reserved_years,
        savings_plan_years: document.savings_plan_years,
        hours_per_month: document.hours_per_month.unwrap_or(HOURS_A_MONTH as f64),
        zone_redundant: document.redundancy.as_deref() == Some("zone"),
        currency: Some(document.currency.clone()),
        ..keys.wishes_in(&document.region)
    }
}

/// A scenario at the prices that it is compared by.
pub(super) fn of_scenario(catalogue: &Catalogue, label: &str, scenario: &Scenario, terms: &Wishes) -> Configuration {
    let unpriced = |e: &PriceError| say!(DiffUnpriced { side: label, why: e.to_string() });
    let mut notes = Vec::new();
    if terms.nodes > 1 {
        notes.push(say!(DiffNodes { side: label, nodes: terms.nodes }));
    }
    if terms.windows {
        notes.push(say!(DiffWindows { side: label }));
    }
    if !terms.running().is_always() {
        notes.push(say!(DiffHours { side: label, hours: hours(terms.running()) }));
    }
    if terms.zone_redundant {
        notes.push(say!(DiffZoneRedundant { side: label }));
    }
    let vm = scenario.vm.size.clone().unwrap_or_else(|| "a VM of your own".into());
    let mut is_uncommitted = false;
    let vm_monthly = scenario.vm.size.as_deref().and_then(|name| {
        let under = terms.commitment().map(|to| (to, market::monthly_under(catalogue, terms, name, Some(to))));
        match under {
            None => {}
            Some((to, None)) => {
                is_uncommitted = true;
                notes.push(say!(DiffUncommitted { side: label, commitment: to.key() }));
            }
            Some((to, Some(_))) => notes.push(match to.to {
                CommitTo::Machine => say!(DiffReserved { side: label, term: years_of(to.years) }),
                CommitTo::Spending => say!(DiffSavingsPlan { side: label, term: years_of(to.years) }),
            }),
        }
        let price = market::monthly_of_vm(catalogue, terms, name);
        price.map_err(|e| notes.push(unpriced(&e))).ok()
    });
    let vcpu = scenario.vm.size.as_deref().and_then(|name| Some(catalogue.vm(name, None).ok()?.vcpu));
    let licences = vcpu.filter(|_| !terms.licences.is_empty()).map(|vcpu| market::monthly_of_licences(terms, vcpu));
    notes.extend(licences.map(|monthly| say!(DiffLicences { side: label, monthly: money(monthly) })));
    let mut price = |billed: &[Billed]| {
        let (price, lacking) = market::monthly(catalogue, terms, billed);
        notes.extend(lacking.iter().map(unpriced));
        lacking.is_empty().then_some(price)
    };
    let mut monthly = vm_monthly.map(|vm| vm + licences.unwrap_or(Money::ZERO));
    let mut said = Vec::new();
    let mut volumes = Vec::new();
    for (volume, spec) in scenario.volumes.iter().zip(&scenario.stack.volumes) {
        for bought in &volume.bought {
            let of_group = match billed(catalogue, bought) {
                Some(parts) => price(&parts),
                None => {
                    let (volume, disk) = (&volume.name, &bought.label);
                    said.push(say!(DiffOwnDisk { side: label, volume, disk }));
                    None
                }
            };
            monthly = monthly.zip(of_group).map(|(all, group)| all + group);
            if bought.options.on_demand_bursting {
                said.push(say!(DiffBurstBilled { side: label, volume: &volume.name }));
            }
            let offer = bought.offer.as_ref().and_then(|(name, edition)| catalogue.disk(name, Some(edition)).ok());
            if offer.is_some_and(|offer| catalogue.operations(offer).is_some()) {
                said.push(say!(DiffOperationsBilled { side: label, volume: &volume.name }));
            }
        }
        volumes.push(Volume {
            name: volume.name.clone(),
            disks: if volume.bought.is_empty() { LOCAL.into() } else { disks_said(catalogue, volume, spec) },
            local: volume.bought.is_empty(),
            host_cache: spec.host_cache.to_string(),
            stripe_unit: (spec.disks.len() > 1).then(|| spec.stripe_unit.get()),
            queue_depth: None,
            at: scenario_at(catalogue, volume, spec),
        });
    }
    notes.extend(said);
    let amount = |money: Money| money.get() as f64 / 1e6;
    Configuration {
        vm,
        vm_options: chosen(catalogue, scenario),
        terms: Terms::new(terms, is_uncommitted),
        vm_monthly: vm_monthly.map(amount),
        licences: licences.map(amount),
        monthly: monthly.map(amount),
        volumes,
        headroom: BTreeMap::new(),
        region: Some(terms.region.clone()),
        currency: terms.currency.clone().unwrap_or_else(|| CURRENCY.into()),
        notes,
        limits: limits(scenario),
        label: label.into(),
    }
}

/// What a scenario chooses of its VM that a plan may choose, too; all else that it chooses is in its limits.
fn chosen(catalogue: &Catalogue, scenario: &Scenario) -> BTreeMap<String, String> {
    let size = scenario.vm.size.as_deref().and_then(|size| catalogue.vm(size, scenario.vm.edition.as_deref()).ok());
    let setting = size.and_then(|size| catalogue.setting((&size.name, &size.edition)));
    let known = setting.map_or(&[][..], |setting| setting.options);
    let options = scenario.vm.options.iter().filter(|(key, value)| known.contains(&(key, value)));
    options.cloned().collect()
}

/// The disks of a planned volume, as a move asks.
fn volume_at(catalogue: &Catalogue, volume: &VolumeRow) -> Option<DisksAt> {
    let row = match &volume.disk {
        Some(disk) => Some(catalogue.disk(disk, volume.disk_edition.as_deref()).ok()?),
        None => None,
    };
    Some(DisksAt {
        kind: row.map(|row| row.kind().id),
        gib: volume.disk_gib.or_else(|| Some(row?.fixed_size()?.get() >> 30)).unwrap_or(0),
        count: volume.disks,
        rates: volume.disk_iops.zip(volume.disk_mb_per_s.or(volume.disk_mib_per_s)),
        tier: volume.disk_tier.clone(),
        cache: volume.host_cache.parse().unwrap_or_default(),
        local: volume.disk.is_none(),
        os: volume.role == Role::Os.word(),
        shared: volume.shared.is_some(),
    })
}

/// The same of a volume of a scenario, where its disks are bought alike.
fn scenario_at(catalogue: &Catalogue, volume: &scenario::Volume, spec: &VolumeSpec) -> Option<DisksAt> {
    let local = volume.bought.is_empty();
    let bought = volume.bought.first();
    let is_alike =
        |group: &DiskGroup| bought.is_some_and(|one| (&one.offer, &one.options) == (&group.offer, &group.options));
    let is_sized_alike =
        spec.disks.windows(2).all(|two| (two[0].size, limits_of(&two[0])) == (two[1].size, limits_of(&two[1])));
    if !volume.bought.iter().all(is_alike) || (!local && !is_sized_alike) {
        return None;
    }
    let disk = bought
        .and_then(|bought| bought.offer.as_ref())
        .and_then(|(sku, edition)| catalogue.disk(sku, Some(edition)).ok());
    let each = spec.disks.first();
    let rates = each.zip(disk).and_then(|(each, disk)| sized(disk, each)).map(|([_, iops, mb], _)| (iops, mb));
    Some(DisksAt {
        kind: disk.map(|disk| disk.kind().id),
        gib: if local { 0 } else { each.map_or(0, |each| each.size.get() >> 30) },
        count: volume.bought.iter().map(|group| group.count as u32).sum(),
        rates,
        tier: bought.and_then(|bought| bought.options.tier.clone()),
        cache: spec.host_cache,
        local,
        os: role_of(&volume.name, volume.mount.as_deref(), None) == Some(Role::Os),
        shared: false,
    })
}

fn limits_of(disk: &DiskSpec) -> Vec<dw_stack::Limit> {
    disk.all_limits().collect()
}

/// GiB, IOPS and MB/s of a disk that is sized freely, as they are sold, and whether those are MiB/s; nothing where a rate has no limit.
fn sized(offer: &DiskOffer, disk: &DiskSpec) -> Option<([u64; 3], bool)> {
    let unit = offer.free_form.as_ref()?.unit;
    let rate = |quantity| of_all_requests(disk.all_limits(), quantity).map(|limit| limit.rate);
    let mb = rate(dw_stack::Quantity::Throughput)? / unit.bytes();
    Some(([disk.size.get() >> 30, rate(dw_stack::Quantity::Iops)?, mb], unit == MbUnit::Mebi))
}

/// Of limits of one place the one that reads and writes share.
fn of_all_requests(
    mut limits: impl Iterator<Item = dw_stack::Limit>,
    quantity: dw_stack::Quantity,
) -> Option<dw_stack::Limit> {
    limits.find(|limit| limit.quantity == quantity && limit.accounting.only().is_none())
}

/// The disks of a volume, as a plan says them: with their sizes and rates where the kind is sized freely.
fn disks_said(catalogue: &Catalogue, volume: &scenario::Volume, spec: &VolumeSpec) -> String {
    let mut first = 0;
    let groups = volume.bought.iter().map(|bought| {
        let each = &spec.disks[first];
        first += bought.count;
        let offer = bought.offer.as_ref().and_then(|(sku, edition)| catalogue.disk(sku, Some(edition)).ok());
        let sized = offer.and_then(|offer| sized(offer, each));
        DiskSet {
            count: bought.count as u32,
            sku: bought.offer.as_ref().map_or(bought.label.as_str(), |(sku, _)| sku),
            sized: sized.map(|(figures, _)| figures),
            in_mib: sized.is_some_and(|(_, in_mib)| in_mib),
            tier: bought.options.tier.as_deref(),
            performance_plus: bought.options.performance_plus,
            on_demand_bursting: bought.options.on_demand_bursting,
        }
        .to_string()
    });
    groups.collect::<Vec<_>>().join(" + ")
}

/// What each limit of a scenario gives, named as a plan names it.
fn limits(scenario: &Scenario) -> BTreeMap<String, Limit> {
    let mut all = BTreeMap::new();
    let mut add = |id: fn(&str, Quantity) -> LimitId, place: &str, limits: Vec<dw_stack::Limit>, times: usize| {
        use dw_stack::Quantity::{Iops, Throughput};
        for (quantity, of) in [(Quantity::Iops, Iops), (Quantity::Throughput, Throughput)] {
            if let Some(limit) = of_all_requests(limits.iter().copied(), of) {
                let all_of = |rate: u64| rate as f64 * times as f64;
                let burst = limit.credits.map(|credits| all_of(credits.peak));
                let limit = Limit { sustained: all_of(limit.rate), burst, load: None };
                all.insert(id(place, quantity).to_string(), limit);
            }
        }
    };
    for gate in &scenario.stack.vm.gates {
        add(LimitId::vm, &gate.name, gate.all_limits().collect(), 1);
    }
    for spec in scenario.stack.volumes.iter().filter(|spec| !spec.path.local) {
        if let Some(disk) = spec.disks.first() {
            add(LimitId::disk, &spec.name, disk.all_limits().collect(), spec.disks.len());
        }
    }
    all
}

/// Headroom on both sides: of a side's own load, or of the other's where both serve the volumes in the same way.
pub(super) fn share_loads(a: &mut Configuration, b: &mut Configuration) {
    let modes = |side: &Configuration| -> Vec<(String, bool, String)> {
        let mut modes: Vec<_> = side.volumes.iter().map(|v| (v.name.clone(), v.local, v.host_cache.clone())).collect();
        modes.sort();
        modes
    };
    let alike = modes(a) == modes(b);
    let loads = |side: &Configuration| -> BTreeMap<String, Load> {
        side.limits.iter().filter_map(|(name, limit)| Some((name.clone(), limit.load?))).collect()
    };
    let (of_a, of_b) = (loads(a), loads(b));
    for (side, own, other) in [(a, &of_a, &of_b), (b, &of_b, &of_a)] {
        let load = if own.is_empty() && alike { other } else { own };
        if load.is_empty() {
            let why = match other.is_empty() {
                true => say!(DiffNoDemand),
                false => say!(DiffCachedElse),
            };
            side.notes.push(say!(DiffNoHeadroom { side: &side.label, why }));
        }
        for (name, limit) in &side.limits {
            let Some(load) = load.get(name) else { continue };
            let gives = limit.burst.filter(|_| load.bursts).unwrap_or(limit.sustained);
            if gives > 0.0 {
                side.headroom.insert(name.clone(), ((1.0 - load.most / gives) * 1_000.0).floor() / 10.0);
            }
        }
    }
}
