//! From what was measured to what is reported.
//!
//! Jobs that report as a group form one entry in the place of its first: counts and histograms add up, the runtime of
//! a direction is the longest among members that moved bytes in it, the job runtime is their sum.

use crate::driver::Driver;
use crate::meter::{Cell, Meter, NO_VOLUME};
use crate::recorder::Recorder;
use crate::storage::Storage;
use crate::{
    DirectionLoad, DirectionResult, EntryResult, LatencyStats, Leaps, LeaptFigures, LoadResult, PhaseTally, RunOptions,
    RunResult, VolumeResult,
};
use dw_stack::{CacheOutcome, Stage};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, PerDirection, Replay, Workload};

/// The entry of every job: its own, or that of the group it reports with.
pub(crate) fn entries(workload: &Workload) -> Vec<usize> {
    let mut entry = 0;
    let mut entries = Vec::with_capacity(workload.jobs.len());
    for (n, job) in workload.jobs.iter().enumerate() {
        let joins = n > 0 && job.group_reporting && workload.jobs[n - 1].group == job.group;
        if n > 0 && !joins {
            entry += 1;
        }
        entries.push(entry);
    }
    entries
}

fn per_direction<T>(mut make: impl FnMut(Direction) -> T) -> PerDirection<T> {
    PerDirection { read: make(Direction::Read), write: make(Direction::Write), trim: make(Direction::Trim) }
}

/// The whole result.
pub(crate) fn result<S: Storage>(mut driver: Driver<S>, workload: &Workload, options: &RunOptions) -> RunResult {
    let now = driver.now;
    let leaps = driver.end_replay().or_else(|| driver.end_leaps());
    let tally = driver.storage.tally(now);
    let billed = driver.storage.billed_seconds();
    let count = driver.entry_of.iter().max().map_or(0, |&last| last + 1);
    let entries = (0..count).map(|entry| entry_result(&driver, workload, entry)).collect();
    let Driver { meter, partial, phases_ended, .. } = driver;
    let phases = phases_ended.windows(2).map(|pair| {
        let ((_, from, before), (phase, to, after)) = (&pair[0], &pair[1]);
        PhaseTally::between(*phase, to.since(*from), before, after)
    });
    let mut volumes: Vec<VolumeResult> = (0..meter.volumes.len()).map(|v| volume_result(&meter, v)).collect();
    let mut total = total(&meter);
    if let Some(known) = leaps.as_ref().and_then(Leaps::figures) {
        // Bins know of what was simulated only.
        for volume in &mut volumes {
            let of = |figures: &&LeaptFigures| figures.volume == volume.volume;
            volume.load.iops_half_width = half_width(&volume.load, known.iter().filter(of));
        }
        let ios =
            |figures: &LeaptFigures| volumes[usize::from(figures.volume)].load.directions.get(figures.direction).ios;
        let known = known.iter().map(|figures| (ios(figures), figures.rate));
        total.iops_half_width = weighted(known);
    }
    let virtual_time = (now + meter.leapt).since(Instant::START);
    let little = meter.little();
    RunResult {
        entries,
        volumes,
        counted_time: total.window,
        total,
        tally,
        phases: phases.collect(),
        simulated_ios: meter.completed,
        series: meter.series.map(|series| series.finish(now, billed)).unwrap_or_default(),
        series_interval: options.series,
        virtual_time,
        partial,
        seed: options.seed,
        little,
        leaps,
    }
}

/// Rates of a replay are those of all of it, also where a volume's first and last requests came within it.
pub(crate) fn over_all_of_it(result: &mut RunResult, span: Duration) {
    let span = span.min(result.virtual_time);
    let loads = result.volumes.iter_mut().map(|volume| &mut volume.load).chain([&mut result.total]);
    for load in loads.filter(|load| load.window > Duration::ZERO && load.window < span) {
        load.queue_depth *= load.window.ns() as f64 / span.ns() as f64;
        load.window = span;
    }
    result.counted_time = result.total.window;
}

/// The entries of a replay: what the streams of each volume came to. Its jobs are those of [`Replay::on_average`].
pub(crate) fn entries_of_replay(result: &RunResult, replay: &Replay) -> Vec<EntryResult> {
    let Some(all) = result.entries.first() else { return Vec::new() };
    let entry = |volume: &VolumeResult| {
        let streams = replay.streams.iter().enumerate().filter(|(_, stream)| stream.file.volume == volume.volume);
        let members: Vec<usize> = streams.map(|(number, _)| number).collect();
        let name = replay.streams.get(*members.first()?)?.volume().to_string();
        let window = volume.load.window;
        let mut entry = EntryResult { name, members, job_runtime: window, elapsed: result.virtual_time, ..all.clone() };
        for direction in Direction::ALL {
            let moved = volume.load.directions.get(direction);
            let load = entry.load.get_mut(direction);
            (load.ios, load.bytes) = (moved.ios, moved.bytes);
            load.runtime = if moved.ios > 0 { window } else { Duration::ZERO };
            (load.clat, load.lat) = (moved.latency.clone(), moved.latency.clone());
        }
        Some(entry)
    };
    result.volumes.iter().filter_map(entry).collect()
}

/// How well the rate of a load is known by those of its directions.
fn half_width<'a>(load: &LoadResult, figures: impl Iterator<Item = &'a LeaptFigures>) -> Option<f64> {
    weighted(figures.map(|figures| (load.directions.get(figures.direction).ios, figures.rate)))
}

/// The half-width of a sum whose parts may all be off in one direction.
fn weighted(known: impl Iterator<Item = (u64, f64)>) -> Option<f64> {
    let (off, ios) = known.fold((0.0, 0.0), |sum, (ios, rate)| (sum.0 + ios as f64 * rate, sum.1 + ios as f64));
    (ios > 0.0).then(|| off / ios)
}

fn entry_result<S: Storage>(driver: &Driver<S>, workload: &Workload, entry: usize) -> EntryResult {
    let members: Vec<usize> = (0..workload.jobs.len()).filter(|&j| driver.entry_of[j] == entry).collect();
    let clones = || members.iter().map(|&j| &driver.clones[j]);
    let first = &workload.jobs[members[0]];
    let load = per_direction(|direction| {
        let d = direction as usize;
        let cells = cells_of(&driver.meter, d, |of| of.0 == entry);
        let mut latency = Recorder::default();
        for cell in cells {
            latency.merge(&cell.both);
            if let Some(late) = &cell.late {
                latency.merge(&late.0);
            }
        }
        let stats = if first.latency.disabled { Recorder::default().finish() } else { latency.finish() };
        let counting = || clones().filter(|c| c.counting);
        let (ios_added, bytes_added) = driver.meter.added(entry, direction);
        DirectionResult {
            ios: ios_added + counting().map(|c| c.done_ios[d]).sum::<u64>(),
            bytes: bytes_added + counting().map(|c| c.done_bytes[d]).sum::<u64>(),
            runtime: counting()
                .filter(|c| c.done_bytes[d] > 0)
                .map(|c| c.runtime_of(direction))
                .max()
                .unwrap_or_default(),
            slat: Recorder::default().finish(),
            clat: stats.clone(),
            lat: stats,
            bw_samples: crate::samples::merge(clones().map(|c| &c.samples.bandwidth[d])),
            iops_samples: crate::samples::merge(clones().map(|c| &c.samples.iops[d])),
        }
    });
    let levels = |of: fn(&crate::clone::CloneRun) -> &[u64; 7]| {
        clones().fold([0; 7], |sum, c| std::array::from_fn(|level| sum[level] + of(c)[level]))
    };
    EntryResult {
        name: first.name.clone(),
        group: first.group,
        load,
        sync: driver.flushes[entry].finish(),
        job_runtime: clones().filter(|c| c.counting).fold(Duration::ZERO, |sum, c| sum + c.runtime()),
        elapsed: clones().map(|c| c.ended + c.leapt_in_all).max().unwrap_or_default().since(Instant::START),
        depth_levels: levels(|c| &c.depth_levels),
        submit_levels: levels(|c| &c.submit_levels),
        complete_levels: levels(|c| &c.complete_levels),
        queue_depth: first.queue_depth,
        latency: first.latency.clone(),
        error: clones().find_map(|c| c.error.clone()),
        steady: driver.watches.iter().find(|watch| watch.entry == entry).map(|watch| watch.result()),
        members,
    }
}

/// The cells of one direction whose entry and volume are wanted.
fn cells_of(meter: &Meter, d: usize, wanted: impl Fn(&(usize, u16)) -> bool) -> impl Iterator<Item = &Cell> {
    meter.cell_of.iter().enumerate().filter(move |(_, of)| wanted(of)).map(move |(n, _)| &meter.cells[n * 3 + d])
}

fn volume_result(meter: &Meter, volume: usize) -> VolumeResult {
    let meters = &meter.volumes[volume];
    let of = |of: &(usize, u16)| of.1 as usize == volume;
    let to = meters.to;
    let half_width = meters.from.and_then(|from| meter.bins.half_width(volume..volume + 1, from, to));
    let reads = |outcome| cells_of(meter, 0, of).map(|cell| cell.outcomes(outcome)).sum();
    VolumeResult {
        volume: volume as u16,
        load: load(meter, of, meters.window(), meters.queue_depth(), half_width),
        reads_ram: reads(CacheOutcome::HitRam),
        reads_ssd: reads(CacheOutcome::HitSsd),
        reads_miss: reads(CacheOutcome::Miss),
        first_touches: (0..3)
            .flat_map(|direction| cells_of(meter, direction, of))
            .map(|cell| cell.outcomes(CacheOutcome::FirstTouch))
            .sum(),
    }
}

/// All volumes over the time from the first counted request's window to the end of the last.
fn total(meter: &Meter) -> LoadResult {
    let spans = || meter.volumes.iter().filter_map(|v| v.span());
    let (Some(from), Some(to)) = (spans().map(|span| span.0).min(), spans().map(|span| span.1).max()) else {
        return load(meter, |of| of.1 != NO_VOLUME, Duration::ZERO, 0.0, None);
    };
    let window = to.since(from);
    let outstanding: f64 = meter.volumes.iter().map(|v| v.queue_depth() * v.window().ns() as f64).sum();
    let queue_depth = if window == Duration::ZERO { 0.0 } else { outstanding / window.ns() as f64 };
    let half_width = meter.bins.half_width(0..meter.volumes.len(), from, to);
    load(meter, |of| of.1 != NO_VOLUME, window, queue_depth, half_width)
}

fn load(
    meter: &Meter,
    wanted: impl Fn(&(usize, u16)) -> bool + Copy,
    window: Duration,
    queue_depth: f64,
    iops_half_width: Option<f64>,
) -> LoadResult {
    let mut queued = [0u128; Stage::COUNT];
    let mut served = 0;
    let directions = per_direction(|direction| {
        let mut latency = Recorder::default();
        let mut bytes = 0;
        for cell in cells_of(meter, direction as usize, wanted) {
            latency.merge(&cell.both);
            if let Some(late) = &cell.late {
                latency.merge(&late.1);
            }
            bytes += cell.bytes;
            served += cell.served();
            for (sum, wait) in queued.iter_mut().zip(cell.queued()) {
                *sum += wait;
            }
        }
        let latency: LatencyStats = latency.finish();
        DirectionLoad { ios: latency.count, bytes, latency }
    });
    LoadResult { directions, window, queue_depth, queued, served, iops_half_width }
}
