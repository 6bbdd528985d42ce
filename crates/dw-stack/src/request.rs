//! What goes into the stack and what comes out.

use dw_units::{Direction, Duration, Instant};

/// The index of a volume in [`crate::StackSpec::volumes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VolumeId(pub u16);

/// The index of a gate in [`crate::VmSpec::gates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub u8);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Read `len` bytes.
    Read,
    /// Write `len` bytes.
    Write,
    /// Discard `len` bytes.
    Trim,
    /// Make every write completed so far durable; offset and length are ignored.
    Flush,
}

/// One request of the guest.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub volume: VolumeId,
    /// What is asked.
    pub op: Op,
    /// Force unit access: the write is done only when it is durable.
    pub fua: bool,
    /// First byte.
    pub offset: u64,
    /// Bytes; not zero for reads, writes and trims.
    pub len: u32,
    /// Given back with the completion; the stack does not look at it.
    pub user: u64,
}

/// A stage of the path at which a request can wait, in the order in which it meets them. Which limit of that stage it waits at
/// is a [`LimitId`]: a VM may have several gates at one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Stage {
    /// I/Os per second of the gate before the host cache.
    FrontIops,
    /// Bytes per second of that gate.
    FrontThroughput,
    /// I/Os per second of the disk.
    DiskIops,
    /// Bytes per second of the disk.
    DiskThroughput,
    /// Data of the disk that have to be fetched first.
    FirstTouch,
    /// I/Os per second of the gates behind the disks.
    BehindIops,
    /// Bytes per second of those gates.
    BehindThroughput,
    /// Room for dirty bytes in the host cache.
    CacheDirty,
}

impl Stage {
    pub const COUNT: usize = 8;
    /// All of them, in path order.
    pub const ALL: [Stage; Stage::COUNT] = [
        Stage::FrontIops,
        Stage::FrontThroughput,
        Stage::DiskIops,
        Stage::DiskThroughput,
        Stage::FirstTouch,
        Stage::BehindIops,
        Stage::BehindThroughput,
        Stage::CacheDirty,
    ];
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Requests.
    Iops,
    /// Bytes.
    Throughput,
}

/// Where a limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// A gate of the VM.
    Vm(GateId),
    /// A disk of a volume; `only` = of this direction alone.
    Disk {
        volume: VolumeId,
        /// The disk in the volume.
        disk: u16,
        /// The requests that meet it; absent = all.
        only: Option<Direction>,
    },
}

/// The identity of a limit: every part that speaks of one joins by it, never by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LimitId {
    pub gate: Gate,
    /// What it counts.
    pub quantity: Quantity,
}

impl LimitId {
    /// The volume whose disk it is of; absent = all volumes that pass a gate of the VM.
    pub const fn volume(self) -> Option<VolumeId> {
        match self.gate {
            Gate::Vm(_) => None,
            Gate::Disk { volume, .. } => Some(volume),
        }
    }
}

/// What the host cache had to do with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CacheOutcome {
    /// The volume is not cached, or the request was a flush or trim.
    Bypass,
    /// A read served from RAM.
    HitRam,
    /// A read served from the SSD tier.
    HitSsd,
    /// A read that went to the disk.
    Miss,
    /// A write that went through to the disk.
    WriteThrough,
    /// A write acknowledged from the cache.
    WriteBack,
    /// The volume is not cached, and the request waited for data that had to be fetched first.
    FirstTouch,
}

impl CacheOutcome {
    pub const COUNT: usize = 7;
}

/// Where a request's time went. The parts add up to the latency, exactly.
///
/// A request that was split over a stripe reports the part that finished last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Waiting at each limit, indexed by [`Stage`].
    pub queued: [Duration; Stage::COUNT],
    /// Served by the host cache, by the host of a local disk, or by the medium; and waiting for a flush.
    pub served: Duration,
}

impl TimeSpent {
    /// The limit that held the request longest, if any did.
    pub fn binding(&self) -> Option<Stage> {
        let (limit, longest) = Stage::ALL.iter().zip(self.queued).rev().max_by_key(|&(_, wait)| wait)?;
        (longest > Duration::ZERO).then_some(*limit)
    }
    /// The sum of all parts.
    pub fn total(&self) -> Duration {
        self.queued.iter().fold(self.served, |sum, &wait| sum + wait)
    }
}

/// A request that is done.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// As given in the request.
    pub user: u64,
    pub volume: VolumeId,
    /// What was asked.
    pub op: Op,
    /// Bytes.
    pub len: u32,
    /// When it was submitted.
    pub submitted: Instant,
    /// When it was done.
    pub finished: Instant,
    /// What the cache did; of the part that finished last when split.
    pub cache: CacheOutcome,
    /// Where the time went.
    pub spent: TimeSpent,
}

impl Completion {
    /// Submission to completion.
    pub fn latency(&self) -> Duration {
        self.finished.since(self.submitted)
    }
}
