//! What a plan must meet: a checklist reduced to what a person would write down, and may change by hand.
//!
//! Percentiles of one window, and the joint series for whoever plans by the interval: independent percentiles of several
//! volumes never happened together, the series did. All series of a recording are on one grid, so that step n of each is the
//! same time; time that was not recorded, and intervals in which a figure is missing, are no part of it.
//!
//! Ignores: where each figure stood in a file; `from` keeps only how it is known.

use std::sync::Arc;

use dw_demand::{
    DemandSeries, Levels, Provenance, REQUEST_MIN, RecordingDoubt, Requirements, Severity, VolumeRequirements,
    volume_name,
};
use dw_units::{Bytes, Duration, Throughput};

use super::checklist::{Checklist, Row, RowId};
use super::finding::{Finding, Pitfall};
use super::observation::{Observation, VolumeObservation};
use super::series::Point;
use super::thin::groups_of_many;

/// Points of a series that are kept; longer recordings are averaged.
const POINTS: usize = 10_000;

impl Observation {
    /// What a plan must meet, of one window; none when the window does not exist.
    pub fn requirements(&self, window: &str) -> Option<Requirements> {
        let volumes = &self.volumes;
        // The first is the sum where there are several: its processors and memory are everyone's.
        let whole = volumes.first()?.checklists.iter().find(|c| c.window == window)?;
        let each = if volumes.len() > 1 { &volumes[1..] } else { &volumes[..] };
        let with_demand: Vec<&VolumeObservation> =
            each.iter().filter(|v| v.series.means().iter().any(is_known)).collect();
        let time = known_time(volumes, &with_demand);
        let points = groups_of_many(each.len()).map_or(POINTS, |groups| groups.min(POINTS));
        let transactions = whole.row(RowId::Transactions).filter(|r| r.provenance == Provenance::Measured);
        let mut of_window: Vec<VolumeRequirements> =
            each.iter().filter_map(|v| volume(v, window, &time, points)).collect();
        // A recording calls its disks as it likes.
        let names = volume_name::fitting(&of_window.iter().map(|v| v.name.as_str()).collect::<Vec<_>>());
        of_window.iter_mut().zip(names).for_each(|(volume, name)| volume.name = name);
        Some(Requirements {
            machine: self.machine.as_deref().map(str::to_string),
            window: window.to_string(),
            growth: self.growth,
            processors: self.cpus,
            cpu_percent: levels(whole, RowId::CpuAverage),
            memory_total: self.memory_total,
            memory_used: levels(whole, RowId::MemoryAverage).map(|l| l.map(bytes)),
            transactions: transactions.and_then(levels_of),
            findings: self.findings.iter().filter_map(carried).collect(),
            volumes: of_window,
        })
    }
}

/// What a plan is to repeat; notes do not touch what it uses.
fn carried(finding: &Finding) -> Option<RecordingDoubt> {
    let (what, effect) = (finding.what.to_string(), finding.effect.to_string());
    let is_throttled = finding.pitfall == Pitfall::Throttled;
    (finding.severity != Severity::Note).then_some(RecordingDoubt {
        severity: finding.severity,
        what,
        effect,
        is_throttled,
    })
}

fn bytes(value: f64) -> Bytes {
    Bytes::new(value.round() as u64)
}

fn levels(checklist: &Checklist, id: RowId) -> Option<Levels<f64>> {
    levels_of(checklist.row(id)?)
}

fn levels_of(row: &Row) -> Option<Levels<f64>> {
    let (p50, p90, p99) = (row.p50?.value, row.p90?.value, row.p99?.value);
    Some(Levels { p50, p90, p95: None, p99, max: row.max?, from: row.provenance })
}

fn volume(volume: &VolumeObservation, window: &str, time: &[(i64, i64)], points: usize) -> Option<VolumeRequirements> {
    let checklist = volume.checklists.iter().find(|c| c.window == window)?;
    let of = |id| levels(checklist, id);
    let throughput = |id| of(id).map(|l| l.map(|v| Throughput::bytes_per_second(v.round() as u64)));
    let latency = |id| of(id).map(|l| l.map(|v| Duration::from_ns((v * 1e9).round() as u64)));
    let mean = |id| checklist.row(id).and_then(|r| r.mean);
    // Rates that were rounded to nearly nothing have a quotient, and no size.
    let size = |id| mean(id).map(bytes).filter(|size| *size >= REQUEST_MIN);
    let (reads, writes) = (of(RowId::ReadIops), of(RowId::WriteIops));
    let split = reads.is_some() && writes.is_some();
    let unknown = match (&reads, &writes) {
        (Some(_), None) => vec!["write_iops".to_string()],
        (None, Some(_)) => vec!["read_iops".to_string()],
        _ => Vec::new(),
    };
    let has_demand = split && volume.series.means().iter().any(is_known);
    Some(VolumeRequirements {
        name: volume.name.clone(),
        devices: volume.devices.iter().map(|d| d.to_string()).collect(),
        unknown,
        read_iops: reads,
        write_iops: writes,
        // Where reads and writes are known their sum is not asked besides: it would be a second demand.
        iops: if split { None } else { of(RowId::Iops) },
        read_throughput: throughput(RowId::ReadThroughput),
        write_throughput: throughput(RowId::WriteThroughput),
        throughput: if split { None } else { throughput(RowId::ThroughputAverage) },
        read_latency: latency(RowId::ReadLatency),
        write_latency: latency(RowId::WriteLatency),
        queue_depth: of(RowId::QueueDepth),
        read_size: size(RowId::ReadSize),
        write_size: size(RowId::WriteSize),
        random_percent: mean(RowId::Random),
        series: if has_demand { demand(volume, time, points).map(Arc::new) } else { None },
    })
}

/// Whether all of a demand is known in an interval.
fn is_known(p: &Point) -> bool {
    [p.reads, p.writes, p.read_bytes, p.write_bytes].iter().all(|figure| !figure.is_missing())
}

/// The time of which the demand of all volumes that have one is known, in order: from, to. Gaps are left out, and intervals in
/// which a figure is missing: an interval that asks nothing would make the demand smaller.
fn known_time(all: &[VolumeObservation], with_demand: &[&VolumeObservation]) -> Vec<(i64, i64)> {
    let Some(sum) = all.first() else { return Vec::new() };
    let interval = |p: &Point| (p.at.saturating_sub_unsigned(p.span.ns()), p.at);
    let unknown = |points: &[Point]| points.iter().filter(|p| !is_known(p)).map(interval).collect::<Vec<_>>();
    let mut holes: Vec<(i64, i64)> = with_demand.iter().flat_map(|v| unknown(v.series.means())).collect();
    // The sum is unknown, too, where the line of a device is missing.
    if with_demand.len() == all.len().saturating_sub(1).max(1) {
        holes.extend(unknown(sum.series.means()));
    }
    holes.sort_unstable();
    let (mut time, mut end, mut hole) = (Vec::new(), i64::MIN, 0);
    for (from, to) in sum.series.means().iter().map(interval) {
        let mut from = from.max(end);
        end = end.max(to);
        while hole < holes.len() && holes[hole].1 <= from {
            hole += 1;
        }
        for (a, b) in holes[hole..].iter().take_while(|(a, _)| *a < to) {
            if from < *a {
                time.push((from, *a));
            }
            from = from.max(*b);
        }
        if from < to {
            time.push((from, to));
        }
    }
    time
}

/// The series on a regular grid of the time that is known, without what lies between.
fn demand(volume: &VolumeObservation, time: &[(i64, i64)], most: usize) -> Option<DemandSeries> {
    let length = time.iter().map(|(from, to)| to.abs_diff(*from)).sum::<u64>();
    let usual = volume.series.interval.ns().max(1);
    let step = usual.saturating_mul(length.div_ceil(usual).div_ceil(most as u64).max(1));
    let mut sums = vec![[0.0; 4]; length.div_ceil(step) as usize];
    let points = volume.series.means().iter().filter(|p| is_known(p));
    let (mut stretch, mut passed) = (0, 0u64);
    for p in points {
        let figures = [p.reads, p.writes, p.read_bytes, p.write_bytes].map(|figure| figure.known().unwrap_or(0.0));
        let (from, to) = (p.at.saturating_sub_unsigned(p.span.ns()), p.at);
        while stretch < time.len() && time[stretch].1 <= from {
            passed += time[stretch].1.abs_diff(time[stretch].0);
            stretch += 1;
        }
        let mut before = passed;
        for (a, b) in time[stretch..].iter().take_while(|(a, _)| *a < to) {
            let (from, to) = (from.max(*a), to.min(*b));
            if from < to {
                spread(&mut sums, before + from.abs_diff(*a), before + to.abs_diff(*a), step, figures);
            }
            before += b.abs_diff(*a);
        }
    }
    let column = |i: usize| sums.iter().map(move |s| s[i]);
    let whole = |i: usize| column(i).map(|v| v.round() as u64).collect();
    let tenth = |i: usize| column(i).map(|v| (v * 100.0).round() / 100.0).collect();
    (!sums.is_empty()).then(|| DemandSeries {
        interval: Duration::from_ns(step),
        read_iops: tenth(0),
        write_iops: tenth(1),
        read_bytes_per_s: whole(2),
        write_bytes_per_s: whole(3),
    })
}

/// Adds figures to the steps of the grid that their time overlaps, so that the totals stay what they were.
fn spread(sums: &mut [[f64; 4]], from: u64, to: u64, step: u64, figures: [f64; 4]) {
    for index in from / step..to.div_ceil(step) {
        let overlap = to.min((index + 1).saturating_mul(step)).saturating_sub(from.max(index * step));
        if let Some(sum) = sums.get_mut(index as usize) {
            let share = overlap as f64 / step as f64;
            sum.iter_mut().zip(figures).for_each(|(s, f)| *s += f * share);
        }
    }
}
