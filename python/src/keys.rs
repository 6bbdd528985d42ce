//! Keywords of Python as keys of `requirements.toml`.

use diskwright::keys::Keys;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;

/// Keys of `[plan]` and of each volume; `capacity` is short for that key of volumes.
pub fn from_keywords(
    py: Python<'_>,
    capacity: Option<&Bound<'_, PyAny>>,
    volumes: Option<&Bound<'_, PyAny>>,
    plan: Option<&Bound<'_, PyDict>>,
) -> PyResult<Keys> {
    let all = PyDict::new(py);
    if let Some(plan) = plan {
        all.set_item("plan", plan)?;
    }
    let of_volumes = PyDict::new(py);
    for (name, keys) in volumes.map(items).transpose()?.into_iter().flatten() {
        of_volumes.set_item(name, py.get_type::<PyDict>().call1((keys,))?)?;
    }
    for (name, size) in capacity.map(items).transpose()?.into_iter().flatten() {
        if !of_volumes.contains(&name)? {
            of_volumes.set_item(&name, PyDict::new(py))?;
        }
        let keys = of_volumes.get_item(&name)?.map(|keys| keys.cast_into::<PyDict>()).transpose()?;
        keys.map_or(Ok(()), |keys| keys.set_item("capacity", size))?;
    }
    all.set_item("volumes", of_volumes)?;
    let value = json(py, all.as_any())?;
    Keys::from_json(value).map_err(|error| error::raise(py, &error))
}

/// A value of Python as JSON has it.
pub fn json(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let options = PyDict::new(py);
    options.set_item("allow_nan", false)?;
    // Numbers of numpy say themselves as Python's by `item`.
    options.set_item("default", py.eval(c"lambda value: value.item()", None, None)?)?;
    let text: String = py.import("json")?.getattr("dumps")?.call((value,), Some(&options))?.extract()?;
    serde_json::from_str(&text).map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))
}

/// Pairs of anything that has `items`.
fn items<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    mapping.call_method0("items")?.try_iter()?.map(|pair| pair?.extract()).collect()
}
