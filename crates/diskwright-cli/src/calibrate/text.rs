//! A calibration for people.

use std::fmt::Write as _;
use std::path::Path;

use diskwright::calibrate::CalibrateDocument;

use crate::report::{Table, Text, format};

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
        let _ = writeln!(out, "{n} {scenarios} excluded because they do not show the disks' own latency:\n{left}");
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
            true => "the fitted model is worse than the previous one and is not saved.".into(),
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
        None => out += "Not saved: use `--save FILE`.\n",
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worse_model_is_said_to_be_and_not_saved() {
        let document = |after: f64| -> CalibrateDocument {
            serde_json::from_value(serde_json::json!({
                "schema_version": 1, "document": "calibration", "name": "here", "volume": "data", "model": "", "grade": "D",
                "read_p50_us": 1200, "write_p50_us": null, "bandwidth_mb_per_s": null, "fitted_to": ["s0"], "left_out": [],
                "held_back": [], "held_back_scenarios": 1, "error_before_percent": 10.0, "error_after_percent": after,
                "went_away_percent": 100.0 - 10.0 * after,
            }))
            .unwrap()
        };
        let worse = table(&document(20.0), None).to_string();
        assert!(worse.contains("worse than the previous one and is not saved"), "{worse}");
        let better = table(&document(4.0), None).to_string();
        assert!(better.contains("60 % of it went away.") && better.contains("use `--save FILE`"), "{better}");
    }
}
