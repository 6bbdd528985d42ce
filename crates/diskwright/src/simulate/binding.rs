//! Which limit holds a volume, and the sentence that says so.
//!
//! A limit holds a volume when its requests spend a good part of their time waiting there and next to nothing of it is
//! left. Time alone is not enough: a load that comes in bursts waits at limits that are idle most of the time. Use alone
//! is not either: a load that asks for exactly what there is waits nowhere.
//!
//! A volume that is active for part of the run only is judged by that part: what its own disks had left then, and whether
//! something waited at a limit of the VM all the time.

use std::collections::BTreeMap;

use dw_catalogue::gates;
use dw_catalogue::rig::Lift;
use dw_documents::{GateName, LimitId, Names};
use dw_formats::scenario::Scenario;
use dw_messages::{Figure, LimitName, Sentence, say};
use dw_sim::{LoadResult, RunResult, VolumeResult};
use dw_stack::{CacheMode, Stage, VolumeId};
use dw_units::Bytes;
use dw_workload::{Direction, Job, Mix, Rate, Workload};

use super::build::gates_passed;
use super::limits;
use super::summary::{Binding, LimitLine};
use crate::figures::{self, percent, seconds};

/// Share of a request's time from which a wait counts.
const WAITS: f64 = 0.05;
/// Headroom in percent below which a limit counts as used up.
const USED_UP: f64 = 5.0;
/// Share of a volume's time from which a limit holds it throughout, and of a job's rate from which it has what it asks for.
const THROUGHOUT: f64 = 0.95;

/// What holds each volume; marks the limits that hold one.
pub(super) fn find(
    scenario: &Scenario,
    workload: &Workload,
    result: &RunResult,
    limits: &mut [LimitLine],
) -> Vec<Binding> {
    let volumes = result.volumes.iter();
    volumes.map(|v| of_volume(scenario, workload, result, v, limits)).collect()
}

fn of_volume(
    scenario: &Scenario,
    workload: &Workload,
    result: &RunResult,
    volume: &VolumeResult,
    limits: &mut [LimitLine],
) -> Binding {
    let (index, load) = (usize::from(volume.volume), &volume.load);
    let name = &scenario.volumes[index].name;
    let queued: u128 = load.queued.iter().sum();
    let total = (queued + load.served) as f64;
    let none = |sentence: Sentence| Binding {
        volume: name.clone(),
        limit: None,
        id: None,
        place: None,
        waited_percent: 0.0,
        sentence,
    };
    if total == 0.0 {
        return none(say!(BindingIdle { volume: name }));
    }
    let longest = Stage::ALL.into_iter().zip(load.queued).max_by_key(|&(_, wait)| wait);
    let Some((stage, wait)) = longest.filter(|&(_, wait)| wait as f64 / total >= WAITS) else {
        return none(free_sentence(name, workload, result, index, load));
    };
    let waited_percent = wait as f64 / total * 100.0;
    let names = Names::from_stack(&scenario.stack);
    // At that stage, the limit at which this volume waited longest.
    let mut waited: BTreeMap<LimitId, u128> = BTreeMap::new();
    for row in result.tally.limits.iter().filter(|row| row.stage == stage) {
        *waited.entry(names.id(row.id)).or_default() += row.waited_of(VolumeId(volume.volume));
    }
    let most = waited.into_iter().filter(|(_, wait)| *wait > 0).max_by_key(|(_, wait)| *wait);
    let found = most.and_then(|(id, _)| limits.iter().position(|line| line.id == id));
    if stage == Stage::CacheDirty {
        let sentence = say!(BindingWriteBack { volume: name, disks: &scenario.volumes[index].disks });
        return binding(name, &LimitId::write_back(name), waited_percent, sentence);
    }
    if stage == Stage::FirstTouch {
        let (disks, waiting) = (&scenario.volumes[index].disks, percent(waited_percent));
        let sentence = say!(BindingFirstTouch { volume: name, disks, waiting });
        return binding(name, &LimitId::first_touch(name), waited_percent, sentence);
    }
    let Some(found) = found else {
        return none(free_sentence(name, workload, result, index, load));
    };
    let whole_run = limits[found].headroom_percent <= USED_UP;
    if !whole_run && !used_up_while_active(&names, result, volume, wait, &limits[found]) {
        let (unused, waiting) = (percent(limits[found].headroom_percent), percent(waited_percent));
        return none(say!(BindingAtTimes { volume: name, limit: limits[found].id.within_place(), unused, waiting }));
    }
    limits[found].holds.push(name.clone());
    let next = next_limit(limits, scenario, volume, found);
    let active = (!whole_run).then(|| (load.window.ns() as f64 / 1e9, result.counted_time.ns() as f64 / 1e9));
    let sentence = held_sentence(scenario, index, stage, &limits[found], next, active);
    binding(name, &limits[found].id, waited_percent, sentence)
}

/// Whether a limit that has something left over the run had nothing left while the volume was active.
fn used_up_while_active(
    names: &Names,
    result: &RunResult,
    volume: &VolumeResult,
    wait: u128,
    line: &LimitLine,
) -> bool {
    let window = volume.load.window.ns() as f64;
    if !line.id.is_vm() {
        return limits::headroom_over(names, result, &line.id, window / 1e9) <= USED_UP;
    }
    // What passed while it was active is not known of a limit that others share, but for how long something waited is.
    let binding = line.waiting_percent / 100.0 * result.counted_time.ns() as f64;
    binding >= THROUGHOUT * window && wait as f64 >= THROUGHOUT * window
}

fn binding(volume: &str, id: &LimitId, waited_percent: f64, sentence: Sentence) -> Binding {
    Binding {
        volume: volume.to_string(),
        limit: Some(id.name()),
        id: Some(id.clone()),
        place: Some(id.volume.clone().unwrap_or_else(|| "vm".into())),
        waited_percent,
        sentence,
    }
}

/// The limit on this volume's path that would stop it next.
fn next_limit<'a>(
    limits: &'a [LimitLine],
    scenario: &Scenario,
    volume: &VolumeResult,
    found: usize,
) -> Option<&'a LimitLine> {
    let spec = &scenario.stack.volumes[usize::from(volume.volume)];
    // Reads that all hit the cache never meet what lies behind it.
    let reaches_disk =
        spec.host_cache == CacheMode::None || volume.reads_miss > 0 || volume.load.directions.write.ios > 0;
    let mut gates = gates_passed(&scenario.stack, usize::from(volume.volume));
    if !reaches_disk {
        gates.truncate(1);
    }
    let on_path = |line: &LimitLine| match &line.id.volume {
        Some(volume) => *volume == spec.name,
        None => gates.contains(&line.id.gate.as_str()),
    };
    let others = limits.iter().enumerate().filter(|&(i, line)| i != found && line.used > 0.0 && on_path(line));
    others.map(|(_, line)| line).min_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent))
}

fn held_sentence(
    scenario: &Scenario,
    index: usize,
    stage: Stage,
    line: &LimitLine,
    next: Option<&LimitLine>,
    active: Option<(f64, f64)>,
) -> Sentence {
    let volume = &scenario.volumes[index];
    let spec = &scenario.stack.volumes[index];
    let cached = spec.host_cache != CacheMode::None;
    let available = amount(line, line.available);
    let available = match (&line.disks, spec.disks.len(), &scenario.vm.size) {
        (Some(disks), 1, _) => say!(BindingOneDisk { disks, available }),
        (Some(disks), ..) => say!(BindingDisks { disks, available }),
        (None, _, Some(vm)) => say!(BindingVm { vm, available, behind: disks_behind(scenario, line) }),
        (None, _, None) => say!(BindingOurVm { available, behind: disks_behind(scenario, line) }),
    };
    let remedy = match stage {
        Stage::DiskIops | Stage::DiskThroughput if spec.path.local => Some(say!(RemedyLocal)),
        Stage::DiskIops | Stage::DiskThroughput if cached => Some(say!(RemedyDisksOrCache)),
        Stage::DiskIops | Stage::DiskThroughput => Some(of_disks(scenario, index, line)),
        Stage::BehindIops | Stage::BehindThroughput => Some(say!(RemedyUncached { gate: gate_of(line) })),
        Stage::FrontIops | Stage::FrontThroughput => Some(say!(RemedyCached { gate: gate_of(line) })),
        Stage::CacheDirty | Stage::FirstTouch => None,
    };
    let next = next.filter(|next| next.headroom_percent < 50.0).map(next_sentence);
    let active = active.map(|(window, run)| say!(BindingActive { active: seconds(window), run: seconds(run) }));
    say!(BindingThrottled { volume: &volume.name, limit: line.id.within_place(), active, available, remedy, next })
}

/// What lifts the limit of a volume's disks, by what their vendor sells.
fn of_disks(scenario: &Scenario, index: usize, line: &LimitLine) -> Sentence {
    let bought = &scenario.volumes[index].bought;
    let count = bought.iter().map(|group| group.count).sum::<usize>().max(1);
    let each = (line.available / count as f64).round() as u64;
    let vendor = dw_catalogue::rigs().into_iter().find(|own| own.id() == scenario.vendor);
    let kind = bought.first().and_then(|group| group.offer.as_ref());
    let size = scenario.stack.volumes[index].disks.first().map_or(Bytes::ZERO, |disk| disk.size);
    let lift = vendor.zip(kind).and_then(|(vendor, (kind, _))| vendor.lift(kind, size, line.unit != "IOPS", each));
    match lift {
        None => say!(RemedyDisks),
        Some(Lift::Larger) => say!(RemedyLarger),
        Some(Lift::Bought) => say!(RemedyBought),
        Some(Lift::OtherKind) => say!(RemedyOtherKind),
    }
}

/// The limit that throttles next, by what is left of it.
fn next_sentence(next: &LimitLine) -> Sentence {
    let limit = match &next.disks {
        Some(disks) => say!(LimitOf { limit: next.id.within_place(), place: disks }),
        None => say!(Plain { text: &next.limit }),
    };
    let available = amount(next, next.available);
    match next.headroom_percent {
        left if left < 0.5 => say!(BindingNextExhausted { limit, available }),
        left if left <= USED_UP => say!(BindingNextNearly { limit, available }),
        left => say!(BindingNext { limit, available, left: percent(left) }),
    }
}

/// What a gate of the VM is called, of the VM.
fn gate_of(line: &LimitLine) -> LimitName {
    LimitName::new(GateName::new(&line.id.gate).within_vm())
}

/// What of the VM shares a gate of it.
fn disks_behind(scenario: &Scenario, line: &LimitLine) -> Sentence {
    let apart =
        scenario.stack.vm.gates.iter().any(|gate| gate.name == gates::UNCACHED_ALL || gate.name == gates::UNCACHED_V2);
    match line.id.gate.as_str() {
        gates::UNCACHED_V2 => say!(BehindV2),
        gates::UNCACHED if apart => say!(BehindOthers),
        gates::UNCACHED | gates::UNCACHED_ALL => say!(BehindAll),
        gates::CACHED => say!(BehindCache),
        gate => say!(BehindGate { gate: LimitName::new(gate) }),
    }
}

fn amount(line: &LimitLine, value: f64) -> Figure {
    if line.unit == "IOPS" { figures::iops(value) } else { figures::bytes_per_s(value) }
}

/// Nothing holds the volume: its own depth or its own rate does.
fn free_sentence(volume: &str, workload: &Workload, result: &RunResult, index: usize, load: &LoadResult) -> Sentence {
    let jobs: Vec<usize> = (0..workload.jobs.len())
        .filter(|&j| workload.jobs[j].files.iter().any(|f| usize::from(f.volume) == index))
        .collect();
    let seconds = load.window.ns() as f64 / 1e9;
    let ios: u64 = Direction::ALL.iter().map(|&d| load.directions.get(d).ios).sum();
    let iops = figures::iops(if seconds > 0.0 { ios as f64 / seconds } else { 0.0 });
    if has_its_rate(workload, result, &jobs) {
        return say!(BindingRate { volume, iops });
    }
    if jobs.iter().any(|&j| workload.jobs[j].think.is_some()) {
        return say!(BindingThink { volume, iops });
    }
    if let Some(sentence) = synced(volume, workload, result, &jobs) {
        return sentence;
    }
    let latency = if ios > 0 { (load.queued.iter().sum::<u128>() + load.served) as f64 / ios as f64 } else { 0.0 };
    let depth = Figure::decimal(load.queue_depth, 1, "");
    say!(BindingDepth { volume, depth, latency: figures::ms(latency), iops })
}

/// Jobs that flush after every write, and have no other write in flight meanwhile: the rate is that of their cycles.
fn synced(volume: &str, workload: &Workload, result: &RunResult, jobs: &[usize]) -> Option<Sentence> {
    let waits = |&job: &usize| {
        let job = &workload.jobs[job];
        let is_alone = job.sync.buffered || job.queue_depth == 1;
        job.sync.every_writes == 1 && is_alone && matches!(job.mix, Mix::Only(Direction::Write))
    };
    if jobs.is_empty() || !jobs.iter().all(waits) {
        return None;
    }
    let entries = result.entries.iter().filter(|entry| entry.members.iter().any(|member| jobs.contains(member)));
    let per_s: f64 = entries
        .map(|entry| {
            let seconds = entry.load.write.runtime.ns() as f64 / 1e9;
            if seconds > 0.0 { entry.load.write.ios as f64 / seconds } else { 0.0 }
        })
        .sum();
    let workers = jobs.len();
    let cycle = figures::ms(workers as f64 * 1e9 / Some(per_s).filter(|rate| *rate > 0.0)?);
    let per_s = Figure::new(per_s, "", dw_documents::format::grouped(per_s));
    let workers = (workers > 1).then(|| say!(ShowsSyncWorkers { workers }));
    Some(say!(BindingSync { volume, cycle, per_s, workers }))
}

/// Whether each of the jobs has a rate, and they got it.
fn has_its_rate(workload: &Workload, result: &RunResult, jobs: &[usize]) -> bool {
    let (mut asked, mut got) = (0.0, 0.0);
    for entry in result.entries.iter().filter(|e| e.members.iter().any(|m| jobs.contains(m))) {
        if entry.members.iter().any(|&m| rated(&workload.jobs[m]).is_empty()) {
            return false;
        }
        for direction in Direction::ALL {
            let rates = entry.members.iter().flat_map(|&m| rated(&workload.jobs[m]));
            let rate: f64 = rates.filter(|r| r.0 == direction).map(|r| r.1).sum();
            let load = entry.load.get(direction);
            if rate > 0.0 && load.runtime.ns() > 0 {
                asked += rate;
                got += load.bytes as f64 / (load.runtime.ns() as f64 / 1e9);
            }
        }
    }
    asked > 0.0 && got >= THROUGHOUT * asked
}

/// The directions of a job that have a rate, with its bytes per second.
fn rated(job: &Job) -> Vec<(Direction, f64)> {
    let bytes = |d: Direction| match (*job.rate.get(d))? {
        Rate::BytesPerSecond(bytes) => Some(bytes as f64),
        Rate::Iops(iops) => Some(iops as f64 * job.sizes.get(d).min() as f64),
    };
    let moved = |d: &Direction| match job.mix {
        Mix::Only(only) => only == *d,
        Mix::ReadWrite { .. } => *d != Direction::Trim,
        Mix::TrimThenWrite => *d != Direction::Read,
    };
    Direction::ALL.into_iter().filter(moved).filter_map(|d| Some((d, bytes(d)?))).collect()
}
