//! `diskwright plan`: requirements in, the cheapest VM size and disks that meet them out, with the proof and why not others.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use diskwright::plan::Place;
pub(crate) use diskwright::plan::figure;
use diskwright::{PlanOptions, PlanOutcome};
use dw_catalogue::LatencySetting;
use dw_error::{Error, Result};
pub(crate) use table::exceeded;
pub(crate) use texts::headed;

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::told;
use crate::latency;
use crate::report::Text;
use crate::{input, output};

#[cfg(test)]
mod absurd_tests;
pub mod compare;
pub mod diff;
#[cfg(test)]
mod keys_tests;
mod table;
mod texts;

const EXAMPLES: &str = "Examples:
  diskwright observe iostat.txt --format toml > requirements.toml      # then add the capacity of each volume
  diskwright plan requirements.toml
  diskwright plan requirements.toml --full                             # limits, designs, alternatives, assumptions
  diskwright plan requirements.toml --why-not E8ds_v5 --why-not D16ds_v5
  diskwright plan requirements.toml --format json > plan.json
  diskwright plan requirements.toml --compare REGION,REGION              # of one vendor or of several
  diskwright plan diff rig.toml plan.json                              # what to change

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 4 nothing meets it, 8 no price (docs/guide/exit-codes.md).";

/// Options of `plan`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(override_usage = "diskwright plan [OPTIONS] REQUIREMENTS.toml\n       diskwright plan diff [OPTIONS] A B")]
pub struct PlanArgs {
    /// Something else than planning.
    #[command(subcommand)]
    pub command: Option<PlanCommand>,
    /// Requirements, as written by `observe --format toml` (write a file called `diff` as `./diff`)
    #[arg(value_name = "REQUIREMENTS.toml", required = true)]
    pub requirements: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Assumed position of the disks within the published latencies; default: the requirements', or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING")]
    pub latency: Option<LatencySetting>,
    /// Region for prices; default: the requirements', or their vendor's usual region
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Plan in each of these regions, with or without the vendor before it, and say which is cheaper
    #[arg(long, value_name = "VENDOR:REGION", value_delimiter = ',', conflicts_with_all = ["region", "full", "why_not"])]
    pub compare: Vec<String>,
    /// Print everything: limits, simulation, proof, designs, cost of each requirement, alternatives, assumptions
    #[arg(long)]
    pub full: bool,
    /// Explain why this VM size was not chosen, and print everything else; may be repeated
    #[arg(long, value_name = "VM SIZE", value_delimiter = ',')]
    pub why_not: Vec<String>,
    /// Skip simulating the plan under its verification jobs
    #[arg(long)]
    pub no_simulate: bool,
    /// Skip the alternative designs (slow with many volumes)
    #[arg(long)]
    pub no_choices: bool,
}

/// What can be done with plans.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Compare two plans, or your current setup (a scenario file) with a plan
    Diff(diff::DiffArgs),
}

/// Forms of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// Ten lines; tables with `--full`
    #[default]
    Table,
    /// Everything, as a document with a schema (`diskwright schema`)
    Json,
    /// Markdown tables
    Markdown,
    /// One line per limit
    Csv,
}

/// Plans and reports.
pub fn run(args: &PlanArgs, out: &mut dyn Write) -> Result<Exit> {
    if let Some(PlanCommand::Diff(args)) = &args.command {
        return diff::run(args, out);
    }
    let Some(path) = &args.requirements else {
        return Err(
            Error::usage("REQUIREMENTS.toml is missing").hint("write it with `diskwright observe --format toml`")
        );
    };
    let text = input::read_file(path)?;
    let is_short = args.format == PlanFormat::Table && !args.full && args.why_not.is_empty();
    let options = PlanOptions {
        why_not: args.why_not.clone(),
        simulate: !args.no_simulate,
        choices: !args.no_choices && !is_short,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    if !args.compare.is_empty() {
        return compared(args, (&input::name(path), &text), &options, out);
    }
    let PlanOutcome { document, .. } =
        planned(&input::name(path), &text, &options, (args.latency, args.region.as_deref()))?;
    let text = match args.format {
        PlanFormat::Table if is_short => table::summary(&document),
        PlanFormat::Table => table::text(&told(&document)),
        PlanFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        PlanFormat::Markdown => Text::verbatim(texts::markdown(&told(&document))),
        PlanFormat::Csv => Text::verbatim(texts::csv(&document)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    match document.plan {
        Some(_) => Ok(Exit::Ok),
        None => Err(Error::new(dw_error::Kind::Infeasible, document.answer.text)),
    }
}

fn compared(args: &PlanArgs, (name, text): (&str, &str), options: &PlanOptions, out: &mut dyn Write) -> Result<Exit> {
    let places = compare::places(&args.compare)?;
    let mut demand = session().requirements(name, text)?;
    demand.wishes.latency = args.latency.unwrap_or(demand.wishes.latency);
    let (text, is_any) = compare::text(session(), &demand, &places, options, args.format)?;
    output::show(&text, args.output.as_deref(), out)?;
    match is_any {
        true => Ok(Exit::Ok),
        false => Err(Error::new(dw_error::Kind::Infeasible, "nothing meets the demand in any of these places")),
    }
}

/// The plan for the text of a `requirements.toml`.
fn planned(
    name: &str,
    text: &str,
    options: &PlanOptions,
    (latency, region): (Option<LatencySetting>, Option<&str>),
) -> Result<PlanOutcome> {
    let mut demand = session().requirements(name, text)?;
    let wishes = &mut demand.wishes;
    wishes.latency = latency.unwrap_or(wishes.latency);
    if let Some(asked) = region {
        let place = Place { vendor: None, region: asked.into() };
        let (_, placed, ignored) = session().placed(&demand, &place)?;
        if let Some(zone) = demand.wishes.zone.as_ref().filter(|_| placed.wishes.region != demand.wishes.region) {
            let what = format!(
                "`--region {asked}` goes against `zone = \"{zone}\"` of {name}, which is a zone of {}",
                demand.wishes.region
            );
            return Err(Error::usage(what).hint("write `region` and `zone` there"));
        }
        if !ignored.is_empty() {
            let keys: Vec<String> = ignored.iter().map(|key| format!("`{key}`")).collect();
            let vendor = dw_catalogue::vendor_of(&placed.wishes).name();
            session().notice(format!("ignored for {vendor}: {}", keys.join(", ")), "write keys of that vendor");
        }
        demand.wishes = placed.wishes;
    }
    session().plan_with(&demand, options)
}
