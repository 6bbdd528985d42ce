//! The storage stack of one VM, as a machine that is told the time.
//!
//! Lives here: disks, token buckets, VM limits, host cache tiers, striping, service times.
//! Never here: clocks, files, threads, unseeded chance, vendor names, prices.
//! Read next: `stack.rs` for how the parts meet, then `token_bucket.rs`.
#![no_std]
extern crate alloc;

pub mod request;
pub mod service_time;
pub mod spec;

pub use request::{CacheOutcome, Completion, Limit, Op, Request, TimeSpent, VolumeId};
pub use service_time::{QuantileTable, ServiceTime};
pub use spec::*;

use dw_units::{Bytes, Duration, Instant};

/// The machine. (Signatures are settled; bodies to come.)
pub struct Stack {}

impl Stack {
    /// Builds the stack, or says what is wrong with the description.
    pub fn new(_spec: StackSpec) -> Result<Stack, SpecError> {
        todo!()
    }
    /// Hands in a request at `now`. `now` never goes back.
    pub fn submit(&mut self, _now: Instant, _request: Request) {
        todo!()
    }
    /// The earliest completion not later than `until`, if any; completions come in order of `finished`.
    /// A virtual-time driver passes the time of its own next event and takes `completion.finished` as the new now;
    /// a real-time driver passes the true time.
    pub fn poll_completion(&mut self, _until: Instant) -> Option<Completion> {
        todo!()
    }
    /// The next instant at which something happens inside.
    pub fn next_event(&mut self) -> Option<Instant> {
        todo!()
    }
    /// Bytes of a volume.
    pub fn volume_size(&self, _volume: VolumeId) -> Bytes {
        todo!()
    }
    /// Says that this range will soon be asked for: a hint for the processor's cache, without effect on results.
    pub fn hint(&self, _volume: VolumeId, _offset: u64) {}
    /// Makes a range resident in the host cache, as if it had been read; nothing for uncached volumes.
    pub fn warm(&mut self, _volume: VolumeId, _offset: u64, _len: u64) {
        todo!()
    }
    /// What the stack counted.
    pub fn tally(&self, _now: Instant) -> Tally {
        todo!()
    }
}

/// What the stack counted about itself up to an instant.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// One row a limit that exists: VM limits first (path order), then each disk's.
    pub limits: alloc::vec::Vec<LimitTally>,
    /// Bytes in the host cache that the disk does not have yet.
    pub dirty: Bytes,
    /// Bytes resident in the host cache.
    pub resident: Bytes,
    /// Per volume, in order.
    pub volumes: alloc::vec::Vec<VolumeTally>,
}

/// One limit of one place.
#[derive(Clone, Debug)]
pub struct LimitTally {
    /// Which.
    pub limit: Limit,
    /// `(volume, disk in the volume)` for a disk's limit; `None` for a VM limit.
    pub disk: Option<(VolumeId, u16)>,
    /// The second uncached limit of the VM (premium SSD v2, ultra).
    pub premium2: bool,
    /// Tokens a second, sustained.
    pub rate: u64,
    /// Tokens a second while bursting.
    pub burst_rate: Option<u64>,
    /// Bucket size in tokens.
    pub credits_max: Option<u64>,
    /// Credits left now.
    pub credits: Option<u64>,
    /// Tokens granted.
    pub granted: u64,
    /// Time during which at least one request waited here.
    pub binding: Duration,
    /// Sum of all waits here.
    pub waited: u128,
}

/// One volume.
#[derive(Clone, Debug, Default)]
pub struct VolumeTally {
    /// Reads served from RAM, from the SSD tier, and from the disk.
    pub hits_ram: u64,
    /// See above.
    pub hits_ssd: u64,
    /// See above.
    pub misses: u64,
    /// Bytes written back so far.
    pub destaged: Bytes,
    /// Transactions billed for on-demand bursting (I/Os beyond the target).
    pub on_demand_transactions: u64,
}

/// Why a description is not a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// Where, for example `volumes[1].disks[0]`.
    pub at: alloc::string::String,
    /// What is wrong.
    pub what: alloc::string::String,
    /// What to do about it.
    pub hint: alloc::string::String,
}
