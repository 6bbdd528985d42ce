//! The checklist as Markdown, for a ticket or a wiki.

use std::fmt::Write as _;

use dw_demand::Provenance;
use dw_messages::{labels, text};
use dw_observe::Observation;
use dw_report::markdown::plain;

use super::shown;
use crate::language::{heads, said, spoken};
use crate::plan::headed;

/// Everything.
pub fn markdown(observation: &Observation, names: &[String]) -> String {
    let lang = spoken();
    let machine = observation.machine.clone().unwrap_or_else(|| text!(lang, "the machine").into());
    let mut out = format!("# {}\n\n", text!(lang, "Disk demand of {machine}", machine = plain(&machine)));
    for source in &observation.sources {
        let files: Vec<&str> = source.files.iter().filter_map(|f| names.get(*f as usize)).map(String::as_str).collect();
        let _ = writeln!(out, "- {} ({}): {}", plain(&source.tool), plain(&files.join(", ")), said(&source.used_for));
    }
    for volume in &observation.volumes {
        for checklist in &volume.checklists {
            let _ = writeln!(out, "\n## {}, {}\n", plain(&volume.name), plain(&checklist.window));
            let head = heads(&labels!["row", "p50", "p90", "p99", "max", "mean", "n", "Δt", "from"]);
            let _ = writeln!(out, "| {} |", head.join(" | "));
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
                    shown::cells(row).map(|cell| lang.figure(&cell)).join(" | "),
                    row.n,
                    if row.n > 0 { row.interval.to_string() } else { String::new() },
                    lang.word(row.provenance.word())
                );
            }
        }
    }
    if !observation.findings.is_empty() {
        let _ = writeln!(out, "\n## {}", text!(lang, "What to doubt"));
        out += &headed(&heads(&labels!["", "what", "effect", "what to do"]));
    }
    for f in &observation.findings {
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} |",
            lang.word(f.severity.word()),
            f.pitfall.code(),
            plain(&said(&f.what)),
            plain(&said(&f.effect)),
            plain(&f.hint.as_ref().map_or(String::new(), said))
        );
    }
    out
}
