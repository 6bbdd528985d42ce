//! The files that a command line names, looked at before any work: whether results can be written where they are to go, and
//! what `-` stands for.
//!
//! Ignores: what happens to a folder while the command works.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use dw_error::Result;

use crate::output::{Staged, is_standard_output};
use crate::system;

/// What an option names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Where the result goes: `-` is standard output.
    Result,
    /// A file next to the result.
    Beside,
    /// A folder of files.
    Folder,
}

/// Every option that says where something is written, by its id.
const WRITTEN: [(&str, &str); 6] = [
    ("output", "--output"),
    ("record", "--record"),
    ("save", "--save"),
    ("html", "--html"),
    ("log_throttled", "--log-throttled"),
    ("pid_file", "--pid-file"),
];

fn kind(command: &str, option: &str, matches: &ArgMatches) -> Kind {
    match (command, option) {
        // All of its files; the folder is made by [`crate::provision`].
        ("provision", "output") if !matches.contains_id("target") => Kind::Folder,
        ("man", "output") => Kind::Folder,
        (_, "output") => Kind::Result,
        _ => Kind::Beside,
    }
}

/// Looks at all of them.
pub fn check(matches: &ArgMatches) -> Result<()> {
    let mut matches = matches;
    while let Some((name, of_it)) = matches.subcommand() {
        matches = of_it;
        let mut written = Vec::new();
        for (id, option) in WRITTEN {
            let Ok(Some(path)) = matches.try_get_one::<PathBuf>(id) else { continue };
            written.push(id);
            place(kind(name, id, matches), path, option, is_written_in_place(name, id))?;
        }
        standard_input(matches, &written)?;
    }
    Ok(())
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
            Kind::Result | Kind::Beside => "name a file: standard output has the result",
            Kind::Folder => "name a folder; without this option one is printed",
        };
        return Err(dw_error::Error::usage(format!("`{option} -` is not a file")).hint(hint));
    }
    let tried = if kind == Kind::Folder { nearest(path) } else { try_file(path, in_place) };
    tried.map_err(|e| system::unwritable(path, option, &e))
}

/// Whether a file can be made there: made next to it, as it will be, and taken away.
fn try_file(path: &Path, in_place: bool) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(is) if is.is_dir() => Err(ErrorKind::IsADirectory.into()),
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
fn standard_input(matches: &ArgMatches, written: &[&str]) -> Result<()> {
    let mut count = 0;
    for id in matches.ids().filter(|id| !written.contains(&id.as_str())) {
        if let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(id.as_str()) {
            count += paths.filter(|path| path.as_os_str() == "-").count();
        }
    }
    if count < 2 {
        return Ok(());
    }
    Err(dw_error::Error::usage(format!("`-` is named {count} times, and standard input is one file"))
        .hint("give the others as files"))
}
