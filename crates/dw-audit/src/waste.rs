//! DW2xx: what is paid for and not used.
//!
//! What a disk is bought for beyond what its gate ever passes is money by the rate where rates are chosen; what else is paid for in vain follows from the
//! inventory's own words: attached to nothing, deallocated, stopped.
//!
//! Ignores: discounts, snapshots, what is billed by use.

use dw_catalogue::Meter;
use dw_catalogue::bill::Billed;
use dw_catalogue::moves::DisksAt;
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_documents::format;
use dw_estate::State;
use dw_messages::say;
use dw_units::{Bytes, CacheMode, Iops, Money, Throughput};

use crate::case::{Case, DiskCase};
use crate::figures::{gib, money, rate, time};
use crate::finding::NO_MONEY;
use crate::limits::{at_gate, beyond_gate, rule};
use crate::market::OtherKind;
use crate::recorded::Asked;
use crate::rule::{Family, Found, Need, Rule};
use crate::settle::{self, NEAR};

const FAMILY: Family = Family::Waste;

/// A disk that is billed as the next size for less than a twentieth of it.
const JUST_ABOVE: u64 = 20;
/// What a change must save, of what is paid, to be worth a word: a twentieth.
const WORTH: u64 = 20;

pub static RULES: &[Rule] = &[
    rule!("DW201" "IOPS bought that no route delivers", "what is chosen and paid by the rate is more than the gate ever passes; of several volumes together a note", Warning Certain [Size Region Disks Rates]
        |case, found| bought(case, 0, found), at Stays far Goes),
    rule!("DW202" "throughput bought that no route delivers", "the same of MB/s", Warning Certain [Size Region Disks Rates]
        |case, found| bought(case, 1, found), at Stays far Goes),
    rule!("DW203" "a disk on nothing", "a source says that no machine has it", Warning Certain [] unattached),
    rule!("DW204" "disks of a machine that is deallocated", "its disks are paid for", Note Certain [State Region Disks] released),
    rule!("DW205" "a machine that is stopped and paid for", "it is stopped and not deallocated", Warning Certain [State] stopped),
    rule!("DW206" "the same disk as another kind for less", "a kind whose rates are chosen gives as much for a twentieth less or better", Note Likely [Size Region Zone Disks Cache] other_kind),
    rule!("DW207" "a performance tier that is never used", "the gate ever passes no more than the disk's own tier gives", Warning Certain [Size Disks] tier),
    rule!("DW208" "bursts by use that never happen", "the gate ever passes no more than the disk sustains without", Warning Certain [Size Disks] bursts),
    rule!("DW210" "a cheaper size with gates as wide", "as many processors, no less memory, gates, places or local disk, taken in place, a twentieth cheaper or better", Note Likely [Size Region] other_size),
    rule!("DW211" "a disk billed as the next size for little", "its size is less than a twentieth above that of the disk below", Note Certain [Region Disks] just_above),
    rule!("DW212" "open to disks that it does not have", "the machine may take a kind that is charged by the vCPU, and has none", Warning Certain [Size Region] open_for_nothing),
    rule!("DW221" "IOPS bought that recordings never ask for", "they are paid by the rate, and a week of a recording asks for less than four fifths of them; a twentieth of the disk's price or more", Warning Certain [Size Region Disks Rates Recording]
        |case, found| unasked(case, 0, found)),
    rule!("DW222" "throughput bought that recordings never ask for", "the same of MB/s", Warning Certain [Size Region Disks Rates Recording]
        |case, found| unasked(case, 1, found)),
    rule!("DW223" "a performance tier that recordings never ask for", "a week of a recording asks for less than four fifths of what the disk's own tier gives", Warning Certain [Size Region Disks Recording] tier_unasked),
    rule!("DW224" "bursts by use that recordings never ask for", "a week of a recording asks for less than four fifths of what the disk sustains without", Warning Certain [Size Region Disks Recording] bursts_unasked),
];

fn bought(case: &Case, quantity: usize, found: &mut Found) {
    let Some(region) = case.machine.region.text() else { return };
    for gate in &case.gates {
        let (bought, Some(top)) = (case.sum_of_chosen(gate, quantity), gate.top[quantity]) else { continue };
        if bought <= top {
            continue;
        }
        let chosen: Vec<&DiskCase> = case.chosen(gate).collect();
        // Nobody needs more than the gate sustains; the last of them are cut to what is left for them.
        let most = gate.base[quantity].unwrap_or(top);
        let mut over = bought - most;
        let mut saved = Some(NO_MONEY);
        let mut lowered = Vec::new();
        for disk in chosen.iter().rev() {
            let Some((less, lower)) = cut(disk, quantity, over) else { continue };
            over -= less;
            lowered.push((*disk, lower));
            saved = saved.zip(saving(case, disk, quantity, lower, region)).map(|(all, one)| all + one);
        }
        let says = beyond_gate(case, gate, quantity, bought, top);
        let left = most + over;
        let disk = chosen.last().filter(|_| chosen.len() == 1);
        let mut one = match disk {
            Some(disk) => found.disk(disk, says),
            None => found.machine(says),
        };
        if !case.has_volume_beyond(gate, quantity, top) {
            one.at_level(Note);
        }
        let before: Option<Money> = chosen.iter().map(|disk| disk.monthly).sum();
        // What is never asked for either is a finding of its own, which saves more.
        one.costs(before, before.zip(saved).map(|(before, saved)| before.saturating_sub(saved)))
            .hangs_on(|| at_gate(gate, quantity, top));
        let rows = chosen.last().map(|disk| {
            let other =
                disk.at().rates.map(|(iops, mb)| if quantity == 0 { (left, mb) } else { (iops, left / 1_000_000) });
            case.market.catalogue.disk_moves(&disk.at(), &DisksAt { rates: other, ..disk.at() })
        });
        one.ends_by(say!(RemedyBuyLess { rate: rate(quantity, left) }), &rows.unwrap_or_default());
        for (disk, lower) in lowered {
            let set = if quantity == 0 { Setting::Iops(lower) } else { Setting::MbPerS(lower / 1_000_000) };
            one.sets(disk, set);
        }
    }
}

/// By how much a disk's rate can be lowered towards `over`, and to what.
fn cut(disk: &DiskCase, quantity: usize, over: u64) -> Option<(u64, u64)> {
    let rules = disk.offer?.free_form?;
    let size = disk.options.size?;
    let (iops, bytes) = disk.sustains?;
    let least = match quantity {
        // Its throughput stays, and takes so many.
        0 => rules.iops_bounds(size).0.get().max(bytes.div_ceil(rules.bytes_per_iops.max(1))),
        _ => rules.throughput_bounds(Iops::new(iops)).0.get(),
    };
    let own = [iops, bytes][quantity];
    let lower = own.saturating_sub(over).max(least);
    Some((own - lower, lower))
}

/// What a month of a disk costs less with a lower rate.
fn saving(case: &Case, disk: &DiskCase, quantity: usize, lower: u64, region: &str) -> Option<Money> {
    let offer = disk.offer?;
    let mut options = disk.options.clone();
    match quantity {
        0 => options.iops = Some(Iops::new(lower)),
        _ => options.throughput = Some(Throughput::bytes_per_second(lower)),
    }
    let after = case.market.bill(&offer.billed(&options), disk.disk.zone_redundant.value() == Some(true), region)?;
    Some(disk.monthly?.saturating_sub(after))
}

/// Disks on nothing are judged as a machine without a size.
fn unattached(case: &Case, found: &mut Found) {
    for disk in case.disks.iter().filter(|disk| disk.disk.machine.text() == Some("") && case.machine.id.is_empty()) {
        let own = disk.disk.gib.value().map_or(String::new(), |own| format!(", {}", gib(own).text));
        // Where several regions are audited it is looked for there; one that the catalogue does not have has no price.
        let place = disk.disk.region.text().map_or(String::new(), |region| format!(", {region}"));
        let what = disk.kind.map_or(String::new(), |kind| kind.name.to_string()) + &own + &place;
        found
            .disk(disk, say!(EstateUnattached { what }))
            .costs(disk.monthly, Some(NO_MONEY))
            .ends(say!(RemedyDelete))
            .sets(disk, Setting::Deleted);
    }
}

fn released(case: &Case, found: &mut Found) {
    if case.machine.state.value() != Some(State::Released) {
        return;
    }
    let monthly: Option<Money> = case.disks.iter().map(|disk| disk.monthly).sum();
    if monthly.is_some_and(|monthly| monthly > NO_MONEY) {
        found.machine(say!(EstateReleased)).costs(monthly, None);
    }
}

fn stopped(case: &Case, found: &mut Found) {
    if case.machine.state.value() == Some(State::Stopped) {
        let monthly = case.size.as_ref().and_then(|size| size.monthly);
        found
            .machine(say!(EstateStopped))
            .costs(monthly, Some(NO_MONEY))
            .ends(say!(RemedyDeallocate))
            .sets_machine(Setting::Deallocated);
    }
}

/// A twentieth of it or more.
fn is_worth(before: Money, after: Money) -> bool {
    before.saturating_sub(after).get() * WORTH >= before.get() && before > after
}

fn other_kind(case: &Case, found: &mut Found) {
    let (Some(size), Some(region), Some(zone)) = (&case.size, case.machine.region.text(), case.machine.zone.text())
    else {
        return;
    };
    for disk in case.data().filter(|disk| disk.cache() == Some(CacheMode::None) && !disk.is_sized_freely()) {
        let (Some(own), Some((iops, bytes)), Some(gib_of), Some(kind)) =
            (disk.monthly, disk.sustains, disk.options.size, disk.kind)
        else {
            continue;
        };
        if disk.disk.zone_redundant.value() == Some(true) || kind.io_unit.is_none() {
            continue;
        }
        let (in_zone, has) = (!zone.is_empty(), size.row.has());
        let Some(other) = case.market.other_kind(gib_of, (iops, bytes), region, in_zone, has) else { continue };
        let OtherKind { kind: other, rates: (iops, bytes), monthly } = other;
        if !is_worth(own, monthly) {
            continue;
        }
        let says = say!(EstateOtherKind {
            kind: other.name,
            iops: rate(0, iops),
            throughput: rate(1, bytes),
            monthly: money(monthly),
            own: money(own)
        });
        let to =
            DisksAt { kind: Some(other.id), rates: Some((iops, bytes.div_ceil(1_000_000))), tier: None, ..disk.at() };
        let rows = case.market.catalogue.disk_moves(&disk.at(), &to);
        found
            .disk(disk, says)
            .costs(disk.monthly, Some(monthly))
            .ends_by(say!(RemedyKind { kind: other.name }), &rows)
            .sets(
                disk,
                Setting::Kind { kind: other.id.into(), iops: Some(iops), mb_per_s: Some(bytes.div_ceil(1_000_000)) },
            );
    }
}

/// What a disk's gate ever passes, and what it sustains with other options.
fn passed_and_own(case: &Case, place: usize, options: dw_catalogue::DiskOptions) -> Option<([u64; 2], [u64; 2])> {
    let disk = case.disks.get(place)?;
    let gate = case.gates.iter().find(|gate| gate.disks.contains(&place))?;
    let own = disk.offer?.disk_spec("x", &options).ok()?.limits;
    let rate = |rate: Option<dw_stack::RateSpec>| rate.map_or(u64::MAX, |rate| rate.rate);
    Some(([gate.top[0]?, gate.top[1]?], [rate(own.iops), rate(own.throughput)]))
}

fn tier(case: &Case, found: &mut Found) {
    for (place, disk) in case.disks.iter().enumerate() {
        let Some(tier) = disk.options.tier.clone() else { continue };
        let plain = dw_catalogue::DiskOptions { tier: None, ..disk.options.clone() };
        let Some((passed, own)) = passed_and_own(case, place, plain.clone()) else { continue };
        if passed[0] > own[0] || passed[1] > own[1] {
            continue;
        }
        let says = say!(EstateTierUnused {
            tier,
            size: case.size_name(),
            passed: rate(0, passed[0]),
            bytes: rate(1, passed[1])
        });
        let after = disk
            .offer
            .zip(case.machine.region.text())
            .and_then(|(offer, region)| case.market.bill(&offer.billed(&plain), false, region));
        let own = disk.offer.map_or(String::new(), |offer| offer.sku.clone());
        let rows = case.market.catalogue.disk_moves(&disk.at(), &DisksAt { tier: None, ..disk.at() });
        found
            .disk(disk, says)
            .costs(disk.monthly, after)
            .ends_by(say!(RemedyTier { tier: own.clone() }), &rows)
            .sets(disk, Setting::Tier(own));
    }
}

fn bursts(case: &Case, found: &mut Found) {
    for (place, disk) in case.disks.iter().enumerate() {
        if !disk.options.has_bursts_by_use() {
            continue;
        }
        let plain = disk.options.clone().with_bursts_by_use(false);
        let Some((passed, own)) = passed_and_own(case, place, plain.clone()) else { continue };
        if passed[0] > own[0] || passed[1] > own[1] {
            continue;
        }
        let after = disk
            .offer
            .zip(case.machine.region.text())
            .and_then(|(offer, region)| case.market.bill(&offer.billed(&plain), false, region));
        let says =
            say!(EstateBurstsUnused { size: case.size_name(), passed: rate(0, passed[0]), bytes: rate(1, passed[1]) });
        found
            .disk(disk, says)
            .costs(disk.monthly, after)
            .ends(say!(RemedySwitchOff))
            .sets(disk, Setting::BurstsByUse(false));
    }
}

fn other_size(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let (Some(own), Some((other, monthly))) = (size.monthly, size.cheaper) else { return };
    if is_worth(own, monthly) {
        let rows = case.market.catalogue.vm_moves(size.row, other);
        let says = say!(EstateOtherSize {
            other: other.short_name(),
            size: case.size_name(),
            monthly: money(monthly),
            own: money(own)
        });
        found
            .machine(says)
            .costs(Some(own), Some(monthly))
            .ends_by(say!(RemedySize { size: other.short_name() }), &rows)
            .sets_machine(Setting::Size(other.name.clone()));
    }
}

fn just_above(case: &Case, found: &mut Found) {
    let Some(region) = case.machine.region.text() else { return };
    for disk in case.data().filter(|disk| disk.options.tier.is_none()) {
        let (Some(offer), Some(own)) = (disk.offer.filter(|offer| offer.base.is_some()), disk.options.size) else {
            continue;
        };
        let Some(below) = case.market.offer_below(offer) else { continue };
        let most = below.size.max;
        if own.get() * JUST_ABOVE >= most.get() * (JUST_ABOVE + 1) || own <= most {
            continue;
        }
        let part = Billed { of: below.sku.clone(), meter: Meter::Whole, count: 1 };
        let after = case.market.bill(&[part], disk.disk.zone_redundant.value() == Some(true), region);
        let whole = |size: Bytes| gib(size.get() >> 30);
        found
            .disk(
                disk,
                say!(EstateJustAbove {
                    size: whole(own),
                    billed: offer.sku.clone(),
                    below: below.sku.clone(),
                    most: whole(most)
                }),
            )
            .costs(disk.monthly, after);
    }
}

fn open_for_nothing(case: &Case, found: &mut Found) {
    let (Some(size), Some(region), Some(true)) =
        (&case.size, case.machine.region.text(), case.machine.special_disks.value())
    else {
        return;
    };
    let usual =
        dw_catalogue::vendor().kinds().iter().filter(|kind| kind.second).map(|kind| kind.needs).collect::<Vec<_>>();
    let needs_it = |kind: &&dw_catalogue::Kind| kind.second && usual.iter().any(|needs| !needs.cover(kind.needs));
    let Some(kind) = dw_catalogue::vendor().kinds().iter().find(needs_it) else { return };
    let is_there = case.disks.iter().any(|disk| disk.kind.is_some_and(|own| own.id == kind.id));
    // A machine of which the kind of a disk is not known may have one.
    if is_there || case.disks.iter().any(|disk| disk.kind.is_none()) {
        return;
    }
    let offer = case.market.offer(kind.id, Bytes::gib(1));
    let each = offer.and_then(|offer| case.market.price(&offer.sku, Meter::Vcpu, region));
    let monthly = each.map(|each| each * u64::from(size.row.vcpu));
    let said = monthly.map_or_else(String::new, |monthly| format!(", {} USD", format::grouped(monthly.amount())));
    found
        .machine(say!(EstateOpenForNothing { kind: kind.name, said }))
        .costs(monthly, Some(NO_MONEY))
        .ends(say!(RemedySwitchOff))
        .sets_machine(Setting::OpenTo { kind: kind.id.into(), open: false });
}

/// What is asked of a disk, where a recording tells of it for long enough.
fn asked_of(case: &Case, disk: &DiskCase, quantity: usize) -> Option<Asked> {
    let asked = case.recorded?.asked(&[disk.key()], quantity);
    settle::is_long(asked.covered()).then_some(asked)
}

/// Rates are bought in steps of so many: a hundred I/Os, a MB/s.
const STEPS: [u64; 2] = [100, 1_000_000];

/// What a disk needs of a rate so that a fifth of it is left.
fn needed(asked: &Asked, quantity: usize) -> u64 {
    ((asked.most() / NEAR).ceil() as u64).next_multiple_of(STEPS[quantity])
}

fn unasked(case: &Case, quantity: usize, found: &mut Found) {
    let Some(region) = case.machine.region.text() else { return };
    for disk in case.disks.iter().filter(|disk| disk.is_sized_freely()) {
        let (Some(asked), Some(own), Some(monthly)) =
            (asked_of(case, disk, quantity), disk.sustains_of(quantity), disk.monthly)
        else {
            continue;
        };
        let over = own.saturating_sub(needed(&asked, quantity));
        let Some((less, lower)) = cut(disk, quantity, over) else { continue };
        let after = saving(case, disk, quantity, lower, region).map(|saved| monthly.saturating_sub(saved));
        let Some(after) = after.filter(|after| less > 0 && is_worth(monthly, *after)) else { continue };
        let (rates, set) = match quantity {
            0 => (disk.at().rates.map(|(_, mb)| (lower, mb)), Setting::Iops(lower)),
            _ => (disk.at().rates.map(|(iops, _)| (iops, lower / 1_000_000)), Setting::MbPerS(lower / 1_000_000)),
        };
        let rows = case.market.catalogue.disk_moves(&disk.at(), &DisksAt { rates, ..disk.at() });
        let says = say!(EstateUnasked {
            bought: rate(quantity, own),
            most: rate(quantity, asked.most().round() as u64),
            time: time(asked.covered()),
            interval: settle::interval(&asked)
        });
        found
            .disk(disk, says)
            .costs(Some(monthly), Some(after))
            .ends_by(say!(RemedyBuyLess { rate: rate(quantity, lower) }), &rows)
            .sets(disk, set);
    }
}

/// The most I/Os and bytes that are asked of a disk, where it sustains them with a fifth to spare with other options, and what it costs then.
fn enough_with(
    case: &Case,
    disk: &DiskCase,
    options: &dw_catalogue::DiskOptions,
) -> Option<([Asked; 2], Option<Money>)> {
    let (offer, region) = (disk.offer?, case.machine.region.text()?);
    let limits = offer.disk_spec("x", options).ok()?.limits;
    let both = [asked_of(case, disk, 0)?, asked_of(case, disk, 1)?];
    let is_enough = |limit: Option<dw_stack::RateSpec>, asked: &Asked| {
        limit.is_none_or(|limit| asked.most() <= limit.rate as f64 * NEAR)
    };
    let redundant = disk.disk.zone_redundant.value() == Some(true);
    (is_enough(limits.iops, &both[0]) && is_enough(limits.throughput, &both[1]))
        .then(|| (both, case.market.bill(&offer.billed(options), redundant, region)))
}

fn tier_unasked(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let Some(tier) = disk.options.tier.clone() else { continue };
        let plain = dw_catalogue::DiskOptions { tier: None, ..disk.options.clone() };
        let Some(([iops, bytes], after)) = enough_with(case, disk, &plain) else { continue };
        // A tier below the disk's own is not what is paid in vain.
        if after.zip(disk.monthly).is_none_or(|(after, own)| after >= own) {
            continue;
        }
        let own = disk.offer.map_or(String::new(), |offer| offer.sku.clone());
        let rows = case.market.catalogue.disk_moves(&disk.at(), &DisksAt { tier: None, ..disk.at() });
        let says = say!(EstateTierUnasked {
            tier,
            most: rate(0, iops.most().round() as u64),
            bytes: rate(1, bytes.most().round() as u64),
            time: time(iops.covered()),
            interval: settle::interval(&iops)
        });
        found
            .disk(disk, says)
            .costs(disk.monthly, after)
            .ends_by(say!(RemedyTier { tier: own.clone() }), &rows)
            .sets(disk, Setting::Tier(own));
    }
}

fn bursts_unasked(case: &Case, found: &mut Found) {
    for disk in case.disks.iter().filter(|disk| disk.options.has_bursts_by_use()) {
        let plain = disk.options.clone().with_bursts_by_use(false);
        let Some(([iops, bytes], after)) = enough_with(case, disk, &plain) else { continue };
        let says = say!(EstateBurstsUnasked {
            most: rate(0, iops.most().round() as u64),
            bytes: rate(1, bytes.most().round() as u64),
            time: time(iops.covered()),
            interval: settle::interval(&iops)
        });
        found
            .disk(disk, says)
            .costs(disk.monthly, after)
            .ends(say!(RemedySwitchOff))
            .sets(disk, Setting::BurstsByUse(false));
    }
}
