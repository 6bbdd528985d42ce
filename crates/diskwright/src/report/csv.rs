//! The time series as CSV: one line an interval, volume and direction.

use dw_formats::scenario::Scenario;
use dw_sim::{RunResult, SeriesPoint};
use dw_workload::Direction;

use super::format::exact_seconds;

/// The series with its header; empty but for the header when none was asked for.
pub fn series(scenario: &Scenario, result: &RunResult) -> String {
    let mut out = String::from(
        "end_s,volume,direction,ios,bytes,iops,bytes_per_s,latency_mean_ms,latency_max_ms,cache_hit_percent,waits_at\n",
    );
    for point in &result.series {
        let end = exact_seconds(point.at.ns());
        let length = interval_s(result, point);
        let (ios, bytes) = (point.ios as f64, point.bytes as f64);
        let mean = if point.ios > 0 { point.latency_sum as f64 / ios / 1e6 } else { 0.0 };
        let hits = match point.direction {
            Direction::Read if point.ios > 0 => format!("{:.2}", point.cache_hits as f64 / ios * 100.0),
            _ => String::new(),
        };
        out.push_str(&format!(
            "{end},{},{},{},{},{:.1},{:.0},{mean:.4},{:.4},{hits},{}\n",
            quoted(&scenario.volumes[usize::from(point.volume)].name),
            direction_name(point.direction),
            point.ios,
            point.bytes,
            ios / length,
            bytes / length,
            point.latency_max as f64 / 1e6,
            point.binding.map_or("", |l| l.name()),
        ));
    }
    out
}

/// Seconds of an interval: the last may be cut short by the end of the run.
pub(super) fn interval_s(result: &RunResult, point: &SeriesPoint) -> f64 {
    let interval = result.series_interval.map_or(1_000_000_000, |i| i.ns()).max(1);
    let end = point.at.ns().max(1);
    let begin = (end - 1) / interval * interval;
    (end - begin) as f64 / 1e9
}

pub(super) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
        Direction::Trim => "trim",
    }
}

/// A text as one CSV field.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
