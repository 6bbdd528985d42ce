//! What commands print and read back, as types: one shape for one thing, whoever shows it.
//!
//! Lives here: every document of a command, a module each; the identity of a limit, and its name; crashes and faults of an emulation;
//! how a number is written for people.
//! Never here: figures being worked out, files, the words of sentences.
//! Read next: `document.rs` (any document), `limit.rs`.

pub mod audit;
pub mod bench;
pub mod calibrate;
pub mod checklist;
pub mod columns;
pub mod comparison;
pub mod decision;
pub mod diff;
mod disks;
mod document;
pub mod estate;
pub mod explain;
pub mod format;
pub mod incident;
mod limit;
mod line;
pub mod measure;
pub mod plan;
pub mod results;
pub mod run;
pub mod summary;
pub mod sweep;
pub mod tag;
pub mod verdict;
pub mod verify;

pub use disks::DiskSet;
pub use document::{Document, Kind, OneKind, Recognition, Run, SCHEMA_VERSION, ToolResult, Unread, read};
pub use dw_messages::Sentence;
pub use dw_units::Direction;
pub use limit::{GateName, LimitId, Names, Quantity};
pub use line::{LimitOf, Percentiles};
