//! Rigs for the estimate, and what the simulator makes of the same loads.

use dw_catalogue::latency::{LatencySetting, model};
use dw_estimate::{Flow, Hits, Load, Order};
use dw_sim::{Progress, RunOptions, run};
use dw_stack::{
    CacheMode, Credits, DiskSpec, Eviction, Fill, HostCacheSpec, LimitId, LimitSpec, Path, RateSpec, StackSpec, VmSpec,
    VolumeSpec, WriteBackSpec,
};
use dw_units::{Bytes, Duration};
use dw_workload::{Direction, FileExtent, Job, Mix, PerDirection, Rate, SizeDistribution, Workload};

/// A stack to be.
#[derive(Clone, Debug)]
pub struct Rig {
    pub vm: VmSpec,
    pub volumes: Vec<VolumeSpec>,
}

impl Rig {
    pub fn stack(&self) -> StackSpec {
        StackSpec { vm: self.vm.clone(), volumes: self.volumes.clone(), credits: Credits::Full, seed: 7 }
    }
}

pub fn limits((iops, bytes): (u64, u64)) -> LimitSpec {
    LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: Some(RateSpec::plain(bytes)) }
}

pub fn gate(figures: Option<(u64, u64)>) -> VmSpec {
    VmSpec::with(LimitSpec::default(), figures.map_or(LimitSpec::default(), limits))
}

/// With a host cache of 1 GiB.
pub fn cached_vm(cached: (u64, u64), uncached: (u64, u64)) -> VmSpec {
    let of = |name: &str| model(name).unwrap();
    let setting = LatencySetting::Typical;
    let cache = HostCacheSpec {
        ram: Bytes::mib(64),
        capacity: Bytes::gib(1),
        block_size: Bytes::kib(64),
        fill: Fill::Block,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: of("ram-hit").read(setting).clone(),
        ssd_read: of("ssd-hit").read(setting).clone(),
        ssd_write: of("ssd-hit").write(setting).clone(),
        miss_penalty: Some(of("cache-miss-penalty").read(setting).clone()),
        write_back: WriteBackSpec {
            dirty_max: Bytes::mib(256),
            destage_depth: 64,
            destage_after: Duration::from_ms(100),
        },
    };
    VmSpec { host_cache: Some(cache), ..VmSpec::with(limits(cached), limits(uncached)) }
}

pub fn disk(figures: (u64, u64), latency: &str) -> DiskSpec {
    let latency = model(latency).unwrap();
    DiskSpec {
        name: "disk".into(),
        size: Bytes::gib(64),
        limits: limits(figures),
        by_direction: Default::default(),
        io_unit: Some(Bytes::kib(256)),
        more: Vec::new(),
        read: latency.read(LatencySetting::Typical).clone(),
        write: latency.write(LatencySetting::Typical).clone(),
        usage_base: None,
        first_touch: None,
    }
}

pub fn volume(disks: usize, disk: DiskSpec) -> VolumeSpec {
    VolumeSpec {
        name: "volume".into(),
        disks: vec![disk; disks],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    }
}

/// What the simulator found of a load.
#[derive(Clone, Debug)]
pub struct Exact {
    pub per_second: f64,
    /// Mean seconds of reads, of writes.
    pub latency: [Option<f64>; 2],
    /// Standard error of its mean latency, as a share: what chance alone may do.
    pub noise: f64,
}

/// A limit, or the alike ones of a stripe's disks, as a volume meets it.
#[derive(Clone, Copy, Debug)]
struct Place {
    id: LimitId,
    /// Share of the volume's time that its requests wait there.
    waits: f64,
    /// Share of it that is used, by all volumes, on the mean of the disks.
    used: f64,
}

/// The limit that throttles a volume: one that is used up, where its requests wait longest.
fn bottleneck(places: &[Place]) -> Option<LimitId> {
    let throttling = places.iter().filter(|place| place.waits >= 0.05 && place.used >= 0.95);
    throttling.max_by(|a, b| a.waits.total_cmp(&b.waits)).map(|place| place.id)
}

#[derive(Clone, Debug)]
pub struct Run {
    pub loads: Vec<Exact>,
    /// By volume: the limit that holds it.
    pub bottlenecks: Vec<Option<LimitId>>,
    /// By volume: what the host cache served.
    pub hits: Vec<Hits>,
}

/// Runs `loads` for about `ios` requests in all, after a quarter of that.
pub fn simulated(rig: &Rig, loads: &[Load], ios: u64) -> Run {
    simulated_from(0, rig, loads, ios)
}

/// The same with draws of another seed.
pub fn simulated_from(seed: u64, rig: &Rig, loads: &[Load], ios: u64) -> Run {
    let found = dw_estimate::estimate(&rig.stack(), loads).loads;
    let rates = || found.iter().map(|load| load.per_second);
    let (all, slowest) = (rates().sum::<f64>(), rates().fold(f64::INFINITY, f64::min));
    // Of each load at least a tenth of them, unless the others then have ten times as many; and sixteen times what is outstanding.
    let seconds = (ios as f64 / all).max((ios as f64 / 10.0 / slowest).min(10.0 * ios as f64 / all));
    let latency = found.iter().flat_map(|load| [load.reads, load.writes]).flatten().map(|served| served.latency.mean);
    let seconds = seconds.max(16.0 * latency.fold(0.0, f64::max));
    let runtime = Duration::from_us((seconds * 1e6) as u64);
    let jobs: Vec<Job> = loads.iter().enumerate().map(|(n, load)| job(rig, n, load, runtime)).collect();
    let jobs = Workload { jobs };
    let cached = (0u16..).zip(&rig.volumes).filter(|(_, volume)| volume.host_cache != CacheMode::None);
    let warm = cached.map(|(place, _)| (place, 0, 2u64 << 30)).collect();
    let options = RunOptions { warm, seed, ..RunOptions::default() };
    let result = run(rig.stack(), &jobs, &options, &Progress::default()).unwrap();
    let of = |entry: &dw_sim::EntryResult| {
        let one = |d: Direction| {
            let load = entry.load.get(d);
            let seconds = load.runtime.ns() as f64 / 1e9;
            (load.lat.count > 0).then(|| (load.ios as f64 / seconds, load.lat.sum as f64 / load.lat.count as f64 / 1e9))
        };
        let both = [one(Direction::Read), one(Direction::Write)];
        let noise = |d: Direction| {
            let lat = &entry.load.get(d).lat;
            let (n, mean) = (lat.count as f64, lat.sum as f64 / lat.count as f64);
            if lat.count > 1 { (lat.sum_squares / n / mean / mean - 1.0).max(0.0).sqrt() / n.sqrt() } else { 0.0 }
        };
        let noise = noise(Direction::Read).max(noise(Direction::Write));
        Exact { noise, per_second: both.iter().flatten().map(|b| b.0).sum(), latency: both.map(|b| b.map(|b| b.1)) }
    };
    let places = |v: &dw_sim::VolumeResult| {
        let total = (v.load.queued.iter().sum::<u128>() + v.load.served) as f64;
        let id = dw_stack::VolumeId(v.volume);
        let mut places: Vec<(Place, f64)> = Vec::new();
        for row in &result.tally.limits {
            let waits = row.waited_of(id) as f64 / total;
            // A limit that one disk has to itself counts a request as it comes, so what is outstanding at the end takes no time of
            // it. A gate counts it as it leaves; the other volumes may need longer for that than this one.
            let own = if is_alone(rig, row.id) { runtime } else { v.load.window };
            let seconds = own.ns() as f64 / 1e9;
            let used = row.granted as f64 / seconds / row.burst_rate.unwrap_or(row.rate) as f64;
            match places.iter_mut().find(|(place, _)| kin(place.id, row.id)) {
                Some((place, alike)) => {
                    place.waits += waits;
                    place.used += used;
                    *alike += 1.0;
                }
                None => places.push((Place { id: row.id, waits, used }, 1.0)),
            }
        }
        places.into_iter().map(|(place, alike)| Place { used: place.used / alike, ..place }).collect::<Vec<_>>()
    };
    let places: Vec<Vec<Place>> = result.volumes.iter().map(places).collect();
    let hits = |v: &dw_sim::VolumeResult| {
        let all = (v.reads_ram + v.reads_ssd + v.reads_miss).max(1) as f64;
        Hits { ram: v.reads_ram as f64 / all, ssd: v.reads_ssd as f64 / all }
    };
    Run {
        loads: result.entries.iter().map(of).collect(),
        bottlenecks: places.iter().map(|places| bottleneck(places)).collect(),
        hits: result.volumes.iter().map(hits).collect(),
    }
}

/// Whether one disk has a limit to itself.
fn is_alone(rig: &Rig, id: LimitId) -> bool {
    let dw_stack::Gate::Vm(gate) = id.gate else { return true };
    let passes = |volume: &&VolumeSpec| {
        let is_cached = volume.host_cache != CacheMode::None && volume.path.front == Some(gate);
        is_cached || volume.path.remote.contains(&gate)
    };
    rig.volumes.iter().filter(passes).map(|volume| volume.disks.len()).sum::<usize>() == 1
}

/// Runs `loads` from a cold start without a ramp: the result, and requests in each second.
pub fn run_for(rig: &Rig, loads: &[Load], runtime: Duration) -> (dw_sim::RunResult, Vec<u64>) {
    run_for_from(0, rig, loads, runtime)
}

/// The same with draws of another seed.
pub fn run_for_from(seed: u64, rig: &Rig, loads: &[Load], runtime: Duration) -> (dw_sim::RunResult, Vec<u64>) {
    let mut jobs: Vec<Job> = loads.iter().enumerate().map(|(n, load)| job(rig, n, load, runtime)).collect();
    jobs.iter_mut().for_each(|job| job.ramp = Duration::ZERO);
    let options = RunOptions { series: Some(Duration::from_secs(1)), seed, ..RunOptions::default() };
    let result = run(rig.stack(), &Workload { jobs }, &options, &Progress::default()).unwrap();
    let mut seconds = vec![0; (runtime.ns() / 1_000_000_000) as usize];
    for point in &result.series {
        if let Some(second) = seconds.get_mut((point.at.ns() / 1_000_000_000) as usize - 1) {
            *second += point.ios;
        }
    }
    (result, seconds)
}

/// The same limit, on any disk of a volume.
pub fn kin(a: LimitId, b: LimitId) -> bool {
    use dw_stack::Gate;
    let place = |id: LimitId| match id.gate {
        Gate::Disk { volume, only, .. } => (Some((volume, only)), None),
        Gate::Vm(gate) => (None, Some(gate)),
    };
    a.quantity == b.quantity && place(a) == place(b)
}

fn job(rig: &Rig, number: usize, load: &Load, runtime: Duration) -> Job {
    let place = usize::from(load.volume.0);
    let disks = &rig.volumes[place].disks;
    let len = disks.iter().map(|disk| disk.size.get()).sum::<u64>();
    // On a cached volume: half of what is touched is in the cache when it is warm.
    let len = if rig.volumes[place].host_cache == CacheMode::None { len } else { (2u64 << 30).min(len) };
    let file = FileExtent { name: "file".into(), volume: load.volume.0, start: 0, offset: 0, len };
    let (depth, rate) = match load.flow {
        Flow::Closed { queue_depth } => (queue_depth, None),
        Flow::Paced { queue_depth, per_second } => (queue_depth, Some(per_second)),
        Flow::Open { .. } => panic!("a job has a queue depth"),
    };
    let mut job = Job::random_read(&format!("load{number}"), file, u64::from(load.requests[0].size), depth, runtime);
    let reads: f64 = load.requests.iter().filter(|kind| !kind.writes).map(|kind| kind.share).sum();
    job.mix = match (reads * 100.0).round() as u8 {
        0 => Mix::Only(Direction::Write),
        100 => Mix::Only(Direction::Read),
        read_percent => Mix::ReadWrite { read_percent },
    };
    let sizes = |writes: bool| {
        let mine: Vec<_> = load.requests.iter().filter(|kind| kind.writes == writes).collect();
        let all: f64 = mine.iter().map(|kind| kind.share).sum();
        let split = mine.iter().map(|kind| (u64::from(kind.size), (kind.share / all * 100.0).round() as u8)).collect();
        let align = mine.first().map_or(4_096, |kind| match kind.order {
            Order::Random { align } => u64::from(align),
            Order::Sequential => u64::from(kind.size),
        });
        (SizeDistribution::Split(split), align)
    };
    let (read, write) = (sizes(false), sizes(true));
    job.sizes = PerDirection { read: read.0, write: write.0.clone(), trim: write.0 };
    job.align = PerDirection { read: read.1, write: write.1, trim: write.1 };
    if load.requests[0].order == Order::Sequential {
        job.access.random_percent = PerDirection::all(0);
    }
    job.access.cover = false;
    job.rate = PerDirection::all(rate.map(|rate| Rate::Iops(rate as u64)));
    job.ramp = Duration::from_ns(runtime.ns() / 4 + 20_000_000);
    job
}
