//! What a rig is measured with, and what comes of it: suites as scenarios, the same jobs for the simulator and for fio, predictions,
//! the procedure on targets that a runner drives, and the lines that hold required, predicted and measured side by side.
//!
//! Lives here: suites, job texts, the procedure in virtual time and with a [`Runner`], rows, findings, doubts about figures.
//! Never here: starting fio, looking at devices, clocks.
//! Read next: `bench/prepared.rs` ([`Session::bench`](crate::Session::bench)), `bench/options.rs` (what is run),
//! `bench/procedure.rs` and `bench/run.rs` (in which order), `dw_documents::bench` (what comes of it).

pub use dw_documents::bench as document;

pub mod doubts;
pub(crate) mod job;
mod options;
pub mod predict;
mod prepared;
mod procedure;
pub(crate) mod rows;
mod run;
pub mod sides;
pub(crate) mod suite;

pub use options::{Access, BenchOptions, JobFile, Suite};
pub use prepared::{Bench, Rate};
pub use run::{Busy, End, Output, Part, PartOutcome, Runner};
