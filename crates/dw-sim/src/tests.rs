//! What needs the inside of the crate: the short path against the long one, and random jobs on random stacks.

use super::*;
use dw_stack::*;
use dw_units::Bytes;
use dw_workload::{
    Batching, Direction, Distribution, FileExtent, Mix, Pacing, PerDirection, Rate, SizeDistribution, SyncPolicy, Think,
};
use proptest::prelude::*;
use std::sync::Arc;

fn service(median_ns: u64) -> ServiceTime {
    let knots = [(100_000, median_ns / 2), (500_000, median_ns), (990_000, median_ns * 4), (1_000_000, median_ns * 20)];
    ServiceTime { table: Arc::new(QuantileTable::from_knots(&knots).unwrap()), bandwidth: None }
}

fn disk(rate: Option<u64>, median_ns: u64) -> DiskSpec {
    DiskSpec {
        name: "d".into(),
        size: Bytes::gib(64),
        limits: LimitSpec { iops: rate.map(RateSpec::plain), throughput: None },
        io_unit: Some(Bytes::kib(256)),
        more: Vec::new(),
        read: service(median_ns),
        write: service(median_ns * 2),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

/// A cached volume of one disk and an uncached stripe of three.
fn stack(rate: Option<u64>) -> StackSpec {
    let hit = || ServiceTime::constant(80_000);
    let cache = HostCacheSpec {
        ram: Bytes::mib(16),
        capacity: Bytes::mib(64),
        block_size: Bytes::kib(64),
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: hit(),
        ssd_read: hit(),
        ssd_write: hit(),
        miss_penalty: None,
        write_back: WriteBackSpec {
            dirty_max: Bytes::mib(16),
            destage_depth: 4,
            destage_after: Duration::from_ms(500),
        },
    };
    let volume = |name: &str, disks: u64, host_cache| VolumeSpec {
        name: name.into(),
        disks: (0..disks).map(|_| disk(rate, 400_000)).collect(),
        stripe_unit: Bytes::kib(64),
        host_cache,
        path: Path::default(),
    };
    let uncached = LimitSpec { iops: Some(RateSpec::plain(20_000)), throughput: Some(RateSpec::plain(300_000_000)) };
    StackSpec {
        vm: VmSpec { host_cache: Some(cache), ..VmSpec::with(uncached, uncached) },
        volumes: vec![volume("cached", 1, CacheMode::ReadOnly), volume("striped", 3, CacheMode::None)],
        credits: Credits::Full,
        seed: 1,
    }
}

/// The same run without the short path.
fn run_slowly(spec: StackSpec, workload: &Workload, options: &RunOptions) -> RunResult {
    let (stack, mut clones, meter) = prepare(spec, workload, options, &Progress::default()).unwrap();
    for clone in &mut clones {
        clone.simple = false;
    }
    let progress = Progress::default();
    let storage = WithNull::new(stack, clones.len());
    finish(Driver::new(storage, clones, gather::entries(workload), meter, options, &progress), None, workload, options)
}

/// The same run without drawing requests ahead of time.
fn run_without_hints(spec: StackSpec, workload: &Workload, options: &RunOptions) -> RunResult {
    let (stack, mut clones, meter) = prepare(spec, workload, options, &Progress::default()).unwrap();
    for clone in &mut clones {
        clone.draw_on_demand();
    }
    let progress = Progress::default();
    let storage = WithNull::new(stack, clones.len());
    finish(Driver::new(storage, clones, gather::entries(workload), meter, options, &progress), None, workload, options)
}

fn job(volume: u16, queue_depth: u32) -> Job {
    let file = FileExtent { name: "f".into(), volume, start: 0, offset: 0, len: 256 << 20 };
    Job::random_read("j", file, 8 << 10, queue_depth, Duration::from_ms(300))
}

#[test]
fn the_short_path_and_the_long_one_agree() {
    let mut mixed = job(1, 64);
    mixed.mix = Mix::ReadWrite { read_percent: 70 };
    let mut by_size = job(0, 8);
    by_size.stop.time_based = false;
    by_size.stop.bytes = 8 << 20;
    by_size.stop.loops = 2;
    let mut ramped = job(1, 16);
    ramped.ramp = Duration::from_ms(100);
    let mut grouped = job(0, 32);
    grouped.group_reporting = true;
    let workload = Workload { jobs: vec![job(0, 32), grouped, mixed, by_size, ramped] };
    for seed in 0..3 {
        let options = RunOptions { seed, series: Some(Duration::from_ms(50)), ..RunOptions::default() };
        let short = run(stack(Some(5_000)), &workload, &options, &Progress::default()).unwrap();
        let long = run_slowly(stack(Some(5_000)), &workload, &options);
        assert_eq!(format!("{short:?}"), format!("{long:?}"));
        let unhinted = run_without_hints(stack(Some(5_000)), &workload, &options);
        assert_eq!(format!("{short:?}"), format!("{unhinted:?}"));
    }
}

#[test]
fn one_seed_is_one_result_and_threads_change_nothing() {
    let mut mixed = job(0, 24);
    mixed.mix = Mix::ReadWrite { read_percent: 50 };
    let workload = Workload { jobs: vec![mixed, job(1, 8)] };
    let dump = |threads| -> Vec<String> {
        let results = each(6, threads, &Progress::default(), |seed, progress| {
            let options = RunOptions { seed: seed as u64, ..RunOptions::default() };
            format!("{:?}", run(stack(Some(2_000)), &workload, &options, progress).unwrap())
        });
        results.into_iter().map(Option::unwrap).collect()
    };
    let one = dump(1);
    assert_eq!(one, dump(2));
    assert_eq!(one, dump(5));
    assert_ne!(one[0], one[1], "two seeds differ");
}

/// A write takes 2 ms here, so a flush 1.2 ms.
#[test]
fn an_fsync_of_buffered_writes_costs_the_writes_and_the_flush() {
    let (write, flush) = (2_000_000, 1_200_000);
    // (buffered, fsync every so many writes, sync=1), and what it comes to: latency of a write, of an fsync, writes per second.
    type Case = ((bool, u32, bool), u64, Option<u64>, u64);
    let cases: &[Case] = &[
        ((true, 1, false), write, Some(write + flush), 312),
        ((true, 4, false), write, Some(write + flush), 1_250),
        ((false, 1, false), write, Some(flush), 312),
        ((false, 4, false), write, Some(flush), 434),
        ((true, 0, true), write + flush, None, 312),
        ((false, 0, true), write, None, 500),
        ((true, 0, false), write, None, 500),
    ];
    let mut disk = disk(None, 1_000);
    disk.write = ServiceTime::constant(write as u32);
    let volume = VolumeSpec {
        name: "v".into(),
        disks: vec![disk],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    };
    let spec = StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 };
    for &((buffered, every_writes, each_write), of_write, of_sync, per_second) in cases {
        let mut job = job(0, 1);
        job.mix = Mix::Only(Direction::Write);
        job.sync = SyncPolicy { every_writes, each_write, buffered, at_end: false };
        job.stop.runtime = Some(Duration::from_secs(10));
        let workload = Workload { jobs: vec![job] };
        let result = run(spec.clone(), &workload, &RunOptions::default(), &Progress::default()).unwrap();
        let name = format!("buffered {buffered}, fsync {every_writes}, sync {each_write}");
        let of = |stats: &LatencyStats| (stats.min, stats.max);
        let volume = &result.volumes[0].load.directions.write;
        assert_eq!(of(&volume.latency), (of_write, of_write), "{name}");
        let sync = &result.entries[0].sync;
        assert_eq!((sync.count > 0).then(|| of(sync)), of_sync.map(|ns| (ns, ns)), "{name}");
        let a_second = volume.ios / 10;
        assert!(a_second.abs_diff(per_second) <= 1, "{name}: {a_second} writes per second");
        assert_eq!(result.little.0, result.little.1, "{name}");
    }
}

#[test]
fn a_coarse_throttle_keeps_rate_and_mean_and_spreads_the_latencies() {
    // 64 outstanding at 5,000 a second: 12.8 ms on average, whatever the interval (Little's law).
    let run_with = |interval: Duration| {
        let mut disk = disk(Some(5_000), 1_000);
        disk.read = ServiceTime::constant(3_000_000);
        let volume = VolumeSpec {
            name: "v".into(),
            disks: vec![disk],
            stripe_unit: Bytes::kib(64),
            host_cache: CacheMode::None,
            path: Path::default(),
        };
        let vm = VmSpec { throttle_interval: interval, ..VmSpec::default() };
        let spec = StackSpec { vm, volumes: vec![volume], credits: Credits::Full, seed: 1 };
        let mut job = job(0, 64);
        job.stop.runtime = Some(Duration::from_secs(20));
        let result = run(spec, &Workload { jobs: vec![job] }, &RunOptions::default(), &Progress::default()).unwrap();
        let read = &result.volumes[0].load.directions.read;
        let at = |q: f64| read.latency.histogram.as_ref().unwrap().value_at_quantile(q) as f64 / 1e6;
        (read.ios as f64 / 20.0, read.latency.sum as f64 / read.latency.count as f64 / 1e6, at(0.5), at(0.99))
    };
    let (even, coarse) = (run_with(Duration::ZERO), run_with(Duration::from_ms(100)));
    for (rate, mean, ..) in [even, coarse] {
        assert!((rate - 5_000.0).abs() < 10.0 && (mean - 12.8).abs() < 0.1, "{rate} {mean}");
    }
    assert!(even.2 > 12.5 && even.3 < 13.1, "{even:?}");
    // 500 an interval: 64 at a time pass in 3 ms each, then all wait for the next one.
    assert!(coarse.2 < 3.1 && coarse.3 > 4.0 * even.3, "{coarse:?}");
}

#[test]
fn a_sweep_that_is_stopped_begins_no_further_run() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    for threads in [1, 3] {
        let (progress, begun, live, most) =
            (Progress::default(), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let results = each(10_000, threads, &progress, |n, own| {
            begun.fetch_add(1, SeqCst);
            most.fetch_max(live.fetch_add(1, SeqCst) + 1, SeqCst);
            if n == 4 {
                progress.stop.store(true, SeqCst);
            }
            let stopped = own.stop.load(SeqCst);
            live.fetch_sub(1, SeqCst);
            stopped
        });
        let there = results.iter().flatten().count();
        assert_eq!(there, begun.load(SeqCst));
        // Each thread may have had one under way, and have looked at the flag just before it was set.
        assert!((5..5 + 2 * threads).contains(&there), "{there} with {threads} threads");
        assert!(most.load(SeqCst) <= threads);
        assert!(results[4] == Some(true) && results[5 + 2 * threads..].iter().all(Option::is_none));
    }
}

prop_compose! {
    fn any_job()(
        volume in 0u16..2, depth in 1u32..40, mix in 0u8..4, random in any::<bool>(), sizes in 0u8..3, zipf: bool,
        rate in proptest::option::of(200u64..20_000), poisson: bool, offload: bool,
        think in proptest::option::of((1u64..3_000, 1u32..12, any::<bool>())),
        every_writes in prop_oneof![Just(0u32), 1u32..20], fua: bool, at_end: bool, low in 0u32..40, complete_min in 0u32..12,
        submit in 1u32..8, time_based: bool, ios in proptest::option::of(1u64..400), loops in 1u32..4,
        megabytes in 1u64..4, ramp_ms in prop_oneof![Just(0u64), 1u64..60], delay_ms in 0u64..30, null in 0u8..6,
        phase in 0u32..3, exit_all in 0u8..8, group_reporting: bool, buffered: bool,
    ) -> Job {
        let mut j = job(volume, depth);
        j.mix = match mix {
            0 => Mix::Only(Direction::Read), 1 => Mix::Only(Direction::Write), 2 => Mix::TrimThenWrite,
            _ => Mix::ReadWrite { read_percent: 60 },
        };
        j.access.random_percent = PerDirection::all(if random { 100 } else { 0 });
        if zipf && random {
            j.access.distribution = PerDirection::all(Distribution::Zipf { theta: 1.1, center: None });
        }
        j.sizes = PerDirection::all(match sizes {
            0 => SizeDistribution::Fixed(8 << 10),
            1 => SizeDistribution::Split(vec![(8 << 10, 70), (128 << 10, 30)]),
            _ => SizeDistribution::Range { min: 8 << 10, max: 64 << 10, unaligned: false },
        });
        j.rate = PerDirection::all(rate.map(Rate::Iops));
        j.pacing = match (poisson, offload) {
            (false, false) => Pacing::Linear, (true, false) => Pacing::Poisson,
            (false, true) => Pacing::LinearOffload, (true, true) => Pacing::PoissonOffload,
        };
        j.think = think.map(|(us, blocks, counted_at_issue)| Think {
            time: Duration::from_us(us), spin: Duration::ZERO, blocks, counted_at_issue, io_time: Duration::ZERO,
            rate_ignores: counted_at_issue, overlaps: false,
        });
        j.sync = SyncPolicy { every_writes, each_write: fua, at_end, buffered };
        j.batching = Batching { submit, low, complete_min, complete_max: complete_min };
        j.files[0].len = megabytes << 20;
        j.stop.bytes = j.files[0].len;
        j.stop.time_based = time_based;
        j.stop.runtime = Some(Duration::from_ms(120));
        j.stop.ios = ios;
        j.stop.loops = loops;
        j.ramp = Duration::from_ms(ramp_ms);
        j.start_delay = (Duration::ZERO, Duration::from_ms(delay_ms));
        j.null_engine = null == 0;
        j.phase = phase;
        j.exit_all = exit_all == 0;
        j.group_reporting = group_reporting;
        j
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]
    #[test]
    fn any_jobs_on_any_stack_keep_the_books(
        mut jobs in proptest::collection::vec(any_job(), 1..5), rate in proptest::option::of(300u64..20_000), seed in 0u64..1_000,
    ) {
        jobs.sort_by_key(|j| j.phase);
        for (n, j) in jobs.iter_mut().enumerate() {
            j.section = n as u32;
            j.group = j.phase;
        }
        let workload = Workload { jobs };
        let options = RunOptions { seed, series: Some(Duration::from_ms(20)), ..RunOptions::default() };
        let result = run(stack(rate), &workload, &options, &Progress::default()).unwrap();
        prop_assert!(!result.partial);
        // Little's law, to the nanosecond; nothing is left outstanding.
        prop_assert_eq!(result.little.0, result.little.1);
        // Every request is in one entry and, unless it is a null job's, on one volume.
        let counted: u64 = (result.entries.iter()).flat_map(|e| Direction::ALL.map(|d| e.load.get(d).ios)).sum();
        let recorded: u64 = (result.entries.iter()).flat_map(|e| Direction::ALL.map(|d| e.load.get(d).clat.count)).sum();
        prop_assert_eq!(counted, recorded);
        let of = |load: &LoadResult| Direction::ALL.map(|d| load.directions.get(d).ios).iter().sum::<u64>();
        let on_volumes: u64 = result.volumes.iter().map(|v| of(&v.load)).sum();
        prop_assert_eq!(of(&result.total), on_volumes);
        let null: u64 = (result.entries.iter())
            .filter(|e| e.members.iter().all(|&j| workload.jobs[j].null_engine))
            .flat_map(|e| Direction::ALL.map(|d| e.load.get(d).ios)).sum();
        prop_assert!(on_volumes + null <= counted && counted <= result.simulated_ios);
        for entry in &result.entries {
            for d in Direction::ALL {
                let load = entry.load.get(d);
                prop_assert!(load.runtime <= result.virtual_time);
                prop_assert!(load.clat.count == 0 || load.clat.min <= load.clat.max);
                prop_assert_eq!(load.clat.histogram.as_ref().map_or(0, |h| h.len()), load.clat.count);
            }
            for &j in &entry.members {
                let limit = &workload.jobs[j].stop;
                prop_assert!(limit.time_based || limit.ios.is_none() || entry.members.len() > 1
                    || counted_of(entry) <= 2 * limit.ios.unwrap() * u64::from(limit.loops) + 40);
            }
        }
        // Where the time went adds up to the latencies.
        for volume in &result.volumes {
            let spent = volume.load.queued.iter().sum::<u128>() + volume.load.served;
            let latency: u128 = Direction::ALL.iter().map(|&d| volume.load.directions.get(d).latency.sum).sum();
            prop_assert_eq!(spent, latency);
        }
        prop_assert!(result.series.windows(2).all(|w| w[0].at <= w[1].at));
        let again = run(stack(rate), &workload, &options, &Progress::default()).unwrap();
        prop_assert_eq!(format!("{result:?}"), format!("{again:?}"));
    }
}

fn counted_of(entry: &EntryResult) -> u64 {
    Direction::ALL.iter().map(|&d| entry.load.get(d).ios).sum()
}

#[test]
fn a_pause_that_overlaps_begins_with_the_last_request_of_the_burst() {
    let ios = |depth: u32, overlaps| {
        let mut j = job(1, depth);
        j.null_engine = true;
        j.stop.runtime = Some(Duration::from_secs(1));
        j.stop.time_based = true;
        let time = Duration::from_ms(5);
        j.think = Some(Think {
            time,
            spin: Duration::ZERO,
            blocks: 10,
            counted_at_issue: true,
            io_time: Duration::ZERO,
            rate_ignores: false,
            overlaps,
        });
        let result =
            run(stack(None), &Workload { jobs: vec![j] }, &RunOptions::default(), &Progress::default()).unwrap();
        result.entries.iter().map(|e| e.load.read.ios).sum::<u64>()
    };
    // Ten in every five milliseconds, the service time next to it.
    let overlapped = ios(4, true);
    assert!((1_990..=2_010).contains(&overlapped), "{overlapped}");
    assert!(ios(4, false) <= overlapped);
}
