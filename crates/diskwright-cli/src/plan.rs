//! `diskwright plan`: requirements in, the cheapest VM size and disks that meet them out, with the proof and why not others.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use dw_catalogue::Catalogue;
use dw_error::{Error, Result};
use dw_formats::requirements;
use dw_observe::requirements::Requirements;
use dw_planner::{BuildError, Built, build, solve};
use dw_workload::wishes::Wishes;

use crate::catalogue::import;
use crate::exit::Exit;
use crate::latency::LatencyName;
use crate::{input, output, to_stderr};

#[cfg(test)]
mod absurd_tests;
pub(crate) mod bounds;
pub mod diff;
pub mod document;
#[cfg(test)]
mod keys_tests;
mod shown;
pub(crate) mod side;
mod table;
mod texts;
mod without_effect;

use document::PlanDocument;
pub(crate) use shown::{figure, figure_of, limit_name, unit};

const EXAMPLES: &str = "Examples:
  diskwright observe iostat.txt --format toml > requirements.toml      # then say what each volume must hold
  diskwright plan requirements.toml
  diskwright plan requirements.toml --why-not E8ds_v5 --why-not D16ds_v5
  diskwright plan requirements.toml --format json > plan.json
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
    /// What the plan must meet, as `observe --format toml` writes it (a file called `diff` is `./diff`)
    #[arg(value_name = "REQUIREMENTS.toml", required = true)]
    pub requirements: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where within the published latencies the disks are taken to lie; default: as the requirements say, or typical
    #[arg(long, value_enum, value_name = "SETTING")]
    pub latency: Option<LatencyName>,
    /// Say what stands against this VM size; may be repeated
    #[arg(long, value_name = "VM SIZE")]
    pub why_not: Vec<String>,
}

/// What can be done with plans.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Compare two plans, or what is there now (a scenario file) with a plan
    Diff(diff::DiffArgs),
}

/// Forms of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema plan`)
    Json,
    /// Tables for a page of text
    Markdown,
    /// One line per limit
    Csv,
}

/// What a plan is made from.
pub(crate) struct Asked<'a> {
    pub(crate) requirements: &'a Requirements,
    pub(crate) wishes: &'a Wishes,
    pub(crate) built: &'a Built,
    /// VM sizes that the person asks about, by their place in the problem.
    pub(crate) why_not: Vec<usize>,
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
    let (document, _, _) = planned(&input::name(path), &text, &args.why_not, args.latency)?;
    let text = match args.format {
        PlanFormat::Table => table::text(&document),
        PlanFormat::Json => serde_json::to_string_pretty(&document).unwrap_or_default() + "\n",
        PlanFormat::Markdown => texts::markdown(&document),
        PlanFormat::Csv => texts::csv(&document),
    };
    output::write(&text, args.output.as_deref(), out)?;
    match document.plan {
        Some(_) => Ok(Exit::Ok),
        None => Err(Error::new(dw_error::Kind::Infeasible, document.answer.text)),
    }
}

/// The plan for the text of a `requirements.toml`, with what was asked.
pub(crate) fn planned(
    name: &str,
    text: &str,
    why_not: &[String],
    latency: Option<LatencyName>,
) -> Result<(PlanDocument, Requirements, Wishes)> {
    let catalogue = crate::in_use::catalogue();
    let (requirements, mut wishes) =
        requirements::read_for_plan(name, text, catalogue).map_err(|errors| errors.within(text))?;
    wishes.latency = latency.map_or(wishes.latency, Into::into);
    let built =
        build(&requirements, &wishes, catalogue).map_err(|e| refused(name, text, (&requirements, &wishes), e))?;
    let why_not = why_not.iter().map(|vm| place_of(catalogue, &built, vm)).collect::<Result<_, _>>()?;
    let asked = Asked { requirements: &requirements, wishes: &wishes, built: &built, why_not };
    let answer = solve(&built.problem);
    let document = document::of(&asked, &answer, catalogue);
    warn_of_old_prices(&built, answer.plans.first());
    Ok((document, requirements, wishes))
}

/// Prices of years ago make a plan of years ago. On standard error: what is printed does not depend on the day.
fn warn_of_old_prices(built: &Built, plan: Option<&dw_planner::Plan>) {
    let Some(plan) = plan else { return };
    let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let disks = disks.map(|disks| (&built.market.disk_prices[disks.offer], &built.problem.disks[disks.offer].name));
    let vm = (&built.market.vm_prices[plan.vm], &built.problem.vms[plan.vm].name);
    let mut told: Vec<&String> = Vec::new();
    for (origin, name) in std::iter::once(vm).chain(disks) {
        let age = import::months_old(&origin.edition).filter(|age| *age > import::STALE_MONTHS);
        if let Some(age) = age.filter(|_| !told.contains(&name)) {
            told.push(name);
            to_stderr(&format!(
                "warning: the price of {name} is of {}, {age} months old: `diskwright catalogue import` takes newer ones\n",
                origin.edition
            ));
        }
    }
}

/// A VM size that someone asks about: it must be among the offers.
fn place_of(catalogue: &Catalogue, built: &Built, asked: &str) -> Result<usize> {
    if let Some(place) = built.problem.vms.iter().position(|vm| dw_catalogue::fits(asked, &vm.name)) {
        return Ok(place);
    }
    let vm = catalogue.vm(asked, None).map_err(|e| Error::usage(format!("`--why-not {asked}`: {e}")).hint(e.hint()))?;
    let left = built.market.left_out.iter().find(|left| left.name == vm.name);
    let why = match left.map(|left| &left.why) {
        Some(dw_planner::Reason::Price(e)) => Error::from(e.clone()),
        Some(_) => Error::input(format!("some limits of {} are not known in any edition", vm.name)),
        None => Error::input(format!("{} is not in the edition that was asked for", vm.name)),
    };
    let what = format!("`--why-not {asked}`: {}", why.what);
    Err(why.what(what))
}

/// Why there was nothing to solve, with the line of the volume where one is meant.
fn refused(name: &str, text: &str, (requirements, wishes): (&Requirements, &Wishes), error: BuildError) -> Error {
    match error {
        BuildError::Price(e) => {
            let hint = format!("{}; write it as `[[plan.price]]` with `name` and `monthly`", e.hint());
            Error::from(e).hint(hint).of_file(name)
        }
        BuildError::Nothing(_) => {
            let hint = match &wishes.zone {
                Some(zone) => format!(
                    "shorten the lists in [plan], or leave `zone` out: what they allow is not offered in zone {zone}"
                ),
                None => "shorten the lists in [plan]".into(),
            };
            Error::from(error).hint(hint).of_file(name)
        }
        BuildError::Demand(e) => {
            let volume = e.volume;
            input::of_volume(e.into(), (name, text), requirements, volume)
        }
    }
}
