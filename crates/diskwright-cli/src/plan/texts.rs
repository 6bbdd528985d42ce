//! A plan as Markdown and as CSV.

use std::fmt::Write as _;

use dw_catalogue::Money;
use dw_messages::{label, labels, text};

use super::figure;
use super::table::{disks_of, limit_of, simulated_name};
use crate::language::{heads, spoken};
use crate::output::{self, texts};
use dw_documents::plan::{LimitRow, PlanDocument, SimulatedRow};

/// Tables for a page of text.
pub(crate) fn markdown(document: &PlanDocument) -> String {
    let lang = spoken();
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!("**{}**\n", cell(&document.answer.text));
    if let Some(verdict) = document.verdict.as_ref().filter(|_| document.plan.is_some()) {
        let _ = writeln!(out, "\n{}", cell(&text!(lang, "verdict: {verdict}", verdict = verdict.answer)));
    }
    if let Some(simulated) = &document.simulated {
        let _ = writeln!(out, "\n{}", cell(&simulated.answer.text));
    }
    if let Some(plan) = &document.plan {
        let mut head = heads(&labels!["volume", "disks", "host cache", "queue depth"]);
        head.push(document.currency.clone());
        out += &headed(&head);
        for v in &plan.volumes {
            let disks = disks_of(v);
            let _ = writeln!(
                out,
                "| {} | {disks} | {} | {} | {} |",
                cell(&v.name),
                v.host_cache,
                v.queue_depth,
                lang.figure(&Money::of_amount(v.monthly).to_string())
            );
        }
        if let Some(licences) = plan.licences_said() {
            let _ = writeln!(out, "\n{}", cell(&licences.text));
        }
        out += &headed(&heads(&labels!["limit", "p99", "max", "available", "left of the limit"]));
        for row in &document.limits {
            let of = |value| lang.figure(&figure(&row.of.unit, value));
            let mark = if row.binding { format!(" ({})", text!(lang, "binding")) } else { String::new() };
            let name = cell(&limit_of(row));
            let _ = writeln!(
                out,
                "| {name}{mark} | {} | {} | {} | {} |",
                of(row.asked.p99),
                of(row.asked.max),
                of(row.capacity),
                dw_documents::format::headroom(row.headroom_percent)
            );
        }
    }
    if let Some(simulated) = document.simulated.as_ref().filter(|simulated| !simulated.rows.is_empty()) {
        out += &headed(&heads(&labels!["simulated", "promised", "served", "mean", "p99", "asked", "met"]));
        for row in &simulated.rows {
            let us = |value| lang.figure(&figure("us", value));
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} |",
                cell(&simulated_name(row)),
                lang.figure(&figure("IOPS", row.promised_iops.round())),
                lang.figure(&figure("IOPS", row.iops.round())),
                us(row.latency_us),
                us(row.latency_p99_us),
                row.asked(lang.word("mean"), us),
                if row.met() { text!(lang, "yes") } else { text!(lang, "NO") }
            );
        }
    }
    let price = |monthly| lang.figure(&Money::micros(monthly).to_string());
    for (title, lines) in [
        (label!("conflict"), document.conflict.as_ref().map(|c| texts(&c.limits)).unwrap_or_default()),
        (
            label!("next best"),
            document.alternatives.iter().map(|p| format!("{}: {}", p.vm_said(), price(p.monthly_micros))).collect(),
        ),
        (label!("why not"), document.why_not.iter().map(|row| format!("{}: {}", row.vm, row.why)).collect()),
        (label!("assumptions"), texts(&document.assumptions)),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{}:\n", lang.label(title));
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "- {line}");
            });
        }
    }
    out
}

/// The head of a table.
pub(crate) fn headed(head: &[String]) -> String {
    format!("\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()))
}

/// A line for each limit of the plan, and for each rate and latency of its simulation: what is promised stands under `max` as the
/// demand does, what was served under `capacity`; a latency is the other way round, as that of a limit is.
pub(crate) fn csv(document: &PlanDocument) -> String {
    let head = [
        "limit",
        "volume",
        "unit",
        "capacity",
        "p50",
        "p90",
        "p99",
        "max",
        "headroom_percent",
        "exceeded",
        "beyond_headroom",
        "binding",
    ];
    let record = |row: &LimitRow| {
        let figures = [row.capacity, row.asked.p50, row.asked.p90, row.asked.p99, row.asked.max, row.headroom_percent]
            .map(|f| f.to_string());
        let mut record = vec![row.of.limit.clone(), row.of.volume.clone().unwrap_or_default(), row.of.unit.clone()];
        record.extend(figures);
        record.extend([row.exceeded.to_string(), row.beyond_headroom.to_string(), row.binding.to_string()]);
        record
    };
    let simulated = document.simulated.iter().flat_map(|simulated| &simulated.rows);
    let records = document.limits.iter().map(record).chain(simulated.flat_map(of_simulation));
    // Where nothing meets the demand, why not: the sentences stand where limits do.
    let conflict = document.conflict.iter().flat_map(|conflict| &conflict.limits);
    let conflict = conflict.map(|line| {
        let mut record = vec![format!("not met: {line}")];
        record.resize(head.len(), String::new());
        record
    });
    output::csv(&head, records.chain(conflict))
}

/// The lines of a row of a simulation: its rate, its mean latency, and the percentiles that were asked for.
fn of_simulation(row: &SimulatedRow) -> Vec<Vec<String>> {
    let line = |what: &str, unit: &str, capacity: Option<f64>, p99: Option<f64>, max: f64, met: bool| {
        let when = if row.together { "simulated" } else { "simulated alone" };
        let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let left = capacity.map(|capacity| (1.0 - max / capacity.max(f64::MIN_POSITIVE)) * 100.0);
        let mut record = vec![format!("{when} {} {what}", row.direction), row.volume.clone(), unit.into()];
        record.extend([text(capacity), String::new(), String::new(), text(p99), max.to_string(), text(left)]);
        record.extend([usize::from(!met).to_string(), usize::from(!met).to_string(), false.to_string()]);
        record
    };
    let mean_met = row.latency_max_us.is_none_or(|most| row.latency_us <= most);
    let mut lines = vec![
        line("IOPS", "IOPS", Some(row.iops), None, row.promised_iops, row.rate_met),
        line("latency", "us", row.latency_max_us, Some(row.latency_p99_us), row.latency_us, mean_met),
    ];
    let percentiles = row.latencies_asked().filter(|(of, ..)| *of != "mean");
    lines.extend(percentiles.map(|(of, simulated, most)| {
        line(&format!("latency {of}"), "us", Some(most), None, simulated, simulated <= most)
    }));
    lines
}

#[cfg(test)]
mod tests {
    use diskwright::PlanOptions;

    use super::super::planned;
    use super::*;

    #[test]
    fn a_demand_that_nothing_meets_has_its_conflict_in_the_lines() {
        for (keys, expected) in [("", 0), ("memory_min = '90 TiB'", 1)] {
            let text = format!(
                "schema_version = 1\n[plan]\nvms = ['D2s_v5']\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '100 GiB'\n\
                 read_size = '8 KiB'\nread_iops = {{ p50 = 100, p90 = 200, p99 = 300, max = 400 }}\n"
            );
            let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
            let csv = csv(&planned("r.toml", &text, &options, (None, None)).unwrap().document);
            let found: Vec<&str> = csv.lines().filter(|line| line.contains("not met: ")).collect();
            assert_eq!(found.len(), expected, "{csv}");
            assert!(csv.lines().count() > 1 && found.iter().all(|line| line.contains("memory")), "{csv}");
            let commas = |line: &str| line.matches(',').count();
            assert!(found.iter().all(|line| commas(line) >= commas(csv.lines().next().unwrap())), "{csv}");
        }
    }
}
