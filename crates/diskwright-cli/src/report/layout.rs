//! What a command prints for people, and how it fits a terminal: the one place where a table gets its columns.
//!
//! Without a limit (a pipe, a file) a table is as wide as its cells. On a terminal that is narrower, the heads of figures wrap first,
//! then the columns of words, and where that is not enough each row becomes a card. A figure is never wrapped or cut, and stays
//! with its unit. What a terminal would obey is shown as a sign in its place, wherever the text goes; a text for programs is exact.

use std::fmt;
use std::ops::AddAssign;

use dw_documents::columns::{broken, length, longest_word, words, wrapped};
use dw_error::obeyed;

use crate::language::spoken;

/// Blanks between two columns.
const GAP: usize = 2;
/// A column of words is not wrapped to less than this: below it, cards read better.
const WORDS_LEAST: usize = 16;
/// A sentence is in lines of at most this, wherever it goes.
const SENTENCE: usize = 110;

/// Rows under a head, in columns.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    words: Vec<usize>,
}

/// What a command prints: lines, paragraphs and tables in their order, or a text for programs, which is never laid out.
#[derive(Clone, Debug, Default)]
pub struct Text {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Verbatim(String),
    Lines(String),
    Sentence { label: String, text: String },
    Table(Table),
}

impl Table {
    /// The first row is the head; the columns named in `words` hold words and are flush left, the others figures.
    pub fn new(mut rows: Vec<Vec<String>>, words: &[usize]) -> Table {
        for cell in rows.iter_mut().flatten() {
            *cell = obeyed::line(cell).into_owned();
        }
        for row in rows.iter_mut().skip(1) {
            for (_, cell) in row.iter_mut().enumerate().filter(|(column, _)| !words.contains(column)) {
                *cell = spoken().figure(cell);
            }
        }
        Table { rows, words: words.to_vec() }
    }

    fn fitted(&self, width: Option<usize>) -> String {
        let natural: Vec<usize> = self.columns().map(|column| self.widest(column, length)).collect();
        let wide = self.lines(&natural);
        match width {
            Some(width) if wide.lines().any(|line| length(line) > width) => {
                self.narrowed(natural, width).map_or_else(|| self.cards(width), |widths| self.lines(&widths))
            }
            _ => wide,
        }
    }

    fn columns(&self) -> std::ops::Range<usize> {
        0..self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn widest(&self, column: usize, of: impl Fn(&str) -> usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|cell| of(cell)).max().unwrap_or(0)
    }

    /// Widths that fit, unless figures, or words of a readable width, do not.
    fn narrowed(&self, mut widths: Vec<usize>, width: usize) -> Option<Vec<usize>> {
        let least: Vec<usize> = self.columns().map(|column| self.least(column, widths[column])).collect();
        let total = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        if total(&least) > width {
            return None;
        }
        while total(&widths) > width {
            let shrinks = |column: &usize| widths[*column] > least[*column];
            let head = self.columns().filter(|column| !self.words.contains(column)).find(shrinks);
            let column = head.or_else(|| self.columns().filter(shrinks).max_by_key(|column| widths[*column]))?;
            widths[column] -= 1;
        }
        Some(widths)
    }

    fn least(&self, column: usize, natural: usize) -> usize {
        if self.words.contains(&column) {
            return self.widest(column, longest_word).max(natural.min(WORDS_LEAST));
        }
        let figures = self.rows.iter().skip(1).filter_map(|row| row.get(column)).map(|cell| length(cell));
        let head = self.rows.first().and_then(|row| row.get(column)).map_or(0, |head| longest_word(head));
        figures.max().unwrap_or(0).max(head)
    }

    fn lines(&self, widths: &[usize]) -> String {
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, width)| wrapped(cell, *width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let mut text = String::new();
                for (column, cell) in cells.iter().enumerate() {
                    // A head stands on what it is the head of.
                    let above = if index == 0 { height - cell.len() } else { 0 };
                    let part = line.checked_sub(above).and_then(|line| cell.get(line)).map_or("", String::as_str);
                    let (gap, width) = (if column == 0 { 0 } else { GAP }, widths[column]);
                    text += &" ".repeat(gap);
                    let blanks = " ".repeat(width.saturating_sub(length(part)));
                    text += &if self.words.contains(&column) { part.to_string() + &blanks } else { blanks + part };
                }
                out += text.trim_end();
                out.push('\n');
            }
        }
        out
    }

    /// A card for each row: its first column as the title, a line for each other one.
    fn cards(&self, width: usize) -> String {
        let Some((head, rows)) = self.rows.split_first() else { return String::new() };
        let label = head.iter().skip(1).map(|head| length(head)).max().unwrap_or(0);
        let mut out = String::new();
        let mut above = "";
        for row in rows {
            for (title, value) in self.entries(head, row, &mut above) {
                match title {
                    None => lay(&mut out, "", &value, 4, width),
                    Some(title) => {
                        let blanks = " ".repeat(label.saturating_sub(length(title)) + 2);
                        lay(&mut out, &format!("  {title}{blanks}"), &value, label + 4, width)
                    }
                }
            }
        }
        out
    }

    /// The parts of a card: the title, then head and cell; a cell without a head belongs to the one before it.
    fn entries<'a>(
        &self,
        head: &'a [String],
        row: &'a [String],
        above: &mut &'a str,
    ) -> Vec<(Option<&'a str>, String)> {
        let mut entries: Vec<(Option<&str>, String)> = Vec::new();
        for (column, cell) in row.iter().enumerate() {
            let title = head.get(column).map_or("", String::as_str);
            if column == 0 {
                // A row that goes on with the one above leaves its name out.
                if !cell.is_empty() {
                    *above = cell;
                }
                entries.push((None, [title, above.trim_start()].join(" ").trim().to_string()));
            } else if cell.is_empty() {
                continue;
            } else if title.is_empty() {
                let (_, last) = entries.last_mut().expect("the title is there");
                *last = format!("{last}  {cell}");
            } else {
                entries.push((Some(title), cell.clone()));
            }
        }
        entries
    }
}

/// Writes a value behind its label; where its longest word does not fit there, under it.
fn lay(out: &mut String, label: &str, value: &str, indent: usize, width: usize) {
    if label.is_empty() || longest_word(value) + indent <= width {
        return fit_paragraph(out, label, words(value), indent, width);
    }
    out.push_str(label.trim_end());
    out.push('\n');
    fit_paragraph(out, "    ", words(value), 4, width);
}

/// A line, continued two columns further in than it begins.
fn fit_line(out: &mut String, line: &str, width: usize) {
    let text = line.trim_end_matches('\n');
    if length(text) <= width {
        out.push_str(line);
        return;
    }
    let lead = length(text) - length(text.trim_start());
    fit_paragraph(out, &" ".repeat(lead), words(text.trim_start()), lead + 2, width);
}

fn fit_paragraph(out: &mut String, label: &str, words: Vec<String>, indent: usize, width: usize) {
    let mut lead = label.to_string();
    let room = |lead: usize| width.saturating_sub(lead);
    for line in broken(words, room(length(label)), room(indent)) {
        out.push_str(format!("{lead}{line}").trim_end());
        out.push('\n');
        lead = " ".repeat(indent);
    }
}

impl Text {
    /// Nothing yet.
    pub const fn new() -> Text {
        Text { parts: Vec::new() }
    }

    /// A text for programs: JSON, CSV, Markdown, a script.
    pub fn verbatim(text: impl Into<String>) -> Text {
        Text { parts: vec![Part::Verbatim(text.into())] }
    }

    /// A sentence of its own, in lines under its first word.
    pub fn sentence(&mut self, label: &str, text: &str) {
        self.parts.push(Part::Sentence { label: label.into(), text: text.into() });
    }

    /// In lines of at most `width` columns.
    pub fn fitted(&self, width: Option<usize>) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Verbatim(text) => out += text,
                Part::Lines(text) => match (obeyed::lines(text), width) {
                    (text, None) => out += &text,
                    (text, Some(width)) => text.split_inclusive('\n').for_each(|line| fit_line(&mut out, line, width)),
                },
                Part::Sentence { label, text } => {
                    let (label, text) = (&obeyed::lines(label), &obeyed::lines(text));
                    let indent = if label.is_empty() { 2 } else { length(label) };
                    // Without a terminal it stays as whoever reads it with a program knows it.
                    let each = match width {
                        Some(_) => words(text),
                        None => text.split(' ').map(String::from).collect(),
                    };
                    fit_paragraph(&mut out, label, each, indent, width.unwrap_or(SENTENCE).min(SENTENCE));
                }
                Part::Table(table) => out += &table.fitted(width),
            }
        }
        out
    }
}

impl fmt::Display for Text {
    /// Without a limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fitted(None))
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.parts.last_mut() {
            Some(Part::Lines(lines)) => lines.push_str(text),
            _ => self.parts.push(Part::Lines(text.into())),
        }
        Ok(())
    }
}

impl From<&str> for Text {
    fn from(lines: &str) -> Text {
        lines.to_string().into()
    }
}

impl From<String> for Text {
    fn from(lines: String) -> Text {
        Text { parts: vec![Part::Lines(lines)] }
    }
}

impl From<Table> for Text {
    fn from(table: Table) -> Text {
        Text { parts: vec![Part::Table(table)] }
    }
}

impl<T: Into<Text>> AddAssign<T> for Text {
    fn add_assign(&mut self, more: T) {
        self.parts.extend(more.into().parts);
    }
}

#[cfg(test)]
mod tests;
