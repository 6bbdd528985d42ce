//! DiskSpd: what a stream is in its words, and command lines of it.
//!
//! A command line has one set of switches for all its targets and no second time span, so streams that differ are lines of
//! their own, and phases are lines to run one after the other. The profile has no such limits (`diskspd_xml.rs`).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use dw_workload::{Cursor, Direction, Distribution, FileOrder, Job, Pacing, PerDirection, Rate, SizeDistribution};

use super::loss::Losses;
use super::steps::step;
use super::streams::{
    Stream, common, directions, is_device, one_size, read_percent, seconds, total_rate, whole_unknown,
};
use crate::fio::VolumeMap;

/// Seconds of a run that nothing ends by time: DiskSpd's own default.
const SECONDS: u64 = 10;

/// How a rate is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    BytesPerMs(u64),
    Iops(u64),
}

/// A stream in DiskSpd's words; all its targets are treated alike.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Words {
    pub phase: u32,
    pub targets: Vec<String>,
    pub block: u64,
    /// `-r` or `-s`.
    pub step: u64,
    /// Percent of random requests.
    pub random: u8,
    pub threads: u32,
    pub depth: u32,
    /// All threads share a pool: `-F` and `-O`.
    pub pool: bool,
    pub writes: u8,
    pub limit: Option<Limit>,
    /// `-i` and `-j`.
    pub burst: Option<(u64, u64)>,
    pub warmup: u64,
    pub duration: u64,
    /// `-B` and the end of the range; 0 = the end of the target.
    pub base: u64,
    pub end: u64,
    /// `-c`.
    pub create: Option<u64>,
    pub write_through: bool,
    /// Shares and parts, in percent or in bytes.
    pub ranges: Option<(bool, Vec<(u8, u64)>)>,
}

/// Command lines, one a line.
pub(super) fn write(streams: &[Stream], volumes: &[VolumeMap], losses: &mut Losses) -> String {
    let mut lines: Vec<(Words, &Job)> = Vec::new();
    // The targets of each line, and the lines that differ in nothing else.
    let mut taken: Vec<HashSet<String>> = Vec::new();
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (mut words, job) in all(streams, volumes, losses) {
        let targets = std::mem::take(&mut words.targets);
        let alike = alike.entry(format!("{words:?}")).or_default();
        let candidates = if words.pool { &[] } else { alike.as_slice() };
        let same = candidates.iter().copied().find(|&at| {
            step();
            !targets.iter().any(|target| taken[at].contains(target))
        });
        let at = same.unwrap_or_else(|| {
            alike.push(lines.len());
            lines.push((words, job));
            taken.push(HashSet::new());
            lines.len() - 1
        });
        taken[at].extend(targets.iter().cloned());
        lines[at].0.targets.extend(targets);
    }
    let mut out = String::new();
    let mut phases = BTreeSet::new();
    for (words, job) in &lines {
        if !phases.insert(words.phase) {
            let what = "runs next to other loads; a command line has one load, so start this line together with the one before, \
                        or write --to diskspd-xml";
            losses.add(job, &["stonewall", ""], what);
        }
        out += &words.line();
        out.push('\n');
    }
    out
}

/// Every stream that DiskSpd can do, in its words.
pub(super) fn all<'s>(streams: &[Stream<'s>], volumes: &[VolumeMap], losses: &mut Losses) -> Vec<(Words, &'s Job)> {
    let sizes = sizes(streams, volumes);
    streams.iter().filter_map(|stream| Some((words(stream, volumes, &sizes, losses)?, stream.job))).collect()
}

/// How large each file must be for all that use it.
fn sizes(streams: &[Stream], volumes: &[VolumeMap]) -> Vec<(String, u64)> {
    let mut list: Vec<(String, u64)> = Vec::new();
    for file in streams.iter().filter(|s| !whole_unknown(s.job, volumes)).flat_map(|s| &s.job.files) {
        let end = file.offset.saturating_add(file.len);
        match list.iter_mut().find(|(name, _)| *name == file.name) {
            Some((_, size)) => *size = (*size).max(end),
            None => list.push((file.name.clone(), end)),
        }
    }
    list
}

fn words(stream: &Stream, volumes: &[VolumeMap], sizes: &[(String, u64)], losses: &mut Losses) -> Option<Words> {
    let job = stream.job;
    if job.null_engine {
        losses.add(job, &["ioengine"], "does no I/O; DiskSpd has no such engine, so the job is omitted");
        return None;
    }
    if directions(job).contains(&Direction::Trim) {
        losses.add(job, &["rw"], "discards blocks, which DiskSpd cannot; the job is omitted");
        return None;
    }
    let block = size(job, losses);
    let (random, step) = order(job, block, losses);
    ends(job, losses);
    let runtime = job.stop.runtime.map(seconds);
    let (duration, exact) = runtime.unwrap_or((SECONDS, true));
    let (warmup, exact_ramp) = seconds(job.ramp);
    if !exact || !exact_ramp {
        losses.add(job, &["runtime", "ramp_time"], "is rounded up to whole seconds");
    }
    let first = &job.files[0];
    let file_size = sizes.iter().find(|(name, _)| *name == first.name).map(|(_, size)| *size);
    let open = whole_unknown(job, volumes);
    let file_end = first.offset + first.len;
    let start = match job.access.cursor {
        Cursor::Shared { start, .. } if random < 100 => start,
        _ => 0,
    };
    if start > 0 {
        losses.add(
            job,
            &["-T"],
            format!("starts its threads {start} bytes apart; each stream is written from its own base"),
        );
    }
    let pool = job.files.len() > 1;
    if pool && job.file_order != FileOrder::Random(1) {
        let what = "visits its files in an order; in DiskSpd's pool each request goes to a file drawn at random";
        losses.add(job, &["file_service_type", "nrfiles", "filename"], what);
    }
    if pool && job.files.iter().any(|f| f.len != first.len || f.offset != first.offset) {
        losses.add(job, &["filesize", "filename"], "has files of different sizes; the first one's is written");
    }
    let create = file_size.filter(|_| makes_file(job, losses));
    Some(Words {
        phase: job.phase,
        targets: job.files.iter().map(|file| file.name.clone()).collect(),
        block,
        step,
        random,
        threads: stream.clones,
        depth: job.queue_depth,
        pool,
        writes: 100 - read_percent(job),
        limit: limit(job, block, losses),
        burst: burst(job, stream.clones, losses),
        warmup,
        duration,
        base: first.offset + start,
        end: if open || create == Some(file_end) { 0 } else { file_end },
        create,
        write_through: each_write(job, losses),
        ranges: ranges(job, losses),
    })
}

/// Whether `-c` is written. It empties a file that is there, so it stands only for a source that makes its files: `-c` itself,
/// or a job of fio's that writes to a file whose size it says.
fn makes_file(job: &Job, losses: &mut Losses) -> bool {
    if job.files.iter().any(|file| is_device(&file.name)) {
        return false;
    }
    if losses.wrote(job, &["-c"]) {
        return true;
    }
    let sized = ["size", "filesize"];
    let lays_out = losses.wrote(job, &["rw"]) && losses.wrote(job, &sized) && read_percent(job) < 100;
    if lays_out {
        losses.add(job, &sized, "is a file that `-c` recreates, which destroys its contents");
    }
    lays_out
}

fn size(job: &Job, losses: &mut Losses) -> u64 {
    let of = ["bssplit", "bsrange", "bs", "% of size"];
    if !job.lines.is_empty() {
        let most = job.lines.iter().max_by_key(|line| line.share).map_or(4_096, |line| line.io_size);
        losses.add(
            job,
            &of,
            format!("has several sizes; DiskSpd has one, and {most} bytes, the commonest, is written"),
        );
        return most;
    }
    match common(job, &job.sizes) {
        Some(SizeDistribution::Fixed(size)) if !job.sizes_by_order => size,
        _ => {
            let size = one_size(job.sizes.get(directions(job)[0]));
            losses.add(job, &of, format!("has several sizes; DiskSpd has one, and {size} bytes is written"));
            size
        }
    }
}

/// Percent of random requests, and their alignment or the distance of sequential ones.
fn order(job: &Job, block: u64, losses: &mut Losses) -> (u8, u64) {
    let used = directions(job);
    let percent = *job.access.random_percent.get(used[0]);
    if common(job, &job.access.random_percent).is_none() {
        losses.add(
            job,
            &["percentage_random"],
            format!("differs between reads and writes; {percent} % is written for both"),
        );
    }
    if !job.lines.is_empty() && job.lines.iter().any(|l| l.random_percent != job.lines[0].random_percent) {
        losses.add(
            job,
            &["% of size"],
            "gives each size its own share of random requests; the first line's is written",
        );
    }
    let random = percent > 0;
    if random && job.access.cover {
        let what = "takes every block once before any again; DiskSpd draws each on its own, so some come twice";
        losses.add(job, &["rw", ""], what);
    }
    let mixed = used.len() > 1;
    if (percent < 100 && mixed) && job.access.cursor == Cursor::PerDirection {
        losses.add(
            job,
            &["percentage_random", "rw"],
            "has a position for reads and one for writes; DiskSpd has one for both",
        );
    }
    if random && (job.access.random_every > 1 || job.access.identical) {
        losses.add(
            job,
            &["rw", "rw_sequencer"],
            "takes a new place every few requests; DiskSpd's runs are of random length",
        );
    }
    if job.access.strided.is_some() {
        losses.add(job, &["zonemode", "zonesize"], "moves from zone to zone; DiskSpd does not");
    }
    if random {
        return (percent, job.align.get(used[0]).max(&1).to_owned());
    }
    let step = i64::try_from(block).unwrap_or(i64::MAX).saturating_add(job.access.gap);
    match u64::try_from(step) {
        Ok(step) if step > 0 => (0, step),
        _ => {
            losses.add(job, &["rw"], "goes backwards; DiskSpd only goes on");
            (0, block)
        }
    }
}

/// What ends or orders a job in another way than DiskSpd knows.
fn ends(job: &Job, losses: &mut Losses) {
    if !job.stop.time_based {
        let what = match job.stop.runtime {
            Some(_) => "ends when its bytes are done, if that is earlier; DiskSpd runs for the whole time".to_string(),
            None => format!("ends when its bytes are done; DiskSpd ends by time only, and {SECONDS} s is written"),
        };
        losses.add(job, &["number_ios", "io_size", "size", "runtime"], what);
    }
    if job.start_delay.1 > dw_units::Duration::ZERO {
        losses.add(job, &["startdelay"], "waits before it starts; DiskSpd starts at once");
    }
    if job.wait_for.is_some() || job.exit_all {
        losses.add(job, &["wait_for", "exitall"], "depends on the end of another job, which DiskSpd does not know");
    }
    if job.sync.every_writes > 0 || job.sync.at_end {
        losses.add(
            job,
            &["fsync", "fdatasync", "end_fsync"],
            "flushes after writes; DiskSpd writes through or not at all",
        );
    }
    let b = job.batching;
    if b.submit != 1 || b.low != job.queue_depth || b.complete_min != 1 {
        let of = ["iodepth_batch", "iodepth_low", "iodepth_batch_complete_min"];
        losses.add(job, &of, "submits or reaps in batches; DiskSpd refills at once");
    }
    if job.rate_floor != PerDirection::all(None) {
        losses.add(job, &["rate_min", "rate_iops_min"], "stops below a rate, which DiskSpd does not");
    }
}

fn each_write(job: &Job, losses: &mut Losses) -> bool {
    if job.sync.each_write && read_percent(job) == 100 {
        losses.add(job, &["sync"], "is about writes, of which there are none");
    }
    job.sync.each_write
}

fn limit(job: &Job, block: u64, losses: &mut Losses) -> Option<Limit> {
    let any = directions(job).iter().any(|d| job.rate.get(*d).is_some());
    let Some(total) = total_rate(job, block) else {
        if any {
            losses.add(
                job,
                &["rate_iops", "rate"],
                "limits one direction only; DiskSpd has one limit for all, and none is written",
            );
        }
        return None;
    };
    if job.pacing != Pacing::Credit {
        if directions(job).len() > 1 {
            losses.add(
                job,
                &["rate_iops", "rate"],
                "limits reads and writes apart; DiskSpd has one limit, and keeps the mix instead",
            );
        }
        let what = match job.pacing {
            Pacing::Poisson | Pacing::PoissonOffload | Pacing::Exponential => "has random gaps; DiskSpd's are even",
            _ => "waits for all in flight before each pause; DiskSpd holds requests back one by one",
        };
        losses.add(job, &["rate_process", "rate_iops", "rate"], what);
    }
    let iops = directions(job).iter().try_fold(0u64, |sum, d| match job.rate.get(*d) {
        Some(Rate::Iops(iops)) => Some(sum + iops),
        _ => None,
    });
    // DiskSpd computes IOPS in 32 bits, and rounds to whole bytes a millisecond.
    if let Some(iops) =
        iops.filter(|iops| iops.saturating_mul(block) <= u64::from(u32::MAX) && (iops * block).is_multiple_of(1_000))
    {
        return Some(Limit::Iops(iops));
    }
    let per_ms = (total / 1_000).max(1);
    if per_ms * 1_000 != total {
        losses.add(job, &["rate_iops", "rate"], format!("is rounded to {per_ms} bytes a millisecond"));
    }
    Some(Limit::BytesPerMs(per_ms))
}

fn burst(job: &Job, threads: u32, losses: &mut Losses) -> Option<(u64, u64)> {
    let think = job.think?;
    let ms = think.time.ns().div_ceil(1_000_000);
    let of = ["thinktime", "thinktime_blocks", "delay"];
    if ms * 1_000_000 != think.time.ns() {
        losses.add(job, &of, format!("pauses for parts of a millisecond; {ms} ms is written"));
    }
    if !think.overlaps && job.queue_depth > 1 {
        losses.add(job, &of, "waits for all in flight before its pause; DiskSpd pauses while they go on");
    }
    if think.io_time > dw_units::Duration::ZERO || think.blocks == u32::MAX {
        losses.add(
            job,
            &["thinktime_iotime"],
            "pauses after a time of I/O; DiskSpd counts requests, so no pause is written",
        );
        return None;
    }
    // DiskSpd divides the burst among the threads.
    Some((u64::from(think.blocks) * u64::from(threads), ms))
}

fn ranges(job: &Job, losses: &mut Losses) -> Option<(bool, Vec<(u8, u64)>)> {
    match job.access.distribution.get(directions(job)[0]) {
        Distribution::Uniform => None,
        Distribution::Zoned(zones) => Some((true, zones.iter().map(|(s, p)| (*s, u64::from(*p))).collect())),
        Distribution::ZonedAbsolute(zones) => Some((false, zones.clone())),
        Distribution::Zipf { .. } | Distribution::Pareto { .. } | Distribution::Normal { .. } => {
            losses.add(
                job,
                &["random_distribution"],
                "is a curve; DiskSpd has shares of parts only, and all blocks alike is written",
            );
            None
        }
    }
}

impl Words {
    /// The command line.
    fn line(&self) -> String {
        let mut out = format!("diskspd -b{}", size_text(self.block));
        let step = if self.step == self.block { String::new() } else { size_text(self.step) };
        let _ = match self.random {
            0 if step.is_empty() => write!(out, " -s"),
            0 => write!(out, " -s{step}"),
            100 => write!(out, " -r{step}"),
            // The alignment of a mix is that of -r.
            percent if step.is_empty() => write!(out, " -rs{percent}"),
            percent => write!(out, " -rs{percent} -r{step}"),
        };
        if let Some((percent, parts)) = &self.ranges {
            let parts: Vec<String> = parts
                .iter()
                .map(
                    |(share, part)| {
                        if *percent { format!("{share}/{part}") } else { format!("{share}/{}", size_text(*part)) }
                    },
                )
                .collect();
            let _ = write!(out, " -rd{}{}", if *percent { "pct" } else { "abs" }, parts.join(":"));
        }
        let _ = if self.pool {
            write!(out, " -F{} -O{}", self.threads, self.depth)
        } else {
            write!(out, " -t{} -o{}", self.threads, self.depth)
        };
        if self.writes > 0 {
            let _ = write!(out, " -w{}", self.writes);
        }
        let _ = match self.limit {
            Some(Limit::BytesPerMs(rate)) => write!(out, " -g{rate}"),
            Some(Limit::Iops(rate)) => write!(out, " -g{rate}i"),
            None => Ok(()),
        };
        if let Some((count, ms)) = self.burst {
            let _ = write!(out, " -i{count} -j{ms}");
        }
        let _ =
            write!(out, " -W{} -d{} {} -L", self.warmup, self.duration, if self.write_through { "-Sh" } else { "-Su" });
        if self.base > 0 {
            let _ = write!(out, " -B{}", size_text(self.base));
        }
        if self.end > 0 {
            let _ = write!(out, " -f{}", size_text(self.end));
        }
        if let Some(size) = self.create {
            let _ = write!(out, " -c{}", size_text(size));
        }
        for target in &self.targets {
            let quoted = target.contains(char::is_whitespace);
            let _ = if quoted { write!(out, " \"{target}\"") } else { write!(out, " {target}") };
        }
        out
    }
}

/// A size as DiskSpd reads it: whole numbers with K, M, G.
pub(super) fn size_text(bytes: u64) -> String {
    for (unit, letter) in [(1u64 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{}{letter}", bytes / unit);
        }
    }
    bytes.to_string()
}
