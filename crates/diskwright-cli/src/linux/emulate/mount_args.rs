//! Options of `emulate` for volumes as folders, and for a command that runs on them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_units::Duration;

use crate::amounts;

/// Where volumes are mounted, and what runs on them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Mounting")]
pub struct MountArgs {
    /// Mount a volume on an empty directory; needs root
    #[arg(long, value_name = "VOLUME=DIR", value_parser = pair)]
    pub mount: Vec<(String, PathBuf)>,
    /// File system to create on an empty disk; an existing file system is mounted unchanged [default: ext4]
    #[arg(long, value_enum, value_name = "KIND", requires = "mount")]
    pub mkfs: Option<FileSystem>,
    /// Expose volumes and disks as plain files in an empty directory; needs FUSE, not root
    #[arg(long, value_name = "DIR")]
    pub fuse: Option<PathBuf>,
    /// Time to wait for a busy mount at the end; a bare number is in seconds [default: 30 s]
    #[arg(long, value_name = "TIME", value_parser = amounts::or_s)]
    pub unmount_wait: Option<Duration>,
    /// Then detach it anyway
    #[arg(long)]
    pub lazy: bool,
    /// Unmount what your killed runs left mounted, and list them
    #[arg(long)]
    pub clean: bool,
    /// Run this command once everything is mounted, then exit with its exit code
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl MountArgs {
    /// Whether volumes are to be folders, mounted or as plain files.
    pub fn has_folders(&self) -> bool {
        !self.mount.is_empty() || self.fuse.is_some()
    }

    /// An option that only says how mounts end.
    pub fn of_mounts(&self) -> Option<&'static str> {
        let given = [(self.lazy, "--lazy"), (self.unmount_wait.is_some(), "--unmount-wait")];
        given.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// How long a mount may be in use at the end.
    pub fn patience(&self) -> Duration {
        self.unmount_wait.unwrap_or(Duration::from_secs(30))
    }
}

/// File systems that are made and mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileSystem {
    /// The usual choice on Linux
    Ext4,
    /// For large files and many threads
    Xfs,
}

/// A volume and its folder: `data=/mnt/data`.
fn pair(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((volume, dir)) if !volume.is_empty() && !dir.is_empty() => Ok((volume.to_string(), PathBuf::from(dir))),
        _ => Err("write the volume and the directory, such as `data=/mnt/data`".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_and_its_folder_are_told_apart_by_the_first_sign() {
        let cases = [
            ("data=/mnt/data", Some(("data", "/mnt/data"))),
            ("data=/mnt/a=b", Some(("data", "/mnt/a=b"))),
            ("data", None),
            ("=/mnt", None),
            ("data=", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(volume, dir)| (volume.to_string(), PathBuf::from(dir)));
            assert_eq!(pair(text).ok(), expected, "{text}");
        }
    }
}
