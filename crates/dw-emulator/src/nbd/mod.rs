//! The NBD protocol: bytes in, values out.
//!
//! Three pure parts, to be used one after the other on each connection:
//!
//! ```text
//! Handshake::feed(bytes)  ->  Step      options are haggled over until `Step::Transmission(Terms)`
//! request::parse(bytes)   ->  Header    what is asked; a write's payload follows it in the stream
//! ReplyTo::...(out)                     the answer's header; a read's data follows it in the stream
//! ```
//!
//! Fixed newstyle with structured replies, extended headers, `base:allocation` and the TLS upgrade.
//!
//! Source: `doc/proto.md` of the NBD project, with its extension-ext-header branch.
//!
//! Ignores: oldstyle, the resize extension, `NBD_FLAG_BLOCK_STATUS_PAYLOAD`, metadata contexts other than
//! `base:allocation`.
//!
//! Invariant: no input makes it panic, and nothing is allocated in proportion to a length that a client only claims.

pub mod error;
pub mod export;
pub mod handshake;
mod options;
pub mod read_plan;
pub mod reply;
pub mod request;
pub mod wire;

pub use error::Errno;
pub use export::{ExportInfo, ExportList, Style, Terms};
pub use handshake::{Closing, Handshake, Step, TlsMode};
pub use read_plan::{Chunk, in_pieces, plan_read};
pub use reply::{ReplyTo, StatusExtent};
pub use request::{Command, Header, Parsed, Refusal};
