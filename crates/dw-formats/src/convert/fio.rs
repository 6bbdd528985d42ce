//! fio's job file.

mod timing;

use std::fmt::Write as _;

use dw_workload::{Cursor, Direction, Distribution, FileOrder, Job, Mix, PerDirection, SizeDistribution};

use super::loss::Losses;
use super::streams::{Stream, directions, whole_unknown};
use crate::fio::targets::UNKNOWN;
use crate::fio::{FioJobs, VolumeMap};

/// One section a stream.
pub(super) fn write(jobs: &FioJobs, streams: &[Stream], volumes: &[VolumeMap], losses: &mut Losses) -> String {
    let mut out = String::new();
    let mut last: Option<&Job> = None;
    for stream in streams {
        let job = stream.job;
        if last.is_some() {
            out.push('\n');
        }
        let mut section = Section { out: &mut out, job, losses };
        let name = job.name.replace(['\n', '\r', ']', '[', ';', '#'], " ");
        let name = name.trim();
        // `[global...]` would be no job.
        let _ = writeln!(
            section.out,
            "[{}{}]",
            if name.starts_with("global") || name.is_empty() { "job " } else { "" },
            name
        );
        match last {
            Some(before) if before.phase != job.phase => section.flag("stonewall"),
            Some(before) if before.group != job.group => section.flag("new_group"),
            _ => {}
        }
        section.files(stream, jobs, volumes);
        section.engine(jobs);
        section.pattern();
        section.sizes();
        section.order(jobs);
        section.pace();
        section.end();
        section.report(stream.clones, jobs);
        last = Some(job);
    }
    out
}

struct Section<'a, 'l> {
    out: &'a mut String,
    job: &'a Job,
    losses: &'a mut Losses<'l>,
}

impl Section<'_, '_> {
    fn set(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{name}={value}");
    }

    fn flag(&mut self, name: &str) {
        let _ = writeln!(self.out, "{name}");
    }

    fn lose(&mut self, options: &[&str], what: impl Into<String>) {
        self.losses.add(self.job, options, what);
    }

    /// `r,w,t`, or one value for all.
    fn triple<T: PartialEq>(&mut self, name: &str, of: &PerDirection<T>, show: impl Fn(&T) -> String) {
        if of.read == of.write && of.write == of.trim {
            self.set(name, show(&of.read));
        } else {
            self.set(name, format!("{},{},{}", show(&of.read), show(&of.write), show(&of.trim)));
        }
    }

    fn names(&mut self, stream: &Stream) {
        let job = self.job;
        if job.files.iter().any(|file| file.name.contains(['#', ';', '\n'])) {
            self.lose(&["filename", ""], "has a character in its path that fio takes for a comment");
        }
        let names: Vec<String> = job.files.iter().map(|file| file.name.replace(':', "\\:")).collect();
        let numbered = job.files[0]
            .name
            .strip_suffix(".0")
            .filter(|stem| job.files.iter().enumerate().all(|(i, file)| file.name == format!("{stem}.{i}")));
        let (stem, format) = match (&stream.own_files, numbered) {
            (Some(stem), _) => (stem.as_str(), ".$jobnum.$filenum"),
            // fio takes at most 4096 bytes as names.
            (None, Some(stem)) if job.files.len() > 1 => (stem, ".$filenum"),
            _ => return self.set("filename", names.join(":")),
        };
        let at = stem.rfind(['/', '\\']);
        let base = at.map_or(stem, |at| &stem[at + 1..]);
        if let Some(at) = at {
            self.set("directory", stem[..at.max(1)].replace(':', "\\:"));
        }
        if format != ".$jobnum.$filenum" || base != self.job.name {
            self.set("filename_format", format!("{base}{format}"));
        }
    }

    fn files(&mut self, stream: &Stream, jobs: &FioJobs, volumes: &[VolumeMap]) {
        self.names(stream);
        let job = self.job;
        let first = &job.files[0];
        if job.files.len() > 1 {
            self.set("nrfiles", job.files.len());
            match job.file_order {
                FileOrder::RoundRobin(1) => {}
                FileOrder::RoundRobin(n) => self.set("file_service_type", format!("roundrobin:{n}")),
                FileOrder::Sequential => self.set("file_service_type", "sequential"),
                FileOrder::Random(n) => self.set("file_service_type", format!("random:{n}")),
            }
            // fio divides one size among its files, and has one offset for all.
            if job.files.iter().any(|file| file.offset != first.offset) {
                self.lose(&["-B", "filename"], "has files with different beginnings; fio has one offset for all");
            }
            let (least, most) = job.files.iter().fold((u64::MAX, 0), |(a, b), f| (a.min(f.len), b.max(f.len)));
            if most - least > job.sizes.read.max().max(job.sizes.write.max()) {
                self.lose(
                    &["-c", "filesize", "filename"],
                    "has files of different sizes; fio divides one size among them",
                );
            }
        }
        // A position to start from that is not the first byte.
        let start = match job.access.cursor {
            Cursor::Shared { start, .. } if job.access.random_percent != PerDirection::all(100) => start,
            _ => 0,
        };
        if start > 0 {
            self.lose(
                &["-T"],
                format!("starts at byte {start} and goes round the whole target; fio stays behind its offset"),
            );
        }
        if first.offset + start > 0 {
            self.set("offset", first.offset + start);
        }
        let total: u64 = job.files.iter().map(|file| file.len - start.min(file.len)).sum();
        let anywhere = |file: &dw_workload::FileExtent| {
            volumes.iter().any(|volume| volume.index == file.volume && volume.size == UNKNOWN)
        };
        // A share of something whose size nobody knows stays a share.
        let percent = |name: &str| {
            let option = job.options.iter().rev().find(|(option, _)| option == name);
            let option = option.or_else(|| jobs.global_options.iter().rev().find(|(option, _)| option == name));
            option.map(|(_, text)| text.trim()).filter(|text| text.ends_with('%') && job.files.iter().all(anywhere))
        };
        let open = whole_unknown(job, volumes) && !job.null_engine;
        match percent("size").filter(|_| !job.null_engine) {
            Some(text) => self.set("size", text),
            None if open => {}
            None => self.set("size", total),
        }
        match percent("io_size").filter(|_| !job.null_engine) {
            Some(text) => self.set("io_size", text),
            None if job.stop.bytes != total && !(open || start > 0 || percent("size").is_some()) => {
                self.set("io_size", job.stop.bytes);
            }
            None => {}
        }
    }

    fn engine(&mut self, jobs: &FioJobs) {
        let job = self.job;
        let said = |names: &[&str]| {
            let own = job.options.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
            own.or_else(|| jobs.global_options.iter().rev().find(|(name, _)| names.contains(&name.as_str())))
        };
        let of_fio = said(&["rw", "ioengine", "size", "bs"]).is_some();
        let windows = job.files.iter().any(|file| file.name.contains('\\') || file.name.get(1..2) == Some(":"));
        let usual = if windows { "windowsaio" } else { "libaio" };
        match said(&["ioengine"]) {
            _ if job.null_engine => self.set("ioengine", "null"),
            Some((_, engine)) => self.set("ioengine", engine),
            None if of_fio => {}
            None => self.set("ioengine", usual),
        }
        match said(&["direct", "buffered"]) {
            Some((name, value)) if !value.is_empty() => self.set(name, value),
            Some((name, _)) => self.flag(name),
            None if of_fio => {}
            None => self.set("direct", 1),
        }
        if job.queue_depth > 1 {
            self.set("iodepth", job.queue_depth);
        }
        let b = job.batching;
        if b.submit != 1 {
            self.set("iodepth_batch", b.submit);
        }
        if b.low != job.queue_depth {
            self.set("iodepth_low", b.low);
        }
        let usual = (b.complete_min, b.complete_max) == (1, 1)
            || (b.complete_min == 1 && b.complete_max == job.queue_depth && !of_fio);
        if !usual {
            self.set("iodepth_batch_complete_min", b.complete_min);
            self.set("iodepth_batch_complete_max", b.complete_max);
        }
    }

    fn pattern(&mut self) {
        let job = self.job;
        let random = directions(job).iter().any(|d| *job.access.random_percent.get(*d) > 0);
        let prefix = if random { "rand" } else { "" };
        let word = match job.mix {
            Mix::Only(Direction::Read) => "read",
            Mix::Only(Direction::Write) => "write",
            Mix::Only(Direction::Trim) => "trim",
            Mix::ReadWrite { .. } => "rw",
            Mix::TrimThenWrite => "trimwrite",
        };
        let every = match () {
            () if random && job.access.random_every > 1 => format!(":{}", job.access.random_every),
            () if !random && job.access.gap != 0 => format!(":{}", job.access.gap),
            () => String::new(),
        };
        self.set("rw", format!("{prefix}{word}{every}"));
        if let Mix::ReadWrite { read_percent } = job.mix {
            self.set("rwmixread", read_percent);
        }
        if job.access.identical {
            self.set("rw_sequencer", "identical");
        }
        let partly = random && directions(job).iter().any(|d| *job.access.random_percent.get(*d) < 100);
        if partly {
            self.triple("percentage_random", &job.access.random_percent, u8::to_string);
        }
        if let Cursor::Shared { runs, .. } = job.access.cursor {
            let mixed = directions(job).len() > 1;
            if partly || (!random && mixed) {
                let runs = if runs { ", and in a run all have one direction" } else { "" };
                let what = format!(
                    "goes on after the last request of any kind{runs}; fio keeps a position for reads and one for writes"
                );
                self.lose(&["-rs", "-s", "-w"], what);
            }
            if partly && job.access.gap != 0 {
                self.lose(
                    &["-r", "-s"],
                    "has a distance between sequential requests, which fio has not next to random ones",
                );
            }
        }
        if let Some(strided) = job.access.strided {
            self.set("zonemode", "strided");
            self.set("zonesize", strided.size);
            self.set("zonerange", strided.range);
            self.set("zoneskip", strided.skip);
        }
        if random {
            self.distribution();
        }
    }

    fn distribution(&mut self) {
        let job = self.job;
        let uniform = job.access.distribution == PerDirection::all(Distribution::Uniform);
        if uniform {
            if !job.access.cover {
                self.set("norandommap", 1);
            }
            return;
        }
        let centre = |center: &Option<f64>| center.map_or(String::new(), |c| format!(":{c}"));
        let show = |distribution: &Distribution| match distribution {
            Distribution::Uniform => "random".to_string(),
            Distribution::Zipf { theta, center } => format!("zipf:{theta}{}", centre(center)),
            Distribution::Pareto { h, center } => format!("pareto:{h}{}", centre(center)),
            Distribution::Normal { percent, center } => format!("normal:{percent}{}", centre(center)),
            Distribution::Zoned(zones) => {
                let zones: Vec<String> = zones.iter().map(|(share, part)| format!("{share}/{part}")).collect();
                format!("zoned:{}", zones.join(":"))
            }
            Distribution::ZonedAbsolute(zones) => {
                let zones: Vec<String> = zones.iter().map(|(share, bytes)| format!("{share}/{bytes}")).collect();
                format!("zoned_abs:{}", zones.join(":"))
            }
        };
        self.set("random_distribution", show(job.access.distribution.get(directions(job)[0])));
    }

    fn sizes(&mut self) {
        let job = self.job;
        if !job.lines.is_empty() {
            self.lines();
            return;
        }
        let s = [&job.sizes.read, &job.sizes.write, &job.sizes.trim];
        let split = s.iter().any(|s| matches!(s, SizeDistribution::Split(_)));
        let range = s.iter().any(|s| matches!(s, SizeDistribution::Range { .. }));
        if split {
            if range {
                self.lose(&["bsrange", "bssplit"], "mixes a range of sizes in one direction with shares in another");
            }
            self.triple("bssplit", &job.sizes, |sizes| match sizes {
                SizeDistribution::Split(parts) => {
                    let parts: Vec<String> = parts.iter().map(|(size, share)| format!("{size}/{share}")).collect();
                    parts.join(":")
                }
                other => format!("{}/100", other.min()),
            });
        } else if range {
            self.triple("bsrange", &job.sizes, |sizes| format!("{}-{}", sizes.min(), sizes.max()));
            if s.iter().any(|s| matches!(s, SizeDistribution::Range { unaligned: true, .. })) {
                self.set("bs_unaligned", 1);
            }
        } else {
            self.triple("bs", &job.sizes, |sizes| sizes.min().to_string());
        }
        if job.sizes_by_order {
            self.set("bs_is_seq_rand", 1);
        }
        let own = |d: Direction| *job.align.get(d) != job.sizes.get(d).min();
        if directions(job).into_iter().any(own) {
            self.triple("blockalign", &job.align, u64::to_string);
        }
    }

    /// Iometer's lines: what differs only in size is a split; else each line's reads and places are lost.
    fn lines(&mut self) {
        let job = self.job;
        let lines = &job.lines;
        let first = lines[0];
        let of = ["% of size"];
        let split: Vec<String> = lines.iter().map(|line| format!("{}/{}", line.io_size, line.share)).collect();
        self.set("bssplit", split.join(":"));
        if lines.iter().any(|line| line.read_percent != first.read_percent) {
            self.lose(&of, "gives each size its own share of reads; fio draws size and direction apart");
        }
        if lines.iter().any(|line| line.random_percent != first.random_percent) {
            self.lose(&of, "gives each size its own share of random requests; the first line's is written");
        }
        if lines.iter().any(|line| line.burst > 1) {
            self.lose(&of, "draws a line for each burst; fio draws a size for each request");
        }
        if lines.iter().any(|line| line.align != first.align) {
            self.lose(&of, "gives each size its own alignment; the first line's is written");
        }
        if lines.iter().map(|line| line.io_size).min() != Some(first.align) {
            self.set("blockalign", first.align);
        }
    }
}
