//! What is read of fio's JSON, whoever wrote it: fio leaves fields out by version and option, so what is absent is zero here.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A job of fio, or a group of jobs that reports together.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Job {
    /// Its name.
    pub jobname: String,
    /// fio's error number; 0 = it ended well.
    #[serde(default)]
    pub error: i64,
    /// What it read.
    #[serde(default)]
    pub read: Direction,
    /// What it wrote.
    #[serde(default)]
    pub write: Direction,
}

/// One direction of a job.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Direction {
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bw_bytes: f64,
    /// KiB per second, which old versions print alone.
    pub bw: f64,
    /// I/Os.
    pub total_ios: u64,
    /// Latency after submission.
    pub clat_ns: Latency,
    /// The whole latency.
    pub lat_ns: Latency,
}

/// A latency in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Latency {
    /// Its mean.
    pub mean: f64,
    /// Nanoseconds by percentile, such as `99.000000`.
    pub percentile: Map<String, Value>,
}

impl Direction {
    /// Bytes per second; old versions print KiB only.
    pub fn bytes_per_s(&self) -> f64 {
        if self.bw_bytes > 0.0 { self.bw_bytes } else { self.bw * 1_024.0 }
    }

    /// Mean of the whole latency, or of the part after submission where that is all there is.
    pub fn mean_ns(&self) -> f64 {
        if self.lat_ns.mean > 0.0 { self.lat_ns.mean } else { self.clat_ns.mean }
    }

    /// Percentile and nanoseconds, in order.
    pub fn percentiles(&self) -> Vec<(f64, f64)> {
        let of = |latency: &Latency| -> Vec<(f64, f64)> {
            latency.percentile.iter().filter_map(|(p, v)| Some((p.parse().ok()?, v.as_f64()?))).collect()
        };
        let mut list = of(&self.clat_ns);
        if list.is_empty() {
            list = of(&self.lat_ns);
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list
    }
}
