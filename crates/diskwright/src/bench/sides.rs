//! fio's JSON as loads: rates added up, latency from its bins, which add up where percentiles do not.

use std::collections::BTreeMap;

use dw_documents::measure::{Latency, Load};
use dw_documents::results::{self, Entry, Figures, LatencyKind, fio};
use serde_json::Value;

/// Counts by latency in nanoseconds, the middle of a bin.
type Bins = BTreeMap<u64, u64>;

/// From bins, the exact mean and the exact maximum.
fn latency(bins: &Bins, mean: f64, max: u64) -> Option<Latency> {
    let count: u64 = bins.values().sum();
    let at = |share: f64| {
        let rank = (share * count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = bins.iter().find(|(_, n)| {
            seen += **n;
            seen >= rank
        });
        Some(found.map_or(max, |(ns, _)| (*ns).min(max)))
    };
    (count > 0).then(|| Latency {
        mean,
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        p99_9: at(0.999),
        max: Some(max),
    })
}

/// One direction of some entries, still with its bins.
#[derive(Clone, Debug, Default)]
pub struct Side {
    load: Load,
    sum_ns: f64,
    max_ns: u64,
    bins: Bins,
}

impl Side {
    /// Adds what another side did next to it.
    pub fn add(&mut self, other: &Side) {
        self.load.ios += other.load.ios;
        self.load.bytes += other.load.bytes;
        self.load.iops += other.load.iops;
        self.load.bytes_per_s += other.load.bytes_per_s;
        self.sum_ns += other.sum_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
        for (ns, count) in &other.bins {
            *self.bins.entry(*ns).or_default() += count;
        }
    }

    /// As a load; nothing when there was none.
    pub fn load(&self) -> Option<Load> {
        let count: u64 = self.bins.values().sum();
        let latency_ns = latency(&self.bins, self.sum_ns / count.max(1) as f64, self.max_ns);
        (self.load.ios > 0).then(|| Load { latency_ns, ..self.load.clone() })
    }

    fn from_figures(figures: &Figures) -> Side {
        let latency = figures.latency(LatencyKind::Clat).or_else(|| figures.latency(LatencyKind::Lat));
        let sum = |latency: &results::Latency| latency.mean_ns.unwrap_or(0.0) * latency.samples.unwrap_or(0) as f64;
        let bins = latency.map_or(&[][..], |latency| &latency.histogram);
        Side {
            load: Load {
                ios: figures.ios.unwrap_or(0),
                bytes: figures.bytes.unwrap_or(0),
                iops: figures.iops.unwrap_or(0.0),
                bytes_per_s: figures.bytes_per_s.unwrap_or(0.0),
                latency_ns: None,
            },
            sum_ns: latency.map_or(0.0, sum),
            max_ns: latency.and_then(|latency| latency.max_ns).unwrap_or(0.0) as u64,
            bins: bins.iter().map(|bin| (bin.ns as u64, bin.count)).collect(),
        }
    }
}

/// Reads and writes of the entries whose job is one of `names`.
pub fn sides(document: &Value, is_one: &dyn Fn(&str) -> bool) -> (Side, Side) {
    let (mut reads, mut writes) = (Side::default(), Side::default());
    for job in fio::parts(document).iter().filter(|job| is_one(&job.name)) {
        reads.add(&job.read.as_ref().map(Side::from_figures).unwrap_or_default());
        writes.add(&job.write.as_ref().map(Side::from_figures).unwrap_or_default());
    }
    (reads, writes)
}

/// The busiest entry's processor time, in percent of one processor.
pub fn client_percent(document: &Value) -> f64 {
    fio::parts(document).iter().filter_map(|job| job.cpu?.busy_percent).fold(0.0, f64::max)
}

/// fio's processor time in seconds, all jobs together.
pub fn client_seconds(document: &Value) -> f64 {
    let seconds = |job: &Entry| Some(job.cpu?.busy_percent? / 100.0 * job.cpu?.whole_s?);
    fio::parts(document).iter().filter_map(seconds).sum()
}

/// The document without bins: they are most of it, and what they say is in the loads.
pub fn without_bins(mut document: Value) -> Value {
    for key in ["jobs", "client_stats"] {
        let list = document.get_mut(key).and_then(Value::as_array_mut);
        for entry in list.into_iter().flatten() {
            for side in ["read", "write", "trim", "sync"] {
                for kind in ["slat_ns", "clat_ns", "lat_ns"] {
                    let latency = entry.get_mut(side).and_then(|s| s.get_mut(kind)).and_then(Value::as_object_mut);
                    latency.map(|l| l.remove("bins"));
                }
            }
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(name: &str, iops: f64, bins: Value) -> Value {
        json!({ "jobname": name, "usr_cpu": 10.0, "sys_cpu": 40.0, "job_runtime": 4000, "read": { "total_ios": 4,
            "io_bytes": 16384, "io_kbytes": 16, "iops": iops, "bw_bytes": 4096.0 * iops,
            "clat_ns": { "mean": 2000.0, "max": 5000, "N": 4, "bins": bins } } })
    }

    #[test]
    fn rates_add_up_and_percentiles_are_those_of_all() {
        let document = json!({ "jobs": [entry("a", 100.0, json!({ "1000": 3, "5000": 1 })), entry("b", 50.0, json!({ "3000": 4 })), entry("c", 7.0, json!({}))] });
        let (reads, writes) = sides(&document, &|name| name != "c");
        let load = reads.load().unwrap();
        assert_eq!((load.ios, load.bytes, load.iops, load.bytes_per_s), (8, 32_768, 150.0, 614_400.0));
        let latency = load.latency_ns.unwrap();
        assert_eq!((latency.mean, latency.p50, latency.p90, latency.max), (2000.0, Some(3000), Some(5000), Some(5000)));
        assert_eq!(writes.load(), None);
        assert_eq!(client_percent(&document), 50.0);
        assert_eq!(client_seconds(&document), 6.0);
        assert!(!without_bins(document).to_string().contains("bins"));
    }
}
