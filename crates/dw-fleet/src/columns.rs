//! Columns of a batch by their names and types.

use arrow_array::{Array, Int64Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray};
use diskwright::{Error, Result};

/// A column of a name, which must have this type.
pub fn column<'a, T: Array + 'static>(batch: &'a RecordBatch, name: &str, kind: &str) -> Result<&'a T> {
    let column = batch.column_by_name(name).ok_or_else(|| {
        let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        Error::input(format!("column `{name}` is missing; the table has {}", names.join(", ")))
    })?;
    let hint = || format!("make it a column of type {kind}");
    column.as_any().downcast_ref::<T>().ok_or_else(|| {
        Error::input(format!("column `{name}` is of type {}, expected {kind}", column.data_type())).hint(hint())
    })
}

pub fn texts<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a StringArray> {
    column(batch, name, "string")
}

pub fn numbers<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a Int64Array> {
    column(batch, name, "int64")
}

pub fn instants<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a TimestampMicrosecondArray> {
    column(batch, name, "timestamp[us, UTC]")
}

pub fn lists<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ListArray> {
    column(batch, name, "list<string>")
}

/// A column that may be absent.
pub fn optional<'a, T: Array + 'static>(batch: &'a RecordBatch, name: &str, kind: &str) -> Result<Option<&'a T>> {
    batch.column_by_name(name).is_some().then(|| column(batch, name, kind)).transpose()
}

/// The text of a row, where it has one.
pub fn text(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// The number of a row, where it has one.
pub fn number(column: &Int64Array, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}
