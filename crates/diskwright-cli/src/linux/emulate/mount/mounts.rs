//! What is mounted where, as the kernel tells it (`/proc/self/mountinfo`, proc(5)), and who uses it.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// One mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountPoint {
    pub dir: PathBuf,
    pub kind: String,
    pub source: String,
}

/// All mounts that this process sees, oldest first.
pub fn list() -> Vec<MountPoint> {
    std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default().lines().filter_map(parse).collect()
}

/// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
fn parse(line: &str) -> Option<MountPoint> {
    let (before, after) = line.split_once(" - ")?;
    let dir = before.split(' ').nth(4)?;
    let mut after = after.split(' ');
    let (kind, source) = (after.next()?.to_string(), unescape(after.next()?));
    Some(MountPoint { dir: PathBuf::from(unescape(dir)), kind, source })
}

/// Spaces and the like are written in octal: `\040`.
fn unescape(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.as_bytes();
    while let Some((&first, rest)) = bytes.split_first() {
        let octal = rest.get(..3).filter(|_| first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                out.push(byte);
                bytes = &rest[3..];
            }
            None => {
                out.push(first);
                bytes = rest;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// What is mounted at a folder: the topmost, if there are several.
pub fn at(dir: &Path) -> Option<MountPoint> {
    list().into_iter().rev().find(|mount| mount.dir == dir)
}

/// Who keeps a mount busy, for people: processes with a file, a folder or a program on it, and mounts within it.
pub fn holders(dir: &Path) -> Vec<String> {
    let within = list().into_iter().filter(|mount| mount.dir != dir && mount.dir.starts_with(dir));
    let mounts = within.map(|mount| format!("the mount {}", mount.dir.display()));
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter(|entry| entry.file_name().as_bytes().iter().all(u8::is_ascii_digit));
    let processes = processes.map(|entry| entry.path()).filter(|process| uses(process, dir)).map(|process| {
        let name = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
        format!("{} (process {})", name.trim_end(), process.file_name().unwrap_or_default().display())
    });
    mounts.chain(processes).collect()
}

fn uses(process: &Path, dir: &Path) -> bool {
    let on = |link: &Path| std::fs::read_link(link).is_ok_and(|target| target.starts_with(dir));
    let files = std::fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    ["cwd", "root", "exe"].iter().any(|name| on(&process.join(name)))
        || files.map(|file| file.path()).any(|file| on(&file))
        || {
            let maps = std::fs::read_to_string(process.join("maps")).unwrap_or_default();
            maps.lines()
                .filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])))
                .any(|file| file.starts_with(dir))
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read() {
        let cases = [
            (
                "36 35 98:0 / /mnt/data rw,noatime shared:1 - ext4 /dev/loop0 rw",
                Some(("/mnt/data", "ext4", "/dev/loop0")),
            ),
            (
                r"36 35 0:52 / /tmp/a\040b\134c rw - fuse.diskwright disk\011wright rw,user_id=0",
                Some((r"/tmp/a b\c", "fuse.diskwright", "disk\twright")),
            ),
            ("nonsense", None),
            ("36 35 98:0 / - ext4 /dev/loop0", None),
        ];
        for (line, expected) in cases {
            let found = parse(line);
            let found = found.as_ref().map(|m| (m.dir.to_str().unwrap(), m.kind.as_str(), m.source.as_str()));
            assert_eq!(found, expected, "{line}");
        }
        for text in [r"\", r"\04", r"\999", r"a\"] {
            assert_eq!(unescape(text), text, "no escape, so it stays");
        }
    }

    #[test]
    fn whoever_has_a_file_open_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let _open = std::fs::File::create(folder.path().join("file")).unwrap();
        let found = holders(&folder.path().canonicalize().unwrap());
        let this = format!("(process {})", std::process::id());
        assert!(found.iter().any(|holder| holder.ends_with(&this)), "{found:?}");
    }
}
