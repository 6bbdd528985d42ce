//! Changes that keep every limit, in virtual time: each is simulated before it is proposed.
//!
//! The changed configuration runs the interval that a trial is of: every volume with its requests at their rates and sizes, together. Of
//! the reads of a cached volume the share that is counted on to hit goes to blocks that are in the cache, the others to blocks that are
//! not. As many requests are in flight as the rates need, unless how many is what the change is about. A limit that bursts gives what the
//! credits leave it in the interval, any other its sustained rate.
//!
//! A change is served where every volume gets 99 % of the requests that it asks, and where a latency is asked for, that. A run has some
//! ten thousand requests; where little is missing, or a latency is, a longer one decides. All runs of an explanation together have a budget:
//! what comes after it is not simulated.
//!
//! Source: `docs/model/explaining.md`.
//!
//! Ignores: the other intervals, whether the cache comes to hold what is counted on, what happens within an interval; of syncs, that a worker
//! waits for them.

use std::cell::Cell;

use dw_catalogue::free::Follow;
use dw_catalogue::rig::{DiskAsked, MachineAsked, Rigs};
use dw_catalogue::{Attachment, Catalogue, DiskOptions, VmLimits, VmSize};
use dw_demand::wishes::LatencyOf;
use dw_documents::Quantity;
use dw_formats::fio::FioJobs;
use dw_formats::scenario::{CacheStart, Scenario};
use dw_planner::VolumePlan;
use dw_planner::explain::{Edit, Shown, Trial};
use dw_planner::problem::{DiskKind, ONE, Sample};
use dw_sim::{LatencyStats, RunOptions};
use dw_stack::{Credits, DiskSpec, GateId, Limit, LimitSpec, Path, RateSpec};
use dw_units::{Bytes, Duration, Iops, Throughput};
use dw_workload::rng::scatter;
use dw_workload::sizes::{SECTOR, about_mean};
use dw_workload::{Access, Batching, Direction, FileExtent, Job, Mix, Pacing, PerDirection, Rate, Workload};

use crate::bounds;
use crate::plan::SERVED;
use crate::session::Session;
use crate::simulate::{Simulation, build};

/// Requests of a run.
const IOS: u64 = 20_000;
/// A run that decides is so many times as long, ...
const LONGER: u64 = 5;
/// ... and decides where so much was served, in parts per million.
const NEARLY: u32 = 950_000;
/// Requests of all runs of an explanation.
const BUDGET: u64 = 1_500_000;
/// How long a run takes at least and at most, in virtual milliseconds.
const SHORTEST_MS: u64 = 300;
const LONGEST_MS: u64 = 60_000;
/// Requests of a stream in flight at most: more than any rate needs that a VM has.
const IN_FLIGHT: u64 = 1_024;
/// What of a volume is in the host cache: what hits goes there.
const RESIDENT: Bytes = Bytes::mib(64);

/// Simulates the changes of one explanation.
pub(super) struct Trials<'a> {
    session: &'a Session,
    scenario: &'a Scenario,
    left: Cell<u64>,
}

/// Requests of one direction and size, a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stream {
    volume: usize,
    writes: bool,
    /// They go to what is in the cache.
    hits: bool,
    size: u64,
    iops: u64,
    in_flight: u64,
}

impl<'a> Trials<'a> {
    pub(super) fn new(session: &'a Session, scenario: &'a Scenario) -> Trials<'a> {
        Trials { session, scenario, left: Cell::new(BUDGET) }
    }

    /// What a trial shows; nothing where a part of it is not the catalogue's, or the budget is used up.
    pub(super) fn simulate(&self, trial: &Trial) -> Option<Shown> {
        let catalogue = self.session.catalogue();
        let scenario = match catalogue.rigs().into_iter().find(|own| own.id() == self.scenario.vendor) {
            None => changed(catalogue, self.scenario, trial)?,
            Some(vendor) => made_anew(vendor, self.scenario, trial)?,
        };
        let shown = self.run(&scenario, trial, IOS)?;
        match shown.served || shown.share < NEARLY {
            true => Some(shown),
            false => self.run(&scenario, trial, IOS * LONGER).or(Some(shown)),
        }
    }

    fn run(&self, scenario: &Scenario, trial: &Trial, ios: u64) -> Option<Shown> {
        let streams = streams(trial);
        let rate: u64 = streams.iter().map(|stream| stream.iops).sum();
        let ms = (ios * 1_000).checked_div(rate)?.clamp(SHORTEST_MS, LONGEST_MS);
        self.left.set(self.left.get().checked_sub(rate * ms / 1_000)?);
        let workload = Workload { jobs: jobs(&streams, trial, scenario, ms) };
        bounds::in_flight(bounds::most_in_flight(&workload.jobs)).ok()?;
        let warm = scenario.warm_for(&workload);
        // What is under way at the end is not waited for.
        let until = Some(Duration::from_ms(ms));
        let options = RunOptions { seed: scenario.stack.seed, exact: true, warm, until, ..RunOptions::default() };
        let jobs = FioJobs { workload, ..FioJobs::default() };
        let load = Simulation { scenario: scenario.clone(), jobs, options, recorded: None };
        let ran = self.session.run(load, None).ok()?;
        let mut shown = Shown { served: true, share: ONE };
        for (volume, asked) in trial.problem.volumes.iter().enumerate() {
            for writes in [false, true] {
                let way = if writes { Direction::Write } else { Direction::Read };
                let these = streams.iter().zip(&ran.result.entries);
                let these = these.filter(|(stream, _)| (stream.volume, stream.writes) == (volume, writes));
                let loads: Vec<_> = these.map(|(stream, entry)| (stream, entry.load.get(way))).collect();
                let wanted = (loads.iter().map(|(stream, _)| stream.iops).sum::<u64>() * ms) as f64 / 1e3;
                let done: u64 = loads.iter().map(|(_, load)| load.ios).sum();
                // A request may lie across the end of the run.
                let share = (done + 1) as f64 / wanted.max(1.0);
                let is_served = share >= SERVED;
                shown.share = shown.share.min(if is_served { ONE } else { (share * f64::from(ONE)) as u32 });
                let stats: Vec<&LatencyStats> = loads.iter().map(|(_, load)| &load.lat).collect();
                shown.served &= is_served && is_fast(&stats, |of| asked.latency_max[usize::from(writes)].of(of));
            }
        }
        Some(shown)
    }
}

/// Whether every latency that is asked for is kept.
fn is_fast(stats: &[&LatencyStats], most: impl Fn(LatencyOf) -> Option<Duration>) -> bool {
    LatencyOf::ALL.into_iter().all(|of| {
        let Some(most) = most(of) else { return true };
        let took = match of {
            LatencyOf::Mean => build::latency(stats).map(|latency| latency.mean as u64),
            LatencyOf::P95 => build::quantile(stats, 0.95),
            LatencyOf::P99 => build::latency(stats).map(|latency| latency.p99),
        };
        took.is_none_or(|took| took <= most.ns())
    })
}

/// The scenario with a change; its volumes are called by their numbers. Nothing where a part is not the catalogue's.
fn changed(catalogue: &Catalogue, scenario: &Scenario, trial: &Trial) -> Option<Scenario> {
    let Trial { problem, plan, .. } = *trial;
    let mut new = scenario.clone();
    let row = match plan.vm {
        0 => own_row(catalogue, scenario),
        vm => catalogue.vm(&problem.vms[vm].name, Some(&problem.vms[vm].edition)).ok(),
    };
    if plan.vm != 0 {
        let mut limits = row?.limits(scenario.latency_setting);
        // As the other size is planned with.
        limits.cached = row?.cached_to_plan().map_or(limits.cached, |lower| lower.limit_spec());
        let VmLimits { uncached_sharing, throttle_interval, .. } = scenario.limits;
        new.limits = VmLimits { uncached_sharing, throttle_interval, ..limits };
    }
    for (place, chosen) in plan.volumes.iter().enumerate() {
        let (spec, name) = (&mut new.stack.volumes[place], format!("v{place}"));
        let is_there = scenario.attachments[place].is_local() && plan.vm == 0;
        match &chosen.disks {
            None if is_there => {}
            None => {
                let local = row?.local_limits_of(new.limits.local?)?;
                let model = dw_catalogue::latency::model(local.latency_model)?;
                spec.disks = local.disks(&name, model, scenario.latency_setting);
                new.attachments[place] = local.attachment();
            }
            // Its own disks, so many of them.
            Some(disks) if disks.offer < plan.volumes.len() => {
                let slowest = spec.disks.iter().min_by_key(|disk| disk.limits.iops.map_or(u64::MAX, |rate| rate.rate));
                let slowest = slowest?.clone();
                spec.disks.resize(disks.count as usize, slowest);
            }
            Some(disks) => {
                let offer = &problem.disks[disks.offer];
                let sold = catalogue.disk(&offer.name, Some(&offer.edition)).ok()?;
                let each = disks.each.filter(|_| matches!(offer.kind, DiskKind::Free(_)));
                let options = DiskOptions {
                    size: each.map(|each| Bytes::gib(each.gib)),
                    iops: each.map(|each| Iops::new(each.iops)),
                    throughput: each.map(|each| Throughput::bytes_per_second(each.bytes())),
                    latency: scenario.latency_setting,
                    ..offer.purchase.options()
                };
                let one = sold.disk_spec(&name, &options).ok()?;
                spec.disks = vec![one; disks.count as usize];
                new.attachments[place] = match offer.second {
                    true => Attachment::Premium2,
                    false => Attachment::Remote,
                };
            }
        }
        spec.stripe_unit = problem.volumes[place].stripe_unit;
        spec.host_cache = problem.route(chosen.class).cache;
        spec.name.clone_from(&name);
        let volume = &mut new.volumes[place];
        volume.size = Bytes::new(spec.disks.iter().map(|disk| disk.size.get()).sum());
        (volume.name, volume.mount, volume.device) = (name, None, None);
    }
    let (vm, paths) = new.limits.attach(&new.attachments);
    new.stack.vm = vm;
    for (spec, path) in new.stack.volumes.iter_mut().zip(paths) {
        spec.path = path;
    }
    new.stack.credits = Credits::Empty;
    burst(&mut new, trial);
    warm(&mut new, trial)?;
    Some(new)
}

/// The same of a vendor that makes machines and disks itself.
fn made_anew(vendor: &dyn Rigs, scenario: &Scenario, trial: &Trial) -> Option<Scenario> {
    let Trial { problem, plan, .. } = *trial;
    let mut new = scenario.clone();
    let options = if plan.vm == 0 { &[] } else { problem.vms[plan.vm].options };
    let (size, edition) = match plan.vm {
        0 => (scenario.vm.size.as_deref(), scenario.vm.edition.as_deref()),
        vm => (Some(problem.vms[vm].name.as_str()), Some(problem.vms[vm].edition.as_str())),
    };
    let asked = |name| MachineAsked { name, edition, options };
    let machine = size.and_then(|size| vendor.machine(&asked(size)).ok());
    if plan.vm != 0 {
        // Local disks of another machine are other ones.
        let keeps_local = plan.volumes.iter().any(|chosen| chosen.disks.is_none());
        new.stack.vm.gates = machine.as_ref().filter(|_| !keeps_local)?.gates.clone();
    }
    for (place, chosen) in plan.volumes.iter().enumerate() {
        let (spec, name) = (&mut new.stack.volumes[place], format!("v{place}"));
        match &chosen.disks {
            None => {}
            Some(disks) if disks.offer < plan.volumes.len() => {
                let slowest = spec.disks.first()?.clone();
                spec.disks.resize(disks.count as usize, slowest);
            }
            Some(disks) => {
                let offer = &problem.disks[disks.offer];
                let (DiskKind::Free(free), Some(each)) = (&offer.kind, disks.each) else { return None };
                let asked = DiskAsked {
                    name: &offer.name,
                    edition: Some(&offer.edition),
                    size: Some(Bytes::gib(each.gib)),
                    iops: (free.follow != Follow::Both).then(|| Iops::new(each.iops)),
                    throughput: (free.follow == Follow::Nothing).then(|| Throughput::bytes_per_second(each.bytes())),
                    options: &[],
                    latency: scenario.latency_setting,
                    snapshot: None,
                };
                // What is there of a volume stays as it is when it is changed.
                let first_touch = spec.disks.first().and_then(|disk| disk.first_touch);
                let one = vendor.disk(machine.as_ref(), &asked).ok()?.spec;
                spec.disks = vec![DiskSpec { name: name.clone(), first_touch, ..one }; disks.count as usize];
            }
        }
        let named = problem.route(chosen.class).gates().map(|gate| problem.gates[gate].name);
        let remote = named.filter_map(|name| new.stack.vm.gates.iter().position(|gate| gate.name == name));
        if !spec.path.local {
            spec.path = Path { front: None, remote: remote.map(|gate| GateId(gate as u8)).collect(), local: false };
        }
        spec.stripe_unit = problem.volumes[place].stripe_unit;
        spec.name.clone_from(&name);
        let volume = &mut new.volumes[place];
        volume.size = Bytes::new(spec.disks.iter().map(|disk| disk.size.get()).sum());
        (volume.name, volume.mount, volume.device) = (name, None, None);
    }
    new.stack.credits = Credits::Empty;
    burst(&mut new, trial);
    Some(new)
}

/// The catalogue's row of the VM that is there, of an edition that says what is local.
fn own_row<'a>(catalogue: &'a Catalogue, scenario: &Scenario) -> Option<&'a VmSize> {
    let size = scenario.vm.size.as_deref()?;
    let own = catalogue.vm(size, scenario.vm.edition.as_deref()).ok();
    own.filter(|row| row.temp.is_some()).or_else(|| catalogue.vm(size, None).ok())
}

/// Limits that burst give what they do in the interval.
fn burst(scenario: &mut Scenario, trial: &Trial) {
    for &(limit, given) in trial.bursts {
        let Some(id) = limit.id(trial.problem) else { continue };
        let set = |limits: &mut LimitSpec, more: &mut [Limit], given: u64| {
            let is_throughput = id.quantity == Quantity::Throughput;
            let of_more = |limit: &&mut Limit| (limit.quantity == dw_stack::Quantity::Throughput) == is_throughput;
            if let Some(own) = more.iter_mut().find(of_more) {
                (own.rate, own.credits) = (given.max(1), None);
                return;
            }
            let rate = Some(RateSpec::plain(given.max(1)));
            match id.quantity {
                Quantity::Throughput => limits.throughput = rate,
                _ => limits.iops = rate,
            }
        };
        match limit.volume() {
            Some(volume) => {
                let disks: &mut Vec<DiskSpec> = &mut scenario.stack.volumes[volume].disks;
                let each = given / disks.len().max(1) as u64;
                disks.iter_mut().for_each(|disk| set(&mut disk.limits, &mut disk.more, each));
            }
            None => {
                let gates = scenario.stack.vm.gates.iter_mut().filter(|gate| gate.name == id.gate);
                gates.for_each(|gate| set(&mut gate.limits, &mut gate.more, given));
            }
        }
    }
}

/// What is counted on to hit is in the cache, on its SSD as the estimate has it. Nothing where the cache has no room for it.
fn warm(scenario: &mut Scenario, trial: &Trial) -> Option<()> {
    let has_cache = |chosen: &VolumePlan| trial.problem.route(chosen.class).has_cache();
    let hitting = trial.plan.volumes.iter().enumerate().filter(|(_, chosen)| has_cache(chosen) && chosen.hit > 0);
    let hitting: Vec<u16> = hitting.filter_map(|(place, _)| u16::try_from(place).ok()).collect();
    scenario.warm.clear();
    scenario.start = if hitting.is_empty() { CacheStart::Cold } else { CacheStart::Warm };
    let Some(cache) = scenario.stack.vm.host_cache.as_mut() else { return hitting.is_empty().then_some(()) };
    cache.ram = Bytes::ZERO;
    let has_room = cache.capacity.get() / 2 >= RESIDENT.get() * hitting.len() as u64;
    let is_larger = |place: &u16| scenario.volumes[usize::from(*place)].size.get() > 2 * RESIDENT.get();
    if !hitting.is_empty() && (!has_room || !hitting.iter().all(is_larger)) {
        return None;
    }
    scenario.warm = hitting.into_iter().map(|place| (place, 0, RESIDENT.get())).collect();
    Some(())
}

/// What is asked in the interval.
fn streams(trial: &Trial) -> Vec<Stream> {
    let mut all = Vec::new();
    for (volume, (asked, chosen)) in trial.problem.volumes.iter().zip(&trial.plan.volumes).enumerate() {
        let Sample { reads, writes, read_bytes, write_bytes } =
            asked.samples.get(trial.stamp).copied().unwrap_or_default();
        let hit = if trial.problem.route(chosen.class).has_cache() { u64::from(chosen.hit) } else { 0 };
        let of_hits = |value: u64| (u128::from(value) * u128::from(hit) / u128::from(ONE)) as u64;
        let in_flight = |iops: u64| match trial.edit {
            Edit::InFlight(of, depth) if of == volume => (depth * iops).div_ceil((reads + writes).max(1)),
            _ => IN_FLIGHT,
        };
        for (is_write, hits, iops, bytes) in [
            (false, true, of_hits(reads), of_hits(read_bytes)),
            (false, false, reads - of_hits(reads), read_bytes - of_hits(read_bytes)),
            (true, false, writes, write_bytes),
        ] {
            let sizes = sizes(iops, bytes).into_iter().filter(|(_, iops)| *iops > 0);
            let stream =
                |(size, iops)| Stream { volume, writes: is_write, hits, size, iops, in_flight: in_flight(iops) };
            all.extend(sizes.map(stream));
        }
    }
    all
}

/// The sizes that stand for a mean, and how many a second of each.
fn sizes(iops: u64, bytes: u64) -> Vec<(u64, u64)> {
    match bytes.checked_div(iops) {
        None => Vec::new(),
        Some(mean) if mean < SECTOR => vec![((mean / 512 * 512).max(512), iops)],
        Some(_) => about_mean(iops, bytes).to_vec(),
    }
}

/// The streams as jobs that run at the same time, each as an open loop: requests come when they are due, whatever is under way.
fn jobs(streams: &[Stream], trial: &Trial, scenario: &Scenario, ms: u64) -> Vec<Job> {
    let job = |(number, stream): (usize, &Stream)| {
        let Stream { volume, writes, hits, size, iops, in_flight } = *stream;
        let resident =
            if scenario.warm.iter().any(|warm| usize::from(warm.0) == volume) { RESIDENT } else { Bytes::ZERO };
        let (offset, len) = match hits {
            true => (0, RESIDENT.get()),
            false => (resident.get(), scenario.volumes[volume].size.get() - resident.get()),
        };
        let file = FileExtent { name: format!("/dev/v{volume}"), volume: volume as u16, start: 0, offset, len };
        // They go on beyond the end of the run.
        let job =
            Job::random_read(&format!("s{number}"), file, size, in_flight.max(1) as u32, Duration::from_ms(2 * ms));
        let random_percent = if trial.problem.volumes[volume].sequential { 0 } else { 100 };
        Job {
            section: number as u32,
            mix: Mix::Only(if writes { Direction::Write } else { Direction::Read }),
            access: Access { random_percent: PerDirection::all(random_percent), cover: false, ..job.access },
            rate: PerDirection::all(Some(Rate::Iops(iops))),
            pacing: Pacing::LinearOffload,
            batching: Batching { complete_max: 1, ..job.batching },
            seed: scenario.stack.seed ^ scatter((number as u64) << 32),
            repeat_on_loop: false,
            ..job
        }
    };
    streams.iter().enumerate().map(job).collect()
}
