//! A store whose refusals are counted: a full disk of this machine must not be known to the client alone.
//!
//! Ignores: whether anybody waits for the answer; what a write-back could not bring home counts, too.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::{Extent, Store};
use crate::engine::IoError;
use crate::status::HostStatus;

/// What was refused, by all stores of an engine.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    no_space: AtomicU64,
    errors: AtomicU64,
    first: OnceLock<String>,
}

impl Refusals {
    fn note(&self, place: Option<String>, error: &io::Error) {
        let count = if IoError::of(error) == IoError::NoSpace { &self.no_space } else { &self.errors };
        count.fetch_add(1, Relaxed);
        self.first.get_or_init(|| {
            let text = error.to_string();
            // The system's number says nothing to a person.
            let why = text.split(" (os error").next().unwrap_or_default().to_lowercase();
            place.map_or(why.clone(), |place| format!("{place}: {why}"))
        });
    }

    /// Whether there was any.
    pub(crate) fn any(&self) -> bool {
        self.first.get().is_some()
    }

    /// As it is reported.
    pub(crate) fn status(&self) -> HostStatus {
        HostStatus {
            no_space: self.no_space.load(Relaxed),
            errors: self.errors.load(Relaxed),
            first: self.first.get().cloned(),
        }
    }
}

/// The store, watched.
pub(crate) struct Watched {
    store: Box<dyn Store>,
    refusals: Arc<Refusals>,
}

impl Watched {
    pub(crate) fn new(store: Box<dyn Store>, refusals: Arc<Refusals>) -> Watched {
        Watched { store, refusals }
    }

    #[inline]
    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            self.refusals.note(self.store.place(), error);
        }
        result
    }
}

impl Store for Watched {
    fn size(&self) -> u64 {
        self.store.size()
    }
    #[inline]
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let result = self.store.read(offset, out);
        self.noted(result)
    }
    #[inline]
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        let result = self.store.write(offset, data);
        self.noted(result)
    }
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let result = self.store.discard(offset, len);
        self.noted(result)
    }
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        let result = self.store.zero(offset, len, punch);
        self.noted(result)
    }
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.store.extents(offset, len, limit)
    }
    fn sync(&mut self) -> io::Result<()> {
        let result = self.store.sync();
        self.noted(result)
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        let result = self.store.resize(size);
        self.noted(result)
    }
    fn place(&self) -> Option<String> {
        self.store.place()
    }
}
