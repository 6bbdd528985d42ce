//! The command line: names, help, nothing else.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use dw_catalogue::LatencySetting;
use dw_formats::scenario::CacheStart;
use dw_messages::Language;

use crate::amounts;
use crate::audit::AuditArgs;
use crate::bench::BenchArgs;
use crate::calibrate::CalibrateArgs;
use crate::catalogue::CatalogueCommand;
use crate::choice;
use crate::convert::ConvertArgs;
use crate::explain::ExplainArgs;
use crate::init::InitArgs;
use crate::latency;
use crate::linux::{ctl::CtlArgs, emulate::EmulateArgs, top::TopArgs};
use crate::man::ManArgs;
use crate::observe::ObserveArgs;
use crate::plan::PlanArgs;
use crate::provision::ProvisionArgs;
use crate::reporting::ReportArgs;
use crate::rig::RigArgs;
use crate::studio::StudioArgs;
use crate::verify::VerifyArgs;

const EXAMPLES: &str = "Examples:
  diskwright simulate examples/ds14-benchmark/rig.toml examples/ds14-benchmark/fioreadwrite.ini
  diskwright simulate rig.toml mine.fio --runtime 30 --format json
  diskwright catalogue show DS14";

const SIMULATE_EXAMPLES: &str =
    "All other options are fio options and mean what they mean to fio: --runtime 30, --iodepth=64, -bs=8k.

Examples:
  diskwright simulate rig.toml mine.fio
  diskwright simulate rig.toml mine.fio --sweep iodepth=1,2,4,8,16 --sweep bs=4k,64k
  diskwright simulate rig.toml --diskspd '-c200G -b8K -r -o32 -t4 -w30 -d60 -Sh -L F:\\test.dat'
  diskwright simulate rig.toml mine.fio --series 1min --format csv > curve.csv

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 130 interrupted (docs/guide/exit-codes.md).";

const COMPLETIONS_INSTALL: &str = "Install:
  bash   diskwright completions bash -o ~/.local/share/bash-completion/completions/diskwright
  zsh    diskwright completions zsh -o ~/.zfunc/_diskwright     # with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  fish   diskwright completions fish -o ~/.config/fish/completions/diskwright.fish

The directory must exist (`mkdir -p`). Restart your shell.";

/// Know what your disks will do before you pay for them.
#[derive(Debug, Parser)]
#[command(name = "diskwright", version = env!("DISKWRIGHT_VERSION"), after_help = EXAMPLES)]
pub struct Cli {
    /// Colour of messages and help; auto: on a terminal, subject to NO_COLOR and CLICOLOR_FORCE
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "auto|always|never",
        hide_possible_values = true,
        display_order = 900
    )]
    pub color: ColorWhen,
    /// Language of tables and reports: en, ja, ru, sv, zh-Hans; default: from LC_ALL, LC_MESSAGES or LANG
    #[arg(long, global = true, value_name = "LANG", value_parser = crate::language::parse, display_order = 901)]
    pub lang: Option<&'static Language>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run fio, DiskSpd, Iometer or vdbench workloads on a described VM, in virtual time, and show which limit throttles them
    Simulate(SimulateArgs),
    /// Emulate a VM's disks on this machine, as block devices in real time (NBD)
    Emulate(Box<EmulateArgs>),
    /// Control a running emulation: crash it, change its disks, inject faults
    Ctl(CtlArgs),
    /// Watch a running emulation: limits as bars, volumes, lateness
    Top(TopArgs),
    /// Fill in the requirements checklist from recordings (iostat, PerfMon, traces ...) or live from this machine
    Observe(Box<ObserveArgs>),
    /// Find the cheapest VM size and disks that meet requirements, prove it, and explain why not others
    Plan(PlanArgs),
    /// Run the published benchmark procedure: with fio on disks or on the emulated rig, or in virtual time
    Bench(Box<BenchArgs>),
    /// Check benchmark results against requirements, and explain deviations from the prediction
    Verify(VerifyArgs),
    /// Fit a disk's latency model to benchmark results, and show the evidence
    Calibrate(CalibrateArgs),
    /// Write the scripts that build a plan and the jobs that verify it: cloud, stripes, file systems, fio, DiskSpd
    Provision(ProvisionArgs),
    /// Convert a workload between fio, DiskSpd and Iometer (or from vdbench), and list what the target cannot express
    Convert(ConvertArgs),
    /// Write a one-page report to decide from, from other commands' results or straight from recordings
    Report(Box<ReportArgs>),
    /// Open the interactive page in a browser: drop a recording, drag the load, see where the bottleneck moves
    Studio(StudioArgs),
    /// Explain a configuration's performance: which limit is the bottleneck, by how much, and the cheapest change
    Explain(ExplainArgs),
    /// Audit an estate: inventories of a cloud, Terraform plans, templates, clusters
    Audit(AuditArgs),
    /// Write the scenario of one machine of an inventory
    Rig(RigArgs),
    /// Browse VM sizes and disks
    #[command(subcommand, alias = "catalog")]
    Catalogue(CatalogueCommand),
    /// Print a starter file: a rig, requirements, a fio job or a recording
    Init(InitArgs),
    /// Print the JSON Schema of a file
    Schema {
        /// Which file
        which: SchemaName,
        /// Write it to a file instead of standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_INSTALL)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
        /// Write it to a file instead of standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print or write man pages
    Man(ManArgs),
}

/// When something is in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set; always with CLICOLOR_FORCE
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Files with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// Scenario files (rig.toml)
    #[value(alias = "rig")]
    Scenario,
    /// The `diskwright` object of a result
    Result,
    /// Output of `simulate --sweep ... --output-format json`
    Sweep,
    /// Control protocol of an emulation: one request line, one response line
    Control,
    /// Output of `observe --format json`
    Checklist,
    /// Requirements that a plan must meet (requirements.toml)
    Requirements,
    /// Output of `plan --format json`
    Plan,
    /// Output of `bench --format json`
    Bench,
    /// Output of `verify --format json`
    Verify,
    /// Output of `calibrate --format json`
    Calibration,
    /// Measurements read from a benchmark result of any supported tool
    Measured,
    /// Output of `plan diff --format json`
    PlanDiff,
    /// Output of `plan --compare --format json`
    PlanComparison,
    /// Output of `explain --format json`
    Explain,
    /// Output of `audit --format json`
    Audit,
}

/// Options of `simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_EXAMPLES, override_usage = "diskwright simulate [OPTIONS] RIG.toml JOB... [FIO OPTIONS]\n       diskwright simulate [OPTIONS] RIG.toml --diskspd CMDLINE")]
pub struct SimulateArgs {
    /// Scenario file: the VM and its disks
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// fio job files, run in order; or one DiskSpd profile, Iometer configuration, vdbench parameter file
    /// or requirements.toml; `-` is standard input
    #[arg(value_name = "JOB", required_unless_present_any = ["diskspd", "jobs_of_the_command_line"])]
    pub jobs: Vec<PathBuf>,
    /// fio's options describe jobs (`--name=x --rw=randread ...`); set by whoever parts them from ours
    #[arg(long, hide = true, conflicts_with = "diskspd")]
    pub jobs_of_the_command_line: bool,
    /// Run this DiskSpd command line (with or without the program name) instead of JOB
    #[arg(long, value_name = "CMDLINE", conflicts_with = "jobs", allow_hyphen_values = true)]
    pub diskspd: Option<String>,
    /// Output format
    #[arg(long, visible_alias = "output-format", value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Random seed; default: the scenario's
    #[arg(long, value_name = "N", env = "DISKWRIGHT_SEED", value_parser = amounts::whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Run once per seed, both ends included: `1..8`
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Run once per value of a fio option, overriding the job file: `iodepth=1,2,4`; may be repeated
    #[arg(long, value_name = "OPTION=A,B,...")]
    pub sweep: Vec<String>,
    /// Number of parallel runs, for --seeds and --sweep; default: one per CPU
    #[arg(long, value_name = "N", value_parser = amounts::whole::<usize>(1, u64::MAX))]
    pub threads: Option<usize>,
    /// Simulate every I/O; never skip steady state, and never sample an interval of a recording
    #[arg(long)]
    pub exact: bool,
    /// Maximum error of rates, mean latencies and 99th percentiles when skipping steady state; default: chosen for
    /// speed, and printed
    #[arg(long, value_name = "PERCENT", value_parser = amounts::share, allow_hyphen_values = true, conflicts_with = "exact")]
    pub error: Option<f64>,
    /// Record a time series at this interval: `1s`, `500ms`, `1min`
    #[arg(long, value_name = "INTERVAL")]
    pub series: Option<String>,
    /// Show how each job section is interpreted, without running it
    #[arg(long)]
    pub explain_job: bool,
    /// Position of the default models within the published latencies; default: the scenario's, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING")]
    pub latency: Option<LatencySetting>,
    /// Show the latency models in use, with their grades
    #[arg(long)]
    pub latency_models: bool,
    /// Host cache content at the start; default: the scenario's
    #[arg(long, value_parser = starts(), value_name = "STATE")]
    pub start: Option<CacheStart>,
    /// Read `bs = 8k` as fio does (8 bytes) instead of refusing it
    #[arg(long, value_enum, value_name = "HOW")]
    pub fio_blank_values: Option<BlankValues>,
    /// No progress bar, no warnings
    #[arg(short, long)]
    pub quiet: bool,
}

/// Forms of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A table; `normal`, fio's name for it, works too
    #[default]
    #[value(name = "table", alias = "normal")]
    Normal,
    /// fio's JSON with a `diskwright` object
    Json,
    /// JSON with latency histograms
    #[value(name = "json+")]
    JsonPlus,
    /// The time series as CSV
    Csv,
}

/// Reads what a cache holds at the start.
pub(crate) fn starts() -> impl TypedValueParser<Value = CacheStart> {
    let about = |start| match start {
        CacheStart::Cold => "Empty, as after a reboot",
        CacheStart::Warm => "The data that the jobs use, or as much of each cached volume as fits",
    };
    choice::parser(CacheStart::ALL, CacheStart::name, about)
}

/// How to read blanks after `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BlankValues {
    /// As fio does
    AsFio,
}
