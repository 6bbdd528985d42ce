//! Bytes into text, text into numbered lines.

use std::io::Read as _;

use crate::counters::{Decoded, encoding_of};

/// The text of a file in UTF-8 or UTF-16 (as PowerShell writes what a program prints); what is not text is replaced.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len());
    // Memory cannot fail to be read.
    let _ = Decoded::new(bytes, encoding_of(bytes)).read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A line without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// From 1.
    pub number: u64,
    pub text: &'a str,
}

/// The lines of a text.
pub(super) struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines(), number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;
    fn next(&mut self) -> Option<Line<'a>> {
        let text = self.lines.next()?;
        self.number += 1;
        Some(Line { number: self.number, text: text.trim_end_matches('\r') })
    }
}
