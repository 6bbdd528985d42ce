//! Scenario and load in, what every volume would get out: in virtual time, the same bytes for the same seed.
//!
//! Lives here: one way to run a simulation, and the results of a run: its summary, fio's JSON, what holds each volume, the doubts.
//! Never here: arguments, files, terminals, tables.
//! Read next: `simulate/build.rs` (from a run to its summary), then `simulate/fio_json.rs`.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use dw_error::{Error, Result};
use dw_formats::fio::FioJobs;
use dw_formats::scenario::{CacheStart, Scenario};
use dw_report::Piece;
use dw_sim::{Progress, RunOptions, RunResult, Watcher};
use dw_units::Duration;

use crate::bounds;
use crate::load::{Kind, Texts};
use crate::memory::Needs;
use crate::replay::Recorded;
use crate::session::Session;

mod binding;
pub mod bins;
pub mod build;
mod doubts;
pub mod fio_json;
pub mod jobs;
pub mod json_tree;
mod leaps;
mod limits;
pub mod stamp;
pub mod track;
mod turns;

pub use build::summary;
pub use dw_documents::{format, run as summary};
pub use stamp::Stamp;
pub use summary::Summary;

/// A run with all that its reports speak of.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What it ran on.
    pub scenario: &'a Scenario,
    /// What was asked, and what its reader wants known.
    pub jobs: &'a FioJobs,
    /// What happened.
    pub result: &'a RunResult,
    /// How the host cache began.
    pub start: CacheStart,
    /// Real seconds that it took, where someone had a clock.
    pub wall_s: Option<f64>,
    /// How well figures were to be known, as a share, if anyone asked.
    pub error: Option<f64>,
}

/// How a load is read and run; the default runs it as it stands.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Options of fio that stand for those of every job, as on its command line.
    pub overrides: Vec<(String, Option<String>)>,
    /// Read `bs = 8k` as fio does (8 bytes), instead of refusing it.
    pub blank_values_as_fio: bool,
    /// Of every random draw; absent = the scenario's.
    pub seed: Option<u64>,
    /// Interval of the time series; absent = none.
    pub series: Option<Duration>,
    /// Every request on its own: no steady state is leapt over.
    pub exact: bool,
    /// Of a recording fewer and shorter samples, so that the answer is there at once; its errors are larger, and are said.
    pub quick: bool,
    /// How well rates, mean latencies and 99th percentiles are to be known before steady state is leapt over, as a share of them; absent =
    /// what is usual.
    pub error: Option<f64>,
}

/// A run to be made: everything is read and checked.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// On what.
    pub scenario: Scenario,
    /// What is asked of it.
    pub jobs: FioJobs,
    /// Seed, series, what is warm.
    pub options: RunOptions,
    /// A recording that is replayed; `jobs` are what it asks on average.
    pub recorded: Option<Box<Recorded>>,
}

impl Simulation {
    /// Runs it: every simulation of every face is made here. `progress` is read, and may be stopped, by another thread.
    pub fn run(self, progress: &Progress) -> Result<SimulationOutcome> {
        if let Some(recorded) = self.recorded.clone() {
            return self.replayed(&recorded, progress);
        }
        let result = dw_sim::run(self.scenario.stack.clone(), &self.jobs.workload, &self.options, progress)?;
        Ok(SimulationOutcome { of: self, result, wall_s: None })
    }
}

/// A run that was made.
#[derive(Clone, Debug)]
pub struct SimulationOutcome {
    /// What was run.
    pub of: Simulation,
    /// What happened, in full.
    pub result: RunResult,
    /// Real seconds that it took: a caller with a clock writes them here, and documents then say so.
    pub wall_s: Option<f64>,
}

impl SimulationOutcome {
    /// The run with all that its reports speak of.
    pub fn as_run(&self) -> Run<'_> {
        let Simulation { scenario, jobs, options, .. } = &self.of;
        let (result, start, wall_s, error) = (&self.result, scenario.start, self.wall_s, options.error);
        Run { scenario, jobs, result, start, wall_s, error }
    }

    /// Rates, latencies, limits, and what throttles each volume.
    pub fn summary(&self) -> Summary {
        summary(&self.as_run())
    }

    /// The document that `simulate` prints: fio's JSON with the summary in it, made at this time.
    pub fn document(&self, now: Stamp) -> Result<dw_documents::Run> {
        fio_json::value(&self.as_run(), &self.summary(), now)
            .ok_or_else(|| Error::unexpected("a value of the run is not a number"))
    }

    /// The document as a piece of a report. Those of a replay say nothing that its volumes do not say:
    /// `with_jobs` keeps them.
    pub fn piece(&self, name: &str, with_jobs: bool) -> Result<Piece> {
        let mut document = self.document(Stamp::from_milliseconds(0))?;
        if !with_jobs {
            document.jobs.clear();
        }
        Piece::new(name, document.into()).ok_or_else(|| Error::unexpected("the run is not a document of a report"))
    }
}

impl Session {
    /// Reads a load for a scenario: what [`Session::simulate`] runs. A `requirements.toml` is replayed, as by [`Session::replay_with`].
    pub fn load(&self, mut scenario: Scenario, texts: &Texts, options: &LoadOptions) -> Result<Simulation> {
        if let (Kind::Demand, [(name, text)]) = (texts.kind()?, texts.files()) {
            let demand = self.requirements_of_existing(name, text)?;
            return self.replay_with(scenario, demand, options).map_err(|error| error.of_file(name));
        }
        let seed = options.seed.unwrap_or(scenario.stack.seed);
        scenario.stack.seed = seed;
        let mut jobs =
            self.jobs(&scenario.volume_maps(), texts, &options.overrides, options.blank_values_as_fio, seed)?;
        turns::into_phases(&mut jobs.workload);
        let warm = scenario.warm_for(&jobs.workload);
        let LoadOptions { series, exact, error, .. } = *options;
        bounds::in_flight(bounds::most_in_flight(&jobs.workload.jobs))?;
        let longest = jobs.workload.jobs.iter().filter_map(|job| job.stop.runtime).max().unwrap_or_default();
        series.map_or(Ok(()), |every| bounds::series(longest, every))?;
        let options = RunOptions { series, seed, exact, error, warm, ..RunOptions::default() };
        Ok(Simulation { scenario, jobs, options, recorded: None })
    }

    /// Runs it in virtual time. The observer is told how far it is, and may stop it; to keep what a run has come to when it is
    /// stopped, call [`Simulation::run`] instead.
    ///
    /// # Errors
    /// Of kind `Input` where the load cannot run on these disks or its maps do not fit into the memory, `Interrupted` where the
    /// observer asked to stop.
    ///
    /// ```
    /// use diskwright::{Catalogue, LoadOptions, Session, Texts};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\nmount = '/data'\ndisks = 'P30'\n";
    /// let job = "[reads]\nfilename=/data/file\nsize=1g\nrw=randread\nbs=8k\niodepth=64\nioengine=libaio\ndirect=1\nruntime=5\ntime_based=1\n";
    /// let load = Texts::single("reads.fio", job.into());
    /// let run = session.load(session.scenario("rig.toml", rig)?, &load, &LoadOptions::default())?;
    /// let summary = session.simulate(run)?.summary();
    /// assert!((summary.total.all.iops - 5_000.0).abs() < 100.0, "a P30 gives 5,000 IOPS, not {}", summary.total.all.iops);
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn simulate(&self, simulation: Simulation) -> Result<SimulationOutcome> {
        self.step("simulate", || self.run(simulation, Some("simulate")))
    }

    /// The same; the observer is told of `step`, where there is one, and asked whether to stop, some thousand I/Os apart.
    pub(crate) fn run(&self, simulation: Simulation, step: Option<&'static str>) -> Result<SimulationOutcome> {
        self.go_on()?;
        let mut needs = Needs::default();
        needs.add(&simulation.jobs.workload);
        needs.check(1, self)?;
        let observer = self.observer_shared();
        let watch = move |progress: &Progress| {
            let (now, end) = (progress.virtual_ns.load(Relaxed), progress.end_ns.load(Relaxed));
            if let Some(step) = step.filter(|_| end > 0) {
                // The end is an estimate: a run that goes on beyond it has not ended.
                observer.progress(step, (now as f64 / end as f64).min(0.99));
            }
            if observer.is_cancelled() {
                progress.stop.store(true, Relaxed);
            }
        };
        let simulated = simulation.run(&Progress { watch: Some(Watcher(Arc::new(watch))), ..Progress::default() })?;
        if simulated.result.partial {
            self.go_on()?;
        }
        Ok(simulated)
    }
}
