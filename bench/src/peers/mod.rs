//! What others do in the same time, on the same machine, in the same run.
//!
//! Their jobs are lighter than ours (no limits, no percentiles, no cache tiers), which favours them.

pub mod caches;
pub mod histogram;
pub mod kernels;
pub mod python;
