//! Azure: what it sells, with the source of every figure.
//!
//! Lives here: VM sizes and disks of all editions, their prices, regions and zones; the gates, routes, kinds of disks and keys that are
//! Azure's own; what its monitor calls things.
//! Never here: looking things up over editions, prices without a source, files read at run time.
//! Read next: `routes.rs` for gates and routes, `derive.rs` for what no page prints, `data/` for the data.

#![forbid(unsafe_code)]

mod accelerator;
pub mod asked;
mod azure;
pub mod bill;
pub mod derive;
pub mod disk;
pub mod disk_spec;
pub mod field;
pub mod file;
pub mod gates;
pub mod host_cache;
mod inventory;
mod kinds;
pub mod load;
pub mod metrics;
mod of_others;
mod orders;
pub mod packed;
pub mod plan_keys;
pub mod region_prices;
mod regions;
pub mod routes;
pub mod rows;
mod rules;
pub mod sold;
pub mod vm;

pub use azure::Azure;
