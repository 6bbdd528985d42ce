//! A VM with its disks, and why it gives what it gives.

use diskwright::dw_documents::explain::ExplainDocument;
use diskwright::dw_formats::scenario::Scenario;
use diskwright::explain::Evidence;
use pyo3::prelude::*;

use crate::catalogue::Catalogue;
use crate::requirements::Requirements;
use crate::table::{Table, flags, floats, texts};
use crate::{keys, result, work};

/// A VM, its disks, its volumes: the text of a `rig.toml`.
#[pyclass(frozen, module = "diskwright")]
pub struct Rig {
    text: String,
    scenario: Scenario,
}

#[pymethods]
impl Rig {
    /// From the text of a `rig.toml`; `name` is what messages call it, and latency models that it names are looked for beside it.
    #[new]
    #[pyo3(signature = (text, *, name = "rig.toml", catalogue = None))]
    fn new(py: Python<'_>, text: String, name: &str, catalogue: Option<&Catalogue>) -> PyResult<Rig> {
        let scenario = work::with_session(py, catalogue, None, |session| session.scenario(name, &text))?;
        Ok(Rig { text, scenario })
    }

    /// From an object in the keys of a `rig.toml`: `{"vm": {"size": ...}, "volume": [{"name": ..., "disks": ...}]}`.
    #[staticmethod]
    #[pyo3(signature = (object, *, catalogue = None))]
    fn from_dict(py: Python<'_>, object: &Bound<'_, PyAny>, catalogue: Option<&Catalogue>) -> PyResult<Rig> {
        let value = keys::json(py, object)?;
        let text = toml::to_string(&value)
            .map_err(|e| crate::error::usage(py, e.to_string(), "`None` has no word in TOML"))?;
        Rig::new(py, text, "rig", catalogue)
    }

    /// The text of its `rig.toml`.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The VM size, where it is one of the catalogue.
    #[getter]
    fn vm(&self) -> Option<&str> {
        self.scenario.vm.size.as_deref()
    }

    /// Names of volumes.
    #[getter]
    fn volumes(&self) -> Vec<&str> {
        self.scenario.volumes.iter().map(|volume| volume.name.as_str()).collect()
    }

    /// For copies, and for other processes: with the catalogue in use there.
    fn __getnewargs__(&self) -> (String,) {
        (self.text.clone(),)
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Rig {}: {}>", self.vm().unwrap_or("of limits of its own"), self.volumes().join(", "))
    }
}

impl Rig {
    /// Of a text and what it says.
    pub fn from_scenario(text: String, scenario: Scenario) -> Rig {
        Rig { text, scenario }
    }

    /// As the library has it.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }
}

/// Why a configuration gives what it gives, and the cheapest changes that help.
#[pyclass(frozen, module = "diskwright")]
pub struct Explanation(ExplainDocument);

/// Explains a rig under a demand.
#[pyfunction]
#[pyo3(signature = (rig, requirements, *, region, catalogue))]
pub fn explain(
    py: Python<'_>,
    rig: &Rig,
    requirements: &Requirements,
    region: Option<String>,
    catalogue: Option<&Catalogue>,
) -> PyResult<Explanation> {
    let evidence = Evidence { demand: Some(requirements.demand().clone()), region, ..Evidence::default() };
    work::with_session(py, catalogue, None, |session| session.explain(rig.scenario(), evidence)).map(Explanation)
}

#[pymethods]
impl Explanation {
    /// What it comes to, in a sentence.
    #[getter]
    fn finding(&self) -> &str {
        &self.0.finding.text
    }

    /// Names of the limits that throttle.
    #[getter]
    fn binding(&self) -> Vec<String> {
        self.0.binding.clone()
    }

    /// A row for each change that helps: what it is, and what a month of it costs more or less.
    fn table(&self) -> Table {
        let all = &self.0.changes;
        Table::new(vec![
            ("change", texts(all.iter().map(|row| Some(&row.change.text)))),
            ("enough", flags(all.iter().map(|row| Some(row.enough)))),
            ("carried_percent", floats(all.iter().map(|row| Some(row.carried_percent)))),
            ("monthly", floats(all.iter().map(|row| row.monthly))),
        ])
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Explanation {}>", self.finding())
    }
}

impl Explanation {
    /// Its document.
    pub fn document(&self) -> &ExplainDocument {
        &self.0
    }
}

result::methods!(Explanation, "of `diskwright explain --format json`", |it| Ok(it.0.clone()));
