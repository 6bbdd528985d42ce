//! Pages from results.

use diskwright::dw_documents::Document;
use diskwright::{Error, Piece, Report as Pieces, dw_report};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::observe::Checklist;
use crate::plan::Plan;
use crate::requirements::Requirements;
use crate::rig::{Explanation, Rig};
use crate::run::Run;
use crate::{error, result};

/// One page of results.
#[pyclass(frozen, module = "diskwright")]
pub struct Report(Pieces);

/// Makes a page of results, in their order.
#[pyfunction]
pub fn report(py: Python<'_>, pieces: Vec<Bound<'_, PyAny>>, title: &str) -> PyResult<Report> {
    let made: PyResult<Vec<Piece>> = pieces.iter().map(|result| piece(py, result)).collect();
    Ok(Report(Pieces::new(title, made?)))
}

/// Makes a page of documents as the program prints them: names and texts.
#[pyfunction]
pub fn report_of(py: Python<'_>, documents: Vec<(String, String)>, title: &str) -> PyResult<Report> {
    let made: PyResult<Vec<Piece>> = documents
        .iter()
        .map(|(name, text)| {
            let read = Document::read(text).map_err(|e| Error::input(e.to_string()).of_file(name.as_str()));
            let made = read.and_then(|document| {
                Piece::new(name, document)
                    .ok_or_else(|| Error::input("it is no document of a report").of_file(name.as_str()))
            });
            made.map_err(|error| error::raise(py, &error))
        })
        .collect();
    Ok(Report(Pieces::new(title, made?)))
}

fn piece(py: Python<'_>, result: &Bound<'_, PyAny>) -> PyResult<Piece> {
    let made = if let Ok(checklist) = result.cast::<Checklist>() {
        checklist.get().observed().piece("checklist")
    } else if let Ok(plan) = result.cast::<Plan>() {
        plan.get().planned().piece("plan")
    } else if let Ok(run) = result.cast::<Run>() {
        run.get().simulated().piece("simulation", false)
    } else if let Ok(explanation) = result.cast::<Explanation>() {
        Piece::new("explanation", explanation.get().document().clone().into())
            .ok_or_else(|| Error::unexpected("the explanation is not a document of a report"))
    } else if let Ok(requirements) = result.cast::<Requirements>() {
        let text = requirements.get().demand().text("What the plan must meet.");
        Ok(Piece::text("requirements.toml", "requirements", text))
    } else if let Ok(rig) = result.cast::<Rig>() {
        Ok(Piece::text("rig.toml", "scenario", rig.getattr("text")?.extract::<String>()?))
    } else {
        let of = result.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a report is made of results of diskwright, not of a `{of}`")));
    };
    made.map_err(|error| error::raise(py, &error))
}

#[pymethods]
impl Report {
    /// The page: complete in one text.
    #[getter]
    fn html(&self) -> String {
        dw_report::html(&self.0)
    }

    #[getter]
    fn markdown(&self) -> String {
        dw_report::markdown(&self.0)
    }

    /// Writes the page; as Markdown where the name ends in `.md`.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        let is_markdown = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
        Ok(std::fs::write(&path, if is_markdown { self.markdown() } else { self.html() })?)
    }

    fn _repr_html_(&self) -> String {
        result::framed(&self.html())
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Report {:?} of {} pieces>", self.0.title, self.0.pieces.len())
    }
}
