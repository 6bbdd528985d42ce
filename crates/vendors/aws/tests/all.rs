//! All integration tests of this crate, as one program.

mod data;
mod import;
mod provision;
mod rates;
mod rules;
