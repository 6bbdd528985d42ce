//! The cheapest offers that meet a demand, with the proof, and why the others do not.
//!
//! Lives here: the problem in plain integers, the exact search, its independent check, "why not", growth; why a
//! configuration gives what it gives.
//! Never here: files, clocks, simulating, printing.
//! Read next: `problem.rs` (what is decided), `search.rs` (how), `check.rs` (what is checked), `docs/model/planning.md`.

#![forbid(unsafe_code)]

mod answer;
mod as_is;
mod at_load;
mod build;
mod burst;
pub mod busiest;
pub mod check;
mod choice;
mod columns;
pub mod coverage;
pub mod demand;
mod descent;
pub mod explain;
mod fault;
pub mod free;
pub mod hit;
pub mod latency;
pub mod limit;
mod load;
pub mod market;
pub mod memory;
pub mod moves;
mod outline;
pub mod plan;
pub mod policy;
pub mod problem;
mod quick;
mod report;
mod search;
mod simpler;
mod slow;
mod split;
mod usage;
mod wait;
mod why;

pub use answer::{Answer, Certificate, Without, solve};
pub use as_is::{AsIs, as_is, full_at};
pub use at_load::{AtLoad, Benchmark, Medium, at_load, benchmarks};
pub use build::{BuildError, Built, ZONE_REDUNDANT_DISKS, again, allowing, breaks_in_year, build, missing_prices};
pub use busiest::busiest;
pub use check::{Burst, Checked, Use, check, uses};
pub use coverage::{Coverage, coverage};
pub use demand::{in_flight, model_ns, stripe_reason, working_set};
pub use fault::{Fault, Rule};
pub use latency::{disk_wait_ns, latency_ns, wait_ns};
pub use limit::Limit;
pub use market::{LeftOut, Market, PriceOrigin, Reason, generation};
pub use plan::{Disks, Plan, VolumePlan};
pub use problem::Problem;
pub use report::{Carried, least_headroom, report};
pub use search::{Known, Planner};
pub use simpler::{Curve, by_disks, simpler};
pub use slow::{failing, with_slow_stamps};
pub use usage::{Once, once, operations};
pub use why::{Conflict, Miss, WhyNot, cheaper_but_for, use_of, why_infeasible, why_not};
