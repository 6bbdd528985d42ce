//! One budget for what clients have yet to take.
//!
//! A client that takes its replies has little of them here. One that does not may have some 128 KiB of data here, and
//! [`UNSENT_MAX`] of other replies, and is not read beyond that. A thousand of those would be much, so all of them together share
//! [`REPLIES_MAX`]: where that is used up, each client gets a [`PIECE`] at a time, the next one when the last is taken. So nobody
//! waits for somebody else to take something.
//!
//! Memory is thus at most [`REPLIES_MAX`], what one turn adds to that, and two pieces for each client. What the sockets hold is the
//! kernel's; they are given room for large replies while there are few of them.
//!
//! Invariant: what is held is the sum of what the clients have that there are.

/// Bytes of all clients together.
pub const REPLIES_MAX: usize = 64 << 20;
/// Bytes of data made at a time, and looked for room for.
pub const PIECE: usize = 64 << 10;
/// Bytes of data that are read before their header is sent where they cannot be several chunks, so that an error is the request's alone.
/// Kernels and most clients ask for no more at once.
const WHOLE: usize = 1 << 20;
/// Bytes unsent at which finished requests wait without their data: as much as stays in the processor's cache between the copy
/// into the outbox and the copy out of it.
const DATA_MAX: usize = 128 << 10;
/// Bytes unsent at which the client is not read any more: those of replies that never were with the engine, such as errors.
const UNSENT_MAX: usize = 1 << 20;
/// Clients whose sockets hold a megabyte.
const WIDE_MAX: usize = 64;

/// What is held.
#[derive(Debug)]
pub struct Replies {
    most: usize,
    held: usize,
    wide: usize,
}

impl Default for Replies {
    fn default() -> Self {
        Replies::new(REPLIES_MAX)
    }
}

impl Replies {
    /// Nothing yet, and so much at most.
    pub fn new(most: usize) -> Replies {
        Replies { most, held: 0, wide: 0 }
    }

    /// Bytes that are held.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Whether the budget is used up.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.held >= self.most
    }

    /// Whether data is made for a client with so many bytes unsent.
    #[inline]
    pub fn has_room(&self, unsent: usize) -> bool {
        unsent <= if self.is_crowded() { 0 } else { DATA_MAX }
    }

    /// Whether the data of a reply of one chunk are made at once.
    pub fn fits(&self, len: usize) -> bool {
        len <= WHOLE && self.held + len <= self.most
    }

    /// Whether a client with so many bytes unsent is read.
    #[inline]
    pub fn is_read(&self, unsent: usize) -> bool {
        unsent <= self.longest()
    }

    /// Bytes that one reply without data may have.
    pub fn longest(&self) -> usize {
        if self.is_crowded() { PIECE } else { UNSENT_MAX }
    }

    /// A client that had `before` has `now`.
    #[inline]
    pub fn count(&mut self, before: usize, now: usize) {
        self.held = self.held - before + now;
    }

    /// Whether one client more may have a wide socket; it then has.
    pub fn widen(&mut self) -> bool {
        let may = self.wide < WIDE_MAX;
        self.wide += usize::from(may);
        may
    }

    /// A client with a wide socket is gone.
    pub fn narrow(&mut self) {
        self.wide -= 1;
    }
}
