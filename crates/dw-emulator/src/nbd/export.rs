//! What a client is told about an export, and what both sides have agreed on when the handshake is over.
//!
//! Invariant: the flags of [`Terms`] are those that INFO and GO announced.

use super::wire::{DEFAULT_MAX_PAYLOAD, tx};

/// An export as the protocol sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportInfo {
    /// By which clients ask for it; at most 4096 bytes.
    pub name: String,
    /// For people.
    pub description: String,
    /// Bytes.
    pub size: u64,
    /// Writes are refused.
    pub read_only: bool,
    /// A medium that turns; clients may sort their requests.
    pub rotational: bool,
    /// Zeroes cost less than a write of the same length (as far as holes are allowed).
    pub fast_zero: bool,
    /// Not to be had at the moment: neither listed nor served.
    pub detached: bool,
    /// Requests must be aligned to it; a power of two.
    pub min_block: u32,
    /// Smaller requests are slow.
    pub preferred_block: u32,
    /// Most bytes of one read or write.
    pub max_payload: u32,
}

impl ExportInfo {
    /// A writable export with the protocol's default sizes.
    pub fn new(name: impl Into<String>, size: u64) -> ExportInfo {
        ExportInfo {
            name: name.into(),
            description: String::new(),
            size,
            read_only: false,
            rotational: false,
            fast_zero: false,
            detached: false,
            min_block: 1,
            preferred_block: 4096,
            max_payload: DEFAULT_MAX_PAYLOAD,
        }
    }

    /// The transmission flags that describe it.
    ///
    /// One cache serves all connections, so `CAN_MULTI_CONN` always holds; a fast zero may always be asked for, because
    /// the refusal is quick. A flush may always be asked for, too: where every acknowledged write is durable it changes
    /// nothing and takes its modelled time, and the cache mode can change while a client stays.
    pub fn flags(&self, style: Style) -> u16 {
        let mut flags = tx::HAS_FLAGS | tx::SEND_FLUSH | tx::SEND_FUA | tx::CAN_MULTI_CONN | tx::SEND_CACHE;
        if self.rotational {
            flags |= tx::ROTATIONAL;
        }
        if self.read_only {
            flags |= tx::READ_ONLY;
        } else {
            flags |= tx::SEND_TRIM | tx::SEND_WRITE_ZEROES | tx::SEND_FAST_ZERO;
        }
        if style != Style::Simple {
            flags |= tx::SEND_DF;
        }
        flags
    }
}

/// Everything that is served, in the server's order.
#[derive(Clone, Copy, Debug)]
pub struct ExportList<'a> {
    /// The exports; an index here is the export's number everywhere.
    pub exports: &'a [ExportInfo],
    /// What the empty name stands for.
    pub default: Option<usize>,
}

impl<'a> ExportList<'a> {
    /// The export of that name, detached or not.
    pub fn find(&self, name: &str) -> Option<(usize, &'a ExportInfo)> {
        let index = self.exports.iter().position(|export| export.name == name);
        let index = index.or(if name.is_empty() { self.default } else { None })?;
        Some((index, self.exports.get(index)?))
    }
}

/// How replies look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// One reply with no more than an error number.
    #[default]
    Simple,
    /// Chunks.
    Structured,
    /// Chunks with 64-bit lengths, answering requests with 64-bit lengths.
    Extended,
}

/// What client and server agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Index in [`ExportList::exports`].
    pub export: usize,
    /// How requests and replies look.
    pub style: Style,
    /// The client may ask for block status (context 1, `base:allocation`).
    pub base_allocation: bool,
    /// The client asked for the block sizes, so it must keep to them.
    pub sizes_asked: bool,
    /// The transmission flags announced.
    pub flags: u16,
    /// Bytes that this connection may address, whatever happens to the export later.
    pub size: u64,
    /// Alignment that is asked for.
    pub min_block: u32,
    /// Most bytes of one read or write: what was told, or more for those who were told nothing.
    pub max_payload: u32,
    /// As in [`ExportInfo::fast_zero`].
    pub fast_zero: bool,
}

impl Terms {
    /// What follows from an export and a way to talk.
    pub fn new(index: usize, export: &ExportInfo, style: Style) -> Terms {
        Terms {
            export: index,
            style,
            base_allocation: false,
            sizes_asked: false,
            flags: export.flags(style),
            size: export.size,
            min_block: export.min_block,
            max_payload: export.max_payload,
            fast_zero: export.fast_zero,
        }
    }
    /// Writes are refused.
    pub fn read_only(&self) -> bool {
        self.flags & tx::READ_ONLY != 0
    }
}
