//! Why a result file was not read.

use std::fmt;

/// Why a result was not read: the file, the line, what is wrong, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultError {
    /// The file as the caller named it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\nhint: {}", self.file, self.line, self.what, self.hint)
    }
}

impl std::error::Error for ResultError {}

impl From<ResultError> for dw_error::Error {
    fn from(error: ResultError) -> Self {
        dw_error::Error::input(&error.what).hint(&error.hint).at(&error.file, error.line).caused_by(error)
    }
}
