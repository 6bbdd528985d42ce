//! DW3xx: data at risk.

use dw_catalogue::moves::DisksAt;
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_messages::say;
use dw_units::CacheMode;

use crate::case::{Case, DiskCase, LOGS};
use crate::figures::promise;
use crate::finding::Stake;
use crate::limits::rule;
use crate::rule::{Family, Found, Need, Rule};

const FAMILY: Family = Family::Risk;

/// Below what the better kinds promise, in hundredths of a percent.
const PROMISE: u32 = 9_990;

pub static RULES: &[Rule] = &[
    rule!(each "DW301" "ReadWrite on a data disk", "a data disk whose writes the host holds back", Warning Certain [Cache] read_write),
    rule!(each "DW302" "a read cache on a log", "ReadOnly on a disk that is called a log", Note Likely [Cache] read_cache_on_log, at Stays far Goes),
    rule!("DW303" "an operating system on a local disk", "of a machine that is no node of a cluster and no part of a group", Note Certain [] local_system),
    rule!("DW304" "a disk in another zone than its machine", "a disk in one zone on a machine in another, or in none", Error Certain [Zone] zones_differ),
    rule!("DW305" "no encryption at host", "it is off", Note Certain [Encryption] not_encrypted),
    rule!(each "DW306" "a host cache on a shared disk", "a disk that several machines may share has a cache", Error Certain [Cache] shared_with_cache),
    rule!("DW307" "a kind of disk that promises less", "the worst disk's kind promises less than 99.9 %, as pages have it", Note Certain [Disks] lesser_promise),
    rule!("DW308" "a machine that may be taken back, with data disks", "it is evictable, and has data disks", Note Likely [] evictable),
    rule!("DW309" "a data disk that goes with its machine", "it is deleted when the machine is", Note Certain [] dies),
];

fn read_write(case: &Case, found: &mut Found) {
    for disk in case.data().filter(|disk| disk.cache() == Some(CacheMode::ReadWrite)) {
        let mode = if disk.is_called(LOGS) { CacheMode::None } else { CacheMode::ReadOnly };
        let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { cache: mode, ..disk.at() });
        found
            .disk(disk, say!(EstateReadWrite))
            .ends_by(say!(RemedyCache { mode: mode.name() }), &rows)
            .sets(disk, Setting::HostCache(mode.name().into()));
    }
}

fn read_cache_on_log(case: &Case, found: &mut Found) {
    let is_log = |disk: &DiskCase| disk.is_data() && disk.cache() == Some(CacheMode::ReadOnly) && disk.is_called(LOGS);
    for (place, disk) in case.disks.iter().enumerate().filter(|(_, disk)| is_log(disk)) {
        let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { cache: CacheMode::None, ..disk.at() });
        found
            .disk(disk, say!(EstateLogCache))
            .hangs_on(|| Stake::Reads(place))
            .ends_by(say!(RemedyCache { mode: CacheMode::None.name() }), &rows)
            .sets(disk, Setting::HostCache(CacheMode::None.name().into()));
    }
}

fn local_system(case: &Case, found: &mut Found) {
    let is_one_of_many =
        case.machine.is_node.value() == Some(true) || case.machine.group.is_known() || case.machine.count.is_known();
    for disk in
        case.disks.iter().filter(|disk| !is_one_of_many && !disk.is_data() && disk.disk.local.value() == Some(true))
    {
        found.disk(disk, say!(EstateLocalSystem));
    }
}

fn zones_differ(case: &Case, found: &mut Found) {
    let Some(own) = case.machine.zone.text() else { return };
    for disk in case.disks.iter().filter(|disk| disk.disk.zone_redundant.value() != Some(true)) {
        let Some(zone) = disk.disk.zone.text().filter(|zone| *zone != own && !zone.is_empty()) else { continue };
        let remedy = if own.is_empty() { say!(RemedyMachineZone { zone }) } else { say!(RemedyDiskZone { zone: own }) };
        let own = if own.is_empty() { "-" } else { own };
        found.disk(disk, say!(EstateZonesDiffer { zone, own })).ends(remedy);
    }
}

fn not_encrypted(case: &Case, found: &mut Found) {
    if case.machine.encrypted_at_host.value() == Some(false) {
        found.machine(say!(EstateNotEncrypted));
    }
}

fn shared_with_cache(case: &Case, found: &mut Found) {
    for disk in &case.disks {
        let (Some(shares), Some(mode)) = (disk.disk.shares.value().filter(|shares| *shares > 1), disk.cache()) else {
            continue;
        };
        if mode != CacheMode::None {
            let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { cache: CacheMode::None, ..disk.at() });
            let says = say!(EstateSharedCache { shares, mode: mode.name() });
            found
                .disk(disk, says)
                .ends_by(say!(RemedyCache { mode: CacheMode::None.name() }), &rows)
                .sets(disk, Setting::HostCache(CacheMode::None.name().into()));
        }
    }
}

fn lesser_promise(case: &Case, found: &mut Found) {
    let promised = case.disks.iter().filter_map(|disk| Some((disk, disk.kind?.promise.as_ref()?)));
    let Some((disk, worst)) = promised.min_by_key(|(_, promise)| promise.hundredths) else { return };
    // Where no kind promises more, none promises less.
    let promises = case.vendor().kinds().iter().filter_map(|kind| kind.promise.as_ref());
    let is_lesser = worst.hundredths < PROMISE && promises.map(|one| one.hundredths).max() >= Some(PROMISE);
    if is_lesser && disk.disk.local.value() != Some(true) {
        let kind = disk.kind.map_or("", |kind| kind.name);
        let says = say!(EstateLesserPromise {
            kind,
            promise: promise(worst.hundredths),
            better: promise(PROMISE),
            page: worst.source
        });
        found.disk(disk, says);
    }
}

fn evictable(case: &Case, found: &mut Found) {
    if case.machine.evictable.value() == Some(true) && case.data().next().is_some() {
        found.machine(say!(EstateEvictable));
    }
}

fn dies(case: &Case, found: &mut Found) {
    for disk in case.data().filter(|disk| disk.disk.dies_with_machine.value() == Some(true)) {
        found.disk(disk, say!(EstateDies));
    }
}
