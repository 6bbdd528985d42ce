//! A plan under the load that it is made for: how long requests take and how many have to be in flight, by the estimate.
//!
//! Each volume alone at its busiest, and all together when they are busiest: the longer time and the larger depth count. Both
//! directions are loops of their own, as the benchmark that verifies a plan runs them.
//!
//! Ignores: sizes other than the two about the mean; volumes on the temp disk share its limits only when all run together.

use dw_catalogue::gate::Route;
use dw_documents::Direction;
use dw_estimate::{Flow, Hits, Kind, Load, Order, estimate, queue_depths};
use dw_stack::{
    BurstSpec, Credits, DirectionLimits, DiskSpec, Eviction, Fill, GateId, GateSpec, HostCacheSpec, LimitSpec, Path,
    RateSpec, ServiceTime, StackSpec, VmSpec, VolumeId, VolumeSpec, WriteBackSpec,
};
use dw_units::{Bytes, Duration};
use dw_workload::sizes::about_mean;

use crate::busiest::busiest;
use crate::hit;
use crate::latency::latency_ns;
use crate::plan::{Plan, VolumePlan};
use crate::problem::{DiskKind, HitCurve, ONE, Problem, Rate, Rates, Sample, Volume};

/// What serves a volume.
#[derive(Clone, Debug)]
pub struct Medium {
    /// Service time of its reads.
    pub read: ServiceTime,
    /// Service time of its writes.
    pub write: ServiceTime,
}

impl Medium {
    /// Requests that always take the mean, in nanoseconds, of reads and of writes.
    pub fn constant(mean_ns: (u64, u64)) -> Medium {
        let constant = |ns: u64| ServiceTime::constant(u32::try_from(ns).unwrap_or(u32::MAX));
        Medium { read: constant(mean_ns.0), write: constant(mean_ns.1) }
    }
}

/// A volume under its load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtLoad {
    /// Mean latency of reads, of writes, in nanoseconds; of a direction that nobody asks for below every limit.
    pub latency_ns: (u64, u64),
    /// Queue depth of reads, of writes; 0 = there are none.
    pub queue_depth: (u64, u64),
}

/// Every volume of a plan under its load; `media` in their order, and `deeper`, the parts per million by which the queues of reads and of
/// writes of each are to be deeper than those with which the estimate reaches its rates.
pub fn at_load(problem: &Problem, plan: &Plan, media: &[Medium], deeper: &[[u32; 2]]) -> Vec<AtLoad> {
    let spec = stack_of(problem, plan, media);
    let below = |chosen: &VolumePlan| {
        let own = match &chosen.disks {
            Some(disks) => problem.disks[disks.offer].latency_ns,
            None => problem.vms[plan.vm].local.map_or((0, 0), |local| local.latency_ns),
        };
        AtLoad {
            latency_ns: latency_ns(problem.cache_latency, problem.route(chosen.class).cache, chosen.hit, own),
            queue_depth: (0, 0),
        }
    };
    let mut found: Vec<AtLoad> = plan.volumes.iter().map(below).collect();
    let mut cases: Vec<Vec<Load>> = Vec::new();
    for place in 0..plan.volumes.len() {
        cases.push(loads(problem, plan, busiest(problem, plan, Some(place)), Some(place)));
    }
    if plan.volumes.len() > 1 {
        cases.push(loads(problem, plan, busiest(problem, plan, None), None));
    }
    for mut loads in cases {
        let depths = queue_depths(&spec, &loads);
        for (load, queue_depth) in loads.iter_mut().zip(depths) {
            if let Flow::Open { per_second } = load.flow {
                let more = deeper[usize::from(load.volume.0)][usize::from(load.requests[0].writes)];
                let queue_depth = (u64::from(queue_depth) * u64::from(ONE + more)).div_ceil(u64::from(ONE)) as u32;
                load.flow = Flow::Paced { queue_depth, per_second };
            }
        }
        for (load, served) in loads.iter().zip(estimate(&spec, &loads).loads) {
            let Flow::Paced { queue_depth, .. } = load.flow else { continue };
            let found = &mut found[usize::from(load.volume.0)];
            let (ns, depth) = match load.requests[0].writes {
                false => (&mut found.latency_ns.0, &mut found.queue_depth.0),
                true => (&mut found.latency_ns.1, &mut found.queue_depth.1),
            };
            let mean = served.reads.or(served.writes).map_or(0.0, |served| served.latency.mean * 1e9);
            (*ns, *depth) = ((*ns).max(mean as u64), (*depth).max(u64::from(queue_depth)));
        }
    }
    found
}

/// What a benchmark of a cached volume needs for as many hits as the plan counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// What reads at random have to go over for good.
    pub steady: Bytes,
    /// What they have to go over within minutes of [`Benchmark::warmed`], while blocks are valid as a whole.
    pub file: Bytes,
    /// How much of the file is read before, in whole blocks: what the volume holds of the cache.
    pub warmed: Bytes,
}

/// What a benchmark of each volume of a plan needs: reads at random have no other way to be served as often as a measured curve says,
/// and blocks that were read as a whole serve more than those that random reads have filled. Absent where nothing hits, or everything.
pub fn benchmarks(problem: &Problem, plan: &Plan) -> Vec<Option<Benchmark>> {
    let both = problem.volumes.iter().zip(&plan.volumes).enumerate();
    let shared: Vec<InCache> = both
        .filter(|(_, (_, chosen))| problem.route(chosen.class).has_cache())
        .filter_map(|(place, (volume, chosen))| {
            let curve = volume.hits.clone()?;
            Some(InCache { place, volume, hit: chosen.hit, touched: hit::touched(volume), curve })
        })
        .collect();
    let cache = problem.vms[plan.vm].cache.get();
    let held = held_by(cache, &shared);
    let mut steady = shared.clone();
    // Beside random reads that stand for measured ones, which use more of the cache, a working set has fewer hits than it is to have.
    let is_fitted = shared.iter().any(|of| of.curve.parts.is_none() && of.hit > 0);
    if is_fitted {
        let wanted: Vec<Option<u32>> = steady.iter_mut().zip(&held).map(|(of, held)| of.at_random(*held)).collect();
        // What one volume goes over changes what is left for the others.
        for _ in 0..ROUNDS {
            let held = held_by(cache, &steady);
            for ((of, held), wanted) in steady.iter_mut().zip(held).zip(&wanted) {
                if let (Some(wanted), Some(point)) = (wanted, of.curve.points.last_mut()) {
                    point.0 = (held * f64::from(ONE) / f64::from(*wanted)).max(1.0) as u64;
                }
            }
        }
    }
    let mut all = vec![None; problem.volumes.len()];
    for ((of, held), steady) in shared.iter().zip(held).zip(&steady) {
        let goes_over = steady.curve.points.last().map_or(0, |point| point.0);
        all[of.place] = (0 < of.hit && of.hit < ONE).then(|| Benchmark {
            steady: Bytes::new(goes_over),
            file: Bytes::new((held * f64::from(ONE) / f64::from(of.hit)) as u64),
            warmed: Bytes::new(held as u64),
        });
    }
    all
}

/// How often the sets of all volumes are fitted to each other: each round leaves a fraction of the error.
const ROUNDS: usize = 24;

/// A volume in the cache.
#[derive(Clone)]
struct InCache<'a> {
    place: usize,
    volume: &'a Volume,
    hit: u32,
    touched: f64,
    curve: HitCurve,
}

impl InCache<'_> {
    /// Makes its reads random ones, of a volume that holds so much: the share of what they go over that must be resident.
    fn at_random(&mut self, held: f64) -> Option<u32> {
        if self.hit == 0 || self.hit == ONE {
            return None;
        }
        let parts = self.curve.parts.unwrap_or_else(|| hit::parts(&self.volume.samples));
        let random = HitCurve { parts: Some(parts), ..self.curve.clone() };
        let (mut low, mut high) = (0, ONE);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if hit::valid(&random, middle) < self.hit { low = middle } else { high = middle }
        }
        if self.curve.parts.is_none() {
            let size = Bytes::new((held * f64::from(ONE) / f64::from(high)) as u64);
            self.curve = HitCurve::working_set(size, parts);
            self.touched = hit::touched_in_blocks(self.volume, true);
        }
        Some(high)
    }
}

fn held_by(cache: u64, volumes: &[InCache]) -> Vec<f64> {
    let curves: Vec<(&HitCurve, f64)> = volumes.iter().map(|of| (&of.curve, of.touched)).collect();
    hit::holdings(cache, &curves)
}

/// What a stamp asks of one volume, or of all.
fn loads(problem: &Problem, plan: &Plan, stamp: Option<usize>, only: Option<usize>) -> Vec<Load> {
    let mut all = Vec::new();
    for (place, chosen) in plan.volumes.iter().enumerate().filter(|(place, _)| only.is_none_or(|only| only == *place)) {
        let volume = &problem.volumes[place];
        let sample = stamp.and_then(|stamp| volume.samples.get(stamp)).copied().unwrap_or_default();
        let Sample { reads, writes, read_bytes, write_bytes } = sample;
        for (writes, requests, bytes) in [(false, reads, read_bytes), (true, writes, write_bytes)] {
            if requests == 0 {
                continue;
            }
            let hits = Hits { ram: 0.0, ssd: f64::from(chosen.hit) / f64::from(ONE) };
            let kinds = about_mean(requests, bytes).into_iter().filter(|(_, count)| *count > 0).map(|(size, count)| {
                let size = u32::try_from(size).unwrap_or(u32::MAX);
                let order = if volume.sequential { Order::Sequential } else { Order::Random { align: size } };
                Kind { share: count as f64 / requests as f64, writes, size, order, hits }
            });
            all.push(Load {
                volume: VolumeId(place as u16),
                flow: Flow::Open { per_second: requests as f64 },
                requests: kinds.collect(),
            });
        }
    }
    all
}

/// The stack that a plan buys, with the figures of its problem.
fn stack_of(problem: &Problem, plan: &Plan, media: &[Medium]) -> StackSpec {
    let vm = &problem.vms[plan.vm];
    let routes: Vec<Route> = plan.volumes.iter().map(|chosen| vm.route(chosen.class).unwrap_or_default()).collect();
    let counting = problem.counting(vm, plan.volumes.iter().map(|chosen| chosen.class));
    // Gates of local disks are limits of these.
    let is_own = |gate: usize| vm.routes.iter().flatten().any(|route| route.is_local && route.behind.has(gate));
    let (front, behind): (Vec<usize>, Vec<usize>) =
        (0..problem.gates.len()).filter(|gate| !is_own(*gate)).partition(|gate| vm.is_in_front(*gate));
    let order = [front, behind].concat();
    let spec = |gate: &usize| GateSpec {
        name: problem.gates[*gate].name.into(),
        limits: limits(problem.limits_of(vm, counting, *gate)),
        more: Vec::new(),
    };
    let gates = order.iter().map(spec).collect();
    let place = |gate: usize| order.iter().position(|other| *other == gate).map(|place| GateId(place as u8));
    let path = |route: &Route| Path {
        front: route.front.iter().find_map(place),
        remote: route.behind.iter().filter(|gate| counting.has(*gate)).filter_map(place).collect(),
        local: route.is_local,
    };
    let parts = problem.volumes.iter().zip(&plan.volumes).zip(media).zip(&routes);
    let volumes = parts.map(|(((volume, chosen), medium), route)| VolumeSpec {
        name: volume.name.clone(),
        disks: disks(problem, plan, chosen, medium),
        stripe_unit: volume.stripe_unit,
        host_cache: route.cache,
        path: path(route),
    });
    let volumes = volumes.collect();
    let credits = if problem.bursting { Credits::Full } else { Credits::Empty };
    let vm = VmSpec { gates, host_cache: Some(cache(problem, vm.cache)), throttle_interval: Duration::ZERO };
    StackSpec { vm, volumes, credits, seed: 0 }
}

fn disks(problem: &Problem, plan: &Plan, chosen: &VolumePlan, medium: &Medium) -> Vec<DiskSpec> {
    let disk = |limits: LimitSpec, by_direction: DirectionLimits, io_unit: Option<Bytes>| DiskSpec {
        name: String::new(),
        size: Bytes::gib(1),
        limits,
        by_direction,
        io_unit,
        more: Vec::new(),
        read: medium.read.clone(),
        write: medium.write.clone(),
        usage_base: None,
        first_touch: None,
    };
    let Some(disks) = &chosen.disks else {
        let vm = &problem.vms[plan.vm];
        let of = |direction: Option<Direction>| {
            let mut own = vm.route(chosen.class).into_iter().flat_map(|route| route.behind.iter());
            let own = own.find(|gate| problem.gates[*gate].direction == direction);
            own.map_or(LimitSpec::default(), |gate| limits(vm.gates[gate]))
        };
        let apart = |direction| Some(of(Some(direction))).filter(|limits| *limits != LimitSpec::default());
        let by_direction = DirectionLimits { reads: apart(Direction::Reads), writes: apart(Direction::Writes) };
        return vec![disk(of(None), by_direction, None)];
    };
    let offer = &problem.disks[disks.offer];
    let (iops, bytes) = match (&offer.kind, disks.each) {
        (DiskKind::Fixed { iops, bytes, .. }, _) => (*iops, *bytes),
        (DiskKind::Free(free), Some(each)) => free.rates(each, problem.bursting).into(),
        (DiskKind::Free(free), None) => (Rate::plain(free.iops.0), Rate::plain(free.mb.0 * free.unit)),
    };
    let each = disk(limits(Rates { iops: Some(iops), bytes: Some(bytes) }), DirectionLimits::default(), offer.io_unit);
    vec![each; disks.count as usize]
}

fn limits(gate: Rates) -> LimitSpec {
    let rate = |rate: Rate| RateSpec {
        rate: rate.base.max(1),
        depth: 0,
        burst: rate.burst.map(|(rate, credits)| BurstSpec { rate, credits }),
    };
    LimitSpec { iops: gate.iops.map(rate), throughput: gate.bytes.map(rate) }
}

fn cache(problem: &Problem, capacity: Bytes) -> HostCacheSpec {
    let latency = problem.cache_latency;
    let constant = |ns: u64| ServiceTime::constant(u32::try_from(ns).unwrap_or(u32::MAX));
    HostCacheSpec {
        ram: Bytes::ZERO,
        capacity,
        block_size: dw_catalogue::host_cache::BLOCK,
        fill: Fill::default(),
        write_allocate: true,
        eviction: Eviction::default(),
        ram_hit: constant(latency.hit_ns),
        ssd_read: constant(latency.hit_ns),
        ssd_write: constant(latency.write_ns),
        miss_penalty: Some(constant(latency.miss_ns)),
        write_back: WriteBackSpec { dirty_max: capacity, destage_depth: 1, destage_after: Duration::ZERO },
    }
}
