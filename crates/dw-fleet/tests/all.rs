//! All integration tests of this crate, as one program.

mod codes;
mod rows;
