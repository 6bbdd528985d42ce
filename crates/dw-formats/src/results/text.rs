//! Text into numbered lines.

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
