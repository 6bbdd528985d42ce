//! A verification for people.

use dw_messages::{Label, labels, say, text};
use dw_report::markdown::{self, plain};

use crate::language::{heads, said, spoken};
use crate::output;
use crate::report::{Table, Text, format};
use diskwright::verify::{CauseKind, Verdict, VerifyDocument, VerifyRow};

const HEAD: [Label; 9] =
    labels!["volume", "figure", "at", "required", "predicted", "measured", "difference", "verdict", "why"];

fn cells(row: &VerifyRow) -> Vec<String> {
    let lang = spoken();
    let verdict = match row.verdict {
        Verdict::Met => "met",
        Verdict::NotMet => "NOT MET",
        Verdict::NotProven => "not proven",
    };
    let why = match &row.cause {
        Some(cause) if cause.kind != CauseKind::Agrees => cause.text.to_string(),
        Some(_) => said(&say!(CauseAgrees)),
        None if row.measured.is_some() => said(&say!(CauseNotPredicted)),
        None => said(&say!(CauseNotShown)),
    };
    vec![
        row.volume.clone(),
        format!("{} {}", lang.word(&row.direction), lang.word(row.metric.words())),
        row.level.clone(),
        row.metric.shown(Some(row.required)),
        row.metric.shown(row.predicted),
        row.metric.shown(row.measured),
        row.difference_percent.map_or("-".into(), |d| format!("{d:+.1} %")),
        lang.word(verdict).into(),
        why,
    ]
}

pub fn table(document: &VerifyDocument) -> Text {
    let mut rows = vec![heads(&HEAD)];
    rows.extend(document.rows.iter().map(cells));
    let tolerance = format::percent(document.tolerance_percent);
    let answer = &document.answer;
    let tolerance = spoken().figure(&tolerance);
    let line = text!(spoken(), "{answer} (within {tolerance})", answer, tolerance);
    let mut out = Text::from(format!("{line}\n\n"));
    out += Table::new(rows, &[0, 1, 2, 7, 8]);
    out
}

/// The same for a page of text.
pub fn markdown(document: &VerifyDocument) -> String {
    let table = markdown::table(&heads(&HEAD), &[3, 4, 5, 6], document.rows.iter().map(cells));
    format!("# {}\n\n{}\n\n{table}", text!(spoken(), "Verification"), plain(&document.answer.text))
}

/// One line a requirement, in base units.
pub fn csv(document: &VerifyDocument) -> String {
    let head = [
        "volume",
        "direction",
        "metric",
        "unit",
        "level",
        "required",
        "predicted",
        "measured",
        "difference_percent",
        "verdict",
        "cause",
    ];
    let number = |n: Option<f64>| n.map_or(String::new(), |n| format!("{n:.3}"));
    let record = |row: &VerifyRow| {
        vec![
            row.volume.clone(),
            row.direction.clone(),
            output::word(row.metric),
            row.unit.clone(),
            row.level.clone(),
            number(Some(row.required)),
            number(row.predicted),
            number(row.measured),
            number(row.difference_percent),
            output::word(row.verdict),
            row.cause.as_ref().map_or(String::new(), |c| output::word(c.kind)),
        ]
    };
    output::csv(&head, document.rows.iter().map(record))
}
