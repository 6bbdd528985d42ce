//! A sparse disk in memory, gone with the process.
//!
//! Pages of 8 KiB come with their first write, under chunks of 64 KiB and leaves of 64 MiB, so that a terabyte disk begins at
//! 256 KiB and a scattered write of 4 KiB takes little more than its page. Zeroing or discarding a whole page frees it; a part of a page
//! is overwritten. All of it is asked for in a [`MemoryRoom`], and a write for which there is no room is refused as on a full disk.
//!
//! Invariant: a page that is absent reads as zeroes; the room has given as much as pages, chunks and leaves take.

use std::io;

use super::room::MemoryRoom;
use super::{Extent, Store, push_extent};

/// Large enough that a disk is not made of crumbs, small enough that scattered 4 KiB writes do not cost much each.
const PAGE: u64 = 8 << 10;
/// Pages a chunk.
const CHUNK: u64 = 8;
/// Chunks a leaf.
const LEAF: u64 = 1024;
const CHUNK_BYTES: u64 = PAGE * CHUNK;
const LEAF_BYTES: u64 = CHUNK_BYTES * LEAF;

type Page = Box<[u8]>;
type Chunk = Box<[Option<Page>]>;
type Leaf = Box<[Option<Chunk>]>;

/// A disk in memory.
#[derive(Debug)]
pub struct MemoryStore {
    size: u64,
    leaves: Vec<Option<Leaf>>,
    room: MemoryRoom,
}

impl MemoryStore {
    /// An empty disk of `size` bytes in this room.
    ///
    /// # Errors
    /// When there is no room for the index of a disk of that size.
    pub fn new(size: u64, room: MemoryRoom) -> io::Result<Self> {
        let mut store = MemoryStore { size: 0, leaves: Vec::new(), room };
        store.set_size(size)?;
        Ok(store)
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        let (old, new) = (self.leaves.len(), size.div_ceil(LEAF_BYTES) as usize);
        if new > old {
            self.room.extend(&mut self.leaves, new - old)?;
            self.leaves.resize_with(new, || None);
        } else {
            // What was in them has been discarded.
            let gone = &self.leaves[new..];
            let leaves = gone.iter().flatten().map(|leaf| size_of_val::<[_]>(leaf)).sum::<usize>();
            let given = leaves + size_of_val::<[_]>(gone);
            // In place: a growth that is taken back has no memory to move to.
            self.leaves.truncate(new);
            self.leaves.shrink_to_fit();
            self.room.give(given as u64);
        }
        self.size = size;
        Ok(())
    }

    #[inline]
    fn page(&self, index: u64) -> Option<&[u8]> {
        let leaf = self.leaves[(index / CHUNK / LEAF) as usize].as_ref()?;
        let chunk = leaf[(index / CHUNK % LEAF) as usize].as_ref()?;
        chunk[(index % CHUNK) as usize].as_deref()
    }

    /// A page, which comes now if it is not there.
    fn page_mut(&mut self, index: u64) -> io::Result<&mut [u8]> {
        let leaf = present(&mut self.leaves[(index / CHUNK / LEAF) as usize], LEAF, &self.room)?;
        let chunk = present(&mut leaf[(index / CHUNK % LEAF) as usize], CHUNK, &self.room)?;
        present(&mut chunk[(index % CHUNK) as usize], PAGE, &self.room)
    }

    /// Frees a chunk with its pages.
    fn free_chunk(&mut self, index: u64) {
        let chunk = self.leaves[(index / LEAF) as usize].as_mut().and_then(|leaf| leaf[(index % LEAF) as usize].take());
        if let Some(chunk) = chunk {
            let pages = chunk.iter().flatten().count() as u64;
            self.room.give(size_of_val::<[_]>(&chunk) as u64 + pages * PAGE);
        }
    }

    /// Zeroes a part of a page, or frees the page.
    fn zero_page(&mut self, index: u64, within: usize, len: usize) {
        let leaf = self.leaves[(index / CHUNK / LEAF) as usize].as_mut();
        let chunk = leaf.and_then(|leaf| leaf[(index / CHUNK % LEAF) as usize].as_mut());
        let Some(chunk) = chunk else { return };
        let page = &mut chunk[(index % CHUNK) as usize];
        if len as u64 == PAGE {
            self.room.give(page.take().map_or(0, |page| page.len() as u64));
        } else if let Some(bytes) = page {
            bytes[within..within + len].fill(0);
        }
    }

    /// Pages that are held.
    pub fn pages(&self) -> usize {
        let chunks = self.leaves.iter().flatten().flat_map(|leaf| leaf.iter().flatten());
        chunks.map(|chunk| chunk.iter().flatten().count()).sum()
    }
}

/// What is at a place, with `len` values that are nothing yet if it has to be made.
fn present<'a, T: Default>(place: &'a mut Option<Box<[T]>>, len: u64, room: &MemoryRoom) -> io::Result<&'a mut [T]> {
    if place.is_none() {
        let mut list = Vec::new();
        room.extend(&mut list, len as usize)?;
        list.resize_with(len as usize, T::default);
        *place = Some(list.into_boxed_slice());
    }
    place.as_deref_mut().ok_or_else(|| io::ErrorKind::Other.into())
}

/// The pieces of a range that lie in one page each: (page, first byte in it, bytes).
fn pieces(offset: u64, len: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = offset + len;
    let mut at = offset;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let within = at % PAGE;
            let piece = (PAGE - within).min(end - at);
            let found = (at / PAGE, within as usize, piece as usize);
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
        for (page, within, len) in pieces(offset, out.len() as u64) {
            let (piece, rest) = out.split_at_mut(len);
            match self.page(page) {
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
        for (page, within, len) in pieces(offset, data.len() as u64) {
            let (piece, rest) = data.split_at(len);
            self.page_mut(page)?[within..within + len].copy_from_slice(piece);
            data = rest;
        }
        Ok(())
    }

    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let (mut at, end) = (offset, offset + len);
        while at < end {
            // A leaf that never came is 64 MiB of nothing to do.
            let leaf = at / LEAF_BYTES;
            if self.leaves[leaf as usize].is_none() {
                at = (leaf + 1) * LEAF_BYTES;
            } else if at.is_multiple_of(CHUNK_BYTES) && end - at >= CHUNK_BYTES {
                self.free_chunk(at / CHUNK_BYTES);
                at += CHUNK_BYTES;
            } else {
                let piece = (PAGE - at % PAGE).min(end - at);
                self.zero_page(at / PAGE, (at % PAGE) as usize, piece as usize);
                at += piece;
            }
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
            let leaf = self.leaves[(at / LEAF_BYTES) as usize].as_ref();
            let chunk = leaf.map(|leaf| leaf[(at / CHUNK_BYTES % LEAF) as usize].as_ref());
            let (unit, hole) = match chunk {
                None => (LEAF_BYTES, true),
                Some(None) => (CHUNK_BYTES, true),
                Some(Some(chunk)) => (PAGE, chunk[(at / PAGE % CHUNK) as usize].is_none()),
            };
            let stop = ((at / unit + 1) * unit).min(end);
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
        self.set_size(size)
    }
}
