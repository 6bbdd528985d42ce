//! All integration tests of this crate, as one program.

mod bench;
mod chain;
mod coverage;
mod decisions;
mod pinned;
mod plans;
mod simulate;
mod written;
