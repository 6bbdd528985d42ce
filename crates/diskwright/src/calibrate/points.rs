//! Scenarios that show a medium: one stream on the volume alone, which waits at no limit.

use dw_formats::scenario::Scenario as Rig;
use dw_messages::{LimitName, List, Sentence, say};

use super::LeftOut;
use crate::bench::document::{Mode, Scenario, Share, State};
use crate::measured::{self, Quantiles, Source};

/// A stream with this multiple of another's requests in flight ...
const MORE_IN_FLIGHT: f64 = 1.25;
/// ... and gains less than this share of it in rate waits: where nothing holds it, the rate grows as what is in flight.
const GAIN: f64 = 0.25;

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
    pub quantiles: &'a Quantiles,
    /// What was measured.
    pub measured: &'a Share,
    /// What was predicted before.
    pub predicted: &'a Share,
}

/// What is wrong, and what to do.
pub type Refusal = (String, String);

/// Those that show the medium, in the order of the results, and those that do not.
pub fn select<'a>(results: &'a [Source], rig: &Rig, volume: usize) -> Result<(Vec<Point<'a>>, Vec<LeftOut>), Refusal> {
    let name = &rig.volumes[volume].name;
    let spec = &rig.stack.volumes[volume];
    // A request over several disks takes as long as the slowest of them.
    let largest = if spec.disks.len() > 1 { spec.stripe_unit.get() } else { u64::MAX };
    let (mut points, mut left_out) = (Vec::new(), Vec::new());
    for (result, source) in results.iter().enumerate().filter(|(_, s)| s.document.mode != Mode::Simulated) {
        let scenarios = source.document.scenarios.iter().zip(&source.quantiles).zip(&source.cached);
        for ((scenario, quantiles), cached) in scenarios {
            if !scenario.measured.iter().any(|s| s.volume == *name) {
                continue;
            }
            let shown = cached.clone().map_or(Ok(()), Err);
            match shown.and_then(|()| point(scenario, quantiles.as_ref(), result, name, largest)) {
                Ok(point) => points.push(point),
                Err(why) => left_out.push(LeftOut { scenario: scenario.id.clone(), why }),
            }
        }
    }
    let (points, waiting): (Vec<Point>, Vec<Point>) = points.iter().cloned().partition(|p| !waits(p, &points));
    left_out.extend(waiting.into_iter().map(|p| LeftOut {
        scenario: p.scenario.id.clone(),
        why: match is_paced(&p) {
            true => say!(ExcludedWaitsRate),
            false => say!(ExcludedWaitsDepth),
        },
    }));
    let held_back = split(&points).1.len();
    if held_back > 0 {
        return Ok((points, left_out));
    }
    let list: String = left_out.iter().map(|l| format!("\n  {}: {}", l.scenario, l.why)).collect();
    let what = format!(
        "{} scenarios show the latency of the disks of `{name}`, but at least two of one direction are needed: one to fit, one to \
         validate{}{list}",
        points.len(),
        if list.is_empty() { "" } else { "; excluded are" }
    );
    let hint =
        format!("run `diskwright bench RIG.toml --suite latency-at-load --volume {name}`, or `--suite queue-depth`");
    Err((what, hint))
}

/// Whether it waits: a stream that is paced, when it is slower than one that is paced lower, in what was measured or by the model of
/// before, which knows no other reason than a limit; any other, when it only waits longer than another.
fn waits(point: &Point, all: &[Point]) -> bool {
    if is_paced(point) { is_slower(point, all) } else { only_longer(point, all) }
}

/// Slower by more than this, a stream that is paced waits. A medium may be a little slower under load, too; that is not told apart,
/// and left out as well.
const SLOWER: f64 = 1.25;

/// A stream that is paced does as much as it is told to: where it waits shows in its latency alone, which the least of its kind has
/// without waiting.
fn is_slower(point: &Point, all: &[Point]) -> bool {
    let alike = |other: &&Point| is_paced(other) && (other.reads, other.io_size) == (point.reads, point.io_size);
    let rate = |p: &Point| p.measured.load.iops;
    let Some(least) = all.iter().filter(alike).min_by(|a, b| rate(a).total_cmp(&rate(b))) else { return false };
    let grew = |of: fn(&Point) -> Option<f64>| of(point).zip(of(least)).is_some_and(|(at, low)| at > SLOWER * low);
    rate(point) > rate(least)
        && (grew(|p| p.measured.load.latency_ns.as_ref().map(|l| l.mean))
            || grew(|p| p.predicted.load.latency_ns.as_ref().map(|l| l.mean))
            || grew(|p| p.quantiles.get(&500_000).copied()))
}

/// Whether it only waits longer than another: more is in flight, and hardly more is done.
fn only_longer(point: &Point, all: &[Point]) -> bool {
    let rate = |p: &Point| p.measured.load.iops;
    let in_flight = |p: &Point| p.measured.load.latency_ns.as_ref().map_or(0.0, |l| l.mean * rate(p));
    let alike = |other: &&Point| (other.reads, other.io_size) == (point.reads, point.io_size);
    all.iter().filter(alike).filter(|other| !is_paced(other)).any(|other| {
        let more = in_flight(point) / in_flight(other);
        // Without a mean latency what is in flight is not known.
        more.is_finite() && more >= MORE_IN_FLIGHT && rate(point) / rate(other) - 1.0 < GAIN * (more - 1.0)
    })
}

fn is_paced(point: &Point) -> bool {
    point.scenario.job.lines().any(|line| ["rate", "thinktime"].iter().any(|option| line.starts_with(option)))
}

fn point<'a>(
    scenario: &'a Scenario,
    quantiles: Option<&'a Quantiles>,
    result: usize,
    volume: &str,
    largest: u64,
) -> Result<Point<'a>, Sentence> {
    if scenario.state != State::Done {
        return Err(say!(ExcludedUnfinished));
    }
    let measured = measured::sole(scenario).filter(|s| s.volume == volume);
    let measured = measured.ok_or_else(|| say!(ExcludedMixed))?;
    if let Some(limit) = scenario.binding.iter().find_map(|b| b.limit.as_ref()) {
        return Err(say!(ExcludedThrottled { limit: LimitName::read(limit) }));
    }
    let quantiles = quantiles.ok_or_else(|| say!(ExcludedNoPercentiles))?;
    if !quantiles.contains_key(&500_000) {
        let percentiles: List = quantiles.keys().map(|ppm| format!("p{}", f64::from(*ppm) / 1e4)).collect();
        return Err(say!(ExcludedNoMedian { percentiles }));
    }
    let same = |s: &&Share| s.volume == measured.volume && s.direction == measured.direction;
    let predicted = scenario.predicted.iter().find(same);
    let io_size = measured.load.bytes / measured.load.ios.max(1);
    if io_size > largest {
        return Err(say!(ExcludedLarge));
    }
    Ok(Point {
        scenario,
        result,
        reads: measured.direction == "read",
        io_size,
        ios: measured.load.ios,
        quantiles,
        measured,
        predicted: predicted.ok_or_else(|| say!(ExcludedNotPredicted))?,
    })
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
