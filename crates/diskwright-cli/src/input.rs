//! Reads what the user names: the scenario and the job files, with every fault shown in its place. What need not end, a pipe or a
//! device, is watched, and refused where it is longer than any file that is read as a whole.

use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use diskwright::load::{Kind, Texts};
use diskwright::measured::{About, Source};
use diskwright::text::{decode, whole};
use dw_catalogue::LatencySetting;
use dw_error::Result;
use dw_formats::fio::{FioJobs, VolumeMap};
use dw_formats::scenario::Scenario;

use crate::in_use::{session, text_of};
use crate::progress::Watch;
use crate::system;

/// Files that a load includes, at most: a file may include itself.
const INCLUDES_MAX: usize = 64;

/// All text, that of included files too and variables of the environment replaced, for what it names.
pub fn all(texts: &Texts) -> String {
    let mut all: Vec<String> = texts.files().iter().map(|(_, text)| text.clone()).collect();
    let folders = || texts.files().iter().filter_map(|(name, _)| Path::new(name).parent());
    // What is found is appended, and looked at in its turn.
    let mut at = 0;
    while at < all.len() && all.len() < INCLUDES_MAX {
        let named: Vec<String> = all[at].lines().filter_map(included_file).map(String::from).collect();
        for name in named {
            let beside = folders().map(|folder| folder.join(&name));
            let texts = std::iter::once(PathBuf::from(&name)).chain(beside);
            let mut texts = texts.filter_map(|path| text_of(&path).ok());
            all.extend(texts.next());
        }
        at += 1;
    }
    all.extend(texts.line().map(String::from));
    with_environment(&all.join("\n"))
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

/// Job files in order; `-` is standard input, once.
pub fn texts(paths: &[PathBuf]) -> Result<Texts> {
    let read = |path: &PathBuf| Ok((name(path), read_file(path)?));
    paths.iter().map(read).collect::<Result<_>>().map(Texts::of_files)
}

/// Results of benchmarks, in the order of the command line.
pub fn results(paths: &[PathBuf], about: &About) -> Result<Vec<Source>> {
    session().results(&named(&bytes_of(paths)?), about)
}

/// Files by what messages call them, with what is in them.
pub fn bytes_of(paths: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>> {
    paths.iter().map(|path| Ok((name(path), read_bytes(path)?))).collect()
}

/// The same as the library takes them.
pub fn named(files: &[(String, Vec<u8>)]) -> Vec<(&str, &[u8])> {
    files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect()
}

/// The text of a file.
pub fn read_file(path: &Path) -> Result<String> {
    read_bytes(path).and_then(|bytes| decode(&name(path), bytes))
}

/// What is in a file, for readers that know its encoding by themselves; `-` is standard input, which stays the same when it is
/// asked for again.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let read = if is_standard_input(path) {
        standard_input()
    } else {
        // A pipe that nobody writes to is waited for when it is opened.
        let watch = watch(path);
        File::open(path).and_then(|file| whole(watch.counted(file)))
    };
    read.map_err(|e| system::unreadable(path, &e))
}

/// Tells how much came of what need not end.
pub fn watch(path: &Path) -> Watch {
    let is_file = |path: &Path| std::fs::metadata(path).is_ok_and(|file| file.is_file() || file.is_dir());
    let ends = if is_standard_input(path) { is_file(Path::new("/dev/stdin")) } else { is_file(path) };
    if ends { Watch::nothing() } else { Watch::over(name(path)) }
}

/// Whether a path stands for standard input; a file that is really called so is `./-`.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a shell put a pipe or a file behind standard input.
#[cfg(unix)]
pub fn is_fed() -> bool {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;
    let kind =
        io::stdin().as_fd().try_clone_to_owned().and_then(|fd| Ok(std::fs::File::from(fd).metadata()?.file_type()));
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file())
}

/// Elsewhere this machine is not recorded either.
#[cfg(not(unix))]
pub fn is_fed() -> bool {
    false
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
    let bytes = whole(watch(Path::new("-")).counted(io::stdin().lock()))?;
    Ok(READ.get_or_init(|| bytes).clone())
}

/// The scenario; `latency` replaces its setting.
pub fn scenario(path: &Path, latency: Option<LatencySetting>) -> Result<Scenario> {
    let text = read_file(path)?;
    session().scenario_with(&name(path), &text, latency)
}

/// The jobs, whose files are on these volumes.
pub fn jobs_on(volumes: &[VolumeMap], texts: &Texts, seed: u64) -> Result<FioJobs> {
    session().jobs(volumes, texts, &[], false, seed)
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
