//! Recordings longer than memory: what was read is folded into figures, and the intervals are let go.
//!
//! A recorder that holds more readings than it may keep hands over all but the newest instant. They are joined to volumes as
//! at the end of any recording, and gathered: figures by window (`gathered.rs`), thinned series for plots and plans
//! (`thin.rs`). What comes later goes on from there. Memory is bounded by the number of volumes and windows, whatever the
//! length of the recording.
//!
//! sar and `sadf -d` write table after table, that of the disks behind those of the processors, the host and the memory: an
//! instant is whole once the disks of a later one come. Until then one row of each of the others is kept an instant.
//!
//! Ignores: tables of sar that were put in another order by hand, whose host has no part in what was folded before; traces,
//! which are counted into seconds as they come. Files in an order other than that of their times: what was folded is not put in
//! order any more, and the audit says so.
//!
//! Invariant: an interval is either in the past or among the rows of its source, never in both.

use std::collections::BTreeMap;

use dw_units::Duration;

use super::past::{Coarsened, Folding, OtherPast, Past, VolumePast};
use super::ready::{Ready, joined, list_of, transactions_counter, with_host_split};
use super::row::Row;
use super::sample::{Name, Role};
use super::series::{Noticed, Series};
use super::source::Source;
use super::volumes;

/// Folds all but the newest instant of a source; nothing where that cannot be done.
pub(crate) fn fold(source: &mut Source, folding: &Folding, every: Option<Duration>) {
    let Some(tool) = source.tool.as_deref() else { return };
    // These write a table of one thing to its end, then the next, disks last: until they come nothing is whole.
    let tables = matches!(tool, "sar" | "sadf -d");
    let newest = |rows: &[Row]| rows.iter().map(|r| r.at).max();
    let of_disks = source.devices.values().filter_map(|d| newest(&d.rows)).max();
    let of_host = || newest(&source.host.rows).filter(|_| !tables);
    let Some(cut) = of_disks.or_else(of_host) else { return };
    fold_before(cut, source, folding, every);
}

/// Folds what ended before `cut`; nothing where the volumes are not known yet.
pub(crate) fn fold_before(cut: i64, source: &mut Source, folding: &Folding, every: Option<Duration>) {
    let settings = &folding.settings;
    let roles: BTreeMap<Name, Role> = source
        .devices
        .iter()
        .filter(|(_, d)| !d.rows.is_empty() || d.folded)
        .map(|(n, d)| (n.clone(), d.role))
        .collect();
    let host_only = roles.is_empty();
    let before = source.past.as_ref().map_or(Vec::new(), |past| past.doubts.clone());
    let traffic = |name: &Name| source.traffic(name);
    let (counted, doubts) = match volumes::choose(&roles, &source.members, &settings.volumes, &before, &traffic) {
        _ if host_only => (vec![volumes::VolumeDevices { name: "all disks".into(), devices: Vec::new() }], before),
        Ok(chosen) => (chosen.counted, chosen.doubts),
        // A device that is named has not come yet.
        Err(_) => return,
    };
    let coarsened = Coarsened::of(source);
    let cut = coarsened.as_ref().map_or(cut, |coarsened| coarsened.whole_before(cut));
    let mut past = source.past.take();
    let mut part = source.drain(cut);
    if let Some(coarsened) = &coarsened {
        coarsened.take_over(&mut part);
    }
    source.counter = source.counter.take().or_else(|| transactions_counter(&part));
    part.counter = source.counter.clone();
    part.memory_total = part.memory_total.or(settings.memory_total);
    let known = past.as_ref().map(|p| p.interval);
    let ready = Ready::part(part, known, every);
    let before = past.as_ref().and_then(|p| p.sum.last);
    let mut noticed = past.as_mut().map(|p| std::mem::take(&mut p.noticed)).unwrap_or_default();
    let mut sum = joined(&ready, counted.iter().flat_map(|c| &c.devices), before, &mut noticed);
    with_host_split(&mut sum, &ready.source.host);
    let mut past = past.unwrap_or_else(|| Past::new(&sum, counted.len(), folding));
    past.coarsened = coarsened;
    past.noticed = noticed;
    past.doubts = doubts;
    take(&mut past, sum, &ready, counted);
    source.past = Some(past);
}

/// Takes what was joined, volume by volume.
fn take(past: &mut Past, mut sum: Series, ready: &Ready, counted: Vec<volumes::VolumeDevices>) {
    let (axis, last) = (sum.axis, sum.points.last().map(|p| p.at));
    sum.points.retain(|p| past.keeps(axis, p.at));
    // What is left out of everything makes no block a peak.
    past.placed.count(&sum);
    past.sum.add(&sum, last, &past.windows, &past.placed);
    let only = counted.len() == 1;
    for c in counted {
        let before = past.each.get(&c.name).and_then(|v| v.last);
        let mut series =
            if only { sum.clone() } else { joined(ready, c.devices.iter(), before, &mut Noticed::default()) };
        let last = if only { last } else { series.points.last().map(|p| p.at) };
        series.points.retain(|p| past.keeps(axis, p.at));
        let new = || VolumePast::new(past.windows.len(), past.groups);
        past.each.entry(c.name).or_insert_with(new).add(&series, last, &past.windows, &past.placed);
    }
    for slot in 0..past.others.len() {
        let list = list_of(&ready.source, slot);
        if list.is_empty() {
            continue;
        }
        let (mut readings, interval) = ready.plain(&list);
        readings.retain(|r| past.keeps(ready.axis, r.0));
        let new = || OtherPast::new(interval, past.windows.len());
        past.others[slot].get_or_insert_with(new).add(&readings, ready.axis, &past.windows, &past.placed);
    }
}
