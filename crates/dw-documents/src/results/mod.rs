//! What benchmarks measured, as one record whichever tool it was; and the one reader of fio's JSON, printed by fio, kept in our
//! documents, or written in its shape.
//!
//! Read next: `model.rs` (the record), `sums.rs` (what comparisons ask of it), `fio/mod.rs`.
//!
//! Never here: other formats of results, on which volume an entry was measured (`dw_formats::results`).

pub mod fio;
mod model;
mod sums;

pub use model::*;

/// What a reader finds wrong in a text; which file it is, the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// Short for an `Err` of a reader.
pub fn wrong<T>(line: u64, what: impl Into<String>, hint: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { line: line.max(1), what: what.into(), hint: hint.into() })
}

/// A value of a file as it is shown: short, on one line.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut short: String = text.trim().chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}
