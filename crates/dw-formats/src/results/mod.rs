//! What benchmarks measured: result files of fio, DiskSpd and Iometer in, one record out.
//!
//! Read next: `model.rs` (the record), `sums.rs` (what comparisons ask of it), `places.rs` (on which volume it was), then one folder or file a tool.
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
mod model;
mod number;
mod places;
mod sums;
mod text;

use schemars::Schema;

pub use error::ResultError;
pub use model::*;
pub use places::{About, Map};

use error::{Wrong, wrong};
use text::Lines;

/// Reads a result of any of the tools. `name` is what errors call the file; UTF-8 and UTF-16 are known by themselves.
pub fn read(name: &str, bytes: &[u8]) -> Result<MeasuredRun, ResultError> {
    let text = text::decoded(bytes);
    let of_file = |Wrong { line, what, hint }| ResultError { file: name.into(), line, what, hint };
    let mut run = dispatch(&text).map_err(of_file)?;
    run.file = name.into();
    Ok(run)
}

/// The JSON Schema of [`MeasuredRun`].
pub fn schema() -> Schema {
    schemars::schema_for!(MeasuredRun)
}

impl MeasuredRun {
    /// A run of which only the tool is known yet.
    fn new(format: ResultFormat, tool: Tool) -> MeasuredRun {
        MeasuredRun {
            schema_version: SCHEMA_VERSION,
            file: String::new(),
            format,
            tool,
            version: None,
            time: None,
            simulated: false,
            documents: 1,
            command_line: None,
            options: Vec::new(),
            entries: Vec::new(),
            disks: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn note(&mut self, line: u64, text: impl Into<String>) {
        self.notes.push(Note { line: line.max(1), text: text.into() });
    }
}

impl Entry {
    /// An entry of which only the name is known yet.
    fn new(name: impl Into<String>, scope: Scope, line: u64) -> Entry {
        Entry {
            name: name.into(),
            scope,
            included_in: None,
            test: 0,
            line: line.max(1),
            host: None,
            load: Load::default(),
            options: Vec::new(),
            elapsed_s: None,
            read: None,
            write: None,
            trim: None,
            mixed: None,
            sync: None,
            cpu: None,
            errors: None,
            failure: None,
            series: Vec::new(),
        }
    }
}

impl Latency {
    fn new(kind: LatencyKind) -> Latency {
        Latency {
            kind,
            samples: None,
            min_ns: None,
            mean_ns: None,
            max_ns: None,
            stddev_ns: None,
            percentiles: Vec::new(),
            percentile_rule: None,
            histogram: Vec::new(),
        }
    }
}

const ACCEPTED: &str = "give the output of fio (text, --output-format=json, json+ or terse), of DiskSpd (text or -Rxml) or \
                        Iometer's results.csv";

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
            return diskspd::xml::read(text);
        }
        if words.starts_with("'Test Type") || words.starts_with("'Target Type,") || words.starts_with("'Results") {
            return iometer::read(text);
        }
        if diskspd::text::begins(words) {
            return diskspd::text::read(text);
        }
        if fio::terse::is(line.text) {
            return fio::terse::read(text);
        }
        if fio::text::begins(line.text) {
            return fio::text::read(text);
        }
    }
    let first = Lines::new(text).find(|line| !line.text.trim().is_empty());
    let (line, shown) = first.map_or((1, String::new()), |line| (line.number, text::shown(line.text)));
    wrong(line, format!("not a recognised benchmark result: `{shown}`"), ACCEPTED)
}
