//! From a run to its summary.

use std::sync::Arc;

use dw_messages::{Sentence, say};
use dw_sim::{EntryResult, LatencyStats, LoadResult, VolumeResult};
use dw_stack::{CacheMode, StackSpec};
use dw_units::{Bytes, Instant};
use dw_workload::{Direction as Way, Mix, Workload};
use hdrhistogram::Histogram;

use super::summary::{Cache, Direction, FirstTouch, Latency, LatencyModel, Load, Start, Summary, Sync, Vm, VolumeLine};
use super::{Run, binding, doubts, jobs as job_lines, leaps, limits, track};

/// The summary of a run.
pub fn summary(run: &Run) -> Summary {
    let Run { scenario, jobs, result, .. } = run;
    let workload = &jobs.workload;
    let volumes: Vec<VolumeLine> = result.volumes.iter().map(|v| volume_line(run, v)).collect();
    let mut limits = limits::lines(scenario, result);
    limits::in_busiest_phase(scenario, workload, result, &mut limits);
    let binding_limits = binding::find(scenario, workload, result, &mut limits);
    let mut doubts = doubts::find(scenario, workload, result, run.start, &limits, &volumes);
    doubts.extend(leaps::doubts(run));
    Summary {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        diskwright_version: env!("CARGO_PKG_VERSION").to_string(),
        simulated: true,
        partial: result.partial,
        seed: result.seed,
        simulated_ios: result.simulated_ios,
        leaps: leaps::describe(scenario, workload, result),
        wall_s: run.wall_s,
        virtual_s: result.virtual_time.ns() as f64 / 1e9,
        counted_s: result.counted_time.ns() as f64 / 1e9,
        vm: Vm {
            size: scenario.vm.size.clone(),
            edition: scenario.vm.edition.clone(),
            sources: scenario.vm.sources.clone(),
        },
        start: Start { cache: run.start.name().to_string(), credits: scenario.credits.clone() },
        binding_limits,
        limits,
        total: load(&result.total),
        syncs: result.entries.iter().filter_map(|entry| sync(workload, entry)).collect(),
        volumes,
        doubts,
        warnings: jobs.warnings.iter().map(crate::load::warning).collect(),
        ignored_options: jobs.ignored.iter().map(|i| i.option.to_string()).collect(),
        notes: scenario.notes.iter().map(|n| n.text.clone()).chain(null_engine(workload)).collect(),
        latency_models: scenario
            .latency
            .iter()
            .map(|l| LatencyModel {
                place: l.place.clone(),
                model: l.model.clone(),
                title: l.title.clone(),
                setting: l.setting.map(|setting| setting.word().to_string()),
                grade: l.grade.clone(),
                reason: l.reason.clone(),
            })
            .collect(),
        latency: crate::latency::sentences(&scenario.latency),
        jobs: job_lines::lines(run),
        series: track::tracks(scenario, result),
    }
}

/// The fsyncs of an entry, if it has any.
fn sync(workload: &Workload, entry: &EntryResult) -> Option<Sync> {
    let seconds = entry.load.write.runtime.ns() as f64 / 1e9;
    let job = &workload.jobs[*entry.members.first()?];
    let p99_99 = entry.sync.histogram.as_ref()?.value_at_quantile(0.9999).min(entry.sync.max);
    Some(Sync {
        name: entry.name.clone(),
        count: entry.sync.count,
        per_s: if seconds > 0.0 { entry.sync.count as f64 / seconds } else { 0.0 },
        writes_out: job.sync.buffered && matches!(job.mix, Mix::Only(Way::Write)),
        latency_ns: latency(&[&entry.sync])?,
        p99_99,
    })
}

/// What jobs of the null engine do is on no volume.
fn null_engine(workload: &Workload) -> Option<Sentence> {
    let jobs = workload.jobs.iter().filter(|job| job.null_engine).count();
    (jobs > 0).then(|| say!(RigNullEngine { jobs, all: workload.jobs.len() }))
}

/// Names of the VM's gates that a volume's requests pass, in order.
pub(super) fn gates_passed(stack: &StackSpec, volume: usize) -> Vec<&str> {
    let spec = &stack.volumes[volume];
    let served = spec.host_cache != CacheMode::None || spec.path.local;
    let gates = spec.path.front.iter().filter(|_| served).chain(&spec.path.remote);
    gates.map(|gate| stack.vm.gates[usize::from(gate.0)].name.as_str()).collect()
}

fn volume_line(run: &Run, result: &VolumeResult) -> VolumeLine {
    let index = usize::from(result.volume);
    let volume = &run.scenario.volumes[index];
    let spec = &run.scenario.stack.volumes[index];
    let mode = spec.host_cache;
    let reads = result.reads_ram + result.reads_ssd + result.reads_miss;
    VolumeLine {
        name: volume.name.clone(),
        disks: volume.disks.clone(),
        host_cache: mode.to_string(),
        gates: gates_passed(&run.scenario.stack, index).into_iter().map(String::from).collect(),
        load: load(&result.load),
        cache: (mode != CacheMode::None).then(|| Cache {
            hits_ram: result.reads_ram,
            hits_ssd: result.reads_ssd,
            misses: result.reads_miss,
            hit_percent: (reads > 0).then(|| (reads - result.reads_miss) as f64 / reads as f64 * 100.0),
        }),
        first_touch: first_touch(run, result),
        billed_transactions: spec
            .disks
            .iter()
            .any(|disk| disk.usage_base.is_some())
            .then(|| run.result.tally.volumes.get(index).map_or(0, |tally| tally.billed_transactions)),
    }
}

/// What first touches did to a volume whose data have to be fetched first.
fn first_touch(run: &Run, result: &VolumeResult) -> Option<FirstTouch> {
    let tally = run.result.tally.volumes.get(usize::from(result.volume))?.touched?;
    let parts = &result.load.directions;
    let (ios, all) = (result.first_touches, parts.read.ios + parts.write.ios + parts.trim.ios);
    let seconds = |at: Instant| at.ns() as f64 / 1e9;
    Some(FirstTouch {
        ios,
        percent: (all > 0).then(|| ios as f64 / all as f64 * 100.0),
        fetched_bytes: tally.fetched.get(),
        until_s: (tally.fetched > Bytes::ZERO).then(|| seconds(tally.until)),
        untouched_bytes: tally.left.get(),
        initialized_s: tally.whole_at.map(seconds),
    })
}

fn load(result: &LoadResult) -> Load {
    let seconds = result.window.ns() as f64 / 1e9;
    let parts = &result.directions;
    let one = |ios: u64, bytes: u64, stats: &[&LatencyStats]| Direction {
        ios,
        bytes,
        iops: if seconds > 0.0 { ios as f64 / seconds } else { 0.0 },
        bytes_per_s: if seconds > 0.0 { bytes as f64 / seconds } else { 0.0 },
        latency_ns: latency(stats),
    };
    let some = |part: &dw_sim::DirectionLoad| (part.ios > 0).then(|| one(part.ios, part.bytes, &[&part.latency]));
    let all = [&parts.read, &parts.write, &parts.trim];
    Load {
        read: some(&parts.read),
        write: some(&parts.write),
        trim: some(&parts.trim),
        all: one(all.iter().map(|p| p.ios).sum(), all.iter().map(|p| p.bytes).sum(), &all.map(|p| &p.latency)),
        queue_depth: result.queue_depth,
        iops_half_width_percent: result.iops_half_width.map(|w| w * 100.0),
    }
}

/// Several histograms as one.
fn merged(stats: &[&LatencyStats]) -> Option<Arc<Histogram<u64>>> {
    let mut histograms = stats.iter().filter(|s| s.count > 0).filter_map(|s| s.histogram.as_ref());
    let mut merged = histograms.next()?.clone();
    for other in histograms {
        let sum = Arc::make_mut(&mut merged);
        sum.auto(true);
        // It grows as needed and all have the same precision: adding cannot fail.
        sum.add(&**other).ok()?;
    }
    Some(merged)
}

/// What a share of several latencies is at most, in nanoseconds.
pub(crate) fn quantile(stats: &[&LatencyStats], q: f64) -> Option<u64> {
    let max = stats.iter().map(|s| s.max).max()?;
    Some(merged(stats)?.value_at_quantile(q).min(max))
}

/// Several latencies as one: histograms add up, percentiles do not.
pub(crate) fn latency(stats: &[&LatencyStats]) -> Option<Latency> {
    let recorded: Vec<&LatencyStats> = stats.iter().filter(|s| s.count > 0).copied().collect();
    let count: u64 = recorded.iter().map(|s| s.count).sum();
    let merged = merged(&recorded)?;
    let max = recorded.iter().map(|s| s.max).max()?;
    // The histogram answers with the upper edge of a bin, which may lie beyond the largest that was seen.
    let quantile = |q| merged.value_at_quantile(q).min(max);
    Some(Latency {
        mean: recorded.iter().map(|s| s.sum).sum::<u128>() as f64 / count as f64,
        min: recorded.iter().map(|s| s.min).min()?,
        p50: quantile(0.5),
        p99: quantile(0.99),
        p99_9: quantile(0.999),
        max,
    })
}
