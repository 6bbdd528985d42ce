//! A verification: every requirement against what was measured, and why it is not as predicted.

use dw_documents::verify::{CauseKind, Verdict, VerifyDocument, VerifyRow};

use super::words::{sentence, signed};
use crate::content::{Block, Level, Table};
use crate::format::{iops, mb_s, milliseconds, percent};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    read.verifications.iter().flat_map(|(name, verify)| of(name, verify)).collect()
}

/// The answer of each verification, for the summary.
pub(super) fn said(read: &Read) -> impl Iterator<Item = Block> {
    read.verifications.iter().map(|(name, verify)| {
        let answer = &verify.answer;
        Block::Said(level(verify.verdict), format!("Verified ({name}): {answer}."))
    })
}

fn of(name: &str, verify: &VerifyDocument) -> Vec<Block> {
    let caption = format!(
        "{} against {}; a figure may be off by {} ({name})",
        verify.requirements,
        verify.results.join(", "),
        percent(verify.tolerance_percent)
    );
    // Results of other tools have no predictions.
    let predicted = verify.rows.iter().any(|row| row.predicted.is_some());
    let mut head = vec!["requirement", "#required", "#predicted", "#measured", "#off", "verdict", "shown by"];
    head.retain(|title| predicted || !["#predicted", "#off"].contains(title));
    let mut table = Table::new(caption, &head);
    let mut causes: Vec<String> = Vec::new();
    for row in &verify.rows {
        if row.verdict == Verdict::NotMet {
            table.marked.push(table.rows.len());
        }
        let show = |v: Option<f64>| v.map_or("-".into(), |v| figure(row, v));
        let mut cells = vec![what(row), figure(row, row.required)];
        cells.extend(predicted.then(|| show(row.predicted)));
        cells.push(show(row.measured));
        cells.extend(predicted.then(|| row.difference_percent.map_or("-".into(), signed)));
        cells.push(row.verdict.words().into());
        cells.push(row.scenario.clone().unwrap_or_else(|| "no scenario".into()));
        table.row(cells);
        // Several levels are often shown by one run: its cause is said once.
        if let Some(cause) = row.cause.as_ref().filter(|c| c.kind != CauseKind::Agrees) {
            let text = format!("{}: {}", cause.kind.words(), cause.text);
            if !causes.contains(&text) {
                causes.push(text);
            }
        }
    }
    let mut blocks = vec![
        Block::Heading(format!("Verified on the prototype ({name})")),
        Block::Said(level(verify.verdict), sentence(&verify.answer.text)),
        Block::Table(table),
    ];
    if !causes.is_empty() {
        blocks.push(Block::Text("Why measurements are not as predicted:".into()));
        blocks.push(Block::List(causes));
    }
    blocks
}

fn what(row: &VerifyRow) -> String {
    let figure = row.metric.words();
    format!("{} {}s: {figure} at {}", row.volume, row.direction, row.level)
}

fn figure(row: &VerifyRow, value: f64) -> String {
    match row.unit.as_str() {
        "IOPS" => iops(value),
        "B/s" => mb_s(value),
        _ => format!("{} ms", milliseconds(value)),
    }
}

fn level(verdict: Verdict) -> Level {
    match verdict {
        Verdict::Met => Level::Good,
        Verdict::NotProven => Level::Warning,
        Verdict::NotMet => Level::Critical,
    }
}
