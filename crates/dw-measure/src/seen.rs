//! Whether a target is still the one that was inspected. fio makes what is missing, folders too: of a disk that is gone it would
//! measure the one below its mount point, and say nothing.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use dw_messages::{Sentence, say};

/// What a path led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathIdentity {
    path: PathBuf,
    folder: Option<(u64, u64)>,
    target: Option<(u64, u64, u64)>,
}

impl PathIdentity {
    /// What it leads to now.
    pub fn now(path: &Path) -> PathIdentity {
        let folder = path.parent().and_then(|folder| fs::metadata(folder).ok());
        let target = fs::metadata(path).ok();
        PathIdentity {
            path: path.to_path_buf(),
            folder: folder.map(|m| (m.dev(), m.ino())),
            target: target.map(|m| (m.dev(), m.ino(), m.rdev())),
        }
    }

    /// The same folder, and what is in it by now: after a step that may have made the file again.
    pub fn again(&self) -> PathIdentity {
        let now = PathIdentity::now(&self.path);
        PathIdentity { target: now.target.or(self.target), folder: self.folder, path: now.path }
    }

    /// What is different now, in a sentence; nothing when it is the same. What was not there yet may have come.
    pub fn changed(&self) -> Option<Sentence> {
        let (path, now) = (self.path.display().to_string(), PathIdentity::now(&self.path));
        match (now.folder, self.target, now.target) {
            (Some(folder), ..) if Some(folder) != self.folder => Some(say!(SeenFolderOther { path })),
            (None, ..) if self.folder.is_some() => Some(say!(SeenFolderGone { path })),
            (_, Some(_), None) => Some(say!(SeenGone { path })),
            (_, Some(was), Some(is)) if was != is => Some(say!(SeenOther { path })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_or_is_replaced_is_noticed_and_what_comes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let disk = folder.path().join("disk");
        let path = disk.join("file");
        fs::create_dir(&disk).unwrap();
        let before = PathIdentity::now(&path);
        fs::write(&path, "data").unwrap();
        assert_eq!(before.changed(), None);
        let seen = PathIdentity::now(&path);
        fs::write(&path, "other data").unwrap();
        assert_eq!(seen.changed(), None);
        fs::write(disk.join("new"), "").unwrap();
        fs::rename(disk.join("new"), &path).unwrap();
        assert!(seen.changed().unwrap().text.ends_with("was replaced"));
        assert_eq!(seen.again().changed(), None);
        fs::remove_file(&path).unwrap();
        assert!(seen.changed().unwrap().text.ends_with("file is gone"));
        assert_eq!(seen.again().changed(), seen.changed());
        // Kept, so that its number is not given to the next.
        fs::rename(&disk, folder.path().join("away")).unwrap();
        assert!(seen.changed().unwrap().text.ends_with("is gone"));
        fs::create_dir(&disk).unwrap();
        assert!(before.changed().unwrap().text.contains("mounted or unmounted"));
    }
}
