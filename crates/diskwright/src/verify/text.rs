//! A verification for people.

use std::fmt::Write as _;

use super::document::{CauseKind, Verdict, VerifyDocument, VerifyRow};
use crate::bench::document::Metric;
use crate::report::format::{self, columns};

const HEAD: [&str; 9] = ["volume", "figure", "at", "required", "predicted", "measured", "difference", "verdict", "why"];

fn figure(metric: Metric, value: Option<f64>) -> String {
    let Some(value) = value else { return "-".into() };
    match metric {
        Metric::Iops => format::iops(value),
        Metric::Throughput => format::mb_s(value),
        _ => format!("{} ms", format::milliseconds(value)),
    }
}

fn cells(row: &VerifyRow) -> Vec<String> {
    let verdict = match row.verdict {
        Verdict::Met => "met",
        Verdict::NotMet => "NOT MET",
        Verdict::NotProven => "not proven",
    };
    let why = match &row.cause {
        Some(cause) if cause.kind != CauseKind::Agrees => cause.text.clone(),
        Some(_) => "as predicted".into(),
        None => "no scenario shows it: `bench --suite checklist`".into(),
    };
    vec![
        row.volume.clone(),
        format!("{} {}", row.direction, row.metric.words()),
        row.level.clone(),
        figure(row.metric, Some(row.required)),
        figure(row.metric, row.predicted),
        figure(row.metric, row.measured),
        row.difference_percent.map_or("-".into(), |d| format!("{d:+.1} %")),
        verdict.into(),
        why,
    ]
}

/// The table.
pub fn table(document: &VerifyDocument) -> String {
    let mut rows = vec![HEAD.iter().map(|h| h.to_string()).collect::<Vec<_>>()];
    rows.extend(document.rows.iter().map(cells));
    let tolerance = format::percent(document.tolerance_percent);
    format!("{} (within {tolerance})\n\n{}", document.answer, columns(&rows, &[0, 1, 2, 7, 8]))
}

/// The same for a page of text.
pub fn markdown(document: &VerifyDocument) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = format!("# Verification\n\n{}\n\n", document.answer);
    out += &line(&HEAD.map(str::to_string));
    out += &line(&["---", "---", "---", "---:", "---:", "---:", "---:", "---", "---"].map(str::to_string));
    document.rows.iter().for_each(|row| out += &line(&cells(row)));
    out
}

/// One line a requirement, in base units.
pub fn csv(document: &VerifyDocument) -> String {
    let mut out = String::from(
        "volume,direction,metric,unit,level,required,predicted,measured,difference_percent,verdict,cause\n",
    );
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
    };
    let number = |n: Option<f64>| n.map_or(String::new(), |n| format!("{n:.3}"));
    for row in &document.rows {
        let volume = if row.volume.contains([',', '"']) {
            format!("\"{}\"", row.volume.replace('"', "\"\""))
        } else {
            row.volume.clone()
        };
        let _ = writeln!(
            out,
            "{volume},{},{},{},{},{},{},{},{},{},{}",
            row.direction,
            word(serde_json::to_value(row.metric)),
            row.unit,
            row.level,
            number(Some(row.required)),
            number(row.predicted),
            number(row.measured),
            number(row.difference_percent),
            word(serde_json::to_value(row.verdict)),
            row.cause.as_ref().map_or(String::new(), |c| word(serde_json::to_value(c.kind))),
        );
    }
    out
}
