//! Definitions to jobs: for each run, one for each storage definition, or for each workload on it.

use dw_units::Duration;
use dw_workload::rng::Stream;
use dw_workload::{
    Batching, Cursor, Direction, FileExtent, Job, Line, Mix, Pacing, PerDirection, Rate, SizeDistribution, Stop, join,
};

use super::runs::{self, Gaps, Run};
use super::values::{self, SIZE_HINT};
use super::words::{Definition, Definitions, Parameter};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;
use crate::fio::targets::Target;

/// What the report says issues.
const ENGINE: &str = "vdbench";
/// Requests outstanding of a storage definition that says nothing.
const THREADS: u64 = 8;
/// Bytes of a request that says nothing.
const XFERSIZE: u64 = 4_096;

/// A place that is read and written.
struct Storage<'d> {
    name: String,
    definition: &'d Definition,
    file: FileExtent,
    target: Target,
    threads: u64,
}

/// Where requests go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seek {
    /// So many percent at random offsets, the others after the one before; at the end from the beginning.
    Percent(u8),
    /// In order, from a random place.
    FromAnywhere,
    /// In order, and done at the end.
    ToTheEnd,
}

/// A workload in a run.
struct Work<'d> {
    definition: &'d Definition,
    storage: Vec<usize>,
    sizes: SizeDistribution,
    read_percent: u8,
    seek: Seek,
    /// Percent of the rate.
    skew: Option<f64>,
    range: Option<(u64, u64)>,
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
        for run in runs::of(definition, out) {
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
    let path = &lun.values[0];
    let numbers: Vec<Option<u64>> = match definition.get("count") {
        Some(count) => match count.values.iter().map(|v| v.parse().ok()).collect::<Option<Vec<u64>>>().as_deref() {
            Some(&[first, many]) if many <= 1_000 && first < 1 << 32 => (first..first + many).map(Some).collect(),
            _ => {
                out.fail(&count.origin, "is no first number and count up to 1,000", "write count=(1,8)");
                return Vec::new();
            }
        },
        None => vec![None],
    };
    let one = |number: Option<u64>, out: &mut Assembly| {
        let name = number.map_or(definition.name.clone(), |n| format!("{}{n}", definition.name));
        let path = number.map_or(path.clone(), |n| numbered(path, n));
        let target = out.locate(&path, &lun.origin)?;
        let size = match definition.get("size") {
            Some(p) => Some(values::size(&p.values[0]).map_err(|what| out.fail(&p.origin, what, SIZE_HINT)).ok()?),
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
            Some(p) => threads(&p.values[0], &p.origin, out)?,
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
        out.fail(origin, format!("`{text}` is no number of threads"), "write 1 to 1000000");
    }
    threads
}

/// Makes the jobs of one run.
struct Maker<'a> {
    all: &'a Definitions,
    storage: &'a [Storage<'a>],
    definition: &'a Definition,
    run: &'a Run,
    phase: u32,
    seed: u64,
}

impl<'a> Maker<'a> {
    fn jobs(&self, section: &mut u32, out: &mut Assembly) {
        let works = self.works(out);
        let Some(shares) = shares(&works, out) else { return };
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
                made.extend(self.job(storage, all[0].0, threads, None, out).map(|job| with_lines(job, &all)));
            } else {
                if here.len() > 1 {
                    let what =
                        format!("shares {threads} threads among {} workloads; here each has its part", here.len());
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

    /// The workloads of the run.
    fn works(&self, out: &mut Assembly) -> Vec<Work<'a>> {
        let workloads: Vec<&'a Definition> = match self.definition.get("wd") {
            Some(p) => chosen(&self.all.workloads, |d| &d.name, p, out),
            None if self.definition.get("sd").is_some() => self.all.unnamed.iter().collect(),
            None => {
                out.fail(&self.definition.origin, "names no workload", "write wd=wd1, or sd=sd1");
                Vec::new()
            }
        };
        workloads.into_iter().filter_map(|definition| self.work(definition, out)).collect()
    }

    fn work(&self, definition: &'a Definition, out: &mut Assembly) -> Option<Work<'a>> {
        let storage = match self.definition.get("sd").or_else(|| definition.get("sd")) {
            Some(p) => {
                let single = ["single", "range"].contains(&p.values[0].as_str()) || p.values[0].starts_with("setsof");
                if single {
                    out.fail(&p.origin, "makes a run for each choice of storage", "write a run definition for each");
                    return None;
                }
                let places: Vec<(usize, &str)> =
                    self.storage.iter().enumerate().map(|(at, s)| (at, s.name.as_str())).collect();
                chosen(&places, |(_, name)| name, p, out).into_iter().map(|(at, _)| *at).collect()
            }
            None => {
                out.fail(&definition.origin, "names no storage", "write sd=sd1, or sd=*");
                return None;
            }
        };
        if let Some(p) = definition.get("iorate") {
            let hint = "write the rate of all workloads in the run definition, and skew here";
            out.fail(&p.origin, "is a rate of one workload, which is not modelled", hint);
        }
        if let Some(p) = definition.get("stride") {
            out.fail(&p.origin, "skips blocks, which is not modelled", "write seekpct=100 or seekpct=0");
        }
        for key in ["rhpct", "whpct"] {
            let (text, origin) = self.value(definition, key).unwrap_or(("0", &definition.origin));
            if text != "0" {
                let what = format!("{key} aims {text} % at a hit area, which is not modelled");
                out.fail(origin, what, "describe the host cache in the scenario: its hits are computed");
            }
        }
        let percent = |text: &str| text.parse::<u8>().ok().filter(|n| *n <= 100);
        let (text, origin) = self.value(definition, "rdpct").unwrap_or(("100", &definition.origin));
        let Some(read_percent) = percent(text) else {
            out.fail(origin, format!("`{text}` is no percentage"), "write 0 to 100");
            return None;
        };
        let (text, origin) = self.value(definition, "seekpct").unwrap_or(("100", &definition.origin));
        let seek = match text.to_ascii_lowercase().as_str() {
            "random" | "rand" => Seek::Percent(100),
            "sequential" | "seq" => Seek::Percent(0),
            "sequentialnz" | "seqnz" => Seek::FromAnywhere,
            "eof" | "-1" => Seek::ToTheEnd,
            text => match percent(text) {
                Some(percent) => Seek::Percent(percent),
                None => {
                    out.fail(
                        origin,
                        format!("`{text}` is no way to seek"),
                        "write 0 to 100, random, seq, seqnz or eof",
                    );
                    return None;
                }
            },
        };
        let skew = match definition.get("skew") {
            Some(p) => Some(
                values::number(&p.values[0]).map_err(|what| out.fail(&p.origin, what, "write a percentage")).ok()?,
            ),
            None => None,
        };
        let sizes = self.sizes(definition, out)?;
        let range = match definition.get("range") {
            Some(p) => Some(range(p, out)?),
            None => None,
        };
        Some(Work { definition, storage, sizes, read_percent, seek, skew: skew.filter(|s| *s > 0.0), range })
    }

    /// The run's value in place of the workload's.
    fn value(&self, definition: &'a Definition, key: &str) -> Option<(&str, &'a Origin)> {
        let own = definition.get(key).map(|p| (p.values[0].as_str(), &p.origin));
        self.run.get(key).map(|text| (text, &self.definition.origin)).or(own)
    }

    fn sizes(&self, definition: &Definition, out: &mut Assembly) -> Option<SizeDistribution> {
        if let Some(size) = self.run.get("xfersize").and_then(|text| text.parse().ok()) {
            return Some(SizeDistribution::Fixed(size));
        }
        let Some(p) = definition.get("xfersize") else { return Some(SizeDistribution::Fixed(XFERSIZE)) };
        let read = match p.values.as_slice() {
            [one] => values::size(one).map(SizeDistribution::Fixed),
            [min, max, align] => values::size(min)
                .and_then(|min| Ok((min, values::size(max)?, values::size(align)?)))
                .and_then(|(min, max, align)| match min == align && min <= max && min > 0 {
                    true => Ok(SizeDistribution::Range { min, max, unaligned: false }),
                    false => {
                        Err("draws from a range whose smallest size is not its step, which is not modelled".into())
                    }
                }),
            pairs if pairs.len() % 2 == 0 => pairs
                .chunks_exact(2)
                .map(|pair| {
                    let share = pair[1].parse::<u8>().map_err(|_| format!("`{}` is no whole percentage", pair[1]))?;
                    Ok((values::size(&pair[0])?, share))
                })
                .collect::<Result<Vec<_>, String>>()
                .and_then(|parts| match parts.iter().map(|part| u32::from(part.1)).sum::<u32>() {
                    100 => Ok(SizeDistribution::Split(parts)),
                    sum => Err(format!("has percentages that come to {sum}")),
                }),
            _ => Err("is no size, pairs of sizes and percentages, or range".into()),
        };
        let zero = |sizes: &SizeDistribution| sizes.min() == 0;
        match read {
            Ok(sizes) if !zero(&sizes) => return Some(sizes),
            Ok(_) => out.fail(&p.origin, "asks for requests of 0 bytes", SIZE_HINT),
            Err(what) => out.fail(&p.origin, what, "write xfersize=4k, (4k,50,8k,50) or (4k,64k,4k)"),
        }
        None
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
        job.stop = Stop { bytes: file.len, loops: 1, runtime: Some(runtime), time_based: true, ios: None };
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
            let all = (rate.round() as u64).max(1);
            let reads = (rate * f64::from(work.read_percent) / 100.0).round() as u64;
            let at_least_one = |rate: u64, used: bool| used.then_some(Rate::Iops(rate.max(1)));
            job.rate.read = at_least_one(reads, work.read_percent > 0);
            job.rate.write = at_least_one(all.saturating_sub(reads), work.read_percent < 100);
            job.pacing = if self.run.gaps == Gaps::Even { Pacing::LinearOffload } else { Pacing::Exponential };
        }
        Some(job)
    }

    fn align(&self, storage: &Storage, work: &Work, out: &mut Assembly) -> Option<u64> {
        let Some(p) = storage.definition.get("align") else { return Some(work.sizes.min()) };
        match values::size(&p.values[0]) {
            Ok(align) if align > 0 && align % 512 == 0 => Some(align),
            _ => {
                out.fail(&p.origin, "is no multiple of 512", "write align=4k, for example");
                None
            }
        }
    }

    /// How files are opened: the innermost definition that says so counts.
    fn flags(&self, storage: &Storage, work: &Work, job: &mut Job, out: &mut Assembly) {
        let flags = [self.definition, work.definition, storage.definition].into_iter().find_map(|d| d.get("openflags"));
        let mut direct = false;
        for flag in flags.iter().flat_map(|p| &p.values) {
            match flag.to_ascii_lowercase().as_str() {
                "o_direct" | "directio" | "directio_on" => direct = true,
                "o_sync" | "o_dsync" | "o_rsync" | "o_dsync_on" => job.sync.each_write = true,
                "fsync" => job.sync.at_end = true,
                _ => {
                    let origin = flags.map_or(&storage.definition.origin, |p| &p.origin);
                    out.warn(WarningKind::Approximated, origin, format!("`{flag}` has no effect here"), "leave it out");
                }
            }
        }
        let windows = storage.file.name.starts_with('\\') || storage.file.name.get(1..2) == Some(":");
        if !direct && !windows {
            let what =
                "goes through the guest's page cache, which is not modelled: every request reaches the disk here";
            out.warn(WarningKind::Buffered, &storage.definition.origin, what, "write openflags=o_direct");
        }
    }
}

/// Definitions by name, wildcard (`sd*`) or range (`sd1-sd4`).
fn chosen<'l, T>(all: &'l [T], name: impl Fn(&'l T) -> &'l str, p: &Parameter, out: &mut Assembly) -> Vec<&'l T> {
    let mut list = Vec::new();
    for value in &p.values {
        let numbered = |text: &str| {
            let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
            Some((stem.to_string(), text[stem.len()..].parse::<u64>().ok()?))
        };
        let range = value.split_once('-').and_then(|(from, to)| Some((numbered(from)?, numbered(to)?)));
        let matches = |item: &&'l T| {
            let name = name(item);
            match (value.strip_suffix('*'), &range) {
                (Some(stem), _) => name.starts_with(stem),
                (None, Some(((stem, from), (_, to)))) => {
                    name == value || numbered(name).is_some_and(|(s, n)| s == *stem && (*from..=*to).contains(&n))
                }
                (None, None) => name == value,
            }
        };
        let before = list.len();
        list.extend(all.iter().filter(matches));
        if list.len() == before {
            let names: Vec<&str> = all.iter().map(&name).take(8).collect();
            out.fail(
                &p.origin,
                format!("`{value}` is defined nowhere"),
                format!("here are defined: {}", names.join(", ")),
            );
        }
    }
    list
}

/// Percent of the rate of each workload; what is left is divided evenly among those that say nothing.
fn shares(works: &[Work], out: &mut Assembly) -> Option<Vec<f64>> {
    let said: f64 = works.iter().filter_map(|w| w.skew).sum();
    let silent = works.iter().filter(|w| w.skew.is_none()).count();
    let off = if silent == 0 { (said - 100.0).abs() > 0.01 } else { said >= 100.0 };
    if let (true, Some(work)) = (off, works.iter().find(|w| w.skew.is_some())) {
        let what = format!("all skews of the run come to {said} %");
        let hint = "let them come to 100, or to less when a workload has none";
        out.fail(&work.definition.get("skew")?.origin, what, hint);
        return None;
    }
    let rest = (100.0 - said) / silent.max(1) as f64;
    Some(works.iter().map(|w| w.skew.unwrap_or(rest) / 100.0).collect())
}

/// A range: of percent, or of bytes.
fn range(p: &Parameter, out: &mut Assembly) -> Option<(u64, u64)> {
    let read = |text: &str| values::size(text);
    match p.values.as_slice() {
        [from, to] => match (read(from), read(to)) {
            (Ok(from), Ok(to)) if from < to && !(101..=200).contains(&to) => return Some((from, to)),
            (Ok(_), Ok(101..=200)) => {
                out.fail(&p.origin, "wraps around the end of the volume, which is not modelled", "end at 100");
            }
            (Err(what), _) | (_, Err(what)) => out.fail(&p.origin, what, SIZE_HINT),
            _ => out.fail(&p.origin, "ends before it begins", "write range=(40,60) in percent, or (1g,2g)"),
        },
        _ => out.fail(&p.origin, "is no pair", "write range=(40,60) in percent, or (1g,2g)"),
    }
    None
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

/// Whether workloads differ in nothing but what a line says.
fn alike(a: &Work, b: &Work) -> bool {
    let fixed = |w: &Work| matches!(w.sizes, SizeDistribution::Fixed(_));
    fixed(a) && fixed(b) && a.range == b.range && matches!((a.seek, b.seek), (Seek::Percent(_), Seek::Percent(_)))
}

/// Workloads that take turns.
fn with_lines(mut job: Job, works: &[(&Work, f64)]) -> Job {
    let total: f64 = works.iter().map(|(_, share)| share).sum();
    let (mut given, mut upto) = (0u8, 0.0);
    for (work, share) in works {
        upto += share / total * 100.0;
        let percent = (upto.round() as u8).min(100) - given;
        given += percent;
        let Seek::Percent(random_percent) = work.seek else { continue };
        let io_size = work.sizes.max();
        let read_percent = work.read_percent;
        job.lines.push(Line { share: percent, io_size, read_percent, random_percent, align: io_size, burst: 1 });
    }
    let reads: u32 = job.lines.iter().map(|l| u32::from(l.read_percent) * u32::from(l.share)).sum();
    job.mix = match reads {
        0 => Mix::Only(Direction::Write),
        10_000 => Mix::Only(Direction::Read),
        reads => Mix::ReadWrite { read_percent: (reads / 100) as u8 },
    };
    job.sizes = PerDirection::all(SizeDistribution::Split(job.lines.iter().map(|l| (l.io_size, l.share)).collect()));
    job.align = PerDirection::all(job.lines.iter().map(|l| l.io_size).min().unwrap_or(512));
    job.name = format!("{}, {} workloads", job.name, works.len());
    job
}
