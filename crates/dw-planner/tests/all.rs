//! All integration tests of this crate, as one program.

mod cached;
mod oracle;
mod published;
mod purchases;
