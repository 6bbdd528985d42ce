//! What a rig is measured with, and what comes of it: suites as scenarios, the same jobs for the simulator and for fio, predictions,
//! and the lines that hold required, predicted and measured side by side.
//!
//! Lives here: suites, job texts, the procedure in virtual time, rows and findings.
//! Never here: running fio, looking at devices, clocks.
//! Read next: `bench/suite.rs` (what is run), `bench/procedure.rs` (in which order), `dw_documents::bench` (what comes of it).

pub use dw_documents::bench as document;

pub mod job;
pub mod predict;
pub mod procedure;
pub mod rows;
pub mod suite;
