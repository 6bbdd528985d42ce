//! What comparisons ask of a result: the one that counts every I/O once, sums, the latency to quote.

use std::collections::BTreeSet;

use super::model::{Entry, Figures, Latency, LatencyKind, MeasuredRun};

impl MeasuredRun {
    /// The entries that together count every I/O once, in the order of the file.
    pub fn whole(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.included_in.is_none())
    }

    /// The smallest entries of a test: those that contain no other.
    pub fn parts(&self, test: u32) -> Vec<&Entry> {
        let contains: BTreeSet<usize> = self.entries.iter().filter_map(|entry| entry.included_in).collect();
        let all = self.entries.iter().enumerate();
        all.filter(|(at, entry)| entry.test == test && !contains.contains(at)).map(|(_, entry)| entry).collect()
    }

    /// What an entry says of its load, or else the nearest entry that contains it.
    pub fn said<T>(&self, entry: &Entry, of: impl Fn(&Entry) -> Option<T>) -> Option<T> {
        let mut entry = entry;
        // A chain is no longer than there are entries, whatever a file says.
        for _ in 0..self.entries.len() {
            if let Some(found) = of(entry) {
                return Some(found);
            }
            entry = self.entries.get(entry.included_in?)?;
        }
        None
    }

    /// How many tests the file holds (fio's groups, DiskSpd's time spans, Iometer's blocks).
    pub fn tests(&self) -> u32 {
        self.entries.iter().map(|entry| entry.test + 1).max().unwrap_or(0)
    }

    /// I/Os per second of everything that `of` chooses (reads, writes, all), summed over the entries of one test.
    pub fn iops(&self, test: u32, of: impl Fn(&Entry) -> Option<Figures>) -> Option<f64> {
        add(self.whole().filter(|e| e.test == test).filter_map(|e| of(e)?.iops))
    }

    /// Bytes per second, likewise.
    pub fn bytes_per_s(&self, test: u32, of: impl Fn(&Entry) -> Option<Figures>) -> Option<f64> {
        add(self.whole().filter(|e| e.test == test).filter_map(|e| of(e)?.bytes_per_s))
    }
}

impl Entry {
    /// The longest time of its directions, in seconds.
    pub fn longest(&self) -> Option<f64> {
        let parts = [&self.read, &self.write, &self.trim, &self.mixed];
        parts.into_iter().flatten().filter_map(|f| f.elapsed_s).reduce(f64::max)
    }

    /// Reads or writes, by `read` and `write`.
    pub fn direction(&self, name: &str) -> Option<&Figures> {
        match name {
            "read" => self.read.as_ref(),
            "write" => self.write.as_ref(),
            _ => None,
        }
    }

    /// All directions together: as the tool says it, else the sum. A sum has no latency: means and percentiles of reads and
    /// of writes do not add up.
    pub fn total(&self) -> Option<Figures> {
        if self.mixed.is_some() {
            return self.mixed.clone();
        }
        let parts: Vec<&Figures> = [&self.read, &self.write, &self.trim].into_iter().flatten().collect();
        match parts[..] {
            [] => None,
            [one] => Some(one.clone()),
            _ => Some(Figures {
                ios: whole(parts.iter().map(|f| f.ios)),
                bytes: whole(parts.iter().map(|f| f.bytes)),
                iops: add(parts.iter().filter_map(|f| f.iops)),
                bytes_per_s: add(parts.iter().filter_map(|f| f.bytes_per_s)),
                elapsed_s: self.elapsed_s,
                ..Figures::default()
            }),
        }
    }
}

impl Figures {
    /// The latency of a kind.
    pub fn latency(&self, kind: LatencyKind) -> Option<&Latency> {
        self.latency.iter().find(|latency| latency.kind == kind)
    }

    /// The latency to compare with others: the whole one, else the completion latency.
    pub fn whole_latency(&self) -> Option<&Latency> {
        let with = |kind| self.latency(kind).filter(|latency| latency.mean_ns.is_some());
        with(LatencyKind::Lat).or_else(|| with(LatencyKind::Clat))
    }

    /// The latency whose percentiles to show: of completion, as fio prints it without being asked, else the whole one.
    pub fn with_percentiles(&self) -> Option<&Latency> {
        let with = |kind| self.latency(kind).filter(|latency| !latency.percentiles.is_empty());
        with(LatencyKind::Clat).or_else(|| with(LatencyKind::Lat))
    }

    /// A percentile and the kind of latency it is of: of the whole latency where the tool gives it, else of completion.
    pub fn percentile(&self, percent: f64) -> Option<(LatencyKind, f64)> {
        [LatencyKind::Lat, LatencyKind::Clat].into_iter().find_map(|kind| {
            let found = self.latency(kind)?.percentiles.iter().find(|p| (p.percent - percent).abs() < 1e-9)?;
            Some((kind, found.ns))
        })
    }
}

fn add(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.fold(None, |sum, value| Some(sum.unwrap_or(0.0) + value))
}

/// The sum, when every part is known.
fn whole(mut values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    values.try_fold(0u64, |sum, value| Some(sum.saturating_add(value?)))
}
