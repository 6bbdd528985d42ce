//! The storage stack of one VM in real time, behind block devices.
//!
//! Lives here: NBD and vhost-user-blk, where the bytes are, what a crash loses, the host's clock, the control channel.
//! Never here: how long a request takes (the stack says so), scenario files, printing.
//! Read next: `engine.rs` for how stack and bytes meet, then `pace.rs`.
#![cfg(target_os = "linux")]
#![deny(unsafe_code)]

pub mod command;
pub mod control;
pub mod fuzzing;
pub mod inject;
pub mod lateness;
pub mod metrics;
pub mod nbd;
pub mod pace;
pub mod serve;
pub mod status;
pub mod timeline;
mod unix_socket;
pub mod vhost_user;

pub mod durability;
pub mod engine;
pub mod store;

pub use engine::{
    Changed, Done, Engine, EngineError, EngineOptions, Export, ExportId, IoError, IoOp, IoRequest, VolumeOptions,
};
pub use store::{Extent, FileOptions, FileStore, Gone, Member, MemoryRoom, MemoryStore, NullStore, Store, StoreError};
pub use unix_socket::SocketError;
