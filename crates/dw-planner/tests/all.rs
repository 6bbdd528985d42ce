//! All integration tests of this crate, as one program.

mod cached;
mod keys;
mod licences;
mod oracle;
mod published;
mod purchases;
mod real;
mod volumes;
