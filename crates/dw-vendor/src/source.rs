//! Where a figure came from.

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
