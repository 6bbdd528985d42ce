//! The time series as CSV: one line an interval, volume and direction. Each says whether the run was interrupted.

use dw_formats::scenario::Scenario;
use dw_sim::{RunResult, SeriesPoint};
use dw_workload::Direction;

use super::format::exact_seconds;
use super::{direction_name, interval_s, stage_name};
use crate::output;

const HEAD: [&str; 14] = [
    "end_s",
    "volume",
    "direction",
    "ios",
    "bytes",
    "iops",
    "bytes_per_s",
    "latency_mean_ms",
    "latency_p99_ms",
    "latency_max_ms",
    "cache_hit_percent",
    "on_demand_transactions",
    "waits_at",
    "partial",
];

/// The series with its header; empty but for the header when none was asked for.
pub fn series(scenario: &Scenario, result: &RunResult) -> String {
    output::csv(&HEAD, result.series.iter().map(|point| record(scenario, result, point)))
}

fn record(scenario: &Scenario, result: &RunResult, point: &SeriesPoint) -> Vec<String> {
    let length = interval_s(result, point);
    let (ios, bytes) = (point.ios as f64, point.bytes as f64);
    let mean = if point.ios > 0 { point.latency_sum as f64 / ios / 1e6 } else { 0.0 };
    let hits = match point.direction {
        Direction::Read if point.ios > 0 => format!("{:.2}", point.cache_hits as f64 / ios * 100.0),
        _ => String::new(),
    };
    let disks = &scenario.stack.volumes[usize::from(point.volume)].disks;
    let metered = disks.iter().any(|disk| disk.usage_base.is_some());
    vec![
        exact_seconds(point.at.ns()),
        scenario.volumes[usize::from(point.volume)].name.clone(),
        direction_name(point.direction).to_string(),
        point.ios.to_string(),
        point.bytes.to_string(),
        format!("{:.1}", ios / length),
        format!("{:.0}", bytes / length),
        format!("{mean:.4}"),
        point.latency_p99.map_or(String::new(), |ns| format!("{:.4}", ns as f64 / 1e6)),
        format!("{:.4}", point.latency_max as f64 / 1e6),
        hits,
        if metered { point.billed_transactions.to_string() } else { String::new() },
        point.binding.map_or(String::new(), |stage| stage_name(&scenario.stack, point.volume, stage)),
        result.partial.to_string(),
    ]
}
