//! An explanation as a table for people, as Markdown and as CSV.

use std::fmt::Write as _;

use dw_messages::{label, labels, text};

use crate::language::{heads, spoken};
use crate::output::{self, texts};
use crate::plan::{exceeded, figure, headed};
use crate::report::{Table, Text, format};
use dw_documents::explain::{ExplainDocument, LimitRow};

/// Cells of a bar.
const BAR: usize = 20;

fn name(row: &LimitRow) -> String {
    spoken().limit(&row.of.name())
}

fn note(row: &LimitRow) -> String {
    let (mut notes, lang) = (Vec::new(), spoken());
    let time = |seconds| lang.figure(&format::seconds(seconds));
    if row.exceeded > 1 || (row.exceeded == 1 && row.backlog_s.is_none_or(|s| s > 1.0)) {
        notes.push(exceeded(row.exceeded));
    }
    if let Some(backlog) = row.backlog_s.filter(|_| row.exceeded > 1) {
        notes.push(text!(lang, "requests wait up to {time}", time = time(backlog)));
    }
    if let Some(credits) = &row.credits {
        if let Some(at) = credits.empty_at_s {
            notes.push(text!(lang, "credits used up after {time}", time = time(at)));
        } else if let Some(last) = credits.last_s {
            notes.push(text!(lang, "credits run out in {time} at this load", time = time(last)));
        }
    }
    if row.binding {
        notes.push(format!("<- {}", text!(lang, "binding")));
    }
    lang.list(&notes)
}

/// The report.
pub(super) fn table(document: &ExplainDocument) -> Text {
    let lang = spoken();
    let mut out = Text::from(format!("{}\n{}\n", document.rig, document.finding));
    // Of one figure there are no percentiles.
    let loads = if document.is_over_time() { heads(&labels!["p50", "p99", "max"]) } else { heads(&labels!["asked"]) };
    let mut head = heads(&labels!["limit", "gives", "needed", "used of the limit", "", ""]);
    head.splice(1..1, loads.clone());
    let mut rows = vec![head];
    for row in &document.limits {
        let of = |value| figure(&row.of.unit, value);
        let filled = ((row.used_percent / 100.0).clamp(0.0, 1.0) * BAR as f64).round() as usize;
        let bar = format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled));
        let used = format!("{:.0} %", row.used_percent);
        let loads: &[f64] = match document.is_over_time() {
            true => &[row.asked.p50, row.asked.p99, row.asked.max],
            false => &[row.asked.max],
        };
        let mut cells = vec![name(row)];
        cells.extend(loads.iter().map(|load| of(*load)));
        cells.extend([of(row.gives), of(row.needed), used, bar, note(row)]);
        rows.push(cells);
    }
    let title = match document.of_demand {
        true => text!(lang, "demand, in order of a request's path"),
        false => text!(lang, "measured, in order of a request's path"),
    };
    out += format!("\n{title}\n");
    out += Table::new(rows, &[0, 4 + loads.len(), 5 + loads.len()]);
    if document.of_demand && !document.volumes.is_empty() {
        let mut rows =
            vec![heads(&labels!["volume", "asks", "gets", "", "stopped by", "queue depth", "read", "write"])];
        for v in &document.volumes {
            let both = |iops: u64, bytes: u64| {
                format!("{} IOPS, {}", format::grouped(iops as f64), figure("B/s", bytes as f64))
            };
            let ms = |us: u64| format!("{} ms", format::milliseconds(us as f64 * 1e3));
            rows.push(vec![
                v.name.clone(),
                both(v.asked_iops, v.asked_bytes_per_s),
                both(v.gets_iops, v.gets_bytes_per_s),
                format!("{:.0} %", v.gets_percent.floor()),
                v.limited_by.as_ref().map_or("-".into(), |limit| lang.limit(limit)),
                v.queue_depth_needed.to_string(),
                ms(v.read_latency_us),
                ms(v.write_latency_us),
            ]);
        }
        out += format!("\n{}\n", text!(lang, "in the worst interval"));
        out += Table::new(rows, &[0, 4]);
    }
    for row in &document.measured {
        let _ = write!(out, "\n{}: {} [{}]\n", text!(lang, "measured"), row.sentence, row.entries.join(", "));
    }
    if !document.changes.is_empty() {
        out += format!("\n{}\n", text!(lang, "one change"));
        for change in &document.changes {
            let enough = if change.enough {
                text!(lang, "enough")
            } else if change.carried_percent >= 100.0 {
                text!(lang, "helps, but not enough on its own")
            } else {
                let share = format!("{:.0} %", change.carried_percent.floor());
                text!(lang, "carries {share}, not enough on its own", share)
            };
            let _ = writeln!(out, "  {}: {enough}", change.change);
        }
    } else if document.new_plan.is_none()
        && document.verdict == dw_documents::explain::Verdict::Limit
        && !document.binding.is_empty()
    {
        let line = text!(lang, "no single change helps: `diskwright plan` searches for a whole configuration");
        out += format!("\n{line}\n");
    }
    if let Some(plan) = &document.new_plan {
        let _ = writeln!(out, "\n{}\n  {plan}", text!(lang, "planning again"));
    }
    for (title, lines) in [
        (label!("wrong at any load"), &document.anti_patterns),
        (label!("throttled sources"), &document.throttled_sources),
        (label!("would say more"), &document.missing),
        (label!("assumptions"), &document.assumptions),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{}", lang.label(title));
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "  {line}");
            });
        }
    }
    out
}

/// Tables for a page of text.
pub(super) fn markdown(document: &ExplainDocument) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let lang = spoken();
    let mut out = format!("**{}**\n\n{}\n", cell(&document.rig), cell(&document.finding.text));
    let mut head = heads(&labels!["limit", "gives", "needed", "used of the limit", ""]);
    let loads = if document.is_over_time() { heads(&labels!["p99", "max"]) } else { heads(&labels!["asked"]) };
    head.splice(1..1, loads);
    out += &headed(&head);
    for row in &document.limits {
        let of = |value| lang.figure(&figure(&row.of.unit, value));
        let _ = writeln!(
            out,
            "| {} | {}{} | {} | {} | {:.0} % | {} |",
            cell(&name(row)),
            if document.is_over_time() { of(row.asked.p99) + " | " } else { String::new() },
            of(row.asked.max),
            of(row.gives),
            of(row.needed),
            row.used_percent,
            note(row).replace(&format!("<- {}", text!(lang, "binding")), &format!("**{}**", text!(lang, "binding")))
        );
    }
    let enough = |enough: bool| if enough { text!(lang, "enough") } else { text!(lang, "not enough alone") };
    for (title, lines) in [
        (label!("measured"), document.measured.iter().map(|row| row.sentence.to_string()).collect()),
        (
            label!("one change"),
            document.changes.iter().map(|c| format!("{}: {}", c.change, enough(c.enough))).collect(),
        ),
        (label!("planning again"), document.new_plan.iter().map(|plan| plan.to_string()).collect()),
        (label!("wrong at any load"), texts(&document.anti_patterns)),
        (label!("throttled sources"), texts(&document.throttled_sources)),
        (label!("would say more"), texts(&document.missing)),
        (label!("assumptions"), texts(&document.assumptions)),
    ] {
        let lines: Vec<String> = lines;
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{}:\n", lang.label(title));
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "- {line}");
            });
        }
    }
    out
}

const HEAD: [&str; 16] = [
    "limit",
    "volume",
    "unit",
    "gives",
    "burst",
    "p50",
    "p90",
    "p99",
    "max",
    "used_percent",
    "exceeded",
    "narrowest",
    "binding",
    "needed",
    "backlog_s",
    "credits_empty_at_s",
];

/// A line for each limit.
pub(super) fn csv(document: &ExplainDocument) -> String {
    let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let record = |row: &LimitRow| {
        let mut record = vec![row.of.limit.clone(), row.of.volume.clone().unwrap_or_default(), row.of.unit.clone()];
        record.extend([row.gives.to_string(), optional(row.burst)]);
        record.extend(
            [row.asked.p50, row.asked.p90, row.asked.p99, row.asked.max, row.used_percent]
                .map(|figure| figure.to_string()),
        );
        record.extend([row.exceeded.to_string(), row.narrowest.to_string(), row.binding.to_string()]);
        let empty = row.credits.as_ref().and_then(|credits| credits.empty_at_s);
        record.extend([row.needed.to_string(), optional(row.backlog_s), optional(empty)]);
        record
    };
    output::csv(&HEAD, document.limits.iter().map(record))
}
