//! `diskwright verify`: the checklist again on the prototype: what was required, what was predicted, what was measured, and why
//! they differ.
//!
//! Lives here: arguments, the forms of the result.
//! Never here: verdicts, attribution ([`diskwright::verify`]).

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
pub use diskwright::measured::{About, Map};
pub use diskwright::verify::{Verdict, VerifyDocument};
use dw_error::{Error, Result};

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::told;
use crate::report::Text;
use crate::{amounts, input, output, to_stderr};

mod text;

const EXAMPLES: &str = "Examples:
  diskwright bench rig.toml --suite checklist --requirements requirements.toml --target data=/dev/sdc --output result.json --format json
  diskwright verify requirements.toml result.json
  diskwright verify requirements.toml bench-checklist/bench.json bench-design-guide/bench.json --tolerance 5
  diskwright verify requirements.toml fio.json diskspd.txt --map job1=data --map 'D:\\log.dat=log'

Exit codes: 0 all requirements measured and met, 2 usage, 3 wrong input, 5 a requirement not met or not proven.";

/// Options of `verify`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Requirements to check
    #[arg(value_name = "REQUIREMENTS.toml")]
    pub requirements: PathBuf,
    /// Results: JSON of `diskwright bench`, or output of fio, DiskSpd or Iometer
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// Volume of a job, worker or target in the results; `-` excludes it
    #[arg(long, value_name = "NAME=VOLUME")]
    pub map: Vec<Map>,
    /// Tolerance, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = amounts::percent, allow_hyphen_values = true)]
    pub tolerance: f64,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: VerifyFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Forms of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// A table
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema verify`)
    Json,
    /// A Markdown table
    Markdown,
    /// One line per requirement
    Csv,
}

/// Verifies and reports.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<Exit> {
    if !(0.0..100.0).contains(&args.tolerance) {
        let hint = "write a percentage from 0 to 99, for example `--tolerance 3`";
        return Err(Error::usage(format!("`--tolerance {}` is out of range", args.tolerance)).hint(hint));
    }
    let (name, text) = (input::name(&args.requirements), input::read_file(&args.requirements)?);
    let demand = session().requirements_of_existing(&name, &text)?;
    let about = About { volumes: &demand.volume_maps(), map: &args.map };
    let results = input::results(&args.results, &about)?;
    for source in &results {
        for note in &source.notes {
            to_stderr(&format!("warning: {note}\n"));
        }
        for (scenario, why) in source.through_the_cache() {
            to_stderr(&format!("warning: {}: `{}`: {why}\n", source.document.rig.file, scenario.id));
        }
    }
    let document = session().verify(&demand, &results, args.tolerance)?;
    let text = match args.format {
        VerifyFormat::Table => text::table(&told(&document)),
        VerifyFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        VerifyFormat::Markdown => Text::verbatim(text::markdown(&told(&document))),
        VerifyFormat::Csv => Text::verbatim(text::csv(&document)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    if document.verdict == Verdict::Met {
        return Ok(Exit::Ok);
    }
    Err(Error::new(dw_error::Kind::NotVerified, document.answer.text))
}
