//! The system's own programs, which attach, make, mount and take away.
//!
//! They are processes of their own for a reason: a thread of ours that waits in the kernel for a disk that we serve would keep
//! the kernel from noticing our end.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use dw_error::{Error, Kind, Result};

/// Where administrators' programs are, whatever the search path says.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/// Between two looks whether a program is to be ended.
const LOOK: Duration = Duration::from_millis(50);

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
            [] => self.code.map_or("it was killed".into(), |code| format!("it exited with {code} without a message")),
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
    call_until(name, args, &|| false)
}

/// The same; it is ended as soon as `stop` says so, which is an error of its own.
pub fn call_until<S: AsRef<OsStr>>(
    name: &str,
    args: impl IntoIterator<Item = S>,
    stop: &dyn Fn() -> bool,
) -> Result<Ran> {
    let program = need(name)?;
    let mut command = Command::new(&program);
    command.args(args).env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Of its own group: what a terminal's Ctrl-C ends is for us to decide.
    command.process_group(0);
    let child = command.spawn().map_err(|e| not_started(&program, &e))?;
    let process = rustix::process::Pid::from_child(&child);
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let mut stopped = false;
    let output = loop {
        match ended.recv_timeout(LOOK) {
            Err(mpsc::RecvTimeoutError::Timeout) if !stopped && stop() => {
                stopped = true;
                let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            ended => break ended,
        }
    };
    if stopped {
        return Err(Error::new(Kind::Interrupted, format!("stopped while `{name}` ran")));
    }
    let Ok(Ok(output)) = output else { return Err(Error::unexpected(format!("`{name}`: its state is unknown"))) };
    Ok(Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Whether a command could be started now, as it will be looked for: by its path, or along the search path.
pub fn can_start(program: &Path) -> Result<()> {
    let is_path = program.as_os_str().as_bytes().contains(&b'/');
    let folders = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let places: Vec<PathBuf> = match is_path {
        true => vec![program.to_path_buf()],
        false => std::env::split_paths(&folders).map(|folder| folder.join(program)).collect(),
    };
    let mut why = ErrorKind::NotFound;
    for place in places {
        let is_there = std::fs::metadata(&place).is_ok_and(|file| file.is_file());
        match rustix::fs::access(&place, rustix::fs::Access::EXEC_OK) {
            Ok(()) if is_there => return Ok(()),
            Ok(()) | Err(rustix::io::Errno::ACCESS) => why = ErrorKind::PermissionDenied,
            Err(_) => {}
        }
    }
    Err(not_started(program, &why.into()))
}

/// A program that cannot be started.
pub fn not_started(program: &Path, error: &std::io::Error) -> Error {
    let hint = match error.kind() {
        ErrorKind::NotFound => "it was not found; is it installed, and on PATH?",
        ErrorKind::PermissionDenied => "this user may not execute it",
        _ => "try it by hand",
    };
    let reason = crate::system::reason(error);
    Error::new(Kind::Tool, format!("`{}` cannot be started: {reason}", program.display())).hint(hint)
}

/// What is said of a program that failed.
pub fn failed(what: &str, ran: &Ran, hint: &str) -> Error {
    Error::unexpected(format!("{what}: {}", ran.complaint())).hint(hint)
}
