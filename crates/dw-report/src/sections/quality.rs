//! How far the recording can be relied on: what was covered, what is missing, what to doubt.

use dw_documents::checklist::FindingDocument;

use dw_messages::{Language, labels, text};

use crate::content::{Block, Level, Table};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (_, list) in &read.checklists {
        let caption = text!(lang, "What the recording covers");
        let mut covered = Table::new(lang, caption, &labels!["volume", "#covered", "#interval"]);
        for volume in &list.volumes {
            let known = volume.windows.first().map_or(0.0, |whole| whole.covered_s);
            let length = trimmed(known / if volume.coverage > 0.0 { volume.coverage } else { 1.0 });
            let share = format!("{:.1} %", volume.coverage * 100.0);
            let share = text!(lang, "{share} of {length}", share, length = format!("{length} s"));
            covered.row([volume.name.clone(), share, format!("{} s", trimmed(volume.interval_s))]);
        }
        blocks.push(Block::Table(covered));
        if list.damaged_lines > 0 {
            let text = text!(lang, "Lines that were not understood and are left out: {n}.", n = list.damaged_lines);
            blocks.push(Block::Said(Level::Warning, text));
        }
        if !list.left_out.is_empty() {
            let lines = list
                .left_out
                .iter()
                .map(|l| text!(lang, "{device} is not counted: {why}", device = l.device, why = l.why));
            blocks.push(Block::List(lines.collect()));
        }
        if list.findings.is_empty() {
            blocks.push(Block::Said(Level::Good, text!(lang, "The audit found nothing to doubt.")));
        } else {
            blocks.push(Block::Table(findings(&list.findings, lang)));
        }
    }
    blocks
}

/// How many findings there are.
pub(super) fn conclusion(read: &Read) -> String {
    let findings = || read.checklists.iter().flat_map(|(_, list)| &list.findings);
    let count = |severity: &str| findings().filter(|finding| finding.severity == severity).count();
    let (critical, warnings, notes) = (count("critical"), count("warning"), count("note"));
    if critical > 0 {
        return text!(
            read.lang,
            "critical findings: {critical}, warnings: {warnings}, notes: {notes}",
            critical,
            warnings,
            notes
        );
    }
    text!(read.lang, "warnings: {warnings}, notes: {notes}", warnings, notes)
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn findings(findings: &[FindingDocument], lang: &Language) -> Table {
    let mut table = Table::new(
        lang,
        text!(lang, "What the audit found, the gravest first"),
        &labels!["severity", "what was seen", "effect on a plan", "what to do", "first seen"],
    );
    for f in findings {
        let places: Vec<String> =
            f.evidence.iter().filter(|p| p.line > 0).take(3).map(|p| format!("{}:{}", p.file, p.line)).collect();
        let more = if f.count > places.len() as u64 && !places.is_empty() {
            format!(", {}", text!(lang, "{n} in all", n = f.count))
        } else {
            String::new()
        };
        table.row([
            format!("{} {}", lang.word(&f.severity), f.pitfall),
            format!("{}: {}", f.title, f.what),
            f.effect.to_string(),
            f.hint.as_ref().map_or(String::new(), ToString::to_string),
            format!("{}{more}", places.join(", ")),
        ]);
    }
    table
}
