//! Tables of records: a row each, a column each of what a query asked for. A cell that begins with a brace or a bracket is JSON.

use std::io::Read;

use dw_estate::Shape;
use serde_json::{Map, Value};

use super::Sink;

pub fn read(from: impl Read, sink: &mut Sink) {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(from);
    let Ok(head) = reader.headers().cloned() else { return };
    // A table that has no id of anything is none of these.
    if !head.iter().any(|name| name.eq_ignore_ascii_case("id")) {
        return;
    }
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(e) => return sink.cut_short(e.to_string()),
        };
        let cells = head.iter().zip(row.iter()).filter(|(_, cell)| !cell.is_empty());
        let record: Map<String, Value> = cells.map(|(name, cell)| (name.to_string(), value(cell))).collect();
        sink.record(Shape::Resource, &Value::Object(record));
    }
}

fn value(cell: &str) -> Value {
    let is_json = cell.starts_with(['{', '[']);
    let parsed = is_json.then(|| serde_json::from_str(cell).ok()).flatten();
    match cell {
        "null" => Value::Null,
        _ => parsed.unwrap_or_else(|| Value::String(cell.into())),
    }
}
