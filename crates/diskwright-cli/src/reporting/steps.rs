//! The steps between a recording and a report: checklist, requirements, plan, scenario, simulation.

use std::path::Path;

use diskwright::{Demand, ObservationOutcome, ObserveOptions, PlanOptions, Recording};
use dw_demand::{Requirements, VendorKeys};
use dw_documents::Kind;
use dw_error::{Error, Result};
use dw_report::Piece;

use super::{ReportArgs, Sorted, example};
use crate::exit::Exit;
use crate::in_use::session;
use crate::observe::{self, ObserveArgs};
use crate::to_stderr;

/// What the steps came to.
pub(super) struct Made {
    pub(super) documents: Vec<Piece>,
    pub(super) exit: Exit,
}

/// What is to be planned for.
enum Given {
    /// A file by its name and text.
    File(String, String),
    Recorded(Box<Demand>),
}

/// The steps on the recording that comes with the program.
pub(super) fn of_example(args: &ReportArgs) -> Result<Made> {
    let mut documents = Vec::new();
    let mut options = ObserveOptions::default();
    options.settings.volumes = example::volumes();
    let recording = Recording::from_bytes(example::NAME, example::RECORDING.as_bytes());
    let requirements = requirements(&session().observe(&[recording], &options)?, &mut documents)?;
    let given = Given::Recorded(Box::new(Demand::new(requirements, example::wishes())));
    let exit = from_requirements(args, given, &[], &mut documents)?;
    Ok(Made { documents, exit })
}

/// The steps that no document stands for.
pub(super) fn missing(args: &ReportArgs, sorted: &Sorted) -> Result<Made> {
    let mut documents = Vec::new();
    let mut exit = Exit::Ok;
    let mut recorded = None;
    let has_plan = sorted.documents.iter().any(|document| document.kind() == Some(Kind::Plan));
    if !sorted.recordings.is_empty() {
        let paths: Vec<&Path> = sorted.recordings.iter().map(AsRef::as_ref).collect();
        let observed = observed(args, &paths)?;
        let requirements = requirements(&observed, &mut documents)?;
        let lacking = requirements.volumes.iter().find(|v| !args.capacity.iter().any(|(name, _)| v.is_called(name)));
        observe::check_capacities(&args.capacity, &requirements)?;
        match lacking {
            None => {
                let vendor = observed.vendor_keys();
                let wishes = observe::wishes(&args.capacity, &requirements, vendor);
                let demand = Demand::new(requirements, wishes);
                let demand = match &args.region {
                    Some(region) => {
                        session().placed(&demand, &diskwright::plan::Place { vendor: None, region: region.clone() })?.1
                    }
                    None => {
                        if !args.quiet {
                            to_stderr(&without_region(vendor));
                        }
                        demand
                    }
                };
                recorded = Some(Given::Recorded(Box::new(demand)));
            }
            Some(volume) if sorted.requirements.is_empty() && !has_plan && !args.quiet => to_stderr(&format!(
                "note: no plan: the capacity of volume `{0}` is unknown\nhint: add `--capacity {0}=500GiB`, or a requirements.toml\n",
                volume.name
            )),
            Some(_) => {}
        }
    }
    let file = sorted.requirements.first().cloned().map(|(name, text)| Given::File(name, text));
    if let Some(second) = sorted.requirements.get(1) {
        return Err(Error::usage(format!("{} is a second requirements file", second.0)).hint("give one"));
    }
    if let Some(given) = file.or(recorded) {
        exit = from_requirements(args, given, &sorted.documents, &mut documents)?;
    }
    Ok(Made { documents, exit })
}

/// What is said where nobody says where to plan.
fn without_region(vendor: &VendorKeys) -> String {
    let region = vendor.region;
    format!(
        "note: no region in the recording: planned with machines and prices of {region}\nhint: `--region {region}`, or another\n"
    )
}

/// What recordings say.
fn observed(args: &ReportArgs, paths: &[&Path]) -> Result<ObservationOutcome> {
    let files = paths.iter().map(|path| path.to_path_buf()).collect();
    let mut asked = ObserveArgs::of_files(files, args.volume.clone());
    (asked.every, asked.growth, asked.quiet) = (args.every, args.growth, args.quiet);
    observe::observed(&asked)
}

fn requirements(observed: &ObservationOutcome, documents: &mut Vec<Piece>) -> Result<Requirements> {
    documents.push(observed.piece("checklist")?);
    observed.requirements(observed.planned_window()?)
}

/// What the requirements of a recording are called, and their first line.
const NAME: &str = "requirements.toml";
const REMARK: &str = "What the plan must meet.";

/// Plan and simulation, as far as no document stands for them.
fn from_requirements(args: &ReportArgs, given: Given, others: &[Piece], documents: &mut Vec<Piece>) -> Result<Exit> {
    let has = |kind: Kind| others.iter().any(|document| document.kind() == Some(kind));
    let text_of = |name: &str, text: String| Piece::text(name, "requirements", text);
    if has(Kind::Plan) {
        if !args.compare.is_empty() {
            let what = "`--compare` has no effect: a FILE is a plan already";
            return Err(Error::usage(what).hint("leave the plan out, or name what `diskwright plan --compare` wrote"));
        }
        documents.push(match given {
            Given::File(name, text) => text_of(&name, text),
            Given::Recorded(demand) => text_of(NAME, demand.text(REMARK)),
        });
        return Ok(Exit::Ok);
    }
    let demand = match given {
        Given::File(name, text) => session().requirements(&name, &text)?,
        Given::Recorded(demand) => session().as_written(&demand, NAME, REMARK)?,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = PlanOptions { threads, ..PlanOptions::default() };
    let comparison = compared(args, &demand, &options)?;
    let (planned, replayed) = match has(Kind::Run) {
        true => (session().plan_with(&demand, &options)?, None),
        false => session().plan_and_replay(&demand, &options)?,
    };
    documents.extend(demand.source.map(|(name, text)| text_of(&name, text)));
    documents.push(planned.piece("plan")?);
    documents.extend(comparison);
    if planned.document.plan.is_none() {
        return Ok(Exit::Infeasible);
    }
    let scenario = match session().rig(&planned) {
        Ok(scenario) => scenario,
        Err(why) => {
            documents.push(not_simulated(args, &why));
            return Ok(Exit::Ok);
        }
    };
    documents.push(Piece::text("rig.toml", "scenario", scenario));
    // The recorded demand on the planned disks, in virtual time.
    if let Some(replayed) = replayed {
        match replayed.and_then(|run| run.piece("simulation", false)) {
            Ok(run) => documents.push(run),
            Err(why) => documents.push(not_simulated(args, &why)),
        }
    }
    Ok(Exit::Ok)
}

/// The answers of the places that are named.
fn compared(args: &ReportArgs, demand: &Demand, options: &PlanOptions) -> Result<Option<Piece>> {
    if args.compare.is_empty() {
        return Ok(None);
    }
    let comparison = session().compare(demand, &crate::plan::compare::places(&args.compare)?, options)?;
    Ok(Piece::new("comparison", comparison.into()))
}

/// Says that there is a plan and no run of it: here, and on the page, whose reader does not see what is said here.
fn not_simulated(args: &ReportArgs, why: &Error) -> Piece {
    if !args.quiet {
        to_stderr(&(why.shown_as("note: the plan was not simulated") + "\n"));
    }
    Piece::text("simulation", dw_report::NOT_SIMULATED, why.what.as_str())
}
