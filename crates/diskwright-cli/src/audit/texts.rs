//! Findings for people: a table, and a comment on a pull request.

use diskwright::audit::unjudged;
use dw_documents::audit::{AuditDocument, Finding, Level};
use dw_error::obeyed;
use dw_messages::{Figure, Sentence, label, labels, say};

use crate::language::{heads, said, spoken};
use crate::report::{Table, Text, format};

/// A comment has at most so many lines.
const LINES: usize = 40;

/// What is not waived, as the document has it in order.
fn open(audit: &AuditDocument) -> Vec<&Finding> {
    audit.findings.iter().filter(|finding| finding.waived.is_none()).collect()
}

fn level(level: Level) -> &'static str {
    let label = match level {
        Level::Note => label!("note"),
        Level::Warning => label!("warning"),
        Level::Error => label!("error"),
    };
    spoken().label(label)
}

fn summary(audit: &AuditDocument) -> Vec<Sentence> {
    let (counts, cost) = (&audit.counts, &audit.cost);
    let (machines, disks, unpriced) = (audit.machines, audit.disks, cost.unpriced);
    let (errors, warnings, notes) = (counts.errors, counts.warnings, counts.notes);
    let text = format!("{} {}", format::grouped(cost.monthly.round()), cost.currency);
    let monthly = Figure::new(cost.monthly, "USD", text);
    let mut all = vec![
        say!(EstateSummary { machines, disks, errors, warnings, notes }),
        say!(EstateMonthly { monthly, unpriced }),
    ];
    all.extend((counts.waived > 0).then(|| say!(EstateWaived { findings: counts.waived })));
    all
}

/// What to know before the findings are believed, and what was not judged.
fn doubts(audit: &AuditDocument) -> impl Iterator<Item = Sentence> {
    audit.doubts.iter().cloned().chain(unjudged(audit))
}

fn saves(finding: &Finding) -> String {
    match finding.saves() {
        money if money > 0.0 => format::grouped(money.round()),
        _ => String::new(),
    }
}

fn ends(finding: &Finding) -> String {
    let Some(remedy) = &finding.remedy else { return String::new() };
    match &remedy.takes {
        Some(takes) => format!("{} ({takes})", said(&remedy.what)),
        None => said(&remedy.what),
    }
}

pub fn table(audit: &AuditDocument) -> Text {
    use std::fmt::Write as _;
    let mut out = Text::new();
    for sentence in summary(audit) {
        let _ = writeln!(out, "{}", said(&sentence));
    }
    let findings = open(audit);
    if !findings.is_empty() {
        let _ = writeln!(out);
        let mut rows =
            vec![heads(&labels!["code", "level", "machine", "disk", "saves a month", "finding", "what ends it"])];
        rows.extend(findings.into_iter().map(|finding| {
            vec![
                finding.code.clone(),
                level(finding.level).to_string(),
                finding.machine.clone(),
                finding.disk.clone(),
                saves(finding),
                said(&finding.says),
                ends(finding),
            ]
        }));
        out += Table::new(rows, &[0, 1, 2, 3, 5, 6]);
    }
    for (place, sentence) in doubts(audit).enumerate() {
        if place == 0 {
            let _ = writeln!(out);
        }
        let _ = writeln!(out, "{}: {}", level(Level::Note), said(&sentence));
    }
    out
}

pub fn markdown(audit: &AuditDocument) -> String {
    let mut lines: Vec<String> = summary(audit).iter().map(|sentence| plain(&said(sentence))).collect();
    let mut notes: Vec<String> = doubts(audit).map(|sentence| format!("- {}", plain(&said(&sentence)))).collect();
    notes.truncate(LINES / 4);
    let findings = open(audit);
    if !findings.is_empty() {
        lines.push(String::new());
        let head = heads(&labels!["code", "level", "machine", "disk", "saves a month", "finding", "what ends it"]);
        lines.push(format!("| {} |", head.join(" | ")));
        lines.push("|---|---|---|---|--:|---|---|".into());
        // A blank line and the rest are said below.
        let room = LINES.saturating_sub(lines.len() + notes.len() + 3);
        for finding in findings.iter().take(room) {
            let (saves, says, ends) = (saves(finding), said(&finding.says), ends(finding));
            let cells: [&str; 7] =
                [&finding.code, level(finding.level), &finding.machine, &finding.disk, &saves, &says, &ends];
            lines.push(format!("| {} |", cells.map(plain).join(" | ")));
        }
        if let Some(more) = findings.len().checked_sub(room).filter(|more| *more > 0) {
            lines.extend([String::new(), said(&say!(EstateMore { findings: more }))]);
        }
    }
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes);
    }
    lines.join("\n") + "\n"
}

/// A text in Markdown that stands for itself: no mark of it, no HTML, nothing that is obeyed, on one line.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in obeyed::line(text).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            // Nobody is called by a machine's name.
            '@' => out += "&#64;",
            '\\' | '`' | '*' | '[' | ']' | '|' | '!' | '~' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
