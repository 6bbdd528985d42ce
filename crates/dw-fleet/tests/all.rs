//! All integration tests of this crate, as one program.

mod codes;
mod convert;
mod rows;
mod unknown;
