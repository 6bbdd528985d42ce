//! Results as text: pure functions from a run to a string.
//!
//! Lives here: the table, fio's JSON, CSV, the limits' headroom, the sentences, the doubts.
//! Never here: arguments, files, terminals.
//! Read next: `summary.rs` (what a run comes to), then `text.rs` and `fio_json.rs` (how it is shown).

mod binding;
pub mod bins;
pub mod build;
pub mod csv;
mod doubts;
pub mod fio_json;
mod jobs;
pub mod json_tree;
mod limits;
pub mod stamp;

pub mod sweep;
pub mod text;
mod track;

use dw_formats::fio::FioJobs;
use dw_formats::scenario::{CacheStart, Scenario};
use dw_sim::RunResult;

pub use build::{mode_name, summary};
pub use dw_documents::{format, run as summary};
pub use stamp::Stamp;
pub use summary::Summary;

/// A run with all that its reports speak of.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What it ran on.
    pub scenario: &'a Scenario,
    /// What was asked, and what its reader wants known.
    pub jobs: &'a FioJobs,
    /// What happened.
    pub result: &'a RunResult,
    /// How the host cache began.
    pub start: CacheStart,
    /// Real seconds that it took.
    pub wall_s: f64,
}
