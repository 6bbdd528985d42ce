//! The picture: title, the last minutes, limits as bars, volumes as a table, faults and the host's lateness, keys.
//!
//! A figure is shown whole or not at all. What a terminal has no room for is left out in the order of [`LIMITS`] and [`VOLUMES`],
//! and of the rows the least busy, unless somebody scrolls: then they stand in order from where he is. The last line says what is missing.

use std::borrow::Cow;

use dw_emulator::status::{LimitStatus, OpStatus, Status, Verdict, VolumeStatus};
use dw_error::obeyed;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Paragraph, Row, Table};

use crate::linux::ctl::{available, limit_name, rate, trust};
use crate::linux::top::history::{self, History};
use crate::report::format::{bytes, grouped, mega, milliseconds, percent, seconds};
use dw_documents::columns::wrapped;

/// Less than this share of a second with something waiting is not worth a mark.
const BINDS_FROM: f64 = 1.0;

/// Columns of the limits by importance: name, consumed, binding, available, credits, bar.
const LIMITS: [usize; 6] = [0, 2, 5, 3, 4, 1];
/// Columns of the volumes by importance: name, direction, IOPS, MB/s, p99, p50, depth, hits and dirty data, cache.
const VOLUMES: [usize; 9] = [0, 3, 4, 5, 7, 6, 2, 8, 1];
/// A bar of fewer cells says nothing.
const BAR_LEAST: usize = 8;

/// How somebody looks at it.
#[derive(Debug, Default)]
pub struct View {
    /// What was.
    pub history: History,
    /// Rows that are scrolled past; 0 = the busiest are shown.
    pub scroll: usize,
    /// A person sits there: keys are named.
    pub keys: bool,
    /// In one colour.
    pub plain: bool,
}

pub fn draw(frame: &mut Frame, status: &Status, view: &View) {
    let area = frame.area();
    let picture = Picture::new(status, view, area.width, area.height);
    let blank = u16::from(picture.loose);
    let [title, limits, _, volumes, below] = Layout::vertical([
        Constraint::Length(picture.title.len() as u16 + blank),
        Constraint::Length(1 + picture.limits.len() as u16),
        Constraint::Length(blank),
        Constraint::Min(1 + 2 * picture.volumes.len() as u16),
        Constraint::Length(picture.bottom.len() as u16),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(picture.title), title);
    frame.render_widget(limits_table(&picture.limits, binding(status), limits.width), limits);
    frame.render_widget(volumes_table(&picture.volumes, volumes.width), volumes);
    frame.render_widget(Paragraph::new(picture.bottom), below);
    for cell in &mut frame.buffer_mut().content {
        if view.plain {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
        if let Cow::Owned(sign) = obeyed::line(cell.symbol()) {
            cell.set_symbol(&sign);
        }
    }
}

/// The rows that it takes to show everything on so many columns.
pub fn rows(status: &Status, columns: u16) -> u16 {
    Picture::new(status, &View::default(), columns, u16::MAX).height() as u16
}

/// How far one can scroll on so many columns and rows: nowhere where all is shown.
pub fn scroll_max(status: &Status, view: &View, columns: u16, rows: u16) -> usize {
    let picture = Picture::new(status, view, columns, rows);
    let hidden = status.limits.len() - picture.limits.len() + status.volumes.len() - picture.volumes.len();
    if hidden == 0 { 0 } else { hidden + 1 }
}

/// What there is room for.
struct Picture<'a> {
    title: Vec<Line<'static>>,
    limits: Vec<&'a LimitStatus>,
    volumes: Vec<&'a VolumeStatus>,
    bottom: Vec<Line<'static>>,
    /// With blank lines between the parts.
    loose: bool,
}

impl<'a> Picture<'a> {
    fn new(status: &'a Status, view: &View, columns: u16, rows: u16) -> Picture<'a> {
        let (width, height) = (usize::from(columns), usize::from(rows));
        let mut picture = Picture {
            title: headline(status, width),
            limits: status.limits.iter().collect(),
            volumes: status.volumes.iter().collect(),
            bottom: bottom_lines(status, width),
            loose: true,
        };
        let (limits, volumes) = (limit_columns(&picture.limits, width), volume_columns(&picture.volumes, width));
        let mut hidden = hidden_heads(&LIMIT_HEADS, &limits);
        hidden.extend(hidden_heads(&VOLUME_HEADS, &volumes));
        let mark = |hidden: &[String]| {
            let text = format!("no room for: {}", hidden.join(", "));
            wrapped(&text, width).into_iter().map(|line| Line::from(line).dim()).collect::<Vec<_>>()
        };
        let columns_mark = if hidden.is_empty() { Vec::new() } else { mark(&hidden) };
        let keys = |scrolls: bool| view.keys.then(|| Line::from(keys(scrolls, width)).dim());
        let of_keys = usize::from(view.keys);
        // The last minutes have what room is left.
        let past = |picture: &mut Picture, taken: usize| {
            let room = height.saturating_sub(picture.height() + taken);
            let mut past = history::lines(&view.history, width);
            if room > past.len() && !past.is_empty() {
                picture.title.push(Line::default());
            }
            past.truncate(room);
            picture.title.extend(past);
        };
        let taken = columns_mark.len() + of_keys;
        if picture.height() + taken <= height {
            past(&mut picture, taken);
            picture.bottom.extend(columns_mark);
            picture.bottom.extend(keys(false));
            return picture;
        }
        hidden.extend(picture.tighten(height - of_keys.min(height), view.scroll));
        if !hidden.is_empty() {
            picture.bottom.extend(mark(&hidden));
        }
        let scrolls = picture.limits.len() < status.limits.len() || picture.volumes.len() < status.volumes.len();
        picture.bottom.extend(keys(scrolls));
        past(&mut picture, 0);
        picture
    }

    fn height(&self) -> usize {
        let blanks = if self.loose { 2 } else { 0 };
        self.title.len() + 1 + self.limits.len() + 1 + 2 * self.volumes.len() + self.bottom.len() + blanks
    }

    /// Takes blank lines away, then rows; what is missing then.
    fn tighten(&mut self, height: usize, scroll: usize) -> Vec<String> {
        /// Lines that say what is missing.
        const MARK: usize = 2;
        self.loose = false;
        self.bottom.remove(0);
        let mut hidden = Vec::new();
        let mut missing = |all: usize, shown: usize, one: &str, more: &str| match all - shown {
            0 => {}
            1 => hidden.push(format!("1 {one}")),
            n => hidden.push(format!("{n} {more}")),
        };
        let lines = self.bottom.len();
        self.bottom.truncate((height / 4).max(1));
        let heads = 2;
        let room = height.saturating_sub(self.title.len() + self.bottom.len() + MARK + heads);
        let (limits, volumes) = (self.limits.len(), self.volumes.len());
        // Half for each, and what one does not need for the other.
        let of_volumes = volumes.min((room - limits.min(room / 2)) / 2);
        let of_limits = limits.min(room - 2 * of_volumes);
        let by_wait = |limit: &LimitStatus| (limit.binding_percent, limit.consumed_percent);
        let by_rate = |volume: &VolumeStatus| volume.reads.per_second + volume.writes.per_second;
        if let Some(past) = scroll.checked_sub(1) {
            // Limits first, then volumes.
            let past_limits = past.min(limits - of_limits);
            let past_volumes = (past - past_limits).min(volumes - of_volumes);
            self.limits = self.limits[past_limits..past_limits + of_limits].to_vec();
            self.volumes = self.volumes[past_volumes..past_volumes + of_volumes].to_vec();
        } else {
            keep(&mut self.limits, of_limits, |a, b| by_wait(a).partial_cmp(&by_wait(b)));
            keep(&mut self.volumes, of_volumes, |a, b| by_rate(a).partial_cmp(&by_rate(b)));
        }
        missing(limits, of_limits, "limit", "limits");
        missing(volumes, of_volumes, "volume", "volumes");
        missing(lines, self.bottom.len(), "remark line", "remark lines");
        hidden
    }
}

/// The keys that do something now, as many as there is room for.
fn keys(scrolls: bool, width: usize) -> String {
    let all: &[&str] = if scrolls { &["q end", "↑ ↓ PgUp PgDn rows", "Home the busiest"] } else { &["q end"] };
    let mut line = String::new();
    for key in all {
        let next = if line.is_empty() { key.to_string() } else { format!("{line}   {key}") };
        if next.chars().count() > width {
            break;
        }
        line = next;
    }
    line
}

/// Leaves the `count` largest, the first ones among equals, in the order in which they stand.
fn keep<T>(list: &mut Vec<&T>, count: usize, order: impl Fn(&T, &T) -> Option<std::cmp::Ordering>) {
    while list.len() > count {
        let least = (0..list.len()).rev().min_by(|a, b| order(list[*a], list[*b]).unwrap_or(std::cmp::Ordering::Equal));
        list.remove(least.unwrap_or(0));
    }
}

/// The columns that fit, by importance: nothing stands where something more important is missing.
fn fitting(widths: &[usize], importance: &[usize], room: usize) -> Vec<usize> {
    let mut used = 0;
    let fits = |column: &&usize| {
        used += widths[**column] + usize::from(used > 0);
        used <= room
    };
    let mut kept: Vec<usize> = importance.iter().take_while(fits).copied().collect();
    kept.sort_unstable();
    kept
}

fn hidden_heads(heads: &[&str], kept: &[usize]) -> Vec<String> {
    let hidden = heads.iter().enumerate().filter(|(column, _)| !kept.contains(column));
    hidden.map(|(_, head)| head.trim().to_string()).collect()
}

fn headline(status: &Status, width: usize) -> Vec<Line<'static>> {
    let clients =
        if status.connections == 1 { "1 client".to_string() } else { format!("{} clients", status.connections) };
    let first = format!("  {}  {clients}", seconds(status.at_ns as f64 / 1e9));
    let paused = if status.paused { "  PAUSED" } else { "" };
    let cache = (status.cache.capacity_bytes > 0).then(|| {
        let (held, all) = (bytes(status.cache.resident_bytes as f64), bytes(status.cache.capacity_bytes as f64));
        let dirty = bytes(status.cache.dirty_bytes as f64);
        format!("host cache {held} of {all}, {dirty} dirty")
    });
    let whole =
        format!("diskwright{first}{}{paused}", cache.as_ref().map_or(String::new(), |cache| format!("  {cache}")));
    let mut spans = vec!["diskwright".bold(), Span::raw(first)];
    let mut below = Vec::new();
    match cache {
        Some(cache) if whole.chars().count() <= width => spans.push(Span::raw(format!("  {cache}"))),
        Some(cache) => below.extend(wrapped(&cache, width).into_iter().map(Line::from)),
        None => {}
    }
    spans.push(paused.bold().yellow());
    below.insert(0, Line::from(spans));
    below
}

/// The limit that held requests up longest in the last full second.
fn binding(status: &Status) -> Option<&LimitStatus> {
    let limits = status.limits.iter().filter(|limit| limit.binding_percent >= BINDS_FROM);
    limits.max_by(|a, b| a.binding_percent.total_cmp(&b.binding_percent))
}

const LIMIT_HEADS: [&str; 6] = ["limit", "bar", "consumed", "    available", "credits", "binding"];
const VOLUME_HEADS: [&str; 9] =
    ["volume", "cache", "depth", "", "     IOPS", "    MB/s", "  p50 ms", "  p99 ms", "  hits / dirty"];

/// From here on there is room for words.
const WIDE: usize = 100;

fn limit_widths(limits: &[&LimitStatus], room: usize) -> [usize; 6] {
    let widest = |least: usize, of: &dyn Fn(&LimitStatus) -> String| {
        limits.iter().map(|limit| of(limit).chars().count()).max().unwrap_or(0).max(least)
    };
    let consumed = widest(8, &|limit| percent(limit.consumed_percent));
    let mark = if room >= WIDE { 16 } else { 9 };
    // A name gives way to the first figure.
    let name = widest(5, &limit_name).min(room.saturating_sub(consumed + 1));
    [name, BAR_LEAST, consumed, widest(13, &available), 7, mark]
}

fn limit_columns(limits: &[&LimitStatus], room: usize) -> Vec<usize> {
    fitting(&limit_widths(limits, room), &LIMITS, room)
}

fn limits_table(limits: &[&LimitStatus], binding: Option<&LimitStatus>, width: u16) -> Table<'static> {
    let room = usize::from(width);
    let (mut widths, kept) = (limit_widths(limits, room), limit_columns(limits, room));
    // The bar has what the others leave.
    let used = kept.iter().map(|&column| widths[column] + 1).sum::<usize>().saturating_sub(1);
    widths[1] = (BAR_LEAST + room.saturating_sub(used)).min(60);
    let binds = |limit: &LimitStatus| binding.is_some_and(|binding| std::ptr::eq(binding, limit));
    let rows = limits.iter().map(|limit| limit_row(limit, widths[1], binds(limit), room >= WIDE, &kept));
    let head = kept.iter().map(|&column| if column == 1 { "" } else { LIMIT_HEADS[column] });
    let head = Row::new(head.map(Cell::from).collect::<Vec<_>>()).dim();
    Table::new(rows.collect::<Vec<_>>(), lengths(&widths, &kept)).header(head)
}

fn lengths(widths: &[usize], kept: &[usize]) -> Vec<Constraint> {
    kept.iter().map(|&column| Constraint::Length(widths[column] as u16)).collect()
}

fn limit_row(limit: &LimitStatus, bar: usize, binds: bool, wide: bool, kept: &[usize]) -> Row<'static> {
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
    let cells = [
        Cell::from(limit_name(limit)),
        Cell::from(Span::styled(filled(limit.consumed_percent, bar), colour)),
        Cell::from(format!("{:>8}", percent(limit.consumed_percent))),
        Cell::from(format!("{:>13}", available(limit))),
        Cell::from(format!("{credits:>7}")),
        Cell::from(mark),
    ];
    Row::new(chosen(cells, kept)).style(style)
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

fn chosen<const N: usize>(cells: [Cell<'static>; N], kept: &[usize]) -> Vec<Cell<'static>> {
    let cells = cells.into_iter().enumerate().filter(|(column, _)| kept.contains(column));
    cells.map(|(_, cell)| cell).collect()
}

fn volume_widths(volumes: &[&VolumeStatus]) -> [usize; 9] {
    let name = volumes.iter().map(|volume| volume.name.chars().count()).max().unwrap_or(0).clamp(6, 20);
    let mut widths = [name, 9, 5, 5, 9, 8, 8, 8, 14];
    for row in volumes.iter().flat_map(|volume| volume_cells(volume)) {
        for (width, cell) in widths.iter_mut().zip(row).skip(1) {
            *width = cell.chars().count().max(*width);
        }
    }
    widths
}

fn volume_columns(volumes: &[&VolumeStatus], room: usize) -> Vec<usize> {
    fitting(&volume_widths(volumes), &VOLUMES, room)
}

/// Two lines per volume, reads and writes: a narrow terminal must do.
fn volumes_table(volumes: &[&VolumeStatus], width: u16) -> Table<'static> {
    let (widths, kept) = (volume_widths(volumes), volume_columns(volumes, usize::from(width)));
    let rows = volumes.iter().flat_map(|volume| volume_cells(volume));
    let rows: Vec<Row> = rows
        .map(|cells| {
            let right = |(column, cell): (usize, String)| {
                let width = widths[column];
                Cell::from(if FIGURES.contains(&column) { format!("{cell:>width$}") } else { cell })
            };
            Row::new(
                cells
                    .into_iter()
                    .enumerate()
                    .filter(|(column, _)| kept.contains(column))
                    .map(right)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let head: Vec<Cell> = kept.iter().map(|&column| Cell::from(VOLUME_HEADS[column])).collect();
    Table::new(rows, lengths(&widths, &kept)).header(Row::new(head).dim())
}

/// Columns of the volumes that are flush right.
const FIGURES: [usize; 6] = [2, 4, 5, 6, 7, 8];

fn volume_cells(volume: &VolumeStatus) -> [[String; 9]; 2] {
    let state = if volume.attached { volume.host_cache.name() } else { "detached" };
    let hits = volume.hits_ram + volume.hits_ssd;
    let all = hits + volume.misses;
    let hit = if all == 0 { String::new() } else { format!("{} hits", percent(hits as f64 * 100.0 / all as f64)) };
    let dirty = match volume.dirty_bytes {
        0 => String::new(),
        n => format!("{} dirty", bytes(n as f64)),
    };
    let none = String::new;
    [
        cells(
            [volume.name.clone(), state.into(), grouped(volume.queue_depth as f64), "read".into()],
            &volume.reads,
            hit,
        ),
        cells([none(), none(), none(), "write".into()], &volume.writes, dirty),
    ]
}

fn cells([name, cache, depth, direction]: [String; 4], op: &OpStatus, last: String) -> [String; 9] {
    let time = |ns: u64| if op.per_second > 0.0 { milliseconds(ns as f64) } else { "-".into() };
    let (p50, p99) = (time(op.recent.p50_ns), time(op.recent.p99_ns));
    [name, cache, depth, direction, rate(op.per_second), mega(op.bytes_per_second, 1e6), p50, p99, last]
}

/// What is not in the tables, and must not be missed.
fn bottom_lines(status: &Status, columns: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut say = |text: &str, style: Style| {
        lines.extend(wrapped(text.trim_start(), columns).into_iter().map(|line| Line::styled(line, style)));
    };
    for volume in status.volumes.iter().filter(|volume| volume.room_percent >= BINDS_FROM) {
        let share = percent(volume.room_percent);
        let text = format!("writes to {} waited for write-back cache space: {share} of the last second", volume.name);
        say(&text, Style::new().yellow());
    }
    for volume in status.volumes.iter().filter(|volume| volume.first_touch_percent >= BINDS_FROM) {
        let share = percent(volume.first_touch_percent);
        let text = format!("{} waited for data from its snapshot: {share} of the last second", volume.name);
        say(&text, Style::new().yellow());
    }
    if !status.faults.is_empty() {
        let count = status.faults.len();
        let faults = if count == 1 { "1 fault is".to_string() } else { format!("{count} faults are") };
        say(&format!("{faults} active: `diskwright ctl inject list`"), Style::new().yellow());
    }
    let style =
        if status.lateness.verdict == Verdict::Doubted { Style::new().fg(Color::Red).bold() } else { Style::new() };
    trust(&status.lateness).lines().for_each(|line| say(line, style));
    lines
}

#[cfg(test)]
mod tests;
