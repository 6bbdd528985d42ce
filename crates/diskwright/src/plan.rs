//! `diskwright plan`: requirements in, the cheapest VM size and disks that meet them out, with the proof and why not others.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_catalogue::Catalogue;
use dw_formats::requirements;
use dw_planner::{BuildError, Built, build, solve};
use dw_workload::observed::requirements::Requirements;
use dw_workload::wishes::Wishes;

use crate::exit::{Exit, Failure};
use crate::{input, output, to_stderr};

pub mod document;
mod shown;
mod table;
mod texts;

use document::PlanDocument;

const EXAMPLES: &str = "Examples:
  diskwright observe iostat.txt --format toml > requirements.toml      # then say what each volume must hold
  diskwright plan requirements.toml
  diskwright plan requirements.toml --why-not E8ds_v5 --why-not D16ds_v5
  diskwright plan requirements.toml --format json > plan.json

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 4 nothing meets it, 8 no price (docs/guide/exit-codes.md).";

/// Options of `plan`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlanArgs {
    /// What the plan must meet, as `observe --format toml` writes it
    #[arg(value_name = "REQUIREMENTS.toml")]
    pub requirements: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: PlanFormat,
    /// Write the result to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Say what stands against this VM size; may be repeated
    #[arg(long, value_name = "VM SIZE")]
    pub why_not: Vec<String>,
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
    /// One line a limit
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
pub fn run(args: &PlanArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let text = input::read_file(&args.requirements)?;
    let (document, _, _) = planned(&args.requirements.display().to_string(), &text, &args.why_not)?;
    let text = match args.format {
        PlanFormat::Table => table::text(&document),
        PlanFormat::Json => serde_json::to_string_pretty(&document).unwrap_or_default() + "\n",
        PlanFormat::Markdown => texts::markdown(&document),
        PlanFormat::Csv => texts::csv(&document),
    };
    output::write(&text, args.output.as_deref(), out)?;
    if document.plan.is_none() {
        to_stderr(&format!("error: {}\n", document.answer));
        return Ok(Exit::Infeasible);
    }
    Ok(Exit::Ok)
}

/// The plan for the text of a `requirements.toml`, with what was asked.
pub(crate) fn planned(
    name: &str,
    text: &str,
    why_not: &[String],
) -> Result<(PlanDocument, Requirements, Wishes), Failure> {
    let catalogue = Catalogue::embedded();
    let (requirements, wishes) =
        requirements::read_for_plan(name, text, catalogue).map_err(|errors| input::scenario_failure(text, &errors))?;
    let built = build(&requirements, &wishes, catalogue).map_err(|e| refused(name, text, &requirements, e))?;
    let why_not = why_not.iter().map(|vm| place_of(catalogue, &built, vm)).collect::<Result<_, _>>()?;
    let asked = Asked { requirements: &requirements, wishes: &wishes, built: &built, why_not };
    let answer = solve(&built.problem);
    let document = PlanDocument::of(&asked, &answer, catalogue);
    Ok((document, requirements, wishes))
}

/// A VM size that someone asks about: it must be among the offers.
fn place_of(catalogue: &Catalogue, built: &Built, asked: &str) -> Result<usize, Failure> {
    if let Some(place) = built.problem.vms.iter().position(|vm| dw_catalogue::fits(asked, &vm.name)) {
        return Ok(place);
    }
    let vm = catalogue
        .vm(asked, None)
        .map_err(|e| Failure::usage(format!("error: `--why-not {asked}`: {e}\nhint: {}\n", e.hint())))?;
    let left = built.market.left_out.iter().find(|left| left.name == vm.name);
    let (exit, why) = match left.map(|left| &left.why) {
        Some(dw_planner::Reason::Price(e)) => (Exit::Price, format!("{e}\nhint: {}", e.hint())),
        Some(_) => (Exit::Input, format!("some limits of {} are not known in any edition", vm.name)),
        None => (Exit::Input, format!("{} is not in the edition that was asked for", vm.name)),
    };
    Err(Failure { exit, message: format!("error: `--why-not {asked}`: {why}\n") })
}

/// Why there was nothing to solve, with the line of the volume where one is meant.
fn refused(name: &str, text: &str, requirements: &Requirements, error: BuildError) -> Failure {
    match error {
        BuildError::Price(e) => {
            let hint = format!("{}; write it as `[[plan.price]]` with `name` and `monthly`", e.hint());
            Failure { exit: Exit::Price, message: format!("error: {name}: {e}\nhint: {hint}\n") }
        }
        BuildError::Nothing(what) => {
            let message = format!("error: {name}: no {what} may be chosen\nhint: shorten the lists in [plan]\n");
            Failure { exit: Exit::Input, message }
        }
        BuildError::Demand(e) => {
            let volume = e.volume.and_then(|place| requirements.volumes.get(place));
            let is_head = |line: &str| line.trim_start().starts_with("[[volume]]");
            let heads = text.lines().zip(1..).filter(|(line, _)| is_head(line)).map(|(_, number)| number);
            let line = e.volume.and_then(|place| heads.clone().nth(place)).unwrap_or(1);
            let what = volume.map_or(String::new(), |volume| format!("volume `{}`: ", volume.name));
            Failure::input(format!("error: {name}:{line}: {what}{}\nhint: {}\n", e.what, e.hint))
        }
    }
}
