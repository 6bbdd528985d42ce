//! A calibration for people.

use std::fmt::Write as _;
use std::path::Path;

use super::document::CalibrateDocument;
use crate::report::{Table, Text, format};

/// The table.
pub fn table(document: &CalibrateDocument, saved: Option<&Path>) -> Text {
    let us = |us: Option<u64>| {
        us.map_or("not measured".into(), |us| format!("{} ms", format::milliseconds(us as f64 * 1e3)))
    };
    let mut out = Text::from(format!(
        "{}: reads {} at the median, writes {}, {}\n",
        document.name,
        us(document.read_p50_us),
        us(document.write_p50_us),
        document.bandwidth_mb_per_s.map_or("size does not matter".into(), |mb| format!("plus size / {mb} MB/s"))
    ));
    let _ = writeln!(out, "fitted to {} of `{}`\n", document.fitted_to.join(", "), document.volume);
    let left: String = document.left_out.iter().map(|l| format!("  {}: {}\n", l.scenario, l.why)).collect();
    if !left.is_empty() {
        let n = document.left_out.len();
        let scenarios = if n == 1 { "scenario" } else { "scenarios" };
        let _ = writeln!(out, "{n} {scenarios} excluded, for not showing the disks' own latency:\n{left}");
    }
    let head = ["held back", "figure", "measured", "before", "off", "fitted", "off"];
    let mut rows = vec![head.iter().map(|h| h.to_string()).collect::<Vec<_>>()];
    for row in &document.held_back {
        let figure = |value: f64| row.metric.shown(Some(value));
        let off = |value: f64| format!("{:+.1} %", (value / row.measured - 1.0) * 100.0);
        rows.push(vec![
            row.scenario.clone(),
            format!("{} {}", row.direction, row.metric.words()),
            figure(row.measured),
            figure(row.before),
            off(row.before),
            figure(row.after),
            off(row.after),
        ]);
    }
    out += Table::new(rows, &[0, 1]);
    let _ = writeln!(
        out,
        "\nOn {} the mean error of latency went from {:.1} % to {:.1} %, grade {}: {}",
        document.rests_on(),
        document.error_before_percent,
        document.error_after_percent,
        document.grade,
        match document.is_worse() {
            true => "the fitted model is worse than the one of before, and is not saved.".into(),
            false => format!("{:.0} % of it went away.", document.went_away_percent),
        }
    );
    match saved {
        Some(path) => {
            let _ = writeln!(
                out,
                "Saved in {0}. In a rig next to it: `latency_models = [\"{0}\"]` at the top, and of a disk \
                 `latency = {{ read = \"{1}\", write = \"{1}\" }}`.",
                path.display(),
                document.name
            );
        }
        None if document.is_worse() => {}
        None => out += "Not saved: say `--save FILE`.\n",
    }
    out
}
