//! Results as text: pure functions from a run to a string. What a run comes to is the library's ([`diskwright::simulate`]).
//!
//! Lives here: the table, CSV, the lines of a sweep.
//! Never here: arguments, files, terminals.
//! Read next: `text.rs` (how a run is shown), then `sweep.rs`.

pub mod csv;
pub mod sweep;
pub mod text;

pub use diskwright::simulate::track::{direction_name, interval_s};
pub use diskwright::simulate::{Run, Stamp, Summary, fio_json, format, jobs, json_tree, mode_name, summary};
