//! The counters of one VM of an estate, as `diskwright-fleet export` writes them.

use std::io::Read;

use arrow_ipc::reader::StreamReader;
use arrow_schema::Schema;
use dw_error::{Error, Result};
use dw_fleet::rows::{FILE, Rows};
use dw_observe::Sink;

/// Whether an Arrow file says that it is one.
pub fn is_one(schema: &Schema) -> bool {
    schema.metadata.get(FILE[0]).is_some_and(|version| version == FILE[1])
}

/// Reads it into a sink.
pub fn read(name: &str, input: StreamReader<impl Read>, index: u32, sink: &mut dyn Sink) -> Result<()> {
    let schema = input.schema();
    let text = |key: &str| schema.metadata.get(key).map(String::as_str);
    let number = |key: &str| text(key).and_then(|value| value.parse::<i64>().ok());
    let mut rows = Rows::new(text("vm").unwrap_or_default(), number("vcpu"), number("memory_bytes"));
    for batch in input {
        let batch = batch.map_err(|e| Error::input(format!("this Arrow file cannot be read: {e}")).of_file(name))?;
        rows.take_all(&batch).map_err(|error| error.of_file(name))?;
    }
    rows.read(index, sink);
    Ok(())
}
