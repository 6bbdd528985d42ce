//! DW1xx: what cannot be built so, and what throttles.
//!
//! A gate passes what it sustains, and for a while what it bursts to. What disks are bought for beyond that highest rate can never be used at
//! once. Volumes do not all peak at once, and vendors' own designs count on it: of several that is worth knowing. One volume that is beyond its gate
//! alone is a warning. Which disks are one volume is proposed, or written by a person.
//!
//! Rates that come with a kind for nothing, and that nobody can lower, are no fault: what of them is beyond a gate is worth a note.
//! Disks that several machines may have are used by all of them: what one machine does not pass of such a disk is not called too much.
//!
//! Ignores: what the guest does; how reads and writes are mixed; host caches, which serve reads in place of the disks.

use dw_catalogue::facts::{Bought, NotAccelerated, NotTaken, Offered, Placed};
use dw_catalogue::moves::DisksAt;
use dw_documents::GateName;
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_messages::{LimitName, Sentence, say};
use dw_units::{Bytes, CacheMode};

use crate::case::{Case, DiskCase, GateLoad, LOGS, STEADY};
use crate::figures::{bought_rate, gib, rate};
use crate::finding::{Draft, Stake};
use crate::remedy::resize_to;
use crate::rule::{Family, Found, Need, Rule};

const QUANTITIES: [&str; 2] = ["IOPS", "throughput"];

/// The name of a gate's limit on I/Os or bytes.
pub(crate) fn limit(gate: &GateLoad, quantity: usize) -> LimitName {
    LimitName::new(format!("{} {}", GateName::new(gate.gate.name).within_vm(), QUANTITIES[quantity]))
}

macro_rules! rule {
    ($code:literal $title:literal, $threshold:literal, $level:ident $confidence:ident [$($need:ident)*] $judge:expr) => {
        Rule { code: $code, family: FAMILY, title: $title, threshold: $threshold, level: $level, confidence: $confidence, needs: &[$(Need::$need),*], by_disk: false, of_loose: false, settles: None, judge: $judge }
    };
    // Of one disk.
    (each $($row:tt)*) => {
        Rule { by_disk: true, ..rule!($($row)*) }
    };
    // What a recording makes of it where the load stands at what it is about, and where it never comes near it.
    ($code:literal $title:literal, $threshold:literal, $level:ident $confidence:ident [$($need:ident)*] $judge:expr, at $at:ident far $far:ident) => {
        Rule { settles: Some($crate::rule::Settles { at: $crate::rule::Then::$at, far: $crate::rule::Then::$far }), ..rule!($code $title, $threshold, $level $confidence [$($need)*] $judge) }
    };
}
pub(crate) use rule;

const FAMILY: Family = Family::Limits;

pub static RULES: &[Rule] = &[
    rule!("DW101" "disks beyond the VM's IOPS", "the disks behind a gate sustain more IOPS than it ever passes; of one volume alone a warning", Note Certain [Size Disks Rates]
        |case, found| beyond(case, 0, found), at Warning far Note),
    rule!("DW102" "disks beyond the VM's throughput", "the same of MB/s", Note Certain [Size Disks Rates]
        |case, found| beyond(case, 1, found), at Warning far Note),
    rule!(each "DW103" "one disk beyond the VM", "one disk alone sustains more IOPS or MB/s than its gate ever passes, by a twentieth or more", Warning Certain [Size Disks] one_beyond, at Warning far Note),
    rule!("DW104" "more data disks than places", "more data disks than the size takes", Error Certain [Size] slots),
    rule!(each "DW105" "a kind of disk that the size does not take", "a source says that the size lacks what the kind needs", Error Certain [Size Disks] refused_kind),
    rule!(each "DW106" "a host cache that the disk cannot have", "a cache is set on a kind or a size of disk that takes none", Error Certain [Disks Cache] no_cache_taken),
    rule!(each "DW107" "a kind of disk that the machine is not open to", "the kind needs a setting of the machine that is off", Error Certain [Disks] not_open),
    rule!("DW108" "unequal members of a stripe", "disks that look like one stripe by name and LUN, or are written as one, differ in size or rates", Note Likely [Disks] unequal),
    Rule {
        of_loose: true,
        ..rule!(each "DW109" "a disk that is not sold so", "size, rates, tier and options do not go together", Error Certain [Disks] not_sold)
    },
    rule!("DW110" "a kind of disk that is not sold in the zone", "pages list the kind in the region only without a zone, or only in zones", Error Certain [Region Zone] wrong_zone),
    rule!("DW111" "a size that is not sold there", "no record of the size in the region, or none in the zone; of a machine that is there a note", Warning Likely [Size Region] not_there),
    rule!("DW112" "the OS disk of a container node is remote", "the size has a local disk that could hold it", Note NeedsRecording [Size] node_disk, at Warning far Goes),
    rule!(each "DW113" "a disk that lives on burst credits", "a data disk that by its name serves a database, and sustains less than it bursts to", Note NeedsRecording [Disks] burst_only, at Warning far Goes),
    rule!(each "DW114" "a host cache that the size does not have", "a cache is set, and a source says that the size has none", Warning Certain [Size Cache] no_host_cache),
    rule!(each "DW115" "an operating system on a disk that takes none", "the kind takes no operating system, or none so large", Error Certain [Disks] no_system),
    rule!("DW116" "a size that the catalogue does not have", "no edition has it", Note Certain [] unknown_size),
    rule!("DW117" "disks beyond what the VM sustains", "the disks behind a gate sustain more than it sustains, and no more than it bursts to", Note Certain [Size Disks Rates] in_bursts, at Warning far Goes),
    rule!("DW118" "a disk in another region than its machine", "both are told, and differ", Error Certain [Region] regions_differ),
    rule!("DW119" "a kind of disk that the catalogue does not have", "a source names it, and no page of the catalogue does", Note Certain [] unknown_kind),
    rule!(each "DW120" "a disk too small for what its kind is for", "its kind gives its most from a larger size on, and this one is smaller", Note Certain [Disks] too_small),
    rule!("DW121" "what is steady by its name on a machine that bursts", "a data disk that by its name serves a database, on a machine that sustains less than its disks and bursts for minutes a day", Note NeedsRecording [Size Disks Rates] steady_on_bursts),
    rule!(each "DW122" "writes that are not accelerated", "acceleration of writes is on, and size, kind or host cache do not have it, or it is on for more disks than the size accelerates", Error Certain [Size Disks Cache] not_accelerated),
];

/// What is bought beyond what a gate ever passes, and how much of that it sustains.
pub(crate) fn beyond_gate(case: &Case, gate: &GateLoad, quantity: usize, bought: u64, top: u64) -> Sentence {
    let (never, passed) = (rate(quantity, bought - top), rate(quantity, top));
    let (bought, size, base) = (rate(quantity, bought), case.size_name(), gate.gate.base[quantity]);
    let gate = limit(gate, quantity);
    match base.filter(|base| *base < top) {
        Some(base) => say!(EstateBeyondBurst { bought, gate, size, base: rate(quantity, base), passed, never }),
        None => say!(EstateBeyondGate { bought, gate, size, passed, never }),
    }
}

/// What disks have beyond what a gate ever passes, where it only came with their kinds.
fn given_beyond_gate(case: &Case, gate: &GateLoad, quantity: usize, gives: u64, top: u64) -> Sentence {
    let (gives, passed, size, base) =
        (rate(quantity, gives), rate(quantity, top), case.size_name(), gate.gate.base[quantity]);
    let gate = limit(gate, quantity);
    match base.filter(|base| *base < top) {
        Some(base) => say!(EstateGivenBeyondBurst { gives, gate, size, base: rate(quantity, base), passed }),
        None => say!(EstateGivenBeyondGate { gives, gate, size, passed }),
    }
}

/// Whether the disks behind a gate are asked for what it sustains.
pub(crate) fn at_gate(gate: &GateLoad, quantity: usize, top: u64) -> Stake {
    Stake::Rate { disks: gate.gate.disks.clone(), quantity, limit: gate.gate.base[quantity].unwrap_or(top) }
}

fn beyond(case: &Case, quantity: usize, found: &mut Found) {
    for gate in case.gates.iter().filter(|gate| gate.gate.disks.len() > 1) {
        let own = case.sum_of(gate, quantity, |disk| !disk.is_shared());
        let (Some(gives), Some(top)) = (own, gate.gate.top[quantity]) else { continue };
        // What one disk, or those whose rates are chosen, have beyond it is a finding of its own.
        let is_told = case.sum_of_chosen(gate, quantity) > top
            || case.behind(gate).filter(|disk| !disk.is_shared()).any(|disk| {
                let both = disk.counts_of(quantity).zip(gate.top_of_one(quantity));
                both.is_some_and(|(own, top)| is_far_beyond(own, top))
            });
        if gives <= top || is_told {
            continue;
        }
        let bought = case.sum_of(gate, quantity, |disk| !disk.is_shared() && !disk.comes_along(quantity));
        let bought = bought.unwrap_or(gives);
        if bought <= top {
            let says = given_beyond_gate(case, gate, quantity, gives, top);
            found.machine(says).rests_on(case, gate).hangs_on(|| at_gate(gate, quantity, top));
            continue;
        }
        let mut one = found.machine(beyond_gate(case, gate, quantity, bought, top));
        one.rests_on(case, gate);
        if case.has_volume_beyond(gate, quantity, top) {
            one.at_level(Warning);
        }
        one.costs(case.behind(gate).map(|disk| disk.monthly).sum(), None).hangs_on(|| at_gate(gate, quantity, top));
        wider(case, quantity, bought, &mut one);
    }
}

/// Ended by the cheapest size that sustains so much.
fn wider(case: &Case, quantity: usize, needed: u64, one: &mut Draft) {
    let Some(size) = &case.size else { return };
    if let Some(wider) = case.vendor().wider(size, quantity, needed, case.machine.region.text()) {
        resize_to(case, size, wider, one);
    }
}

/// Ended by the tier of a disk that gives what its gate ever passes, its size being the same; whether there is one.
fn lower_tier(case: &Case, gate: &GateLoad, disk: &DiskCase, one: &mut Draft) -> bool {
    let (Some(bought), Some(own)) = (disk.counted(), disk.sustains()) else { return false };
    let passed = [0, 1].map(|quantity| gate.top_of_one(quantity).map_or(own[quantity], |top| top.min(own[quantity])));
    let tiers = case.vendor().tiers(bought);
    let region = case.machine.region.text();
    let set_to = |tier: &String| {
        let facts = case.vendor().disk(&Bought { tier: Some(tier.clone()), ..bought.clone() }, region)?;
        let gives = facts.sustains?;
        (gives[0] >= passed[0] && gives[1] >= passed[1]).then_some((tier.clone(), facts.monthly))
    };
    let Some((place, (tier, after))) = tiers.iter().enumerate().find_map(|(place, tier)| Some((place, set_to(tier)?)))
    else {
        return false;
    };
    // Where the disk's own tier does, another rule has the money.
    if place > 0 {
        one.costs(disk.monthly, after);
    }
    let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { tier: Some(tier.clone()), ..disk.at() });
    one.ends_by(say!(RemedyTier { tier: &tier }), &rows).sets(disk, Setting::Tier(tier));
    true
}

/// Rates that come with a size, and units that vendors round, are no fault where they are beyond by less than a twentieth.
const fn is_far_beyond(own: u64, top: u64) -> bool {
    own > top.saturating_add(top / 20)
}

fn one_beyond(case: &Case, found: &mut Found) {
    for gate in &case.gates {
        for disk in case.behind(gate).filter(|disk| !disk.is_shared()) {
            for quantity in (0..2).filter(|quantity| !disk.is_paid(*quantity)) {
                let (Some(own), Some(top)) = (disk.counts_of(quantity), gate.top_of_one(quantity)) else { continue };
                if !is_far_beyond(own, top) {
                    continue;
                }
                if disk.comes_along(quantity) {
                    let mut one = found.disk(disk, given_beyond_gate(case, gate, quantity, own, top));
                    one.at_level(Note).rests_on(case, gate).hangs_on(|| at_gate(gate, quantity, top));
                    continue;
                }
                let mut one = found.disk(disk, beyond_gate(case, gate, quantity, own, top));
                one.costs(disk.monthly, None).rests_on(case, gate).hangs_on(|| at_gate(gate, quantity, top));
                // A disk of an operating system is as large as its image asks, and its rates come with that.
                if !disk.is_data() {
                    one.at_level(Note);
                } else if !lower_tier(case, gate, disk, &mut one) {
                    wider(case, quantity, own, &mut one);
                }
            }
        }
    }
}

fn slots(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let systems = case.disks.iter().filter(|disk| !disk.is_data() && !disk.is_local()).count() as u32;
    let interfaces = case.machine.interfaces.value().unwrap_or(1).max(1);
    let places = case.vendor().places(size, interfaces);
    let slots = if size.system_takes_place { places.saturating_sub(systems) } else { places };
    let disks = case.data().count();
    if disks as u64 > u64::from(slots) {
        let of_one = if size.system_takes_place { size.places.saturating_sub(systems) } else { size.places };
        let size = case.size_name();
        let says = match slots < of_one {
            true => say!(EstateSlotsBeside { disks, size, slots, interfaces }),
            false => say!(EstateSlots { disks, size, slots }),
        };
        found.machine(says).ends(say!(RemedyFewer { disks: slots }));
    }
}

fn refused_kind(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    for disk in &case.disks {
        let (Some(kind), Some(bought)) = (disk.kind, disk.counted().or(disk.bought.as_ref())) else { continue };
        let Some(why) = case.vendor().not_taken(size, bought) else { continue };
        let mut one = found.disk(
            disk,
            match why {
                NotTaken::Kind => say!(EstateKindRefused { size: case.size_name(), kind: kind.name }),
                NotTaken::Because(why) => say!(EstateNotTaken { size: case.size_name(), why }),
            },
        );
        if let Some(other) = case.vendor().taking(size, bought, case.machine.region.text()) {
            resize_to(case, size, other, &mut one);
        }
    }
}

fn no_cache_taken(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let mode = disk.cache().filter(|mode| *mode != CacheMode::None);
        let (Some(mode), Some(kind), Some(size)) = (mode, disk.kind, disk.disk.gib.value()) else { continue };
        if disk.facts.as_ref().is_none_or(|facts| facts.takes_cache) {
            continue;
        }
        let what = if kind.second { kind.name.to_string() } else { gib(size).text };
        let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { cache: CacheMode::None, ..disk.at() });
        found
            .disk(disk, say!(EstateCacheRefused { what, mode: mode.name() }))
            .ends_by(say!(RemedyCache { mode: CacheMode::None.name() }), &rows)
            .sets(disk, Setting::HostCache(CacheMode::None.name().into()));
    }
}

fn not_open(case: &Case, found: &mut Found) {
    let is_closed = case.machine.special_disks.value() == Some(false);
    for disk in case.disks.iter().filter(|_| is_closed) {
        let usual = case.vendor().kinds().iter().filter(|kind| kind.second).map(|kind| kind.needs);
        let Some(kind) = disk.kind.filter(|kind| kind.second && usual.clone().any(|needs| !needs.cover(kind.needs)))
        else {
            continue;
        };
        found
            .disk(disk, say!(EstateNotOpen { kind: kind.name }))
            .ends(say!(RemedySwitchOn { kind: kind.name }))
            .sets_machine(Setting::OpenTo { kind: kind.id.into(), open: true });
    }
}

/// What numbers the disks of a machine, whatever is on them, as a name ends: `vm_DataDisk_0` says nothing of a stripe.
const NUMBERED: &[&str] = &["d", "dd", "disk", "datadisk", "dsk", "drive", "lun", "vol", "volume"];

/// What is written as one stripe must be alike. What nobody wrote is one where kind and cache are the same, the names differ by their numbers and the
/// LUNs follow each other; where sizes differ, the names must also say what the disks are for.
fn unequal(case: &Case, found: &mut Found) {
    let written = case.volumes.iter().filter(|volume| volume.is_certain);
    let written = written.map(|volume| volume.disks.iter().map(|place| &case.disks[*place]).collect::<Vec<_>>());
    let luns: Vec<&DiskCase> = case.data().filter(|disk| disk.disk.lun.is_known()).collect();
    let runs = luns.chunk_by(|a, b| may_be_striped(a, b)).filter(|run| run.len() > 1).map(<[_]>::to_vec);
    for disks in written.chain(runs) {
        let Some(rates) = disks.iter().map(|disk| disk.sustains()).collect::<Option<Vec<_>>>() else { continue };
        let Some(sizes) = disks.iter().map(|disk| disk.disk.gib.value()).collect::<Option<Vec<_>>>() else { continue };
        let (least, slowest) = (sizes.iter().min().copied().unwrap_or(0), rates.iter().map(|own| own[0]).min());
        let names = disks.iter().map(|disk| disk.name()).collect::<Vec<_>>().join(", ");
        let slowest = rate(0, slowest.unwrap_or(0));
        let lost: u64 = sizes.iter().map(|own| own - least).sum();
        if lost > 0 {
            found.machine(say!(EstateUnequalSizes { disks: names, least: gib(least), lost: gib(lost), slowest }));
        } else if rates.windows(2).any(|pair| pair[0] != pair[1]) {
            found.machine(say!(EstateUnequal { disks: names, slowest }));
        }
    }
}

fn may_be_striped(a: &DiskCase, b: &DiskCase) -> bool {
    let (first, second) = (a.disk, b.disk);
    let is_next = first.lun.value().zip(second.lun.value()).is_some_and(|(a, b)| b == a + 1);
    let is_kind = first.kind.is_known() && first.kind.get() == second.kind.get();
    let stem = stem(a.name());
    let is_named = stem == self::stem(b.name()) && stem != a.name() && !stem.is_empty();
    is_next
        && is_kind
        && is_named
        && (first.gib.get() == second.gib.get() || first.cache.get() == second.cache.get() && !is_numbered(stem))
}

fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

fn is_numbered(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem.split(|c: char| !c.is_ascii_alphabetic())
        .rfind(|word| !word.is_empty())
        .is_none_or(|word| NUMBERED.contains(&word))
}

fn not_sold(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        if let Some(why) = disk.facts.as_ref().and_then(|facts| facts.refused.clone()) {
            found.disk(disk, say!(EstateNotSold { why }));
        }
    }
}

fn wrong_zone(case: &Case, found: &mut Found) {
    let (Some(region), Some(zone)) = (case.machine.region.text(), case.machine.zone.text()) else { return };
    for disk in &case.disks {
        let Some(kind) = disk.kind else { continue };
        match case.vendor().placed(kind, region, !zone.is_empty()) {
            Placed::OnlyWithoutZone => {
                let says = say!(EstateNoZoneHas { kind: kind.name, region, zone });
                found.disk(disk, says).ends(say!(RemedyNoZone));
            }
            Placed::OnlyInZone => {
                let says = say!(EstateNeedsZone { kind: kind.name, region });
                found.disk(disk, says).ends(say!(RemedyAZone));
            }
            Placed::Fits => {}
        }
    }
}

fn regions_differ(case: &Case, found: &mut Found) {
    let Some(own) = case.machine.region.text() else { return };
    for disk in &case.disks {
        if let Some(region) = disk.disk.region.text().filter(|region| *region != own) {
            found.disk(disk, say!(EstateRegionsDiffer { region, own }));
        }
    }
}

fn unknown_kind(case: &Case, found: &mut Found) {
    for disk in case.disks.iter().filter(|disk| disk.kind.is_none()) {
        if let Some(kind) = disk.disk.kind.text() {
            found.disk(disk, say!(EstateUnknownKind { kind }));
        }
    }
}

fn not_there(case: &Case, found: &mut Found) {
    let (Some(size), Some(region)) = (&case.size, case.machine.region.text()) else { return };
    let month = case.vendor().offered_as_of();
    match case.vendor().offered(&size.name, region) {
        // What is told of whether it runs is told of one that is there.
        Offered::NotHere if case.machine.state.is_known() => {
            found.machine(say!(EstateThereAgainstRecords { size: case.size_name(), region, month })).at_level(Note);
        }
        Offered::NotHere => drop(found.machine(say!(EstateNotThere { size: case.size_name(), region, month }))),
        Offered::Here(zones) => {
            let zone = case.machine.zone.text().filter(|zone| !zone.is_empty() && !zones.iter().any(|one| one == zone));
            if let Some(zone) = zone.filter(|_| !zones.is_empty()) {
                let (size, zones) = (case.size_name(), zones.join(", "));
                let mut one = found.machine(say!(EstateNotInZone { size, region, zone, zones, month }));
                if case.machine.state.is_known() {
                    one.at_level(Note);
                }
            }
        }
        Offered::Unknown => {}
    }
}

fn node_disk(case: &Case, found: &mut Found) {
    let Some(local) = case.size.as_ref().and_then(|size| size.local) else { return };
    let is_node = case.machine.is_node.value() == Some(true);
    let is_remote = |disk: &DiskCase| is_node && !disk.is_data() && disk.disk.local.value() == Some(false);
    for (place, disk) in case.disks.iter().enumerate().filter(|(_, disk)| is_remote(disk)) {
        let fits = disk.disk.gib.value().is_none_or(|gib| Bytes::gib(gib) <= local);
        if fits {
            let local = gib(local.get() >> 30);
            let says = say!(EstateNodeDisk { size: case.size_name(), local });
            found.disk(disk, says).hangs_on(|| Stake::Disk(place));
        }
    }
}

fn burst_only(case: &Case, found: &mut Found) {
    let is_steady = |disk: &DiskCase| disk.is_data() && disk.is_called(STEADY);
    for (place, disk) in case.disks.iter().enumerate().filter(|(_, disk)| is_steady(disk)) {
        let (Some(own), Some(top)) = (disk.sustains(), disk.bursts_to()) else { continue };
        let minutes = disk.facts.as_ref().and_then(|facts| facts.burst_minutes);
        let bursting = (0..2).find(|quantity| top[*quantity] > own[*quantity]);
        if let Some((minutes, quantity)) = minutes.zip(bursting) {
            let (base, burst) = (rate(quantity, own[quantity]), rate(quantity, top[quantity]));
            found
                .disk(disk, say!(EstateBurstOnly { base, burst, minutes }))
                .costs(disk.monthly, None)
                .hangs_on(|| Stake::Disk(place));
        }
    }
}

fn no_host_cache(case: &Case, found: &mut Found) {
    if case.size.as_ref().is_none_or(|size| size.host_cache != Some(false)) {
        return;
    }
    for disk in case.disks.iter().filter(|disk| disk.cache().is_some_and(|mode| mode != CacheMode::None)) {
        // A default that nothing follows from: the operating system's is set by the portal.
        if disk.is_data() {
            let mode = disk.cache().unwrap_or_default().name();
            found.disk(disk, say!(EstateNoHostCache { mode, size: case.size_name() }));
        }
    }
}

fn no_system(case: &Case, found: &mut Found) {
    for disk in case.disks.iter().filter(|disk| !disk.is_data()) {
        let Some(kind) = disk.kind else { continue };
        let too_large = disk.disk.gib.value().zip(kind.os_gib_max).is_some_and(|(own, most)| own > most);
        if kind.os_gib_max.is_none() || too_large {
            found.disk(disk, say!(EstateNoSystem { kind: kind.name }));
        }
    }
}

fn unknown_size(case: &Case, found: &mut Found) {
    if case.size.is_none() && case.machine.size.is_known() {
        found.machine(say!(EstateUnknownSize { size: case.size_name() }));
    }
}

fn in_bursts(case: &Case, found: &mut Found) {
    // Disks of operating systems alone are as large as their images ask.
    for gate in case.gates.iter().filter(|gate| case.behind(gate).any(DiskCase::is_data)) {
        for quantity in 0..2 {
            let gives = gate.gives.map(|both| both[quantity]);
            let (Some(gives), Some(base), Some(top)) = (gives, gate.gate.base[quantity], gate.gate.top[quantity])
            else {
                continue;
            };
            if gives > base && gives <= top {
                let (passed, burst) = (rate(quantity, base), rate(quantity, top));
                let (size, of_gate) = (case.size_name(), limit(gate, quantity));
                let bought = case.sum_of(gate, quantity, |disk| !disk.comes_along(quantity));
                let says = match bought.filter(|bought| *bought > base) {
                    Some(bought) => {
                        say!(EstateInBursts { bought: rate(quantity, bought), gate: of_gate, size, passed, burst })
                    }
                    None => {
                        say!(EstateGivenInBursts { gives: rate(quantity, gives), gate: of_gate, size, passed, burst })
                    }
                };
                found.machine(says).rests_on(case, gate).hangs_on(|| at_gate(gate, quantity, top));
            }
        }
    }
}

fn too_small(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let Some(facts) = &disk.facts else { continue };
        let (Some(kind), Some((most, from)), Some(gives)) = (disk.kind, facts.fuller, facts.bursts_to) else {
            continue;
        };
        let (gives, most) = (bought_rate(1, gives[1], facts.step), bought_rate(1, most, facts.step));
        found.disk(disk, say!(EstateTooSmall { kind: kind.name, gives, most, from: gib(from) }));
    }
}

fn steady_on_bursts(case: &Case, found: &mut Found) {
    for gate in &case.gates {
        let Some((disk, minutes)) =
            case.behind(gate).find(|disk| disk.is_data() && disk.is_called(STEADY)).zip(gate.gate.daily_minutes)
        else {
            continue;
        };
        for quantity in 0..2 {
            let gives = gate.gives.map(|both| both[quantity]);
            let (Some(gives), Some(base), Some(top)) = (gives, gate.gate.base[quantity], gate.gate.top[quantity])
            else {
                continue;
            };
            if gives > base && top > base {
                let says = say!(EstateSteady {
                    disk: disk.name(),
                    gate: limit(gate, quantity),
                    size: case.size_name(),
                    base: rate(quantity, base),
                    minutes
                });
                found.machine(says).rests_on(case, gate);
            }
        }
    }
}

fn not_accelerated(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let on = case.disks.iter().filter(|disk| disk.disk.write_accelerator.value() == Some(true) && !disk.is_local());
    let mut before = 0;
    for disk in on {
        let Some(bought) = &disk.bought else { continue };
        let Some(why) = case.vendor().not_accelerated(size, bought, before) else {
            before += 1;
            continue;
        };
        let says = match why {
            NotAccelerated::Size => say!(EstateNotAcceleratedBy { size: case.size_name() }),
            NotAccelerated::Kind => say!(EstateNotAcceleratedKind { kind: disk.kind.map_or("", |kind| kind.name) }),
            NotAccelerated::Cache(mode) => say!(EstateNotAcceleratedCache { mode: mode.name() }),
            NotAccelerated::Beyond(most) => say!(EstateNotAcceleratedBeyond { size: case.size_name(), most }),
        };
        let mut one = found.disk(disk, says);
        match why {
            NotAccelerated::Cache(_) => {
                let mode = if disk.is_called(LOGS) { CacheMode::None } else { CacheMode::ReadOnly };
                let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { cache: mode, ..disk.at() });
                one.ends_by(say!(RemedyCache { mode: mode.name() }), &rows)
                    .sets(disk, Setting::HostCache(mode.name().into()));
            }
            _ => drop(one.ends(say!(RemedySwitchOff))),
        }
    }
}
