//! Findings for people: a table, and a comment on a pull request.

use std::collections::{BTreeMap, HashMap};

use diskwright::audit::unjudged;
use dw_documents::audit::{AuditDocument, Finding, Level};
use dw_error::obeyed;
use dw_messages::{Figure, Sentence, label, labels, say};

use super::metrics;
use crate::language::{heads, said, spoken, taken};
use crate::report::{Table, Text, format};

/// A comment has at most so many lines.
const LINES: usize = 40;

/// A line of a table: a finding, and how many more notes of its rule stand in it.
struct Line<'a> {
    finding: &'a Finding,
    more: usize,
    /// Of all of them.
    saves: f64,
}

/// What is not waived, as the document has it in order; the notes of a rule in one line, for there are many.
fn rows(audit: &AuditDocument) -> Vec<Line<'_>> {
    let mut lines: Vec<Line> = Vec::new();
    let mut notes: HashMap<&str, usize> = HashMap::new();
    for finding in audit.findings.iter().filter(|finding| finding.waived.is_none()) {
        let saves = finding.saves();
        if finding.level == Level::Note {
            if let Some(place) = notes.get(finding.code.as_str()) {
                lines[*place].more += 1;
                lines[*place].saves += saves;
                continue;
            }
            notes.insert(&finding.code, lines.len());
        }
        lines.push(Line { finding, more: 0, saves });
    }
    lines
}

/// Notes that do not stand alone, where there are such.
fn folded(lines: &[Line]) -> Option<Sentence> {
    let notes = lines.iter().filter(|line| line.more > 0).map(|line| line.more + 1).sum::<usize>();
    (notes > 0).then(|| say!(EstateFolded { notes }))
}

impl Line<'_> {
    fn cells(&self) -> [String; 7] {
        let finding = self.finding;
        let says = match self.more {
            0 => finding.text(said),
            more => said(&say!(EstateLike { says: finding.text(said), more })),
        };
        let saves = if self.saves > 0.0 { format::grouped(self.saves.round()) } else { String::new() };
        [
            finding.code.clone(),
            level(finding.level).to_string(),
            finding.machine.clone(),
            finding.disk.clone(),
            saves,
            says,
            ends(finding),
        ]
    }
}

pub fn level(level: Level) -> &'static str {
    let label = match level {
        Level::Note => label!("note"),
        Level::Warning => label!("warning"),
        Level::Error => label!("error"),
    };
    spoken().label(label)
}

pub fn summary(audit: &AuditDocument) -> Vec<Sentence> {
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
    all.extend(audit.planned.iter().flat_map(metrics::summary));
    let mut gone: BTreeMap<&str, usize> = BTreeMap::new();
    audit.let_go.iter().for_each(|finding| *gone.entry(&finding.code).or_default() += 1);
    let rules: Vec<String> = gone.into_iter().map(|(code, count)| format!("{code} x {count}")).collect();
    all.extend((!rules.is_empty()).then(|| say!(EstateLetGo { findings: audit.let_go.len(), rules })));
    all
}

/// What is missing, or has no effect, as lines of a summary.
pub fn warnings(audit: &AuditDocument) -> impl Iterator<Item = String> {
    audit.doubts_by(true).map(|doubt| format!("{}: {}", level(Level::Warning), said(doubt)))
}

/// What else to know before the findings are believed, and what was not judged.
pub fn doubts(audit: &AuditDocument) -> impl Iterator<Item = Sentence> {
    audit.doubts_by(false).cloned().chain(unjudged(audit))
}

pub fn ends(finding: &Finding) -> String {
    let Some(remedy) = &finding.remedy else { return String::new() };
    match &remedy.takes {
        Some(takes) => format!("{} ({})", said(&remedy.what), taken(takes)),
        None => said(&remedy.what),
    }
}

pub fn table(audit: &AuditDocument) -> Text {
    use std::fmt::Write as _;
    let mut out = Text::new();
    for line in summary(audit).iter().map(said).chain(warnings(audit)) {
        let _ = writeln!(out, "{line}");
    }
    let lines = rows(audit);
    if !lines.is_empty() {
        let _ = writeln!(out);
        let mut rows =
            vec![heads(&labels!["code", "level", "machine", "disk", "saves a month", "finding", "what ends it"])];
        rows.extend(lines.iter().map(|line| line.cells().to_vec()));
        out += Table::new(rows, &[0, 1, 2, 3, 5, 6]);
    }
    for (place, sentence) in folded(&lines).into_iter().chain(doubts(audit)).enumerate() {
        if place == 0 {
            let _ = writeln!(out);
        }
        let _ = writeln!(out, "{}: {}", level(Level::Note), said(&sentence));
    }
    if let Some(planned) = &audit.planned {
        metrics::table(planned, &mut out);
    }
    out
}

pub fn markdown(audit: &AuditDocument) -> String {
    let mut lines: Vec<String> =
        summary(audit).iter().map(said).chain(warnings(audit)).take(LINES / 2).map(|line| plain(&line)).collect();
    let rows = rows(audit);
    let mut notes: Vec<String> = folded(&rows)
        .into_iter()
        .chain(doubts(audit))
        .map(|sentence| format!("- {}", plain(&said(&sentence))))
        .collect();
    notes.truncate(LINES / 4);
    if !rows.is_empty() {
        lines.push(String::new());
        let head = heads(&labels!["code", "level", "machine", "disk", "saves a month", "finding", "what ends it"]);
        lines.push(format!("| {} |", head.join(" | ")));
        lines.push("|---|---|---|---|--:|---|---|".into());
        // A blank line and the rest are said below.
        let room = LINES.saturating_sub(lines.len() + notes.len() + 3);
        let shown = rows.iter().take(room).map(Line::cells);
        lines.extend(shown.map(|cells| format!("| {} |", cells.map(|cell| plain(&cell)).join(" | "))));
        let left: usize = rows.iter().skip(room).map(|row| row.more + 1).sum();
        if left > 0 {
            lines.extend([String::new(), said(&say!(EstateMore { findings: left }))]);
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
