//! All integration tests of this crate, as one program.

mod e2e;
mod emulate;
mod guide;
mod published;
