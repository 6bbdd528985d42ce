//! What is written once: clones that differ in nothing but their draws.

use std::collections::BTreeMap;

use dw_units::Duration;
use dw_workload::{Direction, Job, Mix, Pacing, PerDirection, Rate, SizeDistribution, Workload};

use super::steps::step;
use crate::fio::VolumeMap;
use crate::fio::targets::UNKNOWN;

/// Alike jobs of one section.
pub(super) struct Stream<'a> {
    pub job: &'a Job,
    pub clones: u32,
    /// The clones have files of their own, named this and `.CLONE.FILE`, as fio names them.
    pub own_files: Option<String>,
}

/// The jobs of a workload, alike ones together, in order; with `own_files`, also those that differ in fio's own file names.
pub(super) fn streams(workload: &Workload, own_files: bool) -> Vec<Stream<'_>> {
    let stems = if own_files { stems(workload) } else { BTreeMap::new() };
    let mut list: Vec<Stream> = Vec::new();
    for job in &workload.jobs {
        let own = stems.get(&job.section).cloned().flatten();
        match list.last_mut() {
            Some(last)
                if last.job.section == job.section && last.own_files == own && alike(last.job, job, own.is_some()) =>
            {
                last.clones += 1;
            }
            _ => list.push(Stream { job, clones: 1, own_files: own }),
        }
    }
    // Names of a clone that is not counted from 0 are no longer fio's own.
    for stream in &mut list {
        if stream.job.clone != 0 {
            stream.own_files = None;
        }
    }
    list
}

/// What the names of the files of each section begin with, where all of its clones have fio's own: clones that go to several
/// folders are not numbered from 0 in each.
fn stems(workload: &Workload) -> BTreeMap<u32, Option<String>> {
    let mut stems = BTreeMap::new();
    for job in &workload.jobs {
        let own = stem(job);
        let known = stems.entry(job.section).or_insert_with(|| own.clone());
        if *known != own {
            *known = None;
        }
    }
    stems
}

/// What the names of a job's files begin with, when they are the ones that fio makes up.
fn stem(job: &Job) -> Option<String> {
    step();
    let stem = job.files.first()?.name.strip_suffix(&format!(".{}.0", job.clone))?;
    let named = |(i, file): (usize, &dw_workload::FileExtent)| file.name == format!("{stem}.{}.{i}", job.clone);
    job.files.iter().enumerate().all(named).then(|| stem.to_string())
}

fn alike(a: &Job, b: &Job, own_files: bool) -> bool {
    let mut same = Job { clone: a.clone, seed: a.seed, ..b.clone() };
    if own_files {
        for (file, of_a) in same.files.iter_mut().zip(&a.files) {
            (file.name, file.start) = (of_a.name.clone(), of_a.start);
        }
    }
    *a == same
}

/// The directions that a job can take.
pub(super) fn directions(job: &Job) -> Vec<Direction> {
    let mixed: Vec<u8> = job.lines.iter().map(|line| line.read_percent).collect();
    match job.mix {
        Mix::Only(direction) => vec![direction],
        Mix::ReadWrite { read_percent: 100 } if mixed.is_empty() => vec![Direction::Read],
        Mix::ReadWrite { read_percent: 0 } if mixed.is_empty() => vec![Direction::Write],
        Mix::ReadWrite { .. } => vec![Direction::Read, Direction::Write],
        Mix::TrimThenWrite => vec![Direction::Trim, Direction::Write],
    }
}

/// The value that all of these directions have, if it is one.
pub(super) fn common<T: Clone + PartialEq>(job: &Job, of: &PerDirection<T>) -> Option<T> {
    let used = directions(job);
    let first = of.get(used[0]).clone();
    used.iter().all(|d| *of.get(*d) == first).then_some(first)
}

/// One size for a tool that has no others: the commonest.
pub(super) fn one_size(sizes: &SizeDistribution) -> u64 {
    match sizes {
        SizeDistribution::Fixed(size) => *size,
        SizeDistribution::Range { min, .. } => *min,
        SizeDistribution::Split(parts) => parts.iter().max_by_key(|part| part.1).map_or(4_096, |part| part.0),
    }
}

pub(super) fn read_percent(job: &Job) -> u8 {
    match job.mix {
        Mix::Only(Direction::Read) => 100,
        Mix::Only(_) | Mix::TrimThenWrite => 0,
        Mix::ReadWrite { read_percent } => read_percent,
    }
}

/// Bytes per second of everything that the job may do, with requests of `size` bytes; whether it is exact.
pub(super) fn total_rate(job: &Job, size: u64) -> Option<u64> {
    let bytes = |rate: Rate| match rate {
        Rate::BytesPerSecond(bytes) => bytes,
        Rate::Iops(iops) => iops.saturating_mul(size),
    };
    let used = directions(job);
    let rates: Vec<u64> = used.iter().filter_map(|d| job.rate.get(*d).map(bytes)).collect();
    if rates.len() < used.len() {
        return None;
    }
    // One credit for all directions stands in each of them alike.
    if job.pacing == Pacing::Credit {
        rates.first().copied()
    } else {
        Some(rates.iter().fold(0, |a, b| a.saturating_add(*b)))
    }
}

/// Whether this file is a whole device of which nobody said the size.
pub(super) fn whole_unknown(job: &Job, volumes: &[VolumeMap]) -> bool {
    job.files.iter().any(|file| {
        let volume = volumes.iter().find(|v| v.index == file.volume);
        file.len.saturating_add(file.offset) == UNKNOWN && volume.is_some_and(|v| v.size == UNKNOWN)
    })
}

/// Whether the file is a device or a drive, which is there already.
pub(super) fn is_device(path: &str) -> bool {
    let drive = path.len() == 2 && path.ends_with(':');
    path.starts_with("/dev/") || path.starts_with(r"\\.\") || path.starts_with('#') || drive
}

/// Whole seconds, upwards, and whether they are exact.
pub(super) fn seconds(duration: Duration) -> (u64, bool) {
    (duration.ns().div_ceil(1_000_000_000), duration.ns().is_multiple_of(1_000_000_000))
}
