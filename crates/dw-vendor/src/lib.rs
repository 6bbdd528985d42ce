//! What a vendor of machines and disks brings, whoever it is.
//!
//! Lives here: gates and routes, kinds of disks, rates, prices, editions and sources of figures, the default latency models, names and
//! how they are looked up, what a plan builds and how scripts quote it.
//! Never here: what one vendor sells; behaviour.
//! Read next: `gate.rs`; then a folder of `crates/vendors/`.

#![forbid(unsafe_code)]

pub mod edition;
pub mod facts;
pub mod fetched;
pub mod free;
pub mod gate;
pub mod goods;
pub mod index;
pub mod kind;
pub mod latency;
pub mod lookup;
pub mod moves;
pub mod price;
pub mod printed;
pub mod provision;
pub mod quote;
pub mod rate;
pub mod rig;
pub mod services;
pub mod sharing;
pub mod source;
pub mod speed;
mod vendor;

pub use vendor::Vendor;
