//! All integration tests of this crate, as one program.

mod data;
mod rates;
mod rules;
