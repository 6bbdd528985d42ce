//! Figures and names as every section writes them.

use dw_documents::plan::{DesignRow, VolumeRow};
use dw_messages::{Language, label};
use dw_units::{Money, MoneyChange};

use crate::format::{bytes, grouped, iops, mb_s, mega, milliseconds};

/// Volumes that are drawn one by one: of more, nobody looks at each.
pub(super) const MANY: usize = 6;

/// A figure of a checklist in its unit.
pub(super) fn checklist_figure(unit: &str, value: f64) -> String {
    match unit {
        "1/s" => iops(value),
        "percent" => format!("{value:.1}"),
        "bytes" if value < (1u64 << 30) as f64 => format!("{:.1}", value / 1_024.0),
        "bytes" => grouped(value / 1_024.0),
        "bytes/s" if value > 0.0 && value < 50_000.0 => format!("{:.4}", value / 1e6),
        "bytes/s" => mega(value, 1e6),
        "s" => milliseconds(value * 1e9),
        _ if value < 99.95 => format!("{value:.2}"),
        _ => grouped(value),
    }
}

/// The unit that [`checklist_figure`] writes in.
pub(super) fn checklist_unit(unit: &str) -> &'static str {
    match unit {
        "1/s" => "1/s",
        "percent" => "%",
        "bytes" => "KiB",
        "bytes/s" => "MB/s",
        "s" => "ms",
        _ => "",
    }
}

/// The disks of a planned volume.
pub(super) fn disks(volume: &VolumeRow, lang: &Language) -> String {
    volume.disks_said().unwrap_or_else(|| lang.word("local disk").into())
}

/// A caption with the document that it is about, where that has a name of its own.
pub(super) fn of(caption: String, name: &str) -> String {
    let is_usual = ["plan", "simulation", "checklist", "comparison"].contains(&name);
    if is_usual { caption } else { format!("{caption} ({name})") }
}

/// Disks as a table of several designs names them: what was chosen of a disk stands in the table of its volumes.
pub(super) fn short_disks(volume: &VolumeRow, lang: &Language) -> String {
    let Some(sku) = &volume.disk else { return lang.word("local disk").into() };
    let count = if volume.disks > 1 { format!("{} × ", volume.disks) } else { String::new() };
    let size = volume.disk_gib.map_or(String::new(), |gib| format!(" {gib} GiB"));
    format!("{count}{sku}{size}")
}

/// `cheapest, balanced`.
pub(super) fn design_name(row: &DesignRow, lang: &Language) -> String {
    let names = row.name();
    lang.list(&names.split(", ").map(|name| lang.word(name)).collect::<Vec<_>>())
}

/// `read_iops` as `read IOPS`.
pub(super) fn row_name(key: &str, lang: &Language) -> String {
    let name = match key {
        "transactions_max" => label!("max transactions"),
        "reads" => label!("share of reads"),
        "writes" => label!("share of writes"),
        "random" => label!("share of random"),
        "sequential" => label!("share of sequential"),
        "io_size" => label!("I/O size"),
        _ => return lang.word(&key.replace('_', " ").replace("iops", "IOPS").replace("cpu", "CPU")).to_string(),
    };
    lang.label(name).into()
}

/// A figure of a plan's limit with its unit.
pub(super) fn limit_figure(unit: &str, value: f64) -> String {
    let trimmed =
        |value: f64| if value.fract() == 0.0 || value >= 1_000.0 { grouped(value) } else { format!("{value:.1}") };
    match unit {
        "B/s" => mb_s(value),
        "us" => format!("{} ms", milliseconds(value * 1e3)),
        "MiB" => bytes(value * 1_048_576.0),
        "" => trimmed(value),
        _ => format!("{} {unit}", trimmed(value)),
    }
}

/// An amount of money: `1,234.56`.
pub(super) fn money(value: f64) -> String {
    Money::of_amount(value).to_string()
}

/// So much more, or less: `+4.62`, `-280.32`.
pub(super) fn money_change(value: f64) -> String {
    MoneyChange::of_amount(value).to_string()
}

/// Percent by which the second differs from the first, with its sign; none from nothing.
pub(super) fn difference(from: f64, to: f64) -> Option<f64> {
    (from > 0.0).then(|| (to - from) / from * 100.0)
}

/// A difference in percent: `+2.3 %`.
pub(super) fn signed(percent: f64) -> String {
    let rounded = (percent * 10.0).round() / 10.0;
    if rounded == 0.0 { "0.0 %".into() } else { format!("{rounded:+.1} %") }
}

/// Of a long list, a few evenly apart, first and last among them: what a table under a chart shows.
pub(super) fn sampled(length: usize, most: usize) -> Vec<usize> {
    if length <= most {
        return (0..length).collect();
    }
    (0..most).map(|i| i * (length - 1) / (most - 1)).collect()
}

/// A line of a command as a sentence.
pub(super) fn sentence(text: &str, lang: &Language) -> String {
    ended(&capitalized(text), lang)
}

/// With a capital at the beginning, unless a name is there: `r6a.2xlarge` is written so.
pub(super) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !text.split(' ').next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit())) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.into(),
    }
}

/// With the stop of the language, once.
pub(super) fn ended(text: &str, lang: &Language) -> String {
    format!("{}{}", text.trim_end_matches(['.', '。']), lang.stop())
}

/// `read` as `reads`.
pub(super) fn directions<'a>(direction: &'a str, lang: &'a Language) -> &'a str {
    match direction {
        "read" => lang.word("reads"),
        "write" => lang.word("writes"),
        "sync" => lang.word("sync"),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(money(1_234.565), "1,234.57");
        assert_eq!(money(0.0), "0.00");
        assert_eq!(money_change(-280.315), "-280.32");
        assert_eq!(signed(-0.04), "0.0 %");
        assert_eq!(signed(2.345), "+2.3 %");
        assert_eq!(sampled(100, 4), [0, 33, 66, 99]);
        assert_eq!(limit_figure("us", 1_500.0), "1.50 ms");
        assert_eq!(limit_figure("MiB", 65_536.0), "64 GiB");
        assert_eq!(row_name("read_iops", Language::english()), "read IOPS");
    }
}
