//! fio's JSON, version 3.33: the same keys in the same order, with one more top-level object, `diskwright`.
//!
//! What a simulation cannot know is zero, as fio prints it for an engine without that figure: CPU shares, context
//! switches, page faults, short and dropped I/Os. `eta` is fio's "unknown". `disk_util` is absent, as for any engine
//! without block devices. The version says that it is not fio: `fio-3.33-diskwright-<version>`.
//!
//! Source: fio 3.33's own output, compared key by key in `tests/e2e/fio_json.rs`.

use dw_sim::{DirectionResult, EntryResult, LatencyStats, SampleStats};
use dw_workload::{Direction, Job};
use serde_json::Value;

use super::json_tree::Json;
use super::stamp::Stamp;
use super::summary::Summary;
use super::{Run, bins};

/// fio's "unknown", as it prints it.
const ETA_UNKNOWN: u64 = 2_147_483_647;
/// fio's error number for a rate below `rate_min` (EIO).
const ERROR_RATE: u64 = 5;

/// What the document says instead of fio's version.
const VERSION: &str = concat!("fio-3.33-diskwright-", env!("CARGO_PKG_VERSION"));

/// The document as a value: what reading the text of [`document`] gives, without the text. Nothing where a figure is no number.
pub fn value(run: &Run, summary: &Summary, stamp: Stamp) -> Option<dw_documents::Run> {
    let global = match options(&run.jobs.global_options).value() {
        Value::Object(options) if !run.jobs.global_options.is_empty() => Some(options),
        _ => None,
    };
    Some(dw_documents::Run {
        version: VERSION.into(),
        timestamp: Some(stamp.seconds()),
        timestamp_ms: Some(stamp.milliseconds()),
        time: Some(stamp.calendar()),
        global_options: global,
        jobs: run.result.entries.iter().map(|entry| job(run, entry, false).value()).collect(),
        // Its figures have the decimals that are printed, so that a page of it says what `simulate` does.
        diskwright: serde_json::from_value(Json::from(serde_json::to_value(summary).ok()?).value()).ok()?,
    })
}

/// The document.
pub fn document(run: &Run, summary: &Summary, stamp: Stamp, plus: bool) -> Json {
    let mut top = vec![
        ("fio version".to_string(), Json::text(VERSION)),
        ("timestamp".to_string(), Json::Int(stamp.seconds())),
        ("timestamp_ms".to_string(), Json::Int(stamp.milliseconds())),
        ("time".to_string(), Json::text(stamp.calendar())),
    ];
    if !run.jobs.global_options.is_empty() {
        top.push(("global options".to_string(), options(&run.jobs.global_options)));
    }
    let jobs = run.result.entries.iter().map(|entry| job(run, entry, plus)).collect();
    top.push(("jobs".to_string(), Json::List(jobs)));
    let summary = serde_json::to_value(summary).map_or(Json::Null, Json::from);
    top.push(("diskwright".to_string(), summary));
    Json::Object(top)
}

/// Options with their texts; fio leaves out those written without a value.
fn options(pairs: &[(String, String)]) -> Json {
    let written = pairs.iter().filter(|(_, text)| !text.is_empty());
    Json::object(written.map(|(name, text)| (name.clone(), Json::text(text.clone()))))
}

fn job(run: &Run, entry: &EntryResult, plus: bool) -> Json {
    let first: Option<&Job> = entry.members.first().and_then(|&m| run.jobs.workload.jobs.get(m));
    let total: u64 = Direction::ALL.iter().map(|&d| entry.load.get(d).ios).sum();
    let mut pairs = vec![
        ("jobname", Json::text(entry.name.clone())),
        ("groupid", Json::Int(u64::from(entry.group))),
        ("error", Json::Int(if entry.error.is_some() { ERROR_RATE } else { 0 })),
        ("eta", Json::Int(ETA_UNKNOWN)),
        ("elapsed", Json::Int(entry.elapsed.ns().div_ceil(1_000_000_000))),
        ("job options", options(first.map_or(&[][..], |job| &job.options))),
    ];
    if entry.latency.unified {
        pairs.push(("mixed", direction(run, entry, Direction::Read, plus)));
    } else {
        pairs.push(("read", direction(run, entry, Direction::Read, plus)));
        pairs.push(("write", direction(run, entry, Direction::Write, plus)));
        pairs.push(("trim", direction(run, entry, Direction::Trim, plus)));
        let shown = entry.latency.lat || entry.latency.clat;
        let sync = [
            ("total_ios", Json::Int(entry.sync.count)),
            ("lat_ns", latency(&entry.sync, &entry.latency.percentiles, shown, plus)),
        ];
        pairs.push(("sync", Json::object(sync)));
    }
    pairs.extend([
        ("job_runtime", Json::Int(entry.job_runtime.ns() / 1_000_000)),
        ("usr_cpu", Json::Float(0.0)),
        ("sys_cpu", Json::Float(0.0)),
        ("ctx", Json::Int(0)),
        ("majf", Json::Int(0)),
        ("minf", Json::Int(0)),
        ("iodepth_level", shares(&["1", "2", "4", "8", "16", "32", ">=64"], &entry.depth_levels, total, 0.1)),
        ("iodepth_submit", depth_shares(&entry.submit_levels)),
        ("iodepth_complete", depth_shares(&entry.complete_levels)),
    ]);
    let classes = Classes::from_entry(entry);
    let fine = ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"];
    let coarse = ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"];
    pairs.extend([
        ("latency_ns", shares(&fine, &classes.ns, total, 0.01)),
        ("latency_us", shares(&fine, &classes.us, total, 0.01)),
        ("latency_ms", shares(&coarse, &classes.ms, total, 0.01)),
        ("latency_depth", Json::Int(u64::from(entry.queue_depth))),
        ("latency_target", Json::Int(0)),
        ("latency_percentile", Json::Float(100.0)),
        ("latency_window", Json::Int(0)),
    ]);
    if let Some(description) = first.and_then(|job| job.description.as_ref()) {
        pairs.push(("desc", Json::text(description.clone())));
    }
    Json::object(pairs)
}

fn direction(run: &Run, entry: &EntryResult, which: Direction, plus: bool) -> Json {
    let part: &DirectionResult = entry.load.get(which);
    let ms = part.runtime.ns() / 1_000_000;
    // As fio computes them: whole bytes per second, both from whole milliseconds.
    let bytes_per_s = part.bytes.saturating_mul(1_000).checked_div(ms).unwrap_or(0);
    let iops = if ms > 0 { 1_000.0 * part.ios as f64 / ms as f64 } else { 0.0 };
    let percentiles = &entry.latency.percentiles;
    let bw = Samples::from_stats(&part.bw_samples, 1.0 / 1_024.0);
    let ios = Samples::from_stats(&part.iops_samples, 1.0);
    Json::object([
        ("io_bytes", Json::Int(part.bytes)),
        ("io_kbytes", Json::Int(part.bytes >> 10)),
        ("bw_bytes", Json::Int(bytes_per_s)),
        ("bw", Json::Int(bytes_per_s / 1_024)),
        ("iops", Json::Float(iops)),
        ("runtime", Json::Int(ms)),
        ("total_ios", Json::Int(part.ios)),
        ("short_ios", Json::Int(0)),
        ("drop_ios", Json::Int(0)),
        ("slat_ns", latency(&part.slat, percentiles, entry.latency.slat, plus)),
        ("clat_ns", latency(&part.clat, percentiles, entry.latency.clat, plus)),
        ("lat_ns", latency(&part.lat, percentiles, entry.latency.lat, plus)),
        ("bw_min", Json::Int(bw.min)),
        ("bw_max", Json::Int(bw.max)),
        ("bw_agg", Json::Float(share_of_group(run, entry, which, bw.mean, bw.count))),
        ("bw_mean", Json::Float(bw.mean)),
        ("bw_dev", Json::Float(bw.deviation)),
        ("bw_samples", Json::Int(bw.count)),
        ("iops_min", Json::Int(ios.min)),
        ("iops_max", Json::Int(ios.max)),
        ("iops_mean", Json::Float(ios.mean)),
        ("iops_stddev", Json::Float(ios.deviation)),
        ("iops_samples", Json::Int(ios.count)),
    ])
}

/// Percent of the group's bandwidth in this direction: bytes of all over the longest run time, as fio sums a group.
fn share_of_group(run: &Run, entry: &EntryResult, which: Direction, mean_kib: f64, samples: u64) -> f64 {
    if samples == 0 {
        return 0.0;
    }
    let members = run.result.entries.iter().filter(|e| e.group == entry.group).map(|e| e.load.get(which));
    let (bytes, ms) =
        members.fold((0u64, 0u64), |(bytes, ms), part| (bytes + part.bytes, ms.max(part.runtime.ns() / 1_000_000)));
    let group = if ms > 0 { bytes as f64 * 1_000.0 / ms as f64 } else { 0.0 };
    if group > 1_024.0 { (mean_kib.trunc() * 100.0 / (group / 1_024.0)).min(100.0) } else { 100.0 }
}

fn latency(stats: &LatencyStats, percentiles: &[f64], shown: bool, plus: bool) -> Json {
    let n = stats.count as f64;
    let mean = if stats.count > 0 { stats.sum as f64 / n } else { 0.0 };
    let mut pairs = vec![
        ("min", Json::Int(if stats.count > 0 { stats.min } else { 0 })),
        ("max", Json::Int(stats.max)),
        ("mean", Json::Float(mean)),
        ("stddev", Json::Float(deviation(n, mean, stats.sum_squares))),
        ("N", Json::Int(stats.count)),
    ];
    if shown && stats.count > 0 {
        let counted = bins::from_stats(stats);
        let values = bins::percentiles(&counted, percentiles);
        let values = percentiles.iter().zip(values).map(|(p, value)| (format!("{p:.6}"), Json::Int(value)));
        pairs.push(("percentile", Json::object(values)));
        if plus {
            let counted = counted.into_iter().map(|(middle, count)| (middle.to_string(), Json::Int(count)));
            pairs.push(("bins", Json::object(counted)));
        }
    }
    Json::object(pairs)
}

/// Sample deviation (n − 1), as fio's.
fn deviation(n: f64, mean: f64, sum_squares: f64) -> f64 {
    if n > 1.0 { ((sum_squares - n * mean * mean).max(0.0) / (n - 1.0)).sqrt() } else { 0.0 }
}

struct Samples {
    count: u64,
    min: u64,
    max: u64,
    mean: f64,
    deviation: f64,
}

impl Samples {
    fn from_stats(stats: &SampleStats, scale: f64) -> Samples {
        let n = stats.count as f64;
        let mean = if stats.count > 0 { stats.sum / n } else { 0.0 };
        Samples {
            count: stats.count,
            min: if stats.count > 0 { (stats.min * scale) as u64 } else { 0 },
            max: (stats.max * scale) as u64,
            mean: mean * scale,
            deviation: deviation(n, mean, stats.sum_squares) * scale,
        }
    }
}

/// Percentages of `total`; what is there but tiny is shown as `least`, as fio does.
fn shares(names: &[&str], counts: &[u64], total: u64, least: f64) -> Json {
    Json::object(names.iter().zip(counts).map(|(name, &count)| {
        let share = if total > 0 { count as f64 / total as f64 * 100.0 } else { 0.0 };
        (*name, Json::Float(if count > 0 { share.max(least) } else { 0.0 }))
    }))
}

fn depth_shares(counts: &[u64; 7]) -> Json {
    shares(&["0", "4", "8", "16", "32", "64", ">=64"], counts, counts.iter().sum(), 0.1)
}

/// Completion latencies in fio's classes of nano-, micro- and milliseconds.
struct Classes {
    ns: [u64; 10],
    us: [u64; 10],
    ms: [u64; 12],
}

impl Classes {
    const FINE: [u64; 9] = [2, 4, 10, 20, 50, 100, 250, 500, 750];
    const COARSE: [u64; 11] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1_000, 2_000];

    fn from_entry(entry: &EntryResult) -> Classes {
        let mut classes = Classes { ns: [0; 10], us: [0; 10], ms: [0; 12] };
        for which in Direction::ALL {
            let Some(histogram) = &entry.load.get(which).clat.histogram else { continue };
            for step in histogram.iter_recorded() {
                classes.count(histogram.median_equivalent(step.value_iterated_to()), step.count_at_value());
            }
        }
        classes
    }

    fn count(&mut self, ns: u64, count: u64) {
        let class = |limits: &[u64], value: u64| limits.iter().position(|&l| value < l).unwrap_or(limits.len());
        match ns {
            0..1_000 => self.ns[class(&Self::FINE, ns)] += count,
            1_000..1_000_000 => self.us[class(&Self::FINE, ns / 1_000)] += count,
            _ => self.ms[class(&Self::COARSE, ns / 1_000_000)] += count,
        }
    }
}
