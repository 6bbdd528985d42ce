//! A volume as a block device with a file system: attached, looked at, made where there is none, mounted, and taken away.
//!
//! A file system is made on a disk that has never been written to, and on no other: a blank disk is one whose store has holes
//! only, which is asked of the store and not guessed from its first bytes.
//!
//! What is made leaves the modelled disk as it was, as far as can be: nothing is discarded (a blank disk has nothing to discard)
//! and tables of inodes are not zeroed, neither at once nor later in the background (a blank disk reads as zeroes).

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dw_error::{Error, Kind, Result};
use rustix::fs::{FallocateFlags, SeekFrom};

use super::{mounts, tools};
use crate::linux::emulate::FileSystem;

/// Between two attempts to take away what is in use.
const AGAIN: Duration = Duration::from_millis(50);
/// How long is waited for what was written to a busy mount.
const SYNC: Duration = Duration::from_secs(30);
/// What to do about something that cannot be undone now.
pub const LATER: &str = "when the run has ended, `diskwright emulate --clean` removes the rest";
/// After this long, whoever holds a mount is named.
const SAY: Duration = Duration::from_secs(1);

impl FileSystem {
    /// As mount(8) calls it.
    pub const fn name(self) -> &'static str {
        match self {
            FileSystem::Ext4 => "ext4",
            FileSystem::Xfs => "xfs",
        }
    }

    /// The program that makes one.
    pub const fn maker(self) -> &'static str {
        match self {
            FileSystem::Ext4 => "mkfs.ext4",
            FileSystem::Xfs => "mkfs.xfs",
        }
    }

    fn named(name: &str) -> Option<FileSystem> {
        [FileSystem::Ext4, FileSystem::Xfs].into_iter().find(|known| known.name() == name)
    }
}

/// What is on a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing was ever written.
    Blank,
    /// A file system that can be mounted.
    Known(FileSystem),
    /// Something else, by name if it has one.
    Foreign(String),
}

/// Looks at a volume's file, until `stop` says that nobody wants to know any more.
pub fn look(path: &Path, stop: &dyn Fn() -> bool) -> Result<Content> {
    let file = File::open(path).map_err(|e| crate::system::unreadable(path, &e))?;
    match rustix::fs::seek(&file, SeekFrom::Data(0)) {
        Err(rustix::io::Errno::NXIO) => return Ok(Content::Blank),
        Err(e) => return Err(crate::system::unreadable(path, &e.into())),
        Ok(_) => {}
    }
    // Probing low, past every cache; 2 = nothing that it knows.
    let args = ["-p".as_ref(), "-o".as_ref(), "export".as_ref(), path.as_os_str()];
    let ran = tools::call_until("blkid", args, stop)?;
    let value = |key: &str| ran.stdout.lines().find_map(|line| line.strip_prefix(key)).map(str::to_string);
    Ok(match (value("TYPE="), value("PTTYPE=")) {
        (Some(kind), _) => FileSystem::named(&kind).map_or(Content::Foreign(kind), Content::Known),
        (None, Some(table)) => Content::Foreign(format!("a partition table ({table})")),
        (None, None) => Content::Foreign("data that is not a file system".into()),
    })
}

/// What to do with a disk, given what is on it and what was asked for.
pub fn decide(volume: &str, content: &Content, wanted: Option<FileSystem>) -> Result<(FileSystem, bool)> {
    let refuse = |holds: &str, hint: String| {
        let what = format!("volume `{volume}` holds {holds}: it is not empty, so no file system is created on it");
        Err(Error::new(Kind::Protected, what).hint(hint))
    };
    let elsewhere = "keep the data of this run in another directory (`--dir`), or attach the disk by NBD";
    match (content, wanted) {
        (Content::Blank, wanted) => Ok((wanted.unwrap_or(FileSystem::Ext4), true)),
        (Content::Known(there), None) => Ok((*there, false)),
        (Content::Known(there), Some(wanted)) if *there == wanted => Ok((wanted, false)),
        (Content::Known(there), Some(_)) => {
            refuse(there.name(), "omit `--mkfs` to mount the existing file system".to_string())
        }
        (Content::Foreign(what), _) => refuse(what, elsewhere.to_string()),
    }
}

/// Makes a file system on a blank device, unless `stop` says so before it is there.
pub fn make(kind: FileSystem, device: &Path, stop: &dyn Fn() -> bool) -> Result<()> {
    // What an old mke2fs does not know is left out: it costs writes and harms nothing.
    let attempts: &[&[&str]] = match kind {
        FileSystem::Ext4 => {
            &[&["-q", "-F", "-E", "nodiscard,assume_storage_prezeroed=1"], &["-q", "-F", "-E", "nodiscard"]]
        }
        FileSystem::Xfs => &[&["-q", "-f", "-K"]],
    };
    let mut last = None;
    for options in attempts {
        let args = options.iter().map(std::ffi::OsStr::new).chain([device.as_os_str()]);
        let ran = tools::call_until(kind.maker(), args, stop)?;
        if ran.ok() {
            return Ok(());
        }
        last = Some(ran);
    }
    let ran = last.expect("there is an attempt");
    let hint = "a volume below 300 MiB is too small for xfs; nothing was left on the disk";
    Err(tools::failed(&format!("`{}` failed", kind.maker()), &ran, hint))
}

/// Makes a disk blank again, on which a file system was begun: else the next run would find what nobody can mount.
pub fn wipe(path: &Path) -> Result<()> {
    let failed = |e: std::io::Error| crate::system::unwritable(path, "--dir", &e);
    let file = File::options().write(true).open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let punch = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    rustix::fs::fallocate(&file, punch, 0, size).map_err(|e| failed(e.into()))
}

/// Mounts a device.
pub fn mount(kind: FileSystem, device: &Path, dir: &Path, (read_only, twice): (bool, bool)) -> Result<()> {
    let mut options = vec![if read_only { "ro" } else { "rw" }];
    match kind {
        FileSystem::Ext4 => options.push("noinit_itable"),
        // The one that a crash cut off may still be there, dead, with the same number.
        FileSystem::Xfs if twice => options.push("nouuid"),
        FileSystem::Xfs => {}
    }
    let options = options.join(",");
    let args = ["-t", kind.name(), "-o", &options].map(std::ffi::OsStr::new);
    let ran = tools::call("mount", args.into_iter().chain([device.as_os_str(), dir.as_os_str()]))?;
    if ran.ok() {
        return Ok(());
    }
    let hint = "does this kernel have that file system, and may this container mount (`--cap-add SYS_ADMIN`)?";
    Err(tools::failed(&format!("{} cannot be mounted at {}", kind.name(), dir.display()), &ran, hint))
}

/// How a mount may be taken away.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long it may be in use.
    pub wait: Duration,
    /// Then detach it, and let whoever uses it finish.
    pub lazy: bool,
}

/// Unmounts what is at `dir`; whoever keeps it busy is named to `say`.
pub fn unmount(dir: &Path, patience: Patience, say: &dyn Fn(&str)) -> Result<()> {
    let (begin, mut told) = (Instant::now(), false);
    loop {
        let ran = tools::call("umount", [dir])?;
        if ran.ok() || mounts::at(dir).is_none() {
            return Ok(());
        }
        if !ran.stderr.contains("busy") {
            return Err(tools::failed(&format!("{} cannot be unmounted", dir.display()), &ran, LATER));
        }
        if begin.elapsed() >= patience.wait {
            break;
        }
        if begin.elapsed() >= SAY.min(patience.wait) && !std::mem::replace(&mut told, true) {
            say(&format!("{}; waiting for it", in_use(dir)));
        }
        std::thread::sleep(AGAIN);
    }
    if !patience.lazy {
        return Err(
            Error::new(Kind::Refused, in_use(dir)).hint("stop them and try again, or add `--lazy` to detach it anyway")
        );
    }
    if !sync(dir) {
        say(&format!("data written to {} may not be on the disk", dir.display()));
    }
    detach(dir)
}

/// Makes durable what was written to a mount; whether it was done. A disk that is paused is not waited for without end.
pub fn sync(dir: &Path) -> bool {
    let Ok(mut child) = std::process::Command::new("sync").arg("-f").arg(dir).spawn() else { return false };
    let begin = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if begin.elapsed() < SYNC => std::thread::sleep(AGAIN),
            _ => return false,
        }
    }
}

/// Takes a mount out of sight at once; it ends when nobody uses it any more.
pub fn detach(dir: &Path) -> Result<()> {
    let ran = tools::call("umount", ["-l".as_ref(), dir.as_os_str()])?;
    if ran.ok() || mounts::at(dir).is_none() {
        return Ok(());
    }
    Err(tools::failed(&format!("{} cannot be detached", dir.display()), &ran, LATER))
}

fn in_use(dir: &Path) -> String {
    let holders = mounts::holders(dir);
    let by =
        if holders.is_empty() { "a process that is not visible from here".to_string() } else { holders.join(", ") };
    format!("{} is in use by {by}", dir.display())
}

/// A block device of a volume's file.
pub fn attach(file: &Path, read_only: bool) -> Result<PathBuf> {
    let mut args = vec!["--find", "--show", "--direct-io=on", "--sector-size=512"];
    if read_only {
        args.push("--read-only");
    }
    let args = args.into_iter().map(std::ffi::OsStr::new).chain([file.as_os_str()]);
    let ran = tools::call("losetup", args)?;
    let device = PathBuf::from(ran.stdout.trim());
    if !ran.ok() || device.as_os_str().is_empty() {
        let hint = "this needs root and loop devices: a container needs `--privileged`, or `--device /dev/loop-control` and \
                    `--device /dev/loop0` and so on; `modprobe loop` where the kernel has it as a module";
        return Err(Error::new(Kind::Tool, format!("no loop device is available: {}", ran.complaint())).hint(hint));
    }
    if parameter(&device, "loop/dio") != "1" {
        let _ = release(&device);
        let what = format!("{} cannot bypass the page cache, which would hide the disk", device.display());
        return Err(Error::new(Kind::Tool, what).hint("this needs Linux 4.10 or newer; attach by NBD instead"));
    }
    Ok(device)
}

/// Gives a block device back.
pub fn release(device: &Path) -> Result<()> {
    let ran = tools::call("losetup", ["-d".as_ref(), device.as_os_str()])?;
    if ran.ok() || backing(device).is_none() {
        return Ok(());
    }
    Err(tools::failed(&format!("{} cannot be released", device.display()), &ran, LATER))
}

/// Tells a block device that its file has another size.
pub fn look_again(device: &Path) -> Result<()> {
    let ran = tools::call("losetup", ["-c".as_ref(), device.as_os_str()])?;
    if ran.ok() { Ok(()) } else { Err(tools::failed("the new size did not take effect", &ran, "attach it again")) }
}

/// The file behind a loop device, if there is one.
pub fn backing(device: &Path) -> Option<String> {
    let file = parameter(device, "loop/backing_file");
    (!file.is_empty()).then_some(file)
}

/// What the kernel says of a block device in `/sys/block`.
fn parameter(device: &Path, name: &str) -> String {
    let block = Path::new("/sys/block").join(device.file_name().unwrap_or_default());
    std::fs::read_to_string(block.join(name)).unwrap_or_default().trim_end().to_string()
}

/// All loop devices, with their files.
pub fn loops() -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let devices = entries.map(|entry| Path::new("/dev").join(entry.file_name()));
    let loops =
        devices.filter(|device| device.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"loop")));
    loops.filter_map(|device| Some((device.clone(), backing(&device)?))).collect()
}

/// Whether block devices can be made of files here: what a container has laid over the device's name is none.
pub fn have_loops() -> bool {
    std::fs::metadata("/dev/loop-control").is_ok_and(|device| device.rdev() == rustix::fs::makedev(10, 237))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_is_made_on_a_blank_disk_and_on_no_other() {
        use Content::{Blank, Foreign, Known};
        use FileSystem::{Ext4, Xfs};
        let cases = [
            (Blank, None, Ok((Ext4, true))),
            (Blank, Some(Xfs), Ok((Xfs, true))),
            (Known(Xfs), None, Ok((Xfs, false))),
            (Known(Xfs), Some(Xfs), Ok((Xfs, false))),
            (Known(Ext4), Some(Xfs), Err("holds ext4")),
            (Foreign("btrfs".into()), None, Err("holds btrfs")),
            (Foreign("a partition table (gpt)".into()), Some(Ext4), Err("holds a partition table (gpt)")),
        ];
        for (content, wanted, expected) in cases {
            let found = decide("data", &content, wanted);
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(*found, expected, "{content:?} {wanted:?}"),
                (Err(error), Err(part)) => {
                    assert!(error.what.contains(part) && error.kind == Kind::Protected, "{error}");
                }
                _ => panic!("{content:?} {wanted:?}: {found:?}"),
            }
        }
    }
}
