//! Bodies of fuzz targets: any bytes in, a panic if an invariant breaks.
//!
//! Ordinary tests run them from seeds and from `tests/corpus/`; a fuzzer may call the same functions.

pub mod guest;
mod handshake;
pub mod peer;
mod requests;
mod rings;

pub use handshake::nbd_handshake;
pub use requests::nbd_requests;
pub use rings::vhost_user;
