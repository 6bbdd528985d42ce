//! The name of a limit in a sentence, in its parts: a language puts them together in its own order.
//!
//! Documents hold the name as its English text. Only what is read from one is taken apart again ([`LimitName::read`]); whoever makes a
//! sentence has the parts.

use std::fmt;

use serde::{Serialize, Serializer};

use super::label::LIMITS;

/// What a limit is called: `data disk IOPS (2 x P30)`.
#[derive(Clone, Debug)]
pub struct LimitName {
    /// The volume or disk that it is of; empty where it is the VM's.
    place: String,
    /// What it limits, in English: one of our labels, or a name of a scenario's own.
    what: String,
    /// What else was said of it, with the blank before it.
    more: String,
}

impl LimitName {
    /// A limit without the place that it is of.
    pub fn new(what: impl Into<String>) -> LimitName {
        LimitName { place: String::new(), what: what.into(), more: String::new() }
    }

    /// A limit of a place.
    pub fn of_place(place: impl Into<String>, what: impl Into<String>) -> LimitName {
        LimitName { place: place.into(), ..LimitName::new(what) }
    }

    /// The name that a document holds. A place may have any name, so the longest of our labels counts: `disk IOPS (reads)` has `disk IOPS`
    /// in it.
    pub fn read(text: &str) -> LimitName {
        let whole = LIMITS.iter().find(|limit| limit.english() == text);
        let within = LIMITS.iter().filter_map(|limit| {
            let at = text.rfind(limit.english())?;
            let more = &text[at + limit.english().len()..];
            let ends = more.chars().next().is_none_or(|next| !next.is_alphanumeric());
            (text[..at].ends_with(' ') && ends).then_some((&text[..at], limit.english(), more))
        });
        match within.max_by_key(|(_, limit, _)| limit.len()).filter(|_| whole.is_none()) {
            Some((place, what, more)) => {
                LimitName { place: place.trim_end().into(), what: what.into(), more: more.into() }
            }
            None => LimitName::new(text),
        }
    }

    /// Place, limit and the rest.
    pub(crate) fn parts(&self) -> [&str; 3] {
        [&self.place, &self.what, &self.more]
    }
}

/// In English.
impl fmt::Display for LimitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blank = if self.place.is_empty() { "" } else { " " };
        write!(f, "{}{blank}{}{}", self.place, self.what, self.more)
    }
}

/// Names are equal that read alike: a document does not say where a place ends.
impl PartialEq for LimitName {
    fn eq(&self, other: &LimitName) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Serialize for LimitName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::LimitName;

    #[test]
    fn a_name_of_a_document_is_taken_apart() {
        for (text, parts) in [
            ("disk IOPS", ["", "disk IOPS", ""]),
            ("data disk IOPS", ["data", "disk IOPS", ""]),
            ("data disk IOPS (2 x P30)", ["data", "disk IOPS", " (2 x P30)"]),
            ("data disk IOPS (reads)", ["data", "disk IOPS (reads)", ""]),
            ("scratch local disk IOPS", ["scratch", "local disk IOPS", ""]),
            ("my data read latency p99", ["my data", "read latency p99", ""]),
            ("vm uncached IOPS (all remote disks)", ["", "vm uncached IOPS (all remote disks)", ""]),
            ("vm network IOPS", ["", "vm network IOPS", ""]),
            ("", ["", "", ""]),
        ] {
            let name = LimitName::read(text);
            assert_eq!(name.parts(), parts, "{text}");
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn what_was_made_of_parts_equals_what_is_read() {
        for made in [LimitName::new("vCPU"), LimitName::of_place("my local", "disk IOPS")] {
            assert_eq!(made, LimitName::read(&made.to_string()));
        }
    }
}
