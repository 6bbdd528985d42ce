//! Figures of a checklist as people read them.

use dw_messages::{Label, label};
use dw_observe::checklist::{Row, Unit};

use crate::language::{said, spoken};
use crate::report::format::{grouped, iops, mega, milliseconds};

/// What is said of a window instead of a table of unknowns.
pub const NOTHING_INSIDE: Label = label!("no interval of the recording is in this window");

/// A figure with the digits that mean something, without its unit.
pub fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::PerSecond => iops(value),
        Unit::Percent => format!("{value:.1}"),
        Unit::Bytes if value < 1024.0 * 1024.0 * 1024.0 => format!("{:.1}", value / 1024.0),
        Unit::Bytes => grouped(value / 1024.0),
        Unit::BytesPerSecond => small(mega(value, 1e6), value / 1e6),
        Unit::Seconds => milliseconds(value * 1e9),
        Unit::Count if value < 99.95 => format!("{value:.2}"),
        Unit::Count => grouped(value),
    }
}

/// A throughput below 0.05 MB/s keeps its first digits.
fn small(shown: String, value: f64) -> String {
    if value > 0.0 && value < 0.05 { format!("{value:.4}") } else { shown }
}

/// The unit of a row.
pub fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::PerSecond => "1/s",
        Unit::Percent => "%",
        Unit::Bytes => "KiB",
        Unit::BytesPerSecond => "MB/s",
        Unit::Seconds => "ms",
        Unit::Count => "",
    }
}

/// The figures of a row: p50, p90, p99, max, mean; a question mark where it is unknown.
pub fn cells(row: &Row) -> [String; 5] {
    let show = |v: Option<f64>| v.map_or_else(|| "?".to_string(), |v| figure(v, row.id.unit()));
    let cell = |c: Option<dw_observe::checklist::Cell>| show(c.map(|c| c.value));
    [cell(row.p50), cell(row.p90), cell(row.p99), show(row.max), show(row.mean)]
}

/// The row's name with its unit.
pub fn label(row: &Row) -> String {
    let name = spoken().word(row.id.label());
    match (row.id.unit(), unit(row.id.unit())) {
        (Unit::PerSecond | Unit::Percent | Unit::Count, _) => match row.id.unit() {
            Unit::Percent if !row.id.label().contains('%') => format!("{name} (%)"),
            _ => name.to_string(),
        },
        (_, unit) => format!("{name} ({unit})"),
    }
}

/// What stands behind how a row is known: its note, and what would fill it.
pub fn remark(row: &Row) -> String {
    row.note.iter().chain(&row.fill).map(|part| format!("; {}", said(part))).collect()
}
