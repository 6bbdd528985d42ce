//! diskwright as calls on values: observe, plan, simulate, explain, provision, report.
//!
//! Sessions come here. Until then these are the crates below under the names that a caller knows them by; a program that uses
//! diskwright depends on this crate alone. Driving real time and real devices (`dw-emulator`, `dw-measure`) needs Linux and is
//! asked for by name.
//!
//! Lives here: what a caller of the library needs, and nothing that needs a terminal.
//! Never here: arguments, the environment, standard output, clocks, process-wide state.
//! Read next: ARCHITECTURE.md, then `dw-observe/src/lib.rs`.

#![forbid(unsafe_code)]

pub use dw_catalogue as catalogue;
pub use dw_documents as documents;
pub use dw_formats as formats;
pub use dw_observe as observe;
pub use dw_planner as planner;
pub use dw_provision as provision;
pub use dw_report as report;
pub use dw_sim as sim;
pub use dw_stack as stack;
pub use dw_units as units;
pub use dw_workload as workload;
