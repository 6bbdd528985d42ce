//! Bodies of fuzz targets: any bytes in, a panic if an invariant breaks.
//!
//! Ordinary tests run them from seeds and from `tests/corpus/`; a fuzzer may call the same functions.

#[cfg(feature = "vhost-user")]
pub mod guest;
mod handshake;
pub mod peer;
mod requests;
#[cfg(feature = "vhost-user")]
mod rings;

pub use handshake::nbd_handshake;
pub use requests::nbd_requests;
#[cfg(feature = "vhost-user")]
pub use rings::vhost_user;
