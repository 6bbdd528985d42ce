//! An edition is a date of the vendor's text; its name sorts by that date.
//!
//! Names: `2017-01`, `2017-article`, `2020-2023` (a page somewhere in those years), `2024-2026-nvme` (the NVMe column of a
//! page that has two), `api-2025-03` (a record of the SKU API), `2026-11-imported` (such a record that a person imported).

/// Whether an edition is a layer that a person imported: `2026-11-imported`.
pub fn is_imported(edition: &str) -> bool {
    edition.ends_with("-imported")
}

/// A key that sorts editions from old to new: the last year, then the month.
///
/// A range counts as the end of its last year. Where a page has a SCSI and an NVMe column the SCSI one counts as newer:
/// it is what the SKU API reports, and the lower figure. Of one month, a record counts as newer than a document.
pub fn sort_key(edition: &str) -> (u32, u32, bool, bool) {
    let api = edition.strip_prefix("api-");
    let text = api.unwrap_or(edition);
    let mut numbers = text.split('-').map_while(|part| part.parse::<u32>().ok());
    let year = numbers.next().unwrap_or(0);
    let plain = !edition.ends_with("-nvme");
    match numbers.next() {
        Some(last_year) if last_year > 12 => (last_year, 12, plain, api.is_some()),
        Some(month) => (year, month, plain, api.is_some()),
        None => (year, 0, plain, api.is_some()),
    }
}

/// Whether an edition is no later than the one asked for; a month that is not known counts as any of its year.
pub fn not_later(edition: &str, asked: Option<&str>) -> bool {
    asked.is_none_or(|asked| {
        let (own, asked) = (sort_key(edition), sort_key(asked));
        (own.0, own.1) <= (asked.0, if asked.1 == 0 { 12 } else { asked.1 })
    })
}

/// Months between two editions, as a measure of which is nearest.
pub fn distance(a: &str, b: &str) -> u32 {
    let month = |edition| {
        let key = sort_key(edition);
        key.0 * 12 + key.1
    };
    month(a).abs_diff(month(b))
}

#[cfg(test)]
mod tests {
    use super::sort_key;

    #[test]
    fn editions_sort_by_the_date_of_their_text() {
        let sorted = [
            "2016-03",
            "2017-article",
            "2017-01",
            "2018-07",
            "2019-2021",
            "2020-2023",
            "api-2025-03",
            "2024-2026-nvme",
            "2024-2026",
        ];
        for pair in sorted.windows(2) {
            assert!(sort_key(pair[0]) < sort_key(pair[1]), "{pair:?}");
        }
    }
}
