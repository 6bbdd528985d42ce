//! No code: `Cargo.toml` asks for the features that any package of the workspace needs of what several use.
//!
//! Lives here: features.
//! Never here: code.
//! Read next: `Cargo.toml`.
