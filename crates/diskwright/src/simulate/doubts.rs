//! A report that doubts itself is worth more than a number: reasons to doubt a run, each with cause and next step.

use dw_formats::scenario::{CacheStart, Scenario};
use dw_messages::{Figure, Sentence, say};
use dw_sim::RunResult;
use dw_stack::CacheMode;
use dw_workload::{Direction, Workload};

use super::summary::{Doubt, DoubtKind, LimitLine, VolumeLine};
use crate::figures::{bytes, bytes_per_s, percent, seconds, whole_iops};

/// The largest request that a guest makes of adjacent ones: `max_sectors_kb` of a SCSI disk, by default 512 KiB.
const MERGED_MAX: u64 = 512 << 10;
/// A possible gain from merging below this factor is no doubt.
const MERGES_MORE: f64 = 1.1;
/// A half-width above this share of the mean is worth a word.
const WIDE: f64 = 5.0;

pub(super) fn find(
    scenario: &Scenario,
    workload: &Workload,
    result: &RunResult,
    start: CacheStart,
    limits: &[LimitLine],
    volumes: &[VolumeLine],
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut doubt = |kind, text: Sentence| doubts.push(Doubt { kind, text });
    let counted = result.counted_time.ns() as f64 / 1e9;
    if result.partial {
        doubt(DoubtKind::Partial, say!(DoubtPartial { after: seconds(counted) }));
    }
    let ios: u64 = volumes.iter().map(|v| v.load.all.ios).sum();
    if ios == 0 && workload.jobs.iter().any(|j| !j.null_engine) {
        doubt(DoubtKind::Nothing, say!(DoubtNothing));
    }
    for entry in &result.entries {
        if let Some(error) = &entry.error {
            doubt(DoubtKind::JobEnded, say!(DoubtJobEnded { job: &entry.name, error: error.to_string() }));
        }
    }
    for (index, volume) in volumes.iter().enumerate() {
        if let Some(text) = cold_cache(scenario, workload, start, index, volume, counted) {
            doubt(DoubtKind::ColdCache, text);
        }
        if let Some(text) = idle_disks(scenario, index, volume) {
            doubt(DoubtKind::IdleDisks, text);
        }
        if let Some(text) = first_touch(volume) {
            doubt(DoubtKind::FirstTouch, text);
        }
        if let Some(text) = merges(workload, index, volume, limits) {
            doubt(DoubtKind::GuestMerges, text);
        }
        let text = match volume.load.iops_half_width_percent {
            Some(width) if width > WIDE => say!(DoubtVaries { volume: &volume.name, width: percent(width) }),
            None if volume.load.all.ios > 0 && volume.load.all.ios < 1_000 => {
                say!(DoubtFew { volume: &volume.name, ios: volume.load.all.ios })
            }
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
        doubt(DoubtKind::DirtyAtEnd, say!(DoubtDirty { dirty: bytes(dirty as f64) }));
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
) -> Option<Sentence> {
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
    let (files, pass, ran) = (bytes(footprint as f64), seconds(needs), seconds(counted));
    Some(say!(DoubtColdCache { volume: &volume.name, hits: percent(hits), files, pass, ran }))
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

/// I/Os waited for data that are there from then on.
fn first_touch(volume: &VolumeLine) -> Option<Sentence> {
    let touch = volume.first_touch.as_ref().filter(|touch| touch.ios > 0)?;
    let (volume, share) = (&volume.name, percent(touch.percent?));
    Some(match touch.untouched_bytes {
        0 => say!(DoubtFirstTouched { volume, share, until: seconds(touch.until_s?) }),
        left => say!(DoubtFirstTouch { volume, share, left: bytes(left as f64) }),
    })
}

fn idle_disks(scenario: &Scenario, index: usize, volume: &VolumeLine) -> Option<Sentence> {
    let disks = scenario.stack.volumes[index].disks.len();
    let depth = volume.load.queue_depth;
    if disks < 2 || volume.load.all.ios == 0 || depth >= disks as f64 {
        return None;
    }
    let depth = Figure::decimal(depth, 1, "");
    Some(say!(DoubtIdleDisks { volume: &volume.name, depth, disks }))
}

/// The guest's I/O scheduler joins neighbours that wait together; an I/O of its disk's limit may then be several requests. Where that limit
/// holds small requests one after the other of several in flight, it decides.
fn merges(workload: &Workload, index: usize, volume: &VolumeLine, limits: &[LimitLine]) -> Option<Sentence> {
    let own = |line: &&LimitLine| line.id.volume.as_ref() == Some(&volume.name);
    let held = limits.iter().filter(own).find(|line| line.unit == "IOPS" && line.holds.contains(&volume.name))?;
    let other = limits.iter().filter(own).find(|line| line.unit != "IOPS")?;
    let jobs = || workload.jobs.iter().filter(|job| job.files.iter().any(|file| usize::from(file.volume) == index));
    let joins = |job: &dw_workload::Job| {
        let is_in_order = Direction::ALL.iter().all(|&way| *job.access.random_percent.get(way) == 0);
        is_in_order && job.queue_depth > 1 && job.lines.is_empty()
    };
    let size = volume.load.all.bytes / volume.load.all.ios.max(1);
    if size == 0 || size >= MERGED_MAX || !jobs().all(joins) {
        return None;
    }
    // As many as the scheduler joins, or as the throughput lets through.
    let most = (held.available * (MERGED_MAX / size) as f64).min(other.available / size as f64);
    let is_more = most > held.available * MERGES_MORE;
    is_more
        .then(|| say!(DoubtGuestMerges { volume: &volume.name, limit: held.id.within_place(), most: whole_iops(most) }))
}

fn credits(line: &LimitLine, counted: f64) -> Option<(DoubtKind, Sentence)> {
    let limit = match line.id.is_vm() {
        true => say!(Plain { text: &line.limit }),
        false => say!(LimitOf { limit: line.id.within_place(), place: &line.place }),
    };
    let sustained = amount(line, line.sustained);
    let (left, max) = (line.credits_left? as f64, line.credits_max? as f64);
    if let Some(at) = line.credits_out_s.filter(|_| line.credits_out_seen == Some(true)) {
        let text = say!(DoubtCreditsOutAt { limit, after: seconds(at), sustained });
        return Some((DoubtKind::CreditsRanOut, text));
    }
    if left < max / 1_000.0 && line.used > 0.0 && line.available > line.sustained as f64 {
        return Some((DoubtKind::CreditsRanOut, say!(DoubtCreditsOut { limit, sustained })));
    }
    if line.used > line.sustained as f64 * 1.01 {
        let spent = (max - left).max(1.0);
        let (spent, lasts) = (percent(spent / max * 100.0), line.credits_out_s.unwrap_or(max / spent * counted));
        return Some((DoubtKind::OnCredits, say!(DoubtOnCredits { limit, spent, lasts: seconds(lasts), sustained })));
    }
    None
}

fn amount(line: &LimitLine, value: u64) -> Figure {
    if line.unit == "IOPS" { whole_iops(value as f64) } else { bytes_per_s(value as f64) }
}
