//! Bytes into lines of UTF-8: encodings, line ends, line numbers, a longest line.
//!
//! UTF-8 passes through; UTF-16 is known by its mark, or by every second byte of its beginning being zero; other code pages
//! are chosen by whoever knows which words to expect ([`Decoded`]). Colours and other escapes of terminals are taken away,
//! and what a pipe put before every line ([`Prefix`]). Memory is one line and one buffer, whatever the file.

use std::io::{self, BufRead, Read};

use dw_observe::Stamp;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::CounterError;
use super::error::shown;
use super::out::Out;
use super::pages::{Page, Pages};
use super::prefix::Prefix;
use super::stamp::Stamps;

/// No text that is read here has longer lines: a PerfMon row of all counters of a large server is under 4 MiB.
const LONGEST_LINE: usize = 64 << 20;

/// So much is read to recognise a format.
pub(super) const HEAD: usize = 64 << 10;

/// The encoding that the beginning of a file shows; UTF-8 where it shows none.
pub(crate) fn encoding_of(head: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return encoding;
    }
    let zeros = |odd: usize| head.iter().take(256).skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let half = head.len().min(256) / 2;
    if half >= 4 && zeros(1) * 10 > half * 7 && zeros(0) == 0 {
        UTF_16LE
    } else if half >= 4 && zeros(0) * 10 > half * 7 && zeros(1) == 0 {
        UTF_16BE
    } else {
        UTF_8
    }
}

/// A reader of any encoding as a reader of UTF-8; marks at the beginning are taken away.
pub(crate) struct Decoded<R> {
    input: R,
    decoder: Pages,
    raw: Vec<u8>,
    raw_at: usize,
    text: Vec<u8>,
    text_at: usize,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    pub fn new(input: R, encoding: impl Into<Page>) -> Decoded<R> {
        let decoder = encoding.into().decoder();
        Decoded { input, decoder, raw: Vec::new(), raw_at: 0, text: Vec::new(), text_at: 0, ended: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        while self.text_at == self.text.len() && !self.ended {
            if self.raw_at == self.raw.len() {
                self.raw.resize(32 << 10, 0);
                let length = loop {
                    match self.input.read(&mut self.raw) {
                        Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                        other => break other?,
                    }
                };
                self.raw.truncate(length);
                self.raw_at = 0;
            }
            let last = self.raw.is_empty();
            self.text.resize(128 << 10, 0);
            let (empty, read, written) = self.decoder.decode(&self.raw[self.raw_at..], &mut self.text, last);
            self.text.truncate(written);
            self.text_at = 0;
            self.raw_at += read;
            self.ended = last && empty;
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.refill()?;
        let length = (&self.text[self.text_at..]).read(buffer)?;
        self.text_at += length;
        Ok(length)
    }
}

impl<R: Read> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        Ok(&self.text[self.text_at..])
    }
    fn consume(&mut self, amount: usize) {
        self.text_at += amount;
    }
}

/// The lines of a text, one at a time.
pub(super) struct Lines<'a> {
    input: &'a mut dyn BufRead,
    file: &'a str,
    line: Vec<u8>,
    /// Where the line begins, behind what a pipe put before it.
    start: usize,
    prefix: Option<Prefix>,
    number: u64,
    closed: bool,
}

impl<'a> Lines<'a> {
    pub fn new(input: &'a mut dyn BufRead, file: &'a str, prefix: Option<Prefix>) -> Lines<'a> {
        Lines { input, file, line: Vec::new(), start: 0, prefix, number: 0, closed: true }
    }

    /// Goes to the next line; `false` at the end.
    pub fn advance(&mut self) -> Result<bool, CounterError> {
        self.line.clear();
        self.closed = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                other => other.map_err(|e| unreadable(self.file, self.number + 1, &e))?,
            };
            if buffer.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', buffer);
            let taken = end.unwrap_or(buffer.len());
            self.line.extend_from_slice(&buffer[..taken]);
            self.input.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                self.closed = true;
                break;
            }
            if self.line.len() > LONGEST_LINE {
                return Err(CounterError {
                    file: self.file.into(),
                    line: self.number + 1,
                    what: format!(
                        "a line of more than {} MiB begins with `{}`",
                        LONGEST_LINE >> 20,
                        shown(&self.line[..200])
                    ),
                    hint: "this is not the text output of a known tool; was it copied as binary?".into(),
                });
            }
        }
        if self.line.is_empty() && !self.closed {
            return Ok(false);
        }
        while self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        strip_escapes(&mut self.line);
        self.start = self.prefix.and_then(|prefix| prefix.length(&self.line)).unwrap_or(0);
        self.number += 1;
        Ok(true)
    }

    /// The line, without its end and without what a pipe put before it.
    pub fn bytes(&self) -> &[u8] {
        &self.line[self.start..]
    }
    /// The clock that a pipe put before the line.
    pub fn clock(&self, stamps: &mut Stamps, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        match self.prefix {
            Some(prefix) if self.start > 0 => prefix.stamp(&self.line[..self.start], stamps, self.number, out),
            _ => Ok(None),
        }
    }
    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
    /// Whether the line had an end; the last one of a file that was cut off has none.
    pub fn closed(&self) -> bool {
        self.closed
    }
}

/// Takes colours and other orders to a terminal away.
pub(super) fn strip_escapes(line: &mut Vec<u8>) {
    let Some(first) = memchr::memchr(0x1b, line) else { return };
    let (mut from, mut to) = (first, first);
    while from < line.len() {
        if line[from] != 0x1b {
            line[to] = line[from];
            (from, to) = (from + 1, to + 1);
            continue;
        }
        let body = &line[from + 1..];
        from += match body.first() {
            // `ESC [`, figures, one letter.
            Some(b'[') => {
                2 + body[1..].iter().position(|b| (0x40..=0x7e).contains(b)).map_or(body.len() - 1, |end| end + 1)
            }
            // A title, up to its bell.
            Some(b']') => 1 + body.iter().position(|&b| b == 7).map_or(body.len(), |end| end + 1),
            Some(b'(' | b')') => 3.min(line.len() - from),
            Some(_) => 2,
            None => 1,
        };
    }
    line.truncate(to);
}

/// The system could not read on.
pub(super) fn unreadable(file: &str, line: u64, error: &io::Error) -> CounterError {
    CounterError {
        file: file.into(),
        line,
        what: format!("cannot be read: {error}"),
        hint: "everything before this line was read; copy the file again".into(),
    }
}

/// The words of a line, parted by blanks.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(u64, String, bool)> {
        let mut input = Decoded::new(bytes, encoding_of(bytes));
        let mut lines = Lines::new(&mut input, "x", None);
        let mut found = Vec::new();
        while lines.advance().expect("memory does not fail") {
            found.push((lines.number(), String::from_utf8_lossy(lines.bytes()).into_owned(), lines.closed()));
        }
        found
    }

    #[test]
    fn every_encoding_gives_the_same_lines() {
        let text = "Lesevorg\u{e4}nge/s\r\n\r\n\u{8bfb}";
        let expected =
            vec![(1, "Lesevorg\u{e4}nge/s".into(), true), (2, String::new(), true), (3, "\u{8bfb}".into(), false)];
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        let marked = |mark: &[u8], rest: &[u8]| [mark, rest].concat();
        let cases: [(&str, Vec<u8>); 6] = [
            ("UTF-8", text.into()),
            ("UTF-8 with its mark", marked(b"\xef\xbb\xbf", text.as_bytes())),
            ("UTF-16LE with its mark", marked(b"\xff\xfe", &little)),
            ("UTF-16BE with its mark", marked(b"\xfe\xff", &big)),
            ("UTF-16LE", little),
            ("UTF-16BE", big),
        ];
        for (name, bytes) in cases {
            assert_eq!(all(&bytes), expected, "{name}");
        }
    }

    #[test]
    fn colours_of_a_terminal_are_no_text() {
        let cases = [
            ("\u{1b}[0;36msda \u{1b}[0m \u{1b}[32;1m 1.00\u{1b}[0m", "sda   1.00"),
            ("a\u{1b}]0;title\u{7}b\u{1b}(Bc\u{1b}[", "abc"),
            ("\u{1b}", ""),
            ("\u{1b}[31", ""),
            ("plain", "plain"),
        ];
        for (text, expected) in cases {
            let mut line = text.as_bytes().to_vec();
            strip_escapes(&mut line);
            assert_eq!(String::from_utf8_lossy(&line), expected, "{text:?}");
        }
    }

    #[test]
    fn an_empty_file_has_no_lines() {
        assert_eq!(all(b""), vec![]);
        assert_eq!(all(b"\n"), vec![(1, String::new(), true)]);
    }
}
