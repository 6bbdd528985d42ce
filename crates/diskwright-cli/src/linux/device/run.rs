//! Real fio as the runner of the library's procedure, and the state that a later run goes on from.
//!
//! The state is the result itself, written whole after each part (a temporary file, then a rename).

use std::path::Path;

use diskwright::bench::{Busy, End, Output, Part, PartOutcome, Runner, sides};
use dw_documents::Unread;
use dw_error::{Error, Result};
use dw_measure::Fio;
use dw_measure::machine::{Ticks, process_seconds};
use dw_measure::run::{FioRun, Run, RunError};
use dw_measure::seen::PathIdentity;
use dw_measure::target::Kind;
use dw_sim::Progress;

use super::emulator::Emulator;
use super::live::Live;
use super::warn;
use crate::bench::document::{BenchDocument, Scenario, Second, Target, Warning};
use crate::{document, output, system};

/// fio on this machine, or on others.
pub struct RealFio<'a> {
    /// The program.
    pub fio: &'a Fio,
    /// The folder of the state.
    pub folder: &'a Path,
    /// Hosts that run fio.
    pub clients: &'a [String],
    /// Set by Ctrl-C.
    pub progress: &'a Progress,
    /// Processors of this machine.
    pub processors: u32,
    /// The emulator, where it is ours.
    pub emulator: Option<Emulator>,
    /// What a person sees.
    pub live: Live,
    /// What the targets on this machine are.
    pub seen: Vec<PathIdentity>,
}

/// Name of the state, in its folder.
pub const STATE: &str = "bench.json";

impl Runner for RealFio<'_> {
    fn run(&mut self, part: &Part) -> PartOutcome {
        if let Err(error) = self.still() {
            return PartOutcome { end: self.failed(error), seconds: None, busy: None };
        }
        self.live.begin(part.title, part.planned_s);
        if let Some(emulator) = self.emulator.as_ref().filter(|_| part.is_scenario) {
            emulator.count_anew();
        }
        let (ticks, used, begin) = (Ticks::now(), self.used_s(), std::time::Instant::now());
        let run = Run { job: part.job, folder: self.folder, name: part.name, clients: self.clients };
        let live = &self.live;
        let done = self.fio.run(&run, &self.progress.stop, &mut |eta| live.tick(part.title, eta));
        let seconds = begin.elapsed().as_secs_f64();
        let busy = done.as_ref().ok().filter(|_| self.clients.is_empty()).map(|done| {
            let ours = sides::client_seconds(&done.document) + self.used_s() - used;
            Busy { all: Ticks::now().busy_since(ticks), ours: ours / (seconds * f64::from(self.processors)) }
        });
        if !part.is_scenario {
            // The first step makes the file.
            self.seen = self.seen.iter().map(PathIdentity::again).collect();
        }
        // Looked at afterwards, too: nobody knows where the I/O of one that ran to its end went meanwhile.
        let done = done.and_then(|done| if done.interrupted { Ok(done) } else { self.still().map(|()| done) });
        let end = match done {
            Ok(done) if done.interrupted => End::Interrupted(output_of(done)),
            Ok(done) => End::Done(output_of(done)),
            Err(RunError::Stopped) => End::Stopped,
            Err(error) => self.failed(error),
        };
        PartOutcome { end, seconds: Some(seconds), busy }
    }

    fn doubts(&mut self, document: &BenchDocument, scenario: &Scenario) -> Vec<Warning> {
        let cached = document.targets.iter().filter_map(|t| warn::page_cache(&scenario.id, t));
        let status = self.emulator.as_ref().and_then(Emulator::status);
        let late = status.map(|status| warn::lateness(scenario, &status, &document.procedure));
        cached.chain(late.into_iter().flatten()).collect()
    }

    fn keep(&mut self, document: &BenchDocument) -> Result<()> {
        save(self.folder, document)
    }
}

impl RealFio<'_> {
    /// Whether every target is what it was.
    fn still(&self) -> Result<(), RunError> {
        self.seen.iter().find_map(PathIdentity::changed).map_or(Ok(()), |what| Err(RunError::Vanished(what)))
    }

    /// Seconds of processors that our emulator used.
    fn used_s(&self) -> f64 {
        self.emulator.as_ref().map_or(0.0, |e| process_seconds(e.pid()))
    }

    fn failed(&mut self, error: RunError) -> End {
        let gone = self.emulator.as_mut().is_some_and(Emulator::ended);
        let (why, error) = (error.sentence(), Error::from(error));
        End::Failed { why, error: if gone { error.what("the emulator stopped while fio was using it") } else { error } }
    }
}

fn output_of(done: FioRun) -> Output {
    let second = |(at_s, eta): &(f64, dw_measure::eta::Eta)| Second {
        at_s: (at_s * 10.0).round() / 10.0,
        read_iops: eta.read_iops,
        write_iops: eta.write_iops,
    };
    Output { series: done.series.iter().map(second).collect(), json: done.document }
}

/// What the targets on this machine are.
pub fn look(targets: &[Target]) -> Vec<PathIdentity> {
    let here = |t: &&Target| t.facts.as_ref().is_some_and(|f| f.kind != Kind::Emulated);
    targets.iter().filter(here).map(|t| PathIdentity::now(Path::new(&t.path))).collect()
}

/// Writes the state.
pub fn save(folder: &Path, document: &BenchDocument) -> Result<()> {
    let text = serde_json::to_string_pretty(document).unwrap_or_default() + "\n";
    output::write(&text, Some(&folder.join(STATE)), &mut std::io::sink())
}

/// Whether what is there is a state, though of another version or cut off: it may be forgotten, which nobody else's file may.
pub fn is_of_ours(folder: &Path) -> bool {
    std::fs::read_to_string(folder.join(STATE)).is_ok_and(|text| text.contains("\"diskwright_version\""))
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
        Error::input(what).hint("name another directory with `--dir`").of_file(path.display().to_string())
    })
}
