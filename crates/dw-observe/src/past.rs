//! What a recording longer than memory came to so far; how it comes to it is `folding.rs`.

use std::collections::BTreeMap;

use dw_units::Duration;

use super::clock::Axis;
use super::gathered::{Gathered, OtherGathered};
use super::row_id::Readings;
use super::sample::Name;
use super::series::{IntervalFrom, Noticed, Series};
use super::settings::Settings;
use super::thin::{IntervalGroups, groups};
use super::volumes::Doubt;
use super::windows::{Window, WindowPlacement};

/// Points of a plot of processors or memory.
const SHOWN: usize = 8_192;

/// How a recorder folds.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    pub settings: Settings,
    /// Readings that are kept.
    pub most: usize,
    /// Blocks by load, where a first reading found them.
    pub placed: Option<WindowPlacement>,
}

/// What was taken over a coarser interval than it was recorded in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coarsened {
    /// The coarsest, over which all are taken.
    pub over: Duration,
    /// The usual one of what is finer.
    pub finer: Duration,
    /// Where one of these ends.
    pub phase: i64,
    /// The device that is as coarse as that.
    pub device: Name,
}

#[derive(Clone, Debug)]
pub(crate) struct VolumePast {
    pub gathered: Vec<Gathered>,
    pub thinned: IntervalGroups,
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
    /// Its devices were recorded in intervals of several lengths.
    pub coarsened: Option<Coarsened>,
    pub windows: Vec<Window>,
    pub excluded: Vec<Window>,
    pub placed: WindowPlacement,
    pub out: WindowPlacement,
    pub sum: VolumePast,
    pub each: BTreeMap<String, VolumePast>,
    pub others: [Option<OtherPast>; 3],
    pub noticed: Noticed,
    /// Devices that were counted or left out for what they did: it holds for the rest.
    pub doubts: Vec<Doubt>,
    pub groups: usize,
}

impl VolumePast {
    pub fn new(windows: usize, groups: usize) -> VolumePast {
        let gathered = (0..windows).map(|_| Gathered::new()).collect();
        VolumePast { gathered, thinned: IntervalGroups::new(groups), last: None }
    }
    pub fn add(&mut self, series: &Series, last: Option<i64>, windows: &[Window], placed: &WindowPlacement) {
        for (window, gathered) in windows.iter().zip(&mut self.gathered) {
            gathered.add(&placed.points(window, series), series.interval);
        }
        series.points.iter().for_each(|p| self.thinned.push(*p));
        // A late part leaves the end where it is.
        self.last = self.last.max(last);
    }
}

impl OtherPast {
    pub fn new(interval: Duration, windows: usize) -> OtherPast {
        let gathered = (0..windows).map(|_| OtherGathered::default()).collect();
        OtherPast { interval, gathered, shown: Vec::new(), every: 1, filled: 0 }
    }
    pub fn add(&mut self, readings: &Readings, axis: Axis, windows: &[Window], placed: &WindowPlacement) {
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

impl Past {
    pub fn new(sum: &Series, volumes: usize, folding: &Folding) -> Box<Past> {
        let (windows, excluded) = folding.settings.windows();
        let groups = groups(volumes);
        let placed = folding.placed.clone().unwrap_or_else(|| WindowPlacement::growing(sum, &windows[1..]));
        Box::new(Past {
            interval: (sum.interval, sum.interval_from),
            coarsened: None,
            out: WindowPlacement::on(sum, &excluded),
            sum: VolumePast::new(windows.len(), groups),
            each: BTreeMap::new(),
            others: [None, None, None],
            noticed: Noticed::default(),
            doubts: Vec::new(),
            windows,
            excluded,
            placed,
            groups,
        })
    }

    /// Whether an instant is not left out of everything.
    pub fn keeps(&self, axis: Axis, at: i64) -> bool {
        !self.excluded.iter().any(|w| self.out.holds(w, axis, at))
    }
}
