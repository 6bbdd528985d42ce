//! One section's settings to one job a clone.
//!
//! Sizes follow fio 3.33: `size` is divided among the files and the first files take what does not divide; `filesize` is
//! for each file; what is given as a percentage is of the device or of the file, which must then be known; clone `k`
//! starts at `offset + k × offset_increment`; fio numbers the clones 0, n-1, n-2 ... 1.

use dw_messages::{Figure, Sentence, say};
use dw_units::{Bytes, Duration};
use dw_workload::rng::scatter;
use dw_workload::{
    Access, Batching, Cursor, Direction, Distribution, FileExtent, FileOrder, Flow, Generator, GeneratorError, Job,
    LatencyReport, Mix, Pacing, PerDirection, Rate, RateFloor, SizeDistribution, Steady, Stop, Strided, SyncPolicy,
    Think, Verify,
};

use super::checks::{self, Engine};
use super::report::WarningKind;
use super::sections::Section;
use super::settings::{NamedFile, RwKind, Settings, split_names};
use super::split;
use super::targets::{Lost, Target, Targets};
use super::value::{Amount, Fault};

/// Larger than any file system; keeps sums within 64 bits.
const SIZE_MAX: u64 = 1 << 60;

/// A fault, and the options of which the first that was written is to be pointed at.
pub(crate) type BuildFault = (&'static [&'static str], Fault);
/// A doubt, likewise.
pub(crate) type BuildDoubt = (WarningKind, &'static [&'static str], Sentence, String);

/// A job whose files are known but not placed yet.
pub(crate) struct Planned {
    pub job: Job,
    /// What each file of the job is; empty for the null engine.
    pub targets: Vec<Target>,
}

/// What all clones of a section share.
pub(crate) struct Numbers {
    pub section: u32,
    pub group: u32,
    pub phase: u32,
    pub wait_for: Option<u32>,
    pub seed: u64,
}

/// The jobs of a section.
pub(crate) fn jobs(
    section: &Section,
    s: &Settings,
    options: &[(String, String)],
    numbers: &Numbers,
    targets: &mut Targets,
    doubts: &mut Vec<BuildDoubt>,
) -> Result<Vec<Planned>, BuildFault> {
    let clones = std::iter::once(0).chain((1..s.numjobs).rev());
    clones
        .map(|clone| {
            let plan = Files { section, s, clone, targets, doubts }.plan()?;
            let planned = one(section, s, options, numbers, clone as u32, plan);
            Generator::check(&planned.job).map_err(cannot_be_drawn)?;
            Ok(planned)
        })
        .collect()
}

/// Requests that cannot be drawn, as a fault of the options that ask for them.
fn cannot_be_drawn(error: GeneratorError) -> BuildFault {
    match error {
        GeneratorError::NoFile => {
            (&["filename", "nrfiles"], Fault::new("leaves the job without a file", "name at least one file"))
        }
        GeneratorError::Size(size) => {
            let what = format!("asks for requests of {size} bytes; they are from 1 byte to below 4 GiB");
            (&["bs", "bsrange", "bssplit"], Fault::new(what, "write a smaller size, for example bs=1m"))
        }
        GeneratorError::TooSmall { file, len, size } => {
            let what = format!("is {size} bytes, more than the {len} bytes that the job uses of `{file}`");
            (&["ba", "bsrange", "bssplit", "bs", "size"], Fault::new(what, "write a smaller one, or a larger size"))
        }
        GeneratorError::Alignment => (&["ba"], Fault::new("is zero", "write a size of at least 1 byte")),
        GeneratorError::Zones { zones, len } => {
            let what = format!("has zones of {zones} bytes together, but the file has {len}");
            (&["random_distribution"], Fault::new(what, "write smaller zones, or a larger size"))
        }
    }
}

/// The files of one clone.
struct Plan {
    files: Vec<FileExtent>,
    targets: Vec<Target>,
    /// fio's `size` after it has looked at the files.
    size: u64,
}

struct Files<'a, 'v> {
    section: &'a Section,
    s: &'a Settings,
    clone: u64,
    targets: &'a mut Targets<'v>,
    doubts: &'a mut Vec<BuildDoubt>,
}

impl Files<'_, '_> {
    fn plan(&mut self) -> Result<Plan, BuildFault> {
        let s = self.s;
        let null = checks::engine(&s.engine) == Engine::Null;
        let names = self.names()?;
        let block = checks::min_size_of_all(s);
        let total = match s.size {
            Some(Amount::Bytes(size)) if size > SIZE_MAX => return Err((&["size"], too_large())),
            Some(Amount::Bytes(size)) if size < block => {
                let what = format!("is less than the smallest block of {block} bytes");
                return Err((&["size"], Fault::new(what, "write a larger size or a smaller bs")));
            }
            Some(Amount::Bytes(size)) => size,
            _ => 0,
        };
        let share = total / names.len().max(1) as u64;
        let mut extra = (total - share * names.len() as u64) / block;
        let mut plan = Plan { files: Vec::new(), targets: Vec::new(), size: 0 };
        let mut sum = 0u64;
        for (i, name) in names.iter().enumerate() {
            let target = if null { None } else { Some(self.locate(name)?) };
            let real = target.as_ref().and_then(|t| self.real_size(t));
            let offset = self.offset(real, block)?;
            let mut len = share;
            if extra > 0 {
                extra -= 1;
                len += block;
            }
            len = self.length(len, offset, real, block, i)?;
            if let Some(Target::Device(at)) = &target {
                len = self.clip(*at, offset, len)?;
            }
            let smallest = self.smallest_used();
            if len < smallest {
                let what =
                    format!("leaves {len} bytes for each of {} files, less than one block of {smallest}", names.len());
                return Err((
                    &["size", "filesize", "nrfiles", "bs"],
                    Fault::new(what, "write a larger size, fewer files or a smaller bs"),
                ));
            }
            let counted = match s.io_size {
                Some(Amount::Percent(percent)) => (u128::from(len) * u128::from(percent) / 100) as u64,
                _ => len,
            };
            sum = sum.saturating_add(counted);
            let end = offset
                .checked_add(len)
                .filter(|end| *end <= SIZE_MAX)
                .ok_or((&["offset", "size"] as &'static [_], too_large()))?;
            if let Some(target) = target {
                let (place, text) = self.pointer(&["size", "filesize", "offset", "nrfiles", "numjobs"]);
                self.targets.need(&target, end, &place, &text);
                let volume = match &target {
                    Target::Device(at) | Target::File(at, _) => self.targets.volume(*at).index,
                };
                plan.files.push(FileExtent { name: name.path.clone(), volume, start: 0, offset, len });
                plan.targets.push(target);
            } else {
                plan.files.push(FileExtent { name: name.path.clone(), volume: 0, start: 0, offset, len });
            }
        }
        plan.size = if total == 0 || (sum > 0 && total > sum) { sum } else { total };
        Ok(plan)
    }

    /// How large a target is. Where nobody says it and it is needed, fio takes the size of the file that exists.
    fn real_size(&mut self, target: &Target) -> Option<u64> {
        let s = self.s;
        let percent = |amount: Amount| matches!(amount, Amount::Percent(1..));
        let open = s.filesize.is_none()
            && (!matches!(s.size, Some(Amount::Bytes(_))) || percent(s.offset) || percent(s.offset_increment));
        // Another job may have left open what this one says.
        if let Some((size, volume)) = self.targets.assumption(target).filter(|_| open) {
            let told = self.doubts.iter().any(|d| d.0 == WarningKind::AssumedSize);
            if !told && !self.targets.is_anywhere() {
                let what = say!(JobFileSizeOpen { size: Bytes::new(size).to_string(), volume });
                let hint = "write size=, or give `--size=` on the command line";
                self.doubts.push((
                    WarningKind::AssumedSize,
                    &["size", "offset", "filename", "directory", "rw"],
                    what,
                    hint.into(),
                ));
            }
        }
        let real = self.targets.real_size(target);
        if real.is_none() && open { Some(self.targets.ask(target)) } else { real }
    }

    /// The paths of this clone, as fio names them.
    fn names(&self) -> Result<Vec<NamedFile>, BuildFault> {
        let (s, section) = (self.s, self.section);
        if !s.named_files.is_empty() {
            let used = s.named_files.iter().take(s.nr_files as usize).cloned().collect::<Vec<_>>();
            return Ok(used);
        }
        let (place, text) = self.pointer(&["directory", "filename_format"]);
        let named = |path: String| NamedFile { path, place: place.clone(), text: text.clone() };
        if s.nr_files == 1
            && s.directory.is_none()
            && matches!(self.targets.locate(&section.name), Ok(Target::Device(_)))
        {
            return Ok(vec![named(section.name.clone())]);
        }
        if self.clone > 0 && s.filename_format.as_ref().is_some_and(|f| !f.to_ascii_lowercase().contains("$jobnum")) {
            let what = "gives all jobs of the section the same names; fio then leaves all but the first without a file";
            return Err((
                &["filename_format"],
                Fault::new(what, "add `.$jobnum` to it, or use filename= to share a file"),
            ));
        }
        let folders = s.directory.as_deref().map(split_names).unwrap_or_default();
        let folder = folders.get(self.clone as usize % folders.len().max(1));
        Ok((0..s.nr_files)
            .map(|i| {
                let name = match &s.filename_format {
                    Some(format) => formatted(format, &section.name, self.clone, i),
                    None => format!("{}.{}.{i}", section.name, self.clone),
                };
                named(folder.map_or(name.clone(), |folder| format!("{}/{name}", folder.trim_end_matches('/'))))
            })
            .collect())
    }

    fn locate(&mut self, file: &NamedFile) -> Result<Target, BuildFault> {
        let points_at: &'static [&'static str] =
            if self.s.named_files.is_empty() { &["directory", "filename_format"] } else { &["filename", "directory"] };
        if let Some(fault) = self.drive_letter(file) {
            return Err((points_at, fault));
        }
        match (self.targets.locate(&file.path), self.targets.only_volume()) {
            (Ok(target), _) => Ok(target),
            (Err(Lost::Relative), Some(at)) => {
                let volume = &self.targets.volume(at).name;
                let what = say!(JobWorkingFolder { path: &file.path, volume });
                let hint = self.targets.hint();
                if !self.doubts.iter().any(|d| d.0 == WarningKind::AssumedVolume) {
                    self.doubts.push((WarningKind::AssumedVolume, points_at, what, hint));
                }
                Ok(Target::File(at, file.path.clone()))
            }
            (Err(Lost::Relative), None) => {
                let what = format!(
                    "names no location for `{}`: fio would use its working directory, but there are {} volumes",
                    file.path,
                    self.targets.count()
                );
                Err((points_at, Fault::new(what, self.targets.hint())))
            }
            (Err(Lost::Elsewhere), _) => {
                let hint = if file.path.starts_with("/dev/") {
                    format!("give a volume of the scenario `device = \"{}\"`; {}", file.path, self.targets.hint())
                } else {
                    self.targets.hint()
                };
                Err((points_at, Fault::new(format!("points at `{}`, which is not on any volume", file.path), hint)))
            }
        }
    }

    /// `F:\\x` without a backslash before the colon is two files to fio, `F` and `\\x`.
    fn drive_letter(&self, file: &NamedFile) -> Option<Fault> {
        let named = &self.s.named_files;
        let at = named.iter().position(|n| n == file)?;
        let letter = |name: &str| {
            name.rsplit('/').next().is_some_and(|n| n.len() == 1 && n.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        let split = letter(&file.path)
            && named.get(at + 1).is_some_and(|next| next.path.starts_with('\\') && next.place == file.place);
        split.then(|| {
            Fault::new(
                "is two files to fio, because a colon separates names",
                "write a backslash before the colon, as in `F\\:\\test.dat`",
            )
        })
    }

    fn offset(&self, real: Option<u64>, block: u64) -> Result<u64, BuildFault> {
        let s = self.s;
        let real = real.or(s.filesize.map(|f| f.0));
        let share = |percent: u8, option: &'static [&'static str]| match real {
            Some(real) => Ok((u128::from(real) * u128::from(percent) / 100) as u64),
            None => Err((
                option,
                Fault::new(
                    "is a percentage of a file of unknown size",
                    "write bytes, or give the file's size with filesize=",
                ),
            )),
        };
        let (increment, mut align) = match s.offset_increment {
            Amount::Percent(0) => (0, false),
            Amount::Percent(percent) => (share(percent, &["offset_increment"])?, true),
            Amount::Bytes(bytes) => (bytes, false),
        };
        let start = match s.offset {
            Amount::Percent(0) => 0,
            Amount::Percent(percent) => {
                align = true;
                share(percent, &["offset"])?
            }
            Amount::Bytes(bytes) => bytes,
        };
        let offset = increment.checked_mul(self.clone).and_then(|i| i.checked_add(start));
        let align = if align { s.offset_align.unwrap_or(block).max(1) } else { 1 };
        offset
            .and_then(|o| o.checked_next_multiple_of(align))
            .filter(|o| *o <= SIZE_MAX)
            .ok_or((&["offset_increment", "offset"], too_large()))
    }

    /// fio's size of one file's used part, before it is compared with the device.
    fn length(&self, share: u64, offset: u64, real: Option<u64>, block: u64, i: usize) -> Result<u64, BuildFault> {
        let s = self.s;
        let beyond = |end: u64| {
            let what = format!("starts at byte {offset} of a file of {end} bytes");
            (&["offset", "offset_increment"] as &'static [_], Fault::new(what, "write a smaller offset"))
        };
        let mut len = match s.filesize {
            Some((low, high)) if real.is_none_or(|real| real < low || real > high) => {
                if low > SIZE_MAX || high > SIZE_MAX {
                    return Err((&["filesize"], too_large()));
                }
                let size = if low == high { low } else { self.drawn(low, high, block, i) };
                size.checked_sub(offset).ok_or_else(|| beyond(size))?
            }
            Some(_) => real.unwrap_or(0).checked_sub(offset).ok_or_else(|| beyond(real.unwrap_or(0)))?,
            None if share > 0 => share,
            None => match real {
                Some(real) => real.checked_sub(offset).filter(|len| *len > 0).ok_or_else(|| beyond(real))?,
                None if matches!(s.size, Some(Amount::Percent(_))) => {
                    return Err((
                        &["size"],
                        Fault::new(
                            "is a percentage of a file of unknown size",
                            "write the size in bytes, or give the file's size with filesize=",
                        ),
                    ));
                }
                None => {
                    let what = "leaves the size open: fio asks for size= where a file does not exist yet";
                    return Err((&["rw"], Fault::new(what, "write size=, for example size=10g")));
                }
            },
        };
        if let Some(Amount::Percent(percent @ 1..=99)) = s.size {
            let whole = len.saturating_add(offset);
            len = ((u128::from(whole) * u128::from(percent) / 100) as u64).min(whole - offset);
            len -= len % block;
        }
        Ok(len)
    }

    /// A size for one file from a range, the same in every run.
    fn drawn(&self, low: u64, high: u64, block: u64, i: usize) -> u64 {
        let draw = scatter(self.clone ^ 0x66_6f ^ scatter(i as u64));
        let size = low + ((u128::from(high - low) * u128::from(draw)) >> 64) as u64;
        (size - size % block).max(low)
    }

    fn clip(&mut self, at: usize, offset: u64, len: u64) -> Result<u64, BuildFault> {
        let volume = self.targets.volume(at);
        let left = volume.size.checked_sub(offset).filter(|left| *left > 0).ok_or_else(|| {
            let what = format!("starts at byte {offset}, but volume `{}` has {} bytes", volume.name, volume.size);
            (&["offset_increment", "offset"] as &'static [_], Fault::new(what, "write a smaller offset, or fewer jobs"))
        })?;
        if len > left && !self.doubts.iter().any(|d| d.0 == WarningKind::LargerThanDevice) {
            let room = Figure::new(left as f64, "B", format!("{left} bytes"));
            let what = say!(JobBeyondVolume { volume: &volume.name, left: room });
            self.doubts.push((
                WarningKind::LargerThanDevice,
                &["size", "filesize"],
                what,
                "write a size that fits".into(),
            ));
        }
        Ok(len.min(left))
    }

    fn smallest_used(&self) -> u64 {
        directions(self.s).into_iter().map(|d| checks::min_size(self.s, d)).min().unwrap_or(1)
    }

    fn pointer(&self, options: &[&str]) -> (super::report::Place, String) {
        let given = options.iter().find_map(|o| self.s.given.get(o));
        given.map_or_else(
            || (self.section.place.clone(), format!("[{}]", self.section.name)),
            |g| (g.place.clone(), g.text.clone()),
        )
    }
}

fn too_large() -> Fault {
    Fault::new("reaches beyond 1 EiB", "write a smaller size")
}

fn formatted(format: &str, job: &str, clone: u64, file: u64) -> String {
    let mut name = format.replace("\\$", "$");
    for (word, value) in [
        ("$jobname", job.to_string()),
        ("$jobnum", clone.to_string()),
        ("$filenum", file.to_string()),
        ("$clientuid", String::new()),
    ] {
        // fio compares without regard to case; a value that holds a word again is not looked at twice.
        let mut from = 0;
        while let Some(at) = name[from..].to_ascii_lowercase().find(word) {
            let at = from + at;
            name.replace_range(at..at + word.len(), &value);
            from = at + value.len();
        }
    }
    name
}

fn directions(s: &Settings) -> Vec<Direction> {
    match s.rw {
        RwKind::Only(direction) => vec![direction],
        RwKind::ReadWrite => vec![Direction::Read, Direction::Write],
        RwKind::TrimWrite => vec![Direction::Trim, Direction::Write],
    }
}

fn one(
    section: &Section,
    s: &Settings,
    options: &[(String, String)],
    numbers: &Numbers,
    clone: u32,
    plan: Plan,
) -> Planned {
    let engine = checks::engine(&s.engine);
    let depth = if engine == Engine::Synchronous { 1 } else { s.iodepth.max(1) as u32 };
    let io_size = match s.io_size {
        Some(Amount::Bytes(bytes)) => bytes,
        _ => plan.size,
    };
    let thread = numbers.seed ^ scatter((u64::from(numbers.section) << 32) | u64::from(clone));
    let job = Job {
        name: s.name.clone().unwrap_or_else(|| section.name.clone()),
        section: numbers.section,
        clone,
        group: numbers.group,
        group_reporting: s.group_reporting,
        description: s.description.clone(),
        options: options.to_vec(),
        phase: numbers.phase,
        wait_for: numbers.wait_for,
        start_delay: (Duration::from_us(s.startdelay.0), Duration::from_us(s.startdelay.1)),
        exit_all: s.exitall,
        queue_depth: depth,
        batching: batching(s, depth),
        null_engine: engine == Engine::Null,
        file_order: file_order(s, plan.files.len()),
        files: plan.files,
        mix: match s.rw {
            RwKind::Only(direction) => Mix::Only(direction),
            RwKind::ReadWrite => Mix::ReadWrite { read_percent: s.rwmixread },
            RwKind::TrimWrite => Mix::TrimThenWrite,
        },
        access: access(s),
        lines: Vec::new(),
        sizes: per_direction(|d| size_of(s, d)),
        sizes_by_order: s.bs_is_seq_rand,
        align: per_direction(|d| s.ba.get(d).filter(|_| s.random).unwrap_or(checks::min_size(s, d))),
        rate: per_direction(|d| rate(s, d)),
        pacing: match (s.poisson, s.offload) {
            (false, false) => Pacing::Linear,
            (true, false) => Pacing::Poisson,
            (false, true) => Pacing::LinearOffload,
            (true, true) => Pacing::PoissonOffload,
        },
        rate_floor: per_direction(|d| match (*s.rate_iops_min.get(d), *s.rate_min.get(d)) {
            (0, 0) => None,
            (0, bytes) => Some(RateFloor::BytesPerSecond(bytes)),
            (iops, _) => Some(RateFloor::Iops(iops)),
        }),
        rate_cycle: Duration::from_ms(s.rate_cycle_ms),
        think: think(s),
        sync: SyncPolicy {
            every_writes: if checks::writes(s) { s.fsync.max(s.fdatasync) as u32 } else { 0 },
            each_write: s.sync_each,
            buffered: !s.direct && checks::engine(&s.engine) != checks::Engine::Null,
            at_end: s.sync_at_end.0 || s.sync_at_end.1,
        },
        verify: verify(s, engine, depth),
        flow: (s.flow > 0).then(|| Flow {
            id: s.flow_id as u32,
            weight: s.flow as u32,
            sleep: Duration::from_us(s.flow_sleep),
        }),
        steady: steady(s),
        stop: Stop {
            bytes: io_size,
            loops: s.loops.max(1) as u32,
            runtime: (s.runtime > 0).then(|| Duration::from_us(s.runtime)),
            time_based: s.time_based && s.runtime > 0,
            // Twice this number, times the loops, stays within 64 bits.
            ios: (s.number_ios > 0).then_some(s.number_ios.min(u64::MAX / 2 / s.loops.max(1))),
            by_files: !counts_issued(engine, depth),
        },
        ramp: Duration::from_us(s.ramp_time),
        seed: s.randseed.map_or(thread, |seed| thread ^ scatter(seed)),
        repeat_on_loop: s.randrepeat && s.randseed.is_none(),
        latency: latency(s),
    };
    Planned { job, targets: plan.targets }
}

fn per_direction<T>(value: impl Fn(Direction) -> T) -> PerDirection<T> {
    PerDirection { read: value(Direction::Read), write: value(Direction::Write), trim: value(Direction::Trim) }
}

/// fio: a batch of 0 or more than the depth is the depth; at most as many completions as must come are taken at once. Both
/// at 0 is polling: one completion is awaited after each request.
fn batching(s: &Settings, depth: u32) -> Batching {
    let within = |n: u64| if n == 0 || n > u64::from(depth) { depth } else { n as u32 };
    let complete_min = s.batch_complete_min.min(u64::from(depth)) as u32;
    let complete_max = s.batch_complete_max.max(s.batch_complete_min).min(u64::from(depth)) as u32;
    Batching { submit: within(s.batch), low: within(s.depth_low), complete_min, complete_max }
}

fn file_order(s: &Settings, files: usize) -> FileOrder {
    let every = s.file_service.1 as u32;
    match s.file_service.0 {
        "sequential" => FileOrder::Sequential,
        // One open file at a time is used until it is done.
        _ if s.open_files == 1 && files > 1 => FileOrder::Sequential,
        "random" => FileOrder::Random(every),
        _ => FileOrder::RoundRobin(every),
    }
}

fn access(s: &Settings) -> Access {
    let uniform = s.distribution == Distribution::Uniform;
    let strided = s.zonemode == Some("strided") || (s.zonemode.is_none() && s.zonesize > 0);
    let range = if s.zonerange == 0 { s.zonesize } else { s.zonerange };
    Access {
        random_percent: if s.random {
            per_direction(|d| *s.percentage_random.get(d) as u8)
        } else {
            PerDirection::all(0)
        },
        random_every: s.random_every as u32,
        identical: s.identical,
        gap: s.gap,
        distribution: if s.random {
            PerDirection::all(s.distribution.clone())
        } else {
            PerDirection::all(Distribution::Uniform)
        },
        // The full period of `lfsr` covers every block even without a map.
        cover: s.random && uniform && (s.lfsr || has_map(s)),
        // fio's zones work with one open file only.
        strided: (strided && s.open_files <= 1 && s.nr_files <= 1).then_some(Strided {
            size: s.zonesize,
            range,
            skip: s.zoneskip,
        }),
        cursor: Cursor::PerDirection,
    }
}

/// fio keeps a map of used blocks, if offsets are drawn evenly.
fn has_map(s: &Settings) -> bool {
    !s.norandommap && !checks::other_alignment(s)
}

/// Whether fio counts the bytes that it has issued in a pass (`bytes_issued` in its `do_io`): only those of requests that are
/// queued, not of those that are done at once.
fn counts_issued(engine: Engine, depth: u32) -> bool {
    engine == Engine::Asynchronous || (engine == Engine::Null && depth > 1)
}

/// Reading back what was written. A job that runs by time comes to it only where fio counts what it has issued.
fn verify(s: &Settings, engine: Engine, depth: u32) -> Option<Verify> {
    let timed = s.time_based && s.runtime > 0;
    let counts = counts_issued(engine, depth);
    let comes_to_it = s.verify_backlog > 0 || !timed || counts;
    (s.verify && s.do_verify && checks::writes(s) && comes_to_it).then(|| Verify {
        backlog: s.verify_backlog,
        batch: if s.verify_batch > 0 { s.verify_batch } else { s.verify_backlog },
        by_offset: !(s.random && s.distribution == Distribution::Uniform && !s.lfsr && has_map(s)),
        ends_timed_passes: timed && counts,
    })
}

fn steady(s: &Settings) -> Option<Steady> {
    let (bytes, slope, limit, percent) = s.steady;
    // fio counts whole seconds.
    let seconds = u32::try_from(s.steady_duration / 1_000_000).ok().filter(|n| *n > 0)?;
    let ramp = Duration::from_us(s.steady_ramp);
    Some(Steady { bytes, slope, limit, percent, duration_s: seconds, ramp })
}

fn size_of(s: &Settings, direction: Direction) -> SizeDistribution {
    let (min, max) = s.bs_limits.get(direction).unwrap_or((*s.bs.get(direction), *s.bs.get(direction)));
    match s.bssplit.get(direction) {
        _ if min == max => SizeDistribution::Fixed(min),
        Some(parts) => SizeDistribution::Split(split::effective(parts).0),
        None => SizeDistribution::Range { min, max, unaligned: s.bs_unaligned },
    }
}

fn rate(s: &Settings, direction: Direction) -> Option<Rate> {
    match (*s.rate.get(direction), *s.rate_iops.get(direction)) {
        (0, 0) => None,
        (0, iops) => Some(Rate::Iops(iops)),
        (bytes, _) => Some(Rate::BytesPerSecond(bytes)),
    }
}

fn think(s: &Settings) -> Option<Think> {
    // With an I/O time and no number of blocks, fio looks at the time only.
    let by_time_only = s.thinktime_iotime > 0 && !s.is_set("thinktime_blocks");
    (s.thinktime > 0).then(|| Think {
        time: Duration::from_us(s.thinktime),
        spin: Duration::from_us(s.thinktime_spin.min(s.thinktime)),
        blocks: if by_time_only { u32::MAX } else { s.thinktime_blocks.max(1) as u32 },
        counted_at_issue: s.thinktime_at_issue,
        io_time: Duration::from_us(s.thinktime_iotime),
        rate_ignores: s.rate_ignore_thinktime,
        overlaps: false,
    })
}

fn latency(s: &Settings) -> LatencyReport {
    LatencyReport {
        percentiles: s.percentiles.clone().unwrap_or_else(|| LatencyReport::default().percentiles),
        clat: s.clat_percentiles && !s.disable_clat,
        slat: s.slat_percentiles && !s.disable_slat,
        lat: s.lat_percentiles && !s.disable_lat,
        disabled: s.disable_lat && s.disable_clat,
        unified: matches!(s.unified, "mixed" | "1"),
    }
}
