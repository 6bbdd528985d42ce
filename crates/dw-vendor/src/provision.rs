//! What a plan builds, in words that no vendor owns, and who writes it in a vendor's.
//!
//! A [`Build`] is a machine with its volumes: names, places and figures are decided, so that every file written from it agrees.
//!
//! Invariant: disks are numbered from 0 over all volumes but the operating system's, in order of volumes.

use core::fmt;

use dw_units::Bytes;

use crate::quote::comment;

pub mod linux;

/// What is to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// The plan in one line.
    pub answer: String,
    /// The vendor's name of the machine.
    pub machine: String,
    /// What was chosen about it, by the keys of scenarios.
    pub options: Vec<(String, String)>,
    pub region: String,
    /// The zone that machine and disks are in, as the plan has it.
    pub zone: Option<String>,
    /// The machine runs Windows; else Linux.
    pub windows: bool,
    /// The machine's local disks are NVMe disks, which have no file system after it was stopped.
    pub local_nvme: bool,
    pub volumes: Vec<Volume>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Its name in the plan.
    pub name: String,
    /// The same in small letters, digits and `-`; no two alike.
    pub safe: String,
    /// Where Linux mounts it.
    pub mount: String,
    pub read_ahead_kib: u64,
    pub place: Place,
}

/// Where a volume lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On disks that are attached.
    Data(Disks),
    /// On the disk of the operating system, which comes with the machine.
    Os(Disks),
    /// On the machine's local disks.
    Local,
}

/// Equal disks of a volume, striped where there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disks {
    /// The vendor's name of the kind.
    pub kind: String,
    pub count: u32,
    /// Of each.
    pub gib: u64,
    /// Bought for each; absent where they follow from kind and size.
    pub iops: Option<u64>,
    /// The same of MiB/s.
    pub mib_per_s: Option<u64>,
    /// Bytes on one disk before the next.
    pub stripe_unit: Bytes,
    /// So many machines attach each.
    pub shared_by: Option<u32>,
    /// What was chosen about each, by the keys of scenarios.
    pub options: Vec<(String, String)>,
}

impl Build {
    /// Volumes on attached disks: its number, the volume, its disks, the number of the first of these.
    pub fn data(&self) -> impl Iterator<Item = (usize, &Volume, &Disks, u32)> {
        let mut next = 0;
        self.volumes.iter().enumerate().filter_map(move |(number, volume)| {
            let Place::Data(disks) = &volume.place else { return None };
            let first = next;
            next += disks.count;
            Some((number, volume, disks, first))
        })
    }
    /// The disk of the operating system, where the plan has one.
    pub fn os(&self) -> Option<&Disks> {
        self.volumes.iter().find_map(|volume| match &volume.place {
            Place::Os(disks) => Some(disks),
            Place::Data(_) | Place::Local => None,
        })
    }
    /// Whether something is on local disks.
    pub fn has_local(&self) -> bool {
        self.volumes.iter().any(|volume| volume.place == Place::Local)
    }
    /// Whether several machines attach some disks.
    pub fn is_shared(&self) -> bool {
        self.data().any(|(_, _, disks, _)| disks.shared_by.is_some())
    }
    /// What every file says at its head.
    pub fn heading(&self, what: &str) -> Vec<String> {
        vec![what.into(), format!("Written by `diskwright provision` for this plan: {}", self.answer)]
    }
    /// The same as lines of a comment.
    pub fn commented(&self, mark: &str, what: &str) -> String {
        comment(mark, &self.heading(what))
    }
}

/// A file that builds a plan.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptFile {
    /// The word by which a person asks for it.
    pub word: &'static str,
    /// What help says of it.
    pub about: &'static str,
    /// What it is called in a folder.
    pub name: &'static str,
    pub is_program: bool,
}

/// Why there is no such file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildRefusal {
    /// The volume at fault, by its number; absent where it is the machine.
    pub volume: Option<usize>,
    /// The rule, with its source where it has one.
    pub what: String,
    pub hint: String,
}

impl fmt::Display for BuildRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for BuildRefusal {}

/// A vendor that writes what builds a plan.
pub trait Scripts: Sync {
    /// The word by which plans name it.
    fn id(&self) -> &'static str;
    /// Its name in sentences.
    fn name(&self) -> &'static str;
    /// Its files, in the order in which they are used; that of [`linux`] among them.
    fn files(&self) -> &'static [ScriptFile];
    /// The text of the file with this word.
    ///
    /// # Errors
    /// Where the vendor does not sell what is to be built.
    fn text(&self, word: &str, build: &Build, options: linux::Options) -> Result<String, BuildRefusal>;
}
