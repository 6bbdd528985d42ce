//! A calibration as plain data with a schema.

use dw_documents::calibrate::*;

use super::fit::Model;
use super::points::Point;

/// Of a fit and its check, without the file, which has them in it.
pub fn build(
    model: &Model,
    volume: &str,
    fitted: &[&Point],
    left_out: Vec<LeftOut>,
    held_back: Vec<ErrorRow>,
) -> CalibrateDocument {
    let median = |times: &Option<Vec<u64>>| {
        let place = model.quantiles.iter().position(|q| *q == 500_000)?;
        times.as_ref()?.get(place).copied()
    };
    let mean = |of: &dyn Fn(&ErrorRow) -> f64| {
        let list: Vec<f64> = held_back
            .iter()
            .filter(|row| !row.metric.more_is_better())
            .map(|row| (of(row) / row.measured - 1.0).abs() * 100.0)
            .collect();
        list.iter().sum::<f64>() / list.len().max(1) as f64
    };
    let mut ids: Vec<&str> = held_back.iter().map(|row| row.scenario.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let held_back_scenarios = ids.len();
    let (before, after) = (mean(&|row| row.before), mean(&|row| row.after));
    CalibrateDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        name: model.name.clone(),
        volume: volume.into(),
        model: String::new(),
        grade: String::new(),
        read_p50_us: median(&model.read_us),
        write_p50_us: median(&model.write_us),
        bandwidth_mb_per_s: model.bandwidth_mb_per_s,
        fitted_to: fitted.iter().map(|p| p.scenario.id.clone()).collect(),
        left_out,
        held_back,
        held_back_scenarios,
        error_before_percent: before,
        error_after_percent: after,
        went_away_percent: if before > 0.0 { (1.0 - after / before) * 100.0 } else { 0.0 },
    }
}
