//! `--pid-file`: the process id in a file, as long as we run.
//!
//! A file that is there is somebody's. It is replaced only when it is empty or holds the number of a process that is no more, as a run
//! that was killed leaves it; links are not followed, and nothing is ever truncated.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dw_error::{Error, Kind, Result};
use rustix::fs::OFlags;
use rustix::process::{Pid, test_kill_process};

use crate::system;

/// More is no number of a process.
const LONGEST: u64 = 32;

/// The file; it goes when dropped, if it is still ours.
#[derive(Debug)]
pub struct PidFile {
    path: PathBuf,
    /// Open, so that no other file gets its number.
    file: File,
}

fn place(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

impl PidFile {
    pub fn write(path: &Path) -> Result<PidFile> {
        let failed = |e: io::Error| system::unwritable(path, "--pid-file", &e);
        if is_left_behind(path)? {
            std::fs::remove_file(path).map_err(failed)?;
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        let mut written = PidFile { path: path.to_path_buf(), file };
        writeln!(written.file, "{}", std::process::id()).map_err(failed)?;
        Ok(written)
    }

    /// Whether it could be written now.
    pub fn check(path: &Path) -> Result<()> {
        is_left_behind(path).map(drop)
    }
}

impl Drop for PidFile {
    fn drop(&mut self) {
        let Ok(ours) = self.file.metadata() else { return };
        if std::fs::symlink_metadata(&self.path).is_ok_and(|there| place(&there) == place(&ours)) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a file is there that nobody needs any more; an error when it is somebody's.
fn is_left_behind(path: &Path) -> Result<bool> {
    let refused = |what: String| {
        let hint = "name another file with `--pid-file`, or remove this one";
        Err(Error::new(Kind::Protected, what).hint(hint).of_file(path.display().to_string()))
    };
    let failed = |e: io::Error| system::unwritable(path, "--pid-file", &e);
    match std::fs::symlink_metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(failed(e)),
        Ok(there) if there.is_symlink() => return refused("this is a link, which is not followed".into()),
        Ok(there) if !there.is_file() => return refused("this is not an ordinary file".into()),
        Ok(_) => {}
    }
    let how = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let file: File = OpenOptions::new().read(true).custom_flags(how).open(path).map_err(failed)?;
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(failed)?;
    let number = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse::<i32>().ok());
    match number.filter(|&number| number > 0).and_then(Pid::from_raw) {
        _ if text.is_empty() => Ok(true),
        // In a container each run may have the same number.
        Some(pid) if pid == rustix::process::getpid() || is_dead(pid) => Ok(true),
        Some(pid) => refused(format!("process {} exists, and this file contains its ID", pid.as_raw_nonzero())),
        None => refused("this file does not contain a process ID".into()),
    }
}

/// One that has ended and that its parent has not asked for yet, too.
fn is_dead(pid: Pid) -> bool {
    let state = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        // Behind its name, in which brackets may be.
        stat.rsplit_once(')')?.1.trim_start().chars().next()
    };
    test_kill_process(pid) == Err(rustix::io::Errno::SRCH) || matches!(state(), Some('Z' | 'X'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_dead_run_left_is_replaced() {
        let own = std::process::id().to_string();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let dead = child.id().to_string();
        child.wait().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let zombie = child.id().to_string();
        while !is_dead(Pid::from_child(&child)) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let living = std::os::unix::process::parent_id().to_string();
        let cases: [(&str, Option<&str>, Option<&str>); 9] = [
            ("nothing", None, None),
            ("an empty file", Some(""), None),
            ("a dead process", Some(&dead), None),
            ("a dead process, with a new line", Some(&format!("{dead}\n")), None),
            ("one that has ended and is not waited for", Some(&zombie), None),
            ("this process", Some(&own), None),
            ("a living process", Some(&living), Some("exists, and this file contains its ID")),
            ("a text", Some("precious"), Some("does not contain a process ID")),
            ("a number that is none of a process", Some("-1"), Some("does not contain a process ID")),
        ];
        for (name, text, refused) in cases {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("pid");
            if let Some(text) = text {
                std::fs::write(&path, text).unwrap();
            }
            let checked = PidFile::check(&path).map_err(|error| error.to_string());
            let written = PidFile::write(&path).map_err(|error| error.to_string());
            match refused {
                None => {
                    assert_eq!(checked, Ok(()), "{name}");
                    let written = written.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{own}\n"), "{name}");
                    drop(written);
                    assert!(!path.exists(), "{name}");
                }
                Some(why) => {
                    for result in [checked, written.map(drop)] {
                        let said = result.expect_err(name);
                        assert!(said.contains(why) && said.contains("\nhint: "), "{name}: {said}");
                    }
                    assert_eq!(std::fs::read_to_string(&path).unwrap(), text.unwrap_or_default(), "{name}");
                }
            }
        }
        child.wait().unwrap();
    }

    #[test]
    fn a_link_is_not_followed_and_another_file_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("link"));
        std::fs::write(&victim, "1").unwrap();
        for target in [&victim, &folder.path().join("nothing")] {
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(target, &link).unwrap();
            let said = PidFile::write(&link).unwrap_err().to_string();
            assert!(said.contains("this is a link"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "1");
        assert!(PidFile::write(folder.path()).unwrap_err().to_string().contains("not an ordinary file"));
        let path = folder.path().join("pid");
        let written = PidFile::write(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "another's").unwrap();
        drop(written);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "another's");
    }
}
