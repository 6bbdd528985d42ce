//! `diskwright bench`: the published procedure on real disks, on emulated ones or in virtual time, with what was required and
//! what was predicted next to what was measured.
//!
//! Lives here: arguments, targets, the procedure on them, the forms of the result.
//! Never here: which scenarios a suite has, what they are held against (`diskwright::bench`), running fio, looking at devices
//! (`dw-measure`), how disks behave.
//! Read next: `plans.rs` (from arguments to scenarios), `procedure.rs` (how they are run).

use std::io::Write;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
#[cfg(feature = "device")]
use dw_measure::Fio;
#[cfg(feature = "device")]
use dw_measure::machine;
#[cfg(feature = "device")]
use dw_measure::target::Kind;
use dw_sim::Progress;

use crate::exit::Exit;
use crate::in_use::session;
#[cfg(feature = "device")]
use crate::system;
use crate::{input, output, progress, to_stderr};

mod args;
pub use diskwright::bench::document;
#[cfg(feature = "device")]
mod live;
mod places;
mod plans;
#[cfg(feature = "device")]
mod procedure;
pub mod text;
#[cfg(feature = "device")]
mod warn;

pub use args::{BenchArgs, BenchFormat};
use diskwright::bench::job::{self, Length};
use diskwright::bench::procedure as of_model;
#[cfg(feature = "device")]
use diskwright::bench::rows;
use diskwright::bench::suite::{self, Plan};
#[cfg(feature = "device")]
use document::State;
use document::{BenchDocument, Mode};
#[cfg(feature = "device")]
use live::Live;
use places::Places;
#[cfg(feature = "device")]
use procedure::Bench;

/// Runs and reports.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit> {
    let text = input::read_file(&args.rig)?;
    let rig = input::scenario(&args.rig, args.latency)?;
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let settings = plans::Settings::of(args)?;
    let made = plans::all(args, &rig, &settings)?;
    let lengths: Vec<Length> = made.plans.iter().map(|p| settings.length(p)).collect();
    if settings.mode == Mode::Simulated {
        let mut document = plans::document(args, &rig, &text, &settings, &made);
        place_jobs(&mut document, &rig, &made.plans, &lengths, &settings, &Places::model());
        of_model::predict_all(session(), &rig, &made.plans, &mut document, (&lengths, settings.warm_up))
            .map_err(nothing_finished)?;
        document.partial = false;
        return report(args, &document, out);
    }
    #[cfg(not(feature = "device"))]
    return Err(crate::absent::refusal("`bench` on disks or the emulator", "device"));
    #[cfg(feature = "device")]
    {
        let mut document = plans::document(args, &rig, &text, &settings, &made);
        real(args, &rig, &settings, &made.plans, &lengths, &mut document, &progress, out)
    }
}

/// On targets, with fio.
#[cfg(feature = "device")]
#[expect(clippy::too_many_arguments, reason = "one call; each is a thing of its own")]
fn real(
    args: &BenchArgs,
    rig: &Rig,
    settings: &plans::Settings,
    plans: &[Plan],
    lengths: &[Length],
    document: &mut BenchDocument,
    progress: &Arc<Progress>,
    out: &mut dyn Write,
) -> Result<Exit> {
    let fio = Fio::find(args.fio.as_deref())?;
    let folder = args.folder(settings.mode);
    let known = if args.fresh { None } else { procedure::state(&folder)? };
    let ours: Vec<String> = known.iter().flat_map(|d| &d.targets).map(|t| t.path.clone()).collect();
    let used = plans::volumes_of(plans);
    let mut places = match settings.mode {
        Mode::Emulated => places::emulated(rig, &args.rig, &used, &fio)?,
        _ => {
            let targets = plans::targets(args, rig, &used)?;
            let bytes: Vec<u64> = (0..rig.volumes.len()).map(|volume| plans::bytes_on(plans, volume)).collect();
            let asked = places::Asked {
                targets: &targets,
                destroy: &args.destroy,
                ours: &ours,
                bytes: &bytes,
                remote: !args.client.is_empty(),
            };
            places::on_disks(rig, &fio, &asked)?
        }
    };
    document.targets = places.targets.clone();
    document.machine = Some(machine::this());
    document.fio = Some(document::FioUsed { path: fio.path.display().to_string(), version: fio.version.clone() });
    document.warnings.extend(warn::before(&machine::this(), &document.targets, &document.procedure));
    place_jobs(document, rig, plans, lengths, settings, &places);
    // fio runs in it, so that its path must not be one from here.
    let folder = std::fs::create_dir_all(&folder)
        .and_then(|()| folder.canonicalize())
        .map_err(|e| system::cannot_make(&folder, &e))?;
    if let Some(known) = known {
        resume(document, plans, known, &folder)?;
    }
    of_model::predict_all(session(), rig, plans, document, (lengths, settings.warm_up))?;
    let bench = Bench { rig, plans, fio: &fio, folder: &folder, clients: &args.client, progress };
    let done = if document.partial {
        let left = plans::left(document);
        let mut live = Live::new(left.0, left.1, args.quiet);
        bench.run(document, &mut places, &mut live)
    } else {
        Ok(())
    };
    document.metadata.get_or_insert_default().ended = now();
    bench.save(document)?;
    match done {
        Ok(()) => report(args, document, out),
        Err(failure) => {
            // What there is, marked; then why there is not more.
            report(args, document, out)?;
            Err(failure)
        }
    }
}

/// Ctrl-C before there is anything to keep.
fn nothing_finished(error: Error) -> Error {
    match error.kind {
        dw_error::Kind::Interrupted => error.what("nothing is finished"),
        _ => error,
    }
}

/// The jobs as fio runs them, or as the simulator does.
fn place_jobs(
    document: &mut BenchDocument,
    rig: &Rig,
    plans: &[Plan],
    lengths: &[Length],
    settings: &plans::Settings,
    places: &Places,
) {
    let place = |volume: usize| places.of(rig, volume);
    document.preparation = of_model::preparation(rig, plans, &place, settings.warm_up);
    for ((scenario, plan), length) in document.scenarios.iter_mut().zip(plans).zip(lengths) {
        scenario.job = job::text(&plan.streams, &place, *length);
    }
}

/// Takes over what an earlier run finished, when it is the same benchmark.
#[cfg(feature = "device")]
fn resume(document: &mut BenchDocument, plans: &[Plan], known: BenchDocument, folder: &std::path::Path) -> Result<()> {
    // A socket of the emulator has another path each time.
    let job = |text: &str| text.lines().filter(|l| !l.starts_with("uri=")).collect::<Vec<_>>().join("\n");
    let same = known.rig.text == document.rig.text
        && known.rig.latency_models == document.rig.latency_models
        && known.rig.latency == document.rig.latency
        && known.mode == document.mode
        && known.procedure.clients == document.procedure.clients
        && known.scenarios.len() == document.scenarios.len()
        && known.scenarios.iter().zip(&document.scenarios).all(|(a, b)| a.id == b.id && job(&a.job) == job(&b.job));
    if !same {
        let hint = "name another folder with `--dir`, or say `--fresh` to start again there";
        return Err(Error::usage(format!("{} holds the results of another benchmark", folder.display())).hint(hint));
    }
    let emulated = document.mode == Mode::Emulated;
    let all = known.scenarios.iter().all(|s| s.state == State::Done);
    if !emulated || all {
        document.preparation = known.preparation;
    }
    // A file that is not there any more, or not all of it, is filled again.
    for step in document.preparation.iter_mut().filter(|_| !all) {
        let target = document.targets.iter().find(|t| t.volume == step.volume).and_then(|t| t.facts.as_ref());
        if target.is_some_and(|f| f.kind == Kind::File && f.bytes < step.bytes) {
            step.state = State::Planned;
        }
    }
    for (scenario, known) in document.scenarios.iter_mut().zip(known.scenarios) {
        if known.state == State::Done {
            let job = std::mem::take(&mut scenario.job);
            *scenario = document::Scenario { job, ..known };
        }
    }
    let is_done = |id: &String| document.scenarios.iter().any(|s| s.id == *id && s.state == State::Done);
    // What is required may have been said since.
    let done = plans.iter().zip(&document.scenarios).filter(|(_, scenario)| scenario.state == State::Done);
    document.rows = done.flat_map(|(plan, scenario)| rows::rows(plan, scenario)).collect();
    let kept = known.warnings.into_iter().filter(|w| w.scenario.as_ref().is_some_and(is_done));
    document.warnings.extend(kept.collect::<Vec<_>>());
    if let Some(before) = known.metadata {
        let metadata = document.metadata.get_or_insert_default();
        (metadata.started, metadata.resumed) = (before.started, before.resumed + u32::from(!all));
    }
    document.partial = !all;
    Ok(())
}

fn report(args: &BenchArgs, document: &BenchDocument, out: &mut dyn Write) -> Result<Exit> {
    let text = match args.format {
        BenchFormat::Table => text::table(document),
        BenchFormat::Json => serde_json::to_string_pretty(document).unwrap_or_default() + "\n",
        BenchFormat::Markdown => text::markdown(document),
        BenchFormat::Csv => text::csv(document),
    };
    if !args.quiet && args.format != BenchFormat::Table {
        document.warnings.iter().for_each(|w| to_stderr(&format!("warning: {}\n", w.text)));
    }
    output::write(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

/// Seconds since 1970, or those of SOURCE_DATE_EPOCH.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}
