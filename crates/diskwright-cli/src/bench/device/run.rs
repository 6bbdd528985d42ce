//! Runs the procedure with fio: each part's outcome into the document, the document into its folder.
//!
//! The state is the result itself, written whole after each part (a temporary file, then a rename). A part that is finished is
//! never done twice; a new emulator begins cold, so its preparation is done again.
//!
//! Source: the vendor's guide to benchmarking a premium disk: create the files, write all of them, warm the cache by reading,
//! then measure.

use std::path::Path;

use diskwright::bench::rows;
use dw_documents::Unread;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_measure::Fio;
use dw_measure::load;
use dw_measure::machine::{Ticks, process_seconds};
use dw_measure::run::{Finished, Run, RunError};
use dw_measure::seen::Seen;
use dw_measure::target::Kind;
use dw_sim::Progress;

use super::emulator::Emulator;
use super::live::Live;
use super::warn;
use crate::bench::document::{BenchDocument, Row, Scenario, Second, Share, State, Step, Target};
use crate::bench::suite::Plan;
use crate::{document, output, system};

/// Everything that a run needs.
pub struct Bench<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// What is to be run, in the order of the document's scenarios.
    pub plans: &'a [Plan],
    /// fio.
    pub fio: &'a Fio,
    /// The folder of the state.
    pub folder: &'a Path,
    /// Hosts that run fio.
    pub clients: &'a [String],
    /// Set by Ctrl-C.
    pub progress: &'a Progress,
}

/// Name of the state, in its folder.
pub const STATE: &str = "bench.json";

impl Bench<'_> {
    /// Runs what is not finished; the document says how far it came.
    pub fn run(&self, document: &mut BenchDocument, emulator: &mut Option<Emulator>, live: &mut Live) -> Result<()> {
        let mut seen = self.look(document);
        for index in 0..document.preparation.len() {
            if document.preparation[index].state != State::Done {
                let step = &mut document.preparation[index];
                let outcome = still(&seen).and_then(|()| self.step(step, live));
                self.kept(document, outcome, emulator)?;
                // The first step makes the file.
                seen = seen.iter().map(Seen::again).collect();
            }
        }
        for index in 0..document.scenarios.len() {
            if document.scenarios[index].state != State::Done {
                // Looked at afterwards, too: nobody knows where the I/O of one went meanwhile.
                let measured = still(&seen).and_then(|()| self.scenario(document, index, emulator.as_ref(), live));
                let outcome = measured.and_then(|()| still(&seen));
                if let Err(error @ RunError::Vanished(_)) = &outcome {
                    let scenario = &mut document.scenarios[index];
                    (scenario.failure, scenario.state) = (Some(error.sentence()), State::Failed);
                    (scenario.measured, scenario.series, scenario.fio) = (Vec::new(), Vec::new(), None);
                    self.sum_up(document, index);
                }
                self.kept(document, outcome, emulator)?;
            }
        }
        document.partial = false;
        self.save(document)
    }

    /// The lines of a scenario, and what all say together, after it changed.
    fn sum_up(&self, document: &mut BenchDocument, index: usize) {
        let plan = &self.plans[index];
        document.rows.retain(|row| row.scenario != plan.id);
        document.rows.extend(rows::rows(plan, &document.scenarios[index]));
        let place = |row: &Row| document.scenarios.iter().position(|s| s.id == row.scenario);
        document.rows.sort_by_key(place);
        document.findings = rows::findings(&document.scenarios);
    }

    /// What the targets on this machine are.
    fn look(&self, document: &BenchDocument) -> Vec<Seen> {
        let here = |t: &&Target| t.facts.as_ref().is_some_and(|f| f.kind != Kind::Emulated);
        document.targets.iter().filter(here).map(|t| Seen::now(Path::new(&t.path))).collect()
    }

    /// Writes the state whatever happened, and says what did.
    fn kept(
        &self,
        document: &BenchDocument,
        outcome: Result<(), RunError>,
        emulator: &mut Option<Emulator>,
    ) -> Result<()> {
        self.save(document)?;
        let error = match outcome {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        let state = self.folder.join(STATE);
        let hint = format!("what is finished is in {}; the same command goes on from there", state.display());
        if matches!(error, RunError::Stopped) {
            return Err(Error::new(dw_error::Kind::Interrupted, hint));
        }
        let gone = emulator.as_mut().is_some_and(|e| e.ended());
        let error = Error::from(error).hint(hint);
        Err(if gone { error.what("the emulator ended while fio used it") } else { error })
    }

    /// Writes the state.
    pub fn save(&self, document: &BenchDocument) -> Result<()> {
        let text = serde_json::to_string_pretty(document).unwrap_or_default() + "\n";
        output::write(&text, Some(&self.folder.join(STATE)), &mut std::io::sink())
    }

    fn fio(&self, name: &str, what: &str, job: &str, live: &Live) -> Result<Finished, RunError> {
        let run = Run { job, folder: self.folder, name, clients: self.clients };
        self.fio.run(&run, &self.progress.stop, &mut |eta| live.tick(what, eta))
    }

    fn step(&self, step: &mut Step, live: &mut Live) -> Result<(), RunError> {
        let what = format!("{} {}", step.name, step.volume);
        live.begin(&what, step.predicted_s);
        let begin = std::time::Instant::now();
        let name = format!("{}-{}", step.name.replace(' ', "-"), step.volume);
        let done = self.fio(&name, &what, &step.job, live);
        step.seconds = Some(begin.elapsed().as_secs_f64());
        step.state = match &done {
            Ok(done) if done.interrupted => State::Partial,
            Ok(_) => State::Done,
            Err(RunError::Stopped) => State::Partial,
            Err(_) => State::Failed,
        };
        match done {
            Ok(done) if done.interrupted => Err(RunError::Stopped),
            other => other.map(|_| ()),
        }
    }

    fn scenario(
        &self,
        document: &mut BenchDocument,
        index: usize,
        emulator: Option<&Emulator>,
        live: &mut Live,
    ) -> Result<(), RunError> {
        let plan = &self.plans[index];
        let seconds = document.procedure.measure_s + document.procedure.ramp_s;
        live.begin(&plan.id, seconds);
        let scenario = &mut document.scenarios[index];
        if let Some(emulator) = emulator {
            emulator.count_anew();
        }
        let used = || emulator.map_or(0.0, |e| process_seconds(e.pid()));
        let (ticks, used_before, begin) = (Ticks::now(), used(), std::time::Instant::now());
        let done = self.fio(&plan.id, &plan.id, &scenario.job, live);
        let elapsed = begin.elapsed().as_secs_f64();
        (scenario.failure, scenario.state) = (None, State::Failed);
        let done = match done {
            Ok(done) => done,
            Err(RunError::Stopped) => {
                scenario.state = State::Partial;
                return Err(RunError::Stopped);
            }
            Err(error) => {
                scenario.failure = Some(error.sentence());
                return Err(error);
            }
        };
        let processors = document.machine.as_ref().map_or(1, |m| m.processors);
        let ours = load::client_seconds(&done.document) + used() - used_before;
        let busy = warn::Busy { all: Ticks::now().busy_since(ticks), ours: ours / (elapsed * f64::from(processors)) };
        measured(scenario, self.rig, plan, &done);
        document.warnings.retain(|w| w.scenario.as_ref() != Some(&plan.id));
        let here = self.clients.is_empty();
        document.warnings.extend(warn::of_scenario(scenario, &document.procedure, here.then_some(busy)));
        document.warnings.extend(document.targets.iter().filter_map(|t| warn::page_cache(&plan.id, t)));
        if let Some(status) = emulator.and_then(Emulator::status) {
            document.warnings.extend(warn::lateness(scenario, &status, &document.procedure));
        }
        self.sum_up(document, index);
        if done.interrupted { Err(RunError::Stopped) } else { Ok(()) }
    }
}

/// Whether every target is what it was.
fn still(seen: &[Seen]) -> Result<(), RunError> {
    seen.iter().find_map(Seen::changed).map_or(Ok(()), |what| Err(RunError::Vanished(what)))
}

/// What fio says, into the scenario.
fn measured(scenario: &mut Scenario, rig: &Rig, plan: &Plan, done: &Finished) {
    let share = |volume: &str, direction: &str, side: &load::Side| {
        Some(Share { volume: volume.into(), direction: direction.into(), load: side.load()? })
    };
    let (mut shares, mut all) = (Vec::new(), load::Side::default());
    for (index, volume) in rig.volumes.iter().enumerate() {
        let is_one = |name: &str| plan.streams.iter().any(|s| s.volume == index && s.name == name);
        let (reads, writes) = load::sides(&done.document, &is_one);
        shares
            .extend([share(&volume.name, "read", &reads), share(&volume.name, "write", &writes)].into_iter().flatten());
        all.add(&reads);
        all.add(&writes);
    }
    shares.extend(share("all", "all", &all));
    scenario.measured = shares;
    scenario.state = if done.interrupted { State::Partial } else { State::Done };
    scenario.client_cpu_percent = Some(load::client_percent(&done.document));
    let second = |(at_s, eta): &(f64, dw_measure::eta::Eta)| Second {
        at_s: (at_s * 10.0).round() / 10.0,
        read_iops: eta.read_iops,
        write_iops: eta.write_iops,
    };
    scenario.series = done.series.iter().map(second).collect();
    scenario.fio = Some(load::without_bins(done.document.clone()));
}

/// The JSON of a state, when there is one.
pub fn state(folder: &Path) -> Result<Option<BenchDocument>> {
    let path = folder.join(STATE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        // A file in the way of the folder is told when the folder is made.
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => return Ok(None),
        Err(e) => return Err(system::unreadable(&path, &e)),
    };
    dw_documents::read(&text).map(Some).map_err(|why| {
        let what = match &why {
            Unread::Version { found, .. } => format!("is of version {found}"),
            why => {
                let (line, what) = document::said(&text, "is not a result of a bench", why);
                format!("{what} (line {line})")
            }
        };
        Error::input(what).hint("name another folder with `--dir`").of_file(path.display().to_string())
    })
}
