//! From text to jobs: the command line, every file, every section, and what holds between them.
//!
//! As fio does: command-line options are defaults of the first file's jobs, and the file wins; each further file starts
//! from fio's defaults again, behind a stonewall; `--section` selects in the first file.

use std::collections::BTreeSet;
use std::sync::Arc;

use dw_messages::{Sentence, say};
use dw_workload::Job;

use super::build::{self, BuildDoubt, Numbers, Planned};
use super::checks::{self, Engine};
use super::explain::StreamExplanation;
use super::option_table::{self, Kind, OptionInfo, Treatment};
use super::report::{FioError, FioErrors, IgnoredOption, Place, SectionOrigin, Warning, WarningKind, Written};
use super::sections::{self, Section};
use super::settings::{Given, Settings};
use super::substitute::substitute;
use super::targets::{Target, Targets};
use super::typed;
use super::value::{Fault, Reading};
use super::{FioInput, FioJobs, VolumeMap};

/// fio's own limit on jobs.
const JOBS_MAX: u64 = 4_096;
/// Files in a run; fio would need as many inodes.
const FILES_MAX: u64 = 1 << 20;
/// How places on the command line are named.
const COMMAND_LINE: &str = "command line";

pub(crate) fn read(input: &FioInput) -> Result<FioJobs, FioErrors> {
    let mut run = Run {
        input,
        errors: Vec::new(),
        warnings: Vec::new(),
        ignored: Vec::new(),
        global_options: Vec::new(),
        sections: Vec::new(),
        only_global: Vec::new(),
    };
    let (mut base, selected) = run.command_line();
    for (i, (name, text)) in input.files.iter().enumerate() {
        if i > 0 {
            base = run.fresh();
            run.global_options.clear();
        }
        run.file(i, name, text, base.clone(), if i == 0 { &selected } else { &[] });
    }
    run.further_files(!selected.is_empty());
    run.finish()
}

/// A section whose options were applied.
struct Applied {
    section: Section,
    settings: Settings,
    /// Canonical names and texts, as fio's JSON shows them.
    options: Vec<(String, String)>,
}

/// The defaults of the sections that follow, and whether they could be read.
#[derive(Clone)]
struct Base {
    settings: Settings,
    broken: bool,
}

/// `option` or `option=value` with its place, ready to be applied.
struct Item {
    name: String,
    value: Option<String>,
    given: Given,
}

struct Run<'a> {
    input: &'a FioInput<'a>,
    errors: Vec<FioError>,
    warnings: Vec<Warning>,
    ignored: Vec<IgnoredOption>,
    global_options: Vec<(String, String)>,
    sections: Vec<Applied>,
    /// Files that hold nothing but `[global]`: the section, and what it sets.
    only_global: Vec<(Section, Base)>,
}

impl Run<'_> {
    fn fresh(&self) -> Base {
        let reading = Reading { blanks_as_fio: self.input.options.blank_values_as_fio, ..Reading::default() };
        Base { settings: Settings { reading, ..Settings::default() }, broken: false }
    }

    /// Options of the command line: defaults, jobs of their own after a `name`, and the selected sections.
    fn command_line(&mut self) -> (Base, Vec<String>) {
        let file: Arc<str> = Arc::from(COMMAND_LINE);
        let mut base = self.fresh();
        let mut selected = Vec::new();
        let mut globals = Vec::new();
        let mut jobs: Vec<(Section, Vec<Item>)> = Vec::new();
        for (i, (name, value)) in self.input.overrides.iter().enumerate() {
            let place = Place { file: file.clone(), line: i + 1 };
            let text = value.as_ref().map_or_else(|| format!("--{name}"), |value| format!("--{name}={value}"));
            let given = Given { place: place.clone(), text };
            match (name.as_str(), value) {
                ("section", Some(section)) if section == "global" => {
                    self.fail(&given, "selects no job: `global` is not one", "name a job's section");
                }
                ("section", Some(section)) => selected.push(section.clone()),
                ("name", Some(job)) if !job.starts_with("global") => {
                    let item = Item { name: name.clone(), value: value.clone(), given };
                    jobs.push((Section { name: job.clone(), place, lines: Vec::new(), broken: false }, vec![item]));
                }
                ("name", Some(_)) => {}
                (name, _) if option_table::of_the_terminal(name).is_some() => {
                    if let Some((name, _, reason)) = option_table::of_the_terminal(name) {
                        self.ignore(name, reason, &given);
                    }
                }
                _ => {
                    let item = Item { name: name.clone(), value: value.clone(), given };
                    match jobs.last_mut() {
                        Some(job) => job.1.push(item),
                        None => globals.push(item),
                    }
                }
            }
        }
        let mut options = Vec::new();
        base.broken = !self.apply_all(globals, &mut base.settings, &mut options);
        self.global_options.extend(options);
        for (section, items) in jobs {
            if selected.is_empty() || selected.contains(&section.name) {
                self.section(section, items, base.clone());
            }
        }
        (base, selected)
    }

    fn file(&mut self, index: usize, name: &str, text: &str, mut base: Base, selected: &[String]) {
        let before = (self.sections.len(), self.errors.len());
        let mut stonewall = index > 0;
        let mut skipped = Vec::new();
        let mut global = None;
        if text.starts_with('\u{feff}') {
            let given = Given { place: Place { file: Arc::from(name), line: 1 }, text: "[U+FEFF]".into() };
            self.warn(
                WarningKind::ByteOrderMark,
                &given,
                say!(JobByteOrderMark),
                "save the file as UTF-8 without BOM".into(),
            );
        }
        for section in sections::sections(name, text, self.input.options.include, &mut self.errors) {
            if section.is_global() {
                let items = self.items(&section);
                let mut options = Vec::new();
                base.broken |= items.is_none() || section.broken;
                base.broken |= !self.apply_all(items.unwrap_or_default(), &mut base.settings, &mut options);
                self.global_options.extend(options);
                global.get_or_insert(section);
                continue;
            }
            if !selected.is_empty() && !selected.contains(&section.name) {
                skipped.push(section.name);
                continue;
            }
            let mut base = base.clone();
            base.settings.stonewall |= std::mem::take(&mut stonewall);
            let items = self.items(&section);
            base.broken |= items.is_none();
            self.section(section, items.unwrap_or_default(), base);
        }
        // Of options that could not be read the fault has been told already.
        if before != (self.sections.len(), self.errors.len()) || base.broken {
            return;
        }
        match global {
            Some(section) if skipped.is_empty() => self.only_global.push((section, base)),
            _ => self.no_job(name, &skipped),
        }
    }

    /// fio starts nothing for a file with `[global]` alone, and its options reach no other. Where there is no other job, it is
    /// run here as one: that is what such a file is shown for.
    fn globals_alone(&mut self) {
        let alone = self.sections.is_empty() && self.errors.is_empty();
        for (section, base) in std::mem::take(&mut self.only_global) {
            let given = Given { place: section.place.clone(), text: format!("[{}]", section.name) };
            let (what, hint) = if alone {
                (say!(JobOnlyGlobal), "write a section below it, for example `[job1]`")
            } else {
                (say!(JobOnlyGlobalUnused), "name it in their [global] with `include`")
            };
            self.warn(WarningKind::OnlyGlobal, &given, what, hint.into());
            if alone {
                self.sections.push(Applied { section, settings: base.settings, options: Vec::new() });
            }
        }
    }

    fn no_job(&mut self, name: &str, skipped: &[String]) {
        // A section that failed has been reported already.
        let (what, hint) = if skipped.is_empty() {
            (
                "contains no job section: fio starts nothing".to_string(),
                "write a section, for example `[job1]`, with at least rw= and size=".to_string(),
            )
        } else {
            ("contains no selected section".to_string(), format!("its sections are {}", skipped.join(", ")))
        };
        self.errors.push(FioError { file: name.into(), line: 1, text: name.into(), what, hint });
    }

    /// The lines of a section with everything substituted; `None` if one could not be.
    fn items(&mut self, section: &Section) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        let mut whole = true;
        for line in &section.lines {
            let written = Given { place: line.place.clone(), text: shorten(&line.text) };
            match substitute(&line.text, self.input.env, self.input.options.keywords) {
                Ok(text) => {
                    let (name, value) =
                        text.split_once('=').map_or((text.as_str(), None), |(n, v)| (n.trim_end(), Some(v)));
                    let given = Given { place: line.place.clone(), text: shorten(&text) };
                    items.push(Item { name: name.into(), value: value.map(Into::into), given });
                }
                Err(fault) => {
                    whole = false;
                    self.fault(&written, fault);
                }
            }
        }
        whole.then_some(items)
    }

    fn section(&mut self, section: Section, items: Vec<Item>, base: Base) {
        let mut applied = Applied { section, settings: base.settings, options: Vec::new() };
        applied.settings.name = None;
        let whole = self.apply_all(items, &mut applied.settings, &mut applied.options);
        if whole && !base.broken && !applied.section.broken {
            self.sections.push(applied);
        }
    }

    /// Applies options in fio's order; false if one was refused.
    fn apply_all(
        &mut self,
        mut items: Vec<Item>,
        settings: &mut Settings,
        options: &mut Vec<(String, String)>,
    ) -> bool {
        items.sort_by_key(|item| -OptionInfo::find(&item.name).map_or(0, |o| o.order));
        let mut of_engine = Vec::new();
        let mut whole = true;
        for item in items {
            match OptionInfo::find(&item.name) {
                Some(option) => whole &= self.apply(option, &item, settings, options),
                None => of_engine.push(item),
            }
        }
        // fio looks at the engine's own options once it knows the engine.
        for item in of_engine {
            match OptionInfo::find_of_engine(&item.name, &settings.engine) {
                Some(option) => whole &= self.apply(option, &item, settings, options),
                None if matches!(checks::engine(&settings.engine), Engine::Other(_) | Engine::Unknown) => {
                    // Perhaps an option of an engine that is refused anyway.
                }
                None => {
                    whole = false;
                    let (what, hint) = unknown(&item.name, item.value.as_deref(), &settings.engine);
                    self.fail(&item.given, &what, &hint);
                }
            }
        }
        whole
    }

    fn apply(
        &mut self,
        option: &'static OptionInfo,
        item: &Item,
        settings: &mut Settings,
        options: &mut Vec<(String, String)>,
    ) -> bool {
        let value = item.value.as_deref();
        self.note_blank(option, value, settings, &item.given);
        self.note_unit(option, value, settings, &item.given);
        if let Some(text) = value.filter(|text| typed::looks_like_a_range(option, text)) {
            let parts = text.trim().trim_end_matches(',').replace(['-', ':'], ",");
            let range = if option.name == "bs" {
                format!("write `bsrange={}` for a range; ", text.trim())
            } else {
                String::new()
            };
            let hint = format!("{range}write `{}={parts}` for reads and writes", option.name);
            self.warn(WarningKind::NotARange, &item.given, say!(JobNotARange), hint);
        }
        if let Some((reads, writes)) = value.and_then(|text| typed::thousands(option, text)) {
            let plain = value.unwrap_or_default().trim().replace(',', "");
            let hint = format!("write `{}={plain}` if that is meant", option.name);
            let number = |text: &str| text.trim_start_matches('0').to_string();
            let (reads, writes) = (number(reads), if writes == "000" { "0".into() } else { number(writes) });
            self.warn(WarningKind::Thousands, &item.given, say!(JobThousands { reads, writes }), hint);
        }
        self.note_override(option, &item.given, settings);
        let mut notes = Vec::new();
        let result = settings.apply(option, value, item.given.clone(), &mut notes);
        for (kind, what, hint) in notes {
            self.warn(kind, &item.given, what, hint);
        }
        match (&option.treatment, result) {
            (_, Err(fault)) => {
                self.fault(&item.given, fault);
                return false;
            }
            (Treatment::Ignore(reason), _) => self.ignore(option.name, reason, &item.given),
            (Treatment::Unless { .. }, _) => self.ignore(option.name, "has its harmless value", &item.given),
            (Treatment::Leaked, _) => {
                let hint = match option.name {
                    "block" => "for the block size write bs=",
                    "threads" => "for the number of jobs write numjobs=",
                    "dir" => "for the directory write directory=",
                    "numruns" => "for repetitions write loops=",
                    "test-duration" => "for the run time write runtime=",
                    _ => "remove the line",
                };
                self.warn(WarningKind::ProfileOption, &item.given, say!(JobProfileOption), hint.into());
            }
            _ => {}
        }
        // What was written bare has no text: fio's JSON leaves it out.
        options.push((option.name.into(), value.unwrap_or_default().into()));
        true
    }

    fn note_blank(&mut self, option: &OptionInfo, value: Option<&str>, settings: &Settings, given: &Given) {
        let strict = Reading { blanks_as_fio: false, ..settings.reading };
        if settings.reading.blanks_as_fio
            && value.is_some_and(|v| v.starts_with([' ', '\t']))
            && typed::read(option, value, &strict).is_err()
            && typed::read(option, value, &settings.reading).is_ok()
        {
            self.warn(
                WarningKind::BlankValue,
                given,
                say!(JobBlankValue),
                "remove the space to get the written value".into(),
            );
        }
    }

    /// fio swaps binary and decimal units on purpose, to stay compatible; nobody who writes `MiB` expects it.
    fn note_unit(&mut self, option: &OptionInfo, value: Option<&str>, settings: &Settings, given: &Given) {
        let sized =
            matches!(option.kind, Kind::U32 | Kind::U64 | Kind::Percent | Kind::Range) || option.name == "bssplit";
        let Some(value) = value.filter(|_| sized && settings.reading.kb_base == 1_024) else { return };
        let words = value.split(|c: char| !c.is_ascii_alphanumeric());
        let is_binary = |word: &&str| {
            let unit = word.trim_start_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
            matches!(unit.as_str(), "kib" | "mib" | "gib" | "tib" | "pib") && unit.len() < word.len()
        };
        if let Some(word) = words.into_iter().find(is_binary) {
            let short = &word[..word.len() - 2];
            let what = say!(JobReversedUnit { word, short });
            self.warn(
                WarningKind::ReversedUnit,
                given,
                what,
                format!("write `{short}`, or set kb_base=1000 to turn all units"),
            );
        }
    }

    fn note_override(&mut self, option: &OptionInfo, given: &Given, settings: &Settings) {
        let Some(earlier) = settings.given.get(option.name) else { return };
        let same = |text: &str| text.split_once('=').map_or(String::new(), |(_, value)| value.trim().to_string());
        if &*earlier.place.file == COMMAND_LINE
            && &*given.place.file != COMMAND_LINE
            && same(&earlier.text) != same(&given.text)
            && option.name != "filename"
        {
            let what = say!(JobOverridden { earlier: &earlier.text });
            self.warn(
                WarningKind::OverrideWithoutEffect,
                given,
                what,
                "change this line, or remove it to let the command line decide".into(),
            );
        }
    }

    /// fio forgets the command line after the first file.
    fn further_files(&mut self, selected: bool) {
        let Some((second, _)) = self.input.files.get(1) else { return };
        if self.input.overrides.is_empty() {
            return;
        }
        let given = Given { place: Place { file: Arc::from(second.as_str()), line: 1 }, text: second.clone() };
        let what = if selected { say!(JobFurtherFileSection) } else { say!(JobFurtherFile) };
        self.warn(
            WarningKind::OverrideFirstFileOnly,
            &given,
            what,
            "write the options into the file, or run the files one by one".into(),
        );
    }

    fn finish(mut self) -> Result<FioJobs, FioErrors> {
        self.globals_alone();
        let sections = std::mem::take(&mut self.sections);
        if sections.is_empty() && self.errors.is_empty() {
            let given = Given { place: Place { file: Arc::from(COMMAND_LINE), line: 1 }, text: String::new() };
            self.fail(&given, "names no job", "give a job file");
        }
        let mut targets = Targets::new(self.input.volumes);
        let told = (self.errors.len(), self.warnings.len());
        let mut planned = self.plan(&sections, &mut targets);
        if let Some(filled) = targets.filled() {
            // Once more, now that it is known how much room there is for files whose size nobody says.
            targets = filled;
            self.errors.truncate(told.0);
            self.warnings.truncate(told.1);
            planned = self.plan(&sections, &mut targets);
        }
        self.between(&sections);
        let placement = match targets.allocate() {
            Ok(placement) => Some(placement),
            Err(overflows) => {
                for o in overflows {
                    self.fail(
                        &Given { place: o.place, text: o.text },
                        &o.what,
                        "make the files smaller or fewer (size=, nrfiles=, numjobs=), or the volume larger",
                    );
                }
                None
            }
        };
        let (Some(placement), true) = (placement, self.errors.is_empty()) else {
            return Err(FioErrors(unique(self.errors)));
        };
        let mut jobs = FioJobs {
            ignored: self.ignored,
            warnings: unique(self.warnings),
            global_options: self.global_options,
            ..FioJobs::default()
        };
        for (applied, clones) in sections.iter().zip(planned) {
            let clones: Vec<Job> = clones.into_iter().map(|planned| place(planned, |t| placement.start(t))).collect();
            let volume = |index: u16| describe(self.input.volumes, index);
            jobs.explain.extend(StreamExplanation::new(&clones, &applied.settings.engine, volume));
            if let Some(job) = clones.first() {
                jobs.origins.push(origin(applied, job.section));
            }
            jobs.workload.jobs.extend(clones);
        }
        Ok(jobs)
    }

    /// Sections to jobs: contradictions, numbers, files.
    fn plan(&mut self, sections: &[Applied], targets: &mut Targets) -> Vec<Vec<Planned>> {
        let (mut group, mut phase) = (0, 0);
        let (mut jobs_so_far, mut files_so_far) = (0u64, 0u64);
        let mut planned = Vec::new();
        for (i, applied) in sections.iter().enumerate() {
            let s = &applied.settings;
            // A wall behind jobs that are left out holds nobody back.
            if sections[..i].iter().any(|a| checks::no_data(&a.settings.engine).is_none()) {
                group += u32::from(s.stonewall || s.new_group);
                phase += u32::from(s.stonewall);
            }
            let wait_for = self.wait_for(sections, i);
            if let Some(why) = checks::no_data(&s.engine) {
                self.no_data(sections, i, why);
                planned.push(Vec::new());
                continue;
            }
            let contradictions = checks::contradictions(s);
            for (kind, options, what, hint) in checks::doubts(s) {
                self.warn(kind, &pointer(applied, options), what, hint.into());
            }
            if !contradictions.is_empty() {
                for (options, fault) in contradictions {
                    self.fault(&pointer(applied, options), fault);
                }
                continue;
            }
            jobs_so_far = jobs_so_far.saturating_add(s.numjobs);
            files_so_far = files_so_far.saturating_add(s.numjobs.saturating_mul(s.nr_files));
            if jobs_so_far > JOBS_MAX || files_so_far > FILES_MAX {
                let what = if jobs_so_far > JOBS_MAX {
                    format!("{JOBS_MAX} jobs that fio runs")
                } else {
                    format!("{FILES_MAX} files")
                };
                let given = pointer(applied, &["numjobs", "nrfiles"]);
                self.fail(&given, &format!("makes more than the {what}"), "write less (numjobs, nrfiles)");
                break;
            }
            let numbers = Numbers { section: i as u32, group, phase, wait_for, seed: self.input.seed };
            let mut doubts: Vec<BuildDoubt> = Vec::new();
            match build::jobs(&applied.section, s, &applied.options, &numbers, targets, &mut doubts) {
                Ok(jobs) => planned.push(jobs),
                Err((options, fault)) => self.fault(&pointer(applied, options), fault),
            }
            for (kind, options, what, hint) in doubts {
                self.warn(kind, &pointer(applied, options), what, hint);
            }
        }
        planned
    }

    /// A job that moves no data is left out; there must be others.
    fn no_data(&mut self, sections: &[Applied], i: usize, why: Sentence) {
        let given = pointer(&sections[i], &["ioengine"]);
        if sections.iter().all(|a| checks::no_data(&a.settings.engine).is_some()) {
            let what = format!("does no disk I/O: {why}, so there is nothing to simulate");
            let hint = "to see what the file system's own writes cost, write small durable ones: rw=write, bs=4k, fsync=1, ioengine=psync";
            return self.fail(&given, &what, hint);
        }
        self.warn(WarningKind::NoData, &given, say!(JobLeftOut { why }), "remove the section".into());
    }

    fn wait_for(&mut self, sections: &[Applied], i: usize) -> Option<u32> {
        let awaited = sections[i].settings.wait_for.as_deref()?;
        let name = |a: &Applied| a.settings.name.clone().unwrap_or_else(|| a.section.name.clone());
        let found: Vec<usize> = (0..i).filter(|k| name(&sections[*k]) == awaited).collect();
        let (what, hint) = match found.as_slice() {
            [one] => return Some(*one as u32),
            _ if sections[i].section.name == awaited => ("waits for itself", "name another job above"),
            [] => {
                ("waits for a job that is not above this one", "move the job that it waits for up, or correct the name")
            }
            _ => ("waits for a name that several jobs have", "give the jobs different names"),
        };
        self.fail(&pointer(&sections[i], &["wait_for"]), what, hint);
        None
    }

    /// `exitall` ends the jobs of a reporting group, of everything up to the next stonewall, or all; here, of a phase.
    fn between(&mut self, sections: &[Applied]) {
        self.flows(sections);
        self.steady_states(sections);
        let Some(exit) = sections.iter().find(|a| a.settings.exitall) else { return };
        let starts_group = |a: &Applied| a.settings.new_group && !a.settings.stonewall;
        let groups_differ = sections.iter().skip(1).any(starts_group);
        let phases_differ = sections.iter().skip(1).any(|a| a.settings.stonewall);
        for applied in sections {
            let (what, hint) = match applied.settings.exit_what {
                "group" if groups_differ => (
                    "together with new_group is not modelled: it would end only the jobs of its reporting group",
                    "write exit_what=stonewall, or remove new_group",
                ),
                "all" if phases_differ => (
                    "with exit_what=all is not modelled: it would keep later jobs behind a stonewall from starting",
                    "write exit_what=stonewall, or run the jobs in separate files",
                ),
                _ => continue,
            };
            return self.fail(&pointer(exit, &["exitall"]), what, hint);
        }
    }

    /// The jobs of a flow wait for each other: fio counts those behind a wall from the start, so the others would wait for ever.
    fn flows(&mut self, sections: &[Applied]) {
        let mut phase = 0;
        let mut seen: Vec<(u64, u32)> = Vec::new();
        for (i, applied) in sections.iter().enumerate() {
            let s = &applied.settings;
            phase += u32::from(i > 0 && s.stonewall);
            if s.flow == 0 {
                continue;
            }
            let apart = seen.iter().any(|(id, at)| *id == s.flow_id && *at != phase) || s.wait_for.is_some();
            seen.push((s.flow_id, phase));
            if apart {
                let what = "waits for jobs of the same flow that do not run at its time: fio would wait for ever";
                let hint = "give jobs that run after each other different numbers with flow_id=";
                return self.fail(&pointer(applied, &["flow", "flow_id"]), what, hint);
            }
        }
    }

    /// fio refuses a reporting group whose jobs look for different steady states.
    fn steady_states(&mut self, sections: &[Applied]) {
        let looks_for =
            |s: &Settings| (s.steady_duration / 1_000_000 > 0).then_some((s.steady, s.steady_duration, s.steady_ramp));
        for pair in sections.windows(2) {
            let (before, after) = (&pair[0].settings, &pair[1].settings);
            if after.stonewall || after.new_group || looks_for(before) == looks_for(after) {
                continue;
            }
            let pointed = if looks_for(after).is_some() { &pair[1] } else { &pair[0] };
            let what = "is not that of all jobs of the reporting group: fio refuses them";
            let hint = "write it in [global], or put the jobs apart with new_group or stonewall";
            let given = pointer(pointed, &["steadystate", "steadystate_duration"]);
            return self.fail(&given, what, hint);
        }
    }

    fn ignore(&mut self, option: &'static str, reason: &'static str, given: &Given) {
        if !self.ignored.iter().any(|i| i.option == option) {
            self.ignored.push(IgnoredOption {
                file: given.place.file.to_string(),
                line: given.place.line,
                option,
                reason,
            });
        }
    }

    fn warn(&mut self, kind: WarningKind, given: &Given, what: Sentence, hint: String) {
        let (file, line) = (given.place.file.to_string(), given.place.line);
        self.warnings.push(Warning { kind, file, line, text: given.text.clone(), what, hint });
    }

    fn fault(&mut self, given: &Given, fault: Fault) {
        self.fail(given, &fault.what, &fault.hint);
    }

    fn fail(&mut self, given: &Given, what: &str, hint: &str) {
        self.errors.push(FioError {
            file: given.place.file.to_string(),
            line: given.place.line,
            text: given.text.clone(),
            what: what.into(),
            hint: hint.into(),
        });
    }
}

/// The first of these options that was written, or the section itself.
fn pointer(applied: &Applied, options: &[&str]) -> Given {
    let given = options.iter().find_map(|o| applied.settings.given.get(o)).cloned();
    given.unwrap_or_else(|| Given { place: applied.section.place.clone(), text: format!("[{}]", applied.section.name) })
}

fn origin(applied: &Applied, section: u32) -> SectionOrigin {
    let written = |place: &Place, text: String| Written { file: place.file.to_string(), line: place.line, text };
    let options = applied.settings.given.iter().map(|(name, given)| (*name, written(&given.place, given.text.clone())));
    let itself = written(&applied.section.place, format!("[{}]", applied.section.name));
    SectionOrigin { section, itself, options: options.collect() }
}

fn place(mut planned: Planned, start: impl Fn(&Target) -> u64) -> Job {
    for (file, target) in planned.job.files.iter_mut().zip(&planned.targets) {
        file.start = start(target);
    }
    planned.job
}

fn describe(volumes: &[VolumeMap], index: u16) -> String {
    volumes.iter().find(|v| v.index == index).map_or_else(|| format!("volume {index}"), |v| format!("`{}`", v.name))
}

/// What to say about an option that does not exist.
fn unknown(name: &str, value: Option<&str>, engine: &str) -> (String, String) {
    let lower = name.to_ascii_lowercase();
    if let Some(option) = OptionInfo::engines_with(name) {
        let (what, which) = (format!("is an option of other engines than `{engine}`"), option.engines.join(" or "));
        return (what, format!("write ioengine={which}, or remove the line"));
    }
    if option_table::since_later(name) {
        return ("is an option newer than fio 3.33, the supported version".into(), "remove the line".into());
    }
    let bare = name.trim_start_matches('-');
    if option_table::of_the_command_line(bare) {
        return ("is an option of fio's command line, which job files may not hold".into(), "remove the line".into());
    }
    if bare != name && OptionInfo::find(bare).is_some() {
        return ("is written as on the command line".into(), format!("write `{bare}` without the dashes"));
    }
    if lower != name && OptionInfo::find(&lower).is_some() {
        return ("is not an option: fio knows small letters only".into(), format!("write `{lower}`"));
    }
    if let (None, Some((first, rest))) = (value, name.split_once(|c: char| c.is_ascii_whitespace() || c == ':'))
        && let Some(option) = OptionInfo::find(first.trim())
    {
        let equals = if option.kind == Kind::Set {
            format!("write `{}`", option.name)
        } else {
            format!("write `{}={}`", option.name, rest.trim())
        };
        return ("has no `=`".into(), equals);
    }
    let hint = OptionInfo::nearest(bare).map_or_else(
        || "remove the line; `fio --cmdhelp=all` lists the options".into(),
        |near| format!("did you mean `{near}`?"),
    );
    ("is not an option of fio 3.33".into(), hint)
}

/// A text that fits into a message.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 120 { text.into() } else { text.chars().take(117).chain("...".chars()).collect() }
}

/// The same thing found in several sections is said once.
fn unique<T: Clone + std::fmt::Display>(list: Vec<T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    list.into_iter().filter(|item| seen.insert(item.to_string())).collect()
}
