//! The library as a Python module: results are objects with their documents and their tables.
//!
//! ```text
//! recording ── observe ──▶ Checklist ── requirements ──▶ Requirements ── plan ──▶ Plan ── rig ──▶ Rig ── simulate ──▶ Run
//! ```
//!
//! Lives here: what Python's values mean to a [`diskwright::Session`], and its results as Python's. Documents go as JSON, tables as
//! Arrow through capsules, without a copy.
//! Never here: a figure that the library does not give, words of results.
//! Read next: `work.rs` (threads, Ctrl-C, progress, panics), `observe.rs`, then a file a result.

#![forbid(unsafe_code)]

mod catalogue;
mod error;
mod fleet;
mod keys;
mod observe;
mod plan;
mod report;
mod requirements;
mod result;
mod rig;
mod run;
mod table;
mod work;

use pyo3::prelude::*;

/// The module `diskwright._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::catalogue::Catalogue;
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::fleet::{FleetAudit, FleetKernel, FleetSummary, FleetSynth, fleet_machines, fleet_records, fleet_rows};
    #[pymodule_export]
    use crate::observe::{Checklist, observe};
    #[pymodule_export]
    use crate::plan::{Plan, plan};
    #[pymodule_export]
    use crate::report::{Report, report, report_of};
    #[pymodule_export]
    use crate::requirements::Requirements;
    #[pymodule_export]
    use crate::rig::{Explanation, Rig, explain};
    #[pymodule_export]
    use crate::run::{Run, simulate};
    #[pymodule_export]
    use crate::table::Table;
    use pyo3::prelude::*;

    /// Runs the program with its arguments; its exit code.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<String>) -> u8 {
        py.detach(|| {
            diskwright_cli::terminal::look();
            diskwright_cli::run(arguments, &mut std::io::stdout()).code()
        })
    }

    /// The text of a file, in whatever encoding the program reads.
    #[pyfunction]
    fn read_text(py: Python<'_>, path: &str) -> PyResult<String> {
        let read = py.detach(|| {
            let bytes = std::fs::read(path).map_err(|e| diskwright::text::unreadable(path, &e))?;
            diskwright::text::decode(path, bytes)
        });
        read.map_err(|error| crate::error::raise(py, &error))
    }

    /// A fault on purpose: that one in the library is an exception, and no more, is tested by it.
    #[pyfunction]
    fn _panic(py: Python<'_>, what: String) -> PyResult<()> {
        crate::work::with_session(py, None, None, |_| panic!("{what}"))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
