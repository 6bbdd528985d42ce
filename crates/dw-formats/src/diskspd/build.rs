//! Time spans to jobs: one a thread and target, one phase a time span.
//!
//! - `-t4 -o8` on two targets: eight jobs of depth 8.
//! - `-F4 -o8`: every thread uses every target, 8 requests on each; `-F4 -O8`: one job a thread over all targets.
//! - `-si`: all threads of a target take from one position, so they are one job with the requests of all.
//! - `-p`: each request of a thread has a position of its own, so each is a job of depth 1.
//! - `-i` is divided among the threads, rounding down; with one request outstanding the pause begins when it has ended.

use std::collections::BTreeMap;

use dw_messages::say;
use dw_units::Duration;
use dw_workload::{
    Batching, Cursor, Direction, Distribution, FileExtent, FileOrder, Job, Mix, Pacing, PerDirection, Rate,
    SizeDistribution, Stop, SyncPolicy, Think, join,
};

use super::spec::{Profile, Span, Target};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;
use crate::fio::targets;

/// What the report says issues.
const ENGINE: &str = "DiskSpd";

/// Weights of a pool's targets come to this at most.
const TICKETS_MAX: u64 = 1_000;

/// A target whose place is known.
struct Found<'t> {
    target: &'t Target,
    origin: Origin,
    place: targets::Target,
    file: FileExtent,
}

/// All jobs of all spans.
pub(crate) fn jobs(profile: &Profile, seed: u64, out: &mut Assembly) {
    sizes_given(profile, out);
    if out.failed() {
        return;
    }
    let mut section = 0;
    for (phase, span) in profile.spans.iter().enumerate() {
        let found: Vec<Found> = span.targets.iter().filter_map(|target| find(target, out)).collect();
        if found.len() < span.targets.len() {
            continue;
        }
        if !span.latency {
            let origin = span.origins.of_switches(&["-d"]);
            out.warn(WarningKind::LatencyNotMeasured, &origin, say!(JobNoLatencySwitch), "add -L");
        }
        let common = Common { span, phase: phase as u32, seed: join(seed, span.seed) };
        if span.threads > 0 && span.requests > 0 {
            common.pool(&found, &mut section, out);
        } else {
            for found in &found {
                common.threads(found, section, out);
                section += 1;
            }
        }
    }
}

/// Sizes that are given anywhere hold everywhere: a file created for one span is there for the next.
fn sizes_given(profile: &Profile, out: &mut Assembly) {
    for target in profile.spans.iter().flat_map(|span| &span.targets) {
        let origin = target.origins.of_switches(&["-c"]);
        let Some(size) = target.size else { continue };
        let Some(place) = out.locate(&spelled(&target.path), &target.origins.of_switches(&[])) else { continue };
        match place {
            targets::Target::Device(_) => {
                out.fail(&origin, "creates files, but a target is a drive", "remove -c, or name a file on the drive");
            }
            targets::Target::File(..) => out.need(&place, size, &origin),
        }
    }
    // A file that nobody creates is at least as large as the farthest end that is used; used to its end, it may be any size.
    let (mut ends, mut open) = (Vec::new(), Vec::new());
    for target in profile.spans.iter().flat_map(|span| &span.targets).filter(|t| t.size.is_none()) {
        let origin = target.origins.of_switches(&[]);
        let Some(place) = out.locate(&spelled(&target.path), &origin) else { continue };
        match out.size(&place) {
            Some(_) => {}
            None if target.end > 0 => ends.push((place, target)),
            None => {
                out.ask(&place);
                open.push((place, origin));
            }
        }
    }
    for (place, target) in ends {
        out.need(&place, target.end, &target.origins.of_switches(&["-f", "-B"]));
    }
    out.fill();
    for (place, origin) in open {
        let hint = "write how large it is with -c<size>, for example -c200G; in a profile with FileSize, in bytes";
        out.tell_assumption(&place, &origin, hint);
        if let Some(size) = out.size(&place) {
            out.need(&place, size, &origin);
        }
    }
}

/// `#1` is `\\.\PhysicalDrive1`.
pub(crate) fn spelled(path: &str) -> String {
    match path.strip_prefix('#') {
        Some(number) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => {
            format!(r"\\.\PhysicalDrive{number}")
        }
        _ => path.into(),
    }
}

fn find<'t>(target: &'t Target, out: &mut Assembly) -> Option<Found<'t>> {
    let origin = target.origins.of_switches(&[]);
    let path = spelled(&target.path);
    let place = out.locate(&path, &origin)?;
    // Without a size it was refused before.
    let size = out.size(&place)?;
    let end = if target.end == 0 { size } else { target.end.min(size) };
    if target.base >= end {
        let what = format!("begins at byte {}, but the target has {size}", target.base);
        out.fail(&target.origins.of_switches(&["-B"]), what, "write a smaller -B");
        return None;
    }
    let volume = out.volume_index(&place);
    let file = FileExtent { name: target.path.clone(), volume, start: 0, offset: target.base, len: end - target.base };
    Some(Found { target, origin, place, file })
}

/// What the jobs of a span share.
struct Common<'s> {
    span: &'s Span,
    phase: u32,
    seed: u64,
}

impl Common<'_> {
    /// The threads of one target.
    fn threads(&self, found: &Found, section: u32, out: &mut Assembly) {
        let t = found.target;
        out.written(section, &self.options(t));
        let threads = if self.span.threads > 0 { self.span.threads } else { t.threads };
        let (clones, depth, share) = if t.interlocked {
            (1, u64::from(threads) * u64::from(t.requests), threads)
        } else if t.parallel {
            (threads.saturating_mul(t.requests), 1, 1)
        } else {
            (threads, u64::from(t.requests), 1)
        };
        let Ok(depth) = u32::try_from(depth) else {
            return out.fail(&found.origin, "has more than 4,294,967,295 requests outstanding", "write a smaller -o");
        };
        for clone in 0..clones.min(5_000) {
            let thread = if t.parallel { clone / t.requests.max(1) } else { clone };
            let Some(mut job) = self.job(found, section, clone, depth, out) else { return };
            let start = u64::from(thread).saturating_mul(t.thread_stride);
            if thread > 0 && start.saturating_add(t.block) > found.file.len {
                let what = format!(
                    "parts the threads so that number {thread} begins beyond the {} bytes used",
                    found.file.len
                );
                return out.fail(&t.origins.of_switches(&["-T"]), what, "write a smaller -T, or fewer threads");
            }
            job.access.cursor = Cursor::Shared { start, runs: t.random > 0 && t.random < 100 };
            pace(&mut job, t, share, threads);
            out.push(job, vec![found.place.clone()], ENGINE, &found.origin);
        }
    }

    /// `-F` with `-O`: every thread draws the target of each request.
    fn pool(&self, all: &[Found], section: &mut u32, out: &mut Assembly) {
        let Some(first) = all.first() else { return };
        out.written(*section, &self.options(first.target));
        for other in &all[1..] {
            let (a, b) = (first.target, other.target);
            let alike = (a.block, a.step(), a.random, a.write_percent, a.write_through, &a.distribution)
                == (b.block, b.step(), b.random, b.write_percent, b.write_through, &b.distribution);
            if !alike {
                let what = "is not modelled together with -O when targets differ in size, order or writes";
                return out.fail(&other.origin, what, "write -o in place of -O, or make the targets alike");
            }
        }
        for clone in 0..self.span.threads.min(5_000) {
            let of_thread: Vec<(&Found, u32)> =
                all.iter().filter_map(|found| Some((found, found.target.weight_for(clone)?))).collect();
            let Some((first, _)) = of_thread.first() else {
                let origin = first.target.origins.of_switches(&["ThreadTargets"]);
                let what = format!("leaves thread {clone} without a target");
                return out.fail(&origin, what, "name every thread at a target, or lower ThreadCount");
            };
            let Some(tickets) = tickets(&of_thread) else {
                let origin = first.target.origins.of_switches(&["Weight", "ThreadTargets"]);
                let what = format!("has weights that come to more than {TICKETS_MAX} when they are reduced");
                return out.fail(&origin, what, "write rounder weights, for example 95 and 5");
            };
            let t = first.target;
            if tickets.len() > of_thread.len() && t.random < 100 {
                let origin = t.origins.of_switches(&["Weight", "ThreadTargets"]);
                let what = "has weights, which are modelled for random requests only";
                return out.fail(&origin, what, "write Random, or equal weights");
            }
            let Some(mut job) = self.job(first, *section, clone, self.span.requests, out) else { return };
            job.stop.bytes = of_thread.iter().map(|(f, _)| f.file.len).fold(0, u64::saturating_add);
            job.files = tickets.iter().map(|f| f.file.clone()).collect();
            if tickets.len() > 1 {
                job.file_order = FileOrder::Random(1);
            }
            job.access.cursor = Cursor::Shared { start: 0, runs: t.random > 0 && t.random < 100 };
            out.push(job, tickets.iter().map(|f| f.place.clone()).collect(), ENGINE, &first.origin);
        }
        *section += 1;
    }

    /// Where the switches of a target and of its span were written.
    fn options(&self, target: &Target) -> BTreeMap<&'static str, Origin> {
        self.span.origins.0.iter().chain(&target.origins.0).map(|(name, at)| (*name, at.clone())).collect()
    }

    fn job(&self, found: &Found, section: u32, clone: u32, depth: u32, out: &mut Assembly) -> Option<Job> {
        let t = found.target;
        let runtime = Duration::from_secs(u64::from(self.span.duration_s));
        let mut job = Job::random_read(&t.path, found.file.clone(), t.block, depth, runtime);
        (job.section, job.clone, job.group) = (section, clone, section);
        job.group_reporting = true;
        job.phase = self.phase;
        job.batching = Batching { submit: 1, low: depth, complete_min: 1, complete_max: depth };
        job.ramp = Duration::from_secs(u64::from(self.span.warmup_s));
        job.mix = match t.write_percent {
            0 => Mix::Only(Direction::Read),
            100 => Mix::Only(Direction::Write),
            writes => Mix::ReadWrite { read_percent: 100 - writes },
        };
        job.sizes = PerDirection::all(SizeDistribution::Fixed(t.block));
        job.align = PerDirection::all(if t.random > 0 { t.step() } else { t.block });
        job.access.random_percent = PerDirection::all(t.random);
        job.access.cover = false;
        job.access.gap = i64::try_from(t.step()).unwrap_or(i64::MAX) - i64::try_from(t.block).unwrap_or(i64::MAX);
        job.access.distribution = PerDirection::all(match &t.distribution {
            None => Distribution::Uniform,
            Some(ranges) => match ranges.over(found.file.len, t.block) {
                Some(distribution) => distribution,
                None => {
                    let what = format!("leaves no part of {} bytes that can take a request", found.file.len);
                    out.fail(&t.origins.of_switches(&["-rd"]), what, "write parts within the target");
                    return None;
                }
            },
        });
        job.sync = SyncPolicy { each_write: t.write_through && t.write_percent > 0, ..SyncPolicy::default() };
        job.stop = Stop {
            bytes: found.file.len,
            loops: 1,
            runtime: Some(runtime),
            time_based: true,
            ios: None,
            by_files: false,
        };
        job.seed = join(self.seed, u64::from(section) << 32 | u64::from(clone));
        job.repeat_on_loop = false;
        Some(job)
    }
}

/// Each target as often as its weight says, of weights without a common divisor: a target that is drawn from this list evenly is
/// drawn with its weight. `None` when the list would be too long.
fn tickets<'f, 't>(of_thread: &[(&'f Found<'t>, u32)]) -> Option<Vec<&'f Found<'t>>> {
    let divisor = of_thread.iter().fold(0, |divisor, (_, weight)| common_divisor(divisor, *weight)).max(1);
    let count: u64 = of_thread.iter().map(|(_, weight)| u64::from(weight / divisor)).sum();
    let repeat = |(found, weight): &(&'f Found<'t>, u32)| std::iter::repeat_n(*found, (weight / divisor) as usize);
    (count <= TICKETS_MAX).then(|| of_thread.iter().flat_map(repeat).collect())
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Rate and pauses of a job that stands for `share` threads of `threads` in all.
fn pace(job: &mut Job, t: &Target, share: u32, threads: u32) {
    let per_ms = u64::from(t.bytes_per_ms());
    if per_ms > 0 {
        job.rate = PerDirection::all(Some(Rate::BytesPerSecond(per_ms * 1_000 * u64::from(share))));
        job.pacing = Pacing::Credit;
    } else if t.burst > 0 {
        job.think = Some(Think {
            time: Duration::from_ms(u64::from(t.think_ms)),
            spin: Duration::ZERO,
            blocks: (t.burst / threads.max(1)).max(1),
            counted_at_issue: true,
            io_time: Duration::ZERO,
            rate_ignores: false,
            overlaps: t.requests > 1,
        });
    }
}
