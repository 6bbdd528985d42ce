//! Several runs side by side: one line a variant.
//!
//! A run is put into the words of its line as soon as it is over, and nothing else of it is kept.
//!
//! Invariant: a line without a mark is a run that was finished.

use dw_documents::SCHEMA_VERSION;
use dw_documents::sweep::{SweepDocument, SweepRun};

use super::format::{self, grouped, iops, mega, milliseconds, percent};
use super::json_tree::Json;
use super::summary::Summary;
use super::{Table, Text};
use crate::cli::OutputFormat;
use crate::output;

/// What marks a line of a run that was stopped.
const MARK: &str = "PARTIAL";

/// The line of one run.
#[derive(Clone, Debug)]
pub struct Line {
    /// It was stopped before its jobs had ended.
    pub partial: bool,
    iops: f64,
    ios: u64,
    shown: Shown,
}

/// A line in the form that is asked for.
#[derive(Clone, Debug)]
enum Shown {
    /// Cells of a table or fields of a record.
    Cells(Vec<String>),
    Json(Json),
}

/// The lines of a sweep, of which some may be missing.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What is set, in the order of the command line; the seed last.
    pub keys: Vec<String>,
    /// In their order; nothing for a run that was not begun.
    pub lines: Vec<Option<Line>>,
}

impl Line {
    /// Of a run with these `(option, value)`.
    pub fn of(set: &[(String, String)], summary: &Summary, form: OutputFormat) -> Line {
        let values = set.iter().map(|(_, value)| value.clone());
        let shown = match form {
            OutputFormat::Normal => Shown::Cells(values.chain(row(summary)).collect()),
            OutputFormat::Csv => Shown::Cells(values.chain(record(summary)).collect()),
            OutputFormat::Json | OutputFormat::JsonPlus => {
                let set = set.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect();
                let run = SweepRun { set, diskwright: summary.clone() };
                // Two levels down: in the list of the document.
                Shown::Json(Json::from(serde_json::json!(run)).printed(2))
            }
        };
        Line { partial: summary.partial, iops: summary.total.all.iops, ios: summary.simulated_ios, shown }
    }
    fn cells(&self) -> Vec<String> {
        match &self.shown {
            Shown::Cells(cells) => cells.clone(),
            Shown::Json(_) => Vec::new(),
        }
    }
}

impl Sweep {
    fn begun(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().flatten()
    }
    fn finished(&self) -> impl Iterator<Item = &Line> {
        self.begun().filter(|line| !line.partial)
    }
    fn is_partial(&self) -> bool {
        self.finished().count() < self.lines.len()
    }

    /// In the form of its lines.
    pub fn print(self, form: OutputFormat) -> Text {
        match form {
            OutputFormat::Normal => self.text(),
            OutputFormat::Csv => Text::verbatim(self.csv()),
            OutputFormat::Json | OutputFormat::JsonPlus => Text::verbatim(self.json()),
        }
    }

    /// A table for people.
    fn text(&self) -> Text {
        let mut head = self.keys.clone();
        let left = head.len() + 8;
        head.extend(
            ["IOPS", "MB/s", "MiB/s", "mean ms", "p99 ms", "p99.9 ms", "queue depth", "cache hits", "throttled by"]
                .map(String::from),
        );
        let mut rows = vec![head];
        rows.extend(self.begun().map(Line::cells));
        if self.is_partial() {
            rows[0].push(String::new());
            let marks = self.begun().map(|line| if line.partial { MARK } else { "" });
            rows[1..].iter_mut().zip(marks).for_each(|(row, mark)| row.push(mark.into()));
        }
        let mut out = Text::from(Table::new(rows, &[left]));
        if let Some(told) = self.told() {
            out += format!("\n{told}\n");
        }
        let iops: Vec<f64> = self.finished().map(|line| line.iops).collect();
        if iops.len() > 1 && self.keys == ["seed"] {
            let mean = iops.iter().sum::<f64>() / iops.len() as f64;
            let (least, most) = iops.iter().fold((f64::MAX, 0f64), |(a, b), &x| (a.min(x), b.max(x)));
            out += format!(
                "\n{} seeds: {} IOPS on average, from {} to {} ({} apart)\n",
                iops.len(),
                format::iops(mean),
                format::iops(least),
                format::iops(most),
                percent((most - least) / mean.max(1e-9) * 100.0)
            );
        }
        out
    }

    /// What is missing, if anything is.
    pub fn told(&self) -> Option<String> {
        let (all, begun, finished) = (self.lines.len(), self.begun().count(), self.finished().count());
        let count = |n: usize| grouped(n as f64);
        let (stopped, left) = (count(begun - finished), count(all - begun));
        self.is_partial().then(|| {
            format!(
                "PARTIAL: {} of {} runs finished, {stopped} stopped (marked), {left} not started",
                count(finished),
                count(all)
            )
        })
    }

    /// The closing line: how much was simulated, in what time.
    pub fn closing(&self, wall_s: f64) -> String {
        let ios: u64 = self.begun().map(|line| line.ios).sum();
        format!("simulated {} runs, {} I/Os in {wall_s:.2} s", self.begun().count(), grouped(ios as f64))
    }

    /// CSV with a header.
    fn csv(&self) -> String {
        let mut head: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        head.extend(["partial", "iops", "bytes_per_s", "latency_mean_ns", "latency_p99_ns", "latency_p99_9_ns"]);
        head.extend(["queue_depth", "on_demand_transactions", "binding_limits"]);
        output::csv(&head, self.begun().map(Line::cells))
    }

    /// JSON: a list of runs, each with its whole summary, and how many there were to be.
    fn json(self) -> String {
        let (partial, asked, finished) = (self.is_partial(), self.lines.len(), self.finished().count());
        let runs = self.lines.into_iter().flatten().filter_map(|line| match line.shown {
            Shown::Json(run) => Some(run),
            Shown::Cells(_) => None,
        });
        let document = SweepDocument {
            schema_version: SCHEMA_VERSION,
            document: Default::default(),
            partial,
            runs_asked: asked,
            runs_finished: finished,
            runs: Vec::new(),
        };
        let Json::Object(mut keys) = Json::from(serde_json::json!(document)) else { return String::new() };
        // The runs were printed as they came.
        if let Some((_, list)) = keys.iter_mut().find(|(key, _)| key == "runs") {
            *list = Json::List(runs.collect());
        }
        Json::Object(keys).print()
    }
}

fn row(summary: &Summary) -> Vec<String> {
    let total = &summary.total;
    let latency = total.all.latency_ns.as_ref();
    let ms = |value: Option<f64>| value.map_or("-".to_string(), milliseconds);
    vec![
        iops(total.all.iops),
        mega(total.all.bytes_per_s, 1e6),
        mega(total.all.bytes_per_s, 1_048_576.0),
        ms(latency.map(|l| l.mean)),
        ms(latency.map(|l| l.p99 as f64)),
        ms(latency.map(|l| l.p99_9 as f64)),
        format!("{:.1}", total.queue_depth),
        hits(summary),
        held_by(summary),
    ]
}

fn hits(summary: &Summary) -> String {
    let caches = summary.volumes.iter().filter_map(|v| v.cache.as_ref());
    let (hits, misses) = caches.fold((0, 0), |(hits, misses), c| (hits + c.hits_ram + c.hits_ssd, misses + c.misses));
    if hits + misses == 0 { "-".to_string() } else { percent(hits as f64 / (hits + misses) as f64 * 100.0) }
}

/// Transactions of on-demand bursting that are billed; empty where no disk has it.
fn on_demand(summary: &Summary) -> String {
    let counted = summary.volumes.iter().filter_map(|volume| volume.billed_transactions);
    counted.reduce(|sum, more| sum + more).map_or(String::new(), |sum| sum.to_string())
}

fn held_by(summary: &Summary) -> String {
    let mut limits: Vec<String> = Vec::new();
    for binding in &summary.binding_limits {
        if let Some(limit) = &binding.limit {
            let name = format!("{limit} ({})", binding.volume);
            limits.push(name);
        }
    }
    if limits.is_empty() { "no limit".to_string() } else { limits.join(", ") }
}

fn record(summary: &Summary) -> Vec<String> {
    let total = &summary.total;
    let latency = total.all.latency_ns.as_ref();
    let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.0}"));
    vec![
        summary.partial.to_string(),
        format!("{:.1}", total.all.iops),
        format!("{:.0}", total.all.bytes_per_s),
        number(latency.map(|l| l.mean)),
        number(latency.map(|l| l.p99 as f64)),
        number(latency.map(|l| l.p99_9 as f64)),
        format!("{:.2}", total.queue_depth),
        on_demand(summary),
        held_by(summary),
    ]
}
