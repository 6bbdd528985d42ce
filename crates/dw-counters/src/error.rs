//! What can be wrong with a whole recording; damaged lines are faults of the sink instead.

use std::fmt;

use dw_error::obeyed::is_obeyed;

/// Why a recording was not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterError {
    /// The file as the user named it.
    pub file: String,
    /// Line, or record of a binary file, from 1.
    pub line: u64,
    /// What is wrong, with the value that was found.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for CounterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\nhint: {}", self.file, self.line, self.what, self.hint)
    }
}

impl std::error::Error for CounterError {}

impl From<CounterError> for dw_error::Error {
    fn from(error: CounterError) -> Self {
        dw_error::Error::input(&error.what).hint(&error.hint).at(&error.file, error.line).caused_by(error)
    }
}

/// A value of an input as it is shown: short, on one line.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 80;
    let text = String::from_utf8_lossy(bytes);
    let mut short: String = text.chars().take(LONGEST).map(|c| if is_obeyed(c) { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short.trim().to_string()
}
