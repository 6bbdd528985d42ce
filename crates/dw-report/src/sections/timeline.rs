//! Over time: what was asked, what was given, when something waited at a limit, and what was left of burst credits.
//!
//! Credits are reckoned from the series: what a limit's sustained rate leaves is saved, what goes beyond is spent. Ignores what
//! happens within an interval and the bytes that a host cache adds or saves, so it is shown for volumes without one.

use dw_documents::checklist::VolumeDocument;
use dw_documents::run::{LimitLine, Summary, Track};

use dw_messages::{Label, Language, label, text};

use super::bench;
use super::words::{checklist_figure, checklist_unit, directions, sampled};
use crate::chart::{Chart, Series, over_time, under_limits};
use crate::content::{Block, Column, Table};
use crate::format::{iops, mega, milliseconds, percent};
use crate::read::Read;

/// Rows of a table under a chart.
const ROWS: usize = 24;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, run) in read.summaries() {
        if run.series.is_empty() {
            continue;
        }
        blocks.push(Block::Heading(text!(read.lang, "Simulation ({name})", name)));
        for volume in &run.volumes {
            blocks.extend(of_run(run, &volume.name, read.lang));
        }
        blocks.extend(run.limits.iter().filter_map(|limit| credits(run, limit, read.lang)));
    }
    for (name, bench) in &read.benches {
        blocks.extend(bench::seconds(name, bench, read.lang));
    }
    for (_, list) in &read.checklists {
        if list.volumes.iter().any(|v| !v.series.end_s.is_empty()) {
            blocks.push(Block::Heading(text!(read.lang, "Recorded")));
        }
        for volume in &list.volumes {
            blocks.extend(of_recording(volume, read.lang));
        }
    }
    blocks
}

fn of_run(run: &Summary, volume: &str, lang: &Language) -> Vec<Block> {
    let tracks: Vec<&Track> = run.series.iter().filter(|track| track.volume == volume).collect();
    let spans = throttled(&tracks);
    let draw = |title: Label, unit: &str, of: &dyn Fn(&Track) -> &[f64], show: &dyn Fn(f64) -> String| {
        let series: Vec<Series> = tracks
            .iter()
            .map(|track| {
                let points = track.end_s.iter().zip(of(track)).map(|(t, v)| (*t, Some(*v))).collect();
                Series { name: directions(&track.direction, lang).into(), points }
            })
            .collect();
        let title = format!("{volume}: {}", lang.label(title));
        let mut chart = under_limits(lang, &title, &series, &limits(run, volume, unit, lang), show)?;
        chart.spans = spans.iter().map(|(from, to, _)| (*from, *to)).collect();
        if let Some((_, _, limit)) = spans.first() {
            chart.spans_name = text!(lang, "throttled by {limit}", limit = lang.limit(limit));
        }
        Some(Block::Chart(chart, table(&title, &series, show, &spans, lang)))
    };
    let charts = [
        draw(label!("IOPS"), "IOPS", &|t| &t.iops, &iops),
        draw(label!("throughput (MB/s)"), "B/s", &|t| &t.bytes_per_s, &|v| mega(v, 1e6)),
        draw(label!("mean latency (ms)"), "", &|t| &t.latency_mean_ns, &milliseconds),
    ];
    charts.into_iter().flatten().collect()
}

/// Limits that reads and writes of a volume alone share: of its disks where no host cache stands before them, of the VM where no other
/// volume is.
fn limits(run: &Summary, volume: &str, unit: &str, lang: &Language) -> Vec<(f64, String)> {
    let Some(line) = run.volumes.iter().find(|line| line.name == volume) else { return Vec::new() };
    let is_of = |limit: &&LimitLine| {
        let of_disks = limit.disks.is_some() && limit.place == volume && line.host_cache == "None";
        let of_vm = limit.disks.is_none() && run.volumes.len() == 1;
        limit.unit == unit && (of_disks || of_vm)
    };
    let named = |limit: &LimitLine| {
        let name = lang.limit(&limit.name());
        let burst = limit.burst.map(|burst| (burst as f64, text!(lang, "{limit} in bursts", limit = name)));
        std::iter::once((limit.sustained as f64, name)).chain(burst)
    };
    run.limits.iter().filter(is_of).flat_map(named).collect()
}

/// Share of a latency in percent from which a wait counts: a disk that paces its requests lets some wait at any load.
const WAITS: f64 = 50.0;

/// Stretches in which requests spent most of their time waiting at a limit: from, to as shares of the run, and the limit that is named most.
fn throttled(tracks: &[&Track]) -> Vec<(f64, f64, String)> {
    let end = tracks.iter().filter_map(|t| t.end_s.last()).copied().fold(0.0, f64::max);
    let mut spans: Vec<(f64, f64, String)> = Vec::new();
    let mut all: Vec<(f64, f64, &str)> = Vec::new();
    for track in tracks {
        let begins = std::iter::once(0.0).chain(track.end_s.iter().copied());
        let stretches = begins.zip(&track.end_s).zip(track.waits_at.iter().zip(&track.waited_percent));
        all.extend(stretches.filter_map(|((from, to), (limit, waited))| {
            Some((from, *to, limit.as_deref().filter(|_| *waited >= WAITS)?))
        }));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for (from, to, limit) in all {
        match spans.last_mut() {
            Some(last) if from <= last.1 * end + 1e-9 => last.1 = last.1.max(to / end),
            _ => spans.push((from / end, to / end, limit.to_string())),
        }
    }
    spans
}

fn table(
    title: &str,
    series: &[Series],
    show: &dyn Fn(f64) -> String,
    spans: &[(f64, f64, String)],
    lang: &Language,
) -> Table {
    let mut head = vec![Column::figures(text!(lang, "second"))];
    head.extend(series.iter().map(|s| Column::figures(&s.name)));
    if !spans.is_empty() {
        head.push(Column::words(text!(lang, "throttled by")));
    }
    let mut table = Table::with_columns(title, head);
    let Some(longest) = series.iter().max_by_key(|s| s.points.len()) else { return table };
    let end = longest.points.last().map_or(1.0, |p| p.0).max(1e-9);
    for at in sampled(longest.points.len(), ROWS) {
        let second = longest.points[at].0;
        let cell = |s: &Series| {
            let near = s.points.iter().find(|p| (p.0 - second).abs() < 1e-6);
            near.and_then(|p| p.1).map_or("-".into(), show)
        };
        let mut cells: Vec<String> = std::iter::once(format!("{second:.0}")).chain(series.iter().map(cell)).collect();
        if !spans.is_empty() {
            let within = spans.iter().find(|(from, to, _)| second / end > *from && second / end <= to + 1e-9);
            cells.push(within.map_or(String::new(), |(_, _, limit)| lang.limit(limit)));
        }
        table.row(cells);
    }
    table
}

/// What was left of a disk's burst credits.
fn credits(run: &Summary, limit: &LimitLine, lang: &Language) -> Option<Block> {
    let (max, burst) = (limit.credits_max.filter(|max| *max > 0)? as f64, limit.burst? as f64);
    let volume = run.volumes.iter().find(|v| v.name == limit.place && v.host_cache == "None")?;
    let is_iops = limit.unit == "IOPS";
    let tracks: Vec<&Track> = run.series.iter().filter(|t| t.volume == volume.name).collect();
    let longest = tracks.iter().max_by_key(|t| t.end_s.len())?;
    let mut level = if run.start.credits == "full" { max } else { 0.0 };
    let mut before = 0.0;
    let mut points = vec![(0.0, Some(level / max * 100.0))];
    for end in &longest.end_s {
        let rates = tracks.iter().filter_map(|t| {
            let at = t.end_s.iter().position(|other| (other - end).abs() < 1e-9)?;
            Some(if is_iops { t.iops[at] } else { t.bytes_per_s[at] })
        });
        let used: f64 = rates.sum::<f64>().min(burst);
        level = (level + (limit.sustained as f64 - used) * (end - before)).clamp(0.0, max);
        points.push((*end, Some(level / max * 100.0)));
        before = *end;
    }
    // A bucket that stays full says nothing.
    if points.iter().all(|p| p.1.is_some_and(|level| level > 99.0)) {
        return None;
    }
    let title = text!(lang, "{limit}: burst credits left (%)", limit = lang.limit(&limit.name()));
    let series = [Series { name: text!(lang, "credits"), points }];
    let chart = over_time(lang, &title, &series, &percent)?;
    Some(Block::Chart(chart, table(&title, &series, &percent, &[], lang)))
}

fn of_recording(volume: &VolumeDocument, lang: &Language) -> Vec<Block> {
    let s = &volume.series;
    let split = s.read_iops.iter().any(Option::is_some);
    type Values<'a> = (Label, &'a [Option<f64>]);
    let draw = |title: Label, unit: &str, columns: &[Values]| -> Option<Block> {
        let series: Vec<Series> = columns
            .iter()
            .map(|(name, values)| Series {
                name: lang.label(*name).into(),
                points: s.end_s.iter().copied().zip(values.iter().copied()).collect(),
            })
            .collect();
        let show = |v: f64| checklist_figure(unit, v);
        let unit_said = match checklist_unit(unit) {
            "" | "1/s" => String::new(),
            unit => format!(" ({unit})"),
        };
        let title = format!("{}: {}{unit_said}", volume.name, lang.label(title));
        let chart: Chart = over_time(lang, &title, &series, &show)?;
        Some(Block::Chart(chart, table(&title, &series, &show, &[], lang)))
    };
    let charts = if split {
        [
            draw(label!("IOPS"), "1/s", &[(label!("reads"), &s.read_iops), (label!("writes"), &s.write_iops)]),
            draw(
                label!("throughput"),
                "bytes/s",
                &[(label!("reads"), &s.read_bytes_per_s), (label!("writes"), &s.write_bytes_per_s)],
            ),
            draw(label!("mean latency"), "s", &[(label!("requests"), &s.latency_s)]),
            draw(label!("queue depth"), "count", &[(label!("outstanding"), &s.queue_depth)]),
        ]
    } else {
        [
            draw(label!("IOPS"), "1/s", &[(label!("requests"), &s.iops)]),
            None,
            draw(label!("mean latency"), "s", &[(label!("requests"), &s.latency_s)]),
            draw(label!("queue depth"), "count", &[(label!("outstanding"), &s.queue_depth)]),
        ]
    };
    charts.into_iter().flatten().collect()
}
