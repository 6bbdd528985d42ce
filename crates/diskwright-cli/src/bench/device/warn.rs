//! What spoils a result: each doubt with its cause and the next step.

use dw_emulator::lateness::is_noticed;
use dw_emulator::status::Status;
use dw_measure::machine::Machine;
use dw_measure::target::{Facts, Kind};
use dw_messages::{Figure, Sentence, say};
use dw_units::Duration;

use crate::bench::document::{Procedure, Scenario, Second, State, Target, Warning, WarningKind};
use crate::figures;

/// A job of fio at this much of a processor waits for the processor, not for the disk.
const CLIENT_BUSY: f64 = 90.0;
/// The whole machine at this share, too.
const MACHINE_BUSY: f64 = 0.95;
/// Processors that others used, as a share of all.
const OTHERS: f64 = 0.10;
/// Shorter runs say little.
const SHORT_S: f64 = 10.0;
const FEW_IOS: u64 = 1_000;
/// Change from the first third of a run to its last, as a share.
const DRIFT: f64 = 0.05;
/// Share of a file in the page cache, in percent.
const CACHED: f64 = 1.0;

/// How busy the processors were during a scenario, as shares of all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Busy {
    /// In all.
    pub all: f64,
    /// By fio and by our emulator.
    pub ours: f64,
}

fn warning(kind: WarningKind, scenario: Option<&str>, text: Sentence) -> Warning {
    Warning { kind, scenario: scenario.map(str::to_string), text }
}

/// What the machine and the targets say before anything runs.
pub fn before(machine: &Machine, targets: &[Target], procedure: &Procedure) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let slow: Vec<&String> =
        machine.governors.iter().filter(|g| !["performance", "schedutil"].contains(&g.as_str())).collect();
    if let Some(governor) = slow.first() {
        warnings.push(warning(WarningKind::Governor, None, say!(WarnGovernor { governor: *governor })));
    }
    let busy = machine.load_1min / f64::from(machine.processors);
    if busy > OTHERS * 5.0 {
        let load = Figure::decimal(machine.load_1min, 1, "");
        let text = say!(WarnLoad { load, processors: machine.processors });
        warnings.push(warning(WarningKind::OtherLoad, None, text));
    }
    for target in targets {
        let Some(facts) = &target.facts else { continue };
        warnings.extend(of_target(machine, &target.volume, facts, procedure));
    }
    warnings
}

fn of_target(machine: &Machine, volume: &str, facts: &Facts, procedure: &Procedure) -> Option<Warning> {
    if facts.kind == Kind::Emulated || facts.direct_io {
        return None;
    }
    let file_system = match &facts.file_system {
        Some(text) => say!(Plain { text }),
        None => say!(WarnThisFileSystem),
    };
    let size = (procedure.file_bytes < machine.memory_bytes).then(|| {
        let (file, memory) = (procedure.file_bytes as f64, machine.memory_bytes as f64);
        say!(WarnNoDirectSize { file: figures::bytes(file), memory: figures::bytes(memory) })
    });
    let text = say!(WarnNoDirect { volume, path: &facts.path, file_system, size });
    Some(warning(WarningKind::NoDirectIo, None, text))
}

/// What a scenario's own figures say.
pub fn of_scenario(scenario: &Scenario, procedure: &Procedure, busy: Option<Busy>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut add = |kind, text: Sentence| warnings.push(warning(kind, Some(&scenario.id), text));
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

/// What the page cache holds of a file that should be read from a disk.
pub fn page_cache(scenario: &str, target: &Target) -> Option<Warning> {
    let facts = target.facts.as_ref().filter(|f| f.kind == Kind::File)?;
    let percent = dw_measure::target::page_cache_percent(std::path::Path::new(&facts.path)).filter(|p| *p > CACHED)?;
    let share = Figure::decimal(percent, 0, "%");
    let text = say!(WarnPageCache { volume: &target.volume, share, path: &facts.path });
    Some(warning(WarningKind::PageCache, Some(scenario), text))
}

/// What the emulator doubts about a scenario, and where fio saw another latency than the emulator gave.
pub fn lateness(scenario: &Scenario, status: &Status, procedure: &Procedure) -> Vec<Warning> {
    let of = |doubt: Sentence| warning(WarningKind::Lateness, Some(&scenario.id), say!(WarnEmulator { doubt }));
    let mut warnings: Vec<Warning> = status.lateness.doubts.iter().cloned().map(of).collect();
    // What is not counted of a ramp by fio is counted by the emulator.
    for share in scenario.measured.iter().filter(|_| procedure.ramp_s == 0.0) {
        let Some(volume) = status.volumes.iter().find(|volume| volume.name == share.volume) else { continue };
        let given = if share.direction == "read" { &volume.reads } else { &volume.writes };
        let p99 = share.load.latency_ns.as_ref().and_then(|latency| latency.p99);
        let Some(seen) = p99.filter(|_| share.load.ios >= FEW_IOS) else { continue };
        let (given, seen) = (Duration::from_ns(given.latency.p99_ns), Duration::from_ns(seen));
        if given > Duration::ZERO && is_noticed(given, seen) {
            let (seen, given) = (figures::ms(seen.ns() as f64), figures::ms(given.ns() as f64));
            let (direction, volume) = (&share.direction, &share.volume);
            warnings.push(of(say!(WarnClientLate { seen, direction, volume, given })));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8.6 ms by fio's clock where the status had 5.7 ms: whoever reads the result must know it.
    #[test]
    fn what_fio_saw_is_held_against_what_the_emulator_gave() {
        let latency = |p99: u64| {
            serde_json::json!({ "mean": 2e6, "p50": 2_000_000, "p90": 3_000_000, "p99": p99,
            "p99_9": 9_000_000, "max": 9_000_000 })
        };
        let check = |p99: u64, ios: u64, ramp_s: f64, doubts: &[&str]| {
            let scenario: Scenario = serde_json::from_value(serde_json::json!({
                "id": "s", "title": "s", "state": "done", "job": "", "predicted": [], "binding": [], "series": [],
                "measured": [{ "volume": "data", "direction": "read", "ios": ios, "bytes": ios * 4096, "iops": 100.0,
                    "bytes_per_s": 409_600.0, "latency_ns": latency(p99) }],
            }))
            .unwrap();
            let mut status = Status::default();
            status.lateness.doubts = doubts.iter().map(|text| say!(Plain { text: *text })).collect();
            let mut volume = crate::top::sample().volumes[0].clone();
            volume.name = "data".into();
            volume.reads.latency.p99_ns = 5_700_000;
            status.volumes = vec![volume];
            let procedure = Procedure { measure_s: 30.0, ramp_s, file_bytes: 0, scaled: None, clients: Vec::new() };
            lateness(&scenario, &status, &procedure).into_iter().map(|w| w.text.text).collect::<Vec<_>>()
        };
        let told = check(8_600_000, 50_000, 0.0, &[]);
        assert!(
            told.len() == 1 && told[0].contains("fio saw a 99th percentile of 8.60 ms for the reads of data"),
            "{told:?}"
        );
        assert_eq!(check(6_200_000, 50_000, 0.0, &[]), Vec::<String>::new(), "within a tenth");
        assert_eq!(check(8_600_000, 500, 0.0, &[]), Vec::<String>::new(), "too few to have a percentile");
        assert_eq!(check(8_600_000, 50_000, 5.0, &[]), Vec::<String>::new(), "the ramp is counted by one of them only");
        assert_eq!(check(5_700_000, 50_000, 0.0, &["late"]), ["the emulator: late"]);
    }

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
