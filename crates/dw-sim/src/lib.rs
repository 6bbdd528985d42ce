//! A stack driven in virtual time, and what happened.
//!
//! Lives here: the loop that jumps, virtual fio, statistics, sweeps over seeds.
//! Never here: real time, files, printing.
//! Read next: `driver.rs` for the loop, then `clone.rs`, then `result.rs`; `leap/mod.rs` for long runs.

#![forbid(unsafe_code)]

mod batch_means;
mod by_kind;
mod clone;
mod driver;
mod gather;
mod leap;
mod meter;
mod pace;
mod recorder;
pub mod result;
mod samples;
mod series;
mod steady;
mod storage;
mod sweep;
mod tail;
mod timers;
mod verify;

pub use leap::LEAPS_FROM;
pub use result::*;
#[doc(hidden)]
pub use storage::Engine;
pub use storage::NULL_SERVICE_NS;
pub use sweep::each;

use by_kind::{Kinds, Plan};
use clone::{CloneRun, State};
use driver::Driver;
use dw_stack::{CacheMode, Stack, StackSpec, VolumeId};
use dw_units::{Duration, Instant};
use dw_workload::{Generator, Io, Job, Replay, Workload, join};
use leap::IfLong;
use meter::{Meter, NO_VOLUME};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use storage::{Logged, Other, Storage, WithNull};

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Interval of the time series; absent = none.
    pub series: Option<Duration>,
    /// Seed of the workload's and the stack's draws.
    pub seed: u64,
    /// No leaping over steady state: every I/O is simulated.
    pub exact: bool,
    /// How well rates, means and 99th percentiles have to be known before steady state is leapt over, as a share of them; absent =
    /// what is usual.
    pub error: Option<f64>,
    /// Leaps also where a run has fewer I/Os than [`LEAPS_FROM`], but at least this many.
    pub leaps_from: Option<u64>,
    /// What the host cache holds before the run (volume, first byte, bytes), oldest first.
    pub warm: Vec<(u16, u64, u64)>,
    /// Stop here in virtual time, whatever the jobs say.
    pub until: Option<Duration>,
}

/// How far a run has come; read by whoever shows it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set to stop: the result is then partial.
    pub stop: Arc<AtomicBool>,
    /// Virtual nanoseconds so far.
    pub virtual_ns: std::sync::atomic::AtomicU64,
    /// I/Os so far.
    pub ios: std::sync::atomic::AtomicU64,
    /// An estimate of the virtual end, ns; 0 = unknown.
    pub end_ns: std::sync::atomic::AtomicU64,
    /// Who is called by the run itself.
    pub watch: Option<Watcher>,
    /// Who is told of the series while it grows.
    pub tell: Option<Teller>,
}

/// Told now and then of the intervals of the series that are over since the last time, in order: all but those at the end of the run,
/// which only its result has, and without the transactions billed.
pub struct Teller(pub Box<Tell>);

/// What a [`Teller`] calls.
pub type Tell = dyn Fn(&[SeriesPoint]) + Send + Sync;

impl std::fmt::Debug for Teller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Teller")
    }
}

/// Called now and then while a run works, some ten thousand I/Os apart, for whoever has no thread to look at its progress: may set
/// `stop`.
#[derive(Clone)]
pub struct Watcher(pub Arc<dyn Fn(&Progress) + Send + Sync>);

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watcher")
    }
}

/// A request as a job issued it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// When, from the start of the run.
    pub at: Instant,
    /// The job's place in the workload.
    pub job: usize,
    /// What; addressed on its volume.
    pub io: Io,
}

/// As [`run`], and every request that was issued, flushes left out, in order: what fio's `write_iolog` keeps.
pub fn run_logged(
    spec: StackSpec,
    workload: &Workload,
    options: &RunOptions,
    progress: &Progress,
) -> Result<(RunResult, Vec<Issued>), RunError> {
    let (stack, clones, meter) = prepare(spec, workload, options, progress)?;
    let storage = Logged { storage: WithNull::new(stack, clones.len()), log: Vec::new() };
    let mut driver = Driver::new(storage, clones, gather::entries(workload), meter, options, progress);
    driver.watch(workload);
    driver.run();
    let log = std::mem::take(&mut driver.storage.log);
    Ok((gather::result(driver, workload, options), log))
}

/// Runs `workload` on a stack of `spec`, from a cold start at virtual time zero to the end of its last job.
///
/// The same arguments give the same result, byte for byte.
pub fn run(
    spec: StackSpec,
    workload: &Workload,
    options: &RunOptions,
    progress: &Progress,
) -> Result<RunResult, RunError> {
    let leaps = (!options.exact).then(|| IfLong::of(&spec, workload, options));
    let (stack, clones, meter) = prepare(spec, workload, options, progress)?;
    progress.end_ns.store(estimate(workload, options), Relaxed);
    let entry_of = gather::entries(workload);
    if workload.jobs.iter().any(|job| job.null_engine) {
        let storage = WithNull::new(stack, clones.len());
        let driver = Driver::new(storage, clones, entry_of, meter, options, progress);
        Ok(finish(driver, leaps, workload, options))
    } else {
        Ok(finish(Driver::new(stack, clones, entry_of, meter, options, progress), leaps, workload, options))
    }
}

/// I/Os of a recording of which parts of steps stand for the rest, about, next to what is simulated in order.
pub const SAMPLED: f64 = by_kind::SAMPLED;

/// How many I/Os of a recording are simulated in order when it is replayed by kind, besides `sampled` of the others; or why no part of it
/// stands for another.
pub fn in_order(spec: &StackSpec, replay: &Replay, options: &RunOptions, sampled: f64) -> Result<f64, Refusal> {
    Plan::of(spec, replay, options, sampled).map(|plan| plan.in_order)
}

/// Replays a recording on a stack of `spec`, from a cold start. Every I/O of it, where nothing is to be `sampled`; else by kind: where no
/// limit is near, about so many I/Os of its steps stand for the rest of them. Where no part of it stands for another every I/O is simulated,
/// too, and the result says why.
///
/// The same arguments give the same result, byte for byte.
pub fn replay(
    spec: StackSpec,
    replay: &Replay,
    options: &RunOptions,
    progress: &Progress,
    sampled: Option<f64>,
) -> Result<RunResult, RunError> {
    let plan = sampled.map(|sampled| Plan::of(&spec, replay, options, sampled));
    let with_cache: Vec<bool> = spec.volumes.iter().map(|v| v.host_cache != CacheMode::None).collect();
    let workload = Workload { jobs: replay.on_average() };
    let (stack, _, mut meter) = prepare(spec, &workload, options, progress)?;
    progress.end_ns.store(replay.span().ns(), Relaxed);
    let kinds = Kinds::new(replay, plan, options, with_cache, meter.cells.len());
    // Places in which the clones of steps will run; what can be wrong with a step is wrong with that of the largest requests.
    let mut clones = Vec::with_capacity(Kinds::places(replay));
    for place in 0..Kinds::places(replay) {
        let steps = replay.streams[Kinds::stream_of(place)].steps.iter().enumerate();
        let largest = steps.filter(|(_, step)| step.requests > 0).max_by_key(|(_, step)| step.size);
        let step = largest.map_or(0, |(number, _)| number);
        let mut clone = kinds.clone_of(Kinds::stream_of(place), step, place, &mut meter)?;
        clone.state = State::Done;
        clones.push(clone);
    }
    let entries = vec![0; clones.len()];
    let mut driver = Driver::new(stack, clones, entries, meter, options, progress);
    driver.replay(kinds);
    driver.run();
    let mut result = gather::result(driver, &workload, options);
    gather::over_all_of_it(&mut result, replay.span());
    result.entries = gather::entries_of_replay(&result, replay);
    Ok(result)
}

/// As [`run`], on another engine and without the short path of the loop.
#[doc(hidden)]
pub fn run_on<E: Engine>(
    build: impl FnOnce(StackSpec) -> E,
    spec: StackSpec,
    workload: &Workload,
    options: &RunOptions,
) -> Result<RunResult, RunError> {
    let progress = Progress::default();
    let (_, mut clones, meter) = prepare(spec.clone(), workload, options, &progress)?;
    clones.iter_mut().for_each(CloneRun::take_no_short_path);
    let mut engine = build(StackSpec { seed: join(spec.seed, options.seed), ..spec });
    if options.series.is_some() {
        engine.watch_usage();
    }
    for &(volume, offset, len) in &options.warm {
        engine.warm(VolumeId(volume), offset, len);
    }
    let storage = Other { engine, current: None };
    let driver = Driver::new(storage, clones, gather::entries(workload), meter, options, &progress);
    Ok(finish(driver, None, workload, options))
}

/// Fills the cache a stretch at a time: all of a large one takes as long as a short run, and who watches may stop it meanwhile.
fn warm(stack: &mut Stack, volume: VolumeId, range: std::ops::Range<u64>, progress: &Progress) {
    const STRETCH: u64 = 1 << 32;
    let end = range.end.min(stack.volume_size(volume).get());
    let mut offset = range.start;
    while offset < end {
        if let Some(watch) = &progress.watch {
            watch.0(progress);
        }
        if progress.stop.load(Relaxed) {
            return;
        }
        stack.warm(volume, offset, (end - offset).min(STRETCH));
        offset += STRETCH;
    }
}

/// Checks what is asked, and makes everything ready to run.
fn prepare(
    mut spec: StackSpec,
    workload: &Workload,
    options: &RunOptions,
    progress: &Progress,
) -> Result<(Stack, Vec<CloneRun>, Meter), RunError> {
    let with_cache: Vec<bool> = spec.volumes.iter().map(|v| v.host_cache != CacheMode::None).collect();
    spec.seed = join(spec.seed, options.seed);
    let mut stack = Stack::new(spec).map_err(RunError::Stack)?;
    let sizes: Vec<u64> = (0..with_cache.len()).map(|v| stack.volume_size(VolumeId(v as u16)).get()).collect();
    for job in &workload.jobs {
        check(job, &sizes, options).map_err(|what| RunError::Job { job: job.name.clone(), what })?;
    }
    if options.series.is_some() {
        stack.watch_usage();
    }
    for &(volume, offset, len) in &options.warm {
        warm(&mut stack, VolumeId(volume), offset..offset.saturating_add(len), progress);
    }
    let mut meter = Meter::new(with_cache.len(), options.series);
    let mut clones = Vec::with_capacity(workload.jobs.len());
    for (job, entry) in workload.jobs.iter().zip(gather::entries(workload)) {
        let number = clones.len() as u64;
        clones.push(clone_of(job, number, entry, options, &with_cache, &mut meter)?);
    }
    Ok((stack, clones, meter))
}

fn finish<S: Storage>(
    mut driver: Driver<S>,
    leaps: Option<IfLong>,
    workload: &Workload,
    options: &RunOptions,
) -> RunResult {
    driver.watch(workload);
    leaps.into_iter().for_each(|leaps| driver.leap_if_long(leaps));
    driver.run();
    gather::result(driver, workload, options)
}

/// A job made ready to run.
fn clone_of(
    job: &Job,
    number: u64,
    entry: usize,
    options: &RunOptions,
    with_cache: &[bool],
    meter: &mut Meter,
) -> Result<CloneRun, RunError> {
    let seed = join(join(options.seed, job.seed), number);
    let generator =
        Generator::new(job, seed).map_err(|error| RunError::Job { job: job.name.clone(), what: error.to_string() })?;
    let mut clone = CloneRun::new(number, job, generator, seed);
    let mut volumes: Vec<u16> = if job.null_engine { vec![NO_VOLUME] } else { clone.file_volumes.clone() };
    volumes.sort_unstable();
    volumes.dedup();
    clone.cells = volumes.iter().map(|&volume| (volume, meter.cells_for(entry, volume))).collect();
    clone.first_cell = clone.cells[0].1;
    clone.one_cell = volumes.len() == 1 && !job.null_engine;
    if !volumes.iter().any(|&v| with_cache.get(v as usize).is_some_and(|&has| has)) {
        clone.draw_on_demand();
    }
    Ok(clone)
}

/// What must hold between a job and the stack.
fn check(job: &Job, sizes: &[u64], options: &RunOptions) -> Result<(), String> {
    if job.stop.time_based && job.stop.runtime.is_none() && options.until.is_none() {
        return Err("it runs by time, but has no runtime".into());
    }
    if job.null_engine {
        return Ok(());
    }
    for file in &job.files {
        let Some(&size) = sizes.get(file.volume as usize) else {
            return Err(format!("file `{}` is on volume {}, the stack has {}", file.name, file.volume, sizes.len()));
        };
        let end = file.start.saturating_add(file.offset).saturating_add(file.len);
        if end > size {
            return Err(format!("file `{}` ends at byte {end} of a volume of {size} bytes", file.name));
        }
    }
    Ok(())
}

/// The virtual end as far as runtimes tell, ns; 0 when a job ends by size.
fn estimate(workload: &Workload, options: &RunOptions) -> u64 {
    let mut phases = std::collections::BTreeMap::new();
    for job in &workload.jobs {
        let ends = job.stop.runtime.filter(|_| job.stop.time_based).map(|r| (job.start_delay.1 + job.ramp + r).ns());
        let Some(ends) = ends else { return options.until.map_or(0, |until| until.ns()) };
        let longest = phases.entry(job.phase).or_insert(0);
        *longest = ends.max(*longest);
    }
    let end = phases.values().fold(0u64, |sum, &ns| sum.saturating_add(ns));
    options.until.map_or(end, |until| until.ns().min(end))
}

/// Why a run cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The stack's description is wrong.
    Stack(dw_stack::SpecError),
    /// A job does not fit the stack.
    Job {
        /// The job's name.
        job: String,
        /// What is wrong.
        what: String,
    },
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Stack(error) => write!(f, "{}: {}", error.at, error.what),
            RunError::Job { job, what } => write!(f, "job `{job}`: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<RunError> for dw_error::Error {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Stack(error) => error.into(),
            job @ RunError::Job { .. } => dw_error::Error::of(dw_error::Kind::Input, job),
        }
    }
}

#[cfg(test)]
mod tests;
