//! What is asked: the checklist's rows, a table a volume and window, and its distributions of sizes.

use std::fmt::Write as _;

use dw_documents::checklist::{ChecklistDocument, RowDocument, WindowDocument};

use dw_messages::{Language, labels, text};

use super::words::{checklist_figure, checklist_unit, row_name};
use crate::content::{Block, Table};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (_, list) in &read.checklists {
        blocks.push(Block::Text(measured(list, lang)));
        for volume in &list.volumes {
            let devices = match volume.devices.is_empty() || volume.devices == [volume.name.clone()] {
                true => String::new(),
                false => format!(" ({})", volume.devices.join(" + ")),
            };
            blocks.push(Block::Heading(format!("{}{devices}", volume.name)));
            blocks.extend(volume.windows.iter().map(|window| of_window(&volume.name, window, lang)));
        }
    }
    for (name, text) in read.texts.iter().filter(|(_, text)| text.role == "requirements") {
        blocks.push(Block::Code(name.to_string(), shortened(&text.text)));
    }
    blocks
}

/// Lines of a list that are shown at most: a day at a minute has ninety.
const LINES: usize = 128;
/// Of a longer one so many.
const FIRST: usize = 4;

/// The text without most of its long lists of numbers: nobody reads a million of them, and the page holds them in its documents.
fn shortened(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        out.push_str(line);
        if !line.ends_with(" = [\n") {
            continue;
        }
        let inside = lines.clone().take_while(|line| line.starts_with(' ')).count();
        if inside > LINES {
            out.extend(lines.by_ref().take(FIRST));
            let left = inside - FIRST;
            let _ = writeln!(out, "  # {left} more lines: `diskwright report THIS.html --format json` prints them");
            lines.nth(left - 1);
        }
    }
    out
}

/// Volumes, and the most that all of them asked.
pub(super) fn conclusion(read: &Read) -> String {
    let Some((_, list)) = read.checklists.first() else { return String::new() };
    let volumes = list.volumes.len() - usize::from(list.volumes.len() > 1);
    let peak = list.volumes.first().map(|all| all.series.iops.iter().flatten().copied().fold(0.0, f64::max));
    let peak = peak.filter(|peak| *peak > 0.0).map(|peak| read.lang.figure(&crate::format::grouped(peak)));
    match peak {
        Some(peak) => text!(read.lang, "volumes: {n}; at most {peak} IOPS", n = volumes, peak),
        None => text!(read.lang, "volumes: {n}", n = volumes),
    }
}

fn measured(list: &ChecklistDocument, lang: &Language) -> String {
    let machine = list.machine.clone().unwrap_or_else(|| text!(lang, "The machine"));
    match list.growth {
        growth if growth == 1.0 || growth <= 0.0 => text!(lang, "{machine}, as it was measured.", machine),
        growth => {
            let growth = lang.figure(&growth.to_string());
            text!(lang, "{machine}, as it was measured; a plan multiplies the demand by {growth}.", machine, growth)
        }
    }
}

fn of_window(volume: &str, window: &WindowDocument, lang: &Language) -> Block {
    if window.window != "whole" && window.rows.iter().all(|row| row.n == 0) {
        let window = &window.window;
        return Block::Text(text!(lang, "{volume}, {window}: no reading lies within this window.", volume, window));
    }
    Block::Table(table(volume, window, lang))
}

fn table(volume: &str, window: &WindowDocument, lang: &Language) -> Table {
    let when = if window.window == "whole" { text!(lang, "the whole recording") } else { window.window.clone() };
    let time = crate::format::seconds(window.covered_s);
    let caption = text!(lang, "{volume}, {when}: {time} covered", volume, when, time = lang.figure(&time));
    let head = labels!["row", "#p50", "#p90", "#p99", "#max", "#mean", "#readings", "from"];
    let mut table = Table::new(lang, caption, &head);
    for row in &window.rows {
        let unknown = row.provenance == "unknown";
        if unknown && row.number.is_none() {
            continue;
        }
        table.row(cells(row, lang));
    }
    table
}

fn cells(row: &RowDocument, lang: &Language) -> [String; 8] {
    let show = |v: Option<f64>| v.map_or_else(|| "?".into(), |v| checklist_figure(&row.unit, v));
    let remarks: String = row.note.iter().chain(&row.fill).map(|part| format!("; {part}")).collect();
    let name = row_name(&row.row, lang);
    let name = match checklist_unit(&row.unit) {
        "" | "1/s" => name,
        unit => format!("{name} ({unit})"),
    };
    [
        name,
        show(row.p50.as_ref().map(|c| c.value)),
        show(row.p90.as_ref().map(|c| c.value)),
        show(row.p99.as_ref().map(|c| c.value)),
        show(row.max),
        show(row.mean),
        row.n.to_string(),
        format!("{}{remarks}", lang.word(&row.provenance)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_all_else_stays() {
        let text = |lines: usize| format!("a = 1\nx = [\n{}]\ny = [\n  7,\n]\nz = 2\n", "  1, 2,\n".repeat(lines));
        assert_eq!(shortened(&text(LINES)), text(LINES));
        let cut = shortened(&text(LINES + 1));
        let said =
            format!("  # {} more lines: `diskwright report THIS.html --format json` prints them\n]", LINES + 1 - FIRST);
        assert_eq!(cut, text(FIRST).replacen(']', &said, 1));
    }
}
