//! Inventories: one door for whatever lists machines and disks.
//!
//! A file is JSON, a table, or a template in YAML. JSON is a list of records, a page of one (`value`, `data`, `items`), a plan or a state of an
//! infrastructure, a compiled template, or one record; several may follow each other. What stands around records is read here and is nobody's; a
//! record itself is given to who understands it ([`dw_catalogue::inventories`]).
//!
//! Records are read one at a time, so that a file may be larger than memory. A file that ends too early gives what came before, and says so.
//!
//! Ignores: YAML of anything else, locals of plans, which no plan has.

use std::io::{BufRead, Read as _};

use dw_error::{Error, Result};
use dw_estate::{Doubt, Gathered, Records, Shape};
use serde_json::Value;

mod lean;
mod pieces;
mod stack;
mod table;
mod template;
mod tree;
mod yaml;

/// Reads a file; `name` is what messages call it.
///
/// # Errors
/// Of kind `Input` where it cannot be read at all; whatever is wrong within it is a [`Doubt`].
pub fn read(name: &str, from: &mut dyn BufRead, into: &mut Gathered) -> Result<()> {
    into.source(name);
    let before = into.taken();
    let mut sink = Sink { vendors: dw_catalogue::inventories(), into };
    let failed = |e: std::io::Error| Error::input(e.to_string()).of_file(name);
    let begin = from.fill_buf().map_err(failed)?;
    // Some shells write what they redirect in UTF-16.
    let wide = match begin {
        [0xFF, 0xFE, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xFE, 0xFF, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    match wide {
        Some(unit) => {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).map_err(failed)?;
            let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
            content(name, &mut String::from_utf16_lossy(&units).as_bytes(), &mut sink)?;
        }
        None => {
            if begin.starts_with(b"\xEF\xBB\xBF") {
                from.consume(3);
            }
            content(name, from, &mut sink)?;
        }
    }
    let is_told = |doubt: &Doubt| matches!(doubt, Doubt::CutShort { file, .. } if file == name);
    if into.taken() == before && !into.doubts().iter().any(is_told) {
        let printed_by = into.printed_by();
        into.doubt(Doubt::Nothing { file: name.into(), printed_by });
    }
    Ok(())
}

fn content(name: &str, from: &mut dyn BufRead, sink: &mut Sink) -> Result<()> {
    let failed = |e: std::io::Error| Error::input(e.to_string()).of_file(name);
    if yaml::is_template(from.fill_buf().map_err(failed)?) {
        return in_yaml(name, from, sink);
    }
    loop {
        let begin = from.fill_buf().map_err(failed)?;
        let Some(&first) = begin.first() else { return Ok(()) };
        if !first.is_ascii_whitespace() {
            match first {
                // A slash begins a comment.
                b'{' | b'[' | b'/' => tree::read(from, sink),
                _ => table::read(from, sink),
            }
            return Ok(());
        }
        from.consume(1);
    }
}

/// A template in YAML: all of it at once, as large as templates may be.
fn in_yaml(name: &str, from: &mut dyn BufRead, sink: &mut Sink) -> Result<()> {
    let mut bytes = Vec::new();
    from.take(YAML_MOST + 1).read_to_end(&mut bytes).map_err(|e| Error::input(e.to_string()).of_file(name))?;
    if bytes.len() as u64 > YAML_MOST {
        let what = format!("a template in YAML of more than {} MiB", YAML_MOST >> 20);
        return Err(Error::input(what).hint("a template may have 1 MB: is this one?").of_file(name));
    }
    yaml::read(name, &String::from_utf8_lossy(&bytes))?.into_iter().for_each(|document| of_yaml(document, sink));
    Ok(())
}

fn of_yaml(document: Value, sink: &mut Sink) {
    match document {
        Value::Object(template) if stack::is_stack(&template) => stack::read(&template, sink),
        _ => {
            let what = "a document in YAML that is no template: it has no `Resources` with a `Type`".to_string();
            sink.into.doubt(Doubt::Record { file: sink.into.file().into(), what });
        }
    }
}

/// A template may have 1 MB; one that a tool wrote, with all that it brings along, perhaps more.
const YAML_MOST: u64 = 16 << 20;

/// Where records go.
struct Sink<'a> {
    vendors: [&'static dyn Records; 2],
    into: &'a mut Gathered,
}

impl Sink<'_> {
    fn record(&mut self, shape: Shape, record: &Value) {
        // Queries leave lists within lists.
        if let Value::Array(list) = record {
            return self.list(shape, list);
        }
        if !record.is_object() {
            let what = "a record that is no object".to_string();
            return self.into.doubt(Doubt::Record { file: self.into.file().into(), what });
        }
        let _ = self.vendors.iter().any(|vendor| {
            self.into.of_vendor(vendor.vendor());
            vendor.take(shape, record, self.into)
        });
    }
    fn list(&mut self, shape: Shape, list: &[Value]) {
        if list.iter().any(|one| one.is_array() || one.is_object()) || list.is_empty() {
            return list.iter().for_each(|one| self.record(shape, one));
        }
        // A row of values without their names: it is said of the first.
        let what = "a list of values without the names of their fields (a query made it: leave out its last `.[...]`)"
            .to_string();
        let doubt = Doubt::Record { file: self.into.file().into(), what };
        if !self.into.doubts().contains(&doubt) {
            self.into.doubt(doubt);
        }
    }
    /// A record that is no JSON.
    fn damaged(&mut self, why: &str) {
        let what = format!("a record that is not valid JSON ({why})");
        self.into.doubt(Doubt::Record { file: self.into.file().into(), what });
    }
    /// The file ends, or stops being what it was.
    fn cut_short(&mut self, why: String) {
        let (file, records) = (self.into.file().to_string(), self.into.taken_of_file());
        self.into.doubt(Doubt::CutShort { file, records, why });
    }
    fn more_pages(&mut self, key: &str) {
        let file = self.into.file().to_string();
        self.into.doubt(Doubt::MorePages { file, key: key.into() });
    }
}

#[cfg(test)]
mod tests;
