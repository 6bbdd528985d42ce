//! Where results go: standard output, or a file that is complete or not there.
//!
//! A link leads to the file that is replaced; a device or a pipe is written to as it is.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use dw_error::{Error, Result, obeyed};

#[cfg(unix)]
use crate::progress::{self, Watch};
use crate::report::Text;
use crate::{system, terminal};

/// Writes `text` to `file`, or to standard output without one; `-` is standard output, too.
pub fn write(text: &str, file: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    match file.filter(|path| !is_standard_output(path)) {
        Some(path) => write_file(path, text),
        None => match out.write_all(on(terminal::is_one(), text).as_bytes()).and_then(|()| out.flush()) {
            // Whoever reads us has read enough, as in `diskwright ... | head`.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(e) => Err(Error::unexpected(format!("cannot write to standard output: {}", system::reason(&e)))),
            Ok(()) => Ok(()),
        },
    }
}

/// A text as it goes there: exact for programs; on a terminal without what that would obey.
fn on(is_terminal: bool, text: &str) -> Cow<'_, str> {
    if is_terminal { obeyed::lines(text) } else { text.into() }
}

/// Writes what programs read while it is made: a document of a hundred megabytes is never whole in memory.
pub fn stream(
    file: Option<&Path>,
    out: &mut dyn Write,
    make: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let buffered = |to: &mut dyn Write, make: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>| {
        let mut to = std::io::BufWriter::with_capacity(AT_ONCE, to);
        make(&mut to).and_then(|()| to.flush())
    };
    let mut make = Some(make);
    let mut once = |to: &mut dyn Write| make.take().map_or(Ok(()), |make| make(to));
    match file.filter(|path| !is_standard_output(path)) {
        Some(path) if std::fs::metadata(path).is_ok_and(|is| !is.is_file() && !is.is_dir()) => {
            open_in_place(path).and_then(|mut file| buffered(&mut file, &mut once)).map_err(|e| failure(path, &e))
        }
        Some(path) => {
            let staged = Staged::beside(path).map_err(|e| failure(path, &e))?;
            let written = std::fs::File::options().write(true).open(&staged.temporary).and_then(|mut file| {
                buffered(&mut file, &mut once)?;
                file.sync_all()
            });
            written.map_err(|e| failure(path, &e))?;
            staged.commit()
        }
        None if terminal::is_one() => {
            let mut whole = Vec::new();
            let _ = once(&mut whole);
            write(&String::from_utf8_lossy(&whole), None, out)
        }
        None => match buffered(out, &mut once) {
            // Whoever reads us has read enough, as in `diskwright ... | head`.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(e) => Err(Error::unexpected(format!("cannot write to standard output: {}", system::reason(&e)))),
            Ok(()) => Ok(()),
        },
    }
}

/// Bytes that are written at once.
const AT_ONCE: usize = 1 << 16;

/// Writes what people read: as wide as the terminal that it goes to, or as it is.
pub fn show(text: &Text, file: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    write(&text.fitted(columns(file)), file, out)
}

/// The columns that a line may have there; none = any number.
pub fn columns(file: Option<&Path>) -> Option<usize> {
    terminal::columns().filter(|_| file.is_none_or(is_standard_output))
}

/// Whether a path names standard output: it may be a file that others write to, and is not replaced.
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path.as_os_str() == *name)
}

/// Records as CSV, each with as many fields as the header. A field is quoted where it must be.
pub fn csv(head: &[&str], records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(head);
    for record in records {
        let _ = writer.write_record(record);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The word that stands for a value in our documents; empty for what is not one word.
pub fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_string)).unwrap_or_default()
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    if std::fs::metadata(path).is_ok_and(|is| !is.is_file() && !is.is_dir()) {
        return open_in_place(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| failure(path, &e));
    }
    Staged::new(path, text)?.commit()
}

/// A device, or a pipe as soon as somebody reads it: until then Ctrl-C ends the wait, as it ends all others.
fn open_in_place(path: &Path) -> std::io::Result<std::fs::File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
        if std::fs::metadata(path)?.file_type().is_fifo() {
            let _watch = Watch::unread(path.display().to_string());
            let is_stopped = progress::interrupted();
            loop {
                // A pipe without a reader is refused at once; with one it opens.
                let at_once = rustix::fs::OFlags::NONBLOCK.bits() as i32;
                match std::fs::File::options().write(true).custom_flags(at_once).open(path) {
                    Ok(pipe) => {
                        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::empty())?;
                        return Ok(pipe);
                    }
                    Err(e) if e.raw_os_error() != Some(rustix::io::Errno::NXIO.raw_os_error()) => return Err(e),
                    Err(_) if progress::interrupted() && !is_stopped => {
                        return Err(std::io::Error::other("nothing reads this pipe"));
                    }
                    Err(_) => std::thread::sleep(LOOK),
                }
            }
        }
    }
    std::fs::File::options().write(true).open(path)
}

/// Between two looks for a reader.
#[cfg(unix)]
const LOOK: std::time::Duration = std::time::Duration::from_millis(50);

/// A file written in full next to its place, and not yet there: a crash leaves the old file or the new one. Goes away when it is
/// dropped, so that several can be written before the first is put in its place.
pub struct Staged {
    path: PathBuf,
    temporary: PathBuf,
}

impl Staged {
    /// Writes `text` next to `path`.
    pub fn new(path: &Path, text: &str) -> Result<Staged> {
        let staged = Staged::beside(path).map_err(|e| failure(path, &e))?;
        let written = std::fs::File::options().write(true).open(&staged.temporary).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|e| failure(path, &e))?;
        Ok(staged)
    }
    /// An empty file next to `path`, or next to what it links to.
    pub fn beside(path: &Path) -> std::io::Result<Staged> {
        let place = behind_links(path)?;
        let mut name = place.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = place.with_file_name(name);
        std::fs::File::create(&temporary)?;
        Ok(Staged { path: place, temporary })
    }
    /// Puts it in its place.
    pub fn commit(self) -> Result<()> {
        std::fs::rename(&self.temporary, &self.path).map_err(|e| failure(&self.path, &e))
    }
    /// Makes a program of it, where files have such a mark.
    pub fn make_executable(&self) -> Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&self.temporary, mode).map_err(|e| failure(&self.path, &e))?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Once it is in its place there is nothing to remove.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// Links that are followed, as on Linux.
const LINKS_MAX: usize = 40;

/// Where a path leads, whether or not anything is there yet.
pub(crate) fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut place = path.to_path_buf();
    for _ in 0..=LINKS_MAX {
        match place.read_link() {
            Ok(target) => place = place.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(place),
        }
    }
    Err(std::io::Error::other("its links form a loop"))
}

/// What is said of a file that cannot be written, whose option was checked before ([`crate::files`]).
pub fn failure(path: &Path, error: &std::io::Error) -> Error {
    system::unwritable(path, "--output", error)
}

/// Sentences as people read them.
pub(crate) fn texts(sentences: &[dw_documents::Sentence]) -> Vec<String> {
    sentences.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_shown_what_a_program_gets_as_it_is() {
        let csv = "name\n\u{1b}]0;title\u{7}\u{202e},1\n";
        assert_eq!(on(false, csv), csv);
        assert_eq!(on(true, csv), "name\n␛]0;title␇\u{fffd},1\n");
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        std::fs::write(&path, "old").unwrap();
        write("new", Some(&path), &mut Vec::new()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_written_while_it_is_made_is_complete_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        std::fs::write(&path, "old").unwrap();
        let failed = stream(Some(&path), &mut Vec::new(), |to| {
            to.write_all(&[b'x'; 3 * AT_ONCE])?;
            Err(std::io::Error::other("no more"))
        });
        assert!(failed.is_err() && std::fs::read_to_string(&path).unwrap() == "old");
        stream(Some(&path), &mut Vec::new(), |to| to.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut out = Vec::new();
        stream(None, &mut out, |to| to.write_all(b"x")).unwrap();
        assert_eq!(out, b"x");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_its_target_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("far")).unwrap();
        std::fs::write(at("there"), "old").unwrap();
        std::os::unix::fs::symlink("far/third", at("second")).unwrap();
        for (link, target, written) in [
            ("to a file", "there", "there"),
            ("to nothing yet", "new", "new"),
            ("to nothing yet in a folder", "far/new", "far/new"),
            ("to a link to nothing yet", "second", "far/third"),
        ] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
            write(link, Some(&at(link)), &mut Vec::new()).unwrap();
            assert!(at(link).symlink_metadata().unwrap().is_symlink(), "{link}");
            assert_eq!(std::fs::read_to_string(at(written)).unwrap(), link);
        }
        assert!(at("second").symlink_metadata().unwrap().is_symlink());
        std::os::unix::fs::symlink("nowhere/file", at("lost")).unwrap();
        let failure = write("x", Some(&at("lost")), &mut Vec::new()).unwrap_err();
        assert!(failure.to_string().contains("cannot be written: no such file or directory"), "{failure}");
        std::os::unix::fs::symlink("circle", at("circle")).unwrap();
        let failure = write("x", Some(&at("circle")), &mut Vec::new()).unwrap_err();
        assert!(failure.to_string().contains("cannot be written: its links form a loop"), "{failure}");
        assert!(at("circle").symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn what_was_staged_and_not_put_in_its_place_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let staged = Staged::new(&folder.path().join("a.sh"), "echo").unwrap();
        staged.make_executable().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(staged);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let failure = write("x", Some(Path::new("/does/not/exist/x")), &mut Vec::new()).unwrap_err();
        let shown = failure.to_string();
        let (first, hint) = shown.split_once('\n').unwrap();
        assert_eq!(first, "error: /does/not/exist/x: cannot be written: no such file or directory");
        assert!(hint.starts_with("hint: does its directory exist?"), "{hint}");
    }
}
