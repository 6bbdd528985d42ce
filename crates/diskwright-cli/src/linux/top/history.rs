//! The last minutes as columns of blocks: I/Os a second, mean latency, and the fullest limit, one column for so many looks.
//!
//! A column is as high as the highest look in it, so that a short stop is seen; the scale is the highest of all, and its figure stands beside.

use std::collections::VecDeque;

use dw_emulator::status::{OpStatus, Status};
use ratatui::style::Stylize as _;
use ratatui::text::Line;

use crate::linux::ctl::rate;
use crate::report::format::{milliseconds, percent, seconds};

/// Looks that are kept: five minutes of two a second.
const LOOKS: usize = 600;
/// Columns of a line of fewer say nothing.
const LEAST: usize = 10;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What was.
#[derive(Debug, Default)]
pub struct History(VecDeque<Look>);

/// The figures of one look.
#[derive(Clone, Copy, Debug)]
struct Look {
    iops: f64,
    mean_ns: f64,
    /// Percent of the limit that is used most.
    fullest: f64,
}

impl History {
    /// Keeps one look.
    pub fn keep(&mut self, status: &Status) {
        let ops: Vec<&OpStatus> = status.volumes.iter().flat_map(|volume| [&volume.reads, &volume.writes]).collect();
        let iops: f64 = ops.iter().map(|op| op.per_second).sum();
        let spent: f64 = ops.iter().map(|op| op.per_second * op.recent.mean_ns as f64).sum();
        let fullest = status.limits.iter().map(|limit| limit.consumed_percent).fold(0.0, f64::max);
        self.0.push_back(Look { iops, mean_ns: if iops > 0.0 { spent / iops } else { 0.0 }, fullest });
        while self.0.len() > LOOKS {
            self.0.pop_front();
        }
    }
}

type Get = fn(&Look) -> f64;
type Show = fn(f64) -> String;

/// Four lines, or none where nothing was yet or there is no room for them.
pub fn lines(history: &History, width: usize) -> Vec<Line<'static>> {
    if history.0.len() < 2 {
        return Vec::new();
    }
    let rows: [(&str, Get, Show); 3] = [
        ("IOPS", |look| look.iops, rate),
        ("mean ms", |look| look.mean_ns, milliseconds),
        ("fullest limit", |look| look.fullest, percent),
    ];
    let most = |get: Get| history.0.iter().map(get).fold(0.0, f64::max);
    let ends: Vec<String> = rows.iter().map(|(_, get, show)| format!("max {}", show(most(*get)))).collect();
    let name = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let end = ends.iter().map(|end| end.chars().count()).max().unwrap_or(0);
    let Some(columns) = width.checked_sub(name + end + 2).filter(|columns| *columns >= LEAST) else {
        return Vec::new();
    };
    // As few looks a column as five minutes take.
    let (columns, each) = (columns.min(LOOKS), LOOKS.div_ceil(columns.min(LOOKS)));
    let mut all: Vec<Line> = rows
        .iter()
        .zip(ends)
        .map(|((title, get, _), end)| {
            Line::from(format!("{title:<name$} {} {end}", blocks(history, *get, columns, each)))
        })
        .collect();
    let shown = (history.0.len().min(columns * each) as f64 * super::EVERY.as_secs_f64()).max(1.0);
    let said = format!("{:name$} the last {}", "", seconds(shown));
    if said.chars().count() <= width {
        all.push(Line::from(said).dim());
    }
    all
}

/// The newest on the right.
fn blocks(history: &History, get: Get, columns: usize, each: usize) -> String {
    let looks: Vec<f64> = history.0.iter().map(get).collect();
    let most = looks.iter().copied().fold(0.0, f64::max);
    let shown: Vec<f64> =
        looks.rchunks(each).take(columns).map(|part| part.iter().copied().fold(0.0, f64::max)).collect();
    let block = |value: &f64| match value / most {
        // What is not nothing is seen.
        share if share > 0.0 => BLOCKS[((share * 8.0).round() as usize).clamp(1, 8)],
        _ => BLOCKS[0],
    };
    let drawn: String = shown.iter().rev().map(block).collect();
    format!("{}{drawn}", " ".repeat(columns - shown.len()))
}
