//! `emulate --mount` and `--fuse`: volumes as folders of this machine, and commands that run on them.
//!
//! `keeper`: through the life of the emulation. `disk`: a volume as a block device with a file system. `run_folder`: what is left
//! of a run that was killed. `mounts`, `tools`: what the kernel says, and the system's own programs.

mod disk;
mod keeper;
mod mounts;
mod run_folder;
mod tools;

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use dw_demand::volume_name;
use dw_emulator::Engine;
use dw_emulator::control::Handle;
use dw_emulator::serve::files::{Files, NAME};
use dw_emulator::serve::{Notice, ServeOptions};
use dw_emulator::timeline::Planned;
use dw_error::{Error, Kind, Result};

use disk::Patience;
use keeper::{How, Keeper, Wanted};
use run_folder::RunFolder;

use super::{Ended, MountArgs};

/// That the command could be started: before anything is made for it. One that is on a volume is not there yet.
pub fn can_start(args: &MountArgs) -> Result<()> {
    let Some(program) = args.command.first().map(Path::new) else { return Ok(()) };
    let within = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    let folders = args.mount.iter().map(|(_, dir)| dir).chain(&args.fuse);
    let mut folders = folders.map(|dir| std::path::absolute(dir).unwrap_or_else(|_| dir.clone()));
    if folders.any(|dir| within.starts_with(dir)) { Ok(()) } else { tools::can_start(program) }
}

/// Everything that can be seen to be wrong before anything is begun.
fn check(args: &MountArgs, engine: &Engine) -> Result<Vec<Wanted>> {
    let volumes: Vec<&str> =
        engine.exports().iter().map(|export| export.name.as_str()).filter(|name| is_volume(name, engine)).collect();
    let mut wanted: Vec<Wanted> = Vec::new();
    for (volume, dir) in &args.mount {
        if !volumes.contains(&volume.as_str()) {
            let hint = dw_emulator::command::nearest(volume, volumes.iter().copied());
            return Err(
                Error::usage(format!("`--mount {volume}={}`: unknown volume `{volume}`", dir.display())).hint(hint)
            );
        }
        let dir = folder(dir)?;
        if args.fuse.as_deref().and_then(|fuse| fuse.canonicalize().ok()).is_some_and(|fuse| fuse == dir) {
            let what = format!("`--mount` and `--fuse` both name {}", dir.display());
            return Err(Error::usage(what).hint("give each its own directory"));
        }
        if let Some(other) = wanted.iter().find(|other| other.dir == dir || other.volume == *volume) {
            let what = format!("`--mount` names `{}` at {} twice", other.volume, other.dir.display());
            return Err(Error::usage(what).hint("mount each volume once, in its own directory"));
        }
        let alike = wanted.iter().find(|other| variable(&other.volume) == variable(volume));
        if let Some(other) = alike.filter(|_| !args.command.is_empty()) {
            let (name, other) = (variable(volume), &other.volume);
            let what = format!("the command would get the directories of `{other}` and `{volume}` both as {name}");
            return Err(Error::usage(what).hint("rename one of the two volumes"));
        }
        wanted.push(Wanted { volume: volume.clone(), dir });
    }
    if wanted.is_empty() {
        return Ok(wanted);
    }
    if !rustix::process::geteuid().is_root() {
        return Err(Error::new(Kind::Tool, "only root may mount a disk")
            .hint("use sudo; or `--fuse DIR`, which exposes the volumes to you as plain files; or attach by NBD"));
    }
    if !disk::have_loops() {
        return Err(Error::new(Kind::Tool, "this system has no loop devices (/dev/loop-control)").hint(
            "`modprobe loop`; a container needs `--privileged`, or `--device /dev/loop-control` and its devices",
        ));
    }
    for program in ["losetup", "mount", "umount", "blkid"] {
        tools::need(program)?;
    }
    Ok(wanted)
}

fn is_volume(name: &str, engine: &Engine) -> bool {
    volume_name::volume_of(name).is_none_or(|volume| engine.exports().iter().all(|export| export.name != volume))
}

/// An empty folder in which nothing is mounted.
fn folder(dir: &Path) -> Result<PathBuf> {
    let wrong = |what: &str, hint: &str| Err(Error::usage(what).hint(hint).of_file(dir.display().to_string()));
    let Ok(path) = dir.canonicalize() else {
        return wrong("no such directory", &format!("create it with `mkdir -p {}`", dir.display()));
    };
    if let Some(mount) = mounts::at(&path) {
        let hint = if mount.source.starts_with("/dev/loop") || mount.source == NAME {
            "name another directory; `diskwright emulate --clean` removes what a killed run left there"
        } else {
            "name another directory"
        };
        return wrong(&format!("{} ({}) is mounted there", mount.source, mount.kind), hint);
    }
    match std::fs::read_dir(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => wrong("this is not a directory", "name a folder"),
        Err(e) => Err(crate::system::unreadable(dir, &e)),
        Ok(mut entries) => match entries.next() {
            Some(_) => wrong("the directory is not empty, and its content would be hidden", "name an empty directory"),
            None => Ok(path),
        },
    }
}

fn patience(args: &MountArgs) -> Patience {
    Patience { wait: std::time::Duration::from_nanos(args.patience().ns()), lazy: args.lazy }
}

/// Undoes what dead runs left behind; what was done, for people.
pub fn clean(args: &MountArgs) -> Result<Vec<String>> {
    run_folder::clean(patience(args))
}

/// What there is before the server.
#[derive(Debug)]
pub struct Prepared {
    files: Option<Files>,
    run: RunFolder,
    wanted: Vec<Wanted>,
    read_only: bool,
    planned: mpsc::Receiver<Planned>,
}

/// Checks everything, and shows the volumes as files where they are wanted so; `None` = nothing of all this is.
pub fn prepare(
    args: &MountArgs,
    engine: &Engine,
    temporary: Option<&Path>,
    options: &mut ServeOptions,
) -> Result<Option<Prepared>> {
    if !args.has_folders() && args.command.is_empty() {
        return Ok(None);
    }
    let wanted = check(args, engine)?;
    let shown = args.fuse.as_deref().map(folder).transpose()?;
    let (run, dir) = RunFolder::new(shown.as_deref(), temporary)?;
    let mut files = None;
    if shown.is_some() || !wanted.is_empty() {
        let (mounted, inbox) = Files::mount(&dir, engine)?;
        (files, options.files) = (Some(mounted), Some(inbox));
    }
    let (sender, planned) = mpsc::channel();
    options.planned = Some(Box::new(move |next| drop(sender.send(next))));
    let read_only = engine.exports().iter().any(|export| export.read_only);
    Ok(Some(Prepared { files, run, wanted, read_only, planned }))
}

impl Prepared {
    /// Where `ctl` reaches this run unless somebody says otherwise.
    pub fn control(&self) -> PathBuf {
        self.run.file("control")
    }

    /// With a keeper between the server and everybody who asks it for something.
    pub fn keep(self, args: &MountArgs, inner: &Handle) -> Running {
        let how = How { mkfs: args.mkfs, read_only: self.read_only, patience: patience(args) };
        let keeper = Arc::new(Keeper::new(inner.clone(), self.files, self.run, &self.wanted, how));
        let running = Running { handle: inner.via(keeper.clone()), keeper };
        let (handle, planned) = (running.handle(), self.planned);
        std::thread::spawn(move || {
            for Planned { command, line, .. } in planned {
                let result = handle.call(command);
                crate::to_stderr(&format!("note: {}\n", Notice::Planned { line, result }));
            }
        });
        running
    }
}

/// A server with mounts, or with a command.
#[derive(Clone, Debug)]
pub struct Running {
    keeper: Arc<Keeper>,
    handle: Handle,
}

impl Running {
    /// For everybody who asks for something.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Mounts, says that it is `ready`, runs the command, undoes everything and ends the emulation. Without a command somebody
    /// else does the latter.
    pub fn conduct<T>(
        &self,
        command: Option<std::process::Command>,
        ready: impl FnOnce(&str) -> Result<T>,
    ) -> (Ended, Option<T>) {
        let (ended, ready) = match self.keeper.begin().and_then(|lines| ready(&lines)) {
            Err(error) => (Err(error), None),
            Ok(ready) => match command {
                None => return (Ok(None), Some(ready)),
                Some(mut command) => (self.keeper.run(&mut command).map(Some), Some(ready)),
            },
        };
        self.keeper.let_go();
        let undone = self.keeper.end();
        self.keeper.over();
        let ended = match (ended, undone) {
            (Ok(Some(0) | None), Err(error)) => Err(error),
            (ended, Err(error)) => {
                crate::to_stderr(&format!("{error}\n"));
                ended
            }
            (ended, Ok(())) => ended,
        };
        (ended, ready)
    }

    /// Nothing is begun: what is there already is undone.
    pub fn give_up(&self) {
        if let Err(error) = self.keeper.end() {
            crate::to_stderr(&format!("{error}\n"));
        }
        self.keeper.close();
    }

    /// The end, after the server's.
    pub fn close(self) {
        self.keeper.close();
    }
}

/// The command that was typed, with what it may want to know.
pub fn command(args: &MountArgs, socket: Option<&Path>, control: Option<&Path>) -> Option<std::process::Command> {
    let (program, rest) = args.command.split_first()?;
    let mut command = std::process::Command::new(program);
    command.args(rest);
    // What is mounted over the current folder is seen only by who goes there again: else it would be this machine's disk.
    if let Ok(here) = std::env::current_dir() {
        command.current_dir(here);
    }
    let mut set = |name: &str, path: &Path| {
        command.env(name, std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()));
    };
    let known = [("CONTROL", control), ("SOCKET", socket), ("FUSE", args.fuse.as_deref())];
    for (name, path) in known.into_iter().filter_map(|(name, path)| Some((name, path?))) {
        set(&format!("DISKWRIGHT_{name}"), path);
    }
    for (volume, dir) in &args.mount {
        set(&variable(volume), dir);
    }
    Some(command)
}

/// `DISKWRIGHT_MOUNT_DATA` of a volume `data`.
fn variable(volume: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("DISKWRIGHT_MOUNT_{}", volume.chars().map(letter).collect::<String>())
}
