//! Leaps over steady state against the same run without: rates, latencies, shares of tiers, credits, series; how often the printed
//! error is right; and what is never leapt over.

use crate::support::judged;
use dw_sim::{
    CacheRefusal, Leaps, Leapt, Progress, Refusal, RunOptions, RunResult, SeriesPoint, SteadyFigure, Teller, run,
};
use dw_stack::*;
use dw_units::{Bytes, Duration};
use dw_workload::{
    Direction, Distribution, FileExtent, Job, Mix, Pacing, PerDirection, Rate, SizeDistribution, Workload,
};
use std::sync::{Arc, Mutex};

const GIB: u64 = 1 << 30;

/// Like a premium disk's: a body, and a tail.
fn service(median_us: u64) -> ServiceTime {
    let of = |tenths: u64| median_us * 100 * tenths;
    let knots = [(10_000, of(6)), (500_000, of(10)), (900_000, of(14)), (990_000, of(40)), (1_000_000, of(200))];
    ServiceTime { table: Arc::new(QuantileTable::from_knots(&knots).unwrap()), bandwidth: None }
}

fn disk(iops: RateSpec) -> DiskSpec {
    DiskSpec {
        name: "disk".into(),
        size: Bytes::gib(256),
        limits: LimitSpec { iops: Some(iops), throughput: Some(RateSpec::plain(200_000_000)) },
        io_unit: Some(Bytes::kib(256)),
        more: Vec::new(),
        read: service(3_000),
        write: service(2_000),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

fn p30(members: usize, host_cache: CacheMode) -> VolumeSpec {
    VolumeSpec {
        name: "volume".into(),
        disks: vec![disk(RateSpec::plain(5_000)); members],
        stripe_unit: Bytes::kib(64),
        host_cache,
        path: Path::default(),
    }
}

fn vm(volumes: Vec<VolumeSpec>, uncached: u64) -> StackSpec {
    let limits =
        |iops, bytes| LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: Some(RateSpec::plain(bytes)) };
    let hit = |us: u32| ServiceTime::constant(us * 1_000);
    let cache = HostCacheSpec {
        ram: Bytes::mib(256),
        capacity: Bytes::gib(4),
        block_size: Bytes::kib(64),
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: hit(90),
        ssd_read: hit(250),
        ssd_write: hit(250),
        miss_penalty: None,
        write_back: WriteBackSpec {
            dirty_max: Bytes::mib(512),
            destage_depth: 16,
            destage_after: Duration::from_ms(1_000),
        },
    };
    let vm =
        VmSpec { host_cache: Some(cache), ..VmSpec::with(limits(16_000, 262_144_000), limits(uncached, 192_000_000)) };
    StackSpec { vm, volumes, credits: Credits::Full, seed: 1 }
}

/// Random reads of 8 KiB, with repeats.
fn reads(volume: u16, start: u64, len: u64, queue_depth: u32, seconds: u64) -> Job {
    let file = FileExtent { name: "f".into(), volume, start, offset: 0, len };
    let mut job = Job::random_read("job", file, 8 << 10, queue_depth, Duration::from_secs(seconds));
    job.access.cover = false;
    job
}

fn of_size(mut job: Job, bytes: u64) -> Job {
    job.sizes = PerDirection::all(SizeDistribution::Fixed(bytes));
    job.align = PerDirection::all(bytes);
    job
}

fn mixed(mut job: Job, read_percent: u8) -> Job {
    job.mix = Mix::ReadWrite { read_percent };
    job
}

fn paced(mut job: Job, iops: u64, pacing: Pacing) -> Job {
    job.rate = PerDirection::all(Some(Rate::Iops(iops)));
    job.pacing = pacing;
    job
}

fn zipf(mut job: Job) -> Job {
    job.access.distribution = PerDirection::all(Distribution::Zipf { theta: 0.9, center: None });
    job
}

fn with_map(mut job: Job) -> Job {
    job.access.cover = true;
    job
}

fn writes(mut job: Job) -> Job {
    job.mix = Mix::Only(Direction::Write);
    job
}

fn in_order(mut job: Job) -> Job {
    job.access.random_percent = PerDirection::all(0);
    job
}

fn flushed(mut job: Job, every: u32) -> Job {
    job.sync.every_writes = every;
    job
}

fn in_phase(mut job: Job, phase: u32, delay_s: u64) -> Job {
    (job.phase, job.start_delay) = (phase, (Duration::from_secs(delay_s), Duration::from_secs(delay_s)));
    job
}

fn simulate(spec: &StackSpec, jobs: &[Job], options: RunOptions) -> RunResult {
    run(spec.clone(), &Workload { jobs: jobs.to_vec() }, &options, &Progress::default()).unwrap()
}

fn leaping(seed: u64) -> RunOptions {
    RunOptions { seed, leaps_from: Some(100_000), series: Some(Duration::from_secs(7)), ..RunOptions::default() }
}

fn leapt<'a>(name: &str, result: &'a RunResult) -> &'a Leapt {
    match &result.leaps {
        Some(Leaps::Leapt(leapt)) => leapt,
        other => panic!("{name}: {other:?}"),
    }
}

fn dirty_max(spec: &StackSpec) -> Bytes {
    spec.vm.host_cache.as_ref().unwrap().write_back.dirty_max
}

/// A run with leaps within the promised distance of the one without.
fn check(name: &str, spec: &StackSpec, jobs: &[Job], warm: &[(u16, u64, u64)], wrong: &mut Vec<String>) {
    let options = RunOptions { warm: warm.to_vec(), ..leaping(1) };
    let exact = simulate(spec, jobs, RunOptions { exact: true, ..options.clone() });
    let leapt_run = simulate(spec, jobs, options);
    assert_eq!(exact.leaps, None);
    let Some(Leaps::Leapt(leapt)) = &leapt_run.leaps else {
        return wrong.push(format!("{name}: {:?}", leapt_run.leaps));
    };
    let mut near = |what: &str, found: f64, expected: f64, most: f64| {
        let off = (found / expected - 1.0).abs();
        if off > most {
            let (off, most) = (off * 100.0, most * 100.0);
            wrong.push(format!("{name}: {what} is {found:.4} for {expected:.4}, {off:.2} % off, {most:.2} allowed"));
        }
    };
    near("the end", leapt_run.virtual_time.ns() as f64, exact.virtual_time.ns() as f64, 1e-3);
    let ends = |of: &RunResult| of.entries.iter().map(|entry| entry.elapsed.ns() as f64).sum::<f64>();
    near("the end of jobs", ends(&leapt_run), ends(&exact), 1e-3);
    for figures in &leapt.figures {
        let of = |result: &RunResult| {
            let load = &result.volumes[usize::from(figures.volume)].load;
            let part = load.directions.get(figures.direction).clone();
            (part.ios as f64 * 1e9 / load.window.ns() as f64, part)
        };
        let ((rate, ours), (exact_rate, theirs)) = (of(&leapt_run), of(&exact));
        let of = |what: &str| format!("{what} of {} {:?}", figures.volume, figures.direction);
        near(&of("IOPS"), rate, exact_rate, 0.01);
        near(&of("bytes"), ours.bytes as f64, theirs.bytes as f64, 0.01);
        let mean = |part: &dw_sim::DirectionLoad| part.latency.sum as f64 / part.latency.count as f64;
        near(&of("mean"), mean(&ours), mean(&theirs), figures.mean.max(0.01));
        let p99 =
            |part: &dw_sim::DirectionLoad| part.latency.histogram.as_ref().unwrap().value_at_quantile(0.99) as f64;
        near(&of("p99"), p99(&ours), p99(&theirs), figures.p99.max(0.02));
    }
    for (ours, theirs) in leapt_run.volumes.iter().zip(&exact.volumes) {
        let shares = |of: &dw_sim::VolumeResult| {
            let all = (of.reads_ram + of.reads_ssd + of.reads_miss).max(1) as f64;
            [of.reads_ram, of.reads_ssd, of.reads_miss].map(|n| n as f64 / all)
        };
        for (tier, (found, expected)) in shares(ours).into_iter().zip(shares(theirs)).enumerate() {
            // In shares of all reads: half a point.
            near(&format!("1 + the share of tier {tier}"), 1.0 + found, 1.0 + expected, 0.005 / (1.0 + expected));
        }
        near("queue depth", ours.load.queue_depth, theirs.load.queue_depth, 0.01);
    }
    for (ours, theirs) in leapt_run.tally.volumes.iter().zip(&exact.tally.volumes) {
        // In rooms: half a point.
        let rooms = |dirty: Bytes| 1.0 + dirty.get() as f64 / dirty_max(spec).get() as f64;
        near("1 + the dirty part of the room", rooms(ours.dirty), rooms(theirs.dirty), 0.005);
        near("1 + bytes destaged", 1.0 + ours.destaged.get() as f64, 1.0 + theirs.destaged.get() as f64, 0.01);
    }
    for (ours, theirs) in leapt_run.tally.limits.iter().zip(&exact.tally.limits) {
        // One member of a stripe has had its share of the sample, not of the whole.
        let share = if spec.volumes[0].disks.len() > 1 { 0.04 } else { 0.01 };
        if theirs.binding.ns() as f64 > 0.5 * exact.virtual_time.ns() as f64 {
            near(&format!("granted by {:?}", ours.id), ours.granted as f64, theirs.granted as f64, share);
            near(&format!("waiting at {:?}", ours.id), ours.binding.ns() as f64, theirs.binding.ns() as f64, 0.03);
        }
        if let (Some(left), Some(max)) = (theirs.credits, theirs.credits_max) {
            let off = ours.credits.unwrap() as f64 - left as f64;
            assert!(off.abs() < 0.01 * max as f64, "{name}: {:?} credits left, not {left}", ours.credits);
        }
        match (ours.credits_out, theirs.credits_out) {
            (Some(found), Some(expected)) => near("credits out", found.ns() as f64, expected.ns() as f64, 0.01),
            (found, expected) => assert_eq!(found, expected, "{name}"),
        }
    }
    // Of each phase, what was leapt over in it and nothing of another.
    assert_eq!(leapt_run.phases.len(), exact.phases.len(), "{name}");
    for (ours, theirs) in leapt_run.phases.iter().zip(&exact.phases) {
        for (row, exact_row) in ours.limits.iter().zip(&theirs.limits).filter(|(_, exact)| exact.granted > 100_000) {
            let share = if spec.volumes[0].disks.len() > 1 { 0.04 } else { 0.02 };
            let what = format!("phase {}, granted by {:?}", ours.phase, row.id);
            near(&what, row.granted as f64, exact_row.granted as f64, share);
        }
    }
    // Everything that is said of a run says the same.
    let ios: u64 = leapt_run
        .volumes
        .iter()
        .map(|v| Direction::ALL.map(|d| v.load.directions.get(d).ios).iter().sum::<u64>())
        .sum();
    // Flushes are simulated, too.
    let flushes = if jobs.iter().any(|job| job.sync.every_writes > 0) { ios / 64 } else { 0 };
    assert!((ios..=ios + flushes).contains(&(leapt_run.simulated_ios + leapt.ios)), "{name}");
    let of_entries: u64 =
        leapt_run.entries.iter().map(|e| Direction::ALL.map(|d| e.load.get(d).ios).iter().sum::<u64>()).sum();
    assert_eq!(ios, of_entries, "{name}");
    let levels: u64 = leapt_run.entries.iter().flat_map(|entry| entry.depth_levels).sum();
    near("I/Os by depth", levels as f64, ios as f64, 1e-3);
    let points: u64 = leapt_run.series.iter().map(|point| point.ios).sum();
    near("I/Os of the series", points as f64, ios as f64, 1e-4);
    let ends: Vec<Duration> = leapt_run.series.iter().map(|point| point.at).collect();
    assert!(ends.is_sorted() && ends.last().is_some_and(|&last| last <= leapt_run.virtual_time), "{name}");
    let exact_points =
        |volume, direction| exact.series.iter().filter(move |p| (p.volume, p.direction) == (volume, direction));
    // Leaps that take several passes over a file with a map show their mean.
    let is_even = !jobs.iter().any(|job| job.access.cover);
    let whole =
        |point: &&dw_sim::SeriesPoint| is_even && point.at.ns().is_multiple_of(7_000_000_000) && point.ios > 20_000;
    for point in leapt_run.series.iter().filter(whole) {
        let same = exact_points(point.volume, point.direction).find(|other| other.at == point.at);
        let same = same.unwrap_or_else(|| panic!("{name}: no interval until {:?}", point.at));
        near(&format!("the interval until {}", point.at), point.ios as f64, same.ios as f64, 0.06);
    }
}

#[test]
fn what_is_steady_is_leapt_over() {
    let uncached = |members| vm(vec![p30(members, CacheMode::None)], 12_800);
    let two = || vm(vec![p30(2, CacheMode::None), p30(1, CacheMode::None)], 12_800);
    let mut burst = vm(vec![p30(1, CacheMode::None)], 12_800);
    let rate = RateSpec { rate: 500, depth: 0, burst: Some(BurstSpec { rate: 3_500, credits: 300_000 }) };
    burst.volumes[0].disks = vec![disk(rate)];
    let big = |depth, seconds| reads(0, 0, 64 * GIB, depth, seconds);
    let delayed = [big(8, 400), in_phase(big(8, 300), 0, 50), in_phase(big(4, 300), 1, 0)];
    let cases: [(&str, StackSpec, Vec<Job>); 9] = [
        ("a disk at its limit", uncached(1), vec![big(32, 400)]),
        ("a disk below its limit", uncached(1), vec![mixed(big(4, 800), 60)]),
        ("at the knee of a stripe", vm(vec![p30(3, CacheMode::None)], 1_000_000), vec![big(48, 300)]),
        ("two volumes under one VM", two(), vec![big(40, 200), reads(1, 0, 64 * GIB, 16, 200)]),
        ("at random at nine tenths", uncached(1), vec![paced(big(256, 600), 4_500, Pacing::PoissonOffload)]),
        ("a rate that is kept", uncached(1), vec![paced(mixed(big(16, 700), 50), 1_000, Pacing::Linear)]),
        (
            "a rate that is missed, then caught up",
            uncached(1),
            vec![paced(big(8, 600), 2_000, Pacing::Linear), big(24, 200)],
        ),
        ("credits that run out", burst, vec![big(32, 900)]),
        ("jobs that begin and end", uncached(1), delayed.to_vec()),
    ];
    let mut wrong = Vec::new();
    for (name, spec, jobs) in judged(cases) {
        check(name, &spec, &jobs, &[], &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_series_is_told_while_it_grows_with_leaps_and_without() {
    let spec = vm(vec![p30(1, CacheMode::None)], 12_800);
    let job = mixed(reads(0, 0, 64 * GIB, 32, 400), 60);
    for (name, exact) in [("with leaps", false), ("every request", true)] {
        let options = RunOptions { exact, ..leaping(1) };
        let told: Arc<Mutex<Vec<SeriesPoint>>> = Arc::default();
        let to = told.clone();
        let tell = Teller(Box::new(move |points: &[SeriesPoint]| to.lock().unwrap().extend_from_slice(points)));
        let progress = Progress { tell: Some(tell), ..Progress::default() };
        let result = run(spec.clone(), &Workload { jobs: vec![job.clone()] }, &options, &progress).unwrap();
        let told = told.lock().unwrap();
        assert_eq!(*told, result.series[..told.len()], "{name}: what was told is how the series begins");
        // The interval at the end is in the result alone.
        assert!(told.len() + 4 >= result.series.len(), "{name}: {} of {}", told.len(), result.series.len());
    }
}

#[test]
fn what_a_cache_serves_has_a_closed_form() {
    let cached = || vm(vec![p30(1, CacheMode::ReadOnly)], 12_800);
    let data = |depth, seconds| reads(0, 0, 2 * GIB, depth, seconds);
    let more_than_fits = of_size(reads(0, 0, 5 * GIB, 16, 200), 64 << 10);
    let two = [paced(data(64, 300), 3_000, Pacing::PoissonOffload), reads(0, 4 * GIB, GIB, 16, 300)];
    let whole: &[(u16, u64, u64)] = &[(0, 0, 2 * GIB)];
    let both: &[(u16, u64, u64)] = &[(0, 0, 2 * GIB), (0, 4 * GIB, GIB)];
    type Case<'a> = (&'a str, Vec<Job>, &'a [(u16, u64, u64)]);
    let cases: [Case; 11] = [
        ("warm", vec![data(4, 200)], whole),
        ("warm, every block once a pass", vec![with_map(reads(0, 0, GIB, 1, 2_000))], whole),
        ("cold", vec![data(64, 300)], &[]),
        ("cold, every block once a pass", vec![with_map(data(64, 200))], &[]),
        ("cold, with writes", vec![mixed(data(32, 300), 80)], &[]),
        ("cold, reads after writes", vec![writes(data(32, 60)), in_phase(data(8, 200), 1, 0)], &[]),
        ("cold, one load after another", vec![data(16, 200), in_phase(data(64, 300), 1, 0)], &[]),
        ("cold under Zipf", vec![zipf(data(64, 300))], &[]),
        ("more than fits", vec![more_than_fits], &[]),
        ("two loads in one cache, warm", two.to_vec(), both),
        ("two loads in one cache, cold", two.to_vec(), &[]),
    ];
    let mut wrong = Vec::new();
    for (name, jobs, warm) in judged(cases) {
        check(name, &cached(), &jobs, warm, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_backlog_that_stands_is_leapt_over() {
    let cached = |disks: &[RateSpec]| {
        let volume = |rate: &RateSpec| VolumeSpec { disks: vec![disk(*rate)], ..p30(1, CacheMode::ReadWrite) };
        vm(disks.iter().map(volume).collect(), 12_800)
    };
    let (plain, burst) = (RateSpec::plain(5_000), BurstSpec { rate: 3_500, credits: 150_000 });
    let (one, two) = (|| cached(&[plain]), cached(&[plain, plain]));
    let bursting = cached(&[RateSpec { rate: 500, depth: 0, burst: Some(burst) }]);
    let data = |len, depth, seconds| writes(reads(0, 0, len, depth, seconds));
    let large = |depth, seconds| of_size(data(64 * GIB, depth, seconds), 64 << 10);
    let other = paced(writes(reads(1, 0, 64 * GIB, 16, 300)), 1_500, Pacing::Linear);
    let mix = |depth, seconds, percent| mixed(reads(0, 0, 2 * GIB, depth, seconds), percent);
    let whole: &[(u16, u64, u64)] = &[(0, 0, 2 * GIB)];
    type Case<'a> = (&'a str, StackSpec, Vec<Job>, &'a [(u16, u64, u64)]);
    let cases: [Case; 15] = [
        ("less than drains", one(), vec![paced(data(64 * GIB, 32, 200), 3_000, Pacing::Linear)], &[]),
        ("more than drains", one(), vec![data(64 * GIB, 32, 300)], &[]),
        ("more than drains, of a file not much larger than the room", one(), vec![data(2 * GIB, 32, 300)], &[]),
        ("more than drains, each block once a pass", one(), vec![with_map(large(8, 300))], &[]),
        ("more than drains, whole blocks", one(), vec![large(8, 300)], &[]),
        ("more than drains, in order", one(), vec![in_order(large(8, 300))], &[]),
        ("in order, of small requests one by one", one(), vec![in_order(data(64 * GIB, 1, 300))], &[]),
        ("rewritten while dirty: never full", one(), vec![data(GIB / 4, 32, 200)], &[]),
        ("reads and writes, warm", one(), vec![mix(32, 150, 70)], whole),
        ("reads and more writes than drain, warm", one(), vec![mix(32, 900, 30)], whole),
        ("reads and writes, cold", one(), vec![mix(64, 300, 70)], &[]),
        (
            "credits run out while data are destaged",
            bursting,
            vec![paced(data(64 * GIB, 32, 900), 2_000, Pacing::Linear)],
            &[],
        ),
        ("two volumes", two, vec![data(64 * GIB, 32, 300), other], &[]),
        ("flushed often", one(), vec![flushed(data(64 * GIB, 16, 200), 64)], &[]),
        ("flushed, reads and writes, warm", one(), vec![flushed(mix(8, 200, 50), 200)], whole),
    ];
    let mut wrong = Vec::new();
    for (name, spec, jobs, warm) in judged(cases) {
        check(name, &spec, &jobs, warm, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_printed_error_is_right_in_nearly_all_seeds() {
    // (what, the run, seeds, and how many of them may lie outside for each figure)
    let knee = vm(vec![p30(3, CacheMode::None)], 1_000_000);
    let one = vm(vec![p30(1, CacheMode::None)], 12_800);
    let cases = [
        ("at the knee", knee, reads(0, 0, 64 * GIB, 48, 2_000), 30, 2),
        ("a disk below its limit", one, reads(0, 0, 64 * GIB, 6, 2_000), 30, 2),
    ];
    for (name, spec, job, seeds, most) in cases {
        let exact = simulate(
            &spec,
            &[Job { stop: dw_workload::Stop { runtime: Some(Duration::from_secs(500)), ..job.stop }, ..job.clone() }],
            RunOptions { exact: true, ..RunOptions::default() },
        );
        let figures = |result: &RunResult| {
            let load = &result.volumes[0].load;
            let read = &load.directions.read;
            let at = |quantile| read.latency.histogram.as_ref().unwrap().value_at_quantile(quantile) as f64;
            let mean = read.latency.sum as f64 / read.latency.count as f64;
            [read.ios as f64 / load.window.ns() as f64, mean, at(0.5), at(0.99)]
        };
        let truth = figures(&exact);
        let mut outside = [0; 4];
        for seed in 0..seeds {
            let result = simulate(&spec, std::slice::from_ref(&job), leaping(seed));
            let errors = &leapt(name, &result).figures[0];
            let errors = [errors.rate, errors.mean, errors.p50, errors.p99];
            for (n, found) in figures(&result).into_iter().enumerate() {
                outside[n] += u32::from((found / truth[n] - 1.0).abs() > errors[n]);
            }
        }
        assert!(outside.iter().all(|&outside| outside <= most), "{name}: {outside:?} of {seeds}");
    }
}

#[test]
fn what_must_not_be_leapt_over_says_why() {
    let cached = |mode| vm(vec![p30(1, mode)], 12_800);
    let data = || reads(0, 0, 2 * GIB, 16, 60);
    let cache = |why| Refusal::Cache { job: 0, why };
    let by_size = Job { stop: dw_workload::Stop { time_based: false, ..data().stop }, ..data() };
    let in_order =
        Job { access: dw_workload::Access { random_percent: PerDirection::all(0), ..data().access }, ..data() };
    let sizes = SizeDistribution::Split(vec![(8 << 10, 50), (64 << 10, 50)]);
    let of_two_sizes = Job { sizes: PerDirection::all(sizes), ..data() };
    let mut by_map = with_map(of_size(reads(0, 0, 5 * GIB, 16, 60), 64 << 10));
    by_map.name = "by map".into();
    let mut first_in = cached(CacheMode::ReadOnly);
    first_in.vm.host_cache.as_mut().unwrap().eviction = Eviction::Fifo;
    let mut trims = data();
    trims.mix = Mix::Only(Direction::Trim);
    let more_than_fits = of_size(reads(0, 0, 5 * GIB, 16, 60), 64 << 10);
    // Hot blocks are rewritten while dirty, cold ones pile up, for longer than the run.
    let hot = zipf(writes(reads(0, 0, 4 * GIB, 32, 60)));
    let backlog = Refusal::Unsteady { volume: 0, direction: Direction::Write, figure: SteadyFigure::Backlog };
    // Nor does a pass end in it, towards which neighbours are written together.
    let once_a_pass = with_map(writes(reads(0, 0, 64 * GIB, 32, 60)));
    let cases: [(StackSpec, Job, Refusal); 11] = [
        (cached(CacheMode::None), by_size, Refusal::BySize { job: 0 }),
        (cached(CacheMode::ReadOnly), in_order, cache(CacheRefusal::Order)),
        (cached(CacheMode::ReadOnly), of_two_sizes, cache(CacheRefusal::Sizes)),
        (cached(CacheMode::ReadOnly), of_size(data(), 2 << 10), cache(CacheRefusal::PartlyValid)),
        (cached(CacheMode::ReadOnly), reads(0, 0, 6 * GIB, 16, 60), cache(CacheRefusal::PartlyValid)),
        (cached(CacheMode::ReadOnly), by_map, cache(CacheRefusal::Order)),
        (cached(CacheMode::ReadWrite), mixed(more_than_fits, 50), cache(CacheRefusal::WriteBack)),
        (cached(CacheMode::ReadWrite), hot, backlog.clone()),
        (cached(CacheMode::ReadWrite), once_a_pass, backlog),
        (cached(CacheMode::ReadOnly), trims, cache(CacheRefusal::Trims)),
        (first_in, data(), cache(CacheRefusal::Eviction)),
    ];
    for (spec, job, refusal) in cases {
        let result = simulate(&spec, std::slice::from_ref(&job), leaping(1));
        assert_eq!(result.leaps, Some(Leaps::Refused(refusal)));
        let exact = simulate(&spec, &[job], RunOptions { exact: true, ..leaping(1) });
        assert_eq!(result.simulated_ios, exact.simulated_ios);
        assert_eq!(format!("{:?}", result.total), format!("{:?}", exact.total));
    }
}

#[test]
fn a_file_that_is_warm_in_part_is_not_leapt_over() {
    let spec = vm(vec![p30(1, CacheMode::ReadOnly)], 12_800);
    let job = reads(0, 0, 2 * GIB, 16, 60);
    // The second half of it; all of it, most of which what came after has driven out of 4 GiB.
    for warm in [vec![(0, GIB, GIB)], vec![(0, 0, 2 * GIB), (0, 64 * GIB, 4 * GIB)]] {
        let result = simulate(&spec, std::slice::from_ref(&job), RunOptions { warm: warm.clone(), ..leaping(1) });
        let refused = Refusal::Cache { job: 0, why: CacheRefusal::PartlyValid };
        assert_eq!(result.leaps, Some(Leaps::Refused(refused)), "{warm:?}");
    }
}

#[test]
fn a_figure_that_does_not_settle_is_simulated() {
    // A rate a hair above the limit: the queue grows for longer than the run.
    let spec = vm(vec![p30(1, CacheMode::None)], 12_800);
    let job = paced(reads(0, 0, 64 * GIB, 4_096, 60), 5_030, Pacing::Even);
    let result = simulate(&spec, &[job], leaping(1));
    assert!(
        matches!(result.leaps, Some(Leaps::Refused(Refusal::Unsteady { volume: 0, direction: Direction::Read, .. }))),
        "{:?}",
        result.leaps
    );
}

#[test]
fn a_queue_that_comes_to_rest_too_slowly_is_simulated() {
    let stripe = || vm(vec![p30(3, CacheMode::None)], 4_000);
    let writer = |iops| paced(writes(reads(0, 0, 64 * GIB, 128, 120)), iops, Pacing::Linear);
    let loops = || Job { name: "loops".into(), ..writes(reads(0, 0, 64 * GIB, 8, 120)) };
    let cases: [(&str, Vec<Job>, bool); 5] = [
        ("all that the VM passes", vec![writer(2_000), writer(2_000)], false),
        ("a hair less", vec![writer(2_000), writer(1_998)], false),
        ("nine tenths of it", vec![writer(1_800), writer(1_800)], true),
        ("more than it passes", vec![writer(2_400), writer(2_400)], true),
        ("half of it, and a loop that takes the rest", vec![writer(2_000), loops()], true),
    ];
    for (name, jobs, leaps) in cases {
        let result = simulate(&stripe(), &jobs, leaping(1));
        match result.leaps {
            Some(Leaps::Leapt(_)) if leaps => {}
            Some(Leaps::Refused(Refusal::Unsteady { volume: 0, direction: Direction::Write, .. })) if !leaps => {}
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn short_and_exact_runs_are_what_they_were() {
    let spec = vm(vec![p30(2, CacheMode::ReadOnly)], 12_800);
    let jobs = [mixed(reads(0, 0, GIB, 16, 40), 70)];
    let short = simulate(&spec, &jobs, RunOptions::default());
    let exact = simulate(&spec, &jobs, RunOptions { exact: true, ..RunOptions::default() });
    assert_eq!(format!("{short:?}"), format!("{exact:?}"));
}

#[test]
fn a_smaller_error_takes_more_and_keeps_its_word() {
    let spec = vm(vec![p30(1, CacheMode::None)], 12_800);
    let jobs = [reads(0, 0, 64 * GIB, 32, 3_600)];
    let quick = simulate(&spec, &jobs, leaping(1));
    let asked = simulate(&spec, &jobs, RunOptions { error: Some(0.01), ..leaping(1) });
    assert!(asked.simulated_ios > 2 * quick.simulated_ios, "{} and {}", asked.simulated_ios, quick.simulated_ios);
    let errors = &leapt("asked", &asked).figures[0];
    assert!(errors.rate <= 0.01 && errors.mean <= 0.01 && errors.p99 <= 0.01, "{errors:?}");
}
