//! The result of a benchmark: what every format prints, what a resumed run continues, and what `verify`, `calibrate` and the
//! report read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::measure::{Facts, Load, Machine};
use crate::tag::OfBench;
use crate::{Sentence, format};

/// What `bench` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright bench result")]
#[serde(deny_unknown_fields)]
pub struct BenchDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfBench,
    /// Version of the program.
    pub diskwright_version: String,
    /// What the figures of this run are from.
    pub mode: Mode,
    /// The suite, or `jobs`.
    pub suite: String,
    /// Some scenario is not finished: the run was interrupted or failed, and may be resumed.
    pub partial: bool,
    /// The VM with its disks.
    pub rig: Rig,
    /// How long and how large everything was.
    pub procedure: Procedure,
    /// What was read and written, one entry per volume; empty in virtual time.
    pub targets: Vec<Target>,
    /// The machine that fio ran on; absent in virtual time.
    pub machine: Option<Machine>,
    /// fio; absent in virtual time.
    pub fio: Option<FioProgram>,
    /// Making the files, filling them, warming the cache.
    pub preparation: Vec<Step>,
    /// Every scenario, in order.
    pub scenarios: Vec<Scenario>,
    /// Required, predicted and measured, one line per figure.
    pub rows: Vec<Row>,
    /// What the scenarios say together, such as where a knee is.
    pub findings: Vec<Finding>,
    /// What spoils a result, or makes it mean less.
    pub warnings: Vec<Warning>,
    /// When it was; nothing else here depends on the clock. A report leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// What the figures are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// fio on files and devices.
    Disks,
    /// fio on the emulator's exports.
    Emulated,
    /// The simulator alone.
    Simulated,
}

/// The VM with its disks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rig {
    /// The scenario file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The files with latency models that it names, by name and text.
    pub latency_models: Vec<(String, String)>,
    /// Where within the published latencies the prediction takes the default models, when it was chosen for this
    /// benchmark: optimistic, typical, cautious.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<String>,
    /// Where the latencies of the prediction are from, one sentence a model; absent in results of before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latency_from: Vec<Sentence>,
    /// The VM size; absent when the scenario describes one of its own.
    pub vm: Option<String>,
    /// The edition of the catalogue.
    pub edition: Option<String>,
    /// Ids of the catalogue's sources.
    pub sources: Vec<String>,
    /// The volumes.
    pub volumes: Vec<RigVolume>,
}

/// A volume of the rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RigVolume {
    /// Its name.
    pub name: String,
    /// Its disks, such as `10 x P30`.
    pub disks: String,
    /// `None`, `ReadOnly` or `ReadWrite`.
    pub host_cache: String,
    /// Its size.
    pub bytes: u64,
}

/// How long and how large everything was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Procedure {
    /// Seconds that are measured in each scenario.
    pub measure_s: f64,
    /// Seconds at full load before that, not counted.
    pub ramp_s: f64,
    /// Bytes of the test file on each volume.
    pub file_bytes: u64,
    /// How it differs from the published procedure; absent when it does not.
    pub scaled: Option<Sentence>,
    /// Hosts that ran fio; empty = this one.
    pub clients: Vec<String>,
}

/// Where the I/O of a volume went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The volume.
    pub volume: String,
    /// What is known of it; absent when it is on another host.
    pub facts: Option<Facts>,
    /// Its path.
    pub path: String,
    /// The engine of fio.
    pub engine: String,
}

/// The fio that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FioUsed")]
pub struct FioProgram {
    /// The program.
    pub path: String,
    /// What it calls itself.
    pub version: String,
}

/// How far something has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Not begun.
    Planned,
    /// Stopped before its end: the figures are those up to then.
    Partial,
    /// It failed: there are no figures.
    Failed,
    /// Finished.
    Done,
}

/// A step of the preparation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// `initialise` (every block is written once) or `warm up` (every block is read once).
    pub name: String,
    /// The volume.
    pub volume: String,
    /// How far it has come.
    pub state: State,
    /// Bytes that it moved.
    pub bytes: u64,
    /// Seconds that the simulator says it takes on this rig, from a cold cache.
    pub predicted_s: f64,
    /// Seconds that it took; absent before, and in virtual time.
    pub seconds: Option<f64>,
    /// The job file, as it was run.
    pub job: String,
}

impl Step {
    /// Unique in the benchmark, without blanks.
    pub fn file_name(&self) -> String {
        format!("{}-{}", self.name.replace(' ', "-"), self.volume)
    }
}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its id, unique in the document.
    pub id: String,
    /// In words.
    pub title: String,
    /// Its place in a curve; absent when it is not part of one.
    pub point: Option<Point>,
    /// How far it has come.
    pub state: State,
    /// Why it failed.
    pub failure: Option<Sentence>,
    /// The job file, as fio ran it.
    pub job: String,
    /// What the simulator says of the same job on the same rig: every volume and direction, and `all` together.
    pub predicted: Vec<Share>,
    /// What fio measured.
    pub measured: Vec<Share>,
    /// What holds each volume, as the simulator sees it.
    pub binding: Vec<Binding>,
    /// I/Os per second, second by second, ramp included.
    pub series: Vec<Second>,
    /// The busiest job of fio, in percent of one processor.
    pub client_cpu_percent: Option<f64>,
    /// fio's own JSON, without its latency bins.
    pub fio: Option<Value>,
}

/// A place in a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The curve, for example `queue depth of data`.
    pub curve: String,
    /// What changes along it: `queue depth`, `io size`, `offered load`.
    pub axis: String,
    /// Its unit: empty for counts, `B`, `%`.
    pub unit: String,
    /// Where on it.
    pub value: f64,
}

/// The load of a volume in a direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The volume; `all` for all of them together, which is known by its direction: a volume may have that name, too.
    pub volume: String,
    /// `read` or `write`; `all` for the sum over all volumes, and for nothing else.
    pub direction: String,
    /// The load.
    #[serde(flatten)]
    pub load: Load,
}

impl Share {
    /// The direction of the sum over all volumes.
    pub const TOTAL: &str = "all";

    /// Whether it is the sum over all volumes.
    pub fn is_total(&self) -> bool {
        self.direction == Share::TOTAL
    }
}

/// What holds a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The volume.
    pub volume: String,
    /// The limit; absent when none holds it.
    pub limit: Option<String>,
    /// In a sentence.
    pub sentence: Sentence,
}

/// A second of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Second {
    /// Since the start of fio.
    pub at_s: f64,
    /// Reads per second, to three digits or four.
    pub read_iops: f64,
    /// Writes per second.
    pub write_iops: f64,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// I/Os per second: more is better.
    Iops,
    /// Bytes per second: more is better.
    Throughput,
    /// Mean latency, in nanoseconds: less is better.
    LatencyMean,
    /// Median of the latency.
    LatencyP50,
    /// Its 90th percentile.
    LatencyP90,
    /// Its 95th percentile.
    LatencyP95,
    /// Its 99th percentile.
    LatencyP99,
}

/// Required, predicted, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Id of the scenario.
    pub scenario: String,
    /// The volume, or `all`.
    pub volume: String,
    /// `read`, `write` or `all`.
    pub direction: String,
    /// What the figures are of.
    pub metric: Metric,
    /// `IOPS`, `B/s` or `ns`.
    pub unit: String,
    /// What was asked for.
    pub required: Option<f64>,
    /// What the simulator says.
    pub predicted: Option<f64>,
    /// What fio measured.
    pub measured: Option<f64>,
    /// Measured over predicted, less 100 %.
    pub difference_percent: Option<f64>,
    /// The limit that holds it, as the simulator sees it.
    pub limit: Option<String>,
    /// Whether the measurement, or the prediction where there is none, meets what was asked for; absent when nothing was.
    pub met: Option<bool>,
}

/// What scenarios say together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// `knee` or `crossover`.
    pub kind: String,
    /// The curve.
    pub curve: String,
    /// `predicted` or `measured`.
    pub from: String,
    /// Where on the axis.
    pub value: f64,
    /// In a sentence.
    pub text: Sentence,
}

/// What spoils a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// Which.
    pub kind: WarningKind,
    /// Id of the scenario; absent when it is about all of them.
    pub scenario: Option<String>,
    /// Cause and next step.
    pub text: Sentence,
}

/// What can spoil a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// The target cannot be read past the page cache.
    NoDirectIo,
    /// The page cache holds part of the file.
    PageCache,
    /// The file is smaller than a cache that should not help, or larger than the one that should hold it.
    FileSize,
    /// fio has no processor time left.
    ClientCpu,
    /// The machine has none left.
    MachineCpu,
    /// Other programs used the processors.
    OtherLoad,
    /// Too few seconds or I/Os.
    TooShort,
    /// The rate changed within the run.
    Drift,
    /// The processors' frequency may change.
    Governor,
    /// The emulator was late.
    Lateness,
    /// The scenario was stopped before its end.
    Partial,
    /// Something about the procedure.
    Procedure,
}

/// When it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// Start of the first part, seconds since 1970.
    pub started: u64,
    /// End of the last part.
    pub ended: u64,
    /// How often it was continued.
    pub resumed: u32,
}

/// The schema.
pub fn schema() -> Value {
    schemars::schema_for!(BenchDocument).to_value()
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 7] = [
        Metric::Iops,
        Metric::Throughput,
        Metric::LatencyMean,
        Metric::LatencyP50,
        Metric::LatencyP90,
        Metric::LatencyP95,
        Metric::LatencyP99,
    ];

    /// The figure of a load.
    pub fn value_in(self, load: &Load) -> Option<f64> {
        let latency = load.latency_ns.as_ref();
        match self {
            Metric::Iops => Some(load.iops),
            Metric::Throughput => Some(load.bytes_per_s),
            Metric::LatencyMean => latency.map(|l| l.mean),
            Metric::LatencyP50 => latency?.p50.map(|ns| ns as f64),
            Metric::LatencyP90 => latency?.p90.map(|ns| ns as f64),
            Metric::LatencyP95 => latency?.p95.map(|ns| ns as f64),
            Metric::LatencyP99 => latency?.p99.map(|ns| ns as f64),
        }
    }

    /// A figure for people, with its unit; `-` for none.
    pub fn shown(self, value: Option<f64>) -> String {
        match (self, value) {
            (_, None) => "-".into(),
            (Metric::Iops, Some(value)) => format::iops(value),
            (Metric::Throughput, Some(value)) => format::mb_s(value),
            (_, Some(value)) => format!("{} ms", format::milliseconds(value)),
        }
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Iops => "IOPS",
            Metric::Throughput => "B/s",
            _ => "ns",
        }
    }

    /// Whether more of it is better.
    pub fn more_is_better(self) -> bool {
        matches!(self, Metric::Iops | Metric::Throughput)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Metric::Iops => "IOPS",
            Metric::Throughput => "throughput",
            Metric::LatencyMean => "mean latency",
            Metric::LatencyP50 => "median latency",
            Metric::LatencyP90 => "p90 latency",
            Metric::LatencyP95 => "p95 latency",
            Metric::LatencyP99 => "p99 latency",
        }
    }
}

impl BenchDocument {
    /// A scenario in words.
    pub fn title(&self, id: &str) -> String {
        self.scenarios.iter().find(|s| s.id == id).map_or_else(|| id.to_string(), |s| s.title.clone())
    }
}

impl Mode {
    /// As it stands in a document.
    pub const fn word(self) -> &'static str {
        match self {
            Mode::Disks => "disks",
            Mode::Emulated => "emulated",
            Mode::Simulated => "simulated",
        }
    }
}
