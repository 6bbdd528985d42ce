//! All integration tests of this crate, as one program.

mod instructions;
mod studio;
