//! JSON in pieces: the elements of some arrays one at a time, so that a file of any length needs the memory of one.
//!
//! The scanner knows strings, brackets and line numbers, and leaves the rest to `serde_json`. Missing or doubled commas
//! between elements (old sysstat) do not matter to it. An element that the end of the file cuts off is closed behind its last
//! complete value, and said to be cut.

use std::io::{self, BufRead};

use serde_json::Value;

use super::CounterError;
use super::error::shown;
use super::input::{Lines, unreadable};
use super::out::Out;

const LONGEST_ITEM: usize = 256 << 20;

/// A piece of a document.
pub(super) enum Piece {
    /// A string or number outside the arrays, with its key and the number of the object that it is in.
    Scalar { key: String, text: String, object: u64 },
    /// An element of one of the arrays, with the numbers of the objects that the array is in, the outermost first.
    Item { array: String, line: u64, value: Value, cut: bool, within: Vec<u64> },
    /// An element that is not valid JSON.
    Bad { line: u64, what: String },
}

struct Level {
    key: String,
    object: bool,
    /// Its number in the file.
    number: u64,
}

/// Calls `take` with the value of every line and the number of that; returns the last one. A line that is no JSON
/// is damaged, an empty one is none.
pub(super) fn by_line<'o>(
    input: &mut dyn BufRead,
    out: &mut Out<'o>,
    mut take: impl FnMut(&Value, u64, &mut Out<'o>) -> Result<(), CounterError>,
) -> Result<u64, CounterError> {
    let mut lines = Lines::new(input, out.options.name, None);
    while lines.advance()? {
        if lines.bytes().trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Value>(lines.bytes()) {
            Ok(value) => take(&value, lines.number(), out)?,
            Err(_) => out.damaged(&lines, format_args!("`{}` is not JSON", shown(lines.bytes())))?,
        }
    }
    Ok(lines.number())
}

/// Calls `take` with every piece; returns the last line.
pub(super) fn pieces(
    input: &mut dyn BufRead,
    file: &str,
    arrays: &[&str],
    take: &mut dyn FnMut(Piece) -> Result<(), CounterError>,
) -> Result<u64, CounterError> {
    let mut scan = Scan {
        levels: Vec::new(),
        opened: 0,
        key: String::new(),
        text: Vec::new(),
        in_string: false,
        escaped: false,
        expect_key: false,
        line: 1,
        item: None,
    };
    loop {
        let buffer = match input.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            other => other.map_err(|e| unreadable(file, scan.line, &e))?,
        };
        if buffer.is_empty() {
            break;
        }
        let length = buffer.len();
        for &byte in buffer {
            if byte == b'\n' {
                scan.line += 1;
            }
            if let Some(piece) = scan.byte(byte, arrays) {
                take(piece)?;
            }
        }
        input.consume(length);
        let waiting = scan.item.as_ref().map_or(scan.text.len(), |item| item.bytes.len());
        if waiting > LONGEST_ITEM || scan.levels.len() > 128 {
            let what = format!("one value is longer than {} MiB or deeper than 128", LONGEST_ITEM >> 20);
            return Err(CounterError {
                file: file.into(),
                line: scan.line,
                what,
                hint: "this is not a known recording".into(),
            });
        }
    }
    if let Some(item) = scan.item.take() {
        let value = match closed(&item.bytes).map(|bytes| serde_json::from_slice(&bytes)) {
            Some(Ok(value)) => value,
            Some(Err(e)) => {
                let what = format!("the complete part of the last report is not valid JSON: {e}");
                take(Piece::Bad { line: item.line, what })?;
                Value::Null
            }
            None => Value::Null,
        };
        take(Piece::Item { array: item.array, line: item.line, value, cut: true, within: item.within })?;
    }
    Ok(scan.line)
}

struct Item {
    array: String,
    line: u64,
    bytes: Vec<u8>,
    depth: usize,
    within: Vec<u64>,
}

struct Scan {
    levels: Vec<Level>,
    /// How many there were.
    opened: u64,
    key: String,
    text: Vec<u8>,
    in_string: bool,
    escaped: bool,
    expect_key: bool,
    line: u64,
    item: Option<Item>,
}

impl Scan {
    fn byte(&mut self, byte: u8, arrays: &[&str]) -> Option<Piece> {
        if let Some(item) = &mut self.item {
            item.bytes.push(byte);
            if self.in_string {
                self.in_string = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                return None;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => item.depth += 1,
                b'}' | b']' => item.depth -= 1,
                _ => {}
            }
            if item.depth > 0 {
                return None;
            }
            let item = self.item.take()?;
            return Some(match serde_json::from_slice(&item.bytes) {
                Ok(value) => Piece::Item { array: item.array, line: item.line, value, cut: false, within: item.within },
                Err(e) => {
                    let start = shown(&item.bytes[..item.bytes.len().min(60)]);
                    Piece::Bad {
                        line: item.line + e.line() as u64 - 1,
                        what: format!("`{start}` is not valid JSON: {e}"),
                    }
                }
            });
        }
        if self.in_string {
            if !self.escaped && byte == b'"' {
                self.in_string = false;
                if self.expect_key {
                    self.key = String::from_utf8_lossy(&self.text).into_owned();
                    self.text.clear();
                    self.expect_key = false;
                }
            } else {
                self.text.push(byte);
            }
            self.escaped = !self.escaped && byte == b'\\';
            return None;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.text.clear();
                None
            }
            b'{' | b'[' => {
                let inside = self.levels.last().is_some_and(|l| !l.object && arrays.contains(&l.key.as_str()));
                if byte == b'{' && inside {
                    let array = self.levels.last().map(|l| l.key.clone()).unwrap_or_default();
                    let within = self.levels.iter().filter(|level| level.object).map(|level| level.number).collect();
                    self.item = Some(Item { array, line: self.line, bytes: vec![byte], depth: 1, within });
                    return None;
                }
                let object = byte == b'{';
                self.opened += 1;
                self.levels.push(Level { key: std::mem::take(&mut self.key), object, number: self.opened });
                self.expect_key = object;
                self.text.clear();
                None
            }
            b'}' | b']' | b',' => {
                let piece = self.scalar();
                if byte != b',' {
                    self.levels.pop();
                }
                self.expect_key = self.levels.last().is_some_and(|l| l.object);
                piece
            }
            b':' | b' ' | b'\t' | b'\r' | b'\n' => None,
            other => {
                self.text.push(other);
                None
            }
        }
    }

    fn scalar(&mut self) -> Option<Piece> {
        let text = std::mem::take(&mut self.text);
        let key = std::mem::take(&mut self.key);
        let scalar = !text.is_empty() && !key.is_empty();
        let object = self.levels.last().map_or(0, |level| level.number);
        scalar.then(|| Piece::Scalar { key, text: String::from_utf8_lossy(&text).into_owned(), object })
    }
}

/// The bytes up to the last bracket that closes something, with what is open closed; `None` when nothing is complete.
fn closed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    let mut safe: Option<(usize, Vec<u8>)> = None;
    for (index, &byte) in bytes.iter().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
                safe = Some((index + 1, open.clone()));
            }
            _ => {}
        }
    }
    let (end, open) = safe?;
    Some(bytes[..end].iter().copied().chain(open.into_iter().rev()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        let take = &mut |piece| {
            found.push(match piece {
                Piece::Scalar { key, text, .. } => format!("{key}={text}"),
                Piece::Item { array, line, value, cut, .. } => {
                    format!("{array}@{line}{}{value}", if cut { " cut " } else { " " })
                }
                Piece::Bad { line, what } => format!("bad@{line} {what}"),
            });
            Ok(())
        };
        pieces(&mut text.as_bytes(), "x", &["a"], take).expect("memory does not fail");
        assert_eq!(found.join("; "), expected, "{text}");
    }

    #[test]
    fn elements_come_one_at_a_time() {
        check(
            "{\"h\": \"x,}\\\"\", \"n\": 2,\n\"a\": [{\"b\":1},\n{\"c\":\"}]\"}]}",
            "h=x,}\\\"; n=2; a@2 {\"b\":1}; a@3 {\"c\":\"}]\"}",
        );
        check("{\"a\": [{\"b\":1} {\"b\":2},,{\"b\":3}]}", "a@1 {\"b\":1}; a@1 {\"b\":2}; a@1 {\"b\":3}");
        check("{\"a\": [{\"d\":[{\"x\":1},{\"x\":2", "a@1 cut {\"d\":[{\"x\":1}]}");
        check("{\"a\": [{\"d", "a@1 cut null");
        check("{\"a\": [{nope}]}", "bad@1 `{nope}` is not valid JSON: key must be a string at line 1 column 2");
        check("", "");
    }
}
