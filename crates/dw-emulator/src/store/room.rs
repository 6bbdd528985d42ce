//! How much memory the disks of one emulation may take together: memory as a store has an end, as a disk has.
//!
//! Everything that grows with what is written is asked for here before it is allocated, and by a call that may be refused. When there
//! is no more, or the system refuses sooner, a reserve is let go of, so that the server has enough to tell its clients and to go on
//! serving them.
//!
//! Ignores: what the allocator adds to each piece, some 16 bytes; what a write-back cache holds, which the model bounds.
//!
//! Invariant: no more is taken than there is, and whoever gives a piece back has taken it.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use dw_documents::format;
use dw_units::Bytes;

/// Address space that is kept for the server: as much as it needs for requests under way, of which the largest is 32 MiB. Its pages
/// are never touched, so it takes no memory.
const RESERVE: usize = 64 << 20;
/// Less than this is nothing: a page may need a leaf, too.
const FEW: u64 = 64 << 10;

/// Memory that disks share.
#[derive(Clone, Debug)]
pub struct MemoryRoom(Arc<Room>);

#[derive(Debug)]
struct Room {
    most: AtomicU64,
    taken: AtomicU64,
    reserve: Mutex<Vec<u8>>,
}

impl Default for MemoryRoom {
    /// As much as the system gives.
    fn default() -> Self {
        MemoryRoom::new(Bytes::new(u64::MAX))
    }
}

impl MemoryRoom {
    /// So much, and no more.
    pub fn new(most: Bytes) -> MemoryRoom {
        let mut reserve = Vec::new();
        // Without it the server is as well off as any program.
        let _ = reserve.try_reserve_exact(RESERVE);
        MemoryRoom(Arc::new(Room {
            most: AtomicU64::new(most.get()),
            taken: AtomicU64::new(0),
            reserve: Mutex::new(reserve),
        }))
    }

    /// Bytes that there are.
    pub fn most(&self) -> Bytes {
        Bytes::new(self.0.most.load(Relaxed))
    }

    /// Bytes that are taken.
    pub fn taken(&self) -> Bytes {
        Bytes::new(self.0.taken.load(Relaxed))
    }

    fn take(&self, bytes: u64) -> io::Result<()> {
        let most = self.most().get();
        let taken =
            self.0.taken.fetch_update(Relaxed, Relaxed, |taken| taken.checked_add(bytes).filter(|&sum| sum <= most));
        taken.map(drop).map_err(|taken| self.refusal(bytes, most.saturating_sub(taken)))
    }

    /// Gives back what was taken.
    pub(super) fn give(&self, bytes: u64) {
        let before = self.0.taken.fetch_sub(bytes, Relaxed);
        debug_assert!(before >= bytes, "nobody took that");
    }

    /// Why so many bytes cannot be had of those that are left. Where these are few the disks are full, and the reserve is the server's.
    fn refusal(&self, bytes: u64, left: u64) -> io::Error {
        if left < FEW {
            *self.0.reserve.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
        }
        let [needed, most, left] = [bytes, self.most().get(), left].map(|bytes| format::bytes(bytes as f64));
        let why = format!("the disks' data needs {needed} more memory, but only {left} of {most} is left");
        io::Error::new(io::ErrorKind::StorageFull, why)
    }

    /// Takes room for `count` more values in a list, and the memory for them.
    ///
    /// # Errors
    /// Of kind `StorageFull`, when there is none; then nothing has changed.
    pub(super) fn extend<T>(&self, list: &mut Vec<T>, count: usize) -> io::Result<()> {
        let bytes = count as u64 * size_of::<T>() as u64;
        self.take(bytes)?;
        if list.try_reserve_exact(count).is_err() {
            self.give(bytes);
            // A large piece is the index of a large disk: that there is no room for it leaves room for data.
            if bytes > RESERVE as u64 {
                let needed = format::bytes(bytes as f64);
                let why =
                    format!("the disks' data needs {needed} more contiguous memory, which this machine does not have");
                return Err(io::Error::new(io::ErrorKind::StorageFull, why));
            }
            // The system has less than was allowed: what is taken now is all that there is.
            self.0.most.fetch_min(self.taken().get(), Relaxed);
            return Err(self.refusal(bytes, 0));
        }
        Ok(())
    }
}
