//! What an acknowledged write is worth: data that only the host cache has, over what the disks durably hold.
//!
//! ```text
//!  acknowledged, volatile:  overlay  ── flush, FUA, write-back ──▶  store: durable
//!                              │
//!                        crash of the host: survivors ──▶ store, the rest is lost
//! ```
//!
//! A disk under a ReadWrite host cache acknowledges a write as soon as the cache has it. Until it is flushed or written
//! back it is in the disk's `Overlay`, which reads look into first; a crash of the host keeps of it what the
//! [`Survivors`] say. Chapter: `docs/model/durability.md`.
//!
//! Invariant: no byte is in the overlay twice; its bytes are exactly what a crash without survivors loses.

mod logged;
mod overlay;
mod ranges;
mod survivors;
mod write_log;

pub(crate) use logged::{Logged, SharedLayout};
pub(crate) use overlay::{Content, Overlay, Piece};
pub(crate) use ranges::Ranges;
pub use survivors::Survivors;
pub(crate) use survivors::{Fate, mix};
pub(crate) use write_log::{Change, END, SharedLog};
pub use write_log::{LogError, WriteLog};
