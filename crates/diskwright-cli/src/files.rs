//! The files that a command line names, looked at before any work: whether results can be written where they are to go, that nothing is
//! written over what the command reads, and what `-` stands for.
//!
//! Two paths are one file by device and inode, where the system has them, else by their canonical paths.
//!
//! Ignores: what happens to a folder while the command works.

use std::fs::Metadata;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::{ArgMatches, Command};

use dw_error::Result;

use crate::output::{Staged, behind_links, is_standard_output};
use crate::{in_use, kind, system, to_stderr};

/// What an option names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Where the result goes: `-` is standard output.
    Result,
    /// A file next to the result.
    Beside,
    /// A folder of files.
    Folder,
    /// A file or a folder, as there is one: who makes it sees to that.
    Either,
}

/// Every option that says where something is written, by its id. Every other path that an option or an argument names is read, or is
/// not to be written over either.
pub const WRITTEN: [(&str, &str); 7] = [
    ("output", "--output"),
    ("record", "--record"),
    ("save", "--save"),
    ("html", "--html"),
    ("log_throttled", "--log-throttled"),
    ("log_writes", "--log-writes"),
    ("pid_file", "--pid-file"),
];

fn kind_of(command: &str, option: &str, matches: &ArgMatches) -> Kind {
    match (command, option) {
        // All of its files; the folder is made by [`crate::provision`].
        ("provision", "output") if !matches.contains_id("target") => Kind::Folder,
        ("man", "output") => Kind::Folder,
        (_, "output") => Kind::Result,
        (_, "log_writes") => Kind::Either,
        _ => Kind::Beside,
    }
}

/// A file, whichever path leads to it; one that is not there yet is its place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Same {
    #[cfg(unix)]
    File(u64, u64),
    Place(PathBuf),
}

impl Same {
    /// None of what is written to and not replaced: a folder, a device, a pipe.
    fn at(path: &Path) -> Option<Same> {
        match std::fs::metadata(path) {
            Ok(is) => Same::of_file(path, &is),
            Err(_) => {
                let place = behind_links(path).ok()?;
                let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Some(Same::Place(folder.canonicalize().ok()?.join(place.file_name()?)))
            }
        }
    }

    fn of_file(path: &Path, is: &Metadata) -> Option<Same> {
        if !is.is_file() {
            return None;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let _ = path;
            Some(Same::File(is.dev(), is.ino()))
        }
        #[cfg(not(unix))]
        path.canonicalize().ok().map(Same::Place)
    }

    /// The file that a shell put behind standard input or output.
    #[cfg(unix)]
    fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Same> {
        let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Same::of_file(Path::new(""), &file.metadata().ok()?)
    }
}

/// A path of the command line.
struct Named {
    /// As messages call it.
    name: String,
    /// The option that named it; an argument has none.
    option: String,
    same: Same,
}

/// Where results go, for files that are read and that only another file names.
static RESULTS: Mutex<Vec<(Same, &str)>> = Mutex::new(Vec::new());

/// An error for a file that is read, where a result is to replace it.
pub fn is_not_written(path: &Path) -> Result<(), Error> {
    let results = RESULTS.lock().unwrap_or_else(PoisonError::into_inner);
    if results.is_empty() {
        return Ok(());
    }
    match Same::at(path).and_then(|same| results.iter().find(|(result, _)| *result == same).map(|(_, option)| *option))
    {
        Some(option) => Err(Error::other(format!("`{option}` would overwrite it"))),
        None => Ok(()),
    }
}

/// Looks at all of them.
pub fn check(command: &Command, matches: &ArgMatches) -> Result<()> {
    let (mut command, mut matches) = (Some(command), matches);
    RESULTS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    while let Some((name, of_it)) = matches.subcommand() {
        (command, matches) = (command.and_then(|command| command.find_subcommand(name)), of_it);
        let mut written = Vec::new();
        for (id, option) in WRITTEN {
            let Ok(Some(path)) = matches.try_get_one::<PathBuf>(id) else { continue };
            written.push((id, option, path.as_path()));
        }
        let read = read(matches, &written);
        nothing_is_lost(name, matches, &read, &written)?;
        for (id, option, path) in &written {
            place(kind_of(name, id, matches), path, option, is_written_in_place(name, id))?;
        }
        standard_input(&read)?;
        remarks(name, command, matches);
    }
    Ok(())
}

/// All paths of a command that it does not write to, with the ids of their options.
fn read<'a>(matches: &'a ArgMatches, written: &[(&str, &str, &Path)]) -> Vec<(&'a str, &'a Path)> {
    let is_written = |id: &str| written.iter().any(|(written, ..)| *written == id);
    let ids = matches.ids().map(clap::Id::as_str).filter(|id| !is_written(id));
    let paths = ids.filter_map(|id| Some((id, matches.try_get_many::<PathBuf>(id).ok()??)));
    paths.flat_map(|(id, paths)| paths.map(move |path| (id, path.as_path()))).collect()
}

/// No option writes over what the command reads, or over what another option writes.
fn nothing_is_lost(
    command: &str,
    matches: &ArgMatches,
    read: &[(&str, &Path)],
    written: &[(&'static str, &'static str, &Path)],
) -> Result<()> {
    let mut named: Vec<Named> = Vec::new();
    for (id, path) in read {
        let of_stream = || -> Option<Same> {
            #[cfg(unix)]
            return Same::of_stream(std::io::stdin());
            #[cfg(not(unix))]
            None
        };
        let same = if path.as_os_str() == "-" { of_stream() } else { Same::at(path) };
        let name = crate::input::name(path);
        named.extend(same.map(|same| Named { name, option: id.to_string(), same }));
    }
    #[cfg(unix)]
    if let Some(input) = Same::of_stream(std::io::stdout()).and_then(|out| named.iter().find(|read| read.same == out)) {
        let what = format!("standard output goes into {}, which this command reads", input.name);
        return Err(dw_error::Error::usage(what).hint("redirect to another file"));
    }
    let layer = (command == "import").then(in_use::layer).flatten();
    let layer = layer.as_deref().map(|path| ("layer", "`catalogue import`", path));
    for (id, option, path) in written.iter().copied().chain(layer) {
        // A folder that is not there yet may have other files, too.
        let is_skipped = id == "output" && is_standard_output(path) || id == "log_writes" && !path.is_file();
        let Some(same) = Some(path).filter(|_| !is_skipped).and_then(Same::at) else { continue };
        let shown = if id == "layer" { option.to_string() } else { format!("`{option}`") };
        let is_own_page = is_own_page(command, id, matches, path);
        if let Some(other) = named.iter().find(|other| other.same == same)
            && !is_own_page
        {
            let path = path.display().to_string();
            let is = if path == other.name { ":".to_string() } else { format!(" is {}:", other.name) };
            let (what, hint) = if other.option.starts_with("--") {
                (format!("{path}{is} {shown} and `{}` cannot both write it", other.option), "name two files")
            } else {
                (format!("{path}{is} {shown} would overwrite it, but this command reads it"), "name another file")
            };
            return Err(dw_error::Error::usage(what).hint(hint));
        }
        if ["output", "html"].contains(&id) && !is_own_page {
            RESULTS.lock().unwrap_or_else(PoisonError::into_inner).push((same.clone(), option));
        }
        named.push(Named { name: path.display().to_string(), option: option.to_string(), same });
    }
    Ok(())
}

/// A page of `report` that is written again with all that it held.
fn is_own_page(command: &str, id: &str, matches: &ArgMatches, path: &Path) -> bool {
    let keeps = |id| matches.get_raw(id).into_iter().flatten().all(|format| format != "markdown");
    command == "report" && id == "output" && keeps("format") && kind::of_file(path) == Some(kind::FileKind::Page)
}

/// No file that is written into a folder, by its name there, is one of the inputs.
pub(crate) fn keeps(folder: &Path, inputs: &[&Path], is_written: impl Fn(&str) -> bool) -> Result<()> {
    let inputs: Vec<(Same, &Path)> = inputs.iter().filter_map(|path| Some((Same::at(path)?, *path))).collect();
    let there = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in there.filter(|file| file.file_name().to_str().is_some_and(&is_written)).map(|file| file.path()) {
        let same = Same::at(&path);
        if let Some((_, input)) = inputs.iter().find(|(input, _)| Some(input) == same.as_ref()) {
            let what =
                format!("{} would be overwritten, but this command reads it as {}", path.display(), input.display());
            return Err(dw_error::Error::usage(what).hint("name another directory"));
        }
    }
    Ok(())
}

/// Lists of files in which one that is named again adds nothing; `observe` tells it of recordings by what is in them.
const ONCE: [(&str, &str); 6] = [
    ("report", "files"),
    ("report", "attach"),
    ("verify", "results"),
    ("calibrate", "results"),
    ("explain", "measured"),
    ("import", "files"),
];

/// What the forms of a result are usually called by.
const EXTENSIONS: [(&str, &[&str]); 7] = [
    ("table", &["txt", "log", "out"]),
    ("json", &["json"]),
    ("json+", &["json"]),
    ("csv", &["csv"]),
    ("markdown", &["md", "markdown"]),
    ("html", &["html", "htm"]),
    ("toml", &["toml"]),
];

/// Names of forms that no command writes.
const FOREIGN: [&str; 9] = ["pdf", "doc", "docx", "odt", "xls", "xlsx", "png", "yaml", "yml"];

/// What is accepted and probably not meant.
fn remarks(name: &str, command: Option<&Command>, matches: &ArgMatches) {
    if matches.try_get_one::<bool>("quiet").ok().flatten().copied() == Some(true) {
        return;
    }
    for (_, id) in ONCE.into_iter().filter(|(of, _)| *of == name) {
        let paths = matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
        let mut seen: Vec<Same> = Vec::new();
        for path in paths {
            let Some(same) = Same::at(path) else { continue };
            if seen.contains(&same) {
                to_stderr(&format!("note: {} is named twice\nhint: name it once\n", path.display()));
            }
            seen.push(same);
        }
    }
    let format = matches.try_get_raw("format").ok().flatten().and_then(|mut words| words.next());
    let path = matches.try_get_one::<PathBuf>("output").ok().flatten();
    if let (Some(format), Some(path)) = (format.and_then(|word| word.to_str()), path) {
        let known = command.and_then(|command| command.get_arguments().find(|arg| arg.get_id() == "format"));
        let known = known.map(clap::Arg::get_possible_values).unwrap_or_default();
        let has = |form: &str| known.iter().any(|word| word.matches(form, false));
        to_stderr(&misnamed(format, path, has).unwrap_or_default());
    }
}

/// What is said of a result whose file is called as another form is.
fn misnamed(format: &str, path: &Path, has: impl Fn(&str) -> bool) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let (form, usual) = EXTENSIONS.into_iter().find(|(form, _)| *form == format)?;
    if usual.contains(&extension.as_str()) {
        return None;
    }
    let meant = EXTENSIONS.into_iter().find(|(_, usual)| usual.contains(&extension.as_str()));
    let hint = match meant {
        Some(("table", _)) => return None,
        Some((meant, _)) if has(meant) => format!("add `--format {meant}`, or name it `.{}`", usual[0]),
        Some(_) => format!("this command does not write that; name it `.{}`", usual[0]),
        None if FOREIGN.contains(&extension.as_str()) => format!("no command writes that; name it `.{}`", usual[0]),
        None => return None,
    };
    let shown = if form == "table" { "a table" } else { form };
    Some(format!("note: {} will contain {shown}, despite its name\nhint: {hint}\n", path.display()))
}

/// Whether a file that is there already is written as it stands, and not replaced.
fn is_written_in_place(command: &str, option: &str) -> bool {
    matches!((command, option), ("observe", "record") | (_, "log_throttled" | "pid_file"))
}

fn place(kind: Kind, path: &Path, option: &str, in_place: bool) -> Result<()> {
    if kind == Kind::Result && is_standard_output(path) {
        return Ok(());
    }
    if path.as_os_str() == "-" {
        let hint = match kind {
            Kind::Result | Kind::Beside => "name a file; the result goes to standard output",
            Kind::Folder => "name a directory, or omit the option to print one",
            Kind::Either => return Ok(()),
        };
        return Err(dw_error::Error::usage(format!("`{option} -` is not a file")).hint(hint));
    }
    let tried = match kind {
        Kind::Folder => nearest(path),
        Kind::Either => Ok(()),
        Kind::Result | Kind::Beside => try_file(path, in_place),
    };
    tried.map_err(|e| system::unwritable(path, option, &e))
}

#[cfg(unix)]
fn is_pipe(is: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&is.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Whether a file can be made there: made next to it, as it will be, and taken away.
fn try_file(path: &Path, in_place: bool) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(is) if is.is_dir() => Err(ErrorKind::IsADirectory.into()),
        // What is continued is a file.
        Ok(is) if in_place && is_pipe(&is) => Err(Error::other("it is a pipe, not a file")),
        // A device or a pipe is opened when there is something for it.
        Ok(is) if !is.is_file() => Ok(()),
        Ok(_) if in_place => std::fs::File::options().write(true).open(path).map(drop),
        Ok(_) | Err(_) => Staged::beside(path).map(drop),
    }
}

/// Whether a folder could be made there.
fn nearest(folder: &Path) -> Result<(), Error> {
    let there = folder.ancestors().find_map(|path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        match std::fs::metadata(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            other => Some((path, other)),
        }
    });
    match there {
        Some((_, Err(e))) => Err(e),
        Some((path, Ok(is))) if is.is_dir() => Staged::beside(&path.join("diskwright")).map(drop),
        // That the folder itself is a file is told by who fills it.
        Some((path, Ok(_))) if path == folder => Ok(()),
        Some(_) => Err(ErrorKind::NotADirectory.into()),
        None => Err(ErrorKind::NotFound.into()),
    }
}

/// Standard input is one file, for whichever option or argument reads it.
fn standard_input(read: &[(&str, &Path)]) -> Result<()> {
    let count = read.iter().filter(|(_, path)| path.as_os_str() == "-").count();
    if count < 2 {
        return Ok(());
    }
    Err(dw_error::Error::usage(format!("`-` is given {count} times, but standard input can be read only once"))
        .hint("give the others as files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_form_is_told() {
        let cases = [
            ("json", "plan.json", None),
            ("json+", "run.json", None),
            ("table", "plan.txt", None),
            ("table", "plan", None),
            ("html", "x.htm", None),
            ("csv", "x.txt", None),
            ("model", "p30.toml", None),
            (
                "table",
                "plan.json",
                Some(
                    "note: plan.json will contain a table, despite its name\nhint: add `--format json`, or name it `.txt`\n",
                ),
            ),
            (
                "html",
                "x.pdf",
                Some(
                    "note: x.pdf will contain html, despite its name\nhint: no command writes that; name it `.html`\n",
                ),
            ),
            (
                "markdown",
                "x.HTML",
                Some(
                    "note: x.HTML will contain markdown, despite its name\nhint: add `--format html`, or name it `.md`\n",
                ),
            ),
        ];
        for (format, name, expected) in cases {
            assert_eq!(misnamed(format, Path::new(name), |_| true).as_deref(), expected, "{format} {name}");
        }
        let has_not = misnamed("table", Path::new("run.md"), |form| form != "markdown").unwrap();
        assert!(has_not.ends_with("hint: this command does not write that; name it `.txt`\n"), "{has_not}");
    }

    #[test]
    fn what_is_written_into_a_folder_is_no_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["reads.fio", "rig.toml"] {
            std::fs::write(at(name), "").unwrap();
        }
        let (reads, rig) = (at("reads.fio"), at("./rig.toml"));
        let keeps = |inputs: &[&Path]| keeps(folder.path(), inputs, |name| name.ends_with(".fio"));
        assert!(keeps(&[&rig]).is_ok() && keeps(&[Path::new("-"), &at("nowhere.fio")]).is_ok());
        let error = keeps(&[&rig, &reads]).unwrap_err();
        assert!(
            error.kind == dw_error::Kind::Usage && error.to_string().contains("reads.fio would be overwritten"),
            "{error}"
        );
    }

    #[test]
    fn every_path_to_a_file_is_that_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        std::fs::write(at("b"), "").unwrap();
        std::fs::create_dir(at("sub")).unwrap();
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../a", at("sub/soft")).unwrap();
        let same = |name: &str| Same::at(&at(name));
        assert!(same("a").is_some() && same("a") != same("b"));
        for name in ["./a", "sub/../a"] {
            assert_eq!(same(name), same("a"), "{name}");
        }
        #[cfg(unix)]
        assert!(same("hard") == same("a") && same("sub/soft") == same("a"));
        // What is not there yet is its place.
        assert!(same("new").is_some() && same("new") == same("sub/../new") && same("new") != same("newer"));
        assert_eq!(same("sub"), None);
        assert_eq!(Same::at(Path::new("/dev/null")).is_none(), cfg!(unix));
    }
}
