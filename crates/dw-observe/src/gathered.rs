//! What the intervals of a window came to so far, figure by figure, without the intervals.
//!
//! A figure of the checklist needs its readings by value (a tally), the two sums of its mean over I/Os, and for "max" and
//! "min" rows the bucket that is still open: all of them can be gone on with, so a recording may come in any number of parts.
//!
//! Ignores: what a row is called and how it is known; that is `checklist.rs`.
//!
//! Invariant: parts in the order of time give what the whole would, to the last digit.

use dw_units::Duration;

use super::amount::Amount;
use super::percentile::SortedReadings;
use super::point::Point;
use super::row_id::{Mean, Ratio, Readings, RowId, bucket, figure};
use super::tally::Tally;

type Best = fn(f64, f64) -> f64;

/// Intervals that each figure looks at before more come: so many stay in the processor's cache, where a month's would be read from
/// memory once for each figure.
const AT_ONCE: usize = 128;

/// One figure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figure {
    tally: Tally,
    mean: Ratio,
    /// The bucket that is still open: from, its best, the time that was counted.
    open: Option<(i64, f64, Duration)>,
}

impl Figure {
    /// A reading of its own.
    pub fn add(&mut self, value: f64, span: Duration) {
        self.tally.add(value, span);
    }
    /// A reading of which only the best of each bucket counts, for the time that its bucket covers. Buckets lie on the axis of time,
    /// wherever the recording begins.
    pub fn best_of(&mut self, width: Duration, best: Best, (at, span, value): (i64, Duration, Amount)) {
        let Some(value) = value.known() else { return };
        let (at, width) = (at - 1, width.ns() as i64);
        match &mut self.open {
            Some((from, most, covered)) if at >= *from && at - *from < width => {
                *most = best(*most, value);
                *covered += span;
            }
            open => {
                if let Some((_, most, covered)) = open.replace((at.div_euclid(width) * width, value, span)) {
                    self.tally.add(most, covered);
                }
            }
        }
    }
    /// Adds to the sums of the mean over I/Os.
    pub fn weigh(&mut self, points: &[Point], mean: Mean) {
        self.mean.add(points, mean);
    }
    /// The mean over I/Os.
    pub fn mean(&self) -> Amount {
        self.mean.value()
    }
    /// Its readings, in order.
    pub fn sorted(mut self) -> SortedReadings {
        if let Some((_, most, covered)) = self.open.take() {
            self.tally.add(most, covered);
        }
        self.tally.sorted()
    }
    /// Adds intervals to the figure of a row of the disks.
    pub fn take(&mut self, id: RowId, points: &[Point], interval: Duration) {
        let Some((value, mean)) = figure(id) else { return };
        let best: Option<Best> = match id {
            RowId::ThroughputMax | RowId::Transactions => Some(f64::max),
            RowId::LatencyMin => Some(f64::min),
            _ => None,
        };
        match best {
            Some(best) => {
                let width = bucket(interval);
                points.iter().for_each(|p| self.best_of(width, best, (p.at, p.span, value(p))));
            }
            None => {
                let known = points.iter().filter_map(|p| Some((value(p).known()?, p.span)));
                known.for_each(|(value, span)| self.add(value, span));
            }
        }
        if let Some(mean) = mean {
            self.weigh(points, mean);
        }
    }
}

/// The share of requests that were merged.
pub(crate) const MERGED: Mean = (|p| p.total(p.merges), |p| p.total(p.ios + p.merges));

/// What else is asked of the intervals of a window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub covered: Duration,
    /// Bytes, requests.
    pub size: Ratio,
    /// Merges, requests before merging.
    pub merged: Ratio,
}

impl Sums {
    pub fn add(&mut self, points: &[Point]) {
        self.covered = points.iter().fold(self.covered, |sum, p| sum + p.span);
        self.size.add(points, (|p| p.total(p.bytes), |p| p.total(p.ios)));
        self.merged.add(points, MERGED);
    }
}

/// All figures of the disks in a window.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    /// In the order of [`RowId::ALL`].
    pub figures: Vec<Figure>,
    pub sums: Sums,
}

impl Gathered {
    pub fn new() -> Gathered {
        let figures = RowId::ALL.iter().map(|_| Figure::default()).collect();
        Gathered { figures, sums: Sums::default() }
    }
    pub fn add(&mut self, points: &[Point], interval: Duration) {
        for points in points.chunks(AT_ONCE) {
            for (figure, id) in self.figures.iter_mut().zip(RowId::ALL) {
                figure.take(*id, points, interval);
            }
            self.sums.add(points);
        }
    }
    /// The figure of a row, which is not needed any more.
    pub fn take(&mut self, id: RowId) -> Figure {
        self.figures.get_mut(id as usize).map(std::mem::take).unwrap_or_default()
    }
    /// How far a percentile may be from a reading, as a share of it.
    pub fn step(&self) -> f64 {
        self.figures.iter().map(|f| f.tally.step()).fold(0.0, f64::max)
    }
}

/// A thing besides the disks in a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherGathered {
    pub plain: Figure,
    pub largest: Figure,
}

impl OtherGathered {
    pub fn add(&mut self, readings: &Readings, interval: Duration) {
        let width = bucket(interval);
        for reading in readings {
            self.plain.add(reading.2, reading.1);
            self.largest.best_of(width, f64::max, (reading.0, reading.1, reading.2.into()));
        }
    }
}
