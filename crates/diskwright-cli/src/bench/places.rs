//! Where a benchmark's I/O goes: files and devices that the user names, or the exports of an emulator of our own.

#[cfg(feature = "device")]
use std::io::Write as _;
#[cfg(feature = "device")]
use std::os::unix::net::UnixStream;
#[cfg(feature = "device")]
use std::os::unix::process::CommandExt as _;
#[cfg(feature = "device")]
use std::path::Path;
#[cfg(feature = "device")]
use std::path::PathBuf;
#[cfg(feature = "device")]
use std::process::{Child, Command, Stdio};
#[cfg(feature = "device")]
use std::time::{Duration, Instant};

#[cfg(feature = "device")]
use dw_emulator::command::{Answer, Command as Control};
#[cfg(feature = "device")]
use dw_emulator::control::client::Client;
#[cfg(feature = "device")]
use dw_emulator::status::Status;
#[cfg(feature = "device")]
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
#[cfg(feature = "device")]
use dw_measure::Fio;
#[cfg(feature = "device")]
use dw_measure::target::{self, Facts, Kind};

use super::document::Target;
use super::job::Place;
#[cfg(feature = "device")]
use crate::{input, without_effect};

/// The emulator listens within this time, however busy the machine.
#[cfg(feature = "device")]
const PATIENCE: Duration = Duration::from_secs(60);

/// Where everything goes.
#[derive(Debug)]
pub struct Places {
    /// One a volume that is used.
    pub targets: Vec<Target>,
    #[cfg(feature = "device")]
    emulator: Option<Emulator>,
}

impl Places {
    /// The model's volumes: nothing is written anywhere.
    pub fn model() -> Places {
        Places {
            targets: Vec::new(),
            #[cfg(feature = "device")]
            emulator: None,
        }
    }

    /// The place of a volume, for a job.
    pub fn of(&self, rig: &Rig, volume: usize) -> Place {
        let name = &rig.volumes[volume].name;
        match self.targets.iter().find(|t| t.volume == *name) {
            Some(target) if target.engine == "nbd" => Place::Export(target.path.clone()),
            Some(target) => Place::Path {
                path: target.path.clone(),
                engine: target.engine.clone(),
                direct: target.facts.as_ref().is_none_or(|f| f.direct_io),
            },
            None => Place::Model(name.clone()),
        }
    }

    /// The emulator, when it is one that we started.
    #[cfg(feature = "device")]
    pub fn emulator(&mut self) -> Option<&mut Emulator> {
        self.emulator.as_mut()
    }
}

/// `VOLUME=PATH`.
#[cfg(feature = "device")]
pub fn named<'a>(rig: &Rig, text: &'a str) -> Result<(usize, &'a Path)> {
    let Some((volume, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err(
            Error::usage(format!("`--target {text}` is not a volume and a path")).hint("write `--target VOLUME=PATH`")
        );
    };
    match rig.volumes.iter().position(|v| v.name == volume) {
        Some(place) => Ok((place, Path::new(path))),
        None => {
            let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
            Err(Error::usage(format!("`--target {text}`: the rig has no volume `{volume}`"))
                .hint(format!("its volumes: {}", names.join(", "))))
        }
    }
}

/// What the user asked for about files and devices.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "device")]
pub struct Asked<'a> {
    /// Volumes and where they are.
    pub targets: &'a [(usize, &'a Path)],
    /// Targets whose contents may be lost.
    pub destroy: &'a [PathBuf],
    /// Paths that an earlier part of this benchmark made.
    pub ours: &'a [String],
    /// Bytes needed on each volume of the rig.
    pub bytes: &'a [u64],
    /// fio runs on other hosts, where nothing can be looked at.
    pub remote: bool,
}

/// Files and devices, each looked at before anything is written.
#[cfg(feature = "device")]
pub fn on_disks(rig: &Rig, fio: &Fio, asked: &Asked) -> Result<Places> {
    let engine = fio.native_engine();
    let mut targets = Vec::new();
    for (volume, path) in asked.targets {
        let name = &rig.volumes[*volume].name;
        if asked.remote {
            if !asked.destroy.iter().any(|d| d == path) {
                let shown = path.display();
                let what = format!("{shown} is on another host, where nothing can be looked at before it is written");
                let hint = format!("say `--destroy {shown}` if everything there may be lost");
                return Err(Error::new(dw_error::Kind::Protected, what).hint(hint));
            }
            targets.push(Target {
                volume: name.clone(),
                facts: None,
                path: path.display().to_string(),
                engine: engine.into(),
            });
            continue;
        }
        let (path, facts) = target::facts(path, &format!("{name}.diskwright-bench"))?;
        let ours = asked.ours.iter().any(|known| Path::new(known) == path);
        let expendable = asked.destroy.iter().any(|d| d.canonicalize().is_ok_and(|d| d == path));
        target::may_write(&path, &facts, ours, expendable)?;
        room(&facts, asked.bytes[*volume])?;
        if targets.iter().any(|t: &Target| t.path == facts.path) {
            return Err(
                Error::usage(format!("{} is the target of two volumes", facts.path)).hint("give each volume its own")
            );
        }
        targets.push(Target {
            volume: name.clone(),
            path: facts.path.clone(),
            facts: Some(facts),
            engine: engine.into(),
        });
    }
    for path in asked.destroy {
        let known = |t: &Target| Path::new(&t.path) == path.canonicalize().unwrap_or_else(|_| path.clone());
        if !targets.iter().any(known) {
            return Err(Error::usage(format!("`--destroy {}` names no target", path.display()))
                .hint("it must be one of the paths after `--target`"));
        }
    }
    Ok(Places { targets, emulator: None })
}

/// Bytes of a test file that says anything: one request of the largest size.
#[cfg(feature = "device")]
const SMALLEST_FILE: u64 = 1 << 20;

/// Whether the test file fits.
#[cfg(feature = "device")]
fn room(facts: &Facts, bytes: u64) -> Result<()> {
    let shown = |n: u64| crate::report::format::bytes(n as f64);
    let free = match facts.kind {
        Kind::Device => facts.bytes,
        _ => facts.free_bytes.unwrap_or(u64::MAX).saturating_add(facts.bytes),
    };
    if free >= bytes {
        return Ok(());
    }
    // Half of nothing is not a size to write.
    let smaller = match free / 2 {
        half if half >= SMALLEST_FILE => format!("say `--file-size {}` or less, or ", shown(half).replace(' ', "")),
        _ => String::new(),
    };
    let what = format!("the test file is {}, and there is room for {}", shown(bytes), shown(free));
    Err(Error::new(dw_error::Kind::Bench, what).hint(format!("{smaller}name another place")).of_file(&facts.path))
}

/// A running `diskwright emulate`, ended when dropped.
#[derive(Debug)]
#[cfg(feature = "device")]
pub struct Emulator {
    child: Child,
    control: PathBuf,
    folder: PathBuf,
}

/// An emulator of the rig, cold, whose bytes are nowhere: so that no disk of this machine is in the way.
#[cfg(feature = "device")]
pub fn emulated(rig: &Rig, file: &Path, volumes: &[usize], fio: &Fio) -> Result<Places> {
    fio.needs_engine("nbd")?;
    // A socket's path has 107 bytes at most, so it is not in the user's folder.
    let folder = std::env::temp_dir().join(format!("diskwright-bench-{}", std::process::id()));
    let failed = |e: &dyn std::fmt::Display| Error::unexpected(format!("the emulator cannot be started: {e}"));
    std::fs::create_dir_all(&folder).map_err(|e| failed(&e))?;
    let (socket, control) = (folder.join("nbd"), folder.join("control"));
    let program = std::env::current_exe().map_err(|e| failed(&e))?;
    let log = std::fs::File::create(folder.join("log")).map_err(|e| failed(&e))?;
    // Whatever the scenario says, a benchmark begins cold; without a cache there is nothing to say.
    let start: &[&str] = if without_effect::has_cached_volume(rig) { &["--start", "cold"] } else { &[] };
    let child = Command::new(program)
        .arg("emulate")
        .arg(file)
        .args(["--null", "--quiet"])
        .args(start)
        .arg("--socket")
        .arg(&socket)
        .arg("--control")
        .arg(&control)
        .stdin(if input::is_standard_input(file) { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::null())
        .stderr(log)
        // Ctrl-C on the terminal is for us: the emulator ends when fio has.
        .process_group(0)
        .spawn()
        .map_err(|e| failed(&e))?;
    let mut emulator = Emulator { child, control, folder: folder.clone() };
    if let Some(mut pipe) = emulator.child.stdin.take() {
        // What came by standard input is handed on. An emulator that ends before it has read says why in its log.
        let _ = pipe.write_all(&input::read_bytes(file)?);
    }
    let begin = Instant::now();
    while UnixStream::connect(&socket).is_err() {
        if emulator.ended() || begin.elapsed() > PATIENCE {
            let said = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(failed(&said.trim()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let targets = volumes.iter().map(|v| {
        let name = &rig.volumes[*v].name;
        let path = format!("nbd+unix:///{name}?socket={}", socket.display());
        Target {
            volume: name.clone(),
            facts: Some(Facts {
                path: path.clone(),
                kind: Kind::Emulated,
                bytes: rig.volumes[*v].size.get(),
                file_system: None,
                mount_options: None,
                free_bytes: None,
                device: None,
                scheduler: None,
                write_cache: None,
                direct_io: true,
            }),
            path,
            engine: "nbd".into(),
        }
    });
    Ok(Places { targets: targets.collect(), emulator: Some(emulator) })
}

#[cfg(feature = "device")]
impl Emulator {
    /// Whether it has ended by itself.
    pub fn ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it says about itself.
    pub fn status(&self) -> Option<Status> {
        match self.call(&Control::Status)? {
            Answer::Status { status } => Some(*status),
            _ => None,
        }
    }

    /// Counts from now on: what is said next is of one scenario alone.
    pub fn count_anew(&self) {
        let _ = self.call(&Control::ResetCounters);
    }

    fn call(&self, command: &Control) -> Option<Answer> {
        Client::connect(&self.control, PATIENCE).ok()?.call(command).ok()
    }
}

#[cfg(feature = "device")]
impl Drop for Emulator {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let begin = Instant::now();
        while !self.ended() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
