//! Where a problem is, and how a message is laid out around it.

use std::fmt::{self, Write as _};
use std::ops::Range;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the caller named it.
    pub file: String,
    /// Its line, or the record of a binary file, from 1; `None` is the file as a whole.
    pub line: Option<u64>,
    /// The character of the line, from 1.
    pub column: Option<u64>,
    /// The line itself.
    pub excerpt: Option<String>,
    /// The bytes of the line that are meant.
    pub mark: Option<Range<usize>>,
}

impl Place {
    /// A file as a whole.
    pub fn file(file: impl Into<String>) -> Place {
        Place { file: file.into(), line: None, column: None, excerpt: None, mark: None }
    }

    /// The line, and carets under what is meant.
    fn write_excerpt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(excerpt), Some(line)) = (&self.excerpt, self.line) else { return Ok(()) };
        // A tab has a width of its own on each terminal: the carets would miss what they mark.
        let excerpt = excerpt.replace('\t', " ");
        let (excerpt, mark) = cut(&excerpt, self.mark.clone());
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "\n{margin} |\n{number} | {excerpt}")?;
        let Some(mark) = mark else { return Ok(()) };
        let from = mark.start.min(excerpt.len());
        let before = excerpt.get(..from).map_or(0, |t| t.chars().count());
        let marked = excerpt.get(from..mark.end.min(excerpt.len())).map_or(1, |t| t.chars().count()).max(1);
        write!(f, "\n{margin} | {}{}", " ".repeat(before), "^".repeat(marked))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        [self.line, self.column].iter().flatten().try_for_each(|number| write!(f, ":{number}"))
    }
}

/// The line that holds a byte of a text, from 1; beyond the text it is the last one.
pub fn line_of(text: impl AsRef<[u8]>, byte: usize) -> u64 {
    let text = text.as_ref();
    1 + memchr::memchr_iter(b'\n', &text[..byte.min(text.len())]).count() as u64
}

/// Characters of a line that are shown: what is meant is found among them by eye.
const SHOWN: usize = 200;

/// The part of a line around what is meant, with what is meant in it: of a file in one line all would be shown.
fn cut(line: &str, mark: Option<Range<usize>>) -> (String, Option<Range<usize>>) {
    if line.chars().nth(SHOWN).is_none() {
        return (line.to_string(), mark);
    }
    let at = |offset: usize| (0..=offset.min(line.len())).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
    let meant = mark.clone().unwrap_or(0..0);
    let start = at(meant.start.saturating_sub(SHOWN / 4));
    let end = start + line[start..].char_indices().nth(SHOWN).map_or(line.len() - start, |(end, _)| end);
    let before = if start > 0 { "..." } else { "" };
    let after = if end < line.len() { "..." } else { "" };
    let moved = |offset: usize| offset.saturating_sub(start).min(end - start) + before.len();
    (format!("{before}{}{after}", &line[start..end]), mark.map(|mark| moved(mark.start)..moved(mark.end)))
}

/// `error: file:line: what`, the excerpt and `hint: ...`, as far as there are any.
pub(crate) fn write(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    place: Option<&Place>,
    what: &str,
    hint: &str,
) -> fmt::Result {
    write!(f, "{word}: ")?;
    if let Some(place) = place {
        write!(f, "{place}: ")?;
    }
    f.write_str(what)?;
    if let Some(place) = place {
        place.write_excerpt(f)?;
    }
    if hint.is_empty() {
        return Ok(());
    }
    f.write_char('\n')?;
    write!(f, "hint: {hint}")
}
