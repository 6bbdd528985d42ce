//! Reads what the user names: the scenario and the job files, with every fault shown in its place.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dw_catalogue::LatencySetting;
use dw_error::{Error, Result};
use dw_formats::diskspd::{self, DiskSpdInput};
use dw_formats::fio::{self, FioErrors, FioInput, FioJobs, ReadOptions, VolumeMap};
use dw_formats::iometer;
use dw_formats::scenario::{self, Scenario};
use dw_formats::vdbench;
use dw_observe::requirements::Requirements;
use encoding_rs::{Encoding, UTF_8};

use crate::kind::{self, FileKind};
use crate::latency::LatencyName;
use crate::system;

/// Text files by the name that messages give them.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: Vec<(String, String)>,
    /// Options set to a value wherever they stand, by all their names; a file that is included is read later.
    set: Vec<(Vec<String>, String)>,
    /// A DiskSpd command line in place of files.
    command_line: Option<String>,
}

/// Files that a load includes, at most: a file may include itself.
const INCLUDES_MAX: usize = 64;

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
}

impl Kind {
    /// Whose words it is in.
    pub fn tool(self) -> &'static str {
        match self {
            Kind::Fio => "fio",
            Kind::DiskSpdLine | Kind::DiskSpdProfile => "DiskSpd",
            Kind::Iometer => "Iometer",
            Kind::Vdbench => "vdbench",
        }
    }
}

/// What a file is, by what is in it.
fn kind_of(text: &str) -> Kind {
    if diskspd::is_profile(text) {
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

impl Texts {
    /// A DiskSpd command line in place of files.
    pub fn command_line(line: &str) -> Texts {
        Texts { files: Vec::new(), set: Vec::new(), command_line: Some(line.into()) }
    }

    /// All text, that of included files too and variables of the environment replaced, for what it names.
    pub fn all(&self) -> String {
        let mut all: Vec<String> = self.files.iter().map(|(_, text)| text.clone()).collect();
        let folders = || self.files.iter().filter_map(|(name, _)| Path::new(name).parent());
        // What is found is appended, and looked at in its turn.
        let mut at = 0;
        while at < all.len() && all.len() < INCLUDES_MAX {
            let named: Vec<String> = all[at].lines().filter_map(included_file).map(String::from).collect();
            for name in named {
                let beside = folders().map(|folder| folder.join(&name));
                let texts = std::iter::once(PathBuf::from(&name)).chain(beside).map(std::fs::read_to_string);
                all.extend(texts.flatten().next());
            }
            at += 1;
        }
        all.extend(self.command_line.clone());
        with_environment(&all.join("\n"))
    }

    /// A job file by its text.
    pub fn of(name: &str, text: String) -> Texts {
        Texts { files: vec![(name.into(), text)], ..Texts::default() }
    }

    /// What kind of load these are; files of other tools than fio stand alone.
    pub fn kind(&self) -> Result<Kind> {
        if self.command_line.is_some() {
            return Ok(Kind::DiskSpdLine);
        }
        let kinds = self.files.iter().map(|(name, text)| (name, kind_of(text)));
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

    /// Reads job files in order; `-` is standard input, once.
    pub fn read(paths: &[PathBuf]) -> Result<Texts> {
        let mut texts = Vec::new();
        for path in paths {
            texts.push((name(path), read_file(path)?));
        }
        Ok(Texts { files: texts, ..Texts::default() })
    }

    /// The same files, with the demand over time of each `requirements.toml` as a job.
    pub fn replayed(self, scenario: &Scenario) -> Result<Texts> {
        let replay = |(name, text): (String, String)| {
            if !name.ends_with(".toml") && kind::of(text.as_bytes()) != Some(FileKind::Requirements) {
                return Ok((name, text));
            }
            let demand = dw_formats::requirements::read(&name, &text).map_err(|errors| errors.within(&text))?;
            let job = dw_formats::requirements::replay(&demand, &scenario.volume_maps());
            let job = job.map_err(|e| e.of_file(&name))?;
            Ok((name, job))
        };
        let files = self.files.into_iter().map(replay).collect::<Result<_>>()?;
        Ok(Texts { files, ..self })
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

/// The file that a line of a job file includes.
fn included_file(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("include")?;
    rest.starts_with([' ', '\t', '=']).then(|| rest[1..].trim())
}

/// The text with `${NAME}` replaced where the environment has it.
fn with_environment(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let Some(end) = rest[start..].find('}') else { break };
        let value = std::env::var(&rest[start + 2..start + end]);
        out.push_str(&rest[..start]);
        out.push_str(value.as_deref().unwrap_or(&rest[start..=start + end]));
        rest = &rest[start + end + 1..];
    }
    out + rest
}

/// The text with every `option=...` of these names set to a value; lines keep their numbers.
fn set(text: &str, (names, value): &(Vec<String>, String)) -> String {
    let line = |line: &str| {
        let key = line.split(['=', ';', '#']).next().unwrap_or_default().trim();
        if names.iter().any(|name| name == key) { format!("{key}={value}\n") } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

/// The text of a file.
pub fn read_file(path: &Path) -> Result<String> {
    read_bytes(path).and_then(|bytes| decode(path, bytes))
}

/// What is in a file, for readers that know its encoding by themselves; `-` is standard input, which stays the same when it is
/// asked for again.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    if is_standard_input(path) {
        return standard_input().map_err(|e| system::unreadable(path, &e));
    }
    std::fs::read(path).map_err(|e| system::unreadable(path, &e))
}

/// Whether a path stands for standard input; a file that is really called so is `./-`.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What messages and documents call a file.
pub fn name(path: &Path) -> String {
    if is_standard_input(path) { "standard input".into() } else { path.display().to_string() }
}

/// Standard input as far as it is read by [`read_bytes`].
static READ: OnceLock<Vec<u8>> = OnceLock::new();

/// Standard input for whoever reads it piece by piece: from its beginning, where it was read as a whole before.
pub fn standard_input_reader() -> Box<dyn BufRead> {
    match READ.get() {
        Some(bytes) => Box::new(bytes.as_slice()),
        None => Box::new(io::stdin().lock()),
    }
}

/// Standard input, where it was read as a whole.
pub fn standard_input_as_read() -> Option<Vec<u8>> {
    READ.get().cloned()
}

fn standard_input() -> io::Result<Vec<u8>> {
    if let Some(bytes) = READ.get() {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(READ.get_or_init(|| bytes).clone())
}

fn decode(path: &Path, bytes: Vec<u8>) -> Result<String> {
    if let Some((encoding, _)) = Encoding::for_bom(&bytes).filter(|(encoding, _)| *encoding != UTF_8) {
        return decode_any(bytes).map_err(|_| {
            Error::input(format!("this is not a text in {}, as its first two bytes say", encoding.name()))
                .hint("save the file as UTF-8")
                .of_file(name(path))
        });
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Error::input("this is not a text in UTF-8").hint("save the file as UTF-8").at(name(path), line)
    })
}

/// The scenario; `latency` replaces its setting.
pub fn scenario(path: &Path, latency: Option<LatencyName>) -> Result<Scenario> {
    let text = read_file(path)?;
    let models = model_texts(path, &text)?;
    scenario_of(&name(path), &text, &models, latency.map(LatencySetting::from))
}

/// The files with latency models that a scenario names, by name and text; paths are from its folder.
pub fn model_texts(path: &Path, text: &str) -> Result<Vec<(String, String)>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = |name: String| {
        let file = folder.join(name);
        read_file(&file).map(|text| (file.display().to_string(), text))
    };
    scenario::latency_models(text).into_iter().map(read).collect()
}

/// A scenario from its text, with the latency models next to it and what replaces its latency setting.
pub fn scenario_of(
    name: &str,
    text: &str,
    models: &[(String, String)],
    latency: Option<LatencySetting>,
) -> Result<Scenario> {
    let mut list = Vec::new();
    for (file, text) in models {
        let hint = "a file of `diskwright calibrate --save` has the shape that is wanted";
        let failed = |e: String| Error::input(e).hint(hint).of_file(file);
        list.extend(dw_catalogue::latency::read(text).map_err(failed)?);
    }
    let with = scenario::With { models: &list, latency };
    scenario::read_with(name, text, crate::in_use::catalogue(), &with).map_err(|errors| errors.within(text))
}

/// An error about a volume of requirements, by its number, with its name and the line where it begins; about all of them without.
pub fn of_volume(
    error: Error,
    (name, text): (&str, &str),
    requirements: &Requirements,
    volume: Option<usize>,
) -> Error {
    let heads = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("[[volume]]"));
    let line = volume.and_then(|place| heads.map(|(_, number)| number).nth(place)).unwrap_or(1);
    let called = volume.and_then(|place| requirements.volumes.get(place));
    let what = called.map_or(String::new(), |volume| format!("volume `{}`: ", volume.name)) + &error.what;
    error.what(what).at(name, line)
}

/// The jobs, read for a scenario.
pub fn jobs(
    scenario: &Scenario,
    texts: &Texts,
    overrides: &[(String, Option<String>)],
    blank_values_as_fio: bool,
    seed: u64,
) -> Result<FioJobs> {
    jobs_on(&scenario.volume_maps(), texts, overrides, blank_values_as_fio, seed)
}

/// The jobs, whose files are on these volumes.
pub fn jobs_on(
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
        _ => return diskspd_jobs(volumes, texts, seed),
    }
    // fio looks for an include next to the file that names it, or from the current folder.
    let folder =
        texts.files.first().and_then(|(name, _)| Path::new(name).parent()).map(Path::to_path_buf).unwrap_or_default();
    let included = RefCell::new(BTreeMap::new());
    let include = |name: &str| {
        let text = std::fs::read_to_string(name).or_else(|_| std::fs::read_to_string(folder.join(name)))?;
        let text = texts.included(text);
        included.borrow_mut().insert(name.to_string(), text.clone());
        Ok(text)
    };
    let input = FioInput {
        files: &texts.files,
        overrides,
        env: &|name| std::env::var(name).ok(),
        volumes,
        options: ReadOptions { blank_values_as_fio, include: &include, ..ReadOptions::default() },
        seed,
    };
    fio::read(&input).map_err(|errors| jobs_failure(texts, &included.borrow(), errors))
}

/// The load of a DiskSpd command line or profile.
fn diskspd_jobs(volumes: &[VolumeMap], texts: &Texts, seed: u64) -> Result<FioJobs> {
    let included = RefCell::new(BTreeMap::new());
    let read_profile = |name: &str| {
        let text = decode_any(std::fs::read(name)?)?;
        included.borrow_mut().insert(name.to_string(), text.clone());
        Ok(text)
    };
    let source = match (&texts.command_line, texts.files.first()) {
        (Some(line), _) => diskspd::Source::CommandLine(line),
        (None, Some((name, text))) if diskspd::is_script(text) => diskspd::Source::Script { name, text },
        (None, Some((name, text))) => diskspd::Source::Profile { name, text },
        (None, None) => return Err(Error::usage("no load is named")),
    };
    diskspd::read(&DiskSpdInput { source, volumes, seed, read_profile: &read_profile })
        .map_err(|errors| jobs_failure(texts, &included.borrow(), errors))
}

/// A text in UTF-8, or in UTF-16 with its mark, as PowerShell writes it.
fn decode_any(bytes: Vec<u8>) -> io::Result<String> {
    let encoding = Encoding::for_bom(&bytes).map_or(UTF_8, |(encoding, _)| encoding);
    if encoding == UTF_8 {
        return String::from_utf8(bytes).map_err(|_| io::Error::other("this is not a text in UTF-8"));
    }
    let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
    if malformed {
        return Err(io::Error::other(format!("this is not a text in {}", encoding.name())));
    }
    Ok(text.into_owned())
}

fn jobs_failure(texts: &Texts, included: &BTreeMap<String, String>, errors: FioErrors) -> Error {
    errors.within(|error| {
        let text = texts.files.iter().find(|(name, _)| *name == error.file).map(|(_, text)| text);
        let line = text.or_else(|| included.get(&error.file)).and_then(|t| t.lines().nth(error.line.saturating_sub(1)));
        texts.command_line.as_deref().filter(|_| error.file == "--diskspd").or(line)
    })
}

/// What the reader of job files wants known, for standard error.
pub fn remarks(jobs: &FioJobs) -> String {
    let mut out = warnings(jobs);
    if !jobs.ignored.is_empty() {
        let list: Vec<String> = jobs.ignored.iter().map(|i| format!("{} (line {})", i.option, i.line)).collect();
        let plural = if list.len() == 1 { "option that changes" } else { "options that change" };
        out.push_str(&format!("ignored {} {plural} nothing here: {}\n", list.len(), list.join(", ")));
    }
    out
}

/// Its doubts alone.
pub fn warnings(jobs: &FioJobs) -> String {
    jobs.warnings.iter().map(|warning| format!("{}\n", dw_error::Notice::from(warning))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Path, Texts, decode};

    #[test]
    fn texts_of_powershell_are_read() {
        let text = "bs=4k\n; gr\u{f6}\u{df}e";
        let units = || text.encode_utf16();
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
        for bytes in [little, big, text.as_bytes().to_vec()] {
            assert_eq!(decode(Path::new("a.fio"), bytes).expect("is a text"), text);
        }
        for (bytes, what) in [
            (&[0xff, 0xfe, 0x41][..], "error: a.fio: this is not a text in UTF-16LE"),
            (b"bs=4k\n\xe4", "error: a.fio:2: this is not a text in UTF-8"),
        ] {
            let failure = decode(Path::new("a.fio"), bytes.to_vec()).expect_err("half a character");
            assert!(failure.to_string().starts_with(what), "{failure}");
        }
    }

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
