//! The NBD protocol without a socket: what a client says, and what it hears.

mod any_bytes;
mod dialogue;
mod handshake;
mod read_plan;
mod replies;
mod requests;
