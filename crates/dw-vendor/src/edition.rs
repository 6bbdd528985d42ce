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

/// A month of a calendar, as dates of prices are told: `2026-07`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: u16,
    month: u8,
}

impl Month {
    /// The month that a date or an edition begins with; nothing where that is not one.
    pub fn of(date: &str) -> Option<Month> {
        let (year, rest) = date.split_once('-')?;
        let month = rest.get(..2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
        Some(Month { year: year.parse().ok()?, month })
    }
}

impl core::fmt::Display for Month {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
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
    use super::{Month, sort_key};

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

    #[test]
    fn months_are_those_that_dates_begin_with() {
        for (date, month) in [
            ("2024-07-18", Some("2024-07")),
            ("2026-11", Some("2026-11")),
            ("2026-13", None),
            ("2024", None),
            ("x-07", None),
        ] {
            assert_eq!(Month::of(date).map(|found| found.to_string()).as_deref(), month, "{date}");
        }
        assert!(Month::of("2024-07") < Month::of("2025-01"));
    }
}
