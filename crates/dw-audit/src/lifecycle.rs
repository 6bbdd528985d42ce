//! DW4xx: what is sold no more, and until when.
//!
//! Source: the catalogue's stages, dates and moves, each with its page.

use dw_catalogue::moves::{DisksAt, Effort};
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_messages::say;

use crate::case::Case;
use crate::limits::rule;
use crate::remedy::resize;
use crate::rule::{Family, Found, Need, Rule};

const FAMILY: Family = Family::Lifecycle;

pub static RULES: &[Rule] = &[
    rule!("DW401" "a size that retires", "a date is announced; a year or less from the day of the audit is a warning", Note Certain [Size] retires),
    rule!("DW402" "a size that new subscriptions cannot deploy", "a page says so", Note Certain [Size] |case, found| flagged(case, "closed_to_new", found)),
    rule!("DW403" "a size in preview", "a page says so", Warning Certain [Size] |case, found| flagged(case, "preview", found)),
    rule!(each "DW404" "an operating system on a kind of disk that ends", "a date is announced", Warning Certain [Disks] ending_kind),
    rule!("DW405" "a size of limited capacity", "a page says so", Note Certain [Size] |case, found| flagged(case, "capacity_limited", found)),
    rule!("DW406" "no way on without a new machine", "a size that retires or is closed, and none that stays is taken in place", Note Likely [Size] no_way_on),
    rule!("DW407" "a size of a generation before", "its vendor lists it so", Note Certain [Size] previous),
];

fn retires(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let Some(date) = case.vendor().retires(&size.name) else { return };
    let today = case.market.today.as_deref();
    let is_near = today.is_some_and(|today| date < next_year(today));
    let mut one = found.machine(match today.is_some_and(|today| *date < *today) {
        true => say!(EstateRetired { size: case.size_name(), date }),
        false => say!(PlanRetires { size: case.size_name(), date }),
    });
    if is_near {
        one.at_level(Warning);
    }
    match &size.lasting {
        Some(other) => resize(case, size, other, &mut one),
        None => drop(one.ends(say!(RemedyGuide))),
    }
}

/// The same day of the next year, as dates compare.
fn next_year(today: &str) -> String {
    let year = today.get(..4).and_then(|year| year.parse::<u32>().ok()).unwrap_or(0);
    format!("{}{}", year + 1, today.get(4..).unwrap_or_default())
}

fn flagged(case: &Case, key: &str, found: &mut Found) {
    let Some(size) = &case.size else { return };
    if let Some(says) = case.vendor().flagged(&size.name, key) {
        found.machine(says);
    }
}

fn ending_kind(case: &Case, found: &mut Found) {
    // One on the host itself is of no kind that is sold.
    for disk in case.disks.iter().filter(|disk| !disk.is_data() && !disk.is_local()) {
        let Some((kind, date)) = disk.kind.and_then(|kind| Some((kind, kind.os_until?))) else { continue };
        let better = case.vendor().kinds().iter().find(|other| other.id != kind.id && other.os_gib_max.is_some());
        let mut one = found.disk(disk, say!(PlanOsOnHdd { volume: disk.name(), date }));
        if let Some(better) = better {
            let rows = case.vendor().disk_moves(&disk.at(), &DisksAt { kind: Some(better.id), ..disk.at() });
            one.ends_by(say!(RemedyKind { kind: better.name }), &rows)
                .sets(disk, Setting::Kind { kind: better.id.into(), iops: None, mb_per_s: None, mib_per_s: None });
        }
    }
}

fn no_way_on(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let vendor = case.vendor();
    if !vendor.is_ending(&size.name) || size.lasting.is_some() {
        return;
    }
    let Some(other) = vendor.newest(size) else { return };
    let rows = vendor.size_moves(size, &other.name);
    if let Some(row) = rows.first().filter(|row| row.effort >= Effort::Redeploy) {
        let says = say!(EstateNoWayOn { size: case.size_name(), other: &other.short, takes: row.said() });
        found.machine(says).source(&row.source);
    }
}

fn previous(case: &Case, found: &mut Found) {
    let Some(size) = case.size.as_ref().filter(|size| size.is_previous) else { return };
    let mut one = found.machine(say!(EstatePrevious { size: case.size_name() }));
    if let Some(other) = &size.lasting {
        resize(case, size, other, &mut one);
    }
}
