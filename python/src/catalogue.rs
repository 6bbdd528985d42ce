//! What can be bought.

use diskwright::Session;
use diskwright_cli::in_use;
use pyo3::prelude::*;

use crate::error;

/// VM sizes, disks and prices: those that come with the program, with what was imported laid over them.
#[pyclass(frozen, module = "diskwright")]
pub struct Catalogue(Session);

#[pymethods]
impl Catalogue {
    /// The one that functions use when none is given: the shipped catalogue, under the layer that `diskwright catalogue import` wrote.
    #[new]
    fn new(py: Python<'_>) -> PyResult<Catalogue> {
        Catalogue::in_use(py).map(Catalogue)
    }

    /// The shipped catalogue under a layer that `diskwright catalogue import` wrote to this file.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Catalogue> {
        let text = std::fs::read_to_string(&path).map_err(|e| {
            let unreadable = diskwright::text::unreadable(&path.display().to_string(), &e);
            error::raise(py, &unreadable)
        })?;
        let layered = in_use::layered(&path, &text).map_err(|error| error::raise(py, &error))?;
        Ok(Catalogue(in_use::session_of(layered)))
    }

    /// The shipped catalogue alone.
    #[staticmethod]
    fn shipped() -> Catalogue {
        Catalogue(in_use::session_of(diskwright::Catalogue::embedded().clone()))
    }

    /// Names of all VM sizes.
    fn sizes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.catalogue().vm_sizes().map(|vm| vm.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Catalogue of {} VM sizes>", self.sizes().len())
    }
}

impl Catalogue {
    /// A session with the one in use, read once in a process.
    pub fn in_use(py: Python<'_>) -> PyResult<Session> {
        py.detach(in_use::read_layer).map_err(|error| error::raise(py, &error))?;
        Ok(in_use::session().clone())
    }

    /// A session with this one.
    pub fn session(&self) -> Session {
        self.0.clone()
    }
}
