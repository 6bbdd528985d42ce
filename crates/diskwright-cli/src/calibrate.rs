//! `diskwright calibrate`: the latency model of a medium from what was measured on it.
//!
//! Lives here: arguments, the forms of the result, where the model file goes.
//! Never here: the fit and its check ([`diskwright::calibrate`]).

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use diskwright::calibrate::{CalibrateOptions, is_name};
use diskwright::measured::{About, Map};
use dw_error::{Error, Result};

use crate::exit::Exit;
use crate::in_use::session;
use crate::report::Text;
use crate::{input, output};

mod text;

const EXAMPLES: &str = "Examples:
  diskwright bench rig.toml --suite latency-at-load --volume data --target data=/dev/sdc --output load.json --format json
  diskwright calibrate load.json --volume data --name p30-here --save p30-here.toml
  diskwright calibrate depth-1.json depth-4.json --rig rig.toml --map job1=data --volume data --name p30-here
  then in rig.toml: latency_models = [\"p30-here.toml\"], and latency = { read = \"p30-here\", write = \"p30-here\" } of a disk

Exit codes: 0 fitted, 2 usage, 3 wrong input, 15 the fit predicts less accurately than before; nothing is saved.";

/// Options of `calibrate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArgs {
    /// Results on the same rig: JSON of `diskwright bench`, or output of fio, DiskSpd or Iometer
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// Scenario file of the VM on which fio, DiskSpd or Iometer measured
    #[arg(long, value_name = "RIG.toml")]
    pub rig: Option<PathBuf>,
    /// Volume of a job, worker or target in the results; `-` excludes it
    #[arg(long, value_name = "NAME=VOLUME")]
    pub map: Vec<Map>,
    /// Volume whose disks to fit; optional if the rig has only one
    #[arg(long, value_name = "VOLUME")]
    pub volume: Option<String>,
    /// Name of the model
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Save the model to this file, for `latency_models` of a rig
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: CalibrateFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CalibrateFormat {
    /// A table
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema calibration`)
    Json,
    /// The model file
    Model,
}

/// Fits and reports.
pub fn run(args: &CalibrateArgs, out: &mut dyn Write) -> Result<Exit> {
    if !is_name(&args.name) {
        let hint = "use letters, digits, `-`, `_` and `.`, for example `--name p30-here`";
        return Err(Error::usage(format!("`--name {}` is not a name", args.name)).hint(hint));
    }
    if dw_catalogue::latency::model(&args.name).is_some() {
        return Err(
            Error::usage(format!("`--name {}` is a model of the catalogue", args.name)).hint("choose another name")
        );
    }
    let named = |path: &PathBuf| -> Result<_> { Ok((input::name(path), input::read_file(path)?)) };
    let rig = args.rig.as_ref().map(named).transpose()?;
    let given = rig.as_ref().map(|(name, text)| session().scenario(name, text)).transpose()?;
    let volumes = given.map(|rig| rig.volume_maps()).unwrap_or_default();
    let results = input::results(&args.results, &About { volumes: &volumes, map: &args.map })?;
    let options = CalibrateOptions { name: args.name.clone(), volume: args.volume.clone(), rig };
    let document = session().calibrate(results, &options)?;
    let saved = args.save.as_deref().filter(|_| !document.is_worse());
    if saved.is_some() {
        output::write(&document.model, saved, out)?;
    }
    let text = match args.format {
        CalibrateFormat::Table => text::table(&document, saved),
        CalibrateFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        CalibrateFormat::Model => Text::verbatim(document.model.clone()),
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
    let hint = "measure longer and at more loads below the limits; `--format model` prints the model anyway";
    Err(Error::new(dw_error::Kind::NotBetter, what).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_one_that_the_fit_is_tested_with() {
        // `diskwright::calibrate` fits what this suite measures.
        assert!(EXAMPLES.contains("bench rig.toml --suite latency-at-load --volume data"), "{EXAMPLES}");
    }
}
