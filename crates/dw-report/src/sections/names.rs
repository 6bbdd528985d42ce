//! Names of volumes as short as they can be told apart: what all of many begin with tells none from another.
//!
//! Ignores: sentences of documents, files and sources, which keep the names whole.

use dw_messages::{Language, text};

use crate::content::{Block, Section, Table};
use crate::read::Read;

/// Fewer volumes keep their names.
const MANY: usize = 4;
/// A beginning of fewer characters is no burden.
const LEAST: usize = 6;
/// What ends a part of a name.
const MARKS: [char; 5] = ['-', '_', '.', '/', ':'];
/// What stands in its place.
const SHORT: &str = "…";
/// Sections in which names are looked up.
const WHOLE: [&str; 3] = ["scripts", "sources", "missing"];

/// Shortens them in tables, charts and headings; each section in which one was says what its sign stands for.
pub(super) fn shorten(sections: &mut [Section], read: &Read) {
    let Some(all) = beginning(&names(read)).map(String::from) else { return };
    for section in sections.iter_mut().filter(|section| !WHOLE.contains(&section.id)) {
        let mut is_any = false;
        let mut brief = |text: &mut String| {
            if text.contains(&all) {
                *text = text.replace(&all, SHORT);
                is_any = true;
            }
        };
        section.blocks.iter_mut().for_each(|block| of_block(block, &mut brief));
        if is_any {
            section.blocks.push(Block::Text(note(&all, read.lang)));
        }
    }
}

fn note(beginning: &str, lang: &Language) -> String {
    text!(lang, "… stands for {beginning}, with which the names of all volumes begin.", beginning)
}

fn names<'a>(read: &'a Read) -> Vec<&'a str> {
    let recorded = read.checklists.iter().flat_map(|(_, list)| list.each()).map(|volume| volume.name.as_str());
    let planned = read.plans.iter().filter_map(|(_, plan)| plan.plan.as_ref()).flat_map(|plan| &plan.volumes);
    let mut names: Vec<&str> = recorded.chain(planned.map(|volume| volume.name.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What all of them begin with, up to a mark; nothing where there are few, or it is short.
fn beginning<'a>(names: &[&'a str]) -> Option<&'a str> {
    let first = names.first().filter(|_| names.len() >= MANY)?;
    let alike = |name: &&str| first.char_indices().zip(name.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let length = |name: &&str| alike(name).unwrap_or(first.len().min(name.len()));
    let all = first.get(..names.iter().map(length).min()?)?;
    let all = all.get(..all.rfind(MARKS)? + 1)?;
    (all.chars().count() >= LEAST).then_some(all)
}

fn of_block(block: &mut Block, brief: &mut dyn FnMut(&mut String)) {
    match block {
        Block::Heading(text) => brief(text),
        Block::Beside(columns) => columns.iter_mut().flatten().for_each(|block| of_block(block, brief)),
        Block::Table(table) => of_table(table, brief),
        Block::Chart(chart, table) => {
            brief(&mut chart.title);
            chart.lines.iter_mut().for_each(|line| brief(&mut line.name));
            chart.limits.iter_mut().for_each(|(_, name)| brief(name));
            of_table(table, brief);
        }
        Block::Bars(bars, table) => {
            brief(&mut bars.title);
            bars.parts.iter_mut().for_each(&mut *brief);
            bars.bars.iter_mut().for_each(|bar| brief(&mut bar.name));
            of_table(table, brief);
        }
        Block::Path(path, table) => {
            brief(&mut path.title);
            path.stages.iter_mut().for_each(|stage| brief(&mut stage.name));
            of_table(table, brief);
        }
        _ => {}
    }
}

fn of_table(table: &mut Table, brief: &mut dyn FnMut(&mut String)) {
    brief(&mut table.caption);
    table.head.iter_mut().for_each(|column| brief(&mut column.title));
    table.rows.iter_mut().flatten().for_each(brief);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_ends_at_a_mark_and_is_of_many() {
        for (names, all) in [
            (&["vol-0a1", "vol-0a2", "vol-0b3", "vol-0b4"][..], None),
            (&["nvme-eui.0a1", "nvme-eui.0a2", "nvme-eui.0b3", "nvme-eui.0b4"], Some("nvme-eui.")),
            (&["nvme-eui.0a1", "nvme-eui.0a2", "nvme-eui.0b3"], None),
            (&["nvme-eui.0a1", "nvme-eui.0a2", "nvme-eui.0b3", "sdb"], None),
            (&["データ用/い", "データ用/ろ", "データ用/は", "データ用/に"], None),
            (&["データ用量の/い", "データ用量の/ろ", "データ用量の/は", "データ用量の/に"], Some("データ用量の/")),
            (&["/mnt/data", "/mnt/data/a", "/mnt/data/b", "/mnt/data/c"], None),
            (&[], None),
        ] {
            assert_eq!(beginning(names), all, "{names:?}");
        }
    }
}
