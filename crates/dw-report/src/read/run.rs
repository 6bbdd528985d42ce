//! A run: fio's JSON, and in a simulated one the `diskwright` object next to it.

use dw_documents::LimitId;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
pub(crate) struct Run {
    #[serde(rename = "fio version")]
    pub(crate) version: Option<String>,
    pub(crate) tool: Option<String>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) diskwright: Option<Summary>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Job {
    pub(crate) jobname: String,
    #[serde(default)]
    pub(crate) error: i64,
    #[serde(default)]
    pub(crate) read: Direction,
    #[serde(default)]
    pub(crate) write: Direction,
}

/// One direction of a job; fio leaves fields out by version and option.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Direction {
    pub(crate) iops: f64,
    pub(crate) bw_bytes: f64,
    pub(crate) bw: f64,
    pub(crate) total_ios: u64,
    pub(crate) clat_ns: Latency,
    pub(crate) lat_ns: Latency,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Latency {
    pub(crate) mean: f64,
    pub(crate) percentile: Map<String, Value>,
}

impl Direction {
    /// Bytes per second; old versions print KiB only.
    pub(crate) fn bytes_per_s(&self) -> f64 {
        if self.bw_bytes > 0.0 { self.bw_bytes } else { self.bw * 1_024.0 }
    }

    /// Mean of the whole latency, or of the part after submission where that is all there is.
    pub(crate) fn mean_ns(&self) -> f64 {
        if self.lat_ns.mean > 0.0 { self.lat_ns.mean } else { self.clat_ns.mean }
    }

    /// Percentile and nanoseconds, in order.
    pub(crate) fn percentiles(&self) -> Vec<(f64, f64)> {
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

#[derive(Debug, Deserialize)]
pub(crate) struct Summary {
    pub(crate) diskwright_version: String,
    #[serde(default)]
    pub(crate) partial: bool,
    pub(crate) seed: u64,
    pub(crate) simulated_ios: u64,
    pub(crate) virtual_s: f64,
    pub(crate) vm: Vm,
    pub(crate) start: Start,
    pub(crate) binding_limits: Vec<Binding>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) volumes: Vec<Volume>,
    #[serde(default)]
    pub(crate) doubts: Vec<Doubt>,
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    #[serde(default)]
    pub(crate) latency_models: Vec<Model>,
    #[serde(default)]
    pub(crate) latency: Vec<String>,
    #[serde(default)]
    pub(crate) series: Vec<Track>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Vm {
    pub(crate) size: Option<String>,
    pub(crate) edition: Option<String>,
    #[serde(default)]
    pub(crate) sources: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    pub(crate) cache: String,
    pub(crate) credits: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Binding {
    pub(crate) limit: Option<String>,
    pub(crate) sentence: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Limit {
    pub(crate) limit: String,
    pub(crate) id: Option<LimitId>,
    pub(crate) place: String,
    pub(crate) disks: Option<String>,
    pub(crate) unit: String,
    pub(crate) sustained: f64,
    pub(crate) burst: Option<f64>,
    pub(crate) available: f64,
    pub(crate) used: f64,
    pub(crate) headroom_percent: f64,
    #[serde(default)]
    pub(crate) waiting_percent: f64,
    pub(crate) credits_max: Option<f64>,
    #[serde(default)]
    pub(crate) holds: Vec<String>,
}

impl Limit {
    /// With its volume: `data disk IOPS (2 x P30)`.
    pub(crate) fn name(&self) -> String {
        match &self.disks {
            Some(disks) => format!("{} {} ({disks})", self.place, self.limit),
            None => self.limit.clone(),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Volume {
    #[serde(default)]
    pub(crate) gates: Vec<String>,
    pub(crate) name: String,
    pub(crate) disks: String,
    pub(crate) host_cache: String,
    pub(crate) read: Option<Load>,
    pub(crate) write: Option<Load>,
    #[serde(default)]
    pub(crate) queue_depth: f64,
    pub(crate) cache: Option<Cache>,
    pub(crate) on_demand_transactions: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Load {
    pub(crate) iops: f64,
    pub(crate) bytes_per_s: f64,
    pub(crate) latency_ns: Option<Quantiles>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Quantiles {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p99_9: f64,
    pub(crate) max: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Cache {
    pub(crate) hits_ram: u64,
    pub(crate) hits_ssd: u64,
    pub(crate) misses: u64,
    pub(crate) hit_percent: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Doubt {
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Model {
    pub(crate) place: String,
    pub(crate) model: String,
    pub(crate) grade: String,
    pub(crate) reason: String,
}

/// One volume and direction over time; lists are equally long.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Track {
    pub(crate) volume: String,
    pub(crate) direction: String,
    pub(crate) end_s: Vec<f64>,
    pub(crate) iops: Vec<f64>,
    pub(crate) bytes_per_s: Vec<f64>,
    pub(crate) latency_mean_ns: Vec<f64>,
    pub(crate) hit_percent: Option<Vec<f64>>,
    pub(crate) waits_at: Vec<Option<String>>,
    pub(crate) waited_percent: Vec<f64>,
}

impl Track {
    /// Leaves out a last interval much shorter than the one before: what was in flight at the end, which is not a rate.
    pub(crate) fn without_tail(&mut self) {
        let [.., a, b, c] = self.end_s[..] else { return };
        if c - b >= (b - a) / 10.0 {
            return;
        }
        let count = self.end_s.len() - 1;
        self.end_s.truncate(count);
        self.iops.truncate(count);
        self.bytes_per_s.truncate(count);
        self.latency_mean_ns.truncate(count);
        self.waits_at.truncate(count);
        self.waited_percent.truncate(count);
        self.hit_percent.iter_mut().for_each(|hits| hits.truncate(count));
    }
}
