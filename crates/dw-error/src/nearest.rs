//! The name that was probably meant.
//!
//! The distance is that of Damerau and Levenshtein: letters missing, too many, wrong, or two that changed places are one slip each; case is
//! none. A name is near with one slip, and one more for every four letters of what was written: `cuont` is `count`, and `depth` is not
//! `width`. Of two that are equally near the first wins, so callers give the likelier names first. Where none is near, it is the only one
//! of which the first words were written: `growth_percent` is `growth_percent_per_year`.
//!
//! Ignores: names that begin alike within a word. Offers of a catalogue are looked up by those (`dw-vendor/src/lookup.rs`).

/// The nearest of `known`, if it is near enough to be meant.
///
/// ```
/// assert_eq!(dw_error::nearest("iodpeth", ["rw", "iodepth"]), Some("iodepth"));
/// assert_eq!(dw_error::nearest("colour", ["rw", "iodepth"]), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = found.to_lowercase();
    let known: Vec<(&str, String)> = known.into_iter().map(|name| (name, name.to_lowercase())).collect();
    let slips = |name: &str| strsim::damerau_levenshtein(&lower, name);
    let best = known.iter().map(|(name, lower)| (slips(lower), *name)).min_by_key(|&(slips, _)| slips);
    best.filter(|&(slips, _)| slips <= 1 + found.len() / 4).map(|(_, name)| name).or_else(|| {
        let goes_on = |name: &str| name.strip_prefix(&lower).is_some_and(|rest| rest.starts_with(['_', '-']));
        let mut longer = known.iter().filter(|(_, lower)| goes_on(lower)).map(|(name, _)| *name);
        longer.next().filter(|_| longer.next().is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_near_within_one_slip_and_one_for_every_four_letters_or_begins_with_the_words() {
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
            ("local", &["role", "local_disk"], Some("local_disk")),
            ("Growth_Percent", &["years", "growth_percent_per_year"], Some("growth_percent_per_year")),
            ("latency", &["latency_max", "latency_p99_max"], None),
            ("loca", &["local_disk_of_the_machine"], None),
        ] {
            assert_eq!(nearest(found, known.iter().copied()), expected, "{found} among {known:?}");
        }
    }
}
