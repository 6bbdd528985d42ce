//! A plan, as `plan --format json` prints it.

use dw_documents::LimitId;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    pub(crate) answer: String,
    #[serde(default)]
    pub(crate) currency: String,
    pub(crate) plan: Option<Offer>,
    pub(crate) certificate: Option<Certificate>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) alternatives: Vec<Offer>,
    #[serde(default)]
    pub(crate) why_not: Vec<WhyNot>,
    pub(crate) conflict: Option<Conflict>,
    #[serde(default)]
    pub(crate) assumptions: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Offer {
    pub(crate) vm: String,
    #[serde(default)]
    pub(crate) vm_edition: String,
    pub(crate) vm_monthly: f64,
    pub(crate) monthly: f64,
    pub(crate) time_met_percent: f64,
    pub(crate) breaks_in_year: Option<u32>,
    pub(crate) volumes: Vec<Volume>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Volume {
    #[serde(default)]
    pub(crate) gates: Vec<String>,
    pub(crate) name: String,
    pub(crate) disk: Option<String>,
    pub(crate) disks: u32,
    pub(crate) disk_gib: Option<u64>,
    pub(crate) disk_iops: Option<u64>,
    pub(crate) disk_mb_per_s: Option<u64>,
    pub(crate) monthly: f64,
    pub(crate) host_cache: String,
    #[serde(default)]
    pub(crate) hit_percent: f64,
    pub(crate) stripe_unit: Option<u64>,
    pub(crate) stripe_reason: Option<String>,
    #[serde(default)]
    pub(crate) queue_depth: u64,
    #[serde(default)]
    pub(crate) read_latency_us: u64,
    #[serde(default)]
    pub(crate) write_latency_us: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Certificate {
    pub(crate) bound: f64,
    pub(crate) runner_up: Option<f64>,
    pub(crate) examined: usize,
    pub(crate) offered: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Limit {
    pub(crate) limit: String,
    pub(crate) id: Option<LimitId>,
    pub(crate) volume: Option<String>,
    pub(crate) unit: String,
    pub(crate) capacity: f64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    pub(crate) headroom_percent: f64,
    #[serde(default)]
    pub(crate) exceeded: usize,
    #[serde(default)]
    pub(crate) binding: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WhyNot {
    pub(crate) vm: String,
    pub(crate) why: String,
    pub(crate) monthly: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Conflict {
    pub(crate) limits: Vec<String>,
    pub(crate) nearest_percent: Option<f64>,
    pub(crate) nearest: Option<String>,
}

impl Limit {
    /// With its volume: `data disk IOPS`.
    pub(crate) fn name(&self) -> String {
        self.volume.as_ref().map_or_else(|| self.limit.clone(), |volume| format!("{volume} {}", self.limit))
    }
}

impl Volume {
    /// `2 x P30`, `Ultra of 100 GiB, 4,000 IOPS, 50 MB/s`, `local disk`.
    pub(crate) fn disks_said(&self) -> String {
        let Some(disk) = &self.disk else { return "local disk".into() };
        let each = match (self.disk_gib, self.disk_iops, self.disk_mb_per_s) {
            (Some(gib), Some(iops), Some(mb)) => format!(" of {gib} GiB, {iops} IOPS, {mb} MB/s"),
            _ => String::new(),
        };
        if self.disks > 1 { format!("{} x {disk}{each}", self.disks) } else { format!("{disk}{each}") }
    }
}
