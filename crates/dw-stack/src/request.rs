//! What goes into the stack and what comes out.

use dw_units::{Duration, Instant};

/// The index of a volume in [`crate::StackSpec::volumes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VolumeId(pub u16);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// The volume.
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

/// A limit of the path, in the order in which a request meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Limit {
    /// The VM's cached I/Os a second.
    VmCachedIops,
    /// The VM's cached bytes a second.
    VmCachedThroughput,
    /// The disk's I/Os a second.
    DiskIops,
    /// The disk's bytes a second.
    DiskThroughput,
    /// The VM's uncached I/Os a second.
    VmUncachedIops,
    /// The VM's uncached bytes a second.
    VmUncachedThroughput,
    /// Room for dirty bytes in the host cache.
    CacheDirty,
}

impl Limit {
    /// How many there are.
    pub const COUNT: usize = 7;
    /// All of them, in path order.
    pub const ALL: [Limit; Limit::COUNT] = [
        Limit::VmCachedIops,
        Limit::VmCachedThroughput,
        Limit::DiskIops,
        Limit::DiskThroughput,
        Limit::VmUncachedIops,
        Limit::VmUncachedThroughput,
        Limit::CacheDirty,
    ];
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::VmCachedIops => "vm cached IOPS",
            Limit::VmCachedThroughput => "vm cached throughput",
            Limit::DiskIops => "disk IOPS",
            Limit::DiskThroughput => "disk throughput",
            Limit::VmUncachedIops => "vm uncached IOPS",
            Limit::VmUncachedThroughput => "vm uncached throughput",
            Limit::CacheDirty => "host cache write-back",
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
}

/// Where a request's time went. The parts add up to the latency, exactly.
///
/// A request that was split over a stripe reports the part that finished last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Waiting at each limit, indexed by [`Limit`].
    pub queued: [Duration; Limit::COUNT],
    /// Served by the host cache (or the temp disk's host).
    pub cache: Duration,
    /// Served by the medium, and waiting for a flush.
    pub media: Duration,
}

impl TimeSpent {
    /// The limit that held the request longest, if any did.
    pub fn binding(&self) -> Option<Limit> {
        let (limit, longest) = Limit::ALL.iter().zip(self.queued).rev().max_by_key(|&(_, wait)| wait)?;
        (longest > Duration::ZERO).then_some(*limit)
    }
    /// The sum of all parts.
    pub fn total(&self) -> Duration {
        self.queued.iter().fold(self.cache + self.media, |sum, &wait| sum + wait)
    }
}

/// A request that is done.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// As given in the request.
    pub user: u64,
    /// The volume.
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
