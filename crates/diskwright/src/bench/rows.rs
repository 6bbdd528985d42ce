//! Required, predicted and measured side by side, and what the points of a curve say together.

use super::suite::{Plan, RequiredFigure};
use crate::figures::{bytes, bytes_per_s, iops, ms, number};
use dw_documents::bench::{Finding, Metric, Point, Row, Scenario, Share, State};
use dw_messages::{Sentence, say};

/// A measurement meets what was asked for within this share: what a published measurement is held to.
pub const TOLERANCE: f64 = 0.03;
/// A rate this close to the highest counts as the highest.
const NEAR: f64 = 0.95;

/// The lines of a scenario.
pub fn rows(plan: &Plan, scenario: &Scenario) -> Vec<Row> {
    let shares: Vec<&Share> = scenario.predicted.iter().chain(&scenario.measured).collect();
    let of_share = |s: &&Share| (s.volume.clone(), s.direction.clone(), plan.metric);
    let each = shares.iter().filter(|s| !s.is_total()).map(of_share);
    let asked = plan.required.iter().map(|r| (r.volume.clone(), r.direction.clone(), r.metric));
    let mut figures: Vec<(String, String, Metric)> = Vec::new();
    for figure in each.chain(asked) {
        if !figures.contains(&figure) {
            figures.push(figure);
        }
    }
    let several =
        figures.iter().filter(|(_, direction, metric)| direction != Share::TOTAL && *metric == plan.metric).count() > 1;
    let sum = shares.iter().filter(|s| s.is_total() && several).map(of_share).next();
    figures.extend(sum.filter(|sum| !figures.contains(sum)));
    figures.into_iter().map(|(volume, direction, metric)| row(plan, scenario, volume, direction, metric)).collect()
}

fn row(plan: &Plan, scenario: &Scenario, volume: String, direction: String, metric: Metric) -> Row {
    let find = |shares: &[Share]| {
        shares.iter().find(|s| s.volume == volume && s.direction == direction).and_then(|s| metric.value_in(&s.load))
    };
    let (predicted, measured) = (find(&scenario.predicted), find(&scenario.measured));
    let is = |r: &&RequiredFigure| r.volume == volume && r.direction == direction && r.metric == metric;
    let required = plan.required.iter().find(is).map(|r| r.value);
    let held = scenario.binding.iter().find(|b| b.volume == volume).and_then(|b| b.limit.clone());
    Row {
        scenario: scenario.id.clone(),
        unit: metric.unit().into(),
        required,
        predicted,
        measured,
        difference_percent: predicted.zip(measured).filter(|(p, _)| *p > 0.0).map(|(p, m)| (m / p - 1.0) * 100.0),
        limit: held,
        met: required.zip(measured.or(predicted)).map(|(required, got)| meets(metric, required, got, TOLERANCE)),
        volume,
        direction,
        metric,
    }
}

/// Whether a figure is as good as required, within a tolerance.
pub fn meets(metric: Metric, required: f64, got: f64, tolerance: f64) -> bool {
    if metric.more_is_better() { got >= required * (1.0 - tolerance) } else { got <= required * (1.0 + tolerance) }
}

/// What curves say: one finding for each, from the prediction and from the measurement.
pub fn findings(scenarios: &[Scenario]) -> Vec<Finding> {
    let mut curves: Vec<&str> = Vec::new();
    for point in scenarios.iter().filter_map(|s| s.point.as_ref()) {
        if !curves.contains(&point.curve.as_str()) {
            curves.push(&point.curve);
        }
    }
    let mut findings = Vec::new();
    for curve in curves {
        for from in ["predicted", "measured"] {
            let points: Vec<(&Point, &Share)> = scenarios
                .iter()
                .filter(|s| from == "predicted" || s.state == State::Done)
                .filter_map(|s| {
                    let shares = if from == "predicted" { &s.predicted } else { &s.measured };
                    let point = s.point.as_ref().filter(|p| p.curve == curve)?;
                    Some((point, shares.iter().find(|s| s.is_total())?))
                })
                .collect();
            findings.extend(finding(curve, from, &points));
        }
    }
    findings
}

fn finding(curve: &str, from: &str, points: &[(&Point, &Share)]) -> Option<Finding> {
    let axis = &points.first().filter(|_| points.len() > 2)?.0.axis;
    let (kind, value, text) = match axis.as_str() {
        "queue depth" => knee(points)?,
        "I/O size" => crossover(points)?,
        _ => rise(points)?,
    };
    let text = say!(Finding { curve, from, shows: text });
    Some(Finding { kind: kind.into(), curve: curve.into(), from: from.into(), value, text })
}

fn mean(share: &Share) -> Option<f64> {
    share.load.latency_ns.as_ref().map(|l| l.mean).filter(|ns| *ns > 0.0)
}

/// Where IOPS over latency is highest: below it more in flight gives more, above it they wait (Kleinrock's power).
fn knee(points: &[(&Point, &Share)]) -> Option<(&'static str, f64, Sentence)> {
    let power = |share: &Share| mean(share).map(|ns| share.load.iops / ns).unwrap_or(0.0);
    let (at, best) = points.iter().max_by(|a, b| power(a.1).total_cmp(&power(b.1)))?;
    let (_, top) = points.iter().max_by(|a, b| a.1.load.iops.total_cmp(&b.1.load.iops))?;
    let enough = points.iter().find(|(_, s)| s.load.iops >= NEAR * top.load.iops)?;
    let text = say!(Knee {
        depth: number(at.value),
        iops: iops(best.load.iops),
        latency: ms(mean(best)?),
        most: iops(top.load.iops),
        near_depth: number(enough.0.value),
        near_latency: ms(mean(enough.1)?),
    });
    Some(("knee", at.value, text))
}

/// From which size on throughput, and not IOPS, is what holds it.
fn crossover(points: &[(&Point, &Share)]) -> Option<(&'static str, f64, Sentence)> {
    let top = points.iter().map(|(_, s)| s.load.bytes_per_s).fold(0.0, f64::max);
    let (at, share) = points.iter().find(|(_, s)| s.load.bytes_per_s >= NEAR * top)?;
    let most = points.iter().map(|(_, s)| s.load.iops).fold(0.0, f64::max);
    let (size, throughput) = (bytes(at.value), bytes_per_s(share.load.bytes_per_s));
    let text = say!(Crossover { size, throughput, iops: iops(most) });
    Some(("crossover", at.value, text))
}

/// The highest load at which latency is below twice that of the lowest.
fn rise(points: &[(&Point, &Share)]) -> Option<(&'static str, f64, Sentence)> {
    let idle = mean(points.first()?.1)?;
    let within = points.iter().take_while(|(_, s)| mean(s).is_some_and(|ns| ns <= 2.0 * idle));
    let (at, share) = within.last()?;
    let load = number(at.value);
    let text = say!(Rise { lowest: ms(idle), load, iops: iops(share.load.iops), latency: ms(mean(share)?) });
    Some(("rise", at.value, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_documents::measure::{Latency, Load};

    fn points(axis: &str, list: &[(f64, f64, f64, f64)]) -> Vec<(Point, Share)> {
        let one = |&(value, iops, bytes_per_s, mean): &(f64, f64, f64, f64)| {
            let latency_ns = Some(Latency { mean, ..Latency::default() });
            let load = Load { ios: 1, bytes: 1, iops, bytes_per_s, latency_ns };
            let point = Point { curve: "c".into(), axis: axis.into(), unit: String::new(), value };
            (point, Share { volume: "all".into(), direction: "all".into(), load })
        };
        list.iter().map(one).collect()
    }

    fn check(axis: &str, list: &[(f64, f64, f64, f64)], kind: &str, value: f64) {
        let points = points(axis, list);
        let points: Vec<(&Point, &Share)> = points.iter().map(|(p, s)| (p, s)).collect();
        let found = finding("c", "measured", &points).unwrap();
        assert_eq!((found.kind.as_str(), found.value), (kind, value), "{}", found.text);
    }

    #[test]
    fn curves_are_read() {
        // One ms of service, a limit of 5,000: the knee is where the two meet, at depth 5.
        let closed = [1.0, 2.0, 4.0, 8.0, 16.0].map(|d: f64| {
            let iops = (d * 1_000.0).min(5_000.0);
            (d, iops, iops * 8192.0, d / iops * 1e9)
        });
        check("queue depth", &closed, "knee", 4.0);
        // 5,000 IOPS and 200 MB/s meet at 40 kB.
        let sizes = [4096.0, 16384.0, 65536.0, 262144.0].map(|b: f64| {
            let iops = (5_000.0f64).min(2e8 / b);
            (b, iops, iops * b, 1e6)
        });
        check("I/O size", &sizes, "crossover", 65536.0);
        check("offered load", &[(10.0, 1.0, 1.0, 1e6), (50.0, 5.0, 5.0, 1.9e6), (100.0, 9.0, 9.0, 9e6)], "rise", 50.0);
    }

    #[test]
    fn more_is_better_for_rates_and_less_for_latency() {
        assert!(meets(Metric::Iops, 100.0, 97.0, 0.03) && !meets(Metric::Iops, 100.0, 96.9, 0.03));
        assert!(meets(Metric::LatencyMean, 100.0, 103.0, 0.03) && !meets(Metric::LatencyP99, 100.0, 103.1, 0.03));
    }
}
