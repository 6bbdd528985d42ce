//! Replies on their way out: headers and data in one run of bytes, so that a batch is one system call.
//!
//! Invariant: `start <= end <= bytes.len()`; everything in `start..end` was put there.

use std::io;

use super::stream::Stream;

/// Kept between batches; larger ones are given back.
const KEEP: usize = 1 << 20;
/// The smallest buffer.
const LEAST: usize = 64 << 10;

/// Bytes to send.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Every byte is initialised once; `start..end` is what waits.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Outbox {
    /// Bytes that wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Appends bytes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Room for `len` bytes behind what waits; [`Outbox::filled`] appends them.
    #[inline]
    pub fn room(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() - self.end < len {
            self.make_room(len);
        }
        &mut self.bytes[self.end..self.end + len]
    }

    #[cold]
    fn make_room(&mut self, len: usize) {
        if self.start > 0 {
            self.move_to_front();
        }
        if self.bytes.len() - self.end < len {
            let size = (self.end + len).next_power_of_two().max(LEAST);
            self.bytes.resize(size, 0);
        }
    }

    fn move_to_front(&mut self) {
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
    }

    /// Keeps no more than what waits, of a client that takes nothing.
    pub fn shrink(&mut self) {
        self.move_to_front();
        self.bytes.truncate(self.end);
        self.bytes.shrink_to_fit();
    }

    /// `len` bytes of the room were filled.
    #[inline]
    pub fn filled(&mut self, len: usize) {
        self.end += len;
        debug_assert!(self.end <= self.bytes.len());
    }

    /// Where the next byte goes, to come back to with [`Outbox::back_to`].
    #[inline]
    pub fn mark(&self) -> usize {
        self.len()
    }

    /// Takes back everything from a mark on.
    pub fn back_to(&mut self, mark: usize) {
        self.end = self.start + mark;
    }

    /// Sends as much as the socket takes; true when everything went.
    pub fn send(&mut self, stream: &mut Stream) -> io::Result<bool> {
        while self.start < self.end {
            match stream.send(&self.bytes[self.start..self.end])? {
                Some(sent) => self.start += sent,
                None => return Ok(false),
            }
        }
        (self.start, self.end) = (0, 0);
        if self.bytes.len() > KEEP {
            self.bytes = Vec::new();
        }
        stream.finish()
    }
}
