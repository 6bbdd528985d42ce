//! What judges of an estate ask of a vendor: the door through which rules, which name no vendor, come to what one sells.
//!
//! Formula of a gate: a machine passes `base` for good and `top` while its credits last; a disk sustains and bursts likewise. Rates are pairs
//! of I/Os and bytes per second; an absent one is no limit, or none that a source gives: each field says which.
//!
//! Ignores: how reads and writes are mixed; what a host cache serves.
//!
//! Invariant: what no source says is absent, never zero and never a default that flatters.

use dw_demand::Commitment;
use dw_estate::{Disk, Holds};
use dw_messages::Sentence;
use dw_stack::RateSpec;
use dw_units::{Bytes, CacheMode, Money};

use crate::edition::Month;
use crate::kind::Kind;
use crate::moves::{DisksAt, MoveRow};

/// I/Os and bytes per second.
pub type Pair = [u64; 2];

/// What of a disk is bought, as an inventory tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bought {
    /// The id of its kind.
    pub kind: &'static str,
    pub gib: Option<u64>,
    pub iops: Option<u64>,
    pub bytes: Option<u64>,
    pub tier: Option<String>,
    pub bursts_by_use: bool,
    pub more_rates: bool,
    pub zone_redundant: bool,
    pub cache: CacheMode,
    /// It holds an operating system.
    pub is_system: bool,
}

impl Bought {
    /// Of a disk of a kind.
    pub fn of(kind: &'static Kind, disk: &Disk) -> Bought {
        let bytes = disk.mb.value().map(|mb| mb.saturating_mul(1_000_000));
        Bought {
            kind: kind.id,
            gib: disk.gib.value(),
            iops: disk.iops.value(),
            bytes: bytes.or(disk.mib.value().map(|mib| mib.saturating_mul(1 << 20))),
            tier: disk.tier.text().map(String::from),
            bursts_by_use: disk.bursts_by_use.value() == Some(true),
            more_rates: disk.plus.value() == Some(true),
            zone_redundant: disk.zone_redundant.value() == Some(true),
            cache: disk.cache.value().unwrap_or(CacheMode::None),
            is_system: disk.holds == Holds::System,
        }
    }
    /// With another rate: I/Os, or with `quantity` 1 bytes per second.
    pub fn with_rate(&self, quantity: usize, rate: u64) -> Bought {
        let mut other = self.clone();
        match quantity {
            0 => other.iops = Some(rate),
            _ => other.bytes = Some(rate),
        }
        other
    }
}

/// What a disk as it is bought gives and costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiskFacts {
    /// What bills call it.
    pub sku: String,
    /// The id of the source.
    pub source: String,
    /// What is bought, as far as it counts: rates that follow from the size are none.
    pub bought: Bought,
    /// For good; absent where its rates are chosen and not told, where it is refused, or where no source says.
    pub sustains: Option<Pair>,
    /// While credits last.
    pub bursts_to: Option<Pair>,
    /// Its limits with their credits, I/Os and bytes; an absent one is none, or none that a source gives.
    pub limits: [Option<RateSpec>; 2],
    /// So long full credits last at full use, in minutes.
    pub burst_minutes: Option<u64>,
    /// Why it cannot be had so.
    pub refused: Option<String>,
    /// Which of its rates are chosen freely.
    pub is_chosen: [bool; 2],
    /// Which of them are bought beyond what comes with its kind.
    pub is_paid: [bool; 2],
    /// Which of them only follow from the other: what of them is too much is no fault.
    pub follows: [bool; 2],
    /// The least that each may be set to while the other stays.
    pub least: Pair,
    /// Rates are set in steps of this: one I/O, and bytes.
    pub step: u64,
    /// Chosen rates are told.
    pub has_rates: bool,
    /// A host cache may be on it.
    pub takes_cache: bool,
    /// A month of it; absent where no price is known.
    pub monthly: Option<Money>,
    /// The date of a price that is not of today, as people read it.
    pub priced_on: Option<Month>,
    /// The most bytes per second that its kind gives, and from how many GiB on, where this one is too small for it.
    pub fuller: Option<(u64, u64)>,
}

/// Why a machine does not take a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// It takes none of the kind.
    Kind,
    /// A rule, with its source.
    Because(String),
}

/// A machine's name, and as sentences have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub short: String,
}

/// A size that takes the place of one that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    pub named: Named,
    /// What its local disks and its host cache hold.
    pub local: Option<Bytes>,
    pub cache: Option<Bytes>,
}

/// What a machine of a size is and costs in a region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizeFacts {
    pub name: String,
    pub short: String,
    /// What is chosen of it, as the options of a scenario write it; or the controller of its disks, where its limits are those with that.
    pub chosen: String,
    /// The controller that is taken because none is told, of a size with other limits by another one.
    pub assumed: Option<String>,
    /// The id of the source.
    pub source: String,
    pub vcpu: u32,
    pub memory_mib: Option<u64>,
    /// Most disks that take a place, and whether one with an operating system does.
    pub places: u32,
    pub system_takes_place: bool,
    /// What its local disks hold that could have an operating system.
    pub local: Option<Bytes>,
    /// What its local disks hold that is lost when it is stopped.
    pub volatile: Option<Bytes>,
    /// What its host cache holds; absent where it has none, or where no source says.
    pub cache: Option<Bytes>,
    /// Whether it has a host cache; absent where no source says.
    pub host_cache: Option<bool>,
    /// It has one whose limits nobody knows.
    pub cache_unknown: bool,
    /// Its vendor lists it as of a generation before.
    pub is_previous: bool,
    /// A month of it, as you go.
    pub monthly: Option<Money>,
    pub priced_on: Option<Month>,
    /// The same with a Windows licence.
    pub windows: Option<Money>,
    /// The cheapest other size with the same processors that is taken in place and passes no less, with its price.
    pub cheaper: Option<(Named, Money)>,
    /// A size of its class that is current, taken in place, and passes no less: the cheapest with as many processors, or where there is none with twice as
    /// many.
    pub lasting: Option<Successor>,
}

/// What passes one gate of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateFacts {
    pub name: &'static str,
    /// For good, and while credits last; absent = no limit, or none known.
    pub base: [Option<u64>; 2],
    pub top: [Option<u64>; 2],
    /// Places of the disks behind it.
    pub disks: Vec<usize>,
    /// It is made of so many equal parts, of which one disk passes one.
    pub parts: u64,
    /// What is above its base lasts so many minutes a day, where a source says it.
    pub daily_minutes: Option<u64>,
    /// Ids of what its limits rest on where the source of the size does not print them as they are: a judgement by them is no better than likely.
    pub derived: Option<Vec<String>>,
}

/// A disk of another kind that gives as much.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherDisk {
    pub kind: &'static Kind,
    pub rates: Pair,
    /// What has to be bought beyond what comes with it.
    pub paid: [Option<u64>; 2],
    pub monthly: Money,
    /// Latency before and after, where it is another: as sentences have it, with the source.
    pub latency: Option<(String, String)>,
}

/// What is asked of [`Facts::other_disk`].
#[derive(Clone, Copy, Debug)]
pub struct OtherAsked<'a> {
    pub own: &'a Bought,
    pub facts: &'a DiskFacts,
    pub size: &'a SizeFacts,
    pub region: &'a str,
    pub in_zone: bool,
    /// Several machines may attach it.
    pub is_shared: bool,
}

/// A disk of the next smaller size that is billed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    pub sku: String,
    pub most: Bytes,
    pub monthly: Option<Money>,
}

/// Whether a kind of disk is sold where one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It is, or no page says that it is not.
    Fits,
    /// The region has it in no zone.
    OnlyWithoutZone,
    /// The region has it in zones alone.
    OnlyInZone,
}

/// Whether a size is sold in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offered {
    /// In these zones; empty where zones are not compared.
    Here(Vec<String>),
    NotHere,
    Unknown,
}

/// Why writes to a disk are not accelerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAccelerated {
    Size,
    Kind,
    /// The host cache that it has, where it has to be another one.
    Cache(CacheMode),
    /// A machine of this size accelerates so many.
    Beyond(u64),
}

/// What one vendor sells, as rules ask. What a vendor has nothing of has no method of its own.
pub trait Facts {
    fn kinds(&self) -> &'static [Kind];
    /// A size in a region with what is chosen of it or the controller of its disks, or nothing where the vendor has none of that name.
    fn size(&self, name: &str, chosen: &str, region: Option<&str>) -> Option<SizeFacts>;
    /// A disk; nothing where no row is about its kind and size.
    fn disk(&self, bought: &Bought, region: Option<&str>) -> Option<DiskFacts>;
    /// The gates that disks pass and that count; a disk that passes none (a local one) is absent.
    fn gates(&self, size: &SizeFacts, disks: &[Option<&Bought>]) -> Vec<GateFacts>;
    /// Why a machine does not take a disk.
    fn not_taken(&self, size: &SizeFacts, disk: &Bought) -> Option<NotTaken>;
    /// The cheapest machine with the same processors that takes the disk and passes no less.
    fn taking(&self, size: &SizeFacts, disk: &Bought, region: Option<&str>) -> Option<Named>;
    /// The cheapest machine that sustains so much, I/Os, or with `quantity` 1 bytes per second: a larger one of its series, or one of its class with
    /// as many processors that is taken in place and passes no less.
    fn wider(&self, size: &SizeFacts, quantity: usize, needed: u64, region: Option<&str>) -> Option<Named>;
    /// A machine for who builds anew: of its class, as many processors, no less memory and gates, in no stage of its end.
    fn newest(&self, size: &SizeFacts) -> Option<Named>;
    /// What it takes to get from size to size, whatever takes most first.
    fn size_moves(&self, from: &SizeFacts, to: &str) -> Vec<MoveRow>;
    /// The same of a volume's disks.
    fn disk_moves(&self, from: &DisksAt, to: &DisksAt) -> Vec<MoveRow>;
    /// The cheapest disk of another kind that is as large and gives as much.
    fn other_disk(&self, asked: &OtherAsked) -> Option<OtherDisk>;
    /// What a size costs a month under a commitment.
    fn committed(&self, size: &str, to: Commitment, region: &str) -> Option<Money>;
    fn offered(&self, size: &str, region: &str) -> Offered;
    /// The month of the records of what is sold where.
    fn offered_as_of(&self) -> &str;
    /// A disk as keys of a scenario, each with its value as TOML has it.
    fn written(&self, disk: &DiskFacts) -> Vec<(&'static str, String)>;

    /// What of a machine stands beside its size as keys of a scenario, each with its value as TOML has it.
    fn written_beside(&self, size: &SizeFacts) -> Vec<(&'static str, String)> {
        let chosen = (!size.chosen.is_empty()).then(|| ("options", format!("{{ {} }}", size.chosen)));
        chosen.into_iter().collect()
    }
    /// How many disks a machine of a size takes that has so many network interfaces.
    fn places(&self, size: &SizeFacts, _interfaces: u32) -> u32 {
        size.places
    }
    /// Whether who has licences of an operating system may bring them along: what is not sold so nobody lacks.
    fn has_licences(&self) -> bool {
        true
    }
    /// Whether encryption by the host is a setting of machines.
    fn encrypts_hosts(&self) -> bool {
        true
    }
    /// The day on which a size retires.
    fn retires(&self, _size: &str) -> Option<String> {
        None
    }
    /// What a page says of a size by a trait of it, by its key.
    fn flagged(&self, _size: &str, _key: &str) -> Option<Sentence> {
        None
    }
    /// Whether a size is in a stage of its end.
    fn is_ending(&self, _size: &str) -> bool {
        false
    }
    /// Since when nobody can reserve a size, and which page says so.
    fn commitment_ended(&self, _size: &str, _to: Commitment) -> Option<(String, String)> {
        None
    }
    fn placed(&self, _kind: &Kind, _region: &str, _in_zone: bool) -> Placed {
        Placed::Fits
    }
    /// What a disk's tier may be set back to: its own first, up to the one before its tier.
    fn tiers(&self, _disk: &Bought) -> Vec<String> {
        Vec::new()
    }
    /// Why the machine does not accelerate writes to a disk, of which it has so many before it; nothing where it does, or where no source says.
    fn not_accelerated(&self, _size: &SizeFacts, _disk: &Bought, _before: u64) -> Option<NotAccelerated> {
        None
    }
    /// The disk that is billed below this one.
    fn below(&self, _disk: &Bought, _region: &str) -> Option<Below> {
        None
    }
    /// A month of being open to a kind of disks that not every machine of a size takes.
    fn opening(&self, _kind: &Kind, _size: &SizeFacts, _region: &str) -> Option<Money> {
        None
    }
}
