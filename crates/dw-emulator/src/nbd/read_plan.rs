//! Into which chunks the answer of a read is cut.
//!
//! Known zeroes travel as a hole's length instead of as bytes, if the connection speaks in chunks, the client allows
//! fragments, and the hole is worth a header of its own.
//!
//! Source: `doc/proto.md`, `NBD_CMD_READ`.
//!
//! Invariant: the chunks follow one another and cover the range exactly; only the last says so.

use super::{export::Style, reply::StatusExtent};

/// A hole shorter than this travels as zeroes: one more chunk costs the client a system call or two, about what copying
/// this many bytes does.
const SHORTEST_HOLE: u64 = 32 << 10;

/// A piece of a read's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// First byte in the export.
    pub offset: u64,
    /// Bytes.
    pub len: u32,
    /// Zeroes, sent as a length; otherwise the bytes follow.
    pub hole: bool,
    /// Nothing comes after it.
    pub last: bool,
}

/// Cuts a read of `len` bytes at `offset`. `extents` describe the range from `offset` on; what they do not reach is data.
pub fn plan_read(
    style: Style,
    df: bool,
    offset: u64,
    len: u32,
    extents: impl IntoIterator<Item = StatusExtent>,
) -> Vec<Chunk> {
    let whole = Chunk { offset, len, hole: false, last: true };
    if style == Style::Simple || df || u64::from(len) < SHORTEST_HOLE {
        return vec![whole];
    }
    let end = offset.saturating_add(len.into());
    let mut pieces: Vec<(u64, bool)> = Vec::new(); // (end, hole)
    let mut at = offset;
    for extent in extents {
        let to = at.saturating_add(extent.len).min(end);
        if to > at {
            push(&mut pieces, to, extent.zero);
        }
        at = to;
        if at == end {
            break;
        }
    }
    if at < end {
        push(&mut pieces, end, false);
    }
    fill_short_holes(offset, &mut pieces);
    chunks(offset, &pieces)
}

/// The same chunks with at most `most` bytes of data in each, so that nobody has to have more of them at once.
pub fn in_pieces(chunks: Vec<Chunk>, most: u32) -> impl Iterator<Item = Chunk> + use<> {
    chunks.into_iter().flat_map(move |chunk| {
        let most = if chunk.hole { u32::MAX } else { most };
        (0..chunk.len.div_ceil(most)).map(move |piece| {
            let skip = piece * most;
            let len = most.min(chunk.len - skip);
            let last = chunk.last && skip + len == chunk.len;
            Chunk { offset: chunk.offset + u64::from(skip), len, last, ..chunk }
        })
    })
}

/// Appends up to `end`, joining equals.
fn push(pieces: &mut Vec<(u64, bool)>, end: u64, hole: bool) {
    match pieces.last_mut() {
        Some((last, same)) if *same == hole => *last = end,
        _ => pieces.push((end, hole)),
    }
}

fn fill_short_holes(offset: u64, pieces: &mut Vec<(u64, bool)>) {
    let mut start = offset;
    let mut kept: Vec<(u64, bool)> = Vec::with_capacity(pieces.len());
    for &(end, hole) in pieces.iter() {
        push(&mut kept, end, hole && end - start >= SHORTEST_HOLE);
        start = end;
    }
    *pieces = kept;
}

fn chunks(offset: u64, pieces: &[(u64, bool)]) -> Vec<Chunk> {
    let mut start = offset;
    let mut list = Vec::with_capacity(pieces.len());
    for (index, &(end, hole)) in pieces.iter().enumerate() {
        list.push(Chunk { offset: start, len: (end - start) as u32, hole, last: index + 1 == pieces.len() });
        start = end;
    }
    list
}
