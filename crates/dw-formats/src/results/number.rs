//! Numbers as the tools print them: decimals, units of size and time, counts with a k or M.

/// A finite decimal.
pub(super) fn decimal(text: &str) -> Option<f64> {
    text.trim().trim_end_matches('%').parse::<f64>().ok().filter(|value| value.is_finite())
}

pub(super) fn count(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// Where a number ends and its unit begins.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    Some((decimal(&text[..end])?, text[end..].trim()))
}

/// `12.3k`, `4.5M`: fio's IOPS, in thousands.
pub(super) fn thousands(text: &str) -> Option<f64> {
    let (value, unit) = split(text)?;
    let scale = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return None,
    };
    Some(value * scale)
}

/// Bytes, as fio's text has them: `31.2MiB`, `32.8MB`, `512B`; before version 3 `KB` and `MB` count in 1024s.
pub(super) fn bytes(text: &str, old: bool) -> Option<f64> {
    let (value, unit) = split(text)?;
    let bits = unit.ends_with("bit") || (unit.len() > 1 && unit.ends_with('b'));
    let prefix = unit.trim_end_matches("bit").trim_end_matches(['B', 'b']);
    let (prefix, binary) = prefix.strip_suffix('i').map_or((prefix, old), |prefix| (prefix, true));
    let power = match prefix {
        "" => 0,
        "k" | "K" => 1,
        "M" | "m" => 2,
        "G" | "g" => 3,
        "T" | "t" => 4,
        "P" | "p" => 5,
        _ => return None,
    };
    let step: f64 = if binary { 1024.0 } else { 1000.0 };
    Some(value * step.powi(power) / if bits { 8.0 } else { 1.0 })
}

/// Nanoseconds of one of fio's units.
pub(super) fn ns_of_unit(unit: &str) -> Option<f64> {
    Some(match unit {
        "nsec" | "ns" => 1.0,
        "usec" | "us" => 1e3,
        "msec" | "ms" => 1e6,
        "sec" | "s" => 1e9,
        _ => return None,
    })
}

/// A size as fio's options and DiskSpd's switches have it: powers of 1024, fio's `MiB` of 1000.
pub(super) fn option_size(text: &str) -> Option<u64> {
    let (value, unit) = split(text)?;
    let step: f64 = if unit.len() == 3 && unit.ends_with("iB") || unit.ends_with("ib") { 1000.0 } else { 1024.0 };
    let power = match unit.chars().next().map(|c| c.to_ascii_lowercase()) {
        None | Some('b') => 0,
        Some('k') => 1,
        Some('m') => 2,
        Some('g') => 3,
        Some('t') => 4,
        Some('p') => 5,
        _ => return None,
    };
    Some((value * step.powi(power)) as u64)
}

/// Seconds of an option of fio (`30`, `2m`, `500ms`).
pub(super) fn option_seconds(text: &str) -> Option<f64> {
    let (value, unit) = split(text)?;
    let scale = match unit {
        "" | "s" => 1.0,
        "d" => 86_400.0,
        "h" => 3_600.0,
        "m" => 60.0,
        "ms" => 1e-3,
        "us" => 1e-6,
        _ => return None,
    };
    Some(value * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_say_what_they_count_in() {
        let cases = [
            ("31.2MiB", false, 31.2_f64 * 1_048_576.0),
            ("32.8MB", false, 32_800_000.0),
            ("999B", false, 999.0),
            ("4KiB", false, 4096.0),
            ("4kB", false, 4000.0),
            ("40996KB", true, 40_996.0 * 1024.0),
            ("1.2GB", true, 1.2 * 1_073_741_824.0),
            ("8.0Mb", false, 1_000_000.0),
        ];
        for (text, old, expected) in cases {
            assert_eq!(bytes(text, old).map(|b| (b * 1e3).round()), Some((expected * 1e3).round()), "{text}");
        }
        assert_eq!(bytes("MiB", false), None);
        assert_eq!(bytes("4 parsecs", false), None);
    }

    #[test]
    fn options_count_in_1024_unless_they_say_kib() {
        let cases = [("8k", 8192), ("4KiB", 4000), ("1g", 1 << 30), ("4096", 4096), ("30G", 30 << 30)];
        for (text, expected) in cases {
            assert_eq!(option_size(text), Some(expected), "{text}");
        }
    }
}
