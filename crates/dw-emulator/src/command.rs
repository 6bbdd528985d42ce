//! What can be asked of a running emulator, and what it answers: plain data, the control channel's language.
//!
//! One request is one JSON object on a line, told apart by `"cmd"`; one answer is one JSON object on a line with `"ok"`.
//! Quantities are integers with their unit in the name (`size_bytes`, `min_ns`), so that nothing is rounded on the way.
//! Volumes and disks are called by the names of their exports: `data` is a volume, `data.0` its first disk.
//!
//! `Pause`, `Resume` and `Shutdown` belong to the loop that serves, everything else to the engine; a [`Status`] begins in the
//! engine and the loop adds what only it knows (connections, lateness).
//!
//! Ignores: who asks. Whoever can open the control socket may do everything; its file mode is the lock.
//!
//! Invariant: what is written by this version is read by this version, and a field that this version does not know is refused
//! in a command (a spelling mistake must not become a default) and ignored in an answer (newer servers may say more).

pub use dw_documents::incident::{ByteRange, CrashLevel, Survivors};
use dw_units::CacheMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inject::{Fault, ListedFault};
pub use crate::status::Status;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "cmd", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Say how things are.
    Status,
    /// Attach a detached volume.
    Attach {
        /// The volume.
        volume: String,
    },
    /// Flush a volume and take it away; its clients are disconnected.
    Detach {
        /// The volume.
        volume: String,
    },
    /// Change the host-cache mode of a volume: it is detached, what it had in the cache goes, and it is attached again.
    Cache {
        /// The volume.
        volume: String,
        /// The new mode.
        mode: CacheMode,
    },
    /// Make disks larger.
    Resize {
        /// The volume.
        volume: String,
        /// Which disk of the volume, from 0; absent = each of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disk: Option<u16>,
        /// The new size of the disk.
        size_bytes: u64,
    },
    /// Change the provisioned limits of disks; what is absent stays.
    Tier {
        /// The volume.
        volume: String,
        /// Which disk of the volume, from 0; absent = each of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disk: Option<u16>,
        /// I/Os per second.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iops: Option<u64>,
        /// Bytes per second.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes_per_second: Option<u64>,
    },
    /// Restart the VM in good order: everything is flushed, then the host cache is empty.
    Reboot,
    /// Cut all disks of the VM at one instant.
    Crash {
        /// What stops.
        level: CrashLevel,
        /// Which of the writes that were not yet durable survive. Default: none.
        #[serde(default)]
        survivors: Survivors,
        /// Seed of the choice. Default 1.
        #[serde(default = "one")]
        seed: u64,
    },
    /// Stop the model's time: nothing completes until `resume`.
    Pause,
    /// Let the model's time go on.
    Resume,
    /// Make something go wrong.
    Inject {
        /// What.
        fault: Fault,
    },
    /// List what was made to go wrong.
    Faults,
    /// Take faults back; requests that they held go on.
    Clear {
        /// Which one; absent = all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
        /// Only those of this export.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        export: Option<String>,
    },
    /// Append a mark to the logs of what becomes durable.
    Mark {
        /// Its name.
        name: String,
    },
    /// Reset the counters.
    ResetCounters,
    /// Make everything durable and end.
    Shutdown,
}

impl Command {
    /// The value of `"cmd"` of every command.
    pub const NAMES: [&str; 16] = [
        "status",
        "attach",
        "detach",
        "cache",
        "resize",
        "tier",
        "reboot",
        "crash",
        "pause",
        "resume",
        "inject",
        "faults",
        "clear",
        "mark",
        "reset-counters",
        "shutdown",
    ];
}

/// The hint for a name that is none of `names`: the nearest one, or all of them.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match dw_error::nearest(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", names.collect::<Vec<_>>().join(", ")),
    }
}

const fn one() -> u64 {
    1
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// As asked; there is nothing more to say.
    Done,
    /// How things are.
    Status {
        /// The figures.
        status: Box<Status>,
    },
    /// What a crash did.
    Crashed {
        /// What was lost.
        report: CrashReport,
    },
    /// A fault is in force.
    Injected {
        /// Its number, to clear it.
        id: u32,
    },
    /// What was made to go wrong.
    Faults {
        /// Each fault with its number.
        faults: Vec<ListedFault>,
    },
    /// Faults that were taken back.
    Cleared {
        /// How many.
        count: u32,
        /// Requests that they had held and that go on now.
        released: u64,
    },
}

/// What a crash did to the disks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrashReport {
    /// What stopped.
    pub level: CrashLevel,
    /// Which writes were to survive.
    pub survivors: Survivors,
    /// Seed of the choice.
    pub seed: u64,
    /// The one instant at which every disk was cut, ns from the start.
    pub at_ns: u64,
    /// Requests that were under way: they were never answered.
    pub in_flight: u64,
    /// One row an export whose bytes were not all durable.
    pub losses: Vec<Loss>,
}

impl CrashReport {
    /// Bytes lost on all disks.
    pub fn lost_bytes(&self) -> u64 {
        self.losses.iter().map(|loss| loss.lost_bytes).sum()
    }
}

/// What one export lost: bytes of acknowledged writes that are not there any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// The export.
    pub export: String,
    /// Acknowledged bytes that were not durable at the crash.
    pub volatile_bytes: u64,
    /// The writes that they belong to.
    #[serde(default)]
    pub volatile_writes: u64,
    /// Of these, how many are gone.
    pub lost_bytes: u64,
    /// Acknowledged writes of which nothing survived.
    #[serde(default)]
    pub lost_writes: u64,
    /// Writes of which a part survived.
    pub torn_writes: u64,
    /// Where the lost bytes were, in order, not overlapping.
    pub ranges: Vec<ByteRange>,
    /// Ranges beyond those listed.
    pub ranges_left_out: u64,
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct CommandError {
    /// The kind, for programs.
    pub code: ErrorCode,
    /// What happened, for people.
    pub message: String,
    /// What to do; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl From<CommandError> for dw_error::Error {
    fn from(error: CommandError) -> Self {
        use dw_error::Kind;
        let kind = match error.code {
            ErrorCode::UnknownVolume | ErrorCode::UnknownFault | ErrorCode::Invalid | ErrorCode::BadRequest => {
                Kind::Input
            }
            ErrorCode::Gone => Kind::NoEmulation,
            ErrorCode::Busy | ErrorCode::NotPossible | ErrorCode::Io => Kind::Refused,
        };
        dw_error::Error::new(kind, &error.message).hint(&error.hint).caused_by(error)
    }
}

impl CommandError {
    /// With a message and no hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> CommandError {
        CommandError { code, message: message.into(), hint: String::new() }
    }
    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> CommandError {
        self.hint = hint.into();
        self
    }
    /// There is no export called `name` among `names`: with the nearest one, or all of them.
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> CommandError {
        let hint = nearest(name, names);
        CommandError::new(ErrorCode::UnknownVolume, format!("unknown volume `{name}`")).hint(hint)
    }
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The line is not a command.
    BadRequest,
    /// There is no such volume or disk.
    UnknownVolume,
    /// There is no such fault.
    UnknownFault,
    /// Requests are under way that would have to end first.
    Busy,
    /// A value that cannot be.
    Invalid,
    /// It is that way already, or the disks cannot do it.
    NotPossible,
    /// The host refused: the message says what.
    Io,
    /// The emulator is ending, or does not answer.
    Gone,
}

#[cfg(test)]
mod tests;
