//! All integration tests of this crate, as one program.

mod cached;
mod keys;
mod oracle;
mod published;
mod purchases;
