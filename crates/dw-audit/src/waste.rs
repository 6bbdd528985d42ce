//! DW2xx: what is paid for and not used.
//!
//! What a disk is bought for beyond what its gate ever passes is money by the rate where rates are chosen; what else is paid for in vain follows from the
//! inventory's own words: attached to nothing, deallocated, stopped.
//!
//! Disks that several machines may have are used by all of them: rates, tiers and bursts of these are not judged by one.
//!
//! Ignores: discounts, snapshots, what is billed by use.

use dw_catalogue::facts::{Bought, DiskFacts, OtherAsked, OtherDisk, Pair};
use dw_catalogue::moves::DisksAt;
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_estate::State;
use dw_messages::{Sentence, say};
use dw_units::Money;

use crate::case::{Case, DiskCase, GateLoad};
use crate::figures::{bought_rate, gib, money, rate, time};
use crate::finding::{Draft, NO_MONEY};
use crate::limits::{at_gate, beyond_gate, limit, rule};
use crate::recorded::Asked;
use crate::rule::{Family, Found, Need, Rule};
use crate::settle::{self, NEAR};

const FAMILY: Family = Family::Waste;

/// A disk that is billed as the next size for less than a twentieth of it.
const JUST_ABOVE: u64 = 20;
/// What a change must save, of what is paid, to be worth a word: a twentieth.
const WORTH: u64 = 20;
/// What a vendor that sells MiB/s sells.
const MIB: u64 = 1 << 20;

pub static RULES: &[Rule] = &[
    rule!(each "DW201" "IOPS bought that no route delivers", "what is chosen and paid by the rate is more than the gate ever passes; of several volumes together a note", Warning Certain [Size Region Disks Rates]
        |case, found| bought(case, 0, found), at Stays far Goes),
    rule!(each "DW202" "throughput bought that no route delivers", "the same of MB/s", Warning Certain [Size Region Disks Rates]
        |case, found| bought(case, 1, found), at Stays far Goes),
    rule!("DW203" "a disk on nothing", "a source says that no machine has it", Warning Certain [] unattached),
    rule!("DW204" "disks of a machine that is deallocated", "its disks are paid for", Note Certain [State Region Disks] released),
    rule!("DW205" "a machine that is stopped and paid for", "it is stopped and not deallocated", Warning Certain [State] stopped),
    rule!("DW206" "the same disk as another kind for less", "a kind whose rates are chosen gives as much for a twentieth less or better", Note Likely [Size Region Zone Disks Cache] |case, found| other_disk(case, false, found)),
    rule!(each "DW207" "a performance tier that is never used", "the gate ever passes no more than the disk's own tier gives", Warning Certain [Size Disks] tier),
    rule!(each "DW208" "bursts by use that never happen", "the gate ever passes no more than the disk sustains without", Warning Certain [Size Disks] bursts),
    rule!("DW210" "a cheaper size with gates as wide", "as many processors, no less memory, gates, places or local disk, taken in place, a twentieth cheaper or better", Note Likely [Size Region] other_size),
    rule!(each "DW211" "a disk billed as the next size for little", "its size is less than a twentieth above that of the disk below", Note Certain [Region Disks] just_above),
    rule!("DW212" "open to disks that it does not have", "the machine may take a kind that each of its vCPUs is charged for, and has no such disk", Warning Certain [Size Region] open_for_nothing),
    rule!("DW213" "rates bought for minutes a day", "what is chosen and paid by the rate is more than the machine sustains, and no more than it gives for some minutes a day", Note NeedsRecording [Size Region Disks Rates] daily),
    rule!("DW214" "the same rates of a kind that promises less", "a kind with another latency or promise gives as much for a twentieth less or better", Note NeedsRecording [Size Region Zone Disks Cache] |case, found| other_disk(case, true, found)),
    rule!(each "DW221" "IOPS bought that recordings never ask for", "they are paid by the rate, and a week of a recording asks for less than four fifths of them; a twentieth of the disk's price or more", Warning Certain [Size Region Disks Rates Recording]
        |case, found| unasked(case, 0, found)),
    rule!(each "DW222" "throughput bought that recordings never ask for", "the same of MB/s", Warning Certain [Size Region Disks Rates Recording]
        |case, found| unasked(case, 1, found)),
    rule!(each "DW223" "a performance tier that recordings never ask for", "a week of a recording asks for less than four fifths of what the disk's own tier gives", Warning Certain [Size Region Disks Recording] tier_unasked),
    rule!(each "DW224" "bursts by use that recordings never ask for", "a week of a recording asks for less than four fifths of what the disk sustains without", Warning Certain [Size Region Disks Recording] bursts_unasked),
];

fn bought(case: &Case, quantity: usize, found: &mut Found) {
    for gate in &case.gates {
        let (bought, Some(top)) = (case.sum_of_chosen(gate, quantity), gate.gate.top[quantity]) else { continue };
        let alone = gate.top_of_one(quantity).unwrap_or(top);
        let is_alone = case.chosen(gate, quantity).any(|disk| disk.sustains_of(quantity) > Some(alone));
        if bought <= top && !is_alone {
            continue;
        }
        // Of a gate in parts one disk passes one of them.
        let passed = if bought > top { top } else { alone };
        let most = gate.gate.base[quantity].unwrap_or(top).min(bought);
        let cuts = Cuts::new(case, gate, quantity, most);
        let disk = case.chosen(gate, quantity).last().filter(|_| case.chosen(gate, quantity).count() == 1);
        let is_unasked = case.chosen(gate, quantity).any(|disk| less_asked(case, disk, quantity).is_some());
        let says = beyond_gate(case, gate, quantity, bought, passed);
        let says = if is_unasked { say!(EstateBesideUnasked { says }) } else { says };
        let mut one = match disk {
            Some(disk) => found.disk(disk, says),
            None => found.machine(says),
        };
        if !case.has_volume_beyond(gate, quantity, passed) {
            one.at_level(Note);
        }
        cuts.end(case, one.rests_on(case, gate).hangs_on(|| at_gate(gate, quantity, top)));
    }
}

/// Disks whose rates are lowered to what a gate passes, each by its share.
struct Cuts<'b, 'a> {
    quantity: usize,
    lowered: Vec<(&'b DiskCase<'a>, u64)>,
    /// What is bought after it.
    left: u64,
    before: Option<Money>,
    saved: Option<Money>,
}

impl<'b, 'a> Cuts<'b, 'a> {
    /// Nobody needs more than `most`.
    fn new(case: &'b Case<'a, '_>, gate: &'b GateLoad, quantity: usize, most: u64) -> Cuts<'b, 'a> {
        let chosen: Vec<&DiskCase> = case.chosen(gate, quantity).collect();
        let rates: Vec<[u64; 2]> = chosen.iter().map(|disk| own_and_least(disk, quantity)).collect();
        let kept = shares(&rates, if quantity == 0 { 1 } else { chosen.first().map_or(1, |disk| disk.step()) }, most);
        let both = chosen.iter().copied().zip(kept.iter().copied());
        let lowered: Vec<(&DiskCase, u64)> =
            both.filter(|(disk, kept)| disk.sustains_of(quantity).is_some_and(|own| *kept < own)).collect();
        let saved = lowered.iter().map(|(disk, lower)| saving_beside(case, disk, quantity, *lower)).sum();
        let before = chosen.iter().map(|disk| disk.monthly).sum();
        Cuts { quantity, lowered, left: kept.iter().sum(), before, saved }
    }

    /// As what ends a finding.
    fn end(&self, case: &Case, one: &mut Draft) {
        let Cuts { quantity, left, before, .. } = *self;
        one.costs(before, before.zip(self.saved).map(|(before, saved)| before.saturating_sub(saved)));
        let first = self.lowered.first();
        let rows = first.map(|(disk, lower)| {
            let other =
                disk.at().rates.map(|(iops, mb)| if quantity == 0 { (*lower, mb) } else { (iops, lower / 1_000_000) });
            case.vendor().disk_moves(&disk.at(), &DisksAt { rates: other, ..disk.at() })
        });
        let step = first.map_or(1, |(disk, _)| disk.step());
        one.ends_by(say!(RemedyBuyLess { rate: bought_rate(quantity, left, step) }), &rows.unwrap_or_default());
        for (disk, lower) in &self.lowered {
            one.sets(disk, set_rate(quantity, *lower, step));
        }
    }
}

/// What a disk sustains of a rate, and the least that its kind takes.
fn own_and_least(disk: &DiskCase, quantity: usize) -> [u64; 2] {
    let own = disk.sustains_of(quantity).unwrap_or(0);
    [own, disk.facts.as_ref().map_or(0, |facts| facts.least[quantity]).min(own)]
}

/// What disks keep of their rates (own, least) where together they need no more than `most`: each its share of it, in steps, and no less than its
/// kind takes. Nothing of `most` is left but what is less than a step, unless they have less.
fn shares(rates: &[[u64; 2]], step: u64, most: u64) -> Vec<u64> {
    let mut kept: Vec<Option<u64>> = vec![None; rates.len()];
    // Who gets the least takes of the share of the others: each round fixes one or is the last.
    loop {
        let is_open = |place: &usize| kept[*place].is_none();
        let open: Vec<usize> = (0..rates.len()).filter(is_open).collect();
        let steps = most.saturating_sub(kept.iter().flatten().sum()) / step.max(1);
        let whole: u128 = open.iter().map(|place| u128::from(rates[*place][0])).sum();
        let (mut before, mut given) = (0_u128, 0_u64);
        let mut share = |own: u64| {
            before += u128::from(own);
            let upto = (u128::from(steps) * before).checked_div(whole).and_then(|upto| u64::try_from(upto).ok());
            let all = upto.unwrap_or(steps);
            let share = (all - given) * step;
            given = all;
            share.min(own)
        };
        let shared: Vec<(usize, u64)> = open.into_iter().map(|place| (place, share(rates[place][0]))).collect();
        let below: Vec<usize> =
            shared.iter().filter(|(place, share)| *share < rates[*place][1]).map(|(place, _)| *place).collect();
        if below.is_empty() {
            shared.into_iter().for_each(|(place, share)| kept[place] = Some(share));
            return kept.into_iter().flatten().collect();
        }
        below.into_iter().for_each(|place| kept[place] = Some(rates[place][1]));
    }
}

/// A rate as its vendor takes it.
fn set_rate(quantity: usize, rate: u64, step: u64) -> Setting {
    match (quantity, step) {
        (0, _) => Setting::Iops(rate),
        (_, MIB) => Setting::MibPerS(rate / MIB),
        _ => Setting::MbPerS(rate / 1_000_000),
    }
}

/// By how much a disk's rate can be lowered towards `over`, and to what.
fn cut(disk: &DiskCase, quantity: usize, over: u64) -> Option<(u64, u64)> {
    let facts = disk.facts.as_ref()?;
    let own = facts.sustains?[quantity];
    let step = if quantity == 0 { 1 } else { facts.step };
    let lower = own.saturating_sub(over);
    let lower = (lower - lower % step).max(facts.least[quantity]);
    Some((own.saturating_sub(lower), lower))
}

/// A disk of the same kind, bought otherwise.
fn bought_so(case: &Case, bought: &Bought) -> Option<DiskFacts> {
    case.vendor().disk(bought, case.machine.region.text())
}

/// What a month of a disk costs less with a lower rate.
fn saving(case: &Case, disk: &DiskCase, quantity: usize, lower: u64) -> Option<Money> {
    let after = bought_so(case, &disk.counted()?.with_rate(quantity, lower))?.monthly?;
    Some(disk.monthly?.saturating_sub(after))
}

/// The same of what recordings show to be asked for: what nobody asks for is saved by a finding of its own, and counts there alone.
fn saving_beside(case: &Case, disk: &DiskCase, quantity: usize, lower: u64) -> Option<Money> {
    let whole = saving(case, disk, quantity, lower)?;
    let told = less_asked(case, disk, quantity).map(|less| disk.monthly.unwrap_or(NO_MONEY).saturating_sub(less.after));
    Some(whole.saturating_sub(told.unwrap_or(NO_MONEY)))
}

/// What is paid for good and given for minutes a day.
fn daily(case: &Case, found: &mut Found) {
    for gate in &case.gates {
        let Some(minutes) = gate.gate.daily_minutes else { continue };
        for quantity in 0..2 {
            let bought = case.sum_of_chosen(gate, quantity);
            let (Some(base), Some(top)) = (gate.gate.base[quantity], gate.gate.top[quantity]) else { continue };
            if bought <= base || bought > top {
                continue;
            }
            let cuts = Cuts::new(case, gate, quantity, base);
            if cuts.lowered.is_empty() || cuts.saved.is_some_and(|saved| saved == NO_MONEY) {
                continue;
            }
            let says = say!(EstateDaily {
                bought: rate(quantity, bought),
                gate: limit(gate, quantity),
                size: case.size_name(),
                base: rate(quantity, base),
                minutes
            });
            let mut chosen = case.chosen(gate, quantity);
            let disk = chosen.next().filter(|_| chosen.next().is_none());
            let mut one = match disk {
                Some(disk) => found.disk(disk, says),
                None => found.machine(says),
            };
            cuts.end(case, one.rests_on(case, gate));
        }
    }
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
    // A shared one may be in use on another machine.
    let own = case.disks.iter().filter(|disk| !disk.at().shared);
    let monthly: Option<Money> = own.map(|disk| disk.monthly).sum();
    if monthly.is_some_and(|monthly| monthly > NO_MONEY) {
        found.machine(say!(EstateReleased)).costs(monthly, None);
    }
}

fn stopped(case: &Case, found: &mut Found) {
    if case.machine.state.value() == Some(State::Stopped) {
        found
            .machine(say!(EstateStopped))
            .costs(case.monthly(), Some(NO_MONEY))
            .ends(say!(RemedyDeallocate))
            .sets_machine(Setting::Deallocated);
    }
}

/// A twentieth of it or more.
fn is_worth(before: Money, after: Money) -> bool {
    before.saturating_sub(after).get() * WORTH >= before.get() && before > after
}

/// Disks of another kind that give as much for less: of those that promise less, or of all others.
fn other_disk(case: &Case, promises_less: bool, found: &mut Found) {
    let (Some(size), Some(region), Some(zone)) = (&case.size, case.machine.region.text(), case.machine.zone.text())
    else {
        return;
    };
    // Of a disk of several machines one of them tells it. One whose writes are accelerated is of a kind that is, and would lose it.
    let may_change = |disk: &&DiskCase| {
        !disk.is_local() && !disk.disk.counted_elsewhere && disk.disk.write_accelerator.value() != Some(true)
    };
    for disk in case.disks.iter().filter(may_change) {
        let (Some(before), Some(facts), Some(bought)) = (disk.monthly, &disk.facts, disk.counted()) else { continue };
        let asked =
            OtherAsked { own: bought, facts, size, region, in_zone: !zone.is_empty(), is_shared: disk.at().shared };
        let Some(other) = case.vendor().other_disk(&asked) else { continue };
        if other.latency.is_some() != promises_less || !is_worth(before, other.monthly) {
            continue;
        }
        let [iops, bytes] = other.rates;
        let kind = other.kind;
        let says = other_kind_says(&other, before, facts.step);
        let to =
            DisksAt { kind: Some(kind.id), rates: Some((iops, bytes.div_ceil(1_000_000))), tier: None, ..disk.at() };
        let rows = case.vendor().disk_moves(&disk.at(), &to);
        let in_mib = facts.step == MIB;
        let paid = other.paid[1];
        let set = Setting::Kind {
            kind: kind.id.into(),
            iops: other.paid[0],
            mb_per_s: paid.filter(|_| !in_mib).map(|bytes| bytes.div_ceil(1_000_000)),
            mib_per_s: paid.filter(|_| in_mib).map(|bytes| bytes / MIB),
        };
        found
            .disk(disk, says)
            .costs(disk.monthly, Some(other.monthly))
            .ends_by(say!(RemedyKind { kind: kind.name }), &rows)
            .sets(disk, set);
    }
}

fn other_kind_says(other: &OtherDisk, before: Money, step: u64) -> Sentence {
    let [iops, bytes] = other.rates;
    let (iops, throughput) = (rate(0, iops), bought_rate(1, bytes, step));
    let (kind, monthly, own) = (other.kind.name, money(other.monthly), money(before));
    match other.latency.clone() {
        None => say!(EstateOtherKind { kind, iops, throughput, monthly, own }),
        Some((has, gets)) => say!(EstateOtherPromise { kind, iops, throughput, monthly, own, has, gets }),
    }
}

/// What the gate of a disk that no other machine may have ever passes, and what it sustains bought otherwise, with what it then costs; and the gate.
fn passed_and_own<'b>(
    case: &'b Case,
    place: usize,
    bought: &Bought,
) -> Option<(Pair, Pair, Option<Money>, &'b GateLoad)> {
    let gate = case.gates.iter().find(|gate| gate.gate.disks.contains(&place) && !case.disks[place].is_shared())?;
    let other = bought_so(case, bought)?;
    Some(([gate.top_of_one(0)?, gate.top_of_one(1)?], other.sustains?, other.monthly, gate))
}

fn tier(case: &Case, found: &mut Found) {
    for (place, disk) in case.disks.iter().enumerate() {
        let Some(bought) = disk.counted() else { continue };
        let Some(tier) = bought.tier.clone() else { continue };
        let plain = Bought { tier: None, ..bought.clone() };
        let Some((passed, own, after, gate)) = passed_and_own(case, place, &plain) else { continue };
        if passed[0] > own[0] || passed[1] > own[1] {
            continue;
        }
        let says = say!(EstateTierUnused {
            tier,
            size: case.size_name(),
            passed: rate(0, passed[0]),
            bytes: rate(1, passed[1])
        });
        without_tier(case, disk, found.disk(disk, says).costs(disk.monthly, after).rests_on(case, gate));
    }
}

/// Ended by the disk's own rates.
fn without_tier(case: &Case, disk: &DiskCase, found: &mut Draft) {
    let own = disk.facts.as_ref().map_or(String::new(), |facts| facts.sku.clone());
    let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { tier: None, ..disk.at() });
    found.ends_by(say!(RemedyTier { tier: own.clone() }), &rows).sets(disk, Setting::Tier(own));
}

fn bursts(case: &Case, found: &mut Found) {
    for (place, disk) in case.disks.iter().enumerate() {
        let Some(bought) = disk.counted().filter(|bought| bought.bursts_by_use) else { continue };
        let plain = Bought { bursts_by_use: false, ..bought.clone() };
        let Some((passed, own, after, gate)) = passed_and_own(case, place, &plain) else { continue };
        if passed[0] > own[0] || passed[1] > own[1] {
            continue;
        }
        let says =
            say!(EstateBurstsUnused { size: case.size_name(), passed: rate(0, passed[0]), bytes: rate(1, passed[1]) });
        found
            .disk(disk, says)
            .costs(disk.monthly, after)
            .rests_on(case, gate)
            .ends(say!(RemedySwitchOff))
            .sets(disk, Setting::BurstsByUse(false));
    }
}

fn other_size(case: &Case, found: &mut Found) {
    let Some(size) = case.size.as_ref().filter(|_| case.is_paid_as_listed()) else { return };
    let (Some(own), Some((other, monthly))) = (size.monthly, &size.cheaper) else { return };
    if is_worth(own, *monthly) {
        let rows = case.vendor().size_moves(size, &other.name);
        let says = say!(EstateOtherSize {
            other: &other.short,
            size: case.size_name(),
            monthly: money(*monthly),
            own: money(own)
        });
        found
            .machine(case.without_licence(says))
            .costs(Some(own), Some(*monthly))
            .priced_on(size.priced_on)
            .ends_by(say!(RemedySize { size: &other.short }), &rows)
            .sets_machine(Setting::Size(other.name.clone()));
    }
}

fn just_above(case: &Case, found: &mut Found) {
    let Some(region) = case.machine.region.text() else { return };
    for disk in case.data() {
        let Some((facts, bought)) = disk.facts.as_ref().zip(disk.counted()).filter(|(_, own)| own.tier.is_none())
        else {
            continue;
        };
        let (Some(own), Some(below)) = (bought.gib, case.vendor().below(bought, region)) else { continue };
        let most = below.most.get() >> 30;
        if own * JUST_ABOVE >= most * (JUST_ABOVE + 1) || own <= most {
            continue;
        }
        let (billed, below, after) = (facts.sku.clone(), below.sku, below.monthly);
        found
            .disk(disk, say!(EstateJustAbove { size: gib(own), billed, below, most: gib(most) }))
            .costs(disk.monthly, after);
    }
}

fn open_for_nothing(case: &Case, found: &mut Found) {
    let (Some(size), Some(region), Some(true)) =
        (&case.size, case.machine.region.text(), case.machine.special_disks.value())
    else {
        return;
    };
    let kinds = case.vendor().kinds();
    let usual = kinds.iter().filter(|kind| kind.second).map(|kind| kind.needs).collect::<Vec<_>>();
    let needs_it = |kind: &&dw_catalogue::Kind| kind.second && usual.iter().any(|needs| !needs.cover(kind.needs));
    let Some(kind) = kinds.iter().find(needs_it) else { return };
    let is_there = case.disks.iter().any(|disk| disk.kind.is_some_and(|own| own.id == kind.id));
    // A machine of which the kind of a disk is not known may have one.
    if is_there || case.disks.iter().any(|disk| disk.kind.is_none()) {
        return;
    }
    let monthly = case.vendor().opening(kind, size, region);
    let says = match monthly {
        Some(monthly) => say!(EstateOpenForNothingAt { kind: kind.name, monthly: money(monthly) }),
        None => say!(EstateOpenForNothing { kind: kind.name }),
    };
    found
        .machine(says)
        .costs(monthly, Some(NO_MONEY))
        .ends(say!(RemedySwitchOff))
        .sets_machine(Setting::OpenTo { kind: kind.id.into(), open: false });
}

/// What is asked of a disk, where a recording tells of it for long enough, and no other machine may ask for more.
fn asked_of(case: &Case, disk: &DiskCase, quantity: usize) -> Option<Asked> {
    let asked = case.recorded.filter(|_| !disk.is_shared())?.asked(&[disk.key()], quantity);
    settle::is_long(asked.covered()).then_some(asked)
}

/// I/Os are bought in steps of so many.
const IOPS_STEP: u64 = 100;

/// What a disk needs of a rate so that a fifth of it is left.
fn needed(asked: &Asked, quantity: usize, disk: &DiskCase) -> u64 {
    ((asked.most() / NEAR).ceil() as u64).next_multiple_of(if quantity == 0 { IOPS_STEP } else { disk.step() })
}

/// What is bought of a rate and recordings never ask for.
struct LessAsked {
    asked: Asked,
    own: u64,
    /// What is enough, and what a month of the disk costs with it.
    lower: u64,
    after: Money,
}

fn less_asked(case: &Case, disk: &DiskCase, quantity: usize) -> Option<LessAsked> {
    if !disk.is_paid(quantity) {
        return None;
    }
    let (asked, own, monthly) = (asked_of(case, disk, quantity)?, disk.sustains_of(quantity)?, disk.monthly?);
    let over = own.saturating_sub(needed(&asked, quantity, disk));
    let (less, lower) = cut(disk, quantity, over)?;
    let after = monthly.saturating_sub(saving(case, disk, quantity, lower)?);
    (less > 0 && is_worth(monthly, after)).then_some(LessAsked { asked, own, lower, after })
}

fn unasked(case: &Case, quantity: usize, found: &mut Found) {
    for disk in &case.disks {
        let Some(LessAsked { asked, own, lower, after }) = less_asked(case, disk, quantity) else { continue };
        let rates =
            disk.at().rates.map(|(iops, mb)| if quantity == 0 { (lower, mb) } else { (iops, lower / 1_000_000) });
        let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { rates, ..disk.at() });
        let says = say!(EstateUnasked {
            bought: bought_rate(quantity, own, disk.step()),
            most: rate(quantity, asked.most().round() as u64),
            time: time(asked.covered()),
            interval: settle::interval(&asked)
        });
        found
            .disk(disk, says)
            .costs(disk.monthly, Some(after))
            .ends_by(say!(RemedyBuyLess { rate: bought_rate(quantity, lower, disk.step()) }), &rows)
            .sets(disk, set_rate(quantity, lower, disk.step()));
    }
}

/// The most I/Os and bytes that are asked of a disk, where it sustains them with a fifth to spare bought otherwise, and what it costs then.
fn enough_with(case: &Case, disk: &DiskCase, bought: &Bought) -> Option<([Asked; 2], Option<Money>)> {
    let other = bought_so(case, bought)?;
    let own = other.sustains?;
    let both = [asked_of(case, disk, 0)?, asked_of(case, disk, 1)?];
    let is_enough = (0..2).all(|quantity| both[quantity].most() <= own[quantity] as f64 * NEAR);
    is_enough.then_some((both, other.monthly))
}

fn tier_unasked(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let Some(bought) = disk.counted() else { continue };
        let Some(tier) = bought.tier.clone() else { continue };
        let plain = Bought { tier: None, ..bought.clone() };
        let Some(([iops, bytes], after)) = enough_with(case, disk, &plain) else { continue };
        // A tier below the disk's own is not what is paid in vain.
        if after.zip(disk.monthly).is_none_or(|(after, own)| after >= own) {
            continue;
        }
        let says = say!(EstateTierUnasked {
            tier,
            most: rate(0, iops.most().round() as u64),
            bytes: rate(1, bytes.most().round() as u64),
            time: time(iops.covered()),
            interval: settle::interval(&iops)
        });
        without_tier(case, disk, found.disk(disk, says).costs(disk.monthly, after));
    }
}

fn bursts_unasked(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let Some(bought) = disk.counted().filter(|bought| bought.bursts_by_use) else { continue };
        let plain = Bought { bursts_by_use: false, ..bought.clone() };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_disk_keeps_its_share() {
        for (rates, step, most, kept) in [
            // An io1 has 100 at least, a gp3 3,000.
            (&[[6_000, 100], [16_000, 3_000]][..], 1, 12_000, &[3_272, 8_728][..]),
            (&[[200, 100], [5_000, 3_000]], 1, 3_500, &[134, 3_366]),
            // One at its least leaves less to the others.
            (&[[4_000, 3_000], [16_000, 100], [16_000, 100]], 1, 9_000, &[3_000, 3_000, 3_000]),
            (&[[4_000, 3_000], [4_000, 3_000]], 1, 5_000, &[3_000, 3_000]),
            // What is less than a step nobody gets.
            (&[[600, 125], [600, 125]], 10, 899, &[440, 450]),
            (&[[600, 125]], 1, 900, &[600]),
            (&[], 1, 900, &[]),
        ] {
            assert_eq!(shares(rates, step, most), kept, "{rates:?} in steps of {step} to {most}");
        }
    }
}
