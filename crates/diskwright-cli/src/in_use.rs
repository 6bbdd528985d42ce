//! The catalogue in use: the one that is part of the program, with what the user imported laid over it.
//!
//! The layer is one file: that of `DISKWRIGHT_CATALOGUE`, or `diskwright/imported.toml` in the user's data folder
//! (`XDG_DATA_HOME`, `~/.local/share` without it). `DISKWRIGHT_CATALOGUE=none` uses the shipped catalogue alone.
//!
//! A file that the variable names must be there: a slip of the hand would plan with other figures than were meant. Only
//! `catalogue import` may name one that it will write. The user's own folder need not be there, nor open: a service without a
//! home has no layer, and is told so where one cannot even be looked for.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use diskwright::text::whole;
use diskwright::{Catalogue, Files, Observer, Session, Stamp};

use dw_error::{Error, Notice, Result};

use crate::progress::{self, Steps};
use crate::{files, kind, memory, system};

/// The variable that names the layer.
pub const VARIABLE: &str = "DISKWRIGHT_CATALOGUE";

static SESSION: OnceLock<Session> = OnceLock::new();

/// Where the layer is, or would be written; nothing when there is to be none.
pub fn layer() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match set(VARIABLE) {
        Some(value) if value == "none" => None,
        Some(value) => Some(PathBuf::from(value)),
        None => {
            let home = || set("HOME").map(|home| PathBuf::from(home).join(".local/share"));
            let data = set("XDG_DATA_HOME").map(PathBuf::from).or_else(home)?;
            Some(data.join("diskwright/imported.toml"))
        }
    }
}

/// Reads the layer, once, before anything asks for the catalogue.
pub fn read_layer() -> Result<()> {
    if SESSION.get().is_some() {
        return Ok(());
    }
    let Some(path) = layer() else { return Ok(()) };
    let is_named = is_named();
    match path.symlink_metadata() {
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return if is_named { Err(missing(&path)) } else { Ok(()) };
        }
        Err(e) if !is_named => {
            crate::to_stderr(&format!(
                "note: {} cannot be checked ({}); only the shipped catalogue is used\nhint: set HOME or XDG_DATA_HOME to a \
                 directory of yours, or {VARIABLE}=none\n",
                path.display(),
                system::reason(&e)
            ));
            return Ok(());
        }
        _ => {}
    }
    let text = text_of(&path).map_err(|e| match e.kind() {
        ErrorKind::NotFound if is_named => missing(&path),
        _ => broken(&path, &system::reason(&e)),
    })?;
    let catalogue = layered(&path, &text)?;
    // Whoever came first read the same.
    let _ = SESSION.set(session_of(catalogue));
    Ok(())
}

/// Whether the variable names the layer.
fn is_named() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty())
}

/// The text of a whole file in UTF-8, such as a layer.
pub fn text_of(path: &Path) -> io::Result<String> {
    String::from_utf8(whole(File::open(path)?)?).map_err(|_| io::Error::other("this is not UTF-8 text"))
}

/// The shipped catalogue with the layer of this text.
pub fn layered(path: &Path, text: &str) -> Result<Catalogue> {
    Catalogue::with_imported(text).map_err(|e| broken(path, e.what.trim_end()))
}

/// The layer cannot be used.
pub fn broken(path: &Path, what: &str) -> Error {
    if let Some(kind) = is_named().then(|| kind::of_file(path)).flatten() {
        let what = format!("{VARIABLE}={}: this {}, not a catalogue layer", path.display(), kind.is());
        return Error::input(what)
            .hint(format!("unset {VARIABLE}, or name a file written by `diskwright catalogue import`"));
    }
    let path = path.display().to_string();
    let hint =
        format!("remove or move {path}, then import again; or set {VARIABLE}=none to use only the shipped catalogue");
    let what = format!("the imported layer of the catalogue cannot be read: {}", what.trim_end());
    Error::input(what).hint(hint).of_file(path)
}

fn missing(path: &Path) -> Error {
    let hint = format!(
        "correct the path, write the file with `diskwright catalogue import`, unset {VARIABLE}, or set it to `none` for the \
         shipped catalogue alone"
    );
    Error::input(format!("{VARIABLE}={}: there is no such file", path.display())).hint(hint)
}

/// The catalogue in use.
pub fn catalogue() -> &'static Catalogue {
    session().catalogue()
}

/// What every command calls: the library on the catalogue in use, on this machine's files, at this time.
pub fn session() -> &'static Session {
    SESSION.get_or_init(|| session_of(Catalogue::embedded().clone()))
}

/// The same on another catalogue.
pub fn session_of(catalogue: impl Into<Arc<Catalogue>>) -> Session {
    let session = Session::new(catalogue).with_files(Disk).with_observer(Arc::new(StandardError::default()));
    session.with_memory(|| Some(memory::left())).at(stamp())
}

/// This moment.
pub fn now() -> Stamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Stamp::from_milliseconds(since.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
}

/// When a document was made: `SOURCE_DATE_EPOCH`, where set, stands for the clock, so that it can be reproduced byte for byte.
pub fn stamp() -> Stamp {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    fixed.map_or_else(now, |seconds| Stamp::from_milliseconds(seconds.saturating_mul(1_000)))
}

/// The files and the environment of this machine.
struct Disk;

impl Files for Disk {
    fn open(&self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        files::is_not_written(Path::new(name))?;
        Ok(Box::new(BufReader::new(File::open(name)?)))
    }
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// Remarks and progress go to standard error.
#[derive(Default)]
struct StandardError {
    steps: Steps,
}

impl Observer for StandardError {
    fn progress(&self, step: &str, share: f64) {
        self.steps.tell(step, share);
    }
    fn notice(&self, notice: &Notice) {
        crate::to_stderr(&format!("{}\n", notice.clone().told(&crate::option)));
    }
    fn is_cancelled(&self) -> bool {
        progress::interrupted()
    }
}
