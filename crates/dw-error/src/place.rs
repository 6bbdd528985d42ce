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
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "\n{margin} |\n{number} | {excerpt}")?;
        let Some(mark) = &self.mark else { return Ok(()) };
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
