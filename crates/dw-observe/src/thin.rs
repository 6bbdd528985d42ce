//! A series of any length in bounded memory: groups of neighbouring intervals, twice as long each time there are too many.
//!
//! Of each group three intervals are kept: its first, which is a fair sample for whoever counts shares of time; its mean, which
//! keeps totals; its busiest, which keeps peaks. As long as every interval fits, groups are single intervals and all three are it.
//!
//! Ignores: intervals of unequal length, which count alike in the choice of samples; that the mean of a group whose intervals
//! lack a figure here and there weighs those that have it by the length of all.
//!
//! Invariant: groups are in the order in which intervals came, and all but the last hold `every` of them.

use dw_units::Duration;

use super::amount::Amount;
use super::point::Point;

/// Groups of all thinned series together: 35 MB, and twice that at the end.
const GROUPS: usize = 1 << 16;
/// Groups that each of very many volumes has.
const LEAST_GROUPS: usize = 16;
/// Each of more volumes has a thinned series: with all intervals of all of them memory would grow with the square of the names.
const MANY: usize = 64;

/// Groups to each of so many volumes and their sum.
pub(crate) fn groups(volumes: usize) -> usize {
    (GROUPS / (volumes + 1)).clamp(LEAST_GROUPS, GROUPS)
}

/// The same where each of so many volumes is thinned.
pub(crate) fn groups_of_many(volumes: usize) -> Option<usize> {
    (volumes > MANY).then(|| groups(volumes))
}

/// Intervals, grouped.
#[derive(Clone, Debug)]
pub struct IntervalGroups {
    first: Vec<Point>,
    /// Empty while groups are single intervals.
    mean: Vec<Point>,
    busiest: Vec<Point>,
    /// Intervals to a group.
    every: usize,
    /// In the last group.
    filled: usize,
    most: usize,
    covered: Duration,
}

impl IntervalGroups {
    /// At most `most` groups, or one less: only of an even number do halves leave no group half full before the last.
    pub(crate) fn new(most: usize) -> IntervalGroups {
        let most = (most & !1).max(2);
        let lists = || Vec::new();
        IntervalGroups {
            first: lists(),
            mean: lists(),
            busiest: lists(),
            every: 1,
            filled: 0,
            most,
            covered: Duration::ZERO,
        }
    }
    /// Intervals to a group; 1 while every interval is there.
    pub fn every(&self) -> usize {
        self.every
    }
    /// How long all intervals are together.
    pub fn covered(&self) -> Duration {
        self.covered
    }
    /// The first interval of each group.
    pub fn first(&self) -> &[Point] {
        &self.first
    }
    /// The mean of each group, as long as all of it.
    pub fn mean(&self) -> &[Point] {
        if self.every == 1 { &self.first } else { &self.mean }
    }
    /// The interval of each group with the most requests.
    pub fn busiest(&self) -> &[Point] {
        if self.every == 1 { &self.first } else { &self.busiest }
    }

    /// Adds the next interval.
    pub(crate) fn push(&mut self, point: Point) {
        self.covered += point.span;
        if self.every > 1 && self.filled < self.every {
            self.filled += 1;
            if let (Some(mean), Some(busiest)) = (self.mean.last_mut(), self.busiest.last_mut()) {
                *mean = joined(mean, &point);
                *busiest = busier(busiest, &point);
            }
            return;
        }
        if self.first.len() >= self.most {
            self.halve();
        }
        self.filled = 1;
        self.first.push(point);
        if self.every > 1 {
            self.mean.push(point);
            self.busiest.push(point);
        }
    }

    /// Two groups become one.
    fn halve(&mut self) {
        if self.every == 1 {
            self.mean = self.first.clone();
            self.busiest = self.first.clone();
        }
        let pairs = |list: &[Point], one: fn(&Point, &Point) -> Point| -> Vec<Point> {
            list.chunks(2).map(|pair| if let [a, b] = pair { one(a, b) } else { pair[0] }).collect()
        };
        self.first = pairs(&self.first, |a, _| *a);
        self.mean = pairs(&self.mean, joined);
        self.busiest = pairs(&self.busiest, busier);
        self.every *= 2;
    }
}

fn busier(a: &Point, b: &Point) -> Point {
    match (a.ios.known(), b.ios.known()) {
        (Some(a_ios), Some(b_ios)) if b_ios > a_ios => *b,
        (None, Some(_)) => *b,
        _ => *a,
    }
}

/// Two neighbours as one interval.
fn joined(a: &Point, b: &Point) -> Point {
    let (wa, wb) = (a.seconds(), b.seconds());
    // Of a figure that one of the two lacks, the group has the mean of the other.
    let mean = |x: Amount, y: Amount| match (x.known(), y.known()) {
        (Some(x), Some(y)) if wa + wb > 0.0 => Amount::from((x * wa + y * wb) / (wa + wb)),
        _ => x.or(y),
    };
    Point {
        at: a.at.max(b.at),
        span: a.span + b.span,
        origin: a.origin,
        // A mean of two is no count of either.
        counted: false,
        reads: mean(a.reads, b.reads),
        writes: mean(a.writes, b.writes),
        ios: mean(a.ios, b.ios),
        read_bytes: mean(a.read_bytes, b.read_bytes),
        write_bytes: mean(a.write_bytes, b.write_bytes),
        bytes: mean(a.bytes, b.bytes),
        read_depth: mean(a.read_depth, b.read_depth),
        write_depth: mean(a.write_depth, b.write_depth),
        depth: mean(a.depth, b.depth),
        depth_printed: mean(a.depth_printed, b.depth_printed),
        merges: mean(a.merges, b.merges),
        discards: mean(a.discards, b.discards),
        flushes: mean(a.flushes, b.flushes),
        utilisation: a.utilisation.larger(b.utilisation),
        gap_before: a.gap_before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;
    use crate::sample::{DiskInterval, Origin};
    use crate::series::first;

    fn point(at: i64, reads: f64) -> Point {
        let disk = DiskInterval { reads_per_s: Some(reads), writes_per_s: Some(0.0), ..DiskInterval::default() };
        first(&Row::new(at, 1_000_000_000, Origin::default(), &disk))
    }

    #[test]
    fn groups_keep_totals_and_peaks() {
        for (n, groups) in [1, 7, 8, 9, 100, 1_001].into_iter().flat_map(|n| [(n, 7), (n, 8)]) {
            let mut thinned = IntervalGroups::new(groups);
            (0..n).for_each(|i| thinned.push(point(i, ((i * 37) % 101) as f64)));
            let total: f64 = thinned.mean().iter().map(|p| p.ios.known().unwrap() * p.seconds()).sum();
            let most = thinned.busiest().iter().map(|p| p.ios.known().unwrap()).fold(0.0, f64::max);
            assert!((total - (0..n).map(|i| ((i * 37) % 101) as f64).sum::<f64>()).abs() < 1e-6, "{n}");
            assert_eq!(most, (0..n).map(|i| ((i * 37) % 101) as f64).fold(0.0, f64::max), "{n}");
            assert!(thinned.first().len() <= groups && thinned.mean().len() == thinned.first().len());
            let firsts: Vec<i64> = thinned.first().iter().map(|p| p.at / thinned.every() as i64).collect();
            assert!(firsts.iter().copied().eq(0..firsts.len() as i64), "{n}: {firsts:?}");
            assert_eq!(thinned.covered(), Duration::from_secs(n as u64));
        }
    }
}
