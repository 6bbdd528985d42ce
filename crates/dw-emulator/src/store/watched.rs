//! A store whose refusals are counted: a full disk of this machine must not be known to the client alone.
//!
//! Ignores: whether anybody waits for the answer; what a write-back could not bring home counts, too.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::{Extent, Gone, Store, is_full};
use crate::status::{HostStatus, Refusal};

/// What was refused, by all stores of an engine.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    no_space: Kind,
    errors: Kind,
}

/// Refusals of one kind: an error of one disk must not hide that another is full.
#[derive(Debug, Default)]
struct Kind {
    count: AtomicU64,
    first: OnceLock<String>,
}

impl Refusals {
    pub(crate) fn note(&self, place: Option<String>, error: &io::Error) {
        let kind = if is_full(error) { &self.no_space } else { &self.errors };
        kind.count.fetch_add(1, Relaxed);
        kind.first.get_or_init(|| {
            let text = error.to_string();
            if Gone::is(error) {
                return text; // it names its place
            }
            // The system's number says nothing to a person, and its sentences begin with a capital.
            let why = match error.raw_os_error() {
                Some(_) => text.split(" (os error").next().unwrap_or_default().to_lowercase(),
                None => text,
            };
            place.map_or(why.clone(), |place| format!("{place}: {why}"))
        });
    }

    /// The first of each kind, as far as there was one.
    pub(crate) fn firsts(&self) -> [Option<Refusal>; 2] {
        let of = |kind: &Kind, say: fn(String) -> Refusal| kind.first.get().cloned().map(say);
        [of(&self.no_space, Refusal::NoSpace), of(&self.errors, Refusal::Error)]
    }

    /// Whether there was any of each kind.
    #[inline]
    pub(crate) fn any(&self) -> [bool; 2] {
        [&self.no_space, &self.errors].map(|kind| kind.first.get().is_some())
    }

    /// As it is reported.
    pub(crate) fn status(&self) -> HostStatus {
        HostStatus {
            no_space: self.no_space.count.load(Relaxed),
            errors: self.errors.count.load(Relaxed),
            no_space_first: self.no_space.first.get().cloned(),
            errors_first: self.errors.first.get().cloned(),
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
