//! Platform metrics of a VM or of a managed disk as CSV: a chart of the portal, or the metrics table of a log workspace.
//!
//! A chart has one row an instant, and one column a metric, with its statistic and often its resource behind the name
//! (`Composite Disk Read Operations/sec (Avg), data1`). The table has one row a point: `TimeGenerated`, `MetricName`,
//! `ResourceId`, `Average`, `Maximum`, `Total`, `TimeGrain`. What stands before the header is passed over. A chart's times are
//! those of the browser's clock unless the header says UTC.
//!
//! Ignores: minimum and count; what a portal writes as `.xlsx` (it is an archive, and is refused with the remedy).

use std::io::BufRead;

use dw_observe::Stamp;

use super::CounterError;
use super::azure_monitor::{self, Point, State, is_metric};
use super::error::shown;
use super::number::decimal;
use super::out::Out;
use super::rows::Rows;
use super::stamp::Stamps;

/// A column of a chart.
struct Metric {
    at: usize,
    name: String,
    lun: Option<String>,
    resource: Option<String>,
    statistic: Statistic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statistic {
    Average,
    Maximum,
    Total,
    Other,
}

enum Header {
    Chart {
        time: usize,
        metrics: Vec<Metric>,
    },
    Table {
        time: usize,
        metric: usize,
        /// Of several the one that says most first: an id before a name.
        resources: Vec<usize>,
        group: Option<usize>,
        lun: Option<usize>,
        grain: Option<usize>,
        figures: [Option<usize>; 3],
    },
    /// `Perf` or `InsightsMetrics`.
    Samples {
        time: usize,
        names: Vec<String>,
    },
}

impl Header {
    fn time(&self) -> usize {
        let (Header::Chart { time, .. } | Header::Table { time, .. } | Header::Samples { time, .. }) = self;
        *time
    }
}

fn is_time(cell: &str) -> bool {
    let cell = cell.to_ascii_lowercase();
    let cell = cell.split(['(', '[']).next().unwrap_or_default().trim();
    matches!(cell, "time" | "timestamp" | "time stamp" | "timegenerated" | "date" | "datetime" | "date/time")
}

/// The cells of a line; quoted ones may have the delimiter.
fn cells(line: &str, delimiter: char) -> Vec<String> {
    let (mut found, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == delimiter && !quoted => found.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    found.push(cell);
    found.iter().map(|cell| cell.trim().to_string()).collect()
}

/// What parts the cells of a header, and the line that it is.
fn header_line(start: &[u8]) -> Option<(char, Vec<String>)> {
    start.split(|&b| b == b'\n').take(30).find_map(|line| {
        let text = std::str::from_utf8(line.get(..line.len().min(16_384))?).ok()?;
        [',', ';', '\t'].into_iter().find_map(|delimiter| {
            let cells = cells(text.trim_end_matches('\r'), delimiter);
            header(&cells).map(|_| (delimiter, cells.clone()))
        })
    })
}

/// Whether this is such a file.
pub(super) fn is_azure(start: &[u8]) -> bool {
    header_line(start).is_some()
}

fn header(cells: &[String]) -> Option<Header> {
    let time = cells.iter().position(|cell| is_time(cell))?;
    let of = |names: &[&str]| cells.iter().position(|cell| names.iter().any(|name| cell.eq_ignore_ascii_case(name)));
    if let Some(metric) = of(&["MetricName", "Metric Name", "Metric"]) {
        let figures = [of(&["Average"]), of(&["Maximum"]), of(&["Total"])];
        let resources = ["_ResourceId", "ResourceId", "Resource", "Resource Name", "VM", "Computer"];
        let resources = resources.into_iter().filter_map(|name| of(&[name])).collect();
        let [group, lun, grain] = ["ResourceGroup", "LUN", "TimeGrain"].map(|name| of(&[name]));
        let known = figures.iter().any(Option::is_some);
        return known.then_some(Header::Table { time, metric, resources, group, lun, grain, figures });
    }
    let of_perf = of(&["CounterName"]).is_some() && of(&["CounterValue"]).is_some();
    let of_insights = ["Namespace", "Name", "Val"].iter().all(|name| of(&[name]).is_some());
    if of_perf || of_insights {
        return Some(Header::Samples { time, names: cells.to_vec() });
    }
    let metrics: Vec<Metric> =
        cells.iter().enumerate().filter(|(at, _)| *at != time).filter_map(|(at, cell)| metric(at, cell)).collect();
    (!metrics.is_empty()).then_some(Header::Chart { time, metrics })
}

/// `Data Disk Read Operations/Sec (Avg), web1, LUN 0`.
fn metric(at: usize, cell: &str) -> Option<Metric> {
    let mut parts = cell.split([',', '|']).map(str::trim);
    let first = parts.next()?;
    let (name, statistic) = match first.rsplit_once('(') {
        Some((name, word)) => (name.trim(), word.trim_end_matches(')')),
        None => match first.rsplit_once(' ').filter(|(_, word)| matches!(*word, "Avg" | "Average" | "Max" | "Sum")) {
            Some((name, word)) => (name.trim(), word),
            None => (first, ""),
        },
    };
    if !is_metric(name) {
        return None;
    }
    let statistic = match statistic.to_ascii_lowercase().as_str() {
        "" | "avg" | "average" | "mean" => Statistic::Average,
        "max" | "maximum" => Statistic::Maximum,
        "sum" | "total" => Statistic::Total,
        _ => Statistic::Other,
    };
    let (mut lun, mut resource) = (None, None);
    for part in parts {
        let word = part.to_ascii_lowercase();
        match word.strip_prefix("lun") {
            Some(number) => lun = Some(number.trim_matches([' ', '=', ':']).to_string()),
            // A chart that is parted by LUN may have the number alone.
            None if lun.is_none() && part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() => {
                lun = Some(part.to_string());
            }
            None if resource.is_none() && !part.is_empty() => resource = Some(part.to_string()),
            None => {}
        }
    }
    Some(Metric { at, name: name.to_string(), lun, resource, statistic })
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let Some((delimiter, _)) = header_line(head) else {
        return Err(out.error(1, "no line names a time and a metric", "download the chart again, with its header"));
    };
    let mut rows = Rows::new(input, head, delimiter as u8);
    let mut state = State::default();
    let mut stamps = Stamps::default();
    let mut found: Option<(Header, usize)> = None;
    while rows.advance(out)? {
        let (line, row) = (rows.line(), rows.cells());
        let Some((columns, width)) = &found else {
            if let Some(header) = header(&row) {
                let utc = row
                    .get(header.time())
                    .is_some_and(|cell| cell.contains("UTC") || cell.eq_ignore_ascii_case("TimeGenerated"));
                state.local = !utc;
                found = Some((header, row.len()));
            }
            continue;
        };
        if row.iter().all(String::is_empty) {
            continue;
        }
        // Behind the columns nothing may stand: a decimal comma without quotes would move every figure.
        if row.len() < *width || !row.iter().skip(*width).all(String::is_empty) {
            let what = format!("{} columns where the header has {width}", row.len());
            out.unused(line, what)?;
            continue;
        }
        let time = columns.time();
        let text = row[time].replace(',', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(Stamp::Wall { ns, utc_offset_min }) = stamps.read(&words, line, out)? else {
            let what = format!("`{}` is not a date and time", shown(row[time].as_bytes()));
            out.unused(line, what)?;
            continue;
        };
        if let Some(ahead) = utc_offset_min {
            state.local = ahead != 0 && state.local;
        }
        let begins_ns = ns.saturating_sub(i64::from(utc_offset_min.unwrap_or(0)) * 60_000_000_000);
        if let Header::Samples { names, .. } = columns {
            let field = |wanted: &str| {
                let at = names.iter().position(|name| name.eq_ignore_ascii_case(wanted))?;
                row.get(at).cloned()
            };
            state.samples.log_row((line, begins_ns), &field, out)?;
            continue;
        }
        let mut wrong = None;
        let mut figure = |cell: &str| match cell {
            "" | "-" | "--" | "null" | "NaN" => None,
            text => decimal(text.as_bytes()).or_else(|| {
                wrong.get_or_insert(format!("`{}` is not a number", shown(text.as_bytes())));
                None
            }),
        };
        let mut points: Vec<Point<'_>> = Vec::new();
        match columns {
            Header::Samples { .. } => {}
            Header::Chart { metrics, .. } => {
                for metric in metrics {
                    let value = figure(&row[metric.at]);
                    let mut point = Point {
                        metric: &metric.name,
                        lun: metric.lun.as_deref(),
                        resource: metric.resource.as_deref(),
                        begins_ns,
                        ..Point::default()
                    };
                    match metric.statistic {
                        Statistic::Average => point.average = value,
                        Statistic::Maximum => point.maximum = value,
                        Statistic::Total => point.total = value,
                        Statistic::Other => {}
                    }
                    points.push(point);
                }
            }
            Header::Table { metric, resources, group, lun, grain, figures, .. } => {
                let [average, maximum, total] = figures.map(|at| at.and_then(|at| figure(&row[at])));
                let filled = |at: usize| Some(row[at].as_str()).filter(|text| !text.is_empty());
                let resource = resources.iter().find_map(|&at| filled(at));
                let [group, lun] = [group, lun].map(|at| at.and_then(filled));
                let interval_ns = azure_monitor::grain(grain.and_then(filled)).unwrap_or_else(|what| {
                    wrong.get_or_insert(what);
                    None
                });
                let metric = &row[*metric];
                points.push(Point { metric, lun, resource, group, begins_ns, interval_ns, average, maximum, total });
            }
        }
        if let Some(what) = wrong {
            out.unused(line, what)?;
            continue;
        }
        for point in points {
            state.point(line, &point, out)?;
        }
    }
    state.flush(out)?;
    Ok(rows.line())
}
