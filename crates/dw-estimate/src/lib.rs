//! What a stack gives under a load, without simulating it: rates, mean latencies with a band, the bottleneck, the use of every limit,
//! in microseconds to a few milliseconds.
//!
//! Lives here: loads as rates and queue depths, the network of paced limits that they meet, and the point at which it settles.
//! Never here: events, draws, clocks, files, prices.
//! Read next: `climb.rs` for the formula, then `settle.rs` for several loads at once.
//!
//! Chapter: `docs/model/estimate.md`. The simulator is the judge: tests hold the two against each other.

#![forbid(unsafe_code)]

mod climb;
mod depth;
mod estimate;
mod load;
mod network;
mod over_time;
mod parts;
mod service;
mod settle;
mod share;
mod touch;
mod wait;

pub use depth::queue_depths;
pub use estimate::{Band, DirectionEstimate, Estimate, LimitUse, LoadEstimate, estimate};
pub use load::{Flow, Hits, Kind, Load, Order};
pub use over_time::{Cold, CreditsLeft, Phase, Step, along, along_or_full, over_time};
pub use wait::Arrivals;
