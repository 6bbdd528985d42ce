//! What was probably meant by a number or a time that fio reads otherwise, in words that fio reads right: `1.5g` is `1536m`, `1h30m` is
//! `90m`. What could be two things, and what is none of fio's, is nothing here.

/// A number with its fraction, and what stands behind it.
fn leading(text: &str) -> Option<(f64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let exponent = text[digits..].strip_prefix('e').map_or(0, |rest| {
        let power = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if power == 0 { 0 } else { 1 + power }
    });
    let (number, rest) = text.split_at(digits + exponent);
    Some((number.parse().ok()?, rest))
}

/// A whole number in the largest of these units, smallest first, that it is a multiple of.
fn in_units(value: f64, units: &[(&str, f64)]) -> Option<String> {
    let whole = |size: f64| (value / size).fract() == 0.0 && value / size < 1e15;
    let (unit, size) = units.iter().rev().find(|(_, size)| whole(*size) && value >= *size)?;
    Some(format!("{}{unit}", (value / size) as u64))
}

/// A number, of bytes or of anything else; `kb_base` is 1024 or 1000.
pub(super) fn number(text: &str, kb_base: u64) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let text = ["/s", "ps"].iter().find_map(|rate| text.strip_suffix(rate)).unwrap_or(&text);
    let (number, unit) = leading(text)?;
    let power = match unit.trim_start().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        unit => 1 + "kmgtp".find(unit).filter(|_| unit.len() == 1)? as i32,
    };
    let base = kb_base as f64;
    let units: Vec<(&str, f64)> = ["", "k", "m", "g", "t", "p"].into_iter().zip((0..).map(|n| base.powi(n))).collect();
    in_units(number * base.powi(power), &units[..=power as usize])
}

/// A time; without a unit it is in seconds or in microseconds.
pub(super) fn time(text: &str, bare_is_seconds: bool) -> Option<String> {
    const UNITS: [(&str, f64); 6] = [("us", 1.0), ("ms", 1e3), ("s", 1e6), ("m", 6e7), ("h", 3.6e9), ("d", 8.64e10)];
    const NAMES: [(&str, &[&str]); 6] = [
        ("us", &["us", "usec", "usecs", "µs"]),
        ("ms", &["ms", "msec", "msecs"]),
        ("s", &["s", "sec", "secs", "second", "seconds"]),
        ("m", &["m", "min", "mins", "minute", "minutes"]),
        ("h", &["h", "hr", "hrs", "hour", "hours"]),
        ("d", &["d", "day", "days"]),
    ];
    let text = text.trim().to_ascii_lowercase();
    let (mut rest, mut sum) = (text.as_str(), 0.0);
    while !rest.is_empty() {
        let (number, behind) = leading(rest)?;
        let behind = behind.trim_start();
        let end = behind.find(|c: char| c.is_ascii_digit() || c == ' ').unwrap_or(behind.len());
        let bare = if bare_is_seconds { "s" } else { "us" };
        let name = if end == 0 && sum == 0.0 { bare } else { &behind[..end] };
        let (unit, _) = NAMES.iter().find(|(_, names)| names.contains(&name))?;
        sum += number * UNITS.iter().find(|(known, _)| known == unit)?.1;
        rest = behind[end..].trim_start();
    }
    in_units(sum, &UNITS)
}

#[cfg(test)]
mod tests {
    use super::{number, time};

    #[test]
    fn what_fio_reads_otherwise_is_written_as_it_reads_it() {
        for (text, expected) in [
            ("1.5g", Some("1536m")),
            ("0.5k", Some("512")),
            ("10MB/s", Some("10m")),
            ("64 KiB", Some("64k")),
            ("1e3", Some("1000")),
            ("8 k", Some("8k")),
            ("1.3k", None),
            ("8kk", None),
            ("1,5g", None),
            ("abc", None),
            ("-4", None),
            ("8q", None),
        ] {
            assert_eq!(number(text, 1024).as_deref(), expected, "{text}");
        }
        assert_eq!(number("1.5g", 1000).as_deref(), Some("1500m"));
        for (text, expected) in [
            ("1h30m", Some("90m")),
            ("1.5h", Some("90m")),
            ("10min", Some("10m")),
            ("90 sec", Some("90s")),
            ("2.5", Some("2500ms")),
            ("1d 12h", Some("36h")),
            ("5x", None),
            ("-1", None),
            ("1m5", None),
            ("", None),
        ] {
            assert_eq!(time(text, true).as_deref(), expected, "{text}");
        }
        assert_eq!(time("1.5ms", false).as_deref(), Some("1500us"));
    }
}
