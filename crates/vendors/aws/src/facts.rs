//! EC2 and EBS as judges of an estate ask: what a type and a volume give, cost, and take to change.
//!
//! Rules: another type fits where it is of the current generation, with as many vCPUs of the same architecture, no less memory, EBS rates,
//! volumes, instance store and network, and is sold in the region. Prices are compared where both are of one date. gp3 gives what a gp2 ever
//! does, and what of an io1 or io2 reaches the machine.
//!
//! Source: `kinds.rs`, `gates.rs` and `prices.rs` name theirs; `sources::{MODIFY_VOLUME, MODIFY_2026, CHANGE_TYPE}` of changes.
//!
//! Ignores: licences, savings plans, which EBS card a volume is on: no list has it, so one volume passes a
//! card's part and several all.

use std::borrow::Cow;

use dw_demand::{CommitTo, Commitment};
use dw_units::{Bytes, Iops, Money, Throughput};
use dw_vendor::edition::Month;
use dw_vendor::facts::{
    Bought, DiskFacts, Facts, GateFacts, Named, NotTaken, Offered, OtherAsked, OtherDisk, Pair, SizeFacts, Successor,
};
use dw_vendor::kind::Kind;
use dw_vendor::moves::{DisksAt, MoveRow, What};
use dw_vendor::price::HOURS_A_MONTH;

use crate::changes;
use crate::ec2::Ec2;
use crate::gates::{BURST_SECONDS, EBS, Weighting};
use crate::instances::{self, EDITION, EbsLimits, Hypervisor, InstanceType, StoreShape};
use crate::kinds::{self, Rule, VolumeKind};
use crate::planned;
use crate::prices::HOUR_OF_WINDOWS;
use crate::sources::LATENCY_STATEMENTS;
use crate::volume::{Asked, Volume};

const MIB: u64 = 1 << 20;
const GP3: &str = "gp3";

fn named(row: &InstanceType) -> Named {
    Named { name: row.name.to_string(), short: row.name.to_string() }
}

/// Whether other limits pass no less, for good and in bursts.
fn is_as_wide(other: Option<EbsLimits>, own: Option<EbsLimits>) -> bool {
    let Some(own) = own else { return true };
    other.is_some_and(|other| {
        [(other.base, own.base), (other.maximum, own.maximum)]
            .into_iter()
            .all(|(other, own)| other.iops >= own.iops && other.throughput >= own.throughput)
    })
}

/// Families for general use: what stands before their number.
const GENERAL: [&str; 11] = ["a", "c", "d", "i", "im", "is", "m", "r", "t", "x", "z"];

fn is_general(row: &InstanceType) -> bool {
    GENERAL.contains(&row.family().split(|c: char| c.is_ascii_digit()).next().unwrap_or_default())
}

/// What its instance store holds, which is lost when it is stopped.
fn stored(row: &InstanceType) -> Option<Bytes> {
    row.store.map(|store| Bytes::new(store.gb * u64::from(store.count) * 1_000_000_000))
}

fn has_no_less_store(other: Option<StoreShape>, own: Option<StoreShape>) -> bool {
    let Some(own) = own else { return true };
    other.is_some_and(|other| {
        other.gb * u64::from(other.count) >= own.gb * u64::from(own.count) && other.is_ssd >= own.is_ssd
    })
}

impl InstanceType {
    /// As many volumes as what takes its place must take.
    fn places_wanted(&self) -> u32 {
        let own = self.volumes_with(1);
        if self.hypervisor == Hypervisor::Xen { own.min(VOLUMES_ENOUGH) } else { own }
    }

    /// Whether it takes the place of another where it is sold, by the rules above.
    fn replaces(&self, own: &InstanceType) -> bool {
        let network =
            |other: Option<u64>, own: Option<u64>| own.is_none_or(|own| other.is_some_and(|other| other >= own));
        self.name != own.name
            && self.is_current
            && self.lacks.is_empty()
            && (is_general(self) && is_general(own))
            && (self.vcpu, self.arch, self.gpus) == (own.vcpu, own.arch, own.gpus)
            && self.memory >= own.memory
            && self.hypervisor != Hypervisor::Xen
            && (self.hypervisor == Hypervisor::Metal) == (own.hypervisor == Hypervisor::Metal)
            && (own.is_burstable || !self.is_burstable)
            && (own.is_flex() || !self.is_flex())
            && is_as_wide(self.ebs, own.ebs)
            && self.volumes_with(1) >= own.places_wanted()
            && has_no_less_store(self.store, own.store)
            && network(self.network.0, own.network.0)
            && network(self.network.1, own.network.1)
    }
}

/// Xen types take 40 volumes, which no later type does: whoever has as many is told by another rule.
const VOLUMES_ENOUGH: u32 = 27;

impl Ec2 {
    /// A type whose EBS limits are those with what is chosen of it; without limits where no source says what that makes of them.
    fn chosen(&self, name: &str, chosen: &str) -> Option<Cow<'_, InstanceType>> {
        let row = self.types.get(name)?;
        let weighting = Weighting::ALL.into_iter().map(|(_, weighting)| weighting);
        let weighting = weighting.filter(|_| !chosen.is_empty()).find(|weighting| weighting.chosen() == chosen);
        Some(match weighting {
            None => Cow::Borrowed(row),
            Some(weighting) => {
                Cow::Owned(InstanceType { ebs: row.ebs_weighted(weighting).ok().flatten(), ..row.clone() })
            }
        })
    }
    fn row(&self, size: &SizeFacts) -> Option<Cow<'_, InstanceType>> {
        self.chosen(&size.name, &size.chosen)
    }

    fn fitting<'a>(&'a self, own: &'a InstanceType, region: Option<&'a str>) -> impl Iterator<Item = &'a InstanceType> {
        self.types.all().filter(move |other| other.replaces(own) && self.is_sold(other, region))
    }

    /// A month of an hour's price, with the month of that price.
    fn month_of(&self, region: Option<&str>, row: &InstanceType) -> Option<(Money, Month)> {
        let hour = self.prices.hour(region?, &row.name)?;
        Some((hour.amount * HOURS_A_MONTH, Month::of(hour.date)?))
    }

    /// The same with Windows, where a price of it was imported.
    fn month_of_windows(&self, region: &str, row: &InstanceType) -> Option<Money> {
        let hour = self.prices.price(region, &row.name, HOUR_OF_WINDOWS, None)?;
        Some(hour.amount * HOURS_A_MONTH)
    }

    /// The cheapest of those that fit by a price of the same month, or the first by name.
    fn cheapest<'a>(
        &'a self,
        own: &'a InstanceType,
        region: Option<&'a str>,
    ) -> (Option<(&'a InstanceType, Money)>, Option<&'a InstanceType>) {
        let date = self.month_of(region, own).map(|(_, date)| date);
        let all: Vec<&InstanceType> = self.fitting(own, region).collect();
        let priced = all.iter().filter_map(|other| {
            let (monthly, of) = self.month_of(region, other)?;
            date.is_none_or(|date| date == of).then_some((*other, monthly))
        });
        (priced.min_by(|(a, less), (b, more)| (less, &a.name).cmp(&(more, &b.name))), all.first().copied())
    }
}

/// As much of what is bought as the kind sells.
fn asked(bought: &Bought, kind: &VolumeKind) -> Asked {
    let chosen = chosen(kind);
    Asked {
        size: bought.gib.map(Bytes::gib),
        iops: bought.iops.filter(|_| chosen[0]).map(Iops::new),
        throughput: bought.bytes.filter(|_| chosen[1]).map(Throughput::bytes_per_second),
    }
}

/// Which rates of a kind are chosen.
fn chosen(kind: &VolumeKind) -> [bool; 2] {
    match &kind.rule {
        Rule::Bought(bought) => [true, matches!(bought.mib, kinds::Throughput::Bought { .. })],
        _ => [false, false],
    }
}

/// What comes with a kind.
fn included(kind: &VolumeKind) -> Pair {
    match &kind.rule {
        Rule::Bought(bought) => bought.included.map_or([0, 0], |included| [included.iops, included.mib * MIB]),
        _ => [0, 0],
    }
}

/// The least that each rate may be set to while the other stays.
fn least(kind: &VolumeKind, bytes: u64) -> Pair {
    let Rule::Bought(bought) = &kind.rule else { return [0, 0] };
    match bought.mib {
        kinds::Throughput::Bought { mib: (mib, _), iops_per_mib } => {
            [bought.iops.0.max(bytes.div_ceil(MIB) * iops_per_mib), mib * MIB]
        }
        _ => [bought.iops.0, 0],
    }
}

/// The most that a kind gives in bytes a second, and from how many GiB on, where so many are too few.
fn fuller(kind: &VolumeKind, gib: u64) -> Option<(u64, u64)> {
    let Rule::Bytes(rule) = &kind.rule else { return None };
    let (each, most) = rule.peak;
    let enough = (most * 1_024).div_ceil(each);
    (gib < enough).then_some((most * MIB, enough))
}

/// So long full credits last at full use, in minutes.
fn burst_minutes(volume: &Volume, base: Pair, top: Pair) -> Option<u64> {
    let credits = volume.credits()?;
    let spent = if matches!(volume.kind.rule, Rule::Bytes(_)) { top[1] - base[1] } else { top[0] - base[0] };
    Some(credits / spent.max(1) / 60)
}

/// What a kind promises, in the words of its page.
fn promises(id: &str) -> &'static str {
    match id {
        "io2" => "below one millisecond on average, its IOPS 99.9 % of a year, durability 99.999 %",
        "io1" => "single-digit milliseconds, its IOPS 99.9 % of a year",
        _ => "single-digit milliseconds, its IOPS 99 % of a year, durability 99.8 to 99.9 %",
    }
}

impl Facts for Ec2 {
    fn kinds(&self) -> &'static [Kind] {
        &planned::KINDS
    }

    fn size(&self, name: &str, chosen: &str, region: Option<&str>) -> Option<SizeFacts> {
        let row = self.chosen(name, chosen)?;
        let monthly = self.month_of(region, &row);
        let (best, first) = self.cheapest(&row, region);
        let cheaper = best.filter(|(_, price)| monthly.is_some_and(|(own, _)| *price < own));
        Some(SizeFacts {
            name: row.name.to_string(),
            short: row.name.to_string(),
            chosen: chosen.to_string(),
            assumed: None,
            source: row.source.to_string(),
            vcpu: row.vcpu,
            memory_mib: Some(row.memory.get() >> 20),
            places: row.volumes_with(1),
            system_takes_place: true,
            local: None,
            volatile: stored(&row),
            cache: None,
            host_cache: Some(false),
            cache_unknown: false,
            is_previous: !row.is_current,
            monthly: monthly.map(|(monthly, _)| monthly),
            priced_on: monthly.map(|(_, date)| date),
            windows: region.and_then(|region| self.month_of_windows(region, &row)),
            cheaper: cheaper.map(|(other, price)| (named(other), price)),
            lasting: best.map(|(other, _)| other).or(first).map(|other| Successor {
                named: named(other),
                local: stored(other),
                cache: None,
            }),
        })
    }

    fn places(&self, size: &SizeFacts, interfaces: u32) -> u32 {
        self.types.get(&size.name).map_or(size.places, |row| row.volumes_with(interfaces))
    }

    fn disk(&self, bought: &Bought, region: Option<&str>) -> Option<DiskFacts> {
        let kind = kinds::kind(bought.kind, None)?;
        let gib = bought.gib?;
        let is_chosen = chosen(kind);
        let asked = asked(bought, kind);
        let told = [asked.iops.is_some(), asked.throughput.is_some()];
        let has_rates = (0..2).all(|quantity| told[quantity] || !is_chosen[quantity]);
        let mut facts = DiskFacts {
            sku: kind.id.into(),
            source: kind.source.into(),
            bought: Bought {
                iops: asked.iops.map(Iops::get),
                bytes: asked.throughput.map(Throughput::get),
                tier: None,
                ..bought.clone()
            },
            is_chosen,
            step: MIB,
            has_rates,
            fuller: fuller(kind, gib),
            ..DiskFacts::default()
        };
        if !has_rates {
            return Some(facts);
        }
        let volume = match Volume::new(kind, &asked) {
            Ok(volume) => volume,
            Err(refusal) => {
                facts.refused = Some(refusal.what);
                return Some(facts);
            }
        };
        let monthly = region.and_then(|region| self.prices.month(region, &volume));
        facts.monthly = monthly.map(|price| price.amount);
        facts.priced_on = monthly.and_then(|price| Month::of(price.date));
        let (Some(iops), Some(bytes)) = (volume.base_iops(), volume.base_throughput()) else { return Some(facts) };
        let base = [iops, bytes.get()];
        let top = [volume.burst_iops().unwrap_or(iops), volume.peak_throughput().map_or(base[1], Throughput::get)];
        let included = included(kind);
        facts.is_paid = std::array::from_fn(|quantity| is_chosen[quantity] && base[quantity] > included[quantity]);
        facts.least = least(kind, base[1]);
        facts.limits = volume.rates().map_or([None; 2], |rates| rates.map(Some));
        facts.burst_minutes = burst_minutes(&volume, base, top);
        (facts.sustains, facts.bursts_to) = (Some(base), Some(top));
        // Throughput that comes with bought IOPS is nobody's aim by itself.
        facts.follows = [false, is_chosen[0] && !is_chosen[1]];
        Some(facts)
    }

    fn gates(&self, size: &SizeFacts, disks: &[Option<&Bought>]) -> Vec<GateFacts> {
        let Some(row) = self.row(size) else { return Vec::new() };
        let Some(ebs) = row.ebs else { return Vec::new() };
        let behind: Vec<usize> = (0..disks.len()).filter(|place| disks[*place].is_some()).collect();
        if behind.is_empty() {
            return Vec::new();
        }
        vec![GateFacts {
            name: EBS,
            base: [Some(ebs.base.iops.get()), Some(ebs.base.throughput.get())],
            top: [Some(ebs.maximum.iops.get()), Some(ebs.maximum.throughput.get())],
            disks: behind,
            parts: u64::from(row.cards),
            daily_minutes: ebs.bursts().then_some(BURST_SECONDS / 60),
            derived: None,
        }]
    }

    fn not_taken(&self, size: &SizeFacts, disk: &Bought) -> Option<NotTaken> {
        let (row, kind) = (self.row(size)?, kinds::kind(disk.kind, None)?);
        let volume = Volume::new(kind, &asked(disk, kind)).ok()?;
        volume.fits(row.hypervisor).err().map(|refusal| NotTaken::Because(refusal.what))
    }

    fn taking(&self, size: &SizeFacts, disk: &Bought, region: Option<&str>) -> Option<Named> {
        let (row, kind) = (self.row(size)?, kinds::kind(disk.kind, None)?);
        let volume = Volume::new(kind, &asked(disk, kind)).ok()?;
        let price = |other: &InstanceType| self.month_of(region, other).map_or(u64::MAX, |(monthly, _)| monthly.get());
        let takes = self.fitting(&row, region).filter(|other| volume.fits(other.hypervisor).is_ok());
        takes.min_by_key(|other| (price(other), &*other.name)).map(named)
    }

    fn wider(&self, size: &SizeFacts, quantity: usize, needed: u64, region: Option<&str>) -> Option<Named> {
        let own = self.row(size)?;
        let sustains = |other: &InstanceType| {
            other.ebs.map_or(0, |ebs| [ebs.base.iops.get(), ebs.base.throughput.get()][quantity]) >= needed
        };
        let fits = |other: &&InstanceType| {
            other.family() == own.family()
                && other.vcpu > own.vcpu
                && other.hypervisor != Hypervisor::Metal
                && sustains(other)
                && other.lacks.is_empty()
                && self.is_sold(other, region)
        };
        let date = self.month_of(region, &own).map(|(_, date)| date);
        // Prices of other dates are not compared.
        let price = |other: &InstanceType| {
            let of_date = self.month_of(region, other).filter(|(_, of)| Some(*of) == date);
            of_date.map_or(u64::MAX, |(monthly, _)| monthly.get())
        };
        let in_place = self.fitting(&own, region).filter(|other| sustains(other));
        let all = self.types.all().filter(fits).chain(in_place);
        all.min_by_key(|other| (price(other), other.vcpu, &*other.name)).map(named)
    }

    fn newest(&self, size: &SizeFacts) -> Option<Named> {
        size.lasting.as_ref().map(|other| other.named.clone())
    }

    fn size_moves(&self, from: &SizeFacts, to: &str) -> Vec<MoveRow> {
        let (Some(from), Some(to)) = (self.types.get(&from.name), self.types.get(to)) else { return Vec::new() };
        let is_new = from.hypervisor == Hypervisor::Xen && to.hypervisor != Hypervisor::Xen;
        changes::moves()
            .iter()
            .filter(|row| row.change == if is_new { What::Images } else { What::Size })
            .cloned()
            .collect()
    }

    fn disk_moves(&self, from: &DisksAt, to: &DisksAt) -> Vec<MoveRow> {
        let fits = |row: &&MoveRow, what: What| {
            row.change == what
                && (!row.os || from.os)
                && (row.to.is_empty() || row.to.iter().any(|one| Some(one.as_str()) == to.kind))
        };
        let rows = from.changes(to).into_iter().filter_map(|what| changes::moves().iter().find(|row| fits(row, what)));
        let mut rows: Vec<MoveRow> = rows.cloned().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.effort));
        rows
    }

    fn other_disk(&self, asked: &OtherAsked) -> Option<OtherDisk> {
        let (own_id, gib) = (asked.own.kind, asked.own.gib?);
        // Hard disks are taken for their price a GiB, which no other kind has; gp3 has no Multi-Attach.
        if asked.is_shared || !["gp2", "io1", "io2"].contains(&own_id) {
            return None;
        }
        let (bursts_to, gp3) = (asked.facts.bursts_to?, kinds::kind(GP3, None)?);
        let mut rates = bursts_to;
        if asked.facts.follows[1] {
            // What comes along and does not reach the machine is nobody's loss.
            rates[1] = rates[1].min(self.row(asked.size)?.ebs?.maximum.throughput.get());
        }
        let least = included(gp3);
        let mib = rates[1].div_ceil(MIB).max(least[1] / MIB);
        let iops = rates[0].max(least[0]).max(mib * 4);
        let volume = Volume::new(
            gp3,
            &Asked {
                size: Some(Bytes::gib(gib)),
                iops: Some(Iops::new(iops)),
                throughput: Some(Throughput::mib_per_second(mib)),
            },
        );
        let volume = volume.ok()?;
        // Prices that are compared are of one month.
        let price = self.prices.month(asked.region, &volume)?;
        if Month::of(price.date) != asked.facts.priced_on {
            return None;
        }
        let monthly = price.amount;
        let paid = |rate: u64, least: u64| (rate > least).then_some(rate);
        Some(OtherDisk {
            kind: planned::kind_of(GP3)?,
            rates: [iops, mib * MIB],
            paid: [paid(iops, least[0]), paid(mib * MIB, least[1])],
            monthly,
            latency: (own_id != "gp2")
                .then(|| (promises(own_id).into(), format!("{} ({LATENCY_STATEMENTS})", promises(GP3)))),
        })
    }

    fn committed(&self, size: &str, to: Commitment, region: &str) -> Option<Money> {
        // Prices that are compared are of one date.
        let own = self.prices.hour(region, size)?;
        let hour = self.prices.hour_reserved(region, size, to.years).filter(|_| to.to == CommitTo::Machine)?;
        (hour.date == own.date).then_some(hour.amount * HOURS_A_MONTH)
    }

    fn offered(&self, size: &str, region: &str) -> Offered {
        match self.types.get(size) {
            Some(row) if self.is_sold(row, Some(region)) => Offered::Here(Vec::new()),
            Some(row) if row.is_shipped() && instances::regions().binary_search(&region).is_ok() => Offered::NotHere,
            _ => Offered::Unknown,
        }
    }

    fn offered_as_of(&self) -> &str {
        EDITION
    }

    fn has_licences(&self) -> bool {
        false
    }

    fn encrypts_hosts(&self) -> bool {
        false
    }

    fn written(&self, disk: &DiskFacts) -> Vec<(&'static str, String)> {
        let bought = &disk.bought;
        let mut keys = vec![("sku", format!("\"{}\"", bought.kind))];
        keys.extend(bought.gib.map(|gib| ("size", format!("\"{gib} GiB\""))));
        keys.extend(bought.iops.map(|iops| ("iops", iops.to_string())));
        keys.extend(bought.bytes.map(|bytes| ("throughput", format!("\"{} MiB/s\"", bytes / MIB))));
        keys
    }
}
