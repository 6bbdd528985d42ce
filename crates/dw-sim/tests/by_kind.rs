//! Recordings replayed by kind against every I/O of them: rates, latencies, use of each limit, credits; how often the printed error is
//! right; and what no part of a step stands for.

use dw_sim::{Leaps, Progress, RunOptions, RunResult, replay, run};
use dw_stack::*;
use dw_units::{Bytes, Duration};
use dw_workload::rng::Stream;
use dw_workload::{Direction, FileExtent, Job, Replay, ReplayStep, ReplayStream, Workload};
use std::sync::Arc;

/// Like a premium disk's: a body, and a tail.
fn service(median_us: u64) -> ServiceTime {
    let of = |tenths: u64| median_us * 100 * tenths;
    let knots = [(10_000, of(6)), (500_000, of(10)), (900_000, of(14)), (990_000, of(40)), (1_000_000, of(200))];
    ServiceTime { table: Arc::new(QuantileTable::from_knots(&knots).unwrap()), bandwidth: None }
}

fn disk(iops: RateSpec, bytes_per_s: u64) -> DiskSpec {
    DiskSpec {
        name: "disk".into(),
        size: Bytes::gib(256),
        limits: LimitSpec { iops: Some(iops), throughput: Some(RateSpec::plain(bytes_per_s)) },
        io_unit: Some(Bytes::kib(256)),
        read: service(800),
        write: service(600),
        usage_base: None,
        by_direction: Default::default(),
        more: Vec::new(),
    }
}

fn volume(members: usize, iops: RateSpec) -> VolumeSpec {
    VolumeSpec {
        name: "volume".into(),
        disks: vec![disk(iops, 100_000_000); members],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    }
}

fn spec(volumes: Vec<VolumeSpec>, uncached: u64) -> StackSpec {
    let limits =
        |iops, bytes| LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: Some(RateSpec::plain(bytes)) };
    let vm = VmSpec::with(limits(16_000, 262_144_000), limits(uncached, 192_000_000));
    StackSpec { vm, volumes, credits: Credits::Full, seed: 1 }
}

/// How demand goes over time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    Steady,
    Diurnal,
    Bursts,
    BatchWindow,
    /// Above the base rate until the credits are gone, and below it again.
    RunsDry,
    /// Above a limit part of the time.
    Exceeds,
    /// Some requests a second beside a busy volume.
    Trickle,
}

const COURSES: [Course; 7] = [
    Course::Steady,
    Course::Diurnal,
    Course::Bursts,
    Course::BatchWindow,
    Course::RunsDry,
    Course::Exceeds,
    Course::Trickle,
];

struct Case {
    course: Course,
    spec: StackSpec,
    replay: Replay,
}

fn unit(draws: &mut Stream) -> f64 {
    draws.below(1 << 30) as f64 / f64::from(1 << 30)
}

fn case(number: u64) -> Case {
    let mut draws = Stream::new(number, 77);
    let course = COURSES[number as usize % COURSES.len()];
    let steps = 40 + draws.below(40) as usize;
    let step = Duration::from_secs([10, 20, 30][draws.below(3) as usize]);
    let count = 1 + draws.below(3) as u16;
    let mut volumes = Vec::new();
    let mut streams = Vec::new();
    for index in 0..count {
        let members = [1, 1, 2, 4][draws.below(4) as usize];
        let base = [500, 1_100, 2_300][draws.below(3) as usize];
        let seconds = step.ns() as f64 / 1e9 * steps as f64;
        let iops = match course {
            // Lasts for a third of the time at twice the base rate.
            Course::RunsDry => RateSpec {
                burst: Some(BurstSpec { rate: base * 7, credits: (base as f64 * seconds / 3.0) as u64 }),
                ..RateSpec::plain(base)
            },
            _ => RateSpec::plain(base),
        };
        volumes.push(volume(members, iops));
        let all = base as f64 * members as f64;
        for direction in [Direction::Read, Direction::Write] {
            let size = [4_096, 8_192, 16_384, 65_536][draws.below(4) as usize];
            let level = 0.05 + 0.2 * unit(&mut draws);
            let file = FileExtent { name: "f".into(), volume: index, start: 0, offset: 0, len: 64 << 30 };
            let random_percent = [100, 100, 40][draws.below(3) as usize];
            let mut asked = Vec::new();
            for number in 0..steps {
                let at = number as f64 / steps as f64;
                let wave = 0.3 + 0.7 * (at * std::f64::consts::PI).sin();
                let share = match course {
                    Course::Steady => level,
                    Course::Diurnal => level * 1.3 * wave,
                    Course::Bursts => level * if draws.below(10) == 0 { 2.2 } else { 0.5 },
                    Course::BatchWindow => level * if (0.4..0.55).contains(&at) { 2.0 } else { 0.4 },
                    Course::RunsDry => (level + 0.2) * if (0.1..0.6).contains(&at) { 2.5 } else { 0.5 },
                    Course::Exceeds => level * if (0.5..0.6).contains(&at) { 4.0 } else { 0.8 },
                    Course::Trickle if index == 0 => level,
                    Course::Trickle => 0.001 * level,
                };
                let noise = 0.85 + 0.3 * unit(&mut draws);
                let requests = all * share * noise * step.ns() as f64 / 1e9;
                let requests = if requests < 1.0 { 0.0 } else { requests };
                let size = (size as f64 * (0.9 + 0.2 * unit(&mut draws)) / 512.0).round() as u64 * 512;
                asked.push(ReplayStep { requests, size, queue_depth: 4_096 });
            }
            streams.push(ReplayStream { file, direction, random_percent, steps: asked });
        }
    }
    let uncached = [4_000, 8_000, 20_000][draws.below(3) as usize];
    let ends = (1..=steps as u64).map(|number| Duration::from_ns(step.ns() * number)).collect();
    Case { course, spec: spec(volumes, uncached), replay: Replay { ends, streams } }
}

/// The same as a job for each step.
fn jobs(replay: &Replay) -> Vec<Job> {
    let mut jobs = Vec::new();
    for stream in &replay.streams {
        for (number, step) in stream.steps.iter().enumerate().filter(|(_, step)| step.requests > 0.0) {
            let begins = number.checked_sub(1).map_or(Duration::ZERO, |before| replay.ends[before]);
            jobs.push(Job { start_delay: (begins, begins), ..stream.job(step, replay.lasts(number)) });
        }
    }
    jobs
}

fn options(seed: u64) -> RunOptions {
    RunOptions { seed, exact: true, series: Some(Duration::from_secs(60)), ..RunOptions::default() }
}

fn exactly(case: &Case, seed: u64) -> RunResult {
    let workload = Workload { jobs: jobs(&case.replay) };
    run(case.spec.clone(), &workload, &options(seed), &Progress::default()).unwrap()
}

fn by_kind(case: &Case, seed: u64, sampled: Option<f64>) -> RunResult {
    replay(case.spec.clone(), &case.replay, &options(seed), &Progress::default(), sampled).unwrap()
}

/// A figure of a run, with what it may be off, and of every I/O with two seeds.
struct Figure {
    kind: &'static str,
    name: String,
    found: f64,
    exact: [f64; 2],
    /// As the result says, and what nobody minds.
    said: f64,
    least: f64,
}

impl Figure {
    /// From the nearer of the two, and nothing between them: nothing can be better than that.
    fn off(&self) -> f64 {
        let [low, high] = [self.exact[0].min(self.exact[1]), self.exact[0].max(self.exact[1])];
        (low / self.found - 1.0).max(self.found / high - 1.0).max(0.0)
    }
}

fn figures(ours: &RunResult, exact: [&RunResult; 2]) -> Vec<Figure> {
    let Some(Leaps::ByKind(known)) = &ours.leaps else { panic!("{:?}", ours.leaps) };
    let mut all = Vec::new();
    for errors in &known.figures {
        let place = format!("{} {:?}", errors.volume, errors.direction);
        let part = |of: &RunResult| {
            let load = &of.volumes[usize::from(errors.volume)].load;
            (load.directions.get(errors.direction).clone(), load.window.ns() as f64 / 1e9)
        };
        let mut push = |kind, of: &dyn Fn(&dw_sim::DirectionLoad, f64) -> f64, said: f64, least: f64| {
            let value = |run: &RunResult| {
                let (load, seconds) = part(run);
                of(&load, seconds)
            };
            let name = format!("{kind} of {place}");
            all.push(Figure { kind, name, found: value(ours), exact: exact.map(value), said, least });
        };
        push("rate", &|load, seconds| load.ios as f64 / seconds, errors.rate, 0.01);
        push("mean", &|load, _| load.latency.sum as f64 / load.latency.count as f64, errors.mean, 0.02);
        let quantile = |q: f64| {
            move |load: &dw_sim::DirectionLoad, _| load.latency.histogram.as_ref().unwrap().value_at_quantile(q) as f64
        };
        push("p50", &quantile(0.5), errors.p50, 0.02);
        push("p95", &quantile(0.95), errors.p95, 0.03);
        push("p99", &quantile(0.99), errors.p99, 0.03);
    }
    for (place, mine) in ours.tally.limits.iter().enumerate() {
        let seconds = ours.virtual_time.ns() as f64 / 1e9;
        // In shares of the limit, a whole and the share: a point.
        let share = |run: &RunResult| 1.0 + run.tally.limits[place].granted as f64 / seconds / mine.rate as f64;
        all.push(Figure {
            kind: "use",
            name: format!("use of {:?}", mine.id),
            found: share(ours),
            exact: exact.map(share),
            said: 0.0,
            least: 0.01,
        });
    }
    all
}

/// Where each volume waits longest, if it waits for a good part of its time.
fn throttled_at(run: &RunResult) -> Vec<Option<Stage>> {
    let first = |volume: &dw_sim::VolumeResult| {
        let load = &volume.load;
        let (stage, wait) = Stage::ALL.into_iter().zip(load.queued).max_by_key(|of| of.1)?;
        (wait as f64 > 0.05 * (load.queued.iter().sum::<u128>() + load.served) as f64).then_some(stage)
    };
    run.volumes.iter().map(first).collect()
}

/// Whether a latency is met by all of these is the same, or nearer than it is known.
fn is_judged_alike(figure: &Figure, asked: f64) -> bool {
    let is_met = |value: f64| value <= asked;
    let is_looked_at_again = (figure.found - asked).abs() <= figure.said.max(0.02) * figure.found;
    is_looked_at_again || figure.exact.iter().any(|&exact| is_met(exact) == is_met(figure.found))
}

#[test]
fn a_recording_by_kind_is_as_far_off_as_it_says() {
    let asked = std::env::var("DW_BY_KIND").ok().and_then(|text| text.parse::<u64>().ok());
    let (mut wrong, mut narrow, mut all, mut simulated, mut of) = (Vec::new(), 0, 0, 0, 0);
    let mut widest = std::collections::BTreeMap::<&str, (f64, String)>::new();
    for number in 0..asked.unwrap_or(10) {
        let case = case(number);
        let ours = by_kind(&case, number, Some(60_000.0));
        let theirs = [exactly(&case, number), exactly(&case, number + 1_000_000)];
        simulated += ours.simulated_ios;
        of += theirs[0].simulated_ios;
        let throttled = theirs.each_ref().map(throttled_at);
        assert!(
            throttled[0] != throttled[1] || throttled_at(&ours) == throttled[0],
            "{number} {:?}: {:?} for {throttled:?}",
            case.course,
            throttled_at(&ours)
        );
        for figure in figures(&ours, [&theirs[0], &theirs[1]]) {
            all += 1;
            let name = format!("{number} {:?}: {}", case.course, figure.name);
            let (off, said) = (figure.off(), figure.said.max(figure.least));
            let worst = widest.entry(figure.kind).or_default();
            if off / said > worst.0 {
                *worst = (off / said, format!("{name} {:.2} % off", off * 100.0));
            }
            if off > said {
                wrong.push(format!("{name} {:.2} % off, {:.2} % said", off * 100.0, said * 100.0));
            }
            narrow += u32::from(off > said / 4.0);
            if figure.kind == "mean" || figure.kind.starts_with('p') {
                for share in [0.9, 0.97, 1.03, 1.1] {
                    assert!(is_judged_alike(&figure, figure.exact[0] * share), "{name}, {share} of it asked");
                }
            }
        }
    }
    // The interval is that of 99 %; and it is no wider than it has to be.
    assert!(
        wrong.len() * 100 <= all,
        "{} of {all} are wrong, by {simulated} of {of} I/Os:\n{}\nof what is said: {widest:#?}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(narrow as usize * 100 > all, "{narrow} of {all} would be wrong with a quarter of the errors");
}

/// With nothing taken from its kind, it is every I/O of the recording.
#[test]
fn a_recording_in_order_is_every_io_of_it() {
    for number in [1, 4, 5, 6] {
        let case = case(number);
        let (ours, theirs) = (by_kind(&case, number, None), exactly(&case, number));
        assert_eq!(ours.simulated_ios, theirs.simulated_ios, "{number}");
        for (mine, other) in ours.volumes.iter().zip(&theirs.volumes) {
            let of = |load: &dw_sim::LoadResult| {
                [&load.directions.read, &load.directions.write]
                    .map(|part| (part.ios, part.bytes, part.latency.sum, part.latency.max))
            };
            assert_eq!(of(&mine.load), of(&other.load), "{number}");
        }
        assert_eq!((&ours.series, &ours.leaps), (&theirs.series, &None), "{number}");
    }
}
