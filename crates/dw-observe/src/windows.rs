//! Windows of time: demand at the peak, in normal hours and off hours is three demands, not one mean.
//!
//! By clock (`normal=mon-fri 08:00-18:00`), by hand (`batch=2026-11-20 22:00..2026-11-21 02:00`, or `run=60s..180s` after
//! the first reading), or by load: time is cut into blocks, and a block whose mean IOPS reach [`PEAK`] of the
//! busiest block's is peak, one below [`OFF_HOURS`] of it is off-hours, the rest is normal. `rest` is what no other
//! window takes; a window called `exclude` is left out of everything.
//!
//! Ignores: holidays; daylight saving where the file has local time.
//!
//! Invariant: windows by load and `rest` never overlap; the others may.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dw_units::Duration;

use super::clock::{Axis, days_of};
use super::point::Point;
use super::series::Series;

/// Share of the busiest block's IOPS from which a block is peak.
pub const PEAK: f64 = 0.75;
/// Share below which it is off-hours.
pub const OFF_HOURS: f64 = 0.25;
/// Blocks that a recording is cut into, about; none is shorter than ten intervals or longer than an hour. They lie on the axis of time,
/// wherever the recording begins.
const BLOCKS: u64 = 48;
/// Blocks with a load that are kept while a recording is read: a week of blocks of ten seconds; of longer ones blocks are doubled.
const BLOCKS_KEPT: usize = 1 << 16;

/// The window called so is left out of everything.
pub(crate) const EXCLUDE: &str = "exclude";

/// When a window is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The whole recording.
    Whole,
    /// Hours of days; from after to passes midnight.
    Clock {
        /// Monday first.
        days: [bool; 7],
        /// Seconds after midnight.
        from: u32,
        /// Seconds after midnight, not included.
        to: u32,
    },
    /// Nanoseconds on the wall since 1970.
    Dates {
        /// First.
        from: i64,
        /// Last, not included.
        to: i64,
    },
    /// After the first reading.
    After {
        from: Duration,
        /// To, not included.
        to: Duration,
    },
    /// Blocks by their load.
    Load(Load),
    /// What no other takes.
    Rest,
}

/// How busy a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// At least three quarters of the busiest.
    Peak,
    /// Between.
    Normal,
    /// Below a quarter.
    OffHours,
}

/// A window by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub name: String,
    pub when: When,
}

impl Window {
    /// The whole recording.
    pub fn whole() -> Window {
        Window { name: "whole".into(), when: When::Whole }
    }
    /// Peak, normal and off-hours by load.
    pub fn by_load() -> Vec<Window> {
        let window = |name: &str, load| Window { name: name.into(), when: When::Load(load) };
        vec![window("peak", Load::Peak), window("normal", Load::Normal), window("off-hours", Load::OffHours)]
    }
    /// Reads `load`, or `NAME=WHEN`.
    pub fn parse(text: &str) -> Result<Vec<Window>, String> {
        if text.trim() == "load" {
            return Ok(Window::by_load());
        }
        let (name, when) = text.split_once('=').ok_or_else(|| refused(text))?;
        let name = name.trim();
        if name.is_empty() || name == "whole" {
            return Err(format!("`{text}`: give the window a name of its own, for example `normal`"));
        }
        let when = when.trim();
        if name != EXCLUDE && name.eq_ignore_ascii_case(EXCLUDE) {
            return Err(format!("`{text}` would be a window to look at: did you mean `{EXCLUDE}={when}`?"));
        }
        Ok(vec![Window { name: name.into(), when: when_of(when).ok_or_else(|| refused(text))? }])
    }
}

fn refused(text: &str) -> String {
    format!(
        "`{text}` is not a valid window: write `load`, or for example `normal=mon-fri 08:00-18:00`, `peak=10:00-12:00`, \
         `batch=2026-11-20 22:00..2026-11-21 02:00`, `run=60s..180s`, `off-hours=rest`"
    )
}

fn when_of(text: &str) -> Option<When> {
    if text == "rest" {
        return Some(When::Rest);
    }
    if let Some((from, to)) = text.split_once("..") {
        if let (Ok(from), Ok(to)) = (from.trim().parse(), to.trim().parse()) {
            return (from < to).then_some(When::After { from, to });
        }
        let (from, to) = (date_time(from.trim())?, date_time(to.trim())?);
        return (from < to).then_some(When::Dates { from, to });
    }
    let (days, hours) = text.rsplit_once(' ').unwrap_or(("", text));
    let (from, to) = hours.split_once('-')?;
    let (from, to) = (time_of_day(from)?, time_of_day(to)?);
    (from != to).then_some(When::Clock { days: days_named(days)?, from, to })
}

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

fn days_named(text: &str) -> Option<[bool; 7]> {
    let text = text.trim().to_lowercase();
    if text.is_empty() || text == "daily" {
        return Some([true; 7]);
    }
    let mut days = [false; 7];
    for part in text.split(',') {
        let day = |name: &str| DAYS.iter().position(|d| *d == name.trim());
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (day(from)?, day(to)?);
        let mut at = from;
        loop {
            days[at] = true;
            if at == to {
                break;
            }
            at = (at + 1) % 7;
        }
    }
    Some(days)
}

fn time_of_day(text: &str) -> Option<u32> {
    let mut parts = text.trim().split(':');
    let mut part = |most: u32| parts.next().map_or(Some(0), |p| p.parse::<u32>().ok().filter(|v| *v < most));
    let (h, m, s) = (part(25)?, part(60)?, part(60)?);
    let seconds = h * 3600 + m * 60 + s;
    (parts.next().is_none() && text.contains(':') && seconds <= 86_400).then_some(seconds)
}

fn date_time(text: &str) -> Option<i64> {
    let (date, time) = text.split_once([' ', 'T']).unwrap_or((text, "00:00"));
    let mut parts = date.split('-').map(|p| p.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = days_of(year, month as u32, day as u32) * 86_400 + i64::from(time_of_day(time)?);
    Some(seconds * 1_000_000_000)
}

/// How long the blocks of a recording of this length are.
fn length(whole: i64, shortest: u64) -> i64 {
    (whole.unsigned_abs() / BLOCKS).clamp(shortest, shortest.max(3_600_000_000_000)) as i64
}

/// Windows placed on a recording.
#[derive(Clone, Debug)]
pub struct WindowPlacement {
    axis: Axis,
    start: i64,
    windows: Vec<Window>,
    /// No block is shorter than this.
    shortest: u64,
    block: i64,
    /// Requests (in billionths) and nanoseconds of each block that has some, until they are called by their load. A damaged stamp may
    /// lie a century off: blocks between are not there.
    sums: BTreeMap<i64, (u128, u128)>,
    loads: Option<BTreeMap<i64, Load>>,
}

impl WindowPlacement {
    /// Places windows on the series of all volumes.
    pub fn on(series: &Series, windows: &[Window]) -> WindowPlacement {
        let mut placed = WindowPlacement::growing(series, windows);
        placed.count(series);
        placed.settled()
    }
    /// The same on a recording, or the first part of one, whose blocks by load are known when all of it was counted.
    pub(crate) fn growing(series: &Series, windows: &[Window]) -> WindowPlacement {
        let start = series.points.first().map_or(0, |p| p.at.saturating_sub_unsigned(p.span.ns()));
        let shortest = series.interval.ns().saturating_mul(10).max(1);
        let block = i64::try_from(shortest).unwrap_or(i64::MAX);
        let windows = windows.to_vec();
        WindowPlacement { axis: series.axis, start, windows, shortest, block, sums: BTreeMap::new(), loads: None }
    }
    /// Counts the load of a part into its blocks.
    pub(crate) fn count(&mut self, series: &Series) {
        if self.loads.is_some() || !WindowPlacement::by_load(&self.windows) {
            return;
        }
        for (point, ios) in series.points.iter().filter_map(|p| Some((p, p.ios.known()?))) {
            let sum = self.sums.entry(self.block_of(point.at - 1)).or_default();
            let ns = u128::from(point.span.ns());
            *sum = (sum.0 + (ios * point.span.ns() as f64).round() as u128, sum.1 + ns);
            if self.sums.len() > BLOCKS_KEPT {
                self.lengthen(2);
            }
        }
    }
    /// So many blocks become one.
    fn lengthen(&mut self, together: i64) {
        self.block = self.block.saturating_mul(together);
        for (at, (ios, ns)) in std::mem::take(&mut self.sums) {
            let sum = self.sums.entry(at.div_euclid(together)).or_default();
            *sum = (sum.0 + ios, sum.1 + ns);
        }
    }
    /// Blocks before the zero of the axis are below zero.
    fn block_of(&self, at: i64) -> i64 {
        at.div_euclid(self.block)
    }
    /// Calls the blocks by their load.
    pub(crate) fn settled(mut self) -> WindowPlacement {
        let ends = self.sums.first_key_value().zip(self.sums.last_key_value());
        let blocks = ends.map_or(0, |((first, _), (last, _))| last.saturating_sub(*first).saturating_add(1));
        let wanted = length(blocks.saturating_mul(self.block), self.shortest);
        self.lengthen((wanted / self.block).max(1));
        let sums = std::mem::take(&mut self.sums).into_iter().filter(|(_, (_, ns))| *ns > 0);
        let means: Vec<(i64, f64)> = sums.map(|(at, (ios, ns))| (at, ios as f64 / ns as f64)).collect();
        let most = means.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
        let load = |mean: f64| match mean {
            m if m >= PEAK * most => Load::Peak,
            m if m < OFF_HOURS * most => Load::OffHours,
            _ => Load::Normal,
        };
        self.loads = Some(means.into_iter().map(|(at, mean)| (at, load(mean))).collect());
        self
    }
    /// Whether blocks by load are asked for.
    pub(crate) fn by_load(windows: &[Window]) -> bool {
        windows.iter().any(|w| matches!(w.when, When::Load(_)))
    }
    /// The length of the blocks that windows by load are made of.
    pub fn block(&self) -> Duration {
        Duration::from_ns(self.block.unsigned_abs())
    }
    /// The intervals in a window.
    pub(crate) fn points<'s>(&self, window: &Window, series: &'s Series) -> Cow<'s, [Point]> {
        if window.when == When::Whole {
            return Cow::Borrowed(&series.points);
        }
        let inside = series.points.iter().filter(|p| self.holds(window, series.axis, p.at));
        Cow::Owned(inside.copied().collect())
    }
    /// Whether an interval that ends at `at` is in a window.
    pub fn holds(&self, window: &Window, axis: Axis, at: i64) -> bool {
        // The last nanosecond of the interval, so that one that ends at 18:00 is before 18:00.
        let at = at - 1;
        match &window.when {
            When::Whole => true,
            _ if !axis.joins(self.axis) && axis != self.axis => false,
            When::Clock { days, from, to } => self.axis.wall(at).is_some_and(|wall| {
                let second = wall.second_of_day;
                let inside = if from < to { (*from..*to).contains(&second) } else { second >= *from || second < *to };
                // After midnight a window belongs to the day it began on.
                let late = from > to && second < *to;
                let day = wall.weekday.map(|d| if late { (d + 6) % 7 } else { d });
                inside && day.is_none_or(|d| days[d as usize])
            }),
            When::Dates { from, to } => {
                let offset = match self.axis {
                    Axis::Utc { wall_ahead_min } => i64::from(wall_ahead_min) * 60_000_000_000,
                    _ => 0,
                };
                (*from..*to).contains(&(at + offset))
            }
            When::After { from, to } => {
                let after = u64::try_from(at.saturating_sub(self.start));
                after.is_ok_and(|after| (from.ns()..to.ns()).contains(&after))
            }
            When::Load(load) => self.loads.as_ref().and_then(|loads| loads.get(&self.block_of(at))) == Some(load),
            When::Rest => {
                let others = self.windows.iter().filter(|w| !matches!(w.when, When::Rest | When::Whole));
                let end = at + 1;
                !others.into_iter().any(|w| self.holds(w, axis, end))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;
    use crate::sample::{DiskInterval, Origin};
    use crate::series::{IntervalFrom, first};

    const SECOND: i64 = 1_000_000_000;
    const MINUTE: i64 = 60 * SECOND;

    /// An interval of a second before each of these instants, with its reads per second.
    fn series(points: impl IntoIterator<Item = (i64, f64)>) -> Series {
        let point = |(at, reads): (i64, f64)| {
            let disk = DiskInterval { reads_per_s: Some(reads), writes_per_s: Some(0.0), ..DiskInterval::default() };
            first(&Row::new(at, SECOND as u64, Origin::default(), &disk))
        };
        Series {
            axis: Axis::Local,
            interval: Duration::from_secs(1),
            interval_from: IntervalFrom::Assumed,
            points: points.into_iter().map(point).collect(),
            thinned: None,
        }
    }

    #[test]
    fn a_stamp_that_is_far_off_costs_no_memory() {
        let far = series([(SECOND, 1.0), (1_795_420_800 * SECOND, 100.0), (-SECOND, 50.0), (i64::MAX, 1.0)]);
        let mut placed = WindowPlacement::growing(&far, &[Window::whole()]);
        placed.count(&far);
        assert_eq!(placed.sums.len(), 0, "no window asks for blocks");
        let windows = Window::by_load();
        let mut placed = WindowPlacement::growing(&far, &windows);
        placed.count(&far);
        assert_eq!(placed.sums.len(), 4);
        let placed = placed.settled();
        let of = |at| windows.iter().find(|w| placed.holds(w, Axis::Local, at)).map(|w| w.name.as_str());
        assert_eq!(placed.block(), Duration::from_secs(3_600));
        let at = [SECOND, 1_795_420_800 * SECOND, -SECOND, i64::MAX, 900_000_000 * SECOND];
        assert_eq!(at.map(of), [Some("off-hours"), Some("peak"), Some("normal"), Some("off-hours"), None]);
    }

    #[test]
    fn a_very_long_recording_has_longer_blocks() {
        let minutes = 4 * BLOCKS_KEPT as i64;
        let reads = |i: i64| if i < minutes / 2 { 100.0 } else { 10.0 };
        let long = series((0..minutes).map(|i| (i * MINUTE + SECOND, reads(i))));
        let windows = Window::by_load();
        let mut placed = WindowPlacement::growing(&long, &windows);
        placed.count(&long);
        assert!((BLOCKS_KEPT / 2..=BLOCKS_KEPT).contains(&placed.sums.len()), "{}", placed.sums.len());
        let placed = placed.settled();
        let peak = long.points.iter().filter(|p| placed.holds(&windows[0], Axis::Local, p.at)).count() as i64;
        let block = placed.block().ns() as i64 / MINUTE;
        assert!((peak - minutes / 2).abs() <= block && block <= 60, "{peak} {block}");
    }

    #[test]
    fn what_came_before_the_first_reading_is_in_no_window_after_it() {
        let placed = WindowPlacement::on(&series([(100 * SECOND, 1.0)]), &[]);
        let window = &Window::parse("run=0s..10s").unwrap()[0];
        let at = [50, 99, 100, 109, 110].map(|s| placed.holds(window, Axis::Local, s * SECOND));
        assert_eq!(at, [false, false, true, true, false]);
    }

    #[test]
    fn windows_are_written_as_people_write_them() {
        let workdays = [true, true, true, true, true, false, false];
        let good: &[(&str, When)] = &[
            ("normal=mon-fri 08:00-18:00", When::Clock { days: workdays, from: 28_800, to: 64_800 }),
            ("peak=10:00-12:30", When::Clock { days: [true; 7], from: 36_000, to: 45_000 }),
            ("night=daily 22:00-06:00", When::Clock { days: [true; 7], from: 79_200, to: 21_600 }),
            ("run=60s..3min", When::After { from: Duration::from_secs(60), to: Duration::from_secs(180) }),
            ("day=1970-01-02..1970-01-03", When::Dates { from: 86_400_000_000_000, to: 172_800_000_000_000 }),
            ("off=rest", When::Rest),
        ];
        for (text, when) in good {
            assert_eq!(Window::parse(text).unwrap()[0].when, *when, "{text}");
        }
        for text in
            ["", "peak", "peak=", "peak=8-9", "peak=08:00-08:00", "=rest", "a=180s..60s", "a=mon-frx 08:00-09:00"]
        {
            assert!(Window::parse(text).is_err(), "{text}");
        }
        assert_eq!(Window::parse("load").unwrap().len(), 3);
        let refused = Window::parse("Exclude=10:00-12:00").unwrap_err();
        assert!(refused.ends_with("did you mean `exclude=10:00-12:00`?"), "{refused}");
    }
}
