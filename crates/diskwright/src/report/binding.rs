//! Which limit holds a volume, and the sentence that says so.
//!
//! A limit holds a volume when its requests spend a good part of their time waiting there and next to nothing of it is
//! left. Time alone is not enough: a load that comes in bursts waits at limits that are idle most of the time. Use alone
//! is not either: a load that asks for exactly what there is waits nowhere.

use dw_formats::scenario::Scenario;
use dw_sim::{LoadResult, RunResult, VolumeResult};
use dw_stack::{CacheMode, Limit, Path};
use dw_workload::Workload;

use super::format::{grouped, mb_s, milliseconds, percent};
use super::summary::{Binding, LimitLine};

/// Share of a request's time from which a wait counts.
const WAITS: f64 = 0.05;
/// Headroom in percent below which a limit counts as used up.
const USED_UP: f64 = 5.0;

/// What holds each volume; marks the limits that hold one.
pub(super) fn of(
    scenario: &Scenario,
    workload: &Workload,
    result: &RunResult,
    limits: &mut [LimitLine],
) -> Vec<Binding> {
    let volumes = result.volumes.iter();
    volumes.map(|v| of_volume(scenario, workload, v, limits)).collect()
}

fn of_volume(scenario: &Scenario, workload: &Workload, volume: &VolumeResult, limits: &mut [LimitLine]) -> Binding {
    let (index, load) = (usize::from(volume.volume), &volume.load);
    let name = &scenario.volumes[index].name;
    let queued: u128 = load.queued.iter().sum();
    let total = (queued + load.served) as f64;
    let none =
        |sentence: String| Binding { volume: name.clone(), limit: None, place: None, waited_percent: 0.0, sentence };
    if total == 0.0 {
        return none(format!("{name} had nothing to do."));
    }
    let longest = Limit::ALL.into_iter().zip(load.queued).max_by_key(|&(_, wait)| wait);
    let Some((limit, wait)) = longest.filter(|&(_, wait)| wait as f64 / total >= WAITS) else {
        return none(free_sentence(name, workload, index, load));
    };
    let waited_percent = wait as f64 / total * 100.0;
    let premium2 = scenario.stack.volumes[index].path == Path::Premium2;
    let found = limits.iter().position(|line| is_line_of(line, limit, name, premium2));
    if limit == Limit::CacheDirty {
        let sentence = format!(
            "{name} is held by write-back: the host cache may hold no more dirty bytes, so writes come in only as fast as \
             its {} take them. More disks in the stripe or larger ones would lift it.",
            scenario.volumes[index].disks
        );
        return binding(name, limit.name(), name, waited_percent, sentence);
    }
    let Some(found) = found else {
        return none(free_sentence(name, workload, index, load));
    };
    if limits[found].headroom_percent > USED_UP {
        return none(format!(
            "{name} waits at {} for part of the run ({} of its latency), yet {} of it is left on average: it is held at \
             times only. `--series 1s` shows when.",
            limits[found].limit,
            percent(waited_percent),
            percent(limits[found].headroom_percent),
        ));
    }
    limits[found].holds.push(name.clone());
    let next = next_limit(limits, scenario, volume, found);
    let sentence = held_sentence(scenario, index, limit, &limits[found], next);
    binding(name, &limits[found].limit.clone(), &limits[found].place.clone(), waited_percent, sentence)
}

fn binding(volume: &str, limit: &str, place: &str, waited_percent: f64, sentence: String) -> Binding {
    Binding {
        volume: volume.to_string(),
        limit: Some(limit.to_string()),
        place: Some(place.to_string()),
        waited_percent,
        sentence,
    }
}

fn is_line_of(line: &LimitLine, limit: Limit, volume: &str, premium2: bool) -> bool {
    let of_disk = matches!(limit, Limit::DiskIops | Limit::DiskThroughput);
    let uncached = matches!(limit, Limit::VmUncachedIops | Limit::VmUncachedThroughput);
    let place = if of_disk { volume } else { "vm" };
    let second = line.limit.len() > limit.name().len();
    line.place == place && line.limit.starts_with(limit.name()) && (!uncached || second == premium2 || !second)
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
    let on_path = |line: &LimitLine| {
        if line.place != "vm" {
            return line.place == spec.name;
        }
        let cached = line.limit.starts_with("vm cached");
        if cached {
            spec.host_cache != CacheMode::None || spec.path == Path::Temp
        } else {
            reaches_disk && spec.path != Path::Temp
        }
    };
    let others = limits.iter().enumerate().filter(|&(i, line)| i != found && line.used > 0.0 && on_path(line));
    others.map(|(_, line)| line).min_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent))
}

fn held_sentence(
    scenario: &Scenario,
    index: usize,
    limit: Limit,
    line: &LimitLine,
    next: Option<&LimitLine>,
) -> String {
    let volume = &scenario.volumes[index];
    let spec = &scenario.stack.volumes[index];
    let cached = spec.host_cache != CacheMode::None;
    let who = match (&line.disks, spec.disks.len()) {
        (Some(disks), 1) => format!("its {disks} gives {}", amount(line, line.available)),
        (Some(disks), _) => {
            format!("its {disks} give {} together", amount(line, line.available))
        }
        (None, _) => match &scenario.vm.size {
            Some(size) => format!("{size} gives {} to all its disks", amount(line, line.available)),
            None => format!("the VM gives {} to all its disks", amount(line, line.available)),
        },
    };
    let remedy = match limit {
        Limit::DiskIops | Limit::DiskThroughput if cached => {
            "More or larger disks would lift it; so would a cache that holds more of what is read."
        }
        Limit::DiskIops | Limit::DiskThroughput => {
            "More disks in the stripe, larger ones or a higher performance tier would lift it."
        }
        Limit::VmUncachedIops | Limit::VmUncachedThroughput if !cached && spec.path == Path::Remote => {
            "A VM size with a higher uncached limit would lift it; more or larger disks would not."
        }
        Limit::VmUncachedIops | Limit::VmUncachedThroughput => {
            "A VM size with a higher uncached limit would lift it; more or larger disks would not."
        }
        Limit::VmCachedIops | Limit::VmCachedThroughput => {
            "A VM size with a higher cached limit would lift it, or moving part of the load to a volume without host cache."
        }
        Limit::CacheDirty => "",
    };
    let next = match next {
        Some(next) if next.headroom_percent < 50.0 => {
            let place = next.disks.as_ref().map_or(String::new(), |disks| format!(" of {disks}"));
            format!(
                " Next in line is {}{place}: {}, of which {} is left.",
                next.limit,
                amount(next, next.available),
                percent(next.headroom_percent)
            )
        }
        _ => String::new(),
    };
    format!("{} is held by {}: {who}. {remedy}{next}", volume.name, line.limit)
}

fn amount(line: &LimitLine, value: f64) -> String {
    if line.unit == "IOPS" { format!("{} IOPS", grouped(value)) } else { mb_s(value) }
}

/// Nothing holds the volume: its own depth or its own rate does.
fn free_sentence(name: &str, workload: &Workload, index: usize, load: &LoadResult) -> String {
    let jobs = || workload.jobs.iter().filter(|job| job.files.iter().any(|f| usize::from(f.volume) == index));
    let seconds = load.window.ns() as f64 / 1e9;
    let ios: u64 = dw_workload::Direction::ALL.iter().map(|&d| load.directions.get(d).ios).sum();
    let iops = if seconds > 0.0 { ios as f64 / seconds } else { 0.0 };
    let rated = jobs().any(|job| dw_workload::Direction::ALL.iter().any(|&d| job.rate.get(d).is_some()));
    let pauses = jobs().any(|job| job.think.is_some());
    if rated || pauses {
        let why = if rated { "its jobs ask for no more (rate)" } else { "its jobs pause (thinktime)" };
        return format!("{name} is held by no limit: {why}, and get {} IOPS.", grouped(iops));
    }
    let latency = if ios > 0 { (load.queued.iter().sum::<u128>() + load.served) as f64 / ios as f64 } else { 0.0 };
    format!(
        "{name} is held by no limit but its own queue depth: {:.1} outstanding at {} ms each make {} IOPS. More \
         outstanding requests (iodepth, numjobs) would give more.",
        load.queue_depth,
        milliseconds(latency),
        grouped(iops)
    )
}
