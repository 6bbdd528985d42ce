//! vhost-user-blk: a virtio disk whose rings lie in the client's memory.
//!
//! ```text
//!  socket ─▶ message ─▶ device ─▶ rings, started and stopped
//!  guest memory ─▶ ring (heads) ─▶ chain (buffers) ─▶ block (what is asked)     done ─▶ ring (used)
//! ```
//!
//! The client (QEMU, libblkio) sends the descriptors of its memory over a Unix socket and says in which places of it the rings of
//! each queue are; from then on requests and answers go through that memory, and a pair of eventfds says when to look.
//!
//! Written from the vhost-user protocol text of QEMU and from Virtual I/O Device (VIRTIO) 1.2, split virtqueues and block device.
//!
//! Lives here: messages, rings, requests, memory of others. Never here: sockets and when to look (`serve/`), what a request does
//! (`engine.rs`).
//! Read next: `device.rs`.
//!
//! Invariant: nothing that a client says or writes into its memory reaches beyond that memory, or does more than end the
//! connection: every address is looked up in the client's regions, every number that lies in its memory is read once, and memory that
//! is not there is an error.

pub mod block;
pub mod chain;
pub mod device;
pub mod fault;
mod guarded;
pub mod inflight;
pub mod memory;
pub mod message;
pub mod ring;

pub use device::{Device, Outcome, Popped, QUEUES_MAX};
pub use fault::Fault;
