//! `emulate --detach`: an emulation in the background, and the command line back as soon as clients can connect.
//!
//! ```text
//!  diskwright emulate --detach ──starts──▶ diskwright emulate --detached: a session of its own
//!          │◀───── standard output: what there is to say, and its end ──────┤ every socket is ready
//!        exits 0                                                            └─ goes on
//! ```
//!
//! The one in the background is the same program with the same arguments. Its messages go where they went, as long as it begins; from
//! then on only if that is a file or a terminal: whoever reads a pipe to its end would wait for the end of the emulation.
//!
//! Ignores: what becomes of the notes of an emulation whose standard error is a pipe; `ctl status` has what they are about.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use dw_error::{Error, Kind, Result};
use rustix::fs::FileType;
use rustix::process::{Pid, Signal, kill_process};
use rustix::stdio::{dup2_stderr, dup2_stdout, stderr, stdout};

use crate::exit::Exit;

const ASKED: &str = "--detach";
/// The same of the one in the background.
const DONE: &str = "--detached";

fn failed(what: &str, error: &dyn std::fmt::Display) -> Error {
    Error::unexpected(format!("the emulation cannot be put into the background: {what}: {error}"))
}

/// Starts the emulation, and returns when clients can connect.
pub fn start() -> Result<Exit> {
    let program = std::env::current_exe().map_err(|e| failed("this program is not found", &e))?;
    let mut args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some(word) = args.iter_mut().find(|word| **word == ASKED) else {
        return Err(failed("its arguments are not those of this process", &ASKED));
    };
    *word = DONE.into();
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| failed("it does not start", &e))?;
    // Whoever stops waiting does not want it: it undoes what it has begun.
    let process = Pid::from_child(&child);
    let _ = ctrlc::set_handler(move || {
        let _ = kill_process(process, Signal::TERM);
    });
    let mut told = Vec::new();
    let heard = child.stdout.take().map_or(Ok(0), |mut from| from.read_to_end(&mut told));
    heard.map_err(|e| failed("its output cannot be read", &e))?;
    if !told.is_empty() {
        return match io::stdout().write_all(&told).and_then(|()| io::stdout().flush()) {
            // Whoever closed the pipe has it running all the same.
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                // Nobody would know how to end it.
                let _ = kill_process(process, Signal::TERM);
                let _ = child.wait();
                Err(failed("its output cannot be written", &e))
            }
            _ => Ok(Exit::Ok),
        };
    }
    match child.wait().map_err(|e| failed("its state is unknown", &e))?.code() {
        // It has said why.
        Some(code) if code != 0 => std::process::exit(code),
        code => Err(failed("it ended before clients could connect", &code.map_or("killed", |_| "without an error"))),
    }
}

/// The one in the background leaves the terminal, whose Ctrl-C and end are not for it.
pub fn leave_terminal() {
    let _ = rustix::process::setsid();
}

/// Every socket is ready: says so to whoever waits, and lets go of pipes.
pub fn ready(sockets: &[String], control: &Path) -> Result<()> {
    let mut text = format!("process    {}\n", std::process::id());
    sockets.iter().for_each(|socket| text.push_str(&format!("socket     {socket}\n")));
    text.push_str(&format!("control    {}\n", control.display()));
    text.push_str(&format!("stop       diskwright ctl --socket {} shutdown\n", control.display()));
    let gone = |_| Error::new(Kind::Interrupted, "nothing is waiting for the emulation any more");
    // Not by `io::stdout()`: `main` holds its lock, and this may be another thread.
    let out = stdout().try_clone_to_owned().map(File::from);
    out.and_then(|mut out| out.write_all(text.as_bytes())).map_err(gone)?;
    let nowhere = File::options().write(true).open("/dev/null").map_err(|e| failed("/dev/null", &e))?;
    dup2_stdout(&nowhere).map_err(|e| failed("standard output", &e))?;
    let kind = rustix::fs::fstat(stderr()).map(|file| FileType::from_raw_mode(file.st_mode));
    if matches!(kind, Ok(FileType::Fifo | FileType::Socket)) {
        dup2_stderr(&nowhere).map_err(|e| failed("standard error", &e))?;
    }
    Ok(())
}
