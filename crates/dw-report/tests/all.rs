//! All integration tests of this crate, as one program.

mod chromium;
mod report;
