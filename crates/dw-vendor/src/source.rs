//! Where a figure came from.

use serde::{Deserialize, Serialize};

/// A page or record, at one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The id that figures refer to.
    pub id: String,
    /// Repository and path, or the name of the record.
    pub page: String,
    /// The date of the text: a month, a year or a range.
    pub date: String,
    /// The revision of the page, where it is known.
    pub revision: Option<String>,
    /// What to know about it.
    pub note: Option<String>,
}

/// The same as files have it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRow {
    /// The id that figures refer to.
    pub id: String,
    /// Repository and path, or the name of the record.
    pub page: String,
    /// The date of the text.
    pub date: String,
    /// The revision of the page.
    pub revision: Option<String>,
    /// What to know about it.
    pub note: Option<String>,
}
