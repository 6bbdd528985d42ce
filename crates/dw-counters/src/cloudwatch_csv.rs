//! Graphed metrics of the CloudWatch console as CSV ("Download as .csv").
//!
//! A column a metric, under rows that say of each what it is: `Id`, `StatusCode`, `Messages`, `Full label` (`us-east-1:AWS/EBS
//! VolumeId:vol-0a1b2c3d VolumeReadOps Sum 300`), `Label`. Then a row an instant, `2026/02/14 14:20:00`, on the clock that the graph was set to,
//! which the file does not say.
//!
//! Source: such a file as a public program describes it, 2026-02.

use std::io::BufRead;

use dw_observe::Stamp;

use super::CounterError;
use super::cloudwatch::State;
use super::cloudwatch_names::Said;
use super::error::shown;
use super::number::{decimal, from_zero};
use super::out::Out;
use super::rows::Rows;
use super::stamp::Stamps;

/// What the rows before the first instant begin with.
const HEADS: [&str; 5] = ["Id", "StatusCode", "Messages", "Full label", "Label"];

/// Whether this is such a file.
pub(super) fn is_console(start: &[u8]) -> bool {
    let first = |line: &[u8]| {
        let cell = line.split(|&b| b == b',').next().unwrap_or_default();
        let cell = String::from_utf8_lossy(cell);
        let cell = cell.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\u{feff}');
        HEADS.into_iter().find(|name| cell.eq_ignore_ascii_case(name))
    };
    let mut lines = start.split(|&b| b == b'\n').take(HEADS.len()).map(first);
    lines.next().flatten().is_some() && lines.flatten().any(|head| head != "Id")
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut rows = Rows::new(input, head, b',');
    let mut state = State::new(out.options.name);
    state.local = true;
    let of_file = Said::from_file(out.options.name);
    let mut stamps = Stamps::default();
    let mut columns: Vec<Said> = Vec::new();
    let mut width = 0;
    while rows.advance(out)? {
        let (line, row) = (rows.line(), rows.cells());
        if row.iter().all(String::is_empty) {
            continue;
        }
        if let Some(head) = HEADS.iter().find(|name| row[0].trim_start_matches('\u{feff}').eq_ignore_ascii_case(name)) {
            width = width.max(row.len());
            columns.resize(columns.len().max(row.len() - 1), Said::default());
            if matches!(*head, "Full label" | "Label") {
                for (column, cell) in columns.iter_mut().zip(&row[1..]) {
                    let said = Said::from_text(cell);
                    if *head == "Full label" && said.metric.is_some() && said.period_ns.is_none() {
                        let what = format!("`{}` does not end with its period", shown(cell.as_bytes()));
                        out.fault(line, what, "it is derived from the times of the points".into())?;
                    }
                    *column = std::mem::take(column).or(&said);
                }
            }
            continue;
        }
        if row.len() != width {
            out.unused(line, format!("{} columns where the header has {width}", row.len()))?;
            continue;
        }
        let words: Vec<&str> = row[0].split_whitespace().collect();
        let Some(Stamp::Wall { ns, utc_offset_min }) = stamps.read(&words, line, out)? else {
            out.unused(line, format!("`{}` is not a date and time", shown(row[0].as_bytes())))?;
            continue;
        };
        let begins_ns = ns.saturating_sub(i64::from(utc_offset_min.unwrap_or(0)) * 60_000_000_000);
        let values: Vec<Option<&str>> =
            row[1..].iter().map(|cell| Some(cell.as_str()).filter(|c| !c.is_empty())).collect();
        let parsed =
            values.iter().map(|cell| cell.map(|cell| from_zero(decimal(cell.as_bytes())).ok_or(cell)).transpose());
        let parsed: Vec<Option<f64>> = match parsed.collect() {
            Ok(parsed) => parsed,
            Err(cell) => {
                out.unused(line, format!("`{}` is not a number from zero", shown(cell.as_bytes())))?;
                continue;
            }
        };
        for (column, value) in columns.iter().zip(parsed) {
            let said = column.clone().or(&of_file);
            let (Some(metric), Some(value)) = (said.metric, value) else { continue };
            match said.statistic {
                Some(statistic) => state.add(&said, metric, begins_ns, &[(statistic, value)], line, out)?,
                None => state.without_statistic(metric, line, out)?,
            }
        }
    }
    state.flush(out)?;
    Ok(rows.line())
}
