//! Every sentence that a result holds, as a value: which message, with which figures and names; its words are in one catalogue
//! for each language, `messages/LANGUAGE.ftl`, in Fluent's format.
//!
//! ```
//! use dw_messages::say;
//! let sentence = say!(VerifyMet { requirements: 12_u64 });
//! assert_eq!(sentence.id, "verify-met");
//! assert_eq!(sentence.to_string(), "all 12 requirements are met");
//! ```
//!
//! A new sentence: one line in `catalogue.rs` and one in each file of `messages/`; tests hold that they agree. A new language: one
//! more file in `messages/`, and one in `messages/labels/` for headings and other fixed texts ([`Label`]); what it lacks is said in
//! English. A word that documents hold as it is (`read`, `typical`, `array`) is a text by which a message can select, in English or
//! elsewhere.
//!
//! Lives here: sentences, their arguments, labels, the words of both, how a language writes figures and lists.
//! Never here: how a figure is rounded, when a sentence is said, which language a person wants.
//! Read next: `sentence.rs`, `catalogue.rs`, `messages/en.ftl`, `label.rs`, `language.rs`.

mod argument;
mod catalogue;
mod label;
mod language;
mod limit;
mod pseudo;
mod sentence;
mod style;

pub use argument::{Arg, Argument, Count, Figure, Kind, Limits, List, Sentences, Word};
pub use catalogue::*;
pub use label::{Label, document_words};
pub use language::Language;
pub use limit::LimitName;
pub use pseudo::longer;
pub use sentence::{Declared, Sentence};

/// A sentence from a message of the catalogue and its arguments by name, each of the type that the message declares; without a
/// value `name` stands for `name: name`, as in any struct.
///
/// An argument that is missing, misspelt or of another type does not compile.
#[macro_export]
macro_rules! say {
    ($name:ident) => { $crate::Sentence::from($crate::$name {}) };
    ($name:ident { $($arg:ident $(: $value:expr)?),* $(,)? }) => {
        $crate::Sentence::from($crate::$name { $($arg: $crate::say!(@value $arg $(, $value)?)),* })
    };
    (@value $arg:ident) => { ::core::convert::Into::into($arg) };
    (@value $arg:ident, $value:expr) => { ::core::convert::Into::into($value) };
}
