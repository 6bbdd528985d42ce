//! An explanation: which limit makes a configuration give what it gives, and the cheapest change that helps.

use dw_documents::explain::{ChangeRow, ExplainDocument, LimitRow, Verdict};

use super::words::{limit_figure, money_change, sentence};
use crate::content::{Block, Level, Table};
use crate::format::{grouped, iops, percent};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    read.explanations.iter().flat_map(|(name, explain)| of(name, explain)).collect()
}

/// The finding of each explanation, for the summary.
pub(super) fn said(read: &Read) -> impl Iterator<Item = Block> {
    read.explanations.iter().map(|(name, explain)| {
        let finding = explain.finding.text.trim_end_matches('.');
        Block::Said(level(explain), format!("Explained ({name}): {finding}."))
    })
}

/// What the answers rest on.
pub(super) fn assumptions(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, explain) in &read.explanations {
        let lines: Vec<String> = explain.assumptions.iter().chain(&explain.missing).map(ToString::to_string).collect();
        if !lines.is_empty() {
            blocks.push(Block::Heading(format!("The explanation ({name})")));
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

fn of(name: &str, explain: &ExplainDocument) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(format!("Why it gives what it gives ({name})")),
        Block::Text(format!("{}.", explain.rig.trim_end_matches('.'))),
        Block::Said(level(explain), sentence(explain.finding.text.trim_end_matches('.'))),
    ];
    blocks.extend(explain.throttled_sources.iter().map(|text| Block::Said(Level::Warning, text.to_string())));
    let measured: Vec<String> = explain.measured.iter().map(|m| format!("{}: {}", m.volume, m.sentence)).collect();
    if !measured.is_empty() {
        blocks.push(Block::List(measured));
    }
    if !explain.volumes.is_empty() {
        let head = ["volume", "#asked IOPS", "#gets IOPS", "#gets", "stopped by", "#queue depth needed"];
        let mut table = Table::new(format!("What each volume gets in the worst interval ({name})"), &head);
        for volume in &explain.volumes {
            if volume.limited_by.is_some() {
                table.marked.push(table.rows.len());
            }
            table.row([
                volume.name.clone(),
                iops(volume.asked_iops as f64),
                iops(volume.gets_iops as f64),
                percent(volume.gets_percent),
                volume.limited_by.clone().unwrap_or_else(|| "nothing".into()),
                grouped(volume.queue_depth_needed as f64),
            ]);
        }
        blocks.push(Block::Table(table));
    }
    if !explain.limits.is_empty() {
        blocks.push(Block::Table(limits(name, explain)));
    }
    if !explain.changes.is_empty() {
        blocks.push(Block::Table(changes(name, &explain.changes)));
    }
    blocks.extend(explain.new_plan.iter().map(|plan| Block::Said(Level::Note, plan.text.clone())));
    blocks
}

fn limits(name: &str, explain: &ExplainDocument) -> Table {
    let of = if explain.of_demand { "demand" } else { "measurement" };
    let bursts = explain.limits.iter().any(|limit| limit.burst.is_some());
    let mut head = vec!["limit", "#p99", "#max", "#gives", "#in a burst", "#used of the limit", "#intervals above it"];
    // Of one figure there are no percentiles.
    let over_time = explain.is_over_time();
    head.retain(|title| (bursts || *title != "#in a burst") && (over_time || *title != "#p99"));
    if !over_time {
        head[1] = "#asked";
    }
    let mut table = Table::new(format!("Limits under the {of} ({name})"), &head);
    for limit in &explain.limits {
        if limit.binding {
            table.marked.push(table.rows.len());
        }
        let show = |value| limit_figure(&limit.of.unit, value);
        let mut cells = vec![whose(limit)];
        cells.extend(over_time.then(|| show(limit.asked.p99)));
        cells.extend([show(limit.asked.max), show(limit.gives)]);
        cells.extend(bursts.then(|| limit.burst.map_or("-".into(), show)));
        cells.extend([percent(limit.used_percent), limit.exceeded.to_string()]);
        table.row(cells);
    }
    table
}

fn whose(limit: &LimitRow) -> String {
    match &limit.of.volume {
        Some(volume) => format!("{volume}: {}", limit.of.limit),
        None => limit.of.limit.clone(),
    }
}

fn changes(name: &str, changes: &[ChangeRow]) -> Table {
    let head = ["change", "enough", "#of what is asked", "#more per month"];
    let mut table = Table::new(format!("Changes of one part that help ({name})"), &head);
    for change in changes {
        if change.enough && table.marked.is_empty() {
            table.marked.push(table.rows.len());
        }
        table.row([
            change.change.to_string(),
            if change.enough { "yes" } else { "no" }.into(),
            percent(change.carried_percent),
            change.monthly.map_or("price not known".into(), money_change),
        ]);
    }
    table
}
