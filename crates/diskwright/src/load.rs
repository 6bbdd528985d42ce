//! What describes a load: job files of fio, command lines and profiles of DiskSpd, files of Iometer and vdbench, a demand over time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use dw_error::{Error, Result};
use dw_formats::diskspd::{self, DiskSpdInput};
use dw_formats::fio::{self, FioErrors, FioInput, FioJobs, ReadOptions, VolumeMap};
use dw_formats::{iometer, vdbench};
use dw_messages::{Sentence, say};

use crate::session::Session;
use crate::text::{decode_any, whole};

/// Text files by the name that messages give them.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: Vec<(String, String)>,
    /// Options set to a value wherever they stand, by all their names; a file that is included is read later.
    set: Vec<(Vec<String>, String)>,
    /// A DiskSpd command line in place of files.
    command_line: Option<String>,
}

/// What describes a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// fio's job files.
    Fio,
    /// A command line of DiskSpd.
    DiskSpdLine,
    /// A profile of DiskSpd.
    DiskSpdProfile,
    /// A configuration of Iometer.
    Iometer,
    /// A parameter file of vdbench.
    Vdbench,
    /// A demand over time, as `diskwright observe` writes it.
    Demand,
}

impl Kind {
    /// Whose words it is in.
    pub fn tool(self) -> &'static str {
        match self {
            Kind::Fio => "fio",
            Kind::DiskSpdLine | Kind::DiskSpdProfile => "DiskSpd",
            Kind::Iometer => "Iometer",
            Kind::Vdbench => "vdbench",
            Kind::Demand => "diskwright observe",
        }
    }
}

/// What a file is, by what is in it.
fn kind_of(name: &str, text: &str) -> Kind {
    // No TOML begins like a page or like JSON.
    let is_other = text.trim_start().starts_with(['{', '<']);
    if name.ends_with(".toml") || !is_other && toml_kind(text) == Some(Toml::Requirements) {
        Kind::Demand
    } else if diskspd::is_profile(text) {
        Kind::DiskSpdProfile
    } else if diskspd::is_script(text) {
        Kind::DiskSpdLine
    } else if iometer::is_icf(text) {
        Kind::Iometer
    } else if vdbench::is_parameters(text) {
        Kind::Vdbench
    } else {
        Kind::Fio
    }
}

/// What a file in TOML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toml {
    /// Latency models.
    Models,
    /// A scenario.
    Scenario,
    /// Requirements.
    Requirements,
}

/// By the keys of its lines, so that a file with a fault is known, too.
pub fn toml_kind(text: &str) -> Option<Toml> {
    let lines = || text.lines().map(str::trim);
    let key = |line: &str, keys: &[&str]| {
        line.split_once('=').is_some_and(|(key, _)| keys.contains(&key.trim().split('.').next().unwrap_or_default()))
    };
    let any = |keys: &[&str]| lines().any(|line| key(line, keys));
    let head = |heads: &[&str]| lines().any(|line| heads.contains(&line));
    // A job of fio may be called `vm`, and has no texts in quotes.
    let is_quoted = |line: &str| line.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with('"'));
    if head(&["[[model]]"]) {
        return Some(Toml::Models);
    }
    let of_volumes = head(&["[[volume]]"]);
    let demands = ["read_iops", "write_iops", "iops", "read_throughput", "write_throughput", "capacity", "working_set"];
    let of_vm = head(&["[vm]"]) && lines().any(is_quoted);
    if of_vm || of_volumes && (head(&["[[volume.disks]]"]) || any(&["disks"])) && !head(&["[plan]"]) {
        Some(Toml::Scenario)
    } else if of_volumes && (head(&["[plan]", "[cpu]", "[memory]", "[volume.series]"]) || any(&demands)) {
        Some(Toml::Requirements)
    } else {
        None
    }
}

impl Texts {
    /// A DiskSpd command line in place of files.
    pub fn command_line(line: &str) -> Texts {
        Texts { command_line: Some(line.into()), ..Texts::default() }
    }

    /// Files in their order, by the name that messages give them and their text.
    pub fn of_files(files: Vec<(String, String)>) -> Texts {
        Texts { files, ..Texts::default() }
    }

    /// The files.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// The DiskSpd command line that stands for files.
    pub fn line(&self) -> Option<&str> {
        self.command_line.as_deref()
    }

    /// A job file by its text.
    pub fn single(name: &str, text: String) -> Texts {
        Texts { files: vec![(name.into(), text)], ..Texts::default() }
    }

    /// What kind of load these are; files of other tools than fio stand alone.
    pub fn kind(&self) -> Result<Kind> {
        if self.command_line.is_some() {
            return Ok(Kind::DiskSpdLine);
        }
        let kinds = self.files.iter().map(|(name, text)| (name, kind_of(name, text)));
        let Some((name, kind)) = kinds.into_iter().find(|(_, kind)| *kind != Kind::Fio) else {
            return Ok(Kind::Fio);
        };
        if self.files.len() > 1 {
            return Err(Error::usage(format!(
                "{name} is a file of {}, and other files are named next to it",
                kind.tool()
            ))
            .hint("simulate one such file at a time"));
        }
        Ok(kind)
    }

    /// The same files with every `option=...` of these names set to `value`.
    pub fn with_option(&self, names: &[&str], value: &str) -> Texts {
        let setting = (names.iter().map(|name| name.to_string()).collect(), value.to_string());
        let files = self.files.iter().map(|(name, text)| (name.clone(), set(text, &setting)));
        let set = self.set.iter().cloned().chain([setting.clone()]).collect();
        Texts { files: files.collect(), set, command_line: self.command_line.clone() }
    }

    /// A file that one of these includes, with the same options set.
    fn included(&self, text: String) -> String {
        self.set.iter().fold(text, |text, setting| set(&text, setting))
    }
}

/// The text with every `option=...` of these names set to a value; lines keep their numbers.
fn set(text: &str, (names, value): &(Vec<String>, String)) -> String {
    let line = |line: &str| {
        let key = line.split(['=', ';', '#']).next().unwrap_or_default().trim();
        if names.iter().any(|name| name == key) { format!("{key}={value}\n") } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

impl Session {
    /// A load as jobs on these volumes. What its files include is opened by the session's [`Files`](crate::Files), as it is named
    /// and next to the file that names it; so are variables of the environment.
    pub fn jobs(
        &self,
        volumes: &[VolumeMap],
        texts: &Texts,
        overrides: &[(String, Option<String>)],
        blank_values_as_fio: bool,
        seed: u64,
    ) -> Result<FioJobs> {
        match (texts.kind()?, texts.files.first()) {
            (Kind::Fio, _) => {}
            (Kind::Iometer, Some((name, text))) => {
                return iometer::read(name, text, volumes, seed)
                    .map_err(|errors| jobs_failure(texts, &BTreeMap::new(), errors));
            }
            (Kind::Vdbench, Some((name, text))) => {
                return vdbench::read(name, text, volumes, seed)
                    .map_err(|errors| jobs_failure(texts, &BTreeMap::new(), errors));
            }
            (Kind::Demand, Some((name, _))) => {
                let hint = "`diskwright simulate RIG.toml FILE` replays it";
                return Err(Error::input(format!("{name} is a demand over time, and jobs are needed")).hint(hint));
            }
            _ => return self.diskspd_jobs(volumes, texts, seed),
        }
        // fio looks for an include next to the file that names it, or from the current folder.
        let folder = texts.files.first().and_then(|(name, _)| Path::new(name).parent()).unwrap_or(Path::new(""));
        let included = RefCell::new(BTreeMap::new());
        let include = |name: &str| {
            let beside = folder.join(name).display().to_string();
            let text = decode_any(self.bytes(name).or_else(|_| self.bytes(&beside))?)?;
            let text = texts.included(text);
            included.borrow_mut().insert(name.to_string(), text.clone());
            Ok(text)
        };
        let input = FioInput {
            files: &texts.files,
            overrides,
            env: &|name| self.files().variable(name),
            volumes,
            options: ReadOptions { blank_values_as_fio, include: &include, ..ReadOptions::default() },
            seed,
        };
        fio::read(&input).map_err(|errors| jobs_failure(texts, &included.borrow(), errors))
    }

    /// The load of a DiskSpd command line or profile.
    fn diskspd_jobs(&self, volumes: &[VolumeMap], texts: &Texts, seed: u64) -> Result<FioJobs> {
        let included = RefCell::new(BTreeMap::new());
        let read_profile = |name: &str| {
            let text = decode_any(self.bytes(name)?)?;
            included.borrow_mut().insert(name.to_string(), text.clone());
            Ok(text)
        };
        let source = match (&texts.command_line, texts.files.first()) {
            (Some(line), _) => diskspd::Source::CommandLine(line),
            (None, Some((name, text))) if diskspd::is_script(text) => diskspd::Source::Script { name, text },
            (None, Some((name, text))) => diskspd::Source::Profile { name, text },
            (None, None) => return Err(Error::usage("no workload is given")),
        };
        diskspd::read(&DiskSpdInput { source, volumes, seed, read_profile: &read_profile })
            .map_err(|errors| jobs_failure(texts, &included.borrow(), errors))
    }

    fn bytes(&self, name: &str) -> io::Result<Vec<u8>> {
        whole(self.files().open(name)?)
    }
}

fn jobs_failure(texts: &Texts, included: &BTreeMap<String, String>, errors: FioErrors) -> Error {
    errors.within(|error| {
        let text = texts.files.iter().find(|(name, _)| *name == error.file).map(|(_, text)| text);
        let line = text.or_else(|| included.get(&error.file)).and_then(|t| t.lines().nth(error.line.saturating_sub(1)));
        texts.command_line.as_deref().filter(|_| error.file == "--diskspd").or(line)
    })
}

/// What the reader of job files warns of.
pub fn warning(warning: &fio::Warning) -> Sentence {
    let fio::Warning { file, line, text, what, .. } = warning;
    say!(JobWarning { place: format!("{file}:{line}"), option: text, what: what.clone() })
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn an_option_is_set_wherever_it_stands_and_lines_keep_their_numbers() {
        let text = "[global]\n iodepth = 4 ; deep\n[x]\nblocksize=4k\niodepth_batch=2\n";
        let texts = Texts { files: vec![("a".into(), text.into())], ..Texts::default() };
        let deep = texts.with_option(&["iodepth"], "16");
        assert_eq!(deep.files[0].1, "[global]\niodepth=16\n[x]\nblocksize=4k\niodepth_batch=2\n");
        let both = deep.with_option(&["bs", "blocksize"], "8k");
        assert_eq!(both.files[0].1, "[global]\niodepth=16\n[x]\nblocksize=8k\niodepth_batch=2\n");
        assert_eq!(both.included("iodepth=1\nbs=4k\n".into()), "iodepth=16\nbs=8k\n");
        assert_eq!(texts.with_option(&["rate"], "8k").files, texts.files);
    }
}
