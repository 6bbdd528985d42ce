//! What the readers of other tools' files share: faults with their places, targets on volumes, jobs put in their places.
//!
//! A reader decides what a job is; this decides where its files are, as it does for fio, and says what will run.
//!
//! Invariant: a workload comes out only when nothing was faulted.

use std::collections::BTreeMap;

use dw_messages::{Sentence, say};
use dw_units::Bytes;
use dw_workload::{Generator, GeneratorError, Job, Workload};

use crate::fio::explain::StreamExplanation;
use crate::fio::report::{FioError, FioErrors, IgnoredOption, Place, SectionOrigin, Warning, WarningKind, Written};
use crate::fio::targets::{Lost, Target, Targets};
use crate::fio::{FioJobs, VolumeMap};

/// fio's own limit on jobs; nobody else's is lower.
const JOBS_MAX: usize = 4_096;

/// Something that was written, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub place: Place,
    /// The word, or the element.
    pub text: String,
}

/// Faults, doubts, and jobs that have no place yet.
pub(crate) struct Assembly<'a> {
    targets: Targets<'a>,
    planned: Vec<(Job, Vec<Target>, &'static str)>,
    /// Where each section was written.
    origins: Vec<(u32, Origin)>,
    /// And its options.
    options: BTreeMap<u32, BTreeMap<&'static str, Origin>>,
    errors: Vec<FioError>,
    warnings: Vec<Warning>,
    ignored: Vec<IgnoredOption>,
}

impl<'a> Assembly<'a> {
    pub fn new(volumes: &'a [VolumeMap]) -> Self {
        Assembly {
            targets: Targets::new(volumes),
            planned: Vec::new(),
            origins: Vec::new(),
            options: BTreeMap::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            ignored: Vec::new(),
        }
    }

    pub fn fail(&mut self, origin: &Origin, what: impl Into<String>, hint: impl Into<String>) {
        let error = FioError {
            file: origin.place.file.to_string(),
            line: origin.place.line,
            text: origin.text.clone(),
            what: what.into(),
            hint: hint.into(),
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    pub fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    pub fn warn(&mut self, kind: WarningKind, origin: &Origin, what: Sentence, hint: impl Into<String>) {
        let warning = Warning {
            kind,
            file: origin.place.file.to_string(),
            line: origin.place.line,
            text: origin.text.clone(),
            what,
            hint: hint.into(),
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    pub fn ignore(&mut self, option: &'static str, reason: &'static str, origin: &Origin) {
        if !self.ignored.iter().any(|i| i.option == option) {
            let (file, line) = (origin.place.file.to_string(), origin.place.line);
            self.ignored.push(IgnoredOption { file, line, option, reason });
        }
    }

    /// How much has been said so far.
    pub fn mark(&self) -> (usize, usize, usize) {
        (self.errors.len(), self.warnings.len(), self.ignored.len())
    }

    /// What was said since a mark is about this place.
    pub fn relocate(&mut self, (errors, warnings, ignored): (usize, usize, usize), place: &Place) {
        for error in &mut self.errors[errors..] {
            (error.file, error.line) = (place.file.to_string(), place.line);
        }
        for warning in &mut self.warnings[warnings..] {
            (warning.file, warning.line) = (place.file.to_string(), place.line);
        }
        for each in &mut self.ignored[ignored..] {
            (each.file, each.line) = (place.file.to_string(), place.line);
        }
    }

    /// What a path names; a fault says which volumes there are.
    pub fn locate(&mut self, path: &str, origin: &Origin) -> Option<Target> {
        if let Some(at) = self.drive(path) {
            return Some(Target::Device(at));
        }
        match (self.targets.locate(path), self.targets.only_volume()) {
            (Ok(target), _) => Some(target),
            (Err(Lost::Relative), Some(at)) => {
                let volume = self.targets.volume(at).name.clone();
                let hint = self.targets.example_path();
                self.warn(WarningKind::AssumedVolume, origin, say!(JobNoPlace { volume }), hint);
                Some(Target::File(at, path.into()))
            }
            (Err(Lost::Relative), None) => {
                let what = format!(
                    "names no location: it would be in the working directory, but there are {} volumes",
                    self.targets.count()
                );
                let hint = self.targets.example_path();
                self.fail(origin, what, hint);
                None
            }
            (Err(Lost::Elsewhere), _) => {
                let hint = self.targets.example_path();
                self.fail(origin, "is on no volume of the scenario", hint);
                None
            }
        }
    }

    /// The volume of a drive (`F:`), of a mount point, or of a physical drive's device.
    fn drive(&self, path: &str) -> Option<usize> {
        let bare = path.trim_end_matches(['\\', '/']);
        let bare = bare.strip_prefix(r"\\.\").filter(|rest| rest.len() == 2).unwrap_or(bare);
        (0..self.targets.count()).find(|&at| {
            let mount = self.targets.volume(at).mount.as_deref().map(|m| m.trim_end_matches(['\\', '/']));
            mount.is_some_and(|mount| !bare.is_empty() && mount.eq_ignore_ascii_case(bare))
        })
    }

    /// Bytes of the target, as far as that is known: a device's, or what was needed of the file so far.
    pub fn size(&self, target: &Target) -> Option<u64> {
        self.targets.real_size(target)
    }

    /// This file has a size that nobody says.
    pub fn ask(&mut self, target: &Target) {
        self.targets.ask(target);
    }

    /// Takes files whose size was asked for to fill what the others leave of their volumes.
    pub fn fill(&mut self) {
        self.targets.fill();
    }

    /// Says of a file whose size nobody says what it is taken to be.
    pub fn tell_assumption(&mut self, target: &Target, origin: &Origin, hint: &str) {
        let Some((size, volume)) = self.targets.assumption(target).filter(|_| !self.targets.is_anywhere()) else {
            return;
        };
        let what = say!(JobSizeUnsaid { size: Bytes::new(size).to_string(), volume });
        self.warn(WarningKind::AssumedSize, origin, what, hint);
    }

    /// The first `bytes` of this target are needed.
    pub fn need(&mut self, target: &Target, bytes: u64, origin: &Origin) {
        self.targets.need(target, bytes, &origin.place, &origin.text);
    }

    /// The number of a volume in the stack's description.
    pub fn volume_index(&self, target: &Target) -> u16 {
        match target {
            Target::Device(at) | Target::File(at, _) => self.targets.volume(*at).index,
        }
    }

    /// Takes a job whose files are at `targets`, one each; `origin` stands for its section, `engine` says what issues.
    pub fn push(&mut self, job: Job, targets: Vec<Target>, engine: &'static str, origin: &Origin) {
        if self.planned.len() >= JOBS_MAX {
            return self.fail(
                origin,
                format!("makes more than {JOBS_MAX} streams"),
                "ask for fewer threads or targets",
            );
        }
        match Generator::check(&job) {
            Ok(()) => {}
            Err(GeneratorError::TooSmall { file, len, size }) => {
                let what = format!("leaves {len} bytes of `{file}`, less than one request of {size} bytes");
                return self.fail(origin, what, "write a larger target or a smaller request");
            }
            Err(error) => return self.fail(origin, format!("cannot run: {error}"), "correct its sizes"),
        }
        if self.origins.last().is_none_or(|(section, _)| *section != job.section) {
            self.origins.push((job.section, origin.clone()));
        }
        self.planned.push((job, targets, engine));
    }

    /// Where the options of a section were written.
    pub fn written(&mut self, section: u32, options: &BTreeMap<&'static str, Origin>) {
        self.options.entry(section).or_insert_with(|| options.clone());
    }

    /// The workload, or everything that is wrong.
    pub fn finish(mut self, volumes: &[VolumeMap]) -> Result<FioJobs, FioErrors> {
        let placed = match self.targets.allocate() {
            Ok(placement) => Some(placement),
            Err(overflows) => {
                for o in overflows {
                    let origin = Origin { place: o.place, text: o.text };
                    self.fail(&origin, o.what, "write a smaller size, or give the volume more room");
                }
                None
            }
        };
        let Some(placement) = placed.filter(|_| self.errors.is_empty()) else {
            return Err(FioErrors(self.errors));
        };
        let mut jobs = Vec::with_capacity(self.planned.len());
        let mut engines = Vec::with_capacity(self.planned.len());
        for (mut job, targets, engine) in self.planned {
            for (file, target) in job.files.iter_mut().zip(&targets) {
                file.start = placement.start(target);
            }
            jobs.push(job);
            engines.push(engine);
        }
        let explain = explain(&jobs, &engines, volumes);
        let workload = Workload { jobs };
        let written =
            |at: &Origin| Written { file: at.place.file.to_string(), line: at.place.line, text: at.text.clone() };
        let origins = self.origins.iter().map(|(section, at)| {
            let options = self.options.get(section).into_iter().flatten().map(|(name, at)| (*name, written(at)));
            SectionOrigin { section: *section, itself: written(at), options: options.collect() }
        });
        Ok(FioJobs {
            workload,
            origins: origins.collect(),
            ignored: self.ignored,
            warnings: self.warnings,
            explain,
            global_options: Vec::new(),
        })
    }
}

fn explain(jobs: &[Job], engines: &[&'static str], volumes: &[VolumeMap]) -> Vec<StreamExplanation> {
    let name = |index| {
        let found = volumes.iter().find(|v| v.index == index);
        found.map_or_else(|| format!("volume {index}"), |v| format!("`{}`", v.name))
    };
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(job) = jobs.get(at) {
        let clones = jobs[at..].iter().take_while(|j| j.section == job.section).count();
        list.extend(StreamExplanation::new(&jobs[at..at + clones], engines[at], name));
        at += clones;
    }
    list
}
