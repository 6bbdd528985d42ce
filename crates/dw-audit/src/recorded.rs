//! What recordings show of the disks of one machine, interval by interval.
//!
//! What disks do together is summed at each time before anything is made of the sums, for disks do not all peak at once. A volume of several
//! disks is recorded as one: each of them does its share of it.
//!
//! Ignores: what happens within an interval, whose mean is all that is recorded; how a stripe's requests fall unevenly.
//!
//! Invariant: a sum is known only where that of each part is.

use std::collections::{BTreeMap, HashMap};

/// Of a machine, by its volumes.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub volumes: Vec<RecordedVolume>,
}

/// By the ids of machines, or by the names of those that have none.
pub type Recordings = HashMap<Box<str>, Recorded>;

/// Disks that were recorded as one.
#[derive(Clone, Debug, Default)]
pub struct RecordedVolume {
    /// Ids of its disks, names where they have none.
    pub disks: Vec<Box<str>>,
    /// In order of time.
    pub points: Vec<RecordedPoint>,
    /// Reads among its I/Os, as a share of one, where both were told apart.
    pub reads: Option<f64>,
}

/// A mean over an interval.
#[derive(Clone, Copy, Debug)]
pub struct RecordedPoint {
    /// Its end, in nanoseconds on the machine's own axis of time.
    pub at: i64,
    /// Its length in nanoseconds.
    pub span: u64,
    /// I/Os and bytes per second; what is not known is not a number.
    pub rates: [f32; 2],
}

/// What is asked of disks together over time.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Lengths in nanoseconds and rates per second, in order of time.
    pub intervals: Vec<(u64, f64)>,
    /// Disks of which nothing is recorded.
    pub missing: Vec<Box<str>>,
}

impl Asked {
    /// Nanoseconds that are covered.
    pub fn covered(&self) -> u64 {
        self.intervals.iter().map(|(span, _)| span).sum()
    }
    /// The highest mean of an interval.
    pub fn most(&self) -> f64 {
        self.intervals.iter().map(|(_, rate)| *rate).fold(0.0, f64::max)
    }
    /// Nanoseconds for which it is at least so much.
    pub fn at_least(&self, rate: f64) -> u64 {
        self.intervals.iter().filter(|(_, own)| *own >= rate).map(|(span, _)| span).sum()
    }
}

impl Recorded {
    fn of(&self, disk: &str) -> Option<&RecordedVolume> {
        self.volumes.iter().find(|volume| volume.disks.iter().any(|own| **own == *disk))
    }

    /// I/Os (0) or bytes (1) per second that are asked of these disks together.
    pub fn asked(&self, disks: &[&str], quantity: usize) -> Asked {
        let mut missing = Vec::new();
        let mut parts: BTreeMap<*const RecordedVolume, (&RecordedVolume, f64)> = BTreeMap::new();
        for disk in disks {
            match self.of(disk) {
                Some(volume) => parts.entry(volume).or_insert((volume, 0.0)).1 += 1.0 / volume.disks.len() as f64,
                None => missing.push(Box::from(*disk)),
            }
        }
        let mut by_time: BTreeMap<i64, (u64, f64, usize)> = BTreeMap::new();
        for (volume, share) in parts.values() {
            for point in &volume.points {
                let rate = f64::from(point.rates[quantity]);
                if rate.is_finite() {
                    let sum = by_time.entry(point.at).or_insert((point.span, 0.0, 0));
                    *sum = (sum.0, sum.1 + rate * share, sum.2 + 1);
                }
            }
        }
        let whole = by_time.into_values().filter(|(.., count)| *count == parts.len());
        Asked { intervals: whole.map(|(span, rate, _)| (span, rate)).collect(), missing }
    }

    /// Reads among the I/Os of a disk, as a share of one, and the nanoseconds that they are known of.
    pub fn reads(&self, disk: &str) -> Option<(f64, u64)> {
        let volume = self.of(disk)?;
        Some((volume.reads?, volume.points.iter().map(|point| point.span).sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(disks: &[&str], rates: &[f32]) -> RecordedVolume {
        let points =
            rates.iter().zip(1..).map(|(rate, at)| RecordedPoint { at, span: 10, rates: [*rate, *rate * 8.0] });
        RecordedVolume {
            disks: disks.iter().map(|disk| Box::from(*disk)).collect(),
            points: points.collect(),
            reads: None,
        }
    }

    #[test]
    fn what_disks_do_together_is_summed_at_each_time() {
        let volumes = vec![volume(&["a", "b"], &[100.0, 20.0, 30.0]), volume(&["c"], &[5.0, 300.0, f32::NAN])];
        let recorded = Recorded { volumes };
        for (disks, quantity, expected, missing) in [
            (&["a", "b"][..], 0, &[100.0, 20.0, 30.0][..], &[][..]),
            (&["b"], 1, &[400.0, 80.0, 120.0], &[]),
            // Of the third interval it is not known what one of them did.
            (&["a", "b", "c"], 0, &[105.0, 320.0], &[]),
            (&["c", "d"], 0, &[5.0, 300.0], &["d"]),
            (&["d"], 0, &[], &["d"]),
        ] {
            let asked = recorded.asked(disks, quantity);
            assert_eq!(asked.intervals.iter().map(|(_, rate)| *rate).collect::<Vec<_>>(), expected, "{disks:?}");
            assert_eq!(asked.missing.iter().map(|disk| &**disk).collect::<Vec<_>>(), missing, "{disks:?}");
        }
        let all = recorded.asked(&["a", "b"], 0);
        assert_eq!((all.covered(), all.most(), all.at_least(30.0)), (30, 100.0, 20));
    }
}
