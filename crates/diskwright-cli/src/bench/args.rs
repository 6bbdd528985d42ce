//! What can be typed after `diskwright bench`.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use diskwright::bench::Access;
use dw_catalogue::LatencySetting;

use super::document::Mode;
use crate::{choice, latency};

const EXAMPLES: &str =
    "Runs a suite or job files on files and devices (--target), on the emulated rig (--emulate), or in virtual
time (--simulate). To resume an interrupted benchmark, repeat the same command.

Examples:
  diskwright bench rig.toml --simulate
  diskwright bench rig.toml --emulate --file-size 1GiB --runtime 10s
  diskwright bench rig.toml --target data=/mnt/data --target log=/dev/sdd --format json > result.json
  diskwright bench rig.toml --suite queue-depth --target data=/dev/sdc --destroy /dev/sdc
  diskwright bench rig.toml --suite checklist --requirements requirements.toml --emulate
  diskwright bench rig.toml --job fioread.ini --job fiowrite.ini --require fioread=64000 --emulate

Exit codes: 0 done, 2 usage, 3 wrong input, 5 a required rate was missed, 11 no usable fio, 12 fio could not finish, 13 a target holds data, 130
interrupted (docs/guide/exit-codes.md).";

/// Options of `bench`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Scenario file: the VM and its disks
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// Suite to run
    #[arg(long, value_enum, default_value_t, value_name = "SUITE")]
    pub suite: SuiteName,
    /// Run this job file (fio, DiskSpd profile or Iometer .icf) instead of a suite, as one scenario; may be repeated
    #[arg(long, value_name = "FILE")]
    pub job: Vec<PathBuf>,
    /// Run this DiskSpd command line instead of a suite; may be repeated
    #[arg(long, value_name = "CMDLINE", allow_hyphen_values = true)]
    pub diskspd: Vec<String>,
    /// Requirements for --suite checklist
    #[arg(long, value_name = "REQUIREMENTS.toml")]
    pub requirements: Option<PathBuf>,
    /// Rate that a scenario must reach, in IOPS or with a unit: `max-read-iops=64000`, `fioread=500MB/s`; may be repeated
    #[arg(long, value_name = "SCENARIO=RATE")]
    pub require: Vec<String>,

    /// Directory, file or device that receives a volume's I/O; once per volume
    #[arg(long, value_name = "VOLUME=PATH", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub target: Vec<String>,
    /// Measure the emulated rig
    #[arg(long, conflicts_with = "simulate", help_heading = "Where")]
    pub emulate: bool,
    /// Simulate the procedure in virtual time instead of measuring
    #[arg(long, help_heading = "Where")]
    pub simulate: bool,
    /// Allow all data on this target to be destroyed; may be repeated
    #[arg(long, value_name = "PATH", requires = "target", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub destroy: Vec<PathBuf>,
    /// Run on this host, which runs `fio --server`; targets are paths there; may be repeated
    #[arg(long, value_name = "HOST", requires = "target", conflicts_with_all = ["emulate", "simulate"], help_heading = "Where")]
    pub client: Vec<String>,
    /// Path of fio; default: the first on PATH
    #[arg(long, value_name = "PATH", env = "DISKWRIGHT_FIO", help_heading = "Where")]
    pub fio: Option<PathBuf>,
    /// Directory for the state and fio's files; default: bench-SUITE in the current directory
    #[arg(long, value_name = "DIR", help_heading = "Where")]
    pub dir: Option<PathBuf>,
    /// Discard the state in --dir and start again
    #[arg(long, help_heading = "Where")]
    pub fresh: bool,

    /// Size of the test file on each volume; default: 200GiB as published, 1GiB with --emulate
    #[arg(long, value_name = "SIZE", help_heading = "How long, how large")]
    pub file_size: Option<String>,
    /// Measured time of each scenario; default: 30s, or the job file's
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub runtime: Option<String>,
    /// Ramp-up time, excluded from the results; default: none, or the job file's
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub ramp: Option<String>,
    /// Time spent reading to warm the cache; default: every block once
    #[arg(long, value_name = "TIME", help_heading = "How long, how large")]
    pub warm_up: Option<String>,
    /// Position of the default models within the published latencies; default: the scenario's, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING", help_heading = "How long, how large")]
    pub latency: Option<LatencySetting>,
    /// Run the suite on this volume only
    #[arg(long, value_name = "VOLUME", help_heading = "How long, how large")]
    pub volume: Option<String>,
    /// Request size in the queue-depth and latency-at-load suites
    #[arg(long, value_name = "SIZE", default_value = "8KiB", help_heading = "How long, how large")]
    pub io_size: String,
    /// Access pattern of sweeps
    #[arg(long, value_parser = accesses(), default_value = "randread", value_name = "RW", help_heading = "How long, how large")]
    pub rw: Access,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: BenchFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Hide progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Suites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SuiteName {
    /// Maximum reads, writes and mixed I/O, in IOPS and in MB/s
    #[default]
    DesignGuide,
    /// IOPS and latency by queue depth, and the knee
    QueueDepth,
    /// IOPS and throughput by request size
    BlockSize,
    /// Latency by load, as a share of the maximum
    LatencyAtLoad,
    /// The demand of a checklist at each percentile
    Checklist,
}

/// Reads what requests do.
fn accesses() -> impl TypedValueParser<Value = Access> {
    let about = |access| match access {
        Access::RandomRead => "Random reads",
        Access::RandomWrite => "Random writes",
        Access::Read => "Sequential reads",
        Access::Write => "Sequential writes",
    };
    choice::parser(Access::ALL, Access::word, about)
}

/// Forms of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BenchFormat {
    /// A table
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema bench`)
    Json,
    /// Markdown tables
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
