//! The picture: title, limits as bars, volumes as a table, faults and the host's lateness.

use dw_emulator::status::{LimitStatus, OpStatus, Status, VolumeStatus};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Paragraph, Row, Table};

use crate::ctl::{available, lateness, limit_name, rate};
use crate::report::format::{bytes, mega, milliseconds, percent, seconds};

/// Less than this share of a second with something waiting is not worth a mark.
const BINDS_FROM: f64 = 1.0;

/// Draws it.
pub fn draw(frame: &mut Frame, status: &Status) {
    let bottom = bottom_lines(status, usize::from(frame.area().width));
    let [title, limits, _, volumes, below] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(1 + status.limits.len() as u16),
        Constraint::Length(1),
        Constraint::Min(2),
        Constraint::Length(bottom.len() as u16),
    ])
    .areas(frame.area());
    frame.render_widget(Paragraph::new(headline(status)), title);
    draw_limits(frame, limits, status);
    draw_volumes(frame, volumes, status);
    frame.render_widget(Paragraph::new(bottom), below);
}

/// The rows that it takes to show everything on so many columns.
pub fn rows(status: &Status, columns: u16) -> u16 {
    let bottom = bottom_lines(status, usize::from(columns)).len();
    (2 + 1 + status.limits.len() + 1 + 1 + 2 * status.volumes.len() + bottom) as u16
}

fn headline(status: &Status) -> Line<'static> {
    let clients =
        if status.connections == 1 { "1 client".to_string() } else { format!("{} clients", status.connections) };
    let mut spans =
        vec!["diskwright".bold(), Span::raw(format!("  {}  {clients}", seconds(status.at_ns as f64 / 1e9)))];
    if status.cache.capacity_bytes > 0 {
        let (held, all) = (bytes(status.cache.resident_bytes as f64), bytes(status.cache.capacity_bytes as f64));
        let dirty = bytes(status.cache.dirty_bytes as f64);
        spans.push(Span::raw(format!("  host cache {held} of {all}, {dirty} dirty")));
    }
    if status.paused {
        spans.push("  PAUSED".bold().yellow());
    }
    Line::from(spans)
}

/// The limit that held requests up longest in the last full second.
fn binding(status: &Status) -> Option<usize> {
    let rows = status.limits.iter().enumerate().filter(|(_, limit)| limit.binding_percent >= BINDS_FROM);
    rows.max_by(|a, b| a.1.binding_percent.total_cmp(&b.1.binding_percent)).map(|(index, _)| index)
}

fn draw_limits(frame: &mut Frame, area: Rect, status: &Status) {
    let name_width = status.limits.iter().map(|limit| limit_name(limit).chars().count()).max().unwrap_or(0).max(5);
    // Name, consumed, available, credits, the mark, five blanks; the bar has what is left.
    let wide = area.width >= 100;
    let mark = if wide { 16 } else { 9 };
    let fixed = name_width + 8 + 13 + 7 + mark + 5;
    let bar = usize::from(area.width).saturating_sub(fixed).clamp(8, 60);
    let binding = binding(status);
    let rows =
        status.limits.iter().enumerate().map(|(index, limit)| limit_row(limit, bar, binding == Some(index), wide));
    let widths = [
        Constraint::Length(name_width as u16),
        Constraint::Length(bar as u16),
        Constraint::Length(8),
        Constraint::Length(13),
        Constraint::Length(7),
        Constraint::Min(mark as u16),
    ];
    let head = Row::new(["limit", "", "consumed", "    available", "credits", "binding"]).dim();
    frame.render_widget(Table::new(rows, widths).header(head), area);
}

fn limit_row(limit: &LimitStatus, bar: usize, binds: bool, wide: bool) -> Row<'static> {
    let colour = match limit.consumed_percent {
        _ if binds => Color::Red,
        c if c >= 90.0 => Color::Yellow,
        _ => Color::Green,
    };
    let credits = match (limit.credits, limit.credits_max) {
        (Some(left), Some(max)) if max > 0 => percent(left as f64 * 100.0 / max as f64),
        _ => String::new(),
    };
    let share = match limit.binding_percent {
        share if share >= BINDS_FROM => percent(share),
        _ => String::new(),
    };
    let mark = match binds {
        true if wide => format!("{share} <- binding"),
        true => format!("{share} <-"),
        false => share,
    };
    let style = if binds { Style::new().bold() } else { Style::new() };
    Row::new([
        Cell::from(limit_name(limit)),
        Cell::from(Span::styled(filled(limit.consumed_percent, bar), colour)),
        Cell::from(format!("{:>8}", percent(limit.consumed_percent))),
        Cell::from(format!("{:>13}", available(limit))),
        Cell::from(format!("{credits:>7}")),
        Cell::from(mark),
    ])
    .style(style)
}

/// A bar of `width` cells; more than the limit (a burst) ends in an arrow.
fn filled(percent: f64, width: usize) -> String {
    let full = ((percent / 100.0 * width as f64).round() as usize).min(width);
    let mut bar = "█".repeat(full) + &"·".repeat(width - full);
    if percent > 100.5 {
        bar.pop();
        bar.push('▶');
    }
    bar
}

/// Two lines per volume, reads and writes: a narrow terminal must do.
fn draw_volumes(frame: &mut Frame, area: Rect, status: &Status) {
    let widest = status.volumes.iter().map(|volume| volume.name.chars().count()).max().unwrap_or(0).clamp(6, 20);
    let rows = status.volumes.iter().flat_map(|volume| volume_rows(volume));
    let widths = [
        Constraint::Length(widest as u16),
        Constraint::Length(9),
        Constraint::Length(5),
        Constraint::Length(5),
        Constraint::Length(9),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Min(10),
    ];
    let head = ["volume", "cache", "depth", "", "     IOPS", "    MB/s", "  p50 ms", "  p99 ms", "  hits / dirty"];
    frame.render_widget(Table::new(rows, widths).header(Row::new(head).dim()), area);
}

fn volume_rows(volume: &VolumeStatus) -> [Row<'static>; 2] {
    let state = if volume.attached { volume.host_cache.name() } else { "detached" };
    let hits = volume.hits_ram + volume.hits_ssd;
    let all = hits + volume.misses;
    let hit = if all == 0 { String::new() } else { format!("{} hits", percent(hits as f64 * 100.0 / all as f64)) };
    let dirty = match volume.dirty_bytes {
        0 => String::new(),
        n => format!("{} dirty", bytes(n as f64)),
    };
    let depth = format!("{:>5}", volume.queue_depth);
    [
        row([volume.name.clone(), state.into(), depth, "read".into()], &volume.reads, hit),
        row([String::new(), String::new(), String::new(), "write".into()], &volume.writes, dirty),
    ]
}

fn row(head: [String; 4], op: &OpStatus, last: String) -> Row<'static> {
    let time = |ns: u64| if op.per_second > 0.0 { milliseconds(ns as f64) } else { "-".into() };
    let figures = [
        format!("{:>9}", rate(op.per_second)),
        format!("{:>8}", mega(op.bytes_per_second, 1e6)),
        format!("{:>8}", time(op.recent.p50_ns)),
        format!("{:>8}", time(op.recent.p99_ns)),
        format!("{last:>14}"),
    ];
    Row::new(head.into_iter().chain(figures).map(Cell::from))
}

/// What is not in the tables, and must not be missed.
fn bottom_lines(status: &Status, columns: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut say = |text: &str, style: Style| {
        lines.extend(wrapped(text, columns).into_iter().map(|line| Line::styled(line, style)));
    };
    for volume in status.volumes.iter().filter(|volume| volume.room_percent >= BINDS_FROM) {
        let share = percent(volume.room_percent);
        let text =
            format!("writes to {} waited for room in the write-back cache: {share} of the last second", volume.name);
        say(&text, Style::new().yellow());
    }
    if !status.faults.is_empty() {
        let count = status.faults.len();
        let faults = if count == 1 { "1 fault is".to_string() } else { format!("{count} faults are") };
        say(&format!("{faults} in force: `diskwright ctl inject list`"), Style::new().yellow());
    }
    let style = if status.lateness.doubts.is_empty() { Style::new() } else { Style::new().fg(Color::Red).bold() };
    lateness(&status.lateness).lines().for_each(|line| say(line, style));
    lines
}

/// Broken between words.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
