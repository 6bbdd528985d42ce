//! Definitions to jobs: for each run, one for each storage definition, or for each workload on it.

use dw_messages::{Figure, say};
use dw_units::Duration;
use dw_workload::rng::Stream;
use dw_workload::{
    Batching, Cursor, Direction, FileExtent, Job, Line, Mix, Pacing, PerDirection, Rate, SizeDistribution, Stop, join,
};

use super::runs::{self, Gaps, Run};
use super::values::{self, SIZE_HINT};
use super::words::{Definition, Definitions};
use super::work::{Seek, Work, alike, range, shares};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;
use crate::fio::targets::Target;

/// What the report says issues.
const ENGINE: &str = "vdbench";
/// Requests outstanding of a storage definition that says nothing.
const THREADS: u64 = 8;

/// A place that is read and written.
pub(super) struct Storage<'d> {
    pub name: String,
    definition: &'d Definition,
    file: FileExtent,
    target: Target,
    threads: u64,
}

/// All jobs of all runs.
pub(super) fn jobs(all: &Definitions, seed: u64, out: &mut Assembly) {
    let storage: Vec<Storage> = all.storage.iter().flat_map(|definition| places(definition, out)).collect();
    if all.runs.is_empty() {
        let at = all.storage.first().map(|d| d.origin.clone());
        at.iter().for_each(|at| out.fail(at, "is used by no run", "write rd=run1,wd=...,iorate=max"));
    }
    let (mut phase, mut section) = (0, 0);
    for definition in &all.runs {
        for run in runs::read(definition, out) {
            if out.failed() {
                break;
            }
            let maker = Maker { all, storage: &storage, definition, run: &run, phase, seed };
            maker.jobs(&mut section, out);
            phase += 1;
        }
    }
}

/// The storage of a definition: several when it counts.
fn places<'d>(definition: &'d Definition, out: &mut Assembly) -> Vec<Storage<'d>> {
    let Some(lun) = definition.get("lun") else {
        out.fail(&definition.origin, "has no lun", "write lun=/dev/sdc, or a file with size=");
        return Vec::new();
    };
    let Some(path) = lun.one(out) else { return Vec::new() };
    let numbers: Vec<Option<u64>> = match definition.get("count") {
        Some(count) => match count.values.iter().map(|v| v.parse().ok()).collect::<Option<Vec<u64>>>().as_deref() {
            Some(&[first, many]) if many <= 1_000 && first < 1 << 32 => (first..first + many).map(Some).collect(),
            _ => {
                out.fail(&count.origin, "is not a first number and count up to 1,000", "write count=(1,8)");
                return Vec::new();
            }
        },
        None => vec![None],
    };
    let one = |number: Option<u64>, out: &mut Assembly| {
        let name = number.map_or(definition.name.clone(), |n| format!("{}{n}", definition.name));
        let path = number.map_or(path.to_string(), |n| numbered(path, n));
        let target = out.locate(&path, &lun.origin)?;
        let size = match definition.get("size") {
            Some(p) => Some(values::size(p.one(out)?).map_err(|what| out.fail(&p.origin, what, SIZE_HINT)).ok()?),
            None => None,
        };
        if let Some(size) = size {
            out.need(&target, size, &definition.get("size")?.origin);
        }
        let Some(len) = size.or_else(|| out.size(&target)).filter(|len| *len > 0) else {
            out.fail(&lun.origin, "is a file of unknown size", "write size=200g, for example");
            return None;
        };
        let threads = match definition.get("threads") {
            Some(p) => threads(p.one(out)?, &p.origin, out)?,
            None => THREADS,
        };
        let volume = out.volume_index(&target);
        let file = FileExtent { name: path, volume, start: 0, offset: 0, len };
        Some(Storage { name, definition, file, target, threads })
    };
    numbers.into_iter().filter_map(|number| one(number, out)).collect()
}

/// A path with a number: in place of a `%d` or `%04d`, else at the end.
fn numbered(path: &str, number: u64) -> String {
    let mask = path.split_once('%').and_then(|(before, rest)| Some((before, rest.split_once('d')?)));
    if let Some((before, (digits, after))) = mask
        && digits.chars().all(|c| c.is_ascii_digit())
    {
        let width = digits.parse::<usize>().unwrap_or(0).min(20);
        return format!("{before}{number:0width$}{after}");
    }
    format!("{path}{number}")
}

fn threads(text: &str, origin: &Origin, out: &mut Assembly) -> Option<u64> {
    let threads = text.parse::<u64>().ok().filter(|n| (1..=1_000_000).contains(n));
    if threads.is_none() {
        out.fail(origin, format!("`{text}` is not a number of threads"), "write 1 to 1000000");
    }
    threads
}

/// Makes the jobs of one run.
pub(super) struct Maker<'a> {
    pub all: &'a Definitions,
    pub storage: &'a [Storage<'a>],
    pub definition: &'a Definition,
    pub run: &'a Run,
    pub phase: u32,
    pub seed: u64,
}

impl<'a> Maker<'a> {
    fn jobs(&self, section: &mut u32, out: &mut Assembly) {
        let works = self.works(out);
        let Some(shares) = shares(&works, out) else { return };
        let apart = works.iter().any(|work| work.storage != works[0].storage);
        if let (None, true, Some(work)) = (self.run.iorate, apart, works.iter().find(|work| work.skew.is_some())) {
            let what = say!(JobSkewWithoutRate);
            out.warn(WarningKind::Approximated, &work.definition.origin, what, "write an iorate");
        }
        for (place, storage) in self.storage.iter().enumerate() {
            let here: Vec<usize> = (0..works.len()).filter(|w| works[*w].storage.contains(&place)).collect();
            let threads = match self.run.get("threads") {
                Some(text) => threads(text, &self.definition.origin, out),
                None => Some(storage.threads),
            };
            let (Some(threads), false) = (threads, here.is_empty()) else { continue };
            let mut made = Vec::new();
            // A rate is each workload's own; without one they take turns at the threads of the storage.
            let together =
                self.run.iorate.is_none() && here.len() > 1 && here.iter().all(|w| alike(&works[*w], &works[here[0]]));
            if together {
                let all: Vec<(&Work, f64)> =
                    here.iter().map(|w| (&works[*w], shares[*w] / works[*w].storage.len() as f64)).collect();
                made.extend(self.job(storage, all[0].0, threads, None, out).and_then(|job| with_lines(job, &all, out)));
            } else {
                if here.len() > 1 {
                    let workloads = here.len();
                    let what = match self.run.iorate {
                        Some(_) => say!(JobThreadsAll { threads, workloads }),
                        None => say!(JobThreadsPart { threads, workloads }),
                    };
                    let hint = "give the workloads storage definitions of their own";
                    out.warn(WarningKind::Approximated, &storage.definition.origin, what, hint);
                }
                for (nth, w) in here.iter().enumerate() {
                    let rate = self.run.iorate.map(|rate| rate * shares[*w] / works[*w].storage.len() as f64);
                    // With a rate threads are there to wait; without, they are the load.
                    let part = match rate {
                        Some(_) => threads,
                        None => {
                            (threads / here.len() as u64 + u64::from((nth as u64) < threads % here.len() as u64)).max(1)
                        }
                    };
                    made.extend(self.job(storage, &works[*w], part, rate, out));
                }
            }
            for mut job in made {
                (job.section, job.group, job.phase) = (*section, *section, self.phase);
                job.seed = join(self.seed, u64::from(*section));
                *section += 1;
                out.push(job, vec![storage.target.clone()], ENGINE, &self.definition.origin);
            }
        }
    }

    /// What `threads` do for `work`.
    fn job(&self, storage: &Storage, work: &Work, threads: u64, rate: Option<f64>, out: &mut Assembly) -> Option<Job> {
        let own = match storage.definition.get("range") {
            Some(p) => Some(range(p, out)?),
            None => None,
        };
        let origin = work.definition.get("range").or(storage.definition.get("range")).map(|p| &p.origin);
        let file = part(&storage.file, work.range.or(own), origin.unwrap_or(&work.definition.origin), out)?;
        let depth = threads as u32;
        let runtime = Duration::from_secs(self.run.elapsed_s);
        let name = format!("{}: {} on {}", self.run.label, work.definition.name, storage.name);
        let mut job = Job::random_read(&name, file.clone(), work.sizes.min(), depth, runtime);
        job.batching = Batching { submit: 1, low: depth, complete_min: 1, complete_max: depth };
        job.ramp = Duration::from_secs(self.run.warmup_s);
        if self.phase > 0 {
            job.start_delay = (Duration::from_secs(self.run.pause_s), Duration::from_secs(self.run.pause_s));
        }
        job.access.cover = false;
        job.stop =
            Stop { bytes: file.len, loops: 1, runtime: Some(runtime), time_based: true, ios: None, by_files: false };
        job.repeat_on_loop = false;
        job.mix = match work.read_percent {
            100 => Mix::Only(Direction::Read),
            0 => Mix::Only(Direction::Write),
            read_percent => Mix::ReadWrite { read_percent },
        };
        job.sizes = PerDirection::all(work.sizes.clone());
        job.align = PerDirection::all(self.align(storage, work, out)?);
        let random = |job: &mut Job, percent| job.access.random_percent = PerDirection::all(percent);
        match work.seek {
            Seek::Percent(percent) => {
                random(&mut job, percent);
                job.access.cursor = Cursor::Shared { start: 0, runs: false };
            }
            Seek::FromAnywhere => {
                random(&mut job, 0);
                let blocks = (file.len / work.sizes.max()).max(1);
                let start = Stream::new(join(self.seed, u64::from(self.phase)), 0).below(blocks) * work.sizes.max();
                job.access.cursor = Cursor::Shared { start, runs: false };
            }
            Seek::ToTheEnd => {
                random(&mut job, 0);
                job.stop.time_based = false;
            }
        }
        self.flags(storage, work, &mut job, out);
        if let Some(rate) = rate {
            let reads = rate * f64::from(work.read_percent) / 100.0;
            let whole = |rate: f64, used: bool| used.then_some((rate.round() as u64).max(1));
            let rates = [whole(reads, work.read_percent > 0), whole(rate - reads, work.read_percent < 100)];
            let sum: u64 = rates.iter().flatten().sum();
            if (sum as f64 / rate - 1.0).abs() > 0.01 {
                let what = say!(JobWholeRates { rate: Figure::decimal(rate, 2, ""), whole: sum.to_string() });
                out.warn(WarningKind::Approximated, &self.definition.origin, what, "write a higher iorate");
            }
            [job.rate.read, job.rate.write] = rates.map(|rate| rate.map(Rate::Iops));
            job.pacing = if self.run.gaps == Gaps::Even { Pacing::Even } else { Pacing::Exponential };
        }
        Some(job)
    }

    fn align(&self, storage: &Storage, work: &Work, out: &mut Assembly) -> Option<u64> {
        let Some(p) = storage.definition.get("align") else { return Some(work.sizes.min()) };
        match values::size(p.one(out)?) {
            Ok(align) if align > 0 && align % 512 == 0 => Some(align),
            _ => {
                out.fail(&p.origin, "is not a multiple of 512", "write align=4k, for example");
                None
            }
        }
    }

    /// How files are opened.
    fn flags(&self, storage: &Storage, work: &Work, job: &mut Job, out: &mut Assembly) {
        let flags = work.flags.or(storage.definition.get("openflags"));
        // On Windows all of these open a file without a buffer; a raw volume has none.
        let windows = storage.file.name.starts_with('\\') || storage.file.name.get(1..2) == Some(":");
        let mut direct = storage.file.name.starts_with(r"\\.\");
        for flag in flags.iter().flat_map(|p| &p.values) {
            match flag.to_ascii_lowercase().as_str() {
                "o_direct" | "directio" | "directio_on" => direct = true,
                "o_sync" | "o_dsync" | "o_rsync" if windows => direct = true,
                "o_sync" | "o_dsync" | "o_rsync" => job.sync.each_write = true,
                "fsync" => job.sync.at_end = true,
                _ => {
                    let origin = flags.map_or(&storage.definition.origin, |p| &p.origin);
                    out.warn(WarningKind::Approximated, origin, say!(JobNoEffect { flag }), "leave it out");
                }
            }
        }
        if !direct {
            let what = say!(JobPageCache);
            out.warn(WarningKind::Buffered, &storage.definition.origin, what, "write openflags=o_direct");
        }
    }
}

/// The part of a file in a range.
fn part(file: &FileExtent, range: Option<(u64, u64)>, origin: &Origin, out: &mut Assembly) -> Option<FileExtent> {
    let Some((from, to)) = range else { return Some(file.clone()) };
    let at = |value: u64| match to <= 100 {
        true => (u128::from(file.len) * u128::from(value) / 100) as u64 / 512 * 512,
        false => value,
    };
    let (from, to) = (at(from), at(to));
    if to > file.len {
        out.fail(origin, format!("ends behind the {} bytes of `{}`", file.len, file.name), "write a smaller range");
        return None;
    }
    Some(FileExtent { offset: file.offset + from, len: to - from, ..file.clone() })
}

/// Workloads that take turns.
fn with_lines(mut job: Job, works: &[(&Work, f64)], out: &mut Assembly) -> Option<Job> {
    let total: f64 = works.iter().map(|(_, share)| share).sum();
    // What is not a size of a request was asked for: `align=`.
    let aligned = (job.align.read != job.sizes.read.min()).then_some(job.align.read);
    let (mut given, mut upto) = (0u8, 0.0);
    for (work, share) in works {
        upto += share / total * 100.0;
        let percent = (upto.round() as u8).min(100) - given;
        given += percent;
        if percent == 0 {
            let hint = "let each have at least 1 % of what is done on its storage, or give it storage of its own";
            out.fail(&work.definition.origin, "has less than half a percent of the requests", hint);
            return None;
        }
        let Seek::Percent(random_percent) = work.seek else { continue };
        let (io_size, read_percent) = (work.sizes.max(), work.read_percent);
        let align = aligned.unwrap_or(io_size);
        job.lines.push(Line { share: percent, io_size, read_percent, random_percent, align, burst: 1 });
    }
    let reads: u32 = job.lines.iter().map(|l| u32::from(l.read_percent) * u32::from(l.share)).sum();
    job.mix = match reads {
        0 => Mix::Only(Direction::Write),
        10_000 => Mix::Only(Direction::Read),
        reads => Mix::ReadWrite { read_percent: (reads / 100) as u8 },
    };
    job.sizes = PerDirection::all(SizeDistribution::Split(job.lines.iter().map(|l| (l.io_size, l.share)).collect()));
    job.align = PerDirection::all(job.lines.iter().map(|l| l.align).min().unwrap_or(512));
    job.name = format!("{}, {} workloads", job.name, works.len());
    Some(job)
}
