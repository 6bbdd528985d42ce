//! fio job files: text in, [`Workload`] out, with fio 3.33's own semantics.
//!
//! Read next: `sections.rs` (grammar), `substitute.rs` (variables), `value.rs` and `typed.rs` (numbers, kinds),
//! `settings.rs` (options of a section), `targets.rs` (files on volumes), `build.rs` (jobs), `options.txt` (every option).
//!
//! What is accepted means here what it means to fio; what would change the result and is not modelled is an error; what
//! changes nothing is ignored and listed; what fio takes in a way that nobody means (`bs = 8k` is 8 bytes) is refused with
//! fio's reading. Nothing is ever executed: no shell, no `bc`, no program named in a file.
//!
//! Ignores: `--client` and `--server`, profiles, replay of logs.

mod build;
mod checks;
mod command_line;
pub(crate) mod explain;
mod meant;
mod option_table;
mod reader;
pub(crate) mod report;
mod sections;
mod settings;
mod split;
mod substitute;
pub(crate) mod targets;
mod typed;
mod value;

use std::io;

use dw_workload::Workload;

pub use command_line::{CommandLineOption, command_line_option, nearest_option, options_beginning};
pub use explain::{DirectionExplanation, StreamExplanation};
pub use report::{FioError, FioErrors, IgnoredOption, SectionOrigin, Warning, WarningKind, Written};
pub(crate) use settings::split_names;
pub use substitute::Keywords;

/// What is to be read.
pub struct FioInput<'a> {
    /// Job files in the order of the command line: the name to show, and the text. They run one after the other.
    pub files: &'a [(String, String)],
    /// fio options of the command line (`--runtime 30` is `("runtime", Some("30"))`): defaults for every job of the first
    /// file. `section` selects sections; `name` starts a job of its own.
    pub overrides: &'a [(String, Option<String>)],
    /// The environment, for `${NAME}`.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The volumes that files can be on.
    pub volumes: &'a [VolumeMap],
    /// How to read.
    pub options: ReadOptions<'a>,
    /// Seed of the jobs' draws.
    pub seed: u64,
}

/// Whether an engine has one request in flight, whatever depth is asked for.
pub(crate) fn is_synchronous(engine: &str) -> bool {
    checks::engine(engine) == checks::Engine::Synchronous
}

/// A volume as job files name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeMap {
    /// Its index in the stack's description.
    pub index: u16,
    /// Its name; `/dev/NAME` is the whole volume.
    pub name: String,
    /// Where it is mounted, for example `/mnt/data` or `F:`.
    pub mount: Option<String>,
    /// Its device, for example `/dev/md0`.
    pub device: Option<String>,
    /// Bytes on it.
    pub size: u64,
}

/// How job files are read.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// Read `bs = 8k` as fio does (8 bytes), instead of refusing it.
    pub blank_values_as_fio: bool,
    /// Reads the file that an `include` names.
    pub include: &'a dyn Fn(&str) -> io::Result<String>,
    /// The values of `$pagesize`, `$mb_memory`, `$ncpus`.
    pub keywords: Keywords,
}

impl Default for ReadOptions<'_> {
    /// As a careful person would; `include` is refused.
    fn default() -> Self {
        let include = &|name: &str| Err(io::Error::other(format!("no file {name} can be included here")));
        ReadOptions { blank_values_as_fio: false, include, keywords: Keywords::default() }
    }
}

/// What the files say.
#[derive(Clone, Debug, Default)]
pub struct FioJobs {
    /// The jobs, one a clone, in fio's order.
    pub workload: Workload,
    /// Options that change nothing here, each once.
    pub ignored: Vec<IgnoredOption>,
    /// What may surprise.
    pub warnings: Vec<Warning>,
    /// What each section will do, for `--explain-job`.
    pub explain: Vec<StreamExplanation>,
    /// Options of the command line and of `[global]`, as fio's JSON lists them under `global options`.
    pub global_options: Vec<(String, String)>,
    /// Where each section was written.
    pub origins: Vec<SectionOrigin>,
}

/// Reads job files. All errors of all files come back, not only the first.
pub fn read(input: &FioInput) -> Result<FioJobs, FioErrors> {
    reader::read(input)
}
