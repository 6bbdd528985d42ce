//! The storage stack of one VM in real time, behind block devices.
//!
//! Lives here: the NBD protocol, where the bytes are, what a crash loses, the host's clock, the control channel.
//! Never here: how long a request takes (the stack says so), scenario files, printing.
//! Read next: `engine.rs` for how stack and bytes meet, then `pace.rs`.
#![forbid(unsafe_code)]

pub mod command;
pub mod inject;
pub mod status;
