//! Required, predicted and measured, side by side.
//!
//! Jobs of a simulated run and of a measured one are compared where they have the same name; a volume of a run and of a
//! checklist likewise, mean with mean. A rate within [`RATE`] and a latency within [`LATENCY`] percent is as predicted.

use dw_documents::bench::{BenchDocument, Row};
use dw_documents::checklist::VolumeDocument;
use dw_documents::results::{Entry, Figures};
use dw_documents::run::VolumeLine;

use dw_messages::{Language, labels, text};

use super::words::{difference, directions, signed};
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

/// How its sides agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Missed,
    Within,
    Lower,
    Higher,
    /// There is one side only.
    Unknown,
}

impl Verdict {
    fn said(self, lang: &Language) -> String {
        match self {
            Verdict::Missed => text!(lang, "misses what is required"),
            Verdict::Within => text!(lang, "within tolerance"),
            Verdict::Lower => text!(lang, "lower"),
            Verdict::Higher => text!(lang, "higher"),
            Verdict::Unknown => "-".into(),
        }
    }
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

    fn verdict(&self) -> Verdict {
        if self.met == Some(false) {
            return Verdict::Missed;
        }
        match self.difference() {
            None => Verdict::Unknown,
            Some(d) if d.abs() <= self.tolerance => Verdict::Within,
            Some(d) if d < 0.0 => Verdict::Lower,
            Some(_) => Verdict::Higher,
        }
    }
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    let jobs = jobs(read);
    if !jobs.is_empty() {
        blocks.push(Block::Table(table(text!(lang, "Predicted and measured, figure by figure"), &jobs, lang)));
    }
    for (name, bench) in &read.benches {
        blocks.extend(bench::curves(name, bench, lang));
    }
    let volumes = volumes(read);
    if !volumes.is_empty() {
        blocks.push(Block::Table(table(text!(lang, "Required and predicted, means of each volume"), &volumes, lang)));
    }
    if !blocks.is_empty() {
        blocks.push(Block::Text(text!(
            lang,
            "Tolerance: {rate} of a rate, {latency} of a latency. The difference is that of the last two columns filled.",
            rate = format!("{RATE} %"),
            latency = format!("{LATENCY} %")
        )));
    }
    blocks.extend(verify::blocks(read));
    blocks
}

/// How predicted and measured agree, in a sentence; none without both.
pub(super) fn conclusion(read: &Read) -> String {
    let verified = super::verify::said(read).map(|(_, text)| text).next();
    verdict(read).map(|(_, text)| text).or(verified).unwrap_or_default()
}

/// How measured figures compare with predicted ones, at the most.
pub(super) fn verdict(read: &Read) -> Option<(Level, String)> {
    let (jobs, lang) = (jobs(read), read.lang);
    if jobs.is_empty() {
        return None;
    }
    let worst = jobs.iter().filter_map(|row| Some((row.difference()?, row)));
    let worst = worst.max_by(|a, b| (a.0.abs() / a.1.tolerance).total_cmp(&(b.0.abs() / b.1.tolerance)))?;
    let measured = jobs.iter().filter(|row| row.measured.is_some()).count();
    let missed = jobs.iter().filter(|row| row.met == Some(false)).count();
    if missed > 0 {
        let text = text!(lang, "Measured: {missed} of {measured} figures miss what is required.", missed, measured);
        return Some((Level::Critical, text));
    }
    let within = jobs.iter().filter(|row| row.verdict() == Verdict::Within).count();
    let (what, off) = (&worst.1.what, lang.figure(&signed(worst.0)));
    Some(match worst.0.abs() <= worst.1.tolerance {
        true => {
            let text = text!(
                lang,
                "Measured as predicted in {within} of {measured} figures; largest difference {off} ({what}).",
                within,
                measured,
                off,
                what
            );
            (Level::Good, text)
        }
        false => {
            let text = text!(
                lang,
                "Measured as predicted in {within} of {measured} figures; furthest off: {what}, by {off}.",
                within,
                measured,
                what,
                off
            );
            (Level::Warning, text)
        }
    })
}

fn table(caption: String, rows: &[Compared], lang: &Language) -> Table {
    let head = labels!["figure", "#required", "#predicted", "#measured", "#difference", "verdict"];
    let mut table = Table::new(lang, caption, &head);
    for row in rows {
        let show = |v: Option<f64>| v.map_or("-".into(), row.show);
        if !matches!(row.verdict(), Verdict::Unknown | Verdict::Within) {
            table.marked.push(table.rows.len());
        }
        table.row([
            row.what.clone(),
            show(row.required),
            show(row.predicted),
            show(row.measured),
            row.difference().map_or("-".into(), signed),
            row.verdict().said(lang),
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
            rows.extend(pair(name, twin, job, read.lang));
        }
    }
    for (name, bench) in &read.benches {
        rows.extend(bench.rows.iter().map(|row| of_bench(name, bench, row, read.lang)));
    }
    rows
}

fn of_bench(name: &str, bench: &BenchDocument, row: &Row, lang: &Language) -> Compared {
    let (show, tolerance): (fn(f64) -> String, f64) = match row.unit.as_str() {
        "IOPS" => (iops, RATE),
        "B/s" => (mb_s, RATE),
        _ => (latency, LATENCY),
    };
    let figure = lang.word(row.metric.words());
    let whose = match (row.volume.as_str(), row.direction.as_str()) {
        // The sum of all volumes has all directions, and nothing else has.
        (_, "all") => lang.word("all").to_string(),
        (volume, direction) => format!("{volume} {}", directions(direction, lang)),
    };
    Compared {
        what: text!(
            lang,
            "{scenario}: {figure} of {whose} ({name})",
            scenario = bench.title(&row.scenario),
            figure,
            whose,
            name
        ),
        required: row.required,
        predicted: row.predicted,
        measured: row.measured,
        show,
        tolerance,
        met: row.met,
    }
}

fn pair(name: &str, predicted: &Entry, measured: &Entry, lang: &Language) -> Vec<Compared> {
    let mut rows = Vec::new();
    let directions = [("reads", &predicted.read, &measured.read), ("writes", &predicted.write, &measured.write)];
    for (direction, p, m) in directions {
        if p.is_none() && m.is_none() {
            continue;
        }
        let failed = if measured.failure.is_some() { text!(lang, ", ended with an error") } else { String::new() };
        let mut row = |figure: &str, of: &dyn Fn(&Figures) -> Option<f64>, show: fn(f64) -> String, tolerance| {
            let some = |figures: &Option<Figures>| of(figures.as_ref()?).filter(|v| *v > 0.0);
            let (direction, figure) = (lang.word(direction), lang.word(figure));
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
                let growth = if list.growth > 0.0 { list.growth } else { 1.0 };
                rows.extend(of_volume(volume, twin, growth, read.lang));
            }
        }
    }
    rows
}

fn of_volume(asked: &VolumeDocument, given: &VolumeLine, growth: f64, lang: &Language) -> Vec<Compared> {
    let mut rows = Vec::new();
    for (direction, load) in [("read", &given.load.read), ("write", &given.load.write)] {
        let Some(load) = load else { continue };
        let mut row = |figure: &str, predicted: f64, show: fn(f64) -> String| {
            let key = format!("{direction}_{}", figure.to_lowercase());
            let Some(mean) = asked.row(&key).and_then(|row| row.mean) else { return };
            rows.push(Compared {
                what: format!("{} {}: {}", asked.name, directions(direction, lang), lang.word(figure)),
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
