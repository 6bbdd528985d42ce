//! Texts as literals, with those of the one language that only one vendor's templates are written in.
//!
//! Source: "Data types in Bicep".

pub use dw_vendor::quote::*;

/// A string of Bicep without anything to fill in.
pub fn bicep(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'").replace("${", r"\${"))
}
