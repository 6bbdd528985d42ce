//! A name that is not in the catalogue, and what was probably meant.

use core::cmp::Ordering;
use core::fmt;

/// What was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A VM size.
    VmSize,
    /// A disk.
    Disk,
}

impl Thing {
    fn name(self) -> &'static str {
        match self {
            Thing::VmSize => "VM size",
            Thing::Disk => "disk",
        }
    }
}

/// The catalogue has no such name, or not in that edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// What kind of thing.
    pub thing: Thing,
    /// The name that was asked for.
    pub name: String,
    /// The edition that was asked for.
    pub edition: Option<String>,
    /// The nearest names, best first; empty when the name exists.
    pub nearest: Vec<String>,
    /// The editions that have the name, oldest first; empty when the name does not exist.
    pub editions: Vec<String>,
}

impl LookupError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let list = match self.thing {
            Thing::VmSize => "diskwright catalogue list --vm",
            Thing::Disk => "diskwright catalogue list --disks",
        };
        match (self.nearest.as_slice(), self.editions.is_empty()) {
            (_, false) => format!("editions of {}: {}", self.name, self.editions.join(", ")),
            ([], true) => format!("`{list}` shows them all"),
            ([only], true) => format!("did you mean `{only}`? (`{list}` shows them all)"),
            ([first, rest @ ..], true) => {
                let others = rest.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
                format!("did you mean `{first}`? (or {others}; `{list}` shows them all)")
            }
        }
    }
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.edition {
            Some(edition) if !self.editions.is_empty() => {
                write!(f, "{} `{}` is not in edition `{edition}`", self.thing.name(), self.name)
            }
            _ => write!(f, "there is no {} `{}` in the catalogue", self.thing.name(), self.name),
        }
    }
}

impl std::error::Error for LookupError {}

impl From<LookupError> for dw_error::Error {
    fn from(error: LookupError) -> Self {
        let hint = error.hint();
        dw_error::Error::of(dw_error::Kind::Input, error).hint(hint)
    }
}

/// Up to three names that look like `asked`, best first; one that begins with it comes before all others.
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let asked = key(asked);
    let score = |name: &'a str| {
        let own = key(name);
        let begins = if own.starts_with(&asked) && !asked.is_empty() { 1.0 } else { 0.0 };
        (begins + strsim::jaro_winkler(&asked, &own), name)
    };
    let mut scored: Vec<(f64, &str)> = names.map(score).filter(|(score, _)| *score > 0.8).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// Whether a name fits a pattern in which `*` stands for any letters; case and `Standard_` do not matter.
///
/// ```
/// assert!(dw_catalogue::fits("D*s_v5", "Standard_D8ds_v5") && !dw_catalogue::fits("P3", "P30"));
/// ```
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (key(pattern), key(name));
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The same of a disk: a letter and `*` are the disks called by that letter and a number. `P*` is premium SSD, and not `PremiumV2`.
pub fn fits_disk(pattern: &str, name: &str) -> bool {
    let is_letter = matches!(pattern.trim().as_bytes(), [letter, b'*'] if letter.is_ascii_alphabetic());
    fits(pattern, name) && !(is_letter && name.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic))
}

/// What names may be without.
const PREFIX: &[u8] = b"standard_";

/// A name without its prefix and in one case: `DS14`, `Standard_DS14` and `standard_ds14` are the same. A blank stands for `_`, in the
/// prefix too.
pub(crate) fn key(name: &str) -> String {
    let mut key = name.trim().to_string();
    // Every row of the catalogue passes here at start-up, and hardly one has a blank.
    if key.contains(' ') {
        key = key.replace(' ', "_");
    }
    key.make_ascii_lowercase();
    if key.as_bytes().starts_with(PREFIX) {
        key.drain(..PREFIX.len());
    }
    key
}

/// How the key of a name stands to another key, without making it.
pub(crate) fn order(name: &str, key: &str) -> Ordering {
    let name = name.trim().as_bytes();
    // Nearly every name begins as the vendor writes it.
    let has_prefix =
        |begin: &[u8]| begin == b"Standard_" || begin[0] | 0x20 == PREFIX[0] && letters(begin).eq(letters(PREFIX));
    let skipped = if name.get(..PREFIX.len()).is_some_and(has_prefix) { PREFIX.len() } else { 0 };
    letters(&name[skipped..]).cmp(key.bytes())
}

fn letters(name: &[u8]) -> impl Iterator<Item = u8> + '_ {
    name.iter().map(|&byte| if byte == b' ' { b'_' } else { byte.to_ascii_lowercase() })
}

/// Regions are the same in any case and with blanks: `East US` is `eastus`.
pub(crate) fn is_same_region(a: &str, b: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> + '_ {
        text.bytes().filter(|&byte| byte != b' ').map(|byte| byte.to_ascii_lowercase())
    }
    letters(a).eq(letters(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_and_a_star_are_disks_with_a_number() {
        let cases = [("P*", "P30", true), ("P*", "PremiumV2", false), ("p*", "P4", true), ("Pr*", "PremiumV2", true)];
        let more = [("E*", "E30", true), ("*", "PremiumV2", true), ("Ultra", "Ultra", true), ("U*", "Ultra", false)];
        for (pattern, name, expected) in cases.into_iter().chain(more) {
            assert_eq!(fits_disk(pattern, name), expected, "{pattern} {name}");
        }
    }
}
