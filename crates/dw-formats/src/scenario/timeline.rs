//! The timeline of a scenario: what happens to the VM and its disks while the emulator runs, at instants of the model.
//!
//! Every command of the control channel can be scripted except for `pause` and `resume`: the timeline runs on the model's clock,
//! which a pause stops. The entries are checked against the volumes here, so that a run does not fail at minute ten.
//!
//! Ignores: what the actions do. A simulation has no client to crash and leaves the timeline out.

mod course;
mod file;
mod read;

use dw_documents::incident::{CrashLevel, Fault, Survivors};
use dw_units::{Bytes, CacheMode, Instant, Iops, Throughput};

pub(super) use file::TimelineFile;
pub(super) use read::{FAULTS, KEYS, read};

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, on the model's clock.
    pub at: Instant,
    /// Line of the file, from 1.
    pub line: usize,
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
    Crash(CrashLevel, Survivors, u64),
    /// Something goes wrong from now on.
    Inject(Fault),
    /// Nothing goes wrong any more, of one export or of all.
    Clear(Option<String>),
    ResetCounters,
    /// The run ends.
    Shutdown,
}
