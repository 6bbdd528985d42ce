//! A stack driven in virtual time, and what happened.
//!
//! Lives here: the loop that jumps, virtual fio, statistics, sweeps over seeds.
//! Never here: real time, files, printing.
//! Read next: `result.rs`.

#![forbid(unsafe_code)]

pub mod result;

pub use result::*;

use dw_stack::StackSpec;
use dw_units::Duration;
use dw_workload::Workload;
use std::sync::atomic::AtomicBool;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Interval of the time series; absent = none.
    pub series: Option<Duration>,
    /// Seed of the workload's and the stack's draws.
    pub seed: u64,
    /// No leaping over steady state (nothing leaps yet).
    pub exact: bool,
    /// What the host cache holds before the run (volume, first byte, bytes), oldest first.
    pub warm: Vec<(u16, u64, u64)>,
    /// Stop here in virtual time, whatever the jobs say.
    pub until: Option<Duration>,
}

/// How far a run has come; read by whoever shows it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set to stop: the result is then partial.
    pub stop: AtomicBool,
    /// Virtual nanoseconds so far.
    pub virtual_ns: std::sync::atomic::AtomicU64,
    /// I/Os so far.
    pub ios: std::sync::atomic::AtomicU64,
    /// An estimate of the virtual end, ns; 0 = unknown.
    pub end_ns: std::sync::atomic::AtomicU64,
}

/// Runs `workload` on a stack of `spec`.
pub fn run(
    _spec: StackSpec,
    _workload: &Workload,
    _options: &RunOptions,
    _progress: &Progress,
) -> Result<RunResult, RunError> {
    todo!()
}

/// Why a run cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The stack's description is wrong.
    Stack(dw_stack::SpecError),
    /// A job does not fit the stack.
    Job {
        /// The job's name.
        job: String,
        /// What is wrong.
        what: String,
    },
}
