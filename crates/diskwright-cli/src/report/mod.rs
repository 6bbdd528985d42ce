//! Results as text: pure functions from a run to a string. What a run comes to is the library's ([`diskwright::simulate`]).
//!
//! Lives here: the table, CSV, the lines of a sweep; how anything fits a terminal.
//! Never here: arguments, files, terminals.
//! Read next: `text.rs` (how a run is shown), `layout.rs` (how it fits), then `sweep.rs`.

pub mod csv;
pub mod layout;
pub mod sweep;
pub mod text;

pub use layout::{Table, Text};

pub use diskwright::simulate::track::{direction_name, interval_s, stage_name};
pub use diskwright::simulate::{Run, Stamp, Summary, fio_json, format, jobs, json_tree, summary};
