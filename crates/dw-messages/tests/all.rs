//! All integration tests of this crate, as one program.

mod catalogue;
mod languages;
