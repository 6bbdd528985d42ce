//! A running emulator, and the programs that talk to it.

use std::ffi::OsStr;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take that a test waits for: no measure of speed, only the end of patience.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// What it printed; it must have succeeded.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A command, without input.
pub fn run(command: &mut Command) -> Ran {
    run_with(command, |_| ())
}

/// The same; `started` is given the process as soon as there is one.
pub fn run_with(command: &mut Command, started: impl FnOnce(u32)) -> Ran {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    started(child.id());
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A program with arguments.
pub fn call<S: AsRef<OsStr>>(program: &str, args: impl IntoIterator<Item = S>) -> Ran {
    run(Command::new(program).args(args).env("PATH", path()))
}

/// The search path, with the folders of administrators' programs.
fn path() -> String {
    format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

/// Whether all programs are there; says so aloud when not.
pub fn have(programs: &[&str]) -> bool {
    let missing =
        programs.iter().find(|name| !std::env::split_paths(&path()).any(|folder| folder.join(name).is_file()));
    if let Some(name) = missing {
        eprintln!("SKIPPED: {name} is not installed (scripts/setup-test-tools.sh installs it)");
    }
    missing.is_none()
}

/// Waits until `is` says so.
#[track_caller]
pub fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A figure of a process's memory as the kernel names it, such as `VmRSS`, in KiB.
pub fn memory_kib(pid: u32, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line =
        status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':')).expect("a figure of memory");
    line.split_whitespace().next().and_then(|kib| kib.parse().ok()).expect("a number")
}

/// Bytes that look random, the same ones for the same seed.
pub fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2) + 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..len.div_ceil(8)).flat_map(|_| next().to_le_bytes()).take(len).collect()
}

/// Two volumes without limits that bind, one of them behind a cache that writes back.
pub const RIG: &str = r#"
[vm.cache]
capacity = "1 GiB"
write_back = { dirty_max = "256 MiB" }

[[volume]]
name = "plain"
disks = [{ count = 2, size = "64 MiB", latency = { read = "50 us", write = "50 us" } }]

[[volume]]
name = "cached"
disks = [{ size = "64 MiB", latency = { read = "50 us", write = "50 us" } }]
host_cache = "ReadWrite"
"#;

/// A running `diskwright emulate`, ended when dropped.
pub struct Emulator {
    child: Child,
    folder: Arc<tempfile::TempDir>,
    args: Vec<String>,
}

impl Emulator {
    /// With this scenario; its files are in a folder of its own.
    pub fn start(rig: &str) -> Emulator {
        Emulator::start_with(rig, &[])
    }

    /// The same, with more arguments. The bytes are in files unless they say `--memory` or `--null`.
    pub fn start_with(rig: &str, args: &[&str]) -> Emulator {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rig.toml"), rig).unwrap();
        Emulator::start_in(&Arc::new(folder), args)
    }

    /// The same in a folder with a scenario that may outlive it.
    pub fn start_in(folder: &Arc<tempfile::TempDir>, args: &[&str]) -> Emulator {
        let child = Emulator::spawn(folder.path(), args);
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut emulator = Emulator { child, folder: folder.clone(), args };
        emulator.wait_until_ready();
        emulator
    }

    /// Kills it and starts another one on what is left.
    pub fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        self.child = Emulator::spawn(self.folder.path(), &args);
        self.wait_until_ready();
    }

    /// One whose scenario ends it; what it printed.
    pub fn run(rig: &str) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rig.toml"), rig).unwrap();
        let child = Emulator::spawn(folder.path(), &[]);
        Emulator { child, folder: Arc::new(folder), args: Vec::new() }.end()
    }

    fn spawn(folder: &Path, args: &[&str]) -> Child {
        let log = std::fs::File::create(folder.join("log")).unwrap();
        let elsewhere = args.iter().any(|arg| ["--memory", "--null", "--dir"].contains(arg));
        let bytes: &[&str] = if elsewhere { &[] } else { &["--dir", "disks"] };
        Command::new(env!("CARGO_BIN_EXE_diskwright"))
            .args(["emulate", "rig.toml", "--socket", "nbd.sock", "--control", "ctl.sock"])
            .args(bytes)
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap()
    }

    fn wait_until_ready(&mut self) {
        let (socket, control) = (self.socket(), self.file("ctl.sock"));
        wait_until("the emulator listens", || {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "{ended:?}: {}", self.log());
            UnixStream::connect(&control).is_ok() && UnixStream::connect(&socket).is_ok()
        });
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in its folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Where clients connect.
    pub fn socket(&self) -> PathBuf {
        self.file("nbd.sock")
    }

    /// How clients name an export.
    pub fn uri(&self, export: &str) -> String {
        format!("nbd+unix:///{export}?socket={}", self.socket().display())
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it has printed.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.file("log")).unwrap_or_default()
    }

    /// `diskwright ctl` as a person calls it.
    pub fn typed_ctl(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.env("LC_ALL", "C");
        run(command.arg("ctl").arg("--socket").arg(self.file("ctl.sock")).args(args))
    }

    /// The same, answered in JSON.
    #[track_caller]
    pub fn ctl(&self, args: &[&str]) -> Value {
        let ran = self.typed_ctl(&[&["--json"], args].concat());
        serde_json::from_str(&ran.ok()).expect("the answer is JSON")
    }

    /// What it says about itself.
    pub fn status(&self) -> Value {
        self.ctl(&["status"])
    }

    /// Crashes the VM; what was lost.
    pub fn crash(&self, args: &[&str]) -> Value {
        self.ctl(&[&["crash"], args].concat())
    }

    /// Ends it politely; what it printed.
    pub fn stop(self) -> Ran {
        call("kill", ["-TERM", &self.pid().to_string()]).ok();
        self.end()
    }

    fn end(mut self) -> Ran {
        let mut code = None;
        wait_until("the emulator ends", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        Ran { code: code.and_then(|status| status.code()).unwrap_or(-1), stdout: self.log(), stderr: String::new() }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the emulator said:\n{}", self.log());
        }
    }
}

/// How often a test that compares with real time may try: `most`, or as few as the gate says beside a compiler, which tries alone
/// later what that leaves open.
pub fn tries(most: usize) -> usize {
    let few = std::env::var("DISKWRIGHT_TRIES").ok().and_then(|few| few.parse().ok());
    few.unwrap_or(most).min(most)
}

/// Says that the machine kept this test from a verdict; the gate counts it.
pub fn undecided(why: &str) {
    let thread = std::thread::current();
    eprintln!("UNDECIDED: {}: {why}", thread.name().unwrap_or("a test"));
}
