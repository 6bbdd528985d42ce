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

use super::checklist::{Readings, RowId};
use super::clock::Axis;
use super::gathered::{Gathered, OtherGathered};
use super::observation::{Ready, Settings, joined, list_of, transactions_counter, with_host_split};
use super::recorder::Source;
use super::sample::{Name, Role};
use super::series::{IntervalFrom, Noticed, Series};
use super::thin::Thinned;
use super::volumes::{self, Doubt};
use super::windows::{Placed, Window};

/// Entries of all tallies together: 50 MB.
const ENTRIES: usize = 1 << 21;
/// Groups of all thinned series together: 35 MB, and twice that at the end.
const GROUPS: usize = 1 << 16;
/// Points of a plot of processors or memory.
const SHOWN: usize = 8_192;

/// How a recorder folds.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    pub settings: Settings,
    /// Readings that are kept.
    pub most: usize,
    /// Blocks by load, where a first reading found them.
    pub placed: Option<Placed>,
}

/// The past of a volume.
#[derive(Clone, Debug)]
pub(crate) struct VolumePast {
    pub gathered: Vec<Gathered>,
    pub thinned: Thinned,
    pub last: Option<i64>,
}

/// The past of a thing besides the disks.
#[derive(Clone, Debug)]
pub(crate) struct OtherPast {
    pub interval: Duration,
    pub gathered: Vec<OtherGathered>,
    pub shown: Vec<(i64, f64)>,
    every: usize,
    filled: usize,
}

/// The past of a source.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub interval: (Duration, IntervalFrom),
    pub windows: Vec<Window>,
    pub excluded: Vec<Window>,
    pub placed: Placed,
    pub out: Placed,
    pub sum: VolumePast,
    pub each: BTreeMap<String, VolumePast>,
    pub others: [Option<OtherPast>; 3],
    pub noticed: Noticed,
    /// Devices that were counted or left out for what they did: it holds for the rest.
    pub doubts: Vec<Doubt>,
    limit: usize,
    groups: usize,
}

/// The windows of settings: the whole and those by name, and those that are left out.
pub(crate) fn windows_of(settings: &Settings) -> (Vec<Window>, Vec<Window>) {
    let (out, named): (Vec<Window>, Vec<Window>) = settings.windows.iter().cloned().partition(|w| w.name == "exclude");
    ([Window::whole()].into_iter().chain(named).collect(), out)
}

impl VolumePast {
    fn new(windows: usize, limit: usize, groups: usize) -> VolumePast {
        let gathered = (0..windows).map(|_| Gathered::new(limit)).collect();
        VolumePast { gathered, thinned: Thinned::new(groups), last: None }
    }
    fn add(&mut self, series: &Series, last: Option<i64>, windows: &[Window], placed: &Placed) {
        for (window, gathered) in windows.iter().zip(&mut self.gathered) {
            let inside = |at: i64| placed.holds(window, series.axis, at);
            let points: Vec<_> = series.points.iter().filter(|p| inside(p.at)).copied().collect();
            gathered.add(&points, series.interval);
        }
        series.points.iter().for_each(|p| self.thinned.push(*p));
        // A late part leaves the end where it is.
        self.last = self.last.max(last);
    }
}

impl OtherPast {
    fn new(interval: Duration, windows: usize, limit: usize) -> OtherPast {
        let gathered = (0..windows).map(|_| OtherGathered::new(limit)).collect();
        OtherPast { interval, gathered, shown: Vec::new(), every: 1, filled: 0 }
    }
    fn add(&mut self, readings: &Readings, axis: Axis, windows: &[Window], placed: &Placed) {
        for (window, gathered) in windows.iter().zip(&mut self.gathered) {
            let inside = readings.iter().filter(|r| placed.holds(window, axis, r.0)).copied().collect();
            gathered.add(&inside, self.interval);
        }
        for (at, _, value) in readings {
            self.show(*at, *value);
        }
    }
    /// The largest of each group.
    fn show(&mut self, at: i64, value: f64) {
        if self.filled > 0 && self.filled < self.every {
            self.filled += 1;
            if let Some(last) = self.shown.last_mut() {
                last.1 = last.1.max(value);
            }
            return;
        }
        if self.shown.len() >= SHOWN {
            let pair = |p: &[(i64, f64)]| (p[0].0, p.iter().map(|r| r.1).fold(p[0].1, f64::max));
            self.shown = self.shown.chunks(2).map(pair).collect();
            self.every *= 2;
        }
        self.filled = 1;
        self.shown.push((at, value));
    }
}

/// Folds all but the newest instant of a source; nothing where that cannot be done.
pub(crate) fn fold(source: &mut Source, folding: &Folding, every: Option<Duration>) {
    let Some(tool) = source.tool.as_deref() else { return };
    // These write a table of one thing to its end, then the next, disks last: until they come nothing is whole.
    let tables = matches!(tool, "sar" | "sadf -d");
    let newest = |rows: &[super::row::Row]| rows.iter().map(|r| r.at).max();
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
        _ if host_only => (vec![volumes::Counted { name: "all disks".into(), devices: Vec::new() }], before),
        Ok(chosen) => (chosen.counted, chosen.doubts),
        // A device that is named has not come yet.
        Err(_) => return,
    };
    let mut past = source.past.take();
    let mut part = source.drain(cut);
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
    past.noticed = noticed;
    past.doubts = doubts;
    past.take(sum, &ready, counted);
    source.past = Some(past);
}

impl Past {
    fn new(sum: &Series, volumes: usize, folding: &Folding) -> Box<Past> {
        let (windows, excluded) = windows_of(&folding.settings);
        let all = volumes + 1;
        let limit = (ENTRIES / (RowId::ALL.len() * all * windows.len())).clamp(512, 1 << 16);
        let groups = (GROUPS / all).clamp(1_024, GROUPS);
        let placed = folding.placed.clone().unwrap_or_else(|| Placed::growing(sum, &windows[1..]));
        Box::new(Past {
            interval: (sum.interval, sum.interval_from),
            out: Placed::on(sum, &excluded),
            sum: VolumePast::new(windows.len(), limit, groups),
            each: BTreeMap::new(),
            others: [None, None, None],
            noticed: Noticed::default(),
            doubts: Vec::new(),
            windows,
            excluded,
            placed,
            limit,
            groups,
        })
    }

    /// Whether an instant is not left out of everything.
    pub fn keeps(&self, axis: Axis, at: i64) -> bool {
        !self.excluded.iter().any(|w| self.out.holds(w, axis, at))
    }

    fn take(&mut self, mut sum: Series, ready: &Ready, counted: Vec<volumes::Counted>) {
        let (axis, last) = (sum.axis, sum.points.last().map(|p| p.at));
        sum.points.retain(|p| self.keeps(axis, p.at));
        // What is left out of everything makes no block a peak.
        self.placed.count(&sum);
        self.sum.add(&sum, last, &self.windows, &self.placed);
        let only = counted.len() == 1;
        for c in counted {
            let before = self.each.get(&c.name).and_then(|v| v.last);
            let mut series =
                if only { sum.clone() } else { joined(ready, c.devices.iter(), before, &mut Noticed::default()) };
            let last = if only { last } else { series.points.last().map(|p| p.at) };
            series.points.retain(|p| self.keeps(axis, p.at));
            let new = || VolumePast::new(self.windows.len(), self.limit, self.groups);
            self.each.entry(c.name).or_insert_with(new).add(&series, last, &self.windows, &self.placed);
        }
        for slot in 0..self.others.len() {
            let list = list_of(&ready.source, slot);
            if list.is_empty() {
                continue;
            }
            let (mut readings, interval) = ready.plain(&list);
            readings.retain(|r| self.keeps(ready.axis, r.0));
            let new = || OtherPast::new(interval, self.windows.len(), self.limit);
            self.others[slot].get_or_insert_with(new).add(&readings, ready.axis, &self.windows, &self.placed);
        }
    }
}
