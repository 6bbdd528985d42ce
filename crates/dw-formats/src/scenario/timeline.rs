//! The timeline of a scenario: what happens to the VM and its disks while the emulator runs, at instants of the model.
//!
//! Every command of the control channel can be scripted but for `pause` and `resume`: the timeline runs on the model's clock,
//! which a pause stops. The entries are checked against the volumes here, so that a run does not fail at minute ten.
//!
//! Ignores: what the actions do. A simulation has no client to crash and leaves the timeline out.

mod file;
mod read;

use dw_units::{Bytes, CacheMode, Duration, Instant, Iops, Throughput};

pub(super) use file::TimelineFile;
pub(super) use read::read;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, on the model's clock.
    pub at: Instant,
    /// Line of the file, from 1.
    pub line: usize,
    /// What.
    pub action: Action,
}

/// What happens. Volumes and exports exist; a disk is a member of its volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A volume is attached.
    Attach(String),
    /// A volume is detached.
    Detach(String),
    /// The host-cache mode of a volume is changed.
    Cache(String, CacheMode),
    /// Disks of a volume become larger.
    Resize(String, Option<u16>, Bytes),
    /// The limits of disks are changed.
    Tier(String, Option<u16>, Option<Iops>, Option<Throughput>),
    /// The VM restarts in good order.
    Reboot,
    /// Everything is cut at one instant.
    Crash(Level, Survivors, u64),
    /// Something goes wrong from now on.
    Inject(Injection),
    /// Nothing goes wrong any more, of one export or of all.
    Clear(Option<String>),
    /// The counters are reset.
    ResetCounters,
    /// The run ends.
    Shutdown,
}

/// What stops in a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The guest alone.
    Guest,
    /// The host with its cache.
    Host,
    /// The VM, which starts elsewhere.
    Deallocate,
}

/// Which writes that were not yet durable survive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Survivors {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// The oldest ones.
    Prefix,
    /// Some.
    Random,
    /// Some, and some in part.
    RandomTorn,
}

/// What goes wrong, where and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// A volume or one of its disks.
    pub export: String,
    /// Which requests.
    pub op: StruckOp,
    /// First byte and bytes of the range; absent = everywhere.
    pub range: Option<(u64, u64)>,
    /// How many of a million.
    pub per_million: u32,
    /// Seed of the draws.
    pub seed: u64,
    /// What happens to them.
    pub fault: Fault,
}

/// Which requests are struck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StruckOp {
    /// All.
    #[default]
    Any,
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims.
    Trim,
    /// Flushes.
    Flush,
}

/// What happens to a request that is struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It takes longer, by a time between the two.
    Latency(Duration, Duration),
    /// It fails with EIO.
    InputOutput,
    /// It fails with ENOSPC.
    NoSpace,
    /// It is held until cleared.
    Stuck,
    /// A crash may tear it.
    TornWrite,
}
