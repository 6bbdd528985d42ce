//! diskwright as calls on values: what disks will do, and what they cost, before anyone pays for them.
//!
//! A [`Session`] holds what the calls share: the catalogue of what can be bought, where named files come from, who watches, and the
//! time. Every step takes and returns values; the typed documents that the program prints come with them.
//!
//! ```text
//! recording ── observe ──▶ ObservationOutcome (checklist)
//!           ── requirements ──▶ Demand
//!           ── plan ──▶ PlanOutcome (document, rig, scripts)
//!           ── replay, or scenario + load ──▶ Simulation
//!           ── simulate ──▶ SimulationOutcome (document, summary)
//! ```
//!
//! [`Session::bench`] makes a benchmark of a rig: predicted in virtual time, and measured by a runner of its job files.
//! What was measured comes in as [`Session::results`]: [`Session::verify`] holds it against a demand, [`Session::calibrate`] fits the
//! latency of disks to it. [`Session::diff`] says what changes between two plans, or between what is there and a plan.
//!
//! `examples/chain.rs` goes the whole way, from the bytes of a recording to a page, without a file or a process.
//!
//! Quantities are types ([`dw_units`]): nothing here takes a bare number of bytes or seconds. What fails says so as
//! [`Error`]: its kind, the place in the text where there is one, what is wrong and what to write instead.
//!
//! Lives here: sessions, and what they return. Driving real time and real devices (`dw-emulator`, `dw-measure`) is the caller's: a
//! [`bench::Runner`] is given in.
//! Never here: arguments, the environment, files, standard output, clocks, process-wide state.
//! Read next: `session.rs`, then a module a verb: `observe.rs`, `plan.rs`, `simulate.rs`, `bench.rs`, `verify.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod audit;
pub mod bench;
mod bounds;
pub mod calibrate;
pub mod diff;
pub mod document;
pub mod estimate;
pub mod explain;
pub mod figures;
mod files;
mod judge;
pub mod keys;
pub mod latency;
pub mod load;
pub mod measured;
mod memory;
pub mod observe;
mod observer;
pub mod plan;
pub mod provision;
pub mod replay;
pub mod scenario;
mod session;
pub mod simulate;
pub mod text;
pub mod verify;

pub use bench::{Bench, BenchOptions};
pub use dw_catalogue::Catalogue;
pub use dw_error::{Error, Notice, Result};
pub use dw_report::{Piece, Report};
pub use files::{Files, Memory};
pub use judge::{Judgement, LimitCrossing};
pub use load::Texts;
pub use memory::Needs;
pub use observe::{ObservationOutcome, ObserveOptions, Recording};
pub use observer::Observer;
pub use plan::{Demand, PlanOptions, PlanOutcome};
pub use session::Session;
pub use simulate::stamp::Stamp;
pub use simulate::{LoadOptions, Simulation, SimulationOutcome};

/// What went wrong: its kind, its place, what to write instead.
pub use dw_error as error;
/// The sentences of documents as values: an id with typed arguments, in English and in other languages.
pub use dw_messages as messages;

pub use {
    dw_audit, dw_catalogue, dw_counters, dw_demand, dw_documents, dw_estate, dw_estimate, dw_formats, dw_observe,
    dw_planner, dw_provision, dw_report, dw_sim, dw_stack, dw_units, dw_workload,
};
