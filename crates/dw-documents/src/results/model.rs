//! What a benchmark measured, whichever tool it was: the record that predictions and requirements are compared with.
//!
//! Base units everywhere: bytes, bytes per second, nanoseconds, I/Os per second, percent. What a tool does not print is absent,
//! never zero. A figure that follows from others of the same file (I/Os over seconds) is computed where the tool prints none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;

/// Version of this record's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// One result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredRun {
    /// Version of this record's shape.
    pub schema_version: u32,
    /// The file as it was named.
    pub file: String,
    /// What the file was recognised as.
    pub format: ResultFormat,
    /// Which program did the I/O.
    pub tool: Tool,
    /// Its version, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When it ran, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// True for a prediction of diskwright's own: nothing was measured on a device.
    pub simulated: bool,
    /// How many whole results the file holds; of those that count on (`--status-interval`), figures are those of the last, and each run that
    /// follows another is a test of its own.
    pub documents: u32,
    /// The command line, where the tool prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    /// Options that hold for every entry, names and values as printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Setting>,
    /// What was measured. Those without `included_in` count every I/O once.
    pub entries: Vec<Entry>,
    /// What the operating system counted for each disk meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<DiskUse>,
    /// Everything that makes the figures less than they seem, each with its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A kind of result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResultFormat {
    /// fio's JSON, or JSON+ where entries carry histograms. `bw` in KiB/s, `bw_bytes` in bytes per second, latency in ns.
    FioJson,
    /// fio's text for people. Rates rounded to three or four digits: MiB/s (and, in brackets, decimal MB/s).
    FioText,
    /// fio's terse lines, versions 2 to 5. KiB/s, whole microseconds.
    FioTerse,
    /// DiskSpd's text. MiB/s, milliseconds with three decimals.
    DiskspdText,
    /// DiskSpd's XML (`-Rxml`). Bytes and I/Os; rates are computed from `TestTimeSeconds`.
    DiskspdXml,
    /// Iometer's CSV. MBps of 10^6 or of 2^20, by the name of the column; milliseconds.
    IometerCsv,
}

/// The program that did the I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// fio.
    Fio,
    /// DiskSpd.
    Diskspd,
    /// Iometer.
    Iometer,
    /// diskwright: a prediction.
    Diskwright,
}

/// An option with its value, both as the tool prints them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value; empty for a switch.
    pub value: String,
}

/// Something that makes a figure less than it seems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// The line of the file, from 1.
    pub line: u64,
    /// What it is; what the tool said is in its own words.
    pub text: Sentence,
}

/// What one entry of a result is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Everything that ran together: a DiskSpd time span, Iometer's ALL row, fio's "All clients".
    Total,
    /// A group of jobs reported as one (`group_reporting`).
    Group,
    /// One job or one clone of it.
    Job,
    /// One computer that took part.
    Host,
    /// One thread, or worker.
    Thread,
    /// One target of one thread.
    Target,
}

/// One entry of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The tool's own name of it: job, time span, worker, target.
    pub name: String,
    /// What it is about.
    pub scope: Scope,
    /// Index of the entry of the same file whose figures already contain this one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included_in: Option<usize>,
    /// Which test of the file, from 0: fio's group, DiskSpd's time span, Iometer's block of results.
    pub test: u32,
    /// The line where it begins, from 1.
    pub line: u64,
    /// The computer, where the tool names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What was asked for, as far as the result says.
    pub load: Load,
    /// Options of this entry, as printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Setting>,
    /// Seconds that the rates refer to, the longest of its directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_s: Option<f64>,
    /// Reads; absent when none are reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Figures>,
    /// Writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Figures>,
    /// Discards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trim: Option<Figures>,
    /// All directions together, where the tool reports that itself; see [`Entry::total`] for the sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixed: Option<Figures>,
    /// Flushes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync: Option<Figures>,
    /// Processor time of the computer that did the I/O.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Cpu>,
    /// I/Os that failed, where the tool counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Why it ended badly: fio's error number and text, DiskSpd's error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The operating system's number of the error, where the tool gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<u64>,
    /// Rates over time, in order; empty where the format carries none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Sample>,
}

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// What is done, in fio's words: `randread`, `randrw` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Percent of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_percent: Option<f64>,
    /// Percent of I/Os at a random offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_percent: Option<f64>,
    /// Bytes of an I/O, when all are alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub io_bytes: Option<u64>,
    /// Requests outstanding, of one worker (fio's clone; DiskSpd's thread and target; Iometer's worker and target); 1 for an
    /// engine of fio's that has no more, whatever was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_depth: Option<u64>,
    /// Workers: fio's clones, DiskSpd's threads, Iometer's workers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<u64>,
    /// Bytes of the target that may be touched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_bytes: Option<u64>,
    /// The targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Whether the operating system's cache was bypassed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// fio's engine; its default on Linux where none is among the options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Seconds asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_s: Option<f64>,
    /// Seconds of full load before the measured ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp_s: Option<f64>,
    /// Whether it was told to ask for no more than so much (a rate, a think time).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_paced: bool,
}

/// Figures of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// I/Os completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ios: Option<u64>,
    /// Bytes moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// I/Os per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// Seconds that the rates refer to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_s: Option<f64>,
    /// Latencies, each saying what it measures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latency: Vec<Latency>,
    /// How IOPS varied over the tool's own samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops_samples: Option<Spread>,
    /// How bytes per second varied over the tool's own samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s_samples: Option<Spread>,
    /// I/Os that moved fewer bytes than asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_ios: Option<u64>,
}

/// Minimum, mean, maximum and deviation of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Smallest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stddev: Option<f64>,
    /// How many samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

/// Which time a latency is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LatencyKind {
    /// Submission: from taking the request to handing it over (fio's slat).
    Slat,
    /// Completion: from handing it over to seeing it done (fio's clat).
    Clat,
    /// Both together (fio's lat; DiskSpd's latency and Iometer's response time, which begin before the call).
    Lat,
}

/// How percentiles were found, so that a difference inside their resolution is not taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PercentileRule {
    /// Middle of fio's bins: exact below 128 ns, 1/64 wide above.
    FioBins,
    /// Nearest rank over every I/O.
    NearestRank,
    /// Upper edge of the bin of a coarse histogram: the true value is at most this.
    UpperEdge,
}

/// One latency of one direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Which time.
    pub kind: LatencyKind,
    /// How many I/Os it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Shortest, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ns: Option<f64>,
    /// Mean, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// Longest, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<f64>,
    /// Standard deviation, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stddev_ns: Option<f64>,
    /// Percentiles, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percentiles: Vec<Percentile>,
    /// How they were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentile_rule: Option<PercentileRule>,
    /// The histogram, ascending; only histograms can be merged over jobs and hosts, percentiles cannot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<Bin>,
}

/// One percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Percentile {
    /// Percent of I/Os that are not slower.
    pub percent: f64,
    /// Nanoseconds.
    pub ns: f64,
}

/// One bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// Its value, in ns: fio's middle, Iometer's upper edge.
    pub ns: f64,
    /// I/Os in it.
    pub count: u64,
}

/// Rates of one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// End of the interval, in seconds from the start of the measured time.
    pub end_s: f64,
    /// Reads per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<f64>,
    /// Writes per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<f64>,
    /// I/Os per second of all directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes per second of all directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// Mean latency of reads, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_mean_ns: Option<f64>,
    /// Mean latency of writes, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_mean_ns: Option<f64>,
}

/// What percentages of processor time are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CpuBase {
    /// One core, averaged over the jobs (fio).
    OneCore,
    /// All processors of the computer (DiskSpd, Iometer).
    AllProcessors,
}

/// Processor time of the client.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cpu {
    /// What 100 % is.
    pub of: CpuBase,
    /// Percent in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_percent: Option<f64>,
    /// Percent in user mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_percent: Option<f64>,
    /// Percent in the kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_percent: Option<f64>,
    /// Percent of the busiest processor, where each is reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busiest_percent: Option<f64>,
    /// Seconds that 100 % is: how long its jobs ran, added up, where the tool says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_s: Option<f64>,
}

/// What the operating system counted for a disk while the tool ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskUse {
    /// Its name.
    pub name: String,
    /// Reads that reached it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_ios: Option<u64>,
    /// Writes that reached it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_ios: Option<u64>,
    /// Bytes read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<u64>,
    /// Bytes written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_bytes: Option<u64>,
    /// Reads merged into others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_merges: Option<u64>,
    /// Writes merged into others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_merges: Option<u64>,
    /// Percent of time with at least one request in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_percent: Option<f64>,
}

impl MeasuredRun {
    /// A run of which only the tool is known yet.
    pub fn new(format: ResultFormat, tool: Tool) -> MeasuredRun {
        MeasuredRun {
            schema_version: SCHEMA_VERSION,
            file: String::new(),
            format,
            tool,
            version: None,
            time: None,
            simulated: false,
            documents: 1,
            command_line: None,
            options: Vec::new(),
            entries: Vec::new(),
            disks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a note about a line.
    pub fn note(&mut self, line: u64, text: Sentence) {
        self.notes.push(Note { line: line.max(1), text });
    }
}

impl Entry {
    /// An entry of which only the name is known yet.
    pub fn new(name: impl Into<String>, scope: Scope, line: u64) -> Entry {
        Entry {
            name: name.into(),
            scope,
            included_in: None,
            test: 0,
            line: line.max(1),
            host: None,
            load: Load::default(),
            options: Vec::new(),
            elapsed_s: None,
            read: None,
            write: None,
            trim: None,
            mixed: None,
            sync: None,
            cpu: None,
            errors: None,
            failure: None,
            errno: None,
            series: Vec::new(),
        }
    }
}

impl Latency {
    /// A latency of which nothing is known yet.
    pub fn new(kind: LatencyKind) -> Latency {
        Latency {
            kind,
            samples: None,
            min_ns: None,
            mean_ns: None,
            max_ns: None,
            stddev_ns: None,
            percentiles: Vec::new(),
            percentile_rule: None,
            histogram: Vec::new(),
        }
    }
}
