//! What the stack counts about itself.

use alloc::vec::Vec;

use dw_units::{Bytes, Duration, Instant};

use crate::limiter::{Limiter, Pair};
use crate::request::{LimitId, Stage, VolumeId};

/// What the stack counted up to an instant.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// One row per limit that exists: the VM's in path order, then each disk's.
    pub limits: Vec<LimitTally>,
    /// Bytes in the host cache that a disk does not have yet.
    pub dirty: Bytes,
    /// Bytes resident in the host cache.
    pub resident: Bytes,
    /// Per volume, in order.
    pub volumes: Vec<VolumeTally>,
    /// Requests handed in since the start, never reset.
    pub submitted: u64,
    /// Requests given back since the start, never reset.
    pub completed: u64,
    /// Requests that a crash took from their guest, never reset.
    pub abandoned: u64,
}

/// One limit of one place.
#[derive(Clone, Debug)]
pub struct LimitTally {
    pub id: LimitId,
    /// Where on the path it is.
    pub stage: Stage,
    /// Tokens per second, sustained.
    pub rate: u64,
    /// Tokens per second while bursting.
    pub burst_rate: Option<u64>,
    /// Bucket size in tokens.
    pub credits_max: Option<u64>,
    /// Credits left now.
    pub credits: Option<u64>,
    /// Credits when counting began.
    pub credits_before: Option<u64>,
    /// How long after counting began the credits were first used up.
    pub credits_out: Option<Duration>,
    /// Tokens granted as they were charged, in whole ones, including those of requests that still wait, unless [`crate::Stack::watch_limits`] was called.
    pub granted: u64,
    /// Time during which at least one request waited here.
    pub binding: Duration,
    /// Sum of all waits here, ns.
    pub waited: u128,
    /// What of that each volume waited, in their order; empty for a disk's limit, where one volume waits.
    pub waited_by: Vec<u64>,
}

impl LimitTally {
    pub(crate) fn new(id: LimitId, stage: Stage, pair: &Pair, limiter: &Limiter, now: u64) -> Self {
        let spec = limiter.spec();
        LimitTally {
            id,
            stage,
            rate: spec.rate,
            burst_rate: spec.credits.map(|burst| burst.peak),
            credits_max: spec.credits.map(|burst| burst.size),
            credits: limiter.credits(now),
            credits_before: limiter.credits(now).map(|_| limiter.credits_before),
            credits_out: limiter.credits_out(now),
            granted: limiter.granted(pair.granted_ahead(id.quantity, now)),
            binding: limiter.binding(now),
            waited: limiter.waited,
            waited_by: Vec::new(),
        }
    }
}

impl LimitTally {
    /// What a volume waited here, ns.
    pub fn waited_of(&self, volume: VolumeId) -> u128 {
        match self.id.volume() {
            Some(own) if own == volume => self.waited,
            Some(_) => 0,
            None => self.waited_by.get(usize::from(volume.0)).map_or(0, |&ns| u128::from(ns)),
        }
    }
}

/// One volume.
#[derive(Clone, Debug, Default)]
pub struct VolumeTally {
    /// Reads served from RAM; of a striped volume, parts of reads.
    pub hits_ram: u64,
    /// The same from the SSD tier.
    pub hits_ssd: u64,
    /// The same of a cached volume that went to the disk.
    pub misses: u64,
    /// Bytes written back.
    pub destaged: Bytes,
    /// Bytes that the disks do not have yet.
    pub dirty: Bytes,
    /// Transactions billed for use beyond the base, never reset.
    pub billed_transactions: u64,
    /// Of disks whose data have to be fetched first; absent = it has none.
    pub touched: Option<TouchTally>,
}

/// What became of data that have to be fetched first, never reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TouchTally {
    /// Bytes that were fetched because a request needed them, in whole blocks.
    pub fetched: Bytes,
    /// When the last of them were there; the start where there were none.
    pub until: Instant,
    /// Bytes that are neither there nor on their way.
    pub left: Bytes,
    /// When all are there by themselves; absent where a disk has none that come.
    pub whole_at: Option<Instant>,
}
