//! Pitfalls that the series itself shows: plateaus, idle time, batches, too few or too long intervals.

use dw_messages::{Figure, say};
use dw_units::Duration;

use super::{Evidence, Pitfall, Report, Severity};
use crate::amount::Amount;

use crate::gathered::MERGED;
use crate::observation::Observation;
use crate::percentile::{Percentile, SortedReadings, bounds_p99};
use crate::ready::Ready;
use crate::row_id::weighted_mean;
use crate::series::{Point, Series};

/// Intervals from here on hide peaks: on a measured MySQL load the p99 of 10 s means was 14 % below that of 2 s means,
/// and that of 30 s means 26 %.
const COARSE: Duration = Duration::from_secs(10);
/// A plateau: this share of the time ...
const PLATEAU_SHARE: f64 = 0.05;
/// ... within this of the largest.
const PLATEAU_WIDTH: f64 = 0.02;

/// What is known of a figure, in order.
fn readings<'a>(points: impl IntoIterator<Item = &'a Point>, value: fn(&Point) -> Amount) -> SortedReadings {
    SortedReadings::new(points.into_iter().filter_map(|p| Some((value(p).known()?, p.span))))
}

pub(super) fn look(report: &mut Report, observation: &Observation, ready: &[Ready], sum: &Series) {
    let mut iops = readings(&sum.points, |p| p.ios);
    if iops.is_empty() {
        return;
    }
    count(report, sum, &iops);
    coarse(report, sum, &mut iops);
    latencies(report, sum);
    merges(report, sum);
    for volume in &observation.volumes {
        plateau(report, &volume.name, &volume.series);
    }
    closed_loop(report, sum);
    page_cache(report, observation, ready);
    batch(report, sum);
    idle(report, observation, sum, &mut iops);
}

fn count(report: &mut Report, sum: &Series, iops: &SortedReadings) {
    let n = iops.len();
    if bounds_p99(n) {
        return;
    }
    let (severity, what) = if n < 100 {
        (Severity::Warning, say!(AuditFew { samples: n }))
    } else {
        (Severity::Note, say!(AuditTooFew { samples: n }))
    };
    let needed = sum.interval.ns() as f64 * 459.0 / 1e9 / 60.0;
    let hint = say!(AuditTooFewHint { time: Figure::decimal(needed, 0, "min") });
    report.add(Pitfall::TooFew, severity, what, say!(AuditTooFewEffect), hint);
}

/// What longer intervals do to the p99 of this very recording.
fn coarse(report: &mut Report, sum: &Series, iops: &mut SortedReadings) {
    if sum.interval < COARSE {
        return;
    }
    let fine = iops.at(Percentile::P99).unwrap_or(0.0);
    let merged = |n: usize| {
        let chunk = |c: &[Point]| {
            let seconds: f64 = c.iter().map(Point::seconds).sum();
            let ios: Amount = c.iter().map(|p| p.ios * p.seconds()).sum();
            Some((ios.known()? / seconds, Duration::from_ns((seconds * 1e9) as u64)))
        };
        SortedReadings::new(sum.points.chunks(n).filter_map(chunk)).at(Percentile::P99).unwrap_or(0.0)
    };
    let longer = merged(5);
    let measured = (fine > 0.0 && sum.points.len() >= 50 && sum.every() == 1)
        .then(|| say!(AuditCoarseMeasured { lower: Figure::decimal(100.0 * (1.0 - longer / fine), 0, "%") }));
    let severity = if sum.interval >= Duration::from_secs(60) { Severity::Warning } else { Severity::Note };
    let seconds = sum.interval.ns() / 1_000_000_000;
    let interval = Figure::new(sum.interval.ns() as f64 / 1e9, "s", format!("{seconds} s"));
    let what = say!(AuditCoarse { interval, measured });
    report.add(Pitfall::Coarse, severity, what, say!(AuditCoarseEffect), say!(AuditCoarseHint));
}

fn latencies(report: &mut Report, sum: &Series) {
    let plain = readings(&sum.points, Point::latency).mean();
    let (Some(weighted), Some(plain)) = (weighted_mean(&sum.points, (|p| p.time(p.depth), |p| p.total(p.ios))), plain)
    else {
        return;
    };
    if (plain - weighted).abs() > 0.2 * weighted {
        let what = say!(AuditMeans { mean: milliseconds(weighted), of_means: milliseconds(plain) });
        report.add(Pitfall::LatencyMeans, Severity::Note, what, say!(AuditMeansEffect), None);
    }
}

fn merges(report: &mut Report, sum: &Series) {
    let share = weighted_mean(&sum.points, MERGED);
    if let Some(share) = share.filter(|share| *share > 0.1) {
        let what = say!(AuditMerges { share: Figure::decimal(share * 100.0, 0, "%") });
        report.add(Pitfall::MergesCount, Severity::Note, what, say!(AuditMergesEffect), None);
    }
}

/// Seconds, shown in milliseconds.
fn milliseconds(seconds: f64) -> Figure {
    Figure::decimal(seconds * 1e3, 2, "ms")
}

/// Much of the time close to the largest, and slower there: the source could not do more.
fn plateau(report: &mut Report, name: &str, series: &Series) {
    type Measure = (&'static str, fn(&Point) -> Amount);
    let measures: [Measure; 2] = [("IOPS", |p| p.ios), ("throughput", |p| p.bytes)];
    for (what, value) in measures {
        let mut sorted = readings(&series.points, value);
        let Some(most) = sorted.max().filter(|m| *m > 0.0) else { continue };
        let edge = most * (1.0 - PLATEAU_WIDTH);
        let share = sorted.share_between(edge, most);
        // A load that is even all the time has no plateau: it has nothing else.
        let even = sorted.at(Percentile::new(10_000)).is_some_and(|low| low >= edge);
        if share < PLATEAU_SHARE || sorted.len() < 20 || even {
            continue;
        }
        let of = |top: bool| -> Vec<Point> {
            let known = series.points.iter().filter(|p| p.ios.exceeds(0.0));
            known.filter(|p| value(p).known().is_some_and(|v| (v >= edge) == top)).copied().collect()
        };
        let latency = |points: &[Point]| weighted_mean(points, (|p| p.time(p.depth), |p| p.total(p.ios)));
        let (top, rest) = (of(true), of(false));
        let (slow, usual) = (latency(&top), latency(&rest));
        // Without latencies nothing tells a limit from a load that comes back to the same rate.
        let waited = match (slow, usual) {
            (Some(slow), Some(usual)) if slow <= usual * 1.2 => continue,
            (Some(slow), Some(usual)) => {
                say!(AuditPlateauSlower { latency: milliseconds(slow), otherwise: milliseconds(usual) })
            }
            (Some(slow), None) => say!(AuditPlateauAt { latency: milliseconds(slow) }),
            (None, _) => say!(AuditPlateauUnknown),
        };
        let mut evidence = Evidence::default();
        top.iter().for_each(|p| evidence.add(p.origin, String::new));
        let share = Figure::decimal(share * 100.0, 1, "%");
        let text = say!(AuditPlateau { volume: name, share, quantity: what, latency: waited });
        let (effect, hint) = (say!(AuditPlateauEffect), say!(AuditPlateauHint));
        report.with(Pitfall::Throttled, Severity::Warning, &evidence, text, effect, hint);
        return;
    }
}

fn closed_loop(report: &mut Report, sum: &Series) {
    let (Some(latency), Some(depth)) = (
        weighted_mean(&sum.points, (|p| p.time(p.depth), |p| p.total(p.ios))),
        readings(&sum.points, |p| p.depth).mean(),
    ) else {
        return;
    };
    if latency < 0.005 || depth < 1.0 {
        return;
    }
    let outstanding = Figure::decimal(depth, 1, "");
    let what = say!(AuditClosed { latency: Figure::decimal(latency * 1e3, 1, "ms"), depth: outstanding.clone() });
    let iops = Figure::decimal(depth / 0.001, 0, "IOPS");
    let effect = say!(AuditClosedEffect { depth: outstanding, iops });
    report.add(Pitfall::ClosedLoop, Severity::Warning, what, effect, say!(AuditClosedHint));
}

fn page_cache(report: &mut Report, observation: &Observation, ready: &[Ready]) {
    let points = observation.volumes.first().map_or(&[][..], |v| &v.series.points);
    let reads = weighted_mean(points, (|p| p.total(p.reads), |p| p.total(p.ios)));
    let has_memory = !observation.memory.is_empty();
    let what = match observation.memory_total {
        Some(total) => {
            say!(AuditMemory { memory: Figure::decimal(total.get() as f64 / (1u64 << 30) as f64, 1, "GiB") })
        }
        None => say!(AuditMemoryUnknown),
    };
    let severity =
        if has_memory || reads.is_some_and(|reads| reads < 0.01) { Severity::Note } else { Severity::Warning };
    let hint = (!has_memory).then(|| say!(AuditMemoryHint));
    let _ = ready;
    report.add(Pitfall::PageCache, severity, what, say!(AuditMemoryEffect), hint);
}

/// Spells of large requests in a recording of small ones: backups, checks, loads of data.
fn batch(report: &mut Report, sum: &Series) {
    let mut sizes = readings(&sum.points, Point::io_size);
    if sizes.at(Percentile::P50).is_none_or(|median| median > 65_536.0) {
        return;
    }
    let large = |p: &&Point| p.io_size().known().is_some_and(|size| size >= 262_144.0);
    let spell: Vec<&Point> = sum.points.iter().filter(large).collect();
    let share = spell.len() as f64 / sum.points.len() as f64;
    if spell.len() < 3 || share > 0.5 {
        return;
    }
    let p99 = |points: Vec<&Point>| readings(points, |p| p.bytes).at(Percentile::P99).unwrap_or(0.0) / 1e6;
    let with = p99(sum.points.iter().collect());
    let without = p99(sum.points.iter().filter(|p| !large(p)).collect());
    let mut evidence = Evidence::default();
    spell.iter().for_each(|p| evidence.add(p.origin, String::new));
    let what = say!(AuditBatch {
        share: Figure::decimal(share * 100.0, 1, "%"),
        first: sum.axis.print(spell[0].at),
        with: Figure::decimal(with, 0, "MB/s"),
        without: Figure::decimal(without, 0, "MB/s")
    });
    report.with(Pitfall::Batch, Severity::Warning, &evidence, what, say!(AuditBatchEffect), say!(AuditBatchHint));
}

fn idle(report: &mut Report, observation: &Observation, sum: &Series, iops: &mut SortedReadings) {
    let most = iops.max().unwrap_or(0.0);
    let idle = iops.share_between(0.0, most * 0.05);
    if idle < 0.5 || most <= 0.0 {
        return;
    }
    let mut busy = readings(sum.points.iter().filter(|p| p.ios.exceeds(most * 0.05)), |p| p.ios);
    let (all, without) = (iops.at(Percentile::P99).unwrap_or(0.0), busy.at(Percentile::P99).unwrap_or(0.0));
    let (all, busy) = (Figure::decimal(all, 0, ""), Figure::decimal(without, 0, ""));
    let what = say!(AuditIdle { share: Figure::decimal(idle * 100.0, 0, "%"), all, busy });
    let windows = observation.windows.len() > 1;
    let severity = if windows { Severity::Note } else { Severity::Warning };
    let hint = if windows { say!(AuditIdlePeak) } else { say!(AuditIdleSplit) };
    report.add(Pitfall::Idle, severity, what, say!(AuditIdleEffect), hint);
}
