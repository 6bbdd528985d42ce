//! A setup to jobs: for each run, one a worker and target.
//!
//! Workers run their access specifications one after the other, each for the run time and after the ramp; a worker that has
//! fewer than another waits idle. Cycling outstanding I/Os repeats each of these runs at each depth; cycling targets repeats all of
//! that with more and more targets of each worker, as long as that makes more in all.
//!
//! Source of the cycles: `GalileoView.cpp` of Iometer 1.1.

use dw_messages::say;
use dw_units::Duration;
use dw_workload::{
    Batching, Cursor, Direction, FileExtent, Job, Line, Mix, PerDirection, SizeDistribution, Stop, Think, join,
};

use super::sections::{Access, Cycle, Setup, Spec, Worker};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;
use crate::fio::targets::Target;

/// What the report says issues.
const ENGINE: &str = "Iometer";
/// Sizes of ranges are in sectors of this many bytes; an alignment of 0 is one sector.
const SECTOR: u64 = 512;
/// The test file on a mounted volume.
const TEST_FILE: &str = "iobw.tst";

/// All jobs of all runs.
pub(crate) fn jobs(setup: &Setup, seed: u64, out: &mut Assembly) {
    if let Some((kind, at)) = &setup.test_type {
        out.fail(
            at,
            format!("{kind} is not modelled: it changes workers or targets between runs"),
            "write NORMAL, CYCLE_OUTSTANDING_IOS, CYCLE_TARGETS or CYCLE_OUTSTANDING_IOS_AND_TARGETS",
        );
    }
    if setup.run_s == 0 {
        out.fail(
            &setup.run_origin,
            "gives no run time: Iometer would run until it is stopped",
            "set Run Time in the test setup",
        );
    }
    for spec in &setup.specs {
        check(spec, out);
    }
    let workers: Vec<&Worker> = setup.workers.iter().filter(|w| w.disk).collect();
    if let Some(worker) = setup.workers.iter().find(|w| !w.disk) {
        out.warn(WarningKind::Approximated, &worker.origin, say!(JobNetworkWorker), "remove it");
    }
    if workers.iter().all(|w| w.targets.is_empty()) {
        out.fail(
            &setup.origin,
            "assigns no target to a disk worker",
            "select targets in Iometer and save them with the file",
        );
    }
    if out.failed() {
        return;
    }
    let plan: Vec<(&Worker, Vec<Option<&Spec>>)> = workers.iter().map(|w| (*w, assigned(w, setup, out))).collect();
    let most = plan.iter().map(|p| p.1.len()).max().unwrap_or(0);
    if most == 0 {
        return out.fail(
            &setup.origin,
            "assigns no access specification to a worker",
            "assign one in Iometer and save the file",
        );
    }
    let depths: Vec<Option<u64>> = match setup.queue {
        Some(cycle) => cycle.depths().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let (mut phase, mut section) = (0, 0);
    for number in 0..most {
        let active: Vec<(&Worker, &Spec)> =
            plan.iter().filter_map(|(worker, specs)| Some((*worker, specs.get(number).copied()??))).collect();
        for targets in target_counts(setup.targets, &active) {
            for depth in &depths {
                for (worker, spec) in &active {
                    let depth = depth.unwrap_or(worker.outstanding);
                    let run = Run { setup, worker, spec, depth, targets, phase, seed };
                    run.jobs(&mut section, out);
                }
                phase += 1;
            }
        }
    }
    if phase > 1 && !out.failed() {
        let each = setup.run_s + setup.ramp_s;
        let all = (u64::from(phase) * each).to_string();
        let what = say!(JobRepeats { runs: phase, each: each.to_string(), all });
        out.warn(
            WarningKind::Approximated,
            &setup.run_origin,
            what,
            "assign fewer access specifications, or cycle less, for less",
        );
    }
}

/// How many targets each worker uses in one run after the other: more each time, until no worker has more.
fn target_counts(cycle: Option<Cycle>, active: &[(&Worker, &Spec)]) -> Vec<usize> {
    let Some(cycle) = cycle else { return vec![usize::MAX] };
    let mut counts = Vec::new();
    let mut most = 0;
    for count in cycle.depths() {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let total: usize = active.iter().map(|(worker, _)| worker.targets.len().min(count)).sum();
        if total <= most {
            break;
        }
        most = total;
        counts.push(count);
    }
    // An idle run is a run.
    if counts.is_empty() { vec![usize::MAX] } else { counts }
}

/// The access specifications of a worker; `None` is an idle run.
fn assigned<'s>(worker: &Worker, setup: &'s Setup, out: &mut Assembly) -> Vec<Option<&'s Spec>> {
    if worker.specs.is_empty() {
        return setup.specs.iter().filter(|spec| spec.default).map(Some).collect();
    }
    let mut list = Vec::new();
    for (name, at) in &worker.specs {
        match setup.specs.iter().find(|spec| spec.name == *name) {
            Some(spec) => list.push(Some(spec)),
            None if name.eq_ignore_ascii_case("idle") => list.push(None),
            None => out.fail(
                at,
                "is not an access specification of this file",
                "save the file with its access specifications",
            ),
        }
    }
    list
}

fn check(spec: &Spec, out: &mut Assembly) {
    let sum: u32 = spec.lines.iter().map(|line| u32::from(line.share)).sum();
    if sum != 100 {
        out.fail(&spec.origin, format!("has lines that come to {sum} % of the requests"), "let them come to 100");
    }
    for line in &spec.lines {
        if line.reply > 0 {
            out.fail(&line.origin, "asks for replies, which are for networks", "write 0 as reply");
        }
        if line.size == 0 {
            out.fail(&line.origin, "asks for requests of 0 bytes", "write a size in bytes");
        }
    }
    let used: Vec<&Access> = spec.lines.iter().filter(|line| line.share > 0).collect();
    if let Some(other) =
        used.iter().find(|l| l.delay_ms != used[0].delay_ms || (l.delay_ms > 0 && l.burst != used[0].burst))
    {
        out.fail(
            &other.origin,
            "pauses otherwise than the first line: different delays in one access specification are not modelled",
            "give all its lines the same delay and burst",
        );
    }
}

/// A worker doing one access specification.
struct Run<'s> {
    setup: &'s Setup,
    worker: &'s Worker,
    spec: &'s Spec,
    depth: u64,
    /// Of the worker's targets, so many.
    targets: usize,
    phase: u32,
    seed: u64,
}

impl Run<'_> {
    fn jobs(&self, section: &mut u32, out: &mut Assembly) {
        let worker = self.worker;
        if worker.reopens {
            out.fail(
                &worker.origin,
                "tests the connection rate: it opens its targets again and again, which is not modelled",
                "switch that off",
            );
        }
        let depth = match u32::try_from(self.depth) {
            Ok(depth) if depth > 0 => depth,
            _ => {
                return out.fail(
                    &worker.origin,
                    format!("has {} outstanding I/Os", self.depth),
                    "write 1 to 4,294,967,295",
                );
            }
        };
        for (name, at) in worker.targets.iter().take(self.targets) {
            let Some((file, target)) = self.file(name, at, out) else { continue };
            let mut job = self.job(&file, depth);
            (job.section, job.group) = (*section, *section);
            job.seed = join(self.seed, u64::from(*section));
            *section += 1;
            out.push(job, vec![target], ENGINE, &self.spec.origin);
        }
    }

    /// The range of a target that the worker uses.
    fn file(&self, name: &str, at: &Origin, out: &mut Assembly) -> Option<(FileExtent, Target)> {
        let (path, mounted) = spelled(name);
        let mut target = out.locate(&path, at)?;
        let mut full = path;
        let offset = self.worker.first_sector.checked_mul(SECTOR);
        let size = self.worker.sectors.checked_mul(SECTOR);
        let (Some(offset), Some(size)) = (offset, size) else {
            out.fail(&self.worker.origin, "has a range beyond 64 bits", "write sectors of 512 bytes");
            return None;
        };
        // A test file of no given size fills its volume.
        if mounted && size > 0 {
            full = test_file(&full);
            target = out.locate(&full, at)?;
            out.need(&target, offset.saturating_add(size), &self.worker.origin);
        }
        let all = out.size(&target)?;
        if offset >= all || (size > 0 && size > all - offset) {
            out.fail(
                &self.worker.origin,
                format!("uses more than the {all} bytes of `{name}`"),
                "write a smaller maximum size or starting sector",
            );
            return None;
        }
        let len = if size == 0 { all - offset } else { size };
        let volume = out.volume_index(&target);
        Some((FileExtent { name: full, volume, start: 0, offset, len }, target))
    }

    fn job(&self, file: &FileExtent, depth: u32) -> Job {
        let used: Vec<&Access> = self.spec.lines.iter().filter(|line| line.share > 0).collect();
        let runtime = Duration::from_secs(self.setup.run_s);
        let first = used[0];
        let mut job = Job::random_read(&self.name(), file.clone(), first.size, depth, runtime);
        job.phase = self.phase;
        job.batching = Batching { submit: 1, low: depth, complete_min: 1, complete_max: depth };
        job.ramp = Duration::from_secs(self.setup.ramp_s);
        job.access.cover = false;
        job.access.cursor = Cursor::Shared { start: 0, runs: false };
        job.stop =
            Stop { bytes: file.len, loops: 1, runtime: Some(runtime), time_based: true, ios: None, by_files: false };
        job.repeat_on_loop = false;
        job.mix = match (used.iter().all(|l| l.reads == 100), used.iter().all(|l| l.reads == 0)) {
            (true, _) => Mix::Only(Direction::Read),
            (_, true) => Mix::Only(Direction::Write),
            _ => Mix::ReadWrite { read_percent: first.reads },
        };
        job.access.random_percent = PerDirection::all(first.random);
        job.align = PerDirection::all(align(first));
        job.sizes = PerDirection::all(match used.as_slice() {
            [one] => SizeDistribution::Fixed(one.size),
            all => SizeDistribution::Split(all.iter().map(|l| (l.size, l.share)).collect()),
        });
        if used.len() > 1 {
            job.lines = used.iter().map(|l| line(l)).collect();
            let reads: u32 = used.iter().map(|l| u32::from(l.reads) * u32::from(l.share)).sum();
            if !matches!(job.mix, Mix::Only(_)) {
                job.mix = Mix::ReadWrite { read_percent: (reads / 100) as u8 };
            }
        } else {
            // The next request begins at the next multiple of the alignment.
            let step = first.size.checked_next_multiple_of(align(first)).unwrap_or(first.size);
            job.access.gap = i64::try_from(step - first.size).unwrap_or(0);
        }
        job.think = (first.delay_ms > 0).then(|| Think {
            time: Duration::from_ms(first.delay_ms),
            spin: Duration::ZERO,
            blocks: first.burst,
            counted_at_issue: true,
            io_time: Duration::ZERO,
            rate_ignores: false,
            overlaps: depth > 1,
        });
        job
    }

    fn name(&self) -> String {
        format!("{}: {}", self.worker.name, self.spec.name)
    }
}

fn align(line: &Access) -> u64 {
    if line.align == 0 { SECTOR } else { line.align }
}

fn line(l: &Access) -> Line {
    Line {
        share: l.share,
        io_size: l.size,
        read_percent: l.reads,
        random_percent: l.random,
        align: align(l),
        burst: l.burst,
    }
}

fn test_file(path: &str) -> String {
    let between = if path.starts_with('/') { '/' } else { '\\' };
    format!("{}{between}{TEST_FILE}", path.trim_end_matches(['/', '\\']))
}

/// What is read and written at a target of this name: a device, or the test file of a mounted volume.
pub(crate) fn spelled_file(name: &str) -> String {
    match spelled(name) {
        (path, true) => test_file(&path),
        (path, false) => path,
    }
}

/// The path that a target's name stands for, and whether a test file lies there.
fn spelled(name: &str) -> (String, bool) {
    let bare = name.split([' ', '\t', '"', '[']).next().unwrap_or_default();
    let upper = bare.to_ascii_uppercase();
    if let Some(number) = upper.strip_prefix("PHYSICALDRIVE") {
        return (format!(r"\\.\PhysicalDrive{}", number.trim_start_matches(':')), false);
    }
    let letter = bare.len() == 2 && bare.ends_with(':') && bare.starts_with(|c: char| c.is_ascii_alphabetic());
    if letter || (bare.starts_with('/') && !bare.starts_with("/dev/")) {
        return (bare.into(), true);
    }
    let device = if bare.starts_with('/') || bare.starts_with('\\') { bare.into() } else { format!("/dev/{bare}") };
    (device, false)
}
