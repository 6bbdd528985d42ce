//! Pitfalls that the series itself shows: plateaus, idle time, batches, too few or too long intervals.

use dw_units::Duration;

use super::{Evidence, Pitfall, Report, Severity};
use crate::amount::Amount;
use crate::checklist::weighted_mean;
use crate::observation::{Observation, Ready};
use crate::percentile::{Percentile, Sorted, bounds_p99};
use crate::series::{Point, Series};

/// Intervals from here on hide peaks: on a measured MySQL load the p99 of 10 s means was 14 % below that of 2 s means,
/// and that of 30 s means 26 %.
const COARSE: Duration = Duration::from_secs(10);
/// A plateau: this share of the time ...
const PLATEAU_SHARE: f64 = 0.05;
/// ... within this of the largest.
const PLATEAU_WIDTH: f64 = 0.02;

/// What is known of a figure, in order.
fn readings<'a>(points: impl IntoIterator<Item = &'a Point>, value: fn(&Point) -> Amount) -> Sorted {
    Sorted::new(points.into_iter().filter_map(|p| Some((value(p).known()?, p.span))))
}

pub(super) fn look(report: &mut Report, observation: &Observation, ready: &[Ready], sum: &Series) {
    let iops = readings(&sum.points, |p| p.ios);
    if iops.is_empty() {
        return;
    }
    count(report, sum, &iops);
    coarse(report, sum, &iops);
    latencies(report, sum);
    merges(report, sum);
    for volume in &observation.volumes {
        plateau(report, &volume.name, &volume.series);
    }
    closed_loop(report, sum);
    page_cache(report, observation, ready);
    batch(report, sum);
    idle(report, observation, sum, &iops);
}

fn count(report: &mut Report, sum: &Series, iops: &Sorted) {
    let n = iops.len();
    if bounds_p99(n) {
        return;
    }
    let (severity, what) = if n < 100 {
        (Severity::Warning, format!("{n} samples: the p99 of fewer than 100 is their largest"))
    } else {
        (
            Severity::Note,
            format!(
                "{n} samples are too few for a reliable p99: the true value may be above the highest one seen; 459 would be enough"
            ),
        )
    };
    let needed = sum.interval.ns() as f64 * 459.0 / 1e9 / 60.0;
    let hint = format!("record {needed:.0} min or more at this interval");
    report.add(Pitfall::TooFew, severity, what, "the p99 is uncertain: see the confidence intervals", &hint);
}

/// What longer intervals do to the p99 of this very recording.
fn coarse(report: &mut Report, sum: &Series, iops: &Sorted) {
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
        Sorted::new(sum.points.chunks(n).filter_map(chunk)).at(Percentile::P99).unwrap_or(0.0)
    };
    let longer = merged(5);
    let tail = if fine > 0.0 && sum.points.len() >= 50 && sum.every() == 1 {
        format!(": averaging five of them together already lowers the p99 by {:.0} %", 100.0 * (1.0 - longer / fine))
    } else {
        String::new()
    };
    let severity = if sum.interval >= Duration::from_secs(60) { Severity::Warning } else { Severity::Note };
    let what =
        format!("samples are {} s averages, so shorter peaks are invisible{tail}", sum.interval.ns() / 1_000_000_000);
    report.add(Pitfall::Coarse, severity, what, "p99 and maximum are too low", "record at 1 or 2 s for the peak hours");
}

fn latencies(report: &mut Report, sum: &Series) {
    let plain = readings(&sum.points, Point::latency).mean();
    let (Some(weighted), Some(plain)) = (weighted_mean(&sum.points, (|p| p.depth, |p| p.ios)), plain) else { return };
    if (plain - weighted).abs() > 0.2 * weighted {
        let what = format!(
            "the mean over I/Os is {:.2} ms, a mean of interval means would be {:.2} ms",
            weighted * 1e3,
            plain * 1e3
        );
        report.add(Pitfall::LatencyMeans, Severity::Note, what, "none: the mean over I/Os is used", "");
    }
}

fn merges(report: &mut Report, sum: &Series) {
    let share = weighted_mean(&sum.points, (|p| p.merges, |p| p.ios + p.merges));
    if let Some(share) = share.filter(|share| *share > 0.1) {
        let what = format!("{:.0} % of the application's requests were merged into others", share * 100.0);
        let effect = "IOPS are of the device; without merging (another scheduler, O_DIRECT) there would be more";
        report.add(Pitfall::MergesCount, Severity::Note, what, effect, "");
    }
}

/// Much of the time close to the largest, and slower there: the source could not do more.
fn plateau(report: &mut Report, name: &str, series: &Series) {
    type Measure = (&'static str, fn(&Point) -> Amount);
    let measures: [Measure; 2] = [("IOPS", |p| p.ios), ("throughput", |p| p.bytes)];
    for (what, value) in measures {
        let sorted = readings(&series.points, value);
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
        let latency = |points: &[Point]| weighted_mean(points, (|p| p.depth, |p| p.ios));
        let (top, rest) = (of(true), of(false));
        let (slow, usual) = (latency(&top), latency(&rest));
        // Without latencies nothing tells a limit from a load that comes back to the same rate.
        let waited = match (slow, usual) {
            (Some(slow), Some(usual)) if slow <= usual * 1.2 => continue,
            (Some(slow), Some(usual)) => format!("at {:.2} ms against {:.2} ms otherwise", slow * 1e3, usual * 1e3),
            (Some(slow), None) => format!("at {:.2} ms", slow * 1e3),
            (None, _) => "with latencies that are not known".into(),
        };
        {
            let mut evidence = Evidence::default();
            top.iter().for_each(|p| evidence.add(p.origin, String::new));
            let text = format!("{name}: {:.1} % of the time within 2 % of the largest {what}, {waited}", share * 100.0);
            let effect = "the source was at a limit of its own: the demand is at least this, and may be more";
            let hint = "plan with headroom, or observe on faster disks";
            report.with(Pitfall::Throttled, Severity::Warning, &evidence, text, effect, hint);
            return;
        }
    }
}

fn closed_loop(report: &mut Report, sum: &Series) {
    let (Some(latency), Some(depth)) =
        (weighted_mean(&sum.points, (|p| p.depth, |p| p.ios)), readings(&sum.points, |p| p.depth).mean())
    else {
        return;
    };
    if latency < 0.005 || depth < 1.0 {
        return;
    }
    let what =
        format!("{:.1} ms a request with {depth:.1} outstanding: the application waited for its disks", latency * 1e3);
    let effect = format!(
        "on disks of 1 ms the same {depth:.1} outstanding would ask up to {:.0} IOPS, if it does nothing else in between",
        depth / 0.001
    );
    report.add(
        Pitfall::ClosedLoop,
        Severity::Warning,
        what,
        &effect,
        "plan for more than was seen, or observe again after",
    );
}

fn page_cache(report: &mut Report, observation: &Observation, ready: &[Ready]) {
    let reads = weighted_mean(&ready_points(observation), (|p| p.reads, |p| p.ios));
    let has_memory = !observation.memory.is_empty();
    let what = match observation.memory_total {
        Some(total) => {
            format!("what {:.1} GiB of memory served is not in these figures", total.get() as f64 / (1u64 << 30) as f64)
        }
        None => "what memory served is not in these figures, and the machine's memory is not known".to_string(),
    };
    let effect = "a VM with less memory reads more from its disks";
    let severity =
        if has_memory || reads.is_some_and(|reads| reads < 0.01) { Severity::Note } else { Severity::Warning };
    let hint = if has_memory { "" } else { "give vmstat or sadf -r too, or `--memory-total 64GiB`" };
    let _ = ready;
    report.add(Pitfall::PageCache, severity, what, effect, hint);
}

fn ready_points(observation: &Observation) -> Vec<Point> {
    observation.volumes.first().map_or_else(Vec::new, |v| v.series.points.clone())
}

/// Spells of large requests in a recording of small ones: backups, checks, loads of data.
fn batch(report: &mut Report, sum: &Series) {
    let sizes = readings(&sum.points, Point::io_size);
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
    let what = format!(
        "{:.1} % of the intervals move requests of 256 KiB and more, first at {}; p99 throughput {with:.0} MB/s with them, \
         {without:.0} MB/s without",
        share * 100.0,
        sum.axis.print(spell[0].at)
    );
    let effect = "a backup or a check sizes the disks, if it is one";
    let hint = "give it a window of its own, or leave it out: `--window exclude=...`";
    report.with(Pitfall::Batch, Severity::Warning, &evidence, what, effect, hint);
}

fn idle(report: &mut Report, observation: &Observation, sum: &Series, iops: &Sorted) {
    let most = iops.max().unwrap_or(0.0);
    let idle = iops.share_between(0.0, most * 0.05);
    if idle < 0.5 || most <= 0.0 {
        return;
    }
    let busy = readings(sum.points.iter().filter(|p| p.ios.exceeds(most * 0.05)), |p| p.ios);
    let (all, without) = (iops.at(Percentile::P99).unwrap_or(0.0), busy.at(Percentile::P99).unwrap_or(0.0));
    let what = format!(
        "{:.0} % of the time is below 5 % of the largest IOPS: p99 is {all:.0}, of the busy time alone {without:.0}",
        idle * 100.0
    );
    let windows = observation.windows.len() > 1;
    let severity = if windows { Severity::Note } else { Severity::Warning };
    let hint = if windows { "use the window of the peak" } else { "part it: `--window load`" };
    report.add(Pitfall::Idle, severity, what, "a plan for the p99 of all time may be too small for the day", hint);
}
