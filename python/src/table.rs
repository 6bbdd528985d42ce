//! Tables of results, as Arrow through capsules: whoever reads Arrow takes them without a copy.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A table: `pyarrow.table(it)`, `polars.DataFrame(it)` and `pandas` take it as it is.
#[pyclass(frozen, module = "diskwright")]
pub struct Table(RecordBatch);

#[pymethods]
impl Table {
    /// Columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// As a stream of one batch, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to answer with the schema that is there.
        drop(requested_schema);
        self.stream(py)
    }

    /// As a `pyarrow.Table`.
    pub fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// As a `pandas.DataFrame`.
    pub fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_arrow(slf)?.call_method0("to_pandas")
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Table {} rows: {}>", self.0.num_rows(), self.column_names().join(", "))
    }
}

impl Table {
    /// The capsule of a stream of one batch.
    pub fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// Of a batch.
    pub fn of_batch(batch: RecordBatch) -> Table {
        Table(batch)
    }

    /// From columns of one length, in their order.
    pub fn new(columns: Vec<(&str, ArrayRef)>) -> Table {
        let field = |(name, column): &(&str, ArrayRef)| Field::new(*name, column.data_type().clone(), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        Table(RecordBatch::try_new(Arc::new(schema), columns).expect("columns of one table have one length"))
    }
}

/// A column of texts.
pub fn texts<T: AsRef<str>>(values: impl IntoIterator<Item = Option<T>>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<StringArray>())
}

/// A column of figures.
pub fn floats(values: impl IntoIterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<Float64Array>())
}

/// A column of counts; one beyond what 64 bits with a sign hold is null.
pub fn counts(values: impl IntoIterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.into_iter().map(|value| value.and_then(|value| i64::try_from(value).ok())).collect::<Int64Array>())
}

/// A column of yes and no.
pub fn flags(values: impl IntoIterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<BooleanArray>())
}

/// A column of lists of texts.
pub fn lists<T: AsRef<str>>(values: impl IntoIterator<Item = Vec<T>>) -> ArrayRef {
    let mut column = ListBuilder::new(StringBuilder::new());
    for list in values {
        list.iter().for_each(|text| column.values().append_value(text));
        column.append(true);
    }
    Arc::new(column.finish())
}
