//! An emulator of the rig: one that we start, ask and end.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dw_emulator::command::{Answer, Command as Control};
use dw_emulator::control::client::Client;
use dw_emulator::status::Status;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_measure::Fio;
use dw_measure::target::{Facts, Kind};

use crate::bench::document::Target;
use crate::{input, without_effect};

/// The emulator listens within this time, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `diskwright emulate`, ended when dropped.
#[derive(Debug)]
pub struct Emulator {
    child: Child,
    control: PathBuf,
    folder: PathBuf,
}

/// An emulator of the rig, cold, whose bytes are nowhere: so that no disk of this machine is in the way.
pub fn start(rig: &Rig, file: &Path, volumes: &[usize], fio: &Fio) -> Result<(Vec<Target>, Emulator)> {
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
        .args(["--with-parent", &std::process::id().to_string()])
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
    Ok((targets.collect(), emulator))
}

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
