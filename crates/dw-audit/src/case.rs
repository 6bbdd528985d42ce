//! One machine as rules see it: its disks with what they are bought for, by which gates they pass, and what they cost.

use std::rc::Rc;

use dw_catalogue::gate::{GATES_MOST, Gate, limits, that_count};
use dw_catalogue::kind::Kind;
use dw_catalogue::moves::DisksAt;
use dw_catalogue::{DiskOffer, DiskOptions, route_to};
use dw_estate::{Disk, Holds, Machine, Stripe};
use dw_stack::RateSpec;
use dw_units::{Bytes, CacheMode, Iops, Money, Throughput};

use crate::market::{Market, Size};
use crate::recorded::Recorded;

/// A disk of a machine, or of none.
pub struct DiskCase<'a> {
    pub disk: &'a Disk,
    pub kind: Option<&'static Kind>,
    pub offer: Option<&'a DiskOffer>,
    pub options: DiskOptions,
    /// What it sustains: I/Os and bytes a second.
    pub sustains: Option<(u64, u64)>,
    /// What it gives while credits last.
    pub bursts_to: Option<(u64, u64)>,
    /// The same limits with their credits: I/Os and bytes.
    pub limits: [Option<RateSpec>; 2],
    /// Why it cannot be bought so.
    pub refused: Option<String>,
    /// Gates that it passes, by number.
    gates: Vec<usize>,
    pub monthly: Option<Money>,
}

impl<'a> DiskCase<'a> {
    pub fn new(disk: &'a Disk, size: Option<&Size>, region: Option<&str>, market: &'a Market) -> DiskCase<'a> {
        let kind = disk.kind.text().and_then(|id| market.kind(id));
        let gib = disk.gib.value();
        let offer = kind.zip(gib).and_then(|(kind, gib)| market.offer(kind.id, Bytes::gib(gib)));
        let fixed = offer.is_some_and(|offer| offer.base.is_some());
        let tier =
            disk.tier.text().filter(|tier| offer.is_some_and(|offer| !offer.sku.eq_ignore_ascii_case(tier)) && fixed);
        let options = DiskOptions {
            tier: tier.map(str::to_string),
            size: gib.map(Bytes::gib),
            iops: disk.iops.value().filter(|_| !fixed).map(Iops::new),
            throughput: disk.mb.value().filter(|_| !fixed).map(Throughput::mb_per_second),
            ..DiskOptions::default()
        };
        let options = options
            .with_bursts_by_use(disk.bursts_by_use.value() == Some(true))
            .with_more_rates(disk.plus.value() == Some(true));
        // Rates that are chosen and not told are not those that come for nothing.
        let is_told = fixed || (options.iops.is_some() && options.throughput.is_some());
        let spec = offer.filter(|_| is_told).map(|offer| offer.disk_spec(&disk.name, &options));
        let rate = |rate: Option<RateSpec>| rate.map_or(u64::MAX, |rate| rate.rate);
        let top =
            |rate: Option<RateSpec>| rate.map_or(u64::MAX, |rate| rate.burst.map_or(rate.rate, |burst| burst.rate));
        let limits = spec.as_ref().and_then(|spec| spec.as_ref().ok()).map(|spec| spec.limits);
        let monthly =
            offer.zip(region).filter(|_| spec.as_ref().is_some_and(Result::is_ok)).and_then(|(offer, region)| {
                market.bill(&offer.billed(&options), disk.zone_redundant.value() == Some(true), region)
            });
        let is_local = disk.local.value() == Some(true);
        let gates = size.zip(kind).filter(|_| !is_local).map_or_else(Vec::new, |(size, kind)| {
            let route = route_to(kind, disk.cache.value().unwrap_or(CacheMode::None), &size.limits);
            // What no cache serves is what a disk is bought for.
            size.printed.routes()[route.place()].map_or_else(Vec::new, |route| route.behind.iter().collect())
        });
        DiskCase {
            disk,
            kind,
            offer,
            sustains: limits.map(|limits| (rate(limits.iops), rate(limits.throughput))),
            bursts_to: limits.map(|limits| (top(limits.iops), top(limits.throughput))),
            limits: limits.map_or([None; 2], |limits| [limits.iops, limits.throughput]),
            refused: spec.and_then(Result::err).map(|error| error.to_string()),
            options,
            gates,
            monthly: monthly.filter(|_| !is_local),
        }
    }

    pub fn is_data(&self) -> bool {
        self.disk.holds == Holds::Data
    }
    pub fn name(&self) -> &str {
        if self.disk.name.is_empty() && self.disk.holds == Holds::System { "os" } else { &self.disk.name }
    }
    /// What recordings call it by.
    pub fn key(&self) -> &str {
        if self.disk.id.is_empty() { &self.disk.name } else { &self.disk.id }
    }
    pub fn cache(&self) -> Option<CacheMode> {
        self.disk.cache.value()
    }
    /// For what its rates are chosen, a price by the rate.
    pub fn is_sized_freely(&self) -> bool {
        self.offer.is_some_and(|offer| offer.base.is_none())
    }
    /// Whether they are told, where they are chosen.
    pub fn has_rates(&self) -> bool {
        !self.is_sized_freely() || (self.options.iops.is_some() && self.options.throughput.is_some())
    }
    /// I/Os or bytes a second that it sustains.
    pub fn sustains_of(&self, quantity: usize) -> Option<u64> {
        self.sustains.map(|(iops, bytes)| [iops, bytes][quantity])
    }
    /// Whether its name has one of these words.
    pub fn is_called(&self, words: &[&str]) -> bool {
        let name = self.disk.claim.text().unwrap_or(&self.disk.name).to_ascii_lowercase();
        let mut parts = name.split(|c: char| !c.is_ascii_alphabetic());
        parts.any(|part| words.contains(&part))
    }
    /// As moves take it.
    pub fn at(&self) -> DisksAt {
        DisksAt {
            kind: self.kind.map(|kind| kind.id),
            gib: self.disk.gib.value().unwrap_or(0),
            count: 1,
            rates: self.disk.iops.value().zip(self.disk.mb.value()),
            tier: self.options.tier.clone(),
            cache: self.cache().unwrap_or(CacheMode::None),
            local: self.disk.local.value() == Some(true),
            os: self.disk.holds == Holds::System,
            shared: self.disk.shares.value().is_some_and(|machines| machines > 1),
        }
    }
}

/// What passes one gate.
pub struct GateLoad {
    pub name: &'static str,
    /// Disks behind it, by their places in the case.
    pub disks: Vec<usize>,
    /// I/Os and bytes a second: what the gate sustains, and what it gives while credits last.
    pub base: [Option<u64>; 2],
    pub top: [Option<u64>; 2],
    /// What all its disks sustain together; absent where it is not known of one.
    pub bought: Option<[u64; 2]>,
}

/// A machine.
pub struct Case<'a, 'c> {
    pub machine: &'a Machine,
    pub market: &'a Market<'c>,
    pub size: Option<Rc<Size<'c>>>,
    pub disks: Vec<DiskCase<'a>>,
    /// Disks that are one volume.
    pub volumes: Vec<Stripe>,
    /// The gates that its disks pass and that count.
    pub gates: Vec<GateLoad>,
    /// What recordings show of it. Of several machines that are alike one recording tells nothing.
    pub recorded: Option<&'a Recorded>,
}

impl<'a, 'c> Case<'a, 'c> {
    pub fn new(machine: &'a Machine, market: &'a Market<'c>) -> Case<'a, 'c> {
        let region = machine.region.text();
        let size = machine.size.text().and_then(|name| market.size(name, region));
        let disks: Vec<DiskCase> =
            machine.disks.iter().map(|disk| DiskCase::new(disk, size.as_deref(), region, market)).collect();
        let gates = size.as_deref().map_or_else(Vec::new, |size| gates(size, &disks));
        let recorded = market.recordings.filter(|_| machine.copies() == 1).and_then(|all| all.get(key(machine)));
        Case { machine, market, size, disks, volumes: market.stripes.of(machine), gates, recorded }
    }

    /// What recordings call the machine by.
    pub fn key(&self) -> &str {
        key(self.machine)
    }

    /// The disks behind a gate.
    pub fn behind<'b>(&'b self, gate: &'b GateLoad) -> impl DoubleEndedIterator<Item = &'b DiskCase<'a>> {
        gate.disks.iter().map(|place| &self.disks[*place])
    }
    /// Those of them whose rates are chosen and paid.
    pub fn chosen<'b>(&'b self, gate: &'b GateLoad) -> impl DoubleEndedIterator<Item = &'b DiskCase<'a>> {
        self.behind(gate).filter(|disk| disk.is_sized_freely())
    }
    /// What these sustain together; of one of which it is not known, nothing.
    pub fn sum_of_chosen(&self, gate: &GateLoad, quantity: usize) -> u64 {
        self.chosen(gate).filter_map(|disk| disk.sustains_of(quantity)).fold(0, u64::saturating_add)
    }

    /// Whether the disks of one volume behind a gate sustain more than so much.
    pub fn has_volume_beyond(&self, gate: &GateLoad, quantity: usize, most: u64) -> bool {
        let sustains = |place: &usize| self.disks[*place].sustains_of(quantity).unwrap_or(0);
        let of_volume = |volume: &Stripe| {
            let disks = volume.disks.iter().filter(|place| gate.disks.contains(place));
            disks.map(sustains).fold(0_u64, u64::saturating_add)
        };
        gate.disks.iter().any(|place| sustains(place) > most)
            || self.volumes.iter().any(|volume| of_volume(volume) > most)
    }

    pub fn data(&self) -> impl Iterator<Item = &DiskCase<'a>> {
        self.disks.iter().filter(|disk| disk.is_data())
    }
    /// What its size is called, for sentences.
    pub fn size_name(&self) -> String {
        match &self.size {
            Some(size) => size.row.short_name().to_string(),
            None => self.machine.size.text().unwrap_or_default().to_string(),
        }
    }
}

fn key(machine: &Machine) -> &str {
    if machine.id.is_empty() { &machine.name } else { &machine.id }
}

/// The gates that disks pass and that count.
fn gates(size: &Size, disks: &[DiskCase]) -> Vec<GateLoad> {
    let gates: std::sync::Arc<[Gate]> = dw_catalogue::vendor().gates();
    let given = size.printed.gates();
    let counting = that_count(&gates, disks.iter().flat_map(|disk| disk.gates.iter().copied()));
    let load = |gate: usize| {
        let rates = limits(&gates, &given, counting, gate);
        let behind: Vec<usize> = (0..disks.len()).filter(|place| disks[*place].gates.contains(&gate)).collect();
        let sum = |of: fn((u64, u64)) -> u64| {
            let each = behind.iter().map(|place| disks[*place].sustains.map(of));
            each.into_iter().try_fold(0_u64, |all, one| Some(all.saturating_add(one?)))
        };
        GateLoad {
            name: gates[gate].name,
            base: [rates.iops.map(|rate| rate.base), rates.bytes.map(|rate| rate.base)],
            top: [rates.iops, rates.bytes]
                .map(|rate| rate.map(|rate| rate.burst.map_or(rate.base, |burst| burst.0.max(rate.base)))),
            bought: sum(|(iops, _)| iops).zip(sum(|(_, bytes)| bytes)).map(|(iops, bytes)| [iops, bytes]),
            disks: behind,
        }
    };
    (0..GATES_MOST.min(gates.len())).filter(|gate| counting.has(*gate)).map(load).collect()
}
