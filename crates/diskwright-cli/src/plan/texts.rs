//! A plan as Markdown and as CSV.

use std::fmt::Write as _;

use dw_catalogue::Money;

use super::figure;
use super::table::{disks_of, limit_of};
use crate::output::{self, texts};
use dw_documents::plan::{LimitRow, PlanDocument};

/// Tables for a page of text.
pub(crate) fn markdown(document: &PlanDocument) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!("**{}**\n", cell(&document.answer.text));
    if let Some(plan) = &document.plan {
        let _ = writeln!(
            out,
            "\n| volume | disks | host cache | queue depth | {} |\n|---|---|---|---|---|",
            document.currency
        );
        for v in &plan.volumes {
            let disks = disks_of(v);
            let _ = writeln!(
                out,
                "| {} | {disks} | {} | {} | {} |",
                cell(&v.name),
                v.host_cache,
                v.queue_depth,
                Money::of_amount(v.monthly)
            );
        }
        out += "\n| limit | p99 | max | available | headroom |\n|---|---|---|---|---|\n";
        for row in &document.limits {
            let of = |value| figure(&row.of.unit, value);
            let mark = if row.binding { " (binding)" } else { "" };
            let name = cell(&limit_of(row));
            let _ = writeln!(
                out,
                "| {name}{mark} | {} | {} | {} | {:.0} % |",
                of(row.asked.p99),
                of(row.asked.max),
                of(row.capacity),
                row.headroom_percent.floor()
            );
        }
    }
    for (title, lines) in [
        ("conflict", document.conflict.as_ref().map(|c| texts(&c.limits)).unwrap_or_default()),
        (
            "next best",
            document.alternatives.iter().map(|p| format!("{}: {}", p.vm, Money::micros(p.monthly_micros))).collect(),
        ),
        ("why not", document.why_not.iter().map(|row| format!("{}: {}", row.vm, row.why)).collect()),
        ("assumptions", texts(&document.assumptions)),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}:\n");
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "- {line}");
            });
        }
    }
    out
}

/// A line for each limit of the plan and of nothing else.
pub(crate) fn csv(document: &PlanDocument) -> String {
    let head =
        ["limit", "volume", "unit", "capacity", "p50", "p90", "p99", "max", "headroom_percent", "exceeded", "binding"];
    let record = |row: &LimitRow| {
        let figures = [row.capacity, row.asked.p50, row.asked.p90, row.asked.p99, row.asked.max, row.headroom_percent]
            .map(|f| f.to_string());
        let mut record = vec![row.of.limit.clone(), row.of.volume.clone().unwrap_or_default(), row.of.unit.clone()];
        record.extend(figures);
        record.extend([row.exceeded.to_string(), row.binding.to_string()]);
        record
    };
    output::csv(&head, document.limits.iter().map(record))
}
