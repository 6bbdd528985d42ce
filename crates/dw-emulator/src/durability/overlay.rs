//! The volatile data of one disk: an index of pieces by offset, the newest acknowledged write of each byte.
//!
//! A write that is acknowledged replaces what it covers, so that the overlay holds each byte at most once and its memory
//! follows the dirty bytes. A piece cut down to less than a quarter of its buffer is copied out, so that a small remainder
//! keeps no large payload alive.
//!
//! Invariant: pieces do not overlap; `bytes` is the sum of their lengths.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use dw_units::Instant;

use crate::store::{Extent, Store, push_extent};

/// What a piece holds.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// The bytes of `buffer` from `from` on.
    Bytes { buffer: Arc<Vec<u8>>, from: usize },
    Zeroes {
        /// They may become a hole.
        punch: bool,
    },
}

impl Content {
    /// The same, `skip` bytes further on.
    fn after(&self, skip: u64) -> Content {
        match self {
            Content::Bytes { buffer, from } => {
                Content::Bytes { buffer: Arc::clone(buffer), from: from + skip as usize }
            }
            zeroes => zeroes.clone(),
        }
    }

    /// Copies `out.len()` bytes from `skip` on.
    fn copy_to(&self, skip: u64, out: &mut [u8]) {
        match self {
            Content::Bytes { buffer, from } => {
                let from = from + skip as usize;
                out.copy_from_slice(&buffer[from..from + out.len()]);
            }
            Content::Zeroes { .. } => out.fill(0),
        }
    }

    /// Lets go of a buffer of which `len` bytes are a small part.
    fn shrink(&mut self, len: u64) {
        if let Content::Bytes { buffer, from } = self
            && (len as usize) < buffer.len() / 4
        {
            let own = buffer[*from..*from + len as usize].to_vec();
            (*buffer, *from) = (Arc::new(own), 0);
        }
    }

    /// Puts `len` bytes from `skip` on into a store.
    pub(crate) fn put(&self, store: &mut dyn Store, offset: u64, skip: u64, len: u64) -> io::Result<()> {
        match self {
            Content::Bytes { buffer, from } => {
                let from = from + skip as usize;
                store.write(offset + skip, &buffer[from..from + len as usize])
            }
            Content::Zeroes { punch } => store.zero(offset + skip, len, *punch),
        }
    }
}

/// A part of a write that is acknowledged and not durable.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) len: u64,
    /// Which write, in the order in which they were acknowledged.
    pub(crate) write: u64,
    /// When the write came.
    pub(crate) arrived: Instant,
    pub(crate) content: Content,
}

impl Piece {
    fn part(&self, skip: u64, len: u64) -> Piece {
        Piece { len, content: self.content.after(skip), ..*self }
    }
}

/// The volatile data of one disk.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    pieces: BTreeMap<u64, Piece>,
    bytes: u64,
}

impl Overlay {
    /// Acknowledged bytes that the disk does not have.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Puts a piece where nothing is: cut the range out first.
    pub(crate) fn insert(&mut self, offset: u64, mut piece: Piece) {
        debug_assert!(self.overlapping(offset, piece.len).next().is_none(), "a byte would be here twice");
        if piece.len > 0 {
            piece.content.shrink(piece.len);
            self.bytes += piece.len;
            self.pieces.insert(offset, piece);
        }
    }

    /// Takes out everything in a range, in order.
    pub(crate) fn cut(&mut self, offset: u64, len: u64) -> Vec<(u64, Piece)> {
        let end = offset + len;
        let starts: Vec<u64> = self.overlapping(offset, len).map(|(start, _)| start).collect();
        let mut inside = Vec::with_capacity(starts.len());
        for start in starts {
            let Some(piece) = self.pieces.remove(&start) else { continue };
            let stop = start + piece.len;
            let (from, to) = (start.max(offset), stop.min(end));
            self.bytes -= piece.len;
            self.insert(start, piece.part(0, from - start));
            self.insert(to, piece.part(to - start, stop - to));
            let whole = from == start && to == stop;
            inside.push((from, if whole { piece } else { piece.part(from - start, to - from) }));
        }
        inside
    }

    /// The pieces that have a byte in a range, in order.
    fn overlapping(&self, offset: u64, len: u64) -> impl Iterator<Item = (u64, &Piece)> {
        let end = offset + len;
        let before = self.pieces.range(..offset).next_back().filter(|(start, piece)| *start + piece.len > offset);
        before.into_iter().chain(self.pieces.range(offset..end.max(offset))).map(|(&start, piece)| (start, piece))
    }

    /// All pieces, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Piece)> {
        self.pieces.iter().map(|(&start, piece)| (start, piece))
    }

    /// Takes everything out.
    pub(crate) fn take(&mut self) -> BTreeMap<u64, Piece> {
        self.bytes = 0;
        std::mem::take(&mut self.pieces)
    }

    /// Writes home what `wanted` says, as far as the store takes it; what it refuses stays.
    pub(crate) fn commit(&mut self, store: &mut dyn Store, wanted: impl Fn(&Piece) -> bool) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let (mut result, mut home) = (Ok(()), 0);
        self.pieces.retain(|&start, piece| {
            if !wanted(piece) {
                return true;
            }
            match piece.content.put(store, start, 0, piece.len) {
                Ok(()) => {
                    home += piece.len;
                    false
                }
                Err(error) => {
                    result = Err(error);
                    true
                }
            }
        });
        self.bytes -= home;
        result
    }

    /// The same, in the order in which the writes were acknowledged.
    pub(crate) fn commit_in_order(&mut self, store: &mut dyn Store, wanted: impl Fn(&Piece) -> bool) -> io::Result<()> {
        let all = self.pieces.iter().filter(|(_, piece)| wanted(piece));
        let mut all: Vec<(u64, u64)> = all.map(|(&start, piece)| (piece.write, start)).collect();
        all.sort_unstable();
        let mut result = Ok(());
        for (_, start) in all {
            let Some(piece) = self.pieces.get(&start) else { continue };
            match piece.content.put(store, start, 0, piece.len) {
                Ok(()) => self.bytes -= self.pieces.remove(&start).map_or(0, |piece| piece.len),
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// Writes home what `wanted` says within a range; what the store refuses stays.
    pub(crate) fn commit_range(
        &mut self,
        store: &mut dyn Store,
        (offset, len): (u64, u64),
        wanted: impl Fn(&Piece) -> bool,
    ) -> io::Result<()> {
        let mut result = Ok(());
        if self.overlapping(offset, len).next().is_none() {
            return result;
        }
        for (start, piece) in self.cut(offset, len) {
            let put = if wanted(&piece) { piece.content.put(store, start, 0, piece.len) } else { Ok(()) };
            if put.is_err() || !wanted(&piece) {
                self.insert(start, piece);
            }
            result = result.and(put);
        }
        result
    }

    /// Lays what is here over `out`, which holds what the disk has at `offset`.
    pub(crate) fn read(&self, offset: u64, out: &mut [u8]) {
        let end = offset + out.len() as u64;
        for (start, piece) in self.overlapping(offset, out.len() as u64) {
            let (from, to) = (start.max(offset), (start + piece.len).min(end));
            piece.content.copy_to(from - start, &mut out[(from - offset) as usize..(to - offset) as usize]);
        }
    }

    /// The same for a list of extents that begins at `offset`.
    pub(crate) fn extents(&self, offset: u64, base: Vec<Extent>, limit: usize) -> Vec<Extent> {
        if self.is_empty() {
            return base;
        }
        let (mut extents, mut at) = (Vec::new(), offset);
        for run in base {
            let end = at + run.len;
            for (start, piece) in self.overlapping(at, run.len) {
                let (from, to) = (start.max(at), (start + piece.len).min(end));
                let zero = matches!(piece.content, Content::Zeroes { .. });
                let here = Extent { len: to - from, hole: false, zero };
                let gap = Extent { len: from - at, ..run };
                if !push_extent(&mut extents, limit, gap) || !push_extent(&mut extents, limit, here) {
                    return extents;
                }
                at = to;
            }
            if !push_extent(&mut extents, limit, Extent { len: end - at, ..run }) {
                return extents;
            }
            at = end;
        }
        extents
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::{MemoryRoom, MemoryStore};

    /// A write, a cut, or the commit of every other write.
    #[derive(Clone, Debug)]
    enum Step {
        Write(u64, u64),
        Zero(u64, u64),
        Cut(u64, u64),
        Commit(u64, u64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let range = || (0u64..90, 1u64..40);
        let step = prop_oneof![
            4 => range().prop_map(|(o, l)| Step::Write(o, l)),
            1 => range().prop_map(|(o, l)| Step::Zero(o, l)),
            1 => range().prop_map(|(o, l)| Step::Cut(o, l)),
            1 => range().prop_map(|(o, l)| Step::Commit(o, l)),
        ];
        proptest::collection::vec(step, 0..50)
    }

    proptest! {
        #[test]
        fn an_overlay_is_a_map_of_bytes(steps in steps()) {
            let mut overlay = Overlay::default();
            let mut store = MemoryStore::new(128, MemoryRoom::default()).unwrap();
            let (mut volatile, mut durable) = ([None::<(u64, u8)>; 128], [0u8; 128]);
            for (write, step) in steps.into_iter().enumerate() {
                let write = write as u64;
                match step {
                    Step::Write(offset, len) | Step::Zero(offset, len) => {
                        let bytes: Vec<u8> = (0..len).map(|i| (write * 7 + i) as u8).collect();
                        let zero = matches!(step, Step::Zero(..));
                        for i in 0..len {
                            volatile[(offset + i) as usize] = Some((write, if zero { 0 } else { bytes[i as usize] }));
                        }
                        let content = if zero {
                            Content::Zeroes { punch: true }
                        } else {
                            Content::Bytes { buffer: Arc::new(bytes), from: 0 }
                        };
                        overlay.cut(offset, len);
                        overlay.insert(offset, Piece { len, write, arrived: Instant::START, content });
                    }
                    Step::Cut(offset, len) => {
                        volatile[offset as usize..(offset + len) as usize].fill(None);
                        overlay.cut(offset, len);
                    }
                    Step::Commit(offset, len) => {
                        for at in offset as usize..(offset + len) as usize {
                            if let Some((write, value)) = volatile[at] && write % 2 == 0 {
                                (durable[at], volatile[at]) = (value, None);
                            }
                        }
                        overlay.commit_range(&mut store, (offset, len), |piece| piece.write % 2 == 0).unwrap();
                    }
                }
                let mut bytes = vec![0; 128];
                store.read(0, &mut bytes).unwrap();
                prop_assert_eq!(&bytes[..], &durable[..]);
                overlay.read(0, &mut bytes);
                let expected: Vec<u8> = (0..128).map(|at| volatile[at].map_or(durable[at], |v| v.1)).collect();
                prop_assert_eq!(bytes, expected);
                prop_assert_eq!(overlay.bytes(), volatile.iter().flatten().count() as u64);
            }
        }
    }

    #[test]
    fn a_small_remainder_lets_go_of_its_payload() {
        let mut overlay = Overlay::default();
        let buffer = Arc::new(vec![1; 1 << 20]);
        let content = Content::Bytes { buffer: Arc::clone(&buffer), from: 0 };
        overlay.insert(0, Piece { len: 1 << 20, write: 1, arrived: Instant::START, content });
        overlay.cut(4096, (1 << 20) - 4096);
        assert_eq!((Arc::strong_count(&buffer), overlay.bytes()), (1, 4096));
    }
}
