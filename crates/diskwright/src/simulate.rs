//! `diskwright simulate`: files in, a run, a report out.

use crate::to_stderr;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dw_formats::fio::FioJobs;
use dw_formats::scenario::{CacheStart, Scenario};
use dw_sim::{Case, Progress, RunError, RunOptions};
use dw_units::Duration;

use crate::cli::{OutputFormat, SimulateArgs, StartName};
use crate::exit::{Exit, Failure};
use crate::fio_arguments::Overrides;
use crate::input::{self, Kind, Texts};
use crate::report::{self, Run, Stamp, json_tree::Json};
use crate::variants::{self, Variant};
use crate::{memory, output, progress};

/// Interval of a series that nobody gave one.
const SERIES: Duration = Duration::from_secs(1);

/// Everything that one run needs.
struct Prepared {
    variant: Variant,
    scenario: Scenario,
    jobs: FioJobs,
    options: RunOptions,
}

/// Runs and reports; what it returns is how to exit.
pub fn run(args: &SimulateArgs, overrides: &Overrides, out: &mut dyn Write) -> Result<Exit, Failure> {
    let texts = match &args.diskspd {
        Some(line) => Texts::command_line(line),
        None => Texts::read(&args.jobs)?,
    };
    only_fio_takes_fios_options(&texts, args, overrides)?;
    let scenario = input::scenario(&args.rig)?;
    let texts = texts.replayed(&scenario)?;
    let variants = variants::of(args)?;
    let series = series(args)?;
    let prepared: Vec<Prepared> = variants
        .into_iter()
        .map(|variant| prepare(args, overrides, &texts, &scenario, variant, series))
        .collect::<Result<_, _>>()?;
    if !args.quiet {
        to_stderr(&input::remarks(&prepared[0].jobs));
        if !scenario.timeline.is_empty() {
            to_stderr("note: the scenario's timeline is left out: it is for `diskwright emulate`\n");
        }
    }
    if args.explain_job {
        let text = prepared.iter().flat_map(|p| &p.jobs.explain).map(|e| format!("{e}\n")).collect::<String>();
        output::write(&text, args.output.as_deref(), out)?;
        return Ok(Exit::Ok);
    }
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let text = match prepared.as_slice() {
        [one] if one.variant.set().is_empty() => single(args, one, &progress)?,
        many => several(args, many, &progress)?,
    };
    output::write(&text, args.output.as_deref(), out)?;
    Ok(if progress::interrupted() { Exit::Interrupted } else { Exit::Ok })
}

/// Options of fio, and sweeps over them, go with fio's job files only.
fn only_fio_takes_fios_options(texts: &Texts, args: &SimulateArgs, overrides: &Overrides) -> Result<(), Failure> {
    let kind = texts.kind()?;
    if kind == Kind::Fio {
        return Ok(());
    }
    let tool = kind.tool();
    let wrong = match (overrides.first(), args.sweep.first(), args.fio_blank_values) {
        (Some((name, _)), ..) => format!("--{name}"),
        (_, Some(sweep), _) => format!("--sweep {sweep}"),
        (_, _, Some(_)) => "--fio-blank-values".into(),
        _ => return Ok(()),
    };
    Err(Failure::usage(format!(
        "error: `{wrong}` is an option for fio's job files, but the load is one of {tool}\nhint: write it in {tool}'s words\n"
    )))
}

fn series(args: &SimulateArgs) -> Result<Option<Duration>, Failure> {
    let Some(text) = &args.series else {
        return Ok((args.output_format == OutputFormat::Csv).then_some(SERIES));
    };
    match text.parse::<Duration>() {
        Ok(interval) if interval > Duration::ZERO => Ok(Some(interval)),
        Ok(_) => Err(Failure::usage("error: `--series` is zero\nhint: write for example `--series 1s`\n")),
        Err(e) => Err(Failure::usage(format!("error: `--series`: {e}\nhint: write for example `--series 1s`\n"))),
    }
}

fn prepare(
    args: &SimulateArgs,
    overrides: &Overrides,
    texts: &Texts,
    scenario: &Scenario,
    variant: Variant,
    series: Option<Duration>,
) -> Result<Prepared, Failure> {
    let mut scenario = scenario.clone();
    scenario.stack.seed = variant.seed.or(args.seed).unwrap_or(scenario.stack.seed);
    let seed = scenario.stack.seed;
    if let Some(start) = args.start {
        scenario.start = if start == StartName::Warm { CacheStart::Warm } else { CacheStart::Cold };
    }
    let (mut texts, mut overrides) = (texts.clone(), overrides.clone());
    for (name, value) in &variant.options {
        let option = dw_formats::fio::command_line_option(name);
        let names: Vec<&str> = option.iter().flat_map(|o| [Some(o.name), o.alias]).flatten().collect();
        // Where a section says otherwise its text is changed, since a file wins over the command line; the other sections
        // take it from there.
        texts = texts.with_option(&names, value);
        overrides.retain(|(given, _)| !names.contains(&given.as_str()));
        overrides.push((name.clone(), Some(value.clone())));
    }
    let jobs = input::jobs(&scenario, &texts, &overrides, args.fio_blank_values.is_some(), seed)?;
    let warm = scenario.warm_for(&jobs.workload);
    let options = RunOptions { series, seed, exact: args.exact, warm, ..RunOptions::default() };
    Ok(Prepared { variant, scenario, jobs, options })
}

fn single(args: &SimulateArgs, one: &Prepared, progress: &Arc<Progress>) -> Result<String, Failure> {
    memory::check(&[&one.jobs.workload], 1)?;
    let bar = progress::Bar::watch(progress, args.quiet);
    let begin = Instant::now();
    let result = dw_sim::run(one.scenario.stack.clone(), &one.jobs.workload, &one.options, progress);
    let wall_s = begin.elapsed().as_secs_f64();
    drop(bar);
    let result = result.map_err(|e| run_failure(&e))?;
    let run = Run { scenario: &one.scenario, jobs: &one.jobs, result: &result, start: one.scenario.start, wall_s };
    let summary = report::summary(&run);
    if !args.quiet && args.output_format == OutputFormat::Normal {
        to_stderr(&format!("{}\n", report::text::closing(&summary)));
    }
    Ok(match args.output_format {
        OutputFormat::Normal => {
            let show = report::text::Show { latency_models: args.latency_models };
            let mut text = report::text::report(&summary, show);
            if args.series.is_some() {
                text.push('\n');
                text.push_str(&report::text::series(&one.scenario, &result));
            }
            text
        }
        OutputFormat::Csv => report::csv::series(&one.scenario, &result),
        OutputFormat::Json | OutputFormat::JsonPlus => {
            let plus = args.output_format == OutputFormat::JsonPlus;
            report::fio_json::document(&run, &summary, Stamp::now(), plus).print()
        }
    })
}

fn several(args: &SimulateArgs, many: &[Prepared], progress: &Arc<Progress>) -> Result<String, Failure> {
    let threads =
        args.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1).max(1);
    memory::check(&many.iter().map(|p| &p.jobs.workload).collect::<Vec<_>>(), threads)?;
    let begin = Instant::now();
    let case = |p: &Prepared| Case {
        spec: p.scenario.stack.clone(),
        workload: p.jobs.workload.clone(),
        options: p.options.clone(),
    };
    let cases: Vec<Case> = many.iter().map(case).collect();
    let results = dw_sim::run_many(&cases, threads, progress);
    let wall_s = begin.elapsed().as_secs_f64();
    let mut variants = Vec::new();
    for (prepared, result) in many.iter().zip(results) {
        let result = result.map_err(|e| run_failure(&e))?;
        let run = Run {
            scenario: &prepared.scenario,
            jobs: &prepared.jobs,
            result: &result,
            start: prepared.scenario.start,
            wall_s,
        };
        variants.push(report::sweep::Variant { set: prepared.variant.set(), summary: report::summary(&run) });
    }
    if !args.quiet && args.output_format == OutputFormat::Normal {
        to_stderr(&format!("{}\n", report::sweep::closing(&variants, wall_s)));
    }
    Ok(match args.output_format {
        OutputFormat::Normal => report::sweep::text(&variants),
        OutputFormat::Csv => report::sweep::csv(&variants),
        OutputFormat::Json | OutputFormat::JsonPlus => Json::from(report::sweep::json(&variants)).print(),
    })
}

fn run_failure(error: &RunError) -> Failure {
    match error {
        RunError::Stack(e) => Failure::input(format!("error: {}: {}\nhint: {}\n", e.at, e.what, e.hint)),
        RunError::Job { job, what } => Failure::input(format!("error: job `{job}`: {what}\n")),
    }
}
