//! A document of another command, read: what is wrong with its text, in words of the file.

use dw_documents::{OneKind, SCHEMA_VERSION, Unread};
use dw_error::{Error, Result, shape};

/// Reads the document of one kind.
pub fn read<T: OneKind>(name: &str, text: &str) -> Result<T> {
    dw_documents::read(text).map_err(|why| {
        let (line, what) = said(text, &format!("is not {}", T::KIND.article()), &why);
        let hint = match why {
            Unread::Older(_) | Unread::Version { .. } => why.hint(),
            _ => format!("write it with `{}`", T::KIND.command()),
        };
        Error::input(what).hint(hint).at(name, line)
    })
}

/// Why a text is not the document that is wanted, with the line that is meant; `not` says which one was wanted.
pub fn said(text: &str, not: &str, why: &Unread) -> (usize, String) {
    match why {
        Unread::Json { .. } | Unread::Older(_) => (why.line(), why.to_string()),
        Unread::Foreign => (1, not.to_string()),
        Unread::Other(kind) => (1, format!("{not}: it is {}", kind.article())),
        Unread::Version { found, .. } => {
            let what = format!("`schema_version` is {found}, but this program reads {SCHEMA_VERSION}");
            (line_with(text, "\"schema_version\""), what)
        }
        Unread::Shape { at, what, .. } => (why.line(), format!("{not}: {}", shape::of_json(text, what, *at).what)),
    }
}

/// The first line that has these words, from 1; the first one where none has them.
pub fn line_with(text: &str, words: &str) -> usize {
    dw_error::line_of(text, text.find(words).unwrap_or(0)) as usize
}
