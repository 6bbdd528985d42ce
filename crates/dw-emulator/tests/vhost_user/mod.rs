//! vhost-user-blk as guests see it.
//!
//! - `served`: a server of one VM, and who connects to it.
//! - `requests`: what a guest can ask.
//! - `reconnect`: servers that come and go under a guest.
//! - `malformed`: guests that ask what cannot be.
//! - `lost_memory`: guests whose memory is not there any more, or never was.
//! - `any_bytes`: the same at random.
//! - `libblkio`: somebody else's driver.

mod any_bytes;
mod libblkio;
mod lost_memory;
mod malformed;
mod reconnect;
mod requests;
mod served;
