//! Replies: headers into the caller's buffer, so that a read's data can follow from wherever it lies.
//!
//! ```text
//! simple      magic:32 error:32 cookie:64                                        [data]
//! structured  magic:32 flags:16 type:16 cookie:64 length:32                      payload
//! extended    magic:32 flags:16 type:16 cookie:64 offset:64 length:64            payload
//! ```
//!
//! With chunks, everything is answered with chunks: errors then carry a message.
//!
//! Source: `doc/proto.md`, "Structured reply types", and extension-ext-header for the extended ones.
//!
//! Invariant: the last chunk of a reply, and no other, has the DONE flag.

use super::{
    error::Errno,
    export::{Style, Terms},
    request::Header,
    wire::{EXTENDED_REPLY_MAGIC, MAX_STRING, SIMPLE_REPLY_MAGIC, STRUCTURED_REPLY_MAGIC, chunk},
};

/// The id of `base:allocation` in status replies.
pub const BASE_ALLOCATION_ID: u32 = 1;
/// Most extents of one status reply: half a MiB of descriptors. The protocol's own limit is 2^20, and clients come back
/// for what is missing.
pub const MAX_EXTENTS: usize = 1 << 16;
/// The longest extent of a structured status reply: below 2^32, and a multiple of any block.
const MAX_COMPACT_EXTENT: u64 = (1 << 32) - (1 << 16);

/// Whom to answer, and how. Small: keep it with the request while it is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyTo {
    /// How replies look on this connection.
    pub style: Style,
    /// The client's name for the request.
    pub cookie: u64,
    /// The offset of the request, which extended replies repeat.
    pub offset: u64,
}

/// A stretch of the export with one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusExtent {
    /// Bytes; not zero.
    pub len: u64,
    /// Not allocated.
    pub hole: bool,
    /// Reads as zeroes.
    pub zero: bool,
}

impl ReplyTo {
    /// The one who sent this request.
    pub fn new(terms: &Terms, header: &Header) -> ReplyTo {
        ReplyTo { style: terms.style, cookie: header.cookie, offset: header.offset }
    }

    /// Success of a request that has no data to give back.
    pub fn done(&self, out: &mut Vec<u8>) {
        match self.style {
            Style::Simple => self.simple(out, 0),
            _ => self.chunk(out, chunk::FLAG_DONE, chunk::NONE, 0),
        }
    }

    /// Failure; the message is for people and reaches only those who understand chunks.
    pub fn error(&self, out: &mut Vec<u8>, errno: Errno, message: &str) {
        if self.style == Style::Simple {
            return self.simple(out, errno.number());
        }
        let message = shorten(message);
        self.chunk(out, chunk::FLAG_DONE, chunk::ERROR, 6 + message.len() as u64);
        error_fields(out, errno, message);
    }

    /// Failure of a read at one place, after which nothing follows. Simple replies cannot say where.
    pub fn error_at(&self, out: &mut Vec<u8>, errno: Errno, message: &str, offset: u64) {
        if self.style == Style::Simple {
            return self.simple(out, errno.number());
        }
        let message = shorten(message);
        self.chunk(out, chunk::FLAG_DONE, chunk::ERROR_OFFSET, 14 + message.len() as u64);
        error_fields(out, errno, message);
        out.extend(offset.to_be_bytes());
    }

    /// The header of `len` bytes of a read's data from `offset` on, which must follow. With a simple reply this is the
    /// whole of the read, whatever `last` says.
    pub fn data(&self, out: &mut Vec<u8>, offset: u64, len: u32, last: bool) {
        if self.style == Style::Simple {
            return self.simple(out, 0);
        }
        self.chunk(out, u16::from(last) * chunk::FLAG_DONE, chunk::OFFSET_DATA, 8 + u64::from(len));
        out.extend(offset.to_be_bytes());
    }

    /// `len` bytes of a read's answer are zeroes; not for simple replies, which have to send them.
    pub fn hole(&self, out: &mut Vec<u8>, offset: u64, len: u32, last: bool) {
        debug_assert_ne!(self.style, Style::Simple, "simple replies know no holes");
        self.chunk(out, u16::from(last) * chunk::FLAG_DONE, chunk::OFFSET_HOLE, 12);
        out.extend(offset.to_be_bytes());
        out.extend(len.to_be_bytes());
    }

    /// The status of the range that was asked about, `len` bytes long. Neighbours of equal status are joined; what goes
    /// beyond the range is cut off when only `one` extent is wanted. Without any extent, the range counts as allocated.
    pub fn status(&self, out: &mut Vec<u8>, len: u64, one: bool, extents: impl IntoIterator<Item = StatusExtent>) {
        let extents = joined(len, one, self.style, extents);
        if self.style == Style::Extended {
            self.chunk(out, chunk::FLAG_DONE, chunk::BLOCK_STATUS_EXT, 8 + 16 * extents.len() as u64);
            out.extend(BASE_ALLOCATION_ID.to_be_bytes());
            out.extend((extents.len() as u32).to_be_bytes());
            for (len, flags) in extents {
                out.extend(len.to_be_bytes());
                out.extend(u64::from(flags).to_be_bytes());
            }
        } else {
            self.chunk(out, chunk::FLAG_DONE, chunk::BLOCK_STATUS, 4 + 8 * extents.len() as u64);
            out.extend(BASE_ALLOCATION_ID.to_be_bytes());
            for (len, flags) in extents {
                out.extend((len as u32).to_be_bytes());
                out.extend(flags.to_be_bytes());
            }
        }
    }

    fn simple(&self, out: &mut Vec<u8>, error: u32) {
        out.extend(SIMPLE_REPLY_MAGIC.to_be_bytes());
        out.extend(error.to_be_bytes());
        out.extend(self.cookie.to_be_bytes());
    }

    fn chunk(&self, out: &mut Vec<u8>, flags: u16, kind: u16, len: u64) {
        let extended = self.style == Style::Extended;
        let magic = if extended { EXTENDED_REPLY_MAGIC } else { STRUCTURED_REPLY_MAGIC };
        out.extend(magic.to_be_bytes());
        out.extend(flags.to_be_bytes());
        out.extend(kind.to_be_bytes());
        out.extend(self.cookie.to_be_bytes());
        if extended {
            out.extend(self.offset.to_be_bytes());
            out.extend(len.to_be_bytes());
        } else {
            // Payloads are bounded: data by the maximum payload, messages and extents by their caps.
            out.extend((len as u32).to_be_bytes());
        }
    }
}

fn error_fields(out: &mut Vec<u8>, errno: Errno, message: &str) {
    out.extend(errno.number().to_be_bytes());
    out.extend((message.len() as u16).to_be_bytes());
    out.extend(message.as_bytes());
}

/// Strings of the protocol have at most 4096 bytes.
pub(super) fn shorten(message: &str) -> &str {
    &message[..message.floor_char_boundary(MAX_STRING)]
}

fn joined(asked: u64, one: bool, style: Style, extents: impl IntoIterator<Item = StatusExtent>) -> Vec<(u64, u32)> {
    let mut list: Vec<(u64, u32)> = Vec::new();
    let mut covered = 0u64;
    for extent in extents.into_iter().filter(|extent| extent.len > 0) {
        let flags = u32::from(extent.hole) | u32::from(extent.zero) << 1;
        // Only the last extent may reach beyond what was asked.
        let full = !list.is_empty() && (one || covered >= asked || list.len() == MAX_EXTENTS);
        match list.last_mut() {
            Some((len, same)) if *same == flags => *len = len.saturating_add(extent.len),
            _ if full => break,
            _ => list.push((extent.len, flags)),
        }
        covered = covered.saturating_add(extent.len);
    }
    if list.is_empty() {
        list.push((asked.max(1), 0));
    }
    if one {
        list[0].0 = list[0].0.min(asked.max(1));
    }
    if style != Style::Extended
        && let Some(long) = list.iter().position(|&(len, _)| len > MAX_COMPACT_EXTENT)
    {
        list[long].0 = MAX_COMPACT_EXTENT;
        list.truncate(long + 1);
    }
    list
}
