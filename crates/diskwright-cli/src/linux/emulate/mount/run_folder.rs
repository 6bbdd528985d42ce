//! What a run holds on to outside of itself, so that it can be undone when the run is dead.
//!
//! Each run has a folder with its files over FUSE and a note, which it keeps locked as long as it lives. Loop devices whose file
//! lies in the folder of a dead run, and what is mounted from them, are that run's; nothing else is touched.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dw_emulator::serve::files::NAME;
use dw_error::{Error, Kind, Result};
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::disk::{self, Patience};
use super::{mounts, tools};

const NOTE: &str = "run.json";

/// What is written down of a run.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// Where its files over FUSE are.
    files: PathBuf,
    /// A folder with data that is to go away with it.
    temporary: Option<PathBuf>,
    /// Whose run it is; nothing of one by an older program.
    #[serde(default)]
    of: Option<Owner>,
}

/// Whose run it is, for people who clean up after it.
#[derive(Debug, Serialize, Deserialize)]
struct Owner {
    /// Who began it.
    user: String,
    folder: PathBuf,
    /// What was typed.
    command: String,
}

impl Owner {
    /// Of this process.
    fn this() -> Owner {
        let users = ["SUDO_USER", "USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
        let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        Owner {
            user: users.into_iter().find(|user| !user.is_empty()).unwrap_or_else(|| "somebody".into()),
            folder: std::env::current_dir().unwrap_or_default(),
            command: words.join(" "),
        }
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`, begun by {} in {}", self.command, self.user, self.folder.display())
    }
}

/// The folder of this run; it goes when dropped.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// It stays when this is dropped.
    stays: bool,
    _locked: File,
}

/// Where runs have their folders.
fn base() -> PathBuf {
    if rustix::process::geteuid().is_root() {
        return PathBuf::from("/run/diskwright");
    }
    match std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder).join("diskwright"),
        None => std::env::temp_dir().join(format!("diskwright-{}", rustix::process::geteuid().as_raw())),
    }
}

/// A folder for its owner alone, with those that it lies in.
fn private(path: &Path) -> Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|e| crate::system::cannot_make(path, &e))
}

/// Notes say what is to be removed: those that somebody else has put there are not read.
fn is_ours(base: &Path) -> Result<()> {
    match std::fs::symlink_metadata(base) {
        Ok(folder) if !folder.is_dir() || folder.uid() != rustix::process::geteuid().as_raw() => {
            let what = "this directory is not yours, so its content is not trusted";
            let hint = "remove it, or set XDG_RUNTIME_DIR to a directory of yours";
            Err(Error::new(Kind::Protected, what).hint(hint).of_file(base.display().to_string()))
        }
        _ => Ok(()),
    }
}

impl RunFolder {
    /// For files in `files`, or in the folder itself.
    pub fn new(files: Option<&Path>, temporary: Option<&Path>) -> Result<(RunFolder, PathBuf)> {
        is_ours(&base())?;
        let path = base().join(std::process::id().to_string());
        // A dead run with the number of this process.
        if path.exists() {
            let patience = Patience { wait: std::time::Duration::ZERO, lazy: true };
            undo(&path, patience, &mut |line| crate::to_stderr(&format!("{line}\n")))?;
        }
        private(&path).map_err(|error| {
            error.hint("each run keeps a directory there; a container with a read-only disk needs `--tmpfs /run`")
        })?;
        let files = match files {
            Some(files) => files.canonicalize().map_err(|e| crate::system::unreadable(files, &e))?,
            None => {
                let inside = path.join("disks");
                private(&inside)?;
                inside
            }
        };
        let note = Note { files: files.clone(), temporary: temporary.map(Path::to_path_buf), of: Some(Owner::this()) };
        let at = path.join(NOTE);
        let failed = |e: std::io::Error| crate::system::unwritable(&at, "XDG_RUNTIME_DIR", &e);
        let mut locked =
            File::options().create(true).write(true).truncate(true).mode(0o600).open(&at).map_err(failed)?;
        rustix::fs::flock(&locked, FlockOperation::NonBlockingLockExclusive).map_err(|e| failed(e.into()))?;
        serde_json::to_writer(&mut locked, &note).map_err(|e| failed(e.into()))?;
        Ok((RunFolder { path, stays: false, _locked: locked }, files))
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// It stays, for `--clean`.
    pub fn leave(mut self) {
        self.stays = true;
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.stays {
            remove(&self.path);
        }
    }
}

/// Removes a run's folder; what is mounted in it stays, and keeps it.
fn remove(path: &Path) {
    let _ = std::fs::remove_dir(path.join("disks"));
    if !path.join("disks").exists() {
        let _ = std::fs::remove_dir_all(path);
        let _ = std::fs::remove_dir(base());
    }
}

/// Undoes what dead runs of this user left behind; what was done and whose it was, for people.
pub fn clean(patience: Patience) -> Result<Vec<String>> {
    is_ours(&base())?;
    let mut done = Vec::new();
    let mut errors = Vec::new();
    let runs = std::fs::read_dir(base()).into_iter().flatten().flatten().map(|entry| entry.path());
    for run in runs.filter(|path| path.is_dir() && !is_alive(path)) {
        if let Err(error) = undo(&run, patience, &mut |line| done.push(line)) {
            errors.push(error);
        }
    }
    match Error::all(errors) {
        Some(error) => {
            done.iter().for_each(|line| crate::to_stderr(&format!("{line}\n")));
            Err(error)
        }
        None => Ok(done),
    }
}

/// Whether somebody holds the lock on its note.
fn is_alive(run: &Path) -> bool {
    let Ok(note) = File::open(run.join(NOTE)) else { return false };
    rustix::fs::flock(&note, FlockOperation::NonBlockingLockShared).is_err()
}

fn undo(run: &Path, patience: Patience, done: &mut dyn FnMut(String)) -> Result<()> {
    let note: Option<Note> = std::fs::read(run.join(NOTE)).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let note = note.unwrap_or_else(|| Note { files: run.join("disks"), temporary: None, of: None });
    let number = run.file_name().unwrap_or_default().display();
    let mut whose = Some(note.of.map_or(format!("of process {number}:"), |of| format!("of process {number}, {of}:")));
    let mut done = |what: String| {
        if let Some(whose) = whose.take() {
            done(whose);
        }
        done(format!("  {what}"));
    };
    let say = |text: &str| crate::to_stderr(&format!("note: {text}\n"));
    for (device, file) in disk::loops() {
        if !Path::new(&file).starts_with(&note.files) {
            continue;
        }
        let source = device.display().to_string();
        for mount in mounts::list().into_iter().rev().filter(|mount| mount.source == source) {
            disk::unmount(&mount.dir, patience, &say)?;
            done(format!("unmounted {}", mount.dir.display()));
        }
        disk::release(&device)?;
        done(format!("detached {source}"));
    }
    if mounts::at(&note.files).is_some_and(|mount| mount.source == NAME && mount.kind.starts_with("fuse")) {
        take_files_away(&note.files, patience, &say)?;
        done(format!("unmounted {}", note.files.display()));
    }
    if let Some(temporary) = note.temporary.filter(|folder| folder.is_dir()) {
        std::fs::remove_dir_all(&temporary).map_err(|e| {
            Error::unexpected(format!("cannot be removed: {e}")).of_file(temporary.display().to_string())
        })?;
        done(format!("removed {}", temporary.display()));
    }
    remove(run);
    Ok(())
}

/// Unmounts files over FUSE whose server is dead.
fn take_files_away(dir: &Path, patience: Patience, say: &dyn Fn(&str)) -> Result<()> {
    if rustix::process::geteuid().is_root() {
        return disk::unmount(dir, patience, say);
    }
    // Nobody has use for the files of a dead server: they need not be waited for.
    let ran = tools::call("fusermount3", ["-u".as_ref(), "-z".as_ref(), dir.as_os_str()])?;
    if ran.ok() {
        Ok(())
    } else {
        Err(tools::failed("the files cannot be unmounted", &ran, "try again when nothing uses them any more"))
    }
}
