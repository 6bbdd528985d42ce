//! `bench` on real targets, with fio: files and devices that the user names, or an emulator of our own.

use std::io::Write;
use std::path::Path;

use diskwright::bench::rows;
use dw_error::{Error, Result};
use dw_measure::Fio;
use dw_measure::machine;
use dw_measure::target::Kind;
use dw_sim::Progress;

use super::document::{self, BenchDocument, Mode, State};
use super::suite::Plan;
use super::{Order, now, of_model, place_jobs, report};
use crate::exit::Exit;
use crate::in_use::session;
use crate::system;

mod emulator;
mod live;
mod run;
mod targets;
mod warn;

use live::Live;
use run::Bench;

/// Runs what is not finished, and reports.
pub fn measure(order: &Order, progress: &Progress, document: &mut BenchDocument, out: &mut dyn Write) -> Result<Exit> {
    let Order { args, rig, settings, plans, lengths } = *order;
    let fio = Fio::find(args.fio.as_deref())?;
    let folder = args.folder(settings.mode);
    let known = if args.fresh { None } else { run::state(&folder)? };
    let ours: Vec<String> = known.iter().flat_map(|d| &d.targets).map(|t| t.path.clone()).collect();
    let used = targets::volumes_of(plans);
    let (places, mut emulator) = match settings.mode {
        Mode::Emulated => {
            let (places, emulator) = emulator::start(rig, &args.rig, &used, &fio)?;
            (places, Some(emulator))
        }
        _ => {
            let given = targets::given(args, rig, &used)?;
            let bytes: Vec<u64> = (0..rig.volumes.len()).map(|volume| targets::bytes_on(plans, volume)).collect();
            let asked = targets::Asked {
                targets: &given,
                destroy: &args.destroy,
                ours: &ours,
                bytes: &bytes,
                remote: !args.client.is_empty(),
            };
            (targets::on_disks(rig, &fio, &asked)?, None)
        }
    };
    document.targets = places.targets.clone();
    document.machine = Some(machine::this());
    document.fio = Some(document::FioUsed { path: fio.path.display().to_string(), version: fio.version.clone() });
    document.warnings.extend(warn::before(&machine::this(), &document.targets, &document.procedure));
    place_jobs(document, order, &places);
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
        let left = left(document);
        let mut live = Live::new(left.0, left.1, args.quiet);
        bench.run(document, &mut emulator, &mut live)
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

/// Takes over what an earlier run finished, when it is the same benchmark.
fn resume(document: &mut BenchDocument, plans: &[Plan], known: BenchDocument, folder: &Path) -> Result<()> {
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

/// Parts that are not done, and the seconds that they are planned to take.
pub fn left(document: &BenchDocument) -> (usize, f64) {
    let each = document.procedure.measure_s + document.procedure.ramp_s;
    let steps: Vec<f64> =
        document.preparation.iter().filter(|s| s.state != State::Done).map(|s| s.predicted_s).collect();
    let scenarios = document.scenarios.iter().filter(|s| s.state != State::Done).count();
    (steps.len() + scenarios, steps.iter().sum::<f64>() + scenarios as f64 * each)
}
