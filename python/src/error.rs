//! What fails, as an exception with its parts.

use std::any::Any;

use diskwright::error::Kind;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    diskwright,
    Error,
    PyException,
    "What went wrong: `kind`, `what`, `hint`, and where: `file`, `line`; `also` has further problems of the same input."
);

/// The word of a kind.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Usage => "usage",
        Kind::Input => "input",
        Kind::Infeasible => "infeasible",
        Kind::NotVerified => "not_verified",
        Kind::Price => "price",
        Kind::NoEmulation => "no_emulation",
        Kind::Refused => "refused",
        Kind::Tool => "tool",
        Kind::Bench => "bench",
        Kind::Protected => "protected",
        Kind::Lossy => "lossy",
        Kind::NotBetter => "not_better",
        Kind::Interrupted => "interrupted",
        Kind::Unexpected => "unexpected",
    }
}

/// The exception that says the same.
pub fn raise(py: Python<'_>, error: &diskwright::Error) -> PyErr {
    let raised = Error::new_err(error.to_string());
    match with_parts(py, raised.value(py).as_any(), error) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

fn with_parts(py: Python<'_>, value: &Bound<'_, PyAny>, error: &diskwright::Error) -> PyResult<()> {
    value.setattr("kind", word(error.kind))?;
    value.setattr("what", &error.what)?;
    value.setattr("hint", &error.hint)?;
    value.setattr("file", error.place.as_ref().map(|place| place.file.clone()))?;
    value.setattr("line", error.place.as_ref().and_then(|place| place.line))?;
    let also: Vec<Bound<'_, PyAny>> =
        error.also.iter().map(|one| raise(py, one).into_value(py).into_bound(py).into_any()).collect();
    value.setattr("also", also)
}

/// A fault in the library; the session goes on.
pub fn of_panic(panic: &(dyn Any + Send)) -> diskwright::Error {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    diskwright::Error::unexpected(text.unwrap_or("a fault without words"))
        .hint("this is a fault of diskwright; please report it with what you called")
}

/// A call that makes no sense.
pub fn usage(py: Python<'_>, what: impl Into<String>, hint: &str) -> PyErr {
    raise(py, &diskwright::Error::usage(what).hint(hint))
}
