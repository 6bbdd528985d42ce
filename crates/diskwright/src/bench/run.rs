//! The procedure on real targets: each part's job is given to a runner, what fio says of it goes into the document.
//!
//! A part that is finished is never done twice; one that fails ends the benchmark, with what there is.
//!
//! Source: the vendor's guide to benchmarking a premium disk: create the files, write all of them, warm the cache by reading,
//! then measure.

use dw_documents::bench::{BenchDocument, Row, Scenario, Second, Share, State, Warning};
use dw_documents::results::fio;
use dw_error::{Error, Kind, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_messages::{Sentence, say};
use serde_json::Value;

use super::prepared::Bench;
use super::suite::Plan;
use super::{doubts, rows, sides};
use crate::session::Session;

/// Runs job files of fio: the one thing of a benchmark that needs a process, a clock and disks.
pub trait Runner {
    /// Runs a part to its end.
    fn run(&mut self, part: &Part) -> PartOutcome;

    /// What it doubts about a scenario whose figures have just come.
    fn doubts(&mut self, _document: &BenchDocument, _scenario: &Scenario) -> Vec<Warning> {
        Vec::new()
    }

    /// Told after each part, however it ended: who keeps the document can go on from there.
    fn keep(&mut self, _document: &BenchDocument) -> Result<()> {
        Ok(())
    }
}

/// A step of the preparation, or a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Unique in the benchmark; may be the name of a file.
    pub name: &'a str,
    /// What a person is shown.
    pub title: &'a str,
    /// The job file.
    pub job: &'a str,
    /// Seconds that it is planned to take.
    pub planned_s: f64,
    /// It is measured, and not a step of the preparation.
    pub is_scenario: bool,
}

/// What came of a part.
#[derive(Clone, Debug)]
pub struct PartOutcome {
    /// How it ended.
    pub end: End,
    /// Seconds that it took, where the runner has a clock.
    pub seconds: Option<f64>,
    /// How busy the processors were, where the runner knows.
    pub busy: Option<Busy>,
}

/// How a part ended.
#[derive(Clone, Debug)]
pub enum End {
    /// It ran to its end.
    Done(Output),
    /// It was stopped on request, and has figures up to then.
    Interrupted(Output),
    /// It was stopped before there were any.
    Stopped,
    /// There are no figures.
    Failed {
        /// For the document.
        why: Sentence,
        /// For the caller.
        error: Error,
    },
}

/// What fio said.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its JSON; of `json+`, percentiles are those of all its jobs together.
    pub json: Value,
    /// Rates second by second.
    pub series: Vec<Second>,
}

/// How busy the processors were, as shares of all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Busy {
    /// In all.
    pub all: f64,
    /// By what the benchmark itself ran.
    pub ours: f64,
}

impl PartOutcome {
    /// Of a text that fio printed, or of why there is none.
    pub fn from_fio(text: Result<String>) -> PartOutcome {
        let json = text.and_then(|text| {
            let found = fio::split(&text).ok().and_then(|mut documents| documents.found.pop());
            found.map(|document| document.value).ok_or_else(|| Error::new(Kind::Bench, "fio did not print JSON"))
        });
        let end = match json {
            Ok(json) => End::Done(Output { json, series: Vec::new() }),
            Err(error) => End::Failed { why: say!(Plain { text: error.what.as_str() }), error },
        };
        PartOutcome { end, seconds: None, busy: None }
    }
}

impl Bench {
    /// Runs what is not finished; whatever happens, the document says how far it came.
    ///
    /// # Errors
    /// The error of the part that failed, of kind `Interrupted` where it was stopped, or that of keeping the document.
    pub fn measure(&mut self, session: &Session, runner: &mut dyn Runner) -> Result<()> {
        if !self.document.partial {
            return Ok(());
        }
        for index in 0..self.document.preparation.len() {
            if self.document.preparation[index].state != State::Done {
                session.go_on()?;
                let outcome = self.step(index, runner);
                runner.keep(&self.document)?;
                outcome?;
            }
        }
        for index in 0..self.document.scenarios.len() {
            if self.document.scenarios[index].state != State::Done {
                session.go_on()?;
                let outcome = self.scenario(index, runner);
                runner.keep(&self.document)?;
                outcome?;
            }
        }
        self.document.partial = false;
        Ok(())
    }

    fn step(&mut self, index: usize, runner: &mut dyn Runner) -> Result<()> {
        let step = &mut self.document.preparation[index];
        let ran = runner.run(&Part {
            name: &step.file_name(),
            title: &format!("{} {}", step.name, step.volume),
            job: &step.job,
            planned_s: step.predicted_s,
            is_scenario: false,
        });
        step.seconds = ran.seconds;
        let (state, outcome) = match ran.end {
            End::Done(_) => (State::Done, Ok(())),
            End::Interrupted(_) | End::Stopped => (State::Partial, Err(stopped())),
            End::Failed { error, .. } => (State::Failed, Err(error)),
        };
        step.state = state;
        outcome
    }

    fn scenario(&mut self, index: usize, runner: &mut dyn Runner) -> Result<()> {
        let (plan, planned_s) = (&self.plans[index], self.planned_s());
        let scenario = &mut self.document.scenarios[index];
        let part = Part { name: &plan.id, title: &plan.id, job: &scenario.job, planned_s, is_scenario: true };
        let ran = runner.run(&part);
        scenario.failure = None;
        let (output, state, outcome) = match ran.end {
            End::Done(output) => (Some(output), State::Done, Ok(())),
            End::Interrupted(output) => (Some(output), State::Partial, Err(stopped())),
            End::Stopped => (None, State::Partial, Err(stopped())),
            End::Failed { why, error } => {
                scenario.failure = Some(why);
                (None, State::Failed, Err(error))
            }
        };
        scenario.state = state;
        if let Some(output) = output {
            fill(scenario, &self.rig, plan, output);
            self.doubt(index, ran.busy, runner);
        }
        self.sum_up(index);
        outcome
    }

    /// What spoils the figures of a scenario.
    fn doubt(&mut self, index: usize, busy: Option<Busy>, runner: &mut dyn Runner) {
        let scenario = &self.document.scenarios[index];
        let mut found = doubts::of_scenario(scenario, &self.document.procedure, busy);
        found.extend(runner.doubts(&self.document, scenario));
        self.document.warnings.retain(|w| w.scenario.as_ref() != Some(&self.plans[index].id));
        self.document.warnings.extend(found);
    }

    /// The lines of a scenario, and what all say together, after it changed.
    fn sum_up(&mut self, index: usize) {
        let (plan, document) = (&self.plans[index], &mut self.document);
        document.rows.retain(|row| row.scenario != plan.id);
        document.rows.extend(rows::rows(plan, &document.scenarios[index]));
        let place = |row: &Row| document.scenarios.iter().position(|s| s.id == row.scenario);
        document.rows.sort_by_key(place);
        document.findings = rows::findings(&document.scenarios);
    }
}

fn stopped() -> Error {
    Error::new(Kind::Interrupted, "the benchmark was stopped before its end")
}

/// What fio says, into the scenario.
fn fill(scenario: &mut Scenario, rig: &Rig, plan: &Plan, output: Output) {
    let share = |volume: &str, direction: &str, side: &sides::Side| {
        Some(Share { volume: volume.into(), direction: direction.into(), load: side.load()? })
    };
    let (mut shares, mut all) = (Vec::new(), sides::Side::default());
    for (index, volume) in rig.volumes.iter().enumerate() {
        let is_one = |name: &str| plan.streams.iter().any(|s| s.volume == index && s.name == name);
        let (reads, writes) = sides::sides(&output.json, &is_one);
        shares
            .extend([share(&volume.name, "read", &reads), share(&volume.name, "write", &writes)].into_iter().flatten());
        all.add(&reads);
        all.add(&writes);
    }
    shares.extend(share("all", "all", &all));
    scenario.measured = shares;
    scenario.client_cpu_percent = Some(sides::client_percent(&output.json));
    scenario.series = output.series;
    scenario.fio = Some(sides::without_bins(output.json));
}
