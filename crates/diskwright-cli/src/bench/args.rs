//! What can be typed after `diskwright bench`.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use diskwright::bench::Access;
use dw_catalogue::LatencySetting;

use super::document::Mode;
use crate::{choice, latency};

const EXAMPLES: &str =
    "A suite, or job files, on one of three: files and devices (--target), the rig emulated (--emulate), or in virtual
time (--simulate). A benchmark that was interrupted goes on where it stopped when the same command is given again.

Examples:
  diskwright bench rig.toml --simulate
  diskwright bench rig.toml --emulate --file-size 1GiB --runtime 10s
  diskwright bench rig.toml --target data=/mnt/data --target log=/dev/sdd --format json > result.json
  diskwright bench rig.toml --suite queue-depth --target data=/dev/sdc --destroy /dev/sdc
  diskwright bench rig.toml --suite checklist --requirements requirements.toml --emulate
  diskwright bench rig.toml --job fioread.ini --job fiowrite.ini --require fioread=64000 --emulate

Exit codes: 0 done, 2 usage, 3 wrong input, 5 what is required is not reached, 11 no usable fio, 12 fio could not finish, 13 a target holds data, 130
interrupted (docs/guide/exit-codes.md).";

/// Options of `bench`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// The VM with its disks: a scenario file
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// What to run
    #[arg(long, value_enum, default_value_t, value_name = "SUITE")]
    pub suite: SuiteName,
    /// Run this job file in place of a suite, as one scenario: fio's, DiskSpd's profile or Iometer's .icf; may be repeated
    #[arg(long, value_name = "FILE")]
    pub job: Vec<PathBuf>,
    /// Run this DiskSpd command line in place of a suite; may be repeated
    #[arg(long, value_name = "CMDLINE", allow_hyphen_values = true)]
    pub diskspd: Vec<String>,
    /// The checklist that --suite checklist asks for
    #[arg(long, value_name = "REQUIREMENTS.toml")]
    pub requirements: Option<PathBuf>,
    /// What a scenario must reach, in IOPS or with a unit: `max-read-iops=64000`, `fioread=500MB/s`; may be repeated
    #[arg(long, value_name = "SCENARIO=RATE")]
    pub require: Vec<String>,

    /// Where a volume's I/O goes: a folder, a file, a device; once a volume
    #[arg(long, value_name = "VOLUME=PATH", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub target: Vec<String>,
    /// Emulate the rig and measure that
    #[arg(long, conflicts_with = "simulate", help_heading = "Where")]
    pub emulate: bool,
    /// Measure nothing: the same procedure in virtual time
    #[arg(long, help_heading = "Where")]
    pub simulate: bool,
    /// Everything on this target may be lost; may be repeated
    #[arg(long, value_name = "PATH", requires = "target", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub destroy: Vec<PathBuf>,
    /// Run on this host, where `fio --server` runs; may be repeated. The targets are paths there
    #[arg(long, value_name = "HOST", requires = "target", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub client: Vec<String>,
    /// The fio to use; default: the first on PATH
    #[arg(long, value_name = "PATH", env = "DISKWRIGHT_FIO", help_heading = "Where")]
    pub fio: Option<PathBuf>,
    /// Keep the state and fio's files here; default: bench-SUITE in the current folder
    #[arg(long, value_name = "DIR", help_heading = "Where")]
    pub dir: Option<PathBuf>,
    /// Forget what --dir holds and start again
    #[arg(long, help_heading = "Where")]
    pub fresh: bool,

    /// Size of the test file on each volume; default: 200GiB as the guide has it, 1GiB with --emulate
    #[arg(long, value_name = "SIZE", help_heading = "How long, how large")]
    pub file_size: Option<String>,
    /// What is measured of each scenario; default: 30s, or what a job file says
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub runtime: Option<String>,
    /// Full load before that, not counted; default: none, or what a job file says
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub ramp: Option<String>,
    /// Read this long to warm the cache; default: every block once
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub warm_up: Option<String>,
    /// Where within the published latencies the default models lie; default: as the scenario says, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING", help_heading = "How long, how large")]
    pub latency: Option<LatencySetting>,
    /// Only this volume, for suites
    #[arg(long, value_name = "VOLUME", help_heading = "How long, how large")]
    pub volume: Option<String>,
    /// Size of a request in the queue-depth and latency-at-load suites
    #[arg(long, value_name = "SIZE", default_value = "8KiB", help_heading = "How long, how large")]
    pub io_size: String,
    /// What requests do in sweeps
    #[arg(long, value_parser = accesses(), default_value = "randread", value_name = "RW", help_heading = "How long, how large")]
    pub rw: Access,

    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: BenchFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// What to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SuiteName {
    /// The most reads, writes and both together, in IOPS and in MB/s
    #[default]
    DesignGuide,
    /// IOPS and latency by requests in flight, and where the knee is
    QueueDepth,
    /// IOPS against throughput by the size of a request
    BlockSize,
    /// Latency by the share of the most that is offered
    LatencyAtLoad,
    /// The demand of a checklist at each percentile
    Checklist,
}

/// Reads what requests do.
fn accesses() -> impl TypedValueParser<Value = Access> {
    let about = |access| match access {
        Access::RandomRead => "Reads at random offsets",
        Access::RandomWrite => "Writes at random offsets",
        Access::Read => "Reads in sequence",
        Access::Write => "Writes in sequence",
    };
    choice::parser(Access::ALL, Access::word, about)
}

/// Forms of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BenchFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema bench`)
    Json,
    /// Tables for a page of text
    Markdown,
    /// One line per figure
    Csv,
}

impl BenchArgs {
    /// Whether job files stand in place of a suite.
    pub fn has_jobs(&self) -> bool {
        !self.job.is_empty() || !self.diskspd.is_empty()
    }

    /// Where the state of a suite is.
    pub fn folder(&self, suite: &str, mode: Mode) -> PathBuf {
        let emulated = if mode == Mode::Emulated { "-emulated" } else { "" };
        self.dir.clone().unwrap_or_else(|| format!("bench-{suite}{emulated}").into())
    }
}
