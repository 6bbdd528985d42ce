//! How long requests take: percentiles of runs, measured and simulated, and distributions of a recording.

use dw_documents::results::{Entry, Figures};

use dw_messages::{Language, label, labels, text};

use super::bench;
use super::words::{checklist_figure, checklist_unit};
use crate::chart::{histogram, percentiles};
use crate::content::{Block, Column, Table};
use crate::format::{error_percent, milliseconds};
use crate::read::Read;

/// Lines that one chart can hold apart.
const LINES: usize = 6;

/// Columns from which a distribution says more than the percentiles of its requirements do.
const TELLING: usize = 5;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    let sides = labels!["predicted", "measured"].map(|side| lang.label(side));
    let simulated = read.runs.iter().map(|(name, run)| (*name, sides[0], run.jobs.as_slice()));
    let measured = read.measured.iter().map(|(name, run)| (*name, sides[1], run.jobs.as_slice()));
    let runs: Vec<(&str, &str, &[Entry])> = simulated.chain(measured).collect();
    // Both sides of a job go into one chart.
    let mut names: Vec<&str> = Vec::new();
    for job in runs.iter().flat_map(|(_, _, jobs)| *jobs) {
        if !names.contains(&job.name.as_str()) {
            names.push(&job.name);
        }
    }
    for name in names.into_iter().take(LINES) {
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for (file, side, jobs) in &runs {
            for job in jobs.iter().filter(|job| job.name == name) {
                lines.extend(of_job(job, file, side, lang));
            }
        }
        lines.truncate(LINES);
        if let Some(chart) = percentiles(text!(lang, "{name}: latency by percentile", name), &lines) {
            blocks.push(Block::Chart(chart, table(name, &lines, lang)));
        }
    }
    for (name, bench) in &read.benches {
        blocks.extend(bench::latencies(name, bench, lang));
    }
    blocks.extend(volumes(read));
    blocks.extend(errors(read));
    for (_, list) in &read.checklists {
        for volume in &list.volumes {
            for d in &volume.distributions {
                let (what, unit) = match d.what.as_str() {
                    "io_size" => (label!("I/O size"), "bytes"),
                    "latency" => (label!("latency"), "s"),
                    _ => (label!("queue depth"), "count"),
                };
                let buckets: Vec<(f64, f64, f64)> = d.buckets.iter().map(|[a, b, share]| (*a, *b, *share)).collect();
                let show =
                    |v: f64| format!("{} {}", checklist_figure(unit, v), checklist_unit(unit)).trim_end().to_string();
                let (volume, what) = (&volume.name, lang.label(what));
                let title = text!(lang, "{volume}: {what}, distribution of {of}", volume, what, of = lang.word(&d.of));
                let Some(chart) = histogram(lang, &title, &buckets, &show) else { continue };
                if chart.columns.len() < TELLING {
                    continue;
                }
                let mut table = Table::new(lang, &title, &labels!["from", "#share"]);
                for (from, to, _, text) in &chart.columns {
                    debug_assert!(from < to);
                    let (range, share) = text.split_once(": ").unwrap_or((text, ""));
                    table.row([range.to_string(), share.to_string()]);
                }
                blocks.push(Block::Chart(chart, table));
            }
        }
    }
    blocks
}

fn of_job(job: &Entry, file: &str, side: &str, lang: &Language) -> Vec<(String, Vec<(f64, f64)>)> {
    let directions = [("reads", &job.read), ("writes", &job.write)];
    let points = |figures: &Option<Figures>| -> Vec<(f64, f64)> {
        let latency = figures.as_ref().and_then(Figures::with_percentiles);
        latency.map_or(Vec::new(), |latency| latency.percentiles.iter().map(|p| (p.percent, p.ns)).collect())
    };
    let lines = directions.into_iter().map(|(name, d)| (format!("{}, {side} ({file})", lang.word(name)), points(d)));
    lines.filter(|(_, points)| !points.is_empty()).collect()
}

fn table(name: &str, lines: &[(String, Vec<(f64, f64)>)], lang: &Language) -> Table {
    let mut all: Vec<f64> = lines.iter().flat_map(|l| l.1.iter().map(|p| p.0)).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let first = Column::words(text!(lang, "percentile"));
    let head = std::iter::once(first).chain(lines.iter().map(|l| Column::figures(format!("{} (ms)", l.0))));
    let mut table = Table::with_columns(text!(lang, "{name}: latency by percentile", name), head.collect());
    for percentile in all {
        let cell = |l: &(String, Vec<(f64, f64)>)| {
            l.1.iter().find(|p| p.0 == percentile).map_or("-".into(), |p| milliseconds(p.1))
        };
        table.row(std::iter::once(format!("{percentile} %")).chain(lines.iter().map(cell)));
    }
    table
}

/// How well figures are known of which samples stand for more than themselves.
fn errors(read: &Read) -> Option<Block> {
    let lang = read.lang;
    let head = labels!["volume", "direction", "#IOPS", "#mean", "#p50", "#p99", "#p99.9"];
    let mut table = Table::new(lang, text!(lang, "99 % error of figures that were taken from samples"), &head);
    for error in read.summaries().filter_map(|(_, run)| run.leaps.as_ref()).flat_map(|leaps| &leaps.errors) {
        let first = [error.volume.clone(), lang.word(plural(&error.direction)).to_string()];
        let figures =
            [error.iops_percent, error.mean_percent, error.p50_percent, error.p99_percent, error.p99_9_percent];
        table.row(first.into_iter().chain(figures.map(|percent| format!("± {} %", error_percent(percent)))));
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

fn plural(direction: &str) -> &str {
    if direction == "read" { "reads" } else { "writes" }
}

/// Percentiles of each volume of the simulated runs.
fn volumes(read: &Read) -> Option<Block> {
    let lang = read.lang;
    let head = labels!["volume", "direction", "#mean ms", "#p50 ms", "#p99 ms", "#p99.9 ms", "#max ms", "#queue depth"];
    let mut table = Table::new(lang, text!(lang, "Simulated latency of each volume"), &head);
    for (_, run) in read.summaries() {
        for volume in &run.volumes {
            for (direction, load) in [("reads", &volume.load.read), ("writes", &volume.load.write)] {
                let Some(l) = load.as_ref().and_then(|load| load.latency_ns.as_ref()) else { continue };
                let cells = [l.mean, l.p50 as f64, l.p99 as f64, l.p99_9 as f64, l.max as f64].map(milliseconds);
                let first = [volume.name.clone(), lang.word(direction).to_string()];
                table.row(first.into_iter().chain(cells).chain([format!("{:.1}", volume.load.queue_depth)]));
            }
        }
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}
