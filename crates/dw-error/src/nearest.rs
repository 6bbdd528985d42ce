//! The name that was probably meant.
//!
//! The distance is that of Damerau and Levenshtein: letters missing, too many, wrong, or two that changed places are one slip each; case is
//! none. A name is near with one slip, and one more for every four letters of what was written: `cuont` is `count`, and `depth` is not
//! `width`. Of two that are equally near the first wins, so callers give the likelier names first.
//!
//! Ignores: names that begin alike. Offers of a catalogue are looked up by those (`dw-vendor/src/lookup.rs`).

/// The nearest of `known`, if it is near enough to be meant.
///
/// ```
/// assert_eq!(dw_error::nearest("iodpeth", ["rw", "iodepth"]), Some("iodepth"));
/// assert_eq!(dw_error::nearest("colour", ["rw", "iodepth"]), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = found.to_lowercase();
    let slips = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let best = known.into_iter().map(|name| (slips(name), name)).min_by_key(|&(slips, _)| slips);
    best.filter(|&(slips, _)| slips <= 1 + found.len() / 4).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_near_within_one_slip_and_one_for_every_four_letters() {
        for (found, known, expected) in [
            ("cuont", &["name", "count"][..], Some("count")),
            ("COUNT", &["count"], Some("count")),
            ("rw", &["bs", "wr"], Some("wr")),
            ("rd", &["rw", "bs"], Some("rw")),
            ("depth", &["width"], None),
            ("wdith", &["width"], Some("width")),
            ("at", &["bat", "cat"], Some("bat")),
            ("at", &["cat", "bat"], Some("cat")),
            ("anything", &[], None),
        ] {
            assert_eq!(nearest(found, known.iter().copied()), expected, "{found} among {known:?}");
        }
    }
}
