//! What benchmarks measured: result files of fio, DiskSpd and Iometer in, one record out.
//!
//! Read next: `dw_documents::results` (the record, what comparisons ask of it, the reader of fio's JSON), `places.rs` (on which
//! volume it was), then one folder or file a tool.
//!
//! The format is known from the content, never from the file's name. Units are straight when they leave here: bytes and
//! nanoseconds, whatever the tool prints (fio's `bw` is KiB/s and its text has decimal MB/s in brackets; DiskSpd's columns
//! named MB/s in old versions are MiB/s; Iometer says Binary or Decimal, and old ones mean binary).
//!
//! Ignores: fio's logs next to the result, ETW counters of DiskSpd, network columns of Iometer.

mod diskspd;
mod error;
mod fio;
mod iometer;
mod number;
mod places;
mod runs;
mod text;

use schemars::Schema;

pub use dw_documents::results::{
    Bin, Cpu, CpuBase, DiskUse, Entry, Figures, Latency, LatencyKind, Load, MeasuredRun, Note, Percentile,
    PercentileRule, ResultFormat, SCHEMA_VERSION, Sample, Scope, Setting, Spread, Tool,
};
pub use error::ResultError;
pub use places::{About, Map};

use dw_documents::results::{Wrong, shown, wrong};

use text::Lines;

/// Reads a result of any of the tools. `name` is what errors call the file.
pub fn read(name: &str, text: &str) -> Result<MeasuredRun, ResultError> {
    let of_file = |Wrong { line, what, hint }| ResultError { file: name.into(), line, what, hint };
    let mut run = dispatch(text).map_err(of_file)?;
    run.file = name.into();
    Ok(run)
}

/// The same of what is held against something: figures that nothing can have measured are a damaged file.
pub fn read_measured(name: &str, text: &str) -> Result<MeasuredRun, ResultError> {
    let run = read(name, text)?;
    for entry in &run.entries {
        let directions = [&entry.read, &entry.write, &entry.trim, &entry.mixed, &entry.sync];
        if let Some(figure) = directions.into_iter().flatten().find_map(impossible) {
            return Err(ResultError {
                file: name.into(),
                line: entry.line,
                what: format!("`{}`: {figure} cannot have been measured", shown(&entry.name)),
                hint: "give the tool's unmodified result".into(),
            });
        }
    }
    Ok(run)
}

/// More than any storage has, in requests, bytes or nanoseconds: sums of it would not fit.
const MOST: f64 = 1e15;

fn impossible(figures: &Figures) -> Option<String> {
    let rates = [(figures.iops, "I/Os per second"), (figures.bytes_per_s, "bytes per second")];
    let latencies = figures.latency.iter().flat_map(|latency| {
        let percentiles = latency.percentiles.iter().map(|percentile| Some(percentile.ns));
        [latency.mean_ns, latency.max_ns].into_iter().chain(percentiles).map(|ns| (ns, "ns of latency"))
    });
    let is_wrong = |value: &f64| !(0.0..=MOST).contains(value);
    rates.into_iter().chain(latencies).find_map(|(value, unit)| Some(format!("{} {unit}", value.filter(is_wrong)?)))
}

/// The JSON Schema of [`MeasuredRun`].
pub fn schema() -> Schema {
    schemars::schema_for!(MeasuredRun)
}

const ACCEPTED: &str = "give the output of fio (text, --output-format=json, json+ or terse), of kubestr, of DiskSpd (text or -Rxml) \
                        or Iometer's results.csv";

/// The first line that is a tool's own decides. JSON goes first: fio prints it after its text where both are asked for.
fn dispatch(text: &str) -> Result<MeasuredRun, Wrong> {
    if text.trim().is_empty() {
        return wrong(1, "the file is empty", "run the benchmark again: it leaves an empty file when it fails");
    }
    if fio::json::is(text) {
        return fio::json::read(text);
    }
    for line in Lines::new(text) {
        let words = line.text.trim_start();
        if words.starts_with("<Results") {
            let starts: Vec<usize> = text.match_indices("<Results").map(|(at, _)| at).collect();
            return runs::each(text, &starts, diskspd::xml::read);
        }
        if words.starts_with("'Test Type") || words.starts_with("'Target Type,") || words.starts_with("'Results") {
            return iometer::read(text);
        }
        if diskspd::text::begins(words) {
            return runs::each(text, &diskspd::text::starts(text), diskspd::text::read);
        }
        if fio::kubestr::begins(line.text) {
            return fio::kubestr::read(text);
        }
        if fio::terse::is(line.text) {
            return fio::terse::read(text);
        }
        if fio::text::begins(line.text) {
            return runs::each(text, &fio::text::starts(text), fio::text::read);
        }
    }
    let first = Lines::new(text).find(|line| !line.text.trim().is_empty());
    let (line, text) = first.map_or((1, String::new()), |line| (line.number, shown(line.text)));
    wrong(line, format!("not a recognised benchmark result: `{text}`"), ACCEPTED)
}
