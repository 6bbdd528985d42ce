//! The engine that handled one event at a time, as it was: the oracle for the one that is used.
//!
//! It has the stack's description, requests and tallies in common with the one that is used, and no mechanism: buckets, gates,
//! lanes, stripes, the host cache and the queue of events are its own, the last two in their slowest form. Nothing here is to be
//! made faster. At equal instants the request that was begun first comes first.

mod disk;
mod fair_gate;
mod host_cache;
mod limiter;
mod random;
mod route;
mod stack;
mod stripe;
mod token_bucket;

pub(crate) use stack::Stack;

/// "No event".
pub(crate) const NEVER: u64 = u64::MAX;
