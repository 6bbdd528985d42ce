//! How far off predictions are with the model of before and with the fitted one, on scenarios that it was not fitted to.

use dw_catalogue::latency::LatencySetting;
use dw_error::Result;
use dw_formats::scenario::Scenario as Rig;

use super::ErrorRow;
use super::points::Point;
use super::refused;
use crate::bench::document::{BenchDocument, Metric, Share};
use crate::measured::Source;
use crate::session::Session;

/// What is compared.
const FIGURES: [Metric; 4] = [Metric::Iops, Metric::LatencyMean, Metric::LatencyP50, Metric::LatencyP99];

/// One line a held-back scenario and figure.
pub fn errors(
    session: &Session,
    rig: &Rig,
    volume: usize,
    file: &str,
    results: &[Source],
    points: &[&Point],
) -> Result<Vec<ErrorRow>> {
    let models = dw_catalogue::latency::read(file)
        .map_err(|e| refused(&format!("the fit is not a model: {e}"), "measure longer"))?;
    let model = &models[0];
    let mut fitted = rig.clone();
    for disk in &mut fitted.stack.volumes[volume].disks {
        disk.read = model.read(LatencySetting::Typical).clone();
        disk.write = model.write(LatencySetting::Typical).clone();
    }
    let mut rows = Vec::new();
    for point in points {
        let job = of_model(&results[point.result].document, &point.scenario.job);
        let prediction = session.predict(&fitted, &job, Vec::new())?;
        let same = |s: &&Share| s.volume == point.measured.volume && s.direction == point.measured.direction;
        let after = prediction.shares.iter().find(same);
        for metric in FIGURES {
            let figures = (
                metric.value_in(&point.measured.load),
                metric.value_in(&point.predicted.load),
                after.and_then(|a| metric.value_in(&a.load)),
            );
            // Nothing is off by a share of nothing.
            let Some(measured) = figures.0.filter(|measured| *measured > 0.0) else { continue };
            if let (Some(before), Some(after)) = (figures.1, figures.2) {
                rows.push(ErrorRow {
                    scenario: point.scenario.id.clone(),
                    direction: point.measured.direction.clone(),
                    metric,
                    measured,
                    before,
                    after,
                });
            }
        }
    }
    if rows.iter().all(|row| row.metric.more_is_better()) {
        let list: Vec<&str> = points.iter().map(|p| p.scenario.id.as_str()).collect();
        let what =
            format!("no latency can be compared: the validation data, {}, has no mean, p50 or p99", list.join(", "));
        return Err(refused(&what, "make the tool print them: fio with `percentile_list=50:90:99`, DiskSpd with `-L`"));
    }
    Ok(rows)
}

/// A job as fio ran it, on the model's volumes again.
fn of_model(result: &BenchDocument, job: &str) -> String {
    let mut out = String::new();
    for line in job.lines() {
        let target = result.targets.iter().find(|t| {
            line.strip_prefix("uri=") == Some(t.path.as_str())
                || line.strip_prefix("filename=").is_some_and(|path| path.replace("\\:", ":") == t.path)
        });
        match (target, line) {
            (Some(target), _) => out += &format!("filename=/dev/{}\n", target.volume),
            (None, "thread") => {}
            (None, line) if line.starts_with("ioengine=") => out += "ioengine=libaio\ndirect=1\n",
            (None, line) if line.starts_with("direct=") => {}
            (None, line) if line.starts_with("uri=") => {
                // An emulator's socket has another path each time; the volume is named in it all the same.
                let name =
                    line.rsplit_once("?socket=").map_or(line, |(left, _)| left).rsplit('/').next().unwrap_or_default();
                out += &format!("filename=/dev/{name}\n");
            }
            (None, line) => out += &format!("{line}\n"),
        }
    }
    out
}
