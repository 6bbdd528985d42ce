//! What a scenario's own figures say of themselves: each doubt with its cause and the next step.

use dw_documents::bench::{Procedure, Scenario, Second, State, Warning, WarningKind};
use dw_messages::{Figure, Sentence, say};

use super::Busy;
use crate::figures;

/// A job of fio at this much of a processor waits for the processor, not for the disk.
const CLIENT_BUSY: f64 = 90.0;
/// The whole machine at this share, too.
const MACHINE_BUSY: f64 = 0.95;
/// Processors that others used, as a share of all.
pub const OTHERS: f64 = 0.10;
/// Shorter runs say little.
const SHORT_S: f64 = 10.0;
/// So few I/Os have no percentiles.
pub const FEW_IOS: u64 = 1_000;
/// Change from the first third of a run to its last, as a share.
const DRIFT: f64 = 0.05;

/// What a scenario's own figures say.
pub fn of_scenario(scenario: &Scenario, procedure: &Procedure, busy: Option<Busy>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let scenario_id = || Some(scenario.id.clone());
    let mut add = |kind, text: Sentence| warnings.push(Warning { kind, scenario: scenario_id(), text });
    if scenario.state == State::Partial {
        add(WarningKind::Partial, say!(WarnPartial));
    }
    if let Some(percent) = scenario.client_cpu_percent.filter(|p| *p >= CLIENT_BUSY) {
        add(WarningKind::ClientCpu, say!(WarnClientCpu { busy: Figure::decimal(percent, 0, "%") }));
    }
    if let Some(busy) = busy {
        if busy.all >= MACHINE_BUSY {
            add(WarningKind::MachineCpu, say!(WarnMachineCpu { busy: Figure::decimal(busy.all * 100.0, 0, "%") }));
        }
        let others = busy.all - busy.ours;
        if others > OTHERS {
            add(WarningKind::OtherLoad, say!(WarnOthers { busy: Figure::decimal(others * 100.0, 0, "%") }));
        }
    }
    let ios = scenario.measured.iter().find(|s| s.is_total()).map_or(0, |s| s.load.ios);
    if procedure.measure_s < SHORT_S {
        add(WarningKind::TooShort, say!(WarnShort { ran: figures::seconds(procedure.measure_s) }));
    } else if ios < FEW_IOS {
        add(WarningKind::TooShort, say!(WarnFew { ios }));
    }
    if let Some((first, last)) = drift(&scenario.series, procedure.ramp_s) {
        add(WarningKind::Drift, say!(WarnDrift { first: figures::iops(first), last: figures::iops(last) }));
    }
    warnings
}

/// Mean rates of the first and the last third, when they differ by more than is usual.
fn drift(series: &[Second], ramp_s: f64) -> Option<(f64, f64)> {
    // The first second has fio's start in it.
    let counted: Vec<f64> =
        series.iter().filter(|s| s.at_s > ramp_s + 1.0).map(|s| s.read_iops + s.write_iops).collect();
    let third = counted.len() / 3;
    if third < 3 {
        return None;
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (first, last) = (mean(&counted[..third]), mean(&counted[counted.len() - third..]));
    ((last / first - 1.0).abs() > DRIFT).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_changes_is_told_from_one_that_does_not() {
        let series = |rate: &dyn Fn(u32) -> f64| -> Vec<Second> {
            (0..30).map(|s| Second { at_s: f64::from(s), read_iops: rate(s), write_iops: 0.0 }).collect()
        };
        assert_eq!(drift(&series(&|_| 5_000.0), 0.0), None);
        assert_eq!(drift(&series(&|s| if s % 2 == 0 { 4_900.0 } else { 5_100.0 }), 0.0), None);
        let (first, last) = drift(&series(&|s| if s < 15 { 3_500.0 } else { 500.0 }), 0.0).unwrap();
        assert_eq!((first, last), (3_500.0, 500.0));
        assert_eq!(drift(&series(&|s| if s < 10 { 1.0 } else { 5_000.0 }), 12.0), None, "the ramp does not count");
        assert_eq!(drift(&series(&|_| 1.0)[..8], 0.0), None, "too short to tell");
    }
}
