//! A store whose changes go into a log, in the order in which they are made.
//!
//! What a store holds is what a crash leaves, so the log, replayed onto the disk as it was when the log began, is the store:
//! always, and whatever made the change, a request, a flush, a write-back or a crash. A volume of several disks has one
//! log, in the offsets of the volume.
//!
//! A change that is not of whole sectors is logged as the sectors that it touches, as they are afterwards.
//!
//! Invariant: when a call has succeeded, store and log agree. A log that cannot be written fails the request, as a store would.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use dw_stack::Layout;

use super::{Change, SharedLog};
use crate::store::{Extent, Refusals, Store};

/// Where the bytes of a disk are in the volume that is logged.
pub(crate) type SharedLayout = Arc<Mutex<Layout>>;

/// The store, logged.
pub(crate) struct Logged {
    store: Box<dyn Store>,
    log: SharedLog,
    /// `None` = the log is of this disk.
    layout: Option<SharedLayout>,
    refusals: Arc<Refusals>,
}

impl Logged {
    pub(crate) fn new(
        store: Box<dyn Store>,
        log: SharedLog,
        layout: Option<SharedLayout>,
        refusals: Arc<Refusals>,
    ) -> Logged {
        Logged { store, log, layout, refusals }
    }

    /// Something was done to a range of the store.
    fn changed(&mut self, offset: u64, len: u64, change: Change<'_>) -> io::Result<()> {
        let sector = self.log.lock().sector();
        let (begin, end) = (offset / sector * sector, (offset + len).next_multiple_of(sector));
        let result = if (begin, end) == (offset, offset + len) {
            self.sectors(offset, len, change)
        } else {
            self.pieces(offset, len, change, sector)
        };
        if let Err(error) = &result {
            self.refusals.note(Some(self.log.lock().path().display().to_string()), error);
        }
        result
    }

    /// The same where the ends are not those of sectors.
    fn pieces(&mut self, offset: u64, len: u64, change: Change<'_>, sector: u64) -> io::Result<()> {
        let (begin, end) = (offset / sector * sector, (offset + len).next_multiple_of(sector));
        let (first, last) = (offset.next_multiple_of(sector), (offset + len) / sector * sector);
        if matches!(change, Change::Data(_)) || first >= last {
            return self.as_it_is(begin, end - begin);
        }
        if begin < first {
            self.as_it_is(begin, sector)?;
        }
        self.sectors(first, last - first, change)?;
        if last < end { self.as_it_is(last, sector) } else { Ok(()) }
    }

    /// Logs sectors as the store has them. A disk that ends within a sector is as if zeroes followed.
    fn as_it_is(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let mut bytes = vec![0; len as usize];
        let there = len.min(self.store.size().saturating_sub(offset)) as usize;
        self.store.read(offset, &mut bytes[..there])?;
        self.sectors(offset, len, Change::Data(&bytes))
    }

    /// Whole sectors have changed.
    fn sectors(&self, offset: u64, len: u64, change: Change<'_>) -> io::Result<()> {
        let Some(layout) = &self.layout else { return self.log.lock().changed(offset, len, change) };
        let layout = layout.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = offset;
        while at < offset + len {
            // Behind the last whole chunk there is nothing of the volume.
            let Some((place, run)) = layout.find(at) else { break };
            let run = run.min(offset + len - at);
            let part = match change {
                Change::Data(data) => Change::Data(&data[(at - offset) as usize..(at - offset + run) as usize]),
                other => other,
            };
            self.log.lock().changed(place, run, part)?;
            at += run;
        }
        Ok(())
    }
}

impl Store for Logged {
    fn size(&self) -> u64 {
        self.store.size()
    }
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.store.read(offset, out)
    }
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.store.write(offset, data)?;
        self.changed(offset, data.len() as u64, Change::Data(data))
    }
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        self.store.discard(offset, len)?;
        self.changed(offset, len, Change::Discard)
    }
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        self.store.zero(offset, len, punch)?;
        self.changed(offset, len, Change::Zeroes)
    }
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.store.extents(offset, len, limit)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        self.store.resize(size)
    }
    fn place(&self) -> Option<String> {
        self.store.place()
    }
}
