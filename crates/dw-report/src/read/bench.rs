//! A benchmark, as `bench` writes it.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Bench {
    pub(crate) suite: String,
    /// disks, emulated or simulated.
    pub(crate) mode: String,
    #[serde(default)]
    pub(crate) partial: bool,
    #[serde(default)]
    pub(crate) procedure: Procedure,
    pub(crate) scenarios: Vec<Scenario>,
    pub(crate) rows: Vec<Row>,
    #[serde(default)]
    pub(crate) findings: Vec<Said>,
    #[serde(default)]
    pub(crate) warnings: Vec<Said>,
    pub(crate) machine: Option<Machine>,
    pub(crate) fio: Option<Fio>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Procedure {
    pub(crate) scaled: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Scenario {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) point: Option<Point>,
    pub(crate) failure: Option<String>,
    #[serde(default)]
    pub(crate) job: String,
    #[serde(default)]
    pub(crate) predicted: Vec<Share>,
    #[serde(default)]
    pub(crate) measured: Vec<Share>,
    #[serde(default)]
    pub(crate) series: Vec<Second>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Point {
    pub(crate) curve: String,
    pub(crate) axis: String,
    #[serde(default)]
    pub(crate) unit: String,
    pub(crate) value: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Share {
    pub(crate) volume: String,
    pub(crate) direction: String,
    pub(crate) iops: f64,
    pub(crate) latency_ns: Option<Latency>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Latency {
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p99: f64,
    pub(crate) p99_9: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Second {
    pub(crate) at_s: f64,
    pub(crate) read_iops: f64,
    pub(crate) write_iops: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) scenario: String,
    pub(crate) volume: String,
    pub(crate) direction: String,
    pub(crate) metric: String,
    pub(crate) unit: String,
    pub(crate) required: Option<f64>,
    pub(crate) predicted: Option<f64>,
    pub(crate) measured: Option<f64>,
    pub(crate) met: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Said {
    pub(crate) scenario: Option<String>,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Machine {
    pub(crate) kernel: String,
    pub(crate) processor: Option<String>,
    pub(crate) processors: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Fio {
    pub(crate) version: String,
}

impl Bench {
    /// A scenario in words.
    pub(crate) fn title(&self, id: &str) -> String {
        self.scenarios.iter().find(|s| s.id == id).map_or_else(|| id.to_string(), |s| s.title.clone())
    }
}
