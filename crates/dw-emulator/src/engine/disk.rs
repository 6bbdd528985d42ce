//! One disk of the engine: its store, and over it what only the host cache has.
//!
//! Invariant: a byte that a pending flush must make durable is in the store before a newer write takes its place in the
//! overlay.

use std::io;

use dw_stack::DiskSpec;
use dw_units::Instant;

use super::{IoError, IoOp};
use crate::durability::{Content, Overlay, Piece};
use crate::store::{Extent, Store};

pub(super) struct Disk {
    pub(super) store: Box<dyn Store>,
    pub(super) overlay: Overlay,
    pub(super) spec: DiskSpec,
    /// For each flush under way, the newest write that it must make durable.
    pub(super) flushing: Vec<u64>,
    /// The store failed where no request could be told; the next flush is.
    pub(super) trouble: Option<IoError>,
    /// The order in which bytes reach the store can be seen.
    pub(super) is_logged: bool,
}

impl Disk {
    pub(super) fn new(store: Box<dyn Store>, spec: DiskSpec) -> Disk {
        Disk { store, overlay: Overlay::default(), spec, flushing: Vec::new(), trouble: None, is_logged: false }
    }

    /// The bytes as a guest sees them.
    #[inline]
    pub(super) fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.store.read(offset, out)?;
        if !self.overlay.is_empty() {
            self.overlay.read(offset, out);
        }
        Ok(())
    }

    pub(super) fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.overlay.extents(offset, self.store.extents(offset, len, limit), limit)
    }

    /// Changes bytes for good. `data` is what a write puts there.
    #[inline]
    pub(super) fn put(&mut self, op: IoOp, offset: u64, len: u64, data: &[u8]) -> io::Result<()> {
        match op {
            IoOp::Write => self.store.write(offset, data)?,
            IoOp::Trim => self.store.discard(offset, len)?,
            IoOp::Zero { punch } => self.store.zero(offset, len, punch)?,
            IoOp::Read | IoOp::Flush | IoOp::Cache => return Ok(()),
        }
        if !self.overlay.is_empty() {
            self.overlay.cut(offset, len);
        }
        Ok(())
    }

    /// Changes bytes until a crash of the host.
    pub(super) fn put_volatile(&mut self, offset: u64, piece: Piece) {
        let until = self.flushing.iter().copied().max();
        for (start, old) in self.overlay.cut(offset, piece.len) {
            if until.is_some_and(|until| old.write <= until)
                && let Err(error) = old.content.put(&mut *self.store, start, 0, old.len)
            {
                self.trouble = Some(IoError::from_io(&error));
            }
        }
        self.overlay.insert(offset, piece);
    }

    /// Brings home what `wanted` says.
    pub(super) fn commit(&mut self, wanted: impl Fn(&Piece) -> bool) -> io::Result<()> {
        if self.is_logged {
            return self.overlay.commit_in_order(&mut *self.store, wanted);
        }
        self.overlay.commit(&mut *self.store, wanted)
    }

    /// A write-back of a range that began at `started` is done. What the store refuses stays volatile; a flush tries
    /// again and says so.
    pub(super) fn destaged(&mut self, offset: u64, len: u64, started: Instant) {
        let home = |piece: &Piece| piece.arrived <= started;
        let _ = self.overlay.commit_range(&mut *self.store, (offset, len), home);
    }

    /// Makes everything durable that was acknowledged.
    pub(super) fn bring_home(&mut self) -> io::Result<()> {
        self.commit(|_| true)?;
        self.store.sync()
    }

    /// A flush is done.
    pub(super) fn flush(&mut self, wanted: impl Fn(&Piece) -> bool) -> Result<(), IoError> {
        self.commit(wanted).map_err(|error| IoError::from_io(&error))?;
        self.store.sync().map_err(|error| IoError::from_io(&error))?;
        self.trouble.take().map_or(Ok(()), Err)
    }
}

/// What `len` bytes of a request hold, as a piece of the overlay has them.
pub(super) fn content(op: IoOp, buffer: &std::sync::Arc<Vec<u8>>, from: u64) -> Content {
    match op {
        IoOp::Write => Content::Bytes { buffer: std::sync::Arc::clone(buffer), from: from as usize },
        IoOp::Zero { punch } => Content::Zeroes { punch },
        _ => Content::Zeroes { punch: true },
    }
}
