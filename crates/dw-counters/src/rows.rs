//! Rows of CSV, each with the line that it begins in.

use std::io::BufRead;

use super::CounterError;
use super::out::Out;

/// The rows of a file, one at a time.
pub(super) struct Rows<'a> {
    csv: csv::Reader<&'a mut dyn BufRead>,
    record: csv::ByteRecord,
    crlf: bool,
    line: u64,
}

impl<'a> Rows<'a> {
    /// `head` is what the file begins with.
    pub fn new(input: &'a mut dyn BufRead, head: &[u8], delimiter: u8) -> Rows<'a> {
        let csv = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(input);
        let crlf = memchr::memmem::find(head, b"\r\n").is_some();
        Rows { csv, record: csv::ByteRecord::new(), crlf, line: 1 }
    }

    /// Goes to the next row; `false` at the end.
    pub fn advance(&mut self, out: &Out<'_>) -> Result<bool, CounterError> {
        let more = self.csv.read_byte_record(&mut self.record).map_err(|e| {
            let line = e.position().map_or(1, csv::Position::line);
            out.error(line, format!("cannot be read: {e}"), "copy the file again")
        })?;
        if let Some(begin) = self.record.position().filter(|_| more) {
            // The csv crate takes a row to begin where the one before it ended: at the `\n` of its `\r\n`, and before empty lines.
            let after_crlf = u64::from(self.crlf && begin.byte() > 0);
            let own = 1 + memchr::memchr_iter(b'\n', self.record.as_slice()).count() as u64;
            let passed = self.csv.position().line() - begin.line();
            self.line = begin.line() + after_crlf + passed.saturating_sub(own);
        }
        Ok(more)
    }

    /// Its line, or that of the last row at the end.
    pub fn line(&self) -> u64 {
        self.line
    }
    pub fn record(&self) -> &csv::ByteRecord {
        &self.record
    }
    /// Its cells as text.
    pub fn cells(&self) -> Vec<String> {
        self.record.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).collect()
    }
}
