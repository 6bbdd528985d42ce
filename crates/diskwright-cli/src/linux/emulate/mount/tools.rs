//! The system's own programs, which attach, make, mount and take away.
//!
//! They are processes of their own for a reason: a thread of ours that waits in the kernel for a disk that we serve would keep
//! the kernel from noticing our end.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dw_error::{Error, Kind, Result};

/// Where administrators' programs are, whatever the search path says.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/// Programs that are called, and the packages that bring them.
const PACKAGES: [(&str, &str); 8] = [
    ("losetup", "mount (util-linux)"),
    ("mount", "mount (util-linux)"),
    ("umount", "mount (util-linux)"),
    ("blkid", "util-linux"),
    ("mkfs.ext4", "e2fsprogs"),
    ("mkfs.xfs", "xfsprogs"),
    ("fusermount3", "fuse3"),
    ("sync", "coreutils"),
];

/// What a program came to.
#[derive(Debug)]
pub struct Ran {
    /// `None` = killed.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }

    /// What it complained of, on one line.
    pub fn complaint(&self) -> String {
        let lines: Vec<&str> = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        match lines.as_slice() {
            [] => self.code.map_or("it was killed".into(), |code| format!("it ended with {code} and said nothing")),
            lines => lines.join("; "),
        }
    }
}

/// Where a program is.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.iter().map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The same, or what to install.
pub fn need(name: &str) -> Result<PathBuf> {
    find(name).ok_or_else(|| {
        let package = PACKAGES.iter().find(|(program, _)| *program == name).map_or(name, |(_, package)| package);
        Error::new(Kind::Tool, format!("`{name}` is not installed")).hint(format!("install the package {package}"))
    })
}

/// Calls a program without input, in its own language.
pub fn call<S: AsRef<OsStr>>(name: &str, args: impl IntoIterator<Item = S>) -> Result<Ran> {
    let program = need(name)?;
    let output = Command::new(&program)
        .args(args)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| not_started(&program, &e))?;
    Ok(Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// A program that cannot be started.
pub fn not_started(program: &Path, error: &std::io::Error) -> Error {
    let hint = match error.kind() {
        ErrorKind::NotFound => "it is not there; is it installed, and on the search path?",
        ErrorKind::PermissionDenied => "it may not be executed by this user",
        _ => "try it by hand",
    };
    let reason = crate::system::reason(error);
    Error::new(Kind::Tool, format!("`{}` cannot be started: {reason}", program.display())).hint(hint)
}

/// What is said of a program that failed.
pub fn failed(what: &str, ran: &Ran, hint: &str) -> Error {
    Error::unexpected(format!("{what}: {}", ran.complaint())).hint(hint)
}
