//! A plan for people: the answer, its limits with headroom, alternatives, why not others, what it rests on.

use std::fmt::Write as _;

use dw_catalogue::Money;

use super::figure;
use crate::report::{Table, Text};
use dw_documents::plan::{LimitRow, PlanDocument, PlanRow, VolumeRow};

/// Cells of a bar.
const BAR: usize = 20;

/// The report.
pub(crate) fn text(document: &PlanDocument) -> Text {
    let mut out = Text::from(format!("{}\n", document.answer));
    if let Some(conflict) = &document.conflict {
        for line in &conflict.limits {
            let _ = writeln!(out, "  {line}");
        }
        if let (Some(percent), Some(plan)) = (conflict.nearest_percent, &conflict.nearest) {
            let _ = writeln!(out, "nearest: {plan} carries {percent:.1} % of the load");
        }
    }
    if let Some(plan) = &document.plan {
        out += volumes(plan, &document.currency);
        out += limits(&document.limits);
        out += proof(document);
        if let Some(year) = plan.breaks_in_year {
            let _ = writeln!(out, "At the growth rate you gave, this plan lasts at least {} years.", year - 1);
        }
        out += alternatives(document);
    }
    if !document.why_not.is_empty() {
        out += "\ncheaper sizes that were ruled out, or sizes asked about\n";
        for row in &document.why_not {
            let _ = writeln!(out, "  {}: {}", row.vm, row.why);
        }
    }
    out += "\nassumptions\n";
    for line in &document.assumptions {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// `2 x P30`, `Ultra of 100 GiB, 4,000 IOPS, 50 MB/s`, `local disk`.
pub(crate) fn disks_of(volume: &VolumeRow) -> String {
    volume.disks_said().unwrap_or_else(|| "local disk".into())
}

fn volumes(plan: &PlanRow, currency: &str) -> Text {
    let header = ["volume", "disks", "host cache", "hits", "stripe unit", "queue depth", "read", "write", currency];
    let rows = plan.volumes.iter().map(|v| {
        vec![
            v.name.clone(),
            disks_of(v),
            v.host_cache.clone(),
            if v.hit_percent > 0.0 { format!("{:.1} %", v.hit_percent) } else { "-".into() },
            v.stripe_unit.map_or("-".into(), |unit| format!("{} KiB", unit / 1_024)),
            v.queue_depth.to_string(),
            figure("us", v.read_latency_us as f64),
            figure("us", v.write_latency_us as f64),
            Money::of_amount(v.monthly).to_string(),
        ]
    });
    let mut out = Text::from("\n");
    out += columns(&header, rows, 5);
    for volume in &plan.volumes {
        if let (Some(unit), Some(reason)) = (volume.stripe_unit, &volume.stripe_reason) {
            let _ = writeln!(out, "{}: stripe unit {} KiB, because {reason}", volume.name, unit / 1_024);
        }
    }
    out
}

/// The name of a limit with its volume.
pub(crate) fn limit_of(row: &LimitRow) -> String {
    row.of.name()
}

fn limits(rows: &[LimitRow]) -> Text {
    let header = ["limit", "p50", "p99", "max", "available", "headroom", ""];
    let rows = rows.iter().map(|row| {
        let used = (1.0 - row.headroom_percent / 100.0).clamp(0.0, 1.0);
        let filled = (used * BAR as f64).round() as usize;
        let mut note = format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled));
        if row.exceeded > 0 {
            note += &format!("  exceeded in {} intervals", row.exceeded);
        }
        if row.binding {
            note += "  <- binding";
        }
        let of = |value| figure(&row.of.unit, value);
        let headroom = format!("{:.0} %", row.headroom_percent.floor());
        vec![limit_of(row), of(row.asked.p50), of(row.asked.p99), of(row.asked.max), of(row.capacity), headroom, note]
    });
    let mut out = Text::from("\n");
    out += columns(&header, rows, 1);
    out
}

fn proof(document: &PlanDocument) -> String {
    let Some(proof) = &document.certificate else { return String::new() };
    let rest = proof.offered - proof.examined;
    let tail = match rest {
        0 => "All VM sizes on offer were checked in full".to_string(),
        _ => format!(
            "{} of {} VM sizes were checked in full; the other {rest} cost more on their own or with the cheapest disks",
            proof.examined, proof.offered
        ),
    };
    format!("\nproof: no cheaper option (under {}) meets the demand. {tail}.\n", Money::of_amount(proof.bound))
}

fn alternatives(document: &PlanDocument) -> Text {
    if document.alternatives.is_empty() {
        return Text::new();
    }
    let cheapest = document.plan.as_ref().map_or(Money::ZERO, |plan| Money::micros(plan.monthly_micros));
    let rows = document.alternatives.iter().map(|plan| {
        let volumes: Vec<String> = plan
            .volumes
            .iter()
            .map(|v| {
                format!("{} {}", v.name, disks_of(v)) + if v.host_cache == "ReadOnly" { " (ReadOnly)" } else { "" }
            })
            .collect();
        vec![
            plan.vm.clone(),
            volumes.join(" + "),
            Money::micros(plan.monthly_micros).to_string(),
            Money::micros(plan.monthly_micros).change_from(cheapest).to_string(),
        ]
    });
    let mut out = Text::from("\n");
    out += columns(&["next best", "disks", &document.currency, "more"], rows, 2);
    out
}

/// Text in columns under a header; those from `right` on are flush right, but for bars, which have no header.
fn columns<const N: usize>(header: &[&str; N], rows: impl Iterator<Item = Vec<String>>, right: usize) -> Table {
    let left: Vec<usize> = (0..N).filter(|&column| column < right || header[column].is_empty()).collect();
    let header = header.iter().map(ToString::to_string).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    Table::new(rows, &left)
}
