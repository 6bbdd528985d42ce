//! What all results have: their document, their table, how a notebook shows them.

use diskwright::dw_documents::Document;
use diskwright::{Piece, Report, dw_report};
use pyo3::prelude::*;

/// Pixels of a page in a notebook's cell; it scrolls.
const HEIGHT: u32 = 560;

/// The text of a document, as the program prints it.
pub fn json(document: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(document).map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))
}

/// A page in a frame of its own: its styles are not the notebook's, and its scripts see nothing of it.
pub fn framed(page: &str) -> String {
    let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe sandbox=\"allow-scripts\" style=\"width:100%;height:{HEIGHT}px;border:1px solid #8886\" srcdoc=\"{escaped}\"></iframe>"
    )
}

/// The page of one document, framed.
pub fn shown(title: &str, document: Document) -> String {
    let pieces = Piece::new(title, document).into_iter().collect();
    framed(&dw_report::html(&Report::new(title, pieces)))
}

/// Methods of a result with a document and a table.
macro_rules! methods {
    ($class:ident, $which:literal, |$it:ident| $document:expr) => {
        #[pyo3::pymethods]
        impl $class {
            #[doc = concat!("The document ", $which, ".")]
            fn to_json(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                let $it = self;
                let document: diskwright::Result<_> = $document;
                $crate::result::json(&document.map_err(|error| $crate::error::raise(py, &error))?)
            }

            /// The same as a dictionary.
            fn to_dict<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                use pyo3::prelude::*;
                py.import("json")?.call_method1("loads", (self.to_json(py)?,))
            }

            /// Its table as a `pyarrow.Table`.
            fn to_arrow<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::table::Table::to_arrow(&pyo3::Bound::new(py, self.table())?)
            }

            /// Its table as a `pandas.DataFrame`.
            fn to_pandas<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::table::Table::to_pandas(&pyo3::Bound::new(py, self.table())?)
            }

            #[pyo3(signature = (requested_schema = None))]
            fn __arrow_c_stream__<'py>(
                &self,
                py: pyo3::Python<'py>,
                requested_schema: Option<pyo3::Bound<'py, pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyCapsule>> {
                drop(requested_schema);
                self.table().stream(py)
            }

            fn _repr_html_(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                let $it = self;
                let document: diskwright::Result<_> = $document;
                let document = document.map_err(|error| $crate::error::raise(py, &error))?;
                Ok($crate::result::shown(stringify!($class), document.into()))
            }
        }
    };
}
pub(crate) use methods;
