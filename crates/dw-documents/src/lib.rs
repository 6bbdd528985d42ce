//! What commands print and read back, as types: one shape for one thing, whoever shows it.
//!
//! Lives here: the identity of a limit, and its name.
//! Never here: figures being worked out, files, sentences.
//! Read next: `limit.rs`.

mod limit;

pub use limit::{Direction, LimitId, Names, Quantity, gate_name};
