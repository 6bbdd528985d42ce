//! Required, predicted and measured, side by side.
//!
//! Jobs of a simulated run and of a measured one are compared where they have the same name; a volume of a run and of a
//! checklist likewise, mean with mean. A rate within [`RATE`] and a latency within [`LATENCY`] percent is as predicted.

use dw_documents::bench::{BenchDocument, Row};
use dw_documents::checklist::VolumeDocument;
use dw_documents::results::{Entry, Figures};
use dw_documents::run::VolumeLine;

use super::words::{difference, signed};
use super::{bench, verify};
use crate::content::{Block, Level, Table};
use crate::format::{grouped, iops, mb_s, milliseconds};
use crate::read::Read;

/// Percent by which a measured rate may differ.
const RATE: f64 = 3.0;
/// Percent by which a measured latency may differ.
const LATENCY: f64 = 20.0;

/// One figure on its sides.
struct Compared {
    what: String,
    required: Option<f64>,
    predicted: Option<f64>,
    measured: Option<f64>,
    show: fn(f64) -> String,
    /// Percent that is tolerated.
    tolerance: f64,
    /// Whether what was asked for is met.
    met: Option<bool>,
}

impl Compared {
    /// Percent by which the second side that is there differs from the first.
    fn difference(&self) -> Option<f64> {
        match (self.required, self.predicted, self.measured) {
            (_, Some(predicted), Some(measured)) => difference(predicted, measured),
            (Some(required), Some(predicted), None) => difference(required, predicted),
            (Some(required), None, Some(measured)) => difference(required, measured),
            _ => None,
        }
    }

    fn verdict(&self) -> &'static str {
        if self.met == Some(false) {
            return "misses what is required";
        }
        match self.difference() {
            None => "-",
            Some(d) if d.abs() <= self.tolerance => "within tolerance",
            Some(d) if d < 0.0 => "lower",
            Some(_) => "higher",
        }
    }
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    let jobs = jobs(read);
    if !jobs.is_empty() {
        blocks.push(Block::Table(table("Predicted and measured, figure by figure", &jobs)));
    }
    for (name, bench) in &read.benches {
        blocks.extend(bench::curves(name, bench));
    }
    let volumes = volumes(read);
    if !volumes.is_empty() {
        blocks.push(Block::Table(table("Required and predicted, means of each volume", &volumes)));
    }
    if !blocks.is_empty() {
        blocks.push(Block::Text(format!(
            "Tolerance: {RATE} % of a rate, {LATENCY} % of a latency. The difference is that of the last two columns filled."
        )));
    }
    blocks.extend(verify::blocks(read));
    blocks
}

/// How predicted and measured agree, in a sentence; none without both.
pub(super) fn verdict(read: &Read) -> Option<(Level, String)> {
    let jobs = jobs(read);
    if jobs.is_empty() {
        return None;
    }
    let worst = jobs.iter().filter_map(|row| Some((row.difference()?, row)));
    let worst = worst.max_by(|a, b| (a.0.abs() / a.1.tolerance).total_cmp(&(b.0.abs() / b.1.tolerance)))?;
    let measured = jobs.iter().filter(|row| row.measured.is_some()).count();
    let missed = jobs.iter().filter(|row| row.met == Some(false)).count();
    if missed > 0 {
        let text = format!("Measured: {missed} of {measured} figures miss what is required.");
        return Some((Level::Critical, text));
    }
    let within = jobs.iter().filter(|row| row.verdict() == "within tolerance").count();
    let (level, tail) = match worst.0.abs() <= worst.1.tolerance {
        true => (Level::Good, format!("largest difference {} ({})", signed(worst.0), worst.1.what)),
        false => (Level::Warning, format!("furthest off: {}, by {}", worst.1.what, signed(worst.0))),
    };
    Some((level, format!("Measured as predicted in {within} of {measured} figures; {tail}.")))
}

fn table(caption: &str, rows: &[Compared]) -> Table {
    let mut table = Table::new(caption, &["figure", "#required", "#predicted", "#measured", "#difference", "verdict"]);
    for row in rows {
        let show = |v: Option<f64>| v.map_or("-".into(), row.show);
        if !matches!(row.verdict(), "-" | "within tolerance") {
            table.marked.push(table.rows.len());
        }
        table.row([
            row.what.clone(),
            show(row.required),
            show(row.predicted),
            show(row.measured),
            row.difference().map_or("-".into(), signed),
            row.verdict().into(),
        ]);
    }
    table
}

fn jobs(read: &Read) -> Vec<Compared> {
    let mut rows = Vec::new();
    let simulated = || read.runs.iter().flat_map(|(_, run)| &run.jobs);
    for (name, run) in &read.measured {
        for job in &run.jobs {
            // Several runs of one job are several rows.
            let Some(twin) = simulated().find(|twin| twin.name == job.name) else { continue };
            rows.extend(pair(name, twin, job));
        }
    }
    for (name, bench) in &read.benches {
        rows.extend(bench.rows.iter().map(|row| of_bench(name, bench, row)));
    }
    rows
}

fn of_bench(name: &str, bench: &BenchDocument, row: &Row) -> Compared {
    let (show, tolerance): (fn(f64) -> String, f64) = match row.unit.as_str() {
        "IOPS" => (iops, RATE),
        "B/s" => (mb_s, RATE),
        _ => (latency, LATENCY),
    };
    let figure = row.metric.words();
    let whose = match (row.volume.as_str(), row.direction.as_str()) {
        // The sum of all volumes has all directions, and nothing else has.
        (_, "all") => "all".to_string(),
        (volume, direction) => format!("{volume} {direction}s"),
    };
    Compared {
        what: format!("{}: {figure} of {whose} ({name})", bench.title(&row.scenario)),
        required: row.required,
        predicted: row.predicted,
        measured: row.measured,
        show,
        tolerance,
        met: row.met,
    }
}

fn pair(name: &str, predicted: &Entry, measured: &Entry) -> Vec<Compared> {
    let mut rows = Vec::new();
    let directions = [("reads", &predicted.read, &measured.read), ("writes", &predicted.write, &measured.write)];
    for (direction, p, m) in directions {
        if p.is_none() && m.is_none() {
            continue;
        }
        let failed = if measured.failure.is_some() { ", ended with an error" } else { "" };
        let mut row = |figure: &str, of: &dyn Fn(&Figures) -> Option<f64>, show: fn(f64) -> String, tolerance| {
            let some = |figures: &Option<Figures>| of(figures.as_ref()?).filter(|v| *v > 0.0);
            let what = format!("{} {direction}: {figure} ({name}{failed})", measured.name);
            let (predicted, measured) = (some(p), some(m));
            if predicted.is_some() || measured.is_some() {
                rows.push(Compared { what, required: None, predicted, measured, show, tolerance, met: None });
            }
        };
        row("IOPS", &|d| d.iops, iops, RATE);
        row("throughput", &|d| d.bytes_per_s, mb_s, RATE);
        row("mean latency", &|d| d.whole_latency()?.mean_ns, latency, LATENCY);
        row("p99 latency", &|d| at(d, 99.0), latency, LATENCY);
    }
    rows
}

fn at(figures: &Figures, percentile: f64) -> Option<f64> {
    let list = &figures.with_percentiles()?.percentiles;
    list.iter().find(|p| (p.percent - percentile).abs() < 1e-9).map(|p| p.ns)
}

fn latency(ns: f64) -> String {
    format!("{} ms", milliseconds(ns))
}

/// The mean demand of a volume against what the run gave it, where the run is as long as the recording: the mean of a
/// stretch is another.
fn volumes(read: &Read) -> Vec<Compared> {
    let mut rows = Vec::new();
    for (_, list) in &read.checklists {
        for volume in list.each() {
            let covered = volume.windows.first().map_or(0.0, |window| window.covered_s);
            let runs = read.summaries().map(|(_, run)| run);
            let mut as_long = runs.filter(|run| (run.virtual_s - covered).abs() <= 0.02 * covered);
            let twin = as_long.find_map(|run| run.volumes.iter().find(|twin| twin.name == volume.name));
            if let Some(twin) = twin {
                rows.extend(of_volume(volume, twin, if list.growth > 0.0 { list.growth } else { 1.0 }));
            }
        }
    }
    rows
}

fn of_volume(asked: &VolumeDocument, given: &VolumeLine, growth: f64) -> Vec<Compared> {
    let mut rows = Vec::new();
    for (direction, load) in [("read", &given.load.read), ("write", &given.load.write)] {
        let Some(load) = load else { continue };
        let mut row = |figure: &str, predicted: f64, show: fn(f64) -> String| {
            let key = format!("{direction}_{}", figure.to_lowercase());
            let Some(mean) = asked.row(&key).and_then(|row| row.mean) else { return };
            rows.push(Compared {
                what: format!("{} {direction}s: {figure}", asked.name),
                required: Some(mean * growth),
                predicted: Some(predicted),
                measured: None,
                show,
                tolerance: RATE,
                met: None,
            });
        };
        row("IOPS", load.iops, grouped);
        row("throughput", load.bytes_per_s, mb_s);
    }
    rows
}
