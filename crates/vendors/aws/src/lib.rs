//! AWS: EC2 and EBS, with the source of every figure.
//!
//! Lives here: instance types with their EBS limits and instance stores, volume kinds with their bounds, credits and accounting, prices;
//! from these, gates and disks of the model.
//! Never here: looking things up over vendors, figures without a source, files read at run time.
//! Read next: `kinds.rs` and `volume.rs` for volumes, `gates.rs` for what an instance lets pass, `data/` for the data.

#![forbid(unsafe_code)]

pub mod changes;
mod describe;
mod ec2;
pub mod facts;
mod fetched;
pub mod first_touch;
pub mod gates;
mod goods;
pub mod import;
pub mod instances;
mod inventory;
pub mod kinds;
mod measured;
mod numbers;
mod orders;
mod packed;
mod passes;
pub mod plan_keys;
pub mod planned;
pub mod prices;
mod provision;
pub mod rigs;
pub mod sources;
pub mod store;
pub mod types;
pub mod volume;
mod zones;

pub use ec2::{Ec2, shipped};
pub use inventory::Inventory;
pub use orders::Commands;
pub use rigs::Aws;
