//! The checklist as CSV: one line per volume, window and row; figures in base units, empty where unknown.

use diskwright::observe::document::unit;
use dw_observe::Observation;
use dw_observe::checklist::Row;

use crate::output;

const HEAD: [&str; 21] = [
    "volume",
    "window",
    "row",
    "unit",
    "min",
    "mean",
    "p50",
    "p50_low",
    "p50_high",
    "p90",
    "p90_low",
    "p90_high",
    "p99",
    "p99_low",
    "p99_high",
    "max",
    "n",
    "interval_s",
    "provenance",
    "source",
    "note",
];

/// All rows.
pub fn csv(observation: &Observation) -> String {
    let checklists = observation.volumes.iter().flat_map(|v| v.checklists.iter().map(|c| (v.name.as_str(), c)));
    let rows = checklists
        .flat_map(|(volume, checklist)| checklist.rows.iter().map(|row| record(volume, &checklist.window, row)));
    output::csv(&HEAD, rows)
}

fn record(volume: &str, window: &str, row: &Row) -> Vec<String> {
    let mut fields = vec![
        volume.to_string(),
        window.to_string(),
        row.id.key().to_string(),
        unit(row.id.unit()).to_string(),
        number(row.min),
        number(row.mean),
    ];
    for cell in [row.p50, row.p90, row.p99] {
        fields.extend([cell.map(|c| c.value), cell.and_then(|c| c.low), cell.and_then(|c| c.high)].map(number));
    }
    fields.extend([
        number(row.max),
        row.n.to_string(),
        number(Some(row.interval.ns() as f64 / 1e9)),
        row.provenance.word().to_string(),
        row.source.clone(),
        row.note.as_ref().or(row.fill.as_ref()).map_or(String::new(), ToString::to_string),
    ]);
    fields
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |v| format!("{v}"))
}
