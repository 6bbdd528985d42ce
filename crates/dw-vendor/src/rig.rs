//! What a scenario says of a vendor's machines and disks, as gates and disks of the model: the door through which the reader of
//! scenarios, which names no vendor, comes to a vendor's folder.
//!
//! A vendor says which names are its own, which options its machines and disks have, and what becomes of them; the reader knows lines,
//! counts, stripes and overrides.
//!
//! Invariant: a gate that a disk passes is one of its machine's.

use dw_demand::LatencySetting;
use dw_stack::{DiskSpec, GateId, GateSpec};
use dw_units::{Bytes, Iops, Throughput};

use crate::source::Source;

/// A vendor whose machines and disks scenarios may name.
pub trait Rigs: Sync {
    /// The word by which a scenario asks for it.
    fn id(&self) -> &'static str;
    /// Its name in sentences.
    fn name(&self) -> &'static str;
    /// What may be chosen about a machine.
    fn machine_options(&self) -> &'static [RigOption];
    /// What may be chosen about a disk.
    fn disk_options(&self) -> &'static [RigOption];
    /// Names of its machines.
    fn machines(&self) -> Vec<&str>;
    /// Names of its kinds of disks.
    fn disks(&self) -> Vec<&'static str>;
    /// A machine of one of these names.
    fn machine(&self, asked: &MachineAsked) -> Result<Machine, RigRefusal>;
    /// A disk of one of these kinds, on a machine or on nobody's.
    fn disk(&self, machine: Option<&Machine>, asked: &DiskAsked) -> Result<RigDisk, RigRefusal>;

    /// Rates at which a disk from a snapshot comes by itself where that is bought: the least and the most that it sells.
    fn initialization_rates(&self) -> Option<(Throughput, Throughput)> {
        None
    }
    /// What lifts a rate of one of its disks that is used up: bytes or I/Os, of which one of such a size gives so many a second; absent of
    /// disks that it does not know.
    fn lift(&self, _disk: &str, _size: Bytes, _bytes: bool, _gives: u64) -> Option<Lift> {
        None
    }

    /// Whether a machine is its own.
    fn has_machine(&self, name: &str) -> bool {
        self.machines().iter().any(|own| own.eq_ignore_ascii_case(name.trim()))
    }
    /// Whether a disk is.
    fn has_disk(&self, name: &str) -> bool {
        self.disks().iter().any(|own| own.eq_ignore_ascii_case(name.trim()))
    }
}

/// What gives more where the rate of a disk is used up, besides more disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// A larger one.
    Larger,
    /// More of it, bought for the same disk.
    Bought,
    /// Only another kind: this one gives no more.
    OtherKind,
}

/// A choice about a machine or a disk.
#[derive(Debug, PartialEq, Eq)]
pub struct RigOption {
    pub key: &'static str,
    /// What it decides, as a sentence.
    pub what: &'static str,
    /// Its values, the usual one first.
    pub values: &'static [&'static str],
}

/// What was chosen: key and value, which is one of its option's.
pub type Chosen<'a> = [(&'a str, &'a str)];

/// The value of an option: as chosen, or the usual one.
pub fn value_of<'a>(options: &'static [RigOption], chosen: &Chosen<'a>, key: &str) -> &'a str {
    let own = chosen.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let usual = || options.iter().find(|option| option.key == key).and_then(|option| option.values.first().copied());
    own.or_else(usual).unwrap_or_default()
}

/// A machine as a scenario asks for it.
#[derive(Clone, Copy, Debug)]
pub struct MachineAsked<'a> {
    pub name: &'a str,
    pub edition: Option<&'a str>,
    pub options: &'a Chosen<'a>,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    pub name: String,
    pub edition: String,
    /// Ids of sources.
    pub sources: Vec<String>,
    pub gates: Vec<GateSpec>,
    /// Most disks that take a place.
    pub disks_most: usize,
    /// Sentences about it that a person should know.
    pub notes: Vec<String>,
}

/// A disk as a scenario asks for it.
#[derive(Clone, Copy, Debug)]
pub struct DiskAsked<'a> {
    pub name: &'a str,
    pub edition: Option<&'a str>,
    pub size: Option<Bytes>,
    pub iops: Option<Iops>,
    pub throughput: Option<Throughput>,
    pub options: &'a Chosen<'a>,
    pub latency: LatencySetting,
    /// What is said of its snapshot; absent where it is not from one.
    pub snapshot: Option<SnapshotAsked>,
}

/// A snapshot that a disk is made from, as a scenario asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SnapshotAsked {
    /// At which it comes to the disk by itself; absent = what is usual.
    pub initialization_rate: Option<Throughput>,
    /// How much of the disk is there at the start, as a share of its size.
    pub initialized: f64,
}

/// A disk.
#[derive(Clone, Debug)]
pub struct RigDisk {
    pub spec: DiskSpec,
    /// As reports call it.
    pub label: String,
    pub edition: &'static str,
    /// The gates that its requests pass, in order.
    pub gates: Vec<GateId>,
    /// So many of them a machine has of its own, which take no place; absent for one that takes a place.
    pub local_most: Option<usize>,
    pub latency_model: &'static str,
    /// Sentences about it.
    pub notes: Vec<String>,
}

/// What is known of a machine or a disk, for people to read.
#[derive(Clone, Debug)]
pub struct Description {
    /// Whether it is a machine.
    pub is_machine: bool,
    pub name: String,
    pub edition: String,
    /// All editions that have it, oldest first.
    pub editions: Vec<String>,
    /// What, how much, and the id of the source.
    pub fields: Vec<(&'static str, String, String)>,
    /// Region, price, its date, and the id of the source; the newest of a region first.
    pub prices: Vec<(String, String, String, String)>,
    /// All that the ids mean.
    pub sources: Vec<Source>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// Why there is no such machine or disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RigRefusal {
    /// The key at fault, or the name of an option: of the disk, or `from_snapshot` and `initialization_rate` of its volume.
    pub key: &'static str,
    /// The rule, with its source.
    pub what: String,
    pub hint: String,
}
