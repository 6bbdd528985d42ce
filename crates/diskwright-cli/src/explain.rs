//! `diskwright explain`: why a configuration gives what it gives, and the cheapest change that helps.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use diskwright::explain::{Evidence, known_region};
use dw_catalogue::LatencySetting;
use dw_error::Result;
use dw_formats::results::{About, Map};

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::told;
use crate::latency;
use crate::plan::PlanFormat;
use crate::report::Text;
use crate::{input, output, to_stderr};

mod texts;

const EXAMPLES: &str = "Examples:
  diskwright explain rig.toml --demand requirements.toml
  fio --output-format=json job.fio > result.json; diskwright explain rig.toml --measured result.json
  diskwright explain rig.toml --measured results.xml                   # of diskspd -Rxml; results.csv of Iometer
  diskwright explain rig.toml --demand requirements.toml --measured result.json --format markdown

Exit codes: 0 explained, whatever the finding; 1 unexpected, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// Options of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("evidence").args(["demand", "measured"]).multiple(true).required(true))]
pub struct ExplainArgs {
    /// Scenario file: the VM and its disks
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// Its requirements, as written by `observe --format toml`
    #[arg(long, value_name = "REQUIREMENTS.toml")]
    pub demand: Option<PathBuf>,
    /// Result measured on it by fio, DiskSpd, Iometer or `diskwright simulate`; may be repeated
    #[arg(long, value_name = "RESULT")]
    pub measured: Vec<PathBuf>,
    /// Volume of a job, worker or target in the results; `-` excludes it
    #[arg(long, value_name = "NAME=VOLUME", requires = "measured")]
    pub map: Vec<Map>,
    /// Position of the default models within the published latencies; default: the scenario's, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING")]
    pub latency: Option<LatencySetting>,
    /// Region for prices; default: the requirements', or their vendor's usual region
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Explains and reports.
pub fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<Exit> {
    let scenario = input::scenario(&args.rig, args.latency)?;
    let demand = match &args.demand {
        Some(path) => Some(session().requirements_of_existing(&input::name(path), &input::read_file(path)?)?),
        None => None,
    };
    let region = args
        .region
        .as_ref()
        .map(|asked| known_region(session().of_vendor(scenario.vendor).catalogue(), asked))
        .transpose()?;
    let about = About { volumes: &scenario.volume_maps(), map: &args.map };
    let results = input::bytes_of(&args.measured)?;
    let evidence = Evidence { demand, region, ..Evidence::default() }.with_results(&input::named(&results), &about)?;
    for doubt in &evidence.doubts {
        to_stderr(&format!("warning: {doubt}\n"));
    }
    let document = session().explain(&scenario, evidence)?;
    let text = match args.format {
        PlanFormat::Table => texts::table(&told(&document)),
        PlanFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        PlanFormat::Markdown => Text::verbatim(texts::markdown(&told(&document))),
        PlanFormat::Csv => Text::verbatim(texts::csv(&document)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}
