//! An explanation as a table for people, as Markdown and as CSV.

use std::fmt::Write as _;

use crate::output::{self, texts};
use crate::plan::{figure, intervals};
use crate::report::{Table, Text, format};
use dw_documents::explain::{ExplainDocument, LimitRow};

/// Cells of a bar.
const BAR: usize = 20;

fn name(row: &LimitRow) -> String {
    row.of.name()
}

fn note(row: &LimitRow) -> String {
    let mut notes = Vec::new();
    if row.exceeded > 1 || (row.exceeded == 1 && row.backlog_s.is_none_or(|s| s > 1.0)) {
        notes.push(format!("exceeded in {}", intervals(row.exceeded)));
    }
    if let Some(backlog) = row.backlog_s.filter(|_| row.exceeded > 1) {
        notes.push(format!("requests wait up to {}", format::seconds(backlog)));
    }
    if let Some(credits) = &row.credits {
        if let Some(at) = credits.empty_at_s {
            notes.push(format!("credits used up after {}", format::seconds(at)));
        } else if let Some(last) = credits.last_s {
            notes.push(format!("credits run out in {} at this load", format::seconds(last)));
        }
    }
    if row.binding {
        notes.push("<- binding".into());
    }
    notes.join(", ")
}

/// The report.
pub(super) fn table(document: &ExplainDocument) -> Text {
    let mut out = Text::from(format!("{}\n{}\n", document.rig, document.finding));
    // Of one figure there are no percentiles.
    let loads: &[&str] = if document.is_over_time() { &["p50", "p99", "max"] } else { &["asked"] };
    let head = [&["limit"], loads, &["gives", "needed", "used of the limit", "", ""]].concat();
    let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
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
    let whose = if document.of_demand { "demand" } else { "measured" };
    out += format!("\n{whose}, in order of a request's path\n");
    out += Table::new(rows, &[0, 4 + loads.len(), 5 + loads.len()]);
    if document.of_demand && !document.volumes.is_empty() {
        let mut rows = vec![
            ["volume", "asks", "gets", "", "stopped by", "queue depth", "read", "write"].map(String::from).to_vec(),
        ];
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
                v.limited_by.clone().unwrap_or_else(|| "-".into()),
                v.queue_depth_needed.to_string(),
                ms(v.read_latency_us),
                ms(v.write_latency_us),
            ]);
        }
        out += "\nin the worst interval\n";
        out += Table::new(rows, &[0, 4]);
    }
    for row in &document.measured {
        let _ = write!(out, "\nmeasured: {} [{}]\n", row.sentence, row.entries.join(", "));
    }
    if !document.changes.is_empty() {
        out += "\none change\n";
        for change in &document.changes {
            let enough = if change.enough {
                "enough".into()
            } else if change.carried_percent >= 100.0 {
                "helps, not enough alone".into()
            } else {
                format!("carries {:.0} %, not enough alone", change.carried_percent.floor())
            };
            let _ = writeln!(out, "  {}: {enough}", change.change);
        }
    } else if document.new_plan.is_none()
        && document.verdict == dw_documents::explain::Verdict::Limit
        && !document.binding.is_empty()
    {
        out += "\nno change of one part helps: `diskwright plan` looks for a whole configuration\n";
    }
    if let Some(plan) = &document.new_plan {
        let _ = writeln!(out, "\nplanning again\n  {plan}");
    }
    for (title, lines) in [
        ("throttled sources", &document.throttled_sources),
        ("would say more", &document.missing),
        ("assumptions", &document.assumptions),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}");
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
    let mut out = format!("**{}**\n\n{}\n", cell(&document.rig), cell(&document.finding.text));
    out += match document.is_over_time() {
        true => "\n| limit | p99 | max | gives | needed | used of the limit | |\n|---|---|---|---|---|---|---|\n",
        false => "\n| limit | asked | gives | needed | used of the limit | |\n|---|---|---|---|---|---|\n",
    };
    for row in &document.limits {
        let of = |value| figure(&row.of.unit, value);
        let _ = writeln!(
            out,
            "| {} | {}{} | {} | {} | {:.0} % | {} |",
            cell(&name(row)),
            if document.is_over_time() { of(row.asked.p99) + " | " } else { String::new() },
            of(row.asked.max),
            of(row.gives),
            of(row.needed),
            row.used_percent,
            note(row).replace("<- binding", "**binding**")
        );
    }
    let enough = |enough: bool| if enough { "enough" } else { "not enough alone" };
    for (title, lines) in [
        ("measured", document.measured.iter().map(|row| row.sentence.to_string()).collect()),
        ("one change", document.changes.iter().map(|c| format!("{}: {}", c.change, enough(c.enough))).collect()),
        ("planning again", document.new_plan.iter().map(|plan| plan.to_string()).collect()),
        ("throttled sources", texts(&document.throttled_sources)),
        ("would say more", texts(&document.missing)),
        ("assumptions", texts(&document.assumptions)),
    ] {
        let lines: Vec<String> = lines;
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}:\n");
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
