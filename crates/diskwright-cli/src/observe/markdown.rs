//! The checklist as Markdown, for a ticket or a wiki.

use std::fmt::Write as _;

use dw_observe::Observation;
use dw_observe::checklist::Provenance;
use dw_report::markdown::plain;

use super::shown;

/// Everything.
pub fn markdown(observation: &Observation, names: &[String]) -> String {
    let machine = observation.machine.as_deref().unwrap_or("the machine");
    let mut out = format!("# What {} asks of its disks\n\n", plain(machine));
    for source in &observation.sources {
        let files: Vec<&str> = source.files.iter().filter_map(|f| names.get(*f as usize)).map(String::as_str).collect();
        let _ = writeln!(out, "- {} ({}): {}", plain(&source.tool), plain(&files.join(", ")), source.used_for);
    }
    for volume in &observation.volumes {
        for checklist in &volume.checklists {
            let _ = writeln!(out, "\n## {}, {}\n", plain(&volume.name), plain(&checklist.window));
            let _ = writeln!(out, "| row | p50 | p90 | p99 | max | mean | n | Δt | from |");
            let _ = writeln!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---|");
            for row in &checklist.rows {
                if row.provenance == Provenance::Unknown && row.id.number().is_none() {
                    continue;
                }
                let note = plain(&shown::remark(row));
                let _ = writeln!(
                    out,
                    "| {} | {} | {} | {} | {}{note} |",
                    plain(&shown::label(row)),
                    shown::cells(row).join(" | "),
                    row.n,
                    if row.n > 0 { row.interval.to_string() } else { String::new() },
                    row.provenance.word()
                );
            }
        }
    }
    if !observation.findings.is_empty() {
        out.push_str("\n## What to doubt\n\n| | what | effect | what to do |\n|---|---|---|---|\n");
    }
    for f in &observation.findings {
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} |",
            f.severity.word(),
            f.pitfall.code(),
            plain(&f.what.text),
            plain(&f.effect.text),
            plain(f.hint.as_ref().map_or("", |hint| &hint.text))
        );
    }
    out
}
