//! The steps between a recording and a report: checklist, requirements, plan, scenario, simulation.

use std::path::Path;

use dw_documents::Kind;
use dw_error::{Error, Result};
use dw_formats::requirements::replay_within;
use dw_formats::scenario;
use dw_observe::Observation;
use dw_observe::requirements::{DemandSeries, Requirements};
use dw_provision::rig;
use dw_report::Piece;
use dw_sim::{Progress, RunOptions};
use dw_units::{Bytes, Duration};
use dw_workload::wishes::Wishes;

use super::{ReportArgs, Sorted, example};
use crate::exit::Exit;
use crate::input::{self, Texts};
use crate::observe::{self, ObserveArgs};
use crate::plan;
use crate::report::{self, Run, Stamp};
use crate::{memory, simulate, to_stderr};

/// I/Os that are simulated at most: of a longer recording its busiest stretch, so that a report takes seconds.
const IOS: f64 = 2e7;
/// Intervals of the simulated series.
const INTERVALS: u64 = 240;

/// What the steps came to.
pub(super) struct Made {
    pub(super) documents: Vec<Piece>,
    pub(super) exit: Exit,
}

/// What volumes are for and must hold, which no recording says.
pub(super) struct Known<'a> {
    /// Lines for the table of a volume, by its name.
    pub(super) volumes: Vec<(&'a str, String)>,
    /// The table of what is wanted of the plan.
    pub(super) plan: &'a str,
}

/// The steps on the recording that comes with the program.
pub(super) fn of_example(args: &ReportArgs) -> Result<Made> {
    let mut documents = Vec::new();
    let asked = ObserveArgs::of_files(Vec::new(), example::volumes());
    let observation = observe::observed_text(&asked, example::NAME, example::RECORDING)?;
    let requirements = requirements(&observation, &[example::NAME.to_string()], &mut documents)?;
    let text = requirements_text(&requirements, &example::known());
    let exit = from_requirements(args, "requirements.toml", &text, &[], &mut documents)?;
    Ok(Made { documents, exit })
}

/// The steps that no document stands for.
pub(super) fn missing(args: &ReportArgs, sorted: &Sorted) -> Result<Made> {
    let mut documents = Vec::new();
    let mut exit = Exit::Ok;
    let mut text = None;
    if !sorted.recordings.is_empty() {
        let paths: Vec<&Path> = sorted.recordings.iter().map(AsRef::as_ref).collect();
        let requirements = observed(args, &paths, &mut documents)?;
        let lacking = requirements.volumes.iter().find(|v| !args.capacity.iter().any(|(name, _)| *name == v.name));
        observe::check_capacities(&args.capacity, &requirements)?;
        match lacking {
            None => {
                let line = |(name, size): &(String, Bytes)| (name.clone(), observe::capacity_line(size));
                let lines: Vec<(String, String)> = args.capacity.iter().map(line).collect();
                let volumes = lines.iter().map(|(name, line)| (name.as_str(), line.clone())).collect();
                text = Some((
                    "requirements.toml".to_string(),
                    requirements_text(&requirements, &Known { volumes, plan: "" }),
                ));
            }
            Some(volume) if sorted.requirements.is_empty() && !args.quiet => to_stderr(&format!(
                "note: no plan: what volume `{0}` must hold is not known\nhint: add `--capacity {0}=500GiB`, or a requirements.toml\n",
                volume.name
            )),
            Some(_) => {}
        }
    }
    let given = sorted.requirements.first().cloned().or(text);
    if let Some(second) = sorted.requirements.get(1) {
        return Err(Error::usage(format!("{} is the second file of requirements", second.0)).hint("give one"));
    }
    if let Some((name, text)) = given {
        exit = from_requirements(args, &name, &text, &sorted.documents, &mut documents)?;
    }
    Ok(Made { documents, exit })
}

/// The checklist of recordings, and what a plan must meet.
fn observed(args: &ReportArgs, paths: &[&Path], documents: &mut Vec<Piece>) -> Result<Requirements> {
    let files = paths.iter().map(|path| path.to_path_buf()).collect();
    let mut asked = ObserveArgs::of_files(files, args.volume.clone());
    (asked.every, asked.growth, asked.quiet) = (args.every, args.growth, args.quiet);
    let (observation, names) = observe::observed(&asked)?;
    requirements(&observation, &names, documents)
}

fn requirements(observation: &Observation, names: &[String], documents: &mut Vec<Piece>) -> Result<Requirements> {
    documents.push(observe::checklist(observation, names)?);
    let window = observe::planned_window(observation);
    Requirements::of(observation, window).ok_or_else(|| Error::unexpected(format!("there is no window `{window}`")))
}

/// The requirements with what is known next to the recording.
fn requirements_text(requirements: &Requirements, known: &Known) -> String {
    let mut text = dw_formats::requirements::write(requirements, "What the plan must meet.");
    for (name, lines) in &known.volumes {
        text = observe::with_lines(&text, name, lines);
    }
    if let Some(first) = text.find("[[volume]]") {
        text.insert_str(first, known.plan);
    }
    text
}

/// Plan and simulation, as far as no document stands for them.
fn from_requirements(
    args: &ReportArgs,
    name: &str,
    text: &str,
    given: &[Piece],
    documents: &mut Vec<Piece>,
) -> Result<Exit> {
    let has = |kind: Kind| given.iter().any(|document| document.kind() == Some(kind));
    documents.push(Piece::text(name, "requirements", text));
    if has(Kind::Plan) {
        return Ok(Exit::Ok);
    }
    let (plan, requirements, wishes) = plan::planned(name, text, &[], None)?;
    documents.extend(Piece::new("plan", plan.clone().into()));
    if plan.plan.is_none() {
        return Ok(Exit::Infeasible);
    }
    let setup = match crate::provision::setup::of("plan", "", &plan, crate::in_use::catalogue()) {
        Ok(setup) => setup,
        Err(why) => {
            if !args.quiet {
                to_stderr(&(why.shown_as(NOT_SIMULATED) + "\n"));
            }
            return Ok(Exit::Ok);
        }
    };
    let scenario = rig::text(&setup, rig::Paths::Linux, rig::Start::Warm);
    documents.push(Piece::text("rig.toml", "scenario", &scenario));
    if !has(Kind::Run) {
        match simulated(&scenario, requirements, &wishes) {
            Ok(run) => documents.push(run),
            Err(why) if !args.quiet => to_stderr(&(why.shown_as(NOT_SIMULATED) + "\n")),
            Err(_) => {}
        }
    }
    Ok(Exit::Ok)
}

/// What a note begins with where there is a plan and no run of it.
const NOT_SIMULATED: &str = "note: the plan was not simulated";

/// The recorded demand on the planned disks, in virtual time.
fn simulated(rig: &str, mut requirements: Requirements, wishes: &Wishes) -> Result<Piece> {
    let read = scenario::read("rig.toml", rig, crate::in_use::catalogue());
    let mut scenario = read.map_err(|errors| errors.within(rig))?;
    let (span, whole) = busiest(&mut requirements);
    if span < whole {
        let text = format!("of the recording, {whole} long, its busiest {span} were simulated");
        scenario.notes.push(scenario::Note { line: 1, text });
    }
    let working_set = |place: usize| wishes.volumes.get(place)?.working_set;
    let job = replay_within(&requirements, &scenario.volume_maps(), &working_set)?;
    let seed = scenario.stack.seed;
    let jobs = input::jobs(&scenario, &Texts::of("demand.fio", job), &Vec::new(), false, seed)?;
    memory::check(&jobs.workload)?;
    let warm = scenario.warm_for(&jobs.workload);
    let interval = Duration::from_ns((span.ns() / INTERVALS).max(1_000_000_000));
    let options = RunOptions { series: Some(interval), seed, warm, ..RunOptions::default() };
    let (result, wall_s) = simulate::one(&scenario, &jobs, &options, &Progress::default())?;
    let run = Run { scenario: &scenario, jobs: &jobs, result: &result, start: scenario.start, wall_s };
    let summary = report::summary(&run);
    let text = report::fio_json::document(&run, &summary, Stamp::from_milliseconds(0), false).print();
    let lost = || Error::unexpected("the run is not a document of a report");
    let mut document: dw_documents::Run = dw_documents::read(&text).map_err(|_| lost())?;
    // A job for each interval of the recording says nothing that the series does not say.
    document.jobs.clear();
    Piece::new("simulation", document.into()).ok_or_else(lost)
}

/// Cuts the series to the stretch with the most I/Os whose number is about [`IOS`]; how long it is, and how long all was.
fn busiest(requirements: &mut Requirements) -> (Duration, Duration) {
    let growth = requirements.growth;
    let series = || requirements.volumes.iter().filter_map(|v| v.series.as_ref());
    let count = series().map(|s| s.read_iops.len()).max().unwrap_or(0);
    let interval = series().next().map_or(Duration::from_secs(1), |s| s.interval);
    let seconds = interval.ns() as f64 / 1e9;
    let rate = |s: &DemandSeries, at: usize| s.read_iops.get(at).unwrap_or(&0.0) + s.write_iops.get(at).unwrap_or(&0.0);
    let ios: Vec<f64> = (0..count).map(|at| series().map(|s| rate(s, at)).sum::<f64>() * growth * seconds).collect();
    let total: f64 = ios.iter().sum();
    let length = |intervals: usize| Duration::from_ns(interval.ns().saturating_mul(intervals as u64));
    if total <= IOS {
        return (length(count), length(count));
    }
    let wide = ((count as f64 * IOS / total) as usize).clamp(1, count);
    let sums = ios.windows(wide).map(|window| window.iter().sum::<f64>());
    let from = sums.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at);
    for series in requirements.volumes.iter_mut().filter_map(|v| v.series.as_mut()) {
        let part = |list: &mut Vec<f64>| *list = list.get(from..from + wide).unwrap_or_default().to_vec();
        part(&mut series.read_iops);
        part(&mut series.write_iops);
        let part = |list: &mut Vec<u64>| *list = list.get(from..from + wide).unwrap_or_default().to_vec();
        part(&mut series.read_bytes_per_s);
        part(&mut series.write_bytes_per_s);
    }
    (length(wide), length(count))
}
