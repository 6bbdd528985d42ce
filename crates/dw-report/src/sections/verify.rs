//! A verification: every requirement against what was measured, and why it is not as predicted.

use dw_documents::verify::{CauseKind, Verdict, VerifyDocument, VerifyRow};

use dw_messages::{Language, labels, text};

use super::words::{directions, ended, sentence, signed};
use crate::content::{Block, Level, Table};
use crate::format::{iops, mb_s, milliseconds, percent};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    read.verifications.iter().flat_map(|(name, verify)| document(name, verify, read.lang)).collect()
}

/// The answer of each verification, for the summary.
pub(super) fn said(read: &Read) -> impl Iterator<Item = (Level, String)> {
    read.verifications.iter().map(|(name, verify)| {
        let answer = ended(&verify.answer.text, read.lang);
        (level(verify.verdict), text!(read.lang, "Verified ({name}): {answer}", name, answer))
    })
}

fn document(name: &str, verify: &VerifyDocument, lang: &Language) -> Vec<Block> {
    let caption = text!(
        lang,
        "{requirements} against {results}; a figure may be off by {share} ({name})",
        requirements = verify.requirements,
        results = lang.list(&verify.results),
        share = lang.figure(&percent(verify.tolerance_percent)),
        name
    );
    // Results of other tools have no predictions.
    let predicted = verify.rows.iter().any(|row| row.predicted.is_some());
    let mut head =
        labels!["requirement", "#required", "#predicted", "#measured", "#off", "verdict", "shown by"].to_vec();
    head.retain(|title| predicted || !["#predicted", "#off"].contains(&title.english()));
    let mut table = Table::new(lang, caption, &head);
    let mut causes: Vec<String> = Vec::new();
    for row in &verify.rows {
        if row.verdict == Verdict::NotMet {
            table.marked.push(table.rows.len());
        }
        let show = |v: Option<f64>| v.map_or("-".into(), |v| figure(row, v));
        let mut cells = vec![what(row, lang), figure(row, row.required)];
        cells.extend(predicted.then(|| show(row.predicted)));
        cells.push(show(row.measured));
        cells.extend(predicted.then(|| row.difference_percent.map_or("-".into(), signed)));
        cells.push(lang.word(row.verdict.words()).into());
        cells.push(row.scenario.clone().unwrap_or_else(|| text!(lang, "no scenario")));
        table.row(cells);
        // Several levels are often shown by one run: its cause is said once.
        if let Some(cause) = row.cause.as_ref().filter(|c| c.kind != CauseKind::Agrees) {
            let text = format!("{}: {}", lang.word(cause.kind.words()), cause.text);
            if !causes.contains(&text) {
                causes.push(text);
            }
        }
    }
    let mut blocks = vec![
        Block::Heading(text!(lang, "Verified on the prototype ({name})", name)),
        Block::Said(level(verify.verdict), sentence(&verify.answer.text, lang)),
        Block::Table(table),
    ];
    if !causes.is_empty() {
        blocks.push(Block::Text(text!(lang, "Why measurements are not as predicted:")));
        blocks.push(Block::List(causes));
    }
    blocks
}

fn what(row: &VerifyRow, lang: &Language) -> String {
    let (volume, level) = (&row.volume, &row.level);
    let figure = lang.word(row.metric.words());
    text!(
        lang,
        "{volume} {requests}: {figure} at {level}",
        volume,
        requests = directions(&row.direction, lang),
        figure,
        level
    )
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
