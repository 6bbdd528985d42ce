//! What goes into the engine and what comes out.

use std::io;

use dw_stack::{Completion, Destaged};
use dw_units::{Duration, Instant};

use super::ExportId;
use crate::store::is_full;

/// What a client asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IoOp {
    /// Read `len` bytes.
    Read,
    /// Write the request's data.
    Write,
    /// Discard `len` bytes: they read as zeroes afterwards.
    Trim,
    /// Make `len` bytes zero; `punch` allows to give their room back.
    Zero {
        /// The range may become a hole.
        punch: bool,
    },
    /// Make every write completed so far durable; offset and length are ignored.
    Flush,
    /// Bring `len` bytes into the host cache.
    Cache,
}

/// One request of a client.
///
/// The length of a trim or zero may be that of the whole disk.
#[derive(Clone, Debug)]
pub struct IoRequest {
    /// The block device.
    pub export: ExportId,
    /// What is asked.
    pub op: IoOp,
    /// Done only when durable.
    pub fua: bool,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// What to write; empty unless it is a write.
    pub data: Vec<u8>,
    /// Given back with the answer; the engine does not look at it.
    pub cookie: u64,
}

/// A request that is done.
#[derive(Clone, Debug)]
pub struct Done {
    /// As given in the request.
    pub cookie: u64,
    /// The block device.
    pub export: ExportId,
    /// What was asked.
    pub op: IoOp,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// When it was submitted.
    pub submitted: Instant,
    /// When the modelled disk is done with it.
    pub due: Instant,
    /// Whether it worked.
    pub result: Result<(), IoError>,
    /// What the stack says about it; of a request that was cut into pieces, about the last one. None when the stack
    /// never saw it.
    pub completion: Option<Completion>,
}

/// Why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IoError {
    /// The medium failed.
    #[error("input/output error")]
    Io,
    /// The backing store is full, or the range lies beyond the end of the disk.
    #[error("no space left")]
    NoSpace,
    /// The request makes no sense.
    #[error("invalid request")]
    Invalid,
    /// The disk is read-only.
    #[error("the disk is read-only")]
    NotPermitted,
    /// The disk is detached, or the server stops.
    #[error("the disk is detached")]
    Shutdown,
}

impl IoError {
    /// What a client is told of an error of the backing store.
    pub fn from_io(error: &io::Error) -> IoError {
        match error.kind() {
            _ if is_full(error) => IoError::NoSpace,
            io::ErrorKind::InvalidInput => IoError::Invalid,
            _ => IoError::Io,
        }
    }
}

impl IoOp {
    /// Whether it changes bytes.
    #[inline]
    pub(super) fn changes(self) -> bool {
        matches!(self, IoOp::Write | IoOp::Trim | IoOp::Zero { .. })
    }
}

/// A request that the engine has.
pub(super) struct Slot {
    pub(super) cookie: u64,
    pub(super) export: ExportId,
    pub(super) op: IoOp,
    pub(super) fua: bool,
    /// Its effect on the bytes comes when it is done, not when it arrives.
    pub(super) waits: bool,
    /// A fault has something to say when the stack is done with it.
    pub(super) struck: bool,
    /// A crash may tear it.
    pub(super) torn: bool,
    pub(super) result: Result<(), IoError>,
    pub(super) offset: u64,
    pub(super) len: u64,
    pub(super) data: Vec<u8>,
    pub(super) submitted: Instant,
    /// Place in the order of arrivals.
    pub(super) number: u64,
    /// Bytes from `offset` that the stack has been given.
    pub(super) given: u64,
    /// Of a flush: the newest write that was acknowledged when it came.
    pub(super) boundary: u64,
    /// What the host cache had sent home of it before it was acknowledged.
    pub(super) home: Vec<Destaged>,
    /// Latency that a fault adds.
    pub(super) delay: Duration,
    /// The fault on which it is stuck.
    pub(super) stuck: Option<u32>,
    /// What the stack said, while a fault holds it.
    pub(super) completion: Option<Box<Completion>>,
}

impl Slot {
    pub(super) fn new(request: IoRequest, submitted: Instant, number: u64, result: Result<(), IoError>) -> Slot {
        Slot {
            cookie: request.cookie,
            export: request.export,
            op: request.op,
            fua: request.fua,
            waits: false,
            struck: false,
            torn: false,
            result,
            offset: request.offset,
            len: request.len,
            data: request.data,
            submitted,
            number,
            given: 0,
            boundary: 0,
            home: Vec::new(),
            delay: Duration::ZERO,
            stuck: None,
            completion: None,
        }
    }

    pub(super) fn done(self, due: Instant, completion: Option<Completion>) -> Done {
        Done {
            cookie: self.cookie,
            export: self.export,
            op: self.op,
            offset: self.offset,
            len: self.len,
            submitted: self.submitted,
            due,
            result: self.result,
            completion,
        }
    }
}
