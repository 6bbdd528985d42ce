//! Numbers for people: grouped digits, three significant digits for latency, both kinds of mega.

/// `1234567.8` as `1,234,568`.
pub fn grouped(value: f64) -> String {
    dw_units::grouped(&format!("{:.0}", value.max(0.0)), ',')
}

/// I/Os per second, with decimals where a whole number would say nothing: `0.25`, `7.5`, `12,800`.
pub fn iops(value: f64) -> String {
    match value {
        v if v < 0.005 => "0".to_string(),
        v if v < 0.995 => format!("{v:.2}"),
        v if v < 9.95 => format!("{v:.1}"),
        v => grouped(v),
    }
}

/// Nanoseconds as seconds, to the last digit that is not zero but at least milliseconds: `0.500`, `0.000000001`.
pub fn exact_seconds(ns: u64) -> String {
    let text = format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000);
    let end = text.trim_end_matches('0').len().max(text.len() - 6);
    text[..end].to_string()
}

/// Nanoseconds as milliseconds with three significant digits: `0.0410`, `1.23`, `16.0`, `2,048`.
pub fn milliseconds(ns: f64) -> String {
    let ms = ns / 1e6;
    match ms {
        ms if ms >= 999.5 => grouped(ms),
        ms if ms >= 99.95 => format!("{ms:.0}"),
        ms if ms >= 9.995 => format!("{ms:.1}"),
        ms if ms >= 0.9995 => format!("{ms:.2}"),
        ms if ms >= 0.09995 => format!("{ms:.3}"),
        ms => format!("{ms:.4}"),
    }
}

/// Bytes per second in units of 10⁶ or 2²⁰, one decimal.
pub fn mega(bytes_per_s: f64, unit: f64) -> String {
    let tenths = (bytes_per_s / unit * 10.0).round().max(0.0);
    let whole = (tenths / 10.0).floor();
    if whole >= 10_000.0 { grouped(whole) } else { format!("{}.{:.0}", grouped(whole), tenths - whole * 10.0) }
}

/// Bytes per second as providers print them.
pub fn mb_s(bytes_per_s: f64) -> String {
    format!("{} MB/s", mega(bytes_per_s, 1e6))
}

/// Headroom in percent, to a tenth, rounded down wherever it is shown: `69.6 %`, `20 %`, `-42.2 %`.
pub fn headroom(value: f64) -> String {
    // A tenth that was rounded down before stays what it is.
    let tenths = (value * 10.0 + 1e-6).floor() / 10.0;
    format!("{} %", tenths + 0.0)
}

/// A percentage, without pretending to know more than it does: `0 %`, `2.3 %`, `41 %`.
pub fn percent(value: f64) -> String {
    if value.abs() < 0.05 {
        "0 %".to_string()
    } else if value.abs() < 9.95 {
        format!("{value:.1} %")
    } else {
        format!("{value:.0} %")
    }
}

/// Percent that a figure may be off: rounded up, so that an error is never said to be smaller than it is.
pub fn error_percent(percent: f64) -> String {
    if percent < 1.0 {
        format!("{:.2}", (percent * 100.0).ceil() / 100.0)
    } else {
        format!("{:.1}", (percent * 10.0).ceil() / 10.0)
    }
}

/// A time in seconds: `12 s`, `29 min 51 s`, `2 h 5 min`.
pub fn seconds(s: f64) -> String {
    let whole = s.round() as u64;
    match whole {
        _ if s < 9.95 => format!("{s:.1} s"),
        0..120 => format!("{whole} s"),
        120..7_200 => both(whole / 60, "min", whole % 60, "s"),
        _ => both(whole / 3_600, "h", whole % 3_600 / 60, "min"),
    }
}

fn both(large: u64, unit: &str, small: u64, below: &str) -> String {
    let rest = if small > 0 { format!(" {small} {below}") } else { String::new() };
    format!("{large} {unit}{rest}")
}

/// Bytes in the largest binary unit that leaves at least one: `1.5 GiB`.
pub fn bytes(n: f64) -> String {
    for (power, unit) in (1..=6).rev().zip(["EiB", "PiB", "TiB", "GiB", "MiB", "KiB"]) {
        let size = 1u64 << (10 * power);
        if n >= size as f64 {
            let text = format!("{:.1}", n / size as f64);
            return format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text));
        }
    }
    format!("{n:.0} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let cases = [
            (41_000.0, "0.0410"),
            (250_400.0, "0.250"),
            (1_234_000.0, "1.23"),
            (16_000_000.0, "16.0"),
            (999_600_000.0, "1,000"),
            (2.048e9, "2,048"),
            (0.0, "0.0000"),
        ];
        for (ns, expected) in cases {
            assert_eq!(milliseconds(ns), expected, "{ns}");
        }
    }

    #[test]
    fn the_rest_reads_well() {
        assert_eq!(grouped(1_234_567.8), "1,234,568");
        assert_eq!(grouped(12.0), "12");
        let few = [(0.0, "0"), (0.25, "0.25"), (1.0, "1.0"), (7.46, "7.5"), (9.96, "10"), (12_800.0, "12,800")];
        for (value, text) in few {
            assert_eq!(iops(value), text);
        }
        let ends = [(500_000_000, "0.500"), (1, "0.000000001"), (2_000_000_000, "2.000"), (1_500_250_000, "1.50025")];
        for (ns, text) in ends {
            assert_eq!(exact_seconds(ns), text);
        }
        assert_eq!(mb_s(524_288_000.0), "524.3 MB/s");
        assert_eq!(mb_s(2e9), "2,000.0 MB/s");
        assert_eq!(mb_s(99_960_000.0), "100.0 MB/s");
        assert_eq!(percent(0.01), "0 %");
        assert_eq!(percent(2.34), "2.3 %");
        assert_eq!(percent(41.0), "41 %");
        assert_eq!(seconds(1_791.0), "29 min 51 s");
        assert_eq!(seconds(300.0), "5 min");
        assert_eq!(seconds(7_200.0), "2 h");
        assert_eq!(seconds(2.0), "2.0 s");
        assert_eq!(bytes(1.5 * 1024.0 * 1024.0 * 1024.0), "1.5 GiB");
    }
}
