//! An emulated disk as a folder.
//!
//! The database is made on an image of the file system beforehand, once for all tests, and copied under the disk: what is
//! measured is the load, and a slow disk need not be filled at its own rate.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::server::Kind;
use crate::emulate::support::{Emulator, call, have, run};

/// Who runs the servers, which refuse to be run by root: nobody.
pub const NOBODY: u32 = 65_534;
/// Of the file system; disks may be larger.
const IMAGE: u64 = 2 << 30;

/// Whether disks can be mounted here; says so aloud when not.
pub fn possible(kinds: &[Kind]) -> bool {
    if !have(&["mkfs.ext4", "losetup", "mount", "umount"]) || !kinds.iter().all(|kind| kind.is_installed()) {
        return false;
    }
    let missing = match () {
        () if !rustix::process::geteuid().is_root() => "it needs root",
        () if !Path::new("/dev/fuse").exists() => "there is no /dev/fuse",
        () if !Path::new("/dev/loop-control").exists() => "the kernel has no loop devices",
        () => return true,
    };
    eprintln!("LEFT OUT: emulated disks cannot be mounted here: {missing}");
    false
}

/// A running emulation whose volume `data` is mounted.
pub struct Mounted {
    /// Until it is stopped.
    running: Option<Emulator>,
}

impl Mounted {
    /// With a database on its only disk.
    pub fn start(rig: &str, kind: Kind) -> Mounted {
        Mounted::start_all(rig, &[("data", kind)])
    }

    /// Volumes of one disk each, each with a database.
    pub fn start_all(rig: &str, volumes: &[(&str, Kind)]) -> Mounted {
        let folder = tempfile::tempdir().expect("a folder");
        let everybody = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), everybody).expect("its owner may");
        std::fs::write(folder.path().join("rig.toml"), rig).expect("a scenario");
        let folder = Arc::new(folder);
        // The disks' files with their headers, empty.
        assert_eq!(Emulator::start_in(&folder, &["--overhead", "0"]).stop().code, 0);
        let mut args = Vec::new();
        for (volume, kind) in volumes {
            let disk = folder.path().join(format!("disks/{volume}.0.img"));
            let size = std::fs::metadata(&disk).expect("a disk").len();
            call("cp", ["--sparse=always".as_ref(), image(*kind).as_os_str(), disk.as_os_str()]).ok();
            std::fs::File::options()
                .write(true)
                .open(&disk)
                .and_then(|file| file.set_len(size))
                .expect("as large as it was");
            std::fs::create_dir(folder.path().join(volume)).expect("a folder to mount at");
            args.extend(["--mount".to_string(), format!("{volume}={volume}")]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mounted = Mounted { running: Some(Emulator::start_in(&folder, &args)) };
        for (volume, _) in volumes {
            crate::emulate::support::wait_until("it is mounted", || mounted.source(volume).is_some());
        }
        mounted
    }

    pub fn emulator(&self) -> &Emulator {
        self.running.as_ref().expect("it runs until it is stopped")
    }

    /// Where a volume is mounted.
    pub fn dir(&self, volume: &str) -> PathBuf {
        self.emulator().file(volume)
    }

    /// The device of a volume's file system, as counters name it: `loop0`.
    pub fn device(&self, volume: &str) -> String {
        self.source(volume).expect("it is mounted")
    }

    fn source(&self, volume: &str) -> Option<String> {
        let dir = self.dir(volume);
        let mounts = std::fs::read_to_string("/proc/self/mounts").ok()?;
        let mut mounts = mounts.lines().filter_map(|line| line.split_once(' '));
        let (device, _) = mounts.rfind(|(_, rest)| rest.split(' ').next().is_some_and(|at| Path::new(at) == dir))?;
        Some(device.trim_start_matches("/dev/").to_string())
    }

    /// What it says about itself.
    pub fn status(&self) -> Value {
        self.emulator().status()
    }

    /// Ends it in good order, which unmounts.
    pub fn stop(mut self) -> String {
        let ran = self.running.take().expect("it runs").stop();
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        ran.stdout
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // A test that failed leaves no mounts behind: what is killed cannot undo them.
        if let Some(emulator) = self.running.take() {
            drop(emulator);
            run(std::process::Command::new(env!("CARGO_BIN_EXE_diskwright")).args(["emulate", "--clean"]));
        }
    }
}

/// A file system with the database, made once for all runs of the tests: its name says of what.
fn image(kind: Kind) -> PathBuf {
    static MAKING: Mutex<()> = Mutex::new(());
    let _alone = MAKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.img", kind.recipe()));
    if path.is_file() {
        return path;
    }
    let making = path.with_extension(format!("{}", std::process::id()));
    std::fs::File::create(&making).and_then(|file| file.set_len(IMAGE)).expect("room for an image");
    // Nothing is left for the kernel to initialise while somebody measures.
    call("mkfs.ext4", ["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", text(&making)]).ok();
    let at = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(at.path(), std::fs::Permissions::from_mode(0o755)).expect("its owner may");
    let inside = Looped::mount(&making, at.path());
    kind.make(at.path());
    drop(inside);
    std::fs::rename(&making, &path).expect("in one folder");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

/// A file that is mounted as long as this lives.
struct Looped<'a>(&'a Path);

impl<'a> Looped<'a> {
    fn mount(image: &Path, at: &'a Path) -> Looped<'a> {
        call("mount", ["-o", "loop", text(image), text(at)]).ok();
        std::os::unix::fs::chown(at, Some(NOBODY), Some(NOBODY)).expect("we are root");
        Looped(at)
    }
}

impl Drop for Looped<'_> {
    fn drop(&mut self) {
        let ran = call("umount", [text(self.0)]);
        assert!(ran.code == 0 || std::thread::panicking(), "{ran:?}");
    }
}
