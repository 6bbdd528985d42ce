//! A report that doubts itself is worth more than a number: reasons to doubt a run, each with cause and next step.

use dw_formats::scenario::{CacheStart, Scenario};
use dw_sim::RunResult;
use dw_stack::CacheMode;
use dw_workload::Workload;

use super::format::{bytes, percent, seconds};
use super::summary::{Doubt, DoubtKind, LimitLine, VolumeLine};

/// A half-width above this share of the mean is worth a word.
const WIDE: f64 = 5.0;

pub(super) fn of(
    scenario: &Scenario,
    workload: &Workload,
    result: &RunResult,
    start: CacheStart,
    limits: &[LimitLine],
    volumes: &[VolumeLine],
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut doubt = |kind, text: String| doubts.push(Doubt { kind, text });
    let counted = result.counted_time.ns() as f64 / 1e9;
    if result.partial {
        let text = format!("stopped after {} of virtual time: figures are those up to then", seconds(counted));
        doubt(DoubtKind::Partial, text);
    }
    let ios: u64 = volumes.iter().map(|v| v.load.all.ios).sum();
    if ios == 0 && workload.jobs.iter().any(|j| !j.null_engine) {
        doubt(DoubtKind::Nothing, "no I/O was counted: is ramp_time longer than what the jobs have to do?".to_string());
    }
    for entry in &result.entries {
        if let Some(error) = &entry.error {
            doubt(DoubtKind::JobEnded, format!("{} ended early: {error}", entry.name));
        }
    }
    for (index, volume) in volumes.iter().enumerate() {
        if let Some(text) = cold_cache(scenario, workload, start, index, volume, counted) {
            doubt(DoubtKind::ColdCache, text);
        }
        if let Some(text) = idle_disks(scenario, index, volume) {
            doubt(DoubtKind::IdleDisks, text);
        }
        let text = match volume.load.iops_half_width_percent {
            Some(width) if width > WIDE => format!(
                "{}: IOPS varies too much for a reliable average (± {}). Check for drift with `--series 1s`; run longer or use \
                 `--seeds 1..8` to narrow it",
                volume.name,
                percent(width)
            ),
            None if volume.load.all.ios > 0 && volume.load.all.ios < 1_000 => format!(
                "{}: {} I/Os are too few for a confidence interval or for p99.9; use a longer runtime",
                volume.name, volume.load.all.ios
            ),
            _ => continue,
        };
        doubt(DoubtKind::TooShort, text);
    }
    for line in limits {
        if let Some((kind, text)) = credits(line, counted) {
            doubt(kind, text);
        }
    }
    let dirty = result.tally.dirty.get();
    if dirty > 0 {
        let text = format!(
            "{} of writes were still in the host cache at the end: the disks have yet to take them",
            bytes(dirty as f64)
        );
        doubt(DoubtKind::DirtyAtEnd, text);
    }
    doubts
}

/// The cache began cold and was not filled once.
fn cold_cache(
    scenario: &Scenario,
    workload: &Workload,
    start: CacheStart,
    index: usize,
    volume: &VolumeLine,
    counted: f64,
) -> Option<String> {
    let read = volume.load.read.as_ref()?;
    if start == CacheStart::Warm || scenario.stack.volumes[index].host_cache == CacheMode::None {
        return None;
    }
    let hits = volume.cache.as_ref()?.hit_percent?;
    let footprint = footprint(workload, index);
    if footprint == 0 || read.bytes >= footprint || hits > 95.0 {
        return None;
    }
    let needs = footprint as f64 / read.bytes_per_s.max(1.0);
    Some(format!(
        "{}: {} of reads hit the host cache, but the run lasted less than one pass over its files ({} at this rate needs \
         {}; it ran {}). Use a longer runtime, or `--start warm` if the cache is full in production",
        volume.name,
        percent(hits),
        bytes(footprint as f64),
        seconds(needs),
        seconds(counted)
    ))
}

/// Bytes of a volume that jobs touch, each once.
pub(super) fn footprint(workload: &Workload, volume: usize) -> u64 {
    let files = workload.jobs.iter().flat_map(|job| &job.files).filter(|f| usize::from(f.volume) == volume);
    let mut ranges: Vec<(u64, u64)> = files.map(|f| (f.start + f.offset, f.start + f.offset + f.len)).collect();
    ranges.sort_unstable();
    let (mut sum, mut end) = (0, 0);
    for (from, to) in ranges {
        sum += to.saturating_sub(from.max(end));
        end = end.max(to);
    }
    sum
}

fn idle_disks(scenario: &Scenario, index: usize, volume: &VolumeLine) -> Option<String> {
    let disks = scenario.stack.volumes[index].disks.len() as f64;
    let depth = volume.load.queue_depth;
    if disks < 2.0 || volume.load.all.ios == 0 || depth >= disks {
        return None;
    }
    Some(format!(
        "{}: {depth:.1} requests outstanding on average cannot keep {disks} disks busy; full throughput takes 8 to 16 a \
         disk (queue depth of a stripe = queue depth per disk x disks)",
        volume.name
    ))
}

fn credits(line: &LimitLine, counted: f64) -> Option<(DoubtKind, String)> {
    let place = if line.id.is_vm() { line.limit.clone() } else { format!("{} of {}", line.limit, line.place) };
    let (left, max) = (line.credits_left? as f64, line.credits_max? as f64);
    if let Some(at) = line.credits_out_s.filter(|_| line.credits_out_seen == Some(true)) {
        let text = format!(
            "{place}: burst credits ran out after {}; from then on it gives {}. Figures average over both",
            seconds(at),
            amount(line, line.sustained)
        );
        return Some((DoubtKind::CreditsRanOut, text));
    }
    if left < max / 1_000.0 && line.used > 0.0 && line.available > line.sustained as f64 {
        let text = format!(
            "{place}: burst credits ran out during the run; without them it gives {}",
            amount(line, line.sustained)
        );
        return Some((DoubtKind::CreditsRanOut, text));
    }
    if line.used > line.sustained as f64 * 1.01 {
        let spent = (max - left).max(1.0);
        let text = format!(
            "{place}: the run lives on burst credits ({} are spent); at this rate they last about {} in all, then it gives {}",
            percent(spent / max * 100.0),
            seconds(line.credits_out_s.unwrap_or(max / spent * counted)),
            amount(line, line.sustained)
        );
        return Some((DoubtKind::OnCredits, text));
    }
    None
}

fn amount(line: &LimitLine, value: u64) -> String {
    if line.unit == "IOPS" {
        format!("{} IOPS", super::format::grouped(value as f64))
    } else {
        super::format::mb_s(value as f64)
    }
}
