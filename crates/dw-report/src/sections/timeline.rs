//! Over time: what was asked, what was given, when something waited at a limit, and what was left of burst credits.
//!
//! Credits are reckoned from the series: what a limit's sustained rate leaves is saved, what goes beyond is spent. Ignores what
//! happens within an interval and the bytes that a host cache adds or saves, so it is shown for volumes without one.

use dw_documents::checklist::{ChecklistDocument, VolumeDocument};
use dw_documents::run::{LimitLine, Summary, Track};

use dw_messages::{Label, Language, label, text};

use super::bench;
use super::words::{MANY, checklist_figure, checklist_unit, directions, sampled};
use crate::chart::{Chart, Series, over_time, under_limits};
use crate::content::{Block, Column, Table};
use crate::format::{iops, mega, milliseconds, percent};
use crate::read::Read;

/// Rows of a table under a chart.
const ROWS: usize = 24;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    let several = read.runs.len() > 1;
    let mut drawn: Vec<&str> = Vec::new();
    for (name, run) in read.summaries().filter(|(_, run)| !run.series.is_empty()) {
        if several {
            blocks.push(Block::Heading(text!(lang, "Simulation ({name})", name)));
        }
        let mut charts = Vec::new();
        let mut volumes: Vec<_> = run.volumes.iter().collect();
        if volumes.len() > MANY {
            // The style sheet prints the charts of so many.
            volumes.sort_by(|a, b| b.load.all.iops.total_cmp(&a.load.all.iops));
            let all = volumes.len();
            blocks.push(Block::Text(text!(
                lang,
                "The busiest volumes come first; on paper are {shown} of {all}.",
                shown = MANY,
                all
            )));
        }
        for volume in volumes {
            let recorded =
                recorded_volumes(read).find(|recorded| recorded.name == volume.name && is_as_long(run, recorded));
            drawn.extend(recorded.map(|volume| volume.name.as_str()));
            let asked = asked(read, &volume.name);
            charts.extend(of_run(run, &volume.name, recorded, &asked, lang));
        }
        charts.extend(run.limits.iter().filter_map(|limit| credits(run, limit, lang)));
        blocks.push(side_by_side(charts));
    }
    for (name, bench) in &read.benches {
        blocks.extend(bench::seconds(name, bench, lang));
    }
    let recorded = recorded_volumes(read).filter(|volume| !drawn.contains(&volume.name.as_str()));
    let charts: Vec<Block> = recorded.flat_map(|volume| of_recording(volume, lang)).collect();
    if !charts.is_empty() {
        if !blocks.is_empty() {
            blocks.push(Block::Heading(text!(lang, "Recorded")));
        }
        blocks.push(side_by_side(charts));
    }
    blocks
}

/// Whether anything waited at a limit.
pub(super) fn conclusion(read: &Read) -> String {
    let throttled: Vec<String> = read
        .summaries()
        .flat_map(|(_, run)| &run.binding_limits)
        .filter(|binding| binding.limit.is_some())
        .map(|binding| binding.sentence.to_string())
        .collect();
    match (throttled.first(), read.runs.is_empty()) {
        (Some(first), _) => first.clone(),
        (None, false) => text!(read.lang, "recorded and simulated in one; no volume is throttled"),
        (None, true) => text!(read.lang, "as recorded"),
    }
}

fn side_by_side(charts: Vec<Block>) -> Block {
    Block::Beside(charts.into_iter().map(|chart| vec![chart]).collect())
}

/// Volumes of the recordings; all of them together are drawn only where there is nothing else.
pub(super) fn recorded_volumes<'a>(read: &'a Read) -> impl Iterator<Item = &'a VolumeDocument> {
    let of = |list: &'a ChecklistDocument| {
        let first = usize::from(list.volumes.len() > 1);
        list.volumes[first..].iter()
    };
    read.checklists.iter().flat_map(move |(_, list)| of(list)).filter(|volume| !volume.series.end_s.is_empty())
}

/// A run that took as long as the recording ran what was recorded: the same second is the same moment.
pub(super) fn is_as_long(run: &Summary, recorded: &VolumeDocument) -> bool {
    let end = run.series.iter().filter_map(|track| track.end_s.last()).copied().fold(0.0, f64::max);
    recorded.series.end_s.last().is_some_and(|last| (end - last).abs() <= last * 0.02)
}

/// Latencies of a volume that were asked for at most, in nanoseconds, with their names.
fn asked(read: &Read, volume: &str) -> Vec<(f64, String)> {
    let limits = read.plans.iter().take(1).flat_map(|(_, plan)| &plan.limits);
    let own = limits.filter(|row| row.of.unit == "us" && row.of.volume.as_deref() == Some(volume));
    own.map(|row| {
        let limit = read.lang.word(&row.of.limit);
        (row.capacity * 1e3, text!(read.lang, "{limit} that was asked for", limit))
    })
    .collect()
}

/// Sums of both directions.
fn total(tracks: &[&Track], of: fn(&Track) -> &[f64]) -> Vec<(f64, Option<f64>)> {
    let Some(first) = tracks.first() else { return Vec::new() };
    let at = |end: f64| {
        let of_track = |track: &&Track| {
            let place = track.end_s.iter().position(|other| (other - end).abs() < 1e-6)?;
            of(track).get(place).copied()
        };
        tracks.iter().filter_map(of_track).sum::<f64>()
    };
    first.end_s.iter().map(|end| (*end, Some(at(*end)))).collect()
}

/// What one volume asked and got: of the recording in grey, of the run over it.
fn of_run(
    run: &Summary,
    volume: &str,
    recorded: Option<&VolumeDocument>,
    asked: &[(f64, String)],
    lang: &Language,
) -> Vec<Block> {
    let tracks: Vec<&Track> = run.series.iter().filter(|track| track.volume == volume).collect();
    let spans = throttled(&tracks);
    let before = |values: &[Option<f64>], scale: f64| {
        let series = recorded.map(|volume| &volume.series)?;
        let points: Vec<_> =
            series.end_s.iter().zip(values).map(|(end, value)| (*end, value.map(|value| value * scale))).collect();
        let has_any = points.iter().any(|(_, value)| value.is_some());
        has_any.then(|| Series { recorded: true, ..Series::new(text!(lang, "recorded"), points) })
    };
    let draw = |title: Label, series: Vec<Series>, limits: &[(f64, String)], show: &dyn Fn(f64) -> String| {
        let title = headed(volume, title, lang);
        let mut chart = under_limits(lang, &title, &series, limits, show)?;
        chart.spans = spans.iter().map(|(from, to, _)| (*from, *to)).collect();
        if let Some((_, _, limit)) = spans.first() {
            chart.spans_name = text!(lang, "throttled by {limit}", limit = lang.limit(limit));
        }
        Some(Block::Chart(chart, table(&title, &series, show, &spans, lang)))
    };
    let whole = |of: fn(&Track) -> &[f64]| Series::new(text!(lang, "simulated"), total(&tracks, of));
    let empty = Vec::new();
    let series = recorded.map(|volume| &volume.series);
    let rates = series.map_or(&empty, |series| &series.iops);
    let bytes: Vec<Option<f64>> = series.map_or(Vec::new(), |series| {
        let both = series.read_bytes_per_s.iter().zip(&series.write_bytes_per_s);
        both.map(|(read, write)| Some((*read)? + (*write)?)).collect()
    });
    let latencies = series.map_or(&empty, |series| &series.latency_s);
    let by_direction = tracks.iter().map(|track| {
        let points = track.end_s.iter().zip(&track.latency_mean_ns).map(|(t, v)| (*t, Some(*v))).collect();
        Series::new(directions(&track.direction, lang), points)
    });
    let charts = [
        draw(
            label!("IOPS"),
            [Some(whole(|t| &t.iops)), before(rates, 1.0)].into_iter().flatten().collect(),
            &limits(run, volume, "IOPS", lang),
            &iops,
        ),
        draw(
            label!("throughput (MB/s)"),
            [Some(whole(|t| &t.bytes_per_s)), before(&bytes, 1.0)].into_iter().flatten().collect(),
            &limits(run, volume, "B/s", lang),
            &|v| mega(v, 1e6),
        ),
        draw(label!("mean latency (ms)"), by_direction.chain(before(latencies, 1e9)).collect(), asked, &milliseconds),
    ];
    charts.into_iter().flatten().collect()
}

/// `data — IOPS`: names of volumes may end with a colon.
fn headed(volume: &str, title: Label, lang: &Language) -> String {
    format!("{volume} — {}", lang.label(title))
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

pub(super) fn table(
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
            let around = s.points.iter().find(|p| p.0 >= second - 1e-6);
            around.and_then(|p| p.1).map_or("-".into(), show)
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
    let mut level = match run.start.credits.as_str() {
        "full" => max,
        "empty" => 0.0,
        // Of places apart.
        _ => return None,
    };
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
    let series = [Series::new(text!(lang, "credits"), points)];
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
            .map(|(name, values)| {
                Series::new(lang.label(*name), s.end_s.iter().copied().zip(values.iter().copied()).collect())
            })
            .collect();
        let show = |v: f64| checklist_figure(unit, v);
        let unit_said = match checklist_unit(unit) {
            "" | "1/s" => String::new(),
            unit => format!(" ({unit})"),
        };
        let title = headed(&volume.name, title, lang) + &unit_said;
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
        ]
    } else {
        [
            draw(label!("IOPS"), "1/s", &[(label!("requests"), &s.iops)]),
            draw(label!("mean latency"), "s", &[(label!("requests"), &s.latency_s)]),
            None,
        ]
    };
    charts.into_iter().flatten().collect()
}
