//! The error of every crate: what kind it is, where it is, what is wrong and what to do.
//!
//! Lives here: [`Error`], [`Notice`], how both are shown as text, the name that was probably meant ([`nearest`]), what is wrong with
//! the shape of a file ([`shape`]), what the operating system refuses, in words, and what no terminal may get ([`obeyed`]).
//! Never here: exit codes, colour, printing; those are the program's.
//! Read next: `place.rs` (how a message is laid out), `named.rs` (how it names options), `system.rs`.
//!
//! ```
//! use dw_error::Error;
//!
//! let error = Error::input("there is no VM size `DS41`").hint("did you mean `DS14`?").at("rig.toml", 12);
//! assert_eq!(error.to_string(), "error: rig.toml:12: there is no VM size `DS41`\nhint: did you mean `DS14`?");
//! ```

#![forbid(unsafe_code)]

mod named;
mod nearest;
pub mod obeyed;
mod place;
pub mod shape;
pub mod system;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use named::Template;

pub use named::Named;
pub use nearest::nearest;
pub use place::{Place, line_of};

/// What every fallible call of the library gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in the words of the domain. A face derives from it how it ends: the program its exit code, a server its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The call makes no sense as it is: arguments contradict each other, or name what is not there.
    Usage,
    /// A file cannot be read, or is wrong.
    Input,
    /// Nothing on offer meets the demand.
    Infeasible,
    /// What is required was not measured, or not met.
    NotVerified,
    /// Something that was asked for has no known price.
    Price,
    /// No emulation answers on the control socket.
    NoEmulation,
    /// The emulation refused a command.
    Refused,
    /// A program, a device or a right that is needed is not there.
    Tool,
    /// A benchmark could not be finished.
    Bench,
    /// Something that must not be overwritten is in the way.
    Protected,
    /// A conversion would lose something, which was forbidden.
    Lossy,
    /// A fitted model predicts worse than the one before it.
    NotBetter,
    /// The caller asked to stop before there was a result.
    Interrupted,
    /// The output cannot be written, or there is a fault in the library.
    Unexpected,
}

impl Kind {
    /// Every kind, in the order of the exit codes.
    pub const ALL: [Kind; 14] = [
        Kind::Unexpected,
        Kind::Usage,
        Kind::Input,
        Kind::Infeasible,
        Kind::NotVerified,
        Kind::Price,
        Kind::NoEmulation,
        Kind::Refused,
        Kind::Tool,
        Kind::Bench,
        Kind::Protected,
        Kind::Lossy,
        Kind::NotBetter,
        Kind::Interrupted,
    ];

    /// The word that a message of this kind begins with: who stops a run made no error.
    pub fn word(self) -> &'static str {
        if self == Kind::Interrupted { "stopped" } else { "error" }
    }
}

/// Why there is no result. [`fmt::Display`] gives all of it, in the lines that the program prints, without colour and without a
/// last line feed.
#[derive(Clone, Debug)]
pub struct Error {
    /// What went wrong.
    pub kind: Kind,
    /// Where, if it is in a file.
    pub place: Option<Box<Place>>,
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What to do; empty if there is nothing to say.
    pub hint: String,
    /// Further problems of the same input, in its order.
    pub also: Vec<Error>,
    /// Its texts where they name options.
    template: Option<Box<Template>>,
    /// What caused it.
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error without place and hint, which [`Error::at`] and [`Error::hint`] add.
    pub fn new(kind: Kind, what: impl Into<String>) -> Error {
        let (what, hint) = (what.into(), String::new());
        Error { kind, place: None, what, hint, also: Vec::new(), template: None, source: None }
    }

    /// A file that cannot be read, or is wrong.
    pub fn input(what: impl Into<String>) -> Error {
        Error::new(Kind::Input, what)
    }

    /// A call that makes no sense.
    pub fn usage(what: impl Into<String>) -> Error {
        Error::new(Kind::Usage, what)
    }

    /// Something that should not happen.
    pub fn unexpected(what: impl Into<String>) -> Error {
        Error::new(Kind::Unexpected, what)
    }

    /// An error of another type, which stays its source; a last line `hint: ...` of its text becomes the hint.
    pub fn of(kind: Kind, source: impl std::error::Error + Send + Sync + 'static) -> Error {
        let text = source.to_string();
        let (what, hint) = text.split_once("\nhint: ").unwrap_or((text.as_str(), ""));
        Error::new(kind, what).hint(hint.trim_end()).caused_by(source)
    }

    /// Several problems as one error: the first, and the others after it. `None` without any.
    pub fn all(errors: impl IntoIterator<Item = Error>) -> Option<Error> {
        let mut errors = errors.into_iter();
        let mut first = errors.next()?;
        first.also.extend(errors);
        Some(first)
    }

    /// With another text, for a caller that knows more about what it asked for.
    pub fn what(mut self, what: impl Into<String>) -> Error {
        self.what = what.into();
        self
    }

    /// With what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = hint.into();
        self
    }

    /// Its texts have `{name}` where they mean one of these options. Said after both texts.
    ///
    /// ```
    /// use dw_error::{Error, Named};
    ///
    /// let error = Error::usage("these are two machines").hint("choose one with `{machine}`");
    /// let error = error.naming(&[Named::with("machine", "NAME")]);
    /// assert_eq!(error.hint, "choose one with `machine`");
    /// let told = error.told(&|option| format!("--{} {}", option.name, option.value));
    /// assert_eq!(told.hint, "choose one with `--machine NAME`");
    /// ```
    pub fn naming(mut self, options: &[Named]) -> Error {
        self.template = Some(Template::take(&mut self.what, &mut self.hint, options));
        self
    }

    /// With options in the words of a face.
    pub fn told(mut self, words: &dyn Fn(Named) -> String) -> Error {
        if let Some(template) = self.template.take() {
            [self.what, self.hint] = template.told(&self.what, &self.hint, words);
        }
        self.also = self.also.into_iter().map(|other| other.told(words)).collect();
        self
    }

    /// In a line of a file, from 1.
    pub fn at(mut self, file: impl Into<String>, line: impl TryInto<u64>) -> Error {
        self.place = Some(Box::new(Place { line: line.try_into().ok(), ..Place::file(file) }));
        self
    }

    /// At this character of the line, from 1.
    pub fn column(mut self, column: impl TryInto<u64>) -> Error {
        if let Some(place) = &mut self.place {
            place.column = column.try_into().ok();
        }
        self
    }

    /// In a file as a whole, or in a line that nobody knows.
    pub fn of_file(mut self, file: impl Into<String>) -> Error {
        self.place = Some(Box::new(Place::file(file)));
        self
    }

    /// With the line itself, and which of its bytes are meant. Without a place nothing changes.
    pub fn excerpt(mut self, line: impl Into<String>, mark: Option<Range<usize>>) -> Error {
        if let Some(place) = &mut self.place {
            place.excerpt = Some(line.into());
            place.mark = mark;
        }
        self
    }

    /// With the line around these bytes of the file's text, which are marked.
    pub fn marked(self, text: &str, span: Range<usize>) -> Error {
        let start = text.get(..span.start.min(text.len())).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
        let Some(line) = text[start..].lines().next() else { return self };
        let mark = span.start - start..span.end.max(span.start + 1) - start;
        self.excerpt(line, Some(mark))
    }

    /// The same text with another word before it, for a caller that goes on without this result: `note: the plan is not simulated`.
    pub fn shown_as(&self, word: &str) -> String {
        struct Other<'a>(&'a Error, &'a str);
        impl fmt::Display for Other<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, self.1)
            }
        }
        Other(self, word).to_string()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
        place::write(f, word, self.place.as_deref(), &self.what, &self.hint)?;
        self.also.iter().try_for_each(|other| {
            f.write_str("\n")?;
            other.write(f, word)
        })
    }

    /// With what caused it.
    pub fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Error {
        self.source = Some(Arc::new(source));
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.kind.word())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as _)
    }
}

/// A doubt about an input that was taken. [`fmt::Display`] is as that of [`Error`], with the word `warning`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where, if it is in a file.
    pub place: Option<Box<Place>>,
    /// What may surprise.
    pub what: String,
    /// What to do; empty if there is nothing to say.
    pub hint: String,
    /// Its texts where they name options.
    template: Option<Box<Template>>,
}

impl Notice {
    /// A doubt about what was asked for, or about all of an input.
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Notice {
        Notice { place: None, what: what.into(), hint: hint.into(), template: None }
    }

    /// A doubt about a line of a file, from 1.
    pub fn at(
        file: impl Into<String>,
        line: impl TryInto<u64>,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> Notice {
        let place = Place { line: line.try_into().ok(), ..Place::file(file) };
        Notice { place: Some(Box::new(place)), ..Notice::new(what, hint) }
    }

    /// Its texts have `{name}` where they mean one of these options, as those of [`Error::naming`].
    pub fn naming(mut self, options: &[Named]) -> Notice {
        self.template = Some(Template::take(&mut self.what, &mut self.hint, options));
        self
    }

    /// With options in the words of a face.
    pub fn told(mut self, words: &dyn Fn(Named) -> String) -> Notice {
        if let Some(template) = self.template.take() {
            [self.what, self.hint] = template.told(&self.what, &self.hint, words);
        }
        self
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place::write(f, "warning", self.place.as_deref(), &self.what, &self.hint)
    }
}

#[cfg(test)]
mod tests;
