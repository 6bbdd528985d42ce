//! Scenarios that show a medium: one stream on the volume alone, which no limit holds.

use std::collections::BTreeMap;

use dw_formats::scenario::Scenario as Rig;
use serde_json::Value;

use crate::bench::document::{BenchDocument, Mode, Scenario, Share, State};

/// What a scenario says about the medium.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its result, by its place.
    pub result: usize,
    /// It reads; else it writes.
    pub reads: bool,
    /// Bytes of a request.
    pub io_size: u64,
    /// I/Os that it rests on.
    pub ios: u64,
    /// Latency in nanoseconds by parts per million.
    pub quantiles: BTreeMap<u32, f64>,
    /// What was measured.
    pub measured: &'a Share,
    /// What was predicted before.
    pub predicted: &'a Share,
}

/// What is wrong, and what to do.
pub type Refused = (String, String);

/// All that there are, in the order of the results.
pub fn of<'a>(results: &'a [BenchDocument], rig: &Rig, volume: usize) -> Result<Vec<Point<'a>>, Refused> {
    let name = &rig.volumes[volume].name;
    let spec = &rig.stack.volumes[volume];
    // A request over several disks takes as long as the slowest of them.
    let largest = if spec.disks.len() > 1 { spec.stripe_unit.get() } else { u64::MAX };
    let (mut points, mut seen, mut held) = (Vec::new(), 0, 0);
    for (result, document) in results.iter().enumerate().filter(|(_, d)| d.mode != Mode::Simulated) {
        for scenario in document.scenarios.iter().filter(|s| s.state == State::Done) {
            let Some(point) = point(scenario, result, name) else { continue };
            seen += 1;
            if scenario.binding.iter().any(|b| b.limit.is_some()) {
                held += 1;
            } else if point.io_size <= largest {
                points.push(point);
            }
        }
    }
    if points.len() >= 2 {
        return Ok(points);
    }
    let what = format!(
        "{} scenarios show the disks of `{name}` alone (of {seen} with one stream on it {held} are held by a limit), and two at \
         least are needed: one to fit, one to hold back",
        points.len()
    );
    let hint =
        format!("run `diskwright bench RIG.toml --suite latency-at-load --volume {name}`, or `--suite queue-depth`");
    Err((what, hint))
}

fn point<'a>(scenario: &'a Scenario, result: usize, volume: &str) -> Option<Point<'a>> {
    let mut shares = scenario.measured.iter().filter(|s| s.volume != "all");
    let (measured, None) = (shares.next()?, shares.next()) else { return None };
    if measured.volume != volume {
        return None;
    }
    let same = |s: &&Share| s.volume == measured.volume && s.direction == measured.direction;
    let entry = scenario.fio.as_ref()?.get("jobs")?.as_array()?.first()?;
    let latency = entry.get(&measured.direction)?.get("clat_ns")?;
    let mut quantiles: BTreeMap<u32, f64> =
        latency.get("percentile")?.as_object()?.iter().filter_map(quantile).collect();
    quantiles.insert(1_000_000, latency.get("max")?.as_f64()?);
    Some(Point {
        scenario,
        result,
        reads: measured.direction == "read",
        io_size: measured.load.bytes / measured.load.ios.max(1),
        ios: measured.load.ios,
        quantiles,
        measured,
        predicted: scenario.predicted.iter().find(same)?,
    })
}

/// fio's `"99.000000" : 1234`.
fn quantile((percent, ns): (&String, &Value)) -> Option<(u32, f64)> {
    let ppm = (percent.parse::<f64>().ok()? * 1e4).round() as u32;
    Some((ppm, ns.as_f64()?)).filter(|(ppm, ns)| (1..1_000_000).contains(ppm) && *ns > 0.0)
}

/// Those to fit to, and those to hold back: every other one of each direction.
pub fn split<'a, 'b>(points: &'b [Point<'a>]) -> (Vec<&'b Point<'a>>, Vec<&'b Point<'a>>) {
    let (mut fitted, mut held_back) = (Vec::new(), Vec::new());
    for reads in [true, false] {
        for (number, point) in points.iter().filter(|p| p.reads == reads).enumerate() {
            if number % 2 == 0 { fitted.push(point) } else { held_back.push(point) }
        }
    }
    (fitted, held_back)
}
