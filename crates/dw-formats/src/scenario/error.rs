//! What can be wrong with a scenario: where, what, and what to write instead.

use std::fmt;
use std::ops::Range;

use dw_messages::Sentence;

/// One fault of a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file as the user named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The bytes of the text that are meant.
    pub span: Range<usize>,
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\nhint: {}", self.file, self.line, self.what, self.hint)
    }
}

impl std::error::Error for ScenarioError {}

/// Every fault that was found, in the order of the file; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioErrors(pub Vec<ScenarioError>);

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioErrors {}

impl ScenarioErrors {
    /// As one error, each fault with its line of the file's text.
    pub fn within(self, text: &str) -> dw_error::Error {
        let one = |error: ScenarioError| {
            let span = error.span.clone();
            let plain = dw_error::Error::input(&error.what).hint(&error.hint).at(&error.file, error.line);
            plain.marked(text, span).caused_by(error)
        };
        dw_error::Error::all(self.0.into_iter().map(one)).unwrap_or_else(|| dw_error::Error::unexpected("no fault"))
    }
}

/// Something the reader did that its user should know; never a fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Line of the scenario, from 1.
    pub line: usize,
    /// One sentence.
    pub text: Sentence,
}
