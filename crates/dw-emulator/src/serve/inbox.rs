//! Bytes that arrived and have not been taken yet.
//!
//! Invariant: `start <= end <= capacity`; after [`Inbox::room`] there is room for at least one byte unless it is full.

use super::stream::Stream;

/// Bytes read at once: many small requests, or a quarter of a large one.
const CAPACITY: usize = 256 << 10;

/// A buffer between a socket and the parser.
#[derive(Debug)]
pub struct Inbox {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

/// What became of an attempt to read.
#[derive(Debug)]
pub enum Received {
    /// Bytes came, and there may be more.
    Some,
    /// Bytes came, and that was all for now.
    Drained,
    /// Nothing was there.
    Nothing,
    /// The other side sends no more.
    End,
}

impl Inbox {
    /// An empty one. Pages that are never used cost nothing.
    pub fn new() -> Inbox {
        Inbox { bytes: vec![0; CAPACITY].into_boxed_slice(), start: 0, end: 0 }
    }

    /// What waits.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Takes `len` bytes from the front.
    #[inline]
    pub fn take(&mut self, len: usize) {
        self.start += len;
        debug_assert!(self.start <= self.end);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Reads once, at most `most` bytes.
    pub fn receive(&mut self, stream: &mut Stream, most: usize) -> std::io::Result<Received> {
        let room = self.room();
        let most = most.min(room.len());
        let room = &mut room[..most];
        let wanted = room.len();
        if wanted == 0 {
            return Ok(Received::Some);
        }
        let Some(got) = stream.receive(room)? else { return Ok(Received::Nothing) };
        self.end += got;
        Ok(match got {
            0 => Received::End,
            _ if got == wanted || stream.has_buffered() => Received::Some,
            _ => Received::Drained,
        })
    }

    /// Room behind what waits, which is moved to the front when little is left.
    fn room(&mut self) -> &mut [u8] {
        if self.start > 0 && self.bytes.len() - self.end < self.bytes.len() / 2 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        &mut self.bytes[self.end..]
    }
}
