//! What a plan must meet.

use diskwright::keys::Keys;
use diskwright::{Demand, ObservationOutcome};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::catalogue::Catalogue;
use crate::{keys, work};

/// What a plan must meet: the load, and what is wished for; the text of a `requirements.toml`.
#[pyclass(frozen, module = "diskwright")]
pub struct Requirements {
    demand: Demand,
    text: String,
}

#[pymethods]
impl Requirements {
    /// From the text of a `requirements.toml`; `name` is what messages call it.
    #[new]
    #[pyo3(signature = (text, *, name = "requirements.toml", catalogue = None))]
    fn new(py: Python<'_>, text: String, name: &str, catalogue: Option<&Catalogue>) -> PyResult<Requirements> {
        let demand = work::with_session(py, catalogue, None, |session| session.requirements(name, &text))?;
        Ok(Requirements { demand, text })
    }

    /// The text of a `requirements.toml` that says the same.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Names of volumes.
    #[getter]
    fn volumes(&self) -> Vec<&str> {
        self.demand.requirements.volumes.iter().map(|volume| volume.name.as_str()).collect()
    }

    /// With other values of keys: keywords are keys of `[plan]`, those of `volumes` keys of `[[volume]]`; `None` takes a key away.
    #[pyo3(signature = (*, capacity = None, volumes = None, catalogue = None, **plan))]
    fn replace(
        &self,
        py: Python<'_>,
        capacity: Option<&Bound<'_, PyAny>>,
        volumes: Option<&Bound<'_, PyAny>>,
        catalogue: Option<&Catalogue>,
        plan: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Requirements> {
        Requirements::laid_over(py, &self.text, &keys::from_keywords(py, capacity, volumes, plan)?, catalogue)
    }

    /// For copies, and for other processes: with the catalogue in use there.
    fn __getnewargs__(&self) -> (String,) {
        (self.text.clone(),)
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Requirements of {}>", self.volumes().join(", "))
    }
}

impl Requirements {
    /// Of a window of a recording, with keys.
    pub fn of_observed(
        py: Python<'_>,
        observed: &ObservationOutcome,
        window: &str,
        keys: &Keys,
        catalogue: Option<&Catalogue>,
    ) -> PyResult<Requirements> {
        let demand = work::with_session(py, catalogue, None, |session| session.demand_of(observed, window, keys))?;
        // In the order, and with the remarks, of a file that is written for people.
        let text = demand.text(&format!("What the plan must meet: {} of {}.", window, observed.names.join(", ")));
        Ok(Requirements { demand, text })
    }

    fn laid_over(py: Python<'_>, text: &str, keys: &Keys, catalogue: Option<&Catalogue>) -> PyResult<Requirements> {
        let (demand, text) = work::with_session(py, catalogue, None, |session| {
            let text = keys.laid_over(text)?;
            Ok((session.requirements("requirements.toml", &text)?, text))
        })?;
        Ok(Requirements { demand, text })
    }

    /// Of a demand that was made in the library.
    pub fn of_demand(demand: Demand) -> Requirements {
        let text = demand.text("What the plan must meet.");
        Requirements { demand, text }
    }

    /// As the library has it.
    pub fn demand(&self) -> &Demand {
        &self.demand
    }
}
