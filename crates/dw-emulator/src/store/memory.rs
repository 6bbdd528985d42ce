//! A sparse disk in memory, gone with the process.
//!
//! Chunks of 64 KiB come with their first write, under a directory of leaves of 64 MiB, so that a terabyte disk begins at
//! 256 KiB of directory. Zeroing or discarding a whole chunk frees it; a part of a chunk is overwritten.
//!
//! Invariant: a chunk that is absent reads as zeroes.

use std::io;

use super::{Extent, Store, push_extent};

/// Large enough that the directory stays small, small enough that scattered 4 KiB writes do not cost much each.
const CHUNK: u64 = 64 << 10;
/// Chunks a leaf.
const LEAF: u64 = 1024;

type Chunk = Option<Box<[u8]>>;

/// A disk in memory.
#[derive(Debug)]
pub struct MemoryStore {
    size: u64,
    leaves: Vec<Option<Box<[Chunk]>>>,
}

impl MemoryStore {
    /// An empty disk of `size` bytes.
    pub fn new(size: u64) -> Self {
        let mut store = MemoryStore { size: 0, leaves: Vec::new() };
        store.set_size(size);
        store
    }

    fn set_size(&mut self, size: u64) {
        self.size = size;
        self.leaves.resize_with(size.div_ceil(CHUNK * LEAF) as usize, || None);
    }

    #[inline]
    fn chunk(&self, index: u64) -> Option<&[u8]> {
        self.leaves[(index / LEAF) as usize].as_ref()?[(index % LEAF) as usize].as_deref()
    }

    fn slot(&mut self, index: u64) -> &mut Chunk {
        let leaf = &mut self.leaves[(index / LEAF) as usize];
        &mut leaf.get_or_insert_with(|| (0..LEAF).map(|_| None).collect())[(index % LEAF) as usize]
    }

    /// Chunks that are held.
    pub fn chunks(&self) -> usize {
        self.leaves.iter().flatten().map(|leaf| leaf.iter().flatten().count()).sum()
    }
}

/// The pieces of a range that lie in one chunk each: (chunk, first byte in it, bytes).
fn pieces(offset: u64, len: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = offset + len;
    let mut at = offset;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let within = at % CHUNK;
            let piece = (CHUNK - within).min(end - at);
            let found = (at / CHUNK, within as usize, piece as usize);
            at += piece;
            found
        })
    })
}

impl Store for MemoryStore {
    fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut out = out;
        for (chunk, within, len) in pieces(offset, out.len() as u64) {
            let (piece, rest) = out.split_at_mut(len);
            match self.chunk(chunk) {
                Some(bytes) => piece.copy_from_slice(&bytes[within..within + len]),
                None => piece.fill(0),
            }
            out = rest;
        }
        Ok(())
    }

    #[inline]
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut data = data;
        for (chunk, within, len) in pieces(offset, data.len() as u64) {
            let (piece, rest) = data.split_at(len);
            let bytes = self.slot(chunk).get_or_insert_with(|| vec![0; CHUNK as usize].into_boxed_slice());
            bytes[within..within + len].copy_from_slice(piece);
            data = rest;
        }
        Ok(())
    }

    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let mut at = offset;
        let end = offset + len;
        while at < end {
            // A leaf that never came is 64 MiB of nothing to do.
            let leaf = (at / (CHUNK * LEAF)) as usize;
            if self.leaves[leaf].is_none() {
                at = (leaf as u64 + 1) * CHUNK * LEAF;
                continue;
            }
            let within = (at % CHUNK) as usize;
            let piece = (CHUNK - at % CHUNK).min(end - at);
            let slot = self.slot(at / CHUNK);
            if piece == CHUNK {
                *slot = None;
            } else if let Some(bytes) = slot {
                bytes[within..within + piece as usize].fill(0);
            }
            at += piece;
        }
        Ok(())
    }

    fn zero(&mut self, offset: u64, len: u64, _punch: bool) -> io::Result<()> {
        self.discard(offset, len)
    }

    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        let mut extents = Vec::new();
        let (mut at, end) = (offset, offset + len);
        while at < end {
            let leaf = (at / (CHUNK * LEAF)) as usize;
            let (stop, hole) = match &self.leaves[leaf] {
                None => ((leaf as u64 + 1) * CHUNK * LEAF, true),
                Some(_) => ((at / CHUNK + 1) * CHUNK, self.chunk(at / CHUNK).is_none()),
            };
            let stop = stop.min(end);
            if !push_extent(&mut extents, limit, Extent { len: stop - at, hole, zero: hole }) {
                break;
            }
            at = stop;
        }
        extents
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn resize(&mut self, size: u64) -> io::Result<()> {
        if size < self.size {
            // What is cut off must not come back when the disk grows again.
            self.discard(size, self.size - size)?;
        }
        self.set_size(size);
        Ok(())
    }
}
