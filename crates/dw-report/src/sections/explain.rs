//! An explanation: which limit makes a configuration give what it gives, and the cheapest change that helps.

use dw_documents::explain::{ChangeRow, ExplainDocument, LimitRow, Verdict};

use dw_messages::{Label, Language, label, labels, text};

use super::words::{ended, limit_figure, money_change, sentence};
use crate::content::{Block, Level, Table};
use crate::format::{grouped, iops, percent};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    read.explanations.iter().flat_map(|(name, explain)| document(name, explain, read.lang)).collect()
}

/// The finding of each explanation, for the summary.
pub(super) fn said(read: &Read) -> impl Iterator<Item = (Level, String)> {
    read.explanations.iter().map(|(name, explain)| {
        let finding = ended(&explain.finding.text, read.lang);
        (level(explain), text!(read.lang, "Explained ({name}): {finding}", name, finding))
    })
}

/// What the answers rest on.
pub(super) fn assumptions(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, explain) in &read.explanations {
        let lines: Vec<String> = explain.assumptions.iter().chain(&explain.missing).map(ToString::to_string).collect();
        if !lines.is_empty() {
            blocks.push(Block::Heading(text!(read.lang, "The explanation ({name})", name)));
            blocks.push(Block::List(lines));
        }
    }
    blocks
}

fn level(explain: &ExplainDocument) -> Level {
    match explain.verdict {
        Verdict::Met => Level::Good,
        Verdict::NotAsked | Verdict::Unknown => Level::Note,
        _ => Level::Warning,
    }
}

fn document(name: &str, explain: &ExplainDocument, lang: &Language) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(text!(lang, "Why it gives what it gives ({name})", name)),
        Block::Text(ended(&explain.rig, lang)),
        Block::Said(level(explain), sentence(&explain.finding.text, lang)),
    ];
    blocks.extend(explain.anti_patterns.iter().map(|text| Block::Said(Level::Warning, text.to_string())));
    blocks.extend(explain.throttled_sources.iter().map(|text| Block::Said(Level::Warning, text.to_string())));
    let measured: Vec<String> = explain.measured.iter().map(|m| format!("{}: {}", m.volume, m.sentence)).collect();
    if !measured.is_empty() {
        blocks.push(Block::List(measured));
    }
    if !explain.volumes.is_empty() {
        let head = labels!["volume", "#asked IOPS", "#gets IOPS", "#gets", "stopped by", "#queue depth needed"];
        let caption = text!(lang, "What each volume gets in the worst interval ({name})", name);
        let mut table = Table::new(lang, caption, &head);
        for volume in &explain.volumes {
            if volume.limited_by.is_some() {
                table.marked.push(table.rows.len());
            }
            table.row([
                volume.name.clone(),
                iops(volume.asked_iops as f64),
                iops(volume.gets_iops as f64),
                percent(volume.gets_percent),
                volume.limited_by.as_ref().map_or_else(|| text!(lang, "nothing"), |limit| lang.limit(limit)),
                grouped(volume.queue_depth_needed as f64),
            ]);
        }
        blocks.push(Block::Table(table));
    }
    if !explain.limits.is_empty() {
        blocks.push(Block::Table(limits(name, explain, lang)));
    }
    if !explain.changes.is_empty() {
        blocks.push(Block::Table(changes(name, &explain.changes, lang)));
    }
    blocks.extend(explain.new_plan.iter().map(|plan| Block::Said(Level::Note, plan.text.clone())));
    blocks
}

fn limits(name: &str, explain: &ExplainDocument, lang: &Language) -> Table {
    let bursts = explain.limits.iter().any(|limit| limit.burst.is_some());
    let mut head =
        labels!["limit", "#p99", "#max", "#gives", "#in a burst", "#used of the limit", "#intervals above it"].to_vec();
    // Of one figure there are no percentiles.
    let over_time = explain.is_over_time();
    let is = |title: &Label, other: &str| title.english() == other;
    head.retain(|title| (bursts || !is(title, "#in a burst")) && (over_time || !is(title, "#p99")));
    if !over_time {
        head[1] = label!("#asked");
    }
    let caption = match explain.of_demand {
        true => text!(lang, "Limits under the demand ({name})", name),
        false => text!(lang, "Limits under the measurement ({name})", name),
    };
    let mut table = Table::new(lang, caption, &head);
    for limit in &explain.limits {
        if limit.binding {
            table.marked.push(table.rows.len());
        }
        let show = |value| limit_figure(&limit.of.unit, value);
        let mut cells = vec![whose(limit, lang)];
        cells.extend(over_time.then(|| show(limit.asked.p99)));
        cells.extend([show(limit.asked.max), show(limit.gives)]);
        cells.extend(bursts.then(|| limit.burst.map_or("-".into(), show)));
        cells.extend([percent(limit.used_percent), limit.exceeded.to_string()]);
        table.row(cells);
    }
    table
}

fn whose(limit: &LimitRow, lang: &Language) -> String {
    let name = lang.limit(&limit.of.limit);
    match &limit.of.volume {
        Some(volume) => format!("{volume}: {name}"),
        None => name,
    }
}

fn changes(name: &str, changes: &[ChangeRow], lang: &Language) -> Table {
    let head = labels!["change", "enough", "#of what is asked", "#more per month"];
    let mut table = Table::new(lang, text!(lang, "Changes of one part that help ({name})", name), &head);
    for change in changes {
        if change.enough && table.marked.is_empty() {
            table.marked.push(table.rows.len());
        }
        table.row([
            change.change.to_string(),
            if change.enough { text!(lang, "yes") } else { text!(lang, "no") },
            percent(change.carried_percent),
            change.monthly.map_or_else(|| text!(lang, "price not known"), money_change),
        ]);
    }
    table
}
