//! What the server has to say while it runs. It prints nothing itself.

use std::fmt;

use dw_documents::format::grouped;

use crate::command::{Answer, CommandError};
use crate::engine::LOOK;
use crate::status::Refusal;

/// Something that whoever runs the server should know.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A client was sent away, or its connection ended as it should not.
    Dropped {
        /// Why.
        why: String,
    },
    /// More clients than allowed.
    TooManyClients {
        /// How many are allowed.
        most: usize,
    },
    /// No further client can be let in for the moment.
    NotAccepted {
        /// Why.
        why: String,
    },
    /// A client keeps exactly as many requests in flight as QEMU's own NBD client can.
    SixteenInFlight {
        /// What it uses.
        export: String,
    },
    /// There is no room for the memory of a vhost-user client: requests that need it fail.
    ShortOfMemory {
        /// What it uses.
        export: String,
        /// Which memory, and why.
        why: String,
    },
    /// The timeline did something.
    Planned {
        /// Line of the scenario.
        line: usize,
        /// What came of it.
        result: Result<Answer, CommandError>,
    },
    /// A change that had to wait for its volume was not made.
    NotChanged {
        /// What was asked.
        what: String,
        /// Why not.
        why: String,
    },
    /// This machine refused bytes of a disk, for the first time of its kind.
    HostRefused {
        /// What.
        refused: Refusal,
    },
    /// The data could not all be made durable at the end.
    NotDurable {
        /// Why.
        why: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Dropped { why } => write!(f, "a connection was closed: {why}"),
            Notice::TooManyClients { most } => {
                write!(f, "a client was turned away: {most} are connected\nhint: `--max-connections` allows more")
            }
            Notice::NotAccepted { why } => write!(f, "clients cannot be let in for a moment: {why}"),
            Notice::SixteenInFlight { export } => write!(
                f,
                "a client of `{export}` never has more than 16 requests in flight, while the disk could take more. QEMU's own NBD \
                 driver cannot do better, so a guest behind it reaches 16 / latency IOPS at most\n\
                 hint: attach with nbd-client on the host and give QEMU /dev/nbdX, or raise the client's queue depth"
            ),
            Notice::ShortOfMemory { export, why } => write!(
                f,
                "requests of a vhost-user client of `{export}` get EIO: {why}\n\
                 hint: give the tmpfs that holds the guest's memory more room (of a container: `--shm-size`), or use a memfd"
            ),
            Notice::Planned { line, result: Ok(Answer::Crashed { report }) } => {
                write!(f, "timeline, line {line}: crashed, {} bytes lost", grouped(report.lost_bytes() as f64))
            }
            Notice::Planned { line, result: Ok(_) } => write!(f, "timeline, line {line}: done"),
            Notice::Planned { line, result: Err(error) } => write!(f, "timeline, line {line}: {error}"),
            Notice::NotChanged { what, why } => write!(f, "{what} was not done: {why}\nhint: {LOOK}"),
            Notice::HostRefused { refused: Refusal::Error(first) } => {
                write!(f, "{first}: clients get EIO\nhint: look at the health of that disk; `ctl status` counts")
            }
            Notice::HostRefused { refused: Refusal::NoSpace(first) } => write!(
                f,
                "{first}: clients get ENOSPC, though the modelled disk has room\n\
                 hint: free some room there, allow more memory with `--memory-max`, or keep the data in another folder; \
                 `ctl status` counts"
            ),
            Notice::NotDurable { why } => write!(f, "not everything could be made durable at the end: {why}"),
        }
    }
}
