//! The command line: names, help, nothing else.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use dw_catalogue::LatencySetting;
use dw_formats::scenario::CacheStart;
use dw_messages::Language;

use crate::amounts;
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
use crate::studio::StudioArgs;
use crate::verify::VerifyArgs;

const EXAMPLES: &str = "Examples:
  diskwright simulate examples/ds14-benchmark/rig.toml examples/ds14-benchmark/fioreadwrite.ini
  diskwright simulate rig.toml mine.fio --runtime 30 --format json
  diskwright catalogue show DS14";

const SIMULATE_EXAMPLES: &str =
    "Every other option must be one of fio's and is taken as fio takes it: --runtime 30, --iodepth=64, -bs=8k.

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

The folder must be there (`mkdir -p`). A new shell has them.";

/// Know what your disks will do before you pay for them.
#[derive(Debug, Parser)]
#[command(name = "diskwright", version = env!("DISKWRIGHT_VERSION"), after_help = EXAMPLES)]
pub struct Cli {
    /// When messages and help are in colour: auto is on a terminal, as NO_COLOR and CLICOLOR_FORCE allow
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
    /// The language of results for people: en, ja, ru, sv, zh-Hans; default: that of LC_ALL, LC_MESSAGES or LANG
    #[arg(long, global = true, value_name = "LANG", value_parser = crate::language::parse, display_order = 901)]
    pub lang: Option<&'static Language>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run fio, DiskSpd, Iometer or vdbench loads on a described VM, in virtual time, and say which limit stops them
    Simulate(SimulateArgs),
    /// Give this machine the disks of a described VM, as block devices in real time (NBD)
    Emulate(Box<EmulateArgs>),
    /// Control a running emulation: crash it, change its disks, inject faults
    Ctl(CtlArgs),
    /// Watch a running emulation: limits as bars, volumes, lateness
    Top(TopArgs),
    /// Fill the requirements checklist from recordings (iostat, PerfMon, traces ...), or from this machine live
    Observe(Box<ObserveArgs>),
    /// Find the cheapest VM size and disks that meet requirements, with the proof and why not others
    Plan(PlanArgs),
    /// Run the published benchmark procedure with the real fio, on disks or on the emulated rig, or in virtual time
    Bench(Box<BenchArgs>),
    /// Hold results of `bench` against requirements: met or not, and why they differ from the prediction
    Verify(VerifyArgs),
    /// Fit the latency model of a medium to results of `bench`, with its evidence
    Calibrate(CalibrateArgs),
    /// Write what builds a plan and what verifies it: cloud scripts, stripes, file systems, fio and DiskSpd jobs
    Provision(ProvisionArgs),
    /// Write a load of fio, DiskSpd, Iometer or vdbench as one of the first three, and say what that cannot say
    Convert(ConvertArgs),
    /// Write one page that a team can decide from: of other commands' results, or of recordings in one go
    Report(Box<ReportArgs>),
    /// Open all of it as a page in the browser: drop a recording, drag the load, see where the bottleneck moves
    Studio(StudioArgs),
    /// Say why a configuration gives what it gives: which limit binds, by how much, and the cheapest change
    Explain(ExplainArgs),
    /// Look into the catalogue of VM sizes and disks
    #[command(subcommand, alias = "catalog")]
    Catalogue(CatalogueCommand),
    /// Print a file to begin with: a rig, requirements, a fio job or a recording
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
    /// On a terminal, unless NO_COLOR says otherwise; always with CLICOLOR_FORCE
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
    /// What `simulate --sweep ... --output-format json` prints
    Sweep,
    /// The control channel of an emulation: a line to it and a line from it
    Control,
    /// What `observe --format json` prints
    Checklist,
    /// What a plan must meet (requirements.toml)
    Requirements,
    /// What `plan --format json` prints
    Plan,
    /// What `bench --format json` prints
    Bench,
    /// What `verify --format json` prints
    Verify,
    /// What `calibrate --format json` prints
    Calibration,
    /// What is read of a benchmark's result file, whichever tool wrote it
    Measured,
    /// What `plan diff --format json` prints
    PlanDiff,
    /// What `explain --format json` prints
    Explain,
}

/// Options of `simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_EXAMPLES, override_usage = "diskwright simulate [OPTIONS] RIG.toml JOB... [FIO OPTIONS]\n       diskwright simulate [OPTIONS] RIG.toml --diskspd CMDLINE")]
pub struct SimulateArgs {
    /// The VM with its disks: a scenario file
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// fio job files, run one after the other; or one DiskSpd profile, Iometer configuration, vdbench
    /// parameter file or requirements.toml; `-` is standard input
    #[arg(value_name = "JOB", required_unless_present_any = ["diskspd", "jobs_of_the_command_line"])]
    pub jobs: Vec<PathBuf>,
    /// fio's options describe jobs (`--name=x --rw=randread ...`); set by whoever parts them from ours
    #[arg(long, hide = true, conflicts_with = "diskspd")]
    pub jobs_of_the_command_line: bool,
    /// Run a DiskSpd command line, with or without the program's name, in place of JOB
    #[arg(long, value_name = "CMDLINE", conflicts_with = "jobs", allow_hyphen_values = true)]
    pub diskspd: Option<String>,
    /// What to print
    #[arg(long, visible_alias = "output-format", value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Seed of every random draw; default: the scenario's
    #[arg(long, value_name = "N", env = "DISKWRIGHT_SEED", value_parser = amounts::whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Run once for each of these seeds, last included: `1..8`
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Run once for each value of a fio option, whatever the job file says: `iodepth=1,2,4`; may be repeated
    #[arg(long, value_name = "OPTION=A,B,...")]
    pub sweep: Vec<String>,
    /// Runs at the same time, for --seeds and --sweep; default: one a processor
    #[arg(long, value_name = "N", value_parser = amounts::whole::<usize>(1, u64::MAX))]
    pub threads: Option<usize>,
    /// Simulate every I/O: leap over no steady state, however long the run, and let no sample stand for an interval of a recording
    #[arg(long)]
    pub exact: bool,
    /// Leap over steady state only when rates, mean latencies and 99th percentiles are known this well; default: as
    /// well as is quick, and the errors are printed
    #[arg(long, value_name = "PERCENT", value_parser = amounts::share, allow_hyphen_values = true, conflicts_with = "exact")]
    pub error: Option<f64>,
    /// Keep a time series at this interval: `1s`, `500ms`, `1min`
    #[arg(long, value_name = "INTERVAL")]
    pub series: Option<String>,
    /// Print what each section of the job files comes to, and do not run
    #[arg(long)]
    pub explain_job: bool,
    /// Where within the published latencies the default models lie; default: as the scenario says, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING")]
    pub latency: Option<LatencySetting>,
    /// Show the service-time models in use, with how well each is known
    #[arg(long)]
    pub latency_models: bool,
    /// What the host cache holds at the start; default: as the scenario says
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
    /// A table for people; fio's name of it, `normal`, does too
    #[default]
    #[value(name = "table", alias = "normal")]
    Normal,
    /// fio's JSON with a `diskwright` object
    Json,
    /// The same with latency bins
    #[value(name = "json+")]
    JsonPlus,
    /// The time series as CSV
    Csv,
}

/// Reads what a cache holds at the start.
pub(crate) fn starts() -> impl TypedValueParser<Value = CacheStart> {
    let about = |start| match start {
        CacheStart::Cold => "Nothing, as after a reboot",
        CacheStart::Warm => "What the jobs cover",
    };
    choice::parser(CacheStart::ALL, CacheStart::name, about)
}

/// How to read blanks after `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BlankValues {
    /// As fio does
    AsFio,
}
