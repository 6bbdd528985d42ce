//! The checklist for people: 80 columns, notes next to the figures where there is room for them, and a table that is laid out for it on
//! a narrower terminal.

use std::fmt::Write as _;

use dw_demand::Provenance;
use dw_observe::Observation;
use dw_observe::VolumeObservation;
use dw_observe::checklist::{Checklist, Row, RowId};

use dw_messages::{Label, labels, text};
use dw_units::Duration;

use super::shown;
use crate::language::{heads, said, spoken};
use crate::report::format::grouped;
use crate::report::{Table, Text};
use dw_documents::columns::{length, pieces};

/// Without a terminal, never narrower than this; figures are in columns of their own from here on.
const NARROW: usize = 80;
/// Lines of more columns are hard to follow.
const WIDEST: usize = 200;
/// Notes are next to the figures from here on.
const WIDE: usize = 110;
/// Devices that a title names.
const DEVICES: usize = 8;
const LABEL: usize = 27;
const CELL: usize = 10;

/// The columns to use: those of the terminal, if there is one, or what `COLUMNS` says.
pub fn width(terminal: Option<usize>) -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok());
    match terminal {
        Some(columns) => said.map_or(columns, |said| said.clamp(NARROW, WIDEST).min(columns)).min(WIDEST),
        None => said.unwrap_or(NARROW).clamp(NARROW, WIDEST),
    }
}

/// Everything.
pub fn table(observation: &Observation, names: &[String], width: usize) -> Text {
    let mut out = Text::new();
    head(&mut out, observation, names, width);
    let columns = Columns::fitting(observation, width);
    let (sum, each) = match observation.volumes.as_slice() {
        [sum, each @ ..] if !each.is_empty() => (Some(sum), each),
        all => (None, all),
    };
    let (idle, busy): (Vec<&VolumeObservation>, Vec<&VolumeObservation>) =
        each.iter().partition(|volume| is_idle(volume));
    // Where nothing is busy there is nothing to read first.
    let (idle, busy) = if busy.is_empty() { (busy, idle) } else { (idle, busy) };
    for volume in busy.into_iter().chain(sum) {
        for checklist in &volume.checklists {
            out += "\n";
            volume_table(&mut out, observation, volume, checklist, columns, width);
        }
    }
    if !idle.is_empty() {
        out += "\n";
        let names: Vec<&str> = idle.iter().map(|volume| volume.name.as_str()).collect();
        let lang = spoken();
        let line = text!(lang, "idle, never above one request per second: {volumes}", volumes = lang.list(&names));
        wrap(&mut out, "", &line, width);
    }
    findings(&mut out, observation, names, width);
    out
}

/// Whether a volume does nothing that a plan would be for.
fn is_idle(volume: &VolumeObservation) -> bool {
    let most = volume.checklists.first().and_then(|whole| whole.row(RowId::Iops)?.max);
    most.is_some_and(|most| most <= 1.0)
}

fn head(out: &mut Text, observation: &Observation, names: &[String], width: usize) {
    let mut facts = Vec::new();
    facts.extend(observation.machine.as_ref().map(|m| m.to_string()));
    let lang = spoken();
    facts.extend(observation.cpus.map(|n| text!(lang, "{n} processors", n)));
    facts.extend(observation.memory_total.map(|m| {
        let size = lang.figure(&format!("{:.1} GiB", m.get() as f64 / (1u64 << 30) as f64));
        text!(lang, "{size} memory", size)
    }));
    facts.extend(observation.kernel.as_ref().map(|k| format!("Linux {k}")));
    if !facts.is_empty() {
        wrap(out, "", &lang.list(&facts), width);
    }
    for source in &observation.sources {
        let files: Vec<&str> = source.files.iter().filter_map(|f| names.get(*f as usize)).map(String::as_str).collect();
        wrap(out, "", &format!("{} ({}): {}", source.tool, files.join(", "), said(&source.used_for)), width);
    }
}

fn volume_table(
    out: &mut Text,
    observation: &Observation,
    volume: &VolumeObservation,
    checklist: &Checklist,
    columns: Option<Columns>,
    width: usize,
) {
    let lang = spoken();
    let more = volume.devices.len().saturating_sub(DEVICES);
    let devices = volume.devices[..volume.devices.len() - more].join(" + ");
    let devices = if more > 0 { text!(lang, "{devices} and {more} more", devices, more) } else { devices };
    let devices = if devices == volume.name || devices.is_empty() { String::new() } else { format!(" ({devices})") };
    let n = checklist.rows.iter().map(|r| r.n).max().unwrap_or(0);
    let window = if checklist.window == "whole" {
        String::new()
    } else {
        format!(", {}", text!(lang, "window {window}", window = checklist.window))
    };
    let title = if let Some(why) = volume.rateless {
        let volume = format!("{}{devices}{window}", volume.name);
        text!(lang, "{volume}: no rates, {why}", volume, why = said(&why.why()))
    } else {
        text!(
            lang,
            "{volume}: {n} samples x {interval}, {covered}",
            volume = format!("{}{devices}{window}", volume.name),
            n = lang.figure(&grouped(n as f64)),
            interval = volume.series.interval,
            covered = covered(checklist.covered, volume.series.span())
        )
    };
    wrap(out, "", &title, width);
    if checklist.window != "whole" && checklist.rows.iter().all(|row| row.n == 0) {
        let _ = writeln!(out, "  {}", lang.label(shown::NOTHING_INSIDE));
        return;
    }
    let mut remarks: Vec<(String, String)> = Vec::new();
    // Details that no source has are not worth a line; the checklist's own rows are.
    let rows: Vec<&Row> = checklist
        .rows
        .iter()
        .filter(|row| row.provenance != Provenance::Unknown || row.id.number().is_some())
        .collect();
    match columns {
        Some(columns) => wide(out, observation, &rows, columns, &mut remarks),
        None => *out += narrow(observation, &rows, &mut remarks),
    }
    for (rows, remark) in remarks {
        wrap(out, "  ", &format!("{rows}: {remark}"), width);
    }
}

/// How much of the recording the intervals of a window are: a share says nothing without its whole.
fn covered(time: Duration, whole: Duration) -> String {
    let seconds = |time: Duration| time.ns() as f64 / 1e9;
    let percent = 100.0 * seconds(time) / seconds(whole).max(1e-9);
    let whole = match seconds(whole) {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    };
    let lang = spoken();
    let share = format!("{:.0} %", percent.min(100.0));
    text!(lang, "{share} of {whole} covered", share, whole = lang.figure(&whole))
}

const HEADS: [Label; 5] = labels!["p50", "p90", "p99", "max", "mean"];

/// Where figures end: those of several volumes stand one below the other.
#[derive(Clone, Copy)]
struct Columns {
    /// Those of a line.
    width: usize,
    /// The column of names, of all volumes: it is wider in some languages.
    names: usize,
    /// A column of figures, the blank before it included.
    cell: usize,
}

impl Columns {
    /// Those that hold every figure whole, with a blank before it; none where there is no room for them. Where it is short, names end
    /// where the first figures of their rows begin.
    fn fitting(observation: &Observation, width: usize) -> Option<Columns> {
        let checklists = || observation.volumes.iter().flat_map(|volume| &volume.checklists);
        let rows: Vec<&Row> = checklists().flat_map(|checklist| &checklist.rows).collect();
        let lengths = |row: &&Row| (length(&label(row)), shown::cells(row).map(|cell| length(&spoken().figure(&cell))));
        let lengths: Vec<(usize, [usize; HEADS.len()])> = rows.iter().map(lengths).collect();
        let grown = grown(observation, &rows).map(|(_, p99)| length(&spoken().figure(&p99)));
        let heads = heads(&HEADS).into_iter().map(|head| length(&head));
        let longest = lengths.iter().flat_map(|(_, figures)| *figures).chain(grown).chain(heads).max().unwrap_or(0);
        let cell = CELL.max(longest + 1);
        let names = lengths.iter().map(|(label, _)| *label).fold(LABEL, usize::max);
        let before = lengths.iter().map(|(label, figures)| label + 1 + figures[0]).max().unwrap_or(0);
        let fits = |names: &usize| width >= NARROW.max(names + HEADS.len() * cell);
        let names = [names, before.saturating_sub(cell).min(names)].into_iter().find(fits)?;
        Some(Columns { width, names, cell })
    }

    /// Whether there is room for notes next to the figures.
    fn have_notes(self) -> bool {
        self.width >= WIDE
    }

    /// Writes a figure so that it ends where its column does.
    fn put(self, line: &mut String, column: usize, figure: &str) {
        let end = self.names + (column + 1) * self.cell;
        let blanks = end.saturating_sub(length(line) + length(figure)).max(1);
        *line += &" ".repeat(blanks);
        *line += figure;
    }
}

/// In columns of one width, whatever they hold.
fn wide(
    out: &mut Text,
    observation: &Observation,
    rows: &[&Row],
    columns: Columns,
    remarks: &mut Vec<(String, String)>,
) {
    let mut line = String::new();
    for (column, head) in heads(&HEADS).iter().enumerate() {
        columns.put(&mut line, column, head);
    }
    let from = text!(spoken(), "from");
    let _ = writeln!(out, "{}", if columns.have_notes() { format!("{line}  {from}") } else { line });
    for row in rows {
        line_of(out, row, columns, remarks);
    }
    for (name, p99) in grown(observation, rows) {
        let mut line = name;
        // In the column of its percentile, or behind it, however long its name is.
        columns.put(&mut line, 2, &spoken().figure(&p99));
        let _ = writeln!(out, "{line}");
    }
}

/// In columns no wider than what they hold.
fn narrow(observation: &Observation, rows: &[&Row], remarks: &mut Vec<(String, String)>) -> Table {
    let mut cells = vec![std::iter::once(String::new()).chain(heads(&HEADS)).collect::<Vec<_>>()];
    for row in rows {
        let mut line = vec![label(row)];
        if row.provenance == Provenance::Unknown {
            line.push(spoken().word("unknown").into());
            remark(remarks, row, unknown(row));
        } else {
            line.extend(shown::cells(row));
            row.note.iter().for_each(|note| remark(remarks, row, said(note)));
        }
        cells.push(line);
    }
    cells.extend(grown(observation, rows).map(|(name, p99)| vec![name, String::new(), String::new(), p99]));
    Table::new(cells, &[0])
}

/// The number of a row of the checklist, and what it is.
fn label(row: &Row) -> String {
    let number = row.id.number().map_or_else(|| "  ".to_string(), |n| format!("{n:>2}"));
    format!("{number} {}", shown::label(row))
}

/// What to do about a row that no source has.
fn unknown(row: &Row) -> String {
    let hint = row.fill.as_ref().map_or(String::new(), said);
    let note = row.note.as_ref().map_or(String::new(), |note| format!(" ({})", said(note)));
    format!("{hint}{note}")
}

fn line_of(out: &mut Text, row: &Row, columns: Columns, remarks: &mut Vec<(String, String)>) {
    let mut line = label(row);
    if row.provenance == Provenance::Unknown {
        columns.put(&mut line, 0, "?");
        let word = spoken().word("unknown");
        let text = format!("{word} -> {}", unknown(row));
        if length(&line) + 2 + length(&text) <= columns.width {
            let _ = writeln!(out, "{line}  {text}");
        } else {
            let _ = writeln!(out, "{line}  {word}");
            remark(remarks, row, unknown(row));
        }
        return;
    }
    for (column, cell) in shown::cells(row).iter().enumerate() {
        columns.put(&mut line, column, &spoken().figure(cell));
    }
    if columns.have_notes() {
        let mut from = spoken().word(row.provenance.word()).to_string();
        let note = row.note.as_ref().map_or(String::new(), said);
        let room = columns.width.saturating_sub(length(&line) + 2);
        if !note.is_empty() && length(&from) + 2 + length(&note) <= room {
            from = format!("{from}; {note}");
        } else if !note.is_empty() {
            remark(remarks, row, note);
        }
        let _ = writeln!(out, "{line}  {from}");
    } else {
        let _ = writeln!(out, "{}", line.trim_end());
        if let Some(note) = &row.note {
            remark(remarks, row, said(note));
        }
    }
}

/// Rows with the same remark share it.
fn remark(remarks: &mut Vec<(String, String)>, row: &Row, text: String) {
    let lang = spoken();
    match remarks.iter_mut().find(|(_, other)| *other == text) {
        Some((rows, _)) => *rows = format!("{rows}{}{}", lang.list(&["", ""]), lang.word(row.id.label())),
        None => remarks.push((lang.word(row.id.label()).to_string(), text)),
    }
}

/// Rows that grow with the demand, at their p99 of then; none where nothing grows.
fn grown<'a>(observation: &Observation, rows: &'a [&Row]) -> impl Iterator<Item = (String, String)> + 'a {
    let growth = observation.growth;
    let growing = rows.iter().filter(move |row| growth != 1.0 && row.id.grows());
    growing.filter_map(move |row| {
        let name = format!("   {} x {}", shown::label(row), spoken().figure(&growth.to_string()));
        Some((name, shown::figure(row.p99?.value * growth, row.id.unit())))
    })
}

fn findings(out: &mut Text, observation: &Observation, names: &[String], width: usize) {
    if !observation.findings.is_empty() {
        *out += "\n";
    }
    for finding in &observation.findings {
        let place = finding.rows.first().map_or(String::new(), |origin| {
            let name = names.get(origin.file as usize).map_or("?", String::as_str);
            if origin.line == 0 { String::new() } else { format!(" [{name}:{}]", origin.line) }
        });
        let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!(" -> {}", said(hint)));
        let lang = spoken();
        let text = text!(
            lang,
            "{severity} {code}: {what}. Effect: {effect}",
            severity = lang.word(finding.severity.word()),
            code = finding.pitfall.code(),
            what = said(&finding.what) + &place,
            effect = said(&finding.effect) + &hint
        );
        wrap(out, "  ", &text, width);
    }
}

/// Writes a sentence in lines; all but the first begin further in.
fn wrap(out: &mut Text, indent: &str, text: &str, width: usize) {
    let mut line = indent.to_string();
    let mut empty = true;
    for (place, piece) in text.split(' ').flat_map(|word| pieces(word).into_iter().enumerate()) {
        let blank = if place == 0 { " " } else { "" };
        if !empty && length(&line) + blank.len() + length(&piece) > width {
            let _ = writeln!(out, "{line}");
            line = format!("{indent}  ");
            empty = true;
        }
        if !empty {
            line += blank;
        }
        line += &piece;
        empty = false;
    }
    let _ = writeln!(out, "{line}");
}
