//! `diskwright simulate`: files in, a run, a report out.

use crate::to_stderr;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use diskwright::{LoadOptions, Needs, Simulation, SimulationOutcome};
use dw_error::{Error, Result, obeyed};
use dw_formats::scenario::Scenario;
use dw_sim::Progress;
use dw_units::Duration;

use crate::cli::{OutputFormat, SimulateArgs};
use crate::exit::Exit;
use crate::fio_arguments::Overrides;
use crate::in_use::{session, stamp};
use crate::input::{self, Kind, Texts};
use crate::language::told;
use crate::report::{self, Text, sweep::Line};
use crate::variants::{self, Variant};
use crate::{kind, output, progress, without_effect};

/// Interval of a series that nobody gave one.
const SERIES: Duration = Duration::from_secs(1);

/// Runs and reports; what it returns is how to exit.
pub fn run(args: &SimulateArgs, overrides: &Overrides, out: &mut dyn Write) -> Result<Exit> {
    let texts = match &args.diskspd {
        Some(line) => {
            kind::is_command_line(line, &format!("simulate {} {}", input::name(&args.rig), line.trim()))?;
            Texts::command_line(line)
        }
        None => input::texts(&args.jobs)?,
    };
    only_fio_takes_fios_options(&texts, args, overrides)?;
    let mut scenario = input::scenario(&args.rig, args.latency)?;
    without_effect::start(&mut scenario, args.start)?;
    let variants = variants::from_args(args)?;
    let series = series(args)?;
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let asked = Asked { args, overrides, texts: &texts, scenario: &scenario, series };
    let (mut needs, mut explained) = (Needs::default(), String::new());
    // Every one of them is read before the first is run: what is wrong with the last is known now.
    for (number, variant) in variants.iter().enumerate() {
        let prepared = asked.prepare(variant)?;
        if number == 0 && !args.quiet {
            to_stderr(&input::remarks(&prepared.jobs));
            if !scenario.timeline.is_empty() {
                to_stderr("note: the scenario's timeline is ignored: only `diskwright emulate` uses it\n");
            }
        }
        if args.explain_job {
            explained.extend(prepared.jobs.explain.iter().map(|line| format!("{line}\n")));
        }
        needs.add(&prepared.jobs.workload);
        if progress::interrupted() {
            break;
        }
    }
    if args.explain_job {
        output::write(&obeyed::lines(&explained), args.output.as_deref(), out)?;
        return Ok(Exit::Ok);
    }
    let text = match variants.as_slice() {
        [one] if one.set().is_empty() => {
            needs.check(1, session())?;
            single(args, asked.prepare(one)?, &progress)?
        }
        many => {
            let threads =
                args.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1).max(1);
            needs.check(threads, session())?;
            several(&asked, many, threads, &progress)?
        }
    };
    output::show(&text, args.output.as_deref(), out)?;
    Ok(if progress::interrupted() { Exit::Interrupted } else { Exit::Ok })
}

/// Options of fio, and sweeps over them, go with fio's job files only.
fn only_fio_takes_fios_options(texts: &Texts, args: &SimulateArgs, overrides: &Overrides) -> Result<()> {
    let kind = texts.kind()?;
    if kind == Kind::Fio {
        return Ok(());
    }
    let tool = kind.tool();
    let (is, hint) = match kind {
        Kind::Demand => ("recorded demand".into(), "write it in a job file".into()),
        _ => (format!("{tool} workload"), format!("use the equivalent {tool} setting")),
    };
    let wrong = match (overrides.first(), args.sweep.first(), args.fio_blank_values) {
        (Some((name, _)), ..) => format!("--{name}"),
        (_, Some(sweep), _) => format!("--sweep {sweep}"),
        (_, _, Some(_)) => "--fio-blank-values".into(),
        _ => return Ok(()),
    };
    Err(Error::usage(format!("`{wrong}` is an option for fio jobs, but this is a {is}")).hint(hint))
}

fn series(args: &SimulateArgs) -> Result<Option<Duration>> {
    let Some(text) = &args.series else {
        return Ok((args.format == OutputFormat::Csv).then_some(SERIES));
    };
    match text.parse::<Duration>() {
        Ok(interval) if interval > Duration::ZERO => Ok(Some(interval)),
        Ok(_) => Err(Error::usage("`--series` is zero").hint("write for example `--series 1s`")),
        Err(e) => Err(Error::usage(format!("`--series`: {e}")).hint("write for example `--series 1s`")),
    }
}

/// What is asked for, of which every variant is made.
struct Asked<'a> {
    args: &'a SimulateArgs,
    overrides: &'a Overrides,
    texts: &'a Texts,
    scenario: &'a Scenario,
    series: Option<Duration>,
}

impl Asked<'_> {
    fn prepare(&self, variant: &Variant) -> Result<Simulation> {
        let Asked { args, overrides, texts, scenario, series } = *self;
        prepare(args, overrides, texts, scenario, variant, series)
    }
}

fn prepare(
    args: &SimulateArgs,
    overrides: &Overrides,
    texts: &Texts,
    scenario: &Scenario,
    variant: &Variant,
    series: Option<Duration>,
) -> Result<Simulation> {
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
    let options = LoadOptions {
        overrides,
        blank_values_as_fio: args.fio_blank_values.is_some(),
        seed: variant.seed.or(args.seed),
        series,
        exact: args.exact,
        error: args.error,
        quick: false,
    };
    session().load(scenario.clone(), &texts, &options)
}

fn single(args: &SimulateArgs, one: Simulation, progress: &Arc<Progress>) -> Result<Text> {
    let bar = progress::Bar::watch(progress, args.quiet);
    let simulated = timed(one, progress);
    drop(bar);
    let simulated = simulated?;
    let (summary, scenario) = (simulated.summary(), &simulated.of.scenario);
    if !args.quiet && args.format == OutputFormat::Normal {
        to_stderr(&format!("{}\n", report::text::closing(&summary)));
    }
    Ok(match args.format {
        OutputFormat::Normal => {
            let show = report::text::Show { latency_models: args.latency_models };
            let mut text = report::text::report(&told(&summary), show);
            if args.series.is_some() {
                text += "\n";
                text += report::text::series(scenario, &simulated.result);
            }
            text
        }
        OutputFormat::Csv => Text::verbatim(report::csv::series(scenario, &simulated.result)),
        OutputFormat::Json | OutputFormat::JsonPlus => {
            let plus = args.format == OutputFormat::JsonPlus;
            Text::verbatim(report::fio_json::document(&simulated.as_run(), &summary, stamp(), plus).print())
        }
    })
}

/// Of each run its line is kept: thousands of results would not fit into the memory.
fn several(asked: &Asked, many: &[Variant], threads: usize, progress: &Arc<Progress>) -> Result<Text> {
    let (args, begin) = (asked.args, Instant::now());
    let lines = dw_sim::each(many.len(), threads, progress, |number, own| {
        let line = line(asked, &many[number], own);
        if line.is_err() {
            // The others would be thrown away.
            progress.stop.store(true, Ordering::SeqCst);
        }
        line
    });
    let lines = lines.into_iter().map(Option::transpose).collect::<Result<Vec<_>, _>>()?;
    let keys = many.first().map(|variant| variant.set().into_iter().map(|(key, _)| key).collect());
    let sweep = report::sweep::Sweep { keys: keys.unwrap_or_default(), lines };
    if !args.quiet && args.format == OutputFormat::Normal {
        to_stderr(&format!("{}\n", sweep.closing(begin.elapsed().as_secs_f64())));
    }
    if let Some(told) = sweep.told().filter(|_| args.format != OutputFormat::Normal) {
        to_stderr(&format!("{told}\n"));
    }
    Ok(sweep.print(args.format))
}

fn line(asked: &Asked, variant: &Variant, progress: &Progress) -> Result<Line> {
    let simulated = timed(asked.prepare(variant)?, progress)?;
    Ok(Line::of(&variant.set(), &simulated.summary(), asked.args.format))
}

/// One run, which says the real seconds that it took.
fn timed(simulation: Simulation, progress: &Progress) -> Result<SimulationOutcome> {
    let begin = Instant::now();
    let simulated = simulation.run(progress)?;
    Ok(SimulationOutcome { wall_s: Some(begin.elapsed().as_secs_f64()), ..simulated })
}
