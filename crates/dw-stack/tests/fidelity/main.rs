//! Does the stack obey queueing theory, cache theory and the published rules?
//!
//! Each check knows its answer from a formula, not from an earlier run of the stack. A1 to A34 are the names used in
//! `docs/model/fidelity.md`. Every check that concerns a single disk also runs against `twin.rs`, a slow and obvious
//! model, and against mutants of it: a check that no mutant fails proves nothing.

mod accounting;
mod cache;
mod changes;
mod first_touch;
mod harness;
mod invariants;
mod limits;
mod mutants;
mod queues;
mod shared;
mod twin;
