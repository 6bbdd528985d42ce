//! Stacks and jobs for the tests of this folder.
#![allow(dead_code)]

pub mod asked;
pub mod chance;
pub mod fio;

use dw_sim::{Progress, RunOptions, RunResult, run};
use dw_stack::*;
use dw_units::{Bytes, Duration};
use dw_workload::{FileExtent, Job, Workload};

pub const KIB: u64 = 1 << 10;
pub const MIB: u64 = 1 << 20;
pub const GIB: u64 = 1 << 30;

/// How often a test that compares with real time may try: `most`, or as few as the gate says beside a compiler, which tries alone
/// later what that leaves open.
pub fn tries(most: u32) -> u32 {
    let few = std::env::var("DISKWRIGHT_TRIES").ok().and_then(|few| few.parse().ok());
    few.unwrap_or(most).min(most)
}

/// The rows of a long table that are judged: all in the gate, which says `DISKWRIGHT_JUDGES=all`, and every fourth in the inner loop.
pub fn judged<T>(rows: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let all = std::env::var("DISKWRIGHT_JUDGES").is_ok_and(|which| which == "all");
    rows.into_iter().step_by(if all { 1 } else { 4 })
}

/// A disk of 1 TiB with this service time and these limits.
pub fn disk(service: ServiceTime, limits: LimitSpec) -> DiskSpec {
    DiskSpec {
        name: "disk".into(),
        size: Bytes::gib(1_024),
        limits,
        io_unit: None,
        more: Vec::new(),
        read: service.clone(),
        write: service,
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

/// A VM without limits that has these disks, a volume each.
pub fn stack(disks: Vec<DiskSpec>) -> StackSpec {
    let volume = |(n, disk): (usize, DiskSpec)| VolumeSpec {
        name: format!("v{n}"),
        disks: vec![disk],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    };
    StackSpec {
        vm: VmSpec::default(),
        volumes: disks.into_iter().enumerate().map(volume).collect(),
        credits: Credits::Full,
        seed: 1,
    }
}

/// One disk that takes `us` microseconds for everything.
pub fn constant(us: u32) -> StackSpec {
    stack(vec![disk(ServiceTime::constant(us * 1_000), LimitSpec::default())])
}

pub fn iops(rate: u64) -> LimitSpec {
    LimitSpec { iops: Some(RateSpec::plain(rate)), throughput: None }
}

pub fn file(volume: u16, len: u64) -> FileExtent {
    FileExtent { name: "f".into(), volume, start: 0, offset: 0, len }
}

/// Random reads of 8 KiB over 1 GiB of volume 0.
pub fn reads(queue_depth: u32, seconds: u64) -> Job {
    Job::random_read("job", file(0, GIB), 8 * KIB, queue_depth, Duration::from_secs(seconds))
}

/// The same, ending by size.
pub fn reads_by_size(queue_depth: u32, bytes: u64) -> Job {
    let mut job = Job::random_read("job", file(0, bytes), 8 * KIB, queue_depth, Duration::from_secs(1));
    job.stop.time_based = false;
    job.stop.runtime = None;
    job
}

pub fn simulate(spec: StackSpec, jobs: Vec<Job>) -> RunResult {
    run(spec, &Workload { jobs }, &RunOptions::default(), &Progress::default()).unwrap()
}
