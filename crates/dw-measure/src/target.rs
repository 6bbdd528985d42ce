//! A target of a benchmark: a file or a device, what is known of it, and whether it may be written.
//!
//! The rule: a benchmark writes only to what it made itself, to a device that is blank, and to what the user named as
//! expendable. What is mounted or in use is never written.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, SeekFrom};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

pub use dw_documents::measure::{Facts, Kind};
use rustix::fs::OFlags;

use crate::holds;

/// Why it may not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {what}")]
pub struct Refusal {
    /// The target.
    pub path: String,
    pub what: String,
    /// What to do.
    pub hint: String,
    /// Nothing can be written there, or what is there must not be overwritten.
    pub kind: dw_error::Kind,
}

impl From<Refusal> for dw_error::Error {
    fn from(error: Refusal) -> Self {
        let (kind, hint) = (error.kind, error.hint.clone());
        dw_error::Error::of(kind, error).hint(hint)
    }
}

fn refusal(path: &Path, what: impl Into<String>, hint: impl Into<String>, kind: dw_error::Kind) -> Refusal {
    Refusal { path: path.display().to_string(), what: what.into(), hint: hint.into(), kind }
}

/// What is known of a file or device; a folder gets `name` appended.
pub fn facts(given: &Path, name: &str) -> Result<(PathBuf, Facts), Refusal> {
    let path = if given.is_dir() { given.join(name) } else { given.to_path_buf() };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let absolute = match path.canonicalize() {
        Ok(absolute) => absolute,
        Err(_) => match folder.canonicalize() {
            Ok(folder) => folder.join(path.file_name().unwrap_or_default()),
            Err(_) if path.starts_with("/dev") => {
                return Err(refusal(
                    &path,
                    "no such device",
                    "`lsblk` lists the devices of this machine",
                    dw_error::Kind::Input,
                ));
            }
            Err(_) => {
                let what = format!("no directory {}", folder.display());
                return Err(refusal(&path, what, "create it, or name another path", dw_error::Kind::Input));
            }
        },
    };
    let metadata = fs::metadata(&absolute).ok();
    if metadata.is_none() && fs::symlink_metadata(&absolute).is_ok_and(|link| link.is_symlink()) {
        let hint = "create its target, or name another path";
        return Err(refusal(&path, "is a broken link", hint, dw_error::Kind::Input));
    }
    let kind = match metadata.as_ref().map(|m| m.file_type()) {
        None if absolute.starts_with("/dev") && !absolute.starts_with("/dev/shm") => {
            return Err(refusal(
                &path,
                "no such device",
                "`lsblk` lists the devices of this machine",
                dw_error::Kind::Input,
            ));
        }
        None => Kind::File,
        Some(kind) if kind.is_file() => Kind::File,
        Some(kind) if kind.is_block_device() => Kind::Device,
        Some(_) => {
            return Err(refusal(
                &path,
                "is neither a file nor a block device",
                "name a file, a directory or a block device",
                dw_error::Kind::Input,
            ));
        }
    };
    let bytes = match kind {
        Kind::Device => File::open(&absolute).and_then(|mut f| f.seek(SeekFrom::End(0))).unwrap_or(0),
        _ => metadata.as_ref().map_or(0, |m| m.len()),
    };
    let mount = (kind == Kind::File).then(|| mount_of(&absolute)).flatten();
    let number = match kind {
        Kind::Device => metadata.as_ref().map(|m| m.rdev()),
        _ => fs::metadata(absolute.parent().unwrap_or(Path::new("/"))).ok().map(|m| m.dev()),
    };
    let queue = number.and_then(queue_of);
    let of_queue = |name: &str| Some(fs::read_to_string(queue.as_ref()?.join(name)).ok()?.trim().to_string());
    let free = rustix::fs::statvfs(absolute.parent().unwrap_or(Path::new("/"))).ok();
    let facts = Facts {
        path: absolute.display().to_string(),
        kind,
        bytes,
        free_bytes: free.filter(|_| kind == Kind::File).map(|f| f.f_bavail * f.f_frsize),
        device: queue.as_ref().and_then(|q| Some(q.parent()?.file_name()?.to_string_lossy().into_owned())),
        scheduler: of_queue("scheduler").map(|text| chosen(&text)),
        write_cache: of_queue("write_cache"),
        direct_io: direct_io(&absolute, kind),
        file_system: mount.as_ref().map(|m| m.kind.clone()),
        mount_options: mount.map(|m| m.options),
    };
    Ok((absolute, facts))
}

/// Whether a benchmark may write to it: `ours` = it was made by an earlier part of the same benchmark, `expendable` = the
/// user named it so.
pub fn may_write(path: &Path, facts: &Facts, ours: bool, expendable: bool) -> Result<(), Refusal> {
    let shown = path.display();
    if facts.kind == Kind::File {
        if !path.exists() || ours || expendable {
            return Ok(());
        }
        let hint = format!("name a path that does not exist, or add `--destroy {shown}` to overwrite it");
        return Err(refusal(
            path,
            "this file exists and was not written by this benchmark",
            hint,
            dw_error::Kind::Protected,
        ));
    }
    let unreadable = |e: std::io::Error| {
        refusal(
            path,
            format!("cannot be read: {e}"),
            "run as root, or as a member of its group",
            dw_error::Kind::Protected,
        )
    };
    if let Some(user) = in_use(path) {
        return Err(refusal(
            path,
            format!("is in use: {user}"),
            "unmount it or stop its users; a device in use is never written",
            dw_error::Kind::Protected,
        ));
    }
    let mut device = File::open(path).map_err(unreadable)?;
    if expendable {
        return Ok(());
    }
    let hint = format!("add `--destroy {shown}` if all data on it may be destroyed");
    // Also where it was ours: somebody may have made a filesystem there since, or the name may be another disk's by now.
    if let Some(what) = holds::what(&mut device, facts.bytes).map_err(unreadable)? {
        return Err(refusal(path, format!("it holds {what}"), hint, dw_error::Kind::Protected));
    }
    if ours {
        return Ok(());
    }
    match holds::first_data(&mut device, facts.bytes).map_err(unreadable)? {
        Some(at) => {
            Err(refusal(path, format!("it is not empty: there is data at byte {at}"), hint, dw_error::Kind::Protected))
        }
        None => Ok(()),
    }
}

/// Who uses a device.
fn in_use(path: &Path) -> Option<String> {
    let number = fs::metadata(path).ok()?.rdev();
    let folder = PathBuf::from(format!("/sys/dev/block/{}", numbers(number)));
    let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
    let parts = fs::read_dir(&folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    let parts: Vec<PathBuf> = parts.filter(|p| p.join("partition").exists()).collect();
    if let Some(part) = parts.first() {
        let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Some(format!("it has partitions ({name})"));
    }
    if let Some(mount) = mounts().into_iter().find(|m| m.device == numbers(number)) {
        return Some(format!("it is mounted on {}", mount.point));
    }
    if let Some(holder) = fs::read_dir(folder.join("holders")).into_iter().flatten().find_map(Result::ok) {
        return Some(format!("{} is built on it", holder.file_name().to_string_lossy()));
    }
    if swaps.lines().any(|line| line.split_whitespace().next() == path.to_str()) {
        return Some("it is swap space".into());
    }
    // The kernel refuses this to whoever comes second.
    let exclusive = OpenOptions::new().read(true).custom_flags(OFlags::EXCL.bits() as i32).open(path);
    match exclusive {
        Err(e) if e.raw_os_error() == Some(rustix::io::Errno::BUSY.raw_os_error()) => {
            Some("according to the kernel".into())
        }
        _ => None,
    }
}

struct Mount {
    device: String,
    point: String,
    kind: String,
    options: String,
}

/// `36 35 98:0 /root /point options [optional...] - kind source options`.
fn mounts() -> Vec<Mount> {
    let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    text.lines().filter_map(mount).collect()
}

fn mount(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    Some(Mount {
        device: (*left.get(2)?).into(),
        point: left.get(4)?.replace("\\040", " "),
        kind: right.split(' ').next()?.into(),
        options: (*left.get(5)?).into(),
    })
}

fn mount_of(path: &Path) -> Option<Mount> {
    mounts().into_iter().filter(|m| path.starts_with(&m.point)).max_by_key(|m| m.point.len())
}

fn numbers(device: u64) -> String {
    format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
}

/// The queue of a device, of its whole disk where it is a partition.
fn queue_of(device: u64) -> Option<PathBuf> {
    let folder = PathBuf::from(format!("/sys/dev/block/{}", numbers(device))).canonicalize().ok()?;
    let queue = folder.join("queue");
    if queue.is_dir() { Some(queue) } else { folder.parent().map(|p| p.join("queue")).filter(|q| q.is_dir()) }
}

/// `none [mq-deadline] kyber` is `mq-deadline`.
fn chosen(text: &str) -> String {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(text, |(chosen, _)| chosen).to_string()
}

/// Tried on the file or, where there is none yet, on one made and removed next to it.
fn direct_io(path: &Path, kind: Kind) -> bool {
    let direct = OFlags::DIRECT.bits() as i32;
    if kind == Kind::Device || path.exists() {
        return OpenOptions::new().read(true).custom_flags(direct).open(path).is_ok();
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.try", std::process::id()));
    let trial = path.with_file_name(name);
    let made = OpenOptions::new().write(true).create_new(true).custom_flags(direct).open(&trial).is_ok();
    let _ = fs::remove_file(&trial);
    made
}

/// Share of a file that this machine's page cache holds, in percent; nothing when nobody can say.
pub fn page_cache_percent(path: &Path) -> Option<f64> {
    let bytes = fs::metadata(path).ok()?.len();
    let fincore = crate::fio::on_path("fincore")?;
    let output =
        std::process::Command::new(fincore).args(["--bytes", "--noheadings", "--output", "RES"]).arg(path).output();
    let resident: u64 = String::from_utf8_lossy(&output.ok()?.stdout).trim().parse().ok()?;
    Some(resident as f64 / bytes.max(1) as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_written_only_when_it_is_ours_or_expendable() {
        let folder = tempfile::tempdir().unwrap();
        let (path, facts) = facts(folder.path(), "data.bench").unwrap();
        assert_eq!((facts.kind, facts.bytes), (Kind::File, 0));
        assert!(facts.file_system.is_some() && facts.free_bytes.is_some(), "{facts:?}");
        assert_eq!(may_write(&path, &facts, false, false), Ok(()));
        fs::write(&path, "precious").unwrap();
        let (path, facts) = super::facts(&path, "").unwrap();
        let refused = may_write(&path, &facts, false, false).unwrap_err();
        assert!(
            refused.kind == dw_error::Kind::Protected && refused.what.contains("not written by this benchmark"),
            "{refused}"
        );
        assert!(refused.hint.contains("--destroy"), "{}", refused.hint);
        assert_eq!(may_write(&path, &facts, true, false), Ok(()));
        assert_eq!(may_write(&path, &facts, false, true), Ok(()));
    }

    #[test]
    fn what_is_neither_file_nor_device_is_refused() {
        for (path, what) in [
            ("/dev/null", "is neither a file nor a block device"),
            ("/dev/no-such-disk", "no such device"),
            ("/no/such/folder/file", "no directory /no/such/folder"),
        ] {
            let refused = facts(Path::new(path), "x").unwrap_err();
            assert_eq!(refused.what, what, "{path}");
        }
    }

    #[test]
    fn the_kernels_own_lines_are_read() {
        let mount =
            mount("36 35 98:0 /mnt1 /mnt/my\\040disk rw,noatime master:1 - ext3 /dev/root rw,errors=continue").unwrap();
        assert_eq!((mount.device.as_str(), mount.point.as_str()), ("98:0", "/mnt/my disk"));
        assert_eq!((mount.kind.as_str(), mount.options.as_str()), ("ext3", "rw,noatime"));
        assert_eq!(chosen("none [mq-deadline] kyber"), "mq-deadline");
        assert_eq!(chosen("none"), "none");
    }
}
