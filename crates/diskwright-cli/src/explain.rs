//! `diskwright explain`: why a configuration gives what it gives, and the cheapest change that helps.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dw_catalogue::Catalogue;
use dw_error::{Error, Result};
use dw_formats::requirements;
use dw_formats::results::{About, Map};
use dw_formats::scenario::Scenario;
use dw_observe::requirements::Requirements;
use dw_planner::explain::{ExplainError, Question, Rig, explain};
use dw_workload::wishes::Wishes;

use crate::exit::Exit;
use crate::latency::{self, LatencyName};
use crate::plan::{PlanFormat, side};
use crate::{input, output};

pub mod document;
mod measured;
mod sentences;
mod texts;

use measured::Results;
use sentences::Said;

const EXAMPLES: &str = "Examples:
  diskwright explain rig.toml --demand requirements.toml
  fio --output-format=json job.fio > result.json; diskwright explain rig.toml --measured result.json
  diskwright explain rig.toml --measured results.xml                   # of diskspd -Rxml; results.csv of Iometer
  diskwright explain rig.toml --demand requirements.toml --measured result.json --format markdown

Exit codes: 0 explained, whatever the finding; 1 unexpected, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// Options of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// The configuration: a scenario file
    #[arg(value_name = "RIG.toml")]
    pub rig: PathBuf,
    /// What is asked of it, as `observe --format toml` writes it
    #[arg(long, value_name = "REQUIREMENTS.toml", required_unless_present = "measured")]
    pub demand: Option<PathBuf>,
    /// What was measured on it: a result of fio, DiskSpd, Iometer or `diskwright simulate`; may be repeated
    #[arg(long, value_name = "RESULT")]
    pub measured: Vec<PathBuf>,
    /// Which volume a job, worker or target of such a result is; `-` leaves it out
    #[arg(long, value_name = "NAME=VOLUME", requires = "measured")]
    pub map: Vec<Map>,
    /// Where within the published latencies the default models lie; default: as the scenario says, or typical
    #[arg(long, value_enum, value_name = "SETTING")]
    pub latency: Option<LatencyName>,
    /// The region whose prices count; default: that of the demand, or eastus
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Explains and reports.
pub fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<Exit> {
    let catalogue = crate::in_use::catalogue();
    let scenario = input::scenario(&args.rig, args.latency)?;
    let (demand, mut wishes) = match &args.demand {
        Some(path) => {
            let text = input::read_file(path)?;
            let name = input::name(path);
            let (demand, wishes) =
                requirements::read_for_explain(&name, &text, catalogue).map_err(|errors| errors.within(&text))?;
            (Some((name, text, demand)), wishes)
        }
        None => (None, Wishes::of_region("eastus")),
    };
    // The changes that are proposed are judged as the configuration is.
    wishes.latency = scenario.latency_setting;
    if let Some(region) = &args.region {
        wishes.region = known_region(catalogue, region)?;
    }
    let rig = rig_of(&scenario, catalogue);
    let mut results = Results::default();
    let about = About { volumes: &scenario.volume_maps(), map: &args.map };
    for path in &args.measured {
        results.add(&input::name(path), &input::read_bytes(path)?, &about)?;
    }
    about.unmatched(results.named.iter().map(Vec::as_slice))?;
    let question = Question {
        rig: &rig,
        catalogue,
        wishes: &wishes,
        demand: demand.as_ref().map(|(_, _, demand)| demand),
        measured: &results.measured,
    };
    let explanation = explain(&question).map_err(|e| refused(demand.as_ref(), e))?;
    let said = Said {
        rig: described(&scenario),
        region: wishes.region.clone(),
        percentile: wishes.percentile,
        entries: results.entries,
        notes: results.notes,
        latency: latency::sentences(&scenario.latency),
        demand_file: demand.map(|(name, _, _)| name),
        explanation: &explanation,
    };
    let document = document::of(&said);
    let text = match args.format {
        PlanFormat::Table => texts::table(&document),
        PlanFormat::Json => serde_json::to_string_pretty(&document).unwrap_or_default() + "\n",
        PlanFormat::Markdown => texts::markdown(&document),
        PlanFormat::Csv => texts::csv(&document),
    };
    output::write(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

/// The region as the catalogue's prices call it.
fn known_region(catalogue: &Catalogue, asked: &str) -> Result<String> {
    let plain = |text: &str| text.replace(' ', "").to_lowercase();
    let known = catalogue.price_regions();
    known.iter().find(|known| plain(known) == plain(asked)).map(|known| known.to_string()).ok_or_else(|| {
        let hint = format!("regions with prices: {}", known.join(", "));
        Error::usage(format!("no price is known in region `{asked}`")).hint(hint)
    })
}

fn rig_of(scenario: &Scenario, catalogue: &Catalogue) -> Rig {
    let vm = scenario.vm.size.as_deref().and_then(|size| catalogue.vm(size, scenario.vm.edition.as_deref()).ok());
    let disks = scenario.volumes.iter().map(|volume| {
        let row = volume.offer.as_ref().and_then(|(sku, edition)| catalogue.disk(sku, Some(edition)).ok());
        let groups = volume.bought.iter().map(|bought| side::billed(catalogue, bought));
        (row, groups.collect::<Option<Vec<_>>>().map(|groups| groups.concat()))
    });
    Rig::of(&scenario.stack, (&scenario.limits, &scenario.attachments), vm, &disks.collect::<Vec<_>>())
}

/// `Standard_DS1 (2017-03) + P30 data`.
fn described(scenario: &Scenario) -> String {
    let edition = scenario.vm.edition.as_ref().map_or(String::new(), |edition| format!(" ({edition})"));
    let mut text = format!("{}{edition}", scenario.vm.size.as_deref().unwrap_or("a VM of your own"));
    for (volume, spec) in scenario.volumes.iter().zip(&scenario.stack.volumes) {
        let cache = match spec.host_cache {
            dw_stack::CacheMode::None => "",
            dw_stack::CacheMode::ReadOnly => " (ReadOnly)",
            dw_stack::CacheMode::ReadWrite => " (ReadWrite)",
        };
        text += &format!(" + {}{cache} {}", volume.disks, volume.name);
    }
    text
}

/// Why nothing can be explained, with the line of the volume where one is meant.
fn refused(demand: Option<&(String, String, Requirements)>, error: ExplainError) -> Error {
    let volume = match &error {
        ExplainError::Demand(e) => e.volume,
        ExplainError::NoSuchVolume(place, _) => Some(*place),
        ExplainError::Nothing => None,
    };
    match (demand, &error) {
        (Some((name, text, requirements)), ExplainError::Demand(_) | ExplainError::NoSuchVolume(..)) => {
            input::of_volume(error.into(), (name, text), requirements, volume)
        }
        _ => Error::from(ExplainError::Nothing).hint("give --demand, --measured or both"),
    }
}
