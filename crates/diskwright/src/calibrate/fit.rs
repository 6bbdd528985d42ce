//! The fit: latency = a distribution + size / bandwidth.
//!
//! Bandwidth is the slope of the median over the size of a request, by least squares, where there are several sizes; else
//! it stays what the rig has. What is left is the distribution: each quantile is the mean of the scenarios' quantiles, by
//! the number of their I/Os.
//!
//! Ignores: a latency that grows with the load below a limit; what the client adds (it is part of what is measured).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dw_stack::VolumeSpec;

use super::CalibrateDocument;
use super::points::Point;
use crate::measured::Source;

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Parts per million.
    pub quantiles: Vec<u32>,
    /// Microseconds of reads at each.
    pub read_us: Option<Vec<u64>>,
    /// Of writes.
    pub write_us: Option<Vec<u64>>,
    /// MB/s that a request's size costs.
    pub bandwidth_mb_per_s: Option<u64>,
}

/// Fits.
pub fn model(name: &str, points: &[&Point], volume: &VolumeSpec) -> Model {
    let bandwidth = slope(points).map(|ns_a_byte| 1e3 / ns_a_byte);
    let kept = volume.disks.first().and_then(|d| d.read.bandwidth).map(|b| b.get() as f64 / 1e6);
    let bandwidth = bandwidth.or(kept).filter(|mb| *mb >= 1.0);
    let sets = points.iter().map(|p| p.quantiles.keys().copied().collect::<BTreeSet<u32>>());
    let common = sets.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default();
    let quantiles: Vec<u32> = common.into_iter().collect();
    let of = |reads: bool| {
        let some: Vec<&Point> = points.iter().copied().filter(|p| p.reads == reads).collect();
        (!some.is_empty()).then(|| times(&some, &quantiles, bandwidth))
    };
    let bandwidth_mb_per_s = bandwidth.map(|mb| mb.round() as u64);
    Model { name: name.into(), read_us: of(true), write_us: of(false), quantiles, bandwidth_mb_per_s }
}

/// Nanoseconds that a byte costs; nothing when all requests are of one size, or larger ones are not slower.
fn slope(points: &[&Point]) -> Option<f64> {
    let mut parts: Vec<(f64, f64)> = Vec::new();
    for reads in [true, false] {
        let some: Vec<(f64, f64)> = points
            .iter()
            .filter(|p| p.reads == reads)
            .filter_map(|p| Some((p.io_size as f64, *p.quantiles.get(&500_000)?)))
            .collect();
        // About their own mean, so that reads and writes may differ by a constant.
        let n = some.len().max(1) as f64;
        let (x, y) = (some.iter().map(|p| p.0).sum::<f64>() / n, some.iter().map(|p| p.1).sum::<f64>() / n);
        parts.extend(some.iter().map(|p| (p.0 - x, p.1 - y)));
    }
    let squares: f64 = parts.iter().map(|(x, _)| x * x).sum();
    let products: f64 = parts.iter().map(|(x, y)| x * y).sum();
    (squares > 0.0 && products > 0.0).then(|| products / squares)
}

fn times(points: &[&Point], quantiles: &[u32], bandwidth: Option<f64>) -> Vec<u64> {
    let all: f64 = points.iter().map(|p| p.ios as f64).sum();
    let mut floor = 1;
    let at = |ppm: &u32| {
        let of_one = |p: &&Point| {
            let transfer = bandwidth.map_or(0.0, |mb| p.io_size as f64 / mb * 1e3);
            (p.quantiles[ppm] - transfer).max(1.0) * p.ios as f64 / all
        };
        let ns: f64 = points.iter().map(of_one).sum();
        floor = ((ns / 1e3).round() as u64).max(floor);
        floor
    };
    quantiles.iter().map(at).collect()
}

/// How well a model is known whose predictions are off by so many percent on data that it was not fitted to: measured, and as good
/// as it predicts. What could not be compared is an assumption.
pub fn grade(error_percent: f64) -> char {
    match error_percent {
        e if e <= 10.0 => 'A',
        e if e <= 25.0 => 'B',
        e if e <= 50.0 => 'C',
        _ => 'D',
    }
}

/// The model file, with what it rests on and, once that is known, how far off it is on data held back.
pub fn file(model: &Model, results: &[Source], points: &[&Point], checked: Option<&CalibrateDocument>) -> String {
    let mut evidence: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for point in points {
        evidence.entry(point.result).or_default().push(&point.scenario.id);
    }
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let mut out = String::from(
        "# A latency model fitted by `diskwright calibrate`: microseconds at quantiles in parts per million.\n",
    );
    let mut sources = Vec::new();
    for (result, scenarios) in evidence {
        let document = &results[result].document;
        let machine = document.machine.as_ref().map_or("an unknown machine", |m| m.kernel.as_str());
        let fio = document.fio.as_ref().map_or("fio", |f| f.version.as_str());
        let _ = writeln!(
            out,
            "# Fitted to {} of {} ({fio} on {machine}): {}",
            document.suite,
            document.rig.file,
            scenarios.join(", ")
        );
        sources.push(format!(
            "{} of {}, {fio} on {machine}, {} scenarios",
            document.suite,
            document.rig.file,
            scenarios.len()
        ));
    }
    let ios: u64 = points.iter().map(|p| p.ios).sum();
    let both = match (&model.read_us, &model.write_us) {
        (Some(_), Some(_)) => "",
        (Some(_), None) => "; writes were not measured and are assumed to be like reads",
        _ => "; reads were not measured and are assumed to be like writes",
    };
    let quantiles = model.quantiles.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "\nquantiles = [{quantiles}]\n\n[[model]]\nname = \"{}\"", model.name);
    let reads = model.read_us.as_ref().or(model.write_us.as_ref());
    let _ = writeln!(out, "read_us = [{}]", reads.map_or(String::new(), |r| list(r)));
    if let (Some(_), Some(writes)) = (&model.read_us, &model.write_us) {
        let _ = writeln!(out, "write_us = [{}]", list(writes));
    }
    if let Some(bandwidth) = model.bandwidth_mb_per_s {
        let _ = writeln!(out, "bandwidth_mb_per_s = {bandwidth}");
    }
    let plain = |text: &str| text.replace('\\', "/").replace('"', "'");
    let grade = checked.map_or('D', |c| grade(c.error_after_percent));
    let off = checked
        .map_or("nothing compared".into(), |c| format!("{:.1} % off on {}", c.error_after_percent, c.rests_on()));
    let _ = writeln!(
        out,
        "grade = \"{grade}\"\nreason = \"fitted to {ios} measured I/Os that were not throttled, {off}{both}\""
    );
    let _ = writeln!(out, "source = \"{}\"", plain(&sources.join("; ")));
    out
}
