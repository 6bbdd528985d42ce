//! `diskwright calibrate`: the latency model of a medium from what was measured on it, with its evidence, and how much of the
//! error went away on data that it was not fitted to.
//!
//! Lives here: which scenarios show the medium, the fit, the check, the model file.
//! Never here: measuring (`bench`), how the stack uses a model.
//! Read next: `calibrate/fit.rs`, then `calibrate/check.rs`.
//!
//! While requests wait at a limit the medium does not show, so only scenarios that no limit holds are used: those that grow slower
//! with the load are left out, so that a whole `latency-at-load` can be given. Every other one is fitted to; those between are held
//! back. A model that predicts those worse than the one of before is not saved, and its grade is how well it predicts them.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dw_error::{Error, Result};
use dw_formats::results::{About, Map};
use dw_formats::scenario::Scenario as Rig;
use dw_sim::Progress;
use dw_stack::CacheMode;

use crate::bench::document::Rig as RigOf;
use crate::bench::predict;
use crate::exit::Exit;
use crate::measured::Source;
use crate::report::Text;
use crate::{input, measured, output};

mod check;
pub mod document;
mod fit;
mod points;
mod text;

use document::CalibrateDocument;

const EXAMPLES: &str = "Examples:
  diskwright bench rig.toml --suite latency-at-load --volume data --target data=/dev/sdc --output load.json --format json
  diskwright calibrate load.json --volume data --name p30-here --save p30-here.toml
  diskwright calibrate depth-1.json depth-4.json --rig rig.toml --map job1=data --volume data --name p30-here
  then in rig.toml: latency_models = [\"p30-here.toml\"], and latency = { read = \"p30-here\", write = \"p30-here\" } of a disk

Exit codes: 0 fitted, 2 usage, 3 wrong input, 15 predictions with the fit are less accurate than before: nothing is saved.";

/// Options of `calibrate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArgs {
    /// Results of `diskwright bench` on the same rig, as JSON, or of fio, DiskSpd or Iometer as they print them
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// The VM that results of fio, DiskSpd or Iometer were measured on
    #[arg(long, value_name = "RIG.toml")]
    pub rig: Option<PathBuf>,
    /// Which volume a job, worker or target of such a result is; `-` leaves it out
    #[arg(long, value_name = "NAME=VOLUME")]
    pub map: Vec<Map>,
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
    #[arg(short, long, value_name = "FILE")]
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
pub fn run(args: &CalibrateArgs, out: &mut dyn Write) -> Result<Exit> {
    if !args.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || args.name.is_empty() {
        let hint = "use letters, digits, `-`, `_` and `.`, for example `--name p30-here`";
        return Err(Error::usage(format!("`--name {}` is not a name", args.name)).hint(hint));
    }
    if dw_catalogue::latency::model(&args.name).is_some() {
        return Err(
            Error::usage(format!("`--name {}` is a model of the catalogue", args.name)).hint("choose another name")
        );
    }
    let given = args.rig.as_ref().map(|path| of_file(path)).transpose()?;
    let volumes = given.as_ref().map(|(rig, _)| rig.volume_maps()).unwrap_or_default();
    let mut results = measured::read_all(&args.results, &About { volumes: &volumes, map: &args.map })?;
    if let Some((rig, document)) = &given {
        for source in results.iter_mut().filter(|source| source.raw) {
            predicted(source, rig, document)?;
        }
    }
    let rig = rig(&results)?;
    let volume = volume(&rig, args.volume.as_deref())?;
    let (file, document) = fitted(&args.name, &results, &rig, volume)?;
    let saved = args.save.as_deref().filter(|_| !document.is_worse());
    if saved.is_some() {
        output::write(&file, saved, out)?;
    }
    let text = match args.format {
        CalibrateFormat::Table => text::table(&document, saved),
        CalibrateFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        CalibrateFormat::Model => Text::verbatim(file),
    };
    output::show(&text, args.output.as_deref(), out)?;
    if !document.is_worse() {
        return Ok(Exit::Ok);
    }
    let saved = args.save.as_ref().map_or(String::new(), |path| format!("; {} was not written", path.display()));
    let what = format!(
        "predictions with the fitted model are less accurate than before: {:.1} % instead of {:.1} % on data held back{saved}",
        document.error_after_percent, document.error_before_percent
    );
    let hint = "measure longer and at more loads below the limits; `--format model` prints the model all the same";
    Err(Error::new(dw_error::Kind::NotBetter, what).hint(hint))
}

/// The model file, and how good it is.
fn fitted(name: &str, results: &[Source], rig: &Rig, volume: usize) -> Result<(String, CalibrateDocument)> {
    let (points, left_out) = points::of(results, rig, volume).map_err(|(what, hint)| refused(&what, &hint))?;
    let (fitted, held_back) = points::split(&points);
    let model = fit::model(name, &fitted, &rig.stack.volumes[volume]);
    let times = fit::file(&model, results, &fitted, None);
    let checked = check::errors(rig, volume, &times, results, &held_back)?;
    let mut document = document::of(&model, &rig.volumes[volume].name, &fitted, left_out, checked);
    document.model = fit::file(&model, results, &fitted, Some(&document));
    document.grade = fit::grade(document.error_after_percent).to_string();
    Ok((document.model.clone(), document))
}

/// A rig from its file, and what documents say of it.
fn of_file(path: &Path) -> Result<(Rig, RigOf)> {
    let text = input::read_file(path)?;
    let file = input::name(path);
    let latency_models = input::model_texts(path, &text)?;
    let rig = input::scenario_of(&file, &text, &latency_models, None)?;
    Ok((
        rig,
        RigOf {
            file,
            text,
            latency_models,
            latency: None,
            latency_from: Vec::new(),
            vm: None,
            edition: None,
            sources: Vec::new(),
            volumes: Vec::new(),
        },
    ))
}

/// A raw result with what the model of before says of each of its scenarios, where it says what was asked for.
fn predicted(source: &mut Source, rig: &Rig, document: &RigOf) -> Result<()> {
    let file = std::mem::replace(&mut source.document.rig, document.clone()).file;
    source.document.suite = format!("{} in {file}", source.document.suite);
    for (scenario, asked) in source.document.scenarios.iter_mut().zip(&source.asked) {
        let Some(job) = asked else { continue };
        let prediction = predict::run(rig, job, Vec::new(), &Progress::default())?;
        scenario.job = job.clone();
        (scenario.predicted, scenario.binding) = (prediction.shares, prediction.binding);
    }
    Ok(())
}

fn refused(what: &str, hint: &str) -> Error {
    Error::input(what).hint(hint)
}

/// The rig that all results are of.
fn rig(results: &[Source]) -> Result<Rig> {
    let first = &results[0].document.rig;
    if let Some(other) = results.iter().map(|r| &r.document.rig).find(|rig| rig.text != first.text) {
        let what = format!("the results are of two rigs: {} and {}", first.file, other.file);
        return Err(refused(&what, "calibrate from results of one rig"));
    }
    let latency = first.latency.as_deref().and_then(|word| word.parse().ok());
    input::scenario_of(&first.file, &first.text, &first.latency_models, latency)
}

fn volume(rig: &Rig, name: Option<&str>) -> Result<usize> {
    let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
    let place = match name {
        Some(name) => names.iter().position(|n| *n == name),
        None => (names.len() == 1).then_some(0),
    };
    let Some(place) = place else {
        let what = name.map_or("the rig has several volumes".into(), |name| format!("the rig has no volume `{name}`"));
        return Err(Error::usage(what).hint(format!("say `--volume` with one of {}", names.join(", "))));
    };
    if rig.stack.volumes[place].host_cache != CacheMode::None {
        let what = format!("volume `{}` has a host cache, which hides its disks", names[place]);
        return Err(refused(&what, "measure it with `host_cache = \"None\"`, and calibrate from that"));
    }
    Ok(place)
}

#[cfg(test)]
mod tests;
