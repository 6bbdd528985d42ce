//! `diskwright calibrate`: the latency model of a medium from what was measured on it, with its evidence, and how much of the
//! error went away on data that it was not fitted to.
//!
//! Lives here: which scenarios show the medium, the fit, the check, the model file.
//! Never here: measuring (`bench`), how the stack uses a model.
//! Read next: `calibrate/fit.rs`, then `calibrate/check.rs`.
//!
//! While requests wait at a limit the medium does not show, so only scenarios that no limit holds are used. Every other one
//! is fitted to; those between are held back.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_formats::scenario::Scenario as Rig;
use dw_stack::CacheMode;

use crate::bench::document::BenchDocument;
use crate::exit::{Exit, Failure};
use crate::{input, output, verify};

mod check;
pub mod document;
mod fit;
mod points;
mod text;

use document::CalibrateDocument;

const EXAMPLES: &str = "Examples:
  diskwright bench rig.toml --suite latency-at-load --volume data --target data=/dev/sdc --output load.json --format json
  diskwright calibrate load.json --volume data --name p30-here --save p30-here.toml
  then in rig.toml: latency_models = [\"p30-here.toml\"], and latency = { read = \"p30-here\", write = \"p30-here\" } of a disk";

/// Options of `calibrate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArgs {
    /// Results of `diskwright bench` on the same rig, as JSON
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// The volume whose disks are fitted; may be left out when the rig has one
    #[arg(long, value_name = "VOLUME")]
    pub volume: Option<String>,
    /// Name of the model
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Write the model here, for `latency_models` of a rig
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: CalibrateFormat,
    /// Write that to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CalibrateFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema calibration`)
    Json,
    /// The model file
    Model,
}

/// Fits and reports.
pub fn run(args: &CalibrateArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if !args.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || args.name.is_empty() {
        let hint = "use letters, digits, `-`, `_` and `.`, for example `--name p30-here`";
        return Err(Failure::usage(format!("error: `--name {}` is not a name\nhint: {hint}\n", args.name)));
    }
    if dw_catalogue::latency::model(&args.name).is_some() {
        let what = format!("error: `--name {}` is a model of the catalogue\nhint: choose another name\n", args.name);
        return Err(Failure::usage(what));
    }
    let results = args.results.iter().map(|path| verify::read(path)).collect::<Result<Vec<_>, _>>()?;
    let rig = rig(&results)?;
    let volume = volume(&rig, args.volume.as_deref())?;
    let points = points::of(&results, &rig, volume).map_err(|(what, hint)| refused(&what, &hint))?;
    let (fitted, held_back) = points::split(&points);
    let model = fit::model(&args.name, &fitted, &rig.stack.volumes[volume]);
    let file = fit::file(&model, &results, &fitted);
    let checked = check::errors(&rig, volume, &file, &results, &held_back)?;
    let document = CalibrateDocument::of(&model, &file, &rig.volumes[volume].name, &fitted, checked);
    if let Some(path) = &args.save {
        output::write(&file, Some(path), out)?;
    }
    let text = match args.format {
        CalibrateFormat::Table => text::table(&document, args.save.as_deref()),
        CalibrateFormat::Json => serde_json::to_string_pretty(&document).unwrap_or_default() + "\n",
        CalibrateFormat::Model => file,
    };
    output::write(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

fn refused(what: &str, hint: &str) -> Failure {
    Failure::input(format!("error: {what}\nhint: {hint}\n"))
}

/// The rig that all results are of.
fn rig(results: &[BenchDocument]) -> Result<Rig, Failure> {
    let first = &results[0].rig;
    if let Some(other) = results.iter().find(|r| r.rig.text != first.text) {
        let what = format!("the results are of two rigs: {} and {}", first.file, other.rig.file);
        return Err(refused(&what, "calibrate from results of one rig"));
    }
    input::scenario_of(&first.file, &first.text, &first.latency_models)
}

fn volume(rig: &Rig, name: Option<&str>) -> Result<usize, Failure> {
    let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
    let place = match name {
        Some(name) => names.iter().position(|n| *n == name),
        None => (names.len() == 1).then_some(0),
    };
    let Some(place) = place else {
        let what = name.map_or("the rig has several volumes".into(), |name| format!("the rig has no volume `{name}`"));
        return Err(Failure::usage(format!("error: {what}\nhint: say `--volume` with one of {}\n", names.join(", "))));
    };
    if rig.stack.volumes[place].host_cache != CacheMode::None {
        let what = format!("volume `{}` has a host cache, which hides its disks", names[place]);
        return Err(refused(&what, "measure it with `host_cache = \"None\"`, and calibrate from that"));
    }
    Ok(place)
}
