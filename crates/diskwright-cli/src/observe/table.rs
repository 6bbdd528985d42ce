//! The checklist for a terminal: at least 80 columns, notes where there is room for them.

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use dw_observe::Observation;
use dw_observe::VolumeObserved;
use dw_observe::checklist::{Checklist, Provenance, Row};

use super::shown;
use crate::report::format::grouped;

/// Never narrower than this.
const NARROW: usize = 80;
/// Notes are next to the figures from here on.
const WIDE: usize = 110;
/// Devices that a title names.
const DEVICES: usize = 8;
const LABEL: usize = 27;
const CELL: usize = 10;

/// Columns of the terminal, or what `COLUMNS` says.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok());
    let terminal = if std::io::stdout().is_terminal() { 100 } else { NARROW };
    said.unwrap_or(terminal).clamp(NARROW, 200)
}

/// Everything.
pub fn table(observation: &Observation, names: &[String], width: usize) -> String {
    let mut out = String::new();
    head(&mut out, observation, names, width);
    for volume in &observation.volumes {
        for checklist in &volume.checklists {
            out.push('\n');
            volume_table(&mut out, observation, volume, checklist, width);
        }
    }
    findings(&mut out, observation, names, width);
    out
}

fn head(out: &mut String, observation: &Observation, names: &[String], width: usize) {
    let mut facts = Vec::new();
    facts.extend(observation.machine.as_ref().map(|m| m.to_string()));
    facts.extend(observation.cpus.map(|c| format!("{c} processors")));
    facts.extend(observation.memory_total.map(|m| format!("{:.1} GiB memory", m.get() as f64 / (1u64 << 30) as f64)));
    facts.extend(observation.kernel.as_ref().map(|k| format!("Linux {k}")));
    if !facts.is_empty() {
        wrap(out, "", &facts.join(", "), width);
    }
    for source in &observation.sources {
        let files: Vec<&str> = source.files.iter().filter_map(|f| names.get(*f as usize)).map(String::as_str).collect();
        wrap(out, "", &format!("{} ({}): {}", source.tool, files.join(", "), source.used_for), width);
    }
}

fn volume_table(
    out: &mut String,
    observation: &Observation,
    volume: &VolumeObserved,
    checklist: &Checklist,
    width: usize,
) {
    let more = volume.devices.len().saturating_sub(DEVICES);
    let devices = volume.devices[..volume.devices.len() - more].join(" + ");
    let devices = if more > 0 { format!("{devices} and {more} more") } else { devices };
    let devices = if devices == volume.name || devices.is_empty() { String::new() } else { format!(" ({devices})") };
    let n = checklist.rows.iter().map(|r| r.n).max().unwrap_or(0);
    let window = if checklist.window == "whole" { String::new() } else { format!(", window {}", checklist.window) };
    let coverage = volume.series.coverage() * 100.0;
    let stars = ((coverage / 20.0).ceil() as usize).clamp(1, 5);
    let title = if let Some(why) = volume.rateless {
        format!("{}{devices}{window}: no rates, {}", volume.name, why.why())
    } else {
        format!(
            "{}{devices}{window}: {} samples x {}, coverage {stars}/5",
            volume.name,
            grouped(n as f64),
            volume.series.interval
        )
    };
    wrap(out, "", &title, width);
    if checklist.window != "whole" && checklist.rows.iter().all(|row| row.n == 0) {
        let _ = writeln!(out, "  {}", shown::NOTHING_INSIDE);
        return;
    }
    let wide = width >= WIDE;
    let heads = ["p50", "p90", "p99", "max", "mean"];
    let mut line = format!("{:LABEL$}", "");
    for head in heads {
        let _ = write!(line, "{head:>CELL$}");
    }
    let _ = writeln!(out, "{}", if wide { format!("{line}  from") } else { line });
    let mut remarks: Vec<(String, String)> = Vec::new();
    for row in &checklist.rows {
        // Details that no source has are not worth a line; the checklist's own rows are.
        if row.provenance == Provenance::Unknown && row.id.number().is_none() {
            continue;
        }
        line_of(out, row, wide, width, &mut remarks);
    }
    if observation.growth != 1.0 {
        grown(out, observation, checklist);
    }
    for (rows, remark) in remarks {
        wrap(out, "  ", &format!("{rows}: {remark}"), width);
    }
}

fn line_of(out: &mut String, row: &Row, wide: bool, width: usize, remarks: &mut Vec<(String, String)>) {
    let number = row.id.number().map_or_else(|| "  ".to_string(), |n| format!("{n:>2}"));
    let mut line = format!("{:LABEL$}", format!("{number} {}", shown::label(row)));
    if row.provenance == Provenance::Unknown {
        let _ = write!(line, "{:>CELL$}", "?");
        let hint = row.fill.as_ref().map_or(String::new(), ToString::to_string);
        let note = row.note.as_ref().map_or(String::new(), |n| format!(" ({n})"));
        let text = format!("unknown -> {hint}{note}");
        if line.chars().count() + 2 + text.chars().count() <= width {
            let _ = writeln!(out, "{line}  {text}");
        } else {
            let _ = writeln!(out, "{line}  unknown");
            remark(remarks, row, format!("{hint}{note}"));
        }
        return;
    }
    for cell in shown::cells(row) {
        let _ = write!(line, "{cell:>CELL$}");
    }
    if wide {
        let mut from = row.provenance.word().to_string();
        let note = row.note.as_ref().map_or(String::new(), ToString::to_string);
        let room = width.saturating_sub(line.chars().count() + 2);
        if !note.is_empty() && from.chars().count() + 2 + note.chars().count() <= room {
            from = format!("{from}; {note}");
        } else if !note.is_empty() {
            remark(remarks, row, note);
        }
        let _ = writeln!(out, "{line}  {from}");
    } else {
        let _ = writeln!(out, "{}", line.trim_end());
        if let Some(note) = &row.note {
            remark(remarks, row, note.to_string());
        }
    }
}

/// Rows with the same remark share it.
fn remark(remarks: &mut Vec<(String, String)>, row: &Row, text: String) {
    match remarks.iter_mut().find(|(_, other)| *other == text) {
        Some((rows, _)) => *rows = format!("{rows}, {}", row.id.label()),
        None => remarks.push((row.id.label().to_string(), text)),
    }
}

fn grown(out: &mut String, observation: &Observation, checklist: &Checklist) {
    let growing = checklist.rows.iter().filter(|r| r.id.grows() && r.p99.is_some());
    for row in growing {
        let p99 = row.p99.map_or(0.0, |c| c.value * observation.growth);
        let name = format!("   {} x {}", shown::label(row), observation.growth);
        let _ = writeln!(out, "{name:LABEL$}{:>20}{:>CELL$}", "", shown::figure(p99, row.id.unit()));
    }
}

fn findings(out: &mut String, observation: &Observation, names: &[String], width: usize) {
    if !observation.findings.is_empty() {
        out.push('\n');
    }
    for finding in &observation.findings {
        let place = finding.rows.first().map_or(String::new(), |origin| {
            let name = names.get(origin.file as usize).map_or("?", String::as_str);
            if origin.line == 0 { String::new() } else { format!(" [{name}:{}]", origin.line) }
        });
        let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!(" -> {hint}"));
        let text = format!(
            "{} {}: {}{place}. Effect: {}{hint}",
            finding.severity.word(),
            finding.pitfall.code(),
            finding.what,
            finding.effect
        );
        wrap(out, "  ", &text, width);
    }
}

/// Writes a sentence in lines; all but the first begin further in.
fn wrap(out: &mut String, indent: &str, text: &str, width: usize) {
    let mut line = indent.to_string();
    let mut empty = true;
    for word in text.split(' ') {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            let _ = writeln!(out, "{line}");
            line = format!("{indent}  ");
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(out, "{line}");
}
