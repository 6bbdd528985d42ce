//! Own job files as scenarios: fio's, DiskSpd's and Iometer's alike, read into the workload model, written for the real fio.
//!
//! The extent of each clone's file is kept, scaled down where it was asked for, and sent to the target of its volume. fio's
//! own options are handed on as they are written; those that say where and for how long are this procedure's.
//!
//! Invariant: the scenario that the simulator predicts and the one that fio runs are the same sections.

use dw_error::{Error, Result};
use dw_formats::fio::FioJobs;
use dw_units::{Bytes, Duration};
use dw_workload::{Cursor, Direction, Distribution, Job, Mix, SizeDistribution};

use super::{Basis, Plan};
use crate::bench::job::{Stream, options};
use dw_documents::bench::Metric;

/// Options that say where, for how long, or how it is reported: the procedure sets them.
const OURS: [&str; 40] = [
    "name",
    "description",
    "ioengine",
    "filename",
    "directory",
    "filename_format",
    "unique_filename",
    "uri",
    "direct",
    "buffered",
    "thread",
    "size",
    "filesize",
    "file_size",
    "io_size",
    "io_limit",
    "fill_device",
    "nrfiles",
    "openfiles",
    "file_service_type",
    "offset",
    "offset_increment",
    "offset_align",
    "number_ios",
    "numjobs",
    "group_reporting",
    "new_group",
    "runtime",
    "time_based",
    "ramp_time",
    "loops",
    "startdelay",
    "iodepth",
    "create_on_open",
    "fallocate",
    "overwrite",
    "group",
    "write_iops_log",
    "write_bw_log",
    "write_lat_log",
];
/// Extents stay on whole MiB when they are scaled.
const GRAIN: u64 = 1 << 20;

/// The scenario of a job file; `fios` = its options are fio's own.
pub fn plan(basis: &Basis, id: &str, jobs: &FioJobs, fios: bool, scale_to: Option<Bytes>) -> Result<Plan> {
    let list = &jobs.workload.jobs;
    if list.iter().any(|job| job.null_engine) {
        return Err(Error::input("ioengine=null does no I/O").hint("use another engine; `bench` sets its own"));
    }
    if list.iter().any(|job| job.phase != list[0].phase || job.wait_for.is_some()) {
        let hint = "write one file per part; they run one after the other";
        return Err(Error::input("its jobs wait for each other (`stonewall`, `wait_for`)").hint(hint));
    }
    let mut streams = Vec::new();
    for (job, number) in list.iter().zip(0..) {
        let mut options = if fios { handed_on(jobs, job) } else { written(job)? };
        options.push(("iodepth".into(), job.queue_depth.to_string()));
        let (volume, from, bytes) = extent(job)?;
        let reads = job.mix != Mix::Only(Direction::Write);
        streams.push(Stream { name: format!("{}.{number}", job.name), volume, from, bytes, reads, options });
    }
    if let Some(most) = scale_to {
        scale(&mut streams, most.get());
    }
    let longest = |of: &dyn Fn(&Job) -> Option<Duration>| list.iter().filter_map(of).max();
    let measure = longest(&|job| job.stop.runtime);
    let ramp = longest(&|job| Some(job.ramp).filter(|r| *r > Duration::ZERO));
    for stream in &mut streams {
        stream.bytes = stream.bytes.min(basis.rig.volumes[stream.volume].size.get() - stream.from);
    }
    Ok(Plan {
        id: id.into(),
        title: format!("{id}, as its file has it"),
        point: None,
        metric: Metric::Iops,
        streams,
        required: Vec::new(),
        measure,
        ramp,
    })
}

/// The section's options and those of everyone, as they are written.
fn handed_on(jobs: &FioJobs, job: &Job) -> Vec<(String, String)> {
    let mut list: Vec<(String, String)> = Vec::new();
    for (key, value) in jobs.global_options.iter().chain(&job.options) {
        if OURS.contains(&key.as_str()) {
            continue;
        }
        list.retain(|(known, _)| known != key);
        list.push((key.clone(), value.clone()));
    }
    list
}

/// What a request of a job is, where one sentence says it.
struct Shape {
    read_percent: u8,
    random_percent: u8,
    io_size: u64,
    align: u64,
}

/// A job of another tool in fio's words, as far as fio has words for it.
fn written(job: &Job) -> Result<Vec<(String, String)>> {
    let shape = shape(job).map_err(|what| {
        let what = format!("{}: fio cannot express {what}", job.name);
        Error::input(what).hint("write the job as a fio file, or remove this")
    })?;
    let word = match shape.read_percent {
        100 => "read",
        0 => "write",
        _ => "rw",
    };
    let rw = if shape.random_percent > 0 { format!("rand{word}") } else { word.to_string() };
    let mut list = options(&[("rw", &rw), ("bs", &shape.io_size), ("norandommap", &"")]);
    if word == "rw" {
        list.push(("rwmixread".into(), shape.read_percent.to_string()));
    }
    if (1..100).contains(&shape.random_percent) {
        list.push(("percentage_random".into(), shape.random_percent.to_string()));
    }
    if shape.align != shape.io_size && shape.random_percent > 0 {
        list.push(("blockalign".into(), shape.align.to_string()));
    }
    Ok(list)
}

fn shape(job: &Job) -> Result<Shape, &'static str> {
    if job.think.is_some() {
        return Err("these pauses");
    }
    if let [line] = job.lines.as_slice() {
        let (read_percent, random_percent) = (line.read_percent, line.random_percent);
        return Ok(Shape { read_percent, random_percent, io_size: line.io_size, align: line.align });
    }
    let (read_percent, direction) = match job.mix {
        Mix::Only(Direction::Read) => (100, Direction::Read),
        Mix::Only(Direction::Write) => (0, Direction::Write),
        Mix::ReadWrite { read_percent } => (read_percent, Direction::Read),
        _ => return Err("trims of this kind"),
    };
    let random_percent = *job.access.random_percent.get(direction);
    let SizeDistribution::Fixed(io_size) = *job.sizes.get(direction) else { return Err("these sizes") };
    match (&job.access.cursor, job.access.distribution.get(direction)) {
        _ if !job.lines.is_empty() => Err("an access specification of several lines"),
        _ if job.rate.get(direction).is_some() => Err("this tool's kind of rate limit"),
        (_, other) if *other != Distribution::Uniform && random_percent > 0 => Err("this distribution of offsets"),
        (Cursor::Shared { start: 1.., .. }, _) if random_percent < 100 => Err("a start in the middle of the file"),
        _ => Ok(Shape { read_percent, random_percent, io_size, align: *job.align.get(direction) }),
    }
}

/// The range of a volume that a job touches.
fn extent(job: &Job) -> Result<(usize, u64, u64)> {
    let [file] = job.files.as_slice() else {
        let what = format!("job `{}` has {} files", job.name, job.files.len());
        return Err(Error::input(what).hint("give each job one file (`nrfiles=1`): a target is one file or device"));
    };
    Ok((usize::from(file.volume), file.start + file.offset, file.len))
}

/// Lays the extents of each volume out again, within `most` bytes: equal extents stay equal.
fn scale(streams: &mut [Stream], most: u64) {
    let mut volumes: Vec<usize> = streams.iter().map(|s| s.volume).collect();
    volumes.sort_unstable();
    volumes.dedup();
    for volume in volumes {
        let mut extents: Vec<(u64, u64)> =
            streams.iter().filter(|s| s.volume == volume).map(|s| (s.from, s.bytes)).collect();
        extents.sort_unstable();
        extents.dedup();
        let each = (most / extents.len() as u64 / GRAIN).max(1) * GRAIN;
        for stream in streams.iter_mut().filter(|s| s.volume == volume) {
            let place = extents.iter().position(|e| *e == (stream.from, stream.bytes)).unwrap_or(0) as u64;
            (stream.from, stream.bytes) = (place * each, stream.bytes.min(each));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_scaled_and_stay_apart_or_the_same() {
        let stream =
            |volume, from, bytes| Stream { name: String::new(), volume, from, bytes, reads: true, options: Vec::new() };
        const GIB: u64 = 1 << 30;
        let mut streams =
            [stream(0, 0, 30 * GIB), stream(0, 30 * GIB, 30 * GIB), stream(1, 0, 200 * GIB), stream(1, 0, 200 * GIB)];
        scale(&mut streams, GIB);
        let got: Vec<(u64, u64)> = streams.iter().map(|s| (s.from, s.bytes)).collect();
        assert_eq!(got, [(0, GIB / 2), (GIB / 2, GIB / 2), (0, GIB), (0, GIB)]);
        let mut small = [stream(0, 4096, 8 << 20)];
        scale(&mut small, GIB);
        assert_eq!(small[0].bytes, 8 << 20);
    }
}
