//! Lists of shares: `bssplit=4k/60:64k/40,8k` and `random_distribution=zoned:50/5:50/95`.
//!
//! Shares that are left out are divided among their entries; a share of 0 counts as left out, as in fio. Where the
//! percentages of a `bssplit` do not add up to 100, fio sorts by percentage and lets the last entry take what remains:
//! [`effective`] computes just that.

use dw_workload::{Distribution, PerDirection};

use super::value::{Fault, Reading};

const SPLIT_MAX: usize = 64;
const ZONE_MAX: usize = 256;

/// `(size, percent)` of one direction.
pub(crate) type Split = Vec<(u64, Option<u64>)>;

/// The splits of reads, writes and trims; absent where nothing was written.
pub(crate) fn bssplit(text: &str, reading: &Reading) -> Result<PerDirection<Option<Split>>, Fault> {
    let parts: Vec<&str> = text.trim().split(',').collect();
    let read = |i: usize| match parts.get(i) {
        Some(part) if !part.is_empty() => entries(part, reading, SPLIT_MAX, false).map(Some),
        _ => Ok(None),
    };
    if parts.len() > 3 {
        return Err(Fault::new(
            "has more than three lists",
            "give one list each for reads, writes and trims, separated by commas",
        ));
    }
    let (first, last) = (read(0)?, read(parts.len() - 1)?);
    let splits = match parts.len() {
        1 => PerDirection::all(first),
        _ => PerDirection { read: first, write: read(1)?, trim: last },
    };
    for split in [&splits.read, &splits.write, &splits.trim].into_iter().flatten() {
        if let Some(entry) = split.iter().find(|entry| entry.0 == 0) {
            return Err(Fault::new(format!("has an entry of {} bytes", entry.0), "write sizes of at least 1 byte"));
        }
        let given: u64 = split.iter().filter_map(|entry| entry.1).sum();
        if given > 100 && split.iter().any(|entry| entry.1.is_none()) {
            return Err(Fault::new(
                format!("has percentages that add up to {given}, and nothing is left for the rest"),
                "make them add up to 100",
            ));
        }
    }
    Ok(splits)
}

/// Percentages as fio draws them, and whether they had to be changed to add up to 100.
pub(crate) fn effective(split: &Split) -> (Vec<(u64, u8)>, bool) {
    let given: u64 = split.iter().filter_map(|entry| entry.1).sum();
    let missing = split.iter().filter(|entry| entry.1.is_none()).count() as u64;
    let share = 100u64.saturating_sub(given).checked_div(missing).unwrap_or(0);
    let mut entries: Vec<(u64, u64)> = split.iter().map(|&(size, percent)| (size, percent.unwrap_or(share))).collect();
    entries.sort_by_key(|entry| entry.1);
    let mut left = 100;
    let changed = entries.iter().map(|entry| entry.1).sum::<u64>() != 100;
    let last = entries.len().saturating_sub(1);
    let drawn = entries.iter().enumerate().map(|(i, &(size, percent))| {
        let percent = if i == last { left } else { percent.min(left) };
        left -= percent;
        (size, percent as u8)
    });
    (drawn.collect(), changed)
}

/// The zones of `zoned:` (shares in percent) or `zoned_abs:` (bytes).
pub(crate) fn zones(text: &str, reading: &Reading, absolute: bool) -> Result<Distribution, Fault> {
    let zones = entries(text, reading, ZONE_MAX, absolute)?;
    let accesses: u64 = zones.iter().map(|zone| zone.0).fold(0, u64::saturating_add);
    if accesses != 100 {
        return Err(Fault::new(
            format!("has accesses that add up to {accesses} %"),
            "make the numbers before the `/` add up to 100",
        ));
    }
    if absolute {
        let sized = zones.iter().map(|&(access, size)| size.filter(|s| *s > 0).map(|s| (access as u8, s)));
        let sized: Option<Vec<_>> = sized.collect();
        return sized.map(Distribution::ZonedAbsolute).ok_or_else(|| {
            Fault::new(
                "has a zone without a size",
                "write each zone as PERCENT/SIZE, for example `zoned_abs:60/20g:40/100g`",
            )
        });
    }
    let given: u64 = zones.iter().filter_map(|zone| zone.1).sum();
    let missing = zones.iter().filter(|zone| zone.1.is_none()).count() as u64;
    if given > 100 {
        return Err(Fault::new(
            format!("has zones that add up to {given} % of the file"),
            "make the numbers after the `/` add up to 100",
        ));
    }
    let share = if missing == 1 && zones.len() == 1 { 100 } else { (100 - given).checked_div(missing).unwrap_or(0) };
    Ok(Distribution::Zoned(zones.iter().map(|&(access, size)| (access as u8, size.unwrap_or(share) as u8)).collect()))
}

fn entries(text: &str, reading: &Reading, max: usize, absolute: bool) -> Result<Split, Fault> {
    let text = text.strip_suffix(':').unwrap_or(text);
    let mut entries = Vec::new();
    for entry in text.split(':') {
        if entry.is_empty() {
            return Err(Fault::new("has an empty entry, where fio stops reading", "separate the entries by one `:`"));
        }
        let (first, second) = entry.split_once('/').map_or((entry, None), |(a, b)| (a, Some(b)));
        let second = match second {
            None | Some("") => None,
            Some(size) if absolute => Some(reading.number(size).map_err(|f| within(entry, f))?),
            Some(percent) => match percent.trim().parse::<u64>() {
                Ok(0) => None,
                Ok(percent @ 1..=100) => Some(percent),
                _ => {
                    return Err(Fault::new(
                        format!("has `{entry}`, whose percentage is not 0 to 100"),
                        "write a whole percentage after the `/`",
                    ));
                }
            },
        };
        // fio stops reading a size at a sign: `4k-8k` is 4 KiB.
        let smallest = first.split_once('-').filter(|(low, high)| !low.is_empty() && reading.number(high).is_ok());
        let first = smallest.map_or(first, |(low, _)| low);
        entries.push((reading.number(first).map_err(|f| within(entry, f))?, second));
    }
    if entries.len() > max {
        return Err(Fault::new(format!("has more than {max} entries"), "shorten the list"));
    }
    Ok(entries)
}

fn within(entry: &str, fault: Fault) -> Fault {
    Fault::new(format!("has `{entry}`, which {}", fault.what), fault.hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_divided_as_fio_divides_them() {
        type Case<'a> = (&'a str, &'a [(u64, u8)], bool);
        #[rustfmt::skip]
        let cases: &[Case] = &[
            // The figures are what fio 3.33 issued.
            ("4k/60:64k/40",       &[(65_536, 40), (4_096, 60)],                false),
            ("8k",                 &[(8_192, 100)],                             false),
            ("4k/50:16k:64k",      &[(16_384, 25), (65_536, 25), (4_096, 50)],  false),
            ("4k/0:64k/100",       &[(4_096, 0), (65_536, 100)],                false),
            ("8k/90:32k/5",        &[(32_768, 5), (8_192, 95)],                 true),
            ("8k/90:32k/20",       &[(32_768, 20), (8_192, 80)],                true),
            ("4k/50:8k/50:",       &[(4_096, 50), (8_192, 50)],                 false),
        ];
        for (text, expected, changed) in cases {
            let split = bssplit(text, &Reading::default()).unwrap().read.unwrap();
            assert_eq!(effective(&split), (expected.to_vec(), *changed), "{text}");
        }
    }

    #[test]
    fn a_comma_separates_the_directions() {
        let splits = bssplit("4k/50:8k/50,16k,", &Reading::default()).unwrap();
        assert_eq!(splits.read.map(|s| s.len()), Some(2));
        assert_eq!(splits.write, Some(vec![(16_384, None)]));
        assert_eq!(splits.trim, None);
        assert_eq!(bssplit("4k,8k", &Reading::default()).unwrap().trim, Some(vec![(8_192, None)]));
    }
}
