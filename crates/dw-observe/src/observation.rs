//! What is known of a machine: volumes with checklists and distributions, and what to doubt.

use dw_messages::Sentence;
use dw_units::{Bytes, Duration};

use super::checklist::{Checklist, Rateless};
use super::finding::Finding;
use super::row_id::RowId;
use super::sample::Name;
use super::series::Series;
use super::volumes::{Doubt, LeftOut};
use super::windows::Window;

/// A source, for people.
#[derive(Clone, Debug)]
pub struct SourceInfo {
    pub tool: String,
    /// Files, by their index.
    pub files: Vec<u32>,
    /// What it was used for.
    pub used_for: Sentence,
}

/// How something is distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// `io_size`, `latency` or `queue_depth`.
    pub what: &'static str,
    /// Of what: I/Os, or means of intervals.
    pub of: String,
    /// From, to, share of one.
    pub buckets: Vec<(f64, f64, f64)>,
}

/// A volume, or all of them together.
#[derive(Clone, Debug)]
pub struct VolumeObservation {
    /// Its name; the sum is called `all volumes`.
    pub name: String,
    pub devices: Vec<Name>,
    /// What it did over time.
    pub series: Series,
    /// Whole first, then the windows.
    pub checklists: Vec<Checklist>,
    /// Distributions of sizes, latencies, outstanding requests.
    pub distributions: Vec<Distribution>,
    /// Why its requests are known, and how many a second is not.
    pub rateless: Option<Rateless>,
}

impl VolumeObservation {
    /// Whether nothing was recorded in a window that there is.
    pub fn is_empty_in(&self, window: &str) -> bool {
        let of_window = self.checklists.iter().find(|checklist| checklist.window == window);
        // Processors and memory may be of another source.
        let rows = [RowId::Iops, RowId::ReadIops, RowId::WriteIops, RowId::ThroughputAverage];
        of_window.is_some_and(|of| rows.into_iter().filter_map(|id| of.row(id)).all(|row| row.n == 0))
    }
}

/// Credits that bursts live on, as the provider counts them, in percent of the most that there can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Credits {
    /// What was read, as the provider calls it: what is used of them.
    pub metric: Name,
    /// The disk that they are of; none for the machine.
    pub device: Option<Name>,
    /// They are bytes rather than I/Os.
    pub in_bytes: bool,
    /// What was left at the first reading, and at the lowest.
    pub left_at_start: f64,
    pub left_least: f64,
}

/// Everything that is known.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The machine, when a file names it.
    pub machine: Option<Name>,
    /// Its processors, when a file says.
    pub cpus: Option<u32>,
    /// Its memory, when a file or the user says.
    pub memory_total: Option<Bytes>,
    pub kernel: Option<Name>,
    /// Who said all this.
    pub sources: Vec<SourceInfo>,
    /// All volumes together first, unless there is only one; then each.
    pub volumes: Vec<VolumeObservation>,
    pub credits: Vec<Credits>,
    /// Devices that are not counted.
    pub left_out: LeftOut,
    /// Devices that were counted or left out for what they did.
    pub doubts: Vec<Doubt>,
    /// Windows, whole first.
    pub windows: Vec<Window>,
    /// Length of the blocks of windows by load.
    pub load_block: Duration,
    /// Busy processors over time, in percent.
    pub cpu: Vec<(i64, f64)>,
    /// Memory in use over time, in bytes.
    pub memory: Vec<(i64, f64)>,
    /// What to doubt, the gravest first.
    pub findings: Vec<Finding>,
    /// Demand is multiplied by this for the plan.
    pub growth: f64,
    pub damaged_lines: u64,
}
