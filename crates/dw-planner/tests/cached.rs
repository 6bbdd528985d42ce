//! Plans that count on hits of a host cache, run by dw-sim until the cache has settled: they hit what was counted on, and hold.
//!
//! What decides is the share of the working set that is resident, so cache and working set are simulated at a 4096th of their
//! size: the cache then settles within seconds, and its steady state is the same. The fewer its blocks, the more of a hit ratio is chance:
//! up to 0.006 of the 0.02 that are let through. With `DW_ORACLE=full` they are a 512th of their size, and chance is 0.0015.

use dw_catalogue::{Attachment, Catalogue, DiskOptions, LatencySetting, host_cache};
use dw_demand::wishes::{Role, VolumeWishes, Wishes};
use dw_demand::{Levels, Provenance, Requirements, VolumeRequirements};
use dw_planner::{Built, Plan, build, check, solve};
use dw_sim::{Progress, RunOptions, run};
use dw_stack::{CacheMode, Credits, StackSpec, VolumeSpec};
use dw_units::{Bytes, Duration, Throughput};
use dw_workload::{Access, Direction, Distribution, FileExtent, Job, Mix, Pacing, PerDirection, Rate, Workload};

fn scale() -> u64 {
    if std::env::var("DW_ORACLE").is_ok_and(|of| of == "full") { 512 } else { 4_096 }
}

/// What is asked of a plan.
#[derive(Clone, Copy, Debug)]
struct Asked {
    read_iops: u64,
    write_iops: u64,
    size: u64,
    working_set: Bytes,
}

fn flat<T: Copy>(value: T) -> Option<Levels<T>> {
    Some(Levels { p50: value, p90: value, p99: value, max: value, from: Provenance::Asked, p95: None })
}

fn planned(asked: Asked, vm: &str) -> (Built, Plan) {
    let bytes = |iops: u64| flat(Throughput::bytes_per_second(iops * asked.size));
    let volume = VolumeRequirements {
        name: "data".into(),
        read_iops: flat(asked.read_iops as f64),
        write_iops: flat(asked.write_iops as f64),
        read_throughput: bytes(asked.read_iops),
        write_throughput: bytes(asked.write_iops),
        ..VolumeRequirements::default()
    };
    let requirements = Requirements {
        machine: None,
        window: "whole".into(),
        growth: 1.0,
        processors: None,
        cpu_percent: None,
        memory_total: None,
        memory_used: None,
        transactions: None,
        findings: Vec::new(),
        volumes: vec![volume],
    };
    let volume = VolumeWishes {
        host_cache: vec![CacheMode::ReadOnly],
        working_set: Some(asked.working_set),
        disks_max: Some(32),
        ..VolumeWishes::of(Role::Data, Bytes::gib(1_000))
    };
    let wishes = Wishes {
        edition: Some("2018-01".into()),
        vms: vec![vm.into()],
        disks: vec!["P20".into(), "P30".into()],
        volumes: vec![volume],
        headroom_percent: 0.0,
        capacity_headroom_percent: 0.0,
        ..dw_catalogue::PLAN_KEYS.wishes_in("eastus")
    };
    let built = build(&requirements, &wishes, Catalogue::embedded()).unwrap();
    let plan = solve(&built.problem).plans.into_iter().next();
    let plan = plan.unwrap_or_else(|| panic!("no plan for {asked:?} on {vm}"));
    assert!(check(&built.problem, &plan).holds);
    (built, plan)
}

/// Share of reads that hit once the cache has settled, and the IOPS that were done.
fn simulated(built: &Built, plan: &Plan, asked: Asked) -> (f64, f64) {
    let catalogue = Catalogue::embedded();
    let offer = &built.problem.vms[plan.vm];
    let mut vm = catalogue.vm(&offer.name, Some(&offer.edition)).unwrap().limits(Default::default());
    vm.host_cache = Some(host_cache::spec(Bytes::new(offer.cache.get() / scale()), LatencySetting::Typical));
    let disks = plan.volumes[0].disks.as_ref().unwrap();
    let disk = &built.problem.disks[disks.offer];
    let row = catalogue.disk(&disk.name, Some(&disk.edition)).unwrap();
    let each = (0..disks.count).map(|n| row.disk_spec(&format!("d{n}"), &DiskOptions::default()).unwrap());
    let (vm, mut paths) = vm.attach(&[Attachment::Remote]);
    let spec = StackSpec {
        vm,
        volumes: vec![VolumeSpec {
            name: "data".into(),
            disks: each.collect(),
            stripe_unit: built.problem.volumes[0].stripe_unit,
            host_cache: CacheMode::ReadOnly,
            path: paths.remove(0),
        }],
        credits: Credits::Empty,
        seed: 1,
    };
    let all = asked.read_iops + asked.write_iops;
    let len = asked.working_set.get() / scale() / 65_536 * 65_536;
    let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len };
    // A block is used up to a hundred times before it counts, and then as often.
    let settle = (len / 65_536 * 60).div_ceil(all).max(4);
    let job = |iops: u64, stream: u64| {
        let mut job = Job::random_read("asks", file.clone(), asked.size, 512, Duration::from_secs(settle));
        job.ramp = Duration::from_secs(settle);
        job.rate = PerDirection::all(Some(Rate::Iops(iops)));
        job.pacing = Pacing::LinearOffload;
        job.access = Access { distribution: PerDirection::all(Distribution::Uniform), cover: false, ..job.access };
        job.seed = stream;
        job
    };
    let mut jobs = vec![job(asked.read_iops, 1)];
    if asked.write_iops > 0 {
        let mut writes = job(asked.write_iops, 2);
        writes.mix = Mix::Only(Direction::Write);
        jobs.push(writes);
    }
    let options = RunOptions { seed: 1, ..RunOptions::default() };
    let result = run(spec, &Workload { jobs }, &options, &Progress::default()).unwrap();
    let volume = &result.volumes[0];
    let hits = (volume.reads_ram + volume.reads_ssd) as f64;
    let reads = hits + volume.reads_miss as f64;
    let did = (volume.load.directions.read.ios + volume.load.directions.write.ios) as f64 / settle as f64;
    (hits / reads, did)
}

#[test]
fn plans_that_count_on_a_cache_hit_what_they_count_on_and_hold() {
    let kib = 1_024;
    let mut plans = 0;
    for (n, (vm, cache)) in [("DS3", 172), ("DS4", 344), ("DS12", 144), ("DS13", 288)].into_iter().enumerate() {
        for (m, size) in [4 * kib, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 8 * kib].into_iter().enumerate() {
            // From a working set that fits to one twice the cache.
            let percent = [105, 130, 115, 170, 125, 90][(n + m) % 6];
            let write_iops = [0, 600, 300, 0, 200, 1_000][(n * 2 + m) % 6];
            let working_set = Bytes::gib(cache * percent / 100);
            let asked = Asked { read_iops: 1_600, write_iops, size, working_set };
            let (built, plan) = planned(asked, vm);
            let (hits, did) = simulated(&built, &plan, asked);
            let counted = f64::from(plan.volumes[0].hit) / 1e6;
            let of = format!("{} under {asked:?}: {counted} counted, {hits} simulated", plan.describe(&built.problem));
            assert!((hits - counted).abs() < 0.02, "{of}");
            assert!(did > (asked.read_iops + write_iops) as f64 * 0.97, "{of}: {did} IOPS");
            plans += 1;
        }
    }
    assert_eq!(plans, 24);
}
