//! Why a measurement differs from its prediction: looked for in the order in which a cause would hide the next one.
//!
//! A client without processor time hides everything behind it, noise hides small differences, a limit hides the latency of
//! the medium: while requests wait at a limit the medium's own latency does not show.

use dw_messages::{Figure, LimitName, Sentence, say};

use crate::bench::document::{BenchDocument, Metric, Scenario, Share, WarningKind};
use crate::figures;

use super::{Cause, CauseKind};

/// A figure with what is known about it.
pub struct Case<'a> {
    /// The result that it is in.
    pub result: &'a BenchDocument,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// What was measured.
    pub measured: &'a Share,
    /// What was predicted.
    pub predicted: &'a Share,
    /// Of what.
    pub metric: Metric,
}

/// The cause.
pub fn find(case: &Case, tolerance: f64) -> Cause {
    let (Some(measured), Some(predicted)) =
        (case.metric.value_in(&case.measured.load), case.metric.value_in(&case.predicted.load))
    else {
        return cause(CauseKind::Agrees, say!(CauseNoFigure));
    };
    let off = measured / predicted.max(f64::MIN_POSITIVE) - 1.0;
    let worse = (off < 0.0) == case.metric.more_is_better();
    if off.abs() <= tolerance {
        return cause(CauseKind::Agrees, say!(CauseAgrees));
    }
    if let Some(text) = client(case).filter(|_| worse) {
        return cause(CauseKind::ClientCeiling, text);
    }
    if let Some(text) = noise(case, off, worse) {
        return cause(CauseKind::Noise, text);
    }
    let held = case.scenario.binding.iter().find(|b| b.volume == case.measured.volume);
    match held.and_then(|b| b.limit.as_ref()) {
        Some(limit) => {
            let limit = LimitName::read(limit);
            let rate = match case.metric {
                Metric::Throughput => figures::bytes_per_s(case.measured.load.bytes_per_s),
                _ => figures::iops(case.measured.load.iops),
            };
            let text = if worse { say!(CauseLess { limit, rate }) } else { say!(CauseMore { limit, rate }) };
            cause(CauseKind::Limit, text)
        }
        None => cause(CauseKind::LatencyModel, medium(case)),
    }
}

fn cause(kind: CauseKind, text: Sentence) -> Cause {
    Cause { kind, text }
}

/// The client's own limit, when it was reached.
fn client(case: &Case) -> Option<Sentence> {
    let of_this = |w: &&crate::bench::document::Warning| w.scenario.as_ref() == Some(&case.scenario.id);
    let kinds = [WarningKind::ClientCpu, WarningKind::MachineCpu];
    let busy = case.result.warnings.iter().filter(of_this).find(|w| kinds.contains(&w.kind));
    busy.map(|w| w.text.clone())
}

/// Twice the error of a mean over the run's seconds, or a doubt about the run, when it explains the difference: other
/// programs and a late emulator only make it worse.
fn noise(case: &Case, off: f64, worse: bool) -> Option<Sentence> {
    let rates: Vec<f64> = case.scenario.series.iter().skip(1).map(|s| s.read_iops + s.write_iops).collect();
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n.max(1.0);
    if rates.len() >= 3 && mean > 0.0 {
        let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let error = 2.0 * (variance / n).sqrt() / mean;
        if off.abs() <= error {
            return Some(say!(CauseNoise { error: Figure::decimal(error * 100.0, 1, "%") }));
        }
    }
    let doubts: &[WarningKind] = match worse {
        true => &[WarningKind::OtherLoad, WarningKind::Lateness, WarningKind::Drift],
        false => &[WarningKind::Drift],
    };
    let doubt = case
        .result
        .warnings
        .iter()
        .find(|w| doubts.contains(&w.kind) && w.scenario.as_ref().is_none_or(|id| *id == case.scenario.id));
    doubt.map(|w| say!(CauseDoubt { doubt: w.text.clone() }))
}

/// The medium's latency, as it was and as it was thought.
fn medium(case: &Case) -> Sentence {
    let mean = |share: &Share| share.load.latency_ns.as_ref().map(|l| l.mean);
    match (mean(case.measured), mean(case.predicted)) {
        (Some(measured), Some(model)) => {
            say!(CauseMedium { measured: figures::ms(measured), model: figures::ms(model) })
        }
        _ => say!(CauseMediumOnly),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A scenario of 5,000 IOPS at 1 ms predicted, measured at `iops`, with these warnings and this limit.
    fn check(iops: f64, warning: Option<&str>, limit: Option<&str>, expected: CauseKind) {
        let share = |iops: f64| {
            let latency = json!({ "mean": 32e9 / iops, "p50": 1, "p90": 1, "p99": 1, "p99_9": 1, "max": 1 });
            json!({ "volume": "data", "direction": "read", "ios": 1, "bytes": 1, "iops": iops, "bytes_per_s": 1.0, "latency_ns": latency })
        };
        let series: Vec<Value> = (0..30)
            .map(|s| json!({ "at_s": f64::from(s), "read_iops": iops + f64::from(s % 2), "write_iops": 0.0 }))
            .collect();
        let warnings: Vec<Value> =
            warning.map(|kind| json!({ "kind": kind, "scenario": "s", "text": "why" })).into_iter().collect();
        let result: BenchDocument = serde_json::from_value(json!({
            "schema_version": 1, "document": "bench", "diskwright_version": "0", "mode": "disks", "suite": "jobs", "partial": false,
            "rig": { "file": "r", "text": "", "latency_models": [], "vm": null, "edition": null, "sources": [], "volumes": [] },
            "procedure": { "measure_s": 30.0, "ramp_s": 0.0, "file_bytes": 1, "scaled": null, "clients": [] },
            "targets": [], "machine": null, "fio": null, "preparation": [], "rows": [], "findings": [], "warnings": warnings,
            "metadata": { "started": 0, "ended": 0, "resumed": 0 },
            "scenarios": [{ "id": "s", "title": "s", "point": null, "state": "done", "failure": null, "job": "", "predicted": [share(5_000.0)],
                "measured": [share(iops)], "binding": [{ "volume": "data", "limit": limit, "sentence": "" }], "series": series,
                "client_cpu_percent": 10.0, "fio": null }],
        }))
        .unwrap();
        let scenario = &result.scenarios[0];
        let (measured, predicted) = (&scenario.measured[0], &scenario.predicted[0]);
        let found = find(&Case { result: &result, scenario, measured, predicted, metric: Metric::Iops }, 0.03);
        assert_eq!(found.kind, expected, "{iops} {warning:?} {limit:?}: {}", found.text);
    }

    #[test]
    fn what_hides_the_rest_is_named_first() {
        check(4_900.0, Some("client_cpu"), Some("disk IOPS"), CauseKind::Agrees);
        check(4_000.0, Some("client_cpu"), Some("disk IOPS"), CauseKind::ClientCeiling);
        check(6_000.0, Some("client_cpu"), Some("disk IOPS"), CauseKind::Limit);
        check(4_000.0, Some("other_load"), Some("disk IOPS"), CauseKind::Noise);
        check(6_000.0, Some("other_load"), Some("disk IOPS"), CauseKind::Limit);
        check(4_000.0, None, Some("disk IOPS"), CauseKind::Limit);
        check(4_000.0, None, None, CauseKind::LatencyModel);
    }
}
