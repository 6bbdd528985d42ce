//! What can be bought.

use diskwright::Session;
use diskwright_cli::in_use;
use pyo3::prelude::*;

use crate::error;

/// VM sizes, disks and prices: those that come with the program, with what was imported laid over them.
#[pyclass(frozen, module = "diskwright")]
pub struct Catalogue {
    session: Session,
    /// What was laid over the shipped one.
    layer: Option<String>,
}

#[pymethods]
impl Catalogue {
    /// The one that functions use when none is given: the shipped catalogue, under the layer that `diskwright catalogue import` wrote.
    #[new]
    fn new(py: Python<'_>) -> PyResult<Catalogue> {
        let session = Catalogue::in_use(py)?;
        // It was read, so it is there, or there is none.
        let layer = in_use::layer().and_then(|path| std::fs::read_to_string(path).ok());
        Ok(Catalogue { session, layer })
    }

    /// The shipped catalogue under a layer that `diskwright catalogue import` wrote to this file.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Catalogue> {
        let text = std::fs::read_to_string(&path).map_err(|e| {
            let unreadable = diskwright::text::unreadable(&path.display().to_string(), &e);
            error::raise(py, &unreadable)
        })?;
        Catalogue::layered(py, &path, text)
    }

    /// The shipped catalogue under a layer of this text, as `layer` has it.
    #[staticmethod]
    fn of_layer(py: Python<'_>, text: String) -> PyResult<Catalogue> {
        Catalogue::layered(py, std::path::Path::new("layer"), text)
    }

    /// The shipped catalogue alone.
    #[staticmethod]
    fn shipped() -> Catalogue {
        let session = in_use::session_of(diskwright::Catalogue::embedded().clone());
        Catalogue { session, layer: None }
    }

    /// Names of all VM sizes.
    fn sizes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.session.catalogue().vm_sizes().map(|vm| vm.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The text of what is laid over the shipped catalogue; none where nothing is.
    #[getter]
    fn layer(&self) -> Option<&str> {
        self.layer.as_deref()
    }

    /// What tells it from others: its data with its prices, and what is laid over them.
    #[getter]
    fn fingerprint(&self) -> String {
        dw_fleet::results::catalogue_fingerprint(self.layer.as_deref())
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Catalogue of {} VM sizes>", self.sizes().len())
    }
}

impl Catalogue {
    fn layered(py: Python<'_>, path: &std::path::Path, text: String) -> PyResult<Catalogue> {
        let layered = in_use::layered(path, &text).map_err(|error| error::raise(py, &error))?;
        Ok(Catalogue { session: in_use::session_of(layered), layer: Some(text) })
    }

    /// A session with the one in use, read once in a process.
    pub fn in_use(py: Python<'_>) -> PyResult<Session> {
        py.detach(in_use::read_layer).map_err(|error| error::raise(py, &error))?;
        Ok(in_use::session().clone())
    }

    /// A session with this one.
    pub fn session(&self) -> Session {
        self.session.clone()
    }
}
