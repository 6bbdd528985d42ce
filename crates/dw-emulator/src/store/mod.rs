//! Where the bytes of one disk durably live.
//!
//! A store knows offsets and bytes of one disk, nothing of volumes, caches or time. What is written to a store has
//! survived a crash of the emulated VM and the end of this process; what a volatile cache holds is `durability/`.
//!
//! Ignores: power failures of this machine, unless the store was opened with `durable`.
//!
//! Invariant: bytes that were never written, or were discarded, read as zeroes.

mod direct;
mod file;
mod header;
mod memory;
mod null;
mod room;
mod watched;

use std::io;

pub use file::{FileOptions, FileStore, Gone, Member, StoreError};
pub use memory::MemoryStore;
pub use null::NullStore;
pub use room::MemoryRoom;
pub(crate) use watched::{Refusals, Watched};

/// A run of bytes of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes.
    pub len: u64,
    /// Nothing is allocated for it.
    pub hole: bool,
    /// It reads as zeroes.
    pub zero: bool,
}

/// The bytes of one disk. Ranges lie within [`Store::size`]; the caller sees to that.
pub trait Store: Send {
    /// Bytes of the disk.
    fn size(&self) -> u64;
    /// Fills `out` with what is at `offset`.
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()>;
    /// Puts `data` at `offset`.
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()>;
    /// Gives a range back: it reads as zeroes afterwards, and costs nothing where the store can do that.
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()>;
    /// Makes a range read as zeroes; `punch` allows to give its room back.
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()>;
    /// What lies in a range: at most `limit` extents, which may end before the range does.
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent>;
    /// Makes everything written so far outlive the process, and a power failure if the store was opened for that. An error when the bytes
    /// cannot be found again.
    fn sync(&mut self) -> io::Result<()>;
    /// Changes the size. Bytes that are new read as zeroes.
    fn resize(&mut self, size: u64) -> io::Result<()>;
    /// Where its bytes are on this machine, for people; nothing where that is nowhere.
    fn place(&self) -> Option<String> {
        None
    }
}

/// Whether an error of this machine says that there is no room left.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// Appends a run to `extents`, joining it with the last one if they are of a kind; false when `limit` is reached.
pub(crate) fn push_extent(extents: &mut Vec<Extent>, limit: usize, next: Extent) -> bool {
    if next.len == 0 {
        return true;
    }
    if let Some(last) = extents.last_mut()
        && last.hole == next.hole
        && last.zero == next.zero
    {
        last.len += next.len;
        return true;
    }
    let room = extents.len() < limit;
    if room {
        extents.push(next);
    }
    room
}
