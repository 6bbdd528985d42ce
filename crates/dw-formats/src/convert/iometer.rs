//! Iometer's configuration: a worker a stream, idle in the runs of others.
//!
//! Run time and ramp hold for the whole file. A file of a volume is Iometer's own test file there (`iobw.tst`), as it can
//! name no other.

use std::fmt::Write as _;

use dw_workload::{Direction, Distribution, Job, Line, Pacing, PerDirection, SizeDistribution};

use super::loss::Losses;
use super::streams::{Stream, common, directions, is_device, one_size, read_percent, seconds, whole_unknown};
use crate::fio::VolumeMap;

const SECTOR: u64 = 512;
/// Seconds of a run that nothing ends by time.
const SECONDS: u64 = 60;
/// Iometer's limit on the name of a specification.
const NAME: usize = 100;

struct Worker<'a> {
    job: &'a Job,
    spec: usize,
    target: String,
    sectors: u64,
    first: u64,
}

/// The file.
pub(super) fn write(streams: &[Stream], volumes: &[VolumeMap], losses: &mut Losses) -> String {
    let mut specs: Vec<(String, String)> = Vec::new();
    let mut workers: Vec<Worker> = Vec::new();
    // A job that states no time of its own does not decide for those that do.
    let run = streams.iter().find_map(|s| s.job.stop.runtime).map_or(SECONDS, |stated| seconds(stated).0);
    let ramp = streams.iter().map(|s| seconds(s.job.ramp).0).find(|ramp| *ramp > 0).unwrap_or(0);
    let times = (run, ramp);
    let mut phases: Vec<u32> = Vec::new();
    for stream in streams {
        let job = stream.job;
        let Some(lines) = lines(job, losses) else { continue };
        others(job, losses);
        let (own_run, exact) = job.stop.runtime.map_or((run, true), seconds);
        let (own_ramp, exact_ramp) = seconds(job.ramp);
        if !(exact && exact_ramp) {
            losses.add(job, &["runtime", "ramp_time"], "is rounded up to whole seconds");
        }
        if times != (own_run, own_ramp) {
            let what = format!(
                "runs for its own time; Iometer has one for all, and {} s after {} s is written",
                times.0, times.1
            );
            losses.add(job, &["runtime", "ramp_time", "-d", "-W"], what);
        }
        if !phases.contains(&job.phase) {
            phases.push(job.phase);
        }
        let text: String = lines.iter().map(|line| format!("\t{line}\n")).collect();
        let spec = specs.iter().position(|(_, known)| *known == text).unwrap_or_else(|| {
            specs.push((name(job, specs.len()), text));
            specs.len() - 1
        });
        if job.files.len() > 1 {
            let what = "has several files and one depth for all; Iometer has a depth for each target, so each is a worker of its own";
            losses.add(job, &["nrfiles", "filename"], what);
        }
        for _ in 0..stream.clones {
            for file in &job.files {
                let (target, exact) = target(&file.name);
                if !exact {
                    let what = format!("is Iometer's own file iobw.tst on `{target}`: it names no other");
                    losses.add(job, &["filename", "directory", ""], what);
                }
                let open = whole_unknown(job, volumes);
                if !open && (!file.len.is_multiple_of(SECTOR) || !file.offset.is_multiple_of(SECTOR)) {
                    losses.add(
                        job,
                        &["size", "offset", "-B", "-f"],
                        "is not a multiple of 512 bytes, and is rounded down",
                    );
                }
                let sectors = if open { 0 } else { file.len / SECTOR };
                workers.push(Worker { job, spec, target, sectors, first: file.offset / SECTOR });
            }
        }
    }
    phases.sort_unstable();
    text(&specs, &workers, &phases, times)
}

/// Names of a file are apart, so that workers can be assigned them.
fn name(job: &Job, number: usize) -> String {
    let plain: String = job.name.chars().map(|c| if c == ',' || c.is_control() { ' ' } else { c }).take(NAME).collect();
    format!("{} {}", number + 1, plain.trim())
}

/// The volume of a file, or the drive, as Iometer names it; and whether it is the very same thing.
fn target(path: &str) -> (String, bool) {
    let upper = path.to_ascii_uppercase();
    if let Some(number) = upper.strip_prefix(r"\\.\PHYSICALDRIVE").or_else(|| path.strip_prefix('#')) {
        return (format!("PHYSICALDRIVE:{number}"), true);
    }
    if is_device(path) {
        return (path.into(), true);
    }
    let test_file = ["/iobw.tst", "\\iobw.tst"].iter().find_map(|end| path.strip_suffix(end));
    if path.get(1..2) == Some(":") {
        return (path[..2].into(), test_file.is_some_and(|folder| folder.len() == 2));
    }
    if let Some(folder) = test_file {
        return (if folder.is_empty() { "/".into() } else { folder.into() }, true);
    }
    match path.rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => (folder.into(), false),
        _ => ("/".into(), false),
    }
}

/// The lines of an access specification: size, share, reads, random, delay, burst, alignment, reply.
fn lines(job: &Job, losses: &mut Losses) -> Option<Vec<String>> {
    if job.null_engine {
        losses.add(job, &["ioengine"], "does no I/O; Iometer has no such engine, so the job is omitted");
        return None;
    }
    if directions(job).contains(&Direction::Trim) {
        losses.add(job, &["rw"], "discards blocks, which Iometer cannot; the job is omitted");
        return None;
    }
    let (delay, burst) = pause(job, losses);
    let line = |l: &Line| {
        format!(
            "{},{},{},{},{delay},{},{},0",
            l.io_size,
            l.share,
            l.read_percent,
            l.random_percent,
            burst.unwrap_or(l.burst),
            l.align
        )
    };
    if !job.lines.is_empty() {
        return Some(job.lines.iter().map(line).collect());
    }
    let first = directions(job)[0];
    let random_percent = *job.access.random_percent.get(first);
    if common(job, &job.access.random_percent).is_none() {
        losses.add(
            job,
            &["percentage_random"],
            format!("differs between reads and writes; {random_percent} % is written"),
        );
    }
    let reads = read_percent(job);
    let one =
        |io_size, share, read_percent, align| Line { share, io_size, read_percent, random_percent, align, burst: 1 };
    let align = *job.align.get(first);
    let sizes = match common(job, &job.sizes) {
        Some(SizeDistribution::Fixed(size)) => vec![one(size, 100, reads, aligned(job, size, align))],
        Some(SizeDistribution::Split(parts)) => {
            parts.iter().filter(|part| part.1 > 0).map(|(size, share)| one(*size, *share, reads, align)).collect()
        }
        Some(SizeDistribution::Range { min, max, .. }) => {
            let what = format!("has sizes of a range; Iometer has a list, and {min} bytes is written");
            losses.add(job, &["bsrange"], if min == max { String::new() } else { what });
            vec![one(min, 100, reads, align)]
        }
        // Sizes that differ by direction: a line for each, with its share of the mix.
        None if directions(job).len() == 2 && reads > 0 && reads < 100 => {
            let both = [(Direction::Read, reads, 100), (Direction::Write, 100 - reads, 0)];
            let fixed = both.iter().all(|(d, ..)| matches!(job.sizes.get(*d), SizeDistribution::Fixed(_)));
            if !fixed {
                losses.add(
                    job,
                    &["bssplit", "bsrange"],
                    "has shares of sizes for each direction; the commonest of each is written",
                );
            }
            both.iter()
                .map(|(d, share, reads)| one(one_size(job.sizes.get(*d)), *share, *reads, *job.align.get(*d)))
                .collect()
        }
        None => vec![one(one_size(job.sizes.get(first)), 100, reads, align)],
    };
    Some(sizes.iter().map(line).collect())
}

/// Sequential requests that lie apart begin at multiples of the distance.
fn aligned(job: &Job, size: u64, align: u64) -> u64 {
    match u64::try_from(job.access.gap) {
        Ok(gap) if gap > 0 => size + gap,
        _ => align,
    }
}

/// Delay in ms, and the requests before it.
fn pause(job: &Job, losses: &mut Losses) -> (u64, Option<u32>) {
    let Some(think) = job.think else { return (0, None) };
    let of = ["thinktime", "thinktime_blocks", "-i"];
    if think.io_time > dw_units::Duration::ZERO || think.blocks == u32::MAX {
        losses.add(
            job,
            &["thinktime_iotime"],
            "pauses after a time of I/O; Iometer counts requests, so no pause is written",
        );
        return (0, None);
    }
    let ms = think.time.ns().div_ceil(1_000_000);
    if ms * 1_000_000 != think.time.ns() {
        losses.add(job, &of, format!("pauses for parts of a millisecond; {ms} ms is written"));
    }
    if !think.overlaps && job.queue_depth > 1 {
        losses.add(job, &of, "waits for all in flight before its pause; Iometer goes on reaping");
    }
    (ms, Some(think.blocks))
}

/// Everything that Iometer has no word for.
fn others(job: &Job, losses: &mut Losses) {
    let used = directions(job);
    let random = used.iter().any(|d| *job.access.random_percent.get(*d) > 0);
    let cases: [(bool, &[&str], &str); 11] = [
        (
            random && job.access.cover,
            &["rw", ""],
            "takes every block once before any again; Iometer draws each on its own, so some come twice",
        ),
        (
            *job.access.distribution.get(used[0]) != Distribution::Uniform,
            &["random_distribution", "-rd"],
            "prefers some blocks; Iometer takes all alike",
        ),
        (
            used.iter().any(|d| job.rate.get(*d).is_some()),
            if job.pacing == Pacing::Credit { &["-g"] } else { &["rate_iops", "rate"] },
            "is a limit, which Iometer has not; the stream runs as fast as it can",
        ),
        (
            !job.stop.time_based,
            &["number_ios", "io_size", "size"],
            "ends when its bytes are done; Iometer ends by time only",
        ),
        (
            used.len() > 1 && !random && job.access.cursor == dw_workload::Cursor::PerDirection,
            &["rw"],
            "has a position for reads and one for writes; Iometer has one for both",
        ),
        (job.access.strided.is_some(), &["zonemode", "zonesize"], "moves from zone to zone; Iometer does not"),
        (
            job.sync != dw_workload::SyncPolicy::default(),
            &["fsync", "sync", "end_fsync", "-S"],
            "makes writes durable; Iometer does not",
        ),
        (
            job.start_delay.1 > dw_units::Duration::ZERO,
            &["startdelay"],
            "waits before it starts; Iometer starts at once",
        ),
        (
            job.wait_for.is_some() || job.exit_all,
            &["wait_for", "exitall"],
            "depends on the end of another job, which Iometer does not know",
        ),
        (
            job.rate_floor != PerDirection::all(None),
            &["rate_min", "rate_iops_min"],
            "stops below a rate, which Iometer does not",
        ),
        (
            job.access.gap < 0 || job.access.identical || job.access.random_every > 1,
            &["rw", "rw_sequencer"],
            "goes back or repeats; Iometer only goes on",
        ),
    ];
    for (is, options, what) in cases {
        if is {
            losses.add(job, options, what);
        }
    }
}

fn text(specs: &[(String, String)], workers: &[Worker], phases: &[u32], (run, ramp): (u64, u64)) -> String {
    let mut out = String::from(
        "Version 1.1.0 \n'TEST SETUP ====================================================================\n",
    );
    let _ = write!(
        out,
        "'Run Time\n'\thours      minutes    seconds\n\t{:<10} {:<10} {}\n'Ramp Up Time (s)\n\t{ramp}\n\
         'Default Disk Workers to Spawn\n\t1\n'Record Results\n\tALL\n'Test Type\n\tNORMAL\n'END test setup\n",
        run / 3_600,
        run / 60 % 60,
        run % 60
    );
    out += "'ACCESS SPECIFICATIONS =========================================================\n";
    for (name, lines) in specs {
        let _ = write!(
            out,
            "'Access specification name,default assignment\n\t{name},NONE\n\
             'size,% of size,% reads,% random,delay,burst,align,reply\n{lines}"
        );
    }
    out += "'END access specifications\n'MANAGER LIST ==================================================================\n";
    out += "'Manager ID, manager name\n\t1,HOST\n'Manager network address\n\t\n";
    for (number, worker) in workers.iter().enumerate() {
        let _ = write!(
            out,
            "'Worker\n\tWorker {}\n'Worker type\n\tDISK\n'Default target settings for worker\n\
             'Number of outstanding IOs,test connection rate,transactions per connection\n\t{},DISABLED,1\n\
             'Disk maximum size,starting sector\n\t{},{}\n'End default target settings for worker\n'Assigned access specs\n",
            number + 1,
            worker.job.queue_depth,
            worker.sectors,
            worker.first
        );
        for phase in phases {
            let name = if *phase == worker.job.phase { specs[worker.spec].0.as_str() } else { "Idle" };
            let _ = writeln!(out, "\t{name}");
        }
        let _ = write!(
            out,
            "'End assigned access specs\n'Target assignments\n'Target\n\t{}\n'Target type\n\tDISK\n'End target\n\
             'End target assignments\n'End worker\n",
            worker.target
        );
    }
    out += "'End manager\n'END manager list\nVersion 1.1.0 \n";
    out
}
