//! What is asked: the checklist's rows, a table a volume and window, and its distributions of sizes.

use dw_documents::checklist::{ChecklistDocument, RowDocument, WindowDocument};

use super::words::{checklist_figure, checklist_unit, row_name};
use crate::content::{Block, Table};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (_, list) in &read.checklists {
        let machine = list.machine.as_deref().unwrap_or("The machine");
        blocks.push(Block::Text(format!("{machine}, as it was measured{}.", grown(list))));
        for volume in &list.volumes {
            let devices = match volume.devices.is_empty() || volume.devices == [volume.name.clone()] {
                true => String::new(),
                false => format!(" ({})", volume.devices.join(" + ")),
            };
            blocks.push(Block::Heading(format!("{}{devices}", volume.name)));
            blocks.extend(volume.windows.iter().map(|window| of_window(&volume.name, window)));
        }
    }
    for (name, text) in read.texts.iter().filter(|(_, text)| text.role == "requirements") {
        blocks.push(Block::Code(name.to_string(), text.text.clone()));
    }
    blocks
}

fn grown(list: &ChecklistDocument) -> String {
    match list.growth {
        g if g == 1.0 || g <= 0.0 => String::new(),
        g => format!("; a plan multiplies the demand by {g}"),
    }
}

fn of_window(volume: &str, window: &WindowDocument) -> Block {
    if window.window != "whole" && window.rows.iter().all(|row| row.n == 0) {
        return Block::Text(format!("{volume}, {}: no reading lies within this window.", window.window));
    }
    Block::Table(table(volume, window))
}

fn table(volume: &str, window: &WindowDocument) -> Table {
    let when = if window.window == "whole" { "the whole recording" } else { &window.window };
    let caption = format!("{volume}, {when}: {} covered", crate::format::seconds(window.covered_s));
    let mut table = Table::new(caption, &["row", "#p50", "#p90", "#p99", "#max", "#mean", "#readings", "from"]);
    for row in &window.rows {
        let unknown = row.provenance == "unknown";
        if unknown && row.number.is_none() {
            continue;
        }
        table.row(cells(row));
    }
    table
}

fn cells(row: &RowDocument) -> [String; 8] {
    let show = |v: Option<f64>| v.map_or_else(|| "?".into(), |v| checklist_figure(&row.unit, v));
    let remarks: String = row.note.iter().chain(&row.fill).map(|part| format!("; {part}")).collect();
    let name = row_name(&row.row);
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
        format!("{}{remarks}", row.provenance),
    ]
}
