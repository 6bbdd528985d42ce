//! What of an estate is to be otherwise, and who writes that in the words of a cloud.

use dw_units::CacheMode;

use crate::machine::{Disk, Machine};

/// What is set, and to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// I/Os per second bought of a disk.
    Iops(u64),
    /// MB/s bought of a disk.
    Mb(u64),
    /// MiB/s bought of a disk, of a vendor that sells those.
    Mib(u64),
    Cache(CacheMode),
    /// The performance tier of a disk.
    Tier(String),
    /// The kind of a disk, by its id, and what is bought of it where that is more than comes with the kind: I/Os per second, MiB/s.
    Kind {
        kind: String,
        iops: Option<u64>,
        mib: Option<u64>,
    },
    BurstsByUse(bool),
    /// Whether a machine may take disks that not every machine of its size takes.
    SpecialDisks(bool),
    /// A machine's size, by the vendor's name.
    Size(String),
    /// A machine is off, and only its disks are paid for.
    Released,
    /// A disk, and what is on it, is deleted.
    Deleted,
}

/// A setting of a machine, or of one of its disks, or of a disk on nothing.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    pub machine: Option<&'a Machine>,
    pub disk: Option<&'a Disk>,
    pub setting: Setting,
}

impl Change<'_> {
    /// Whether two are of the same thing's same setting: only one of them can be.
    pub fn is_of_same(&self, other: &Change) -> bool {
        let place = |change: &Change| (change.machine.map(std::ptr::from_ref), change.disk.map(std::ptr::from_ref));
        std::mem::discriminant(&self.setting) == std::mem::discriminant(&other.setting) && place(self) == place(other)
    }
}

/// A value as a configuration of infrastructure has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    Text(String),
    Number(u64),
    Flag(bool),
}

/// What a block of a configuration is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOf {
    Machine,
    Disk,
    /// That a disk is on its machine.
    Attachment,
}

/// An attribute of a block by which something is set, and that is changed without building it anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub of: BlockOf,
    /// A block within it.
    pub within: Option<&'static str>,
    pub name: &'static str,
    pub value: Literal,
}

/// Who writes changes: one for each vendor.
pub trait Orders: Sync {
    /// The commands of its command line that make a change, each as its words; none where there is no single way, or no id is known.
    fn commands(&self, change: &Change) -> Option<Vec<Vec<String>>>;
    /// One command for two of its own, where the second would be refused while the first is carried out.
    fn joined(&self, _earlier: &[String], _later: &[String]) -> Option<Vec<String>> {
        None
    }
    /// The attributes of its provider's blocks by which it is made; none where that would build something anew.
    fn attributes(&self, change: &Change) -> Option<Vec<Attribute>>;
    /// By which attribute an attachment names its disk.
    fn refers_to_disk(&self) -> &'static str;
    /// Types of blocks of its provider.
    fn blocks(&self, of: BlockOf) -> &'static [&'static str];
}
