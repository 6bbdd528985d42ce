//! Requests of the transmission phase: from bytes to what is asked.
//!
//! ```text
//! compact   magic:32 flags:16 type:16 cookie:64 offset:64 length:32      (a write's payload follows)
//! extended  magic:32 flags:16 type:16 cookie:64 offset:64 length:64      (a payload follows if PAYLOAD_LEN is set)
//! ```
//!
//! Only the header is taken, so that the server can read a payload straight to where it stays. A request that cannot be
//! served keeps the connection: its header says how many bytes to discard and which error to answer. Only a stream that
//! cannot be followed any more is hung up on: a wrong magic, or a payload above both 32 MiB and the agreed maximum.
//!
//! Source: `doc/proto.md`, "Request types" and "Size constraints".
//!
//! Invariant: of a command that is not refused, `offset + len` lies within the export.

use super::{
    error::Errno,
    export::{Style, Terms},
    wire::{
        DEFAULT_MAX_PAYLOAD, EXTENDED_REQUEST_LEN, EXTENDED_REQUEST_MAGIC, REQUEST_LEN, REQUEST_MAGIC, Reader, cmd,
    },
};

/// What the front of the input is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// More bytes are needed: [`header_len`] in all.
    Incomplete,
    /// A header of [`header_len`] bytes.
    Request(Header),
    /// The stream makes no sense any more; close the connection.
    HangUp(HangUp),
}

/// Why the stream cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HangUp {
    /// The header does not begin as it must.
    #[error("a request begins with {0:#010x}, which is not a request of this connection")]
    BadMagic(u32),
    /// The payload would take too long to discard.
    #[error("a request claims {0} bytes of payload; the most is {1}")]
    PayloadTooLong(u64, u32),
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The client's name for it, to be sent back.
    pub cookie: u64,
    /// First byte.
    pub offset: u64,
    /// Bytes that it is about.
    pub len: u64,
    /// Bytes that follow in the stream, to be discarded when the request is refused.
    pub payload: u32,
    /// It is a read: with chunks, even its errors must be chunks.
    pub is_read: bool,
    /// What to do, or how to say no.
    pub command: Result<Command, Refusal>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Read; `df`: in one piece.
    Read {
        /// Don't fragment the reply.
        df: bool,
    },
    /// Write the payload.
    Write {
        /// Durable before the reply.
        fua: bool,
    },
    /// Finish what is under way, then close without a reply.
    Disconnect,
    /// Make completed writes durable.
    Flush,
    /// Forget the range.
    Trim {
        /// Durable before the reply.
        fua: bool,
    },
    /// Read ahead.
    Cache,
    WriteZeroes {
        /// Durable before the reply.
        fua: bool,
        /// Keep the space allocated.
        no_hole: bool,
    },
    /// Which ranges are holes.
    BlockStatus {
        /// No more than one extent.
        one: bool,
    },
}

/// A request that is answered with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The error.
    pub errno: Errno,
    /// For people.
    pub why: String,
}

/// Bytes of a request header.
pub fn header_len(style: Style) -> usize {
    match style {
        Style::Extended => EXTENDED_REQUEST_LEN,
        Style::Simple | Style::Structured => REQUEST_LEN,
    }
}

/// Reads one header from the front of `input`, which is whatever has arrived and not been taken yet.
pub fn parse(terms: &Terms, input: &[u8]) -> Parsed {
    let mut from = Reader(input);
    let expected = if terms.style == Style::Extended { EXTENDED_REQUEST_MAGIC } else { REQUEST_MAGIC };
    match from.u32() {
        Some(magic) if magic != expected => return Parsed::HangUp(HangUp::BadMagic(magic)),
        _ => {}
    }
    let Some(raw) = Raw::read(terms.style, from) else { return Parsed::Incomplete };
    let payload = raw.payload(terms.style);
    let most = terms.max_payload.max(DEFAULT_MAX_PAYLOAD);
    let Some(payload) = u32::try_from(payload).ok().filter(|&len| len <= most) else {
        return Parsed::HangUp(HangUp::PayloadTooLong(payload, most));
    };
    Parsed::Request(Header {
        cookie: raw.cookie,
        offset: raw.offset,
        len: raw.len,
        payload,
        is_read: raw.kind == cmd::READ,
        command: raw.command(terms),
    })
}

/// The fields as they came.
struct Raw {
    flags: u16,
    kind: u16,
    cookie: u64,
    offset: u64,
    len: u64,
}

impl Raw {
    /// What follows the magic.
    fn read(style: Style, mut from: Reader<'_>) -> Option<Raw> {
        Some(Raw {
            flags: from.u16()?,
            kind: from.u16()?,
            cookie: from.u64()?,
            offset: from.u64()?,
            len: if style == Style::Extended { from.u64()? } else { from.u32()?.into() },
        })
    }

    fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Bytes behind the header. An unknown command has none unless the extended header says so: that is all we know.
    fn payload(&self, style: Style) -> u64 {
        let follows = match style {
            Style::Extended => self.has(cmd::FLAG_PAYLOAD_LEN),
            Style::Simple | Style::Structured => self.kind == cmd::WRITE,
        };
        if follows { self.len } else { 0 }
    }

    fn command(&self, terms: &Terms) -> Result<Command, Refusal> {
        let fua = self.has(cmd::FLAG_FUA);
        let (command, flags) = match self.kind {
            cmd::READ => (Command::Read { df: self.has(cmd::FLAG_DF) }, cmd::FLAG_DF),
            cmd::WRITE => (Command::Write { fua }, 0),
            // There is no reply to it, so there is nothing to refuse.
            cmd::DISC => return Ok(Command::Disconnect),
            cmd::FLUSH => (Command::Flush, 0),
            cmd::TRIM => (Command::Trim { fua }, 0),
            cmd::CACHE => (Command::Cache, 0),
            cmd::WRITE_ZEROES => {
                let no_hole = self.has(cmd::FLAG_NO_HOLE);
                (Command::WriteZeroes { fua, no_hole }, cmd::FLAG_NO_HOLE | cmd::FLAG_FAST_ZERO)
            }
            cmd::BLOCK_STATUS => (Command::BlockStatus { one: self.has(cmd::FLAG_REQ_ONE) }, cmd::FLAG_REQ_ONE),
            other => return refuse(Errno::Inval, format!("command {other} is not known")),
        };
        self.check_flags(terms, command, flags)?;
        self.check_context(terms, command)?;
        if command == Command::Flush {
            self.check_flush()?
        } else {
            self.check_range(terms, command)?
        }
        Ok(command)
    }

    /// FUA is allowed on every command (clients are known to set it on reads); other flags where they belong.
    fn check_flags(&self, terms: &Terms, command: Command, allowed: u16) -> Result<(), Refusal> {
        let mut allowed = allowed | cmd::FLAG_FUA;
        if terms.style == Style::Simple {
            allowed &= !cmd::FLAG_DF;
        }
        let is_write = matches!(command, Command::Write { .. });
        if terms.style == Style::Extended && is_write {
            allowed |= cmd::FLAG_PAYLOAD_LEN;
            if !self.has(cmd::FLAG_PAYLOAD_LEN) {
                return refuse(Errno::Inval, "a write with extended headers needs the payload flag".into());
            }
        }
        match self.flags & !allowed {
            0 => Ok(()),
            other => refuse(Errno::Inval, format!("flags {other:#06x} do not belong to command {}", self.kind)),
        }
    }

    fn check_context(&self, terms: &Terms, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Write { .. } | Command::Trim { .. } | Command::WriteZeroes { .. } if terms.read_only() => {
                refuse(Errno::Perm, "the export is read-only".into())
            }
            Command::WriteZeroes { no_hole, .. } if self.has(cmd::FLAG_FAST_ZERO) && (no_hole || !terms.fast_zero) => {
                refuse(Errno::NotSup, "zeroing would take as long as writing".into())
            }
            Command::BlockStatus { .. } if !terms.base_allocation => {
                refuse(Errno::Inval, "no metadata context was negotiated".into())
            }
            _ => Ok(()),
        }
    }

    fn check_flush(&self) -> Result<(), Refusal> {
        if self.offset == 0 && self.len == 0 {
            return Ok(());
        }
        refuse(Errno::Inval, "a flush has no offset and no length".into())
    }

    fn check_range(&self, terms: &Terms, command: Command) -> Result<(), Refusal> {
        let (offset, len) = (self.offset, self.len);
        if len == 0 {
            return refuse(Errno::Inval, "the length is zero".into());
        }
        if offset > terms.size || len > terms.size - offset {
            let errno = match command {
                Command::Write { .. } | Command::WriteZeroes { .. } => Errno::NoSpc,
                _ => Errno::Inval,
            };
            return refuse(errno, format!("{len} bytes at {offset} end beyond the export's {} bytes", terms.size));
        }
        let block = u64::from(terms.min_block.max(1));
        if offset % block != 0 || len % block != 0 {
            return refuse(Errno::Inval, format!("{len} bytes at {offset} are not aligned to {block} bytes"));
        }
        let most = terms.max_payload;
        match command {
            Command::Read { .. } if len > most.into() => {
                refuse(Errno::Overflow, format!("a read of {len} bytes is above the maximum of {most}"))
            }
            Command::Write { .. } if len > most.into() => {
                refuse(Errno::Inval, format!("a write of {len} bytes is above the maximum of {most}"))
            }
            _ => Ok(()),
        }
    }
}

fn refuse<T>(errno: Errno, why: String) -> Result<T, Refusal> {
    Err(Refusal { errno, why })
}
