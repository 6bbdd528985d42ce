//! An estate: counters of many VMs in columns in, a row with a plan for each VM out.
//!
//! ```text
//! record batches ── cut ──▶ rows of one VM ── observe ──▶ checklist ── inventory ──▶ demand ── plan ──▶ a row
//! ```
//!
//! What is said of a VM depends on its own rows alone: not on how batches cut them, on who else is in the stream, or on threads. A VM
//! that cannot be planned is a row with a code and a sentence.
//!
//! Lives here: the columns, where one VM ends and the next begins, what a row says. Memory is bounded by one VM.
//! Never here: files, formats of files, clocks, threads, a figure that the library does not give.
//! Read next: `kernel.rs`, then `assess.rs`; `audit.rs` has nothing to do with counters: records of inventories in, findings out.

#![forbid(unsafe_code)]

pub mod assess;
pub mod audit;
mod code;
mod columns;
pub mod convert;
pub mod inventory;
pub mod job;
pub mod kernel;
pub mod results;
pub mod rows;
pub mod summary;
pub mod synth;

pub use audit::AuditKernel;
pub use code::Code;
pub use inventory::Inventory;
pub use job::Job;
pub use kernel::Kernel;
pub use results::{Outcome, ResultRow, Status};
pub use synth::Estate;
