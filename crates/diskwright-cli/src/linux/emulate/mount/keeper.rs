//! Keeps volumes mounted while the emulation runs: from the first attachment, through crashes and restarts, to the end.
//!
//! ```text
//!  ctl, signals, timeline ─▶ keeper ─▶ the loop that serves
//!                               └─▶ mount, umount, losetup: processes of their own
//! ```
//!
//! Whoever runs the VM's operating system has more to do about some commands than the disks have. A restart unmounts first and
//! mounts afterwards; so do detaching and another cache mode, for their volume. A crash comes without notice: the disks are cut,
//! the file system that was mounted is dead (its requests fail, whatever it still writes back reaches no disk), it is taken out of
//! sight and the volume is mounted again, which replays its journal. Only then is the command answered.
//!
//! Invariant: what is in [`State`] is what there is to undo, in reverse order.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use dw_emulator::command::{Answer, Command, CommandError, ErrorCode};
use dw_emulator::control::{Handle, Via};
use dw_emulator::inject::Effect;
use dw_emulator::serve::files::Files;
use dw_error::{Error, Kind, Result};

use super::disk::{self, Patience};
use super::run_folder::RunFolder;
use super::tools;
use crate::linux::emulate::FileSystem;
use crate::slow;

/// A volume that is to be mounted.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub volume: String,
    pub dir: PathBuf,
}

/// A volume with what has become of it.
#[derive(Debug)]
struct Mount {
    volume: String,
    dir: PathBuf,
    /// The kind of its file system, once it has one.
    kind: Option<FileSystem>,
    device: Option<PathBuf>,
    mounted: bool,
    /// One that a crash cut off may still be there.
    twice: bool,
}

/// What there is to undo.
#[derive(Debug)]
struct State {
    files: Option<Files>,
    mounts: Vec<Mount>,
    run: Option<RunFolder>,
}

#[derive(Debug)]
pub struct Keeper {
    inner: Handle,
    state: Mutex<State>,
    mkfs: Option<FileSystem>,
    read_only: bool,
    patience: Patience,
    /// The command that runs on the mounts.
    child: Mutex<Child>,
    over: Condvar,
}

/// The command that runs on the mounts.
#[derive(Debug, Default)]
struct Child {
    process: Option<rustix::process::Pid>,
    /// Somebody waits for the end of the command, and ends the emulation then.
    awaited: bool,
    /// Nothing is begun any more.
    stopping: bool,
}

/// How a volume is made and kept.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub mkfs: Option<FileSystem>,
    pub read_only: bool,
    pub patience: Patience,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note(text: &str) {
    crate::to_stderr(&format!("note: {text}\n"));
}

impl Keeper {
    /// Nothing is mounted yet.
    pub fn new(inner: Handle, files: Option<Files>, run: RunFolder, wanted: &[Wanted], how: How) -> Keeper {
        let mount = |wanted: &Wanted| Mount {
            volume: wanted.volume.clone(),
            dir: wanted.dir.clone(),
            kind: None,
            device: None,
            mounted: false,
            twice: false,
        };
        let state = State { files, mounts: wanted.iter().map(mount).collect(), run: Some(run) };
        let How { mkfs, read_only, patience } = how;
        Keeper {
            inner,
            state: Mutex::new(state),
            mkfs,
            read_only,
            patience,
            child: Mutex::default(),
            over: Condvar::new(),
        }
    }

    /// Mounts everything; one line a volume, for people. What was begun is undone by [`Keeper::end`].
    pub fn begin(&self) -> Result<String> {
        let mut state = locked(&self.state);
        let State { files, mounts, .. } = &mut *state;
        let mut lines = String::new();
        let stop = || locked(&self.child).stopping;
        let unless_stopped = || match stop() {
            true => Err(Error::new(Kind::Interrupted, "stopped before everything was mounted")),
            false => Ok(()),
        };
        for mount in mounts.iter_mut() {
            unless_stopped()?;
            let Some(files) = files else { break };
            let (name, file) = (mount.volume.clone(), files.path(&mount.volume));
            let content = slow::told(&format!("looking at volume `{name}`"), || disk::look(&file, &stop))?;
            let (kind, blank) = disk::decide(&name, &content, self.mkfs)?;
            if blank && self.read_only {
                let what = format!("volume `{}` is empty and read-only", mount.volume);
                return Err(Error::new(Kind::Usage, what).hint("omit `--read-only` the first time"));
            }
            if blank {
                tools::need(kind.maker())?;
            }
            mount.kind = Some(kind);
            let device = mount.device.insert(disk::attach(&file, self.read_only)?).clone();
            let making = format!("creating {} on volume `{name}`", kind.name());
            if blank && let Err(error) = slow::told(&making, || disk::make(kind, &device, &stop)) {
                let undo = || mount.down(self.patience).and(disk::wipe(&file));
                if let Err(rest) = slow::told(&format!("emptying volume `{name}`"), undo) {
                    note(&format!("volume `{name}` could not be emptied: {rest}"));
                }
                let no_room = if error.kind == Kind::Interrupted { None } else { self.for_want_of_room(&name) };
                return Err(no_room.unwrap_or(error));
            }
            unless_stopped()?;
            slow::told(&format!("mounting volume `{name}`"), || mount.up(files, self.read_only))?;
            let how = if blank { "made" } else { "found" };
            let (name, dir) = (kind.name(), mount.dir.display());
            lines.push_str(&format!("mounted    {} at {dir}  {name}, {how}, {}\n", mount.volume, device.display()));
        }
        // What making and mounting took is nobody's load.
        let _ = self.inner.call(Command::ResetCounters);
        Ok(lines)
    }

    /// What there is to say of a disk for which this machine had no room.
    fn for_want_of_room(&self, volume: &str) -> Option<Error> {
        let Ok(Answer::Status { status }) = self.inner.call(Command::Status) else { return None };
        let first = status.host.no_space_first?;
        let what = format!("this machine has no space for a file system on volume `{volume}`: {first}");
        let hint = "free some space, or name a directory on another disk with `--dir`; nothing was left on the volume";
        Some(Error::unexpected(what).hint(hint))
    }

    /// Undoes everything, last first.
    ///
    /// # Errors
    /// When something is in use: then it is still there, and the emulation goes on. What was written to it is made durable, since whoever
    /// uses it may outlive the disk.
    pub fn end(&self) -> Result<()> {
        let mut state = locked(&self.state);
        let mut refused = Ok(());
        for mount in state.mounts.iter_mut().rev() {
            if let Err(error) = mount.down(self.patience) {
                if mount.mounted && !disk::sync(&mount.dir) {
                    note(&format!("data written to {} may not be on the disk", mount.dir.display()));
                }
                refused = refused.and(Err(error));
            }
        }
        refused?;
        if let Some(files) = &mut state.files {
            take_away(files, self.patience)?;
            state.files = None;
        }
        Ok(())
    }

    /// Runs a command to its end; with what it came to, as shells say it.
    pub fn run(&self, command: &mut std::process::Command) -> Result<i32> {
        use std::os::unix::process::ExitStatusExt;
        let mut child = {
            let mut place = locked(&self.child);
            if place.stopping {
                return Err(Error::new(Kind::Interrupted, "stopped before the command started"));
            }
            let program = PathBuf::from(command.get_program());
            let child = command.spawn().map_err(|e| tools::not_started(&program, &e))?;
            place.process = rustix::process::Pid::from_raw(child.id() as i32);
            place.awaited = true;
            child
        };
        let status = child.wait();
        locked(&self.child).process = None;
        let status = status.map_err(|e| Error::unexpected(format!("the state of the command is unknown: {e}")))?;
        Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
    }

    /// What holds requests up for good would hold up the end, too: whoever unmounts waits for them.
    pub fn let_go(&self) {
        if self.inner.call(Command::Resume).is_ok() {
            note("the model's time was paused; it resumes, so that the emulation can stop");
        }
        let Ok(Answer::Faults { faults }) = self.inner.call(Command::Faults) else { return };
        for fault in faults.into_iter().filter(|fault| fault.fault.effect == Effect::Stuck) {
            if self.inner.call(Command::Clear { id: Some(fault.id), export: None }).is_ok() {
                note(&format!(
                    "fault {} held requests of `{}`; it is cleared, so that the emulation can stop",
                    fault.id, fault.fault.export
                ));
            }
        }
    }

    /// Everything is undone, as far as it could be: the emulation ends.
    pub fn over(&self) {
        locked(&self.child).awaited = false;
        self.over.notify_all();
        let _ = self.inner.call(Command::Shutdown);
    }

    /// The folder of the run goes, unless something of it is still there for `--clean`.
    pub fn close(&self) {
        let mut state = locked(&self.state);
        let rest = state.files.is_some() || state.mounts.iter().any(|mount| mount.device.is_some());
        if let Some(run) = state.run.take()
            && rest
        {
            run.leave();
        }
    }

    /// Asks the command to end, if there is one; the emulation ends after it.
    fn shutdown(&self) -> Result<Answer, CommandError> {
        self.let_go();
        let mut child = locked(&self.child);
        child.stopping = true;
        if let Some(process) = child.process {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        }
        if child.awaited {
            drop(self.over.wait_while(child, |child| child.awaited));
        } else {
            drop(child);
            self.end().map_err(refusal)?;
        }
        self.inner.call(Command::Shutdown)
    }

    /// Unmounts the volumes that `is` says, calls, and mounts them again if `again` says so of them.
    fn around(&self, command: Command, is: impl Fn(&str) -> bool, again: bool) -> Result<Answer, CommandError> {
        let mut state = locked(&self.state);
        let State { files, mounts, .. } = &mut *state;
        let mut down: Vec<&mut Mount> = mounts.iter_mut().filter(|mount| mount.mounted && is(&mount.volume)).collect();
        let result = down.iter_mut().rev().try_for_each(|mount| mount.down(self.patience)).map_err(refusal);
        let answer = result.and_then(|()| self.inner.call(command));
        if again || answer.is_err() {
            self.up(&mut down, files.as_ref()).map_err(|error| if answer.is_ok() { all_but(error) } else { error })?;
        }
        answer
    }

    fn up(&self, mounts: &mut [&mut Mount], files: Option<&Files>) -> Result<(), CommandError> {
        let Some(files) = files else { return Ok(()) };
        let mut up = Ok(());
        for mount in mounts {
            up = up.and(mount.up(files, self.read_only));
        }
        up.map_err(refusal)
    }

    fn crash(&self, command: Command) -> Result<Answer, CommandError> {
        let mut state = locked(&self.state);
        let State { files, mounts, .. } = &mut *state;
        let answer = self.inner.call(command)?;
        let mut down: Vec<&mut Mount> = mounts.iter_mut().filter(|mount| mount.mounted).collect();
        let result = down.iter_mut().rev().try_for_each(|mount| mount.drop_dead()).map_err(refusal);
        result.and_then(|()| self.up(&mut down, files.as_ref())).map_err(all_but)?;
        Ok(answer)
    }

    /// A volume is there again: so is its mount.
    fn attached(&self, volume: &str) -> Result<(), CommandError> {
        let mut state = locked(&self.state);
        let State { files, mounts, .. } = &mut *state;
        let mut up: Vec<&mut Mount> = mounts.iter_mut().filter(|m| !m.mounted && m.volume == volume).collect();
        self.up(&mut up, files.as_ref())
    }

    /// A disk may have grown: so does the block device. The file system grows when somebody says so.
    fn resized(&self) -> Result<(), CommandError> {
        let state = locked(&self.state);
        for mount in state.mounts.iter().filter(|mount| mount.mounted) {
            let (Some(device), Some(files)) = (&mount.device, &state.files) else { continue };
            // Looking at the file makes the kernel ask for its size.
            let _ = std::fs::metadata(files.path(&mount.volume));
            disk::look_again(device).map_err(refusal)?;
        }
        Ok(())
    }
}

impl Via for Keeper {
    fn call(&self, command: Command) -> Result<Answer, CommandError> {
        match &command {
            Command::Shutdown => self.shutdown(),
            Command::Crash { .. } => self.crash(command),
            Command::Reboot => self.around(command, |_| true, true),
            Command::Cache { volume, .. } => {
                let volume = volume.clone();
                self.around(command, |name| name == volume, true)
            }
            Command::Detach { volume } => {
                let volume = volume.clone();
                self.around(command, |name| name == volume, false)
            }
            Command::Attach { volume } => {
                let volume = volume.clone();
                let answer = self.inner.call(command)?;
                self.attached(&volume).map_err(all_but)?;
                Ok(answer)
            }
            Command::Resize { .. } => {
                let answer = self.inner.call(command)?;
                self.resized().map_err(all_but)?;
                Ok(answer)
            }
            _ => self.inner.call(command),
        }
    }
}

impl Mount {
    /// Attached and mounted, unless it is already: one that was in use never went.
    fn up(&mut self, files: &Files, read_only: bool) -> Result<()> {
        let Some(kind) = self.kind.filter(|_| !self.mounted) else { return Ok(()) };
        let device = match &self.device {
            Some(device) => device.clone(),
            None => self.device.insert(disk::attach(&files.path(&self.volume), read_only)?).clone(),
        };
        let mounted = if self.dir.is_dir() {
            disk::mount(kind, &device, &self.dir, (read_only, self.twice))
        } else {
            let what = format!("{} is gone, so volume `{}` is not mounted", self.dir.display(), self.volume);
            Err(Error::usage(what).hint("recreate the directory; then detach and attach the volume, which mounts it"))
        };
        self.mounted = mounted.is_ok();
        if mounted.is_err() {
            // A device belongs to one life of its volume, and the next attempt may come in another one.
            let _ = self.down(Patience { wait: std::time::Duration::ZERO, lazy: false });
        }
        mounted
    }

    /// Unmounted and given back.
    fn down(&mut self, patience: Patience) -> Result<()> {
        if self.mounted {
            disk::unmount(&self.dir, patience, &note)?;
            self.mounted = false;
        }
        if let Some(device) = &self.device {
            disk::release(device)?;
            self.device = None;
        }
        Ok(())
    }

    /// The same for one that a crash cut off: nobody is waited for, as those who use it have only errors of it.
    fn drop_dead(&mut self) -> Result<()> {
        self.twice = true;
        let holders = super::mounts::holders(&self.dir);
        if !holders.is_empty() {
            note(&format!(
                "{} still have {} open from before the crash and get errors",
                holders.join(", "),
                self.dir.display()
            ));
        }
        disk::detach(&self.dir)?;
        self.mounted = false;
        if let Some(device) = self.device.take() {
            disk::release(&device)?;
        }
        Ok(())
    }
}

/// The files are somebody's as long as one is open: a loop device gives its file back a moment after it was asked to.
fn take_away(files: &mut Files, patience: Patience) -> Result<()> {
    let dir: &Path = files.dir();
    if super::mounts::at(dir).is_some() {
        if rustix::process::geteuid().is_root() {
            return disk::unmount(dir, patience, &note);
        }
        files.unmount().map_err(|e| Error::new(Kind::Refused, format!("the files are in use: {e}")))?;
    }
    Ok(())
}

/// Of a command that was carried out, and left something unmounted.
fn all_but(error: CommandError) -> CommandError {
    CommandError { message: format!("the command was executed, but {}", error.message), ..error }
}

/// As the control channel says it.
fn refusal(error: Error) -> CommandError {
    let code = if error.kind == Kind::Refused { ErrorCode::Busy } else { ErrorCode::Io };
    CommandError::new(code, error.what.clone()).hint(error.hint.clone())
}
