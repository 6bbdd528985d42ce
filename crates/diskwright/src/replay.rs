//! A recorded demand on disks: what was recorded, run on what was chosen.

use std::sync::Arc;

use dw_demand::wishes::{LatencyOf, Wishes};
use dw_demand::{DemandSeries, Requirements};
use dw_documents::plan::PlanDocument;
use dw_error::Result;
use dw_formats::fio::{FioJobs, StreamExplanation};
use dw_formats::over_time;
use dw_formats::scenario::{Note, Scenario};
use dw_messages::{Figure, say};
use dw_sim::{Progress, RunOptions, RunResult, SAMPLED};
use dw_units::Duration;
use dw_workload::{Direction, Job, Replay, Workload};

use crate::bounds;
use crate::plan::{Demand, PlanOutcome};
use crate::session::Session;
use crate::simulate::{LoadOptions, Simulation, SimulationOutcome, build};

/// I/Os that are simulated at most unless every one is asked for: of a longer recording its busiest stretch, so that a report takes seconds.
const IOS: f64 = 2e7;
/// Intervals of the simulated series.
const INTERVALS: u64 = 240;
/// How well figures are known that nobody asked to be known better, as a share, and what a latency is away from what is asked of it for it
/// not to be looked at again: `docs/model/by-kind.md`.
const KNOWN: f64 = 0.02;
/// So many times fewer samples where an answer is to be there at once.
const QUICK: f64 = 4.0;
/// So many times the samples where a figure is nearer to what was asked of it than it is known.
const CLOSER: f64 = 8.0;

/// A demand over time that is replayed.
#[derive(Clone, Debug)]
pub struct Recorded {
    replay: Replay,
    asked: Vec<Asked>,
    /// I/Os of samples at first, where parts of it may stand for others.
    sampled: Option<f64>,
}

/// A latency that may not be exceeded.
#[derive(Clone, Copy, Debug)]
struct Asked {
    volume: u16,
    direction: Direction,
    of: LatencyOf,
    most: Duration,
}

impl Session {
    /// The recorded demand on the planned disks, to be run by [`Session::simulate`]: all of it where intervals can be taken by kind; else a
    /// recording with more than 20 million I/Os is cut to its busiest stretch, which the scenario's notes then say.
    pub fn replay(&self, planned: &PlanOutcome) -> Result<Simulation> {
        let demand = Demand::new(planned.requirements.clone(), planned.wishes.clone());
        self.replay_of_plan(&planned.document, demand)
    }

    /// The same of a plan's document and what it meets.
    pub(crate) fn replay_of_plan(&self, plan: &PlanDocument, demand: Demand) -> Result<Simulation> {
        self.replay_on(self.scenario("rig.toml", &self.rig_of("plan", plan)?)?, demand)
    }

    /// The same on any disks: those of the plan with more of them, or what is there today.
    ///
    /// # Errors
    /// Of kind `Input` where the demand has no series, or the scenario not its volumes.
    pub fn replay_on(&self, scenario: Scenario, demand: Demand) -> Result<Simulation> {
        self.replay_with(scenario, demand, &LoadOptions::default())
    }

    /// The same with a seed, a series of its own, a smaller error; or with every I/O of all of it, however many there are.
    ///
    /// # Errors
    /// As [`Session::replay_on`]; of kind `Usage` where the series has more rows than anybody can keep.
    pub fn replay_with(&self, mut scenario: Scenario, demand: Demand, options: &LoadOptions) -> Result<Simulation> {
        let Demand { mut requirements, wishes, .. } = demand;
        scenario.stack.seed = options.seed.unwrap_or(scenario.stack.seed);
        let mut replay = replay_of(&scenario, &requirements, &wishes)?;
        if !options.exact && !fits(&scenario, &replay, &run_options(&scenario, &replay, options)) {
            let Cut { span, whole, .. } = cut(&mut requirements, IOS);
            let figure = |time: Duration| Figure::new(time.ns() as f64 / 1e9, "s", time.to_string());
            let text = say!(RigBusiest { whole: figure(whole), span: figure(span) });
            scenario.notes.push(Note { line: 1, text });
            replay = replay_of(&scenario, &requirements, &wishes)?;
        }
        bounds::in_flight(replay.most_in_flight())?;
        let run = run_options(&scenario, &replay, options);
        if let Some(every) = options.series {
            bounds::series(replay.span(), every)?;
        }
        let maps = scenario.volume_maps();
        let jobs = replay.on_average();
        let volume = |place: u16| maps[usize::from(place)].name.clone();
        let explain = |job: &Job| StreamExplanation::new(std::slice::from_ref(job), "an open loop", volume);
        let explain = jobs.iter().filter_map(explain).collect();
        let jobs = FioJobs { workload: Workload { jobs }, explain, ..FioJobs::default() };
        let sampled = if options.quick { SAMPLED / QUICK } else { SAMPLED };
        let sampled = (!options.exact && replay.requests() as f64 > SAMPLED).then_some(sampled);
        let asked = asked(&scenario, &requirements, &wishes)?;
        let recorded = Some(Box::new(Recorded { replay, asked, sampled }));
        Ok(Simulation { scenario, jobs, options: run, recorded })
    }

    /// Of [`Session::replay_on`] the busiest stretch of at most so many I/Os, every request on its own: where it begins and how long it is.
    /// It begins as the whole does, with the credits and the cache of `rig.toml`.
    ///
    /// # Errors
    /// As [`Session::replay_on`].
    pub fn replay_stretch(&self, scenario: Scenario, demand: Demand, ios: u64) -> Result<(Simulation, Stretch)> {
        let Demand { mut requirements, wishes, .. } = demand;
        let whole = busiest(&scenario, &mut requirements, &wishes)?.span;
        let Cut { from, span, ios: asked, .. } = cut(&mut requirements, ios as f64);
        // An interval has one rate: less of it shows the same.
        let share = (ios as f64 / asked.max(1.0)).min(1.0);
        let span = Duration::from_ns((span.ns() as f64 * share) as u64);
        let series = Some(interval_of(whole).min(interval_of(span)));
        let options = LoadOptions { series, exact: true, ..LoadOptions::default() };
        let mut simulation = self.replay_with(scenario, Demand::new(requirements, wishes), &options)?;
        simulation.options.until = (share < 1.0).then_some(span);
        Ok((simulation, Stretch { from, span, is_whole: span == whole }))
    }
}

/// What is asked of the volumes of a scenario over time.
fn replay_of(scenario: &Scenario, requirements: &Requirements, wishes: &Wishes) -> Result<Replay> {
    let working_set = |place: usize| wishes.volumes.get(place)?.working_set;
    over_time(requirements, &scenario.volume_maps(), &working_set)
}

fn run_options(scenario: &Scenario, replay: &Replay, options: &LoadOptions) -> RunOptions {
    let LoadOptions { series, exact, error, .. } = *options;
    let warm = scenario.warm_for(&Workload { jobs: replay.on_average() });
    let series = series.or(Some(interval_of(replay.span())));
    RunOptions { series, seed: scenario.stack.seed, exact, error, warm, ..RunOptions::default() }
}

/// Whether a recording is simulated as a whole: it has no more I/Os than any has, or enough of its intervals can be taken by kind.
fn fits(scenario: &Scenario, replay: &Replay, options: &RunOptions) -> bool {
    let in_order = || dw_sim::in_order(&scenario.stack, replay, options, SAMPLED);
    replay.requests() as f64 <= IOS || in_order().is_ok_and(|in_order| in_order <= IOS)
}

/// The latencies that the demand may not exceed.
fn asked(scenario: &Scenario, requirements: &Requirements, wishes: &Wishes) -> Result<Vec<Asked>> {
    let maps = scenario.volume_maps();
    let mut asked = Vec::new();
    for (volume, wish) in requirements.volumes.iter().zip(&wishes.volumes) {
        let wanted = [(Direction::Read, wish.read_latency_max), (Direction::Write, wish.write_latency_max)];
        for (direction, latency) in wanted {
            for (of, most) in LatencyOf::ALL.into_iter().filter_map(|of| Some((of, latency.of(of)?))) {
                let place = dw_formats::place_of(volume, requirements.volumes.len(), &maps, "the scenario")?;
                asked.push(Asked { volume: maps[place].index, direction, of, most });
            }
        }
    }
    Ok(asked)
}

/// A part of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins.
    pub from: Duration,
    /// How long it is.
    pub span: Duration,
    /// It is all that is replayed.
    pub is_whole: bool,
}

fn interval_of(span: Duration) -> Duration {
    Duration::from_ns((span.ns() / INTERVALS).max(1_000_000_000))
}

/// Cuts the series to what [`Session::replay_on`] replays of it.
///
/// # Errors
/// As [`Session::replay_on`].
pub fn busiest(scenario: &Scenario, requirements: &mut Requirements, wishes: &Wishes) -> Result<Cut> {
    let replay = replay_of(scenario, requirements, wishes)?;
    let most = if fits(scenario, &replay, &run_options(scenario, &replay, &LoadOptions::default())) {
        f64::INFINITY
    } else {
        IOS
    };
    Ok(cut(requirements, most))
}

impl Recorded {
    /// Whether a latency is nearer to what is asked of it than it is known.
    fn straddles(&self, result: &RunResult) -> bool {
        let Some(known) = result.leaps.as_ref().and_then(dw_sim::Leaps::figures) else { return false };
        self.asked.iter().any(|asked| {
            let is = |figures: &&dw_sim::LeaptFigures| {
                (figures.volume, figures.direction) == (asked.volume, asked.direction)
            };
            let Some(figures) = known.iter().find(is) else { return false };
            let stats = &result.volumes[usize::from(asked.volume)].load.directions.get(asked.direction).latency;
            let (value, error) = match asked.of {
                LatencyOf::Mean => (stats.sum as f64 / stats.count.max(1) as f64, figures.mean),
                LatencyOf::P95 => (build::quantile(&[stats], 0.95).unwrap_or(0) as f64, figures.p95),
                LatencyOf::P99 => (build::quantile(&[stats], 0.99).unwrap_or(0) as f64, figures.p99),
            };
            (value - asked.most.ns() as f64).abs() <= error.max(KNOWN) * value
        })
    }
}

impl Simulation {
    /// The recording by kind; where a latency is too near to what is asked of it, more of it, and in the end every I/O.
    pub(crate) fn replayed(self, recorded: &Recorded, progress: &Progress) -> Result<SimulationOutcome> {
        // What is simulated again is watched, and not told again.
        let again = Progress { stop: progress.stop.clone(), watch: progress.watch.clone(), ..Progress::default() };
        let mut told = progress;
        let known = self.options.error.map_or(1.0, |error| (KNOWN / error).powi(2));
        let mut sampled = recorded.sampled.map(|sampled| (sampled * known).clamp(sampled, IOS));
        let all = recorded.replay.requests() as f64;
        loop {
            let stack = self.scenario.stack.clone();
            let result = dw_sim::replay(stack, &recorded.replay, &self.options, told, sampled)?;
            match sampled {
                Some(of) if !result.partial && recorded.straddles(&result) && (all <= IOS || of < IOS) => {
                    sampled = (all > IOS).then(|| (of * CLOSER).min(IOS));
                    told = &again;
                }
                _ => return Ok(SimulationOutcome { of: self, result, wall_s: None }),
            }
        }
    }
}

/// What was cut out of how much.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Where it begins.
    pub from: Duration,
    /// How long it is.
    pub span: Duration,
    /// How long all was.
    pub whole: Duration,
    ios: f64,
}

/// Cuts the series to the stretch with the most I/Os whose number is about `most`, one interval at least.
fn cut(requirements: &mut Requirements, most: f64) -> Cut {
    let growth = requirements.growth;
    let series = || requirements.volumes.iter().filter_map(|v| v.series.as_deref());
    let count = series().map(|s| s.read_iops.len()).max().unwrap_or(0);
    let interval = series().next().map_or(Duration::from_secs(1), |s| s.interval);
    let seconds = interval.ns() as f64 / 1e9;
    let rate = |s: &DemandSeries, at: usize| s.read_iops.get(at).unwrap_or(&0.0) + s.write_iops.get(at).unwrap_or(&0.0);
    let ios: Vec<f64> = (0..count).map(|at| series().map(|s| rate(s, at)).sum::<f64>() * growth * seconds).collect();
    let total: f64 = ios.iter().sum();
    let length = |intervals: usize| Duration::from_ns(interval.ns().saturating_mul(intervals as u64));
    if total <= most {
        return Cut { from: Duration::ZERO, span: length(count), whole: length(count), ios: total };
    }
    let wide = ((count as f64 * most / total) as usize).clamp(1, count);
    let sums = ios.windows(wide).map(|window| window.iter().sum::<f64>());
    let (from, ios) = sums.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    for series in requirements.volumes.iter_mut().filter_map(|v| v.series.as_mut()).map(Arc::make_mut) {
        let part = |list: &mut Vec<f64>| *list = list.get(from..from + wide).unwrap_or_default().to_vec();
        part(&mut series.read_iops);
        part(&mut series.write_iops);
        let part = |list: &mut Vec<u64>| *list = list.get(from..from + wide).unwrap_or_default().to_vec();
        part(&mut series.read_bytes_per_s);
        part(&mut series.write_bytes_per_s);
    }
    Cut { from: length(from), span: length(wide), whole: length(count), ios }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use dw_catalogue::Catalogue;

    use super::*;
    use crate::load::Texts;

    /// From a file or from values, with more intervals than fio has jobs.
    #[test]
    fn a_recording_of_any_length_asks_all_that_it_asks() {
        for (volumes, intervals) in [(1, 900), (3, 900), (4, 600), (12, 900)] {
            let session = Session::new(Catalogue::embedded().clone());
            let (mut rig, mut text) =
                ("[vm]\nsize = 'Standard_E64s_v5'\n".to_string(), "schema_version = 1\n".to_string());
            let rates = vec!["4.0"; intervals].join(", ");
            let bytes = vec!["32768"; intervals].join(", ");
            for volume in 0..volumes {
                let _ = writeln!(rig, "[[volume]]\nname = 'v{volume}'\ndisks = 'P30'");
                let _ = writeln!(
                    text,
                    "[[volume]]\nname = 'v{volume}'\ncapacity = '100 GiB'\n[volume.series]\ninterval = '1 s'\n\
                     read_iops = [{rates}]\nwrite_iops = [{rates}]\nread_bytes_per_s = [{bytes}]\nwrite_bytes_per_s = [{bytes}]"
                );
            }
            let demand = session.requirements("r.toml", &text).unwrap();
            let scenario = session.scenario("rig.toml", &rig).unwrap();
            let loads = Texts::of_files(vec![("r.toml".into(), text.clone())]);
            let by_file = session.load(scenario.clone(), &loads, &LoadOptions::default()).unwrap();
            let replayed = session.replay_on(scenario, demand).unwrap();
            assert_eq!([&by_file, &replayed].map(|of| of.jobs.workload.jobs.len()), [2 * volumes; 2]);
            let [by_file, replayed] = [by_file, replayed].map(|of| of.run(&Progress::default()).unwrap().result);
            assert_eq!((&by_file.series, by_file.simulated_ios), (&replayed.series, replayed.simulated_ios));
            let (ios, asked) = (replayed.simulated_ios as f64, (2 * volumes * intervals * 4) as f64);
            assert!((ios / asked - 1.0).abs() < 0.05, "{volumes} x {intervals}: {ios} of {asked}");
        }
    }

    /// An hour of 8 KiB reads on a P30, with a wish.
    fn an_hour(wish: &str) -> SimulationOutcome {
        let session = Session::new(Catalogue::embedded().clone());
        let rates: Vec<u64> = (0..60).map(|minute| 300 + 400 * (minute % 3)).collect();
        let bytes: Vec<u64> = rates.iter().map(|rate| rate * 8_192).collect();
        let none = [0; 60];
        let text = format!(
            "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '100 GiB'\n{wish}[volume.series]\ninterval = '1 min'\n\
             read_iops = {rates:?}\nread_bytes_per_s = {bytes:?}\nwrite_iops = {none:?}\nwrite_bytes_per_s = {none:?}"
        );
        let rig = "[vm]\nsize = 'Standard_E64s_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
        let demand = session.requirements("r.toml", &text).unwrap();
        session.simulate(session.replay_on(session.scenario("rig.toml", rig).unwrap(), demand).unwrap()).unwrap()
    }

    /// What is far from a bound is judged by samples, what is near it by every I/O.
    #[test]
    fn a_latency_that_is_near_what_is_asked_of_it_is_that_of_every_io() {
        let (far, all) = (an_hour("read_latency_p99_max = '100 ms'\n"), 2_520_000.0);
        let known = far.result.leaps.as_ref().and_then(dw_sim::Leaps::figures).expect("by kind");
        let p99 = |of: &SimulationOutcome| {
            build::quantile(&[&of.result.volumes[0].load.directions.read.latency], 0.99).unwrap()
        };
        let near = an_hour(&format!("read_latency_p99_max = '{} us'\n", p99(&far) / 1_000));
        assert_eq!(near.result.leaps, None);
        assert!((near.result.simulated_ios as f64 / all - 1.0).abs() < 0.01, "{}", near.result.simulated_ios);
        assert!(far.result.simulated_ios as f64 <= 1.2 * SAMPLED, "{}", far.result.simulated_ios);
        let off = (p99(&far) as f64 / p99(&near) as f64 - 1.0).abs();
        assert!(off <= known[0].p99, "{off} off, {} said", known[0].p99);
        let summary = far.summary();
        assert_eq!(summary.leaps.map(|leaps| leaps.leaps), Some(60));
        assert!(summary.limits.iter().any(|line| (line.used - 700.0).abs() < 2.0), "{:?}", summary.limits);
    }

    #[test]
    fn a_file_of_somebody_else_keeps_the_limit_of_fio() {
        let session = Session::new(Catalogue::embedded().clone());
        let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\nmount = '/data'\ndisks = 'P30'\n";
        let job = "[a]\nfilename=/data/file\nsize=1m\nrw=read\nnumjobs=5000\n";
        let scenario = session.scenario("rig.toml", rig).unwrap();
        let error = session.load(scenario, &Texts::single("a.fio", job.into()), &LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("4096 jobs that fio runs"), "{error}");
    }
}
