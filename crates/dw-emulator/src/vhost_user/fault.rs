//! Why a client is sent away.

use std::io;

/// What a client did that cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A message that is none.
    #[error("message {request}: {why}")]
    Message {
        /// Its number.
        request: u32,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A message with descriptors that it should not have, or without those that it should.
    #[error("message {request} came with {found} descriptors, {expected} belong to it")]
    Descriptors {
        /// Its number.
        request: u32,
        /// How many came.
        found: usize,
        /// How many should have.
        expected: usize,
    },
    /// Features that were not offered.
    #[error("features {0:#x} were asked for and never offered")]
    Features(u64),
    /// No such queue.
    #[error("queue {0} does not exist")]
    Queue(u32),
    /// A queue's description is wrong.
    #[error("queue {queue}: {why}")]
    Ring {
        queue: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// Memory that cannot be used.
    #[error("the client's memory cannot be used: {0}")]
    Memory(String),
    /// An address outside of the client's memory.
    #[error("{len} bytes at {address:#x} are not in the client's memory")]
    Outside {
        address: u64,
        /// How many bytes.
        len: u64,
    },
    /// Memory that the client has cut off.
    #[error("its memory was cut off: {len} bytes at {address:#x} are not in their file any more")]
    CutOff {
        address: u64,
        /// How many bytes.
        len: u64,
    },
    /// Memory for which its file system has no room, though the client may use it.
    #[error(
        "there is no space for its memory: {len} bytes at {address:#x} have no pages, and their file system is full"
    )]
    NoRoom {
        address: u64,
        /// How many bytes.
        len: u64,
    },
    /// The operating system refuses.
    #[error("{what}: {why}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        why: io::Error,
    },
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> io::Error {
        io::Error::other(fault)
    }
}
