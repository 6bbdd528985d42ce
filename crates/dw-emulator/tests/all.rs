//! All integration tests of this crate, as one program.

mod durability;
mod engine;
mod late;
mod nbd_protocol;
mod stores;
mod vhost_user;
